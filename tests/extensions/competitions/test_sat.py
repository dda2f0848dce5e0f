"""Tables of tracks of SAT Competitions: rows of each year, and rows with faults."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.linter import check_paths
from tests.conftest import Row, opened, rows

A, B, C = ("0" * 31 + letter for letter in "abc")
MAIN = f"""hash,kissat,isasat,aresult
{A},12.5,10000.0,sat
{B},4999,10000.0,unsat
{C},10000.0,10000.0,unknown
"""
RUNS = """
    select instance_id[-1], algorithm, value, runstatus from raw_run order by all
"""
ANSWERS = """
    select instance_id[-1], algorithm, said, claim, judged from raw_answer order by all
"""
ABOUT = "select instance_id[-1], attribute, value from raw_attribute order by all"


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def answer(path: Path, sql: str) -> list[Row]:
    """What the lake of a path without an error answers."""
    lake = path.parent / "lake"
    for done in ae.import_scenarios(path, into=lake):
        assert done.error is None
    return rows(opened(lake), sql)


def said(path: Path, *codes: str) -> list[str]:
    """``line: message`` of the findings of these codes, else of all errors."""
    return [
        f"{found.line}: {found.message}"
        for found in check_paths(path)
        if (found.code in codes if codes else found.severity == "error")
    ]


def test_a_track_of_2023(tmp_path: Path) -> None:
    path = put(tmp_path / "sat2023" / "results_main_detailed.csv", MAIN)
    about = f"hash,author,family\n{A},me,crypto\n{'d' * 32},you,crypto\n"
    put(path.with_name("bench_meta.csv"), about)
    scenario = "select scenario_id, measure, cutoff, time_unit from raw_scenario"
    assert answer(path, scenario) == [("SAT-2023-main", "runtime", 5000.0, "s")]
    assert answer(path, RUNS) == [
        ("a", "isasat", 10000.0, "timeout"),
        ("a", "kissat", 12.5, "ok"),
        ("b", "isasat", 10000.0, "timeout"),
        ("b", "kissat", 4999.0, "ok"),
        ("c", "isasat", 10000.0, "timeout"),
        ("c", "kissat", 10000.0, "timeout"),
    ]
    assert answer(path, ANSWERS) == [
        ("a", "kissat", "sat", "sat", "right"),
        ("b", "kissat", "unsat", "unsat", "right"),
    ]
    assert answer(path, ABOUT) == [
        ("a", "author", "me"),
        ("a", "family", "crypto"),
        ("a", "ground_truth", "sat"),
        ("a", "track", "main"),
        ("b", "ground_truth", "unsat"),
        ("b", "track", "main"),
        ("c", "track", "main"),
    ]
    assert said(path, "runs-understood", "runs-ignored") == [
        f"1: bench_meta.csv lacks 2 instances, such as {B}",
        (f"1: bench_meta.csv has 1 instance that the table lacks, such as {'d' * 32}"),
        ("1: 3 instances, 2 solvers; the limit is 5000 s, half of the time recorded for unsolved runs"),
        "1: ok 2, timeout 4",
    ]


@pytest.mark.parametrize(
    ("name", "truths", "claim"),
    [
        ("main-seq.csv", [("a", "sat")], "solved"),
        ("anni-seq.csv", [("a", "sat")], "solved"),
        ("main-par.csv", [("a", "sat"), ("b", "unsat")], "unsat"),
    ],
)
def test_what_is_claimed_counts_where_no_proof_is_asked_for(
    tmp_path: Path, name: str, truths: list[Row], claim: str
) -> None:
    text = f"""hash,benchmark,verified-result,claimed-result,kissat
{A},a.cnf.xz,sat,sat,1.5
{B},b.cnf.xz,unknown,unsat,5000.5
{C},c.cnf.xz,unknown,unknown,10000.0
{"d" * 32},d.cnf.xz,unknown,unknown,10000.0
"""
    path = put(tmp_path / "sc2022" / name, text)
    truth = "select instance_id[-1], value from raw_attribute"
    truth += " where attribute = 'ground_truth' order by all"
    assert answer(path, truth) == truths
    assert answer(path, ANSWERS) == [
        ("a", "kissat", "sat", "sat", "right"),
        ("b", "kissat", "unsat", claim, None),
    ]
    assert said(path, "runs-late") == [
        (f"3: kissat on {B} took 5000.5 s, but the limit is 5000 s: it keeps its time and answer")
    ]


@pytest.mark.parametrize("cell", ["", "nan", "-"])
@pytest.mark.parametrize("name", ["results_main_detailed.csv", "parallel.csv"])
def test_one_cell_without_a_time_is_named(tmp_path: Path, name: str, cell: str) -> None:
    """It makes no table of anybody's runs of it, with other numbers."""
    letters = "0123456789abcdef"
    lines = [f"{'0' * 31 + x},{n}.5,10000.0,sat" for n, x in enumerate(letters)]
    lines[3] = f"{'0' * 31}3,{cell},10000.0,sat"
    text = "\n".join(["hash,one,two,result", *lines, ""])
    if name == "parallel.csv":
        lines = [f"{x}.cnf,SATISFIABLE,{n},TIMEOUT" for n, x in enumerate(letters)]
        lines[3] = f"3.cnf,SATISFIABLE,{cell},TIMEOUT"
        text = "\n".join(["cnf,solution,one,two", *lines, ""])
    assert said(put(tmp_path / "sat2024" / name, text)) == [f"5: {cell!r} of one is not a time"]


