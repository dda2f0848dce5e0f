"""A scenario that cannot be reported is named, and all others have their pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.cli import main
from aslib_eval.reports import write
from tests.conftest import write_scenario
from tests.lab import runs


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("two")
    for name in ("good", "bad[1]"):
        folder = write_scenario(home / name, runs=runs(A=[1, 2], B=[2, 1]))
        ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


def test_what_fails_for_all_is_the_error_itself(lake: Path, tmp_path: Path) -> None:
    with pytest.raises(ae.AslibError, match="no such") as error:
        write.write_report(lake, to=tmp_path / "r", protocol="no such")
    assert not isinstance(error.value, write.ReportError)
    assert not (tmp_path / "r").exists()


def test_pages_stay_where_no_scenario_can_be_reported(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(facts: ScenarioResults, **_: Any) -> str:
        raise OSError("gone" if facts.scenario_id else "")

    monkeypatch.setattr(write, "scenario_page", failing)
    (tmp_path / "index.html").write_text("of yesterday")
    words = ["report", "--jobs", "1", "--lake", str(lake), "-o", str(tmp_path)]
    found = CliRunner().invoke(main, words)
    assert (found.exit_code, found.stdout) == (1, "")
    why = "cannot be reported (OSError: gone), nor can 1 more. Nothing was changed."
    assert found.stderr == f"bad[1]: {why}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text() == "of yesterday"
