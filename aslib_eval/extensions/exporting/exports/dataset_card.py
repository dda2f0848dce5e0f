"""The README of a data set: what is inside, how it was made, and how to open it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.extensions.exporting.exports.dataset_ducklake import CATALOGUE
from aslib_eval.extensions.exporting.exports.dataset_schemas import ABOUT, DataFile
from aslib_eval.provenance import Provenance
from aslib_eval.text import plural

# Bounds of the categories that Hugging Face has for the number of rows.
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LARGER = ((1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))
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
        _completed(),
    )
    return "\n".join(parts)


def _header(name: str, files: Sequence[DataFile], first: str) -> str:
    most = max(each.rows for each in files)
    sizes = (word for bound, word in (*_SIZES, *_LARGER) if most < bound)
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
    lines = ["## What is inside", ""]
    lines += [f"{plural(len(lake.scenarios), 'scenario')}:", ""]
    lines += ["| scenario | instances | algorithms | runs | selectors |"]
    lines += ["| --- | --: | --: | --: | --: |"]
    runs = _counted(lake)
    selectors = dict(lake.rows(_SELECTORS))
    for (scenario,) in lake.rows(_NAMES):
        counts = [*runs.get(scenario, (0, 0, 0)), selectors.get(scenario, 0)]
        lines.append(f"| {_cell(scenario)} | {' | '.join(map(str, counts))} |")
    lines += ["", f"{plural(len(files), 'relation')}, a Parquet file each:", ""]
    lines += ["| relation | rows | a row is | key |", "| --- | --: | --- | --- |"]
    for each in files:
        row = each.contract.row.removeprefix("One row per ").partition(". ")[0]
        row = row.rstrip(".")
        key = ", ".join(each.contract.key)
        lines.append(f"| `{each.name}` | {each.rows} | {_cell(row)} | {key} |")
    lines += ["", "What each column means, with its unit, is in `datapackage.json`.", ""]
    return "\n".join(lines)


# A scenario is counted as it is, whatever a protocol makes of it.
_NAMES = "select distinct scenario_id from raw_scenario order by all"
_RUNS = "select scenario_id, instance_id, repetition, algorithm from raw_run"
_SELECTORS = "select scenario_id, count(distinct selector) from raw_selector group by 1"


def _counted(lake: OpenLake) -> dict[str, tuple[int, int, int]]:
    """Of each scenario with runs: its instances, algorithms and runs."""
    names = ("instance_id", "algorithm")
    runs = lake.ask(_RUNS).unique().group_by("scenario_id")
    found = runs.agg(*(pl.col(name).n_unique() for name in names), pl.len())
    return {scenario: (i, a, n) for scenario, i, a, n in found.rows()}


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_HOW = """\
Relations `raw_…` hold what the files of the scenarios say. All others are computed of
them by views of SQL, whose columns and formulas `aslib-eval views RELATION` shows:
"""


def _made(lake: OpenLake, made: Provenance) -> str:
    lines = ["## How each number was made", ""]
    lines += [_HOW]
    lines += [f"* protocol `{p.tag}`: {p.words}" for p in lake.protocols]
    lines += [f"* data `{made.data}`", f"* code `{made.code}`", ""]
    lines += ["The hash of each scenario, with its selectors:", ""]
    lines += [f"* {scenario} `{digest}`" for scenario, digest in made.scenarios.items()]
    lines += ["", "All choices of a protocol are in the relation `protocol`.", ""]
    return "\n".join(lines)


def _completed() -> str:
    return """\
## Before it is published

The licence is not ours to give: scenarios have their own. Fill in `license:` at the
head of this file, `license` in `croissant.json` and `licenses` in `datapackage.json`,
and write the hashes of these three into `SHA256SUMS` anew. `import` reads none of them.
"""
