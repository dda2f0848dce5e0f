"""A paper table of three rows with hostile names, and a lake to ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.sqlfiles import SqlFile, find_tables
from aslib_eval.tables.paper_table import PaperTable, paper_table

HOSTILE = ('<script>"1"</script>', "50% & _x_ ../../etc", "a|b\\{}~^#$'`--[1]")
THREE = """\
-- One row per solver.
-- key: solver
-- caption: Gaps & "more" <b>
-- headings: solver name; closed_gap closed gap
-- digits: closed_gap 2
-- bold: closed_gap max
-- rank: closed_gap
-- foot: mean
-- solver: name
-- closed_gap: 1 = VBS
-- n: instances
select * from (values
    ('<script>"1"</script>', 0.505, 3),
    ('50% & _x_ ../../etc', -0.25, 4),
    ('a|b\\{}~^#$''`--[1]', null, 5)
) as t (solver, closed_gap, n)
"""


def own(folder: Path, name: str, text: str) -> SqlFile:
    (folder / "table").mkdir(exist_ok=True, parents=True)
    (folder / "table" / f"{name}.sql").write_text(text)
    return find_tables([folder])[name]


@pytest.fixture(scope="module")
def lake(toy: Path) -> OpenLake:
    return open_lake(toy)


@pytest.fixture
def three(lake: OpenLake, tmp_path: Path) -> PaperTable:
    return paper_table(lake, own(tmp_path, "three", THREE))


HOW = (
    "PAR10, over all instances at once, SBS of all instances, default feature steps"
    " charged, instances that no algorithm solves counted"
)
NOTE = f"Protocol default@09b8597f48a4 ({HOW})."


ACROSS = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- across: solver gap n
-- digits: gap 1
-- bold: gap max
-- headings: gap closed gap
-- scenario: scenario
-- solver: name
-- gap: 1 = VBS
-- n: instances
select * from (values
    ('S', 'a', 0.2, 1), ('S', 'b', 0.4, 2), ('T', 'b', 0.1, 3), ('T', 'c', 0.14, 4)
) as t (scenario, solver, gap, n)
"""


def run(*words: str | Path) -> str:
    arguments = [str(word) for word in words]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output
