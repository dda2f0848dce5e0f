"""Answers beside the tests of a comparison, each computed only when it is asked for.

``steps``: every test at the level of its rank. ``bayes``: posterior probabilities with
a region of practical equivalence. ``anova``: the linear model of the block design.
``normality``: the bootstrap distribution of the mean differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.compare.blocks import blocks
from aslib_eval.analysis.compare.pairs import (
    LEAST_P,
    advantage_of,
    as_shares,
    mean_intervals,
    pair_rows,
    wanted_pairs,
)
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.sentences import amount, p_words
from aslib_eval.errors import AslibError
from aslib_eval.statistics.bayesian import bayesian_signed_rank, correlated_t
from aslib_eval.statistics.block_design import block_anova, moments, resampled_mean
from aslib_eval.statistics.distributions import normal_quantile
from aslib_eval.statistics.multiplicity import levels
from aslib_eval.statistics.paired import corrected_resampled_t, paired_t
from aslib_eval.text import join_words, plural, significant

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

Row = dict[str, Any]
Floats = NDArray[np.float64]
_DETAILED = 5  # systems that a sentence names
_FEW = 10  # units below which a posterior comes with a remark
_PAIR: Mapping[str, str] = {
    "system": "with versus each of the others; else the one of the better mean",
    "other": "versus; else the one of the worse mean",
}
STEP_COLUMNS: Mapping[str, str] = {
    "rank": "place of the pair in the order of p, 1 = the smallest",
    **_PAIR,
    "level": "alpha of the test of that rank: alpha / (K - rank + 1) with Holm",
    "p": "of the pair alone",
    "rejected": "yes, if this and all tests before it are at most at their level",
    "advantage": "mean over the units of how much better the system is [metric's unit]",
    "lower": "of its interval with confidence 1 - level, two-sided",
    "upper": "of it",
    "interval_method": "t with the t test, else as in pairs",
    "d": "Cohen's d of the differences; null without spread",
    "n": "independent units",
}
BAYES_COLUMNS: Mapping[str, str] = {
    **_PAIR,
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
    **_PAIR,
    "skew": "of the differences; null without spread",
    "kurtosis": "of the differences, in excess of the normal distribution's",
    "mean_skew": "of the resampled means",
    "mean_kurtosis": "of the resampled means, in excess",
    "distance": "largest distance to the normal distribution function (Kolmogorov)",
    "below": "share of resampled means 1.96 standard errors below; 0.025 if normal",
    "above": "share of those above",
    "n": "independent units",
}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "steps": STEP_COLUMNS,
    "bayes": BAYES_COLUMNS,
    "anova": ANOVA_COLUMNS,
    "normality": NORMALITY_COLUMNS,
}
_TEXTS = {"system", "other", "method", "verdict", "rejected", "interval_method"}
_COUNTS = {"rank", "n", "k", "df", "df_error", "draws"}


def beside(
    lake: OpenLake, question: Question, answer: str, *, rope: float | None = None
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One of COLUMNS for each scenario, measure and protocol, and a sentence for each.

    rope: half the width of the region of practical equivalence, for ``bayes``, in the
    metric's unit or as a share with percent differences.
    """
    import polars as pl

    from aslib_eval.analysis.compare import SCOPE

    _require(question, answer, rope)
    rows: list[Row] = []
    sentences = []
    for block in blocks(lake, question):
        found, sentence = _of_block(block, question, answer, rope or 0.0)
        scope = (
            *(block.protocol, block.scenario_id, block.measure),
            *(question.compared, block.unit, question.chosen_test),
        )
        named = dict(zip(SCOPE, scope, strict=True))
        rows += [named | row for row in found]
        sentences.append(sentence)
    frame = pl.DataFrame(rows, schema=schema_of(answer), orient="row")
    return frame, tuple(sentences)


def schema_of(answer: str) -> dict[str, Any]:
    """The columns of an answer, SCOPE first, and their types."""
    import polars as pl

    from aslib_eval.analysis.compare import SCOPE

    return dict.fromkeys(SCOPE, pl.String) | {
        name: pl.String
        if name in _TEXTS
        else pl.Int64
        if name in _COUNTS
        else pl.Float64
        for name in COLUMNS[answer]
    }


def _require(question: Question, answer: str, rope: float | None) -> None:
    if answer == "bayes" and rope is None:
        message = "a Bayesian comparison needs a region of practical equivalence"
        raise AslibError(message, hint="Say with --rope what does not matter.")
    if answer in {"anova", "normality"} and question.unit == "folds":
        message = "folds are not independent"
        raise AslibError(message, hint="Use --unit instances.")
    if answer == "steps" and question.chosen_test in {"nemenyi", "bonferroni-dunn"}:
        message = f"{question.chosen_test} has one critical difference, and no steps"
        raise AslibError(message, hint="Use --test t or wilcoxon.")


