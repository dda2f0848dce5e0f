"""Tables as CSV, JSON, Markdown, HTML, LaTeX and Typst."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError, harmless
from aslib_eval.tables.paper_table import Cell, PaperColumn, PaperTable, plain
from aslib_eval.text import is_number, shown

if TYPE_CHECKING:
    import polars as pl


# As csvCell of the report's pages. Patterns for both Python and Rust: no lookahead.
FORMULA = r"[=+\-@\t\r](?s:.)+"  # a mark alone is none
NUMBER = r"[+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?"


def to_csv(frame: pl.DataFrame) -> str:
    """RFC 4180 with full precision; lists are joined by blanks, null is empty.

    Text that a spreadsheet would run (after = + - @, tab, CR) has an apostrophe before.
    """
    import polars as pl

    types = frame.schema
    nested = [c for c, dtype in types.items() if isinstance(dtype, pl.List | pl.Array)]
    for name, dtype in types.items():
        inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else dtype
        is_plain = inner.is_numeric() or inner.is_temporal() or _is_text(dtype)
        if not (is_plain or inner in {pl.Boolean, pl.Null}):
            what = f"column {name} is of a type that CSV has not, {dtype}"
            raise AslibError(what, "csv", "Cast it to varchar, or ask for JSON.")
    words = [c for c, dtype in types.items() if _is_text(dtype)]
    flat = frame.with_columns(
        pl.col(c).cast(pl.List(pl.String)).list.join(" ") for c in nested
    ).with_columns(_inert_column(c) for c in words)
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(map(inert, flat.columns))
    return head.getvalue() + flat.write_csv(include_header=False)


def _is_text(dtype: pl.DataType) -> bool:
    import polars as pl

    inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else dtype
    return isinstance(inner, pl.String | pl.Categorical | pl.Enum)


def _inert_column(name: str) -> pl.Expr:
    import polars as pl

    text = pl.col(name).cast(pl.String)
    runs = text.str.contains(f"^(?:{FORMULA})$")
    is_number = text.str.contains(f"^(?:{NUMBER})$")
    return pl.when(runs & ~is_number).then(pl.concat_str(pl.lit("'"), text)).otherwise(text).alias(name)


def inert(value: Any) -> Any:
    """With an apostrophe before it if it is text that a spreadsheet would run."""
    if not isinstance(value, str) or re.fullmatch(NUMBER, value):
        return value
    return f"'{value}" if re.fullmatch(FORMULA, value) else value


def csv_table(table: PaperTable, *, bare: bool = False) -> str:  # noqa: ARG001
    """A paper table for programs: every digit, no bold, no comment.

    A column with a mean of fewer scenarios than others has one for its n beside it. Names are quoted where
    a reader would split them, and inert as those of ``to_csv``.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns: list[list[Any]] = []
    for at, column in enumerate(table.columns):
        name, cells = f"{column.group} {column.name}".strip(), [row[at] for row in table.rows]
        columns.append([name, *(cell.value for cell in cells)])
        if any(cell.n is not None for cell in cells):
            columns.append([f"{name} n", *(cell.n for cell in cells)])
    for line in zip(*columns, strict=True):
        writer.writerow("" if value is None else inert(value) for value in line)
    return out.getvalue()


def to_json(frame: pl.DataFrame) -> str:
    """A list of objects with full precision; NaN and infinity are null."""
    rows = [{k: _plain(v) for k, v in row.items()} for row in frame.to_dicts()]
    return json.dumps(rows, indent=1, ensure_ascii=False, default=str) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


