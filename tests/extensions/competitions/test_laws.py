"""Laws of rules: which are broken, by how little, and which rules say so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.rules import (
    LAWS,
    MOST,
    ROWS,
    Ranking,
    broken_laws,
    said_by,
    smallest,
    tried_on,
)
from tests.extensions.competitions.test_rules import PAR2, Row, frame, grid, solution

(_RULE,) = (file for file in find_sql() if file.name == "rule")
PRESETS = {row.name: said_by(row) for row in _RULE.rows}
# Ten instances, by hand: times of a contest in which nobody is wrong.
TEN = grid(
    {
        name: [said if said != "-" else None for said in text.split(", ")]
        for name, text in {
            "A": "sat 10.5, unsat 20, -, sat 3, -, unsat 9, -, sat 2, unsat 40, -",
            "B": "sat 30, -, unsat 8, sat 3, sat 90.2, -, -, sat 20, unsat 4, -",
            "C": "-, unsat 5, unsat 70, sat 2, sat 10, -, sat 33, sat 5.5, -, -",
            "D": "sat 1, unsat 5, -, -, -, unsat 10, sat 3, -, -, -",
        }.items()
    },
    truth=["sat", "unsat", "unsat", None, "sat", "unsat", None, "sat", "unsat", None],
    division=[*"ddddeeeeff"],
    family=[*"ddddeeeeff"],
)


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return Ranking()


def test_the_sum_of_a_pair(ranking: Ranking) -> None:
    runs = [
        {**solution(name, "solution", value, 9), "instance_id": i}
        for i, values in {"i": (3, 3, 5), "j": (1, 1, 1)}.items()
        for name, value in zip("ABC", values, strict=True)
    ]
    rule = {"scoring": "pairs", "solves": ["solution"]}
    assert broken_laws(frame(runs), {"rule": "r", **rule}, laws=["pair_sum"]) == []
    half = {"rule": "r", **rule, "worse_of_unproved": 0.5}
    (found,) = broken_laws(frame(runs), half, laws=["pair_sum"], ranking=ranking)
    assert found.runs.select("solver", "instance_id").rows() == [("B", "i"), ("C", "i")]
    assert found.said == "B and C have 1.5 points together on i"


def test_pairs_keep_all_laws_but_those_of_other_solvers(ranking: Ranking) -> None:
    kept = [law for law in LAWS if law not in {"third", "copies"}]
    rule = {"rule": "mine", "scoring": "pairs"}
    assert broken_laws(frame(THREE), rule, laws=kept, ranking=ranking) == []


CELLS = st.sets(st.tuples(st.sampled_from("ABCDE"), st.sampled_from("abcdefg")))


@settings(max_examples=20)
@given(st.lists(CELLS.filter(bool), min_size=1, max_size=4), st.integers(1, 5))
def test_no_solver_and_no_instance_of_the_smallest_can_go(
    wanted: list[set[tuple[str, str]]], odd: int
) -> None:
    """Any of several sets of cells breaks the law, but not some numbers of solvers."""
    runs = pl.DataFrame(grid({name: ["sat 1"] * 7 for name in "ABCDE"}))

    def breaks(several: Sequence[pl.DataFrame]) -> list[bool]:
        found = []
        for some in several:
            cells = {*some.select("solver", "instance_id").rows()}
            one = any(each <= cells for each in wanted)
            n = some["solver"].n_unique()
            found.append(one and (n == 5 or n != odd))
        return found

    few = smallest(runs, breaks)
    assert breaks([few]) == [True]
    assert few.height == few["solver"].n_unique() * few["instance_id"].n_unique()
    for column in ("solver", "instance_id"):
        assert not any(breaks([few.filter(few[column] != name) for name in few[column].unique()]))


# A contest for each law that a rule breaks there. A beats B and C alike; B beats C once, by less than C
# beats B twice.
THREE = grid({"A": ["sat 1", None, None], "B": [None, "sat 1", "sat 9"], "C": [None, None, "sat 1"]})
ONE = {
    "A": ["sat 1", "sat 20", "sat 20", "sat 1", "sat 2"],
    "B": ["sat 20", "sat 9", "sat 20", None, "sat 20"],
    "C": [None, "sat 9", "sat 2", "sat 20", "sat 1"],
}
TWO = {
    "A": [None, "sat 2", None, "sat 2", "sat 9"],
    "B": ["sat 20", "sat 9", "sat 9", "sat 9", "sat 20"],
    "C": ["sat 9", "sat 1", "sat 2", None, None],
}


PAIRS: Row = {"scoring": "pairs"}
MEAN: Row = {"order_by": ["mean_time"]}
TO_9: Row = {"time_limit": 9, "order_by": ["-solved", "time"]}


@pytest.mark.parametrize(
    ("law", "runs", "rule", "said", "size"),
    [
        ("third", THREE, PAIRS, "A is level with C instead of ahead of it", 6),
        ("copies", THREE, PAIRS, "A is behind C instead of level with it", 4),
        ("monotone", grid(TWO), MEAN, "C is level with A instead of ahead of it", 6),
        ("less", grid(ONE), MEAN, "A is ahead of C instead of behind it", 4),
        ("time_scale", grid(ONE), TO_9, "A is level with B instead of ahead of it", 2),
        (
            *("unsolved", grid(ONE, family=[*"ddeee"])),
            *({"balanced": "family"}, "B is behind C instead of level with it", 4),
        ),
    ],
)
def test_a_broken_law_is_shown_by_few_runs(
    ranking: Ranking, law: str, runs: list[Row], rule: dict[str, object], said: str, size: int
) -> None:
    (found,) = broken_laws(frame(runs), {"rule": "r", **rule}, laws=[law], ranking=ranking)
    assert (found.said, found.runs.height) == (said, size)


def test_large_competitions_are_tried_on_some_of_their_instances() -> None:
    runs = pl.DataFrame([{"solver": s, "instance_id": f"i{at:03}"} for s in "ABC" for at in range(900)])
    assert tried_on(runs, {}).height == runs.height
    some = tried_on(runs, {"scoring": "pairs"})
    assert some["instance_id"].n_unique() == 450
    assert some["instance_id"].unique().sort()[:2].to_list() == ["i000", "i002"]
    assert some.height * 3 * (MOST + 1) <= ROWS


def test_without_runs_no_law_is_broken(ranking: Ranking) -> None:
    assert broken_laws(frame(TEN).clear(), {"rule": "r", **PAR2}, ranking=ranking) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minizinc", "ipc-agile", "qbf"])
def test_presets_lack_only_what_they_say(ranking: Ranking, name: str) -> None:
    rule = PRESETS[name]
    lacks = {text.partition(": ")[0] for text in rule.get("lacks", ())}  # type: ignore[attr-defined]
    found = broken_laws(frame(TEN), rule, ranking=ranking)
    assert {each.law for each in found} <= lacks


def test_what_presets_lack_is_a_law_with_a_reason() -> None:
    for rule in PRESETS.values():
        for text in rule.get("lacks", ()):  # type: ignore[attr-defined]
            law, _, reason = text.partition(": ")
            assert law in LAWS
            assert reason


def test_every_preset_says_what_it_ranks_and_where_that_is_from() -> None:
    for rule in PRESETS.values():
        source = str(rule["document"])
        assert rule["about"]
        assert "http" in source or "not seen" in source or "Definition 1" in source


def test_check_names_the_laws_that_a_rule_breaks(tmp_path: Path) -> None:
    table = tmp_path / "cup.csv"
    table.write_text("instance,solver,time,status\ni,ant,3,ok\ni,bee,9,ok\n")
    (found,) = ae.check_paths(table, rule="smtcomp-24s", cutoff=60)
    assert isinstance(found, Finding)
    assert (found.code, found.severity) == ("law-time_scale", "note")
    assert found.message.startswith("by smtcomp-24s: multiplying all times")
    assert found.hint == "This is known: the limit is 24 seconds."
    ae.import_scenarios(table, into=tmp_path / "lake", cutoff=60)
    assert ae.check_paths(tmp_path / "lake", rule="par10") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "scenario"), [("sat2023", "MIP-2016"), ("smtcomp", "CPMP-2015"), ("minizinc", "CPMP-2015")]
)
def test_a_real_scenario_breaks_no_law_that_a_rule_is_not_known_to_lack(
    rule: str, scenario: str, shared: Path, tmp_path: Path
) -> None:
    ae.import_scenarios(shared / "aslib" / scenario, into=tmp_path / "lake")
    found = ae.check_paths(tmp_path / "lake", rule=rule)
    assert {each.severity for each in found} <= {"note"}, found
