"""Claims of solvers on one instance that cannot all be right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.formats.competition_runs import CompetitionRun
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings


def contradictions(
    runs: Iterable[CompetitionRun], *, maximized: frozenset[str]
) -> list[str]:
    """A sentence for each instance with claims that contradict each other.

    These are solutions where another solver proves that there is none, different
    optima, and solutions better than an optimum.

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
    runs: Iterable[CompetitionRun],
    *,
    file: str,
    maximized: frozenset[str] = frozenset(),
) -> tuple[Finding, ...]:
    """A warning for each of ``contradictions``, of which at most twenty are listed."""
    hint = "A rule says what becomes of such an instance, or of such a solver."
    report = LimitedFindings(file)
    for what in contradictions(runs, maximized=maximized):
        report.say("runs-claims", (file, None), what, hint)
    return report.findings
