"""Tables of competitions that are gzipped, or have semicolons: refused with a hint."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.formats.sources import HEAD, FileHead, FilesRead


def refuse_hidden(
    path: Path, files: FilesRead, is_table: Callable[[FileHead], bool], *, of: str
) -> None:
    """Refuse a table that would be one of a competition, if it were plain CSV.

    As a table of anybody's runs it would have other numbers. is_table: whether what a
    plain file begins with is such a table. of: what it is a table of.

    Raises:
        AslibError: it is one; the hint says what makes it plain.
    """
    name = path.name.lower()
    if not path.is_file() or not name.endswith((".csv", ".csv.gz")):
        return
    content = files.head(path).content[:HEAD]
    if name.endswith(".gz"):
        what, hint = "packed by gzip", f"Unpack it first: gzip -d {path.name}"
        content = _begin(content)
    else:
        what, hint = "separated by semicolons", "Write commas in the place of them."
        first = content.partition(b"\n")[0]
        content = content.replace(b";", b",") if b";" in first else b""
    if content and is_table(FileHead(content, is_whole=False)):
        raise AslibError(f"is a table of {of} that is {what}", str(path), hint)


def _begin(content: bytes) -> bytes:
    """What the beginning of a gzipped file is, as far as it can be read."""
    try:
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(content, HEAD)
    except zlib.error:
        return b""
