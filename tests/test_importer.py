"""An import of many says what became of each, whatever happens to one."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import __version__, importer
from aslib_eval.cli import main
from aslib_eval.database.views import raw_select
from aslib_eval.formats.sources import Location, Source, scenario_table
from aslib_eval.importer import Imported, _facts
from aslib_eval.lake.schema import FORMAT, RELATIONS
from aslib_eval.lake.versions import scenario_ids
from aslib_eval.linter import check_paths
from tests.conftest import write_scenario

RUNS = [("i1", 1, "a", 3, "ok"), ("i1", 1, "b", 100, "timeout")]


def several(folder: Path, *names: str) -> list[Path]:
    return [write_scenario(folder / name, runs=RUNS) for name in names]


def fates(outcomes: list[Imported]) -> list[tuple[str, str]]:
    return [(Path(o.path).name, o.status) for o in outcomes]


FAULTS = {
    "a fault of ours": (
        TypeError("'NoneType' object\nis not iterable"),
        (
            "stumbled over something unexpected (TypeError: 'NoneType' object is not"
            " iterable). It is a fault of aslib-eval: please report it with the file."
        ),
    ),
    "no memory": (
        MemoryError(),
        ("is too large for the memory that is there. Free memory, or ask for it alone."),
    ),
    "a failing disk": (
        OSError(5, "Input/output error"),
        ("cannot be read or written (Input/output error). Check the disk and the permissions."),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_nobody_thought_of_stops_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    error, said = FAULTS[fault]
    real = importer._import  # noqa: SLF001

    def read(found: Any, job: Any) -> Imported:
        if found.location.folder == "B":
            raise error
        return real(found, job)

    monkeypatch.setattr(importer, "_import", read)
    several(tmp_path / "all", "A", "B", "C")
    arguments = ["import", str(tmp_path / "all"), "--lake", str(tmp_path / "lake")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    lines = [line.split(":")[0] for line in result.stdout.splitlines()]
    assert lines == ["imported A", "imported C"]
    where = tmp_path / "all" / "B"
    assert result.stderr == f"{where}: {said}\n1 of 3 not imported\n"
    assert scenario_ids(tmp_path / "lake") == ["A", "C"]


def test_a_check_of_many_goes_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aslib_eval.formats import aslib

    real = aslib.read

    def read(location: Any, sources: Any) -> Any:
        if location.folder == "B":
            raise KeyError("run")
        return real(location, sources)

    monkeypatch.setattr(aslib, "read", read)
    several(tmp_path, "A", "B", "C")
    found = check_paths(tmp_path)
    assert {Path(f.file).parent.name for f in found} >= {"A", "C"}
    (strange,) = (f for f in found if f.code == "unreadable")
    assert strange.file == str(tmp_path / "B")
    assert "unexpected (KeyError: 'run')" in strange.message


def test_ctrl_c_leaves_nothing_unsaid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is through, one at work and finished, one not begun."""
    real, ending = importer._import, importer._finished  # noqa: SLF001
    cancelled = threading.Event()

    def read(found: Any, job: Any) -> Imported:
        if found.location.folder == "B":
            cancelled.wait(60)
        return real(found, job)

    def finished(found: Any, future: Any) -> Imported:
        cancelled.set()
        return ending(found, future)

    monkeypatch.setattr(importer, "_import", read)
    monkeypatch.setattr(importer, "_finished", finished)
    monkeypatch.setattr(importer, "_size", lambda found: -ord(found.location.folder))
    monkeypatch.setattr(importer.os, "cpu_count", lambda: 1)
    told: list[Imported] = []
    interrupted: list[Imported] = []

    def done(outcome: Imported) -> None:
        if not interrupted:
            interrupted.append(outcome)
            raise KeyboardInterrupt
        told.append(outcome)

    paths = several(tmp_path, "A", "B", "C")
    with pytest.raises(KeyboardInterrupt):
        ae.import_scenarios(paths, into=tmp_path / "lake", done=done)
    assert fates(told)[0] == ("A", "imported")
    assert fates(told)[-1] == ("C", "failed")
    assert str(told[-1].error) == (f"{tmp_path}/C: was not imported: interrupted. Import it again.")
    through = [name for name, status in fates(told) if status == "imported"]
    assert scenario_ids(tmp_path / "lake") == through
    assert [name for name, _ in fates(told)] == ["A", "B", "C"]


def test_ids_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    """On a file system that ignores case one would replace the other."""
    paths = several(tmp_path / "in", "TOY", "toy", "Stra\u00dfe", "STRASSE")
    lake = tmp_path / "lake"
    outcomes = ae.import_scenarios(paths, into=lake)
    assert [status for _, status in fates(outcomes)] == [*("imported", "failed", "imported", "failed")]
    hint = "Rename one: many file systems take the two for one folder."
    assert str(outcomes[1].error) == (
        f"{paths[1]}: its scenario_id 'toy' differs from 'TOY' of {paths[0]} only in case. {hint}"
    )
    (later,) = ae.import_scenarios(paths[1], into=lake)
    assert str(later.error) == (
        f"{paths[1]}: its scenario_id 'toy' differs from 'TOY' of the lake {lake} only in case. {hint}"
    )
    assert scenario_ids(lake) == ["Stra\u00dfe", "TOY"]
    assert fates(ae.import_scenarios(paths[0], into=lake)) == [("TOY", "unchanged")]


