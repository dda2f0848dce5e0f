"""What instances of families tell: of one family they are alike, families are not.

A mean is over instances, whatever families they are of; what varies from sample to sample is which families
are in it. So tests turn the signs of whole families, and intervals are those of a value for each family.
docs/statistics/coverage.md has what they cover.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.statistics.distributions import t_quantile

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
FEWEST = 5  # families; of fewer only bounds of the values make an interval


def sums_of(values: Floats, codes: Codes) -> Floats:
    """(n_families, m) sums of (n, m) over the families. codes: (n,) from 0, all there.

    >>> sums_of(np.array([[1.0], [2.0], [4.0]]), np.array([0, 0, 1])).ravel().tolist()
    [3.0, 4.0]
    """
    found = np.zeros((int(codes.max()) + 1, values.shape[1]))
    np.add.at(found, codes, values)
    return found


def degrees(codes: Codes) -> float:
    """Degrees of freedom of a variance between families: one less than families.

    Families of unequal size count for less, one that is nearly all for one.

    Source: Satterthwaite 1946; Bell and McCaffrey 2002 (families).
    """
    square = np.square(np.bincount(codes).astype(float))
    return max(1.0, float(square.sum() ** 2 / np.square(square).sum()) - 1)


def family_values(values: Floats, codes: Codes, *, confidence: float = 0.95) -> Floats:
    """(n_families, m) values with the means of (n, m), that vary as families do.

    Each is the jackknife's pseudo-value: by how much the mean over instances changes without the family.
    Where sizes differ, they are drawn apart as Student's t with ``degrees`` is wider than with one less
    than families. One family: the mean.

    Source: Efron and Tibshirani 1993, chapter 11; MacKinnon and Webb 2023 (CV3).
    """
    sizes = np.bincount(codes).astype(float)[:, None]
    n, f = len(codes), len(sizes)
    mean = values.mean(axis=0)
    if f < 2:  # noqa: PLR2004
        return np.asarray(mean[None])
    away = sums_of(values - mean, codes) * (f - 1) / (n - sizes)
    away -= away.mean(axis=0)
    p = (1 + confidence) / 2
    wider = t_quantile(p, degrees(codes)) / t_quantile(p, f - 1)
    found: Floats = mean + away * max(1.0, wider)
    return found
