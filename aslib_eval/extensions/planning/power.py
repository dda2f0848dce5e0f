"""Power of planned comparisons, by formula or from a pilot, and for the instances of a scenario.

A plan has K comparisons, each facing its own level (``multiplicity.levels``): all have the same number of
instances N and the same effect d, Cohen's d of the paired differences (mean / standard deviation), and thus
a power each. By formula the t test's differences are normal, and Wilcoxon's symmetric about their mean;
from the differences of a pilot power is simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.blocks import blocks, families_left_out
from aslib_eval.analysis.compare.pairs import advantage_of, wanted_pairs
from aslib_eval.analysis.compare.question import FAMILY, Block, Question
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, require_share
from aslib_eval.extensions.planning import Direction, Target, Test
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Mark, Rule, Texts
from aslib_eval.metrics.scale import Floats
from aslib_eval.options import Correction
from aslib_eval.paths import read_text
from aslib_eval.statistics.distributions import binary_scale, noncentral_t_sf, t_quantile
from aslib_eval.statistics.friedman import levels
from aslib_eval.statistics.paired import Method, paired_t, sign_test, signed_rank
from aslib_eval.text import plural, significant

# Asymptotic relative efficiency against the t test: Wilcoxon's least over all
# symmetric distributions, the sign test's under normality.
EFFICIENCY = {"t": 1.0, "wilcoxon": 0.86, "sign": 0.637}
MOST = 10**7  # instances; a plan that needs more is a slip in d
SIMULATED = 1000  # experiments for each power from a pilot; its standard error is 0.013
_MOST_SIMULATED = 20_000  # instances of such an experiment
_EXACT = 50  # instances up to which its Wilcoxon test is exact


@dataclass(frozen=True)
class Plan:
    """Planned tests, and which of them must reach the power.

    ``rank``, for target ``rank``: the strictest ordered test that must reach the
    power; 1 is the worst case. At least m of K tests reach it with rank K - m + 1. ``pilot``: differences
    of a pilot, which give the shape of those that are planned for: their power is simulated, by ``seed``.
    """

    comparisons: int = 1
    alpha: float = 0.05  # family-wise
    correction: Correction = "holm"
    test: Test = "t"
    alternative: Direction = "two-sided"
    target: Target = "mean"
    rank: int = 1
    pilot: tuple[float, ...] | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise AslibError if the plan is inconsistent."""
        levels(self.comparisons, alpha=self.alpha, method=self.correction)
        if not 1 <= self.rank <= self.comparisons:
            raise AslibError(f"rank {self.rank} is not among {self.comparisons} comparisons")
        if self.pilot is not None:
            shape_of(self.pilot)

    @property
    def levels(self) -> Floats:
        """(K,) level of each ordered comparison, the strictest first."""
        return levels(self.comparisons, alpha=self.alpha, method=self.correction)

    def reached(self, powers: Floats) -> float:
        """The power that the target refers to, of those of all comparisons."""
        if self.target == "mean":
            return float(powers.mean())
        if self.target == "median":
            return float(np.median(powers))
        return float(powers[self.rank - 1 if self.target == "rank" else 0])


def shape_of(pilot: tuple[float, ...]) -> tuple[Floats, float]:
    """Differences of a pilot with mean 0 and standard deviation 1, and its effect d.

    They are turned so that the one of the better mean is ahead: d is at least 0.
    """
    values = np.asarray(pilot, float)
    if values.size < 2 or not np.isfinite(values).all():  # noqa: PLR2004
        raise AslibError("a pilot needs at least two differences, and none that is missing")
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if np.ptp(values) == 0:
        raise AslibError(
            "all differences of the pilot are equal, so they have no shape", hint="Give --d and no pilot."
        )
    turn = -1.0 if mean < 0 else 1.0
    return turn * (values - mean) / sd, abs(mean) / sd


