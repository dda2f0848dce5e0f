"""Rankings and what each solver has on each instance, of scenarios, competitions and over scenarios."""

from __future__ import annotations

import fnmatch
import sys
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, cmp_to_key

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.runs import Group, families_of, groups, known_families, pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness import metrics
from aslib_eval.metrics.ranking import BordaRule, points_of_pairs
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.options import Inside, SweptKind
from aslib_eval.text import join_words, list_names, number, one_of, plural

_LEAST = 2  # solvers that make a ranking
_LABELS = ("protocol", "scenario_id", "measure", "kind")
# What a rule's order says → the column that is summed, and whether more is better.
_DECIDES = {
    "errors": ("errors", 1),
    "-solved": ("solved", -1),
    "points": ("points", 1),
    "-points": ("points", -1),
    "wall": ("wall", 1),
    "cpu": ("cpu", 1),
    "time": ("time", 1),
    "mean_time": ("time", 1),
}


@dataclass(frozen=True)
class ScoreBounds:
    """The least and the greatest value that a score can have, and what says so, in words."""

    least: float
    most: float
    because: str


# Unit of a quality → the values that it can have.
_OF_UNITS = {
    **dict.fromkeys(("share", "fraction", "proportion", "probability"), (0.0, 1.0)),
    **dict.fromkeys(("%", "percent", "percentage"), (0.0, 100.0)),
}


def score_bounds(
    values: Floats,
    *,
    maximize: bool,
    unit: str | None = None,
    given: tuple[float, float] | None = None,
    failed: NDArray[np.bool_] | None = None,
    of: str = "",
) -> ScoreBounds | None:
    """The bounds of a quality; None where nothing says that there are any.

    values: as the measure has them. The unit says them (a share, percent) unless a value is beyond them, or
    the values: each is 0 or 1, or more is better and all are between 0 and 1. given: bounds that the user
    names. failed: which values are what failed runs cost: these may be worse than any score, by as much as
    scores can differ. of: what has the values.
    """
    scores = values if failed is None else values[~failed]
    beyond = [] if given is None else scores[(scores < given[0]) | (scores > given[1])].tolist()
    if given and beyond:
        raise AslibError(
            f"{of}: {number(beyond[0])} is not between {number(given[0])} and {number(given[1])}",
            "--bounds",
            "Give the lowest and the highest possible score, such as --bounds 0,100.",
        )
    of_unit = _OF_UNITS.get((unit or "").casefold())
    because = f"unit {unit}"
    if given:
        known, because = given, "as you said"
    elif of_unit and of_unit[0] <= scores.min(initial=0) <= scores.max(initial=0) <= of_unit[1]:
        known = of_unit
    elif ((scores == 0) | (scores == 1)).all() or (maximize and ((scores >= 0) & (scores <= 1)).all()):
        known, because = (0.0, 1.0), "as all scores do"
    else:
        return None
    least, most = known
    if len(scores.ravel()) == values.size:
        return ScoreBounds(least, most, because)
    span, because = most - least, f"{because}, and failed runs beyond"
    if maximize:
        return ScoreBounds(min(least - span, float(values.min())), most, because)
    return ScoreBounds(least, max(most + span, float(values.max())), because)


@dataclass(frozen=True, eq=False)
class Standing:
    """A ranking, and what each solver has on each instance.

    labels: protocol (name@hash) or rule, scenario, measure or board, and kind. solvers: the best first;
    equal ones by name. levels: (n_levels, n_instances, n_solvers) less is better; sums over instances
    decide, the first level first. families: of each instance; empty where there are none. against:
    (n_solvers, n_solvers) what each has on the first level by each other one, less is better, where that
    depends on who takes part. group, protocol: its runs, where they are runtimes under a protocol. remark:
    what is to be said of it. most: of each level, by how much two can differ on an instance, None where it
    is not known; () if of none. errors: the level that counts them. bounds: of scores. sign: -1 where more
    is better of what the first level shows. runs: how many an instance has, in the mean and at most.
    left_out: solvers that lack a value on some instance. instances: their names.
    """

    labels: tuple[str, str, str, str]
    solvers: tuple[str, ...]
    levels: Floats
    families: tuple[str, ...] = ()
    against: Floats | None = None
    group: Group | None = None
    protocol: Protocol | None = None
    remark: str | None = None
    most: tuple[float | None, ...] = ()
    errors: int | None = None
    bounds: ScoreBounds | None = None
    sign: int = 1
    runs: tuple[float, float] = (1.0, 1.0)
    left_out: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()

    @property
    def about(self) -> dict[str, object]:
        """The labels, by the columns of frames."""
        return dict(zip(_LABELS, self.labels, strict=True))

    @property
    def title(self) -> str:
        """Scenario, protocol or rule, and measure or board, for a sentence."""
        label, scenario, part, _ = self.labels
        more = f", {part.strip()}" if part != "all" else ""
        return f"{scenario}, {label.partition('@')[0]}{more}"

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.levels.shape[1])

    @property
    def total_bounds(self) -> tuple[float, float]:
        """Of what a solver has on an instance, over all its runs; infinite where there are none."""
        if self.bounds is None:
            return -np.inf, np.inf
        least, most, runs = self.bounds.least, self.bounds.most, self.runs[1]
        return min(least, least * runs), max(most, most * runs)

    def contest(self, ahead: int, other: int) -> metrics.Advantages:
        """What two solvers have, as advantages of the first."""
        return metrics.Advantages(self.levels[:, :, other] - self.levels[:, :, ahead])

    @cached_property
    def places(self) -> list[int]:
        """The place of each, from 1; equal ones share it."""
        found = [1]
        for at in range(1, len(self.solvers)):
            found.append(found[-1] if self.contest(at - 1, at).order() == 0 else at + 1)
        return found


