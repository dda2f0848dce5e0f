"""The tests that belong to changed files: ``python -m tests.changed`` prints them.

Tests are laid out as the package is: those of ``aslib_eval/lake`` lie in
``tests/lake``. SQL calls for the tests of views, of what is computed of them, and of
what commands answer. What everything rests on calls for all tests: ``pyproject.toml``,
data, what tests share, and a module that has no tests of its own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALL = Path("tests")
# The commands as they are declared, and who imports whom: any change may break them.
ALWAYS = (Path("tests/cli/test_calls.py"), Path("tests/test_structure.py"))
OF_SQL = (
    Path("tests/analysis"),
    Path("tests/cli/test_options.py"),
    Path("tests/database/test_sql_contract.py"),
    Path("tests/sql"),
    Path("tests/tables"),
)
DOCUMENTS = (Path("tests/test_documents.py"), Path("tests/test_readme.py"))


def tests_of(file: Path) -> list[Path]:
    """Tests and folders of tests that belong to a file, be it there still or not."""
    match file.parts:
        case ("tests", *_, name) if name.startswith("test_") and (ROOT / file).exists():
            found = [file]
        case ("tests", *_):
            found = [nearest_folder(file.parent)]
        case ("aslib_eval", module):
            own = ALL / f"test_{module}"
            found = [own if (ROOT / own).exists() else ALL]
        case ("aslib_eval", *folders, _):
            found = [nearest_folder(ALL.joinpath(*folders))]
        case ("sql", *_, name) if name.endswith(".sql"):
            found = [*OF_SQL]
        case ("scripts", *_):
            found = [ALL / "scripts"]
        case (*_, name) if name.endswith(".md"):
            found = [*DOCUMENTS]
        case ("docs" | ".ci", *_):
            found = []
        case _:
            found = [ALL]
    return found


def nearest_folder(folder: Path) -> Path:
    """The folder, or the first around it that has tests."""
    while not list((ROOT / folder).glob("**/test_*.py")):
        folder = folder.parent
    return folder


def chosen(files: Iterable[Path]) -> list[Path]:
    """Tests that belong to any of the files, none inside another, and those of all."""
    found = {*ALWAYS, *(tests for file in files for tests in tests_of(file))}
    return sorted(tests for tests in found if found.isdisjoint(tests.parents))


def changed_files() -> set[Path]:
    """Files that differ from where this branch left the main one, or are new."""
    base = merge_base("origin/HEAD") or merge_base("main") or ["HEAD"]
    differ = git("diff", "--name-only", "--no-renames", *base)
    new = git("ls-files", "--others", "--exclude-standard")
    return {Path(name) for name in (*differ, *new)}


def merge_base(branch: str) -> list[str]:
    return git("merge-base", "HEAD", branch)


def git(*words: str) -> list[str]:
    """The lines that git prints; none where it fails."""
    done = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
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
