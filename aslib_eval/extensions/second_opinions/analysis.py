"""What ``compare`` shows beside its tests: answers of other schools, and their doubts.

``bayes``: posterior probabilities with a region of practical equivalence. ``anova``: the linear model of
the block design. ``normality``: the bootstrap distribution of the mean differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from aslib_eval.analysis.compare.beside import PAIR, Beside, Row
from aslib_eval.analysis.compare.pairs import LEAST_P, advantage_of, as_shares, wanted_pairs
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.sentences import amount, p_words
from aslib_eval.errors import AslibError
from aslib_eval.extensions.second_opinions.statistics import (
    bayesian_signed_rank,
    block_anova,
    correlated_t,
    moments,
    resampled_mean,
)
from aslib_eval.figures.chart import Chart, Line, Linear, look
from aslib_eval.statistics.distributions import normal_quantile
from aslib_eval.text import join_words, plural, significant

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
            "a Bayesian comparison needs a region of practical equivalence",
            hint="Say with --rope what does not matter.",
        )


def _require_independent(question: Question, _rope: float | None) -> None:
    if question.unit == "folds":
        raise AslibError("folds are not independent", hint="Use --unit instances.")


def _bayes(block: Block, question: Question, rope: float) -> tuple[list[Row], str]:
    rows = bayes_rows(block, question, rope)
    return rows, _bayes_in_words(rows, question) + _by_the_mean(block, question, rows)


def bayes_rows(block: Block, question: Question, rope: float) -> list[Row]:
    """One row of BAYES_COLUMNS for each pair."""
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
    return rows


def _bayes_in_words(rows: Sequence[Row], question: Question) -> str:
    size = amount(rows[0]["rope"], question)
    ranks = rows[0]["method"] == "signed-rank"
    of = "typical difference (Hodges-Lehmann)" if ranks else "mean difference"
    text = f"Bayesian {rows[0]['method']} test of the {of}; up to {size} does not matter"
    if len(rows) == 1:
        text += f": {_one_posterior(rows[0])}"
    else:
        one = rows[0]["system"] if question.versus is None else question.versus
        told = [row for row in rows if one in (row["system"], row["other"])]
        how = "typically" if ranks else "surely"
        text += f": {one} is {_verdicts(told, str(one), how)}"
        text += f"; {how}: with a probability of at least {1 - question.alpha:g}"
    text += ". A probability promises no error rate."
    if ranks and rows[0]["n"] < _FEW:
        text += f" With n = {rows[0]['n']} the prior and few units decide it."
    return text


def _by_the_mean(block: Block, question: Question, rows: Sequence[Row]) -> str:
    """That means differ by more than does not matter, of whom it says equal."""
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
        f" Of the {plural(len(rows), 'pair')}, {len(apart)} that it calls equal differ"
        f" by more in the mean, {one} and {other} by {amount(most, question)}."
    )


def _one_posterior(row: Row) -> str:
    how = "typically " if row["method"] == "signed-rank" else ""
    return (
        f"{row['system']} is {how}better than {row['other']} with probability"
        f" {_odds(row['p_better'])}, equal {_odds(row['p_equal'])},"
        f" worse {_odds(row['p_worse'])}"
    )


def _verdicts(rows: Sequence[Row], one: str, how: str) -> str:
    """Than whom one is better, equal or worse, and how; of many their number."""
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
        None: "none of these beside",
    }
    told = []
    for word, words in says.items():
        if names := whom.get(word, []):
            many = len(names) > _DETAILED
            told.append(f"{words} {plural(len(names), 'other')}" if many else
                        f"{words} {join_words(names)}")  # fmt: skip
    return ", ".join(told)


def _odds(p: float) -> str:
    """A probability to two digits, which is neither 0 nor 1 for being near."""
    if p < 0.005:  # noqa: PLR2004
        return "below 0.01"
    return "above 0.99" if p > 0.995 else f"{p:.2f}"  # noqa: PLR2004


def _anova(block: Block, _question: Question, _rope: float) -> tuple[list[Row], str]:
    found = block_anova(block.values)
    row = {name: getattr(found, name) for name in ANOVA_COLUMNS}
    for name in ("p", "p_epsilon", "p_blocks", "additive_p", "normal_p"):
        row[name] = None if row[name] is None else max(row[name], LEAST_P)
    return [row], _anova_in_words(row)


def _anova_in_words(row: Row) -> str:
    if row["f"] is None:
        return "Linear model with units as blocks: no residual varies."
    text = (
        f"Linear model with units as blocks: F({row['df']}, {row['df_error']}) ="
        f" {significant(row['f'])}, {p_words(row['p'])}; corrected for unequal"
        f" variances {p_words(row['p_epsilon'])}."
    )
    doubts = []
    if row["additive_p"] is not None and row["additive_p"] <= _DOUBT:
        doubts.append("effects differ between easy and hard units (Tukey)")
    if row["normal_p"] <= _DOUBT:
        doubts.append("residuals are not normal (Jarque-Bera)")
    if row["spread_ratio"] is None or row["spread_ratio"] > _UNEQUAL:
        doubts.append("systems vary differently")
    if not doubts:
        return f"{text} The residuals give no reason to doubt it."
    return f"{text} The model is in doubt: {', '.join(doubts)}."


def _normality(block: Block, question: Question, _rope: float) -> tuple[list[Row], str]:
    rows = normality_rows(block, question)
    return rows, _normality_in_words(rows)


def normality_rows(block: Block, question: Question) -> list[Row]:
    """One row of NORMALITY_COLUMNS for each pair; all see the same resamples."""
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
    return rows


def _normality_in_words(rows: Sequence[Row]) -> str:
    varied = [row for row in rows if row["distance"] is not None]
    if not varied:
        return "Bootstrap of the mean differences: nothing varies."
    worst = max(varied, key=lambda row: row["distance"])
    return (
        f"Bootstrap of {plural(len(varied), 'mean difference')} (n = {worst['n']}):"
        f" furthest from normal is that of {worst['system']} and {worst['other']}, by"
        f" {worst['distance']:.3f} of probability; {100 * worst['below']:.1f} % of the"
        f" means are far below and {100 * worst['above']:.1f} % far above, not 2.5 %."
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
_NORMALITY = Beside(NORMALITY_COLUMNS, _normality, _require_independent)


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
        "The nearer to the grey line, the more a t test may be trusted.",
        Linear("normal quantile", low, high),
        Linear("quantile of the mean [standard errors]", low, high),
        [Line([[low, low], [high, high]], name="normal", color="faint"), *lines],
        height=400,
    )


NORMALITY = replace(
    _NORMALITY, chart=lambda block, question: mean_quantiles(mean_quantiles_of(block, question))
)
