"""Words of a command line that no file system, DuckDB or solver can have."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from tests.conftest import ROOT, needs

_HALF = "\udcff"  # what Python makes of a byte that is no UTF-8
_LONG = "x" * 300


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["score", "--lake", _LONG], "(File name too long). Name another --lake."),
        (["query", "--sql", _LONG, "select 1"], "(File name too long)"),
        (["lake", "repair", "--lake", _LONG], "(File name too long)"),
        (["compare", "--versus", ""], "there is no solver ''"),
        (["compare", "--versus", _HALF], r"versus = '\udcff' is not UTF-8 text"),
        (["score", "--lake", _HALF], "the lake's folder is not Unicode text"),
        pytest.param(
            *(["export", "-o", f"{_HALF}.duckdb"], "its name is not Unicode text"), marks=needs("exporting")
        ),
        pytest.param(
            ["export", "solver_gap", "--format", "csv", "-o", _HALF],
            "not Unicode text",
            marks=needs("exporting"),
        ),
    ],
)
def test_odd_words_are_refused_in_a_sentence(
    line: list[str], said: str, toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASLIB_LAKE", str(toy))
    found = CliRunner().invoke(main, line)
    assert (found.exit_code, found.stdout) == (1, "")
    assert said in found.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_neighbour_whose_name_is_no_unicode_keeps_no_scenario_out(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "scenarios" / "TOY-2026", tmp_path / "TOY-2026")
    (folder / f"notes{_HALF}.txt").write_text("x")
    lake = ["--lake", str(tmp_path / "lake")]
    for line in (["import", str(folder)], ["check", "--lake"], ["import", str(folder)]):
        more = lake[1:] if line[0] == "check" else lake
        found = CliRunner().invoke(main, [*line, *more])
        assert found.exit_code == 0, found.output
    assert "unchanged" in found.output
    sql = r"select file from raw_source where file like 'notes%'"
    found = CliRunner().invoke(main, ["query", *lake, sql])
    assert r"notes\\udcff.txt" in found.stdout
    (lake_in_half := tmp_path / _HALF).mkdir()
    found = CliRunner().invoke(main, ["import", str(folder), "--lake", str(lake_in_half)])
    assert "the lake's folder is not Unicode text" in found.stderr
