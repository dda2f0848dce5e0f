"""Calls of the system that fail when it is their turn."""

from __future__ import annotations

import builtins
import io
import os
from collections import Counter
from pathlib import Path
from typing import Any

CALLS = (*("open", "read", "write", "fsync", "rename"), *("mkdir", "link", "symlink", "unlink"))
# Name in os → what it counts as, and whether its first argument is a descriptor.
_OF_OS = {
    "open": ("open", False),
    "read": ("read", True),
    "write": ("write", True),
    "fsync": ("fsync", True),
    "rename": ("rename", False),
    "replace": ("rename", False),
    "mkdir": ("mkdir", False),
    "link": ("link", False),
    "symlink": ("symlink", False),
    "unlink": ("unlink", False),
    "remove": ("unlink", False),
    "rmdir": ("unlink", False),
}


class Shim:
    """Counts calls below a folder, and lets one of them fail."""

    def __init__(self, folder: Path, *, call: str = "", at: int = 0, error: int = 0) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = f"{os.path.realpath(folder)}/"
        self._doomed = (call, at)
        self._error = error

    def hit(self, call: str, path: str) -> None:
        """One call; raises OSError if it is the one that must fail."""
        self.counts[call] += 1
        if (call, self.counts[call]) == self._doomed:
            raise OSError(self._error, os.strerror(self._error), path)

    def install(self) -> None:
        """From now on, in this process."""
        for name, (call, by_descriptor) in _OF_OS.items():
            self._wrap(name, call, by_descriptor=by_descriptor)
        self._wrap_open()

    def _concerns(self, path: Any, *, directory: int | None = None) -> str | None:
        """The path as text if it lies below the folder."""
        if isinstance(path, int):
            found = self._path_of(path)
        else:
            text = os.fsdecode(path)
            if directory is not None and not text.startswith("/"):
                text = f"{self._path_of(directory)}/{text}"
            # Not resolved: that a link is turned concerns where it lies.
            found = os.path.join(os.path.realpath(os.path.dirname(text) or "."), "x")  # noqa: PTH118, PTH120
        return found if found.startswith(self._folder) else None

    def _path_of(self, descriptor: int) -> str:
        try:
            return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115
        except OSError:
            return ""

    def _wrap(self, name: str, call: str, *, by_descriptor: bool) -> None:
        real = getattr(os, name)

        def wrapped(first: Any, *args: Any, **words: Any) -> Any:
            target = first
            if name in {"link", "symlink"} and args:
                target = args[0]
            directory = None if by_descriptor else words.get("dir_fd")
            if (path := self._concerns(target, directory=directory)) is not None:
                self.hit(call, path)
            return real(first, *args, **words)

        setattr(os, name, wrapped)

    def _wrap_open(self) -> None:
        real, shim = io.open, self

        def opened(
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,  # noqa: FBT001, FBT002
            opener: Any = None,
        ) -> Any:
            if (path := shim._concerns(file)) is None:
                return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
            if not isinstance(file, int):
                shim.hit("open", path)
            raw = _raw(shim)(file, mode.replace("b", "").replace("t", ""), closefd, opener)
            if buffering == 0:
                return raw
            if "+" in mode:
                buffered: Any = io.BufferedRandom(raw)
            else:
                kind = io.BufferedReader if "r" in mode else io.BufferedWriter
                buffered = kind(raw)  # type: ignore[operator]
            if "b" in mode:
                return buffered
            return io.TextIOWrapper(buffered, encoding, errors, newline)

        io.open = builtins.open = opened  # type: ignore[assignment]


def _raw(shim: Shim) -> type[io.FileIO]:
    """Files whose reads and writes count."""

    class Raw(io.FileIO):
        def readinto(self, buffer: Any) -> Any:
            shim.hit("read", str(self.name))
            return super().readinto(buffer)

        def read(self, size: int | None = -1, /) -> Any:
            shim.hit("read", str(self.name))
            return super().read(-1 if size is None else size)

        def readall(self) -> Any:
            shim.hit("read", str(self.name))
            return super().readall()

        def write(self, data: Any, /) -> Any:
            shim.hit("write", str(self.name))
            return super().write(data)

    return Raw
