"""The algorithms: their ranking, and what each adds to the portfolio."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.systems import Compared
from aslib_eval.analysis.results import RunMatrix, ScenarioResults, first_of
from aslib_eval.analysis.summaries import mending, same_choices
from aslib_eval.figures.ranks import all_tie, bump
from aslib_eval.figures.runtimes import speedup
from aslib_eval.metrics.scale import amc, rmc, shapley, vbs_without
from aslib_eval.reports.html import (
    IN_UNIT,
    Card,
    Header,
    Html,
    HtmlTable,
    Section,
    cards,
    details,
    figure,
    in_unit,
    join,
    live,
    metric_columns,
    paragraph,
)
from aslib_eval.reports.sections.ranking import GROUP, VS_BEST, kind_of, legends, marked, ranking
from aslib_eval.statistics.distributions import binary_scale
from aslib_eval.text import KNOWN, brief, comparable, list_names, number, plural, rounded_to_zero

_NAME = (
    Header("solver", "algorithm"),
    Header("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"),
)
_SOLVED = (
    Header("amc", "marginal", "AMC: log10 of the cost of VBS without it over VBS",
           best="max"),
    Header("rmc", "marginal share", "RMC: its share of all marginal contributions"),
)  # fmt: skip
_LOST = (Header("lost", "marginal", "growth of VBS's mean cost without it", best="max"),)
_REST = (
    Header("shapley", "Shapley", "share of what the portfolio saves over none at all: "
           "timeouts, for a quality the worst cost", best="max"),
)  # fmt: skip
_DOMINATED = (
    Header("dominated", "dominated by", "algorithms nowhere worse and somewhere better",
           words=True),
)  # fmt: skip


def algorithms(results: ScenarioResults) -> Section | None:
    """Their ranking, where the page begins with that of the selectors."""
    if results.matrix is None or kind_of(results) == "algorithm":
        return None
    table = ranking(results, "algorithm", name="algorithms-table")
    n = len(results.matrix.columns("algorithm"))
    title, over = f"Algorithms ({n})", results.population
    finding = _first(results)
    return Section("algorithms", title, over, table, follows="part", finding=finding)


def _first(results: ScenarioResults) -> str:
    """Who is first and who is second of the algorithms, and what they solve."""
    rows = results.frames["score"].filter(kind="algorithm").to_dicts()
    if results.hopeless or not rows:
        return "No algorithm solves any instance."
    ties = len(first_of(results.frames["score"], "algorithm"))
    told = [
        f"{row['solver']} ({brief(row['solved'])} solved)"
        if results.timed
        else f"{row['solver']} ({brief(results.own(row['cost']))} {results.measure})"
        for row in rows[: max(2, min(ties, 3))]
    ]
    if ties > 1:
        more = f" and {ties - 3} more" if ties > len(told) else ""
        return f"The best are tied: {', '.join(told)}{more}."
    return f"The best is {', then '.join(told)}."


def contributions(results: ScenarioResults) -> Section | None:
    """What each algorithm adds to the portfolio, and its other scores."""
    matrix = results.matrix
    if matrix is None:
        return None
    found = results.compared("algorithms_sbs")
    rows = _rows(results, matrix)
    if found:
        rows = [row | marked(row["solver"], sbs=found) for row in rows]
    relative, absolute = (
        metric_columns((m for m in results.metrics.values() if m.relative is of), rows)
        for of in (True, False)
    )
    worth = (*_SOLVED, *_REST) if results.timed else (*_LOST, *_REST)
    groups = (GROUP,) if found else ()
    columns = [
        column
        for column in (*_NAME, *worth, *_DOMINATED, *absolute, *groups, *relative)
        if any(row.get(column.key) is not None for row in rows)
    ]
    columns = in_unit(columns, results.cost_unit)
    if len(columns) == 1:
        return None
    table = HtmlTable(
        "contributions-table",
        "Contributions and other scores of the algorithms",
        columns,
        rows,
        str(results.n),
        results.protocol,
    )
    body = join([table.html(), legends(found, groups=True)])
    title, finding = "Contributions", _finding(rows)
    over = results.population
    return Section("contributions", title, over, body, follows="part", finding=finding)


def _finding(rows: list[dict[str, Any]]) -> str:
    known = [row for row in rows if row.get("shapley") is not None]
    n = sum(row["dominated"] is not None for row in rows)
    words = f"{n or 'None'} of {plural(len(rows), 'algorithm')} "
    words += f"{'is' if n < 2 else 'are'} dominated by another."  # noqa: PLR2004
    if not known:
        return words
    most = max(comparable(row["shapley"]) for row in known)
    who = [row["solver"] for row in known if comparable(row["shapley"]) == most]
    each = "contributes most" if len(who) == 1 else "each contribute most"
    return (
        f"{list_names(who, most=3, quoted=False)} {each}, {brief(most)} of what "
        f"the portfolio saves (Shapley value). {words}"
    )


def _rows(results: ScenarioResults, matrix: RunMatrix) -> list[dict[str, Any]]:
    worth = _contributions(results, matrix)
    dominated = dict(results.frames["dominated"].select("algorithm", "by").rows())
    scores = results.frames["score"].filter(pl.col("kind") == "algorithm")
    return [
        {
            **row,
            "gap": row["closed_gap"],
            "_solver": matrix.number("algorithm", row["solver"]),
            "dominated": dominated.get(row["solver"]),
            **worth.get(row["solver"], {}),
        }
        for row in scores.to_dicts()
    ]


def _contributions(results: ScenarioResults, matrix: RunMatrix) -> dict[str, dict[str, float | None]]:
    """Marginal and Shapley contributions under the protocol's penalty.

    None where an algorithm has no cost on some instance.
    """
    columns = matrix.columns("algorithm")
    if not np.isfinite(matrix.costs[:, columns]).all():
        return {}
    costs = results.penalised(matrix)[:, columns]
    empty = float(costs.max())
    if results.timed:
        empty = float(results.choices["penalty"]) * float(results.summary["cutoff"])
    scale = binary_scale(costs)  # sums of large costs would overflow
    costs, empty = costs / scale, empty / scale
    marginal, values = amc(costs, empty=empty), shapley(costs, empty=empty)
    marginal = np.where(marginal <= KNOWN, 0.0, marginal)
    vbs = float(costs.min(axis=1).mean())
    lost = vbs_without(costs, empty=empty) - vbs
    shares, whole = rmc(marginal).to_list(), values.sum()
    return {
        matrix.solvers[column][1]: {
            "amc": float(marginal[i]),
            "rmc": shares[i],
            "lost": rounded_to_zero(float(lost[i]) * scale, size=vbs * scale),
            "shapley": rounded_to_zero(float(values[i] / whole)) if whole > 0 else None,
        }
        for i, column in enumerate(columns)
    }


_SELECTOR_NAME = Header("solver", "selector")
_TRAINED = Header("trained", "trained on", "split, seed, version; else imported",
                  words=True)  # fmt: skip


def selectors(results: ScenarioResults) -> Section | None:
    """Their scores and places by every metric, and their speedups over SBS."""
    matrix = results.matrix
    if matrix is None or not matrix.columns("selector"):
        return None
    n = len(matrix.columns("selector"))
    best, sbs = (results.compared(f"selectors_{name}") for name in ("tested", "sbs"))
    finding = f"{plural(n, 'selector')} by every metric, and how they were trained."
    body, charts = [_table(results, best, sbs), legends(best)], {}
    body.append(legends(best or sbs, groups=True))
    choices = results.frames["choice"]
    body += map(paragraph, same_choices(choices.filter(choices["place"] == 1)))
    if (places := bump(results)) is not None:
        charts["bump"] = places
        finding = places.about
        body.append(figure("bump", "The same selections, ranked by every metric"))
    elif n > 1 and all_tie(results):
        finding = "All selectors tie under every metric."
    if (times := speedup(results)) is not None:
        charts["speedups"] = times
        body.append(figure("speedups", times.title, times.about))
    if words := [paragraph(one.sentence) for one in (best, sbs) if one]:
        body.append(details("The comparison in words", *words))
    title, over = "Every metric", results.population
    return Section("selectors", title, over, join(body), charts, finding=finding)


_CAUSES = (
    Header("solver", "selector"),
    Header("step", "cause", words=True),
    Header("n_main", "main cause of", "instances of which it is the main cause, in the "
           "order of the chart"),
    Header("loss", "in order", "mean cost lost by it after those before it" + IN_UNIT),
    Header("shapley", "over all orders", "mean cost that putting it right saves in the "
           "mean over all orders of the causes: its Shapley value" + IN_UNIT),
    Header("alone", "mended alone", "mean cost that is saved if it alone is put right"
           + IN_UNIT),
)  # fmt: skip


def losses(results: ScenarioResults) -> Section | None:
    """The ledger of every selector, with the order of the causes and without."""
    lost = pl.any_horizontal(pl.col("loss", "shapley", "alone") != 0)
    frame = results.frames["loss"].filter(lost)
    rows = frame.select(column.key for column in _CAUSES).to_dicts()
    finding, *more = mending(results.frames["loss"], results.cost_unit) or [""]
    if not rows or not finding:
        return None
    caption = "What each cause costs each selector, in order and without"
    columns = in_unit(_CAUSES, results.cost_unit)
    table = HtmlTable("causes-table", caption, columns, rows, str(results.n), results.protocol)
    body = join([*map(paragraph, more), table.html()])
    title, over = "Causes of loss", results.population
    return Section("losses", title, over, body, finding=finding)


def _table(results: ScenarioResults, best: Compared | None, sbs: Compared | None) -> Html:
    matrix = results.matrix
    assert matrix is not None  # noqa: S101 - the caller has looked
    frame = results.frames["score"].filter(pl.col("kind") == "selector")
    rows = [
        {
            **row,
            **marked(row["solver"], best=best, sbs=sbs),
            "_solver": matrix.number("selector", row["solver"]),
        }
        for row in frame.to_dicts()
    ]
    metrics = metric_columns(results.metrics.values(), rows)
    metrics = in_unit(metrics, results.cost_unit)
    columns = [
        column
        for column in (_SELECTOR_NAME, VS_BEST, GROUP, *metrics, _TRAINED)
        if any(row.get(column.key) is not None for row in rows)
    ]
    caption = "Scores of the selectors"
    table = HtmlTable("selectors-table", caption, columns, rows, str(results.n), results.protocol)
    return table.html()


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
    finding = _baselines_finding(results, found)
    return Section("room", title, over, body, follows="all", finding=finding)


def _baselines_finding(results: ScenarioResults, found: dict[str, Any]) -> str | Html:
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
