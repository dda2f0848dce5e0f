"""Preset ``asf`` against asf itself: its reader, its baselines, our SQL.

asf is read through its public functions only. Two scenarios lack their feature values here and asf insists
on such a file, so they get one of a single constant feature.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from tests.conftest import ROOT, arff, rows, write_scenario

pytestmark = [pytest.mark.oracles, pytest.mark.skipif(find_spec("asf") is None, reason="needs asf")]

COMPARABLE = (
    "ASP-POTASSCO",
    "BNSL-2016",
    "CPMP-2015",
    "CSP-Minizinc-Time-2016",
    "GLUHACK-2018",
    "MAXSAT-PMS-2016",
    "MAXSAT-WPMS-2016",
    "MAXSAT19-UCMS",
    "MIP-2016",
    "QBF-2016",
    "SAT03-16_INDU",
    "SAT11-HAND-ALGO",
    "SAT18-EXP",
    "TSP-LION2015",  # ten repetitions, 70 pairs of mixed status
)
# What asf makes of these, the same for each algorithm on each instance, is its own:
CONSTANT = {
    # `performance_measures: runtime` is no list, so asf takes its first letter and finds a column `r`
    # without values: 10 τ everywhere, SBS = VBS, without a word.
    "GRAPHS-2015": 1e9,
    # A quality scenario with cutoff 0: every accuracy is above it, thus 10 · 0.
    "OPENML-WEKA-2017": 0.0,
}
OWN = {"SAT-PYSAT-2026": "primary", "MIP-ANYTIME-2026": "runtime"}  # by scripts/measure
Scores = dict[str, Any]


def readable(folder: Path, into: Path) -> Path:
    """The folder, or a linked copy with a constant feature if it has no features."""
    if (folder / "feature_values.arff").exists():
        return folder
    copy = into / folder.name
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).symlink_to(file)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "one": "NUMERIC"}
    (copy / "feature_values.arff").write_text(arff(columns, [("any", 1, 1)]))
    return copy


def runtime_first(folder: Path, into: Path) -> Path:
    """A linked copy whose first measure is the runtime: asf takes the first."""
    copy = into / folder.name
    copy.mkdir()
    for file in folder.iterdir():
        if file.name != "description.txt":
            (copy / file.name).symlink_to(file)
    said = (folder / "description.txt").read_text(encoding="utf-8")
    for other in ("objective", "solution_quality"):
        said = said.replace(f"- {other}\n- runtime\n", f"- runtime\n- {other}\n")
    (copy / "description.txt").write_text(said, encoding="utf-8")
    return copy


def by_asf(folder: Path) -> Scores:
    """What asf says of a scenario: n, mean PAR10 of each algorithm, SBS, VBS."""
    reader, metrics, selectors = (
        import_module(f"asf.{name}")
        for name in ("scenario.aslib_reader", "metrics.baselines", "selectors.baselines")
    )
    features, performance, _, _, _, maximize, budget, _ = reader.read_aslib_scenario(str(folder))
    n = len(performance)
    totals = metrics.single_best_solver(performance, maximize, budget, batch=True)
    best = selectors.SingleBestSolver(budget=budget, maximize=maximize)
    best.fit(features, performance)
    return {
        "n": n,
        "par10": {name: total / n for name, total in totals.items()},
        "sbs": best.best_algorithm,
        "sbs_par10": metrics.single_best_solver(performance, maximize, budget) / n,
        "vbs_par10": metrics.virtual_best_solver(performance, maximize, budget) / n,
    }


def by_us(lake: Path, protocol: str | ae.Protocol = "asf") -> dict[str, Scores]:
    """The same from the SQL relations, under the folder's name."""
    con = ae.connect(lake, protocols=[protocol])
    baselines = """
        select r.folder, b.n_instances, b.sbs, b.sbs_par10, b.vbs_par10
        from scenario_baseline as b inner join raw_scenario as r
            on r.scenario_id = b.scenario_id and r.measure = b.measure"""
    algorithms = """
        select r.folder, s.solver, s.par10
        from solver_score as s inner join raw_scenario as r
            on r.scenario_id = s.scenario_id and r.measure = s.measure
        where s.kind = 'algorithm'"""
    found: dict[str, Scores] = {}
    for folder, n, sbs, sbs_par10, vbs_par10 in rows(con, baselines):
        found[folder] = {"n": n, "sbs": sbs, "par10": {}}
        found[folder] |= {"sbs_par10": sbs_par10, "vbs_par10": vbs_par10}
    for folder, solver, par10 in rows(con, algorithms):
        found[folder]["par10"][solver] = par10
    return found


def same(ours: Scores, theirs: Scores) -> None:
    assert (ours["n"], ours["sbs"]) == (theirs["n"], theirs["sbs"])
    for part in ("par10", "sbs_par10", "vbs_par10"):
        assert ours[part] == pytest.approx(theirs[part], rel=1e-9), part


@pytest.fixture(scope="module")
def ours(real_lake: Path) -> dict[str, Scores]:
    return by_us(real_lake)


@pytest.mark.parametrize("name", COMPARABLE)
def test_preset_gives_asfs_own_numbers(
    name: str, shared: Path, ours: dict[str, Scores], tmp_path: Path
) -> None:
    same(ours[name], by_asf(readable(shared / "aslib" / name, tmp_path)))


@pytest.mark.parametrize("name", OWN)
def test_asf_reads_our_own_scenario_as_we_do(name: str, tmp_path: Path) -> None:
    folder = ROOT / "scenarios" / name
    ae.import_scenarios([folder], into=tmp_path / "lake")
    mine = by_us(tmp_path / "lake", replace(ae.PRESETS["asf"], measures=OWN[name]))[name]
    same(mine, by_asf(runtime_first(folder, tmp_path)))


@pytest.mark.parametrize("name", CONSTANT)
def test_asf_sees_no_difference_between_the_algorithms_of(name: str, shared: Path) -> None:
    theirs = by_asf(shared / "aslib" / name)
    assert set(theirs["par10"].values()) == {CONSTANT[name]}
    assert theirs["sbs_par10"] == theirs["vbs_par10"]


def test_one_failure_in_three_costs_the_cutoff_and_one_more(tmp_path: Path) -> None:
    runs = [
        ("i", repetition, algorithm, 10, status)
        for algorithm, text in {"a": "ok ok timeout", "b": "ok ok ok", "c": "timeout crash memout"}.items()
        for repetition, status in enumerate(text.split(), start=1)
    ]
    steps = "feature_steps: {all: {provides: [one]}}"
    folder = write_scenario(tmp_path / "S", runs=runs, description=steps)
    lake = tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    theirs = by_asf(readable(folder, tmp_path / "S"))
    assert theirs["par10"] == {"a": (10 + 10 + 101) / 3, "b": 10, "c": 1000}
    same(by_us(lake)["S"], theirs)
