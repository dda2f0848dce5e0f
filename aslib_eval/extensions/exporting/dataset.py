"""A lake → a data set: Parquet files, their description in three formats, hashes.

``import`` reads it back: it has all relations of the lake, and the manifest of each scenario.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval._version import __version__
from aslib_eval.atomic_files import Draft, replacing
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import FAMILY, find_sql, quoted
from aslib_eval.errors import AslibError
from aslib_eval.extensions.exporting.dataset_format import (
    DATA,
    INDEX,
    LAYOUT,
    SUMS,
    damages,
    data_file,
    sums_of,
)
from aslib_eval.extensions.exporting.exports import Contract, contracts, identifier, unwritable_by_duckdb
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.text import plural

# Bounds of the categories that Hugging Face has for the number of rows.
_SIZES = {
    1_000: "n<1K",
    10_000: "1K<n<10K",
    100_000: "10K<n<100K",
    1_000_000: "100K<n<1M",
    10_000_000: "1M<n<10M",
}
_SHOWN = ("solver_gap", "raw_run")

_OPENED = '''\
## Open it

In this folder, with polars, DuckDB and pandas:

```python
import polars as pl

rows = pl.read_parquet("{path}")
print(rows.group_by("scenario_id").len().sort("scenario_id"))
```

```python
import duckdb

print(duckdb.sql("""
    select scenario_id, count(*) from '{path}' group by all order by all
"""))
```

```python
import pandas as pd

rows = pd.read_parquet("{path}")
print(rows.groupby("scenario_id").size())
```

With `datasets`, where every relation is a configuration:

```python
import os

from datasets import load_dataset

rows = load_dataset(os.getcwd(), "{name}", split="train")
print(rows)
```

All relations at once, as a frozen DuckLake, in DuckDB 1.5 in this folder (elsewhere,
add `data_path 'https://…/', override_data_path true` in the brackets):

```sql
install ducklake;
attach 'ducklake:{catalogue}' as lake (read_only);
from lake.{name} limit 5;
```

As a lake again, with all that aslib-eval does:

```sh
sha256sum --check SHA256SUMS
aslib-eval import . --lake ../lake
```
'''


def card(name: str, files: Sequence[DataFile], lake: OpenLake, made: Provenance) -> str:
    """The README, with the header of a dataset card; the publisher fills in the licence."""
    by_name = {each.name: each.path for each in files}
    first = next((shown for shown in _SHOWN if shown in by_name), files[0].name)
    parts = (
        _header(name, files, first),
        f"# {name}\n\n{ABOUT}.\n",
        _inside(files, lake),
        _made(lake, made),
        _OPENED.format(path=by_name[first], name=first, catalogue=CATALOGUE),
        _COMPLETED,
    )
    return "\n".join(parts)


def _header(name: str, files: Sequence[DataFile], first: str) -> str:
    most = max(each.rows for each in files)
    sizes = (word for bound, word in _SIZES.items() if most < bound)
    title = name.replace('"', "'").replace("\\", "/")
    lines = [
        f'pretty_name: "{title}"',
        "# license: to be filled in by who publishes this, such as cc-by-4.0",
        "tags: [algorithm-selection, benchmarking, aslib]",
        f"size_categories: [{next(sizes, '10M<n<100M')}]",
        "configs:",
    ]
    for each in files:
        lines += [f"- config_name: {each.name}", f"  data_files: {each.path}"]
        lines += ["  default: true"] if each.name == first else []
    return "\n".join(["---", *lines, "---", ""])


def _inside(files: Sequence[DataFile], lake: OpenLake) -> str:
    scenarios = [(_markdown_cell(name), *counts) for name, *counts in lake.rows("dataset_scenarios")]
    relations = []
    for each in files:
        row = each.contract.row.removeprefix("One row per ").partition(". ")[0].rstrip(".")
        relations.append((f"`{each.name}`", each.rows, _markdown_cell(row), ", ".join(each.contract.key)))
    lines = [
        *("## What is inside", "", f"{plural(len(lake.scenarios), 'scenario')}:", ""),
        *("| scenario | instances | algorithms | runs | selectors |", "| --- | --: | --: | --: | --: |"),
        *(f"| {' | '.join(map(str, row))} |" for row in scenarios),
        *("", f"{plural(len(files), 'relation')}, a Parquet file each:", ""),
        *("| relation | rows | a row is | key |", "| --- | --: | --- | --- |"),
        *(f"| {' | '.join(map(str, row))} |" for row in relations),
        *("", "What each column means, with its unit, is in `datapackage.json`.", ""),
    ]
    return "\n".join(lines)


def _markdown_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_HOW = """\
Relations `raw_…` hold what the files of the scenarios say. All others are computed of
them by views of SQL, whose columns and formulas `aslib-eval views RELATION` shows:
"""


def _made(lake: OpenLake, made: Provenance) -> str:
    lines = [
        *("## How each number was made", "", _HOW),
        *(f"* protocol `{p.tag}`: {p.words}" for p in lake.protocols),
        *(f"* data `{made.data}`", f"* code `{made.code}`", ""),
        *("The hash of each scenario, with its selectors:", ""),
        *(f"* {scenario} `{digest}`" for scenario, digest in made.scenarios.items()),
        *("", "All choices of a protocol are in the relation `protocol`.", ""),
    ]
    return "\n".join(lines)


_COMPLETED = """\
## Before it is published

