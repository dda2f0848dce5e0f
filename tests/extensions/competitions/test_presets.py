"""Presets: those without published results on ten instances by hand, all attacked."""

from __future__ import annotations

from math import isfinite, log

import pytest

from aslib_eval.extensions.competitions.rules import Ranking
from tests.extensions.competitions.test_laws import PRESETS, TEN
from tests.extensions.competitions.test_rules import Row, frame, solution

# Costs of two solvers on ten instances. The best ones are 4 5 7 6 3 9 5 0 8 16.
COSTS = {"A": (4, 10, None, 6, 3, 12, 5, 0, 8, 20), "B": (8, 5, 7, 6, None, 9, 10, 0, None, 16)}
FOUND: list[Row] = [
    {**solution(name, None if cost is None else "solution", cost, 50), "instance_id": i}
    for name, costs in COSTS.items()
    for i, cost in zip("abcdefghij", costs, strict=True)
]


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return Ranking()


# Solved: A 6 in 84.5 s, B 6 in 155.2 s, C 6 in 125.5 s, D 4 in 19 s.
@pytest.mark.parametrize("name", ["qbf", "xcsp", "pace-exact", "chc"])
def test_solved_then_time(ranking: Ranking, name: str) -> None:
    found = ranking.board(frame(TEN), [PRESETS[name]])
    assert found.select("solver", "place", "solved", "cpu").rows()[:4] == [
        ("A", 1, 6, pytest.approx(84.5)),
        ("B", 3, 6, pytest.approx(155.2)),
        ("C", 2, 6, pytest.approx(125.5)),
        ("D", 4, 4, 19),
    ]


def test_solved_alone(ranking: Ranking) -> None:
    found = ranking.board(frame(TEN), [PRESETS["ipc-optimal"]])
    assert found.select("place", "points").rows()[:4] == [(1, 6), (1, 6), (1, 6), (4, 4)]


def test_sv_comp(ranking: Ranking) -> None:
    # Of ten instances four, four and two are in a division: A has 4, 3 and 2 points.
    found = ranking.board(frame(TEN), [PRESETS["svcomp"]])
    points = [4 / 4 + 3 / 4 + 2 / 2, 4 / 4 + 2 / 4 + 2 / 2, 5 / 4 + 3 / 4]
    expected = [10 / 3 * each for each in (*points, 3 / 4 + 3 / 4)]
    assert found["part"].to_list()[:4] == ["all"] * 4
    assert found["points"].to_list()[:4] == pytest.approx(expected)
    assert found["place"].to_list()[:4] == [1, 2, 3, 4]


def test_ipc_agile(ranking: Ranking) -> None:
    found = ranking.board(frame(TEN), [PRESETS["ipc-agile"]])
    # D has plans after 1 and 3 seconds; that there is none is no plan.
    assert found["points"][3] == pytest.approx(1 + 1 - log(3) / log(300))


def test_ipc_htn_balances_domains(ranking: Ranking) -> None:
    found = ranking.board(frame(TEN), [PRESETS["ipc-htn"]])
    # Of ten instances four are in each of the two domains in which D has a plan.
    assert found["points"][3] == pytest.approx(10 / 3 * (1 / 4 + (1 - log(3) / log(1800)) / 4))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pace-heuristic", [6 + 1 / 2 + 3 / 4 + 4 / 5, 6 + 1 / 2 + 1 / 2]),
        ("ipc-satisficing", [6 + 1 / 2 + 3 / 4 + 4 / 5, 6 + 1 / 2 + 1 / 2]),
        ("maxsat-anytime", [(6 + 6 / 11 + 10 / 13 + 17 / 21) / 10, (6 + 5 / 9 + 6 / 11) / 10]),
        ("minizinc-incomplete", [4 + 2 * 0.5, 4 + 2 * 0.5]),
        ("uai", [68 / 10, 61 / 10]),
        ("uai_map", [68 - 1, 61 - 2]),
        ("minizinc_half", [4 + 3 * 0.5 + 2 * 0.5, 4 + 2 * 0.5 + 2 * 0.5]),
    ],
)
def test_points_of_solutions(ranking: Ranking, name: str, expected: list[float]) -> None:
    found = ranking.board(frame(FOUND), [PRESETS[name]])
    assert found["points"].to_list()[:2] == pytest.approx(expected)
    assert found["place"].to_list()[:2] == [1, 1 + (expected[0] != expected[1])]


