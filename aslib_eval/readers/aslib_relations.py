"""A scenario as read → the tables of the lake contract. Rows in = rows out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.lake import RELATIONS, TEXT
from aslib_eval.readers.aslib import IDS, TEXTS, Scenario
from aslib_eval.readers.description import Description, Step

Rows = dict[str, Any]


def relations(scenario: Scenario) -> dict[str, pa.Table]:
    """Every relation that the scenario has rows for, in the contract's schema.

    The scenario must have a description and no finding of severity error.
    """
    description = scenario.description
    if description is None:
        message = "a scenario without a readable description has no relations"
        raise ValueError(message)
    rename = algorithm_names(scenario)
    built: dict[str, pa.Table | None] = {
        "scenario": _scenario(scenario, description),
        "source": _source(scenario),
        "algorithm": _algorithm(scenario, description, rename),
        "feature": _feature(scenario, description),
        "feature_step": _feature_step(description),
        "fold": _fold(scenario),
        "reference": _reference(scenario),
    }
    for part in ("", "_test"):
        built[f"run{part}"] = _runs(scenario, description, f"algorithm_runs{part}")
        values, costs, status = (
            f"feature_{kind}{part}" for kind in ("values", "costs", "runstatus")
        )
        built[f"feature_value{part}"] = _long(scenario, values, "feature", "value")
        built[f"feature_cost{part}"] = _long(scenario, costs, "step", "cost")
        built[f"feature_status{part}"] = _long(scenario, status, "step", "runstatus")
    for kind, name, value in (
        ("values", "feature", "value"),
        ("costs", "step", "cost"),
        ("runstatus", "step", "runstatus"),
    ):
        table = _long(scenario, f"algorithm_feature_{kind}", name, value)
        relation = {"value": "", "cost": "_cost", "runstatus": "_status"}[value]
        built[f"algorithm_feature{relation}"] = _renamed(table, rename)
    return {
        name: _conform(name, table)
        for name, table in built.items()
        if table is not None and table.num_rows
    }


def make_names(name: str) -> str:
    """R's make.names, which renamed algorithms in some files of some scenarios."""
    name = re.sub(r"[^A-Za-z0-9._]", ".", name)
    return name if re.match(r"[A-Za-z]|\.(?![0-9])", name) else f"X{name}"


def algorithm_names(scenario: Scenario) -> dict[str, str]:
    """Names used in description and algorithm features → names used in the runs.

    Exact names stay; others are matched by ``make_names`` where that is unique.
    """
    runs = _distinct(scenario, "algorithm_runs", "algorithm")
    known = set(runs)
    forms: dict[str, list[str]] = {}
    for name in runs:
        forms.setdefault(make_names(name), []).append(name)
    others = (
        {a.name for a in scenario.description.algorithms}
        if (scenario.description)
        else set()
    )
    for file in IDS:
        if file.startswith("algorithm_feature_"):
            others.update(_distinct(scenario, file, "algorithm"))
    matches = {name: forms.get(make_names(name), []) for name in others - known}
    return {name: to[0] for name, to in matches.items() if len(to) == 1}


def _distinct(scenario: Scenario, file: str, column: str) -> list[str]:
    """Values of a text column in order of appearance; none if the file is absent."""
    if file not in scenario.tables:
        return []
    values: list[str] = pc.unique(scenario.tables[file].table[column]).to_pylist()
    return values


def _conform(name: str, table: pa.Table) -> pa.Table:
    """The table in the contract's schema; columns it lacks are null."""
    schema = RELATIONS[name].schema
    arrays = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _constant(word: str, size: int) -> pa.DictionaryArray:
    codes = pa.array(np.zeros(size, np.int32))
    return pa.DictionaryArray.from_arrays(codes, pa.array([word], pa.string()))


def _rows(rows: Iterable[Rows]) -> pa.Table | None:
    listed = list(rows)
    return pa.Table.from_pylist(listed) if listed else None


