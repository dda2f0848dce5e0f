"""The tests that belong to changed files: ``python -m tests.changed`` prints them.

Tests are laid out as the package is: those of ``aslib_eval/lake`` lie in ``tests/lake``, and of these the
ones that name the module, or something public of it.
A view has the tests that name it, or else what reads it, and one that sees a change of any column. Of what
many tests share, which is also a module without tests of its own, a file of each folder stands for the
others: what breaks one of them breaks most. The first stage runs them all.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALL = Path("tests")
# The commands as they are declared, and who imports whom: any change may break them.
ALWAYS = (Path("tests/cli/test_calls.py"), Path("tests/test_structure.py"))
# What a header says is what the view has, and each column of all views in brief.
OF_SQL = (Path("tests/database/test_sql_contract.py"), Path("tests/sql/test_columns.py"))
_OF_VIEWS = ("tests/analysis", "tests/sql", "tests/tables")
DOCUMENTS = (Path("tests/test_documents.py"), Path("tests/test_readme.py"))


def tests_of(file: Path) -> list[Path]:
    """Tests and folders of tests that belong to a file, be it there still or not."""
    match file.parts:
        case ("tests", *_):
            found = tests_of_tests(file)
        case ("aslib_eval", module):
            own = ALL / f"test_{module}"
            found = [own] if (ROOT / own).exists() else one_of_each(test_files(ALL))
        case ("aslib_eval", *folders, _):
            folder = nearest_folder(ALL.joinpath(*folders))
            found = using_module(file, test_files(folder)) or [folder]
        case ("sql", _, _):
            found = [*OF_SQL, *tests_of_view(file)]
        case ("sql", *_):
            found = [*OF_SQL]
        case ("scripts", *_):
            found = [ALL / "scripts"]
        case (*_, name) if name.endswith(".md"):
            found = [*DOCUMENTS]
        case ("docs" | ".ci", *_):
            found = []
        case ("scenarios", *_):
            found = one_of_each(test_files(ALL))
        case _:
            found = [ALL]
    return found


def tests_of_tests(file: Path) -> list[Path]:
    """Itself, or the tests that use what it holds."""
    match file.parts:
        case (*_, name) if name.startswith("test_") and (ROOT / file).exists():
            found = [file]
        case (*_, name) if name.startswith("test_"):
            found = [nearest_folder(file.parent)]
        case (*_, "conftest.py"):
            found = one_of_each(users_of(file, test_files(file.parent)))
        case (*_, name) if name.endswith(".py"):
            found = one_of_each(users_of(file, test_files(ALL)))
        case ("tests", "approved", *_):
            found = using({"approved", "summaries"}, test_files(ALL))
        case _:
            found = [nearest_folder(file.parent)]
    return found


def nearest_folder(folder: Path) -> Path:
    """The folder, or the first around it that has tests."""
    while not list((ROOT / folder).glob("**/test_*.py")):
        folder = folder.parent
    return folder


@cache
def test_files(folder: Path) -> list[Path]:
    """The files in a folder that have tests of the first stage."""
    found = (p.relative_to(ROOT) for p in (ROOT / folder).glob("**/test_*.py"))
    late = re.compile(r"^pytestmark = (\[\n +)?pytest\.mark\.(slow|oracles)", re.MULTILINE)
    return sorted(path for path in found if not late.search(text_of(path)))


def one_of_each(files: Iterable[Path]) -> list[Path]:
    """The shortest file of each folder."""
    found: dict[Path, Path] = {}
    for file in sorted(files, key=lambda file: (len(text_of(file)), file)):
        found.setdefault(file.parent, file)
    return sorted(found.values())


def text_of(file: Path) -> str:
    """What a file says; nothing if it is gone."""
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def words(file: Path) -> frozenset[str]:
    """The words of a file."""
    return frozenset(re.findall(r"\w+", text_of(file)))


def naming(names: Collection[str], files: Iterable[Path]) -> list[Path]:
    """The files in which one of the names occurs as a word."""
    return [file for file in files if not words(file).isdisjoint(names)]


def using(names: Collection[str], files: Iterable[Path]) -> list[Path]:
    """The files that have one of the names from elsewhere."""
    return [file for file in files if not used(file).isdisjoint(names)]


def using_module(file: Path, files: Iterable[Path]) -> list[Path]:
    """The files that are called like a module, or use it or something public of it."""
    if file.suffix != ".py":
        return []
    public = {name for name in definitions(text_of(file)) if name[0] != "_"}
    own = [each for each in files if each.name == f"test_{file.stem}.py"]
    return [*own, *using({file.stem, *public}, files)]


@cache
def used(file: Path) -> frozenset[str]:
    """What a file has from elsewhere: imports and where they are from, and fixtures."""
    return frozenset(found_in(ast.parse(text_of(file))) - {"self"})


def found_in(tree: ast.AST) -> set[str]:
    """The names that code imports, takes as arguments, looks up in something or loads.

    Local names stand among the last only where ``tree`` is no module.
    """
    found: set[str] = set()
    inside = not isinstance(tree, ast.Module)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name) if inside:
                found.add(name)
            case ast.Call(func=ast.Attribute(attr="usefixtures"), args=args):
                found.update(str(getattr(arg, "value", "")) for arg in args)
            case ast.Import(names=names):
                found.update(each.name.rpartition(".")[2] for each in names)
            case ast.ImportFrom(module=module, names=names):
                found.update((str(module).rpartition(".")[2], *(n.name for n in names)))
    return found


def tests_of_view(file: Path) -> list[Path]:
    """Tests that name a view; where none does, those of the views that read it.

    Of a SELECT that Python asks for by its name, the tests of who asks for it.
    """
    if "frame" in file.parts:
        asking = sorted((ROOT / "aslib_eval").glob("**/*.py"))
        asking = [path for path in asking if f'"{file.stem}"' in path.read_text("utf-8")]
        return [t for path in asking for t in tests_of(path.relative_to(ROOT))]
    folders = ("tests/tables",) if "table" in file.parts else _OF_VIEWS
    files = [each for folder in folders for each in test_files(Path(folder))]
    views = [path.relative_to(ROOT) for path in ROOT.glob("sql/*/*.sql")]
    names = {file.stem}
    while not (found := naming(names, files)):
        above = {view.stem for view in naming(names, views)} | names
        if above == names:  # nothing reads it
            break
        names = above
    return found


def definitions(text: str) -> dict[str, ast.stmt]:
    """What a module defines, by name; imports define nothing of its own."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(text).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = node
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
    return found


