"""Statistics against scikit-posthocs, statsmodels, autorank and baycomp.

They serve as oracles only: nothing of the package needs them (extra `oracles`).
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.statistics.friedman import (
    Adjustment,
    adjust,
    critical_difference,
    friedman,
    nemenyi,
    rank_systems,
)
from aslib_eval.statistics.paired import (
    corrected_resampled_t,
    hodges_lehmann,
    paired_t,
    sign_test,
    signed_rank,
)
from tests.conftest import rows

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # their own, at import
    posthocs = pytest.importorskip("scikit_posthocs", reason="needs scikit-posthocs")
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="needs statsmodels")
    descriptive = pytest.importorskip("statsmodels.stats.descriptivestats")
    solver = pytest.importorskip("statsmodels.stats.power")
    autorank = pytest.importorskip("autorank", reason="needs autorank")
    baycomp = pytest.importorskip("baycomp", reason="needs baycomp")
    pandas = pytest.importorskip("pandas")
stats = pytest.importorskip("scipy.stats")

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
    assert found.corrected.chi2 == close(theirs.statistic)
    assert found.corrected.p == close(theirs.pvalue)
    p = posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    assert nemenyi(found.mean_ranks, n=20) == close(p)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("holm", "holm"), ("hochberg", "simes-hochberg"), ("bh", "fdr_bh"),
     ("bonferroni", "bonferroni")],
)  # fmt: skip
def test_adjusted_p(ours: Adjustment, theirs: str) -> None:
    p = seeded(1).uniform(size=40) ** 3
    assert adjust(p, method=ours) == close(multitest.multipletests(p, method=theirs)[1])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_tests_of_pairs_without_ties(seed: int, alternative: Any) -> None:
    d = seeded(seed).standard_normal(30) + 0.3
    rank = stats.wilcoxon(d, alternative=alternative, method="exact")
    assert signed_rank(d, alternative=alternative).p == close(rank.pvalue)
    t = stats.ttest_1samp(d, 0, alternative=alternative)
    found = paired_t(d, alternative=alternative)
    assert (found.t, found.p) == (close(t.statistic), close(t.pvalue))
    interval = t.confidence_interval(0.95)
    assert (found.lower, found.upper) == close((interval.low, interval.high))
    sign = stats.binomtest(int((d > 0).sum()), 30, alternative=alternative)
    assert sign_test(d, alternative=alternative).p == close(sign.pvalue)


def test_sign_test_with_ties_as_statsmodels() -> None:
    d = seeded(3).integers(-2, 4, 50).astype(float)
    _, p = descriptive.sign_test(d)
    assert sign_test(d).p == close(p)


def test_wilcoxon_with_ties_as_a_permutation_test() -> None:
    """scipy's ``exact`` is wrong here; its permutation test is right, and slow."""
    d = seeded(4).integers(-3, 5, 12).astype(float)
    d = d[d != 0]
    permuted = stats.wilcoxon(d, method=stats.PermutationMethod(n_resamples=np.inf))
    assert signed_rank(d).p == close(permuted.pvalue)
    assert signed_rank(d).p != close(stats.wilcoxon(d, method="exact").pvalue)


@pytest.mark.parametrize("repetitions", [1, 10])
def test_corrected_t_as_baycomp(repetitions: int) -> None:
    """Its posterior is our t: P(mean difference > 0) = 1 - p / 2."""
    d = seeded(5).normal(0.4, 1, 10 * repetitions)
    found = corrected_resampled_t(d, test_to_train=1 / 9)
    test = baycomp.CorrelatedTTest(d, np.zeros(d.size), runs=repetitions)
    left, right = test.probs() if hasattr(test, "probs") else test
    least = min(left, right)
    assert found.p == close(2 * least)


@pytest.fixture(scope="module")
def par10(real_lake: Path) -> dict[str, np.ndarray]:
    """PAR10 of every algorithm on the 296 instances of SAT11-HAND-ALGO."""
    con = ae.connect(real_lake, scenarios=["SAT11-HAND-ALGO"])
    found = rows(
        con,
        "select solver, list(par10 order by instance_id) from instance_solver"
        " where kind = 'algorithm' group by solver order by solver",
    )
    return {solver: np.array(values) for solver, values in found}


def test_autorank_has_no_effect_on_censored_data_and_we_do(par10: dict[str, np.ndarray]) -> None:
    """More than half time out: medians are the penalty, median deviations 0.

    autorank divides by them: its effects are 0/0. Ours compare instance by instance.
    """
    frame = pandas.DataFrame(par10)
    frame = frame[list(frame.columns[:6])]
    ranked = autorank.autorank(frame, order="ascending", alpha=0.05, verbose=False)
    assert ranked.rankdf["mad"].eq(0).all()
    assert ranked.rankdf["effect_size"].isna().all()
    assert ranked.rankdf["magnitude"].eq("large").all()  # of nan
    names = list(frame.columns)
    values = frame.to_numpy()
    found = friedman(rank_systems(values))
    ranks = ranked.rankdf["meanrank"]
    assert dict(zip(names, found.mean_ranks, strict=True)) == close(ranks.to_dict())
    assert ranked.cd == pytest.approx(critical_difference(6, len(values)), rel=1e-3)
    for j in range(1, len(names)):
        d = values[:, 0] - values[:, j]
        shift, mean = hodges_lehmann(d), paired_t(d)
        assert np.isfinite([shift.estimate, shift.lower, shift.upper]).all()
        assert np.isfinite([mean.mean, mean.lower, mean.upper]).all()
