"""Percent differences: literal runs in, shares of a reference or of the mean out."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.beside import beside
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.statistics.means import unbounded_means
from tests.conftest import write_scenario
from tests.lab import ACCURACY, OBJECTIVE

pytestmark = pytest.mark.usefixtures("opened_once")

# Costs on i1 to i4. Of A against B: (2 - 1) / 1, (8 - 4) / 4, (5 - 10) / 10, and on i4 A costs nothing, so
# that nothing can be a share of it.
VALUES = {"A": [1, 4, 10, 0], "B": [2, 8, 5, 6], "C": [3, 0, 15, 0]}
opened = cache(open_lake)


def scenario(home: Path, name: str, values: Any, measures: Any = OBJECTIVE) -> Path:
    runs = [
        (f"i{at}", 1, system, value, "ok")
        for system, some in values.items()
        for at, value in enumerate(some, 1)
    ]
    return write_scenario(home / name, runs=runs, measures=measures)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("percent")
    negated = {name: [-v for v in some] for name, some in VALUES.items()}
    folders = [
        scenario(home, "S", VALUES),
        scenario(home, "MAX", VALUES, ACCURACY),
        scenario(home, "NEG", negated),
        scenario(home, "NIL", {"A": [0, 0], "B": [1, 2]}),
    ]
    ae.import_scenarios(folders, into=home / "lake")
    return home / "lake"


def ask(lake: Path, of: str, **words: Any) -> Any:
    here = open_lake(lake, scenarios=[of])
    return compare(here, Question(differences="percent", **words))


def test_shares_of_the_reference(lake: Path) -> None:
    found = ask(lake, "S", versus="A", test="t")
    rows = {row["system"]: row for row in found.pairs.to_dicts()}
    # Behind by 1, 1, -0.5 and 2, -1, 0.5: means 0.5 and 0.5, deviations sqrt(3) / 2
    # and 1.5.
    assert rows["B"]["advantage"] == pytest.approx(-0.5)
    assert rows["B"]["d"] == pytest.approx(-0.5 / (sqrt(3) / 2))
    assert rows["B"]["statistic"] == pytest.approx(-1.0)  # 0.5 / (0.866 / sqrt(3))
    assert rows["C"]["advantage"] == pytest.approx(-0.5)
    assert rows["C"]["d"] == pytest.approx(-1 / 3)
    assert [row["n"] for row in rows.values()] == [3, 3]
    assert set(found.pairs["metric"]) == {"cost / cost of A"}
    assert found.systems["n_left_out"].to_list() == [1, 1, 1]
    (text,) = found.sentences
    assert "On each instance, differences are divided by the value of A." in text
    assert "1 instance where the value of A is 0: percent" in text
    assert "by 50 % (" in text
    assert "percent differences have no bounds" in text


def test_shares_of_the_mean_of_all(lake: Path) -> None:
    """Means 2, 4, 10 and 2 on the four instances."""
    found = ask(lake, "S")
    first = {(r["system"], r["other"]): r["advantage"] for r in found.pairs.to_dicts()}
    a_b = np.mean([1 / 2, 4 / 4, -5 / 10, 6 / 2])
    c_a = np.mean([-2 / 2, 4 / 4, -5 / 10, 0 / 2])
    c_b = np.mean([-1 / 2, 8 / 4, -10 / 10, 6 / 2])
    expected = {("A", "B"): a_b, ("A", "C"): -c_a, ("C", "B"): c_b}
    assert first == {k: pytest.approx(v) for k, v in expected.items()}
    assert set(found.pairs["metric"]) == {"cost / mean cost"}
    assert found.pairs["n"].to_list() == [4, 4, 4]


def test_what_is_better_stays_better(lake: Path) -> None:
    """Maximised values, and negative ones: shares of the size of the divisor."""
    plain = ask(lake, "S", versus="B", test="t")
    for turned in ("MAX", "NEG"):
        found = ask(lake, turned, versus="B", test="t")
        ours = dict(found.pairs.select("system", "advantage").rows())
        theirs = dict(plain.pairs.select("system", "advantage").rows())
        assert ours == {k: pytest.approx(-v) for k, v in theirs.items()}
    assert "its absolute value is used" in ask(lake, "NEG", versus="B").sentences[0]


def test_ratios_to_one_are_averaged_as_logarithms(tmp_path: Path) -> None:
    """Twice, half and eight times as slow as A: the cube root of 8, so 100 % behind."""
    values = {"A": [1, 2, 4, 3], "B": [2, 1, 32, 6]}
    folders = [scenario(tmp_path, "L", values), scenario(tmp_path, "H", values, ACCURACY)]
    lake = tmp_path / "lake"
    ae.import_scenarios(folders, into=lake)
    found = ask(lake, "L", versus="A", test="t")
    logs = np.log([2, 0.5, 8, 2])
    (row,) = found.pairs.to_dicts()
    assert (row["system"], row["other"]) == ("B", "A")
    assert row["advantage"] == pytest.approx(1 - np.exp(logs.mean())) == -1
    assert row["d"] == pytest.approx(-logs.mean() / logs.std(ddof=1))
    whole = unbounded_means(-logs, rng=np.random.default_rng(1), strict=False)
    assert row["lower"] == pytest.approx(-np.expm1(-whole.lower[0]))
    assert row["upper"] == pytest.approx(-np.expm1(-whole.upper[0]))
    means = dict(found.systems.select("system", "mean").rows())
    assert means == {"A": 1, "B": pytest.approx(2)}
    alone = unbounded_means(logs, rng=np.random.default_rng(1), strict=False)
    systems = {row["system"]: row for row in found.systems.to_dicts()}
    assert systems["B"]["lower"] == pytest.approx(np.exp(alone.lower[0]), rel=0.05)
    assert systems["B"]["upper"] == pytest.approx(np.exp(alone.upper[0]), rel=0.05)
    assert "the geometric mean of the ratio" in found.sentences[0]
    # Higher is better: B is ahead by the same.
    (turned,) = ask(lake, "H", versus="A", test="t").pairs.to_dicts()
    assert turned["advantage"] == pytest.approx(1)
    assert (turned["lower"], turned["upper"]) == pytest.approx((-row["upper"], -row["lower"]))
    step = beside(open_lake(lake, scenarios=["L"]), Question(differences="percent", versus="A"), "steps")[
        0
    ].to_dicts()[0]
    assert (step["lower"], step["upper"]) == pytest.approx((row["lower"], row["upper"]))


def test_shares_of_the_mean_of_values_of_0_or_more_are_bounded(lake: Path) -> None:
    """Of three systems none costs more than three times the mean."""
    found = ask(lake, "S")
    assert set(found.pairs["interval_method"]) == {"Gaffke"}
    assert found.pairs["upper"].max() < 3
    assert set(ask(lake, "NEG").pairs["interval_method"]) == {"bootstrap-t"}


def test_nothing_is_a_share_of_nothing(lake: Path) -> None:
    with pytest.raises(AslibError, match="value of A is 0 on every instance") as found:
        ask(lake, "NIL", versus="A")
    assert found.value.hint == "Use --differences simple."
    assert ask(lake, "NIL", versus="B").pairs["advantage"].to_list() == [1]
