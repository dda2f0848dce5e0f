"""Answers that cannot all be right, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import Finding
from aslib_eval.text import number

ANSWERS = "select * from answers order by all"


def findings(lake: OpenLake) -> list[Finding]:
    """An error for each row of ``answers``: who says what, and what it contradicts."""
    return [
        Finding("answers", "error", row["scenario_id"], None, sentence_of(row))
        for row in lake.ask(ANSWERS).iter_rows(named=True)
    ]


def sentence_of(row: Mapping[str, Any]) -> str:
    """A row of ``answers`` in words, with both claims.

    >>> sentence_of({
    ...     "instance_id": "i", "solver": "a", "claim": "unsat", "objective": None,
    ...     "other": "b", "other_claim": "sat", "other_objective": None,
    ...     "why": "sat and unsat"})
    'a says unsat of i, and b says sat: sat and unsat'
    """
    who = row["other"]
    claimed = _claim(row["claim"], row["objective"])
    said = f"{row['solver']} says {claimed} of {row['instance_id']}"
    if row["why"] == "judged wrong":
        return f"{said}: judged wrong"
    other = _claim(row["other_claim"], row["other_objective"])
    beside = f"{who} says {other}" if who else f"it is known to be {other}"
    return f"{said}, and {beside}: {row['why']}"


def _claim(claim: str, objective: float | None) -> str:
    return claim if objective is None else f"{claim} ({number(objective)})"