The licence is not ours to give: scenarios have their own. Fill in `license:` at the
head of this file, `license` in `croissant.json` and `licenses` in `datapackage.json`,
and write the hashes of these three into `SHA256SUMS` anew. `import` reads none of them.
"""


_HINT = "Choose another -o; nothing was changed."


def export_dataset(lake: OpenLake, to: Path, *, relations: Sequence[str] = ()) -> list[Path]:
    """Write a data set; gives its files.

    relations: the results beside the data; none for every relation with one row per solver, scenario, or
    pair of solvers. Rows are in the order of the relation's key; rows of the lake's own relations as in the
    lake, with one row group per scenario. The same lake gives the same bytes. The folder appears when it is
    complete. It replaces an unchanged data set; any other folder that is not empty is refused.
    """
    _require_ours(to)
    known = contracts((), lake.sql_dirs)
    chosen = contracts(relations or _results(lake.sql_dirs), lake.sql_dirs)
    raw = {f"raw_{name}" for name in RELATIONS}
    results = [name for name in dict.fromkeys((*chosen, "protocol", "metric")) if name not in raw]
    lake.prepare(results)
    home = to.resolve()
    with replacing(home.parent, shown=to, hint=_HINT, whole=True) as draft:
        folder = draft.path / home.name
        with unwritable_by_duckdb(to):
            (folder / DATA).mkdir(parents=True)
            files = [*_raw_files(lake, folder, known)]
            for name in results:
                table = _result(lake, name, known[name])
                if table.num_rows or name in relations:
                    files += [_written(folder, name, known[name], table.schema, [table])]
        _describe(lake, draft, home.name, files)
        _require_ours(to)
    return [to / name for name in (*sums_of(to), SUMS)]


def _results(sql_dirs: Sequence[Path]) -> list[str]:
    return [
        file.name
        for file in find_sql(sql_dirs)
        if file.stored and file.subject in ("scenario", "solver") and not set(FAMILY) & set(file.key)
    ]


def _require_ours(to: Path) -> None:
    """Refuse a folder that is not a data set, or was changed since."""
    if not os.path.lexists(to):
        return
    if to.resolve() == Path.cwd():  # renaming it would pull it away from its user
        raise AslibError("is the current folder", str(to), "Name another one.")
    if not to.is_dir() or to.is_symlink():
        raise AslibError("exists and is not a folder", str(to), _HINT)
    names = {path.relative_to(to).as_posix() for path in to.rglob("*") if not path.is_dir()}
    if not names and not any(to.iterdir()):
        return
    if not names >= {INDEX, SUMS}:
        raise AslibError("exists and is not a data set", str(to), _HINT)
    changed = {name for name, _ in damages(to)} | names - {SUMS, *sums_of(to)}
    if changed:
        what = f"has new or changed files: {', '.join(sorted(changed)[:5])}"
        raise AslibError(what, str(to), "Choose another -o, or move that folder away.")


def _raw_files(lake: OpenLake, folder: Path, known: Mapping[str, Contract]) -> Iterator[DataFile]:
    """The relations of the lake, each of all scenarios, in the lake's order of rows."""
    with lake.asked(), versions.lease(lake.path) as held:
        found = [held.version(scenario_id) for scenario_id in lake.scenarios]
        chosen = [version for version in found if version is not None]
        for relation, of in RELATIONS.items():
            kinds = [
                (each.name, each.type.value_type if pa.types.is_dictionary(each.type) else each.type)
                for each in of.schema
            ]
            schema = pa.schema([("scenario_id", pa.string()), *kinds])
            having = [v for v in chosen if relation in v.manifest()["relations"]]
            name = f"raw_{relation}"
            if having:
                tables = (_flat(each, relation, schema) for each in having)
                yield _written(folder, name, known[name], schema, tables)


