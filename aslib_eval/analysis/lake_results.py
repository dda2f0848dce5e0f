"""Results over all scenarios of an open lake for figures, computed on first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

import polars as pl

from aslib_eval.analysis.compare import Comparison, compare
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.delta import delta_frame, pooled_delta
from aslib_eval.analysis.scenario_results import (
    ScenarioResults,
    page_frames,
    places_of,
    read,
    scenarios_of,
    selectors_of,
)
from aslib_eval.analysis.suite_results import ScenarioLine, SuiteResults, read_aggregates
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.text import list_names

_LARGEST = 3600.0


@dataclass(frozen=True, eq=False)
class LakeResults:
    """Results of an open lake under its protocols."""

    lake: OpenLake

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each selector of the lake stands for its colour in all figures."""
        return places_of(selectors_of(self.lake.path))

    @cached_property
    def scenarios(self) -> list[ScenarioResults]:
        """Results of each scenario and measure."""
        return list(scenarios_of(self.lake, read(self.lake)))

    @cached_property
    def complete_scenarios(self) -> list[ScenarioResults]:
        """The same under the first protocol, with every preset and test."""
        lake = self.lake.under(protocols=self.lake.protocols[:1])
        return list(scenarios_of(lake, page_frames(lake)))

    @cached_property
    def suite(self) -> SuiteResults:
        """Results over all scenarios."""
        lines = [ScenarioLine.of(results) for results in self.scenarios]
        return SuiteResults(lines, read_aggregates(self.lake))

    @cached_property
    def complete_suite(self) -> SuiteResults:
        """Results over all scenarios, with every preset."""
        lines = [ScenarioLine.of(results) for results in self.complete_scenarios]
        return SuiteResults(lines, read_aggregates(self.lake))

    @property
    def unsolved(self) -> bool:
        """True for runtime measures without any solved instance."""
        return self.lake.rows("nobody_solves") == [(True,)]

    @property
    def delta_is_relative(self) -> bool:
        """Whether the protocol's delta is a share of the smaller time."""
        return self.lake.protocols[0].borda_delta_kind == "relative"

    def delta_curves(self, *, modified: bool) -> pl.DataFrame:
        """Borda scores of the selectors over delta, see ``delta_frame``."""
        found = pooled_delta(self.lake, modified=modified)
        return delta_frame(found, largest=_LARGEST)

    @property
    def time_unit(self) -> str:
        """The unit of all times, see ``time_unit``."""
        return time_unit(self.lake)

    def solved_times(self, solvers: Sequence[str]) -> pl.DataFrame:
        """Times of the instances that some solvers solve, see ``solved_times``."""
        return solved_times(self.lake, solvers)

    def selector_ranks(self) -> Comparison:
        """The selectors compared by closed gap, a scenario as the unit."""
        question = Question(metric="closed_gap", unit="scenarios", kind="selector")
        return compare(self.lake, question)


def time_unit(lake: OpenLake, scenarios: Sequence[str] | None = None) -> str:
    """The unit of all times: nothing where none is stated, of several that.

    scenarios: ids; None means all.
    """
    found = lake.rows("select scenario_id, time_unit from raw_scenario")
    units = {u for name, u in found if scenarios is None or name in scenarios}
    return units.pop() or "" if len(units) == 1 else "each scenario's own"


def matching(globs: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names that globs match, in the order of the globs, each once.

    A glob that is a name means that one alone; one that matches nothing stays.
    """
    names = list(dict.fromkeys(known))
    found: list[str] = []
    for glob in globs:
        own = [glob] if glob in names else [n for n in names if fnmatchcase(n, glob)]
        found += own or [glob]
    return list(dict.fromkeys(found))


def solved_times(
    lake: OpenLake, solvers: Sequence[str], *, scenarios: Sequence[str] | None = None
) -> pl.DataFrame:
    """One row for each instance that a solver solves: solver, time.

    solvers: names or globs, of any kind; none means the selectors, SBS and VBS. scenarios: ids; None means
    all.
    """
    solving = [name for _, name in lake.rows("solving_solvers")]
    chosen = matching(solvers, solving)
    asked = {"ids": scenarios, "solvers": chosen or None}
    frame = lake.ask("solved_times", asked)
    absent = [name for name in chosen if name not in frame["solver"]]
    if absent or frame.is_empty():
        what = f"nothing was solved by {', '.join(absent) or 'anybody'}"
        raise AslibError(what, "solvers", _who_solves(solving))
    return frame


def _who_solves(names: Sequence[str]) -> str:
    """Hint that names the solvers with solved instances."""
    if not names:
        return "Nobody solves anything here: choose scenarios of runtimes."
    return f"Write solvers = [...] of {list_names(names, most=12, quoted=False)}."
