"""The words that options take, in Python and on the command line, each list once.

The first word of a list is the default, unless a function says otherwise.
"""

from __future__ import annotations

from typing import Literal

# Of solvers.
SolverKind = Literal["selector", "baseline", "algorithm"]
ComparedKind = Literal["algorithm", "selector", "baseline", "all"]
SweptKind = Literal["algorithm", "selector"]
Sbs = Literal["train", "test", "all"]

# Of ``compare``.
Unit = Literal["instances", "folds", "scenarios"]
Inside = Literal["families", "instances"]  # what varies in a scenario
Alternative = Literal["two-sided", "better"]
Correction = Literal["holm", "bonferroni", "none"]
Differences = Literal["simple", "percent"]
CompareDraw = Literal["ranks", "intervals", "means"]

# Of files.
MissingRuns = Literal["timeout", "crash", "drop"]
RepeatedRuns = Literal["first", "last"]
PaperFormat = Literal["tex", "md", "csv", "html", "typ"]
