"""Archives of experiments: what is imported and checked from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.experiments import write_table
from tests.formats.test_packed import require_findings_of_the_folder

POINTS = [("p", m, t, i, t + i) for m in "AB" for t in (1, 2) for i in (1, 2)]
EVALUATIONS = "problem,method,trial,iteration,value"


def a_study(top: Path) -> None:
    write_table(top / "OPT" / "evaluations.csv", POINTS, EVALUATIONS)


def a_study_at_the_top(top: Path) -> None:
    write_table(top / "evaluations.csv", POINTS, EVALUATIONS)


PACKED: dict[Callable[[Path], None], dict[str, str]] = {
    a_study: {"OPT": "OPT"},
    a_study_at_the_top: {"x": "x"},
}


@pytest.mark.parametrize("write", PACKED, ids=lambda write: write.__name__)
def test_an_archive_has_the_findings_of_its_folder(tmp_path: Path, write: Callable[[Path], None]) -> None:
    require_findings_of_the_folder(tmp_path, write)
