"""Which format takes what: literal folders, and formats of chosen files."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.formats import ABOUT_RUNS, Finder, Format, Found, Packed, TableChoices, registry
from aslib_eval.formats.aslib import ASLIB
from aslib_eval.formats.runs import RUNS
from aslib_eval.formats.sources import FilesRead, Location


def made(name: str, *files: str, **how: Any) -> Format:
    """A format of the files, or of the folders, that are called so."""

    def look(path: Path, files_read: FilesRead) -> list[Location]:
        assert isinstance(files_read, FilesRead)
        inside = [path / each for each in files if (path / each).is_file()]
        own = [path] if path.name in files else []
        return [Location(each, str(each), header=(each.stem,)) for each in own or inside]

    return replace(
        ASLIB,
        name=name,
        find=Finder(look),
        absent=lambda path: AslibError(f"is no {name}", str(path)),
        **{"marks": (), "is_header": None, **how},
    )


def located(path: Path, *formats: Format) -> list[tuple[str, str]]:
    """Format (of an archive: packed) and name of what is found."""
    return [
        ("packed" if isinstance(found, Packed) else found.format.name, found.location.path.name)
        for found in registry.locate(path, formats=formats)
    ]


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("a,b\n1,2\n")
    return folder


def test_a_path_itself_goes_before_what_is_in_it(tmp_path: Path) -> None:
    put(tmp_path, "x.csv", "in/x.csv", "in/y.csv")
    x, y = made("x", "x.csv"), made("y", "y.csv")
    assert located(tmp_path, x, y) == [("x", "x.csv"), ("y", "y.csv")]
    assert located(tmp_path / "in", y, x) == [("y", "y.csv"), ("x", "x.csv")]


def test_a_general_format_leaves_what_another_one_took(tmp_path: Path) -> None:
    put(tmp_path, "x.csv", "z.csv")
    general = made("general", "x.csv", "z.csv", is_general=True)
    of_runs = made("of-runs", "x.csv", choices=ABOUT_RUNS)
    assert located(tmp_path, of_runs, general) == [("of-runs", "x.csv"), ("general", "z.csv")]
    assert located(tmp_path / "x.csv", made("x", "x.csv"), general) == [("x", "x.csv")]
    assert located(tmp_path / "x.csv", general) == [("general", "x.csv")]


def test_a_general_format_takes_no_table_that_is_marked_as_anothers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    general = made("general", "x.csv", "z.csv", is_general=True)
    marked = made("marked", marks=("their",))
    headed = made("headed", is_header=lambda columns: [*columns] == ["z"])
    usable = {each.name: each for each in (general, marked, headed)}
    monkeypatch.setattr(type(registry.FORMATS), "usable", lambda _: usable)
    put(tmp_path, "x.csv", "z.csv")
    assert located(tmp_path, general) == [("general", "x.csv")]
    (tmp_path / "their").mkdir()
    with pytest.raises(AslibError, match="is no general"):
        located(tmp_path, general)


def test_a_table_of_anothers_name_belongs_to_the_tables_beside_it(tmp_path: Path) -> None:
    put(tmp_path, "x.csv", "r.csv")

    def results(*columns: str) -> Format:
        def is_header(found: Sequence[str]) -> bool:
            return [*found] == [*columns]

        return made("results", "r.csv", marks=("r.csv",), is_header=is_header)

    x = made("x", "x.csv")
    assert located(tmp_path, x, results("a", "b")) == [("x", "x.csv"), ("results", "r.csv")]
    assert located(tmp_path, x, results("a", "c")) == [("x", "x.csv")]
    other = replace(results("a", "c"), marks=("none.csv",))
    assert located(tmp_path, x, other) == [("x", "x.csv"), ("results", "r.csv")]
    assert located(tmp_path, results("a", "c")) == [("results", "r.csv")]


def test_archives_stand_by_name_among_what_the_first_format_found(tmp_path: Path) -> None:
    put(tmp_path, "a.tar.gz", "m.csv", "z.zip", "b.csv")
    first, second = made("first", "m.csv"), made("second", "b.csv")
    assert located(tmp_path, first, second) == [
        ("packed", "a.tar.gz"),
        ("first", "m.csv"),
        ("packed", "z.zip"),
        ("second", "b.csv"),
    ]
    assert located(tmp_path / "z.zip", first) == [("packed", "z.zip")]


def test_what_is_decided_is_for_formats_that_understand_it(tmp_path: Path) -> None:
    one = made("one", choices=frozenset({"cutoff", "unit"}), with_choices=lambda _: RUNS)
    none = made("none", choices=frozenset({"cutoff"}))
    choices = TableChoices(cutoff=1.0)
    (tmp_path / "t.csv").write_text("instance,solver,time\ni,a,1\n")
    (found,) = registry.locate(tmp_path / "t.csv", formats=[none, one], choices=choices)
    assert isinstance(found, Found)
    assert found.format.name == "runs"
    for formats in ([none], [one, none]):
        with pytest.raises(AslibError, match=f"^format {formats[0].name} has no columns"):
            registry.locate(tmp_path, formats=formats, choices=replace(choices, missing="drop"))


def test_why_nothing_is_found(tmp_path: Path) -> None:
    """By the format that the file looks like: runs, or the last one; else by the file."""
    put(tmp_path, "t.csv", "text.txt", "metric.csv", "wide.csv")
    (tmp_path / "metric.csv").write_text("task,method,metric,value\n")
    (tmp_path / "wide.csv").write_text("Dataset,Metric,a,b\n")
    x, runs = made("x"), replace(made("y"), name="runs")
    for name, formats, why in (
        ("t.csv", [runs, x], "is no y"),
        ("metric.csv", [runs, x], "is no x"),
        ("wide.csv", [runs, x], "is no y"),
        ("t.csv", [x, made("z")], "is no z"),
        ("", [x, runs], "is no y"),
        ("", [runs, x], "is no y"),
        ("text.txt", [x], "is not a folder, table or archive. Give a folder of one or more scenarios"),
        ("gone", [x], "does not exist. Give a folder of one or more scenarios"),
    ):
        with pytest.raises(AslibError) as raised:
            registry.locate(tmp_path / name, formats=formats)
        assert str(raised.value).startswith(f"{tmp_path / name}: {why}")


def test_of_several_paths_selections_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "selections/x.csv", "a/x.csv")
    x = made("x", "x.csv")
    paths = [tmp_path / "a", tmp_path / "selections"]
    assert len(registry.locate_all(paths, formats=[x])) == 1
    assert len(registry.locate_all(paths[1:], formats=[x])) == 1
    with pytest.raises(AslibError, match=r"no format is called 'odd'.*aslib, uai"):
        registry.locate(tmp_path, format="odd")


def test_an_unpacked_scenario_is_shown_below_its_archive(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "no.tar.gz", "wb") as file:
        file.write(b"no")
    broken = Packed((ASLIB,), Location(tmp_path / "no.tar.gz", "shown/no.tar.gz"))
    with pytest.raises(AslibError, match=r"^shown/no.tar.gz: "), registry.opened(broken):
        pass
    found = Found(ASLIB, Location(tmp_path, "here"))
    with registry.opened(found) as scenarios:
        assert scenarios == [found]
