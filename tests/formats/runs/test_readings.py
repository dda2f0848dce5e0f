# ruff: noqa: E501 - a case a line
"""Tables that can be read in several ways: what is asked, and what answers do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.formats.runs import over, table_choices
from aslib_eval.formats.runs.cells import is_sum, is_virtual
from aslib_eval.formats.runs.found_runs import TableRun, TableRuns
from aslib_eval.formats.runs.layout import layout_of
from aslib_eval.formats.runs.raw_table import read_raw
from aslib_eval.formats.runs.table_runs import maximize, read_runs
from tests.formats.aslib.lint.test_rules import CLEAN


def reading(text: str, file: str = "t.csv", **given: Any) -> TableRuns:
    """The runs of a table, of the kind that the file's name says."""
    records = given.get("records", "")
    raw = read_raw(text.encode(), kind=Path(file).suffix, packed=False, file=file, records=records)
    choices = over(table_choices(**given), raw.stated, adds=True)
    return read_runs(layout_of(raw, choices), choices)


def asked(text: str, file: str = "t.csv", **given: Any) -> str:
    """Message and hint of the errors of a table that is refused."""
    errors = (f for f in reading(text, file, **given).findings if f.severity == "error")
    return " ".join(f"{f.message}. {f.hint}" for f in errors)


def scores(text: str, **given: Any) -> dict[str, tuple[float, float]]:
    """Solver → the share that it solves, and the mean of its PAR1 or its value."""
    found = reading(text, **given)
    assert [f for f in found.findings if f.severity == "error"] == []
    limit = found.cutoff or 1e9
    ends: dict[str, list[tuple[bool, float]]] = {}
    for run in found.runs:
        value = next(iter(run.values.values()))[0]
        ok = run.is_solved and value is not None and value < limit
        ends.setdefault(run.solver, []).append((ok, value or 0.0 if ok else limit))
    return {
        solver: (round(fmean(ok for ok, _ in each), 3), round(fmean(v for _, v in each), 4))
        for solver, each in ends.items()
    }


ACCURACIES = "task,forest,knn\nd1,0.95,0.80\nd2,0.90,0.70\nd3,0.99,0.85\n"


def test_cells_within_0_and_1_may_be_qualities() -> None:
    for cutoff in (None, 1, 300):
        told = asked(ACCURACIES, cutoff=cutoff)
        assert "the cells of 'forest', 'knn' are between 0 and 1" in told
        assert "For accuracies, add --cells accuracy." in told
        assert "For times, add --cells time." in told
    assert scores(ACCURACIES, cells="accuracy") == {"forest": (1, 0.9467), "knn": (1, 0.7833)}
    assert scores(ACCURACIES, cutoff=1, cells="time")["knn"] == (1, 0.7833)
    assert scores(ACCURACIES, cutoff=1, times_in="s")["knn"] == (1, 0.7833)


@pytest.mark.parametrize(
    ("cells", "said", "is_more"),
    [
        ("accuracy", {}, True),
        ("Acc", {}, True),
        ("f1", {}, True),
        ("win_rate", {}, True),
        ("log_loss", {}, False),
        ("error rate", {}, False),
        ("regret", {}, False),
        ("accuracy", {"minimize": ["accuracy"]}, False),
        ("score", {"maximize": ["score"]}, True),
        ("score", {"minimize": ["score"]}, False),
        ("objective", {"minimize": ["objective"]}, False),
        ("objective", {"maximize": ["objective"]}, True),
        ("score", {}, None),
        ("objective", {}, None),
        ("whatever", {}, None),
    ],
)
def test_a_quality_has_a_direction_by_its_name_or_as_its_user_says(
    cells: str, said: dict[str, Any], is_more: object
) -> None:
    if is_more is None:
        assert f"Add --maximize {cells} or --minimize {cells}." in asked(ACCURACIES, cells=cells)
        return
    found = reading(ACCURACIES, cells=cells, **said)
    assert [f for f in found.findings if f.severity == "error"] == []
    assert found.layout.quality == {cells: True}
    assert maximize(found, cells) is is_more


def test_a_measure_that_is_called_a_score_needs_a_direction_in_any_table() -> None:
    text = "instance,solver,score\ni,a,1\ni,b,2\n"
    column = {"objective": "score"}
    assert "Add --maximize score or --minimize score." in asked(text, column=column)
    assert not maximize(reading(text, column=column, minimize=["score"]), "score")
    assert "'time' is not a quality that can be minimised" in asked(text, column=column, minimize=["time"])


def test_truths_are_qualities() -> None:
    text = "prompt,a,b\np1,True,False\np2,True,True\np3,False,False\n"
    column = {"instance": "prompt"}
    assert "the cells of 'a', 'b' are truth values" in asked(text, column=column)
    for yes, no in (("True", "False"), ("1", "0"), ("yes", "no")):
        cells = text.replace("True", yes).replace("False", no)
        assert "--cells accuracy" in asked(cells, column=column)
        found = scores(cells, column=column, cells="accuracy")
        assert found == {"a": (1, 0.6667), "b": (1, 0.3333)}


def test_percentages_may_be_qualities() -> None:
    text = "task,a,b\nd1,95.5,80\nd2,90,70\nd3,100,85\n"
    for cutoff in (None, 100):
        told = asked(text, cutoff=cutoff)
        assert "below 100 and mostly above 50, like percentages" in told
    codes = {f.code for f in reading(text, cutoff=600).findings}
    assert "runs-direction" in codes  # a warning that they are taken as times
    for given in ({"cells": "time", "cutoff": 600}, {"cells": "accuracy"}):
        assert "runs-direction" not in {f.code for f in reading(text, **given).findings}
    assert scores(text, cells="accuracy") == {"a": (1, 95.1667), "b": (1, 78.3333)}


