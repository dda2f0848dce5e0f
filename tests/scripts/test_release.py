# ruff: noqa: E501 - a case a line
"""What a release checks before it makes anything: that all that names it agrees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from publishing.release import disagreements, recipe, uncommitted

FILES = {
    "aslib_eval/_version.py": '__version__ = "0.3.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## [0.3.0] - 2026-12-01\n\n## [0.2.0] - 2026-11-01\n",
    "CITATION.cff": "version: 0.3.0\ndate-released: 2026-12-01\n",
    "pyproject.toml": """
[project]
requires-python = ">=3.11"
dependencies = ["click>=8.2", "duckdb>=2,<3"]
""",
    "scripts/publishing/recipe.yaml": """
context: {version: "VERSION"}
source: {url: SOURCE, sha256: SHA256}
requirements: {run: [python >=3.11, click >=8.2, "python-duckdb >=2,<3"]}
""",
}


def written(folder: Path, **changed: str) -> Path:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        before, _, after = changed.get(Path(name).stem, "").partition(" -> ")
        assert before in text
        (folder / name).write_text(text.replace(before, after) if before else text)
    return folder


def test_a_checkout_whose_files_agree_is_ready(tmp_path: Path) -> None:
    assert list(disagreements(written(tmp_path))) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"CHANGELOG": "[0.3.0] - 2026-12-01 -> [Unreleased]"}, ["CHANGELOG.md:3: is not 0.3.0 with its date. Write `## [0.3.0] - YEAR-MONTH-DAY`.", "CITATION.cff: date-released is 2026-12-01. Write `date-released: YEAR-MONTH-DAY`."]),
        ({"CHANGELOG": "## [0.3.0] - 2026-12-01 -> "}, ["CHANGELOG.md:5: is not 0.3.0 with its date. Write `## [0.3.0] - YEAR-MONTH-DAY`.", "CITATION.cff: date-released is 2026-12-01. Write `date-released: YEAR-MONTH-DAY`."]),
        ({"CHANGELOG": "2026-12-01 -> 2026-12-02"}, ["CITATION.cff: date-released is 2026-12-01. Write `date-released: 2026-12-02`."]),
        ({"CITATION": "date-released: 2026-12-01 -> "}, ["CITATION.cff: date-released is missing. Write `date-released: 2026-12-01`."]),
        ({"CITATION": "0.3.0 -> 0.2.0"}, ["CITATION.cff: version is 0.2.0. Write `version: 0.3.0`."]),
        ({"pyproject": "click>=8.2 -> click>=8.3"}, ["scripts/publishing/recipe.yaml: lacks `click>=8.3`. Add it below `run`."]),
        ({"pyproject": ">=3.11 -> >=3.12"}, ["scripts/publishing/recipe.yaml: lacks `python>=3.12`. Add it below `run`."]),
        ({"recipe": "python-duckdb -> duckdb"}, ["scripts/publishing/recipe.yaml: lacks `python-duckdb>=2,<3`. Add it below `run`."]),
    ],
)  # fmt: skip
def test_what_disagrees_is_named_with_what_to_write(
    tmp_path: Path, changed: dict[str, str], said: list[str]
) -> None:
    assert list(disagreements(written(tmp_path, **changed))) == said


def test_this_checkout_lacks_nothing_but_its_date() -> None:
    said = [finding for finding in disagreements(ROOT) if "YEAR" not in finding]
    assert said == []


def test_a_file_that_is_not_committed_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "new.txt").touch()
    said = "new.txt: is not committed. Commit it, or put it away."
    assert list(uncommitted(tmp_path)) == [said]


def test_the_recipe_names_version_place_and_hash(tmp_path: Path) -> None:
    root = written(tmp_path)
    source = root / "aslib_eval-0.3.0.tar.gz"
    source.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    text = recipe(root, source)
    assert text.startswith(
        """
context: {version: "0.3.0"}
source: {url: dist/aslib_eval-0.3.0.tar.gz, sha256: """
        + digest
    )