# What a renderer would take for markup: HTML, entities, links, images and emphasis.
_ACTIVE = re.compile(r"[\\|`*<]|\](?=\()|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~")
_WHOLE = 999_999.5  # from here on numbers are shown without decimals


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits.

    It is written column by column: of a comparison there are many cells, few of which could hold markup,
    and those have few different texts.
    """
    numbers = [dtype.is_numeric() for dtype in frame.dtypes]
    columns = [_column(column) for column in frame.iter_columns()]
    return _pipes(frame.columns, numbers, zip(*columns, strict=True))


def _column(column: pl.Series) -> list[str]:
    """The cells of a column as text.

    Equal whole numbers and equal names are written once. Other values can be equal and have two texts: 0.0
    and -0.0, or True and 1 in a column of several types.
    """
    import polars as pl

    values, dtype = column.to_list(), column.dtype
    if dtype.is_float():  # what shown gives, which takes three times as long
        return [
            f"{value:.6g}" if value is not None and -_WHOLE < value < _WHOLE else shown(value)
            for value in values
        ]
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        names = {name: "" if name is None else escape(name) for name in set(values)}
        return [names[name] for name in values]
    if dtype.is_integer():
        numbers = {value: shown(value) for value in set(values)}
        return [numbers[value] for value in values]
    texts = list(map(shown, values))
    if dtype.is_numeric():
        return texts
    escaped = {text: escape(text) for text in set(texts)}
    return [escaped[text] for text in texts]


def markdown_table(table: PaperTable, *, bare: bool = False) -> str:
    """A pipe table; caption above and notes below as paragraphs unless ``bare``."""
    numbers = [column.is_number for column in table.columns]
    rows = ([_cell(cell) for cell in row] for row in table.rows)
    text = _pipes(table.flat_headings, numbers, rows)
    if bare:
        return text
    comments = "".join(f"<!-- {comment(line)} -->\n" for line in table.provenance)
    caption = f"**{escape(table.caption)}**\n\n" if table.caption else ""
    return comments + caption + text + "".join(f"\n{escape(note)}\n" for note in table.notes)


def _pipes(headings: Iterable[str], numbers: Iterable[bool], rows: Iterable[Iterable[str]]) -> str:
    rule = ("--:" if is_number else "---" for is_number in numbers)
    lines = (map(escape, headings), rule, *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def escape(text: str) -> str:
    """Text that is shown as it is and does nothing."""
    return _ACTIVE.sub(lambda found: f"\\{found[0]}", harmless(text))


def comment(text: str) -> str:
    """Text that cannot end the HTML comment that it stands in."""
    return re.sub(r"-(?=[->])", "- ", harmless(text))


def _cell(cell: Cell) -> str:
    text = escape(cell.full)
    text = f"**{text}**" if cell.is_bold else text
    return f"{text} {escape(cell.mark)}" if cell.mark else text


# HTML: one page with one table, which loads nothing.
_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; border-block: 2px solid; }
caption { text-align: left; padding-block: .4em; }
thead { border-bottom: 1px solid; }
tfoot { border-top: 1px solid; }
th, td { padding: .2em .8em; text-align: left; font-weight: inherit; }
td { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.group { text-align: center; border-bottom: 1px solid; }
b { font-weight: 700; }
p { font-size: .85em; max-width: 60em; }
"""


def to_html(frame: pl.DataFrame) -> str:
    """A page with a table; numbers with six digits."""
    return html_table(plain(frame))


def html_table(table: PaperTable, *, bare: bool = False) -> str:
    """A page that opens by itself; ``bare`` is the table element alone."""
    caption = f"<caption>{html_text(table.caption)}</caption>\n" if table.caption else ""
    heads = "".join(f'<th scope="col"{_look(c)}>{html_text(c.heading)}</th>' for c in table.columns)
    head = f"<thead>\n{_groups(table)}<tr>{heads}</tr>\n</thead>\n"
    body = "".join(f"<tbody>\n{_rows(table, rows)}</tbody>\n" for rows in table.blocks)
    last = _rows(table, table.summary_rows)
    foot = f"<tfoot>\n{last}</tfoot>\n" if last else ""
    element = f"<table>\n{caption}{head}{body}{foot}</table>\n"
    if bare:
        return element
    title = html_text(table.name or "table")
    comments = "".join(f"<!-- {comment(line)} -->\n" for line in table.provenance)
    notes = "".join(f"<p>{html_text(note)}</p>\n" for note in table.notes)
    start = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{comments}'
    look = f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n"
    return f"{start}{look}{element}{notes}</html>\n"


def html_text(text: str) -> str:
    """Text that HTML shows as it is."""
    return html.escape(harmless(text))


