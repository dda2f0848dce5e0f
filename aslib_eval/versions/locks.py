"""The locks of a lake: on a version, on a scenario's home, and on the links."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSIONS = ".versions"


def hold(path: Path) -> int:
    """A shared lock on a folder, as a file descriptor to close."""
    descriptor = os.open(path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def unheld(path: Path) -> bool:
    """Whether nobody holds a lock on a folder."""
    descriptor = os.open(path, os.O_RDONLY)
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
    descriptor = os.open(lake / VERSIONS, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def sole_writer(lake: Path, home: Path) -> Iterator[None]:
    """Be the only one who writes the scenario whose versions lie in ``home``.

    Never ask for it while holding ``locked``.
    """
    while True:
        with locked(lake):
            home.mkdir(exist_ok=True)
            descriptor = os.open(home, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_at(descriptor, home):  # else removed while we waited
                yield
                return
        finally:
            os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