def standings(
    lake: OpenLake,
    *,
    by: str,
    kind: SweptKind | None,
    attribute: str | None,
    bounds: tuple[float, float] | None = None,
) -> Iterator[Standing]:
    """The rankings of all scenarios and protocols of a lake.

    by: mean cost, share solved, or Borda points; of the last two runtimes alone have a ranking. kind: None
    for selectors where there are any, else algorithms. attribute: whose values are the families; None for
    ``family``, and where no instance has that, what the names say. Solvers without a cost on some instance
    are not ranked. bounds: of the scores, if the user names them.
    """
    frame = lake.ask("standing_runs", {"kind": kind, "attribute": attribute or "family"})
    runs = {
        (group.protocol, group.scenario_id, group.measure): (group, protocol)
        for protocol in lake.protocols
        for group in groups(lake, protocol.protocol, kind=kind)
    }
    for labels, part in frame.group_by(*_LABELS, maintain_order=True):
        tag, scenario, measure, of = map(str, labels)
        group, protocol = runs.get((tag, scenario, measure)) or (None, None)
        made = pivot(part, rows=["instance_id"], columns=["solver"])
        solvers = made.columns["solver"].cast(str).to_list()
        instances = made.rows["instance_id"].cast(str).to_list()
        against = None
        if by == "points":
            if group is None or protocol is None:
                continue
            level, against = _points(group, protocol, solvers)
            instances = list(group.instances)
        else:
            level = made.table(by) * (-1 if by == "solved" else 1)
        most = None
        if group is not None and protocol is not None:
            often = Counter(name.partition(" #")[0] for name in group.instances)
            worth = {
                "cost": protocol.penalty * float(group.runs.cutoffs.max()),
                "solved": 1.0,
                "points": len(solvers) - 1.0,
            }
            most = max(often.values()) * worth[by]
        whole = np.asarray(np.isfinite(level).all(axis=0))
        if whole.sum() < _LEAST:
            continue
        if against is not None:
            against = against[whole][:, whole]
        said, counts = part.row(0, named=True), made.table("n_runs")
        maximize, of_scores = bool(said["maximize"]), None
        if by == "cost" and said["measure_type"] != "runtime":
            scores = level[:, whole] * (-1 if maximize else 1)
            scores /= counts[:, whole]
            of_scores = score_bounds(
                scores,
                maximize=maximize,
                unit=said["unit"],
                given=bounds,
                failed=np.nan_to_num(made.table("n_failed")[:, whole]) > 0,
                of=f"{scenario}, {measure}",
            )
        elif bounds is not None:
            raise AslibError(
                f"{scenario}: {measure} is no score",
                "--bounds",
                "Choose a solution-quality measure: --measure NAME.",
            )
        standing = Standing(
            (tag, scenario, measure, of),
            tuple(solvers[at] for at in np.flatnonzero(whole)),
            level[None][:, :, whole],
            against=against,
            group=group,
            protocol=protocol,
            most=(most,),
            bounds=of_scores,
            sign=-1 if by != "cost" or (maximize and said["measure_type"] != "runtime") else 1,
            runs=(float(np.nanmean(counts)), float(np.nanmax(counts))),
            left_out=tuple(solvers[at] for at in np.flatnonzero(~whole)),
            instances=tuple(instances),
        )
        yield ranked(standing, dict(part.select("instance_id", "family").rows()), by_name=attribute is None)


