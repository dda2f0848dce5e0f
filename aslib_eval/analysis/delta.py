"""Borda scores over delta, as figures and papers show them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Runs
from aslib_eval.metrics.sweeps.curves import log_grid
from aslib_eval.metrics.sweeps.delta import Sweep, delta_sweep
from aslib_eval.metrics.sweeps.gaps import GapSweep
from aslib_eval.words import SweptKind

_POINTS = 400  # of a curve, besides the exact values of reversals
_SPAN = 1e6  # from the least delta besides 0 to the largest, at most


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


def pooled_delta(lake: OpenLake, *, modified: bool = False) -> Sensitivity:
    """Sweep delta for the selectors, the instances of all scenarios as one.

    Under the first protocol; relative if its delta is. modified: modified Borda.
    """
    for protocol in lake.protocols:
        relative = protocol.borda_delta_kind == "relative"
        for group in groups(lake, protocol.protocol, kind="selector", pooled=True):
            return by_delta(group, relative=relative, modified=modified)
    raise nothing_to_sweep("selector")


def by_delta(group: Group, *, relative: bool, modified: bool) -> Sensitivity:
    """The Borda scores of a group's entrants over delta."""
    n, runs = group.n_entrants, group.runs
    entrants = Runs(runs.times[:, :n], runs.solved[:, :n], runs.cutoff)
    sweep = delta_sweep(entrants, relative=relative, modified=modified)
    return Sensitivity(group, group.names[:n], sweep, None)


def nothing_to_sweep(kind: SweptKind | None) -> AslibError:
    """What is raised where no group can be swept."""
    who = f"two {kind}s" if kind else "two selectors or, without any, two algorithms"
    hint = (
        f"A sweep needs {who} with runtimes: see 'aslib-eval score' and --kind, or take"
        " a runtime that comes second with --measure NAME, or --measure all."
    )
    return AslibError("there is nothing to sweep", None, hint)


def delta_frame(found: Sensitivity, *, largest: float) -> pl.DataFrame:
    """Borda scores of every solver, summed over the instances, up to the largest delta.

    One row per solver and delta: exact at each value, which include all reversals
    of two solvers.
    """
    turns = [r.at for r in found.sweep.reversals if r.at <= largest]
    steps = found.sweep.breakpoints
    inside = steps[(steps > 0) & (steps < largest)]
    least = max(float(inside.min(initial=largest / 10)), largest / _SPAN)
    near = log_grid(least, largest, places=_POINTS)
    at = np.unique(np.concatenate([[0.0], near, [largest], turns]))
    scores = found.sweep.scores(at) * found.group.runs.n_instances
    return pl.DataFrame(
        {
            "solver": np.repeat(found.solvers, len(at)),
            "delta": np.tile(at, len(found.solvers)),
            "score": scores.T.ravel(),
        }
    )
