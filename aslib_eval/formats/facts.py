"""Rows that scenarios of several formats have alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError
from aslib_eval.formats.contract import Sources
from aslib_eval.lake import RELATIONS
from aslib_eval.readers.aslib import TEXTS, Source
from aslib_eval.readers.locations import Location


def shown(location: Location, name: str) -> str:
    """The path of a source as its user gave it, also where that is a single file."""
    return location.shown if location.path.is_file() else location.file(name)


def load_files(location: Location, globs: Sequence[str]) -> dict[str, Source]:
    """The files of a folder that match, by their path in it; or the one file.

    Raises: AslibError if one cannot be read.
    """
    root = location.path
    try:
        if root.is_file():
            return {root.name: _source(root.read_bytes())}
        paths = sorted({p for glob in globs for p in root.glob(glob) if p.is_file()})
        return {p.relative_to(root).as_posix(): _source(p.read_bytes()) for p in paths}
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, error.filename, "Check the permissions.") from None


def _source(content: bytes) -> Source:
    return Source(content, hashlib.sha256(content).hexdigest())


def default_name(location: Location) -> str:
    """The folder's name, or a file's without its ending."""
    path = Path(location.shown)
    return path.stem if location.path.is_file() else path.name


def scenario_table(
    location: Location, sources: Sources, *, measures: Mapping[str, bool]
) -> pa.Table:
    """The relation ``scenario``: objectives and whether more is better, none timed."""
    digest = hashlib.sha256()
    for name, source in sorted(sources.items()):
        digest.update(f"{source.sha256}  {name}\n".encode())
    rows = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality",
            "maximize": maximize,
            "missing": [],
            "source_sha256": digest.hexdigest(),
        }
        for index, (measure, maximize) in enumerate(measures.items(), 1)
    ]
    return table("scenario", rows)


def source_table(sources: Sources) -> pa.Table:
    """The relation ``source``."""
    rows = [
        {
            "file": name,
            "bytes": len(source.content),
            "sha256": source.sha256,
            "text": source.content.decode(errors="replace") if name in TEXTS else None,
        }
        for name, source in sorted(sources.items())
    ]
    return table("source", rows)


def algorithm_table(names: Sequence[str]) -> pa.Table:
    """The relation ``algorithm``, of algorithms that are only known by their runs."""
    rows = [{"algorithm": n, "described": False, "has_runs": True} for n in names]
    return table("algorithm", rows)


def table(relation: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows in the contract's schema; what they lack is null."""
    return pa.Table.from_pylist(list(rows), RELATIONS[relation].schema)
