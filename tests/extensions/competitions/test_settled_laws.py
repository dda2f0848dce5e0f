"""What a rule settles, no runs break; what it does not settle, some do."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

from aslib_eval.extensions.competitions import rules as laws
from aslib_eval.extensions.competitions.rule_fit import QUICK, open_laws
from aslib_eval.extensions.competitions.rules import Ranking

WORDS: dict[str, list[Any]] = {
    "scoring": ["answers", "par", "pairs", "ratio", "value", "log"],
    "disagreement": ["removed", "kept", "majority"],
    "truth_by": ["sound", "all"],
    "rounding": ["none", "seconds"],
    "clock": ["cpu", "wall"],
    "time_limit": [None, None, 30.0],
    "answers": ["all", "sat", "unsat"],
    "answers_of": ["instance", "run"],
    "wrong": ["error", "unsolved", "kept", "disqualified", "family"],
    "no_answer": ["unsolved", "error"],
    "capped": [False, True],
    "sequential": [False, True],
    "worse_of_unproved": [0.0, 0.5],
    "both_failed": [0.0, 0.5],
    "points_unsolved": [0.0, -1.0],
    "equal_quality": ["time", "faster", "half"],
    "times": ["solved", "answered", "all"],
    "aggregation": ["sum", "mean", "half", "half_unsolved"],
    "balanced": [None, None, "family"],
    "order_by": [["-points"], ["points"], ["errors", "-solved", "wall"], ["mean_time"]],
}


def runs_of(rng: random.Random, *, is_complete: bool) -> pl.DataFrame:
    """Four solvers on four instances, in whole numbers of seconds."""
    rows = []
    for instance in "pqrs":
        truth = rng.choice(["sat", "unsat", None])
        family = rng.choice("xy")
        for solver in "abcd":
            time = rng.choice([1.0, 2.0, 3.0, 7.0, 20.0, 60.0])
            claim = rng.choice(["sat", "unsat", "solution", "optimal", None, None])
            rows.append(
                {
                    "scenario_id": "S", "instance_id": instance, "solver": solver,
                    "claim": claim, "truth": truth, "cutoff": 50.0,
                    "objective": float(rng.randint(1, 3)), "sense": "minimize",
                    "cpu": time, "wall": rng.choice([1.0, time]),
                    "ended": "ok" if claim else "timeout", "family": family,
                }
            )  # fmt: skip
    if not is_complete:
        del rows[rng.randrange(len(rows))]
    return pl.DataFrame(rows, infer_schema_length=None)


def every_law(rule: dict[str, Any]) -> list[str]:
    return [law for law in QUICK if law != "pair_sum" or rule.get("scoring") == "pairs"]


@pytest.mark.slow
def test_what_is_settled_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking, broken = Ranking(), 0
    monkeypatch.setattr(laws, "open_laws", lambda rule, **_: every_law(rule))
    for seed in range(SEEDS):
        rng = random.Random(seed)  # noqa: S311
        said = {name: rng.choice(words) for name, words in WORDS.items()}
        rule = {name: word for name, word in said.items() if rng.random() < 0.4}
        is_complete = rng.random() < 0.6
        runs = runs_of(rng, is_complete=is_complete)
        found = laws.turned_orders(runs, {**rule, "rule": "r"}, ranking=ranking)
        assert {*found} <= {*open_laws(rule, is_complete=is_complete)}, (seed, rule, found)
        broken += len(found)
    assert broken


SEEDS = 24
MEAN = {"scoring": "par", "aggregation": "mean"}


@pytest.mark.parametrize(
    ("rule", "is_complete", "left"),
    [
        ({}, False, []),
        ({"times": "all"}, False, ["unsolved"]),
        ({"points_unsolved": -1}, False, ["unsolved"]),
        ({"no_answer": "error"}, False, ["unsolved"]),
        ({"times": "all", "points_unsolved": -1, "no_answer": "error"}, True, []),
        (MEAN, True, []),
        (MEAN, False, ["unsolved"]),
        ({**MEAN, "answers_of": "run"}, True, ["unsolved"]),
        ({"scoring": "par"}, True, []),
        ({"scoring": "par"}, False, ["unsolved"]),
        ({"aggregation": "half"}, True, ["unsolved"]),
        ({"balanced": "family"}, True, ["unsolved"]),
        ({"disagreement": "majority"}, True, ["copies"]),
        ({"disagreement": "majority", "lacks": ["copies: votes"]}, True, []),
        ({"scoring": "log"}, True, ["time_scale"]),
        ({"rounding": "seconds"}, True, ["time_scale"]),
        ({"time_limit": 24}, True, ["time_scale"]),
        ({"scoring": "pairs"}, False, ["copies"]),
        ({"scoring": "pairs", "both_failed": 0.5}, False, ["copies", "unsolved"]),
        ({"scoring": "pairs", "worse_of_unproved": 0.5}, True, ["pair_sum", "copies"]),
        ({"worse_of_unproved": 0.5}, True, []),
    ],
)
def test_what_is_left_to_be_tried(rule: dict[str, Any], *, is_complete: bool, left: list[str]) -> None:
    assert open_laws(rule, is_complete=is_complete) == left


def test_whether_all_solvers_have_all_runs() -> None:
    whole = runs_of(random.Random(1), is_complete=True)  # noqa: S311
    complete = laws._is_complete  # noqa: SLF001
    assert complete(whole)
    assert complete(whole.drop("scenario_id"))
    assert not complete(whole[1:])
    assert not complete(whole[1:].drop("scenario_id"))
    other = whole.filter(pl.col("solver") != "a").with_columns(scenario_id=pl.lit("T"))
    assert complete(pl.concat([whole, other]))
    again = whole.with_columns(repetition=1), whole[:3].with_columns(repetition=2)
    assert not complete(pl.concat(again))
