"""The tests that ``scripts/test --quick`` runs for changed files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import changed

ALWAYS = ["tests/cli/test_calls.py", "tests/test_structure.py"]

SQL = (
    "tests/analysis tests/cli/test_options.py tests/database/test_sql_contract.py"
    " tests/sql tests/tables"
)


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("aslib_eval/lake/schema.py", "tests/lake"),
        ("aslib_eval/metrics/sweeps/gaps.py", "tests/metrics/sweeps"),
        ("aslib_eval/figures/gone/since.py", "tests/figures"),
        ("aslib_eval/importer.py", "tests/test_importer.py"),
        ("aslib_eval/reports/assets/page.js", "tests/reports"),
        ("scripts/test", "tests/scripts"),
        ("tests/lake/test_atomic.py", "tests/lake/test_atomic.py"),
        ("tests/lake/test_gone.py", "tests/lake"),
        ("tests/reports/conftest.py", "tests/reports"),
        ("docs/lake.md", "tests/test_documents.py tests/test_readme.py"),
        ("README.md", "tests/test_documents.py tests/test_readme.py"),
        ("docs/pictures/report.webp", ""),
        # Those on which everything rests.
        ("aslib_eval/errors.py", "tests"),
        ("sql/solver/solver_score.sql", SQL),
        ("sql/keys.toml", "tests"),
        ("tests/conftest.py", "tests"),
        ("tests/approved/index.txt", "tests"),
        ("scenarios/TOY-2026/cv.arff", "tests"),
        ("pyproject.toml", "tests"),
    ],
)
def test_tests_lie_as_the_files_do(file: str, tests: str) -> None:
    assert [str(path) for path in changed.tests_of(Path(file))] == tests.split()


def test_what_any_change_may_break_is_chosen_always() -> None:
    assert [str(path) for path in changed.chosen([])] == ALWAYS


def test_a_file_in_a_folder_that_is_chosen_is_not_named_again() -> None:
    files = ["aslib_eval/cli/gap.py", "tests/cli/test_pipes.py", "aslib_eval/text.py"]
    chosen = [str(path) for path in changed.chosen(map(Path, files))]
    assert chosen == ["tests/cli", "tests/test_structure.py", "tests/test_text.py"]
    assert changed.chosen([Path("pyproject.toml")]) == [Path("tests")]
