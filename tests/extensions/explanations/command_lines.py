"""Command lines of ``explain``: for every option, one without it and one with it."""

from __future__ import annotations

BASE = {"explain": "closed_gap --scenario TOY-2026 --solver careful"}
HANDED_OVER = {"explain --seconds", "explain --tries"}
OPTIONS = {"explain": {"--solver": "--solver sunny", "--kind": "--kind algorithm"}}
# What it is asked of a rich lake, as a whole.
WHOLE = {
    "explain": ("par10 --scenario RICH --solver a3", "solved=0.5 --scenario TOY --solver coin --tries 9")
}
