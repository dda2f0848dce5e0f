"""Meta and data files of COCO → runs with the precision that they reached on the way.

An ``.info`` file holds records: a line ``funcId = 1, DIM = 2, algId = 'A', …``, a line
of comment, and a line that names a data file and then each of its runs as
``instance:evaluations|precision``. In the data every run begins with a line of names
after ``%``; the first cell is the number of evaluations, the third the best precision
(noise-free value above the optimum) so far. ``.dat`` has a line whenever a target was
hit, ``.tdat`` at given numbers of evaluations, and both the end: together they tell
most. The runs on the instances of a function are its repetitions, as in COCO itself.

Source: Hansen et al. 2021, COCO: a platform for comparing continuous optimizers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.csv_rows import decoded
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.formats.searches import (
    SearchArchive,
    SearchFindings,
    SearchRun,
    cells_of,
    inside,
    parsed,
    record_of,
)
from aslib_eval.formats.sources import Location, Sources
from aslib_eval.text import plural

MEASURE = "precision"
_PRECISION = 1e-8  # the final target where a record says none
_RUN = re.compile(r"(\d{1,9}):(\d{1,15})\|([^|\s]+)")
_SUITE = "bbob"  # of records that say none
_NEEDED = ("funcId", "DIM", "algId")
_OTHER_SUITES = ("biobj", "constrained")  # they log something else
_ROUNDED = 0.06  # of the two digits in which records write a precision
_LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
Place = tuple[str, int | None]


@dataclass(frozen=True)
class ObservedRun:
    """A run as a record has it: its instance, evaluations and final precision."""

    instance: int
    spent: int
    precision: float
    place: Place


@dataclass
class ObservedData:
    """A data file as a record names it, with its runs in their order."""

    algorithm: str
    suite: str
    function: int
    dimension: int
    target: float
    path: str
    place: Place
    runs: list[ObservedRun] = field(default_factory=list)


@dataclass
class ObservedPoints:
    """A run as a data file has it: its line of names, and its points."""

    line: int
    at: list[int]
    values: list[float]


def read(location: Location, sources: Sources) -> Parsed:
    """All runs of the archive, or everything that is wrong with it."""
    found = SearchFindings()
    observed: dict[tuple[str, int, int, str], ObservedData] = {}
    for name in (name for name in sources if name.endswith(".info")):
        file = location.file(name)
        text = decoded(sources[name].content, file=file, code="search-file")
        if isinstance(text, Finding):
            found.say("search-file", (file, text.line), text.message)
            continue
        for data in _records(name, file, text, found):
            key = (data.algorithm, data.function, data.dimension, data.path)
            observed.setdefault(key, data)
            if observed[key] is not data:  # a record that goes on
                observed[key].runs += data.runs
    suites = {data.suite: data for data in reversed(observed.values())}
    for suite, data in list(suites.items())[1:]:
        what = f"the suite is {suite} here, and {next(iter(suites))} elsewhere"
        hint = "Put functions of different suites into folders of their own."
        found.say("search-mixed", data.place, what, hint)
    numbered = _are_repeated(list(observed.values()))
    numbers: dict[tuple[str, str], int] = {}
    runs = []
    for data in observed.values():
        instance = cells_of(f"f{data.function:03d}", data.dimension)
        for known, at, values, place in _runs(data, location, sources, found):
            number = numbers.get((data.algorithm, instance), 0) + 1
            numbers[data.algorithm, instance] = number
            hits = at[values <= data.target]
            runs.append(
                SearchRun(
                    data.algorithm,
                    data.function,
                    data.dimension,
                    instance,
                    number if numbered else known.instance,
                    at,
                    values,
                    place,
                    int(hits[0]) if hits.size else None,
                )
            )
    how = "running numbers of its runs, as instances are repeated"
    said = f"repetitions of a function are {how if numbered else 'its instances'}"
    family = {run.instance: run.instance.partition("_")[0] for run in runs}
    archive = SearchArchive(
        MEASURE, maximize=False, runs=runs, family=family, optimum=0.0, said=[said]
    )
    return parsed(archive, location, sources, found)


def _are_repeated(observed: Sequence[ObservedData]) -> bool:
    """Whether an algorithm has two runs on an instance of a function."""
    seen: set[tuple[str, int, int, int]] = set()
    n = 0
    for data in observed:
        for run in data.runs:
            seen.add((data.algorithm, data.function, data.dimension, run.instance))
            n += 1
    return len(seen) < n


# Records.


def _records(
    name: str, file: str, text: str, found: SearchFindings
) -> Iterator[ObservedData]:
    header: dict[str, str] | None = None
    for line, row in enumerate(text.split("\n"), 1):
        place = (file, line)
        if not row.strip() or row.lstrip().startswith("%"):
            continue
        if named := record_of(row):
            header = _checked(named, place, found)
        elif header:
            yield from _data_line(name, row, header, place, found)
        elif header is None:
            what = "a record without a line funcId = …, DIM = …, algId = …"
            found.say("search-file", place, what)


def _checked(
    header: dict[str, str], place: Place, found: SearchFindings
) -> dict[str, str]:
    """The header of a record, empty if it is none that is read."""
    wrong = [key for key in _NEEDED if not header.get(key)]
    wrong += [key for key in _NEEDED[:2] if not header.get(key, "0").isdecimal()]
    suite = header.get("suite", _SUITE)
    if wrong:
        what = f"the record does not say {' and '.join(dict.fromkeys(wrong))}"
        found.say("search-file", place, what)
        return {}
    if any(word in suite for word in _OTHER_SUITES) or "indicator" in header:
        what = f"the suite {suite} is not read"
        found.say("search-file", place, what, "Only those of one objective are.")
        return {}
    return header


def _data_line(
    name: str, row: str, header: dict[str, str], place: Place, found: SearchFindings
) -> Iterator[ObservedData]:
    target = number(header.get("Precision", "")) or _PRECISION
    data: ObservedData | None = None
    for part in (part.strip() for part in row.split(",")):
        if part.endswith(".dat"):
            path = inside(name, part)
            if path is None:
                what = f"the data file {part!r} leads out of the folder"
                found.say("search-file", place, what)
                return
            suite = header.get("suite", _SUITE)
            about = (int(header["funcId"]), int(header["DIM"]), target, path, place)
            data = ObservedData(header["algId"], suite, *about)
            yield data
        elif (run := _RUN.fullmatch(part)) and data is not None:
            precision = number(run[3])
            if precision is None or not 0 < int(run[2]) < 2**31:
                what = f"{part!r} is no run with evaluations and a precision"
                found.say("search-file", place, what)
                continue
            data.runs.append(ObservedRun(int(run[1]), int(run[2]), precision, place))
        elif part:
            what = (
                f"{part[:40]!r} is no data file and no instance:evaluations|precision"
            )
            found.say("search-file", place, what, _LOST)


# Data files.


def _runs(
    data: ObservedData, location: Location, sources: Sources, found: SearchFindings
) -> Iterator[tuple[ObservedRun, NDArray[np.int64], NDArray[np.float64], Place]]:
    """The runs of a data file and of the one beside it, joined."""
    beside = data.path.removesuffix(".dat") + ".tdat"
    if data.path not in sources:
        what = f"its data {data.path} are missing"
        found.say("search-file", data.place, what, _LOST)
        return
    files = [name for name in (data.path, beside) if name in sources]
    tables = [_blocks(location.file(n), sources[n].content, found) for n in files]
    for name, blocks in zip(files, tables, strict=True):
        if len(blocks) != len(data.runs):
            line = sources[name].content.count(b"\n") or 1
            what = f"it holds {plural(len(blocks), 'run')}, and {len(data.runs)} are in"
            what += f" {data.place[0]}:{data.place[1]}"
            found.say("search-file", (location.file(name), line), what, _LOST)
            return
    for known, *blocks in zip(data.runs, *tables, strict=True):
        place = (location.file(data.path), blocks[0].line)
        at = np.concatenate([np.array(each.at, np.int64) for each in blocks])
        values = np.concatenate([np.array(each.values, float) for each in blocks])
        if not at.size:
            found.say("search-file", place, "a run without a point", _LOST)
            continue
        order = np.argsort(at, kind="stable")
        at, values = at[order], np.minimum.accumulate(values[order])
        for name, each in zip(files, blocks, strict=True):
            if each.at[-1:] != [known.spent]:
                end = f"ends after {each.at[-1]} evaluations" if each.at else "is empty"
                what = f"the run {end}, and after {known.spent} in {known.place[0]}"
                found.say("search-file", (location.file(name), each.line), what, _LOST)
        slack = (
            _ROUNDED * max(abs(known.precision), abs(values[-1])) + 1.1 * data.target
        )
        if abs(values[-1] - known.precision) > slack:
            what = f"the run ends with the precision {values[-1]:g}"
            what += f", and {known.precision:g} in {known.place[0]}"
            found.say("search-file", place, what)
        better = np.r_[True, values[1:] < values[:-1]]
        better[-1] |= at[-1] > at[better][-1]
        yield known, at[better], values[better], place


def _blocks(file: str, content: bytes, found: SearchFindings) -> list[ObservedPoints]:
    """The runs of a data file; what is wrong with a line is told."""
    text = decoded(content, file=file, code="search-file")
    if isinstance(text, Finding):
        found.say("search-file", (file, text.line), text.message)
        return []
    blocks: list[ObservedPoints] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.startswith("%"):
            blocks.append(ObservedPoints(line, [], []))
        elif row.strip() and not blocks:
            found.say("search-file", (file, line), "a point before the first run")
            return []
        elif row.strip():
            _point(blocks[-1], row.split(None, 3), (file, line), found)
    if text and not text.endswith("\n"):
        what = "the file ends in the middle of a line"
        found.say("search-file", (file, text.count("\n") + 1), what, _LOST)
    return blocks


def _point(
    block: ObservedPoints, cells: Sequence[str], place: Place, found: SearchFindings
) -> None:
    if len(cells) < 3:  # noqa: PLR2004 - evaluations, another, precision
        what = f"{plural(len(cells), 'cell')}, and the third is the precision"
        found.say("search-file", place, what, _LOST)
        return
    when, value = number(cells[0]), number(cells[2])
    if when is None or not when.is_integer() or not 0 < when < 2**31:
        found.say(
            "trajectory-value", place, f"{cells[0]!r} is no number of evaluations"
        )
    elif value is None:
        found.say("trajectory-value", place, f"{cells[2]!r} is no finite precision")
    elif block.at and (
        when < block.at[-1] or (when == block.at[-1] and value != block.values[-1])
    ):
        what = f"evaluation {when:g} comes after {block.at[-1]} of the same run"
        found.say("trajectory-order", place, what)
    elif block.at and value > block.values[-1]:
        what = f"the best precision {value:g} comes after {block.values[-1]:g}"
        found.say("trajectory-value", place, what)
    else:
        block.at.append(int(when))
        block.values.append(value)
