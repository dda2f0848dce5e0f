# ruff: noqa: E501 - a case a line
"""Records of Every Eval Ever, with samples and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.every_eval_ever import read_every_eval_ever
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import (
    LogFacts,
    ask,
    codes,
    eee_sample,
    lake_of,
    read,
    record,
    result,
    scored,
    written,
)


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


@pytest.mark.parametrize(
    ("evaluation", "settings"),
    [
        ("board/agent-a/m-high/2025-01-01T00:00:00Z", ("agent-a", "m-high")),
        ("board/m/17.5", ("m",)),
        ("board/m/0123abcd-9f", ("m",)),
        ("board", ()),
    ],
)
def test_the_id_of_a_record_tells_systems_apart_without_its_source_and_time(
    evaluation: str, settings: tuple[str, ...]
) -> None:
    one = {**record("m", [result("A", 0.5)]), "evaluation_id": evaluation}
    (log,) = read_every_eval_ever({Path("r.json"): json.dumps(one).encode()})
    assert log.settings == {"model": settings}
