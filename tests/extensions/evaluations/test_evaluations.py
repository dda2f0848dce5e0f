# ruff: noqa: E501 - a case a line
"""Logs of evaluation harnesses: real ones against the scores that they state, and small ones of our own."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import duckdb
import pyarrow as pa
import pytest

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.evaluations import inspect_logs, lm_eval, scenarios
from aslib_eval.extensions.evaluations.every_eval_ever import read_every_eval_ever
from aslib_eval.extensions.evaluations.helm import helm_files, read_helm
from aslib_eval.extensions.evaluations.inspect_logs import read_inspect
from aslib_eval.extensions.evaluations.lm_eval import lm_eval_files, read_report
from aslib_eval.extensions.evaluations.logs import (
    EvaluationLog,
    Sample,
    digest,
    direction,
    finite,
    parsed,
    texted,
)
from aslib_eval.formats import TableChoices, sources
from aslib_eval.formats.aslib.lint import LimitedFindings, new_finding
from aslib_eval.formats.registry import locate_all
from aslib_eval.formats.runs import table_choices
from aslib_eval.formats.sources import FilesRead, Location
from aslib_eval.importer import import_scenarios
from aslib_eval.linter import check_paths
from tests.conftest import ROOT

REAL = ROOT.parent / "shared" / "routing" / "every_eval_ever"
real = pytest.mark.skipif(not REAL.is_dir(), reason="../shared/routing is not there")
RUNS = "select instance_id, repetition, algorithm, measure, value, runstatus from raw_run order by all"
PRIMARY = "measure in (select measure from raw_scenario where measure_index = 1)"


def ask(lake: Path, sql: str, scenario: str = "") -> list[tuple[Any, ...]]:
    """The answer of plain DuckDB from the files of a lake, of one scenario where it is named."""
    con = duckdb.connect()
    for relation in ("run", "scenario", "attribute"):
        files = sorted(str(p) for p in lake.glob(f"{relation}/*/*.parquet"))
        of = scenario.replace("'", "''")
        rows = f"from read_parquet({files}, hive_partitioning = true)"
        con.sql(f"create view raw_{relation} as {rows} where '{of}' in ('', scenario_id)")
    return con.sql(sql).fetchall()


def lake_of(path: Path, into: Path, **choices: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Scenario → its runs, of what lies at a path."""
    done = import_scenarios([path], into=into, **choices)
    for each in done:
        if each.error is not None:
            raise each.error
    return {each.scenario_id: ask(into, RUNS, each.scenario_id) for each in done}


def means(path: Path, into: Path) -> dict[str, tuple[str, float, int]]:
    """Scenario → its primary measure, the mean of that over runs that did not fail, and their number."""
    names = [*lake_of(path, into)]
    sql = f"select any_value(measure), avg(value), count(value) from raw_run where {PRIMARY}"
    return {name: ask(into, sql, name)[0] for name in names}


def codes(path: Path, **choices: Any) -> list[tuple[str, str]]:
    return [(each.severity, each.code) for each in check_paths(path, **choices)]


# What real logs state.

HELLASWAG = "commonsense-dataset=hellaswag,method=multiple_choice_joint,model=eleutherai_pythia-1b-v0"
MMLU = "mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2"


@real
@pytest.mark.parametrize(
    ("name", "measure", "score", "n"),
    [
        ("98ea850e-7019-4728-a558-8b1819ec47c2.json", "score", 1.7838 / 6, 6),
        ("helm/" + HELLASWAG, "exact_match", 0.3, 10),
        ("helm/" + MMLU, "exact_match", 1 / 9, 9),  # of the split test
        ("helm/narrative_qa-model=openai_gpt2", "exact_match", 0.0, 4),
        ("inspect/data_arc_qwen.json", "accuracy", 1 / 3, 3),
        ("inspect/data_cvebench_empty_choices.json", "mean", 0.7051282051282052, 1),
        ("inspect/data_with_llm_scoring.json", "accuracy", 0.431, 1),
        ("lm_eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl", "exact_match", 0.0, 10),
        ("skill_reference_conversion", "accuracy", 1.0, 1),
    ],
)
def test_real_logs_give_the_scores_that_they_state(
    tmp_path: Path, name: str, measure: str, score: float, n: int
) -> None:
    ((found, mean, count),) = means(REAL / name, tmp_path / "lake").values()
    assert (found, count) == (measure, n)
    assert mean == pytest.approx(score, abs=1e-12)


@real
def test_every_number_that_helm_states_is_the_mean_of_its_measure(tmp_path: Path) -> None:
    names = {"inference_runtime": "latency", "num_prompt_tokens": "input_tokens"}
    names["num_output_tokens"] = "output_tokens"
    for number, run in enumerate(sorted((REAL / "helm").iterdir())):
        lake_of(run, tmp_path / str(number))
        found = ask(tmp_path / str(number), "select measure, avg(value) from raw_run group by all")
        stats = json.loads((run / "stats.json").read_text())
        split = "test" if any(each["name"]["split"] == "test" for each in stats) else "valid"
        stated = {
            names.get(each["name"]["name"], each["name"]["name"]): each.get("mean")
            for each in stats
            if each["name"]["split"] == split and "perturbation" not in each["name"]
        }
        for measure, mean in found:
            assert mean == pytest.approx(stated[measure], abs=1e-12), (run.name, measure)


@real
def test_every_file_of_helm_stands_for_its_run() -> None:
    for run in (REAL / "helm").iterdir():
        files = helm_files(run, b"")
        assert len(files) == 4
        assert all(helm_files(file, b"") == files for file in run.iterdir())


@real
def test_a_folder_of_logs_of_all_kinds_is_a_scenario_for_each_set_of_models(tmp_path: Path) -> None:
    found = means(REAL, tmp_path / "lake")
    assert {name.partition("-")[2]: row for name, row in found.items()} == {
        "every_eval_ever-score": ("score", pytest.approx(1.7838 / 6), 6),
        "commonsense:dataset=hellaswag": ("exact_match", pytest.approx(0.3), 10),
        "helm-exact_match": ("exact_match", pytest.approx(1 / 13), 13),
        "arc_easy": ("accuracy", pytest.approx(1 / 3), 3),
        "cvebench": ("mean", pytest.approx(0.7051282051282052), 1),
        "simpleqa_verified": ("accuracy", pytest.approx(0.431), 1),
        "math_perturbed_full": ("exact_match", 0.0, 10),
        "math_rephrased_full": ("exact_match", 0.0004, 1),
        "demo-source.demo_bench": ("accuracy", 1.0, 1),
    }


@real
def test_a_score_that_the_samples_do_not_give_is_told() -> None:
    folder = REAL / "lm_eval"
    told = [each.message for each in check_paths(folder) if each.code == "log-stated"]
    assert told == ["the log states exact_match 0 of 5000 samples; its 10 scored samples give 0"]


# Inspect.


def inspect_log(model: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A log of Inspect; values: item → value of its score, or what else its sample has."""
    samples = []
    for item, value in values.items():
        name, _, epoch = item.partition("#")
        sample = {"id": name, "epoch": int(epoch or 1), "input": f"What is {name}?"}
        sample |= value if isinstance(value, dict) else {"scores": {"match": {"value": value}}}
        samples.append(sample)
    scores = [
        {"name": "match", "scorer": "match", "metrics": {"accuracy": {"name": "accuracy", "value": 0.5}}}
    ]
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "sums", "model": model},
        "results": {"scores": scores},
        "samples": samples,
        **more,
    }


def written(path: Path, log: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(log))
    return path


def scored(found: list[tuple[Any, ...]], measure: str = "accuracy") -> list[tuple[Any, ...]]:
    return [(*row[:3], *row[4:]) for row in found if row[3] == measure]


def test_values_of_inspect_are_numbers_as_inspect_makes_them(tmp_path: Path) -> None:
    values = {"a": "C", "b": "I", "c": "P", "d": "N", "e": 0.25, "f": True, "g": "yes", "h": "0.5"}
    path = written(tmp_path / "log.json", inspect_log("m", values))
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert [row[3] for row in scored(found)] == [1, 0, 0.5, 0, 0.25, 1, 1, 0.5]


def test_samples_without_a_score_failed_and_epochs_are_repetitions(tmp_path: Path) -> None:
    log = inspect_log(
        "m",
        {
            "a": "C",
            "a#2": "I",
            "b": {"error": {"message": "refused"}, "scores": {"match": {"value": "C"}}},
            "b#2": {"scores": {"match": {"value": float("nan")}}},
            "c": {"scores": {}, "limit": {"type": "time", "limit": 9}},
            "c#2": {"scores": {"match": {"value": "C"}}, "limit": {"type": "time", "limit": 9}},
        },
    )
    (found,) = lake_of(written(tmp_path / "log.json", log), tmp_path / "lake").values()
    assert scored(found) == [
        ("a", 1, "m", 1.0, "ok"),
        ("a", 2, "m", 0.0, "ok"),
        ("b", 1, "m", None, "crash"),
        ("b", 2, "m", None, "crash"),
        ("c", 1, "m", None, "timeout"),
        ("c", 2, "m", 1.0, "ok"),
    ]


def test_samples_of_inspect_have_other_shapes_too(tmp_path: Path) -> None:
    log = inspect_log(
        "m",
        {
            "a": {"scores": {"match": {"value": {"match": "C", "other": "I"}}}, "epoch": "x"},
            "b": {"scores": {}, "limit": {"type": "working"}, "total_time": 4.0},
            "c": {"scores": {"match": {"value": "I"}}, "output": {"usage": {"input_tokens": 3}}},
        },
        status="error",
    )
    (score,) = log["results"]["scores"]
    score["metrics"] = [{"name": "stderr"}, {"name": "pack/accuracy"}]
    path = written(tmp_path / "log.json", log)
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert [(*row[:2], *row[3:]) for row in found if row[4] is not None or row[3] == "accuracy"] == [
        ("a", 1, "accuracy", 1.0, "ok"), ("b", 1, "accuracy", None, "timeout"),
        ("b", 1, "latency", 4.0, "ok"), ("c", 1, "accuracy", 0.0, "ok"),
        ("c", 1, "input_tokens", 3.0, "ok"),
    ]  # fmt: skip
    assert "the evaluation did not end: its status is error" in [f.message for f in check_paths(path)]


def test_a_log_that_was_never_scored_is_refused_not_failed(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": {}, "b": {"error": {"message": "refused"}}})
    log["results"] = None
    with pytest.raises(AslibError, match=r"has not been scored. Score it: inspect score .*log.json"):
        lake_of(written(tmp_path / "log.json", log), tmp_path / "lake")


def test_a_log_whose_samples_all_ended_with_an_error_has_failed_runs(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": {"error": {"message": "refused"}}}, results=None)
    log["eval"]["scorers"] = [{"name": "match", "metrics": [{"name": "accuracy"}]}]
    (found,) = lake_of(written(tmp_path / "log.json", log), tmp_path / "lake").values()
    assert scored(found) == [("a", 1, "m", None, "crash")]


def test_price_time_and_tokens_are_measures_with_their_units(tmp_path: Path) -> None:
    usage = {"input_tokens": 7, "input_tokens_cache_read": 100, "output_tokens": 5, "total_cost": 0.25}
    usage["input_tokens_cache_write"] = 1000
    judge = {"input_tokens": 900, "output_tokens": 9, "total_cost": 9.0}
    sample = {
        "scores": {"match": {"value": "C"}},
        "model_usage": {"m": usage, "judge": judge},
        "total_time": 4.0,
        "working_time": 3.0,
    }
    log = inspect_log("m", {"a": sample, "b": {"error": {"message": "x"}, "model_usage": {"m": usage}}})
    lake = tmp_path / "lake"
    (found,) = lake_of(written(tmp_path / "log.json", log), lake).values()
    assert [(row[0], *row[3:]) for row in found] == [
        ("a", "accuracy", 1.0, "ok"),
        ("a", "input_tokens", 1107.0, "ok"),
        ("a", "latency", 3.0, "ok"),
        ("a", "output_tokens", 5.0, "ok"),
        ("a", "price", 0.25, "ok"),
        ("b", "accuracy", None, "crash"),
        ("b", "input_tokens", 1107.0, "ok"),
        ("b", "latency", None, "crash"),
        ("b", "output_tokens", 5.0, "ok"),
        ("b", "price", 0.25, "ok"),
    ]
    about = "select measure, measure_index, measure_type, maximize, unit from raw_scenario order by 2"
    assert ask(lake, about) == [
        ("accuracy", 1, "solution_quality", True, None),
        ("price", 2, "solution_quality", False, "USD"),
        ("latency", 3, "solution_quality", False, "s"),
        ("input_tokens", 4, "solution_quality", False, "token"),
        ("output_tokens", 5, "solution_quality", False, "token"),
    ]


@pytest.mark.parametrize("ids", [["a", "a"], ["a", ""], ["a", None]])
def test_samples_without_a_place_of_their_own_are_refused(tmp_path: Path, ids: list[Any]) -> None:
    log = inspect_log("m", {"a": "C", "b": "C"})
    for each, item in zip(log["samples"], ids, strict=True):
        each["id"] = item
    assert ("error", "log-file") in codes(written(tmp_path / "log.json", log))


def test_a_metric_that_some_samples_lack_is_no_measure(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "C"})
    log["results"]["scores"].append({"name": "acc_2", "scorer": "acc_2", "metrics": {"accuracy": {}}})
    log["samples"][0]["scores"]["acc_2"] = {"value": "C"}
    (found,) = lake_of(written(tmp_path / "log.json", log), tmp_path / "lake").values()
    assert {row[3] for row in found} == {"match"}
    log["samples"][1]["scores"]["acc_2"] = {"value": "I"}
    (found,) = lake_of(written(tmp_path / "whole.json", log), tmp_path / "other").values()
    assert {row[3] for row in found} == {"match", "acc_2"}


def test_a_value_lies_under_its_scorer_or_under_the_name_of_its_score(tmp_path: Path) -> None:
    both = {"multi": {"value": {"f1": 0.5, "em": 1}}, "f1": {"value": 0.25}}
    log = inspect_log("m", {"a": {"scores": both}, "b": {"scores": {"f1": {"value": 0.75}}}})
    log["results"]["scores"] = [
        {"name": "f1", "scorer": "multi", "metrics": {"accuracy": {"value": 0.625}}}
    ]
    (found,) = lake_of(written(tmp_path / "log.json", log), tmp_path / "lake").values()
    assert [row[3] for row in scored(found)] == [0.5, 0.75]


def test_the_first_reducer_of_a_scorer_counts(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "I"})
    (score,) = log["results"]["scores"]
    again = {**score, "reducer": "max", "metrics": {"accuracy": {"name": "accuracy", "value": 0.9}}}
    log["results"]["scores"] = [{**score, "reducer": "mean"}, again]
    assert "log-stated" not in {code for _, code in codes(written(tmp_path / "log.json", log))}


def eval_of(path: Path, log: dict[str, Any]) -> Path:
    """A log as Inspect packs it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in log.items() if k != "samples"}))
        for each in log["samples"]:
            name = f"samples/{each['id']}_epoch_{each['epoch']}.json"
            archive.writestr(name, json.dumps({**each, "events": [{"event": "x"}], "messages": []}))
    return path


