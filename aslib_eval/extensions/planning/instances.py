"""Plan instances, effect and power, and the place of a new solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.blocks import blocks, families_left_out
from aslib_eval.analysis.compare.pairs import advantage_of, wanted_pairs
from aslib_eval.analysis.compare.question import FAMILY, Block, Question
from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning import PlaceBy, PlaceOrder
from aslib_eval.extensions.planning.places import Entrants, PairedEntrants, PlaceSearch
from aslib_eval.extensions.planning.power import (
    SIMULATED,
    Plan,
    detectable_effect,
    powers,
    sample_size,
    shape_of,
)
from aslib_eval.extensions.planning.runs import TIME, Program, open_log
from aslib_eval.metrics.ranking import BordaRule, points_of_pairs
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.paths import read_text
from aslib_eval.statistics.distributions import binary_scale
from aslib_eval.text import number, one_of, plural

Row = dict[str, Any]
NAMES = {"t": "paired t", "wilcoxon": "Wilcoxon signed-rank", "sign": "sign"}
_CORRECTIONS = {"holm": "Holm-corrected", "bonferroni": "Bonferroni-corrected", "none": "uncorrected"}


@dataclass(frozen=True)
class SolvedPlan:
    """A plan with its number of instances, effect and the power of each comparison."""

    plan: Plan
    n: int
    d: float
    power: float  # of the comparisons that the target looks at
    profile: tuple[float, ...]  # of each ordered comparison, the strictest first

    def summary(self) -> pl.DataFrame:
        """One row: the plan, n, d, and the power of the comparisons."""
        row = {
            "n": self.n,
            "d": self.d,
            "power": self.power,
            "target": self.plan.target,
            "mean_power": float(np.mean(self.profile)),
            "median_power": float(np.median(self.profile)),
            "worst_power": self.profile[0],
            "best_power": self.profile[-1],
            "comparisons": self.plan.comparisons,
            "test": self.plan.test,
            "alternative": self.plan.alternative,
            "correction": self.plan.correction,
            "alpha": self.plan.alpha,
        }
        return pl.DataFrame([row])

    def levels(self) -> pl.DataFrame:
        """One row for each ordered comparison: the level it faces, and its power."""
        return pl.DataFrame(
            {"rank": range(1, self.plan.comparisons + 1), "alpha": self.plan.levels, "power": self.profile}
        )

    def sentence(self) -> str:
        """The plan in words."""
        plan = self.plan
        one = plan.comparisons == 1
        how = "" if one else f"{_CORRECTIONS[plan.correction]} "
        tests = f"{plan.comparisons} {how}{plan.alternative} {NAMES[plan.test]} test"
        family = "" if one else "family-wise "
        text = (
            f"On {self.n} instances, {tests}{'' if one else 's'}"
            f" ({family}alpha = {plan.alpha:g}) find{'s' if one else ''} a difference"
            f" of d = {self.d:.4g} standard deviations with power {self.power:.4g}"
        )
        if one:
            return f"{text}. {self._assumed()}".rstrip()
        word = f"the test of rank {plan.rank}" if plan.target == "rank" else plan.target
        worst, best = self.profile[0], self.profile[-1]
        text += f" ({word}; from {worst:.4g} to {best:.4g})."
        return f"{text} {self._assumed()}".rstrip()

    def _assumed(self) -> str:
        pilot = self.plan.pilot
        if pilot is None:
            return assumed(self.plan)
        _, seen = shape_of(pilot)
        return (
            f"Power is simulated by {SIMULATED} samples of the {len(pilot)} differences"
            f" of the pilot, moved to that effect (its own is d = {seen:.4g}): it holds"
            " where what is planned has their shape."
        )


def assumed(plan: Plan) -> str:
    """What a power by formula assumes of the differences; empty for the t test."""
    if plan.test == "t":
        return ""
    name = NAMES[plan.test].removesuffix(" test")
    shape = "symmetric about their mean" if plan.test == "wilcoxon" else "normal"
    return (
        f"For the {name} test this takes the differences for {shape}: where they are"
        " skewed the power may be far less."
    )


def read_pilot(path: Path) -> tuple[float, ...]:
    """Differences of a pilot: of two columns of numbers of a CSV file, or of one.

    A row an instance. Columns that are not all numbers, such as names of instances, do not count. The
    difference is the first less the second.
    """
    try:
        table = pl.read_csv(read_text(path).encode(), infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0]
        raise AslibError(f"no CSV can be read ({why})", str(path)) from error
    numbers = table.select(pl.selectors.numeric())
    many = numbers.width
    if many not in {1, 2}:
        names = ", ".join(numbers.columns) or "none"
        message = f"a pilot has two columns of numbers or one, not {many} ({names})"
        raise AslibError(message, str(path), "Keep the values of two systems, or their differences.")
    lacking = numbers.with_row_index("row", offset=2).filter(
        pl.any_horizontal(pl.col(numbers.columns).is_null())
    )
    if lacking.height:
        hint = "Leave such instances out, or say what they cost."
        raise AslibError("a value of the pilot is missing", f"{path}:{lacking['row'][0]}", hint)
    first, *second = numbers.cast(pl.Float64).get_columns()
    differences = first - second[0] if second else first
    return tuple(differences.to_list())


def solve(
    plan: Plan, *, n: int | None = None, d: float | None = None, power: float | None = None
) -> SolvedPlan:
    """Find the one of instances, effect and power that is not given.

    Source: Campelo and Wanner 2020, section 4.
    """
    if n is not None and d is not None and power is None:
        size, effect = n, abs(d)
    elif n is not None and d is None and power is not None:
        size, effect = n, detectable_effect(plan, n=n, power=power)
    elif n is None and d is not None and power is not None:
        size, effect = sample_size(plan, d=d, power=power), abs(d)
    else:
        raise AslibError("give two of instances, effect and power", hint="The third follows from them.")
    profile = powers(plan, n=size, d=effect)
    return SolvedPlan(plan, size, effect, plan.reached(profile), tuple(profile.tolist()))


def curve(solved: SolvedPlan, *, over: str = "d", points: int = 60) -> pl.DataFrame:
    """Power over effects (``d``) or instances (``n``), around the plan.

    One row for each point and line (mean, worst, best), for the chart of a plan.
    """
    plan = solved.plan
    points = points if plan.pilot is None else points // 4  # each is simulated
    if over == "d":
        grid = np.linspace(0.01, 2, points) * solved.d
        cells = [(float(x), powers(plan, n=solved.n, d=float(x))) for x in grid]
    elif over == "n":
        least = 4 if plan.test == "sign" else 3  # leaves two effective instances
        whole = np.unique(np.linspace(least, max(2 * solved.n, 10), points).astype(int))
        cells = [(float(n), powers(plan, n=int(n), d=solved.d)) for n in whole]
    else:
        raise AslibError(f"power is drawn over d or n, not over {over}")
    rows = [
        {over: x, "line": line, "power": float(value)}
        for x, profile in cells
        for line, value in (("mean", profile.mean()), ("worst", profile[0]), ("best", profile[-1]))
    ]
    return pl.DataFrame(rows)


_POINTS = 30  # numbers of comparisons that a chart shows
_FEW = 15  # comparisons that it shows at least: all pairs of six algorithms


def over_comparisons(solved: SolvedPlan, *, power: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Instances, and the power of every comparison, over the number of comparisons.

    power: that must be reached at the effect of the plan. The first frame has one row for each number of
    comparisons (1 to that of the plan, 15 at least) and way to correct: ``Bonferroni`` and ``Holm``, both
    with the target of the plan. The second has one row for each comparison of a plan with Holm's levels,
    with its ``power``, and the ``n`` of all.

    Source: Campelo and Wanner 2020, figures 1 and 2.
    """
    most = max(solved.plan.comparisons, _FEW)
    counts = np.unique(np.linspace(1, most, min(most, _POINTS)).round().astype(int))
    sizes, profiles = [], []
    for k in counts[counts >= solved.plan.rank].tolist():
        holm = replace(solved.plan, comparisons=k, correction="holm")
        simple = replace(holm, correction="bonferroni")
        n = sample_size(holm, d=solved.d, power=power)
        other = sample_size(simple, d=solved.d, power=power)
        sizes += [
            {"comparisons": k, "line": "Bonferroni", "n": other},
            {"comparisons": k, "line": "Holm", "n": n},
        ]
        profiles += [{"comparisons": k, "n": n, "power": float(p)} for p in powers(holm, n=n, d=solved.d)]
    return pl.DataFrame(sizes), pl.DataFrame(profiles)


