# ruff: noqa: ISC004 - a sentence an entry
"""What a record says of published values that do not follow, word by word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.extensions.competitions import record as record_sentences

ROW = {
    "solver": "a", "other": None, "scenario_id": "S", "part": "all", "ours": 1.5,
    "file": "f.csv", "line": 3, "column": "points", "restriction": "all",
    "printed": "2",
}  # fmt: skip
PAIR = {**ROW, "other": "b", "part": "p", "ours": None, "line": None}
MOVE = {
    "scenario_id": "S", "rule": "r", "part": "all", "solver": "a", "place": 1,
    "place_then": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_sentences, "swapped", lambda _: [("S", "a", "b")])
    monkeypatch.setattr(record_sentences, "are_thousandths", lambda _: False)


def said(*rows: dict[str, Any], values: bool = True, **given: Any) -> list[str]:
    """The sentences of what was published: 30 values, of which the rows differ."""
    whole = {"cells": pl.DataFrame({"x": [0] * 30}), "n": 30, "moved": None,
             "different": pl.DataFrame(rows), "explained": None, "unequal_pairs": 0,
             "passed_over": [], "said": [], "instance": None}  # fmt: skip
    record: Any = SimpleNamespace(published=SimpleNamespace(**whole | given), remarks=("A remark.",))
    found = record_sentences.sentences(record, values=values)
    assert found.pop() == "A remark."
    assert found.pop(1).startswith("The published values of a and b (S) are swapped")
    return found


def test_values_that_differ_are_named_with_their_place() -> None:
    assert said() == ["All 30 published values are reproduced."]
    assert said(n=40) == ["All 30 compared values are reproduced; 40 values are published."]
    assert said(ROW, n=40, values=False) == [
        "1 of 30 compared values differ from the computed values; 40 values are published."
    ]
    more = {"unequal_pairs": 2, "passed_over": ["u", "v"], "said": ["End."]}
    found = said(*[ROW, PAIR] * 6, **more)
    assert found[:4] == [
        "12 of 30 published values differ from the computed values.",
        "The published points of 2 pairs have a wrong sum, neither 0 nor the points of a pair.",
        "f.csv:3: points of a (S; all) is published as 2; the runs give 1.5.",
        "f.csv: points of a against b (S, p; all) is published as 2; the runs give nothing.",
    ]
    assert found[12:] == [
        "2 more values differ; use --format json to see all.",
        "Not compared, because no rule gives such values: u and v.",
        "End.",
    ]
    assert said(*[ROW] * 10)[-1].startswith("f.csv:3")
    assert len(said(*[ROW] * 10, values=False)) == 1


def test_what_change_of_the_rule_explains_them() -> None:
    one = (("shift", 2), ("sequential", True), ("wrong", "kept"))
    changes = [one, (("order_by", ("x", "y")),), (("time_limit", None),)]
    explained = SimpleNamespace(changes=changes, complete=True, most=2)
    moves = [MOVE, {**MOVE, "place": None}, {**MOVE, "part": "p", "place_then": None}]
    found = said(ROW, values=False, explained=explained, moved=pl.DataFrame(moves))
    assert found[1:] == [
        "The smallest change of the rule that explains all values: shift = 2 "
        "(for ratio: number that is added to both objectives), sequential = true "
        "(whether an answer with more CPU time than the limit does not count) and "
        "wrong = kept (kept as if it were right).",
        "Another change of the same size: order_by = [x, y] "
        "(quantities that decide the place, in this order).",
        "Another change of the same size: time_limit = none (time after which answers do not count).",
        "With this change, places change in r of S: a from 1 to 2, a from none to 2.",
        "With this change, places change in r of S, p: a from 1 to none.",
    ]
    many = pl.DataFrame([MOVE] * 12)
    assert said(ROW, values=False, explained=explained, moved=many)[-1].endswith(
        ", a from 1 to 2 and 2 more."
    )
    boards = pl.DataFrame([{**MOVE, "rule": f"r{n}"} for n in range(11)])
    found = said(ROW, values=False, explained=explained, moved=boards)
    assert found[-2].startswith("With this change, places change in r9 of S: ")
    assert found[-1] == "More boards change; use --format json to see all."
    found = said(ROW, values=False, explained=explained)
    assert found[-1] == "With this change, all places stay the same."
