"""Posteriors, the linear model and resampled means beside the tests of pairs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aslib_eval.analysis.compare import SCOPE
from aslib_eval.analysis.compare.beside import ANSWERS, beside, chart_beside
from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.second_opinions import (
    _anova_in_words,
    _bayes,
    _normality_in_words,
    _odds,
    block_anova,
    mean_quantiles,
    mean_quantiles_of,
)
from aslib_eval.figures.chart import Line
from tests.analysis.compare.test_blocks import block
from tests.lab import FOUR

pytestmark = pytest.mark.usefixtures("opened_once")

opened = cache(open_lake)


def ask(
    four_systems: Path, answer: str, rope: float | None = None, **words: Any
) -> tuple[list[dict[str, Any]], str]:
    found, (sentence,) = beside(opened(four_systems), Question(**words), answer, rope=rope)
    assert found.columns == [*SCOPE, *ANSWERS[answer].columns]
    return found.to_dicts(), sentence


def test_posteriors_in_words(four_systems: Path) -> None:
    rows, sentence = ask(four_systems, "bayes", 0.5, versus="A")
    by = {row["system"]: row for row in rows}
    assert by["B"]["verdict"] == "worse"
    assert by["D"]["p_equal"] == 1
    assert by["D"]["verdict"] == "equal"
    assert by["C"]["verdict"] is None
    for row in rows:
        total = row["p_better"] + row["p_equal"] + row["p_worse"]
        assert total == pytest.approx(1)
        assert (row["method"], row["draws"], row["n"]) == ("signed-rank", 10_000, 6)
    assert sentence.startswith(
        "Bayesian signed-rank test of the typical difference (Hodges-Lehmann). Differences up to "
        "0.5 count as equal. A is typically better than B, typically equal to D, "
        "without a verdict against C. Here, 'typically' means with a probability of at least 0.95. "
    )
    assert sentence.endswith(
        "These probabilities do not control the error rate. "
        "With n = 6, the prior and a few units decide the result."
    )
    again, _ = ask(four_systems, "bayes", 0.5, versus="A")
    assert again == rows


def test_who_is_typically_equal_and_apart_in_the_mean_is_named() -> None:
    late = np.append(np.zeros(39), 37_200.0)
    data = block([np.zeros(40), late, np.zeros(40)])
    (one, other, _), sentence = _bayes(data, Question(), 1.0)
    assert (one["verdict"], other["verdict"]) == ("equal", "equal")
    assert "A is typically equal to B and C. Here, 'typically' means with" in sentence
    assert sentence.endswith(
        " The test calls 2 of 3 pairs equal although their mean difference is larger (B and C: 930)."
    )


def test_posteriors_in_percent_and_over_folds(four_systems: Path) -> None:
    words = {"versus": "B", "differences": "percent"}
    rows, sentence = ask(four_systems, "bayes", 0.01, **words)
    assert "Differences up to 1 % count as equal. B is typically worse than" in sentence
    assert {row["p_better"] > 0.99 for row in rows if row["system"] == "A"} == {True}
    rows, sentence = ask(four_systems, "bayes", 0.5, unit="folds", versus="A")
    assert {(row["method"], row["draws"]) for row in rows} == {("correlated t", None)}
    assert sentence.startswith("Bayesian correlated t test of the mean difference. Differences up to")
    assert sentence.endswith("These probabilities do not control the error rate.")


def test_the_linear_model(four_systems: Path) -> None:
    (row,), sentence = ask(four_systems, "anova")
    assert (row["n"], row["k"], row["df"], row["df_error"]) == (6, 4, 3, 15)
    assert row["f"] == pytest.approx(block_anova(np.column_stack([*FOUR.values()]))["f"])
    assert sentence.startswith("Linear model with units as blocks: F(3, 15) = ")


def test_resampled_means(four_systems: Path) -> None:
    rows, sentence = ask(four_systems, "normality", versus="A")
    by = {row["system"]: row for row in rows}
    assert by["B"]["skew"] == pytest.approx(0)
    assert by["B"]["n"] == 6
    assert by["D"]["distance"] is None
    assert by["C"]["distance"] < 0.1
    assert sentence.startswith("Bootstrap of 2 mean differences (n = 6): the difference of")


def test_quantiles_of_the_means(four_systems: Path) -> None:
    """Of D nothing varies. The median is near the mean, and 99 quantiles ascend."""
    question = Question(versus="A")
    (block,) = blocks(opened(four_systems), question)
    found = mean_quantiles_of(block, question)
    assert set(found) == {"B vs A", "C vs A"}
    normal, resampled = zip(*found["B vs A"], strict=True)
    assert (len(normal), normal[49]) == (99, pytest.approx(0))
    assert resampled[49] == pytest.approx(0, abs=0.1)
    assert list(resampled) == sorted(resampled)
    with pytest.raises(AslibError, match="folds are not independent"):
        chart_beside(opened(four_systems), Question(unit="folds"), "normality")
    with pytest.raises(AslibError, match="folds are not independent"):
        ask(four_systems, "anova", unit="folds")
    with pytest.raises(AslibError, match="needs a region of practical equivalence"):
        ask(four_systems, "bayes")


MODEL = {
    "f": 3.14159, "df": 2, "df_error": 10, "p": 0.04, "p_epsilon": 0.2,
    "additive_p": 0.5, "normal_p": 0.5, "spread_ratio": 3.0,
}  # fmt: skip
TUKEY = "effects differ between easy and hard units (Tukey's test)"
NORMAL, UNEQUAL = "residuals are not normal (Jarque-Bera test)", "the systems have different variances"
ALL = {"spread_ratio": None, "normal_p": 0.0, "additive_p": 0.0}


@pytest.mark.parametrize(
    ("said", "doubts"),
    [
        ({}, []), ({"additive_p": None}, []), ({"additive_p": 0.05}, [TUKEY]),
        ({"normal_p": 0.05}, [NORMAL]), ({"spread_ratio": 3.01}, [UNEQUAL]),
        (ALL, [TUKEY, NORMAL, UNEQUAL]),
    ],
)  # fmt: skip
def test_a_model_is_in_doubt_for_three_reasons(said: dict[str, Any], doubts: list[str]) -> None:
    text = _anova_in_words({**MODEL, **said})
    assert text.startswith(
        "Linear model with units as blocks: F(2, 10) = 3.142, p = 0.04 "
        "(p = 0.2 after correction for unequal variances). "
    )
    end = f"The model may be wrong: {', '.join(doubts)}." if doubts else (
        "The residuals give no reason to doubt it."
    )  # fmt: skip
    assert text.endswith(f" {end}")
    assert _anova_in_words({**MODEL, "f": None}) == (
        "Linear model with units as blocks: no residual varies."
    )


def test_which_mean_is_furthest_from_normal() -> None:
    row = {"distance": 0.0123, "n": 7, "below": 0.031, "above": 0.02}
    rows = [
        {**row, "system": "a", "other": "b"},
        {**row, "system": "a", "other": "c", "distance": 0.5},
        {**row, "system": "b", "other": "c", "distance": None},
    ]
    assert _normality_in_words(rows) == (
        "Bootstrap of 2 mean differences (n = 7): the difference of a and c is furthest from normal"
        " (distance 0.500). 3.1 % of its means are below the normal 95 % range and 2.0 % above it,"
        " instead of 2.5 % each."
    )
    assert _normality_in_words(rows[2:]) == ("Bootstrap of the mean differences: nothing varies.")


def test_quantiles_of_resampled_means() -> None:
    line = [(-1.0, -0.5), (0.0, 0.1), (1.0, 1.6)]
    chart = mean_quantiles({"A vs B": line})
    normal, pair = (each for each in chart.marks if isinstance(each, Line))
    assert (normal.points, pair.name) == ([[-1, -1], [1.6, 1.6]], "A vs B")
    assert pair.points == [list(point) for point in line]
    for many in ({}, {f"A vs {at}": line for at in range(9)}):
        with pytest.raises(AslibError, match=f"{len(many)} pairs do not make"):
            mean_quantiles(many)


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.0049, "below 0.01"), (0.0051, "0.01"), (0.5, "0.50"), (0.99, "0.99"),
        (0.9949, "0.99"), (0.9951, "above 0.99"),
    ],
)  # fmt: skip
def test_a_probability_in_words_is_never_0_or_1(p: float, words: str) -> None:
    assert _odds(p) == words
