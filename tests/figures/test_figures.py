"""Charts of comparisons: what stands where, and that files open offline."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.results import LakeResults, ScenarioResults, matching
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.figures import catalogue
from aslib_eval.figures.chart import PLACES, Band, Chart, Dots, Line, Linear, Logarithmic, Texts
from aslib_eval.figures.gaps import delta_curves, difference_intervals, runtime_distribution, speedup
from aslib_eval.figures.ranks import comparison_title, critical_difference

BAR = 5  # the width of a bar tells it from other lines


def systems(*ranks: float) -> pl.DataFrame:
    names = [f"system-{at}" for at in range(len(ranks))]
    return pl.DataFrame({"system": names, "mean_rank": [float(r) for r in ranks]})


def lines(chart: Chart) -> list[Line]:
    return [mark for mark in chart.marks if isinstance(mark, Line)]


def dots(chart: Chart) -> list[Dots]:
    return [mark for mark in chart.marks if isinstance(mark, Dots)]


def bars(chart: Chart) -> list[Line]:
    return [line for line in lines(chart) if line.width == BAR]


def names(chart: Chart, side: str = "names") -> list[str]:
    """What stands beside the rows, from the top."""
    assert isinstance(chart.y, Band)
    return [name for name in getattr(chart.y, side) if name]


def test_bars_join_systems_that_do_not_differ() -> None:
    chart = critical_difference(systems(1.2, 1.9, 3.9, 4), cd=1)
    first, second = bars(chart)
    assert first.points[1][0] < second.points[0][0]
    texts = [t[2] for m in chart.marks if isinstance(m, Texts) for t in m.items]
    assert texts == ["CD = 1", "1", "2", "3", "4"]
    assert names(chart) == ["system-0  1.20", "system-1  1.90"]
    assert names(chart, "right") == ["4.00  system-3", "3.90  system-2"]


def test_the_diagram_says_n_protocol_and_test(toy: Path) -> None:
    found = compare(open_lake(toy), Question(kind="algorithm", metric="par10"))
    assert comparison_title(found) == (
        "TOY-2026: par10, n = 12 instances of 7 families",
        (
            "mean ranks, Nemenyi at alpha 0.05 (Wilcoxon signed-rank may disagree "
            "on a pair), protocol default@09b8597f48a4"
        ),
    )
    same = Question(kind="algorithm", metric="par10", test="nemenyi")
    assert comparison_title(compare(open_lake(toy), same))[1] == (
        "mean ranks, Nemenyi at alpha 0.05, protocol default@09b8597f48a4"
    )


def test_instances_are_counted_in_whole_numbers() -> None:
    runs = pl.DataFrame({"solver": ["a"] * 3, "time": [0.0, 2.0, 3.0]})
    chart = runtime_distribution(runs)
    assert chart.x == Linear("solved instances", 0, 3, whole=True)
    assert chart.y == Logarithmic("time [unit not stated]", 2, 3, zero=True)
    assert runtime_distribution(runs, unit="s").y.label == "time [s]"
    (line,) = lines(chart)
    assert line.points == [(0, 0), (1, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("cutoff", "high", "ticked"), [(None, 4, None), (3.0, 4, None), (4.0, 4, None), (50.0, 50, True)]
)
def test_the_axis_of_times_ends_at_the_cutoff(
    cutoff: float | None,
    high: float,
    ticked: bool | None,  # noqa: FBT001
) -> None:
    runs = pl.DataFrame([("a", 1.0), ("b", 4.0)], ["solver", "time"], orient="row")
    spec = runtime_distribution(runs, cutoff=cutoff).y.spec()
    assert (spec["high"], spec.get("cutoff")) == (max(high, 10), ticked)


def test_more_solvers_than_eight_are_drawn_as_long_as_all_look_different() -> None:
    names = [f"s{at}" for at in range(PLACES + 1)]
    runs = pl.DataFrame({"solver": names, "time": [1.0] * len(names)})
    drawn = lines(runtime_distribution(runs[:PLACES]))
    assert len({(line.color, line.dash) for line in drawn}) == PLACES
    with pytest.raises(AslibError, match=r"Choose up to 112 of 's0', 's1'"):
        runtime_distribution(runs)


def test_a_glob_that_is_a_name_means_that_one() -> None:
    known = ["a[1]", "a1", "b", "b2"]
    assert matching(["b*", "a[1]", "b", "c*"], known) == ["b", "b2", "a[1]", "c*"]
    assert matching(["a[1-9]"], known) == ["a1"]
    assert matching([], known) == []


def test_speedups_are_quantiles_over_the_instances(toy: Path) -> None:
    lake = open_lake(toy)
    (results,) = LakeResults(lake).scenarios
    chart = speedup(results)
    assert chart is not None
    drawn = {line.name: line.points for line in lines(chart)}
    view = lake.rows("select solver, q05, median, q95 from solver_speedup")
    assert drawn.keys() == {name for name, *_ in view}
    for name, *quantiles in view:
        at = {round(share, 3): x for x, share, _ in drawn[name]}
        assert [at[0.05], at[0.5], at[0.95]] == pytest.approx(quantiles)


def test_a_crossing_is_marked() -> None:
    flat = {"solver": ["a", "a"], "delta": [0.0, 10.0], "score": [1.0, 2.0]}
    *_, rule = delta_curves(pl.DataFrame(flat), crossing=4).spec()["marks"]
    assert rule == {"type": "rule", "x": 4, "label": "δ = 4"}


def test_of_equals_nothing_is_drawn() -> None:
    with pytest.raises(AslibError, match="all systems are equal"):
        critical_difference(systems(1.5, 1.5), cd=1)
    zero = pl.lit(0.0)
    level = pairs(2).with_columns(advantage=zero, lower=zero, upper=zero)
    with pytest.raises(AslibError, match="all systems are equal"):
        difference_intervals(level)


def test_the_best_stands_at_the_left() -> None:
    chart = critical_difference(systems(3, 1, 2), cd=0.5)
    assert bars(chart) == []
    assert names(chart) == ["system-1  1.00", "system-2  2.00"]
    assert names(chart, "right") == ["3.00  system-0"]


def test_one_is_pointed_out_and_has_its_own_bar() -> None:
    ranks = systems(1.5, 2, 3, 3.5)
    chart = critical_difference(ranks, cd=0.7, highlight="system-1", against=True)
    (bar,) = bars(chart)
    assert bar.points[0][0] < bar.points[1][0]
    assert len(bars(critical_difference(ranks, cd=0.7, highlight="system-1"))) == 2
    assert [line.name for line in lines(chart) if line.color == "c2"] == ["system-1"]


@pytest.mark.parametrize("size", [2, 3, 10])
def test_every_system_has_a_row_of_its_own(size: int) -> None:
    chart = critical_difference(systems(*range(1, size + 1)), cd=3.5)
    left, right = names(chart), names(chart, "right")
    assert len({*left, *right}) == size
    assert isinstance(chart.y, Band)
    assert len(chart.y.names) == len(chart.y.right or ())
    rows = [y for line in lines(chart) for _, y, *_ in line.points]
    assert max(rows) == len(chart.y.names) - 1


def test_many_systems_are_a_list_with_their_bars_beside_it() -> None:
    ranks = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    chart = critical_difference(systems(*ranks[::-1]), cd=8.5, highlight="system-7")
    assert names(chart) == [f"system-{at}" for at in range(10, -1, -1)]
    assert names(chart, "right") == [f"{rank:.2f}" for rank in ranks]
    found = [[point[:2] for point in line.points] for line in bars(chart)]
    # Rows 2 to 10 hold the ranks 1 to 9; the bars stand right of the last rank.
    assert found == [
        [pytest.approx((x, low)), pytest.approx((x, high))]
        for x, low, high in [(11.5, 1.7, 10.3), (12, 2.7, 11.3), (12.5, 3.7, 12.3)]
    ]
    plain, pointed = dots(chart)
    assert [point[:2] for point in pointed.points] == [(4, 5)]
    assert len(plain.points) == 10
    assert isinstance(chart.x, Linear)
    assert (chart.x.low, chart.x.high) == (0.5, 13.5)
    scale = [[x for x, _ in line.points] for line in lines(chart) if line.width == 1.4]
    assert scale == [[1, 9.5], [1, 1], [9.5, 9.5]]


def test_seven_bars_beside_a_list_are_so_thin_that_they_stay_apart() -> None:
    for cd, n, width in ((6.5, 6, 5), (5.5, 7, 2)):
        chart = critical_difference(systems(*range(1, 13)), cd=cd)
        found = [line.width for line in lines(chart) if line.width in (2, 5)]
        assert found == [width] * n


def pairs(count: int) -> pl.DataFrame:
    rows = [
        {
            "system": f"B{at}", "other": "A",
            "advantage": -1.0 if at == 2 else float(at), "lower": -1.0,
            "upper": None if at == 2 else at + 1.0, "p_adjusted": 0.01,
            "winner": [None, f"B{at}", "A"][at % 3],
        }
        for at in range(count)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def test_intervals_show_who_wins() -> None:
    chart = difference_intervals(pairs(4), versus="A")
    assert names(chart) == ["B0", "B1", "B2", "B3"]
    assert [(dot.color, dot.name, dot.symbol) for dot in dots(chart)] == [
        ("low", "open dot: not significant by mean, test and interval together", "ring"),
        ("low", "better by mean, test, interval", None),
        ("high", "worse by mean, test, interval", None),
        ("low", "", "ring"),  # in the legend once
    ]
    assert [line.dash for line in lines(chart)] == ["4 3", None, None, "4 3"]
    assert [x for x, *_ in lines(chart)[2].points] == [-1, -1]  # no bound: its point
    assert names(difference_intervals(pairs(3)))[0] == "B0 vs A"


def test_what_cannot_be_drawn() -> None:
    two = pairs(2).with_columns(scenario_id=pl.Series(["S", "T"]))
    chart = critical_difference(systems(1, 2), cd=1)
    calls: list[tuple[Any, str]] = [
        (lambda: difference_intervals(two), "shows one comparison, but there are 2"),
        (lambda: difference_intervals(pairs(81)), "81 pairs do not make"),
        (lambda: critical_difference(systems(1), cd=1), "needs two systems"),
        (lambda: critical_difference(systems(1, 2), cd=1, highlight="X"), "there is no solver X"),
        (lambda: chart.save(Path("x.gif")), "x.gif: charts are not written in this format"),
    ]
    for call, message in calls:
        with pytest.raises(AslibError, match=message):
            call()


def test_a_run_without_a_cost_is_missing_and_not_unsolved() -> None:
    """An unsolved one would be charged the penalty: 100 of a cutoff of 50, k = 3."""
    columns = ["kind", "solver", "instance", "cost", "solved"]
    run = [("algorithm", "A", "i1", 7.0, 1.0), ("algorithm", "A", "i2", 50.0, 0.0)]
    run += [("algorithm", "B", "i1", 9.0, 1.0)]
    frames = {
        "run": pl.DataFrame(run, schema=columns, orient="row"),
        "summary": pl.DataFrame({"measure_type": ["runtime"], "cutoff": [50.0]}),
    }
    results = ScenarioResults("S", "time", {"penalty": 3}, frames, {})
    assert results.matrix is not None
    assert results.complete is None
    assert results.matrix.solved.tolist() == [[1, 1], [0, 1]]
    found = results.penalised(results.matrix)
    assert found.tolist() == [[7, 9], [150, pytest.approx(float("nan"), nan_ok=True)]]


def test_a_whole_diagram() -> None:
    three = pl.DataFrame({"system": [*"abc"], "mean_rank": [1.25, 1.5, 2.75]})
    chart = critical_difference(three, cd=0.5, highlight="b")
    drawn = [[*line.points[0], *line.points[-1]] for line in lines(chart)]
    tips = ["ranks 1.25 to 1.5: no difference shown"]
    tips += ["a: mean rank 1.25", "b: mean rank 1.5", "c: mean rank 2.75"]
    assert drawn == [
        pytest.approx(part) if len(part) == 4 else part
        for part in [
            *([-0.44, 1, -0.22, 1], [-0.44, 0.8, -0.44, 1.2], [-0.22, 0.8, -0.22, 1.2]),
            [-0.44, 3, 0.44, 3],
            *([-0.44, 2.75, -0.44, 3], [0, 2.75, 0, 3], [0.44, 2.75, 0.44, 3]),
            [-0.338, 3.5, tips[0], -0.212, 3.5, tips[0]],
            [-0.33, 3, tips[1], -0.5, 5, tips[1]],
            [-0.22, 3, tips[2], -0.5, 6, tips[2]],
            [0.33, 3, tips[3], 0.5, 5, tips[3]],
        ]
    ]
    assert [m.items for m in chart.marks if isinstance(m, Texts)] == [
        [[pytest.approx(-0.33), pytest.approx(0.4), "CD = 0.5", "middle"]],
        [[x, 2.3, text, "middle"] for x, text in [(-0.44, "1"), (0, "2"), (0.44, "3")]],
    ]
    looks = [(line.name, line.color, line.width) for line in lines(chart)]
    assert Counter(looks) == {("", "ink", 1.4): 9, ("", "ink", BAR): 1, ("b", "c2", 3): 1}


def test_the_axis_of_a_diagram_is_no_longer_than_needed() -> None:
    for cd, ends in [(0.5, ["1", "2"]), (1.5, ["1", "2", "3"])]:
        *_, ticks = (
            mark.items
            for mark in critical_difference(systems(1.25, 1.75), cd=cd).marks
            if isinstance(mark, Texts)
        )
        assert [text for _, _, text, _ in ticks] == ends


def test_the_axis_of_delta_has_six_decades_at_most() -> None:
    rows = [("s", 0.0, 3.0), ("s", 1e-9, 2.0), ("s", 50.0, 1.0)]
    names = ["solver", "delta", "score"]
    chart = delta_curves(pl.DataFrame(rows, schema=names, orient="row"))
    assert isinstance(chart.x, Logarithmic)
    assert (chart.x.low, chart.x.high) == (pytest.approx(50 / 1e6), 50.0)
    near = pl.DataFrame([rows[0], ("s", 5.0, 2.0), rows[2]], schema=names, orient="row")
    assert delta_curves(near).x.low == 5.0  # type: ignore[union-attr]


def test_where_nobody_solves_anything_runs_are_not_drawn() -> None:
    nobody: Any = SimpleNamespace(unsolved=True)
    with pytest.raises(AslibError) as refused:
        catalogue.figure("cactus", nobody)
    assert str(refused.value) == (
        "cactus: no solver solves any instance: there is nothing to draw. Choose other scenarios."
    )
