"""Archives of COCO: experiments on bbob functions, as the observer of ``cocoex`` logs.

A folder for each algorithm, ``exdata/NAME`` with ``*.info`` and the data that these name; or a folder of
such folders, or of published archives of one folder each.

An ``.info`` file holds records: a line ``funcId = 1, DIM = 2, algId = 'A', …``, a line of comment, and a
line that names a data file and then each of its runs as ``instance:evaluations|precision``, or as
``instance`` alone if the run did not end.
In the data every run begins with a line of names after ``%``; the first cell is the number of evaluations,
the third the best precision (noise-free value above the optimum) so far. ``.dat`` has a line for each
target that was hit, ``.tdat`` at given numbers of evaluations; both are read. The end of a run is in
``.tdat``, and for some loggers also in ``.dat``. The runs on the instances of a function are its
repetitions, as in COCO.

Source: Hansen et al. 2021, COCO: a platform for comparing continuous optimizers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import os_errors
from aslib_eval.extensions.optimisers.searches import (
    LARGEST,
    LOST,
    ROUNDED,
    RUN,
    Place,
    SearchArchive,
    SearchFindings,
    SearchPoints,
    SearchRun,
    archives_in,
    inside,
    instance_of,
    load_all,
    parsed,
    record_of,
    record_rows,
    runs_of,
)
from aslib_eval.formats import Format, Parsed, absent
from aslib_eval.formats.runs.cells import number
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, default_name, load_files
from aslib_eval.metrics.scale import Floats
from aslib_eval.text import plural

Ints = NDArray[np.int64]

_DEPTH = 5  # folders above an .info; some packages have a folder for each run
# The name of a file by which an archive of one algorithm is recognised.
_OWN = re.compile(r"([^/]+/){0,5}(?!IOHprofiler)[^/]*(\.info|\.[rt]dat|(DIM|_d)\d+[^/]*\.dat)$")
_META = re.compile(rb"\b(funcId|indicator)\s*=")
_HEAD = 4096  # bytes in which an archive is recognised
_NAMED = re.compile(rb"[^,\n]+\.dat(?=\s*(?:,|$))", re.MULTILINE)
_PRECISION = 1e-8  # the final target of records without one
_CUT = re.compile(r"(\d{1,9})(:\d{0,15}\|?)?")  # a run that did not end
_SUITE = "bbob"  # of records without a suite


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    near = [*path.glob("*.info"), *path.glob("*/*.info")]
    is_one = any(map(_is_info, near)) or _is_deep(path) or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _is_deep(path: Path) -> bool:
    """Whether each folder in it holds records, at any depth."""
    folders = [p for p in path.iterdir() if p.is_dir() and not _is_other(p.name)]
    return bool(folders) and all(any(map(_is_info, _infos(p))) for p in folders)


def _infos(path: Path) -> Iterator[Path]:
    for folder, below, files in os.walk(path):
        if len(Path(folder).relative_to(path).parts) == _DEPTH:
            below.clear()
        below[:] = sorted(name for name in below if not _is_other(name))
        yield from (Path(folder, name) for name in sorted(files) if _is_meta(name))


def _is_other(name: str) -> bool:
    """Whether an operating system puts such files beside others."""
    return name.startswith(".") or name == "__MACOSX"


def _is_meta(name: str) -> bool:
    return name.endswith(".info") and not _is_other(name) and "IOHprofiler" not in name


def _is_info(path: Path) -> bool:
    if not _is_meta(path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return _META.search(file.read(_HEAD)) is not None


def _files(folder: Location) -> dict[str, Source]:
    """The records, and the data that they name."""
    names: dict[str, None] = {}
    with os_errors(hint="Check the permissions."):
        for path in [path for path in _infos(folder.path) if _is_info(path)]:
            name = path.relative_to(folder.path).as_posix()
            names[name] = None
            for data in _NAMED.findall(path.read_bytes()):
                if there := inside(name, os.fsdecode(data).strip()):
                    names |= dict.fromkeys(_files_of(there))
    return load_files(folder, (*TEXTS, *names))


@dataclass(frozen=True)
class ObservedRun:
    """A run in a record: its instance, evaluations and final precision.

    spent is None if the run did not end, or the record is cut there.
    """

    instance: int
    spent: int | None
    precision: float
    place: Place


@dataclass
class ObservedData:
    """A data file that a record names, with its runs in order.

    package: the top folder or archive of the record; empty for none. is_last: whether the record is the
    last of a file, and so may be cut.
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