def _scenario(scenario: Scenario, description: Description) -> pa.Table:
    digest = hashlib.sha256()
    for name, source in sorted(scenario.sources.items()):
        digest.update(f"{source.sha256}  {name}\n".encode())
    numbers = description.numbers
    return pa.Table.from_pylist(
        [
            {
                "folder": scenario.folder,
                "measure": measure.name,
                "measure_index": index,
                "measure_type": measure.type,
                "maximize": measure.maximize,
                "cutoff": numbers["algorithm_cutoff_time"],
                "cutoff_memory": numbers["algorithm_cutoff_memory"],
                "features_cutoff_time": numbers["features_cutoff_time"],
                "features_cutoff_memory": numbers["features_cutoff_memory"],
                "missing": list(scenario.missing),
                "source_sha256": digest.hexdigest(),
            }
            for index, measure in enumerate(description.measures, 1)
        ],
        RELATIONS["scenario"].schema,
    )


def _source(scenario: Scenario) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "file": name,
                "bytes": len(source.content),
                "sha256": source.sha256,
                "text": source.content.decode(errors="replace")
                if name in TEXTS
                else None,
            }
            for name, source in sorted(scenario.sources.items())
        ],
        RELATIONS["source"].schema,
    )


def _algorithm(
    scenario: Scenario, description: Description, rename: dict[str, str]
) -> pa.Table | None:
    run = _distinct(scenario, "algorithm_runs", "algorithm")
    info = {rename.get(a.name, a.name): a for a in description.algorithms}
    said = {
        name: flag
        for flag, key in ((True, "deterministic"), (False, "stochastic"))
        for name in description.names[f"algorithms_{key}"]
    }
    rows = []
    for name in dict.fromkeys((*run, *info)):
        entry = info.get(name)
        flag = entry.deterministic if entry else None
        rows.append(
            {
                "algorithm": name,
                "described": entry is not None,
                "described_as": entry.name if entry else None,
                "has_runs": name in set(run),
                "deterministic": said.get(name) if flag is None else flag,
                "configuration": entry.configuration if entry else None,
            }
        )
    return _rows(rows)


def _feature(scenario: Scenario, description: Description) -> pa.Table | None:
    rows: list[Rows] = []
    for of, prefix, file, steps in (
        ("instance", "", "feature_values", description.steps),
        (
            "algorithm",
            "algorithm_",
            "algorithm_feature_values",
            description.algorithm_steps,
        ),
    ):
        declared = {
            name: flag
            for flag, key in ((True, "deterministic"), (False, "stochastic"))
            for name in description.names[f"{prefix}features_{key}"]
        }
        columns = _columns(scenario, file)
        for position, name in enumerate(dict.fromkeys((*declared, *columns)), 1):
            by = [step.name for step in steps if name in step.provides]
            rows.append(
                {
                    "feature": name,
                    "of": of,
                    "position": position,
                    "deterministic": declared.get(name),
                    "has_values": name in columns,
                    "steps": by,
                }
            )
    return _rows(rows)


def _columns(scenario: Scenario, file: str) -> dict[str, None]:
    if file not in scenario.tables:
        return {}
    names = scenario.tables[file].table.column_names
    return dict.fromkeys(name for name in names if name not in IDS[file])


def _feature_step(description: Description) -> pa.Table | None:
    default = set(description.names["default_steps"])

    def rows(of: str, steps: Sequence[Step]) -> Iterable[Rows]:
        for position, step in enumerate(steps, 1):
            yield {
                "step": step.name,
                "of": of,
                "position": position,
                "is_default": step.name in default,
                "requires": list(step.requires),
                "provides": list(step.provides),
            }

    return _rows(
        [
            *rows("instance", description.steps),
            *rows("algorithm", description.algorithm_steps),
        ]
    )


def _fold(scenario: Scenario) -> pa.Table | None:
    if "cv" not in scenario.tables:
        return None
    table = scenario.tables["cv"].table
    scheme = _constant("aslib", table.num_rows)
    names = ["instance_id", "cv_repetition", "fold", "cv_scheme"]
    columns = [table["instance_id"], table["repetition"], table["fold"], scheme]
    return pa.table(columns, names=names)


def _reference(scenario: Scenario) -> pa.Table | None:
    if "ground_truth" not in scenario.tables:
        return None
    names = scenario.tables["ground_truth"].table.column_names
    ids = {"instance_id", "repetition"}
    columns = [name for name in names if name not in ids]
    return _melt(scenario, "ground_truth", "role", "value", columns)


