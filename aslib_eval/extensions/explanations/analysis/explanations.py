"""Combinations of a protocol's choices that give a printed number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product, zip_longest
from math import prod
from typing import Any

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import CHOICES, PRESETS, Protocol, difference
from aslib_eval.extensions.explanations.analysis.protocol_values import ProtocolValues
from aslib_eval.text import Printed, number, plural, printed

TRIES = 500
NEAREST = 10
# What is tried of choices that are no words. Of ``failures`` what needs no number.
_TRIED: Mapping[str, tuple[Any, ...]] = {
    "penalty": (10.0, 1.0, 2.0),
    "presolving": (True, False),
    "gap_floor": (None, -1.0),
    **{column: values for column, values in CHOICES.items() if column != "gap"},
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
                found += f"; {idle} of these, not shown, adds a choice without effect"
        else:
            found = f"none of {of} gives {self.printed.text}; the nearest come first"
        said = [f"{what}: {found}."]
        words = "; ".join(
            f"{column} ({', '.join(map(_word, values))})" for column, values in self.varied.items()
        )
        all_ = "All combinations were tried of" if self.complete else "Combined were"
        said.append(f"{all_}: {words or 'nothing'}.")
        if not self.complete:
            said.append("More --tries would try the others, which change more choices.")
        if self.inert:
            names = ", ".join(self.inert)
            said.append(f"No matter here, alone or with another choice: {names}.")
        said.append(f"Not tried: {', '.join(_NOT_TRIED)}.")
        if self.by_chance is not None:
            share = number(round(100 * self.by_chance, 1))
            said.append(
                "Chance: of all numbers with so many digits between the quartiles of"
                f" the values, {share} % are given by some combination."
            )
        if not self.matching:
            said += [
                f"{number(value)} is that, cut off instead of rounded."
                for value in self.frame["value"].head(1).to_list()
                if self.printed.cuts(value)
            ]
            said.append(
                "It may rest on other instances, splits, runs or predictions, or be another metric."
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
    shown = _without_idle(order)[: None if matching else NEAREST]
    product_ = prod(len(values) for values in search.varied.values())
    return Explanation(
        solver_values.scenario_id,
        solver_values.measure,
        solver,
        metric,
        base.tag,
        wanted,
        _frame(solver_values, base, wanted, shown),
        len(search.seen),
        len(matching),
        search.varied,
        search.inert,
        len(found) >= product_,
        _by_chance([row["value"] for row in rows], wanted),
    )


def _alternatives(base: Protocol, measures: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """The values of every choice that are tried."""
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
    """Those that have a value, the least off first; of two as near, fewer changes."""
    known = (row for row in rows if row["off"] is not None)
    return sorted(known, key=lambda r: (_size(r), r["n_changes"]))


def _size(row: Mapping[str, Any]) -> float:
    """How far a row's value is off, without the last digits of a sum."""
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
    schema = {
        "value": pl.Float64,
        "off": pl.Float64,
        "n": pl.Int64,
        "n_changes": pl.Int64,
        "changes": pl.String,
        "presets": pl.String,
    }
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
        presets = [dict(_difference_of(self.base, p)) for p in PRESETS.values()]
        self.compute([{}, *singles, *presets])
        awake = [single for single in singles if self.differ(single, {})]
        idle = [single for single in singles if single not in awake]
        active: list[Mapping[str, Any]] = [*awake, *self._woken(awake, idle)]
        pairs = [{**a, **b} for a, b in combinations(active, 2) if a.keys() != b.keys()]
        self.compute(pairs)
        self._merge(active)
        asked = self._asked(tries)
        self.compute(map(dict, asked))
        return asked

    def _woken(
        self, active: Sequence[Mapping[str, Any]], idle: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        """Those without an effect alone that have one with another choice.

        All are tried at once, one of each choice, and apart where that does anything.
        """
        by_column: dict[str, list[Mapping[str, Any]]] = {}
        for single in idle:
            (column,) = single
            by_column.setdefault(column, []).append(single)
        groups = [
            [single for single in group if single is not None] for group in zip_longest(*by_column.values())
        ]
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

    def _asked(self, tries: int) -> list[Change]:
        every = (
            self.key(dict(zip(self.varied, values, strict=True)))
            for values in product(*self.varied.values())
        )
        return sorted(every, key=len)[:tries]

    @property
    def inert(self) -> tuple[str, ...]:
        """The choices that change nothing."""
        return tuple(c for c in self.alternatives if c not in self.varied)

    def presets(self) -> dict[str, Change]:
        """What each preset changes."""
        return {name: self.key(dict(_difference_of(self.base, preset))) for name, preset in PRESETS.items()}

    def effective(self, change: Change) -> Change:
        """A combination without the choices that change nothing here."""
        return self.key(
            {
                column: self.alike.get((column, value), value)
                for column, value in change
                if column in self.varied
            }
        )


def _joined(singles: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {column: value for single in singles for column, value in single.items()}


def _difference_of(a: Protocol, b: Protocol) -> Iterator[tuple[str, Any]]:
    """The choices of ``b`` that are not those of ``a``."""
    for column, _, value in difference(a, b):
        if column not in {"protocol", "source"}:
            yield column, value
