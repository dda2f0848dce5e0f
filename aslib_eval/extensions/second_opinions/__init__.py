"""What ``compare`` shows beside its tests: answers of other schools, and their doubts.

``bayes``: posterior probabilities with a region of practical equivalence (ROPE): how likely it is, given
the data and the prior, that one system is better by more than what matters in practice. It promises no
error rate: where two systems are equal and the region is small, one of them may well seem better with
probability 0.95, in more than one of twenty experiments.

``anova``: the linear model of the block design. ``normality``: the bootstrap distribution of the mean
differences. Tests of pairs need neither: they are what the paper's authors put beside them, to see whether
a t test may be trusted (Campelo and Wanner 2020, eq. 1 and 2 and footnote 11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
import scipy  # whose parts are loaded when they are used

from aslib_eval.analysis.compare.beside import PAIR, Beside, Row
from aslib_eval.analysis.compare.pairs import LEAST_P, advantage_of, as_shares, wanted_pairs
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.systems import amount, p_words
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Line, Linear, look
from aslib_eval.statistics.distributions import Floats, binary_scale, chi2_sf, f_sf, normal_quantile, t_sf
from aslib_eval.statistics.means import resampled_counts
from aslib_eval.statistics.paired import corrected_resampled_t
from aslib_eval.text import join_words, plural, significant

DRAWS = 10_000  # of a posterior: a probability is known to 0.005 or better
PRIOR = 0.5  # weight of the pseudo-instance without a difference
_CELLS = 2_000_000  # weights in memory at once
_SAME = 1e-12  # shares that differ by less are equal


@dataclass(frozen=True)
class RopePosterior:
    """Probabilities that the effect is above, in and below the region.

    Above it the first system is better. They add up to 1. ``draws``: of how many
    draws of the posterior they are shares; None where they are exact.
    """

    better: float
    equal: float
    worse: float
    draws: int | None = None


def bayesian_signed_rank(
    differences: Floats, *, rope: float, rng: np.random.Generator, draws: int = DRAWS, prior: float = PRIOR
) -> list[RopePosterior]:
    """The Bayesian signed-rank test of each column of paired differences.

    differences: (n,) or (n, m), positive where the first system is better. ``rope``: half the width of the
    region, in their unit; 0 leaves no room for equality. The weights of the n instances, and of one
    pseudo-instance without a difference and of weight ``prior``, are Dirichlet distributed. The effect is
    the typical difference, the median over pairs of instances of their mean difference (Hodges and
    Lehmann's): it is above the region in the draws in which more than half of the weight of the pairs lies
    above (half a pair on its edge; a draw of exactly half is split), and below likewise. All columns see
    the same draws, so that their order has no influence. All differences 0: equal for certain, or with rope
    0 even odds.

    The papers and the package baycomp count the draws in which the share above is the largest of the three
    instead. That is the same for rope 0, but no probability of an effect: with an effect on the edge of a
    region that holds most differences it comes near 1.

    Source: Benavoli et al. 2014 and 2017, of which are the draws; the prior and the halves are those of the
    package baycomp.
    """
    _require_width(rope)
    columns = np.asarray(differences, float).reshape(len(differences), -1)
    n, m = columns.shape
    found = np.zeros((m, 3))
    step = max(1, _CELLS // (n + 1))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        weights = np.empty((size, n + 1))
        weights[:, 0] = rng.standard_gamma(prior, size)
        weights[:, 1:] = rng.standard_exponential((size, n))
        weights /= weights.sum(axis=1, keepdims=True)
        for at in range(m):
            found[at] += _effects(np.append(0.0, columns[:, at]), weights, rope)
    return [RopePosterior(up, same, down, draws) for up, same, down in (found / draws).tolist()]


def _effects(values: Floats, weights: Floats, rope: float) -> Floats:
    """(3,) draws in which the typical difference is above, in and below the region."""
    order = np.argsort(values, kind="stable")
    ordered, own = values[order], weights[:, order]
    upto = np.zeros((own.shape[0], own.shape[1] + 1))
    np.cumsum(own, axis=1, out=upto[:, 1:])
    above = 1 - (own * _below(upto, ordered, 2 * rope - ordered)).sum(axis=1)
    below = (own * _below(upto, ordered, -2 * rope - ordered)).sum(axis=1)
    up, down = _more_than_half(above), _more_than_half(below)
    return np.array([up, own.shape[0] - up - down, down])


def _more_than_half(shares: Floats) -> float:
    far = shares - 0.5
    return float((far > _SAME).sum() + (abs(far) <= _SAME).sum() / 2)


def _below(upto: Floats, ordered: Floats, edges: Floats) -> Floats:
    """(draws, n) weight of the values below each edge; of those on it half."""
    noise = _SAME * max(abs(ordered).max(), abs(edges).max())
    first = np.searchsorted(ordered, edges - noise, side="left")
    last = np.searchsorted(ordered, edges + noise, side="right")
    found: Floats = (upto[:, first] + upto[:, last]) / 2
    return found


def correlated_t(d: Floats, *, test_to_train: float, rope: float) -> RopePosterior:
    """The Bayesian correlated t test of differences over cross-validation folds.

    d: (J,) differences, one for each fold of each repetition. The posterior of the mean is Student's t with
    the spread of ``corrected_resampled_t``, so it is exact. Without any spread it is a point: on the edge
    of the region both are equal, at 0 with rope 0 the odds are even.

    Source: Corani and Benavoli 2015; Benavoli et al. 2017.
    """
    _require_width(rope)
    found = corrected_resampled_t(d, test_to_train=test_to_train)
    if found.se:
        better = t_sf((rope - found.mean) / found.se, found.df)
        worse = t_sf((rope + found.mean) / found.se, found.df)
    elif rope == found.mean == 0:
        better = worse = 0.5
    else:
        better, worse = float(found.mean > rope), float(found.mean < -rope)
    return RopePosterior(better, max(0.0, 1 - better - worse), worse)


def _require_width(rope: float) -> None:
    if not (isfinite(rope) and rope >= 0):
        raise AslibError(
            f"{rope:g} is not the width of a region of practical equivalence",
            hint="Give half its width: 0 or more.",
        )


_FLAT = 1e-12  # of the total sum of squares: less is the noise of rounding


def block_anova(values: Floats) -> Row:
    """Two-way analysis of variance without interaction: ANOVA_COLUMNS of systems, and units as blocks.

    values: (n, k), a row for each unit, a column for each system; n, k >= 2. Where no residual varies, F
    and p are None. ``epsilon`` is 1 where all differences of systems vary alike, and at least 1 / (k - 1).
    Tukey's test asks whether the effect of a system is the same on easy and hard blocks. ``normal_p`` is of
    the residuals' skewness and kurtosis together, an approximation below some hundred residuals.
    ``spread_ratio`` is None if the residuals of a system do not vary.

    Source: Campelo and Wanner 2020, eq. 1 and 2; Montgomery 2013, chapter 4; Tukey 1949; Greenhouse and
    Geisser 1959; Jarque and Bera 1980.
    """
    n, k = values.shape
    if n < 2:  # noqa: PLR2004
        raise AslibError(f"{k} systems on {n} units make no block design", hint="Take 2 of each at least.")
    scale = binary_scale(values)
    values = values / scale
    centred = values - values.mean()
    systems, blocks = centred.mean(axis=0), centred.mean(axis=1)
    residuals = centred - systems - blocks[:, None]
    error, df, df_error = float(np.square(residuals).sum()), k - 1, (k - 1) * (n - 1)
    found: Row = dict.fromkeys(ANOVA_COLUMNS)
    found |= {"n": n, "k": k, "df": df, "df_error": df_error, "sd": 0.0}
    if error <= _FLAT * float(np.square(centred).sum()):
        return found
    mean_square = error / df_error
    f = n * float(np.square(systems).sum()) / df / mean_square
    f_blocks = k * float(np.square(blocks).sum()) / (n - 1) / mean_square
    epsilon, additive = _epsilon(values), _additive(residuals, systems, blocks, error)
    (skew, kurtosis), spread = moments(residuals.ravel()), residuals.std(axis=0)
    return found | {
        "f": f,
        "p": f_sf(f, df, df_error),
        "epsilon": epsilon,
        "p_epsilon": f_sf(f, df * epsilon, df_error * epsilon),
        "f_blocks": f_blocks,
        "p_blocks": f_sf(f_blocks, n - 1, df_error),
        "sd": float(np.sqrt(mean_square)) * scale,
        "additive_f": additive,
        "additive_p": None if additive is None else f_sf(additive, 1, df_error - 1),
        "skew": skew,
        "kurtosis": kurtosis,
        "normal_p": None
        if skew is None or kurtosis is None
        else chi2_sf(n * k / 6 * (skew**2 + kurtosis**2 / 4), 2),
        "spread_ratio": None
        if spread.min() <= _FLAT * spread.max()
        else float(spread.max() / spread.min()),
    }


def _epsilon(values: Floats) -> float:
    covariance = np.cov(values, rowvar=False)
    centred = covariance - covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    return float(np.trace(centred) ** 2 / ((values.shape[1] - 1) * np.square(centred).sum()))


def _additive(residuals: Floats, systems: Floats, blocks: Floats, error: float) -> float | None:
    """Tukey's F with 1 degree of freedom; None where it has no error left."""
    n, k = residuals.shape
    products = float(np.square(systems).sum() * np.square(blocks).sum())
    left = (k - 1) * (n - 1) - 1
    if left < 1 or products == 0:
        return None
    part = float(blocks @ residuals @ systems) ** 2 / products
    rest = error - part
    return None if rest <= _FLAT * error else part / (rest / left)


def moments(values: Floats) -> tuple[float | None, float | None]:
    """Skewness and excess kurtosis, both null without spread."""
    if np.ptp(values) == 0:
        return None, None
    scaled = values / binary_scale(values)
    centred = scaled - scaled.mean()
    variance = float(np.square(centred).mean())
    skew = float((centred**3).mean()) / variance**1.5
    return skew, float((centred**4).mean()) / variance**2 - 3


@dataclass(frozen=True)
class ResampledMean:
    """How the mean of resampled differences is distributed, against a normal one.

    All but ``means`` are None without spread. ``distance``: largest distance of the two distribution
    functions (Kolmogorov's). ``below`` and ``above``: share of resampled means further from the mean than
    1.96 standard errors on a side; 0.025 if normal.
    """

    means: Floats  # in ascending order
    skew: float | None
    kurtosis: float | None
    distance: float | None
    below: float | None
    above: float | None


def resampled_mean(d: Floats, *, rng: np.random.Generator, resamples: int = 4999) -> ResampledMean:
    """The bootstrap distribution of the mean of paired differences.

    d: (n,) differences. It shows what the t test takes for granted: that the mean, not the single
    difference, is nearly normal. The standard error is that of the resampled means themselves. It cannot
    show what no instance of the sample has, such as a rare timeout.

    Source: Efron and Tibshirani 1993, chapter 6; Campelo and Takahashi 2019.
    """
    d = np.asarray(d, float)
    if d.size < 2:  # noqa: PLR2004
        raise AslibError(f"{d.size} differences say nothing of their mean")
    scale = binary_scale(d)
    step = max(1, _CELLS // d.size)
    parts = [
        resampled_counts(d.size, size=min(step, resamples - start), rng=rng) @ (d / scale)
        for start in range(0, resamples, step)
    ]
    means = np.sort(np.concatenate(parts)) / d.size
    if np.ptp(d) == 0:
        return ResampledMean(means * scale, *(None,) * 5)
    skew, kurtosis = moments(means)
    at = (means - means.mean()) / means.std()
    expected = scipy.special.ndtr(at)
    steps = np.arange(resamples + 1) / resamples
    distance = max(abs(expected - steps[1:]).max(), abs(expected - steps[:-1]).max())
    edge = normal_quantile(0.975)
    return ResampledMean(
        means=means * scale,
        skew=skew,
        kurtosis=kurtosis,
        distance=float(distance),
        below=float((at < -edge).mean()),
        above=float((at > edge).mean()),
    )


_DETAILED = 5  # systems that a sentence names
_FEW = 10  # units below which a posterior comes with a remark
_DOUBT = 0.05  # p of a check of the residuals
_UNEQUAL = 3.0  # ratio of standard deviations
BAYES_COLUMNS: Mapping[str, str] = {
    **PAIR,
    "method": "signed-rank, over folds correlated t",
    "rope": "half the width of the region of practical equivalence [as advantage]",
    "p_better": "probability that the effect is above the region: the typical "
    "difference (Hodges and Lehmann's), over folds the mean",
    "p_equal": "probability that it is in the region: both are practically equal",
    "p_worse": "probability that it is below: the other is better by more than that",
    "verdict": "what has a probability of 1 - alpha: better, equal or worse; else null",
    "n": "units",
    "draws": "of the posterior; null where it is exact",
}
ANOVA_COLUMNS: Mapping[str, str] = {
    "n": "units, the blocks",
    "k": "systems",
    "f": "of the systems; null where no residual varies",
    "df": "k - 1",
    "df_error": "(k - 1)(n - 1)",
    "p": "of F: that all systems have the same mean",
    "epsilon": "Greenhouse and Geisser's: 1 where all differences vary alike",
    "p_epsilon": "p with the degrees of freedom times epsilon",
    "f_blocks": "of the units",
    "p_blocks": "of F of the units",
    "sd": "standard deviation of the residuals",
    "additive_f": "Tukey's F that the units change the size of the effects",
    "additive_p": "of it: small where the model without interaction does not hold",
    "skew": "of the residuals",
    "kurtosis": "of the residuals, in excess of the normal distribution's",
    "normal_p": "Jarque and Bera's: small where the residuals are not normal",
    "spread_ratio": "largest over smallest standard deviation of a system's residuals",
}
NORMALITY_COLUMNS: Mapping[str, str] = {
    **PAIR,
    "skew": "of the differences; null without spread",
    "kurtosis": "of the differences, in excess of the normal distribution's",
    "mean_skew": "of the resampled means",
    "mean_kurtosis": "of the resampled means, in excess",
    "distance": "largest distance to the normal distribution function (Kolmogorov)",
    "below": "share of resampled means 1.96 standard errors below; 0.025 if normal",
    "above": "share of those above",
    "n": "independent units",
}


def _require_rope(_question: Question, rope: float | None) -> None:
    if rope is None:
        raise AslibError(
            "a Bayesian comparison needs a region of practical equivalence", hint="Set it with --rope."
        )


def _require_independent(question: Question, _rope: float | None) -> None:
    if question.unit == "folds":
        raise AslibError("folds are not independent", hint="Use --unit instances.")


def _bayes(block: Block, question: Question, rope: float) -> tuple[list[Row], str]:
    wanted = wanted_pairs(block, question)
    columns = [advantage_of(block, question, i, j) for i, j in wanted]
    if block.test_to_train is None:
        method = "signed-rank"
        rng = np.random.default_rng(question.seed)
        room = np.log1p(rope) if block.logs else rope
        found = bayesian_signed_rank(np.column_stack(columns), rope=room, rng=rng)
    else:
        method, ratio = "correlated t", block.test_to_train
        found = [correlated_t(d, test_to_train=ratio, rope=rope) for d in columns]
    rows = []
    for (i, j), posterior in zip(wanted, found, strict=True):
        three = {"better": posterior.better, "equal": posterior.equal, "worse": posterior.worse}
        sure = [word for word, p in three.items() if p >= 1 - question.alpha]
        rows.append(
            {
                "system": block.systems[i],
                "other": block.systems[j],
                "method": method,
                "rope": rope,
                **{f"p_{word}": p for word, p in three.items()},
                "verdict": sure[0] if sure else None,
                "n": block.n,
                "draws": posterior.draws,
            }
        )
    return rows, _bayes_in_words(rows, question) + _by_the_mean(block, question, rows)


def _bayes_in_words(rows: Sequence[Row], question: Question) -> str:
    size = amount(rows[0]["rope"], question)
    ranks = rows[0]["method"] == "signed-rank"
    of = "typical difference (Hodges-Lehmann)" if ranks else "mean difference"
    text = f"Bayesian {rows[0]['method']} test of the {of}. Differences up to {size} count as equal"
    if len(rows) == 1:
        (row,) = rows
        better, equal, worse = (_odds(row[f"p_{word}"]) for word in ("better", "equal", "worse"))
        how = "typically " if ranks else ""
        text += f". {row['system']} is {how}better than {row['other']} with probability {better},"
        text += f" equal with {equal} and worse with {worse}"
    else:
        one = rows[0]["system"] if question.versus is None else question.versus
        told = [row for row in rows if one in (row["system"], row["other"])]
        how = "typically" if ranks else "surely"
        text += f". {one} is {_verdicts(told, str(one), how)}"
        text += f". Here, '{how}' means with a probability of at least {1 - question.alpha:g}"
    text += ". These probabilities do not control the error rate."
    if ranks and rows[0]["n"] < _FEW:
        text += f" With n = {rows[0]['n']}, the prior and a few units decide the result."
    return text


def _by_the_mean(block: Block, question: Question, rows: Sequence[Row]) -> str:
    """Pairs that are called equal although their means differ by more than the region."""
    apart = []
    for row in rows:
        if row["verdict"] == "equal" and row["method"] == "signed-rank":
            pair = (block.systems.index(row[name]) for name in ("system", "other"))
            mean = {"advantage": float(advantage_of(block, question, *pair).mean())}
            as_shares(mean, block, question)
            if abs(mean["advantage"]) > row["rope"]:
                apart.append((abs(mean["advantage"]), row["system"], row["other"]))
    if not apart:
        return ""
    most, one, other = max(apart)
    return (
        f" The test calls {len(apart)} of {plural(len(rows), 'pair')} equal although their mean difference "
        f"is larger ({one} and {other}: {amount(most, question)})."
    )


def _verdicts(rows: Sequence[Row], one: str, how: str) -> str:
    """The systems that one is better than, equal to or worse than; for many their number."""
    turned = {"better": "worse", "worse": "better"}
    whom: dict[str | None, list[str]] = {}
    for row in rows:
        is_first = row["system"] == one
        word = row["verdict"] if is_first else turned.get(row["verdict"], row["verdict"])
        whom.setdefault(word, []).append(row["other"] if is_first else row["system"])
    says = {
        "better": f"{how} better than",
        "equal": f"{how} equal to",
        "worse": f"{how} worse than",
        None: "without a verdict against",
    }
    told = {word: whom[word] for word in says if word in whom}
    return ", ".join(
        f"{says[word]} {plural(len(names), 'other') if len(names) > _DETAILED else join_words(names)}"
        for word, names in told.items()
    )


def _odds(p: float) -> str:
    """A probability to two digits, never rounded to 0 or 1."""
    if p < 0.005:  # noqa: PLR2004
        return "below 0.01"
    return "above 0.99" if p > 0.995 else f"{p:.2f}"  # noqa: PLR2004


def _anova(block: Block, _question: Question, _rope: float) -> tuple[list[Row], str]:
    row = block_anova(block.values)
    for name in ("p", "p_epsilon", "p_blocks", "additive_p", "normal_p"):
        row[name] = None if row[name] is None else max(row[name], LEAST_P)
    return [row], _anova_in_words(row)


def _anova_in_words(row: Row) -> str:
    if row["f"] is None:
        return "Linear model with units as blocks: no residual varies."
    text = (
        f"Linear model with units as blocks: F({row['df']}, {row['df_error']}) ="
        f" {significant(row['f'])}, {p_words(row['p'])}"
        f" ({p_words(row['p_epsilon'])} after correction for unequal variances)."
    )
    doubts = []
    if row["additive_p"] is not None and row["additive_p"] <= _DOUBT:
        doubts.append("effects differ between easy and hard units (Tukey's test)")
    if row["normal_p"] <= _DOUBT:
        doubts.append("residuals are not normal (Jarque-Bera test)")
    if row["spread_ratio"] is None or row["spread_ratio"] > _UNEQUAL:
        doubts.append("the systems have different variances")
    if not doubts:
        return f"{text} The residuals give no reason to doubt it."
    return f"{text} The model may be wrong: {', '.join(doubts)}."


def _normality(block: Block, question: Question, _rope: float) -> tuple[list[Row], str]:
    rows = []
    for i, j in wanted_pairs(block, question):
        d = advantage_of(block, question, i, j)
        found = resampled_mean(d, rng=np.random.default_rng(question.seed))
        skew, kurtosis = moments(d)
        rows.append(
            {
                "system": block.systems[i],
                "other": block.systems[j],
                "skew": skew,
                "kurtosis": kurtosis,
                "mean_skew": found.skew,
                "mean_kurtosis": found.kurtosis,
                "distance": found.distance,
                "below": found.below,
                "above": found.above,
                "n": block.n,
            }
        )
    return rows, _normality_in_words(rows)


def _normality_in_words(rows: Sequence[Row]) -> str:
    varied = [row for row in rows if row["distance"] is not None]
    if not varied:
        return "Bootstrap of the mean differences: nothing varies."
    worst = max(varied, key=lambda row: row["distance"])
    return (
        f"Bootstrap of {plural(len(varied), 'mean difference')} (n = {worst['n']}):"
        f" the difference of {worst['system']} and {worst['other']} is furthest from normal"
        f" (distance {worst['distance']:.3f}). {100 * worst['below']:.1f} % of its means are below"
        f" the normal 95 % range and {100 * worst['above']:.1f} % above it, instead of 2.5 % each."
    )


_QUANTILES = 99  # of a distribution, as a chart shows it


def mean_quantiles_of(block: Block, question: Question) -> dict[str, list[tuple[float, float]]]:
    """Pair → (normal, resampled) quantiles of its mean, in standard errors.

    Pairs without spread are left out.
    """
    shares = np.arange(1, _QUANTILES + 1) / (_QUANTILES + 1)
    normal = [normal_quantile(float(share)) for share in shares]
    quantiles = {}
    for i, j in wanted_pairs(block, question):
        d = advantage_of(block, question, i, j)
        means = resampled_mean(d, rng=np.random.default_rng(question.seed)).means
        if np.ptp(means) > 0:
            scaled = (np.quantile(means, shares) - means.mean()) / means.std()
            pair = f"{block.systems[i]} vs {block.systems[j]}"
            quantiles[pair] = list(zip(normal, scaled.tolist(), strict=True))
    return quantiles


BAYES = Beside(
    BAYES_COLUMNS,
    _bayes,
    _require_rope,
    texts=("system", "other", "method", "verdict"),
    counts=("n", "draws"),
)
ANOVA = Beside(ANOVA_COLUMNS, _anova, _require_independent, counts=("n", "k", "df", "df_error"))


MOST = 8  # pairs whose lines are told apart


def mean_quantiles(quantiles: Mapping[str, Sequence[tuple[float, float]]]) -> Chart:
    """Quantiles of the resampled mean of each pair against those of a normal one.

    quantiles: pair → (normal, resampled) in standard errors from the mean, of ``mean_quantiles_of``. On the
    grey line the mean is normal; where a line leaves it at an end, that tail of a t test errs.

    Source: Campelo and Wanner 2020, footnote 11.
    """
    if not 0 < len(quantiles) <= MOST:
        raise AslibError(
            f"{len(quantiles)} pairs do not make a readable chart",
            hint=f"Hold against one with --versus (up to {MOST}).",
        )
    points = [point for line in quantiles.values() for point in line]
    low, high = min(min(pair) for pair in points), max(max(pair) for pair in points)
    lines = [
        Line([list(pair) for pair in line], name=name, color=d.color, dash=d.dash)
        for d, (name, line) in zip(map(look, range(len(quantiles))), quantiles.items(), strict=True)
    ]
    return Chart(
        "Resampled mean differences against a normal distribution",
        "The closer to the grey line, the more reliable is a t test.",
        Linear("normal quantile", low, high),
        Linear("quantile of the mean [standard errors]", low, high),
        [Line([[low, low], [high, high]], name="normal", color="faint"), *lines],
        height=400,
    )


NORMALITY = Beside(
    NORMALITY_COLUMNS,
    _normality,
    _require_independent,
    chart=lambda block, question: mean_quantiles(mean_quantiles_of(block, question)),
)
