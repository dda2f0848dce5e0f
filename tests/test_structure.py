"""The house of the code: who imports whom, what is named how, what --help loads."""

from __future__ import annotations

import ast
import graphlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import pytest

import aslib_eval
from aslib_eval import added_options
from aslib_eval.cli import main
from aslib_eval.database.metrics import declared
from aslib_eval.plugins import plug_ins
from tests.conftest import ROOT

PACKAGE = ROOT / "aslib_eval"
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py")
# The rooms of the house from the ground up: a package, or a module of its own. A module imports from rooms
# above it in this list, and freely within its own.
ROOMS = (
    *(
        "_version",
        "errors",
        "folders",
        "paths",
        "text",
        "words",
        "plugins",
        "options",
        "added_options",
        "signatures",
    ),
    *("progress", "atomic_files"),
    "executors",
    *("lake", "statistics", "metrics", "formats", "linter"),
    *("database", "provenance", "selections", "importer"),
    *("analysis", "tables", "exports"),
    *("figures", "reports", "papers"),
    *("commands", "cli", "__main__"),
)
# Beside the house: slices through all rooms, of which nothing in the house knows.
EXTENSIONS = "extensions"


def room(module: str) -> int:
    """How far down the list a module such as ``formats.archive`` lives; -1: version.

    An extension has rooms of the same names, of which the same holds.
    """
    name = inside_its_extension(module).split(".", maxsplit=1)[0]
    return ROOMS.index(name) if name else -1


def extension(module: str) -> str:
    """The extension that a module is of; nothing for one of the core."""
    words = module.split(".")
    return words[1] if words[0] == EXTENSIONS and words[1:] else ""


def inside_its_extension(module: str) -> str:
    """The name of a module without that of its extension, if it is of one."""
    own = extension(module)
    return module.removeprefix(f"{EXTENSIONS}.{own}").lstrip(".") if own else module


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
    """The imports of a module, lazy or not."""
    kinds = (ast.Import, ast.ImportFrom)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


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
        if not inside_its_extension(mine).startswith(("cli", "__main__")):
            assert "cli" not in {name.split(".")[0] for name in found}, mine