@pytest.mark.parametrize(
    ("one", "other"), [("95.5%", "80 %"), ("0.955 (0.01)", "0.8 (0.2)"), ("0.955±0.01", "0.8 +/- 0.2")]
)
def test_shares_and_means_are_read_as_they_are_written(one: str, other: str) -> None:
    text = f"task,a,b\nd1,{one},{other}\nd2,{one},{other}\n"
    assert "--cells accuracy" in asked(text)
    assert scores(text, cells="accuracy") == {"a": (1, 0.955), "b": (1, 0.8)}
    notes = [f.message for f in reading(text, cells="accuracy").findings if "read as" in f.message]
    assert notes == [f"accuracy of a on d1 is {one!r}, read as 0.955; 4 such runs: 2 of a, 2 of b"]


def test_a_run_without_a_value_failed() -> None:
    text = "task,a,b\nd1,5,inf\nd3,9,TO\nd4,9,2\n"
    found = reading(text, cells="cost")
    ends = [run.values["cost"] for run in found.runs if run.solver == "b"]
    assert ends == [(None, "timeout"), (None, "timeout"), (2, "ok")]
    told = [f.message for f in found.findings if "with no value ('TO')" in f.message]
    assert told == ["counted 1 run with no value ('TO') as timeout"]
    assert "cost of b on d3 is '5s', which is not a number" in asked(text.replace("TO", "5s"), cells="cost")


@pytest.mark.parametrize("cell", ["", "-"])
def test_a_quality_that_is_missing_is_no_failure_unasked(cell: str) -> None:
    text = f"task,a,b\nd1,0.5,0.7\nd2,0.5,{cell}\n"
    assert "b has 0 of 1 runs on d2" in asked(text, cells="accuracy")
    ends = [run.values["accuracy"] for run in reading(text, cells="accuracy", missing="crash").runs]
    assert ends == [(0.5, "ok"), (0.7, "ok"), (0.5, "ok"), (None, "crash")]


def test_cells_are_said_of_tables_with_a_column_a_solver() -> None:
    text = "instance,solver,time\ni,a,1\n"
    assert "--cells is for tables with one column per solver, but here 'solver' names" in asked(
        text, cells="accuracy"
    )
    assert "no column of a solver holds accuracy" in asked("task,size,id\nd1,x,1\n", cells="accuracy")


@pytest.mark.parametrize(
    "text",
    [
        "instance,a,b\ni,0.5,0.25\nj,TO,0.125\n",  # a word says that they are times
        "instance,a,b\ni,0.5,1.25\nj,0.75,0.125\n",
        "instance,a,b\ni,5,60\nj,60,2\nk,60,60\n",  # a timeout as the limit
        "instance,a,b\ni,5,6\n",
        "instance,MaxHS,Open.WBO.ms\ni,5,6\nj,7,8\n",
        "instance,glucose-3,glucose-4,minisat-3,minisat-4\ni,5,6,7,8\n",
        "instance,a_time,b_time\ni,5,6\n",
    ],
)
def test_a_column_a_solver_where_nothing_else_fits(text: str) -> None:
    header = text.partition("\n")[0].split(",")
    assert [*scores(text, cutoff=60)] == header[1:]


