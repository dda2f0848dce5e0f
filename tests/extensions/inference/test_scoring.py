"""Inference: exact values against enumeration, scores against their definition."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.inference import uai as scoring
from aslib_eval.extensions.inference.networks import (
    Network,
    TooLargeError,
    absorb,
    elimination_order,
    largest_table,
    log_likelihood,
    log_marginal,
    log_partition,
    marginals,
    most_probable,
    network,
    parse_model,
    width,
)
from aslib_eval.metrics.ranking import ranks
from tests.metrics.test_runs import laws
from tests.oracles import mean_score

INF, NAN = math.inf, math.nan
Case = tuple[Network, dict[int, int]]


@pytest.fixture(scope="module")
def uai(shared: Path) -> dict[str, Any]:
    """Values computed by independent code."""
    found: dict[str, Any] = json.loads((shared / "reference" / "uai.json").read_text())
    return found


def example(uai: dict[str, Any]) -> Network:
    text = uai["example_network"]["uai_text"]
    model, findings = parse_model(text.encode(), file="example.uai")
    assert findings == []
    assert model is not None
    return network(model.cards, [(t.scope, t.values) for t in model.tables])


# --- the reference values ------------------------------------------------------------

EVIDENCE = ("no_evidence", "evidence_Y0", "evidence_Z1")


def near(values: Any) -> Any:
    return pytest.approx(values, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize("case", EVIDENCE)
def test_example_network_exactly(uai: dict[str, Any], case: str) -> None:
    model, given_ = example(uai), uai["example_network"][case]
    seen = {int(v): x for v, x in given_["evidence"].items()}
    assert log_partition(model, evidence=seen) == near(given_["log10Z"])
    assert 10 ** log_partition(model, evidence=seen) == near(given_["Z"])
    for found, expected in zip(marginals(model, evidence=seen), given_["MAR"], strict=True):
        assert found.tolist() == near(expected)
    best, value = most_probable(model, evidence=seen)
    assert [{**best, **seen}[v] for v in range(3)] == given_["MPE"]
    assert value == near(given_["MPE_log10"])
    for word, expected in given_["all_assignments_log10"].items():
        whole = {v: int(x) for v, x in enumerate(word)}
        assert log_likelihood(model, assignment=whole, evidence=seen) == near(expected)
    # Marginal MAP, and the trivial answers.
    (query,) = given_["query"]
    for value, expected in given_["MMAP_log10"].items():
        told = log_marginal(model, assignment={query: int(value)}, evidence=seen)
        assert told == near(expected)
    best, value = most_probable(model, query=[query], evidence=seen)
    assert str(best[query]) == given_["MMAP_best"]
    assert value == near(max(given_["MMAP_log10"].values()))
    trivial = given_["trivial"]
    assert [p.tolist() for p in scoring.uniform(model, evidence=seen)] == trivial["MAR_uniform"]
    assert scoring.log_mean(model, evidence=seen) == near(trivial["PR_logmean_log10"])
    chosen = scoring.unary_argmax(model, evidence=seen)
    assert [chosen[v] for v in range(3)] == trivial["MAP_unary_argmax"]
    assert log_likelihood(model, assignment=chosen) == near(trivial["MAP_unary_argmax_log10"])


def test_scores_on_the_example_network(uai: dict[str, Any]) -> None:
    model, given_ = example(uai), uai["example_scores_on_network"]
    truth = uai["example_network"]["no_evidence"]["MAR"]
    for word, expected in given_["MPE"]["scores"].items():
        whole = {v: int(x) for v, x in enumerate(word)}
        value = log_likelihood(model, assignment=whole)
        assert likelihood(value, given_["MPE"]) == near(expected)
    mar = given_["MAR"]
    error = scoring.mean_hellinger(mar["solver"], truth=truth)
    most = scoring.mean_hellinger(scoring.uniform(model), truth=truth)
    assert [error, most] == near([mar["HErr"], mar["MaxHErr"]])
    assert float(scoring.score(error, trivial=most)) == near(mar["score"])
    # The trivial solver is right: whoever is not gets nothing.
    pr = given_["PR"]
    most = scoring.partition_error(pr["trivial"], truth=pr["true"])
    error = scoring.partition_error(pr["solver_log10Z"], truth=pr["true"])
    assert scoring.score([error, 0], trivial=most).tolist() == [0, 100]


def likelihood(value: float, ends: dict[str, Any]) -> float:
    error = scoring.likelihood_error(value, best=ends["best"])
    most = scoring.likelihood_error(ends["trivial"], best=ends["best"])
    return float(scoring.score(error, trivial=most))


def number(value: float | str) -> float:
    return {"missing": NAN, "-inf": -INF}[value] if isinstance(value, str) else value


def test_score_examples_of_partition_functions(uai: dict[str, Any]) -> None:
    cases = [c for c in uai["score_examples"] if c["task"] == "PR"]
    assert len(cases) == 6
    for case in cases:
        truth = case["log10Z_true"]
        error = scoring.partition_error(number(case["log10Z_solver"]), truth=truth)
        most = scoring.partition_error(case["log10Z_trivial"], truth=truth)
        if "Err" in case:
            assert [float(error), float(most)] == near([case["Err"], case["MaxErr"]])
        assert float(scoring.score(error, trivial=most)) == near(case["score"])


def test_score_examples_of_marginals(uai: dict[str, Any]) -> None:
    cases = [c for c in uai["score_examples"] if c["task"] == "MAR"]
    assert len(cases) == 3
    for case in cases:
        truth, answer = case["true"], case["solver"]
        each = [scoring.hellinger(p, q=q) for p, q in zip(answer, truth, strict=True)]
        assert each == near(case["hellinger"])
        error = scoring.mean_hellinger(answer, truth=truth)
        most = scoring.mean_hellinger(case["trivial"], truth=truth)
        assert [error, most] == near([case["HErr"], case["MaxHErr"]])
        assert float(scoring.score(error, trivial=most)) == near(case["score"])
    (case,) = (c for c in uai["score_examples"] if c["task"] == "hellinger")
    assert scoring.hellinger(case["p"], q=case["q"]) == near(case["value"])


def test_score_examples_of_likelihoods(uai: dict[str, Any]) -> None:
    cases = [c for c in uai["score_examples"] if c["task"] == "MAP"]
    assert len(cases) == 5
    for case in cases:
        value, known = case["log10L_solver"], case["log10L_best"]
        ends = {"best": known, "trivial": case["log10L_trivial"]}
        if "recommended" in case:  # the solver is better than the best known
            with pytest.raises(AslibError, match="likelier than the best"):
                scoring.likelihood_error(value, best=known)
            ends["best"] = scoring.best_known([value, known])
            assert likelihood(value, ends) == near(case["score_after_update"])
            expected = case["previous_best_solver_score_after_update"]
            assert likelihood(known, ends) == near(expected)
        else:
            expected = case.get("score", case.get("score_recommended"))
            assert likelihood(value, ends) == near(expected)


def test_aggregate_example(uai: dict[str, Any]) -> None:
    (case,) = (c for c in uai["score_examples"] if c["task"] == "aggregate")
    scores = [[number(x) for x in row] for row in case["scores"].values()]
    means = mean_score(np.transpose(scores))
    assert means.tolist() == near(list(case["means"].values()))


# --- scores: the edges and the laws --------------------------------------------------


def test_edges_of_a_score() -> None:
    errors = [0.0, 0.5, 2.0, INF, NAN]
    assert scoring.score(errors, trivial=1.0).tolist() == [100, 50, 0, 0, 0]
    assert scoring.score(errors, trivial=0.0).tolist() == [100, 0, 0, 0, 0]
    assert scoring.score(errors, trivial=INF).tolist() == [100, 100, 100, 0, 0]
    with pytest.raises(AslibError, match="there is no scale"):
        scoring.score(errors, trivial=NAN)
    with pytest.raises(AslibError, match="negative"):
        scoring.score([-0.1], trivial=1.0)


def test_errors_without_a_truth() -> None:
    with pytest.raises(AslibError, match="not a finite number"):
        scoring.partition_error(0.0, truth=-INF)
    with pytest.raises(AslibError, match="not a finite number"):
        scoring.likelihood_error(0.0, best=-INF)
    with pytest.raises(AslibError, match="the answer has 2 variables, the truth 1"):
        scoring.mean_hellinger([[1], [1]], truth=[[1]])
    with pytest.raises(AslibError, match="one distribution has 2 probabilities, the other 3"):
        scoring.mean_hellinger([[0.5, 0.5]], truth=[[0.5, 0.5, 0]])
    with pytest.raises(AslibError, match="no instance"):
        mean_score([])


def test_observed_variables_do_not_count() -> None:
    answer, truth = [[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0, 1]]
    assert scoring.mean_hellinger(answer, truth=truth, observed=[1]) == 0
    assert scoring.mean_hellinger(answer, truth=truth, observed=[0, 1]) == 0
    assert scoring.mean_hellinger(answer, truth=truth) > 0.2


def test_best_known_counts_every_answer() -> None:
    assert scoring.best_known([[-3, NAN], [-2, -INF]]) == -2
    assert scoring.best_known([-3, -2], known=-1) == -1
    assert scoring.best_known([NAN]) == -INF


def test_weights_over_limits_and_ranks() -> None:
    # solver a is good early, b late; the final board has weights 1, 4, 5
    scores = [[90, 10], [50, 60], [50, 60]]
    total = scoring.over_limits(scores, weights=[1, 4, 5])
    assert total.tolist() == [54, 55]
    assert ranks(total, higher_is_better=True).tolist() == [2, 1]
    assert scoring.over_limits(scores, weights=[1, 1, 1]).tolist() == near([190 / 3, 130 / 3])
    with pytest.raises(AslibError, match="one positive weight"):
        scoring.over_limits(scores, weights=[1, 4])


LOGS = st.floats(-300, 300, allow_subnormal=False)
STEPS = st.floats(0.01, 100)


@laws
@given(LOGS, LOGS, st.lists(LOGS, min_size=1, max_size=5), STEPS, LOGS)
def test_partition_scores_know_no_base_and_no_unit(
    truth: float, bad: float, answers: list[float], scale: float, shift: float
) -> None:
    """Another base multiplies every log, scaled factors add to every log."""
    assume(abs(truth - bad) > 1e-3)
    moved = np.array(answers) * scale + shift
    before = pr_scores(truth, bad, np.array(answers))
    after = pr_scores(truth * scale + shift, bad * scale + shift, moved)
    assert after == pytest.approx(before, abs=1e-6)


def pr_scores(truth: float, bad: float, answers: NDArray[np.float64]) -> Any:
    most = scoring.partition_error(bad, truth=truth)
    errors = scoring.partition_error(answers, truth=truth)
    return scoring.score(errors, trivial=most)


@laws
@given(LOGS, st.lists(LOGS, min_size=1, max_size=5), st.sampled_from([2, math.e]), LOGS)
def test_likelihood_scores_know_no_base_and_no_unit(
    bad: float, answers: list[float], base: float, shift: float
) -> None:
    best = scoring.best_known([bad, *answers])
    assume(best - bad > 1e-3)
    scale = math.log(10) / math.log(base)
    before = map_scores(best, bad, np.array(answers))
    moved = np.array(answers) * scale + shift
    after = map_scores(scoring.best_known([*moved, bad * scale + shift]), bad * scale + shift, moved)
    assert after == pytest.approx(before, abs=1e-6)
    assert before.max() <= 100
    assert before.min() >= 0


def map_scores(best: float, bad: float, answers: NDArray[np.float64]) -> Any:
    most = scoring.likelihood_error(bad, best=best)
    return scoring.score(scoring.likelihood_error(answers, best=best), trivial=most)


# --- exact inference -----------------------------------------------------------------


@st.composite
def cases(draw: st.DrawFn, *, zeros: bool = True) -> Case:
    """A small network and evidence; about every fourth value is 0 if there may be."""
    n = draw(st.integers(1, 5))
    cards = [draw(st.integers(1, 3)) for _ in range(n)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tables = []
    for _ in range(draw(st.integers(0, 6))):
        scope = rng.permutation(n)[: rng.integers(0, min(n, 3) + 1)].tolist()
        values = rng.gamma(0.5, size=math.prod(cards[v] for v in scope))
        if zeros:
            values[rng.random(values.size) < 0.25] = 0
        tables.append((scope, values))
    seen = {v: int(rng.integers(cards[v])) for v in range(n) if rng.random() < 0.3}
    return network(cards, tables), seen


def assignments(model: Network, seen: dict[int, int]) -> list[tuple[int, ...]]:
    ranges = [[seen[v]] if v in seen else range(c) for v, c in enumerate(model.cards)]
    return list(itertools.product(*ranges))


def weight(model: Network, whole: tuple[int, ...]) -> float:
    """The product of all factors, straight from their tables."""
    return math.prod(float(np.exp(f.logs[tuple(whole[v] for v in f.scope)])) for f in model.factors)


@laws
@given(cases())
def test_elimination_is_enumeration(case: Case) -> None:
    model, seen = case
    every = assignments(model, seen)
    weights = [weight(model, whole) for whole in every]
    total = sum(weights)
    found = log_partition(model, evidence=seen)
    assert (10**found if found > -INF else 0) == pytest.approx(total, rel=1e-9)
    if total == 0:
        with pytest.raises(AslibError, match="probability 0"):
            marginals(model, evidence=seen)
        return
    for v, card in enumerate(model.cards):
        expected = [
            sum(w for w, whole in zip(weights, every, strict=True) if whole[v] == x) for x in range(card)
        ]
        told = marginals(model, evidence=seen)[v] * total
        assert told.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12 * total)


@laws
@given(cases(), st.integers(0, 31))
def test_most_probable_is_the_largest(case: Case, subset: int) -> None:
    """Marginal MAP over any set of variables; all of them is MAP."""
    model, seen = case
    query = [v for v in range(len(model.cards)) if subset >> v & 1]
    sums: dict[tuple[int, ...], float] = {}
    for whole in assignments(model, seen):
        key = tuple(whole[v] for v in query)
        sums[key] = sums.get(key, 0) + weight(model, whole)
    best, value = most_probable(model, query=query, evidence=seen)
    assert set(best) == set(query)
    largest = max(sums.values())
    assert (10**value if value > -INF else 0) == pytest.approx(largest, rel=1e-9)
    assert sums[tuple(best[v] for v in query)] == pytest.approx(largest, rel=1e-9)


@laws
@given(cases(zeros=False), st.floats(1e-3, 1e3), st.integers(0, 5))
def test_scaling_a_factor_changes_no_score(case: Case, by: float, which: int) -> None:
    model, seen = case
    assume(model.factors)
    tables = [(f.scope, np.exp(f.logs)) for f in model.factors]
    scope, values = tables[which % len(tables)]
    tables[which % len(tables)] = (scope, values * by)
    scaled = network(model.cards, tables)
    before = log_partition(model, evidence=seen), scoring.log_mean(model, evidence=seen)
    after = (log_partition(scaled, evidence=seen), scoring.log_mean(scaled, evidence=seen))
    assert np.subtract(after, before).tolist() == near([math.log10(by)] * 2)
    for p, q in zip(marginals(model, evidence=seen), marginals(scaled, evidence=seen), strict=True):
        assert p.tolist() == near(q.tolist())
    best, value = most_probable(model, evidence=seen)
    assert log_likelihood(scaled, assignment=best, evidence=seen) == near(value + math.log10(by))


def chain(length: int) -> Network:
    """A chain of many variables: far too many assignments to enumerate."""
    pairs = [((v, v + 1), [0.9, 0.1, 0.1, 0.9]) for v in range(length - 1)]
    return network([2] * length, [((0,), [0.5, 0.5]), *pairs])


def test_long_chains_do_not_underflow() -> None:
    model = chain(2000)
    assert log_partition(model) == near(0)
    best, value = most_probable(model)
    assert value == near(math.log10(0.5) + 1999 * math.log10(0.9))
    assert set(best.values()) == {0}
    assert width(model) == 2


def test_what_is_too_large_is_said() -> None:
    n = 8
    model = network([2] * n, [((v, u), [1, 2, 3, 4]) for v in range(n) for u in range(v)])
    assert width(model) == n
    expected = r"a table of 256 entries \(8 variables\)\. At most 255 are allowed"
    with pytest.raises(TooLargeError, match=expected):
        log_partition(model, largest=255)
    with pytest.raises(TooLargeError, match=expected):
        marginals(model, largest=255)
    with pytest.raises(TooLargeError, match=expected):
        most_probable(model, largest=255)
    with pytest.raises(TooLargeError, match="of 128 entries"):
        log_marginal(model, assignment={0: 0}, largest=127)
    assert log_marginal(model, assignment={0: 0}, largest=128) > 0
    pairs = [((v, u), [1] * 9) for v in range(60) for u in range(v)]
    with pytest.raises(TooLargeError, match=r"a table of about 2\^95 entries"):
        log_partition(network([3] * 60, pairs))
    assert log_partition(model, largest=256) > 0


def grid(side: int, *, seed: int) -> Network:
    """A square grid of two values each, its variables numbered at random."""
    number = np.random.default_rng(seed).permutation(side * side).reshape(side, side)
    down = zip(number[:-1].ravel(), number[1:].ravel(), strict=True)
    across = zip(number[:, :-1].ravel(), number[:, 1:].ravel(), strict=True)
    pairs = [(int(u), int(v)) for u, v in (*down, *across)]
    return network([2] * side**2, [(pair, [1, 2, 3, 4]) for pair in pairs])


@pytest.mark.parametrize("seed", [0, 1])
def test_the_best_of_several_orders_is_taken(seed: int) -> None:
    """Row by row a grid of 17 x 17 needs 2^18 entries; greedily it needs more."""
    model = grid(17, seed=seed)
    assert width(model) > 22
    assert largest_table(model, elimination_order(model))[0] <= 2**18
    hidden_first = elimination_order(model, last=[3, 5])
    assert set(hidden_first[-2:]) == {3, 5}
    assert sorted(hidden_first) == list(range(289))


@laws
@given(cases(), st.integers(0, 31), st.integers(0, 9))
def test_the_largest_table_is_that_of_eliminating_one_by_one(case: Case, subset: int, seed: int) -> None:
    model, _ = case
    order = np.random.default_rng(seed).permutation(len(model.cards)).tolist()
    scopes = [set(f.scope) for f in model.factors]
    tables = []
    for v in order:
        table = {v}.union(*(scope for scope in scopes if v in scope))
        scopes = [scope for scope in scopes if v not in scope] + [table - {v}]
        tables.append((math.prod(model.cards[u] for u in table), len(table)))
    assert largest_table(model, order) == max(tables)
    last = {v for v in range(len(model.cards)) if subset >> v & 1}
    found = elimination_order(model, last=last)
    assert sorted(found) == sorted(order)
    assert set(found[len(found) - len(last) :]) == last


def test_where_sum_and_maximum_disagree() -> None:
    """X = 0 has .6 in two parts of .3; the likeliest of both is X = 1 with Y = 0."""
    model = network([2, 2], [((0, 1), [0.3, 0.3, 0.4, 0.0])])
    assert most_probable(model) == ({0: 1, 1: 0}, near(math.log10(0.4)))
    assert most_probable(model, query=[0]) == ({0: 0}, near(math.log10(0.6)))
    # Of three values each, over a chain whose middle is hidden or not.
    tables = [((0, 1), [4, 3, 3, 5, 2, 1, 0, 0, 6]), ((1, 2), [1, 2, 2, 0, 4, 0, 3, 1, 1])]
    model = network([3, 3, 3], tables)
    # 0 1 2 with 0 2 0: 6 * 3 = 18 for (2, 2, 0); summed over 1: (0, 1) has 8+12+3 = 23.
    assert most_probable(model) == ({0: 2, 1: 2, 2: 0}, near(math.log10(18)))
    assert most_probable(model, query=[0, 2]) == ({0: 0, 2: 1}, near(math.log10(23)))


def test_the_first_observation_stays() -> None:
    model = absorb(chain(2), evidence={0: 1})
    again = absorb(model, evidence={0: 0, 1: 0})
    assert again.observed == {0: 1, 1: 0}
    assert log_likelihood(again, assignment={}) == near(math.log10(0.5 * 0.1))


def test_hidden_variables_go_first() -> None:
    model = chain(5)
    assert elimination_order(model) == [0, 1, 2, 3, 4]
    assert elimination_order(model, last=[0, 2]) == [4, 3, 1, 0, 2]


def test_networks_refuse_what_makes_no_sense() -> None:
    for cards, scope, values in (
        ([2], [1], [1, 1]),
        ([2], [0, 0], [1, 1, 1, 1]),
        ([2], [0], [1, 1, 1]),
        ([2], [0], [1, -1]),
        ([2], [0], [1, NAN]),
    ):
        with pytest.raises(AslibError, match=r"scope|table"):
            network(cards, [(scope, values)])
    model = chain(2)
    with pytest.raises(AslibError, match="variable 1 has no value 2"):
        absorb(model, evidence={1: 2})
    with pytest.raises(AslibError, match="variable 1 has no value"):
        log_likelihood(model, assignment={0: 1})
    with pytest.raises(AslibError, match="does not exist"):
        log_likelihood(model, assignment={0: 1, 1: 2})


def test_evidence_overrides_an_assignment() -> None:
    model = chain(2)
    told = log_likelihood(model, assignment={0: 1, 1: 1}, evidence={1: 0})
    assert told == near(math.log10(0.05))
    assert log_marginal(model, assignment={1: 1}, evidence={1: 0}) == near(math.log10(0.5))
