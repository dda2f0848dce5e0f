"""A scenario as read → the tables of the lake contract; two folders of a contest → one scenario.

trajectories.arff: the solutions that runs found on their way.

An extension of the ASlib format, which other tools leave alone: a row for each improving solution, with the
columns instance_id, repetition, algorithm, elapsed (time since the run began, ``?`` where unknown) and
objective (the value of the scenario's first solution-quality measure, in the file's own direction). The
points of a run stand in the order in which they were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.formats.aslib.description import Description, FeatureStep
from aslib_eval.formats.aslib.scenario import (
    IDS,
    Scenario,
    algorithm_names,
    distinct_names,
    load_sources,
    read_scenario,
)
from aslib_eval.formats.sources import Location, Source, Sources, digest_of, source_table, table
from aslib_eval.lake.schema import COUNT, RELATIONS, TEXT, arrow_type

_TEXT = arrow_type(TEXT)

# Wide → long: a column for each feature becomes a row for each cell.


def melt(table: pa.Table, *, ids: Collection[str], columns: list[str], name: str, value: str) -> pa.Table:
    """Columns → rows, row by row: ids, the column's name, and its value.

    ``table`` has text columns (dictionary-encoded) and float64 columns; the result
    has ``table.num_rows * len(columns)`` rows. A text cell goes into ``value`` if that is ``runstatus``,
    else into ``label``; missing is null, NaN stays NaN.
    """
    size, width = table.num_rows, len(columns)
    parts = []
    for column in columns:
        cells = table[column]
        is_text = not pa.types.is_floating(cells.type)
        part = {each: table[each] for each in table.column_names if each in ids}
        part[name] = _constant(column, size)
        part["label" if is_text and value == "value" else value] = cells.cast(_TEXT) if is_text else cells
        parts.append(pa.table(part))
    by_row = np.arange(size * width).reshape(width, size).T.ravel()
    whole = pa.concat_tables(parts, promote_options="default")
    return whole.unify_dictionaries().combine_chunks().take(by_row)


NAME = "trajectories"
RUN = ("instance_id", "repetition", "algorithm")
POINT = ("elapsed", "objective")


def quality_measure(description: Description) -> str | None:
    """The measure whose values the points are; None if the scenario has none."""
    return next((m.name for m in description.measures if m.type == "solution_quality"), None)


def trajectory(table: pa.Table, measure: str) -> pa.Table:
    """The rows of the file as rows of the relation ``trajectory``, in their order.

    ``step`` counts the points of a run from 1; every batch is of one suggestion.
    """
    size = table.num_rows
    name = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(size, np.int32)), pa.array([measure], pa.string())
    )
    columns = {
        "instance_id": table["instance_id"],
        "algorithm": table["algorithm"],
        "trial": table["repetition"],
        "measure": name,
        "step": pa.array(_counted(table)),
        "suggestion": pa.array(np.ones(size, np.int32)),
        "elapsed": table["elapsed"],
        "value": table["objective"],
    }
    return pa.table(columns)


def _counted(table: pa.Table) -> NDArray[np.int32]:
    """1, 2, … within each run, in the order of the rows."""
    counts: Counter[tuple[Any, ...]] = Counter()
    steps = []
    for run in zip(*(table[name].to_pylist() for name in RUN), strict=True):
        counts[run] += 1
        steps.append(counts[run])
    return np.array(steps, np.int32)


Rows = dict[str, Any]

# Relation → its file, the name of its name column and of its value column.
_LONG = {
    "value": ("values", "feature", "value"),
    "cost": ("costs", "step", "cost"),
    "status": ("runstatus", "step", "runstatus"),
}


def relations(scenario: Scenario) -> dict[str, pa.Table]:
    """Every relation that the scenario has rows for, in the contract's schema.

    The scenario must have a description and no finding of severity error.
    """
    description = scenario.description
    if description is None:
        raise ValueError("a scenario without a readable description has no relations")
    steps = {"": description.steps, "algorithm_": description.algorithm_steps}
    rows = {
        "scenario": _scenario(scenario, description),
        "algorithm": _algorithm(scenario, description),
        "feature": [row for each in steps for row in _features(scenario, description, each, steps[each])],
        "feature_step": _feature_steps(description),
        "attribute": _attribute(scenario),
    }
    built: dict[str, pa.Table | None] = {
        **{name: table(name, each) for name, each in rows.items()},
        "source": source_table(scenario.sources),
        "fold": _fold(scenario),
        "reference": _reference(scenario),
        "trajectory": _trajectory(scenario, description),
    }
    rename = algorithm_names(scenario)
    for relation, (file, name, value) in _LONG.items():
        of_algorithms = _long(scenario, f"algorithm_feature_{file}", name, value)
        built[f"algorithm_feature_{relation}".removesuffix("_value")] = _renamed(of_algorithms, rename)
    for part in ("", "_test"):
        built[f"run{part}"] = _runs(scenario, description, f"algorithm_runs{part}")
        for relation, (file, name, value) in _LONG.items():
            built[f"feature_{relation}{part}"] = _long(scenario, f"feature_{file}{part}", name, value)
    return {
        name: _conform(name, each) for name, each in built.items() if each is not None and each.num_rows
    }


def _conform(name: str, table: pa.Table) -> pa.Table:
    """The table in the contract's schema; columns it lacks are null."""
    schema = RELATIONS[name].schema
    if unknown := [each for each in table.column_names if each not in schema.names]:
        raise KeyError(name, *unknown)
    arrays = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _constant(word: str, size: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(size, np.int32)), pa.array([word], pa.string()))


