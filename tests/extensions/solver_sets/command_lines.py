"""Command lines of ``sweep solvers`` and ``sweep portfolio``."""

from __future__ import annotations

_TOY = "--scenario TOY-2026"
BASE = {"sweep solvers": "", "sweep portfolio": ""}
OPTIONS = {
    "sweep solvers": {
        "--change": "--change clone",
        "--kind": f"{_TOY} --kind selector",
        "--most": ("--change subsets --show sets", "--most 5"),
        "--seed": ("--change subsets --show sets --most 5", "--seed 2"),
        "--show": f"{_TOY} --change subsets --show turns",
        "--penalty": f"{_TOY} --penalty 2",
    },
    "sweep portfolio": {"--most": "--most 1", "--penalty": "--penalty 2"},
}
COUNTS = {
    ("sweep solvers", "--seed"),  # all subsets are there, none is drawn
    ("sweep solvers", "--most"),
}
TRIED = {"sweep solvers"}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "sweep solvers": (
        "--scenario TOY",
        "--scenario TOY --change subsets --show sets",
        "--scenario TOY --change clone --show turns",
        "--kind algorithm --show suite",
    ),
    "sweep portfolio": ("--scenario RICH", "--penalty 2"),
}
