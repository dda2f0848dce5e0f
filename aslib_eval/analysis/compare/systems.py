"""Rows of a comparison for each system, and for Friedman's test of all of them.

The comparisons of the report have the tests, corrections and defaults of ``aslib-eval compare``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import LEAST_P, LEGEND, mean_intervals, pair_rows, turned
from aslib_eval.analysis.compare.question import TESTS, Block, Question
from aslib_eval.analysis.compare.sentences import describe
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import column_means, column_medians
from aslib_eval.statistics.friedman import (
    Order,
    blocks_of,
    critical_difference,
    friedman,
    rank_systems,
    scott_knott_blocked,
)
from aslib_eval.text import plural, rounded_to_zero

Row = dict[str, Any]
SYSTEM_COLUMNS: Mapping[str, str] = {
    "system": "name",
    "kind": "algorithm, selector or baseline",
    "mean": "mean over the units [metric's unit], of the cost of a quality that is "
    "maximised its value; with percent differences against one the geometric mean of "
    "the ratio",
    "lower": "of its interval; null over folds, which share instances",
    "upper": "of its interval",
    "interval_method": "Gaffke or bootstrap-t, as in pairs; null over folds",
    "decided_by": "bound or data, as in pairs; null over folds",
    "median": "over the units",
    "solved": "share of units solved; null where nothing can time out",
    "mean_rank": "mean over the units of the rank there, 1 = best, ties share",
    "sk_group": "Scott-Knott group, blocked by unit, 1 = best; null over folds",
    "mark": "beside versus, else best mean (`o`): `+` better and `-` worse by mean, "
    "test and interval, `±` by the test alone, `=` where it shows nothing",
    "n": "units; independent where n_families is null",
    "n_families": "families of the instances, which are independent; null where each unit is",
    "n_failed": "units with a failed run of it, which the protocol gave a value; "
    "0 for runtimes, which PARk counts",
    "n_left_out": "units that do not count: somebody has no value there",
}
OMNIBUS_COLUMNS: Mapping[str, str] = {
    "n": "units; independent where n_families is null",
    "n_families": "families, whose sums of ranks are independent; null where each unit is",
    "k": "systems",
    "n_nobody": "units that no system solves",
    "tie_factor": "1 without ties, 0 where every unit ties throughout",
    "chi2": "Friedman's, corrected for ties",
    "p": "of chi2 with k - 1 degrees of freedom",
    "f": "Iman and Davenport's, of the corrected chi2",
    "f_p": "of F with k - 1 and (k - 1)(n - 1) degrees of freedom",
    "cd": "critical difference of mean ranks, by cd_method",
    "cd_method": "bonferroni-dunn with versus, else nemenyi",
}


def system_rows(block: Block, question: Question, pairs: Sequence[Row]) -> list[Row]:
    """One row of SYSTEM_COLUMNS for each system, the best mean first.

    pairs: rows of ``pair_rows`` of the same block, for the significance marks.
    """
    one = question.versus or block.systems[0]
    marks = {one: "o"}
    for row in pairs:
        if one in (row["system"], row["other"]):
            other = row["other"] if row["system"] == one else row["system"]
            clear = {None: "±", one: "-"}.get(row["winner"], "+")
            marks[other] = "=" if row["by_test"] is None else clear
    found = mean_intervals(block.values, block, question, least=0, confidence=1 - question.alpha)
    ranks = rank_systems(block.values, lower_is_better=question.lower_is_better)
    order: Order = "ascending" if question.lower_is_better else "descending"
    groups = scott_knott_blocked(block.by_family.values, alpha=question.alpha, order=order).groups
    medians = column_medians(block.values)

    # A cost is the value negated where more is better.
    side = -1 if block.better == "higher" and question.metric == "cost" else 1

    def own(value: float) -> float:
        """A value in its own direction; as a share again where it is its logarithm."""
        sign = block.logs
        value = sign * np.exp(sign * value) if sign else value
        return float(side * value) + 0.0

    rows = [
        {
            "system": name,
            "kind": block.kinds[at],
            "mean": own(found.estimate[at]),
            **of_mean,
            **dict(zip(("lower", "upper")[::side], map(own, ends), strict=True)),
            "median": own(medians[at]),
            "solved": None if block.solved is None else float(block.solved[:, at].mean()),
            "mean_rank": float(ranks[:, at].mean()),
            "sk_group": int(groups[at]),
            "mark": marks[name],
            "n": block.n,
            "n_families": block.n_families,
            "n_failed": int(block.failed[:, at].sum()),
            "n_left_out": block.n_left_out,
        }
        for at, (name, of_mean) in enumerate(zip(block.systems, found.rows(), strict=True))
        for ends in [(of_mean["lower"], of_mean["upper"])]
    ]
    unknown: Row = {}
    if block.test_to_train is not None:
        names = ("lower", "upper", "interval_method", "decided_by", "sk_group")
        unknown = dict.fromkeys(names)
    return [row | unknown for row in rows]


def omnibus_row(block: Block, question: Question) -> Row | None:
    """One row of OMNIBUS_COLUMNS; None over folds, which are not independent."""
    if block.test_to_train is not None:
        return None
    ranks = rank_systems(block.values, lower_is_better=question.lower_is_better)
    found = friedman(ranks, block.families)
    method = "nemenyi" if question.versus is None else "bonferroni-dunn"
    cd = critical_difference(
        found.k,
        blocks_of(ranks, block.families),
        alpha=question.alpha,
        method=method,  # type: ignore[arg-type]
    )
    return {
        "n": block.n,
        "n_families": block.n_families,
        "k": found.k,
        "n_nobody": block.n_nobody,
        "tie_factor": found.tie_factor,
        "chi2": found.corrected.chi2,
        "p": max(found.corrected.p, LEAST_P),
        "f": found.corrected.f,
        "f_p": max(found.corrected.f_p, LEAST_P),
        "cd": cd,
        "cd_method": method,
    }


SBS = "SBS"
# The question of each frame. Selectors: all against all, as in ``compare``, and
# against SBS; of the many algorithms only against SBS.
QUESTIONS = {
    "selectors_tested": Question(kind="selector"),
    "selectors_sbs": Question(kind="selector", versus=SBS),
    "algorithms_sbs": Question(kind="algorithm", versus=SBS),
}
OVER_SCENARIOS = Question(metric="closed_gap", unit="scenarios", kind="selector")
_KEPT = ("system", "mark", "sk_group", "mean_rank", "n", "n_families")
_EFFECTS = ("advantage", "lower", "upper", "wins", "ties", "losses", "p_adjusted",
            "verdict")  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """One comparison: a row for each system, its sentences, or why there is none."""

    question: Question
    rows: Sequence[dict[str, Any]]
    sentence: str

    def of(self, system: str) -> dict[str, Any]:
        """The row of a system, empty if it was not compared."""
        return next((r for r in self.rows if r["system"] == system), {})


def read(lake: OpenLake, kinds: Collection[str]) -> dict[str, pl.DataFrame]:
    """A frame for each of QUESTIONS: a row per scenario, measure and system.

    kinds: of solvers that the lake has; about others nothing is asked.
    Columns: of ``compare``'s systems mark, sk_group, mean_rank and n; of its pairs with ``versus`` the
    advantage over it, with interval, wins, ties, losses, adjusted p and the verdict;
    ``sentence`` the comparison in words. A scenario that cannot be tested (fewer
    than two systems or instances) has no row.
    """
    return {n: _frame(lake, q, asked=q.kind in kinds) for n, q in QUESTIONS.items()}


def over_scenarios(lake: OpenLake) -> Compared:
    """The selectors' closed gaps, a scenario as the unit; or why there is no test."""
    question = OVER_SCENARIOS
    try:
        (block,) = blocks(lake, question)
        rows = _rows(block, question)
    except AslibError as error:
        return Compared(question, (), f"No test over the scenarios: {error.message}.")
    return Compared(question, rows, rows[0]["sentence"])


