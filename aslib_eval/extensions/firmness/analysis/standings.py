"""Rankings and what each solver has on each instance, of scenarios and competitions."""

from __future__ import annotations

import fnmatch
import sys
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key

import numpy as np
import polars as pl

from aslib_eval.analysis.families import known_families
from aslib_eval.analysis.runs import Group, groups, pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness.metrics.swaps import Advantages
from aslib_eval.extensions.firmness.words import RankedBy
from aslib_eval.metrics.borda import BordaRule, time_points
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.text import join_words, one_of
from aslib_eval.words import SweptKind

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


@dataclass(frozen=True, eq=False)
class Standing:
    """A ranking, and what each solver has on each instance.

    labels: protocol (name@hash) or rule, scenario, measure or board, and kind. solvers: the best first;
    equal ones by name. levels: (n_levels, n_instances, n_solvers) less is better; sums over instances
    decide, the first level first. families: of each instance; empty where there are none. against:
    (n_solvers, n_solvers) what each has on the first level by each other one, less is better, where that
    depends on who takes part. group, protocol: its runs, where they are runtimes under a protocol. remark:
    what is to be said of it. most: of each level, by how much two can differ on an instance, None where it
    is not known; () if of none. errors: the level that counts them.
    """

    labels: tuple[str, str, str, str]
    solvers: tuple[str, ...]
    levels: Floats
    families: tuple[str, ...]
    against: Floats | None = None
    group: Group | None = None
    protocol: Protocol | None = None
    remark: str | None = None
    most: tuple[float | None, ...] = ()
    errors: int | None = None

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

    def contest(self, ahead: int, other: int) -> Advantages:
        """What two solvers have, as advantages of the first."""
        return Advantages(self.levels[:, :, other] - self.levels[:, :, ahead])

    @cached_property
    def places(self) -> list[int]:
        """The place of each, from 1; equal ones share it."""
        found = [1]
        for at in range(1, len(self.solvers)):
            tied = self.contest(at - 1, at).order() == 0
            found.append(found[-1] if tied else at + 1)
        return found


