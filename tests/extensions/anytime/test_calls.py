"""What ``score --anytime`` hands to the library, and says."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database import open_lake as database
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.anytime import analysis
from tests.cli.test_calls import Opened, called


def test_it_hands_over_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "score --lake L --scenario A --protocol asf --anytime instances"
    function = "aslib_eval.extensions.anytime.analysis:anytime_scores"
    args, named = called(line, function, monkeypatch)
    assert args == (Opened(Path("L"), ("A",), ("asf",)),)
    assert named == {"show": "instances"}


def test_it_says_which_way_is_better_and_keeps_the_solvers_that_were_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = {"solver": ["a1", "a2", "VBS"], "kind": ["algorithm", "selector", "baseline"]}
    monkeypatch.setattr(database, "open_lake", lambda *_, **__: "lake")
    monkeypatch.setattr(analysis, "anytime_scores", lambda *_, **__: pl.DataFrame(rows))
    said: list[str] = []
    found = ae.score("L", anytime="summary", kinds=["selector"], note=said.append)
    assert found["solver"].to_list() == ["a2"]
    assert said == ["gap: lower is better; area, closed_gap: higher is better"]
    with pytest.raises(ae.OptionError, match="of its own: it goes with no by"):
        ae.score("L", anytime="summary", by="family")


def test_costs_over_time_are_those_of_each_algorithm_on_each_instance(tmp_path: Path) -> None:
    folder = Path(__file__).parents[3] / "scenarios" / "MIP-ANYTIME-2026"
    ae.import_scenarios([folder], into=tmp_path / "lake")
    shown = ae.score(tmp_path / "lake", anytime="instances", kinds=["algorithm"])
    costs = analysis.anytime_costs(open_lake(tmp_path / "lake").with_all_measures())
    keys = ["scenario_id", "measure", "solver", "instance_id"]
    both = costs.join(shown.drop("protocol"), on=keys)
    assert both.height == costs.height == shown.height
    assert both["gap"].equals(both["gap_right"])
    assert (1 - both["loss"]).equals(both["area"], check_names=False)
