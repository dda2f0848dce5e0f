"""The record of a competition: boards, published values beside ours, and why not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.record import CompetitionRecord, sentences
from aslib_eval.extensions.competitions.record_formats import boards, winners

# Of a cutoff of 100: kissat has PAR10 (10 + 1000) / 2, cadical (40 + 20) / 2.
RUNS = """instance,solver,time,status,conflicts
a,kissat,10,ok,7
a,cadical,40,ok,8
b,kissat,100,timeout,9
b,cadical,20,ok,6
"""
BOARD = """board,solver,column,value
runs,kissat,score,505.0
runs,kissat,solved,1
runs,cadical,score,30.0
runs,cadical,solved,2
"""
NAMES = "printed,solver\nodd,kissat\n"
OWN = 'like = "par10"\nabout = "ours"\npenalty = 3\n'


def made(folder: Path, board: str = "", **options: Any) -> CompetitionRecord:
    """The record of RUNS; board: what was published."""
    (folder / "runs.csv").write_text(RUNS)
    if board:
        (folder / "board.csv").write_text(board)
        options["published"] = folder / "board.csv"
    return ae.competition(options.pop("rule", "par10"), folder / "runs.csv", cutoff=100, **options)


def run(folder: Path, *words: str) -> Result:
    (folder / "runs.csv").write_text(RUNS)
    (folder / "board.csv").write_text(BOARD)
    command = ("competition", "par10", str(folder / "runs.csv"), "--cutoff", "100")
    return CliRunner().invoke(main, [*command, *words])


def test_a_board(tmp_path: Path) -> None:
    found = made(tmp_path).boards.select("solver", "place", "points", "solved")
    assert sorted(found.rows()) == [
        ("VBS", None, 15.0, 2),
        ("cadical", 1, 30.0, 2),
        ("kissat", 2, 505.0, 1),
    ]


def test_a_folder_may_be_called_as_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "par10").mkdir()
    monkeypatch.chdir(tmp_path)
    assert made(tmp_path, BOARD).name == "par10"


def test_the_smallest_change_of_a_rule(tmp_path: Path) -> None:
    record = made(tmp_path, BOARD.replace("505.0", "105.0"))
    assert record.differs
    assert record.published is not None
    assert record.published.explained is not None
    assert record.published.explained.changes == ((("penalty", 2.0),),)
    differ, change, moved = sentences(record)[:3]
    assert differ == "1 of 4 published values differ from the computed values."
    assert "that explains all values: penalty = 2 (for par: cost of an unsolved" in change
    assert moved == "With this change, all places stay the same."


SOLVED = """instance,solver,time,status
a,kissat,10,ok
a,cadical,40,ok
b,kissat,100,timeout
b,cadical,20,ok
c,kissat,37,ok
c,cadical,61,ok
d,kissat,5,ok
d,cadical,7,ok
"""


@pytest.mark.parametrize(
    ("printed", "twice"),
    [
        # means of PAR10 without c, and with c twice
        (("338.3333", "22.3333", "2", "3"), False),
        (("217.8", "37.8", "4", "5"), True),
    ],
)
def test_an_instance_is_left_out_or_counted_twice(
    tmp_path: Path,
    printed: tuple[str, ...],
    twice: bool,  # noqa: FBT001
) -> None:
    (tmp_path / "runs.csv").write_text(SOLVED)
    values = [f"runs,kissat,score,{printed[0]}", f"runs,cadical,score,{printed[1]}"]
    values += [f"runs,kissat,solved,{printed[2]}", f"runs,cadical,solved,{printed[3]}"]
    (tmp_path / "board.csv").write_text("\n".join(["board,solver,column,value", *values, ""]))
    record = ae.competition("par10", tmp_path / "runs.csv", cutoff=100, published=tmp_path / "board.csv")
    assert record.published is not None
    assert record.published.instance == ("runs", "c", twice, 0)
    how = "is counted twice" if twice else "is left out"
    assert f"All differences disappear if the instance c (runs) {how}." in sentences(record)


def test_what_no_change_explains(tmp_path: Path) -> None:
    record = made(tmp_path, BOARD.replace("cadical,solved,2", "cadical,solved,7"))
    said = sentences(record)
    assert said[1].startswith("No change of up to 3 choices")
    assert said[-1] == (
        f"{tmp_path}/board.csv:5: solved of cadical (runs; all) is published as 7; the runs give 2."
    )


def test_a_value_is_equal_to_its_last_digit(tmp_path: Path) -> None:
    board = """board,solver,column,value
