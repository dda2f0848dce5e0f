"""What ``trials`` and options of optimisers hand to the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from aslib_eval.database import open_lake as database
from aslib_eval.extensions.optimisers.tasks import TaskQuestion
from aslib_eval.formats.attributes import attribute_choices
from tests.cli.test_calls import Opened, called

ANALYSIS = "aslib_eval.extensions.optimisers.analysis"
LAKE = "--lake L --scenario A --scenario B --protocol asf --protocol x.toml"
DRAWN = "--freeze F.json --problem P --objective value --chart c.svg --draw median"


def test_scores_of_optimisers(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"optimisers {LAKE} --show steps --baseline 'R*' {DRAWN}"
    args, named = called(line, f"{ANALYSIS}:optimiser_scores", monkeypatch)
    assert args == (Opened(Path("L"), ("A", "B"), ("asf", "x.toml")),)
    assert named == {"baseline": "R*", "show": "steps", "freeze": Path("F.json")}


@pytest.mark.parametrize(("table", "show"), [("optimisers", "summary"), ("optimiser_problems", "problems")])
def test_the_baseline_of_a_table(table: str, show: str, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = database.open_lake(toy, protocols=["asf"])
    monkeypatch.setattr(database, "open_lake", lambda *_, **__: lake)
    line = f"table {table} --baseline 'R*'"
    args, named = called(line, f"{ANALYSIS}:optimiser_scores", monkeypatch)
    assert args == (lake,)
    assert named == {"baseline": "R*", "show": show}


def test_targets_of_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.optimisers.tasks:trial_results"
    args, named = called("trials --show targets --gaps 0.5,0 --chart c.svg", function, monkeypatch)
    assert args == (Opened(Path("lake")), TaskQuestion(gaps=(0.5, 0.0)))
    assert named == {"show": "targets"}
    args, _ = called("trials --show targets --target -3", function, monkeypatch)
    assert args[1] == TaskQuestion(target=-3)


def test_the_choices_of_a_table_are_those_of_its_protocol(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    lake = database.open_lake(toy)
    monkeypatch.setattr(database, "open_lake", lambda *_, **named: asked.append(named) or lake)
    line = "table optimisers --baseline 'R*' --fold-mean --sbs test --penalty 3"
    called(f"{line} --delta 7", f"{ANALYSIS}:optimiser_scores", monkeypatch)
    (protocol,) = asked[0]["protocols"]
    assert (protocol.penalty, protocol.borda_delta) == (3, 7)
    assert (protocol.fold_aggregate, protocol.sbs_scope) == ("mean", "test")


def test_the_question_of_a_comparison_of_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "trials --show pairs --versus C --alpha 0.1 --correction none"
    args, named = called(line, "aslib_eval.extensions.optimisers.tasks:trial_results", monkeypatch)
    assert args[1] == TaskQuestion(versus="C", alpha=0.1, correction="none")
    assert named == {"show": "pairs"}


def test_archives_with_a_direction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tmp_path / "families.csv"
    files.write_text("instance_id,track\ni,f\n")
    archive = Path(__file__).parent / "iohprofiler" / "data" / "OLD.zip"
    more = f"--family path:1 --attributes {files} --direction max"
    line = f"import {archive} --lake {tmp_path}/L --forget --time-unit ms {more}"
    args, named = called(line, "aslib_eval.importer:import_found", monkeypatch)
    (found,) = args[0]
    assert (args[1], named["forget"], named["time_unit"]) == (tmp_path / "L", True, "ms")
    assert found.location.path == archive
    wanted = attribute_choices(family="path:1", attributes=files)
    assert named["more"] == wanted
    line = f"check {archive} {more}"
    args, _ = called(line, "aslib_eval.linter:check_found", monkeypatch)
    assert args[1] == wanted
    done = CliRunner().invoke(
        main, ["import", str(archive), "--input-format", "table", "--direction", "max"]
    )
    assert "--direction only works with archives of iohprofiler" in done.stderr
