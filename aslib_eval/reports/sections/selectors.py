"""The selectors: every metric, who changes places between them, and what is lost."""

from __future__ import annotations

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.summaries import mending, same_choices
from aslib_eval.figures.bump import all_tie, bump
from aslib_eval.figures.intervals import against_sbs
from aslib_eval.figures.speedup import speedup
from aslib_eval.figures.waterfall import waterfall
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    details,
    figure,
    join,
    metric_columns,
    own_column,
    paragraph,
)
from aslib_eval.reports.sections.significance import MARKS, legends, marked

_NAME = Header("solver", "solver")
_NOW = (
    Header("now", "PARk now", "mean PARk of the chosen k and instances", live="par"),
    Header("solved", "solved", "share of the instances solved", live="solved"),
)
_GAP = Header(
    "gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"
)
_TRAINED = Header("trained", "trained on", "split, seed, version; else imported",
                  words=True)  # fmt: skip


def selectors(results: ScenarioResults) -> Section | None:
    """Leaderboard, ranks under every metric, and the way from VBS to each selector."""
    matrix = results.matrix
    if matrix is None or not matrix.columns("selector"):
        return None
    n = len(matrix.columns("selector"))
    found = [results.compared(name) for name in ("selectors_tested", "selectors_sbs")]
    body, charts = [_table(results, *found), legends(*found)], {}
    choices = results.frames["choice"]
    body += map(paragraph, same_choices(choices.filter(choices["place"] == 1)))
    if (places := bump(results)) is not None:
        charts["bump"] = places
        title = "The same selections, ranked by every metric"
        body.append(figure("bump", title, places.about))
    elif n > 1 and all_tie(results):
        body.append(paragraph("All selectors tie under every metric."))
    if (gain := against_sbs(results)) is not None:
        charts["against-sbs"] = gain
        title = "Advantage over SBS, with 95 % intervals"
        words = [paragraph(one.sentence) for one in found if one]
        body.append(figure("against-sbs", title, gain.about))
        body.append(details("In words", *words))
    if (times := speedup(results)) is not None:
        charts["speedups"] = times
        body.append(figure("speedups", times.title, times.about))
    if (losses := waterfall(results)) is not None:
        charts["waterfall"] = losses
        body.append(figure("waterfall", "Where the gap goes", losses.about))
        body += map(paragraph, mending(results.frames["loss"]))
        body.append(
            details("What each cause costs, in order and without", _causes(results))
        )
    title = f"Selectors ({n})"
    return Section(
        "selectors", title, results.population, join(body), charts, follows="part"
    )


_CAUSES = (
    Header("solver", "selector"),
    Header("step", "cause", words=True),
    Header("n_main", "main cause of", "instances of which it is the main cause, in the "
           "order of the chart"),
    Header("loss", "in order", "mean cost lost by it after those before it"),
    Header("shapley", "over all orders", "mean cost that putting it right saves in the "
           "mean over all orders of the causes: its Shapley value"),
    Header("alone", "mended alone", "mean cost that is saved if it alone is put right"),
)  # fmt: skip


def _causes(results: ScenarioResults) -> Html:
    """The ledger of every selector, with the order of the causes and without."""
    import polars as pl

    lost = pl.any_horizontal(pl.col("loss", "shapley", "alone") != 0)
    frame = results.frames["loss"].filter(lost)
    rows = frame.select(column.key for column in _CAUSES).to_dicts()
    caption = "What each cause costs each selector"
    return HtmlTable(
        "causes-table", caption, _CAUSES, rows, str(results.n), results.protocol
    ).html()


def _table(
    results: ScenarioResults, best: Compared | None, sbs: Compared | None
) -> Html:
    import polars as pl

    matrix = results.matrix
    assert matrix is not None  # noqa: S101 - the caller has looked
    frame = results.frames["score"].filter(pl.col("kind") == "selector")
    rows = [
        {
            **row,
            **marked(row["solver"], best=best, sbs=sbs),
            "now": row["cost"],
            "own": results.own(row["cost"]),
            "gap": row["closed_gap"],
            "_solver": matrix.number("selector", row["solver"]),
        }
        for row in frame.to_dicts()
    ]
    now = (
        _NOW
        if results.timed
        else (own_column(results.measure, maximize=results.summary["maximize"]),)
    )
    columns = [
        _NAME,
        *now,
        _GAP,
        *MARKS,
        *metric_columns(results.metrics.values(), rows),
        _TRAINED,
    ]
    columns = [c for c in columns if any(row.get(c.key) is not None for row in rows)]
    caption = "Scores of the selectors"
    table = HtmlTable(
        "selectors-table", caption, columns, rows, str(results.n), results.protocol
    )
    return table.html()