def ranked(given: Standing, families: Mapping[str, str | None], *, by_name: bool = True) -> Standing:
    """A standing of solvers that are given in any order.

    given: its instances are those of the rows; repetitions of one that are rows of their own, as ``name
    #2``, become one. families: of instances; by_name: where none is known, what the names say.
    """
    names, codes = np.unique([name.partition(" #")[0] for name in given.instances], return_inverse=True)
    solvers, against = given.solvers, given.against
    sums = np.zeros((len(given.levels), len(names), len(solvers)))
    for total, level in zip(sums, given.levels, strict=True):
        np.add.at(total, codes, level)

    def before(a: int, b: int) -> int:
        ahead = metrics.Advantages(sums[:, :, b] - sums[:, :, a]).order()
        return -ahead or (-1 if solvers[a] < solvers[b] else 1)

    order = sorted(range(len(solvers)), key=cmp_to_key(before))
    return replace(
        given,
        solvers=tuple(solvers[at] for at in order),
        levels=sums[:, :, order],
        families=known_families(names.tolist(), families, by_name=by_name),
        against=None if against is None else against[order][:, order],
        instances=tuple(names.tolist()),
    )


def _points(group: Group, protocol: Protocol, solvers: Sequence[str]) -> tuple[Floats, Floats]:
    """Borda points of each instance, turned, and the sums of each against each."""
    at = [group.names[: group.n_entrants].index(name) for name in solvers]
    runs = Runs(group.runs.times[:, at], group.runs.solved[:, at], group.runs.cutoffs)
    rule = BordaRule(delta=protocol.borda_delta, relative=protocol.borda_delta_kind == "relative")
    level = np.zeros(runs.times.shape)
    against = np.zeros((len(at), len(at)))
    for a, b, own, others in points_of_pairs(runs, rule=rule):
        level[:, a] -= own
        level[:, b] -= others
        against[a, b], against[b, a] = -own.sum(), -others.sum()
    return level, against


def of_rule(lake: OpenLake, rule: str) -> Iterator[Standing]:
    """The boards of the rules whose name matches, of all scenarios of a lake.

    Each instance keeps what it is worth whatever others go; where that may depend on them, because a solver
    is unsound or groups weigh the same, ``remark`` says so.
    """
    if "rule_part" not in lake.lineage.views:
        raise AslibError("the extension competitions, which has the rules, is missing", "--rule")
    names = [row.name for row in lake.lineage.views["rule"].rows]
    found = fnmatch.filter(names, rule)
    if not found:
        raise AslibError(f"there is no rule {rule!r}", "--rule", one_of(rule, names))
    asked = between(rule, found)
    frame = lake.ask("rule_values", asked)
    if not frame.height:
        what = f"{join_words(sorted(found))} {'ranks' if len(found) == 1 else 'rank'}"
        raise AslibError(f"{what} no runs", "--rule", "Choose another rule, or other scenarios.")
    yield from boards_of(frame, _points_against(lake, frame, asked))


def between(rule: str, names: Sequence[str]) -> dict[str, str]:
    """The parameters of a question about the rules of these names, all by one glob."""
    return {"rule": rule, "first": min(names), "last": max(names)}


class RecordedBoards(typing.Protocol):
    """A competition's record, which answers files of sql/frame."""

    ask: Callable[[str, Mapping[str, object]], pl.DataFrame]


def recorded(record: RecordedBoards) -> Iterator[Standing]:
    """The standings of a competition's record, over all instances of each scenario."""
    every = between("*", ["", chr(sys.maxunicode)])
    frame = record.ask("rule_values", every).filter(part_of="all")
    yield from boards_of(frame, _points_against(record, frame, every))


def _points_against(
    asked: OpenLake | RecordedBoards, frame: pl.DataFrame, rules: Mapping[str, str]
) -> pl.DataFrame | None:
    return asked.ask("points_against", rules) if frame.filter(scoring="pairs").height else None


