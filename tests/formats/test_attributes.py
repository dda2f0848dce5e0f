"""Attributes of instances: from names, files, columns and truths; where they stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import read_scenario
from aslib_eval.formats.attributes import AttributeChoices, InstanceFile, PathRule, families, read_families
from aslib_eval.lake import versions
from aslib_eval.linter import check_paths
from tests.conftest import Row, arff, needs, opened, rows, write_scenario

NAMES = ("./a/x/1.cnf", "a/y/2.cnf", "/b/3.cnf", "4.cnf")
ATTRIBUTES = """
    select instance_id, attribute, value::varchar from raw_attribute order by all
"""


def made(folder: Path, names: tuple[str, ...] = NAMES, name: str = "S") -> Path:
    runs = [(i, 1, a, 3, "ok") for i in names for a in ("ant", "bee")]
    return write_scenario(folder / name, runs=runs)


def truth(folder: Path, columns: dict[str, str], *cells: Row) -> None:
    text = arff({"instance_id": "STRING", **columns}, cells)
    (folder / "ground_truth.arff").write_text(text)


def said(path: Path, **choices: Any) -> list[tuple[str, int | None, str]]:
    found = check_paths(path, **choices)
    return [
        (f.code.removeprefix("attribute-"), f.line, f.message)
        for f in found
        if f.code.startswith("attribute-")
    ]


def attributes(lake: Path) -> list[tuple[Any, ...]]:
    return rows(opened(lake), ATTRIBUTES)


@pytest.mark.parametrize(
    ("rule", "families"),
    [
        ("path:1", ["a", "a", "b", None]),
        ("path:2", ["x", "y", None, None]),
        ("path:-1", ["x", "y", "b", None]),
        ("path:-2", ["a", "a", None, None]),
        ("path:1:.", ["/a/x/1", "a/y/2", "/b/3", "4"]),
    ],
)
def test_a_component_of_a_name(rule: str, families: list[str | None]) -> None:
    assert [PathRule.of(rule).family(name) for name in NAMES] == families
    assert PathRule.of(rule).text == rule


def test_what_counts_as_a_component() -> None:
    first = PathRule(1)
    assert first.family(r"C:\sat\x.cnf") == "C:"
    assert first.family("..//./a//b") == "a"
    assert PathRule.of("path:2:_-").family("sgen-small_17-4") == "small"
    for wrong in ("path:0", "path:", "path:x", "path:1:", "1", "path:1234567", "path:" + "1" * 5_000):
        with pytest.raises(AslibError, match="is not a rule for families") as raised:
            PathRule.of(wrong)
        assert len(str(raised.value)) < 250


def test_instances_without_a_component_are_named(tmp_path: Path) -> None:
    folder, lake = made(tmp_path), tmp_path / "lake"
    assert said(folder, family="path:1") == [
        ("missing", None, "1 instance without family: '4.cnf'"),
        ("understood", None, "path:1 is read as the attribute family, with 2 values on 3 instances"),
    ]
    (done,) = ae.import_scenarios(folder, into=lake, family="path:1")
    assert done.status == "imported"
    assert [(i, v) for i, _, v in attributes(lake)] == [
        ("./a/x/1.cnf", "a"), ("/b/3.cnf", "b"), ("a/y/2.cnf", "a"),
    ]  # fmt: skip
    lacking = "no instance name has a component path:5, for example ['./a/x/1.cnf']"
    assert said(folder, family="path:5") == [("none", None, lacking)]
    (done,) = ae.import_scenarios(folder, into=lake, family="path:5")
    assert done.status == "failed"


def test_a_file_says_attributes_and_all_that_is_odd(tmp_path: Path) -> None:
    folder, file, lake = (made(tmp_path, ("i1", "i2", "i3")), tmp_path / "a.csv", tmp_path / "l")
    file.write_text("inst,family,track\ni1,f,t\ni2,,t\nzz,f,t\n")
    assert said(folder, attributes=str(file)) == [
        ("missing", None, "1 instance of the runs without attributes: 'i3'"),
        ("unknown", 4, "skipped 1 instance without a run: 'zz'"),
        ("missing", None, "1 instance without family: 'i2'"),
        ("understood", None, "column 'family' is read as the attribute family, with 1 value on 1 instance"),
        ("understood", None, "column 'track' is read as the attribute track, with 1 value on 2 instances"),
    ]
    ae.import_scenarios(folder, into=lake, attributes=file)
    expected = [("i1", "family", "f"), ("i1", "track", "t"), ("i2", "track", "t")]
    assert attributes(lake) == expected


WANTED = "a file of attributes needs a column of instances and others, all with names"


@pytest.mark.parametrize(
    ("option", "text", "errors"),
    [
        ("attributes", "i,f\ni1,a\ni1,b\n,c\ni2\n", [(3, "i1 is in line 2 already"),
                                                     (4, "the row names no instance"),
                                                     (5, "1 cells instead of 2")]),
        ("attributes", "i,f,e,f,e\ni1,a,a,a,a\n", [(1, "two columns are called 'e', 'f'")]),
        ("attributes", "i\ni1\n", [(1, WANTED)]),
        ("attributes", "i,\nx,1\n", [(1, WANTED)]),
        ("attributes", "i,f\nzz,a\n", [(None, "none of its 1 instance occurs in the runs")]),
        ("family", "i,kind,more\ni1,hard,x\n", [(1, "no column is called family")]),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused(
    tmp_path: Path, option: str, text: str, errors: list[tuple[int | None, str]]
) -> None:
    folder, file = made(tmp_path, ("i1", "i2")), tmp_path / "a.csv"
    file.write_text(text)
    found = said(folder, **{option: file})
    assert [(line, what) for _, line, what in found] == errors
    (done,) = ae.import_scenarios(folder, into=tmp_path / "l", **{option: file})
    assert done.status == "failed"


def test_a_file_of_families(tmp_path: Path) -> None:
    folder, file, lake = made(tmp_path, ("i1",)), tmp_path / "a.csv", tmp_path / "l"
    file.write_text("i,kind\ni1,hard\n")
    ae.import_scenarios(folder, into=lake, family=str(file))
    assert attributes(lake) == [("i1", "family", "hard")]
    two = read(tmp_path, "i,track,family\nx,a,b\n", family=True)
    assert two.values == {"track": {"x": "a"}, "family": {"x": "b"}}
    file.write_text("i,family\ni1,hard\n")
    with pytest.raises(AslibError, match="the attribute family is given twice"):
        check_paths(folder, family="path:1", attributes=file)
    with pytest.raises(AslibError, match="Use path:1 for the first folder"):
        check_paths(folder, family="path1")


def test_importing_again_replaces_all(tmp_path: Path) -> None:
    folder, lake = made(tmp_path), tmp_path / "lake"
    again = {"into": lake, "family": "path:1"}
    assert [ae.import_scenarios(folder, **again)[0].status for _ in "12"] == [
        "imported", "unchanged",
    ]  # fmt: skip
    (done,) = ae.import_scenarios(folder, into=lake, family="path:-1")
    assert (done.status, done.forgotten) == ("imported", ())
    assert {value for *_, value in attributes(lake)} == {"x", "y", "b"}
    (done,) = ae.import_scenarios(folder, into=lake)
    assert (done.status, done.forgotten) == ("imported", ("attribute family",))
    assert attributes(lake) == []


def test_the_ground_truth_is_an_attribute(tmp_path: Path) -> None:
    folder, lake = made(tmp_path, ("i1", "i2")), tmp_path / "lake"
    truth(folder, {"satunsat": "{SAT, UNSAT}", "n": "NUMERIC"}, ("i1", "SAT", 3), ("i2", None, 4))
    ae.import_scenarios(folder, into=lake)
    assert attributes(lake) == [("i1", "ground_truth", "SAT")]
    truth(folder, {"satunsat": "{SAT}", "kind": "{k}"}, ("i1", "SAT", "k"), ("i2", None, "k"))
    ae.import_scenarios(folder, into=lake)
    found = [("i1", "kind", "k"), ("i1", "satunsat", "SAT"), ("i2", "kind", "k")]
    assert attributes(lake) == found


def test_columns_of_runs_that_say_something_of_instances(tmp_path: Path) -> None:
    path, lake = tmp_path / "runs.csv", tmp_path / "lake"
    path.write_text(
        "instance,solver,time,track,year,host\n"
        "i1,ant,1,main,2016,h1\ni1,bee,2,main,2016,h2\n"
        "i2,ant,1,-,2016,h1\ni2,bee,2,-,2016,h2\n"
    )
    found = check_paths(path, cutoff=9)
    told = [f.message for f in found if "attribute" in f.message]
    assert told == [
        f"the column {name!r} is read as an attribute of the instances, with 1 value on {n};"
        f" to leave it out, add --column ignore={name}"
        for name, n in (("track", "1 instance"), ("year", "2 instances"))
    ]
    ignored = [f.message for f in found if f.code == "runs-ignored"]
    assert ignored == ["column 'host' is not read: unknown name"]
    ae.import_runs(path, into=lake, cutoff=9, column={"ignore": "year"})
    assert attributes(lake) == [("i1", "track", "main")]
    with pytest.raises(ScenarioError, match="'h2' here and 'h1' in line 2"):
        ae.import_runs(path, into=lake, cutoff=9, column={"attribute": "host"})


def test_a_wide_table_and_its_settings(tmp_path: Path) -> None:
    path, lake = tmp_path / "runs.csv", tmp_path / "lake"
    path.write_text("instance,kind,class,ant,bee\np/1,u,c,1,2\nq/2,u,d,3,4\n")
    (tmp_path / "scenario.toml").write_text('cutoff = 9\nfamily = "path:1"\n')
    ae.import_scenarios(path, into=lake)
    assert attributes(lake) == [
        ("p/1", "class", "c"), ("p/1", "family", "p"), ("p/1", "kind", "u"),
        ("q/2", "class", "d"), ("q/2", "family", "q"), ("q/2", "kind", "u"),
    ]  # fmt: skip
    (tmp_path / "scenario.toml").write_text('cutoff = 9\nfamily = "path"\n')
    errors = [f.message for f in check_paths(path) if f.severity == "error"]
    assert errors == ["family must be a rule such as path:1"]


def test_what_a_user_gives_replaces_attributes_of_the_same_names(tmp_path: Path) -> None:
    path, lake = tmp_path / "runs.csv", tmp_path / "lake"
    path.write_text("instance,kind,class,ant,bee\np,u,c,1,2\nq,u,d,3,4\n")
    (tmp_path / "a.csv").write_text("instance,kind,size\np,v,3\n")
    ae.import_runs(path, into=lake, cutoff=9, attributes=tmp_path / "a.csv")
    assert attributes(lake) == [
        ("p", "class", "c"), ("p", "kind", "v"), ("p", "size", "3"), ("q", "class", "d"),
    ]  # fmt: skip


@needs("exporting")
def test_what_is_exported_and_copied_is_read_back(tmp_path: Path) -> None:
    folder, lake = made(tmp_path), tmp_path / "lake"
    truth(folder, {"satunsat": "{SAT}"}, *((name, "SAT") for name in NAMES))
    ae.import_scenarios(folder, into=lake, family="path:1")
    before = attributes(lake)
    assert len(before) == 7
    ae.export(tmp_path / "out", lake, format="aslib")
    ae.import_scenarios(tmp_path / "out" / "S", into=tmp_path / "again")
    assert attributes(tmp_path / "again") == before
    ae.export(tmp_path / "files", lake, relations=["raw_attribute"], format="parquet")
    table = pl.read_parquet(tmp_path / "files" / "raw_attribute.parquet")
    told = table.select("instance_id", "attribute", "value").cast(pl.String)
    assert sorted(told.rows()) == before


@needs("exporting")
def test_hostile_values_are_written_and_read(tmp_path: Path) -> None:
    values = ["?", "a b", "'", "1", "nan", "a,b", "SAT", "%x", "é"]
    folder = made(tmp_path, tuple(f"i{n}" for n in range(9)))
    tables = {name: pl.DataFrame(each) for name, each in relations(read_scenario(folder)).items()}
    odd = [{"instance_id": f"i{n}", "attribute": "odd name", "value": values[n]} for n in range(1, 9)]
    ae.write_scenario({**tables, "attribute": pl.DataFrame(odd)}, tmp_path / "out" / "S")
    ae.import_scenarios(tmp_path / "out" / "S", into=tmp_path / "l")
    assert [value for *_, value in attributes(tmp_path / "l")] == values[1:]


def test_attributes_of_no_instance_are_an_error(tmp_path: Path) -> None:
    folder = made(tmp_path, ("i1", "i2"))
    columns = {"instance_id": "STRING", "year": "NUMERIC"}
    (folder / "attributes.arff").write_text(arff(columns, [("i1", 2016)]))
    ae.import_scenarios(folder, into=tmp_path / "l")
    assert attributes(tmp_path / "l") == [("i1", "year", "2016")]
    (folder / "attributes.arff").write_text(arff(columns, [("i9", 2016)]))
    errors = [(f.code, f.line) for f in check_paths(folder) if f.severity == "error"]
    assert errors == [("instance-unknown", 5)]


def test_a_lake_from_before_attributes_is_read(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    folder = made(tmp_path)
    ae.import_scenarios(folder, into=lake)
    (file,) = lake.glob(".versions/*/v-*/manifest.json")
    known = {**json.loads(file.read_text()), "format": 3}
    del known["manifest_sha256"]
    file.write_bytes(versions.seal(known))
    assert attributes(lake) == []
    assert ae.query("select count(*) n from raw_run", lake=lake)["n"].to_list() == [8]
    (done,) = ae.import_scenarios(folder, into=lake)
    assert done.status == "imported"


def read(tmp_path: Path, text: str, *, family: bool = False) -> InstanceFile:
    path = tmp_path / "f.csv"
    path.write_text(text)
    return InstanceFile.read(path, family=family)


def test_families_are_of_the_rule_or_of_the_first_file_that_has_some(tmp_path: Path) -> None:
    names = ["a/1", "2"]
    one = read(tmp_path, "i,track\n2,t\n")
    two = read(tmp_path, "i,family\n2,f\n")
    three = read(tmp_path, "i,family\n2,g\n")
    assert AttributeChoices(PathRule(1), (two,)).families(names) == {"a/1": "a"}
    assert AttributeChoices(None, (one, two, three)).families(names) == {"2": "f"}
    assert AttributeChoices(None, (one,)).families(names) == {}
    facts = AttributeChoices(PathRule(1), (one, two)).facts
    assert facts == ["path:1", one.sha256, two.sha256]


def test_a_file_whose_last_line_may_be_cut_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, "i,track\nx,a")
    assert (found.values, found.findings) == ({"track": {"x": "a"}}, ())


@pytest.mark.parametrize(("family", "ends"), [(False, "Name a CSV file."), (True, "-1 for the last.")])
def test_a_file_that_is_not_there_is_asked_for(tmp_path: Path, *, family: bool, ends: str) -> None:
    with pytest.raises(AslibError) as error:
        InstanceFile.read(tmp_path / "f.csv", family=family)
    assert str(error.value.hint).endswith(ends)


def test_families_that_are_wrong_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("i,family\nx,\ny,f\ny,g\nz,\n")
    with pytest.raises(ScenarioError) as error:
        read_families(tmp_path / "f.csv")
    assert [each.line for each in error.value.findings] == [2, 4, 5]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["vmpc_24.cnf", "mod-3.cnf", "x7"], ["vmpc", "mod", "x"]),
        (["a/x1", "a/y1"], ["x", "y"]),
        (["a/x1", "b/x1", "y"], ["a", "b", ""]),
        # A hash tells no family; what stands behind it does.
        (["0123456789abcdef0-vmpc_24.cnf", "0123456789abcdef0_mod3"], ["vmpc", "mod"]),
        (["0123456789abcdef0", "0123456789abcdef1.cnf"], ["0123456789abcdef0", "0123456789abcdef1.cnf"]),
    ],
)
def test_families_by_names(names: list[str], expected: list[str]) -> None:
    assert families(names) == expected
