"""Features from a table beside the runs."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.attributes import AttributeChoices
from aslib_eval.formats.features import FeatureFile, instance_choices
from aslib_eval.formats.registry import locate_all
from aslib_eval.formats.runs import table_choices
from aslib_eval.formats.sources import Source
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows

RUNS = "instance,ant,bee\ni,3,9\nj,TO,4\nk,2,5\n"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(RUNS)
    return tmp_path / "t.csv"


def written(folder: Path, text: str, name: str = "f.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def said(runs: Path, features: Path) -> list[str]:
    found = check_paths(runs, cutoff=60, features=features)
    return [f"{f.line or ''} {f.code} {f.message}" for f in found if f.code.startswith("features-")]


def test_features_become_values_of_one_default_step(runs: Path, tmp_path: Path) -> None:
    # Another order, an instance without a run, one without features, a truth value.
    file = written(tmp_path, "n_vars,instance,is_big\n30,k,true\n10,i,\n5,z,false\n")
    ae.import_scenarios(runs, into=tmp_path / "lake", cutoff=60, features=file)
    lake = opened(tmp_path / "lake")
    assert rows(lake, "select feature, instance_id, value from raw_feature_value order by all") == [
        ("is_big", "i", None),
        ("is_big", "j", None),
        ("is_big", "k", 1.0),
        ("n_vars", "i", 10.0),
        ("n_vars", "j", None),
        ("n_vars", "k", 30.0),
    ]
    assert rows(lake, "select feature, position, steps from raw_feature order by position") == [
        ("n_vars", 1, ["features"]),
        ("is_big", 2, ["features"]),
    ]
    assert rows(lake, "select step, is_default, provides from raw_feature_step") == [
        ("features", True, ["n_vars", "is_big"])
    ]
    assert said(runs, file) == [
        " features-missing 1 instance of the runs without features: 'j'",
        "4 features-unknown skipped 1 instance without a run: 'z'",
        " features-understood 2 features of 2 instances: n_vars, is_big",
    ]


def test_features_are_read_of_tables_of_any_kind(runs: Path, tmp_path: Path) -> None:
    frame = pl.DataFrame({"name": ["i", "j", "k"], "feature:x": [1.5, None, 2.5]})
    frame.write_parquet(tmp_path / "f.parquet")
    frame.write_csv(tmp_path / "f.tsv", separator="\t")
    for name in ("f.parquet", "f.tsv"):  # no name of an instance: the first column
        assert said(runs, tmp_path / name) == [" features-understood 1 feature of 3 instances: x"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "instance,x\ni,a\n,2\ni,3\nj,4s\n",
            [
                "2 features-file x is 'a', which is not a number",
                "3 features-file the row names no instance",
                "4 features-file i is in line 2 already",
                "5 features-file x is '4s', which is not a number",
            ],
        ),
        (
            "instance\ni\n",
            ["1 features-file a file of features needs a column of instances and others, all with names"],
        ),
        ("instance,x,x\ni,1,2\n", ["1 features-file two columns are called 'x'"]),
        ("instance,x\n/i,1\n", [" features-none none of its 1 instance occurs in the runs"]),
    ],
)
def test_what_is_wrong_is_all_told(runs: Path, tmp_path: Path, text: str, wrong: list[str]) -> None:
    file = written(tmp_path, text)
    assert said(runs, file) == wrong
    with pytest.raises(ScenarioError):
        ae.import_runs(runs, cutoff=60, features=file, into=tmp_path / "lake")


def test_only_five_wrong_cells_are_listed(runs: Path, tmp_path: Path) -> None:
    file = written(tmp_path, "instance,x\n" + "".join(f"{n},?!\n" for n in range(7)))
    assert [text.split(" ", 2)[0] for text in said(runs, file)] == ["2", "3", "4", "5", "6", ""]
    assert said(runs, file)[-1] == " features-file and 2 more like these"


def test_a_scenario_has_one_set_of_features(tmp_path: Path) -> None:
    file = written(tmp_path, "instance,x\ndrift_1,1\n")
    errors = [f.code for f in check_paths("scenarios/TOY-2026", features=file) if f.severity == "error"]
    assert errors == ["features-none"]
    with pytest.raises(AslibError, match="is not a table of features"):
        check_paths("scenarios/TOY-2026", features=written(tmp_path, "", "f.txt"))


def test_other_features_are_another_import(runs: Path, tmp_path: Path) -> None:
    def status(text: str) -> str:
        file = written(tmp_path, text)
        (done,) = ae.import_scenarios(runs, into=tmp_path / "lake", cutoff=60, features=file)
        return done.status

    assert status("instance,x\ni,1\n") == "imported"
    assert status("instance,x\ni,1\n") == "unchanged"
    assert status("instance,x\ni,2\n") == "imported"


def test_wrong_features_leave_no_scenario(runs: Path, tmp_path: Path) -> None:
    (found,) = locate_all([runs], format="runs", choices=table_choices(cutoff=60))
    parsed = found.format.read(found.location, found.format.load(found.location))
    for text, tables in (
        ("instance,x\ni,a\n", False),
        ("instance,x\nz,1\n", False),
        ("instance,x\ni,1\n", True),
    ):
        added = FeatureFile.read(written(tmp_path, text)).added(parsed)
        assert bool(added.tables) is tables
        assert [*added.findings[: len(parsed.findings)]] == [*parsed.findings]
    (feature,) = added.tables["feature"].to_pylist()
    assert [feature[key] for key in ("of", "has_values", "steps")] == ["instance", True, ["features"]]
    assert {row["repetition"] for row in added.tables["feature_value"].to_pylist()} == {1}
    (step,) = added.tables["feature_step"].to_pylist()
    assert (step["of"], step["position"], step["is_default"], step["requires"]) == ("instance", 1, True, [])
    given = FeatureFile.of(Source.of(b"x,instance\n1,i\n"), Path("f.csv"), file="shown")
    assert (given.table.path, given.table.values) == ("shown", {"x": {"i": "1"}})
    assert instance_choices() == AttributeChoices()
