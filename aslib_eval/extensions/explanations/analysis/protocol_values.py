"""One metric of one solver under many protocols at once, computed in memory.

Nothing is kept of the protocols that are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import COLUMNS, Protocol
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.database.views import fill_protocol
from aslib_eval.errors import AslibError, OutOfTimeError
from aslib_eval.text import one_of

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
        sql = "select measure from raw_scenario order by measure_index"
        self.measures = [measure for (measure,) in lake.rows(sql)]
        (asked,) = (protocol.measures for protocol in lake.protocols)
        self.measure = asked if asked in self.measures else self.measures[0]
        # Its views are changed below, so that no other question may be asked of it.
        self.con = lake.connect().con
        self._known = lake.lineage
        self._steps = self._known.steps([self.relation, "solver_score"], there=())
        self._choices = self._choices_of()
        self._settle_raw()

    def _settle_raw(self) -> None:
        """Read the files once, and of selectors only the one that is asked for."""
        read = {name for step in self._steps for name in self._known.reads[step]}
        of_itself = self.relation in _OF_ITSELF
        for name in sorted(n for n in read if n.startswith("raw_")):
            where = ""
            if of_itself and name in {"raw_selection", "raw_outcome"}:
                where = f" where selector = {quoted(self.solver)}"
            select = f"select * from {name}{where}"  # noqa: S608 - quoted
            self.con.execute(f"create temp table settled_{name} as {select}")
            self.con.execute(f"create or replace view {name} as from settled_{name}")
        ((self._rows,),) = self.con.sql("select count(*) from raw_run").fetchall()
        self.con.execute("create temp table every_protocol as from protocol limit 0")
        self.con.execute("create temp table shared (step text, rep text, member text)")

    def _choices_of(self) -> dict[str, tuple[str, ...]]:
        """The choices on which each step depends, itself or by what it reads."""
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
                what = f"not all was tried within {self._seconds:g} s"
                raise OutOfTimeError(what, self.scenario_id, "Give it more --seconds.")
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
        """What a step depends on: protocols that agree in it share its rows."""
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
            select = self._known.views[step].sql
            con.execute(f"create or replace temp table settled_{step} as {select}")
            insert = "insert into shared select $1, unnest($2), unnest($3)"
            con.execute(insert, [step, reps, list(protocols)])
            rows = f"select s.* replace (m.member as protocol) from settled_{step} as s"  # noqa: S608
            of_step = f"m.rep = s.protocol and m.step = {quoted(step)}"
            active = "semi join protocol as p on p.protocol = m.member"
            select = f"{rows} inner join shared as m on {of_step} {active}"
            con.execute(f"create or replace view {step} as {select}")
        self._activate(list(protocols))

    def _activate(self, names: Sequence[str]) -> None:
        self.con.execute("delete from protocol")
        chosen = "from every_protocol where list_contains($1, protocol)"
        self.con.execute(f"insert into protocol {chosen}", [names])

    def _read(self, protocols: Iterable[str]) -> dict[str, tuple[float | None, int | None]]:
        asked = {"solver": self.solver, "kind": self.kind}
        where = "where solver = $solver and kind = $kind"
        sql = f"select protocol, {self.metric} from {self.relation} {where}"  # noqa: S608
        value = dict(self.con.execute(sql, asked).fetchall())
        sql = f"select protocol, n_instances from solver_score {where}"  # noqa: S608
        counted = dict(self.con.execute(sql, asked).fetchall())
        return {name: (value.get(name), counted.get(name)) for name in protocols}


def kind_of(lake: OpenLake, solver: str, kind: str | None) -> str:
    """The kind of a solver: a selector before an algorithm of the same name."""
    named = lake.rows("named_solvers")
    found = [(known, name) for known, name in named if kind in {None, known}]
    for known, name in found:
        if name == solver:
            return str(known)
    what = f"there is no {kind or 'solver'} {solver!r}"
    raise AslibError(what, hint=one_of(solver, [name for _, name in found]))


def relation_of(lake: OpenLake, metric: str) -> str:
    """The view in which a metric is a column."""
    if metric not in lake.metrics:
        hint = one_of(metric, lake.metrics)
        raise AslibError(f"there is no metric {metric!r}", hint=hint)
    return lake.metrics[metric].relation
