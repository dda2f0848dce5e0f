"""The bar on stderr that shows how far a long command is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import Any, TypeVar

T = TypeVar("T")
Advance = Callable[[int], None]


@contextmanager
def progress_bar(
    what: str, total: int | None, *, shown: bool, wait: float = 0.0
) -> Iterator[Advance]:
    """Draw a bar while the body runs; the function given moves it on by so many.

    wait: seconds before the bar is drawn: work that is done by then shows none.
    """
    if not shown:
        yield lambda _: None
        return
    if wait:
        with _late_bar(what, total, wait) as advance:
            yield advance
        return
    from rich.progress import MofNCompleteColumn, Progress

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=_stderr(), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda n: bars.advance(task, n)


@contextmanager
def _late_bar(what: str, total: int | None, wait: float) -> Iterator[Advance]:
    """Start a bar from a timer, unless the body has ended before."""
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
            advance = bars.enter_context(progress_bar(what, total, shown=True))
            advance(done)

        timer = Timer(wait, start)
        timer.daemon = True
        timer.start()
        try:
            yield move
        finally:
            timer.cancel()
            timer.join()


def tracked(found: Iterable[T], what: str, total: int, *, shown: bool) -> Iterator[T]:
    """The same items, with a bar of how many of them are done."""
    with progress_bar(what, total, shown=shown) as advance:
        for one in found:
            yield one
            advance(1)


@contextmanager
def download_bar(name: str, *, shown: bool) -> Iterator[DownloadBar | None]:
    """Draw a bar of the bytes of one file; None if it is not to be shown."""
    if not shown:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress

    columns = ("{task.description}", BarColumn(), DownloadColumn())
    with Progress(*columns, console=_stderr(), transient=True) as bars:
        yield DownloadBar(bars, bars.add_task(name, total=None))


class DownloadBar:
    """What pooch asks of a progress bar; ``total`` in bytes."""

    def __init__(self, bars: Any, task: Any) -> None:
        self.bars = bars
        self.task = task
        self.total = 0

    def update(self, amount: int) -> None:
        """Move on by so many bytes."""
        self.bars.update(self.task, advance=amount, total=self.total or None)

    def reset(self) -> None:
        """Begin anew."""
        self.bars.reset(self.task)

    def close(self) -> None:
        """Take the bar away."""
        self.bars.remove_task(self.task)


def _stderr() -> Any:
    from rich.console import Console

    return Console(stderr=True)