def read(location: Location, sources: Sources) -> Parsed:
    """All runs of the archive, or all its faults."""
    found = SearchFindings()
    observed: dict[tuple[str, int, int, str], ObservedData] = {}
    for name in (name for name in sources if name.endswith(".info")):
        file, lines = location.file(name), sources[name].content.split(b"\n")
        # Comments are in whatever encoding.
        content = b"\n".join(b"%" if b"%" in each.lstrip()[:1] else each for each in lines)
        if (text := found.text_of(content, file)) is None:
            continue
        for data in _records(name, file, text, found):
            first = observed.setdefault((data.algorithm, data.function, data.dimension, data.path), data)
            if first is not data:  # a record that goes on
                first.runs += data.runs
                first.is_last = data.is_last
    suites = {data.suite: data for data in reversed(observed.values())}
    for suite, data in list(suites.items())[1:]:
        what = f"the suite is {suite} here, but {next(iter(suites))} elsewhere"
        found.say("search-mixed", data.place, what, "Put each suite into its own folder.")
    said = _one_name_a_package(list(observed.values()))
    kept = _without_copies(list(observed.values()), sources, found)
    instances = [(d.algorithm, d.function, d.dimension, run.instance) for d in kept for run in d.runs]
    are_repeated = len(set(instances)) < len(instances)
    numbers: dict[tuple[str, str], int] = {}
    runs = []
    left_out: list[Place] = []
    for data in kept:
        instance = instance_of(data.function, data.dimension)
        for known, at, values, place in _runs(data, location, sources, found, left_out):
            nth = numbers[data.algorithm, instance] = numbers.get((data.algorithm, instance), 0) + 1
            hits = at[values <= data.target]
            runs.append(
                SearchRun(
                    data.algorithm,
                    data.function,
                    data.dimension,
                    instance,
                    nth if are_repeated else known.instance,
                    at,
                    values,
                    place,
                    int(hits[0]) if hits.size else None,
                    (data.package, known.instance),
                )
            )
    if left_out:
        what = f"{plural(len(left_out), 'run')} left out, because the record is incomplete"
        hint = "The runs may have been interrupted, or the file was cut. All other runs are imported."
        found.say("search-cut", left_out[0], what, hint)
    how = "its runs in order, because instances are repeated" if are_repeated else "its instances"
    said.append(f"the repetitions of a function are {how}")
    family = {run.instance: run.instance.partition("_")[0] for run in runs}
    archive = SearchArchive("precision", maximize=False, runs=runs, family=family, optimum=0.0, said=said)
    return parsed(archive, location, sources, found)


