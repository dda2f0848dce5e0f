"""Files of a version, on disk before anything points to them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.versions.leases import Lease
from aslib_eval.versions.manifests import Manifest
from aslib_eval.versions.places import PART


def write_table(folder: Path, table: pa.Table) -> Manifest:
    """A relation into a new folder; gives its rows, bytes and SHA-256."""
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
    store(folder / PART, content)
    sync(folder)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


def take_over(base: Lease, version: Path, names: Iterable[str]) -> None:
    """The same files under the new version: linked, or copied where links are not."""
    for name in names:
        folder = version / name
        folder.mkdir()
        try:
            os.link(base.file(name), folder / PART)
        except OSError:
            store(folder / PART, base.file(name).read_bytes())
        sync(folder)


def store(path: Path, content: bytes | pa.Buffer) -> None:
    """A file with its content, synced."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Let the names in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