runs,kissat,score,505
runs,kissat,mean_score,505.01
runs,cadical,score,30.0
runs,cadical,mean_score,29
"""
    found = made(tmp_path, board, no_search=True).published
    assert found is not None
    assert found.cells["equal"].to_list() == [True, False, True, False]


def test_who_is_hors_concours_has_no_place(tmp_path: Path) -> None:
    assert winners(boards(made(tmp_path, hors_concours=["cad*"])))["1st"].to_list() == ["kissat"]
    with pytest.raises(AslibError, match="no solver is called 'x'"):
        made(tmp_path, hors_concours=["x"])


def test_who_is_published_as_disqualified_has_no_place(tmp_path: Path) -> None:
    rows = [f"{row},{'role' * (n == 0)}" for n, row in enumerate(BOARD.split())]
    table = "\n".join(rows).replace("cadical,score,30.0,", "cadical,score,30,disqualified")
    record = made(tmp_path, table.replace("solved,2,", "solved,2,disqualified"))
    assert winners(boards(record))["1st"].to_list() == ["kissat"]
    assert sentences(record)[1:] == ["Disqualified, as published: cadical."]
    record = made(tmp_path, table)  # one row says that it competes
    assert winners(boards(record))["1st"].to_list() == ["cadical"]


def test_memory_is_published_in_the_unit_of_the_runs(tmp_path: Path) -> None:
    found = made(tmp_path, f"{BOARD}runs,kissat,memory,7\n").published
    assert found is not None
    assert (found.n, found.cells.height) == (5, 4)
    (tmp_path / "runs.csv").write_text(RUNS.replace("conflicts", "memory"))
    (tmp_path / "board.csv").write_text(f"{BOARD}runs,cadical,memory,14\n")
    record = ae.competition(
        "par10",
        tmp_path / "runs.csv",
        cutoff=100,
        measure_column=["memory"],
        published=tmp_path / "board.csv",
    )
    assert sentences(record) == ["All 5 published values are reproduced."]


PAIRS = """board,solver,column,value,level,part,against,restriction
runs,kissat,points,0.8,instance,a,cadical,complete
runs,kissat,points,0.5,instance,a,cadical,incomplete
"""


@pytest.mark.parametrize(
    ("rule", "ours", "passed"),
    [
        ("minizinc", [0.8, 0.8], ()),
        ("minizinc2019", [0.8], ("points (incomplete): 1 value",)),
        ("minizinc-incomplete", [0.8], ("points (complete): 1 value",)),
    ],
)
def test_points_are_those_of_the_scoring_that_the_rule_is_of(
    tmp_path: Path, rule: str, ours: list[float], passed: tuple[str, ...]
) -> None:
    found = made(tmp_path, PAIRS, rule=rule, no_search=True).published
    assert found is not None
    assert found.cells["ours"].to_list() == ours
    assert found.passed_over == passed
    if "incomplete" in rule:
        assert found.cells["restriction"].to_list() == ["incomplete"]


def test_what_is_wrong_with_names_and_places(tmp_path: Path) -> None:
    runs = tmp_path / "runs.csv"
    runs.write_text(RUNS)
    for words, said in (
        (("par11", runs), "NAME: there is no rule 'par11'. Did you mean 'par10'"),
        ((runs, "par10"), "is a file or folder, not a rule. Type the rule before"),
        (("par10", tmp_path / "no"), "no: does not exist"),
    ):
        done = CliRunner().invoke(main, ["competition", *map(str, words), "--cutoff", "100"])
        assert done.exit_code == 1
        assert said in done.stderr
    (tmp_path / "empty").mkdir()
    with pytest.raises(AslibError, match="empty: is an empty folder"):
        ae.competition("par10", tmp_path / "empty")


def test_where_nothing_can_be_compared_nothing_follows(tmp_path: Path) -> None:
    odd = "board,solver,column,value\nruns,kissat,elegance,3\n"
    with pytest.raises(AslibError, match=r"par10 gives none of the published values"):
        made(tmp_path, odd)


def test_pairs_and_their_sums(tmp_path: Path) -> None:
    board = """board,solver,column,value,level,part,against
