"""Paths as callers give them, and how the files at them are read."""

from __future__ import annotations

import errno
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError, Finding, os_errors, place
from aslib_eval.folders import open_plain

Paths = Sequence[str | Path] | str | Path
LARGEST_TEXT = 64 << 20  # bytes


def as_paths(paths: Paths) -> list[Path]:
    """Every path as such; a lone one counts as a list of one."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path) for path in given]


def as_path(path: str | Path | None) -> Path | None:
    """A path as such; None stays None."""
    return None if path is None else Path(path)


def read_plain(path: Path, *, most: float = math.inf) -> bytes:
    """The bytes of a file that a user names, or that came with a folder.

    most: bytes that it may have.

    Raises:
        OSError: when it cannot be read, is larger, or is a pipe or a device, which may never end.
    """
    with open_plain(path) as file:
        if (size := os.fstat(file.fileno()).st_size) > most:
            raise OSError(
                errno.EFBIG, f"it has {size >> 20} MiB, where {most / 2**20:.0f} are due", str(path)
            )
        return file.read()


def read_text(path: Path, *, hint: str | None = None) -> str:
    r"""The text of a UTF-8 file, with or without a mark of it; its lines end in \n.

    hint: what to do where it cannot be read.
    """
    with os_errors(path, hint):
        content = read_plain(path, most=LARGEST_TEXT)
    try:
        text = as_text(content, file=str(path))
    except NotTextError as error:
        file, line, what, then = error.args
        raise AslibError(what, place(file, line), then) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_text(content: bytes, *, file: str) -> str:
    """The text of bytes in UTF-8, with or without a mark of it; its lines as they are.

    file: whose bytes these are, as an error calls it.

    Raises:
        NotTextError: they are no UTF-8, or hold a byte 0.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        excel = "; in Excel that is the type 'CSV UTF-8'"
        hint = f"Save it as UTF-8{excel * file.lower().endswith('.csv')}."
        raise NotTextError(file, line, f"is not UTF-8 text ({error.reason})", hint) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise NotTextError(file, line, "is no text: it holds a byte 0", "")
    return text


# A key of so many parts: tomllib takes memory for the square of their number.
_DEEP = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+\s*\.\s*){100}""")


def as_toml(text: str, *, file: str) -> dict[str, Any]:
    """What a text says in TOML."""
    import tomllib

    why = "a key has more than 100 parts"
    try:
        if not _DEEP.search(text):
            return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also of a number without end
        why = str(error)
    raise AslibError(f"is not TOML: {why}", file)


class NotTextError(ValueError):
    """The bytes of a file are no text: the file, the line, what it is, what to do."""

    def finding(self, code: str) -> Finding:
        """The same as an error of that code."""
        return Finding(code, "error", *self.args)


def cache_folder() -> Path:
    """The folder for what can be made again: $ASLIB_CACHE, else the user's cache.

    Source: XDG Base Directory Specification 0.8, for $XDG_CACHE_HOME.
    """
    if given := os.environ.get("ASLIB_CACHE"):
        return Path(given)
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - without a home the path stays as it is
    return Path(usual) / "aslib-eval"
