"""Compare solvers pairwise and jointly, for ``aslib-eval compare``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import COLUMNS, pair_rows
from aslib_eval.analysis.compare.question import TESTS, Block, Question
from aslib_eval.analysis.compare.sentences import describe
from aslib_eval.analysis.compare.systems import (
    OMNIBUS_COLUMNS,
    SYSTEM_COLUMNS,
    omnibus_row,
    system_rows,
)

if TYPE_CHECKING:
    import duckdb
    import polars as pl

Row = dict[str, Any]
# Leading columns of every frame.
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
    *("interval_method", "system", "other", "winner"),
    *("kind", "mark", "magnitude", "cd_method"),
}
_COUNTS = {
    *("wins", "ties", "losses", "n", "n_failed"),
    *("n_left_out", "n_nobody", "ties_unsolved", "k", "sk_group"),
}


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison.

    ``pairs``: one row for each pair; ``systems``: one for each system, best mean first;
    ``omnibus``: one for each scenario and protocol (none over folds); ``sentences``: a
    paragraph of text for each scenario and protocol.
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

    Raises:
        AslibError: when there is nothing to compare, or too few units for a test.
    """
    import polars as pl

    question = question or Question()
    empty = (
        _frame((), COLUMNS),
        _frame((), SYSTEM_COLUMNS),
        _frame((), OMNIBUS_COLUMNS),
    )
    frames = [empty]
    sentences = []
    for block in blocks(con, question):
        scope = _scope(block, question)
        found = pair_rows(block, question)
        overall = omnibus_row(block, question)
        sentences.append(describe(block, question, found, overall))
        systems = system_rows(block, question, found)
        frames.append(
            (
                _frame(found, COLUMNS, scope),
                _frame(systems, SYSTEM_COLUMNS, scope),
                _frame([overall] if overall else [], OMNIBUS_COLUMNS, scope),
            )
        )
    pairs, systems, omnibus = (pl.concat(part) for part in zip(*frames, strict=True))
    return Comparison(
        question=question,
        pairs=pairs,
        systems=systems,
        omnibus=omnibus,
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


def _frame(
    rows: Sequence[Row], columns: Iterable[str], scope: Row | None = None
) -> pl.DataFrame:
    """The rows, preceded by the columns of their scope."""
    import polars as pl

    found = pl.DataFrame(rows, schema=_schema(columns))
    places = [
        pl.lit((scope or {}).get(name), dtype=kind).alias(name)
        for name, kind in _schema(SCOPE).items()
    ]
    return found.select(*places, *found.columns)


def _schema(columns: Iterable[str]) -> dict[str, Any]:
    import polars as pl

    return {
        name: pl.String
        if name in _TEXT
        else pl.Int64
        if name in _COUNTS
        else pl.Float64
        for name in columns
    }


__all__ = ["TESTS", "Comparison", "Question", "compare"]
