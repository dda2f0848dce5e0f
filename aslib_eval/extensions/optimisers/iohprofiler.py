"""Archives of IOHprofiler, as loggers of IOHexperimenter (package ``ioh``) write them.

A folder for each algorithm, with ``IOHprofiler_f*.json`` (before 0.3.3 ``.info``) and the data that these
name; or a folder of such folders, or of archives of one folder each.

IOHexperimenter writes this layout from 0.3.3 on. A meta file is a JSON object of a function: ``algorithm``,
``function_id``, ``function_name``, ``maximization``, and ``scenarios``, one for each dimension: ``path`` of
the data, and ``runs`` with ``instance``, ``evals`` and ``best`` (``evals``, ``y``). In the data every run
begins with a line of names; ``evaluations`` and ``raw_y`` are read, the value before any transformation.

Before, the meta file was ``.info``, with records like those of COCO, which give each run as
``instance:evaluations|value`` of its best point; the columns were ``"function evaluation"`` and ``"current
f(x)"``. In 2020 the record had the evaluations of the whole run and a transformed value, ``.tdat`` beside
``.dat`` had the end of the run, and no file said whether more is better.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

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
from aslib_eval.text import is_writable, plural

_META = ("IOHprofiler_*.json", "*/IOHprofiler_*.json", "IOHprofiler_*.info", "*/IOHprofiler_*.info")
_DATA = ("data_*/*.dat", "*/data_*/*.dat")
# The name of a file in an archive of one algorithm.
_OWN = re.compile(r"([^/]+/)?(IOHprofiler_[^/]+\.(json|info)|data_[^/]+/IOHprofiler_[^/]+\.dat)$")
# Names of columns, now and before 0.3.3.
_AT, _VALUE = ("evaluations", "function evaluation"), ("raw_y", "current f(x)")
_TRANSFORMED = "current af(x)+b"
_NO_NAME = "No parameters"  # in the line of names, without a cell
_ROUNDED = 1e-9  # data have ten decimals, meta files all digits
_DIGITS = 1e-5  # of values in .info, which have six
_FUNCTION = {
    "function_id": int,
    "function_name": str,
    "maximization": bool,
    "algorithm": dict,
    "scenarios": list,
}
_IN_RANGE: Mapping[type, Callable[[Any], bool]] = {
    float: math.isfinite,
    int: lambda value: 0 <= value < LARGEST,
    str: lambda value: bool(value.strip()) and is_writable(value),
}
# Keys that a record of .info must have.
_RECORD = {"funcId": re.compile(r"\d{1,9}"), "DIM": re.compile(r"\d{1,9}"), "algId": re.compile(r".*\S.*")}
_MAXIMIZE = {"T": True, "F": False}


def _find(path: Path) -> list[Location]:
    is_one = any(next(path.glob(each), None) for each in _META) if path.is_dir() else False
    return [Location(path, str(path))] if is_one or archives_in(path, _OWN) else []


def _load(direction: str, location: Location) -> dict[str, Source]:
    sources = load_all(location, partial(load_files, globs=(*TEXTS, *_META, *_DATA)), _OWN)
    return sources | ({"direction": Source.of(direction.encode())} if direction else {})


@dataclass(frozen=True)
class LoggedRun:
    """A run in the meta file; spent is None if the end is unknown; rounded: share of the best value."""

    instance: int
    spent: int | None
    best_at: int
    best: float
    rounded: float = 0.0


@dataclass(frozen=True)
class LoggedData:
    """A data file that a meta file names: the runs of a function in a dimension.

    place: of its path in the meta file.
    """

    meta: str
    place: Place
    algorithm: str
    function: int
    name: str
    maximize: bool
    dimension: int
    path: str
    runs: tuple[LoggedRun, ...]


def read(direction: str, location: Location, sources: Sources) -> Parsed:
    """All runs of the archive, or all its faults.

    direction: min or max, for files that do not say it; empty = not given.
    """
    found = SearchFindings()
    logged: list[LoggedData] = []
    maximize = {"min": False, "max": True}.get(direction)
    for name, source in sources.items():
        file, stem = location.file(name), name.rpartition(".")[0]
        is_info = name.endswith(".info") and f"{stem}.json" not in sources
        if not (name.endswith(".json") or is_info) or (text := found.text_of(source.content, file)) is None:
            continue
        logged += (
            _infos(name, file, text, found, maximize=maximize)
            if is_info
            else _meta(name, file, text, found)
        )
    _require_alike(logged, found, maximize=maximize)
    runs: list[SearchRun] = []
    numbers: Counter[tuple[str, str]] = Counter()
    added = 0
    for each in logged:
        for known, points in _data(each, location, sources, found):
            instance = f"{instance_of(each.function, each.dimension)}_i{known.instance:02d}"
            numbers[each.algorithm, instance] += 1
            added += _complete(known, points, max if each.maximize else min)
            runs.append(
                SearchRun(
                    each.algorithm,
                    each.function,
                    each.dimension,
                    instance,
                    numbers[each.algorithm, instance],
                    np.array(points.at, np.int64),
                    np.array(points.values, np.float64),
                    (location.file(each.path), points.line),
                    origin=(each.meta.rpartition("/")[0], 0),
                )
            )
    names = {each.function: each.name for each in logged}
    archive = SearchArchive(
        "objective",
        any(each.maximize for each in logged),
        runs,
        {run.instance: names[run.function] for run in runs},
        said=[f"{plural(added, 'best or last point')} taken from meta files"] if added else (),
    )
    return parsed(archive, location, sources, found)


def _require_alike(logged: Sequence[LoggedData], found: SearchFindings, *, maximize: bool | None) -> None:
    """Require one direction, the user's if there is one, and one function for each number."""
    ways = ("minimised", "maximised")
    for each in logged:
        if maximize not in (None, each.maximize):
            what = f"the file says that {each.name} is {ways[each.maximize]}"
            found.once("search-mixed", each.place, what, "Leave out the direction.")
    first: dict[int, LoggedData] = {}
    for each in logged:
        one, same = logged[0], first.setdefault(each.function, each)
        hint = "Put each suite into its own folder."
        if one.maximize != each.maximize:
            what = f"{each.name} is {ways[each.maximize]}, but {one.name} is {ways[one.maximize]}"
            found.say("search-mixed", each.place, what, hint)
        if same.name != each.name:
            what = f"f{each.function} is {each.name} here, but {same.name} elsewhere"
            found.say("search-mixed", each.place, what, hint)