runs,kissat,points,0.8,instance,a,cadical
runs,cadical,points,0.2,instance,a,kissat
runs,kissat,points,0.5,instance,b,cadical
runs,cadical,points,1,instance,b,kissat
"""
    found = made(tmp_path, board, rule="minizinc", no_search=True).published
    assert found is not None
    assert found.cells["ours"].to_list() == [0.8, 0.2, 0.0, 1.0]
    assert found.unequal_pairs == 1


@pytest.mark.parametrize(("rule", "unequal"), [("minizinc2011", 1), ("minizinc", 2)])
def test_a_pair_shares_the_points_of_its_rule(tmp_path: Path, rule: str, unequal: int) -> None:
    board = """board,solver,column,value,level,part,against
runs,kissat,points,2,instance,a,cadical
runs,cadical,points,0,instance,a,kissat
runs,kissat,points,2,instance,b,cadical
runs,cadical,points,1,instance,b,kissat
"""
    found = made(tmp_path, board, rule=rule, no_search=True).published
    assert found is not None
    assert found.unequal_pairs == unequal


def test_a_page_has_the_values_that_differ(tmp_path: Path) -> None:
    """And the exit code says that some do."""
    page = tmp_path / "board.html"
    assert run(tmp_path, "--published", str(tmp_path / "board.csv")).exit_code == 0
    (tmp_path / "off.csv").write_text(BOARD.replace("505.0", "500.0"))
    off = str(tmp_path / "off.csv")
    assert run(tmp_path, "--published", off, "--no-search", "-o", str(page)).exit_code == 1
    text = page.read_text()
    table = text[text.index('id="different"') :]
    cells = re.findall(r"<t[hd](?: [^>]*)?>([^<]*)", table[: table.index("</table>")])
    assert dict(zip(cells[: len(cells) // 2], cells[len(cells) // 2 :], strict=True)) == {
        "of": "kissat",
        "value": "points",
        "published": "500.0",
        "of the runs": "505",
        "line": "2",
    }


_SMT = "smt2025/results-parallel-2025.json.gz"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "raw", "published", "n", "different"),
    [
        ("smtcomp", _SMT, "smt2025/pages-parallel.tar.xz", 683, 0),
        ("maxsat-exact", "maxsat2022", "maxsat2022", 42, 0),
        ("sat2023", "sat2023/sc2023-detailed-results.zip", "sat2023/results.html", 378, 0),
        *(
            (rule, f"minizinc/{year}.results.json.gz", "", n, different)
            for rule, year, n, different in (
                ("minizinc2019", 2019, 65_000, 0),
                ("minizinc2021", 2021, 112_200, 9_137),
            )
        ),
    ],
)
def test_published_values_of_competitions(
    shared: Path, rule: str, raw: str, published: str, n: int, different: int
) -> None:
    folder = shared / "competitions"
    if not folder.is_dir():
        pytest.skip("needs the results of competitions in ../shared")
    record = ae.competition(rule, folder / raw, published=folder / (published or raw))
    found = record.published
    assert found is not None
    assert (found.cells.height, found.different.height) == (n, different)
    if different:
        assert found.explained is not None
        assert found.explained.changes == ((("worse_of_unproved", 0.5),),)
    assert found.unequal_pairs in (None, different)
