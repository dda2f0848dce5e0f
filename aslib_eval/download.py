"""One file over HTTP, by pooch; every way it can fail becomes one clear error."""

from __future__ import annotations

import http
import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError

RETRY = "Try again, or another mirror; files already checked are kept"


def download(url: str, part: Path, *, progress: bool = False) -> bool:
    """Write what ``url`` gives to ``part``; False if the server answers 404.

    Raises:
        AslibError: anything else went wrong, be it that the body ended early.

    """
    import pooch

    try:
        with _bar(part.stem, shown=progress) as bar:
            pooch.HTTPDownloader(progressbar=bar)(url, str(part), None)
    except OSError as error:  # all errors of requests are OSErrors
        response = getattr(error, "response", None)
        if getattr(response, "status_code", None) == http.HTTPStatus.NOT_FOUND:
            return False
        raise AslibError(f"download failed: {_reason(error)}", url, RETRY) from error
    return True


def _reason(error: BaseException) -> str:
    """What was at the bottom of it; how much came, if the connection broke off."""
    while error.__context__ is not None:
        error = error.__context__
        if isinstance(error, http.client.IncompleteRead):
            got = (
                error.partial if isinstance(error.partial, int) else len(error.partial)
            )
            return f"expected {got + (error.expected or 0)} bytes, got {got}"
    return str(error) or type(error).__name__


@dataclass
class _Bar:
    """What pooch asks of a progress bar, drawn by rich; ``total`` in bytes."""

    bars: Any
    task: Any
    total: int = 0

    def update(self, amount: int) -> None:
        self.bars.update(self.task, advance=amount, total=self.total or None)

    def reset(self) -> None:
        self.bars.reset(self.task)

    def close(self) -> None:
        self.bars.remove_task(self.task)


@contextmanager
def _bar(name: str, *, shown: bool) -> Iterator[_Bar | None]:
    if not shown:
        yield None
        return
    from rich import progress
    from rich.console import Console

    columns = ("{task.description}", progress.BarColumn(), progress.DownloadColumn())
    console = Console(stderr=True)
    with progress.Progress(*columns, console=console, transient=True) as bars:
        yield _Bar(bars, bars.add_task(name, total=None))
