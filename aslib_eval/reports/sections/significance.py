"""Which differences are real, beside the scores: marks, groups and intervals."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.compare.for_report import (
    QUESTIONS,
    Compared,
    groups_legend,
    legend,
    tested,
)
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Mark, Rule
from aslib_eval.reports.html import Column, Html, details, figure, paragraph, tag
from aslib_eval.text import number

MARKS = (
    Column("mark", "vs best", "+ better, - worse, = no difference shown from the best "
           "mean, which has o; under the protocol, whatever is chosen"),
    Column("mark_sbs", "vs SBS", "+ better, - worse, = no difference shown from SBS, "
           "which has o; under the protocol, whatever is chosen"),
    Column("sk_group", "group", "Scott-Knott group by mean cost, 1 = best; under the "
           "protocol, whatever is chosen"),
)  # fmt: skip
_ABOUT = (
    "Where it stands is the mean, its colour what the test says of the instances one "
    "by one: who saves much on a few may be worse on most."
)
_MINUS = {"-": "\N{MINUS SIGN}"}


def tested_of(facts: ScenarioResults, name: str) -> Compared | None:
    """One of the comparisons of QUESTIONS; None if nothing could be tested."""
    if facts.hopeless:
        return None
    return tested(facts.frames.get(name), QUESTIONS[name])


def marked(
    system: str, *, best: Compared | None = None, sbs: Compared | None = None
) -> dict[str, Any]:
    """The cells of MARKS of one system, and what they say."""
    cells: dict[str, Any] = {}
    tips: dict[str, str] = {}
    if sbs is not None:
        row = sbs.of(system)
        # Who is missing among the others is SBS itself.
        cells["mark_sbs"] = _MINUS.get(row["mark"], row["mark"]) if row else "o"
        cells["sk_group"] = (row or sbs.of("SBS")).get("sk_group")
        tips["mark_sbs"] = _advantage(row, sbs) if row else f"{system} is SBS"
        tips["sk_group"] = f"of {_groups(sbs)} groups, SBS among them"
    if best is not None and (row := best.of(system)):
        cells["mark"] = _MINUS.get(row["mark"], row["mark"])
        cells["sk_group"] = row["sk_group"]
        tips["mark"] = f"mean rank {number(row['mean_rank'])}, n = {row['n']}"
        tips["sk_group"] = f"of {_groups(best)} groups"
    return cells | {"_tips": tips}


def _groups(found: Compared) -> int:
    return max((row["sk_group"] or 0 for row in found.rows), default=0)


def _advantage(row: dict[str, Any], found: Compared) -> str:
    ahead = "ahead of" if row["advantage"] >= 0 else "behind"
    level = 100 * (1 - found.question.alpha)
    return (
        f"{ahead} SBS by {number(abs(row['advantage']))} in mean cost ({level:g} % "
        f"interval {number(row['lower'])} to {number(row['upper'])}), better on "
        f"{row['wins']}, worse on {row['losses']}, equal on {row['ties']}, adjusted "
        f"p = {row['p_adjusted']:.2g}, n = {row['n']}"
    )


def legends(*found: Compared | None) -> Html:
    """What the marks and groups say: test, unit, n, correction, level."""
    known = [one for one in found if one is not None]
    said = [legend(one) for one in known]
    said += [groups_legend(known[0])] if known else []
    return tag("p", " ".join(said), attrs={"class": "population"}) if said else Html()


def against_sbs(facts: ScenarioResults, charts: dict[str, object]) -> list[Html]:
    """Mean advantage of every selector over SBS, with its interval."""
    found = tested_of(facts, "selectors_sbs")
    if found is None:
        return []
    rows = [row for row in found.rows if row["advantage"] is not None]
    rows.sort(key=lambda row: (-row["advantage"], row["system"]))
    if not rows:
        return []
    ends = [end for row in rows for end in (row["lower"], row["upper"])]
    charts["against-sbs"] = Chart(
        "Mean advantage over SBS, with its interval",
        _ABOUT,
        Linear(f"mean cost saved ({facts.unit})", min(0, *ends), max(0, *ends)),
        Band([row["system"] for row in rows]),
        [Rule(0, "SBS"), *_intervals(rows, found)],
        f"protocol {facts.protocol}",
        row_height=28,
    ).spec()
    title = "Advantage over SBS, with 95 % intervals"
    best = tested_of(facts, "selectors_tested")
    words = [best.sentence] if best else []
    said = [paragraph(text) for text in (*words, found.sentence)]
    return [figure("against-sbs", title, _ABOUT), details("In words", *said)]


def _intervals(rows: list[dict[str, Any]], found: Compared) -> list[Mark]:
    """A bar from end to end and a dot, coloured where the test shows a difference."""
    colors = {"+": "low", "-": "high"}
    said = ("better by the test", "worse by the test", "no difference shown")
    names = dict(zip(("low", "high", "faint"), said, strict=True))
    marks: list[Mark] = []
    for at, row in enumerate(rows):
        paint = colors.get(row["mark"], "faint")
        tip = f"{row['system']}: {_advantage(row, found)}"
        points = [[x, at, tip] for x in (row["lower"], row["upper"])]
        marks.append(Line(points, color=paint, width=3))
        # Each colour stands once in the legend.
        name = names.pop(paint, "")
        marks.append(Dots([[row["advantage"], at, tip]], name=name, color=paint, r=5))
    return marks
