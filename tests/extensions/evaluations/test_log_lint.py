"""What would mislead a ranking by score or price, in runs of any origin and in logs with their answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from aslib_eval.errors import Finding
from aslib_eval.extensions.evaluations.logs import Sample
from aslib_eval.extensions.evaluations.scenarios import content_findings
from aslib_eval.formats.prices import run_findings
from aslib_eval.formats.sources import table
from aslib_eval.importer import import_scenarios
from aslib_eval.linter import check_paths
from tests.extensions.evaluations.logs_of_harnesses import eee_sample, helm_run, inspect_log, written

SCORES = [0.0, 1.0, 1.0, 0.0, 1.0]


def runs_of(**measures: Sequence[float | None]) -> pa.Table:
    """Runs of one solver, an instance for each value."""
    rows = [
        {"instance_id": f"i{at}", "repetition": 1, "algorithm": "m", "measure": measure, "value": value,
         "runstatus": "crash" if value is None else "ok"}
        for measure, values in measures.items()
        for at, value in enumerate(values)
    ]  # fmt: skip
    return table("run", rows)


def told(**measures: Sequence[float | None]) -> dict[str, str]:
    found = run_findings(runs_of(**measures), "accuracy", file="S")
    return {each.code: each.message for each in found}


INPUT, OUTPUT = [10, 20, 30, 40, 50], [7, 3, 9, 4, 1]
FAIR = [2e-6 * i + 8e-6 * o for i, o in zip(INPUT, OUTPUT, strict=True)]


def test_prices_of_tokens_at_one_rate_need_no_word() -> None:
    assert told(accuracy=SCORES, price=FAIR, input_tokens=INPUT, output_tokens=OUTPUT) == {}
    assert (
        told(accuracy=SCORES, price=[p + 1e-4 for p in FAIR], input_tokens=INPUT, output_tokens=OUTPUT)
        == {}
    )
    assert told(accuracy=SCORES, price=FAIR) == {}


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        ({"input_tokens": [8] * 5}, {"log-tokens": "all 5 runs of m have 8 input tokens"}),
        ({"output_tokens": [8] * 5}, {"log-tokens": "all 5 runs of m have 8 output tokens"}),
        ({"output_tokens": [8, 8, 8, 8, 9]}, {}),
        ({"output_tokens": [8] * 4 + [None]}, {"log-price": "m has no output tokens in 1 of 5 runs"}),
        ({"output_tokens": [1] * 5}, {}),  # the letter of a choice
        ({"price": [1, 2, None, 3, 4]}, {"log-price": "m has no price in 1 of 5 runs"}),
        ({"price": [1, 0, 2, -1, 4]}, {"log-price": "m has a price of 0 or below in 2 of 5 runs"}),
        (  # what is free does not say what tokens cost
            {"price": [*FAIR, *[0] * 5], "input_tokens": INPUT * 2, "output_tokens": OUTPUT * 2},
            {"log-price": "m has a price of 0 or below in 5 of 10 runs"},
        ),
        (
            {"price": [5, 1, 9, 2, 7], "input_tokens": [10, 20, 30, 40, 50]},
            {"log-price": "prices of m do not follow from input_tokens, each at a fixed rate"},
        ),
        ({"price": [5, 1, 9, 2], "input_tokens": [10, 20, 30, 40]}, {}),  # too few to tell
        (
            {"price": [10, 20, 36, 46, 50], "input_tokens": [10, 20, 30, 40, 50]},
            {"log-price": "prices of m do not follow from input_tokens, each at a fixed rate"},
        ),
        ({"price": [10, 20, 31, 40, 50], "input_tokens": [10, 20, 30, 40, 50]}, {}),
        ({"accuracy": [0.5] * 5}, {"log-scores": "every score is 0.5"}),
        ({"accuracy": [0.5] * 4}, {}),
        ({"accuracy": [0.5] * 5 + [None]}, {"log-scores": "every score is 0.5"}),
    ],
)
def test_a_word_on_what_misleads(
    measures: dict[str, list[float | None]], expected: Mapping[str, str]
) -> None:
    assert told(**{"accuracy": SCORES, **measures}) == expected


def test_a_price_that_few_runs_do_not_explain_needs_no_word() -> None:
    prices = [*(FAIR * 20)[:99], 2 * FAIR[4]]
    found = told(accuracy=SCORES, price=prices, input_tokens=INPUT * 20, output_tokens=OUTPUT * 20)
    assert found == {}


def sample(prompt: str, answer: str, **values: float) -> Sample:
    return Sample("", 1, values, "", prompt, answer)


def content_of(rows: Sequence[tuple[str, str, Sample]], *, more: bool = True) -> list[Finding]:
    return [*content_findings(rows, "accuracy", more=more, file="S")]


def test_prompts_that_occur_twice_are_counted_once_for_all_solvers() -> None:
    rows = [(solver, f"i{at}", sample(p, "")) for solver in "mn" for at, p in enumerate("ppqrr")]
    (found,) = content_of(rows)
    assert (found.code, found.message) == (
        "log-prompts", "2 instances with the prompt of another one, such as i0 and i1",
    )  # fmt: skip


def test_an_example_is_of_two_instances() -> None:
    (found,) = content_of([("m", i, sample("p", "")) for i in "cab"])
    assert found.message == "2 instances with the prompt of another one, such as a and b"


def test_a_prompt_that_occurs_once_is_no_example() -> None:
    (found,) = content_of([("m", i, sample(p, "")) for i, p in zip("abc", "pqq", strict=True)])
    assert found.message == "1 instance with the prompt of another one, such as b and c"


@pytest.mark.parametrize(
    ("prompts", "answers", "expected"),
    [
        ("abcde", "xxxyz", "m gives the same answer to 3 of 5 different prompts"),
        ("abcdef", "xxxyzz", None),
        ("abcd", "xxxx", None),
        ("abcdef", "xxxx", None),  # no answers of the others: four are too few
        ("abcde", "vwxyz", None),
    ],
)
def test_one_answer_to_different_prompts(prompts: str, answers: str, expected: str | None) -> None:
    rows = [("m", p, sample(p, a)) for p, a in zip(prompts, answers.ljust(len(prompts)), strict=True)]
    rows = [(solver, item, each._replace(answer=each.answer.strip())) for solver, item, each in rows]
    assert [each.message for each in content_of(rows)] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("scores", "more", "is_told"),
    [
        *(([0, 0, 0, 1], True, True), ([0, 0, 1, 1], True, False)),
        *(([0, 0, 1, 0], False, False), ([1, 1, 1, 0], False, True)),
    ],
)
def test_an_answer_that_is_sometimes_right_is_a_choice(
    scores: list[float], *, more: bool, is_told: bool
) -> None:
    answers = [*"BBBBBA"]
    of = [*scores[:1] * 2, *scores]
    rows = [("m", p, sample(p, a, accuracy=v)) for p, a, v in zip("abcdef", answers, of, strict=True)]
    rows.append(("n", "a", sample("a", "C", accuracy=1)))
    assert bool(content_of(rows, more=more)) is is_told


def test_a_log_says_once_what_misleads_when_it_is_checked_and_imported(tmp_path: Path) -> None:
    usage = {"m": {"input_tokens": 8, "output_tokens": 2, "total_cost": 0.0}}
    answered = {"model_usage": usage, "output": {"completion": "42"}, "scores": {"match": {"value": "C"}}}
    path = written(tmp_path / "log.json", inspect_log("m", dict.fromkeys("abcde", answered)))
    expected = ["log-answers", "log-price", "log-scores", "log-stated", "log-tokens", "log-tokens"]
    for found in (check_paths(path), import_scenarios([path], into=tmp_path / "lake")[0].findings):
        assert sorted(each.code for each in found if each.severity == "warning") == expected


def test_prices_of_other_formats_are_looked_at_too(tmp_path: Path) -> None:
    path = tmp_path / "priced.csv"
    path.write_text("instance,a,a|price,b,b|price\ni,0.5,0,0.4,1\nj,0.7,0.1,0.9,2\n")
    (done,) = import_scenarios([path], into=tmp_path / "lake", cells="accuracy")
    for found in (check_paths(path, cells="accuracy"), done.findings):
        assert [each.message for each in found if each.code.startswith("log-")] == [
            "a has a price of 0 or below in 1 of 2 runs"
        ]


def test_equal_scores_of_tables_without_prices_are_not_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,a,b\ni,0.5,0.5\nj,0.5,0.5\nk,0.5,0.5\n")
    assert not any(each.code == "log-scores" for each in check_paths(path, cells="accuracy"))


def test_equal_prompts_of_a_log_are_told(tmp_path: Path) -> None:
    log = inspect_log("m", {"a": "C", "b": "I"})
    for each in log["samples"]:
        each["input"] = [{"role": "user", "content": "What?"}]
    codes = [each.code for each in check_paths(written(tmp_path / "log.json", json.loads(json.dumps(log))))]
    assert "log-prompts" in codes


def helm_log(folder: Path) -> Path:
    requests = [{"prompt": "0"}, {"prompt": "0"}, *({"messages": [{"content": at}]} for at in range(4))]
    states = [
        {"instance": {"id": f"{at}"}, "request": request,
         "result": {"success": True, "completions": [{"text": "yes", "tokens": [{"text": f"{at}"}]}]}}
        for at, request in enumerate(requests)
    ]  # fmt: skip
    scores = {f"{at}": 0.0 for at in range(6)}
    return helm_run(folder, "m", scores, scenario_state={"request_states": states})


def lm_log(folder: Path) -> Path:
    asked = [{"prompt_hash": "x", "arguments": 1}, {"prompt_hash": "x", "arguments": 2}]
    rows = [
        {"doc_id": at, "resps": ["yes"], "filtered_resps": ["yes"], "exact_match": 0.0, **each}
        for at, each in enumerate([*asked, *({"arguments": {"a": at}} for at in range(4))])
    ]
    path = folder / "samples_gsm.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def every_eval_ever_log(folder: Path) -> Path:
    asked = [
        {"formatted": "0", "raw": "a"},
        {"formatted": "0", "raw": "b"},
        *({"raw": at} for at in "1234"),
    ]
    path = folder / "r_samples.jsonl"
    path.parent.mkdir()
    told = [{"output": {"raw": "yes"}}] * 3 + [{"output": None, "messages": "yes"}] * 3
    rows = [
        eee_sample(f"{at}", 0.0, input=each, **answer)
        for at, (each, answer) in enumerate(zip(asked, told, strict=True))
    ]
    path.write_text("".join(rows))
    return path


@pytest.mark.parametrize("log", [helm_log, lm_log, every_eval_ever_log])
def test_prompts_and_answers_are_found_where_the_harness_has_them(
    tmp_path: Path, log: Callable[[Path], Path]
) -> None:
    found = [each.message for each in check_paths(log(tmp_path / "org__m")) if each.severity == "warning"]
    assert [each.partition(" gives ")[2] for each in found if "prompt" in each] == [
        "", "the same answer to 5 of 5 different prompts",
    ]  # fmt: skip


def test_what_the_log_did_not_count_has_no_mean() -> None:
    found = run_findings(
        runs_of(accuracy=SCORES, input_tokens=[0] * 5, price=[None] * 5), "accuracy", file="S"
    )
    assert [(each.code, each.hint) for each in found] == [
        ("log-price", "Its mean is not known."),
        ("log-tokens", "The log probably did not count them."),
    ]


def test_equal_scores_of_a_log_without_prices_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "log.json", inspect_log("m", dict.fromkeys("abcde", "C")))
    assert [each.message for each in check_paths(path) if each.code == "log-scores"] == ["every score is 1"]
