"""What commands say beside their rows, and of which solvers the rows are.

What is computed is replaced: here it counts what a command does with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis import bootstrap, objectives, summaries
from aslib_eval.analysis import objectives as own_metrics
from aslib_eval.commands import scoring
from aslib_eval.database import open_lake as database
from aslib_eval.errors import AslibError

ROWS = pl.DataFrame(
    {"solver": ["a1", "a2", "VBS"], "kind": ["algorithm", "selector", "baseline"], "n": [5, 5, 5]}
)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is noted; every question is answered by the same rows."""

    def answer(*_: object, **__: object) -> pl.DataFrame:
        return ROWS

    monkeypatch.setattr(database, "open_lake", lambda *_, **__: "lake")
    for module, names in (
        (summaries, ("scores", "contributions", "gaps", "losses")),
        (objectives, ("qualities",)),
    ):
        for name in names:
            monkeypatch.setattr(module, name, answer)
    monkeypatch.setattr(summaries, "failure_notes", lambda _: ["failed", "too"])
    monkeypatch.setattr(summaries, "fold_notes", lambda _: ["folds"])
    monkeypatch.setattr(summaries, "loss_shares", lambda _: ["shares"])
    monkeypatch.setattr(summaries, "loss_notes", lambda _: ["losses"])
    monkeypatch.setattr(summaries, "LOSS_WORDS", "words")
    monkeypatch.setattr(summaries, "unit_notes", lambda _: ["units"])
    monkeypatch.setattr(bootstrap, "with_intervals", lambda _, rows: rows.head(1))
    return []


@pytest.mark.parametrize(
    ("command", "how", "notes"),
    [
        (ae.score, {}, ["failed", "too", "units"]),
        (ae.score, {"contribution": True}, ["failed", "too", "units"]),
        (ae.score, {"quality": True}, ["higher is better, but for minizinc_area: lower is better"]),
        (ae.gap, {}, ["failed", "too", "folds"]),
        (ae.gap, {"why": True}, ["failed", "too", "shares", "losses", "words", "units"]),
        (ae.gap, {"interval": True}, ["failed", "too", "folds", f"{bootstrap.DRAWN_ANEW}."]),
    ],
)
def test_what_is_said_beside_the_rows(
    command: Callable[..., pl.DataFrame], how: dict[str, Any], notes: list[str], said: list[str]
) -> None:
    found = command("lake", **how, note=said.append)
    assert said == notes
    assert found.height == (1 if "interval" in how else 3)


def test_gaps_by_metrics_are_of_three_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of SQL, of objectives unless SQL has one of the name, and of plug-ins."""
    asked: list[tuple[str, object]] = []

    def named(which: str) -> Callable[..., pl.DataFrame]:
        def answer(lake: str, names: list[str], **more: object) -> pl.DataFrame:
            assert lake == "L"
            asked.append((which, names, *more.values()))  # type: ignore[arg-type]
            return pl.DataFrame({"metric": names})

        return answer

    monkeypatch.setattr(summaries, "metrics_with_gap", lambda _: ["par2", "mznc"])
    monkeypatch.setattr(summaries, "metric_gaps", named("sql"))
    monkeypatch.setattr(objectives, "quality_gaps", named("objectives"))
    monkeypatch.setattr(own_metrics, "own_gaps", named("own"))
    monkeypatch.setattr(own_metrics, "own_metrics", lambda: {"mine": None})
    points = [*objectives.POINTS]
    other = next(name for name in points if name != "mznc")
    lake: Any = "L"
    found = scoring._by_metric(lake, ["mine", other, "par2", "mznc"])  # noqa: SLF001
    assert found["metric"].to_list() == ["par2", "mznc", other, "mine"]
    assert asked == [
        ("sql", ["par2", "mznc"], (*points, "mine")),
        ("objectives", [other]),
        ("own", ["mine"]),
    ]


@pytest.mark.parametrize(
    ("kinds", "solvers", "left"),
    [
        ((), (), ["a1", "a2", "VBS"]),
        (("algorithm", "baseline"), (), ["a1", "VBS"]),
        ((), ("a*",), ["a1", "a2"]),
        (("selector",), ("a*", "V*"), ["a2"]),
        ((), ("x", "V?S"), ["VBS"]),
    ],
)
def test_rows_of_some_solvers(kinds: tuple[str, ...], solvers: tuple[str, ...], left: list[str]) -> None:
    assert scoring.of_solvers(ROWS, kinds, solvers)["solver"].to_list() == left
    methods = ROWS.select(method="solver")
    assert scoring.of_solvers(methods, kinds, ("a1",))["method"].to_list() == ["a1"]


def test_a_solver_that_nobody_is_called_like() -> None:
    with pytest.raises(AslibError) as raised:
        scoring.of_solvers(ROWS, (), ("a12", "c"))
    what = "--solver: no solver matches a12 or c. Did you mean 'a2' or 'a1'?"
    assert str(raised.value) == what