def _scenario(scenario: Scenario, description: Description) -> list[Rows]:
    numbers, digest = description.numbers, digest_of(scenario.sources)
    return [
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
            "time_unit": description.time_unit,
            "missing": list(scenario.missing),
            "source_sha256": digest,
        }
        for index, measure in enumerate(description.measures, 1)
    ]


def _algorithm(scenario: Scenario, description: Description) -> list[Rows]:
    rename = algorithm_names(scenario)
    run = distinct_names(scenario, "algorithm_runs", "algorithm")
    info = {rename.get(a.name, a.name): a for a in description.algorithms}
    declared = _declared(description, "algorithms")
    have_run = set(run)
    rows = []
    for name in dict.fromkeys((*run, *info)):
        entry = info.get(name)
        flag = entry.deterministic if entry else None
        rows.append(
            {
                "algorithm": name,
                "described": entry is not None,
                "described_as": entry.name if entry else None,
                "has_runs": name in have_run,
                "deterministic": declared.get(name) if flag is None else flag,
                "configuration": entry.configuration if entry else None,
            }
        )
    return rows


def _declared(description: Description, what: str) -> dict[str, bool]:
    """Name of a feature or algorithm → whether it is declared deterministic."""
    kinds = {"deterministic": True, "stochastic": False}
    return {name: flag for kind, flag in kinds.items() for name in description.names[f"{what}_{kind}"]}


def _features(
    scenario: Scenario, description: Description, prefix: str, steps: Sequence[FeatureStep]
) -> Iterable[Rows]:
    declared = _declared(description, f"{prefix}features")
    columns = _columns(scenario, f"{prefix}feature_values")
    providers: dict[str, list[str]] = {}
    for step in steps:
        for name in step.provides:
            providers.setdefault(name, []).append(step.name)
    for position, name in enumerate(dict.fromkeys((*declared, *columns)), 1):
        yield {
            "feature": name,
            "of": "algorithm" if prefix else "instance",
            "position": position,
            "deterministic": declared.get(name),
            "has_values": name in columns,
            "steps": providers.get(name, []),
        }


def _columns(scenario: Scenario, file: str) -> dict[str, None]:
    if file not in scenario.tables:
        return {}
    return dict.fromkeys(name for name in scenario.tables[file].table.column_names if name not in IDS[file])