def _complete(known: LoggedRun, points: SearchPoints, best: Callable[[list[float]], float]) -> int:
    """Add the best and the last evaluation if only the meta file has them; gives how many were added."""
    before = len(points.at)
    if known.spent is None:  # of a whole run where it is behind all that was logged
        if points.at[-1] < known.best_at:
            points.at.append(known.best_at)
            points.values.append(best(points.values))
        return len(points.at) - before
    at = bisect_left(points.at, known.best_at)
    if points.at[at : at + 1] != [known.best_at]:
        points.at.insert(at, known.best_at)
        points.values.insert(at, known.best)
    if points.at[-1] < known.spent:
        points.at.append(known.spent)
        points.values.append(best(points.values))
    return len(points.at) - before


# Meta files.


def _meta(name: str, file: str, text: str, found: SearchFindings) -> Iterator[LoggedData]:
    try:
        raw = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        found.say("search-file", (file, error.lineno), f"is not JSON ({error.msg})", LOST)
        return
    except (ValueError, RecursionError) as error:
        found.say("search-file", (file, 1), f"is not JSON ({error})")
        return
    # Where the paths and the runs stand.
    lines = {
        key: [n for n, line in enumerate(text.split("\n"), 1) for _ in range(line.count(f'"{key}":'))]
        for key in ("path", "instance")
    }

    def wrong(what: str, key: str = "", at: int = 0) -> None:
        line = lines[key][at] if at < len(lines.get(key, ())) else 1
        found.say("search-file", (file, line), what, "This is not a meta file of IOHprofiler.")

    about = _fields({} if raw is None else raw, "", _FUNCTION, wrong)
    if len(about) < len(_FUNCTION):
        return
    algorithm = _fields(about["algorithm"], "algorithm.", {"name": str}, wrong)
    before = 0
    for at, scenario in enumerate(about["scenarios"]):
        where, told = f"scenarios[{at}].", partial(wrong, key="path", at=at)
        of = _fields(scenario, where, {"dimension": int, "path": str, "runs": list}, told)
        if len(of) < 3 or not algorithm:  # noqa: PLR2004 - all of them
            continue
        if (path := inside(name, of["path"])) is None:
            told(f"{where}path {of['path']!r} leads out of the folder")
            continue
        runs = [
            _run(run, f"{where}runs[{n}].", partial(wrong, key="instance", at=before + n))
            for n, run in enumerate(of["runs"])
        ]
        before += len(runs)
        known = tuple(run for run in runs if run is not None)
        if len(known) == len(runs):
            yield LoggedData(
                name,
                (file, lines["path"][at] if at < len(lines["path"]) else 1),
                algorithm["name"],
                about["function_id"],
                about["function_name"],
                about["maximization"],
                of["dimension"],
                path,
                known,
            )


