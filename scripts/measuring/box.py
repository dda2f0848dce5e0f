"""One measurement in a process of its own, under limits, measured by the kernel."""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import select
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

from .plan import Child, Limits, Outcome

_OUT_OF_MEMORY = 86  # exit code of a child whose allocation Python saw fail
_FAILED = 87  # exit code of a child that raised
_GRACE = 1  # seconds of CPU between the signal that ends a child and the certain kill
_CHUNK = 1 << 16


def run(child: Child, *, limits: Limits) -> tuple[Outcome, list[Any]]:
    """Fork, run ``child(send)`` there, and wait: how it ended and all that it sent.

    The CPU limit is the kernel's (RLIMIT_CPU, whole seconds, rounded up), the memory limit RLIMIT_AS above
    what the child has mapped when it begins; the wall limit is kept from here with SIGKILL to the child's
    process group.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _live(child, writing, limits)
    os.close(writing)
    late = True  # also if an interrupt comes first
    try:
        raw, late = _listen(reading, began + limits.wall)
    finally:
        os.close(reading)
        # Closing the pipe is a child's last act unless it was killed or is late.
        status, usage, killed = _reap(pid, began + limits.wall, late=late)
    wall = time.monotonic() - began
    outcome = Outcome(
        end=_end(status, usage, limits, late=late or killed),
        cpu=usage.ru_utime + usage.ru_stime,
        wall=wall,
        peak=usage.ru_maxrss * 1024,
        code=os.waitstatus_to_exitcode(status),
    )
    return outcome, _messages(raw)


def _live(child: Child, writing: int, limits: Limits) -> None:
    """The child's whole life; it never returns."""
    code = _FAILED
    try:
        os.setpgid(0, 0)
        gc.disable()
        seconds = math.ceil(limits.cpu)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + _GRACE))
        room = _mapped() + limits.memory
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

        def send(value: Any) -> None:
            line = json.dumps(value).encode() + b"\n"
            while line:
                line = line[os.write(writing, line) :]

        child(send)
        code = 0
    except MemoryError:
        code = _OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - nothing may leave the child but its exit code
        traceback.print_exc()
    finally:
        os._exit(code)


def _mapped() -> int:
    """Bytes of address space of this process; a fork does not inherit all of it."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * resource.getpagesize()


def _listen(reading: int, until: float) -> tuple[bytes, bool]:
    """All that comes through the pipe, and whether the wall limit came first."""
    poll = select.poll()
    poll.register(reading, select.POLLIN | select.POLLHUP)
    parts = []
    while (left := until - time.monotonic()) > 0:
        if not poll.poll(left * 1000):
            continue
        part = os.read(reading, _CHUNK)
        if not part:
            return b"".join(parts), False
        parts.append(part)
    return b"".join(parts), True


def _reap(pid: int, until: float, *, late: bool) -> tuple[int, resource.struct_rusage, bool]:
    """Wait for the child, whose usage holds all threads and what it waited for."""
    killed = late
    try:
        while not killed:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done:
                return status, usage, False
            killed = time.monotonic() > until
            time.sleep(0.0005)
    finally:
        # Also on an interrupt: what is measured never outlives the one who measures.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            if killed:
                os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return status, usage, True


def _end(status: int, usage: resource.struct_rusage, limits: Limits, *, late: bool) -> str:
    code = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    if code == 0:
        return "done"
    if code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu >= limits.cpu):
        return "cpu"
    if late:
        return "wall"
    # C and C++ programs abort when an allocation fails, some of them by a segfault.
    heavy = usage.ru_maxrss * 1024 > limits.memory / 2
    if code == _OUT_OF_MEMORY or (code != _FAILED and heavy):
        return "memory"
    return "crash"


def _messages(raw: bytes) -> list[Any]:
    """The whole lines; a kill may cut the last one."""
    lines = raw.split(b"\n")[:-1]
    return [json.loads(line) for line in lines]
