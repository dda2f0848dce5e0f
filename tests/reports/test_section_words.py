# ruff: noqa: E501 - a sentence a line, with signs as pages have them
"""Sentences of sections for what few scenarios have, and what makes them."""

from __future__ import annotations

import re
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from aslib_eval.analysis.compare.systems import OVER_SCENARIOS, Compared
from aslib_eval.analysis.objectives import _SCORES, _WHY, _undefined
from aslib_eval.reports.html import own_column
from aslib_eval.reports.sections import _against_sbs, _ahead, _of_next, _of_selector, _of_vbs
from aslib_eval.reports.sections.instances import _beside, _best, _said, _tested
from aslib_eval.reports.sections.ranking import _remark


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, ""),
        ({"complete": None}, "A solver has no cost on some instance, so nothing is recomputed."),
        ({"hopeless": True}, "No solver solves any of the 7 instances: every score equals a timeout, and all tie."),
        ({"reason": "SBS is VBS"}, "There is no gap: SBS is VBS."),
        ({"n_unsolvable": 3}, "The protocol leaves out 3 instances that no algorithm solves."),
        ({"n_unsolvable": 3, "unsolvable": "keep"}, ""),
        ({"baseline": None}, ""),
    ],
)  # fmt: skip
def test_remarks_on_baselines(given: dict[str, Any], said: str) -> None:
    found = {"reason": given.get("reason"), "n_unsolvable": given.get("n_unsolvable")}
    results: Any = SimpleNamespace(
        complete=given.get("complete", 1),
        baseline=given.get("baseline", found),
        hopeless=given.get("hopeless", False),
        n=7,
        choices={"unsolvable": given.get("unsolvable", "drop")},
    )
    remark = _remark(results)
    assert re.sub("<[^>]*>", "", remark or "") == said


@pytest.mark.parametrize(
    ("mark", "given", "lead", "verdict"),
    [
        ("=", {}, " and is 12.3 s ahead of b by PAR10", "It is not significantly better than b. "),
        ("-", {"lower": None}, " and is 12.3 s ahead of b by PAR10", "It is significantly better than b. "),
        ("±", {"timed": False, "verdict": "typically worse"}, ", 12.3 ahead of b", "It is typically better than b. "),
        ("±", {"timed": False, "verdict": "mixed"}, ", 12.3 ahead of b", "It has a mixed verdict against b. "),
        ("=", {"time_unit": None, "advantage": 0.0}, " and is 0 ahead of b by PAR10", "It is not significantly better than b. "),
    ],
)  # fmt: skip
def test_by_how_much_the_best_algorithm_is_ahead(
    mark: str, given: dict[str, Any], lead: str, verdict: str
) -> None:
    word = {"=": "no difference", "-": "worse"}.get(mark)
    row = {"verdict": word, "advantage": -12.34, "lower": -30.0, "upper": 4.0} | given
    solvers = {"kind": ["algorithm"] * 4, "solver": ["a", "b", "c", "d"]}
    others = {"b": row, "c": {"verdict": "mixed", "advantage": -40.0}}
    others["d"] = {"verdict": "worse", "advantage": -297.4}
    results: Any = SimpleNamespace(
        compared=lambda _: SimpleNamespace(of=others.get),
        frames={"score": pl.DataFrame(solvers)},
        choices={"penalty": 10},
        timed=row.get("timed", True),
        summary={"time_unit": row.get("time_unit", "s")},
    )
    words = _ahead(results, {"sbs": "a"})
    assert [re.sub("</?b>", "", text) for text in words] == [lead, verdict]
    assert re.findall("<b>(.*) ahead", words[0]) == re.findall("([\\d.]+(?: s)?) ahead", lead)


