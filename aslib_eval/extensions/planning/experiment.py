"""An experiment from the number of instances to the test; how few runs decide a challenge."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from aslib_eval.analysis.compare.beside import schema_of, step_rows, steps_in_words
from aslib_eval.analysis.compare.blocks import relative
from aslib_eval.analysis.compare.pairs import pair_rows
from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.analysis.compare.systems import describe, omnibus_row
from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning import BetterBy
from aslib_eval.extensions.planning.power import SolvedPlan
from aslib_eval.extensions.planning.runs import Program, drive, require_once
from aslib_eval.extensions.planning.sampling import Accuracy
from aslib_eval.metrics.scale import Floats
from aslib_eval.text import comparable, one_of, plural, significant

MEASURE = "value"  # what a program prints, as a measure
_NAME = "experiment"


@dataclass(frozen=True)
class DrawnInstances:
    """Instances drawn at random of a pool; families: of each in the pool, or None."""

    pool: Sequence[str]
    instances: Sequence[str]
    families: Sequence[str] | None
    seed: int

    def sentence(self) -> str:
        """The draw in words."""
        text = (
            f"Drawn at random with seed {self.seed}: {len(self.instances)} of"
            f" {plural(len(self.pool), 'instance')}"
        )
        if self.families is None:
            return f"{text}."
        of = dict(zip(self.pool, self.families, strict=True))
        n = len({of[instance] for instance in self.instances})
        every = len(set(self.families))
        return f"{text}, from {n} of {plural(every, 'family', 'families')} in proportion to their sizes."


def draw(
    pool: Sequence[str], *, n: int, seed: int, families: Sequence[str] | None = None
) -> DrawnInstances:
    """Draw n instances of a pool, from each family in proportion if there are any."""
    require_once(pool, "instance")
    if n > len(pool):
        message = f"the plan takes {n} instances, and the pool has {len(pool)}"
        raise AslibError(message, hint="Give more, or say with --n how many to run.")
    names = [""] * len(pool) if families is None else families
    strata = np.unique(names, return_inverse=True)[1]
    places = stratified_draw(strata, size=n, rng=np.random.default_rng(seed))
    return DrawnInstances(pool, [pool[place] for place in places], families, seed)


def stratified_draw(strata: NDArray[np.int64], *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw ``size`` of n instances at random without replacement, from every stratum.

    strata: (n,) codes. Each stratum gives its share of ``size``, rounded down; what is left goes to the
    largest remainders (of equal ones to the smaller code). Returns the (size,) places that were drawn, in
    ascending order.
    """
    n = len(strata)
    if not 1 <= size <= n:
        raise AslibError(
            f"{plural(size, 'instance')} cannot be drawn of {n}", hint="Give more instances, or draw fewer."
        )
    codes, counts = np.unique(strata, return_counts=True)
    quotas = counts * size // n
    left = size - int(quotas.sum())
    quotas[np.argsort(-(counts * size % n), kind="stable")[:left]] += 1
    order = np.argsort(rng.random(n), kind="stable")
    drawn = [order[strata[order] == code][:quota] for code, quota in zip(codes, quotas, strict=True)]
    return np.sort(np.concatenate(drawn))