def _feature_steps(description: Description) -> list[Rows]:
    return [
        {
            "step": step.name,
            "of": of,
            "position": position,
            "is_default": step.name in description.names["default_steps"],
            "requires": list(step.requires),
            "provides": list(step.provides),
        }
        for of, steps in (("instance", description.steps), ("algorithm", description.algorithm_steps))
        for position, step in enumerate(steps, 1)
    ]


def _fold(scenario: Scenario) -> pa.Table | None:
    if "cv" not in scenario.tables:
        return None
    table = scenario.tables["cv"].table
    scheme = _constant("aslib", table.num_rows)
    names = ["instance_id", "cv_repetition", "fold", "cv_scheme"]
    return pa.table([table["instance_id"], table["repetition"], table["fold"], scheme], names=names)


def _reference(scenario: Scenario) -> pa.Table | None:
    if "ground_truth" not in scenario.tables:
        return None
    names = scenario.tables["ground_truth"].table.column_names
    ids = {"instance_id", "repetition"}
    columns = [name for name in names if name not in ids]
    return _melted(scenario, "ground_truth", "role", "value", columns)


# What a column of ground_truth.arff is called that says a family, and no truth.
_FAMILIES = frozenset({"family", "track", "category", "class", "domain"})
GROUND_TRUTH = "ground_truth"


def _attribute(scenario: Scenario) -> list[Rows]:
    """Attributes of attributes.arff, and the texts of ground_truth.arff.

    Of the latter the one column of text is the attribute ``ground_truth``; families, and columns of text
    where there are several, keep their names. attributes.arff has the last word.
    """
    given = _texts(scenario, "attributes", numbers=True)
    truths = _texts(scenario, "ground_truth", numbers=False)
    names = truth_names(truths)
    found = {**{names[name]: column for name, column in truths.items()}, **given}
    return [
        {"instance_id": instance, "attribute": name, "value": value}
        for name, column in found.items()
        for instance, value in column
        if value is not None
    ]


def truth_names(columns: Collection[str]) -> dict[str, str]:
    """Column of text of ground_truth.arff → the attribute that it is."""
    alone = len(set(columns) - _FAMILIES) == 1
    return {name: GROUND_TRUTH if alone and name not in _FAMILIES else name for name in columns}


def _texts(scenario: Scenario, file: str, *, numbers: bool) -> dict[str, list[tuple[str, str | None]]]:
    """Column → instance and text of each row; of columns of numbers where asked for."""
    found = {}
    for name in _columns(scenario, file):
        table = scenario.tables[file].table
        if numbers or not pa.types.is_floating(table[name].type):
            cells = [
                f"{cell:.15g}" if isinstance(cell, float) else cell for cell in table[name].to_pylist()
            ]
            found[name] = list(zip(table["instance_id"].to_pylist(), cells, strict=True))
    return found


def _trajectory(scenario: Scenario, description: Description) -> pa.Table | None:
    measure = quality_measure(description)
    if NAME not in scenario.tables or measure is None:
        return None
    return trajectory(scenario.tables[NAME].table, measure)


def _runs(scenario: Scenario, description: Description, file: str) -> pa.Table | None:
    if file not in scenario.tables:
        return None
    table = scenario.tables[file].table
    parts = []
    for column, measure in measure_columns(table, description).items():
        part = table.select(["instance_id", "repetition", "algorithm", "runstatus"])
        part = part.append_column("measure", _constant(measure, table.num_rows))
        part = part.append_column("value", table[column])
        decisions = decision_problems(table, column, measure, description)
        parts.append(part.filter(pa.array(~decisions)) if decisions.any() else part)
    return pa.concat_tables(parts).unify_dictionaries() if parts else None


