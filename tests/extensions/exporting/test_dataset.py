"""A lake as a data set: what is in it, what describes it, and the way back."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.exporting.dataset import _header, export_dataset, foreign_keys, slug
from aslib_eval.extensions.exporting.dataset import _widely_read as _cell
from aslib_eval.formats.registry import locate_all
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.provenance import provenance
from aslib_eval.selections import import_selections
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenarios, the first with a selector."""
    lake = tmp_path_factory.mktemp("from") / "lake"
    names = ("TOY-2026", "OPT-FUNCTIONS-2026")
    ae.import_scenarios([ROOT / "scenarios" / name for name in names], into=lake)
    rf = ROOT / "scenarios" / "selections" / "TOY-2026" / "rf.json"
    import_selections(rf, lake=lake, scenario="TOY-2026")
    return lake


@pytest.fixture(scope="module")
def made(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("to") / "My set"
    files = export_dataset(open_lake(lake), to)
    assert sorted(files) == sorted(p for p in to.rglob("*") if p.is_file())
    assert [path.name for path in to.parent.iterdir()] == ["My set"]
    return to


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def described(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def test_every_file_is_listed_with_its_hash(made: Path) -> None:
    sums = dict(reversed(line.split("  ", 1)) for line in (made / "SHA256SUMS").read_text().splitlines())
    files = {str(p.relative_to(made)) for p in made.rglob("*") if p.is_file()}
    assert sums.keys() == files - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    objects = described(made, "croissant.json")["distribution"]
    assert {each["@id"]: each["sha256"] for each in objects} == {
        name: digest for name, digest in sums.items() if name.startswith("data/")
    }
    resources = described(made, "datapackage.json")["resources"]
    assert {r["path"]: r["hash"].removeprefix("sha256:") for r in resources} == {
        each["@id"]: each["sha256"] for each in objects
    }


def test_the_same_lake_gives_the_same_bytes(lake: Path, made: Path, tmp_path: Path) -> None:
    again = tmp_path / "My set"
    export_dataset(open_lake(lake), again, relations=["solver_gap"])
    sums = (again / "SHA256SUMS").read_text()
    data = {line for line in sums.splitlines() if " data/" in line}
    assert data < {*(made / "SHA256SUMS").read_text().splitlines()}
    # In the place of an earlier one.
    export_dataset(open_lake(lake), again, relations=["solver_gap"])
    assert (again / "SHA256SUMS").read_text() == sums
    assert [path.name for path in tmp_path.iterdir()] == ["My set"]


def test_a_scenario_is_a_row_group_in_the_order_of_the_lake(lake: Path, made: Path) -> None:
    with pq.ParquetFile(made / "data" / "raw_run.parquet") as file:
        assert file.num_row_groups == 2
        text = file.schema_arrow.field("instance_id").type
    assert text == pa.string()
    (part,) = lake.glob("run/scenario_id=TOY-2026/part-0.parquet")
    found = pl.read_parquet(made / "data" / "raw_run.parquet")
    own = found.filter(scenario_id="TOY-2026").drop("scenario_id")
    assert own.rows() == pl.read_parquet(part, hive_partitioning=False).rows()


def test_results_are_in_the_order_of_their_key(lake: Path, made: Path) -> None:
    found = pl.read_parquet(made / "data" / "solver_gap.parquet")
    key = ["protocol", "scenario_id", "measure", "kind", "solver"]
    assert found.equals(open_lake(lake).ask("select * from solver_gap").sort(key))
    assert found.height == 17
    for each in described(made, "datapackage.json")["resources"]:
        if not each["name"].startswith("raw_"):
            rows = pl.read_parquet(made / each["path"])
            assert rows.equals(rows.sort(each["schema"]["primaryKey"])), each["name"]


def test_the_results_that_are_asked_for(lake: Path, made: Path, tmp_path: Path) -> None:
    to = tmp_path / "set"
    asked = ["fold_gap", "raw_run", "scenario_selectors"]
    files = ae.export(to, lake, format="dataset", relations=asked)
    names = {p.stem for p in files if p.suffix == ".parquet"}
    assert {n for n in names if not n.startswith("raw_")} == {
        *("fold_gap", "scenario_selectors", "protocol", "metric")
    }
    assert pl.read_parquet(to / "data" / "scenario_selectors.parquet").height == 0
    assert not (made / "data" / "scenario_selectors.parquet").exists()
    assert {"raw_run", "raw_scenario", "raw_selection"} <= names
    with pytest.raises(AslibError, match="no relation solver_gop"):
        ae.export(tmp_path / "x", lake, format="dataset", relations=["solver_gop"])
    assert not (tmp_path / "x").exists()


# --- the way back -------------------------------------------------------------------


def test_import_gives_the_same_scenarios_and_answers(lake: Path, made: Path, tmp_path: Path) -> None:
    back = tmp_path / "back"
    done = ae.import_scenarios(made, into=back)
    assert [(each.scenario_id, each.status) for each in done] == [
        ("OPT-FUNCTIONS-2026", "imported"),
        ("TOY-2026", "imported"),
    ]
    here, there = open_lake(lake), open_lake(back)
    assert provenance(there) == provenance(here)
    for name in RELATIONS:
        sql = f"select * from raw_{name}"
        assert there.rows(sql) == here.rows(sql), name
    assert ae.gap(back).equals(ae.gap(lake))
    one, other = (each.manifests["TOY-2026"]["relations"] for each in (here, there))
    assert one == other, "the same bytes"
    again = ae.import_scenarios(made, into=back)
    assert [each.status for each in again] == ["unchanged", "unchanged"]


def test_a_data_set_is_never_replaced_through_a_link(lake: Path, copy: Path, tmp_path: Path) -> None:
    link, before = tmp_path / "link", copy.stat()
    link.symlink_to(copy)
    with pytest.raises(AslibError, match="link: exists and is not a folder"):
        export_dataset(open_lake(lake), link, relations=["solver_gap"])
    assert os.path.samestat(copy.stat(), before)
    assert link.is_symlink()


def test_a_damaged_file_is_named(copy: Path, tmp_path: Path) -> None:
    for name in ("raw_run", "solver_gap"):
        file = copy / "data" / f"{name}.parquet"
        content = bytearray(file.read_bytes())
        content[100] ^= 1
        file.write_bytes(content)
    (copy / "data" / "raw_fold.parquet").unlink()
    (outcome,) = ae.import_scenarios(copy, into=tmp_path / "back")
    assert outcome.status == "failed"
    for name, what in (
        ("raw_fold", "cannot be read (No such file or directory)"),
        ("raw_run", "is damaged: its SHA-256 differs from SHA256SUMS"),
        ("solver_gap", "is damaged"),
    ):
        assert f"{copy}/data/{name}.parquet: {what}" in str(outcome.error)
    checked = subprocess.run(
        ["sha256sum", "--check", "--quiet", "SHA256SUMS"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "data/raw_run.parquet: FAILED" in checked.stdout


def test_what_has_no_hash_is_named(copy: Path, tmp_path: Path) -> None:
    sums = copy / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if "raw_" not in line]
    sums.write_text("\n".join([*lines, ""]))
    (copy / "data" / ".DS_Store").write_bytes(b"of a system")
    (outcome,) = ae.import_scenarios(copy, into=tmp_path / "back")
    assert outcome.status == "failed"
    for name in ("raw_run", "raw_fold", "raw_scenario"):
        assert f"{copy}/data/{name}.parquet: is not listed in SHA256SUMS" in str(outcome.error)
    sums.write_text("")
    (outcome,) = ae.import_scenarios(copy, into=tmp_path / "back")
    assert "aslib-eval.json: is not listed in SHA256SUMS" in str(outcome.error)


def test_rows_without_statistics_are_refused(copy: Path, tmp_path: Path) -> None:
    name = "data/raw_run.parquet"
    pq.write_table(pq.read_table(copy / name), tmp_path / "p", write_statistics=False)
    relist(copy, name, (tmp_path / "p").read_bytes())
    for outcome in ae.import_scenarios(copy, into=tmp_path / "back"):
        assert f"{copy}/{name}: has no valid rows of" in str(outcome.error)
        assert "no statistics of its scenarios" in str(outcome.error)


def test_texts_may_be_completed(copy: Path, tmp_path: Path) -> None:
    with (copy / "README.md").open("a") as file:
        file.write("license: mine\n")
    done = ae.import_scenarios(copy, into=tmp_path / "back")
    assert [each.status for each in done] == ["imported"] * 2


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"layout": 2}, "has the layout 2, but this version knows only 1. Update aslib-eval."),
        ({"scenarios": 3}, "is not an index of a data set"),
        ({"scenarios": {}}, "holds no scenario"),
        ({"scenarios": {"TOY-2026": {"format": 99}}}, "is damaged"),
    ],
)
def test_an_index_that_is_not_understood(
    copy: Path, tmp_path: Path, change: dict[str, Any], what: str
) -> None:
    index = {**described(copy, "aslib-eval.json"), **change}
    relist(copy, "aslib-eval.json", json.dumps(index).encode())
    (outcome,) = ae.import_scenarios(copy, into=tmp_path / "back", input_format="dataset")
    assert what in str(outcome.error)


