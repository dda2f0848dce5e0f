"""Raw results of competitions: the runs, warnings about odd ones, and the relations of a scenario.

A run has times, a status, the solver's answer and its meaning. The competition ranks by the first measure.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.formats import Finder, Format, Parsed, TableChoices, absent
from aslib_eval.formats.aslib.lint import LimitedFindings, new_finding
from aslib_eval.formats.runs.cells import odd_clocks
from aslib_eval.formats.sources import (
    HEAD,
    FileHead,
    FilesRead,
    Location,
    Source,
    Sources,
    digest_of,
    said_as_source,
    shown,
    source_table,
    table,
)
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.text import join_words, plural

GROUND_TRUTH = "ground_truth"
OUTSIDE = "hors concours"
_SAID = ("repetition", "said", "claim", "objective", "n_answers", "judged")
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")


class CompetitionRun(NamedTuple):
    """A run: its times [s] in the order of the measures, None where it has none.

    status: as in the lake. said, claim, judged, objective: as in the relation ``answer``, which has no row
    for a run with an unknown answer.
    """

    instance: str
    solver: str
    times: tuple[float | None, ...]
    status: str
    said: str | None = None
    claim: str | None = None
    n_answers: int | None = None
    judged: str | None = None
    objective: float | None = None
    repetition: int = 1


@dataclass(frozen=True)
class CompetitionRuns:
    """The runs of a track, or of a division of it.

    measures: times in seconds, or another type without a cutoff. attributes: attribute → instance → value.
    disputed: instance → contradictory claims, where the truth is unknown. references: role, such as optimum
    → instance → value. roles: solver → its role, if it does not compete.
    """

    runs: Sequence[CompetitionRun]
    measures: Sequence[str]
    cutoff: float | None
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disputed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    measure_type: str = "runtime"
    roles: Mapping[str, str] = field(default_factory=dict)


def year_of(path: str) -> str:
    """The last year in a path, or an empty text.

    >>> year_of("2024/sc2023-detailed-results.zip/results_main_detailed.csv")
    '2023'
    """
    found = _YEAR.findall(Path(path).as_posix())
    return found[-1] if found else ""


def relations(found: CompetitionRuns, *, location: Location, sources: Sources) -> dict[str, pa.Table]:
    """Every relation that the runs have rows for, in the contract's schema."""
    runs, size = found.runs, len(found.measures)
    scenario: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": found.measure_type,
            "maximize": False,
            "cutoff": found.cutoff,
            "time_unit": "s" if found.measure_type == "runtime" else None,
            "missing": [],
            "source_sha256": digest_of(sources),
        }
        for index, measure in enumerate(found.measures, 1)
    ]
    algorithms = [
        {"algorithm": solver, "described": False, "has_runs": True, "role": found.roles.get(solver)}
        for solver in sorted({run.solver for run in runs})
    ]
    attributes = [
        {"instance_id": instance, "attribute": name, "value": value}
        for name, values in found.attributes.items()
        for instance, value in values.items()
    ]
    references: list[dict[str, Any]] = [
        {"instance_id": instance, "role": "disputed", "label": ", ".join(claims)}
        for instance, claims in found.disputed.items()
    ]
    references += [
        {"instance_id": instance, "role": role, "value": value}
        for role, values in found.references.items()
        for instance, value in values.items()
    ]
    # Columns are faster than rows, where there are many.
    of_runs = {
        "instance_id": [run.instance for run in runs] * size,
        "repetition": [run.repetition for run in runs] * size,
        "algorithm": [run.solver for run in runs] * size,
        "measure": [name for name in found.measures for _ in runs],
        "value": [run.times[at] for at in range(size) for run in runs],
        "runstatus": [run.status for run in runs] * size,
    }
    known = [run for run in runs if run.said is not None or run.n_answers is not None]
    answers = {"instance_id": [run.instance for run in known], "algorithm": [run.solver for run in known]}
    answers |= {name: [getattr(run, name) for run in known] for name in _SAID}
    built = {
        "scenario": table("scenario", scenario),
        "source": source_table(sources),
        "algorithm": table("algorithm", algorithms),
        "run": pa.Table.from_pydict(of_runs, RELATIONS["run"].schema),
        "answer": pa.Table.from_pydict(answers, RELATIONS["answer"].schema),
        "attribute": table("attribute", attributes),
        "reference": table("reference", references),
    }
    return {name: each for name, each in built.items() if each.num_rows}


