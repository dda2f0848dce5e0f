"""``suite``: means over scenarios that tell unequally much; published meta-analyses, and a sampler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness import SuiteOf
from aslib_eval.extensions.firmness.metrics import (
    Codes,
    PooledMean,
    Sampled,
    plain_mean,
    pooled_mean,
    sampled,
    variance_between,
)
from aslib_eval.extensions.firmness.standings import (
    Member,
    SuiteSolver,
    measured,
    scenarios_frame,
    sentences,
    solvers_frame,
    values_of,
)
from aslib_eval.metrics.scale import Floats
from tests.conftest import write_scenario

T = 100.0
# Instances are called family_number.
LARGE = {"steady": (10, 20, 30, 40, T, 10, 20, 30), "bold": (5, T, 5, T, 5, T, 5, 5)}
SMALL = {"steady": (50, T), "bold": (10, 20), "guest": (T, T)}


def rows(times: dict[str, tuple[float, ...]]) -> list[tuple[Any, ...]]:
    return [
        (f"{'ab'[at * 2 // len(own)]}_{at}", 1, solver, time,
         "ok" if time < T else "timeout")
        for solver, own in times.items()
        for at, time in enumerate(own)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("suite")
    folders = [
        write_scenario(home / "LARGE", runs=rows(LARGE)),
        write_scenario(home / "SMALL", runs=rows(SMALL)),
        write_scenario(
            home / "QUALITY",
            runs=[("a", 1, "steady", 3, "ok"), ("a", 1, "bold", 4, "ok"),
                  ("b", 1, "steady", 7, "ok"), ("b", 1, "bold", 3, "ok")],
            measures=[("q", "solution_quality", "false")],
        ),
    ]  # fmt: skip
    ae.import_scenarios(folders, into=home / "lake")
    return home / "lake"


def values(frame: pl.DataFrame, column: str) -> dict[tuple[str, str], float]:
    return {
        (str(solver), str(scenario)): float(value)
        for solver, scenario, value in frame.select("solver", "scenario_id", column).rows()
    }


def test_the_value_in_a_scenario_is_its_closed_gap(lake: Path) -> None:
    sql = "select solver, scenario_id, closed_gap from solver_gap"
    gaps = ae.query(lake=lake, sql=f"{sql} where kind = 'algorithm'")
    told = list[str]()
    found = ae.suite(lake, show="scenarios", note=told.append)
    known = values(gaps.filter(pl.col("closed_gap").is_not_null()), "closed_gap")
    assert values(found, "value") == pytest.approx({key: known[key] for key in values(found, "value")})
    assert set(found["scenario_id"]) == {"LARGE", "QUALITY"}
    assert told[0] == ("SMALL, runtime: no closed gap, because SBS is as good as VBS or a cost is missing.")


def test_shares_solved(lake: Path) -> None:
    told = list[str]()
    found = ae.suite(lake, of="solved", note=told.append)
    columns = ("solver", "n_scenarios", "n_families", "n_instances", "n_absent")
    assert found.select(columns).rows() == [
        ("bold", 2, 2, 10, 0),
        ("steady", 2, 2, 10, 0),
        ("guest", 1, 0, 2, 1),
    ]
    means = [(5 / 8 + 1) / 2, (7 / 8 + 1 / 2) / 2, 0]
    assert found["mean"].to_list() == pytest.approx(means)
    assert told[0].startswith("QUALITY, q: left out because a solution-quality measure has no share")
    # Bold is ahead, by 13/16 to 11/16, in two scenarios that say the contrary.
    assert told[1].startswith("default, algorithm: bold has the best share solved")
    assert "not significantly better than steady, guest" in told[1]
    assert told[1].endswith("Solvers without results on some scenario come last.")
    guest = found.filter(solver="guest").row(0, named=True)
    assert (guest["estimate"], guest["lower"], guest["upper"]) == (0, 0, 0)
    assert guest["between_scenarios"] is None
    assert guest["n_absent"] == 1


def test_the_larger_scenario_counts_for_more(lake: Path) -> None:
    asked = {"of": "solved", "inside": "instances", "kind": "algorithm"}
    found = ae.suite(lake, **asked, show="scenarios")  # type: ignore[arg-type]
    large, small = (
        found.filter(solver="steady", scenario_id=name).row(0, named=True) for name in ("LARGE", "SMALL")
    )
    assert large["n_families"] == small["n_families"] == 0
    assert large["between_families"] is None
    # The variance of an instance is that of both: (7 / 8 + 1 / 2) / (7 + 1).
    usual = (7 / 8 + 1 / 2) / 8
    assert large["error"] == pytest.approx((usual / 8) ** 0.5)
    assert small["error"] == pytest.approx((usual / 2) ** 0.5)
    # Of two scenarios REML has a closed form: half of what the square of their difference is above chance;
    # of bold it is not above.
    between = ((7 / 8 - 1 / 2) ** 2 - usual / 8 - usual / 2) / 2
    # The weights are those of the mean errors of all solvers: bold solves 5 of 8 and all of 2, guest none
    # of 2.
    bold = 15 / 8 / 8
    precise = 1 / ((usual + bold) / 2 / 8 + between / 2)
    share = precise / (precise + 1 / ((usual + bold) / 3 / 2 + between / 2))
    weights = found.filter(scenario_id="LARGE")["weight"].to_list()
    assert weights == pytest.approx([share, share], rel=1e-4)
    mean = 1 / 2 + share * 3 / 8
    shrinkage = usual / 2 / (usual / 2 + between)
    assert small["shrinkage"] == pytest.approx(shrinkage, rel=1e-4)
    drawn = 1 / 2 + shrinkage * (mean - 1 / 2)
    assert small["shrunk"] == pytest.approx(drawn, rel=1e-4)
    row = ae.suite(lake, of="solved", inside="instances").filter(solver="steady")
    assert row["between_scenarios"].item() == pytest.approx(between**0.5, rel=1e-4)
    assert row["estimate"].item() == pytest.approx(mean, rel=1e-4)
    assert row["mean"].item() == pytest.approx((7 / 8 + 1 / 2) / 2)
    assert row["upper"].item() == 1  # no share is larger


def test_the_cost_is_a_share_of_that_of_no_solution(lake: Path) -> None:
    found = values(ae.suite(lake, of="cost", show="scenarios"), "value")
    assert found["steady", "SMALL"] == pytest.approx((50 + 1000) / 2 / 1000)
    first = ae.suite(lake, of="cost").row(0, named=True)
    assert first["estimate"] == ae.suite(lake, of="cost")[:2]["estimate"].min()


def test_the_error_of_a_gap_is_that_of_the_ratio(lake: Path) -> None:
    # Of SMALL: SBS is bold with 10 and 20, as VBS, so that only LARGE has a gap there.
    asked = {"scenarios": ["LARGE"], "inside": "instances", "show": "scenarios"}
    found = ae.suite(lake, **asked).filter(solver="bold").row(0, named=True)  # type: ignore[arg-type]
    costs = [1000.0 if time == T else time for time in LARGE["bold"]]
    sbs = [1000.0 if time == T else time for time in LARGE["steady"]]
    room = [one - min(one, two) for one, two in zip(sbs, costs, strict=True)]
    gap = (sum(sbs) - sum(costs)) / sum(room)
    spread = [one - two - gap * r for one, two, r in zip(sbs, costs, room, strict=True)]
    mean = sum(room) / 8
    variance = sum(value**2 for value in spread) / 7 / mean**2
    assert found["value"] == pytest.approx(gap)
    assert found["error"] == pytest.approx((variance / 8) ** 0.5)


def test_families_are_those_of_the_names(lake: Path) -> None:
    of = ae.suite(lake, scenarios=["LARGE"], of="solved", show="scenarios")
    assert of["n_families"].to_list() == [2, 2]


def test_one_family_is_none(tmp_path: Path) -> None:
    runs = [
        (f"a_{at}", 1, solver, 10 * at + 5 * (solver == "y"), "ok") for at in (1, 2, 3) for solver in "xy"
    ]
    ae.import_scenarios([write_scenario(tmp_path / "S", runs=runs)], into=tmp_path / "lake")
    assert ae.suite(tmp_path / "lake", of="solved")["n_families"].to_list() == [0, 0]


def test_protocols_may_leave_other_instances(tmp_path: Path) -> None:
    times = {"A": (1, 2, 3, 4, 5, T), "B": (9, 8, 7, T, 5, T)}
    folder = write_scenario(tmp_path / "S", runs=rows(times))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    asked = ("amadini2023", "default")  # without, and with what nobody solves
    each = [ae.suite(tmp_path / "lake", of="solved", protocols=[one]) for one in asked]
    assert [frame["n_instances"][0] for frame in each] == [5, 6]
    both = ae.suite(tmp_path / "lake", of="solved", protocols=asked)
    assert both.equals(pl.concat(each))


def test_nobody_has_a_value(lake: Path) -> None:
    with pytest.raises(AslibError, match="q: left out because a solution-quality measure has no share"):
        ae.suite(lake, scenarios=["QUALITY"], of="solved")


# Mean costs of SBS and VBS on the instances of a scenario, and of two selectors, of which one is at least
# as good on every instance.
SUITES = st.lists(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=8),
    min_size=2,
    max_size=5,
)


@given(SUITES, st.sampled_from(["gap", "cost"]))
def test_who_is_at_least_as_good_everywhere_is_never_behind(
    drawn: list[list[tuple[float, float, float]]], of: SuiteOf
) -> None:
    group: dict[str, list[Member]] = {"better": [], "worse": []}
    for at, rows in enumerate(drawn):
        vbs, more, lost = np.array(rows).T
        costs = np.column_stack([vbs + more / 2, vbs + more / 2 + lost])
        table = {"vbs": vbs[:, None], "sbs": (vbs + 1)[:, None], "cost": costs,
                 "worst": np.full((len(vbs), 1), 9.0)}  # fmt: skip
        values = values_of(table.__getitem__, of)
        for column, members in enumerate(group.values()):
            members.append(Member((f"S{at}", "q"), values[:, column], None))
    found = measured("p", "k", group, of, confidence=0.95)
    first, second = found
    sign = -1 if of == "cost" else 1
    assert second.behind is not None
    assert second.behind.mean >= -1e-12
    if second.behind.mean > 1e-9:
        assert first.solver == "better"
        ahead = first.pooled.estimate - second.pooled.estimate
        assert sign * ahead >= -1e-9


def test_losing_more_does_not_make_a_selector_first() -> None:
    # In both scenarios a selector that is never better anywhere: where it loses, its error is large, which
    # must not take that scenario from its mean alone.
    vbs = {"A": [0.0] * 10, "B": [0.0] * 10}
    sbs = {"A": [10.0] * 10, "B": [0.0] * 9 + [10.0]}
    costs = {
        "better": {"A": [0.0] * 10, "B": sbs["B"]},
        "worse": {"A": [0.0] * 10, "B": [10.0, *sbs["B"][1:]]},
    }
    group = {
        solver: [
            Member((s, "q"), values_of(
                {name: np.array(of[s])[:, None] for name, of in
                 {"vbs": vbs, "sbs": sbs, "cost": own}.items()}.__getitem__, "gap"
            )[:, 0], None)
            for s in ("A", "B")
        ]
        for solver, own in costs.items()
    }  # fmt: skip
    found = measured("p", "k", group, "gap", confidence=0.95)
    assert [one.solver for one in found] == ["better", "worse"]
    assert [one.plain.mean for one in found] == [0.5, 0]
    assert found[0].pooled.estimate > found[1].pooled.estimate


@pytest.mark.parametrize("of", ["gap", "cost"])
def test_the_distance_to_the_first_holds_for_all_pairs(of: SuiteOf) -> None:
    # Three pairs: t with 2 degrees of freedom at 1 - 0.05 / 3 is 7.6488. What each is behind the first is
    # 1, 2, 3 and 2, 4, 6: variances 1 and 4, over three scenarios.
    sign = 1 if of == "cost" else -1
    group = {
        solver: [Member((f"S{at}", "q"), np.full(400, sign * by * at), None) for at in (1.0, 2.0, 3.0)]
        for solver, by in (("a", 0), ("b", 1), ("c", 2))
    }
    found = measured("p", "k", group, of, confidence=0.95)
    assert [one.solver for one in found] == ["a", "b", "c"]
    behind = [one.behind for one in found[1:] if one.behind]
    assert [one.mean for one in behind] == [2, 4]
    widths = [one.upper - one.mean for one in behind]
    assert widths == pytest.approx([7.6488 / 3**0.5, 2 * 7.6488 / 3**0.5], rel=1e-3)


def suite_of(of: SuiteOf, **own: list[list[float]]) -> list[SuiteSolver]:
    """Each solver with its values in scenarios S0, S1 ..."""
    group = {
        solver: [Member((f"S{at}", "q"), np.array(each), None) for at, each in enumerate(values)]
        for solver, values in own.items()
    }
    return measured("p@0", "algorithm", group, of, confidence=0.95)


FIRST: list[tuple[SuiteOf, dict[str, list[list[float]]], str]] = [
    (
        "cost",
        {"b": [[0.3], [0.32], [0.28]], "a": [[0.1]] * 3, "c": [[0.1], [0.3], [0.12]]},
        """a has the best mean cost as a share of a timeout's cost, 0.1 (interval 0.1 to 0.1), over 3
        scenarios.
        It is significantly better than b. It is not significantly better than c. The prediction interval
        for a new scenario is 0.1 to 0.1""",
    ),
    (
        "gap",
        {"a": [[0.5] * 4], "b": [[0.25] * 4]},
        """a has the best closed gap, 0.5 (interval 0.5 to 0.5), over 1 scenario. One scenario says
        nothing about others. To test on it, type aslib-eval compare""",
    ),
    (
        "gap",
        {"a": [[0.5], [0.5]], "b": [[0.25], [0.3]], "c": [[0.9]]},
        """a has the best closed gap, 0.5 (interval 0.5 to 0.5), over 2 scenarios. It is not
        significantly better than b, c. The prediction interval for a new scenario is 0.5 to 0.5.
        Solvers without results on some scenario come last""",
    ),
    (
        "solved",
        {"a": [[1, 0, 1, 0], [1] * 60 + [0] * 40], "b": [[1, 1, 1, 0], [1, 0] * 50]},
        """b has the best share solved, 0.625 (interval 0 to 1), over 2 scenarios. It is not
        significantly better than a. The prediction interval for a new scenario is 0 to 1. The mean's
        interval held impossible values and was cut, so it is less reliable. If scenarios with smaller
        errors weigh more, a is first""",
    ),
]


@pytest.mark.parametrize(("of", "own", "said"), FIRST)
def test_who_is_first_and_how_sure_that_is(
    of: SuiteOf, own: dict[str, list[list[float]]], said: str
) -> None:
    assert sentences(suite_of(of, **own)) == [f"p, algorithm: {' '.join(said.split())}"]


@pytest.mark.parametrize(("of", "error"), [("gap", 0.39286), ("cost", 0.21429)])
def test_gaps_vary_as_their_scenario_does_and_shares_as_all_do(of: SuiteOf, error: float) -> None:
    """Squares of 6 and 0 with 2 and 5 degrees of freedom: 6 / 7 an instance in both scenarios.

    A gap's variances are (6 + 6 / 7) / 3 and (6 / 7) / 6; each is divided by 3 and 6 instances.
    """
    sign = -1 if of == "cost" else 1
    values = {"a": ([0.0] * 3, [0.0] * 6), "b": ([-3.0, 0.0, 0.0], [-1.0] * 6)}
    group = {
        solver: [Member((s, "q"), sign * np.array(own), None) for s, own in zip("ST", both, strict=True)]
        for solver, both in values.items()
    }
    found = measured("p", "k", group, of, confidence=0.95)[1].behind
    assert found is not None
    assert found.upper - found.mean == pytest.approx(12.7062 * (error / 2) ** 0.5, rel=1e-4)


def test_rows_of_solvers_and_of_scenarios() -> None:
    # On four instances there are two families.
    values = {
        "a": [[0.6, 0.7, 0.5, 0.5], [0.1, 0.2, 0.4, 0.5], [0.8, 0.7]],
        "b": [[0.5, 0.5, 0.2, 0.3], [0.2, 0.1, 0.2, 0.2], [0.3, 0.5]],
        "c": [[0.8] * 4],
    }
    families = [np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), None]
    group = {
        solver: [
            Member((f"S{at}", "q"), np.array(each), codes)
            for at, (each, codes) in enumerate(zip(own, families, strict=False))
        ]
        for solver, own in values.items()
    }
    found = measured("p@0", "algorithm", group, "gap", confidence=0.5)
    rows = [
        {n: round(v, 4) if isinstance(v, float) else v for n, v in row.items()}
        for row in solvers_frame(found).to_dicts()
    ]
    same = {"protocol": "p@0", "kind": "algorithm", "of": "gap"}
    assert rows[0] == same | {
        "solver": "a", "mean": 0.5417, "lower": 0.4347, "upper": 0.6486, "new_lower": 0.3278,
        "new_upper": 0.7555, "behind": None, "behind_lower": None, "behind_upper": None, "estimate": 0.5476,
        "between_scenarios": 0.188, "between_families": 0.1546, "n_scenarios": 3, "n_families": 4,
        "n_instances": 10, "n_absent": 0,
    }  # fmt: skip
    columns = ("solver", "mean", "behind", "behind_lower", "behind_upper", "n_scenarios", "n_absent")
    assert [tuple(row[name] for name in columns) for row in rows[1:]] == [
        ("b", 0.3167, 0.225, 0.084, 0.366, 3, 0),
        ("c", 0.8, -0.225, None, None, 1, 2),
    ]
    rows = [
        tuple(round(v, 4) if isinstance(v, float) else v for v in row)
        for row in scenarios_frame(found).drop(same).rows()
    ]
    assert [row[:3] for row in rows] == [
        *((solver, f"S{at}", "q") for solver in "ab" for at in range(3)),
        ("c", "S0", "q"),
    ]
    # n, n_families, value, error, between_families, shrunk, shrinkage, weight
    assert [row[3:] for row in rows] == [
        (4, 2, 0.575, 0.0875, 0.1184, 0.5701, 0.1781, 0.3602),
        (4, 2, 0.3, 0.1356, 0.1839, 0.3847, 0.342, 0.3096),
        (2, 0, 0.75, 0.0866, None, 0.7146, 0.1749, 0.3302),
        (4, 2, 0.375, 0.0945, 0.1094, 0.3525, 0.4188, 0.3602),
        (4, 2, 0.175, 0.0479, 0.0521, 0.1978, 0.156, 0.3096),
        (2, 0, 0.4, 0.0944, None, 0.3671, 0.418, 0.3302),
        (4, 2, 0.8, 0, 0, 0.8, 0, 1),
    ]


# --- partial pooling

# Log risk ratios of 13 trials of the BCG vaccine and their variances (Colditz et al. 1994), as in
# Viechtbauer 2010, section 3.
BCG = np.array(
    [-0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861, -1.6209, 0.0120, -0.4694,
     -1.3713, -0.3394, 0.4459, -0.0173]
)  # fmt: skip
BCG_VARIANCES = np.array(
    [0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730,
     0.0124, 0.5325, 0.0714]
)  # fmt: skip
# Effects of coaching in eight schools (Rubin 1981; Gelman et al. 2013, table 5.2).
SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
SCHOOLS_ERRORS = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])


def pooled(means: Floats, errors: Floats) -> PooledMean:
    """Weighted by the errors and the likeliest variance, as a meta-analysis."""
    between = variance_between(means, errors)
    return pooled_mean(means, errors, between, 1 / (errors + between))


def test_the_trials_of_bcg_as_published() -> None:
    # REML: tau^2 = 0.3132, mean -0.7145 (Viechtbauer 2010, section 3.1).
    assert variance_between(BCG, BCG_VARIANCES) == pytest.approx(0.3132, abs=1e-4)
    assert pooled(BCG, BCG_VARIANCES).estimate == pytest.approx(-0.7145, abs=1e-4)


def test_eight_schools_differ_by_no_more_than_chance() -> None:
    # Pooled wholly: 7.7 with an error of 4.1 (Gelman et al. 2013, section 5.5).
    found = pooled(SCHOOLS, SCHOOLS_ERRORS**2)
    assert variance_between(SCHOOLS, SCHOOLS_ERRORS**2) == 0
    assert found.estimate == pytest.approx(7.6856, abs=1e-4)
    assert found.shrunk == pytest.approx(np.full(8, 7.6856), abs=1e-4)
    assert found.weight[4] == pytest.approx(1 / 81 * 4.0719**2, abs=1e-4)


def test_the_plain_mean_and_a_new_scenario() -> None:
    # Mean 2, variance 1; t with 2 degrees of freedom is 4.3027.
    found = plain_mean(np.array([1.0, 2, 3]), np.zeros(3), confidence=0.95, df=0)
    assert found.mean == 2
    ends = np.array([found.lower, found.upper, found.new_lower, found.new_upper])
    halves = 4.30265 * np.sqrt([1 / 3, 1 / 3, 4 / 3, 4 / 3])
    assert ends == pytest.approx(2 + np.array([-1, 1, -1, 1]) * halves, abs=1e-4)
    # Scenarios that are equal by chance: their errors are what is known.
    found = plain_mean(np.full(3, 2.0), np.array([0.5, 1, 1.5]), confidence=0.95, df=0)
    assert found.upper == pytest.approx(2 + 4.30265 * np.sqrt(1 / 3), abs=1e-4)


def test_a_variance_between_that_is_small_beside_the_errors() -> None:
    # Of two scenarios it is half of what the square of their difference is above both errors.
    apart = np.array([0.0, 2.00015**0.5])
    assert variance_between(apart, np.ones(2)) == pytest.approx(7.5e-5, rel=1e-3)


def test_the_variance_between_does_not_hang_on_the_last_digits() -> None:
    # The deviance is flat at its minimum: searching for that would leave 1e-8 of it.
    found = variance_between(BCG, BCG_VARIANCES)
    for seed in range(5):
        noise = 1 + 1e-15 * np.random.default_rng(seed).uniform(-1, 1, 13)
        again = variance_between(BCG * noise, BCG_VARIANCES)
        assert again == pytest.approx(found, rel=2e-13)


def gibbs(means: Floats, errors: Floats, *, between: float, seed: int) -> Floats:
    """8000 draws of the mean and of each value; a flat prior of the mean (Gelman 2006)."""
    rng = np.random.default_rng(seed)
    n, values = len(means), means.copy()
    kept = []
    for _ in range(8500):
        mean = rng.normal(values.mean(), np.sqrt(between / n))
        precision = 1 / errors + 1 / between
        centre = (means / errors + mean / between) / precision
        values = rng.normal(centre, 1 / np.sqrt(precision))
        kept.append([mean, *values])
    return np.array(kept[500:])


def test_a_sampler_that_knows_the_variance_agrees() -> None:
    rng = np.random.default_rng(5)
    errors = rng.uniform(0.02, 0.6, 40) ** 2
    forty = rng.normal(0.5, 0.3, 40) + rng.normal(0, np.sqrt(errors)), errors
    found = pooled(*forty)
    drawn = gibbs(*forty, between=variance_between(*forty), seed=1)
    # The standard error of 8000 draws that depend on each other, five times.
    assert drawn[:, 0].mean() == pytest.approx(found.estimate, abs=0.005)
    assert drawn[:, 1:].mean(axis=0) == pytest.approx(found.shrunk, abs=0.018)


def test_the_more_a_scenario_tells_the_less_it_is_drawn() -> None:
    found = pooled(np.array([0.0, 1.0, 5.0, 6.0]), np.array([0.01, 4.0, 0.01, 4.0]))
    assert found.shrinkage[0] < 0.01
    assert found.shrinkage[1] > 0.2
    assert found.weight[0] > found.weight[1]
    assert found.weight.sum() == pytest.approx(1)
    drawn = found.shrunk - np.array([0.0, 1.0, 5.0, 6.0])
    away = found.estimate - np.array([0.0, 1.0, 5.0, 6.0])
    assert drawn == pytest.approx(found.shrinkage * away)


def test_one_scenario_has_its_own_interval() -> None:
    # t with 9 degrees of freedom is 2.2622.
    one = np.array([0.4]), np.array([0.25])
    found = plain_mean(*one, confidence=0.95, df=9)
    assert found.upper == pytest.approx(0.4 + 2.2622 * 0.5, abs=1e-4)
    assert np.isnan([found.new_lower, found.new_upper]).all()
    assert np.isnan(plain_mean(*one, confidence=0.95, df=0).upper)
    assert np.isnan(variance_between(*one))
    alone = pooled_mean(*one, np.nan, np.ones(1))
    assert (alone.estimate, alone.shrunk[0], alone.shrinkage[0]) == (0.4, 0.4, 0)


def test_all_tied_is_a_point() -> None:
    found = plain_mean(np.array([0.3, 0.3]), np.zeros(2), confidence=0.95, df=0)
    assert (found.lower, found.mean, found.upper) == (0.3, 0.3, 0.3)
    assert variance_between(np.array([0.3, 0.3]), np.zeros(2)) == 0
    # Without errors, what the scenarios differ by is all of them.
    apart = variance_between(np.array([0.0, 1.0, 2.0]), np.zeros(3))
    assert apart == pytest.approx(1, abs=1e-4)


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(0.01, 3)), min_size=2, max_size=8),
    st.floats(-3, 3),
    st.floats(0.1, 10),
)
def test_units_do_not_matter(rows: list[tuple[float, float]], shift: float, by: float) -> None:
    means, errors = np.array(rows).T
    one, two = (
        plain_mean(*of, confidence=0.95, df=0)
        for of in ((means, errors), (means * by + shift, errors * by**2))
    )
    ours = np.array([one.lower, one.mean, one.upper, one.new_upper]) * by + shift
    theirs = np.array([two.lower, two.mean, two.upper, two.new_upper])
    assert theirs == pytest.approx(ours, abs=1e-3 * by, rel=1e-3)
    first = pooled(means, errors)
    second = pooled(means * by + shift, errors * by**2)
    assert second.estimate == pytest.approx(first.estimate * by + shift, abs=1e-3 * by, rel=1e-3)
    assert np.all((first.shrinkage > 0) & (first.shrinkage <= 1))


def of(
    values: list[list[float]], families: list[Codes | None] | None = None, *, same_spread: bool = False
) -> Sampled:
    given_ = [np.array(own, float) for own in values]
    return sampled(given_, families or [None] * len(values), same_spread=same_spread)


def test_errors_of_means() -> None:
    # Sums of squares 0.5 and 0 with 1 and 2 degrees of freedom: the mean is 1 / 6, and counts as one
    # observation more of each.
    found = of([[0, 1], [1, 1, 1]])
    assert found.means.tolist() == [0.5, 1.0]
    assert found.errors == pytest.approx([(0.5 + 1 / 6) / 2 / 2, 1 / 6 / 3 / 3])
    assert found.units == pytest.approx([2, 3])
    assert np.isnan(found.between_families).all()
    alike = of([[0, 1], [1, 1, 1]], same_spread=True)
    assert alike.errors == pytest.approx([1 / 12, 1 / 18])


def test_families_are_drawn_as_wholes() -> None:
    # Two families of two equal instances are two instances.
    codes = np.array([0, 0, 1, 1])
    found = of([[0, 0, 1, 1]], [codes], same_spread=True)
    assert found.units == pytest.approx([2])
    assert found.errors == pytest.approx([0.5 / 2])
    assert found.between_families == pytest.approx([np.sqrt(0.5)])
    # Families that do not differ, with less between them than chance makes, are none.
    found = of([[0, 1, 0, 1]], [codes], same_spread=True)
    assert found.units == pytest.approx([4])
    assert found.between_families.tolist() == [0]
    # Three and one: within 2 / 2, between 18.75, 1.5 instances a family; the squared shares sum to 10 / 16.
    found = of([[1, 2, 3, 7]], [np.array([0, 0, 0, 1])], same_spread=True)
    rho = 17.75 / (18.75 + 0.5)
    assert 1 / found.units == pytest.approx([rho * 0.625 + (1 - rho) / 4])


def test_few_families_go_by_those_of_all_scenarios() -> None:
    # Correlations 1 of two families and -1 of four pairs: the mean by families less one is (1 - 3) / 4, and
    # counts as ten families more.
    codes = [np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1, 2, 2, 3, 3])]
    found = of([[0, 0, 1, 1], [0, 1] * 4], codes)
    assert found.between_families.tolist() == [0, 0]
    found = of([[0, 0, 1, 1], [0, 0, 1, 1, 0, 1, 0, 1]], codes)
    # Of the second: between (0.5 + 0.5) / 3, within 1 / 4, two a family.
    second = (1 / 3 - 1 / 4) / (1 / 3 + 1 / 4)
    mean = (1 + 3 * second) / 4
    rho = np.array([(1 + 10 * mean) / 11, (3 * second + 10 * mean) / 13])
    shares = rho * [0.5, 0.25] + (1 - rho) / [4, 8]
    assert found.units == pytest.approx(1 / shares)


def test_one_family_alone_goes_by_the_others() -> None:
    codes: list[Codes | None] = [np.zeros(4, int), np.array([0, 0, 1, 1]), None]
    found = of([[0, 1, 0, 1], [0, 0, 1, 1], [0, 1]], codes)
    assert found.units[1:] == pytest.approx([2, 2])
    assert found.units[0] == pytest.approx(4)
