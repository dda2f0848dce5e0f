"""How often to run algorithms on an instance: standard errors of their differences, and who runs next.

``contributions`` of every formula are the components of the squared standard error due to each algorithm's
own runs; they shrink as 1 / n of that algorithm.

Source: Campelo and Wanner 2020.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning import Formula, Pairs
from aslib_eval.figures.chart import Band, Chart, Dots, Linear, Rule
from aslib_eval.figures.ranks import require_one_comparison
from aslib_eval.metrics.scale import Floats
from aslib_eval.options import Differences
from aslib_eval.statistics.distributions import require_finite
from aslib_eval.text import number, plural, significant

Row = dict[str, Any]


@dataclass(frozen=True)
class PairError:
    """A difference of two algorithms on one instance, with its standard error."""

    first: int
    second: int
    difference: float
    se: float
    contributions: Floats  # (A,) components of se^2 due to each algorithm's runs
    ratio: float  # runs of the first / runs of the second
    optimal_ratio: float  # least runs for that se; nan where both do not vary


@dataclass(frozen=True)
class Samples:
    """Mean, standard deviation (0 for one run) and number of each algorithm's runs."""

    mean: Floats
    sd: Floats
    n: NDArray[np.int64]


def summarise(runs: Sequence[Sequence[float]]) -> Samples:
    """Mean, spread and number of the runs of each algorithm on one instance."""
    if min(map(len, runs), default=0) < 1:
        raise AslibError("an algorithm has no run on the instance")
    arrays = [np.asarray(values, float) for values in runs]
    for array in arrays:
        require_finite(array, "a run has no finite value")
    return Samples(
        mean=np.array([a.mean() for a in arrays]),
        sd=np.array([a.std(ddof=1) if np.ptp(a) > 0 else 0.0 for a in arrays], float),
        n=np.array([a.size for a in arrays]),
    )


def pairs_of(algorithms: int, pairs: Pairs) -> list[tuple[int, int]]:
    """Pairs of algorithms to compare: all, or the first with each other one."""
    if pairs == "first":
        return [(0, j) for j in range(1, algorithms)]
    return [(i, j) for i in range(algorithms) for j in range(i + 1, algorithms)]


def pair_errors(
    samples: Samples, *, difference: Differences = "simple", pairs: Pairs = "all", formula: str = "paper"
) -> list[PairError]:
    """Standard errors of all differences of interest on one instance.

    ``simple``: mean_i - mean_j. ``percent``: as a share of the first algorithm's mean (``pairs`` =
    ``first``) or of the grand mean (``all``). The ``paper``'s formula for percent differences of all pairs
    takes numerator and grand mean as independent, which is up to a fifth off; ``delta`` does not. They are
    the same elsewhere.

    Source: Campelo and Wanner 2020, eq. 17, 24 and 34; optimal ratios eq. 20, 29, 37.
    """
    base = float(samples.mean[0]) if pairs == "first" else float(samples.mean.mean())
    if difference == "percent" and base == 0:
        raise AslibError("a percent difference of a mean of 0 is undefined", hint="Use simple differences.")
    scale = 1.0 if difference == "simple" else base
    errors = []
    for i, j in pairs_of(samples.mean.size, pairs):
        phi = float(samples.mean[i] - samples.mean[j]) / scale
        weights = np.zeros(samples.mean.size)
        if difference == "simple":
            weights[[i, j]] = 1
        elif pairs == "first":  # eq. 24; the delta method gives the same
            weights[i] = samples.mean[j] ** 2 / samples.mean[i] ** 4
            weights[j] = 1 / samples.mean[i] ** 2
        else:
            weights = _percent_of_mean(samples, i, j, phi, formula)
        parts = weights * samples.sd**2 / samples.n
        needs = np.sqrt(weights) * samples.sd
        errors.append(
            PairError(i, j, phi, float(np.sqrt(parts.sum())), parts, *_ratios(samples, needs, i, j))
        )
    return errors


