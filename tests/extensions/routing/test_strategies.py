"""Tables of RouterBench-mini: runs of models, and what strategies choose among them."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.selections import import_selections, read_selection
from tests.conftest import opened, rows

HEADER = (
    "canonical_id,dataset,strategy,selected_role,selected_model,correct,cost,latency_ms,strong_used,"
    "strong_calls,cheap_calls,prompt_tokens,completion_tokens,answer"
)
# canonical_id, dataset, strategy, model, correct, cost, latency, strong calls, cheap calls
Line = tuple[str, str, str, str, int, float, float, int, int]
RUNS: list[Line] = [
    ("q1", "gsm8k", "always_cheap", "small", 0, 0.001, 100, 0, 1),
    ("q2", "bbh", "always_cheap", "small", 1, 0.002, 200, 0, 1),
    ("q1", "gsm8k", "always_strong", "large", 1, 0.01, 1500, 1, 0),
    ("q2", "bbh", "always_strong", "large", 0, 0.02, 2500, 1, 0),
]
CASCADE: list[Line] = [
    ("q1", "gsm8k", "cascade", "large", 1, 0.011, 1600, 1, 1),
    ("q2", "bbh", "cascade", "small", 1, 0.002, 200, 0, 1),
]
REVIEW: list[Line] = [
    ("q1", "gsm8k", "review", "large", 0, 0.0125, 1700, 1, 1),
    ("q2", "bbh", "review", "small", 1, 0.002, 200, 0, 1),
]


def table(folder: Path, lines: list[Line]) -> Path:
    folder.mkdir(exist_ok=True)
    cells = [
        f"{i},{d},{s},role,{m},{ok},{cost},{ms},{up},{up},{down},10,5,x"
        for i, d, s, m, ok, cost, ms, up, down in lines
    ]
    (folder / "test_predictions.csv").write_text("\n".join((HEADER, *cells)) + "\n")
    return folder


def brought(folder: Path, lake: Path) -> list[str]:
    """Import the runs and the strategies of a table; what was said of the latter."""
    (done,) = ae.import_scenarios([folder], into=lake)
    assert done.error is None
    file = folder / "test_predictions.csv"
    (outcome,) = import_selections(file, lake=lake, scenario=folder.name)
    assert outcome.error is None
    return [f"{each.line}: {each.message}" for each in outcome.findings]


def test_rows_of_one_call_are_the_runs(tmp_path: Path) -> None:
    table(tmp_path / "mini", [*RUNS, *REVIEW])
    brought(tmp_path / "mini", tmp_path / "lake")
    con = opened(tmp_path / "lake")
    wide = """select instance_id, algorithm, list(value order by measure_index) from raw_run
    inner join raw_scenario using (measure) group by all order by all"""
    assert rows(con, wide) == [
        ("q1", "large", [1.0, 0.01, 1.5, 10.0, 5.0]),
        ("q1", "small", [0.0, 0.001, 0.1, 10.0, 5.0]),
        ("q2", "large", [0.0, 0.02, 2.5, 10.0, 5.0]),
        ("q2", "small", [1.0, 0.002, 0.2, 10.0, 5.0]),
    ]
    assert rows(con, "select measure, maximize, unit from raw_scenario order by measure_index") == [
        ("correct", True, None),
        ("price", False, "USD"),
        ("latency", False, "s"),
        ("input_tokens", False, "token"),
        ("output_tokens", False, "token"),
    ]
    assert rows(con, "select instance_id, value from raw_attribute order by 1") == [
        ("q1", "gsm8k"),
        ("q2", "bbh"),
    ]


def test_a_cascade_whose_price_adds_up_asks_the_cheap_model_first(tmp_path: Path) -> None:
    table(tmp_path / "mini", [*RUNS, *CASCADE])
    assert brought(tmp_path / "mini", tmp_path / "lake") == []
    con = ae.connect(tmp_path / "lake")
    steps = "select instance_id, action, name from raw_selection where selector = 'cascade'"
    assert rows(con, f"{steps} order by instance_id, position") == [
        ("q1", "asked", "small"),
        ("q1", "algorithm", "large"),
        ("q2", "algorithm", "small"),
    ]
    costs = rows(con, "select solver, cost from solver_score where kind = 'selector' order by 1")
    assert costs == [("always_cheap", -0.5), ("always_strong", -0.5), ("cascade", -1.0)]


@pytest.mark.parametrize(
    ("correct", "cost"), [(0, 0.011), (1, 0.0125)], ids=["another answer", "another price"]
)
def test_what_no_run_gives_was_run_outside(tmp_path: Path, correct: int, cost: float) -> None:
    review = [("q1", "gsm8k", "review", "large", correct, cost, 1700.0, 1, 1), REVIEW[1]]
    table(tmp_path / "mini", [*RUNS, *review])
    assert brought(tmp_path / "mini", tmp_path / "lake") == [
        "6: review differs on 1 of 2 prompts from every run of its models"
    ]
    con = opened(tmp_path / "lake")
    said = "select selector, instance_id, time, runstatus, objective, price from raw_outcome order by 2"
    assert rows(con, said) == [
        ("review", "q1", 1.7, "ok", correct, cost),
        ("review", "q2", 0.2, "ok", 1.0, 0.002),
    ]
    assert rows(con, "select count(*) from raw_selection where selector = 'review'") == [(0,)]


def test_what_a_cascade_costs_is_not_known_without_the_price_of_each_run(tmp_path: Path) -> None:
    folder = table(tmp_path / "mini", [*RUNS, *CASCADE])
    file = folder / "test_predictions.csv"
    text = file.read_text()
    (asked, last), (only,) = (row.steps for row in read_selection(text.encode(), file="t.csv").rows[4:])
    assert (asked.paired, last.paired, only.paired) == (True, True, True)
    for cost in ("0.001", "0.01", "0.011"):
        priced = text.replace(f",{cost},", ",,")
        (note,) = read_selection(priced.encode(), file="t.csv").findings
        assert (note.code, note.line) == ("run-outside", 6)


def test_a_row_says_whether_it_is_correct_and_its_calls_and_needs_no_other_column() -> None:
    header = (
        "canonical_id,dataset,strategy,selected_model,correct,cost,latency_ms,strong_calls,cheap_calls,"
        "prompt_tokens,completion_tokens\n"
    )
    for cells, wrong in (("1,1,1,0,1", 0), (",1,1,0,1", 1), ("1,1,1,,1", 1), ("1,1,1,0,", 1)):
        found = read_selection(f"{header}q,d,s,m,{cells},1,1\n".encode(), file="t.csv")
        assert (len(found.rows), len(found.findings) > 0) == (1 - wrong, bool(wrong)), cells


@pytest.mark.parametrize(("cost", "said"), [(0.0110000009, 0), (0.0110000011, 1)])
def test_prices_are_rounded_to_ten_decimals(tmp_path: Path, cost: float, said: int) -> None:
    row = ("q1", "gsm8k", "cascade", "large", 1, cost, 1600, 1, 1)
    content = (table(tmp_path / "mini", [*RUNS, row]) / "test_predictions.csv").read_bytes()
    for text in (content, b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")):
        found = read_selection(text, file="t.csv")
        assert (len(found.rows), len(found.findings)) == (5, said)


@pytest.mark.parametrize("left_out", [0, 2])
def test_a_cascade_of_a_model_without_a_run_was_run_outside(tmp_path: Path, left_out: int) -> None:
    lines = [*RUNS[:left_out], *RUNS[left_out + 1 :], CASCADE[0]]
    content = (table(tmp_path / "mini", lines) / "test_predictions.csv").read_bytes()
    (note,) = read_selection(content, file="t.csv").findings
    assert (note.code, note.line) == ("run-outside", 5)


def test_a_model_that_is_asked_twice_is_no_cascade(tmp_path: Path) -> None:
    table(tmp_path / "mini", [*RUNS, (*CASCADE[0][:-1], 2), CASCADE[1]])
    assert brought(tmp_path / "mini", tmp_path / "lake") == [
        "6: cascade differs on 1 of 2 prompts from every run of its models"
    ]


def test_one_strategy_is_picked_by_its_name(tmp_path: Path) -> None:
    folder = table(tmp_path / "mini", [*RUNS, *CASCADE])
    ae.import_scenarios([folder], into=tmp_path / "lake")
    file = folder / "test_predictions.csv"
    (outcome,) = import_selections(file, lake=tmp_path / "lake", scenario="mini", name="cascade")
    assert outcome.selectors == ("cascade",)


def test_rows_that_contradict_a_run_are_an_error(tmp_path: Path) -> None:
    other = [("q1", "gsm8k", "router", "small", 1, 0.001, 100.0, 0, 1)]
    folder = table(tmp_path / "mini", [*RUNS, *other])
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    what = "small gives 'q1' another answer or price than in line 2"
    assert [(each.line, each.message) for each in done.findings] == [(6, what)]
    folder = table(tmp_path / "mini", [*RUNS, ("q1", "gsm8k", "router", "small", 0, 0.001, 100.0, 0, 0)])
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert [(each.line, each.message) for each in done.findings] == [(6, "the row has no call")]


def test_a_prompt_that_not_every_model_answers_is_refused(tmp_path: Path) -> None:
    more = [(name, *row[1:]) for name in ("q3", "q4") for row in RUNS[:1]]
    table(tmp_path / "mini", [*RUNS[:3], *more, ("q4", "gsm8k", "always_mid", "mid", 1, 0.1, 1, 1, 0)])
    (outcome,) = ae.import_scenarios([tmp_path / "mini"], into=tmp_path / "lake")
    assert [(each.line, each.message) for each in outcome.findings] == [
        (2, "prompt 'q1' has no answer of 'mid'"),
        (3, "prompt 'q2' has no answer of 'large', 'mid'"),
        (5, "prompt 'q3' has no answer of 'large', 'mid'"),
        (6, "prompt 'q4' has no answer of 'large'"),
    ]
    told = "Add the answers, or import only models, or data sets, that are complete."
    assert {each.hint for each in outcome.findings} == {told}


def test_prompts_of_no_data_set_have_no_family(tmp_path: Path) -> None:
    table(tmp_path / "mini", [(name, "", *more) for name, _, *more in RUNS])
    assert brought(tmp_path / "mini", tmp_path / "lake") == []
    con = opened(tmp_path / "lake")
    assert rows(con, "select distinct instance_id from raw_run order by 1") == [("q1",), ("q2",)]
    assert rows(con, "select * from raw_attribute") == []