def relist(folder: Path, name: str, content: bytes) -> None:
    """Put a file in the place of one, with its hash."""
    before = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / name).write_bytes(content)
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text().replace(before, hashlib.sha256(content).hexdigest()))


def test_rows_that_are_gone_are_noticed(copy: Path, tmp_path: Path) -> None:
    name = "data/raw_run.parquet"
    cut = pq.read_table(copy / name).slice(0, 700)
    assert cut["scenario_id"].unique().to_pylist() == ["OPT-FUNCTIONS-2026"]
    pq.write_table(cut, tmp_path / "cut")
    relist(copy, name, (tmp_path / "cut").read_bytes())
    opt, toy = ae.import_scenarios(copy, into=tmp_path / "back")
    assert "has 700 rows of OPT-FUNCTIONS-2026 instead of 720" in str(opt.error)
    assert f"{copy}/{name}: has no valid rows of TOY-2026" in str(toy.error)
    (copy / "SHA256SUMS").write_text("abc  data/raw_run.parquet\n")
    (outcome,) = ae.import_scenarios(copy, into=tmp_path / "back")
    assert "SHA256SUMS:1: 'abc  data/raw_run.parquet' is not a SHA-256" in str(outcome.error)


def test_what_only_the_lake_has_is_not_lost(made: Path, tmp_path: Path) -> None:
    back = tmp_path / "back"
    ae.import_scenarios(ROOT / "scenarios" / "TOY-2026", into=back)
    mine = ROOT / "scenarios" / "selections" / "TOY-2026" / "rf.json"
    import_selections(mine, lake=back, scenario="TOY-2026", name="mine")
    opt, toy = ae.import_scenarios(made, into=back)
    assert (opt.status, toy.status) == ("imported", "failed")
    assert isinstance(toy.error, ScenarioError)
    assert "the lake has selector mine (aslib) of this scenario" in str(toy.error)
    _, toy = ae.import_scenarios(made, into=back, forget=True)
    assert toy.forgotten == ("selector mine (aslib)",)
    names = ae.query("select distinct selector from raw_selector", lake=back)
    assert names.to_series().to_list() == ["rf"]


