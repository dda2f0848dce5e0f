"""Runs of optimisers that loggers count in evaluations: common code for IOHprofiler and COCO.

A run belongs to a function, a dimension and an instance of it, and has points on its way. A scenario has
two measures: the logged quality, and ``evaluations`` in place of a runtime, whose cutoff is the largest
budget of any run.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
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
    frame_table,
    is_archive,
    source_table,
    table,
    unpack,
)
from aslib_eval.text import list_names, plural

if TYPE_CHECKING:
    import polars as pl

EVALUATIONS = "evaluations"
LARGEST = 2**31  # no count reaches it
ROUNDED = 0.06  # of the two digits in which records write a value
RUN = re.compile(r"(\d{1,9}):(\d{1,15})\|([^|\s]+)")  # instance:evaluations|value
LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
Place = tuple[str, int | None]


class SearchFindings:
    """The faults of an archive; those after the twentieth of a kind are counted."""

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
        """Record a finding only at the first of its places."""
        if all(each.message != what for each in self._found.get(code, ())):
            self.say(code, place, what, hint)

    def text_of(self, content: bytes, file: str) -> str | None:
        """A file as text; if it is not text, None and a finding."""
        text = decoded(content, file=file, code="search-file")
        if isinstance(text, Finding):
            self.say("search-file", (file, text.line), text.message)
            return None
        return text

    @property
    def all(self) -> tuple[Finding, ...]:
        """All findings, in the order in which their kinds were met."""
        rest = (
            new_finding(code, file=file, what=f"and {n} more findings {code!r}")
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

    at: (n_points,) evaluations, ascending, up to the end of the run. values: (n_points,) as logged. solved:
    evaluations until the final target; None = not reached, or no target. place: file and line of its begin.
    origin: its folder or archive, and a number that tells runs of an algorithm on an instance apart.
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
    """The name of an instance by function and dimension."""
    return f"f{function:03d}_d{dimension:02d}"


@dataclass(frozen=True)
class SearchArchive:
    """The runs of an archive and their measure.

    family: instance → label of its function. optimum: the best possible value, the same on every instance;
    None = not known. said: sentences for the user.
    """

    measure: str
    maximize: bool
    runs: Sequence[SearchRun]
    family: Mapping[str, str]
    optimum: float | None = None
    said: Sequence[str] = ()


@dataclass
class SearchPoints:
    """A run in a data file: its line of names and its points; transformed: values of a further column."""

    line: int
    at: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    transformed: list[float] = field(default_factory=list)

    def add(self, place: Place, cells: Sequence[str], found: SearchFindings, *, ties: bool = False) -> None:
        """Add a point, or record its fault.

        cells: evaluations, value, and a further value. ties: whether a point may occur twice.
        """
        when, value = number(cells[0]), number(cells[1])
        if when is None or not when.is_integer() or not 0 < when < LARGEST:
            found.say("trajectory-value", place, f"{cells[0]!r} is not a number of evaluations")
        elif value is None:
            kind = "precision" if ties else "value"
            found.say("trajectory-value", place, f"{cells[1]!r} is not a finite {kind}")
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

    starts: the first lines of runs, from 0.
    """
    lines = text.split("\n")
    for start, end in pairwise([*starts, len(lines)]):
        rows = enumerate(lines[start + 1 : end], start + 2)
        yield start + 1, lines[start], [((file, n), row.split()) for n, row in rows if row.strip()]
    if text and not text.endswith("\n"):
        found.say("search-file", (file, len(lines)), "the file ends in the middle of a line", LOST)


_PAIR = re.compile(r"\s*([A-Za-z_][\w ]*?)\s*=\s*('[^']*'|\"[^\"]*\"|[^,]*?)\s*(?:,|$)")


def record_rows(text: str) -> list[tuple[int, str]]:
    """The numbered lines of a file of records, without comments and blank lines."""
    rows = enumerate(text.split("\n"), 1)
    return [(line, row) for line, row in rows if row.strip() and not row.lstrip().startswith("%")]


def record_of(line: str) -> dict[str, str]:
    """The values of a line ``key = value, key = 'text', …``; empty for other lines."""
    if not _PAIR.match(line) or "|" in line.partition("=")[0]:
        return {}
    return {key: value.strip("'\"") for key, value in _PAIR.findall(line)}


