# ruff: noqa: E501 - a case a line
"""Logs of Inspect, plain and packed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations import inspect_logs
from aslib_eval.extensions.evaluations.inspect_logs import read_inspect
from aslib_eval.formats import sources
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import (
    LogFacts,
    ask,
    codes,
    inspect_log,
    lake_of,
    read,
    scored,
    written,
)


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
        archive.writestr("samples/notes.txt", "no sample")
        archive.writestr("summaries.json", "[]")
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
