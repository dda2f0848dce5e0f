"""Tables of MaxSAT Evaluations: of tracks with and without proofs, and with faults."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.linter import check_paths
from tests.conftest import Row, opened, rows
from tests.extensions.competitions.raw_files import lake_of, messages

# As the site has them: rows are not closed, and neither is the table.
EXACT = """<table border="1">
<tr><th>Benchmark</th><th>MaxHS</th><th>RC2<sup>+</sup></th></tr>
<tr><td>mpe/net.wcnf</td><td>136.86 (35)</td><td>3600.0 (-)</td>
<tr><td>Zoo.wcnf.gz</td><td>0.04 (0)</td><td>12 (0)</td>
<tr><td>Fog.wcnf.gz</td><td>3600.0 (-)</td><td>17.5 (-)</td>
"""
ANYTIME = """<table>
<tr><th>Instance</th><th>Best Sol</th><th>Loandra</th><th>Exact</th></tr>
<tr><td>a.wcnf</td><td>9</td><td>0.91 (10)</td><td>0 (-)</td></tr>
<tr><td>b.wcnf</td><td>-1</td><td>0.5 (1.5E+3)</td><td>1.00 (8)</td></tr></table>
"""
FRAME = """<table class="dataframe"><thead>
<tr><th></th><th>Best-Sol</th><th>VBS</th><th>Exact</th><th>Loandra</th></tr>
<tr><th>Instance</th><th></th><th></th><th></th><th></th></tr></thead>
<tr><th>a.wcnf</th><td>174</td><td>200</td><td>218</td><td>&lt;NA&gt;</td></tr></table>
"""
RUNS = """
    select instance_id, algorithm, value, runstatus, claim, objective
    from raw_run
    inner join raw_answer using (scenario_id, instance_id, repetition, algorithm)
    order by all