def tested(frame: pl.DataFrame | None, question: Question) -> Compared | None:
    """The comparison of one scenario and measure, from its rows of ``read``."""
    if frame is None or not frame.height:
        return None
    rows = frame.to_dicts()
    return Compared(question, rows, rows[0]["sentence"])


def legend(found: Compared) -> str:
    """Legend of the marks: test, unit, n, correction and level."""
    question, n = found.question, found.rows[0]["n"]
    one = "SBS" if question.versus else f"the best mean, {found.rows[0]['system']}"
    unit = question.unit.removesuffix("s") + ("s" if n != 1 else "") + _families(found)
    metric = question.metric.replace("_", " ")
    sizes = " (of how much, not how often)" if question.chosen_test == "wilcoxon" else ""
    other = ""
    if question.versus and question.kind == "selector":
        other = " The interval of the closed gap is another: it holds who may be SBS."
    return (
        f"Beside {one}, {LEGEND}.{other} Test{sizes}: {TESTS[question.chosen_test]} on "
        f"{metric}, {question.alternative}, {question.correction.title()}; "
        f"n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{n} {unit}, "
        f"alpha\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{question.alpha:g}."
    )


def _families(found: Compared) -> str:
    n = found.rows[0]["n_families"]
    return "" if n is None else f" of {plural(n, 'family', 'families')}, each a whole"