def test_a_packed_log_is_as_the_plain_one(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "I", "b#2": "C"})
    packed = lake_of(eval_of(tmp_path / "log.eval", log), tmp_path / "packed")
    assert packed == lake_of(written(tmp_path / "log.json", log), tmp_path / "plain")


def test_a_log_that_zstandard_packed_is_read(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "I"})
    path = eval_of(tmp_path / "log.eval", log)
    with zipfile.ZipFile(path) as plain:
        members = {name: plain.read(name) for name in plain.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, pa.compress(content, codec="zstd", asbytes=True))
        for each in archive.infolist():
            each.compress_type, each.file_size = 93, len(members[each.filename])
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert scored(found) == [("a", 1, "m", 1, "ok"), ("b", 1, "m", 0, "ok")]
    path.write_bytes(path.read_bytes().replace(b"\x28\xb5\x2f\xfd", b"\0\0\0\0"))
    with pytest.raises(AslibError, match=r"cannot be unpacked .*inspect log convert .*log\.eval --to json"):
        lake_of(path, tmp_path / "lake")


def test_a_scorer_without_a_metric_is_not_the_primary_one(tmp_path: Path) -> None:
    values = {"diff": {"value": "C"}, "passes": {"value": 0.0}}
    log = inspect_log("m", {"a": {"scores": values}})
    metrics = {"accuracy": {"name": "accuracy", "value": 0.0}}
    log["results"]["scores"] = [{"name": "diff", "metrics": {}}, {"name": "passes", "metrics": metrics}]
    (found,) = lake_of(written(tmp_path / "log.json", log), tmp_path / "lake").values()
    assert scored(found) == [("a", 1, "m", 0, "ok")]


@pytest.mark.parametrize("names", [["header.json"], ["samples/a_epoch_1.json", "samples/b_epoch_1.json"]])
def test_a_packed_log_that_would_fill_the_memory_is_refused(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "log.eval"
    large = dict.fromkeys(names, " " * ((70 << 20) // len(names)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in {"header.json": "{}", **large}.items():
            archive.writestr(*member)
    with pytest.raises(AslibError, match="more than a log"):
        lake_of(path, tmp_path / "lake")


@pytest.mark.parametrize("content", [b"PK\3\4 and nothing", b"PK"])
def test_a_packed_log_that_is_cut_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "log.eval").write_bytes(content)
    with pytest.raises(AslibError, match=r"is no \.eval"):
        lake_of(tmp_path / "log.eval", tmp_path / "lake")


# Several logs.


def test_logs_of_several_models_are_one_scenario_over_the_items_they_share(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C", "b": "I", "c": "C"}))
    written(tmp_path / "logs" / "deep" / "2.json", inspect_log("n", {"a": "I", "b": "C"}))
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert scored(found["logs"]) == [
        ("a", 1, "m", 1, "ok"), ("a", 1, "n", 0, "ok"), ("b", 1, "m", 0, "ok"), ("b", 1, "n", 1, "ok"),
    ]  # fmt: skip
    told = [each for each in check_paths(tmp_path / "logs") if each.severity == "warning"]
    assert [(Path(each.file).name, each.message) for each in told if "skipped" in each.message] == [
        ("1.json", "sums: skipped 1 sample that some of 2 models lack")
    ]


def test_a_log_that_did_not_end_is_left_out_where_others_are_whole(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C", "b": "I"}))
    written(tmp_path / "logs" / "2.json", inspect_log("n", {"a": "C", "b": "C"}))
    cut = inspect_log("o", {"a": "I"}, status="error", results=None)
    cut["eval"]["scorers"] = [{"name": "match", "metrics": [{"name": "accuracy"}]}]
    written(tmp_path / "logs" / "cut.json", cut)
    found = scored(lake_of(tmp_path / "logs", tmp_path / "lake")["logs"])
    assert [row[:4] for row in found] == [
        ("a", 1, "m", 1), ("a", 1, "n", 1), ("b", 1, "m", 0), ("b", 1, "n", 1),
    ]  # fmt: skip
    told = [each for each in check_paths(tmp_path / "logs") if each.code == "log-left-out"]
    assert [Path(each.file).name for each in told] == ["cut.json"]
    (alone,) = lake_of(tmp_path / "logs" / "cut.json", tmp_path / "lake2").values()
    assert scored(alone) == [("a", 1, "o", 0, "ok")]


def test_logs_that_are_named_together_are_as_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = [
        written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"})),
        written(Path("logs") / "2.json", inspect_log("n", {"a": "I"})),
    ]
    (outcome,) = import_scenarios(paths, into=tmp_path / "named")
    assert outcome.scenario_id == "logs"
    assert {"logs": ask(tmp_path / "named", RUNS)} == lake_of(tmp_path / "logs", tmp_path / "lake")
    (outcome,) = import_scenarios(paths[:1], into=tmp_path / "named")
    assert (outcome.status, outcome.scenario_id) == ("imported", "1")


def test_logs_in_an_archive_are_told_by_their_place_in_it(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    (tmp_path / "logs" / "2.json").write_text(json.dumps(inspect_log("n", {"a": "C"}))[:-9])
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "logs")
    done = import_scenarios([tmp_path / "packed.zip"], into=tmp_path / "lake")
    assert [each.status for each in done] == ["imported", "failed"]
    assert str(done[1].error).startswith(f"{tmp_path}/packed.zip/logs/2.json: is no JSON")


def test_logs_that_share_no_sample_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    written(tmp_path / "logs" / "2.json", inspect_log("n", {"b": "C"}))
    assert ("error", "run-missing") in codes(tmp_path / "logs")


def test_a_direction_is_said_to_the_scenario_of_a_folder_that_has_the_metric(tmp_path: Path) -> None:
    judged(tmp_path / "logs" / "1.json")
    other = {**inspect_log("n", {"a": "C"}), "eval": {"task": "products", "model": "n"}}
    written(tmp_path / "logs" / "2.json", other)
    found = lake_of(tmp_path / "logs", tmp_path / "lake", maximize=["judge"])
    assert {*found} == {"logs-sums", "logs-products"}


def test_data_sets_are_families_and_name_instances_that_they_share(tmp_path: Path) -> None:
    for task, values in {"sums": {"1": "C", "2": "C"}, "products": {"1": "I", "3": "C"}}.items():
        log = inspect_log("m", values)
        log["eval"] = {"task": f"pack/{task}", "model": "m"}
        written(tmp_path / "logs" / f"{task}.json", log)
    lake_of(tmp_path / "logs", tmp_path / "lake")
    sql = "select instance_id, attribute, value from raw_attribute order by all"
    assert ask(tmp_path / "lake", sql) == [
        ("2", "family", "sums"),
        ("3", "family", "products"),
        ("products/1", "family", "products"),
        ("sums/1", "family", "sums"),
    ]


def test_a_second_log_of_a_model_is_told_and_gives_repetitions(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    written(tmp_path / "logs" / "2.json", inspect_log("m", {"a": "I", "a#2": "I"}))
    written(tmp_path / "logs" / "3.json", inspect_log("m", {"a": "C"}))
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert scored(found["logs"]) == [
        ("a", 1, "m", 1, "ok"), ("a", 2, "m", 0, "ok"), ("a", 3, "m", 0, "ok"), ("a", 4, "m", 1, "ok"),
    ]  # fmt: skip
    assert ("warning", "log-again") in codes(tmp_path / "logs")


def test_repetitions_of_one_model_count_where_another_one_has_fewer(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "I"}))
    written(tmp_path / "logs" / "2.json", inspect_log("m", {"a": "C"}))
    written(tmp_path / "logs" / "3.json", inspect_log("n", {"a": "C"}))
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert scored(found["logs"]) == [
        ("a", 1, "m", 0, "ok"), ("a", 1, "n", 1, "ok"), ("a", 2, "m", 1, "ok"),
    ]  # fmt: skip


def test_one_model_under_several_settings_is_several_systems(tmp_path: Path) -> None:
    for name, effort, value in (("1", "low", "I"), ("2", "high", "C")):
        log = inspect_log("m", {"a": value})
        log["eval"]["model_generate_config"] = {"reasoning_effort": effort, "temperature": 1}
        log["eval"]["model_args"] = {}
        written(tmp_path / "logs" / f"{name}.json", log)
    written(tmp_path / "logs" / "3.json", inspect_log("n", {"a": "C"}))
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert scored(found["logs"]) == [
        ("a", 1, "m (reasoning_effort=high)", 1, "ok"), ("a", 1, "m (reasoning_effort=low)", 0, "ok"),
        ("a", 1, "n", 1, "ok"),
    ]  # fmt: skip


def test_one_model_on_a_data_set_asked_in_several_ways_is_on_several_data_sets(tmp_path: Path) -> None:
    for shots, score in ((0, 0.25), (5, 0.75)):
        results = lm_results(**{"n-shot": {"gsm": shots}})
        results["results"]["gsm"] = {"exact_match,none": score}
        written(tmp_path / "logs" / f"{shots}" / f"results_{STAMP}.json", results)
    (found,) = lake_of(tmp_path / "logs", tmp_path / "lake").values()
    assert scored(found, "exact_match") == [
        ("gsm (num_fewshot=0)", 1, "org/m", 0.25, "ok"), ("gsm (num_fewshot=5)", 1, "org/m", 0.75, "ok"),
    ]  # fmt: skip


def test_records_of_one_model_in_several_systems_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    for system, score in (("agent-a/m-high", 0.5), ("agent-b/m-high", 0.75), ("agent-b/m-high", 0.25)):
        one = {**record("m", [result("A", score)]), "evaluation_id": f"board/{system}/17.{score}"}
        written(tmp_path / "board" / f"{score}.json", one)
    (found,) = lake_of(tmp_path / "board", tmp_path / "lake").values()
    assert scored(found, "score") == [
        ("A", 1, "m (agent-a)", 0.5, "ok"), ("A", 1, "m (agent-b)", 0.25, "ok"),
        ("A", 2, "m (agent-b)", 0.75, "ok"),
    ]  # fmt: skip


def test_data_sets_of_other_models_are_scenarios_of_their_own(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    other = {**inspect_log("n", {"z": "C"}), "eval": {"task": "products", "model": "n"}}
    written(tmp_path / "logs" / "2.json", other)
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert {name: {row[2] for row in rows} for name, rows in found.items()} == {
        "logs-sums": {"m"},
        "logs-products": {"n"},
    }


def test_how_logs_were_understood_is_told(tmp_path: Path) -> None:
    usage = {"scores": {"match": {"value": "C"}}, "model_usage": {"n": {"total_cost": 0.5}}}
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C", "b": "C", "c": "C"}))
    failed = {"b": {"error": "x"}, "c": {"error": "x"}}
    written(tmp_path / "logs" / "2.json", inspect_log("n", {"a": usage, **failed}))
    found = check_paths(tmp_path / "logs")
    primary = "the primary measure is accuracy, the first metric of the first scorer, match: more is better"
    assert [f.message for f in found if f.code in ("log-understood", "log-left-out")] == [
        "inspect: 2 models ('m', 'n') on 3 instances of 1 data set ('sums')",
        f"{primary}; further measures: 'price'",
        "2 runs without a score (an error, or nothing to score) failed",
    ]
    assert [f.message for f in found if f.code == "log-stated"] == [
        "the log states accuracy 0.5; its 3 scored samples give 1",
        "the log states accuracy 0.5; its 1 scored samples give 1",
    ]
    (runs,) = lake_of(tmp_path / "logs", tmp_path / "lake").values()
    assert [row[2:] for row in runs if row[3] == "price"] == [
        *(("m", "price", None, "other"), ("n", "price", 0.5, "ok")),
        *(("m", "price", None, "other"), ("n", "price", None, "crash")) * 2,
    ]


def test_scenarios_of_one_metric_have_numbers(tmp_path: Path) -> None:
    for model, sets in {"m": "AB", "n": "CD", "o": "EF"}.items():
        results = [result(name, 0.5, metric_id=f"acc_{name}") for name in sets]
        written(tmp_path / "board" / f"{model}.json", record(model, results))
    name = "board-every_eval_ever-score"
    assert [*lake_of(tmp_path / "board", tmp_path / "lake")] == [name, f"{name}#2", f"{name}#3"]


def test_a_sample_has_a_limit_and_a_document_has_none() -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return (1 << 28) + 1

    with pytest.raises(AslibError, match="has more than 256 MiB"):
        parsed(Long(b"{}"), place="log.jsonl:1", is_sample=True)
    assert parsed(Long(b"{}"), place="log.json") == {}


def test_numbers_texts_and_hashes_of_a_log() -> None:
    values: list[Any] = [1, True, False, 0.5, "1", None, float("inf"), 10**400]
    assert [finite(value) for value in values] == [1, 1, 0, 0.5, None, None, None, None]
    assert [texted(None, " ", 0, "a"), texted(1.5, "a"), texted()] == ["0", "a", ""]
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 2, "b": 1})
    assert [digest(nothing) for nothing in (None, "", [], {})] == [""] * 4
    assert len({digest("0"), digest(0), digest("\ud800")}) == 2


# Directions.


@pytest.mark.parametrize(
    ("metrics", "more"),
    [
        ("accuracy acc_norm exact_match quasi_exact_match exact_match@5 f1_score rouge_l pass@1 EM", True),
        ("exact_match,strict-match", True),
        ("word_perplexity bits_per_byte wer brier_score loss word_error_rate input_tokens latency", False),
        ("mean judge score lossless", None),
    ],
)
def test_which_metrics_say_by_their_name_whether_more_is_better(metrics: str, *, more: bool | None) -> None:
    assert {direction(metric) for metric in metrics.split()} == {more}


def judged(path: Path, value: float = 3.0) -> Path:
    log = inspect_log("m", {"a": value, "b": value + 1})
    log["results"]["scores"][0]["metrics"] = {"judge": {"name": "judge", "value": value + 0.5}}
    return written(path, log)


def test_a_metric_of_unknown_direction_is_refused_with_the_command(tmp_path: Path) -> None:
    path = judged(tmp_path / "log.json")
    with pytest.raises(ScenarioError) as error:
        lake_of(path, tmp_path / "lake")
    assert f"'aslib-eval import {path} --maximize judge'" in str(error.value)
    assert f"'aslib-eval import {path} --measure-column judge'" in str(error.value)


@pytest.mark.parametrize(("choice", "more"), [("maximize", True), ("measure_column", False)])
def test_the_user_says_whether_more_is_better(tmp_path: Path, choice: str, *, more: bool) -> None:
    lake_of(judged(tmp_path / "log.json"), tmp_path / "lake", **{choice: ["judge"]})
    sql = "select measure, maximize from raw_scenario where measure_index = 1"
    assert ask(tmp_path / "lake", sql) == [("judge", more)]


def test_a_mean_of_shares_is_taken_for_success_with_a_warning_and_not_of_harm(tmp_path: Path) -> None:
    def log(task: str, stated: float) -> Path:
        made = inspect_log("m", {"a": stated})
        made["eval"]["task"] = task
        made["results"]["scores"][0]["metrics"] = {"mean": {"name": "mean", "value": stated}}
        return written(tmp_path / f"{task}{stated}.json", made)

    for share in (0.0, 0.5, 1.0):
        assert ("warning", "runs-direction") in codes(log("sums", share))
    for choices, more in (({}, True), ({"measure_column": ["mean"]}, False)):
        lake_of(log("sums", 0.5), tmp_path / f"{more}", **choices)
        assert ask(tmp_path / f"{more}", "select maximize from raw_scenario") == [(more,)]
    assert ("error", "log-direction") in codes(log("agentharm", 0.5))
    assert ("error", "log-direction") in codes(log("sums", 1.5))


def test_a_user_who_contradicts_the_log_or_names_no_metric_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "log.json", inspect_log("m", {"a": "C"}))
    assert ("error", "log-direction") in codes(path, measure_column=["accuracy"])
    assert ("error", "log-direction") in codes(path, maximize=["acuracy"])


def test_a_further_metric_of_unknown_direction_is_no_measure_and_told(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "C"})
    log["results"]["scores"].append({"name": "judge", "metrics": {"mean": {"value": 3.0}}})
    for each in log["samples"]:
        each["scores"]["judge"] = {"value": 3.0}
    path = written(tmp_path / "log.json", log)
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert {row[3] for row in found} == {"match"}
    assert [each.hint for each in check_paths(path) if each.code == "log-left-out"] == [
        "If more is better, add --maximize judge; if less, --measure-column judge."
    ]
    assert [each.code for each in check_paths(judged(tmp_path / "other.json"))] == ["log-direction"]


