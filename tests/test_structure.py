"""The house of the code: who imports whom, how long things are, what --help loads."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from aslib_eval.cli import main

from .conftest import ROOT

PACKAGE = ROOT / "aslib_eval"
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py")
# A module imports only from rooms to its left; within a room freely.
ROOMS = (
    {"", "errors", "extras", "paths", "replacing"},
    {"readers", "lake", "versions", "protocol", "sqlfiles", "registry", "download"}
    | {"database", "measures", "limits", "sqlerrors"}
    | {"metrics", "statistics", "resampling"},
    {"importer", "checks", "db", "fetching", "selections", "formats", "inference"},
    {
        "analysis",
        "catalogue",
        "sandbox",
        "writer",
        "writers",
        "selectors",
    }
    | {"optimisers"}
    | {"comparison", "planning", "robustness"}
    | {"provenance"},
    {"tables", "charts", "export"},
    {"report", "papers", "manifest"},
    {"cli"},
)


def room(module: str) -> int:
    """Which room a module such as ``readers.aslib`` belongs to."""
    name = module.split(".", maxsplit=1)[0]
    (found,) = (i for i, names in enumerate(ROOMS) if name in names)
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in MODULES:
        yield name_of(path), ast.parse(path.read_text(encoding="utf-8"))


def imported_by(tree: ast.Module) -> Iterator[str]:
    """Modules of the package that a module imports, lazily or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("aslib_eval."):
                inside = name.removeprefix("aslib_eval.")
                yield "" if inside.startswith("__") else inside


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    mine = name_of(path)
    later = {name for name in imported_by(tree) if room(name) > room(mine)}
    assert later == set(), f"{mine} imports from rooms to its right"
    if not mine.startswith("cli"):
        assert "cli" not in {name.split(".")[0] for name in imported_by(tree)}


def test_readers_and_sql_do_not_know_each_other() -> None:
    for name, tree in trees():
        seen = {found.split(".")[0] for found in imported_by(tree)}
        if name.startswith("readers"):
            assert seen <= {"readers", "errors", "lake"}, name
        if name.split(".")[0] in {"metrics", "statistics", "resampling"}:
            assert seen <= {"metrics", "statistics", "errors"}, name
        if name.split(".")[0] in {"lake", "protocol", "sqlfiles", "versions"}:
            assert seen <= {"errors", "paths", "lake", "versions", ""}, name


def test_no_room_for_odds_and_ends() -> None:
    assert {name.split(".")[-1] for name, _ in trees()}.isdisjoint({"utils", "helpers"})


def test_public_functions_name_their_arguments() -> None:
    for module, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                assert module.startswith("cli.") or node.args.kwarg is None, (
                    module,
                    node.name,
                )


# --- the command line ---------------------------------------------------------------

# Command → the function of the library that it calls.
CALLS = {
    "import": ("importer", "import_scenarios"),
    "query": ("sandbox", "query"),
    "views": ("catalogue", "columns"),
    "fetch": ("fetching", "fetch"),
}
SHORT = {"output": "to", "format_": "format"}


@pytest.mark.parametrize("command", CALLS)
def test_flags_are_named_like_the_arguments(command: str) -> None:
    module, name = CALLS[command]
    function = getattr(import_module(f"aslib_eval.{module}"), name)
    known = set(inspect.signature(function).parameters)
    flags = {p.name for p in main.commands[command].params if p.name}
    printing = {"format_", "output"}
    lake = {"lake"} if command == "import" else set()  # where to: ``into``
    assert flags - printing - lake <= known, command


def test_export_has_the_flags_of_both_exports() -> None:
    from aslib_eval.export import export_database, export_files

    flags = {SHORT.get(str(p.name), p.name) for p in main.commands["export"].params}
    assert flags >= set(inspect.signature(export_files).parameters)
    assert flags >= set(inspect.signature(export_database).parameters)


def commands(group: click.Group, at: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{at}{name} ")
        else:
            yield at + name, command


COMMANDS = dict(commands(main))


@pytest.mark.parametrize(("name", "command"), COMMANDS.items())
def test_every_command_has_help_and_an_example(
    name: str, command: click.Command
) -> None:
    assert command.help, name
    assert (command.epilog or "").startswith(f"Example: aslib-eval {name}")
    options = [p for p in command.params if isinstance(p, click.Option)]
    assert [o.opts for o in options if not o.help and o.name != "help"] == []


def test_help_loads_click_alone() -> None:
    code = (
        "import sys; from click.testing import CliRunner;"
        "from aslib_eval.cli import main;"
        "result = CliRunner().invoke(main, ['--help']); assert result.exit_code == 0;"
        "print(*{m.split('.')[0] for m in sys.modules})"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    slow = {"duckdb", "pyarrow", "polars", "numpy", "scipy", "rich", "yaml", "arff"}
    assert slow & set(found.stdout.split()) == set()