@pytest.mark.parametrize(
    "text",
    [
        "name,iterations,real_time,cpu_time\na,1000,50,49\nb,10,5000,4990\n",
        "name,a,b,time\na,1000,50,49\nb,10,5000,4990\n",
        "name,nodes9,solved\na,1000,1\nb,10,0\n",
    ],
)
def test_known_columns_beside_numbers_are_runs_of_one_solver(text: str) -> None:
    told = asked(text, cutoff=1e4, column={"instance": "name"})
    assert "each row seems to be a run, but no column is named solver or algorithm" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dataset,accuracy,rmse\nd,0.5,1.5\ne,0.7,2\n", "no column is named solver or algorithm"),
        ("problem,trans,solve,result\np,1,2,SAT\nq,3,4,SAT\n", "no column is named solver or algorithm"),
        ("file,lib,speed,cycles\nx,a,1,2\nx,b,3,4\ny,a,1,2\ny,b,3,4\n", "If 'lib' holds the solver, add --column solver=lib."),
        ("graph,time,ok,kind\nx,1,true,a\ny,2,false,b\nx,3,true,b\ny,4,true,a\n", "'kind' holds the solver, add --column solver=kind."),
        ("dataset,0,1,2\nd,0.5,0.7,0.6\ne,0.8,0.7,0.9\n", "If they are, add --duplicates number."),
        ("file,run1,run2\nd,5,7\ne,8,7\n", "If each is a solver, change the first line of the file to file,run1:time,run2:time."),
        ("file,a_1,a_2,b_1,b_2\nd,5,7,6,9\ne,8,7,9,1\n", "'a_1', 'a_2', 'b_1', 'b_2' may be repetitions"),
        ("file,algo,run1,run2\nd,a,5,7\nd,b,8,7\n", "If 'run1', 'run2' are times of repetitions, add --duplicates number."),
        ("file,a,a\nd,5,7\ne,8,7\n", "two columns are called 'a'. Rename one. If they are repetitions, add --duplicates number."),
        ("file,a,b\nd,0.5,-0.7\ne,-1,0.7\n", "the cells of 'a', 'b' are partly below 0 (-0.7), so perhaps they are not times."),
        ("fall,weg,wert\ni,x,5\ni,y,7\nj,x,6\nj,y,8\n", "or problem. The table has the columns fall, weg"),
        ("name,kind,vars,a,b\ni,x,1,5,7\nj,y,2,6,8\nk,x,2,6,8\n", "If the instance is in name, add --column instance=name."),
        ("inst,a time,b time,width\nx,1,2,7\ny,3,4,8\n", "columns of solvers: 'width'."),
        ("algo,r2,size\na,0.5,3\nb,0.7,4\n", "each solver has only one row, as if columns were instances"),
        ("algo,op,n,k,r2\na,x,1,9,0.5\na,y,1,9,0.25\nb,x,1,9,0.5\nb,y,1,9,0.1\n", "If the instance is in op, add --column instance=op."),
        ("algo,graph,k\na,g,1\nb,g,2\n", "To rank the runs by a quality, add --column objective=NAME."),
        ("algo,graph,timeout,time\na,g,yes,1\nb,g,no,2\n", "status=timeout --status no=ok --status yes=other."),
        ("graph,algo,time,tour_cost\ng,a,1,9\ng,b,2,8\n", "the measure to rank by may be 'time' or 'tour_cost'."),
        ("algo,lvl,set,run,time,best_cost\na,x,u,1,1,5\na,x,u,2,1,5\na,y,v,1,2,6\na,y,v,2,2,6\nb,x,u,1,1,6\nb,x,u,2,1,6\nb,y,v,1,2,7\nb,y,v,2,2,7\n", "If the instance is in lvl, add --column instance=lvl."),
        ("file,algo,host,dims,time\nx,a,k,2,1\nx,a,k,2,3\nx,a,k,5,1\nx,a,k,5,2\nx,b,k,2,1\nx,b,k,5,3\n", "If 'dims' tells instances apart, add --column instance=file+dims."),
        ("file,result,x,y\ni,FAIL,1,2\nj,PASS,3,4\n", "no column is named solver or algorithm"),
        ("file,requests,latency\nx,2,7\ny,1,8\n", "columns of solvers: 'requests', 'latency'."),
        ("file,Metric,a,b\nx,AUC,0.5,0.7\ny,MAE,5,7\n", "'Metric' names several measures: 'AUC', 'MAE'."),
        ("file,a,a,,\nx,5,7,1,2\n", "two columns are called '', 'a'. Name each column."),
        ("A title,,\nfile,a,b\nx,5,7\n", "two columns are called ''. Name each column. If the first line is a title, remove it."),
        ("g,a_time,a_end,b_time,b_end\nx,1,SAT,2,TO\n".replace("g", "file", 1), "'end' of each solver may say whether"),
    ],
)  # fmt: skip
def test_tables_of_one_row_a_run_are_not_read_as_solvers_side_by_side(text: str, said: str) -> None:
    assert said in asked(text, cutoff=10)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("file,a_1,a_2,b_1,b_2\nx,1,3,7,5\ny,2,2,8,8\n", {"a": (1, 2), "b": (1, 7)}),
        ("file,a-run0,b-run0,a-run1,b-run1\nx,1,7,3,5\ny,2,8,2,8\n", {"a": (1, 2), "b": (1, 7)}),
        ("file,a,b,a,b\nx,1,7,3,5\ny,2,8,2,8\n", {"a": (1, 2), "b": (1, 7)}),
        ("file,algo,seed_1,seed_2\nx,a,1,3\nx,b,7,5\ny,a,2,2\ny,b,8,8\n", {"a": (1, 2), "b": (1, 7)}),
        ("file,algo,time_1,time_2,status_1,status_2\nx,a,1,3,ok,ok\nx,b,7,5,ok,TO\n", {"a": (1, 2), "b": (0.5, 8.5)}),
        ("file,a_1,a_2\nx,1,3\ny,2,2\n", {"a_1": (1, 1.5), "a_2": (1, 2.5)}),  # configurations
        ("file,a_1,a_3,b_1,b_3\nx,1,3,7,5\n", {"a_1": (1, 1), "a_3": (1, 3), "b_1": (1, 7), "b_3": (1, 5)}),
    ],
)  # fmt: skip
def test_repetitions_side_by_side_are_runs_in_their_order(
    text: str, means: dict[str, tuple[float, float]]
) -> None:
    assert scores(text, cutoff=10, duplicates="number") == means


def test_a_quality_that_no_run_reached_is_still_what_ranks() -> None:
    text = "file,algo,objective,status\nx,a,,crash\nx,b,,timeout\n"
    assert scores(text, maximize=["objective"]) == {"a": (0, 1e9), "b": (0, 1e9)}


def test_qualities_near_the_largest_number() -> None:
    rows = "".join(f"{name},1e308,1.5e308,{n}\n" for n, name in enumerate("uvwxyz"))
    found = reading(f"file,a,b,c\n{rows}", cells="objective", maximize=["objective"])
    assert [f for f in found.findings if f.severity == "error"] == []
    assert [run.values["objective"][0] for run in found.runs[:3]] == [1e308, 1.5e308, 0]


def test_whether_more_or_less_of_a_quality_is_better_must_be_said() -> None:
    text = "graph,algo,cut\nx,a,1\nx,b,2\n"
    told = asked(text, column=["objective=cut"])
    assert told.endswith("better. Add --maximize cut or --minimize cut.")
    assert scores(text, column=["objective=cut"], minimize=["cut"]) == {"a": (1, 1), "b": (1, 2)}


def test_sixteen_columns_are_named_and_no_more() -> None:
    names = [f"c{n}" for n in range(17)]
    for n in (16, 17):
        told = asked(f"{','.join(names[:n])}\n{','.join('x' * n)}\n")
        assert f"The table has the columns {', '.join(names[:16])}{', …' * (n > 16)}. " in told


OTHER = "instance,ant,{}\ni,3,1.5\nj,4,2.5\nk,TO,1.5\n"


@pytest.mark.parametrize(
    "name",
    [
        *("Fold", "instance_hardness", "difference_to_best", "warmup_iter", "Iterations"),
        *("best_time_of_all", "test_id", "avg memory", "kissatRank"),
        *("optimality gap", "x_restarts", "x_score"),
    ],
)
def test_columns_that_are_called_like_no_solver_are_asked_about(name: str) -> None:
    told = asked(OTHER.format(name), cutoff=60)
    assert "not look like" in told
    assert repr(name) in told
    if name == "optimality gap":
        assert (
            "If they are not solvers, add --column 'ignore=optimality gap'. If they are solvers, " in told
        )
    ignored = scores(OTHER.format(name), cutoff=60, column={"ignore": name})
    assert ignored == {"ant": (0.667, 22.3333)}
    called = scores(OTHER.format(f"{name}:time"), cutoff=60)
    assert called[name] == (1, 1.8333)