def test_what_tells_of_benchmarks_may_lie_beside_an_archive(tmp_path: Path) -> None:
    folder = tmp_path / "SAT-2023"
    folder.mkdir()
    with zipfile.ZipFile(folder / "detailed.zip", "w") as made:
        made.writestr("inside/results_main_detailed.csv", MAIN)
    meta = f"hash filename family author\n{A} a.cnf.xz crypto me\n{B} b.cnf.xz sort you\n"
    put(folder / "meta.csv", meta)
    told = f"{ABOUT.partition(' order')[0]} where attribute = 'family' order by all"
    found = answer(folder / "detailed.zip", told)
    assert found == [("a", "family", "crypto"), ("b", "family", "sort")]


def board(path: Path, rule: str) -> dict[tuple[str, str], Row]:
    """Place, instances, solved and points by rule and solver."""
    frame = ae.competition(rule, path).boards
    told = frame.select("rule", "solver", "place", "n", "solved", "points").rows()
    return {(rule, solver): row for rule, solver, *row in told}


def test_unsat_is_what_has_a_verified_proof(tmp_path: Path) -> None:
    """And on the board of all an answer without one counts, as on the page of 2022."""
    text = f"""hash,benchmark,verified-result,claimed-result,one,two
{A},a.cnf.xz,unsat,unsat,1,5
{B},b.cnf.xz,unknown,unsat,10000,4000
{C},c.cnf.xz,unsat,unsat,3,10000
"""
    found = board(put(tmp_path / "SAT-2022" / "anni-seq.csv", text), "sat2022")
    assert found["sat2022-unsat", "one"] == [1, 2, 2, 2]
    assert found["sat2022-unsat", "two"] == [2, 2, 1, 5002.5]
    assert found["sat2022", "one"] == [1, 3, 2, 10004 / 3]
    assert found["sat2022", "two"] == [2, 3, 2, 14005 / 3]


def test_who_is_disqualified_has_no_place_on_any_board(tmp_path: Path) -> None:
    text = """cnf,solution,a,b,c
one.cnf.bz2,SATISFIABLE,10,20,30
two.cnf.bz2,SATISFIABLE,11,21,TIMEOUT
three.cnf.bz2,UNSATISFIABLE,INCORRECT,22,TIMEOUT
four.cnf.bz2,UNSATISFIABLE,12,TIMEOUT,33
"""
    found = board(put(tmp_path / "SAT-2020" / "parallel.csv", text), "sat2020")
    places = {key: row[0] for key, row in found.items()}
    for rule in ("sat2020", "sat2020-sat", "sat2020-unsat"):
        assert [places[rule, solver] for solver in "abc"] == [None, 1, 2]


