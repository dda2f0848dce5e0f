"""Scenarios that have no page: what is said of them, and the names of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.reports import write
from aslib_eval.reports.write import ReportError, _apart, write_report
from tests.conftest import write_scenario
from tests.lab import runs


def test_folders_that_ignore_case_hold_both_pages() -> None:
    taken: set[str] = set()
    names = [_apart(name, taken) for name in ("A.html", "a.html", "b.html")]
    assert names == ["A.html", "a-ca978112ca1b.html", "b.html"]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("failing")
    given = runs(A=[1.5, 2.5], B=[7.1, 0.3])
    folders = [write_scenario(home / name, runs=given) for name in ("P", "Q")]
    ae.import_scenarios(folders, into=home / "lake")
    return home / "lake"


def page_but(failing: str, error: Exception) -> Any:
    def page(results: Any, **_: object) -> str:
        if results.scenario_id == failing:
            raise error
        return f"the page of {results.scenario_id}"

    return page


def test_of_a_scenario_that_fails_a_page_says_why_and_the_others_are_written(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "scenario_page", page_but("P", ValueError("odd")))
    to = tmp_path / "report"
    with pytest.raises(ReportError) as refused:
        write_report(lake, to=to)
    assert str(refused.value) == ("P: cannot be reported (ValueError: odd). All others are.")
    files = ["scenario/Q.html", "scenario/P.html", "index.html"]
    assert refused.value.written == [to / file for file in files]
    q, p, index = ((to / file).read_text() for file in files)
    assert q.partition("<!--")[0] == "the page of Q"
    assert "It cannot be reported (ValueError: odd). All others are." in p
    assert '<a href="scenario/P.html">P</a>: ValueError: odd' in index


@pytest.mark.parametrize(
    ("error", "raised"), [(MemoryError(), MemoryError), (RuntimeError("INTERRUPT"), KeyboardInterrupt)]
)
def test_what_ends_the_program_is_of_no_scenario(
    error: Exception,
    raised: type[BaseException],
    lake: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(write, "is_interrupt", lambda found: found is error)
    monkeypatch.setattr(write, "scenario_page", page_but("P", error))
    with pytest.raises(raised):
        write_report(lake, to=tmp_path / "page")

    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr(write, "page_frames", fail)
    with pytest.raises(raised):
        write_report(lake, to=tmp_path / "frames")
    assert [*tmp_path.iterdir()] == []


def test_scenarios_that_fail_together_are_tried_alone(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write.page_frames

    def frames(opened: Any) -> Any:
        if "P" in opened.manifests:
            raise ValueError(*opened.manifests)
        return first(opened)

    monkeypatch.setattr(write, "page_frames", frames)
    monkeypatch.setattr(write, "scenario_page", page_but("", ValueError()))
    with pytest.raises(ReportError) as refused:
        write_report(lake, to=tmp_path / "report")
    assert refused.value.failed == {"P": "ValueError: P"}
    found = (tmp_path / "report/scenario/Q.html").read_text()
    assert found.startswith("the page of Q<")


def test_what_cannot_be_built_is_told_by_the_pages(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(write, "build_for_pages", fail)
    monkeypatch.setattr(write, "scenario_page", page_but("P", ValueError("why")))
    with pytest.raises(ReportError) as refused:
        write_report(lake, to=tmp_path / "report")
    assert refused.value.failed == {"P": "ValueError: why"}
