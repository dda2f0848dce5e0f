"""A second measure beside the first: its value, its direction, and what it decides."""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import Given, copy, fill, one, table

# The first measure is an accuracy. A and B are right on one instance of two, B for less.
PRICED = (
    ("accuracy", "solution_quality", "true"),
    ("price", "solution_quality", "false"),
    ("speed", "solution_quality", "true"),
)
TIED = [
    ("i1", 1, "A", 1, 5, 2, "ok"),
    ("i2", 1, "A", 0, 5, 4, "ok"),
    ("i1", 1, "B", 0, 2, 1, "ok"),
    ("i2", 1, "B", 1, 4, 3, "ok"),
]
TIES = Protocol(protocol="decided", second_decides="ties")
FOLD = "cv_scheme, cv_repetition, fold, instance_id"


def repeated(*prices: float | None) -> list[Row]:
    # A timeout may lack a price, and its accuracy counts.
    return [
        ("i1", at, "A", 1, price, 1, "timeout" if price is None else "ok")
        for at, price in enumerate(prices, start=1)
    ]


def test_a_scenario_without_the_measure_has_no_second(given: Given) -> None:
    con = given(TIED, Protocol(second_measure="energy"), TIES, measures=PRICED)
    assert table(con, "second_measure", "protocol, measure, second, second_maximize") == [
        ("decided", "accuracy", "price", False)
    ]


def test_no_measure_is_weighed_against_itself(given: Given) -> None:
    con = given(TIED, Protocol(measures="all"), measures=PRICED)
    found = table(con, "second_measure", "measure, second")
    assert found == [("accuracy", "price"), ("speed", "price")]


@pytest.mark.parametrize(
    ("second", "direction", "values"),
    [
        *(("speed", "as_stated", [-4, -2]), ("speed", "minimise", [2, 4]), ("speed", "maximise", [-4, -2])),
        ("price", "maximise", [-5, -5]),
    ],
)
def test_less_is_better(given: Given, second: str, direction: str, values: list[float]) -> None:
    con = given(TIED, Protocol(second_measure=second, second_direction=direction), measures=PRICED)
    found = table(con, "instance_second", "second", "algorithm = 'A'")
    assert sorted(value for (value,) in found) == values


@pytest.mark.parametrize(
    ("repetitions", "second"), [("mean_par", 4), ("mean_runtime", 4), ("median", 3), ("first", 2)]
)
def test_repetitions_are_merged_as_the_first_measure(given: Given, repetitions: str, second: float) -> None:
    con = given(repeated(2, 3, 7), Protocol(repetitions=repetitions), measures=PRICED)
    assert table(con, "instance_second", "repetition, second") == [(0, second)]


def test_the_first_repetition_is_the_first_by_number(given: Given) -> None:
    con = given(repeated(7, 3, 2)[::-1], Protocol(repetitions="first"), measures=PRICED)
    assert table(con, "instance_second", "second") == [(7,)]


def test_separate_repetitions_stay_so(given: Given) -> None:
    con = given(repeated(2, 3), Protocol(repetitions="separate"), measures=PRICED)
    assert table(con, "instance_second", "repetition, second") == [(1, 2), (2, 3)]


@pytest.mark.parametrize("repetitions", ["mean_par", "median", "first"])
def test_a_repetition_without_a_price_leaves_none(given: Given, repetitions: str) -> None:
    con = given(repeated(None, 3), Protocol(repetitions=repetitions), measures=PRICED)
    assert table(con, "instance_second", "second") == [(None,)]


def test_a_failed_run_has_its_price(given: Given) -> None:
    con = given([("i1", 1, "A", None, 3, 1, "crash")], measures=PRICED)
    assert table(con, "instance_second", "second") == [(3,)]


def test_a_runtime_is_spent_up_to_the_cutoff(given: Given) -> None:
    measures = (("loss", "solution_quality", "false"), ("runtime", "runtime", "false"))
    data = [("i1", 1, "A", 1, 30, "ok"), ("i2", 1, "A", 1, 130, "ok"), ("i3", 1, "A", 1, 30, "crash")]
    con = given(data, Protocol(second_measure="runtime"), measures=measures)
    assert table(con, "instance_second", "instance_id, second") == [("i1", 30), ("i2", 100), ("i3", 100)]


