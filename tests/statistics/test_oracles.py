"""Statistics against scikit-posthocs and baycomp, which serve as oracles only (extra `oracles`)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import stats

from aslib_eval.statistics.friedman import friedman, nemenyi, rank_systems
from aslib_eval.statistics.paired import corrected_resampled_t

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # their own, at import
    posthocs = pytest.importorskip("scikit_posthocs", reason="needs scikit-posthocs")
    baycomp = pytest.importorskip("baycomp", reason="needs baycomp")

pytestmark = [
    pytest.mark.oracles,
    pytest.mark.filterwarnings("ignore"),  # theirs
]
CLOSE = 1e-9


def close(value: Any) -> Any:
    return pytest.approx(value, rel=CLOSE, abs=CLOSE)


def seeded(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(5))
def test_friedman_and_nemenyi(seed: int) -> None:
    values = seeded(seed).integers(0, 9, (20, 6)).astype(float)
    found = friedman(rank_systems(values))
    theirs = stats.friedmanchisquare(*values.T)
    assert found.chi2 == close(theirs.statistic)
    assert found.p == close(theirs.pvalue)
    p = posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    assert nemenyi(found.mean_ranks, n=20) == close(p)


@pytest.mark.parametrize("repetitions", [1, 10])
def test_corrected_t_as_baycomp(repetitions: int) -> None:
    """Its posterior is our t: P(mean difference > 0) = 1 - p / 2."""
    d = seeded(5).normal(0.4, 1, 10 * repetitions)
    found = corrected_resampled_t(d, test_to_train=1 / 9)
    test = baycomp.CorrelatedTTest(d, np.zeros(d.size), runs=repetitions)
    left, right = test.probs() if hasattr(test, "probs") else test
    least = min(left, right)
    assert found.p == close(2 * least)