def _of_block(
    block: Block, question: Question, answer: str, rope: float
) -> tuple[list[Row], str]:
    if answer == "steps":
        rows = step_rows(block, question)
        return rows, steps_in_words(rows, question)
    if answer == "bayes":
        rows = bayes_rows(block, question, rope)
        return rows, _bayes_in_words(rows, question)
    if answer == "anova":
        found = block_anova(block.values)
        row = {name: getattr(found, name) for name in ANOVA_COLUMNS}
        for name in ("p", "p_epsilon", "p_blocks", "additive_p", "normal_p"):
            row[name] = None if row[name] is None else max(row[name], LEAST_P)
        return [row], _anova_in_words(row)
    rows = normality_rows(block, question)
    return rows, _normality_in_words(rows)


def step_rows(block: Block, question: Question) -> list[Row]:
    """One row of STEP_COLUMNS for each pair, in the order of p.

    Source: Campelo and Wanner 2020, eq. 39 and Tables 1 and 2.
    """
    ordered = sorted(pair_rows(block, question), key=lambda row: row["p"])
    each = levels(len(ordered), alpha=question.alpha, method=question.correction)
    names = block.systems
    found = []
    rejecting = True
    for rank, (row, level) in enumerate(zip(ordered, each.tolist(), strict=True), 1):
        i, j = names.index(row["system"]), names.index(row["other"])
        d = advantage_of(block, question, i, j)
        stepped = question.correction == "holm"
        rejecting = row["p"] <= level and (rejecting or not stepped)
        step = {
            "rank": rank,
            "level": level,
            "rejected": "yes" if rejecting else "no",
            **_interval(d, block, question, 1 - level),
        }
        as_shares(step, block, question)
        kept = row | step
        found.append({name: kept[name] for name in STEP_COLUMNS})
    return found


def _interval(d: Floats, block: Block, question: Question, confidence: float) -> Row:
    if block.test_to_train is not None:
        ratio = block.test_to_train
        t = corrected_resampled_t(d, test_to_train=ratio, confidence=confidence)
        return {"lower": t.lower, "upper": t.upper}
    if question.chosen_test == "t":
        t = paired_t(d, confidence=confidence)
        return {"lower": t.lower, "upper": t.upper, "interval_method": "t"}
    found = mean_intervals(d[:, None], block, question, least=-1, confidence=confidence)
    (row,) = found.rows()
    return row


def steps_in_words(rows: Sequence[Row], question: Question) -> str:
    """How many null hypotheses are rejected, and where that stops."""
    rejected = [row for row in rows if row["rejected"] == "yes"]
    how = {"holm": "Holm's steps", "bonferroni": "Bonferroni's level", "none": "alpha"}
    text = f"By {how[question.correction]} "
    if len(rows) == 1:
        text += f"the null hypothesis of no difference is {'' if rejected else 'not '}"
    else:
        text += f"{len(rejected) or 'none'} of {len(rows)} null hypotheses of no"
        text += f" difference {'is' if len(rejected) == 1 else 'are'} "
    text += "rejected"
    if 0 < len(rejected) < len(rows) and question.correction == "holm":
        first = rows[len(rejected)]
        text += (
            f"; rejecting stops at {first['system']} and {first['other']}"
            f" ({p_words(first['p'])}, level {first['level']:.2g})"
        )
    return f"{text}."


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
        three = {
            "better": posterior.better,
            "equal": posterior.equal,
            "worse": posterior.worse,
        }
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
    text = (
        f"Bayesian {rows[0]['method']} test of the {of}; up to {size} does not matter"
    )
    if len(rows) == 1:
        text += f": {_one_posterior(rows[0])}"
    else:
        one = rows[0]["system"] if question.versus is None else question.versus
        told = [row for row in rows if one in (row["system"], row["other"])]
        text += f": {one} is {_verdicts(told, str(one))}"
        text += f"; sure: a probability of at least {1 - question.alpha:g}"
    text += ". A probability promises no error rate."
    if ranks and rows[0]["n"] < _FEW:
        text += f" With n = {rows[0]['n']} the prior and few units decide it."
    return text


def _one_posterior(row: Row) -> str:
    """The three probabilities of a pair."""
    return (
        f"{row['system']} is better than {row['other']} with probability"
        f" {_odds(row['p_better'])}, equal {_odds(row['p_equal'])},"
        f" worse {_odds(row['p_worse'])}"
    )


def _verdicts(rows: Sequence[Row], one: str) -> str:
    """Than whom one is surely better, equal or worse; of many their number."""
    turned = {"better": "worse", "worse": "better"}
    whom: dict[str | None, list[str]] = {}
    for row in rows:
        is_first = row["system"] == one
        word = (
            row["verdict"] if is_first else turned.get(row["verdict"], row["verdict"])
        )
        whom.setdefault(word, []).append(row["other"] if is_first else row["system"])
    says = {
        "better": "surely better than",
        "equal": "surely equal to",
        "worse": "surely worse than",
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


_DOUBT = 0.05  # p of a check of the residuals
_UNEQUAL = 3.0  # ratio of standard deviations


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


_QUANTILES = 99  # of a distribution, as a chart shows it


def mean_quantiles_of(
    lake: OpenLake, question: Question
) -> dict[str, list[tuple[float, float]]]:
    """Pair → (normal, resampled) quantiles of its mean, in standard errors.

    Of one comparison; pairs without spread are left out.
    """
    _require(question, "normality", None)
    found = blocks(lake, question)
    if len(found) > 1:
        message = f"a chart shows one comparison, these are {len(found)}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")
    (block,) = found
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
