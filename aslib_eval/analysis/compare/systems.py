"""Rows of a comparison for each system, and for Friedman's test of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aslib_eval.analysis.compare.pairs import LEAST_P, mean_intervals
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.statistics.friedman import blocks_of, critical_difference, friedman, rank_systems
from aslib_eval.statistics.scott_knott import Order, scott_knott_blocked
from aslib_eval.statistics.tolerant_ranks import column_medians

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
    marks = _marks(question.versus or block.systems[0], pairs)
    found = mean_intervals(block.values, block, question, least=0, confidence=1 - question.alpha)
    ranks = rank_systems(block.values, lower_is_better=question.lower_is_better)
    groups = _groups(block, question)
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
            "sk_group": groups[at],
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


def _groups(block: Block, question: Question) -> list[int]:
    order: Order = "ascending" if question.lower_is_better else "descending"
    found = scott_knott_blocked(block.by_family.values, alpha=question.alpha, order=order)
    return [int(group) for group in found.groups]


def _marks(one: str, pairs: Sequence[Row]) -> dict[str, str]:
    """Mark of each system of a pair with that one."""
    found = {one: "o"}
    for row in pairs:
        if one in (row["system"], row["other"]):
            other = row["other"] if row["system"] == one else row["system"]
            found[other] = _mark(row, one)
    return found


def _mark(row: Row, one: str) -> str:
    if row["by_test"] is None:
        return "="
    return {None: "±", one: "-"}.get(row["winner"], "+")


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
