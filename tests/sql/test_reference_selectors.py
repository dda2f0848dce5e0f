"""Real selectors: every expected row, and the published numbers of two contests."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.analysis.objectives import by_delta
from aslib_eval.analysis.runs import groups
from aslib_eval.database.protocol import Protocol
from aslib_eval.selections import import_selections
from tests.conftest import rows
from tests.lab import InMemory, as_tables

# The three rules of the expected values; solved iff the total is within the cutoff.
NONE = Protocol(protocol="none", at_cutoff="solved", feature_cost="none", presolving=False)
COST = Protocol(protocol="cost", at_cutoff="solved", feature_cost="all_steps", presolving=False)
FULL = Protocol(protocol="full", at_cutoff="solved", feature_cost="all_steps")


def selected(
    shared: Path, scenarios: Sequence[str], lake: Path, only: Sequence[str]
) -> duckdb.DuckDBPyConnection:
    """These scenarios and the selections of them."""
    ae.import_scenarios([shared / "aslib" / name for name in scenarios], into=lake)
    for name in scenarios:
        found = import_selections(shared / "selections" / name, lake=lake)
        assert {o.status for o in found} <= {"imported", "skipped"}
    return as_tables(ae.connect(lake, protocols=[NONE, COST, FULL, "amadini2023"]), only=only)


@pytest.fixture(scope="module")
def one(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    lake = tmp_path_factory.mktemp("one") / "lake"
    return selected(shared, ["CSP-Minizinc-Time-2016"], lake, ["fold_sbs"])


@pytest.fixture(scope="module")
def every(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """The scenarios that have selections."""
    names = sorted(p.name for p in (shared / "selections").iterdir() if p.is_dir())
    lake = tmp_path_factory.mktemp("selected") / "lake"
    only = ["fold_sbs", "fold_gap", "solver_score", "solver_borda", "solver_gap"]
    return selected(shared, names, lake, only)


@pytest.fixture(scope="module", params=["one", pytest.param("every", marks=pytest.mark.slow)])
def con(request: pytest.FixtureRequest) -> duckdb.DuckDBPyConnection:
    found: duckdb.DuckDBPyConnection = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def scenarios(con: duckdb.DuckDBPyConnection) -> list[str]:
    return [folder for (folder,) in rows(con, "select distinct folder from raw_scenario order by 1")]


def expected(shared: Path, scenario: str) -> list[dict[str, str]]:
    path = shared / "selections" / scenario / "expected_per_instance.csv"
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def same(ours: float, theirs: float, digits: float = 1e-6) -> bool:
    return abs(ours - theirs) <= digits * (1 + abs(theirs))


@pytest.mark.parametrize("rule", ["none", "cost", "full"])
def test_every_expected_row_of_every_selector(
    con: duckdb.DuckDBPyConnection, shared: Path, scenarios: list[str], rule: str
) -> None:
    sql = f"""
        select folder, instance_id, solver, solved, time
        from instance_solver inner join raw_scenario using (scenario_id, measure)
        where protocol = '{rule}' and (kind = 'selector' or solver = 'VBS')
    """
    ours = {(s, i, who.lower()): run for s, i, who, *run in rows(con, sql)}
    wrong, counted = [], 0
    for scenario in scenarios:
        for row in expected(shared, scenario):
            if row["selector"] == "sbs":  # of the training folds: see below
                continue
            counted += 1
            solved, time = ours[scenario, row["instance"], row["selector"]]
            theirs = float(row[f"time_{rule}"])
            if solved != float(row[f"solved_{rule}"]) or not same(time, theirs):
                wrong.append((scenario, row, solved, time))
    assert wrong[:3] == []
    assert counted == len(ours)


def test_the_sbs_of_the_training_folds(
    con: duckdb.DuckDBPyConnection, shared: Path, scenarios: list[str]
) -> None:
    sql = """
        select r.folder, f.instance_id, s.time
        from raw_scenario as r
        inner join stg_fold as f on f.scenario_id = r.scenario_id
        inner join fold_sbs as b
            on b.protocol = f.protocol and b.scenario_id = f.scenario_id
            and b.measure = r.measure and b.cv_scheme = f.cv_scheme
            and b.cv_repetition = f.cv_repetition and b.fold = f.fold
        inner join instance_solver as s
            on s.protocol = f.protocol and s.scenario_id = f.scenario_id
            and s.measure = r.measure and s.instance_id = f.instance_id
            and s.kind = 'algorithm' and s.solver = b.sbs_train
        where f.protocol = 'none' and f.cv_repetition = 1
    """
    ours = {(scenario, instance): time for scenario, instance, time in rows(con, sql)}
    theirs = {
        (scenario, row["instance"]): float(row["time_none"])
        for scenario in scenarios
        for row in expected(shared, scenario)
        if row["selector"] == "sbs"
    }
    assert ours.keys() == theirs.keys()
    assert [k for k in ours if not same(ours[k], theirs[k])] == []


# Pooled closed gaps: rule none and, where it differs, full (selections/README.md).
SYSTEMS = ("rf", "rf_all", "rfreg", "sunny", "zilla", "asap")
GAPS = {
    "ASP-POTASSCO": "0.537/0.535 0.360 0.744/0.742 0.639/0.637 0.789/0.796 0.721",
    "BNSL-2016": "0.774 0.774 0.843/0.841 0.832/0.830 0.820/0.818 0.838",
    "CPMP-2015": "0.272 0.272 0.264 0.751 0.293 0.523",
    "CSP-Minizinc-Time-2016": "0.547 0.271 0.449 0.341 0.448 0.637",
    "GLUHACK-2018": "0.400 0.402 0.453 0.268 0.443 0.455",
    "MAXSAT-PMS-2016": "0.537 -0.167 0.517 0.530 0.569 0.475",
    "MAXSAT-WPMS-2016": "0.597 0.179 0.655 0.504 0.769 0.630",
    "MAXSAT19-UCMS": "0.065/-0.025 0.258/0.201 0.304/0.206 0.637/0.486 0.423/0.324 0.443/0.377",
    "MIP-2016": "-0.221/-0.238 -0.221/-0.238 -0.208/-0.223 0.244/0.229 0.134/0.119 -0.094/-0.102",
}


def test_the_pooled_gaps_to_three_decimals(con: duckdb.DuckDBPyConnection, scenarios: list[str]) -> None:
    theirs = {
        (scenario, rule, system): float(cell[0 if rule == "none" else -1])
        for scenario in scenarios
        for system, text in zip(SYSTEMS, GAPS[scenario].split(), strict=True)
        for cell in [text.split("/")]
        for rule in ("none", "full")
        if rule == "none" or len(cell) > 1
    }
    sql = """
        select folder, protocol, solver, round(closed_gap, 3)
        from solver_gap inner join raw_scenario using (scenario_id, measure)
        where kind = 'selector'
    """
    ours = {(*key, system): gap for *key, system, gap in rows(con, sql)}
    assert {key: ours[key] for key in theirs} == theirs


@pytest.mark.slow
def test_gap_and_mznc_rank_in_opposite_orders(every: duckdb.DuckDBPyConnection) -> None:
    # Amadini et al. 2023: RF leads MZNC at delta = 0 and is last by closed gap; ASAP the reverse. Of the
    # selectors at hand rf_all keeps unsolvable instances as RF does; means over the nine scenarios.
    sql = """
        select metric, solver, rank() over (partition by metric order by mean desc)
        from suite_solver
        where protocol = 'amadini2023' and kind = 'selector'
            and metric in ('borda', 'closed_gap')
            and solver in ('rf_all', 'asap')
        order by all
    """
    assert rows(every, sql) == [
        ("borda", "asap", 2),
        ("borda", "rf_all", 1),
        ("closed_gap", "asap", 1),
        ("closed_gap", "rf_all", 2),
    ]


@pytest.mark.slow
def test_the_delta_at_which_rf_and_asap_change_places(every: duckdb.DuckDBPyConnection) -> None:
    (group,) = groups(InMemory(every), "amadini2023", pooled=True)
    pooled = by_delta(group, relative=False, modified=False)
    names = pooled.solvers
    pairs = [
        (names[r.before], names[r.after], r.at)
        for r in pooled.sweep.reversals
        if {names[r.before], names[r.after]} == {"rf", "asap"}
    ]
    assert pooled.group.runs.n_instances == 4993
    # One of several breakpoints that differ by rounding, named by the largest.
    assert pairs == [("rf", "asap", pytest.approx(192.0, rel=1e-12))]


# --- published contests -------------------------------------------------------------


def published(shared: Path) -> dict[tuple[str, str, int], float]:
    path = shared / "contests" / "tornede2020" / "published_npar10.csv"
    with path.open(newline="") as file:
        return {
            (row["scenario"], row["selector"], int(row["fold"])): float(row["npar10"])
            for row in csv.DictReader(file)
        }


@pytest.mark.slow
def test_every_published_fold_of_tornede_2020(shared: Path, tmp_path: Path) -> None:
    theirs = published(shared)
    names = sorted({scenario for scenario, _, _ in theirs})
    lake = tmp_path / "lake"
    ae.import_scenarios([shared / "aslib" / name for name in names], into=lake)
    import_selections((shared / "contests" / "tornede2020"), lake=lake, without_feature_costs=True)
    con = ae.connect(lake, protocols=["tornede2020"])
    sql = """
        select folder, solver, fold, remaining_gap
        from fold_gap inner join raw_scenario using (scenario_id, measure)
        where kind = 'selector' and own_split
    """
    ours = {(s, who, fold): gap for s, who, fold, gap in rows(con, sql)}
    assert ours.keys() == theirs.keys()
    assert [k for k in ours if not same(ours[k], theirs[k], 1e-9)] == []


# Remaining gaps, Lindauer, van Rijn, Kotthoff, AIJ 272 (2019), Table E.9: fkvar, autok; then the same with
# SBS on test. As many decimals as are published.
OASC = {
    "Camilla": ".894 1.475 .894 1.475",
    "Caren": ".055 .217 .090 .356",
    "Magnus": ".419 .498 .428 .508",
    "Mira": ".568 1.014 .568 1.014",
    "Monty": ".090 .368 .090 .368",
    "Quill": ".431 .1505 .431 .1505",  # the second is printed .150
}


@pytest.mark.parametrize(
    "nickname", [n if n == "Camilla" else pytest.param(n, marks=pytest.mark.slow) for n in OASC]
)
def test_the_published_gaps_of_oasc_2017(shared: Path, tmp_path: Path, nickname: str) -> None:
    folder = shared / "contests" / "oasc2017" / nickname
    lake = tmp_path / "lake"
    (outcome,) = ae.import_scenarios([folder], into=lake)
    assert outcome.error is None
    import_selections(folder, lake=lake, scenario=outcome.scenario_id)
    con = ae.connect(lake, protocols=["oasc2017"])
    sql = """
        select solver, g.gap, 1 - f.closed_gap_train, 1 - f.closed_gap_test
        from solver_gap as g inner join fold_gap as f using (kind, solver)
        where kind = 'selector' and cv_scheme = 'split' order by solver desc
    """
    (fkvar, gap, *fkvar_at), (autok, _, *autok_at) = rows(con, sql)
    assert (fkvar, autok) == ("sunny-fkvar", "sunny-autok")
    assert gap == fkvar_at[0]
    ours = (fkvar_at[0], autok_at[0], fkvar_at[1], autok_at[1])
    theirs = OASC[nickname].split()
    digits = [len(text.partition(".")[2]) for text in theirs]
    assert [round(x, d) for x, d in zip(ours, digits, strict=True)] == [float(text) for text in theirs]
