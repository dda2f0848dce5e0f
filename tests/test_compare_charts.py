"""Charts of comparisons and plans: what stands where, and that files open offline."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.plan.instances import curve, solve
from aslib_eval.charts.comparison_title import comparison_title
from aslib_eval.charts.critical_difference import critical_difference_diagram
from aslib_eval.charts.delta_curves import delta_curves
from aslib_eval.charts.intervals import difference_intervals
from aslib_eval.charts.power import power_curve
from aslib_eval.charts.runtime_distribution import runtime_distribution
from aslib_eval.charts.saving import save
from aslib_eval.charts.theme import ACCENT, shortened
from aslib_eval.errors import AslibError
from aslib_eval.statistics.power import Plan

BAR = 4  # the width of a bar tells it from other lines


def systems(*ranks: float) -> pl.DataFrame:
    names = [f"system-{at}" for at in range(len(ranks))]
    return pl.DataFrame({"system": names, "mean_rank": [float(r) for r in ranks]})


def marks(chart: Any, kind: str) -> list[dict[str, Any]]:
    """The rows behind all marks of one kind."""
    spec = chart.to_dict()
    return [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == kind
        for row in spec["datasets"][(layer.get("data") or spec["data"])["name"]]
    ]


def bars(chart: Any) -> list[dict[str, Any]]:
    return [row for row in marks(chart, "rule") if row["size"] == BAR]


def test_bars_join_who_cannot_be_told_apart() -> None:
    chart = critical_difference_diagram(systems(1.2, 1.9, 3.9, 4), cd=1)
    first, second = bars(chart)
    assert first["x2"] < second["x"]
    ticks = [t["text"] for t in marks(chart, "text")]
    assert {"1", "2", "3", "4", "CD = 1", "system-0  1.20", "3.90  system-2"} <= set(
        ticks
    )


def test_the_diagram_says_n_protocol_and_test(toy: Path) -> None:
    found = compare(ae.connect(toy), Question(kind="algorithm", metric="par10"))
    title = comparison_title(found)
    assert title == (
        "TOY-2026: par10, n = 12 instances\n"
        "mean ranks, Nemenyi at alpha 0.05, protocol default@09b8597f48a4"
    )
    shown = critical_difference_diagram(found.systems, cd=1, title=title).to_dict()
    first, second = title.split("\n")
    assert shown["title"] == {"text": first, "subtitle": second}


def test_instances_are_counted_in_whole_numbers() -> None:
    runs = pl.DataFrame({"solver": ["a"] * 3, "time": [1.0, 2.0, 3.0]})
    (layer,) = runtime_distribution(runs).to_dict()["layer"]
    axis = layer["encoding"]["x"]["axis"]
    assert axis == {"tickMinStep": 1, "format": ",d"}


def test_no_two_of_many_curves_look_alike() -> None:
    names = [f"s{i:02}" for i in range(20)]
    flat = {"solver": names, "delta": [0.0] * 20, "score": [1.0] * 20}
    (layer,) = delta_curves(pl.DataFrame(flat)).to_dict()["layer"]
    colors, dashes = (
        layer["encoding"][part]["scale"]["range"] for part in ("color", "strokeDash")
    )
    looks = [(color, *dash) for color, dash in zip(colors, dashes, strict=True)]
    assert len(set(looks)) == 20


def test_of_equals_nothing_is_drawn() -> None:
    with pytest.raises(AslibError, match="all systems are equal"):
        critical_difference_diagram(systems(1.5, 1.5), cd=1)
    zero = pl.lit(0.0)
    level = pairs(2).with_columns(advantage=zero, lower=zero, upper=zero)
    with pytest.raises(AslibError, match="all systems are equal"):
        difference_intervals(level)


@pytest.mark.parametrize("best", ["left", "right"])
def test_the_best_stands_where_asked(best: str) -> None:
    chart = critical_difference_diagram(systems(3, 1, 2), cd=0.5, best=best)
    assert bars(chart) == []
    words = {t["text"]: t for t in marks(chart, "text") if "system" in t["text"]}
    (own,) = (t for text, t in words.items() if "system-1" in text)
    assert own["align"] == ("right" if best == "left" else "left")


def test_one_is_pointed_out_and_has_its_own_bar() -> None:
    ranks = systems(1.5, 2, 3, 3.5)
    chart = critical_difference_diagram(
        ranks, cd=0.7, highlight="system-1", against=True
    )
    (bar,) = bars(chart)
    free = critical_difference_diagram(ranks, cd=0.7, highlight="system-1")
    assert len(bars(free)) == 2
    red = [t["text"] for t in marks(chart, "text") if t["color"] == ACCENT]
    assert red == ["system-1  2.00"]
    assert bar["x"] < bar["x2"]


@pytest.mark.parametrize("size", [2, 3, 30, 60])
def test_no_two_labels_overlap(size: int) -> None:
    chart = critical_difference_diagram(systems(*range(1, size + 1)), cd=3.5)
    boxes = []
    for text in marks(chart, "text"):
        wide = 6.4 * len(text["text"])
        left = {"left": 0, "center": -wide / 2, "right": -wide}[text["align"]]
        boxes.append((text["x"] + left, text["x"] + left + wide, text["y"]))
    for a, b in itertools.combinations(boxes, 2):
        apart = a[1] <= b[0] or b[1] <= a[0] or abs(a[2] - b[2]) >= 13
        assert apart, (a, b)
    wide = chart.to_dict()["width"]
    assert all(left >= 0 and right <= wide for left, right, _ in boxes)


def pairs(count: int) -> pl.DataFrame:
    rows = [
        {
            "system": "A", "other": f"B{at}", "advantage": float(at), "lower": at - 1.0,
            "upper": None if at == 2 else at + 1.0, "p_adjusted": 0.01,
            "winner": [None, "A", f"B{at}"][at % 3],
        }
        for at in range(count)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def test_intervals_show_who_wins() -> None:
    rows = marks(difference_intervals(pairs(3), versus="A"), "point")
    assert [row["pair"] for row in rows] == ["B0", "B1", "B2"]
    assert [row["shape"] for row in rows] == ["circle", "diamond", "diamond"]
    assert len({row["color"] for row in rows}) == 3
    assert rows[2]["upper"] == 2  # no bound: its point
    (first, *_) = marks(difference_intervals(pairs(3)), "point")
    assert first["pair"] == "A vs B0"


def test_power_curves_mark_the_plan() -> None:
    found = solve(Plan(comparisons=7), n=200, power=0.85)
    chart = power_curve(curve(found), at=found.d, power=found.power)
    names = {row["line"] for row in marks(chart, "line")}
    assert names == {"best", "mean", "worst"}
    (point,) = marks(chart, "point")
    assert point == {"d": found.d, "power": found.power}
    one = power_curve(curve(solve(Plan(), n=20, d=1), over="n"))
    assert {row["line"] for row in marks(one, "line")} == {"power"}


@pytest.mark.parametrize("suffix", [".svg", ".png", ".html"])
def test_files_open_without_a_network(tmp_path: Path, suffix: str) -> None:
    chart = critical_difference_diagram(systems(1, 2, 2.5), cd=1)
    first, again = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, again):
        save(chart, path)
    content = first.read_bytes()
    assert content == again.read_bytes()
    assert (b"system-1" in content) == (suffix != ".png")
    assert b'src="http' not in content


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    two = pairs(2).with_columns(scenario_id=pl.Series(["S", "T"]))
    calls: list[tuple[Any, str]] = [
        (lambda: difference_intervals(two), "shows one comparison, these are 2"),
        (lambda: difference_intervals(pairs(81)), "81 pairs do not make"),
        (lambda: critical_difference_diagram(systems(1), cd=1), "needs two systems"),
        (
            lambda: critical_difference_diagram(systems(1, 2), cd=1, highlight="X"),
            "nobody is called X",
        ),
        (lambda: power_curve(pairs(1)), "no power curve"),
        (
            lambda: save(
                critical_difference_diagram(systems(1, 2), cd=1), Path("x.gif")
            ),
            "x.gif: this is no kind of chart",
        ),
        (
            lambda: save(
                critical_difference_diagram(systems(1, 2), cd=1),
                tmp_path / "no" / "x.svg",
            ),
            "cannot be written",
        ),
    ]
    for call, message in calls:
        with pytest.raises(AslibError, match=message):
            call()


def test_long_names_keep_both_ends() -> None:
    assert shortened("short") == "short"
    found = shortened("expMC_VSIDS_LRB_Switch_2500_with_a_very_long_tail_v2")
    assert (len(found), found[:5], found[-2:]) == (42, "expMC", "v2")
