"""Records of LLMRouterBench and RouterArena become scenarios, and predictions selections."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.extensions.routing.records import LLMROUTERBENCH
from aslib_eval.formats.registry import locate
from aslib_eval.importer import Imported
from aslib_eval.selections import import_selections, read_selection
from aslib_eval.selections.read_csv import SelectionStep
from tests.conftest import opened, rows

# index → score, tokens, cost
Records = Mapping[int, tuple[Any, int, int, Any]]
FIRST: Records = {1: (1.0, 10, 5, 0.001), 2: (0.0, 20, 6, 0.002)}
SECOND: Records = {1: (0.5, 11, 7, 0.01), 2: (1.0, 21, 8, None)}


def result(folder: Path, model: str, records: Records, stamp: str = "20250101_000000", **more: Any) -> Path:
    """A file as LLMRouterBench stores it."""
    facts = {"dataset_name": "gsm8k", "split": "test", "demo": False, **more}
    home = folder / facts["dataset_name"] / facts["split"] / model
    home.mkdir(parents=True, exist_ok=True)
    whole = {
        "performance": 0.5,
        "time_taken": 1.0,
        "cost": 0.1,
        "counts": 2,
        "model_name": model,
        **facts,
        "records": [
            {"index": at, "prompt": "p", "prompt_tokens": asked, "completion_tokens": said, "cost": cost}
            | {"score": score, "prediction": "x", "raw_output": "z"}
            for at, (score, asked, said, cost) in records.items()
        ],
    }
    file = home / f"{facts['dataset_name']}-{facts['split']}-{model}-{stamp}.json"
    file.write_text(json.dumps(whole, indent=2))
    return file


def brought(path: Path, lake: Path) -> Imported:
    (outcome,) = ae.import_scenarios([path], into=lake)
    return outcome


def errors(outcome: Imported) -> list[tuple[str, int | None, str]]:
    return [
        (Path(each.file).name, each.line, each.message)
        for each in outcome.findings
        if each.severity == "error"
    ]


WIDE = """select instance_id, algorithm, list(value order by measure_index) from raw_run
inner join raw_scenario using (measure) group by all order by all"""


def test_results_of_llmrouterbench(tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    result(folder, "a", {1: (0.0, 1, 1, 9.0)}, stamp="20240101_000000")  # an older one
    result(folder, "a", FIRST)
    result(folder, "b", SECOND)
    result(folder, "b", {1: (0.0, 1, 1, 9.0)}, stamp="20260101_000000", demo=True)
    result(folder, "a", {1: (1.0, 3, 2, 0.0)}, dataset_name="aime")
    result(folder, "b", {1: (1.0, 3, 2, 0.0)}, dataset_name="aime")
    outcome = brought(folder, tmp_path / "lake")
    others = "price [USD], input_tokens [token], output_tokens [token]"
    told = [each for each in outcome.findings if not each.code.startswith("log-")]
    assert [each.message for each in told] == [
        f"3 prompts of 2 data sets, 2 models; more score is better, less {others}"
    ]
    con = opened(tmp_path / "lake")
    assert rows(con, WIDE) == [
        ("aime/1", "a", [1.0, 0.0, 3.0, 2.0]),
        ("aime/1", "b", [1.0, 0.0, 3.0, 2.0]),
        ("gsm8k/1", "a", [1.0, 0.001, 10.0, 5.0]),
        ("gsm8k/1", "b", [0.5, 0.01, 11.0, 7.0]),
        ("gsm8k/2", "a", [0.0, 0.002, 20.0, 6.0]),
        ("gsm8k/2", "b", [1.0, None, 21.0, 8.0]),
    ]
    assert rows(con, "select distinct value from raw_attribute order by 1") == [("aime",), ("gsm8k",)]


def test_splits_are_data_sets_of_their_own(tmp_path: Path) -> None:
    for split in ("test", "train"):
        result(tmp_path / "bench", "a", {1: (1.0, 1, 1, 1.0)}, split=split)
    assert brought(tmp_path / "bench", tmp_path / "lake").error is None
    names = rows(opened(tmp_path / "lake"), "select distinct instance_id from raw_run order by 1")
    assert names == [("gsm8k/test/gsm8k/1",), ("gsm8k/train/gsm8k/1",)]


def test_a_model_that_lacks_a_score_or_a_prompt_is_an_error(tmp_path: Path) -> None:
    result(tmp_path / "bench", "a", FIRST)
    result(tmp_path / "bench", "b", {1: (None, 1, 1, 1.0), 2: SECOND[2]})
    for model in "cdef":
        result(tmp_path / "bench", model, {1: FIRST[1]})
    found = errors(brought(tmp_path / "bench", tmp_path / "lake"))
    assert [what for _, _, what in found] == [
        "b has no score on prompt 'gsm8k/1'",
        "prompt 'gsm8k/2' has no answer of 'c', 'd', 'e', 'f'",
    ]
    files = ["gsm8k-test-b-20250101_000000.json", "gsm8k-test-a-20250101_000000.json"]
    assert [file for file, _, _ in found] == files


def test_of_wrong_prices_and_missing_answers_five_are_listed(tmp_path: Path) -> None:
    result(tmp_path / "bench", "a", {n: (1.0, 1, 1, float("inf")) for n in range(7)})
    result(tmp_path / "bench", "b", {9: (1.0, 1, 1, 0.0)})
    found = [what for _, _, what in errors(brought(tmp_path / "bench", tmp_path / "lake"))]
    assert found == [
        *["a has the price inf"] * 5,
        "and 2 more like these",
        *(f"prompt 'gsm8k/{n}' has no answer of 'b'" for n in range(5)),
        "and 3 more like these",
    ]


def test_a_file_that_is_no_result_is_an_error(tmp_path: Path) -> None:
    result(tmp_path / "bench", "a", FIRST)
    whole = result(tmp_path / "bench", "b", FIRST)
    whole.write_text(whole.read_text()[:-3])
    found = errors(brought(tmp_path / "bench", tmp_path / "lake"))
    assert [what for _, _, what in found] == ["is no result of LLMRouterBench"]
    assert not (tmp_path / "lake" / "run").exists()
    whole.write_text(json.dumps({"dataset_name": "x", "model_name": "b", "records": [1, 2]}))
    found = errors(brought(tmp_path / "bench", tmp_path / "lake"))
    assert [what for _, _, what in found] == ["holds a record that is no object"]


def test_a_folder_and_a_text_are_no_results_whatever_their_names(tmp_path: Path) -> None:
    file = result(tmp_path / "bench", "a", FIRST)
    (tmp_path / "bench" / "a.json").mkdir()
    assert [found.format.name for found in locate(tmp_path / "bench")] == ["llmrouterbench"]
    text = file.rename(tmp_path / "a.txt")
    assert LLMROUTERBENCH.find(text) == []


# --- RouterArena ---------------------------------------------------------------------


def answer(index: str, model: str, score: Any, tokens: tuple[int, int] = (1000, 100)) -> str:
    usage = {"input_tokens": tokens[0], "output_tokens": tokens[1], "total_tokens": sum(tokens)}
    told = {"extracted_answer": "7", "score": score, "metric": "math_metric", "inference_cost": 9.0}
    facts = {"global_index": index, "question": "q", "llm_selected": model, "generated_answer": "7"}
    return json.dumps({**facts, "token_usage": usage, "success": True, "evaluation_result": told})


PRICES = {"a": {"input_token_price_per_million": 2.0, "output_token_price_per_million": 10.0}}
Arena = Callable[..., Path]


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A folder of cached results."""

    def make(prices: Any = None, **models: Sequence[str]) -> Path:
        folder = tmp_path / "cached_results"
        folder.mkdir()
        for name, lines in models.items():
            (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        if prices is not None:
            (folder / "cost.json").write_text(json.dumps(prices))
        return folder

    return make


def test_answers_of_routerarena(arena: Arena, tmp_path: Path) -> None:
    a = [answer("AIME_1", "a", 1.0), answer("MMLUPro_computer science_2", "a", 0.25, (500_000, 0))]
    b = [answer("AIME_1", "b", 0.0), answer("MMLUPro_computer science_2", "b", 1.0)]
    outcome = brought(arena(PRICES, a=a, b=b), tmp_path / "lake")
    told = [each for each in outcome.findings if each.severity == "warning"]
    assert [each.message for each in told] == ["b has no price in 2 of 2 runs"]
    con = opened(tmp_path / "lake")
    assert rows(con, WIDE) == [
        ("AIME_1", "a", [1.0, 0.003, 1000.0, 100.0]),
        ("AIME_1", "b", [0.0, None, 1000.0, 100.0]),
        ("MMLUPro_computer science_2", "a", [0.25, 1.0, 500_000.0, 0.0]),
        ("MMLUPro_computer science_2", "b", [1.0, None, 1000.0, 100.0]),
    ]
    families = rows(con, "select value from raw_attribute order by 1")
    assert families == [("AIME",), ("MMLUPro_computer science",)]


def test_prices_lie_beside_the_answers_or_in_a_folder_of_their_own(arena: Arena, tmp_path: Path) -> None:
    folder = arena(a=[answer("AIME_1", "a", 1.0)])
    (tmp_path / "model_cost").mkdir()
    (tmp_path / "model_cost" / "cost.json").write_text(json.dumps(PRICES))
    for path in (folder, folder / "a.jsonl"):
        lake = tmp_path / f"lake-{path.name}"
        brought(path, lake)
        assert rows(opened(lake), "select value from raw_run where measure = 'price'") == [(0.003,)]


def test_without_prices_the_folder_is_still_one_scenario(arena: Arena, tmp_path: Path) -> None:
    folder = arena(a=[answer("AIME_1", "a", 1.0)], b=[answer("AIME_1", "b", 0.5)])
    assert [found.format.name for found in locate(folder)] == ["routerarena"]
    brought(folder, tmp_path / "lake")
    assert rows(opened(tmp_path / "lake"), "select measure from raw_scenario order by measure_index") == [
        *(("score",), ("input_tokens",), ("output_tokens",))
    ]


def test_wrong_answers_have_their_line(arena: Arena, tmp_path: Path) -> None:
    folder = arena(a=[answer("A_1", "a", None), "", answer("A_1", "a", 1.0)], b=["[1]"])
    assert errors(brought(folder, tmp_path / "lake")) == [
        ("a.jsonl", 2, "is no JSON object"),
        ("b.jsonl", 1, "is no JSON object"),
    ]
    (folder / "b.jsonl").write_text(answer("A_1", "b", 1.0))
    (folder / "a.jsonl").write_text(answer("A_1", "a", None) + "\n" + answer("A_1", "a", 1.0))
    assert errors(brought(folder, tmp_path / "lake")) == [
        ("a.jsonl", 2, "a answers prompt 'A_1' a second time"),
        ("a.jsonl", 1, "a has no score on prompt 'A_1'"),
    ]


def test_predictions_of_a_router_are_choices(arena: Arena, tmp_path: Path) -> None:
    models = {m: [answer("A_1", m, 1.0), answer("A_2", m, 0.0)] for m in "ab"}
    brought(arena(**models), tmp_path / "lake")
    entries = [
        {"global index": "A_1", "prompt": "p", "prediction": "b", "cost": None},
        {"global_index": "A_2", "prompt": "p", "prediction": "a", "cost": 0.1},
    ]
    file = tmp_path / "my-router.json"
    file.write_text(json.dumps(entries))
    (outcome,) = import_selections(file, lake=tmp_path / "lake", scenario="cached_results")
    assert (outcome.selectors, outcome.findings) == (("my-router",), ())
    chosen = rows(
        opened(tmp_path / "lake"), "select instance_id, action, name from raw_selection order by 1"
    )
    assert chosen == [("A_1", "algorithm", "b"), ("A_2", "algorithm", "a")]
    steps = [row.steps for row in read_selection(file.read_bytes(), file="r.json").rows]
    assert steps == [(SelectionStep("b", paired=True),), (SelectionStep("a", paired=True),)]


def test_wrong_predictions_are_refused() -> None:
    text = json.dumps([{"global index": 7, "prediction": "a"}, {"global index": "A_1"}, 5])
    found = read_selection(text.encode(), file="r.json")
    assert (found.rows, [each.message for each in found.findings]) == (
        (),
        [f"entry {n} lacks its global index or its prediction" for n in (1, 2, 3)],
    )
    found = read_selection(b'[{"prediction": "a"', file="r.json")
    assert found.findings[0].message.startswith("is no JSON")
