"""A contest with one fixed split: a scenario in two folders, train and test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import Scenario, load_sources, read_scenario
from aslib_eval.formats.sources import Location, Source, Sources, digest_of, table
from aslib_eval.lake.arrow_types import COUNT, TEXT
from aslib_eval.lake.schema import RELATIONS

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
    if not path.is_dir():
        return False
    return (path / "description.txt").exists() or any(path.glob("*.arff"))


def is_train_test(path: Path) -> bool:
    """Whether a folder is a scenario in two parts, the folders train and test."""
    return not is_scenario(path) and all(is_scenario(path / p) for p in PARTS)


def description_file(location: Location) -> str:
    """The file that names a scenario; of a contest, the training part's."""
    contest = is_train_test(location.path)
    return f"{PARTS[0]}/description.txt" if contest else "description.txt"


def load(location: Location) -> dict[str, Source]:
    """The bytes and hashes of a scenario's or contest's files, as ``load_sources``."""
    if is_train_test(location.path):
        return load_train_test(location)
    return load_sources(location)


def read(location: Location, sources: Sources | None = None) -> Scenario | TrainTestScenario:
    """Read a scenario or a contest; ``sources`` are its files if already loaded."""
    if is_train_test(location.path):
        return read_train_test(location, sources)
    return read_scenario(location, sources)


def tables_of(scenario: Scenario | TrainTestScenario) -> dict[str, pa.Table]:
    """The relations of a scenario or a contest, which must have no error."""
    if isinstance(scenario, TrainTestScenario):
        return train_test_relations(scenario)
    return relations(scenario)


def load_train_test(location: Location) -> dict[str, Source]:
    """The bytes and hashes of all files of both parts; raises as ``load_sources``."""
    return {
        f"{name}/{file}": source
        for name in PARTS
        for file, source in load_sources(_part(location, name)).items()
    }


def read_train_test(location: Location, sources: Sources | None = None) -> TrainTestScenario:
    """Read both parts; ``sources`` are their files if already loaded."""
    if sources is None:
        sources = load_train_test(location)
    train, test = (read_scenario(_part(location, name), _inside(sources, name)) for name in PARTS)
    return TrainTestScenario(location, sources, train, test)


def _part(location: Location, name: str) -> Location:
    return Location(location.path / name, location.file(name), files=location.files)


def _inside(sources: Sources, name: str) -> dict[str, Source]:
    return {
        file.removeprefix(f"{name}/"): source
        for file, source in sources.items()
        if file.startswith(f"{name}/")
    }


def train_test_relations(contest: TrainTestScenario) -> dict[str, pa.Table]:
    """The relations of the one scenario: rows of both parts, and the split as folds.

    Neither part may have a finding of severity error, nor contradict the other.
    """
    train, test = (relations(part) for part in contest.parts)
    merged = {
        name: _merged(name, [t[name] for t in (train, test) if name in t])
        for name in RELATIONS
        if name in train or name in test
    }
    merged["scenario"] = _scenario(contest, train["scenario"])
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


def _scenario(contest: TrainTestScenario, train: pa.Table) -> pa.Table:
    own = {
        "folder": contest.location.folder,
        "missing": list(contest.missing),
        "source_sha256": digest_of(contest.sources),
    }
    rows = [{**row, **own} for row in train.to_pylist()]
    return table("scenario", rows)


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
    ids = pa.chunked_array([train, test])
    columns = {
        "cv_scheme": pa.array([SCHEME] * size).cast(TEXT),
        "cv_repetition": pa.array(np.ones(size, np.int32), COUNT),
        "fold": pa.array(folds, COUNT, mask=folds == 0),
        "instance_id": ids.combine_chunks().cast(TEXT),
    }
    split = pa.table(columns, schema=RELATIONS["fold"].schema)
    given = [part["fold"] for part in parts if "fold" in part]
    return pa.concat_tables([split, *given]).unify_dictionaries().combine_chunks()


def _instances(part: Mapping[str, pa.Table]) -> pa.Array:
    if "run" not in part:
        return pa.array([], pa.string())
    return pc.unique(part["run"]["instance_id"]).cast(pa.string())
