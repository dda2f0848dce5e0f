"""Files of a version, on disk before anything points to them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.lake.layout import PART
from aslib_eval.lake.versions import Manifest

if TYPE_CHECKING:
    import pyarrow as pa


def write_table(folder: Path, table: pa.Table) -> Manifest:
    """A relation into a new folder, not yet synced; gives rows, bytes and SHA-256."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    text = [f.name for f in table.schema if pa.types.is_dictionary(f.type)]
    # A scenario is read whole: the partition is the index, not statistics.
    pq.write_table(
        table,
        sink,
        compression="zstd",
        use_dictionary=text,
        write_statistics=False,
        write_page_checksum=True,
    )
    content = sink.getvalue()
    folder.mkdir()
    (folder / PART).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


_SYNCED_AT_ONCE = 8


def store(path: Path, content: bytes | pa.Buffer) -> None:
    """A file with its content, synced."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Let a file, or the names in a folder, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(paths: Iterable[Path]) -> None:
    """Sync files and folders at once: the disk takes them together, in a few writes.

    Raises:
        OSError: when one cannot be synced.
    """
    for _ in _syncing().map(sync, paths):
        pass


@cache
def _syncing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_SYNCED_AT_ONCE, "sync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # threads stay behind
