"""Import → write → import is the identity; what cannot be said is refused."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import arff as liac
import polars as pl
import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.extensions.exporting.write import (
    _algorithms,
    arff_string,
    arff_text,
    arff_words,
    number_text,
    spread,
    yaml_number,
    yaml_word,
)
from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import IDS, read_scenario
from aslib_eval.formats.registry import locate
from aslib_eval.formats.sources import Location
from aslib_eval.paths import Folder
from tests.conftest import ROOT, opened, rows
from tests.formats.aslib.every_file import every_file

TOY = ROOT / "scenarios" / "TOY-2026"
Tables = dict[str, pa.Table]
HOSTILE = [
    *("?", "NA", "null", "~", "yes", "no", "y", "nan", "NaN", "inf", "1e3", "0x1F"),
    *("25_04", "2097", "2015-01-01", "12:30:45", ".5", "-", "- a", "a: b", "a #b"),
    *("a b", " a", "a ", "a,b", "'", '"', "it's", '"a"', "'a'", "\\", "a\\", "\\n"),
    *("%", "%a", "@data", "{", "{0 a}", "}", "[a]", "&a", "*a", "!a", "|", ">", "`"),
    *("é", "ß\u0301", "日本", "😀", "\u2028", "\xa0", "\ufeff", "\U000e0001", "\x85"),
    *("a\nb", "a\rb", "\t", "\x00", "\x011", "\x7f", "\x1b[31m", "a" * 2000),
]


def run(*words: str | Path | int) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def read(folder: Path) -> Tables:
    return relations(read_scenario(Location(folder, str(folder))))


def assert_equal(left: Tables, right: Tables) -> None:
    """The same rows in the same order, but for what names the files themselves."""
    assert left.keys() - {"source"} == right.keys() - {"source"}
    for name in left.keys() - {"source"}:
        own = [c for c in ("folder", "source_sha256") if c in left[name].column_names]
        a, b = (pl.DataFrame(t[name].drop_columns(own)) for t in (left, right))
        texts = pl.col(pl.Categorical).cast(pl.String)
        assert_frame_equal(a.with_columns(texts), b.with_columns(texts))


def make(
    *,
    instances: tuple[str, ...] = ("i1", "i2"),
    algorithms: tuple[str, ...] = ("a", "b"),
    feature: str = "size",
    cell: float | str | None = 1.5,
    step: str = "probe",
    configuration: str = "",
) -> dict[str, pl.DataFrame]:
    """A small scenario: everything solved, one feature of one step, one fold."""
    runs = [(i, 1, a, "time", 1.0, "ok") for i in instances for a in algorithms]
    value = ("label", cell) if isinstance(cell, str) else ("value", cell)
    at = {"instance_id": instances, "repetition": 1}
    infos = {"algorithm": algorithms, "configuration": configuration}
    steps = {"step": [step], "provides": [[feature]], "is_default": [True]}
    measure = {"measure": ["time"], "measure_type": ["runtime"], "maximize": [False]}
    number = pl.Series(value[0], [value[1]], strict=False)
    return {
        "scenario": pl.DataFrame(measure | {"cutoff": [10]}),
        "algorithm": pl.DataFrame(infos),
        "feature": pl.DataFrame({"feature": [feature], "deterministic": [True]}),
        "feature_step": pl.DataFrame(steps),
        "run": pl.DataFrame(
            runs, schema=[*IDS["algorithm_runs"], "measure", "value", "runstatus"], orient="row"
        ),
        "feature_value": pl.DataFrame(at | {"feature": feature}).join(pl.DataFrame(number), how="cross"),
        "feature_status": pl.DataFrame(at | {"step": step, "runstatus": "ok"}),
        "fold": pl.DataFrame({"instance_id": instances, "cv_repetition": 1, "fold": 1}),
    }


def column(tables: Tables, relation: str, name: str) -> list[Any]:
    return list(dict.fromkeys(tables[relation][name].to_pylist()))


@pytest.mark.slow
def test_every_real_scenario_comes_back(shared: Path, tmp_path: Path) -> None:
    found = [locate(shared / part) for part in ("aslib", "aslib-rebuilt")]
    for at, location in enumerate([x.location for part in found for x in part]):
        scenario = read_scenario(location)
        assert scenario.description is not None
        to = tmp_path / str(at) / location.folder
        ae.write_scenario(relations(scenario), to, scenario_id=scenario.description.scenario_id)
        assert_equal(read(to), relations(scenario))
    assert at == 18


def test_the_toy_comes_back_with_the_same_texts_and_bytes(tmp_path: Path) -> None:
    ae.write_scenario(read(TOY), tmp_path / "TOY-2026")
    assert_equal(read(tmp_path / "TOY-2026"), read(TOY))
    for name in ("readme.txt", "citation.bib"):
        assert (tmp_path / "TOY-2026" / name).read_text() == (TOY / name).read_text()
    ae.write_scenario(read(tmp_path / "TOY-2026"), tmp_path / "again" / "TOY-2026")
    for path in (tmp_path / "TOY-2026").iterdir():
        assert (tmp_path / "again" / "TOY-2026" / path.name).read_bytes() == path.read_bytes()


def test_every_file_comes_back(tmp_path: Path) -> None:
    given = every_file(tmp_path / "S")
    ae.write_scenario(read(given), tmp_path / "back" / "S", scenario_id="S")
    assert_equal(read(tmp_path / "back" / "S"), read(given))
    back = {path.name for path in (tmp_path / "back" / "S").iterdir()}
    assert back == {path.name for path in given.iterdir()}


def test_a_scenario_of_the_lake_and_of_duckdb(tmp_path: Path) -> None:
    ae.import_scenarios([TOY], into=tmp_path / "lake")
    ae.write_from_lake(tmp_path / "lake", "TOY-2026", tmp_path / "a")
    con = opened(tmp_path / "lake")
    names = [name for name in read(TOY) if rows(con, f"from raw_{name} limit 1")]
    ae.write_scenario({name: con.sql(f"from raw_{name}").pl() for name in names}, tmp_path / "b")
    assert_equal(read(tmp_path / "a"), read(TOY))
    for path in (tmp_path / "a").glob("description.txt"):
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()
    with pytest.raises(ae.AslibError, match="holds no scenario 'X'"):
        ae.write_from_lake(tmp_path / "lake", "X", tmp_path / "c")


@pytest.mark.slow
def test_the_command_writes_a_random_split_as_cv_arff(tmp_path: Path) -> None:
    ae.import_scenarios([TOY], into=tmp_path / "lake")
    run("resample", "--lake", tmp_path / "lake", "--folds", 3, "--repeats", 2)
    words = ["export", "--lake", tmp_path / "lake", "--format", "aslib"]
    words += ["-o", tmp_path / "out"]
    assert run(*words, "--scheme", "random-2x3-s1").stdout == f"{tmp_path / 'out' / 'TOY-2026'}\n"
    assert run("check", tmp_path / "out" / "TOY-2026").exit_code == 0
    assert set(column(read(tmp_path / "out" / "TOY-2026"), "fold", "cv_repetition")) == {1, 2}
    again = run(*words)
    assert again.exit_code == 1
    assert "TOY-2026: " in again.stderr
    assert "has no cv_scheme 'nope'" in run(*words, "--scheme", "nope").stderr


NAMES = st.sampled_from([*HOSTILE, ""]) | st.text(st.characters(codec="utf-8"), max_size=6)
CELLS = st.none() | st.floats() | NAMES


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    names=st.lists(NAMES.filter(bool), min_size=2, max_size=4, unique=True),
    feature=NAMES,
    cell=CELLS,
    step=NAMES,
    configuration=NAMES,
)
@example(names=["a-b", "a.b"], feature="a b", cell="", step="s", configuration="")
@example(names=["a", "b"], feature="it's", cell=-0.0, step="%", configuration="-x 'y'")
def test_what_is_written_is_what_was_given_or_nothing_is(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], **words: Any
) -> None:
    parent = tmp_path_factory.mktemp("law")
    tables = make(instances=tuple(names), algorithms=tuple(names), **words)
    try:
        ae.write_scenario(tables, parent / "S")
    except ae.AslibError:
        assert list(parent.iterdir()) == []
        return
    back = read(parent / "S")
    ae.write_scenario(back, parent / "T", scenario_id="S")
    assert_equal(read(parent / "T"), back)
    for name, frame in tables.items():
        texts = pl.DataFrame(back[name]).with_columns(pl.col(pl.Categorical).cast(str))
        assert_frame_equal(texts.select(frame.columns), frame, check_dtypes=False)


@given(st.text(st.characters(codec="utf-8")))
@settings(max_examples=100)
def test_liac_arff_and_pyyaml_read_the_word_that_was_written(word: str) -> None:
    text = f"@RELATION r\n@ATTRIBUTE a STRING\n@DATA\n{arff_string(word)}\n"
    assert liac.loads(text)["data"] == [[word]]
    assert yaml.safe_load(f"- {yaml_word(word)}\n") == [word]
    if len(word) < 100:
        assert yaml.safe_load(f"{yaml_word(word)}: x\n") == {word: "x"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (0.1, "0.1"),
        (1e8, "100000000"),
        (1e-5, "1e-05"),
        (1e22, "1e+22"),
        (-0.0, "-0"),
        (math.nan, "NaN"),
        (math.inf, "inf"),
        (None, "?"),
    ],
)
def test_numbers_in_arff(value: float | None, text: str) -> None:
    assert number_text(value) == text


def test_numbers_in_yaml_are_numbers_to_yaml_1_1() -> None:
    for value in (3.0, 0.1, 1e22, 1.5e-7, 2e-7):
        assert yaml.safe_load(yaml_number(value)) == value
    assert yaml_number(None) == "'?'"


def test_little_is_needed(tmp_path: Path) -> None:
    tables = {name: make()[name] for name in ("scenario", "run", "fold")}
    findings = ae.write_scenario(tables, tmp_path / "S", readme="hello")
    assert {f.severity for f in findings} <= {"warning", "note"}
    back = read(tmp_path / "S")
    assert column(back, "algorithm", "described") == [True]
    assert back["scenario"]["cutoff"].to_pylist() == [10.0]
    assert (tmp_path / "S" / "readme.txt").read_text() == "hello"


def refused(tables: dict[str, pl.DataFrame], to: Path) -> str:
    with pytest.raises(ae.AslibError) as caught:
        ae.write_scenario(tables, to)
    assert list(to.parent.glob(".*")) == []
    assert not to.exists()
    return str(caught.value)


def test_all_that_is_wrong_with_the_tables_is_said_at_once(tmp_path: Path) -> None:
    tables = make()
    tables["run"] = tables["run"].drop("runstatus").with_columns(time=1)
    tables["feature_value"] = tables["feature_value"].with_columns(repetition=1.5)
    tables["fold"] = pl.concat([tables["fold"], tables["fold"][:1]])
    said = refused({**tables, "runs": tables["run"]}, tmp_path / "S").splitlines()
    assert [line.split(". ")[0] for line in said] == [
        "table runs: is not a relation of the contract",
        "table run: has no column 'runstatus'",
        "table run: has an unknown column 'time'",
        "table feature_value: column 'repetition' (Float64) is not Int32",
        "table fold: 1 keys (cv_repetition, instance_id) are repeated: (1, 'i1')",
    ]


def test_measures_features_and_steps_come_by_their_position(tmp_path: Path) -> None:
    """The rows of a table have no order of their own."""
    tables = make()
    lone = tables["scenario"].with_columns(measure_index=2)
    first = lone.with_columns(measure=pl.lit("accuracy"), measure_index=1)
    first = first.with_columns(measure_type=pl.lit("solution_quality"))
    tables["scenario"] = pl.concat([lone, first])
    other = tables["run"].with_columns(measure=pl.lit("accuracy"))
    tables["run"] = pl.concat([tables["run"], other])
    for name in ("feature", "feature_step"):
        key = name.removeprefix("feature_")
        rows = [tables[name].with_columns(pl.lit(f"x{n}").alias(key)) for n in (3, 1, 2)]
        tables[name] = pl.concat(rows).with_columns(pl.Series("position", [3, 1, 2]))
    tables["feature_step"] = tables["feature_step"].with_columns(provides=[])
    del tables["feature_value"], tables["feature_status"]
    ae.write_scenario(tables, tmp_path / "S")
    back = read(tmp_path / "S")
    assert column(back, "scenario", "measure") == ["accuracy", "time"]
    assert column(back, "feature", "feature") == ["x1", "x2", "x3"]
    assert column(back, "feature_step", "step") == ["x1", "x2", "x3"]


def test_what_the_checks_find_is_refused(tmp_path: Path) -> None:
    tables = make()
    tables["run"] = tables["run"][:-1]
    tables["fold"] = tables["fold"].with_columns(instance_id=pl.lit("x"))[:1]
    said = refused(tables, tmp_path / "S")
    assert f"{tmp_path}/S/algorithm_runs.arff" in said
    assert f"{tmp_path}/S/cv.arff" in said


@pytest.mark.parametrize("name", ["'a", 'a"', "a\nb", "instance_id"])
def test_columns_that_arff_cannot_name(tmp_path: Path, name: str) -> None:
    said = refused(make(feature=name), tmp_path / "S")
    assert said.startswith("table feature_value: cannot name columns ")


def test_tables_that_contradict_each_other(tmp_path: Path) -> None:
    tables = make()
    second = tables["run"].with_columns(measure=pl.lit("x"), runstatus=pl.lit("crash"))
    tables["run"] = pl.concat([tables["run"], second])
    tables["scenario"] = pl.concat(
        [tables["scenario"], tables["scenario"].with_columns(measure=pl.lit("x"))]
    )
    said = refused(tables, tmp_path / "S")
    assert said.startswith("table run: 4 rows would not be read back: ('i1', 1, 'a', ")


def test_several_scenarios_at_once(tmp_path: Path) -> None:
    tables = make()
    tables["run"] = tables["run"].with_columns(pl.Series("scenario_id", ["A", "A", "B", "B"]))
    assert "the tables hold several scenarios" in refused(tables, tmp_path / "S")


def test_an_existing_folder_is_replaced_only_if_asked_and_nothing_else_is_lost(tmp_path: Path) -> None:
    to = tmp_path / "S"
    to.mkdir()
    ae.write_scenario(make(), to)
    with pytest.raises(ae.AslibError, match="is not empty"):
        ae.write_scenario(make(), to)
    ae.write_scenario(make(instances=("j1", "j2")), to, replace=True)
    assert column(read(to), "run", "instance_id") == ["j1", "j2"]
    (to / "notes.md").write_text("mine")
    with pytest.raises(ae.AslibError, match=r"holds notes\.md, which would be lost"):
        ae.write_scenario(make(), to, replace=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["S"]


def test_a_failing_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "S"
    ae.write_scenario(make(), to)
    rename = Folder.rename

    def fail(self: Folder, name: str, other: Folder, new: str) -> None:
        if self.path.name == "new":
            raise OSError(28, os.strerror(28))
        rename(self, name, other, new)

    monkeypatch.setattr(Folder, "rename", fail)
    with pytest.raises(ae.AslibError, match="No space left on device"):
        ae.write_scenario(make(instances=("j1", "j2")), to, replace=True)
    assert column(read(to), "run", "instance_id") == ["i1", "i2"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["S"]


def test_a_place_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ae.AslibError, match="is not a folder"):
        ae.write_scenario(make(), tmp_path / "file")
    with pytest.raises(ae.AslibError, match="cannot be written"):
        ae.write_scenario(make(), tmp_path / "file" / "S")


def test_what_selectors_answered_stays_in_the_lake(toy: Path, tmp_path: Path) -> None:
    """The format has no place for it; the scenario is written all the same."""
    ae.write_from_lake(toy, "TOY-2026", tmp_path / "TOY-2026")
    written = {path.name for path in (tmp_path / "TOY-2026").iterdir()}
    original = {path.name for path in (ROOT / "scenarios" / "TOY-2026").iterdir()}
    assert written == original


def test_algorithms_without_a_description_are_listed_by_what_is_known_of_them() -> None:
    keys = ("algorithm", "described", "described_as", "deterministic", "configuration")
    rows = [("a", False, None, True, None), ("b", False, None, None, None)]
    rows.append(("c", True, "C", False, "x"))
    frame = pl.DataFrame(rows, schema=keys, orient="row")
    assert [*_algorithms(frame)] == [
        *("algorithms_deterministic:", "- a"),
        *("metainfo_algorithms:", "  C:", "    configuration: x"),
        "    deterministic: false",
    ]


def test_long_to_wide() -> None:
    table = pl.DataFrame({"i": ["y", "x", "y"], "r": [1, 1, 1], "f": ["b", "a", "a"]})
    lines = spread(table, ["1", "2", "3"], ids=["i", "r"], name="f", columns=["a", "b"])
    assert lines == ["y,1,3,1", "x,1,2,?"]


def test_a_column_of_words_is_nominal_if_they_are_few_and_plain() -> None:
    fifty = [f"w{n}" for n in range(50)]
    assert arff_words(fifty).startswith("{w0, w1, ")
    assert arff_words([*fifty, "one more"[:3]]) == "STRING"
    assert arff_words(["b", None, "a", "b"], known=["c"]) == "{c, b, a}"
    assert arff_words(["a b"]) == arff_words([None]) == arff_words([]) == "STRING"


def test_words_that_need_quotes() -> None:
    assert arff_string("plain_1.5") == "plain_1.5"
    assert arff_string("") == "''"
    assert arff_string("a b") == "'a b'"
    assert arff_string("?") == "'?'"
    assert arff_string("it's\t\\ \x01") == "'it\\'s\\t\\\\ \\u0001'"
    text = arff_text("R", {"a b": "NUMERIC", "c": "STRING"}, ["1,x"])
    assert text.splitlines() == [
        "@RELATION R",
        "",
        "@ATTRIBUTE 'a b' NUMERIC",
        "@ATTRIBUTE c STRING",
        "",
        "@DATA",
        "1,x",
    ]
