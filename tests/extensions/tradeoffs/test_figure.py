"""The chart of two measures: where its lines, marks and names stand."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np
import pytest

from aslib_eval.extensions.tradeoffs.analysis import Tradeoff
from aslib_eval.extensions.tradeoffs.reports import tradeoff_chart
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Logarithmic, Texts

# Means: a 0.25 at 1, b 0.5 at 2, c 0.5 at 4, and the selector s 0.75 at 3. VBS is right on three
# instances of four: at 1 twice, at 2 once, and else at 1.
QUALITY = [[1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1]]
PRICE = [[1.0, 2, 4, 3]] * 4


def chart(
    quality: Sequence[Sequence[float]] = QUALITY,
    price: Sequence[Sequence[float]] = PRICE,
    *,
    names: str = "abcs",
    maximize: bool = True,
) -> Chart | None:
    kinds = [("selector" if name == "s" else "algorithm", name) for name in names]
    found = Tradeoff(
        *("p", "S", "accuracy", "price", None),
        solvers=tuple(kinds),
        n_single=sum(kind == "algorithm" for kind, _ in kinds),
        quality=np.array(quality, float) * (1 if maximize else -1),
        price=np.array(price, float),
    )
    return tradeoff_chart(found, maximize=maximize, unit="USD", about="", population="")


def drawn(found: Chart | None) -> dict[str, list[tuple[float, ...]]]:
    """The points of every mark with a name."""
    assert found is not None
    marks = [mark for mark in found.marks if isinstance(mark, Line | Dots) and mark.name]
    return {mark.name: [(round(p[0], 6), round(p[1], 6)) for p in mark.points] for mark in marks}


def test_lines_and_marks_stand_at_the_means() -> None:
    found = drawn(chart())
    assert found["mixtures of algorithms"] == [(1, 0.25), (2, 0.5), (4, 0.5)]
    assert found["VBS at a mean price"] == [(1, 0.25), (1.5, 0.75), (2.25, 1), (4, 1)]
    # b is as good as c for less, s better than both; from the last on its value holds.
    assert found["best solver"] == [(1, 0.25), (2, 0.5), (3, 0.75), (4, 0.75)]
    assert found["algorithms"] == [(1, 0.25), (2, 0.5), (4, 0.5)]
    assert found["selectors"] == [(3, 0.75)]


def test_marks_are_told_apart() -> None:
    found = chart()
    assert found is not None
    assert {
        mark.name: (mark.color, mark.width, mark.dash, mark.step)
        for mark in found.marks
        if isinstance(mark, Line)
    } == {
        "VBS at a mean price": ("c1", 1.8, "6 2", False),
        "mixtures of algorithms": ("ink", 1.8, None, False),
        "best solver": ("faint", None, "2 2", True),
        "": ("muted", 1.2, None, False),
    }
    dots = {mark.name: (mark.color, mark.symbol) for mark in found.marks if isinstance(mark, Dots)}
    assert dots == {"algorithms": ("ink", "circle"), "selectors": ("c2", "diamond")}
    assert [mark.color for mark in found.marks if isinstance(mark, Texts)] == ["ink"]


def test_who_is_as_good_for_more_is_not_on_the_front() -> None:
    found = drawn(chart([row[:3] for row in QUALITY], [row[:3] for row in PRICE], names="abc"))
    assert found["best solver"] == [(1, 0.25), (2, 0.5), (4, 0.5)]


def test_crosses_are_students_intervals() -> None:
    found = chart()
    assert found is not None
    crosses = [mark.points for mark in found.marks if isinstance(mark, Line) and not mark.name]
    half = 3.182446 * 0.5 / 2  # of t with 3 degrees of freedom; 0, 0, 0, 1 deviate by 0.5
    assert np.array(crosses[1]) == pytest.approx(np.array([[1, 0.25 - half], [1, 0.25 + half]]))
    assert crosses[0] == [[1, 0.25], [1, 0.25]]  # its price is always the same
    assert len(crosses) == 8
    assert isinstance(found.y, Linear)
    assert found.y.high >= 0.5 + half


def texts(found: Chart | None) -> list[tuple[Any, ...]]:
    """The names in a chart with their places."""
    assert found is not None
    (names,) = (mark for mark in found.marks if isinstance(mark, Texts))
    return [(*(round(place, 4) for place in item[:2]), *item[2:]) for item in names.items]


def test_axes_and_names_have_their_places() -> None:
    found = chart()
    assert texts(found) == [
        *((1, 0.1768, "a", "start", 6), (2, 0.5627, "b", "end", -6)),
        *((4, 0.4268, "c", "end", -6), (3, 0.8127, "s", "end", -6)),
    ]
    assert found is not None
    assert (found.x, found.height) == (Linear("mean price [USD]", 1, 4), 330)
    half = 3.182446 * 0.5 / 2
    assert (found.y.low, found.y.high) == pytest.approx((0.25 - half, 0.75 + half))
    dots = [point for mark in found.marks if isinstance(mark, Dots) for point in mark.points]
    assert [text for *_, text in dots] == [
        *("a: 0.250 at 1", "b: 0.500 at 2", "c: 0.500 at 4", "s: 0.750 at 3")
    ]


def test_names_keep_off_lines_marks_and_each_other() -> None:
    quality = [0.25, 0.95, 0.19, 0.18, 0.35, 0.23, 0.67, 0.12, 0.9, 0.86]
    price = [1.0, 3.2, 1.4, 2.0, 2.7, 2.8, 2.9, 4.7, 2.0, 1.8]
    crowded = texts(chart([quality] * 2, [price] * 2, names="abcdefghis"))
    assert [(name, anchor, y) for _, y, name, anchor, _ in crowded] == [
        *(("a", "start", 0.221), ("b", "start", 0.9209), ("c", "start", 0.2149), ("d", "start", 0.151)),
        *(("e", "start", 0.3209), ("f", "start", 0.201), ("g", "start", 0.641), ("h", "end", 0.0909)),
        *(("i", "end", 0.9249), ("s", "end", 0.8849)),
    ]
    # Two at one place, between others.
    level = texts(chart([[0.1, 0.5, 0.5, 0.9]] * 2, [[1, 2, 2, 3]] * 2, names="abcd"))
    assert [(name, anchor, y) for _, y, name, anchor, _ in level] == [
        *(("a", "start", 0.072), ("b", "start", 0.472), ("c", "end", 0.524), ("d", "end", 0.924))
    ]


def test_a_price_that_varies_has_a_cross_within_the_axis() -> None:
    # Of b the mean price is 11, and half of the interval that of t with one degree of freedom.
    half = 12.706205
    found = chart([[0, 1], [0.5, 1]], [[1, 10], [1, 12]], names="ab")
    assert found is not None
    assert isinstance(found.x, Linear)
    assert (found.x.low, found.x.high) == pytest.approx((11 - half, 11 + half))
    far = chart([[0, 1], [0.5, 1]], [[1, 31], [1, 40]], names="ab")
    assert texts(far) == [(1, 0.0276, "a", "start", 6), (35.5, 0.7776, "b", "start", 6)]
    assert far is not None
    half *= 4.5
    assert (far.x.low, far.x.high) == pytest.approx((1, 35.5 + half))
    crosses = [mark.points for mark in far.marks if isinstance(mark, Line) and not mark.name]
    assert np.array(crosses[2]) == pytest.approx(np.array([[1, 1], [35.5 + half, 1]]))


def test_one_instance_has_no_interval() -> None:
    found = chart(QUALITY[:1], PRICE[:1])
    assert found is not None
    crosses = [mark.points for mark in found.marks if isinstance(mark, Line) and not mark.name]
    assert all(start == end for start, end in crosses)


def test_every_solver_has_its_name_beside_it() -> None:
    found = chart()
    assert found is not None
    (names,) = (mark for mark in found.marks if isinstance(mark, Texts))
    assert [(x, text) for x, _, text, *_ in names.items] == [(1, "a"), (2, "b"), (4, "c"), (3, "s")]
    places = {(x, round(y, 3), anchor) for x, y, _, anchor, _ in names.items}
    assert len(places) == 4
    assert {anchor for x, _, anchor in places if x == 4} == {"end"}  # not over the edge
    assert {anchor for x, _, anchor in places if x == 1} == {"start"}


@pytest.mark.parametrize(("n", "named"), [(12, "abcdefghijkl"), (13, "am")])
def test_of_many_solvers_only_the_front_has_names(n: int, named: str) -> None:
    names = "abcdefghijklm"[:n]
    quality = [[0.1, *[0.05] * (n - 2), 0.9]] * 2
    price = [[float(at) for at in range(1, n + 1)]] * 2
    found = chart(quality, price, names=names)
    assert found is not None
    (texts,) = (mark for mark in found.marks if isinstance(mark, Texts))
    assert "".join(text for _, _, text, *_ in texts.items) == named


def test_prices_far_apart_have_a_logarithmic_axis_on_which_mixtures_bend() -> None:
    near = chart([[0, 1]] * 2, [[1, 30]] * 2, names="ab")
    far = chart([[0, 1]] * 2, [[1, 31]] * 2, names="ab")
    assert near is not None
    assert isinstance(near.x, Linear)
    assert far is not None
    assert isinstance(far.x, Logarithmic)
    assert far.x.label == "mean price [USD]"
    points = drawn(far)["mixtures of algorithms"]
    assert [points[0], points[-1]] == [(1, 0), (31, 1)]
    assert all(y == pytest.approx((x - 1) / 30, abs=1e-5) for x, y in points)
    assert len(points) > 20
    steps = np.diff(np.log([x for x, _ in points[:25]]))
    assert steps == pytest.approx(np.full(24, np.log(31) / 24), rel=1e-4)


@pytest.mark.parametrize(
    ("quality", "price", "names", "axis", "ends"),
    [
        # VBS begins at 1, and pays 9 or 90 on every instance: more than a mean of the two.
        ([[1, 0], [0, 1]], [[9, 1], [1, 9]], "ab", Linear, (1, 9)),
        ([[1, 0], [0, 1]], [[90, 1], [1, 90]], "ab", Logarithmic, (1, 90)),
        ([[0, 1]], [[2, 59]], "ab", Linear, (2, 59)),
        ([[0, 1]], [[2, 61]], "ab", Logarithmic, (2, 61)),
        ([[0, 1]], [[0, 31]], "ab", Linear, (0, 31)),  # nothing is no place of a logarithm
        ([[0.5, 1, 0.2]], [[20, 40, 1]], "abs", Logarithmic, (1, 40)),
        ([[0.5, 1, 0.2]], [[1, 2, 60]], "abs", Logarithmic, (1, 60)),
    ],
)
def test_the_axis_holds_every_mean_and_both_curves(
    quality: list[list[float]],
    price: list[list[float]],
    names: str,
    axis: type[Linear | Logarithmic],
    ends: tuple[float, float],
) -> None:
    found = chart(quality * 50, price * 50, names=names)
    assert found is not None
    assert isinstance(found.x, axis)
    assert (found.x.low, found.x.high) == ends
    points = drawn(found)
    for name in ("mixtures of algorithms", "VBS at a mean price", "best solver"):
        assert points[name][-1][0] == ends[1]


def test_of_two_at_one_price_the_better_is_on_the_front() -> None:
    found = chart([[0.1, 0.5, 0.7, 0.9]] * 2, [[1, 2, 2, 3]] * 2, names="abcd")
    assert drawn(found)["best solver"] == [(1, 0.1), (2, 0.7), (3, 0.9), (3, 0.9)]
    level = chart([[1, 1]] * 2, [[1, 3]] * 2, names="ab")
    assert texts(level) == [(1, 0.965, "a", "start", 6), (3, 0.965, "b", "end", -6)]


def test_a_measure_that_is_minimised_keeps_its_direction() -> None:
    found = chart([[10, 4], [20, 8]], [[1, 2], [1, 2]], names="ab", maximize=False)
    assert drawn(found)["mixtures of algorithms"] == [(1, 15), (2, 6), (2, 6)]
    assert drawn(found)["best solver"] == [(1, 15), (2, 6), (2, 6)]
    assert found is not None
    assert found.y.label == "mean accuracy, lower is better"


def test_who_has_no_price_is_left_out() -> None:
    price = [[1, nan, 4, 3], *PRICE[1:]]
    found = drawn(chart(QUALITY, price))
    assert found["algorithms"] == [(1, 0.25), (4, 0.5)]
    assert chart([[1.0]], [[nan]], names="a") is None
    # Without a price of any algorithm there are no curves.
    found = drawn(chart([[1, 1]], [[nan, 2]], names="as"))
    assert found == {"best solver": [(2, 1), (2, 1)], "selectors": [(2, 1)]}


def test_solvers_of_one_price_have_their_names_beside_them() -> None:
    found = chart([[0, 1], [0.5, 1]], [[3, 3]] * 2, names="ab")
    assert [(x, name, anchor) for x, _, name, anchor, _ in texts(found)] == [
        *((3, "a", "start"), (3, "b", "start"))
    ]


def test_a_curve_of_many_vertices_is_drawn_by_few_points() -> None:
    random = np.random.default_rng(1)
    price = 5 * random.random((2000, 2)) + np.array([0.1, 6])
    quality = random.random((2000, 2)).tolist()
    for prices, places in ((price, np.linspace), (price * [0.01, 1], np.geomspace)):
        found = chart(quality, prices.tolist(), names="ab")
        assert found is not None
        assert isinstance(found.x, Linear | Logarithmic)
        every = places(prices.min(axis=1).mean(), found.x.high, 600)
        points = drawn(found)["VBS at a mean price"]
        assert [x for x, _ in points] == pytest.approx(every.tolist(), abs=2e-6)
