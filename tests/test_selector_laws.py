"""On every real scenario and fold: the selector that is VBS scores 1, SBS scores 0."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol

from .conftest import rows

FREE = Protocol(protocol="free", measures="all", feature_cost="none")
PAYS = Protocol(protocol="pays", measures="all", feature_cost="all_steps")
DEFAULT = Protocol()

# With several runs of an algorithm the ceiling chooses after paying, VBS before.
REPEATED = {"TSP-LION2015"}

# What VBS and the SBS of the training folds choose, as schedules of one algorithm.
PERFECT = """
    select distinct scenario_id, 'perfect' as selector, 'none' as cv_scheme,
        1 as cv_repetition, cast(null as integer) as fold, instance_id, 1 as position,
        'algorithm' as action,
        arg_min(algorithm, (cost, algorithm)) over (
            partition by scenario_id, instance_id
        ) as name,
        cast(null as double) as budget
    from instance_kept
    where protocol = '{protocol}' and measure = '{measure}'
"""
LOYAL = """
    select f.scenario_id, 'loyal' as selector, f.cv_scheme, f.cv_repetition, f.fold,
        f.instance_id, 1 as position, 'algorithm' as action, b.sbs_train as name,
        cast(null as double) as budget
    from stg_fold as f
    inner join fold_sbs as b
        using (protocol, scenario_id, cv_scheme, cv_repetition, fold)
    where f.protocol = '{protocol}' and b.measure = '{measure}'
"""


@pytest.fixture(scope="module")
def measures(real_lake: Path) -> list[tuple[str, str]]:
    con = ae.connect(real_lake, protocols=[FREE])
    sql = "select scenario_id, measure from scenario_summary where sbs is not null"
    return sorted(rows(con, sql))


def selecting(lake: Path, scenario: str, measure: str) -> duckdb.DuckDBPyConnection:
    """The scenario with both selectors, for one of its measures."""
    con = ae.connect(lake, protocols=[FREE, PAYS], scenarios=[scenario], stored=False)
    what = {"protocol": "free", "measure": measure}
    sql = f"{PERFECT.format(**what)} union all {LOYAL.format(**what)}"
    con.execute(f"create table said as {sql}")
    con.execute("create or replace view raw_selection as select * from said")
    ae.store(con)
    return con


def test_vbs_is_1_and_sbs_is_0_on_every_scenario_and_fold(
    real_lake: Path, measures: list[tuple[str, str]]
) -> None:
    assert len(measures) >= 18
    wrong, counted = [], 0
    for scenario, measure in measures:
        con = selecting(real_lake, scenario, measure)
        sql = f"""
            select solver, fold, closed_gap, sbs_cost, vbs_cost, cost from fold_gap
            where protocol = 'free' and measure = '{measure}' and kind = 'selector'
                and closed_gap is not null
        """
        for solver, *place, gap, sbs, vbs, cost in (
            (s, fold, gap, sbs, vbs, cost)
            for s, fold, gap, sbs, vbs, cost in rows(con, sql)
        ):
            # A gap divides by SBS - VBS; the cost is compared at its own scale.
            best = vbs if solver == "perfect" else sbs
            counted += 1
            if abs(cost - best) > 1e-9 * (1 + abs(best)):
                wrong.append((scenario, measure, solver, *place, gap))
    assert wrong == []
    assert counted > 300


def test_pooled_too_and_what_pays_reaches_the_attainable_gap(
    real_lake: Path, measures: list[tuple[str, str]]
) -> None:
    for scenario, measure in measures:
        con = selecting(real_lake, scenario, measure)
        sql = f"""
            select protocol, closed_gap, attainable_gap from solver_gap
            where measure = '{measure}' and solver = 'perfect'
                and closed_gap is not null
            order by protocol
        """
        for protocol, gap, attainable in rows(con, sql):
            expected = 1 if protocol == "free" else attainable
            if scenario in REPEATED and protocol == "pays":
                assert gap <= attainable
            else:
                assert gap == pytest.approx(expected, abs=1e-9), (scenario, protocol)