def test_two_logs_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    for model, more in (("m", True), ("n", False)):
        said = {"gsm": {"exact_match": True, "judge": more}}
        results = lm_results(higher_is_better=said, model_name=model)
        results["results"]["gsm"] = {"exact_match,none": 0.5, "judge,none": 3.0}
        written(tmp_path / "logs" / model / f"results_{STAMP}.json", results)
    told = [f.message for f in check_paths(tmp_path / "logs") if f.severity == "error"]
    assert told == ["more judge is better in one log, and less in another"]


# lm-evaluation-harness.


def lm_results(**more: Any) -> dict[str, Any]:
    return {
        "results": {"gsm": {"alias": "gsm", "exact_match,strict": 0.5, "exact_match_stderr,strict": 0.1,
                            "exact_match,flexible": 1.0, "exact_match_stderr,flexible": 0.0}},
        "configs": {"gsm": {}},
        "higher_is_better": {"gsm": {"exact_match": True}},
        "n-samples": {"gsm": {"original": 2, "effective": 2}},
        "model_name": "org/m",
        **more,
    }  # fmt: skip


def lm_samples(path: Path, rows: list[tuple[int, str, Any]], metric: str = "exact_match") -> Path:
    lines = [
        {"doc_id": doc, "doc": {}, "arguments": {"a": doc}, "resps": [["x"]], "filtered_resps": ["x"],
         "filter": filtered, "metrics": [metric], metric: value}
        for doc, filtered, value in rows
    ]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


STAMP = "2026-01-02T03-04-05.678"


def test_filters_of_a_task_are_measures_of_which_the_first_is_primary(tmp_path: Path) -> None:
    rows = [(0, "strict", 0.0), (1, "strict", 1.0), (0, "flexible", 1.0), (1, "flexible", 1.0)]
    lm_samples(tmp_path / "run" / f"samples_gsm_{STAMP}.jsonl", rows)
    written(tmp_path / "run" / f"results_{STAMP}.json", lm_results())
    lm_samples(tmp_path / "run" / "samples_gsm_2027-01-02T03-04-05.678.jsonl", [(0, "strict", 0.0)])
    for name in (f"samples_gsm_{STAMP}.jsonl", f"results_{STAMP}.json"):
        (found,) = lake_of(tmp_path / "run" / name, tmp_path / name).values()
        assert [(row[0], *row[2:5]) for row in found] == [
            ("0", "org/m", "exact_match,flexible", 1.0), ("0", "org/m", "exact_match,strict", 0.0),
            ("1", "org/m", "exact_match,flexible", 1.0), ("1", "org/m", "exact_match,strict", 1.0),
        ]  # fmt: skip
        sql = "select measure from raw_scenario order by measure_index"
        measures = ask(tmp_path / name, sql)
        assert measures == [("exact_match,strict",), ("exact_match,flexible",)]
        assert "log-stated" not in {code for _, code in codes(tmp_path / "run" / name)}


def test_samples_without_results_are_of_the_model_that_the_folder_names(tmp_path: Path) -> None:
    path = lm_samples(tmp_path / "org__m" / "samples_wiki.jsonl", [(0, "none", 3.0)], "word_perplexity")
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert found == [("0", 1, "org/m", "word_perplexity", 3.0, "ok")]
    sql = "select maximize from raw_scenario"
    assert ask(tmp_path / "lake", sql) == [(False,)]


def test_samples_of_other_metrics_are_scenarios_of_their_own(tmp_path: Path) -> None:
    lm_samples(tmp_path / "org__m" / "samples_gsm.jsonl", [(0, "none", 1.0)])
    lm_samples(tmp_path / "org__m" / "samples_arc.jsonl", [(0, "none", 0.0)], "acc")
    assert lake_of(tmp_path / "org__m", tmp_path / "lake") == {
        "org__m-arc": [("0", 1, "org/m", "acc", 0.0, "ok")],
        "org__m-gsm": [("0", 1, "org/m", "exact_match", 1.0, "ok")],
    }


def test_filters_are_told_apart_without_results(tmp_path: Path) -> None:
    rows = [(0, "strict", 0.0), (0, "flexible", 1.0)]
    path = lm_samples(tmp_path / "org__m" / "samples_gsm.jsonl", rows)
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert [row[3:5] for row in found] == [("exact_match,flexible", 1.0), ("exact_match,strict", 0.0)]


def test_logs_of_two_harnesses_are_scenarios_of_their_own(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("org/m", {"a": "C"}))
    lm_samples(tmp_path / "logs" / "org__m" / "samples_sums.jsonl", [(0, "none", 0.0)], "accuracy")
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert {name: scored(runs) for name, runs in found.items()} == {
        "logs-sums": [("a", 1, "org/m", 1, "ok")],
        "logs-sums#2": [("0", 1, "org/m", 0, "ok")],
    }


