"""Runs of HELM."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.helm import helm_files, read_helm
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import (
    LogFacts,
    ask,
    codes,
    helm_run,
    lake_of,
    read,
    scored,
    written,
)


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
