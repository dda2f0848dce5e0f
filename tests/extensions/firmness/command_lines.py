"""Command lines of ``certify`` and ``suite``: each option, without it and with it."""

from __future__ import annotations

_TOY = "--scenario TOY-2026"
_PLACES = "--show places"
BASE = {"certify": _TOY, "suite": ""}
HANDED_OVER = {"certify --rule"}
OPTIONS = {
    "certify": {
        "--scenario": ("=--lake {objectives} " + _PLACES, "--scenario nothing"),
        "--of": "--of points",
        "--kind": "--kind algorithm",
        "--by": "--by ground_truth",
        "--show": "--show first",
        "--confidence": (_PLACES, "--confidence 0.5"),
        "--draw": (_PLACES, "--draw instance"),
        "--bounds": ("=--lake {objectives} " + _PLACES, "--bounds=-1000000,1000000"),
        "--draws": (_PLACES, "--draws 19"),
        "--seed": (_PLACES + " --draws 19", "--seed 2"),
    },
    "suite": {
        "--scenario": ("=", "--scenario nothing"),
        "--of": "--of solved",
        "--kind": "--kind algorithm",
        "--inside": "--inside instances",
        "--by": "--by ground_truth",
        "--show": "--show scenarios",
        "--confidence": "--confidence 0.5",
    },
}
# What it answers stands in docs/statistics/suites.md and in the tests beside this file.
UNREAD = {"suite"}
ASKED = {
    "certify": _TOY + " --kind algorithm --columns ahead,other,removals,family",
    "suite": "--scenario nothing",
}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "certify": (
        "--scenario RICH --kind algorithm",
        "--scenario RICH --kind selector --show first",
        "--scenario RICH --show places --draws 99",
        "--scenario TOY --of points",
    ),
    "suite": (
        "--of solved --kind algorithm",
        "--of solved --kind algorithm --inside instances --show scenarios",
    ),
}
