"""Evaluate algorithm selectors and their portfolios on ASlib scenarios.

>>> import aslib_eval as ae
>>> con = ae.connect("lake")  # doctest: +SKIP
>>> ae.query("select * from scenario_baseline", lake="lake")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from aslib_eval._version import __version__ as __version__

if TYPE_CHECKING:
    from aslib_eval.database.connect import connect as connect
    from aslib_eval.database.connect import store as store
    from aslib_eval.database.protocol import PRESETS as PRESETS
    from aslib_eval.database.protocol import Protocol as Protocol
    from aslib_eval.database.query import query as query
    from aslib_eval.download import fetch as fetch
    from aslib_eval.errors import AslibError as AslibError
    from aslib_eval.errors import Finding as Finding
    from aslib_eval.errors import ScenarioError as ScenarioError
    from aslib_eval.exports import write_from_lake as write_from_lake
    from aslib_eval.formats.aslib.lint import check as check
    from aslib_eval.formats.aslib.scenario import read_scenario as read_scenario
    from aslib_eval.formats.aslib.write import write_scenario as write_scenario
    from aslib_eval.importer import import_runs as import_runs
    from aslib_eval.importer import import_scenarios as import_scenarios

# The public surface, loaded when first used: duckdb and pyarrow take their time.
_HOME = {
    "AslibError": "errors",
    "Finding": "errors",
    "PRESETS": "database.protocol",
    "Protocol": "database.protocol",
    "ScenarioError": "errors",
    "check": "formats.aslib.lint",
    "connect": "database.connect",
    "fetch": "download",
    "import_runs": "importer",
    "import_scenarios": "importer",
    "query": "database.query",
    "read_scenario": "formats.aslib.scenario",
    "store": "database.connect",
    "write_from_lake": "exports",
    "write_scenario": "formats.aslib.write",
}
__all__ = [
    "PRESETS",
    "AslibError",
    "Finding",
    "Protocol",
    "ScenarioError",
    "check",
    "connect",
    "fetch",
    "import_runs",
    "import_scenarios",
    "query",
    "read_scenario",
    "store",
    "write_from_lake",
    "write_scenario",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
