"""A number down to its runs, and the choices that give a printed one.

One metric of one solver under many protocols at once, computed in memory.

Nothing is kept of the protocols that are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, product, zip_longest
from math import prod
from time import monotonic
from typing import Any

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import CHOICES, COLUMNS, ORDERING, Protocol, difference
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.database.views import fill_protocol, metrics_over
from aslib_eval.errors import AslibError, OutOfTimeError
from aslib_eval.text import Printed, number, one_of, plural, printed

GAPS = "solver_gap"
# A selector's value there does not depend on which others there are.
_OF_ITSELF = ("solver_score", GAPS)
_BATCH = 400_000  # rows of runs that are computed together
_MOST = 100  # groups of protocols that are, which share their runs
_CHOSEN = {*COLUMNS} - {"protocol", "source"}


class ProtocolValues:
    """Values of one metric of one solver under many protocols, computed in memory.

    lake: opened on one scenario, under one protocol. seconds: for how long values are computed; None = to
    the end.
    """

    def __init__(
        self, lake: OpenLake, solver: str, metric: str, *, kind: str | None, seconds: float | None = None
    ) -> None:
        self._seconds, self._since = seconds, monotonic()
        self.lake, self.solver, self.metric = lake, solver, metric
        (self.scenario_id,) = lake.scenarios
        self.kind = kind_of(lake, solver, kind)
        self.relation = relation_of(lake, metric)
        rows = lake.rows("select measure from raw_scenario order by measure_index")
        self.measures = [measure for (measure,) in rows]
        asked = lake.protocols[0].measures
        self.measure = asked if asked in self.measures else self.measures[0]
        # Its views are changed below, so that no other question may be asked of it.
        self.con = lake.connect().con
        self._known = lake.lineage
        self._steps = self._known.steps([self.relation, "solver_score"], there=())
        self._choices = self._choices_of()
        self._settle_raw()

    def _settle_raw(self) -> None:
        """Read the files once, and only the one selector that is asked for."""
        read = {name for step in self._steps for name in self._known.reads[step]}
        answers = ("raw_selection", "raw_outcome") if self.relation in _OF_ITSELF else ()
        for name in sorted(n for n in read if n.startswith("raw_")):
            where = f" where selector = {quoted(self.solver)}" if name in answers else ""
            self.con.execute(f"create temp table settled_{name} as from {name}{where}")
            self.con.execute(f"create or replace view {name} as from settled_{name}")
        ((self._rows,),) = self.con.sql("select count(*) from raw_run").fetchall()
        self.con.execute("create temp table every_protocol as from protocol limit 0")
        self.con.execute("create temp table shared (step text, rep text, member text)")

    def _choices_of(self) -> dict[str, tuple[str, ...]]:
        """The choices that each step depends on, directly or through the steps that it reads."""
        found: dict[str, set[str]] = {}
        for step in self._steps:
            words = set(re.findall(r"\w+", self._known.views[step].sql))
            below = (found.get(name, set()) for name in self._known.reads[step])
            found[step] = (words & _CHOSEN).union(*below)
        return {step: tuple(sorted(choices)) for step, choices in found.items()}

    def values(self, protocols: Sequence[Protocol]) -> list[tuple[float | None, int | None]]:
        """The value under each protocol, and the instances that count.

        Raises:
            OutOfTimeError: between two batches, once the seconds are over.

        """
        found: dict[int, tuple[float | None, int | None]] = {}
        for batch in self._batches(protocols):
            if self._seconds is not None and monotonic() - self._since > self._seconds:
                what = f"the time was too short for all combinations: {self._seconds:g} s"
                raise OutOfTimeError(what, self.scenario_id, "Increase --seconds.")
            named = {f"{at:05}": protocols[at] for at in batch}
            self._compute(named)
            found |= {int(name): value for name, value in self._read(named).items()}
        return [found[at] for at in range(len(protocols))]

    def _batches(self, protocols: Sequence[Protocol]) -> Iterator[list[int]]:
        """Protocols by their place; those that share most of the work stay together."""
        most = max(1, min(_MOST, _BATCH // max(1, self._rows)))
        alike: dict[tuple[str, ...], list[int]] = {}
        for at, protocol in enumerate(protocols):
            alike.setdefault(self._shares("solver_score", protocol), []).append(at)
        groups = list(alike.values())
        for start in range(0, len(groups), most):
            yield [at for group in groups[start : start + most] for at in group]

    def _shares(self, step: str, protocol: Protocol) -> tuple[str, ...]:
        return tuple(repr(getattr(protocol, c)) for c in self._choices[step])

    def _compute(self, protocols: Mapping[str, Protocol]) -> None:
        """Compute each step once for all protocols that share it.

        The views of the steps below show the protocols for which one is computed.
        """
        con = self.con
        con.execute("delete from protocol")
        fill_protocol(con, [replace(p, protocol=n) for n, p in protocols.items()])
        con.execute("create or replace temp table every_protocol as from protocol")
        con.execute("delete from shared")
        for step in self._steps:
            first: dict[tuple[str, ...], str] = {}
            reps = [
                first.setdefault(self._shares(step, protocol), name) for name, protocol in protocols.items()
            ]
            self._activate(list(first.values()))
            con.execute(f"create or replace temp table settled_{step} as {self._known.views[step].sql}")
            con.execute(
                "insert into shared select $1, unnest($2), unnest($3)", [step, reps, list(protocols)]
            )
            con.execute(
                f"create or replace view {step} as "  # noqa: S608 - quoted
                f"select s.* replace (m.member as protocol) from settled_{step} as s "
                f"inner join shared as m on m.rep = s.protocol and m.step = {quoted(step)} "
                "semi join protocol as p on p.protocol = m.member"
            )
        self._activate(list(protocols))

    def _activate(self, names: Sequence[str]) -> None:
        self.con.execute("delete from protocol")
        self.con.execute(
            "insert into protocol from every_protocol where list_contains($1, protocol)", [names]
        )

    def _read(self, protocols: Iterable[str]) -> dict[str, tuple[float | None, int | None]]:
        asked = {"solver": self.solver, "kind": self.kind}
        where = "where solver = $solver and kind = $kind"
        value, counted = (
            dict(self.con.execute(f"select protocol, {column} from {view} {where}", asked).fetchall())  # noqa: S608
            for column, view in ((self.metric, self.relation), ("n_instances", "solver_score"))
        )
        return {name: (value.get(name), counted.get(name)) for name in protocols}


def kind_of(lake: OpenLake, solver: str, kind: str | None) -> str:
    """The kind of a solver: a selector before an algorithm of the same name."""
    found = [(known, name) for known, name in lake.rows("named_solvers") if kind in {None, known}]
    for known, name in found:
        if name == solver:
            return str(known)
    hint = one_of(solver, [name for _, name in found])
    raise AslibError(f"there is no {kind or 'solver'} {solver!r}", hint=hint)


def relation_of(lake: OpenLake, metric: str) -> str:
    """The view in which a metric is a column."""
    if metric not in lake.metrics:
        raise AslibError(f"there is no metric {metric!r}", hint=one_of(metric, lake.metrics))
    return lake.metrics[metric].relation


TRIES = 500
NEAREST = 10
# Which gap is shown, and what is decided between equals alone.
_ASIDE = ("gap", "second_direction", "second_decides")
# What is tried of choices that are no words. Of ``failures`` what needs no number.
_TRIED: Mapping[str, tuple[Any, ...]] = {
    "penalty": (10.0, 1.0, 2.0),
    "presolving": (True, False),
    "gap_floor": (None, -1.0),
    **{column: values for column, values in CHOICES.items() if column not in _ASIDE},
    "failures": tuple(v for v in CHOICES["failures"] if v != "value"),
}
_NOT_TRIED = ("failure_value", "borda_delta", "other penalties")
_VALUES = 8  # different ones, of which there is a range
Change = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Explanation:
    """The combinations of choices that give a printed number.

    frame: one row per combination that gives it, the fewest changes first, or the nearest ten if none does:
    ``value``, ``off`` (value less the printed one), ``n`` (instances that count), ``n_changes`` and
    ``changes`` (the choices that are not those of ``protocol``), ``presets`` (those that make the same
    choices, as far as they matter here). A combination that adds a choice to a row above and has the same
    value is left out. tried: how many combinations were computed. matching: how many
    of them give the number. varied: the choices that were combined, with their values. inert: those that
    change nothing here, alone or in pairs. complete: whether every combination of the varied ones was
    tried. by_chance: share of the numbers of the same digits, between the least and largest value tried,
    that some combination
    gives; null where all values are one.
    """

    scenario_id: str
    measure: str
    solver: str
    metric: str
    protocol: str
    printed: Printed
    frame: pl.DataFrame
    tried: int
    matching: int
    varied: Mapping[str, tuple[Any, ...]]
    inert: tuple[str, ...]
    complete: bool
    by_chance: float | None

    @property
    def notes(self) -> list[str]:
        """What was tried and found, in sentences."""
        what = f"{self.metric} of {self.solver} on {self.scenario_id}"
        of = plural(self.tried, "combination")
        if self.matching:
            gives = "gives" if self.matching == 1 else "give"
            found = f"{self.matching} of {of} {gives} {self.printed.text}"
            if (idle := self.matching - self.frame.height) > 0:
                found += f" (not shown: {idle} with further choices that have no effect)"
        else:
            found = f"none of {of} gives {self.printed.text}. The nearest come first"
        words = [f"{column} ({', '.join(map(_word, values))})" for column, values in self.varied.items()]
        choices = "aslib-eval combined these choices"
        if self.complete:
            choices = "aslib-eval tried all combinations of these choices"
        said = [f"{what}: {found}.", f"{choices}: {'; '.join(words) or 'none'}."]
        if not self.complete:
            said.append("To try combinations that change more choices, increase --tries.")
        if self.inert:
            said.append(f"These choices have no effect, alone or with another: {', '.join(self.inert)}.")
        said.append(f"Not tried: {', '.join(_NOT_TRIED)}.")
        if self.by_chance is not None:
            share = number(round(100 * self.by_chance, 1))
            said.append(
                "A match can be a coincidence: a random number with as many digits (between the quartiles "
                f"of all values) matches with a probability of {share} %."
            )
        if not self.matching:
            said += [
                f"If {number(value)} is truncated instead of rounded, it is {self.printed.text}."
                for value in self.frame["value"].head(1).to_list()
                if self.printed.cuts(value)
            ]
            said.append(
                "The number may come from other instances, splits, runs or predictions, or from another "
                "metric."
            )
        return said


def _word(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def explain(
    lake: OpenLake,
    solver: str,
    *,
    metric: str = "closed_gap",
    value: str,
    kind: str | None = None,
    tries: int = TRIES,
    seconds: float | None = None,
) -> Explanation:
    """Find the combinations of a protocol's choices that give a printed number.

    lake: opened on one scenario, under the one protocol where the search starts: the fewer of its choices
    are changed, the earlier a combination is tried.
    value: as it is printed, see ``printed``. A choice that changes
    nothing alone, nor together with any one other choice, is not combined further (a group of such choices
    is tried at once, and taken apart if it changes anything); two values of a choice that do the same alone
    and in pairs are tried as one. Every preset is tried as well. tries: how many combinations at most;
    those that change fewer choices come first. seconds: the time for all of it; None = any.

    Raises:
        OutOfTimeError: it takes longer.

    """
    wanted = printed(value)
    (base,) = lake.protocols
    solver_values = ProtocolValues(lake, solver, metric, kind=kind, seconds=seconds)
    search = _Search(base, solver_values, _alternatives(base, solver_values.measures))
    found = search.combined(tries)
    rows = list(_rows(search, found, wanted))
    matching = [row for row in rows if wanted.rounds(row["value"])]
    order = sorted(matching, key=lambda r: (r["n_changes"], _size(r))) if matching else _nearest(rows)
    return Explanation(
        solver_values.scenario_id,
        solver_values.measure,
        solver,
        metric,
        base.tag,
        wanted,
        _frame(solver_values, base, wanted, _without_idle(order)[: None if matching else NEAREST]),
        len(search.seen),
        len(matching),
        search.varied,
        search.inert,
        len(found) >= prod(len(values) for values in search.varied.values()),
        _by_chance([row["value"] for row in rows], wanted),
    )


def _alternatives(base: Protocol, measures: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    tried = dict(_TRIED)
    if base.failures == "value":  # the others take no failure_value
        del tried["failures"]
    if len(measures) > 1:
        tried["measures"] = ("primary", *measures[1:])
    return tried


def _rows(search: _Search, found: Iterable[Change], wanted: Printed) -> Iterator[dict[str, Any]]:
    """A row for each combination, and for each preset that is none of them."""
    at = {change: search.seen[change] for change in found}
    presets: dict[Change, list[str]] = {}
    for name, change in search.presets().items():
        matters = search.effective(change)
        same = matters in at and _same(at[matters][0], search.seen[change][0])
        presets.setdefault(matters if same else change, []).append(name)
    for change in dict.fromkeys((*at, *presets)):
        value, n = search.seen[change]
        yield {
            "value": value,
            "off": None if value is None else value - wanted.value,
            "n": n,
            "n_changes": len(change),
            "changes": ", ".join(f"{c} = {_word(v)}" for c, v in change),
            "presets": ", ".join(presets.get(change, ())),
            "_change": frozenset(change),
        }


def _nearest(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted((row for row in rows if row["off"] is not None), key=lambda r: (_size(r), r["n_changes"]))


def _size(row: Mapping[str, Any]) -> float:
    off: float = row["off"]
    return round(abs(off), 12)


def _without_idle(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows but those that add choices to one before them and have its value."""
    kept: list[dict[str, Any]] = []
    for row in rows:
        idle = any(
            other["_change"] < row["_change"] and _same(other["value"], row["value"]) for other in kept
        )
        if not idle or row["presets"]:
            kept.append(row)
    return kept


