# ruff: noqa: E501, RUF001 - a sentence a line, with signs as pages have them
"""Sentences of sections where little is there, all tie, or many share a place."""

from __future__ import annotations

import html
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from aslib_eval.analysis.results import RunMatrix
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.extensions.sensitivity.reports import _sentence as agreement
from aslib_eval.reports.sections import _counted_words as _counted
from aslib_eval.reports.sections import badge, facts, findings, glance
from aslib_eval.reports.sections.instances import _first_on, _first_two
from aslib_eval.reports.sections.instances import _sentence as _of_scenarios
from aslib_eval.reports.sections.ranking import _contributions, _finding, _first, contributions


def plain(said: Any) -> str:
    return html.unescape(re.sub("<[^>]*>", "", "".join(map(str, said))))


SUMMARY = {
    "maximize": False, "cutoff": 100.0, "time_unit": "s", "measure": "cost",
    "n_algorithms": 3, "n_features": 2, "n_repetitions": None,
}  # fmt: skip


def results(**given: Any) -> Any:
    found = {
        "summary": SUMMARY, "n": 7, "timed": True, "protocol": "default",
        "hopeless": False, "measure": "cost", "own": lambda cost: -cost,
        "complete": None, "compared": lambda _: None, "baseline": None,
    }  # fmt: skip
    return SimpleNamespace(**found | given)


@pytest.mark.parametrize(
    ("given", "summary", "said"),
    [
        ({}, {"n_repetitions": 2}, "7 instances · 2 repetitions · 3 algorithms · 2 features · cutoff 100 s · protocol default"),
        ({}, {}, "7 instances · 3 algorithms · 2 features · cutoff 100 s · protocol default"),
        ({"n": 1}, {"n_algorithms": 1, "n_features": 1}, "1 instance · 1 algorithm · 1 feature · cutoff 100 s · protocol default"),
        ({}, {"n_algorithms": 0, "n_features": 0, "time_unit": None}, "7 instances · cutoff 100 (unit not stated) · protocol default"),
        ({}, {"cutoff": None}, "7 instances · 3 algorithms · 2 features · protocol default"),
        ({"timed": False}, {}, "7 instances · 3 algorithms · 2 features · cost, smaller is better · protocol default"),
        ({"timed": False}, {"maximize": True}, "7 instances · 3 algorithms · 2 features · cost, larger is better · protocol default"),
    ],
)  # fmt: skip
def test_what_the_numbers_are_over(given: dict[str, Any], summary: dict[str, Any], said: str) -> None:
    assert facts(results(**given, summary={**SUMMARY, **summary})) == said


def test_a_scenario_without_runs_says_so() -> None:
    section = glance(results())
    assert (section.id, section.title) == ("glance", "At a glance")
    assert plain([section.body]) == "The lake holds no runs of this scenario."
    assert section.population.startswith("7 instances · ")


def scores(*rows: tuple[str, str, float, float]) -> Any:
    names = ["kind", "solver", "solved", "cost"]
    return {"score": pl.DataFrame(rows, schema=names, orient="row")}


TWO = scores(
    ("selector", "s", 1.0, 0.0), ("algorithm", "b", 0.5, 2.0), ("algorithm", "a", 0.25, 3.0),
    ("algorithm", "c", 0.125, 4.0),
)  # fmt: skip


def test_who_is_first_and_second_of_the_algorithms() -> None:
    assert _first(results(frames=TWO)) == "The best is b (50\xa0% solved), then a (25\xa0% solved)."
    assert _first(results(frames=TWO, timed=False)) == "The best is b (−2 cost), then a (−3 cost)."
    tied = scores(("algorithm", "b", 0.5, 0.3), ("algorithm", "a", 0.5, 0.1 + 0.2))
    assert _first(results(frames=tied)) == ("The best are tied: b (50\xa0% solved), a (50\xa0% solved).")
    nobody = "No algorithm solves any instance."
    assert _first(results(frames=TWO, hopeless=True)) == nobody
    assert _first(results(frames=scores(("selector", "s", 1.0, 0.0)))) == nobody


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", None, None), ("b", None, None)], "None of 2 algorithms is dominated by another."),
        ([("a", None, "b"), ("b", None, None)], "1 of 2 algorithms is dominated by another."),
        ([("a", 0.25, "c"), ("b", 0.75, "c"), ("c", 0.0, None)], "b contributes most: 75\xa0% of the saving of the portfolio (Shapley value). 2 of 3 algorithms are dominated by another."),
        ([("a", 0.5, None), ("b", 0.5, None)], "a, b each contribute most: 50\xa0% of the saving of the portfolio (Shapley value). None of 2 algorithms is dominated by another."),
    ],
)  # fmt: skip
def test_who_contributes_most_and_who_is_dominated(rows: Any, said: str) -> None:
    names = ("solver", "shapley", "dominated")
    assert _finding([dict(zip(names, row, strict=True)) for row in rows]) == said


