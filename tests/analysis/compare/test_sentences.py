"""Given values, the sentences of a comparison: each by hand, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from aslib_eval.analysis.compare.pairs import pair_rows, seen_from_other, turned, verdict
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.systems import _EFFECTS, _apart, _effect, omnibus_row, p_words, system_rows
from aslib_eval.statistics.paired import superiority
from tests.analysis.compare.test_blocks import block, told

BASE = np.arange(12.0)
# B is a little better on eleven of twelve instances, and 1000 worse on one.
SPLIT = [BASE + 1, BASE + np.array([0.0] * 11 + [1000])]
BOUNDED = {"ceiling": 2000.0}
TESTED = (
    "Mean and test can disagree: a few large differences can decide a mean, but not ranks or signs. "
    "Test: Wilcoxon signed-rank, two-sided; alpha = 0.05; n = 12 instances."
)


def sides(*columns: Any, **words: Any) -> list[tuple[Any, ...]]:
    """Of every pair: who is better by the mean, by the test, and by all three."""
    found = pair_rows(block([*columns]), Question(**words))
    return [(row["by_mean"], row["by_test"], row["winner"]) for row in found]


# B is better by 1 on eleven of twelve instances, and worse by 5 on one.
TYPICAL = [BASE + 1, BASE + np.array([0.0] * 11 + [6])]


def test_who_is_better_needs_mean_test_and_interval() -> None:
    assert sides(*TYPICAL) == [("B", "B", None)]
    assert sides(*SPLIT) == [("A", "B", None)]
    assert sides(*SPLIT, test="t") == [("A", None, None)]
    assert sides(BASE, BASE + 1) == [("A", "A", "A")]
    assert sides(BASE, BASE) == [(None, None, None)]
    # By -11 on one instance and by 1 on eleven the means are equal.
    assert sides(BASE, BASE + np.array([-1] * 11 + [11])) == [(None, "B", None)]


@pytest.mark.parametrize(
    ("mean", "interval", "tests", "word"),
    [
        (1, 1, [1], "better"),
        (-3.5, -1, [-0.2], "worse"),
        (1, 0, [1], "typically better"),
        (1, -1, [1], "typically better"),
        (0, 0, [-1], "typically worse"),
        (1, 0, [-1], "mixed"),
        (1, 1, [-1], "mixed"),
        (1, 1, [0], "no difference"),
        (1, 1, [], "no difference"),
        (1, 1, [1, 0], "better"),
        (1, 1, [1, -1], "mixed"),
        (-1, 0, [0, -1], "typically worse"),
    ],
)
def test_the_word_for_mean_interval_and_tests(
    mean: float, interval: float, tests: list[float], word: str
) -> None:
    found = verdict(mean=mean, interval=interval, tests=tests)
    assert found == word
    other = verdict(mean=-mean, interval=-interval, tests=[-test for test in tests])
    assert turned(word) == other
    of_t = verdict(mean=mean, interval=interval, tests=tests, typical=False)
    plain = word.removeprefix("typically ")
    assert of_t == (f"{plain} by the test alone" if plain != word else word)
    assert turned(turned(of_t)) == of_t


@pytest.mark.parametrize(
    ("columns", "verdicts"),
    [
        ((BASE, BASE + 1), ("better", "worse")),
        (SPLIT, ("mixed", "mixed")),
        (TYPICAL, ("typically worse", "typically better")),
        ((BASE, BASE), ("no difference", "no difference")),
    ],
)
def test_a_verdict_is_of_the_first_of_a_pair(columns: Sequence[Any], verdicts: tuple[str, str]) -> None:
    (row,) = pair_rows(block([*columns]), Question())
    assert (row["verdict"], seen_from_other(row)["verdict"]) == verdicts


def test_a_mark_of_their_own_where_mean_and_test_disagree() -> None:
    question = Question(versus="A", correction="none")
    data = block([*SPLIT, BASE + 500, BASE + 1])
    rows = system_rows(data, question, pair_rows(data, question))
    assert {row["system"]: row["mark"] for row in rows} == {
        "A": "o", "B": "±", "C": "-", "D": "=",
    }  # fmt: skip


BY_BOUND = (
    "which contains 0). The interval is wide because of the bounds of the values, not because of the data."
)


def test_the_whole_paragraph() -> None:
    assert told(block([BASE, BASE + 1], ceiling=100.0)) == (
        "S under p: comparison of 2 algorithms by cost (measure m, lower is better) on 12 instances. "
        "A has the best mean. A is typically better than B. "
        "On average, A is ahead of B by 1 (95 % interval -25.86 to 27.33, "
        f"{BY_BOUND} A is better on 12 instances, worse on 0 and equal on 0 (p < 0.001). {TESTED}"
    )


def test_the_test_against_the_mean() -> None:
    text = told(block(SPLIT, **BOUNDED))
    assert text.endswith(
        "A has the best mean. Mixed: B is typically better than A, but worse by the mean. "
        "On average, A is ahead of B by 82.33 (95 % interval -482.7 to 612.7, "
        f"{BY_BOUND} A is better on 1 instance, worse on 11 and equal on 0 (p = 0.033). {TESTED}"
    )
    text = told(block(SPLIT, **BOUNDED), versus="B")
    assert text.endswith(
        "Mixed: B is typically better than A, but worse by the mean. On average, B is behind A by 82.33 "
        f"(95 % interval -482.7 to 612.7, {BY_BOUND} B is better on 11 instances, "
        f"worse on 1 and equal on 0 (p = 0.033). {TESTED}"
    )


def test_what_both_solve_stands_beside_what_timeouts_may_add() -> None:
    """B times out on the last of twelve, or on none, where only the bound decides."""
    solved = np.ones((12, 2), bool)
    data = block([BASE, BASE + 1], ceiling=1000.0, solved=solved)
    (row,) = pair_rows(data, Question())
    assert (row["decided_by"], row["n_both"], row["both"]) == ("bound", 12, 1)
    assert (row["both_lower"], row["both_upper"]) == (1, 1)
    for both, known in ((2, True), (1, False)):  # one difference has no interval
        few = np.ones((12, 2), bool)
        few[both:, 0] = False
        (some,) = pair_rows(block([BASE, BASE + 1], ceiling=1000.0, solved=few), Question())
        assert (some["decided_by"], some["n_both"]) == ("bound", both)
        assert (some["both_lower"] is not None) == known
    assert row["upper"] > 250
    most = 1 - 0.025 ** (1 / 12)  # Clopper and Pearson's
    assert row["net_solved"] == 0
    assert (row["net_lower"], row["net_upper"]) == pytest.approx((-most, most), rel=0.05)
    assert (
        "which contains 0). The interval is wide because it allows for unseen timeouts. "
        "On the 12 instances that both solve, A is ahead by 1 (interval 1 to 1). A is better on 12"
    ) in told(data)
    turned = seen_from_other(row)
    assert (turned["both"], turned["net_upper"]) == (-1, -row["net_lower"])
    solved[-1, 1] = False
    late = np.append(BASE[:-1] + 1, 1000.0)
    data = block([BASE, late], ceiling=1000.0, solved=solved)
    (row,) = pair_rows(data, Question())
    assert (row["n_both"], row["both"]) == (11, 1)
    assert row["net_solved"] == pytest.approx(1 / 12)
    assert (row["decided_by"], row["both_lower"]) == ("data", None)
    percent = Question(differences="percent")
    assert pair_rows(data, percent)[0]["both"] is None


@pytest.mark.parametrize(
    ("data", "words", "said"),
    [
        (
            block([BASE + at for at in range(4)]),
            {"versus": "A"},
            "A is better than B, C and D. On average,",
        ),
        (
            block([BASE + at for at in range(7)]),
            {"versus": "A"},
            "A is better than B and 5 others. On average,",
        ),
        (block([BASE, *(BASE + at for at in range(6))]), {}, "A is better than 5 of the 6 others by mean"),
        (block([BASE, *(BASE + at for at in range(4))]), {}, "A is better than C, D and E by mean"),
        (
            block([BASE[:4] + at for at in range(3)]),
            {},
            "Friedman's test of all solvers together shows a difference (Iman-Davenport p = 0.0046).",
        ),
        (
            block([-BASE, 1 - BASE], measure="F1", better="higher"),
            {},
            "2 algorithms by F1 (higher is better)",
        ),
        (
            block([-BASE, 1 - BASE], scenario_id=None, measure=None),
            {},
            "Under p: comparison of 2 algorithms by cost (lower",
        ),
        (
            block([BASE, BASE + 1]),
            {"versus": "B", "alternative": "better"},
            "The test does not show that B is better than A. On average, B is behind A by 1 (",
        ),
        (block(TYPICAL), {"versus": "A"}, "A is typically worse than B. On average, A is behind B by 0.5"),
        (
            block([BASE, BASE + 1], families=np.arange(12) // 4),
            {},
            "With 3 families, this test cannot show a difference: its p is at least 0.25. Use --inside",
        ),
        (
            block(TYPICAL[::-1], kinds=("selector", "baseline")),
            {"versus": "B"},
            "A is typically better than B. On average, A is ahead of B by 0.5",
        ),
    ],
)
def test_a_sentence_has_who_and_how(data: Any, words: dict[str, Any], said: str) -> None:
    assert said in told(data, **words)


def test_equal_means_have_no_best() -> None:
    same = [BASE, BASE + np.array([-1] * 6 + [1] * 6)]
    text = told(block(same))
    assert "Both are equal on average. A is not significantly different from B." in text
    assert "A and B share the best mean." in told(block([*same, BASE + 9]))
    assert "All 3 are equal on every instance. The test shows a difference" in told(block([BASE] * 3))


def test_a_test_that_cannot_show_a_difference_says_so() -> None:
    three = block([[1, 2, 3], [2, 3, 5]])
    assert ("With 3 instances, this test cannot show a difference: its p is at least 0.25.") in told(three)
    assert "cannot show a difference" not in told(three, alpha=0.3)
    assert (
        "Two solvers differ on at most 5 instances, so this test cannot show a difference: its p is"
        " at least 0.0625."
    ) in told(block([[1, 2, 3, 4, 5, 6], [1, 3, 4, 5, 6, 8]]))


def test_corrected_for_many_pairs_a_test_may_show_nothing() -> None:
    six = block([BASE[:6] + at for at in range(3)])
    assert (
        "With 6 instances, this test cannot show a difference: its p is at least 0.0312 "
        "(0.0938 after correction for 3 pairs)."
    ) in told(six)
    assert "cannot show a difference" not in told(six, correction="none")
    assert (
        "With n = 2, this test cannot show a difference: mean ranks differ by at most 2, and the critical"
        " difference is 2.34."
    ) in told(block([BASE[:2] + at for at in range(3)]), test="nemenyi")


def test_an_interval_that_does_not_say_what_the_test_says() -> None:
    # B loses much on eight instances, and wins little on four.
    base = np.full(12, 0.1)
    data = block([base, base + np.array([5.0] * 8 + [-0.1] * 4)], ceiling=5.2)
    assert (
        "A is not significantly different from B. On average, A is ahead of B by 3.3 "
        "(95 % interval 0.749 to 4.514, which excludes 0). A is better on 8 instances, worse on 4 "
        "and equal on 0 (p = 0.39). Mean and test can disagree"
    ) in told(data, test="sign")
    most = base + np.array([4.9] * 8 + [-0.1] * 4)
    data = block([base, most, data.values[:, 1]], ceiling=5.2)
    assert (
        "A is not significantly different from the 2 others, although the 95 % interval of the mean "
        "difference excludes 0 for 1 of them. On average, A is ahead of B by 3.233 (95 % interval"
    ) in told(data, test="sign")


def test_no_p_is_zero() -> None:
    many = np.arange(3000.0)
    data = block([many, many + 1])
    (row,) = pair_rows(data, Question())
    omnibus = omnibus_row(data, Question())
    assert omnibus is not None
    found = {row["p"], row["p_adjusted"], omnibus["f_p"]}
    assert found == {2.2250738585072014e-308}


def test_the_row_of_a_system_has_its_own_signs() -> None:
    """Against one, each row is read as its name says: who costs more has a minus."""
    data = block([BASE, BASE + 1, BASE + 2])
    for words in ({}, {"alternative": "better"}):
        found = pair_rows(data, Question(versus="B", correction="none", **words))
        assert [(row["system"], row["other"]) for row in found] == [("A", "B"), ("C", "B")]
        assert [row["advantage"] for row in found] == [1, -1]
        assert [(row["wins"], row["losses"]) for row in found] == [(12, 0), (0, 12)]
        assert [row["statistic"] for row in found] == [78, 0]
    assert [row["by_test"] for row in found] == [None, "B"]  # is B better?


def test_one_pair_has_no_correction_to_speak_of() -> None:
    """The t test shows nothing (p = 0.079); the interval of two values is a point."""
    rows = [{"by_test": None, "p": 0.04, "system": "A", "other": "B"}]
    ends = {"lower": 1.0, "upper": 2.0}
    asked = Question(test="t")
    told_of = [rows[0] | ends]
    assert _apart(asked, told_of) == (
        "The test is corrected for the number of pairs, but the intervals are not."
    )
    told_of = [rows[0] | ends | {"p": 0.07}]
    other = "The t test assumes a normal mean, but the interval does not."
    assert _apart(asked, told_of) == other
    assert _apart(Question(test="t", joint=True), [rows[0] | ends]) == other


def test_two_instances_make_nobody_better() -> None:
    """By t = 41 with one degree of freedom, p = 0.016, if differences are normal."""
    two = block([[1, 2], [2, 3.05]])
    (row,) = pair_rows(two, Question(test="t"))
    assert (row["by_mean"], row["by_test"], row["winner"]) == ("A", "A", None)
    text = told(two, test="t")
    assert "A is better than B by the test alone." in text
    assert text.split(" n = 2 instances. ")[1].startswith(
        "With 2 instances, the t test is valid only if the differences are normal. "
        "So few values cannot confirm this. Therefore the program calls no solver better."
    )
    assert "p < 0.001" not in told(block([[1, 2], [2, 3]]), test="t")
    six = block([BASE[:6], BASE[:6] + 5 + np.array([0.1, 0, 0.2, 0.1, 0, 0.1])])
    assert sides_of(six) == ("A", "A", "A")
    assert "differences are normal" not in told(six, test="t")


def sides_of(data: Any) -> tuple[Any, ...]:
    (row,) = pair_rows(data, Question(test="t"))
    return row["by_mean"], row["by_test"], row["winner"]


def test_where_nobody_solves_anything_all_are_ties() -> None:
    nothing = block([[9.0] * 4] * 2, solved=np.zeros((4, 2), bool))
    text = told(nothing)
    assert "on 4 instances; no solver solves any of them, so all tie." in text
    assert "Both are equal on every instance. Test:" in text
    text = told(nothing, versus="A")
    assert "A and B are equal (95 % interval 0 to 0). A is better on 0 instances, worse on 0" in text


def test_p_is_written_with_the_digits_that_say_on_which_side_it_is() -> None:
    assert [p_words(p) for p in (0.0504, 0.0496, 0.05, 0.0505001, 0.2, 0.0009)] == [
        "p = 0.0504", "p = 0.05", "p = 0.05", "p = 0.051", "p = 0.2", "p < 0.001",
    ]  # fmt: skip


def test_two_that_are_alike_have_an_a12_of_one_half() -> None:
    """The mean of 49 placements in 49 is 0.49999999999999994."""
    for n in (*range(1, 60), 252, 1000):
        same = np.arange(n, dtype=float)
        found = superiority(same, same, lower_is_better=True)
        assert (found.a12, found.cliff) == (0.5, 0.0)


@pytest.mark.parametrize(
    ("row", "versus", "found"),
    [
        (("a", "b"), None, ("b", (0.5, 0.25, 1.0), "typically worse")),
        (("b", "a"), None, ("b", (-0.5, -1.0, -0.25), "typically better")),
        (("b", "c"), None, ("", (None, None, None), None)),
        (("b", "a"), "a", ("b", (0.5, 0.25, 1.0), "typically better")),  # as told
    ],
)
def test_effects_of_a_pair_are_those_of_the_best(
    row: tuple[str, str], versus: str | None, found: tuple[Any, ...]
) -> None:
    names = dict.fromkeys(_EFFECTS, None)
    ends = {"advantage": 0.5, "lower": 0.25, "upper": 1.0}
    given = names | ends | {"system": row[0], "other": row[1]}
    given["verdict"] = "typically better"
    system, effect = _effect(given, Question(versus=versus), "a")
    assert (system, tuple(effect[n] for n in ends), effect["verdict"]) == found
