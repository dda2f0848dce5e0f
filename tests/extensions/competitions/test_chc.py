"""Jobs of StarExec as CHC-COMP publishes them, against its published table."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from tests.conftest import opened, rows

# Solvers in the order of what they solve: by claim, failures, and sums of both times.
COUNTED = """
    with answered as (
        select * from raw_run
        left join raw_answer using (scenario_id, instance_id, repetition, algorithm)
    )
    select count(*) // 2, countif(runstatus = 'ok') // 2,
        count(*) filter (claim = 'sat') // 2, count(*) filter (claim = 'unsat') // 2,
        countif(runstatus = 'timeout') // 2, countif(runstatus = 'memout') // 2,
        sum(value) filter (measure = 'cpu time'),
        sum(value) filter (measure = 'wallclock time')
    from answered group by algorithm order by 2 desc
"""


def test_the_published_table_of_lra_of_2018(shared: Path, tmp_path: Path) -> None:
    folder = shared / "competitions" / "chc2018"
    lake = tmp_path / "lake"
    (done,) = ae.import_scenarios(folder / "Job29663_info.csv", into=lake)
    assert done.error is None
    table = (folder / "lra_results.txt").read_text().split("uniq\n")[1].split("\n\n")[0]
    printed = [line.split()[-11:] for line in table.splitlines()]
    expected = [tuple(int(cells[at]) for at in (0, 1, 2, 3, 5, 6, 7, 8)) for cells in printed]
    assert len(expected) == 8
    for found, wanted in zip(rows(opened(lake), COUNTED), expected, strict=True):
        assert found[:6] == wanted[:6]
        assert found[6:] == pytest.approx(wanted[6:], abs=1)


def test_contradicting_answers_are_kept(shared: Path, tmp_path: Path) -> None:
    path = shared / "competitions" / "chc2018" / "Job29663_info.csv"
    ae.import_scenarios(path, into=tmp_path / "lake")
    con = opened(tmp_path / "lake")
    disputed = "select instance_id from raw_reference where role = 'disputed'"
    claimed = """
        select instance_id from raw_answer group by all having count(distinct claim) > 1
    """
    assert sorted(rows(con, disputed)) == sorted(rows(con, claimed))
    assert len(rows(con, claimed)) > 0
