"""Failed runs: never an advantage to who fails, and always told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.question import Question
from aslib_eval.cli import main
from aslib_eval.database.protocol import Protocol
from tests.conftest import Row, rows
from tests.lab import ACCURACY, OBJECTIVE, OUT, Given, InMemory, runs, table

pytestmark = pytest.mark.usefixtures("opened_once")

LEFT_OUT = Protocol(failures="left_out")
# Ten tasks of three seeds, on all of which A costs 5 and C costs 4, where it does not crash: it does on the
# first seed of t1 to t4.
CRASHED = 4


def tasks(status: str = "crash", value: float | None = None) -> list[Row]:
    return [
        (f"t{task}", seed, name, *found)
        for task in range(10)
        for seed in (1, 2, 3)
        for name, found in (
            ("A", (5, "ok")),
            ("C", (value, status) if seed == 1 and task < CRASHED else (4 + task, "ok")),
        )
    ]


def ask(con: Any, **words: Any) -> Any:
    return compare(InMemory(con), Question(**words))


# --- what a failed run costs ---------------------------------------------------------


def test_of_a_maximised_quality_the_worst_is_the_least(given: Given) -> None:
    data = runs(A=[0.9], B=[0.7], C=[None])
    fixed = Protocol(protocol="fixed", failures="value", failure_value=0.25)
    con = given(data, Protocol(), fixed, measures=ACCURACY)
    found = table(con, "stg_run", "protocol, failed, cost", "algorithm = 'C'")
    assert found == [("default", True, -0.5), ("fixed", True, -0.25)]


def test_what_is_a_failure_of_a_quality(given: Given) -> None:
    cases: list[tuple[str, float | None, bool, float]] = [
        ("crash", 0, True, 5),  # a value that a crash left behind is no success
        ("memout", 1, True, 5),
        ("other", 1, True, 5),
        ("not_applicable", 1, True, 5),
        ("crash", 9, True, 9),  # unless it is worse than the rule
        ("timeout", 1, False, 1),  # what it had found until then
        ("timeout", None, True, 5),
        ("ok", 1, False, 1),
    ]
    data = [
        (f"i{at}", seed, name, *run)
        for at, (status, value, *_) in enumerate(cases, start=1)
        for name, of_seeds in (("A", ((3, "ok"), (1, "ok"))), ("C", ((2, "ok"), (value, status))))
        for seed, run in enumerate(of_seeds, start=1)
    ]
    where = "algorithm = 'C' and repetition = 2"
    assert table(
        given(data, measures=OBJECTIVE), "stg_run", "instance_id, failed, solved, cost", where
    ) == [(f"i{at}", failed, not failed, cost) for at, (*_, failed, cost) in enumerate(cases, start=1)]


def test_timeouts_count_in_all_numbers_or_in_none(given: Given) -> None:
    # A is stopped at 1 on i1 and at 8 on i2, where B ends with 3 and 2.
    data = [
        *(("i1", 1, "A", 1, OUT), ("i2", 1, "A", 8, OUT)),
        *(("i1", 1, "B", 3, "ok"), ("i2", 1, "B", 2, "ok")),
    ]
    failed = Protocol("failed", timeout_value="failed")
    # Ran outside: it is stopped at 1 on i1.
    outside = [
        ("x", "none", 1, None, "i1", 9.0, OUT, 1.0, False),
        ("x", "none", 1, None, "i2", 1.0, "ok", 2.0, False),
    ]
    con = given(data, Protocol(), failed, measures=OBJECTIVE, outside=outside)
    columns = "protocol, solver, n_failed, solved, cost"
    assert table(con, "solver_score", columns, "solver in ('A', 'B', 'x')") == [
        ("default", "A", 0, 1, 4.5),
        ("default", "B", 0, 1, 2.5),
        ("default", "x", None, 1, 1.5),
        ("failed", "A", 2, 0, 7),  # 3 + 3, and 8, which is worse than 2 + 2
        ("failed", "B", 0, 1, 2.5),
        ("failed", "x", None, 0.5, 4),
    ]
    found = table(con, "solver_borda", "protocol, solver, borda", "kind = 'algorithm'")
    assert found == [("default", "A", 0.5), ("default", "B", 0.5), ("failed", "A", 0), ("failed", "B", 1)]


def test_the_median_status_of_timeouts_that_count_is_solved(given: Given) -> None:
    data = [("i1", seed, "A", 2, status) for seed, status in enumerate([OUT, OUT, "ok"], 1)]
    con = given(data, Protocol(repetitions="median"), measures=OBJECTIVE)
    assert table(con, "instance_algorithm", "solved, cost") == [(1, 2)]


@pytest.mark.parametrize("protocol", [LEFT_OUT, Protocol()])
def test_what_crashes_left_behind_is_nothing_where_the_rule_gives_nothing(
    given: Given, protocol: Protocol
) -> None:
    data = [("i1", 1, name, 5, "crash") for name in "AB"]
    if protocol == LEFT_OUT:
        data.append(("i1", 1, "C", 7, "ok"))
    con = given(data, protocol, measures=OBJECTIVE)
    assert table(con, "stg_run", "distinct cost", "failed") == [(None,)]


def test_where_nobody_has_a_value_a_failure_has_none(given: Given) -> None:
    found = table(given(runs(A=[None, 1], B=[None, 2]), measures=OBJECTIVE), "stg_run", "instance_id, cost")
    assert found == [("i1", None), ("i1", None), ("i2", 1), ("i2", 2)]


def test_a_selector_without_an_answer_costs_as_a_failed_run(given: Given) -> None:
    con = given(runs(A=[5, 6], B=[7, 8]), says={"x": {"i1": [("A", None)]}}, measures=OBJECTIVE)
    found = table(con, "instance_solver", "instance_id, cost, n_failed", "kind = 'selector'")
    assert found == [("i1", 5, None), ("i2", 10, None)]


def test_a_crash_of_a_selector_that_ran_outside_is_a_failed_run(given: Given) -> None:
    outside = [
        ("x", "none", 1, None, "i1", 1.0, "crash", 0.0, False),
        ("x", "none", 1, None, "i2", 1.0, "ok", 1.0, False),
    ]
    con = given(runs(A=[5, 6], B=[7, 8]), outside=outside, measures=OBJECTIVE)
    assert table(con, "instance_solver", "instance_id, cost", "kind = 'selector'") == [("i1", 9), ("i2", 1)]


# --- what compare says of it ----------------------------------------------------------


def test_who_crashes_is_not_said_to_be_best_on_what_is_left(given: Given) -> None:
    found = ask(given(tasks(), measures=OBJECTIVE))
    assert found.systems.select("system", "n", "n_failed", "n_left_out").rows() == [
        ("A", 10, 0, 0),
        ("C", 10, CRASHED, 0),
    ]
    assert found.pairs["n_failed"].to_list() == [CRASHED]
    (text,) = found.sentences
    assert "A has the best mean" in text
    assert (
        "Each failed run (C 4 on 4 instances) counts as the worst value of"
        " its instance plus the distance from best to worst." in text
    )


def test_no_crash_makes_a_mean_better_than_leaving_it_out(given: Given) -> None:
    # On i1, i2 and i3 C crashes in the repetition 1, 2 and 3.
    data = [
        (f"i{at}", seed, name, *((None, "crash") if (name, seed) == ("C", at) else (cost + seed, "ok")))
        for at in (1, 2, 3)
        for seed in (1, 2, 3)
        for name, cost in (("A", 4), ("C", 2))
    ]
    rules = [Protocol(rule, failures=rule) for rule in ("beyond_worst", "worst")]
    con = given(data, *rules, measures=OBJECTIVE)
    found = table(con, "instance_algorithm", "protocol, instance_id, cost", "algorithm = 'C'")
    assert len(found) == 6
    for _, instance, cost in found:
        assert cost >= sum(2 + seed for seed in (1, 2, 3) if f"i{seed}" != instance) / 2


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (Protocol(failures="worst"), "counts as the worst value of its instance."),
        (Protocol(failures="value", failure_value=99), "counts as 99.0."),
        (LEFT_OUT, "4 instances are left out because a solver has no value there (failed runs: C"),
    ],
)
def test_the_sentence_says_what_was_done(given: Given, protocol: Protocol, words: str) -> None:
    (text,) = ask(given(tasks(), protocol, measures=OBJECTIVE)).sentences
    assert words in text


def test_instances_on_which_all_failed_are_left_out_and_said(given: Given) -> None:
    found = ask(given(runs(A=[None, 1, 2], B=[None, 2, 3]), measures=OBJECTIVE))
    (text,) = found.sentences
    assert "1 instances are left out because a solver has no value there (every run failed" in text
    assert set(found.systems["n_left_out"]) == {1}


def test_score_and_gap_say_what_failed_runs_count_as(imported: Any) -> None:
    lake = imported(runs=tasks(), measures=OBJECTIVE)
    for command in ("score", "gap"):
        arguments = [command, "--lake", str(lake), "--format", "csv"]
        assert CliRunner().invoke(main, arguments, catch_exceptions=False).stderr == (
            "S (objective), default: each of the 4 failed runs counts as the"
            " worst value of its instance plus the distance from best to worst\n"
        )
    lines = CliRunner().invoke(main, ["score", "--lake", str(lake), "--format", "csv"]).stdout.splitlines()
    place = lines[0].split(",").index("n_failed")
    assert [line.split(",")[place] for line in lines if ",C," in line] == ["4"]


# --- the protocol --------------------------------------------------------------------


# --- What a protocol makes of wrong answers, and of those that contradict each other ---

TABLE = """\
instance,solver,time,status,result,expected
i,ant,3,ok,sat,sat
i,bee,4,ok,unsat,sat
j,ant,3,ok,unsat,
j,bee,5,ok,sat,
k,ant,3,ok,sat,sat
k,bee,9,ok,sat,sat
l,ant,7,TO,,
l,bee,8,ok,unsat,
"""
SCORES = """
    select protocol, solver, n_instances, round(solved * n_instances)::int, par10
    from solver_score where kind = 'algorithm' order by protocol, solver
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    (folder / "T.csv").write_text(TABLE)
    ae.import_runs(folder / "T.csv", into=folder / "lake", cutoff=10)
    return folder / "lake"


