"""The tests that ``scripts/test --quick`` runs for changed files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import changed

ALWAYS = ["tests/cli/test_calls.py", "tests/test_structure.py"]
_SLOW = "import pytest\npytestmark = pytest.mark.slow\n"
_FILES = {
    "aslib_eval/house/doors.py": "_KEY = 1\ndef door(): ...\ndef lock(): ...\n",
    "aslib_eval/house/walls.py": "def wall(): ...\n",
    "aslib_eval/house/asks.py": "lake.ask('x')\nlake.ask(\"open_doors\")\n",
    "sql/house/door.sql": "select 1 from raw_door",
    "sql/house/corridor.sql": "select 1 from door",
    "sql/house/flat.sql": "select 1 from corridor",
    "sql/frame/open_doors.sql": "select 1 from flat",
    "tests/conftest.py": "from x import y\ndef key(bolt): ...\ndef bolt(): ...\n",
    "tests/lab.py": "def make(): return _made()\ndef _made(): return 1\n",
    "tests/house/test_asks.py": "",
    "tests/house/test_doors.py": "",
    "tests/house/test_locks.py": "from aslib_eval.house.doors import lock\n",
    "tests/house/test_called.py": "ae.door()\n",
    "tests/house/test_prose.py": "'A door and a lock.'\n# door\n",
    "tests/house/test_later.py": f"{_SLOW}ae.door()\n",
    "tests/metrics/test_short.py": "from tests.lab import make\n",
    "tests/metrics/test_longer.py": "from tests.lab import make\n" + "#" * 99,
    "tests/metrics/deep/test_key.py": "def test(key): ...\n",
    "tests/sql/test_flat.py": "'from flat'\n",
    "tests/tables/test_other.py": "",
}

_SHORTEST = [
    "tests/house/test_asks.py",
    "tests/metrics/deep/test_key.py",
    "tests/metrics/test_short.py",
    "tests/sql/test_flat.py",
    "tests/tables/test_other.py",
]


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("aslib_eval/figures/gone/since.py", "tests/figures"),
        ("aslib_eval/importer.py", "tests/test_importer.py"),
        ("aslib_eval/reports/assets/page.js", "tests/reports"),
        ("scripts/test", "tests/scripts"),
        ("tests/lake/test_atomic.py", "tests/lake/test_atomic.py"),
        ("tests/lake/test_gone.py", "tests/lake"),
        ("docs/lake.md", "tests/test_documents.py tests/test_readme.py"),
        ("README.md", "tests/test_documents.py tests/test_readme.py"),
        ("docs/pictures/report.webp", ""),
        ("sql/keys.toml", "tests/database/test_sql_contract.py tests/sql/test_columns.py"),
        ("pyproject.toml", "tests"),
    ],
)
def test_tests_lie_as_the_files_do(file: str, tests: str) -> None:
    assert names(changed.tests_of(Path(file))) == tests.split()


def names(paths: list[Path]) -> list[str]:
    return [path.as_posix() for path in paths]


Before = Callable[[str], None]


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Before]:
    """A small checkout; says what the file in question held before."""
    for name, text in _FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    forget()
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    yield lambda text: monkeypatch.setattr(changed, "text_before", lambda _: text)
    forget()


def forget() -> None:
    for cached in (changed.test_files, changed.words, changed.used):
        cached.cache_clear()


@pytest.mark.usefixtures("before")
@pytest.mark.parametrize(
    ("module", "tests"),
    [
        # Called like it, using something public of it; what is slow is left out.
        ("doors", "test_doors.py test_called.py test_locks.py"),
        ("walls", ""),  # nothing uses it: the folder
    ],
)
def test_a_module_has_the_tests_that_use_it(module: str, tests: str) -> None:
    found = names(changed.tests_of(Path(f"aslib_eval/house/{module}.py")))
    assert found == ([f"tests/house/{name}" for name in tests.split()] or ["tests/house"])


@pytest.mark.usefixtures("before")
@pytest.mark.parametrize(
    ("view", "tests"),
    [
        ("house/flat", ["tests/sql/test_flat.py"]),
        ("house/door", ["tests/sql/test_flat.py"]),  # by two views between them
        ("house/gone", []),
        ("frame/open_doors", ["tests/house/test_asks.py"]),  # of the module that asks
        ("table/flat", []),  # none of those of paper tables names it
    ],
)
def test_a_view_has_the_tests_that_name_it_or_what_reads_it(view: str, tests: list[str]) -> None:
    always = names([*changed.OF_SQL])
    assert names(changed.tests_of(Path(f"sql/{view}.sql"))) == [*always, *tests]


@pytest.mark.parametrize(
    ("file", "old", "tests"),
    [
        ("conftest", "def key(bolt): ...\ndef bolt(): return 1", "deep/test_key.py"),
        ("conftest", "# old\ndef key( bolt ):  ...\ndef bolt(): ...", ""),
        ("lab", "def make(): return _made()\ndef _made(): return 2", "test_short.py"),
    ],
)
def test_what_tests_share_has_a_file_of_each_folder_that_uses_what_changed(
    before: Before, file: str, old: str, tests: str
) -> None:
    before(old)
    found = names(changed.tests_of(Path(f"tests/{file}.py")))
    assert found == [f"tests/metrics/{name}" for name in tests.split()]


def test_a_hook_of_pytest_concerns_all_tests(before: Before) -> None:
    before(f"{_FILES['tests/conftest.py']}def pytest_configure(): ...\n")
    assert names(changed.tests_of(Path("tests/conftest.py"))) == _SHORTEST


@pytest.mark.usefixtures("before")
@pytest.mark.parametrize("file", ["aslib_eval/errors.py", "scenarios/TOY/cv.arff"])
def test_of_what_everything_rests_on_a_file_stands_for_its_folder(file: str) -> None:
    assert names(changed.tests_of(Path(file))) == _SHORTEST


@pytest.mark.slow
def test_approved_texts_have_the_tests_that_compare_them() -> None:
    found = names(changed.tests_of(Path("tests/approved/index.txt")))
    assert {"tests/cli/test_options.py", "tests/reports/test_approved.py"} <= {*found}


def test_what_any_change_may_break_is_chosen_always() -> None:
    assert names(changed.chosen([])) == ALWAYS


def test_a_file_in_a_folder_that_is_chosen_is_not_named_again() -> None:
    files = ["scripts/test", "tests/scripts/test_help.py", "aslib_eval/text.py"]
    chosen = names(changed.chosen(map(Path, files)))
    assert chosen == sorted([*ALWAYS, "tests/scripts", "tests/test_text.py"])
    assert names(changed.chosen([Path("pyproject.toml")])) == ["tests"]