"""
BEST = "select instance_id, role, value from raw_reference order by all"


def put(folder: Path, text: str, track: str = "complete-weighted") -> Path:
    path = folder / "2022" / f"{track}.table-all.html"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_a_cost_is_a_proof_in_a_complete_track(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, EXACT)))
    assert rows(con, RUNS) == [
        ("Fog.wcnf.gz", "MaxHS", 3600.0, "timeout", "unknown", None),
        ("Fog.wcnf.gz", "RC2", 17.5, "other", "unknown", None),
        ("Zoo.wcnf.gz", "MaxHS", 0.04, "ok", "optimal", 0.0),
        ("Zoo.wcnf.gz", "RC2", 12.0, "ok", "optimal", 0.0),
        ("mpe/net.wcnf", "MaxHS", 136.86, "ok", "optimal", 35.0),
        ("mpe/net.wcnf", "RC2", 3600.0, "timeout", "unknown", None),
    ]
    asked = "select scenario_id, measure, cutoff, time_unit from raw_scenario"
    assert rows(con, asked) == [("MAXSAT-2022-complete-weighted", "runtime", 3600.0, "s")]
    assert rows(con, BEST) == [("Zoo.wcnf.gz", "optimum", 0.0), ("mpe/net.wcnf", "optimum", 35.0)]
    asked = "select attribute, value from raw_attribute where instance_id = "
    assert rows(con, f"{asked} 'mpe/net.wcnf' order by all") == [
        ("family", "mpe"),
        ("sense", "minimize"),
        ("track", "complete-weighted"),
    ]


def test_a_cost_is_what_counts_in_an_incomplete_track(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, ANYTIME, "incomplete-unweighted-60s")))
    assert rows(con, RUNS) == [
        ("a.wcnf", "Exact", None, "timeout", "unknown", None),
        ("a.wcnf", "Loandra", 10.0, "ok", "solution", 10.0),
        ("b.wcnf", "Exact", 8.0, "ok", "solution", 8.0),
        ("b.wcnf", "Loandra", 1500.0, "ok", "solution", 1500.0),
    ]
    asked = "select scenario_id, measure, measure_type, cutoff, time_unit"
    assert rows(con, f"{asked} from raw_scenario") == [
        ("MAXSAT-2022-incomplete-unweighted-60s", *("cost", "solution_quality", None, None))
    ]
    assert rows(con, BEST) == [("a.wcnf", "best_known", 9.0)]


def test_scores_tell_the_best_known_cost(tmp_path: Path) -> None:
    text = """<table><tr><th>Benchmark</th><th>A</th><th>B</th></tr>
    <tr><td>a</td><td>0.5345 (57)</td><td>0.3333 (92)</td></tr>
    <tr><td>b</td><td>0.9998 (90000)</td><td>0.0 (-)</td></tr>
    <tr><td>c</td><td>1.0 (25000)</td><td>0.9616 (26000)</td></tr>
    <tr><td>d</td><td>0.5001 (9000)</td><td>0.0 (-)</td></tr></table>"""
    con = opened(lake_of(put(tmp_path, text, "incomplete-weighted-300s")))
    assert rows(con, BEST) == [("a", "best_known", 30.0), ("d", "best_known", 4500.0)]


@pytest.mark.parametrize("best", ["", "Best-cost"])
def test_scores_that_contradict_costs_are_named(tmp_path: Path, best: str) -> None:
    """The scores of B are those of A: two of them are not of its own costs."""
    header = ["Benchmark", *([best] if best else []), "A", "B", "C"]
    cells = [
        ["a", "5", "0.857 (6)", "0.857 (5)", "1.000 (5)"],
        ["b", "9", "1.000 (9)", "1.000 (9)", "0.500 (19)"],
        ["c", "9", "0.500 (19)", "0.500 (9)", "1.000 (9)"],
        ["d", "-1", "0.000 (-)", "0.000 (-)", "0.000 (-)"],
    ]
    rows_of = [header, *([row[0], *row[1 if best else 2 :]] for row in cells)]
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows_of)
    text = "\n".join(["<table>", *(f"<tr>{line}</tr>" for line in lines), "</table>"])
    path = put(tmp_path, text, "incomplete-weighted-300s")
    (found,) = [text for text in messages(path) if "follow from its cost" in text]
    assert "score of B does not follow from its cost in 2 of 4 cells, such as a" in found


def test_a_table_in_the_folder_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "2018-incomplete-weighted-60s.csv"
    text = DATA["wcnf_2018-incomplete-weighted-60s.csv"]
    (tmp_path / name).write_text(text.format(a=32 * "a", b=32 * "b"))
    monkeypatch.chdir(tmp_path)
    (done,) = ae.import_scenarios(name, into="lake")
    assert done.error is None


def test_best_costs_lie_beside_a_table_or_its_folder(tmp_path: Path) -> None:
    text = """<table><tr><th>Benchmark</th><th>A</th></tr>
    <tr><td>a</td><td>0.9998 (90000)</td></tr>
    <tr><td>b</td><td>0.9998 (90000)</td></tr></table>"""
    path = tmp_path / "2020" / "incomplete" / "weighted-60s" / "table-all.html"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    best = "Instance,Best-cost\na,89980\nb,-1\nother,7\n"
    (path.parent.parent / "mse20-unweighted-best.csv").write_text("a,1\n")
    (path.parent.parent / "mse20-weighted-best.csv").write_text(best)
    assert rows(opened(lake_of(path)), BEST) == [("a", "best_known", 89980.0)]


def test_best_costs_are_no_table_of_runs(tmp_path: Path) -> None:
    path = put(tmp_path, ANYTIME, "incomplete-unweighted-60s")
    (path.parent / "bestcosts-unweighted.csv").write_text("Instance,Best-cost\na,1\n")
    (done,) = ae.import_scenarios([path.parent], into=tmp_path / "lake")
    assert done.scenario_id == "MAXSAT-2022-incomplete-unweighted-60s"


def test_costs_alone_of_2023(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, FRAME, "anytime-weighted-60s")))
    assert rows(con, RUNS) == [
        ("a.wcnf", "Exact", 218.0, "ok", "solution", 218.0),
        ("a.wcnf", "Loandra", None, "timeout", "unknown", None),
    ]
    assert rows(con, BEST) == [("a.wcnf", "best_known", 174.0)]


def test_times_alone_of_2024(tmp_path: Path) -> None:
    path = tmp_path / "2024" / "exact" / "weighted.csv"
    path.parent.mkdir(parents=True)
    path.write_text("Name,MaxHS,MaxHS,VBS\na.wcnf,1.5,FAILED,1.5\n")
    con = opened(lake_of(path))
    assert rows(con, RUNS) == [
        ("a.wcnf", "MaxHS", 1.5, "ok", "optimal", None),
        ("a.wcnf", "MaxHS (2)", None, "timeout", "unknown", None),
    ]
    assert rows(con, "select scenario_id, cutoff from raw_scenario") == [
        ("MAXSAT-2024-exact-weighted", 3600.0)
    ]
    assert "several columns are called 'MaxHS'; one is renamed" in messages(path)[1]


def test_incremental_tracks_are_called_as_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "2022" / "incremental" / "adaboost" / "table-all.html"
    path.parent.mkdir(parents=True)
    path.write_text("<table><tr><th>Benchmark</th><th>A</th><th>B</th></tr>")
    with path.open("a") as file:
        file.write("<tr><td>x</td><td>7200.0</td><td>0.5</td></tr></table>")
    con = opened(lake_of(path))
    asked = "select scenario_id, algorithm, runstatus, cutoff"
    assert rows(con, f"{asked} from raw_run join raw_scenario using (scenario_id) order by all") == [
        ("MAXSAT-2022-incremental-adaboost", "A", "timeout", 7200.0),
        ("MAXSAT-2022-incremental-adaboost", "B", "ok", 7200.0),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("12 (0)", "12 s (0)", ":4: '12 s (0)' is not a result. Write it as"),
        ("<td>12 (0)</td>", "", ":4: 2 cells instead of 3"),
        ("Zoo.wcnf.gz", "Fog.wcnf.gz", ":5: benchmark 'Fog.wcnf.gz' occurs twice"),
        ("Fog.wcnf.gz", "", ":5: the benchmark has no name"),
        ("Benchmark", "Instance </th><th>#Ins.", "is not a folder, table or archive"),
        ("17.5 (-)</td>\n", "17.5 (-)", "the page ends in the middle"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = put(tmp_path, EXACT.replace(old, new))
    try:
        found = "\n".join(messages(path))
    except AslibError as error:
        found = str(error)
    assert message in found


def test_claims_and_late_proofs_are_warned_of(tmp_path: Path) -> None:
    text = EXACT.replace("12 (0)", "3601 (1)")
    told = messages(put(tmp_path, text))
    assert "2 solvers on 3 benchmarks; the cells are times [s] and proved costs" in told[0]
    assert "Zoo.wcnf.gz: solvers claim different optima: MaxHS 0; RC2 1" in told[1]
    assert "RC2 on Zoo.wcnf.gz has a cost after 3601 s, above the limit" in told[2]
    assert rows(opened(lake_of(put(tmp_path, text))), BEST) == [("mpe/net.wcnf", "optimum", 35.0)]


def test_a_proof_at_the_limit_is_not_late(tmp_path: Path) -> None:
    assert len(messages(put(tmp_path, EXACT.replace("12 (0)", "3600.0 (0)")))) == 1


def test_cells_that_are_unlike_many_unsolved_ones(tmp_path: Path) -> None:
    rows = [f"<tr><td>{at}.xz</td><td>3600.0 (-)</td><td>9 ({at})</td>" for at in range(20)]
    rows += ["<tr><td>x.xz</td><td>17.5 (-)</td><td>3600.0 (5)</td>"]
    head = "<table><tr><th>Benchmark</th><th>MaxHS</th><th>RC2</th></tr>"
    told = messages(put(tmp_path, "\n".join([head, *rows, "</table>"])))
    assert [each.partition("html:")[2].partition(";")[0] for each in told[1:]] == [
        "22: MaxHS on x.xz has the time 17.5 s without a cost",
        "22: RC2 on x.xz has the time 3600 s with a cost",
    ]


def test_a_page_of_totals_holds_no_runs(tmp_path: Path) -> None:
    text = "<table><tr><th>Solver</th><th>#Solved</th></tr></table>"
    with pytest.raises(AslibError, match="holds totals of solvers, but no runs"):
        check_paths([put(tmp_path, text)])
    (tmp_path / "xcsp.csv").write_text("board,solver,column,value\nCOP,ACE,points,3\n")
    with pytest.raises(AslibError, match="holds totals of solvers, but no runs"):
        check_paths([tmp_path / "xcsp.csv"])


def test_year_and_track_must_be_said(tmp_path: Path) -> None:
    path = tmp_path / "table-all.html"
    path.write_text(EXACT)
    (told,) = messages(path)
    assert "neither path nor title has the year. Name the file or" in told
    title = "<h1>MaxSAT Evaluation 2018: Unweighted Incomplete Track under 60 s</h1>"
    path.write_bytes(title.replace("under", "\xff under").encode("latin-1") + ANYTIME.encode())
    con = opened(lake_of(path))
    assert rows(con, "select scenario_id from raw_scenario") == [("MAXSAT-2018-incomplete-unweighted-60s",)]


DATA = {
    "2022-complete-weighted.csv": """hash,filename,MaxHS,Exact
{a},a.wcnf.xz,1.5,3600.0
{b},b.wcnf.xz,4136.12,3600.0
""",
    "wcnf_2018-incomplete-weighted-60s.csv": """\
