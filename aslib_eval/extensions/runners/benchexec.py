"""Results of BenchExec: its XML, or tables of table-generator as CSV.

A folder with ``*.results.*.xml`` (or ``.xml.bz2``, ``.xml.gz``), at any depth, is a scenario: each run
definition of each tool is an algorithm, each task with its property an instance. A table CSV is a scenario
too. ``scenario.toml`` beside them holds further choices. Either becomes a table of runs
(``aslib_eval/formats/runs``).

A table of table-generator has three rows of names, then the tasks::

    tool     Primality 1.0  Primality 1.0
    run set  trial          trial
    tasks/   status         cputime (s)
    n2.yml   true           0.11

Cells are separated by tabs. After the task come, without names and only where tasks differ, the property,
the expected verdict, the category of a witness and the id of the run set. Such a table has no time limit,
and has categories only on request.

Source: ``write_csv_table`` of benchexec/tablegenerator/__init__.py, BenchExec 3.35.
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.extensions.runners.benchexec_table import (
    MEMORY,
    SHOWN,
    TIMES,
    Execution,
    ResultsFile,
    ToolRun,
    category_of,
    column_of,
)
from aslib_eval.formats import ABOUT_RUNS, Finder, Format, Parsed, TableChoices, absent
from aslib_eval.formats.aslib.lint import new_finding
from aslib_eval.formats.runs import SETTINGS, merged
from aslib_eval.formats.sources import (
    CHOICES,
    FilesRead,
    Location,
    Source,
    Sources,
    decoded,
    said_as_source,
    shown,
)

if TYPE_CHECKING:
    from aslib_eval.extensions.runners.benchexec_table import RunTable


_RESULTS = re.compile(r".*\.results(\..+)?\.xml(\.bz2|\.gz)?", re.IGNORECASE)
_XML = re.compile(r".*\.xml(\.bz2|\.gz)?", re.IGNORECASE)
_ROOT = re.compile(rb"<result\s[^<>]*>")
_HEAD = 1 << 16  # bytes in which a file is recognised


def benchexec_format(choices: TableChoices) -> Format:
    """The format, with its user's choices about the runs."""
    return Format(
        "benchexec",
        Finder(partial(_find, choices)),
        absent(
            "holds no results of BenchExec",
            "Name *.results.*.xml, .xml.bz2, a folder of them, or *.table.csv.",
        ),
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
    inside = sorted(p for p in path.iterdir() if p.is_dir() and not p.is_symlink())
    return [p for p in inside if not p.name.startswith((".", "__"))]


def _results_in(path: Path) -> Iterator[Path]:
    yield from (p for p in sorted(path.iterdir()) if p.is_file() and _is_results(p))
    for folder in _folders(path):
        yield from _results_in(folder)


def _has(folder: Path) -> bool:
    return next(_results_in(folder), None) is not None


def _parts(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    location = Location(path, str(path), files=files)
    with suppress(AslibError, OSError):
        chosen, _ = _merged(choices, location, _settings(location))
        if chosen.chosen("scenario"):
            raw = _table(chosen, location, _load(choices, location)).raw
            at = raw.header.index(chosen.chosen("scenario")[0])
            names = dict.fromkeys(cells[at] for _, cells in raw.rows)
            return [Location(path, str(path), name) for name in names if name] or [location]
    return [location]


def _is_results(path: Path) -> bool:
    """Whether a file is called like results, or its root is that of results."""
    if not _XML.fullmatch(path.name):
        return False
    if _RESULTS.fullmatch(path.name):
        return True
    with suppress(OSError), path.open("rb") as file:
        return b"benchmarkname=" in _root(file.read(_HEAD))
    return False


def _root(content: bytes) -> bytes:
    from aslib_eval.extensions.runners.benchexec_table import unpacked

    with suppress(OSError, ValueError, zlib.error):
        head, _ = unpacked(content[:_HEAD], _HEAD)
        found = _ROOT.search(head)
        return found[0] if found else b""
    return b""


def _is_table(path: Path, files: FilesRead) -> bool:
    if path.suffix.lower() != ".csv":
        return False
    lines = files.head(path).content[:_HEAD].decode("utf-8-sig", errors="replace").split("\n")
    return len(lines) > len(HEAD) and all(map(str.startswith, lines, HEAD))


def _settings(location: Location) -> dict[str, Source]:
    beside = _home(location.path, location) / SETTINGS
    return {SETTINGS: location.files.source(beside, keep=True)} if beside.is_file() else {}


def _home(path: Path, location: Location) -> Path:
    """The folder of the files, of its real path or of the path in messages."""
    return path if location.path.is_dir() else path.parent


def _paths(location: Location) -> Iterator[Path]:
    yield from _results_in(location.path) if location.path.is_dir() else [location.path]


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    with os_errors(hint="Check the permissions."):
        root = _home(location.path, location)
        sources = {p.relative_to(root).as_posix(): location.files.source(p) for p in _paths(location)}
        sources |= _settings(location)
    return sources | said_as_source(choices.text())


def _merged(choices: TableChoices, location: Location, sources: Sources) -> tuple[TableChoices, str]:
    file = _home(Path(location.shown), location) / SETTINGS
    chosen, unit, wrong = merged(choices, sources, file=str(file))
    if wrong:
        raise ScenarioError(location.shown, wrong)
    return chosen, unit


def _claim(choices: TableChoices, location: Location) -> str | None:
    with suppress(AslibError, OSError):
        heads = (location.files.head(path).content for path in _paths(location))
        return _named(choices, location, _settings(location), heads)
    return None


def _identify(choices: TableChoices, location: Location, sources: Sources) -> str:
    return _named(choices, location, sources, (source.content for source in _files(sources).values()))


def _named(choices: TableChoices, location: Location, settings: Sources, contents: Iterable[bytes]) -> str:
    """The chosen name, else the name of the only benchmark, else the file's.

    contents: of the files, or how they begin.
    """
    chosen, _ = _merged(choices, location, settings)
    if location.part and chosen.scenario_id:
        raise AslibError(
            "a column names its scenarios", location.shown, "Leave out scenario_id or the column scenario."
        )
    if location.part or chosen.scenario_id:
        return location.part or chosen.scenario_id
    path = Path(location.shown)
    if path.suffix.lower() == ".csv":
        return path.stem.removesuffix(".table")
    names = {_benchmark(content) for content in contents}
    own = path.name if location.path.is_dir() else path.name.partition(".results")[0]
    return names.pop() or own if len(names) == 1 else own


def _benchmark(content: bytes) -> str:
    name = re.search(rb'benchmarkname="([^"&]*)"', _root(content))
    return name[1].decode(errors="replace") if name else ""


def _files(sources: Sources) -> dict[str, Source]:
    return {name: source for name, source in sources.items() if name not in (SETTINGS, CHOICES)}


def _table(choices: TableChoices, location: Location, sources: Sources) -> RunTable:
    from aslib_eval.extensions.runners.benchexec_table import read_results, run_table

    asked = [*choices.measure, *choices.chosen("time")]
    folders = {shown(location, name): posixpath.dirname(name) for name in _files(sources)}
    files = [
        (read_table_file if name.lower().endswith(".csv") else read_results)(
            source.content, file=shown(location, name), measures=asked
        )
        for name, source in _files(sources).items()
    ]
    findings = [finding for file in files for finding in file.findings]
    others = sorted({name for file in files for name in file.others})
    if others and not findings:
        what = f"columns that are not read: {', '.join(others)}"
        hint = "To read one as a measure, add --measure-column NAME."
        findings.append(new_finding("runs-others", file=location.shown, what=what, hint=hint))
    runs = [run for file in files for run in file.runs]
    return run_table(runs, choices, file=location.shown, folders=folders, findings=findings)


def _read(choices: TableChoices, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.runs.table_runs import read_table

    chosen, unit = _merged(choices, location, sources)
    table = _table(chosen, location, sources)
    return read_table(
        table.raw,
        table.choices,
        location=location,
        sources=sources,
        unit=unit or "s",
        memory=table.memory,
        configurations=table.configurations,
    )


HEAD = ("tool\t", "run set\t")
_UNIT = re.compile(r"(.+?) \(([^()]+)\)")
_EXPECTED = re.compile(r"((true|false)(\(.+\))?)?")
_LISTED = 20
_FACTORS = {"": 0, "B": 0, "kB": 3, "MB": 6, "GB": 9}  # decimal digits of units


def read_table_file(content: bytes, *, file: str, measures: Sequence[str]) -> ResultsFile:
    """The runs of a table of table-generator, or its faults; measures: as of ``read_results``."""
    found = ResultsFile(file)
    text = decoded(content, file=file, code="runs-file")
    if isinstance(text, Finding):
        found.findings.append(text)
        return found
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if lines[-1]:
        what, hint = "the last line does not end", "Check that its last row is complete."
        found.findings.append(new_finding("runs-unended", file=file, line=len(lines), what=what, hint=hint))
    else:
        lines.pop()
    table = [line.split("\t") for line in lines]
    if len(table) < len(HEAD) + 2:
        found.wrong(1, "has no row for a task", "Check that the table is complete.")
    for number, cells in enumerate(table, 1):
        if len(cells) != len(table[0]):
            what = f"has {len(cells)} cells instead of {len(table[0])}"
            found.wrong(number, what, "Check that the line is complete.")
    if all(each.severity != "error" for each in found.findings):
        _read_rows(table, found, {*SHOWN, *measures})
    found.findings = found.findings[:_LISTED]
    return found


def _read_rows(table: Sequence[Sequence[str]], found: ResultsFile, wanted: set[str]) -> None:
    tools, sets, titles = table[:3]
    more = next((at for at, cell in enumerate(tools[1:], 1) if cell), len(tools))
    parts = [(unit[1], unit[2]) if (unit := _UNIT.fullmatch(title)) else (title, "") for title in titles]
    names, units = [column_of(name, wanted) for name, _ in parts], [unit for _, unit in parts]
    _check_units(names[more:], units[more:], found)
    groups, same = _groups(tools, sets, names, more)
    if not all("status" in group for group in groups.values()):
        found.wrong(3, "a run set has no column status", "Make the table with a column status.")
        return
    starts: Counter[tuple[str, str]] = Counter()
    executions = {}
    for first in groups:
        starts[tools[first], sets[first]] += 1
        start = str(starts[tools[first], sets[first]])
        executions[first] = Execution(found.file, 2, tools[first], run_set=sets[first], start=start)
    at = _identity(table[3:], more)
    for line, cells in enumerate(table[3:], 4):
        about = {what: cells[position] for what, position in at.items()}
        task = titles[0] + cells[0] + (f"#{about['run set']}" if about.get("run set") else "")
        for at_other, at_first in same.items():
            if cells[at_other] != cells[at_first]:
                title, both = titles[at_first], f"{cells[at_first]!r} and {cells[at_other]!r}"
                found.wrong(
                    line,
                    f"the run has two values of {title}, {both}",
                    "Make the table with only one of them.",
                )
        for first, group in groups.items():
            values = {name: cells[at].strip() for name, at in group.items()}
            if not any(values.values()):
                continue  # the run set lacks the task, which the table of runs reports
            found.others |= dict.fromkeys(values.keys() - wanted)
            kept = {n: _value(n, text, units[group[n]]) for n, text in values.items() if n in wanted}
            found.runs.append(_run(executions[first], line, task, about, kept))


def _check_units(names: Sequence[str], units: Sequence[str], found: ResultsFile) -> None:
    for name, unit in zip(names, units, strict=True):
        if name in TIMES and unit != "s":
            found.wrong(3, f"{name} is in {unit or 'no unit'}", "Make the table with times in s.")
        if name == MEMORY and unit not in _FACTORS:
            known = ", ".join(filter(None, _FACTORS))
            found.wrong(3, f"memory is in {unit}", f"Known are {known}, and bytes without a unit.")


def _groups(
    tools: Sequence[str], sets: Sequence[str], names: Sequence[str], more: int
) -> tuple[dict[int, dict[str, int]], dict[int, int]]:
    """First column of each run set → its columns by their names; and column → an earlier one of its name.

    A repeated first title starts another execution. Other repeated titles must have equal cells.
    """
    groups: dict[int, dict[str, int]] = {}
    same: dict[int, int] = {}
    first = more
    for at in range(more, len(names)):
        if (tools[at], sets[at]) != (tools[first], sets[first]) or names[at] == names[first]:
            first = at
        group = groups.setdefault(first, {})
        if group.setdefault(names[at], at) != at:
            same[at] = group[names[at]]
    return groups, same


def _identity(rows: Sequence[Sequence[str]], more: int) -> Mapping[str, int]:
    """Content of the columns without a name → its column, judged by the cells."""
    found: dict[str, int] = {}
    kinds = ["property", "expected", "run set"]
    for at in range(1, more):
        is_verdict = all(_EXPECTED.fullmatch(row[at]) for row in rows)
        kind = "expected" if is_verdict and "expected" in kinds else kinds[0]
        found[kind] = at
        kinds = kinds[kinds.index(kind) + 1 :] or ["run set"]
    return found


def _run(
    execution: Execution, line: int, task: str, about: Mapping[str, str], values: dict[str, str]
) -> ToolRun:
    status, expected = values.pop("status"), about.get("expected", "")
    category = values.pop("category", None)
    if category is None and status:
        category = category_of(status, expected)
        if category == "missing" and status != "done" and "expected" not in about:
            category = None
    return ToolRun(execution, line, task, about.get("property", ""), expected, status, category, values)


def _value(name: str, text: str, unit: str) -> str:
    """A cell with its unit, as in the XML; memory in bytes."""
    if name == MEMORY and text:
        with suppress(InvalidOperation):
            return f"{Decimal(text).scaleb(_FACTORS.get(unit, 0)):f}B"
    return f"{text}s" if name in TIMES and text else text


BENCHEXEC = benchexec_format(TableChoices())
