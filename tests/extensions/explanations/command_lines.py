"""Command lines of ``explain``: for every option, one without it and one with it."""

from __future__ import annotations

BASE = {"explain": "closed_gap --scenario TOY-2026 --solver careful"}
OPTIONS = {
    "explain": {
        "--solver": "--solver sunny",
        "--kind": "--kind algorithm",
        "--seconds": ("=solved=0.5 --scenario TOY-2026 --solver drift", "--seconds 0"),
        "--tries": ("=solved=0.5 --scenario TOY-2026 --solver drift", "--tries 1"),
    },
}
