"""All figures by name: what each shows, what it needs, and the function that makes it.

A new figure is a module with a function and its line here; the command line, papers and the report's page
ask this catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from aslib_eval.errors import AslibError
from aslib_eval.plugins import RESERVED, PlugIn, Registry, Reserved
from aslib_eval.text import list_names, one_of

if TYPE_CHECKING:
    from aslib_eval.analysis.results import LakeResults
    from aslib_eval.figures.chart import Chart


@dataclass(frozen=True)
class FigureEntry:
    """A figure: what it shows, of what, and its function.

    of: ``lake`` (the function takes ``LakeResults`` and the solvers), ``scenario`` (``ScenarioResults``) or
    ``suite`` (``SuiteResults``). needs: what a lake must have for it. complete: it takes every preset, or
    the tests. runs: it shows runs, and nothing where none is solved. titled: what is above it stands
    nowhere else. chosen: it shows the solvers that are named, else a few. home: the function, as
    ``module:function`` with the full name of the module, or its name in ``aslib_eval.figures``. make: the
    function itself, where there is no ``home``.
    """

    shows: str
    of: Literal["lake", "scenario", "suite"]
    home: str = ""
    needs: str = ""
    complete: bool = False
    runs: bool = True
    titled: bool = False
    chosen: bool = False
    make: Callable[..., Any] | None = None


_TESTED = "selectors, and enough instances for the test"
# fmt: off
_OURS: Mapping[str, FigureEntry | Reserved] = {
    "delta": FigureEntry(
        "Borda scores for each delta, over all instances of the lake", "lake", "gaps:delta"),
    "delta_modified": FigureEntry(
        "modified Borda scores for each delta, over all instances", "lake", "gaps:delta_modified"),
    "cactus": FigureEntry(
        "runtimes of the instances that each solver solves, in ascending order", "lake",
        "gaps:runtimes", chosen=True),
    "runtimes": FigureEntry(
        "the same as cactus", "lake", "gaps:runtimes", chosen=True),
    **dict.fromkeys(("optimiser-mean", "optimiser-median"), RESERVED),
    **dict.fromkeys(("scenario-distances", "trial-ranks"), RESERVED),
    "ranks": FigureEntry(
        "critical-difference diagram of the selectors' mean ranks by closed gap", "lake",
        "ranks:ranks", titled=True),
    "bump": FigureEntry(
        "ranks of the selectors by every metric", "scenario", "ranks:bump",
        "two selectors with scores"),
    "waterfall": FigureEntry(
        "loss of each selector against VBS, by cause", "scenario",
        "gaps:waterfall",
        "selectors with a closed gap and known answers"),
    "speedups": FigureEntry(
        "distribution of each selector's speedup over SBS", "scenario",
        "gaps:speedup", "selectors with runtimes above 0"),
    "against-sbs": FigureEntry(
        "mean advantage of each selector over SBS, with its confidence interval", "scenario",
        "gaps:against_sbs", _TESTED, complete=True),
    **dict.fromkeys(("definitions-gap", "metric-gaps"), RESERVED),
    **dict.fromkeys(("definitions-like", "definitions-tau"), RESERVED),
    **dict.fromkeys(("sweep-delta", "sweep-penalty", "sweep-cutoff"), RESERVED),
    "fold-gaps": FigureEntry(
        "each selector's closed gap on every fold", "scenario", "gaps:fold_gaps",
        "selectors with a closed gap on a fold"),
    **dict.fromkeys(("portfolio", "heatmap", "tree", "step-costs"), RESERVED),
    **dict.fromkeys(("missing", "anytime", "anytime-selectors"), RESERVED),
    "suite-ranks": FigureEntry(
        "ranks of the selectors by metric and method of aggregation", "suite",
        "ranks:suite_ranks", "two selectors with scores on the same number of scenarios"),
    "suite-gaps": FigureEntry(
        "closed gaps on each scenario", "suite", "ranks:suite_gaps",
        "selectors with a closed gap"),
    "suite-tau": RESERVED,
    "rooms": FigureEntry(
        "cost of SBS divided by the cost of VBS, for each scenario", "suite", "ranks:rooms",
        "a scenario whose SBS costs more than VBS"),
}
# fmt: on


def _figure(_name: str, found: object) -> FigureEntry:
    if not isinstance(found, FigureEntry):
        raise AslibError(f"is a {type(found).__name__}, not a FigureEntry")
    if not callable(found.make) and not found.home:
        raise AslibError("lacks make, the function that draws it")
    return found


FIGURES: Registry[FigureEntry] = Registry("figures", _OURS, _figure)
# The page computes these anew for its reader's choices: no paper has them.
LIVE_CHARTS = ("ecdf", "scatter", "solved-by", "trajectory", "winners")


def figures_of(of: str) -> dict[str, FigureEntry]:
    """The figures of a lake, a scenario or a suite."""
    return {name: entry for name, entry in FIGURES.usable().items() if entry.of == of}


def require_figure(name: str) -> None:
    """Raise AslibError, with the nearest name, where there is no such figure."""
    if name not in FIGURES:
        raise AslibError("there is no such figure", name, one_of(name, FIGURES))


def figure(name: str, results: LakeResults, *, solvers: Sequence[str] = ()) -> Chart:
    """Make one of FIGURES.

    solvers: for a figure of chosen solvers, which; none for the usual ones.

    """
    entry = FIGURES[name]
    if entry.runs and results.unsolved:
        hint = "Choose other scenarios."
        raise AslibError("no solver solves any instance: there is nothing to draw", name, hint)
    plug_in = FIGURES.plug_in(name)
    make = _theirs(plug_in, entry) if plug_in else function_of(entry)
    if entry.of == "lake":
        made: Chart = make(results, solvers)
        return made
    where = "the lake"
    if entry.of == "suite":
        found = make(results.complete_suite if entry.complete else results.suite)
    else:
        titles = [each.title for each in results.scenarios]
        if len(titles) != 1:
            some = list_names(titles, most=5) or "none"
            hint = "Choose one scenario, and a protocol of one measure."
            raise AslibError(f"it shows one scenario, but there are {len(titles)}: {some}", name, hint)
        every = results.complete_scenarios if entry.complete else results.scenarios
        where, found = every[0].scenario_id, make(every[0])
    if found is None:
        raise AslibError(f"{where} has no data for this figure, which needs {entry.needs}", name)
    chart: Chart = found
    return chart


def _theirs(plug_in: PlugIn, entry: FigureEntry) -> Callable[..., Any]:
    """The function of a plug-in, which is anybody's code: what it raises names it."""

    def made(*given: Any) -> Any:
        try:
            return function_of(entry)(*given)
        except AslibError:
            raise
        except Exception as error:
            raise plug_in.error(f"failed ({type(error).__name__}: {error})") from error

    return made


def function_of(entry: FigureEntry) -> Callable[..., Any]:
    """The function that draws a figure."""
    if entry.make is not None:
        return entry.make
    module, _, function = entry.home.partition(":")
    name = module if "." in module else f"aslib_eval.figures.{module}"
    found: Callable[..., Any] = getattr(import_module(name), function)
    return found
