"""The views on the splits of a cross-validation scheme, as frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import duckdb
    import polars as pl

# What to look at → the view, and the order of its rows.
SPLIT_VIEWS = {
    "gaps": ("split_gap", "s.kind desc, s.mean desc nulls last, s.solver"),
    "sbs": ("split_sbs", "s.n_train desc, s.n_test desc, s.algorithm"),
    "pairs": ("split_pair", "s.kind desc, s.solver, s.opponent"),
    "winners": ("split_winner", "s.kind desc"),
}


def over_splits(
    con: duckdb.DuckDBPyConnection, cv_scheme: str, *, show: str = "gaps"
) -> pl.DataFrame:
    """What the splits of a scheme say, for each protocol, scenario and measure.

    ``show``: ``gaps`` the distribution of every solver's closed gap; ``sbs`` how
    often each algorithm is the single best; ``pairs`` how often a split prefers one
    solver to another of its kind; ``winners`` how often it changes the winner.
    Raises AslibError if no scenario has the scheme, or there is no such view.
    """
    if show not in SPLIT_VIEWS:
        hint = f"Name one of {', '.join(SPLIT_VIEWS)}."
        raise AslibError(f"cannot show {show!r}", "resample", hint)
    found = [name for (name,) in con.sql(_SCHEMES).fetchall()]
    if cv_scheme not in found:
        hint = f"There are {', '.join(found)}." if found else "Make one first."
        raise AslibError("no scenario has this scheme", cv_scheme, hint)
    view, order = SPLIT_VIEWS[show]
    # Names of our own views and columns are spliced, nothing else.
    query = f"""
        select p.protocol || '@' || p.hash as protocol, s.* exclude (protocol)
        from {view} as s
        inner join protocol as p using (protocol)
        where s.cv_scheme = $scheme
        order by s.scenario_id, s.measure, s.protocol, {order}
    """  # noqa: S608
    frame: pl.DataFrame = con.sql(query, params={"scheme": cv_scheme}).pl()
    return frame


_SCHEMES = "select distinct cv_scheme from raw_fold order by cv_scheme"
