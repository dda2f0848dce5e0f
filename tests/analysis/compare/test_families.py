"""``compare`` with families: each is a whole, unless instances are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.runs import known_families
from tests.conftest import write_scenario

# Eight families of five, as their names say: A is 10 faster in six of them, B in two.
FAMILIES = "stuvwxyz"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("families")
    rows = [
        (f"{family}-{n}", 1, solver, 20 if (solver == "A") == (family in "yz") else 10,
         "ok")
        for family in FAMILIES
        for n in range(5)
        for solver in "AB"
    ]  # fmt: skip
    folder = write_scenario(home / "S", runs=rows)
    ae.import_scenarios([folder], into=home / "lake")
    return home / "lake"


def row(frame: pl.DataFrame) -> dict[str, Any]:
    return frame.row(0, named=True)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_tests_turn_the_signs_of_whole_families(lake: Path, test: str) -> None:
    found = ae.compare(lake, kind="algorithm", test=test)
    # Two of eight against the others: (1 + 8 + 28) of 2^8 on each side.
    pair = row(found.pairs)
    assert (pair["p"], pair["verdict"]) == (2 * 37 / 2**8, "no difference")
    assert (pair["n"], pair["n_families"], pair["wins"]) == (40, 8, 30)
    assert "n = 8 families with 40 instances; the families count as independent" in str(found.sentences)
    alone = ae.compare(lake, kind="algorithm", test=test, inside="instances")
    pair = row(alone.pairs)
    assert (pair["n"], pair["n_families"], pair["by_test"]) == (40, None, "A")
    assert "families" not in str(alone.sentences)


def test_intervals_are_of_families(lake: Path) -> None:
    wide, narrow = (
        ae.compare(lake, kind="algorithm", inside=inside)  # type: ignore[arg-type]
        for inside in ("families", "instances")
    )
    ends = ("lower", "upper"), ("win_lower", "win_upper"), ("a12_lower", "a12_upper")
    for low, high in ends:
        a, b = row(wide.pairs), row(narrow.pairs)
        assert a[low] <= b[low] <= b[high] <= a[high]
        assert a[high] - a[low] > b[high] - b[low]
    one, two = wide.systems, narrow.systems
    assert (one["lower"] < two["lower"]).all()
    assert one["mean"].to_list() == two["mean"].to_list() == [12.5, 17.5]
    assert (one["n_families"][0], two["n_families"][0]) == (8, None)
    # Ranks of families: chi-squared (6 - 2)^2 / 8 of eight, 5 times that of forty.
    assert row(wide.omnibus)["chi2"] == pytest.approx(2)
    assert row(narrow.omnibus)["chi2"] == pytest.approx(10)
    cds = row(wide.omnibus)["cd"] / row(narrow.omnibus)["cd"]
    assert cds == pytest.approx(5**0.5)


@pytest.mark.parametrize("show", ["steps", "bayes", "anova", "normality"])
def test_what_stands_beside_is_of_families_too(lake: Path, show: str) -> None:
    rope = {"rope": 0.0} if show == "bayes" else {}
    asked: dict[str, Any] = {"kind": "algorithm", "show": show, **rope}
    both = [ae.compare(lake, inside=of, **asked).frame for of in ("families", "instances")]  # type: ignore[arg-type]
    wide, narrow = (frame.row(0, named=True) for frame in both)
    if show == "steps":
        assert (wide["n"], wide["p"], narrow["rejected"]) == (40, 2 * 37 / 2**8, "yes")
    else:
        assert (wide["unit"], wide["n"]) == ("family", 8)
        assert (narrow["unit"], narrow["n"]) == ("instance", 40)


def test_families_are_said_or_told_by_names_or_none() -> None:
    names = [f"{family}-{n}" for family in "abcde" for n in (1, 2)]
    assert known_families(names, {}, by_name=True) == (*"aabbccddee",)
    assert known_families(names, {}, by_name=False) == ()
    # Of what names tell nine of 14 are of one family, and all are worth three: 14^2 / (9^2 + 5).
    lopsided = [f"a-{n}" for n in range(9)] + [f"{family}-1" for family in "bcdef"]
    assert known_families(lopsided, {}, by_name=True) == ()
    assert known_families(lopsided, dict.fromkeys(lopsided[:9], "a"))[:9] == (*"a" * 9,)
    names = ["a-1", "a-2", "b-1"]
    assert known_families(names, {"a-1": "f", "a-2": None, "b-1": "f"}, by_name=True) == (
        *("f", "(none: a-2)", "f"),
    )
    assert known_families(names, dict.fromkeys(names, "f"), by_name=True) == ()  # all
    assert known_families(names, {n: n for n in names}, by_name=True) == ()  # each its own
