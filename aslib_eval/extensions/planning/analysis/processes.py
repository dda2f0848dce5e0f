"""Run a program in a process group: its time and the end of its output."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import IO

OUTPUT_LIMIT = 16 * 2**20  # last bytes of an output that are kept
GRACE = 2.0  # seconds between SIGTERM and SIGKILL
_POLL = 0.02  # seconds between two checks whether a silent program has ended


@dataclass(frozen=True)
class ProcessResult:
    """Result of a program: exit code, wall-clock seconds, end of its output."""

    code: int  # negative: the signal that ended it
    seconds: float
    output: str  # bytes that are not UTF-8 are replaced
    errors: str


def run_program(
    words: Sequence[str],
    *,
    timeout: float | None = None,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stop: Event | None = None,
) -> ProcessResult:
    """Run a command in a process group of its own, and end all of the group with it.

    Whatever the program started ends with it: when it ends itself, after ``timeout`` seconds, when ``stop``
    is set, and when this process is interrupted. Of its output the last 16 MiB are kept.

    Raises:
        TimeoutError: when it takes longer than ``timeout``.
        CancelledError: when ``stop`` is set meanwhile.
        OSError: when the program cannot be run.
    """
    begun = time.perf_counter()
    limit = _Limit(begun + (float("inf") if timeout is None else timeout), stop)
    process = subprocess.Popen(  # noqa: S603 - the user's own command, without shell
        words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        output, errors = _read(process, limit)
        while process.poll() is None:
            limit.check()
            time.sleep(_POLL / 4)
        seconds = time.perf_counter() - begun
    finally:
        _end(process)
    return ProcessResult(process.returncode, seconds, output.text(), errors.text())


class _Tail:
    """The last bytes of an output."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._cut = False

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk
        if len(self._bytes) > 2 * OUTPUT_LIMIT:
            del self._bytes[:-OUTPUT_LIMIT]
            self._cut = True

    def text(self) -> str:
        """The text, which never begins in the middle of a word."""
        if self._cut and (space := re.search(rb"\s", self._bytes)):
            del self._bytes[: space.end()]
        return self._bytes.decode("utf-8", errors="replace")


def _read(process: subprocess.Popen[bytes], limit: _Limit) -> tuple[_Tail, _Tail]:
    """Read both outputs until they are closed, or the program ended and all is read."""
    tails = (_Tail(), _Tail())
    with selectors.DefaultSelector() as selector:
        for pipe, tail in zip((process.stdout, process.stderr), tails, strict=True):
            selector.register(pipe, selectors.EVENT_READ, tail)  # type: ignore[arg-type]
        while selector.get_map():
            limit.check()
            ended = process.poll() is not None
            if ended:
                _signal(process, signal.SIGKILL)
            ready = selector.select(_POLL)
            for key, _ in ready:
                chunk = os.read(key.fd, 2**16)
                key.data.add(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if ended and not ready:
                break
    return tails


@dataclass(frozen=True)
class _Limit:
    """When a program has to end: at a time, or when somebody says so."""

    deadline: float
    stop: Event | None

    def check(self) -> None:
        if time.perf_counter() > self.deadline:
            raise TimeoutError
        if self.stop is not None and self.stop.is_set():
            raise CancelledError


def _end(process: subprocess.Popen[bytes]) -> None:
    """Send the group SIGTERM, wait for it, then send SIGKILL."""
    try:
        if process.poll() is None:
            _signal(process, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        _signal(process, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
