"""Sums of very many terms that round as if there were few."""

from __future__ import annotations

import math

import numpy as np

from aslib_eval.metrics.runs import Floats

_LEADING_BITS = 26  # with 2**26 terms their sum still fits the 53 bits of a double


def running_sum(terms: Floats, *, start: float = 0.0) -> Floats:
    """``start`` plus the cumulative sum, correct to about the last bit.

    terms: (n,), n up to 2**26. A plain cumulative sum loses log2(n) bits or more. Here
    each term is split in its leading 26 bits, whose sums are exact, and a rest, whose
    sums are so small that their rounding does not show.
    """
    leading, rest = _split(terms)
    return np.asarray(np.cumsum(leading) + (start + np.cumsum(rest)))


def total(terms: Floats) -> float:
    """The sum of an array of any shape, as correct as ``running_sum``."""
    leading, rest = _split(terms)
    return float(leading.sum() + rest.sum())


def exact_sums(table: Floats) -> Floats:
    """Sum of each column, rounded once: equal for equal terms in any order."""
    return np.array([math.fsum(column.tolist()) for column in table.T])


def _split(terms: Floats) -> tuple[Floats, Floats]:
    """Two parts of each term, the first on a grid so coarse that its sums are exact."""
    largest = float(np.abs(terms).max(initial=0.0))
    unit = math.ldexp(1.0, max(math.frexp(largest)[1] - _LEADING_BITS, -1000))
    leading = np.rint(terms / unit) * unit
    return leading, terms - leading
