"""Features made fit for learning, by what the training part alone says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_LARGEST = 1e100  # squares of it are still finite
_FARTHEST = 1e6  # standard deviations; forests hold features as float32


def prepare(train: Numbers, test: Numbers) -> tuple[Numbers, Numbers]:
    """Impute, drop constants, standardise: both parts as the training part says.

    train, test: (n, n_features), nan = missing. A missing value becomes the
    median, a feature that is constant or without value in the training part is
    dropped. If none is left both have a single column of zeros: nothing is known.
    """
    train, test = (np.clip(part, -_LARGEST, _LARGEST) for part in (train, test))
    known = ~np.isnan(train).all(axis=0)
    train, test = train[:, known], test[:, known]
    if train.shape[1]:
        median = np.nanmedian(train, axis=0)
        train, test = (np.where(np.isnan(x), median, x) for x in (train, test))
        varies = (train != train[:1]).any(axis=0)
        train, test = train[:, varies], test[:, varies]
    if not train.shape[1]:
        return np.zeros((len(train), 1)), np.zeros((len(test), 1))
    mean, spread = train.mean(axis=0), train.std(axis=0)
    spread[spread == 0] = 1.0  # which rounding may leave of a tiny difference
    first, second = (
        np.clip((part - mean) / spread, -_FARTHEST, _FARTHEST) for part in (train, test)
    )
    return first, second
