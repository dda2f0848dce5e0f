"""Tables of runs: instances, solvers and times.

A file .csv, .tsv, .jsonl or .parquet, gzipped or not, or a folder of them; optionally ``scenario.toml``
beside them. Files of one solver each become one table (``_rows_of_all``). The path of a table:

1. ``raw_table.read_raw``: a file → names and cells of text, each row with its line. Another kind of file
   is another reader there.
2. ``raw_table.shaped``: any shape → one row of names, then one row per run or instance. Another shape is
   another step there.
3. ``layout.layout_of``: what each column holds, by its name or as a user decides; a question if that is
   not clear.
4. ``table_runs.read_runs``: cells → runs; ``cells`` gives the meaning of words and times, ``found_runs``
   reports what is missing, occurs twice or is odd.
5. ``table_runs.read_table``: runs → the relations of the lake.
"""

from __future__ import annotations

import os.path
import shlex
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, get_args

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats import ABOUT_RUNS, Finder, Format, Parsed, TableChoices
from aslib_eval.formats.aslib.lint import LIMIT, new_finding
from aslib_eval.formats.attributes import FAMILY, is_rule
from aslib_eval.formats.runs.cells import (
    CLAIMS,
    UNITS,
    altered,
    from_seconds,
    is_logged,
    is_time,
    time_limit,
    to_seconds,
    unit_called,
)
from aslib_eval.formats.runs.json_records import TIME
from aslib_eval.formats.runs.raw_table import (
    ENDINGS,
    PROPERTIES,
    RawTable,
    column_of,
    ending,
    is_packed,
    read_raw,
    stem,
    with_numbers,
    without_units,
)
from aslib_eval.formats.sources import (
    HEAD,
    FilesRead,
    Keys,
    Location,
    Source,
    Sources,
    is_text,
    read_settings_file,
    read_source,
    said_as_source,
    shown,
)
from aslib_eval.options import FilePer, MissingRuns, RepeatedRuns, TableOptions
from aslib_eval.text import is_writable, list_names, plural

if TYPE_CHECKING:
    from aslib_eval.formats.runs.layout import Layout


SETTINGS = "scenario.toml"
STATUSES = ("ok", "timeout", "memout", "crash", "wrong", "other")
ROLES = (
    "scenario",
    "instance",
    "solver",
    "time",
    "status",
    "answer",
    "expected",
    "repetition",
    "objective",
    "best",
    "cutoff",
    "family",
    "attribute",
    "ignore",
)
_MANY = ("attribute", "ignore")  # roles that more than one column may have
_MISSING, _REPEATED, _FILE_PER = map(get_args, (MissingRuns, RepeatedRuns, FilePer))


def table_choices(*, time_unit: str = "", **given: Unpack[TableOptions]) -> TableChoices:
    """The choices, checked.

    time_unit: the stated unit of the times, to which a cutoff with a unit is converted. family counts if
    each family is a scenario: ``column`` holds scenario=family.
    """
    pairs, cutoff = role_columns(given.get("column", ())), given.get("cutoff")
    more, less = tuple(given.get("maximize", ())), tuple(given.get("minimize", ()))
    scenario_id, records = given.get("scenario_id", ""), given.get("records", "")
    cells = given.get("cells", "")
    measures, unit, family = given.get("measure_column", ()), given.get("times_in"), given.get("family")
    texts = (scenario_id, records, cells, *chain(*pairs), *more, *less, *measures)
    if half := [text for text in texts if not is_writable(text)]:
        raise AslibError(f"{half[0]!r} holds half a character", None, "Type it again.")
    if both := [name for name in more if name in less]:
        raise AslibError(f"{both[0]!r} is maximised and minimised", None, "Give one of the two options.")
    if unit and UNITS.get(time_unit, time_unit) not in ("", "s"):
        what = f"--times-in {unit} converts the times to seconds, so their unit is not {time_unit}"
        raise AslibError(what, None, "Leave out --times-in or --time-unit.")
    limit, limit_unit = (None, "") if cutoff is None else time_limit(cutoff)
    if limit is not None and limit_unit:
        limit = to_seconds(limit, limit_unit)
        limit = from_seconds(limit, unit_called(time_unit)) if time_unit else limit
    return TableChoices(
        scenario_id,
        limit,
        pairs,
        more,
        tuple(measures),
        tuple(_meanings(given.get("status", ()), "status", STATUSES).items()),
        missing=given.get("missing") or "",
        duplicates=given.get("duplicates") or "",
        split=str(family) if family is not None and ("scenario", FAMILY) in pairs else "",
        unit=unit_called(unit) if unit else "",
        has_unit=bool(limit_unit and not time_unit),
        minimize=less,
        cells=cells.strip(),
        claims=tuple(_meanings(given.get("claims", ()), "claim", CLAIMS).items()),
        records=records,
        file_per=given.get("one_file_per") or "",
    )


