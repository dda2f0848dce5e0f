"""A forked child with limits: what it printed, and how it ended."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TRACEBACK = 70  # exit code of an exception that nobody caught
_MEMORY = 4 << 30  # bytes of address space above what the parent has


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code; a signal is negative, None is a hang."""

    code: int | None
    output: str
    errors: str
    seconds: float

    @property
    def fault(self) -> str | None:
        """What no command may do, if it did that."""
        lines = self.errors.strip().splitlines()
        last = lines[-1] if lines else ""
        if self.code is None:
            return "hang"
        if self.code < 0:
            return f"crash by signal {-self.code}"
        if self.code == TRACEBACK or "Traceback (most recent call last)" in self.errors:
            at = [line.strip() for line in lines if line.startswith("  File ")]
            return f"traceback: {last} ({at[-1] if at else '?'})"
        if self.code not in {0, 1, 2}:
            return f"exit code {self.code}: {last}"
        if self.code and not last:
            return f"exit code {self.code} without a word"
        return None


def call(function: Callable[[], object], *, seconds: float = 60, kill_after: float | None = None) -> Ended:
    """Run a function in a child; ``kill_after`` so many seconds it gets SIGKILL."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        child = os.fork()
        if not child:
            _run(function, output.fileno(), errors.fileno())
        if kill_after is not None:
            time.sleep(kill_after)
            end(child)
        status = _wait(child, begun + seconds)
        took = time.monotonic() - begun
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(1 << 20).decode("utf-8", errors="replace"))
    return Ended(status, *texts, took)


def end(child: int) -> None:
    """Kill a child with all that it started, if it is still there."""
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _wait(child: int, deadline: float) -> int | None:
    pause = 0.001
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            end(child)  # what it left behind
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            end(child)
            os.waitpid(child, 0)
            return None
        time.sleep(pause)
        pause = min(pause * 2, 0.02)


def _run(function: Callable[[], object], output: int, errors: int) -> None:
    """The child's life; it never returns."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    limit = _address_space() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    code = 0
    try:
        function()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - this is what is looked for
        traceback.print_exc()
        code = TRACEBACK
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _address_space() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 4 << 30
    return int(statm.read_text().split()[0]) * resource.getpagesize()


def command(*words: object) -> None:
    """The command line, in this process."""
    from aslib_eval.cli import main

    main([str(word) for word in words], prog_name="aslib-eval")
