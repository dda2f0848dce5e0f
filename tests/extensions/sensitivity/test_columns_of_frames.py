"""Frames of sweeps and of definitions, each column of them, by hand."""

from __future__ import annotations

import math

import polars as pl
import pytest

from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.analysis import (
    agreement,
    intervals,
    pairs,
    reversals,
    sensitivities,
    spread,
    values,
)
from tests.lab import GivenLake, runs


def test_every_column_of_a_change_of_places(given: GivenLake) -> None:
    """B is ahead by 3 : 1 shares on i1 until delta 4, A on i2 until 30."""
    lake = given(runs(A=[8, 50], B=[4, 80]))
    found = sensitivities(lake, parameter="delta")
    (pair,) = pairs(found).rows(named=True)
    assert pair == {
        "protocol": f"default@{Protocol().hash}",
        "scenario_id": "S",
        "measure": "runtime",
        "n": 2,
        "parameter": "delta",
        "solver": "B",
        "other": "A",
        "first": 4,
        "last": 4,
        "n_reversals": 1,
        "better_before": "B",
        "better_after": "A",
    }
    ends = intervals(found).select("start", "end", "ranking").rows()
    assert ends == [(0, 4, "B > A"), (4, 30, "A > B"), (30, math.inf, "A = B")]
    shown = values(found)
    assert shown["value"].to_list()[::2] == found[0].sweep.breakpoints.tolist()
    assert "closed_gap" not in shown.columns  # Borda is no cost
    assert reversals(found)["n"].to_list() == [2]


def test_bounds_of_a_parameter_are_inside(given: GivenLake) -> None:
    lake = given(runs(A=[1], B=[2]))
    for parameter, at in (("delta", 0), ("penalty", 1), ("cutoff", 100)):
        found = sensitivities(lake, parameter=parameter)
        assert values(found, at=[at])["value"].to_list() == [at, at]
    with pytest.raises(AslibError, match="'k' is none of delta, penalty, cutoff"):
        sensitivities(lake, parameter="k")


def ranked(*rows: tuple[str, str, str, float, int | None]) -> pl.DataFrame:
    """Rows of ``definitions``: protocol, metric, solver, score, rank."""
    schema = ["protocol", "metric", "solver", "score", "rank"]
    return pl.DataFrame(rows, schema=schema, orient="row").select(
        "protocol", pl.lit("S").alias("scenario_id"), pl.lit("runtime").alias("measure"), *schema[1:]
    )


def test_the_spread_of_one_system_by_hand() -> None:
    found = spread(
        ranked(
            ("p", "closed_gap", "x", 0.25, 2),
            ("q", "closed_gap", "x", 0.75, 1),
            ("p", "par10", "x", 9, 3),
            ("r", "par10", "x", 9, None),
        )
    )
    assert found.row(0, named=True) == {
        "scenario_id": "S",
        "measure": "runtime",
        "solver": "x",
        "n_protocols": 2,
        "lowest_gap": 0.25,
        "highest_gap": 0.75,
        "spread": 0.5,
        "best_rank": 1,
        "best_by": "q closed_gap",
        "worst_rank": 3,
        "worst_by": "p par10",
    }


def test_agreement_over_scenarios_by_hand() -> None:
    """On S both rank alike, on T the other way round, on U one ranks not all."""
    one = ranked(
        ("p", "closed_gap", "x", 1, 1),
        ("p", "closed_gap", "y", 0, 2),
        ("p", "par10", "x", 1, 1),
        ("p", "par10", "y", 2, 2),
    )
    turned = pl.when(pl.col("metric") == "par10").then(3 - pl.col("rank"))
    rank = turned.otherwise(pl.col("rank"))
    other = one.with_columns(scenario_id=pl.lit("T"), rank=rank)
    known = pl.when(pl.col("solver") == "x").then(pl.col("rank"))
    partly = one.with_columns(scenario_id=pl.lit("U"), rank=known)
    found = agreement(pl.concat([one, other, partly]))
    assert found.rows() == [("p", "closed_gap", "par10", 2, 0.0, -1.0, 1.0)]
    names = ["n_scenarios", "tau", "least", "largest"]
    assert found.columns == ["protocol", "metric", "other", *names]