def _meanings(
    given: Mapping[str, str] | Sequence[str], what: str, kinds: Collection[str]
) -> dict[str, str]:
    """Word in lower case → what it means, one of ``kinds``."""
    if not isinstance(given, Mapping):
        given = {word: kind for word, _, kind in (text.rpartition("=") for text in given)}
    words = {word.strip().lower(): kind.strip() for word, kind in given.items()}
    for word, kind in words.items():
        if kind not in kinds:
            hint = f"Choose one of {', '.join(kinds)}."
            raise AslibError(f"{what} {word!r} cannot mean {kind!r}", None, hint)
    return words


def role_columns(
    column: Sequence[str] | Mapping[str, str | Sequence[str]], roles: Sequence[str] = ROLES
) -> tuple[tuple[str, str], ...]:
    """Pairs of a role and the column that has it, as ``column`` of ``TableChoices``.

    roles: those that there are.
    """
    if isinstance(column, Mapping):
        names = {r: [n] if isinstance(n, str) else n for r, n in column.items()}
        pairs = [(role, name) for role, each in names.items() for name in each]
    else:
        given = [text.partition("=") for text in column]
        pairs = [(role.strip().lower(), name.strip()) for role, _, name in given]
    for role, name in pairs:
        if role not in roles or not name:
            hint = f"Write ROLE=NAME; roles are {', '.join(roles)}."
            raise AslibError(f"column {role}={name} names no role", None, hint)
        if role not in _MANY and sum(role == each for each, _ in pairs) > 1:
            raise AslibError(f"two columns are given for {role}", None, "Give one.")
    return tuple(pairs)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _works(option: str, value: Any) -> bool:
    """Whether a value can be chosen for an option."""
    with suppress(AslibError, TypeError):
        return bool(table_choices(**{option: value}))
    return False


_KEYS: Keys = {
    "scenario_id": (is_text, "a name"),
    "cutoff": (partial(_works, "cutoff"), 'a number above 0, or a text such as "30min"'),
    "unit": (lambda x: is_text(x) and x.lower() in UNITS, "ns, us, ms, s, min or h"),
    "time_unit": (is_text, "a unit, such as s"),
    "maximize": (_is_names, "a list of measures"),
    "minimize": (_is_names, "a list of measures"),
    "cells": (is_text, "a measure, or time"),
    "measure": (_is_names, "a list of columns"),
    "column": (partial(_works, "column"), f"a table of {', '.join(ROLES)}; the last two are lists"),
    "family": (is_rule, "a rule such as path:1"),
    "missing": (lambda v: v in _MISSING, f"one of {', '.join(_MISSING)}"),
    "duplicates": (lambda v: v in _REPEATED, f"one of {', '.join(_REPEATED)}"),
    "records": (is_text, "the path of a list, such as data.runs"),
    "one_file_per": (lambda v: v in _FILE_PER, f"one of {', '.join(_FILE_PER)}"),
    "status": (partial(_works, "status"), f"a table that gives each word a status: {', '.join(STATUSES)}"),
    "claims": (partial(_works, "claims"), f"a table that gives each word an answer: {', '.join(CLAIMS)}"),
}

_OPTIONS = {"unit": "times_in", "measure": "measure_column"}  # keys that are not called as their options


def merged(given: TableChoices, sources: Sources, *, file: str) -> tuple[TableChoices, str, list[Finding]]:
    """The choices, else those of scenario.toml; its unit of time; what is wrong there.

    file: the path of scenario.toml as shown.
    """
    if SETTINGS not in sources:
        return given, "", []
    raw, wrong = read_settings_file(sources[SETTINGS].content, file=file, code="runs-table", keys=_KEYS)
    if wrong:
        return given, "", wrong
    unit, family = str(raw.pop("time_unit", "")), str(raw.pop("family", ""))
    unit = "" if given.unit or "unit" in raw else unit
    there = table_choices(**{_OPTIONS.get(key, key): value for key, value in raw.items()}, time_unit=unit)
    return over(given, replace(there, family=family)), unit, []