def wrong_in(*families: str) -> list[Row]:
    """A planner that is wrong once in each of these families, and right elsewhere."""
    return [
        {
            "instance_id": f"{family}{at}",
            "solver": "A",
            "family": family,
            "claim": "sat",
            "judged": "wrong" if at == 0 and family in families else None,
            "time": 1,
        }
        for family in "fgh"
        for at in range(2)
    ]


@pytest.mark.parametrize(("families", "expected"), [("", (1, 6)), ("g", (1, 4)), ("gh", (None, 2))])
def test_an_invalid_plan_costs_its_domain_and_two_the_place(
    ranking: Ranking, families: str, expected: object
) -> None:
    found = ranking.board(frame(wrong_in(*families)), [PRESETS["ipc-agile"]])
    assert found.select("place", "solved").row(0) == expected


@pytest.mark.parametrize("name", ["qbf", "xcsp", "pace-exact", "sat2025"])
def test_who_is_wrong_has_no_place(ranking: Ranking, name: str) -> None:
    assert ranking.board(frame(wrong_in("f")), [PRESETS[name]])["place"].to_list()[0] is None


# Contests of A and B: claim, cost and time of each on instances a and b.
CONTESTS: dict[str, dict[str, list[tuple[str | None, float | None, float]]]] = {
    "nobody": {"A": [(None, None, 100)] * 2, "B": [(None, None, 100)] * 2},
    "alone": {"A": [("optimal", 5, 10), (None, None, 100)]},
    "tie": {"A": [("optimal", 5, 10)] * 2, "B": [("optimal", 5, 10)] * 2},
    "zero": {"A": [("optimal", 0, 0)] * 2, "B": [("optimal", 0, 0), (None, None, 100)]},
    "faster": {"A": [("optimal", 5, 2)] * 2, "B": [("optimal", 5, 90)] * 2},
    "wrong": {"A": [("optimal", 5, 90)] * 2, "B": [("wrong", 5, 1)] * 2},
}
# No rule of these has times among what decides; the score of a solution is its cost.
NOT_BY_TIME = {"maxsat-anytime", "ipc-satisficing", "ipc-optimal", "pace-heuristic"}
NOT_BY_TIME |= {"uai", "uai_map", "minizinc-incomplete"}


def attacks() -> list[Row]:
    """The runs of CONTESTS, a scenario each; answers that are wrong are judged so."""
    runs: list[Row] = []
    for contest, solvers in CONTESTS.items():
        for solver, said in solvers.items():
            for instance, (claim, cost, time) in zip("ab", said, strict=False):
                wrong = claim == "wrong"
                run = solution(solver, "optimal" if wrong else claim, cost, time)
                run |= {"scenario_id": contest, "instance_id": instance}
                run |= {"judged": "wrong" if wrong else None, "family": "f"}
                run |= {"n_answers": int(claim == "optimal"), "truth": None}
                runs.append({**run, "division": "d", "logic": "l"})
    return runs


def test_every_preset_under_attack(ranking: Ranking) -> None:
    # A track or category is as any other; of a known answer the runs have none.
    free: dict[str, object] = {"track": None, "category": None, "answers": "all"}
    board = ranking.board(frame(attacks()), [{**rule, **free} for rule in PRESETS.values()])
    places: dict[tuple[str, str], list[int | None]] = {}
    for row in board.sort("solver").iter_rows(named=True):
        assert isfinite(row["points"]), row
        if row["solver"] != "VBS" and row["part_of"] == "all":
            key = (row["rule"], row["scenario_id"])
            places.setdefault(key, []).append(row["place"])
    for name in PRESETS:
        assert places[name, "nobody"] == [1, 1], name
        assert places[name, "alone"] == [1], name
        assert places[name, "tie"] == [1, 1], name
        assert places[name, "faster"] == ([1, 2] if name not in NOT_BY_TIME else [1, 1]), name
        if not name.startswith("uai"):  # whose cost is no score, and more is better
            assert places[name, "zero"] == [1, 2], name
            expected = ([1, 2], [1, None]) if PRESETS[name].get("wrong") != "kept" else ([2, 1],)
            assert places[name, "wrong"] in expected, name
