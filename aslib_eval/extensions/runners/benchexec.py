"""Results of BenchExec: its XML, or tables of table-generator as CSV.

A folder with ``*.results.*.xml`` (or ``.xml.bz2``, ``.xml.gz``), also in folders in it, is a scenario: each
run definition of each tool is an algorithm, each task with its property an instance. A table CSV is one
too, as far as it has the data. ``scenario.toml`` beside them says what
options do not. Either becomes a table of runs, which is then
read as any other (``aslib_eval/formats/runs``).

A table of table-generator has three rows of names, then the tasks::

    tool     Primality 1.0  Primality 1.0
    run set  trial          trial
    tasks/   status         cputime (s)
    n2.yml   true           0.11

Cells are separated by tabs. Behind the task stand, where tasks differ in them, the property, the expected
verdict, the category of a witness and the run set's id, without names. There is no limit of time in such a
table, and the category only where it was asked for.

Source: ``write_csv_table`` of benchexec/tablegenerator/__init__.py, BenchExec 3.35.
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.extensions.runners.benchexec_table import (
    SHOWN,
    TIMES,
    Execution,
    ToolRun,
    category_of,
    column_of,
)
from aslib_eval.formats.aslib.lint.reporting import new_finding
from aslib_eval.formats.attributes import attribute_choices
from aslib_eval.formats.csv_rows import decoded
from aslib_eval.formats.format import ABOUT_RUNS, Finder, Format, Parsed, TableChoices
from aslib_eval.formats.runs import SETTINGS, merged
from aslib_eval.formats.sources import CHOICES, FilesRead, Location, Source, Sources, said_as_source, shown

if TYPE_CHECKING:
    from aslib_eval.extensions.runners.benchexec_table import RunTable


_RESULTS = re.compile(r".*\.results(\..+)?\.xml(\.bz2|\.gz)?", re.IGNORECASE)
_XML = re.compile(r".*\.xml(\.bz2|\.gz)?", re.IGNORECASE)
_ROOT = re.compile(rb"<result\s[^<>]*>")
_HEAD = 1 << 16  # bytes in which a file is recognised


def benchexec_format(choices: TableChoices) -> Format:
    """The format, with what its user decides about the runs."""
    return Format(
        "benchexec",
        Finder(partial(_find, choices)),
        _absent,
        partial(_claim, choices),
        partial(_load, choices),
        partial(_identify, choices),
        partial(_read, choices),
        choices=ABOUT_RUNS,
        with_choices=benchexec_format,
        same_id="Name their folder: all results in it are one scenario.",
    )


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if path.is_file():
        is_ours = _is_results(path) or _is_table(path, files)
        return _parts(choices, path, files) if is_ours else []
    if not path.is_dir() or (path / "description.txt").exists():
        return []
    inside = sorted(p for p in path.iterdir() if p.is_file())
    folders = _folders(path)
    if any(map(_is_results, inside)) or (
        folders and not any(any(f.rglob(SETTINGS)) for f in folders) and all(map(_has, folders))
    ):
        return _parts(choices, path, files)
    # Scenarios of results files in a folder, however deep; tables in it are none.
    having = (folder for folder in folders if _has(folder))
    if nested := [x for folder in having for x in _find(choices, folder, files)]:
        return nested
    named = (p for p in inside if not p.name.endswith(".diff.csv"))
    tables = [p for p in named if _is_table(p, files)]
    return [each for table in tables for each in _parts(choices, table, files)]


def _folders(path: Path) -> list[Path]:
    """The folders in one, without what systems put beside files."""
    inside = sorted(p for p in path.iterdir() if p.is_dir() and not p.is_symlink())
    return [p for p in inside if not p.name.startswith((".", "__"))]


def _results_in(path: Path) -> Iterator[Path]:
    """The results files of a folder and of all folders in it."""
    yield from (p for p in sorted(path.iterdir()) if p.is_file() and _is_results(p))
    for folder in _folders(path):
        yield from _results_in(folder)


def _has(folder: Path) -> bool:
    return next(_results_in(folder), None) is not None


def _parts(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    """The scenario, or one for each name in the column that is said to have them."""
    location = Location(path, str(path), files=files)
    with suppress(AslibError, OSError):
        chosen, _ = _merged(choices, location, _settings(location))
        if chosen.chosen("scenario"):
            raw = _table(chosen, location, _load(choices, location)).raw
            at = raw.header.index(chosen.chosen("scenario")[0])
            names = dict.fromkeys(cells[at] for _, cells in raw.rows)
            parts = [Location(path, str(path), name) for name in names if name]
            return parts or [location]
    return [location]


def _is_results(path: Path) -> bool:
    """Whether a file is called like results, or its root is that of results."""
    if not _XML.fullmatch(path.name):
        return False
    return _RESULTS.fullmatch(path.name) is not None or _root(path) != b""


def _root(path: Path) -> bytes:
    """The tag of the root of a results file; nothing if it is none."""
    from aslib_eval.extensions.runners.benchexec_table import unpacked

    with suppress(OSError, ValueError, zlib.error), path.open("rb") as file:
        head, _ = unpacked(file.read(_HEAD), _HEAD)
        found = _ROOT.search(head)
        return found[0] if found and b"benchmarkname=" in found[0] else b""
    return b""


def _is_table(path: Path, files: FilesRead) -> bool:
    if path.suffix.lower() != ".csv":
        return False
    start = files.head(path).content[:_HEAD]
    lines = start.decode("utf-8-sig", errors="replace").split("\n")
    return len(lines) > len(HEAD) and all(map(str.startswith, lines, HEAD))


def _absent(path: Path) -> AslibError:
    verb = "holds" if path.is_dir() else "is"
    hint = "Name *.results.*.xml, .xml.bz2, a folder of them, or *.table.csv."
    return AslibError(f"{verb} no results of BenchExec", str(path), hint)


def _settings(location: Location) -> dict[str, Source]:
    path = location.path
    beside = (path if path.is_dir() else path.parent) / SETTINGS
    if not beside.is_file():
        return {}
    return {SETTINGS: location.files.source(beside, keep=True)}


def _paths(location: Location) -> Iterator[Path]:
    """The files of its results."""
    is_folder = location.path.is_dir()
    yield from _results_in(location.path) if is_folder else [location.path]


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    path, files = location.path, location.files
    with os_errors(hint="Check the permissions."):
        root = path if path.is_dir() else path.parent
        sources = {p.relative_to(root).as_posix(): files.source(p) for p in _paths(location)}
        sources |= _settings(location)
    return sources | said_as_source(choices.text())


def _merged(choices: TableChoices, location: Location, sources: Sources) -> tuple[TableChoices, str]:
    folder = Path(location.shown)
    folder = folder if location.path.is_dir() else folder.parent
    chosen, unit, wrong = merged(choices, sources, file=str(folder / SETTINGS))
    if wrong:
        raise ScenarioError(location.shown, wrong)
    return chosen, unit


def _claim(choices: TableChoices, location: Location) -> str | None:
    with suppress(AslibError, OSError):
        heads = (location.files.head(path).content for path in _paths(location))
        return _named(choices, location, _settings(location), heads)
    return None


def _identify(choices: TableChoices, location: Location, sources: Sources) -> str:
    contents = (source.content for source in _files(sources).values())
    return _named(choices, location, sources, contents)


def _named(choices: TableChoices, location: Location, settings: Sources, contents: Iterable[bytes]) -> str:
    """What is said, else the benchmark's name where there is one, else the file's.

    contents: of the files, or how they begin.
    """
    chosen, _ = _merged(choices, location, settings)
    if location.part and chosen.scenario_id:
        hint = "Leave scenario_id out, or the column scenario."
        raise AslibError("a column names its scenarios", location.shown, hint)
    if location.part or chosen.scenario_id:
        return location.part or chosen.scenario_id
    path = Path(location.shown)
    if path.suffix.lower() == ".csv":
        return path.stem.removesuffix(".table")
    names = {_benchmark(content) for content in contents}
    own = path.name if location.path.is_dir() else path.name.partition(".results")[0]
    return names.pop() or own if len(names) == 1 else own


def _benchmark(content: bytes) -> str:
    from aslib_eval.extensions.runners.benchexec_table import unpacked

    with suppress(OSError, ValueError, zlib.error):
        head, _ = unpacked(content[:_HEAD], _HEAD)
        root = _ROOT.search(head)
        name = re.search(rb'benchmarkname="([^"&]*)"', root[0]) if root else None
        return name[1].decode(errors="replace") if name else ""
    return ""


def _files(sources: Sources) -> dict[str, Source]:
    other = (SETTINGS, CHOICES)
    return {name: source for name, source in sources.items() if name not in other}


def _table(choices: TableChoices, location: Location, sources: Sources) -> RunTable:
    """All runs of all files as one table."""
    from aslib_eval.extensions.runners.benchexec_table import read_results, run_table

    asked = [*choices.measure, *choices.chosen("time")]
    runs, findings, folders = [], [], {}
    others: dict[str, None] = {}
    for name, source in _files(sources).items():
        file = shown(location, name)
        found = (
            TableFile(source.content, file=file, measures=asked)
            if name.lower().endswith(".csv")
            else read_results(source.content, file=file, measures=asked)
        )
        runs += found.runs
        findings += found.findings
        others |= found.others
        folders[file] = posixpath.dirname(name)
    if others and not findings:
        listed = ", ".join(sorted(others))
        what = f"columns that are not read: {listed}"
        hint = "--measure NAME makes one a measure."
        findings.append(new_finding("runs-others", file=location.shown, what=what, hint=hint))
    return run_table(runs, choices, file=location.shown, folders=folders, findings=findings)


def _read(choices: TableChoices, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.runs.table_runs import read_table

    chosen, unit = _merged(choices, location, sources)
    table = _table(chosen, location, sources)
    parsed = read_table(
        table.raw,
        table.choices,
        location=location,
        sources=sources,
        unit=unit or "s",
        memory=table.memory,
        configurations=table.configurations,
    )
    if not chosen.family:
        return parsed
    return attribute_choices(family=chosen.family).added(parsed, location)


BENCHEXEC = benchexec_format(TableChoices())


HEAD = ("tool\t", "run set\t")
_UNIT = re.compile(r"(.+?) \(([^()]+)\)")
_EXPECTED = re.compile(r"((true|false)(\(.+\))?)?")
_FACTORS = {"B": 0, "kB": 3, "MB": 6, "GB": 9}
_LISTED = 20


class TableFile:
    """The runs of a table and what is wrong with it; ``told`` is to be said anyhow."""

    def __init__(self, content: bytes, *, file: str, measures: Sequence[str]) -> None:
        self.file = file
        self.runs: list[ToolRun] = []
        self.findings: list[Finding] = []
        self.others: dict[str, None] = {}
        self._wanted = {*SHOWN, *measures}
        self._scale: dict[int, int] = {}  # column → decimal digits of its unit
        self._same: dict[int, int] = {}  # column → the one of the same name before it
        text = decoded(content, file=file, code="runs-file")
        if isinstance(text, Finding):
            self.findings.append(text)
            return
        lines = [line.rstrip("\r") for line in text.split("\n")]
        if lines[-1]:
            what = "the file ends without the end of a line"
            self._say("runs-unended", len(lines), what, "Is its last row whole?")
        else:
            lines.pop()
        table = [line.split("\t") for line in lines]
        width = len(table[0])
        if len(table) < len(HEAD) + 2:
            self._wrong(1, "has no row of a task", "Is the table whole?")
        for number, cells in enumerate(table, 1):
            if len(cells) != width:
                self._wrong(number, f"{len(cells)} cells instead of {width}", "Is the line whole?")
        if not self.findings or not any(f.severity == "error" for f in self.findings):
            self._read(table)

    def _say(self, code: str, line: int, what: str, hint: str = "") -> None:
        if sum(found.code == code for found in self.findings) < _LISTED:
            found = new_finding(code, file=self.file, line=line, what=what, hint=hint)
            self.findings.append(found)

    def _wrong(self, line: int, what: str, hint: str) -> None:
        self._say("runs-file", line, what, hint)

    def _read(self, table: Sequence[Sequence[str]]) -> None:
        tools, sets, titles = table[:3]
        more = next((at for at, cell in enumerate(tools[1:], 1) if cell), len(tools))
        groups = self._groups(tools, sets, titles, more)
        at = self._identity(table[3:], more)
        for group in groups.values():
            if "status" not in group:
                self._wrong(3, "a run set has no column status", "Make it with one.")
                return
        starts: dict[tuple[str, str], int] = {}
        executions = {}
        for first in groups:
            key = tools[first], sets[first]
            starts[key] = starts.get(key, 0) + 1
            start = str(starts[key])
            executions[first] = Execution(self.file, 2, *key[:1], "", sets[first], start=start)
        prefix = titles[0]
        for line, cells in enumerate(table[3:], 4):
            about = {what: cells[position] for what, position in at.items()}
            task = prefix + cells[0]
            task += f"#{about['run set']}" if about.get("run set") else ""
            for at_other, at_first in self._same.items():
                if cells[at_other] != cells[at_first]:
                    what = f"the run has {titles[at_first]} {cells[at_first]!r} and {cells[at_other]!r}"
                    self._wrong(line, what, "Leave one column out of the table.")
            for first, group in groups.items():
                self._run(executions[first], line, task, about, group, cells)

    def _groups(
        self, tools: Sequence[str], sets: Sequence[str], titles: Sequence[str], more: int
    ) -> dict[int, dict[str, int]]:
        """First column of each run set → its columns by their titles.

        An execution begins anew with its first title; another title that comes twice
        is read once if its cells are equal.
        """
        groups: dict[int, dict[str, int]] = {}
        first, start = more, ""
        for at in range(more, len(titles)):
            unit = _UNIT.fullmatch(titles[at])
            name = column_of(unit[1] if unit else titles[at], self._wanted)
            new = (tools[at], sets[at]) != (tools[first], sets[first])
            if new or name == start or at == more:
                first, start = at, name
            if name in groups.get(first, {}):
                self._same[at] = groups[first][name]
            groups.setdefault(first, {}).setdefault(name, at)
            self._unit(name, unit[2] if unit else "")
            self._scale[at] = _FACTORS.get(unit[2], 0) if unit else 0
        return groups

    def _unit(self, name: str, unit: str) -> None:
        if name in TIMES and unit != "s":
            self._wrong(3, f"{name} is in {unit or 'no unit'}", "Make the table with times in s.")
        if name == "memory" and unit and unit not in _FACTORS:
            hint = f"Units are {', '.join(_FACTORS)}, and bytes without one."
            self._wrong(3, f"memory is in {unit}", hint)

    def _identity(self, rows: Sequence[Sequence[str]], more: int) -> Mapping[str, int]:
        """What the columns without a name hold: as far as their cells tell."""
        found: dict[str, int] = {}
        kinds = ["property", "expected", "run set"]
        for at in range(1, more):
            is_verdict = all(_EXPECTED.fullmatch(row[at]) for row in rows)
            kind = "expected" if is_verdict else kinds[0]
            if kind == "expected" and kind not in kinds:
                kind = kinds[0]
            found[kind] = at
            kinds = kinds[kinds.index(kind) + 1 :] or ["run set"]
        return found

    def _run(
        self,
        execution: Execution,
        line: int,
        task: str,
        about: Mapping[str, str],
        group: Mapping[str, int],
        cells: Sequence[str],
    ) -> None:
        values = {name: cells[at].strip() for name, at in group.items()}
        if not any(values.values()):
            return  # the run set does not have the task, which the table of runs tells
        self.others |= dict.fromkeys(values.keys() - self._wanted)
        status = values.pop("status")
        expected = about.get("expected", "")
        category = values.pop("category", None)
        if category is None and status:
            judged = category_of(status, expected)
            silent = judged == "missing" and status != "done"
            category = None if silent and "expected" not in about else judged
        kept = {
            name: self._value(name, group[name], text)
            for name, text in values.items()
            if name in self._wanted
        }
        named = about.get("property", "")
        run = ToolRun(execution, line, task, named, expected, status, category, kept)
        self.runs.append(run)

    def _value(self, name: str, at: int, text: str) -> str:
        """A cell as the XML has it, with its unit; memory in bytes."""
        if name == "memory" and text:
            try:
                scaled = Decimal(text).scaleb(self._scale[at])
            except InvalidOperation:
                return text
            return f"{scaled:f}B"
        return f"{text}s" if name in TIMES and text else text