def groups_legend(found: Compared) -> str:
    """Legend of the Scott-Knott groups."""
    n, question = found.rows[0]["n"], found.question
    unit = "family" if _families(found) else question.unit.removesuffix("s")
    return (
        f"Scott-Knott groups: 1 has the best means; systems of one group are not told "
        f"apart (blocked by {unit}, n = {n}{_families(found)}, alpha ="
        f" {question.alpha:g} at each split; nothing is promised where only some means"
        " are equal)."
    )


def _frame(lake: OpenLake, question: Question, *, asked: bool) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    try:
        found = blocks(lake, question) if asked else []
    except AslibError:  # no two systems in any scenario
        found = []
    for block in found:
        key = {"scenario_id": block.scenario_id, "measure": block.measure}
        try:
            rows += [key | row for row in _rows(block, question)]
        except AslibError:  # too few instances
            continue
    words = ("scenario_id", "measure", "system", "mark", "verdict")
    texts = dict.fromkeys(words, pl.String)
    counts = dict.fromkeys(("sk_group", "n", "n_families", "wins", "ties", "losses"), pl.Int64)
    names = ("scenario_id", "measure", *_KEPT, *_EFFECTS, "sentence")
    other = {"sentence": pl.String}
    schema = {n: (texts | counts | other).get(n, pl.Float64) for n in names}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rows(block: Block, question: Question) -> list[dict[str, Any]]:
    """Raise AslibError if there are too few units for the test."""
    pairs = _round_to_zero(block, pair_rows(block, question))
    sentence = describe(block, question, pairs, omnibus_row(block, question))
    unknown = dict.fromkeys(_EFFECTS)
    against = dict(_effect(row, question, block.systems[0]) for row in pairs)
    return [
        {name: row[name] for name in _KEPT} | against.get(row["system"], unknown) | {"sentence": sentence}
        for row in system_rows(block, question, pairs)
    ]


def _effect(row: dict[str, Any], question: Question, best: str) -> tuple[str, dict[str, Any]]:
    """A system, and its effect against ``versus``; of all pairs those of the best.

    Of these the advantage is what the best is ahead, with its interval; the verdict is of the system.
    """
    if question.versus:
        return row["system"], {name: row[name] for name in _EFFECTS}
    names = row["system"], row["other"]
    found = dict.fromkeys(_EFFECTS)
    if best not in names:
        return "", found
    ends: list[float | None] = [row[name] for name in ("advantage", "lower", "upper")]
    found["verdict"] = turned(row["verdict"])
    if best == row["other"]:
        mean, low, high = (None if end is None else 0.0 - end for end in ends)
        ends, found["verdict"] = [mean, high, low], row["verdict"]
    found |= dict(zip(("advantage", "lower", "upper"), ends, strict=True))
    return next(n for n in names if n != best), found


def _round_to_zero(block: Block, pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    size = float(column_means(abs(block.values).reshape(-1, 1)).item())
    return [
        row
        | {
            name: rounded_to_zero(row[name], size=size)
            for name in (*_EFFECTS[:3], "both", "both_lower", "both_upper")
            if row[name] is not None
        }
        for row in pairs
    ]
