"""Tables: for a terminal, a pipe, a paper or a program.

A frame is printed as it is; a paper table (``paper``) is a frame with a caption, fixed
digits, the best in bold, ranks and significance marks. One module a format.
"""

from __future__ import annotations

from aslib_eval.tables.comma import to_csv
from aslib_eval.tables.objects import to_json
from aslib_eval.tables.terminal import to_terminal
from aslib_eval.tables.values import cells
from aslib_eval.tables.writing import (
    FORMATS,
    to_html,
    to_markdown,
    to_tex,
    to_typst,
    write,
)

__all__ = [
    "FORMATS",
    "cells",
    "to_csv",
    "to_html",
    "to_json",
    "to_markdown",
    "to_terminal",
    "to_tex",
    "to_typst",
    "write",
]
