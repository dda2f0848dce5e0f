"""Real logs of evaluation harnesses against the scores that they state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aslib_eval.extensions.evaluations.helm import helm_files
from aslib_eval.linter import check_paths
from tests.conftest import ROOT
from tests.extensions.evaluations.logs_of_harnesses import ask, lake_of

REAL = ROOT.parent / "shared" / "routing" / "every_eval_ever"


real = pytest.mark.skipif(not REAL.is_dir(), reason="../shared/routing is not there")


PRIMARY = "measure in (select measure from raw_scenario where measure_index = 1)"


def means(path: Path, into: Path) -> dict[str, tuple[str, float, int]]:
    """Scenario → its primary measure, the mean of that over runs that did not fail, and their number."""
    names = [*lake_of(path, into)]
    sql = f"select any_value(measure), avg(value), count(value) from raw_run where {PRIMARY}"
    return {name: ask(into, sql, name)[0] for name in names}


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
