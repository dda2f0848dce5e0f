"""Scenarios that have no page: what is said of them, and the names of files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.reports.pages import Unreported, _missing, missing_page
from aslib_eval.reports.write import (
    ReportError,
    _apart,
    _plain_name,
    _reason,
    _Report,
)


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["A b"], "A%20b.html"),
        (["a~b", "c"], "a%7Eb~c.html"),
        ([".a"], "%2Ea.html"),
        (["a" * 200], f"{'a' * 200}.html"),
        (["a" * 201], f"{'a' * 200}-a92efd821093.html"),
    ],
)
def test_names_of_files(parts: list[str], name: str) -> None:
    assert _plain_name(parts) == name


def test_folders_that_ignore_case_hold_both_pages() -> None:
    taken: set[str] = set()
    names = [_apart(name, taken) for name in ("A.html", "a.html", "b.html")]
    assert names == ["A.html", "a-ca978112ca1b.html", "b.html"]


def test_why_a_scenario_has_no_page() -> None:
    several = ReportError({"A": "x", "B": "y"}, [])
    assert _reason(several) == "A: cannot be reported (x). All others are."
    assert _reason(ValueError("one\ntwo")) == "ValueError: one\ntwo"
    assert _reason(KeyError()) == "KeyError: KeyError"
    error = ReportError({"A": "no", "B": "none"}, [Path("f")])
    assert str(error).splitlines() == [
        "A: cannot be reported (no). All others are.",
        "B: cannot be reported (none). All others are.",
    ]
    assert (error.message, error.written) == ("2 scenarios not reported", [Path("f")])


def test_a_report_without_any_page_is_refused() -> None:
    require_one = _Report._require_one  # noqa: SLF001

    def require(failed: dict[str, str], error: Exception | None = None) -> None:
        made: Any = SimpleNamespace(failed=failed, scenarios={"A": 1, "B": 2})
        require_one(made, error)

    require({})
    require({"A": "why"})
    with pytest.raises(AslibError) as refused:
        require({"B": "why", "A": "no"})
    assert str(refused.value) == (
        "A: cannot be reported (no), nor can 1 more. Nothing was changed."
    )
    with pytest.raises(ZeroDivisionError):
        require({"B": "why", "A": "no"}, ZeroDivisionError())


def test_a_page_that_says_why_it_is_all() -> None:
    assert "It cannot be reported (no). All others are." in missing_page("S", "no")
    assert _missing([]) is None
    found = _missing([Unreported("S", "s.html", "no"), Unreported("T", "t.html", "x")])
    assert found is not None
    assert (found.title, found.population) == ("Not reported (2)", "in no number here")
    assert '<li><a href="s.html">S</a>: no</li>' in found.body