@lru_cache(maxsize=64)
def _simulated_p(
    pilot: tuple[float, ...], test: str, alternative: str, seed: int, n: int, d: float
) -> Floats:
    """(SIMULATED,) p of experiments on n instances; 2 where the wrong one is ahead."""
    shape, _ = shape_of(pilot)
    rng = np.random.default_rng([seed, n])
    side = "two-sided" if alternative == "two-sided" else "greater"
    # The exact distribution of many ties takes long, and differs by little there.
    method: Method = "exact" if n <= _EXACT else "normal"
    simulated = np.full(SIMULATED, 2.0)
    for experiment in range(SIMULATED):
        drawn = shape[rng.integers(shape.size, size=n)] + d
        if test == "t":
            t = paired_t(drawn, alternative=side)  # type: ignore[arg-type]
            p, ahead = t.p, t.t > 0
        elif test == "sign":
            signs = sign_test(drawn, alternative=side)  # type: ignore[arg-type]
            p, ahead = signs.p, signs.wins > signs.losses
        else:
            rank = signed_rank(drawn, alternative=side, method=method)  # type: ignore[arg-type]
            p, ahead = rank.p, rank.w_plus > rank.w_minus
        if ahead:
            simulated[experiment] = p
    return simulated


def power_of_t(n: float, *, d: float, alpha: float = 0.05, alternative: Direction = "two-sided") -> float:
    """Power of the paired t test on n instances (n >= 2, may be fractional).

    As the paper has it, a two-sided test counts only rejections on the side of the true effect.

    Source: Campelo and Wanner 2020, eq. 38.
    """
    if n < 2:  # noqa: PLR2004
        raise AslibError(
            f"{n:g} instance{' is' if n == 1 else 's are'} too few for a t test", hint="Take 2."
        )
    sides = 2 if alternative == "two-sided" else 1
    return noncentral_t_sf(t_quantile(1 - alpha / sides, n - 1), n - 1, abs(d) * sqrt(n))


def powers(plan: Plan, *, n: int, d: float) -> Floats:
    """(K,) power of each ordered comparison, the strictest first.

    n: instances; Wilcoxon's and the sign test count as t tests on ceil(n * efficiency) of them (0.86 and
    0.637). d: the effect; its sign does not matter. With a pilot all tests are made, on SIMULATED samples
    of its differences moved to the effect; of them too only rejections on the side of the mean count.

    Source: Campelo and Wanner 2020, section 4; Campelo and Takahashi 2019.
    """
    return _powers(plan, n if plan.pilot else ceil(n * EFFICIENCY[plan.test] - 1e-9), d)


def _powers(plan: Plan, n: float, d: float) -> Floats:
    if plan.pilot is not None:
        p = _simulated_p(plan.pilot, plan.test, plan.alternative, plan.seed, int(n), abs(d))
        return np.asarray((p[:, None] <= plan.levels).mean(axis=0))
    alphas, at = np.unique(plan.levels, return_inverse=True)  # Bonferroni's are all the same
    side = plan.alternative
    return np.array([power_of_t(n, d=d, alpha=float(alpha), alternative=side) for alpha in alphas])[at]