def test_contributions_take_a_cost_of_everyone() -> None:
    costs = np.array([[1.0, 4.0], [3.0, 1.0]])
    solvers = (("algorithm", "a"), ("algorithm", "b"))
    given = RunMatrix(solvers, ("i", "j"), costs, np.ones((2, 2)))
    found = results(penalised=lambda m: m.costs, choices={"penalty": 10.0}, summary={"cutoff": 2.0})
    # Without a: 4 and 1; without b: 1 and 3; both together: 1 and 1.
    worth = _contributions(found, given)
    assert {name: worth[name]["lost"] for name in worth} == {"a": 1.5, "b": 1.0}
    # Of a portfolio of none that costs 20: a saves (18 + 1.5) / 2, b (17.5 + 1) / 2.
    assert worth["a"]["shapley"] == pytest.approx(9.75 / 19)
    assert worth["b"]["shapley"] == pytest.approx(9.25 / 19)
    lacking = RunMatrix(solvers, ("i", "j"), np.array([[1.0, np.nan], [3.0, 1.0]]), costs)
    assert _contributions(found, lacking) == {}


@pytest.mark.parametrize(
    ("timed", "marginal"), [(True, ["marginal", "marginal share"]), (False, ["marginal"])]
)
def test_columns_of_contributions(timed: bool, marginal: list[str]) -> None:  # noqa: FBT001
    metrics = {
        m.name: m
        for m in (
            Metric("sgm", "v", "SGM", "min", 3),
            Metric("mcp", "v", "MCP", "min", 3, relative=True),
            Metric("quick", "v", "quick", "max", 3),
        )
    }
    costs = np.array([[1.0, 4.0], [3.0, 1.0]])
    given = RunMatrix((("algorithm", "a"), ("algorithm", "b")), ("i", "j"), costs, np.ones((2, 2)))
    scored = pl.DataFrame(
        {
            "kind": ["algorithm"] * 2,
            "solver": ["a", "b"],
            "closed_gap": [1.0, 0.0],
            "sgm": [2.0, 3.0],
            "mcp": [0.0, 1.0],
            "quick": [None, None],
        }
    )
    dominated = pl.DataFrame({"algorithm": ["b"], "by": ["a"]})
    found = contributions(
        results(
            matrix=given,
            timed=timed,
            penalised=lambda m: m.costs,
            choices={"penalty": 10.0},
            frames={"score": scored, "dominated": dominated},
            metrics=metrics,
            cost_unit="",
            population="",
        )
    )
    assert found is not None
    heads = re.findall("<th scope=.col.*?>(.*?)</th>", found.body)
    assert heads == ["algorithm", "closed gap", *marginal, "Shapley", "dominated by", "SGM", "MCP"]


def linted(**given: Any) -> Any:
    return results(findings=given.get("found"))


def finding(severity: str, line: int | None = 3) -> dict[str, Any]:
    return {"severity": severity, "file": "f", "line": line, "code": "c", "message": "m", "hint": ""}  # fmt: skip


def test_findings_are_counted_by_how_grave_they_are() -> None:
    found = [finding(s) for s in ("note", "warning", "error", "note", "warning", "note")]
    assert _counted(found) == ["1 error", "2 warnings", "3 notes"]
    section = findings(linted(found=found))
    assert section is not None
    assert section.finding == "The linter reports 1 error, 2 warnings and 3 notes."
    assert (section.id, section.title, section.population) == ("findings", "Findings", "as of the import")
    assert (
        plain([badge(linted(found=found))]) == "The linter reports 1 error and 2 warnings on this scenario."
    )
    assert badge(linted(found=[finding("note")])) is None
    assert findings(linted(found=[])) is None


