"""What a page tells at first sight: a sentence, who leads, and one figure."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    figure,
    glossed,
    join,
    live,
    own_column,
    tag,
)
from aslib_eval.reports.sections.significance import MARKS, marked
from aslib_eval.text import number, plural

_MOST = 10
# fmt: off
_TIMED = (
    Header("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap",
           best="max"),
    Header("now", "PARk now", "mean PARk of the chosen k and instances", live="par",
           best="min"),
    Header("solved", "solved", "share of the instances solved", live="solved",
           best="max"),
)
# fmt: on


def glance(results: ScenarioResults) -> Section:
    """Who is best, by how much, and whether that is shown."""
    found = results.baseline
    if found is None:
        words = tag("p", "The lake holds no runs of this scenario.", attrs=_STORY)
        return Section("glance", "At a glance", "", words)
    kind = _kind(results)
    best = _leader(results, kind)
    story = [
        part if isinstance(part, Html) else glossed(part)
        for part in _sentence(results, found, best)
    ]
    parts = [
        tag("p", *story, attrs=_STORY),
        _table(results, kind),
    ]
    if results.complete is not None and not results.hopeless:
        parts.append(figure("standing", _TITLE[kind], "All on the same instances."))
    title = "At a glance"
    return Section("glance", title, results.population, join(parts), follows="all")


_STORY = {"class": "story"}
# What the best selector does with so many per cent of the gap; page.js says the same.
_CLOSES, _LOSES = "closes", "is worse than SBS: it loses"
_TITLE = {
    "selector": "How much of the way from SBS (0) to VBS (1) each selector goes",
    "algorithm": "The best algorithms, and VBS",
}


def _kind(results: ScenarioResults) -> str:
    present = results.frames["score"]["kind"].to_list()
    return "selector" if "selector" in present else "algorithm"


def _leader(results: ScenarioResults, kind: str) -> dict[str, Any] | None:
    """Who costs least in the mean, the first by name of equals."""
    frame = results.frames["score"]
    for row in frame.filter(frame["kind"] == kind).to_dicts():
        return row
    return None


def _sentence(
    results: ScenarioResults, found: dict[str, Any], best: dict[str, Any] | None
) -> list[Html | str]:
    """The page's own summary; every number in it follows the reader's choices."""
    if results.hopeless:
        return [f"Nobody solves any of the {results.n} instances: all tie."]
    words: list[Html | str] = []
    if best is not None and best["kind"] == "selector":
        words += _of_selector(results, best)
    n = plural(results.summary["n_algorithms"] or 0, "algorithm")
    words += ["The best of ", n, " is ", live("sbs", found["sbs"])]
    if results.timed:
        words += [", which solves ", live("sbs-solved-percent",
                  _percent(found["sbs_solved"])), " % of the instances"]  # fmt: skip
    words += ["; " if results.timed else " ", *_of_vbs(results, found), "."]
    if best is None or best["kind"] != "selector":
        words += [" No selector has answered here."]
    return words


def _of_selector(results: ScenarioResults, best: dict[str, Any]) -> list[Html | str]:
    shown = live("best-selector", best["solver"])
    gap = best["closed_gap"]
    if gap is None:
        return [shown, " costs least of the selectors. "]
    does = live("best-does", _LOSES if gap < 0 else _CLOSES)
    closes = [shown, " ", does, " ", live("best-gap-percent", _percent(abs(gap)))]
    found = results.compared("selectors_sbs")
    says = _shown_by(found, best["solver"], loses=gap < 0)
    tested = tag("span", f", {says}", attrs={"class": "as-stored"}) if says else ""
    return [*closes, " % of the gap between SBS and VBS", tested, ". "]


def _shown_by(found: Compared | None, system: str, *, loses: bool) -> str:
    """What test and interval say of a selector's difference from SBS.

    loses: the sentence says already that it is worse in the mean.
    """
    row = found.of(system) if found else None
    if not row or row["lower"] is None or row["upper"] is None:
        return ""
    mean = "+" if row["lower"] > 0 else "-" if row["upper"] < 0 else "="
    of_worse = "significantly" if loses else "significantly below 0"
    of_mean = {"+": "significantly", "-": of_worse}
    words = of_mean.get(mean, "not significantly")
    mark = row["mark"]
    if mark in {mean, "o"}:
        return words
    if mark == "=":
        return f"{words}; by instances no difference is shown"
    if row["wins"] == row["losses"]:
        return f"{words}; as often better than SBS as worse"
    ways = ("better than SBS than worse", "worse than SBS than better")
    often = ways[0] if row["wins"] > row["losses"] else ways[1]
    return f"{words}; by instances more often {often}"


def _of_vbs(results: ScenarioResults, found: dict[str, Any]) -> list[Html | str]:
    room = results.summary["room"]
    if found["reason"]:
        return ["no choice among them is better"]
    if results.timed and room is not None:
        solves = live("vbs-solved-percent", _percent(found["vbs_solved"]))
        k = live("k", results.choices["penalty"])
        faster = ["VBS is ", live("room", room), " times faster (PAR", k, ")"]
        return [*faster, " and solves ", solves, " %"]
    sbs, vbs = (results.own(found[f"{of}_cost"]) for of in ("sbs", "vbs"))
    return ["with ", live("sbs-own", sbs), f" {results.measure} in the mean; VBS has ",
            live("vbs-own", vbs)]  # fmt: skip


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _table(results: ScenarioResults, kind: str) -> Html:
    frame = results.frames["score"]
    found = results.compared(f"{kind}s_sbs")
    matrix = results.matrix
    rows = [
        {
            **marked(row["solver"], sbs=found),
            "solver": row["solver"],
            "now": row["cost"],
            "gap": row["closed_gap"],
            "own": results.own(row["cost"]),
            "solved": row["solved"],
            "_solver": matrix.number(kind, row["solver"]) if matrix else None,
        }
        for row in frame.filter(frame["kind"] == kind).to_dicts()
    ]
    n = len(rows)
    columns = [Header("solver", kind), *(_TIMED if results.timed else _TIMED[:1])]
    if not results.timed:
        columns.append(
            own_column(results.measure, maximize=results.summary["maximize"])
        )
    shown = {"mark_sbs", "better_on", "worse_on"} if found else set()
    columns += [column for column in MARKS if column.key in shown]
    if all(row["gap"] is None for row in rows):
        columns = [c for c in columns if c.key != "gap"]
    caption = f"The {kind}s" if n <= _MOST else f"The best {_MOST} of {n} {kind}s"
    if kind == "algorithm":
        rows = rows[:_MOST]
    else:
        caption = f"The {kind}s"
    table = HtmlTable(
        "leaders", f"{caption}, the best first", columns, rows, number(results.n),
        results.protocol,
    )  # fmt: skip
    return table.html()
