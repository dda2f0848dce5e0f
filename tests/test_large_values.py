"""Values near the largest double: means that exist are numbers, others null."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from aslib_eval.metrics.gap import closed
from aslib_eval.protocol import Protocol

from .lab import OBJECTIVE, Given, runs, table

BIG = 1e308
DATA = runs(A=[1.7 * BIG, 1.5 * BIG], B=[1.2 * BIG, 1.4 * BIG], C=[BIG, 1.6 * BIG])
FOLDS = {"i1": 1, "i2": 2}


def test_means_and_gaps_of_costs_whose_sum_is_no_number(given: Given) -> None:
    con = given(DATA, measures=OBJECTIVE)
    # SBS is B (1.3, as C, but the first by name), VBS 1.2, VWS 1.65 (all times 1e308).
    gaps = "solver, cost / 1e308, closed_gap, bounded_gap"
    joined = "solver_score join solver_gap using (solver, kind)"
    where = "kind = 'algorithm'"
    assert table(con, joined, gaps, where) == [
        ("A", 1.6, -3, -0.857143),
        ("B", 1.3, 0, 0),
        ("C", 1.3, 0, 0),
    ]
    assert table(con, "suite_solver", "solver, pooled / 1e308", _COST) == [
        ("A", 1.6),
        ("B", 1.3),
        ("C", 1.3),
    ]


_COST = "metric = 'cost' and kind = 'algorithm'"


def test_the_single_best_of_folds_whose_totals_are_no_number(given: Given) -> None:
    data = runs(A=[1.7 * BIG] * 4, B=[1.2 * BIG] * 4)
    folds = {f"i{at}": 1 + at % 2 for at in range(1, 5)}
    con = given(data, measures=OBJECTIVE, folds=folds)
    assert table(con, "fold_sbs", "fold, sbs_train, sbs_all") == [
        (1, "B", "B"),
        (2, "B", "B"),
    ]
    assert table(con, "split_winner", "kind, winner") == [("algorithm", "B")]


def test_a_penalty_that_is_no_number_is_no_cost_and_has_its_reason(
    given: Given,
) -> None:
    con = given(runs(A=["timeout"], B=[5]), Protocol(), cutoff="1e308")
    where = "kind = 'algorithm'"
    assert table(con, "solver_gap", "solver, closed_gap, reason", where) == [
        ("A", None, "an instance without cost (failed, no cutoff, or too large)"),
        ("B", None, "SBS equals VBS"),
    ]


def test_costs_equal_to_12_digits_have_the_reason_that_they_are(given: Given) -> None:
    con = given(runs(A=[0.1, 0.2], B=[0.3, 5]), measures=OBJECTIVE)
    con.execute("select 1")
    noisy = runs(A=[0.1 + 0.2], B=[0.3])
    con = given(noisy, measures=OBJECTIVE, name="T")
    assert table(con, "solver_gap", "distinct reason", "scenario_id = 'T'") == [
        ("SBS equals VBS",)
    ]
    reason = table(con, "scenario_baseline", "reason", "scenario_id = 'T'")
    assert reason == [("SBS equals VBS",)]


def test_a_closed_gap_in_python_does_not_overflow() -> None:
    found = closed(BIG, sbs=1.7 * BIG, vbs=-1.7 * BIG)
    assert found.to_list() == [pytest.approx(7 / 34)]


COMMANDS = (
    "score",
    "gap",
    "resample --bootstrap 20",
    "table ranks",
)


@pytest.fixture
def big(imported: Callable[..., Path]) -> Path:
    data = runs(
        A=[1.7 * BIG, BIG, -BIG, 1], B=[-1.7 * BIG, BIG, BIG, 2], C=[1, BIG, 1, 1]
    )
    return imported(runs=data, measures=OBJECTIVE)


@pytest.mark.filterwarnings("error")
def test_no_command_ends_in_a_traceback_or_warning(big: Path) -> None:
    for command in COMMANDS:
        words = [*command.split(), "--lake", str(big), "--format", "csv"]
        if command == "table ranks":
            words[-1] = "md"
        found = CliRunner().invoke(main, words, catch_exceptions=False)
        assert found.exit_code == 0, (command, found.stderr)
        assert "inf" not in found.stdout.replace("infer", ""), command
