"""Which instances lack a fold: so many by name, and how many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.formats.aslib.lint.instances import check_folds
from aslib_eval.formats.aslib.scenario import read_scenario
from aslib_eval.formats.sources import Location
from tests.conftest import CV, arff, write_scenario


@pytest.mark.parametrize(
    ("lacking", "end"), [(1, "'i01'"), (20, "'i20'"), (21, "'i20' and 1 more"), (30, "'i20' and 10 more")]
)
def test_twenty_instances_without_a_fold_are_named(tmp_path: Path, lacking: int, end: str) -> None:
    names = [f"i{n:02}" for n in range(lacking + 1)]
    runs = [(name, 1, "a", 1, "ok") for name in names]
    folder = write_scenario(tmp_path / "S", runs=runs)
    split = [*((name, 1, n % 2 + 1) for n, name in enumerate(names)), ("i00", 2, 1)]
    (folder / "cv.arff").write_text(arff(CV, split))
    found = [f for f in check_folds(read_scenario(Location(folder, "S")))
             if f.code == "cv-incomplete"]  # fmt: skip
    (one,) = found
    assert one.message.startswith("1 instance without" if lacking == 1 else f"{lacking}")
    assert one.message.endswith(end)
    assert one.message.count(";") == min(lacking, 20) - 1
