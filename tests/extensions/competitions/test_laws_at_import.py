"""Laws of a competition's own rule, as its results are imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import aslib_eval as ae
from aslib_eval.database import sqlfiles
from aslib_eval.extensions import competitions as laws_at_import
from tests import lab
from tests.conftest import ROOT, write_scenario
from tests.extensions.competitions.test_planted_faults import sat_track
from tests.test_plugins import install


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
    rows = [
        replace(row, values={**row.values, **said}) if row.name == "sat2023" else row
        for row in sqlfiles.our_rows("rule")
    ]
    monkeypatch.setattr("aslib_eval.database.sqlfiles.our_rows", lambda _: rows)


def test_a_broken_law_is_said_of_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times of 1.5 and 2 s are within 3.5 s, and ten times as much is not."""
    tracks = [sat_track(tmp_path, f"results_{x}_detailed") for x in ("main", "cloud")]
    other = ROOT / "scenarios" / "TOY-2026"
    assert said(*tracks, other, into=tmp_path / "before") == []
    change_rules(monkeypatch, time_limit=3.5)
    what = (
        "sat2023 breaks a law here: multiplying all times and limits by ten does not change the order,"
        " but with all times and limits multiplied by ten, isasat is level with kissat"
        " instead of behind it"
    )
    found = said(tracks[0].parent, other, into=tmp_path / "after")
    assert found == [("SAT-2023-cloud", what), ("SAT-2023-main", what)]


def test_what_a_rule_says_that_it_lacks_is_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch, time_limit=3.5, lacks=["time_scale: it has a limit"])
    assert said(sat_track(tmp_path), into=tmp_path / "lake") == []


def test_a_record_says_its_laws_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_rules(monkeypatch, time_limit=3.5)
    monkeypatch.setattr(laws_at_import, "_broken", None)  # it would fail, and be told
    outcomes: list[ae.Imported] = []
    ae.competition("sat2023", sat_track(tmp_path), done=outcomes.append)
    assert "check-failed" not in [found.code for done in outcomes for found in done.findings]
    again = ae.import_scenarios([sat_track(tmp_path)], into=tmp_path / "lake")
    assert again[0].findings[-1].code == "check-failed"


@pytest.mark.parametrize(
    ("runs", "is_complete"),
    [
        (["i1a", "i1a", "i1b", "j1a", "j1b"], True),  # a second measure of one
        (["i1a", "i1b", "j1a"], False),
        (["i1a", "i1b", "i2a"], False),
    ],
)
def test_a_solver_without_a_run_is_seen(runs: list[str], *, is_complete: bool, tmp_path: Path) -> None:
    """A run is an instance, a repetition and a solver."""
    columns = zip(*runs, strict=True)
    names = ("instance_id", "repetition", "algorithm")
    table = pa.table(dict(zip(names, map(list, columns), strict=True)))
    pq.write_table(table, tmp_path / "run.parquet")
    version: Any = SimpleNamespace(file=lambda _: tmp_path / "run.parquet")
    assert laws_at_import._is_complete(version) == is_complete  # noqa: SLF001


def test_a_rule_of_another_package_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rule is made for scenarios that none of ours is made for."""
    package = tmp_path / "target" / "ourcup"
    (package / "sql" / "rule").mkdir(parents=True)
    rule = 'like = "sat2023"\nscenarios = ["CUP-*"]\ntime_limit = 3.5\n'
    (package / "sql" / "rule" / "ourcup.toml").write_text(rule)
    for folder in (package, package / "sql"):
        (folder / "__init__.py").touch()
    install(package.parent, "our-cup", {"aslib_eval.views": {"cup": "ourcup.sql"}})
    monkeypatch.syspath_prepend(package.parent)
    track = sat_track(tmp_path)
    found = [
        ae.import_scenarios([track], into=tmp_path / cup, scenario_id=cup)[0].findings
        for cup in ("CUP", "OTHER")
    ]
    told = [[x.message for x in some if x.code == "law-time_scale"] for some in found]
    assert [len(some) for some in told] == [1, 0]
    assert told[0][0].startswith("ourcup breaks a law here: multiplying all times")


def test_a_scenario_that_is_called_like_a_competition_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws_at_import, "_broken", None)  # it would fail, and be told
    folder = write_scenario(tmp_path / "QBF-2016", runs=lab.runs(A=[1, 2], B=[2, 1]))
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert done.status == "imported"
    assert [found.code for found in done.findings if found.file == "QBF-2016"] == []
