"""Runs of SMT-COMP, whatever file they are of: by track and division."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.text import plural

# Track of the file → as scenarios are called.
# Source: ``Track`` of smtcomp/defs.py, github.com/SMT-COMP/smt-comp.github.io.
TRACKS: Mapping[str, str] = {
    "SingleQuery": "single-query",
    "Parallel": "parallel",
    "Cloud": "cloud",
    "Incremental": "incremental",
    "UnsatCore": "unsat-core",
    "ModelValidation": "model-validation",
    "ProofExhibition": "proof-exhibition",
    "UnsatCoreValidation": "unsat-core-validation",
    "ChallengeIncremental": "challenge-incremental",
    "ChallengeNonIncremental": "challenge-non-incremental",
}
LATEST = 9999  # in the place of a year that no path names
_SHOWN = 3


class SmtBenchmark(NamedTuple):
    """A file that solvers are run on; ``path`` names it among those of its kind.

    incremental: whether it asks several questions; another one may be called alike.
    """

    incremental: bool
    logic: str
    family: str
    name: str

    @classmethod
    def of(cls, folders: Sequence[str], *, incremental: bool) -> SmtBenchmark:
        """The benchmark at a path of its logic, family and name."""
        logic, *family, name = folders
        return cls(incremental, logic, "/".join(family), name)

    @property
    def path(self) -> str:
        """Its logic, family and name."""
        return "/".join(part for part in self[1:] if part)


class SmtRun(NamedTuple):
    """A run as the file has it: times in seconds; n_answers is None where it has none.

    number: its place in the file, from 1. repetition: of the solver on the benchmark, where a file may have
    it twice.
    """

    number: int
    solver: str
    benchmark: SmtBenchmark
    word: str
    wall: float
    cpu: float
    n_answers: int | None
    repetition: int = 1


@dataclass(frozen=True)
class KnownSmtBenchmark:
    """What organisers know of a benchmark: its status, asserts and queries, if said."""

    status: str | None
    asserts: int | None
    check_sats: int | None


@dataclass(frozen=True)
class SmtResults:
    """The runs by track and division, and what is wrong with the file.

    known: what the file itself says of its benchmarks. outside: solvers that the file says do not compete.
    """

    runs: Mapping[tuple[str, str], Sequence[SmtRun]] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    known: Mapping[SmtBenchmark, KnownSmtBenchmark] = field(default_factory=dict)
    outside: frozenset[str] = frozenset()


class RunsByDivision:
    """Runs while a file is read: each is there once, and belongs to a division.

    known: what the file itself says of benchmarks. report: what is wrong with it.
    """

    def __init__(self, year: int, file: str) -> None:
        self.runs: dict[tuple[str, str], list[SmtRun]] = {}
        self.known: dict[SmtBenchmark, KnownSmtBenchmark] = {}
        self.report = LimitedFindings(file)
        self._year, self._file = year, file
        self._seen: dict[tuple[str, str, SmtBenchmark, int], int] = {}

    def wrong(self, what: str, hint: str = "", *, line: int | None = None) -> None:
        """Record an error."""
        self.report.say("runs-file", (self._file, line), what, hint)

    def add(self, track: str, run: SmtRun, *, line: int | None = None) -> None:
        """Add a run; a second one of the same solver and benchmark is an error."""
        key = (track, run.solver, run.benchmark, run.repetition)
        first = self._seen.setdefault(key, run.number)
        if first != run.number:
            what = f"run {run.number}, {run.solver} on {run.benchmark.path}, is there"
            what += f" twice, first as run {first}"
            self.wrong(what, "Leave one of the two out.", line=line)
        division = division_of(run.benchmark.logic, track, self._year)
        self.runs.setdefault((track, division), []).append(run)

    def tell(self, benchmark: SmtBenchmark, status: str, asserts: int | None = None) -> None:
        """Say what is known of a benchmark."""
        truth = status if status in ("sat", "unsat") else None
        self.known[benchmark] = KnownSmtBenchmark(truth, asserts, None)


# Logic → division.


@cache
def _divisions() -> tuple[int, list[dict[str, Any]]]:
    text = Path(__file__).with_name("divisions.toml").read_text(encoding="utf-8")
    facts = tomllib.loads(text)
    return facts["since"], facts["division"]


@cache
def division_of(logic: str, track: str, year: int) -> str:
    """The division of a logic in a track and year; itself where it is of none.

    >>> division_of("QF_ABV", "Parallel", 2025)
    'QF_Equality+Bitvec'
    >>> division_of("QF_ABV", "ModelValidation", 2025), division_of("BV", "Cloud", 2020)
    ('QF_ADT+BitVec', 'BV')
    """
    since, divisions = _divisions()
    if year < since:
        return logic
    fitting = (
        each["name"]
        for each in reversed(divisions)
        if logic in each["logics"].split()
        and track in each.get("tracks", TRACKS)
        and each.get("since", since) <= year <= each.get("until", LATEST)
    )
    return str(next(fitting, logic))


def counted(numbers: Sequence[SmtRun]) -> str:
    """How many runs of each solver there are, the most first: ``cvc5 3, Yices2 1``."""
    counts = Counter(result.solver for result in numbers).most_common()
    more = len(counts) - _SHOWN
    told = ", ".join(f"{solver} {n}" for solver, n in counts[:_SHOWN])
    return told + (f" and {plural(more, 'solver')} more" if more > 0 else "")