def in_script(json: str) -> str:
    """JSON for an element ``script``: no text in it ends that, or begins a comment."""
    for sign in "<>&\u2028\u2029":
        json = json.replace(sign, f"\\u{ord(sign):04x}")
    return json


def _groups(table: PaperTable) -> str:
    if not table.groups:
        return ""
    cells = "".join(
        f'<th class="group" colspan="{width}" scope="colgroup">{html_text(name)}</th>'
        if name
        else f'<td colspan="{width}"></td>'
        for name, width in table.groups
    )
    return f"<tr>{cells}</tr>\n"


def _rows(table: PaperTable, rows: Sequence[tuple[Cell, ...]]) -> str:
    kinds = list(map(_look, table.columns))
    lines = (
        "".join(f"<td{kind}>{_html_cell(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        for row in rows
    )
    return "".join(f"<tr>{line}</tr>\n" for line in lines)


def _html_cell(cell: Cell) -> str:
    text = html_text(cell.full)
    if cell.is_negative:
        text = f"\N{MINUS SIGN}{text[1:]}"
    text = f"<b>{text}</b>" if cell.is_bold else text
    return f"{text}<sup>{html_text(cell.mark)}</sup>" if cell.mark else text


def _look(column: PaperColumn) -> str:
    return ' class="number"' if column.is_number else ""


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
    "“": "``",
    "”": "''",
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
    **{c: f"$^{n}$" for c, n in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True)},
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
    caption = f"\\caption{{{tex_text(table.caption)}}}\n" if table.caption else ""
    label = f"\\label{{tab:{table.name}}}\n\\medskip\n" if table.name else ""
    notes = " ".join(tex_text(note) for note in table.notes)
    below = f"\n\\par\\smallskip\n{{\\footnotesize\\raggedright {notes}\\par}}\n" if notes else ""
    start = f"\\begin{{table}}\n\\centering\n{caption}{label}{_size(table)}"
    return f"{''.join(lines)}{start}{tabular}{below}\\end{{table}}\n"


def _size(table: PaperTable) -> str:
    """LaTeX size of the largest letters that fit a text width of 345 pt."""
    size = _fitting(table, without=_names_above(table))
    size = _SIZES[-1][0] if size is None else size
    return f"{size}\n" if size else ""


def _fitting(table: PaperTable, *, without: int = 0) -> str | None:
    words, columns = _width(table, without), len(table.columns) - without
    fits = (size for size, scale, apart in _SIZES if words * scale + 2 * apart * columns <= _TEXT_WIDTH)
    return next(fits, None)


def _names_above(table: PaperTable) -> int:
    """How many columns stand as a line above each block, so that the table fits."""
    return table.n_names if _fitting(table) is None and not (table.groups or table.n_summaries) else 0


def _width(table: PaperTable, without: int) -> float:
    widths = [
        max([_points(column.heading), *(_cell_points(row[at]) for row in table.rows)]) + _MARK * len(mark)
        for at, (column, mark) in enumerate(zip(table.columns, _marks(table), strict=True))
    ]
    wider, at = 0.0, 0
    for name, n in table.groups:
        below = sum(widths[at : at + n]) + 2 * _SIZES[0][2] * (n - 1)
        wider += max(0.0, _points(name) - below)
        at += n
    return sum(widths[without:]) + wider


def _cell_points(cell: Cell) -> float:
    text = f"\N{MINUS SIGN}{cell.full[1:]}" if cell.is_negative else cell.full
    return _points(text) * (_BOLD if cell.is_bold else 1)


def _points(text: str) -> float:
    return sum(3.5 if c in _NARROW else 7.5 if c in _WIDE or c.isupper() else 5 for c in harmless(text))


