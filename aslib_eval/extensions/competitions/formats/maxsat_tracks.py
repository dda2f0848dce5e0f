"""Tracks of MaxSAT Evaluations, by what files, folders and headings are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_WORDS: Sequence[tuple[str, ...]] = (
    ("complete", "exact", "incomplete", "anytime", "incremental"),
    ("weighted", "unweighted"),
)
_SECONDS = re.compile(r"\d{2,4}s")


def maxsat_track(path: str, *titles: str) -> str:
    """The track by its words in the path, else in titles; empty if none has one.

    Incremental solvers have several tracks; each is called as the folder of its files.

    >>> maxsat_track("2022/results/incomplete/weighted-60s/summary.html")
    'incomplete-weighted-60s'
    >>> maxsat_track("page.html", "Summary of Unweighted Complete Track")
    'complete-unweighted'
    >>> maxsat_track("2022/incremental/adaboost/summary.html")
    'incremental-adaboost'
    >>> maxsat_track("results/2026-anytime-weighted-1707s.csv")
    'anytime-weighted-1707s'
    """
    names = (path, *titles)
    words = [re.findall(r"[a-z]+|\d+\s*s\b", name.lower()) for name in names]
    said = [word.replace(" ", "") for each in words for word in each]
    found = [next((w for w in said if w in choices), "") for choices in _WORDS]
    if found[0] in ("incomplete", "anytime"):
        found.append(next((w for w in said[::-1] if _SECONDS.fullmatch(w)), ""))
    if found[0] == "incremental":
        found.append(Path(path).parent.name)
    return "-".join(word for word in found if word)
