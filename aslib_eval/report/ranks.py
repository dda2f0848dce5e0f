"""The bump chart: the same solvers ranked by many scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aslib_eval.report.markup import number

METRICS = {
    "closed_gap": "closed gap",
    "bounded_gap": "bounded gap",
    "par10": "PAR10",
    "par2": "PAR2",
    "par1": "PAR1",
    "solved": "solved",
    "solved_then_par1": "solved, then PAR1",
    "sgm": "SGM",
    "speedup": "speedup",
    "improvement": "improvement",
    "incomplete": "incomplete",
    "borda": "Borda",
    "borda_modified": "modified Borda",
}
_COLORS = 8
Scores = Mapping[tuple[str, str], float]


def bump(
    names: Sequence[str],
    shown: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    scores: Scores,
    population: str,
) -> tuple[dict[str, Any], str]:
    """The chart, a line a solver, and a sentence on who moves most.

    ranks, scores: of (solver, score's name); ``shown`` are the scores, left to right.
    """
    ordered = sorted(names, key=lambda s: (ranks.get((s, shown[0]), len(names)), s))
    lines = [_line(name, i, shown, ranks, scores) for i, name in enumerate(ordered)]
    same = ("name", "color", "points")
    dots = [
        {
            "type": "dots",
            "r": 5,
            "opacity": 1,
            "unlisted": True,
            **{k: m[k] for k in same},
        }
        for m in lines
    ]
    says = _changes(ordered, shown, ranks)
    spec = {
        "title": "Places under every definition",
        "about": says,
        "population": population,
        "x": {"kind": "band", "names": list(shown)},
        "y": {
            "label": "place",
            "kind": "band",
            "names": [str(i + 1) for i in range(len(names))],
        },
        "rowHeight": 30,
        "minWidth": 90 + 44 * len(shown),
        "marks": [*lines, *dots],
    }
    return spec, says


def _line(
    name: str,
    place: int,
    shown: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    scores: Scores,
) -> dict[str, Any]:
    points = [
        [
            x,
            ranks[name, s] - 1,
            f"{s} {number(scores[name, s])}, place {ranks[name, s]}",
        ]
        for x, s in enumerate(shown)
        if (name, s) in ranks
    ]
    color = f"c{place + 1}" if place < _COLORS else "muted"
    return {"type": "line", "name": name, "color": color, "width": 3, "points": points}


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
