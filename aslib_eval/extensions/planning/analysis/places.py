"""Where a new solver stands among all others of a scenario, for ``plan place``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.analysis.log import TIME, open_log
from aslib_eval.extensions.planning.analysis.runs import Program
from aslib_eval.extensions.planning.statistics.places import (
    Entrants,
    PairedEntrants,
    PlaceSearch,
    PossiblePlaces,
)
from aslib_eval.extensions.planning.words import PlaceBy, PlaceOrder
from aslib_eval.metrics.borda import BordaRule, points_of_pairs
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.text import number, one_of, plural

_VERDICTS = {1: "not better", 0: "open", -1: "better"}


@dataclass(frozen=True)
class PlaceRule:
    """How a place is looked for.

    by: the score, mean PARk of the protocol, the number of instances solved, or the points of pairs, by the
    protocol's rule for ties (``BordaRule``). within:
    stop when the place is known to so many up or down. budget: or when the runs took
    so long [scenario time unit], after the run that is at work then.
    """

    by: PlaceBy = "mean"
    alpha: float = 0.05
    order: PlaceOrder = "information"
    within: int = 0
    budget: float | None = None
    seed: int = 1


class _Paid(NamedTuple):
    """A run of the new solver: its cost, what that adds to totals, and its time.

    added: (1,) the cost; of points of pairs (m,) each entrant's margin.
    """

    cost: float
    added: Floats
    time: float


@dataclass(frozen=True, eq=False)
class _Costs:
    """A scenario as entrants see it; each has a column of costs, from 0 to ``most``.

    all_costs: (n, all algorithms) as shares of ``most``. counts: they say what is not solved.
    """

    group: Group
    names: tuple[str, ...]
    entrants: Entrants
    most: float  # what a cost of 1 is in the score's own unit
    cutoff: float
    all_costs: Floats
    counts: bool

    def paid(self, row: int, time: float) -> _Paid:  # noqa: ARG002 - as of pairs
        """What a run on a row costs; not solved if it took the cutoff."""
        cost = 0.0 if self.counts else time / self.most
        cost = 1.0 if time >= self.cutoff else cost
        return _Paid(cost, np.array([cost]), min(time, self.cutoff))

    def recorded(self, solver: str) -> list[_Paid]:
        """What each run of a recorded solver is worth."""
        own = self.group.names.index(solver)
        costs, times = self.all_costs[:, own], self.group.runs.par(1)[:, own]
        both = zip(costs.tolist(), times.tolist(), strict=True)
        return [_Paid(cost, np.array([cost]), time) for cost, time in both]

    def scores(self) -> tuple[Floats, Floats]:
        """(m,) each: what ranks the entrants, least first, and their scores."""
        mean = self.entrants.totals / len(self.group.instances)
        return mean, 1 - mean if self.counts else mean * self.most


@dataclass(frozen=True, eq=False)
class _Pairs:
    """A scenario as entrants see it who get points against each other."""

    group: Group
    names: tuple[str, ...]
    entrants: PairedEntrants
    most: float  # points on an instance
    cutoff: float
    points: Callable[[Runs], Floats]

    def paid(self, row: int, time: float) -> _Paid:
        """As of ``_Costs``, with the margins over the run."""
        taken = min(time, self.cutoff)
        runs, others = self.group.runs, [self.group.names.index(n) for n in self.names]
        times = np.append(runs.times[row, others], taken)[None]
        solved = np.append(runs.answered[row, others], time < self.cutoff)[None]
        points = self.points(Runs(times, solved, runs.cutoffs[row]))[0]
        return self._of(row, points[-1, :-1], points[:-1, -1], taken)

    def recorded(self, solver: str) -> list[_Paid]:
        """As of ``_Costs``."""
        own, points = self.group.names.index(solver), self.points(self.group.runs)
        others = [at for at in range(len(self.group.names)) if at != own]
        return [
            self._of(row, points[row, own, others], points[row, others, own], time)
            for row, time in enumerate(self.group.runs.par(1)[:, own].tolist())
        ]

    def _of(self, row: int, gained: Floats, lost: Floats, time: float) -> _Paid:
        margins = self.entrants.margins(row, gained, lost)
        return _Paid(1 - float(gained.mean()), margins, time)

    def scores(self) -> tuple[Floats, Floats]:
        """As of ``_Costs``."""
        scores = self.entrants.own.mean(axis=0)
        return -scores, scores


@dataclass(frozen=True, eq=False)
class PlaceRun:
    """What a search found: after each run, and of each entrant at the end.

    reason: ``within`` (the place is known as wanted), ``budget``, or ``end`` (all instances were run).
    truth: the place on all instances and full: the time of all runs, where a recorded solver was played
    back.
    """

    field: _Costs | _Pairs
    solver: str
    rule: PlaceRule
    steps: tuple[dict[str, Any], ...]
    verdicts: tuple[int, ...]
    reason: Literal["within", "budget", "end"]
    truth: int | None = None
    full: float | None = None

    def _about(self) -> dict[str, Any]:
        group = self.field.group
        about = {"protocol": group.protocol, "scenario_id": group.scenario_id}
        return about | {"measure": group.measure, "solver": self.solver}

    def summary(self) -> dict[str, Any]:
        """One row: the places that are possible, and what it took."""
        last = self.steps[-1]
        share = None if not self.full else last["spent"] / self.full
        return self._about() | {
            "by": self.rule.by, "places": len(self.field.names) + 1,
            **{name: last[name] for name in ("best", "worst", "place", "accuracy")},
            "truth": self.truth, "n": len(self.field.group.instances),
            "n_run": len(self.steps), "spent": last["spent"], "share": share,
            "reason": self.reason,
        }  # fmt: skip

    def runs(self) -> list[dict[str, Any]]:
        """A row for each run, in their order."""
        return [self._about() | step for step in self.steps]

    def against(self) -> list[dict[str, Any]]:
        """A row for each entrant, the best first: what is shown of it."""
        ranked, scores = self.field.scores()
        return [
            self._about()
            | {
                "entrant": self.field.names[at], "score": float(scores[at]),
                "verdict": _VERDICTS[self.verdicts[at]],
            }
            for at in np.argsort(ranked, kind="stable")
        ]  # fmt: skip

    def sentence(self) -> str:
        """What is known, for a reader."""
        found, n = self.summary(), len(self.field.group.instances)
        best, worst = found["best"], found["worst"]
        where = f"is {best}" if best == worst else f"is {best} to {worst}"
        every = (best, worst) == (1, found["places"])
        where = "may be any: nothing is shown" if every else where
        sure = "" if self.reason == "end" or every else (
            f", wrong with probability {number(self.rule.alpha)} at most"
        )  # fmt: skip
        took = f"time {number(found['spent'])}"
        if found["share"] is not None:
            took += f", {found['share']:.0%} of what all runs take"
        text = (
            f"{found['scenario_id']}: after {found['n_run']} of"
            f" {plural(n, 'instance')} ({took}) the place of {self.solver} among"
            f" {found['places']} {where}{sure}."
        )
        if best < worst:
            text += (
                f" The likeliest place is {found['place']}: it is expected to have"
                f" {found['accuracy']:.0%} of the others on the right side."
            )
        return text


def frame_of(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame; columns that are null throughout keep a type."""
    types = {"truth": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(rows, schema_overrides={
        name: kind for name, kind in types.items() if rows and name in rows[0]
    })  # fmt: skip


def replay_places(lake: OpenLake, solver: str, rule: PlaceRule) -> list[PlaceRun]:
    """Play a recorded solver back as the new one, in each scenario that has it.

    An unsolved run takes the cutoff. Runtime measures only.

    Raises:
        AslibError: when no scenario has it and another one.
    """
    found: list[PlaceRun] = []
    names: set[str] = set()
    for group, protocol in _groups(lake):
        names |= set(group.names)
        if solver not in group.names or len(group.names) == 1:
            continue
        field = _field(group, protocol, rule.by, without=solver)
        recorded = field.recorded(solver)
        run = _search(field, solver, rule, recorded.__getitem__)
        truth = field.entrants.place(np.sum([each.added for each in recorded], axis=0))
        full = sum(each.time for each in recorded)
        found.append(replace(run, truth=truth, full=full))
    if not found:
        message = f"no scenario has runtimes of {solver!r} and of another algorithm"
        raise AslibError(message, hint=one_of(solver, sorted(names)))
    return found


def drive_place(
    lake: OpenLake,
    program: Program,
    rule: PlaceRule,
    *,
    log: Path,
    answers: bool,
    done: Callable[[dict[str, Any]], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> PlaceRun:
    """Run a program on the instances of the lake's one scenario, each at most once.

    {instance} in its command is the name of the instance. The cutoff is the scenario's. Every run is
    appended to ``log`` as it ends, and what is there is not run again: the seed draws the same instances.
    answers: a run is solved if the program's pattern is in its output; else if it ends with exit code 0,
    and another code is an error. ``done`` is called for every new run, ``warn`` for repaired damage of the
    log.

    Raises:
        AslibError: for several scenarios or protocols, and as ``Program.run``.
    """
    several = list(_groups(lake))
    if len(several) != 1:
        message = f"a new solver is run on one scenario, not {len(several)}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")
    field = _field(*several[0], rule.by, without=program.name)
    program = replace(program, timeout=field.cutoff)
    reads = f"{TIME} until {program.value}" if answers else TIME
    settings = {program.name: replace(program.settings(), reads=reads)}
    names = _run_names(field.group)
    with open_log(log, settings=settings, seed=rule.seed, warn=warn) as runs:

        def run(row: int) -> _Paid:
            key = (names[row], program.name, 0)
            time = runs.recorded.get(key)
            if time is None:
                time = program.time(names[row], rule.seed, answers=answers)
                runs.add(*key, value=time)
                if done is not None:
                    done({"instance": names[row], "algorithm": program.name,
                          "run": 0, "value": time})  # fmt: skip
            return field.paid(row, time)

        return _search(field, program.name, rule, run)


def _run_names(group: Group) -> tuple[str, ...]:
    repeated = [name for name in group.instances if " #" in name]
    if repeated:
        message = f"its instances have several runs each, as {repeated[0]!r}"
        raise AslibError(message, group.scenario_id, "Choose a --protocol with one.")
    return group.instances


def _groups(lake: OpenLake) -> Iterator[tuple[Group, Protocol]]:
    """Runs of a scenario, and the protocol that scores them."""
    for protocol in sorted(lake.protocols, key=lambda p: p.protocol):
        for group in groups(lake, protocol.protocol, kind="algorithm", least=1):
            yield group, protocol


def _field(group: Group, protocol: Protocol, by: PlaceBy, *, without: str) -> _Costs | _Pairs:
    runs, others = group.runs, [n for n, x in enumerate(group.names) if x != without]
    if not others:
        raise AslibError("there is no other algorithm", group.scenario_id)
    times = runs.par(1)[:, others] / runs.cutoffs[:, None]
    names = tuple(group.names[at] for at in others)
    cutoff = float(runs.cutoffs.max())
    if by == "points":
        relative = protocol.borda_delta_kind == "relative"
        rule = BordaRule(delta=protocol.borda_delta, relative=relative)
        points = partial(pair_points, rule=rule)
        paired = PairedEntrants(points(runs)[:, others][:, :, others], times)
        return _Pairs(group, names, paired, float(len(others)), cutoff, points)
    counts, most = by == "solved", 1.0 if by == "solved" else protocol.penalty * cutoff
    costs = 1 - np.asarray(runs.solved, float) if counts else runs.par(protocol.penalty) / most
    whole = bool(counts and np.isin(costs, (0.0, 1.0)).all())
    entrants = Entrants(costs[:, others], times, grain=float(whole))
    return _Costs(group, names, entrants, most, cutoff, costs, counts)


def pair_points(runs: Runs, *, rule: BordaRule) -> Floats:
    """Points of each solver against each other on each instance.

    (n_instances, n_solvers, n_solvers), of the solver of axis 1 against that of axis 2. On the diagonal is
    0.5 where it solves, as against one that runs as it does, else 0.
    """
    found = np.zeros((runs.n_instances, runs.n_solvers, runs.n_solvers))
    for a, b, *points in points_of_pairs(runs, rule=rule):
        found[:, a, b], found[:, b, a] = points
    diagonal = np.arange(runs.n_solvers)
    found[:, diagonal, diagonal] = 0.5 * runs.answered
    return found


def _search(field: _Costs | _Pairs, solver: str, rule: PlaceRule, run: Callable[[int], _Paid]) -> PlaceRun:
    """run: from a row to what the new solver paid there."""
    rng = np.random.default_rng(rule.seed)
    search = PlaceSearch(field.entrants, alpha=rule.alpha, order=rule.order, rng=rng)
    steps: list[dict[str, Any]] = []
    spent, reason = 0.0, "end"
    while (row := search.ask()) is not None:
        paid = run(row)
        search.add(paid.cost, paid.added)
        spent += paid.time
        place = search.place
        steps.append(_step(field, rule.by, row, paid, spent, place))
        if place.worst - place.best <= 2 * rule.within and len(search.left):
            reason = "within"
            break
        if rule.budget is not None and spent >= rule.budget and len(search.left):
            reason = "budget"
            break
    verdicts = tuple(search.verdicts.tolist())
    return PlaceRun(field, solver, rule, tuple(steps), verdicts, reason)  # type: ignore[arg-type]


def _step(
    field: _Costs | _Pairs, by: PlaceBy, row: int, paid: _Paid, spent: float, place: PossiblePlaces
) -> dict[str, Any]:
    cost = paid.cost if by == "mean" else 1 - paid.cost
    return {
        "instance_id": field.group.instances[row],
        "value": cost if by == "solved" else cost * field.most,
        "time": paid.time, "spent": spent,
        "best": place.best, "worst": place.worst,
        "place": place.estimate, "accuracy": place.accuracy,
    }  # fmt: skip
