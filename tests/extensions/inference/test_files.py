"""UAI files: what they mean, and the line on which they are wrong."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import Finding
from aslib_eval.extensions.inference.contest import (
    InferenceQuery,
    SolverAnswer,
    parse_answer,
    parse_evidence,
    parse_query,
    parse_test_points,
)
from aslib_eval.extensions.inference.networks import FormatError, network, parse_model
from aslib_eval.extensions.inference.uai import features
from tests.metrics.test_runs import laws

MODEL = "MARKOV\n3\n2 2 3\n2\n2 0 1\n2 1 2\n\n4\n .1 .9\n .8 .2\n\n6\n1 2 3 4 5 6\n"
CARDS = (2, 2, 3)


def said(findings: list[Finding]) -> list[str]:
    return [f"{f.severity} {f}" for f in findings]


# --- the reference values ------------------------------------------------------------


def as_parsed(answer: SolverAnswer) -> dict[str, Any]:
    """An answer in the words of the reference."""
    each = [{str(v): x for v, x in a.items()} for a in answer.assignments]
    forms: dict[str, dict[str, Any]] = {
        "PR": {"last": answer.log10_z},
        "MAR": {"marginals": [p.tolist() for p in answer.marginals]},
        "MAP": {"assignment": [*each[0].values()] if each else []},
        "MMAP": {"assignment": each[0] if each else {}},
        "MLC": {"assignments": each},
    }
    return forms[answer.task]


def test_parse_examples(shared: Path) -> None:
    uai = json.loads((shared / "reference" / "uai.json").read_text())
    examples = uai["formats"]["parse_examples"]
    assert len(examples) == 8
    for example in examples:
        expected = example["parsed"]
        if "evid" in example:
            found, _ = parse_evidence(example["evid"].encode(), file="e")
            assert {str(v): x for v, x in (found or {}).items()} == expected
        elif "query" in example:
            query, _ = parse_query(example["query"].encode(), file="q")
            assert query == tuple(expected)
        else:
            answer = parse_answer(example["text"].encode(), file="a")
            assert answer.task == expected.pop("task").replace("MPE", "MAP")
            expected.pop("solutions", None)
            assert as_parsed(answer) == expected


# --- networks ------------------------------------------------------------------------


def test_a_model() -> None:
    model, findings = parse_model(MODEL.encode(), file="m")
    assert findings == []
    assert model is not None
    assert (model.kind, model.cards) == ("MARKOV", CARDS)
    assert [t.scope for t in model.tables] == [(0, 1), (1, 2)]
    assert model.tables[1].values.tolist() == [1, 2, 3, 4, 5, 6]


def test_any_whitespace_and_comments() -> None:
    spread = "c made by hand\n" + MODEL.replace(" ", "\t \n").replace("6\n1", "6 1")
    model, findings = parse_model(spread.replace("\n", "\r\n").encode(), file="m")
    assert findings == []
    assert model is not None
    assert model.tables[0].values.tolist() == [0.1, 0.9, 0.8, 0.2]


def test_a_constant_is_a_function_of_nothing() -> None:
    model, _ = parse_model(b"MARKOV 1 2 1 0 1 2.5", file="m")
    assert model is not None
    assert [(t.scope, t.values.tolist()) for t in model.tables] == [((), [2.5])]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("MARKOV", "FACTOR", "m:1: begins with 'FACTOR', not with MARKOV or BAYES"),
        ("3\n2 2 3", "x\n2 2 3", "m:2: the number of variables is 'x', not a whole"),
        ("3\n2 2 3", "3\n2 0 3", "m:3: the values of variable 1 is '0', not 1 to 1000000"),
        ("3\n2 2 3", "900\n2 2 3", "m:2: 900 variables, but only"),
        ("2 0 1", "2 0 3", "m:5: a variable of function 0 is '3', not 0 to 2"),
        ("2 0 1", "2 1 1", "m:5: function 0: variable 1 occurs twice"),
        ("4\n", "5\n", "m:8: table 0 has '5' values, not 4, as its 2 variables need"),
        (".9", "9,1", "m:9: table 0: '9,1' is not a number"),
        (".9", "1_0", "m:9: table 0: '1_0' is not a number"),
        ("4 5 6", "4 5", "m:13: ends before table 1: 5 of 6 words are there"),
        ("4 5 6", "4 5 6 7", "m:13: '7' is one too many"),
    ],
)
def test_models_that_are_none(old: str, new: str, expected: str) -> None:
    model, findings = parse_model(MODEL.replace(old, new, 1).encode(), file="m")
    assert model is None
    (finding,) = findings
    assert finding.severity == "error"
    assert str(finding).startswith(expected)


def test_all_wrong_values_at_once() -> None:
    text = MODEL.replace(".9", "-1").replace("5 6", "nan inf")
    model, findings = parse_model(text.encode(), file="m")
    assert model is None
    hint = "Values must be finite and at least 0."
    assert said(findings) == [
        f"error m:9: table 0 has the value '-1'. {hint}",
        f"error m:13: table 1 has the value 'nan'. {hint}",
        f"error m:13: table 1 has the value 'inf'. {hint}",
    ]


def test_rows_of_a_bayesian_network_sum_to_one() -> None:
    text = "BAYES 2 2 2 2 1 0 2 0 1\n2\n.5 .5\n4\n.1 .9\n.8 .3\n"
    model, findings = parse_model(text.encode(), file="m")
    assert model is not None
    what = "table 1 of a BAYES network: row 2 sums to 1.1"
    assert said(findings) == [f"warning m:6: {what}"]


# --- what is asked -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 1 0 2 1", {1: 0, 2: 1}),
        ("2\n1 0\n2 1\n", {1: 0, 2: 1}),  # one a line
        ("0", {}),
        ("\n", {}),  # UAI 2012
        ("", {}),
        ("1\n2 1 0 2 1\n", {1: 0, 2: 1}),  # the number of samples first, until 2010
        ("1\n0\n", {}),
    ],
)
def test_evidence(text: str, expected: dict[int, int]) -> None:
    assert parse_evidence(text.encode(), file="e", cards=CARDS) == (expected, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2\n1 0 1\n1 0 0\n", "e:1: has 2 samples of evidence. Make a network file for each."),
        ("2 1 0", "e:1: ends before a variable of the evidence: 0 of 1 words"),
        ("1 0 0 1", "e:1: '1' is one too many"),
        ("1 3 0", "e:1: the network has no value 0 of variable 3"),
        ("1 2 3", "e:1: the network has no value 3 of variable 2"),
        ("2 1 0 1 0", "e:1: the evidence: variable 1 occurs twice"),
        ("1 1 -1", "e:1: the evidence: the value of variable 1 is '-1', not 0 or more"),
        ("1 1 0.0", "e:1: the evidence: the value of variable 1 is '0.0', not a whole"),
    ],
)
def test_evidence_that_is_none(text: str, expected: str) -> None:
    found, (finding,) = parse_evidence(text.encode(), file="e", cards=CARDS)
    assert found is None
    assert str(finding).startswith(expected)


def test_queries() -> None:
    assert parse_query(b"2 2 0\n", file="q", cards=CARDS) == ((2, 0), [])
    for text, expected in (
        ("2 0", "q:1: ends before a variable of the query"),
        ("1 3", "q:1: a variable of the query is '3', not 0 to 2"),
        ("2 1 1", "q:1: the query: variable 1 occurs twice"),
        ("1 1 1", "q:1: '1' is one too many"),
        ("", "q:1: ends before the number of variables of the query"),
    ):
        found, (finding,) = parse_query(text.encode(), file="q", cards=CARDS)
        assert found is None
        assert str(finding).startswith(expected)


@pytest.mark.parametrize("count", ["", "1 "])
def test_test_points(count: str) -> None:
    text = f"3\n1 0\n1 2\n1 1\n2\n{count}0 0\n{count}0 1\n"
    found, findings = parse_test_points(text.encode(), file="t", cards=CARDS)
    assert findings == []
    assert found is not None
    assert (found.observed, found.query) == ((0,), (2,))
    assert found.points == ({0: 0}, {0: 1})


def test_test_points_without_observation_are_one() -> None:
    endless = b"1 0 1 0 0 99999999999999999999"
    found, (finding,) = parse_test_points(endless, file="t")
    assert found is None
    what = "nothing is observed, so all points are the same"
    assert str(finding) == f"t:1: {what}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("3\n1 0", "4\n1 0", "t:1: has 4 variables, the network 3"),
        ("1 2\n", "1 1\n", "t:4: the parts do not hold every variable once"),
        ("0 1\n", "0 2\n", "t:7: the network has no value 2 of variable 0"),
        ("0 1\n", "1 1\n", "t:7: test point 2 does not have the observed variables"),
        ("0 1\n", "0\n", "t:7: ends before test point 2"),
    ],
)
def test_test_points_that_are_none(old: str, new: str, expected: str) -> None:
    text = "3\n1 0\n1 2\n1 1\n2\n0 0\n0 1\n".replace(old, new)
    found, (finding,) = parse_test_points(text.encode(), file="t", cards=CARDS)
    assert found is None
    assert str(finding).startswith(expected)


# --- answers -------------------------------------------------------------------------


def test_only_the_last_solution_counts() -> None:
    answer = parse_answer(b"PR\nnonsense\n-BEGIN-\n-1\n-BEGIN-\n-0.2\n", file="a")
    assert (answer.log10_z, answer.n_solutions) == (-0.2, 3)
    answer = parse_answer(b"PR\n-BEGIN-\n-0.2\n", file="a")
    assert (answer.log10_z, answer.n_solutions) == (-0.2, 1)


@pytest.mark.parametrize("word", ["-inf", "inf", "nan", "-Infinity"])
def test_a_partition_function_may_be_no_finite_number(word: str) -> None:
    found = parse_answer(f"PR\n{word}\n".encode(), file="a").log10_z
    assert not np.isfinite(found)


def test_map_is_also_called_mpe() -> None:
    question = InferenceQuery("MAP", CARDS)
    for name in ("MAP", "MPE"):
        text = f"{name}\n3 0 1 2\n".encode()
        answer = parse_answer(text, file="a", question=question)
        assert answer.assignments == ({0: 0, 1: 1, 2: 2},)


def test_observed_variables_are_not_judged() -> None:
    mar = InferenceQuery("MAR", CARDS, observed={1})
    answer = parse_answer(b"MAR\n3 2 .5 .5 2 7 0 3 .1 .2 .7\n", file="a", question=mar)
    assert answer.marginals[1].tolist() == [7, 0]
    best = InferenceQuery("MAP", CARDS, observed={1})
    answer = parse_answer(b"MAP\n3 0 9 1\n", file="a", question=best)
    assert answer.assignments == ({0: 0, 1: 9, 2: 1},)


MAR = "MAR\n3 2 .5 .5 2 .5 .5 3 .1 .2 .7\n"
QUESTIONS = {
    "PR": InferenceQuery("PR", CARDS),
    "MAR": InferenceQuery("MAR", CARDS),
    "MAP": InferenceQuery("MAP", CARDS),
    "MMAP": InferenceQuery("MMAP", CARDS, query=(0, 2)),
    "MLC": InferenceQuery("MLC", CARDS, query=(0, 2), points=2),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "a:1: is empty"),
        ("-0.3\n", "a:1: begins with '-0.3', not with one of MAP, MAR, MLC, MMAP, MPE"),
        ("PR\n", "a:1: holds no solution"),
        ("PR\n-1\n-BEGIN-\n", "a:3: holds no solution"),
        ("PR\n-1\n\n-BEGIN-\none\n", "a:5: log10 Z: 'one' is not a number"),
        ("PR\n1 -0.2\n", "a:2: '-0.2' is one too many. An answer to PR is one number."),
        ("PR\nnan\n", "a:2: log10 Z is nan"),
        ("PR\n1,5\n", "a:2: log10 Z: '1,5' is not a number"),
        ("MAR\n2 2 .5 .5 2 .5 .5\n", "a:2: has 2 variables, the network 3"),
        (MAR.replace(" 3 .1", " 2 .1"), "a:2: variable 2 has 2 values, in the network 3"),
        (MAR.replace(".2", ".3"), "a:2: the marginal of variable 2 sums to 1.1, not 1"),
        (MAR.replace(".1", "-.1"), "a:2: the marginal of variable 2 has a negative"),
        (MAR.replace(".1", "nan"), "a:2: the marginal of variable 2 has a negative n"),
        (MAR.replace(".7", ""), "a:2: ends before the marginal of variable 2: 2 of 3"),
        (MAR.replace(".7", ".7 1"), "a:2: '1' is one too many"),
        ("MPE\n3 0 1\n", "a:2: ends before the value of variable 2"),
        ("MPE\n2 0 1\n", "a:2: has 2 variables, the network 3"),
        ("MPE\n3 0 2 1\n", "a:2: variable 1 has no value 2, only 0 to 1"),
        ("MPE\n3 0 1.0 1\n", "a:2: the value of variable 1 is '1.0', not a whole number"),
        ("MPE\n3 0 -1 1\n", "a:2: the value of variable 1 is '-1', not 0 or more"),
        ("MMAP\n1 0 1\n", "a:2: variable 2 is missing"),
        ("MMAP\n3 0 1 1 1 2 1\n", "a:2: variable 1 is not in the query"),
        ("MMAP\n2 0 1 0 1\n", "a:2: the answer: variable 0 occurs twice"),
        ("MMAP\n2 0 1 2 3\n", "a:2: variable 2 has no value 3, only 0 to 2"),
        ("MMAP\n2 0 1 2 2 1\n", "a:2: '1' is one too many"),
        ("MLC\n2 0 1 2 2\n", "a:2: answers 1 of 2 test points"),
        ("MLC\n2 0 1 2 2\n2 0 1\n", "a:3: ends before a variable of the answer"),
        ("MLC\n2 0 1 2 2\n2 0 1 1 1\n", "a:3: variable 1 is not in the query"),
    ],
)
def test_answers_that_are_none(text: str, expected: str) -> None:
    task = text[: text.find("\n")].replace("MPE", "MAP")
    with pytest.raises(FormatError) as caught:
        parse_answer(text.encode(), file="a", question=QUESTIONS.get(task))
    assert str(caught.value).startswith(expected)


def test_an_answer_to_another_task() -> None:
    with pytest.raises(FormatError, match="a:1: is an answer to PR, not to MAR"):
        parse_answer(b"PR\n-1\n", file="a", question=QUESTIONS["MAR"])


def test_marginals_may_miss_one_a_little() -> None:
    text = MAR.replace(".7", ".7009").encode()
    assert parse_answer(text, file="a", question=QUESTIONS["MAR"]).task == "MAR"


# --- whatever comes ------------------------------------------------------------------

NAMES = ("MARKOV", "BAYES", "PR", "MAR", "MPE", "MMAP", "MLC", "-BEGIN-", "c")
NUMBERS = ("0", "1", "2", "3", "0.5", "nan", "-1", "1_0", "9" * 20, "\u0663", "\0")
WORDS = st.sampled_from([*NAMES, *NUMBERS])
BLANKS = st.sampled_from([" ", "\n"])


@laws
@given(st.lists(st.tuples(WORDS, BLANKS), max_size=30), st.sampled_from(sorted(QUESTIONS)))
def test_any_text_is_read_or_refused(words: list[tuple[str, str]], task: str) -> None:
    """A value without an error, or an error with a line; nothing else comes of it."""
    content = "".join(word + blank for word, blank in words).encode()
    lines = content.count(b"\n") + 1
    for parse in (parse_model, parse_evidence, parse_query, parse_test_points):
        found, findings = parse(content, file="f")
        wrong = [f for f in findings if f.severity == "error"]
        assert (found is None) == bool(wrong)
        assert all(1 <= (f.line or 0) <= lines for f in findings)
    refused = None
    try:
        assert parse_answer(content, file="f", question=QUESTIONS[task]).task == task
    except FormatError as error:
        refused = error
    assert refused is None or 1 <= refused.line <= lines


def test_functions_of_very_many_variables_are_refused() -> None:
    ones, scope = " ".join("1" * 40), " ".join(map(str, range(40)))
    text = f"MARKOV 40 {ones} 1 40 {scope} 1 2.5"
    model, (finding,) = parse_model(text.encode(), file="m")
    assert model is None
    hint = "A function can have at most 32."
    assert str(finding) == f"m:1: function 0 has 40 variables. {hint}"


def test_features_of_a_network_by_hand() -> None:
    """Evidence on 3 leaves a factor of 0 and 1, one of 2 alone, and 0 1 2 in a row."""
    model = network(
        (2, 3, 2, 2),
        [((0, 1), [1, 1, 1, 1, 1, 0]), ((1, 2), [1, math.e**2] * 3), ((2, 3), [1, 5, math.e**4, 5])],
    )
    found = features(model, evidence={3: 0})
    assert found == pytest.approx(
        {
            "n_variables": 3,
            "n_observed": 1,
            "n_factors": 3,
            "log10_states": math.log10(12),
            "max_card": 3,
            "max_scope": 2,
            "mean_degree": 4 / 3,
            "width": math.log2(6),
            "zeros": 1 / 14,
            "coupling": (0 + 1) / 2,
            "field": 2,
        }
    )
    nothing = features(network((2,), []), evidence={0: 1})
    assert nothing == dict.fromkeys(found, 0) | {"n_observed": 1}