# --- what is odd about runs -----------------------------------------------------------

_TIMES = 3  # so many different times of solved runs are never equal by chance
_DAY = 86_400.0  # [s], longer than the limit of any competition
# The most limits that a run can last: a file may hold penalties of twice the limit instead of the limited
# time; the CPU time may come from many cores.
_LIMITS, _CORES = 2.5, 10_000
_NAMES = 20  # with so many equal endings, a single other one is odd


def implausible(found: CompetitionRuns, *, file: str) -> Iterator[Finding]:
    """A warning for solvers with equal runs, for odd limits and times, and for odd names.

    A limit of more than a day is an error if a run with an answer also took longer.
    """
    for solvers in copies(found.runs):
        what = f"{join_words(solvers)} have the same times and answers on all instances"
        hint = "If these are copies, keep one, and remove the others or rank them with --hors-concours."
        yield new_finding("runs-copies", file=file, what=what, hint=hint)
    if found.measure_type == "runtime" and found.cutoff:
        yield from _odd_times(found, found.cutoff, file=file)
    if {"wall_time", "cpu_time"} <= {*found.measures}:
        wall, cpu = map(found.measures.index, ("wall_time", "cpu_time"))
        walls, cpus = ([run.times[at] for run in found.runs] for at in (wall, cpu))
        for at in odd_clocks(walls, cpus):
            run = found.runs[at]
            what = f"{run.solver} on {run.instance} has {cpus[at]:g} s of CPU time in {walls[at]:g} s of"
            what += " wall-clock time, unlike all other runs"
            hint = "Check whether one of the two is in milliseconds or belongs to another run."
            yield new_finding("runs-limit", file=file, what=what, hint=hint)
    names = {run.instance for run in found.runs}
    endings = Counter(name.rpartition(".")[2] for name in names).most_common(2)
    if len(endings) > 1 and endings[0][1] == len(names) - 1 >= _NAMES:
        usual, odd = endings[0][0], endings[1][0]
        name = next(name for name in names if name.rpartition(".")[2] == odd)
        what = f"{name!r} is the only instance whose name does not end in .{usual}"
        yield new_finding("runs-spelling", file=file, what=what, hint="Check its spelling.")


def _odd_times(found: CompetitionRuns, cutoff: float, *, file: str) -> Iterator[Finding]:
    """A warning for a limit of more than a day, or for times that no run can take."""
    if cutoff > _DAY:
        answered = (run.times[0] or 0 for run in found.runs if run.status == "ok")
        yield new_finding(
            "runs-table" if max(answered, default=0) > _DAY else "runs-limit",
            file=file,
            what=f"the limit is {cutoff:g} s, more than a day",
            hint="If the times are in milliseconds, divide all of them by 1000.",
        )
        return
    for at, measure in enumerate(found.measures):
        most = (_CORES if at else _LIMITS) * cutoff
        if runs := [run for run in found.runs if (run.times[at] or 0) > most]:
            first = f"{runs[0].times[at]:g} s of {runs[0].solver} on {runs[0].instance}"
            what = f"{measure} is far above the limit of {cutoff:g} s in {plural(len(runs), 'run')}:"
            what += f" the first has {first}"
            hint = "If these times are in milliseconds, divide them by 1000."
            yield new_finding("runs-limit", file=file, what=what, hint=hint)