def test_what_a_log_says_of_direction_goes_before_the_name(tmp_path: Path) -> None:
    results = lm_results(higher_is_better={"gsm": {"exact_match": False}})
    lake_of(written(tmp_path / f"results_{STAMP}.json", results), tmp_path / "lake")
    sql = "select measure, maximize from raw_scenario order by measure_index"
    assert ask(tmp_path / "lake", sql) == [
        ("exact_match,strict", False), ("exact_match,flexible", False), ("standard_error", False),
        ("n_items", True),
    ]  # fmt: skip


def test_results_from_before_filters_are_read_with_every_metric(tmp_path: Path) -> None:
    said = "pretrained=org/m,revision=step5"
    of = {"acc": 0.5, "acc_stderr": 0.1, "ppl": 9.0, "ppl_stderr": 1.0}
    results = {"results": {"arc": of}, "config": {"model": "hf", "model_args": said}}
    written(tmp_path / "logs" / "m.json", results)
    results["config"] = {"model": "neox", "model_args": {"load": "x"}}
    written(tmp_path / "logs" / "m_step9.json", results)
    (found,) = lake_of(tmp_path / "logs", tmp_path / "lake").values()
    assert [row[:5] for row in found if row[2] == "org/m@step5"] == [
        ("arc", 1, "org/m@step5", "acc", 0.5),
        ("arc", 1, "org/m@step5", "ppl", 9.0),
        ("arc", 1, "org/m@step5", "standard_error", 0.1),
    ]
    assert {row[2] for row in found} == {"org/m@step5", "m_step9"}


def test_of_a_task_that_was_evaluated_twice_the_last_time_counts(tmp_path: Path) -> None:
    times = {"2022-07-08": {"acc": 0.5, "acc_stderr": 0.1}, "2022-07-07": {"acc": 0.75, "acc_stderr": 0.2}}
    (found,) = lake_of(
        written(tmp_path / "m.json", {"results": {"arc": times}}), tmp_path / "lake"
    ).values()
    assert [row[:5] for row in found] == [
        ("arc", 1, "m", "acc", 0.5),
        ("arc", 1, "m", "standard_error", 0.1),
    ]


def test_samples_named_by_their_model_belong_to_the_results_beside(tmp_path: Path) -> None:
    lm_samples(tmp_path / "run" / "pretrained__org__m_gsm.jsonl", [(0, "strict", 0.0), (1, "strict", 1.0)])
    written(tmp_path / "run" / "results.json", lm_results())
    (found,) = lake_of(tmp_path / "run", tmp_path / "lake").values()
    assert [row[:5] for row in found] == [
        ("0", 1, "org/m", "exact_match,strict", 0.0),
        ("1", 1, "org/m", "exact_match,strict", 1.0),
    ]


def test_groups_of_tasks_are_no_data_sets(tmp_path: Path) -> None:
    results = lm_results(group_subtasks={"all": ["gsm"], "gsm": []})
    results["results"]["all"] = {"exact_match,none": 0.9}
    (found,) = lake_of(written(tmp_path / f"results_{STAMP}.json", results), tmp_path / "lake").values()
    assert {row[0] for row in found} == {"gsm"}


def test_a_sample_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    path = lm_samples(tmp_path / "samples_x.jsonl", [(0, "none", 1.0), (0, "none", 0.0)])
    with pytest.raises(AslibError, match=r"samples_x.jsonl:2: doc_id 0 is there twice"):
        lake_of(path, tmp_path / "lake")


def test_of_a_run_whose_samples_are_named_only_these_count(tmp_path: Path) -> None:
    lm_samples(tmp_path / "run" / f"samples_gsm_{STAMP}.jsonl", [(0, "none", 1.0)])
    lm_samples(tmp_path / "run" / f"samples_arc_{STAMP}.jsonl", [(0, "none", 0.0)])
    results = lm_results(config={"model_args": "revision=main,peft=x"})
    results["results"] = {task: {"exact_match,none": 0.5} for task in ("gsm", "arc")}
    written(tmp_path / "run" / f"results_{STAMP}.json", results)
    (found,) = lake_of(tmp_path / "run" / f"samples_arc_{STAMP}.jsonl", tmp_path / "lake").values()
    assert [row[2:5] for row in found] == [("org/m@x", "exact_match", 0.0)]
    paths = [tmp_path / "run" / name for name in (f"samples_arc_{STAMP}.jsonl", f"results_{STAMP}.json")]
    import_scenarios(paths, into=tmp_path / "both")
    assert [row[0] for row in ask(tmp_path / "both", "select value from raw_run order by 1")] == [0.0, 1.0]


# OpenCompass and SWE-bench.


def test_a_summary_has_a_column_a_model_and_no_groups(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    rows = ["dataset,version,metric,mode,a,b", "law,x1,accuracy,gen,25.5,30 (3/10)", "law,x1,f1,gen,20,10"]
    path.write_text("\n".join([*rows, "all,-,naive_average,gen,90,91", "-,-,-,-,-,-", ""]))
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert [row[:5] for row in found] == [
        ("law", 1, "a", "accuracy", 25.5),
        ("law", 1, "a", "f1", 20),
        ("law", 1, "b", "accuracy", 30),
        ("law", 1, "b", "f1", 10),
    ]


def test_models_and_issues_have_one_order_whatever_the_file_has(tmp_path: Path) -> None:
    names = [*"hcafbgde"]
    path = tmp_path / "summary.csv"
    path.write_text(f"dataset,version,metric,mode,{','.join(names)}\nlaw,1,acc,gen{',1' * 8}\n")
    lake_of(path, tmp_path / "lake")
    files = f"{tmp_path}/lake/algorithm/*/*.parquet"
    assert [row[0] for row in duckdb.sql(f"select algorithm from '{files}'").fetchall()] == sorted(names)
    (log,) = read_report({tmp_path / "m.run.json": json.dumps({"resolved_ids": names}).encode()})
    assert [each.item for each in log.samples] == sorted(names)
    samples = [lm_samples(tmp_path / f"samples_{name}_{STAMP}.jsonl", [(0, "none", 1.0)]) for name in names]
    results = written(tmp_path / f"results_{STAMP}.json", lm_results())
    assert lm_eval_files(results, results.read_bytes()) == [results, *sorted(samples)]


def test_issues_that_a_report_does_not_name_resolved_count_0(tmp_path: Path) -> None:
    report = {"total_instances": 3, "resolved_instances": 1, "resolved_ids": ["x"], "unresolved_ids": ["y"],
              "error_ids": ["z"], "submitted_ids": ["x", "y", "z"]}  # fmt: skip
    path = written(tmp_path / "org__m-1.5.run.json", report)
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert scored(found, "resolved") == [
        ("x", 1, "org/m-1.5", 1.0, "ok"),
        ("y", 1, "org/m-1.5", 0.0, "ok"),
        ("z", 1, "org/m-1.5", 0.0, "ok"),
    ]
    assert ask(tmp_path / "lake", "select maximize from raw_scenario") == [(True,)]
    assert "log-stated" not in {code for _, code in codes(path)}
    told = check_paths(written(path, {**report, "resolved_instances": 2}))
    assert [each.message for each in told if each.code == "log-stated"] == [
        "the log states resolved 0.666667 of 3 samples; its 3 scored samples give 0.333333"
    ]


# Every Eval Ever.


def record(model: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"x/{model}/1",
        "model_info": {"id": model, "name": model},
        "evaluation_results": results,
    }


def result(name: str, score: float, *, lower: bool = False, **config: Any) -> dict[str, Any]:
    return {
        "evaluation_name": name,
        "source_data": {"dataset_name": f"set of {name}"},
        "metric_config": {"lower_is_better": lower, **config},
        "score_details": {
            "score": score,
            "uncertainty": {"standard_error": {"value": 0.1}, "num_samples": 50},
        },
    }


def test_scores_alone_are_an_instance_for_each_evaluation(tmp_path: Path) -> None:
    for model, scores in {"m": (0.5, 0.25), "n": (0.75, 0.125)}.items():
        found = record(model, [result("A", scores[0]), result("B", scores[1])])
        written(tmp_path / "board" / f"{model}.json", found)
    (found,) = lake_of(tmp_path / "board", tmp_path / "lake").values()
    assert scored(found, "score") == [
        ("A", 1, "m", 0.5, "ok"), ("A", 1, "n", 0.75, "ok"),
        ("B", 1, "m", 0.25, "ok"), ("B", 1, "n", 0.125, "ok"),
    ]  # fmt: skip
    assert {row[4] for row in found if row[3] == "standard_error"} == {0.1}
    assert {row[4] for row in found if row[3] == "n_items"} == {50}
    families = ask(tmp_path / "lake", "select distinct value from raw_attribute order by 1")
    assert families == [("set of A",), ("set of B",)]


def test_an_evaluation_of_two_scores_has_two_measures_by_their_descriptions(tmp_path: Path) -> None:
    results = [
        result("A", 0.5, evaluation_description="share solved"),
        result("A", 0.25, evaluation_description="share proved"),
    ]
    found = lake_of(written(tmp_path / "r.json", record("m", results)), tmp_path / "lake")
    told = {row[3:5] for each in found.values() for row in each}
    assert {("share solved", 0.5), ("share proved", 0.25)} <= told


def test_a_level_that_is_unknown_is_no_score(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.json",
        record("m", [result("A", -1, has_unknown_level=True), result("B", 2, has_unknown_level=True)]),
    )
    (found,) = lake_of(path, tmp_path / "lake").values()
    assert scored(found, "score") == [("A", 1, "m", None, "crash"), ("B", 1, "m", 2.0, "ok")]


def test_scores_on_other_scales_are_not_compared(tmp_path: Path) -> None:
    for model, score, most in (("m", 0.5, 1), ("n", 50.0, 100)):
        found = record(model, [result("A", score, min_score=0, max_score=most)])
        written(tmp_path / "board" / f"{model}.json", found)
    found = lake_of(tmp_path / "board", tmp_path / "lake")
    assert sorted(row[2] for rows in found.values() for row in rows if row[3] == "score") == ["m", "n"]
    assert len(found) == 2


def test_evaluations_of_other_directions_are_scenarios_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path / "r.json", record("m", [result("A", 0.5), result("B", 7.0, lower=True)]))
    lake_of(path, tmp_path / "lake")
    sql = "select scenario_id, maximize from raw_scenario where measure_index = 1 order by 1"
    assert ask(tmp_path / "lake", sql) == [("r-A", True), ("r-B", False)]


def eee_sample(item: str, score: float | None, **more: Any) -> str:
    found = {
        "schema_version": "0.3.0", "evaluation_id": "x/m/1", "model_id": "m", "evaluation_name": "A",
        "sample_id": item, "input": {"raw": f"Q {item}"}, "output": {"raw": ["x"]},
        "evaluation": {"score": score, "is_correct": score == 1}, **more,
    }  # fmt: skip
    return json.dumps(found) + "\n"


def test_samples_stand_in_the_place_of_their_score(tmp_path: Path) -> None:
    config = {"metric_id": "accuracy", "metric_unit": "proportion"}
    written(tmp_path / "r.json", record("m", [result("A", 0.5, **config)]))
    usage = {"token_usage": {"input_tokens": 3, "output_tokens": 4}, "performance": {"latency_ms": 1500}}
    rows = [eee_sample("1", 1.0, **usage), eee_sample("1", 0.0), eee_sample("2", 1.0, error="refused")]
    (tmp_path / "r_samples.jsonl").write_text("".join(rows))
    for name in ("r.json", "r_samples.jsonl"):
        (found,) = lake_of(tmp_path / name, tmp_path / f"lake-{name}").values()
        assert scored(found) == [
            ("1", 1, "m", 1.0, "ok"), ("1", 2, "m", 0.0, "ok"), ("2", 1, "m", None, "crash"),
        ]  # fmt: skip
        assert [each.message for each in check_paths(tmp_path / name) if each.code == "log-stated"] == [
            "the log states accuracy 0.5 of 50 samples; its 2 scored samples give 0.5"
        ]
        used = {row[3]: row[4] for row in found if row[:2] == ("1", 1)}
        assert used == {"accuracy": 1.0, "latency": 1.5, "input_tokens": 3.0, "output_tokens": 4.0}


def test_scores_that_are_not_whether_the_answer_is_correct_need_a_direction(tmp_path: Path) -> None:
    path = tmp_path / "r_samples.jsonl"
    path.write_text(eee_sample("1", 1.0) + eee_sample("2", 0.0))
    assert "error" not in {severity for severity, _ in codes(path)}
    path.write_text(eee_sample("1", 1.0) + eee_sample("2", 0.5))
    assert ("error", "log-direction") in codes(path)
    path.write_text(eee_sample("1", 0.5) + eee_sample("2", 1.0))
    assert ("error", "log-direction") in codes(path)