@pytest.mark.parametrize(
    ("name", "role"),
    [("group", "attribute"), ("Family", "family"), ("scenario", "scenario"), ("expected", "expected")],
)
def test_a_solver_that_is_called_like_a_word_on_instances_is_asked_about(name: str, role: str) -> None:
    text = f"instance,ant,{name},cat\ni1,5,7.5,50\ni2,9,TO,3\ni3,,12,8\n"
    told = asked(text, cutoff=100)
    assert f"{name!r} has the cells of a solver, but the name of an attribute of instances" in told
    assert (
        f"change the first line of the file to instance,ant,{name}:time,cat. Otherwise, add --column {role}={name}."
        in told
    )
    renamed = scores(text.replace(name, f"{name}:time"), cutoff=100)
    assert renamed[name] == (0.667, round((7.5 + 100 + 12) / 3, 4))
    assert set(renamed) == {"ant", name, "cat"}
    assert set(scores(text, cutoff=100, column=[f"{role}={name}"])) == {"ant", "cat"}


@pytest.mark.parametrize("text", ["instance,ant,group\ni1,5,g1\ni2,9,2\n",
                                  "instance,ant:time,group\ni1,5,1\ni2,9,2\n"])  # fmt: skip
def test_words_on_instances_that_are_no_solver_are_not_asked_about(text: str) -> None:
    found = reading(text, cutoff=100)
    assert list(found.layout.attribute) == ["group"]
    assert {run.solver for run in found.runs} == {"ant"}


def test_numbers_that_may_be_truths_counts_or_shares_are_named() -> None:
    rows = [f"i{n},{n}.5,{5 - n}.25,{n % 2},{n * 3},0.{n + 1}" for n in range(5)]
    text = "\n".join(["instance,ant,bee,bit,whole,share", *rows]) + "\n"
    assert asked(text, cutoff=60).startswith("these columns do not look like columns of solvers")
    column = {"ignore": "bit"}
    told = asked(text, cutoff=60, column=column)
    assert told.startswith("'whole' has whole numbers only, and the others do not")
    column = {"ignore": ["bit", "whole"]}
    (found,) = (
        f
        for f in reading(text, cutoff=60, column=column).findings
        if "share" in f.message and f.code == "runs-solver"
    )
    assert found.message.startswith("'share' has times from 0 to 1")


@pytest.mark.parametrize("name", ["loss", "avg_loss", "mean of all", "num.restarts", "Wins", "oracleRun"])
def test_columns_that_are_computed_or_count_are_not_read(name: str) -> None:
    assert [*scores(OTHER.format(name), cutoff=60)] == ["ant"]


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (["2", "4.5", "2.25", "6.75", "6.5"], "the difference of 'a' and 'b'"),
        (["2", "5.5", "3.25", "6.4", "3.6"], "the ratio of 'b' and 'a'"),
        (["2", "1", "1.25", "1.5", "2.75"], ""),
        (["3.0", "3.25", "2.125", "4.625", "5.75"], "the mean of the others"),
        (["6", "6.5", "4.25", "9.25", "11.5"], "the sum of the others"),
        (["4", "5.5", "3.25", "8", "9.25"], ""),
    ],
)
def test_a_column_that_is_made_of_others_is_asked_about(cells: list[str], what: str) -> None:
    a, b = ["2", "1", "1", "1.25", "2.5"], ["4", "5.5", "3.25", "8", "9"]
    lines = (",".join(row) for row in zip("ijklm", a, b, cells, strict=True))
    text = "\n".join(["instance,a,b,it", *lines]) + "\n"
    told = asked(text, cutoff=60)
    assert f"'it' is {what}" in told if what else not told
    called = text.replace("a,b,it", "a:time,b:time,it:time")
    assert [*scores(called, cutoff=60)] == ["a", "b", "it"]


def test_features_are_no_runs() -> None:
    text = "instance,f1,f2\ni1,0.5,4.2\ni2,0.25,3.9\n"
    told = asked(text, cutoff=100)
    assert "or add them to the table of runs as feature:f1, feature:f2." in told
    other = text.replace("f1,f2", "size7,width")
    assert "may be features" in asked(other, "S/Features.csv", cutoff=100)


def test_a_folder_of_description_and_tables_names_its_tables(tmp_path: Path) -> None:
    (tmp_path / "description.txt").write_text(CLEAN["description.txt"])
    (tmp_path / "runtime.csv").write_text("instance,a,b\ni,1.5,20\nj,30,100\n")
    found = [f for f in ae.check_paths(tmp_path) if f.severity == "error"]
    there = f"Give the file itself: the folder holds {tmp_path / 'runtime.csv'}."
    import_it = f"To import a table of runs, give the file itself: {tmp_path / 'runtime.csv'}."
    assert [(f.code, f.hint) for f in found] == [("runs-empty", import_it)]
    with pytest.raises(AslibError) as raised:
        ae.check_paths(tmp_path, cutoff=100)
    assert raised.value.hint == there


LONG = "problem,solver,runtime,{}\np1,gu,0.01,{f}\np2,gu,0.02,{f}\np3,gu,0.03,{t}\n"
LONG += "p1,pi,1.5,{t}\np2,pi,2.5,{t}\np3,pi,3.5,{t}\n"