def test_who_is_best_in_how_many_families(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = np.array([[1, 5], [9, 6], [4, 4], [2, 2], [7, 3], [0, 1]])
    groups = {"names": ["x", "y", "z"], "of": [0, 0, 1, 1, 2, None]}
    known = {"one": {"names": ["u"], "of": [0] * 6}, "group": groups}
    sections = import_module("aslib_eval.reports.sections.instances")
    monkeypatch.setattr(sections, "families_of", lambda _: known)
    solvers = [("algorithm", "a"), ("algorithm", "b")]
    matrix = SimpleNamespace(solvers=solvers, columns=lambda _: [0, 1])
    results: Any = SimpleNamespace(
        complete=matrix, hopeless=False, population="", penalised=lambda _: costs
    )
    found = sections.families(results)
    assert found is not None
    assert found.title == "Families (4)"
    # Mean costs of x are 5 and 5.5; of y all tie; b leads in z, a in what has none.
    assert found.finding == (
        "Of 4 families by group, a is best by mean cost in 2, b in 1 and in 1 all tie."
    )


def test_who_shares_the_best_mean_of_a_family_is_counted() -> None:
    costs = np.array([[1, 1, 3], [0.1 + 0.2, 0.3, 3], [4, 5, 5]])
    counts = _best(["z", "a", "m"], costs)
    assert counts == {"z": (3, 1), "a": (2, 0)}
    assert _said(counts, "", " by mean cost", "in") == [
        "z is best or tied by mean cost in 3 (best alone in 1)",
        "a in 2 (best alone in 0)",
    ]


def test_why_a_score_of_objectives_is_not_defined() -> None:
    def why(metric: str, lowest: float = 1, best: float = 1, **of: Any) -> str | None:
        values = np.array([[2.0, lowest], [np.nan, 3]])
        measured: Any = SimpleNamespace(values=values, best=np.array([best, 1]), proven=of.get("proven", 1))
        return _undefined(measured, metric)

    ratio, proof = _SCORES[0], _SCORES[2]
    assert (why(ratio), why(proof), why(proof, -1, -1)) == (None, None, None)
    assert why(ratio, 0, 0) is None
    assert why(ratio, lowest=-1) == why(ratio, best=-1) == _WHY[_SCORES[:2]]
    assert why(proof, proven=None) == _WHY[_SCORES[2:4]]


def test_who_is_best_where_and_where_nobody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = np.array([[1, 5], [2, 6], [7, 3], [4, 4], [9, 9], [9, 9]])
    sections = import_module("aslib_eval.reports.sections.instances")
    monkeypatch.setattr(sections, "instance_details", lambda _: {"map": "drawn"})
    matrix = SimpleNamespace(
        solvers=[("algorithm", "a"), ("algorithm", "b")],
        instances=list("uvwxyz"),
        solved=np.array([[1, 1]] * 4 + [[0, 0]] * 2),
        columns=lambda _: [0, 1],
    )
    results: Any = SimpleNamespace(
        complete=matrix, hopeless=False, timed=True, population="n = 6", penalised=lambda _: costs
    )

    def finding() -> str | None:
        found = sections.where(results)
        return None if found is None else found.finding

    assert finding() == (
        "a is best or tied on 3 of 6 instances (best alone on 2) and b on 2 (best "
        "alone on 1); no algorithm solves 2."
    )
    costs[3] = [4, 8]
    assert finding() == "a is best on 3 of 6 instances and b on 1; no algorithm solves 2."
    results.timed = False  # a quality has no unsolved runs
    assert finding() == (
        "a is best or tied on 5 of 6 instances (best alone on 3) and b on 3 (best alone on 1)."
    )
    costs[:] = [2, 2]  # on most instances a tie, as often in optimisation
    assert finding() == (
        "a is best or tied on 6 of 6 instances (best alone on 0) and b on 6 (best alone on 0)."
    )
    costs[:] = [1, 2]
    assert finding() is None
    monkeypatch.setattr(sections, "instance_details", lambda _: {})
    results.timed = True
    assert finding() is None


@pytest.mark.parametrize(
    ("verdict", "gap", "wins", "losses", "said"),
    [
        ("better", 0.5, 9, 1, "It is significantly better than SBS"),
        ("worse", -0.5, 1, 9, "It is significantly worse than SBS"),
        ("no difference", 0.1, 9, 1, "It is not significantly better than SBS"),
        ("no difference", 0.0, 9, 1, "It is no better than SBS"),
        ("typically better", 0.1, 4, 3, "It is typically better than SBS, on 4 instances, but not significantly in the mean"),
        ("typically worse", -0.1, 3, 4, "It is typically worse than SBS, on 4 instances, but not significantly in the mean"),
        ("typically worse", -0.1, 4, 3, "It is typically worse than SBS, by the test, but not significantly in the mean"),
        ("typically worse", -0.1, 3, 3, "It is typically worse than SBS, by the test, but not significantly in the mean"),
        ("mixed", 0.1, 3, 4, "It has a mixed verdict against SBS: better in the mean, but worse on 4 instances"),
        ("mixed", -0.1, 4, 3, "It has a mixed verdict against SBS: worse in the mean, but better on 4 instances"),
        ("mixed", 0.1, 4, 3, "It has a mixed verdict against SBS: better in the mean, but worse by the test"),
        (None, 0.1, 9, 1, ""),
    ],
)  # fmt: skip
def test_what_is_shown_of_the_first_selector(
    verdict: str | None, gap: float, wins: int, losses: int, said: str
) -> None:
    row = {"verdict": verdict, "wins": wins, "losses": losses}
    assert "".join(map(str, _against_sbs(row, ([], []), gap))) == said


@pytest.mark.parametrize(
    ("gap", "wins", "losses", "said"),
    [
        (0.2, 3, 14, 'closes 20 %; better in the mean, but worse on <a href="#instances" data-rows="3,4,5,6,7,8,9,10,11,12,13,14,15,16">14 instances</a>.'),
        (-0.2, 4, 3, 'loses 20 %; worse in the mean, but better on <a href="#instances" data-rows="0,1,2,3">4 instances</a>.'),
    ],
)  # fmt: skip
def test_the_few_that_outweigh_the_many_lead_to_the_instances(
    gap: float, wins: int, losses: int, said: str
) -> None:
    row = {"mark": "±", "wins": wins, "ties": 0, "losses": losses, "verdict": "mixed"}
    found = SimpleNamespace(of={"x": row, "y": {}}.get)
    score = {"kind": ["selector", "baseline", "selector"], "solver": ["x", "b", "y"]}
    frames = {"score": pl.DataFrame({**score, "closed_gap": [gap, 0.1, None],
                                     "cost": [1.0, 0.0, None]})}  # fmt: skip
    matrix = SimpleNamespace(number=lambda kind, _: int(kind == "selector"))
    costs = np.array([[2, 1]] * wins + [[1, 2]] * losses, float)
    results: Any = SimpleNamespace(
        compared=lambda _: found, complete=matrix, frames=frames,
        penalised=lambda _: costs,
    )  # fmt: skip
    best = {"solver": "x", "closed_gap": gap}
    words = "".join(map(str, _of_selector(results, {"sbs": "a"}, best)))
    # A reader who chooses otherwise reads a sentence without the verdict.
    assert words.index('<span class="as-stored"> It has a mixed verdict') > words.index("and VBS")
    plain = re.sub("</?(?:span|dfn)[^>]*>", "", words).replace("\xa0", " ")
    verdict, doubt = plain.split(
        " of the gap between SBS (a) and VBS. It has a mixed verdict against SBS: "
    )
    assert f"{verdict}; {doubt}" == f"x is the best selector: it {said}"
    row["wins"] = row["losses"] = 99  # the table counts otherwise
    row["wins" if gap > 0 else "losses"] = 98
    assert "<a " not in "".join(map(str, _of_selector(results, {"sbs": "a"}, best)))
    results.complete = None  # then there is no table of instances
    assert "<a " not in "".join(map(str, _of_selector(results, {"sbs": "a"}, best)))


@pytest.mark.parametrize(
    ("gaps", "lead", "doubt"),
    [
        ([0.5, 0.25], ", <b>25 percentage points ahead of y</b>", "its lead over y is not significant"),
        ([0.5, 0.49], ", <b>1 percentage point ahead of y</b>", "its lead over y is not significant"),
        ([-0.1, -0.4, -0.9], ", <b>30 percentage points ahead of y</b>", "its lead over y is not significant"),
        ([0.5, 0.5], ", <b>level with y</b>", ""),
        ([0.5, None], "", ""),
        ([0.5], "", ""),
    ],
)  # fmt: skip
def test_how_far_the_second_selector_is(gaps: list[float], lead: str, doubt: str) -> None:
    n = len(gaps)
    rows = {"kind": ["algorithm", *["selector"] * n], "solver": ["a", *"xyz"[:n]]}
    score = pl.DataFrame({**rows, "closed_gap": [0.0, *gaps]})
    tested = SimpleNamespace(of={"y": {"mark": "="}}.get)
    results: Any = SimpleNamespace(frames={"score": score}, compared=lambda _: tested)
    assert _of_next(results, gaps[0]) == (lead, doubt)
    assert _of_next(SimpleNamespace(frames={"score": score}, compared=lambda _: None), gaps[0])[1] == ""  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reason": "SBS is VBS"}, "No choice among the algorithms is better"),
        ({}, "Its PAR10 is 4 times as high as VBS's"),
        ({"room": None}, "The mean of VBS is 3"),
        ({"timed": False}, "The mean of VBS is 3"),
    ],
)
def test_what_vbs_has(given: dict[str, Any], said: str) -> None:
    found = {"reason": given.get("reason"), "vbs_solved": 0.75, "vbs_cost": -3.0}
    results: Any = SimpleNamespace(
        summary={"room": given.get("room", 4.0)},
        timed=given.get("timed", True),
        choices={"penalty": 10},
        own=lambda cost: -cost,
    )
    words = "".join(_of_vbs(results, found))
    assert re.sub("<[^>]*>", "", words).replace("\xa0", " ") == said