@pytest.mark.parametrize(
    ("result_id", "metric", "more"), [({}, "errors", False), ({"evaluation_result_id": "x"}, "score", True)]
)
def test_a_record_says_the_direction_of_the_metric_that_it_names(
    tmp_path: Path, result_id: dict[str, str], metric: str, *, more: bool
) -> None:
    stated = {**result("A", 0.5, metric_id="errors", lower=True), **result_id}
    written(tmp_path / "r.json", record("m", [stated]))
    (tmp_path / "r_samples.jsonl").write_text(eee_sample("1", 1.0) + eee_sample("2", 0.0))
    lake_of(tmp_path / "r.json", tmp_path / "lake")
    assert ask(tmp_path / "lake", "select measure, maximize from raw_scenario") == [(metric, more)]


def test_samples_by_two_metrics_have_two_measures(tmp_path: Path) -> None:
    results = [{**result("A", 0.5, metric_id=name), "evaluation_result_id": name} for name in ("acc", "f1")]
    again = {**result("A", 0.5, metric_id="acc"), "evaluation_result_id": "again"}
    scores = lake_of(written(tmp_path / "r.json", record("m", [*results, again])), tmp_path / "lake")
    told = {"acc": 0.5, "f1": 0.5, "standard_error": 0.1, "n_items": 50}
    assert {row[3]: row[4] for row in scores["r"]} == told
    rows = [("1", "acc", 1.0), ("1", "f1", 0.5), ("2", "f1", 0.25), ("2", "acc", 0.0)]
    lines = [eee_sample(item, score, evaluation_result_id=name) for item, name, score in rows]
    (tmp_path / "r_samples.jsonl").write_text("".join(lines))
    (found,) = lake_of(tmp_path / "r.json", tmp_path / "other").values()
    assert [(row[0], *row[3:5]) for row in found] == [
        ("1", "acc", 1.0), ("1", "f1", 0.5), ("2", "acc", 0.0), ("2", "f1", 0.25),
    ]  # fmt: skip
    (tmp_path / "r_samples.jsonl").write_text(eee_sample("1", 1.0, model_id="n"))
    assert [f.message for f in check_paths(tmp_path / "r.json") if f.code == "log-file"] == [
        "the samples are from n, but the scores from m"
    ]


def test_two_scores_by_one_metric_are_refused(tmp_path: Path) -> None:
    path = written(
        tmp_path / "r.json", record("m", [result("A", 0.5), result("A", 0.75), result("A", 0.5)])
    )
    assert [each.message for each in check_paths(path) if each.severity == "error"] == [
        "A has two scores by score: 0.5 and 0.75"
    ]


def test_a_record_without_direction_needs_one(tmp_path: Path) -> None:
    each = result("A", 0.5)
    del each["metric_config"]["lower_is_better"]
    assert ("error", "log-direction") in codes(written(tmp_path / "r.json", record("m", [each])))


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"a": 1}', "[" * 100_000])
def test_a_line_that_is_no_sample_is_refused_with_its_place(tmp_path: Path, line: str) -> None:
    path = tmp_path / "r_samples.jsonl"
    path.write_text(eee_sample("1", 1.0) + "\n" + line + "\n")
    with pytest.raises(AslibError, match=r"r_samples.jsonl:3: "):
        lake_of(path, tmp_path / "lake")


# HELM.


def helm_run(folder: Path, model: str, scores: dict[str, float], **more: Any) -> Path:
    def stat(name: str, value: float | None, split: str = "test", **of: Any) -> dict[str, Any]:
        return {
            "name": {"name": name, "split": split, **of},
            "count": int(value is not None),
            "mean": value,
        }

    spec = {
        "name": f"sums:method=generation,model={model.replace('/', '_')}",
        "adapter_spec": {"model": model},
    }
    spec["metric_specs"] = [{"args": {"names": ["exact_match", "f1_score"]}}]
    perturbed = {"perturbation": {"name": "typos"}}
    instances: list[dict[str, Any]] = [
        {"instance_id": item, "train_trial_index": 0, "stats": [
            stat("num_references", 2), stat("num_output_tokens", 9), stat("training_co2_cost", None),
            stat("f1_score", value / 2), stat("exact_match", value)]}
        for item, value in scores.items()
    ]  # fmt: skip
    instances.append({**instances[0], **perturbed})
    instances.append({**instances[0], "instance_id": "v", "stats": [stat("exact_match", 1.0, "valid")]})
    mean = sum(scores.values()) / len(scores)
    stats = [
        stat("exact_match", 1.0, "valid"),
        stat("exact_match", 0.0, **perturbed),
        stat("exact_match", mean),
    ]
    documents = {"run_spec": spec, "per_instance_stats": instances, "stats": stats, **more}
    for name, document in documents.items():
        written(folder / f"{name}.json", document)
    return folder


def test_runs_of_helm_of_two_models_are_one_scenario(tmp_path: Path) -> None:
    helm_run(tmp_path / "runs" / "1", "org/m", {"a": 1.0, "b": 0.0})
    helm_run(tmp_path / "runs" / "2", "org/n", {"a": 0.0, "b": 0.0})
    (found,) = lake_of(tmp_path / "runs", tmp_path / "lake").values()
    assert scored(found, "exact_match") == [
        ("a", 1, "org/m", 1, "ok"), ("a", 1, "org/n", 0, "ok"),
        ("b", 1, "org/m", 0, "ok"), ("b", 1, "org/n", 0, "ok"),
    ]  # fmt: skip
    sql = "select measure, unit from raw_scenario order by measure_index"
    assert ask(tmp_path / "lake", sql) == [
        ("exact_match", None), ("f1_score", None), ("output_tokens", "token"),
    ]  # fmt: skip
    sql = "select distinct value from raw_attribute"
    assert ask(tmp_path / "lake", sql) == [("sums",)]
    assert ("warning", "log-stated") not in codes(tmp_path / "runs")


def test_a_request_of_helm_that_failed_is_a_failed_run(tmp_path: Path) -> None:
    state = {"instance": {"id": "b"}, "train_trial_index": 0, "result": {"success": False}}
    folder = helm_run(
        tmp_path / "run", "m", {"a": 1.0, "b": 0.0}, scenario_state={"request_states": [state]}
    )
    (found,) = lake_of(folder / "run_spec.json", tmp_path / "lake").values()
    assert scored(found, "exact_match") == [("a", 1, "m", 1, "ok"), ("b", 1, "m", None, "crash")]


def test_a_run_of_helm_without_instances_is_its_score(tmp_path: Path) -> None:
    folder = helm_run(tmp_path / "run", "m", {"a": 1.0, "b": 0.0})
    (folder / "per_instance_stats.json").unlink()
    (found,) = lake_of(folder, tmp_path / "lake").values()
    assert found == [("sums", 1, "m", "exact_match", 0.5, "ok")]


def test_of_helm_one_split_and_no_perturbation_counts(tmp_path: Path) -> None:
    state = {"instance": {"id": "b", "perturbation": {"name": "typos"}}, "result": {"success": False}}
    folder = helm_run(
        tmp_path / "run", "m", {"a": 1.0, "b": 0.0}, scenario_state={"request_states": [state]}
    )
    each = json.loads((folder / "per_instance_stats.json").read_text())
    each[1]["stats"].append({"name": {"name": "exact_match", "split": "test", "sub_split": "x"},
                             "count": 1, "mean": 0.5})  # fmt: skip
    del each[1]["train_trial_index"]
    for row in each[:2]:
        row["stats"].append({"name": {"name": "bleu_4", "split": "test"}, "count": 1, "mean": 0.25})
    again = {**each[0], "train_trial_index": 1}
    written(folder / "per_instance_stats.json", [*each, again])
    (found,) = lake_of(folder, tmp_path / "lake").values()
    assert scored(found, "exact_match") == [
        ("a", 1, "m", 1, "ok"), ("a", 2, "m", 1, "ok"), ("b", 1, "m", 0, "ok"),
    ]  # fmt: skip
    sql = "select measure from raw_scenario order by measure_index"
    measures = ["exact_match", "f1_score", "bleu_4", "output_tokens"]
    assert [measure for (measure,) in ask(tmp_path / "lake", sql)] == measures
    again = helm_run(tmp_path / "separate", "m", {"a": 0.0, "b": 0.0})
    spec = json.loads((again / "run_spec.json").read_text())
    written(again / "run_spec.json", {**spec, "name": "sums:method=separate,model=m"})
    found = lake_of(tmp_path, tmp_path / "both")[tmp_path.name]
    assert {row[2] for row in found} == {"m (method=generation)", "m (method=separate)"}
    told = [each.message for each in check_paths(folder) if "split" in each.message]
    assert len(told) == 1
    assert "metric_specs; of the split test: more is better" in told[0]


# What is no log, and what may be looked at.


