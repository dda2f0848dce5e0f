"""A record of a competition as Markdown, JSON, LaTeX or Typst."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from aslib_eval.extensions.competitions.analysis.record_sentences import sentences
from aslib_eval.extensions.competitions.reports.boards import (
    COLUMNS,
    boards,
    paper_tables,
    winners,
)
from aslib_eval.extensions.competitions.reports.record_page import to_page
from aslib_eval.extensions.competitions.reports.sources import (
    citation,
    left_out_by_boards,
)
from aslib_eval.tables.formats import render
from aslib_eval.tables.to_json import to_json
from aslib_eval.tables.to_markdown import to_markdown

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.competitions.analysis.record import CompetitionRecord


def to_text(record: CompetitionRecord) -> str:
    """Markdown: who won, what differs from what was published, and all boards."""
    first = winners(record)
    parts = [f"# {record.name}"]
    if said := sentences(record):
        parts.append("\n".join(f"- {text}" for text in said))
    if first.height > 1:
        parts.append(to_markdown(first).strip())
    for board in boards(record):
        table = to_markdown(board.rows.rename(_titles(board.rows)))
        parts.append(f"## {board.scenario}: {board.title}\n\n{table}".strip())
    if record.left_out.height:
        table = to_markdown(left_out_by_boards(record))
        parts.append(f"## Left out\n\n{table}".strip())
    made = "\n".join(f"- {line}" for line in citation(record))
    parts.append(f"## How it was made\n\n{made}")
    return "\n\n".join(parts) + "\n"


def _titles(frame: pl.DataFrame) -> dict[str, str]:
    return {name: COLUMNS[name] for name in frame.columns}


def to_machine(record: CompetitionRecord) -> str:
    """JSON: every row of the boards and of what differs, and what is said of them."""

    def rows(frame: pl.DataFrame) -> Any:
        return json.loads(to_json(frame))

    found: dict[str, Any] = {
        "rule": record.name,
        "sentences": sentences(record),
        "boards": rows(record.boards),
        "left_out": rows(record.left_out),
        "instances": rows(record.instances),
        "solvers": rows(record.solvers),
        "rules": rows(record.rules),
        "files": rows(record.files),
        "warnings": rows(record.warnings),
        "code": record.code,
    }
    if (beside := record.published) is not None:
        explained = beside.explained
        found |= {
            "published": beside.cells.height,
            "equal": int(beside.cells["equal"].sum()),
            "different": rows(beside.different),
            "unequal_pairs": beside.unequal_pairs,
            "changes": [dict(each) for each in explained.changes] if explained else [],
            "moved": [] if beside.moved is None else rows(beside.moved),
        }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def to_print(record: CompetitionRecord, *, form: str) -> str:
    """Tables for a paper in a format of paper tables: the winners, then each board."""
    return "\n".join(render(table, format=form) for table in paper_tables(record))


FORMATS: Mapping[str, Callable[[CompetitionRecord], str]] = {
    "md": to_text,
    "json": to_machine,
    "html": to_page,
    "tex": partial(to_print, form="tex"),
    "typ": partial(to_print, form="typ"),
}
