"""Blocks of values → rows and sentences, without a lake: each by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aslib_eval.analysis.compare.blocks import _rows
from aslib_eval.analysis.compare.pairs import COLUMNS, pair_rows
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.systems import (
    OMNIBUS_COLUMNS,
    SYSTEM_COLUMNS,
    describe,
    omnibus_row,
    system_rows,
)
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.statistics.friedman import critical_difference, dunn, scott_knott_blocked
from aslib_eval.statistics.means import bounded_means
from aslib_eval.statistics.paired import corrected_resampled_t, paired_t
from tests.lab import BOTH, runs
from tests.oracles import scott_knott

LEVELS = 0.1 * np.arange(12)


def block(columns: Sequence[Sequence[float]], **other: Any) -> Block:
    values = np.array(columns, float).T
    names = tuple("ABCDEFGHIJ"[: values.shape[1]])
    given: dict[str, Any] = {
        "protocol": "p@1",
        "scenario_id": "S",
        "measure": "m",
        "unit": "instance",
        "systems": names,
        "kinds": ("algorithm",) * len(names),
        "values": values,
        "solved": None,
        "test_to_train": None,
        "remarks": (),
        "failed": np.zeros(values.shape, bool),
        "n_left_out": 0,
    }
    return Block(**given | other)


def told(data: Block, **words: Any) -> str:
    question = Question(**words)
    return describe(data, question, pair_rows(data, question), omnibus_row(data, question))


def rows(data: Block, **words: Any) -> list[dict[str, Any]]:
    return pair_rows(data, Question(**words))


# --- pairs --------------------------------------------------------------------------


def test_p_at_alpha_exactly_shows_a_difference() -> None:
    data = block([[1, 2, 3, 4, 5], [2, 4, 6, 8, 10]])  # p = 2 / 2^5
    assert [rows(data, alpha=a)[0]["winner"] for a in (0.0625, 0.0624)] == ["A", None]


@pytest.mark.parametrize(
    ("test", "statistic"), [("t", 12.0), ("sign", 12.0), ("wilcoxon", 78.0), ("nemenyi", 1.0)]
)
def test_the_better_one_by_each_test(test: str, statistic: float) -> None:
    base = np.arange(12.0)
    data = block([base, base + 1 + LEVELS])
    row = rows(data, test=test)[0]
    assert row["winner"] == "A"
    other = rows(block([base + 1 + LEVELS, base]), test=test)[0]
    assert other["winner"] == "B"
    assert other["p"] == pytest.approx(row["p"])
    if test == "t":
        statistic = 1.55 / (LEVELS.std(ddof=1) / np.sqrt(12))
    assert row["statistic"] == pytest.approx(statistic)


def test_bonferroni_dunn_finds_the_better_one() -> None:
    base = np.arange(12.0)
    data = block([base, base + 1, base + 2])
    found = rows(data, test="bonferroni-dunn", versus="B")
    assert [(row["system"], row["winner"]) for row in found] == [("A", "A"), ("C", "B")]
    assert [row["statistic"] for row in found] == [1, -1]
    z = dunn(np.array([1.0]), k=3, n=12)[0]
    assert [row["p_adjusted"] for row in found] == pytest.approx([2 * z, 2 * z])


def test_one_sided_tests_ask_whether_the_one_is_better() -> None:
    data = block([np.arange(6.0), np.arange(6.0) + 1 + LEVELS[:6]])
    for test, share in (("wilcoxon", 1 / 64), ("sign", 1 / 64)):
        better = rows(data, test=test, versus="A", alternative="better")[0]
        worse = rows(data, test=test, versus="B", alternative="better")[0]
        assert (better["p"], worse["p"]) == (share, 1)
    t = rows(data, test="t", versus="A", alternative="better")[0]["p"]
    assert t == pytest.approx(rows(data, test="t", versus="A")[0]["p"] / 2)


def test_p_is_adjusted_over_the_pairs_as_asked() -> None:
    base = np.arange(5.0)
    data = block([base, base + np.arange(1, 6), base + np.arange(2, 12, 2)])
    for correction, factors in (
        ("holm", [3, 3, 3]), ("bonferroni", [3, 3, 3]), ("none", [1, 1, 1])
    ):  # fmt: skip
        found = rows(data, correction=correction)
        assert [row["p_adjusted"] for row in found] == [f / 16 for f in factors]


def test_folds_are_tested_and_bounded_by_the_corrected_t() -> None:
    d = [1.0, 2, 3, 5]
    data = block([[0.0] * 4, d], unit="fold of aslib", test_to_train=0.25)
    row = rows(data, unit="folds", metric="par1")[0]
    found = corrected_resampled_t(np.array(d), test_to_train=0.25)
    assert (row["statistic"], row["p"]) == (found.t, found.p)
    assert (row["lower"], row["upper"]) == (found.lower, found.upper)
    assert omnibus_row(data, Question(unit="folds", metric="par1")) is None
    for end in ("lower", "upper"):
        assert [row[f"{what}_{end}"] for what in ("a12", "win", "shift")] == [None] * 3


def test_a_small_t_is_a_direction_too() -> None:
    """t = 0.5 / sqrt(5 / 12) = 0.77 of four differences: p = 0.495."""
    for turn, winner in ((1, "A"), (-1, "B")):
        d = turn * np.array([-1.0, 2, 1, 0])
        data = block([[0.0] * 4, d])
        assert rows(data, test="t", alpha=0.5)[0]["winner"] == winner
        assert rows(data, test="t", alpha=0.49)[0]["winner"] is None
        folds = block([[0.0] * 4, d], unit="fold of aslib", test_to_train=0.01)
        row = rows(folds, unit="folds", metric="par1", alpha=0.6)[0]
        assert row["winner"] == winner


def test_values_may_reach_their_bounds() -> None:
    data = block([[0, 0, 5], [5, 5, 0]], ceiling=5)
    assert rows(data)[0]["interval_method"] == "Gaffke"
    found = system_rows(data, Question(), rows(data))
    assert {row["interval_method"] for row in found} == {"Gaffke"}
    expected = bounded_means(data.values, least=0, most=5)
    assert [row["lower"] for row in found] == expected.lower.tolist()
    assert [row["upper"] for row in found] == expected.upper.tolist()
    for ceiling in (4.999, None):
        beyond = block([[0, 0, 5], [5, 5, 0]], ceiling=ceiling)
        assert rows(beyond)[0]["interval_method"] == "bootstrap-t"


def test_bounds_whose_distance_may_overflow_are_none() -> None:
    for ceiling, method in ((0.99e300, "Gaffke"), (1e300, "bootstrap-t")):
        data = block([[0, 0, 5], [5, 5, 0]], ceiling=ceiling)
        assert rows(data)[0]["interval_method"] == method


def test_joint_intervals_are_those_at_alpha_by_the_number_of_pairs() -> None:
    base = np.arange(9.0)
    data = block([base, base + 1 + LEVELS[:9], base**2], ceiling=100)
    joint, each = rows(data, joint=True), rows(data, alpha=0.05 / 3)
    single = rows(data)
    for end in ("upper", "a12_upper", "win_upper", "shift_upper"):
        found = [row[end] for row in joint]
        assert found == [row[end] for row in each]
        alone = [row[end] for row in single]
        assert all(a >= b for a, b in zip(found, alone, strict=True))
        assert found != alone


def test_counts_and_effects_of_a_pair() -> None:
    solved = np.array([[1, 1], [1, 0], [0, 0], [0, 0], [0, 1]], bool)
    data = block([[1, 2, 9, 9, 9], [3, 9, 9, 9, 2]], solved=solved)
    row = rows(data)[0]
    assert (row["wins"], row["ties"], row["losses"]) == (2, 2, 1)
    assert (row["n"], row["n_nobody"], row["ties_unsolved"]) == (5, 2, 2)
    assert (row["win_share"], row["advantage"]) == (0.6, 0.4)
    assert row["d"] == pytest.approx(0.4 / np.std([2, 7, 0, 0, -7], ddof=1))
    assert (row["cliff"], row["a12"]) == (pytest.approx(0.12), pytest.approx(0.56))
    turned = rows(data, metric="solved")[0]
    assert (turned["wins"], turned["losses"], turned["advantage"]) == (1, 2, -0.4)


def test_one_unit_is_too_few() -> None:
    with pytest.raises(AslibError, match="1 instance is too few for a comparison"):
        rows(block([[1], [2]]))
    assert len(rows(block([[1, 2], [2, 4]]))) == 1


# --- systems and omnibus --------------------------------------------------------------


def test_systems_by_hand() -> None:
    solved = np.array([[1, 1], [1, 0], [1, 0], [0, 0]], bool)
    data = block([[1, 2, 3, 30], [2, 9, 9, 9]], solved=solved)
    question = Question(alpha=0.2)
    found = system_rows(data, question, pair_rows(data, question))
    assert [row["mean"] for row in found] == [9, 7.25]
    assert [row["median"] for row in found] == [2.5, 9]
    assert [row["solved"] for row in found] == [0.75, 0.25]
    assert [row["mean_rank"] for row in found] == [1.25, 1.75]
    assert [row["n"] for row in found] == [4, 4]
    question = Question(metric="solved")
    higher = system_rows(data, question, pair_rows(data, question))
    assert [row["mean_rank"] for row in higher] == [1.75, 1.25]


def test_groups_follow_the_direction_and_alpha() -> None:
    base = np.arange(12.0)[:, None]
    data = block((base + np.array([0, 0.2, 5]) + np.outer(LEVELS, [0.1, -0.1, 0.1])).T)
    question = Question()
    marks = pair_rows(data, question)
    groups = [row["sk_group"] for row in system_rows(data, question, marks)]
    assert groups[2] == max(groups) > groups[0]
    turned = system_rows(data, Question(metric="solved"), marks)
    assert turned[2]["sk_group"] == 1


@pytest.mark.parametrize(("versus", "method"), [(None, "nemenyi"), ("B", "bonferroni-dunn")])
def test_the_omnibus_by_hand(versus: str | None, method: Any) -> None:
    base = np.arange(9.0)
    data = block([base, base + 1, base + 2])
    row = omnibus_row(data, Question(versus=versus, alpha=0.1))
    assert row is not None
    assert (row["n"], row["k"], row["tie_factor"]) == (9, 3, 1)
    assert (row["chi2"], row["f_p"]) == (pytest.approx(18), pytest.approx(6**-8.0))
    assert row["p"] == pytest.approx(np.exp(-9))
    assert row["cd_method"] == method
    assert row["cd"] == critical_difference(3, 9, alpha=0.1, method=method)


# --- sentences ------------------------------------------------------------------------


# --- the tests behind them ----------------------------------------------------------


def test_one_sided_bounds_spend_all_of_alpha_on_one_side() -> None:
    d = np.array([1.0, 2, 4, -1, 3, 2, 5, 1])
    both = paired_t(d, confidence=0.9)
    assert paired_t(d, confidence=0.95, alternative="greater").lower == pytest.approx(both.lower)
    assert paired_t(d, confidence=0.95, alternative="less").upper == pytest.approx(both.upper)


def test_bounds_of_the_corrected_t_by_hand() -> None:
    found = corrected_resampled_t(np.array([1.0, 2, 3, 4]), test_to_train=1 / 3)
    se = np.sqrt((1 / 4 + 1 / 3) * 5 / 3)
    assert found.se == pytest.approx(se)
    assert found.upper - found.mean == pytest.approx(3.182446305284263 * se)


def test_scott_knott_promises_by_its_alpha() -> None:
    values = np.column_stack([LEVELS, LEVELS[::-1] + 0.35])
    strict = scott_knott_blocked(values, alpha=0.001)
    loose = scott_knott_blocked(values, alpha=0.5)
    assert (strict.groups.max(), loose.groups.max()) == (1, 2)
    p = strict.splits[0].p
    for alpha, groups in ((p * 0.999, 1), (p * 1.001, 2)):
        assert scott_knott_blocked(values, alpha=alpha).groups.max() == groups


def test_scott_knott_blocked_by_hand() -> None:
    """Blocks 0 and 10, systems 0, 1 and 5 above: no residual but one exchange."""
    values = np.array([[0, 1, 5], [10, 12, 15], [20, 21, 26.0]])
    found = scott_knott_blocked(values, order="ascending")
    means = values.mean(axis=0)
    residual = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    assert found.df == 4
    assert found.mse == pytest.approx((residual**2).sum() / 4)
    y = np.sort(means)
    between = y[:2].sum() ** 2 / 2 + y[2] ** 2 - y.sum() ** 2 / 3
    sigma2 = (((y - y.mean()) ** 2).sum() + 4 * found.mse / 3) / (3 + 4)
    first = found.splits[0]
    assert first.statistic == pytest.approx(np.pi / (2 * (np.pi - 2)) * between / sigma2)
    assert first.df == pytest.approx(3 / (np.pi - 2))
    assert scott_knott([np.array([1.0, 2]), np.array([1.0, 2])]).df == 2


def test_a_scenario_of_several_measures_has_a_replicate_for_each(imported: Callable[..., Path]) -> None:
    both = [("i1", 1, "A", 5, 0.5, "ok"), ("i1", 1, "B", 3, 0.25, "ok")]
    imported("S", runs=both, measures=BOTH)
    lake = open_lake(imported("T", runs=runs(A=[1], B=[2])), protocols=[Protocol(measures="all")])
    asked = Question(metric="solved", unit="scenarios", kind="algorithm")
    found = _rows(lake, asked)["replicate"].unique().sort().to_list()
    assert found == ["S accuracy", "S runtime", "T"]


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "t"])
def test_every_number_has_a_column_and_every_column_a_number(test: str) -> None:
    data = block([[1, 2, 3, 4, 6], [2, 4, 6, 8, 10], [3, 1, 4, 1, 5]])
    question = Question(test=test)
    pairs = pair_rows(data, question)
    assert {*pairs[0]} == {*COLUMNS}
    for row in system_rows(data, question, pairs):
        assert {*row} == {*SYSTEM_COLUMNS}
    assert {*(omnibus_row(data, question) or {})} == {*OMNIBUS_COLUMNS}
