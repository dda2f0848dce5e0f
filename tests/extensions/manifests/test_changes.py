"""What ``paper check`` says of a file: from what to what, and why; without a lake."""

from __future__ import annotations

from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.manifests.papers import (
    Built,
    FileChange,
    Item,
    _changes,
    _figure,
    _free,
    reason,
    shown,
)
from aslib_eval.provenance import Provenance
from aslib_eval.text import NONE

NOW = Provenance({"A": "a1", "B": "b1"}, {"default": "d1"}, "c1")
SAME = "manifest: data, protocol and code are the same"


def record(**other: Any) -> dict[str, Any]:
    return {"scenarios": NOW.scenarios, "protocols": NOW.protocols, "code": NOW.code} | other


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (record(), SAME),
        (record(scenarios={"A": "a0", "B": "b1"}), "data: A is a1, was a0"),
        (record(scenarios={"A": "a1"}), "data: B is new"),
        (record(scenarios={"A": "a1", "B": "b1", "C": "c1", "0": "0"}), "data: 0 is gone, C is gone"),
        (record(protocols={"default": "d0"}), "protocol: default is d1, was d0"),
        (record(code="c0"), "code: c0 is now c1"),
        (
            record(scenarios={}, protocols={}, code="c0"),
            "data: A is new, B is new; protocol: default is new; code: c0 is now c1",
        ),
    ],
)
def test_why_a_file_would_be_another(then: dict[str, Any], said: str) -> None:
    assert reason(NOW, then) == said


def changes(kind: Any, old: dict[str, str], new: dict[str, str], look: str) -> Any:
    built = Built(Item(kind, "gap", "gap.md", ("A",), ("default",)), b"", new, look, NOW)
    then = {"made_of": record(), "numbers": old, "look": "look"}
    return [str(change) for change in _changes(built, then)]


def test_changed_numbers_are_said_from_what_to_what() -> None:
    old, new = {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "4", "d": "5"}
    assert changes("table", old, new, "another") == [
        f"gap.md: b: 2 → 4 ({SAME})",
        f"gap.md: c: 3 → {NONE} ({SAME})",
        f"gap.md: d: {NONE} → 5 ({SAME})",
    ]
    assert changes("figure", old, old | {"b": "0"}, "another") == [f"gap.md: the line of b ({SAME})"]
    looks = "gap.md: looks different, with the same numbers"
    assert changes("table", old, old, "another") == [f"{looks} ({SAME})"]
    assert changes("table", old, old, "look") == []


def test_a_change_without_numbers_has_no_arrow() -> None:
    assert str(FileChange("f.md", "is gone", "", "", "by hand")) == ("f.md: is gone (by hand)")
    assert str(FileChange("f.md", "a", "", "1", "data")) == "f.md: a:  → 1 (data)"


def test_a_label_that_is_taken_has_a_number() -> None:
    assert _free({}, "a") == "a"
    assert _free({"a": ""}, "a") == "a #2"
    assert _free({"a": "", "a #2": ""}, "a") == "a #3"


def test_what_a_chart_shows_is_by_mark_or_row_or_title() -> None:
    marks = [
        {"type": "rule", "x": 1.0},
        {"type": "line", "name": "own", "points": [(0, 1, "tip")]},
        {"type": "dots", "points": [(2, 1)]},
        {"type": "boxes", "boxes": [(0, 1, -0.4, 0.4)]},
        {"type": "boxes", "boxes": [(0, 1, 0.6, 1.4, "tip", "red", 0.5)]},
        {"type": "texts", "items": [(3, 4, "word")]},
    ]
    y = {"kind": "band", "names": ["first", "second"]}
    assert shown({"title": "T", "y": y, "marks": marks}).rows() == [
        ("rule", "[1.0, null]"),
        ("own", "[0, 1]"),
        ("second", "[2, 1]"),
        ("first", "[0, 1, -0.4, 0.4, null, null]"),
        ("second", '[0, 1, 0.6, 1.4, "red", 0.5]'),
        ("word", '[3, 4, "word"]'),
    ]
    free = {"title": "T", "y": {"kind": "linear"}, "marks": marks[2:3]}
    assert shown(free).rows() == [("T", "[2, 1]")]


def test_a_figure_shows_one_protocol() -> None:
    item = Item("figure", "gaps", "gaps.svg", ("A",), ("a", "b"))
    both = Provenance({"A": "a1"}, {"a": "1", "b": "2"}, "c1")
    with pytest.raises(AslibError, match=r"gaps: a figure shows one protocol, not 2"):
        _figure(None, item, both)  # type: ignore[arg-type]
