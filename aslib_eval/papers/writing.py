"""A paper that is made again → files, or one Markdown text."""

from __future__ import annotations

from pathlib import Path

from aslib_eval.charts.saving import as_bytes
from aslib_eval.errors import AslibError
from aslib_eval.papers.parts import Paper, claims_table
from aslib_eval.tables.markdown import comment, escape
from aslib_eval.tables.writing import PAPER, render, write_bytes, write_text

FIGURES = ("svg", "pdf")


def write_paper(paper: Paper, to: Path) -> list[Path]:
    """Write every table in every format, every figure as SVG and PDF, and README.md.

    File names are ours, never a name from the data. Raises AslibError if the folder
    cannot be written to.
    """
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made ({error.strerror})"
        raise AslibError(what, str(to), "Choose another -o.") from None
    written = [to / "README.md"]
    write_text(written[0], to_markdown(paper))
    for table in paper.tables:
        for suffix in PAPER:
            written.append(to / f"{table.name}.{suffix}")
            write_text(written[-1], render(table, format=suffix))
    for figure in paper.figures:
        for suffix in FIGURES:
            written.append(to / f"{figure.name}.{suffix}")
            said = paper.provenance
            content = as_bytes(figure.chart, suffix=f".{suffix}", said=said)
            write_bytes(written[-1], content)
    return written


def to_markdown(paper: Paper) -> str:
    """All of it but the charts, as one text."""
    said = "".join(f"<!-- {comment(line)} -->\n" for line in paper.provenance)
    parts = [f"{said}\n# {escape(paper.title)}\n"]
    for table in (*paper.tables, claims_table(paper.claims)):
        bare = render(table, format="md", bare=True)
        notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
        parts.append(f"## {escape(table.caption)}\n\n{bare}{notes}")
    parts += [
        f"## {escape(figure.caption)}\n\n![]({figure.name}.svg)\n"
        for figure in paper.figures
    ]
    remarks = "".join(f"- {escape(remark)}\n" for remark in paper.remarks)
    parts.append(f"## Remarks\n\n{remarks}")
    return "\n".join(parts)