def sample_size(plan: Plan, *, d: float, power: float) -> int:
    """Instances needed to reach the power at effect d.

    The least N for the t test (mean target: Algorithm 2 of the paper). For the others that number is
    divided by their efficiency: a whole N for the targets mean and median, the fractional one for worst and
    rank, as CAISEr does, which differs by at most two instances.

    Source: Campelo and Wanner 2020, eq. 38 and Algorithm 2.
    """
    require_share(power, "power")

    def lacks(n: float) -> bool:
        return plan.reached(_powers(plan, n, d)) < power

    if d == 0 or lacks(MOST if plan.pilot is None else _MOST_SIMULATED):
        raise AslibError(f"no number of instances finds an effect of {d:g}")
    high = 2
    while lacks(high):
        high *= 2
    whole = _first(lacks, high // 2, high) if high > 2 else 2  # noqa: PLR2004
    efficiency = 1.0 if plan.pilot else EFFICIENCY[plan.test]
    if efficiency == 1 or plan.target in {"mean", "median"} or not lacks(2):
        return max(2, ceil(whole / efficiency - 1e-9))
    return max(2, ceil(_root(lacks, whole - 1, whole) / efficiency - 1e-9))


def _first(lacks: Callable[[float], bool], low: int, high: int) -> int:
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if lacks(middle) else (low, middle)
    return high


def _root(lacks: Callable[[float], bool], low: float, high: float, *, halvings: int = 60) -> float:
    """Where lack of power ends between low and high, to the last bits or so many."""
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if lacks(middle) else (low, middle)
    return high


def detectable_effect(plan: Plan, *, n: int, power: float) -> float:
    """The least effect d found with this power on n instances.

    Source: Campelo and Wanner 2020, eq. 38, solved for d.
    """
    require_share(power, "power")

    def lacks(d: float) -> bool:
        return plan.reached(powers(plan, n=n, d=d)) < power

    high = 1.0
    while lacks(high):
        high *= 2
        if high > 1e4:  # noqa: PLR2004
            raise AslibError(f"{n} instances find no effect with power {power:g}")
    return _root(lacks, 0.0, high, halvings=60 if plan.pilot is None else 12)


# A plan with its numbers, in words and as frames.

Row = dict[str, Any]
NAMES = {"t": "paired t", "wilcoxon": "Wilcoxon signed-rank", "sign": "sign"}
_CORRECTIONS = {"holm": "Holm-corrected", "bonferroni": "Bonferroni-corrected", "none": "uncorrected"}


@dataclass(frozen=True)
class SolvedPlan:
    """A plan with its number of instances, effect and the power of each comparison."""

    plan: Plan
    n: int
    d: float
    power: float  # of the comparisons that the target looks at
    profile: tuple[float, ...]  # of each ordered comparison, the strictest first

    def summary(self) -> pl.DataFrame:
        """One row: the plan, n, d, and the power of the comparisons."""
        plan, profile = self.plan, self.profile
        row = {
            "n": self.n, "d": self.d, "power": self.power, "target": plan.target,
            "mean_power": float(np.mean(profile)), "median_power": float(np.median(profile)),
            "worst_power": profile[0], "best_power": profile[-1],
            "comparisons": plan.comparisons, "test": plan.test, "alternative": plan.alternative,
            "correction": plan.correction, "alpha": plan.alpha,
        }  # fmt: skip
        return pl.DataFrame([row])

    def levels(self) -> pl.DataFrame:
        """One row for each ordered comparison: the level it faces, and its power."""
        return pl.DataFrame(
            {"rank": range(1, self.plan.comparisons + 1), "alpha": self.plan.levels, "power": self.profile}
        )

    def sentence(self) -> str:
        """The plan in words."""
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
            return f"{text}. {self._assumed()}".rstrip()
        word = f"the test of rank {plan.rank}" if plan.target == "rank" else plan.target
        worst, best = self.profile[0], self.profile[-1]
        text += f" ({word}; single comparisons have power {worst:.4g} to {best:.4g})."
        return f"{text} {self._assumed()}".rstrip()

    def _assumed(self) -> str:
        pilot = self.plan.pilot
        if pilot is None:
            return assumed(self.plan)
        _, seen = shape_of(pilot)
        return (
            f"Power is simulated by {SIMULATED} samples of the {len(pilot)} differences of the pilot, "
            f"shifted to this effect (the pilot has d = {seen:.4g}). It holds if the planned experiment "
            "has differences of the same shape."
        )


def assumed(plan: Plan) -> str:
    """What a power by formula assumes of the differences; empty for the t test."""
    if plan.test == "t":
        return ""
    shape = "symmetric about their mean" if plan.test == "wilcoxon" else "normal"
    return (
        f"For the {NAMES[plan.test]} test this assumes that differences are {shape}. If they are skewed, "
        "the power may be far lower."
    )


def read_pilot(path: Path) -> tuple[float, ...]:
    """Differences of a pilot: of two columns of numbers of a CSV file, or of one.

    A row an instance. Columns that are not all numbers, such as names of instances, do not count. The
    difference is the first less the second.
    """
    try:
        table = pl.read_csv(read_text(path).encode(), infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0]
        raise AslibError(f"no CSV can be read ({why})", str(path)) from error
    numbers = table.select(pl.selectors.numeric())
    if numbers.width not in {1, 2}:
        names = ", ".join(numbers.columns) or "none"
        message = f"a pilot has two columns of numbers or one, not {numbers.width} ({names})"
        raise AslibError(message, str(path), "Keep the values of two systems, or their differences.")
    lacking = numbers.select(pl.any_horizontal(pl.all().is_null()).arg_true()).to_series()
    if len(lacking):
        hint = "Leave such instances out, or say what they cost."
        raise AslibError("a value of the pilot is missing", f"{path}:{lacking[0] + 2}", hint)
    first, *second = numbers.cast(pl.Float64).get_columns()
    return tuple((first - second[0] if second else first).to_list())


def solve(
    plan: Plan, *, n: int | None = None, d: float | None = None, power: float | None = None
) -> SolvedPlan:
    """Find the one of instances, effect and power that is not given.

    Source: Campelo and Wanner 2020, section 4.
    """
    if (n, d, power).count(None) != 1:
        raise AslibError("give two of --n, --d and --power", hint="The command computes the third.")
    if n is None:
        n = sample_size(plan, d=d, power=power)  # type: ignore[arg-type]
    effect = detectable_effect(plan, n=n, power=power) if d is None else abs(d)  # type: ignore[arg-type]
    profile = powers(plan, n=n, d=effect)
    return SolvedPlan(plan, n, effect, plan.reached(profile), tuple(profile.tolist()))


def over_comparisons(solved: SolvedPlan, *, power: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Instances, and the power of every comparison, over the number of comparisons.

    power: that must be reached at the effect of the plan. The first frame has one row for each number of
    comparisons (1 to that of the plan, 15 at least) and way to correct: ``Bonferroni`` and ``Holm``, both
    with the target of the plan. The second has one row for each comparison of a plan with Holm's levels,
    with its ``power``, and the ``n`` of all.

    Source: Campelo and Wanner 2020, figures 1 and 2.
    """
    most = max(solved.plan.comparisons, 15)  # all pairs of six algorithms
    counts = np.unique(np.linspace(1, most, min(most, 30)).round().astype(int))
    sizes, profiles = [], []
    for k in counts[counts >= solved.plan.rank].tolist():
        holm = replace(solved.plan, comparisons=k, correction="holm")
        simple = replace(holm, correction="bonferroni")
        n = sample_size(holm, d=solved.d, power=power)
        other = sample_size(simple, d=solved.d, power=power)
        sizes += [
            {"comparisons": k, "line": "Bonferroni", "n": other},
            {"comparisons": k, "line": "Holm", "n": n},
        ]
        profiles += [{"comparisons": k, "n": n, "power": float(p)} for p in powers(holm, n=n, d=solved.d)]
    return pl.DataFrame(sizes), pl.DataFrame(profiles)


# Power of the instances of a lake, and how many more are needed.


COLUMNS: Mapping[str, str] = {
    "protocol": "name and hash of the protocol",
    "scenario_id": "scenario",
    "measure": "name of the measure",
    "metric": "what is compared",
    "system": "each other solver with versus; else the solver with the better mean",
    "other": "versus; else the solver with the worse mean",
    "n": "instances there are",
    "sd": "standard deviation of the paired differences [metric's unit]",
    "detectable": "difference of means found with the power, on n [metric's unit]",
    "detectable_d": "the same in standard deviations",
    "wanted_d": "difference that matters, in standard deviations",
    "n_needed": "instances to find it; null if nothing differs",
    "n_more": "of these, beyond those there are",
    "observed": "difference of means that was seen [metric's unit]",
    "observed_d": "the same in standard deviations; an estimate, no plan",
}


def plan_scenario(
    lake: OpenLake,
    question: Question,
    *,
    plan: Plan,
    power: float = 0.8,
    d: float | None = None,
    difference: float | None = None,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Detectable differences and numbers of instances for each pair, and sentences.

    The number of comparisons is that of the question (its ``versus`` and ``kind``), whatever the plan says;
    the rank of a plan with target ``rank`` must be among them in every scenario. ``d`` (default 0.2, in
    standard deviations) or ``difference`` (in the metric's unit) is the effect to find. The standard
    deviation is that of the instances in the lake.

    Source: Campelo and Wanner 2020, section 4, with sigma from the data.
    """
    if d is not None and difference is not None:
        raise AslibError("d and difference say the same twice", hint="Give one.")
    if question.unit == "folds":
        raise AslibError("folds are not independent", hint="Plan with instances.")
    rows: list[Row] = []
    sentences = []
    for block in blocks(lake, question):
        own = _of_block(plan, block, comparisons=len(wanted_pairs(block, question)))
        compared = _rows(block, question, own, power, d=d, difference=difference)
        rows += compared
        sentences.append(_sentence(block, question, own, power, compared))
    shown = {(row["scenario_id"], row.get(FAMILY)) for row in rows}
    sentences += families_left_out(lake, question, shown)
    text = {"protocol", "scenario_id", "measure", "metric", "system", "other", FAMILY}
    counts = {"n", "n_needed", "n_more"}
    schema = {
        name: pl.String if name in text else pl.Int64 if name in counts else pl.Float64
        for name in (*list(COLUMNS)[:3], *question.families, *list(COLUMNS)[3:])
    }
    return pl.DataFrame(rows, schema=schema), tuple(sentences)


def _of_block(plan: Plan, block: Block, *, comparisons: int) -> Plan:
    try:
        return replace(plan, comparisons=comparisons)
    except AslibError as error:
        hint = "Lower --rank, or choose scenarios with --scenario."
        raise AslibError(error.message, block.scenario_id, hint) from error


def _rows(
    block: Block, question: Question, plan: Plan, power: float, *, d: float | None, difference: float | None
) -> list[Row]:
    least = detectable_effect(plan, n=block.n, power=power)
    sizes: dict[float, int] = {}  # one effect for all pairs, unless in their unit
    rows = []
    for i, j in wanted_pairs(block, question):
        advantage = advantage_of(block, question, i, j)
        scale = binary_scale(advantage)  # squares of large values would overflow
        sd = float((advantage / scale).std(ddof=1)) * scale
        mean = float((advantage / scale).mean()) * scale
        effect: float | None = 0.2 if d is None else abs(d)
        if difference is not None:  # nothing varies where sd is 0
            effect = abs(difference) / sd if sd else None
        if effect is not None and effect not in sizes:
            sizes[effect] = sample_size(plan, d=effect, power=power)
        needed = None if effect is None else sizes[effect]
        rows.append({
            "protocol": block.protocol, "scenario_id": block.scenario_id, "measure": block.measure,
            **dict.fromkeys(question.families, block.family), "metric": question.compared,
            "system": block.systems[i], "other": block.systems[j], "n": block.n,
            "sd": sd, "detectable": least * sd, "detectable_d": least, "wanted_d": effect,
            "n_needed": needed, "n_more": None if needed is None else max(0, needed - block.n),
            "observed": mean, "observed_d": mean / sd if sd else None,
        })  # fmt: skip
    return rows


def _sentence(block: Block, question: Question, plan: Plan, power: float, rows: Sequence[Row]) -> str:
    reached = f"the test of rank {plan.rank} reaching" if plan.target == "rank" else plan.target
    some = [row["detectable"] for row in rows if row["sd"] > 0] or [0.0]
    least, most = min(some), max(some)
    span = f"{least:.4g}" if least == most else f"{least:.4g} to {most:.4g}, depending on the pair"
    text = (
        f"{block.place or 'All scenarios'}: with {block.n} {block.unit}s"
        f" and {plural(len(rows), 'comparison')} by {question.compared},"
        f" the {NAMES[plan.test]} test finds differences of"
        f" {rows[0]['detectable_d']:.3g} standard deviations with {reached}"
        f" power {power:g}. In the unit of the metric, this is {span}. {assumed(plan)}"
    ).rstrip()
    needs = [row for row in rows if row["n_needed"] is not None]
    if not needs:
        return f"{text} The pairs do not differ anywhere."
    hardest = max(needs, key=lambda row: row["n_needed"])
    return (
        f"{text} A difference of {hardest['wanted_d']:.3g} standard deviations needs"
        f" {hardest['n_needed']} {block.unit}s, {hardest['n_more'] or 'no'} more than there are."
    )


# Charts of a plan.

TITLES = {"d": "difference of means, in standard deviations (d)", "n": "number of instances"}
_COMPARISONS = "number of comparisons"
# Line → colour and dashes.
LOOKS = {"best": ("faint", "2 3"), "mean": ("ink", None), "worst": ("faint", "6 3")}


def power_curve(solved: SolvedPlan, *, over: str = "d", points: int = 60) -> Chart:
    """Mean, worst and best power over effects (``d``) or instances (``n``); the plan is marked.

    Where all comparisons face the same level the three lines are one.

    Source: Campelo and Wanner 2020, figures 2 and 6.
    """
    plan, power = solved.plan, solved.power
    points = points if plan.pilot is None else points // 4  # each is simulated
    if over == "d":
        at, name = solved.d, "d"
        grid = np.linspace(0.01, 2, points) * solved.d
        profiles = np.array([powers(plan, n=solved.n, d=float(x)) for x in grid])
    else:
        at, name = solved.n, "N"
        least = 4 if plan.test == "sign" else 3  # leaves two effective instances
        grid = np.unique(np.linspace(least, max(2 * solved.n, 10), points).astype(int))
        profiles = np.array([powers(plan, n=int(n), d=solved.d) for n in grid])
    heights = {"best": profiles[:, -1], "mean": profiles.mean(axis=1), "worst": profiles[:, 0]}
    lines = [
        Line(np.column_stack([grid, heights[line]]).tolist(), f"{line} comparison", color, dash=dash)
        for line, (color, dash) in LOOKS.items()
    ]
    if (heights["best"] == heights["worst"]).all():
        lines = [Line(lines[1].points, color="ink")]
    low = float(grid[0])
    text = f"{name} = {significant(at)}, power {power:.3g}"
    marks: list[Mark] = [
        *lines,
        Rule(y=power, color="c2"),
        Dots([[at, power, text]], color="c2", r=5),
        # At the left end of the line, where no curve is.
        Texts([[low, power + 0.03, text, "start", 6]], color="c2"),
    ]
    ends = Linear(TITLES[over], low, float(grid[-1]))
    return Chart("Power of the plan", "", ends, Linear("power", 0, 1), marks, height=400)


def sizes_over_comparisons(sizes: pl.DataFrame) -> Chart:
    """Instances that a plan needs, over its number of comparisons.

    sizes: the first frame of ``over_comparisons``.

    Source: Campelo and Wanner 2020, figure 1.
    """
    marks: list[Mark] = []
    for line, (color, dash, symbol) in (
        ("Bonferroni", ("c2", "6 3", "square")),
        ("Holm", ("c1", None, None)),
    ):
        points = [
            [k, n, f"{line}, {k} comparisons: N = {n}"]
            for k, n in sizes.filter(line=line).select("comparisons", "n").rows()
        ]
        marks += [Line(points, name=line, color=color, dash=dash), Dots(points, color=color, symbol=symbol)]
    return Chart(
        "Instances needed, by the number of comparisons",
        "",
        Linear(_COMPARISONS, *_ends(sizes), whole=True),
        Linear("number of instances", 0, float(max(sizes["n"])), whole=True),
        marks,
        height=400,
    )


def power_profile(profiles: pl.DataFrame, *, power: float) -> Chart:
    """Power of every comparison, over the number of comparisons.

    profiles: the second frame of ``over_comparisons``. ``power``: the planned one. N
    of some plans stands below their worst comparison.

    Source: Campelo and Wanner 2020, figure 2.
    """
    of = pl.col("power")
    grouped = profiles.group_by("comparisons", maintain_order=True)
    summaries = grouped.agg(pl.col("n").first(), best=of.max(), mean=of.mean(), worst=of.min()).to_dicts()
    lines = [
        Line([[row["comparisons"], row[line]] for row in summaries], f"{line} comparison", color, dash=dash)
        for line, (color, dash) in LOOKS.items()
    ]
    dots = [
        [k, p, f"one of {k} comparisons on {n} instances: power {p:.3g}"]
        for k, n, p in profiles.select("comparisons", "n", "power").rows()
    ]
    low = max(0.0, 2 * float(min(profiles["power"])) - 1)
    every = max(1, len(summaries) // 8)  # that have room beside each other
    labels = [
        [row["comparisons"], row["worst"] - 0.1 * (1 - low), f"{row['n']}", "middle", 0]
        for row in summaries[every - 1 :: every]
    ]
    return Chart(
        "Power of each comparison; below it the number of instances",
        "",
        Linear(_COMPARISONS, *_ends(profiles), whole=True),
        Linear("power", low, 1),
        [Dots(dots, color="c6", r=3), *lines, Rule(y=power, color="c2"), Texts(labels)],
        height=400,
    )


def _ends(frame: pl.DataFrame) -> tuple[float, float]:
    return float(min(frame["comparisons"])), float(max(frame["comparisons"]))
