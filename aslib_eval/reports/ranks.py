"""The bump chart: the same solvers ranked by many scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aslib_eval.figures.chart import Band, Chart, Dots, Line, Mark, color
from aslib_eval.text import number

Scores = Mapping[tuple[str, str], float]


def bump(
    names: Sequence[str],
    shown: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    scores: Scores,
    population: str,
) -> Chart:
    """A line a solver over its places; ``about`` says who moves most.

    ranks, scores: of (solver, score's name); ``shown`` are the scores, left to right.
    """
    marks: list[Mark] = []
    ordered = sorted(names, key=lambda s: (ranks.get((s, shown[0]), len(names)), s))
    alphabetical = sorted(names)  # a selector has one colour in all charts
    for name in ordered:
        points = [
            [x, place - 1 + _aside(name, s, ordered, ranks),
             f"{s} {number(scores[name, s])}, place {place}"]
            for x, s in enumerate(shown)
            if (place := ranks.get((name, s))) is not None
        ]  # fmt: skip
        paint = color(alphabetical.index(name))
        marks.append(Line(points, name=name, color=paint, width=3))
        named = [[x, y, f"{name}: {tip}"] for x, y, tip in points]
        marks.append(Dots(named, color=paint, r=5))
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


def _aside(
    name: str, score: str, ordered: Sequence[str], ranks: Mapping[tuple[str, str], int]
) -> float:
    """How far below its place a solver is drawn, so that those who tie are all seen."""
    place = ranks[name, score]
    tied = [other for other in ordered if ranks.get((other, score)) == place]
    return round(0.13 * tied.index(name), 2)


def _changes(
    names: Sequence[str], shown: Sequence[str], ranks: Mapping[tuple[str, str], int]
) -> str:
    spans = []
    for name in names:
        held = [ranks[name, s] for s in shown if (name, s) in ranks]
        if held:
            spans.append((max(held) - min(held), min(held), max(held), name))
    moved, best, worst, name = max(spans, key=lambda s: (s[0], s[3]))
    if moved == 0:
        return "All of them rank alike."
    return (
        f"{name} moves most: from place {best} to {worst}, depending on the definition."
    )
