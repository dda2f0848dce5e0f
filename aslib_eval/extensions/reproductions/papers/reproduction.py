"""A reproduced paper: its tables, figures and claims beside the printed ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aslib_eval.atomic_files import replace_files
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.write import TITLED, as_bytes
from aslib_eval.tables.formats import PAPER, render
from aslib_eval.tables.table import Cell, PaperColumn, PaperTable
from aslib_eval.tables.to_markdown import comment, escape
from aslib_eval.text import comparable, fixed, is_number


@dataclass(frozen=True)
class Claim:
    """What a paper says and what the lake says; ``holds`` is None if it cannot say."""

    text: str
    printed: str
    here: str
    holds: bool | None


@dataclass(frozen=True)
class Figure:
    """A chart with its caption."""

    name: str
    caption: str
    chart: Chart


@dataclass(frozen=True)
class Paper:
    """Tables, figures, claims, and why the numbers differ from the printed ones."""

    name: str
    title: str
    tables: tuple[PaperTable, ...]
    figures: tuple[Figure, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[str, ...]
    provenance: tuple[str, ...]


@dataclass(frozen=True)
class Head:
    """A column of a table of numbers: group, heading, and decimals."""

    group: str
    heading: str
    decimals: int = 0


def number_table(
    heads: Sequence[Head],
    rows: Sequence[Sequence[Any]],
    *,
    name: str,
    caption: str,
    bold: Sequence[tuple[int, int]] = (),
    notes: Sequence[str] = (),
    provenance: Sequence[str] = (),
    n_summaries: int = 0,
) -> PaperTable:
    """A table of given rows, each as long as ``heads``; null is a dash.

    bold: (row, column) of what stands out. n_summaries: how many last
    rows are totals.
    """
    numbers = [any(is_number(row[at]) for row in rows) for at in range(len(heads))]
    columns = tuple(
        PaperColumn(head.heading, head.heading, head.group, is_number=number)
        for head, number in zip(heads, numbers, strict=True)
    )
    strong = set(bold)
    cells = tuple(
        tuple(
            Cell(fixed(value, head.decimals), value, (r, c) in strong)
            for c, (head, value) in enumerate(zip(heads, row, strict=True))
        )
        for r, row in enumerate(rows)
    )
    return PaperTable(columns, cells, name, caption, tuple(notes), tuple(provenance), n_summaries)


def best_in_columns(rows: Sequence[Sequence[Any]], columns: Sequence[int]) -> list[tuple[int, int]]:
    """(row, column) of the largest number of each of some columns.

    Alone, or all equal, none is the best.
    """
    best_cells = []
    for c in columns:
        values = {r: comparable(row[c]) for r, row in enumerate(rows) if is_number(row[c])}
        if len(set(values.values())) > 1:
            best = max(values.values())
            best_cells += [(r, c) for r, value in values.items() if value == best]
    return best_cells


def claims_table(claims: Sequence[Claim], provenance: Sequence[str] = ()) -> PaperTable:
    """The claims as a table of text."""
    words = {True: "yes", False: "no", None: "cannot say"}
    rows = [(c.text, words[c.holds], c.printed, c.here) for c in claims]
    heads = [Head("", h) for h in ("claim", "holds", "printed", "here")]
    caption = "What the paper says, and what the lake says."
    return number_table(heads, rows, name="claims", caption=caption, provenance=provenance)


FIGURES = ("svg", "pdf")


def write_paper(paper: Paper, to: Path) -> list[Path]:
    """Write every table in every format, every figure as SVG and PDF, and README.md.

    File names are ours, never a name from the data. All files are replaced together or none is.

    """
    files = {"README.md": to_markdown(paper).encode()}
    for table in paper.tables:
        for suffix in PAPER:
            files[f"{table.name}.{suffix}"] = render(table, format=suffix).encode()
    for figure in paper.figures:
        for suffix in FIGURES:
            files[f"{figure.name}.{suffix}"] = as_bytes(
                figure.chart.spec(),
                suffix=f".{suffix}",
                width=TITLED,
                titled=True,
                comment=paper.provenance,
            )
    return replace_files(to, files)


def to_markdown(paper: Paper) -> str:
    """All of it but the charts, as one text."""
    words = "".join(f"<!-- {comment(line)} -->\n" for line in paper.provenance)
    parts = [f"{words}\n# {escape(paper.title)}\n"]
    for table in (*paper.tables, claims_table(paper.claims)):
        bare = render(table, format="md", bare=True)
        notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
        parts.append(f"## {escape(table.caption)}\n\n{bare}{notes}")
    parts += [f"## {escape(figure.caption)}\n\n![]({figure.name}.svg)\n" for figure in paper.figures]
    remarks = "".join(f"- {escape(remark)}\n" for remark in paper.remarks)
    parts.append(f"## Remarks\n\n{remarks}")
    return "\n".join(parts)
