"""The numpy metrics on the real scenarios, against values of independent code.

The reference counts (instance, repetition) rows, as ``repetitions = separate`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.metrics.ranking import BordaRule
from aslib_eval.metrics.scale import Runs, amc, incomplete, rmc, shapley, vbs_without
from aslib_eval.metrics.sweeps import cutoff_sweep, delta_sweep, penalty_sweep
from tests import oracles
from tests.metrics.sweeps.test_delta import around
from tests.metrics.sweeps.test_gaps import check_at, lowered

DELTAS = (0, 1, 10, 100, 1000)
Block = dict[str, Any]
Floats = NDArray[np.float64]


class Scenario(NamedTuple):
    """A scenario's runs, its solvers, and what the reference says of them."""

    name: str
    runs: Runs
    solvers: list[str]
    block: Block

    def theirs(self, read: Callable[[Block], float]) -> list[float]:
        return [read(self.block["algorithms"][solver]) for solver in self.solvers]


@pytest.fixture(scope="module", params=["few", pytest.param("every", marks=pytest.mark.slow)])
def scenarios(request: pytest.FixtureRequest) -> dict[str, Scenario]:
    found: dict[str, Scenario] = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def few(small_lake: Path, reference: Block) -> dict[str, Scenario]:
    return scenarios_of(small_lake, reference)


@pytest.fixture(scope="module")
def every(real_lake: Path, reference: Block) -> dict[str, Scenario]:
    return scenarios_of(real_lake, reference)


def scenarios_of(lake: Path, reference: Block) -> dict[str, Scenario]:
    rule = Protocol(protocol="rows", measures="all", repetitions="separate")
    con = ae.connect(lake, protocols=[rule])
    sql = """select scenario_id, measure, instance_id, repetition, solver, cutoff,
             time, solved from instance_solver
             where kind = 'algorithm' and measure_type = 'runtime'"""
    parts = con.sql(sql).pl().partition_by("scenario_id", "measure", as_dict=True)
    return {
        name: scenario(name, parts[name, measure], block)
        for name, measure, block in blocks(reference)
        if (name, measure) in parts
    }


def blocks(reference: Block) -> Iterator[tuple[str, str, Block]]:
    for found in reference["scenarios"].values():
        for measure, block in found["runtime"].items():
            yield found["scenario_id"], measure, block