@pytest.mark.parametrize(
    ("name", "yes", "no", "typed"),
    [
        ("found", "True", "False", {}),
        ("feasible", "yes", "no", {}),
        ("converged", "1", "0", {"1": "ok", "0": "other"}),
        ("ok", "1.0", "0.0", {"1.0": "ok", "0.0": "other"}),
        ("valid", "T", "F", {"t": "ok", "f": "other"}),
        ("timed_out", "False", "True", {"true": "other", "false": "ok"}),
        ("state", "ok", "timeout", {}),
        ("state", "ok", "killed", {}),
    ],
)
def test_a_column_that_may_say_what_is_solved_is_asked_about(
    name: str, yes: str, no: str, typed: dict[str, str]
) -> None:
    text = LONG.format(name, t=yes, f=no)
    told = asked(text, cutoff=1000)
    assert told.startswith(f"column {name!r} may say whether a run is solved")
    options = [f"--status {word}={kind}" for word, kind in typed.items()]
    wanted = (f"--column status={name}", f"Otherwise, add --column ignore={name}.", *options)
    assert all(each in told for each in wanted)
    assert not any("--measure-column" in f.hint for f in reading(text, cutoff=1000).findings)
    found = scores(text, cutoff=1000, column={"status": name}, status=typed)
    assert found == {"gu": (0.333, 666.6767), "pi": (1, 2.5)}
    ignored = scores(text, cutoff=1000, column={"ignore": name})
    assert ignored == {"gu": (1, 0.02), "pi": (1, 2.5)}


def test_a_truth_beside_a_status_is_asked_about_where_it_goes_with_runs() -> None:
    text = "instance,solver,time,status,easy\ni,a,3,ok,yes\ni,b,4,ok,yes\n"
    of_instances = f"{text}j,a,5,ok,no\nj,b,6,ok,no\n"
    assert scores(of_instances, cutoff=60) == {"a": (1, 4), "b": (1, 5)}
    of_runs = f"{text}j,a,5,ok,no\nj,b,6,ok,yes\n"
    told = asked(of_runs, cutoff=60)
    assert "If it does, add --column answer=easy --status yes=ok --status no=other." in told
    column, status = {"answer": "easy"}, {"yes": "ok", "no": "other"}
    found = scores(of_runs, cutoff=60, column=column, status=status)
    assert found == {"a": (0.5, 31.5), "b": (1, 5)}


@pytest.mark.parametrize(("header", "ends"), [("result", "sat"), ("status,answer", "ok,sat")])
def test_a_truth_beside_the_answers_can_only_be_left_out(header: str, ends: str) -> None:
    rows_ = "".join(f"{i},{s},3,{ends},{easy}\n" for i, s, easy in ("iay", "iby", "jan", "jby"))
    told = asked(f"instance,solver,time,{header},easy\n{rows_}", cutoff=60)
    assert told.startswith("column 'easy' may say whether a run is solved")
    assert "--column answer=" not in told
    assert "--column ignore=easy" in told


ROUTED = "query,solver,{},{}\nq1,a,{},0.1\nq1,b,0.75,0.9\nq2,a,0.75,0.2\nq2,b,0.75,0.8\n"


def test_what_counts_is_asked() -> None:
    column = {"instance": "query"}
    text = ROUTED.format("correct", "cost", 0).replace("0.75", "1")
    told = asked(text, column=column)
    assert "If runs are ranked by it, add --column objective=correct --maximize correct." in told
    best = {**column, "objective": "correct"}
    assert scores(text, column=best, maximize=["correct"])["b"] == (1, 1)
    text = ROUTED.format("score", "cost", 0.5)
    assert "the measure to rank by may be 'cost' or 'score'" in asked(text, column=column)
    best = {**column, "objective": "score"}
    assert scores(text, column=best, maximize=["score"])["b"] == (1, 0.75)
    assert scores(text, column={**column, "ignore": "score"})["b"] == (1, 0.85)

    text = ROUTED.format("accuracy", "runtime", 0.5)
    assert "the measure to rank by may be 'runtime' or 'accuracy'" in asked(text, cutoff=60, column=column)
    best = {**column, "objective": "accuracy", "ignore": "runtime"}
    assert scores(text, column=best, maximize=["accuracy"])["b"] == (1, 0.75)
    left = {**column, "ignore": "accuracy"}
    assert scores(text, cutoff=60, column=left)["a"] == (1, 0.15)
    text = ROUTED.format("path_length", "runtime", 0.75)  # of the instance, for all solvers
    assert scores(text, cutoff=60, column=column)["a"] == (1, 0.15)
    text = "file,metric,a,b\nx,AUC,5,7\ny,F1,6,9\n"
    assert scores(text, cutoff=60, column={"attribute": "metric"})["a"] == (1, 5.5)


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        *(("time_ms", "ms"), ("time_us", "us"), ("time [µs]", "us")),
        *(("wall_time_ns", "ns"), ("runtime [ms]", "ms"), ("time_ms_total", "ms")),
    ],
)
def test_a_cutoff_says_its_unit_where_the_times_do(column: str, unit: str) -> None:
    text = f"instance,solver,{column}\ni,a,2900\nj,a,5\n"
    assert f"Add --cutoff 300s or --cutoff 300{unit}." in asked(text, cutoff=300)
    assert asked(text.replace("2900", "29"), cutoff=300)
    assert scores(text, cutoff="300s")["a"] == (1, 1452.5)
    assert scores(text, cutoff=f"300{unit}")["a"] == (0.5, 152.5)
    assert scores(text.replace("2900", "299"), cutoff=300)["a"] == (1, 152)


def test_a_column_of_cutoffs_says_its_unit_too() -> None:
    text = "instance,solver,time_ms,timeout\ni,a,2900,300\nj,a,5,300\n"
    assert "has no unit" in asked(text)


def test_a_cutoff_below_nearly_all_times_is_refused() -> None:
    text = "instance,solver,time\n" + "".join(f"i{n},a,{n}900\n" for n in range(1, 11))
    told = asked(text, cutoff=300)
    assert told.startswith("100% of the ok runs take longer than the cutoff")
    assert scores(text, cutoff=300, times_in="ms") == {"a": (1, 6.4)}
    assert scores(text, cutoff=300, times_in="s") == {"a": (0, 300)}
    assert "runs-unsolved" in {f.code for f in reading(text, cutoff=4500).findings}


