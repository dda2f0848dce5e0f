"""What a scenario's page says of runs to a target."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.extensions.optimisers import tasks


def test_the_least_time_of_each_instance_is_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        ("m", "i", "a", 3, 2, 4.0, 1.5, None),
        ("m", "i", "b", 3, 3, 2.0, 1.0, 9.0),
        ("m", "j", "a", 1, 0, None, 5.0, None),
        ("other", "i", "a", 3, 3, 1.0, 1.0, 1.0),
    ]
    columns = ["measure", "task", "system", "n", "successes", "ert", "ert_low", "ert_high"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")

    def said(frame: pl.DataFrame, points: int = 1, measure: str = "m") -> str | None:
        monkeypatch.setattr(tasks, "target_times", lambda *_: frame)
        results: Any = SimpleNamespace(
            lake=1, scenario_id="S", measure=measure,
            frames={"trajectory": pl.DataFrame({"x": [0] * points})},
        )  # fmt: skip
        return tasks.running_times(results)

    text = said(frame)
    assert text is not None
    cells = re.findall(r'<td[^>]*data-tip="([^"]*)" data-v="([^"]*)"[^>]*>', text)
    assert cells == [
        ("reached by 2 of 3 runs, 95 % interval 1.5 to no end", "4.0"),
        ("reached by 3 of 3 runs, 95 % interval 1 to 9", "2.0"),
        ("reached by 0 of 1 run, 95 % interval 5 to no end", ""),
    ]
    assert len(re.findall(r"<td[^>]*\bbest\b[^>]*>", text)) == 1
    assert "Expected running time to the target" in text
    assert said(frame, measure="gone") == text  # the first measure there is
    assert said(frame, measure="other") != text
    assert (said(frame[:0]), said(frame, points=0)) == (None, None)