def _no_number(text: str) -> float:
    raise ValueError(f"it holds {text}")


def _run(raw: object, where: str, wrong: Any) -> LoggedRun | None:
    of = _fields(raw, where, {"instance": int, "evals": int, "best": dict}, wrong)
    best = _fields(of.get("best", {}), f"{where}best.", {"evals": int, "y": float}, wrong)
    if len(of) + len(best) < 5:  # noqa: PLR2004 - all of them
        return None
    run = LoggedRun(of["instance"], of["evals"], best["evals"], best["y"])
    if not 0 < run.best_at <= of["evals"]:
        wrong(f"{where}best.evals is {run.best_at}, but the run has {of['evals']} evaluations")
        return None
    return run


def _fields(raw: object, where: str, wanted: Mapping[str, type], wrong: Any) -> dict[str, Any]:
    """The values of the keys that have their type; the others are faults."""
    if not isinstance(raw, dict):
        wrong(f"{where.rstrip('.') or 'the file'} is not an object")
        return {}
    found: dict[str, Any] = {}
    for key, kind in wanted.items():
        value: Any = raw.get(key)
        if kind is float and type(value) is int:
            value = float(value) if abs(value) < 2**53 else math.inf
        if type(value) is kind and (kind not in _IN_RANGE or _IN_RANGE[kind](value)):
            found[key] = value
        elif key not in raw:
            wrong(f"{where}{key} is missing")
        else:
            wrong(f"{where}{key} is {str(raw[key])[:40]!r}")
    return found


# Meta files from before 0.3.3.


def _infos(
    name: str, file: str, text: str, found: SearchFindings, *, maximize: bool | None
) -> Iterator[LoggedData]:
    """The data that a file .info names; maximize: for records that do not say whether more is better."""
    header: dict[str, str] | None = None
    for line, row in record_rows(text):
        place = (file, line)
        if named := record_of(row):
            wrong = [key for key, value in _RECORD.items() if not value.fullmatch(named.get(key, ""))]
            more = _MAXIMIZE.get(named.get("maximization", "").upper()[:1], maximize)
            header = {} if wrong or more is None else named
            if wrong:
                found.say("search-file", place, f"the record lacks {' and '.join(wrong)}")
            elif more is None:
                what = "the record does not say whether the objective is maximised"
                hint = "Add --direction min or --direction max, in Python direction=."
                found.once("search-file", place, what, hint)
        elif header:
            yield from _info_data(name, row, header, place, found, more=bool(more))
        elif header is None:
            found.say("search-file", place, "no line funcId = … before the record")


def _info_data(
    name: str, row: str, header: Mapping[str, str], place: Place, found: SearchFindings, *, more: bool
) -> Iterator[LoggedData]:
    first, *parts = (part.strip() for part in row.split(","))
    path = inside(name, first) if first.endswith(".dat") else None
    runs = []
    for part in (part for part in parts if part):
        run = RUN.fullmatch(part)
        best = number(run[3]) if run else None
        if run is None or best is None or not 0 < int(run[2]) < LARGEST:
            found.say("search-file", place, f"{part[:40]!r} is not instance:evaluations|value", LOST)
        else:
            runs.append(LoggedRun(int(run[1]), None, int(run[2]), best, _DIGITS))
    if path is None:
        found.say("search-file", place, f"{first[:60]!r} is not a data file in this folder")
        return
    yield LoggedData(
        name,
        place,
        header["algId"],
        int(header["funcId"]),
        header.get("funcName", f"f{header['funcId']}"),
        more,
        int(header["DIM"]),
        path,
        tuple(runs),
    )


# Data files.


