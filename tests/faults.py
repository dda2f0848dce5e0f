"""Calls of the file system that fail, or that end the process, at a chosen place.

Audit events see open, mkdir, rename, link, symlink, remove, listdir, flock and so on; fsync, readlink, read
and write have none and are wrapped.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aslib_eval import paths

EVENTS = {
    "open",
    "os.mkdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.remove",
    "os.rmdir",
    "os.listdir",
    "os.scandir",
    "fcntl.flock",
    "shutil.rmtree",
    "tempfile.mkdtemp",
}
_armed: list[Callable[[str, object], None]] = []
_hooked: list[bool] = []
_busy = threading.local()


# Where the folder stands among the arguments that a path is relative to.
_FOLDERS = {"os.mkdir": 2, "os.rename": 2, "os.link": 3, "os.symlink": 2, "os.remove": 1, "os.rmdir": 1}


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _armed and event in EVENTS:
        where = arguments[event in {"os.link", "os.symlink"}]
        _call(event, _below(arguments[_FOLDERS[event]], where) if event in _FOLDERS else where)


def _below(folder: object, name: object) -> object:
    """A path that is relative to an open folder."""
    if not isinstance(folder, int) or folder < 0:
        return name
    return os.path.join(_REAL["readlink"](f"/proc/self/fd/{folder}"), str(name))  # noqa: PTH118


def _opened(path: Any, *rest: Any, dir_fd: int | None = None, **options: Any) -> int:
    if dir_fd is not None:  # of which the audit event says nothing
        _call("open", _below(dir_fd, path))
    return int(_REAL["os.open"](path, *rest, dir_fd=dir_fd, **options))


def _call(event: str, where: object) -> None:
    if _armed and not getattr(_busy, "here", False):
        _busy.here = True
        try:
            _armed[-1](event, where)
        finally:
            _busy.here = False


class _Raw(io.FileIO):
    """A file whose every read and write is a call."""

    def readinto(self, buffer: Any) -> int | None:
        _call("read", self.fileno())
        return super().readinto(buffer)

    def readall(self) -> bytes:
        _call("read", self.fileno())
        return super().readall()

    def write(self, content: Any) -> int:
        _call("write", self.fileno())
        return super().write(content)


def _open(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
    if "b" not in mode:
        return _REAL["open"](file, mode, *rest, **options)
    raw = _Raw(file, mode.replace("b", ""), opener=options.get("opener"))
    return (io.BufferedReader if "r" in mode else io.BufferedWriter)(raw)


_REAL: dict[str, Any] = {"open": io.open, "os.open": os.open, "fsync": os.fsync, "readlink": os.readlink}


def _wrapped(name: str) -> Callable[..., Any]:
    def call(where: Any, *rest: Any, **options: Any) -> Any:
        _call(name, where)
        return _REAL[name](where, *rest, **options)

    return call


@contextmanager
def watched(lake: Path, tell: Callable[[str, str], None]) -> Iterator[None]:
    """Tell of every call on a path below the lake, before it is made."""
    inside = os.path.realpath(lake)

    def one(event: str, where: object) -> None:
        if isinstance(where, int):
            try:
                path = _REAL["readlink"](f"/proc/self/fd/{where}")
            except OSError:
                return
        elif isinstance(where, bytes | str | os.PathLike):
            path = os.path.abspath(os.fsdecode(where))  # noqa: PTH100 - no links
        else:
            return
        if path == inside or path.startswith(inside + os.sep):
            tell(event, os.path.relpath(path, inside))

    if not _hooked:  # it stays for good, and does nothing unless something is armed
        sys.addaudithook(_hook)
        _hooked.append(True)
    _armed.append(one)
    io.open, vars(paths)["open"], os.open = _open, _open, _opened
    os.fsync, os.readlink = _wrapped("fsync"), _wrapped("readlink")
    try:
        yield
    finally:
        _armed.pop()
        io.open, os.open = _REAL["open"], _REAL["os.open"]
        del vars(paths)["open"]
        os.fsync, os.readlink = _REAL["fsync"], _REAL["readlink"]


class Fault:
    """Fails at the ``at``-th call; ``calls`` counts all of them."""

    def __init__(self, at: int, *, code: int = errno.EIO) -> None:
        self.at, self.code, self.calls, self.hit = at, code, 0, ""
        self._lock = threading.Lock()

    def __call__(self, event: str, path: str) -> None:
        with self._lock:
            self.calls += 1
            now = self.calls == self.at
        if now:
            self.hit = f"{event} {path}"
            self.fail()

    def fail(self) -> None:
        """What happens at that call."""
        raise OSError(self.code, os.strerror(self.code))


class Kill(Fault):
    """Ends the process at once, as a power cut would."""

    def fail(self) -> None:
        """Leave nothing time to tidy up."""
        os._exit(9)
