"""Command lines of ``orders``: for every option, one without it and one with it."""

from __future__ import annotations

_TOY = "--scenario TOY-2026 --kind algorithm"
_WORTHS = "--show details --draws 1000"
BASE = {"orders": _TOY}
OPTIONS = {
    "orders": {
        "--scenario": ("=", "--scenario nothing"),
        "--delta": "--delta 30",
        "--kind": ("=--scenario TOY-2026", "--kind algorithm"),
        "--show": "--show agreement",
        "--way": (_WORTHS, "--way kemeny"),
        "--horizon": ("--show details --way utility", "--horizon 0.5"),
        "--rope": (_WORTHS + " --way bradley-terry", "--rope 0.2"),
        "--draws": ("--show details", "--draws 1000"),
        "--draw": (_WORTHS, "--draw instance"),
        "--seed": (_WORTHS, "--seed 2"),
    }
}
# What it answers stands in docs/orders.md, and in the tests beside this file.
UNREAD = {"orders"}
ASKED = {"orders": _TOY + " --columns solver,cost,kemeny"}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "orders": (
        "--kind algorithm",
        *(
            f"--scenario RICH --kind algorithm --show {show}"
            for show in ("agreement", "horizons", "details")
        ),
        "--scenario TOY --kind algorithm --show laws",
        "--scenario TOY --show details --way bradley-terry --draws 1000",
        "--scenario TOY --show details --way plackett-luce --draws 1000",
        "--scenario TOY --delta 10 --show details --way careful",
    )
}
