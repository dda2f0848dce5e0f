"""Baselines, and the room for improvement between them."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import Card, Html, Section, cards, join, live, paragraph
from aslib_eval.text import number

_SBS = "the single best algorithm of the chosen portfolio"
_VBS = "the virtual best: the best algorithm on every instance"
_VWS = "the virtual worst: the worst algorithm on every instance"
_ROOM = "cost of SBS over cost of VBS"
_GAP = "attainable closed gap"
_ATTAINABLE = "closed gap of a VBS that pays for the features first"
_SHARES = "share of the instances that SBS solves, and that VBS solves"


def baselines(results: ScenarioResults) -> Section | None:
    """SBS, VBS and VWS under the chosen k and portfolio; what a selector can attain."""
    found = results.baseline
    if found is None:
        return None
    body = join([_cards(results, found), _ties(found), _remark(results)])
    title, over = "Baselines and room", results.population
    finding = _finding(results, found)
    return Section("room", title, over, body, follows="all", finding=finding)


def _finding(results: ScenarioResults, found: dict[str, Any]) -> str | Html:
    """How far SBS is from VBS, and what a selector can reach of it."""
    room, ceiling = results.summary["room"], results.attainable
    if found["reason"] or room is None:
        return f"There is no gap: {found['reason']}." if found["reason"] else _OTHER
    parts = ["SBS costs ", live("room", room), " times as much as VBS"]
    if ceiling is not None and results.timed and results.frames["step"].height:
        pays = "; a VBS that pays for the features closes "
        parts += [pays, live("attainable", ceiling), " of the gap"]
    return join([*parts, "."])


_OTHER = "The single best, the virtual best and the virtual worst solver."


def _cards(results: ScenarioResults, found: dict[str, Any]) -> Html:
    cost = f"mean {results.measure}"
    if results.timed:
        cost = f"mean PARk{results.cost_unit}"
    whose = join([f"{cost} of ", live("sbs", found["sbs"])])
    room_, ceiling = results.summary["room"], results.attainable
    shown = [
        *(
            Card(name, _mean(results, found, name), told, f"{cost} of {what}")
            for name, told, what in (("SBS", whose, _SBS), ("VBS", cost, _VBS), ("VWS", cost, _VWS))
        ),
        Card("SBS / VBS", live("room", room_), "room for improvement", _ROOM),
    ]
    if results.frames["step"].height:
        value = live("attainable", ceiling)
        shown.append(Card(_GAP, value, "VBS + features", _ATTAINABLE))
    if results.timed:
        solved = join(
            [live("sbs-solved", found["sbs_solved"]), " → ", live("vbs-solved", found["vbs_solved"])]
        )
        unsolved = live("unsolvable", _unsolvable(results, found))
        shown += [
            Card("solved, SBS → VBS", solved, "share of instances", _SHARES),
            Card("unsolvable", unsolved, "instances no algorithm solves"),
        ]
    return cards(shown, population=results.population)


def _mean(results: ScenarioResults, found: dict[str, Any], name: str) -> Html:
    """The mean of a baseline; a quality is shown in its own direction."""
    of = name.lower()
    cost = found[f"{of}_cost"]
    return live(f"{of}-par", cost) if results.timed else live(f"{of}-own", results.own(cost))


def _unsolvable(results: ScenarioResults, found: dict[str, Any]) -> Any:
    dropped = results.choices["unsolvable"] == "drop"
    return 0 if dropped else found["n_unsolvable"]


def _ties(found: dict[str, Any]) -> Html | None:
    tied = found["sbs_tied"] or []
    if len(tied) <= 1:
        return None
    return paragraph(f"SBS is tied: {', '.join(tied)}; the first by name counts.")


def _remark(results: ScenarioResults) -> Html | None:
    words = []
    if results.complete is None:
        words.append("Some solver has no cost on some instance: nothing is recomputed.")
    found = results.baseline
    if results.hopeless:
        words.append(
            f"Nobody solves any of the {results.n} instances: every score is that of a "
            "timeout, and all tie."
        )
    if found and found["reason"]:
        words.append(f"There is no gap: {found['reason']}.")
    if results.choices["unsolvable"] == "drop" and found and found["n_unsolvable"]:
        n = number(found["n_unsolvable"])
        words.append(f"The protocol leaves out {n} instances that no algorithm solves.")
    return paragraph(" ".join(words)) if words else None
