"""What is drawn on a terminal while something takes long."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable

import pytest
from rich.console import Console

from aslib_eval import progress


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What stands on a terminal of 60 columns, styles and moves left out."""
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=True)
    monkeypatch.setattr(progress, "_stderr", lambda: console)
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
