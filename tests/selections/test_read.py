"""What a selector's file says, in every format, and every way to say it wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.selections import read_selection
from aslib_eval.selections.read_csv import STATUSES, Outcome, ParsedSelection, SelectionStep


def read(text: str | bytes) -> ParsedSelection:
    content = text.encode() if isinstance(text, str) else text
    return read_selection(content, file="f")


def said(text: str | bytes) -> list[str]:
    """The findings, each as the user sees it; they are errors."""
    found = read(text)
    assert not found.is_complete
    assert {f.severity for f in found.findings} == {"error"}
    return [str(f) for f in found.findings]


@pytest.mark.parametrize(
    "text",
    [
        "instance;algorithm\ni1;a\ni2;b\n",
        "Benchmark;chosen\ni1;a\ni2;b\n",
        "problem\tpredicted\ni1\ta\ni2\tb\n",
        "file,algorithm\ni1,a\ni2,b\n",
        "task,instance,algorithm\ni2,i1,a\ni1,i2,b\n",
    ],
)
def test_choices_as_people_write_them(text: str) -> None:
    found = read(text)
    assert (found.format, found.is_complete) == ("choice", True)
    steps = {row.instance: [step.name for step in row.steps] for row in found.rows}
    assert steps == {"i1": ["a"], "i2": ["b"]}


def test_predicted_costs_between_semicolons() -> None:
    found = read("instance;a;b\ni1;1.5;2\ni2;7;3\n")
    assert [[step.name for step in row.steps] for row in found.rows] == [["a"], ["b"]]


def test_decimal_commas_between_semicolons() -> None:
    text = "instance;a;b\ni1;1,234;2,5\ni2;12,25;3\n"
    assert [row.steps[0].name for row in read(text).rows] == ["a", "b"]
    assert [found.message for found in read(text).findings] == [
        "12,25 is read as 12.25", "2,5 is read as 2.5"
    ]  # fmt: skip
    (row,) = read("instance;algorithm\ni1;3,45\n").rows
    assert row.steps == (SelectionStep("3,45", paired=True),)
    # All commas may be of thousands.
    assert said("instance;a;b\ni1;1,234;2,500\n") == [
        "f:2: a '1,234' is not a number", "f:2: b '2,500' is not a number"
    ]  # fmt: skip


# --- schedules -----------------------------------------------------------------------


def test_a_schedule_keeps_its_steps_and_lines() -> None:
    found = read(b'\xef\xbb\xbf{\n"i1": ["basic", ["a", 12.5], "b"],\n\n"i2": []}')
    assert (found.format, found.findings) == ("schedule", ())
    one, two = found.rows
    assert (one.line, one.instance) == (2, "i1")
    assert one.steps == (SelectionStep("basic"), SelectionStep("a", 12.5, paired=True), SelectionStep("b"))
    assert (two.line, two.instance, two.steps) == (4, "i2", ())


@pytest.mark.parametrize("budget", ["null", "Infinity", "1e999", "1" + "0" * 400])
def test_a_budget_without_end_is_none(budget: str) -> None:
    (answer,) = read(f'{{"i": [["a", {budget}]]}}').rows
    assert answer.steps == (SelectionStep("a", None, paired=True),)


def test_every_wrong_schedule_is_said_with_its_line() -> None:
    wrong = [
        '"a"',
        '[["a"]]',
        '[["a", -1]]',
        '[["a", NaN]]',
        '[["a", true]]',
        '[["a", "5"]]',
        "[[1, 5]]",
        "[7]",
        '["basic", {"a": 5}]',
        '[["a", -1], "b", [7, 1]]',
    ]
    lines = ",\n".join(f'"i{n}": {text}' for n, text in enumerate(wrong))
    found = said("{\n" + lines + ', "good": ["a"]}')
    assert [line.split(". Write")[0] for line in found] == [
        "f:2: 'i0': its schedule is \"a\", not a list of steps",
        "f:3: 'i1': step 1 ([\"a\"]) is neither a name nor [algorithm, budget]",
        "f:4: 'i2': step 1 ([\"a\", -1]) has a budget that is not 0 or more",
        "f:5: 'i3': step 1 ([\"a\", NaN]) has a budget that is not 0 or more",
        "f:6: 'i4': step 1 ([\"a\", true]) has a budget that is no number",
        'f:7: \'i5\': step 1 (["a", "5"]) has a budget that is no number',
        "f:8: 'i6': step 1 ([1, 5]) does not name an algorithm as text",
        "f:9: 'i7': step 1 (7) is neither a name nor [algorithm, budget]",
        "f:10: 'i8': step 2 ({\"a\": 5}) is neither a name nor [algorithm, budget]",
        "f:11: 'i9': step 1 ([\"a\", -1]) has a budget that is not 0 or more",
        "f:11: 'i9': step 3 ([7, 1]) does not name an algorithm as text",
    ]


def test_what_can_be_read_is_kept_beside_what_is_wrong() -> None:
    found = read('{"i1": [["a", -1], "b"],\n"i1": ["c"],\n"i3": 5')
    steps = [[step.name for step in a.steps] for a in found.rows]
    assert ([(a.line, a.instance) for a in found.rows], steps) == (
        [(1, "i1"), (2, "i1"), (3, "i3")],
        [["b"], ["c"], []],
    )
    assert [f.line for f in found.findings] == [1, 3, 3]
    found = read(
        "instance,cv_repetition,fold,time,status\n"
        "i1,1,1,x,ok\ni2,one,1,1,ok\ni3,1,one,1,ok\ni4,1\n,1,1,1,ok\ni6,1,1,2,o\n"
        'i7,1,1,2,ok\n"i8,1'
    )
    assert [(a.line, a.outcome) for a in found.rows] == [
        *((2, None), (4, Outcome(1.0, "ok", None)), (7, None), (8, Outcome(2.0, "ok", None)))
    ]
    assert [f.line for f in found.findings] == [2, 3, 4, 5, 6, 7, 9]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"i": ["a"]', "f:1: is not a JSON object of schedules (expected '}')"),
        ('{\n"i": ["a"\n', "f:3: is not a JSON object of schedules (Expecting"),
        ('{"i": ["a"]} x', "f:1: is not a JSON object of schedules (there is text"),
        ('{"i" ["a"]}', "f:1: is not a JSON object of schedules (expected ':')"),
        ('{"i": ["a"],}', "f:1: is not a JSON object of schedules (expected '\"')"),
        ("{1: []}", "f:1: is not a JSON object of schedules (expected '\"')"),
        ('[["i", "a"]]', "f:1: is not a JSON object of schedules (expected '{')"),
        ('{"i": ' + "[" * 100_000, "f: cannot be read ("),
        ('{"i": [["a", ' + "1" * 5000 + "]]}", "f: cannot be read ("),
        ("{}", "f:1: answers no instance"),
        ("", "f: the file is empty"),
        ("\n \n", "f: the file is empty"),
        (b'{"i\xff": []}', "f:1: is not UTF-8 text"),
        (b"instance,algorithm\n\xfe,a\n", "f:2: is not UTF-8 text"),
    ],
)
def test_what_is_no_file_of_answers(text: str | bytes, expected: str) -> None:
    (found,) = said(text)
    assert found.startswith(expected)


NAMES = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
STEPS = st.one_of(NAMES, st.tuples(NAMES, st.floats(0, allow_nan=False, allow_infinity=False)))


@given(
    st.dictionaries(NAMES, st.lists(STEPS, max_size=4), min_size=1, max_size=5),
    st.sampled_from([None, 0, 1]),
)
def test_a_schedule_that_was_written_is_read(schedules: dict[str, list[Any]], indent: int | None) -> None:
    found = read(json.dumps(schedules, indent=indent))
    assert [(a.instance, a.steps) for a in found.rows] == [
        (
            instance,
            tuple(
                SelectionStep(s) if isinstance(s, str) else SelectionStep(*s, paired=True) for s in steps
            ),
        )
        for instance, steps in schedules.items()
    ]


@given(st.text(max_size=60) | st.text('{}[]",: \n19ea', max_size=40))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    found = read(text)
    assert found.rows or not found.is_complete


# --- choices -------------------------------------------------------------------------


def test_a_choice_names_one_algorithm_or_none() -> None:
    found = read(b"\xef\xbb\xbfInstance_ID, Algorithm\ni1, a\n\ni2,\n")
    assert found.format == "choice"
    assert [(a.line, a.instance, a.steps) for a in found.rows] == [
        (2, "i1", (SelectionStep("a", None, paired=True),)),
        (4, "i2", ()),
    ]


def test_optional_columns_say_who_and_on_which_split() -> None:
    head = "instance,selector,fold,cv_repetition,cv_scheme,algorithm\r\n"
    one, two = read(f'{head}"a,\nb",rf,3,2,mine,a\r\ni2,,,,,b\r\n').rows
    assert (one.line, one.instance, one.selector) == (2, "a,\nb", "rf")
    assert (one.cv_scheme, one.cv_repetition, one.fold) == ("mine", 2, 3)
    assert (two.line, two[4:]) == (4, (None,) * 6)


# --- predictions ---------------------------------------------------------------------


def test_the_lowest_prediction_is_chosen_and_ties_go_by_name() -> None:
    rows = ("i1,1,3,2,1", "i2,1,2,1,1", "i3,1,NaN,5,", "i4,1,-1,inf,0", "i5,1,,nan,?", "i6,1,inf,,")
    found = read("\n".join(("instance_id,fold,c,b,a", *rows, "")))
    assert found.format == "prediction"
    assert list(found.algorithms) == ["c", "b", "a"]
    chosen = [[step.name for step in a.steps] for a in found.rows]
    assert chosen == [["a"], ["a"], ["b"], ["c"], [], ["c"]]


def test_an_index_without_a_name_holds_the_instances() -> None:
    found = read(",a,b\ni1,1,2\n")
    assert (found.rows[0].instance, list(found.algorithms)) == ("i1", ["a", "b"])


@pytest.mark.parametrize("name", ["cost", "Prediction", "runtime"])
def test_predictions_in_rows_are_those_in_columns(name: str) -> None:
    found = read(
        f"fold,instance,algorithm,{name}\n"
        "1,i1,c,3\n1,i1,b,2\n1,i2,b,1\n1,i1,a,1\n1,i2,a,1\n"
        "1,i3,c,NaN\n1,i3,b,5\n1,i3,a,\n1,i4,c,?\n1,i5,,\n"
    )
    assert (found.format, found.findings) == ("prediction-rows", ())
    assert found.algorithms == {"c": 2, "b": 3, "a": 5}
    a, b = ((SelectionStep(name, paired=True),) for name in "ab")
    assert [(each.line, each.instance, each.fold, each.steps) for each in found.rows] == [
        *((2, "i1", 1, a), (4, "i2", 1, a), (7, "i3", 1, b), (10, "i4", 1, ()), (11, "i5", 1, ()))
    ]


def test_predictions_in_rows_are_apart_for_each_selector_and_repetition() -> None:
    text = (
        "instance,selector,cv_repetition,algorithm,cost\n"
        "i,s,1,a,2\ni,s,1,b,1\ni,s,2,a,1\ni,s,2,b,2\ni,t,1,a,2\ni,t,1,b,1\n"
    )
    found = [(a.selector, a.cv_repetition, a.steps[0].name) for a in read(text).rows]
    assert found == [("s", 1, "b"), ("s", 2, "a"), ("t", 1, "b")]
    assert said("instance,algorithm,cost\ni1,a,1\ni1,,2\n") == ["f:3: the row names no algorithm"]


def test_of_scores_it_is_said_that_the_lowest_is_chosen() -> None:
    found = read("instance,algorithm,score\ni,a,1\ni,b,2\n")
    assert found.rows[0].steps == (SelectionStep("a", paired=True),)
    assert [(f.severity, f.line, f.message) for f in found.findings] == [
        ("warning", 1, "on each instance, the algorithm with the lowest score is chosen")
    ]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("instance,algorithm,budget", "1 column is not read: 'budget'. A choice is"),
        ("instance,algorithm,cost,score", "2 columns are not read: 'cost', 'score'. A"),
        ("instance,algorithm,time,status", "2 columns are not read: 'time', 'status'."),
        ("instance,algorithm,cost,x", "1 column is not read: 'x'. A prediction is an"),
        ("instance,time,status,seed", "1 column is not read: 'seed'. An outcome is"),
        (",instance,algorithm", None),
        ("instance,algorithm,fold", None),
    ],
)
def test_columns_that_are_not_read_are_named(header: str, expected: str | None) -> None:
    cells = {"instance": "i", "algorithm": "a", "status": "ok"}
    row = ",".join(cells.get(name, "1") for name in header.split(","))
    found = read(f"{header}\n{row}\n")
    assert len(found.rows) == 1
    assert {(f.severity, f.line) for f in found.findings} <= {("warning", 1)}
    said = [str(f) for f in found.findings]
    assert [line[: len(f"f:1: {expected}")] for line in said] == (
        [] if expected is None else [f"f:1: {expected}"]
    )


# --- outcomes ------------------------------------------------------------------------


def test_outcomes_hold_time_status_and_objective() -> None:
    head = "instance_id,selector,runtime,runstatus,objective\n"
    found = read(head + "i1,s,1.5,ok,\ni2,s,,timeout,\ni3,s,NA,OK,7\ni4,s,0,ok,\n")
    assert found.format == "outcome"
    assert [a.outcome for a in found.rows] == [
        Outcome(1.5, "ok", None),
        Outcome(None, "timeout", None),
        Outcome(None, "ok", 7.0),
        Outcome(0.0, "ok", None),
    ]


@pytest.mark.parametrize(
    ("cell", "fold"), [("2", 2), ("2.0", 2), ("0", 0), ("?", None), ("2147483647", 2147483647)]
)
def test_a_fold_is_a_whole_number_or_missing(cell: str, fold: int | None) -> None:
    (answer,) = read(f"instance,fold,algorithm\ni,{cell},a\n").rows
    assert answer.fold == fold


@pytest.mark.parametrize("cell", ["-1", "2.5", "2147483648", "inf", "x"])
def test_what_is_no_fold(cell: str) -> None:
    assert said(f"instance,fold,algorithm\ni,{cell},a\n") == [
        f"f:2: fold {cell!r} is not a whole number below 2^31"
    ]


# --- what is wrong in a table --------------------------------------------------------


def test_all_that_is_wrong_in_rows_is_said_with_their_lines() -> None:
    head = "instance,time,status,fold\n"
    rows = "i1,1,ok,1\ni2,1,fine,1\ni3,-1,ok,1\ni4,one,ok,1\n,1,ok,1\ni6,1,ok\ni7,1,ok,1.5\ni8,,ok,1\n"
    assert said(head + rows) == [
        f"f:3: runstatus 'fine' is none of {', '.join(STATUSES)}",
        "f:4: the time -1.0 is negative",
        "f:5: time 'one' is not a number",
        "f:6: the row names no instance",
        "f:7: 3 cells instead of 4",
        "f:8: fold '1.5' is not a whole number below 2^31",
        "f:9: it is ok, but has neither time nor objective",
    ]
    text = "instance,fold,a,b\ni0,1,2,3\ni1,1.5,x,y\n"
    assert said(text) == [
        "f:3: a 'x' is not a number",
        "f:3: b 'y' is not a number",
        "f:3: fold '1.5' is not a whole number below 2^31",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,algorithm\nx,a\n", "f:1: there is no column instance_id/instance."),
        ("instance,time\nx,1\n", "f:1: there is no column runstatus/status."),
        ("instance,status\nx,ok\n", "f:1: there is no column time/runtime."),
        ("instance,fold\nx,1\n", "f:1: no column names algorithms or outcomes."),
        ("instance,a,b,a\nx,1,2,3\n", "f:1: columns are repeated: a"),
        ("instance,algorithm\n", "f:1: the file has a header and no row"),
        ('instance,algorithm\n"x,a\n', "f:2: is not a CSV file ("),
        ('"instance,algorithm\n', "f:1: is not a CSV file ("),
        ("instance,a\nx,y\nz,1\n", "f:2: a 'y' is not a number"),
    ],
)
def test_what_is_no_table_of_answers(text: str, expected: str) -> None:
    (found,) = said(text)
    assert found.startswith(expected)


# --- a column of another name ---------------------------------------------------------


@pytest.mark.parametrize("name", ["prediction", "best algorithm", "solver", "cost"])
def test_an_only_column_of_words_holds_the_choices(name: str) -> None:
    found = read(f"instance,{name}\ni1,a\ni2,\ni3,b\n")
    assert (found.format, found.findings) == ("choice", ())
    assert [row.steps for row in found.rows] == [
        *((SelectionStep("a", paired=True),), ()),
        (SelectionStep("b", paired=True),),
    ]


def test_a_column_of_words_beside_others_is_said_once() -> None:
    text = "instance,chosen one,sure\n" + "".join(f"i{n},a,0.5\n" for n in range(9))
    (told,) = said(text)
    assert told.startswith("f:1: 'chosen one' holds words")
    assert "--column 'algorithm=chosen one'" in told
    column = (("algorithm", "chosen one"), ("ignore", "sure"))
    found = read_selection(text.encode(), file="f", column=column)
    assert (found.format, found.findings) == ("choice", ())
    assert found.rows[0].steps == (SelectionStep("a", paired=True),)


def test_a_column_that_is_not_there_is_an_error() -> None:
    text = b"instance,algorithm\ni1,a\n"
    found = read_selection(text, file="f", column=(("algorithm", "choice"),))
    assert "there is no column 'choice'" in str(found.findings[0])


def test_of_errors_of_one_kind_five_are_listed_and_the_rest_counted() -> None:
    text = "instance,a,b\n" + "".join(f"i{n},1,x{n}\n" for n in range(9)) + "i,1,2\n"
    told = said(text)
    assert [line.split(":")[1] for line in told[:5]] == list("23456")
    assert told[5:] == ["f: and 4 more like these"]
