"""Tables of RouterBench become scenarios with a quality and a price."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.routing.prompts import Answer, answer_frame, read_answers
from aslib_eval.extensions.routing.routerbench import ROUTERBENCH
from aslib_eval.formats.sources import Location
from aslib_eval.importer import Imported
from tests.conftest import opened, rows

TABLE = """sample_id,prompt,eval_name,wide,wide|model_response,wide|total_cost,\
a/b,a/b|model_response,a/b|total_cost,oracle_model_to_route_to
g.1,"two
lines",gsm8k,1.0,"say ""7"", no",0.02,0.25,no,0.001,wide
g.2,p,gsm8k,0.0,,0.03,1.0,7,0.002,a/b
m.1,q,mmlu,0.5,x,0.01,0.5,x,0.004,a/b
"""
RUNS = [
    ("g.1", "a/b", "price", 0.001, "ok"),
    ("g.1", "a/b", "quality", 0.25, "ok"),
    ("g.1", "wide", "price", 0.02, "ok"),
    ("g.1", "wide", "quality", 1.0, "ok"),
    ("g.2", "a/b", "price", 0.002, "ok"),
    ("g.2", "a/b", "quality", 1.0, "ok"),
    ("g.2", "wide", "price", 0.03, "ok"),
    ("g.2", "wide", "quality", 0.0, "ok"),
    ("m.1", "a/b", "price", 0.004, "ok"),
    ("m.1", "a/b", "quality", 0.5, "ok"),
    ("m.1", "wide", "price", 0.01, "ok"),
    ("m.1", "wide", "quality", 0.5, "ok"),
]


def imported(path: Path, lake: Path) -> Imported:
    (outcome,) = ae.import_scenarios([path], into=lake)
    return outcome


def wrong(text: str, folder: Path) -> list[str]:
    """The errors of a table: line and message."""
    path = folder / "t.csv"
    path.write_text(text)
    outcome = imported(path, folder / "lake")
    assert outcome.status == "failed"
    return [f"{each.line}: {each.message}" for each in outcome.findings]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_becomes_runs(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"rb.{kind}"
    path.write_text(TABLE)
    if kind == "parquet":
        pl.read_csv(TABLE.encode()).write_parquet(path)
    outcome = imported(path, tmp_path / "lake")
    assert outcome.error is None
    assert [(each.severity, each.message) for each in outcome.findings] == [
        ("note", "3 prompts of 2 data sets, 2 models; more quality is better, less price [USD]")
    ]
    con = opened(tmp_path / "lake")
    asked = "select instance_id, algorithm, measure, value, runstatus from raw_run order by all"
    assert rows(con, asked) == RUNS
    assert rows(con, "select distinct repetition from raw_run") == [(1,)]
    assert rows(con, "select instance_id, attribute, value from raw_attribute order by all") == [
        ("g.1", "family", "gsm8k"),
        ("g.2", "family", "gsm8k"),
        ("m.1", "family", "mmlu"),
    ]
    measures = "select measure, measure_index, measure_type, maximize, unit from raw_scenario order by 2"
    assert rows(con, measures) == [
        ("quality", 1, "solution_quality", True, None),
        ("price", 2, "solution_quality", False, "USD"),
    ]


def test_more_quality_is_better(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    path.write_text(TABLE)
    imported(path, tmp_path / "lake")
    scores = ae.score(tmp_path / "lake", kinds=["algorithm"])
    assert scores.select("solver", "value").rows() == [("a/b", 1.75 / 3), ("wide", 0.5)]


def test_a_missing_price_stays_missing(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    path.write_text(TABLE.replace("0.03", "").replace("0.004", "nan"))
    outcome = imported(path, tmp_path / "lake")
    assert [each.message for each in outcome.findings if each.code == "log-price"] == [
        "a/b has no price in 1 of 3 runs", "wide has no price in 1 of 3 runs",
    ]  # fmt: skip
    con = opened(tmp_path / "lake")
    asked = "select instance_id, algorithm, value from raw_run where runstatus <> 'ok' order by all"
    assert rows(con, asked) == [("g.2", "wide", None), ("m.1", "a/b", None)]


def test_where_nothing_has_a_price_there_is_no_such_measure(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    path.write_text("sample_id,eval_name,m,m|total_cost\na,s,True,\nb,s,false,NA\n")
    outcome = imported(path, tmp_path / "lake")
    assert [(each.severity, each.message, each.hint) for each in outcome.findings] == [
        ("note", "2 prompts of 1 data set, 1 model; more quality is better", ""),
        ("warning", "no answer has a price", "Without prices no model can be compared by its price."),
    ]
    asked = "select instance_id, measure, value from raw_run order by all"
    assert rows(opened(tmp_path / "lake"), asked) == [("a", "quality", 1.0), ("b", "quality", 0.0)]


def test_everything_wrong_is_listed_with_its_line(tmp_path: Path) -> None:
    assert wrong(TABLE.replace(",0.25,", ",good,").replace("0.03", "free"), tmp_path) == [
        "4: wide|total_cost 'free' is not a number",
        "2: a/b 'good' is not a number",
    ]
    assert wrong(TABLE.replace("mmlu,0.5", "mmlu,").replace("0.03", "-0.03"), tmp_path) == [
        "5: wide has no quality on prompt 'm.1'",
        "4: wide has the price -0.03",
    ]
    assert wrong(TABLE.replace("0.03", "inf"), tmp_path) == ["4: wide has the price inf"]
    assert wrong(TABLE.replace("m.1,q,mmlu", "g.1,q,gsm8k"), tmp_path) == [
        "5: wide answers prompt 'g.1' a second time",
        "5: a/b answers prompt 'g.1' a second time",
    ]
    assert wrong(TABLE.replace("m.1,q", ",q"), tmp_path) == [
        "5: the row lacks its prompt or its model",
        "5: the row lacks its prompt or its model",
    ]
    assert "Expected 10 columns, got 12" in wrong(TABLE + "a,b,c,1,2,3,4,5,6,7,8,9\n", tmp_path)[0]
    assert "Expected 10 columns, got 5" in wrong(TABLE + "a,b,c,1,2\n", tmp_path)[0]


def test_five_findings_of_a_kind_are_listed(tmp_path: Path) -> None:
    text = "sample_id,eval_name,m,m|total_cost\n" + "".join(f"i{n},s,x,1\n" for n in range(7))
    assert wrong(text, tmp_path) == [
        *(f"{n}: m 'x' is not a number" for n in range(2, 7)),
        "None: and 2 more like these",
    ]
    text = "sample_id,eval_name,m,m|total_cost\n" + "".join(f"i{n},s,,1\n" for n in range(6))
    assert wrong(text, tmp_path)[4:] == [
        "6: m has no quality on prompt 'i4'",
        "None: and 1 more like these",
    ]


def test_ids_that_data_sets_share_name_their_data_set(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    path.write_text(TABLE.replace("m.1", "g.1"))
    imported(path, tmp_path / "lake")
    names = rows(opened(tmp_path / "lake"), "select distinct instance_id from raw_run order by 1")
    assert names == [("g.2",), ("gsm8k/g.1",), ("mmlu/g.1",)]


def test_the_oracle_of_an_evaluated_table_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    path.write_text("sample_id,eval_name,m,m|total_cost,oracle,oracle|total_cost\na,s,1,2,m,2\n")
    assert imported(path, tmp_path / "lake").error is None
    assert rows(opened(tmp_path / "lake"), "select distinct algorithm from raw_run") == [("m",)]


@pytest.mark.parametrize("name", ["routerbench_0shot.pkl", "RouterBench.pickle"])
def test_a_pickle_is_refused_with_the_command_that_converts_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"cos\nsystem\n(S'touch hurt'\ntR.")
    outcome = imported(path, tmp_path / "lake")
    assert outcome.status == "failed"
    assert outcome.error is not None
    command = f"import pandas; pandas.read_pickle('\"'\"'{name}'\"'\"').to_parquet("
    assert command in str(outcome.error)
    assert not (tmp_path / "hurt").exists()


@pytest.mark.parametrize(
    ("name", "header"),
    [("t.csv", "sample_id,eval_name,m"), ("t.csv", "id,m,m|total_cost"), ("other.pkl", ""),
     ("routerbench.csv", "a")],
)  # fmt: skip
def test_other_tables_and_pickles_are_none_of_routerbench(tmp_path: Path, name: str, header: str) -> None:
    (tmp_path / name).write_text(f"{header}\n")
    assert ROUTERBENCH.find(tmp_path / name) == []


def test_a_row_of_parquet_is_said_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "rb.parquet"
    pl.read_csv(TABLE.replace("0.03", "much").encode()).write_parquet(path)
    found = imported(path, tmp_path / "lake").findings
    assert [(each.line, each.message) for each in found] == [(2, "wide|total_cost 'much' is not a number")]


def test_families_have_the_order_of_the_prompts(tmp_path: Path) -> None:
    path = tmp_path / "rb.csv"
    names = [f"i{n * 37 % 101}" for n in range(101)]
    path.write_text("sample_id,eval_name,m,m|total_cost\n" + "".join(f"{name},s,1,1\n" for name in names))
    imported(path, tmp_path / "lake")
    files = sorted((tmp_path / "lake" / "attribute").glob("*/*.parquet"))
    assert pl.read_parquet(files)["instance_id"].to_list() == names


def test_a_folder_of_tables_is_a_scenario_each(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rb.csv").write_text(TABLE)
    done = ae.import_scenarios([tmp_path / "one" / "rb.csv"], into=tmp_path / "lake")
    assert [each.scenario_id for each in done] == ["rb"]


@pytest.mark.parametrize(("prompt", "model"), [("", "m"), ("p", "")])
def test_an_answer_without_its_prompt_or_model_is_an_error(prompt: str, model: str) -> None:
    answer = Answer(prompt, "d", model, 1.0, 2.0, None, None, None, 7)
    location = Location(Path("t.csv"), "t.csv")
    found = read_answers(
        answer_frame([answer]), location, {}, quality="q", place=lambda row: ("t.csv", row)
    )
    assert [(each.line, each.message) for each in found.findings] == [
        (7, "the row lacks its prompt or its model")
    ]


def test_an_empty_name_is_no_data_set(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("sample_id,eval_name,m,m|total_cost\na,,1,2\nb,,0,1\n")
    done = imported(path, tmp_path / "lake")
    assert any(f.message.startswith("2 prompts, 1 model;") for f in done.findings)
    assert rows(opened(tmp_path / "lake"), "select count(*) from raw_attribute") == [(0,)]
