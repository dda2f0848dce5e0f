"""The contest of our own: its networks and answers come out again, byte for byte."""

from __future__ import annotations

import hashlib
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.extensions.inference import networks as elimination
from aslib_eval.extensions.inference.networks import network
from tests.conftest import ROOT, opened, rows

sys.path.insert(0, str(ROOT / "scripts"))

from inferring import belief, contest, exact, generate, gibbs, mean_field
from inferring.problem import Problem, problem

FOLDER = ROOT / "scenarios" / contest.NAME
SMALL = ("bayes-14", "colouring-09", "diagnosis-06", "grid-04", "spin-glass-07")


def asked(name: str) -> Problem:
    model, evidence, query = generate.draft(name).files()
    return problem(name, model=model, evidence=evidence, query=query)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_networks_and_answers_come_out_again(name: str) -> None:
    made = dict(contest.files([name]))
    held = {path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob(f"{name}.uai*")}
    assert made == held


# SHA-256, of which the first 16 digits.
GOLDEN = {
    "networks/grid-07.uai": "75f3fc6335251e2c",
    "networks/bayes-36.uai": "1f37672ee26083f5",
    "networks/coupled-chains-14.uai": "55e0c3856ba15c6a",
    "answers/gibbs/200/protein-22.uai.MAP": "f598b2256a5105bb",
    "answers/belief-propagation/200/loopy-tree-40.uai.MAR": "caa01603a465eb93",
    "answers/exact/200/grid-07.uai.PR": "8c807479308a7eb6",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_files(name: str) -> None:
    digest = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
    assert digest[:16] == GOLDEN[name]


def test_the_folder_holds_the_contest_and_nothing_else() -> None:
    names = set(generate.names())
    assert len(names) == 24
    assert {p.name.removesuffix(".uai") for p in (FOLDER / "networks").iterdir()} == names
    others = [p for p in FOLDER.iterdir() if p.is_file()]
    assert {p.name: p.read_text() for p in others} == dict(contest.texts())


# --- the solvers ---------------------------------------------------------------------

TREE = """MARKOV 4 2 3 2 2
4 1 0 2 0 1 2 1 2 2 1 3
2 .3 .7 6 1 2 3 4 5 6 6 3 1 4 1 5 9 6 2 7 1 8 2 8
"""


def number(text: str | None) -> float:
    assert text is not None
    return float(text.split()[-1])


@pytest.mark.parametrize("evidence", ["", "1 1 2", "2 0 1 3 0"])
def test_belief_propagation_is_exact_on_trees(evidence: str) -> None:
    tree = problem("t", model=TREE, evidence=evidence, query="")
    found = number(belief.answer(tree, task="PR", sweeps=200))
    assert found == pytest.approx(number(exact.answer(tree, task="PR", sweeps=200)))
    for task in ("MAR", "MAP"):
        mine = belief.answer(tree, task=task, sweeps=200) or ""
        theirs = exact.answer(tree, task=task, sweeps=200) or ""
        numbers = [[float(x) for x in text.split()[1:]] for text in (mine, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], abs=1e-6)


@pytest.mark.parametrize("name", ["grid-04", "spin-glass-07", "protein-08"])
def test_mean_field_is_a_lower_bound(name: str) -> None:
    given = asked(name)
    truth = elimination.log_partition(network(given.cards, given.factors))
    found = [number(mean_field.answer(given, task="PR", sweeps=n)) for n in (1, 10, 200)]
    assert found == sorted(found)
    assert found[-1] <= truth


def test_gibbs_comes_near_with_time() -> None:
    tree = problem("t", model=TREE, evidence="", query="1 1")
    truth = elimination.marginals(network(tree.cards, tree.factors))
    words = (gibbs.answer(tree, task="MAR", sweeps=4000) or "").split()
    assert float(words[3]) == pytest.approx(truth[0][0], abs=0.03)
    assert gibbs.answer(tree, task="PR", sweeps=10) is None
    best = exact.answer(tree, task="MMAP", sweeps=200)
    assert gibbs.answer(tree, task="MMAP", sweeps=4000) == best
    found = gibbs.answer(tree, task="MAP", sweeps=400) or ""
    assert found.split("-BEGIN-\n")[-1].endswith(
        (exact.answer(tree, task="MAP", sweeps=200) or "").partition("\n")[2]
    )


def test_an_impossible_network_has_no_answer() -> None:
    for tables in ("1 1 0 2 0 0", "2 1 0 1 0 2 1 0 2 0 1"):
        given = problem("x", model=f"MARKOV 1 2 {tables}", evidence="", query="")
        assert gibbs.answer(given, task="MAP", sweeps=10) is None
    given = problem("x", model="MARKOV 1 2 1 1 0 2 0 0", evidence="", query="")
    assert belief.answer(given, task="PR", sweeps=10) is None


def everything(given: Problem) -> tuple[float, list[list[float]], list[int]]:
    """log10 Z, marginals and the likeliest state, by adding up all states."""
    cards = [given.cards[v] for v in given.free]
    logs = np.full(cards, given.constant)
    for scope, table in given.factors:
        axes = np.argsort(scope)
        shape = [given.cards[v] if v in scope else 1 for v in given.free]
        with np.errstate(divide="ignore"):
            logs = logs + np.log(table).transpose(axes).reshape(shape)
    weights = np.exp(logs - logs.max())
    total = weights.sum()
    rows_ = [
        weights.sum(axis=tuple(a for a in range(logs.ndim) if a != axis)) / total
        for axis in range(logs.ndim)
    ]
    best = np.unravel_index(int(logs.argmax()), logs.shape)
    log_z = (math.log(total) + logs.max()) / math.log(10)
    return log_z, [row.tolist() for row in rows_], [int(x) for x in best]


@pytest.mark.parametrize(
    "name",
    [
        "grid-04",
        "spin-glass-15",
        "loopy-tree-12",
        "protein-08",
        "diagnosis-06",
        "coupled-chains-04",
        "colouring-09",
        "bayes-14",
    ],
)
def test_exact_answers_are_those_of_enumeration(name: str) -> None:
    given = asked(name)
    log_z, rows_, best = everything(given)
    assert number(exact.answer(given, task="PR", sweeps=10**5)) == pytest.approx(log_z)
    words = (exact.answer(given, task="MAP", sweeps=10**5) or "").split()[2:]
    assert [int(words[v]) for v in given.free] == best
    numbers = iter((exact.answer(given, task="MAR", sweeps=10**5) or "").split()[2:])
    found = [[float(next(numbers)) for _ in range(int(next(numbers)))] for _ in given.cards]
    for v, expected in zip(given.free, rows_, strict=True):
        assert found[v] == pytest.approx(expected, abs=1e-8)


def test_exact_gives_up_where_its_tables_do_not_suffice() -> None:
    given = asked("grid-04")  # a table of 2 ** 5
    assert exact.answer(given, task="PR", sweeps=7) is None
    assert math.isfinite(number(exact.answer(given, task="PR", sweeps=8)))


# --- scored --------------------------------------------------------------------------


@pytest.mark.slow
def test_the_contest_is_scored(tmp_path: Path) -> None:
    """Who wins differs from task to task, and everywhere a choice would pay."""
    outcomes = ae.import_scenarios([FOLDER], into=tmp_path)
    assert [(o.scenario_id, o.status, o.findings) for o in outcomes] == [
        (f"INFERENCE-2026-{task}", "imported", ()) for task in contest.TASKS
    ]
    with opened(tmp_path) as con:
        sql = """
            select scenario_id[16:], solver, round(-cost, 1) from solver_score
            where kind = 'algorithm' order by scenario_id, cost
        """
        assert rows(con, sql) == SCORES
        assert rows(
            con, "select count(*) from solver_gap where kind = 'algorithm' and closed_gap is null"
        ) == [(0,)]


SCORES = [
    ("MAP", "gibbs", 87.6),
    ("MAP", "belief-propagation", 83.3),
    ("MAP", "mean-field", 82.5),
    ("MAP", "exact", 71.7),
    ("MAR", "belief-propagation", 74.8),
    ("MAR", "exact", 71.7),
    ("MAR", "gibbs", 45.1),
    ("MAR", "mean-field", 12.4),
    ("MMAP", "mean-field", 96.4),
    ("MMAP", "belief-propagation", 88.8),
    ("MMAP", "gibbs", 88.0),
    ("MMAP", "exact", 41.7),
    ("PR", "exact", 71.7),
    ("PR", "belief-propagation", 58.9),
    ("PR", "mean-field", 7.6),
]
