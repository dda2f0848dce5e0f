"""What a scenario's page says of runs to a target."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers import reports
from aslib_eval.extensions.optimisers import reports as losses
from aslib_eval.extensions.optimisers import reports as trial_ranks
from aslib_eval.extensions.optimisers.reports import MEAN, MEDIAN, TRIAL_RANKS
from aslib_eval.reports.write import write_report
from tests import pages


@pytest.mark.slow
def test_repeated_runs_have_expected_running_times(tmp_path: Path) -> None:
    values = {("a", 1): (9, 5), ("a", 2): (9, 9), ("b", 1): (7, 7), ("b", 2): (8, 8)}
    folder = pages.write_scenario(
        tmp_path / "ERT",
        runs=[("i", r, a, last, "ok") for (a, r), (_, last) in values.items()],
        measures=[("objective", "solution_quality", "false")],
    )
    points = [("i", r, a, at, x) for (a, r), both in values.items() for at, x in enumerate(both, start=1)]
    columns = {"algorithm": "STRING", "elapsed": "NUMERIC", "objective": "NUMERIC"}
    pages.write(folder, "trajectories", columns, points)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "lake", to=tmp_path / "r")
    page = (tmp_path / "r" / "scenario" / "ERT.html").read_text()
    table = page.split('id="targets"')[1].split("</table>")[0]
    # One of two runs of a comes to 5, at its second point: 2 + 2 over 1.
    cells = re.findall(r'<td data-tip="([^"]*)" data-v="([^"]*)"', table)
    # So few runs leave all but the ends open; where none comes to it there is no end.
    tips, values = zip(*cells, strict=True)
    assert values == ("4.0", "")
    assert re.fullmatch(r"reached by 1 of 2 runs, 95 % .* 0.\d+ to 1\d\d.*", tips[0])
    assert re.fullmatch(r"reached by 0 of 2 runs, 95 % .* 0.\d+ to no end", tips[1])


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
        monkeypatch.setattr(reports, "target_times", lambda *_: frame)
        results: Any = SimpleNamespace(
            lake=1, scenario_id="S", measure=measure,
            frames={"trajectory": pl.DataFrame({"x": [0] * points})},
        )  # fmt: skip
        return reports.running_times(results)

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


def test_methods_and_systems_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    results: Any = SimpleNamespace(
        lake=1, scenarios=[SimpleNamespace(choices={"protocol": "own"}, protocol="p")]
    )
    asked: list[object] = []

    def scores(*args: object, **named: object) -> pl.DataFrame:
        asked.append((args, named))
        return pl.DataFrame({"method": ["a", "b", "ab"]})

    monkeypatch.setattr(losses, "scores_of", scores)
    monkeypatch.setattr(losses, "score_curves", lambda f, draw: (f["method"], draw))
    for draw, figure in (("mean", losses.mean_scores), ("median", losses.median_scores)):
        found: Any = [figure(results, names) for names in ((), ("a*",))]
        assert [(list(names), how) for names, how in found] == [
            (["a", "b", "ab"], draw),
            (["a", "ab"], draw),
        ]
    assert asked[0] == ((1, {"own": "p"}), {"show": "steps"})
    with pytest.raises(AslibError, match="there is no method 'x'"):
        losses.mean_scores(results, ["x", "a"])

    def ranks(lake: object, *, show: str) -> pl.DataFrame:
        assert (lake, show) == (1, "ranks")
        return pl.DataFrame({"system": ["a", "b"]})

    monkeypatch.setattr(trial_ranks, "trial_results", ranks)
    monkeypatch.setattr(trial_ranks, "rank_map", lambda frame: list(frame["system"]))
    found = [trial_ranks.trial_ranks(results, names) for names in ((), ("b",))]
    assert found == [["a", "b"], ["b"]]
    with pytest.raises(AslibError, match="there is no system 'x'"):
        trial_ranks.trial_ranks(results, ["x"])


def test_what_the_catalogue_says_of_figures_of_optimisers() -> None:
    home = "aslib_eval.extensions.optimisers.reports"
    needs = "trajectories of one scenario"
    assert [tuple(vars(e).values())[:4] for e in (MEAN, MEDIAN, TRIAL_RANKS)] == [
        ("mean loss of optimisers after each step, with error bars", "lake", f"{home}:mean_scores", needs),
        ("the same of the median loss", "lake", f"{home}:median_scores", needs),
        (
            "how often each system has each rank over tasks with repeated runs",
            "lake",
            f"{home}:trial_ranks",
            "repeated runs of one scenario",
        ),
    ]
    entries = (MEAN, MEDIAN, TRIAL_RANKS)
    assert [(entry.runs, entry.chosen) for entry in entries] == [(False, True)] * 3
