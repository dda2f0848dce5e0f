"""Preset ``aslibscenario`` against that tool's rule, restated in plain Python.

ASlibScenario (read_algorithm_runs, check_data) is on no registry. Its rule: over the repetitions of a run,
the median of the measure and the most frequent status; of equally frequent ones the first met; where that
status is not ok, ten times the cutoff.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

import arff
import pytest
import yaml

import aslib_eval as ae
from tests.conftest import SHARED, rows

EVERY = replace(ae.PRESETS["aslibscenario"], measures="all")
Key = tuple[str, str]  # measure, solver
Ours = dict[str, dict[Key, float | None]]  # under the folder's name
Repetitions = list[tuple[float, str]]  # (value, status), in the file's order


@dataclass(frozen=True)
class Measure:
    """A measure of a scenario, with the runs of each (algorithm, instance)."""

    name: str
    penalty: float | None  # ten times the cutoff; None for a quality
    runs: dict[tuple[str, str], Repetitions]


def read(folder: Path) -> Iterator[Measure]:
    """The measures, turned so that lower is better."""
    about = yaml.safe_load((folder / "description.txt").read_text())
    with (folder / "algorithm_runs.arff").open() as file:
        table = arff.load(file)
    columns = [name for name, _ in table["attributes"]]
    keys = ("performance_measures", "performance_type", "maximize")
    parts = [about[k] if isinstance(about[k], list) else [about[k]] for k in keys]
    for name, kind, turned in zip(*parts, strict=True):
        at, sign = columns.index(name), -1 if turned else 1
        runs: dict[tuple[str, str], Repetitions] = defaultdict(list)
        for row in table["data"]:
            runs[row[2], row[0]].append((sign * row[at], row[-1]))
        limit = 10 * float(about["algorithm_cutoff_time"])
        yield Measure(name, limit if kind == "runtime" else None, runs)


def one_cost(repetitions: Repetitions, penalty: float | None) -> float:
    """The rule; a quality is taken as it is, whatever the status."""
    status, _ = Counter(status for _, status in repetitions).most_common(1)[0]
    if status != "ok" and penalty is not None:
        return penalty
    return median(value for value, _ in repetitions)


def mean_costs(measure: Measure) -> dict[Key, float]:
    """Mean cost of each algorithm, and of VBS."""
    costs: dict[str, list[float]] = defaultdict(list)
    best: dict[str, float] = {}
    for (algorithm, instance), repetitions in measure.runs.items():
        cost = one_cost(repetitions, measure.penalty)
        costs[algorithm].append(cost)
        best[instance] = min(cost, best.get(instance, cost))
    costs["VBS"] = list(best.values())
    return {(measure.name, solver): fmean(c) for solver, c in costs.items()}


def folders_with_runs() -> list[str]:
    return sorted(path.parent.name for path in (SHARED / "aslib").glob("*/algorithm_runs.arff"))


@pytest.fixture(scope="module")
def ours(real_lake: Path) -> Ours:
    con = ae.connect(real_lake, protocols=[EVERY])
    sql = """
        select r.folder, s.measure, s.solver, s.cost
        from solver_score as s inner join raw_scenario as r
            on r.scenario_id = s.scenario_id and r.measure = s.measure
        where s.kind = 'algorithm' or s.solver = 'VBS'"""
    found: Ours = defaultdict(dict)
    for folder, measure, solver, cost in rows(con, sql):
        found[folder][measure, solver] = cost
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", folders_with_runs())
def test_preset_follows_the_rule(name: str, shared: Path, ours: Ours) -> None:
    expected: dict[Key, float] = {}
    for measure in read(shared / "aslib" / name):
        expected |= mean_costs(measure)
    assert ours[name] == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statuses", "values", "par10"),
    [
        ("ok timeout", "1 100", 50.5),  # equally frequent: the first one
        ("timeout ok", "100 1", 1000),
        ("ok ok timeout memout crash", "1 2 100 100 100", 100),  # no majority needed
        ("ok timeout timeout", "1 100 100", 1000),
        ("ok ok ok", "1 2 9", 2),
        ("ok", "100", 100),  # the status alone decides, also at the cutoff
    ],
)
def test_most_frequent_status_and_median(
    statuses: str, values: str, par10: float, imported: Callable[..., Path]
) -> None:
    pairs = list(zip(map(float, values.split()), statuses.split(), strict=True))
    lake = imported(runs=[("i", n, "a", *pair) for n, pair in enumerate(pairs, 1)])
    con = ae.connect(lake, protocols=["aslibscenario"])
    assert rows(con, "select par10 from solver_score where kind = 'algorithm'") == [(par10,)]
    assert one_cost(pairs, 1000) == par10


def test_value_of_a_failed_run_is_the_one_thing_not_followed(imported: Callable[..., Path]) -> None:
    pairs = [(1.0, "ok"), (9.0, "crash")]  # after 9 of 100: no time to solution
    lake = imported(runs=[("i", n, "a", *pair) for n, pair in enumerate(pairs, 1)])
    con = ae.connect(lake, protocols=["aslibscenario"])
    assert rows(con, "select par10 from solver_score where kind = 'algorithm'") == [((1 + 100) / 2,)]
    assert one_cost(pairs, 1000) == (1 + 9) / 2
