"""The page of one scenario."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import Card, Html, Section, cards, join, live, tag
from aslib_eval.reports.page import controls, page
from aslib_eval.reports.page_data import page_data
from aslib_eval.reports.sections import SECTIONS
from aslib_eval.reports.sections.about import badge
from aslib_eval.text import number, plural

_COUNTED = "instances that count under the protocol"
_RAN = "algorithms with runs"
_VALUED = "instance features with values, and the steps that compute them"
_SPLIT = "folds of the scenario's own split"
_SOLVED = "share of all runs of algorithms that are solved"
_CHOICES = "the protocol of every number here, and the hash of its choices"
_HASH = "SHA-256 over all files"
_HASHED = "first 12 digits of the hash over the source files"


def scenario_page(results: ScenarioResults) -> str:
    """Everything that the lake says of a scenario and measure, as one HTML file."""
    made = [section(results) for section in SECTIONS]
    sections: list[Section] = [part for part in made if part is not None]
    data = page_data(results)
    return page(
        title=results.title,
        head=_head(results),
        sections=sections,
        data=data,
        controls=_controls(results) if data is not None else None,
    )


def _head(results: ScenarioResults) -> Html:
    home = tag("a", "All scenarios", attrs={"href": "../index.html", "class": "home"})
    return join(
        [
            home,
            tag("h1", results.title),
            _lead(results),
            badge(results),
            _facts(results),
        ]
    )


def _lead(results: ScenarioResults) -> Html:
    summary = results.summary
    kind = "runtime" if results.timed else "solution quality"
    way = "larger is better" if summary["maximize"] else "smaller is better"
    cutoff = f", cutoff {number(summary['cutoff'])}" if summary["cutoff"] else ""
    said = (
        f"{summary['measure']} ({kind}, {way}{cutoff}); times in the scenario's unit."
    )
    return tag("p", said, attrs={"class": "lead"})


def _facts(results: ScenarioResults) -> Html:
    summary, choices, baseline = results.summary, results.choices, results.baseline
    steps = _steps(summary["n_steps"])
    solved = Card("runs solved", summary["solved"], "share", _SOLVED)
    return cards(
        [
            Card("instances", summary["n_instances"], about=_COUNTED),
            Card("algorithms", summary["n_algorithms"], _repetitions(summary), _RAN),
            Card("features", summary["n_features"], steps, _VALUED),
            Card("folds", summary["n_folds"], about=_SPLIT),
            solved if baseline else Card("runs", "none"),
            Card("protocol", choices["protocol"], choices["hash"], _CHOICES),
            Card("sources", summary["source_sha256"][:8], _HASH, _HASHED),
        ],
        population=results.population,
    )


def _steps(n: int) -> str:
    return plural(n, "step")


def _repetitions(summary: dict[str, Any]) -> str:
    n = summary["n_repetitions"] or 1
    return f"{n} repetitions" if n > 1 else ""


def _controls(results: ScenarioResults) -> Html | None:
    found = results.baseline
    if found is None:
        return None
    return controls(
        timed=results.timed,
        penalty=results.choices["penalty"],
        shown={
            "n": live("n", found["n_instances"]),
            "SBS": join(
                [live("sbs", found["sbs"]), " ", live("sbs-par", found["sbs_cost"])]
            ),
            "VBS": live("vbs-par", found["vbs_cost"]),
        },
    )
