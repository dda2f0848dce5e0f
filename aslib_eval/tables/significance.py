"""Significance marks: which selectors differ from the best, by which test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import duckdb

    from aslib_eval.analysis.compare.question import Question

Key = tuple[str, str | None, str]  # protocol, scenario (None over all), solver
_BEST = "o"


@dataclass(frozen=True)
class SignificanceMarks:
    """Column → (protocol, scenario, solver) → mark, and what to write below."""

    found: Mapping[str, Mapping[Key, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def mark_of(self, column: str, row: Mapping[str, Any]) -> str:
        """The mark of a cell; nothing where there was no test."""
        marks = self.found.get(column)
        if marks is None:
            return ""
        protocol, solver = row.get("protocol", ""), row.get("solver", "")
        return marks.get((protocol, row.get("scenario_id"), solver), "")


def significance_marks(
    con: duckdb.DuckDBPyConnection, wanted: Mapping[str, tuple[str, str]]
) -> SignificanceMarks:
    """Test the selectors on each metric and unit that a table asks for.

    Each is compared with the best mean. Where nothing can be tested, a note says why.
    """
    from aslib_eval.analysis.compare import compare
    from aslib_eval.analysis.compare.question import Question

    found: dict[str, dict[Key, str]] = {}
    notes = []
    for column, (metric, unit) in wanted.items():
        question = Question(metric=metric, unit=unit, kind="selector")  # type: ignore[arg-type]
        try:
            systems = compare(con, question).systems
        except AslibError as error:
            notes.append(f"No marks of significance: {error.message}.")
            continue
        found[column] = {
            (row["protocol"].rpartition("@")[0], row["scenario_id"], row["system"]): (
                "" if row["mark"] == _BEST else row["mark"]
            )
            for row in systems.iter_rows(named=True)
        }
        notes.append(_legend(question, systems["n"].to_list()))
    return SignificanceMarks(found, tuple(dict.fromkeys(notes)))


def _legend(question: Question, sizes: list[int]) -> str:
    from aslib_eval.analysis.compare.question import TESTS

    low, high = min(sizes), max(sizes)
    n = f"{low}" if low == high else f"{low} to {high}"
    test = TESTS[question.chosen_test]
    return (
        f"Beside the best mean of {question.metric}: - worse, = no difference shown, "
        f"+ better ({test} over {question.unit}, {question.correction}, "
        f"alpha {question.alpha:g}, n = {n})."
    )