def test_words_in_the_place_of_times(tmp_path: Path) -> None:
    text = """cnf,solution,one,two
a.cnf,SATISFIABLE,1.5,INCORRECT
b.cnf,UNKNOWN,TIMEOUT,FAILED
c.cnf,UNSATISFIABLE,0,5000.5
"""
    path = put(tmp_path / "sat20" / "parallel.csv", text)
    found = RUNS.replace("[-1]", "[1]")
    assert answer(path, found) == [
        ("a", "one", 1.5, "ok"),
        ("a", "two", None, "wrong"),
        ("b", "one", None, "timeout"),
        ("b", "two", None, "crash"),
        ("c", "one", 0.0, "ok"),
        ("c", "two", 5000.5, "timeout"),
    ]
    assert answer(path, ANSWERS.replace("[-1]", "[1]")) == [
        ("a", "one", "SATISFIABLE", "sat", "right"),
        ("a", "two", "INCORRECT", None, "wrong"),
        ("c", "one", "UNSATISFIABLE", "unsat", "right"),
    ]
    assert said(path, "runs-late") == [
        "4: two on c.cnf took 5000.5 s, but the limit is 5000 s: it counts as not solved"
    ]


def test_answers_of_2021_are_in_a_file_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "2021"
    cloud = f"hash,filename,x,y\n{A},a.cnf,3,timeout\n{B},b.cnf,unverified,memout\n"
    put(folder / "cloud.csv", cloud)
    put(folder / "results.csv", f"hash,result\n{A},unsat\n{B},sat\n")
    assert answer(folder, RUNS) == [
        ("a", "x", 3.0, "ok"),
        ("a", "y", None, "timeout"),
        ("b", "x", None, "other"),
        ("b", "y", None, "memout"),
    ]
    assert answer(folder, ANSWERS) == [
        ("a", "x", "unsat", "unsat", "right"),
        ("b", "x", "unverified", None, None),
    ]
    assert answer(folder, "select scenario_id, cutoff from raw_scenario") == [("SAT-2021-cloud", 1000.0)]


def test_no_answers_are_kept_where_some_are_not_known(tmp_path: Path) -> None:
    path = put(tmp_path / "sat2023" / "main.csv", MAIN.replace("unsat", "unknown"))
    assert answer(path, ANSWERS) == []
    assert answer(path, "select count(*) from raw_run where runstatus = 'ok'") == [(2,)]
    assert said(path, "runs-unjudged") == [
        (f"1: the answer is unknown in 1 solved run, such as kissat on {B}, so no answers are imported")
    ]


def test_tables_that_are_no_tracks_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "sat2022"
    for name in ("main-seq.csv", "main-seq-sat.csv", "r_crypto.csv"):
        put(folder / name, MAIN if name != "r_crypto.csv" else "hash,x,y\n")
    put(folder / "special.csv", "kissat,isasat\n1,10000.0\n10000.0,2\n")
    ids = "select distinct scenario_id from raw_run"
    assert answer(folder, ids) == [("SAT-2022-main-sequential",)]
    assert said(folder, "runs-ignored") == [
        "1: main-seq-sat.csv is ignored: main-seq.csv contains all its rows",
        "1: r_crypto.csv is ignored: its rows do not name their instances",
        "1: special.csv is ignored: its rows do not name their instances",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f"{B},", f"{A},", f"3: '{A}' occurs twice, first in line 2"),
        (f"{C},", f"{C}0,", f"4: '{C}0' is not a hash of 32 hexadecimal digits"),
        ("4999,10000.0", "4999", "3: 3 cells instead of 4"),
        ("12.5", "NaN", "2: 'NaN' of kissat is not a time"),
        ("12.5", "-1", "2: the time of kissat is -1, below 0"),
        ("12.5", "12,5", "2: 5 cells instead of 4"),
        ("isasat", "kissat", "1: two columns are called 'kissat'"),
        (",unsat", ",unsatt", f"3: 'unsatt' is not an answer to {B}"),
        (",4999", ",12000", "1: the times do not show the limit"),
        ("10000.0", "1e7", "1: the times do not show the limit"),
    ],
)
def test_faults_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = put(tmp_path / "sat2023" / "main.csv", MAIN.replace(old, new))
    assert any(line.startswith(message) for line in said(path))
    assert all(line.split(":")[0] == message[0] for line in said(path))