def measure_columns(table: pa.Table, description: Description) -> dict[str, str]:
    """Columns of a runs table → names of the measures they hold.

    By name; by position where no name matches but the number does (the test set of CPMP-2015 calls its
    runtimes ``performance``).
    """
    ids = {*IDS["algorithm_runs"], "runstatus"}
    columns = [name for name in table.column_names if name not in ids]
    names = [measure.name for measure in description.measures]
    if not set(names) & set(columns) and len(names) == len(columns):
        return dict(zip(columns, names, strict=True))
    return {name: name for name in names if name in columns}


def decision_problems(
    table: pa.Table, column: str, measure: str, description: Description
) -> NDArray[np.bool_]:
    """Rows of a runs table that can have no objective: of decision problems, (rows,).

    On their instances no run has one and yet a run is ok: it answered. A runtime measure of the scenario
    says when. They have no row in the quality measure.
    """
    nothing = np.zeros(table.num_rows, dtype=bool)
    types = {m.name: m.type for m in description.measures}
    if types.get(measure) == "runtime" or "runtime" not in types.values():
        return nothing
    if not table[column].null_count or not pa.types.is_floating(table[column].type):
        return nothing
    frame = table.select(["instance_id", "runstatus"]).append_column("given", pc.is_valid(table[column]))
    ok = pc.equal(frame["runstatus"].cast(_TEXT).combine_chunks(), "ok")
    frame = frame.append_column("ok", ok)
    of_instance = frame.group_by("instance_id").aggregate([("given", "any"), ("ok", "any")])
    answered = of_instance.filter(pc.and_(pc.invert(of_instance["given_any"]), of_instance["ok_any"]))
    listed = answered["instance_id"].cast(pa.string()).combine_chunks()
    found = pc.is_in(table["instance_id"].cast(pa.string()), value_set=listed)
    return np.asarray(found.to_numpy())


def _long(scenario: Scenario, file: str, name: str, value: str) -> pa.Table | None:
    return _melted(scenario, file, name, value, list(_columns(scenario, file)))


def _melted(scenario: Scenario, file: str, name: str, value: str, columns: list[str]) -> pa.Table | None:
    if file not in scenario.tables or not columns:
        return None
    return melt(scenario.tables[file].table, ids=IDS[file], columns=columns, name=name, value=value)


def _renamed(table: pa.Table | None, rename: dict[str, str]) -> pa.Table | None:
    """Algorithm features under the names that the runs use."""
    if table is None or not rename:
        return table
    at = table.column_names.index("algorithm")
    array = table["algorithm"].combine_chunks()
    words = [rename.get(word, word) for word in array.dictionary.to_pylist()]
    return table.set_column(at, "algorithm", pa.DictionaryArray.from_arrays(array.indices, pa.array(words)))


PARTS = ("train", "test")
SCHEME = "split"
# Relations that say the same in both parts; which rows exist may differ.
_SHARED = {
    "algorithm": "has_runs",
    "algorithm_feature": None,
    "algorithm_feature_status": None,
    "algorithm_feature_cost": None,
    "feature": "has_values",
    "feature_step": None,
}


@dataclass(frozen=True)
class TrainTestScenario:
    """Both parts as read; ``sources`` are named ``train/…`` and ``test/…``."""

    location: Location
    sources: Sources
    train: Scenario
    test: Scenario

    @property
    def parts(self) -> tuple[Scenario, Scenario]:
        """The training and the test part."""
        return self.train, self.test

    @property
    def missing(self) -> tuple[str, ...]:
        """Core files that are absent; a fixed split needs no cv.arff."""
        return tuple(
            f"{name}/{file}"
            for name, part in zip(PARTS, self.parts, strict=True)
            for file in part.missing
            if file != "cv.arff"
        )


def is_scenario(path: Path) -> bool:
    """Whether a folder holds a file of ASlib."""
    return path.is_dir() and ((path / "description.txt").exists() or any(path.glob("*.arff")))


def is_train_test(path: Path) -> bool:
    """Whether a folder is a scenario in two parts, the folders train and test."""
    return not is_scenario(path) and all(is_scenario(path / p) for p in PARTS)


