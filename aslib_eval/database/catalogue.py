"""Frames that list relations, columns, paper tables and protocols, for the commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import polars as pl

from aslib_eval.database.protocol import COLUMNS, MEANING, PRESETS, TAG, difference, load
from aslib_eval.database.sqlfiles import find_sql, find_tables
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.options import Option
from aslib_eval.signatures import public
from aslib_eval.text import did_you_mean

_TEXT = pl.String
# The folders of sql/ in the order of a list; a user's own come after them.
SUBJECTS = (*("macro", "staging", "instance", "fold", "split"), *("solver", "scenario", "suite"))


def relations(sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per relation: subject, name, kind, grain and key."""
    raw = [
        ("raw", f"raw_{r.name}", "view", f"One row per {r.row}.", ", ".join(r.key))
        for r in RELATIONS.values()
    ]
    order = {subject: at for at, subject in enumerate(SUBJECTS)}
    files = sorted(find_sql(sql_dirs), key=lambda file: order.get(file.subject, len(SUBJECTS)))
    rows = [
        (file.subject, file.signature, "macro" if file.is_macro else "view", file.row, ", ".join(file.key))
        for file in files
    ]
    about = "One row per active protocol."
    rows = [*raw, ("protocol", "protocol", "table", about, "protocol"), *rows]
    names = ["subject", "relation", "kind", "about", "key"]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, _TEXT), orient="row")


def columns(name: str, sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per column of a relation: meaning and [unit]; a macro is one row."""
    found = {
        file.name: {file.signature: file.row} if file.is_macro else file.columns
        for file in find_sql(sql_dirs)
    }
    for relation in RELATIONS.values():
        meanings = {"scenario_id": "scenario, as text", **relation.meanings()}
        found[f"raw_{relation.name}"] = meanings
    found["protocol"] = {**MEANING, "tag": TAG}
    if name not in found:
        hint = did_you_mean(name, found) or "'aslib-eval views' lists them."
        raise AslibError("there is no such relation", name, hint)
    rows = list(found[name].items())
    schema = dict.fromkeys(["column", "meaning"], _TEXT)
    return pl.DataFrame(rows, schema=schema, orient="row")


def paper_tables(sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per paper table: name, caption, and what a row of its query is."""
    rows = [
        (file.name, file.layout.get("caption", ""), file.row) for file in find_tables(sql_dirs).values()
    ]
    schema = dict.fromkeys(["table", "caption", "about"], _TEXT)
    return pl.DataFrame(rows, schema=schema, orient="row")


@public
def protocols() -> pl.DataFrame:
    """The presets and what they restate: one row per preset.

    >>> ae.protocols_list()["protocol"][0]
    'default'
    """
    rows = [(p.protocol, p.hash, p.source) for p in PRESETS.values()]
    schema = dict.fromkeys(["protocol", "hash", "source"], _TEXT)
    return pl.DataFrame(rows, schema=schema, orient="row")


@public
def protocol(
    name: Annotated[str, Option("Preset or .toml file.", flags="", metavar="NAME|FILE")],
) -> pl.DataFrame:
    """Every choice of one protocol, a row each.

    name: of a preset, or a .toml file.

    Raises:
        AslibError: when it is unknown.

    >>> ae.protocols_show("default").columns
    ['choice', 'value']
    """
    chosen = load(name)
    rows = [(c, _word(getattr(chosen, c))) for c in COLUMNS]
    schema = dict.fromkeys(["choice", "value"], _TEXT)
    return pl.DataFrame([*rows, ("hash", chosen.hash)], schema=schema, orient="row")


@public
def protocol_difference(
    first: Annotated[str, Option("The one.", flags="", metavar="NAME|FILE")],
    second: Annotated[str, Option("The other.", flags="", metavar="NAME|FILE")],
) -> pl.DataFrame:
    """The choices in which two protocols differ.

    first, second: names of presets, or .toml files.

    Raises:
        AslibError: as ``load``.

    >>> ae.protocols_diff("default", "llama").columns
    ['choice', 'default', 'llama']
    """
    rows = [
        (column, _word(a), _word(b))
        for column, a, b in difference(load(first), load(second))
        if column not in {"protocol", "source"}
    ]
    names = [first, second] if first != second else ["first", "second"]
    schema = dict.fromkeys(["choice", *names], _TEXT)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
