"""On every real scenario and fold: the selector that is VBS scores 1, SBS scores 0."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import AT_START
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.views import lineage
from tests.conftest import rows
from tests.lab import as_tables

FREE = Protocol(protocol="free", measures="all", feature_cost="none")
PAYS = Protocol(protocol="pays", measures="all", feature_cost="all_steps")

# With several runs of an algorithm the ceiling chooses after paying, VBS before.
REPEATED = {"TOY-2026", "TSP-LION2015"}

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
    inner join looked_at using (scenario_id, measure)
    where protocol = 'free'
"""
LOYAL = """
    select f.scenario_id, 'loyal' as selector, f.cv_scheme, f.cv_repetition, f.fold,
        f.instance_id, 1 as position, 'algorithm' as action, b.sbs_train as name,
        cast(null as double) as budget
    from stg_fold as f
    inner join fold_sbs as b
        using (protocol, scenario_id, cv_scheme, cv_repetition, fold)
    inner join looked_at using (scenario_id, measure)
    where f.protocol = 'free'
"""


# Lake → its scenarios with a gap, of how many measures, and the gaps of folds that there are at least.
LAKES = {"toy": (1, 1, 6), "real_lake": (17, 18, 300)}


@pytest.fixture(scope="module", params=["toy", pytest.param("real_lake", marks=pytest.mark.slow)])
def counts(request: pytest.FixtureRequest) -> tuple[Path, int, int, int]:
    return request.getfixturevalue(request.param), *LAKES[request.param]


@pytest.fixture(scope="module")
def choosing(counts: tuple[Path, int, int, int]) -> list[duckdb.DuckDBPyConnection]:
    """All scenarios with both selectors, for their first measure, then their second."""
    lake, _, n, _ = counts
    con = ae.connect(lake, protocols=[FREE, PAYS])
    sql = "select scenario_id, measure from scenario_summary where sbs is not null"
    measures: dict[str, list[str]] = {}
    for scenario, measure in sorted(set(rows(con, sql))):
        measures.setdefault(scenario, []).append(measure)
    assert sum(map(len, measures.values())) >= n
    turns = range(max(map(len, measures.values())))
    return [selecting(lake, {s: m[turn] for s, m in measures.items() if turn < len(m)}) for turn in turns]


def selecting(lake: Path, measures: dict[str, str]) -> duckdb.DuckDBPyConnection:
    """These scenarios with both selectors, each for one of its measures."""
    con = ae.connect(lake, protocols=[FREE, PAYS], scenarios=list(measures), stored=False)
    con.execute("create table looked_at (scenario_id varchar, measure varchar)")
    con.executemany("insert into looked_at values (?, ?)", list(measures.items()))
    con.execute(f"create table said as {PERFECT} union all {LOYAL}")
    con.execute("create or replace view raw_selection as select * from said")
    return as_tables(con, only=lineage().steps(AT_START, there=()))


def test_vbs_is_1_and_sbs_is_0_on_every_scenario_and_fold(
    choosing: list[duckdb.DuckDBPyConnection], counts: tuple[Path, int, int, int]
) -> None:
    wrong, counted, scenarios = [], 0, set()
    for con in choosing:
        sql = """
            select scenario_id, measure, solver, fold, closed_gap, sbs_cost, vbs_cost,
                cost
            from fold_gap inner join looked_at using (scenario_id, measure)
            where protocol = 'free' and kind = 'selector' and closed_gap is not null
        """
        for scenario, measure, solver, *place, gap, sbs, vbs, cost in rows(con, sql):
            # A gap divides by SBS - VBS; the cost is compared at its own scale.
            best = vbs if solver == "perfect" else sbs
            counted += 1
            scenarios.add(scenario)
            if abs(cost - best) > 1e-9 * (1 + abs(best)):
                wrong.append((scenario, measure, solver, *place, gap))
    assert wrong == []
    assert counted >= counts[3]
    assert len(scenarios) == counts[1]


def test_pooled_too_and_what_pays_reaches_the_attainable_gap(
    choosing: list[duckdb.DuckDBPyConnection],
) -> None:
    for con in choosing:
        sql = """
            select scenario_id, protocol, closed_gap, attainable_gap
            from solver_gap inner join looked_at using (scenario_id, measure)
            where solver = 'perfect' and closed_gap is not null
            order by scenario_id, protocol
        """
        found = rows(con, sql)
        assert found
        for scenario, protocol, gap, attainable in found:
            expected = 1 if protocol == "free" else attainable
            if scenario in REPEATED and protocol == "pays":
                assert gap <= attainable
            else:
                assert gap == pytest.approx(expected, abs=1e-9), (scenario, protocol)
