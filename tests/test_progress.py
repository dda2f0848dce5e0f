"""What is drawn on a terminal while something takes long."""

from __future__ import annotations

import io
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import aslib_eval as ae
from aslib_eval import progress
from aslib_eval.database.protocol import Protocol


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What stands on a terminal of 60 columns, styles and moves left out."""
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=True)
    monkeypatch.setattr(progress, "stderr_console", lambda: console)
    monkeypatch.setattr(progress, "WAIT", 0.02)
    return lambda: re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", file.getvalue())


def until(seen: Callable[[], str], what: str) -> bool:
    """Wait at most five seconds for it."""
    end = time.monotonic() + 5
    while what not in seen() and time.monotonic() < end:
        time.sleep(0.005)
    return what in seen()


def test_a_clock_is_drawn_in_a_silence(drawn: Callable[[], str]) -> None:
    with progress.clock(shown=True):
        assert until(drawn, "working 0:00:00")


def test_no_clock_is_drawn_in_a_pipe_or_of_what_is_soon_done(
    drawn: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress.clock(shown=False):
        time.sleep(0.05)
    monkeypatch.setattr(progress, "WAIT", 5.0)
    with progress.clock(shown=True), progress.progress_bar("so", 2, shown=True) as on:
        on(1)
    assert drawn() == ""


def test_nothing_waits_to_be_drawn_after_the_end() -> None:
    before = {*threading.enumerate()}
    with progress.clock(shown=True):
        (waiting,) = (t for t in {*threading.enumerate()} - before if isinstance(t, threading.Timer))
    assert waiting.finished.is_set()


def test_within_a_bar_no_other_is_drawn(drawn: Callable[[], str]) -> None:
    with progress.progress_bar("outer", 4, shown=True) as advance:
        advance(1)
        assert until(drawn, "1/4")
        with progress.progress_bar("inner", 7, shown=True) as other:
            other(2)
            time.sleep(0.1)
    assert "inner" not in drawn()
    with progress.progress_bar("later", 9, shown=True):
        assert until(drawn, "later")


def test_what_is_drawn_is_for_who_types_python_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.delattr("sys.ps1", raising=False)
    seen = [progress.is_watched()]
    monkeypatch.setattr("sys.ps1", ">>> ", raising=False)
    seen.append(progress.is_watched())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    seen.append(progress.is_watched())
    assert seen == [False, False, True]


def test_an_opened_lake_shows_what_it_builds(toy: Path, tmp_path: Path, drawn: Callable[[], str]) -> None:
    shutil.copytree(toy, tmp_path / "lake", symlinks=True)
    protocol = Protocol(protocol="other", penalty=3.0)
    ae.connect(tmp_path / "lake", protocols=[protocol], progress=True)
    assert "building results" in drawn()


def test_a_bar_takes_the_place_of_the_clock(drawn: Callable[[], str]) -> None:
    with progress.clock(shown=True):
        assert until(drawn, "working")
        with progress.progress_bar("building", 4, shown=True) as advance:
            advance(3)
            assert until(drawn, "3/4")
            before = drawn().count("working")
            time.sleep(0.15)
            assert drawn().count("working") == before
        assert until(lambda: drawn().rpartition("3/4")[2], "working")


def test_what_is_printed_stands_alone(drawn: Callable[[], str]) -> None:
    with progress.clock(shown=True):
        assert until(drawn, "working")
        with progress.no_clock():
            before = drawn()
            time.sleep(0.15)
            assert drawn() == before
