"""Results of competitions as their owners have them give what another program counted.

The files lie in ../shared, with the numbers in expected.json.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.conftest import opened, rows

SCORES = """
    select solver, n_instances, round(solved * n_instances)::int, par2
    from solver_score where kind = 'algorithm' order by solver
"""


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, list[float | None]]]:
    text = (shared / "competitions" / "real-files" / "expected.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.slow
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
    found = rows(opened(tmp_path / "lake"), SCORES)
    assert [solver for solver, *_ in found] == sorted(expected[name])
    for solver, n, solved, par2 in found:
        instances, wanted, cost = expected[name][solver]
        assert (n, solved) == (instances, wanted)
        assert cost is None or par2 == pytest.approx(cost, rel=1e-12)


def test_the_published_counts_of_hwmcc_2020(shared: Path, tmp_path: Path) -> None:
    folder = shared / "competitions" / "real-files" / "hwmcc20"
    lake = tmp_path / "lake"
    ae.import_scenarios(folder / "hwmcc20-array-all.csv", into=lake, cutoff=3600)
    counted = """
        select algorithm, count(*)::int, count(*) filter (runstatus = 'ok')::int,
            count(*) filter (runstatus = 'timeout')::int,
            count(*) filter (runstatus = 'memout')::int,
            count(*) filter (runstatus = 'other')::int
        from raw_run where measure = 'real' group by algorithm order by algorithm
    """
    _, *published = (folder / "published.txt").read_text().splitlines()
    lines = [line.split() for line in published]
    assert rows(opened(lake), counted) == sorted(
        (name, int(cnt), int(ok), int(to), int(mo), int(unk))
        for name, cnt, ok, _, _, _, to, mo, unk, *_ in lines
    )


def test_a_json_file_of_smt_comp_split_by_logic(shared: Path, tmp_path: Path) -> None:
    path = shared / "competitions" / "smt2025" / "results-parallel-2025.json.gz"
    runs = json.loads(gzip.decompress(path.read_bytes()))["results"]
    columns = ["time=wallclock_time", "scenario=logic"]
    lake = tmp_path / "lake"
    done = ae.import_scenarios(path, into=lake, cutoff=1200, column=columns, missing="timeout")
    assert {each.scenario_id for each in done if each.error is None} == {
        run["file"]["logic"] for run in runs
    }
    answered = Counter(
        (run["file"]["logic"], run["solver"]) for run in runs if run["result"] in ("sat", "unsat")
    )
    ok = "select scenario_id, algorithm, count(*)::int from raw_run"
    ok += " where measure = 'wallclock_time' and runstatus = 'ok' group by all"
    found = {(s, a): n for s, a, n in rows(opened(lake), ok)}
    assert found == dict(answered)


def test_a_job_of_chc_comp_by_the_folders_of_its_benchmarks(shared: Path, tmp_path: Path) -> None:
    path = shared / "competitions" / "chc2018" / "Job29663_info.csv"
    lake = tmp_path / "lake"
    columns = ["scenario=family"]
    (done,) = ae.import_scenarios(path, into=lake, cutoff=900, column=columns)
    assert (done.scenario_id, done.error) == ("lra", None)
