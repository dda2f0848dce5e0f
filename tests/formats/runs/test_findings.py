# ruff: noqa: E501 - a case a line
"""What is wrong with a table, and that its advice names what helps."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.formats.runs.cells import (
    checksum,
    contradicting,
    is_right,
    kind_of,
    may_name,
    telling_apart,
)
from aslib_eval.formats.runs.layout import keys_of
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.linter import check_paths
from aslib_eval.text import shown
from tests.conftest import opened, rows
from tests.formats.runs.test_readings import reading
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


def test_known_columns_and_words_go_before_others() -> None:
    of = ["a", "a", "a", "a", "b", "b", "b", "b"]
    columns = {"n": ["1", "1", "2", "2"] * 2, "w": ["p", "q"] * 4}
    assert telling_apart(columns, runs=of, of=of) == ("w", "n")
    alone = {"w": ["p", "q", "r", "s"] * 2, "k": ["1", "2", "3", "4"] * 2}
    assert telling_apart(alone, runs=of, of=of) == ("w",)
    assert telling_apart(alone, runs=of, of=of, known=["k"]) == ("k",)


@pytest.mark.parametrize(("n", "told"), [(2, ("0", "1")), (3, ("0", "1", "2")), (4, ())])
def test_up_to_three_columns_tell_rows_apart(n: int, told: tuple[str, ...]) -> None:
    cells = [*product("pq", repeat=n)]
    columns = {str(k): [each[k] for each in cells] for k in range(n)}
    assert telling_apart(columns, runs=["run"] * len(cells), of=["ant"] * len(cells)) == told


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
        (NETWORKS, "To tell the rows apart by 'network' and 'property', add --column instance=benchmark+network+property or --column solver=tool+network+property. Or"),
        ("instance,solver,n rows,time\ni,a,1,3.5\ni,a,2,4\ni,b,1,2\ni,b,2,3.5\n", "To tell the rows apart by 'n rows', add --column 'instance=instance+n rows', --column 'solver=solver+n rows', --column 'repetition=n rows' or --column 'scenario=n rows'. Or"),
        ("file,solver,size,time\nf,x,s,3\nf,x,m,4\nf,y,s,3\nf,y,m,4\n", "To tell the rows apart by 'size', add --column instance=file+size,"),
        ("instance,configuration,tool,time\ni,x,a,3\ni,x,b,4\n", "To tell the rows apart by 'tool', add --column solver=configuration+tool,"),
        ("instance,solver,time\ni1,a,1\ni1,a,2\ni1,b,3\ni1,b,5\n", "If they are repetitions, add --duplicates number. To keep one,"),
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
    assert "--cells" not in found.hint
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


# All that a table becomes.

FACT = re.compile(r"'[^']*'|\w+:\w+|--[a-z-]+(?: [^\s;.,)]+)?|\d+(?:\.\d+)?")


def becomes(text: str, **choices: Any) -> tuple[str, str]:
    """The runs of a table, and its findings: line, code, and the names, options and numbers in its words."""
    found = reading(text, **choices)
    told = []
    for run in found.runs:
        numbered = f" #{run.repetition}" * (run.repetition != 1)
        each = ("-" if value is None else f"{shown(value)}" for value, _ in run.values.values())
        ends = zip(each, (status for _, status in run.values.values()), strict=True)
        told.append(f"{run.instance} {run.solver}{numbered} {' '.join(map(' '.join, ends))} {run.answer}")
    findings = [f for f in (*found.layout.table.findings, *found.findings) if f.code != "first-run"]
    facts = (f"{f.line} {f.code} {' '.join(FACT.findall(f'{f.message} {f.hint}'))}" for f in findings)
    runs = (each.strip() for each in told)
    return " | ".join(runs), " | ".join(dict.fromkeys(each.strip() for each in facts))


@pytest.mark.parametrize(
    ("text", "choices", "runs", "said"),
    [
        (
            "instance,ant,bee\ni1,3,TO\ni2,5,70\ni3,,2\n", {"cutoff": 60},
            "i1 ant 3 ok | i1 bee - timeout | i2 ant 5 ok | i2 bee 70 timeout | i3 ant - timeout | i3 bee 2 ok",
            "1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 3 3 | 2 runs-timeouts 1 'TO' | 3 runs-timeouts 1 | 4 runs-missing 1 '' --status =crash --missing drop",
        ),
        (
            "instance,solver,time\ni,a,3\ni,b,70\nj,a,4\n", {"cutoff": 60},
            "i a 3 ok | i b 70 timeout | j a 4 ok",
            "4 run-missing 0 1 --missing timeout --missing crash --missing drop | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 3 60 | 1 runs-understood 2 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time,status\ni,a,3,ok\ni,b,70,ok\nj,a,4,\nj,b,60,\nk,a,TO,\nk,b,?,\n", {"cutoff": 60},
            "i a 3 ok | i b 70 ok | j a 4 other | j b 60 timeout | k a - timeout | k b - other",
            "4 status-missing | 7 status-missing | 3 runs-late 70 60 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 2 2 2 | 5 runs-timeouts 1 | 6 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,status\ni,a,-3,ok\ni,b,-1,timeout\nj,a,?,ok\nj,b,5,timeout\nk,a,59.95,timeout\nk,b,x,ok\nl,a,1.2.3,ok\nl,b,3,\n", {"cutoff": 60},
            "i a -3 ok | i b - timeout | j a - ok | j b 5 timeout | k a 59.95 timeout | k b - other | l a - other | l b 3 other",
            "2 runtime-negative 3 | 4 value-missing '?' | 8 runs-table '1.2.3' --times-in s | 9 status-missing | 7 runs-table 'x' 1 --status x=other | 3 runs-negative 1 | 5 runs-early 5 60 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 4 1 8 60 | 1 runs-understood 2 3 3",
        ),
        (
            "instance,solver,time\ni,a,-3\ni,b,solved\nj,a,what\nj,b,1'000\n", {"cutoff": 60},
            "i a -3 ok | i b - other | j a - other | j b - other",
            "2 runtime-negative 3 | 5 runs-table 1 000 --times-in s | 3 runs-table 'solved' 1 --status solved=other | 4 runs-table 'what' 1 --status what=other | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 1 3",
        ),
        (
            "instance,solver,time,status,wall\ni,a,3,ok,70\ni,b,70,ok,80\nj,a,61,ok,4\nj,b,61,ok,62\n", {"cutoff": 60},
            "i a 3 ok 70 ok | i b 70 ok 80 ok | j a 61 ok 4 ok | j b 61 ok 62 ok",
            "3 runs-late 70 60 3 2 1 'wall' --column time=wall | 1 runs-unsolved 75 --cutoff 60min --times-in ms --cutoff 60000 | 1 runs-understood 'instance' 'solver' 'time' 'wall' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,status,wall\ni,a,3,ok,-1\ni,b,5,timeout,80\nj,a,4,ok,x\nj,b,-7,timeout,-2\n", {"cutoff": 60},
            "i a 3 ok -1 ok | i b 5 timeout 80 timeout | j a 4 ok - other | j b - timeout - timeout",
            "2 runtime-negative 1 | 4 runs-table 'x' 1 --status x=other | 5 runs-negative 7 2 2 | 1 runs-understood 'instance' 'solver' 'time' 'wall' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 2 | 1 runs-understood 1 1 2",
        ),
        (
            "instance,solver,time,cutoff\ni,a,3,10\ni,b,5,100\nj,a,20,20\nj,b,9,\nk,a,3,x\nk,b,3,-4\n", {},
            "i a 3 ok | i b 5 ok | j a 20 ok | j b 9 ok | k a 3 ok | k b 3 ok",
            "4 runs-cutoff 20 100 --column ignore=cutoff --cutoff 10 | 6 runs-cutoff 'x' --column ignore=cutoff --cutoff 10 | 7 runs-cutoff '-4' --column ignore=cutoff --cutoff 10 | 2 runs-understood 2 | 1 runs-understood 'instance' 'solver' 'cutoff' 'time' | 1 runs-understood 2 | 1 runs-understood 3 1 6 100 | 1 runs-understood 6",
        ),
        (
            "instance,solver,time,cutoff\ni,a,3,10\ni,b,5,10\nj,a,20,20\nj,b,9,\n", {"cutoff": 20},
            "i a 3 ok | i b 5 ok | j a 20 timeout | j b 9 ok",
            "2 runs-understood 2 | 1 runs-understood 'instance' 'solver' 'cutoff' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 20 | 1 runs-understood 3 1 | 4 runs-timeouts 1",
        ),
        (
            "instance,solver,time,cutoff_s\ni,a,3,10\ni,b,5,10\nj,a,TO,10\nj,b,9,10\n", {"cutoff": "1min"},
            "i a 3 ok | i b 5 ok | j a - timeout | j b 9 ok",
            "1 runs-understood --times-in ms | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 'cutoff_s' 1 2 --column ignore=cutoff_s | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 4 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time_ms\ni,a,3\ni,b,5\nj,a,900\nj,b,9\n", {"cutoff": "1s"},
            "i a 3 ok | i b 5 ok | j a 900 ok | j b 9 ok",
            "1 runs-understood 'instance' 'solver' 'time_ms' | 1 runs-understood 2 | 1 runs-understood 2 1 4 1000 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time_ms\ni,a,3\ni,b,5\nj,a,900\nj,b,9\n", {"cutoff": 60},
            "i a 3 ok | i b 5 ok | j a 900 timeout | j b 9 ok",
            "1 runs-cutoff 60 --cutoff 60s --cutoff 60ms | 1 runs-understood 'instance' 'solver' 'time_ms' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 4 runs-timeouts 1",
        ),
        (
            "instance,solver,time_ms,cutoff\ni,a,3,60\ni,b,5,60\nj,a,900,60\nj,b,9,60\n", {},
            "i a 3 ok | i b 5 ok | j a 900 timeout | j b 9 ok",
            "1 runs-cutoff 60 --cutoff 60s --cutoff 60ms --column ignore=cutoff | 1 runs-understood 'instance' 'solver' 'cutoff' 'time_ms' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 4 runs-timeouts 1",
        ),
        (
            "instance,solver,time_ms,wall_s\ni,a,3,1\ni,b,5,2\n", {"cutoff": 60},
            "",
            "1 runs-table --column ignore=NAME --times-in s",
        ),
        (
            "instance,solver,time_ms,wall\ni,a,3,1\ni,b,5,2\n", {"cutoff": 60},
            "",
            "1 runs-table --column ignore=NAME --times-in s",
        ),
        (
            "instance,solver,time_ms,wall\ni,a,3,1\ni,b,5,2\n", {"cutoff": 60, "times_in": "s"},
            "i a 0.003 ok 1 ok | i b 0.005 ok 2 ok",
            "1 runs-understood 'instance' 'solver' 'time_ms' 'wall' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,solver,time\ni,a,3ms\ni,b,5 s\nj,a,1m20s\nj,b,TO\n", {"cutoff": 100},
            "i a 0.003 ok | i b 5 ok | j a 80 ok | j b - timeout",
            "1 runs-understood '3ms' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 3 1 | 5 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time\ni,a,3ms\ni,b,5 s\nj,a,7\nj,b,TO\n", {"cutoff": 100},
            "i a - other | i b - other | j a 7 ok | j b - timeout",
            "2 runs-table '3ms' --times-in s | 3 runs-table '5 s' --times-in s | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 1 2 1 | 5 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time\ni,a,3ms\ni,b,5 s\nj,a,7\nj,b,TO\n", {"cutoff": 100, "times_in": "min"},
            "i a 0.003 ok | i b 5 ok | j a 420 timeout | j b - timeout",
            "1 runs-understood '3ms' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 2 2 | 4 runs-timeouts 1 | 5 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,wall\ni,a,3ms,4\ni,b,5 s,6\nj,a,1s,2\nj,b,TO,3\n", {"cutoff": 100},
            "",
            "1 runs-understood '3ms' | 1 runs-table --times-in s",
        ),
        (
            "instance,solver,time,status\ni,a,3,ok\ni,a,4,timeout\nj,a,5,ok\n", {"cutoff": 60, "duplicates": "first"},
            "i a 3 ok | j a 5 ok",
            "3 runs-early 4 60 | 3 runs-missing 1 1 1 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time,status\ni,a,3,ok\ni,a,4,timeout\nj,a,5,ok\n", {"cutoff": 60, "duplicates": "last"},
            "i a 4 timeout | j a 5 ok",
            "3 runs-early 4 60 | 2 runs-missing 1 1 1 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 1 1",
        ),
        (
            "instance,solver,time\ni,a,3\ni,a,4\nj,a,5\n", {"cutoff": 60, "duplicates": "number"},
            "i a 3 ok | i a #2 4 ok | j a 5 ok",
            "1 runs-understood 1 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 3 60 | 1 runs-understood 3",
        ),
        (
            "instance,solver,run,time\ni,a,0,3\ni,a,1,4\nj,a,0,5\n", {"cutoff": 60, "duplicates": "number"},
            "i a #0 3 ok | i a 4 ok | j a #0 5 ok",
            "1 runs-table 'run' --duplicates first --column ignore=run | 1 runs-understood 'instance' 'solver' 'run' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 3 60 | 1 runs-understood 3",
        ),
        (
            "instance,solver,run,time\ni,a,0,3\ni,a,1.5,4\nj,a,-1,5\nj,,0,5\n,a,0,5\n", {"cutoff": 60},
            "i a #0 3 ok | i a #-1 4 ok | j a #-1 5 ok | j  #0 5 ok | a #0 5 ok",
            "3 runs-table '1.5' 2 31 1 --column ignore=run | 4 runs-table '-1' 2 31 1 --column ignore=run | 5 runs-table | 6 runs-table | 2 run-missing 0 2 0 1 --missing crash | 1 runs-understood 'instance' 'solver' 'run' 'time' | 1 runs-understood 2 | 1 runs-understood 3 1 2 5 60 | 1 runs-understood 5",
        ),
        (
            "instance,solver,seed,time\ni,a,0,3\ni,a,1,4\ni,b,0,4\nj,a,0,5\nj,b,0,6\n", {"cutoff": 60},
            "i a #0 3 ok | i a 4 ok | i b #0 4 ok | j a #0 5 ok | j b #0 6 ok",
            "2 run-unbalanced 1 2 --missing timeout --missing crash --missing drop | 1 runs-understood 'instance' 'solver' 'seed' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 2 5 60 | 1 runs-understood 5",
        ),
        (
            "instance,solver,time\ni,a,3\ni,a,4\nj,a,5\nj,b,6\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | j a 5 ok | j b 6 ok",
            "3 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | 2 run-missing 0 2 --missing timeout --missing crash --missing drop | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 2 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,threads,time\ni,a,1,3\ni,a,4,4\nj,a,1,5\nj,a,4,7\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | j a 5 ok | j a 7 ok",
            "3 row-duplicate 2 'a' 'i' 'threads' 'time' --duplicates number --duplicates first | 5 row-duplicate 4 'a' 'j' 'threads' 'time' --duplicates number --duplicates first | 1 runs-ignored 'threads' --measure-column threads | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,mode,time\ni,a,x,3\ni,a,y,4\nj,a,x,5\nj,a,y,7\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | j a 5 ok | j a 7 ok",
            "3 row-duplicate 2 'a' 'i' 'mode' 'time' 'mode' --column solver=solver+mode --column instance=instance+mode --column scenario=mode | 5 row-duplicate 4 'a' 'j' 'mode' 'time' 'mode' --column solver=solver+mode --column instance=instance+mode --column scenario=mode | 1 runs-ignored 'mode' --measure-column mode | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,size,mode,time\ni,a,1,x,3\ni,a,1,y,4\ni,a,2,x,5\ni,a,2,y,7\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | i a 5 ok | i a 7 ok",
            "3 row-duplicate 2 'a' 'i' 'mode' 'time' 'mode' --column instance=instance+mode --duplicates number --duplicates first | 4 row-duplicate 2 'a' 'i' 'size' 'time' 'mode' --column instance=instance+mode --duplicates number --duplicates first | 5 row-duplicate 2 'a' 'i' 'size' 'mode' 'time' 'mode' --column instance=instance+mode --duplicates number --duplicates first | 1 runs-ignored 2 'size' 'mode' --measure-column NAME | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 1 1 4 60 | 1 runs-understood 4",
        ),
        (
            "dir,instance,solver,time\nx,i,a,3\ny,i,a,4\nx,j,a,5\ny,j,a,7\nx,i,b,3\ny,i,b,4\nx,j,b,5\ny,j,b,7\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | j a 5 ok | j a 7 ok | i b 3 ok | i b 4 ok | j b 5 ok | j b 7 ok",
            "3 row-duplicate 2 'a' 'i' 'dir' 'time' 'dir' --column instance=instance+dir --column solver=solver+dir --column scenario=dir | 5 row-duplicate 4 'a' 'j' 'dir' 'time' 'dir' --column instance=instance+dir --column solver=solver+dir --column scenario=dir | 7 row-duplicate 6 'b' 'i' 'dir' 'time' 'dir' --column instance=instance+dir --column solver=solver+dir --column scenario=dir | 9 row-duplicate 8 'b' 'j' 'dir' 'time' 'dir' --column instance=instance+dir --column solver=solver+dir --column scenario=dir | 1 runs-ignored 'dir' --measure-column dir | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 8 60 | 1 runs-understood 8",
        ),
        (
            "instance,mode,ant,bee\ni,x,3,5\ni,y,4,6\nj,x,5,7\nj,y,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table 'mode' --column solver=mode --one-file-per solver --column ignore=mode",
        ),
        (
            "instance,ant,bee\ni,3,5\ni,4,6\n", {"cutoff": 60},
            "i ant 3 ok | i bee 5 ok | i ant 4 ok | i bee 6 ok",
            "3 row-duplicate 2 'ant' 'i' 'ant' 'bee' --duplicates number --duplicates first | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,ant,bee\ni,3,\nj,,4\nk,,\n", {"cutoff": 60, "missing": "drop"},
            "",
            "2 runs-missing 3 2 2 | 1 runs-empty | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 0 | 1 runs-understood 0 0 0 60 | 1 runs-understood",
        ),
        (
            "instance,ant,bee\ni,3,\nj,5,4\nk,-,\n", {"cutoff": 60, "missing": "timeout"},
            "i ant 3 ok | j ant 5 ok | j bee 4 ok | k ant - timeout | i bee - timeout | k bee - timeout",
            "2 runs-missing 2 2 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 3 3 | 4 runs-timeouts 1 '-'",
        ),
        (
            "instance,solver,rep,time\ni,a,1,3\ni,a,2,4\ni,b,1,5\nj,a,1,6\n", {"cutoff": 60, "missing": "drop"},
            "i a 3 ok | i b 5 ok",
            "3 runs-missing 1 1 2 | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,solver,rep,time\ni,a,1,3\ni,a,2,4\ni,b,1,5\nj,a,1,6\n", {"cutoff": 60, "missing": "crash"},
            "i a 3 ok | i a #2 4 ok | i b 5 ok | j a 6 ok | i b #2 - crash | j b - crash",
            "3 runs-missing 2 2 | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 2 6 60 | 1 runs-understood 2 4",
        ),
        (
            "instance,solver,time\np/0,a,1.5\np/0,b,1.5\np/1,a,2.5\np/1,b,2.5\np/2,a,3.5\np/2,b,3.5\nq/0,c,1.5\nq/0,d,1.5\nq/1,c,2.5\nq/1,d,2.5\nq/2,c,3.5\nq/2,d,3.5\n", {"cutoff": 60},
            "p/0 a 1.5 ok | p/0 b 1.5 ok | p/1 a 2.5 ok | p/1 b 2.5 ok | p/2 a 3.5 ok | p/2 b 3.5 ok | q/0 c 1.5 ok | q/0 d 1.5 ok | q/1 c 2.5 ok | q/1 d 2.5 ok | q/2 c 3.5 ok | q/2 d 3.5 ok",
            "8 run-missing 0 1 0 0 1 1 0 1 2 --missing crash 2 --column scenario=family --family path:1 | 2 run-missing 0 1 0 0 1 1 0 1 2 --missing crash 2 --column scenario=family --family path:1 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 4 | 1 runs-understood 6 1 12 60 | 1 runs-understood 12",
        ),
        (
            "instance,solver,time\ni0,a,1.5\ni1,a,2.5\ni2,a,3.5\ni3,a,4.5\ni4,a,5.5\ni5,a,6.5\ni0,b,2.5\n", {"cutoff": 60},
            "i0 a 1.5 ok | i1 a 2.5 ok | i2 a 3.5 ok | i3 a 4.5 ok | i4 a 5.5 ok | i5 a 6.5 ok | i0 b 2.5 ok",
            "3 run-missing 0 1 1 0 1 2 0 1 3 2 --missing timeout --missing crash --missing drop | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 6 1 7 60 | 1 runs-understood 7",
        ),
        (
            "instance,solver,time,status,expected\ni,a,3,sat,sat\ni,b,4,unsat,sat\nj,a,5,unsat,unsat\nj,b,6,unknown,unsat\n", {"cutoff": 60},
            "i a 3 ok sat | i b 4 wrong unsat | j a 5 ok unsat | j b 6 other",
            "3 runs-wrong 1 | 1 runs-understood 'instance' 'solver' 'expected' 'time' 'status' | 1 runs-understood 'expected' 2 2 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 1 'sat' | 3 runs-timeouts 2 'unsat' | 5 runs-timeouts 1 'unknown'",
        ),
        (
            "instance,solver,time,status\ni,a,3,sat\ni,b,4,unsat\nj,a,5,unsat\nj,b,6,unsat\n", {"cutoff": 60},
            "i a 3 ok sat | i b 4 ok unsat | j a 5 ok unsat | j b 6 ok unsat",
            "3 runs-verdict 'expected' | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4 | 2 runs-timeouts 1 'sat' | 3 runs-timeouts 3 'unsat'",
        ),
        (
            "instance,solver,time,status,result\ni,a,3,ok,sat\ni,b,4,ok,unknown\nj,a,5,timeout,sat\nj,b,6,ok,\n", {"cutoff": 60},
            "i a 3 ok sat | i b 4 other | j a 5 timeout | j b 6 other",
            "4 runs-early 5 60 | 1 runs-understood 'instance' 'solver' 'time' 'status' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 1 2 1 | 2 runs-timeouts 1 'sat' | 3 runs-timeouts 1 'unknown' | 4 runs-timeouts 1 'sat' 'timeout' | 5 runs-timeouts 1 ''",
        ),
        (
            "instance,solver,time,status,result\ni,a,3,ok,17\ni,b,4,ok,18\nj,a,5,ok,12\nj,b,6,ok,13\n", {"cutoff": 60},
            "i a 3 other | i b 4 other | j a 5 other | j b 6 other",
            "2 runs-table 'result' 4 4 --column objective=result --status 0=ok --column ignore=result | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,status,expected\ni,a,3,bug,sat\ni,b,4,sat,sat\n", {"cutoff": 60},
            "i a 3 other | i b 4 ok sat",
            "2 runs-table 'bug' 1 --status bug=other | 1 runs-understood 'instance' 'solver' 'expected' 'time' 'status' | 1 runs-understood 'expected' 1 1 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 1 runs-understood 1 1 | 3 runs-timeouts 1 'sat'",
        ),
        (
            "instance,solver,time,result,expected\ni,a,3,bug,sat\ni,b,4,sat,sat\n", {"cutoff": 60, "status": ["bug=ok"]},
            "i a 3 ok bug | i b 4 ok sat",
            "2 runs-table 'bug' 'sat' 1 --status bug=wrong --column ignore=expected | 1 runs-understood 'instance' 'solver' 'expected' 'time' 'result' | 1 runs-understood 'expected' 1 1 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 2 runs-timeouts 1 'bug' | 3 runs-timeouts 1 'sat'",
        ),
        (
            "instance,solver,time,status\ni,a,3,0\ni,b,4,1\nj,a,5,0\nj,b,6,137\n", {"cutoff": 60},
            "i a 3 other | i b 4 other | j a 5 other | j b 6 other",
            "2 runs-table 'status' 4 4 --column objective=status --status 0=ok --column ignore=status | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,status\ni,a,3,0\ni,b,4,ok\nj,a,5,ok\nj,b,6,weird\n", {"cutoff": 60},
            "i a 3 other | i b 4 ok | j a 5 ok | j b 6 other",
            "2 runs-table '0' 1 --status 0=other | 5 runs-table 'weird' 1 --status weird=other | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 2",
        ),
        (
            "instance,solver,time,status\ni,a,3,false\ni,b,4,ok\nj,a,5,timeout\nj,b,6,ok\n", {"cutoff": 60},
            "i a 3 other | i b 4 ok | j a 5 timeout | j b 6 ok",
            "4 runs-early 5 60 | 1 runs-table 'false' --status false=ok --status false=other | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 1 'false'",
        ),
        (
            "instance,solver,time,status\ni,a,3,false\ni,b,4,timeout\nj,a,5,timeout\nj,b,6,false\n", {"cutoff": 60},
            "i a 3 ok | i b 4 timeout | j a 5 timeout | j b 6 ok",
            "3 runs-early 4 60 2 1 1 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 2 | 2 runs-timeouts 2 'false'",
        ),
        (
            "instance,solver,time,solved\ni,a,3,1\ni,b,4,0\nj,a,5,1.0\nj,b,6,maybe\n", {"cutoff": 60},
            "i a 3 ok 1 | i b 4 other | j a 5 ok 1.0 | j b 6 other",
            "1 runs-understood 'instance' 'solver' 'time' 'solved' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 2 | 2 runs-timeouts 1 '1' | 3 runs-timeouts 1 '0' | 4 runs-timeouts 1 '1.0' | 5 runs-timeouts 1 'maybe'",
        ),
        (
            "instance,solver,time,status\ni,a,3,complete\ni,b,4,timeout\nj,a,5,complete\nj,b,6,complete\n", {"cutoff": 60},
            "i a 3 ok | i b 4 timeout | j a 5 ok | j b 6 ok",
            "3 runs-early 4 60 | 1 runs-unjudged 'complete' --column answer=NAME --status complete=other | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 2 runs-timeouts 3 'complete'",
        ),
        (
            "instance,a:time,a:status,b:time,b:status\ni,3,0,4,1\nj,5,2,6,0\n", {"cutoff": 60},
            "i a 3 other | i b 4 other | j a 5 other | j b 6 other",
            "2 runs-table 'a:status' 2 2 a:objective --status 0=ok --column ignore=a:status | 2 runs-table 'b:status' 2 2 b:objective --status 0=ok --column ignore=b:status | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,a:time,a:status,b:time,b:result\ni,3,ok,4,sat\nj,5,ok,6,unsat\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok sat | j a 5 ok | j b 6 ok unsat",
            "1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4 | 2 runs-timeouts 1 'sat' | 3 runs-timeouts 1 'unsat'",
        ),
        (
            "instance,a:time,a:status,b:time\ni,3,ok,4\nj,5,ok,6\n", {"cutoff": 60},
            "",
            "1 runs-table --column ignore=status",
        ),
        (
            "instance,solver,time,status,objective,best\ni,a,3,ok,10,9\ni,b,60,timeout,9,9\nj,a,5,ok,x,7\nj,b,60,timeout,,y\n", {"cutoff": 60},
            "i a 3 ok 10 ok | i b 60 timeout 9 timeout | j a 5 ok - ok | j b 60 timeout - timeout",
            "5 runs-table 'y' '7' 4 | 5 runs-table 'y' | 4 runs-table 'x' | 4 value-missing | 1 runs-direction --maximize objective | 2 proof-beaten 1 | 1 runs-understood 'instance' 'solver' 'best' 'time' 'objective' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 2",
        ),
        (
            "instance,solver,objective\ni,a,10\ni,b,9\nj,a,TO\nj,b,\n", {},
            "i a 10 ok | i b 9 ok | j a - timeout | j b - crash",
            "1 runs-direction --maximize objective | 1 runs-understood 'instance' 'solver' 'objective' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 1 2 1 | 4 runs-timeouts 1 'TO' | 5 runs-timeouts 1 ''",
        ),
        (
            "instance,solver,accuracy\ni,a,95%\ni,b,0.9 (0.1)\nj,a,yes\nj,b,0.5\n", {"column": ["objective=accuracy"]},
            "i a 0.95 ok | i b 0.9 ok | j a 1 ok | j b 0.5 ok",
            "2 runs-understood '95%' 0.95 2 1 1 | 1 runs-understood 'instance' 'solver' 'accuracy' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,solver,status,accuracy\ni,a,ok,0.9\ni,b,ok,\nj,a,timeout,TO\nj,b,ok,TO\n", {"column": ["objective=accuracy"]},
            "i a 0.9 ok | i b - ok | j a - timeout | j b - timeout",
            "3 value-missing | 1 runs-understood 'instance' 'solver' 'accuracy' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 2 2 | 4 runs-timeouts 1 'TO' | 5 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,tour_cost\ni,a,3,10\ni,b,4,12\nj,a,5,7\nj,b,6,8\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-table 'time' 'tour_cost' 'time' --column ignore=tour_cost 'tour_cost' --column objective=tour_cost --column ignore=time --maximize tour_cost | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,gap,note\ni,a,3,10,u\ni,b,4,12,v\nj,a,5,7,u\nj,b,6,8,w\n", {"cutoff": 60, "measure_column": ["gap"]},
            "i a 3 ok 10 ok | i b 4 ok 12 ok | j a 5 ok 7 ok | j b 6 ok 8 ok",
            "1 runs-direction --maximize gap | 3 proof-beaten 2 | 1 runs-ignored 'note' --measure-column note | 1 runs-understood 'instance' 'solver' 'time' 'gap' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,ended\ni,a,3,yes\ni,b,4,no\nj,a,5,yes\nj,b,6,yes\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-table 'ended' --column status=ended --column ignore=ended | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,status,kind,hard\ni,a,3,ok,x,1\ni,b,4,ok,x,1\nj,a,5,ok,x,2\nj,b,6,ok,x,2\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-ignored 'hard' --measure-column hard | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 'kind' 1 2 --column ignore=kind | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,score\ni,a,3,1\ni,b,4,1\n", {"cutoff": 60, "column": ["objective=score"]},
            "",
            "1 runs-table --maximize score --minimize score",
        ),
        (
            "instance,ant,bee\ni,0.5,0.25\nj,0.75,1\n", {},
            "",
            "1 runs-table 'ant' 'bee' 0 1 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,ant,bee\ni,80,90\nj,70,60\n", {"cutoff": 60},
            "i ant 80 timeout | i bee 90 timeout | j ant 70 timeout | j bee 60 timeout",
            "1 runs-cutoff 100 --cutoff 60min --times-in ms --cutoff 60000 --times-in s | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4 | 2 runs-timeouts 4",
        ),
        (
            "instance,ant,bee\ni,-3,90\nj,70,60\n", {"cutoff": 60},
            "",
            "1 runs-table 'ant' 'bee' 0 3 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,ant,bee\ni,5,9\nj,7,6\n", {"cells": "cost"},
            "i ant 5 ok | i bee 9 ok | j ant 7 ok | j bee 6 ok",
            "1 runs-direction --maximize cost | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,ant,bee\ni,3,4\nj,5,6\n", {},
            "i ant 3 ok | i bee 4 ok | j ant 5 ok | j bee 6 ok",
            "1 runs-cutoff 6 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,a:acc,b:acc,a:usd,b:usd\ni,0.9,0.8,3,4\nj,0.7,0.6,2,1\n", {},
            "i a 0.9 ok 3 ok | i b 0.8 ok 4 ok | j a 0.7 ok 2 ok | j b 0.6 ok 1 ok",
            "1 runs-direction --maximize price | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time\ni,a,3\ni,A,4\ni\u0301,a,3\n\u00ed,A,4\n", {"cutoff": 60},
            "i a 3 ok | i A 4 ok | i\u0301 a 3 ok | \u00ed A 4 ok",
            "5 run-missing 0 1 --missing timeout --missing crash --missing drop | 4 run-missing 0 1 --missing timeout --missing crash --missing drop | 5 runs-spelling 2 | 3 runs-spelling 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 3 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,family,logic,feature:x\ni,a,3,f,l,1\ni,b,4,f,l,1\nj,a,5,g,,\nj,b,6,,m,2\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-understood 'instance' 'solver' 'family' 'time' | 1 runs-understood | 1 runs-understood 'family' 2 2 --column ignore=family | 1 runs-understood 'logic' 2 2 --column ignore=logic | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,family,logic,feature:x\ni,a,3,f,l,1\ni,b,4,g,l,2\nj,a,5,g,,x\nj,b,6,g,m,x\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "3 runs-table 'g' 'f' 2 | 3 runs-table feature:x '2' '1' 2 | 4 runs-table feature:x 'x' | 5 runs-table feature:x 'x' | 1 runs-understood 'instance' 'solver' 'family' 'time' | 1 runs-understood | 1 runs-understood 'family' 2 2 --column ignore=family | 1 runs-understood 'logic' 2 2 --column ignore=logic | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,a_time,a_status,b_time,b_status\ni,3,ok,4,ok\nj,5,TO,6,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 timeout | j b 6 ok",
            "1 runs-understood 2 'a' 'a_time' 'a_status' | 3 runs-early 5 60 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,a,b,oracle,rank,label\ni,3,4,3,1,x\nj,5,6,5,2,y\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-ignored 'oracle' | 1 runs-ignored 'rank' | 1 runs-ignored 'label' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance;a;b\ni;3,5;4\nj;5;6,5\n", {"cutoff": 60},
            "i a 3.5 ok | i b 4 ok | j a 5 ok | j b 6.5 ok",
            "1 runs-understood 'a' 3 5 3.5 | 1 runs-understood 'b' 6 5 6.5 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,,solver,time\ni,0,a,3\ni,1,b,4\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok",
            "1 runs-ignored '' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "a,b\n3,4\n", {"cutoff": 60},
            "",
            "1 runs-table --column instance=NAME",
        ),
        (
            "solver,time\na,3\nb,4\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=solver --cells accuracy --maximize NAME --minimize NAME --column instance=NAME",
        ),
        (
            "solver,i1,i2\na,3,4\nb,4,5\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=solver --cells accuracy --maximize NAME --minimize NAME 1 2 --column instance=NAME",
        ),
        (
            "name,solver,time\nx,a,3\nx,b,4\ny,a,5\ny,b,6\n", {"cutoff": 60},
            "",
            "1 runs-table --column instance=name --column instance=NAME",
        ),
        (
            "instance,time\ni,3\nj,4\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=NAME --one-file-per solver",
        ),
        (
            "instance,solver\ni,a\nj,a\n", {"cutoff": 60},
            "",
            "1 runs-table --column time=NAME --column objective=NAME",
        ),
        (
            "instance,solver,result,answer,time\ni,a,sat,ok,3\n", {"cutoff": 60},
            "",
            "1 runs-table 'result' 'answer' --column answer=NAME --column ignore=NAME",
        ),
        (
            "instance,solver,time\ni,a,3\n", {"cutoff": 60, "maximize": ["time"]},
            "",
            "1 runs-table 'time'",
        ),
        (
            "instance,solver,time\ni,a,3\n", {"cutoff": 60, "column": ["status=end"]},
            "",
            "1 runs-table 'end' --column ROLE=NAME",
        ),
        (
            "instance,solver,time\ni,a,3\n", {"cutoff": 60, "cells": "cost"},
            "",
            "1 runs-table --cells is 'solver' --column objective=NAME --column time=NAME",
        ),
        (
            "instance,run1,run2\ni,3,4\nj,5,6\n", {"cutoff": 60},
            "",
            "1 runs-table 'run1' 'run2' --duplicates number run1:time run2:time",
        ),
        (
            "instance,f1,f2\ni,3,4\nj,5,6\n", {"cutoff": 60},
            "",
            "1 runs-table 'f1' 'f2' --features t feature:f1 feature:f2 f1:time f2:time",
        ),
        (
            "instance,best_x,loss\ni,3,4\nj,5,6\n", {"cutoff": 60},
            "",
            "1 runs-table 'best_x' --column solver=NAME best_x:time",
        ),
        (
            "instance;a;b\ni;3,5;4\nj;2.5;6\nk;TO;7\n", {"cutoff": 60},
            "i a - other | i b 4 ok | j a 2.5 ok | j b 6 ok | k a - timeout | k b 7 ok",
            "2 runs-table '3,5' --column ignore=a --times-in s | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 4 1 1 | 4 runs-timeouts 1 'TO'",
        ),
        (
            "instance;a;b\ni;3,500;4\nj;2,5;6,000\n", {"cutoff": 60},
            "i a 3.5 ok | i b 4 ok | j a 2.5 ok | j b - other",
            "1 runs-understood 'a' 2 5 2.5 | 3 runs-table '6,000' --column ignore=b --times-in s | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1",
        ),
        (
            "instance;a;b\ni;\u0663,\u0665;4\nj;3,5;6\n", {"cutoff": 60},
            "i a - other | i b 4 ok | j a 3.5 ok | j b 6 ok",
            "1 runs-understood 'a' 3 5 3.5 | 2 runs-table '\u0663,\u0665' 1 --status '\u0663 \u0665 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1",
        ),
        (
            "instance,time,a,b\ni,3,4,5\nj,6,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=NAME --one-file-per solver --column ignore=time",
        ),
        (
            "instance,family,a,b\ni,3,4,5\nj,6,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table 'family' family:time --column family=family",
        ),
        (
            "instance,logic,a,b\ni,3,4,5\nj,6,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table 'logic' logic:time --column attribute=logic",
        ),
        (
            "instance,metric,a,b\ni,acc,4,5\nj,f1,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table 'metric' 'acc' 'f1' --column attribute=metric",
        ),
        (
            "instance,a,a,b\ni,4,4,5\nj,7,7,8\n", {"cutoff": 60},
            "i a 4 ok | i b 5 ok | j a 7 ok | j b 8 ok",
            "1 runs-understood 'a' | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,a,a,b\ni,4,5,5\nj,7,7,8\n", {"cutoff": 60},
            "",
            "1 runs-table 'a' --duplicates number",
        ),
        (
            ",a,b\nx,4,5\ny,7,8\n", {"cutoff": 60},
            "x a 4 ok | x b 5 ok | y a 7 ok | y b 8 ok",
            "1 runs-understood | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,a,a,b,b\n,time,status,time,status\ni,3,ok,4,ok\nj,60,timeout,5,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 60 timeout | j b 5 ok",
            "2 runs-understood 'instance' | 2 runs-understood 2 | 2 runs-understood 2 1 4 60 | 2 runs-understood 3 1",
        ),
        (
            "instance,a,,b,\n,time,status,time,status\nbenchmark,,,,\ni,3,ok,4,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok",
            "2 runs-understood 'instance' | 2 runs-understood 2 | 2 runs-understood 1 1 2 60",
        ),
        (
            "instance,a,b\ni0,0.5,1.25\ni1,1.5,2.25\ni2,2.5,3.25\ni3,3.5,4.25\ni4,4.5,5.25\nmean,3,4\nsum,9,9\n", {"cutoff": 60},
            "i0 a 0.5 ok | i0 b 1.25 ok | i1 a 1.5 ok | i1 b 2.25 ok | i2 a 2.5 ok | i2 b 3.25 ok | i3 a 3.5 ok | i3 b 4.25 ok | i4 a 4.5 ok | i4 b 5.25 ok",
            "1 runs-ignored 2 'mean' 7 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 5 1 10 60 | 1 runs-understood 10",
        ),
        (
            "instance,a,b\ni,3,4\nmean time,5,6\nj,5,6\nmean,5,6\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | mean time a 5 ok | mean time b 6 ok | j a 5 ok | j b 6 ok",
            "1 runs-ignored 1 'mean' 5 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 6",
        ),
        (
            "instance,solver,time\ni,a,3\ni,vbs,3\ni,oracle,3\nj,a,4\n", {"cutoff": 60},
            "i a 3 ok | j a 4 ok",
            "1 runs-ignored 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,a_mem,a_time,b_mem,b_time\ni,10,3,20,4\nj,11,5,21,6\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 5 ok | j b 6 ok",
            "1 runs-understood 2 'a' 'a_mem' 'a_time' | 1 runs-ignored 2 'a:mem' 'b:mem' 'mem' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,time_a,time_b,solved_a,solved_b\ni,3,4,1,0\nj,5,6,1,1\n", {"cutoff": 60},
            "i a 3 ok 1 | i b 4 other | j a 5 ok 1 | j b 6 ok 1",
            "1 runs-understood 2 'a' 'time_a' 'solved_a' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 2 runs-timeouts 3 '1' | 2 runs-timeouts 1 '0'",
        ),
        (
            "instance,a_parse_time,a_solve_time,b_parse_time,b_solve_time\ni,1,3,1,4\nj,1,5,2,6\n", {"cutoff": 60},
            "",
            "1 runs-understood 2 'a' 'a_parse_time' 'a_solve_time' | 1 runs-table 'parse_time' 'solve_time' SOLVER:time --cells solve_time",
        ),
        (
            "instance,a:accuracy,a:f1,b:accuracy,b:f1\ni,0.5,0.6,0.7,0.8\n", {},
            "",
            "1 runs-table 'accuracy' 'f1' --cells accuracy --cells f1",
        ),
        (
            "instance,a:accuracy,a:f1,b:accuracy,b:f1\ni,0.5,0.6,0.7,0.8\n", {"cells": "f1"},
            "i a 0.6 ok 0.5 ok | i b 0.8 ok 0.7 ok",
            "1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 2 | 1 runs-understood 1 2",
        ),
        (
            "instance,a:time,a:accuracy,b:time,b:accuracy\ni,3,0.6,4,0.8\n", {"cutoff": 60},
            "",
            "1 runs-table 'time' 'accuracy' --cells time --cells accuracy",
        ),
        (
            "instance,a:time,a:accuracy,b:time,b:accuracy\ni,3,0.6,4,0.8\n", {"cells": "accuracy"},
            "i a 0.6 ok 3 ok | i b 0.8 ok 4 ok",
            "1 runs-direction --maximize time | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 2",
        ),
        (
            "instance,a:time,a:strange,b:time,b:strange\ni,3,x,4,y\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok",
            "1 runs-ignored 2 'a:strange' 'b:strange' 'strange' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,a:time,a:proved,b:time,b:proved\ni,3,yes,4,no\n", {"cutoff": 60},
            "",
            "1 runs-table 'proved' --column status=proved --column ignore=proved",
        ),
        (
            "instance,a,a|cost,b,b|cost\ni,0.5,3,0.7,4\n", {"cells": "accuracy"},
            "i a 0.5 ok 3 ok | i b 0.7 ok 4 ok",
            "1 runs-understood 2 'a' 'a' 'a|cost' | 1 runs-direction --maximize price | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 2",
        ),
        (
            "instance,a,a|cost,b,b|cost\ni,0.5,3,0.7,4\n", {},
            "",
            "1 runs-understood 2 'a' 'a' 'a|cost' | 1 runs-table 'cost' --cells accuracy --cells NAME --maximize NAME --minimize NAME",
        ),
        (
            "instance,algorithm_family,a,b\ni,x,4,5\nj,y,7,8\n", {"cutoff": 60},
            "i a 4 ok | i b 5 ok | j a 7 ok | j b 8 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-ignored 'algorithm_family' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "model,task,acc\nm,t1,0.5\nm,t2,0.75\nn,t1,0.5\nn,t2,1\n", {},
            "",
            "1 runs-table 'model' --column solver=model --one-file-per solver",
        ),
        (
            "model,acc\nm,0.5\nn,0.75\n", {},
            "",
            "1 runs-table 'model' --column instance=model --column solver=model --cells accuracy --maximize NAME --minimize NAME",
        ),
        (
            "set,item,solver,time\ns,1,a,3\ns,2,a,4\ns,1,b,5\ns,2,b,6\nt,1,a,3\nt,1,b,4\n", {"cutoff": 60},
            "",
            "1 runs-table --column instance=set+item --column instance=NAME",
        ),
        (
            "instance,solver,time,cutoff,family\ni,a,3,60,f\nj,a,4,60,\n", {"column": ["scenario=family"]},
            "i a 3 ok | j a 4 ok",
            "3 runs-table --family path:N | 1 runs-understood 'family' 'instance' 'solver' 'cutoff' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time\nf/i,a,3\nj,a,4\n", {"cutoff": 60, "column": ["scenario=family"], "family": "path:1"},
            "f/i a 3 ok | j a 4 ok",
            "3 runs-table --family path:N | 1 runs-understood 'family' 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,a,b\ni,95,96\nj,60,70\nk,80,90\n", {},
            "",
            "1 runs-table 'a' 'b' 100 50 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,a,b\ni,0.5 s,3\nj,600ms,4\n", {"cutoff": 60},
            "",
            "1 runs-understood '0.5 s' | 1 runs-table --times-in s",
        ),
        (
            "instance,a,b\ni,50%,70%\nj,60%,80%\n", {"cutoff": 60},
            "",
            "1 runs-table 'a' 'b' --cells accuracy --cells NAME --maximize NAME --minimize NAME",
        ),
        (
            "instance,best_known,a,b\ni,3,4,5\nj,6,7,8\n", {"cells": "cost"},
            "i a 4 ok | i b 5 ok | j a 7 ok | j b 8 ok",
            "1 runs-direction --maximize cost | 1 runs-understood 'instance' 'best_known' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,a,b\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=NAME",
        ),
        (
            "instance,a,b\ni,,\nj,?,-\n", {"cutoff": 60},
            "",
            "1 runs-table --column solver=NAME",
        ),
        (
            "instance,solver,time,status\ni,a,TO,ok\ni,b,3,SAT;UNSAT\nj,a,4,unknown;unknown\nj,b,5,time out\n", {"cutoff": 60},
            "i a - ok | i b 3 other | j a 4 other | j b 5 timeout",
            "2 value-missing 'TO' | 3 runs-table 'SAT;UNSAT' 1 --status 'SAT | 5 runs-early 5 60 | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 1 2 1 | 4 runs-timeouts 1 'unknown;unknown' | 5 runs-timeouts 1 'time out'",
        ),
        (
            "instance,solver,time,status\ni1,a,1,odd1\ni2,a,2,odd2\ni3,a,3,odd3\ni4,a,4,odd4\ni5,a,5,odd5\ni6,a,6,odd6\ni7,a,7,odd7\ni8,a,8,odd8\n", {"cutoff": 60},
            "i1 a 1 other | i2 a 2 other | i3 a 3 other | i4 a 4 other | i5 a 5 other | i6 a 6 other | i7 a 7 other | i8 a 8 other",
            "2 runs-table 'odd1' 1 --status odd1=other | 3 runs-table 'odd2' 1 --status odd2=other | 4 runs-table 'odd3' 1 --status odd3=other | 5 runs-table 'odd4' 1 --status odd4=other | 6 runs-table 'odd5' 1 --status odd5=other | None runs-table 3 | 1 runs-unsolved 8 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 8 1 8 60 | 1 runs-understood 8",
        ),
        (
            "instance,solver,time,status\ni,a,3,late\ni,b,4,Holds\n", {"cutoff": 60, "status": ["late=timeout"], "claims": ["holds=unsat"]},
            "i a 3 timeout | i b 4 ok Holds",
            "2 runs-early 3 60 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 1 runs-understood 1 1 | 2 runs-timeouts 1 'late' | 3 runs-timeouts 1 'Holds'",
        ),
        (
            "instance,a,b\ni,95,96\nj,60,70\n", {},
            "",
            "1 runs-table 'a' 'b' 100 50 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,a,b\ni,95,96\nj,60,\n", {},
            "i a 95 ok | i b 96 ok | j a 60 ok | j b - timeout",
            "1 runs-cutoff 96 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 3 1 | 3 runs-timeouts 1 ''",
        ),
        (
            "instance,a,b\ni,95,101\nj,60,70\nk,80,90\n", {},
            "i a 95 ok | i b 101 ok | j a 60 ok | j b 70 ok | k a 80 ok | k b 90 ok",
            "1 runs-cutoff 101 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 | 1 runs-understood 6",
        ),
        (
            "instance,a,b\ni,45,46\nj,60,49\nk,20,30\n", {},
            "i a 45 ok | i b 46 ok | j a 60 ok | j b 49 ok | k a 20 ok | k b 30 ok",
            "1 runs-cutoff 60 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 3 1 6 | 1 runs-understood 6",
        ),
        (
            "instance,solver,time,status\ni,a,3,yes\ni,b,4,ok\nj,a,60,timeout\nj,b,6,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 4 ok | j a 60 timeout | j b 6 ok",
            "1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 2 runs-timeouts 1 'yes'",
        ),
        (
            "instance,solver,time,status\ni,a,3,yes\ni,b,4,no\nj,a,60,timeout\nj,b,6,yes\n", {"cutoff": 60},
            "i a 3 ok | i b 4 other | j a 60 timeout | j b 6 ok",
            "1 runs-table 'no' --status no=ok --status no=other | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 2 'yes' | 3 runs-timeouts 1 'no'",
        ),
        (
            "instance,solver,time,status,expected\ni,a,3,yes,no\ni,b,4,no,no\nj,a,60,timeout,yes\nj,b,6,yes,yes\n", {"cutoff": 60},
            "i a 3 wrong yes | i b 4 ok no | j a 60 timeout | j b 6 ok yes",
            "2 runs-wrong 1 | 1 runs-understood 'instance' 'solver' 'expected' 'time' 'status' | 1 runs-understood 'expected' 2 2 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 2 'yes' | 3 runs-timeouts 1 'no'",
        ),
        (
            "instance,solver,time,status,result\ni,a,3,ok,no\ni,b,4,ok,yes\nj,a,60,timeout,no\nj,b,6,ok,yes\n", {"cutoff": 60},
            "i a 3 other | i b 4 ok | j a 60 timeout | j b 6 ok",
            "2 runs-table 'no' 1 --status no=ok --column ignore=result | 1 runs-understood 'instance' 'solver' 'time' 'status' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 3 runs-timeouts 2 'yes'",
        ),
    ],
)  # fmt: skip
def test_a_table_becomes_these_runs_and_nothing_else_is_said(
    text: str, choices: dict[str, Any], runs: str, said: str
) -> None:
    assert becomes(text, **choices) == (runs, said)


def test_altered_lines_of_a_log_are_errors_of_which_twenty_are_listed(tmp_path: Path) -> None:
    header = "instance,solver,time,status,run,seed,command,reads,program,version,check"
    whole = "i0,a,1,ok,0,0,c,,p,1"
    line = f"{whole},{checksum(whole.encode()).decode()}"
    altered = [f"i{n},a,1,ok,0,0,c,,p,1,00000000" for n in range(1, 24)]
    text = "\n".join([header, line, *altered, ""])
    for name, told in (("log.csv", [f"{n}: runs-table" for n in range(3, 23)]), ("log.tsv", [])):
        content = text.replace(",", "\t") if name.endswith("tsv") else text
        assert refused(tmp_path / name, content, cutoff=9) == told
