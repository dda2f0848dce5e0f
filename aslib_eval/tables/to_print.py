"""Tables for papers: LaTeX and Typst."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError, harmless
from aslib_eval.tables.table import Cell, PaperTable, plain
from aslib_eval.text import is_number

if TYPE_CHECKING:
    import polars as pl


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
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
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
_NEEDS = r"needs \usepackage{booktabs}"
# In pt, as all lengths here: the 345 of an article's text less what an estimate misses.
_TEXT_WIDTH = 342
# Of Computer Modern, about; other letters are 5 wide.
_NARROW, _WIDE, _BOLD = set(" .,:;'!|()[]-fijlrt"), set("%&+=@mw\N{MINUS SIGN}"), 1.15
# Letters of a size, their width to that of 10 pt, and half of what separates columns.
_SIZES = (
    ("", 1, 6),
    ("\\small", 0.925, 6),
    ("\\footnotesize\\setlength{\\tabcolsep}{3pt}", 0.85, 3),
    ("\\scriptsize\\setlength{\\tabcolsep}{3pt}", 0.8, 3),
    ("\\scriptsize\\setlength{\\tabcolsep}{2pt}", 0.8, 2),
)
_MARK = 6.5  # of a letter of a mark
_LETTERS = set("ßæÆøØåÅœŒ")


def to_tex(frame: pl.DataFrame) -> str:
    """A booktabs tabular; numbers with six digits."""
    return latex_table(plain(frame), bare=True)


def latex_table(table: PaperTable, *, bare: bool = False) -> str:
    r"""A floating table with caption and label; ``bare`` is the tabular alone.

    Whatever the names are, pdflatex, xelatex and lualatex can read it: what the default font cannot show is
    written as its code point.
    """
    tabular = _tabular(table)
    if bare:
        return tabular
    lines = [f"% {harmless(line)}\n" for line in (_NEEDS, *table.provenance)]
    caption = f"\\caption{{{escape(table.caption)}}}\n" if table.caption else ""
    label = f"\\label{{tab:{table.name}}}\n\\medskip\n" if table.name else ""
    notes = " ".join(escape(note) for note in table.notes)
    below = f"\n\\par\\smallskip\n{{\\footnotesize {notes}\\par}}\n" if notes else ""
    start = f"\\begin{{table}}\n\\centering\n{caption}{label}{_size(table)}"
    return f"{''.join(lines)}{start}{tabular}{below}\\end{{table}}\n"


def _size(table: PaperTable) -> str:
    """LaTeX size of the largest letters that fit a text width of 345 pt."""
    words, columns = _width(table), len(table.columns)
    fits = (size for size, scale, apart in _SIZES if words * scale + 2 * apart * columns <= _TEXT_WIDTH)
    size = next(fits, _SIZES[-1][0])
    return f"{size}\n" if size else ""


def _width(table: PaperTable) -> float:
    widths = [
        max([_points(column.heading), *(_cell_points(row[at]) for row in table.rows)]) + _MARK * len(mark)
        for at, (column, mark) in enumerate(zip(table.columns, _marks(table), strict=True))
    ]
    wider, at = 0.0, 0
    for name, n in table.groups:
        below = sum(widths[at : at + n]) + 2 * _SIZES[0][2] * (n - 1)
        wider += max(0.0, _points(name) - below)
        at += n
    return sum(widths) + wider


def _cell_points(cell: Cell) -> float:
    text = f"\N{MINUS SIGN}{cell.full[1:]}" if cell.is_negative else cell.full
    return _points(text) * (_BOLD if cell.is_bold else 1)


def _points(text: str) -> float:
    return sum(3.5 if c in _NARROW else 7.5 if c in _WIDE or c.isupper() else 5 for c in harmless(text))


def escape(text: str) -> str:
    """Text that LaTeX shows as it is."""
    text = re.sub("-(?=-)", "-\0", unicodedata.normalize("NFC", harmless(text)))
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


def _tabular(table: PaperTable) -> str:
    align = "".join("r" if column.is_number else "l" for column in table.columns)
    top = f"\\begin{{tabular}}{{{align}}}\n\\toprule\n"
    head = _groups(table) + _line([escape(c.heading) for c in table.columns])
    marks = _marks(table)
    body, feet = (
        "".join(_line([_cell(c, mark) for c, mark in zip(row, marks, strict=True)]) for row in rows)
        for rows in (table.body, table.summary_rows)
    )
    foot = f"\\midrule\n{feet}" if feet else ""
    return f"{top}{head}\\midrule\n{body}{foot}\\bottomrule\n\\end{{tabular}}\n"


def _line(cells: list[str]) -> str:
    # A cell that begins with [ or * would be taken for an argument of \\.
    line = f"{' & '.join(cells)} \\\\\n"
    return f"{{}}{line}" if line[:1] in {"[", "*"} else line


def _groups(table: PaperTable) -> str:
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


def _marks(table: PaperTable) -> list[str]:
    return [
        max((row[at].mark for row in table.rows), key=len, default="") for at in range(len(table.columns))
    ]


def _cell(cell: Cell, longest: str) -> str:
    """A cell; without a mark it keeps the room of one, so that digits stay in line."""
    text = escape(cell.full)
    if cell.is_negative:
        text = f"$-${text[1:]}"
    if cell.is_bold:
        text = f"\\textbf{{{text}}}"
    if cell.mark:
        return f"{text}$^{{{_mark(cell.mark)}}}$"
    return f"{text}\\phantom{{$^{{{_mark(longest)}}}$}}" if longest else text


def _mark(mark: str) -> str:
    return {"+": "+", "-": "-", "=": "=", "±": r"\pm"}.get(mark) or f"\\mathrm{{{escape(mark)}}}"


# --- single numbers ---

_DIGITS = dict(
    zip(
        "0123456789",
        ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"),
        strict=True,
    )
)


def macros(table: PaperTable) -> str:
    r"""One ``\newcommand`` for each number, as it is shown in the table.

    Its name is the table's, then the words of its row, then those of its column:
    ``\selectorsAsapClosedGap``. TeX takes letters alone, so digits are spelt and all else only parts words.

    """
    found: dict[str, str] = {}
    for name, label, cell in _numbers(table):
        if name in found:
            what = f"two numbers would be called \\{name} (the second: {label})"
            raise AslibError(what, table.name, "Choose fewer with --scenario.")
        text = escape(cell.text)
        text = f"\\ensuremath{{-}}{text[1:]}" if cell.is_negative else text
        found[name] = f"\\newcommand{{\\{name}}}{{{text}}} % {harmless(label)}\n"
    return "".join(f"% {harmless(line)}\n" for line in table.provenance) + "".join(found.values())


def _numbers(table: PaperTable) -> Iterator[tuple[str, str, Cell]]:
    for row in table.rows:
        pairs = list(zip(table.columns, row, strict=True))
        words = [cell.text for column, cell in pairs if not column.is_number]
        for column, cell in pairs:
            if column.is_number and is_number(cell.value):
                parts = [table.name, *words, column.group, column.name]
                yield command(parts), " / ".join(filter(None, parts)), cell


def command(parts: list[str]) -> str:
    """Words as one name of letters, the first in lower case."""
    spelt = "".join(_DIGITS.get(c, c) for c in " ".join(parts))
    words = "".join(c if c.isascii() and c.isalpha() else " " for c in spelt).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name[:1].lower() + name[1:]


def to_typst(frame: pl.DataFrame) -> str:
    """A Typst table; numbers with six digits."""
    return typst_table(plain(frame), bare=True)


def typst_table(table: PaperTable, *, bare: bool = False) -> str:
    """A figure with caption and label; ``bare`` is the table alone."""
    if bare:
        return f"#{_table(table)}\n"
    comments = "".join(f"// {harmless(line)}\n" for line in table.provenance)
    notes = "".join(f"\n\n#text(size: 0.85em, {quoted(n)})" for n in table.notes)
    content = _table(table).replace("\n", "\n  ")
    caption = f"  caption: {quoted(table.caption)},\n" if table.caption else ""
    # A label is letters, digits and underscores: it is the name of a file of ours.
    label = f" <tab:{table.name}>" if table.name else ""
    return f"{comments}#figure(\n  {content},\n{caption}){label}{notes}\n"


def quoted(text: str) -> str:
    """A string literal."""
    escaped = harmless(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _table(table: PaperTable) -> str:
    align = "".join("right, " if c.is_number else "left, " for c in table.columns)
    heads = ", ".join(quoted(c.heading) for c in table.columns)
    groups = "".join(
        f"table.cell(colspan: {width}, align: center, {quoted(name)}), " for name, width in table.groups
    )
    body, feet = (
        [", ".join(map(_typst_cell, row)) for row in rows] for rows in (table.body, table.summary_rows)
    )
    lines = [
        f"columns: {len(table.columns)}",
        f"align: ({align})",
        "stroke: none",
        "table.hline()",
        f"table.header({groups}{heads})",
        "table.hline(stroke: 0.5pt)",
        *body,
        *(["table.hline(stroke: 0.5pt)", *feet] if feet else []),
        "table.hline()",
    ]
    return "table(\n" + "".join(f"  {line},\n" for line in lines if line) + ")"


def _typst_cell(cell: Cell) -> str:
    found = quoted(f"\N{MINUS SIGN}{cell.full[1:]}" if cell.is_negative else cell.full)
    found = f"strong({found})" if cell.is_bold else found
    return f"{found} + super({quoted(cell.mark)})" if cell.mark else found