def test_the_best_of_a_quality_is_in_its_own_direction() -> None:
    assert own_column("gain", maximize=True).best == "max"
    lowest = own_column("loss", maximize=False)
    assert (lowest.title, lowest.best) == ("loss", "min")


@pytest.mark.parametrize(
    ("rows", "said", "beside"),
    [
        ("a o, b =", "Its differences to the other selectors are not significant.", ["no difference"]),
        ("a o, b -", "It is significantly better than b.", ['<span class="worse">worse</span>']),
        ("a =, b o", "", ["no difference"]),
    ],
)  # fmt: skip
def test_how_sure_the_first_over_scenarios_is(rows: str, said: str, beside: list[str]) -> None:
    words = {"=": "no difference", "-": "worse", "o": None}
    found = [
        {"system": row[0], "mark": row[2], "verdict": words[row[2]], "n": 6} for row in rows.split(", ")
    ]
    suite: Any = SimpleNamespace(tested=Compared(OVER_SCENARIOS, found, ""))
    assert _tested(suite, "a") == said
    ((first, other, *_),) = [sorted(rows.split(", "), key=lambda r: r[2] != "o")]
    verdict = {"name": f"beside {first[0]}", f"of {first[0]}": "first"}
    assert _beside(suite, ["a", "b", "c"]) == [verdict | {f"of {other[0]}": word} for word in beside]
    for row in found:  # 2 to the power of 1 - n is above alpha: no values would do
        row["n"] = 5
    few = "There are too few scenarios for a test." if "o" in rows[:3] else ""
    assert (_tested(suite, "a"), _beside(suite, ["a", "b"])) == (few, [])
    suite.tested = None
    assert _beside(suite, ["a"]) == []