def scenario(name: str, frame: Any, block: Block) -> Scenario:
    frame = frame.sort("instance_id", "repetition", "solver")
    solvers = sorted(frame["solver"].unique().to_list())
    shape = (-1, len(solvers))
    assert frame["solver"].to_list() == solvers * (len(frame) // len(solvers))
    times = frame["time"].to_numpy().reshape(shape)
    solved = frame["solved"].to_numpy().reshape(shape) > 0
    runs = Runs(times, solved, float(frame["cutoff"][0]))
    return Scenario(name, runs, solvers, block)


def same(ours: Any, theirs: list[float]) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_there_are_scenarios(every: dict[str, Scenario]) -> None:
    assert len(every) >= 15
    assert every["TSP-LION2015"].runs.n_instances == 31060


def test_contribution(scenarios: dict[str, Scenario]) -> None:
    for s in scenarios.values():
        par10, empty = s.runs.par(10), 10 * s.runs.cutoffs
        same(amc(par10, empty=empty), s.theirs(lambda a: a["amc"]))
        shares = rmc(amc(par10, empty=empty))
        same(shares.values, s.theirs(lambda a: a["rmc"]))
        without = vbs_without(par10, empty=empty)
        same(without, s.theirs(lambda a: a["par10_vbs_without"]))


def test_shapley(scenarios: dict[str, Scenario]) -> None:
    for s in scenarios.values():
        n = s.runs.n_instances
        value = shapley(s.runs.par(10), empty=10 * s.runs.cutoffs) * n
        same(value, s.theirs(lambda a: a["shapley"]["par10_closed_form"]))
        covered = shapley(~s.runs.answered, empty=1) * n
        same(covered, s.theirs(lambda a: a["shapley"]["coverage_closed_form"]))


def by_delta(name: str, delta: int) -> Callable[[Block], float]:
    return lambda algorithm: algorithm[name][str(delta)]


def test_borda_at_five_deltas(scenarios: dict[str, Scenario]) -> None:
    for s in scenarios.values():
        n = s.runs.n_instances
        for modified, name in ((False, "borda_parametric_sum"), (True, "borda_modified_sum")):
            swept = delta_sweep(s.runs, modified=modified).scores(DELTAS)
            for row, delta in enumerate(DELTAS):
                rule = BordaRule(delta, modified=modified)
                theirs = s.theirs(by_delta(name, delta))
                same(oracles.borda(s.runs, rule=rule) * n, theirs)
                same(swept[row] * n, theirs)


def test_gaps_from_sweeps(scenarios: dict[str, Scenario]) -> None:
    for s in scenarios.values():
        sweep = penalty_sweep(s.runs)
        for k in (1, 2, 10):
            scores = sweep.scores.scores(k)[0]
            same(scores, s.theirs(lambda a, k=k: a[f"par{k}"]))  # type: ignore[misc]
        assert s.solvers[sweep.sbs_at(10)[0]] == s.block["sbs"]
        assert s.solvers[sweep.sbs_at(1)[0]] == s.block["sbs_par1"]
        same(sweep.gaps(10).values[0], s.theirs(lambda a: a["closed_gap"]))
        same(cutoff_sweep(s.runs).gaps(s.runs.cutoff).values[0], s.theirs(lambda a: a["closed_gap"]))


def test_other_gaps(scenarios: dict[str, Scenario]) -> None:
    for s in scenarios.values():
        par10 = s.runs.par(10)
        scores = par10.mean(axis=0)
        ends = {"sbs": scores.min(), "vbs": par10.min(axis=1).mean(), "vws": par10.max(axis=1).mean()}
        bounded, printed = (oracles.bounded(scores, **ends), oracles.bounded_printed(scores, **ends))
        name = "modified_closed_gap_vws_minus_sbs"
        same(bounded.values, s.theirs(lambda a, n=name: a[n]))  # type: ignore[misc]
        name = "modified_closed_gap_paper_text_vws_minus_vbs"
        same(printed.values, s.theirs(lambda a, n=name: a[n]))  # type: ignore[misc]
        speedup = oracles.speedup(scores, vbs=ends["vbs"]).values
        same(speedup, s.theirs(lambda a: a["speedup_vbs_over_s"]))
        same(incomplete(par10).mean(axis=0), s.theirs(lambda a: a["incomplete_mean"]))


# --- sweeps of real runs --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CPMP-2015", "MIP-2016", "MAXSAT19-UCMS"])
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("modified", [False, True])
def test_delta_around_real_breakpoints(
    every: dict[str, Scenario],
    name: str,
    relative: bool,  # noqa: FBT001
    modified: bool,  # noqa: FBT001
) -> None:
    runs = every[name].runs
    rule = {"relative": relative, "modified": modified}
    sweep = delta_sweep(runs, **rule)
    assert len(sweep.breakpoints) > 500
    turns = np.array([turn.at for turn in sweep.reversals])
    picked = np.concatenate([turns[:40], sweep.breakpoints[:: len(sweep.breakpoints) // 40]])
    at = around(picked)
    brute = [oracles.borda(runs, rule=BordaRule(x, **rule)) for x in at]
    np.testing.assert_allclose(sweep.scores(at), brute, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
def test_every_real_delta_breakpoint_of_one_scenario(every: dict[str, Scenario]) -> None:
    runs = every["MIP-2016"].runs
    sweep = delta_sweep(runs)
    at = around(sweep.breakpoints)
    brute = [oracles.borda(runs, rule=BordaRule(x)) for x in at]
    np.testing.assert_allclose(sweep.scores(at), brute, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CPMP-2015", "MIP-2016", "MAXSAT19-UCMS"])
def test_cutoff_and_penalty_around_real_breakpoints(every: dict[str, Scenario], name: str) -> None:
    runs = every[name].runs
    sweep = cutoff_sweep(runs)
    points = sweep.scores.breakpoints[:: len(sweep.scores.breakpoints) // 50]
    turns = [turn.at for turn in sweep.scores.reversals]
    for x in around(np.unique([*points, *turns[:50]])):
        if x > 0:
            check_at(sweep, lowered(runs, x, strict=True).par(10), x)
    lines = penalty_sweep(runs)
    for k in {1, 10, *(turn.at for turn in lines.scores.reversals)}:
        check_at(lines, runs.par(k), k)


@pytest.mark.slow
def test_every_reversal_turns_the_order(every: dict[str, Scenario]) -> None:
    n = 0
    for s in every.values():
        if s.runs.times.size > 20_000:
            continue
        sweep = delta_sweep(s.runs)
        for turn in sweep.reversals:
            # Breakpoints are joined within the rounding of times up to the cutoff.
            size = 2.0**-49 * s.runs.cutoffs[0]
            before, after = sweep.scores([turn.tied_from - size, turn.at])
            assert before[turn.before] > before[turn.after]
            assert after[turn.before] < after[turn.after]
            n += 1
    assert n > 100