@pytest.mark.parametrize(
    "name",
    [
        *("Average_Rank", "Average Rank", "Avg. rank", "average-rank", "AverageRank"),
        *("Wins", "Win", "# wins", "Geo. mean", "Geo mean", "Shifted geom. mean"),
        *("Total time", "TOTAL", "Mean (all)", "PAR 2", "PAR10 score", "Std. dev."),
        *("num solved", "Solved instances", "25%", "max", "Win rate", "std deviation"),
    ],
)
def test_rows_that_sum_up(name: str) -> None:
    text = f"instance,a,b\ni1,10,20\ni2,20,40\n{name},1.0,2.0\nWins,2,0\n"
    assert scores(text, cutoff=100) == {"a": (1, 15), "b": (1, 30)}


def test_names_that_are_no_sums_and_no_virtual_solvers() -> None:
    assert not any(map(is_sum, ["i1", "sum_10.cnf", "geo_7", "time", "best", "x win"]))
    assert not any(map(is_virtual, ["coracle", "best", "single", "sbsat", "random"]))


@pytest.mark.parametrize(
    "name",
    [
        *("Oracle", "oracle_x", "global_oracle", "oracleRun", "Dataset Oracle", "SBS"),
        *("VBSRun", "time VBS", "best-single", "my_sbs", "VirtualBest", "single_best_x"),
    ],
)
def test_virtual_solvers_by_one_rule(name: str) -> None:
    rows = "".join(f"{i},{s},3\n" for i in "ij" for s in ("ant", name))
    assert [*scores(f"instance,solver,time\n{rows}", cutoff=60)] == ["ant"]


def of_qualities(made: Callable[[float, float, float], float], n: int = 9) -> str:
    rows = [((k % 3 * 9 + k) / 64, (k + 1) % 4 / 8, k * k % 7 / 8) for k in range(n)]
    lines = [f"d{k},{a},{b},{c},{made(a, b, c)}" for k, (a, b, c) in enumerate(rows)]
    return "\n".join(["task,a,b,c,it", *lines]) + "\n"


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (lambda *of: max(of), "the largest of the others"),
        (lambda *of: min(of) + max(of) / 8, ""),
        (lambda *of: fmean(of), "the mean of the others"),
        (lambda a, b, c: abs(a - c), "the difference of 'a' and 'c'"),  # noqa: ARG005
    ],
)
def test_a_quality_that_is_made_of_others_is_asked_about(
    made: Callable[[float, float, float], float], what: str
) -> None:
    text = of_qualities(made)
    told = asked(text, cells="accuracy")
    assert f"'it' is {what}. If it is not a solver, add --column ignore=it." in told if what else not told
    assert [*scores(text, cells="accuracy", column={"ignore": "it"})] == ["a", "b", "c"]
    called = text.replace(",it", ",it:accuracy")
    assert [*scores(called, cells="accuracy")] == ["a", "b", "c", "it"]


@pytest.mark.parametrize(("n", "is_asked"), [(19, False), (20, True)])
def test_the_best_of_each_of_many_truths_is_asked_about(n: int, is_asked: bool) -> None:  # noqa: FBT001
    rows = [(k % 2, k % 3 % 2, k % 5 % 2) for k in range(n)]
    lines = [f"d{k},{a},{b},{c},{max(a, b, c)}" for k, (a, b, c) in enumerate(rows)]
    text = "\n".join(["task,a,b,c,it", *lines]) + "\n"
    assert ("'it' is the largest of the others" in asked(text, cells="accuracy")) is is_asked


@pytest.mark.parametrize("row", ["Mean,1,2", "Average Rank,1,2", "Wins,1,2", "Shifted geom. mean,1,2"])
def test_last_rows_that_sum_up_are_left_out(row: str) -> None:
    text = f"instance,a,b\ni1,10,20\ni2,20,40\n{row}\n{row}\n"
    assert scores(text, cutoff=100) == {"a": (1, 15), "b": (1, 30)}


def test_a_mean_before_instances_is_refused() -> None:
    text = "instance,a,b\ni1,10,20\nAverage,10,20\nj1,20,40\n"
    for each in (text, text.replace("i1,10,20\n", "")):
        assert asked(each, cutoff=100).startswith(
            "'Average' may be a summary of other rows and not an instance"
        )
    assert len(scores(text.replace("Average", "max"), cutoff=100)) == 2  # as a program may be called


def test_long_names_of_instances_are_cut() -> None:
    long = [f"{'word ' * 50}{end}" for end in "xy"]
    text = "prompt,solver,time\n" + "".join(f"{name},a,1\n" for name in (*long, "z" * 200))
    names = reading(text, cutoff=10, column={"instance": "prompt"}).instances
    assert [len(name) for name in names] == [59 + 14, 59 + 14, 200]
    assert names[0].startswith("word word ")
    assert names[0] != names[1]


def test_rows_of_names_above_what_columns_hold() -> None:
    header = "tool\tcp 1\tcp 1\tes 7\tes 7\nrun set\tpred\tpred\t\t\n"
    text = header + "task\tstatus\tcputime (s)\tstatus\tcputime (s)\na\ttrue\t10\tTO\t90\n"
    assert scores(text, cutoff=60) == {"cp 1 pred": (1, 10), "es 7": (0, 60)}
    text = "tool,cp,,es,\ntask,status,cpu_s,status,cpu_s\na,true,10,TO,90\n"
    assert scores(text, cutoff=60) == {"cp": (1, 10), "es": (0, 60)}
    text = "tool,cp,,es,\ntask,time,memory,time,memory\na,1,10,2,90\n"
    assert scores(text, cutoff=60) == {"cp": (1, 1), "es": (1, 2)}
    text = "tool,cp,cp\ntask,time,memory\na,1,10\nb,2,20\n"
    assert scores(text, cutoff=60) == {"cp": (1, 1.5)}