def _by_chance(values: Iterable[float | None], wanted: Printed) -> float | None:
    step = 2 * wanted.half
    cells = sorted({round(value / step) for value in values if value is not None})
    quarter = len(cells) // 4
    middle = cells[quarter : len(cells) - quarter]
    if len(cells) < _VALUES:
        return None
    return len(middle) / (middle[-1] - middle[0] + 1)


def _frame(
    solver_values: ProtocolValues, base: Protocol, wanted: Printed, rows: Sequence[Mapping[str, Any]]
) -> pl.DataFrame:
    numbers = {"value": pl.Float64, "off": pl.Float64, "n": pl.Int64, "n_changes": pl.Int64}
    schema = numbers | {"changes": pl.String, "presets": pl.String}
    frame = pl.DataFrame([{c: row[c] for c in schema} for row in rows], schema=schema)
    about = {
        "protocol": base.tag,
        "scenario_id": solver_values.scenario_id,
        "measure": solver_values.measure,
        "solver": solver_values.solver,
        "metric": solver_values.metric,
        "printed": wanted.text,
    }
    return frame.select(*(pl.lit(v).alias(k) for k, v in about.items()), pl.all())


def _same(a: float | None, b: float | None) -> bool:
    """Whether two values agree to 12 digits, or neither is known."""
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1)


