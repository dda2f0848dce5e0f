"""What a competition's scoring leaves out and why, and what its record is made of."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.competitions.record import CompetitionRecord, left_out
from aslib_eval.extensions.competitions.record_formats import FORMATS
from aslib_eval.extensions.competitions.rules import Ranking

# Of a limit of 100 s. i2: sound solvers disagree; i3: c is late; i4: nobody was run.
RUNS = """instance,solver,claim,wall,ended,role,track
i1,a,sat,5,ok,,main
i1,b,sat,9,ok,hors concours,main
i1,c,,100,timeout,,main
i2,a,sat,5,ok,,main
i2,b,unsat,9,ok,hors concours,main
i2,c,,100,timeout,,main
i3,a,unsat,5,ok,,cloud
i3,b,,100,timeout,hors concours,cloud
i3,c,unsat,120,ok,,cloud
i4,a,,,not_applicable,,main
i4,b,,,not_applicable,hors concours,main
i4,c,,,not_applicable,,main
"""


def found(**said: Any) -> set[tuple[str, str, int, str]]:
    """What, why, how many and which, by a rule that says this."""
    runs = pl.read_csv(RUNS.encode()).rename({"instance": "instance_id"})
    runs = runs.with_columns(scenario_id=pl.lit("S"), repetition=1, cutoff=100.0, cpu="wall")
    rule = {"rule": "r", "clock": "wall", **said}
    ranking = Ranking()
    frames = (ranking.answer(view, runs, [rule]) for view in ("rule_run", "rule_board"))  # type: ignore[arg-type]
    rows = left_out(runs, *frames, {"r": rule})
    assert set(rows["scenario_id"]) == {"S"}
    assert set(rows["rule"]) == {"r"}
    return {
        (what, why, n, " ".join(names)) for what, why, n, names in rows.drop("scenario_id", "rule").rows()
    }


IDLE = ("instances", "no solver ran on it", 1, "i4")
OUTSIDE = ("solvers", "hors concours: has no place", 1, "b")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({}, {OUTSIDE}),
        ({"disagreement": "removed"}, {OUTSIDE, ("instances", "sound solvers say sat and unsat", 1, "i2")}),
        ({"time_limit": 110}, {OUTSIDE, ("answers", "after the limit", 1, "c on i3")}),
        ({"answers": "unsat"}, {OUTSIDE, ("instances", "not known to be unsat", 2, "i1 i2")}),
        ({"track": "main"}, {OUTSIDE, ("instances", "of another track", 1, "i3")}),
        ({"counts": ["competing"]}, {("solvers", "hors concours: does not count", 1, "b")}),
    ],
)
def test_what_a_rule_leaves_out(said: dict[str, Any], left: set[tuple[str, str, int, str]]) -> None:
    assert found(**said) == {IDLE, *left}


def test_who_is_disqualified() -> None:
    runs = RUNS.replace("i1,c,,100,timeout", "i1,c,unsat,100,ok")
    assert "i1,c,unsat" in runs
    frame = pl.read_csv(runs.encode()).rename({"instance": "instance_id"})
    frame = frame.with_columns(scenario_id=pl.lit("S"), repetition=1, truth=pl.lit("sat"))
    rule = {"rule": "r", "wrong": "disqualified"}
    ranking = Ranking()
    rows = left_out(
        frame, ranking.answer("rule_run", frame, [rule]), ranking.board(frame, [rule]), {"r": rule}
    )
    assert rows.filter(why="disqualified: a wrong answer")["names"].to_list() == [["a", "c"]]


def made(folder: Path) -> CompetitionRecord:
    """Of three solvers under PAR10; the second is outside of the contest."""
    (folder / "runs.csv").write_text(
        "instance,solver,time,status\n"
        "a,x_1,1.5,ok\na,y,20,ok\na,z,100,timeout\n"
        "b,x_1,100,timeout\nb,y,3,ok\nb,z,100,timeout\n"
    )
    return ae.competition("par10", folder / "runs.csv", cutoff=100, hors_concours=["y"])


def test_the_record_says_what_it_is_made_of(tmp_path: Path) -> None:
    record = json.loads(FORMATS["json"](made(tmp_path)))
    assert record["left_out"] == [
        {
            "scenario_id": "runs",
            "rule": "par10",
            "what": "solvers",
            "why": "hors concours: has no place",
            "n": 1,
            "names": ["y"],
        }
    ]
    (row,) = record["instances"]
    names = "".join(f"{name}\n" for name in row["names"])
    assert (row["names"], row["n"]) == (["a", "b"], 2)
    assert row["sha256"] == hashlib.sha256(names.encode()).hexdigest()
    read = (tmp_path / "runs.csv").read_bytes()
    digests = {each["file"]: each["sha256"] for each in record["files"]}
    assert digests["runs.csv"] == hashlib.sha256(read).hexdigest()
    (rule,) = record["rules"]
    assert (rule["rule"], len(rule["hash"])) == ("par10", 12)
    assert {each["solver"]: each["role"] for each in record["solvers"]} == {
        "x_1": None,
        "y": "hors concours",
        "z": None,
    }


def test_a_rule_is_named_by_what_it_says() -> None:
    of = Ranking().hash_of
    same = of({"rule": "a", "about": "x", "penalty": 2})
    assert same == of({"rule": "b", "lacks": ["third: y"]})
    assert same != of({"rule": "a", "penalty": 3})
