# ruff: noqa: E501 - a case a line
"""Tables of any optimiser's results: task, method, seed, metric, value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.formats import CATALOGUE, is_runtime, known, plain, similar
from aslib_eval.formats.results import read_results
from tests.conftest import opened, rows
from tests.experiments import imported, refused, write_table

HEADER = "task,method,seed,metric,value"
ROWS: list[tuple[Any, ...]] = [
    ("iris", "A", 1, "F1 Score", 0.9),
    ("iris", "A", 2, "F1 Score", 0.7),
    ("iris", "B", 1, "f1", 0.5),
    ("iris", "B", 2, "f1", ""),
    ("mysql", "A", 1, "Latency", 12),
    ("mysql", "B", 1, "latency", 7.5),
]


def table(tmp_path: Path, data: list[tuple[Any, ...]], header: str = HEADER) -> Path:
    return write_table(tmp_path / "T.csv", data, header)


def test_metrics_become_measures_with_their_direction(tmp_path: Path) -> None:
    con = opened(imported(table(tmp_path, ROWS), tmp_path / "lake"))
    about = "select measure, measure_index, maximize from raw_scenario order by 2"
    assert rows(con, about) == [("f1", 1, True), ("latency", 2, False)]
    runs = """
        select instance_id, algorithm, repetition, measure, value, runstatus
        from raw_run order by all
    """
    assert rows(con, runs) == [
        ("iris", "A", 1, "f1", 0.9, "ok"),
        ("iris", "A", 2, "f1", 0.7, "ok"),
        ("iris", "B", 1, "f1", 0.5, "ok"),
        ("iris", "B", 2, "f1", None, "crash"),
        ("mysql", "A", 1, "latency", 12.0, "ok"),
        ("mysql", "B", 1, "latency", 7.5, "ok"),
    ]


def test_the_single_best_has_the_most_of_what_is_to_be_maximised(tmp_path: Path) -> None:
    data = [
        ("t1", "A", 1, "throughput", 10),
        ("t1", "B", 1, "throughput", 20),
        ("t1", "A", 1, "latency", 10),
        ("t1", "B", 1, "latency", 20),
    ]
    whole = ae.Protocol(measures="all")
    con = ae.connect(imported(table(tmp_path, data), tmp_path / "lake"), protocols=[whole])
    best = "select measure, sbs from scenario_baseline order by measure"
    assert rows(con, best) == [("latency", "A"), ("throughput", "B")]


def test_a_folder_of_results_and_no_seed(tmp_path: Path) -> None:
    data = [("t", "A", "depth", 3, "max"), ("t", "B", "depth", 4, "")]
    header = "task,method,metric,value,direction"
    path = write_table(tmp_path / "T" / "results.csv", data, header).parent
    con = opened(imported(path, tmp_path / "lake"))
    about = "select scenario_id, measure, maximize from raw_scenario"
    assert rows(con, about) == [("T", "depth", True)]
    assert rows(con, "select distinct repetition from raw_run") == [(1,)]


RUNS_HINT = (
    "Give runs as a table of runs, with the columns instance, solver and time (docs/runs.md)."
    " If a time is itself what is optimised, give it another name, such as execution_time."
)


@pytest.mark.parametrize("direction", ["", "min"])
def test_a_runtime_is_no_quality(tmp_path: Path, direction: str) -> None:
    data = [("t", "A", 1, "f1", 1, ""), ("t", "A", 1, "CPU time", 3, direction)]
    path = table(tmp_path, data, f"{HEADER},direction")
    what = "T.csv:3: CPU time is a runtime, and a table of results holds qualities"
    assert refused(path, tmp_path / "lake") == [f"{what}. {RUNS_HINT}"]
    path = table(tmp_path, [("t", "A", 1, "execution_time", 3, "min")], f"{HEADER},direction")
    imported(path, tmp_path / "lake")


@pytest.mark.parametrize(
    "header", ["instance_id,repetition,algorithm,runtime,runstatus", "task,method,CPU time [s]"]
)
def test_a_table_of_runs_is_no_table_of_results(tmp_path: Path, header: str) -> None:
    path = write_table(tmp_path / "runs.csv", [], header)
    with pytest.raises(AslibError) as raised:
        ae.import_scenarios([path], into=tmp_path / "lake", input_format="table")
    said = f"{path}: is a table of runs, not of results. {RUNS_HINT}"
    assert str(raised.value) == said


def test_a_csv_of_something_else_is_told_what_a_table_has(tmp_path: Path) -> None:
    path = write_table(tmp_path / "o.csv", [(1, 2)], "a,b")
    with pytest.raises(AslibError, match="name its columns task, method, metric"):
        ae.import_scenarios([path], into=tmp_path / "lake")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([("t", "A", 1, "latnecy", 1)], "2: it is not known whether more latnecy is better. Did you mean latency?"),
        ([("t", "A", 1, "auc", 93.5)], "2: auc cannot be 93.5: it is in [0, 1]"),
        ([("t", "A", 1, "Binding Affinity", 2)], "2: Binding Affinity cannot be 2: it is in [-∞, 0]"),
        ([("t", "A", 1, "mae", 1), ("t", "A", 1, "MAE", 2)], "3: the same run as in line 2"),
        ([("t", "A", 1, "mae", 1), ("t", "A", 2, "mae", 1), ("t", "B", 1, "mae", 2)], "2: B has 1 of 2 runs of t (mae)"),
        ([("t", "A", "x", "mae", 1)], "2: seed 'x' is not a whole number below 2^31"),
        ([("t", "A", 1, "mae", "inf")], "2: value 'inf' is not finite"),
        ([("t", "", 1, "mae", 1)], "2: the row names no method"),
        ([("t", "A", 1, "mae")], "2: 4 cells instead of 5"),
        ([], "1: the file has a header and no row"),
    ],
)  # fmt: skip
def test_a_wrong_table(tmp_path: Path, data: list[tuple[Any, ...]], said: str) -> None:
    (found,) = refused(table(tmp_path, data), tmp_path / "lake")
    assert found.startswith(f"T.csv:{said}")


def test_a_direction_in_every_spelling() -> None:
    for words, more in (
        (("max", "maximize", "Maximise", "MAXIMIZATION"), True),
        (("min", "minimize", "Minimise", "MINIMIZATION"), False),
    ):
        text = "".join(f"t,A,{n},depth,1,{word}\n" for n, word in enumerate(words))
        found, wrong = read_results(f"{HEADER},direction\n{text}".encode(), file="f")
        assert ([row.maximize for row in found], wrong) == ([more] * 4, [])


def test_directions_that_contradict(tmp_path: Path) -> None:
    data = [
        ("t", "A", 1, "latency", 1, "maximize"),
        ("t", "A", 1, "depth", 1, "min"),
        ("u", "A", 1, "depth", 1, "max"),
        ("v", "A", 1, "depth", 1, "down"),
    ]
    path = table(tmp_path, data[:3], f"{HEADER},direction")
    hint = "If this metric means something else, give it another name."
    assert refused(path, tmp_path / "lake") == [
        f"T.csv:2: latency: maximize here, but minimize in the catalogue. {hint}",
        f"T.csv:4: depth: maximize here, but minimize above. {hint}",
    ]
    path = table(tmp_path, data[3:], f"{HEADER},direction")
    (said,) = refused(path, tmp_path / "lake")
    assert said.startswith("T.csv:2: direction 'down' is none of minimize, maximize,")


# --- the catalogue --------------------------------------------------------------------

# Metrics, scales and types as TransOPT's page lists them.
TRANSOPT = [
    ("[0, 1]", True, "F1 Score|Area Under Curve|GC-content"),
    ("[0, ∞]", True, "Throughput"),
    ("[-∞, 0]", False, "Binding Affinity"),
    (
        "[0, ∞]",
        False,
        "Absolute Error|RMSE|MAE|Avg Execution Time|Compilation Time|File Size|Max RSS|Latency",
    ),
    ("[0, ∞]", False, "PAPI TOT CYC|PAPI TOT INS|PAPI BR MSP|PAPI BR PRC|PAPI BR CN|PAPI MEM WCY"),
    ("[0, ∞]", False, "CPU Usage|Memory Usage|Execution Time"),
]


@pytest.mark.parametrize(("scale", "maximize", "metrics"), TRANSOPT)
def test_the_metrics_of_transopt(scale: str, metrics: str, *, maximize: bool) -> None:
    found = [known(metric) for metric in metrics.split("|")]
    assert [(m.range, m.maximize) if m else None for m in found] == [(scale, maximize)] * len(found)


def test_no_two_measures_share_a_name() -> None:
    names = [plain(n) for m in CATALOGUE for n in (m.name, *m.aliases)]
    assert len(set(names)) == len(names)
    assert all(m.name == plain(m.name) and m.about for m in CATALOGUE)


def test_names_that_are_not_known() -> None:
    assert known("hypervolume") is None
    assert similar("troughput") == ("throughput",)
    assert similar("hypervolume") == ()


KINDS = {
    "objective": "absolute_error log_loss rmse mse mae",
    "share": "f1 auc accuracy gc_content cpu_usage",
    "energy": "binding_affinity",
    "time": "execution_time compile_time latency",
    "size": "file_size max_rss memory_usage",
    "count": "cycles instructions branch_mispredictions branch_predictions branches memory_wait",
    "rate": "throughput",
}


def test_what_is_known_of_a_measure() -> None:
    assert {m.name: m.kind for m in CATALOGUE} == {
        name: kind for kind, names in KINDS.items() for name in names.split()
    }
    more = {m.name for m in CATALOGUE if m.maximize}
    assert more == {"f1", "auc", "accuracy", "gc_content", "throughput"}
    others = {m.name: m.range for m in CATALOGUE if m.range != "[0, \N{INFINITY}]"}
    assert others.pop("binding_affinity") == "[-\N{INFINITY}, 0]"
    assert others == dict.fromkeys(more - {"throughput"}, "[0, 1]")
    share = known("accuracy")
    assert share is not None
    assert [share.holds(x) for x in (-0.1, 0.0, 1.0, 1.1)] == [False, True, True, False]


ALIASES = """
    absolute_error=Regret|f1=F1-score|auc=area under curve|auc=ROC AUC|accuracy=acc|log_loss=NLL
    log_loss=cross entropy|rmse=root mean squared error|mse=mean squared error|mae=mean absolute error
    execution_time=avg execution time|compile_time=compilation time|file_size=size|file_size=code size
    memory_usage=memory|max_rss=maximum resident set size|throughput=TPS|throughput=requests per second
    cycles=PAPI_TOT_CYC|instructions=PAPI_TOT_INS|branch_mispredictions=PAPI_BR_MSP
    branch_predictions=PAPI_BR_PRC|branches=PAPI_BR_CN|memory_wait=PAPI_MEM_WCY
