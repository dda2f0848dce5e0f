"""Command lines of ``certify``: for every option, one without it and one with it."""

from __future__ import annotations

_TOY = "--scenario TOY-2026"
_PLACES = "--show places"
BASE = {"certify": _TOY}
OPTIONS = {
    "certify": {
        "--scenario": ("=", "--scenario nothing"),
        "--of": "--of points",
        "--rule": "--rule par10",
        "--kind": "--kind algorithm",
        "--by": "--by ground_truth",
        "--show": "--show first",
        "--confidence": (_PLACES, "--confidence 0.5"),
        "--draw": (_PLACES, "--draw family"),
        "--draws": (_PLACES, "--draws 19"),
        "--seed": (_PLACES + " --draws 19", "--seed 2"),
    },
}
