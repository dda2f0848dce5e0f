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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import LIMIT, NAMES, new_finding
from aslib_eval.formats.runs.cells import number
from aslib_eval.formats.sources import (
    Location,
    Source,
    Sources,
    algorithm_table,
    decoded,
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
LARGEST = 2**31  # no count reaches it
ROUNDED = 0.06  # of the two digits in which records write a value
RUN = re.compile(r"(\d{1,9}):(\d{1,15})\|([^|\s]+)")  # instance:evaluations|value
LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
Place = tuple[str, int | None]


class SearchFindings:
    """What is wrong with an archive; after twenty of a kind they are counted."""

    def __init__(self) -> None:
        self._found: dict[str, list[Finding]] = {}
        self._more: Counter[tuple[str, str]] = Counter()

    def say(self, code: str, place: Place, what: str, hint: str = "") -> None:
        """Record a finding at a file and line."""
        listed = self._found.setdefault(code, [])
        if len(listed) < LIMIT:
            listed.append(new_finding(code, file=place[0], line=place[1], what=what, hint=hint))
        else:
            self._more[code, place[0]] += 1

    def once(self, code: str, place: Place, what: str, hint: str = "") -> None:
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
    place: Place
    solved: int | None = None
    origin: tuple[str, int] = ("", 0)

    @property
    def spent(self) -> int:
        """Evaluations until the end."""
        return int(self.at[-1])


def instance_of(function: int, dimension: int) -> str:
    """The name that function and dimension give an instance."""
    return f"f{function:03d}_d{dimension:02d}"


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


@dataclass
class SearchPoints:
    """A run as a data file has it: its line of names, and its points.

    transformed: the values of another column, where one is asked for.
    """

    line: int
    at: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    transformed: list[float] = field(default_factory=list)

    def add(self, place: Place, cells: Sequence[str], found: SearchFindings, *, ties: bool = False) -> None:
        """Add a point, or say why it is none.

        cells: evaluations, value, and the other value. ties: whether a point may be there twice.
        """
        when, value = number(cells[0]), number(cells[1])
        if when is None or not when.is_integer() or not 0 < when < LARGEST:
            found.say("trajectory-value", place, f"{cells[0]!r} is no number of evaluations")
        elif value is None:
            kind = "precision" if ties else "value"
            found.say("trajectory-value", place, f"{cells[1]!r} is no finite {kind}")
        elif (
            self.at
            and when <= self.at[-1]
            and not (ties and (when, value) == (self.at[-1], self.values[-1]))
        ):
            what = f"evaluation {when:g} comes after {self.at[-1]} of the same run"
            found.say("trajectory-order", place, what)
        else:
            self.at.append(int(when))
            self.values.append(value)
            for cell in cells[2:]:
                transformed = number(cell)
                self.transformed.append(value if transformed is None else transformed)


def runs_of(
    text: str, file: str, starts: Sequence[int], found: SearchFindings
) -> Iterator[tuple[int, str, list[tuple[Place, list[str]]]]]:
    """The runs of a data file: line and text of the names, and place and cells of each point.

    starts: the lines that begin a run, from 0.
    """
    lines = text.split("\n")
    for start, end in pairwise([*starts, len(lines)]):
        rows = enumerate(lines[start + 1 : end], start + 2)
        yield start + 1, lines[start], [((file, n), row.split()) for n, row in rows if row.strip()]
    if text and not text.endswith("\n"):
        found.say("search-file", (file, len(lines)), "the file ends in the middle of a line", LOST)


_PAIR = re.compile(r"\s*([A-Za-z_][\w ]*?)\s*=\s*('[^']*'|\"[^\"]*\"|[^,]*?)\s*(?:,|$)")


def record_rows(text: str) -> list[tuple[int, str]]:
    """The lines of a file of records, with their numbers; comments and blank ones are left out."""
    rows = enumerate(text.split("\n"), 1)
    return [(line, row) for line, row in rows if row.strip() and not row.lstrip().startswith("%")]


def record_of(line: str) -> dict[str, str]:
    """The values of a line ``key = value, key = 'text', …``; none where it is none."""
    if not _PAIR.match(line) or "|" in line.partition("=")[0]:
        return {}
    return {key: value.strip("'\"") for key, value in _PAIR.findall(line)}


def inside(meta: str, path: str) -> str | None:
    """The name of a data file in an archive that a meta file names; None if outside."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or ".." in parts or path[:1] in ("/", "\\") or ":" in parts[0] or "\0" in path:
        return None
    return str(PurePosixPath(meta).parent.joinpath(*parts))


def check_grid(runs: Sequence[SearchRun], found: SearchFindings) -> None:
    """Whether every algorithm has runs on every instance, from one folder, as many."""
    counts: Counter[tuple[str, str]] = Counter()
    folders: dict[tuple[str, str, int], dict[str, Place]] = {}
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
                hint = "Run it there, or leave the instance or the algorithm out."
                found.say("run-missing", place, f"{algorithm} has no run on {instance}, others have", hint)
            elif n < most:
                uneven.append((place, f"{algorithm} has {n} of {most} on {instance}"))
    if uneven:
        listed = list_names([text for _, text in uneven[:3]], len(uneven), 3, quoted=False)
        what = f"algorithms have different numbers of runs: {listed}"
        hint = "What compares trial by trial, as 'optimisers', will refuse them."
        found.say("search-uneven", uneven[0][0], what, hint)


def parsed(archive: SearchArchive, location: Location, sources: Sources, found: SearchFindings) -> Parsed:
    """The relations of an archive; none if there is an error."""
    if not found.is_broken and not archive.runs:
        found.say("runs-empty", (location.shown, None), "the archive holds no run")
    if not found.is_broken:
        check_grid(archive.runs, found)
    if found.is_broken:
        return Parsed(found.all)
    runs = sorted(archive.runs, key=lambda r: (r.instance, r.algorithm, r.repetition))
    # A run is solved below the cutoff, not at it.
    largest = max(run.spent for run in runs)
    cutoff = float(largest + any(run.solved == largest for run in runs))
    for what in (*_sentences(archive, runs, cutoff), *archive.said):
        found.say("runs-understood", (location.shown, None), what)
    measures = [(archive.measure, "solution_quality", archive.maximize), (EVALUATIONS, "runtime", False)]
    scenario: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": n,
            "measure_type": kind,
            "maximize": more,
            "cutoff": cutoff,
            "missing": [],
            "time_unit": EVALUATIONS,
            "source_sha256": digest_of(sources),
        }
        for n, (measure, kind, more) in enumerate(measures, 1)
    ]
    instances = {run.instance: run for run in runs}
    attributes = [
        {"instance_id": instance, "attribute": name, "value": str(value)}
        for instance, run in instances.items()
        for name, value in (
            ("family", archive.family[instance]),
            ("function", run.function),
            ("dimension", run.dimension),
        )
    ]
    optimum = [{"role": "optimum", "value": archive.optimum}] if archive.optimum is not None else []
    feature = {"feature": "dimension", "of": "instance", "position": 1, "steps": [], "has_values": True}
    dimensions = [
        {"instance_id": instance, "repetition": 1, "feature": "dimension", "value": float(run.dimension)}
        for instance, run in instances.items()
    ]
    tables = {
        "scenario": table("scenario", scenario),
        "source": source_table(sources),
        "algorithm": algorithm_table(sorted({run.algorithm for run in runs})),
        "run": table("run", [row for run in runs for row in _run_rows(run, archive)]),
        "trajectory": _trajectory_table(runs, archive.measure),
        "reference": table("reference", [{"instance_id": i, **row} for i in instances for row in optimum]),
        "attribute": table("attribute", attributes),
        "feature": table("feature", [feature]),
        "feature_value": table("feature_value", dimensions),
    }
    return Parsed(found.all, {name: each for name, each in tables.items() if each.num_rows})


def _sentences(archive: SearchArchive, runs: Sequence[SearchRun], cutoff: float) -> Iterator[str]:
    algorithms = sorted({run.algorithm for run in runs})
    names = list_names(algorithms, len(algorithms), NAMES)
    yield f"{plural(len(algorithms), 'algorithm')}: {names}"
    dimensions = sorted({run.dimension for run in runs})
    listed = ", ".join(map(str, dimensions[:NAMES]))
    yield (
        f"{plural(len({run.function for run in runs}), 'function')}"
        f" in {plural(len(dimensions), 'dimension')} ({listed}):"
        f" {plural(len({run.instance for run in runs}), 'instance')}, {plural(len(runs), 'run')},"
        f" {plural(sum(run.at.size for run in runs), 'point')}"
    )
    budgets = {run.spent for run in runs}
    ends = f"{min(budgets)} to {max(budgets)}" if len(budgets) > 1 else f"{cutoff:g}"
    better = "more" if archive.maximize else "less"
    yield f"{better} {archive.measure} is better; runs of {ends} evaluations"


def _run_rows(run: SearchRun, archive: SearchArchive) -> list[dict[str, Any]]:
    """Of both measures: what the run found at last, and the evaluations that it took."""
    key = {"instance_id": run.instance, "repetition": run.repetition, "algorithm": run.algorithm}
    final = float(max(run.values) if archive.maximize else min(run.values))
    used, status = (run.spent, "timeout") if run.solved is None else (run.solved, "ok")
    return [
        {**key, "measure": archive.measure, "value": final, "runstatus": "ok"},
        {**key, "measure": EVALUATIONS, "value": used, "runstatus": status},
    ]


def _trajectory_table(runs: Sequence[SearchRun], measure: str) -> pa.Table:
    sizes = [run.at.size for run in runs]
    at = np.concatenate([run.at for run in runs])

    def each(of: Sequence[Any]) -> pa.Array:
        codes = pa.array(of).dictionary_encode()
        return codes.dictionary.take(pa.array(np.repeat(codes.indices, sizes)))

    columns = {
        "instance_id": each([run.instance for run in runs]),
        "algorithm": each([run.algorithm for run in runs]),
        "trial": each([run.repetition for run in runs]),
        "measure": each([measure] * len(runs)),
        "step": np.concatenate([np.arange(1, size + 1) for size in sizes]),
        "suggestion": np.ones(at.size, np.int32),
        "elapsed": at.astype(np.float64),
        "value": np.concatenate([run.values for run in runs]),
        "visible": pa.nulls(at.size, pa.float64()),
    }
    return table_of_columns("trajectory", columns)


def table_of_columns(relation: str, columns: Mapping[str, Any]) -> pa.Table:
    """Columns in the contract's schema; texts by a dictionary where it has one."""
    schema, arrays = RELATIONS[relation].schema, []
    for each in schema:
        array = pa.array(columns[each.name])
        if pa.types.is_dictionary(each.type):
            array = array.cast(each.type.value_type).dictionary_encode()
        arrays.append(array.cast(each.type))
    return pa.table(arrays, schema=schema)


def archives_in(path: Path, meta: re.Pattern[str]) -> list[Path]:
    """The archives of a folder if there are several, each of one algorithm; else none.

    meta: matches the name of a file that tells.
    """
    if not path.is_dir():
        return []
    found = sorted(p for p in path.iterdir() if is_archive(p) and p.is_file())
    own = all(any(map(meta.match, first_names(p))) for p in found)
    return found if len(found) > 1 and own else []


def load_all(
    location: Location, load: Callable[[Location], dict[str, Source]], meta: re.Pattern[str]
) -> dict[str, Source]:
    """The files that ``load`` finds in a folder and in its archives, by their path."""
    sources = load(location)
    for archive in archives_in(location.path, meta):
        with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
            files = load(Location(unpack(archive, Path(scratch)), location.file(archive.name)))
        sources |= {f"{archive.name}/{name}": each for name, each in files.items()}
    return sources
