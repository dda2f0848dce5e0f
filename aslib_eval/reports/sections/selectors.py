"""The selectors: every metric, who changes places between them, and what is lost."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.rounding import settled
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Boxes, Chart, Linear, Rule
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    figure,
    join,
    metric_columns,
    paragraph,
)
from aslib_eval.reports.ranks import bump
from aslib_eval.reports.sections.significance import (
    MARKS,
    against_sbs,
    legends,
    marked,
    tested_of,
)
from aslib_eval.text import number, plural

CAUSES = {
    "wrong choice": "c2",
    "schedule": "c4",
    "feature cost": "c1",
    "cut off": "c5",
    "no answer": "c7",
    "run outside": "c8",
}
_LAST = 7  # position of the selector itself in solver_loss
_SCORES = (
    Column("solver", "solver"),
    Column("now", "PARk now", "mean PARk of the chosen k and instances", live="par"),
    Column("solved", "solved", "share of the instances solved", live="solved"),
    Column("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"),
    *MARKS,
)
_TRAINED = Column("trained", "trained on", "split, seed, version; else imported",
                  words=True)  # fmt: skip


def selectors(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """Leaderboard, ranks under every metric, and the way from VBS to each selector."""
    matrix = facts.matrix
    if matrix is None or not matrix.columns("selector"):
        return None
    n = len(matrix.columns("selector"))
    found = [tested_of(facts, name) for name in ("selectors_tested", "selectors_sbs")]
    body = [_table(facts, *found), legends(*found), *_bump(facts, charts)]
    body += [*against_sbs(facts, charts), *_waterfall(facts, charts)]
    return Section("selectors", f"Selectors ({n})", facts.population, join(body))


def _table(facts: ScenarioResults, best: Compared | None, sbs: Compared | None) -> Html:
    import polars as pl

    matrix = facts.matrix
    assert matrix is not None  # noqa: S101 - the caller has looked
    frame = facts.frames["score"].filter(pl.col("kind") == "selector")
    rows = [
        {
            **row,
            **marked(row["solver"], best=best, sbs=sbs),
            "now": row["cost"],
            "gap": row["closed_gap"],
            "_solver": matrix.number("selector", row["solver"]),
        }
        for row in frame.to_dicts()
    ]
    columns = [*_SCORES, *metric_columns(facts.metrics.values(), rows), _TRAINED]
    columns = [c for c in columns if any(row.get(c.key) is not None for row in rows)]
    caption = "Scores of the selectors"
    table = Table(
        "selectors-table", caption, columns, rows, str(facts.n), facts.protocol
    )
    return table.html()


def _bump(facts: ScenarioResults, charts: dict[str, object]) -> list[Html]:
    """Ranks under every metric, a line a selector."""
    frame = facts.frames["rank"]
    frame = frame.filter((frame["kind"] == "selector") & frame["rank"].is_not_null())
    rows = frame.select("solver", "metric", "rank", "score").rows()
    # Those that order solvers as another does would be drawn twice.
    labels = {m.name: m.label for m in facts.metrics.values() if m.order_of is None}
    rows = [row for row in rows if row[1] in labels]
    ranks = {(s, labels[m]): r for s, m, r, _ in rows}
    scores = {(s, labels[m]): v for s, m, _, v in rows}
    names = sorted({s for s, _ in ranks})
    shown = [name for name in labels.values() if any(k[1] == name for k in ranks)]
    if len(names) < 2:  # noqa: PLR2004
        return []
    if set(ranks.values()) == {1}:
        return [paragraph("All selectors tie under every metric.")]
    chart = bump(names, shown, ranks, scores, facts.population)
    charts["bump"] = chart.spec()
    return [figure("bump", "The same selections, ranked by every metric", chart.about)]


def _waterfall(facts: ScenarioResults, charts: dict[str, object]) -> list[Html]:
    """From VBS (1) down to each selector's closed gap, a piece for each cause."""
    score, loss = facts.frames["score"], facts.frames["loss"]
    steps = loss.filter(loss["points"].is_not_null()).to_dicts()
    known = {step["solver"] for step in steps}
    order = score.filter(score["kind"] == "selector")["solver"].to_list()
    names = [name for name in order if name in known]
    if not names:
        return []
    pieces = _pieces(names, steps)
    low = min([0.0, *(box[0] for found in pieces.values() for box in found)])
    rules = [Rule(0, "SBS")]
    if (most := score["attainable_gap"].drop_nulls()).len():
        rules.append(Rule(float(most[0]), "attainable"))
    about = (
        "From VBS (1) down to the selector's closed gap; a taller piece is won back."
    )
    charts["waterfall"] = Chart(
        "What each selector loses against VBS, by cause",
        about,
        Linear("closed gap", low - 0.02, 1.0),
        Band(names),
        [*(Boxes(b, name=c, color=CAUSES[c]) for c, b in pieces.items() if b), *rules],
        facts.population,
        row_height=34,
    ).spec()
    return [figure("waterfall", "Where the gap goes", about)]


def _pieces(
    names: list[str], steps: list[dict[str, Any]]
) -> dict[str, list[list[Any]]]:
    """Cause → the boxes of what each selector loses by it."""
    found: dict[str, list[list[Any]]] = {cause: [] for cause in CAUSES}
    reached = dict.fromkeys(names, 1.0)
    for step in steps:
        name, cause = step["solver"], step["step"]
        if cause not in found or not 0 < step["position"] < _LAST or not step["loss"]:
            continue
        start, row = reached[name], names.index(name)
        reached[name] = settled(start - step["points"])
        half = 0.32 if step["loss"] > 0 else 0.42
        ends = sorted((start, reached[name]))
        found[cause].append([*ends, row - half, row + half, _says(name, step)])
    return found


def _says(name: str, step: dict[str, Any]) -> str:
    return (
        f"{name}, {step['step']}: {number(step['points'])} of the gap, mean cost "
        f"{number(step['loss'])}, on {plural(step['n_affected'], 'instance')}, "
        f"main cause of {step['n_main']}"
    )