@pytest.mark.parametrize(
    ("cutoff", "limit", "second"),
    [("0", None, [30, 130]), ("0.5", 0.5, [0.5, 0.5]), ("?", None, [30, 130])],
)
def test_a_limit_above_0_alone_is_one(
    given: Given, cutoff: str, limit: float | None, second: list[float]
) -> None:
    measures = (("loss", "solution_quality", "false"), ("runtime", "runtime", "false"))
    data = [("i1", 1, "A", 1, 30, "ok"), ("i2", 1, "A", 1, 130, "ok")]
    con = given(data, Protocol(second_measure="runtime"), measures=measures, cutoff=cutoff)
    assert one(con, "second_measure", "second_cutoff", "true") == (limit,)
    assert table(con, "instance_second", "second") == [(value,) for value in second]


def test_feature_costs_of_which_none_is_known_are_none(given: Given) -> None:
    features = [("probe", True, (), {"i1": (None, "ok")})]
    con = given(TIED, Protocol(second_measure="feature cost"), measures=PRICED, features=features)
    assert one(con, "second_measure", "unknown", "true") == ("the scenario has no feature costs",)


@pytest.mark.parametrize(("decides", "sbs"), [("nothing", "A"), ("ties", "B")])
def test_of_equal_algorithms_sbs_is_the_cheapest(given: Given, decides: str, sbs: str) -> None:
    con = given(TIED, Protocol(second_decides=decides), measures=PRICED)
    assert one(con, "scenario_sbs", "sbs, sbs_tied", "true") == (sbs, ["A", "B"])


def test_the_better_algorithm_is_sbs_at_any_price(given: Given) -> None:
    con = given([*TIED[:1], ("i2", 1, "A", 1, 50, 1, "ok"), *TIED[2:]], TIES, measures=PRICED)
    assert one(con, "scenario_sbs", "sbs, sbs_tied", "true") == ("A", ["A"])


def test_an_unknown_price_decides_no_tie(given: Given) -> None:
    data = [row if row[:3] != ("i1", 1, "B") else ("i1", 1, "B", 0, None, 1, "timeout") for row in TIED]
    con = given(data, TIES, measures=PRICED)
    assert one(con, "scenario_sbs", "sbs", "true") == ("A",)


@pytest.mark.parametrize(("decides", "sbs"), [("nothing", "A"), ("ties", "B")])
def test_sbs_of_a_fold_is_the_cheapest_of_equals(given: Given, decides: str, sbs: str) -> None:
    data = [(f"{row[0]}-{fold}", *row[1:]) for fold in (1, 2) for row in TIED]
    con = given(data, Protocol(second_decides=decides), measures=PRICED)
    folds = [("aslib", 1, fold, f"i{at}-{fold}") for fold in (1, 2) for at in (1, 2)]
    fill(con, "fold", FOLD, folds)
    found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, sbs, sbs, sbs), (2, sbs, sbs, sbs)]


def test_sbs_of_a_fold_is_the_cheapest_of_the_fold_that_chooses(given: Given) -> None:
    # All are right; A is cheaper on fold 1, B on fold 2 and in all.
    prices = {"A": (1, 9), "B": (2, 3)}
    data = [
        (f"i{fold}", 1, name, 1, of_fold[fold - 1], 1, "ok")
        for name, of_fold in prices.items()
        for fold in (1, 2)
    ]
    con = given(data, TIES, measures=PRICED)
    folds = [("aslib", 1, fold, f"i{fold}") for fold in (1, 2)]
    fill(con, "fold", FOLD, folds)
    found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, "B", "A", "B"), (2, "A", "B", "B")]