def inside(meta: str, path: str) -> str | None:
    """The path in the archive of a file that a meta file names; None if outside."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or ".." in parts or path[:1] in ("/", "\\") or ":" in parts[0] or "\0" in path:
        return None
    return str(PurePosixPath(meta).parent.joinpath(*parts))


def check_grid(runs: Sequence[SearchRun], found: SearchFindings) -> None:
    """Check that every algorithm has the same number of runs on every instance, from one folder."""
    counts = Counter((run.algorithm, run.instance) for run in runs)
    folders: dict[tuple[str, str, int], dict[str, Place]] = {}
    for run in runs:
        folder, which = run.origin
        of = folders.setdefault((run.algorithm, run.instance, which), {})
        of.setdefault(folder, run.place)
    told = set()
    for (algorithm, instance, _), places in folders.items():
        names = tuple(places)
        if len(names) > 1 and (algorithm, names) not in told:
            told.add((algorithm, names))
            what = f"{algorithm} also has runs on {instance} in {names[0]}"
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
                hint = "Run the algorithm on this instance, or leave out the instance or the algorithm."
                what = f"{algorithm} has no run on {instance}, but other algorithms do"
                found.say("run-missing", place, what, hint)
            elif n < most:
                uneven.append((place, f"{algorithm} has {n} of {most} on {instance}"))
    if uneven:
        listed = list_names([text for _, text in uneven[:3]], len(uneven), 3, quoted=False)
        what = f"algorithms have different numbers of runs: {listed}"
        hint = "'aslib-eval optimisers' compares trial by trial, and refuses such runs."
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
    optimum = {"role": "optimum", "value": archive.optimum}
    references = [{"instance_id": i, **optimum} for i in instances if archive.optimum is not None]
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
        "trajectory": frame_table("trajectory", _trajectory(runs, archive.measure)),
        "reference": table("reference", references),
        "attribute": table("attribute", attributes),
        "feature": table("feature", [feature]),
        "feature_value": table("feature_value", dimensions),
    }
    return Parsed(found.all, {name: each for name, each in tables.items() if each.num_rows})


def _sentences(archive: SearchArchive, runs: Sequence[SearchRun], cutoff: float) -> Iterator[str]:
    algorithms = sorted({run.algorithm for run in runs})
    yield f"{plural(len(algorithms), 'algorithm')}: {list_names(algorithms, len(algorithms), NAMES)}"
    dimensions = sorted({run.dimension for run in runs})
    yield (
        f"{plural(len({run.function for run in runs}), 'function')}"
        f" in {plural(len(dimensions), 'dimension')} ({', '.join(map(str, dimensions[:NAMES]))}):"
        f" {plural(len({run.instance for run in runs}), 'instance')}, {plural(len(runs), 'run')},"
        f" {plural(sum(run.at.size for run in runs), 'point')}"
    )
    budgets = {run.spent for run in runs}
    ends = f"{min(budgets)} to {max(budgets)}" if len(budgets) > 1 else f"{cutoff:g}"
    better = "more" if archive.maximize else "less"
    yield f"{better} {archive.measure} is better; runs of {ends} evaluations"


def _run_rows(run: SearchRun, archive: SearchArchive) -> list[dict[str, Any]]:
    """A row for each measure: the best value of the run, and its evaluations."""
    key = {"instance_id": run.instance, "repetition": run.repetition, "algorithm": run.algorithm}
    final = float(max(run.values) if archive.maximize else min(run.values))
    used, status = (run.spent, "timeout") if run.solved is None else (run.solved, "ok")
    return [
        {**key, "measure": archive.measure, "value": final, "runstatus": "ok"},
        {**key, "measure": EVALUATIONS, "value": used, "runstatus": status},
    ]


def _trajectory(runs: Sequence[SearchRun], measure: str) -> pl.DataFrame:
    import polars as pl

    sizes = [run.at.size for run in runs]
    rows = np.repeat(np.arange(len(runs)), sizes)
    names = pl.DataFrame(
        {
            "instance_id": [run.instance for run in runs],
            "algorithm": [run.algorithm for run in runs],
            "trial": [run.repetition for run in runs],
        }
    )
    return names[rows].with_columns(
        measure=pl.lit(measure),
        step=pl.Series(np.concatenate([np.arange(1, size + 1) for size in sizes])),
        suggestion=1,
        elapsed=pl.Series(np.concatenate([run.at for run in runs])).cast(pl.Float64),
        value=pl.Series(np.concatenate([run.values for run in runs])),
    )


def archives_in(path: Path, meta: re.Pattern[str]) -> list[Path]:
    """The archives of a folder, if there are several and each is of one algorithm; else none.

    meta: matches the name of a file by which such an archive is recognised.
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
