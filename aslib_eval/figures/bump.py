"""The bump chart: the same solvers ranked by many scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Mark
from aslib_eval.figures.palette import look
from aslib_eval.text import list_names, number, plural

Scores = Mapping[tuple[str, str], float]


def bump(results: ScenarioResults) -> Chart | None:
    """The selectors' ranks under every metric; None with fewer than two, or if all tie.

    Metrics that order solvers as another does would be drawn twice.
    """
    rows = _ranked(results)
    names = sorted({s for s, *_ in rows})
    if len(names) < 2 or all_tie(results):  # noqa: PLR2004
        return None
    ranks = {(s, label): rank for s, label, rank, _ in rows}
    scores = {(s, label): score for s, label, _, score in rows}
    drawn = {label for _, label in ranks}
    labels = [m.label for m in results.metrics.values() if m.label in drawn]
    looks = {s: results.shown_places["selector", s] for s in names}
    return places(looks, labels, ranks, scores, results.population)


def all_tie(results: ScenarioResults) -> bool:
    """True if every selector is first by every metric, of two at least."""
    rows = _ranked(results)
    return len({s for s, *_ in rows}) > 1 and {rank for *_, rank, _ in rows} == {1}


def _ranked(results: ScenarioResults) -> list[tuple[str, str, int, float]]:
    """Selector, label of the metric, rank and score, where there is a rank."""
    frame = results.frames["rank"]
    frame = frame.filter((frame["kind"] == "selector") & frame["rank"].is_not_null())
    labels = {m.name: m.label for m in results.metrics.values() if m.order_of is None}
    rows = frame.select("solver", "metric", "rank", "score").rows()
    return [(s, labels[m], rank, v) for s, m, rank, v in rows if m in labels]


def places(
    names: Mapping[str, int],
    shown: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    scores: Scores,
    population: str,
) -> Chart:
    """A line a solver over its places; ``about`` says who moves most.

    names: of the solvers, each with the place that gives it its colour and mark.
    ranks, scores: of (solver, score's name); ``shown`` are the scores, left to right.
    """
    marks: list[Mark] = []
    ordered = sorted(names, key=lambda s: (ranks.get((s, shown[0]), len(names)), s))
    for name in ordered:
        points = [
            [x, place - 1 + _aside(name, s, ordered, ranks),
             f"{s} {number(scores[name, s])}, place {place}"]
            for x, s in enumerate(shown)
            if (place := ranks.get((name, s))) is not None
        ]  # fmt: skip
        drawn = look(names[name])
        marks.append(Line(points, name=name, color=drawn.color, width=3, dash=drawn.dash))
        named = [[x, y, f"{name}: {tip}"] for x, y, tip in points]
        marks.append(Dots(named, color=drawn.color, r=5, symbol=drawn.symbol))
    return Chart(
        "Places under every definition",
        _changes(ordered, shown, ranks),
        Band(shown),
        Band([str(i + 1) for i in range(len(names))], label="place"),
        marks,
        population,
        row_height=30,
        min_width=90 + 44 * len(shown),
    )


def _aside(name: str, score: str, ordered: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> float:
    """How far below its place a solver is drawn, so that those who tie are all seen."""
    place = ranks[name, score]
    tied = [other for other in ordered if ranks.get((other, score)) == place]
    return round(min(0.13, 0.8 / len(tied)) * tied.index(name), 2)


def _changes(names: Sequence[str], shown: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> str:
    spans = []
    for name in names:
        own = [ranks[name, s] for s in shown if (name, s) in ranks]
        if own:
            spans.append((max(own) - min(own), min(own), max(own), name))
    moved = max(span[0] for span in spans)
    if moved == 0:
        return "All of them rank alike."
    (_, best, worst, name), *others = (span for span in spans if span[0] == moved)
    if others:
        who = list_names([name, *(span[3] for span in others)], most=3, quoted=False)
        over = plural(moved, "place")
        return f"{who} move most: over {over}, depending on the definition."
    return f"{name} moves most: from place {best} to {worst}, depending on the definition."
