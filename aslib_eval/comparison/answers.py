"""Question → frames and sentences: the one call of ``aslib-eval compare``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aslib_eval.comparison.pairs import COLUMNS, pair_rows
from aslib_eval.comparison.questions import Block, Question
from aslib_eval.comparison.reading import blocks
from aslib_eval.comparison.sentences import tell
from aslib_eval.comparison.systems import (
    OMNIBUS_COLUMNS,
    SYSTEM_COLUMNS,
    omnibus_row,
    system_rows,
)

if TYPE_CHECKING:
    import duckdb
    import polars as pl

Row = dict[str, Any]
# Columns that every frame begins with.
SCOPE: Mapping[str, str] = {
    "protocol": "name and hash of the protocol",
    "scenario_id": "scenario; null over scenarios",
    "measure": "name of the measure; null over scenarios",
    "metric": "what is compared",
    "unit": "what is independent",
    "test": "which test",
}
_TEXT = {
    *SCOPE,
    *(
        "interval_method",
        "system",
        "other",
        "winner",
        "kind",
        "mark",
        "magnitude",
        "cd_method",
    ),
}
_WHOLE = {
    "wins",
    "ties",
    "losses",
    "n",
    "n_failed",
    "n_left_out",
    "n_nobody",
    "ties_unsolved",
    "k",
    "sk_group",
}


@dataclass(frozen=True)
class Comparison:
    """What a comparison found.

    ``pairs``: one row for each pair; ``systems``: one for each system, best mean first;
    ``omnibus``: one for each scenario and protocol (none over folds); ``sentences``:
    the same to read aloud, one paragraph for each scenario and protocol.
    """

    question: Question
    pairs: pl.DataFrame
    systems: pl.DataFrame
    omnibus: pl.DataFrame
    sentences: tuple[str, ...]


def compare(
    con: duckdb.DuckDBPyConnection, question: Question | None = None
) -> Comparison:
    """Compare solvers of a lake; each scenario, measure and protocol by itself.

    Repetitions of an instance are averaged and folds corrected for, so n counts what
    is independent. Instances that nobody solves are ties: they stay in n and in every
    effect, and Wilcoxon's and the sign test drop them.

    Raises AslibError if there is nothing to compare, or too few units for a test.
    """
    question = question or Question()
    pairs: list[Row] = []
    systems: list[Row] = []
    omnibus: list[Row] = []
    sentences = []
    for block in blocks(con, question):
        scope = _scope(block, question)
        found = pair_rows(block, question)
        overall = omnibus_row(block, question)
        pairs += [scope | row for row in found]
        systems += [scope | row for row in system_rows(block, question, found)]
        omnibus += [scope | overall] if overall else []
        sentences.append(tell(block, question, found, overall))
    return Comparison(
        question=question,
        pairs=_frame(pairs, COLUMNS),
        systems=_frame(systems, SYSTEM_COLUMNS),
        omnibus=_frame(omnibus, OMNIBUS_COLUMNS),
        sentences=tuple(sentences),
    )


def _scope(block: Block, question: Question) -> Row:
    return {
        "protocol": block.protocol,
        "scenario_id": block.scenario_id,
        "measure": block.measure,
        "metric": question.metric,
        "unit": block.unit,
        "test": question.chosen_test,
    }


def _frame(rows: Sequence[Row], columns: Iterable[str]) -> pl.DataFrame:
    import polars as pl

    kinds = {
        name: pl.String if name in _TEXT else pl.Int64 if name in _WHOLE else pl.Float64
        for name in (*SCOPE, *columns)
    }
    return pl.DataFrame(rows, schema=kinds)