def boards_of(frame: pl.DataFrame, against: pl.DataFrame | None) -> Iterator[Standing]:
    """The standings of rows of the frames ``rule_values`` and ``points_against``."""
    keys = ("rule", "scenario_id", "part_of", "part")
    for labels, part in frame.group_by(*keys, maintain_order=True):
        rule, scenario, part_of, name = map(str, labels)
        made = pivot(part, rows=["instance_id"], columns=["solver"])
        solvers = made.columns["solver"].cast(str).to_list()
        counts = made.table("n")
        if len(solvers) < _LEAST or (counts != counts[:, :1]).any():
            continue  # means over other instances have no order of sums
        said = part.row(0, named=True)
        words = said["order_by"]
        if "mean_time" in words and (
            "-solved" not in words[: words.index("mean_time")] or said["times"] != "solved"
        ):
            continue  # a mean over other runs: no sum
        levels = np.array(
            [made.table(column) * sign for column, sign in map(_DECIDES.get, words)]  # type: ignore[misc]
        )
        points = None
        if against is not None and said["scoring"] == "pairs" and part_of == "all":
            points = _table(against.filter(rule=rule, scenario_id=scenario), solvers)
        remarks = [
            *["removing an instance changes the weights of others"] * (said["balanced"] is not None),
            *["removing instances may hide that a solver is unsound"] * (not part["sound"].all()),
        ]
        is_par = said["scoring"] == "par" and words == ["points"] and (counts == 1).all()
        group = None
        if is_par and said["balanced"] is None and said["cutoff"]:
            runs = _penalised(levels[0], made.table("solved"), made.table("cutoff"))
            named = (rule, scenario, "", tuple(solvers), made.rows.height, len(solvers))
            group = None if runs is None else Group(*named, has_gap=False, runs=runs)
        penalty = said["penalty"] if group else 1.0
        standing = Standing(
            (rule, scenario, name if part_of == "all" else f"{part_of} {name}", "rule"),
            tuple(solvers),
            levels,
            against=points,
            group=group,
            protocol=Protocol(penalty=penalty, at_cutoff="solved"),
            remark="; ".join(remarks) or None,
            errors=words.index("errors") if "errors" in words else None,
            instances=tuple(made.rows["instance_id"].cast(str)),
        )
        yield ranked(standing, dict(part.select("instance_id", "family").rows()))


def _penalised(times: Floats, solved: Floats, cutoffs: Floats) -> Runs | None:
    """The runs of a board of PARk; None where late answers count as they stand."""
    limits = cutoffs.max(axis=1)
    done = solved > 0
    if not (np.isfinite(limits) & (limits > 0)).all():
        return None
    return None if (done & (times > limits[:, None])).any() else Runs(times, done, limits)


def _table(against: pl.DataFrame, solvers: Sequence[str]) -> Floats:
    at = {name: place for place, name in enumerate(solvers)}
    found = np.zeros((len(solvers), len(solvers)))
    for solver, other, points in against.select("solver", "other", "points").rows():
        if solver in at and other in at:
            found[at[solver], at[other]] = -points
    return found


_SCENARIO = ("scenario_id", "measure")
_BOUNDS = {"gap": (-np.inf, 1.0), "solved": (0.0, 1.0), "cost": (0.0, 1.0)}


@dataclass(frozen=True, eq=False)
class Member:
    """What a solver has on the instances of a scenario.

    label: scenario and measure. values: (n_instances,); their mean is the solver's value there. families:
    (n_instances,) codes; None where there are none.
    """

    label: tuple[str, str]
    values: Floats
    families: metrics.Codes | None

    @property
    def n_families(self) -> int:
        """Number of families; 0 where there are none."""
        return 0 if self.families is None else len(np.unique(self.families))


@dataclass(frozen=True, eq=False)
class SuiteSolver:
    """A solver over the scenarios in which it has a value, one at least.

    between: variance of the scenarios' own values; nan of one alone. absent: scenarios in which others have
    a value, and this one has none. behind: by how much the first solver is better over the scenarios that
    both have, with an interval that holds for all pairs of solvers at once; None of the first.
    """

    protocol: str
    kind: str
    solver: str
    of: str
    members: tuple[Member, ...]
    sampled: metrics.Sampled
    between: float
    absent: int
    plain: metrics.PlainMean
    pooled: metrics.PooledMean
    behind: metrics.PlainMean | None = None

    def bounded(self, *ends: float) -> Floats:
        """Ends of intervals, within the bounds of what is measured."""
        return np.asarray(np.clip(ends, *_BOUNDS[self.of]))


