"""MIP-ANYTIME-2026: instances, the check of solutions, and what becomes of a journal.

The optimisers are not needed here; ``scripts/measure prove`` runs them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.linter import check_paths
from tests.conftest import ROOT, opened, rows

sys.path.insert(0, str(ROOT / "scripts"))

from measuring import box, mip
from measuring.journal import Journal
from measuring.mip import catalogue, families
from measuring.mip.families import Dice
from measuring.mip.folder import believed
from measuring.mip.limit import end_after
from measuring.mip.model import Model, mps
from measuring.mip.solvers import CBC_INCUMBENT, SOLVERS
from measuring.plan import Limits, Outcome, Record, Send
from measuring.publish import hashes, publish

ENDED = Outcome("done", 1.0, 1.5, 1 << 20, 0)
STOPPED = Outcome("cpu", 10.9, 12.0, 1 << 20, -24)


# --- models ---------------------------------------------------------------------------


def small() -> Model:
    """Minimise 3a - 2b with a + b ≥ 1, 2a + 5b ≤ 11, a - b = 0, a ≤ 4, b ≤ 1."""
    model = Model("small")
    a, b = model.column(3, 4), model.column(-2)
    model.row({b: 1, a: 1}, "G", 1)
    model.row({a: 2, b: 5}, "L", 11)
    model.row({a: 1, b: -1}, "E", 0)
    return model


def test_an_instance_is_its_mps_file() -> None:
    assert (
        mps(small()).decode()
        == """\
NAME          small
ROWS
 N  cost
 G  r0
 L  r1
 E  r2
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    x0        cost                 3
    x0        r0                   1
    x0        r1                   2
    x0        r2                   1
    x1        cost                -2
    x1        r0                   1
    x1        r1                   5
    x1        r2                  -1
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       r0                   1
    RHS       r1                  11
BOUNDS
 UP BND       x0                   4
 UP BND       x1                   1
