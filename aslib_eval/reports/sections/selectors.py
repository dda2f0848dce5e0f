"""The selectors: every metric, who changes places between them, and what is lost."""

from __future__ import annotations

import polars as pl

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.summaries import mending, same_choices
from aslib_eval.figures.bump import all_tie, bump
from aslib_eval.figures.speedup import speedup
from aslib_eval.reports.html import (
    IN_UNIT,
    Header,
    Html,
    HtmlTable,
    Section,
    details,
    figure,
    in_unit,
    join,
    metric_columns,
    paragraph,
)
from aslib_eval.reports.sections.significance import GROUP, VS_BEST, legends, marked
from aslib_eval.text import plural

_NAME = Header("solver", "selector")
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
        for column in (_NAME, VS_BEST, GROUP, *metrics, _TRAINED)
        if any(row.get(column.key) is not None for row in rows)
    ]
    caption = "Scores of the selectors"
    table = HtmlTable("selectors-table", caption, columns, rows, str(results.n), results.protocol)
    return table.html()