def suite_solvers(
    lake: OpenLake,
    *,
    of: str,
    kind: SweptKind | None,
    attribute: str | None,
    inside: Inside,
    confidence: float,
) -> tuple[list[SuiteSolver], list[str]]:
    """The solvers of each protocol and kind, and what was left out, in sentences.

    The best first, but those in more scenarios before those in fewer.

    of: the closed gap over the instances, the share solved, or mean cost as a share of that of no solution.
    attribute: of which the families are, as ``families_of``.
    """
    frame = lake.ask("suite_runs", {"kind": kind})
    # Protocols and measures may leave other instances.
    known: dict[tuple[str, ...], metrics.Codes | None] = {}
    told: list[str] = []
    made: dict[tuple[str, str], dict[str, list[Member]]] = {}
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
        solvers = table.columns["solver"].cast(str).to_list()
        group = made.setdefault((protocol, kind_), {})
        for at in np.flatnonzero(there):
            group.setdefault(solvers[at], []).append(Member((scenario, measure), values[:, at], known[key]))
    found = []
    for (protocol, kind_), group in made.items():
        found += measured(protocol, kind_, group, of, confidence=confidence)
    return found, list(dict.fromkeys(told))


def measured(
    protocol: str, kind: str, group: Mapping[str, Sequence[Member]], of: str, *, confidence: float
) -> list[SuiteSolver]:
    """The solvers of a kind, the best first, but after those in more scenarios.

    A scenario has one weight for all of them: by its own error, a solver that loses more where it loses
    would seem to tell less there, and come out ahead.
    """
    drawn = {
        solver: metrics.sampled(
            [m.values for m in members], [m.families for m in members], same_spread=of != "gap"
        )
        for solver, members in group.items()
    }
    between = {solver: metrics.variance_between(own.means, own.errors) for solver, own in drawn.items()}
    errors: dict[tuple[str, str], list[float]] = {}
    for solver, members in group.items():
        for member, error in zip(members, drawn[solver].errors, strict=True):
            errors.setdefault(member.label, []).append(float(error))
    known = [value for value in between.values() if np.isfinite(value)]
    usual = float(np.mean(known)) if known else 0.0
    variances = {label: float(np.mean(own)) + usual for label, own in errors.items()}
    # A scenario without any error would count alone: a billionth of the mean at least.
    least = float(np.mean(list(variances.values()))) * 1e-9 or 1.0
    found = []
    for solver, members in group.items():
        own = drawn[solver]
        precision = np.array([1 / max(variances[member.label], least) for member in members])
        plain = metrics.plain_mean(own.means, own.errors, confidence=confidence, df=float(own.units[0]) - 1)
        pooled = metrics.pooled_mean(own.means, own.errors, between[solver], precision)
        absent = len(errors) - len(members)
        about = protocol, kind, solver, of, tuple(members)
        found.append(SuiteSolver(*about, own, between[solver], absent, plain, pooled))
    sign = 1 if of == "cost" else -1
    found.sort(key=lambda one: (one.absent, sign * one.plain.mean, one.solver))
    return _beside_first(found, confidence=confidence)


def _beside_first(found: Sequence[SuiteSolver], *, confidence: float) -> list[SuiteSolver]:
    """The solvers, each with how far it is behind the first.

    Which one is first was chosen on the same scenarios, so that an interval has to hold for all pairs
    (Bonferroni). One scenario alone, or scenarios that all say exactly the same, have no interval.
    """
    first, pairs = found[0], len(found) * (len(found) - 1) / 2
    sign = -1 if first.of == "cost" else 1
    there = {member.label: member for member in first.members}
    beside = [first]
    for one in found[1:]:
        both = [(there[member.label], member) for member in one.members if member.label in there]
        if not both:
            beside.append(one)
            continue
        ahead = metrics.sampled(
            [sign * (a.values - b.values) for a, b in both],
            [a.families for a, _ in both],
            same_spread=first.of != "gap",
        )
        behind = metrics.plain_mean(
            ahead.means, ahead.errors, confidence=1 - (1 - confidence) / pairs, df=0
        )
        known = len(both) > 1 and (behind.lower < behind.upper or not behind.mean)
        if not known:
            behind = replace(behind, lower=np.nan, upper=np.nan)
        beside.append(replace(one, behind=behind))
    return beside


_WITHOUT = {
    "gap": "no closed gap, because SBS is as good as VBS or a cost is missing",
    "solved": "left out because a solution-quality measure has no share of solved instances",
    "cost": "left out because a solution-quality measure has no cost of a timeout",
}


