"""One SQL file declares a metric; everything else follows without a line of Python."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.summaries import scores
from aslib_eval.cli import main
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.analysis import agreement, choices, definitions
from aslib_eval.tables import render, to_terminal
from aslib_eval.tables.paper_table import paper_table
from tests.conftest import write_scenario

METRIC = """\
-- One row per protocol, scenario, measure and solver.
-- key: protocol, scenario_id, measure, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm, selector or baseline
-- solver: name
-- quick: share of the instances solved within a tenth of the cutoff
-- metric quick: max, 2 digits, "solved quickly"
select
    protocol, scenario_id, measure, kind, solver,
    avg((solved > 0 and time <= cutoff / 10)::integer) as quick
from instance_solver
group by protocol, scenario_id, measure, kind, solver
"""
TABLE = """\
-- One row per protocol and selector.
-- key: protocol, solver
-- caption: Who is quick.
-- protocol: name of the protocol
-- solver: selector
-- quick: as in the view quick
select protocol, solver, quick from quick
where kind = 'selector' and scenario_id = 'TOY-2026'
order by solver
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "solver").mkdir()
    (folder / "solver" / "quick.sql").write_text(METRIC)
    return folder


@pytest.fixture(scope="module")
def lake(toy: Path, own: Path) -> OpenLake:
    return open_lake(toy, sql_dirs=own)


def test_it_stands_beside_the_scores(lake: OpenLake) -> None:
    found = scores(lake)
    assert found.columns[-2:] == ["borda", "quick"]
    assert dict(found.select("solver", "quick").rows())["drift"] == 2 / 12


def test_its_gap_is_from_the_best_algorithm_to_vbs(lake: OpenLake) -> None:
    where = "where metric = 'quick' and solver in ('asap', 'bolt', 'VBS', 'crane')"
    columns = "solver, sbs, 12 * sbs_value, 12 * vbs_value, round(closed_gap, 9)"
    assert lake.rows(f"select {columns} from metric_gap {where} order by value") == [
        ("crane", "bolt", 5, 6, -3),
        ("asap", "bolt", 5, 6, -1),
        ("bolt", "bolt", 5, 6, 0),
        ("VBS", "bolt", 5, 6, 1),
    ]


def test_a_table_has_its_heading_digits_and_best(lake: OpenLake, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "quick_ones.sql").write_text(TABLE)
    tables = find_tables(tmp_path)
    found = render(paper_table(lake, tables["quick_ones"]), format="md")
    head, _, best = found.partition("| --- | --: |\n")
    assert head.endswith("| solver | solved quickly |\n")
    assert best.startswith("| asap | **0.33** |\n| careful | 0.25 |\n")
    assert found.endswith("Values that depend on no other solver: solved quickly.\n")
    assert "| quick |" in render(paper_table(lake, tables["ranks"]), format="md")


def test_a_terminal_sets_its_best_in_bold(own: Path) -> None:
    frame = pl.DataFrame({"solver": ["a", "b"], "quick": [0.25, 0.5]})
    assert "\x1b[1m 0.50" in to_terminal(frame, 200, sql_dirs=own)
    assert "\x1b[1m 0.50" not in to_terminal(frame, 200)


def test_sweeps_of_definitions_show_it(toy: Path, own: Path) -> None:
    found = definitions(open_lake(toy, sql_dirs=own))
    assert "quick" in set(found["metric"])
    assert "quick" in set(agreement(found)["other"])
    with pytest.raises(AslibError, match=r"no metric 'quick'\. Available: closed_gap"):
        choices(open_lake(toy), "default", "asf", metric="quick")


@pytest.mark.slow
def test_the_report_shows_it(toy: Path, own: Path, tmp_path: Path) -> None:
    shutil.copytree(toy, tmp_path / "lake", symlinks=True)
    other = write_scenario(tmp_path / "S", runs=[("i1", 1, "A", 1, "ok")])
    ae.import_scenarios([other], into=tmp_path / "lake")  # an index has two pages
    words = ["report", "--lake", tmp_path / "lake", "--sql", own, "-o", tmp_path]
    done = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    index, page = (
        html.unescape((tmp_path / name).read_text(encoding="utf-8"))
        for name in ("index.html", "scenario/TOY-2026.html")
    )
    assert "solved quickly" in index
    heads = re.findall(r"<th[^>]*>solved quickly</th>", page)
    assert len(heads) == 3  # selectors, algorithms, definitions
    assert "solved within a tenth of the cutoff (absolute)" in heads[0]
    assert "solved quickly under" in page