def over(given: TableChoices, there: TableChoices, *, adds: bool = False) -> TableChoices:
    """The choices, completed by those of a file.

    adds: whether columns are ignored that either of them ignores. A time without a limit is a
    quality in the file; a cutoff makes it a runtime.
    """
    roles = {role for role, _ in given.column}
    named = {part.strip() for _, name in given.column for part in (name, *name.split("+"))}
    taken = {*named, *given.measure}
    pairs = [
        ("time" if given.cutoff and (role, name) == ("objective", TIME) else role, name)
        for role, name in there.column
        if (role not in roles or (adds and role == "ignore")) and name not in taken
    ]
    single = ("scenario_id", "unit", "cells", "family", "missing", "duplicates", "records", "file_per")
    says_limit = there if given.cutoff is None else given
    return replace(
        given,
        **{name: getattr(given, name) or getattr(there, name) for name in single},
        cutoff=says_limit.cutoff,
        has_unit=says_limit.has_unit,
        column=(*given.column, *pairs),
        maximize=_both(given.maximize, there.maximize, given.minimize),
        minimize=_both(given.minimize, there.minimize, given.maximize),
        measure=_both(given.measure, there.measure, named),
        claims=tuple({**dict(there.claims), **dict(given.claims)}.items()),
        status=tuple({**dict(there.status), **dict(given.status)}.items()),
    )


def _both(given: Iterable[str], there: Iterable[str], opposite: Collection[str]) -> tuple[str, ...]:
    """The measures that are given, then those of scenario.toml except the ones given as the opposite."""
    return tuple(dict.fromkeys((*given, *(name for name in there if name not in opposite))))


# A table → a table of runs, with the choices that follow.
View = Callable[[RawTable, TableChoices], tuple[RawTable, TableChoices]]


def runs_format(choices: TableChoices, *, view: View | None = None) -> Format:
    """The format, with what its user decides about the tables.

    view: converts another kind of table to a table of runs.
    """
    return Format(
        "runs",
        Finder(partial(_find, choices)),
        _absent,
        lambda location: _identify(choices, location, _settings_of(location)),
        partial(_load, choices),
        partial(_identify, choices),
        partial(_read, choices, view),
        choices=ABOUT_RUNS,
        with_choices=partial(runs_format, view=view),
        is_general=view is None,
    )


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if not path.is_dir():
        return _tables(choices, path, files, alone=True) if path.is_file() else []
    chosen, _, _ = merged(choices, _settings(path / SETTINGS, files), file=SETTINGS)
    if chosen.file_per == "solver":
        return together(choices, [path], files)
    # A file .json beside others seldom holds runs.
    tables = sorted(p for p in path.iterdir() if ending(p) not in ("", ".json") or p.name == PROPERTIES)
    found = {table: _tables(choices, table, files) for table in tables if table.is_file()}
    single = (
        [] if chosen.file_per else [p for p in found if not found[p] and _lacks_a_solver(chosen, p, files)]
    )
    asked = [Location(path, str(path), beside=tuple(single))] if len(single) > 1 else []
    return [*asked, *chain.from_iterable(found.values())]


def together(choices: TableChoices, paths: Sequence[Path], files: FilesRead) -> list[Location]:
    """The scenario in all tables at the paths, or one for each name in its column of scenarios."""
    with os_errors(hint="Check the permissions."):
        location = replace(location_of(files_of(paths)), files=files)
        chosen, _, wrong = _merged(choices, location, _settings_of(location))
        layout = None if wrong else _joined(location, _load(choices, location), chosen)[2]
    parts = [] if layout is None else scenarios(layout, location.path)
    return [replace(location, part=each.part) for each in parts] or [location]


