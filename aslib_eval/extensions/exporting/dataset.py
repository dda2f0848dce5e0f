"""A lake → a data set: Parquet files, what they mean in words of three kinds, hashes.

``import`` reads it back: all of the lake's relations are in it, and what its manifests say of each
scenario.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval._version import __version__
from aslib_eval.atomic_files import Draft, replacing
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import FAMILY, find_sql
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
from aslib_eval.extensions.exporting.dataset_schemas import (
    ABOUT,
    CATALOGUE,
    DataFile,
    croissant,
    data_package,
    require_types,
    write_catalogue,
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
    """The README, with the header of a dataset card; the licence is left to fill in."""
    names = [each.name for each in files]
    first = next((shown for shown in _SHOWN if shown in names), names[0])
    path = next(each.path for each in files if each.name == first)
    parts = (
        _header(name, files, first),
        f"# {name}\n\n{ABOUT}.\n",
        _inside(files, lake),
        _made(lake, made),
        _OPENED.format(path=path, name=first, catalogue=CATALOGUE),
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
    runs, selectors = _counted(lake), dict(lake.rows(_SELECTORS))
    scenarios = [
        (_markdown_cell(name), *runs.get(name, (0, 0, 0)), selectors.get(name, 0))
        for (name,) in lake.rows(_NAMES)
    ]
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


# A scenario is counted as it is, whatever a protocol makes of it.
_NAMES = "select distinct scenario_id from raw_scenario order by all"
_RUNS = "select scenario_id, instance_id, repetition, algorithm from raw_run"
_SELECTORS = "select scenario_id, count(distinct selector) from raw_selector group by 1"


def _counted(lake: OpenLake) -> dict[str, tuple[int, int, int]]:
    names = ("instance_id", "algorithm")
    runs = lake.ask(_RUNS).unique().group_by("scenario_id")
    found = runs.agg(*(pl.col(name).n_unique() for name in names), pl.len())
    return {scenario: (i, a, n) for scenario, i, a, n in found.rows()}


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
_README = "README.md"
_RAW = tuple(f"raw_{name}" for name in RELATIONS)
# Of these subjects are the results that everybody gets: a row a scenario, or a solver.
_RESULTS = ("scenario", "solver")


def export_dataset(lake: OpenLake, to: Path, *, relations: Sequence[str] = ()) -> list[Path]:
    """Write a data set; gives its files.

    relations: the results in it, beside the data; none for every relation with a row a solver, a scenario,
    or a pair of solvers. In a file, rows are in the order of the relation's key, but those of the lake's
    own relations as in the lake, each scenario a row group. The same lake gives the same bytes. The folder
    appears when it is complete, and replaces an earlier data set if nobody has changed that; any other
    folder that is not empty is refused.
    """
    _require_ours(to)
    known = contracts((), lake.sql_dirs)
    chosen = contracts(relations or _results(lake.sql_dirs), lake.sql_dirs)
    results = [name for name in (*chosen, "protocol", "metric") if name not in _RAW]
    results = list(dict.fromkeys(results))
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
                    schema = table.schema
                    files += [_written(folder, name, known[name], schema, [table])]
        _describe(lake, draft, home.name, files)
        _require_ours(to)
    return [to / name for name in (*sums_of(to), SUMS)]


def _results(sql_dirs: Sequence[Path]) -> list[str]:
    return [
        file.name
        for file in find_sql(sql_dirs)
        if file.stored and file.subject in _RESULTS and not set(FAMILY) & set(file.key)
    ]


def _require_ours(to: Path) -> None:
    """A folder that is no data set, or was changed since, is somebody's: leave it."""
    if not os.path.lexists(to):
        return
    if to.resolve() == Path.cwd():  # it would be renamed under its user
        raise AslibError("is the folder that you are in", str(to), "Name another one.")
    if not to.is_dir() or to.is_symlink():
        raise AslibError("exists and is no folder", str(to), _HINT)
    names = {path.relative_to(to).as_posix() for path in to.rglob("*") if not path.is_dir()}
    if not names and not any(to.iterdir()):
        return
    if not names >= {INDEX, SUMS}:
        raise AslibError("exists and is no data set", str(to), _HINT)
    changed = {name for name, _ in damages(to)} | names - {SUMS, *sums_of(to)}
    if changed:
        what = f"has files that no export wrote so: {', '.join(sorted(changed)[:5])}"
        raise AslibError(what, str(to), "Choose another -o, or move that folder away.")


def _raw_files(lake: OpenLake, folder: Path, known: Mapping[str, Contract]) -> Iterator[DataFile]:
    """The relations of the lake, each of all scenarios, in the lake's order of rows."""
    with lake.asked(), versions.lease(lake.path) as held:
        found = [held.version(scenario_id) for scenario_id in lake.scenarios]
        chosen = [version for version in found if version is not None]
        for relation, of in RELATIONS.items():
            fields = [("scenario_id", pa.string())]
            fields += [(field.name, _plain(field.type)) for field in of.schema]
            having = [v for v in chosen if relation in v.manifest()["relations"]]
            name = f"raw_{relation}"
            if having:
                tables = (_flat(each, relation, pa.schema(fields)) for each in having)
                yield _written(folder, name, known[name], pa.schema(fields), tables)


def _flat(version: versions.Version, relation: str, schema: pa.Schema) -> pa.Table:
    """The rows of a scenario with its id; null where it is of an earlier format."""
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


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


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
    folder: Path,
    name: str,
    contract: Contract,
    schema: pa.Schema,
    tables: Iterator[pa.Table] | list[pa.Table],
) -> DataFile:
    require_types(schema)
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
        _README: card(name, files, lake, made).encode(),
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
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"
