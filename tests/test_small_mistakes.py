"""Cases that small changes of the code would get wrong: pages, tables, exports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import duckdb
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import tables
from aslib_eval.analysis.compare.pairs import seen_from_other
from aslib_eval.analysis.results import Definitions, ScenarioLine, SuiteResults
from aslib_eval.cli import main
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.text import fixed
from tests.conftest import needs, rows, write_scenario
from tests.lab import Given, runs


def test_a_pair_seen_from_the_other_side() -> None:
    pair = {"system": "a", "other": "b", "verdict": "better"}
    mean = {"advantage": 2.0, "lower": -1.0, "upper": 4.0}
    parts = {"both": 3.0, "both_lower": 1.0, "both_upper": 5.0}
    net = {"net_solved": 0.1, "net_lower": None, "net_upper": 0.3}
    counts = {"wins": 7, "ties": 2, "losses": 1}
    seen = seen_from_other(pair | mean | parts | net | counts)
    assert seen == {
        "system": "b",
        "other": "a",
        "verdict": "worse",
        "advantage": -2.0,
        "lower": -4.0,
        "upper": 1.0,
        "both": -3.0,
        "both_lower": -5.0,
        "both_upper": -1.0,
        "net_solved": -0.1,
        "net_lower": -0.3,
        "net_upper": None,
        "wins": 1,
        "ties": 2,
        "losses": 7,
    }


def test_tau_is_a_mean_over_the_scenarios_that_have_it() -> None:
    @dataclass
    class One:
        taus: dict[tuple[str, str], float]

        def metric_taus(self, protocol: str) -> dict[tuple[str, str], float]:
            assert protocol == "mine@1"
            return self.taus

    both, once = ("par10", "gap"), ("par10", "borda")
    found = [One({both: 0.2, once: -0.5}), One({both: 0.8})]
    lines = [ScenarioLine({}, {}, "mine@1", cast("Definitions", one)) for one in found]
    assert SuiteResults(lines, pl.DataFrame()).mean_taus == {both: pytest.approx(0.5), once: -0.5}


@pytest.mark.parametrize(("name", "cell"), [("*a", "{}*a"), ("[a]", "{}[a]"), ("a*", "a*"), ("(a", "(a")])
def test_no_latex_cell_is_an_argument_of_the_line_before(name: str, cell: str) -> None:
    text = tables.to_tex(pl.DataFrame({"solver": ["first", name], "n": [1, 2]}))
    assert f"\n{cell} & 2 \\\\\n" in text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.001, 2, "0.00"),
        (-0.006, 2, "-0.01"),
        (-0.4, 0, "0"),
        (-0.0, 1, "0.0"),
        (0.001, 2, "0.00"),
        (-12.5, 1, "-12.5"),
        (None, 2, "\N{EN DASH}"),
    ],
)
def test_no_minus_stands_before_nothing(value: float | None, decimals: int, text: str) -> None:
    assert fixed(value, decimals) == text


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the scenarios A and B."""
    home = tmp_path_factory.mktemp("two")
    for name in "AB":
        folder = write_scenario(home / name, runs=runs(a=[1, 2], b=[2, 1]))
        ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


@needs("exporting")
@pytest.mark.slow
def test_a_database_holds_the_scenarios_that_were_asked_for(two: Path, tmp_path: Path) -> None:
    ae.export(tmp_path / "x.duckdb", two, scenarios=["A"])
    with duckdb.connect(str(tmp_path / "x.duckdb")) as con:
        assert rows(con, "select distinct scenario_id from raw_run") == [("A",)]


@needs("exporting")
@pytest.mark.parametrize(("asked", "names"), [(["A"], ["A"]), ([], ["A", "B"])])
def test_folders_of_the_scenarios_that_were_asked_for(
    asked: list[str], names: list[str], two: Path, tmp_path: Path
) -> None:
    words = ["export", "--format", "aslib", "-o", str(tmp_path), "--lake", str(two)]
    words += [word for name in asked for word in ("--scenario", name)]
    found = CliRunner().invoke(main, words)
    assert found.output.split() == [str(tmp_path / name) for name in names]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def table(con: duckdb.DuckDBPyConnection, name: str, columns: str) -> list[Any]:
    """Some columns of a table of a paper."""
    return rows(con, f"select {columns} from ({find_tables()[name].sql})")


def test_an_algorithm_has_its_own_borda_score_beside_a_selector_of_its_name(given: Given) -> None:
    says = {
        "A": {"i1": [("B", 100.0)], "i2": [("B", 100.0)]},
        "z": {"i1": [("A", 100.0)], "i2": [("A", 100.0)]},
    }
    con = given(runs(A=[1, 1], B=[2, 2]), says=says)
    kinds = rows(con, "select kind, solver from solver_borda order by all")
    assert ("selector", "A") in kinds
    assert table(con, "algorithms", "solver, borda") == [
        ("A", pytest.approx(2 / 3)),
        ("B", pytest.approx(1 / 3)),
    ]


def test_a_table_of_ranks_counts_scenarios_with_a_score(given: Given) -> None:
    says = {"x": {"i1": [("A", 100.0)]}, "y": {"i1": [("B", 100.0)]}}
    con = given(runs(A=[1], B=[2]), says=says)
    con.execute("create temp table ranks_of_s as from solver_rank")
    con.execute(
        "create temp view solver_rank as from ranks_of_s union all select * replace "
        "('T' as scenario_id, null as score, null as rank) from ranks_of_s"
    )
    counted = table(con, "ranks", "distinct metric, n_all")
    con.execute("drop view temp.solver_rank")
    con.execute("drop table temp.ranks_of_s")
    scored = "select distinct metric, 1 from solver_rank where score is not null"
    assert sorted(counted) == sorted(rows(con, f"{scored} and kind = 'selector'"))


@needs("exporting")
def test_a_scenario_with_selectors_is_exported_without_them(toy: Path, tmp_path: Path) -> None:
    words = ["export", "--format", "aslib", "-o", str(tmp_path), "--lake", str(toy)]
    found = CliRunner().invoke(main, words)
    assert (found.exit_code, found.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"TOY-2026"}
