"""Bayesian tests against baycomp, which serves as an oracle only (extra `oracles`)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from aslib_eval.extensions.second_opinions import bayesian_signed_rank, correlated_t

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own, at import
    baycomp = pytest.importorskip("baycomp", reason="needs baycomp")

pytestmark = [pytest.mark.oracles, pytest.mark.filterwarnings("ignore")]


def test_bayesian_signed_rank_as_baycomp() -> None:
    """Its largest share is more than half where the region has no room."""
    d = np.random.default_rng(7).normal(0.3, 1, 25)
    zero = np.zeros(d.size)
    theirs = baycomp.SignedRankTest.probs(zero, d, 0, random_state=1, nsamples=20000)
    (ours,) = bayesian_signed_rank(d, rope=0, rng=np.random.default_rng(1), draws=20000)
    assert (ours.worse, ours.better) == pytest.approx(tuple(theirs), abs=0.02)


@pytest.mark.parametrize("rope", [0, 0.35])
def test_correlated_t_as_baycomp(rope: float) -> None:
    d = np.random.default_rng(7).normal(0.3, 1, 25)
    zero = np.zeros(d.size)
    theirs = baycomp.CorrelatedTTest(zero, d, rope, runs=5).probs()
    mean = correlated_t(d, test_to_train=1 / 4, rope=rope)
    assert (mean.worse, mean.better) == pytest.approx((theirs[0], theirs[-1]), rel=1e-9, abs=1e-9)
