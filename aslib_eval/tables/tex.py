r"""LaTeX: a booktabs table, which needs ``\usepackage{booktabs}`` and no more."""

from __future__ import annotations

import re
import unicodedata

from aslib_eval.tables.layout import Cell, Table
from aslib_eval.tables.values import printable

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\ttfamily\char34}",  # the default encoding has it in this family alone
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "\0": "{}",  # between two hyphens, which would become a dash
    "\N{EN DASH}": "--",
    "—": "---",
    "…": r"\ldots{}",
    "·": r"\textperiodcentered{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "→": r"$\rightarrow$",
    "δ": r"$\delta$",
    "τ": r"$\tau$",
    "λ": r"$\lambda$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_ACCENTS = {"\u0300", "\u0301", "\u0302", "\u0303", "\u0308", "\u030a", "\u0327"}
_SIZES = ((8, "footnotesize"), (11, "scriptsize"))  # more columns than that
_LETTERS = set("ßæÆøØåÅœŒ")


def render(table: Table, *, bare: bool = False) -> str:
    r"""A floating table with caption and label; ``bare`` is the tabular alone.

    Whatever the names are, pdflatex, xelatex and lualatex can read it: what the default
    font cannot show is written as its code point.
    """
    tabular = _tabular(table)
    if bare:
        return tabular
    lines = [f"% {printable(line)}\n" for line in table.provenance]
    caption = f"\\caption{{{escape(table.caption)}}}\n" if table.caption else ""
    label = f"\\label{{tab:{table.name}}}\n\\medskip\n" if table.name else ""
    notes = " ".join(escape(note) for note in table.notes)
    below = f"\n\\par\\smallskip\n{{\\footnotesize {notes}\\par}}\n" if notes else ""
    start = f"\\begin{{table}}\n\\centering\n{caption}{label}{_size(table)}"
    return f"{''.join(lines)}{start}{tabular}{below}\\end{{table}}\n"


def _size(table: Table) -> str:
    """Smaller letters for tables that would not fit a page's width."""
    sizes = [name for most, name in _SIZES if len(table.columns) > most]
    return f"\\{sizes[-1]}\\setlength{{\\tabcolsep}}{{3pt}}\n" if sizes else ""


def escape(text: str) -> str:
    """Text that LaTeX shows as it is."""
    text = re.sub("-(?=-)", "-\0", unicodedata.normalize("NFC", printable(text)))
    return "".join(_letter(c) for c in text)


def _letter(c: str) -> str:
    if c in _TEX:
        return _TEX[c]
    if c.isascii() or c in _LETTERS:
        return c
    base = unicodedata.normalize("NFD", c)
    if len(base) == 2 and base[0].isascii() and base[1] in _ACCENTS:  # noqa: PLR2004
        return c
    return f"U+{ord(c):04X}"


def _tabular(table: Table) -> str:
    align = "".join("r" if column.is_number else "l" for column in table.columns)
    top = f"\\begin{{tabular}}{{{align}}}\n\\toprule\n"
    head = _groups(table) + _line([escape(c.heading) for c in table.columns])
    body = "".join(_line([_cell(c) for c in row]) for row in table.body)
    feet = "".join(_line([_cell(c) for c in row]) for row in table.feet)
    foot = f"\\midrule\n{feet}" if feet else ""
    return f"{top}{head}\\midrule\n{body}{foot}\\bottomrule\n\\end{{tabular}}\n"


def _line(cells: list[str]) -> str:
    # A cell that begins with [ or * would be taken for an argument of \\.
    first = f"{{}}{cells[0]}" if cells and cells[0][:1] in {"[", "*"} else None
    cells = [first, *cells[1:]] if first else cells
    return f"{' & '.join(cells)} \\\\\n"


def _groups(table: Table) -> str:
    """The row of headings above several columns, with their rules."""
    if not table.groups:
        return ""
    words, rules, at = [], [], 1
    for name, width in table.groups:
        words.append(f"\\multicolumn{{{width}}}{{c}}{{{escape(name)}}}" if name else "")
        if not name:
            words += [""] * (width - 1)
        else:
            rules.append(f"\\cmidrule(lr){{{at}-{at + width - 1}}}")
        at += width
    return _line(words) + " ".join(rules) + "\n"


def _cell(cell: Cell) -> str:
    text = escape(cell.full)
    if cell.is_negative:
        text = f"$-${text[1:]}"
    if cell.is_bold:
        text = f"\\textbf{{{text}}}"
    # Of no width, so that the digits of a column stay in line.
    return f"{text}\\rlap{{$^{{{_mark(cell.mark)}}}$}}" if cell.mark else text


def _mark(mark: str) -> str:
    return mark if mark in {"+", "-", "="} else f"\\mathrm{{{escape(mark)}}}"
