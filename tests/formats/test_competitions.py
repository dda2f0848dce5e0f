"""Results of competitions as their owners have them give what another program counted.

The files lie in ../shared, with the numbers in expected.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.conftest import rows

SCORES = """
    select solver, n_instances, round(solved * n_instances)::int, par2
    from solver_score where kind = 'algorithm' order by solver
"""


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, list[float | None]]]:
    text = (shared / "competitions" / "real-files" / "expected.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize(
    ("name", "file", "options"),
    [
        ("sat20_parallel", "sat20/parallel.csv", ["--cutoff", "5000"]),
        ("smt21_cloud", "smt21/QF_BV.csv", ["--cutoff", "1200"]),
        ("hwmcc20_array", "hwmcc20/hwmcc20-array-all.csv", ["--cutoff", "3600"]),
    ],
)
def test_a_table_of_a_competition(
    shared: Path,
    tmp_path: Path,
    expected: dict[str, dict[str, list[float | None]]],
    name: str,
    file: str,
    options: list[str],
) -> None:
    path = shared / "competitions" / "real-files" / file
    lake = ["--lake", str(tmp_path / "lake")]
    done = CliRunner().invoke(main, ["import", str(path), *options, *lake])
    assert done.exit_code == 0, done.stderr
    found = rows(ae.connect(tmp_path / "lake"), SCORES)
    assert [solver for solver, *_ in found] == sorted(expected[name])
    for solver, n, solved, par2 in found:
        instances, wanted, cost = expected[name][solver]
        assert (n, solved) == (instances, wanted)
        assert cost is None or par2 == pytest.approx(cost, rel=1e-12)