def copies(runs: Iterable[CompetitionRun]) -> list[list[str]]:
    """Groups of solvers with equal runs, to the last digit.

    Solvers with fewer than three different times are not compared: they may be equal by chance.
    """
    by_solver: dict[str, list[CompetitionRun]] = defaultdict(list)
    for run in runs:
        by_solver[run.solver].append(run)
    alike: dict[tuple[int, float], list[str]] = defaultdict(list)
    for solver, own in by_solver.items():
        alike[len(own), fsum(time for run in own for time in run.times if time is not None)].append(solver)
    same: dict[frozenset[object], list[str]] = defaultdict(list)
    for solver in (solver for solvers in alike.values() if len(solvers) > 1 for solver in solvers):
        own = by_solver[solver]
        if len({run.times for run in own if run.status == "ok"}) >= _TIMES:
            same[frozenset(run._replace(solver="") for run in own)].append(solver)
    return [sorted(solvers) for solvers in same.values() if len(solvers) > 1]


def contradictions(runs: Iterable[CompetitionRun], *, maximized: frozenset[str]) -> list[str]:
    """A sentence for each instance with claims that contradict each other.

    Contradictions are a solution where another solver proves that there is none, different optima, and a
    solution better than an optimum. maximized: the instances where more is better.
    """
    by_instance: dict[str, list[CompetitionRun]] = defaultdict(list)
    for each in runs:
        if each.claim is not None:
            by_instance[each.instance].append(each)
    return [
        f"{instance}: {what}"
        for instance, said in by_instance.items()
        for what in _of_instance(said, -1 if instance in maximized else 1)
    ]


def _of_instance(said: Sequence[CompetitionRun], sign: int) -> Iterator[str]:
    none = [each for each in said if each.claim == "unsat"]
    some = [each for each in said if each.claim in {"sat", "optimal", "solution"}]
    if none and some:
        yield f"{_claim(none)} that there is no solution, but {_claim(some)} that there is one"
    optima: dict[float, list[CompetitionRun]] = defaultdict(list)
    solutions: list[tuple[float, CompetitionRun]] = []
    for each in said:
        if each.claim == "optimal" and each.objective is not None:
            optima[each.objective].append(each)
        elif each.claim == "solution" and each.objective is not None:
            solutions.append((sign * each.objective, each))
    if len(optima) > 1:
        named = (f"{_names(who)} {value:.15g}" for value, who in sorted(optima.items()))
        yield f"solvers claim different optima: {'; '.join(named)}"
    for optimum, who in optima.items() if len(optima) == 1 else ():
        if better := [(cost, each) for cost, each in solutions if cost < sign * optimum]:
            value = sign * min(cost for cost, _ in better)
            has = "has" if len(better) == 1 else "have"
            what = f"{_claim(who)} the optimum {optimum:.15g}"
            yield f"{what}, but {_names([each for _, each in better])} {has} the better value {value:.15g}"


def _claim(claims: Sequence[CompetitionRun]) -> str:
    return f"{_names(claims)} {'claims' if len(claims) == 1 else 'claim'}"


def _names(claims: Sequence[CompetitionRun]) -> str:
    first = ", ".join(each.solver for each in claims[:3])
    return f"{first} and {len(claims) - 3} more" if len(claims) > 3 else first  # noqa: PLR2004