def tex_text(text: str) -> str:
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
    above = _names_above(table)
    columns, marks = table.columns[above:], _marks(table)[above:]
    align = "".join("r" if column.is_number else "l" for column in columns)
    top = f"\\begin{{tabular}}{{{align}}}\n\\toprule\n"
    head = _tex_groups(table) + _line([tex_text(c.heading) for c in columns])

    def name(row: tuple[Cell, ...]) -> str:
        words = ", ".join(
            f"{column.heading} = {cell.full}" if column.is_number else cell.full
            for column, cell in zip(table.columns[:above], row, strict=False)
        )
        return _line([f"\\multicolumn{{{len(columns)}}}{{l}}{{{tex_text(words)}}}"]) if words else ""

    def line(row: tuple[Cell, ...]) -> str:
        return _line([_tex_cell(cell, mark) for cell, mark in zip(row[above:], marks, strict=True)])

    parts = (name(rows[0]) + "".join(map(line, rows)) if rows else "" for rows in table.parts)
    body = "".join(f"\\midrule\n{rows}" for rows in parts)
    return f"{top}{head}{body}\\bottomrule\n\\end{{tabular}}\n"


def _line(cells: list[str]) -> str:
    # A cell that begins with [ or * would be taken for an argument of \\.
    line = f"{' & '.join(cells)} \\\\\n"
    return f"{{}}{line}" if line[:1] in {"[", "*"} else line


def _tex_groups(table: PaperTable) -> str:
    if not table.groups:
        return ""
    words, rules, at = [], [], 1
    for name, width in table.groups:
        words.append(f"\\multicolumn{{{width}}}{{c}}{{{tex_text(name)}}}" if name else "")
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


def _tex_cell(cell: Cell, longest: str) -> str:
    """A cell; without a mark it keeps the room of one, so that digits stay in line."""
    text = tex_text(cell.full)
    if cell.is_negative:
        text = f"$-${text[1:]}"
    if cell.is_bold:
        text = f"\\textbf{{{text}}}"
    if cell.mark:
        return f"{text}$^{{{_mark(cell.mark)}}}$"
    return f"{text}\\phantom{{$^{{{_mark(longest)}}}$}}" if longest else text


def _mark(mark: str) -> str:
    return {"+": "+", "-": "-", "=": "=", "±": r"\pm"}.get(mark) or f"\\mathrm{{{tex_text(mark)}}}"


# --- single numbers ---

_WORDS = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
_DIGITS = dict(enumerate(_WORDS, ord("0")))


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
        text = tex_text(cell.text)
        text = f"\\ensuremath{{-}}{text[1:]}" if cell.is_negative else text
        found[name] = f"\\newcommand{{\\{name}}}{{{text}}} % {harmless(label)}\n"
    return "".join(f"% {harmless(line)}\n" for line in table.provenance) + "".join(found.values())


def _numbers(table: PaperTable) -> Iterator[tuple[str, str, Cell]]:
    for row in table.rows:
        pairs = list(zip(table.columns, row, strict=True))
        words = [cell.text for column, cell in pairs if column.is_key and not column.is_number]
        for column, cell in pairs:
            if column.is_number and is_number(cell.value):
                parts = [table.name, *words, column.group, column.name]
                yield command(parts), " / ".join(filter(None, parts)), cell


def command(parts: list[str]) -> str:
    """Words as one name of letters, the first in lower case."""
    spelt = unicodedata.normalize("NFKD", " ".join(parts)).translate(_DIGITS)
    parted = re.sub("[^A-Za-z]", " ", re.sub("[\u0300-\u036f]", "", spelt)).split()
    name = "".join(word[:1].upper() + word[1:] for word in parted)
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
    parts = ([", ".join(map(_typst_cell, row)) for row in rows] for rows in table.parts)
    lines = [
        f"columns: {len(table.columns)}",
        f"align: ({align})",
        "stroke: none",
        "table.hline()",
        f"table.header({groups}{heads})",
        *(line for part in parts for line in ("table.hline(stroke: 0.5pt)", *part)),
        "table.hline()",
    ]
    return "table(\n" + "".join(f"  {line},\n" for line in lines if line) + ")"


def _typst_cell(cell: Cell) -> str:
    found = quoted(f"\N{MINUS SIGN}{cell.full[1:]}" if cell.is_negative else cell.full)
    found = f"strong({found})" if cell.is_bold else found
    return f"{found} + super({quoted(cell.mark)})" if cell.mark else found