def _ratios(samples: Samples, needs: Floats, i: int, j: int) -> tuple[float, float]:
    """Runs of i per run of j, as they are and as they should be: in proportion to the needs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        optimal = float(np.divide(needs[i], needs[j]))
    return float(samples.n[i] / samples.n[j]), optimal


def _percent_of_mean(samples: Samples, i: int, j: int, phi: float, formula: str) -> Floats:
    """Eq. 34, or the derivatives of (mean_i - mean_j) / grand mean, squared."""
    algorithms = samples.mean.size
    part = phi / algorithms
    weights = np.full(algorithms, part**2)
    if formula == "delta":
        weights[i], weights[j] = (1 - part) ** 2, (1 + part) ** 2
    else:
        weights[[i, j]] = 1 + part**2
    return np.asarray(weights / samples.mean.mean() ** 2)


def bootstrap_pair_errors(
    runs: Sequence[Sequence[float]],
    *,
    difference: Differences = "simple",
    pairs: Pairs = "all",
    rng: np.random.Generator,
    resamples: int = 499,
) -> list[PairError]:
    """Bootstrap standard errors of differences of means.

    Every algorithm's runs are resampled; its contribution is the variance with the others fixed.

    Source: Campelo and Wanner 2020, section 3.2: bootstrap where no formula exists.
    """
    samples = summarise(runs)
    drawn = np.empty((len(runs), resamples))
    for k, values in enumerate(np.asarray(each, float) for each in runs):
        drawn[k] = values[rng.integers(values.size, size=(resamples, values.size))].mean(axis=1)
    estimates = _differences(samples.mean[:, None], difference, pairs)[:, 0]
    spread = _differences(drawn, difference, pairs).var(axis=1, ddof=1)
    parts = np.empty((len(runs), estimates.size))
    for k in range(len(runs)):
        fixed = np.repeat(samples.mean[:, None], resamples, axis=1)
        fixed[k] = drawn[k]
        parts[k] = _differences(fixed, difference, pairs).var(axis=1, ddof=1)
    needs = np.sqrt(parts * samples.n[:, None])
    return [
        PairError(
            *(i, j, float(estimates[column]), float(np.sqrt(spread[column])), parts[:, column]),
            *_ratios(samples, needs[:, column], i, j),
        )
        for column, (i, j) in enumerate(pairs_of(len(runs), pairs))
    ]


def _differences(values: Floats, difference: Differences, pairs: Pairs) -> Floats:
    """Differences (pairs, resamples) of values (algorithms, resamples)."""
    wanted = np.array(pairs_of(values.shape[0], pairs)).reshape(-1, 2)
    simple: Floats = values[wanted[:, 0]] - values[wanted[:, 1]]
    if difference == "simple":
        return simple
    base = values[0] if pairs == "first" else values.mean(axis=0)
    if (base == 0).any():
        raise AslibError("a percent difference of a mean of 0 is undefined", hint="Use simple differences.")
    return np.asarray(simple / base)


@dataclass(frozen=True)
class Accuracy:
    """Stopping rule of adaptive sampling, and which differences are estimated.

    The values are in the unit of the runs for simple differences, shares for percent.
    """

    se: float  # stop when no standard error exceeds it
    budget: int  # or when so many runs are done, all algorithms together
    start: int = 10  # runs of each algorithm before any choice
    difference: Differences = "simple"
    pairs: Pairs = "all"
    formula: Formula = "paper"
    balanced: bool = False  # run all algorithms equally often

    def __post_init__(self) -> None:
        """Raise AslibError if no sampling can meet this."""
        if not self.se > 0:
            raise AslibError(f"a standard error of {self.se:g} is never reached")
        if self.start < 2:  # noqa: PLR2004
            raise AslibError("a standard deviation needs two runs", hint="start >= 2")


class Sampling:
    """Algorithm 1: ask which algorithm to run next on an instance, add its value.

    ``for k in sampling: sampling.add(k, run(k))`` runs to the end. ``ask`` returns the same algorithm until
    a value is added. After ``start`` runs of each, the pair with the largest standard error chooses: of its
    two algorithms the one that has fewer runs than the optimal ratio asks for (a draw goes to the first);
    where neither of them varies, or the delta method or the bootstrap attributes the error to a third
    algorithm, the one whose runs contribute most. A pair whose runs never vary has the standard error 0: a
    deterministic algorithm gets ``start`` runs and no more. With ``balanced`` all algorithms run in rounds
    of one run each, as many as the budget has room for.

    Source: Campelo and Wanner 2020, Algorithm 1; where the text leaves the rule open (draws, undefined
    ratios) the draws are decided as in R's CAISEr 1.0.17.
    """

    def __init__(
        self, algorithms: int, *, accuracy: Accuracy, rng: np.random.Generator | None = None
    ) -> None:
        if algorithms < 2:  # noqa: PLR2004
            raise AslibError(f"{algorithms} algorithm has no difference to estimate")
        if accuracy.budget < algorithms * accuracy.start:
            need = algorithms * accuracy.start
            raise AslibError(
                f"a budget of {accuracy.budget} runs is too small", hint=f"The first runs take {need}."
            )
        if accuracy.formula == "bootstrap" and rng is None:
            raise AslibError("the bootstrap needs a random generator", hint="Give rng.")
        self.accuracy = accuracy
        self.runs: list[list[float]] = [[] for _ in range(algorithms)]
        self.order: list[int] = []  # algorithms in the order of their runs
        self._rng = rng
        self._errors: list[PairError] | None = None

    def __iter__(self) -> Iterator[int]:
        """Algorithms to run, in order; add each value before the next."""
        while (algorithm := self.ask()) is not None:
            done = len(self.order)
            yield algorithm
            if len(self.order) == done:
                raise AslibError("the value of the last run was never added")

    def ask(self) -> int | None:
        """The algorithm to run next, from 0; None when there is nothing left to do."""
        counts = [len(values) for values in self.runs]
        for algorithm, count in enumerate(counts):
            if count < self.accuracy.start:
                return algorithm
        if self.accuracy.balanced and min(counts) < max(counts):
            return counts.index(min(counts))
        following = len(counts) if self.accuracy.balanced else 1
        if len(self.order) + following > self.accuracy.budget or self.reached:
            return None
        if self.accuracy.balanced:
            return 0
        return self._choose(max(self.errors, key=lambda pair: pair.se))

    def add(self, algorithm: int, value: float) -> None:
        """Record the value of a run."""
        if not np.isfinite(value):
            raise AslibError(f"a run gave {value}, which has no mean")
        self.runs[algorithm].append(float(value))
        self.order.append(algorithm)
        self._errors = None

    @property
    def reached(self) -> bool:
        """True if no standard error exceeds the one asked for."""
        return all(pair.se <= self.accuracy.se for pair in self.errors)

    @property
    def errors(self) -> list[PairError]:
        """Current standard errors."""
        accuracy = self.accuracy
        wanted: Any = {"difference": accuracy.difference, "pairs": accuracy.pairs}
        if self._errors is None and accuracy.formula == "bootstrap" and self._rng is not None:
            self._errors = bootstrap_pair_errors(self.runs, **wanted, rng=self._rng)
        elif self._errors is None:
            self._errors = pair_errors(summarise(self.runs), **wanted, formula=accuracy.formula)
        return self._errors

    def _choose(self, worst: PairError) -> int:
        i, j = worst.first, worst.second
        if self.accuracy.formula == "paper" and not np.isnan(worst.optimal_ratio):
            return i if worst.ratio <= worst.optimal_ratio else j
        return int(np.argmax(worst.contributions / np.array([len(values) for values in self.runs])))


def pair_rows(instance: str, names: Sequence[str], sampling: Sampling) -> Iterator[Row]:
    """One row for each pair of an instance: difference, standard error, runs."""
    means = summarise(sampling.runs).mean.tolist()
    for pair in sampling.errors:
        i, j = pair.first, pair.second
        yield {
            "instance": instance, "system": names[i], "other": names[j],
            "difference": pair.difference, "se": pair.se,
            "reached": pair.se <= sampling.accuracy.se,
            "runs": len(sampling.runs[i]), "other_runs": len(sampling.runs[j]),
            "total_runs": len(sampling.order), "mean": means[i], "other_mean": means[j],
        }  # fmt: skip


# Adaptive sampling of recorded repetitions.


def replay(
    lake: OpenLake, *, accuracy: Accuracy, rng: np.random.Generator | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, tuple[str, ...]]:
    """Sample recorded repetitions in their order until the standard errors are reached.

    The first frame has one row for each instance: runs used, runs recorded, and the largest standard error
    reached; the second one for each instance and pair, as of ``drive``; the sentences are for each
    scenario. An instance on which an algorithm runs out of repetitions is not ``reached``; the budget is at
    most the recorded runs. Costs are those of the protocol, so a timeout is its penalty.
    """
    frame = lake.ask("repeated_costs")
    keys = ["protocol", "scenario_id", "measure", "instance_id"]
    rows: list[Row] = []
    pairs: list[Row] = []
    for part in frame.partition_by(keys, maintain_order=True):
        first = part.row(0, named=True)
        streams = part["costs"].to_list()
        if len(streams) > 1 and min(map(len, streams)) >= accuracy.start:
            row = {key: first[key] for key in keys}
            instance, names = first["instance_id"], part["algorithm"].to_list()
            sampling = _replay(streams, accuracy, rng, instance)
            rows.append(row | {
                "runs": len(sampling.order), "recorded": sum(map(len, streams)),
                "reached": sampling.reached, "largest_se": max(pair.se for pair in sampling.errors),
                "runs_of_each": [len(values) for values in sampling.runs],
            })  # fmt: skip
            pairs += (row | pair for pair in pair_rows(instance, names, sampling))
    if not rows:
        message = f"no instance has {accuracy.start} repetitions of each algorithm"
        raise AslibError(message, hint="Choose another --scenario, or a lower --start.")
    by_instance = pl.DataFrame(rows)
    return by_instance, pl.DataFrame(pairs), tuple(_sentences(by_instance, accuracy))


def _replay(
    streams: Sequence[Sequence[float]], accuracy: Accuracy, rng: np.random.Generator | None, instance: str
) -> Sampling:
    sampling = Sampling(len(streams), accuracy=accuracy, rng=rng)
    try:
        while (algorithm := sampling.ask()) is not None:
            run = len(sampling.runs[algorithm])
            if run >= len(streams[algorithm]):
                break
            sampling.add(algorithm, streams[algorithm][run])
        sampling.errors  # noqa: B018 - raises where a percent difference is undefined
    except AslibError as error:
        raise AslibError(error.message, instance, error.hint) from None
    return sampling


def _sentences(frame: pl.DataFrame, accuracy: Accuracy) -> Iterator[str]:
    for part in frame.partition_by("protocol", "scenario_id", maintain_order=True):
        enough = part.filter(part["reached"])
        of = "relative to the means" if accuracy.difference == "percent" else "in the unit of the measure"
        text = (
            f"{part['scenario_id'][0]}: all standard errors are at most {significant(accuracy.se, 6)}"
            f" ({of}) on {enough.height} of {part.height} instances"
        )
        if enough.height:
            used, there = (sum(enough[name]) / enough.height for name in ("runs", "recorded"))
            text += f". Such an instance needs {significant(used)} of {significant(there)} runs on average"
            if used == there and enough["runs_of_each"].explode().max() == accuracy.start:
                text += f"; the first {accuracy.start} runs of each algorithm suffice, so lower --start"
        yield f"{text}."


# Charts of the runs.


def standard_errors(pairs: pl.DataFrame, *, se: float) -> Chart:
    """Standard error of every pair on every instance, and the runs in all beside it.

    pairs: columns ``instance``, ``system``, ``other``, ``se``, ``reached`` and ``total_runs``, of ``plan
    runs``. ``se``: the standard error that was asked for; pairs beyond it ran out of budget, or of recorded
    runs.

    Source: Campelo and Wanner 2020, figure 3.
    """
    require_one_comparison(pairs)
    runs = dict(pairs.select("instance", "total_runs").rows())
    places = _places(list(runs), "instances")
    dots: dict[bool, list[list[Any]]] = {True: [], False: []}
    for row in pairs.to_dicts():
        tip = f"{row['instance']}, {row['system']} and {row['other']}: {number(row['se'])}"
        dots[row["reached"]].append([row["se"], places[row["instance"]], tip])
    n_open = len({y for _, y, _ in dots[False]})
    about = "All standard errors reached the one that was asked for."
    if n_open:
        about = f"On {plural(n_open, 'instance')}, some standard errors were too large when the runs ended."
    return Chart(
        "Standard errors of the differences",
        about,
        Linear("standard error", 0, max(se, *pairs["se"])),
        Band(list(runs), right=[f"{n}" for n in runs.values()]),
        [
            Rule(se, f"wanted: {number(se)}"),
            *(
                Dots(dots[is_in], name=name, color=color, r=3, symbol=symbol)
                for is_in, name, color, symbol in (
                    (True, "reached", "c1", None),
                    (False, "not reached", "c2", "square"),
                )
                if dots[is_in]
            ),
        ],
        f"{plural(len(runs), 'instance')}; at the right the runs on each",
        row_height=16,
    )


def runs_of_each(pairs: pl.DataFrame) -> Chart:
    """How often each algorithm was run on the instances, most in the median first.

    pairs: columns ``instance``, ``system``, ``other``, ``runs`` and ``other_runs``, of ``plan runs``.

    Source: Campelo and Wanner 2020, figure 4.
    """
    require_one_comparison(pairs)
    counts: dict[str, dict[str, int]] = {}
    for row in pairs.to_dicts():
        for who, often in (("system", "runs"), ("other", "other_runs")):
            counts.setdefault(row[who], {})[row["instance"]] = row[often]
    middle = {name: median(counts[name].values()) for name in counts}
    order = sorted(counts, key=lambda name: (-middle[name], name))
    places = _places(order, "algorithms")
    dots = [
        [often, row, f"{name} on {instance}: {plural(often, 'run')}"]
        for name, row in places.items()
        for instance, often in counts[name].items()
    ]
    middles = [
        [middle[name], row, f"{name}: {number(middle[name])} in the median"] for name, row in places.items()
    ]
    most = max(max(by_instance.values()) for by_instance in counts.values())
    n = len({instance for by_instance in counts.values() for instance in by_instance})
    return Chart(
        "Runs of each algorithm",
        f"{order[0]} was run most often in the median.",
        Linear("runs on an instance", 0, most, whole=True),
        Band(order),
        [
            Dots(dots, name="an instance", color="c6"),
            Dots(middles, name="median", color="ink", r=5, symbol="diamond"),
        ],
        f"n = {plural(n, 'instance')}",
        row_height=24,
    )


def _places(names: list[str], noun: str) -> dict[str, int]:
    most = 120  # that a page holds
    if not 0 < len(names) <= most:
        raise AslibError(f"{len(names)} {noun} do not make a readable chart", hint=f"Draw up to {most}.")
    return {name: row for row, name in enumerate(names)}
