"""Archives of IOHprofiler, as loggers of IOHexperimenter (package ``ioh``) write them.

A folder an algorithm, with ``IOHprofiler_f*.json`` (before 0.3.3 ``.info``) and the data that these name;
or a folder of such folders, or of archives with one of them each.

IOHexperimenter writes this layout from 0.3.3 on. A meta file is a JSON object of a function: ``algorithm``,
``function_id``, ``function_name``, ``maximization``, and ``scenarios``, one a dimension: ``path`` of the
data, and ``runs`` with ``instance``, ``evals`` and ``best`` (``evals``, ``y``). In the data every run
begins with a line of names; ``evaluations`` and ``raw_y`` are read, the value before any transformation.

Before, the meta file was ``.info``, with records as those of COCO, which give each run as
``instance:evaluations|value`` of its best point, and the columns were called ``"function evaluation"`` and
``"current f(x)"``. In 2020 the evaluations were those of the whole run, the value was transformed,
``.tdat`` beside ``.dat`` had its end, and nothing said whether more is better.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

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
from aslib_eval.text import is_writable, plural

_META = (*("IOHprofiler_*.json", "*/IOHprofiler_*.json"), *("IOHprofiler_*.info", "*/IOHprofiler_*.info"))
_DATA = ("data_*/*.dat", "*/data_*/*.dat")
DIRECTION = "direction"  # what its user says, as a source of its own


# Of a file in an archive of one algorithm.
_OWN = re.compile(r"([^/]+/)?(IOHprofiler_[^/]+\.(json|info)|data_[^/]+/IOHprofiler_[^/]+\.dat)$")


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    is_one = any(next(path.glob(each), None) for each in _META)
    is_one = is_one or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _load(direction: str, location: Location) -> dict[str, Source]:
    globs = (*TEXTS, *_META, *_DATA)
    sources = load_all(location, partial(load_files, globs=globs), _OWN)
    said = {DIRECTION: Source.of(direction.encode())} if direction else {}
    return sources | said


MEASURE = "objective"
# Names of columns, now and before 0.3.3.
_AT, _VALUE = ("evaluations", "function evaluation"), ("raw_y", "current f(x)")
_TRANSFORMED = "current af(x)+b"
_NO_NAME = "No parameters"  # stands in the line of names, and has no cell
_ROUNDED = 1e-9  # data have ten decimals, meta files all digits
_FUNCTION = {
    "function_id": int,
    "function_name": str,
    "maximization": bool,
    "algorithm": dict,
    "scenarios": list,
}


_IN_RANGE: Mapping[type, Callable[[Any], bool]] = {
    float: math.isfinite,
    int: lambda value: 0 <= value < 2**31,
    str: lambda value: bool(value.strip()) and is_writable(value),
}

_DIMENSION = {"dimension": int, "path": str, "runs": list}
# What a record of .info must say; its runs have six digits of the best value.
_RECORD = {"funcId": re.compile(r"\d{1,9}"), "DIM": re.compile(r"\d{1,9}"), "algId": re.compile(r".*\S.*")}
_MAXIMIZE = {"T": True, "F": False}
_INFO_RUN = re.compile(r"(\d{1,9}):(\d{1,15})\|([^|\s]+)")
_DIGITS = 1e-5
_PLAIN = re.compile(r"[0-9.eE+ -]+")
_SAY_WAY = "Say --direction min or --direction max, in Python direction=."
_LOST = "Was the run interrupted, or the file cut? Fetch or run it again."


@dataclass(frozen=True)
class LoggedRun:
    """A run as the meta file has it; spent is None, where it does not say the end.

    rounded: of the best value, as a share of it.
    """

    instance: int
    spent: int | None
    best_at: int
    best: float
    rounded: float = 0.0


@dataclass(frozen=True)
class LoggedData:
    """A data file as a meta file has it: the runs of a function in a dimension.

    line: of the meta file, where its path stands.
    """

    meta: str
    line: int
    algorithm: str
    function: int
    name: str
    maximize: bool
    dimension: int
    path: str
    runs: tuple[LoggedRun, ...]


@dataclass
class LoggedPoints:
    """A run as the data have it: its line of names, and its points."""

    line: int
    at: list[int]
    values: list[float]
    transformed: list[float] = field(default_factory=list)


def read(direction: str, location: Location, sources: Sources) -> Parsed:
    """All runs of the archive, or everything that is wrong with it.

    direction: min or max where the files do not say it; empty = not given.
    """
    found = SearchFindings()
    logged: list[LoggedData] = []
    maximize = {"min": False, "max": True}.get(direction)
    for name, source in sources.items():
        file, stem = location.file(name), name.rpartition(".")[0]
        if name.endswith(".json"):
            logged += _meta(name, file, source.content, found)
        elif name.endswith(".info") and f"{stem}.json" not in sources:
            logged += read_info(name, file, source.content, found, maximize)
    if maximize is not None:
        _require_no_other(maximize, logged, location, found)
    _require_alike(logged, location, found)
    runs: list[SearchRun] = []
    numbers: Counter[tuple[str, str]] = Counter()
    added = 0
    for each in logged:
        for known, points in _data(each, location, sources, found):
            instance = cells_of(f"f{each.function:03d}", each.dimension)
            instance = f"{instance}_i{known.instance:02d}"
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
    said = [f"{plural(added, 'point')} of best and last evaluations are of meta files"]
    names = {f"f{each.function:03d}": each.name for each in logged}
    archive = SearchArchive(
        MEASURE,
        any(each.maximize for each in logged),
        runs,
        {run.instance: names[run.instance.partition("_")[0]] for run in runs},
        said=said if added else (),
    )
    return parsed(archive, location, sources, found)


def _require_no_other(
    maximize: bool,  # noqa: FBT001
    logged: Sequence[LoggedData],
    location: Location,
    found: SearchFindings,
) -> None:
    """Whether no file says another direction than its user."""
    for each in logged:
        if each.maximize != maximize:
            place = (location.file(each.meta), each.line)
            what = f"the file says that {each.name} is "
            what += "maximised" if each.maximize else "minimised"
            found.once("search-mixed", place, what, "Leave the direction out.")


def _require_alike(logged: Sequence[LoggedData], location: Location, found: SearchFindings) -> None:
    """One direction, and one function of a number: a scenario is of one suite."""
    first: dict[object, LoggedData] = {}
    for each in logged:
        place = (location.file(each.meta), each.line)
        hint = "Put functions of different suites into folders of their own."
        same = first.setdefault("direction", each)
        if same.maximize != each.maximize:
            ways = ("minimised", "maximised")
            what = f"{each.name} is {ways[each.maximize]}, and {same.name}"
            what += f" is {ways[same.maximize]}"
            found.say("search-mixed", place, what, hint)
        same = first.setdefault(each.function, each)
        if same.name != each.name:
            what = f"f{each.function} is {each.name} here, and {same.name} elsewhere"
            found.say("search-mixed", place, what, hint)


def _complete(known: LoggedRun, points: LoggedPoints, best: Callable[[list[float]], float]) -> int:
    """Add the best and the last evaluation where only the meta file has them.

    The value at the last one is the best so far.
    """
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


def _meta(name: str, file: str, content: bytes, found: SearchFindings) -> Iterator[LoggedData]:
    text, raw = _json(content, file, found)
    if raw is None:
        return
    lines = _Lines(text)

    def wrong(what: str, line: int = 1) -> None:
        hint = "It is no meta file of IOHprofiler."
        found.say("search-file", (file, line), what, hint)

    about = _fields(raw, "", _FUNCTION, wrong)
    if len(about) < len(_FUNCTION):
        return
    algorithm = _fields(about["algorithm"], "algorithm.", {"name": str}, wrong)
    before = 0
    for at, scenario in enumerate(about["scenarios"]):
        where, line = f"scenarios[{at}].", lines.of("path", at)
        told = partial(wrong, line=line)
        of = _fields(scenario, where, _DIMENSION, told)
        if len(of) < len(_DIMENSION) or not algorithm:
            continue
        path = inside(name, of["path"])
        if path is None:
            told(f"{where}path {of['path']!r} leads out of the folder")
            continue
        runs = []
        for n, run in enumerate(of["runs"]):
            told = partial(wrong, line=lines.of("instance", before + n))
            runs.append(_run(run, f"{where}runs[{n}].", told))
        before += len(runs)
        known = tuple(run for run in runs if run is not None)
        if len(known) == len(runs):
            function = (about["function_id"], about["function_name"])
            yield LoggedData(
                name,
                line,
                algorithm["name"],
                *function,
                about["maximization"],
                of["dimension"],
                path,
                known,
            )


def _json(content: bytes, file: str, found: SearchFindings) -> tuple[str, object]:
    """The text of a meta file and what it holds; None where it is not JSON."""
    if (text := found.text_of(content, file)) is None:
        return "", None
    try:
        raw: object = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg})"
        found.say("search-file", (file, error.lineno), what, _LOST)
        return "", None
    except (ValueError, RecursionError) as error:
        found.say("search-file", (file, 1), f"is not JSON ({error})")
        return "", None
    return text, {} if raw is None else raw


class _Lines:
    """Where the keys of a meta file stand; line 1 for what is not found."""

    def __init__(self, text: str) -> None:
        self._at: dict[str, list[int]] = {"path": [], "instance": []}
        for n, line in enumerate(text.split("\n"), 1):
            for key in self._at:
                self._at[key] += [n] * line.count(f'"{key}":')

    def of(self, key: str, place: int) -> int:
        found = self._at[key]
        return found[place] if place < len(found) else 1


def _no_number(text: str) -> float:
    message = f"it holds {text}"
    raise ValueError(message)


def _run(raw: object, where: str, wrong: Any) -> LoggedRun | None:
    of = _fields(raw, where, {"instance": int, "evals": int, "best": dict}, wrong)
    best = _fields(of.get("best", {}), f"{where}best.", {"evals": int, "y": float}, wrong)
    if len(of) + len(best) < 5:  # noqa: PLR2004 - all of them
        return None
    run = LoggedRun(of["instance"], of["evals"], best["evals"], best["y"])
    if not 0 < run.best_at <= of["evals"]:
        wrong(f"{where}best.evals is {run.best_at}, of {of['evals']} evaluations")
        return None
    return run


def _fields(raw: object, where: str, wanted: Mapping[str, type], wrong: Any) -> dict[str, Any]:
    """The values of the keys that are of their type; what is not is told."""
    if not isinstance(raw, dict):
        wrong(f"{where.rstrip('.') or 'the file'} is no object")
        return {}
    found: dict[str, Any] = {}
    for key, kind in wanted.items():
        value: Any = raw.get(key)
        if kind is float and type(value) is int:
            value = float(value) if abs(value) < 2**53 else math.inf
        if type(value) is kind and (kind not in _IN_RANGE or _IN_RANGE[kind](value)):
            found[key] = value
        elif key not in raw:
            wrong(f"there is no {where}{key}")
        else:
            wrong(f"{where}{key} is {str(raw[key])[:40]!r}")
    return found


# Meta files of before 0.3.3.


def read_info(
    name: str,
    file: str,
    content: bytes,
    found: SearchFindings,
    maximize: bool | None = None,  # noqa: FBT001
) -> Iterator[LoggedData]:
    """The data that a file .info names, as those of a meta file in JSON.

    maximize: whether more is better, for records that do not say it.
    """
    if (text := found.text_of(content, file)) is None:
        return
    header: dict[str, str] | None = None
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip() or row.lstrip().startswith("%"):
            continue
        if named := record_of(row):
            header = named
            wrong = [key for key, value in _RECORD.items() if not value.fullmatch(header.get(key, ""))]
            way = header.get("maximization", "").upper()[:1]
            if wrong:
                what = f"the record does not say {' and '.join(wrong)}"
                found.say("search-file", (file, line), what)
                header = {}
            elif way not in _MAXIMIZE and maximize is None:
                what = "the record does not say whether the objective is maximised"
                found.once("search-file", (file, line), what, _SAY_WAY)
                header = {}
        elif header:
            more = _MAXIMIZE.get(way, bool(maximize))
            yield from _info_data(name, row, header, (file, line), found, more)
        elif header is None:
            found.say("search-file", (file, line), "a record without a line funcId = …")


def _info_data(
    name: str,
    row: str,
    header: Mapping[str, str],
    place: tuple[str, int],
    found: SearchFindings,
    maximize: bool,  # noqa: FBT001
) -> Iterator[LoggedData]:
    first, *parts = (part.strip() for part in row.split(","))
    path = inside(name, first) if first.endswith(".dat") else None
    runs = []
    for part in (part for part in parts if part):
        run = _INFO_RUN.fullmatch(part)
        best = number(run[3]) if run else None
        if run is None or best is None or not 0 < int(run[2]) < 2**31:
            what = f"{part[:40]!r} is no instance:evaluations|value"
            found.say("search-file", place, what, _LOST)
        else:
            runs.append(LoggedRun(int(run[1]), None, int(run[2]), best, _DIGITS))
    if path is None:
        what = f"{first[:60]!r} is no data file in this folder"
        found.say("search-file", place, what)
        return
    yield LoggedData(
        name,
        place[1],
        header["algId"],
        int(header["funcId"]),
        header.get("funcName", f"f{header['funcId']}"),
        maximize,
        int(header["DIM"]),
        path,
        tuple(runs),
    )


# Data files.


def _data(
    each: LoggedData, location: Location, sources: Sources, found: SearchFindings
) -> list[tuple[LoggedRun, LoggedPoints]]:
    """The runs of a data file beside what the meta file says of them."""
    meta, file = location.file(each.meta), location.file(each.path)
    if each.path not in sources:
        what = f"its data {each.path} are missing"
        found.say("search-file", (meta, each.line), what, _LOST)
        return []
    if (text := found.text_of(sources[each.path].content, file)) is None:
        return []
    blocks = _blocks(text, file, found)
    if len(blocks) != len(each.runs):
        last = text.count("\n") or 1
        what = f"it holds {plural(len(blocks), 'run')}, {len(each.runs)} are in {meta}"
        found.say("search-file", (file, last), what, _LOST)
        return []
    whole = [points.at[-1:] == [known.spent] for known, points in zip(each.runs, blocks, strict=True)]
    spent = each.runs[-1].spent if each.runs else None
    if spent is not None and any(whole) and all(whole[:-1]) and not whole[-1]:
        what = f"the last run does not go on to its last evaluation, {spent}"
        found.say("search-file", (file, text.count("\n") or 1), what, _LOST)
    pairs = list(zip(each.runs, blocks, strict=True))
    for known, points in pairs:
        _compare(known, points, each, (file, meta), found)
    return [pair for pair in pairs if pair[1].at]


def _compare(
    known: LoggedRun, points: LoggedPoints, each: LoggedData, files: tuple[str, str], found: SearchFindings
) -> None:
    """Whether the points of a run agree with its meta file."""
    place, meta = (files[0], points.line), files[1]
    if not points.at:
        found.say("search-file", place, "a run without a point", _LOST)
        return
    sign = -1.0 if each.maximize else 1.0
    best = min(sign * value for value in points.values)
    is_end = known.spent is None and _is_of_the_end(known, points, sign)
    if known.spent is None and points.at[-1] < known.best_at and not is_end:
        what = f"the run ends after {points.at[-1]} evaluations, and the best one is"
        hint = "Was the file cut, or is the other direction meant?"
        found.say("search-file", place, f"{what} {known.best_at} in {meta}", hint)
    elif known.spent is not None and points.at[-1] > known.spent:
        what = f"the run has evaluation {points.at[-1]}, and {known.spent} in {meta}"
        found.say("search-file", place, what)
    if is_end:
        return
    off = sign * known.best - best
    slack = max(_ROUNDED * max(1.0, abs(best)), known.rounded * abs(best))
    reached = known.best_at in points.at
    what = f"the best value of the run is {sign * best + 0.0:g}"
    what += f", and {known.best:g} in {meta}"
    if reached and -off > slack:
        found.say("search-file", place, what)
    elif off > slack:  # so with triggers that leave improvements out, by ioh 0.3.22
        hint = "The data are taken. Did its logger leave improvements out?"
        found.say("search-best", place, what, hint)


def _is_of_the_end(known: LoggedRun, points: LoggedPoints, sign: float) -> bool:
    """Whether what a record says is of a whole run, as in 2020, and its value fits.

    Then it is behind all that was logged, and the best that this has, transformed.
    """
    best = min(sign * value for value in points.transformed)
    slack = max(_ROUNDED, 2 * known.rounded) * max(1.0, abs(best))
    return points.at[-1] <= known.best_at and abs(sign * known.best - best) <= slack


def _blocks(text: str, file: str, found: SearchFindings) -> list[LoggedPoints]:
    """The runs of a data file; what is wrong with a line is told."""
    blocks: list[LoggedPoints] = []
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if "evaluation" in line]
    if any(line.strip() for line in lines[: starts[0] if starts else None]):
        what = f"does not begin with the names {_AT[0]} {_VALUE[0]}"
        found.say("search-file", (file, 1), what, "It is no data of IOHprofiler.")
        return []
    for start, end in pairwise([*starts, len(lines)]):
        names = re.findall(r'"([^"]*)"', lines[start]) or lines[start].split()
        at, value = (_first(names, known) for known in (_AT, _VALUE))
        block = LoggedPoints(start + 1, [], [])
        blocks.append(block)
        if at is None or value is None:
            what = f"the columns are {', '.join(names[:8])}, without"
            what += f" {_AT[0]} or {_VALUE[0]}"
            found.say("search-file", (file, start + 1), what, "Log it.")
            continue
        names = [name for name in names if name != _NO_NAME]
        other = names.index(_TRANSFORMED) if _TRANSFORMED in names else value
        layout = at, value, len(names), other
        rows = lines[start + 1 : end]
        if not _read_plain(block, rows, layout):
            for line, row in enumerate(rows, start + 2):
                if row.strip():
                    _point(block, row.split(), layout, (file, line), found)
    if text and not text.endswith("\n"):
        what = "the file ends in the middle of a line"
        found.say("search-file", (file, text.count("\n") + 1), what, _LOST)
    return blocks


def _first(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def _read_plain(block: LoggedPoints, rows: Sequence[str], layout: tuple[int, int, int, int]) -> bool:
    """Read all points at once; False, and none, where a line may not be as it must."""
    at, value, width, other = layout
    rows = [row for row in rows if row]
    cells = " ".join(rows).split()
    if not all(row.count(" ") == width - 1 for row in rows) or not all(map(_PLAIN.fullmatch, rows)):
        return False
    if len(cells) != width * len(rows):
        return False
    try:
        table = np.array(cells, np.float64).reshape(-1, width)
    except ValueError:
        return False
    when = table[:, at]
    if not (
        np.isfinite(table).all()
        and (when == np.floor(when)).all()
        and (np.diff(when, prepend=0) > 0).all()
        and (when < 2**31).all()
    ):
        return False
    block.at += when.astype(np.int64).tolist()
    block.values += table[:, value].tolist()
    block.transformed += table[:, other].tolist()
    return True


def _point(
    block: LoggedPoints,
    cells: Sequence[str],
    layout: tuple[int, int, int, int],
    place: tuple[str, int],
    found: SearchFindings,
) -> None:
    at, value, width, other = layout
    if len(cells) != width:
        what = f"{len(cells)} cells instead of {width}"
        found.say("search-file", place, what, _LOST)
        return
    when, what_was = number(cells[at]), number(cells[value])
    if when is None or not when.is_integer() or not 0 < when < 2**31:
        found.say("trajectory-value", place, f"{cells[at]!r} is no number of evaluations")
    elif what_was is None:
        found.say("trajectory-value", place, f"{cells[value]!r} is no finite value")
    elif block.at and when <= block.at[-1]:
        what = f"evaluation {when:g} comes after {block.at[-1]} of the same run"
        found.say("trajectory-order", place, what)
    else:
        block.at.append(int(when))
        block.values.append(what_was)
        transformed = number(cells[other])
        block.transformed.append(what_was if transformed is None else transformed)


def iohprofiler_format(direction: str) -> Format:
    """The format; direction: min or max where the files do not say it, else empty."""
    return Format(
        "iohprofiler",
        _find,
        absent(
            "holds no IOHprofiler_*.json or *.info, nor do the folders in it",
            "Name a folder that its logger wrote.",
        ),
        default_name,
        partial(_load, direction),
        lambda location, _: default_name(location),
        partial(read, direction),
    )


IOHPROFILER = iohprofiler_format("")
