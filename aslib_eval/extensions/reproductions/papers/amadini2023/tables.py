"""Tables 1 and 2 of Amadini et al. 2023, printed and made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any

from aslib_eval.analysis.summaries import contributions
from aslib_eval.database.protocol import PRESETS
from aslib_eval.extensions.reproductions.papers.amadini2023.lake import (
    OUTLIER,
    PROTOCOL,
    TABLE1,
    TABLE2,
    TOTAL,
    TOTAL_WITHOUT_OUTLIER,
    Means,
    Pair,
    PaperLake,
)
from aslib_eval.extensions.reproductions.papers.reproduction import Head, best_in_columns, number_table
from aslib_eval.tables.table import PaperTable
from aslib_eval.text import plural

_PAIR = [
    Head(f"{score}, {who}", column, decimals)
    for score, decimals in (("closed gap", 4), ("MZNC", 4), ("faster", 0))
    for who in ("ASAP", "RF")
    for column in ("printed", "here")
]
_MEANS = [
    Head(score, column, decimals)
    for score, decimals in (
        ("closed gap", 4), ("speedup", 4), ("incomplete", 4), ("RMC [%]", 2)
    )
    for column in ("printed", "here")
]  # fmt: skip


def pairs(lake: PaperLake) -> dict[str, Pair]:
    """Table 1 from the lake: name of the scenario in the paper → its row."""
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    rows = lake.opened.rows("duel", {"asap": asap, "rf": rf})
    by = {(scenario, solver): rest for scenario, solver, *rest in rows}
    made = {}
    for name, key in lake.scenarios.items():
        (gap, borda, better), (other_gap, other_borda, other_better) = (
            by[key, solver] for solver in (asap, rf)
        )
        made[name] = Pair(gap, other_gap, borda, other_borda, better, other_better)
    return made


def table1(lake: PaperLake) -> PaperTable:
    """Scenario by scenario; negative gaps are bold, as printed."""
    here = pairs(lake)
    rows: list[list[Any]] = [_beside(name, printed, here.get(name)) for name, printed in TABLE1.items()]
    rows.append(_beside("Tot.", TOTAL, None))
    rows.append(_beside(f"Tot. but {OUTLIER}", TOTAL_WITHOUT_OUTLIER, None))
    printed = total([TABLE1[name] for name in here])
    rows.append(_beside(f"Tot. of the {len(here)} here", printed, total([*here.values()])))
    return number_table(
        [Head("", "scenario"), *_PAIR],
        rows,
        name="table1",
        caption="ASAP against RF, as in Table 1. MZNC: mean over the instances; "
        "faster: instances on which one costs less than the other.",
        bold=[
            (r, c)
            for r, row in enumerate(rows)
            for c, value in enumerate(row[1:5], start=1)
            if value is not None and value < 0
        ],
        notes=[f"{lake_note(lake)} Negative gaps are bold."],
        provenance=lake.made_of.lines(),
        n_summaries=3,
    )


def total(rows: list[Pair]) -> Pair:
    """The sum of rows of Table 1."""
    return Pair(*(sum(column) for column in zip(*rows, strict=True)))


def _beside(name: str, printed: Pair, here: Pair | None) -> list[Any]:
    made = here or (None,) * len(printed)
    return [name, *(v for two in zip(printed, made, strict=True) for v in two)]


def means(lake: PaperLake) -> dict[str, Means]:
    """Table 2 from the lake, over the scenarios that all have answered."""
    ids = [*lake.scenarios.values()]
    found = lake.opened.rows("mean_gaps", {"ids": ids})
    rmc: dict[str, list[float]] = {}
    for row in contributions(lake.opened).iter_rows(named=True):
        if row["kind"] == "selector" and row["scenario_id"] in ids:
            rmc.setdefault(row["solver"], []).append(row["rmc"] or 0.0)
    return {
        solver: Means(gap, speedup, incomplete, 100 * fmean(rmc[solver]))
        for _, solver, gap, speedup, incomplete in found
    }


def table2(lake: PaperLake) -> PaperTable:
    """System by system; the best of each column is bold."""
    here = means(lake)
    rows: list[list[Any]] = []
    for name, printed in TABLE2.items():
        solver = lake.systems.get(name)
        made = here[solver] if solver else (None,) * len(printed)
        rows.append([name, solver, *(v for p in zip(printed, made, strict=True) for v in p)])
    for solver in lake.rest:
        made = here[solver]
        rows.append([None, solver, *(v for value in made for v in (None, value))])
    return number_table(
        [Head("", "system"), Head("", "selector"), *_MEANS],
        rows,
        name="table2",
        caption="Means over the scenarios, as in Table 2: closed gap, speedup, "
        "incomplete score and relative marginal contribution.",
        bold=best_in_columns(rows, range(2, 10)),
        notes=[f"{lake_note(lake)} Printed: 15 scenarios."],
        provenance=lake.made_of.lines(),
    )


def implied(lake: PaperLake) -> PaperTable:
    """What the printed gaps of Table 1 and the scenarios alone say of Table 2.

    A gap, SBS and VBS give the cost, and so the speedup, without any answers.
    """
    gaps, speedups = implied_means(lake)
    n = len(speedups["ASAP"])
    rows = [
        [
            name,
            *(TABLE2[name].closed_gap, fmean(gaps[name])),
            *(TABLE2[name].speedup, fmean(speedups[name])),
        ]
        for name in gaps
    ]
    left = ", ".join(n for n in TABLE1 if n in {*lake.unasked, *lake.absent})
    without = f" Without {left}, whose runs are not here." if left else ""
    return number_table(
        [
            Head("", "system"),
            *(Head("closed gap", h, 4) for h in ("Table 2", "Table 1, mean of 15")),
            *(Head("speedup", h, 4) for h in ("Table 2", f"implied by {n} scenarios")),
        ],
        rows,
        name="implied",
        caption="What Table 1 as printed implies for Table 2.",
        notes=[f"cost = SBS - gap (SBS - VBS), speedup = VBS / cost.{without}"],
        provenance=lake.made_of.lines(),
    )


def implied_means(lake: PaperLake) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """System → printed gaps of all scenarios, and implied speedups of those here."""
    found = lake.opened.rows("baseline_costs", {"scenario": None})
    costs = {scenario: (sbs, vbs) for scenario, _, sbs, vbs, *_ in found}
    present = {**lake.scenarios, **lake.others}
    gaps = {
        "ASAP": {name: row.asap_gap for name, row in TABLE1.items()},
        "RF": {name: row.rf_gap for name, row in TABLE1.items()},
    }
    speedups: dict[str, list[float]] = {}
    for system, by_scenario in gaps.items():
        for name, key in present.items():
            sbs, vbs = costs[key]
            cost = sbs - by_scenario[name] * (sbs - vbs)
            speedups.setdefault(system, []).append(vbs / cost)
    return {system: [*by.values()] for system, by in gaps.items()}, speedups


def lake_note(lake: PaperLake) -> str:
    """What the numbers of the lake are, for a note below them."""
    ((name, digest),) = lake.made_of.protocols.items()
    return f"Here: protocol {name}@{digest}, {plural(len(lake.scenarios), 'scenario')}."


# What differs from the preset, one choice at a time.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "as the preset says": {},
    "features paid, presolving counts": {"feature_cost": "default_steps", "presolving": True},
    "SBS of all instances, mean over folds": {"fold_aggregate": "mean"},
    "SBS of the training folds, mean over folds": {"sbs_scope": "train", "fold_aggregate": "mean"},
    "SBS of the test fold, mean over folds": {"sbs_scope": "test", "fold_aggregate": "mean"},
    "unsolvable instances kept": {"unsolvable": "keep"},
}


def choices(lake: PaperLake) -> PaperTable:
    """The mean closed gap of every selector under one other choice at a time."""
    preset = PRESETS[PROTOCOL]
    variants = [replace(preset, protocol=name, **changed) for name, changed in VARIANTS.items()]
    ids = [*lake.scenarios.values()]
    varied = lake.opened.under(protocols=variants, scenarios=ids)
    gaps = varied.rows("mean_gaps", {"ids": None})
    by = {(protocol, solver): gap for protocol, solver, gap, *_ in gaps}
    solvers = [*lake.systems.values(), *lake.rest]
    rows = [[name, *(by[name, solver] for solver in solvers)] for name in VARIANTS]
    return number_table(
        [Head("", "choice"), *(Head("", solver, 3) for solver in solvers)],
        rows,
        name="choices",
        caption="The mean closed gap under one other choice at a time.",
        notes=[lake_note(lake)],
        provenance=lake.made_of.lines(),
    )