@dataclass(frozen=True)
class ExperimentResult:
    """What came of an experiment.

    ``pairs``: one row for each instance and pair, as of ``drive``; ``steps``: one for each pair of
    algorithms in the order of p, as of ``compare --show steps``; ``means``: of each algorithm (columns) on
    each instance (rows), in the order of the programs.
    """

    pairs: pl.DataFrame
    steps: pl.DataFrame
    means: pl.DataFrame
    sentences: tuple[str, ...]

    def as_table(self, *, maximise: bool) -> bytes:
        """The means as a table of results that ``import`` takes: a run an instance."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(("task", "method", "seed", "metric", "value", "direction"))
        way = "maximize" if maximise else "minimize"
        for instance, *values in self.means.rows():
            for name, value in zip(self.means.columns[1:], values, strict=True):
                lines.writerow((instance, name, 1, MEASURE, repr(value), way))
        return text.getvalue().encode()


def experiment(
    programs: Sequence[Program],
    drawn: DrawnInstances,
    *,
    plan: SolvedPlan,
    accuracy: Accuracy,
    seed: int = 1,
    maximise: bool = False,
    **driven: Any,
) -> ExperimentResult:
    """Run programs on the drawn instances (``drive``), and test their mean values.

    The test, level and correction are those of the plan; the pairs and whether differences are percent
    those of the accuracy, the first program being the reference. n is the number of instances, however
    often they are run.

    Source: Campelo and Wanner 2020, section 5.
    """
    pairs = drive(programs, drawn.instances, accuracy=accuracy, seed=seed, **driven)
    names = [program.name for program in programs]
    first = pairs.select("instance", name="system", value="mean")
    second = pairs.select("instance", name="other", value="other_mean")
    means = (
        pl.concat([first, second])
        .unique(["instance", "name"], keep="first", maintain_order=True)
        .pivot(on="name", index="instance", values="value", maintain_order=True)
        .select("instance", *names)
    )
    question = question_of(plan, accuracy, names, seed=seed)
    block = _block(means, names, question, maximise=maximise)
    tested = pair_rows(block, question)
    steps = step_rows(block, question)
    scope = {
        "protocol": block.protocol,
        "measure": MEASURE,
        "metric": question.compared.replace(question.metric, MEASURE),
        "unit": block.unit,
        "test": question.chosen_test,
    }
    return ExperimentResult(
        pairs=pairs,
        steps=pl.DataFrame([scope | row for row in steps], schema=schema_of("steps"), orient="row"),
        means=means,
        sentences=(
            plan.sentence(),
            drawn.sentence(),
            _sampled(pairs, accuracy),
            describe(block, question, tested, omnibus_row(block, question)),
            steps_in_words(steps, question),
        ),
    )


def question_of(plan: SolvedPlan, accuracy: Accuracy, names: Sequence[str], *, seed: int) -> Question:
    """The comparison that a plan and an accuracy ask for."""
    one_sided = plan.plan.alternative == "one-sided"
    return Question(
        test=plan.plan.test, versus=names[0] if accuracy.pairs == "first" else None, kind="algorithm",
        alpha=plan.plan.alpha, correction=plan.plan.correction,
        alternative="better" if one_sided else "two-sided", differences=accuracy.difference, seed=seed,
    )  # fmt: skip


def _block(means: pl.DataFrame, names: Sequence[str], question: Question, *, maximise: bool) -> Block:
    values = means.select(names).to_numpy() * (-1 if maximise else 1)
    keys = [comparable(float(mean)) for mean in values.mean(axis=0)]
    order = sorted(range(len(names)), key=lambda column: (keys[column], names[column]))
    block = Block(
        protocol=_NAME,
        scenario_id=None,
        measure=MEASURE,
        unit="instance",
        systems=tuple(names[column] for column in order),
        kinds=("algorithm",) * len(names),
        values=values[:, order],
        solved=None,
        test_to_train=None,
        remarks=("the program averages the runs of an instance because they are not independent",),
        failed=np.zeros(values.shape, bool),
        n_left_out=0,
        better="higher" if maximise else "lower",
    )
    return relative(block, question) if question.differences == "percent" else block


def _sampled(pairs: pl.DataFrame, accuracy: Accuracy) -> str:
    each = pairs.group_by("instance").agg(pl.col("reached").all(), pl.col("total_runs").first())
    n, lacking = each.height, each.height - int(each["reached"].sum())
    text = f"{plural(int(each['total_runs'].sum()), 'run')} on {plural(n, 'instance')}"
    if not lacking:
        return f"{text}: all standard errors are at most {significant(accuracy.se, 6)}."
    return (
        f"{text}: on {lacking} of them a standard error stayed above"
        f" {significant(accuracy.se, 6)} when the budget was spent."
    )


# Sequential comparison of a new solver with an incumbent, with an honest stop.
#
# The incumbent's costs on all instances are known. The challenger runs on one instance after the other, in
# a random order that may prefer some, and stops when it is clear who is better over *all* of them. An
# advantage is the incumbent's cost minus the challenger's: above 0 the challenger is better there.

_EQUAL = 1e-12  # of the range of an advantage: rounding
BETS = np.geomspace(0.01, 0.9, 12)  # shares of the largest bet that cannot lose all
_MOST = 0.95  # of the bet that follows the gains so far
_FOLLOWING = 0.7  # its share of the stake
_PRIOR = 1.0, 2.0  # what it takes the sums of gains and of their squares for at first
_FIRST = 10  # instances before the t test is looked at


@dataclass(frozen=True)
class StoppedComparison:
    """Where a sequential comparison stops, and what it says.

    n_run: instances that were run. better: 1 the challenger, -1 the incumbent, 0 equal. reason: ``error``
    (the stated error allows it), ``certain`` (what is left cannot change it) or ``end`` (every instance was
    run).
    """

    n_run: int
    better: int
    reason: Literal["error", "certain", "end"]


def sampling_order(weights: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.intp]:
    """A random order: each next one is drawn with odds in proportion to its weight.

    weights: (n,) above 0. Returns the indices, (n,).

    Source: Efraimidis and Spirakis 2006: the ranks of exponential times.
    """
    odds = np.asarray(weights, float)
    if odds.ndim != 1 or not (np.isfinite(odds) & (odds > 0)).all():
        raise AslibError("weights must be above 0 and finite")
    return np.argsort(rng.exponential(size=len(odds)) / odds, kind="stable")


def sequential_test(
    advantages: ArrayLike,
    *,
    lower: ArrayLike,
    upper: ArrayLike,
    weights: ArrayLike | None = None,
    expected: ArrayLike | None = None,
    alpha: float = 0.05,
) -> StoppedComparison:
    """Stop as soon as the sign of the total advantage is known with error ``alpha``.

    advantages: (n,) in the order of the runs; only those up to the stop are looked at. lower, upper: (n,)
    between which each advantage must lie. weights: those that the order was drawn with
    (``sampling_order``), default equal. expected: (n,) a guess of each advantage; a good one stops earlier,
    a bad one later, and neither errs more.

    The probability, over the order, ever to name the worse one is at most ``alpha`` (half of it, if one is
    better): whatever the costs are, and however often one looks. It says nothing of instances that are not
    among the n.

    With each draw S + X estimates the total without bias, S what is observed and X what is left, estimated
    from the draw and its odds. If the total is not above 0, bets on it gain nothing on average, so that
    their wealth exceeds 2 / alpha with probability alpha / 2 at most (Ville); likewise below 0. Of the
    stake 0.7 is on a bet that follows the gains so far (their mean over their mean square), the rest on
    twelve fixed sizes: no bet knows the draw that it is on, so the level is kept.

    Edge cases: a total of 0 to 12 digits of the range is equal, at the end.

    Source: Waudby-Smith and Ramdas 2020, Confidence sequences for sampling without replacement (the bet
    that follows: approximate GRAPA); Shekhar et al. 2023, Risk-limiting financial audits via weighted
    sampling without replacement.
    """
    gain, low, high = (np.asarray(a, float) for a in (advantages, lower, upper))
    n = len(gain)
    odds = np.ones(n) if weights is None else np.asarray(weights, float)
    guess = np.zeros(n) if expected is None else np.asarray(expected, float)
    if not 0 < alpha < 1:
        raise AslibError(f"alpha must be between 0 and 1, not {alpha}")
    if n == 0 or {len(a) for a in (low, high, odds, guess)} != {n}:
        raise AslibError("a comparison needs as many bounds and weights as instances")
    span = float(max(np.abs(low).max(), np.abs(high).max(), 0.0)) or 1.0
    gain, low, high, guess = gain / span, low / span, high / span, guess / span
    if (gain < low - _EQUAL).any() or (gain > high + _EQUAL).any():
        raise AslibError("an advantage is not within its bounds")
    stops = []
    for sign, least in ((1, low), (-1, -high)):
        reached = _first_reached(log_wealth(sign * gain, least, odds, sign * guess) >= np.log(2 / alpha))
        rest = _left(least) - least
        sure = _first_reached(sign * np.cumsum(gain) + rest > _EQUAL * n)
        stops.append((min(reached, sure), sign, sure <= reached))
    stop, better, certain = min(stops)
    if stop < n - 1:
        return StoppedComparison(stop + 1, better, "certain" if certain else "error")
    total = float(gain.sum())
    return StoppedComparison(n, int(np.sign(total)) * (abs(total) > _EQUAL * n), "end")


def log_wealth(gain: Floats, least: Floats, odds: Floats, guess: Floats) -> Floats:
    """Logarithm of the wealth of bets that the total is above 0, after each run.

    All (n,), in the order of the runs, as in ``sequential_test``; least: the lower bounds. The weighted
    mean over BETS and the one that follows, each from 1.
    """
    left = _left(odds)
    before = np.cumsum(gain) - gain + _left(guess)
    estimate = before + (gain - guess) * left / odds
    lowest = before + left * np.minimum.accumulate(((least - guess) / odds)[::-1])[::-1]
    # Where no draw can lose, the total is above 0 already: there is no bet to limit.
    gained = np.divide(estimate, -lowest, out=np.zeros(len(gain)), where=lowest < -_EQUAL)
    gained = np.maximum(gained, -1.0)
    gains, squares = (np.cumsum(g) - g for g in (gained, gained**2))
    bet = np.clip((gains + _PRIOR[0]) / (squares + _PRIOR[1]), 0.0, _MOST)
    bets = np.vstack([bet, np.broadcast_to(BETS[:, None], (len(BETS), len(gain)))])
    stakes = np.log([_FOLLOWING, *[(1 - _FOLLOWING) / len(BETS)] * len(BETS)])
    logs = np.cumsum(np.log1p(bets * gained), axis=1) + stakes[:, None]
    return np.asarray(np.logaddexp.reduce(logs, axis=0))


def _left(values: Floats) -> Floats:
    """Sum of each value and all after it."""
    return np.asarray(np.cumsum(values[::-1])[::-1])


def _first_reached(reached: NDArray[np.bool_]) -> int:
    """The first that is true; beyond the end where none is."""
    return int(reached.argmax()) if reached.any() else len(reached)


def peeking_test(advantages: ArrayLike, *, alpha: float = 0.05) -> StoppedComparison:
    """A paired t test after every instance from the tenth on, until it is significant.

    What is often done, for comparison: its error is far above ``alpha``, as each look is another chance to
    err. advantages: (n,) in a random order without preferences.

    Edge cases: where all so far are equal and not 0, they decide.
    """
    gain = np.asarray(advantages, float)
    n = np.arange(1, len(gain) + 1)
    mean = np.cumsum(gain) / n
    error = np.sqrt(np.maximum(np.cumsum(gain**2) / n - mean**2, 0.0) / np.maximum(n - 1, 1))
    limit = stats.t.ppf(1 - alpha / 2, np.maximum(n - 1, 1))
    stop = _first_reached((n >= _FIRST) & (np.abs(mean) > np.maximum(limit * error, _EQUAL)))
    if stop < len(gain) - 1:
        return StoppedComparison(stop + 1, int(np.sign(mean[stop])), "error")
    total = float(mean[-1])
    return StoppedComparison(len(gain), int(np.sign(total)) * (abs(total) > _EQUAL), "end")


# Recorded solvers as challengers.

_MIXED = 0.5  # share of the odds that does not depend on the instance
_LEAST = 1e-3  # cutoffs: what an instance takes at least
_RULES = (("random", "bets"), ("discriminating", "bets"), ("random", "peeking"))


@dataclass(frozen=True, eq=False)
class _Match:
    """What is known before a challenger runs, by instance: (n,) each.

    lower, upper: between which its advantage lies; expected: that of an average known algorithm; weights:
    odds by what tells algorithms apart per time.
    """

    lower: Floats
    upper: Floats
    expected: Floats
    weights: Floats
    time: Floats


def _match(costs: Floats, times: Floats, incumbent: int, known: list[int], by: BetterBy) -> _Match:
    """costs: shares of the largest, from 0 to 1; times: shares of the cutoff."""
    own, n = costs[:, incumbent], len(costs)
    others = [column for column in known if column != incumbent]
    gains = _advantages(own[:, None], costs[:, others], by)
    expected = gains.mean(axis=1) if others else np.zeros(n)
    apart = np.sqrt((gains**2).mean(axis=1)) if others else np.zeros(n)
    time = np.maximum(times[:, known].mean(axis=1), _LEAST)
    worth = apart / np.sqrt(time)
    mean = worth.mean()
    odds = np.ones(n) if mean <= 0 else (1 - _MIXED) * worth / mean + _MIXED
    if by == "mean":
        return _Match(own - 1, own, expected, odds, time)
    lower, upper = -(own < 1).astype(float), (own > 0).astype(float)
    return _Match(lower, upper, expected, odds, time)


def _advantages(own: Floats, other: Floats, by: BetterBy) -> Floats:
    gains = own - other
    gains[np.abs(gains) <= _EQUAL] = 0.0
    return gains if by == "mean" else np.sign(gains)


def plan_solver(
    lake: OpenLake,
    *,
    by: BetterBy = "mean",
    alpha: float = 0.05,
    incumbent: str | None = None,
    challenger: str | None = None,
    most: int = 200,
    seed: int = 1,
) -> pl.DataFrame:
    """Replay: how early each pair of algorithms could have been told apart.

    by: who is better has the lower mean cost (``mean``, PARk of the protocol) or wins on more instances
    (``wins``). Each algorithm is the challenger of each other one in turn, and the rest are known; of more
    than ``most`` pairs in a scenario so many are drawn from ``seed``, which draws the orders too. One row
    per protocol, scenario, measure, pair, order and stop: n (instances), n_run, reason, said and truth (1
    the challenger is better, -1 the incumbent, 0 equal; truth is over all instances), wrong, and time_saved
    (share of the challenger's time on all of them, an unsolved run counts its cutoff).

    Orders: ``random``, or ``discriminating``: half of the odds in proportion to how far known algorithms
    differ from the incumbent there, per root of the time they take. Stops: ``bets`` (``sequential_test``,
    error ``alpha``) and ``peeking`` (a t test after each instance, which does not keep its level). Runtime
    measures only.

    Source: after Matricon et al. 2021, Statistical comparison of algorithm performance through instance
    selection: replayed pairs, discrimination per time.
    """
    if most < 1:
        raise AslibError(f"{most} pairs are not at least one")
    rows: list[dict[str, Any]] = []
    for group, costs, times in _shares(lake):
        for pair in _pairs(group, incumbent, challenger, most, seed):
            rows += _replayed(group, costs, times, pair, by, alpha, seed)
    if not rows:
        raise AslibError("no scenario has two algorithms with runtimes")
    return pl.DataFrame(rows)


def _shares(lake: OpenLake) -> Iterator[tuple[Group, Floats, Floats]]:
    """Runs of a scenario, their costs as shares of the largest, their times as shares of the cutoff."""
    for protocol in sorted(lake.protocols, key=lambda p: p.protocol):
        for group in groups(lake, protocol.protocol, kind="algorithm"):
            cutoffs = group.runs.cutoffs[:, None]
            costs = group.runs.par(protocol.penalty) / (protocol.penalty * cutoffs)
            yield group, costs, group.runs.par(1) / cutoffs


def _pairs(
    group: Group, incumbent: str | None, challenger: str | None, most: int, seed: int
) -> list[tuple[int, int]]:
    for name in (incumbent, challenger):
        if name is not None and name not in group.names:
            raise AslibError(
                f"there is no algorithm {name!r}", group.scenario_id, one_of(name, group.names)
            )
    several = range(len(group.names))
    pairs = [
        (a, b)
        for a in several
        for b in several
        if a != b
        and group.names[a] == (incumbent or group.names[a])
        and group.names[b] == (challenger or group.names[b])
    ]
    if len(pairs) <= most:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return [pairs[place] for place in np.sort(chosen)]


def _replayed(
    group: Group, costs: Floats, times: Floats, pair: tuple[int, int], by: BetterBy, alpha: float, seed: int
) -> Iterator[dict[str, Any]]:
    own, new = pair
    known = [column for column in range(len(group.names)) if column != new]
    match = _match(costs, times, own, known, by)
    gains = _advantages(costs[:, own], costs[:, new], by)
    total = float(gains.sum())
    truth = int(np.sign(total)) * (abs(total) > _EQUAL * len(gains))
    spent = times[:, new] * group.runs.cutoffs
    for order, stop in _RULES:
        weights = match.weights if order == "discriminating" else np.ones(len(gains))
        places = sampling_order(weights, rng=np.random.default_rng([seed, own, new]))
        if stop == "peeking":
            stopped = peeking_test(gains[places], alpha=alpha)
        else:
            stopped = sequential_test(
                gains[places], lower=match.lower[places], upper=match.upper[places],
                weights=weights[places], expected=match.expected[places], alpha=alpha,
            )  # fmt: skip
        whole = float(spent.sum())
        used = float(spent[places[: stopped.n_run]].sum())
        yield {
            "protocol": group.protocol, "scenario_id": group.scenario_id, "measure": group.measure,
            "incumbent": group.names[own], "challenger": group.names[new],
            "order": order, "stop": stop, "n": len(gains), "n_run": stopped.n_run,
            "reason": stopped.reason, "said": stopped.better, "truth": truth,
            "wrong": stopped.better != truth, "time_saved": 1 - used / whole if whole > 0 else None,
        }  # fmt: skip


def replay_summary(pairs: pl.DataFrame) -> pl.DataFrame:
    """How much each way saves and how often it errs, over the pairs of each scenario.

    pairs: from ``plan_solver``. One row per protocol, scenario, measure, order and stop: n (instances),
    n_pairs, early (share of pairs that stop before the end), share_run (mean share of the instances run),
    time_saved (mean), correct and wrong (shares of the pairs).
    """
    keys = ["protocol", "scenario_id", "measure", "order", "stop"]
    return pairs.group_by(keys, maintain_order=True).agg(
        pl.col("n").max(),
        pl.len().cast(pl.Int64).alias("n_pairs"),
        (pl.col("n_run") < pl.col("n")).mean().alias("early"),
        (pl.col("n_run") / pl.col("n")).mean().alias("share_run"),
        pl.col("time_saved").mean(),
        (~pl.col("wrong")).mean().alias("correct"),
        pl.col("wrong").mean().alias("wrong"),
    )


def replay_notes(pairs: pl.DataFrame) -> list[str]:
    """A sentence for each way to order and stop, over all pairs of all scenarios.

    Of several protocols each names its own.
    """
    sentences = []
    several = pairs["protocol"].n_unique() > 1
    for part in pairs.partition_by("protocol", "order", "stop", maintain_order=True):
        first = part.row(0, named=True)
        n = plural(part.height, "comparison")
        scenarios = plural(part["scenario_id"].n_unique(), "scenario")
        early = part.filter(pl.col("n_run") < pl.col("n"))
        saved = part["time_saved"].drop_nulls().to_list()
        wrong = part.filter("wrong").height
        under = f"{first['protocol'].partition('@')[0]}, " if several else ""
        share = "no time" if not saved else f"{np.mean(saved):.0%} of the time"
        sentences.append(
            f"{under}order '{first['order']}' with stopping rule '{first['stop']}': "
            f"{early.height} of {n} stop early ({scenarios}); "
            f"this saves {share} on average. "
            f"{plural(wrong, 'decision')} {'is' if wrong == 1 else 'are'} wrong "
            f"({wrong / part.height:.2%})."
        )
    return sentences


def instance_order(lake: OpenLake, *, incumbent: str, by: BetterBy = "mean", seed: int = 1) -> pl.DataFrame:
    """The discriminating order in which to run a new solver against an incumbent.

    One row per protocol, scenario, measure and instance, in order: its weight, bounds of the advantage and
    the expected one, which ``sequential_test`` takes (in k cutoffs, or wins), and the mean time of the
    known algorithms [scenario time unit].
    """
    frames = []
    for group, costs, times in _shares(lake):
        _pairs(group, incumbent, None, 1, seed)
        own, known = group.names.index(incumbent), list(range(len(group.names)))
        match = _match(costs, times, own, known, by)
        places = sampling_order(match.weights, rng=np.random.default_rng(seed))
        found = pl.DataFrame(
            {
                "place": np.arange(1, len(places) + 1),
                "instance_id": [group.instances[i] for i in places],
                "weight": match.weights[places],
                "lower": match.lower[places],
                "upper": match.upper[places],
                "expected": match.expected[places],
                "time": (match.time * group.runs.cutoffs)[places],
            }
        )
        about = {"protocol": group.protocol, "scenario_id": group.scenario_id, "measure": group.measure}
        frames.append(found.select(*(pl.lit(v).alias(k) for k, v in about.items()), pl.all()))
    if not frames:
        raise AslibError("no scenario has two algorithms with runtimes")
    return pl.concat(frames)
