"""How far a ranking depends on delta, the penalty or the cutoff: exact, from a lake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from aslib_eval.analysis.kinds import Kind
from aslib_eval.analysis.solver_runs import Group, groups
from aslib_eval.errors import AslibError
from aslib_eval.metrics.curves import ROUNDING, largest_of_near
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.sweep import Sweep, delta_sweep
from aslib_eval.metrics.sweep_par import GapSweep, cutoff_sweep, penalty_sweep

if TYPE_CHECKING:
    import duckdb

PARAMETERS = ("delta", "penalty", "cutoff")


@dataclass(frozen=True)
class Sensitivity:
    """The sweep of one group.

    solvers: names of the curves of ``sweep``, all of one kind.
    gaps: PARk and closed gap of all columns of the group; None for delta.
    """

    group: Group
    solvers: tuple[str, ...]
    sweep: Sweep
    gaps: GapSweep | None


def sensitivities(
    con: duckdb.DuckDBPyConnection,
    *,
    parameter: str,
    kind: Kind | None = None,
    pooled: bool = False,
    modified: bool = False,
    left_out: Callable[[str], None] | None = None,
) -> list[Sensitivity]:
    """Sweep every scenario and protocol of an open lake.

    parameter: delta (Borda scores; relative if the protocol's delta is), penalty or
    cutoff (mean PARk and gap). kind: selectors where there are any, else algorithms.
    pooled: the instances of all scenarios as one, for the solvers that are in all of
    them; the cutoff is then a share of each scenario's. modified: modified Borda.

    Only runtime measures take part. ``left_out`` is told of every scenario that cannot
    be swept, and why (cutoff: a run that only some repetitions solve).
    Raises AslibError if nothing is left.
    """
    if parameter not in PARAMETERS:
        raise AslibError(f"{parameter!r} is none of {', '.join(PARAMETERS)}")
    found = []
    choices = con.sql(
        "select protocol, penalty, at_cutoff, borda_delta_kind = 'relative'"
        " from protocol"
    ).fetchall()
    for protocol, penalty, at_cutoff, relative in choices:
        for group in groups(con, protocol, kind=kind, pooled=pooled):
            if parameter == "delta":
                found.append(_by_delta(group, relative=relative, modified=modified))
                continue
            try:
                found.append(_by_par(group, parameter, penalty, at_cutoff))
            except AslibError as error:
                if left_out is not None:
                    left_out(f"{group.scenario_id}, {group.protocol}: {error.message}")
    if not found:
        raise AslibError("there is nothing to sweep", None, _needs(kind))
    return found


def _needs(kind: Kind | None) -> str:
    who = f"two {kind}s" if kind else "two selectors or, without any, two algorithms"
    return (
        f"A sweep needs {who} with runtimes: see 'aslib-eval score' and --kind, or take"
        " a protocol with measures = 'all' for a runtime that comes second."
    )


def _by_delta(group: Group, *, relative: bool, modified: bool) -> Sensitivity:
    entrants = _entrants(group)
    sweep = delta_sweep(entrants, relative=relative, modified=modified)
    return Sensitivity(group, group.names[: group.n_entrants], sweep, None)


def _by_par(
    group: Group,
    parameter: str,
    penalty: float,
    at_cutoff: Literal["unsolved", "solved"],
) -> Sensitivity:
    gaps = _gap_sweep(group, parameter, penalty, at_cutoff)
    sweep = _of_entrants(gaps.scores, group.n_entrants)
    return Sensitivity(group, group.names[: group.n_entrants], sweep, gaps)


def _entrants(group: Group) -> Runs:
    """The runs of the compared solvers alone."""
    size, runs = group.n_entrants, group.runs
    return Runs(runs.times[:, :size], runs.solved[:, :size], runs.cutoff)


def _gap_sweep(
    group: Group,
    parameter: str,
    penalty: float,
    at_cutoff: Literal["unsolved", "solved"],
) -> GapSweep:
    runs, n = group.runs, group.runs.n_solvers
    rest = range(group.n_entrants, n)
    portfolio = tuple(rest) or tuple(range(n))
    if parameter == "penalty":
        return penalty_sweep(runs, portfolio=portfolio)
    if np.ptp(runs.cutoffs) > 0:
        runs = Runs(times=_shares(runs), solved=runs.solved, cutoff=1.0)
    return cutoff_sweep(runs, penalty=penalty, portfolio=portfolio, at_cutoff=at_cutoff)


def _shares(runs: Runs) -> Floats:
    """The times as shares of their cutoffs; those that differ by rounding are one."""
    shares = runs.times / runs.cutoffs[:, None]
    known = shares[np.isfinite(shares)]
    ends = largest_of_near(known, within=ROUNDING / 2 * known)
    shares[np.isfinite(shares)] = ends[ends.searchsorted(known)]
    return shares


def _of_entrants(scores: Sweep, n_entrants: int) -> Sweep:
    return Sweep(
        scores.parameter,
        scores.curves[:n_entrants],
        higher_is_better=scores.higher_is_better,
        tolerance=scores.tolerance,
    )
