"""A data set as a frozen DuckLake: a catalogue of its Parquet files, in a DuckDB file.

DuckLake is an extension of DuckDB that is no part of its package, so the catalogue is written here as its
specification has it (version 1.0: ducklake.select, "Tables"); one snapshot holds all relations, and files
are named beside the catalogue.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval._version import __version__
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.errors import AslibError
from aslib_eval.extensions.exporting.exports.dataset_schemas import DataFile

CATALOGUE = "catalogue.ducklake"
_VERSION = "1.0"
# DuckDB 1.0 and later read this; small blocks, as the tables have few rows.
_FORMAT = "storage_version 'v1.0.0', block_size 16384"
# So it writes the same bytes each time; compressed text has some of memory in it.
_SAME: dict[str, str | bool | int | float | list[str]] = {"threads": 1, "force_compression": "uncompressed"}
_SCHEMA, _SNAPSHOT = 0, 1
# The same lake gives the same bytes, so that its one snapshot has no time of its own.
_TIME = "1970-01-01 00:00:00+00"
_LIFE = "begin_snapshot bigint, end_snapshot bigint"
_PATH = "path varchar, path_is_relative boolean"
_STATISTICS = "min_value varchar, max_value varchar, contains_nan boolean"
_COUNTS = "column_size_bytes bigint, value_count bigint, null_count bigint"
_FILE = "file_size_bytes bigint, footer_size bigint"
_TABLES = {
    "metadata": "key varchar, value varchar, scope varchar, scope_id bigint",
    "snapshot": "snapshot_id bigint, snapshot_time timestamptz, schema_version bigint,"
    " next_catalog_id bigint, next_file_id bigint",
    "snapshot_changes": "snapshot_id bigint, changes_made varchar, author varchar,"
    " commit_message varchar, commit_extra_info varchar",
    "schema": f"schema_id bigint, schema_uuid uuid, {_LIFE}, schema_name varchar, {_PATH}",
    "schema_versions": "begin_snapshot bigint, schema_version bigint, table_id bigint",
    "table": f"table_id bigint, table_uuid uuid, {_LIFE}, schema_id bigint, table_name varchar, {_PATH}",
    "column": f"column_id bigint, {_LIFE}, table_id bigint, column_order bigint,"
    " column_name varchar, column_type varchar, initial_default varchar,"
    " default_value varchar, nulls_allowed boolean, parent_column bigint,"
    " default_value_type varchar, default_value_dialect varchar",
    "data_file": f"data_file_id bigint, table_id bigint, {_LIFE}, file_order bigint,"
    f" {_PATH}, file_format varchar, record_count bigint, {_FILE},"
    " row_id_start bigint, partition_id bigint, encryption_key varchar,"
    " mapping_id bigint, partial_max bigint",
    "table_stats": "table_id bigint, record_count bigint, next_row_id bigint, file_size_bytes bigint",
    "column_mapping": "mapping_id bigint, table_id bigint, type varchar",
    "name_mapping": "mapping_id bigint, column_id bigint, source_name varchar,"
    " target_field_id bigint, parent_column bigint, is_partition boolean",
    "tag": f"object_id bigint, {_LIFE}, key varchar, value varchar",
    "column_tag": f"table_id bigint, column_id bigint, {_LIFE}, key varchar, value varchar",
    # The rest stays empty: nothing was deleted, partitioned, sorted or inlined.
    "view": f"view_id bigint, view_uuid uuid, {_LIFE}, schema_id bigint,"
    " view_name varchar, dialect varchar, sql varchar, column_aliases varchar",
    "delete_file": f"delete_file_id bigint, table_id bigint, {_LIFE},"
    f" data_file_id bigint, {_PATH}, format varchar, delete_count bigint, {_FILE},"
    " encryption_key varchar, partial_max bigint",
    "files_scheduled_for_deletion": f"data_file_id bigint, {_PATH}, schedule_start timestamptz",
    "table_column_stats": "table_id bigint, column_id bigint, contains_null boolean,"
    " contains_nan boolean, min_value varchar, max_value varchar, extra_stats varchar",
    "file_column_stats": f"data_file_id bigint, table_id bigint, column_id bigint,"
    f" {_COUNTS}, {_STATISTICS}, extra_stats varchar",
    "file_variant_stats": "data_file_id bigint, table_id bigint, column_id bigint,"
    f" variant_path varchar, shredded_type varchar, {_COUNTS}, {_STATISTICS},"
    " extra_stats varchar",
    "file_partition_value": "data_file_id bigint, table_id bigint,"
    " partition_key_index bigint, partition_value varchar",
    "partition_info": f"partition_id bigint, table_id bigint, {_LIFE}",
    "partition_column": "partition_id bigint, table_id bigint,"
    " partition_key_index bigint, column_id bigint, transform varchar",
    "sort_info": f"sort_id bigint, table_id bigint, {_LIFE}",
    "sort_expression": "sort_id bigint, table_id bigint, sort_key_index bigint,"
    " expression varchar, dialect varchar, sort_direction varchar, null_order varchar",
    "inlined_data_tables": "table_id bigint, table_name varchar, schema_version bigint",
    "macro": f"schema_id bigint, macro_id bigint, macro_name varchar, {_LIFE}",
    "macro_impl": "macro_id bigint, impl_id bigint, dialect varchar, sql varchar, type varchar",
    "macro_parameters": "macro_id bigint, impl_id bigint, column_id bigint,"
    " parameter_name varchar, parameter_type varchar, default_value varchar,"
    " default_value_type varchar",
}
_OF_FILES = (
    *("table", "schema_versions", "tag", "data_file", "table_stats"),
    *("column_mapping", "column", "name_mapping", "column_tag"),
)
_TYPES = {
    pa.string(): "varchar",
    pa.float64(): "float64",
    pa.float32(): "float32",
    pa.int64(): "int64",
    pa.int32(): "int32",
    pa.int16(): "int16",
    pa.int8(): "int8",
    pa.uint64(): "uint64",
    pa.uint32(): "uint32",
    pa.uint16(): "uint16",
    pa.uint8(): "uint8",
    pa.bool_(): "boolean",
    pa.binary(): "blob",
    pa.date32(): "date",
    pa.time64("us"): "time",
    pa.timestamp("us"): "timestamp",
    pa.timestamp("us", "UTC"): "timestamptz",
}


_Rows = dict[str, list[tuple[Any, ...]]]


def write_catalogue(folder: Path, files: Sequence[DataFile]) -> Path:
    """Write the catalogue of a data set's files into its folder; gives its path.

    Every relation is a table of schema ``main``, its columns by their names in Parquet, with the meaning of
    each as a comment. The same files give the same bytes.

    Raises:
        AslibError: as ``require_types``.
    """
    last = len(files)
    changes = ",".join(f"inserted_into_table:{number}" for number in range(1, last + 1))
    rows: _Rows = {
        "metadata": [
            ("version", _VERSION, None, None),
            ("created_by", f"aslib-eval {__version__}", None, None),
            ("data_path", "./", None, None),
            ("encrypted", "false", None, None),
        ],
        "snapshot": [(0, _TIME, 0, 1, 0), (1, _TIME, 1, last + 1, last + 1)],
        "snapshot_changes": [
            (0, 'created_schema:"main"', None, None, None),
            (1, changes, None, None, None),
        ],
        "schema": [(_SCHEMA, _uuid("main"), 0, None, "main", "", True)],
        **{name: [] for name in _OF_FILES},
    }
    for number, each in enumerate(files, start=1):
        _add_file(rows, number, each, folder / each.path)
    file = folder / CATALOGUE
    with duckdb.connect(config=_SAME) as con:
        con.execute(f"attach {quoted(str(file))} as catalogue ({_FORMAT})")
        for name, columns in _TABLES.items():
            table = f"catalogue.ducklake_{name}"
            con.execute(f"create table {table} ({columns})")
            if rows.get(name):
                marks = ", ".join("?" * len(rows[name][0]))
                sql = f"insert into {table} values ({marks})"  # noqa: S608
                con.executemany(sql, rows[name])
        con.execute("detach catalogue")
    return file


def require_types(schema: pa.Schema) -> None:
    """Refuse a column of a type that is no type of DuckLake.

    Raises:
        AslibError: with what to do.
    """
    for _ in _columns(schema, count(1)):
        pass


def _add_file(rows: _Rows, number: int, file: DataFile, path: Path) -> None:
    """A relation as a table with one file and one mapping, all of the same number."""
    life = (_SNAPSHOT, None)
    footer = pq.read_metadata(path).serialized_size
    size = (file.rows, file.size)
    place = (_SCHEMA, file.name, "", True)
    rows["table"].append((number, _uuid(file.name), *life, *place))
    rows["schema_versions"].append((_SNAPSHOT, 1, number))
    rows["tag"].append((number, *life, "comment", file.contract.row))
    where = (None, file.path, True, "parquet", *size, footer)
    rest = (0, None, None, number, None)
    rows["data_file"].append((number, number, *life, *where, *rest))
    rows["table_stats"].append((number, file.rows, *size))
    rows["column_mapping"].append((number, number, "map_by_name"))
    first = len(rows["column"])
    found = _columns(file.schema, count(1))
    for at, (source, name, kind, parent) in enumerate(found, start=1):
        column = first + at
        above = None if parent is None else first + parent
        kept = (None, "NULL", True, above, "literal", "duckdb")
        rows["column"].append((column, *life, number, at, name, kind, *kept))
        rows["name_mapping"].append((number, column, source, column, above, False))
        about = "" if parent else file.contract.columns.get(name, "")
        if about:
            rows["column_tag"].append((number, column, *life, "comment", about))


def _columns(
    fields: Iterable[pa.Field], place: Iterator[int], parent: int | None = None, *, group: str = ""
) -> Iterator[tuple[str, str, str, int | None]]:
    """Of each column its name in Parquet, its own, its type, the place of its parent.

    A list is followed by its element, which Parquet has in a group ``list``, and a structure by its fields.
    """
    for each in fields:
        at, kind = next(place), each.type
        source, name = group or each.name, each.name
        if pa.types.is_list(kind):
            yield source, name, "list", parent
            element = pa.field("element", kind.value_type)
            yield from _columns([element], place, at, group="list")
        elif pa.types.is_struct(kind):
            yield source, name, "struct", parent
            yield from _columns(kind.fields, place, at)
        elif kind in _TYPES:
            yield source, name, _TYPES[kind], parent
        else:
            what = f"has the type {kind}, which a data set cannot hold"
            raise AslibError(what, name, "Cast it to text in its view.")


def _uuid(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"aslib-eval:{name}")
