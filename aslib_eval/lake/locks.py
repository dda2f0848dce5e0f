"""The locks of a lake: on generations, on a scenario's home, and on the links."""

from __future__ import annotations

import errno
import fcntl
import math
import os
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.folders import Folder
from aslib_eval.lake.layout import VERSIONS, home_of, names_in

TIMEOUT = "ASLIB_LOCK_TIMEOUT"
_USUAL = 60.0  # seconds
_PAUSE = 0.005
# What a file system says that has no locks.
_UNKNOWN = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
_UNKNOWN |= {errno.EBADF}  # NFS has none for a folder opened for reading


def hold(path: Path) -> int:
    """A shared lock on a folder, as a file descriptor to close.

    On a file system without locks nobody can write the lake: no lock is needed.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _acquire(descriptor, fcntl.LOCK_SH, path)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            os.close(descriptor)
            raise
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def unheld(path: Path) -> bool:
    """Whether no process holds a lock on a folder."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def locked(lake: Path) -> Iterator[None]:
    """One writer at a time turns links and removes versions."""
    with Folder.inside(lake, lake / VERSIONS) as versions:
        _exclude(versions.descriptor, lake)
        yield


@contextmanager
def sole_writer(lake: Path, scenario_id: str) -> Iterator[Folder]:
    """Be the only writer of the scenario; gives the folder of its versions.

    Never ask for it while holding ``locked``.
    """
    while True:
        with locked(lake):
            at = home_of(lake, scenario_id)
            home = Folder.inside(lake, at, make=True)
        with home:
            _exclude(home.descriptor, at)
            if _is_at(home.descriptor, at):  # else removed while we waited
                yield home
                return


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def timeout() -> float:
    """How long to wait for a lock, in seconds: $ASLIB_LOCK_TIMEOUT, 60 without it."""
    given = os.environ.get(TIMEOUT) or str(_USUAL)
    with suppress(ValueError):
        if (seconds := float(given)) >= 0 and not math.isnan(seconds):
            return seconds
    what = f"{given!r} is no number of seconds"
    raise AslibError(what, TIMEOUT, f"Try {TIMEOUT}={_USUAL:g}.")


def _exclude(descriptor: int, path: Path) -> None:
    """An exclusive lock."""
    try:
        _acquire(descriptor, fcntl.LOCK_EX, path)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
        what = f"its file system has no locks ({error.strerror})"
        hint = "Put the lake on a local disk; it can still be read here."
        raise AslibError(what, str(path), hint) from None


def _acquire(descriptor: int, kind: int, path: Path) -> None:
    """Wait for a lock, but not for ever."""
    seconds = timeout()
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                break
            # Not in step with others who wait.
            time.sleep(random.uniform(_PAUSE, 4 * _PAUSE))  # noqa: S311
        else:
            return
    who = holder(descriptor) or "another process"
    what = f"is locked by {who}, also after {seconds:g} s"
    hint = f"Wait until it is done, or end it; {TIMEOUT} sets how many seconds to wait."
    raise AslibError(what, str(path), hint)


def holder(descriptor: int) -> str | None:
    """The process that holds a lock on an open file, None where the system is silent.

    Source: proc(5), /proc/locks.
    """
    inode = os.fstat(descriptor).st_ino
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] != "FLOCK" or int(words[5].rpartition(":")[2]) != inode:
                continue  # somebody who waits has "->" in the second place
            process = int(words[4])
            if process == os.getpid():
                return "this process"
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            shown = command.replace(b"\0", b" ").decode(errors="replace").strip()
            return f"process {process} ({shown})"
    return None


# Who reads holds one lock, however many scenarios: that of the newest generation.
GENERATIONS = ".generations"
_GENERATION = re.compile(r"g-(0|[1-9][0-9]*)")


def generations(lake: Path) -> list[Path]:
    """The folders whose locks readers hold, by age; the first is the lake itself."""
    folder = lake / VERSIONS / GENERATIONS
    found = filter(None, map(_GENERATION.fullmatch, names_in(folder)))
    numbers = sorted(int(each[1]) for each in found)
    return [lake, *(folder / f"g-{number}" for number in numbers)]


def is_behind(lake: Path) -> bool:
    """Whether replaced versions may have been left for somebody who read them."""
    _, *begun = generations(lake)
    return len(begun) > 1


def unread(lake: Path) -> bool:
    """Whether nobody reads what was current before the newest generation."""
    return all(map(unheld, generations(lake)[:-1]))


@contextmanager
def new_generation(lake: Path) -> Iterator[bool]:
    """Whether versions that are not current can be removed; then forget who read them.

    Whoever reads holds the generation that was the newest before they looked at what
    is current. So if all generations but one that began after the last switch are free, nobody reads a
    version that is not current. Only under ``locked``.
    """
    *older, newest = generations(lake)
    if not all(map(unheld, older)):
        yield False
        return
    number = 0 if newest == lake else int(newest.name.removeprefix("g-")) + 1
    with Folder.inside(lake, lake / VERSIONS / GENERATIONS, make=True) as folder:
        folder.mkdir(f"g-{number}")
        free = unheld(newest)
        yield free
        for each in (*older, newest) if free else ():
            if each != lake:
                with suppress(OSError):
                    folder.rmdir(each.name)
