"""What of the runs of a competition is unlikely, or cannot all be so.

Copies, odd times and names; claims that contradict each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import fsum

from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.formats.competition_runs import CompetitionRun, CompetitionRuns
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings, new_finding
from aslib_eval.formats.runs.two_clocks import odd_clocks
from aslib_eval.text import join_words, plural

_TIMES = 3  # so many different times of solved runs are not equal by chance
_DAY = 86_400.0  # [s], longer than the limit of any competition
# No run lasts longer, in limits: of what is limited a file may have penalties of twice the limit in the
# place of times; of others, CPU time on as many cores.
_LIMITS, _CORES = 2.5, 10_000
_NAMES = 20  # so many names that end alike make one that does not odd


def implausible(found: CompetitionRuns, *, file: str) -> Iterator[Finding]:
    """A warning for solvers with the same runs, odd limits and times, and odd names.

    A limit of more than a day is an error if a run with an answer took longer, too.
    """
    for solvers in copies(found.runs):
        what = f"{join_words(solvers)} have the same times and answers on all instances"
        hint = "Is one a copy? Leave the others out, or rank them --hors-concours."
        yield new_finding("runs-copies", file=file, what=what, hint=hint)
    if found.measure_type == "runtime" and (found.cutoff or 0) > _DAY:
        what = f"the limit is {found.cutoff:g} s, more than a day"
        hint = "Are the times milliseconds? Divide all of them by 1000."
        answered = (run.times[0] or 0 for run in found.runs if run.status == "ok")
        code = "runs-table" if max(answered, default=0) > _DAY else "runs-limit"
        yield new_finding(code, file=file, what=what, hint=hint)
    elif found.measure_type == "runtime" and found.cutoff:
        yield from _endless(found, found.cutoff, file=file)
    yield from _clocks(found, file=file)
    yield from _endings(found, file=file)


def _endless(found: CompetitionRuns, cutoff: float, *, file: str) -> Iterator[Finding]:
    """A warning for the times of each measure that no run can have taken."""
    for at, measure in enumerate(found.measures):
        most = (_CORES if at else _LIMITS) * cutoff
        runs = [run for run in found.runs if (run.times[at] or 0) > most]
        if runs:
            first = runs[0]
            what = f"{measure} of {plural(len(runs), 'run')} is far above the limit of {cutoff:g} s, first"
            what += f" that of {first.solver} on {first.instance}, {first.times[at]:g} s"
            hint = "Is it in milliseconds? Divide it by 1000."
            yield new_finding("runs-limit", file=file, what=what, hint=hint)


def _clocks(found: CompetitionRuns, *, file: str) -> Iterator[Finding]:
    """A warning for runs whose two times fit each other as those of no other run do."""
    if {"wall_time", "cpu_time"} <= {*found.measures}:
        wall, cpu = map(found.measures.index, ("wall_time", "cpu_time"))
        times = [(run.times[wall], run.times[cpu]) for run in found.runs]
        for at in odd_clocks([w for w, _ in times], [c for _, c in times]):
            run = found.runs[at]
            what = f"{run.solver} on {run.instance} has {times[at][1]:g} s of CPU time"
            what += f" in {times[at][0]:g} s, which no other run comes near"
            hint = "Is one of the two in milliseconds, or of another run?"
            yield new_finding("runs-limit", file=file, what=what, hint=hint)


def _endings(found: CompetitionRuns, *, file: str) -> Iterator[Finding]:
    """A warning for the one instance whose name ends as that of no other."""
    names = {run.instance for run in found.runs}
    endings = Counter(name.rpartition(".")[2] for name in names)
    (usual, n), *others = endings.most_common(2) or [("", 0)]
    if n >= _NAMES and n == len(names) - 1 and others:
        odd = next(name for name in names if name.rpartition(".")[2] != usual)
        what = f"{odd!r} is the one name of an instance that does not end in .{usual}"
        hint = "Is it spelt as in the file of the instance?"
        yield new_finding("runs-spelling", file=file, what=what, hint=hint)


def copies(runs: Iterable[CompetitionRun]) -> list[list[str]]:
    """Solvers whose runs are all the same, to the last digit, each group in order.

    Who solves nothing, or little, is nobody's copy: two solvers that have fewer than three different times
    may be equal by chance.
    """
    by_solver: dict[str, list[CompetitionRun]] = defaultdict(list)
    for run in runs:
        by_solver[run.solver].append(run)
    alike: dict[tuple[int, float], list[str]] = defaultdict(list)
    for solver, own in by_solver.items():
        times = [time for run in own for time in run.times if time is not None]
        alike[len(own), fsum(times)].append(solver)
    same: dict[frozenset[object], list[str]] = defaultdict(list)
    for solvers in alike.values():
        for solver in solvers if len(solvers) > 1 else ():
            own = by_solver[solver]
            if len({run.times for run in own if run.status == "ok"}) >= _TIMES:
                same[frozenset(run._replace(solver="") for run in own)].append(solver)
    return [sorted(solvers) for solvers in same.values() if len(solvers) > 1]


# Claims of solvers on one instance that cannot all be right.


def contradictions(runs: Iterable[CompetitionRun], *, maximized: frozenset[str]) -> list[str]:
    """A sentence for each instance with claims that contradict each other.

    These are solutions where another solver proves that there is none, different optima, and solutions
    better than an optimum.

    maximized: the instances of which more is better.
    """
    by_instance: dict[str, list[CompetitionRun]] = defaultdict(list)
    for each in runs:
        if each.claim is not None:
            by_instance[each.instance].append(each)
    found = []
    for instance, said in by_instance.items():
        sign = -1 if instance in maximized else 1
        found += [f"{instance}: {what}" for what in _of_instance(said, sign)]
    return found


def _of_instance(said: Sequence[CompetitionRun], sign: int) -> Iterator[str]:
    none = [each for each in said if each.claim == "unsat"]
    some = [each for each in said if each.claim in {"sat", "optimal", "solution"}]
    if none and some:
        yield f"{_claim(none)} that there is no solution, {_claim(some)} one"
    optima: dict[float, list[CompetitionRun]] = defaultdict(list)
    for each in said:
        if each.claim == "optimal" and each.objective is not None:
            optima[each.objective].append(each)
    if len(optima) > 1:
        named = (f"{_names(who)} {value:.15g}" for value, who in sorted(optima.items()))
        yield f"different optima are claimed: {'; '.join(named)}"
    elif optima:
        (optimum,) = optima
        better = [
            each
            for each in said
            if each.claim == "solution"
            and each.objective is not None
            and sign * each.objective < sign * optimum
        ]
        if better:
            value = min(better, key=lambda each: sign * (each.objective or 0)).objective
            has = "has" if len(better) == 1 else "have"
            what = f"{_claim(optima[optimum])} the optimum {optimum:.15g}"
            yield f"{what}, {_names(better)} {has} {value:.15g}"


def _claim(claims: Sequence[CompetitionRun]) -> str:
    return f"{_names(claims)} {'claims' if len(claims) == 1 else 'claim'}"


def _names(claims: Sequence[CompetitionRun]) -> str:
    first = ", ".join(each.solver for each in claims[:3])
    return f"{first} and {len(claims) - 3} more" if len(claims) > 3 else first  # noqa: PLR2004


def claim_findings(
    runs: Iterable[CompetitionRun], *, file: str, maximized: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """A warning for each of ``contradictions``, of which at most twenty are listed."""
    hint = "A rule says what becomes of such an instance, or of such a solver."
    report = LimitedFindings(file)
    for what in contradictions(runs, maximized=maximized):
        report.say("runs-claims", (file, None), what, hint)
    return report.findings