def _runs(scenario: Scenario, description: Description, file: str) -> pa.Table | None:
    if file not in scenario.tables:
        return None
    table = scenario.tables[file].table
    parts = []
    for column, measure in measure_columns(table, description).items():
        part = table.select(["instance_id", "repetition", "algorithm", "runstatus"])
        name = _constant(measure, table.num_rows)
        part = part.append_column("measure", name)
        parts.append(part.append_column("value", table[column]))
    return pa.concat_tables(parts).unify_dictionaries() if parts else None


def measure_columns(table: pa.Table, description: Description) -> dict[str, str]:
    """Columns of a runs table → names of the measures they hold.

    By name; by position where no name matches but the number does (the test set of
    CPMP-2015 calls its runtimes ``performance``).
    """
    ids = {*IDS["algorithm_runs"], "runstatus"}
    columns = [name for name in table.column_names if name not in ids]
    names = [measure.name for measure in description.measures]
    if not set(names) & set(columns) and len(names) == len(columns):
        return dict(zip(columns, names, strict=True))
    return {name: name for name in names if name in columns}


def _long(scenario: Scenario, file: str, name: str, value: str) -> pa.Table | None:
    return _melt(scenario, file, name, value, list(_columns(scenario, file)))


def _melt(
    scenario: Scenario, file: str, name: str, value: str, columns: list[str]
) -> pa.Table | None:
    """Columns → rows, row by row: ids, column name, value (and label of a text)."""
    if file not in scenario.tables or not columns:
        return None
    table = scenario.tables[file].table
    size, width = table.num_rows, len(columns)
    data: dict[str, Any] = {}
    for field in (f for f in table.schema if f.name in IDS[file]):
        data[field.name] = _repeat(table[field.name], width)
    codes = pa.array(np.tile(np.arange(width, dtype=np.int32), size))
    data[name] = pa.DictionaryArray.from_arrays(codes, pa.array(columns, pa.string()))
    numeric = [c for c in columns if pa.types.is_floating(table[c].type)]
    if value == "runstatus":
        data[value] = _interleave_text(table, columns)
    else:
        data[value] = _interleave(table, columns, set(numeric))
        if value == "value" and len(numeric) < width:
            data["label"] = _interleave_text(table, columns, skip=set(numeric))
    return pa.table(data)


def _repeat(column: pa.ChunkedArray, times: int) -> pa.Array:
    array = column.combine_chunks()
    if isinstance(array, pa.DictionaryArray):
        codes = np.repeat(array.indices.to_numpy(), times)
        return pa.DictionaryArray.from_arrays(pa.array(codes), array.dictionary)
    return pa.array(np.repeat(array.to_numpy(), times))


def _interleave(table: pa.Table, columns: list[str], numeric: set[str]) -> pa.Array:
    """Values row by row; null where missing (a NaN of the file stays NaN)."""
    size = table.num_rows
    values = np.full((size, len(columns)), np.nan)
    missing = np.ones((size, len(columns)), bool)
    for at, column in enumerate(columns):
        if column in numeric:
            values[:, at] = table[column].to_numpy()
            missing[:, at] = False
            if table[column].null_count:
                missing[:, at] = table[column].is_null().to_numpy()
    return pa.array(values.ravel(), mask=missing.ravel())


def _interleave_text(
    table: pa.Table, columns: list[str], *, skip: Collection[str] = ()
) -> pa.DictionaryArray:
    """Texts row by row over one dictionary; null where missing."""
    words: dict[str | None, int] = {}
    codes = np.full((table.num_rows, len(columns)), -1, np.int32)
    for at, column in enumerate(columns):
        if column not in skip:
            array = table[column].cast(TEXT).combine_chunks()
            listed = array.dictionary.to_pylist()
            lookup = [words.setdefault(word, len(words)) for word in listed]
            own = array.indices.fill_null(-1).to_numpy()
            codes[:, at] = np.array([*lookup, -1], np.int32)[own]
    flat = codes.ravel()
    indices = pa.array(flat, mask=flat < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))


def _renamed(table: pa.Table | None, rename: dict[str, str]) -> pa.Table | None:
    """Algorithm features under the names that the runs use."""
    if table is None or not rename:
        return table
    at = table.column_names.index("algorithm")
    array = table["algorithm"].combine_chunks()
    words = [rename.get(word, word) for word in array.dictionary.to_pylist()]
    renamed = pa.DictionaryArray.from_arrays(array.indices, pa.array(words))
    return table.set_column(at, "algorithm", renamed)
