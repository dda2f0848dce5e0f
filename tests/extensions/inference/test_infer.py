"""The contest of our own: its networks and answers come out again, byte for byte."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import aslib_eval as ae
from tests.conftest import ROOT, rows

sys.path.insert(0, str(ROOT / "scripts"))

from inferring import contest, generate

FOLDER = ROOT / "scenarios" / contest.NAME
SMALL = ("bayes-14", "colouring-09", "diagnosis-06", "grid-04", "spin-glass-07")


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_networks_and_answers_come_out_again(name: str) -> None:
    made = dict(contest.files([name]))
    held = {path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob(f"{name}.uai*")}
    assert made == held


# SHA-256, of which the first 16 digits.


def test_the_folder_holds_the_contest_and_nothing_else() -> None:
    names = set(generate.names())
    assert len(names) == 24
    assert {p.name.removesuffix(".uai") for p in (FOLDER / "networks").iterdir()} == names
    others = [p for p in FOLDER.iterdir() if p.is_file()]
    assert {p.name: p.read_text() for p in others} == dict(contest.texts())


@pytest.mark.slow
def test_the_contest_is_scored(tmp_path: Path) -> None:
    """Who wins differs from task to task, and everywhere a choice would pay."""
    outcomes = ae.import_scenarios([FOLDER], into=tmp_path)
    assert [(o.scenario_id, o.status, o.findings) for o in outcomes] == [
        (f"INFERENCE-2026-{task}", "imported", ()) for task in contest.TASKS
    ]
    with ae.connect(tmp_path) as con:
        sql = """
            select scenario_id[16:], solver, round(-cost, 1) from solver_score
            where kind = 'algorithm' order by scenario_id, cost
        """
        assert rows(con, sql) == SCORES
        assert rows(
            con, "select count(*) from solver_gap where kind = 'algorithm' and closed_gap is null"
        ) == [(0,)]


SCORES = [
    ("MAP", "gibbs", 87.6),
    ("MAP", "belief-propagation", 83.3),
    ("MAP", "mean-field", 82.5),
    ("MAP", "exact", 71.7),
    ("MAR", "belief-propagation", 74.8),
    ("MAR", "exact", 71.7),
    ("MAR", "gibbs", 45.1),
    ("MAR", "mean-field", 12.4),
    ("MMAP", "mean-field", 96.4),
    ("MMAP", "belief-propagation", 88.8),
    ("MMAP", "gibbs", 88.0),
    ("MMAP", "exact", 41.7),
    ("PR", "exact", 71.7),
    ("PR", "belief-propagation", 58.9),
    ("PR", "mean-field", 7.6),
]
