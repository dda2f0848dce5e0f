"""Answers are computed once, kept by scenario and protocol, and the same ever after."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.build import Compute, LocalQuestion, answers
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.lake import versions
from tests.conftest import write_scenario
from tests.lab import InMemory, runs

ASKED = LocalQuestion("length", ["instance_solver"], [1])
NUMBERS = [-0.0, 0.0, 5e-324, float("nan"), float("-inf"), None, 0.1]
Called = list[tuple[str, list[str]]]


def fill(home: Path, *times: float) -> Path:
    """A lake with the scenarios S and T, where an algorithm of S has those times."""
    given = {"S": {"A": times}, "T": {"A": [2]}}
    folders = [write_scenario(home / s, runs=runs(**g)) for s, g in given.items()]
    ae.import_scenarios(folders, into=home / "lake")
    return home / "lake"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("answers"), 1)


@pytest.fixture
def lake(filled: Path) -> Path:
    """A lake of which nothing is kept."""
    shutil.rmtree(filled / versions.RESULTS, ignore_errors=True)
    return filled


def kept(lake: Path, scenario: str = "*") -> set[Path]:
    return set((lake / versions.RESULTS).glob(f"scenario_id={scenario}/*/length.*"))


opened = cache(open_lake)  # which takes longer than all answers


def of(lake: OpenLake, asked: LocalQuestion, compute: Compute) -> pl.DataFrame:
    wish = lake.wish(asked.relations)
    assert wish is not None
    return answers(wish, lake.lineage, asked, compute)


def ask(
    lake: Path, called: Called, asked: LocalQuestion = ASKED, *, anew: bool = False, **words: Any
) -> pl.DataFrame:
    """Its answers; ``called``: what had to be computed for them."""
    here = open_lake(lake, **words) if anew or words else opened(lake)

    def compute(protocol: str, scenarios: Sequence[str]) -> pl.DataFrame:
        called.append((protocol, list(scenarios)))
        rows = [(name, value) for name in scenarios for value in NUMBERS]
        return pl.DataFrame(rows, schema={"scenario_id": pl.String, "value": pl.Float64}, orient="row")

    return of(here, asked, compute)


def test_what_is_kept_is_not_computed_again_and_has_the_same_bits(lake: Path) -> None:
    called: Called = []
    cold, warm = ask(lake, called), ask(lake, called)
    assert called == [("default", ["S", "T"])]
    assert cold.columns == ["protocol", "scenario_id", "value"]
    assert cold["scenario_id"].to_list() == ["S"] * 7 + ["T"] * 7
    assert repr(cold["value"].to_list()) == repr(NUMBERS * 2)
    assert repr(warm.rows()) == repr(cold.rows())


def test_a_scenario_without_rows_is_answered_too(lake: Path) -> None:
    called: Called = []
    none = pl.DataFrame(schema={"scenario_id": pl.String, "value": pl.Float64})
    here = opened(lake)
    for _ in range(2):
        assert of(here, ASKED, lambda *what: called.append(what) or none).height == 0  # type: ignore[func-returns-value,arg-type]
    assert len(called) == 1


def test_a_new_scenario_is_computed_alone_and_goes_to_its_place(lake: Path) -> None:
    called: Called = []
    ask(lake, called, scenarios="T")
    assert ask(lake, called).equals(ask(lake, []), null_equal=True)
    assert called == [("default", ["T"]), ("default", ["S"])]


def test_a_replaced_scenario_is_computed_anew_and_its_old_answer_goes(tmp_path: Path) -> None:
    called: Called = []
    home = fill(tmp_path, 1)
    ask(home, called, anew=True)
    first, second = kept(home, "S"), kept(home, "T")
    fill(tmp_path, 7)
    assert (kept(home, "S"), kept(home, "T")) == (set(), second)
    ask(home, called, anew=True)
    assert called == [("default", ["S", "T"]), ("default", ["S"])]
    assert kept(home, "S").isdisjoint(first)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, name="width"),
        replace(ASKED, relations=["solver_score"]),
        replace(ASKED, facts=[2]),
        replace(ASKED, facts=["1"]),
    ],
)
def test_another_question_has_answers_of_its_own(other: LocalQuestion, lake: Path) -> None:
    called: Called = []
    for asked in (ASKED, other, ASKED, other):
        ask(lake, called, asked)
    assert called == [("default", ["S", "T"])] * 2


def test_protocols_have_their_names_and_share_the_answers_of_their_choices(lake: Path) -> None:
    called: Called = []
    mine, same, other = (
        Protocol(protocol=name, penalty=penalty) for name, penalty in (("mine", 2), ("a", 2), ("b", 3))
    )
    ask(lake, called, protocols=[mine])
    found = ask(lake, called, protocols=[other, same])
    assert called == [("mine", ["S", "T"]), ("b", ["S", "T"])]
    assert found["protocol"].unique(maintain_order=True).to_list() == [same.tag, other.tag]


def test_what_was_kept_before_a_failure_is_not_computed_again(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: Called = []
    monkeypatch.setattr("aslib_eval.database.build._ANSWERED", 1)

    def compute(protocol: str, scenarios: Sequence[str]) -> pl.DataFrame:
        called.append((protocol, list(scenarios)))
        if "T" in scenarios:
            raise KeyboardInterrupt
        return pl.DataFrame({"scenario_id": scenarios, "value": [1.5]})

    with pytest.raises(KeyboardInterrupt):
        of(opened(lake), ASKED, compute)
    found = ask(lake, called)
    assert called == [("default", [name]) for name in "STT"]
    assert found["value"].to_list()[0] == 1.5


def test_a_damaged_answer_is_computed_again(lake: Path) -> None:
    called: Called = []
    ask(lake, called)
    whole = kept(lake)
    (damaged,) = kept(lake, "S")
    damaged.write_bytes(b"damaged")
    ask(lake, called)
    assert called == [("default", ["S", "T"]), ("default", ["S"])]
    assert kept(lake) == whole
    assert damaged.read_bytes() != b"damaged"


def test_two_at_once_keep_the_same_files(lake: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: ask(lake, [], anew=True), range(2))
    assert repr(one.rows()) == repr(other.rows())
    assert len(kept(lake)) == 2


def test_an_answer_that_cannot_be_kept_in_the_lake_is_kept_elsewhere(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: Called = []
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path))
    (lake / versions.RESULTS).touch()
    try:
        found = [ask(lake, called, anew=True).height for _ in range(2)]
    finally:
        (lake / versions.RESULTS).unlink()
    assert (found, len(called)) == ([14, 14], 1)


def test_old_answers_go_when_they_take_too_much(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(versions.RESULTS_LIMIT, "0")
    ask(lake, [])
    assert len(kept(lake)) == 2  # never within a day
    monkeypatch.setattr(versions, "_DAY", -1)
    ask(lake, [], replace(ASKED, name="width"))
    assert kept(lake) == set()


def in_memory(lake: Path) -> OpenLake:
    return InMemory(ae.connect(lake, stored=False))


@pytest.mark.parametrize(
    ("place", "relation"),
    [(in_memory, "instance_solver"), (opened, "suite_solver"), (opened, "no_such_relation")],
)
def test_nothing_is_kept_of_what_is_not_of_one_scenario(
    place: Callable[[Path], OpenLake], relation: str, lake: Path
) -> None:
    assert place(lake).wish([relation]) is None
