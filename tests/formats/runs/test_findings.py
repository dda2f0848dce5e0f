# ruff: noqa: E501 - a case a line
"""What is wrong with a table, and that its advice names what helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aslib_eval.formats.runs.cells import contradicting, is_right, kind_of, may_name, telling_apart
from aslib_eval.formats.runs.layout import keys_of
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows
from tests.formats.runs.test_runs import lake_of, refused, runs_of


def hints(path: Path, text: str, code: str, **choices: Any) -> list[str]:
    path.write_text(text)
    return [f.hint for f in check_paths(path, **choices) if f.code == code]


# Answers.


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        (["sat", "unsat"], ["sat", "unsat"]),
        (["sat", "optimum", "unsat", "seen"], ["sat", "optimum", "unsat"]),
        (["sat", "optimum"], []),
        (["true", "false"], ["true", "false"]),
        (["valid", "invalid", "safe"], ["valid", "invalid"]),
        (["violated by x", "sat", "17", "42"], []),
    ],
)
def test_words_that_are_known_to_exclude_each_other(answers: list[str], wrong: list[str]) -> None:
    assert contradicting(answers) == wrong


@pytest.mark.parametrize(
    ("answer", "truth", "right"),
    [
        ("sat", "sat", True),
        ("optimum", "sat", True),
        ("unsat", "sat", False),
        ("cat", "dog", False),
        ("41", "42", False),
        ("bug found", "unsat", None),
    ],
)
def test_an_answer_is_wrong_where_that_is_known(answer: str, truth: str, right: object) -> None:
    assert is_right(answer, truth, {"cat", "dog", truth}) is right


OTHER_WORDS = """\
instance,solver,time,result
i1,a,1,violated
i2,a,2,holds
i3,a,2,holds
i1,b,3,sat
i2,b,4,unsat
i3,b,4,sat
"""


def test_answers_in_other_words_agree(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(OTHER_WORDS)
    status = {"violated": "ok", "holds": "ok"}
    lake = lake_of(path, cutoff=10, status=status)
    disputed = "select instance_id, label from raw_reference where role = 'disputed'"
    assert rows(opened(lake), disputed) == [("i3", "sat, unsat")]
    path.write_text(OTHER_WORDS.replace("holds", "seen"))
    status = {"violated": "ok", "seen": "ok"}
    assert rows(opened(lake_of(path, cutoff=10, status=status)), disputed) == []


def test_a_user_says_what_words_claim(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(OTHER_WORDS.replace("holds", "seen"))
    told = opened(lake_of(path, cutoff=10, claims=["violated=sat", "seen=unsat"]))
    disputed = "select instance_id, label from raw_reference where role = 'disputed'"
    assert rows(told, disputed) == [("i3", "sat, unsat")]
    claims = "select instance_id, said, claim from raw_answer where algorithm = 'a' order by 1"
    assert rows(told, claims) == [("i1", "violated", "sat"), *((i, "seen", "unsat") for i in ("i2", "i3"))]


@pytest.mark.parametrize(
    ("claim", "ends"),
    [
        ("solved", ["ok", "ok"]),
        ("unknown", ["other", "ok"]),
        ("optimal", ["ok", "ok"]),
        ("sat", ["ok", "ok"]),
    ],
)
def test_a_claim_says_whether_a_run_is_solved(tmp_path: Path, claim: str, ends: list[str]) -> None:
    text = "instance,solver,time,result\ni,a,1,seen\ni,b,2,unsat\n"
    path = tmp_path / "t.csv"
    assert [status for *_, status in runs_of(path, text, cutoff=10, claims={"Seen": claim})] == ends
    contradicted = [
        f for f in check_paths(path, cutoff=10, claims={"seen": claim}) if f.code == "runs-verdict"
    ]
    assert bool(contradicted) == (claim in ("optimal", "sat"))


def test_a_word_of_the_truth_has_its_claim_too(tmp_path: Path) -> None:
    text = "instance,solver,time,result,expected\ni,a,1,seen,unsat\ni,b,2,sat,unsat\n"
    found = runs_of(tmp_path / "t.csv", text, cutoff=10, claims={"seen": "unsat"})
    assert [status for *_, status in found] == ["ok", "wrong"]


def test_false_beside_words_of_failure_is_an_answer_or_a_question(tmp_path: Path) -> None:
    text = "instance,solver,time,result\ni,a,1,false\ni,b,2,{}\nj,a,3,{}\nj,b,9,TO\n"
    path = tmp_path / "t.csv"
    found = runs_of(path, text.format("false", "no"), cutoff=10)
    assert [status for *_, status in found] == ["ok", "ok", "ok", "timeout"]
    assert refused(path, text.format("true", "no"), cutoff=10) == ["1: runs-table"]
    status = {"false": "ok", "no": "other"}
    found = runs_of(path, text.format("true", "no"), cutoff=10, status=status)
    assert [status for *_, status in found] == ["ok", "ok", "other", "timeout"]


def test_an_answer_in_a_word_that_is_not_expected_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "instance,solver,time,result,expected\ni,a,1,seen,sat\ni,b,2,sat,sat\n"
    assert refused(path, text, cutoff=10, status={"seen": "ok"}) == ["2: runs-table"]
    found = runs_of(path, text, cutoff=10, status={"seen": "wrong"})
    assert [status for *_, status in found] == ["wrong", "ok"]


# Which columns tell runs apart.


def test_what_may_name_something() -> None:
    of = ["a", "a", "b", "b"]
    assert may_name(["1", "2", "1", "2"], of)  # the same for both
    assert may_name(["0.5", "0.5", "0.5", "0.5"], of)
    assert may_name(["x", "x", "y", "y"], of)  # words that repeat
    assert may_name(["7", "8", "7", "9"], of)  # half of them the same
    assert not may_name(["1", "1", "2", "2"], of)  # numbers of one solver each
    assert not may_name(["1.5", "2.5", "3.5", "4.5"], of)
    assert not may_name(["u", "v", "w", "x"], of)  # words that never repeat
    assert not may_name(["x", "x", "", "x"], of)
    assert [*map(kind_of, (["1", "x"], ["1", "2.0"], ["1", "1.5"]))] == [0, 1, 2]


def test_a_column_of_one_word_names_nothing() -> None:
    rows = tuple((n, ("host", "pq"[n % 2])) for n in range(4))
    table = RawTable("t.csv", ("machine", "task"), 1, rows)
    assert keys_of(table, table.header, ["a", "a", "b", "b"]) == ["task"]


def test_columns_that_tell_rows_apart_alone_or_together() -> None:
    of = ["a", "a", "a", "b", "b", "b"]
    columns = {
        "time": ["1.5", "2.5", "3.5", "4.5", "5.5", "6.5"],
        "fold": ["1", "2", "3", "1", "2", "3"],
        "net": ["m", "m", "n", "m", "m", "n"],
        "goal": ["p", "q", "p", "p", "q", "p"],
    }
    assert telling_apart(columns, runs=of, of=of) == ("net", "goal")
    del columns["goal"]
    assert telling_apart(columns, runs=of, of=of) == ("fold",)
    del columns["fold"]
    assert telling_apart(columns, runs=of, of=of) == ()
    assert telling_apart(columns, runs=of, of=of, known=["time"]) == ("time",)


@pytest.mark.parametrize(("copied", "told"), [(0, ("mode",)), (2, ("mode",)), (3, ())])
def test_one_of_ten_rows_there_twice_may_be_a_copy(copied: int, told: tuple[str, ...]) -> None:
    """Of 20 runs there are two rows, of which a column tells all but some apart."""
    runs = [n for n in range(20) for _ in "ab"]
    solvers = ["ant" if n % 2 else "bee" for n in runs]
    mode = ["fast", "slow"] * (20 - copied) + ["fast", "fast"] * copied
    assert telling_apart({"mode": mode}, runs=runs, of=solvers) == told


NETWORKS = """\
benchmark,network,property,tool,prepare_time,result,run_time
fam,n1,p1,a,1.791,sat,1.2
fam,n1,p2,a,1.802,unsat,2.2
fam,n2,p1,a,1.733,sat,2.5
fam,n1,p1,b,0.511,sat,3.2
fam,n1,p2,b,0.498,unsat,4.2
fam,n2,p1,b,0.467,sat,4.5
"""
ENGINES = "benchmark,engine,expanded,duration\nb1,x,10,1.5\nb1,y,20,2.5\nb2,x,30,3.5\nb2,y,30,0.5\n"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (NETWORKS, "Say what 'network' and 'property' are: add --column instance=benchmark+network+property or --column solver=tool+network+property. Or"),
        ("instance,solver,n rows,time\ni,a,1,3.5\ni,a,2,4\ni,b,1,2\ni,b,2,3.5\n", "Say what 'n rows' is: add --column 'instance=instance+n rows', --column 'solver=solver+n rows', --column 'repetition=n rows' or --column 'scenario=n rows'. Or"),
        ("file,solver,size,time\nf,x,s,3\nf,x,m,4\nf,y,s,3\nf,y,m,4\n", "Say what 'size' is: add --column instance=file+size,"),
        ("instance,configuration,tool,time\ni,x,a,3\ni,x,b,4\n", "Say what 'tool' is: add --column solver=configuration+tool,"),
        ("instance,solver,time\ni1,a,1\ni1,a,2\ni1,b,3\ni1,b,5\n", "If they are repetitions, add --duplicates number. Else keep one:"),
    ],
)  # fmt: skip
def test_the_advice_for_runs_there_twice(tmp_path: Path, text: str, begins: str) -> None:
    found = hints(tmp_path / "t.csv", text, "row-duplicate", cutoff=10)
    assert found
    assert all(hint.startswith(begins) for hint in found), found
    if text == NETWORKS:
        column = {"instance": "benchmark+network+property"}
        assert [
            (name, tool)
            for name, _, tool, *_ in runs_of(tmp_path / "t.csv", text, cutoff=10, column=column)
        ] == [(f"fam/{name}", tool) for name in ("n1/p1", "n1/p2", "n2/p1") for tool in ("a", "b")]


def test_a_column_that_may_be_the_solver_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    found = " ".join(f.hint for f in _errors(path, ENGINES, cutoff=100) if "engine" in f.hint)
    assert found.index("--column solver=engine") == found.index("--column ")
    column = {"solver": "engine"}
    assert [r[2:5:2] for r in runs_of(path, ENGINES, cutoff=100, column=column)] == [
        *(("x", 1.5), ("y", 2.5), ("x", 3.5), ("y", 0.5))
    ]


def _errors(path: Path, text: str, **choices: Any) -> list[Any]:
    path.write_text(text)
    return [f for f in check_paths(path, **choices) if f.severity == "error"]


def test_rows_that_hold_each_solver_several_times_are_runs(tmp_path: Path) -> None:
    text = "Size,Radius,Algorithm,Evaluation\n100,0.14,fly,20\n200,0.14,fly,30\n100,0.14,frog,25\n200,0.14,frog,33\n"
    path = tmp_path / "t.csv"
    (found,) = _errors(path, text, column=["objective=Evaluation"])
    assert "Transpose it" not in found.hint
    assert "If the instance is in Size, add --column instance=Size." in found.hint
    column = {"instance": "Size+Radius", "objective": "Evaluation"}
    assert len(runs_of(path, text, column=column, minimize=["Evaluation"])) == 4


# Words, numbers and blanks.


def test_a_status_that_holds_numbers_is_said_once(tmp_path: Path) -> None:
    text = "instance,solver,time,result\n"
    text += "".join(f"i{n},a,1,0.{n}\n" for n in range(9)) + "j,a,1,\n"
    path = tmp_path / "t.csv"
    (found,) = [f for f in _errors(path, text, cutoff=10) if f.code == "runs-table"]
    assert (found.line, found.message) == (2, "the status column 'result' holds numbers (9 of 10 cells)")
    assert "--column objective=result" in found.hint


BLANK = """\
instance,solver,time,status,Category,timeout,mood
i1,b,,crash,,,
i1,a,1.5,ok,CSP,100,good
i2,a,2.5,ok,COP,100,good
i2,b,3.5,ok,COP,100,
"""


def test_a_blank_beside_what_is_known_is_no_contradiction(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    found = runs_of(path, BLANK)
    assert [(*run[:1], *run[2:3], run[-1]) for run in found] == [
        *(("i1", "a", "ok"), ("i1", "b", "crash")),
        *(("i2", "a", "ok"), ("i2", "b", "ok")),
    ]
    con = opened(lake_of(path))
    assert rows(con, "select distinct cutoff from raw_scenario") == [(100.0,)]
    assert rows(con, "from raw_attribute select * exclude scenario_id order by all") == [
        *(("i1", "Category", "CSP"), ("i1", "mood", "good")),
        *(("i2", "Category", "COP"), ("i2", "mood", "good")),
    ]


@pytest.mark.parametrize(
    ("old", "new", "typed"),
    [
        ("good\ni2", "good\ni3,a,1,ok,CSP,,\ni3,b,1,ok,CSP,,\ni2", "--column ignore=timeout --cutoff 100"),
        ("COP,100,\n", "COP,50,\n", ""),
        ("2.5,ok,COP,100", "62.5,ok,COP,50", "--column ignore=timeout --cutoff 50"),
    ],
)  # fmt: skip
def test_a_limit_that_nobody_knows_is_refused(tmp_path: Path, old: str, new: str, typed: str) -> None:
    found = _errors(tmp_path / "t.csv", BLANK.replace(old, new, 1))
    assert all(typed in each.hint for each in found)
    assert bool(found) == bool(typed)


# Cells over several lines.

SCORES = {"column": {"instance": "prompt", "solver": "model", "objective": "score"}}


def test_a_quoted_cell_may_go_over_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = (
        'prompt,model,score\n"first, then\nsecond",a,1\n"first, then\nsecond",b,0\nother,a,0\nother,b,x\n'
    )
    assert refused(path, text, maximize=["score"], **SCORES)[0] == "7: runs-table"
    found = runs_of(path, text.replace("x", "1"), maximize=["score"], **SCORES)
    assert [(name, model, value) for name, _, model, _, value, _ in found] == [
        *(("first, then\nsecond", "a", 1.0), ("first, then\nsecond", "b", 0.0)),
        *(("other", "a", 0.0), ("other", "b", 1.0)),
    ]


def test_answers_to_choose_from_are_no_rows(tmp_path: Path) -> None:
    choices = '"Which?\nA. x, y, z\nB. y, z, x\nAnswer:",True,False\nWhy?,True,True\n'
    found = runs_of(tmp_path / "t.csv", f"prompt,a,b\n{choices}", cells="accuracy")
    assert [(name[:4], model, value) for name, _, model, _, value, _ in found] == [
        *(("Whic", "a", 1.0), ("Whic", "b", 0.0)),
        *(("Why?", "a", 1.0), ("Why?", "b", 1.0)),
    ]


@pytest.mark.parametrize(
    "rows_", ['"i2,a,2\ni3,a,3\ni4",a,4\n', 'i2,"a,2\ni3,a",3\n', 'i2,a,"2\ni3,a,3\ni4,a,4"\n']
)
def test_rows_that_a_quote_takes_for_a_cell_are_refused(tmp_path: Path, rows_: str) -> None:
    text = f"instance,solver,time\ni1,a,1\n{rows_}"
    assert "3: runs-table" in refused(tmp_path / "t.csv", text, cutoff=10)


# Values.