ENDATA
"""
    )


@pytest.mark.parametrize(
    ("x", "wrong"),
    [
        ((1, 1), None),
        ((0, 0), "row r0 does not hold"),
        ((4, 1), "row r1 does not hold"),
        ((2, 1), "row r2 does not hold"),
        ((5, 1), "x0 = 5 is not in 0..4"),
        ((1, -1), "x1 = -1 is not in 0..1"),
        ((1,), "1 values for 2 columns"),
    ],
)
def test_every_kind_of_violation_is_named(x: tuple[int, ...], wrong: str | None) -> None:
    assert small().violation(x) == wrong


def test_the_objective_is_computed_anew() -> None:
    assert small().value((2, 1)) == 4
    assert small().entries == 6


# --- families -------------------------------------------------------------------------


def test_the_same_instances_come_out_everywhere() -> None:
    digest = hashlib.sha256(hashes(mip.plan()).encode()).hexdigest()
    assert digest == "a6862bf226eacb1c8004cec11a667bd4d1e0405020b5f328890019bb25e1b94b"


def test_all_families_have_as_many_sizes_and_every_instance_another_seed() -> None:
    assert {len(ladder) for ladder in catalogue.LADDERS.values()} == {10}
    texts = [mps(catalogue.model(name)).split(b"\n", 1)[1] for name in catalogue.names()]
    assert len(set(texts)) == len(catalogue.names()) == 80


def made(family: families.Family, *sizes: int) -> Model:
    model = Model("tiny")
    family(model, Dice("tiny"), sizes)
    return model


def best(model: Model) -> int:
    """The optimum by trying everything."""
    ranges = (range(upper + 1) for upper in model.upper)
    return min(model.value(x) for x in itertools.product(*ranges) if model.violation(x) is None)


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        (families.set_cover, (4, 8, 400)),
        (families.set_cover, (8, 10, 0)),
        (families.knapsack, (10, 2, 50)),
        (families.independent_set, (10, 30, 100)),
    ],
)
def test_the_optimum_is_better_than_what_is_trivial(
    family: families.Family, sizes: tuple[int, ...]
) -> None:
    model = made(family, *sizes)
    assert best(model) < model.trivial


@pytest.mark.parametrize("family", [families.knapsack, families.independent_set])
def test_taking_nothing_is_feasible(family: families.Family) -> None:
    model = made(family, 20, 5, 50)
    nothing = [0] * len(model.cost)
    assert model.violation(nothing) is None
    assert model.value(nothing) == model.trivial == 0


def test_buying_everything_is_feasible() -> None:
    model = made(families.lot_sizing, 3, 5, 120)
    price = {100: lambda upper: upper}
    x = [price.get(c, lambda _: 0)(u) for c, u in zip(model.cost, model.upper, strict=True)]
    assert model.violation(x) is None
    assert model.value(x) == model.trivial


def test_a_job_shop_is_its_best_order_on_every_machine() -> None:
    """Two jobs on two machines: each of the four orders, scheduled by hand."""
    model = made(families.job_shop, 2, 2, 100)
    assert len(model.cost) == 1 + 4 + 2  # end, starts, orders
    found = [
        model.value(x) for y in itertools.product((0, 1), repeat=2) if (x := earliest(model, y)) is not None
    ]
    dice = Dice("tiny")
    order = [dice.shuffled(2) for _ in range(2)]
    time = [[dice.between(10, 100) for _ in range(2)] for _ in range(2)]
    assert min(found) == shortest(order, time)
    assert min(found) <= model.trivial == max(model.upper)


def earliest(model: Model, y: Sequence[int]) -> list[int] | None:
    """The smallest starts that hold with the orders given; None if there are none."""
    x = [0, 0, 0, 0, 0, *y]
    for _ in range(20):
        for row in model.rows:
            (j,) = (j for j, a in row.coefficients.items() if a == 1 and j < 5)
            rest = sum(a * x[i] for i, a in row.coefficients.items() if i != j)
            x[j] = max(x[j], row.side - rest)
    return x if model.violation(x) is None else None


def shortest(order: list[list[int]], time: list[list[int]]) -> int:
    """Makespan of the best of all sequences of the four operations."""
    lengths = []
    for sequence in set(itertools.permutations((0, 0, 1, 1))):
        free, ready, done = [0, 0], [0, 0], [0, 0]
        for job in sequence:
            machine, k = order[job][done[job]], done[job]
            free[machine] = ready[job] = max(free[machine], ready[job]) + time[job][k]
            done[job] += 1
        lengths.append(max(ready))
    return min(lengths)


def test_dice_are_fair_and_the_same_everywhere() -> None:
    dice = Dice("seed")
    assert [dice.between(1, 6) for _ in range(10)] == DRAWN
    assert sorted(dice.shuffled(50)) == list(range(50))
    assert len(set(dice.some(50, 7))) == 7


DRAWN = [1, 2, 6, 2, 1, 6, 5, 4, 4, 4]


def test_the_limit_of_cpu_time_is_exact() -> None:
    def child(send: Send) -> None:
        end_after(0.3)
        send("began")
        while True:
            pass

    outcome, sent = box.run(child, limits=Limits(5, 60, 1 << 30))
    assert (outcome.end, sent) == ("cpu", ["began"])
    assert 0.3 <= outcome.cpu < 0.5


# --- what optimisers say --------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("12I Integer solution of -6 found by Dive after 7 nodes (0.45", ("-6", "0.45")),
        ("16I Integer solution of 21 found by strong branching (0.12", ("21", "0.12")),
        ("04I Integer solution of 2.5 found after 0 nodes (10.00", ("2.5", "10.00")),
        ("38I Mini branch and bound improved solution from 5 to 4 (0.1", None),
        ("10I After 0 nodes, 1 on tree, 12 best solution (1.65", None),
    ],
)
def test_incumbents_of_cbc(line: str, said: tuple[str, str] | None) -> None:
    found = CBC_INCUMBENT.match(f"Cbc00{line} seconds)")
    assert (found.groups() if found else None) == said


def point(elapsed: float, value: float, x: Any) -> dict[str, Any]:
    nonzero = None if x is None else [[j, v] for j, v in enumerate(x) if v]
    return {"elapsed": elapsed, "value": value, "x": nonzero}


def judged(
    monkeypatch: pytest.MonkeyPatch, *sent: dict[str, Any], outcome: Outcome = ENDED
) -> dict[str, Any]:
    """What is made of messages about: minimise 3a + b, a + b ≥ 2, both up to 9."""
    model = Model("two")
    a, b = model.column(3, 9), model.column(1, 9)
    model.row({a: 1, b: 1}, "G", 2)
    monkeypatch.setattr(mip, "loaded", lambda _: (model, Path("two.mps")))
    return mip.judge(("run", "two", "scip", "1"), list(sent), outcome)


END = {"ended": 2.0, "proved": True}


def test_improving_solutions_are_kept_with_their_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(
        monkeypatch,
        point(0.1234567, 12.0000001, (3, 3.00000001)),
        point(0.2, 12, (4, 0)),  # not better
        point(0.3, 2, (0, 2)),
        END,
    )
    assert found == {
        "status": "ok",
        "points": [(0.123457, 12), (0.3, 2)],
        "proved": True,
        "ended": 2.0,
        "wrong": [],
    }


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (point(0.1, 1, (0, 1)), "1 after 0.100: row r0 does not hold"),
        (point(0.1, 1, (0, 2)), "1 after 0.100: its objective is 2"),
        (point(0.1, 2.5, (0.5, 1)), "2.5 after 0.100: a value is not whole"),
        (point(0.1, 2.5, None), "2.5 after 0.100: its objective is 2"),
        (point(0.1, 10, (0, 10)), "10 after 0.100: x1 = 10 is not in 0..9"),
    ],
)
def test_a_solution_that_does_not_stand_the_check_is_not_one(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], reason: str
) -> None:
    found = judged(monkeypatch, wrong, outcome=STOPPED)
    assert found["wrong"] == [reason]
    assert (found["status"], found["points"], found["proved"]) == ("timeout", [], False)


def test_a_proof_of_a_value_that_was_not_accepted_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(monkeypatch, point(0.1, 3, (0, 3)), point(0.2, 1, (0, 1)), END)
    assert (found["status"], found["proved"]) == ("ok", False)
    assert found["wrong"][1] == "claims 1 to be optimal"


def test_what_comes_after_the_cutoff_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    late = point(10.1, 2, (0, 2))
    found = judged(monkeypatch, point(9.9, 3, (0, 3)), late, {"ended": 10.2, "proved": True})
    assert (found["points"], found["proved"]) == ([(9.9, 3)], False)


def test_a_solution_that_is_not_told_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(monkeypatch, point(0.1, 5, None), point(2.0, 2, (0, 2)), END)
    assert found["points"] == [(0.1, 5), (2.0, 2)]


@pytest.mark.parametrize(
    ("end", "cpu", "with_solution", "without"),
    [
        ("done", 1.0, "ok", "other"),
        ("done", 10.5, "ok", "timeout"),
        ("cpu", 10.9, "ok", "timeout"),
        ("wall", 3.0, "ok", "timeout"),
        ("memory", 3.0, "memout", "memout"),
        ("crash", 3.0, "crash", "crash"),
    ],
)
def test_statuses(
    monkeypatch: pytest.MonkeyPatch, end: str, cpu: float, with_solution: str, without: str
) -> None:
    outcome = Outcome(end, cpu, cpu, 1 << 20, 0)
    some = judged(monkeypatch, point(0.1, 2, (0, 2)), outcome=outcome)
    none = judged(monkeypatch, outcome=outcome)
    assert (some["status"], none["status"]) == (with_solution, without)


# --- from the journal to the folder ---------------------------------------------------


def measured(names: Sequence[str]) -> dict[tuple[str, ...], Record]:
    """Each optimiser finds -500, then minus a million; highs proves that after 4 s."""
    records = {}
    for name in names:
        for step in mip.STEPS:
            found = {"cost": 0.25, "values": {f"{step}_1": 7.5}, "status": "ok"}
            records["feature", name, step, "1"] = found
        for solver in SOLVERS:
            proved = solver == "highs"
            records["run", name, solver, "1"] = {
                "status": "ok",
                "points": [[0.5, -500], [3.0, -(10**6)]],
                "proved": proved,
                "ended": 4.0 if proved else None,
                "wrong": [],
            }
    return {
        key: Record(key, ENDED if key[2] == "highs" else STOPPED, found, 1.7e9)
        for key, found in records.items()
    }


def test_a_claim_that_somebody_betters_is_no_proof() -> None:
    (claim,) = (r for k, r in measured(NAMES[:1]).items() if k[2] == "highs")
    claim = replace(claim, found={**claim.found, "points": [[0.1, 7]], "proved": True})
    assert believed(claim, {claim.key[1]: 7}) == claim
    refuted = believed(claim, {claim.key[1]: 6}).found
    assert (refuted["proved"], refuted["refuted"]) == (False, True)
    assert refuted["points"] == [[0.1, 7]]


def published(records: dict[tuple[str, ...], Record], to: Path) -> Path:
    session = {
        "processor": "a processor",
        "cache": "8 KB",
        "cores": 2,
        "pinned_to": [0],
        "memory": "1 kB",
        "system": "Linux",
        "libc": "glibc",
        "python": "3.11",
        "packages": {"highspy": "1.0"},
    }
    lines = [{"session": session}, *(asdict(record) for record in records.values())]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (to / "journal.jsonl").write_text(text)
    publish(mip.plan(), Journal(to), to=to / mip.SCENARIO)
    return to / mip.SCENARIO


NAMES = catalogue.names()[::7]  # twelve instances, of all families


def test_a_journal_becomes_a_scenario_without_errors(tmp_path: Path) -> None:
    records = measured(NAMES)
    nothing = {"status": "timeout", "points": [], "proved": False, "ended": None}
    key = ("run", NAMES[0], "glpk", "1")
    records[key] = Record(key, STOPPED, {**nothing, "wrong": ["12: bad"]}, 1.7e9)
    again = ("repeat", NAMES[0], "cbc", "1")
    better = {**records["run", NAMES[0], "cbc", "1"].found, "points": [[0.6, -(10**6)]]}
    records[again] = Record(again, STOPPED, better, 1.7e9)
    folder = published(records, tmp_path)
    findings = check_paths([folder])
    assert {f.code for f in findings if f.severity == "error"} == set()
    assert {f.code for f in findings if f.severity == "warning"} == {
        "ok-at-cutoff",
        "feature-leak",  # all features of this test are alike
    }
    ae.import_scenarios([folder], into=tmp_path / "lake")
    con = opened(tmp_path / "lake")
    trivial = catalogue.model(NAMES[0]).trivial
    of = f"from raw_run where instance_id = '{NAMES[0]}' and algorithm in "
    assert rows(con, f"select algorithm, measure, value, runstatus {of}('glpk', 'highs')") == [
        ("highs", "objective", -1e6, "ok"),
        ("glpk", "objective", float(trivial), "timeout"),
        ("highs", "runtime", 4.0, "ok"),
        ("glpk", "runtime", 100.0, "timeout"),
    ]
    of = f"from raw_trajectory where instance_id = '{NAMES[0]}' and algorithm = 'scip'"
    assert rows(con, f"select step, elapsed, value {of}") == [(1, 0.5, -500.0), (2, 3, -1e6)]
    of = f"from raw_reference where instance_id = '{NAMES[0]}'"
    assert rows(con, f"select role, value, label {of}") == [
        ("best_known", -1e6, None),
        ("proof", None, "optimal"),
        ("trivial", float(trivial), None),
    ]
    folds = rows(con, "select fold, count(*) from raw_fold group by fold order by fold")
    assert sum(n for _, n in folds) == 12
    assert {n for _, n in folds} == {1, 2}
    readme = (folder / "readme.txt").read_text()
    for said in ("1 timeout", "1 of glpk", "a processor", "1 runs made again (1.7%"):
        assert said in readme
    assert len((folder / "instances.sha256").read_text().splitlines()) == 80


def test_objective_and_runtime_mean_what_they_say(tmp_path: Path) -> None:
    """By the objective all runs are solved, by the runtime those with a proof."""
    ae.import_scenarios([published(measured(NAMES), tmp_path)], into=tmp_path / "lake")
    strict = ae.Protocol(measures="all")
    lenient = ae.Protocol(protocol="lenient", measures="all", at_cutoff="solved")
    con = opened(tmp_path / "lake", protocols=[strict, lenient])
    counts = "select protocol, measure, count(*) from stg_run where solved group by all"
    assert sorted(rows(con, counts)) == [
        ("default", "objective", 60),
        ("default", "runtime", 12),
        ("lenient", "objective", 60),
        ("lenient", "runtime", 12),
    ]


def test_instances_that_are_not_measured_whole_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = measured(NAMES)
    del records["run", NAMES[3], "cbc", "1"], records["feature", NAMES[5], "rows", "1"]
    folder = published(records, tmp_path)
    assert "70 of 80 instances are not measured whole" in capsys.readouterr().err
    ids = {line.split(",")[0] for line in (folder / "cv.arff").read_text().splitlines()}
    assert {NAMES[3], NAMES[5]} & ids == set()


def test_the_readme_names_a_claim_that_is_false(tmp_path: Path) -> None:
    records = measured(NAMES)
    records["run", NAMES[1], "cpsat", "1"].found["points"].append([5.0, -(10**6) - 1])
    folder = published(records, tmp_path)
    said = (folder / "readme.txt").read_text()
    assert f"highs on {NAMES[1]}: -1000000, and -1000001 was found" in said
    ae.import_scenarios([folder], into=tmp_path / "lake")
    con = opened(tmp_path / "lake")
    run = f"instance_id = '{NAMES[1]}' and algorithm = 'highs'"
    assert rows(con, f"select value from raw_run where measure = 'runtime' and {run}") == [(100.0,)]


def test_the_order_of_the_jobs_is_random_but_fixed() -> None:
    keys = mip.jobs()
    assert keys == mip.jobs()
    assert len(set(keys)) == len(keys) == 80 * (5 + 5)
    seen = list(dict.fromkeys(name for _, name, *_ in keys))
    assert sorted(seen) == sorted(catalogue.names()) != seen


def test_repeats_are_a_share_of_the_runs_and_twice() -> None:
    records = list(measured(catalogue.names()).values())
    keys = mip.again(records)
    assert len(set(keys)) == len(keys) == 2 * 24  # 6 % of 400
    assert {kind for kind, *_ in keys} == {"repeat"}


# --- the committed folder -------------------------------------------------------------

FOLDER = ROOT / "scenarios" / mip.SCENARIO


def table(name: str) -> list[list[Any]]:
    import arff

    return arff.loads((FOLDER / name).read_text(encoding="utf-8"))["data"]


def test_the_committed_instances_are_those_of_the_catalogue() -> None:
    lines = (FOLDER / "instances.sha256").read_text().splitlines()
    committed = {name: sha for sha, name in (line.split("  ") for line in lines)}
    assert set(committed) == {f"{name}.mps" for name in catalogue.names()}
    for name in catalogue.names()[::10]:  # one of each family
        sha = hashlib.sha256(mps(catalogue.model(name))).hexdigest()
        assert committed[f"{name}.mps"] == sha, name


def test_the_committed_trajectories_end_where_the_runs_do() -> None:
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, _, solver, elapsed, value in table("trajectories.arff"):
        points.setdefault((name, solver), []).append((elapsed, value))
    runs = {(row[0], row[2]): row[3] for row in table("algorithm_runs.arff")}
    assert len(runs) == 80 * len(SOLVERS)
    assert {key: found[-1][1] for key, found in points.items()} == runs
    for found in points.values():
        assert all(a[0] <= b[0] and a[1] > b[1] for a, b in itertools.pairwise(found))


def test_no_committed_run_is_better_than_the_best_known_or_proved_value() -> None:
    best = {name: value for name, value, *_ in table("ground_truth.arff")}
    for name, _, _, value, time, _ in table("algorithm_runs.arff"):
        assert value >= best[name]
        assert time > 10 or value == best[name]
