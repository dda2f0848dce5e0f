"""The best choice that calls the strong model as often as a router does, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import SELECTION, Given, copy, fill, settle, table

BOTH = (("accuracy", "solution_quality", "true"), ("price", "solution_quality", "false"))
# Instance → accuracy of A and B; A costs 1, 2, 3, 4 and B 10, 20, 30, 40.
ANSWERS = {"i1": (0, 1), "i2": (1, 1), "i3": (1, 0), "i4": (0, 1)}
DATA: list[Row] = [
    (instance, 1, name, float(answers[at]), price * n, "ok")
    for n, (instance, answers) in enumerate(ANSWERS.items(), 1)
    for at, (name, price) in enumerate((("A", 1.0), ("B", 10.0)))
]
COLUMNS = "cheap, strong, n_instances, n_strong, asks, cost, router_cost, second"
PRICED = Protocol(second_measure="price")


def chosen(models: str, asked: str = "    ") -> list[Row]:
    """Rows of a selection of x: the model of each instance, and one that is asked before."""
    found: list[Row] = []
    for instance, name, before in zip(ANSWERS, models, asked, strict=True):
        steps = [("asked", before)] * (before != " ") + [("algorithm", name)]
        key = ("x", "none", 1, None, instance)
        found += [(*key, at, action, called, None) for at, (action, called) in enumerate(steps, 1)]
    return found


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ("BAAA", ("A", "B", 4, 1, False, -0.75, -0.75, (10 + 2 + 3 + 4) / 4)),
        # Of i2 and i3 the first gains nothing, the second loses: i1 and i4 are sent.
        ("ABBA", ("A", "B", 4, 2, False, -1.0, -0.25, (10 + 2 + 3 + 40) / 4)),
        ("BBBA", ("A", "B", 4, 3, False, -1.0, -0.5, (10 + 20 + 3 + 40) / 4)),
    ],
)
def test_those_that_gain_most_go_to_the_strong_model(given: Given, models: str, expected: Row) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen(models))
    assert table(con, "oracle_at_rate", COLUMNS) == [expected]


def test_of_equal_gains_the_first_by_name_goes(given: Given) -> None:
    con = given([(i, r, a, 1.0, *rest) for i, r, a, _, *rest in DATA], PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen("AAAB"))
    assert table(con, "oracle_at_rate", "cost, second") == [(-1.0, (10 + 2 + 3 + 4) / 4)]


def test_the_oracle_of_a_cascade_pays_both(given: Given) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen("BAAA", "A   "))
    assert table(con, "oracle_at_rate", "asks, n_strong, second") == [(True, 1, (11 + 2 + 3 + 4) / 4)]


def test_the_cheaper_model_is_the_cheap_one_whatever_it_is_called(given: Given) -> None:
    data = [(i, r, "B" if a == "A" else "A", *rest) for i, r, a, *rest in DATA]
    con = given(data, PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen("ABBB"))
    assert table(con, "oracle_at_rate", "cheap, strong, n_strong") == [("B", "A", 1)]


def test_of_equal_prices_the_first_by_name_is_the_cheap_one(given: Given) -> None:
    data = [(*row[:4], 7.0, row[5]) for row in DATA]
    con = given(data, PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen("BAAA"))
    assert table(con, "oracle_at_rate", "cheap, strong, second") == [("A", "B", 7)]


def test_a_price_that_is_missing_leaves_none(given: Given) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    con.execute("update raw_run set value = null where measure = 'price' and value = 2")
    fill(con, "selection", SELECTION, chosen("BAAA"))
    assert table(con, "oracle_at_rate", "cheap, cost, second") == [("A", -0.75, None)]
    # All that is known of B is one price of 10, and of A 1, 3 and 7.
    con.execute("update raw_run set value = case when value < 11 then value end where measure = 'price'")
    con.execute("update raw_run set value = 7 where measure = 'price' and value = 4")
    settle(con)
    assert table(con, "oracle_at_rate", "cheap, cost, second") == [("A", -0.75, None)]


def test_repetitions_measures_protocols_and_scenarios_are_apart(given: Given) -> None:
    """A and B are equally right; B scores on i2, and on the second repetition of i1."""
    data = [
        (f"i{1 + at // 2}", 1 + at % 2, name, 1, times * price, gained * (name == "B"), "ok")
        for name, times in (("A", 1), ("B", 10))
        for at, (price, gained) in enumerate(((1, 0), (2, 0.5), (4, 1), (4, 1)))
    ]
    names = ("first", "mean_par", "separate")
    asked = [Protocol(protocol=name, repetitions=name, measures="all") for name in names]
    con = given(data, *asked, measures=(*BOTH, ("score", "solution_quality", "true")))
    con.execute("delete from raw_run where repetition = 2 and instance_id = 'i2'")
    rows = [("x", "none", 1, None, i, 1, "algorithm", name, None) for i, name in (("i1", "A"), ("i2", "B"))]
    fill(con, "selection", SELECTION, rows)
    copy(con, "value = 100 - value where measure = 'price'", "value = 3 where measure = 'score'")
    columns = "protocol, measure, cheap, n_instances, n_strong, cost, router_cost, second"
    assert table(con, "oracle_at_rate", columns, "scenario_id = 'S'") == [
        ("first", "accuracy", "A", 2, 1, -1, -1, (10 + 4) / 2),
        ("first", "score", "A", 2, 1, -0.5, -0.5, (1 + 40) / 2),
        ("mean_par", "accuracy", "A", 2, 1, -1, -1, (15 + 4) / 2),  # i1
        ("mean_par", "score", "A", 2, 1, -0.5, -0.5, (1.5 + 40) / 2),  # i2
        ("separate", "accuracy", "A", 3, 1, -1, -1, round((10 + 2 + 4) / 3, 6)),  # the first of i1
        ("separate", "score", "A", 3, 1, -0.333333, -0.333333, round((1 + 2 + 40) / 3, 6)),
    ]


@pytest.mark.parametrize(
    ("lacking", "models", "expected"),
    [
        # B gains on i1, gains nothing on i2, and loses on i3; what it gains on i4 is not known.
        ("B", "BBBA", (3, -0.5, -0.5)),
        ("B", "ABAB", (2, -0.75, None)),
        ("A", "BAAB", (2, None, -1.0)),
    ],
)
def test_a_cost_that_is_missing_leaves_none(given: Given, lacking: str, models: str, expected: Row) -> None:
    data = [(*row[:3], None, row[4], "crash") if row[:3] == ("i4", 1, lacking) else row for row in DATA]
    con = given(data, replace(PRICED, failures="left_out"), measures=BOTH)
    fill(con, "selection", SELECTION, chosen(models))
    assert table(con, "oracle_at_rate", "n_strong, cost, router_cost") == [expected]


def test_of_two_splits_the_first_counts(given: Given) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    rows = [("x", scheme, *row[2:]) for scheme, models in (("aslib", "BAAA"), ("third", "BBBA"))
            for row in chosen(models)]  # fmt: skip
    fill(con, "selection", SELECTION, rows)
    assert table(con, "oracle_at_rate", "n_instances, n_strong, cost") == [(4, 1, -0.75)]


def test_what_is_no_choice_between_two_models_has_no_row(given: Given) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    fill(con, "selection", SELECTION, chosen("AAAA"))
    assert table(con, "oracle_at_rate", "selector") == []
    schedule = [*chosen("BAAA"), ("x", "none", 1, None, "i1", 2, "algorithm", "A", None)]
    fill(con, "selection", SELECTION, schedule)
    assert table(con, "oracle_at_rate", "selector") == []
    none = [*chosen("BAAA")[:3], ("x", "none", 1, None, "i4", 0, "none", None, None)]
    fill(con, "selection", SELECTION, none)
    assert table(con, "oracle_at_rate", "selector") == []
    outside = [("x", "none", 1, None, instance, 1, "ok", 1, True) for instance in ANSWERS]
    con = given(DATA, PRICED, outside=outside, measures=BOTH)
    assert table(con, "oracle_at_rate", "selector") == []


def test_an_instance_that_only_trains_is_not_chosen_on(given: Given) -> None:
    con = given(DATA, PRICED, measures=BOTH)
    split = [("split", 1, None if instance == "i1" else 1, instance) for instance in ANSWERS]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", split)
    fill(con, "selection", SELECTION, [("x", "split", *row[2:]) for row in chosen("BABA")])
    columns = "n_instances, n_strong, cost, router_cost, second"
    assert table(con, "oracle_at_rate", columns) == [(3, 1, -1.0, -0.333333, (2 + 3 + 40) / 3)]
