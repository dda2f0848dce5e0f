"""What ``train`` and ``audit`` hand to the library."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import training
from aslib_eval.extensions.training.audits import AuditRule
from aslib_eval.extensions.training.models import SELECTORS
from tests.cli.test_calls import called
from tests.commands.test_commands_in_python import EXAMPLES
from tests.conftest import ROOT

FUNCTION = "aslib_eval.extensions.training.training:train"


def test_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = (
        "train sunny rf --lake L --scenario A --scheme s --seed 5 --prefix x- "
        "--replace --times --protocol asf --target gap --jobs 3"
    )
    found, given = called(line, FUNCTION, monkeypatch)
    assert found == (Path("L"), ("sunny", "rf"))
    assert given == {
        "scenarios": ("A",), "scheme": "s", "seed": 5, "protocol": "asf",
        "target": "gap", "jobs": 3, "executor": None, "progress": False,
        "prefix": "x-", "replace": True, "times": True,
    }  # fmt: skip


def test_all_selectors_and_nothing_else_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    found, given = called("train rf all", FUNCTION, monkeypatch)
    assert found == (Path("lake"), tuple(SELECTORS))
    assert given == {
        "scenarios": (), "scheme": "aslib", "seed": 1, "protocol": "default",
        "target": "cost", "jobs": None, "executor": None, "progress": False,
        "prefix": "", "replace": False, "times": False,
    }  # fmt: skip


def test_the_address_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "train rf --cluster tcp://head:8786"
    args, _ = called(line, "aslib_eval.executors:cluster_of", monkeypatch)
    assert args == ("tcp://head:8786",)


def test_schedules_of_what_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    refused = AslibError("no features", "B")
    outcomes = [training.Trained("A*", "s"), training.Trained("B", "s", error=refused)]
    monkeypatch.setattr(training, "train", lambda *_, **__: outcomes)
    line = f"train rf sunny --lake L --scheme s --prefix x- --to {tmp_path}/out"
    function = "aslib_eval.extensions.training.training:write_schedules"
    args, named = called(line, function, monkeypatch)
    assert args == (Path("L"), tmp_path / "out")
    assert named == {"scenarios": ["A[*]"], "selectors": ("x-rf", "x-sunny"),
                     "cv_scheme": "s"}  # fmt: skip


@pytest.mark.parametrize("command", ["audit", "train"])
def test_a_selector_that_is_not_there(command: str) -> None:
    done = CliRunner().invoke(main, [command, "suny"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Did you mean 'sunny'?" in done.stderr


def test_what_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aslib_eval.errors.require_extra", lambda *_, **__: None)
    function = "aslib_eval.extensions.training.audits:audit"
    line = (
        "audit sunny --lake L --scenario A --scheme s --seed 5 --protocol asf "
        "--draws 9 --level 0.9 --jobs 1"
    )
    found, given = called(f"{line} --groups g.csv", function, monkeypatch)
    rule = AuditRule("sunny", "s", 5, Path("g.csv"), None, 9, 0.9)
    assert found == (Path("L"), rule)
    asked = [given[name] for name in ("scenarios", "protocol", "executor", "ahead")]
    assert asked == [("A",), "asf", None, 2]
    found, _ = called(f"{line} --attribute a", function, monkeypatch)
    assert found[1] == AuditRule("sunny", "s", 5, None, "a", 9, 0.9)
    refused = CliRunner().invoke(main, ["audit", "sunny", "--level", "2"])
    assert refused.stderr.startswith("audit: 2.0 is no level between 0 and 1")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["audit", "train"])
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("asf", reason="needs the extra `selectors`")
    monkeypatch.chdir(tmp_path)
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into="lake")
    result = doctest.DocTestRunner(verbose=False).run(EXAMPLES[name])
    assert (result.failed, result.attempted) == (0, 2)
