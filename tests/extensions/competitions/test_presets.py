"""Rules without published results at hand: what they give on ten instances, by hand."""

from __future__ import annotations

from math import log

import pytest

from aslib_eval.extensions.competitions.analysis.boards import Ranking
from tests.extensions.competitions.test_laws import PRESETS, TEN
from tests.extensions.competitions.test_rules import Row, frame, solution

# Costs of two solvers on three instances; the other does not solve the last.
COSTS = {"A": (4, 10, None), "B": (8, 5, 7)}
FOUND: list[Row] = [
    {**solution(name, None if cost is None else "solution", cost, 50), "instance_id": i}
    for name, costs in COSTS.items()
    for i, cost in zip("abc", costs, strict=True)
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
    assert found.select("place", "points").rows()[:4] == [
        (1, 6),
        (1, 6),
        (1, 6),
        (4, 4),
    ]


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pace-heuristic", [1 + 5 / 10, 4 / 8 + 1 + 1]),
        ("ipc-satisficing", [1 + 5 / 10, 4 / 8 + 1 + 1]),
        ("maxsat-anytime", [(1 + 6 / 11) / 3, (5 / 9 + 1 + 1) / 3]),
        ("minizinc-incomplete", [1, 2]),
        ("minizinc_half", [1 + 0.5, 0.5 + 1 + 1]),
    ],
)
def test_points_of_solutions(
    ranking: Ranking, name: str, expected: list[float]
) -> None:
    found = ranking.board(frame(FOUND), [PRESETS[name]])
    assert found["points"].to_list()[:2] == pytest.approx(expected)
    assert found["place"].to_list()[:2] == [2, 1]
