"""Boards of inference contests, better best answers, and errors by variable."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis import scored
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError
from aslib_eval.extensions.inference.analysis import (
    _remarks,
    best_changes,
    board,
    marginal_errors,
    read_best,
)
from aslib_eval.tables.paper_table import paper_table

pytestmark = pytest.mark.usefixtures("opened_once")

# X and Y of two values each; the products of all factors are 6, 54, 16 and 4.
PAIR = "MARKOV\n2\n2 2\n2\n1 0\n2 0 1\n2\n6 4\n4\n1 9\n4 1\n"
FILES = {
    "contest.toml": 'name = "C"\nlimits = [20, 1200]\nweights = [1, 3]\n',
    "networks/p.uai": PAIR,
    "networks/q.uai": PAIR,
    # The trivial answer is 0 0, of likelihood 6; the best given one 1 0, of 16.
    **{f"roles/trivial/{n}.uai.MAP": "MAP\n2 0 0\n" for n in "pq"},
    "answers/a/20/p.uai.MAP": "MAP\n2 0 0\n",
    "answers/a/1200/p.uai.MAP": "MAP\n2 1 0\n",
    "answers/a/q.uai.MAP": "MAP\n2 1 0\n",
    "answers/b/q.uai.MAP": "MAP\n2 1 0\n",
}
TASK = "C-MAP"


def put(home: Path, files: Mapping[str, str]) -> Path:
    """The folder of a contest."""
    for name, text in files.items():
        (home / "C" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "C" / name).write_text(text)
    return home / "C"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("contest")
    put(home, FILES)
    for outcome in ae.import_scenarios([home / "C"], into=home / "lake"):
        assert outcome.error is None, outcome.error
    return home / "lake"


def test_the_board_of_a_task(lake: Path) -> None:
    found = board(open_lake(lake))
    names = ["limit", "place", "solver", "score", "n", "answered", "missing"]
    near = pytest.approx
    # a: 0 and 100 at 20, 100 twice at 1200; b: 0 and 100 at both. Weights 1 and 3.
    assert found.select(names).rows() == [
        ("final", 1, "a", near(87.5), 2, 2, 0),
        ("final", 2, "b", near(50), 2, 1, 1),
        ("20", 1, "a", near(50), 2, 2, 0),
        ("20", 1, "b", near(50), 2, 1, 1),
        ("1200", 1, "a", near(100), 2, 2, 0),
        ("1200", 2, "b", near(50), 2, 1, 1),
    ]
    assert set(found["task"]) == {"MAP"}


def test_the_board_as_a_paper_table(lake: Path) -> None:
    opened = open_lake(lake)
    table = paper_table(opened, find_tables()["board"], scores=scored(opened))
    assert [column.heading for column in table.columns][-3:] == ["20", "1200", "final"]
    assert [[cell.text for cell in row][1:3] for row in table.rows] == [["1", "a"], ["2", "b"]]


def test_no_contest(toy: Path) -> None:
    with pytest.raises(AslibError, match="the lake has no contest"):
        board(open_lake(toy))


def test_a_mended_truth_is_imported_again(tmp_path: Path) -> None:
    def scores() -> list[tuple[str, float]]:
        ae.import_scenarios([tmp_path / "C"], into=tmp_path / "lake")
        return board(open_lake(tmp_path / "lake")).select("solver", "score").rows()

    given = {"networks/p.uai": PAIR, "roles/trivial/p.uai.PR": "PR\n0\n"}
    given |= {f"answers/{n}/p.uai.PR": f"PR\n{n}\n" for n in "12"}
    put(tmp_path, {**given, "roles/best/p.uai.PR": "PR\n2\n"})
    near = pytest.approx
    # Of log10: the error is the distance from the truth, and 2 that of 0 is trivial.
    assert scores() == [("2", near(100)), ("1", near(50))]
    with pytest.raises(AslibError, match="correct roles/best, and import the contest again"):
        best_changes(open_lake(tmp_path / "lake"), {("", "p"): 1.0})
    (tmp_path / "C" / "roles/best/p.uai.PR").write_text("PR\n1\n")
    assert scores() == [("1", near(100)), ("2", near(0))]


def test_a_better_answer_lowers_scores(lake: Path) -> None:
    # On q the best becomes 54: errors grow by log 54 / 16, of the trivial one too.
    known = {("", "q"): math.log10(54)}
    found, remarks = best_changes(open_lake(lake), known)
    assert remarks == ("the given values improve the best known answer of 1 instance: 'q of C-MAP'",)
    own = 100 * (1 - math.log(54 / 16) / math.log(54 / 6))
    near = pytest.approx
    columns = ["limit", "solver", "n", "instances", "lost", "score_before"]
    columns += ["score_after", "place_before", "place_after"]
    assert found.select(columns).rows() == [
        ("1200", "a", 2, 1, 1, near(100), near((100 + own) / 2), 1, 1),
        ("1200", "b", 2, 1, 1, near(50), near(own / 2), 2, 2),
        ("20", "a", 2, 1, 1, near(50), near(own / 2), 1, 1),
        ("20", "b", 2, 1, 1, near(50), near(own / 2), 1, 1),
    ]
    each, _ = best_changes(open_lake(lake), known, show="instances")
    assert set(each["instance_id"]) == {"q"}
    assert set(each["solver"]) == {"a", "b"}
    assert each["change"].to_list() == near([own - 100] * 4)


def test_changes_are_those_of_a_contest_that_knew_it(lake: Path, tmp_path: Path) -> None:
    put(tmp_path, {**FILES, "roles/best/q.uai.MAP": "MAP\n2 0 1\n"})
    ae.import_scenarios([tmp_path / "C"], into=tmp_path / "lake")
    after = {
        (limit, solver): score
        for limit, solver, score in board(open_lake(tmp_path / "lake"))
        .select("limit", "solver", "score")
        .rows()
    }
    better = {(TASK, "q"): math.log10(54)}
    found, _ = best_changes(open_lake(lake), better, weights=(1, 3))
    assert found["limit"].to_list() == ["1200"] * 2 + ["20"] * 2 + ["final"] * 2
    with pytest.raises(AslibError, match="one positive weight for each limit"):
        best_changes(open_lake(lake), better, weights=(1,))
    for limit, solver, value in found.select("limit", "solver", "score_after").rows():
        assert value == pytest.approx(after[limit, solver])


def test_nothing_is_better_where_no_answer_is_possible(tmp_path: Path) -> None:
    """Every state of n has a factor 0; on q the best becomes 54."""
    given = {"networks/n.uai": PAIR.replace("6 4", "0 0")}
    given["answers/a/n.uai.MAP"] = "MAP\n2 1 0\n"
    put(tmp_path, {**FILES, **given})
    ae.import_scenarios([tmp_path / "C"], into=tmp_path / "lake")
    better = {("", "n"): 1.0, ("", "q"): math.log10(54)}
    found, _ = best_changes(open_lake(tmp_path / "lake"), better, show="instances")
    assert set(found["instance_id"]) == {"q"}


def test_nothing_better_changes_nothing(lake: Path) -> None:
    found, remarks = best_changes(open_lake(lake), {("", "q"): math.log10(16) - 1})
    assert remarks == ("no given value is better than in the lake, so no score changes",)
    assert set(found["instances"]) == {0}
    assert set(found["change"]) == {0.0}


def test_what_is_no_better_answer(lake: Path, tmp_path: Path, toy: Path) -> None:
    with pytest.raises(AslibError, match="there is no instance z"):
        best_changes(open_lake(lake), {("", "z"): 1.0})
    with pytest.raises(AslibError, match="there is no instance D-MAP q"):
        best_changes(open_lake(lake), {("D-MAP", "q"): 1.0})
    with pytest.raises(AslibError, match="the lake has no contest of MAP or MMAP"):
        best_changes(open_lake(toy), {("", "q"): 1.0})
    file = tmp_path / "best.csv"
    file.write_text("network,log10_best\nq,1.5\n")
    assert read_best(file) == {("", "q"): 1.5}
    file.write_text("network,log10_best\nq,high\n")
    with pytest.raises(AslibError, match=r"best\.csv:2"):
        read_best(file)
    file.write_text("network\nq\n")
    with pytest.raises(AslibError, match="no column log10_best/best"):
        read_best(file)
    os.mkfifo(tmp_path / "pipe")  # which is not waited for
    with pytest.raises(AslibError, match="it is a pipe or a device"):
        read_best(tmp_path / "pipe")


# --- errors of marginals --------------------------------------------------------------


def test_marginals_by_variable(tmp_path: Path, shared: Path) -> None:
    # The network and the answer of the reference values.
    reference = json.loads((shared / "reference" / "uai.json").read_text())
    case = reference["example_scores_on_network"]["MAR"]
    answer = " ".join(f"{len(p)} {' '.join(map(str, p))}" for p in case["solver"])
    files = {
        "networks/n.uai": reference["example_network"]["uai_text"],
        "answers/s/n.uai.MAR": f"MAR\n3 {answer}\n",
        "answers/t/n.uai.MAR": "MAR\n1 2 0.5 0.5\n",
    }
    put(tmp_path, files)
    found = marginal_errors(tmp_path / "C")
    assert found.height == 6
    own = found.filter(solver="s")
    assert own["variable"].to_list() == [0, 1, 2]
    assert own["cardinality"].to_list() == [2, 2, 3]
    assert own["error"].mean() == pytest.approx(case["HErr"])
    assert own["trivial"].mean() == pytest.approx(case["MaxHErr"])
    assert own["share"].sum() == pytest.approx(1)
    # By hand: sqrt((sqrt .45 - sqrt .4)^2 + (sqrt .55 - sqrt .6)^2) / sqrt 2.
    first = math.hypot(0.45**0.5 - 0.4**0.5, 0.55**0.5 - 0.6**0.5) / 2**0.5
    assert own["error"][0] == pytest.approx(first)
    other = found.filter(solver="t")
    assert set(other["reason"]) == {"no valid answer"}
    assert set(other["error"]) == {None}


def test_observed_variables_have_no_error(tmp_path: Path) -> None:
    files = {
        "networks/p.uai": PAIR,
        "evidence/p.uai.evid": "1 1 0\n",
        "answers/s/p.uai.MAR": "MAR\n2 2 0.5 0.5 2 1 0\n",
    }
    put(tmp_path, files)
    found = marginal_errors(tmp_path / "C")
    # Y = 0 leaves 6 and 16: X = 0 in 6 of 22; the answer is the trivial one.
    distance = math.hypot(0.5**0.5 - (6 / 22) ** 0.5, 0.5**0.5 - (16 / 22) ** 0.5)
    row = (0, pytest.approx(distance / 2**0.5), pytest.approx(0, abs=1e-9), 1.0)
    assert found.select("variable", "error", "score", "share").rows() == [row]
    with pytest.raises(AslibError, match="not a contest with answers to MAR"):
        marginal_errors(tmp_path)


def test_better_answers_to_instances_of_one_name_are_told_for_each_scenario() -> None:
    known = {("", "p"): -1.0}
    rows = {"scenario_id": ["C", "D"], "instance_id": ["p", "p"], "best": [-2.0, -3.0]}
    assert _remarks(pl.DataFrame(rows), known) == (
        "the given values improve the best known answer of 2 instances: 'p of C', 'p of D'",
    )