"""


@pytest.mark.parametrize("pair", ALIASES.strip().replace("\n", "|").split("|"))
def test_other_names_of_a_measure(pair: str) -> None:
    name, _, alias = pair.strip().partition("=")
    found = known(alias)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "name",
    [
        *(
            "time",
            "Run time",
            "CPU time [s]",
            "user_time",
            "real-time",
            "wall time",
            "cpu_time_s",
            "walltime",
        ),
        *("PAR-10 score", "par2", "mean_runtime", "time (ms)", "solving_time", "penalised_time_10"),
        *("wallclock time", "elapsed time", "solve time", "solver_time", "solving time"),
        *("time cpu", "time_user", "time wallclock", "time to solve", "time_to_solution"),
        *("wallclock", "elapsed", "duration", "seconds", "secs", "PAR", "PAR10"),
        *("par2 score", "penalised runtime", "penalized average runtime 10"),
        *("mean runtime ms", "avg_time", "average time", "median time", "total time"),
        *("sum time", "log time", "log10 runtime", "time score"),
        *("time in min", "runtime_h", "algorithm runtime", "time msec", "time minutes"),
        *("time hours", "time milliseconds"),
    ],
)
def test_names_of_a_runtime(name: str) -> None:
    assert is_runtime(name)


@pytest.mark.parametrize(
    "name",
    [
        *("execution_time", "Avg Execution Time", "latency", "compile_time", "timeouts", "part", "s", ""),
        *("train_time", "score", "mean", "total", "parity", "timeliness", "best_so_far"),
    ],
)
def test_names_that_are_no_runtime(name: str) -> None:
    assert not is_runtime(name)