def test_links_and_other_files_of_json_are_passed_over(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    written(tmp_path / "logs" / "notes.json", {"eval": 3})
    written(tmp_path / "logs" / "keys.json", ["schema_version"])
    (tmp_path / "logs" / "notes.jsonl").write_text('{"evaluation_id": 3}\n')
    written(
        tmp_path / "logs" / "begun" / "run_spec.json", {"name": "sums"}
    )  # a run of HELM without results
    written(tmp_path / "elsewhere.json", inspect_log("n", {"a": "C"}))
    (tmp_path / "logs" / "link.json").symlink_to(tmp_path / "elsewhere.json")
    (tmp_path / "logs" / "linked").symlink_to(tmp_path)
    written(tmp_path / "logs" / ".hidden" / "3.json", inspect_log("o", {"a": "C"}))
    (found,) = lake_of(tmp_path / "logs", tmp_path / "lake").values()
    assert scored(found) == [("a", 1, "m", 1, "ok")]


def test_a_folder_of_aslib_is_none_of_logs_whatever_its_name_ends_with(tmp_path: Path) -> None:
    written(tmp_path / "aslib.json" / "description.txt", {})
    written(tmp_path / "1.json", inspect_log("m", {"a": "C"}))
    assert sorted(each.location.path.name for each in locate_all([tmp_path])) == [
        "aslib.json",
        tmp_path.name,
    ]


def test_a_log_is_read_and_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    for module, name in ((sources, "read_source"), (inspect_logs, "parsed")):
        mock = Mock(wraps=getattr(module, name))
        monkeypatch.setattr(module, name, mock)
        counted.append(mock)
    monkeypatch.setattr(sources, "_HELD", 0)
    path = written(tmp_path / "log.json", inspect_log("m", {"a": "C"}, plan=" " * sources.HEAD))
    lake_of(path, tmp_path / "lake")
    assert [each.call_count for each in counted] == [1, 1]


def test_a_log_that_is_cut_spoils_no_other_one(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    text = json.dumps(inspect_log("n", {"a": "C"}))
    (tmp_path / "logs" / "2.json").write_text(text[:-9])
    done = import_scenarios([tmp_path / "logs"], into=tmp_path / "lake")
    assert [each.status for each in done] == ["imported", "failed"]
    assert "2.json: is no JSON" in str(done[1].error)


def test_a_name_for_several_scenarios_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "r.json", record("m", [result("A", 0.5), result("B", 7.0, lower=True)]))
    found = locate_all([path], choices=table_choices(scenario_id="X"))
    assert len(found) == 2
    with pytest.raises(AslibError, match="several scenarios"):
        lake_of(path, tmp_path / "lake", scenario_id="X")


# Each harness's reader by itself: what of a log is read.

LogFacts = dict[str, Any]


def read(reader: Callable[[Mapping[Path, bytes]], list[EvaluationLog]], **files: Any) -> list[LogFacts]:
    """What a log holds that differs from a log of one scored sample of model m on the data set d."""
    contents = {
        Path("r", name.replace("__", ".")): text if isinstance(text, bytes) else json.dumps(text).encode()
        for name, text in files.items()
    }
    usual = {
        "model": "m",
        "data_set": "d",
        "family": "d",
        "n_stated": None,
        "stated": None,
        "is_whole": True,
    }
    usual |= {"has_samples": True, "is_success": False, "units": {}, "scale": (), "findings": 0}
    found = []
    for log in reader(contents):
        facts: LogFacts = {name: getattr(log, name) for name in (*usual, "metrics")}
        facts["findings"] = len(log.findings)
        facts["samples"] = [(s.item, s.repetition, s.values, s.failed) for s in log.samples]
        found.append(
            {name: fact for name, fact in facts.items() if name not in usual or fact != usual[name]}
        )
    return found


def inspected(samples: list[Any], metrics: Any = None, **more: Any) -> dict[str, Any]:
    scores = [{"name": "s", "metrics": metrics or {"accuracy": {"value": 0.5}}}]
    return {
        "status": "success",
        "eval": {"model": "m", "task": "pack/d"},
        "results": {"scores": scores},
        "samples": samples,
        **more,
    }


def answered(value: Any, **more: Any) -> dict[str, Any]:
    return {"id": "a", "epoch": 1, "scores": {"s": {"value": value}}, **more}


ONE = {"metrics": {"accuracy": True}, "stated": 0.5}


@pytest.mark.parametrize(
    ("log", "facts"),
    [
        *(
            (inspected([answered(word)]), {**ONE, "samples": [("a", 1, {"accuracy": value}, "")]})
            for word, value in {"C": 1, "P": 0.5, "I": 0, "N": 0, "yes": 1, "no": 0, "True": 1, "false": 0, "0.25": 0.25, 3: 3, True: 1}.items()
        ),
        (inspected([answered("x")]), {**ONE, "has_samples": False, "metrics": {"accuracy": True}, "samples": [("d", 1, {"accuracy": 0.5}, "")]}),
        (inspected([answered("C", limit={"type": "time"}, error="x"), answered("C")]), {**ONE, "samples": [("a", 1, {}, "timeout"), ("a", 1, {"accuracy": 1}, "")]}),
        (inspected([answered("x", limit={"type": "working"}), answered("x", limit={"type": "token"}), answered("C", epoch="2")]),
         {**ONE, "samples": [("a", 1, {}, "timeout"), ("a", 1, {}, "crash"), ("a", 1, {"accuracy": 1}, "")]}),
        # The first metric that says no spread; by its last part.
        *(
            (inspected([answered(3.5)], metrics), {**stated, "metrics": {"accuracy": True}, "samples": [("a", 1, {"accuracy": 3.5}, "")]})
            for metrics, stated in (
                ({"stderr": {}, "std": {}, "var": {}, "bootstrap_stderr": {}, "ci": {}, "accuracy": {"value": 4}}, {"stated": 4}),
                ([{"name": "stderr"}, {"name": "pack/accuracy"}], {}),
            )
        ),
        (inspected([answered(0.5)], {"mean": {"value": 0.5}}), {"metrics": {"mean": None}, "is_success": True, "stated": 0.5, "samples": [("a", 1, {"mean": 0.5}, "")]}),
        (inspected([answered(0.5)], {"mean": {"value": 1.5}}), {"metrics": {"mean": None}, "stated": 1.5, "samples": [("a", 1, {"mean": 0.5}, "")]}),
        (inspected([answered(0.5)], {"median": {"value": 0.5}}), {"metrics": {"median": None}, "stated": 0.5, "samples": [("a", 1, {"median": 0.5}, "")]}),
        (inspected([answered("C")], {"stderr": {}}), {"metrics": {"score": True}, "samples": [("a", 1, {"score": 1}, "")]}),
        (inspected([answered("C")], results={"scores": [{"name": "s"}]}), {"metrics": {"score": True}, "samples": [("a", 1, {"score": 1}, "")]}),
        (inspected([answered("C")], status="cancelled"), {**ONE, "is_whole": False, "findings": 1, "samples": [("a", 1, {"accuracy": 1}, "")]}),
        # Tokens, of a cache too; the time that was worked.
        (inspected([answered("C", model_usage={"m": {"input_tokens": 1, "input_tokens_cache_read": 2, "input_tokens_cache_write": 4, "output_tokens": 8, "total_cost": 16}}, total_time=32, working_time=0)]),
         {**ONE, "samples": [("a", 1, {"accuracy": 1, "price": 16, "latency": 0, "input_tokens": 7, "output_tokens": 8}, "")]}),
        (inspected([answered("C", output={"usage": {"input_tokens_cache_read": 2, "output_tokens": 8}}, total_time=32)]),
         {**ONE, "samples": [("a", 1, {"accuracy": 1, "latency": 32, "output_tokens": 8}, "")]}),
    ],
)  # fmt: skip
def test_what_is_read_of_a_log_of_inspect(log: dict[str, Any], facts: LogFacts) -> None:
    assert read(read_inspect, l__json=log) == [facts]


def test_several_scorers_of_inspect_are_called_by_their_names() -> None:
    scores = [
        {"name": "s", "metrics": {"accuracy": {"value": 0.5}}, "scored_samples": 3},
        {"name": "s", "reducer": "max", "metrics": {"accuracy": {"value": 0.75}}},
        {"name": "f1", "scorer": "grader", "metrics": {"mean": {"value": 0.25}}},
        {"name": "none"},
    ]
    samples = [
        answered("C"),
        {
            "id": 7,
            "scores": {
                "s": {"value": {"s": 0.5, "t": 1}},
                "grader": {"value": {"f1": 0.75}},
                "f1": {"value": 9},
            },
        },
    ]
    log = inspected(
        samples,
        eval={"model": "m", "task": "x", "task_display_name": "d"},
        results={"scores": scores, "completed_samples": 9},
    )
    assert read(read_inspect, l__json=log) == [
        {"stated": 0.5, "n_stated": 3, "metrics": {"s": None, "f1": True}, "samples": [("a", 1, {"s": 1}, ""), ("7", 1, {"s": 0.5, "f1": 0.75}, "")]}
    ]  # fmt: skip
    del scores[0]["scored_samples"]
    (facts,) = read(read_inspect, l__json=log)
    assert facts["n_stated"] == 9


@pytest.mark.parametrize(
    "word", ["harm", "toxic", "refus", "risk", "attack", "jailbreak", "bias", "decept", "violat"]
)
def test_a_larger_share_of_what_is_bad_is_no_success(word: str) -> None:
    log = inspected(
        [answered(0.5)], {"mean": {"value": 0.5}}, eval={"model": "m", "task": f"x {word.upper()}"}
    )
    (facts,) = read(read_inspect, l__json=log)
    assert "is_success" not in facts


@pytest.mark.parametrize(
    "key", ["events", "messages", "attachments", "store", "timelines", "events_data", "error_retries"]
)
def test_transcripts_of_inspect_are_not_kept(key: str) -> None:
    assert inspect_logs._without_heavy({key: 1, "id": 2}) == {"id": 2}  # noqa: SLF001
    assert inspect_logs._without_heavy({"id": 2}) == {"id": 2}  # noqa: SLF001


SPEC = {
    "name": "d:model=m,method=x",
    "adapter_spec": {"model": "m"},
    "metric_specs": [{"args": {"names": ["em", "lost"]}}],
}


def stat(name: str, mean: Any, split: str | None = "test", count: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": {"name": name, "split": split, **more}, "count": count, "mean": mean}


def helmed(stats: list[Any], instances: list[Any], states: list[Any] | None = None) -> list[LogFacts]:
    more = {} if states is None else {"scenario_state__json": {"request_states": states}}
    return read(
        read_helm, run_spec__json=SPEC, stats__json=stats, per_instance_stats__json=instances, **more
    )


def test_what_is_read_of_a_run_of_helm() -> None:
    counted = [
        "num_x",
        "training_x",
        "inference_x",
        "batch_size",
        "finish_reason_x",
        "prompt_truncated",
        "max_prob",
        "logprob",
        "perplexity",
        "bits_per_byte",
        "estimated_x",
    ]
    used = {"inference_runtime": 2, "num_prompt_tokens": 3, "num_output_tokens": 4}
    names = [stat(name, 1) for name in counted] + [stat(name, value) for name, value in used.items()]
    instances = [
        {"instance_id": "a", "train_trial_index": 0, "stats": [*names, stat("f1", 0.5), stat("em", 1)]},
        {
            "instance_id": "a",
            "train_trial_index": 1,
            "stats": [stat("em", 0, count=0), stat("f1", 0.25), stat("num_completion_tokens", 6)],
        },
        {"instance_id": "b", "perturbation": {}, "stats": [stat("em", 1)]},
        {"instance_id": "c", "stats": [stat("em", 1, "valid")]},
        {
            "instance_id": "d",
            "stats": [
                stat("em", 1, perturbation={"name": "p"}),
                stat("f1", 1, sub_split="s"),
                stat("em", 0.75),
            ],
        },
        {"instance_id": "e", "stats": [stat("em", 0.5)]},
    ]
    states = [
        {"instance": {"id": "e"}, "result": {"success": False}},
        {"instance": {"id": "d", "perturbation": {"name": "p"}}, "result": {"success": False}},
    ]
    stated = [stat("em", 0.5), stat("em", 0.9, "valid"), stat("num_instances", 5)]
    facts = {"stated": 0.5, "n_stated": 5, "metrics": {"em": True, "f1": True}}
    samples = [
        ("a", 1, {"em": 1, "f1": 0.5, "latency": 2, "input_tokens": 3, "output_tokens": 4}, ""),
        ("a", 2, {"output_tokens": 6}, "crash"),
        ("d", 1, {"em": 0.75}, ""),
    ]
    assert helmed(stated, instances, states) == [{**facts, "samples": [*samples, ("e", 1, {}, "crash")]}]
    assert helmed(stated, instances) == [{**facts, "samples": [*samples, ("e", 1, {"em": 0.5}, "")]}]
    alone = {"stated": 0.5, "n_stated": 5, "has_samples": False, "metrics": {"em": True, "n_items": True}}
    assert helmed(stated, []) == [{**alone, "samples": [("d", 1, {"em": 0.5, "n_items": 5}, "")]}]
    with pytest.raises(AslibError, match="states no score"):
        helmed([stat("num_instances", 5)], [])
    # Of one split; of several without test the first.
    for splits, mean in (((None,), 0.5), (("valid", "train"), 0.5), (("valid", "test"), 0.25)):
        (facts,) = helmed([stat("em", 0.5 / (n + 1), split) for n, split in enumerate(splits)], [])
        assert facts["stated"] == mean


def lm_read(samples: list[Any] | None = None, **more: Any) -> list[LogFacts]:
    results = {
        "results": {"d": {"alias": "d", "em,none": 0.5, "em_stderr,none": 0.1}},
        "model_name": "m",
        **more,
    }
    lines = {"samples_d__jsonl": "\n".join(map(json.dumps, samples)).encode()} if samples else {}
    return read(lm_eval.read_lm_eval, results__json=results, **lines)


ALONE = {
    "stated": 0.5,
    "has_samples": False,
    "metrics": {"em": True, "standard_error": False},
    "samples": [("d", 1, {"em": 0.5, "standard_error": 0.1}, "")],
}


@pytest.mark.parametrize(
    ("more", "facts"),
    [
        ({}, [ALONE]),
        ({"results": {"d": {"1": {"em,none": 0.25}, "2": {"em,none": 0.5, "em_stderr,none": 0.1}}}}, [ALONE]),
        ({"results": {"d": {"em": 0.5, "em_stderr": 0.1}}}, [ALONE]),
        ({"results": {"d": {"alias": "d", "em": 0.5}}}, []),
        ({"results": {"d": {"em,none": "N/A"}}}, []),
        ({"group_subtasks": {"d": ["x"]}}, []),
        ({"group_subtasks": {"d": []}}, [ALONE]),
        ({"groups": {"d": {}}}, []),
        ({"higher_is_better": {"d": {"em": False}}}, [{**ALONE, "metrics": {"em": False, "standard_error": False}}]),
        ({"n-samples": {"d": {"effective": 7}}}, [{**ALONE, "n_stated": 7, "metrics": {**ALONE["metrics"], "n_items": True},
                                                   "samples": [("d", 1, {"em": 0.5, "standard_error": 0.1, "n_items": 7}, "")]}]),
        ({"results": {"d": {"em,a": 0.5, "em,b": 0.25, "em_stderr,a": 0.1}}}, [{**ALONE, "metrics": {"em,a": None, "em,b": None, "standard_error": False},
                                                                              "samples": [("d", 1, {"em,a": 0.5, "em,b": 0.25, "standard_error": 0.1}, "")]}]),
        # The model by its name, its arguments, else the folder's.
        ({"model_name": "", "config": {"model_args": "pretrained=p,revision=v,peft=q", "model": "hf"}}, [{**ALONE, "model": "p@v@q"}]),
        ({"model_name": "", "config": {"model_args": {"model": "p", "revision": "main", "peft": "None"}}}, [{**ALONE, "model": "p"}]),
        ({"model_name": "", "config": {"model_args": {"engine": "p"}}}, [{**ALONE, "model": "p"}]),
        ({"model_name": "", "config": {"model": "hf"}}, [{**ALONE, "model": "hf"}]),
        ({"model_name": ""}, [{**ALONE, "model": "r"}]),
    ],
)  # fmt: skip
def test_what_is_read_of_results_of_lm_eval(more: dict[str, Any], facts: list[LogFacts]) -> None:
    assert lm_read(**more) == facts


def test_what_is_read_of_samples_of_lm_eval() -> None:
    beside = [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    ]
    rows = [
        {**dict.fromkeys(beside, 1), "filter": None, "em": 1.0, "f1": 0.5},
        {"doc_id": 2, "em": True},
        {"doc_id": 3, "f1": 0.25},
    ]
    assert lm_read(rows) == [
        {"stated": 0.5, "metrics": {"em": True, "f1": True}, "samples": [
            ("1", 1, {"em": 1, "f1": 0.5}, ""), ("2", 1, {"em": 1}, ""), ("3", 1, {"f1": 0.25}, "crash"),
        ]}
    ]  # fmt: skip
    for wrong, what in (([{"em": 1}], "it has no doc_id"), ([rows[1], rows[1]], "doc_id 2 is there twice")):
        with pytest.raises(AslibError, match=what):
            lm_read(wrong)


@pytest.mark.parametrize(
    ("report", "facts"),
    [
        ({"resolved_ids": ["a"], "unresolved_ids": ["b", 3], "x_id": ["c"], "resolved_instances": 1, "total_instances": 4}, {"stated": 0.25, "n_stated": 4}),
        ({"resolved_ids": ["a"], "unresolved_ids": ["b", 3], "error_ids": 3, "resolved_instances": 0, "total_instances": 2}, {"stated": 0.0, "n_stated": 2}),
        ({"resolved_ids": ["a"], "unresolved_ids": ["b", 3], "resolved_instances": 1, "total_instances": 0}, {}),
    ],
)  # fmt: skip
def test_what_is_read_of_a_report_of_swe_bench(report: dict[str, Any], facts: LogFacts) -> None:
    samples = [("3", 1, {"resolved": 0}, ""), ("a", 1, {"resolved": 1}, ""), ("b", 1, {"resolved": 0}, "")]
    (found,) = read(read_report, org____m__run__json=report)
    wanted = {
        "data_set": "SWE-bench",
        "family": "SWE-bench",
        "metrics": {"resolved": True},
        "samples": samples,
    }
    assert {name: fact for name, fact in found.items() if name != "model"} == {**wanted, **facts}


def test_what_is_read_of_a_summary_of_opencompass() -> None:
    text = "dataset,version,metric,mode,m,n\nd,1,accuracy,gen,50.5 *,-\nd,1,cost,gen,3,4\nd,-,naive,gen,1,1\nshort,1\ne,2,accuracy,gen,nan,7\n"
    assert read(lm_eval.read_summary, s__csv=text.encode()) == [
        {"has_samples": False, "metrics": {"accuracy": True, "cost": False}, "samples": [("d", 1, {"accuracy": 50.5, "cost": 3}, "")]},
        {"model": "n", "has_samples": False, "metrics": {"cost": False}, "samples": [("d", 1, {"cost": 4}, "")]},
        {"model": "n", "data_set": "e", "family": "e", "has_samples": False, "metrics": {"accuracy": True}, "samples": [("e", 1, {"accuracy": 7}, "")]},
    ]  # fmt: skip


def eee(results: list[Any], *samples: dict[str, Any], **about: Any) -> list[LogFacts]:
    found = {"model_info": about or {"id": "m", "name": "n"}, "evaluation_results": results}
    lines = {"s__jsonl": "\n".join(map(json.dumps, samples)).encode()} if samples else {}
    return read(read_every_eval_ever, r__json=found, **lines)


def scored_by(config: dict[str, Any], score: Any = 0.5, name: str = "d", **details: Any) -> dict[str, Any]:
    return {"evaluation_name": name, "metric_config": config, "score_details": {"score": score, **details}}


NO_SCALE = {"scale": ("", None, None), "has_samples": False}


@pytest.mark.parametrize(
    ("config", "score", "facts"),
    [
        ({"metric_id": "i", "metric_name": "n", "lower_is_better": True}, 0.5, {**NO_SCALE, "metrics": {"i": False}, "stated": 0.5, "samples": [("d", 1, {"i": 0.5}, "")]}),
        ({"metric_name": "n", "metric_kind": "k", "lower_is_better": False}, 0.5, {**NO_SCALE, "metrics": {"n": True}, "stated": 0.5, "samples": [("d", 1, {"n": 0.5}, "")]}),
        ({"metric_kind": "k", "lower_is_better": "no"}, 0.5, {**NO_SCALE, "metrics": {"k": None}, "stated": 0.5, "samples": [("d", 1, {"k": 0.5}, "")]}),
        ({"evaluation_description": "e"}, 0.5, {**NO_SCALE, "metrics": {"score": None}, "stated": 0.5, "samples": [("d", 1, {"score": 0.5}, "")]}),
        ({"has_unknown_level": True}, -1, {**NO_SCALE, "metrics": {"score": None}, "samples": [("d", 1, {}, "crash")]}),
        ({"has_unknown_level": True}, 1, {**NO_SCALE, "metrics": {"score": None}, "stated": 1, "samples": [("d", 1, {"score": 1}, "")]}),
        ({"has_unknown_level": False}, -1, {**NO_SCALE, "metrics": {"score": None}, "stated": -1, "samples": [("d", 1, {"score": -1}, "")]}),
        ({"metric_unit": "u", "min_score": 0, "max_score": 9}, 0.5, {"scale": ("u", 0, 9), "units": {"score": "u"}, "has_samples": False, "metrics": {"score": None}, "stated": 0.5, "samples": [("d", 1, {"score": 0.5}, "")]}),
    ],
)  # fmt: skip
def test_what_is_read_of_a_record_of_every_eval_ever(
    config: dict[str, Any], score: Any, facts: LogFacts
) -> None:
    assert eee([scored_by(config, score)]) == [facts]
    (named,) = eee([scored_by(config, score)], name="n")
    assert named["model"] == "n"


def test_several_metrics_and_samples_of_every_eval_ever() -> None:
    sure = {"num_samples": 7, "standard_error": {"value": 0.1}}
    results = [
        {**scored_by({"metric_id": "i"}, uncertainty=sure), "source_data": {"dataset_name": "f"}, "evaluation_result_id": "r1"},
        {**scored_by({"evaluation_description": "e", "lower_is_better": True}, 0.25), "evaluation_result_id": "r2"},
        scored_by({"metric_id": "i"}, 0.75),
        scored_by({"metric_id": "none"}, None),
    ]  # fmt: skip
    both = {"i": None, "standard_error": False, "n_items": True, "e": False}
    facts = {**NO_SCALE, "family": "f", "stated": 0.5, "n_stated": 7}
    values = {"i": 0.5, "standard_error": 0.1, "n_items": 7, "e": 0.25}
    assert eee(results) == [{**facts, "findings": 1, "metrics": both, "samples": [("d", 1, values, "")]}]

    def line(
        item: str, score: Any, result: str = "", *, is_correct: Any = None, **more: Any
    ) -> dict[str, Any]:
        said = {"score": score, "is_correct": is_correct}
        return {
            "evaluation_name": "d",
            "model_id": "m",
            "sample_id": item,
            "evaluation_result_id": result,
            "evaluation": said,
            **more,
        }

    usage = {"performance": {"latency_ms": 500}, "token_usage": {"input_tokens": 3, "output_tokens": 4}}
    del facts["has_samples"]
    found = eee(
        results,
        line("a", 1, "r1", **usage),
        line("a", 2, "r2"),
        line("a", 3, "r1"),
        line("b", 1, "r1", error="x"),
        line("c", None, "r1"),
    )
    assert found == [
        {**facts, "findings": 1, "metrics": {"i": None, "e": False}, "samples": [
            ("a", 1, {"i": 1, "latency": 0.5, "input_tokens": 3, "output_tokens": 4, "e": 2}, ""),
            ("a", 2, {"i": 3}, ""), ("b", 1, {}, "crash"), ("c", 1, {}, "crash"),
        ]}
    ]  # fmt: skip
    for lines, more in (
        ([line("a", 1, is_correct=True), line("b", 0, is_correct=False)], True),
        ([line("a", 1, is_correct=True), line("b", 1, is_correct=False)], None),
        ([line("a", 0.5, is_correct=True), line("b", 0, is_correct=False)], None),
        ([line("a", 1, is_correct=True), line("b", 0, is_correct=False, error="x")], True),
        ([line("a", 1, is_correct=True), line("b", 0)], None),
    ):
        (facts,) = eee([], *lines)
        assert facts["metrics"] == {"score": more}
    for key in ("evaluation_name", "model_id", "sample_id"):
        with pytest.raises(AslibError, match=r"is no sample of Every Eval Ever"):
            eee([], {**line("a", 1), key: ""})
    (facts,) = eee(results, {**line("a", 1, "r1"), "model_id": "other"})
    assert facts["findings"] == 2


def test_a_run_of_helm_without_a_model_is_refused() -> None:
    for spec in ({**SPEC, "name": ""}, {**SPEC, "adapter_spec": {}}):
        with pytest.raises(AslibError, match=r"names no model"):
            read(read_helm, run_spec__json=spec, stats__json=[stat("em", 1)])
    with pytest.raises(AslibError, match=r"run_spec.json: names no model. Copy the run_spec.json"):
        read(read_helm, stats__json=[stat("em", 1)])


def test_files_of_helm_without_their_run_spec_ask_for_it(tmp_path: Path) -> None:
    folder = helm_run(tmp_path / "run", "m", {"a": 1.0})
    written(folder / "display_predictions.json", [])
    assert helm_files(folder / "display_predictions.json", b"") == helm_files(folder, b"")
    (folder / "run_spec.json").unlink()
    for path in (folder, folder / "per_instance_stats.json"):
        with pytest.raises(AslibError, match=r"names no model. Copy the run_spec.json"):
            lake_of(path, tmp_path / "lake")


def said_of(*logs: EvaluationLog, **choices: Any) -> list[str]:
    """Code, file and numbers or names of what is said of the directions of logs."""
    found = LimitedFindings("shown")
    told = scenarios._directions(logs, TableChoices(**choices), found, Location(Path("at"), "shown"))  # noqa: SLF001
    facts = re.compile(r"'[^']*'|--[a-z-]+ [\w']+")
    return [
        str(told),
        *(" ".join((f.code, f.file, *facts.findall(f"{f.message} {f.hint}"))) for f in found.findings),
    ]


def logged(file: str, metrics: dict[str, bool | None], *, is_success: bool = False) -> EvaluationLog:
    return EvaluationLog("inspect", file, "m", "d", "d", metrics, [], "", is_success=is_success)


@pytest.mark.parametrize(
    ("logs", "choices", "said"),
    [
        ([logged("1", {"a": True, "b": False})], {}, ["{'a': True, 'b': False}"]),
        ([logged("1", {"a": True}), logged("2", {"a": None})], {}, ["{'a': True}"]),
        ([logged("1", {"a": True}), logged("2", {"a": False})], {}, ["{'a': False}", "log-direction 2"]),
        ([logged("1", {"a": None})], {}, ["{}", "log-direction shown 'aslib-eval import shown --maximize a' 'aslib-eval import shown --measure-column a'"]),
        ([logged("1", {"a": None})], {"maximize": ("a",)}, ["{'a': True}"]),
        ([logged("1", {"a": None})], {"measure": ("a",)}, ["{'a': False}"]),
        ([logged("1", {"a": True})], {"measure": ("a",)}, ["{'a': False}", "log-direction shown --measure-column a"]),
        ([logged("1", {"a": False})], {"maximize": ("a",)}, ["{'a': True}", "log-direction shown --maximize a"]),
        ([logged("1", {"a": True})], {"maximize": ("a",)}, ["{'a': True}"]),
        ([logged("1", {"a": True})], {"maximize": ("x",)}, ["{'a': True}", "log-direction shown 'x' 'a'"]),
        ([logged("1", {"a": None}, is_success=True), logged("2", {"a": None}, is_success=True)], {}, ["{'a': True}", "runs-direction 1 --measure-column a"]),
        ([logged("1", {"a": None}, is_success=True), logged("2", {"a": None})], {}, ["{}", "log-direction shown 'aslib-eval import shown --maximize a' 'aslib-eval import shown --measure-column a'"]),
        ([logged("1", {"a": True}, is_success=True)], {}, ["{'a': True}"]),
        ([logged("1", {"a": True, "b": None, "c": None})], {}, ["{'a': True}", "log-left-out shown 'b' 'c' --maximize b --measure-column b"]),
        ([logged("1", {})], {}, ["{}", "log-direction shown"]),
    ],
)  # fmt: skip
def test_which_directions_metrics_have(
    logs: list[EvaluationLog], choices: dict[str, Any], said: list[str]
) -> None:
    assert said_of(*logs, **choices) == said


def with_samples(
    file: str, *samples: tuple[Any, ...], model: str = "m", data_set: str = "d", **more: Any
) -> EvaluationLog:
    """A log of samples: item, repetition, values, and how it failed."""
    return EvaluationLog(
        "inspect",
        file,
        model,
        data_set,
        data_set,
        {"a": True, "b": False},
        [Sample(*s) for s in samples],
        "",
        **more,
    )


def facts_of(found: LimitedFindings) -> list[str]:
    return [" ".join((f.code, f.file, *re.findall(r"\d+\.?\d*|nan", f.message))) for f in found.findings]


@pytest.mark.parametrize(
    ("logs", "rows", "said"),
    [
        ([with_samples("1", ("x", 1, {}), ("y", 1, {})), with_samples("2", ("x", 1, {}), ("z", 1, {}), model="n")], ["1 x 1", "2 x 1"], ["log-left-out 1 2 2"]),
        ([with_samples("1", ("x", 1, {})), with_samples("2", ("x", 2, {}), model="n")], ["1 x 1", "2 x 2"], []),
        ([with_samples("1", ("x", 1, {}), ("x", 2, {})), with_samples("2", ("x", 1, {})), with_samples("3", ("y", 1, {}))], ["1 x 1", "1 x 2", "2 x 3", "3 y 4"], ["log-again 2", "log-again 3"]),
        ([with_samples("1", ("x", 1, {}), ("y", 1, {})), with_samples("2", ("x", 1, {}), data_set="e")], ["1 d/x 1", "1 y 1", "2 e/x 1"], []),
    ],
)  # fmt: skip
def test_samples_that_all_models_have(logs: list[EvaluationLog], rows: list[str], said: list[str]) -> None:
    found = LimitedFindings("shown")
    told = scenarios._shared(logs, found)  # noqa: SLF001
    assert [f"{log.file} {name} {sample.repetition}" for log, name, sample in told] == rows
    assert facts_of(found) == said
    assert all(each.hint for each in found.findings)


@pytest.mark.parametrize(
    ("samples", "more", "said"),
    [
        ([("x", 1, {"a": 0.5})], {"stated": 0.5}, []),
        ([("x", 1, {"a": 0.5})], {}, []),
        ([("x", 1, {"a": 0.5})], {"stated": 0.5 + 2e-6}, ["log-stated 1 0.500002 1 0.5"]),
        ([("x", 1, {"a": 0.5})], {"stated": 0.5 + 4e-7, "n_stated": 1}, []),
        ([("x", 1, {"a": 0.5})], {"stated": 0.5, "n_stated": 2}, ["log-stated 1 0.5 2 1 0.5"]),
        ([("x", 1, {"a": 0.5})], {"stated": 0.25, "has_samples": False}, []),
        ([("x", 1, {"a": 1.0}), ("y", 1, {"a": 0.0}), ("z", 1, {"b": 9.0})], {"stated": 0.5}, []),
        ([("x", 1, {}, "crash")], {"stated": 0.5}, ["log-stated 1 0.5 0 nan"]),
    ],
)  # fmt: skip
def test_a_stated_score_is_compared_with_the_mean(
    samples: list[tuple[Any, ...]], more: dict[str, Any], said: list[str]
) -> None:
    found = LimitedFindings("shown")
    scenarios._compare([with_samples("1", *samples, **more)], found)  # noqa: SLF001
    assert facts_of(found) == said
    assert all(each.hint for each in found.findings)


@pytest.mark.parametrize(
    ("samples", "measures", "said"),
    [
        ([("x", 1, {"a": 1, "b": 2}), ("y", 1, {"a": 1, "b": 2})], {"a": True, "b": False}, []),
        ([("x", 1, {"a": 1, "b": 2}), ("y", 1, {"a": 1})], {"a": True}, ["log-left-out shown"]),
        ([("x", 1, {"a": 1, "b": 2}), ("y", 1, {"b": 2})], {"a": True, "b": False}, []),
        ([("x", 1, {"a": 1, "b": 2}), ("y", 1, {}, "crash")], {"a": True, "b": False}, []),
        ([("x", 1, {"a": 1}), ("y", 1, {"price": 1, "latency": 2}, "crash")], {"a": True, "price": False, "latency": False}, []),
    ],
)  # fmt: skip
def test_which_metrics_are_measures(
    samples: list[tuple[Any, ...]], measures: dict[str, bool], said: list[str]
) -> None:
    log, found = with_samples("1", *samples, units={"a": "u", "c": "v"}), LimitedFindings("shown")
    rows = [(log, each.item, each) for each in log.samples]
    kept, units = scenarios._measures(rows, log.metrics, [log], found, Location(Path("at"), "shown"))  # type: ignore[arg-type]  # noqa: SLF001
    assert (kept, facts_of(found)) == (measures, said)
    assert units == {
        name: {"a": "u", "price": "USD", "latency": "s"}[name] for name in measures if name != "b"
    }


def test_places_of_samples_and_logs_that_were_cut() -> None:
    log = with_samples("1", ("x", 1, {}), ("x", 1, {}), ("", 1, {}), ("y", 1, {}), ("y", 2, {}))
    told = [(f.code, f.file, re.findall(r"\d+|x", f.message)) for f in scenarios._places(log)]  # noqa: SLF001
    assert told == [("log-file", "1", ["x", "2", "1"]), ("log-file", "1", ["1"])]
    cut = new_finding("log-left-out", file="c", what="cut")
    whole, other = (
        with_samples("1", ("x", 1, {})),
        with_samples("4", data_set="e", is_whole=False, findings=(cut,)),
    )
    parts = [with_samples(name, is_whole=False, findings=(cut,)) for name in "23"]
    kept = scenarios._without_cut([parts[0], whole, parts[1], other])  # noqa: SLF001
    assert [(each.file, len(each.findings)) for each in kept] == [("1", 2), ("4", 1)]


def test_primary_metrics_of_other_names_are_called_score() -> None:
    facts = {"a": True, "b": False}
    made = [
        replace(with_samples("1", ("x", 1, {"a": 1, "b": 2})), metrics=facts, units={"a": "u"}),
        replace(with_samples("2", ("x", 1, {"c": 3})), metrics={"c": True}, units={"c": "v"}),
    ]
    assert scenarios._alike(made[:1]) == made[:1]  # noqa: SLF001
    one, other = scenarios._alike(made)  # noqa: SLF001
    assert (one.metrics, one.units) == ({"score": True, "b": False}, {"score": "u"})
    assert (other.metrics, other.units) == ({"score": True}, {"score": "v"})
    assert [each.samples[0].values for each in (one, other)] == [{"score": 1, "b": 2}, {"score": 3}]


@pytest.mark.parametrize(
    ("logs", "names"),
    [
        ([("m", "d", "a", True), ("n", "d", "a", True)], [""]),
        ([("m", "d", "a", True), ("n", "e", "a", True)], ["d", "e"]),
        ([("m", "d", "a", True), ("m", "e", "a", True)], [""]),
        ([("m", "d", "a", True), ("m", "e", "b", True)], ["d", "e"]),
        ([("m", "d", "a", False), ("m", "e", "b", False)], [""]),
        ([("m", "d", "a", None), ("m", "e", "b", None)], ["d", "e"]),
        ([("m", "d", "a", False), ("n", "d", "a", False), ("m", "e", "b", False), ("n", "e", "b", False), ("o", "f", "c", False)], ["inspect-score", "f"]),
        ([("m", "d", "a", True), ("m", "e", "a", True), ("n", "f", "a", True), ("n", "g", "a", True)], ["inspect-a", "inspect-a#2"]),
    ],
)  # fmt: skip
def test_which_logs_are_one_scenario(
    monkeypatch: pytest.MonkeyPatch, logs: list[tuple[str, str, str, bool | None]], names: list[str]
) -> None:
    """Of a log: model, data set, primary metric; whether it has samples, None without a direction too."""
    made = [
        EvaluationLog(
            "inspect",
            f"{n}",
            model,
            of,
            of,
            {metric: None if kind is None else True},
            [],
            "",
            has_samples=bool(kind),
        )
        for n, (model, of, metric, kind) in enumerate(logs)
    ]
    monkeypatch.setattr(scenarios, "_runs", lambda path, _: [("inspect", (path,))])
    monkeypatch.setattr(scenarios, "_logs", lambda *_: made)
    found = scenarios._groups((Path("a.json"),), FilesRead())  # noqa: SLF001
    assert [*found] == names
    assert sorted(each.file for group in found.values() for each in group) == [
        f"{n}" for n in range(len(logs))
    ]
    assert [each.file for each in scenarios._groups((Path("1.jsonl"),), FilesRead()).get(names[0], [])]  # noqa: SLF001


@pytest.mark.parametrize(
    ("more", "data_set", "model"),
    [
        ({"n-shot": {"d": 0}, "config": {"num_fewshot": 5}}, ["num_fewshot=0"], []),
        ({"n-shot": {"e": 0}, "config": {"num_fewshot": 5}}, ["num_fewshot=5"], []),
        ({"config": {"model_args": "pretrained=p,batch=3"}}, [], []),
        *(
            ({"config": {"model_args": f"pretrained=p,{key}=x"}}, [], [f"{key}=x"])
            for key in ("dtype", "load_in_8bit", "load_in_4bit", "max_length", "enable_thinking")
        ),
    ],
)
def test_settings_of_lm_eval_make_other_sets_and_systems(
    more: dict[str, Any], data_set: list[str], model: list[str]
) -> None:
    results = {"results": {"d": {"em,none": 0.5}}, "model_name": "m", **more}
    (log,) = lm_eval.read_lm_eval({Path("results.json"): json.dumps(results).encode()})
    assert log.settings == {"data_set": (*data_set,), "model": (*model,)}


@pytest.mark.parametrize(
    ("logs", "names"),
    [
        (["m d a", "m d b"], ["m (a) d", "m (b) d"]),
        (["m d a", "m e b"], ["m d", "m e"]),
        (["m d a", "n d b"], ["m d", "n d"]),
        (["m d ac", "m d bc", "m e c"], ["m (a) d", "m (b) d", "m e"]),
        (["m d a", "m d ", "n d b"], ["m (a) d", "m d", "n d"]),
        (["m d a", "m d a"], ["m d", "m d"]),
    ],
)
def test_settings_are_in_names_where_a_model_has_several(logs: list[str], names: list[str]) -> None:
    of = [each.split(" ") for each in logs]
    made = [with_samples("1", model=m, data_set=d, settings={"model": (*own,)}) for m, d, own in of]
    told = scenarios._by_settings(made, "model")  # noqa: SLF001
    assert [f"{log.model} {log.data_set}" for log in told] == names
    # Where a data set is its own item, the item is called so too.
    alone = [
        with_samples("1", ("d", 1, {}), has_samples=False, settings={"data_set": (own,)}) for own in "ab"
    ]
    named = scenarios._by_settings(alone, "data_set")  # noqa: SLF001
    assert [(log.data_set, log.samples[0].item) for log in named] == [
        ("d (a)", "d (a)"),
        ("d (b)", "d (b)"),
    ]
