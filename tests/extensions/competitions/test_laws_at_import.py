"""Laws of a competition's own rule, as its results are imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database import sqlfiles
from aslib_eval.extensions.competitions.analysis import boards, laws_at_import
from tests.conftest import ROOT, write_scenario
from tests.extensions.competitions.test_planted_faults import sat_track
from tests.lab import runs


def said(*paths: Path, into: Path) -> list[tuple[str, str]]:
    """Of each scenario, what its import says of laws."""
    outcomes = ae.import_scenarios(paths, into=into)
    return [
        (done.scenario_id, found.message)
        for done in outcomes
        for found in done.findings
        if found.code.startswith("law-")
    ]


def change_rules(monkeypatch: pytest.MonkeyPatch, **said: object) -> None:
    """Let the rule sat2023 say something else beside."""
    files = [
        replace(
            file,
            rows=[
                replace(row, values={**row.values, **said})
                if row.name == "sat2023"
                else row
                for row in file.rows
            ],
        )
        for file in sqlfiles.find_sql()
    ]
    monkeypatch.setattr(boards, "find_sql", lambda: files)


def test_a_broken_law_is_said_of_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Times of 1.5 and 2 s are within 3.5 s, and ten times as much is not."""
    tracks = [sat_track(tmp_path, f"results_{x}_detailed") for x in ("main", "cloud")]
    other = ROOT / "scenarios" / "TOY-2026"
    assert said(*tracks, other, into=tmp_path / "before") == []
    change_rules(monkeypatch, time_limit=3.5)
    what = (
        "sat2023 breaks a law here: ten times all times and limits change no order,"
        " but with ten times all times and limits, isasat is level with kissat, and"
        " was behind it"
    )
    found = said(tracks[0].parent, other, into=tmp_path / "after")
    assert found == [("SAT-2023-cloud", what), ("SAT-2023-main", what)]


def test_what_a_rule_says_that_it_lacks_is_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch, time_limit=3.5, lacks=["time_scale: it has a limit"])
    assert said(sat_track(tmp_path), into=tmp_path / "lake") == []


def test_a_record_says_its_laws_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws_at_import, "_broken", None)  # it would fail, and be told
    outcomes: list[ae.Imported] = []
    ae.competition("sat2023", sat_track(tmp_path), done=outcomes.append)
    codes = [found.code for done in outcomes for found in done.findings]
    assert "check-failed" not in codes
    again = ae.import_scenarios([sat_track(tmp_path)], into=tmp_path / "lake")
    assert again[0].findings[-1].code == "check-failed"


def test_results_of_no_rule_load_nothing(tmp_path: Path) -> None:
    assert list(laws_at_import.broken_at_import(tmp_path, ["TOY-2026"])) == []


def test_a_scenario_that_is_called_like_a_competition_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws_at_import, "_broken", None)  # it would fail, and be told
    folder = write_scenario(tmp_path / "QBF-2016", runs=runs(A=[1, 2], B=[2, 1]))
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert done.status == "imported"
    assert [found.code for found in done.findings if found.file == "QBF-2016"] == []
