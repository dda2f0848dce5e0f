"""What each cause costs over all orders of putting the causes right.

The cutoff is 100 and a timeout costs 1000 unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row, rows
from tests.lab import OBJECTIVE, OUT, Given, Step, one, runs, table

VALUES = "cause, shapley, alone"
CAUSES = ("wrong choice", "schedule", "feature cost", "cut off")
REFILLED = [HealthCheck.function_scoped_fixture]  # `given` fills the lake anew


def test_the_example_of_the_documents_by_hand(given: Given) -> None:
    # A takes 20, B 5, the features 90. Saved by each set of choice, feature, cut off:
    # c 905, f 980, k 890, cf 995, ck 905, fk 980, cfk 995. Of the six orders the
    # choice saves 905, 905, 15, 15, 15, 15, that is 1870 / 6, and so on.
    features = [("f", False, [], {"i1": (90, "ok")})]
    con = given(runs(A=[20], B=[5]), says={"x": {"i1": ["f", ("A", None)]}}, features=features)
    assert table(con, "ledger_shapley", VALUES, "shapley <> 0") == [
        ("cut off", 296.666667, 890),
        ("feature cost", 386.666667, 980),
        ("wrong choice", 311.666667, 905),
    ]
    columns = "step, shapley, alone, n_main_shapley, n_other_main"
    assert one(con, "solver_shapley", columns, "n_main_shapley > 0") == (
        *("feature cost", 386.666667, 980),
        *(1, 1),  # the ledger says cut off
    )


# Steps of a selector, and what each cause costs it: over all orders, and alone.
PUT_RIGHT: list[tuple[Sequence[Step], Mapping[str, tuple[float, float]]]] = [
    ([("A", None)], {}),
    ([("B", None)], {"wrong choice": (50, 50)}),
    ([("B", 5), ("A", None)], {"schedule": (5, 5)}),
    ([("A", 9)], {"schedule": (990, 990)}),
    # The best algorithm does not solve within B's budget, and B alone does.
    ([("B", 9)], {"wrong choice": (25, 0), "schedule": (965, 940)}),
    (["f", ("A", None)], {"feature cost": (20, 20)}),
    # A after the features ends at 105: 895 without the cutoff.
    (["g", ("A", None)], {"feature cost": (542.5, 990), "cut off": (447.5, 895)}),
    # No algorithm is chosen: after the feature step the best one runs.
    (["f"], {"wrong choice": (980, 970), "feature cost": (10, 0)}),
    ([], {"no answer": (990, 990)}),
]


@pytest.mark.slow
def test_what_it_is_to_put_a_cause_right(given: Given) -> None:
    n = len(PUT_RIGHT)
    features = [
        (step, False, [], {f"i{at}": (cost, "ok") for at in range(1, n + 1)})
        for step, cost in (("f", 20), ("g", 95))
    ]
    says = {"x": {f"i{at}": steps for at, (steps, _) in enumerate(PUT_RIGHT, start=1)}}
    con = given(runs(A=[10] * n, B=[60] * n), says=says, features=features)
    assert table(con, "ledger_shapley", f"instance_id, {VALUES}", "shapley <> 0 or alone <> 0") == [
        (f"i{at}", cause, *saved)
        for at, (_, causes) in enumerate(PUT_RIGHT, start=1)
        for cause, saved in sorted(causes.items())
    ]


def test_the_best_may_take_all_of_a_budget(given: Given) -> None:
    # A in place of B solves within 10: 990 saved; B alone without a budget: 940.
    con = given(runs(A=[10], B=[60]), says={"x": {"i1": [("B", 10)]}})
    assert table(con, "ledger_shapley", VALUES, "alone <> 0") == [
        ("schedule", 470, 940),
        ("wrong choice", 520, 990),
    ]


def test_what_was_run_outside_pays_its_features(given: Given) -> None:
    outside = [("x", "none", 1, None, "i1", 35, "ok", None, False)]
    con = given(runs(A=[10]), outside=outside, features=[("f", True, [], {"i1": (80, "ok")})])
    # 1000, and 115 uncut; 35 without features; the best after the features 90.
    assert table(con, "ledger_shapley", f"{VALUES}, is_main", "shapley <> 0") == [
        ("cut off", 295, 885, False),
        ("feature cost", 375, 965, True),
        ("run outside", 320, 910, False),
    ]


def test_qualities_have_no_time_to_lose(given: Given) -> None:
    says = {"x": {"i1": [("B", None)], "i2": [("C", None), ("B", None)]}}
    con = given(runs(A=[1, 1], B=[4, 2], C=[9, 8]), says=says, measures=OBJECTIVE)
    # On i2 C counts: the best in place of B changes nothing before B comes first.
    assert table(con, "ledger_shapley", f"instance_id, {VALUES}", "shapley <> 0") == [
        ("i1", "wrong choice", 3, 3),
        ("i2", "schedule", 6.5, 6),
        ("i2", "wrong choice", 0.5, 0),
    ]


def test_a_cost_that_is_not_known_has_no_causes(given: Given) -> None:
    without = Protocol(failures="left_out")
    con = given(runs(A=[5, 6]), without, says={"x": {"i1": [("A", None)]}}, measures=OBJECTIVE)
    columns = "cause, shapley, is_main"
    where = "instance_id = 'i2' and cause = 'no answer'"
    assert one(con, "ledger_shapley", columns, where) == ("no answer", None, False)


# --- against all orders, executed one by one ------------------------------------------


def executed(plan: dict[str, Any], mended: frozenset[str]) -> float:
    """Cost of a schedule with some causes put right, by walking through it.

    plan: runs (time, or None for a timeout), costs of feature steps (seconds, whether they presolve),
    steps, cutoff, penalty.
    """
    own, features = plan["runs"], plan["features"]
    cutoff, timeout = 100.0, plan["penalty"] * 100.0
    steps: list[Step] = list(plan["steps"])
    alone = {name: timeout if t is None else t for name, t in own.items()}
    best = min(alone, key=lambda name: (alone[name], name))
    chosen = [s for s in steps if not isinstance(s, str)]
    if chosen:
        order = [(alone[n], -(b or 1e9), at) for at, (n, b) in enumerate(chosen)]
        lead = chosen[min(range(len(chosen)), key=order.__getitem__)][0]
        if "schedule" in mended:
            place = next(at for at, s in enumerate(steps) if s[0] == lead and s[1:])
            steps = [s for at, s in enumerate(steps) if isinstance(s, str) or at == place]
    clock = counted = 0.0
    if not chosen and "wrong choice" in mended:
        lead, steps = best, [*steps, (best, None)]
    for step in steps:
        if isinstance(step, str):
            takes, presolves = features[step]
            if "feature cost" in mended:
                continue
            clock += takes
            if presolves:
                break
            continue
        name, budget = step
        runs_now = best if name == lead and "wrong choice" in mended else name
        needs = own[runs_now]
        free = "schedule" in mended or budget is None
        if needs is not None and (free or needs <= budget):
            clock += needs
            counted += needs
            break
        clock += cutoff if budget is None else min(budget, cutoff)
        counted += cutoff if budget is None else min(budget, cutoff)
    else:
        return timeout
    if (counted if "cut off" in mended else clock) >= cutoff:
        return timeout
    return min(clock, timeout)


def over_orders(plan: dict[str, Any]) -> dict[str, float]:
    """What each cause saves, in the mean over all orders of putting them right."""
    saved = dict.fromkeys(CAUSES, 0.0)
    orders = list(permutations(CAUSES))
    for order in orders:
        for at, cause in enumerate(order):
            before, after = frozenset(order[:at]), frozenset(order[: at + 1])
            saved[cause] += executed(plan, before) - executed(plan, after)
    return {cause: total / len(orders) for cause, total in saved.items()}


TIME = st.sampled_from([1.0, 5.0, 20.0, 40.0, 60.0, 95.0])
STEP = st.one_of(
    st.sampled_from(["f", "g"]), st.tuples(st.sampled_from("ABC"), st.sampled_from([None, 3.0, 30.0, 70.0]))
)
PLAN = st.fixed_dictionaries(
    {
        "runs": st.fixed_dictionaries(dict.fromkeys("ABC", st.one_of(st.none(), TIME))),
        "features": st.fixed_dictionaries(
            dict.fromkeys("fg", st.tuples(TIME, st.sampled_from([False] * 4 + [True])))
        ),
        "steps": st.lists(STEP, min_size=1, max_size=4, unique_by=repr),
    }
)


# None put right is the selector, free features are the ledger's, and all are VBS.
ENDS = """
select max(abs(m.cost - case mended
    when 0 then s.cost when 4 then s.cost_free when 12 then s.cost_free else vbs_cost
end))
from ledger_mended as m
inner join instance_selector as s using (instance_id)
inner join ledger using (instance_id)
where mended in (0, 4, 7, 12, 15)
"""


@pytest.mark.slow
@settings(max_examples=4, deadline=None, suppress_health_check=REFILLED)
@for_all(plans=st.lists(PLAN, min_size=12, max_size=24), penalty=st.sampled_from([1.0, 2.0, 10.0]))
def test_it_is_the_mean_over_all_orders(given: Given, plans: list[dict[str, Any]], penalty: float) -> None:
    con = filled(given, plans, penalty)
    found = {
        (instance, cause): value
        for instance, cause, value in con.sql(
            "select instance_id, cause, shapley from ledger_shapley"
        ).fetchall()
    }
    for at, plan in enumerate(plans, start=1):
        expected = over_orders({**plan, "penalty": penalty})
        ours = {cause: found[f"i{at}", cause] for cause in CAUSES}
        assert ours == pytest.approx(expected, abs=1e-9), plan
    sums = rows(
        con,
        "select r.regret, sum(shapley) from ledger as r"
        " inner join ledger_shapley using (instance_id) group by instance_id, r.regret",
    )
    assert all(loss == pytest.approx(total, abs=1e-9) for loss, total in sums)
    assert rows(con, ENDS) == [(0,)]


def filled(given: Given, plans: list[dict[str, Any]], penalty: float) -> duckdb.DuckDBPyConnection:
    """An instance for each plan, and a selector that follows it."""
    data: list[Row] = []
    for name in "ABC":
        data += runs(**{name: [p["runs"][name] or OUT for p in plans]})
    features = []
    for step in "fg":
        costs = {}
        for at, plan in enumerate(plans, start=1):
            takes, presolves = plan["features"][step]
            costs[f"i{at}"] = (takes, "presolved" if presolves else "ok")
        features.append((step, False, [], costs))
    says = {"x": {f"i{at}": p["steps"] for at, p in enumerate(plans, start=1)}}
    return given(data, Protocol(protocol="p", penalty=penalty), says=says, features=features)


def test_an_algorithm_that_is_called_as_sbs_is_no_baseline(given: Given) -> None:
    def lost(name: str) -> list[Row]:
        says = {"s": {"i1": [(name, 100.0)], "i2": [("B", 100.0)]}}
        con = given(runs(**{name: [90, 2], "B": [5, 50]}), says=says)
        return table(con, "solver_loss", "step, loss, gap_share", "loss <> 0")

    assert lost("SBS") == lost("A") != []
