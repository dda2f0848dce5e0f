"""Evaluate algorithm selectors and their portfolios on ASlib scenarios.

Every command of ``aslib-eval`` is a function of the same name and options.

What cannot be done is an ``AslibError``, whose text names the file and line and says
what to do: bad data, files that cannot be read or written, names that are not there.
Only where a function raises something else, or for a special reason, does its docstring
say so.

>>> import aslib_eval as ae
>>> ae.gap("lake", kinds=["selector"])  # doctest: +SKIP
>>> con = ae.connect("lake")  # doctest: +SKIP
>>> ae.query("select * from scenario_baseline", lake="lake")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from aslib_eval._version import __version__ as __version__

if TYPE_CHECKING:
    from aslib_eval.commands.comparing import compare as compare
    from aslib_eval.commands.products import build as build
    from aslib_eval.commands.products import figure as figure
    from aslib_eval.commands.products import import_selection as import_selection
    from aslib_eval.commands.products import remove_selection as remove_selection
    from aslib_eval.commands.products import report as report
    from aslib_eval.commands.products import table as table
    from aslib_eval.commands.products import views as views
    from aslib_eval.commands.scoring import gap as gap
    from aslib_eval.commands.scoring import list_scenarios as list_scenarios
    from aslib_eval.commands.scoring import score as score
    from aslib_eval.database.catalogue import protocol as protocols_show
    from aslib_eval.database.catalogue import protocol_difference as protocols_diff
    from aslib_eval.database.catalogue import protocols as protocols_list
    from aslib_eval.database.open_lake import OpenLake as OpenLake
    from aslib_eval.database.open_lake import connect as connect
    from aslib_eval.database.open_lake import open as open  # noqa: A004
    from aslib_eval.database.open_lake import store as store
    from aslib_eval.database.protocol import PRESETS as PRESETS
    from aslib_eval.database.protocol import Protocol as Protocol
    from aslib_eval.database.query import query as query
    from aslib_eval.errors import AslibError as AslibError
    from aslib_eval.errors import Finding as Finding
    from aslib_eval.errors import OptionError as OptionError
    from aslib_eval.errors import ScenarioError as ScenarioError
    from aslib_eval.extensions.explanations.commands import explain as explain
    from aslib_eval.extensions.exporting.commands import export as export
    from aslib_eval.extensions.exporting.exports import (
        write_from_lake as write_from_lake,
    )
    from aslib_eval.extensions.exporting.formats.write import (
        write_scenario as write_scenario,
    )
    from aslib_eval.extensions.fetching.commands import fetch as fetch
    from aslib_eval.extensions.inference.commands import board as board
    from aslib_eval.extensions.likeness.commands import like as like
    from aslib_eval.extensions.manifests.commands import paper_build as paper_build
    from aslib_eval.extensions.manifests.commands import paper_check as paper_check
    from aslib_eval.extensions.optimisers.commands import optimisers as optimisers
    from aslib_eval.extensions.optimisers.commands import trials as trials
    from aslib_eval.extensions.planning.commands import (
        plan_experiment as plan_experiment,
    )
    from aslib_eval.extensions.planning.commands import plan_instances as plan_instances
    from aslib_eval.extensions.planning.commands import plan_place as plan_place
    from aslib_eval.extensions.planning.commands import plan_replay as plan_replay
    from aslib_eval.extensions.planning.commands import plan_runs as plan_runs
    from aslib_eval.extensions.planning.commands import plan_scenario as plan_scenario
    from aslib_eval.extensions.planning.commands import plan_solver as plan_solver
    from aslib_eval.extensions.reproductions.papers.amadini2023 import (
        amadini2023 as paper_amadini2023,
    )
    from aslib_eval.extensions.reproductions.papers.oasc2017 import (
        oasc2017 as paper_oasc2017,
    )
    from aslib_eval.extensions.resampling.commands import resample as resample
    from aslib_eval.extensions.sensitivity.commands import definitions as definitions
    from aslib_eval.extensions.sensitivity.commands import (
        sweep_choices as sweep_choices,
    )
    from aslib_eval.extensions.sensitivity.commands import sweep_cutoff as sweep_cutoff
    from aslib_eval.extensions.sensitivity.commands import sweep_delta as sweep_delta
    from aslib_eval.extensions.sensitivity.commands import (
        sweep_penalty as sweep_penalty,
    )
    from aslib_eval.extensions.sensitivity.commands import sweep_scaled as sweep_scaled
    from aslib_eval.extensions.sensitivity.commands import (
        sweep_tolerance as sweep_tolerance,
    )
    from aslib_eval.extensions.serving.commands import serve as serve
    from aslib_eval.extensions.solver_sets.commands import (
        sweep_portfolio as sweep_portfolio,
    )
    from aslib_eval.extensions.solver_sets.commands import (
        sweep_solvers as sweep_solvers,
    )
    from aslib_eval.extensions.training.commands import audit as audit
    from aslib_eval.extensions.training.commands import evaluate as evaluate
    from aslib_eval.extensions.training.commands import train as train
    from aslib_eval.formats.aslib.lint import check as check
    from aslib_eval.formats.aslib.scenario import read_scenario as read_scenario
    from aslib_eval.importer import import_runs as import_runs
    from aslib_eval.importer import import_scenarios as import_scenarios
    from aslib_eval.lake.repair import repair as lake_repair
    from aslib_eval.lake.repair import snapshot as lake_snapshot
    from aslib_eval.linter import check_lake as check_lake
    from aslib_eval.linter import check_paths as check_paths

    __all__ = [
        "PRESETS",
        "AslibError",
        "Finding",
        "OpenLake",
        "OptionError",
        "Protocol",
        "ScenarioError",
        "audit",
        "board",
        "build",
        "check",
        "check_lake",
        "check_paths",
        "compare",
        "connect",
        "definitions",
        "evaluate",
        "explain",
        "export",
        "fetch",
        "figure",
        "gap",
        "import_runs",
        "import_scenarios",
        "import_selection",
        "lake_repair",
        "lake_snapshot",
        "like",
        "list_scenarios",
        "open",
        "optimisers",
        "paper_amadini2023",
        "paper_build",
        "paper_check",
        "paper_oasc2017",
        "plan_experiment",
        "plan_instances",
        "plan_place",
        "plan_replay",
        "plan_runs",
        "plan_scenario",
        "plan_solver",
        "protocols_diff",
        "protocols_list",
        "protocols_show",
        "query",
        "read_scenario",
        "remove_selection",
        "report",
        "resample",
        "score",
        "serve",
        "store",
        "sweep_choices",
        "sweep_cutoff",
        "sweep_delta",
        "sweep_penalty",
        "sweep_portfolio",
        "sweep_scaled",
        "sweep_solvers",
        "sweep_tolerance",
        "table",
        "train",
        "trials",
        "views",
        "write_from_lake",
        "write_scenario",
    ]

# The public surface, loaded when first used: duckdb and pyarrow take their time.
_HOME = {
    "AslibError": "errors:AslibError",
    "Finding": "errors:Finding",
    "OpenLake": "database.open_lake:OpenLake",
    "OptionError": "errors:OptionError",
    "PRESETS": "database.protocol:PRESETS",
    "Protocol": "database.protocol:Protocol",
    "ScenarioError": "errors:ScenarioError",
    "build": "commands.products:build",
    "check": "formats.aslib.lint:check",
    "check_lake": "linter:check_lake",
    "check_paths": "linter:check_paths",
    "compare": "commands.comparing:compare",
    "connect": "database.open_lake:connect",
    "figure": "commands.products:figure",
    "gap": "commands.scoring:gap",
    "import_runs": "importer:import_runs",
    "import_scenarios": "importer:import_scenarios",
    "import_selection": "commands.products:import_selection",
    "lake_repair": "lake.repair:repair",
    "lake_snapshot": "lake.repair:snapshot",
    "list_scenarios": "commands.scoring:list_scenarios",
    "open": "database.open_lake:open",
    "protocols_diff": "database.catalogue:protocol_difference",
    "protocols_list": "database.catalogue:protocols",
    "protocols_show": "database.catalogue:protocol",
    "query": "database.query:query",
    "read_scenario": "formats.aslib.scenario:read_scenario",
    "remove_selection": "commands.products:remove_selection",
    "report": "commands.products:report",
    "score": "commands.scoring:score",
    "store": "database.open_lake:store",
    "table": "commands.products:table",
    "views": "commands.products:views",
}


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext aslib_eval``: frames in this notebook look as in a terminal."""
    from aslib_eval.tables.to_notebook import show_frames

    show_frames(shell)


def __dir__() -> list[str]:
    from aslib_eval.commands.declared import added

    return sorted({*_HOME, *added()})


def __getattr__(name: str) -> Any:
    if name == "__all__":  # with the functions that extensions and plug-ins add
        return __dir__()
    found = None
    if name in _HOME:
        module, _, home = _HOME[name].partition(":")
        found = getattr(import_module(f"{__name__}.{module}"), home)
    elif not name.startswith("_"):
        from aslib_eval.commands.declared import function_added

        found = function_added(name)
    if found is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from aslib_eval.signatures import completed

    return completed(found)