hash,filename,A_score,A_cost,B_score,B_cost
{a},a.wcnf.xz,0.5,19,1.0,9
{b},b.wcnf.xz,0.0,-,1.0,7
""",
    "2026-anytime-weighted-1707s.csv": """hash,A,B
{a},incorrect,9
{b},no-sol,7
""",
    "2026-exact-weighted.csv": """hash,A,B
{a},3700.5,timeout
{b},memout,unknown
""",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "2022-complete-weighted.csv",
            [
                ("a", "Exact", 3600.0, "timeout", "unknown", None),
                ("a", "MaxHS", 1.5, "ok", "optimal", None),
                ("b", "Exact", 3600.0, "timeout", "unknown", None),
                ("b", "MaxHS", 4136.12, "ok", "optimal", None),
            ],
        ),
        (
            "wcnf_2018-incomplete-weighted-60s.csv",
            [
                ("a", "A", 19.0, "ok", "solution", 19.0),
                ("a", "B", 9.0, "ok", "solution", 9.0),
                ("b", "A", None, "timeout", "unknown", None),
                ("b", "B", 7.0, "ok", "solution", 7.0),
            ],
        ),
        (
            "2026-anytime-weighted-1707s.csv",
            [
                ("a", "A", None, "wrong", None, None),
                ("a", "B", 9.0, "ok", "solution", 9.0),
                ("b", "A", None, "timeout", "unknown", None),
                ("b", "B", 7.0, "ok", "solution", 7.0),
            ],
        ),
        (
            "2026-exact-weighted.csv",
            [
                ("a", "A", 3700.5, "ok", "optimal", None),
                ("a", "B", None, "timeout", "unknown", None),
                ("b", "A", None, "memout", "unknown", None),
                ("b", "B", None, "other", "unknown", None),
            ],
        ),
    ],
)
def test_tables_of_the_repository_of_data(tmp_path: Path, name: str, expected: list[Row]) -> None:
    path = tmp_path / name
    path.write_text(DATA[name].format(a=31 * "0" + "a", b=31 * "0" + "b"))
    path.with_name("best-weighted.csv").write_text("hash,best_known_cost\n" + 31 * "0" + "a,8\n")
    con = opened(lake_of(path))
    assert rows(con, RUNS.replace("select instance_id", "select instance_id[-1]")) == expected
    (track,) = rows(con, "select scenario_id from raw_scenario")[0]
    assert track == f"MAXSAT-{name.removeprefix('wcnf_').removesuffix('.csv')}"
    known = "select value from raw_reference where role = 'best_known'"
    assert rows(con, known) == ([(8.0,)] if "incomplete" in name or "anytime" in name else [])


def test_a_score_without_its_cost_is_an_error(tmp_path: Path) -> None:
    name = "wcnf_2018-incomplete-weighted-60s.csv"
    text = DATA[name].format(a=32 * "a", b=32 * "b").replace("B_cost", "B")
    path = tmp_path / name
    path.write_text(text)
    assert messages(path)[-1].startswith(f"{path}:1: has a column B_score but no column B_cost")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1.5,", ",", ":2: the cell of MaxHS is empty. Write timeout if nothing"),
        ("4136.12,3600.0\n", "4136.12,36", ": the last line has no line end"),
    ],
)
def test_a_table_of_data_that_is_damaged(tmp_path: Path, old: str, new: str, message: str) -> None:
    name = "2022-complete-weighted.csv"
    path = tmp_path / name
    path.write_text(DATA[name].format(a=32 * "a", b=32 * "b").replace(old, new))
    assert any(f"{path}{message}" in each for each in messages(path))


def test_best_costs_may_call_benchmarks_by_their_files(tmp_path: Path) -> None:
    path = tmp_path / "2018-incomplete-weighted-60s.csv"
    path.write_text(DATA["wcnf_2018-incomplete-weighted-60s.csv"].format(a=32 * "a", b=32 * "b"))
    path.with_name("best-weighted.csv").write_text("Instance,Best-cost\na.wcnf.xz,8\n")
    assert rows(opened(lake_of(path)), BEST) == [(32 * "a", "best_known", 8.0)]


def test_a_name_tells_year_and_track_where_the_file_does_not(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(EXACT)
    named = "MAXSAT-2022-complete-weighted"
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake", scenario_id=named)
    assert (done.scenario_id, done.error) == (named, None)
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake", scenario_id="MINE")
    assert "neither path nor title has the track" in str(done.error)
    record = ae.competition("maxsat-exact", path, scenario_id=named)
    assert record.boards["scenario_id"].unique().to_list() == [named]


def test_a_name_stands_before_the_track_that_a_file_says(tmp_path: Path) -> None:
    (done,) = ae.import_scenarios(put(tmp_path, EXACT), into=tmp_path / "lake", scenario_id="MINE")
    assert done.scenario_id == "MINE-complete-weighted"


def of_limit(home: Path, limit: str, *cells: tuple[str, str]) -> Path:
    path = home / "2018" / "incomplete" / f"weighted-{limit}" / "table-all.html"
    path.parent.mkdir(parents=True)
    rows_of = (f"<tr><td>{name}</td><td>{cell}</td></tr>" for name, cell in cells)
    head = "<table><tr><th>Benchmark</th><th>A</th></tr>"
    path.write_text(f"{head}{''.join(rows_of)}</table>")
    return path


def test_more_time_tells_the_best_cost_that_scores_leave_open(tmp_path: Path) -> None:
    """0.5 of 199,999 is about 89,999 to 109,999, and 0.5 of 9 is 4 alone."""
    large = "0.5 (199999)"
    some = (("a", large), ("b", large), ("c", large), ("d", "0.5 (9)"))
    short = of_limit(tmp_path, "60s", *some)
    assert rows(opened(lake_of(short)), BEST) == [("d", "best_known", 4.0)]
    of_limit(tmp_path, "300s", ("a", "1.0 (99000)"), ("b", "1.0 (150000)"))
    ae.import_scenarios(short, into=tmp_path / "lake")
    assert rows(opened(tmp_path / "lake"), BEST) == [
        ("a", "best_known", 99_000.0),
        ("d", "best_known", 4.0),
    ]
