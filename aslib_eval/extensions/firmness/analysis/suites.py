"""What each solver is worth over a suite of scenarios, by partial pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from aslib_eval.analysis.families import families_of
from aslib_eval.analysis.runs import pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.extensions.firmness.statistics.partial_pooling import (
    Codes,
    PooledMean,
    Sampled,
    pooled_mean,
    sampled,
)
from aslib_eval.extensions.firmness.words import Inside, SuiteOf
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import number, plural
from aslib_eval.words import SweptKind

_SCENARIO = ("scenario_id", "measure")
_BOUNDS = {"gap": (-np.inf, 1.0), "solved": (0.0, 1.0), "cost": (0.0, 1.0)}


@dataclass(frozen=True, eq=False)
class Member:
    """What a solver has on the instances of a scenario.

    label: scenario and measure. values: (n_instances,); their mean is the solver's
    value there. families: (n_instances,) codes; None where there are none.
    """

    label: tuple[str, str]
    values: Floats
    families: Codes | None

    @property
    def n_families(self) -> int:
        """Number of families; 0 where there are none."""
        return 0 if self.families is None else len(np.unique(self.families))


@dataclass(frozen=True, eq=False)
class SuiteSolver:
    """A solver over the scenarios in which it has a value, one at least.

    absent: scenarios in which others have a value, and this one has none.
    """

    protocol: str
    kind: str
    solver: str
    of: SuiteOf
    members: tuple[Member, ...]
    absent: int
    confidence: float

    @property
    def mean(self) -> float:
        """The plain mean of the scenarios."""
        return float(self.sampled.means.mean())

    @cached_property
    def sampled(self) -> Sampled:
        """The mean in each scenario, and its error."""
        return sampled(
            [member.values for member in self.members],
            [member.families for member in self.members],
            same_spread=self.of != "gap",
        )

    @cached_property
    def pooled(self) -> PooledMean:
        """The mean in which each scenario counts for what it tells."""
        of = self.sampled
        df = float(of.units[0]) - 1
        return pooled_mean(of.means, of.errors, confidence=self.confidence, df=df)

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Its ends, within the bounds of what is measured; None where nothing tells."""
        low, high = _BOUNDS[self.of]
        found = self.pooled
        if np.isnan(found.lower):
            return None, None
        return max(found.lower, low), min(found.upper, high)


def suite_solvers(
    lake: OpenLake,
    *,
    of: SuiteOf,
    kind: SweptKind | None,
    attribute: str | None,
    inside: Inside,
    confidence: float,
) -> tuple[list[SuiteSolver], list[str]]:
    """The solvers of each protocol and kind, and what was left out, in sentences.

    The best first, but those in more scenarios before those in fewer.

    of: the closed gap over the instances, the share solved, or mean cost as a share of
    that of no solution. attribute: of which the families are, as ``families_of``.
    """
    frame = lake.ask("suite_runs", {"kind": kind})
    # Protocols and measures may leave other instances.
    known: dict[tuple[str, ...], Codes | None] = {}
    told: list[str] = []
    made: dict[tuple[str, str], dict[str, list[Member]]] = {}
    met: dict[tuple[str, str], int] = {}
    for labels, part in frame.group_by("protocol", "kind", *_SCENARIO,
                                       maintain_order=True):  # fmt: skip
        protocol, kind_, scenario, measure = map(str, labels)
        table = pivot(part, rows=["instance_id"], columns=["solver"])
        instances = table.rows["instance_id"].cast(str).to_list()
        if (key := (scenario, *instances)) not in known:
            names = (
                families_of(lake, scenario, instances, attribute=attribute)
                if inside == "families"
                else instances
            )
            codes = np.unique(names, return_inverse=True)[1]
            some = 1 < codes.max() + 1 < len(codes)
            known[key] = codes.astype(np.int64) if some else None
        values = values_of(table.table, of)
        there = np.isfinite(values).all(axis=0)
        if not there.any():
            told.append(f"{scenario}, {measure}: {_WITHOUT[of]}")
            continue
        met[protocol, kind_] = met.get((protocol, kind_), 0) + 1
        solvers = table.columns["solver"].cast(str).to_list()
        group = made.setdefault((protocol, kind_), {})
        for at in np.flatnonzero(there):
            member = Member((scenario, measure), values[:, at], known[key])
            group.setdefault(solvers[at], []).append(member)
    found = [
        SuiteSolver(
            protocol, kind_, solver, of, tuple(members),
            met[protocol, kind_] - len(members), confidence,
        )
        for (protocol, kind_), group in made.items()
        for solver, members in group.items()
    ]  # fmt: skip
    sign = 1 if of == "cost" else -1
    order = {label: at for at, label in enumerate(made)}
    found.sort(
        key=lambda one: (
            order[one.protocol, one.kind],
            one.absent,
            sign * one.pooled.estimate,
            one.solver,
        )
    )
    return found, list(dict.fromkeys(told))


