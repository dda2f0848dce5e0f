"""The formulas, probes and tables of SAT-PYSAT-2026, on small ones."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from typing import Any

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from measuring.plan import Outcome, Record
from measuring.sat import (
    CUTOFF,
    SOLVERS,
    STEPS,
    circuits,
    features,
    folder,
    graphs,
    instances,
    jobs,
    judge,
    parities,
    planning,
    proofs,
    uniform,
)
from measuring.sat.draw import Draw
from measuring.sat.formula import Clause, Formula, satisfies
from measuring.sat.walk import walk

Make = Callable[..., Formula]


def solve(clauses: Iterable[Clause]) -> set[int] | None:
    """Literals that satisfy the clauses, by splitting; None if none do."""
    left = [set(c) for c in clauses]
    chosen: set[int] = set()
    while True:
        if any(not c for c in left):
            return None
        if not left:
            return chosen
        shortest = min(left, key=len)
        literal = next(iter(sorted(shortest, key=abs)))
        if len(shortest) > 1:
            break
        chosen.add(literal)
        left = [c - {-literal} for c in left if literal not in c]
    for guess in (literal, -literal):
        found = solve([*map(tuple, left), (guess,)])
        if found is not None:
            return chosen | found
    return None


# --- the same bytes everywhere --------------------------------------------------------

GOLDEN = {
    "ksat-k3-n160-r4.26-s1": "2578456a93c560f6",
    "hidden-n200-r4.3-b0.618-s1": "49540a27a8d5b0eb",
    "tseitin-n44-d3-s1": "2976d57fb13604bb",
    "disagreement-n12-s24-e3-w3-s1": "ed95dcd04c431644",
    "pigeons-h8-e1-functional-s1": "36ff3d7494d1879f",
    "waerden-3.9-n77-s1": "242518ba7b767d7b",
    "factoring-b17-s1": "f8581ca72c3dc48f",
    "mixer-b10-r6-k0-s1": "fb6c76a27b5c7707",
    "generator-7.8.9-o28-s1": "64370890d15d1bba",
    "latin-n30-h380-s1": "836b89c5cb00deda",
    "sliding-r3-c3-w22-s22-s1": "d752ee5dc6763c9e",
}


@pytest.mark.parametrize(("name", "expected"), GOLDEN.items())
def test_an_instance_is_the_same_bytes_everywhere(name: str, expected: str) -> None:
    text = instances()[name].text()
    assert hashlib.sha256(text).hexdigest()[:16] == expected
    assert text.startswith(f"c {name}\np cnf ".encode())


def test_the_generator_of_random_numbers_is_splitmix64() -> None:
    draw = Draw()
    draw._state = 1234567  # noqa: SLF001 - the state of the published sequence
    assert [draw.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_a_sample_has_no_doubles_and_a_shuffle_loses_nothing() -> None:
    draw = Draw("any", 1)
    assert sorted(draw.sample(10, 10)) == list(range(10))
    items = list(range(20))
    draw.shuffle(items)
    assert sorted(items) == list(range(20)) != items


# --- what the formulas say ------------------------------------------------------------

SAT, UNSAT = True, False
ANSWERS: list[tuple[Make, dict[str, Any], bool]] = [
    (uniform.hidden, {"n": 20, "ratio": 4.3, "bias": 0.618}, SAT),
    (parities.tseitin, {"n": 8, "degree": 3}, UNSAT),
    (parities.grid, {"rows": 2, "columns": 3}, UNSAT),
    (parities.minimal_disagreement, {"n": 6, "samples": 12, "errors": 1, "wrong": 1}, SAT),
    (proofs.pigeons, {"holes": 3, "extra": 1, "functional": True, "onto": True}, UNSAT),
    (proofs.pigeons, {"holes": 3, "extra": 0, "functional": True, "onto": True}, SAT),
    (proofs.dominoes, {"side": 4}, UNSAT),
    (proofs.subset_cardinality, {"n": 5, "extra": 1}, UNSAT),
    (proofs.subset_cardinality, {"n": 5, "extra": 0}, SAT),
    (proofs.pebbling, {"height": 3, "arity": 2}, UNSAT),
    (proofs.ordering, {"n": 6, "degree": 3}, UNSAT),
    (graphs.colouring, {"n": 10, "colours": 3, "degree": 2}, SAT),
    (graphs.colouring, {"n": 4, "colours": 3, "degree": 3}, UNSAT),  # complete
    (graphs.clique, {"n": 8, "size": 4, "percent": 30, "planted": True}, SAT),
    (graphs.clique, {"n": 6, "size": 3, "percent": 0, "planted": False}, UNSAT),
    (graphs.waerden, {"lengths": (3, 3), "n": 8}, SAT),  # W(3, 3) = 9
    (graphs.waerden, {"lengths": (3, 3), "n": 9}, UNSAT),
    (graphs.waerden, {"lengths": (3, 3, 2), "n": 13}, SAT),  # W(3, 3, 2) = 14
    (graphs.waerden, {"lengths": (3, 3, 2), "n": 14}, UNSAT),
    (graphs.waerden, {"lengths": (3, 4), "n": 17}, SAT),  # W(3, 4) = 18
    (graphs.waerden, {"lengths": (3, 4), "n": 18}, UNSAT),
    (graphs.hamilton, {"n": 4, "degree": 3}, SAT),
    (circuits.factoring, {"bits": 4, "prime": False, "tree": False}, SAT),
    (circuits.factoring, {"bits": 4, "prime": False, "tree": True}, SAT),
    (circuits.factoring, {"bits": 3, "prime": True, "tree": False}, UNSAT),
    (circuits.factoring, {"bits": 3, "prime": True, "tree": True}, UNSAT),
    (circuits.adders, {"bits": 3, "terms": 3}, UNSAT),
    (circuits.multipliers, {"bits": 2, "swapped": False}, UNSAT),
    (circuits.multipliers, {"bits": 2, "swapped": True}, UNSAT),
    (circuits.mixer, {"bits": 5, "rounds": 2, "known": 5}, SAT),
    (circuits.generator, {"sizes": (3, 4, 5), "output": 10}, SAT),
    (planning.latin, {"n": 5, "holes": 10}, SAT),
    (planning.langford, {"n": 4}, SAT),
    (planning.langford, {"n": 5}, UNSAT),
    (planning.job_shop, {"jobs": 2, "machines": 2, "longest": 3, "slack": 2.0}, SAT),
    (planning.sliding, {"rows": 2, "columns": 2, "walk": 3, "steps": 3}, SAT),
    # An odd number of steps never leads back from an even walk.
    (planning.sliding, {"rows": 2, "columns": 2, "walk": 4, "steps": 5}, UNSAT),
]


@pytest.mark.parametrize(
    ("make", "parameters", "expected"),
    ANSWERS,
    ids=[f"{make.__name__} {i}" for i, (make, _, _) in enumerate(ANSWERS)],
)
def test_a_small_formula_has_the_answer_of_its_family(
    make: Make,
    parameters: dict[str, Any],
    expected: bool,  # noqa: FBT001
) -> None:
    formula = make(Draw("small", 1), **parameters)
    model = solve(formula.clauses)
    assert (model is not None) == expected
    assert model is None or satisfies(model, formula.clauses)


def counted(formula: Formula, over: int) -> set[tuple[bool, ...]]:
    """Values of the first ``over`` variables for which there is a model."""
    found = set()
    for values in product((False, True), repeat=over):
        units = [(v if value else -v,) for v, value in enumerate(values, start=1)]
        if solve([*formula.clauses, *units]) is not None:
            found.add(values)
    return found


@pytest.mark.parametrize(
    ("say", "holds"),
    [
        (lambda f, x: f.exactly_one(x), lambda n: n == 1),
        (lambda f, x: f.at_most(x, 2), lambda n: n <= 2),
        (lambda f, x: f.at_least(x, 3), lambda n: n >= 3),
        (lambda f, x: f.at_most_counted(x, 2), lambda n: n <= 2),
        (lambda f, x: f.parity(x, odd=True), lambda n: n % 2 == 1),
        (lambda f, x: f.long_parity(x, odd=False), lambda n: n % 2 == 0),
    ],
    ids=["one", "at most", "at least", "counted", "parity", "long parity"],
)
def test_a_constraint_holds_for_the_right_numbers_of_true_variables(
    say: Callable[[Formula, list[int]], None], holds: Callable[[int], bool]
) -> None:
    formula = Formula()
    say(formula, formula.news(5))
    expected = {x for x in product((False, True), repeat=5) if holds(sum(x))}
    assert counted(formula, 5) == expected


def number(word: Sequence[int], model: set[int]) -> int:
    return sum((x in model) << i for i, x in enumerate(word))


@pytest.mark.parametrize(
    ("circuit", "expected"),
    [
        (lambda f, a, b: circuits.add(f, a, b, f.constant(value=False)), int.__add__),
        (circuits.add_prefix, int.__add__),
        (circuits.multiply_rows, int.__mul__),
        (circuits.multiply_columns, int.__mul__),
    ],
    ids=["ripple", "prefix", "rows", "columns"],
)
def test_a_circuit_computes(circuit: Callable[..., list[int]], expected: Callable[[int, int], int]) -> None:
    for x, y in product(range(8), repeat=2):
        formula = Formula()
        a, b = formula.news(3), formula.news(3)
        result = circuit(formula, a, b)
        circuits.equate(formula, a, x)
        circuits.equate(formula, b, y)
        model = solve(formula.clauses)
        assert model is not None
        assert number(result, model) == expected(x, y)


def test_a_model_must_make_every_clause_true_and_agree_with_itself() -> None:
    clauses = [(1, -2), (2, 3)]
    assert satisfies([1, 2], clauses)
    assert not satisfies([1, -2], clauses)
    assert not satisfies([1, 2, -2], clauses)


# --- probes ---------------------------------------------------------------------------


def test_a_walk_counts_false_clauses_and_tells_a_model() -> None:
    formula = uniform.hidden(Draw("walk"), n=30, ratio=3, bias=0.618)
    seen, model = walk(Draw("w"), 30, formula.clauses, flips=5000)
    assert model is not None
    assert satisfies(model, formula.clauses)
    assert (seen[-1], min(seen[:-1]) > 0) == (0, True)


def test_a_walk_on_a_contradiction_ends_with_its_flips() -> None:
    seen, model = walk(Draw("w"), 1, [(1,), (-1,)], flips=50)
    assert (model, seen) == (None, [1] * 51)


def test_features_of_a_formula_by_hand() -> None:
    clauses = [(1, 2, -3), (-1, 2), (3,)]
    problem = features.problem("by hand", 4, clauses)
    size = features.size(problem).values
    assert size["variables"] == 3  # the fourth occurs nowhere
    assert (size["clauses"], size["literals"], size["length_mean"]) == (3, 6, 2)
    assert (size["unit_share"], size["binary_share"]) == (1 / 3, 1 / 3)
    assert features.horn(problem).values["horn_share"] == 2 / 3
    balance = features.balance(problem).values
    assert balance["positive_share"] == 4 / 6
    assert balance["pure_share"] == 1 / 3  # only variable 2
    graph = features.graph(problem).values
    assert graph["degree_mean"] == 6 / 4  # 1-2, 1-3, 2-3
    assert graph["density"] == 6 / 12
    assert features.local_search(problem).answer is True


# --- what is measured, and the tables -------------------------------------------------


def test_every_instance_has_its_features_and_runs_in_one_stretch() -> None:
    keys = jobs()
    assert len(keys) == len(set(keys)) == len(instances()) * (len(SOLVERS) + len(STEPS))
    names = [name for _, name, _, _ in keys]
    changes = sum(a != b for a, b in pairwise(names))
    assert changes == len(instances()) - 1
    assert tuple(features.STEPS) == STEPS


DONE = Outcome("done", 0.25, 0.3, 1 << 24, 0)
LATE = Outcome("cpu", 9.99, 10.5, 1 << 24, -24)


def test_a_wrong_model_is_no_answer() -> None:
    name = "langford-n8-s1"
    model = solve(instances()[name].formula().clauses)
    assert model is not None
    key = ("run", name, "minisat22", "1")
    right = judge(key, [{"answer": True, "model": list(model)}], DONE)
    assert (right["status"], right["answer"]) == ("ok", True)
    wrong = judge(key, [{"answer": True, "model": [-x for x in model]}], DONE)
    assert (wrong["status"], wrong["wrong_model"]) == ("other", True)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (LATE, "timeout"),
        (Outcome("wall", 3, 25, 0, -9), "timeout"),
        (Outcome("done", CUTOFF + 0.01, 11, 0, 0), "timeout"),
        (Outcome("memory", 1, 1, 0, 86), "memout"),
        (Outcome("crash", 1, 1, 0, -11), "crash"),
        (DONE, "crash"),  # without a word
    ],
    ids=["cpu", "wall", "just over", "memory", "crash", "silent"],
)
def test_statuses(outcome: Outcome, status: str) -> None:
    found = judge(("run", "any", "any", "1"), [], outcome)
    assert (found["status"], found["answer"]) == (status, None)


NAMES = ["langford-n8-s1", "langford-n9-s1", "langford-n10-s1"]


def measured(**answers: bool) -> list[Record]:
    """All of two instances; of a third nothing but a run. Lingeling is always late."""
    records = []
    for name in NAMES[:2]:
        for solver in SOLVERS:
            found = {"status": "ok", "answer": answers.get(solver, True), "stats": None}
            late = {"status": "timeout", "answer": None, "stats": None}
            is_late = solver == "lingeling"
            chosen = (LATE, late) if is_late else (DONE, found)
            records.append(Record(("run", name, solver, "1"), *chosen, 0.0))
        for step in STEPS:
            answer = True if step == "cdcl" and name == NAMES[0] else None
            said = {"status": "ok", "answer": answer, "values": {f"{step}_x": len(name)}}
            records.append(Record(("feature", name, step, "1"), DONE, said, 0.0))
    alone = Record(("run", NAMES[2], "kissat404", "1"), LATE, {"status": "timeout"}, 0.0)
    return [*records, alone]


SESSION = {
    "processor": "P",
    "cache": "C",
    "cores": 2,
    "pinned_to": [1],
    "memory": "M",
    "system": "S",
    "libc": "L",
    "python": "3",
    "packages": {"python-sat": "1"},
}


def test_tables_hold_what_was_measured_whole(capsys: pytest.CaptureFixture) -> None:
    made = folder.assemble(measured(), [SESSION])
    assert "instances are not measured whole" in capsys.readouterr().err
    runs = made.tables["run"]
    assert set(runs["instance_id"]) == set(NAMES[:2])
    late = runs.filter(runs["algorithm"] == "lingeling")
    assert set(late["value"]) == {CUTOFF}
    assert set(late["runstatus"]) == {"timeout"}
    statuses = made.tables["feature_status"].rows()
    decided = [row for row in statuses if row[-1] == "presolved"]
    assert decided == [(NAMES[0], 1, "cdcl", "presolved")]
    assert set(made.tables["reference"]["label"]) == {"SAT"}


def test_solvers_that_disagree_are_refused() -> None:
    with pytest.raises(SystemExit, match="SAT and UNSAT were both said"):
        folder.assemble(measured(kissat404=False), [SESSION])


def test_folds_are_stratified() -> None:
    hardness = {f"{family}-{i}": (family, float(i)) for family in "abc" for i in range(20)}
    folds = folder.stratified(hardness)
    assert list(folds) == list(hardness)
    assert Counter(folds.values()) == dict.fromkeys(range(1, 11), 6)
    for family in "abc":
        mine = Counter(folds[name] for name in hardness if name[0] == family)
        assert set(mine.values()) == {2}


# --- the committed folder -------------------------------------------------------------

FOLDER = ROOT / "scenarios" / "SAT-PYSAT-2026"


@pytest.fixture(scope="module")
def times() -> dict[str, dict[str, float]]:
    """Instance → solver → seconds, inf where unsolved, as committed."""
    import arff

    found: dict[str, dict[str, float]] = {}
    rows = arff.loads((FOLDER / "algorithm_runs.arff").read_text())["data"]
    for name, _, solver, time, status in rows:
        found.setdefault(name, {})[solver] = time if status == "ok" else float("inf")
    return found


@pytest.mark.slow
def test_the_committed_instances_are_those_of_the_catalogue() -> None:
    lines = (FOLDER / "instances.sha256").read_text().splitlines()
    committed = {name: sha for sha, name in (line.split("  ") for line in lines)}
    made = instances()
    assert set(committed) == {f"{name}.cnf" for name in made}
    one_of_each = {instance.family: instance for instance in made.values()}
    for instance in one_of_each.values():
        sha = hashlib.sha256(instance.text()).hexdigest()
        assert committed[f"{instance.name}.cnf"] == sha, instance.name


def test_the_committed_runs_are_worth_a_selector(times: dict[str, dict[str, float]]) -> None:
    assert len(times) >= 250
    assert len({name.split("-")[0] for name in times}) >= 8
    assert {tuple(sorted(runs)) for runs in times.values()} == {tuple(sorted(SOLVERS))}
    costs = {
        solver: [t if (t := runs[solver]) <= CUTOFF else 100 for runs in times.values()]
        for solver in SOLVERS
    }
    unsolved = sum(cost.count(100) for cost in costs.values())
    assert 0.10 <= unsolved / (len(times) * len(SOLVERS)) <= 0.35
    best = list(map(min, zip(*costs.values(), strict=True)))
    assert best.count(100) <= 0.05 * len(times)
    assert 2 * sum(best) <= min(map(sum, costs.values()))


def test_no_solver_is_dominated(times: dict[str, dict[str, float]]) -> None:
    for solver in SOLVERS:
        for other in set(SOLVERS) - {solver}:
            assert any(runs[solver] < runs[other] for runs in times.values())
