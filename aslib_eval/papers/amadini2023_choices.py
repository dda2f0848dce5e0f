"""What each choice of the preset changes in the mean closed gap, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aslib_eval.database.connect import connect, store
from aslib_eval.database.protocol import PRESETS
from aslib_eval.papers.amadini2023 import PROTOCOL, Lake
from aslib_eval.papers.amadini2023_tables import said
from aslib_eval.papers.parts import Head, number_table
from aslib_eval.tables.layout import Table

# What differs from the preset, one choice at a time.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "as the preset says": {},
    "features paid, presolving counts": {
        "feature_cost": "default_steps",
        "presolving": True,
    },
    "SBS of all instances, mean over folds": {"fold_aggregate": "mean"},
    "SBS of the training folds, mean over folds": {
        "sbs_scope": "train",
        "fold_aggregate": "mean",
    },
    "SBS of the test fold, mean over folds": {
        "sbs_scope": "test",
        "fold_aggregate": "mean",
    },
    "unsolvable instances kept": {"unsolvable": "keep"},
}


def choices(seen: Lake) -> Table:
    """The mean closed gap of every selector under one other choice at a time."""
    preset = PRESETS[PROTOCOL]
    variants = [
        replace(preset, protocol=name, **changed) for name, changed in VARIANTS.items()
    ]
    ids = [*seen.scenarios.values()]
    con = connect(seen.folder, protocols=variants, scenarios=ids)
    store(con)
    found = con.sql("""
        select protocol, solver, mean_of(closed_gap) from solver_gap
        where kind = 'selector' group by protocol, solver
    """).fetchall()
    by = {(protocol, solver): gap for protocol, solver, gap in found}
    solvers = [*seen.systems.values(), *seen.rest]
    rows = [[name, *(by[name, solver] for solver in solvers)] for name in VARIANTS]
    return number_table(
        [Head("", "choice"), *(Head("", solver, 3) for solver in solvers)],
        rows,
        name="choices",
        caption="The mean closed gap under one other choice at a time.",
        notes=[said(seen)],
        provenance=seen.made_of.lines(),
    )
