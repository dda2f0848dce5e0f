"""Rows of a comparison for each pair: test, adjusted p, effects and intervals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import expm1
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.compare.question import OTHER_TESTS, TESTS, Block, Question
from aslib_eval.errors import AslibError
from aslib_eval.statistics import friedman, paired
from aslib_eval.statistics.distributions import column_means, paired_differences
from aslib_eval.statistics.friedman import adjust
from aslib_eval.statistics.means import (
    FEWEST,
    LARGE,
    MeanIntervals,
    bounded_means,
    enough,
    family_values,
    student_widths,
    unbounded_means,
)
from aslib_eval.text import plural

NO_DIFFERENCE = "no difference"
# What legends say of them; docs/glossary.md says the same.
LEGEND = (
    "“better” or “worse”: mean, test and interval of the mean agree; “typically”: only the test shows "
    "a difference; “mixed”: test and mean disagree on the sign; “no difference”: the test shows none"
)


def verdict(*, mean: float, interval: float, tests: Collection[float], typical: bool = True) -> str:
    """The word for a difference, seen from one of the two that are compared.

    mean, interval, tests: above 0 where it is the better one by the mean, by the interval of the mean and
    by each test, below 0 where the other one is, 0 where neither is shown to be. typical: whether the tests
    look at the units one by one, as tests of ranks and signs do, and not at their mean.
    """
    shown = {test > 0 for test in tests if test}
    if not shown:
        return NO_DIFFERENCE
    (better, *other) = shown
    if other or (mean and (mean > 0) != better):
        return "mixed"
    word = "better" if better else "worse"
    if mean and interval and (interval > 0) == better:
        return word
    return f"typically {word}" if typical else f"{word} by the test alone"


def turned(word: str) -> str:
    """The same verdict, seen from the other one."""
    swap = {"better": "worse", "worse": "better"}
    return " ".join(swap.get(each, each) for each in word.split(" "))


def is_clear(word: str) -> bool:
    """Whether mean, interval and test agree, so that a colour and a place follow."""
    return word in {"better", "worse"}


Floats = NDArray[np.float64]
Row = dict[str, Any]
# Values of the column ``interval_method``.
BOUNDED, UNBOUNDED, FOLDS = "Gaffke", "bootstrap-t", "corrected t"
FEW = 100  # independent units below which only BOUNDED keeps its level
# Coverage of UNBOUNDED's 95 % intervals of lognormal values with sigma 1.5, by n: the least of those
# simulated for docs/statistics.
_COVERED = {5: 0.83, 8: 0.90, 20: 0.91, 50: 0.92}
_WIDE = 2  # times the width of Student's t


def mean_intervals(
    values: Floats, block: Block, question: Question, *, least: float, confidence: float
) -> tuple[Floats, list[Row]]:
    """Means of the columns, and of each its interval: the columns ``lower`` to ``decided_by``.

    values: (n, m) of the block's units; least: 0 for what systems cost, or -1 for differences of two, in
    units of the block's largest possible value. Where families are independent, the intervals are of these.
    The bound of the values decides an interval that is more than twice as wide as Student's t.
    """
    most, families, method = block.ceiling, block.families, UNBOUNDED
    by_bound = np.zeros(values.shape[1], bool)
    if most is not None and most < LARGE and ((values >= least * most) & (values <= most)).all():
        method = BOUNDED
        found = bounded_means(
            values, least=least * most, most=most, confidence=confidence, clusters=families
        )
        rows = values if families is None else family_values(values, families, confidence=confidence)
        by_bound = found.upper - found.lower > _WIDE * student_widths(rows, confidence=confidence)
    else:
        found = _unbounded(values, question, confidence, families, strict=not block.logs)
    return found.estimate, [
        {"lower": low, "upper": high, "interval_method": method, "decided_by": "bound" if wide else "data"}
        for low, high, wide in zip(found.lower.tolist(), found.upper.tolist(), by_bound, strict=True)
    ]


def _unbounded(
    values: Floats,
    question: Question,
    confidence: float,
    families: NDArray[np.int64] | None,
    *,
    strict: bool = True,
) -> MeanIntervals:
    rng, resamples = np.random.default_rng(question.seed), enough(confidence)
    return unbounded_means(
        values, rng=rng, confidence=confidence, resamples=resamples, strict=strict, clusters=families
    )


def too_few(block: Block, question: Question, method: str) -> str:
    """Warning if n is too small for the level of the intervals of means; else empty."""
    n = block.n_families or block.n
    if method == BOUNDED or n >= FEW:
        return ""
    if block.families is not None and n < FEWEST:
        return f"{plural(n, 'family is', 'families are')} too few for an interval of means"
    percent = f"{100 * (1 - question.alpha):g} %"
    if method == FOLDS:
        why = "the correction for shared training instances is approximate"
    else:
        why = f"{question.metric.replace('_', ' ')} has no bounds"
        if question.differences == "percent":
            why = "percent differences have no bounds"
    text = f"n = {n} is too small for reliable {percent} intervals of means"
    covered = max((each for each in _COVERED if each <= n), default=None)
    at_95 = question.alpha == 0.05 and not block.logs  # noqa: PLR2004
    if method == UNBOUNDED and at_95 and covered is not None:
        share = f"{100 * _COVERED[covered]:.0f} % of the 95 % intervals contained the true mean"
        why += f". In a simulation with skewed values and n = {covered}, {share}"
    return f"{text}: {why}"


LEAST_P = float(np.finfo(np.float64).tiny)  # no p is 0
_CELLS = 2_000_000  # differences in memory at once

# Meaning of each column. ``advantage`` and all effects: positive, or above a half, where the system is
# better than the other.
COLUMNS: Mapping[str, str] = {
    "system": "each other solver with versus; else the solver with the better mean",
    "other": "versus; else the solver with the worse mean",
    "verdict": "`better` or `worse` where mean, test and interval of the mean agree; `typically "
    "better` or `typically worse` (t test: `better by the test alone`, …) where only the test "
    "shows a difference; `mixed` where test and mean disagree on the sign; else `no difference`",
    "winner": "the better solver by mean, test and interval of the mean; else null",
    "by_mean": "the solver with the better mean; null where both are equal",
    "by_test": "the better solver by the test; null where it shows no difference",
    "p_adjusted": "p, corrected for all pairs of the block; at least 2.2e-308",
    "advantage": "mean lead of the system over the units [metric's unit; a share with percent "
    "differences, of the geometric mean with versus]",
    "lower": "lower end of the interval of advantage",
    "upper": "upper end",
    "interval_method": "Gaffke (valid at every n) where the values have bounds, else the wider of t "
    "and bootstrap-t (`bootstrap-t`); corrected t over folds",
    "decided_by": "`bound` where the interval is more than twice as wide as Student's t because of "
    "the bounds of the values; else `data`; null over folds",
    "n_both": "units that both solve; null where nothing can time out",
    "both": "mean lead of the system over the units that both solve, without the cost of timeouts; "
    "null where the metric is no time",
    "both_lower": "lower end of its interval, the wider of t and bootstrap-t",
    "both_upper": "upper end",
    "net_solved": "units that only the system solves minus units that only the other solves, over n",
    "net_lower": "lower end of its interval by Gaffke",
    "net_upper": "upper end",
    "wins": "units on which the system is better",
    "losses": "units on which it is worse",
    "ties": "units on which both are equal",
    "n": "units; independent where n_families is null",
    "n_families": "independent families that tests and intervals use; null where each unit is independent",
    "n_failed": "units on which a run of either failed and got a value from the protocol",
    "n_nobody": "units that no compared system solves; they tie and stay in n",
    "ties_unsolved": "units that neither of the two solves",
    "win_share": "share of wins; ties count half",
    "win_lower": "lower end of its interval",
    "win_upper": "upper end",
    "a12": "probability that the system beats the other on two random units",
    "a12_lower": "lower end of its interval (Wilson, with the variance of the placements)",
    "a12_upper": "upper end",
    "cliff": "Cliff's delta, 2 a12 - 1",
    "magnitude": "Cliff's delta in words",
    "shift": "Hodges-Lehmann estimate of advantage; counts ties, unlike the test",
    "shift_lower": "lower end of its interval",
    "shift_upper": "upper end",
    "d": "Cohen's d of advantage; null without spread",
    "statistic": "W+, t, wins, or difference of mean ranks",
    "p": "p of this pair, uncorrected",
}


def pair_rows(block: Block, question: Question) -> list[Row]:
    """One row of COLUMNS for each pair of a block, ``versus`` second."""
    wanted = wanted_pairs(block, question)
    if block.n < 2:  # noqa: PLR2004
        raise AslibError(f"{block.n} {block.unit} is too few for a comparison", block.scenario_id)
    confidence = 1 - question.alpha / (len(wanted) if question.joint else 1)
    step = max(1, _CELLS // block.n)
    rows: list[Row] = []
    for start in range(0, len(wanted), step):
        rows += _rows(block, question, wanted[start : start + step], confidence)
    adjusted = adjust(np.array([row["p"] for row in rows]), method=question.correction)
    if question.chosen_test in {"nemenyi", "bonferroni-dunn"}:
        by_ranks, adjusted = _by_ranks(block, question, wanted)
        for row, other in zip(rows, by_ranks, strict=True):
            row.update(other)
    found = []
    for row, corrected in zip(rows, adjusted, strict=True):
        row["p_adjusted"] = max(float(corrected), LEAST_P)
        row["p"] = max(row["p"], LEAST_P)
        row.update(_sides(row, question))
        found.append({column: row[column] for column in COLUMNS})
    return found


def _rows(
    block: Block, question: Question, wanted: Sequence[tuple[int, int]], confidence: float
) -> list[Row]:
    advantage = np.column_stack([advantage_of(block, question, i, j) for i, j in wanted])
    effects = _effects(advantage, block, question, confidence)
    for effect in effects:
        as_shares(effect, block, question)
    parts = _parts(advantage, effects, block, question, wanted, confidence)
    folds, found = block.test_to_train is not None, []
    for (i, j), d, effect, part in zip(wanted, advantage.T, effects, parts, strict=True):
        beats = paired.superiority(
            block.values[:, i],
            block.values[:, j],
            lower_is_better=question.lower_is_better,
            confidence=confidence,
            clusters=block.families,
        )
        row: Row = {"system": block.systems[i], "other": block.systems[j]}
        row |= _test(d, block, question) | effect | part
        row |= {
            "wins": int((d > 0).sum()),
            "ties": int((d == 0).sum()),
            "losses": int((d < 0).sum()),
            "n": block.n,
            "n_families": block.n_families,
            "n_failed": int(block.failed[:, [i, j]].any(axis=1).sum()),
            "n_nobody": block.n_nobody,
            "ties_unsolved": None
            if block.solved is None
            else int((~block.solved[:, [i, j]].any(axis=1)).sum()),
            "a12": beats.a12,
            "a12_lower": None if folds else beats.lower,
            "a12_upper": None if folds else beats.upper,
            "cliff": beats.cliff,
            "magnitude": beats.magnitude,
        }
        found.append(row)
    return found


_OF_LOGS = ("advantage", "lower", "upper", "shift", "shift_lower", "shift_upper")


def as_shares(row: Row, block: Block, question: Question) -> None:
    """Turn the effects of a row of differences of logarithms into shares.

    They are shares of ``versus``, the second of the pair: how much better the system is.
    """
    sign = -block.logs if question.lower_is_better else block.logs
    for name in _OF_LOGS if block.logs else ():
        if row.get(name) is not None:
            try:
                row[name] = sign * expm1(sign * row[name])
            except OverflowError:  # more than any number
                row[name] = sign * float("inf")


def _parts(
    advantage: Floats,
    effects: Sequence[Row],
    block: Block,
    question: Question,
    wanted: Sequence[tuple[int, int]],
    confidence: float,
) -> list[Row]:
    """What both solve, and what timeouts add: two intervals instead of one.

    The first is of the data, without a bound; only where the bound decides the interval of the whole it is
    computed.
    """
    names = ("n_both", "both", "both_lower", "both_upper", "net_solved", "net_lower", "net_upper")
    found: list[Row] = [dict.fromkeys(names) for _ in wanted]
    solves = block.solved
    if solves is None or block.test_to_train is not None:
        return found
    both = np.column_stack([solves[:, i] & solves[:, j] for i, j in wanted])
    net = np.column_stack([solves[:, i] * 1.0 - solves[:, j] for i, j in wanted])
    nets = bounded_means(net, least=-1, most=1, confidence=confidence, clusters=block.families)
    alike: dict[bytes, list[int]] = {}
    timed = question.declared.in_cutoffs and question.differences == "simple"
    for at, row in enumerate(found):
        some = both[:, at]
        row["n_both"] = int(some.sum())
        for name, ends in zip(names[-3:], (nets.estimate, nets.lower, nets.upper), strict=True):
            row[name] = float(ends[at])
        if timed and some.any():
            row["both"] = float(column_means(advantage[some, at][:, None])[0])
            if effects[at]["decided_by"] == "bound" and row["n_both"] > 1:
                alike.setdefault(some.tobytes(), []).append(at)
    for columns in alike.values():
        some = both[:, columns[0]]
        codes = block.families
        if codes is not None:
            codes = np.unique(codes[some], return_inverse=True)[1]
        means = _unbounded(advantage[some][:, columns], question, confidence, codes)
        if not np.isfinite(means.lower).all():
            continue  # too few families
        for place, at in enumerate(columns):
            found[at]["both_lower"] = float(means.lower[place])
            found[at]["both_upper"] = float(means.upper[place])
    return found


def wanted_pairs(block: Block, question: Question) -> list[tuple[int, int]]:
    """Pairs of systems of a block that are compared, by index; ``versus`` is second."""
    k = len(block.systems)
    if question.versus is None:
        return [(i, j) for i in range(k) for j in range(i + 1, k)]
    one = block.systems.index(question.versus)
    return [(j, one) for j in range(k) if j != one]


def advantage_of(block: Block, question: Question, i: int, j: int) -> Floats:
    """(n,) how much better the first is on each unit."""
    difference = paired_differences(block.values[:, j], block.values[:, i])
    return difference if question.lower_is_better else -difference


def _test(d: Floats, block: Block, question: Question) -> Row:
    # Only whether ``versus``, the second of each pair, is the better one.
    side: Literal["two-sided", "less"] = "two-sided"
    if question.alternative == "better":
        side = "less"
    if question.chosen_test == "corrected-t":
        corrected = paired.corrected_resampled_t(
            d, test_to_train=block.test_to_train or 0.0, alternative=side
        )
        return _outcome(corrected.t, corrected.p, better=corrected.t > 0)
    if question.chosen_test == "t":
        t = paired.paired_t(_of_families(d, block, question), alternative=side)
        return _outcome(t.t, t.p, better=t.t > 0)
    if question.chosen_test == "sign":
        signs = paired.sign_test(d, alternative=side, clusters=block.families)
        return _outcome(signs.wins, signs.p, better=signs.wins > signs.losses)
    if TESTS.plug_in(question.chosen_test) is not None:
        return _of_plug_in(_of_families(d, block, question), question)
    rank = paired.signed_rank(d, alternative=side, clusters=block.families)
    return _outcome(rank.w_plus, rank.p, better=rank.w_plus > rank.w_minus)


def _of_families(d: Floats, block: Block, question: Question) -> Floats:
    """The differences of independent units: (n,), or (n_families,) of families."""
    if block.families is None:
        return d
    return family_values(d[:, None], block.families, confidence=1 - question.alpha)[:, 0]


def _of_plug_in(d: Floats, question: Question) -> Row:
    """The outcome of a test of another package, which knows no side but ``greater``."""
    name = question.chosen_test
    where = f"the plug-in {TESTS.plug_in(name)}"
    sign = -1.0 if question.alternative == "better" else 1.0
    side: Literal["two-sided", "greater"] = "greater" if sign < 0 else "two-sided"
    try:
        statistic, p = OTHER_TESTS[name].test(sign * d, side)
    except Exception as error:
        raise AslibError(f"failed ({type(error).__name__}: {error})", where) from error
    if not (np.isfinite(statistic) and 0 <= p <= 1):
        raise AslibError(f"returned the statistic {statistic} and p = {p}", where)
    return _outcome(sign * statistic, p, better=sign * statistic > 0)


def _outcome(statistic: float, p: float, *, better: bool) -> Row:
    return {"statistic": float(statistic), "p": float(p), "better": better}


def _by_ranks(block: Block, question: Question, wanted: list[tuple[int, int]]) -> tuple[list[Row], Floats]:
    """Nemenyi's p, which needs no adjustment, or Dunn's z, which Bonferroni adjusts."""
    each = friedman.rank_systems(block.values, lower_is_better=question.lower_is_better)
    ranks, n = each.mean(axis=0), friedman.blocks_of(each, block.families)
    gaps = [float(ranks[j] - ranks[i]) for i, j in wanted]
    if question.chosen_test == "nemenyi":
        table = friedman.nemenyi(ranks, n=n)
        p = np.array([table[i, j] for i, j in wanted])
        adjusted = p
    else:
        p = friedman.dunn(np.array(gaps), k=ranks.size, n=n)
        adjusted = adjust(p, method="bonferroni")
    return [_outcome(a, q, better=a > 0) for a, q in zip(gaps, p, strict=True)], adjusted


def _effects(advantage: Floats, block: Block, question: Question, confidence: float) -> list[Row]:
    found = []
    for d, span in zip(advantage.T, _spans(advantage, block, question, confidence), strict=True):
        t = paired.paired_t(d)
        shift = paired.hodges_lehmann(d, confidence=confidence, clusters=block.families)
        share = paired.win_share(d, confidence=confidence)
        ends = share.lower, share.upper
        if block.families is not None:
            wins, families = (np.sign(d) + 1) / 2, block.families
            won = bounded_means(wins, least=0, most=1, confidence=confidence, clusters=families)
            ends = float(won.lower[0]), float(won.upper[0])
        row: Row = {
            "advantage": t.mean,
            "win_share": share.estimate,
            "win_lower": ends[0],
            "win_upper": ends[1],
            "shift": shift.estimate,
            "shift_lower": shift.lower,
            "shift_upper": shift.upper,
            "d": t.d,
        }
        found.append(row | span)
    return found


def _spans(advantage: Floats, block: Block, question: Question, confidence: float) -> list[Row]:
    """Intervals of the mean advantages.

    Intervals that take folds for independent would be too short: those of the mean are replaced, the others
    left out.
    """
    ratio = block.test_to_train
    if ratio is None:
        return mean_intervals(advantage, block, question, least=-1, confidence=confidence)[1]
    names = ("win_lower", "win_upper", "shift_lower", "shift_upper", "decided_by")
    tests = (
        paired.corrected_resampled_t(d, test_to_train=ratio, confidence=confidence) for d in advantage.T
    )
    return [
        {"interval_method": FOLDS, **dict.fromkeys(names), "lower": t.lower, "upper": t.upper}
        for t in tests
    ]


def side_of_interval(row: Row) -> str | None:
    """Who is better by the interval of the mean; None where it contains 0."""
    if row["lower"] > 0:
        return str(row["system"])
    return str(row["other"]) if row["upper"] < 0 else None


def rests_on_normality(row: Row, question: Question) -> bool:
    """Whether so few units differ that a t test alone could show it.

    Were the sign of each difference drawn, all would be alike with a probability above alpha; only that the
    differences are normal makes a smaller p.
    """
    sides = 1 if question.alternative == "better" else 2
    differing = int(row["wins"]) + int(row["losses"])
    of_t = question.chosen_test in {"t", "corrected-t"}
    return of_t and differing > 0 and sides * 0.5**differing > question.alpha


def _sides(row: Row, question: Question) -> Row:
    system, other, advantage = row["system"], row["other"], row["advantage"]
    side = {None: 0, system: 1, other: -1}
    by_mean = by_test = None
    if advantage:
        by_mean = system if advantage > 0 else other
    if row["p_adjusted"] <= question.alpha:
        by_test = system if row["better"] else other
    interval = 0 if rests_on_normality(row, question) else side[side_of_interval(row)]
    word = verdict(
        mean=side[by_mean], interval=interval, tests=[side[by_test]], typical=question.one_by_one
    )
    return {
        "verdict": word,
        "by_mean": by_mean,
        "by_test": by_test,
        "winner": by_test if is_clear(word) else None,
    }


_ENDS = (
    ("advantage", "lower", "upper"),
    ("both", "both_lower", "both_upper"),
    ("net_solved", "net_lower", "net_upper"),
)


def seen_from_other(row: Row) -> Row:
    """A row from the view of its second system; of the effects those of the mean."""
    seen = row | {"system": row["other"], "other": row["system"], "verdict": turned(row["verdict"])}
    seen |= {"wins": row["losses"], "losses": row["wins"]}
    for mean, low, high in _ENDS:
        for name, opposite in ((mean, mean), (low, high), (high, low)):
            seen[name] = None if row[opposite] is None else 0.0 - row[opposite]  # no -0
    return seen
