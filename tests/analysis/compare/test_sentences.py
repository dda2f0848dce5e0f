"""Given values, the sentences of a comparison: each by hand, word for word."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.compare.pairs import pair_rows
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.systems import omnibus_row, system_rows
from tests.analysis.compare.test_blocks import block, told

BASE = np.arange(12.0)
# B is a little better on eleven of twelve instances, and 1000 worse on one.
SPLIT = [BASE + 1, BASE + np.array([0.0] * 11 + [1000])]
BOUNDED = {"ceiling": 2000.0}
TESTED = (
    "The mean adds up what is won and lost, and a few may be most of it; the test "
    "looks at it one by one. Test: Wilcoxon signed-rank, two-sided; alpha = 0.05; "
    "n = 12, the independent unit is the instance."
)


def sides(*columns: Any, **words: Any) -> list[tuple[Any, ...]]:
    """Of every pair: who is better by the mean, by the test, and by both."""
    found = pair_rows(block([*columns]), Question(**words))
    return [(row["by_mean"], row["by_test"], row["winner"]) for row in found]


def test_who_is_better_needs_the_mean_and_the_test() -> None:
    assert sides(*SPLIT) == [("A", "B", None)]
    assert sides(*SPLIT, test="t") == [("A", None, None)]
    assert sides(BASE, BASE + 1) == [("A", "A", "A")]
    assert sides(BASE, BASE) == [(None, None, None)]
    # By -11 on one instance and by 1 on eleven the means are equal.
    assert sides(BASE, BASE + np.array([-1] * 11 + [11])) == [(None, "B", None)]


def test_a_mark_of_their_own_where_mean_and_test_disagree() -> None:
    question = Question(versus="A", correction="none")
    data = block([*SPLIT, BASE + 500, BASE + 1])
    rows = system_rows(data, question, pair_rows(data, question))
    assert {row["system"]: row["mark"] for row in rows} == {
        "A": "o", "B": "±", "C": "-", "D": "=",
    }  # fmt: skip


def test_the_whole_paragraph() -> None:
    assert told(block([BASE, BASE + 1], ceiling=100.0)) == (
        "S under p: 2 algorithms by cost (measure m, lower is better) on 12 instances. "
        "Together they differ (Friedman, corrected for ties: chi2 = 12, Iman-Davenport "
        "p < 0.001). A has the best mean. By mean and test it is better than B. Over "
        "B: ahead by 1 on average (95 % interval -25.86 to 27.33, which contains 0), "
        f"better on 12, worse on 0, equal on 0, p < 0.001. {TESTED}"
    )


def test_the_test_against_the_mean() -> None:
    text = told(block(SPLIT, **BOUNDED))
    assert text.endswith(
        "A has the best mean. By the test B is better than A, not by the mean. Against "
        "B A is ahead by 82.33 on average (95 % interval -482.7 to 612.7, which "
        f"contains 0), better on 1, worse on 11, equal on 0, p = 0.033. {TESTED}"
    )
    text = told(block(SPLIT, **BOUNDED), versus="B")
    assert text.endswith(
        "By the test B is better, by the mean worse, than A [behind by 82.33 on "
        "average (95 % interval -482.7 to 612.7, which contains 0), better on 11, "
        f"worse on 1, equal on 0, p = 0.033]. {TESTED}"
    )


def test_others_are_held_against_a_baseline() -> None:
    kinds = ("selector", "baseline", "selector")
    data = block([*SPLIT, BASE + 500], kinds=kinds, **BOUNDED)
    assert (
        "Worse than B: C [behind by 416.7 on average (95 % interval -241.1 to 851.6, "
        "which contains 0), better on 1, worse on 11, equal on 0, p = 0.0063]. By the "
        "test worse, by the mean better, than B: A [ahead by 82.33 on average"
    ) in told(data, versus="B", correction="none")
    text = told(data, versus="B", correction="none", alpha=0.005)
    assert (
        "Not told apart from B: A [ahead by 82.33 on average (99.5 % interval" in text
    )


def test_everybody_is_named_and_five_with_their_effects() -> None:
    text = told(block([BASE + at for at in range(7)]), versus="A")
    assert "F [ahead by 5 on average" in text
    assert "equal on 0, p = 0.0029] and G." in text
    text = told(block([BASE + at for at in range(7)]))
    assert "By mean and test it is better than all 6 others." in text
    assert "Of 21 pairs the test tells 21 apart." in text


def test_equal_means_have_no_best() -> None:
    same = [BASE, BASE + np.array([-1] * 6 + [1] * 6)]
    text = told(block(same))
    assert "Both are equal in the mean. The test shows no difference from B." in text
    assert "A and B share the best mean." in told(block([*same, BASE + 9]))
    assert "All 3 are equal on every instance. Of 3 pairs" in told(block([BASE] * 3))


def test_a_test_that_cannot_show_a_difference_says_so() -> None:
    three = block([[1, 2, 3], [2, 3, 5]])
    assert (
        "With 3 instances this test can show no difference: its p is at least 0.25."
    ) in told(three)
    assert "can show no difference" not in told(three, alpha=0.3)
    assert (
        "With the 5 instances where two differ this test can show no difference: its p "
        "is at least 0.0625."
    ) in told(block([[1, 2, 3, 4, 5, 6], [1, 3, 4, 5, 6, 8]]))


def test_corrected_for_many_pairs_a_test_may_show_nothing() -> None:
    six = block([BASE[:6] + at for at in range(3)])
    assert (
        "With 6 instances this test can show no difference: its p is at least 0.0312, "
        "or 0.0938 corrected over 3 pairs."
    ) in told(six)
    assert "can show no difference" not in told(six, correction="none")
    assert (
        "With n = 2 this test can show no difference: mean ranks differ by at most 2, "
        "and it takes 2.34."
    ) in told(block([BASE[:2] + at for at in range(3)]), test="nemenyi")


def test_the_pairs_and_all_together_may_disagree() -> None:
    three = [BASE[:4] + at for at in range(3)]
    text = told(block(three))
    assert "Together they differ (Friedman" in text
    assert "Of 3 pairs the test tells none apart, though together they differ." in text


def test_the_measure_is_named_with_its_direction() -> None:
    cost = told(block([BASE, BASE + 1]))
    assert cost.startswith(
        "S under p: 2 algorithms by cost (measure m, lower is better) on 12 instances."
    )
    quality = told(block([-BASE, 1 - BASE], measure="F1", better="higher"))
    assert quality.startswith(
        "S under p: 2 algorithms by F1 (higher is better) on 12 instances."
    )
    over = told(block([-BASE, 1 - BASE], scenario_id=None, measure=None))
    assert over.startswith("Under p: 2 algorithms by cost (lower is better) on 12")


def test_an_interval_that_does_not_say_what_the_test_says() -> None:
    # B loses much on eight instances, and wins little on four.
    base = np.full(12, 0.1)
    data = block([base, base + np.array([5.0] * 8 + [-0.1] * 4)], ceiling=5.2)
    assert (
        "The test shows no difference from B. Against B A is ahead by 3.3 on average "
        "(95 % interval 0.749 to 4.514, which excludes 0), better on 8, worse on 4, "
        "equal on 0, p = 0.39. The mean adds up what is won and lost"
    ) in told(data, test="sign")


def test_no_p_is_zero() -> None:
    many = np.arange(3000.0)
    data = block([many, many + 1])
    (row,) = pair_rows(data, Question())
    omnibus = omnibus_row(data, Question())
    assert omnibus is not None
    found = {row["p"], row["p_adjusted"], omnibus["f_p"]}
    assert found == {2.2250738585072014e-308}