_WITHOUT = {
    "gap": "no closed gap, as SBS is as good as VBS, or a cost is missing",
    "solved": "a quality of solutions has no share solved",
    "cost": "the cost of a quality is no share of that of no solution",
}


def values_of(table: Callable[[str], Floats], of: SuiteOf) -> Floats:
    """What each solver has on each instance, (n_instances, n_solvers); nan = none.

    Of the closed gap it is that of the scenario, and the instance's influence on it, so
    that the mean is the gap and the spread that of the ratio (the delta method).
    """
    if of == "solved":
        return np.asarray(table("solved"))
    costs = np.asarray(table("cost"))
    if of == "cost":
        return np.asarray(costs / table("worst"))
    sbs, room = table("sbs"), table("sbs") - table("vbs")
    whole = room.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = np.where(whole > 0, (sbs - costs).mean(axis=0) / whole, np.nan)
        return np.asarray(gap + (sbs - costs - gap * room) / whole)


def solvers_frame(found: Sequence[SuiteSolver]) -> pl.DataFrame:
    """A row a solver: its plain mean, and the pooled one with its interval."""
    rows = []
    for one in found:
        families = one.sampled.between_families
        there = families[np.isfinite(families)]
        rows.append(
            (one.protocol, one.kind, one.of, one.solver, one.mean, one.pooled.estimate,
             *one.interval, one.pooled.between,
             float(np.sqrt((there**2).mean())) if len(there) else None,
             len(one.members), sum(member.n_families for member in one.members),
             sum(len(member.values) for member in one.members), one.absent)
        )  # fmt: skip
    text, real, whole = pl.String(), pl.Float64(), pl.Int64()
    names = ("mean", "estimate", "lower", "upper")
    counts = ("n_scenarios", "n_families", "n_instances", "n_absent")
    schema = {
        **dict.fromkeys(("protocol", "kind", "of", "solver"), text),
        **dict.fromkeys((*names, "between_scenarios", "between_families"), real),
        **dict.fromkeys(counts, whole),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def scenarios_frame(found: Sequence[SuiteSolver]) -> pl.DataFrame:
    """A row a solver and scenario: its value, and where that is drawn to."""
    rows = []
    for one in found:
        of, to = one.sampled, one.pooled
        numbers = np.column_stack(
            [of.means, np.sqrt(of.errors), of.between_families,
             to.shrunk, to.shrinkage, to.weight]
        )  # fmt: skip
        for member, its in zip(one.members, numbers.tolist(), strict=True):
            counts = len(member.values), member.n_families
            rows.append(
                (one.protocol, one.kind, one.of, one.solver, *member.label, *counts,
                 *its)
            )  # fmt: skip
    text, real, whole = pl.String(), pl.Float64(), pl.Int64()
    numbers_ = ("value", "error", "between_families", "shrunk", "shrinkage", "weight")
    schema = {
        **dict.fromkeys(("protocol", "kind", "of", "solver", *_SCENARIO), text),
        **dict.fromkeys(("n", "n_families"), whole),
        **dict.fromkeys(numbers_, real),
    }
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(pl.col("between_families").fill_nan(None))


def sentences(found: Sequence[SuiteSolver]) -> list[str]:
    """Who has the best mean of each protocol and kind, and what to beware of."""
    told = []
    for key in dict.fromkeys((one.protocol, one.kind) for one in found):
        own = [one for one in found if (one.protocol, one.kind) == key]
        first = own[0]
        low, high = first.interval
        sign = -1 if first.of == "cost" else 1
        alike = [one for one in own if one.absent == first.absent]
        plain = max(alike, key=lambda one: sign * one.mean)
        words = f"{key[0].partition('@')[0]}, {key[1]}: {first.solver} has the best "
        words += f"{_SAID[first.of]}, {number(round(first.pooled.estimate, 3))}"
        if low is not None and high is not None:
            words += f" ({number(round(low, 3))} to {number(round(high, 3))})"
        if plain is not first:
            words += f"; by the plain mean of scenarios it is {plain.solver}"
        many = len(first.members)
        words += f"; {plural(many, 'scenario')}"
        if many == 1:
            words += ", so that nothing is said of others"
        if any(one.absent for one in own):
            words += "; solvers in fewer, which may be easier ones, come after it"
        told.append(words)
    return told


_SAID = {
    "gap": "closed gap",
    "solved": "share solved",
    "cost": "mean cost as a share of that of no solution",
}
