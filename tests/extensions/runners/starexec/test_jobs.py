"""Job information of StarExec: literal rows, and rows with every fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import Finding
from aslib_eval.extensions.runners.starexec import job_table, starexec_format
from aslib_eval.formats import Parsed, TableChoices
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows

HEAD = (
    "pair id,benchmark,benchmark id,solver,solver id,configuration,configuration id,"
    "status,cpu time,wallclock time,memory usage,result,expected"
)
RUNS = """
    select instance_id, algorithm, measure, value, runstatus from raw_run order by all
"""
CPU = """
    select instance_id, value, runstatus from raw_run
    where measure = 'cpu time' order by all
"""


def pair(
    benchmark: str,
    result: str,
    status: str = "complete",
    cpu: str = "1.5",
    *,
    solver: str = "cvc4",
    expected: str = "sat",
    ids: tuple[int, int] = (7, 8),
) -> str:
    bench, config = ids
    named = f"1,{benchmark},{bench},{solver},3,default,{config}"
    return f"{named},{status},{cpu},2.5,1024.0,{result},{expected}"


def put(path: Path, *pairs: str, head: str = HEAD) -> Path:
    path.write_bytes("".join(f"{line}\r\n" for line in (head, *pairs)).encode())
    return path


def lake_of(path: Path, **choices: Any) -> Path:
    into = path.parent / "lake"
    (done,) = ae.import_scenarios([path], into=into, **{"cutoff": 60, **choices})
    if done.error is not None:
        raise done.error
    return into


def said(path: Path, *codes: str, **choices: Any) -> list[str]:
    """``line: message`` of the findings of these codes, else of all errors."""
    return [
        f"{f.line}: {f.message}"
        for f in check_paths(path, **{"cutoff": 60, **choices})
        if (f.code in codes if codes else f.severity == "error")
    ]


def test_every_status_and_result(tmp_path: Path) -> None:
    path = put(
        tmp_path / "Job7_info.csv",
        pair("QF BV/a b/x.smt2", "sat"),
        pair("QF BV/a b/wrong.smt2", "unsat"),
        pair("QF BV/no.smt2", "starexec-unknown"),
        pair("cpu.smt2", "starexec-unknown", "timeout (cpu)", "60.01"),
        pair("wall.smt2", "sat", "timeout (wallclock)", "59"),
        pair("mem.smt2", "--", "memout"),
        pair("disk.smt2", "--", "file write exceeded"),
        pair("script.smt2", "--", "run script error"),
        pair("open.smt2", "unsat", expected="starexec-unknown"),
        pair("case.smt2", "SAT"),
    )
    lake = lake_of(path)
    assert rows(opened(lake), CPU) == [
        ("QF BV/a b/wrong.smt2", 1.5, "wrong"),
        ("QF BV/a b/x.smt2", 1.5, "ok"),
        ("QF BV/no.smt2", 1.5, "other"),
        ("case.smt2", 1.5, "ok"),
        ("cpu.smt2", 60.01, "timeout"),
        ("disk.smt2", 1.5, "crash"),
        ("mem.smt2", 1.5, "memout"),
        ("open.smt2", 1.5, "ok"),
        ("script.smt2", 1.5, "crash"),
        ("wall.smt2", 59.0, "timeout"),
    ]
    assert said(path, "runs-wrong", "runs-unjudged", "runs-incomplete") == [
        "10: no expected result for 1 benchmark: each answer counts as solved",
        "9: StarExec itself failed in 1 run (run script error): counted as crashes",
        ("3: cvc4 default gave a wrong answer in 1 run: not solved (QF BV/a b/wrong.smt2)"),
    ]
    query = "select scenario_id, measure, cutoff from raw_scenario order by measure_index"
    assert rows(opened(lake), query) == [
        ("Job7_info", "cpu time", 60.0),
        ("Job7_info", "wallclock time", 60.0),
    ]
    attributes = "select attribute, value from raw_attribute where instance_id like '%x.smt2'"
    assert sorted(rows(opened(lake), attributes)) == [
        ("division", "QF BV"),
        ("family", "QF BV/a b"),
        ("ground_truth", "sat"),
    ]


def test_without_ids_and_expected_results(tmp_path: Path) -> None:
    head = "benchmark,solver,configuration,status,cpu time,wallclock time,memory usage"
    path = put(
        tmp_path / "job.csv",
        "t/a,AProVE,c,complete,1,2,3,YES",
        "t/a,TTT2,c,complete,1,2,3,NO",
        "t/b,AProVE,c,complete,1,2,3,MAYBE",
        't/b,TTT2,c,complete,1,2,3,"WORST_CASE(?,O(1))"',
        head=f"{head},result",
    )
    assert [row[4] for row in rows(opened(lake_of(path)), RUNS)] == [
        *["ok"] * 4,
        *["other"] * 2,
        *["ok"] * 2,
    ]
    assert said(path, "runs-verdict", "runs-unjudged") == [
        "2: no expected result for 2 benchmarks: each answer counts as solved",
        "3: on t/a, AProVE c says YES and TTT2 c says NO; one answer must be wrong, but all count as solved",  # noqa: E501
    ]


def test_answers_are_kept(tmp_path: Path) -> None:
    path = put(
        tmp_path / "job.csv",
        pair("LIA/a", "sat"),
        pair("LIA/b", "unsat"),
        pair("c", "starexec-unknown"),
        pair("d", "starexec-unknown", "timeout (cpu)", "60.01"),
    )
    con = opened(lake_of(path))
    said = "select instance_id, algorithm, said, claim, judged from raw_answer"
    assert rows(con, f"{said} order by all") == [
        ("LIA/a", "cvc4 default", "sat", "sat", None),
        ("LIA/b", "cvc4 default", "unsat", "unsat", None),
    ]
    division = "select instance_id, value from raw_attribute"
    division += " where attribute = 'division' order by all"
    assert rows(con, division) == [("LIA/a", "LIA"), ("LIA/b", "LIA")]


OF_STATUS = {
    "timeout (cpu)": "timeout",
    "timeout (wallclock)": "timeout",
    "memout": "memout",
    "file write exceeded": "crash",
    "resource limits exceeded": "other",
    "error": "crash",
    "rejected": "crash",
    "submit failed": "crash",
    "results error": "crash",
    "run script error": "crash",
    "benchmark error": "crash",
    "environment error": "crash",
    "disk quota exceeded": "crash",
    "pending submission": "other",
    "enqueued": "other",
    "running": "other",
    "processing results": "other",
    "paused": "other",
    "killed": "other",
    "awaiting processing": "other",
    "stage not reached": "other",
    "unknown": "other",
}


def test_what_a_status_means_and_who_failed() -> None:
    lines = [pair(f"b{n}", "--", status) for n, status in enumerate(OF_STATUS)]
    numbered = tuple(enumerate([tuple(line.split(",")) for line in lines], 2))
    raw = RawTable("job.csv", tuple(HEAD.upper().split(",")), 1, numbered)
    table, decided = job_table(raw, TableChoices(cutoff=60.0))
    assert dict(decided.status) == OF_STATUS
    assert [(f.code, f.line) for f in table.findings] == [
        *(("runs-unfinished", 2 + n) for n in range(13, len(OF_STATUS))),
        ("runs-incomplete", 7),
        ("runs-others", 1),
    ]
    assert table.findings[0].message == "cvc4 default on b13 is pending submission: it has no result"
    assert table.findings[-2].message.startswith("StarExec itself failed in 8 runs (benchmark error, disk")
    user = TableChoices(cutoff=60.0, status=tuple(dict.fromkeys(OF_STATUS, "memout").items()))
    table, decided = job_table(raw, user)
    assert [f.code for f in table.findings] == ["runs-others"]
    assert {*dict(decided.status).values()} == {"memout"}


def test_a_complete_pair_is_an_answer_or_a_word_for_none() -> None:
    said = ("sat", "starexec-unknown", "--", "yes", "timeout", "42", "")
    rows = [tuple(pair(f"b{n}", each).split(",")) for n, each in enumerate(said)]
    raw = RawTable("job.csv", tuple(HEAD.split(",")), 1, tuple(enumerate(rows, 2)))
    table, decided = job_table(raw, TableChoices(cutoff=60.0))
    assert dict(decided.status) == {"--": "other", "yes": "ok", "42": "ok", "": "other"}
    ended = table.header.index("ended")
    assert {cells[ended] for _, cells in table.rows} == {"complete"}


TIMEOUTS = ("900.01", "900.2", "901", "900", "930.5")


@pytest.mark.parametrize(
    ("times", "answer", "limit"),
    [
        (TIMEOUTS, "899.9", [900.0]),
        ((*TIMEOUTS * 2, "1300"), "1", [900.0]),
        ((*TIMEOUTS, "1300"), "1", []),
        (TIMEOUTS[1:], "899.9", []),
        (TIMEOUTS, "900.5", []),
        ((*TIMEOUTS, "12"), "1", []),
        ((*TIMEOUTS, "-"), "1", []),
    ],
)
def test_timeouts_tell_the_limit(
    tmp_path: Path, times: tuple[str, ...], answer: str, limit: list[float]
) -> None:
    late = [pair(f"b{at}", "starexec-unknown", "timeout (cpu)", time) for at, time in enumerate(times)]
    path = put(tmp_path / "job.csv", pair("a", "sat", cpu=answer), *late)
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake")
    cutoff = "select distinct cutoff from raw_scenario"
    found = rows(opened(tmp_path / "lake"), cutoff) if done.error is None else []
    assert found == [(each,) for each in limit]


def test_the_job_has_no_cutoff(tmp_path: Path) -> None:
    path = put(tmp_path / "job.csv", pair("a", "sat"), pair("b", "sat", cpu="9"))
    assert said(path, cutoff=None, scenario_id="S") == [
        "1: no cutoff is given; the largest time of a solved run is 9"
    ]
    (done,) = ae.import_scenarios([path], into=tmp_path / "lake")
    assert done.status == "failed"


def test_times_of_a_job_are_in_seconds(tmp_path: Path) -> None:
    path = put(tmp_path / "job.csv", pair("a", "sat"))
    assert said(path, times_in="ms") == ["1: StarExec measures in seconds, not in ms"]
    assert rows(opened(lake_of(path, cutoff="1min", times_in="s")), CPU) == [("a", 1.5, "ok")]


def test_times_that_are_none_or_contradict_each_other(tmp_path: Path) -> None:
    pairs = [pair(f"{at}.smt2", "sat") for at in range(20)]
    pairs[3] = pairs[3].replace(",2.5,", ",-2.5,")
    pairs[5] = pairs[5].replace(",1.5,", ",1500,")
    pairs += [pair("20.smt2", "sat"), pair("21.smt2", "sat")]
    path, near = put(tmp_path / "job.csv", *pairs), "unlike all other pairs"
    assert said(path, "runtime-negative", "runs-limit") == [
        f"7: cvc4 default on 5.smt2 has 1500 s of CPU time in 2.5 s, {near}",
        "5: cvc4 default on 3.smt2 is ok after -2.5",
    ]


def test_names_with_several_ids_are_told_apart(tmp_path: Path) -> None:
    path = put(
        tmp_path / "job.csv",
        pair("a", "sat", ids=(1, 8)),
        pair("a", "sat", ids=(2, 8)),
        pair("a", "sat", ids=(1, 9)),
        pair("a", "sat", ids=(2, 9)),
    )
    found = {row[:2] for row in rows(opened(lake_of(path)), RUNS)}
    assert found == {(f"a [{bench}]", f"cvc4 default [{config}]") for bench in (1, 2) for config in (8, 9)}


def test_choices_are_those_of_tables_of_runs(tmp_path: Path) -> None:
    path = put(tmp_path / "job.csv", pair("f/a", "sat"), pair("g/b", "sat"))
    column = ["time=wallclock time", "solver=solver", "ignore=cpu time"]
    lake = lake_of(path, column=column, scenario_id="MINE", measure_column=["memory usage"])
    found = rows(opened(lake), RUNS)
    assert found == [
        (name, "cvc4", measure, value, "ok")
        for name in ("f/a", "g/b")
        for measure, value in (("memory usage", 1024.0), ("runtime", 2.5))
    ]
    done = ae.import_scenarios([path], into=tmp_path / "two", cutoff=60, column=["scenario=folder"])
    assert [each.scenario_id for each in done] == ["f", "g"]


def test_what_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    path = put(
        tmp_path / "job.csv",
        pair("a", "sat"),
        pair("a", "sat"),
        pair("b", "sat", "paused"),
        pair("c", "sat", "solved"),
        pair("d", "sat", cpu="1.5s"),
        pair("e", "sat", expected="unsat"),
        pair("e", "sat", solver="z3"),
        pair("f", "sat", solver=""),
        pair("g", "sat", status=""),
    )
    errors = said(path)
    assert errors[0] == "4: cvc4 default on b is paused: it has no result"
    (tmp_path / "scenario.toml").write_text('[status]\npaused = "crash"\n')
    errors = said(path)
    assert {error.partition(":")[0] for error in errors} >= {*"35689", "10"}
    assert "5: cannot interpret the status 'status solved' (1 run)" in errors
    assert "6: cvc4 default on d has the time '1.5s', which is not a number" in errors
    stages = put(
        tmp_path / "stages.csv",
        f"1,{pair('a', 'sat')}",
        f"2,{pair('a', 'sat')}",
        head=f"stage number,{HEAD}",
    )
    assert said(stages) == ["3: the pairs have 2 stages: 1, 2"]
    cut = put(tmp_path / "cut.csv", pair("a", "sat"), "1,b,7,cvc4")
    assert said(cut) == ["3: 4 cells instead of 13"]


def test_a_table_that_is_no_job_is_read_as_one_of_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("benchmark,solver,status,cpu time\na,b,ok,3\n")
    (done,) = ae.import_scenarios([path], into=tmp_path / "lake", cutoff=60)
    assert done.status == "imported"
    job = put(tmp_path / "job.csv", pair("a", "sat"))
    (done,) = ae.import_scenarios([job], into=tmp_path / "lake", cutoff=60, input_format="starexec")
    assert done.status == "imported"


def test_an_archive_of_a_job(tmp_path: Path) -> None:
    folder = tmp_path / "download"
    folder.mkdir()
    put(folder / "Job7_info.csv", pair("a", "sat"))
    archive = shutil.make_archive(str(tmp_path / "Job7"), "zip", folder)
    (done,) = ae.import_scenarios([archive], into=tmp_path / "lake", cutoff=60)
    assert (done.status, done.scenario_id) == ("imported", "Job7_info")


# Damaged files.

Cells = list[list[str]]


def whole(rng: Random) -> Cells:
    found = [HEAD.split(",")]
    for solver in ("cvc4", "z3", "yices"):
        for at in range(6):
            result, status = "sat", "complete"
            cpu = f"{rng.uniform(0.1, 59):.3f}"
            if at == 4:
                result, status, cpu = "starexec-unknown", "timeout (cpu)", "60.1"
            if at == 5:
                result = "unsat"
            found.append(pair(f"s p/i{at}", result, status, cpu, solver=solver).split(","))
    return found


def put_in(*texts: str) -> list[Callable[[Random, Cells], None]]:
    def change(text: str) -> Callable[[Random, Cells], None]:
        def put_text(rng: Random, table: Cells) -> None:
            rng.choice(table[1:])[rng.choice((1, 3, 5, 7, 8, 11, 12))] = text

        return put_text

    return [change(text) for text in texts]


def drop(rng: Random, table: Cells) -> None:
    del table[rng.randrange(1, len(table))]


def twice(rng: Random, table: Cells) -> None:
    table.append(rng.choice(table[1:]))


def shorten(rng: Random, table: Cells) -> None:
    del rng.choice(table)[rng.randrange(3)]


def without_column(rng: Random, table: Cells) -> None:
    at = rng.randrange(len(table[0]))
    for row in table:
        del row[at]


def swap(rng: Random, table: Cells) -> None:
    a, b = rng.sample(range(len(table[0])), 2)
    table[0][a], table[0][b] = table[0][b], table[0][a]


MUTATIONS = [
    *put_in("", "-1", "nan", "1e999", "3,5", "3.5s", "250", "unsat", "unknown", "\0"),
    *put_in("complete", "solved", "killed", "memout", "timeout (wallclock)", '"', "ok"),
    drop,
    twice,
    shorten,
    without_column,
    swap,
]


def read(path: Path, table: Cells) -> Parsed | None:
    path.write_text("".join(",".join(row) + "\n" for row in table))
    format_ = starexec_format(TableChoices(cutoff=60.0))
    found = format_.find(path)
    return format_.read(found[0], format_.load(found[0])) if found else None


def scores(found: Parsed) -> dict[str, float]:
    """Solver → its PAR10 of the primary measure, by the definition."""
    primary = found.tables["scenario"].to_pylist()[0]["measure"]
    par: dict[str, list[float]] = {}
    for run in found.tables["run"].to_pylist():
        if run["measure"] == primary:
            solved = run["runstatus"] == "ok" and run["value"] < 60
            par.setdefault(run["algorithm"], []).append(run["value"] if solved else 600)
    return {solver: sum(costs) / len(costs) for solver, costs in par.items()}


def words(findings: tuple[Finding, ...]) -> set[tuple[str, str]]:
    return {(f.code, f.message) for f in findings if f.code.startswith("runs-")}


@pytest.mark.parametrize("seed", range(len(MUTATIONS)))
def test_no_other_number_without_a_word(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    table = whole(rng)
    before = read(tmp_path / "job.csv", table)
    assert before is not None
    assert [f for f in before.findings if f.severity == "error"] == []
    MUTATIONS[seed % len(MUTATIONS)](rng, table)
    after = read(tmp_path / "job.csv", table)
    if after is None:
        assert MUTATIONS[seed % len(MUTATIONS)] in (shorten, without_column)
        return
    errors = [f for f in after.findings if f.severity == "error"]
    if errors:
        assert after.tables == {}
        assert all(f.line is not None or f.message.startswith("and ") for f in errors)
    elif scores(after) != scores(before):
        assert words(after.findings) - words(before.findings)


def test_a_user_says_what_a_word_for_the_status_means(tmp_path: Path) -> None:
    path = put(tmp_path / "job.csv", pair("a", "sat", "odd"), pair("b", "sat"))
    assert said(path) == ["2: cannot interpret the status 'status odd' (1 run)"]
    (tmp_path / "scenario.toml").write_text('[status]\nodd = "memout"\n')
    assert [row[4] for row in rows(opened(lake_of(path)), RUNS)] == ["memout"] * 2 + ["ok"] * 2
