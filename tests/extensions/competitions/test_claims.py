"""Claims that contradict, copies of solvers, and odd limits: from literal rows."""

from __future__ import annotations

import pytest

from aslib_eval.extensions.competitions.raw_runs import (
    CompetitionRun,
    CompetitionRuns,
    claim_findings,
    contradictions,
    copies,
    implausible,
)


def claimed(i: str, solver: str, claim: str, cost: float | None) -> CompetitionRun:
    return CompetitionRun(i, solver, (1.0,), "ok", claim=claim, objective=cost)


def said(*claims: tuple[str, str, float | None], maximized: bool = False) -> list[str]:
    found = contradictions(
        (claimed("i", *each) for each in claims), maximized=frozenset({"i"} if maximized else {"j"})
    )
    return [what.removeprefix("i: ") for what in found]


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        (
            [("a", "unsat", None), ("b", "sat", None)],
            "a claims that there is no solution, but b claims that there is one",
        ),
        (
            [("a", "unsat", None), ("b", "optimal", 1.0), ("c", "solution", 2.0)],
            "a claims that there is no solution, but b, c claim that there is one",
        ),
        (
            [(name, "unsat", None) for name in "abcd"] + [("e", "sat", None)],
            "a, b, c and 1 more claim that there is no solution, but e claims that there is one",
        ),
        (
            [("a", "optimal", 2.5), ("b", "optimal", 1.0), ("c", "optimal", 2.5)],
            "solvers claim different optima: b 1; a, c 2.5",
        ),
        (
            [("a", "optimal", 3.0), ("b", "solution", 2.0), ("c", "solution", 1.0)],
            "a claims the optimum 3, but b, c have the better value 1",
        ),
        (
            [("a", "optimal", 3.0), ("b", "optimal", 3.0), ("c", "solution", 2.0)],
            "a, b claim the optimum 3, but c has the better value 2",
        ),
    ],
)
def test_claims_that_contradict(claims: list[tuple[str, str, float | None]], sentence: str) -> None:
    assert said(*claims) == [sentence]


def test_claims_that_do_not_contradict() -> None:
    assert said(("a", "unsat", None), ("b", "unsat", None), ("c", "unknown", None)) == []
    assert said(("a", "optimal", 3.0), ("b", "solution", 3.0)) == []
    assert said(("a", "optimal", 3.0), ("b", "solution", 2.0), maximized=True) == []
    assert said(("a", "optimal", None), ("b", "optimal", 1.0)) == []
    assert said(("a", "optimal", 3.0), ("b", "solution", None)) == []
    more = said(("a", "optimal", 3.0), ("b", "solution", 4.0), maximized=True)
    assert more == ["a claims the optimum 3, but b has the better value 4"]


def test_each_contradiction_is_a_warning() -> None:
    both = [(name, claim, None) for name, claim in (("a", "sat"), ("b", "unsat"))]
    (found,) = claim_findings((claimed("i", *each) for each in both), file="f.csv")
    assert (found.code, found.severity, found.file, found.line, found.message) == (
        *("runs-claims", "warning", "f.csv", None),
        "i: b claims that there is no solution, but a claims that there is one",
    )
    assert found.hint == ("The rule of the competition decides how this instance and these solvers count.")
    many = [claimed(f"i{at}", *each) for at in range(22) for each in both]
    assert len(claim_findings(many, file="f")) == 21


def runs(solver: str, *times: float, status: str = "ok") -> list[CompetitionRun]:
    return [CompetitionRun(f"i{n}", solver, (time,), status) for n, time in enumerate(times)]


def test_solvers_with_the_same_runs_are_copies() -> None:
    same, other = (1.0, 2.0, 3.5), (1.0, 3.5, 2.0)
    assert copies([*runs("b", *same), *runs("a", *same), *runs("c", *other)]) == [["a", "b"]]
    # Fewer than three different times of answers may be equal by chance.
    assert copies([*runs("a", 1, 2, 2), *runs("b", 1, 2, 2)]) == []
    said = [run._replace(said="unsat") for run in runs("b", *same)]
    assert copies([*runs("a", *same), *said]) == []
    assert copies([run for s in "ab" for run in runs(s, *same, status="timeout")]) == []


DAY = 86_400


@pytest.mark.parametrize(
    ("cutoff", "time", "kind", "code"),
    [
        (DAY, DAY + 1, "runtime", None),
        (None, DAY + 1, "runtime", None),
        (DAY + 1, DAY, "runtime", "runs-limit"),
        (DAY + 1, DAY + 1, "runtime", "runs-table"),
        (DAY + 1, DAY + 1, "solution_quality", None),
    ],
)
def test_a_limit_of_more_than_a_day(cutoff: float | None, time: float, kind: str, code: str | None) -> None:
    own = [*runs("a", time), *runs("b", DAY * 2, status="timeout")]
    table = CompetitionRuns(own, ("time",), cutoff, measure_type=kind)
    found = [(f.code, f.file, f.message, f.hint) for f in implausible(table, file="f.csv")]
    said = "the limit is 86401 s, more than a day"
    hint = "If the times are in milliseconds, divide all of them by 1000."
    assert found == ([(code, "f.csv", said, hint)] if code else [])
