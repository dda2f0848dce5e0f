# ruff: noqa: E501 - a case a line
"""Several logs together: which are one scenario, its samples, measures, directions and names."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.evaluations import scenarios
from aslib_eval.extensions.evaluations.logs import (
    EvaluationLog,
    Sample,
    digest,
    direction,
    finite,
    parsed,
    texted,
)
from aslib_eval.formats import TableChoices
from aslib_eval.formats.aslib.lint import LimitedFindings, new_finding
from aslib_eval.formats.registry import locate_all
from aslib_eval.formats.runs import table_choices
from aslib_eval.formats.sources import FilesRead, Location
from aslib_eval.importer import import_scenarios
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import (
    RUNS,
    STAMP,
    ask,
    codes,
    inspect_log,
    lake_of,
    lm_results,
    lm_samples,
    record,
    result,
    scored,
    written,
)


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


def test_logs_of_two_harnesses_are_scenarios_of_their_own(tmp_path: Path) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("org/m", {"a": "C"}))
    lm_samples(tmp_path / "logs" / "org__m" / "samples_sums.jsonl", [(0, "none", 0.0)], "accuracy")
    found = lake_of(tmp_path / "logs", tmp_path / "lake")
    assert {name: scored(runs) for name, runs in found.items()} == {
        "logs-sums": [("a", 1, "org/m", 1, "ok")],
        "logs-sums#2": [("0", 1, "org/m", 0, "ok")],
    }


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


def test_a_header_of_a_log_has_all_its_columns() -> None:
    logs = (
        ["doc_id", "filtered_resps"],
        ["evaluation_id", "sample_id"],
        ["dataset", "version", "metric", "mode"],
    )
    for columns in logs:
        assert scenarios.EVALUATIONS.is_header([*columns, "x"])
        for name in columns:
            assert not scenarios.EVALUATIONS.is_header([each for each in columns if each != name])


def test_items_keep_their_names_where_a_data_set_has_several_settings() -> None:
    logs = [with_samples("1", ("x", 1, {}), settings={"data_set": (own,)}) for own in "ab"]
    told = scenarios._by_settings(logs, "data_set")  # noqa: SLF001
    assert [(log.data_set, log.samples[0].item) for log in told] == [("d (a)", "x"), ("d (b)", "x")]


def test_the_folder_where_one_stands_gives_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "logs" / "1.json", inspect_log("m", {"a": "C"}))
    monkeypatch.chdir(tmp_path / "logs")
    assert [*lake_of(Path(), tmp_path / "lake")] == ["logs"]
