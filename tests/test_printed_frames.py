"""How the frames print that public functions return."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.figures import chart as write
from aslib_eval.options import printed

RUNS = "instance,solver,time\ni,a,3\ni,b,9\n"


def test_a_gap_prints_every_solver_in_a_row_and_above_what_is_the_same(toy: Path) -> None:
    lines = str(ae.gap(toy)).splitlines()
    assert lines[0].startswith("protocol default@")
    (head,) = (line.split()[:2] for line in lines if line.startswith("kind"))
    assert head == ["kind", "solver"]
    assert [line.split()[:2] for line in lines if "drift" in line] == [["algorithm", "drift"]]
    assert "\x1b" not in str(ae.gap(toy))


def test_a_comparison_and_a_table_print_themselves(toy: Path) -> None:
    compared = str(ae.compare(toy, kind="algorithm"))
    assert "drift   crane" in compared
    assert "4 algorithms by cost" in compared
    assert str(ae.table("closed_gap", toy)).startswith("Closed gap of every selector: 1 is VBS")


def test_a_long_frame_says_how_much_is_shown(toy: Path) -> None:
    text = str(ae.query("from instance_solver, range(9)", lake=toy))
    assert "rows, of which 30 are shown" in text
    rows = printed(pl.DataFrame({"n": range(40)})).splitlines()
    assert [row.strip() for row in rows if row.strip().isdigit()] == [*map(str, range(30))]
    narrow = ae.query("select solver, par10 from solver_score", lake=toy)
    assert str(narrow) == repr(narrow) == str(pl.DataFrame(narrow))
    eight = ae.query("select 1 as a, 2 as b, 3 as c, 4 as d, 5 as e, 6 as f, 7 as g, 8 as h", lake=toy)
    assert str(eight) == str(pl.DataFrame(eight))
    with pl.Config(tbl_cols=-1):
        assert str(ae.gap(toy)).startswith("shape: (")


def test_an_argument_may_be_named_as_its_option_is(toy: Path, tmp_path: Path) -> None:
    assert ae.gap(toy, solver="VBS", scenario="TOY*", kind=["baseline"])["solver"].to_list() == ["VBS"]  # type: ignore[call-arg]
    assert ae.score(toy, solvers="dr*").height == 1
    with pytest.raises(TypeError, match="scenario and scenarios are the same argument: give one"):
        ae.gap(toy, scenario="a", scenarios=["b"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"'solvr'\. Did you mean 'solvers'"):
        ae.gap(toy, solvr="x")  # type: ignore[call-arg]
    (tmp_path / "runs.csv").write_text(RUNS)
    with pytest.warns(FutureWarning, match="unit is now called times_in") as warned:
        (done,) = ae.import_runs(tmp_path / "runs.csv", into=tmp_path / "lake", cutoff=60, unit="ms")
    assert [each.filename for each in warned] == [__file__]
    assert done.status == "imported"
    assert ae.query("select time_unit from raw_scenario", lake=tmp_path / "lake").item() == "s"


def test_an_option_of_the_release_before_works_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(RUNS)
    words = ["import", str(tmp_path / "runs.csv"), "--cutoff", "60", "--lake", str(tmp_path / "lake")]
    done = CliRunner().invoke(main, [*words, "--unit=ms"])
    assert done.exit_code == 0
    assert done.stderr == "--unit is now called --times-in. The next release drops the old name.\n"
    assert CliRunner().invoke(main, ["check", "--", "--unit"]).stderr.startswith("--unit: ")


def test_a_misspelt_figure_is_said_before_what_its_file_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object, **__: object) -> None:
        pytest.fail("the extra was asked for")

    monkeypatch.setattr(write, "require_extra", lacking)
    done = CliRunner().invoke(main, ["figure", "cactsu", "-o", "x.svg"])
    assert done.exit_code == 1
    assert "cactsu: there is no such figure. Did you mean 'cactus'?" in done.output
