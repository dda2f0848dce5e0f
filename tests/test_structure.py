"""The house of the code: who imports whom, what is named how, what --help loads."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import click
import pytest

from aslib_eval.cli import main
from aslib_eval.database.views import declared
from tests.conftest import ROOT

PACKAGE = ROOT / "aslib_eval"
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py")
# The rooms of the house from the ground up: a package, or a module of its own. A module imports from rooms
# above it in this list, and freely within its own.
ROOMS = (
    *("_version", "errors", "paths", "text", "plugins", "options"),
    *("progress", "atomic_files"),
    "executors",
    *("lake", "statistics", "metrics", "formats", "linter"),
    *("database", "provenance", "selections", "importer"),
    *("analysis", "tables"),
    *("figures", "reports"),
    *("commands", "cli", "__main__"),
)
# Beside the house: slices through all rooms, of which nothing in the house knows.
EXTENSIONS = "extensions"


def room(module: str) -> int:
    """How far down the list a module such as ``formats.archive`` lives; -1: version.

    Extensions are below all but the command line, and their ``cli`` modules below all.
    """
    if extension(module):
        return ROOMS.index("cli") if module.endswith(".cli") else ROOMS.index("commands")
    name = module.split(".", maxsplit=1)[0]
    return ROOMS.index(name) if name else -1


def extension(module: str) -> str:
    """The extension that a module is of; nothing for one of the core."""
    words = module.split(".")
    return words[1] if words[0] == EXTENSIONS and words[1:] else ""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in MODULES:
        yield name_of(path), tree_of(path)


@cache
def import_nodes(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """The imports of a module, lazy or not: statements, which no expression holds."""
    found, below = [], [tree]
    while below:
        for node in ast.iter_child_nodes(below.pop()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found.append(node)
            elif not isinstance(node, ast.expr):
                below.append(node)
    return found


def imported_by(tree: ast.Module) -> Iterator[str]:
    """Modules of the package that a module imports, lazily or not."""
    for node in import_nodes(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("aslib_eval."):
                inside = name.removeprefix("aslib_eval.")
                yield "" if inside.startswith("__") else inside


def imported_libraries(tree: ast.Module) -> set[str]:
    """Top-level packages that a module imports, lazily or not."""
    nodes = import_nodes(tree)
    froms = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    plain = [node.names for node in nodes if isinstance(node, ast.Import)]
    names = [*froms, *(alias.name for aliases in plain for alias in aliases)]
    return {name.split(".")[0] for name in names}


# What is not of a room: all of it may be imported, or leads to all.
_OUTSIDE = (PACKAGE / "__init__.py", PACKAGE / EXTENSIONS / "__init__.py")
IN_ROOMS = [path for path in sorted(PACKAGE.rglob("*.py")) if path not in _OUTSIDE]


def test_imports_point_one_way() -> None:
    for path in IN_ROOMS:
        mine, found = name_of(path), [*imported_by(tree_of(path))]
        others = {extension(name) for name in found if extension(name)}
        assert others <= {extension(mine)}, mine
        later = {name for name in found if room(name) > room(mine)}
        assert later == set(), f"{mine} imports from rooms below it"


@pytest.mark.parametrize(
    "file", sorted(PACKAGE.glob(f"{EXTENSIONS}/*/entry_points.txt")), ids=lambda file: file.parent.name
)
def test_an_extension_adds_what_is_its_own(file: Path) -> None:
    own = f"aslib_eval.{EXTENSIONS}.{file.parent.name}"
    homes = re.findall(r"^[^#\[]\S* = (\S+)$", file.read_text(), re.MULTILINE)
    assert homes
    assert [home for home in homes if not home.startswith((f"{own}.", f"{own}:"))] == []


def test_arrays_files_and_sql_do_not_know_each_other() -> None:
    for module, tree in trees():
        name = module.removeprefix(f"{EXTENSIONS}.{extension(module)}").lstrip(".")
        seen = {x.split(".")[0] for x in imported_by(tree) if not extension(x)}
        if name.split(".")[0] in {"metrics", "statistics"}:
            assert seen <= {"metrics", "statistics", "errors", "text"}, name
        if name.startswith(("formats.", "figures.")):
            assert "duckdb" not in imported_libraries(tree), name
        if name.startswith("lake."):
            known = {"errors", "atomic_files", "lake", "options", "paths"}
            known |= {"signatures", ""}
            assert seen <= known, name
        if name.startswith("figures."):
            assert "database" not in seen, name
            assert "duckdb" not in imported_libraries(tree), name


def imports() -> dict[str, set[str]]:
    """Module → the modules of the package that it imports, lazily or not."""
    paths = {name_of(path): path for path in PACKAGE.rglob("*.py")}
    known = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        seen = imported_by(tree_of(path))
        targets = {s if s in known else s.rpartition(".")[0] for s in seen}
        found[name] = (targets & known.keys()) - {name, "__init__"}
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    graphlib.TopologicalSorter(imports()).prepare()  # raises CycleError


# --- metrics ------------------------------------------------------------------------

# Columns of runs and costs, and choices of a protocol, as well as metrics.
WORDS = {"time", "cost", "solved", "par1"}
# What reads the closed gap as data, and scores that bear a metric's name elsewhere.
READS = {"closed_gap": {"analysis", "figures", "reports", "tables"}, "incomplete": {"analysis.objectives"}}


def literals(tree: ast.Module) -> Iterator[str]:
    """The text constants of a module that are no defaults of arguments or fields."""
    defaults: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            defaults |= {d for d in (*node.defaults, *node.kw_defaults) if d}
        elif isinstance(node, ast.ClassDef):
            fields = [n for n in node.body if isinstance(n, ast.AnnAssign)]
            defaults |= {n.value for n in fields if n.value}
        elif isinstance(node, ast.keyword) and node.arg in {"default", "metric"}:
            defaults.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in defaults:
            yield str(node.value)


def test_python_names_no_metric() -> None:
    metrics = declared().keys() - WORDS
    for module, tree in trees():
        if extension(module):
            continue
        allowed = {metric for metric, places in READS.items() if inside(module, tuple(places))}
        assert set(literals(tree)) & metrics <= allowed, module


# --- who asks the database ----------------------------------------------------------

# Who may ask DuckDB; everybody else calls a function of one of these.
ASKING = ("database", "analysis", "tables.paper_table")


def whole_package() -> Iterator[tuple[str, ast.Module]]:
    for path in PACKAGE.rglob("*.py"):
        name = name_of(path).removesuffix("__init__").rstrip(".")
        yield name, tree_of(path)


def inside(name: str, rooms: Sequence[str]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


@pytest.mark.slow
def test_few_rooms_ask_the_database() -> None:
    for name, tree in whole_package():
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        methods = {c.func.attr for c in calls if isinstance(c.func, ast.Attribute)}
        if methods & {"sql", "execute", "executemany"}:
            assert extension(name) or inside(name, ASKING), name


# --- the command line ---------------------------------------------------------------


def commands(group: click.Group, at: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{at}{name} ")
        else:
            yield at + name, command


COMMANDS = dict(commands(main))


@pytest.mark.parametrize(("name", "command"), COMMANDS.items())
def test_every_command_has_help_and_an_example(name: str, command: click.Command) -> None:
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


# What removes or moves, and the modules that alone do so by the name of a path.
_MOVES = {"unlink", "rmdir", "rmtree", "rename", "symlink", "symlink_to"}
_OF_OWN = {  # else only what the same process has made
    "paths",
    "atomic_files",
    "database.query",
    "executors",
    "formats.sources",
}


def test_one_module_removes_and_moves() -> None:
    """All others do it from an open folder, whose links are not followed."""
    found = set()
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                on, name = node.func.value, node.func.attr
                by_path = isinstance(on, ast.Name) and on.id in {"os", "shutil"}
                by_path = by_path or name == "symlink_to" or not node.args
                if name in _MOVES and by_path:
                    found.add(name_of(path))
    assert found <= _OF_OWN
