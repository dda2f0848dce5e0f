"""What a protocol makes of wrong answers, and of those that contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from tests.conftest import rows

TABLE = """\
instance,solver,time,status,result,expected
i,ant,3,ok,sat,sat
i,bee,4,ok,unsat,sat
j,ant,3,ok,unsat,
j,bee,5,ok,sat,
k,ant,3,ok,sat,sat
k,bee,9,ok,sat,sat
l,ant,7,TO,,
l,bee,8,ok,unsat,
"""
SCORES = """
    select solver, n_instances, round(solved * n_instances)::int, par10
    from solver_score where kind = 'algorithm' order by solver
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    (folder / "T.csv").write_text(TABLE)
    ae.import_runs(folder / "T.csv", into=folder / "lake", cutoff=10)
    return folder / "lake"


@pytest.mark.parametrize(
    ("choices", "ant", "bee"),
    [
        # i: bee is wrong; j: nobody knows; k: both right; l: ant timed out
        ({}, (4, 3, 109 / 4), (4, 3, 122 / 4)),
        ({"wrong_answers": "disqualified"}, (4, 3, 109 / 4), (4, 0, 100)),
        ({"wrong_answers": "left_out"}, (3, 2, 106 / 3), (3, 3, 22 / 3)),
        ({"disputed_answers": "unsolved"}, (4, 2, 206 / 4), (4, 2, 217 / 4)),
        ({"disputed_answers": "left_out"}, (3, 2, 106 / 3), (3, 2, 117 / 3)),
        ({"wrong_answers": "left_out", "disputed_answers": "left_out"}, (2, 1, 103 / 2), (2, 2, 17 / 2)),
    ],
)
def test_each_choice(
    lake: Path, choices: dict[str, str], ant: tuple[float, ...], bee: tuple[float, ...]
) -> None:
    found = rows(ae.connect(lake, protocols=[Protocol(protocol="p", **choices)]), SCORES)
    assert [name for name, *_ in found] == ["ant", "bee"]
    assert [each[1:] for each in found] == [pytest.approx(ant), pytest.approx(bee)]


def test_a_quality_of_who_is_disqualified_does_not_count(tmp_path: Path) -> None:
    text = "instance,solver,cost,status\ni,ant,3,ok\ni,bee,1,ok\nj,ant,5,ok\nj,bee,2,"
    path = tmp_path / "T.csv"
    path.write_text(f"{text}INCORRECT\n")
    ae.import_runs(path, into=tmp_path / "lake")
    query = """
        select algorithm, instance_id, failed, runstatus from stg_run
        where protocol = 'p' order by all
    """
    strict = Protocol(protocol="p", wrong_answers="disqualified")
    assert rows(ae.connect(tmp_path / "lake", protocols=[strict]), query) == [
        ("ant", "i", False, "ok"),
        ("ant", "j", False, "ok"),
        ("bee", "i", True, "wrong"),
        ("bee", "j", True, "wrong"),
    ]


def test_of_a_disputed_instance_only_answers_become_unsolved(tmp_path: Path) -> None:
    text = "instance,solver,time,status\ni,ant,3,sat\ni,bee,4,unsat\ni,cat,10,TO\n"
    (tmp_path / "T.csv").write_text(text)
    ae.import_runs(tmp_path / "T.csv", into=tmp_path / "lake", cutoff=10)
    con = ae.connect(tmp_path / "lake", protocols=[Protocol(protocol="p", disputed_answers="unsolved")])
    status = "select algorithm, runstatus from run_status order by all"
    assert rows(con, status) == [("ant", "other"), ("bee", "other"), ("cat", "timeout")]


def test_an_instance_of_a_known_best_value_is_not_disputed(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("instance,solver,cost,best\ni,ant,3,1\nj,ant,5,\n")
    ae.import_runs(tmp_path / "T.csv", into=tmp_path / "lake")
    con = ae.connect(tmp_path / "lake", protocols=[Protocol(protocol="p", disputed_answers="left_out")])
    assert rows(con, "select distinct role from raw_reference") == [("best_known",)]
    assert rows(con, "select distinct n_instances from solver_score") == [(2,)]