def test_a_lake_without_findings_says_what_to_do() -> None:
    section = findings(linted())
    assert section is not None
    assert section.finding == "The lake holds no findings, because an older version imported the scenario."
    assert plain([section.body]) == "Import it again into a new lake, or run 'aslib-eval check'."
    assert badge(linted()) is None


def row(name: str, n_others: int, share: float, kind: str = "2 selectors") -> dict[str, Any]:
    others = "b" if n_others else None
    return {"name": name, "others": others, "share": share, "kind": kind, "winner": "a", "n_definitions": 9}  # fmt: skip


def test_in_how_many_scenarios_another_definition_has_another_first() -> None:
    assert (
        agreement([row("S", 0, 1.0)])
        == "In 0 of 1 scenario, another protocol or metric puts another system first."
    )
    some = [row("T", 1, 0.5), row("S", 1, 0.5), row("R", 2, 0.75), row("Q", 0, 0.1)]
    end = "another protocol or metric puts another system first. This is most frequent on S, where a is first under only 50 % of 9 definitions."
    assert agreement(some) == f"In 3 of 4 scenarios, {end}"
    some[0]["kind"] = "3 algorithms"
    assert agreement(some) == f"In 3 of 4 scenarios (with algorithms alone: 1), {end}"
    alone = [{**r, "kind": "3 algorithms"} for r in some]
    assert agreement(alone) == f"In 3 of 4 scenarios, {end}"


@pytest.mark.parametrize(
    ("gaps", "said", "often"),
    [
        (
            [{"a": 0.5, "b": 0.25}, {"a": 0.25, "b": 0.5}, {"a": 0.75, "b": -1.0}],
            "a closes 50 % of the gap in the mean over 3 scenarios, 58 percentage points ahead of b.",
            "a is first on 2 of 3 scenarios.",
        ),
        (
            [{"a": 0.5, "b": 0.25, "c": 0.5}, {"a": 0.25, "b": 0.5, "c": 0.25}],
            "a, b and c each close 38 % of the gap in the mean over 2 scenarios.",
            "a, b and c are each first or tied on 1 of 2 scenarios (first alone: b on 1).",
        ),
        (
            [{"a": -0.5, "b": -0.25}, {"a": 0.0, "b": -0.25}, {"c": 1.0}],
            (
                "No selector is better than the best algorithm in the mean over 2 scenarios:"
                " a and b each lose least, 25 % of the gap."
            ),
            "a, b and c are each first on 1 of 3 scenarios; on 2 no selector beats the best algorithm.",
        ),
        (
            [{"a": 0.5}],
            "a closes 50 % of the gap on S0. The scenario's page says how sure this is.",
            "a is first on 1 of 1 scenario.",
        ),
    ],
)
def test_who_closes_most_of_the_gap(gaps: list[dict[str, float]], said: str, often: str) -> None:
    lines: Any = [SimpleNamespace(gaps=each, row={"name": f"S{n}"}) for n, each in enumerate(gaps)]
    places = {s: n for n, s in enumerate(sorted({s for each in gaps for s in each}))}
    suite: Any = SimpleNamespace(places=places, tested=None)
    assert plain(_of_scenarios(suite, lines)).replace("\xa0", " ") == said
    assert _first_on(lines) == often


def test_the_pair_that_a_page_begins_with() -> None:
    solvers = (("algorithm", "a"), ("algorithm", "b"), ("algorithm", "c"))
    costs = np.array([[1.0, 2.0, 0.0], [5.0, 1.0, 0.0], [3.0, 3.0, 0.0], [9.0, 8.0, 0.0]])
    given = RunMatrix(solvers, tuple("ijkl"), costs, np.ones((4, 3)))
    found = results(complete=given, frames=TWO, penalised=lambda m: m.costs, n=4)
    assert _first_two(found) == "b is better than a on 2 of 4 instances, worse on 1."
    one = scores(("algorithm", "b", 0.5, 2.0))
    assert _first_two(results(complete=given, frames=one)) == "Any two solvers, instance by instance."
    assert _first_two(results(frames=TWO)) == "Any two solvers, instance by instance."
