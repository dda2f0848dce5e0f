"""Tracks of MaxSAT Evaluations, by what files, folders and headings are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS: Sequence[tuple[str, ...]] = (
    ("complete", "exact", "incomplete", "anytime", "incremental"),
    ("weighted", "unweighted"),
    ("60s", "300s"),
)


def maxsat_track(*names: str) -> str:
    """The track that names tell, the first of them that has a word; empty if none has.

    >>> maxsat_track("2022/results/incomplete/weighted-60s/summary.html")
    'incomplete-weighted-60s'
    >>> maxsat_track("page.html", "Summary of Unweighted Complete Track")
    'complete-unweighted'
    """
    words = [re.findall(r"[a-z]+|\d+\s*s\b", name.lower()) for name in names]
    said = [word.replace(" ", "") for each in words for word in each]
    found = [next((w for w in said if w in choices), "") for choices in _WORDS]
    return "-".join(word for word in found if word)