# Choices of a protocol, and the instances, those solved and PAR10 of ant and of bee.
# i: bee is wrong; j: nobody knows; k: both right; l: ant timed out.
CHOSEN: list[tuple[dict[str, str], tuple[float, ...], tuple[float, ...]]] = [
    ({}, (4, 3, 109 / 4), (4, 3, 122 / 4)),
    ({"wrong_answers": "disqualified"}, (4, 3, 109 / 4), (4, 0, 100)),
    ({"wrong_answers": "left_out"}, (3, 2, 106 / 3), (3, 3, 22 / 3)),
    ({"disputed_answers": "unsolved"}, (4, 2, 206 / 4), (4, 2, 217 / 4)),
    ({"disputed_answers": "left_out"}, (3, 2, 106 / 3), (3, 2, 117 / 3)),
    ({"wrong_answers": "left_out", "disputed_answers": "left_out"}, (2, 1, 103 / 2), (2, 2, 17 / 2)),
]


def test_each_choice(lake: Path) -> None:
    protocols = [Protocol(f"p{at}", **choices) for at, (choices, *_) in enumerate(CHOSEN)]
    found = rows(ae.connect(lake, protocols=protocols), SCORES)
    assert [row[:2] for row in found] == [(p.protocol, who) for p in protocols for who in ("ant", "bee")]
    expected = [scores for _, *both in CHOSEN for scores in both]
    assert [row[2:] for row in found] == [pytest.approx(scores) for scores in expected]


