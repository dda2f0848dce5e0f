"""Archives of COCO: experiments on bbob functions, as the observer of ``cocoex`` logs.

A folder an algorithm, ``exdata/NAME`` with ``*.info`` and the data that these name; or a folder of such
folders, or of archives with one of them each, as they are published.

An ``.info`` file holds records: a line ``funcId = 1, DIM = 2, algId = 'A', …``, a line of comment, and a
line that names a data file and then each of its runs as ``instance:evaluations|precision``, or as
``instance`` alone where it was not ended.
In the data every run begins with a line of names after ``%``; the first cell is the number of evaluations,
the third the best precision (noise-free value above the optimum) so far. ``.dat`` has a line whenever a
target was hit, ``.tdat`` at given numbers of evaluations: together they tell most. The end of a run is in
``.tdat``, and in ``.dat`` only where its logger wrote it there too. The runs on the instances of a function
are its repetitions, as in COCO itself.

Source: Hansen et al. 2021, COCO: a platform for comparing continuous optimizers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import os_errors
from aslib_eval.extensions.optimisers.searches import (
    SearchArchive,
    SearchFindings,
    SearchRun,
    archives_in,
    cells_of,
    inside,
    load_all,
    parsed,
    record_of,
)
from aslib_eval.formats.format import Format, Parsed, absent
from aslib_eval.formats.runs.cells import number
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, default_name, load_files
from aslib_eval.text import plural

_DEPTH = 5  # folders above an .info, as some packages have one for each run
# Of a file in an archive of one algorithm, to be recognised by.
_OWN = re.compile(r"([^/]+/){0,5}(?!IOHprofiler)[^/]*(\.info|\.[rt]dat|(DIM|_d)\d+[^/]*\.dat)$")
_META = re.compile(rb"\b(funcId|indicator)\s*=")
_HEAD = 4096  # bytes in which an archive is recognised
_NAMED = re.compile(rb"[^,\n]+\.dat(?=\s*(?:,|$))", re.MULTILINE)


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    near = [*path.glob("*.info"), *path.glob("*/*.info")]
    is_one = any(map(_is_info, near)) or _is_deep(path) or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _is_deep(path: Path) -> bool:
    """Whether each folder in it holds records, at whatever depth they lie."""
    folders = [p for p in path.iterdir() if p.is_dir() and not _is_other(p.name)]
    return bool(folders) and all(any(map(_is_info, _infos(p))) for p in folders)


def _infos(path: Path) -> Iterator[Path]:
    for folder, below, files in os.walk(path):
        if len(Path(folder).relative_to(path).parts) == _DEPTH:
            below.clear()
        below[:] = sorted(name for name in below if not _is_other(name))
        yield from (Path(folder, name) for name in sorted(files) if _is_meta(name))


def _is_other(name: str) -> bool:
    """Whether a name is of what a system puts beside the files."""
    return name.startswith(".") or name == "__MACOSX"


def _is_meta(name: str) -> bool:
    return name.endswith(".info") and not _is_other(name) and "IOHprofiler" not in name


def _is_info(path: Path) -> bool:
    if not _is_meta(path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return _META.search(file.read(_HEAD)) is not None


def _load(location: Location) -> dict[str, Source]:
    """The records, and the data that they name, whatever their folders are called."""
    return load_all(location, _files, _OWN)


def _files(folder: Location) -> dict[str, Source]:
    from aslib_eval.extensions.optimisers.searches import inside

    root = folder.path
    names: dict[str, None] = {}
    with os_errors(hint="Check the permissions."):
        infos = [path for path in _infos(root) if _is_info(path)]
        for path in infos:
            name = path.relative_to(root).as_posix()
            names[name] = None
            for data in _NAMED.findall(path.read_bytes()):
                if there := inside(name, os.fsdecode(data).strip()):
                    names[there] = None
                    names[there.removesuffix(".dat") + ".tdat"] = None
    return load_files(folder, (*TEXTS, *names))


MEASURE = "precision"
_PRECISION = 1e-8  # the final target where a record says none
_RUN = re.compile(r"(\d{1,9}):(\d{1,15})\|([^|\s]+)")
_CUT = re.compile(r"(\d{1,9})(:\d{0,15}\|?)?")  # of a run that was not ended
_PLAIN = re.compile(r"[0-9.eE+ -]+")
_SUITE = "bbob"  # of records that say none
_NEEDED = ("funcId", "DIM", "algId")
_OTHER_SUITES = ("biobj", "constrained")  # they log something else
_ROUNDED = 0.06  # of the two digits in which records write a precision
_LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
Place = tuple[str, int | None]


@dataclass(frozen=True)
class ObservedRun:
    """A run as a record has it: its instance, evaluations and final precision.

    spent is None where the record does not say the end: the run was not ended, or the record is cut there.
    """

    instance: int
    spent: int | None
    precision: float
    place: Place


@dataclass
class ObservedData:
    """A data file as a record names it, with its runs in their order.

    package: the folder or archive at the top in which the record lies; empty for none. is_last: whether the
    record may be cut, as the last of a file.
    """

    package: str
    algorithm: str
    suite: str
    function: int
    dimension: int
    target: float
    path: str
    place: Place
    runs: list[ObservedRun] = field(default_factory=list)
    is_last: bool = False


@dataclass
class ObservedPoints:
    """A run as a data file has it: its line of names, and its points."""

    line: int
    at: NDArray[np.int64]
    values: NDArray[np.float64]


def read(location: Location, sources: Sources) -> Parsed:
    """All runs of the archive, or everything that is wrong with it."""
    found = SearchFindings()
    observed: dict[tuple[str, int, int, str], ObservedData] = {}
    for name in (name for name in sources if name.endswith(".info")):
        file = location.file(name)
        content = _without_comments(sources[name].content)
        if (text := found.text_of(content, file)) is None:
            continue
        for data in _records(name, file, text, found):
            key = (data.algorithm, data.function, data.dimension, data.path)
            observed.setdefault(key, data)
            if observed[key] is not data:  # a record that goes on
                observed[key].runs += data.runs
                observed[key].is_last = data.is_last
    suites = {data.suite: data for data in reversed(observed.values())}
    for suite, data in list(suites.items())[1:]:
        what = f"the suite is {suite} here, and {next(iter(suites))} elsewhere"
        hint = "Put functions of different suites into folders of their own."
        found.say("search-mixed", data.place, what, hint)
    said = _one_name_a_package(list(observed.values()))
    kept = _without_copies(list(observed.values()), sources, found)
    numbered = _are_repeated(kept)
    numbers: dict[tuple[str, str], int] = {}
    runs = []
    left_out: list[Place] = []
    for data in kept:
        instance = cells_of(f"f{data.function:03d}", data.dimension)
        for known, at, values, place in _runs(data, location, sources, found, left_out):
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
                    (data.package, known.instance),
                )
            )
    if left_out:
        what = f"{plural(len(left_out), 'run')} left out: the record does not end"
        hint = "Were they interrupted, or is the file cut? The others are read."
        found.say("search-cut", left_out[0], what, hint)
    how = "running numbers of its runs, as instances are repeated"
    said.append(f"repetitions of a function are {how if numbered else 'its instances'}")
    family = {run.instance: run.instance.partition("_")[0] for run in runs}
    archive = SearchArchive(MEASURE, maximize=False, runs=runs, family=family, optimum=0.0, said=said)
    return parsed(archive, location, sources, found)


def _one_name_a_package(observed: Sequence[ObservedData]) -> list[str]:
    """Give one name to what lies in one package and shares no run; say so.

    A package is of one algorithm; some were logged under the names of its versions.
    """
    said = []
    packages: dict[str, dict[str, list[ObservedData]]] = {}
    for data in observed:
        of = packages.setdefault(data.package, {})
        of.setdefault(data.algorithm, []).append(data)
    for of in packages.values():
        runs = [
            {(data.function, data.dimension, run.instance) for run in data.runs}
            for each in of.values()
            for data in each
        ]
        if len(of) == 1 or len(set().union(*runs)) < sum(map(len, runs)):
            continue
        name = max(of, key=lambda each: sum(len(data.runs) for data in of[each]))
        others = ", ".join(repr(each) for each in of if each != name)
        said.append(f"{others}: runs of {name!r}, as they complete it in its folder")
        for data in (data for each in of.values() for data in each):
            data.algorithm = name
    return said


def _without_copies(
    observed: Sequence[ObservedData], sources: Sources, found: SearchFindings
) -> list[ObservedData]:
    """The data, of which a package may hold the same files twice."""
    first: dict[tuple[object, ...], ObservedData] = {}
    for data in observed:
        files = [sources[n].sha256 for n in _files_of(data.path) if n in sources]
        runs = tuple((run.instance, run.spent) for run in data.runs)
        about = (data.package, data.algorithm, data.function, data.dimension)
        same = first.setdefault((*about, *files, runs), data)
        if same is not data:
            what = f"{data.path} is a copy of {same.path}, and counts once"
            found.say("runs-understood", data.place, what)
    return list(first.values())


def _files_of(path: str) -> tuple[str, str]:
    """The two data files of a record."""
    return path, path.removesuffix(".dat") + ".tdat"


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


def _without_comments(content: bytes) -> bytes:
    """The same lines without comments, which are in whatever encoding."""
    lines = content.split(b"\n")
    return b"\n".join(b"%" if b"%" in each.lstrip()[:1] else each for each in lines)


def _records(name: str, file: str, text: str, found: SearchFindings) -> Iterator[ObservedData]:
    """The data of each record; the last one may be cut if its line does not end."""
    header: dict[str, str] | None = None
    rows = [
        (line, row)
        for line, row in enumerate(text.split("\n"), 1)
        if row.strip() and not row.lstrip().startswith("%")
    ]
    for line, row in rows:
        place = (file, line)
        is_last = (line, row) == rows[-1] and not text.endswith("\n")
        is_data = any(part.strip().endswith(".dat") for part in row.split(","))
        if (named := record_of(row)) and not is_data:
            header = named if is_last else _checked(named, place, found)
            if is_last:
                found.say("search-cut", place, "a record without its runs is left out")
        elif header:
            yield from _data_line(name, row, header, place, found, is_last=is_last)
        elif header is None:
            what = "a record without a line funcId = …, DIM = …, algId = …"
            found.say("search-file", place, what)


def _checked(header: dict[str, str], place: Place, found: SearchFindings) -> dict[str, str]:
    """The header of a record, empty if it is none that is read."""
    wrong = [key for key in _NEEDED if not header.get(key)]
    wrong += [key for key in _NEEDED[:2] if not header.get(key, "0").isdecimal()]
    suite = header.get("suite", _SUITE)
    if any(word in suite for word in _OTHER_SUITES) or "indicator" in header:
        suite = suite if "suite" in header else "of several objectives"
        what = f"the suite {suite} is not read"
        found.once("search-file", place, what, "Only those of one objective are.")
        return {}
    if wrong:
        what = f"the record does not say {' and '.join(dict.fromkeys(wrong))}"
        found.say("search-file", place, what)
        return {}
    return header


def _data_line(
    name: str, row: str, header: dict[str, str], place: Place, found: SearchFindings, *, is_last: bool
) -> Iterator[ObservedData]:
    target = number(header.get("Precision", "")) or _PRECISION
    data: ObservedData | None = None
    parts = [part.strip() for part in row.split(",")]
    for at, part in enumerate(parts):
        is_end = is_last and at == len(parts) - 1
        if part.endswith(".dat"):
            path = inside(name, part)
            if path is None:
                what = f"the data file {part!r} leads out of the folder"
                found.say("search-file", place, what)
                return
            suite = header.get("suite", _SUITE)
            about = (int(header["funcId"]), int(header["DIM"]), target, path, place)
            top = name.rpartition("/")[0].partition("/")[0]
            data = ObservedData(top, header["algId"], suite, *about, is_last=is_last)
            yield data
        elif (run := _RUN.fullmatch(part)) and data is not None:
            precision = number(run[3])
            if is_end and precision is None:
                data.runs.append(ObservedRun(int(run[1]), None, np.inf, place))
            elif precision is None or not 0 < int(run[2]) < 2**31:
                what = f"{part!r} is no run with evaluations and a precision"
                found.say("search-file", place, what)
            else:
                known = ObservedRun(int(run[1]), int(run[2]), precision, place)
                data.runs.append(known)
        elif data and (cut := _CUT.fullmatch(part)) and (is_end or not cut[2]):
            data.runs.append(ObservedRun(int(cut[1]), None, np.inf, place))
        elif is_end and data is None:
            found.say("search-cut", place, "a record without its runs is left out")
        elif part:
            what = f"{part[:40]!r} is no data file and no instance:evaluations|precision"
            found.say("search-file", place, what, _LOST)


# Data files.


def _runs(
    data: ObservedData, location: Location, sources: Sources, found: SearchFindings, left_out: list[Place]
) -> Iterator[tuple[ObservedRun, NDArray[np.int64], NDArray[np.float64], Place]]:
    """The runs of a data file and of the one beside it, joined.

    left_out: gets the place of each run that is not read, as its record does not end.
    """
    file = location.file(data.path)
    if (blocks := _joined(data, location, sources, found)) is None:
        return
    left_out += [data.place] * (len(blocks) - len(data.runs))
    for n, known in enumerate(data.runs, 1):
        if known.spent is None or n > len(blocks):
            left_out.append(known.place)
            continue
        place, at = (file, blocks[n - 1].line), blocks[n - 1].at
        if not at.size:
            found.say("search-file", place, "a run without a point", _LOST)
            continue
        best = np.minimum.accumulate(blocks[n - 1].values)
        if (blocks[n - 1].values > best).any():
            what = "the best precision rises within a run: the best so far is taken"
            found.once("search-worse", place, what, "Was another logger at work?")
        slack = _ROUNDED * max(abs(known.precision), abs(best[-1])) + 1.1 * data.target
        is_far = abs(best[-1] - known.precision) > slack
        if is_far and data.is_last and n == len(data.runs):
            left_out.append(known.place)  # its number is cut
            continue
        where = known.place[0]
        if at[-1] < known.spent:
            what = f"the run ends after {at[-1]} evaluations"
            what += f", and after {known.spent} in {where}"
            found.say("search-file", place, what, _LOST)
        elif is_far and best[-1] > known.precision:
            what = f"the run ends with the precision {best[-1]:g}"
            found.say("search-file", place, f"{what}, and {known.precision:g} in {where}")
        elif is_far or at[-1] > known.spent:
            what = "data go on after the end, or below the precision, of their record"
            hint = "The data are taken. Are they of the same runs?"
            found.once("search-best", place, what, hint)
        better = np.r_[True, best[1:] < best[:-1]]
        better[-1] |= at[-1] > at[better][-1]
        yield known, at[better], best[better], place


def _joined(
    data: ObservedData, location: Location, sources: Sources, found: SearchFindings
) -> list[ObservedPoints] | None:
    """The runs that both data files of a record have; None if they do not fit it."""
    if data.path not in sources:
        what = f"its data {data.path} are missing"
        found.say("search-file", data.place, what, _LOST)
        return None
    files = [name for name in _files_of(data.path) if name in sources]
    tables = [_blocks(location.file(n), sources[n].content, found) for n in files]
    unended = bool(data.runs) and data.runs[-1].spent is None
    for name, blocks in zip(files, tables, strict=True):
        lacking = len(data.runs) - len(blocks)
        if lacking in {0, int(unended)} or (lacking < 0 and data.is_last):
            continue
        line = sources[name].content.count(b"\n") or 1
        what = f"it holds {plural(len(blocks), 'run')}, and {len(data.runs)} are in"
        what += f" {data.place[0]}:{data.place[1]}"
        found.say("search-file", (location.file(name), line), what, _LOST)
        return None
    joined = []
    for same in zip(*tables, strict=False):
        at = np.concatenate([each.at for each in same])
        values = np.concatenate([each.values for each in same])
        order = np.argsort(at, kind="stable")
        joined.append(ObservedPoints(same[0].line, at[order], values[order]))
    return joined


def _blocks(file: str, content: bytes, found: SearchFindings) -> list[ObservedPoints]:
    """The runs of a data file; what is wrong with a line is told."""
    if (text := found.text_of(content, file)) is None:
        return []
    rows = text.split("\n")
    starts = [at for at, row in enumerate(rows) if row.startswith("%")]
    before = rows[: starts[0] if starts else None]
    if strange := [at for at, row in enumerate(before, 1) if row.strip()]:
        found.say("search-file", (file, strange[0]), "a point before the first run")
        return []
    blocks = [
        _points(file, start + 1, rows[start + 1 : end], found)
        for start, end in pairwise([*starts, len(rows)])
    ]
    if text and not text.endswith("\n"):
        what = "the file ends in the middle of a line"
        found.say("search-file", (file, text.count("\n") + 1), what, _LOST)
    return blocks


def _points(file: str, line: int, rows: Sequence[str], found: SearchFindings) -> ObservedPoints:
    """The points of a run, all at once where nothing is odd about them."""
    cells = [row.split(None, 3) for row in rows if row.strip()]
    if all(len(each) > 2 for each in cells):  # noqa: PLR2004 - the third is read
        first, third = [each[0] for each in cells], [each[2] for each in cells]
        if _PLAIN.fullmatch(" ".join((*first, *third))):
            with suppress(ValueError):
                at, values = np.array(first, float), np.array(third, float)
                steps = np.diff(at)
                if (
                    np.isfinite(at).all()
                    and np.isfinite(values).all()
                    and (at == np.floor(at)).all()
                    and at[0] > 0
                    and at[-1] < 2**31
                    and ((steps > 0) | ((steps == 0) & (np.diff(values) == 0))).all()
                ):
                    return ObservedPoints(line, at.astype(np.int64), values)
    whens: list[int] = []
    precisions: list[float] = []
    for n, row in enumerate(rows, line + 1):
        if row.strip():
            _point(whens, precisions, row.split(None, 3), (file, n), found)
    return ObservedPoints(line, np.array(whens, np.int64), np.array(precisions, float))


def _point(
    at: list[int], values: list[float], cells: Sequence[str], place: Place, found: SearchFindings
) -> None:
    if len(cells) < 3:  # noqa: PLR2004 - evaluations, another, precision
        what = f"{plural(len(cells), 'cell')}, and the third is the precision"
        found.say("search-file", place, what, _LOST)
        return
    when, value = number(cells[0]), number(cells[2])
    if when is None or not when.is_integer() or not 0 < when < 2**31:
        found.say("trajectory-value", place, f"{cells[0]!r} is no number of evaluations")
    elif value is None:
        found.say("trajectory-value", place, f"{cells[2]!r} is no finite precision")
    elif at and (when < at[-1] or (when == at[-1] and value != values[-1])):
        what = f"evaluation {when:g} comes after {at[-1]} of the same run"
        found.say("trajectory-order", place, what)
    else:
        at.append(int(when))
        values.append(value)


COCO = Format(
    "coco",
    _find,
    absent("holds no *.info of COCO, nor do the folders in it", "Name a folder that its observer wrote."),
    default_name,
    _load,
    lambda location, _: default_name(location),
    read,
)
