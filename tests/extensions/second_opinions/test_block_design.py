"""Linear model with blocks against statsmodels' values, and resampled means."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.second_opinions import block_anova, moments, resampled_mean

VALUES = np.array([[9.0, 11, 14], [7, 8, 13], [12, 13, 15], [5, 9, 10], [8, 12, 11], [10, 10, 16]])


def test_as_statsmodels() -> None:
    """anova_lm of y ~ C(system) + C(block); Tukey's by the squared fitted values."""
    found = block_anova(VALUES)
    assert (found["n"], found["k"], found["df"], found["df_error"]) == (6, 3, 2, 10)
    assert found["f"] == pytest.approx(17.411765, rel=1e-6)
    assert found["p"] == pytest.approx(0.000553, abs=1e-6)
    assert found["f_blocks"] == pytest.approx(5.817647, rel=1e-6)
    assert found["p_blocks"] == pytest.approx(0.008979, abs=1e-6)
    assert found["sd"] == pytest.approx(1.888889**0.5, rel=1e-6)
    assert found["additive_f"] == pytest.approx(0.19257714774625886)
    assert found["additive_p"] == pytest.approx(0.671126347360199)
    # scipy.stats: skew, kurtosis and jarque_bera of the residuals.
    assert found["skew"] == pytest.approx(0.0638030758290077)
    assert found["kurtosis"] == pytest.approx(-0.681799307958479)
    assert found["normal_p"] == pytest.approx(0.8349152052784574)
    assert found["spread_ratio"] == pytest.approx(2.529822128134703)
    # Eigenvalues of the doubly centred covariances.
    assert found["epsilon"] == pytest.approx(0.6230059498146073)
    assert found["p_epsilon"] == pytest.approx(0.00437535082013665)


def test_two_systems_are_the_paired_t_test() -> None:
    """F = t^2: differences -2, -1, -1, -4, -4, 0 have mean -2 and variance 14 / 5 ."""
    found = block_anova(VALUES[:, :2])
    d = VALUES[:, 0] - VALUES[:, 1]
    assert found["f"] == pytest.approx(d.mean() ** 2 / (d.var(ddof=1) / 6))
    assert found["epsilon"] == pytest.approx(1)
    assert found["spread_ratio"] == pytest.approx(1)


@pytest.mark.parametrize("scale", [1e-200, 1, 1e150])
def test_the_unit_does_not_matter(scale: float) -> None:
    found = block_anova(VALUES * scale)
    assert found["f"] == pytest.approx(17.411765, rel=1e-6)
    assert found["sd"] == pytest.approx(1.888889**0.5 * scale, rel=1e-6)


def test_nothing_is_left_over() -> None:
    """Systems differ by the same on every block: no residual, and no F."""
    found = block_anova(np.array([[1.0, 2], [3, 4], [5, 6]]))
    nothing = (found["f"], found["p"], found["epsilon"], found["additive_f"], found["spread_ratio"])
    assert nothing == (None,) * 5
    assert found["sd"] == 0
    assert (found["skew"], found["normal_p"]) == (None, None)


def test_multiplied_effects_are_not_additive() -> None:
    rng = np.random.default_rng(1)
    size = np.exp(rng.normal(0, 1, 30))
    values = size[:, None] * [1, 2, 4] + rng.normal(0, 0.01, (30, 3))
    found = block_anova(values)["additive_p"]
    assert found is not None
    assert found < 1e-6


def test_too_small_a_design() -> None:
    with pytest.raises(AslibError, match="1 systems on 3 units"):
        block_anova(np.zeros((3, 1)))
    with pytest.raises(AslibError, match="missing"):
        block_anova(np.array([[1, np.nan], [1, 2]]))


def test_level_of_the_model_where_it_holds() -> None:
    """400 designs of 4 equal systems on 15 blocks; within three standard errors."""
    rng = np.random.default_rng(2)
    blocks = rng.normal(0, 3, (400, 15, 1))
    values = blocks + rng.normal(0, 1, (400, 15, 4))
    found = np.mean([(block_anova(each)["p"] or 0) <= 0.05 for each in values])
    assert 0.05 - 0.033 < found < 0.05 + 0.033


def test_moments() -> None:
    assert moments(np.array([3.0, 3, 3])) == (None, None)
    # Of 0, 0, 0, 4: variance 3, third moment 6, fourth 21.
    assert moments(np.array([0.0, 0, 0, 4])) == pytest.approx((6 / 3**1.5, 21 / 9 - 3))


def test_resampled_means_of_normal_and_of_skewed_differences() -> None:
    rng = np.random.default_rng(3)
    fair = resampled_mean(rng.normal(0, 1, 100), rng=np.random.default_rng(1))
    rare = resampled_mean(np.array([0.0] * 39 + [1]), rng=np.random.default_rng(1))
    again = resampled_mean(np.array([0.0] * 39 + [1]), rng=np.random.default_rng(1))
    assert fair.distance is not None
    assert fair.distance < 0.03
    assert fair.below == pytest.approx(0.025, abs=0.008)
    assert (np.diff(fair.means) >= 0).all()
    # Binomial(40, 1/40) / 40 has no mean 1.96 standard errors below its own.
    assert rare.below == 0
    assert rare.skew == pytest.approx((1 - 2 / 40) / (39 / 40) ** 0.5, abs=0.15)
    assert rare.distance is not None
    assert rare.distance > 0.2
    assert (rare.means == again.means).all()


def test_no_spread_has_no_shape() -> None:
    found = resampled_mean(np.array([2.0, 2]), rng=np.random.default_rng(1))
    assert (found.skew, found.distance, found.below) == (None, None, None)
    assert set(found.means) == {2}
    with pytest.raises(AslibError, match="1 differences"):
        resampled_mean(np.array([2.0]), rng=np.random.default_rng(1))