def description_file(location: Location) -> str:
    """The file that names a scenario; of a contest, the training part's."""
    return f"{PARTS[0]}/description.txt" if is_train_test(location.path) else "description.txt"


def load(location: Location) -> dict[str, Source]:
    """The bytes and hashes of the files of a scenario or of both parts of a contest."""
    if not is_train_test(location.path):
        return load_sources(location)
    return {
        f"{name}/{file}": source
        for name in PARTS
        for file, source in load_sources(_part(location, name)).items()
    }


def read(location: Location, sources: Sources) -> Scenario | TrainTestScenario:
    """Read a scenario or a contest, whose files are loaded."""
    if not is_train_test(location.path):
        return read_scenario(location, sources)

    def part(name: str) -> Scenario:
        own = {f.removeprefix(f"{name}/"): s for f, s in sources.items() if f.startswith(f"{name}/")}
        return read_scenario(_part(location, name), own)

    return TrainTestScenario(location, sources, *map(part, PARTS))


def _part(location: Location, name: str) -> Location:
    return Location(location.path / name, location.file(name), files=location.files)


def tables_of(scenario: Scenario | TrainTestScenario) -> dict[str, pa.Table]:
    """The relations of a scenario, which must have no error.

    Of a contest: rows of both parts, and the split as folds. The parts may not contradict each other.
    """
    if isinstance(scenario, Scenario):
        return relations(scenario)
    train, test = map(relations, scenario.parts)
    merged = {
        name: _merged(name, [t[name] for t in (train, test) if name in t])
        for name in RELATIONS
        if name in train or name in test
    }
    own = {
        "folder": scenario.location.folder,
        "missing": list(scenario.missing),
        "source_sha256": digest_of(scenario.sources),
    }
    merged["scenario"] = table("scenario", [{**row, **own} for row in train["scenario"].to_pylist()])
    merged["source"] = _sources(train["source"], test["source"])
    merged["fold"] = _split(train, test)
    return merged


def _merged(name: str, tables: list[pa.Table]) -> pa.Table:
    if name in _SHARED and len(tables) > 1:
        return _shared(name, tables)
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _shared(name: str, tables: list[pa.Table]) -> pa.Table:
    """Rows of the first table and those that only another has, by the key."""
    keys = RELATIONS[name].key[1:]
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in (row for each in tables for row in each.to_pylist()):
        known = found.setdefault(tuple(row[key] for key in keys), row)
        if (flag := _SHARED[name]) is not None:
            known[flag] |= row[flag]
    return table(name, list(found.values()))


def _sources(*tables: pa.Table) -> pa.Table:
    rows = [
        {**row, "file": f"{name}/{row['file']}"}
        for name, part in zip(PARTS, tables, strict=True)
        for row in part.to_pylist()
    ]
    rows.sort(key=lambda row: str(row["file"]))
    return table("source", rows)


def _split(*parts: Mapping[str, pa.Table]) -> pa.Table:
    """Training instances have no fold; test instances are tested in fold 1.

    A training part without runs has none: nobody could be trained on it.
    """
    train, test = (_instances(part) for part in parts)
    size = len(train) + len(test)
    folds = np.repeat(np.array([0, 1], np.int32), [len(train), len(test)])
    columns = {
        "cv_scheme": pa.array([SCHEME] * size).cast(_TEXT),
        "cv_repetition": pa.array(np.ones(size, np.int32), arrow_type(COUNT)),
        "fold": pa.array(folds, arrow_type(COUNT), mask=folds == 0),
        "instance_id": pa.chunked_array([train, test]).combine_chunks().cast(_TEXT),
    }
    split = pa.table(columns, schema=RELATIONS["fold"].schema)
    given = [part["fold"] for part in parts if "fold" in part]
    return pa.concat_tables([split, *given]).unify_dictionaries().combine_chunks()


def _instances(part: Mapping[str, pa.Table]) -> pa.Array:
    found = pc.unique(part["run"]["instance_id"]) if "run" in part else pa.array([])
    return found.cast(pa.string())