def _one_name_a_package(observed: Sequence[ObservedData]) -> list[str]:
    """Give one name to the algorithms of a package that share no run; gives sentences about it.

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
        said.append(f"the runs of {others} count as runs of {name!r}, which lacks exactly these runs here")
        for data in (data for each in of.values() for data in each):
            data.algorithm = name
    return said


def _without_copies(
    observed: Sequence[ObservedData], sources: Sources, found: SearchFindings
) -> list[ObservedData]:
    """The data without copies: a package may hold the same files twice."""
    first: dict[tuple[object, ...], ObservedData] = {}
    for data in observed:
        files = [sources[n].sha256 for n in _files_of(data.path) if n in sources]
        runs = tuple((run.instance, run.spent) for run in data.runs)
        about = (data.package, data.algorithm, data.function, data.dimension)
        same = first.setdefault((*about, *files, runs), data)
        if same is not data:
            found.say("runs-understood", data.place, f"{data.path} is a copy of {same.path}, counted once")
    return list(first.values())


def _files_of(path: str) -> tuple[str, str]:
    return path, path.removesuffix(".dat") + ".tdat"


# Records.


def _records(name: str, file: str, text: str, found: SearchFindings) -> Iterator[ObservedData]:
    """The data of each record; if the last line does not end, its record may be cut."""
    header: dict[str, str] | None = None
    rows = record_rows(text)
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
            found.say("search-file", place, "no line funcId = …, DIM = …, algId = … before the record")


def _checked(header: dict[str, str], place: Place, found: SearchFindings) -> dict[str, str]:
    """The header of a record; empty if such records are not read."""
    suite = header.get("suite", "of several objectives" if "indicator" in header else _SUITE)
    if "indicator" in header or any(word in suite for word in ("biobj", "constrained")):
        hint = "Only suites of one objective are read."
        found.once("search-file", place, f"the suite {suite} is not read", hint)
        return {}
    wrong = [key for key in ("funcId", "DIM", "algId") if not header.get(key)]
    wrong += [key for key in ("funcId", "DIM") if not header.get(key, "0").isdecimal()]
    if wrong:
        found.say("search-file", place, f"the record lacks {' and '.join(dict.fromkeys(wrong))}")
        return {}
    return header


def _data_line(
    name: str, row: str, header: dict[str, str], place: Place, found: SearchFindings, *, is_last: bool
) -> Iterator[ObservedData]:
    """The data files that a line names, each with its runs."""
    data: ObservedData | None = None
    parts = [part.strip() for part in row.split(",")]
    for at, part in enumerate(parts):
        is_end = is_last and at == len(parts) - 1
        if part.endswith(".dat"):
            if (path := inside(name, part)) is None:
                found.say("search-file", place, f"the data file {part!r} leads out of the folder")
                return
            data = ObservedData(
                name.rpartition("/")[0].partition("/")[0],
                header["algId"],
                header.get("suite", _SUITE),
                int(header["funcId"]),
                int(header["DIM"]),
                number(header.get("Precision", "")) or _PRECISION,
                path,
                place,
                is_last=is_last,
            )
            yield data
        elif (run := RUN.fullmatch(part)) and data is not None:
            precision = number(run[3])
            if is_end and precision is None:
                data.runs.append(ObservedRun(int(run[1]), None, np.inf, place))
            elif precision is None or not 0 < int(run[2]) < LARGEST:
                found.say("search-file", place, f"{part!r} is not a run with evaluations and a precision")
            else:
                data.runs.append(ObservedRun(int(run[1]), int(run[2]), precision, place))
        elif data and (cut := _CUT.fullmatch(part)) and (is_end or not cut[2]):
            data.runs.append(ObservedRun(int(cut[1]), None, np.inf, place))
        elif is_end and data is None:
            found.say("search-cut", place, "a record without its runs is left out")
        elif part:
            what = f"{part[:40]!r} is neither a data file nor instance:evaluations|precision"
            found.say("search-file", place, what, LOST)


# Data files.


def _runs(
    data: ObservedData, location: Location, sources: Sources, found: SearchFindings, left_out: list[Place]
) -> Iterator[tuple[ObservedRun, Ints, Floats, Place]]:
    """The runs of a data file, joined with the file beside it.

    left_out: receives the place of each run whose record does not end.
    """
    if (blocks := _joined(data, location, sources, found)) is None:
        return
    left_out += [data.place] * (len(blocks) - len(data.runs))
    for n, known in enumerate(data.runs):
        if known.spent is None or n >= len(blocks):
            left_out.append(known.place)
            continue
        line, at, values = blocks[n]
        place, where = (location.file(data.path), line), known.place[0]
        if not at.size:
            found.say("search-file", place, "a run without a point", LOST)
            continue
        best = np.minimum.accumulate(values)
        if (values > best).any():
            what = "the best precision gets worse within a run; the import uses the best value so far"
            found.once("search-worse", place, what, "Did another logger write the file?")
        slack = ROUNDED * max(abs(known.precision), abs(best[-1])) + 1.1 * data.target
        is_far = abs(best[-1] - known.precision) > slack
        if is_far and data.is_last and n == len(data.runs) - 1:
            left_out.append(known.place)  # its number is cut
            continue
        if at[-1] < known.spent:
            what = f"the run ends after {at[-1]} evaluations, but after {known.spent} in {where}"
            found.say("search-file", place, what, LOST)
        elif is_far and best[-1] > known.precision:
            what = f"the run ends with the precision {best[-1]:g}, but {known.precision:g} in {where}"
            found.say("search-file", place, what)
        elif is_far or at[-1] > known.spent:
            what = "the data file has more evaluations or a better precision than its record"
            found.once("search-best", place, what, "The data file counts. Is it from the same runs?")
        better = np.r_[True, best[1:] < best[:-1]]
        better[-1] |= at[-1] > at[better][-1]
        yield known, at[better], best[better], place


def _joined(
    data: ObservedData, location: Location, sources: Sources, found: SearchFindings
) -> list[tuple[int, Ints, Floats]] | None:
    """Line, evaluations and values of the runs in both data files; None if they do not fit the record."""
    if data.path not in sources:
        found.say("search-file", data.place, f"its data file {data.path} is missing", LOST)
        return None
    files = [name for name in _files_of(data.path) if name in sources]
    tables = [_points(location.file(name), sources[name].content, found) for name in files]
    unended = bool(data.runs) and data.runs[-1].spent is None
    for name, runs in zip(files, tables, strict=True):
        lacking = len(data.runs) - len(runs)
        if lacking in {0, int(unended)} or (lacking < 0 and data.is_last):
            continue
        where = f"{data.place[0]}:{data.place[1]}"
        what = f"it has {plural(len(runs), 'run')}, but {where} has {len(data.runs)}"
        found.say("search-file", (location.file(name), sources[name].content.count(b"\n") or 1), what, LOST)
        return None
    joined = []
    for same in zip(*tables, strict=False):
        at = np.array([when for run in same for when in run.at], np.int64)
        values = np.array([value for run in same for value in run.values], np.float64)
        order = np.argsort(at, kind="stable")
        joined.append((same[0].line, at[order], values[order]))
    return joined


def _points(file: str, content: bytes, found: SearchFindings) -> list[SearchPoints]:
    if (text := found.text_of(content, file)) is None:
        return []
    rows = text.split("\n")
    starts = [at for at, row in enumerate(rows) if row.startswith("%")]
    if strange := [at for at, row in enumerate(rows[: starts[0] if starts else None], 1) if row.strip()]:
        found.say("search-file", (file, strange[0]), "a point before the first run")
        return []
    runs = []
    for line, _, points in runs_of(text, file, starts, found):
        run = SearchPoints(line)
        runs.append(run)
        for place, cells in points:
            if len(cells) > 2:  # noqa: PLR2004 - the third is the precision
                run.add(place, cells[:3:2], found, ties=True)
            else:
                what = "the third cell, the precision, is missing"
                found.say("search-file", place, what, LOST)
    return runs


COCO = Format(
    "coco",
    _find,
    absent(
        "neither the folder nor its subfolders hold *.info of COCO",
        "Name a folder that the observer of COCO wrote.",
    ),
    default_name,
    partial(load_all, load=_files, meta=_OWN),
    lambda location, _: default_name(location),
    read,
)