def standings(
    lake: OpenLake, *, by: RankedBy, kind: SweptKind | None, attribute: str | None
) -> Iterator[Standing]:
    """The rankings of all scenarios and protocols of a lake.

    by: mean cost, share solved, or Borda points; of the last two runtimes alone have a ranking. kind: None
    for selectors where there are any, else algorithms. attribute: whose values are the families; None for
    ``family``, and where no instance has that, what the names say. Solvers without a cost on some instance
    are not ranked.
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
        yield ranked(
            (tag, scenario, measure, of),
            [solvers[at] for at in np.flatnonzero(whole)],
            level[None][:, :, whole],
            instances,
            dict(part.select("instance_id", "family").rows()),
            by_name=attribute is None,
            against=against,
            group=group,
            protocol=protocol,
            most=(most,),
        )


def ranked(  # noqa: PLR0913 - what a standing is made of
    labels: tuple[str, str, str, str],
    solvers: Sequence[str],
    levels: Floats,
    instances: Sequence[str],
    families_: Mapping[str, str | None],
    *,
    by_name: bool = True,
    against: Floats | None = None,
    group: Group | None = None,
    protocol: Protocol | None = None,
    remark: str | None = None,
    most: tuple[float | None, ...] = (),
    errors: int | None = None,
) -> Standing:
    """A standing of solvers that are given in any order.

    levels: (n_levels, n_rows, n_solvers). instances: of each row; repetitions of one that are rows of their
    own, as ``name #2``, are one instance. families_: of instances; by_name: where none is known, what the
    names say.
    """
    names, codes = np.unique([name.partition(" #")[0] for name in instances], return_inverse=True)
    sums = np.zeros((len(levels), len(names), len(solvers)))
    for total, level in zip(sums, levels, strict=True):
        np.add.at(total, codes, level)

    def before(a: int, b: int) -> int:
        ahead = Advantages(sums[:, :, b] - sums[:, :, a]).order()
        return -ahead or (-1 if solvers[a] < solvers[b] else 1)

    order = sorted(range(len(solvers)), key=cmp_to_key(before))
    return Standing(
        labels,
        tuple(solvers[at] for at in order),
        sums[:, :, order],
        known_families(names.tolist(), families_, by_name=by_name),
        against=None if against is None else against[order][:, order],
        group=group,
        protocol=protocol,
        remark=remark,
        most=most,
        errors=errors,
    )


def _points(group: Group, protocol: Protocol, solvers: Sequence[str]) -> tuple[Floats, Floats]:
    """Borda points of each instance, turned, and the sums of each against each."""
    at = [group.names[: group.n_entrants].index(name) for name in solvers]
    runs = Runs(group.runs.times[:, at], group.runs.solved[:, at], group.runs.cutoffs)
    relative = protocol.borda_delta_kind == "relative"
    rule = BordaRule(delta=protocol.borda_delta, relative=relative)
    done = runs.answered
    times = np.where(done, runs.times, 1.0)
    level = np.zeros(runs.times.shape)
    against = np.zeros((len(at), len(at)))
    for a in range(len(at)):
        for b in range(len(at)):
            if a != b:
                share = time_points(times[:, a], others=times[:, b], cutoff=runs.cutoffs, rule=rule)
                points = np.where(done[:, a] & done[:, b], share, done[:, a])
                level[:, a] -= points
                against[a, b] = -points.sum()
    return level, against


def of_rule(lake: OpenLake, rule: str) -> Iterator[Standing]:
    """The boards of the rules whose name matches, of all scenarios of a lake.

    Each instance keeps what it is worth whatever others go; where that may depend on them, because a solver
    is unsound or groups weigh the same, ``remark`` says so.

    Raises:
        AslibError: there is no such rule, or the extension with the rules is not there.
    """
    if "rule_part" not in lake.lineage.views:
        what = "there are no rules: the extension competitions was taken away"
        raise AslibError(what, "--rule")
    names = [row.name for row in lake.lineage.views["rule"].rows]
    found = fnmatch.filter(names, rule)
    if not found:
        raise AslibError(f"there is no rule {rule!r}", "--rule", one_of(rule, names))
    asked = between(rule, found)
    frame = lake.ask("rule_values", asked)
    if not frame.height:
        what = f"{join_words(sorted(found))} {'ranks' if len(found) == 1 else 'rank'}"
        raise AslibError(f"{what} no runs", "--rule", "Choose another, or other scenarios.")
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
    """The points of each against each, where a rule of the frame compares pairs."""
    pairs = frame.filter(scoring="pairs")
    return asked.ask("points_against", rules) if pairs.height else None


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
            *["the weight of an instance depends on those that go"] * (said["balanced"] is not None),
            *["a solver is unsound, and the instance that shows it may go"] * (not part["sound"].all()),
        ]
        instances = made.rows["instance_id"].cast(str).to_list()
        is_par = said["scoring"] == "par" and words == ["points"] and (counts == 1).all()
        group = None
        if is_par and said["balanced"] is None and said["cutoff"]:
            runs = _penalised(levels[0], made.table("solved"), made.table("cutoff"))
            sizes = len(instances), len(solvers)
            named = (rule, scenario, "", tuple(solvers), *sizes)
            group = None if runs is None else Group(*named, has_gap=False, runs=runs)
        penalty = said["penalty"] if group else 1.0
        yield ranked(
            (rule, scenario, name if part_of == "all" else f"{part_of} {name}", "rule"),
            solvers,
            levels,
            instances,
            dict(part.select("instance_id", "family").rows()),
            against=points,
            group=group,
            protocol=Protocol(penalty=penalty, at_cutoff="solved"),
            remark="; ".join(remarks) or None,
            errors=words.index("errors") if "errors" in words else None,
        )


def _penalised(times: Floats, solved: Floats, cutoffs: Floats) -> Runs | None:
    """The runs of a board of PARk; None where late answers count as they stand."""
    limits = cutoffs.max(axis=1)
    done = solved > 0
    if not (np.isfinite(limits) & (limits > 0)).all():
        return None
    late = (done & (times > limits[:, None])).any()
    return None if late else Runs(times, done, limits)


def _table(against: pl.DataFrame, solvers: Sequence[str]) -> Floats:
    """Points of each solver against each, turned."""
    at = {name: place for place, name in enumerate(solvers)}
    found = np.zeros((len(solvers), len(solvers)))
    for solver, other, points in against.select("solver", "other", "points").rows():
        if solver in at and other in at:
            found[at[solver], at[other]] = -points
    return found
