"""Answers beside the tests: steps, posteriors, linear model, resampled means."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import aslib_eval as ae
from aslib_eval.analysis.compare import SCOPE
from aslib_eval.analysis.compare.beside import (
    COLUMNS,
    beside,
    mean_quantiles_of,
    steps_in_words,
)
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.statistics.block_design import block_anova
from tests.conftest import write_scenario
from tests.lab import OBJECTIVE

pytestmark = pytest.mark.usefixtures("opened_once")

# B is 1 to 5 above A, C as much below as above it, D the same as A.
A = [10.0, 20, 30, 40, 50, 60]
VALUES = {
    "A": A,
    "B": [a + step for a, step in zip(A, (1, 2, 3, 4, 5, 3), strict=True)],
    "C": [a + step for a, step in zip(A, (1, -1, 2, -2, 3, -2), strict=True)],
    "D": A,
}
opened = cache(open_lake)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("beside")
    runs = [
        (f"i{at}", 1, system, value, "ok")
        for system, some in VALUES.items()
        for at, value in enumerate(some, 1)
    ]
    folds = {f"i{at}": 1 + at % 3 for at in range(1, 7)}
    folder = write_scenario(home / "S", runs=runs, measures=OBJECTIVE, folds=folds)
    ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


def ask(
    lake: Path, answer: str, rope: float | None = None, **words: Any
) -> tuple[list[dict[str, Any]], str]:
    found, (sentence,) = beside(opened(lake), Question(**words), answer, rope=rope)
    assert found.columns == [*SCOPE, *COLUMNS[answer]]
    return found.to_dicts(), sentence


def test_steps_in_the_order_of_p_each_at_its_level(lake: Path) -> None:
    rows, sentence = ask(lake, "steps", versus="A", test="t", alpha=0.06)
    assert [row["system"] for row in rows] == ["B", "C", "D"]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert [row["level"] for row in rows] == pytest.approx([0.02, 0.03, 0.06])
    assert [row["rejected"] for row in rows] == ["yes", "no", "no"]
    first = rows[0]
    # Behind by 1, 2, 3, 4, 5, 3: mean 3, variance 2; t = 3 / sqrt(2 / 6) with 5 df.
    assert first["p"] == pytest.approx(2 * stats.t.sf(3 / (2 / 6) ** 0.5, 5))
    half = stats.t.ppf(1 - 0.02 / 2, 5) * (2 / 6) ** 0.5
    assert (first["lower"], first["upper"]) == pytest.approx((-3 - half, half - 3))
    assert (first["d"], first["n"]) == (pytest.approx(-3 / 2**0.5), 6)
    assert rows[2]["d"] is None  # D never differs
    assert sentence == (
        "By Holm's steps 1 of 3 null hypotheses of no difference is rejected; rejecting"
        " stops at C and A (p = 0.86, level 0.03)."
    )


def test_one_hypothesis_in_words() -> None:
    ask = Question(versus="A")
    found = "By Holm's steps the null hypothesis of no difference is"
    assert steps_in_words([{"rejected": "no"}], ask) == f"{found} not rejected."
    assert steps_in_words([{"rejected": "yes"}], ask) == f"{found} rejected."


def test_steps_without_holm(lake: Path) -> None:
    words = {"versus": "A", "test": "t"}
    rows, sentence = ask(lake, "steps", correction="bonferroni", **words)
    assert {row["level"] for row in rows} == {0.05 / 3}
    assert sentence.startswith("By Bonferroni's level 1 of 3")
    rows, _ = ask(lake, "steps", correction="none", **words)
    assert {row["level"] for row in rows} == {0.05}
    rows, _ = ask(lake, "steps", versus="A")
    assert [row["interval_method"] for row in rows] == ["bootstrap-t"] * 3
    rows, _ = ask(lake, "steps", unit="folds", versus="A")
    assert {row["interval_method"] for row in rows} == {"corrected t"}


def test_posteriors_in_words(lake: Path) -> None:
    rows, sentence = ask(lake, "bayes", 0.5, versus="A")
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
        "Bayesian signed-rank test of the typical difference (Hodges-Lehmann); up to "
        "0.5 does not matter: A is surely better than B, surely equal to D, none of "
        "these beside C; sure: a probability of at least 0.95. "
    )
    assert sentence.endswith(
        "A probability promises no error rate. With n = 6 the prior and few units "
        "decide it."
    )
    again, _ = ask(lake, "bayes", 0.5, versus="A")
    assert again == rows


def test_posteriors_in_percent_and_over_folds(lake: Path) -> None:
    words = {"versus": "B", "differences": "percent"}
    rows, sentence = ask(lake, "bayes", 0.01, **words)
    assert "up to 1 % does not matter: B is surely worse than" in sentence
    assert {row["p_better"] > 0.99 for row in rows if row["system"] == "A"} == {True}
    rows, sentence = ask(lake, "bayes", 0.5, unit="folds", versus="A")
    assert {(row["method"], row["draws"]) for row in rows} == {("correlated t", None)}
    assert sentence.startswith("Bayesian correlated t test of the mean difference; up")
    assert sentence.endswith("A probability promises no error rate.")


def test_the_linear_model(lake: Path) -> None:
    (row,), sentence = ask(lake, "anova")
    assert (row["n"], row["k"], row["df"], row["df_error"]) == (6, 4, 3, 15)
    assert row["f"] == pytest.approx(block_anova(np.column_stack([*VALUES.values()])).f)
    assert sentence.startswith("Linear model with units as blocks: F(3, 15) = ")


def test_resampled_means(lake: Path) -> None:
    rows, sentence = ask(lake, "normality", versus="A")
    by = {row["system"]: row for row in rows}
    assert by["B"]["skew"] == pytest.approx(0)
    assert by["B"]["n"] == 6
    assert by["D"]["distance"] is None
    assert by["C"]["distance"] < 0.1
    assert sentence.startswith("Bootstrap of 2 mean differences (n = 6): furthest from")


def test_quantiles_of_the_means(lake: Path) -> None:
    """Of D nothing varies. The median is near the mean, and 99 quantiles ascend."""
    found = mean_quantiles_of(opened(lake), Question(versus="A"))
    assert set(found) == {"B vs A", "C vs A"}
    normal, resampled = zip(*found["B vs A"], strict=True)
    assert (len(normal), normal[49]) == (99, pytest.approx(0))
    assert resampled[49] == pytest.approx(0, abs=0.1)
    assert list(resampled) == sorted(resampled)
    with pytest.raises(AslibError, match="folds are not independent"):
        mean_quantiles_of(opened(lake), Question(unit="folds"))


@pytest.mark.parametrize(
    ("answer", "words", "message"),
    [
        ("bayes", {}, "needs a region of practical equivalence"),
        ("anova", {"unit": "folds"}, "folds are not independent"),
        ("normality", {"unit": "folds"}, "folds are not independent"),
        ("steps", {"test": "nemenyi"}, "no steps"),
    ],
)
def test_what_is_refused(
    lake: Path, answer: str, words: dict[str, Any], message: str
) -> None:
    with pytest.raises(AslibError, match=message):
        ask(lake, answer, **words)
