"""Tables of the cloud and parallel tracks of SMT-COMP 2021 and 2022."""

from __future__ import annotations

from pathlib import Path

import aslib_eval as ae
from tests.conftest import opened, rows
from tests.extensions.competitions.raw_files import messages

RUNS = """
    select
        scenario_id, instance_id, algorithm, r.value, runstatus, claim,
        any_value(a.value) filter (attribute = 'ground_truth') as truth
    from raw_run as r left join raw_answer using (scenario_id, instance_id, algorithm)
    left join raw_attribute as a using (scenario_id, instance_id)
    where measure = 'wall_time' group by all order by all
"""
OF_2022 = "benchmark,millisecond,result,cpu time,wallclock time,solver,solver id"
OF_2022 += ",configuration id,expected,status"


def put(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def runs(path: Path) -> list[tuple[object, ...]]:
    lake = path.parent / "lake"
    outcomes = ae.import_scenarios(path, into=lake)
    assert [done.error for done in outcomes] == [None] * len(outcomes)
    with opened(lake) as there:
        return rows(there, RUNS)


def of_2022(*said: str) -> list[str]:
    """Rows of 2022, each of ``benchmark solver result seconds expected``."""
    lines = [OF_2022]
    for each in said:
        path, solver, result, time, expected = each.split()
        ms = int(float(time) * 1000)
        lines.append(f"./{path},{ms},{result},{time},{time},{solver},1,1,{expected},x")
    return lines


def test_words_of_2021_and_answers_after_the_limit(tmp_path: Path) -> None:
    begin = "cloud_new/non-incremental/QF_BV"
    path = put(
        *(tmp_path, "2021/results.csv", "benchmark,solver,wallclock time,result"),
        f"{begin}/a.smt2,stp,7.5,UNSATISFIABLE",
        f"{begin}/b.smt2,stp,1300.5,SATISFIABLE",
        f"{begin}/a.smt2,par,TIMEOUT,",
        f"{begin}/b.smt2,par,PARSE_ERROR,UNSATISFIABLE",
        "parallel_new/non-incremental/LRA/c.smt2,par,3,SATISFIABLE",
    )
    cloud, parallel = "SMT-2021-cloud-QF_Bitvec", "SMT-2021-parallel-Arith"
    assert runs(path) == [
        (cloud, "QF_BV/a.smt2", "par", 1200.0, "timeout", None, None),
        (cloud, "QF_BV/a.smt2", "stp", 7.5, "ok", "unsat", None),
        (cloud, "QF_BV/b.smt2", "par", 0.0, "other", "unknown", None),
        (cloud, "QF_BV/b.smt2", "stp", 1300.5, "timeout", None, None),
        (parallel, "LRA/c.smt2", "par", 3.0, "ok", "sat", None),
    ]


def test_a_table_of_2022_says_what_is_right(tmp_path: Path) -> None:
    lines = of_2022(
        "UF/f/g/a.smt2 Vampire sat 4.5 unsat",
        "UF/f/g/a.smt2 CVC5 timeout 1200 unsat",
        "UF/f/b.smt2 Vampire failure 2 unknown",
        "UF/f/b.smt2 CVC5 unsat 1250 unknown",
    )
    path = put(tmp_path, "2022/raw-results-parallel.csv", *lines)
    name = "SMT-2022-parallel-Equality"
    assert runs(path) == [
        (name, "UF/f/b.smt2", "CVC5", 1250.0, "ok", "unsat", None),
        (name, "UF/f/b.smt2", "Vampire", 2.0, "other", "unknown", None),
        (name, "UF/f/g/a.smt2", "CVC5", 1200.0, "timeout", None, "unsat"),
        (name, "UF/f/g/a.smt2", "Vampire", 4.5, "wrong", "sat", "unsat"),
    ]


def test_runs_that_are_there_twice_are_repetitions(tmp_path: Path) -> None:
    lines = of_2022(
        "UF/f/a.smt2 Vampire sat 4.5 sat",
        "UF/f/a.smt2 CVC5 sat 2 sat",
        "UF/f/a.smt2 Vampire timeout 1200 sat",
    )
    path = put(tmp_path, "2022/raw-results-cloud.csv", *lines)
    what = "repeated runs count twice: Vampire 1 (the first is run 3, UF/f"
    assert what in " ".join(messages(path))
    record = ae.competition("smtcomp2021", path)
    board = record.boards.filter(rule="smtcomp2021", part_of="all").sort("solver")
    assert board.select("solver", "place", "n", "solved", "wall").rows() == [
        ("CVC5", 1, 1, 1, 2.0),
        ("VBS", None, 2, 1, 1202.0),
        ("Vampire", 2, 2, 1, 1204.5),
    ]


def test_files_beside_name_benchmarks_of_2021_and_know_them(tmp_path: Path) -> None:
    begin, own = "cloud_new/non-incremental/QF_BV", "/non-incremental/QF_BV"
    path = put(
        *(tmp_path, "2021/results.csv", "benchmark,solver,wallclock time,result"),
        f"{begin}/c-1.smt2,stp,7.5,UNSATISFIABLE",
        f"{begin}/c-2.smt2,stp,8.5,SATISFIABLE",
        f"{begin}/c-3.smt2,stp,9.5,SATISFIABLE",
    )
    names = f"smtlib name,competition name\n{own}/f/x.smt2,{own}/c-1.smt2\n"
    names += f"{own}/g/y.smt2,{own}/c-2.smt2\n{own}/f/x.smt2,{own}/c-3.smt2\n"
    (path.parent / "cloud-map.csv").write_text(names)
    known = f"benchmark name,status\n{own}/f/x.smt2,sat\n{own}/g/y.smt2,unknown\n"
    (path.parent / "aws-instance-statuses.csv").write_text(known)
    name = "SMT-2021-cloud-QF_Bitvec"
    assert runs(path) == [
        (name, "QF_BV/f/x.smt2", "stp", 7.5, "wrong", "unsat", "sat"),
        (name, "QF_BV/g/y.smt2", "stp", 8.5, "ok", "sat", None),
    ]
    (path.parent / "cloud-map.csv").write_text(names.replace("c-2", "c-9"))
    what = "results.csv:3: the file of names beside it lacks the benchmark"
    assert f"{what} {own}/c-2.smt2" in " ".join(messages(path))


def test_what_is_wrong_is_named_with_its_line(tmp_path: Path) -> None:
    lines = of_2022(
        "UF/f/a.smt2 Vampire sat 4.5 unsat",
        "UF CVC5 sat 1 sat",
        "UF/f/b.smt2 CVC5 maybe 1 sat",
        "UF/f/c.smt2 CVC5 sat -1 sat",
    )
    whole = " ".join(messages(put(tmp_path, "2022/raw-results-cloud.csv", *lines)))
    for at, what in {
        3: "'./UF' does not name track, logic and file",
        4: "'maybe' is not a result",
        5: "a time is not a number of seconds from 0",
    }.items():
        assert f"raw-results-cloud.csv:{at}: {what}" in whole
    (untold_of_all,) = messages(put(tmp_path, "2022x/results.csv", *lines[:2]))
    assert "'./UF/f/a.smt2' does not name track" in untold_of_all


ARCHIVE = {
    "comparisons.html": "a({id: 7, name: 'Yices2'}) b({id: 8, name: 'STP'})",
    "results/benchmarks.csv": (
        "benchmark_id,division,logic,expected\n1,QF_Bitvec,QF_BV,sat\n2,QF_Bitvec,QF_BV,starexec-unknown\n"
    ),
    "results/solver_7_sq.csv": (
        "benchmark_id,cpu_time,wallclock_time,result\n1,2.5,2.6,sat\n2,1200.0,1200.0,starexec-unknown\n"
    ),
    "results/solver_9_sq.csv": (
        "benchmark_id,cpu_time,wallclock_time,result\n1,3,3,unsat\n2,0.5,0.5,starexec-unknown\n"
    ),
}


def archive(folder: Path, **changed: str) -> Path:
    for name, text in (ARCHIVE | changed).items():
        path = folder / "2022" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "2022" / "results" / "benchmarks.csv"


def test_the_archive_has_a_table_of_each_solver(tmp_path: Path) -> None:
    name = "SMT-2022-single-query-QF_Bitvec"
    assert runs(archive(tmp_path)) == [
        (name, "QF_BV/1", "9", 3.0, "wrong", "unsat", "sat"),
        (name, "QF_BV/1", "Yices2", 2.6, "ok", "sat", "sat"),
        (name, "QF_BV/2", "9", 0.5, "other", "unknown", None),
        (name, "QF_BV/2", "Yices2", 1200.0, "timeout", None, None),
    ]


def test_what_is_wrong_in_a_table_of_the_archive(tmp_path: Path) -> None:
    bad = "benchmark_id,cpu_time,wallclock_time,result\n"
    bad += "3,1,1,sat\n1,1,1,true\n2,-1,1,sat\n"
    path = archive(tmp_path, **{"results/solver_9_sq.csv": bad})
    said = " ".join(messages(path))
    assert "solver_9_sq.csv:2: no benchmark is called '3'" in said
    assert "solver_9_sq.csv:3: 'true' is not a result. Write sat, unsat or" in said
    assert "solver_9_sq.csv:4: a time is not a number of seconds from 0" in said
    for solver in path.parent.glob("solver_*"):
        solver.unlink()
    assert "has no table of a solver beside it" in " ".join(messages(path))
