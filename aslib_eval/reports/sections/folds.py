"""Folds: which SBS each has, and how much a gap varies between them."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.folds import LEAST, fold_gaps, fold_name
from aslib_eval.reports.html import IN_UNIT, Header, HtmlTable, Section, figure, in_unit, join
from aslib_eval.text import number

_FOLDS = (
    Header("fold", "fold"),
    Header("n_instances", "n", "instances of the fold"),
    Header("sbs_train", "SBS, training", "single best of the other folds", words=True),
    Header("sbs_test", "SBS, test", "single best of this fold", words=True),
    Header("sbs_train_cost", "its cost here", "mean cost on this fold of the SBS of the others" + IN_UNIT),
    Header("sbs_test_cost", "best cost", "mean cost of this fold's own SBS" + IN_UNIT),
    Header("vbs_cost", "VBS", "mean cost of VBS on this fold" + IN_UNIT),
)


def folds(results: ScenarioResults) -> Section | None:
    """A table of the folds, and every selector's closed gap on each."""
    frame = results.frames["fold_sbs"]
    if not frame.height:
        return None
    rows = [{**row, "fold": fold_name(row), "_n": row["n_instances"]} for row in frame.to_dicts()]
    columns = in_unit(_FOLDS, results.cost_unit)
    table = HtmlTable("folds-table", "The folds", columns, rows, "", results.protocol)
    moved = sum(row["sbs_train"] not in {None, row["sbs_test"]} for row in rows)
    text = f"In {moved or 'none'} of {len(rows)} folds, the SBS of the others is not "
    text += "the fold's own."
    chart = fold_gaps(results)
    drawn = {} if chart is None else {"fold-gaps": chart}
    place = figure("fold-gaps", "Closed gap, fold by fold", _about(results))
    body = join([place if drawn else None, table.html()])
    title, over = f"Folds ({len(rows)})", results.population
    return Section("folds", title, over, body, drawn, finding=text)


def _about(results: ScenarioResults) -> str:
    """Which SBS the gaps are against, and how many stand at the edge."""
    about = f"SBS by the protocol's scope: {results.choices['sbs_scope']}."
    gaps = results.frames["fold"]["closed_gap"].drop_nulls()
    if below := (gaps < LEAST).sum():
        about += f" {below} gaps below {number(LEAST)} stand at the left edge."
    return about
