"""A data set that ``export --format dataset`` wrote, read back into a lake.

A folder with ``aslib-eval.json``, which holds the manifests of the scenarios, and the lake's relations as
``data/raw_<relation>.parquet``, each with all scenarios.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.formats import Finder, Format, Parsed, absent
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.paths import open_plain, read_plain, read_text

INDEX, SUMS, DATA = "aslib-eval.json", "SHA256SUMS", "data"
# Raise it when the layout of the files changes.
LAYOUT = 1
_HINT = "Get this data set again from where it was published."


def data_file(relation: str) -> str:
    """The file of a relation in a data set, by its name in ``query``."""
    return f"{DATA}/{relation}.parquet"


def sums_of(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file in ``SHA256SUMS``."""
    file = folder / SUMS
    found: dict[str, str] = {}
    for number, line in enumerate(read_text(file, hint=_HINT).splitlines(), 1):
        digest, _, name = line.partition("  ")
        inside = name and not name.startswith("/") and ".." not in name.split("/")
        if len(digest) != hashlib.sha256().digest_size * 2 or not inside:
            what = f"{line[:60]!r} is not a SHA-256 and a file of the data set"
            raise AslibError(what, f"{file}:{number}", _HINT)
        found[name] = digest
    return found


def damages(folder: Path, *, named: str = "") -> Iterator[tuple[str, str]]:
    """Each file that differs from ``SHA256SUMS``, and its fault; named: how their names begin."""
    for name, digest in sums_of(folder).items():
        if not name.startswith(named):
            continue
        try:
            with open_plain(folder / name) as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            yield name, f"cannot be read ({error.strerror})"
            continue
        if found != digest:
            yield name, "is damaged: its SHA-256 differs from SHA256SUMS"


@dataclass(frozen=True)
class _DataSet:
    index: Source = field(default_factory=lambda: Source.of(b""))
    manifests: dict[str, versions.Manifest] = field(default_factory=dict)
    error: AslibError | None = None


def _opened(folder: Path) -> _DataSet:
    try:
        return _checked(folder)
    except AslibError as error:
        return _DataSet(error=error)


def _checked(folder: Path) -> _DataSet:
    # README.md and other texts that people complete may be changed.
    wrong = [*damages(folder, named=INDEX), *damages(folder, named=f"{DATA}/")]
    files = (f"{DATA}/{path.name}" for path in (folder / DATA).glob("*.parquet"))
    unlisted = {INDEX, *files} - sums_of(folder).keys()
    wrong += [(name, f"is not listed in {SUMS}") for name in sorted(unlisted)]
    if wrong:
        raise AslibError("; ".join(f"{folder}/{name}: {what}" for name, what in wrong), None, _HINT)
    file = folder / INDEX
    with os_errors(file, _HINT):
        source = Source.of(read_plain(file))
    if sums_of(folder).get(INDEX) != source.sha256:
        raise AslibError(f"is not listed in {SUMS}", str(file), _HINT)
    try:
        found = json.loads(source.content)
        layout, listed = found["layout"], dict(found["scenarios"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise AslibError("is not an index of a data set", str(file), _HINT) from None
    if layout != LAYOUT:
        what = f"has the layout {layout!r}, but this version knows only {LAYOUT}"
        raise AslibError(what, str(file), "Update aslib-eval.")
    manifests = {
        name: versions.unseal(versions.seal(manifest), name, file) for name, manifest in listed.items()
    }
    return _DataSet(source, manifests)


def _read_once(folder: Path, files: FilesRead) -> _DataSet:
    return files.once(("dataset", folder), lambda: _opened(folder), keep=True)


def _find(path: Path, files: FilesRead) -> list[Location]:
    """A location for each scenario of a set; a single one for a damaged set."""
    if not path.is_dir() or not (path / INDEX).is_file():
        return []
    names = sorted(_read_once(path, files).manifests) or [""]
    return [Location(path, str(path / name), name) for name in names]


def _load(location: Location) -> dict[str, Source]:
    found = _read_once(location.path, location.files)
    if found.error is not None:
        raise found.error
    if not location.part:
        raise AslibError("holds no scenario", str(location.path), _HINT)
    return {INDEX: found.index}


def _read(location: Location, _: Sources) -> Parsed:
    manifest = _read_once(location.path, location.files).manifests[location.part]
    tables = {name: _table(location, name, facts["rows"]) for name, facts in manifest["relations"].items()}
    return Parsed((), tables, facts=versions.content_of(manifest))


def _table(location: Location, relation: str, rows: int) -> pa.Table:
    """The rows of the scenario, in the types and the order of a lake."""
    file = location.path / data_file(f"raw_{relation}")
    if relation not in RELATIONS:
        raise AslibError(f"no relation is called {relation!r}", str(file), _HINT)
    try:
        with os_errors(file, _HINT), pq.ParquetFile(file) as opened:
            parts = [
                opened.read_row_group(number)
                for number in range(opened.num_row_groups)
                if _is_of(opened.metadata.row_group(number), location.part)
            ]
        found = pa.concat_tables(parts)
        schema = RELATIONS[relation].schema
        columns = [_as_stored(found[each.name], each.type) for each in schema]
    except (pa.ArrowException, LookupError, ValueError) as error:
        what = f"has no valid rows of {location.part} ({error})"
        raise AslibError(what, str(file), _HINT) from None
    if found.num_rows != rows:
        what = f"has {found.num_rows} rows of {location.part} instead of {rows}"
        raise AslibError(what, str(file), _HINT)
    return pa.Table.from_arrays(columns, schema=schema)


def _is_of(group: pq.RowGroupMetaData, scenario_id: str) -> bool:
    """Whether a group of rows belongs to the scenario; every group belongs to one."""
    of = group.column(0).statistics
    if of is None or not of.has_min_max:
        raise ValueError("has no statistics of its scenarios")
    return bool(group.num_rows and of.min == of.max == scenario_id)


def _as_stored(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    """A column in the type of the lake; dictionaries of texts are in order of appearance."""
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type).dictionary_encode()
    found = column.cast(kind).combine_chunks()
    if isinstance(found, pa.ChunkedArray):
        found = pa.concat_arrays(found.chunks) if found.num_chunks else pa.array([], kind)
    return found


DATASET = Format(
    name="dataset",
    find=Finder(_find),
    absent=absent(
        "holds no data set of scenarios", f"Name a folder with {INDEX}, which 'aslib-eval export' makes."
    ),
    claim=lambda location: location.part or None,
    load=_load,
    identify=lambda location, _: location.part,
    read=_read,
    # Files in data/ are not tables of runs.
    marks=(INDEX, "raw_scenario.parquet"),
)
