"""Jobs of StarExec as CHC-COMP publishes them."""

from __future__ import annotations

from pathlib import Path

import aslib_eval as ae
from tests.conftest import opened, rows


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


def test_the_published_table_of_lra_of_2018(shared: Path) -> None:
    folder = shared / "competitions" / "chc2018"
    job, published = folder / "Job29663_info.csv", folder / "lra_results.txt"
    found = ae.competition("chc2018", job, published=published).published
    assert found is not None
    assert (found.cells.height, found.different.height) == (80, 0)