def users_of(file: Path, files: list[Path]) -> list[Path]:
    """The tests that use what is defined otherwise than before in a file they share.

    Also by what else tests share; a hook of pytest concerns them all.
    """
    before, now = (
        {name: ast.unparse(node) for name, node in definitions(text).items()}
        for text in (text_before(file), text_of(file))
    )
    names = {n for n in before.keys() | now.keys() if before.get(n) != now.get(n)}
    if any(name.startswith("pytest_") for name in names):
        return files
    shared = (p for p in (ROOT / ALL).glob("**/*.py") if not p.name.startswith("test_"))
    users = [
        (name, found_in(node))
        for path in shared
        for name, node in definitions(path.read_text("utf-8")).items()
    ]
    while more := {name for name, uses in users if name not in names and not names.isdisjoint(uses)}:
        names |= more
    return using(names, files)


def text_before(file: Path) -> str:
    """What a file said where this branch left the main one."""
    return "\n".join(git("show", f"{base()[0]}:{file.as_posix()}"))


def chosen(files: Iterable[Path]) -> list[Path]:
    """Tests that belong to any of the files, none inside another, and those of all."""
    found = {*ALWAYS, *(tests for file in files for tests in tests_of(file))}
    return sorted(tests for tests in found if found.isdisjoint(tests.parents))


def changed_files() -> set[Path]:
    """Files that differ from where this branch left the main one, or are new."""
    differ = git("diff", "--name-only", "--no-renames", *base())
    new = git("ls-files", "--others", "--exclude-standard")
    return {Path(name) for name in (*differ, *new)}


def base() -> list[str]:
    """The commit where this branch left the main one."""
    return merge_base("origin/HEAD") or merge_base("main") or ["HEAD"]


def merge_base(branch: str) -> list[str]:
    return git("merge-base", "HEAD", branch)


def git(*words: str) -> list[str]:
    """The lines that git prints; none where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def main() -> None:
    if git("rev-parse", "HEAD"):
        files = changed_files()
        tests = chosen(files)
        why = f"{len(files)} files differ from the main branch"
    else:
        tests, why = [ALL], "no git repository"
    names = [path.as_posix() for path in tests]
    sys.stderr.write(f"quick: {why}; tests: {' '.join(names)}\n")
    sys.stdout.writelines(f"{name}\n" for name in names)


if __name__ == "__main__":
    main()
