"""Compare solvers pairwise and jointly, for ``aslib-eval compare``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl

from aslib_eval.analysis.compare.question import FAMILY, TESTS, Block, Question
from aslib_eval.database.build import answers
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.options import printed

Row = dict[str, Any]
# Leading columns of every frame.
SCOPE: Mapping[str, str] = {
    "protocol": "name and hash of the protocol",
    "scenario_id": "scenario; null over scenarios",
    "measure": "name of the measure; null over scenarios",
    "metric": "what is compared; with percent differences divided by what",
    "unit": "what n counts",
    "test": "which test",
}
_TEXT = {
    *SCOPE,
    FAMILY,
    *("interval_method", "decided_by", "system", "other", "verdict", "winner", "by_mean", "by_test"),
    *("kind", "mark", "magnitude", "cd_method"),
}
_COUNTS = {
    *("wins", "ties", "losses", "n", "n_failed"),
    *("n_both", "n_left_out", "n_nobody", "ties_unsolved", "k", "sk_group"),
    "n_families",
}


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison.

    ``pairs``: one row for each pair; ``systems``: one for each system, best mean first; ``omnibus``: one
    for each scenario and protocol (none over folds); ``sentences``: a paragraph of text for each scenario
    and protocol. ``shown``: the frame that was asked for; None for the pairs. ``html``: gives what a
    notebook shows.
    """

    question: Question
    pairs: pl.DataFrame
    systems: pl.DataFrame
    omnibus: pl.DataFrame
    sentences: tuple[str, ...]
    shown: pl.DataFrame | None = None
    html: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @property
    def frame(self) -> pl.DataFrame:
        """What was asked for: the frame ``shown``, else the pairs."""
        return self.pairs if self.shown is None else self.shown

    def __str__(self) -> str:
        return printed(self.frame, self.sentences)

    def _repr_html_(self) -> str | None:
        return None if self.html is None else self.html()


def compare(lake: OpenLake, question: Question | None = None) -> Comparison:
    """Compare solvers of a lake; each scenario, measure and protocol by itself.

    Repetitions of an instance are averaged and folds corrected for. Where families are known, these are
    what is independent, and n_families counts them. Instances that nobody solves are ties: they stay in n
    and in every effect, and Wilcoxon's and the sign test drop them.
    """
    question = question or Question()
    found = None
    # What a plug-in's test depends on, nobody but it knows.
    if question.unit != "scenarios" and not TESTS.plug_in(question.chosen_test):
        asked = question.asked("compared")
        if wish := lake.wish(asked.relations):
            found = answers(wish, lake.lineage, asked, partial(_computed, lake, question))
    if found is None or not found.height:
        from aslib_eval.analysis.compare.blocks import blocks

        found = _compared(blocks(lake, question), question)
    scope = _columns_of_scope(question)
    left_out: Iterable[str] = ()
    if question.by is not None:  # before libraries of arithmetic are loaded
        from aslib_eval.analysis.compare.blocks import families_left_out

        told = found.select("scenario_id", *question.families).unique().rows()
        left_out = families_left_out(lake, question, told)
    return Comparison(
        question=question,
        pairs=_unnested(found, "pairs", scope),
        systems=_unnested(found, "systems", scope),
        omnibus=_unnested(found, "omnibus", scope),
        sentences=(*found["sentence"], *left_out),
    )


def _columns_of_scope(question: Question) -> tuple[str, ...]:
    """SCOPE, with the family behind the measure where the question is by families."""
    names = list(SCOPE)
    at = names.index("measure") + 1
    return (*names[:at], *question.families, *names[at:])


def _computed(lake: OpenLake, question: Question, protocol: str, scenarios: Sequence[str]) -> pl.DataFrame:
    from aslib_eval.analysis.compare.blocks import blocks_of

    return _compared(blocks_of(lake, question, protocol, scenarios), question).drop("protocol")


def _compared(blocks: Iterable[Block], question: Question) -> pl.DataFrame:
    from aslib_eval.analysis.compare.pairs import COLUMNS, pair_rows
    from aslib_eval.analysis.compare.systems import (
        OMNIBUS_COLUMNS,
        SYSTEM_COLUMNS,
        describe,
        omnibus_row,
        system_rows,
    )

    found = []
    for block in blocks:
        pairs = pair_rows(block, question)
        overall = omnibus_row(block, question)
        row = {
            "protocol": block.protocol,
            "scenario_id": block.scenario_id,
            "measure": block.measure,
            **dict.fromkeys(question.families, block.family),
            "metric": question.compared,
            "unit": block.unit,
            "test": question.chosen_test,
            "sentence": describe(block, question, pairs, overall),
            "pairs": pairs,
            "systems": system_rows(block, question, pairs),
            "omnibus": [overall] if overall else [],
        }
        found.append(row)
    columns = {"pairs": COLUMNS, "systems": SYSTEM_COLUMNS, "omnibus": OMNIBUS_COLUMNS}
    lists = {name: pl.List(pl.Struct(_schema(each))) for name, each in columns.items()}
    return pl.DataFrame(
        found, schema={**_schema(_columns_of_scope(question)), "sentence": pl.String, **lists}, orient="row"
    )


def _unnested(found: pl.DataFrame, name: str, scope: Sequence[str]) -> pl.DataFrame:
    return found.select(*scope, name).filter(pl.col(name).list.len() > 0).explode(name).unnest(name)


def _schema(columns: Iterable[str]) -> dict[str, Any]:
    types = dict.fromkeys(_TEXT, pl.String) | dict.fromkeys(_COUNTS, pl.Int64)
    return {name: types.get(name, pl.Float64) for name in columns}
