"""What instances of families tell: of one family they are alike, families are not.

A mean is over instances, whatever families they are of; what varies from sample to sample is which families
are in it. So tests turn the signs of whole families, and intervals are those of a value for each family.
docs/statistics/coverage.md has what they cover.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.statistics.distributions import t_quantile
from aslib_eval.statistics.tolerant_ranks import binary_scales

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


def worth(codes: Codes) -> float:
    """The number of equal families whose mean varies as much, where those of one are the same.

    Source: Kish 1965, section 11.7 (unequal weights).
    """
    sizes = np.bincount(codes).astype(float)
    return float(sizes.sum() ** 2 / np.square(sizes).sum())


def family_values(
    values: Floats, codes: Codes, *, confidence: float = 0.95, together: bool = False
) -> Floats:
    """(n_families, m) values with the means of (n, m), that vary as families do.

    Each is the jackknife's pseudo-value: by how much the mean over instances changes without the family.
    Of few large families these vary by chance, so they are drawn apart until their variance is at least
    that by the design effect, for which all families tell how alike those of one are. Where sizes differ,
    they are drawn apart further, as Student's t with ``worth`` degrees of freedom is wider than with one
    less than families. ``together``: all columns by the same factor. One family: the mean.

    Source: Efron and Tibshirani 1993, chapter 11; Donner 1986, section 2 (design effect).
    """
    sizes = np.bincount(codes).astype(float)[:, None]
    n, f = len(codes), len(sizes)
    mean = values.mean(axis=0)
    if f < 2:  # noqa: PLR2004
        return np.asarray(mean[None])
    scale = binary_scales(values).max() if together else binary_scales(values)
    gaps = (values - mean) / scale
    sums = sums_of(gaps, codes)
    away = sums * (f - 1) / (n - sizes)
    away -= away.mean(axis=0)
    parts = np.square(gaps).sum(axis=0), (np.square(sums) / sizes).sum(axis=0), away.var(axis=0)
    whole, between, known = (part.sum(keepdims=True) for part in parts) if together else parts
    expected = _variance_of_mean(whole, between, sizes) * (f - 1)
    wider = np.sqrt(np.divide(expected, known, out=np.ones_like(known), where=known > 0))
    p = (1 + confidence) / 2
    of_sizes = t_quantile(p, min(f - 1, worth(codes))) / t_quantile(p, f - 1)
    found: Floats = mean + away * np.maximum(1.0, wider) * of_sizes * scale
    return found


def _variance_of_mean(whole: Floats, between: Floats, sizes: Floats) -> Floats:
    """By the design effect, with the correlation in families of the analysis of variance.

    whole, between: sums of squares of the instances and of the means of families, (m,) both.
    """
    n, f = float(sizes.sum()), len(sizes)
    squares = float(np.square(sizes).sum())
    usual = (n - squares / n) / (f - 1)
    within = np.maximum(whole - between, 0) / max(n - f, 1)
    among = between / (f - 1)
    total = among + (usual - 1) * within
    alike = np.divide(among - within, total, out=np.zeros_like(total), where=total > 0).clip(0, 1)
    share = alike * squares / n**2 + (1 - alike) / n
    return np.asarray(whole / n / (1 - share) * share)
