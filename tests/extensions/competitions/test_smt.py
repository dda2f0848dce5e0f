"""Results of SMT-COMP: runs of each track, runs with faults, published cells."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.smt_tables import _benchmarks, _results
from aslib_eval.linter import check_paths
from tests.conftest import Row, opened, rows

RUNS = """
    select instance_id, algorithm, measure, value, runstatus from raw_run
    order by instance_id, algorithm, measure desc
"""
ANSWERS = """
    select instance_id, algorithm, said, claim, n_answers, judged from raw_answer
    order by all
"""
ABOUT = "select attribute, value from raw_attribute where instance_id like $1"


def run(
    name: str,
    result: str,
    solver: str = "z3",
    *,
    track: str = "SingleQuery",
    logic: str = "QF_BV",
    times: tuple[Any, Any] = (1.5, 2.5),
    **more: Any,
) -> dict[str, Any]:
    """A run; times: of the clock on the wall, and of processors."""
    file = {"incremental": False, "logic": logic, "family": ["f", "g"], "name": name}
    wall, cpu = times
    said = {"track": track, "solver": solver, "file": file, "result": result}
    return said | {"cpu_time": cpu, "wallclock_time": wall, "memory_usage": 7} | more


def put(folder: Path, *runs: Any, name: str = "results-sq-2025.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps({"results": runs}))
    return folder / name


def know(folder: Path, **status: str) -> None:
    """What is known of benchmarks, beside the results."""
    listed = [
        {"file": run(f"{name}.smt2", "")["file"], "status": word, "asserts": 9}
        for name, word in status.items()
    ]
    about = {"incremental": [], "non_incremental": listed}
    (folder / "benchmarks-2025.json").write_text(json.dumps(about))


def lake_of(path: Path, **choices: Any) -> Path:
    for done in ae.import_scenarios(path, into=path.parent / "lake", **choices):
        if done.error is not None:
            raise done.error
    return path.parent / "lake"


def said(path: Path, *codes: str, **choices: Any) -> list[str]:
    """The messages of the findings of these codes, else of all errors."""
    return [
        found.message
        for found in check_paths(path, **choices)
        if (found.code in codes if codes else found.severity == "error")
    ]


def test_single_queries_with_known_answers(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        run("a.smt2", "sat"),
        run("a.smt2", "unsat", "yices"),
        run("b.smt2", "Timeout", times=(1201, 1200.5)),
        run("b.smt2", "OutOfMemory", "yices"),
        run("c.smt2", "unknown"),
        run("c.smt2", "sat", "yices"),
    )
    know(tmp_path, a="sat", b="unsat", c="unknown")
    con = opened(lake_of(path))
    scenario = "select scenario_id, measure, cutoff, time_unit from raw_scenario"
    assert rows(con, f"{scenario} order by measure_index") == [
        ("SMT-2025-single-query-QF_Bitvec", "wall_time", 1200.0, "s"),
        ("SMT-2025-single-query-QF_Bitvec", "cpu_time", 1200.0, "s"),
    ]
    assert rows(con, RUNS)[:6] == [
        ("QF_BV/f/g/a.smt2", "yices", "wall_time", 1.5, "wrong"),
        ("QF_BV/f/g/a.smt2", "yices", "cpu_time", 2.5, "wrong"),
        ("QF_BV/f/g/a.smt2", "z3", "wall_time", 1.5, "ok"),
        ("QF_BV/f/g/a.smt2", "z3", "cpu_time", 2.5, "ok"),
        ("QF_BV/f/g/b.smt2", "yices", "wall_time", 1.5, "memout"),
        ("QF_BV/f/g/b.smt2", "yices", "cpu_time", 2.5, "memout"),
    ]
    assert rows(con, ANSWERS) == [
        ("QF_BV/f/g/a.smt2", "yices", "unsat", "unsat", None, None),
        ("QF_BV/f/g/a.smt2", "z3", "sat", "sat", None, None),
        ("QF_BV/f/g/b.smt2", "yices", "OutOfMemory", None, None, None),
        ("QF_BV/f/g/b.smt2", "z3", "Timeout", None, None, None),
        ("QF_BV/f/g/c.smt2", "yices", "sat", "sat", None, None),
        ("QF_BV/f/g/c.smt2", "z3", "unknown", "unknown", None, None),
    ]
    assert sorted(con.execute(ABOUT, ["%a.smt2"]).fetchall()) == [
        ("asserts", "9"),
        ("division", "QF_Bitvec"),
        ("family", "f/g"),
        ("ground_truth", "sat"),
        ("logic", "QF_BV"),
        ("track", "single-query"),
    ]
    assert said(path, "runs-wrong") == [
        ("wrong answers count as not solved: yices 1 (the first is run 2, QF_BV/f/g/a.smt2)")
    ]


def test_names_have_letters_of_all_alphabets(tmp_path: Path) -> None:
    path = put(tmp_path, run("größe.smt2", "sat", "Z3-ß"))
    assert said(path) == []
    assert rows(opened(lake_of(path)), ANSWERS) == [
        ("QF_BV/f/g/größe.smt2", "Z3-ß", "sat", "sat", None, None),
    ]  # fmt: skip


def test_an_incremental_benchmark_may_be_called_alike(tmp_path: Path) -> None:
    know(tmp_path, a="unsat")
    beside = tmp_path / "benchmarks-2025.json"
    about = json.loads(beside.read_text())
    file = run("a.smt2", "")["file"] | {"incremental": True}
    about["incremental"] = [{"file": file, "check_sats": 4}]
    beside.write_text(json.dumps(about))
    alike = run("a.smt2", "incremental", track="Incremental", nb_answers=4)
    path = put(tmp_path, run("a.smt2", "unsat"), alike | {"file": file})
    counted = """
        select scenario_id, attribute, value from raw_attribute
        where attribute in ('asserts', 'check_sats', 'ground_truth') order by all
    """
    assert rows(opened(lake_of(path)), counted) == [
        ("SMT-2025-incremental-QF_Bitvec", "check_sats", "4"),
        ("SMT-2025-single-query-QF_Bitvec", "asserts", "9"),
        ("SMT-2025-single-query-QF_Bitvec", "ground_truth", "unsat"),
    ]


def test_what_nobody_knows_is_disputed(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "sat"), run("a.smt2", "unsat", "yices"))
    con = opened(lake_of(path))
    disputed = "select instance_id, role, label from raw_reference"
    assert rows(con, disputed) == [("QF_BV/f/g/a.smt2", "disputed", "sat, unsat")]
    assert rows(con, "select distinct runstatus from raw_run") == [("ok",)]
    assert said(path, "runs-verdict") == [
        "solvers say sat and unsat on QF_BV/f/g/a.smt2, so one answer is wrong"
    ]


TRACKS: dict[tuple[str, str, int], tuple[str, Row]] = {
    ("Incremental", "incremental", 3): ("ok", (None, 3, None)),
    ("Incremental", "incremental", 0): ("other", (None, 0, None)),
    ("Incremental", "Timeout", 2): ("timeout", (None, 2, None)),
    ("Incremental", "IncrementalError", 2): ("wrong", (None, 2, "wrong")),
    ("UnsatCore", "unsat", 4): ("ok", ("unsat", 4, None)),
    ("UnsatCore", "sat", 0): ("wrong", ("sat", 0, None)),
    ("UnsatCore", "UnsatCoreNotValidated", 4): ("wrong", ("unsat", 4, "wrong")),
    ("ModelValidation", "sat", 1): ("ok", ("sat", None, "right")),
    ("ModelValidation", "ModelUnsat", 1): ("wrong", ("sat", None, "wrong")),
    ("ModelValidation", "ModelNotValidated", 1): ("other", ("sat", None, None)),
    ("ModelValidation", "unsat", 1): ("wrong", ("unsat", None, None)),
    ("Parallel", "unsat", 1): ("ok", ("unsat", None, None)),
}


@pytest.mark.parametrize(("track", "word", "n"), TRACKS)
def test_words_of_tracks(tmp_path: Path, track: str, word: str, n: int) -> None:
    con = opened(lake_of(put(tmp_path, run("a.smt2", word, track=track, nb_answers=n))))
    status, answer = TRACKS[track, word, n]
    assert rows(con, "select distinct runstatus from raw_run") == [(status,)]
    assert rows(con, "select said, claim, n_answers, judged from raw_answer") == [(word, *answer)]


def test_each_track_and_division_is_a_scenario(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        run("a.smt2", "sat", logic="QF_AX"),
        run("b.smt2", "sat", logic="QF_UF"),
        run("b.smt2", "sat", "yices", logic="QF_UF"),
        run("a.smt2", "sat", logic="QF_ABV", track="ModelValidation"),
        run("a.smt2", "sat", logic="QF_NEW", track="Cloud", times=(1.5, 0)),
    )
    con = opened(lake_of(path))
    ids = "select scenario_id, count(*)::int from raw_run group by all order by all"
    assert rows(con, ids) == [
        ("SMT-2025-cloud-QF_NEW", 1),
        ("SMT-2025-model-validation-QF_ADT+BitVec", 2),
        ("SMT-2025-single-query-QF_Equality", 8),
    ]
    left_out = "select instance_id, algorithm, value from raw_run"
    left_out += " where runstatus = 'not_applicable' and measure = 'wall_time'"
    assert rows(con, left_out) == [("QF_AX/f/g/a.smt2", "yices", None)]
    assert "solvers have no runs in logics that they did not enter: yices 1 (not applicable)" in (
        said(path, "runs-understood")
    )
    assert said(path, "runs-ignored") == ["every cpu_time is 0, so CPU time is not imported"]


def test_logics_were_divisions_before_2021(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "sat"), name="results-sq-2019.json")
    scenario = "select distinct scenario_id, cutoff from raw_scenario"
    assert rows(opened(lake_of(path)), scenario) == [("SMT-2019-single-query-QF_BV", 2400.0)]


def test_a_user_decides_about_name_and_limit(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "sat", times=(70.0, 80.0)))
    lake = lake_of(path, cutoff="1min", scenario_id="MINE")
    scenario = "select distinct scenario_id, cutoff from raw_scenario"
    assert rows(opened(lake), scenario) == [("MINE-QF_Bitvec", 60.0)]
    assert said(path, "runs-late", cutoff="1min") == ["answers above the limit are kept: z3 1 (run 1)"]


def test_a_timeout_below_the_limit_is_doubted(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "Timeout", times=(7, 7)))
    assert said(path, "runs-early") == ["timeouts below the limit are kept: z3 1 (run 1)"]


def test_a_lost_run_is_missed(tmp_path: Path) -> None:
    both = [run("a.smt2", "sat"), run("b.smt2", "sat"), run("a.smt2", "sat", "yices")]
    assert said(put(tmp_path, *both), "runs-missing") == [
        ("yices entered the logic of QF_BV/f/g/b.smt2, but has no run on it (not applicable)")
    ]


def test_order_and_packing_do_not_matter(tmp_path: Path) -> None:
    runs = [run("a.smt2", "sat"), run("b.smt2", "Timeout"), run("b.smt2", "sat", "y")]
    one = rows(opened(lake_of(put(tmp_path / "one", *runs))), RUNS)
    packed = tmp_path / "two" / "results-sq-2025.json.gz"
    put(tmp_path / "two", *runs[::-1], name=packed.stem).unlink()
    packed.write_bytes(gzip.compress(json.dumps({"results": runs[::-1]}).encode()))
    assert rows(opened(lake_of(packed)), RUNS) == one


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (run("a.smt2", "SATT"), "run 2: the result 'SATT' of 1 run is unknown"),
        (run("a.smt2", "sat", times=("1.5", 2)), "run 2: wallclock_time is '1.5'"),
        (run("a.smt2", "sat", times=(1, -2)), "run 2: cpu_time is -2"),
        (run("a.smt2", "sat", times=(1, None)), "run 2: cpu_time is None"),
        (run("a.smt2", "sat", times=(1, float("nan"))), "run 2: cpu_time is nan"),
        (run("a.smt2", "sat", times=(1, 10**400)), f"run 2: cpu_time is {10**400}"),
        (
            run("a.smt2", "sat", nb_answers=2**31),
            "run 2: nb_answers is 2147483648, not a number of answers",
        ),
        (run("a.smt2", "sat", ""), "run 2: '' is not the name of a solver"),
        (run("a.smt2", "sat", "\ud800"), "run 2: '\\ud800' is not the name of a solver"),
        (run("\ud800", "sat"), "run 2: has no file with logic, family and name"),
        (run("a.smt2", "sat", track="Main"), "run 2: 'Main' is not a track"),
        (run("a.smt2", "sat", nb_answers=1.5), "run 2: nb_answers is 1.5, not a number of answers"),
        (run("", "sat"), "run 2: has no file with logic, family and name"),
        (run("b.smt2", "sat") | {"result": 7}, "run 2: 7 is not a result"),
        ("x", "run 2: is not an object"),
        (run("ok.smt2", "unsat"), "run 2, z3 on QF_BV/f/g/ok.smt2, repeats run 1"),
        (
            run("a.smt2", "sat", times=(5870.0, 2)),
            "run 2: z3 answers after 5870 s, and the limit is 1200 s",
        ),
    ],
)
def test_faults_are_named(tmp_path: Path, bad: Any, message: str) -> None:
    assert said(put(tmp_path, run("ok.smt2", "sat"), bad)) == [message]


def test_a_file_that_was_cut(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "sat"), run("b.smt2", "sat"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    (message,) = said(path)
    assert message.startswith("is not JSON from column ")
    packed = path.with_suffix(".json.gz")
    path.unlink()
    packed.write_bytes(gzip.compress(whole)[:-9])
    assert said(packed) == ["cannot be unpacked (it ends in the middle)"]


def test_a_number_without_end(tmp_path: Path) -> None:
    path = put(tmp_path, run("a.smt2", "sat"))
    path.write_text(path.read_text().replace("2.5", "9" * 5000))
    (message,) = said(path)
    assert message.startswith("is not JSON of results (Exceeds the limit")


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text('{"results": [{"instance": "a", "solver": "s", "time": 3}]}')
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake", cutoff=60)
    assert (done.scenario_id, done.error) == ("runs", None)


NESTED = b"[" * 100_000


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (b'"\xff"', "is not UTF-8 text (invalid start byte)", None),
        (b'{\n"results":: 1}', "is not JSON from column 11 on (Expecting value)", 2),
        (NESTED, "is not JSON of results: it is nested too deeply", None),
        (b"{}", "has no list of results", None),
        (b"[]", "has no list of results", None),
        (b'{"results": []}', "has no list of results", None),
        (b'{"results": 7}', "has no list of results", None),
    ],
)
def test_what_is_no_file_of_results(content: bytes, message: str, line: int | None) -> None:
    (found,) = _results(content, 2025, "r.json", {}).findings
    assert (found.message, found.line, found.file) == (message, line, "r.json")
    assert (found.severity, found.hint) == ("error", "Fetch it again.")


def test_what_is_known_of_benchmarks_may_be_little() -> None:
    file = {"logic": "QF_BV", "name": "a.smt2", "family": ["f"]}
    listed = [7, {"file": 7}, {"file": file, "status": "odd", "check_sats": 3}]
    found = _benchmarks(json.dumps({"incremental": listed}).encode(), "b.json")
    assert not isinstance(found, Finding)
    ((benchmark, known),) = found.items()
    assert (benchmark.logic, benchmark.family, benchmark.name) == (*("QF_BV", "f", "a.smt2"),)
    assert benchmark.incremental is False
    assert (known.status, known.asserts, known.check_sats) == (None, None, 3)
    for nothing in (b"[]", b"{}", json.dumps({"incremental": [7]}).encode()):
        absent = _benchmarks(nothing, "b.json")
        assert isinstance(absent, Finding)
        assert (absent.message, absent.hint) == ("describes no benchmark", "Fetch it again, or remove it.")
