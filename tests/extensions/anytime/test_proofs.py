"""What counts as a proof: a run that is solved, as the protocol takes its answer."""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import frame_file
from tests.lab import OUT, Given, fill, runs

DATA = runs(A=[10, 20, OUT], B=[30, 40, 50])


@pytest.mark.parametrize(
    ("choices", "proofs"),
    [
        ({}, [10, 20, None, 30, 40, 50]),
        ({"disputed_answers": "unsolved"}, [None, 20, None, None, 40, 50]),
        ({"wrong_answers": "disqualified"}, [None, None, None, 30, 40, 50]),
    ],
)
def test_an_answer_that_the_protocol_does_not_take_is_no_proof(
    given: Given, choices: dict[str, str], proofs: list[float | None]
) -> None:
    con = given(DATA, Protocol(**choices))
    con.execute("update raw_run set runstatus = 'wrong' where runstatus = 'timeout'")
    fill(con, "reference", "instance_id, role, value", [("i1", "disputed", None)])
    asked = {"protocol": "default", "scenario": "S", "measure": "runtime", "cutoff": 100}
    found = con.execute(frame_file("anytime_runs").sql, asked).fetchall()
    by_run = {(algorithm, instance): proof for instance, algorithm, *_, proof in found}
    assert [by_run[algorithm, f"i{n}"] for algorithm in "AB" for n in (1, 2, 3)] == proofs