@pytest.mark.parametrize("choice", ["time_unit", "attributes"])
def test_a_set_is_imported_as_it_is(made: Path, tmp_path: Path, choice: str) -> None:
    table = tmp_path / "rooms.csv"
    table.write_text("instance,room\ndrift_1,blue\n")
    said: dict[str, Any] = {choice: "ms" if choice == "time_unit" else table}
    _, toy = ae.import_scenarios(made, into=tmp_path / "back", **said)
    assert "TOY-2026: is imported as it was exported. Import it " in str(toy.error)


def test_results_in_a_set_are_no_tables_of_runs(lake: Path, tmp_path: Path) -> None:
    to = tmp_path / "set"
    ae.export(to, lake, format="dataset", relations=["stg_run", "instance_solver"])
    found = locate_all([to])
    assert [each.location.part for each in found] == ["OPT-FUNCTIONS-2026", "TOY-2026"]
    with pytest.raises(AslibError, match="holds no"):
        locate_all([to / "data"])


# --- what is in the place of a new set ----------------------------------------------


def test_a_folder_that_is_no_data_set_stays(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("mine")
    with pytest.raises(AslibError, match="exists and is not a data set"):
        export_dataset(open_lake(lake), tmp_path / "mine")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(AslibError, match="exists and is not a folder"):
        export_dataset(open_lake(lake), tmp_path / "file")
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "mine", "notes"]
    monkeypatch.chdir(tmp_path / "mine")
    with pytest.raises(AslibError, match=r"\.: is the current folder"):
        export_dataset(open_lake(lake), Path())


@pytest.mark.parametrize("name", ["README.md", ".git/HEAD"])
def test_a_set_that_was_changed_stays(lake: Path, copy: Path, name: str) -> None:
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_text("mine")
    with pytest.raises(AslibError, match=re.escape(f"new or changed files: {name}")):
        export_dataset(open_lake(lake), copy)
    assert (copy / name).read_text() == "mine"


