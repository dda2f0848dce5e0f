"""Charts of the report's page for a paper: name → the numbers, and the chart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.analysis import scenario_results as reading
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.papers.catalogue import SCENARIO_CHARTS
from aslib_eval.reports.index_page import Entry, rooms
from aslib_eval.reports.leaderboard import suite
from aslib_eval.reports.scenario_page import title_of
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.reports.sections.anytime import anytime
from aslib_eval.reports.sections.definitions import definitions
from aslib_eval.reports.sections.features import features
from aslib_eval.reports.sections.folds import folds
from aslib_eval.reports.sections.selectors import selectors
from aslib_eval.reports.sections.similarity import similarity
from aslib_eval.reports.sections.sweeps import sweeps
from aslib_eval.text import list_names

if TYPE_CHECKING:
    import duckdb
    import polars as pl

Spec = Mapping[str, Any]
Charts = dict[str, Any]
Opened = tuple["duckdb.DuckDBPyConnection", Mapping[str, "pl.DataFrame"]]
_SWEEP = "a runtime, and two selectors or algorithms with a cost on every instance"
_TESTED = "selectors, and enough instances for the test"
_RANKED = "two selectors, or two algorithms, that every preset can rank"
_ALIKE = "three algorithms with a cost on each of three instances"
# Chart → the section that makes it, and what this asks of the lake.
_OF_SCENARIO: Mapping[str, tuple[Callable[[ScenarioResults, Charts], Any], str]] = {
    "bump": (selectors, "two selectors with scores"),
    "waterfall": (selectors, "selectors with a closed gap whose answers are known"),
    "against-sbs": (selectors, _TESTED),
    "definitions-gap": (definitions, _RANKED),
    "definitions-like": (definitions, _RANKED),
    "definitions-tau": (definitions, _RANKED),
    "sweep-delta": (sweeps, _SWEEP),
    "sweep-penalty": (sweeps, _SWEEP),
    "sweep-cutoff": (sweeps, _SWEEP),
    "fold-gaps": (folds, "selectors with a closed gap on a fold"),
    "heatmap": (similarity, _ALIKE),
    "tree": (similarity, _ALIKE),
    "step-costs": (features, "feature steps with a cost above 0"),
    "missing": (features, "features with missing values"),
    "anytime": (anytime, "trajectories with times and values"),
}
_OF_SUITE = {
    "suite-tau": f"{_RANKED}, in one scenario at least",
    "suite-ranks": "two selectors with scores on as many scenarios",
    "suite-gaps": "selectors with a closed gap",
    "rooms": "a scenario whose SBS costs as much as VBS, or more",
}
# These take every preset, or the tests, which the others can do without.
_WHOLE = {"against-sbs", "definitions-gap", "definitions-like", "definitions-tau"}


@dataclass(frozen=True, eq=False)
class Pages:
    """What the pages of an open lake show; it is read when a chart is asked for.

    con: the lake under one protocol. whole: opens it anew, with every preset and test.
    """

    con: duckdb.DuckDBPyConnection
    lake: Path
    whole: Callable[[], Opened]
    made: dict[tuple[Callable[..., Any], bool], Charts] = field(default_factory=dict)

    def spec(self, name: str) -> Spec:
        """The chart as the page draws it.

        Raises AslibError if the lake has not what it shows, or has several scenarios or
        measures where the chart is of one.
        """
        if name in SCENARIO_CHARTS:
            section, asks = _OF_SCENARIO[name]
            charts, where = self._charts(section, name), self._facts[0].scenario_id
        else:
            charts = self._agreement if name == "suite-tau" else self._suite
            asks, where = _OF_SUITE[name], "the lake"
        if name not in charts:
            raise AslibError(f"{where} has no such chart, which takes {asks}", name)
        found: Spec = charts[name]
        return found

    @cached_property
    def _facts(self) -> list[ScenarioResults]:
        return list(reading.scenarios(self.con, self.lake, reading.read(self.con)))

    @cached_property
    def _whole_facts(self) -> list[ScenarioResults]:
        con, frames = self.whole()
        return list(reading.scenarios(con, self.lake, frames))

    def _charts(
        self, section: Callable[[ScenarioResults, Charts], Any], name: str
    ) -> Charts:
        """The charts of a section of the one scenario there is; it is made once."""
        titles = [title_of(facts) for facts in self._facts]
        if len(titles) != 1:
            what = f"it shows one scenario, these are {len(titles)}"
            some = list_names(titles, most=5)
            hint = 'Write scenarios = ["NAME"], and a protocol of one measure.'
            raise AslibError(f"{what}: {some or 'none'}", name, hint)
        key = section, name in _WHOLE
        if key not in self.made:
            self.made[key] = {}
            facts = self._whole_facts if name in _WHOLE else self._facts
            section(facts[0], self.made[key])
        return self.made[key]

    @cached_property
    def _suite(self) -> Charts:
        charts: Charts = {}
        entries = _entries(self._facts)
        suite(entries, reading.suite(self.con), _protocol(entries), charts)
        rooms(entries, charts)
        return charts

    @cached_property
    def _agreement(self) -> Charts:
        charts: Charts = {}
        entries = _entries(self._whole_facts)
        agreement(entries, _protocol(entries), charts)
        return charts


def _entries(found: Sequence[ScenarioResults]) -> list[Entry]:
    return [Entry.of(facts, title_of(facts), "") for facts in found]


def _protocol(entries: Sequence[Entry]) -> str:
    return entries[0].protocol if entries else ""


def shown(spec: Spec) -> pl.DataFrame:
    """What a chart shows: one row per point or box, ``of`` (whose it is) and ``at``.

    It is of the mark's name; if that has none, of the row's name, or of the whole.
    """
    import polars as pl

    rows = [row for mark in spec["marks"] for row in _rows(mark, spec)]
    return pl.DataFrame(rows, schema=["of", "at"], orient="row")


def _rows(mark: Spec, spec: Spec) -> Iterator[tuple[str, str]]:
    own = mark.get("name") or mark.get("label") or ""
    if mark["type"] == "rule":
        yield own or "rule", json.dumps([mark.get("x"), mark.get("y")])
    for x, y, *_ in mark.get("points", ()):
        yield own or _row_name(spec, y), json.dumps([x, y])
    for box in mark.get("boxes", ()):
        x0, x1, y0, y1, _, color, opacity = [*box, None, None, None][:7]
        at = json.dumps([x0, x1, y0, y1, color, opacity])
        yield own or _row_name(spec, (y0 + y1) / 2), at
    for x, y, text, *_ in mark.get("items", ()):
        yield own or str(text), json.dumps([x, y, text])


def _row_name(spec: Spec, y: float | None) -> str:
    """The name that stands beside a row; of a chart without names its title."""
    if spec["y"]["kind"] != "band" or y is None:
        return str(spec["title"])
    names = spec["y"]["names"]
    return str(names[min(max(round(y), 0), len(names) - 1)])