# Power of the instances of a lake, and how many more are needed.


COLUMNS: Mapping[str, str] = {
    "protocol": "name and hash of the protocol",
    "scenario_id": "scenario",
    "measure": "name of the measure",
    "metric": "what is compared",
    "system": "with versus each of the others; else the one of the better mean",
    "other": "versus; else the one of the worse mean",
    "n": "instances there are",
    "sd": "standard deviation of the paired differences [metric's unit]",
    "detectable": "difference of means found with the power, on n [metric's unit]",
    "detectable_d": "the same in standard deviations",
    "wanted_d": "difference that matters, in standard deviations",
    "n_needed": "instances to find it; null if nothing differs",
    "n_more": "of these, beyond those there are",
    "observed": "difference of means that was seen [metric's unit]",
    "observed_d": "the same in standard deviations; an estimate, no plan",
}


def plan_scenario(
    lake: OpenLake,
    question: Question,
    *,
    plan: Plan,
    power: float = 0.8,
    d: float | None = None,
    difference: float | None = None,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Detectable differences and numbers of instances for each pair, and sentences.

    The number of comparisons is that of the question (its ``versus`` and ``kind``), whatever the plan says;
    the rank of a plan with target ``rank`` must be among them in every scenario. ``d`` (default 0.2, in
    standard deviations) or ``difference`` (in the metric's unit) is the effect to find. The standard
    deviation is that of the instances in the lake.

    Source: Campelo and Wanner 2020, section 4, with sigma from the data.
    """
    if d is not None and difference is not None:
        raise AslibError("d and difference say the same twice", hint="Give one.")
    if question.unit == "folds":
        raise AslibError("folds are not independent", hint="Plan with instances.")
    rows: list[Row] = []
    sentences = []
    for block in blocks(lake, question):
        own = _of_block(plan, block, comparisons=len(wanted_pairs(block, question)))
        compared = _rows(block, question, own, power, d=d, difference=difference)
        rows += compared
        sentences.append(_sentence(block, question, own, power, compared))
    shown = {(row["scenario_id"], row.get(FAMILY)) for row in rows}
    sentences += families_left_out(lake, question, shown)
    text = {"protocol", "scenario_id", "measure", "metric", "system", "other", FAMILY}
    counts = {"n", "n_needed", "n_more"}
    schema = {
        name: pl.String if name in text else pl.Int64 if name in counts else pl.Float64
        for name in (*list(COLUMNS)[:3], *question.families, *list(COLUMNS)[3:])
    }
    return pl.DataFrame(rows, schema=schema), tuple(sentences)


def _of_block(plan: Plan, block: Block, *, comparisons: int) -> Plan:
    try:
        return replace(plan, comparisons=comparisons)
    except AslibError as error:
        hint = "Lower --rank, or choose scenarios with --scenario."
        raise AslibError(error.message, block.scenario_id, hint) from error


def _rows(
    block: Block, question: Question, plan: Plan, power: float, *, d: float | None, difference: float | None
) -> list[Row]:
    least = detectable_effect(plan, n=block.n, power=power)
    sizes: dict[float, int] = {}  # one effect for all pairs, unless in their unit
    rows = []
    for i, j in wanted_pairs(block, question):
        advantage = advantage_of(block, question, i, j)
        scale = binary_scale(advantage)  # squares of large values would overflow
        sd = float((advantage / scale).std(ddof=1)) * scale
        mean = float((advantage / scale).mean()) * scale
        effect: float | None = 0.2 if d is None else abs(d)
        if difference is not None:  # nothing varies where sd is 0
            effect = abs(difference) / sd if sd else None
        if effect is not None and effect not in sizes:
            sizes[effect] = sample_size(plan, d=effect, power=power)
        needed = None if effect is None else sizes[effect]
        row: Row = {
            "protocol": block.protocol,
            "scenario_id": block.scenario_id,
            "measure": block.measure,
            **dict.fromkeys(question.families, block.family),
            "metric": question.compared,
            "system": block.systems[i],
            "other": block.systems[j],
            "n": block.n,
            "sd": sd,
            "detectable": least * sd,
            "detectable_d": least,
            "wanted_d": effect,
            "n_needed": needed,
            "n_more": None if needed is None else max(0, needed - block.n),
            "observed": mean,
            "observed_d": mean / sd if sd else None,
        }
        rows.append(row)
    return rows


def _sentence(block: Block, question: Question, plan: Plan, power: float, rows: Sequence[Row]) -> str:
    reached = f"the test of rank {plan.rank} reaching" if plan.target == "rank" else plan.target
    some = [row["detectable"] for row in rows if row["sd"] > 0] or [0.0]
    least, most = min(some), max(some)
    span = f"{least:.4g}" if least == most else f"{least:.4g} to {most:.4g}"
    text = (
        f"{block.place or 'All scenarios'}: with {block.n} {block.unit}s"
        f" and {plural(len(rows), 'comparison')} by {question.compared},"
        f" the {NAMES[plan.test]} test finds differences of"
        f" {rows[0]['detectable_d']:.3g} standard deviations with {reached}"
        f" power {power:g}: {span} by pair."
    )
    if caveat := assumed(plan):
        text += f" {caveat}"
    needs = [row for row in rows if row["n_needed"] is not None]
    if not needs:
        return f"{text} Nothing varies between them."
    hardest = max(needs, key=lambda row: row["n_needed"])
    return (
        f"{text} To find {hardest['wanted_d']:.3g} standard deviations takes"
        f" {hardest['n_needed']} {block.unit}s: {hardest['n_more'] or 'no'} more than there are."
    )


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
        return _Paid(1 - float(gained.mean()), self.entrants.margins(row, gained, lost), time)

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
    steps: tuple[Row, ...]
    verdicts: tuple[int, ...]
    reason: Literal["within", "budget", "end"]
    truth: int | None = None
    full: float | None = None

    def _about(self) -> Row:
        group = self.field.group
        return {
            "protocol": group.protocol,
            "scenario_id": group.scenario_id,
            "measure": group.measure,
            "solver": self.solver,
        }

    def summary(self) -> Row:
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

    def runs(self) -> list[Row]:
        """A row for each run, in their order."""
        return [self._about() | step for step in self.steps]

    def against(self) -> list[Row]:
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


def frame_of(rows: Sequence[Row]) -> pl.DataFrame:
    """Rows as a frame; columns that are null throughout keep a type."""
    types = {"truth": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(rows, schema_overrides={
        name: kind for name, kind in types.items() if rows and name in rows[0]
    })  # fmt: skip


def replay_places(lake: OpenLake, solver: str, rule: PlaceRule) -> list[PlaceRun]:
    """Play a recorded solver back as the new one, in each scenario that has it.

    An unsolved run takes the cutoff. Runtime measures only.
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
        found.append(replace(run, truth=truth, full=sum(each.time for each in recorded)))
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
    done: Callable[[Row], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> PlaceRun:
    """Run a program on the instances of the lake's one scenario, each at most once.

    {instance} in its command is the name of the instance. The cutoff is the scenario's. Every run is
    appended to ``log`` as it ends, and what is there is not run again: the seed draws the same instances.
    answers: a run is solved if the program's pattern is in its output; else if it ends with exit code 0,
    and another code is an error. ``done`` is called for every new run, ``warn`` for repaired damage of the
    log.
    """
    several = list(_groups(lake))
    if len(several) != 1:
        message = f"a new solver is run on one scenario, not {len(several)}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")
    field = _field(*several[0], rule.by, without=program.name)
    program = replace(program, timeout=field.cutoff)
    reads = f"{TIME} until {program.value}" if answers else TIME
    settings = {program.name: replace(program.settings(), reads=reads)}
    names = field.group.instances
    if repeated := [name for name in names if " #" in name]:
        message = f"its instances have several runs each, as {repeated[0]!r}"
        raise AslibError(message, field.group.scenario_id, "Choose a --protocol with one.")
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


def _groups(lake: OpenLake) -> Iterator[tuple[Group, Protocol]]:
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
        rule = BordaRule(delta=protocol.borda_delta, relative=protocol.borda_delta_kind == "relative")
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
    steps: list[Row] = []
    spent, reason = 0.0, "end"
    while (row := search.ask()) is not None:
        paid = run(row)
        search.add(paid.cost, paid.added)
        spent += paid.time
        place = search.place
        cost = paid.cost if rule.by == "mean" else 1 - paid.cost
        steps.append({
            "instance_id": field.group.instances[row],
            "value": cost if rule.by == "solved" else cost * field.most,
            "time": paid.time, "spent": spent,
            "best": place.best, "worst": place.worst,
            "place": place.estimate, "accuracy": place.accuracy,
        })  # fmt: skip
        if place.worst - place.best <= 2 * rule.within and len(search.left):
            reason = "within"
            break
        if rule.budget is not None and spent >= rule.budget and len(search.left):
            reason = "budget"
            break
    return PlaceRun(field, solver, rule, tuple(steps), tuple(search.verdicts.tolist()), reason)  # type: ignore[arg-type]