def _flat(version: versions.Version, relation: str, schema: pa.Schema) -> pa.Table:
    """The rows of a scenario with its id; null for columns that an older lake lacks."""
    table = version.table(relation)
    if table is None:
        raise AslibError(f"{relation} of {version.scenario_id} is gone", "export")
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in list(schema)[1:]
    ]
    ids = pa.array([version.scenario_id] * table.num_rows, pa.string())
    return pa.Table.from_arrays([ids, *columns], schema=schema)


def _result(lake: OpenLake, name: str, contract: Contract) -> pa.Table:
    con = lake.connection
    described = con.sql(f"describe from {identifier(name)}").fetchall()
    cells = ", ".join(_widely_read(column, kind) for column, kind, *_ in described)
    key = ", ".join(map(identifier, contract.key))
    sql = f"select {cells} from {identifier(name)} order by {key}"  # noqa: S608
    return con.sql(sql).to_arrow_table()


def _widely_read(column: str, kind: str) -> str:
    """A column in a type that every reader of Parquet has."""
    name = identifier(column)
    if kind.startswith("ENUM"):
        return f"{name}::varchar as {name}"
    if kind in {"HUGEINT", "UHUGEINT", "UBIGINT"}:
        return f"{name}::bigint as {name}"
    return f"{name}::double as {name}" if kind.startswith("DECIMAL") else name


def _written(
    folder: Path, name: str, contract: Contract, schema: pa.Schema, tables: Iterable[pa.Table]
) -> DataFile:
    list(_columns(schema, count(1)))  # refuses types that DuckLake lacks
    file, rows, gaps = folder / data_file(name), 0, set[str]()
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            rows += table.num_rows
            gaps |= {each for each in table.column_names if table[each].null_count}
            writer.write_table(table)
    with file.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return DataFile(name, contract, schema, rows, frozenset(gaps), file.stat().st_size, digest)


def _describe(lake: OpenLake, draft: Draft, name: str, files: Sequence[DataFile]) -> None:
    index = {
        "layout": LAYOUT,
        "aslib_eval": __version__,
        "duckdb": duckdb.__version__,
        "scenarios": lake.manifests,
    }
    made = provenance(lake)
    texts = {
        INDEX: _json(index),
        "datapackage.json": _json(data_package(name, files)),
        "croissant.json": _json(croissant(name, files, lake.scenarios, made)),
        "README.md": card(name, files, lake, made).encode(),
    }
    sums = {each.path: each.sha256 for each in files}
    catalogue = write_catalogue(draft.path / name, files)
    sums[CATALOGUE] = hashlib.sha256(catalogue.read_bytes()).hexdigest()
    for file, content in texts.items():
        draft.write(f"{name}/{file}", content)
        sums[file] = hashlib.sha256(content).hexdigest()
    lines = (f"{digest}  {file}\n" for file, digest in sorted(sums.items()))
    draft.write(f"{name}/{SUMS}", "".join(lines).encode())


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


# Relation → columns by which rows of others refer to it; the first whose columns the other has counts.
_TARGETS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "protocol": (("protocol",),),
    "metric": (("metric",),),
    "raw_scenario": (("scenario_id", "measure"), ("scenario_id",)),
    "raw_algorithm": (("scenario_id", "algorithm"),),
    "raw_selector": (("scenario_id", "selector", "cv_scheme"),),
}
ABOUT = "Runs, features, splits and selectors of scenarios for algorithm selection"


