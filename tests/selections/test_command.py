"""The command import-selection: folders, lone files, and what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.linter import check_paths
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, write_scenario
from tests.selections.conftest import CHOICE, FOLDS, RUNS, Put, held


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words], catch_exceptions=False)


def test_a_folder_of_scenarios_goes_in(lake: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    (folder / "S").mkdir(parents=True)
    (folder / "T").mkdir()
    (folder / "S" / "good.csv").write_text(CHOICE)
    (folder / "S" / "bad.csv").write_text("instance,algorithm\ni1,c\n")
    (folder / "S" / "expected_per_instance.csv").write_text("instance,sbs\ni1,1\n")
    (folder / "S" / "notes.txt").write_text("nothing")
    (folder / "T" / "rf.csv").write_text(CHOICE)
    (folder / "S.csv").write_text("instance,selector,algorithm\ni1,x,a\n")
    (folder / "stray.csv").write_text(CHOICE)
    done = run("import-selection", folder, "--lake", lake)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "imported x for the scenario S: 1 prediction, cv_scheme aslib",
        "imported good for the scenario S: 4 predictions, cv_scheme aslib",
    ]
    lines = done.stderr.splitlines()
    assert f"{folder}/S/bad.csv:2: 'c' is not an algorithm of S" in lines
    assert lines[-1] == "2 of 6 not imported"
    said = "\n".join(lines)
    assert f"{folder}/T: the lake has no scenario of this name" in said
    assert "expected_per_instance.csv: left out: it holds scores, not" in said
    assert f"{folder}/stray.csv: left out: it does not name its scenario" in said
    assert {row[0] for row in held(lake)} == {"good", "x"}


def test_two_files_for_one_selector_are_not_both_taken(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    for file, algorithm in (("rf.csv", "a"), ("rf.json", "b")):
        text = CHOICE if algorithm == "a" else '{"i1": ["b"]}'
        (tmp_path / "S" / file).write_text(text)
    done = run("import-selection", tmp_path / "S", "--lake", lake)
    assert done.exit_code == 1
    assert f"S/rf.json: {tmp_path}/S/rf.csv already holds predictions of 'rf'" in done.stderr
    assert len(held(lake)) == 4


def test_a_lone_file_tells_its_scenario_by_its_folder(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "rf.csv").write_text(CHOICE)
    done = run("import-selection", "mine", tmp_path / "S" / "rf.csv", "--lake", lake)
    assert done.stdout == "imported mine for the scenario S: 4 predictions, cv_scheme aslib\n"
    (tmp_path / "rf.csv").write_text("instance,algorithm\ni1,a\n")
    done = run("import-selection", tmp_path / "rf.csv", "--lake", lake)  # which holds S alone
    assert done.stdout == "imported rf for the scenario S: 1 prediction, cv_scheme aslib\n"
    missing = "'rf' does not answer 3 of 4 instances ('i2', 'i3', 'i4')"
    assert (
        done.stderr
        == f"warning: {tmp_path}/rf.csv: {missing}. Instances without an answer count as unsolved.\n"
    )


def test_a_lone_file_of_one_of_several_scenarios(lake: Path, tmp_path: Path) -> None:
    ae.import_scenarios([write_scenario(tmp_path / "T", runs=RUNS)], into=lake)
    (tmp_path / "rf.csv").write_text("instance,algorithm\ni1,a\n")
    done = run("import-selection", tmp_path / "rf.csv", "--lake", lake)
    wrong = "rf.csv: does not name its scenario. Add --scenario NAME, one of 'S', 'T'.\n"
    assert (done.exit_code, done.stderr.endswith(wrong)) == (1, True)


def test_several_paths_are_read_and_none_keeps_the_others(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "S").mkdir()
    for name in ("one", "two"):
        (tmp_path / "S" / f"{name}.csv").write_text(CHOICE)
    files = [tmp_path / "S" / f"{name}.csv" for name in ("one", "two", "missing")]
    done = run("import-selection", *files[:2], "--lake", lake)
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [f"imported {name} for the scenario S: 4 predictions, cv_scheme aslib" for name in ("one", "two")],
    )
    done = run("import-selection", files[2], files[1], "--lake", lake)
    assert done.exit_code == 1
    assert "missing.csv: does not exist" in done.stderr
    assert done.stderr.endswith("1 of 2 not imported\n")
    assert "two for the scenario S" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere.csv", "--scenario", "S"], 1, "nowhere.csv: does not exist."),
        (["x", "--scenario", "Z"], 1, "holds no scenario 'Z'. Import it first"),
        (["a", "b", "c", "--scenario", "S"], 1, "3 of 3 not imported"),
        (["rf", "--remove"], 2, "--remove takes one NAME and needs --scenario"),
        (["rf", "--remove", "--scenario", "S"], 1, "holds no selector 'rf' of S"),
    ],
)
def test_what_the_command_refuses(lake: Path, words: list[str], code: int, message: str) -> None:
    done = run("import-selection", *words, "--lake", lake)
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr


def test_the_command_removes_and_import_forgets(put: Put, lake: Path, tmp_path: Path) -> None:
    put(CHOICE)
    put(CHOICE, scheme="none")
    words = ["import-selection", "rf", "--remove", "--scenario", "S", "--lake", lake]
    assert run(*words, "--scheme", "none").exit_code == 0
    assert {row[:2] for row in held(lake)} == {("rf", "aslib")}
    done = run(*words)
    assert (done.exit_code, done.stdout) == (0, "removed rf from S\n")
    put(CHOICE)
    folder = write_scenario(tmp_path / "scenarios" / "S", runs=RUNS, folds={**FOLDS, "i4": 1})
    assert run("import", folder, "--lake", lake).exit_code == 1
    done = run("import", folder, "--lake", lake, "--forget")
    assert done.stdout.endswith("; removed from the lake: selector rf (aslib)\n")


# --- beside the scenarios -----------------------------------------------------------


@pytest.mark.slow
def test_the_shipped_scenarios_and_their_selections_lie_side_by_side(tmp_path: Path) -> None:
    # What a shell makes of scenarios/*: the folder of selections is no scenario.
    paths = sorted((ROOT / "scenarios").iterdir())
    assert [p.name for p in paths if p.name == "selections"] == ["selections"]
    outcomes = ae.import_scenarios(paths, into=tmp_path / "lake")
    assert {o.status for o in outcomes} == {"imported"}
    assert [f for f in check_paths(paths) if f.severity == "error"] == []
    found = import_selections(ROOT / "scenarios" / "selections", lake=tmp_path / "lake")
    assert {o.status for o in found} == {"imported"}


def test_a_folder_of_one_scenario_and_what_is_wrong_with_one(lake: Path, tmp_path: Path) -> None:
    def refused(path: Path, **options: Any) -> str:
        with pytest.raises(AslibError) as error:
            import_selections(path, lake=lake, **options)
        return str(error.value)

    two = tmp_path / "two" / "S"
    two.mkdir(parents=True)
    for name in ("a", "b"):
        (two / f"{name}.csv").write_text(CHOICE)
    assert refused(two.parent, name="mine") == (
        f"{two.parent}: holds 2 files. Leave the name out: every file of a folder has its own."
    )
    found = import_selections(two.parent, lake=lake, scenario="S")
    assert [(o.scenario_id, o.status) for o in found] == [("S", "imported")] * 2
    (tmp_path / "none").mkdir()
    assert refused(tmp_path / "none") == (
        f"{tmp_path}/none: holds no selections. Files are <scenario>/<selector>.json or .csv."
    )


def test_what_is_no_file_or_cannot_be_read_stops_no_other(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "S"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.csv").write_text(CHOICE)
    of_file, of_bytes = Path.is_file, Path.read_bytes

    def is_file(path: Path) -> bool:
        return path.name != "b.csv" and of_file(path)

    def read_bytes(path: Path) -> bytes:
        if path.name == "c.csv":
            raise PermissionError(13, "Permission denied")
        return of_bytes(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert [(o.status, str(o.error or "")) for o in import_selections(folder, lake=lake)] == [
        ("imported", ""),
        ("failed", f"{folder}/b.csv: is no file"),
        ("failed", f"{folder}/c.csv: cannot be read (Permission denied)"),
    ]
