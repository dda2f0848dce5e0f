"""How many published numbers of each paper a lake gives again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.reproductions.papers.checked_numbers import check, numbers_at_hand
from aslib_eval.extensions.reproductions.papers.published import published_numbers
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Band, Boxes, Chart, Linear
from aslib_eval.text import plural

PUBLISHED = FigureEntry(
    "published numbers that the lake gives again, by paper",
    "lake",
    "aslib_eval.extensions.reproductions.papers.published_chart:published_chart",
    "scenarios, or answers of selectors, of which numbers are published",
    runs=False,
)
_OTHER = "none"
_COLOURS = ("c1", "c2", "c3", "c4", "c5")


def published_chart(results: LakeResults, _solvers: Sequence[str] = ()) -> Chart:
    """A bar for each paper of the numbers at hand, a piece for each protocol.

    A number counts for the preset of its claim, where that holds.

    Raises:
        AslibError: the lake holds none of the numbers.

    """
    numbers = published_numbers()
    found = numbers_at_hand(results.lake, numbers)
    if not found:
        what = "it holds no scenario and solver of which numbers are published"
        raise AslibError(what, str(results.lake))
    counts: dict[str, Counter[str]] = {n.paper: Counter() for n in numbers}
    for one in check(found):
        holds = one.verdict == "as claimed"
        preset = one.found.partition(",")[0] if holds else _OTHER
        counts[one.at_hand.number.paper][preset] += 1
    printed = Counter(number.paper for number in numbers)
    presets = sorted({preset for row in counts.values() for preset in row} - {_OTHER})
    pieces: dict[str, list[list[Any]]] = {preset: [] for preset in (*presets, _OTHER)}
    for place, (paper, row) in enumerate(counts.items()):
        start = 0
        for preset, boxes in pieces.items():
            if n := row[preset]:
                tip = f"{paper}: {plural(n, 'number')} by {preset}"
                boxes.append([start, start + n, place - 0.32, place + 0.32, tip])
                start += n
    held = sum(row.total() - row[_OTHER] for row in counts.values())
    marks = [
        Boxes(boxes, name=preset, color="faint" if preset == _OTHER else color)
        for (preset, boxes), color in zip(
            pieces.items(), [*_COLOURS * len(pieces)][: len(pieces)], strict=True
        )
        if boxes
    ]
    return Chart(
        "Published numbers that are given again, by protocol",
        f"{held} of the {len(found)} published numbers that are at hand are given to "
        f"their last digit; {printed.total() - len(found)} others rest on answers or "
        "scenarios that are not.",
        Linear("numbers", 0, max(row.total() for row in counts.values()), whole=True),
        Band([f"{paper} ({row.total()} of {printed[paper]})"
              for paper, row in counts.items()]),
        marks,
        row_height=34,
    )  # fmt: skip
