"""Every number of reference/scenario_scores.json, to 1e-9 relative.

The reference counts (instance, repetition) rows, as ``repetitions = separate`` does; only TSP-LION2015 has
more than one repetition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from tests.conftest import REAL_LAKES, SMALL, rows, write_scenario
from tests.lab import as_tables

ROWS = Protocol(protocol="rows", measures="all", repetitions="separate", sbs_scope="all")
MEANS = Protocol(protocol="means", measures="all")
FIRST = Protocol(protocol="first", measures="all", repetitions="first")
LENIENT = Protocol(protocol="lenient", measures="all", at_cutoff="solved", repetitions="separate")
ASKED = ("solver_score", "solver_borda", "fold_sbs", "fold_gap", "scenario_baseline")
ASKED += ("solver_gap",)
Key = tuple[str, str]
Block = dict[str, Any]


@pytest.fixture(scope="module", params=REAL_LAKES)
def con(request: pytest.FixtureRequest) -> duckdb.DuckDBPyConnection:
    con = ae.connect(request.getfixturevalue(request.param), protocols=[ROWS, LENIENT])
    return as_tables(con, only=ASKED)


@pytest.fixture(scope="module")
def here(con: duckdb.DuckDBPyConnection, reference: Block) -> Block:
    """What the reference says of the scenarios that are there."""
    there = {name for (name,) in rows(con, "select distinct scenario_id from raw_scenario")}
    known = {n: found for n, found in reference["scenarios"].items() if found["scenario_id"] in there}
    return {**reference, "scenarios": known}


def all_of(here: Block, *, whole: int) -> int:
    """How many numbers there must be at least; whole: of all scenarios."""
    return whole if len(here["scenarios"]) > len(SMALL) else len(SMALL)


def same(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12)


def blocks(reference: Block, kind: str) -> Iterator[tuple[Key, Block]]:
    for scenario in reference["scenarios"].values():
        for measure, block in scenario[kind].items():
            yield (scenario["scenario_id"], measure), block


def table(con: duckdb.DuckDBPyConnection, sql: str) -> dict[tuple[Any, ...], Block]:
    """Rows as dicts under (scenario_id, measure, and any further key columns)."""
    frame = con.sql(sql).pl()
    keys = [c for c in ("scenario_id", "measure", "solver", "fold") if c in frame]
    return {tuple(r[k] for k in keys): r for r in frame.to_dicts()}


def compare(ours: Block, theirs: Block, names: dict[str, str], at: object) -> int:
    for mine, their in names.items():
        assert same(ours[mine], theirs[their]), (at, mine, ours[mine], theirs[their])
    return len(names)


SCORES = {"par1": "par1", "par2": "par2", "par10": "par10", "mcp": "mcp", "unique_solved": "unique_solved"}
GAPS = {
    "closed_gap": "closed_gap",
    "bounded_gap": "modified_closed_gap_vws_minus_sbs",
    "bounded_printed": "modified_closed_gap_paper_text_vws_minus_vbs",
    "speedup": "speedup_vbs_over_s",
    "incomplete": "incomplete_mean",
}


def check_algorithms(con: duckdb.DuckDBPyConnection, found: list[tuple[Key, Block]], protocol: str) -> int:
    where = f"where protocol = '{protocol}' and kind = 'algorithm'"
    scores = table(con, f"select * from solver_score {where}")
    gaps = table(con, f"select *, from solver_gap {where}")
    borda = table(con, f"select * from solver_borda {where}")
    checked = 0
    for key, block in found:
        opponents = block["n_algorithms"] - 1
        for name, theirs in block["algorithms"].items():
            at = (*key, name)
            theirs["borda_per_instance"] = theirs["borda_sum"] / block["n_rows"]
            theirs["modified_per_instance"] = theirs["borda_modified_sum"]["0"] / block["n_rows"]
            checked += compare(scores[at], theirs, SCORES, at)
            checked += compare(gaps[at], theirs, GAPS, at)
            assert same(scores[at]["solved"] * block["n_rows"], theirs["solved"]), at
            assert borda[at]["n_opponents"] == opponents
            names = {"borda": "borda_per_instance", "borda_modified": "modified_per_instance"}
            checked += compare(borda[at], theirs, names, at)
    return checked


def test_every_algorithm(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    assert check_algorithms(con, list(blocks(here, "runtime")), "rows") > all_of(here, whole=2000)


def check_baselines(con: duckdb.DuckDBPyConnection, found: list[tuple[Key, Block]], protocol: str) -> None:
    base = table(con, f"select * from scenario_baseline where protocol = '{protocol}'")
    sql = f"from solver_score where protocol = '{protocol}' and kind = 'baseline'"
    scores = table(con, f"select * {sql}")
    for key, block in found:
        ours = base[key]
        assert ours["sbs"] == block["sbs"], key
        assert ours["sbs_tied"] == sorted({*block["sbs_tied_with"], block["sbs"]}), key
        assert ours["n_unsolvable"] == block["instances_unsolved_by_all"], key
        assert ours["n_instances"] == block["n_instances"], key
        for name in ("vbs", "vws"):
            score = scores[*key, name.upper()]
            compare(score, block[name], {p: p for p in ("par1", "par2", "par10")}, key)
            assert same(score["solved"] * block["n_rows"], block[name]["solved"]), key


def test_every_baseline(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    check_baselines(con, list(blocks(here, "runtime")), "rows")


@pytest.mark.slow
def test_sbs_by_other_criteria(real_lake: Path, reference: Block) -> None:
    for criterion, name in (("par1", "sbs_par1"), ("solved", "sbs_solved")):
        rule = Protocol(protocol=criterion, measures="all", repetitions="separate", sbs_criterion=criterion)
        found = dict(blocks(reference, "runtime"))
        base = table(ae.connect(real_lake, protocols=[rule]), "select * from scenario_baseline")
        ours = {k: base[k]["sbs"] for k in found}
        assert ours == {key: block[name] for key, block in found.items()}


@pytest.mark.slow
def test_repetitions_of_tsp(real_lake: Path, reference: Block) -> None:
    con = ae.connect(real_lake, protocols=[MEANS, FIRST], scenarios=["TSP-LION2015"])
    key = ("TSP-LION2015", "runtime")
    block = reference["scenarios"]["TSP-LION2015"]["runtime"]["runtime"]
    means = block["instance_mean_over_repetitions"]
    ours = table(con, "select * from scenario_baseline where protocol = 'means'")[key]
    assert ours["sbs"] == means["sbs"]
    compare(ours, means, {"vbs_par10": "vbs_par10", "vws_par10": "vws_par10"}, key)
    first = [(key, block["repetition_1_only"])]
    check_baselines(con, first, "first")
    check_algorithms(con, first, "first")


def test_every_quality_measure(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    sql = "where protocol = 'rows' and kind = 'algorithm'"
    scores = table(con, f"select * from solver_score {sql}")
    gaps = table(con, f"select * from solver_gap {sql}")
    base = table(con, "select * from scenario_baseline where protocol = 'rows'")
    n = 0
    for key, block in blocks(here, "quality"):
        sign = -1 if block["maximize"] else 1
        raw = block["raw"]
        assert base[key]["sbs"] == raw["sbs"]
        for name in ("sbs", "vbs", "vws"):
            assert same(base[key][f"{name}_cost"], sign * raw[f"{name}_mean"]), key
        for name, theirs in raw["algorithms"].items():
            at = (*key, name)
            assert same(scores[at]["cost"], sign * theirs["mean"]), at
            compare(scores[at], theirs, {"mcp": "mcp"}, at)
            names = {k: v for k, v in GAPS.items() if "gap" in k or "printed" in k}
            n += compare(gaps[at], theirs, names, at)
    assert n > all_of(here, whole=100)


def test_every_fold(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    where = "where protocol = 'rows' and cv_scheme = 'aslib'"
    sbs = table(con, f"select * from fold_sbs {where}")
    gaps = table(con, f"select * from fold_gap {where} and kind = 'algorithm'")
    n = 0
    for key, block in blocks(here, "runtime"):
        for at, fold in enumerate(block["folds"]["folds"]):
            ours = sbs[*key, fold["fold"]]
            for scope in ("train", "test", "all"):
                assert ours[f"sbs_{scope}"] == fold["sbs"][scope], (key, fold["fold"])
            for solver, par10 in fold["par10"].items():
                gap = gaps[*key, solver, fold["fold"]]
                assert same(gap["par10"], par10)
                for scope in ("train", "test", "all"):
                    whole = block["folds"]["aggregate"][scope][solver]["per_fold"]
                    assert same(gap[f"closed_gap_{scope}"], whole[at]), (key, solver)
                    n += 1
    assert n > all_of(here, whole=5000)


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["train", "test", "all"])
@pytest.mark.parametrize("how", ["mean", "median"])
def test_aggregates_over_folds(real_lake: Path, reference: Block, scope: str, how: str) -> None:
    rule = Protocol(
        protocol="folds", measures="all", repetitions="separate", sbs_scope=scope, fold_aggregate=how
    )
    con = ae.connect(real_lake, protocols=[rule])
    gaps = table(con, "select * from solver_gap where kind = 'algorithm'")
    for key, block in blocks(reference, "runtime"):
        for solver, theirs in block["folds"]["aggregate"][scope].items():
            ours = gaps[*key, solver]
            assert same(ours["closed_gap"], theirs[how]), (key, solver)
            assert ours["n_undefined"] == theirs["n_undefined"]


def test_runs_that_the_cutoff_rule_changes(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    sql = """select scenario_id, measure, count(*) filter (a.solved <> b.solved)
             from stg_run a join stg_run b
             using (scenario_id, measure, instance_id, algorithm, repetition)
             where a.protocol = 'rows' and b.protocol = 'lenient'
               and a.measure_type = 'runtime'
             group by all"""
    ours = {(s, m): n for s, m, n in rows(con, sql)}
    for key, block in blocks(here, "runtime"):
        assert ours[key] == block["non_strict_rule_changes_runs"], key


def test_toy(reference: Block, tmp_path: Path) -> None:
    toy = reference["toy"]
    runs = [(i, 1, a, t, s) for i, a, t, s in toy["runs"]]
    folder = write_scenario(tmp_path / "toy", runs=runs, folds=toy["folds"])
    ae.import_scenarios([folder], into=tmp_path / "lake")
    con = ae.connect(tmp_path / "lake", protocols=[ROWS])
    found = [(("toy", "runtime"), toy["expected"])]
    check_baselines(con, found, "rows")
    check_algorithms(con, found, "rows")


@pytest.mark.slow
@pytest.mark.parametrize("delta", [1, 10, 100, 1000])
def test_borda_at_every_delta(real_lake: Path, reference: Block, delta: int) -> None:
    rule = Protocol(protocol="d", measures="all", repetitions="separate", borda_delta=delta)
    borda = table(
        ae.connect(real_lake, protocols=[rule]), "select * from solver_borda where kind = 'algorithm'"
    )
    for key, block in blocks(reference, "runtime"):
        for solver, theirs in block["algorithms"].items():
            ours = borda[*key, solver]
            at = (key, solver)
            total = theirs["borda_parametric_sum"][str(delta)]
            assert same(ours["borda"] * block["n_rows"], total), at
            total = theirs["borda_modified_sum"][str(delta)]
            assert same(ours["borda_modified"] * block["n_rows"], total), at


def test_every_fold_of_quality_measures(con: duckdb.DuckDBPyConnection, here: Block) -> None:
    where = "where protocol = 'rows' and kind = 'algorithm'"
    gaps = table(con, f"select * from fold_gap {where}")
    n = 0
    for key, block in blocks(here, "quality"):
        for scope, solvers in block["raw"]["folds_aggregate"].items():
            for solver, theirs in solvers.items():
                for fold, gap in enumerate(theirs["per_fold"], 1):
                    ours = gaps[*key, solver, fold][f"closed_gap_{scope}"]
                    assert same(ours, gap), (key, solver, scope, fold)
                    n += 1
    assert n >= all_of(here, whole=1560)
