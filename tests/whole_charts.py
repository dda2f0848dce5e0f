"""Charts that the tests draw, as a whole: a letter for each part of them.

What a test says of a chart is what it is about; its axes, tips, colours and sentences are held by these
letters, in the file charts.txt of the folder of the test. After a change that is meant, ``ASLIB_APPROVE=1``
writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from aslib_eval.figures.chart import Chart
from tests.approved import approved_line, letter, six_digits


def said(chart: Chart) -> str:
    """Its title, and a letter for each part and each mark."""
    spec = chart.spec()
    marks = spec.pop("marks")
    parts = (map(letter, map(six_digits, part)) for part in (spec.values(), marks))
    return " ".join([str(spec["title"]), *map("".join, parts)])


@pytest.fixture(autouse=True)
def whole_charts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold all charts that a test draws."""
    drawn: list[Chart] = []
    first = Chart.__init__

    def remember(self: Chart, *args: Any, **named: Any) -> None:
        first(self, *args, **named)
        drawn.append(self)

    monkeypatch.setattr(Chart, "__init__", remember)
    yield
    of_all = getattr(request.function, "is_hypothesis_test", False)
    if request.node.get_closest_marker("slow") or of_all:
        return
    file = request.path.with_name("charts.txt")
    for n, text in enumerate(dict.fromkeys(map(said, drawn)), start=1):
        approved_line(str(file), f"{request.node.name} {n}", text)
