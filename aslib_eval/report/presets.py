"""One connection for a whole report: all presets first, then its own protocol alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aslib_eval.database.connect import store
from aslib_eval.database.protocol import PRESETS, Protocol, load

if TYPE_CHECKING:
    import duckdb
    import polars as pl

# What several answers of a report are made of: computed once, lower ones first.
HELD = (
    "instance_attainable",
    "fold_gap",
    "solver_score",
    "solver_gap",
    "solver_borda",
    "solver_rank",
    "scenario_baseline",
)
_BATCH = 4  # protocols at once: what they need grows with their number
# What selectors can attain costs more than all ranks together, and is no part of them;
# neither are Borda counts of algorithms, which take every pair.
_LEAN = (
    "drop view instance_attainable",
    """create table instance_attainable (
        protocol varchar, scenario_id varchar, measure varchar, cost double
    )""",
    "create table held as select * from solver_borda where kind = 'selector'",
    "drop view solver_borda",
    "alter table held rename to solver_borda",
)
_RANKS = """
    select p.protocol || '@' || p.hash as protocol, r.scenario_id, r.measure,
        r.metric, r.solver, r.kind, r.n_instances as n, r.score, r.rank
    from solver_rank as r
    inner join protocol as p using (protocol)
    inner join metric as m on m.metric = r.metric and m.swept
    where r.kind = case
        when exists (
            select 1 from solver_score as s
            where s.kind = 'selector' and s.scenario_id = r.scenario_id
        ) then 'selector'
        else 'algorithm'
    end
    order by all
"""


def together(protocol: str | Protocol) -> list[Protocol]:
    """The protocol of the report, and every preset of another name."""
    own = protocol if isinstance(protocol, Protocol) else load(protocol)
    return [own, *(p for name, p in PRESETS.items() if name != own.protocol)]


def definitions(
    con: duckdb.DuckDBPyConnection, *, protocols: Sequence[str]
) -> pl.DataFrame:
    """Score and rank of every system under some of the protocols of an open lake.

    One row per protocol (name@hash), scenario, measure, metric and solver: kind, n,
    score, rank. Selectors where a scenario has any, else its algorithms, and those
    without Borda counts, which take every pair. No relation may be stored; all are
    as before afterwards.
    """
    import polars as pl

    starts = range(0, len(protocols), _BATCH)
    return pl.concat([_ranks(con, protocols[at : at + _BATCH]) for at in starts])


def _ranks(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> pl.DataFrame:
    """The same under a few protocols: what they need is thrown away again."""
    con.execute("begin")
    try:
        narrow(con, to=names)
        store(con)
        for statement in _LEAN:
            con.execute(statement)
        hold(con, ("solver_score", "solver_gap"))
        return ranks(con)
    finally:
        con.execute("rollback")


def ranks(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Score and rank of every system as ``definitions`` has them, of all protocols."""
    import polars as pl

    frame: pl.DataFrame = con.sql(_RANKS).pl()
    plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    # A gap is known to about 12 digits: what differs less is the same.
    gap = pl.when(pl.col("metric") == "closed_gap").then(pl.col("score").round(12))
    return plain.with_columns(gap.otherwise(pl.col("score")).alias("score"))


def narrow(con: duckdb.DuckDBPyConnection, *, to: Sequence[str]) -> None:
    """Leave some protocols in an open lake that has stored nothing yet."""
    gone = "delete from protocol where not list_contains($to, protocol)"
    con.execute(gone, {"to": list(to)})


def hold(con: duckdb.DuckDBPyConnection, names: Sequence[str] = HELD) -> None:
    """Compute some views of an open lake now, as tables."""
    for name in names:
        con.execute(f"create table held as from {name}")
        con.execute(f"drop view {name}")
        con.execute(f"alter table held rename to {name}")
