# ruff: noqa: E501 - a case a line
"""Logs of lm-evaluation-harness, summaries of OpenCompass and reports of SWE-bench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations import lm_eval
from aslib_eval.extensions.evaluations.lm_eval import lm_eval_files, read_report
from aslib_eval.importer import import_scenarios
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import (
    STAMP,
    LogFacts,
    ask,
    codes,
    lake_of,
    lm_results,
    lm_samples,
    read,
    scored,
    written,
)


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
        ({"results": {"d": {}}}, []),
        ({"results": {"d": "failed"}}, []),
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
