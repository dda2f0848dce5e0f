"""The views ``runs_compared`` and ``noise_level``: given rows, expected rows."""

from __future__ import annotations

from math import exp, log, sqrt

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import ACCURACY, OUT, Given, table

pytestmark = pytest.mark.usefixtures("opened_once")

SEPARATE = Protocol(repetitions="separate")
WHERE = "before = 'A' and after = 'B'"


def pairs(*times: tuple[object, object]) -> list[Row]:
    """Runs of A and B on i1, i2, …: a time, or a status."""
    return [
        (f"i{i}", 1, name, *((100, time) if isinstance(time, str) else (time, "ok")))
        for i, both in enumerate(times, 1)
        for name, time in zip("AB", both, strict=True)
    ]


@pytest.mark.parametrize(
    ("before", "after", "outcome", "advantage"),
    [
        (OUT, 10, "gained", None),
        (20, "crash", "lost", None),
        (OUT, "memout", "neither", None),
        (50, 20, "faster", log(2.5)),
        (10, 30, "slower", -log(3)),
        (10, 10.9, "level", 0),
        (10, 11.1, "slower", -log(1.11)),
        (11.1, 10, "faster", log(1.11)),
        (0.01, 0.11, "level", 0),  # by the margin
        (0.01, 0.2, "slower", -log(2)),  # as if it had taken the margin
        (OUT, 100, "neither", None),  # at the cutoff
    ],
)
def test_outcomes(
    given: Given, before: object, after: object, outcome: str, advantage: float | None
) -> None:
    con = given(pairs((before, after)))
    ((found, gain),) = table(con, "runs_compared", "outcome, advantage", WHERE)
    assert found == outcome
    assert gain == (None if advantage is None else pytest.approx(advantage))


def test_values_and_costs_of_both(given: Given) -> None:
    con = given(pairs((50, OUT)))
    columns = "value_before, value_after, cost_before, cost_after, n_runs, noise"
    assert table(con, "runs_compared", columns, WHERE) == [(50, 100, 50, 1000, 1, 1.1)]
    back = "before = 'B' and after = 'A'"
    assert table(con, "runs_compared", "outcome", back) == [("gained",)]


def test_any_two_solvers_of_any_kind_but_not_one_with_itself(given: Given) -> None:
    con = given(pairs((1, 2)))
    found = table(con, "runs_compared", "before, after")
    names = ("A", "B", "SBS", "VBS", "VWS")
    assert sorted(found) == [(x, y) for x in names for y in names if x != y]


def test_of_a_quality_every_difference_counts(given: Given) -> None:
    runs = [("i1", 1, "A", 0.9, "ok"), ("i1", 1, "B", 0.91, "ok")]
    con = given(runs, measures=ACCURACY)
    columns = "outcome, value_before, value_after, advantage"
    ((outcome, *values),) = table(con, "runs_compared", columns, WHERE)
    assert outcome == "faster"
    assert values == pytest.approx([-0.9, -0.91, 0.01])
    assert table(con, "noise_level", "factor, margin, spread") == [(1, 0, None)]


REPEATED = [
    *(("i1", r, "A", time, "ok") for r, time in ((1, 10), (2, 40))),
    *(("i1", r, "B", time, "ok") for r, time in ((1, 20), (2, 20))),
    *(("i2", r, "A", 30, status) for r, status in ((1, "ok"), (2, OUT))),
    *(("i2", r, "B", 60, "ok") for r in (1, 2)),
]


def test_the_noise_is_the_pooled_spread_of_what_is_solved(given: Given) -> None:
    # Sums of squares about the mean: i1 of A 2 (log 2)^2, i1 and i2 of B 0; A fails i2.
    spread = sqrt(2 * log(2) ** 2 / 3)
    con = given(REPEATED, SEPARATE)
    ((factor, *found),) = table(con, "noise_level", "factor, spread, n_repeated")
    assert (factor, found) == (1.1, [pytest.approx(spread), 3])
    columns = "instance_id, outcome, solved_before, value_before, noise, advantage"
    one, two = table(con, "runs_compared", columns, WHERE)
    noise = pytest.approx(exp(1.96 * spread), abs=1e-6)  # of two means of two runs
    assert one == ("i1", "level", 1, 25, noise, pytest.approx(log(1.25), abs=1e-6))
    # Half of the runs are enough for solving; the other counts as the cutoff.
    assert two == ("i2", "level", 0.5, 65, noise, 0)


def test_only_repetitions_that_both_have_are_paired(given: Given) -> None:
    con = given([*pairs((10, 20)), ("i1", 2, "A", 90, "ok")], SEPARATE)
    columns = "value_before, value_after, n_runs"
    assert table(con, "runs_compared", columns, WHERE) == [(10, 20, 1)]
