"""Tables: for a terminal, a pipe, a paper or a program.

A frame is printed as it is; a paper table (``paper_table``) is a frame with a caption, fixed digits, the
best in bold, ranks and significance marks. One module a format, which ``formats`` registers.
"""

from __future__ import annotations

from aslib_eval.tables.formats import FORMATS, write
from aslib_eval.tables.to_csv import to_csv
from aslib_eval.tables.to_html import to_html
from aslib_eval.tables.to_json import to_json
from aslib_eval.tables.to_latex import to_tex
from aslib_eval.tables.to_markdown import to_markdown
from aslib_eval.tables.to_terminal import to_terminal
from aslib_eval.tables.to_typst import to_typst

__all__ = [
    "FORMATS",
    "to_csv",
    "to_html",
    "to_json",
    "to_markdown",
    "to_terminal",
    "to_tex",
    "to_typst",
    "write",
]
