"""A paper that is made again → files, or one Markdown text."""

from __future__ import annotations

from pathlib import Path

from aslib_eval.atomic_files import replace_files
from aslib_eval.figures.files import TITLED, as_bytes
from aslib_eval.papers.parts import Paper, claims_table
from aslib_eval.tables.markdown import comment, escape
from aslib_eval.tables.writing import PAPER, render

FIGURES = ("svg", "pdf")


def write_paper(paper: Paper, to: Path) -> list[Path]:
    """Write every table in every format, every figure as SVG and PDF, and README.md.

    File names are ours, never a name from the data. All files are replaced together or
    none is. Raises AslibError if the folder cannot be written to.
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