def test_the_best_of_two_is_asked_about() -> None:
    rows = "".join(f"d{k},0.{k + 1},0.{9 - k},0.{max(k + 1, 9 - k)}\n" for k in range(9))
    assert "'it' is the largest of the others" in asked(f"task,a,b,it\n{rows}", cells="accuracy")


def test_a_status_says_more_than_a_word_in_the_place_of_a_value() -> None:
    found = reading("i,a:objective,a:status\ni1,TO,crash\ni2,3,ok\n", column={"instance": "i"})
    assert [run.values["objective"] for run in found.runs] == [(None, "crash"), (3, "ok")]
    assert "counted 1 run with no value ('TO') as crash" in [f.message for f in found.findings]


def test_a_name_above_goes_on_where_it_stands_again() -> None:
    text = "tool\tcp\tcp\tes\tes\nset\tx\t\ty\t\ntask\tstatus\tcpu_s\tstatus\tcpu_s\na\tok\t1\tok\t2\n"
    assert scores(text, cutoff=60) == {"cp x": (1, 1), "es y": (1, 2)}


def test_a_third_row_of_solvers_is_refused() -> None:
    text = "instance,A,A,B,B\n,c,c,d,d\n,time,status,time,status\ni,1,ok,2,ok\n"
    assert scores(text, cutoff=60) == {"A c": (1, 1), "B d": (1, 2)}
    assert "two columns are called 'A', 'B'" in asked(text.replace("\n,t", "\n,e,e,f,f\n,t"), cutoff=60)


@pytest.mark.parametrize(("n", "more"), [(16, ""), (17, ",…")])
def test_a_first_line_to_type_has_sixteen_names(n: int, more: str) -> None:
    names = [f"n{k}" for k in range(n)]
    table = read_raw(f"{','.join(names)}\n".encode(), kind=".csv", packed=False, file="t.csv")
    first = ",".join(("new", *names[1:16]))
    assert table.called({"n0": "new"}) == f"change the first line of the file to {first}{more}"
    other = read_raw(b'{"a": 1, "b": 2}', kind=".jsonl", packed=False, file="t.jsonl")
    assert other.called({"a": "a:time"}) == "rename 'a' to 'a:time'"


def test_columns_of_truths_are_named_without_those_of_texts_or_nothing() -> None:
    told = asked("instance,a,b,c,about\ni,True,,False,hard\nj,False,,True,easy\n")
    assert "the cells of 'a', 'c' are truth values" in told
    assert "For times" not in told


def test_a_column_whose_name_begins_with_a_number_sign_is_a_count() -> None:
    text = "problem,#inst,a,b,#\ni,1,2,3,7\nj,2,4,5,7\n"
    assert scores(text, cutoff=9) == {"a": (1, 3), "b": (1, 4)}
    assert scores("#instance,a,b\ni,2,3\nj,4,5\n", cutoff=9) == {"a": (1, 3), "b": (1, 4)}


def test_times_of_the_system_do_not_name_solvers() -> None:
    rows = [f"{i},{who},{t},1.5,0.{t}5" for i in "ij" for who, t in (("ant", 2), ("bee", 3))]
    text = "\n".join(["file,who,mean_time,user,system", *rows])
    assert "add --column solver=who." in asked(text, cutoff=9)
    assert scores(text, cutoff=9, column=["solver=who"]) == {"ant": (1, 2), "bee": (1, 3)}


def test_a_single_column_called_like_a_time_is_no_solver() -> None:
    assert "no column is named solver" in asked("instance,Time Required\ni,1\nj,2\n", cutoff=9)


def test_names_of_solvers_may_begin_or_end_like_times() -> None:
    text = "task,t-net,Time-CNN,FCN\ni,68.4(7.1),84.4(0.7),82.9(0.6)\nj,60(1.0),80(0.2),90(0.1)\n"
    assert scores(text, cells="accuracy") == {"t-net": (1, 64.2), "Time-CNN": (1, 82.2), "FCN": (1, 86.45)}


def test_times_with_units_are_no_keys() -> None:
    text = "name,model,engine,median\nx,count,a,25.1us\ny,count,a,99ms\nz,grep,a,1.5s\nw,grep,a,2.5s\n"
    assert "If the instance is in name, add --column instance=name" in asked(text)


def test_a_text_that_is_called_cpu_is_no_time() -> None:
    text = "instance,solver,cpu,solve_time\ni,ant,8/arm,2\ni,bee,8/arm,3\n"
    assert scores(text, cutoff=9) == {"ant": (1, 2), "bee": (1, 3)}


def test_the_whole_time_counts_before_a_part_of_it() -> None:
    text = "instance,solver,solve_time,total_time,status\ni,ant,1,8,ok\ni,bee,3,4,ok\n"
    assert scores(text, cutoff=9) == {"ant": (1, 8), "bee": (1, 4)}
    assert scores(text, cutoff=9, column=["time=solve_time"]) == {"ant": (1, 1), "bee": (1, 3)}
    lacking = text.replace("ant,1,", "ant,,")
    assert "or add --column ignore=solve_time." in asked(lacking, cutoff=9)


def test_a_first_line_may_be_a_run() -> None:
    assert "does not hold column names: it has 54" in asked("x/i1,ant,SAT,54\nx/i2,ant,SAT,10\n")


def test_a_negative_time_may_stand_for_a_failure() -> None:
    text = "instance,a,b\ni,-1,3\nj,2,4\n"
    assert "as in --status -1=timeout." in asked(text, cutoff=9)
    assert scores(text, cutoff=9, status=["-1=timeout"]) == {"a": (0.5, 5.5), "b": (1, 3.5)}


