"""Rows of a relation as TOML files, beside the view that says its columns.

A view whose header says ``rows: toml`` gives one row: the columns with their types, the words that they
allow (an ``enum``) and their defaults. A file of its folder with the ending ``.toml`` holds further rows:
what it says at its top is the row called like the file, and each of its tables is a row called like the
table. ``like = "other"`` begins with what another row says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.paths import as_toml
from aslib_eval.text import did_you_mean, join_words, one_of

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

LIKE = "like"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=""")
_TABLE = re.compile(r"""\s*\[\s*["']?([A-Za-z0-9_.-]+)["']?\s*\]""")
_TOP = ""  # the table of what stands before the first one


@dataclass(frozen=True)
class TomlRow:
    """A row as it stands in a file: its name, what it says, and in which lines."""

    name: str
    path: Path
    line: int
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def finding(self, message: str, hint: str = "", *, key: str = "") -> Finding:
        """What is wrong with it, or with what it says of a column."""
        at = self.lines.get(key, self.line)
        return Finding("toml", "error", str(self.path), at, message, hint)


def read_rows(path: Path, text: str) -> list[TomlRow]:
    """The rows in the text of a file."""
    tables = as_toml(text, file=str(path))
    top = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    rows = {path.stem: top} if top or not tables else {}
    again = rows.keys() & tables.keys() - top.keys()
    if again:
        hint = "Write what it says before the first table, or into it."
        raise AslibError(f"[{path.stem}] is there twice", str(path), hint)
    rows |= {key: value for key, value in tables.items() if key not in top}
    lines = _lines(text)
    found = []
    for name, values in rows.items():
        at = lines.get(name) or lines[_TOP]
        found.append(TomlRow(name, path, at.get(_TOP, 1), values, at))
    return found


def _lines(text: str) -> dict[str, dict[str, int]]:
    """Table → key → the line where it stands; the table's own under no name."""
    found: dict[str, dict[str, int]] = {_TOP: {}}
    table = _TOP
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            table = header[1]
            found[table] = {_TOP: number}
        elif key := _KEY.match(line):
            found[table].setdefault(key[1], number)
    return found


def complete(rows: Sequence[TomlRow], *, beside: Sequence[TomlRow] = ()) -> list[TomlRow]:
    """Rows with what those say that they are like; ``beside`` may be named, too."""
    known: dict[str, TomlRow] = {row.name: row for row in beside}
    wrong = []
    for row in rows:
        if not _NAME.fullmatch(row.name):
            hint = "Write letters, digits, '_', '.' and '-'."
            wrong.append(row.finding(f"{row.name!r} is no name of a row", hint))
        elif row.name in known:
            what = f"the name {row.name!r} is taken by {known[row.name].path}"
            wrong.append(row.finding(what, "Choose another name."))
        else:
            known[row.name] = row
    found = []
    for row in rows:
        values = dict(row.values)
        seen = [row.name]
        last = row
        while (other := last.values.get(LIKE)) is not None:
            if other in seen:
                what = f"these rows are like each other: {', '.join(seen)}"
                wrong.append(row.finding(what, "Let one of them say all.", key=LIKE))
                break
            if not isinstance(other, str) or other not in known:
                hint = one_of(str(other), sorted(known.keys() - {row.name}))
                what = f"there is no row {other!r} to be like"
                wrong.append(last.finding(what, hint, key=LIKE))
                break
            last = known[other]
            seen.append(other)
            values = {**last.values, **values}
        values.pop(LIKE, None)
        found.append(TomlRow(row.name, row.path, row.line, values, row.lines))
    _require(wrong)
    return found


def _require(wrong: Sequence[Finding]) -> None:
    if wrong:
        unique = list(dict.fromkeys(wrong))
        raise ScenarioError(unique[0].file, unique)


def require_columns(rows: Iterable[TomlRow], defaults: str, *, key: str) -> None:
    """Raise a ScenarioError with all that does not fit the columns of a relation.

    defaults: the SELECT of one row that gives columns, types, words and defaults. key: the column of the
    row's name, which a file does not say.
    """
    import duckdb

    with duckdb.connect(config={"enable_external_access": "false"}) as con:
        relation = con.sql(defaults)
        types = dict(zip(relation.columns, relation.types, strict=True))
    known = sorted(types.keys() - {key})
    wrong = []
    for row in rows:
        for column, value in row.values.items():
            if column in (LIKE, *known):
                wanted = types.get(column)
                said = "" if wanted is None else _misfit(column, value, wanted)
                hint = ""
            else:
                said = f"there is no column {column!r}"
                hint = did_you_mean(column, known) or f"There are {join_words(known)}."
            if said:
                wrong.append(row.finding(said, hint, key=column))
    _require(wrong)


def _misfit(column: str, value: object, wanted: DuckDBPyType) -> str:
    """What is wrong with a value of a column of that type; nothing if it fits."""
    inside: dict[str, Any] = {}
    if wanted.id in {"list", "enum"}:
        inside = dict(wanted.children)
    if wanted.id == "list" and isinstance(value, list):
        texts = (_misfit(column, each, inside["child"]) for each in value)
        return next((text for text in texts if text), "")
    words = inside.get("values", [])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits, wrong = {
        "list": (False, "no list"),
        "enum": (value in words, f"none of {', '.join(words)}"),
        "boolean": (isinstance(value, bool), "neither true nor false"),
        "varchar": (isinstance(value, str), "no text"),
    }.get(wanted.id, (is_number, "no number"))
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return "" if fits else f"{column} is {shown}, and {wrong}"


def rows_select(defaults: str, rows: Sequence[TomlRow], *, key: str) -> str:
    """The SELECT of these rows, with the defaults for what they do not say."""
    if not rows:
        return f"from ({defaults}) where false"
    said = sorted({column for row in rows for column in row.values} - {key})
    values = ",\n    ".join(
        f"({', '.join(map(_literal, (row.name, *(row.values.get(c) for c in said))))})" for row in rows
    )
    replaced = "".join(f",\n    coalesce(g.{c}, d.{c}) as {c}" for c in said)
    return (
        f"with defaults as (\n{defaults}\n),\n\n"
        f"given({', '.join((key, *said))}) as (\n    values {values}\n)\n\n"
        f"select d.* replace (\n    g.{key} as {key}{replaced}\n)\n"
        "from given as g, defaults as d"
    )


def _literal(value: object) -> str:
    """A value of TOML in SQL."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"'{value}'::double"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    text = str(value)
    return text if isinstance(value, int) else "'" + text.replace("'", "''") + "'"