def values_of(table: Callable[[str], Floats], of: str) -> Floats:
    """What each solver has on each instance, (n_instances, n_solvers); nan = none.

    Of the closed gap it is that of the scenario, and the instance's influence on it, so that the mean is
    the gap and the spread that of the ratio (the delta method).
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
    """A row a solver: its mean, who it is behind, and the mean by what tells."""
    rows = []
    for one in found:
        families = one.sampled.between_families
        there = families[np.isfinite(families)]
        plain, behind = one.plain, one.behind or metrics.PlainMean(*[np.nan] * 5)
        lower, upper = one.bounded(plain.lower, plain.upper).tolist()
        new_lower, new_upper = one.bounded(plain.new_lower, plain.new_upper).tolist()
        rows.append(
            {
                "protocol": one.protocol, "kind": one.kind, "of": one.of, "solver": one.solver,
                "mean": plain.mean, "lower": lower, "upper": upper,
                "new_lower": new_lower, "new_upper": new_upper,
                "behind": behind.mean, "behind_lower": behind.lower, "behind_upper": behind.upper,
                "estimate": one.pooled.estimate, "between_scenarios": float(np.sqrt(one.between)),
                "between_families": float(np.sqrt((there**2).mean())) if len(there) else np.nan,
                "n_scenarios": len(one.members),
                "n_families": sum(member.n_families for member in one.members),
                "n_instances": sum(len(member.values) for member in one.members),
                "n_absent": one.absent,
            }
        )  # fmt: skip
    return pl.DataFrame(rows).fill_nan(None)


def scenarios_frame(found: Sequence[SuiteSolver]) -> pl.DataFrame:
    """A row a solver and scenario: its value, and where that is drawn to."""
    rows = []
    for one in found:
        for at, member in enumerate(one.members):
            scenario, measure = member.label
            rows.append(
                {
                    "protocol": one.protocol, "kind": one.kind, "of": one.of, "solver": one.solver,
                    "scenario_id": scenario, "measure": measure,
                    "n": len(member.values), "n_families": member.n_families,
                    "value": one.sampled.means[at], "error": np.sqrt(one.sampled.errors[at]),
                    "between_families": one.sampled.between_families[at],
                    "shrunk": one.pooled.shrunk[at], "shrinkage": one.pooled.shrinkage[at],
                    "weight": one.pooled.weight[at],
                }
            )  # fmt: skip
    return pl.DataFrame(rows).fill_nan(None)


def sentences(found: Sequence[SuiteSolver]) -> list[str]:
    """Who has the best mean of each protocol and kind, and how sure that is."""
    told = []
    for key in dict.fromkeys((one.protocol, one.kind) for one in found):
        own = [one for one in found if (one.protocol, one.kind) == key]
        first, many = own[0], len(own[0].members)
        words = f"{key[0].partition('@')[0]}, {key[1]}: {first.solver} has the best "
        words += f"{_SAID[first.of]}, {_rounded(first.plain.mean)}"
        ends = first.bounded(first.plain.lower, first.plain.upper)
        words += f" (interval {_between(*ends)})" if np.isfinite(ends).all() else ""
        words += f", over {plural(many, 'scenario')}"
        if many == 1:
            words += ". One scenario says nothing about others. To test on it, type aslib-eval compare"
        rest = [(one, one.behind) for one in own if one.behind and many > 1]
        apart = [one for one, behind in rest if behind.lower > 0]
        alike = [one for one, _ in rest if one not in apart]
        if apart:
            words += f". It is significantly better than {_listed(apart)}"
        if alike:
            words += f". It is not significantly better than {_listed(alike)}"
        if many > 1:
            words += ". The prediction interval for a new scenario is "
            words += _between(*first.bounded(first.plain.new_lower, first.plain.new_upper))
            least, most = _BOUNDS[first.of]
            if first.plain.lower < least or first.plain.upper > most:
                words += ". The mean's interval held impossible values and was cut, so it is less reliable"
        sign = -1 if first.of == "cost" else 1
        among = [one for one in own if one.absent == first.absent]
        weighted = max(among, key=lambda one: sign * one.pooled.estimate)
        if weighted.solver != first.solver:
            words += f". If scenarios with smaller errors weigh more, {weighted.solver} is first"
        if any(one.absent for one in own):
            words += ". Solvers without results on some scenario come last"
        told.append(words)
    return told


def _rounded(value: float) -> str:
    return number(round(value, 3))


def _between(low: float, high: float) -> str:
    return f"{_rounded(low)} to {_rounded(high)}"


def _listed(solvers: Sequence[SuiteSolver]) -> str:
    return list_names([one.solver for one in solvers], most=5, quoted=False)


_SAID = {"gap": "closed gap", "solved": "share solved", "cost": "mean cost as a share of a timeout's cost"}