def test_a_column_of_thousands_may_be_no_solver() -> None:
    text = 'instance,a,Entries\ni,3,"41,127"\nj,4,"1,250"\n'
    assert "If the column is no solver, add --column ignore=Entries." in asked(text, cutoff=9)
    assert scores(text, cutoff=9, column=["ignore=Entries"]) == {"a": (1, 3.5)}


def test_seconds_of_solving_are_times_beside_the_value_that_was_found() -> None:
    text = "problem,method,read_seconds,solve_seconds,total_seconds,objective\n"
    text += "p,ant,1,7,8,-5\np,bee,1,2,3,-4\n"
    assert scores(text, cutoff=9) == {"ant": (1, 8), "bee": (1, 3)}
    assert [*reading(text, cutoff=9).layout.quality] == ["total_seconds", "solve_seconds", "objective"]


@pytest.mark.parametrize("name", ["answer", "status", "expected", "objective", "note"])
def test_words_on_each_instance_beside_several_solvers(name: str) -> None:
    assert scores(f"instance,{name},ant,bee\ni,sat,1,9\nj,unsat,3,4\n", cutoff=9) == {
        "ant": (1, 2),
        "bee": (0.5, 6.5),
    }
    is_asked = "no column is named solver" in asked(f"instance,{name},ant\ni,sat,1\nj,unsat,3\n", cutoff=9)
    assert is_asked == (name not in ("expected", "note"))


def test_a_run_is_solved_by_all_its_measures() -> None:
    ends = [{"t": (1.0, "ok"), "q": (None, end)} for end in ("ok", "crash")]
    assert [TableRun(2, "i", "ant", 1, values).is_solved for values in ends] == [True, False]


def test_commas_in_a_table_of_tabs_are_parts_of_cells() -> None:
    raw = read_raw(b"a,b,c\td\ni,j,k\t1\n", kind=".tsv", packed=False, file="t.tsv")
    assert (raw.header, raw.rows) == (("a,b,c", "d"), ((2, ("i,j,k", "1")),))


@pytest.mark.parametrize("name", ["metric", "metric_name", "measure", "eval_metric", "scoring", "Metric"])
def test_a_column_that_names_several_measures_is_asked_about(name: str) -> None:
    told = asked(f"instance,{name},ant,bee\ni,acc,1,2\ni,f1,3,4\n", cutoff=9)
    assert told.startswith(f"{name!r} names several measures: 'acc', 'f1'. ")
    assert scores(f"instance,{name},ant,bee\ni,acc,1,2\nj,acc,3,4\n", cutoff=9).keys() == {"ant", "bee"}


@pytest.mark.parametrize("name", ["VBS:time", ":time"])
def test_a_column_of_no_solver_is_left_out_although_it_says_what_it_holds(name: str) -> None:
    assert scores(f"instance,ant:time,{name}\ni,1,2\nj,3,4\n", cutoff=9) == {"ant": (1, 2)}


def test_a_time_without_a_solver_beside_parts_of_solvers_is_left_out() -> None:
    text = "instance,cpu_time,ant:time,bee:time\ni,7,1,2\nj,8,3,4\n"
    assert scores(text, cutoff=9) == {"ant": (1, 2), "bee": (1, 3)}


def test_a_part_that_is_chosen_as_a_measure_is_one() -> None:
    text = "instance,ant:time,ant:foo\ni,1,7\nj,3,8\n"
    assert scores(text, cutoff=9) == {"ant": (1, 2)}
    assert asked(text, cutoff=9, measure_column=["foo"]).startswith("each solver has 'time', 'foo', and")


@pytest.mark.parametrize(("rows", "is_summary"), [("a,1\nb,3\n", True), ("a,1\na,2\nb,3\n", False)])
def test_a_row_for_each_solver_is_a_summary(rows: str, is_summary: bool) -> None:  # noqa: FBT001
    told = asked(f"solver,score\n{rows}")
    assert told.startswith("no column is named instance, benchmark or problem")
    assert ("each solver has only one row" in told) == is_summary


def test_words_that_repeat_beside_solvers_name_solvers_where_instances_repeat() -> None:
    text = "instance,k,ant,bee\n{},x,1,2\n{},x,3,4\n{},y,1,2\n{},y,3,4\n"
    assert scores(text.format(*"ijkl"), cutoff=9) == {"ant": (1, 2), "bee": (1, 3)}
    assert "If 'k' holds the solver, add --column solver=k." in asked(text.format(*"ijij"), cutoff=9)


def test_a_quality_beside_times_and_statuses_is_asked_about_without_one_of_them() -> None:
    text = "instance,solver,time,status,accuracy\ni,ant,1,ok,0.5\nj,ant,2,ok,0.7\n"
    assert scores(text, cutoff=9) == {"ant": (1, 1.5)}
    assert "accuracy" in asked(text.replace("status", "note"), cutoff=9)


def test_a_record_of_words_such_as_time_is_no_row_of_names() -> None:
    lines = b'{"instance": "i", "ant": "time", "bee": "time"}\n{"instance": "j", "ant": "1", "bee": "2"}\n'
    raw = read_raw(lines, kind=".jsonl", packed=False, file="t.jsonl")
    assert layout_of(raw, table_choices()).table.header == ("instance", "ant", "bee")


def test_one_solver_that_is_called_like_a_time_does_not_make_the_others_odd() -> None:
    assert scores("instance,ant_time,bee\ni,1.5,2\nj,3,TO\n", cutoff=9).keys() == {"ant_time", "bee"}
    two = "instance,ant_time,cow_time,bee\ni,1.5,2,3\nj,3,TO,4\n"
    assert "do not look like columns of solvers: 'bee'" in asked(two, cutoff=9)


def test_a_word_in_a_column_of_truths_is_told_with_its_line() -> None:
    found = reading("prompt,a,b\np1,yes,x\np2,yes,no\n", column=["instance=prompt"], cells="accuracy")
    assert [(f.line, f.message) for f in found.findings if f.severity == "error"] == [
        (2, "accuracy of b on p1 is 'x', which is not a number")
    ]