def test_totals_decide_that_weigh_folds_by_their_instances(given: Given) -> None:
    """All are right. Fold 1 has one instance, fold 2 three: A costs 10 in all, B 13, C 16."""
    prices = {"A": (4, 2), "B": (10, 1), "C": (1, 5)}
    data = [
        (f"i{at}", 1, name, 1, of_fold[at > 1], 1, "ok")
        for name, of_fold in prices.items()
        for at in (1, 2, 3, 4)
    ]
    con = given(data, TIES, measures=PRICED)
    fill(con, "fold", FOLD, [("aslib", 1, 1 + (at > 1), f"i{at}") for at in (1, 2, 3, 4)])
    copy(con, "value = 9 * value where measure = 'price' and instance_id <> 'i1'")
    columns = "fold, sbs_train, sbs_test, sbs_all"
    assert table(con, "fold_choice", columns, "scenario_id = 'S'") == [
        (1, "B", "C", "A"),
        (2, "C", "B", "A"),
    ]
    assert table(con, "scenario_sbs", "scenario_id, sbs") == [("S", "A"), ("T", "B")]


def test_ties_but_for_rounding_are_ties_of_sbs(given: Given) -> None:
    """What A has is 0.3 but for the last digit: of costs the price decides, of prices the name."""
    of = {"A": 0.1 + 0.2, "B": 0.3}
    for accuracy, price, sbs in ((of, {"A": 1, "B": 0}, "B"), ({"A": 1, "B": 1}, of, "A")):
        data = [(f"i{at}", 1, name, accuracy[name], price[name], 1, "ok") for name in of for at in (1, 2)]
        con = given(data, TIES, measures=PRICED)
        fill(con, "fold", FOLD, [("aslib", 1, at, f"i{at}") for at in (1, 2)])
        assert one(con, "scenario_sbs", "sbs", "true") == (sbs,)
        found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
        assert found == [(1, sbs, sbs, sbs), (2, sbs, sbs, sbs)]


def test_repetitions_that_stand_apart_have_their_own_prices(given: Given) -> None:
    # All are right. A costs 7.5 on three repetitions, B 6; i1 has two of them.
    prices = {"A": (1, 1, 5.5), "B": (2, 2, 2)}
    data = [
        (f"i{1 + at // 2}", 1 + at % 2, name, 1, of_name[min(at, 2)], 1, "ok")
        for name, of_name in prices.items()
        for at in range(4)
    ]
    con = given(data, Protocol(repetitions="separate", second_decides="ties"), measures=PRICED)
    con.execute("delete from raw_run where repetition = 2 and instance_id = 'i2'")
    fill(con, "fold", FOLD, [("aslib", 1, at, f"i{at}") for at in (1, 2)])
    assert one(con, "scenario_sbs", "sbs", "true") == ("B",)
    found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, "B", "A", "B"), (2, "A", "B", "B")]


def test_an_unknown_price_decides_no_tie_of_a_fold(given: Given) -> None:
    # All are right. A is cheaper, and lacks a price on fold 1: neither there nor over folds it has a total.
    prices = {"A": (None, 1, 1), "B": (2, 9, 9)}
    data = [
        (f"i{at}", 1, name, 1, price, 1, "ok" if price else "timeout")
        for name, of_folds in prices.items()
        for at, price in enumerate(of_folds, 1)
    ]
    con = given(data, TIES, measures=PRICED)
    fill(con, "fold", FOLD, [("aslib", 1, at, f"i{at}") for at in (1, 2, 3)])
    found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, "B", "B", "B"), (2, "B", "A", "B"), (3, "B", "A", "B")]


@pytest.mark.parametrize("names", ["AB", "BA"])
def test_prices_of_the_training_part_choose_for_training_alone(given: Given, names: str) -> None:
    first, second = names
    data = [
        (f"i{at}", 1, name, 1, price, 1, "ok")
        for name, of_parts in {first: (1, 5), second: (9, 2)}.items()
        for at, price in enumerate(of_parts, 1)
    ]
    con = given(data, TIES, measures=PRICED)
    fill(con, "fold", FOLD, [("split", 1, None, "i1"), ("split", 1, 1, "i2")])
    found = table(con, "fold_choice", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, first, second, second)]
    assert one(con, "scenario_sbs", "sbs", "true") == (second,)
