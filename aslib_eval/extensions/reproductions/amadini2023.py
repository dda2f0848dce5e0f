"""Amadini et al. 2023, section 2: Tables 1 and 2 and Figures 1 to 4 from a lake, beside printed values.

Source: Amadini, Gabbrielli, Liu, Mauro, "On the Evaluation of (Meta-)solver Approaches", Journal of
Artificial Intelligence Research 76 (2023), section 2.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from os import PathLike
from statistics import fmean
from typing import Annotated, Any, NamedTuple

import numpy as np

from aslib_eval.analysis.objectives import Sensitivity, delta_frame, pooled_delta
from aslib_eval.analysis.results import solved_times, time_unit
from aslib_eval.analysis.summaries import contributions
from aslib_eval.database.open_lake import OpenLake, manifests, open_lake
from aslib_eval.database.protocol import PRESETS
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.reproductions.published import (
    Claim,
    Figure,
    Head,
    Paper,
    best_in_columns,
    number_table,
    of_table,
)
from aslib_eval.figures.gaps import delta_curves, runtime_distribution
from aslib_eval.metrics.sweeps import Reversal
from aslib_eval.options import Lake, Option, Scenarios, public
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.tables.paper_table import PaperTable
from aslib_eval.text import plural, significant, with_unit


class Pair(NamedTuple):
    """A row of Table 1: closed gap, MZNC score and faster instances of both systems."""

    asap_gap: float
    rf_gap: float
    asap_borda: float
    rf_borda: float
    asap_better: float
    rf_better: float


class Means(NamedTuple):
    """A row of Table 2: means over the scenarios; RMC in percent."""

    closed_gap: float
    speedup: float
    incomplete: float
    rmc: float


def _table1() -> dict[str, Pair]:
    """Its rows; published.csv has the three numbers of ASAP before those of RF."""
    rows: dict[str, list[float]] = {}
    for number in of_table("amadini2023", "Table 1"):
        rows.setdefault(number.scenario, []).append(number.printed.value)
    return {scenario: Pair(*chain(*zip(row[:3], row[3:], strict=True))) for scenario, row in rows.items()}


TABLE1: Mapping[str, Pair] = _table1()
TOTAL = Pair(9.3077, -18.1438, 29.4777, 40.0622, 3618, 11983)
OUTLIER = "TSP-LION2015"
TOTAL_WITHOUT_OUTLIER = Pair(8.9036, 1.0131, 27.0425, 37.3642, 2503, 10034)
TABLE2: Mapping[str, Means] = {
    "ASAP": Means(0.6205, 0.1137, 0.4619, 11.4606),
    "sunny-as2": Means(0.5126, 0.1061, 0.6591, 12.6824),
    "SUNNY-original": Means(0.4893, 0.0878, 0.6303, 8.5392),
    "autofolio": Means(0.4686, 0.0927, 0.6755, 10.1789),
    "RF-reg": Means(0.4090, 0.0842, 0.6589, 28.3729),
    "*Zilla": Means(0.2169, 0.0734, 0.5770, 12.3025),
    "RF": Means(-1.2096, 0.0492, 0.7108, 16.4635),
}
# All others are in seconds.
MILLISECONDS = "GRAPHS-2015"
# The largest delta where RF leads ASAP, Figure 1 [s]; and the end of the axis.
RF_LEADS_UP_TO = 103
LARGEST_DELTA = 3600
# Shares of the instances of TSP-LION2015 solved by VBS: those of SBS, and the least of RF.
OUTLIER_SBS, OUTLIER_RF = 0.9965, 0.90
# Number of solved instances, in ascending order, where RF is never slower (Figure 2).
RF_NEVER_SLOWER = 15_000
# Name in the paper → possible names in a lake; the first one found counts.
NAMES: Mapping[str, tuple[str, ...]] = {
    "ASAP": ("ASAP", "asap", "asap-v2"),
    "sunny-as2": ("sunny-as2", "sunny_as2"),
    "SUNNY-original": ("SUNNY-original", "sunny-original", "sunny", "SUNNY"),
    "autofolio": ("autofolio", "AutoFolio"),
    "RF-reg": ("RF-reg", "rf-reg", "rf_reg", "rfreg"),
    "*Zilla": ("*Zilla", "zilla", "Zilla"),
    "RF": ("RF", "rf"),
}


PROTOCOL = "amadini2023"
_NEEDED = ("ASAP", "RF")


@dataclass(frozen=True)
class PaperLake:
    """The scenarios and selectors of the paper in a lake.

    opened: all scenarios of the paper, under its preset. scenarios: name in the paper → id, where ASAP and
    RF have answered; others: where they have not. systems: name in the paper → selector that has answered
    all of ``scenarios``; rest: other such selectors; partial: selectors that lack answers. unasked:
    scenarios of the paper in the lake that were not asked for.
    """

    opened: OpenLake
    scenarios: Mapping[str, str]
    others: Mapping[str, str]
    systems: Mapping[str, str]
    rest: Sequence[str]
    partial: Sequence[str]
    unasked: Sequence[str]
    made_of: Provenance

    @property
    def absent(self) -> list[str]:
        """Scenarios of the paper that the lake lacks."""
        present = {*self.scenarios, *self.others, *self.unasked}
        return [name for name in TABLE1 if name not in present]

    @property
    def alike(self) -> dict[str, str]:
        """The scenarios with times in one unit: those in seconds, or the other."""
        seconds = {n: key for n, key in self.scenarios.items() if n != MILLISECONDS}
        return seconds or dict(self.scenarios)


def look(lake: str | PathLike[str], *, scenarios: Sequence[str], systems: Mapping[str, str]) -> PaperLake:
    """Open a lake and find the paper's scenarios and systems in it."""
    opened = open_lake(lake, protocols=[PROTOCOL], scenarios=scenarios)
    ids = _named(opened.rows("folders_with_runs"))
    if not ids:
        raise AslibError("has none of the fifteen scenarios of Table 1", str(lake), "Import some of them.")
    opened = opened.under(scenarios=list(ids.values()))
    answers: dict[str, set[str]] = {}  # scenario → selectors with a gap
    for scenario, solver in opened.rows("answered_scenarios"):
        answers.setdefault(scenario, set()).add(solver)
    named = _systems(answers, systems)
    here = _answered(lake, ids, answers, named)
    complete = set.intersection(*(answers[key] for key in here.values()))
    playing = {name: solver for name, solver in named.items() if solver in complete}
    left = set().union(*answers.values()) - complete
    held = ids
    if scenarios:
        held = _named(
            (key, manifest.get("folder", ""))
            for key, manifest in manifests(lake).items()
            if "run" in manifest["relations"]
        )
    return PaperLake(
        opened=opened,
        scenarios=here,
        others={name: key for name, key in ids.items() if name not in here},
        systems=playing,
        rest=sorted(complete - {*playing.values()}),
        partial=sorted(left),
        unasked=[name for name in held if name not in ids],
        made_of=provenance(opened),
    )


