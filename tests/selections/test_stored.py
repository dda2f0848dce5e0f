"""Answers of every form become rows of the lake."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.lake import versions
from aslib_eval.selections import import_selections, read_selection, store_folds
from tests.conftest import opened, rows, write_scenario
from tests.selections.conftest import CHOICE, FOLDS, RUNS, Put, held, said


def test_a_schedule_becomes_rows(put: Put, lake: Path) -> None:
    outcome = put(
        '{"i1": ["basic", ["a", 5], "b"], "i2": [["b", 100]], "i3": [], "i4": ["deep"]}', "s.json"
    )
    assert outcome.error is None
    assert held(lake) == [
        ("s", "aslib", 1, 1, "i1", 1, "feature_step", "basic", None),
        ("s", "aslib", 1, 1, "i1", 2, "algorithm", "a", 5.0),
        ("s", "aslib", 1, 1, "i1", 3, "algorithm", "b", None),
        ("s", "aslib", 1, 1, "i2", 1, "algorithm", "b", 100.0),
        ("s", "aslib", 1, 2, "i3", 0, "none", None, None),
        ("s", "aslib", 1, 2, "i4", 1, "feature_step", "deep", None),
    ]
    assert said(outcome, "warning") == [
        "1: the schedule is empty. It solves nothing.",
        "1: feature step 'deep' requires basic before it. The import keeps the order.",
    ]


def test_choices_and_predictions_become_rows(put: Put, lake: Path) -> None:
    put(CHOICE, "one.csv")
    put("instance,a,b\ni1,1,2\ni2,2,1\ni3,1,1\ni4,,9\n", "two.csv")
    expected = [
        ("aslib", 1, fold, instance, 1, "algorithm", algorithm, None)
        for fold, instance, algorithm in ((1, "i1", "a"), (1, "i2", "b"), (2, "i3", "a"), (2, "i4", "b"))
    ]
    assert held(lake) == [(name, *row) for name in ("one", "two") for row in expected]


def test_a_cascade_becomes_rows(imported: Callable[..., Path], tmp_path: Path) -> None:
    quality = [("accuracy", "solution_quality", "true")]
    lake = imported(runs=RUNS, folds=FOLDS, measures=quality)
    file = tmp_path / "cascade.csv"
    file.write_text("prompt_id,model,asked\ni1,a,\ni2,b,a\ni3,b,b | a\ni4,a,\n")
    (outcome,) = import_selections(file, lake=lake, scenario="S")
    assert outcome.findings == ()
    assert held(lake) == [
        ("cascade", "aslib", 1, 1, "i1", 1, "algorithm", "a", None),
        ("cascade", "aslib", 1, 1, "i2", 1, "asked", "a", None),
        ("cascade", "aslib", 1, 1, "i2", 2, "algorithm", "b", None),
        ("cascade", "aslib", 1, 2, "i3", 1, "asked", "b", None),
        ("cascade", "aslib", 1, 2, "i3", 2, "asked", "a", None),
        ("cascade", "aslib", 1, 2, "i3", 3, "algorithm", "b", None),
        ("cascade", "aslib", 1, 2, "i4", 1, "algorithm", "a", None),
    ]


def test_of_times_nothing_is_asked_before_another(put: Put, lake: Path) -> None:
    outcome = put("instance,algorithm,asked\ni1,a,b\ni2,,b\ni3,a,c\ni4,a,\n")
    assert [line.partition(".")[0] for line in said(outcome, "error")] == [
        "2: 'b' is asked before another, and the scenario measures time",
        "3: the row asks, and names no algorithm that answers",
        "4: 'c' is not an algorithm of S",
    ]
    assert held(lake) == []


def test_an_outcome_has_a_price(put: Put, lake: Path) -> None:
    put("instance,time,status,price\ni1,1,ok,0.5\ni2,2,ok,0\ni3,3,ok,\ni4,4,ok,nan\n")
    assert [row[-2] for row in held(lake, "outcome")] == [0.5, 0, None, None]
    outcome = put("instance,time,status,price\ni1,1,ok,-0.5\n")
    assert "2: the price -0.5 is negative" in said(outcome, "error")


@pytest.mark.parametrize(
    ("text", "file", "expected"),
    [
        (  # a fold counts once, an instance without a time not at all
            ("instance,algorithm,training_time,choosing_time\ni1,a,4,1\ni2,b,4,\ni3,a,8,2\ni4,b,8,6\n"),
            "s.csv",
            ("s", "aslib", 6.0, 2, 3.0, 3),
        ),
        (
            (
                '{"training_time": {"1": 4, "2": 8}, "choosing_time": {"i1": 0.5},'
                ' "i1": ["a"], "i2": ["a"], "i3": ["a"], "i4": ["b"]}'
            ),
            "s.json",
            ("s", "aslib", 6.0, 2, 0.5, 1),
        ),
        (
            '{"choosing_time": 0.25, "i1": ["a"], "i2": ["a"], "i3": ["a"]}',
            "s.json",
            ("s", "aslib", None, 0, 0.25, 3),
        ),
    ],
    ids=["rows", "by fold and instance", "one for all"],
)
def test_times_of_training_and_choosing_are_kept(
    put: Put, lake: Path, text: str, file: str, expected: tuple[object, ...]
) -> None:
    assert put(text, file).error is None
    found = ae.query("select * exclude (protocol, scenario_id) from selector_times", lake=lake)
    assert found.rows() == [expected]


def test_what_is_no_time_keeps_a_file_out(put: Put, lake: Path) -> None:
    (wrong,) = said(put("instance,algorithm,choosing_time\ni1,a,-1\n"), "error")
    assert wrong.startswith("2: the choosing_time -1.0 is not 0 or more, and finite")
    (wrong,) = said(put('{"training_time": {"1": "x"}, "i1": ["a"]}'), "error")
    assert "training_time" in wrong
    assert held(lake) == []
    found = read_selection(b'{"training_time": ["a"]}', file="s.json")  # an instance that is called so
    assert ([row.instance for row in found.rows], found.times) == (["training_time"], {})


def test_outcomes_become_rows(put: Put, lake: Path) -> None:
    text = (
        "instance,selector,time,status,objective\n"
        "i1,s,3,ok,\ni2,s,3,timeout,\ni3,s,,crash,\ni4,s,101,ok,7\ni1,t,1,ok,\n"
    )
    outcome = put(text, without_feature_costs=True)
    assert outcome.selectors == ("s", "t")
    assert held(lake, "outcome") == [
        ("s", "aslib", 1, 1, "i1", 3.0, "ok", None, None, False),
        ("s", "aslib", 1, 1, "i2", 3.0, "timeout", None, None, False),
        ("s", "aslib", 1, 2, "i3", None, "crash", None, None, False),
        ("s", "aslib", 1, 2, "i4", 101.0, "ok", 7.0, None, False),
        ("t", "aslib", 1, 1, "i1", 1.0, "ok", None, None, False),
    ]
    missing = "'t' does not answer 3 of 4 instances ('i2', 'i3', 'i4')"
    assert said(outcome, "warning") == [
        "5: ok after 101.0, above the cutoff 100.0. It counts as unsolved.",
        f"None: {missing}. Instances without an answer count as unsolved.",
    ]
    put(text)
    assert {row[-1] for row in held(lake, "outcome")} == {True}


def test_the_manifest_says_where_answers_came_from(put: Put, lake: Path) -> None:
    put(CHOICE)
    outcome = "instance,time,status\ni1,3,ok\n"
    put(outcome, "sys.csv", name="sys")
    facts = versions.manifest(lake, "S")
    assert facts is not None
    assert facts["selections"] == [
        {
            "selector": "rf",
            "cv_scheme": "aslib",
            "file": "rf.csv",
            "sha256": sha256(CHOICE.encode()).hexdigest(),
            "format": "choice",
            "rows": {"selection": 4},
        },
        {
            "selector": "sys",
            "cv_scheme": "aslib",
            "file": "sys.csv",
            "sha256": sha256(outcome.encode()).hexdigest(),
            "format": "outcome",
            "pays_features": True,
            "rows": {"outcome": 1},
        },
    ]


def test_names_of_the_description_are_understood(imported: Callable[..., Path], tmp_path: Path) -> None:
    runs = [("i", 1, "my.solver", 1, "ok"), ("i", 1, "b", 2, "ok")]
    lake = imported(runs=runs)
    file = tmp_path / "rf.json"
    file.write_text('{"i": [["my-solver", 5], "b"]}')
    (outcome,) = import_selections(file, lake=lake, scenario="S")
    assert "'my-solver' is not an algorithm of S. Did you mean 'my.solver'?" in str(outcome.error)
    runs[0] = ("i", 1, "my-solver", 1, "ok")
    write_scenario(tmp_path / "scenarios" / "S", runs=runs)
    ae.import_scenarios([tmp_path / "scenarios" / "S"], into=lake)
    file.write_text('{"i": [["my.solver", 5], "b"]}')
    (outcome,) = import_selections(file, lake=lake, scenario="S")
    assert outcome.error is None
    assert [row[7] for row in held(lake)] == ["my-solver", "b"]


@pytest.mark.parametrize(
    ("schedule", "actions"),
    [
        ('["a"]', [("algorithm", "a")]),
        ('["a", "b"]', [("feature_step", "a"), ("algorithm", "b")]),
        ('[["a", 5], "b"]', [("algorithm", "a"), ("algorithm", "b")]),
        ('["a", "a"]', [("feature_step", "a"), ("algorithm", "a")]),
    ],
)
def test_a_name_of_an_algorithm_and_of_a_step(
    put: Put, lake: Path, schedule: str, actions: list[tuple[str, str]]
) -> None:
    outcome = put(f'{{"i1": {schedule}}}')
    assert outcome.error is None
    assert [row[6:8] for row in held(lake)] == actions
    ambiguous = [f for f in outcome.findings if f.code == "ambiguous-name"]
    assert bool(ambiguous) == ('"a"' in schedule.replace('["a", 5]', ""))


def test_repetitions_are_told_apart_or_assumed(imported: Callable[..., Path], tmp_path: Path) -> None:
    lake = imported(runs=RUNS, folds=FOLDS)
    split = {"i": ["i1", "i2", "i3", "i4"] * 2, "r": [1] * 4 + [2] * 4}
    folds = pa.table(
        {"instance_id": split["i"], "cv_repetition": split["r"], "fold": [1, 2, 1, 2, 2, 2, 1, 1]}
    )
    store_folds(lake, "S", "mine", folds)
    file = tmp_path / "rf.csv"
    file.write_text(CHOICE)
    (outcome,) = import_selections(file, lake=lake, scenario="S", scheme="mine")
    (warning,) = said(outcome, "warning")
    assert warning.startswith("None: read as repetition 1 of the 2 repetitions of cv_scheme 'mi")
    assert [row[3] for row in held(lake)] == [1, 2, 1, 2]
    file.write_text("instance,cv_repetition,algorithm\ni1,1,a\ni1,2,b\n")
    (outcome,) = import_selections(file, lake=lake, scenario="S", scheme="mine")
    assert [row[2:5] for row in held(lake)] == [(1, 1, "i1"), (2, 2, "i1")]
    assert len(said(outcome, "warning")) == 2  # three missing in each repetition


# --- the real ones ------------------------------------------------------------------


REAL = {
    "ASP-POTASSCO": 1294,
    "BNSL-2016": 1179,
    "CPMP-2015": 527,
    "CSP-Minizinc-Time-2016": 100,
    "GLUHACK-18": 353,
    "MAXSAT-PMS-2016": 601,
    "MAXSAT-WPMS-2016": 630,
    "MAXSAT19-UCMS": 572,
    "MIP-2016": 218,
}


@pytest.mark.slow
def test_all_real_schedules_go_in(shared: Path, tmp_path: Path) -> None:
    folder = shared / "selections"
    scenarios = sorted(p.name for p in folder.iterdir() if p.is_dir())
    lake = tmp_path / "lake"
    ae.import_scenarios([shared / "aslib" / name for name in scenarios], into=lake)
    outcomes = import_selections(folder, lake=lake)
    assert {o.path.rsplit("/")[-1] for o in outcomes if o.status == "skipped"} == {
        "expected_per_instance.csv"
    }
    found = [o for o in outcomes if o.status != "skipped"]
    assert {o.status for o in found} == {"imported"}
    assert {o.findings for o in found} == {()}
    names = ("asap", "rf", "rf_all", "rfreg", "sunny", "zilla")
    assert [(o.scenario_id, *o.selectors, o.instances) for o in found] == [
        (scenario, name, size) for scenario, size in REAL.items() for name in names
    ]
    con = opened(lake)
    everywhere = """
        select count(*), count(s.fold), count(*) filter (s.fold = f.fold)
        from raw_selection s
        join raw_fold f using (scenario_id, cv_scheme, cv_repetition, instance_id)
    """
    ((steps, told, same),) = rows(con, everywhere)
    assert steps == told == same
    assert steps == sum(
        pl.read_parquet(path, hive_partitioning=False).height
        for path in lake.glob("selection/*/part-0.parquet")
    )


@pytest.mark.slow
def test_the_outcomes_of_a_paper_go_in(shared: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    sizes = {n: s for n, s in REAL.items() if not n.startswith(("ASP", "MAXSAT1", "MIP"))}
    del sizes["MAXSAT-WPMS-2016"]
    folders = [n.replace("GLUHACK-18", "GLUHACK-2018") for n in sizes]
    ae.import_scenarios([shared / "aslib" / name for name in folders], into=lake)
    outcomes = import_selections(shared / "contests" / "tornede2020", lake=lake, without_feature_costs=True)
    found = {o.scenario_id: o for o in outcomes if o.status == "imported"}
    assert {name: o.instances for name, o in found.items()} == {
        name: 7 * size for name, size in sizes.items()
    }
    assert {len(o.selectors) for o in found.values()} == {7}
    (left,) = (o for o in outcomes if o.status == "skipped")
    assert left.path.endswith("published_npar10.csv")
    count = "select count(*), count(fold), bool_or(pays_features) from raw_outcome"
    total = 7 * sum(sizes.values())
    assert rows(opened(lake), count) == [(total, total, False)]