def files_of(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The tables at paths: files, folders of them or patterns such as ``runs/*.csv``."""
    found: list[Path] = []
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(path.iterdir())
        elif not path.exists():
            root = Path(path.anchor)
            inside = sorted(root.glob(str(path.relative_to(root))))
        tables = [each for each in inside if ending(each) and each.is_file()]
        if not tables:
            hint = "Name files, a folder of them or a pattern."
            raise AslibError("holds no table of runs", str(path), hint)
        found += tables
    return tuple(dict.fromkeys(found))


def location_of(tables: Sequence[Path]) -> Location:
    """The place of a scenario in several files: the folder that holds all of them."""
    folder = Path(os.path.commonpath([table.parent for table in tables]) or ".")
    shown = folder if folder.name else folder.resolve()
    return Location(folder, str(shown), beside=tuple(tables))


def _lacks_a_solver(choices: TableChoices, path: Path, files: FilesRead) -> bool:
    """Whether a table holds runs if its file is called like their solver."""
    from aslib_eval.formats.runs.layout import layout_of

    table, layout = _head(path, files, choices, alone=False)
    may = bool(layout.findings) and (choices.given or any(map(is_time, table.header)))
    return may and not layout_of(_with_solver(table, path, choices), choices).findings


def _tables(choices: TableChoices, path: Path, files: FilesRead, *, alone: bool = False) -> list[Location]:
    """The table, or one for each scenario in its column; none if it is something else.

    alone: whether a user named the file. In a folder, a table counts if its header or scenario.toml says
    that it holds runs.
    """
    if not ending(path):
        return []
    settings = _settings(path, files)
    chosen, _, _ = merged(choices, settings, file=SETTINGS)
    raw, layout = _head(path, files, chosen, alone=alone)
    is_decided = bool(settings or choices.given)
    location = Location(path, str(path), header=() if alone and is_decided else raw.header)
    if layout.findings:
        return [location] if alone and is_decided else []
    bare = layout.is_wide and not any(":" in name for name in layout.table.header)
    if bare and not (alone or is_decided):
        return []
    if "scenario" in layout.at:
        source = files.source(path, keep=True)
        *_, layout = _understood(path, source, chosen, files, file=str(path), keep=True)
    return [replace(each, header=location.header) for each in scenarios(layout, path)] or [location]


def _head(path: Path, files: FilesRead, choices: TableChoices, *, alone: bool) -> tuple[RawTable, Layout]:
    """The beginning of a table; all of it if it is small, Parquet or JSON.

    alone: whether a user named it: then it is kept.
    """
    kind, packed = ending(path), is_packed(path)
    content = files.head(path).content
    start, cut = content[:HEAD], len(content) > HEAD
    is_array = kind in (".parquet", ".json")
    if is_array or not (cut or packed):
        source = files.source(path, keep=alone)
        raw, _, layout = _understood(path, source, choices, files, file=str(path), keep=alone)
        if is_array or raw.header:
            return raw, layout
    if packed:
        with suppress(zlib.error):
            stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            start = stream.decompress(start, HEAD)
            cut = not stream.eof
    if cut:
        start = start[: max(map(start.rfind, (b"\n", b"\r"))) + 1]
    text = start.decode("utf-8-sig", errors="replace").replace("\0", "?")
    raw = read_raw(text.encode(), kind=kind, packed=False, file=str(path))
    return raw, _settled(raw, choices)[2]


def _understood(
    path: Path, source: Source, choices: TableChoices, files: FilesRead, *, file: str, keep: bool = False
) -> tuple[RawTable, TableChoices, Layout]:
    """A table, the choices about it and its layout, made once."""

    def understood() -> tuple[RawTable, TableChoices, Layout]:
        return _settled(_raw(path, source, file=file, records=choices.records), choices)

    return files.once((source.sha256, file, choices), understood, keep=keep)


def _settled(raw: RawTable, choices: TableChoices) -> tuple[RawTable, TableChoices, Layout]:
    """A table, the choices of its user and its kind of file, and its layout; an error asks a question."""
    from aslib_eval.formats.runs.layout import layout_of

    chosen = over(choices, raw.stated, adds=True)
    if raw.asked is not None and not chosen.chosen("solver"):
        what, hint = raw.asked
        raw = replace(raw.told("runs-table", what, hint), rows=())
    return raw, chosen, layout_of(raw, chosen)


def _raw(path: Path, source: Source, *, file: str, records: str = "") -> RawTable:
    """The table; in a log of ``plan``, altered lines are errors."""
    kind, packed = ending(path), is_packed(path)
    raw = without_units(read_raw(source.content, kind=kind, packed=packed, file=file, records=records))
    if not (is_logged(raw.header) and path.name.lower().endswith(".csv")):
        return raw
    what = "the line has changed since 'plan' wrote it: its check sum differs"
    hint = "Remove it and run 'plan' again, which continues its log."
    lines = altered(source.content)[:LIMIT]
    found = [new_finding("runs-table", file=file, line=line, what=what, hint=hint) for line in lines]
    return replace(raw, findings=(*raw.findings, *found))


def scenarios(layout: Layout, path: Path) -> list[Location]:
    """The scenarios that a column of a table names, in their order; none without."""
    if "scenario" not in layout.at:
        return []
    names = dict.fromkeys(layout.table.column(layout.at["scenario"]))
    return [Location(path, str(path), name) for name in names if name]


def _absent(path: Path) -> AslibError:
    hint = f"Such a table is a file {'|'.join(ENDINGS)} with the columns instance, solver and time."
    if path.is_dir():
        files, tables = FilesRead(), sorted(p for p in path.iterdir() if ending(p) and p.is_file())
        if inside := [str(p) for p in tables if _tables(TableChoices(), p, files, alone=True)]:
            hint = f"Give the file itself: the folder holds {', '.join(inside)}."
        elif tables:
            hint = f"To see why, type aslib-eval import {shlex.quote(str(tables[0]))}."
            hint += " If each file holds the runs of one solver, add --one-file-per solver."
        return AslibError("holds no table of runs", str(path), hint)
    if path.is_file() and ending(path):
        raw, _, layout = _settled(_raw(path, read_source(path), file=str(path)), TableChoices())
        wrong = [each for each in raw.findings if each.severity == "error"]
        for found in (wrong or layout.findings)[:1]:
            reason = f"{found.message}. {found.hint}".rstrip()
            begin = "It " if reason.startswith(("is ", "holds ", "has ", "cannot ")) else reason[:1].upper()
            hint = f"Line {found.line}: " * bool(wrong and found.line) + begin + reason[begin != "It " :]
        if hint.endswith("."):
            hint += " If the table holds one score per task and method instead of runs, "
            hint += "name its columns task, method, metric and value."
    return AslibError("this is not a table of runs", str(path), hint)


def _settings(path: Path, files: FilesRead) -> dict[str, Source]:
    beside = path.parent / SETTINGS
    return {SETTINGS: files.source(beside, keep=True)} if beside.is_file() else {}


def _settings_of(location: Location) -> dict[str, Source]:
    path = location.path / SETTINGS if location.beside else location.path
    return _settings(path, location.files)


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    with os_errors(hint="Check the permissions."):
        paths = location.beside or (location.path,)
        sources = {_name_of(location, path): location.files.source(path) for path in paths}
        sources |= _settings_of(location)
    return sources | said_as_source(choices.text())


def _name_of(location: Location, path: Path) -> str:
    """The name of a file of a scenario among its sources."""
    name = path.relative_to(location.path).as_posix() if location.beside else path.name
    return name.encode(errors="backslashreplace").decode() if location.beside else name


def _joined(
    location: Location, sources: Sources, choices: TableChoices
) -> tuple[RawTable, TableChoices, Layout]:
    """The table that several files make up, as ``_understood``."""
    tables = {}
    for path in location.beside:
        name = _name_of(location, path)
        tables[path] = _raw(path, sources[name], file=location.file(name), records=choices.records)
    return _settled(_rows_of_all(tables, choices, file=location.shown), choices)


def _rows_of_all(tables: Mapping[Path, RawTable], choices: TableChoices, *, file: str) -> RawTable:
    """One table with the rows of all, with a column of solvers if files have none.

    Errors: faults of each table, columns that differ.
    """
    named = {path: _with_solver(table, path, choices) for path, table in tables.items()}
    whole = [table for table in named.values() if not table.is_broken]
    first, *_ = (*whole, *named.values())
    findings = [found for table in named.values() for found in table.findings]
    findings += [found for each in whole[1:] for found in _differing(whole[0], each)]
    header = tuple(dict.fromkeys(name for table in named.values() for name in table.header))
    rows: list[tuple[int, tuple[str, ...]]] = []
    places: dict[int, tuple[str, int | None]] = {1: (file, None)}
    for table in named.values():
        at = [table.header.index(name) if name in table.header else -1 for name in header]
        for line, cells in table.rows:
            number_of = len(rows) + 2  # 1 is that of the names
            rows.append((number_of, tuple(cells[k] if 0 <= k < len(cells) else "" for k in at)))
            places[number_of] = (table.file, line)
    notes = [found for found in findings if found.severity == "note"]
    kept = [found for found in findings if found.severity != "note"] + notes[: len(first.findings)]
    what = f"{plural(len(named), 'file')} joined: {list_names((path.name for path in named), quoted=False)}"
    if any(found.severity == "error" for found in findings):
        rows = []
    return replace(
        first, file=file, header=header, line=1, rows=tuple(rows), findings=tuple(kept), places=places
    ).told("runs-understood", what)


def _with_solver(table: RawTable, path: Path, choices: TableChoices) -> RawTable:
    """A table with names of columns and a solver, which may be the name of its column of times."""
    table = with_numbers(table, choices)
    if table.asked and "document" in choices.chosen("solver"):  # as the question advises
        return table.with_cells([table.header.index("document")], lambda *_: stem(path))
    has_solver = column_of(table.header, "solver", choices) or any(
        role == "solver" for role, _ in table.stated.column
    )
    if has_solver or not table.header:
        return table
    from aslib_eval.formats.runs.layout import layout_of

    found = layout_of(table, choices)
    is_alone = not found.findings and found.is_wide and len(found.blocks) == 1
    solver = found.blocks[0].solver if is_alone and found.times else None
    if solver in table.header:
        header = tuple("time" if name == solver else name for name in table.header)
        return replace(table, header=header).with_column("solver", [solver] * len(table.rows))
    return table.with_column("solver", [stem(path)] * len(table.rows))


def _differing(first: RawTable, other: RawTable) -> Iterator[Finding]:
    """An error if two tables are of different tools, or have different columns."""
    name, what = Path(first.file).name, ""
    if first.stated != TableChoices() and other.stated != first.stated:
        what = f"the file is of a different kind than {name}"
        hint = "Import the files of each tool separately."
    elif first.stated == TableChoices() and {*other.header} != {*first.header}:
        mine, theirs = (list_names(each.header, quoted=False) for each in (other, first))
        what = f"the columns are {mine}, but the columns of {name} are {theirs}"
        hint = "Use the same column names in all files. If a first line is a run, add names above it,"
        hint += " or name columns by their numbers, such as --column instance=1 --column time=2."
    if what:
        yield new_finding("runs-table", file=other.file, line=other.line, what=what, hint=hint)


def _merged(
    choices: TableChoices, location: Location, sources: Sources
) -> tuple[TableChoices, str, list[Finding]]:
    return merged(choices, sources, file=str(Path(location.shown).parent / SETTINGS))


def _identify(choices: TableChoices, location: Location, sources: Sources) -> str:
    chosen, _, wrong = _merged(choices, location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    if location.part and chosen.scenario_id:
        hint = "Leave scenario_id out, or add --column ignore=scenario."
        raise AslibError("scenario_id is given, and a column names the scenarios too", location.shown, hint)
    return location.part or chosen.scenario_id or stem(Path(location.shown))


def _read(choices: TableChoices, view: View | None, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.runs.table_runs import read_table

    chosen, unit, wrong = _merged(choices, location, sources)
    if wrong:
        return Parsed(tuple(wrong))
    if location.beside and chosen.file_per != "solver":
        names = list_names((path.name for path in location.beside), quoted=False)
        what = f"each of {len(location.beside)} tables holds the runs of one solver: {names}"
        hint = f"To join them: aslib-eval import {shlex.quote(location.shown)} --one-file-per solver."
        return Parsed((new_finding("runs-table", file=location.shown, what=what, hint=hint),))
    path, layout = location.path, None
    file = location.shown if location.beside else shown(location, path.name)
    if location.beside:
        raw, chosen, layout = _joined(location, sources, chosen)
    elif view is None:
        raw, chosen, layout = _understood(path, sources[path.name], chosen, location.files, file=file)
    else:
        raw = _raw(path, sources[path.name], file=file)
        if raw.is_broken:
            return Parsed(raw.findings)
        raw, chosen = view(raw, chosen)
    parsed = read_table(raw, chosen, location=location, sources=sources, unit=unit, layout=layout)
    if layout is not None and layout.is_wide and len(layout.blocks) == 1:
        what = f"{layout.blocks[0].solver} is the only solver"
        hint = "To join files of one solver each into one scenario, add --one-file-per solver."
        alone = new_finding("runs-solver", file=file, line=raw.line, what=what, hint=hint)
        parsed = replace(parsed, findings=(*parsed.findings, alone))
    return parsed


RUNS = runs_format(TableChoices())
