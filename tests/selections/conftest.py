"""Answers held against their scenario, stored beside it, replaced and forgotten.

The scenario S: instances i1 … i4 in folds 1 and 2, algorithms a and b, cutoff 100, feature steps basic and
deep (which requires basic), and one called a like the algorithm.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.lake import versions
from aslib_eval.selections import ImportedSelection, import_selections
from tests.conftest import write_scenario

STEPS = """
feature_steps:
  basic: {provides: [f]}
  deep: {provides: [g], requires: [basic]}
  a: {provides: [h]}
"""
RUNS = [(f"i{n}", 1, a, 10 * n, "ok") for n in (1, 2, 3, 4) for a in "ab"]
FOLDS = {"i1": 1, "i2": 1, "i3": 2, "i4": 2}
CHOICE = "instance,algorithm\ni1,a\ni2,b\ni3,a\ni4,b\n"
Put = Callable[..., ImportedSelection]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    scenario = write_scenario(folder / "S", runs=RUNS, folds=FOLDS, description=STEPS)
    ae.import_scenarios(scenario, into=folder / "lake")
    return folder / "lake"


@pytest.fixture
def lake(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "lake", symlinks=True)


@pytest.fixture
def put(lake: Path, tmp_path: Path) -> Put:
    """Write a file of answers and import it."""

    def make(text: str, file: str = "rf.csv", **options: Any) -> ImportedSelection:
        path = tmp_path / file
        path.write_text(text)
        options = {"scenario": "S", **options}
        (outcome,) = import_selections(path, lake=lake, **options)
        return outcome

    return make


def held(lake: Path, relation: str = "selection") -> list[tuple[Any, ...]]:
    """The rows of a relation."""
    with versions.leased(lake, "S") as version:
        assert version is not None
        table = version.table(relation)
    return [] if table is None else [tuple(row.values()) for row in table.to_pylist()]


def said(outcome: ImportedSelection, severity: str) -> list[str]:
    """Findings of a severity: line, message and hint."""
    return [
        f"{f.line}: {f.message}" + (f". {f.hint}" if f.hint else "")
        for f in outcome.findings
        if f.severity == severity
    ]


def answers(**columns: Any) -> pa.Table:
    """A selection of one step an instance, but for the columns given."""
    size = len(next(iter(columns.values())))
    usual: dict[str, Any] = {
        "cv_scheme": ["aslib"] * size,
        "cv_repetition": [1] * size,
        "fold": [1] * size,
        "instance_id": ["i1", "i2", "i3", "i4"][:size],
        "position": [1] * size,
        "action": ["algorithm"] * size,
        "name": ["a"] * size,
    }
    return pa.table({**usual, **columns})


def split(*folds: int) -> pa.Table:
    ids = ["i1", "i2", "i3", "i4"][: len(folds)]
    columns = {"instance_id": ids, "cv_repetition": [1] * len(ids), "fold": folds}
    return pa.table(columns)