def test_letters_composed_otherwise_are_the_same_name_to_some(tmp_path: Path) -> None:
    first, second = several(tmp_path / "in", "\u00e9", "e\u0301")
    lake = tmp_path / "lake"
    assert fates(ae.import_scenarios(first, into=lake))[0][1] == "imported"
    assert fates(ae.import_scenarios(second, into=lake))[0][1] == "failed"


@pytest.mark.parametrize("name", ["description.txt", "readme.txt", "citation.bib"])
def test_a_text_of_a_gigabyte_is_not_read(tmp_path: Path, name: str) -> None:
    (folder,) = several(tmp_path, "A")
    with (folder / name).open("ab") as file:
        file.truncate(1 << 30)
    (outcome,) = ae.import_scenarios(folder, into=tmp_path / "lake")
    assert str(outcome.error) == (
        f"{folder}/{name}: is too large for a {name}: it has 1024 MiB. Such a file may have at most 16 MiB."
    )
    (found,) = check_paths(folder)
    assert (found.code, found.file) == ("unreadable", str(folder))


def test_a_file_of_answers_that_trips_us_up_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aslib_eval import selections
    from aslib_eval.selections import import_selections

    lake, (folder,) = tmp_path / "lake", several(tmp_path, "A")
    ae.import_scenarios(folder, into=lake)
    real = selections.read_target

    def read(target: Any, *rest: Any) -> Any:
        if target.shown.endswith("b.csv"):
            raise ZeroDivisionError("division by zero")
        return real(target, *rest)

    monkeypatch.setattr(selections, "read_target", read)
    answers = tmp_path / "answers" / "A"
    answers.mkdir(parents=True)
    for name in ("a", "b", "c"):
        (answers / f"{name}.csv").write_text("instance,algorithm\ni1,a\n")
    outcomes = import_selections(answers.parent, lake=lake)
    assert [o.status for o in outcomes] == ["imported", "failed", "imported"]
    assert "(ZeroDivisionError: division by zero)" in str(outcomes[1].error)


UNITS = "select distinct time_unit from raw_scenario"


def test_the_unit_of_times_is_what_the_scenario_or_its_user_states(tmp_path: Path) -> None:
    lake = tmp_path / "lake"

    def unit(path: Path, given: str | None = None) -> tuple[str, list[Any]]:
        (outcome,) = ae.import_scenarios([path], into=lake, time_unit=given)
        con = ae.connect(lake, scenarios=[path.name], stored=False)
        return outcome.status, con.sql(UNITS).fetchall()

    (a,) = several(tmp_path, "A")
    b = write_scenario(tmp_path / "B", runs=RUNS, description="time_unit: 'ms'")
    assert unit(a) == ("imported", [(None,)])
    assert unit(b) == ("imported", [("ms",)])
    assert unit(a, "s") == ("imported", [("s",)])
    assert unit(a, "s") == ("unchanged", [("s",)])
    assert unit(a) == ("unchanged", [("s",)])
    assert unit(b, "s") == ("imported", [("s",)])
    (b / "readme.txt").write_text("changed")
    assert unit(b) == ("imported", [("s",)])
    assert unit(b, "") == ("imported", [("ms",)])
    assert unit(b) == ("unchanged", [("ms",)])


def test_a_lake_that_has_no_units_yet_is_read(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    ae.import_scenarios(several(tmp_path, "A", "B"), into=lake, time_unit="s")
    (old,) = lake.glob(".versions/*=A/v-*/scenario/*.parquet")
    pq.write_table(pq.read_table(old).drop(["time_unit"]), old)
    (new,) = lake.glob(".versions/*=B/v-*/scenario/*.parquet")
    for files, found in (([old], [None]), ([old, new], [None, "s"])):
        select = raw_select(RELATIONS["scenario"], [str(file) for file in files])
        units = duckdb.sql(f"select time_unit from ({select}) order by scenario_id")
        assert [unit for (unit,) in units.fetchall()] == found


def test_the_units_of_qualities_are_what_the_format_states(tmp_path: Path) -> None:
    measures = {"accuracy": True, "price": False}
    table = scenario_table(Location(tmp_path, "S"), {}, measures=measures, units={"price": "USD"})
    assert table["unit"].to_pylist() == [None, "USD"]
    pq.write_table(table.drop(["unit"]), tmp_path / "old.parquet")
    select = raw_select(RELATIONS["scenario"], [str(tmp_path / "old.parquet")])
    assert duckdb.sql(f"select distinct unit from ({select})").fetchall() == [(None,)]


def test_what_decides_whether_a_scenario_is_imported_anew() -> None:
    """A manifest has it; who changes a name of it has all scenarios imported again."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    sources = {"b": Source.of(b""), "a": Source.of(b"x")}
    found = _facts(Location(Path("/x/S"), "S"), sources)
    assert {name: found[name] for name in ("folder", "importer", "format")} == {
        "folder": "S",
        "importer": __version__,
        "format": FORMAT,
    }
    assert list(found["sources"]) == ["a", "b"]
    assert found["sources"]["b"] == {"bytes": 0, "sha256": empty}
    assert len(found) == 4
