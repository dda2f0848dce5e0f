"""Faults planted in raw results, one by one: each is named, and where it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl

import aslib_eval as ae
from aslib_eval.extensions.competitions.published_cells import swapped
from aslib_eval.extensions.competitions.raw_runs import CompetitionRun, CompetitionRuns, implausible
from aslib_eval.linter import check_paths
from tests.extensions.competitions import test_maxsat, test_minizinc, test_smt

HASHES = [letter * 32 for letter in "abcd"]
TIMES = {"kissat": [1.5, 20, 300, 10000], "isasat": [2, 30, 10000, 10000]}


def sat_track(folder: Path, name: str = "results_main_detailed", **times: Any) -> Path:
    """A track of SAT 2023 with TIMES, and further or other solvers."""
    solvers = TIMES | times
    head = ["hash", "vresult", *solvers]
    lines = [head, *zip(HASHES, ["sat", "unsat", "sat", "unknown"], *solvers.values(), strict=True)]
    path = folder / "sc2023" / f"{name}.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    return path


def named(path: Path, code: str, **options: Any) -> list[str]:
    """The findings of a code, of ``check``, as users read them."""
    found = [*check_paths([path]), *ae.check_paths(path, **options)]
    return sorted({f"{x.message} {x.hint}".strip() for x in found if x.code == code})


def test_without_a_fault_nothing_is_said(tmp_path: Path) -> None:
    found = ae.check_paths(sat_track(tmp_path), answers=True)
    assert {each.code for each in found if each.severity != "note"} == {"runs-missing"}


def test_a_solver_that_is_there_three_times(tmp_path: Path) -> None:
    path = sat_track(tmp_path, twin=TIMES["kissat"], third=TIMES["kissat"])
    assert named(path, "runs-copies") == [
        (
            "kissat, third and twin have the same times and answers on all instances "
            "If these are copies, keep one, and remove the others or rank them with --hors-concours."
        )
    ]


def test_times_in_milliseconds(tmp_path: Path) -> None:
    thousand = {name: [1000 * x for x in own] for name, own in TIMES.items()}
    (found,) = named(sat_track(tmp_path, **thousand), "runs-table")
    assert found.startswith("the times do not show the limit")
    assert "Write times in seconds," in found


def test_times_that_no_run_can_have_taken() -> None:
    """Twice the limit is a penalty, and 64 cores have 64 times of CPU time."""
    times = [(20.0, 640.0), (26.0, 5.0), (10.0, 99_999.0), (10.0, 100_001.0)]
    runs = [CompetitionRun(f"i{at}", "a", x, "timeout") for at, x in enumerate(times)]
    found = CompetitionRuns(runs, ("wall_time", "cpu_time"), 10.0)
    above = "is far above the limit of 10 s in 1 run: the first has"
    assert [(each.code, each.message) for each in implausible(found, file="f")] == [
        ("runs-limit", f"wall_time {above} 26 s of a on i1"),
        ("runs-limit", f"cpu_time {above} 100001 s of a on i3"),
    ]


def test_two_times_that_contradict_each_other() -> None:
    """On 64 cores there is 64 times the CPU time; a thousand times is of no run."""
    times = [(2.0, 1.9)] * 17 + [(2.0, 128.0)] * 2
    for odd, said in (
        ((2.0, 1900.0), "a on i19 has 1900 s of CPU time in 2 s"),
        ((1900.0, 1.9), "a on i19 has 1.9 s of CPU time in 1900 s"),
        ((2.0, 1200.0), ""),
        ((0.9, 0.0009), ""),
    ):
        named = enumerate([*times, odd])
        runs = [CompetitionRun(f"i{at}", "a", each, "ok") for at, each in named]
        found = CompetitionRuns(runs, ("wall_time", "cpu_time"), 2000.0)
        told = [each.message for each in implausible(found, file="f")]
        assert told == ([f"{said} of wall-clock time, unlike all other runs"] if said else [])


def test_the_one_name_that_ends_as_no_other() -> None:
    names = [f"{at}.cnf.xz" for at in range(20)]
    for odd, n in (("20.cnf.xy", 1), ("20.cnf.xz", 0)):
        runs = [CompetitionRun(i, "a", (1.0,), "ok") for i in [*names, odd]]
        found = CompetitionRuns(runs, ("runtime",), 10.0)
        told = [each.message for each in implausible(found, file="f")]
        assert told == [f"'{odd}' is the only instance whose name does not end in .xz"] * n


def test_milliseconds_beside_words(tmp_path: Path) -> None:
    text = "cnf,solution,one\na.cnf,SATISFIABLE,1500000\nb.cnf,UNKNOWN,TIMEOUT\n"
    path = tmp_path / "sat20" / "parallel.csv"
    path.parent.mkdir()
    path.write_text(f"{text}c.cnf,UNKNOWN,FAILED\n")
    (found,) = named(path, "runs-table")
    assert found.startswith("one on a.cnf took 1.5e+06 s, but the limit is 5000 s;")
    assert "the longest run took 1500000 s If times are in milliseconds, divide them" in found
    (done,) = ae.import_scenarios([path], into=tmp_path / "lake")
    assert done.error is not None
    path.write_text(path.read_text().replace("1500000", "15000"))
    assert named(path, "runs-table") == []
    assert len(named(path, "runs-late")) == 1


def test_milliseconds_of_smt_and_maxsat(tmp_path: Path) -> None:
    runs = [test_smt.run(f"{x}.smt2", "sat", times=(2500.0, 2500.0)) for x in "ab"]
    (found,) = named(test_smt.put(tmp_path, *runs), "runs-cutoff")
    assert "z3 answers after 2500 s, and the limit is 1200 s" in found
    assert found.endswith("Write times in seconds, or give the limit with --cutoff.")
    exact = test_maxsat.EXACT.replace("3600.0", "3600000.0")
    (found,) = named(test_maxsat.put(tmp_path, exact), "runs-limit")
    assert found.startswith("the limit is 3.6e+06 s, more than a day")
    thousand = re.sub(r"[\d.]+(?= \()", lambda x: f"{float(x[0]) * 1000}", test_maxsat.EXACT)
    (found,) = named(test_maxsat.put(tmp_path, thousand), "runs-table")
    assert found.endswith("If the times are in milliseconds, divide all of them by 1000.")


def test_the_limit_of_another_track(tmp_path: Path) -> None:
    cloud = {name: [min(x, 2000) for x in own] for name, own in TIMES.items()}
    (found,) = named(sat_track(tmp_path, **cloud), "runs-limit")
    assert found.startswith("the limit is 1000 s, but main has a limit of 5000 s")
    assert named(sat_track(tmp_path, "results_cloud_detailed", **cloud), "runs-limit") == []


def test_answers_that_cannot_be_right(tmp_path: Path) -> None:
    results = [["SC", "S", "S", "C", "ERR", "UNK"], ["S", "SC", "INC", "UNK", " C", "S "]]
    path = test_minizinc.put(tmp_path, results=results)
    said = "yuck-free says optimal (41) for vrp/a, and gecode-fd says solution (40)"
    assert f"{said}: an optimum that is beaten" in named(path, "answers", answers=True)
    assert len(named(path, "runs-claims")) == 1


def scores(worse: float) -> list[list[list[float]]]:
    """Points of the pair on six instances: shares, wins and both failed."""
    mine, theirs = [0.25, 1, 1, 0.5, 0, 0], [0.75, 0, worse, 0.5, 0, 0]
    nothing = [0.0] * 6
    return [[nothing, mine], [theirs, nothing]]


def test_points_of_pairs_that_do_not_sum_to_one(tmp_path: Path) -> None:
    assert named(test_minizinc.put(tmp_path, scores=scores(0)), "runs-scores") == []
    path = test_minizinc.put(tmp_path, scores=scores(0.5))
    assert named(path, "runs-scores") == [
        (
            "the published points of 1 pair do not sum to 1: gecode-fd and yuck-free "
            "have 1 and 0.5 on vrp/b "
            "Type aslib-eval competition RULE FILE --published FILE to see why."
        )
    ]
    double = [[[2 * x for x in own] for own in row] for row in scores(0)]
    assert named(test_minizinc.put(tmp_path, scores=double), "runs-scores") == []
    assert named(test_minizinc.put(tmp_path, scores=[[1]]), "runs-scores") == []


def test_swapped_columns_of_a_family_called_as_its_division() -> None:
    row = {"scenario_id": "s", "rule": "r", "part": "BV", "column": "points"}
    whole = {"other": None, "restriction": "all", "half": 0.5, "equal": False}
    cells = pl.DataFrame(
        {**row, **whole, "part_of": level, "solver": name, "ours": ours, "value": said}
        for level in ("division", "family")
        for name, ours, said in (("a", 9.0, 5.0), ("b", 5.0, 9.0))
    )
    assert swapped(cells) == [("s", "a", "b")]
