"""Command lines of ``diff``: for every option, one without it and one with it."""

from __future__ import annotations

_TOY = "--scenario TOY-2026"
BASE = {"diff": f"anvil crane {_TOY}"}
OWN_OF = {"diff": {"fail_on", "format_", "output", "columns"}}
OPTIONS = {
    "diff": {
        "--solver": ("={repeated}:A {repeated}:B", "--solver A"),
        "--factor": "--factor 3",
        "--margin": "--margin 40",
        "--alpha": "--alpha 0.9",
        "--by": "--by ground_truth",
        "--inside": "--inside instances",
        "--show": "--show instances",
        "--chart": "--chart x.svg",
        "--page": "--page x.html",
        "--fail-on": "--fail-on lost",
        "--scenario": ("=anvil crane", "--scenario nothing"),
    }
}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "diff": (
        "a0 a1 --scenario RICH",
        "a7 a8 --scenario RICH --show instances --margin 2",
        "fast slow --scenario TOY --factor 2",
    )
}
