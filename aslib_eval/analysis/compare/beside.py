"""Answers beside the tests of a comparison, each computed only when it is asked for.

``steps``: every test at the level of its rank. Others are added by extensions, and by other packages, as
``Beside``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import advantage_of, as_shares, mean_intervals, pair_rows
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.systems import p_words
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.plugins import RESERVED, Registry, Reserved, of_kind
from aslib_eval.statistics.friedman import levels
from aslib_eval.statistics.means import family_values
from aslib_eval.statistics.paired import corrected_resampled_t, paired_t

Row = dict[str, Any]
Floats = NDArray[np.float64]
PAIR: Mapping[str, str] = {
    "system": "each other solver with versus; else the solver with the better mean",
    "other": "versus; else the solver with the worse mean",
}
STEP_COLUMNS: Mapping[str, str] = {
    "rank": "place of the pair in the order of p, 1 = smallest",
    **PAIR,
    "level": "alpha at this rank: alpha / (K - rank + 1) with Holm",
    "p": "p of this pair, uncorrected",
    "rejected": "yes if p is at most level here and at every rank before",
    "advantage": "mean lead of the system over the units [metric's unit]",
    "lower": "lower end of its two-sided interval with confidence 1 - level",
    "upper": "upper end",
    "interval_method": "t for the t test, else as in pairs",
    "d": "Cohen's d of the differences; null without spread",
    "n": "units, as in pairs",
}


@dataclass(frozen=True)
class Beside:
    """An answer beside the tests: what it says of each comparison, a row or several.

    columns: the meaning of each. answer: rows and a sentence, of the values, the question and half the
    width of the region of practical equivalence. require: raises AslibError for a question that has no such
    answer. texts, counts: the columns that are no numbers, or whole ones. chart: of one comparison, for
    ``draw``.
    """

    columns: Mapping[str, str]
    answer: Callable[[Block, Question, float], tuple[list[Row], str]]
    require: Callable[[Question, float | None], None] = lambda *_: None
    texts: Collection[str] = ("system", "other")
    counts: Collection[str] = ("n",)
    chart: Callable[[Block, Question], Any] | None = None


def beside(
    lake: OpenLake, question: Question, answer: str, *, rope: float | None = None
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One of ANSWERS for each scenario, measure and protocol, and a sentence for each.

    rope: half the width of the region of practical equivalence, for ``bayes``, in the metric's unit or as a
    share with percent differences.
    """
    from aslib_eval.analysis.compare import SCOPE

    said = ANSWERS[answer]
    said.require(question, rope)
    rows: list[Row] = []
    sentences = []
    for block in blocks(lake, question):
        some = block if answer == "steps" else block.by_family
        found, sentence = said.answer(some, question, rope or 0.0)
        scope = (
            *(block.protocol, block.scenario_id, block.measure),
            *(question.compared, some.unit, question.chosen_test),
        )
        named = dict(zip(SCOPE, scope, strict=True))
        rows += [named | row for row in found]
        sentences.append(sentence)
    return pl.DataFrame(rows, schema=schema_of(answer), orient="row"), tuple(sentences)


def chart_beside(lake: OpenLake, question: Question, answer: str) -> Any:
    """The chart of one of ANSWERS, which shows one comparison."""
    said = ANSWERS.get(answer)
    if said is None or said.chart is None:
        raise AslibError(f"nothing draws {answer}")
    said.require(question, None)
    found = blocks(lake, question)
    if len(found) > 1:
        raise AslibError(
            f"a chart shows one comparison, but there are {len(found)}",
            hint="Choose one --scenario and one --protocol.",
        )
    return said.chart(found[0].by_family, question)


def schema_of(answer: str) -> dict[str, Any]:
    """The columns of an answer, SCOPE first, and their types."""
    from aslib_eval.analysis.compare import SCOPE

    said = ANSWERS[answer]
    types = dict.fromkeys(said.texts, pl.String) | dict.fromkeys(said.counts, pl.Int64)
    return dict.fromkeys(SCOPE, pl.String) | {name: types.get(name, pl.Float64) for name in said.columns}


def _require_steps(question: Question, _rope: float | None) -> None:
    if question.chosen_test in {"nemenyi", "bonferroni-dunn"}:
        raise AslibError(
            f"{question.chosen_test} has one critical difference instead of steps",
            hint="Use --test t or wilcoxon.",
        )


def _steps(block: Block, question: Question, _rope: float) -> tuple[list[Row], str]:
    rows = step_rows(block, question)
    return rows, steps_in_words(rows, question)


def step_rows(block: Block, question: Question) -> list[Row]:
    """One row of STEP_COLUMNS for each pair, in the order of p.

    Source: Campelo and Wanner 2020, eq. 39 and Tables 1 and 2.
    """
    ordered = sorted(pair_rows(block, question), key=lambda row: row["p"])
    each = levels(len(ordered), alpha=question.alpha, method=question.correction)
    names = block.systems
    found = []
    rejecting = True
    for rank, (row, level) in enumerate(zip(ordered, each.tolist(), strict=True), 1):
        i, j = names.index(row["system"]), names.index(row["other"])
        d = advantage_of(block, question, i, j)
        rejecting = row["p"] <= level and (rejecting or question.correction != "holm")
        step = {
            "rank": rank,
            "level": level,
            "rejected": "yes" if rejecting else "no",
            **_interval(d, block, question, 1 - level),
        }
        as_shares(step, block, question)
        kept = row | step
        found.append({name: kept[name] for name in STEP_COLUMNS})
    return found


def _interval(d: Floats, block: Block, question: Question, confidence: float) -> Row:
    if block.test_to_train is not None:
        t = corrected_resampled_t(d, test_to_train=block.test_to_train, confidence=confidence)
        return {"lower": t.lower, "upper": t.upper}
    if question.chosen_test == "t":
        some = d
        if block.families is not None:
            some = family_values(d[:, None], block.families, confidence=confidence)[:, 0]
        t = paired_t(some, confidence=confidence)
        return {"lower": t.lower, "upper": t.upper, "interval_method": "t"}
    return mean_intervals(d[:, None], block, question, least=-1, confidence=confidence)[1][0]


def steps_in_words(rows: Sequence[Row], question: Question) -> str:
    """How many null hypotheses are rejected, and where that stops."""
    rejected = [row for row in rows if row["rejected"] == "yes"]
    how = {"holm": "Holm's method", "bonferroni": "Bonferroni's method", "none": "The test"}
    text = f"{how[question.correction]} "
    if len(rows) == 1:
        text += f"{'rejects' if rejected else 'does not reject'} the null hypothesis of no difference"
    else:
        text += f"rejects {len(rejected) or 'none'} of {len(rows)} null hypotheses of no difference"
    if 0 < len(rejected) < len(rows) and question.correction == "holm":
        first = rows[len(rejected)]
        text += (
            f". The first pair without a rejection is {first['system']} and {first['other']}"
            f" ({p_words(first['p'])}, level {first['level']:.2g})"
        )
    return f"{text}."


_OURS: dict[str, Beside | Reserved] = {
    "steps": Beside(
        STEP_COLUMNS,
        _steps,
        _require_steps,
        texts=("system", "other", "rejected", "interval_method"),
        counts=("rank", "n"),
    ),
    **dict.fromkeys(("bayes", "anova", "normality"), RESERVED),
}
ANSWERS: Registry[Beside] = Registry("comparisons", _OURS, of_kind(Beside))