def test_the_package_names_extensions_for_types_alone() -> None:
    """Of the functions that they add, which are found by their entry points."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        assert f"{EXTENSIONS}." not in ast.unparse(node)


@pytest.mark.parametrize(
    "file", sorted(PACKAGE.glob(f"{EXTENSIONS}/*/entry_points.txt")), ids=lambda file: file.parent.name
)
def test_an_extension_adds_what_is_its_own(file: Path) -> None:
    own = f"aslib_eval.{EXTENSIONS}.{file.parent.name}"
    homes = re.findall(r"^[^#\[]\S* = (\S+)$", file.read_text(), re.MULTILINE)
    assert homes
    assert [home for home in homes if not home.startswith(f"{own}.")] == []


_NUMERIC = {*sys.stdlib_module_names, "numpy", "scipy", "aslib_eval"}


def test_arrays_files_and_sql_do_not_know_each_other() -> None:
    for module, tree in trees():
        seen = {inside_its_extension(x).split(".")[0] for x in imported_by(tree)}
        name = inside_its_extension(module)
        if name.split(".")[0] in {"metrics", "statistics"}:
            assert seen <= {"metrics", "statistics", "errors", "text", "words"}, name
        if name.startswith(("formats.", "figures.")):
            assert "duckdb" not in imported_libraries(tree), name
        if name.startswith("lake."):
            known = {"errors", "folders", "atomic_files", "lake", "options", "paths"}
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


_SHORT = 120  # lines
# What a registry lists by name stands alone however short it is.
_PLUG_INS = (
    r"cli\.\w+|figures\.\w+|reports\.sections\.\w+|tables\.to_\w+|formats\.\w+"
    r"|formats\.aslib\.lint\.\w+"
)


@pytest.mark.slow
def test_a_short_module_has_more_than_one_importer() -> None:
    found = imports()
    importers = Counter(target for targets in found.values() for target in targets)
    homes = [plug_in.home for plug_in in plug_ins()]
    homes += [getattr(command, "function", "") for command in COMMANDS.values()]
    registered = {home.partition(":")[0] for home in homes}
    lonely = {
        name_of(path)
        for path in MODULES
        if importers[name_of(path)] == 1
        and f"aslib_eval.{name_of(path)}" not in registered
        and len(path.read_text(encoding="utf-8").splitlines()) < _SHORT
        and not re.fullmatch(_PLUG_INS, inside_its_extension(name_of(path)))
    }
    assert lonely == set()


def test_public_classes_have_names_of_their_own() -> None:
    names = Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == set()


def test_imports_for_types_stand_with_the_imports() -> None:
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Assign)
    for name, tree in trees():
        places = [
            at
            for at, node in enumerate(tree.body)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ]
        assert len(places) <= 1, name
        before = tree.body[: places[0]] if places else []
        assert not any(isinstance(node, kinds) for node in before), name


_VAGUE = {"parts", "facts", "rows", "kinds", "page", "remarks", "reading", "checking"}
_VAGUE |= {"writing", "values", "files", "utils", "helpers", "common", "misc"}


def test_module_names_say_what_they_hold() -> None:
    assert {name for name, _ in trees() if name.split(".")[-1] in _VAGUE} == set()


# Names that the package exports, or will: a module of that name would hide a function.
_EXPORTED = {*aslib_eval.__all__, "report", "export", "compare", "table", "score", "gap"}
_EXPORTED |= {"resample", "train", "figure", "definitions", "sweep_delta", "open"}


def test_no_module_hides_a_public_function() -> None:
    for module in pkgutil.walk_packages(aslib_eval.__path__, "aslib_eval."):
        import_module(module.name)
    assert {name.split(".")[0] for name, _ in trees()}.isdisjoint(_EXPORTED)
    for name in aslib_eval.__all__:
        assert not inspect.ismodule(getattr(aslib_eval, name)), name
        assert name == "PRESETS" or callable(getattr(aslib_eval, name)), name


def test_public_functions_name_their_arguments() -> None:
    # What answers an option is called by its command alone, which names them.
    answers = {each.home for each in plug_ins() if each.kind == "options"}
    for module, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                of_command_line = inside(inside_its_extension(module), ["cli"])
                of_option = f"aslib_eval.{module}:{node.name}" in answers
                own = of_command_line or of_option
                assert own or node.args.kwarg is None, (module, node.name)


# --- metrics ------------------------------------------------------------------------

# Columns of runs and costs, and choices of a protocol, as well as metrics.
WORDS = {"time", "cost", "solved", "par1"}
# What reads the closed gap as data, and scores that bear a metric's name elsewhere.
READS = {
    "closed_gap": {"analysis", "figures", "reports", "tables"},
    # Of optimisation, of a paper, and tracks and scores of competitions.
    "incomplete": {"analysis.objectives", "papers", "formats"},
    "speedup": {"papers"},
}


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
        allowed = {
            metric
            for metric, places in READS.items()
            if inside(inside_its_extension(module), tuple(places))
        }
        assert set(literals(tree)) & metrics <= allowed, module


# --- who asks the database ----------------------------------------------------------

# Who may ask DuckDB; everybody else calls a function of one of these.
ASKING = ("database", "analysis", "exports", "tables.paper_table")
# Who may ask a SELECT of sql/frame beside them.
FRAMES = ("papers",)
# SQL that is made of names at run time, so that no file can hold it: raw_* and solver_value, and the
# columns of a CSV file that no spreadsheet shall run.
GENERATED = {"database.build", "database.sqlfiles", "database.raw_relations"}
GENERATED |= {"database.toml_rows", "database.views", "extensions.exporting.exports"}
SQL = re.compile(r"\s*(select|from|with \w+ as|create|insert|delete|case when)\s")


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
            assert inside(inside_its_extension(name), ASKING), name
        of_sql = (c for c in calls if c.args and text_of(c.args[0]))
        if "ask" in {getattr(c.func, "attr", "") for c in of_sql}:
            assert inside(inside_its_extension(name), (*ASKING, *FRAMES)), name


def text_of(node: ast.AST) -> str:
    """The text of a string, and of an f-string what does not vary."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ""