def claim_findings(
    runs: Iterable[CompetitionRun], *, file: str, maximized: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """A warning for each of the first twenty ``contradictions``."""
    hint = "The rule of the competition decides how this instance and these solvers count."
    report = LimitedFindings(file)
    for what in contradictions(runs, maximized=maximized):
        report.say("runs-claims", (file, None), what, hint)
    return report.findings


# --- files ----------------------------------------------------------------------------


def raw_format(
    name: str,
    find: Callable[[Path, FilesRead], list[Location]],
    about: tuple[str, str],
    identify: Callable[[Location, str], str],
    read: Callable[[RawFile, TableChoices], Parsed],
    beside: Callable[[Path], Mapping[str, Path]] = lambda _: {},
    **more: Any,
) -> Format:
    """A format of raw results with one file for each scenario.

    find: the scenarios at a path. about: what the error says is missing, and a hint. identify: the id of a
    scenario; it begins with the user's name for it, if there is one. beside: further files, by their names
    as sources; for an archive also the files beside it. more: arguments of ``Format``.
    """

    def load(location: Location) -> dict[str, Source]:
        path = location.path
        files = {path.name: path, **beside(path)}
        if location.archive is not None:
            files = {**beside(location.archive.with_name(path.name)), **files}
        with os_errors(hint="Check the permissions."):
            return {name: location.files.source(p) for name, p in files.items()}

    def decided(said: TableChoices) -> Format:
        def claim(location: Location) -> str | None:
            with suppress(AslibError, OSError):
                return identify(location, said.scenario_id)
            return None

        return Format(
            name,
            Finder(find),
            absent(f"holds no {about[0]}", about[1]),
            claim,
            lambda location: load(location) | said_as_source(said.text()),
            lambda location, _: identify(location, said.scenario_id),
            lambda location, sources: read(RawFile(location, sources), said),
            with_choices=decided,
            **{"choices": frozenset({"scenario_id"}), **more},
        )

    return decided(TableChoices())


class RawFile:
    """A file of raw results while it is read, and the findings about it.

    name: the path as the user knows it.
    """

    def __init__(self, location: Location, sources: Sources) -> None:
        self.location, self.sources = location, sources
        self.name = shown(location, location.path.name)
        self.content = sources[location.path.name].content
        self._report = LimitedFindings(self.name)
        self._others: list[Finding] = []

    def say(self, code: str, what: str, hint: str = "", *, line: int | None = None, file: str = "") -> None:
        """Add a finding about a line of the file, or of another file beside it."""
        self._report.say(code, (file or self.name, line), what, hint)

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings of other readers."""
        self._others += findings

    @property
    def is_broken(self) -> bool:
        """Whether a finding is an error."""
        return any(found.severity == "error" for found in (*self._others, *self._report.findings))

    def say_end(self, *, line: int | None = None) -> None:
        """Warn of a last line that does not end."""
        if not self.content.endswith((b"\n", b"\r")):
            what = "the last line has no line end: the file may be incomplete"
            self.say("runs-unended", what, "If it is incomplete, fetch it again.", line=line)

    def say_statuses(self, runs: Iterable[CompetitionRun], *, line: int | None = None) -> None:
        """Say how many runs ended in which way."""
        said = ", ".join(f"{word} {n}" for word, n in sorted(Counter(run.status for run in runs).items()))
        self.say("runs-understood", said, line=line)

    def parsed(
        self,
        found: CompetitionRuns | None = None,
        *,
        maximized: frozenset[str] | None = None,
        more: Mapping[str, pa.Table] | None = None,
    ) -> Parsed:
        """The findings, and the relations of the runs unless a finding is an error.

        maximized: the instances where more is better; None: do not compare the claims. more: further
        relations.
        """
        said = [*self._others, *self._report.findings]
        if found is None or self.is_broken:
            return Parsed(tuple(said))
        said += implausible(found, file=self.name)
        if maximized is not None:
            said += claim_findings(found.runs, file=self.name, maximized=maximized)
        tables = relations(found, location=self.location, sources=self.sources)
        return Parsed(tuple(said), {**tables, **(more or {})})


_GZIP = b"\x1f\x8b"


def refuse_hidden(path: Path, files: FilesRead, is_table: Callable[[FileHead], bool], *, of: str) -> None:
    """Refuse a table of a competition that is not plain CSV.

    The general reader of runs would give it other numbers. is_table: whether the beginning of a plain file
    is such a table. of: the competition.
    """
    name = path.name.lower()
    if not path.is_file() or not name.endswith((".csv", ".csv.gz")):
        return
    content = beginning(path, files)
    if name.endswith(".gz"):
        what, hint = "in a gzip file", f"Unpack it first: gzip -d {path.name}"
        content = content if files.head(path).content.startswith(_GZIP) else b""
    else:
        what, hint = "with semicolons", "Replace the semicolons with commas."
        content = content.replace(b";", b",") if b";" in content.partition(b"\n")[0] else b""
    if content and is_table(FileHead(content, is_whole=False)):
        raise AslibError(f"is a table of {of} {what}", str(path), hint)


def beginning(path: Path, files: FilesRead, size: int = HEAD) -> bytes:
    """The first bytes of a file; a gzipped file is unpacked as far as possible."""
    content = files.head(path).content[:size]
    if not content.startswith(_GZIP):
        return content
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(content, size)
    return b""
