"""The log of ``plan runs``: a table of runs whose lines end with a check sum."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Sequence
from contextlib import suppress

# How each run was made, and the CRC-32 of the text before the last comma.
LOGGED = ("command", "reads", "program", "version", "check")


def is_logged(header: Sequence[str]) -> bool:
    """Whether a table's columns are those of such a log."""
    return {"run", "seed", *LOGGED} <= set(header)


def checksum(line: bytes) -> bytes:
    """The cell that a line ends with: the CRC-32 of the text before it."""
    return b"%08x" % zlib.crc32(line)


def checked(line: bytes) -> list[str]:
    """The cells of a line without its check sum; none if the line was altered."""
    text, _, check = line.rpartition(b",")
    if check != checksum(text):
        return []
    with suppress(UnicodeDecodeError, csv.Error):
        return next(csv.reader([text.decode()]), [])
    return []


def altered(content: bytes) -> list[int]:
    """Numbers of the lines of a log that are not as they were written."""
    lines = content.split(b"\n")
    return [n for n, line in enumerate(lines[1:], 2) if line and not checked(line)]