# --- what describes it --------------------------------------------------------------


def test_keys_hold_in_the_data(made: Path) -> None:
    """The rules of a Data Package for keys, on every relation."""
    resources = described(made, "datapackage.json")["resources"]
    paths = {each["name"]: made / each["path"] for each in resources}
    led = set()
    for each in resources:
        schema, path = each["schema"], paths[each["name"]]
        assert [field["name"] for field in schema["fields"]] == pq.read_schema(path).names
        assert all(field["description"] for field in schema["fields"]), each["name"]
        key = ", ".join(schema["primaryKey"])
        sql = f"select 1 from '{path}' group by {key} having count(*) > 1"
        assert duckdb.sql(sql).fetchall() == []
        for foreign in schema.get("foreignKeys", []):
            target, shared = foreign["reference"]["resource"], foreign["fields"]
            assert foreign["reference"]["fields"] == shared
            led.add((each["name"], target, *shared))
            using = ", ".join(shared)
            sql = f"from '{path}' anti join '{paths[target]}' using ({using})"
            assert duckdb.sql(sql).fetchall() == [], (each["name"], target)
    assert {
        ("solver_gap", "protocol", "protocol"),
        ("solver_gap", "raw_scenario", "scenario_id", "measure"),
        ("raw_fold", "raw_scenario", "scenario_id"),
        ("raw_run", "raw_algorithm", "scenario_id", "algorithm"),
        ("raw_selection", "raw_selector", "scenario_id", "selector", "cv_scheme"),
        ("solver_rank", "metric", "metric"),
    } <= led


def test_the_types_of_a_data_package(made: Path) -> None:
    resources = described(made, "datapackage.json")["resources"]
    kinds = {
        f"{each['name']}.{field['name']}": field["type"]
        for each in resources
        for field in each["schema"]["fields"]
    }
    assert kinds["raw_run.value"] == "number"
    assert kinds["raw_run.repetition"] == "integer"
    assert kinds["raw_run.runstatus"] == "string"
    assert kinds["raw_scenario.maximize"] == "boolean"
    assert kinds["raw_scenario.missing"] == "any"


def test_croissant_names_columns_keys_and_types(made: Path) -> None:
    found = described(made, "croissant.json")
    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    assert found["name"] == "my-set"
    sets = {each["@id"]: each for each in found["recordSet"]}
    gap = {each["name"]: each for each in sets["solver_gap"]["field"]}
    assert sets["metric"]["key"] == [{"@id": "metric/metric"}]
    assert gap["closed_gap"]["dataType"] == "cr:Float64"
    assert gap["protocol"]["references"] == {"field": {"@id": "protocol/protocol"}}
    assert "references" not in gap["scenario_id"]
    missing = next(f for f in sets["raw_scenario"]["field"] if f["name"] == "missing")
    assert (missing["isArray"], missing["dataType"]) == (True, "sc:Text")


def test_foreign_keys_lead_to_what_is_there() -> None:
    columns = ("scenario_id", "measure", "algorithm", "protocol")
    assert [*foreign_keys("x", columns, ["raw_scenario", "protocol"])] == [
        ("protocol", ("protocol",)),
        ("raw_scenario", ("scenario_id", "measure")),
    ]
    assert [*foreign_keys("protocol", columns, ["protocol"])] == []
    assert [slug(name) for name in ("My set 2", "ÄÖ", "a--b_c")] == [*("my-set-2", "lake", "a-b-c")]


def card_of(folder: Path) -> tuple[dict[str, Any], str]:
    _, header, text = (folder / "README.md").read_text().split("---\n", 2)
    return yaml.safe_load(header), text


def test_the_card_names_configurations_counts_and_protocol(lake: Path, made: Path) -> None:
    header, text = card_of(made)
    assert header["pretty_name"] == "My set"
    assert "license" not in header
    files = {each["config_name"]: each["data_files"] for each in header["configs"]}
    assert set(files.values()) == {str(path.relative_to(made)) for path in made.glob("data/*")}
    (first,) = (c["config_name"] for c in header["configs"] if c.get("default"))
    assert first == "solver_gap"
    assert "| TOY-2026 | 12 | 4 | 96 | 1 |" in text
    assert "| `solver_gap` | 17 | protocol, scenario, measure and solver |" in text
    protocol = ae.Protocol()
    assert f"* protocol `{protocol.tag}`: PAR10, " in text
    hashes = provenance(open_lake(lake)).scenarios
    assert f"* TOY-2026 `{hashes['TOY-2026']}`" in text


