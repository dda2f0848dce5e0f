"""Evaluate algorithm selectors and their portfolios on ASlib scenarios.

Every command of ``aslib-eval`` is a function of the same name and options.

What cannot be done is an ``AslibError``, whose text names the file and line and says what to do: bad data,
files that cannot be read or written, names that are not there. Only where a function raises something else,
or for a special reason, does its docstring say so.

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
    from aslib_eval.commands.products import (
        build,
        figure,
        import_selection,
        remove_selection,
        report,
        table,
        views,
    )
    from aslib_eval.commands.scoring import compare, gap, list_scenarios, score
    from aslib_eval.database.open_lake import OpenLake, connect, open, store  # noqa: A004
    from aslib_eval.database.protocol import PRESETS, Protocol
    from aslib_eval.database.query import protocol as protocols_show
    from aslib_eval.database.query import protocol_difference as protocols_diff
    from aslib_eval.database.query import protocols as protocols_list
    from aslib_eval.database.query import query
    from aslib_eval.errors import AslibError, Finding, OptionError, ScenarioError
    from aslib_eval.extensions.explanations import explain
    from aslib_eval.extensions.exporting import export
    from aslib_eval.extensions.exporting.exports import snapshot as lake_snapshot
    from aslib_eval.extensions.exporting.exports import write_from_lake
    from aslib_eval.extensions.exporting.write import write_scenario
    from aslib_eval.extensions.fetching import fetch
    from aslib_eval.extensions.inference import board
    from aslib_eval.extensions.likeness import like
    from aslib_eval.extensions.manifests import paper_build, paper_check
    from aslib_eval.extensions.optimisers import optimisers, trials
    from aslib_eval.extensions.planning.commands import (
        plan_experiment,
        plan_instances,
        plan_place,
        plan_replay,
        plan_runs,
        plan_scenario,
        plan_solver,
    )
    from aslib_eval.extensions.reproductions.amadini2023 import amadini2023 as paper_amadini2023
    from aslib_eval.extensions.reproductions.oasc2017 import oasc2017 as paper_oasc2017
    from aslib_eval.extensions.resampling import resample
    from aslib_eval.extensions.sensitivity import (
        definitions,
        sweep_choices,
        sweep_cutoff,
        sweep_delta,
        sweep_penalty,
        sweep_scaled,
        sweep_tolerance,
    )
    from aslib_eval.extensions.serving import serve
    from aslib_eval.extensions.solver_sets import sweep_portfolio, sweep_solvers
    from aslib_eval.extensions.training import audit, evaluate, train
    from aslib_eval.formats.aslib import check
    from aslib_eval.formats.aslib.scenario import read_scenario
    from aslib_eval.importer import import_runs, import_scenarios
    from aslib_eval.lake.transaction import repair as lake_repair
    from aslib_eval.linter import check_lake, check_paths

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
    "check": "formats.aslib:check",
    "check_lake": "linter:check_lake",
    "check_paths": "linter:check_paths",
    "compare": "commands.scoring:compare",
    "connect": "database.open_lake:connect",
    "figure": "commands.products:figure",
    "gap": "commands.scoring:gap",
    "import_runs": "importer:import_runs",
    "import_scenarios": "importer:import_scenarios",
    "import_selection": "commands.products:import_selection",
    "lake_repair": "lake.transaction:repair",
    "list_scenarios": "commands.scoring:list_scenarios",
    "open": "database.open_lake:open",
    "protocols_diff": "database.query:protocol_difference",
    "protocols_list": "database.query:protocols",
    "protocols_show": "database.query:protocol",
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
    from aslib_eval.tables.to_terminal import show_frames

    show_frames(shell)


def __dir__() -> list[str]:
    from aslib_eval.commands import added

    return sorted({*_HOME, *added()})


def __getattr__(name: str) -> Any:
    if name == "__all__":  # with the functions that extensions and plug-ins add
        return __dir__()
    found = None
    if name in _HOME:
        module, _, home = _HOME[name].partition(":")
        found = getattr(import_module(f"{__name__}.{module}"), home)
    elif not name.startswith("_"):
        from aslib_eval.commands import function_added

        found = function_added(name)
    if found is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from aslib_eval.options import completed

    return completed(found)
