"""Power against statsmodels, which serves as an oracle only (extra `oracles`)."""

from __future__ import annotations

from typing import Any

import pytest

from aslib_eval.extensions.planning.power import power_of_t

solver = pytest.importorskip("statsmodels.stats.power", reason="needs statsmodels")

pytestmark = [
    pytest.mark.oracles,
    pytest.mark.filterwarnings("ignore"),  # theirs
]


@pytest.mark.parametrize("n", [5, 57, 200])
@pytest.mark.parametrize("ours", ["two-sided", "one-sided"])
def test_power_as_statsmodels(n: int, ours: Any) -> None:
    """Its two-sided power counts both tails."""
    theirs = "two-sided" if ours == "two-sided" else "larger"
    expected = solver.ttest_power(0.3, n, 0.05, alternative=theirs)
    found = power_of_t(n, d=0.3, alternative=ours, both_tails=True)
    assert found == pytest.approx(expected, rel=1e-8)