@pytest.mark.slow
def test_sql_of_more_than_a_line_is_in_sql() -> None:
    found = {
        name
        for name, tree in whole_package()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        and node.end_lineno != node.lineno
        and SQL.match(text_of(node))
    }
    assert found == GENERATED


# --- the command line ---------------------------------------------------------------

# Command → the function of the library that it calls.
CALLS = {
    "import": ("importer", "import_scenarios"),
    "query": ("database.query", "query"),
    "views": ("database.catalogue", "columns"),
}
SHORT = {"output": "to", "format_": "format"}


@pytest.mark.parametrize("command", CALLS)
def test_flags_are_named_like_the_arguments(command: str) -> None:
    module, name = CALLS[command]
    function = getattr(import_module(f"aslib_eval.{module}"), name)
    known = set(added_options.declared(function))
    flags = {p.name for p in main.commands[command].params if p.name}
    printing = {"format_", "output", "columns"}
    lake = {"lake"} if command == "import" else set()  # where to: ``into``
    assert flags - printing - lake <= known, command


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


def test_approved_texts_are_few_enough_to_be_read() -> None:
    texts = (ROOT / "tests" / "approved").rglob("*.txt")
    assert sum(text.stat().st_size for text in texts) <= 151_000


# Words of messages that stand nowhere else, and are spelled so.
RARE = re.findall(
    r"\w+",
    """
    accept allocate allocation awaiting beware classified clips colgroup computing
    conditional confirmation consequence contributes cope correctly cytosine depending
    dominate excel favours furthest games guanine hexadecimal hurley ideas identifies
    implementations implies inherit learners licenses ligand memoryout millisecond mins
    nowrap offers outperformed overstates overturn pale pending percentage processors
    protein recall recognise sec segfault smtlib stayed stud stumbled submission suited
    sullivan suspiciously synchronous thicker timeouted tle transactions treat ulimit
    microsecond microseconds msecs nanosecond nanoseconds nsec nsecs unrelated usec
    usecs widen younger
    """,
)
WORD = re.compile(r"(?<![\w\\./-])[A-Za-z][a-z]{2,}(?![\w/-]|\.\w)")


def messages() -> Iterator[tuple[str, str]]:
    """(file, text) of strings that are no single word, and of what SQL says."""
    for path in PACKAGE.rglob("*.py"):
        docs: set[int] = set()
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                docs |= {id(one.value) for one in node.body if isinstance(one, ast.Expr)}
            text = getattr(node, "value", None)
            if isinstance(text, str) and " " in text.strip() and id(node) not in docs:
                yield name_of(path), text
    for path in [*(ROOT / "sql").rglob("*.sql"), *PACKAGE.rglob("*.sql")]:
        said = re.findall(r"--.*|'[^'\n]*'", path.read_text(encoding="utf-8"))
        yield path.stem, "\n".join(said)


def test_no_word_of_a_message_is_mistyped() -> None:
    """What stands once in all code and documents is mistyped, or is listed."""
    ends = ("py", "sql", "js", "toml")
    files = [file for end in ends for file in PACKAGE.rglob(f"*.{end}")]
    files += [*(ROOT / "sql").rglob("*.sql"), *(ROOT / "docs").rglob("*.md")]
    texts = [file.read_text(encoding="utf-8") for file in [*files, *ROOT.glob("*.md")]]
    words = Counter(w for text in texts for w in re.findall("[a-z]+", text.lower()))
    found = {
        f"{file}: {word}"
        for file, text in messages()
        for word in WORD.findall(text)
        if words[word.lower()] == 1 and word.lower() not in RARE
    }
    assert sorted(found) == [], "If it is right, add it to RARE"


# What removes or moves, and the modules that alone do so by the name of a path.
_MOVES = {"unlink", "rmdir", "rmtree", "rename", "symlink", "symlink_to"}
_OF_OWN = {  # else only what the same process has made
    "folders",
    "atomic_files",
    "database.query",
    "executors",
    "formats.archive",
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
