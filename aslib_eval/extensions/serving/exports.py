"""What the page without a server holds: DuckDB-Wasm, and the lake as a DuckDB file.

DuckDB-Wasm reads Parquet by an extension that it loads from another host, and which its npm package has
not. So the relations are in a DuckDB file, which it reads by itself.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from aslib_eval.database.catalogue import relations
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sql_errors import reason
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.errors import AslibError
from aslib_eval.folders import open_plain
from aslib_eval.paths import read_plain

PACKAGE = "@duckdb/duckdb-wasm"
TRIED = "1.32.0"
HINT = f"Get it by 'npm pack {PACKAGE}@{TRIED}', and name the file that it writes."
MOST_ROWS = 200_000  # of a relation; what has more would make the page slow to open
# In the package: WebAssembly with its exceptions, and the worker that runs it.
_WASM = "dist/duckdb-eh.wasm"
_WORKER = "dist/duckdb-browser-eh.worker.js"
_ABOUT = "package.json"
_LARGEST = 2**27  # bytes of a file of the package
# Subjects of what the others are made of, a row a run, and of random splits.
_FINER = ("staging", "split")
# A format that DuckDB 1.0 and later read; small blocks, as most relations are small.
_FORMAT = "storage_version 'v1.0.0', block_size 16384"
# So it writes the same bytes each time; other compressions of text leave memory in it.
_SAME = ("threads = 1", "force_compression = 'dictionary'")


@dataclass(frozen=True)
class WasmPackage:
    """What a page needs of the package: version, WebAssembly and worker."""

    version: str
    wasm: bytes
    worker: bytes


def read_package(path: Path) -> WasmPackage:
    """Read the npm package of DuckDB-Wasm: a folder, or the file of ``npm pack``.

    Raises:
        AslibError: when it is none, with what to type.
    """
    try:
        found = _of_folder(path) if path.is_dir() else _of_archive(path)
        about = json.loads(found[_ABOUT])
        name, wasm, worker = about["name"], found[_WASM], found[_WORKER]
        version = str(about["version"])
    except (OSError, tarfile.TarError, EOFError, ValueError, KeyError, TypeError):
        raise AslibError(f"is no package {PACKAGE}", str(path), HINT) from None
    if name != PACKAGE:
        raise AslibError(f"is the package {name}, not {PACKAGE}", str(path), HINT)
    return WasmPackage(version, wasm, worker)


def _of_folder(path: Path) -> Mapping[str, bytes]:
    return {name: read_plain(path / name) for name in (_ABOUT, _WASM, _WORKER)}


def _of_archive(path: Path) -> Mapping[str, bytes]:
    """The files by name; nothing is unpacked."""
    found = {}
    with open_plain(path) as file, tarfile.open(fileobj=file, mode="r:gz") as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            held = archive.extractfile(member) if member.isfile() else None
            if name in {_ABOUT, _WASM, _WORKER} and held and member.size <= _LARGEST:
                found[name] = held.read()
    return found


@dataclass(frozen=True)
class LakeFile:
    """A lake as a DuckDB file: its bytes, its relations, those of too many rows."""

    content: bytes
    held: Sequence[str]
    left_out: Sequence[str]


def lake_file(lake: OpenLake) -> LakeFile:
    """Every relation of a lake as a table of a DuckDB file, but for the largest.

    Raises:
        AslibError: when the file cannot be written.
    """
    known = relations(lake.sql_dirs).rows(named=True)
    names = [row["relation"] for row in known if row["kind"] != "macro" and row["subject"] not in _FINER]
    made = lake.connect()
    lake.prepare(lake.lineage.names, on=made)
    for setting in _SAME:
        made.con.execute(f"set {setting}")
    held: list[str] = []
    left_out: list[str] = []
    with TemporaryDirectory(prefix="aslib-eval-") as folder:
        file = Path(folder) / "lake.duckdb"
        try:
            made.con.execute(f"attach {quoted(str(file))} as box ({_FORMAT})")
            for name in names:
                rows = f"from {name} limit {MOST_ROWS + 1}"
                made.con.execute(f"create temp table seen as {rows}")
                ((n,),) = made.con.execute("from seen select count(*)").fetchall()
                if n <= MOST_ROWS:
                    sql = f"create table box.{name} as from seen order by all"
                    made.con.execute(sql)
                (held if n <= MOST_ROWS else left_out).append(name)
                made.con.execute("drop table seen")
            made.con.execute("detach box")
        except duckdb.Error as error:
            raise AslibError(reason(error), "the DuckDB file of the page") from None
        return LakeFile(file.read_bytes(), held, left_out)
