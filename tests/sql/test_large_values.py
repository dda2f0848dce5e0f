"""Values near the largest double: means that exist are numbers, others null."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import SqlFile, find_sql
from aslib_eval.metrics.scale import closed
from aslib_eval.statistics.friedman import scott_knott_blocked
from tests.command_lines import with_extensions
from tests.conftest import ROOT, rows, write_scenario
from tests.lab import OBJECTIVE, Given, runs, table
from tests.oracles import bounded, bounded_printed, scott_knott

pytestmark = pytest.mark.usefixtures("opened_once")

BIG = 1e308
DATA = runs(A=[1.7 * BIG, 1.5 * BIG], B=[1.2 * BIG, 1.4 * BIG], C=[BIG, 1.6 * BIG])
FOLDS = {"i1": 1, "i2": 2}


def test_means_and_gaps_of_costs_whose_sum_is_no_number(given: Given) -> None:
    con = given(DATA, measures=OBJECTIVE)
    # SBS is B (1.3, as C, but the first by name), VBS 1.2, VWS 1.65 (all times 1e308).
    gaps = "solver, cost / 1e308, closed_gap, bounded_gap"
    assert table(con, "solver_score join solver_gap using (solver, kind)", gaps, "kind = 'algorithm'") == [
        ("A", 1.6, -3, -0.857143),
        ("B", 1.3, 0, 0),
        ("C", 1.3, 0, 0),
    ]
    assert table(con, "suite_solver", "solver, pooled / 1e308", _COST) == [
        ("A", 1.6),
        ("B", 1.3),
        ("C", 1.3),
    ]


_COST = "metric = 'cost' and kind = 'algorithm'"


def test_the_single_best_of_folds_whose_totals_are_no_number(given: Given) -> None:
    data = runs(A=[1.7 * BIG] * 4, B=[1.2 * BIG] * 4)
    folds = {f"i{at}": 1 + at % 2 for at in range(1, 5)}
    con = given(data, measures=OBJECTIVE, folds=folds)
    assert table(con, "fold_sbs", "fold, sbs_train, sbs_all") == [(1, "B", "B"), (2, "B", "B")]
    assert table(con, "split_winner", "kind, winner") == [("algorithm", "B")]


def test_a_penalty_that_is_no_number_is_no_cost_and_has_its_reason(given: Given) -> None:
    con = given(runs(A=["timeout"], B=[5]), Protocol(), cutoff="1e308")
    assert table(con, "solver_gap", "solver, closed_gap, reason", "kind = 'algorithm'") == [
        ("A", None, "an instance without cost (failed, no cutoff, or too large)"),
        ("B", None, "SBS equals VBS"),
    ]


def test_costs_equal_to_12_digits_have_the_reason_that_they_are(given: Given) -> None:
    given(runs(A=[0.1, 0.2], B=[0.3, 5]), measures=OBJECTIVE).execute("select 1")
    con = given(runs(A=[0.1 + 0.2], B=[0.3]), measures=OBJECTIVE, name="T")
    assert table(con, "solver_gap", "distinct reason", "scenario_id = 'T'") == [("SBS equals VBS",)]
    assert table(con, "scenario_baseline", "reason", "scenario_id = 'T'") == [("SBS equals VBS",)]


def test_a_closed_gap_in_python_does_not_overflow() -> None:
    assert closed(BIG, sbs=1.7 * BIG, vbs=-1.7 * BIG).to_list() == [pytest.approx(7 / 34)]


TWO = {"A": [1.0, 1.0], "B": [1.6, 1.7]}
THREE = TWO | {"C": [1e308, 1.5e308]}


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", [TWO, THREE], ids=["apart", "huge"])
def test_a_table_of_results_goes_through_every_command(
    values: dict[str, list[float]], tmp_path: Path
) -> None:
    file, lake = tmp_path / "R.csv", str(tmp_path / "lake")
    lines = [
        f"t{task},{method},0,rmse,{value}\n"
        for method, found in values.items()
        for task, value in enumerate(found)
    ]
    file.write_text("task,method,seed,metric,value\n" + "".join(lines))

    def run(*words: str) -> str:
        found = CliRunner().invoke(main, words, catch_exceptions=False)
        assert found.exit_code == 0, (words, found.stderr)
        return found.stdout

    run("import", str(file), "--lake", lake)
    csv = ("--lake", lake, "--format", "csv")
    for command in ("score", "gap", *with_extensions("LARGE_VALUES", set())):
        run(*command.split(), *csv)
    for show in ("pairs", "omnibus"):
        run("compare", "--show", show, *csv)
    systems = pl.read_csv(run("compare", "--show", "systems", *csv).encode())
    means = {name: sum(v / 2 for v in found) for name, found in values.items()}
    medians = dict(zip(systems["system"], systems["median"], strict=True))
    assert dict(zip(systems["system"], systems["mean"], strict=True)) == means
    assert medians == means
    run("report", "--lake", lake, "-o", str(tmp_path / "page"))


def test_groups_of_large_means_are_those_of_small_ones() -> None:
    values = np.array([[1, 2, 9], [2, 1, 8], [1, 1, 9], [2, 3, 9.5]])
    small, large = scott_knott_blocked(values), scott_knott_blocked(values * 2.0**1020)
    assert large.groups.tolist() == small.groups.tolist() == [2, 2, 1]
    assert (large.means == small.means * 2.0**1020).all()
    assert [split.p for split in large.splits] == [split.p for split in small.splits]
    samples = list(values.T)
    assert scott_knott([sample * 2.0**1020 for sample in samples]).splits == scott_knott(samples).splits


@pytest.mark.parametrize("shift", [0, 4e-13, -4e-13, 3e-12, -3e-12])
@pytest.mark.parametrize("which", ["score", "vbs", "vws"])
def test_gaps_in_python_are_those_of_the_macros(which: str, shift: float) -> None:
    cost = {"score": 4.0, "sbs": 5.0, "vbs": 3.0, "vws": 9.0}
    cost[which] = 5 * (1 + shift)
    con = duckdb.connect()
    for name in ("closed_gap", "bounded_gap", "bounded_gap_printed"):
        con.execute((ROOT / "sql" / "macro" / f"{name}.sql").read_text())
    score, sbs, vbs, vws = cost.values()
    (row,) = con.execute(
        "select closed_gap($1, $2, $3), bounded_gap($1, $2, $3, $4), bounded_gap_printed($1, $2, $3, $4)",
        [score, sbs, vbs, vws],
    ).fetchall()
    ends = {"sbs": sbs, "vbs": vbs, "vws": vws}
    found = [
        *closed(score, sbs=sbs, vbs=vbs).to_list(),
        *bounded(score, **ends).to_list(),
        *bounded_printed(score, **ends).to_list(),
    ]
    assert found == [None if x is None else pytest.approx(float(x)) for x in row]


# --- A scenario whose numbers overflow fails alone: the others answer as without it ---

HUGE = [("a", 1.7e308), ("b", 1.6e308), ("c", 2)]
LARGEST = "1.79e308"
QUALITY = ("quality", "solution_quality", "true")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("overflow")
    runs = [(f"i{k}", 1, a, v, "ok") for k in range(4) for a, v in HUGE]
    twice = [
        (f"i{k}", r, a, v, "ok" if k else "timeout") for k in range(4) for r in (1, 2) for a, v in HUGE
    ]
    signs = [(i, r, a, v if a == "a" else -v, s) for i, r, a, v, s in runs]
    made = [
        write_scenario(home / "HUGE", runs=runs, cutoff=LARGEST),
        write_scenario(home / "TWICE", runs=twice, cutoff=LARGEST),
        write_scenario(home / "SIGNS", runs=signs, measures=[QUALITY]),
        ROOT / "scenarios" / "TOY-2026",
    ]
    assert [outcome.error for outcome in ae.import_scenarios(made, into=home / "lake")] == [None] * 4
    return home / "lake"


@pytest.fixture(scope="module")
def all_of_them(lake: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(lake)


@pytest.fixture(scope="module")
def toy_alone(lake: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(lake, scenarios="TOY-2026")


@pytest.mark.slow
@pytest.mark.parametrize("file", [f for f in find_sql() if not f.is_macro], ids=lambda f: f.name)
def test_every_view_answers_for_the_others(
    file: SqlFile, all_of_them: duckdb.DuckDBPyConnection, toy_alone: duckdb.DuckDBPyConnection
) -> None:
    local = "scenario_id" in file.columns and file.subject != "suite"
    which = "where scenario_id = 'TOY-2026'" if local else ""
    found = rows(all_of_them, f"from {file.name} {which} order by all")
    if local:
        assert found == rows(toy_alone, f"from {file.name} order by all")


def test_points_of_times_whose_sum_overflows(all_of_them: duckdb.DuckDBPyConnection) -> None:
    """17 / 33 and 16 / 33."""
    sql = """
        select solver, borda from solver_borda
        where scenario_id = 'HUGE' and kind = 'algorithm' order by all
    """
    (a, b, c) = rows(all_of_them, sql)
    assert (a[1], b[1]) == pytest.approx((16 / 33, 17 / 33), rel=1e-12)
    assert c == ("c", 2)


@pytest.mark.parametrize(
    "words", [("list",), ("score",), ("gap",), ("table", "algorithms")], ids=lambda words: words[0]
)
def test_every_command_answers(words: tuple[str, ...], lake: Path) -> None:
    done = CliRunner().invoke(main, [*words, "--lake", str(lake)])
    assert (done.exit_code, done.exception) == (0, None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_report_names_who_is_not_in_it(lake: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", "-o", str(tmp_path), "--lake", str(lake)])
    assert done.exit_code == 1
    assert all(": cannot be reported" in line for line in done.stderr.splitlines())
    assert {"index", "TOY-2026"} <= {path.stem for path in tmp_path.rglob("*.html")}