@dataclass(frozen=True)
class DataFile:
    """A relation in a data set, and its file; gaps: the columns that have a null."""

    name: str
    contract: Contract
    schema: pa.Schema
    rows: int
    gaps: frozenset[str]
    size: int
    sha256: str

    @property
    def path(self) -> str:
        """Of its file in the data set."""
        return data_file(self.name)


def foreign_keys(
    name: str, columns: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The other relations to which columns of a relation refer, and these columns."""
    for target, options in _TARGETS.items():
        fitting = [option for option in options if set(option) <= set(columns)]
        if fitting and target != name and target in others:
            yield target, fitting[0]


def slug(name: str) -> str:
    """The name in lower-case letters, digits and hyphens, which both formats allow."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "lake"


def data_package(name: str, files: Sequence[DataFile]) -> dict[str, Any]:
    """The descriptor of a Frictionless Data Package, version 2; without licences."""
    names = [each.name for each in files]
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": slug(name),
        "title": name,
        "description": f"{ABOUT}.",
        "version": f"aslib-eval {__version__}",
        "resources": [_resource(each, names) for each in files],
    }


def _resource(file: DataFile, names: Sequence[str]) -> dict[str, Any]:
    keys = [
        {"fields": list(shared), "reference": {"resource": target, "fields": list(shared)}}
        for target, shared in foreign_keys(file.name, file.schema.names, names)
    ]
    fields = [
        {
            "name": field.name,
            "type": _frictionless(field.type, nullable=field.name in file.gaps),
            "description": file.contract.columns.get(field.name, ""),
        }
        for field in file.schema
    ]
    schema = {"fields": fields, "primaryKey": list(file.contract.key)}
    return {
        "name": file.name,
        "type": "table",
        "path": file.path,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": file.contract.row,
        "hash": f"sha256:{file.sha256}",
        "schema": schema | ({"foreignKeys": keys} if keys else {}),
    }


def _frictionless(kind: pa.DataType, *, nullable: bool) -> str:
    """A type that the reader of Frictionless accepts for a column of Parquet.

    It reads whole numbers with gaps as real numbers, and refuses lists as ``array``.
    """
    if pa.types.is_nested(kind):
        return "any"
    return _one_of(kind, "boolean", ("number" if nullable else "integer"), "number", "string")


def _one_of(kind: pa.DataType, flag: str, whole: str, real: str, text: str) -> str:
    if pa.types.is_boolean(kind):
        return flag
    if pa.types.is_integer(kind):
        return whole
    return real if pa.types.is_floating(kind) else text


# The names of Croissant 1.1 and what they stand for.
_OURS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract"),
    *("field", "fileProperty", "fileObject", "fileSet", "format", "includes"),
    *("isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path"),
    *("recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _OURS},
}


def croissant(
    name: str, files: Sequence[DataFile], scenarios: Sequence[str], made: Provenance
) -> dict[str, Any]:
    """The Croissant 1.1 metadata of a data set; without licence, date and address."""
    by_name = {each.name: each for each in files}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": slug(name),
        "description": f"{ABOUT}: {', '.join(scenarios)}. Data {made.data}.",
        "version": __version__,
        "keywords": ["algorithm selection", "benchmarking", "ASlib"],
        "distribution": [_file_object(each) for each in files],
        "recordSet": [_record_set(each, by_name) for each in files],
    }