def test_a_quality_of_who_is_disqualified_does_not_count(tmp_path: Path) -> None:
    text = "instance,solver,cost,status\ni,ant,3,ok\ni,bee,1,ok\nj,ant,5,ok\nj,bee,2,"
    path = tmp_path / "T.csv"
    path.write_text(f"{text}INCORRECT\n")
    ae.import_runs(path, into=tmp_path / "lake")
    query = """
        select algorithm, instance_id, failed, runstatus from stg_run
        where protocol = 'p' order by all
    """
    strict = Protocol(protocol="p", wrong_answers="disqualified")
    assert rows(ae.connect(tmp_path / "lake", protocols=[strict]), query) == [
        ("ant", "i", False, "ok"),
        ("ant", "j", False, "ok"),
        ("bee", "i", True, "wrong"),
        ("bee", "j", True, "wrong"),
    ]


def test_of_a_disputed_instance_only_answers_become_unsolved(tmp_path: Path) -> None:
    text = "instance,solver,time,status\ni,ant,3,sat\ni,bee,4,unsat\ni,cat,10,TO\n"
    (tmp_path / "T.csv").write_text(text)
    ae.import_runs(tmp_path / "T.csv", into=tmp_path / "lake", cutoff=10)
    con = ae.connect(tmp_path / "lake", protocols=[Protocol(protocol="p", disputed_answers="unsolved")])
    status = "select algorithm, runstatus from run_status order by all"
    assert rows(con, status) == [("ant", "other"), ("bee", "other"), ("cat", "timeout")]


def test_an_instance_of_a_known_best_value_is_not_disputed(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("instance,solver,cost,best\ni,ant,3,1\nj,ant,5,\n")
    ae.import_runs(tmp_path / "T.csv", into=tmp_path / "lake")
    con = ae.connect(tmp_path / "lake", protocols=[Protocol(protocol="p", disputed_answers="left_out")])
    assert rows(con, "select distinct role from raw_reference") == [("best_known",)]
    assert rows(con, "select distinct n_instances from solver_score") == [(2,)]
