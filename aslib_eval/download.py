"""One file over HTTP, by pooch; every way it can fail becomes one clear error.

A server is not trusted: it may send without end, pack zeros, drip or say nothing. What
is written has a limit, and so has the time, which a thread of its own spends.
"""

from __future__ import annotations

import http
import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from aslib_eval.errors import AslibError

RETRY = "Try again, or another mirror; files already checked are kept"


MAX_BYTES = 1 << 30
MAX_SECONDS = 3600.0


def download(
    url: str,
    part: Path,
    *,
    max_bytes: float = MAX_BYTES,
    max_seconds: float = MAX_SECONDS,
    progress: bool = False,
) -> bool:
    """Write what ``url`` gives to ``part``; False if the server answers 404.

    max_bytes: of the file, as it is once unpacked. max_seconds: from start to end.
    No message holds what stands in ``url`` before an @.

    Raises:
        AslibError: anything else went wrong, be it that the body ended early, that a
            limit was passed, or that the server's Content-Length is none.

    """
    ended: list[BaseException | None] = []
    with part.open("wb") as file, _bar(part.stem, shown=progress) as bar:
        sink = _Sink(file, max_bytes)

        def work() -> None:
            try:
                _get(url, sink, bar)
                ended.append(None)
            except BaseException as error:  # noqa: BLE001 (raised in the caller's thread)
                ended.append(error)

        # A server that drips keeps a read going: only another thread can give up.
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
            thread.join(min(max_seconds, threading.TIMEOUT_MAX))
        finally:
            sink.closed = True
    if not ended:
        what = "download failed: it is not complete and the time is over"
        hint = "Try another mirror, or allow more time with --max-seconds"
        raise AslibError(what, without_password(url), hint)
    return _judged(ended[0], url)


def without_password(url: str) -> str:
    """The address as it may be shown and kept: without user, password and query."""
    return re.sub(r"://[^/@\s]*@", "://", url).partition("?")[0]


def _judged(error: BaseException | None, url: str) -> bool:
    """True if nothing went wrong, False for 404; raises AslibError for the rest."""
    if error is None:
        return True
    shown = without_password(url)
    response = getattr(error, "response", None)
    if getattr(response, "status_code", None) == http.HTTPStatus.NOT_FOUND:
        return False
    if isinstance(error, AslibError):
        raise AslibError(error.message, shown, error.hint) from None
    said = _reason(error)
    with suppress(ValueError):  # an address that is none
        if secret := urlsplit(url).password:
            said = said.replace(secret, "…").replace(unquote(secret), "…")
    what = f"download failed: {re.sub('://[^/@ ]*@', '://', said)}"
    raise AslibError(what, shown, RETRY) from None


def _get(url: str, sink: _Sink, bar: _Bar | None) -> None:
    """Have pooch write what the server gives."""
    import pooch

    hooks = {"response": sink.look_at}
    try:
        pooch.HTTPDownloader(progressbar=bar, hooks=hooks)(url, sink, None)
    finally:
        for response in sink.responses:
            response.close()


@dataclass
class _Sink:
    """A file that takes so many bytes; once ``closed``, none."""

    file: IO[bytes]
    left: float
    closed: bool = False
    responses: list[Any] = field(default_factory=list)

    def write(self, chunk: bytes) -> None:
        self.left -= len(chunk)
        if self.left < 0:
            self._refuse()
        if self.closed:
            raise TimeoutError
        self.file.write(chunk)

    def flush(self) -> None:
        """Nothing is shown before it is complete."""

    def look_at(self, response: Any, **_: Any) -> None:
        """Refuse a length that is none or too large before the first byte."""
        self.responses.append(response)
        said = response.headers.get("content-length", "0")
        if not (said.isascii() and said.isdecimal()):
            what = f"download failed: its Content-Length is {said[:40]!r}, no length"
            raise AslibError(what, hint=RETRY)
        if response.ok and int(said) > self.left:
            self._refuse()

    def _refuse(self) -> None:
        what = "download failed: it is larger than the limit of a file"
        hint = "If it should be, allow more with --max-mib"
        raise AslibError(what, hint=hint)


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