@dataclass(eq=False)
class _Search:
    """The choices that matter, and the values of combinations of them.

    seen: the value and n of every combination that was computed, the choices in the order of
    ``alternatives``.
    """

    base: Protocol
    solver_values: ProtocolValues
    alternatives: Mapping[str, tuple[Any, ...]]
    seen: dict[Change, tuple[float | None, int | None]] = field(default_factory=dict)
    varied: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    alike: dict[tuple[str, Any], Any] = field(default_factory=dict)

    def compute(self, changes: Iterable[Mapping[str, Any]]) -> None:
        """Compute the values that are not there yet."""
        new = [c for c in dict.fromkeys(map(self.key, changes)) if c not in self.seen]
        values = self.solver_values.values([replace(self.base, **dict(c)) for c in new])
        self.seen.update(zip(new, values, strict=True))

    def key(self, change: Mapping[str, Any]) -> Change:
        """The choices in one order, without those of the start."""
        columns = (*self.alternatives, *sorted(change.keys() - self.alternatives))
        return tuple(
            (column, change[column])
            for column in columns
            if column in change and change[column] != getattr(self.base, column)
        )

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether two computed combinations have another value or n."""
        (a, n), (b, m) = self.seen[self.key(one)], self.seen[self.key(other)]
        return n != m or not _same(a, b)

    def combined(self, tries: int) -> list[Change]:
        """Every combination of what matters, at most so many; fewer changes first."""
        singles = [
            {column: value}
            for column, values in self.alternatives.items()
            for value in values
            if value != getattr(self.base, column)
        ]
        self.compute([{}, *singles, *map(dict, self.presets().values())])
        awake = [single for single in singles if self.differ(single, {})]
        idle = [single for single in singles if single not in awake]
        active: list[Mapping[str, Any]] = [*awake, *self._woken(awake, idle)]
        self.compute([{**a, **b} for a, b in combinations(active, 2) if a.keys() != b.keys()])
        self._merge(active)
        every = (
            self.key(dict(zip(self.varied, values, strict=True)))
            for values in product(*self.varied.values())
        )
        asked = sorted(every, key=len)[:tries]
        self.compute(map(dict, asked))
        return asked

    def _woken(
        self, active: Sequence[Mapping[str, Any]], idle: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        """Those without an effect alone that have one with another choice.

        All are tried at once, one of each choice, and apart where that does anything.
        """
        by_column = [list(some) for _, some in groupby(idle, key=list)]
        groups = [[single for single in group if single] for group in zip_longest(*by_column)]
        beside = [
            (context, [s for s in group if s.keys() != context.keys()])
            for context in (dict[str, Any](), *active)
            for group in groups
        ]
        self.compute({**_joined(group), **context} for context, group in beside)
        moving = [
            (context, group)
            for context, group in beside
            if self.differ({**_joined(group), **context}, context)
        ]
        apart = [
            (context, group, member)
            for context, group in moving
            for member in ([[s] for s in group] if context else map(list, combinations(group, 2)))
        ]
        self.compute({**_joined(member), **context} for context, _, member in apart)
        woken: list[Mapping[str, Any]] = []
        for context, group in moving:
            members = [m for c, g, m in apart if c is context and g is group]
            found = [
                single
                for member in members
                if self.differ({**_joined(member), **context}, context)
                for single in member
            ]
            woken += [s for s in found or group if s not in woken]
        return woken

    def _merge(self, active: Sequence[Mapping[str, Any]]) -> None:
        """Keep of each choice the values that differ alone or in a pair."""
        for column, values in self.alternatives.items():
            own = getattr(self.base, column)
            self.alike |= {(column, value): own for value in values}
            kept: list[Any] = [own]
            others = [a for a in active if column not in a]
            for value in (a[column] for a in active if column in a):
                twin = next(
                    (
                        known
                        for known in kept
                        if not any(
                            self.differ({**o, column: value}, {**o, column: known}) for o in ({}, *others)
                        )
                    ),
                    None,
                )
                if twin is None:
                    kept.append(value)
                self.alike[column, value] = value if twin is None else twin
            if len(kept) > 1:
                self.varied[column] = tuple(kept)

    @property
    def inert(self) -> tuple[str, ...]:
        """The choices that change nothing."""
        return tuple(c for c in self.alternatives if c not in self.varied)

    def presets(self) -> dict[str, Change]:
        """What each preset changes."""
        return {
            name: self.key({c: value for c, _, value in difference(self.base, preset) if c in _CHOSEN})
            for name, preset in ORDERING.items()
        }

    def effective(self, change: Change) -> Change:
        """A combination without the choices that change nothing here."""
        return self.key({c: self.alike.get((c, value), value) for c, value in change if c in self.varied})


def _joined(singles: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {column: value for single in singles for column, value in single.items()}


WEIGHTIEST = 10


@dataclass(frozen=True, eq=False)
class Derivation:
    """The way from a number of ours down to its runs.

    frame: one row per instance that weighs most, the weightiest first: what the solver ran (``ran``: steps
    with their times), ``solved``, its ``cost``, that of the single best algorithm (``sbs``, ``sbs_cost``)
    and of the best (``vbs``, ``vbs_cost``), and ``part``. parts: what ``part`` is a part of. n: instances
    that count. baselines: mean costs of SBS and VBS, and who SBS is. cost: of the solver. total: of all
    parts; null where an instance has none. shown: of those in the frame.
    """

    scenario_id: str
    measure: str
    solver: str
    metric: str
    protocol: Protocol
    value: float | None
    n: int
    cost: float | None
    baselines: Mapping[str, Any]
    parts: str
    total: float | None
    shown: float | None
    frame: pl.DataFrame

    @property
    def notes(self) -> list[str]:
        """The number, its definition and its ends, in sentences."""
        b = self.baselines
        what = f"{self.metric} of {self.solver} on {self.scenario_id} ({self.measure})"
        said = [
            f"{what} is {number(self.value)} under {self.protocol.tag}, over {plural(self.n, 'instance')}.",
            f"Choices of the protocol: {self.protocol.words}.",
            (
                f"The mean cost of VBS is {number(b['vbs_cost'])}, of {self.solver}"
                f" {number(self.cost)}, and of SBS ({b['sbs']}, chosen on all instances)"
                f" {number(b['sbs_cost'])}."
            ),
        ]
        if self.total is None:
            return [*said, f"{self.metric} is not a sum over instances. The table shows {self.parts}."]
        n = self.frame.height
        of = f"These {n} instances contribute" if n > 1 else "This instance contributes"
        sums = f"{number(self.shown)} to {self.parts} of {number(self.total)}"
        return [*said, f"{of} {sums}."]


def derive(
    lake: OpenLake,
    solver: str,
    *,
    metric: str = "closed_gap",
    kind: str | None = None,
    most: int = WEIGHTIEST,
) -> Derivation:
    """The way from a number down to the instances and runs that weigh most in it.

    lake: opened on one scenario, under one protocol.
    The parts of a gap are (SBS - solver) / (n (SBS - VBS)) of each instance; over folds each has its own
    SBS and n, and the folds are averaged. They sum to the closed gap. The parts of the mean of a value of
    instances (PARk, cost, share solved) are value / n. Of other metrics, and of medians and geometric means
    of gaps, the cost above VBS is shown instead. most: how many instances.
    """
    (base,) = lake.protocols
    (scenario_id,) = lake.scenarios
    kind = kind_of(lake, solver, kind)
    relation = relation_of(lake, metric)
    runs = lake.ask("explained_runs", {"solver": solver, "kind": kind})
    measure = runs["measure"].unique().sort()[0] if runs.height else base.measures
    of_one = {"solver": solver, "kind": kind, "measure": measure}
    of = "where solver = $solver and kind = $kind and measure = $measure"
    found = lake.rows(f"select cost, n_instances from solver_score {of}", of_one)  # noqa: S608
    if not found:
        hint = "Check that some instance counts under this protocol."
        raise AslibError(f"{solver} has no value", scenario_id, hint)
    ((cost, n),) = found
    values = lake.rows(f"select {metric} from {relation} {of}", of_one)  # noqa: S608
    sql = "select sbs, sbs_cost, vbs_cost from scenario_baseline where measure = $m"
    ends = dict(zip(("sbs", "sbs_cost", "vbs_cost"), lake.rows(sql, {"m": measure})[0], strict=True))
    runs = runs.filter(pl.col("measure") == measure)
    part, parts = _part(runs, metric, relation)
    weighed = runs.with_columns(part.alias("part"))
    total = None if weighed["part"].null_count() else float(weighed["part"].sum())
    if total is None:
        weighed = weighed.with_columns(((pl.col("cost") - pl.col("vbs_cost")) / pl.len()).alias("part"))
        parts = "the cost above VBS on each instance, divided by n"
    by = [pl.col("part").abs(), "instance_id", "repetition"]
    top = weighed.sort(by, descending=[True, False, False], nulls_last=True).head(most)
    about = {
        "protocol": base.tag,
        "scenario_id": scenario_id,
        "measure": measure,
        "solver": solver,
        "metric": metric,
    }
    frame = top.select(
        *(pl.lit(v).alias(k) for k, v in about.items()),
        pl.col("instance_id").cast(pl.String),
        "repetition",
        pl.coalesce("ran", pl.lit(solver)).alias("ran"),
        "solved",
        *("cost", "sbs", "sbs_cost", "vbs", "vbs_cost", "part"),
    )
    if frame["repetition"].n_unique() < 2:  # noqa: PLR2004 - they are one
        frame = frame.drop("repetition")
    return Derivation(
        *(scenario_id, measure, solver, metric, base, values[0][0] if values else None, n, cost),
        baselines=ends,
        parts=parts,
        total=total,
        shown=None if total is None else float(top["part"].sum()),
        frame=frame,
    )


def _part(runs: pl.DataFrame, metric: str, relation: str) -> tuple[pl.Expr, str]:
    """Each instance's part, and of what."""
    if metric in metrics_over("instances") and metric in runs.columns:
        return pl.col(metric) / pl.len(), f"the mean {metric}"
    if relation == GAPS:
        return pl.col("gap_part"), "the closed gap"
    return pl.lit(None, dtype=pl.Float64), ""
