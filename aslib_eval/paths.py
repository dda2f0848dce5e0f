"""Paths as callers give them: one or several, as such or as text."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

Paths = Sequence[str | Path] | str | Path


def as_paths(paths: Paths) -> list[Path]:
    """Every path as such; a lone one counts as a list of one."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path) for path in given]


def as_path(path: str | Path | None) -> Path | None:
    """A path as such; None stays None."""
    return None if path is None else Path(path)


def read_plain(path: Path) -> bytes:
    """The bytes of a file that a user names.

    Raises:
        OSError: when it cannot be read, or is a pipe or a device, which may never end.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is a pipe or a device", str(path))
    return path.read_bytes()


def cache_folder() -> Path:
    """The folder for what can be made again: $ASLIB_CACHE, else the user's cache.

    Source: XDG Base Directory Specification 0.8, for $XDG_CACHE_HOME.
    """
    if given := os.environ.get("ASLIB_CACHE"):
        return Path(given)
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - without a home the path stays as it is
    return Path(usual) / "aslib-eval"
