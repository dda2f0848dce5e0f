"""Scenarios and systems of Amadini et al. 2023 in a lake, and the printed numbers.

The printed numbers are those of Tables 1 and 2 and of section 2.2.

Source: Amadini, Gabbrielli, Liu, Mauro, "On the Evaluation of (Meta-)solver Approaches", Journal of
Artificial Intelligence Research 76 (2023), section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import NamedTuple

from aslib_eval.database.leases import manifests
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.reproductions.papers.published import of_table
from aslib_eval.provenance import Provenance, provenance


class Pair(NamedTuple):
    """A row of Table 1: both systems' closed gap, MZNC score, and who is faster."""

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
# Up to which delta RF leads ASAP, Figure 1 [s]; and how far the axis goes.
RF_LEADS_UP_TO = 103
LARGEST_DELTA = 3600
# Of the instances of TSP-LION2015 that VBS solves, the share that SBS solves, and the least share that RF
# solves.
OUTLIER_SBS, OUTLIER_RF = 0.9965, 0.90
# Up to how many solved instances, in ascending order, RF is never slower (Figure 2).
RF_NEVER_SLOWER = 15_000
# Name in the paper → names under which a lake may hold it, the first that is there.
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
    """An open lake, lake as the paper sees it.

    opened: the scenarios of the paper that it holds, all of them, under its preset. scenarios: name in the
    paper → id, of those on which ASAP and RF have answered; others: of those without. systems: name in the
    paper → selector that has answered all of ``scenarios``; rest: other selectors that have; partial: those
    that have not. unasked: scenarios of the paper that the lake holds and that were not asked for.
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
        """Scenarios of the paper that the lake does not hold."""
        present = {*self.scenarios, *self.others, *self.unasked}
        return [name for name in TABLE1 if name not in present]

    @property
    def alike(self) -> dict[str, str]:
        """The scenarios whose times may be pooled: those in seconds, or the other."""
        seconds = {n: key for n, key in self.scenarios.items() if n != MILLISECONDS}
        return seconds or dict(self.scenarios)


def look(lake: str | PathLike[str], *, scenarios: Sequence[str], systems: Mapping[str, str]) -> PaperLake:
    """Open a lake and find the paper's scenarios and systems in it."""
    opened = open_lake(lake, protocols=[PROTOCOL], scenarios=scenarios)
    ids = _named(opened.rows("folders_with_runs"))
    if not ids:
        hint = "It holds none of the fifteen of Table 1."
        raise AslibError("no scenario of the paper", str(lake), hint)
    opened = opened.under(scenarios=list(ids.values()))
    answers: dict[str, set[str]] = {}  # scenario → selectors with a gap
    for scenario, solver in opened.rows("answered_scenarios"):
        answers.setdefault(scenario, set()).add(solver)
    named = _systems(answers, systems)
    here = _answered(lake, ids, answers, named)
    complete = set.intersection(*(answers[key] for key in here.values()))
    playing = {name: solver for name, solver in named.items() if solver in complete}
    left = set().union(*answers.values()) - complete
    held = _with_runs(lake) if scenarios else ids
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
    """The scenarios on which ASAP and RF have answered, by their name in the paper."""
    missing = [name for name in _NEEDED if name not in systems]
    needed = {systems[name] for name in _NEEDED if name in systems}
    here = {name: key for name, key in ids.items() if needed <= answers.get(key, set())}
    if missing or not here:
        message = f"no answers of {' and '.join(missing or _NEEDED)}"
        hint = "Import them, train them, or name others: --system RF=my_forest."
        raise AslibError(message, str(lake), hint)
    return here


def _with_runs(lake: str | PathLike[str]) -> dict[str, str]:
    """Name in the paper → id, of all scenarios of the lake that have runs."""
    return _named(
        (key, manifest.get("folder", ""))
        for key, manifest in manifests(lake).items()
        if "run" in manifest["relations"]
    )


def _named(folders: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Name in the paper → id, of ids with their folders; whatever its case."""
    by_name = {name.lower(): key for key, folder in folders for name in (key, folder)}
    return {name: by_name[name.lower()] for name in TABLE1 if name.lower() in by_name}


def _systems(answers: Mapping[str, set[str]], asked: Mapping[str, str]) -> dict[str, str]:
    """Name in the paper → selector."""
    present = set().union(*answers.values())
    if unknown := sorted({*asked} - {*NAMES}):
        raise AslibError(f"the paper has no {', '.join(unknown)}", hint=f"{[*NAMES]}")
    if absent := sorted({*asked.values()} - present):
        message = f"no selector is called {', '.join(absent)}"
        raise AslibError(message, hint=f"There are {', '.join(sorted(present))}.")
    named = {}
    for name, usual in NAMES.items():
        known = [asked[name]] if name in asked else [n for n in usual if n in present]
        if known:
            named[name] = known[0]
    return named
