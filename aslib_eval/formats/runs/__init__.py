"""Tables of runs: instances, solvers and times, as everybody has who runs solvers.

A file .csv, .tsv, .jsonl or .parquet, gzipped or not, or a folder of them; optionally ``scenario.toml``
beside them. ``layout`` says which columns are known, ``table_runs`` what becomes of the cells.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats.aslib.lint.reporting import LIMIT, new_finding
from aslib_eval.formats.attributes import attribute_choices
from aslib_eval.formats.format import Finder, Format, Parsed
from aslib_eval.formats.runs.check_sums import altered, is_logged
from aslib_eval.formats.runs.choices import SETTINGS, merged
from aslib_eval.formats.runs.raw_table import ENDINGS, RawTable, ending, read_raw, stem
from aslib_eval.formats.sources import (
    HEAD,
    FilesRead,
    Location,
    Source,
    Sources,
    read_source,
    said_as_source,
    shown,
)
from aslib_eval.formats.table_choices import ABOUT_RUNS, TableChoices

if TYPE_CHECKING:
    from aslib_eval.formats.runs.layout import Layout


# A table as it stands → as a table of runs, with the choices that follow.
View = Callable[[RawTable, TableChoices], tuple[RawTable, TableChoices]]


def runs_format(choices: TableChoices, *, view: View | None = None) -> Format:
    """The format, with what its user decides about the tables.

    view: what makes a table of runs of a table that is none as it stands.
    """
    return Format(
        "runs",
        Finder(partial(_find, choices)),
        _absent,
        partial(_claim, choices),
        partial(_load, choices),
        partial(_identify, choices),
        partial(_read, choices, view),
        choices=ABOUT_RUNS,
        with_choices=partial(runs_format, view=view),
        is_general=view is None,
    )


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if path.is_dir():
        # A file .json beside others is a record of something more often than runs.
        endings = ("", ".json")
        inside = (p for p in path.iterdir() if ending(p) not in endings)
        tables = sorted(p for p in inside if p.is_file())
        return [x for table in tables for x in _tables(choices, table, files)]
    return _tables(choices, path, files, alone=True) if path.is_file() else []


def _tables(choices: TableChoices, path: Path, files: FilesRead, *, alone: bool = False) -> list[Location]:
    """The table, or one for each scenario of its column; none if it is something else.

    alone: whether somebody named the file; of a folder, those tables count whose
    header or whose scenario.toml says that they hold runs.
    """
    if not ending(path):
        return []
    settings = _settings(path, files)
    chosen, _, _ = merged(choices, settings, file=SETTINGS)
    raw, layout = _head(path, files, chosen, alone=alone)
    is_decided = bool(settings or choices.given)
    header = () if alone and is_decided else raw.header
    location = Location(path, str(path), header=header)
    if layout.findings:
        return [location] if alone and is_decided else []
    bare = layout.is_wide and not any(":" in name for name in layout.table.header)
    if bare and not (alone or is_decided):
        return []
    if "scenario" not in layout.at:
        return [location]
    source = files.source(path, keep=True)
    _, whole = _understood(path, source, chosen, files, file=str(path), keep=True)
    parts = scenarios(whole, path)
    return [replace(each, header=header) for each in parts] or [location]


def _head(path: Path, files: FilesRead, choices: TableChoices, *, alone: bool) -> tuple[RawTable, Layout]:
    """The beginning of a table; all of one that is small, of Parquet or a JSON array.

    alone: whether it is the one that is asked for: it is kept then.
    """
    from aslib_eval.formats.runs.layout import layout_of

    kind, packed = ending(path), path.name.lower().endswith(".gz")
    content = files.head(path).content
    start, cut = content[:HEAD], len(content) > HEAD
    is_array = kind in (".parquet", ".json")
    if is_array or not (cut or packed):
        source, file = files.source(path, keep=alone), str(path)
        found = _understood(path, source, choices, files, file=file, keep=alone)
        if is_array or found[0].header:
            return found
    if packed:
        with suppress(zlib.error):
            stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            start = stream.decompress(start, HEAD)
            cut = not stream.eof
    if cut:
        start = start[: max(map(start.rfind, (b"\n", b"\r"))) + 1]
    text = start.decode("utf-8-sig", errors="replace").replace("\0", "?")
    raw = read_raw(text.encode(), kind=kind, packed=False, file=str(path))
    return raw, layout_of(raw, choices)


def _understood(
    path: Path, source: Source, choices: TableChoices, files: FilesRead, *, file: str, keep: bool = False
) -> tuple[RawTable, Layout]:
    """A table and what its columns hold, of which it is found out once."""
    from aslib_eval.formats.runs.layout import layout_of

    def understood() -> tuple[RawTable, Layout]:
        raw = _raw(path, source, file=file)
        return raw, layout_of(raw, choices)

    return files.once((source.sha256, file, choices), understood, keep=keep)


def _raw(path: Path, source: Source, *, file: str) -> RawTable:
    kind, packed = ending(path), path.name.lower().endswith(".gz")
    raw = read_raw(source.content, kind=kind, packed=packed, file=file)
    if is_logged(raw.header) and path.name.lower().endswith(".csv"):
        raw = replace(raw, findings=(*raw.findings, *_altered(raw, source)))
    return raw


def scenarios(layout: Layout, path: Path) -> list[Location]:
    """The scenarios that a column of a table names, in their order; none without."""
    if (at := layout.at.get("scenario")) is None:
        return []
    names = dict.fromkeys(cells[at] for _, cells in layout.table.rows)
    return [Location(path, str(path), name) for name in names if name]


def _absent(path: Path) -> AslibError:
    from aslib_eval.formats.runs.layout import layout_of

    files = FilesRead()
    what = "holds no table of runs" if path.is_dir() else "is no table of runs"
    hint = f"It has the columns instance, solver and time, and is {'|'.join(ENDINGS)}."
    inside = sorted(path.iterdir()) if path.is_dir() else []
    tables = [str(p) for p in inside if _tables(TableChoices(), p, files, alone=True)]
    if tables:
        hint = f"Import a table of runs by its own name; there is {', '.join(tables)}."
    if path.is_file() and ending(path):
        raw = _raw(path, read_source(path), file=str(path))
        wrong = [each for each in raw.findings if each.severity == "error"]
        found = wrong[:1] or layout_of(raw, TableChoices()).findings
        reasons = [f"{each.message}. {each.hint}".rstrip() for each in found]
        hint = reasons[0][:1].upper() + reasons[0][1:] if reasons else hint
        hint += " A table of results has the columns task, method, metric and value."
    return AslibError(what, str(path), hint)


def _settings(path: Path, files: FilesRead) -> dict[str, Source]:
    beside = path.parent / SETTINGS
    return {SETTINGS: files.source(beside, keep=True)} if beside.is_file() else {}


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    path, files = location.path, location.files
    with os_errors(hint="Check the permissions."):
        sources = {path.name: files.source(path), **_settings(path, files)}
    return sources | said_as_source(choices.text())


def _merged(
    choices: TableChoices, location: Location, sources: Sources
) -> tuple[TableChoices, str, list[Finding]]:
    file = str(Path(location.shown).parent / SETTINGS)
    return merged(choices, sources, file=file)


def _claim(choices: TableChoices, location: Location) -> str | None:
    with suppress(AslibError, OSError):
        return _identify(choices, location, _settings(location.path, location.files))
    return None


def _identify(choices: TableChoices, location: Location, sources: Sources) -> str:
    chosen, _, wrong = _merged(choices, location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    if location.part and chosen.scenario_id:
        hint = "Leave scenario_id out, or say --column ignore=scenario."
        raise AslibError("a column names its scenarios", location.shown, hint)
    return location.part or chosen.scenario_id or stem(Path(location.shown))


def _read(choices: TableChoices, view: View | None, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.runs.table_runs import read_table

    chosen, unit, wrong = _merged(choices, location, sources)
    if wrong:
        return Parsed(tuple(wrong))
    name = location.path.name
    path, source, file = location.path, sources[name], shown(location, name)
    layout = None
    if view is None:
        raw, layout = _understood(path, source, chosen, location.files, file=file)
    else:
        raw = _raw(path, source, file=file)
        if any(f.severity == "error" for f in raw.findings):
            return Parsed(raw.findings)
        raw, chosen = view(raw, chosen)
    parsed = read_table(raw, chosen, location=location, sources=sources, unit=unit, layout=layout)
    if not chosen.family:
        return parsed
    return attribute_choices(family=chosen.family).added(parsed, location)


def _altered(log: RawTable, source: Source) -> Iterator[Finding]:
    for line in altered(source.content)[:LIMIT]:
        what = "the line is not as 'plan' wrote it: its check sum differs"
        hint = "Remove it and run 'plan' again, which goes on with its log."
        yield new_finding("runs-table", file=log.file, line=line, what=what, hint=hint)


RUNS = runs_format(TableChoices())
