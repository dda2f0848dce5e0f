"""Runs of optimisers as their loggers count them: in evaluations, not in time.

What the archives of IOHprofiler and of COCO have in common: runs that belong to a function, a dimension and
an instance of it, with the points on their way. A scenario of them has two measures: the quality that was
logged, and ``evaluations``, which takes the place of a runtime, with the largest budget of any run as its
cutoff.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import LIMIT, NAMES, new_finding
from aslib_eval.formats.csv_rows import decoded
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.sources import (
    Location,
    Source,
    Sources,
    algorithm_table,
    digest_of,
    first_names,
    is_archive,
    source_table,
    table,
    unpack,
)
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.text import list_names, plural

EVALUATIONS = "evaluations"


class SearchFindings:
    """What is wrong with an archive; after twenty of a kind they are counted."""

    def __init__(self) -> None:
        self._found: dict[str, list[Finding]] = {}
        self._more: Counter[tuple[str, str]] = Counter()

    def say(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record a finding at a file and line."""
        file, line = place
        listed = self._found.setdefault(code, [])
        if len(listed) < LIMIT:
            listed.append(new_finding(code, file=file, line=line, what=what, hint=hint))
        else:
            self._more[code, file] += 1

    def once(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record a finding that holds for more than one place at the first alone."""
        if all(each.message != what for each in self._found.get(code, ())):
            self.say(code, place, what, hint)

    def text_of(self, content: bytes, file: str) -> str | None:
        """A file as text; None where it is none, which is recorded."""
        text = decoded(content, file=file, code="search-file")
        if isinstance(text, Finding):
            self.say("search-file", (file, text.line), text.message)
            return None
        return text

    @property
    def all(self) -> tuple[Finding, ...]:
        """All of them, in the order in which their kinds were met."""
        rest = (
            new_finding(code, file=file, what=f"and {n} more of {code!r}")
            for (code, file), n in self._more.items()
        )
        return (*(each for found in self._found.values() for each in found), *rest)

    @property
    def is_broken(self) -> bool:
        """Whether there is an error."""
        return any(each.severity == "error" for each in self.all)


@dataclass(frozen=True, eq=False)
class SearchRun:
    """A run of an optimiser on an instance of a function.

    repetition: number among the runs of the algorithm there. at: (n_points,) evaluations, ascending; the
    last one is the end of the run. values: (n_points,) what was logged there. solved: evaluations until the
    final target; None = not reached, or there is none. place: file and line where the run begins. origin:
    the folder or archive it is of, and what else tells runs of one algorithm on an instance apart.
    """

    algorithm: str
    function: int
    dimension: int
    instance: str
    repetition: int
    at: NDArray[np.int64]
    values: NDArray[np.float64]
    place: tuple[str, int | None]
    solved: int | None = None
    origin: tuple[str, int] = ("", 0)

    @property
    def spent(self) -> int:
        """Evaluations until the end."""
        return int(self.at[-1])


@dataclass(frozen=True)
class SearchArchive:
    """What an archive holds: its runs, and what they logged.

    family: instance → label of its function. optimum: value of the measure that is best on every instance;
    None = not known.
    """

    measure: str
    maximize: bool
    runs: Sequence[SearchRun]
    family: Mapping[str, str]
    optimum: float | None = None
    said: Sequence[str] = ()


_PAIR = re.compile(r"\s*([A-Za-z_][\w ]*?)\s*=\s*('[^']*'|\"[^\"]*\"|[^,]*?)\s*(?:,|$)")


def record_of(line: str) -> dict[str, str]:
    """The values of a line ``key = value, key = 'text', …``; none where it is none."""
    if not _PAIR.match(line) or "|" in line.partition("=")[0]:
        return {}
    return {key: value.strip("'\"") for key, value in _PAIR.findall(line)}


def cells_of(place: str, dimension: int) -> str:
    """The part of an instance's name that function and dimension make."""
    return f"{place}_d{dimension:02d}"


def inside(meta: str, path: str) -> str | None:
    """The name of a data file in an archive that a meta file names; None if outside."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or ".." in parts or path[:1] in ("/", "\\") or ":" in parts[0] or "\0" in path:
        return None
    return str(PurePosixPath(meta).parent.joinpath(*parts))


def check_grid(runs: Sequence[SearchRun], found: SearchFindings) -> None:
    """Whether every algorithm has runs on every instance, from one folder, as many."""
    counts: Counter[tuple[str, str]] = Counter()
    folders: dict[tuple[str, str, int], dict[str, tuple[str, int | None]]] = {}
    for run in runs:
        counts[run.algorithm, run.instance] += 1
        folder, which = run.origin
        of = folders.setdefault((run.algorithm, run.instance, which), {})
        of.setdefault(folder, run.place)
    told = set()
    for (algorithm, instance, _), places in folders.items():
        names = tuple(places)
        if len(names) > 1 and (algorithm, names) not in told:
            told.add((algorithm, names))
            what = f"{algorithm} has runs on {instance} in {names[0]} too"
            hint = "Give one of the two another name, or put them into one folder."
            found.say("row-duplicate", places[names[1]], what, hint)
    algorithms = dict.fromkeys(run.algorithm for run in runs)
    first = {run.instance: run.place for run in reversed(runs)}
    uneven = []
    for instance, place in sorted(first.items()):
        most = max(counts[algorithm, instance] for algorithm in algorithms)
        for algorithm in algorithms:
            n = counts[algorithm, instance]
            if not n:
                what = f"{algorithm} has no run on {instance}, others have"
                hint = "Run it there, or leave the instance or the algorithm out."
                found.say("run-missing", place, what, hint)
            elif n < most:
                uneven.append((place, f"{algorithm} has {n} of {most} on {instance}"))
    if uneven:
        first_few = [text for _, text in uneven[:3]]
        listed = list_names(first_few, len(uneven), 3, quoted=False)
        what = f"algorithms have different numbers of runs: {listed}"
        hint = "What compares trial by trial, as 'optimisers', will refuse them."
        found.say("search-uneven", uneven[0][0], what, hint)


def parsed(archive: SearchArchive, location: Location, sources: Sources, found: SearchFindings) -> Parsed:
    """The relations of an archive; none if there is an error."""
    runs = archive.runs
    if not found.is_broken and not runs:
        found.say("runs-empty", (location.shown, None), "the archive holds no run")
    if not found.is_broken:
        check_grid(runs, found)
    if found.is_broken:
        return Parsed(found.all)
    runs = sorted(runs, key=lambda r: (r.instance, r.algorithm, r.repetition))
    algorithms = sorted({run.algorithm for run in runs})
    dimension = {run.instance: float(run.dimension) for run in runs}
    cutoff = _cutoff(runs)
    for what in (*_sentences(archive, algorithms, dimension, cutoff), *archive.said):
        found.say("runs-understood", (location.shown, None), what)
    measures = [(archive.measure, "solution_quality", archive.maximize)]
    measures.append((EVALUATIONS, "runtime", False))
    of_all: dict[str, Any] = {
        "folder": location.folder,
        "missing": [],
        "time_unit": EVALUATIONS,
        "source_sha256": digest_of(sources),
        "cutoff": cutoff,
    }
    scenario: list[dict[str, Any]] = [
        {"measure": m, "measure_index": n, "measure_type": kind, "maximize": more} | of_all
        for n, (m, kind, more) in enumerate(measures, 1)
    ]
    optimum = () if archive.optimum is None else dimension
    reference = [{"instance_id": i, "role": "optimum", "value": archive.optimum} for i in optimum]
    attribute = {
        (run.instance, name): str(value)
        for run in runs
        for name, value in (
            ("family", archive.family[run.instance]),
            ("function", run.function),
            ("dimension", run.dimension),
        )
    }
    feature = {"feature": "dimension", "of": "instance", "position": 1, "steps": []}
    tables = {
        "scenario": table("scenario", scenario),
        "source": source_table(sources),
        "algorithm": algorithm_table(algorithms),
        "run": _run_table(runs, archive),
        "trajectory": _trajectory_table(runs, archive.measure),
        "reference": table("reference", reference),
        "attribute": table(
            "attribute",
            [
                {"instance_id": i, "attribute": name, "value": value}
                for (i, name), value in attribute.items()
            ],
        ),
        "feature": table("feature", [{**feature, "has_values": True}]),
        "feature_value": table(
            "feature_value",
            [
                {"instance_id": i, "repetition": 1, "feature": "dimension", "value": d}
                for i, d in dimension.items()
            ],
        ),
    }
    return Parsed(found.all, {n: t for n, t in tables.items() if t.num_rows})


def _cutoff(runs: Sequence[SearchRun]) -> float:
    """The largest budget; one more where that many were needed to solve something.

    A run is solved below the cutoff, not at it.
    """
    largest = max(run.spent for run in runs)
    return float(largest + any(run.solved == largest for run in runs))


def _sentences(
    archive: SearchArchive, algorithms: Sequence[str], dimension: Mapping[str, float], cutoff: float
) -> Iterable[str]:
    runs = archive.runs
    names = list_names(algorithms, len(algorithms), NAMES)
    yield f"{plural(len(algorithms), 'algorithm')}: {names}"
    functions = {run.function for run in runs}
    dimensions = sorted({int(d) for d in dimension.values()})
    points = sum(run.at.size for run in runs)
    listed = ", ".join(map(str, dimensions[:NAMES]))
    yield (
        f"{plural(len(functions), 'function')}"
        f" in {plural(len(dimensions), 'dimension')} ({listed}):"
        f" {plural(len(dimension), 'instance')}, {plural(len(runs), 'run')},"
        f" {plural(points, 'point')}"
    )
    budgets = {run.spent for run in runs}
    ends = f"{min(budgets)} to {max(budgets)}" if len(budgets) > 1 else f"{cutoff:g}"
    better = "more" if archive.maximize else "less"
    yield f"{better} {archive.measure} is better; runs of {ends} evaluations"


def _names(names: Sequence[str], of: Sequence[str], sizes: Any) -> pa.DictionaryArray:
    """The name of each run, as often as sizes say."""
    at = {name: code for code, name in enumerate(names)}
    codes = np.repeat(np.array([at[name] for name in of], np.int32), sizes)
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(names)))


def _run_table(runs: Sequence[SearchRun], archive: SearchArchive) -> pa.Table:
    best = max if archive.maximize else min
    rows = []
    for run in runs:
        key = {"instance_id": run.instance, "repetition": run.repetition, "algorithm": run.algorithm}
        final = float(best(run.values.tolist()))
        rows.append({**key, "measure": archive.measure, "value": final, "runstatus": "ok"})
        used = run.spent if run.solved is None else run.solved
        status = "timeout" if run.solved is None else "ok"
        rows.append({**key, "measure": EVALUATIONS, "value": used, "runstatus": status})
    return table("run", rows)


def _trajectory_table(runs: Sequence[SearchRun], measure: str) -> pa.Table:
    sizes = np.array([run.at.size for run in runs])
    at = np.concatenate([run.at for run in runs])
    step = np.concatenate([np.arange(1, size + 1) for size in sizes])
    instances = list(dict.fromkeys(run.instance for run in runs))
    algorithms = list(dict.fromkeys(run.algorithm for run in runs))
    columns = {
        "instance_id": _names(instances, [run.instance for run in runs], sizes),
        "algorithm": _names(algorithms, [run.algorithm for run in runs], sizes),
        "trial": np.repeat([run.repetition for run in runs], sizes),
        "measure": _names([measure], [measure] * len(runs), sizes),
        "step": step,
        "suggestion": np.ones(at.size, np.int32),
        "elapsed": at.astype(np.float64),
        "value": np.concatenate([run.values for run in runs]),
        "visible": pa.nulls(at.size, pa.float64()),
    }
    schema = RELATIONS["trajectory"].schema
    arrays = [pa.array(columns[each.name]).cast(each.type) for each in schema]
    return pa.table(arrays, schema=schema)


def archives_in(path: Path, meta: re.Pattern[str]) -> list[Path]:
    """The archives of a folder if there are several, each of one algorithm; else none.

    meta: matches the name of a file that tells.
    """
    found = sorted(p for p in path.iterdir() if is_archive(p) and p.is_file())
    if len(found) > 1 and all(any(map(meta.match, first_names(p))) for p in found):
        return found
    return []


def load_all(
    location: Location, load: Callable[[Location], dict[str, Source]], meta: re.Pattern[str]
) -> dict[str, Source]:
    """The files that ``load`` finds in a folder and in its archives, by their path."""
    sources = load(location)
    if not location.path.is_dir():
        return sources
    for archive in archives_in(location.path, meta):
        with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
            folder = unpack(archive, Path(scratch))
            inside = Location(folder, location.file(archive.name))
            files = load(inside)
        sources |= {f"{archive.name}/{name}": each for name, each in files.items()}
    return sources
