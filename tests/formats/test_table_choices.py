"""What a user decides about a table, and what a format adds to it."""

from __future__ import annotations

import json

from aslib_eval.formats import ABOUT_RUNS, TableChoices


def test_what_is_given_is_what_differs_from_nothing() -> None:
    assert TableChoices().given == frozenset()
    assert TableChoices(cutoff=0.0, unit="ms").given == {"cutoff", "unit"}
    assert "duplicates" in ABOUT_RUNS


def test_a_user_goes_before_what_a_format_knows() -> None:
    user = TableChoices(
        cutoff=5.0,
        column=(("solver", "tool"), ("ignore", "host")),
        measure=("memory",),
        status=(("odd", "crash"),),
    )
    found = user.settled(
        ("task", "tool", "name", "host", "state", "cpu", "memory", "size", "note"),
        roles={"instance": "task", "solver": "name", "status": "state", "seed": "host"},
        attributes=["host", "size"],
        times=["cpu"],
        status={"odd": "ok", "done": "ok"},
        measures=["energy"],
    )
    assert found == TableChoices(
        cutoff=5.0,
        column=(
            ("solver", "tool"),
            ("ignore", "host"),
            ("instance", "task"),
            ("status", "state"),
            ("attribute", "size"),
            ("ignore", "name"),
            ("ignore", "note"),
        ),
        measure=("memory", "energy"),
        status=(("odd", "crash"), ("done", "ok")),
    )


def test_the_text_that_hashes_see() -> None:
    """Choices that came later do not change the hash of who does not make them."""
    assert TableChoices().text() == b""
    assert json.loads(TableChoices(cutoff=1.0, family="path:1").text()) == {
        "scenario_id": "",
        "cutoff": 1.0,
        "column": [],
        "maximize": [],
        "measure": [],
        "status": [],
    }
    later = TableChoices(missing="drop", duplicates="first", split="a", unit="ms", has_unit=True)
    assert json.loads(later.text()) == {
        "scenario_id": "",
        "cutoff": None,
        "column": [],
        "maximize": [],
        "measure": [],
        "status": [],
        "missing": "drop",
        "duplicates": "first",
        "split": "a",
        "unit": "ms",
        "has_unit": True,
    }
