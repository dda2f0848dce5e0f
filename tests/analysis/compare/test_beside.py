"""Answers beside the tests: each test at the level of its rank."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

import aslib_eval as ae
from aslib_eval.analysis.compare import SCOPE
from aslib_eval.analysis.compare.beside import STEP_COLUMNS, beside, chart_beside
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError

pytestmark = pytest.mark.usefixtures("opened_once")

opened = cache(open_lake)


def ask(four_systems: Path, **words: Any) -> tuple[list[dict[str, Any]], str]:
    found, (sentence,) = beside(opened(four_systems), Question(**words), "steps")
    assert found.columns == [*SCOPE, *STEP_COLUMNS]
    return found.to_dicts(), sentence


def test_steps_in_the_order_of_p_each_at_its_level(four_systems: Path) -> None:
    rows, sentence = ask(four_systems, versus="A", test="t", alpha=0.06)
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
        "Holm's method rejects 1 of 3 null hypotheses of no difference. The first"
        " pair without a rejection is C and A (p = 0.86, level 0.03)."
    )


def test_steps_without_holm(four_systems: Path) -> None:
    words = {"versus": "A", "test": "t"}
    rows, sentence = ask(four_systems, correction="bonferroni", **words)
    assert {row["level"] for row in rows} == {0.05 / 3}
    assert sentence.startswith("Bonferroni's method rejects 1 of 3")
    rows, _ = ask(four_systems, correction="none", **words)
    assert {row["level"] for row in rows} == {0.05}
    rows, _ = ask(four_systems, versus="A")
    assert [row["interval_method"] for row in rows] == ["bootstrap-t"] * 3
    rows, _ = ask(four_systems, unit="folds", versus="A")
    assert {row["interval_method"] for row in rows} == {"corrected t"}


def test_what_is_refused(four_systems: Path) -> None:
    with pytest.raises(AslibError, match="instead of steps"):
        ask(four_systems, test="nemenyi")
    with pytest.raises(AslibError, match="nothing draws steps"):
        chart_beside(opened(four_systems), Question(), "steps")
    with pytest.raises(ae.OptionError, match="show = 'stepz' is none of pairs, sys"):
        ae.compare(four_systems, show="stepz")
