"""Rules: given runs, expected places and points, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.extensions.competitions import rules as boards_module
from aslib_eval.extensions.competitions.rules import RUN_COLUMNS, Ranking, RuleView

Row = dict[str, Any]
LIMIT = 100.0
SOLUTIONS = ["sat", "unsat", "optimal", "solution"]


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return Ranking()


def frame(runs: Sequence[Row]) -> pl.DataFrame:
    """Runs with a limit of 100 s; ``time`` is both times."""
    found = []
    for run in runs:
        said = dict(run)
        time = said.pop("time", LIMIT)
        found.append({"cutoff": LIMIT, "cpu": time, "wall": time, **said})
    return pl.DataFrame(found, infer_schema_length=None)


def grid(claims: dict[str, Sequence[str | None]], **more: Any) -> list[Row]:
    """A run of each solver on each instance a, b, c …: the claim and time, "sat 5"."""
    found = []
    for solver, said in claims.items():
        for at, text in enumerate(said):
            claim, _, time = (text or "").partition(" ")
            run = {"instance_id": "abcdefghij"[at], "solver": solver}
            run |= {"claim": claim or None, "time": float(time or LIMIT)}
            run |= {name: values[at] for name, values in more.items()}
            found.append({**run, "ended": "ok" if claim else "timeout"})
    return found


def asked(
    ranking: Ranking, runs: Sequence[Row], columns: str, view: RuleView, rule: Row
) -> list[tuple[Any, ...]]:
    found = ranking.answer(view, frame(runs), [{"rule": "mine", **rule}])
    return found.select(columns.split(", ")).rows()


def board(ranking: Ranking, runs: Sequence[Row], columns: str, **rule: Any) -> list[tuple[Any, ...]]:
    """Of each solver in the order of names, VBS among them."""
    return asked(ranking, runs, columns, "rule_board", rule)


def pairs(ranking: Ranking, runs: Sequence[Row], **rule: Any) -> list[tuple[Any, ...]]:
    chosen = {"scoring": "pairs", "clock": "wall", "solves": SOLUTIONS, **rule}
    return asked(ranking, runs, "points, why", "rule_pair", chosen)


# --- penalised runtime --------------------------------------------------------------

PAR2: Row = {"scoring": "par", "aggregation": "mean", "order_by": ["points"]}
SAT = grid({"A": ["sat 10", "unsat 50", None], "B": ["sat 30", None, None]}, truth=["sat", "unsat", None])


def test_par2_is_a_mean_over_all_and_vbs_has_the_best(ranking: Ranking) -> None:
    columns = "solver, place, n, solved, solved_sat, solved_unsat, points, alone"
    assert board(ranking, SAT, columns, **PAR2) == [
        ("A", 1, 3, 2, 1, 1, 260 / 3, 1),
        ("B", 2, 3, 1, 1, 0, 430 / 3, 0),
        ("VBS", None, 3, 2, 1, 1, 260 / 3, 0),
    ]


def test_every_column_of_a_board(ranking: Ranking) -> None:
    runs = [
        {"instance_id": "a", "solver": "A", "claim": "sat", "cpu": 4.0, "wall": 3.0,
         "memory": 7.0, "ended": "ok"},
        {"instance_id": "b", "solver": "A", "claim": None, "cpu": 100.0, "wall": 90.0,
         "memory": 5.0, "ended": "timeout"},
        {"instance_id": "c", "solver": "A", "claim": None, "cpu": 9.0, "wall": 8.0,
         "memory": None, "ended": "memout"},
        {"instance_id": "a", "solver": "B", "claim": None, "cpu": None, "wall": None,
         "memory": None, "ended": "crash"},
    ]  # fmt: skip
    columns = "solver, n, solved, solved_sat, solved_unsat, wall, cpu, time, mean_time"
    columns += ", timeouts, memouts, alone, memory, sound, errors"
    assert board(ranking, runs, columns, **PAR2) == [
        ("A", 3, 1, 1, 0, 3, 4, 4, 4, 1, 1, 1, 12, True, 0),
        ("B", 1, 0, 0, 0, 0, 0, 0, None, 0, 0, 0, None, True, 0),
        ("VBS", 3, 1, 1, 0, 3, 4, 4, 4, 1, 1, 0, 12, True, 0),
    ]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [("sat", [("A", 1, 10), ("B", 1, 30)]), ("unsat", [("A", 1, 50), ("B", 1, 200)])],
)
def test_only_instances_with_that_answer(
    ranking: Ranking, answers: str, expected: list[tuple[Any, ...]]
) -> None:
    assert board(ranking, SAT, "solver, n, points", **PAR2, answers=answers)[:2] == expected


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    # 4 instances, a limit of 100 s: half are 2, and one of these is sat.
    [("half", [("A", 5), ("B", 15)]), ("half_unsolved", [("A", 105), ("B", 115)])],
)
def test_a_sum_may_be_over_half_of_all_instances(
    ranking: Ranking, aggregation: str, expected: list[tuple[Any, ...]]
) -> None:
    runs = grid(
        {"A": ["sat 10", "unsat 50", None, None], "B": ["sat 30", None, None, None]},
        truth=["sat", "unsat", None, None],
    )
    rule = {**PAR2, "aggregation": aggregation, "answers": "sat"}
    assert board(ranking, runs, "solver, points", **rule)[:2] == expected
    # Half of the instances, and more than these are counted: nothing is missing.
    every = {**PAR2, "aggregation": aggregation, "penalty": 1}
    assert board(ranking, runs, "points", **every)[0] == (130,)


def test_the_penalty_and_the_limit_are_the_rules(ranking: Ranking) -> None:
    found = board(ranking, SAT, "solver, solved, points", **PAR2, penalty=10)
    assert found[:2] == [("A", 2, 1060 / 3), ("B", 1, 2030 / 3)]
    found = board(ranking, SAT, "solver, solved, points", **PAR2, time_limit=30)
    assert found[:2] == [("A", 1, 130 / 3), ("B", 1, 150 / 3)]


def test_an_answer_of_the_status_alone_is_the_known_one(ranking: Ranking) -> None:
    runs = grid({"A": ["solved 1"] * 3}, truth=["sat", "unsat", None])
    assert board(ranking, runs, "solved, solved_sat, solved_unsat")[0] == (3, 2, 1)


# --- errors, disagreement -----------------------------------------------------------

# X contradicts what is known of a; on b, where nothing is, a sound solver says sat; on c two sound solvers
# disagree.
LEXICOGRAPHIC: Row = {
    "disagreement": "removed",
    "clock": "wall",
    "times": "answered",
    "order_by": ["errors", "-solved", "wall", "cpu"],
}
UNSOUND = grid(
    {
        "S": ["sat 10", "sat 20", "sat 5"],
        "T": ["sat 10", None, "unsat 5"],
        "X": ["unsat 1", "unsat 2", None],
    },
    truth=["sat", None, None],
)


def test_errors_come_first_and_disagreements_are_removed(ranking: Ranking) -> None:
    columns = "solver, place, n, errors, solved, wall, sound"
    assert board(ranking, UNSOUND, columns, **LEXICOGRAPHIC) == [
        ("S", 1, 2, 0, 2, 30, True),
        ("T", 2, 2, 0, 1, 10, True),
        ("VBS", None, 2, 0, 2, 30, True),
        ("X", 3, 2, 2, 0, 3, False),
    ]


def test_what_is_removed_says_why(ranking: Ranking) -> None:
    columns = "instance_id, solver, truth, removed, error"
    found = asked(ranking, UNSOUND, columns, "rule_run", LEXICOGRAPHIC)
    assert [row for row in found if row[1] in "TX"] == [
        ("a", "T", "sat", None, False),
        ("a", "X", "sat", None, True),
        ("b", "T", "sat", None, False),
        ("b", "X", "sat", None, True),
        ("c", "T", None, "disagreement", False),
        ("c", "X", None, "disagreement", False),
    ]


def test_what_only_a_status_says_is_the_truth_or_against_it(ranking: Ranking) -> None:
    runs = grid(
        {"A": ["solved 1"] * 5, "B": ["solved 1", *["unsat 1"] * 4]},
        truth=["sat", "unsat", "sat", "unsat", None],
        judged=["right", "right", "wrong", "wrong", "wrong"],
    )
    rule = {"solves": [*SOLUTIONS, "solved"]}
    found = asked(ranking, runs, "instance_id, solver, answer", "rule_run", rule)
    assert [answer for _, solver, answer in found if solver == "A"] == [
        *("sat", "unsat", "unsat", "sat", "solved")
    ]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"disagreement": "kept"}, [(3, 0, 3), (3, 0, 2), (3, 2, 0)]),
        ({"wrong": "kept"}, [(2, 0, 2), (2, 0, 1), (2, 0, 2)]),
        ({"wrong": "unsolved"}, [(2, 0, 2), (2, 0, 1), (2, 0, 0)]),
        ({"wrong": "error"}, [(2, 0, 2), (2, 0, 1), (2, 2, 0)]),
    ],
)
def test_a_wrong_answer_is_what_the_rule_says(
    ranking: Ranking, rule: Row, expected: list[tuple[Any, ...]]
) -> None:
    found = board(ranking, UNSOUND, "solver, n, errors, solved", **{**LEXICOGRAPHIC, **rule})
    assert [row[1:] for row in found if row[0] != "VBS"] == expected


def test_the_majority_decides_and_a_tie_does_not(ranking: Ranking) -> None:
    runs = grid({"A": ["sat 1", "sat 1"], "B": ["sat 1", None], "C": ["unsat 1"] * 2})
    found = board(ranking, runs, "solver, errors, solved", disagreement="majority")
    assert found[:3] == [("A", 0, 2), ("B", 0, 1), ("C", 1, 1)]


def test_no_answer_is_an_error_where_a_rule_says_so(ranking: Ranking) -> None:
    # Known are a and b; C is late on b, and nobody knows c.
    runs = grid({"A": ["sat 1", None, None], "C": ["sat 1", None, "sat 1"]}, truth=["sat", "unsat", None])
    for run in runs:
        run["time"] = 101 if (run["solver"], run["instance_id"]) == ("C", "b") else 9
    columns = "solver, errors, solved"
    assert board(ranking, runs, columns) == [("A", 0, 1), ("C", 0, 2), ("VBS", 0, 2)]
    found = board(ranking, runs, columns, no_answer="error")
    assert found == [("A", 1, 1), ("C", 0, 2), ("VBS", 0, 2)]


# X is wrong on a, so nobody sound has an answer to b; both contradict each other on c.
SIDES = grid(
    {"X": ["sat 1", "unsat 2", "sat 4"], "T": ["unsat 8", None, "unsat 16"]}, truth=["unsat", None, None]
)


@pytest.mark.parametrize(
    ("answers", "rule", "expected"),
    [
        ("unsat", {}, {"aT", "aX", "cT", "cX"}),
        ("sat", {}, set()),
        ("unsat", {"truth_by": "all"}, {"aT", "aX", "bT", "bX", "cT", "cX"}),
        ("sat", {"truth_by": "all"}, {"cT", "cX"}),
        ("unsat", {"answers_of": "run"}, {"aT", "bX", "cT"}),
        ("sat", {"answers_of": "run"}, {"aX", "cX"}),
        ("unsat", {"answers_of": "run", "truth_by": "all"}, {"aT", "bT", "bX", "cT"}),
    ],
)
def test_boards_of_one_answer(ranking: Ranking, answers: str, rule: Row, expected: set[str]) -> None:
    said = {"answers": answers, **rule}
    found = asked(ranking, SIDES, "instance_id, solver, removed", "rule_run", said)
    assert {i + solver for i, solver, removed in found if not removed} == expected


def test_who_is_disqualified_has_no_place(ranking: Ranking) -> None:
    found = board(ranking, UNSOUND, "solver, place", wrong="disqualified")
    assert found == [("S", 1), ("T", 2), ("VBS", None), ("X", None)]


def test_a_wrong_answer_may_cost_its_family(ranking: Ranking) -> None:
    claims = ["unsat 1", "sat 1", "sat 1"]
    more = {"truth": ["sat"] * 3, "family": ["f", "f", "g"]}
    assert board(ranking, grid({"A": claims}, **more), "solved", wrong="family")[0] == (1,)


def test_what_organisers_judged_wrong_is_wrong(ranking: Ranking) -> None:
    runs = grid({"A": ["optimal 1", "optimal 1"]}, judged=["wrong", "right"])
    assert board(ranking, runs, "errors, solved")[0] == (1, 1)


def test_a_division_is_sound_by_itself(ranking: Ranking) -> None:
    runs = grid(
        {"X": ["unsat 1", "unsat 1"], "Y": [None, "sat 1"]}, truth=["sat", None], division=["d", "e"]
    )
    rule = {"disagreement": "removed", "parts": ["all", "division"]}
    found = board(ranking, runs, "part, solver, n, sound", **rule)
    assert [row for row in found if row[1] == "X"] == [("all", "X", 1, False), ("d", "X", 1, False)]


# --- times --------------------------------------------------------------------------


def test_a_sequential_answer_needs_the_cpu_time(ranking: Ranking) -> None:
    runs = [
        {"solver": "A", "claim": "sat", "wall": 40.0, "cpu": 160.0},
        {"solver": "B", "claim": "sat", "wall": 50.0, "cpu": 100.0},
    ]
    columns = "solver, place, solved, wall, cpu"
    parallel = board(ranking, runs, columns, **LEXICOGRAPHIC)
    assert parallel[:2] == [("A", 1, 1, 40, 160), ("B", 2, 1, 50, 100)]
    rule = {**LEXICOGRAPHIC, "sequential": True}
    assert board(ranking, runs, columns, **rule)[:2] == [("A", 2, 0, 0, 0), ("B", 1, 1, 50, 100)]
    assert board(ranking, runs, columns, **{**rule, "times": "all"})[0] == ("A", 2, 0, 40, 100)


def test_an_answer_within_24_seconds(ranking: Ranking) -> None:
    runs = grid({"A": ["sat 24", "sat 24.1"]})
    assert board(ranking, runs, "solved, wall", **{**LEXICOGRAPHIC, "time_limit": 24})[0] == (1, 24)


def test_whose_times_are_added_up(ranking: Ranking) -> None:
    runs = grid({"A": ["sat 1", "unsat 10", None]}, truth=["sat"] * 3)
    times = ["solved", "answered", "all"]
    found = [board(ranking, runs, "cpu, mean_time", times=t)[0] for t in times]
    assert found == [(1, 1), (11, 5.5), (111, 37)]


# --- pairs --------------------------------------------------------------------------


def solution(solver: str, claim: str | None, objective: float | None, time: float) -> Row:
    run: Row = {"solver": solver, "claim": claim, "objective": objective, "time": time}
    return {**run, "sense": "minimize"}


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        (("optimal", 5, 10), ("solution", 5, 1), [(1, "proof"), (0, "no proof")]),
        (("solution", 4, 100), ("solution", 5, 1), [(1, "better"), (0, "worse")]),
        (("optimal", 5, 10), ("optimal", 5, 30), [(0.75, "time"), (0.25, "time")]),
        (("optimal", 5, 0), ("optimal", 5, 0), [(0.5, "time"), (0.5, "time")]),
        (("unsat", None, 0), ("unsat", None, 2), [(1, "time"), (0, "time")]),
        (("solution", 5, 1), (None, None, 1), [(1, "other failed"), (0, "failed")]),
        ((None, None, 1), (None, None, 1), [(0, "both failed"), (0, "both failed")]),
    ],
)
def test_points_of_a_pair(
    ranking: Ranking, mine: tuple[Any, ...], theirs: tuple[Any, ...], expected: object
) -> None:
    assert pairs(ranking, [solution("A", *mine), solution("B", *theirs)]) == expected


WORSE = [solution("A", "solution", 4, 100), solution("B", "solution", 5, 100)]
EQUAL = [solution("A", "solution", 4, 10.9), solution("B", "solution", 4, 30.2)]
FAILED = [solution("A", None, None, 1), solution("B", None, None, 1)]
PROOF = [solution("A", "optimal", 4, 10), solution("B", "solution", 4, 30)]


@pytest.mark.parametrize(
    ("runs", "rule", "expected"),
    [
        (WORSE, {"worse_of_unproved": 0.5}, [1, 0.5]),
        (EQUAL, {}, [30.2 / 41.1, 10.9 / 41.1]),
        (EQUAL, {"rounding": "seconds"}, [0.75, 0.25]),
        (EQUAL, {"equal_quality": "half"}, [0.5, 0.5]),
        (EQUAL, {"equal_quality": "faster", "pair_points": 2}, [2, 0]),
        (FAILED, {"both_failed": 0.5}, [0.5, 0.5]),
        (PROOF, {"proofs": False}, [0.75, 0.25]),
        ([{**run, "sense": "maximize"} for run in WORSE], {}, [0, 1]),
        (grid({"A": ["sat 10"], "B": ["sat 30"]}), {}, [0.75, 0.25]),
    ],
)
def test_choices_of_pairs(ranking: Ranking, runs: Sequence[Row], rule: Row, expected: list[float]) -> None:
    assert [points for points, _ in pairs(ranking, runs, **rule)] == expected


def test_equal_objectives_and_times_are_equal(ranking: Ranking) -> None:
    runs = [solution("A", "solution", 4, 10), solution("B", "solution", 4, 10)]
    assert pairs(ranking, runs, equal_quality="faster") == [(0.5, "equal"), (0.5, "equal")]


def test_answers_without_objective_are_never_half(ranking: Ranking) -> None:
    found = pairs(ranking, grid({"A": ["sat 10"], "B": ["sat 30"]}), equal_quality="half")
    assert found == [(0.75, "time"), (0.25, "time")]


def test_a_category_has_its_own_pairs(ranking: Ranking) -> None:
    runs = [
        {"solver": "A", "claim": "sat", "time": 1.0, "categories": ["fd", "free"]},
        {"solver": "B", "claim": "sat", "time": 3.0, "categories": ["fd", "free"]},
        {"solver": "C", "claim": None, "time": 3.0, "categories": ["free"]},
    ]
    found = board(ranking, runs, "solver, place, points", scoring="pairs")
    assert found == [("A", 1, 1.75), ("B", 2, 1.25), ("C", 3, 0)]
    found = board(ranking, runs, "solver, points", scoring="pairs", category="fd")
    assert found == [("A", 0.75), ("B", 0.25)]


# --- other points -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sense", "objectives", "shift", "expected"),
    [
        ("minimize", [4, 8, None], 0, [1, 0.5, 0]),
        ("minimize", [0, 1, None], 1, [1, 0.5, 0]),
        ("minimize", [0, 1, 0], 0, [1, 0, 1]),
        ("maximize", [8, 4, None], 0, [1, 0.5, 0]),
    ],
)
def test_ratio_to_the_best(
    ranking: Ranking, sense: str, objectives: list[Any], shift: int, expected: object
) -> None:
    runs = []
    for name, value in zip("ABC", objectives, strict=True):
        claim = None if value is None else "solution"
        runs.append({**solution(name, claim, value, 1), "sense": sense})
    rule: Row = {"scoring": "ratio", "solves": SOLUTIONS, "shift": shift}
    assert [p for (p,) in board(ranking, runs, "points", **rule)][:3] == expected


def test_the_best_known_may_be_from_elsewhere(ranking: Ranking) -> None:
    runs = [{**solution("A", "solution", 8, 1), "best_known": 2.0}]
    rule: Row = {"scoring": "ratio", "solves": SOLUTIONS}
    assert board(ranking, runs, "points", **rule)[0] == (0.25,)


def test_points_by_the_logarithm_of_the_time(ranking: Ranking) -> None:
    runs = grid({"A": ["sat 0.5"], "B": ["sat 10"], "C": ["sat 100"], "D": [None]})
    found = board(ranking, runs, "points", scoring="log")
    assert [p for (p,) in found][:4] == pytest.approx([1, 0.5, 0, 0])


def test_a_table_of_points(ranking: Ranking) -> None:
    runs = grid(
        {"A": ["unsat 1", "sat 1", None], "B": ["sat 1", "unsat 1", None]}, truth=["unsat", "sat", "sat"]
    )
    rule = {"points_unsat": 2, "points_wrong_sat": -16, "points_wrong_unsat": -32}
    assert board(ranking, runs, "solver, place, points", **rule)[:2] == [("A", 1, 3), ("B", 2, -48)]


def test_answers_counted_in_a_run(ranking: Ranking) -> None:
    runs = [{"solver": "A", "claim": None, "n_answers": 7, "time": 5.0}]
    assert board(ranking, runs, "points", n_answers=True)[0] == (7,)


def test_each_division_may_weigh_the_same(ranking: Ranking) -> None:
    runs = grid({"A": ["sat 1", None, None, None]}, division=["d", "e", "e", "e"])
    # The mean of 1 in d and 0 in e, times 4 instances.
    assert board(ranking, runs, "points", balanced="division")[0] == (2,)
    mean = {"aggregation": "mean", "balanced": "division"}
    assert board(ranking, runs, "points", **mean)[0] == (0.5,)


def test_instances_without_a_division_weigh_as_one_division(ranking: Ranking) -> None:
    assert board(ranking, grid({"A": ["sat 1", None]}), "points", balanced="division")[0] == (1,)


# --- boards -------------------------------------------------------------------------


def test_roles_say_who_counts_and_who_has_a_place(ranking: Ranking) -> None:
    runs = [
        {"solver": "A", "claim": "sat", "role": "hors concours"},
        {"solver": "B", "claim": None, "role": "competing"},
        {"solver": "C", "claim": "sat", "role": "virtual"},
        {"solver": "D", "claim": None, "role": None},
    ]
    assert board(ranking, runs, "solver, place, role") == [
        ("A", None, "hors concours"),
        ("B", 1, "competing"),
        ("D", 1, "competing"),
        ("VBS", None, "virtual"),
    ]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (["-solved"], [1, 1, 3]),
        (["-solved", "cpu"], [2, 1, 3]),
        (["cpu"], [3, 2, 1]),
        (["mean_time"], [2, 1, 3]),
    ],
)
def test_the_order_of_what_decides(ranking: Ranking, order: list[str], expected: list[int]) -> None:
    runs = grid({"A": ["sat 9"], "B": ["sat 2"], "C": [None]})
    found = board(ranking, runs, "place", order_by=order)
    assert [place for (place,) in found][:3] == expected


def test_sums_do_not_depend_on_the_order_of_rows(ranking: Ranking) -> None:
    runs = grid({"A": [f"sat {0.1 * n}" for n in range(1, 11)]})
    assert board(ranking, runs[::-1], "cpu, mean_time") == board(ranking, runs, "cpu, mean_time")


def test_columns_of_runs_are_those_of_the_view() -> None:
    (file,) = (file for file in find_sql() if file.name == "competition_run")
    assert set(RUN_COLUMNS) == set(file.columns)


def test_late_answers_and_other_tracks_are_not_counted(ranking: Ranking) -> None:
    runs = [{"solver": "A", "claim": "unsat", "n_answers": 7, "cpu": 9.0, "track": "x"}]
    late = {"n_answers": True, "time_limit": 8.0}
    assert board(ranking, runs, "points", n_answers=True, track="x")[0] == (7,)
    assert board(ranking, runs, "points", **late)[0] == (0,)
    assert board(ranking, runs, "points", n_answers=True, track="y") == []


@pytest.mark.parametrize("view", ["rule_run", "rule_board"])
def test_rows_are_the_same_a_rule_and_scenario_at_a_time(
    monkeypatch: pytest.MonkeyPatch, view: RuleView
) -> None:
    """Of many runs they are computed so, in less memory."""
    runs = pl.DataFrame(
        [(s, i, w, "sat", 7.0) for s in "ts" for i in "ji" for w in "ba"],
        schema=["scenario_id", "instance_id", "solver", "claim", "cpu"],
        orient="row",
    )
    rules = [{"rule": "y"}, {"rule": "x", "scoring": "par"}]
    whole = Ranking().answer(view, runs, rules)
    monkeypatch.setattr(boards_module, "_AT_ONCE", 1)
    assert Ranking().answer(view, runs, rules).equals(whole)
