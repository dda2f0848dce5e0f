"""Bars and a clock on stderr that show how far a long command is.

They are drawn on a terminal alone, and only after ``WAIT`` seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock, Timer, current_thread
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")
Advance = Callable[[int], None]
WAIT = 2.0  # seconds that nobody asks what takes so long


class Clock:
    """A line of how long it takes, drawn while nothing else is drawn or printed."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._lock = RLock()
        self._timer: Timer | None = None
        self._line: Any = None

    def start(self) -> None:
        """Draw the line from ``WAIT`` seconds on."""
        with self._lock:
            if self._timer is None and self._line is None:
                self._timer = Timer(WAIT, self._draw)
                self._timer.daemon = True
                self._timer.start()

    def stop(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._line is not None:
                self._line.stop()
            self._timer = self._line = None

    def _draw(self) -> None:
        from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

        timer = current_thread()
        with self._lock:
            if self._timer is not timer:
                return
            columns = (SpinnerColumn(), "{task.description}", TimeElapsedColumn())
            line = Progress(*columns, console=stderr_console(), transient=True)
            task = line.add_task("working", total=None)
            line.tasks[task].start_time = line.get_time() - (monotonic() - self._since)
            line.start()
            self._line, self._timer = line, None


_CLOCKS: list[Clock] = []  # that of the command


@contextmanager
def clock(*, shown: bool) -> Iterator[None]:
    """Draw for how long the body has been running, in its pauses without output."""
    if not shown:
        yield
        return
    one = Clock()
    _CLOCKS.append(one)
    one.start()
    try:
        yield
    finally:
        _CLOCKS.remove(one)
        one.stop()


@contextmanager
def no_clock() -> Iterator[None]:
    """Draw no clock while the body prints or draws."""
    for one in _CLOCKS:
        one.stop()
    try:
        yield
    finally:
        for one in _CLOCKS:
            one.start()


_BARS: list[str] = []  # what is being done under a bar


def is_watched() -> bool:
    """Whether somebody types Python at a terminal, and sees what is drawn there."""
    return hasattr(sys, "ps1") and sys.stderr.isatty()


@contextmanager
def progress_bar(what: str, total: int | None, *, shown: bool) -> Iterator[Advance]:
    """Draw a bar while the body runs; the function given moves it on by so many.

    It is drawn from ``WAIT`` seconds on: work that is done by then shows none. Within the body of one bar
    no other is drawn.
    """
    if not shown or _BARS:
        yield lambda _: None
        return
    done = 0
    advance: Advance | None = None

    def move(n: int) -> None:
        nonlocal done
        done += n
        if advance is not None:
            advance(n)

    with ExitStack() as bars:

        def start() -> None:
            nonlocal advance
            advance = bars.enter_context(_bar(what, total))
            advance(done)

        timer = Timer(WAIT, start)
        timer.daemon = True
        timer.start()
        _BARS.append(what)
        try:
            yield move
        finally:
            _BARS.remove(what)
            timer.cancel()
            timer.join()


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[Advance]:
    from rich.progress import MofNCompleteColumn, Progress

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with no_clock(), Progress(*columns, console=stderr_console(), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda n: bars.advance(task, n)


def tracked(found: Iterable[T], what: str, total: int, *, shown: bool) -> Iterator[T]:
    """The same items, with a bar of how many of them are done."""
    with progress_bar(what, total, shown=shown) as advance:
        for one in found:
            yield one
            advance(1)


def stderr_console() -> Any:
    """The terminal of stderr, as rich draws on it."""
    from rich.console import Console

    return Console(stderr=True)