def test_quotes_in_the_name_of_a_data_set_do_not_end_it() -> None:
    files: Any = [SimpleNamespace(name="run", path="run.parquet", rows=1)]
    header = _header('my "best" lake', files, "run")
    assert "pretty_name: \"my 'best' lake\"" in header.splitlines()
    assert yaml.safe_load(header.strip("-\n"))["pretty_name"] == "my 'best' lake"


@pytest.mark.parametrize("library", ["polars", "duckdb", "pandas", "datasets"])
def test_the_snippets_of_the_card_run(made: Path, tmp_path: Path, library: str) -> None:
    pytest.importorskip(library)
    _, text = card_of(made)
    (code,) = (
        code
        for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        if re.search(rf"^(import|from) {library}\b", code, re.MULTILINE)
    )
    (tmp_path / "snippet.py").write_text(code)
    done = subprocess.run(
        [sys.executable, tmp_path / "snippet.py"],
        cwd=made,
        env={"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("num_rows: 17" if library == "datasets" else "TOY-2026") in done.stdout


def printed(code: str, folder: Path) -> str:
    """What Python prints in a process of its own, in this folder."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.oracles
def test_croissant_is_valid_and_read_by_its_own_reader(made: Path) -> None:
    pytest.importorskip("mlcroissant")
    code = (
        "import itertools, mlcroissant as mlc; d = mlc.Dataset('croissant.json');"
        "print(d.metadata.issues.errors, len([*d.records('solver_gap')]))"
    )
    assert printed(code, made) == "set() 17"


@pytest.mark.slow
@pytest.mark.oracles
def test_the_data_package_is_valid(made: Path) -> None:
    pytest.importorskip("frictionless")
    code = (
        "from frictionless import Package; r = Package('datapackage.json').validate();"
        "print(r.valid, r.flatten(['type', 'note'])[:3])"
    )
    assert printed(code, made) == "True []"


def test_the_catalogue_names_relations_columns_and_files(made: Path) -> None:
    with duckdb.connect(str(made / "catalogue.ducklake"), read_only=True) as con:
        assert con.sql("""
            select table_name, tag.value, file.path, record_count, file_size_bytes,
                next_row_id, footer_size
            from ducklake_table join ducklake_data_file as file using (table_id)
            join ducklake_table_stats using (table_id, record_count, file_size_bytes)
            join ducklake_tag as tag on object_id = table_id
            order by table_id
        """).fetchall() == [
            (
                *(each["name"], each["description"], each["path"]),
                *(found.num_rows, size, found.num_rows, found.serialized_size),
            )
            for each in described(made, "datapackage.json")["resources"]
            for size in [(made / each["path"]).stat().st_size]
            for found in [pq.read_metadata(made / each["path"])]
        ]
        named = con.sql("""
            select table_name, column_name, coalesce(tag.value, '')
            from ducklake_column join ducklake_table using (table_id)
            left join ducklake_column_tag as tag using (table_id, column_id)
            where parent_column is null order by table_id, column_order
        """).fetchall()
        kinds = con.sql("""
            select column_name, column_type, source_name, column_order,
                column_id - named.parent_column
            from ducklake_column join ducklake_table using (table_id)
            join ducklake_name_mapping as named using (column_id)
            join ducklake_column_mapping using (mapping_id, table_id)
            where table_name = 'raw_feature_step' order by column_order
        """).fetchall()
        settings = con.sql("select key, value from ducklake_metadata").fetchall()
    assert dict(settings) == {
        "version": "1.0",
        "created_by": f"aslib-eval {ae.__version__}",
        "data_path": "./",
        "encrypted": "false",
    }
    assert named == [
        (each["name"], column["name"], column["description"])
        for each in described(made, "datapackage.json")["resources"]
        for column in each["schema"]["fields"]
    ]
    assert kinds == [
        ("scenario_id", "varchar", "scenario_id", 1, None),
        ("step", "varchar", "step", 2, None),
        ("of", "varchar", "of", 3, None),
        ("position", "int32", "position", 4, None),
        ("is_default", "boolean", "is_default", 5, None),
        ("requires", "list", "requires", 6, None),
        ("element", "varchar", "list", 7, 1),
        ("provides", "list", "provides", 8, None),
        ("element", "varchar", "list", 9, 1),
    ]


VIEW = """-- One row per scenario.
-- key: scenario_id
-- columns:
--   scenario_id: scenario
--   {name}: a value
select distinct scenario_id, {value} as {name} from raw_scenario
"""


def with_view(lake: Path, folder: Path, value: str) -> OpenLake:
    """The lake with a view of ones own, which has a column of that value."""
    file = folder / "sql" / "scenario" / "own.sql"
    file.parent.mkdir(parents=True)
    file.write_text(VIEW.format(name="mine", value=value))
    return open_lake(lake, sql_dirs=[folder / "sql"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[[1::bigint]]", [("list", None), ("list", 2), ("int64", 3)]),
        (
            "{'a': true, 'b': [date '2026-01-01']}",
            [("struct", None), ("boolean", 2), ("list", 2), ("date", 4)],
        ),
        ("timestamp '2026-01-01'", [("timestamp", None)]),
    ],
)
def test_the_catalogue_has_the_types_of_a_view_of_ones_own(
    lake: Path, tmp_path: Path, value: str, expected: list[tuple[str, int | None]]
) -> None:
    export_dataset(with_view(lake, tmp_path, value), tmp_path / "set", relations=["own"])
    with duckdb.connect(str(tmp_path / "set/catalogue.ducklake"), read_only=True) as con:
        assert (
            con.sql("""
            select column_type, parent_column - (
                select min(column_id) - 1 from ducklake_column as o
                where o.table_id = c.table_id)
            from ducklake_column as c join ducklake_table using (table_id)
            where table_name = 'own' and column_order > 1 order by column_order
        """).fetchall()
            == expected
        )


def test_a_type_that_no_catalogue_has_is_refused(lake: Path, tmp_path: Path) -> None:
    opened = with_view(lake, tmp_path, "interval 1 day")
    with pytest.raises(AslibError, match="mine: has the type month_day_nano_interval"):
        export_dataset(opened, tmp_path / "set", relations=["own"])
    assert not (tmp_path / "set").exists()


@pytest.mark.slow
@pytest.mark.oracles
def test_ducklake_gives_the_rows_of_every_file(made: Path) -> None:
    given = os.environ.get("ASLIB_DUCKLAKE", "")
    if not Path(given).is_file():
        pytest.skip("needs $ASLIB_DUCKLAKE: a Python with duckdb-extension-ducklake")
    code = """if True:
        import duckdb, duckdb_extension_ducklake as found, glob, os
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        home = os.path.dirname(found.__file__)
        (file,) = glob.glob(f"{home}/extensions/*/*")
        con.execute(f"load '{file}'")
        con.execute("attach 'ducklake:catalogue.ducklake' as lake (read_only)")
        for name in sorted(os.listdir("data")):
            table = f"lake.{name.removesuffix('.parquet')}"
            parts = table, f"'data/{name}'"
            for one, other in (parts, parts[::-1]):
                rows = f"from (from {one} except all from {other})"
                assert con.sql(rows).fetchall() == [], name
        print(len(con.sql("from lake.solver_gap").fetchall()))
    """
    done = subprocess.run([given, "-c", code], cwd=made, capture_output=True, text=True, check=True)
    assert done.stdout == "17\n"


def test_a_failure_leaves_nothing_behind(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = "aslib_eval.extensions.exporting.dataset"
    monkeypatch.setattr(f"{home}.card", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export_dataset(open_lake(lake), tmp_path / "set", relations=["solver_gap"])
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_wrote(lake: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    line = ["export", "solver_gap", "--lake", str(lake), "--format", "dataset", "-o"]
    done = CliRunner().invoke(main, [*line, str(tmp_path / "s"), "--scenario", "TOY*"])
    assert done.exit_code == 0
    assert f"{tmp_path}/s/data/raw_run.parquet\n" in done.stdout
    assert [*described(tmp_path / "s", "aslib-eval.json")["scenarios"]] == ["TOY-2026"]


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("ENUM('a', 'b')", '"x"::varchar as "x"'),
        ("HUGEINT", '"x"::bigint as "x"'),
        ("UHUGEINT", '"x"::bigint as "x"'),
        ("UBIGINT", '"x"::bigint as "x"'),
        ("DECIMAL(18,3)", '"x"::double as "x"'),
        ("VARCHAR", '"x"'),
        ("BIGINT", '"x"'),
    ],
)
def test_columns_have_types_that_every_reader_has(kind: str, cell: str) -> None:
    assert _cell("x", kind) == cell