def columns(text: str, *order: int) -> str:
    cells = [line.split(",") for line in text.splitlines()]
    return "".join(",".join(line[at] for at in order) + "\n" for line in cells)


SPELLINGS = {
    "mark": MAIN.encode("utf-8-sig"),
    "windows": MAIN.replace("\n", "\r\n").encode(),
    "blanks": MAIN.replace(",", " , ").encode(),
    "columns": columns(MAIN, 0, 3, 2, 1).encode(),
    "rows": "\n".join([*MAIN.splitlines()[:1], *MAIN.splitlines()[:0:-1], ""]).encode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_another_spelling_gives_the_same_runs(tmp_path: Path, spelling: str) -> None:
    one = put(tmp_path / "one" / "main.csv", MAIN)
    two = put(tmp_path / "two" / "main.csv", MAIN)
    two.write_bytes(SPELLINGS[spelling])
    assert answer(two, RUNS) == answer(one, RUNS)


def test_a_file_that_was_cut_is_doubted(tmp_path: Path) -> None:
    path = put(tmp_path / "sat2023" / "main.csv", MAIN.rstrip("\n"))
    assert said(path, "runs-unended") == ["1: the last line has no line end: the file may be incomplete"]


def test_a_track_has_the_instances_of_its_year(tmp_path: Path) -> None:
    path = put(tmp_path / "sat2023" / "results_main_detailed.csv", MAIN)
    assert said(path, "runs-missing") == ["1: has 3 instances; the track had 400"]
    text = MAIN + "".join(f"{n:032x},1,2,sat\n" for n in range(1000, 1397))
    assert said(put(path, text), "runs-missing") == []


def test_instances_that_another_track_has_are_missed(tmp_path: Path) -> None:
    folder = tmp_path / "sat2031"
    put(folder / "results_main_detailed.csv", MAIN)
    put(folder / "results_nolimit_detailed.csv", MAIN + f"{'e' * 32},1,2,sat\n")
    put(folder / "results_parallel_detailed.csv", "".join(MAIN.splitlines(keepends=True)[:-1]))
    assert said(folder, "runs-missing") == [
        f"1: lacks 1 instance of results_main_detailed.csv, such as {C}"
    ]


@pytest.mark.parametrize(
    "text",
    [
        MAIN.replace("hash", "formula"),
        "hash,kissat,result\na1,3,sat\na2,10000.0,unsat\na3,10000.0,unsat\n",
        MAIN.replace("aresult", "result").replace("10000.0", "5000.0"),
        f"hash,filename,x\n{A},a.cnf,3\n{B},b.cnf,17\n",
    ],
)
def test_other_tables_are_left_to_the_format_of_runs(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "sat2023" / "main.csv", text)
    try:
        found = ae.import_scenarios(path, into=tmp_path / "lake")
    except AslibError:
        return
    assert not any(done.scenario_id.startswith("SAT") for done in found)


def test_a_user_names_the_competition(tmp_path: Path) -> None:
    put(tmp_path / "results_main_detailed.csv", MAIN)
    cloud = MAIN.replace("10000.0", "2000.0").replace("4999", "999")
    put(tmp_path / "results_cloud_detailed.csv", cloud)
    found = ae.import_scenarios(tmp_path, into=tmp_path / "lake", scenario_id="MINE")
    assert [done.error for done in found] == [None, None]
    assert [done.scenario_id for done in found] == ["MINE-cloud", "MINE-main"]
    message = "the path contains no year, so the scenario has none"
    assert f"1: {message}" in said(tmp_path, "runs-understood")


def test_a_table_with_settings_is_its_owners(tmp_path: Path) -> None:
    path = put(tmp_path / "sat2023" / "main.csv", MAIN)
    put(path.with_name("scenario.toml"), "cutoff = 5000\n")
    assert answer(path, "select distinct scenario_id from raw_run") == [("main",)]