def _data(
    each: LoggedData, location: Location, sources: Sources, found: SearchFindings
) -> list[tuple[LoggedRun, SearchPoints]]:
    """The runs of a data file, each with its run in the meta file."""
    meta, file = each.place[0], location.file(each.path)
    if each.path not in sources:
        found.say("search-file", each.place, f"its data file {each.path} is missing", LOST)
        return []
    if (text := found.text_of(sources[each.path].content, file)) is None:
        return []
    runs, last = _points(text, file, found), (file, text.count("\n") or 1)
    if len(runs) != len(each.runs):
        what = f"it has {plural(len(runs), 'run')}, but {meta} has {len(each.runs)}"
        found.say("search-file", last, what, LOST)
        return []
    pairs = list(zip(each.runs, runs, strict=True))
    whole = [points.at[-1:] == [known.spent] for known, points in pairs]
    spent = each.runs[-1].spent if each.runs else None
    if spent is not None and any(whole) and all(whole[:-1]) and not whole[-1]:
        found.say("search-file", last, f"the last run ends before its last evaluation, {spent}", LOST)
    for known, points in pairs:
        _compare(known, points, (file, points.line), meta, found, sign=-1.0 if each.maximize else 1.0)
    return [pair for pair in pairs if pair[1].at]


def _compare(
    known: LoggedRun, points: SearchPoints, place: Place, meta: str, found: SearchFindings, *, sign: float
) -> None:
    """Check that the points of a run agree with its meta file; sign: -1 if more is better."""
    if not points.at:
        found.say("search-file", place, "a run without a point", LOST)
        return
    end, best = points.at[-1], min(sign * value for value in points.values)
    if known.spent is None:
        # A record of 2020 has the end of the whole run and its best value, transformed.
        transformed = min(sign * value for value in points.transformed)
        slack = max(ROUNDED, 2 * known.rounded) * max(1.0, abs(transformed))
        if end <= known.best_at and abs(sign * known.best - transformed) <= slack:
            return
        if end < known.best_at:
            what = f"the run ends after {end} evaluations, but its best one is {known.best_at} in {meta}"
            found.say("search-file", place, what, "Was the file cut, or is the other direction better?")
    elif end > known.spent:
        what = f"the run has evaluation {end}, but it ends after {known.spent} in {meta}"
        found.say("search-file", place, what)
    off = sign * known.best - best
    slack = max(_ROUNDED * max(1.0, abs(best)), known.rounded * abs(best))
    what = f"the best value of the run is {sign * best + 0.0:g}, but {known.best:g} in {meta}"
    if known.best_at in points.at and -off > slack:
        found.say("search-file", place, what)
    elif off > slack:  # ioh 0.3.22 has triggers that leave out improvements
        found.say("search-best", place, what, "The data file counts. Did the logger omit improvements?")


def _points(text: str, file: str, found: SearchFindings) -> list[SearchPoints]:
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if "evaluation" in line]
    if any(line.strip() for line in lines[: starts[0] if starts else None]):
        what = f"does not begin with the names {_AT[0]} {_VALUE[0]}"
        found.say("search-file", (file, 1), what, "This is not a data file of IOHprofiler.")
        return []
    runs = []
    for line, title, points in runs_of(text, file, starts, found):
        run = SearchPoints(line)
        runs.append(run)
        names = re.findall(r'"([^"]*)"', title) or title.split()
        at, value = (
            next((names.index(name) for name in known if name in names), None) for known in (_AT, _VALUE)
        )
        if at is None or value is None:
            what = f"the columns are {', '.join(names[:8])}, but {_AT[0]} or {_VALUE[0]} is missing"
            found.say("search-file", (file, line), what, "Log both columns.")
            continue
        names = [name for name in names if name != _NO_NAME]
        other = names.index(_TRANSFORMED) if _TRANSFORMED in names else value
        for place, cells in points:
            if len(cells) == len(names):
                run.add(place, (cells[at], cells[value], cells[other]), found)
            else:
                found.say("search-file", place, f"{len(cells)} cells instead of {len(names)}", LOST)
    return runs


def iohprofiler_format(direction: str) -> Format:
    """The format; direction: min or max, for files that do not say it, else empty."""
    return Format(
        "iohprofiler",
        _find,
        absent(
            "neither the folder nor its subfolders hold IOHprofiler_*.json or *.info",
            "Name a folder that the logger of IOHprofiler wrote.",
        ),
        default_name,
        partial(_load, direction),
        lambda location, _: default_name(location),
        partial(read, direction),
    )


IOHPROFILER = iohprofiler_format("")
