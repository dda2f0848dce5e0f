"""Number of instances, effect and power: any two give the third."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.errors import AslibError
from aslib_eval.statistics.power import (
    Plan,
    detectable_effect,
    powers,
    sample_size,
)

if TYPE_CHECKING:
    import polars as pl

NAMES = {"t": "paired t", "wilcoxon": "Wilcoxon signed-rank", "sign": "sign"}
_CORRECTIONS = {
    "holm": "Holm-corrected",
    "bonferroni": "Bonferroni-corrected",
    "none": "uncorrected",
}


@dataclass(frozen=True)
class Solved:
    """A plan with its number of instances, effect and the power of each comparison."""

    plan: Plan
    n: int
    d: float
    power: float  # of the comparisons that the target looks at
    profile: tuple[float, ...]  # of each ordered comparison, the strictest first

    def summary(self) -> pl.DataFrame:
        """One row: the plan, n, d, and the power that comparisons have."""
        import polars as pl

        row = {
            "n": self.n,
            "d": self.d,
            "power": self.power,
            "target": self.plan.target,
            "mean_power": float(np.mean(self.profile)),
            "median_power": float(np.median(self.profile)),
            "worst_power": self.profile[0],
            "best_power": self.profile[-1],
            "comparisons": self.plan.comparisons,
            "test": self.plan.test,
            "alternative": self.plan.alternative,
            "correction": self.plan.correction,
            "alpha": self.plan.alpha,
        }
        return pl.DataFrame([row])

    def levels(self) -> pl.DataFrame:
        """One row for each ordered comparison: the level it faces, and its power."""
        import polars as pl

        return pl.DataFrame(
            {
                "rank": range(1, self.plan.comparisons + 1),
                "alpha": self.plan.levels,
                "power": self.profile,
            }
        )

    def sentence(self) -> str:
        """The plan to read aloud."""
        plan = self.plan
        one = plan.comparisons == 1
        how = "" if one else f"{_CORRECTIONS[plan.correction]} "
        tests = f"{plan.comparisons} {how}{plan.alternative} {NAMES[plan.test]} test"
        family = "" if one else "family-wise "
        text = (
            f"On {self.n} instances, {tests}{'' if one else 's'}"
            f" ({family}alpha = {plan.alpha:g}) find{'s' if one else ''} a difference"
            f" of d = {self.d:.4g} standard deviations with power {self.power:.4g}"
        )
        if one:
            return f"{text}."
        word = f"the test of rank {plan.rank}" if plan.target == "rank" else plan.target
        worst, best = self.profile[0], self.profile[-1]
        return f"{text} ({word}; from {worst:.4g} to {best:.4g})."


def solve(
    plan: Plan,
    *,
    n: int | None = None,
    d: float | None = None,
    power: float | None = None,
) -> Solved:
    """Find the one of instances, effect and power that is not given.

    Raises AslibError unless exactly two are given, or if there is no solution.

    Source: Campelo and Wanner 2020, section 4.
    """
    if n is not None and d is not None and power is None:
        found = n, abs(d)
    elif n is not None and d is None and power is not None:
        found = n, detectable_effect(plan, n=n, power=power)
    elif n is None and d is not None and power is not None:
        found = sample_size(plan, d=d, power=power), abs(d)
    else:
        hint = "The third follows from them."
        raise AslibError("give two of instances, effect and power", hint=hint)
    profile = powers(plan, n=found[0], d=found[1])
    reached = plan.reached(profile)
    return Solved(plan, *found, reached, tuple(float(p) for p in profile))


def curve(solved: Solved, *, over: str = "d", points: int = 60) -> pl.DataFrame:
    """Power over effects (``d``) or instances (``n``), around the plan.

    One row for each point and line (mean, worst, best), for the chart of a plan.
    Raises AslibError if ``over`` is neither.
    """
    import polars as pl

    plan = solved.plan
    if over == "d":
        grid = np.linspace(0.01, 2, points) * solved.d
        cells = [(float(x), powers(plan, n=solved.n, d=float(x))) for x in grid]
    elif over == "n":
        least = 4 if plan.test == "sign" else 3  # leaves two effective instances
        whole = np.unique(np.linspace(least, max(2 * solved.n, 10), points).astype(int))
        cells = [(float(n), powers(plan, n=int(n), d=solved.d)) for n in whole]
    else:
        raise AslibError(f"power is drawn over d or n, not over {over}")
    rows = [
        {over: x, "line": line, "power": float(value)}
        for x, profile in cells
        for line, value in (
            ("mean", profile.mean()),
            ("worst", profile[0]),
            ("best", profile[-1]),
        )
    ]
    return pl.DataFrame(rows)
