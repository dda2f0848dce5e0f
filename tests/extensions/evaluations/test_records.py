"""Answers of LLMRouterBench, RouterArena and promptfoo become scenarios, and predictions selections."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.logs import Sample, digest
from aslib_eval.extensions.evaluations.records import read_predictions, read_records, record_files
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
    others = "'price', 'input_tokens', 'output_tokens'"
    assert [each.message for each in outcome.findings if each.code == "log-understood"] == [
        "llmrouterbench: 2 models ('a', 'b') on 3 instances of 2 data sets ('aime', 'gsm8k')",
        f"the primary measure is score, the score of a record: more is better; further measures: {others}",
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


def test_what_is_kept_of_a_record() -> None:
    record = {"index": 3, "score": 0.5, "cost": 0.25, "prompt_tokens": 4, "completion_tokens": 5}
    whole = {"model_name": "m", "dataset_name": "d", "split": "test"}
    texts = {"prompt": "p", "raw_output": "z"}
    whole["records"] = [{**record, **texts}, {"index": 4, "prompt": "p"}]
    (log,) = read_records({Path("r.json"): json.dumps(whole).encode()})
    values = {"score": 0.5, "price": 0.25, "input_tokens": 4, "output_tokens": 5}
    assert log.samples == [
        Sample("d/3", 1, values, "", digest("p"), digest("z")),
        Sample("d/4", 1, {}, "crash", digest("p"), ""),
    ]
    assert (log.harness, log.file, log.model, log.data_set) == ("llmrouterbench", "r.json", "m", "d")


def test_splits_are_data_sets_of_their_own(tmp_path: Path) -> None:
    for split in ("test", "train"):
        result(tmp_path / "bench", "a", {1: (1.0, 1, 1, 1.0)}, split=split)
    assert brought(tmp_path / "bench", tmp_path / "lake").error is None
    names = rows(opened(tmp_path / "lake"), "select distinct instance_id from raw_run order by 1")
    assert names == [("gsm8k/1",), ("gsm8k/train/1",)]


def test_a_record_without_a_score_is_a_failed_run_and_what_a_model_lacks_is_left_out(
    tmp_path: Path,
) -> None:
    result(tmp_path / "bench", "a", FIRST)
    result(tmp_path / "bench", "b", {1: (None, 1, 1, float("inf"))})
    outcome = brought(tmp_path / "bench", tmp_path / "lake")
    assert "gsm8k: skipped 1 sample that some of 2 models lack" in [f.message for f in outcome.findings]
    sql = (
        "select instance_id, algorithm, value, runstatus from raw_run where measure = 'score' order by all"
    )
    assert rows(opened(tmp_path / "lake"), sql) == [
        ("gsm8k/1", "a", 1.0, "ok"), ("gsm8k/1", "b", None, "crash"),
    ]  # fmt: skip


def test_a_file_that_is_no_result_is_an_error(tmp_path: Path) -> None:
    result(tmp_path / "bench", "a", FIRST)
    whole = result(tmp_path / "bench", "b", FIRST)
    whole.write_text(whole.read_text()[:-3])
    done = ae.import_scenarios([tmp_path / "bench"], into=tmp_path / "lake")
    assert [each.status for each in done] == ["imported", "failed"]
    assert "gsm8k-test-b-20250101_000000.json: is no JSON" in str(done[1].error)


# --- RouterArena ---------------------------------------------------------------------


def answer(index: str, model: str, score: Any, tokens: tuple[int, int] = (1000, 100)) -> str:
    usage = {"input_tokens": tokens[0], "output_tokens": tokens[1], "total_tokens": sum(tokens)}
    told = {"extracted_answer": "7", "score": score, "metric": "math_metric", "inference_cost": 9.0}
    facts = {"global_index": index, "question": index, "llm_selected": model, "generated_answer": "7"}
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


def test_what_is_kept_of_an_answer(tmp_path: Path) -> None:
    lines = f"{answer('A_1', 'a', 1.0)}\n{answer('x', 'b', None)}\n"
    contents = {Path("cost.json"): json.dumps(PRICES), tmp_path / "r.jsonl": lines}
    one, other = read_records({path: text.encode() for path, text in contents.items()})
    tokens = {"input_tokens": 1000, "output_tokens": 100}
    values = {"score": 1.0, "price": 0.003, **tokens}
    assert one.samples == [Sample("A_1", 1, values, "", digest("A_1"), digest("7"))]
    assert (one.harness, one.model, one.data_set, one.metrics) == ("routerarena", "a", "A", {"score": True})
    assert other.samples == [Sample("x", 1, tokens, "crash", digest("x"), digest("7"))]
    assert (other.model, other.data_set) == ("b", tmp_path.name)  # its index names no data set


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
    brought(folder, tmp_path / "lake")
    assert rows(opened(tmp_path / "lake"), "select measure from raw_scenario order by measure_index") == [
        *(("score",), ("input_tokens",), ("output_tokens",))
    ]


@pytest.mark.parametrize("line", ["[1]", "{"])
def test_wrong_answers_have_their_line(arena: Arena, tmp_path: Path, line: str) -> None:
    folder = arena(a=[answer("A_1", "a", 1.0), "", line])
    with pytest.raises(AslibError, match=r"a.jsonl:3: is no "):
        raise brought(folder, tmp_path / "lake").error or AssertionError


def test_a_prompt_that_is_answered_twice_is_an_error(arena: Arena, tmp_path: Path) -> None:
    folder = arena(a=[answer("A_1", "a", None), answer("A_1", "a", 1.0)])
    assert errors(brought(folder, tmp_path / "lake")) == [
        ("a.jsonl", None, "sample A_1 occurs 2 times as repetition 1")
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
    with pytest.raises(AslibError, match=r"r.json: is no JSON"):
        read_selection(b'[{"prediction": "a"', file="r.json")


# --- promptfoo -----------------------------------------------------------------------


def promptfoo(path: Path, *results: Mapping[str, Any]) -> Path:
    """What promptfoo writes."""
    usage = {"prompt": 20, "completion": 3, "total": 23}
    whole = [
        {"provider": {"id": "openai:m", "label": ""}, "promptIdx": 0, "testIdx": 0, "vars": {"q": "1 + 1"},
         "prompt": {"raw": "Say 1 + 1", "label": "Say {{q}}"}, "success": True, "score": 1, "cost": 0.5,
         "latencyMs": 1500, "response": {"output": "2", "tokenUsage": usage}, "failureReason": 0, **each}
        for each in results
    ]  # fmt: skip
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [], "results": whole}}))
    return path


def test_results_of_promptfoo(tmp_path: Path) -> None:
    wrong = {"testIdx": 1, "success": False, "score": 0.25, "failureReason": 1}
    error = {"success": False, "score": 0, "failureReason": 2, "response": {}, "cost": None}
    other = {"provider": {"id": "x", "label": "n"}}
    path = promptfoo(tmp_path / "out.json", {}, wrong, other, {**other, "testIdx": 1, **error})
    brought(path, tmp_path / "lake")
    assert rows(opened(tmp_path / "lake"), WIDE) == [
        ("0", "n", [1.0, 1.0, 0.5, 1.5, 20.0, 3.0]),
        ("0", "openai:m", [1.0, 1.0, 0.5, 1.5, 20.0, 3.0]),
        ("1", "n", [None, None, None, 1.5, None, None]),
        ("1", "openai:m", [0.0, 0.25, 0.5, 1.5, 20.0, 3.0]),
    ]


def test_what_is_kept_of_a_result(tmp_path: Path) -> None:
    bare = {"provider": "b", "testIdx": None, "promptIdx": None}
    path = promptfoo(tmp_path / "out.json", {}, {**bare, "failureReason": 2, "latencyMs": None})
    one, other = read_records({path: path.read_bytes()})
    more = {"price": 0.5, "input_tokens": 20, "output_tokens": 3}
    values = {"passed": 1.0, "score": 1.0, **more, "latency": 1.5}
    assert one.samples == [Sample("0", 1, values, "", digest("Say 1 + 1"), digest("2"))]
    assert (one.harness, one.model, one.data_set, one.family) == ("promptfoo", "openai:m", "out", "out")
    assert (one.metrics, one.settings) == ({"passed": True, "score": True}, {"model": ("prompt=0",)})
    name = digest({"q": "1 + 1"})[:12]
    assert other.samples == [Sample(name, 1, more, "crash", digest("Say 1 + 1"), digest("2"))]
    assert (other.model, other.settings) == ("b", {"model": ("prompt=Say {{q}}",)})


def test_prompts_of_one_provider_are_systems(tmp_path: Path) -> None:
    path = promptfoo(tmp_path / "out.json", {}, {"promptIdx": 1, "success": False})
    brought(path, tmp_path / "lake")
    sql = "select algorithm, value from raw_run where measure = 'passed' order by all"
    names = ["openai:m (prompt=0)", "openai:m (prompt=1)"]
    assert rows(opened(tmp_path / "lake"), sql) == [(names[0], 1.0), (names[1], 0.0)]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("r.json", '"dataset_name" "model_name" "records"'),
        ("r.jsonl", '"global_index" "llm_selected" "token_usage"'),
        ("r.json", '"results" "provider" "vars" "latencyMs"'),
    ],
)
def test_a_file_has_all_the_keys_of_its_kind(tmp_path: Path, name: str, head: str) -> None:
    path = tmp_path / name
    path.write_text("")
    assert [*record_files(path, head.encode())] == [path]
    for key in head.split():
        assert [*record_files(path, head.replace(key, "").encode())] == []
    assert [*record_files(path.with_suffix(".txt"), head.encode())] == []


def test_files_of_one_name_are_together_and_others_are_not(tmp_path: Path) -> None:
    names = [
        "d-test-a-20240101_000000.json",
        "d-test-a-20250101_000000.json",
        "d-test-b-20250101_000000.json",
    ]
    for name in (*names, "d-test-a.json"):
        (tmp_path / name).write_text("{}")
    head = b'"dataset_name" "model_name" "records"'
    assert [each.name for each in record_files(tmp_path / names[0], head)] == names[:2]


@pytest.mark.parametrize(
    ("text", "n"), [('{"prediction": 1}', None), ('[{"x": 1}]', None), (' [{"prediction": "a"}]', 0)]
)
def test_predictions_are_a_list(text: str, n: int | None) -> None:
    found = read_predictions(text.encode(), "r.json")
    assert (None if found is None else len(found.rows)) == n
