"""Every function of arrays of ``metrics`` and ``statistics``, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.metrics import anytime, ranking, scale
from aslib_eval.metrics import ranking as borda
from aslib_eval.metrics import scale as contribution
from aslib_eval.metrics import sweeps as curves
from aslib_eval.metrics import sweeps as delta
from aslib_eval.metrics import sweeps as gaps
from aslib_eval.statistics import distributions, friedman, means, paired, resampling, signed_rank
from aslib_eval.statistics import distributions as tolerant_ranks
from aslib_eval.statistics import friedman as multiplicity
from aslib_eval.statistics import friedman as scott_knott
from aslib_eval.statistics import paired as effects
from tests.whole_functions import CUTOFF, Functions, Table, hold, seeded

GRID = np.array([0.0, 0.5, 1, 2, 10, 40, 99, 100, 1000])
SIDES = ("two-sided", "greater", "less")


def sweep(found: gaps.GapSweep | delta.Sweep) -> list[object]:
    """All that a sweep gives."""
    scores = found.scores if isinstance(found, gaps.GapSweep) else found
    parts = [scores.curves, scores.breakpoints, scores.reversals, scores.rankings]
    parts += [scores.scores(GRID), scores.ranks(GRID)]
    if isinstance(found, gaps.GapSweep):
        parts += [found.vbs, found.vws, found.sbs, found.sbs_at(GRID), found.gaps(GRID)]
    return parts


def objectives(t: Table) -> borda.Objectives:
    n = np.arange(len(t.times))
    return borda.Objectives(t.qualities, maximize=n % 2 == 0, decision=n % 5 == 3)


FUNCTIONS: Functions = {
    "value_at": lambda t: [anytime.value_at(t.points, at=x) for x in (0.0, 7, 15)],
    "anytime_area": lambda t: anytime.anytime_area(
        t.points, horizon=20, zero=t.instances + 9.0, one=t.instances % 4
    ),
    "minizinc_area": lambda t: anytime.minizinc_area(
        t.points, instances=t.instances, used=t.times.ravel() + 40
    ),
    "time_points": lambda t: [
        borda.time_points(t.costs, others=t.costs[:, ::-1], cutoff=CUTOFF, rule=borda.BordaRule(*rule))
        for rule in ((), (5.0,), (0.1, True), (20.0, False, True))
    ],
    "modified_tie_points": lambda t: borda.modified_tie_points(
        t.times, t.times[:, ::-1], np.asarray(CUTOFF)
    ),
    "pairwise": lambda t: [borda.pairwise(t.runs), borda.pairwise(t.weighted)],
    "borda": lambda t: [
        borda.borda(runs, rule=borda.BordaRule(*rule))
        for runs in (t.runs, t.weighted)
        for rule in ((), (5.0,), (0.1, True), (20.0, False, True))
    ],
    "mznc": lambda t: [
        borda.mznc(t.runs, objectives=objectives(t)),
        borda.mznc_points(t.weighted, objectives=objectives(t)),
    ],
    "contribution": lambda t: [
        contribution.vbs_without(t.costs, empty=1000.0),
        contribution.amc(t.costs, empty=1000.0),
        contribution.rmc(contribution.amc(t.costs, empty=1000.0)),
        contribution.shapley(t.costs, empty=1000.0),
    ],
    "ranks": lambda t: [
        ranking.ranks(row, higher_is_better=up, ties=ties, tolerance=20.0 * up)
        for row in t.costs
        for up in (False, True)
        for ties in ("first", "mean")
    ],
    "kendall_tau_b": lambda t: ranking.kendall_tau_b(t.costs[:, 0], second=t.costs[:, 1]),
    "runs": lambda t: [
        [r.lines(), r.par(2.5), r.mean(r.times), r.answered, r.cutoffs, r.shares]
        for r in (t.runs, t.weighted)
    ],
    "rescale": lambda t: scale.rescale(t.costs, zero=t.costs[:, :1], one=t.costs[0]),
    "clip": lambda t: scale.clip(scale.rescale(t.costs, zero=900.0, one=t.costs[0]), low=-0.5, high=0.9),
    "closed": lambda t: [
        scale.closed(t.costs, sbs=t.costs[:, :1], vbs=t.costs.min(1, keepdims=True)),
        scale.sbs_where_equal(t.costs, t.costs[:, :1]),
    ],
    "incomplete": lambda t: [
        scale.incomplete(t.qualities, maximize=np.arange(len(t.costs)) % 2 == 0),
        scale.satisficing(t.qualities, best_known=t.qualities[:, 0]),
        scale.scaled_score(t.qualities, proven=t.solved, alpha=0.2, beta=0.6),
        scale.scaled_score(t.qualities, proven=t.times < 50, maximize=True),
    ],
    "delta_sweep": lambda t: [
        sweep(delta.delta_sweep(r, relative=rel, modified=mod))
        for r in (t.runs, t.weighted)
        for rel in (False, True)
        for mod in (False, True)
    ],
    "penalty_sweep": lambda t: [
        sweep(gaps.penalty_sweep(t.runs)),
        sweep(gaps.penalty_sweep(t.weighted, portfolio=[1, 0])),
    ],
    "cutoff_sweep": lambda t: [
        sweep(gaps.cutoff_sweep(t.runs)),
        sweep(gaps.cutoff_sweep(t.runs, penalty=2.0, at_cutoff="solved")),
    ],
    "curves": lambda t: [
        curves.last_of_equal(np.sort(t.costs[:, 0])),
        curves.first_of_equal(np.sort(t.costs[:, 0])),
        curves.first_of_equal(t.costs),
        curves.largest_of_near(t.costs[:, 0], within=np.full(len(t.costs), 12.0)),
        curves.steps(np.arange(len(t.costs)) * 1.0, t.times[:, 0]),
        curves.running_sum(t.times[:, 0]),
        curves.replaced_sums(t.times[:, 0], old=t.times[:, 0], new=t.times[:, 1]),
        curves.exact_sums(t.times),
        curves.mean_of_least(t.times, t.times[:, ::-1], weights=np.ones(len(t.times))),
        curves.thinned(np.arange(len(t.times)) * 1.0, t.times[:, 0], low=1.0, high=7.0, places=3),
    ],
    "superiority": lambda t: [
        [found, effects.magnitude(found.cliff)]
        for low in (False, True)
        for found in [
            effects.superiority(t.costs[:, 0], t.costs[:, 1], lower_is_better=low, confidence=0.9)
        ]
    ],
    "win_share": lambda t: effects.win_share(t.differences),
    "resampled_counts": lambda t: means.resampled_counts(len(t.costs), size=5, rng=seeded()),
    "friedman": lambda t: [
        [found, friedman.nemenyi(ranks.mean(axis=0), n=len(ranks))]
        for low in (False, True)
        for ranks in [friedman.rank_systems(t.costs, lower_is_better=low)]
        for found in [friedman.friedman(ranks)]
    ],
    "critical_difference": lambda t: [
        friedman.critical_difference(k, len(t.costs), alpha=alpha, method=method)
        for k in (2, 3, 7)
        for alpha in (0.05, 0.1)
        for method in ("nemenyi", "bonferroni-dunn")
    ],
    "dunn": lambda t: friedman.dunn(t.costs.mean(axis=0) / 100, k=3, n=len(t.costs)),
    "cliques": lambda t: friedman.cliques(t.costs.mean(axis=0), difference=30.0),
    "bounded_means": lambda t: means.bounded_means(t.costs, least=0.0, most=1000.0, confidence=0.9),
    "unbounded_means": lambda t: [
        means.unbounded_means(t.costs, rng=seeded(), resamples=199, strict=strict)
        for strict in (True, False)
    ],
    "cost_means": lambda t: [
        means.cost_means(t.costs, ceiling, level=0.95, seed=3) for ceiling in (None, 1000.0)
    ],
    "student_widths": lambda t: means.student_widths(t.costs),
    "enough": lambda t: (
        [means.enough(confidence) for confidence in (0.5, 0.9, 0.95, 0.999)]
        + [means.strict_tail(tail, len(t.costs)) for tail in (0.01, 0.025, 0.2)]
    ),
    "adjust": lambda t: [
        multiplicity.adjust(t.times[:, 0] / 130, method=method)
        for method in ("holm", "hochberg", "bonferroni", "bh", "none")
    ],
    "levels": lambda t: [
        multiplicity.levels(len(t.costs), alpha=0.1, method=method)
        for method in ("holm", "bonferroni", "none")
    ],
    "paired": lambda t: [
        found
        for side in SIDES
        for found in (
            paired.paired_t(t.differences, alternative=side),
            paired.corrected_resampled_t(t.differences, test_to_train=0.25, alternative=side),
            paired.sign_test(t.differences, alternative=side, confidence=0.9),
        )
    ],
    "bootstrap": lambda t: resampling.bootstrap(
        t.costs,
        t.costs.min(axis=1),
        np.arange(t.costs.shape[1]) > 0,
        draws=20,
        rng=seeded(),
        criterion=t.times,
        groups=t.groups,
    ),
    "resampled": lambda t: [
        resampling.ranks(t.costs),
        resampling.interval(t.costs[:, 0], level=0.8),
        resampling.fieller(t.costs, t.times + 1, level=0.9),
        resampling.instances_of_sbs(t.costs, 0),
    ],
    "scott_knott_blocked": lambda t: [
        scott_knott.scott_knott_blocked(t.costs, order=order, confirmed=confirmed)
        for order in ("ascending", "descending")
        for confirmed in (True, False)
    ],
    "signed_rank": lambda t: [
        signed_rank.signed_rank(t.differences, alternative=side, zeros=zeros, method=how, correction=fixed)
        for side in SIDES
        for zeros in ("drop", "pratt", "split")
        for how in ("auto", "exact", "normal")
        for fixed in (False, True)
    ],
    "null_distribution": lambda t: signed_rank.null_distribution(
        np.arange(1.0, len(t.costs) % 9 + 2), upto=5
    ),
    "hodges_lehmann": lambda t: [
        signed_rank.hodges_lehmann(t.differences, confidence=level, alternative=side)
        for side in SIDES
        for level in (0.8, 0.95)
    ],
    "tolerant_ranks": lambda t: [
        tolerant_ranks.paired_differences(t.costs[:, 0], t.costs[:, 1]),
        tolerant_ranks.rounded(t.costs, digits=2),
        tolerant_ranks.average_ranks(t.costs[:, 0]),
        tolerant_ranks.tied_cubes(t.costs[:, 0]),
        tolerant_ranks.binary_scale(t.costs),
        tolerant_ranks.binary_scales(t.costs),
        tolerant_ranks.column_means(t.costs),
        tolerant_ranks.column_medians(t.costs),
    ],
    "distributions": lambda t: [
        found
        for x in (0.1, 0.5, float(t.times[0, 0] / 131))
        for found in (
            distributions.normal_sf(x),
            distributions.normal_cdf(-x),
            distributions.normal_quantile(x),
            distributions.t_sf(x, 3),
            distributions.t_quantile(x, 4),
            distributions.noncentral_t_sf(x, 5, 1.5),
            distributions.f_sf(x, 2, 7),
            distributions.chi2_sf(x, 3),
            distributions.chi2_quantile(x, 2),
            distributions.coin_sf(5, 9),
            distributions.beta_quantile(x, 2, 3),
            distributions.studentized_range_quantile(x, 3),
            distributions.studentized_range_sf(np.array([x, 3.0]), 4),
        )
    ],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
