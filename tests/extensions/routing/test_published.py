"""The published table of RouterBench-mini V5, from the lake's views to its last printed digit.

results/qwen3.5-v5-3200-800/main_results.csv of ken-ab/routerbench-mini: 800 prompts, two models.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.selections import import_selections
from tests.conftest import opened, rows

HOME = "routerbench_mini"


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    """The published files."""
    return shared / "routing" / HOME


@pytest.fixture(scope="module")
def lake(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs of both models, and all strategies."""
    lake = tmp_path_factory.mktemp("lake")
    (done,) = ae.import_scenarios([folder], into=lake)
    assert done.error is None
    (outcome,) = import_selections(folder / "test_predictions.csv", lake=lake, scenario=HOME)
    assert outcome.error is None
    return lake


@pytest.fixture(scope="module")
def con(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The lake under two protocols: the second measure is the price, or the latency."""
    protocols = [ae.Protocol(protocol=name, second_measure=name) for name in ("price", "latency")]
    with opened(lake, protocols=protocols) as con:
        yield con


@pytest.fixture(scope="module")
def published(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["strategy"]: row for row in pl.read_csv(folder / "main_results.csv").to_dicts()}


# What each strategy took in all: the models that it asked, or what it said itself.
TOTALS = """
select s.protocol, s.selector, sum(coalesce(i.second, if(s.protocol = 'price', o.price, o.time)))
from schedule_step as s
inner join stg_selection as o using (
    protocol, scenario_id, selector, cv_scheme, cv_repetition, instance_id, position
)
left join instance_second as i on
    s.protocol = i.protocol and s.instance_id = i.instance_id and s.name = i.algorithm
where s.runs and s.measure = 'correct' and s.action <> 'none'
group by all
"""


def test_accuracy_price_and_latency_of_every_strategy(
    con: duckdb.DuckDBPyConnection, published: dict[str, dict[str, Any]]
) -> None:
    asked = "select solver, -cost from solver_score where kind = 'selector' and protocol = 'price'"
    accuracy = dict(rows(con, asked))
    totals = {(protocol, name): total for protocol, name, total in rows(con, TOTALS)}
    strategies = [name for name in published if not name.startswith("random")]
    assert len(strategies) == 8
    for name in strategies:
        row = published[name]
        assert round(accuracy[name], 8) == row["accuracy"], name
        assert round(totals["price", name], 8) == row["total_cost"], name
        assert round(totals["price", name] / 800, 10) == row["avg_cost"], name
        assert round(1000 * totals["latency", name], 2) == row["total_latency_ms"], name
        assert round(1.25 * totals["latency", name], 2) == row["avg_latency_ms"], name


def test_the_oracle_that_calls_the_strong_model_as_often(
    con: duckdb.DuckDBPyConnection, published: dict[str, dict[str, Any]]
) -> None:
    asked = "select protocol, n_strong, -cost, 800 * second from oracle_at_rate"
    found = rows(con, f"{asked} where selector = 'learned_combined' order by protocol desc")
    row = published["oracle_learned_rate"]
    assert [(p, n, round(quality, 8)) for p, n, quality, _ in found] == [
        ("price", 767, row["accuracy"]),
        ("latency", 767, row["accuracy"]),
    ]
    assert round(found[0][3], 8) == row["total_cost"]
    assert round(1000 * found[1][3], 2) == row["total_latency_ms"]
    # Every choice that is the best would do; the cheapest of them would cost less.
    assert row["total_cost"] == 0.6285196


def test_the_cheapest_of_the_best_is_the_global_oracle(
    con: duckdb.DuckDBPyConnection, published: dict[str, dict[str, Any]]
) -> None:
    best = """select -sum(cost), sum(second) from (
    select min(cost) as cost, arg_min(second, (cost, second)) as second
    from instance_kept inner join instance_second using (protocol, instance_id, algorithm)
    where protocol = 'price' group by instance_id)"""
    ((right, price),) = rows(con, best)
    row = published["global_oracle"]
    assert (right / 800, round(price, 8)) == (row["accuracy"], row["total_cost"])


def test_the_random_control_is_within_its_deviation(
    con: duckdb.DuckDBPyConnection, published: dict[str, dict[str, Any]]
) -> None:
    asked = "select quality from random_selection where selector = 'learned_combined'"
    ((expected,),) = rows(con, f"{asked} and protocol = 'price'")
    row = published["random_learned_rate"]
    assert expected == pytest.approx(0.72564375, abs=1e-12)
    assert abs(expected - row["accuracy"]) <= row["random_accuracy_std"]


def test_the_random_control_of_the_reviews_is_within_its_deviation(
    con: duckdb.DuckDBPyConnection, published: dict[str, dict[str, Any]]
) -> None:
    # Strategies that ask for a review pay for both answers; together they show 799 of the 800 reviews.
    reviews = """
    with cheap as (
        select instance_id, max(value) filter (measure = 'correct') as correct,
            max(value) filter (measure = 'price') as price
        from raw_run where algorithm = 'qwen3.5-35b-a3b' group by all
    ),
    review as (
        select distinct instance_id, o.objective - c.correct as gain, o.price - c.price as price
        from raw_outcome as o inner join cheap as c using (instance_id) where o.price > c.price
    )
    select count(*), avg(gain), avg(price),
        (select avg(correct) from cheap), (select avg(price) from cheap) from review"""
    ((n, gain, price, correct, cheap),) = rows(con, reviews)
    row = published["random_reflection_rate"]
    rate = row["total_strong_calls"] / 800
    assert (n, correct) == (799, published["always_cheap"]["accuracy"])
    assert abs(correct + rate * gain - row["accuracy"]) <= row["random_accuracy_std"]
    assert cheap + rate * price == pytest.approx(row["avg_cost"], abs=1.21755e-05)  # its printed deviation
