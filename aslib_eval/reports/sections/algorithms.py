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
    title = f"Algorithms ({len(results.matrix.columns('algorithm'))})"
    over, finding = results.population, _first(results)
    return Section("algorithms", title, over, table, follows="part", finding=finding)


def _first(results: ScenarioResults) -> str:
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
    if results.matrix is None:
        return None
    found = results.compared("algorithms_sbs")
    rows = _rows(results, results.matrix)
    if found:
        rows = [row | marked(row["solver"], sbs=found) for row in rows]
    relative, absolute = (
        metric_columns((m for m in results.metrics.values() if m.relative is of), rows)
        for of in (True, False)
    )
    worth = (*_SOLVED, *_REST) if results.timed else (*_LOST, *_REST)
    columns = [
        column
        for column in (*_NAME, *worth, *_DOMINATED, *absolute, *((GROUP,) if found else ()), *relative)
        if any(row.get(column.key) is not None for row in rows)
    ]
    if len(columns) == 1:
        return None
    caption = "Contributions and other scores of the algorithms"
    columns, n = in_unit(columns, results.cost_unit), str(results.n)
    table = HtmlTable("contributions-table", caption, columns, rows, n, results.protocol)
    body, over = join([table.html(), legends(found, groups=True)]), results.population
    return Section("contributions", "Contributions", over, body, follows="part", finding=_finding(rows))


def _finding(rows: list[dict[str, Any]]) -> str:
    known = {row["solver"]: comparable(v) for row in rows if (v := row.get("shapley")) is not None}
    n = sum(row["dominated"] is not None for row in rows)
    are = "is" if n < 2 else "are"  # noqa: PLR2004
    words = f"{n or 'None'} of {plural(len(rows), 'algorithm')} {are} dominated by another."
    if not known:
        return words
    most = max(known.values())
    who = [solver for solver, share in known.items() if share == most]
    each = "contributes most" if len(who) == 1 else "each contribute most"
    return (
        f"{list_names(who, most=3, quoted=False)} {each}, {brief(most)} of what "
        f"the portfolio saves (Shapley value). {words}"
    )


def _rows(results: ScenarioResults, matrix: RunMatrix) -> list[dict[str, Any]]:
    worth = _contributions(results, matrix)
    dominated = dict(results.frames["dominated"].select("algorithm", "by").rows())
    return [
        {
            **row,
            "gap": row["closed_gap"],
            "_solver": matrix.number("algorithm", row["solver"]),
            "dominated": dominated.get(row["solver"]),
            **worth.get(row["solver"], {}),
        }
        for row in results.frames["score"].filter(kind="algorithm").to_dicts()
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
    n = len(matrix.columns("selector")) if matrix else 0
    if matrix is None or not n:
        return None
    best, sbs = (results.compared(f"selectors_{name}") for name in ("tested", "sbs"))
    finding = f"{plural(n, 'selector')} by every metric, and how they were trained."
    body, charts = [_table(results, matrix, best, sbs), legends(best)], {}
    body.append(legends(best or sbs, groups=True))
    body += map(paragraph, same_choices(results.frames["choice"].filter(place=1)))
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
    return Section("selectors", "Every metric", results.population, join(body), charts, finding=finding)


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
    frame = results.frames["loss"].filter(pl.any_horizontal(pl.col("loss", "shapley", "alone") != 0))
    rows = frame.select(column.key for column in _CAUSES).to_dicts()
    finding, *more = mending(results.frames["loss"], results.cost_unit) or [""]
    if not rows or not finding:
        return None
    caption = "What each cause costs each selector, in order and without"
    columns = in_unit(_CAUSES, results.cost_unit)
    table = HtmlTable("causes-table", caption, columns, rows, str(results.n), results.protocol)
    body = join([*map(paragraph, more), table.html()])
    return Section("losses", "Causes of loss", results.population, body, finding=finding)


def _table(
    results: ScenarioResults, matrix: RunMatrix, best: Compared | None, sbs: Compared | None
) -> Html:
    rows = [
        {
            **row,
            **marked(row["solver"], best=best, sbs=sbs),
            "_solver": matrix.number("selector", row["solver"]),
        }
        for row in results.frames["score"].filter(kind="selector").to_dicts()
    ]
    metrics = in_unit(metric_columns(results.metrics.values(), rows), results.cost_unit)
    columns = [
        column
        for column in (_SELECTOR_NAME, VS_BEST, GROUP, *metrics, _TRAINED)
        if any(row.get(column.key) is not None for row in rows)
    ]
    caption, n = "Scores of the selectors", str(results.n)
    return HtmlTable("selectors-table", caption, columns, rows, n, results.protocol).html()


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
    tied, finding = found["sbs_tied"] or [], _baselines_finding(results, found)
    ties = f"SBS is tied: {', '.join(tied)}; the first by name counts."
    parts = [_cards(results, found), paragraph(ties) if len(tied) > 1 else None, _remark(results)]
    title, over = "Baselines and room", results.population
    return Section("room", title, over, join(parts), follows="all", finding=finding)


def _baselines_finding(results: ScenarioResults, found: dict[str, Any]) -> str | Html:
    room, ceiling = results.summary["room"], results.attainable
    if found["reason"] or room is None:
        return f"There is no gap: {found['reason']}." if found["reason"] else _OTHER
    parts = ["SBS costs ", live("room", room), " times as much as VBS"]
    if ceiling is not None and results.timed and results.frames["step"].height:
        parts += ["; a VBS that pays for the features closes ", live("attainable", ceiling), " of the gap"]
    return join([*parts, "."])


_OTHER = "The single best, the virtual best and the virtual worst solver."


def _cards(results: ScenarioResults, found: dict[str, Any]) -> Html:
    cost = f"mean PARk{results.cost_unit}" if results.timed else f"mean {results.measure}"
    means = {  # a quality is shown in its own direction
        of: live(f"{of}-par", found[f"{of}_cost"])
        if results.timed
        else live(f"{of}-own", results.own(found[f"{of}_cost"]))
        for of in ("sbs", "vbs", "vws")
    }
    whose = join([f"{cost} of ", live("sbs", found["sbs"])])
    shown = [
        Card("SBS", means["sbs"], whose, f"{cost} of {_SBS}"),
        Card("VBS", means["vbs"], cost, f"{cost} of {_VBS}"),
        Card("VWS", means["vws"], cost, f"{cost} of {_VWS}"),
        Card("SBS / VBS", live("room", results.summary["room"]), "room for improvement", _ROOM),
    ]
    if results.frames["step"].height:
        shown.append(Card(_GAP, live("attainable", results.attainable), "VBS + features", _ATTAINABLE))
    if results.timed:
        ends = live("sbs-solved", found["sbs_solved"]), live("vbs-solved", found["vbs_solved"])
        left = 0 if results.choices["unsolvable"] == "drop" else found["n_unsolvable"]
        shown += [
            Card("solved, SBS → VBS", join([ends[0], " → ", ends[1]]), "share of instances", _SHARES),
            Card("unsolvable", live("unsolvable", left), "instances no algorithm solves"),
        ]
    return cards(shown, population=results.population)


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
        left = f"{number(found['n_unsolvable'])} instances that no algorithm solves"
        words.append(f"The protocol leaves out {left}.")
    return paragraph(" ".join(words)) if words else None
