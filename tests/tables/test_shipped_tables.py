"""Tables that come along or are a user's own, and the command that writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.analysis import scored
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import load
from aslib_eval.database.sqlfiles import SqlFile, find_tables
from aslib_eval.errors import AslibError
from aslib_eval.tables import PAPER, render
from aslib_eval.tables.paper_table import paper_table
from aslib_eval.text import shorten
from tests.approved import mark
from tests.database.test_sql_contract import TWO, keeps_its_promises_as_table
from tests.lab import InMemory, as_tables
from tests.tables.conftest import THREE, own, run


@pytest.fixture(scope="module")
def computed(toy: Path) -> OpenLake:
    """Every view under two protocols, computed once."""
    return InMemory(as_tables(ae.connect(toy, protocols=TWO)))


# Those of scores beyond SQL are tested with the scores.
OURS = [f for f in find_tables().values() if not scored(None).keys() & f.reads]  # type: ignore[arg-type]


# The columns after the first, and four letters for the cells and the caption.
HEADS = {
    "algorithms": "scenario | algorithm | n | so…| PAR2 | PAR10 | unique | MZNC #da76",
    "closed_gap": "scenario | n | asap | careful…l | rf | rfreg | sunny | zilla #c82f",
    "families": "scenario | attribute | family…l | rf | rfreg | sunny | zilla #30ea",
    "icon2015": "scenario | n | selector | solved | MCP | PAR10 | mean #4c2d",
    "losses": "scenario | selector | n | wro… off | no answer | run outside #e210",
    "metric_gaps": "scenario | n | metric | asap …l | rf | rfreg | sunny | zilla #f73e",
    "par10": "scenario | n | VBS | SBS | as…l | rf | rfreg | sunny | zilla #861d",
    "ranks": "metric | n | asap | careful |…l | rf | rfreg | sunny | zilla #2ddf",
    "scenarios": "scenario | n | algorithms | u…0 of SBS | PAR10 of VBS | room #a7a8",
    "selectors": "selector | n | closed gap | m… incomplete | MZNC | mean rank #a4df",
    "steps": "scenario | comparison | level… | mean difference | ± | d | n #c782",
    "without": "without | n | first by gap | …d | first by MZNC | sum | lead #90b6",
}


@pytest.mark.parametrize("file", OURS, ids=lambda f: f.name)
def test_our_tables_keep_their_promises(computed: OpenLake, file: SqlFile) -> None:
    keeps_its_promises_as_table(computed.connection, file)
    assert file.layout["caption"].endswith(".")
    table = paper_table(computed, file)
    heads = " | ".join(column.heading for column in table.columns[1:])
    cells = mark(render(table, format="md", bare=True) + table.caption)
    assert shorten(heads, 60) + cells == HEADS[file.name]
    for suffix in PAPER:
        assert render(table, format=suffix).endswith("\n")


def test_families_have_their_gaps_and_shares(lake: OpenLake) -> None:
    table = paper_table(lake, find_tables()["families"])
    assert [[cell.text for cell in row[1:7]] for row in table.rows] == [
        ["ground_truth", "SAT", "5", "drift", "0.142", "0.518"],
        ["ground_truth", "UNSAT", "6", "drift", "0.858", "-0.920"],
        ["ground_truth", "(not known)", "1", "anvil = bolt = crane and 1 more", "0.000", "\N{EN DASH}"],
    ]


def test_marks_stand_beside_the_best(lake: OpenLake) -> None:
    table = paper_table(lake, find_tables()["par10"])
    (row,) = table.rows
    selectors = row[4:]
    assert [c.is_bold for c in selectors].count(True) == 1
    assert {c.mark for c in selectors if c.is_bold} == {""}
    assert {c.mark for c in selectors if not c.is_bold} <= {"-", "=", "+"}
    assert "Values that depend on no other solver: PAR10." in table.notes
    assert "Wilcoxon signed-rank over instances" in table.notes[2]


@pytest.mark.slow
def test_a_table_names_its_protocols_and_what_tells_rows_apart(toy: Path) -> None:
    columns = {}
    for names in (["default"], ["llama", "asf"]):
        lake = open_lake(toy, protocols=names)
        table = paper_table(lake, find_tables()["scenarios"])
        active = [load(name) for name in sorted(names)]
        asked = ", ".join(f"{each.tag} ({each.words})" for each in active)
        assert table.notes == (f"Protocol {asked}; 1 scenario.",)
        assert (table.provenance, table.n_summaries) == ((), 0)
        columns[len(names)] = [column.name for column in table.columns[:2]]
    assert columns == {1: ["scenario_id", "n_instances"], 2: ["protocol", "scenario_id"]}


def test_no_marks_where_nothing_can_be_tested(lake: OpenLake) -> None:
    table = paper_table(lake, find_tables()["selectors"])  # of one scenario alone
    assert any(note.startswith("No marks of significance: ") for note in table.notes)


@pytest.mark.slow
def test_the_command_lists_and_writes(toy: Path, tmp_path: Path) -> None:
    own(tmp_path / "mine", "three", THREE)
    listed = run("table", "--sql", tmp_path / "mine")
    assert "| closed_gap | Closed gap of every selector" in listed
    assert "| three | " in listed
    words = ("table", "three", "--lake", toy, "--sql", tmp_path / "mine")
    numbers = tmp_path / "numbers.tex"
    for suffix in PAPER:
        out = tmp_path / f"t.{suffix}"
        assert run(*words, "-o", out, "--macros", numbers) == ""
        text = out.read_text()
        assert ("protocol default@09b8597f48a4" in text) == (suffix != "csv")
        assert run(*words, "--format", suffix) == text
    assert "\\newcommand{\\threeMeanClosedGap}{0.13}" in numbers.read_text()
    assert run(*words, "--bare").startswith("| name |")


def test_two_folders_may_not_share_a_table(tmp_path: Path) -> None:
    own(tmp_path, "three", THREE)
    (tmp_path / "table" / "closed_gap.sql").write_text(THREE)
    with pytest.raises(AslibError, match="the name 'closed_gap' is taken"):
        find_tables([tmp_path])