def _file_object(file: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": f"{file.name}.parquet",
        "description": file.contract.row,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(file: DataFile, known: Mapping[str, DataFile]) -> dict[str, Any]:
    # A reference of Croissant has one column, which must be the key of its target: else it would join
    # several rows.
    leads = {
        shared[0]: target
        for target, shared in foreign_keys(file.name, file.schema.names, [*known])
        if tuple(known[target].contract.key) == shared and len(shared) == 1
    }
    return {
        "@type": "cr:RecordSet",
        "@id": file.name,
        "name": file.name,
        "description": file.contract.row,
        "key": [{"@id": f"{file.name}/{column}"} for column in file.contract.key],
        "field": [_field(file, field, leads.get(field.name)) for field in file.schema],
    }


def _field(file: DataFile, field: pa.Field, leads_to: str | None) -> dict[str, Any]:
    is_list = pa.types.is_list(field.type)
    of = field.type.value_type if is_list else field.type
    found = {
        "@type": "cr:Field",
        "@id": f"{file.name}/{field.name}",
        "name": field.name,
        "description": file.contract.columns.get(field.name, field.name),
        "dataType": _one_of(of, "sc:Boolean", "cr:Int64", "cr:Float64", "sc:Text"),
        "source": {"fileObject": {"@id": file.path}, "extract": {"column": field.name}},
    }
    if is_list:
        found |= {"isArray": True, "arrayShape": "-1"}
    if leads_to:
        found["references"] = {"field": {"@id": f"{leads_to}/{field.name}"}}
    return found


CATALOGUE = "catalogue.ducklake"
_VERSION = "1.0"
# DuckDB 1.0 and later read this; blocks are small because the tables have few rows.
_FORMAT = "storage_version 'v1.0.0', block_size 16384"
# Makes the bytes the same each time; compressed text holds leftovers of memory.
_SAME: dict[str, str | bool | int | float | list[str]] = {"threads": 1, "force_compression": "uncompressed"}
_SCHEMA, _SNAPSHOT = 0, 1
# A fixed time, so that the same lake gives the same bytes.
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
_NUMBERS = ("float64", "float32", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (64, 32, 16, 8)))
_TYPES = {getattr(pa, name)(): name for name in _NUMBERS} | {
    pa.string(): "varchar",
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

    Every relation is a table of schema ``main`` with the columns of its Parquet file; comments have their
    meaning. The same files give the same bytes.
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


def _add_file(rows: _Rows, number: int, file: DataFile, path: Path) -> None:
    """A relation as a table with one file and one mapping, all of the same number."""
    life, size = (_SNAPSHOT, None), (file.rows, file.size)
    footer = pq.read_metadata(path).serialized_size
    rows["table"].append((number, _uuid(file.name), *life, _SCHEMA, file.name, "", True))
    rows["schema_versions"].append((_SNAPSHOT, 1, number))
    rows["tag"].append((number, *life, "comment", file.contract.row))
    where = (None, file.path, True, "parquet", *size, footer)
    rows["data_file"].append((number, number, *life, *where, 0, None, None, number, None))
    rows["table_stats"].append((number, file.rows, *size))
    rows["column_mapping"].append((number, number, "map_by_name"))
    first = len(rows["column"])
    for at, (source, name, kind, parent) in enumerate(_columns(file.schema, count(1)), start=1):
        column, above = first + at, None if parent is None else first + parent
        kept = (None, "NULL", True, above, "literal", "duckdb")
        rows["column"].append((column, *life, number, at, name, kind, *kept))
        rows["name_mapping"].append((number, column, source, column, above, False))
        if about := "" if parent else file.contract.columns.get(name, ""):
            rows["column_tag"].append((number, column, *life, "comment", about))


def _columns(
    fields: Iterable[pa.Field], place: Iterator[int], parent: int | None = None, *, group: str = ""
) -> Iterator[tuple[str, str, str, int | None]]:
    """Each column's name in Parquet, own name, type and place of its parent.

    After a list comes its element, which Parquet has in a group ``list``; after a structure its fields.
    """
    for each in fields:
        at, kind = next(place), each.type
        source, name = group or each.name, each.name
        if pa.types.is_list(kind):
            yield source, name, "list", parent
            yield from _columns([pa.field("element", kind.value_type)], place, at, group="list")
        elif pa.types.is_struct(kind):
            yield source, name, "struct", parent
            yield from _columns(kind.fields, place, at)
        elif kind in _TYPES:
            yield source, name, _TYPES[kind], parent
        else:
            raise AslibError(
                f"has the type {kind}, which a data set cannot hold", name, "Cast it to text in its view."
            )


def _uuid(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"aslib-eval:{name}")
