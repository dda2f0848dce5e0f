"""Corrections for multiple testing: adjusted p and the levels of ordered tests."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share

Floats = NDArray[np.float64]
Adjustment = Literal["holm", "bonferroni", "hochberg", "bh", "none"]


def adjust(p: Floats, *, method: Adjustment = "holm") -> Floats:
    """Adjusted p: reject those at most alpha.

    p: (k,) in any order; the result keeps that order. ``holm`` (step-down), ``bonferroni`` and ``hochberg``
    (step-up; for independent or positively dependent tests) bound the chance of any false rejection; ``bh``
    the expected share of false rejections (Benjamini-Hochberg). Equal p get equal adjusted p.

    Source: Holm 1979; Hochberg 1988; Benjamini and Hochberg 1995.
    """
    p = np.asarray(p, float)
    if not ((p >= 0) & (p <= 1)).all():
        raise AslibError("every p must lie between 0 and 1")
    k = p.size
    order = np.argsort(p, kind="stable")
    left = np.arange(k, 0, -1)  # hypotheses not yet decided, from the smallest p on
    factors = {
        "holm": left,
        "hochberg": left,
        "bh": k / np.arange(1, k + 1),
        "bonferroni": np.full(k, k),
        "none": np.ones(k),
    }
    if method not in factors:
        raise AslibError(f"no adjustment called {method}", hint=f"Use {list(factors)}.")
    scaled = p[order] * factors[method]
    if method in {"hochberg", "bh"}:  # step-up: from the largest p downwards
        scaled = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        scaled = np.maximum.accumulate(scaled)
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(scaled, 1)
    return adjusted


def levels(k: int, *, alpha: float = 0.05, method: Adjustment = "holm") -> Floats:
    """Significance level of each of k ordered tests, the strictest first.

    Holm: alpha / k, alpha / (k - 1), ..., alpha; Bonferroni: alpha / k each; none: alpha each.

    Source: Campelo and Wanner 2020, eq. 39.
    """
    require_share(alpha, "alpha")
    if k < 1:
        raise AslibError(f"{k} comparisons make no plan", hint="Take at least 1.")
    if method == "holm":
        return alpha / np.arange(k, 0, -1)
    if method in {"bonferroni", "none"}:
        return np.full(k, alpha / (k if method == "bonferroni" else 1))
    raise AslibError(f"{method} has no fixed levels", hint="Use holm or bonferroni.")