def _answered(
    lake: str | PathLike[str],
    ids: Mapping[str, str],
    answers: Mapping[str, set[str]],
    systems: Mapping[str, str],
) -> dict[str, str]:
    missing = [name for name in _NEEDED if name not in systems]
    needed = {systems[name] for name in _NEEDED if name in systems}
    here = {name: key for name, key in ids.items() if needed <= answers.get(key, set())}
    if missing or not here:
        hint = "Import them, train them, or name others: --system RF=my_forest."
        raise AslibError(f"has no answers of {' and '.join(missing or _NEEDED)}", str(lake), hint)
    return here


def _named(folders: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Name in the paper → id. folders: ids and folders of scenarios."""
    by_name = {name.lower(): key for key, folder in folders for name in (key, folder)}
    return {name: by_name[name.lower()] for name in TABLE1 if name.lower() in by_name}


def _systems(answers: Mapping[str, set[str]], asked: Mapping[str, str]) -> dict[str, str]:
    present = set().union(*answers.values())
    if unknown := sorted({*asked} - {*NAMES}):
        raise AslibError(f"the paper has no {', '.join(unknown)}", hint=f"It has {', '.join(NAMES)}.")
    if absent := sorted({*asked.values()} - present):
        hint = f"The lake has {', '.join(sorted(present))}."
        raise AslibError(f"no selector is called {', '.join(absent)}", hint=hint)
    named = {}
    for name, usual in NAMES.items():
        known = [asked[name]] if name in asked else [n for n in usual if n in present]
        if known:
            named[name] = known[0]
    return named


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
        [
            Head("", "scenario"),
            *(
                Head(f"{score}, {who}", column, decimals)
                for score, decimals in (("closed gap", 4), ("MZNC", 4), ("faster", 0))
                for who in ("ASAP", "RF")
                for column in ("printed", "here")
            ),
        ],
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


def total(rows: Sequence[Pair]) -> Pair:
    """The sum of rows of Table 1."""
    return Pair(*map(sum, zip(*rows, strict=True)))


def _beside(name: str, printed: Pair, here: Pair | None) -> list[Any]:
    made = here or (None,) * len(printed)
    return [name, *(v for two in zip(printed, made, strict=True) for v in two)]


def means(lake: PaperLake) -> dict[str, Means]:
    """Table 2 from the lake: selector → means over the scenarios."""
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
        [
            *(Head("", "system"), Head("", "selector")),
            *(
                Head(score, column, 2 if score == "RMC [%]" else 4)
                for score in ("closed gap", "speedup", "incomplete", "RMC [%]")
                for column in ("printed", "here")
            ),
        ],
        rows,
        name="table2",
        caption="Means over the scenarios, as in Table 2: closed gap, speedup, "
        "incomplete score and relative marginal contribution.",
        bold=best_in_columns(rows, range(2, 10)),
        notes=[f"{lake_note(lake)} Printed: 15 scenarios."],
        provenance=lake.made_of.lines(),
    )


def implied(lake: PaperLake) -> PaperTable:
    """The means that the printed gaps of Table 1 imply for Table 2, without any answers.

    A gap, SBS and VBS give the cost, and so the speedup.
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
    """System → printed gaps of all scenarios; system → implied speedups of the scenarios here."""
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
    """Protocol and number of scenarios, for a note below a table."""
    ((name, digest),) = lake.made_of.protocols.items()
    return f"Here: protocol {name}@{digest}, {plural(len(lake.scenarios), 'scenario')}."


# Changes of the preset, one choice at a time.
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
    gaps = lake.opened.under(protocols=variants, scenarios=ids).rows("mean_gaps", {"ids": None})
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


class Sweeps(NamedTuple):
    """Borda over delta, with the instances of several scenarios pooled.

    plain, modified: the original and the modified score of the scenarios in one unit. alone, mixed: the
    original score of the scenario in another unit, and of all scenarios; None if all have one unit.
    """

    plain: Sensitivity
    modified: Sensitivity
    alone: Sensitivity | None = None
    mixed: Sensitivity | None = None


def sweeps(lake: PaperLake) -> Sweeps:
    """Sweep the scenarios in one unit, and the scenario in another unit if it is here."""
    alike = _opened(lake, lake.alike)
    plain, modified = (pooled_delta(alike, modified=modified) for modified in (False, True))
    if len(lake.alike) == len(lake.scenarios):
        return Sweeps(plain, modified)
    other = {name: key for name, key in lake.scenarios.items() if name not in lake.alike}
    alone, mixed = (pooled_delta(_opened(lake, names)) for names in (other, lake.scenarios))
    return Sweeps(plain, modified, alone, mixed)


def _opened(lake: PaperLake, names: Mapping[str, str]) -> OpenLake:
    if len(names) == len(lake.scenarios) + len(lake.others):
        return lake.opened
    return lake.opened.under(scenarios=[glob.escape(key) for key in names.values()])


def crossings(sweep: Sensitivity, one: str, other: str, largest: float = LARGEST_DELTA) -> list[Reversal]:
    """Every change of places of two selectors up to the largest delta."""
    both = {one, other}
    return [
        r
        for r in sweep.sweep.reversals
        if {sweep.solvers[r.before], sweep.solvers[r.after]} == both and r.at <= largest
    ]


def all_figures(lake: PaperLake, sweeps: Sweeps) -> tuple[Figure, ...]:
    """The four figures, for scenarios in one unit; a system looks alike in all of them."""
    asap, rf, reg = (lake.systems.get(name) for name in ("ASAP", "RF", "RF-reg"))
    plain, modified, *_ = sweeps
    systems = sorted({*plain.solvers, *lake.systems.values()})
    places = {name: place for place, name in enumerate(systems)}
    both = str(asap), str(rf)
    unit = time_unit(lake.opened, [*lake.alike.values()])
    borda, own = "Figure 1: Borda count over δ", "Figure 3: modified Borda over δ"
    made = [
        _deltas("figure1", borda, plain, both, places, unit),
        _runtimes("figure2", "Figure 2: ASAP and RF", lake, both, places),
        _deltas("figure3", own, modified, both, places, unit),
    ]
    if reg is not None:
        title, two = "Figure 4: ASAP and RF-reg", (str(asap), reg)
        made.append(_runtimes("figure4", title, lake, two, places))
    return tuple(made)


def _deltas(
    name: str, title: str, sweep: Sensitivity, pair: tuple[str, str], places: Mapping[str, int], unit: str
) -> Figure:
    deltas = [turn.at for turn in crossings(sweep, *pair)]
    caption = f"{title}, {sweep.group.runs.n_instances} instances"
    if deltas:
        turn = significant(deltas[0], 6)
        caption += f"; {pair[0]} and {pair[1]} change places at δ = {turn}"
    chart = delta_curves(
        delta_frame(sweep, largest=LARGEST_DELTA),
        crossing=deltas[0] if deltas else None,
        label=with_unit("δ", unit),
        title=title,
        places=places,
    )
    return Figure(name, f"{caption}.", chart)


def _runtimes(
    name: str, title: str, lake: PaperLake, pair: tuple[str, str], places: Mapping[str, int]
) -> Figure:
    runs = solved_times(lake.opened, pair, scenarios=[*lake.alike.values()])
    counts = {solver: (runs["solver"] == solver).sum() for solver in pair}
    words = ", ".join(f"{solver} solves {n}" for solver, n in counts.items())
    unit = time_unit(lake.opened, [*lake.alike.values()])
    chart = runtime_distribution(runs, title=title, unit=unit, places=places)
    return Figure(name, f"{title}: runtimes of solved instances; {words}.", chart)


def all_claims(lake: PaperLake, sweeps: Sweeps) -> tuple[Claim, ...]:
    """Every finding of the paper beside the result of the lake."""
    return (
        *_reversal(lake),
        _faster(lake),
        _crossing(lake, sweeps),
        *_stability(lake, sweeps.plain, sweeps.modified),
        _distribution(lake),
        *outlier_claims(lake),
    )


def _reversal(lake: PaperLake) -> list[Claim]:
    gap = {solver: row.closed_gap for solver, row in means(lake).items()}
    borda = dict(lake.opened.rows("mean_borda", {"ids": [*lake.scenarios.values()]}))
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    ahead = gap[asap] > gap[rf]
    behind = borda[asap] < borda[rf]
    return [
        Claim(
            "Mean closed gap: ASAP is first and RF last.",
            "ASAP 0.6205, RF -1.2096",
            _places(gap, asap, rf),
            _first_and_last(gap, asap, rf),
        ),
        Claim(
            "Mean MZNC score: RF is first and ASAP last.",
            "RF 2.6708, ASAP 1.9652",
            _places(borda, rf, asap),
            _first_and_last(borda, rf, asap),
        ),
        Claim(
            "The two metrics put ASAP and RF in opposite orders.",
            "ASAP by gap, RF by MZNC",
            f"{asap if ahead else rf} by gap, {rf if behind else asap} by MZNC",
            ahead and behind,
        ),
    ]


def _places(scores: Mapping[str, float], *names: str) -> str:
    order = sorted(scores, key=lambda name: -scores[name])
    return ", ".join(
        f"{name} {scores[name]:.4f} (place {order.index(name) + 1} of {len(order)})" for name in names
    )


def _first_and_last(scores: Mapping[str, float], first: str, last: str) -> bool:
    values = scores.values()
    return scores[first] == max(values) and scores[last] == min(values)


def _faster(lake: PaperLake) -> Claim:
    rows = pairs(lake).values()
    more = sum(row.rf_better > row.asap_better for row in rows)
    rf, asap = sum(row.rf_better for row in rows), sum(row.asap_better for row in rows)
    return Claim(
        "RF is faster than ASAP on more instances in every scenario.",
        f"15 of {len(TABLE1)} scenarios; 11983 instances against 3618",
        f"{more} of {plural(len(rows), 'scenario')}; {rf} instances against {asap}",
        more == len(rows),
    )


def _crossing(lake: PaperLake, sweeps: Sweeps) -> Claim:
    """The largest delta where RF leads, for scenarios in one unit and for all."""
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    turns = crossings(sweeps.plain, asap, rf)
    here = _places_change(sweeps.plain, asap, rf)
    if sweeps.alone is not None and sweeps.mixed is not None:
        apart = 1000 * LARGEST_DELTA
        here = (
            f"without {MILLISECONDS}, in seconds: {here}; {MILLISECONDS}, in "
            f"milliseconds: {_places_change(sweeps.alone, asap, rf, apart)}; "
            f"pooled whatever the unit: {_places_change(sweeps.mixed, asap, rf)}"
        )
    return Claim(
        "RF leads ASAP by Borda up to some δ, ASAP beyond it.",
        f"RF leads for δ up to {RF_LEADS_UP_TO}",
        here,
        [sweeps.plain.solvers[turn.before] for turn in turns] == [rf],
    )


def _places_change(sweep: Sensitivity, asap: str, rf: str, largest: float = LARGEST_DELTA) -> str:
    turns = ", ".join(significant(turn.at, 6) for turn in crossings(sweep, asap, rf, largest))
    words = f"change places at δ = {turns}" if turns else "never change places"
    return f"they {words} ({sweep.group.runs.n_instances} instances)"


def _stability(lake: PaperLake, plain: Sensitivity, modified: Sensitivity) -> list[Claim]:
    counts = [sum(r.at <= LARGEST_DELTA for r in sweep.sweep.reversals) for sweep in (plain, modified)]
    two = lake.systems["ASAP"], lake.systems["RF"]
    own = [len(crossings(sweep, *two)) for sweep in (plain, modified)]
    words = "Figure 3 against Figure 1"
    return [
        Claim(
            "With the modified score the ranking is more stable.",
            words,
            f"{counts[1]} changes of places instead of {counts[0]} for δ up to {LARGEST_DELTA}",
            _fewer(counts),
        ),
        Claim(
            "With the modified score ASAP and RF change places less often.",
            words,
            f"{plural(own[1], 'change')} of places instead of {own[0]}",
            _fewer(own),
        ),
    ]


def _fewer(counts: Sequence[int]) -> bool | None:
    """Whether the second count is smaller; None if both are 0."""
    before, after = counts
    return after < before if before or after else None


def _distribution(lake: PaperLake) -> Claim:
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    runs = solved_times(lake.opened, (asap, rf), scenarios=[*lake.alike.values()])
    times = [np.sort(runs.filter(runs["solver"] == s)["time"].to_numpy()) for s in (asap, rf)]
    shared = min(map(len, times))
    slower = np.flatnonzero(times[1][:shared] > times[0][:shared])
    upto = int(slower[0]) if slower.size else shared
    return Claim(
        "ASAP solves more instances, but RF is faster on most that it solves.",
        f"in ascending order RF is never slower for about {RF_NEVER_SLOWER} instances",
        f"ASAP solves {len(times[0])}, RF {len(times[1])}; RF is slower first at "
        f"instance {upto + 1}, and at {slower.size} of {shared}",
        len(times[0]) > len(times[1]) and 2 * slower.size < shared,
    )


def all_remarks(lake: PaperLake) -> tuple[str, ...]:
    """Reasons why the numbers differ from the printed ones."""
    names = ", ".join(f"{name}: {solver}" for name, solver in lake.systems.items())
    more = f", among them {', '.join(lake.rest)}" if lake.rest else ""
    added = total([*TABLE1.values()])
    remarks = [
        (
            f"Selectors are other implementations of the same ideas ({names}); the answers behind "
            "the printed numbers were never published."
        ),
        (
            "MZNC and RMC depend on the systems at hand, "
            f"here {len(lake.systems) + len(lake.rest)}{more}. The printed MZNC scores come from six "
            "systems; Table 2 has seven. Two systems with equal answers take each other's marginal "
            "contribution."
        ),
        (
            "The table of choices shows the effect of feature costs, presolving, the scope of SBS "
            "and unsolvable instances, each alone."
        ),
        (
            "The preset follows the paper's own figures: it pools gaps over the instances of a "
            "scenario, takes SBS of all instances, charges no feature costs and leaves out "
            "unsolved instances."
        ),
        (
            "The printed MZNC scores of the scenarios do not add up to the printed totals: "
            f"ASAP {added.asap_borda:.4f} instead of {TOTAL.asap_borda}, "
            f"RF {added.rf_borda:.4f} instead of {TOTAL.rf_borda}."
        ),
    ]
    for text, left_out in (
        ("Left out, without answers of ASAP and RF", lake.others),
        ("Left out, without answers on all of these scenarios", lake.partial),
        ("Left out, in the lake but not asked for", lake.unasked),
        ("Without runs in the lake", lake.absent),
    ):
        if left_out:
            remarks.append(f"{text}: {', '.join(left_out)}.")
    if len(lake.alike) < len(lake.scenarios):
        remarks.append(
            f"{MILLISECONDS} is measured in milliseconds, so the same δ is a thousandth of the "
            "others: Figures 1 to 4 and the findings on δ and on runtimes leave it out."
        )
    if (outlier := _outlier(lake)) is not None:
        found = lake.opened.rows("sbs_share_solved", {"scenario": outlier})
        ((_, share, n_vbs, every, any_, repetitions),) = found
        if not _printed_share(share):
            remarks.append(
                f"{OUTLIER} has {plural(repetitions, 'repetition')} of each run. No reading of them gives"
                f" the printed {OUTLIER_SBS:.2%} ({round(OUTLIER_SBS * n_vbs)} of {n_vbs} instances that"
                f" VBS solves): SBS solves {share:.2%} under the preset, {every:.2%} if every repetition"
                f" counts, {any_:.2%} if one is enough. The paper does not explain its share."
            )
    return tuple(remarks)


def _outlier(lake: PaperLake) -> str | None:
    """The id of the outlier, if it was asked for and is there."""
    return {**lake.scenarios, **lake.others}.get(OUTLIER)


def outlier_claims(lake: PaperLake) -> list[Claim]:
    """How close SBS is to VBS on the outlier, and the effect on a gap."""
    scenario = _outlier(lake)
    if scenario is None:
        text, words = f"RF's fall on {OUTLIER}.", "closed gap -19.1569"
        asked = OUTLIER not in lake.unasked
        why = "its runs are not in the lake" if asked else "it was not asked for"
        return [Claim(text, words, why, None)]
    ((_, share, n_vbs, *_),) = lake.opened.rows("sbs_share_solved", {"scenario": scenario})
    row = pairs(lake).get(OUTLIER)
    return [
        Claim(
            f"On {OUTLIER} SBS solves nearly all that VBS solves.",
            f"{OUTLIER_SBS:.2%}",
            f"{share:.2%}, {round(share * n_vbs)} of {n_vbs} instances",
            _printed_share(share),
        ),
        _loss(lake, scenario),
        Claim(
            f"RF is far below SBS on {OUTLIER}.",
            f"RF {TABLE1[OUTLIER].rf_gap}",
            "no answers of ASAP and RF in the lake"
            if row is None
            else f"RF {row.rf_gap:.4f}, ASAP {row.asap_gap:.4f}",
            None if row is None else row.rf_gap < 0,
        ),
    ]


def _printed_share(share: float) -> bool:
    return round(share, 4) == OUTLIER_SBS


def _loss(lake: PaperLake, scenario: str) -> Claim:
    """The least share of instances that RF must have solved for the printed gap.

    It follows if each lost instance costs k times the cutoff, and all others nothing.
    """
    ((_, _, sbs, vbs, n, cutoff),) = lake.opened.rows("baseline_costs", {"scenario": scenario})
    gap = TABLE1[OUTLIER].rf_gap
    cost = sbs - gap * (sbs - vbs)
    most = cost / (PRESETS[PROTOCOL].penalty * cutoff)
    points = PRESETS[PROTOCOL].penalty * cutoff / n / (sbs - vbs)
    return Claim(
        f"On {OUTLIER} a gap of {gap} leaves room for more than 90 % solved.",
        f"more than {OUTLIER_RF:.0%} solved",
        f"an instance lost costs {points:.3f} points of the gap, as SBS - VBS is only "
        f"{sbs - vbs:.1f} of {significant(cutoff, 6)}; the gap means at least "
        f"{1 - most:.1%} solved",
        1 - most > OUTLIER_RF,
    )


TITLE = "On the Evaluation of (Meta-)solver Approaches, made again"


@public
def amadini2023(
    lake: Lake,
    *,
    scenarios: Scenarios = (),
    systems: Annotated[
        Mapping[str, str] | Sequence[str],
        Option(
            "Use this selector of the lake as a system of the paper, such as RF=my_forest.",
            flags="--system",
            metavar="NAME=SELECTOR",
        ),
    ] = (),
) -> Paper:
    """Make the paper's tables and figures again, from the selections in a lake.

    systems: name in the paper (ASAP, RF, RF-reg ...) → selector of the lake; default: by their usual names.
    Only scenarios of the paper count.
    """
    opened = look(lake, scenarios=scenarios, systems=_selectors(systems))
    swept = sweeps(opened)
    return Paper(
        name=PROTOCOL,
        title=TITLE,
        tables=(table1(opened), table2(opened), implied(opened), choices(opened)),
        figures=all_figures(opened, swept),
        claims=all_claims(opened, swept),
        remarks=all_remarks(opened),
        provenance=opened.made_of.lines(),
    )


def _selectors(systems: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    if isinstance(systems, Mapping):
        return systems
    pairs = [text.partition("=")[::2] for text in systems]
    for text, pair in zip(systems, pairs, strict=True):
        if not all(pair):
            raise OptionError(f"--system {text}: write NAME=SELECTOR")
    return dict(pairs)
