"""The page's charts for print: where things stand, and that each of them is drawn."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import vl_convert as vlc

from aslib_eval.errors import AslibError
from aslib_eval.extensions import printing
from aslib_eval.extensions.printing.altair import (
    LEAST,
    LETTERS,
    NARROWEST,
    SMALL,
    Plot,
    PrintAxis,
    axis_of,
    ends_of,
    label_expression,
    lanes,
    legend_entries,
    lines_of,
    paint,
    vega_lite,
    width_of,
)
from aslib_eval.extensions.printing.tikz import tikz
from aslib_eval.figures.chart import LIGHT, Band, Chart, Dots, Line, Linear, Logarithmic, as_bytes
from aslib_eval.figures.gaps import runtime_distribution
from aslib_eval.figures.ranks import critical_difference
from aslib_eval.text import MINUS
from tests.approved import approved
from tests.figures.test_figures import lines, systems

Spec = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = {"kind": "linear", "label": "share", "low": 0, "high": 1}
NAMES = {"kind": "band", "names": ["first", "second", "third"], "label": ""}
TIMES = {"kind": "log", "label": "time", "low": 1, "high": 100}
DOTS = Dots(()).spec()
HOSTILE = (
    "<script>alert(1)</script>",
    "'] + alert(1) + ['",
    '"]; datum.value',
    "${alert(1)} \\",
    "a\x00b\nc\u202ed",
    "]]>--><!--",
)


def chart(*marks: Spec, x: Spec = NUMBERS, y: Spec = NUMBERS, **more: Any) -> Spec:
    return {"title": "A title", "about": "", "x": x, "y": y, "marks": marks, **more}


def layers_of(spec: Spec) -> list[Spec]:
    """The layers as Vega-Lite reads them, without the one that holds the legend.

    ``rows`` are those of its data, wherever altair has put them.
    """
    made = vega_lite(spec).to_dict()
    found = []
    for layer in made["layer"]:
        name = layer.get("data", made.get("data"))["name"]
        found.append({**layer, "rows": made["datasets"][name]})
    return [layer for layer in found if "shape" not in layer["encoding"]]


def drawn(spec: Spec, **given: Any) -> ET.Element:
    return ET.fromstring(as_bytes(spec, suffix=".svg", **given))  # noqa: S314


def texts(svg: ET.Element) -> list[str]:
    return [node.text or "" for node in svg.iter(f"{SVG}text")]


def box_mark() -> Spec:
    return {"type": "box", "color": "c1", "boxes": [[0, 1, 0, 1, "tip"]]}


# Of each kind of axis, mark and name at least one.
LINES = {"type": "line", "points": [[0, 0], [0.5, 3], [1, 1]]}
APPROVED = {
    "marks on names": (
        chart(
            {"type": "line", "name": "a", "color": "c2", "dash": "6 2", "points": [[0, 0], [9, 1]]},
            {"type": "line", "color": "muted", "step": True, "width": 3, "points": [[1, 1], [99, 0]]},
            {**DOTS, "name": "b", "symbol": "ring", "points": [[1, 0, ""], [None, 1, ""]]},
            {"type": "box", "name": "c", "color": "c3", "shade": 0.4, "boxes": [[2, 2, 0, 1, ""]]},
            *({"type": "rule", "x": x, "label": "SBS"} for x in (50, 60)),
            {"type": "rule", "y": 0, "label": "level", "color": "c4"},
            {"type": "text", "items": [[100, 0, "end"], [40, 1, "mid", "middle", 9]]},
            x={**TIMES, "high": 150, "zero": "0", "cutoff": True},
            y={**NAMES, "names": ["first", "a second"], "right": ["1", "12"], "label": "solver"},
            about="What to see.",
        ),
        {"titled": True},
    ),
    "names at the side": (
        chart(
            *(LINES | {"name": f"solver {at}", "color": f"c{at}"} for at in range(1, 5)),
            LINES | {"name": "grey", "color": "muted", "points": [[0, 0], [0.5, 1], [1, 4]]},
            x=NUMBERS | {"high": 1, "low": -1},
            y=NUMBERS | {"high": 4},
        ),
        {},
    ),
    "names above": (
        chart(
            *(LINES | {"name": f"solver {at}", "points": [[-90, 9], [-at, 30 * at]]} for at in range(1, 6)),
            x={"kind": "symlog", "label": "gap", "low": -200, "high": 2},
            y=TIMES | {"low": 1e-3, "high": 1e6, "label": ""},
            height=200,
        ),
        {"width": 120},
    ),
    "names below": (
        chart(
            *({"type": "box", "name": "x" * at, "boxes": [[0, 1, 0, 1, ""]]} for at in (9, 70, 3, 4)),
            {"type": "text", "items": [[5, 7, "beyond the edge", "start", 9]]},
            x={**NAMES, "names": ["a long name", "W"] * 3, "label": "names"},
            y=NUMBERS | {"low": 1, "high": 7, "whole": True},
            maxWidth=300,
        ),
        {},
    ),
    "names upright": (
        chart(box_mark(), x={**NAMES, "names": ["a long name"] * 16}, y=NUMBERS | {"high": 0}),
        {},
    ),
    "names in lines": (
        chart(box_mark(), x=TIMES, y={**NAMES, "names": ["W" * 40, "b"], "right": ["x" * 30, "y"]}),
        {"width": 70.0},
    ),
}


def shown(spec: Spec, **given: Any) -> str:
    """A specification in Vega-Lite, a line a layer, with its rows in the place of their name."""
    made = vega_lite(spec, **given).to_dict()
    data, lines = made.pop("datasets"), list[str]()

    def add(layer: Spec) -> None:
        parts = layer.pop("layer", ())
        rows = {"rows": data[layer.pop("data")["name"]]} if "data" in layer else {}
        axes = {n: layer["encoding"].pop(n) for n in "xy" if n in layer.get("encoding", {})}
        for each in (*axes.items(), layer | rows):
            text = json.dumps(each, sort_keys=True)
            lines.extend([text] if text not in lines else [])
        for part in parts:
            add(part)

    del made["$schema"], made["config"]
    add(made)
    return "\n".join(lines)


def test_charts_in_vega_lite_are_the_approved_ones() -> None:
    found = [f"# {name}\n{shown(spec, **given)}\n" for name, (spec, given) in APPROVED.items()]
    looks = json.dumps(vega_lite(chart(box_mark())).to_dict()["config"], sort_keys=True)
    approved("printed.txt", "\n".join([f"# looks\n{looks}\n", *found]))


# Axes


def test_zero_has_a_place_of_its_own() -> None:
    axis = axis_of(TIMES | {"zero": "0"}, most=8)
    assert (axis.low, axis.high) == pytest.approx((-0.2, 2))
    found = [axis.place(value) for value in (0, 0.5, 1, 10, 100, None)]
    assert found == pytest.approx([-0.1, -0.1, 0, 1, 2, 2])


def test_without_such_places_the_axis_begins_and_ends_with_its_values() -> None:
    axis = axis_of(TIMES, most=8)
    assert (axis.low, axis.high) == (0, 2)
    assert [axis.place(value) for value in (0, 1, 100, None)] == [0, 0, 2, 2]


def test_ticks_of_a_logarithmic_axis() -> None:
    def texts(low: float, high: float, most: int, **places: str) -> list[str]:
        found = axis_of({**TIMES, "low": low, "high": high, **places}, most=most)
        assert list(found.ticks or ()) == sorted(found.ticks or ())
        return found.texts

    assert texts(1, 100, 20) == ["1", "2", "5", "10", "20", "50", "100"]
    assert texts(0.001, 1000, 8) == ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]
    assert texts(0.001, 1000, 4) == ["0.01", "1", "100"]
    assert texts(1e-6, 1e6, 5) == ["10⁻⁶", "0.001", "1", "1000", "10⁶"]
    assert texts(1e-5, 1e-4, 9) == ["10⁻⁵", "2·10⁻⁵", "5·10⁻⁵", "10⁻⁴"]
    # What has a place of its own keeps its tick, and one that would touch it goes.
    assert texts(1, 100, 4, zero="0")[:1] == ["0"]
    assert axis_of({**TIMES, "high": 5000, "cutoff": True}, most=8).texts == [
        "1",
        "10",
        "100",
        "1000",
        "5000",
    ]
    assert axis_of({**TIMES, "high": 1200, "cutoff": True}, most=4).texts == ["1", "10", "100", "1200"]


def test_gaps_are_logarithmic_below_minus_one_alone() -> None:
    spec = {"kind": "symlog", "label": "", "low": -200, "high": 1}
    axis = axis_of(spec, most=11)
    assert [axis.place(gap) for gap in (-100, -10, -1, -0.5, 1)] == [-3, -2, -1, -0.5, 1]
    texts = "-100 -30 -10 -3 -1 -0.5 0 0.5 1".replace("-", MINUS).split()
    assert [text for _, text in axis.ticks or ()] == texts
    few = [text for _, text in axis_of(spec, most=5).ticks or ()]
    assert few == "-100 -10 -1 0 1".replace("-", MINUS).split()


def test_the_tick_at_the_cutoff_is_drawn() -> None:
    times = Logarithmic("time", 1, 5000, cutoff=True).spec()
    assert "5000" in texts(drawn(chart(box_mark(), x=times, y=times)))


def test_a_tick_says_its_text_whatever_it_holds() -> None:
    axis = axis_of({**NAMES, "names": list(HOSTILE)}, most=8)
    text, _, places = label_expression(axis.ticks or ()).partition("[indexof(")
    assert json.loads(text) == axis.texts
    assert axis.texts[4] == "a b c d"
    assert places == "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], datum.value)]"


def test_names_stand_from_top_to_bottom() -> None:
    (layer,) = layers_of(chart(box_mark(), y=NAMES))
    y = layer["encoding"]["y"]
    assert y["scale"]["domain"] == [-0.5, 2.5]
    assert y["scale"]["reverse"] is True
    assert y["axis"]["values"] == [0, 1, 2]
    svg = drawn(chart(box_mark(), y=NAMES))
    assert [t for t in texts(svg) if t in NAMES["names"]] == NAMES["names"]
    places = {
        node.text: float(node.attrib["transform"].split(",")[1].rstrip(")"))
        for node in svg.iter(f"{SVG}text")
        if node.text in NAMES["names"]
    }
    assert places["first"] < places["second"] < places["third"]


def test_an_axis_of_one_value() -> None:
    axis = axis_of({**NUMBERS, "low": 3, "high": 3, "whole": True}, most=8)
    assert (axis.low, axis.high, axis.texts) == (2.5, 3.5, ["3"])


# Marks


def test_a_line_keeps_the_order_of_its_points() -> None:
    mark = {"type": "line", "points": [[0.5, 1], [0, 0.2], [0.5, 0]]}
    (layer,) = layers_of(chart(mark))
    assert [(r["x"], r["y"], r["i"]) for r in layer["rows"]] == [(0.5, 1, 0), (0, 0.2, 1), (0.5, 0, 2)]
    assert layer["encoding"]["order"]["field"] == "i"
    assert layer["mark"]["interpolate"] == "linear"
    assert layer["mark"]["strokeDash"] == [1, 0]


def test_a_step_holds_until_the_next_point() -> None:
    mark = {"type": "line", "step": True, "points": [[0, 0], [0.5, 1], [1, 1]]}
    (layer,) = layers_of(chart(mark))
    assert layer["mark"]["interpolate"] == "step-after"


def test_points_upon_each_other_are_one_but_the_ends_stay() -> None:
    points = [[0, 0], [1e-6, 0], [0.5, 0.5], [0.500001, 0.5], [1, 1], [1, 1]]
    (layer,) = layers_of(chart({"type": "line", "points": points}))
    assert [r["x"] for r in layer["rows"]] == [0, 0.5, 1, 1]


def test_dots_stand_where_zero_and_null_do() -> None:
    x = TIMES | {"zero": "0"}
    mark = {**DOTS, "color": "c2", "points": [[0, 0.5, ""], [None, 1, ""]]}
    (layer,) = layers_of(chart(mark, x=x))
    assert [r["x"] for r in layer["rows"]] == pytest.approx([-0.1, 2])
    assert {r["color"] for r in layer["rows"]} == {LIGHT["c2"]}
    assert layer["encoding"]["color"]["scale"] is None
    assert "0" in texts(drawn(chart(mark, x=x)))


def test_many_dots_are_small_and_all_there() -> None:
    def size(n: int) -> float:
        mark = {**DOTS, "points": [[i / n, 0.5] for i in range(n)]}
        (layer,) = layers_of(chart(mark))
        assert len(layer["rows"]) == n
        found: float = layer["mark"]["size"]
        return found

    assert size(60) == size(1)
    assert size(240) == pytest.approx(size(1) / 4)
    assert size(999) == pytest.approx(size(1) * 0.45**2)


def test_a_box_may_have_a_colour_and_an_opacity() -> None:
    boxes = [[0.2, 0, 0, 1, "", "high", 0.25], [0.2, 0.4, 0, 1, "", None], [0, 1, 0, 1]]
    (layer,) = layers_of(chart({"type": "box", "color": "c3", "boxes": boxes}))
    assert [(r["x"], r["x2"], r["color"], r["opacity"]) for r in layer["rows"]] == [
        (0, 0.2, LIGHT["high"], 0.25),
        (0.2, 0.4, LIGHT["c3"], 1),
        (0, 1, LIGHT["c3"], 1),
    ]


def test_a_box_without_width_is_seen() -> None:
    mark = {"type": "box", "boxes": [[0.5, 0.5, 0, 1, ""]]}
    (row,) = layers_of(chart(mark))[0]["rows"]
    assert 0.5 - row["x"] == pytest.approx(row["x2"] - 0.5)
    assert 0.0005 < row["x2"] - row["x"] < 0.005


@pytest.mark.parametrize(
    ("mark", "kind", "n"),
    [
        ({"type": "line", "points": [[0, 0], [1, 1]]}, "mark-line", 1),
        ({**DOTS, "points": [[0, 0, ""], [1, 1, ""]]}, "mark-symbol", 2),
        ({"type": "box", "boxes": [[0, 1, 0, 1, ""]]}, "mark-rect", 1),
        ({"type": "rule", "x": 0.5}, "mark-rule", 1),
        ({"type": "rule", "y": 0.5, "color": "c2"}, "mark-rule", 1),
        ({"type": "text", "items": [[0, 0, "a"], [1, 1, "b", "end"]]}, "mark-text", 2),
    ],
)
def test_every_mark_is_drawn(mark: Spec, kind: str, n: int) -> None:
    groups = [
        node
        for node in drawn(chart(mark)).iter(f"{SVG}g")
        if node.attrib.get("class", "").startswith(f"{kind} role-mark")
    ]
    assert sum(len(list(group)) for group in groups) == n


def test_labels_that_would_touch_stand_in_lines_of_their_own() -> None:
    axis = PrintAxis("", 0, 1)
    rules = [{"type": "rule", "x": x, "label": "label"} for x in (0.5, 0.52, 0.9)]
    found = lanes(rules, Plot(axis, axis, 200, 100))
    assert [found[id(rule)] for rule in rules] == [0, 1, 0]


def test_a_long_name_is_parted_at_its_hyphens() -> None:
    assert lines_of("random-forest-with-presolver-07", 20) == ["random-forest-with-", "presolver-07"]
    assert lines_of("randomforestwithpresolver07", 20) == ["randomforestwithpres", "olver07"]
    assert lines_of("", 20) == [""]


def test_grey_lies_below() -> None:
    points = [[0, 0], [1, 1]]
    colors = ("c1", "muted", "c2")
    marks = [{"type": "line", "color": c, "points": points} for c in colors]
    below, above = layers_of(chart(*marks))
    assert {r["color"] for r in below["rows"]} == {LIGHT["muted"]}
    assert [r["color"] for r in above["rows"]][::2] == [LIGHT["c1"], LIGHT["c2"]]
    assert below["mark"]["strokeOpacity"] == 0.55
    assert below["mark"]["strokeWidth"] < above["mark"]["strokeWidth"]


# Legend and colours


def test_the_legend_lists_what_is_coloured_and_counts_the_others() -> None:
    marks: list[Spec] = [
        {"type": "line", "name": "one", "color": "c1"},
        {"type": "dots", "name": "", "color": "c1"},
        {"type": "dots", "name": "two", "color": "ink"},
        {"type": "line", "name": "four", "color": "muted"},
        {"type": "line", "name": "five", "color": "muted"},
    ]
    found = legend_entries(marks)
    assert [(name, color) for name, color, _ in found] == [
        ("one", "c1"),
        ("two", "ink"),
        ("four", "muted"),
        ("five", "muted"),
    ]
    six = {"type": "dots", "name": "six", "color": "muted"}
    assert [name for name, *_ in legend_entries([*marks, six])] == [
        "one", "two", "3 others",
    ]  # fmt: skip


def test_the_symbol_of_a_line_has_its_dashes() -> None:
    line = {"type": "line", "name": "one", "color": "c1"}
    entries = legend_entries([line, line | {"dash": "6 7"}])
    assert [symbol for *_, symbol in entries] == [
        "M-1,-0.16L1,-0.16L1,0.16L-1,0.16Z",
        ("M-1,-0.16L-0.54,-0.16L-0.54,0.16L-1,0.16ZM0,-0.16L0.46,-0.16L0.46,0.16L0,0.16Z"),
    ]


def test_names_may_stand_on_both_sides() -> None:
    two = {**NAMES, "right": ["one", "two"]}
    svg = drawn(chart(box_mark(), y=two))
    assert [t for t in texts(svg) if t in {"first", "third", "one", "two"}] == [
        *("first", "third", "one", "two")
    ]


def test_a_title_stands_above_if_asked_for() -> None:
    spec = chart(box_mark()) | {"about": "What to see."}
    assert {"A title", "What to see."} <= set(texts(drawn(spec, titled=True)))
    assert {"A title", "What to see."} & set(texts(drawn(spec))) == set()


def test_title_and_subtitle_are_folded_within_the_width() -> None:
    long = " ".join(["word"] * 40)
    spec = chart(box_mark()) | {"title": long, "about": long}
    svg = drawn(spec, titled=True, width=140)
    own = [text for text in texts(svg) if "word" in text]
    assert own == []
    found = [s.text or "" for s in svg.iter(f"{SVG}tspan") if "word" in (s.text or "")]
    assert " ".join(found) == f"{long} {long}"
    width = float(svg.attrib["width"])
    assert max(map(len, found)) * 0.65 * SMALL <= width
    assert len(found) > 4


LONG = [f"sel-größe_конфигурация_für-портфель_{at:04}" for at in range(22)]


def spans(svg: ET.Element) -> list[str]:
    """The texts of lines: of a text of several, each."""
    return [node.text or "" for tag in ("text", "tspan") for node in svg.iter(SVG + tag)]


def plot_of(svg: ET.Element) -> float:
    """Pixels of the plot from left to right."""
    (path, *_) = (
        node.attrib["d"] for node in svg.iter(f"{SVG}path") if node.attrib.get("class") == "background"
    )
    found = re.match(r"M[\d.]+,[\d.]+h([\d.]+)", path)
    assert found is not None, path
    return float(found[1])


@pytest.mark.parametrize("n", [2, 22])
def test_long_names_are_whole_and_leave_the_axis_its_room(n: int) -> None:
    frame = pl.DataFrame({"system": LONG[:n], "mean_rank": [*map(float, range(n))]})
    svg = drawn(critical_difference(frame, cd=1).spec(), width=140)
    found = " ".join(spans(svg))
    assert all(name in found for name in LONG[:n])
    assert plot_of(svg) > 0.9 * LEAST
    line = {"type": "line", "points": [[0, 0], [1, 1]]}
    lines = [{**line, "name": name, "color": "c1"} for name in LONG[:n]]
    for spec, named in ((chart(*lines), 16), (chart(box_mark(), y={**NAMES, "names": LONG[:n]}), n)):
        svg = drawn(spec, width=60)
        assert all(name in "".join(spans(svg)) for name in LONG[:n][:named])
        assert plot_of(svg) > 0.9 * NARROWEST


@pytest.mark.parametrize(
    ("name", "size", "lines", "height"),
    [
        # Two rows of 22 * 0.62 pixels, or that times 8 / 10.6; a line has 13 of them.
        *(("x" * 10, "10.6px", 1, 27.3), ("x" * 22, "8px", 1, 20.6)),
        *(("x" * 40, "8px", 2, 39.2), ("W" * 40, "8px", 3, 58.9)),
    ],
)
def test_names_of_rows_are_small_and_then_in_lines_where_there_is_no_room(
    name: str, size: str, lines: int, height: float
) -> None:
    spec = chart(box_mark(), y={**NAMES, "names": [name, "b"]})
    assert vega_lite(spec, width=60).to_dict()["height"] == height
    svg = drawn(spec, width=60)
    (shown,) = (text for text in svg.iter(f"{SVG}text") if name[:9] in "".join(text.itertext()))
    assert (shown.attrib["font-size"], len(list(shown)) or 1) == (size, lines)
    assert "".join(shown.itertext()) == name
    assert inches(svg) * 25.4 == pytest.approx(60, abs=0.6)


def test_a_name_of_many_letters_stands_in_lines() -> None:
    long = "x" * 150
    two = {**NAMES, "names": [long, "short"]}
    mark = {"type": "line", "name": long, "points": [[0, 0], [1, 1]]}
    svg = drawn(chart(mark, y=two))
    assert [len(text) for text in spans(svg) if "x" in text] == [46, 46, 46, 12, 60, 60, 30]
    assert "…" not in " ".join(spans(svg))
    low = drawn(chart(mark, y={**NAMES, "names": ["short", "names"]}))
    assert float(svg.attrib["height"]) > float(low.attrib["height"])


def test_what_is_too_large_to_be_drawn_is_refused() -> None:
    for axis in ({"x": {**NAMES, "names": ["a"] * 700}}, {"y": {**NAMES, "names": ["a" * 4000] * 99}}):
        with pytest.raises(AslibError, match=r"A title: a chart of .* pixels is no figure"):
            vega_lite(chart(box_mark(), **axis))


def test_the_width_of_a_text_is_that_of_its_letters() -> None:
    assert width_of("il.") < width_of("abc") < width_of("ABC") < width_of("WMW")
    assert width_of("日本語") == 3 * 1.3 * LETTERS
    assert width_of("e\u0301") == width_of("e")
    assert width_of("abc", 2 * LETTERS) == 2 * width_of("abc")


def test_whole_numbers_have_no_ticks_between() -> None:
    whole = {**NUMBERS, "low": 1, "whole": True}
    assert axis_of({**whole, "high": 2}, most=8).texts == ["1", "2"]
    assert axis_of({**whole, "high": 37}, most=8).texts == ["1", *map(str, range(5, 36, 5))]
    assert axis_of({**whole, "high": 38}, most=8).texts == ["1", *map(str, range(5, 36, 5)), "38"]
    assert axis_of({**whole, "high": 2000}, most=2).texts == ["1", "1,000", "2,000"]


def test_a_colour_by_name_or_by_itself() -> None:
    assert paint("#123456") == "#123456"
    assert [paint(name) for name in ("c2", None, "url(x)")] == [LIGHT["c2"], LIGHT["c1"], LIGHT["c1"]]


# Size


def inches(svg: ET.Element) -> float:
    return float(svg.attrib["width"]) / 96


@pytest.mark.parametrize("width", [60.0, 85.0, 170.0])
def test_the_width_holds_all_labels(width: float) -> None:
    mark = {"type": "line", "name": "x", "points": [[0, 0], [1, 1]]}
    assert inches(drawn(chart(mark, y=NAMES), width=width)) * 25.4 == pytest.approx(width, abs=0.3)


def test_the_title_of_an_axis_stands_clear_in_a_wider_font() -> None:
    (layer,) = layers_of(chart(box_mark(), y={**TIMES, "low": 0.001}))
    # Five letters of "0.001" in DejaVu Sans, of which a digit takes 0.64 of the size.
    assert layer["encoding"]["y"]["axis"]["minExtent"] > 5 * 0.64 * 10.6 + 5


@pytest.mark.parametrize(
    ("spec", "wide", "narrow", "by"),
    [
        (
            chart(box_mark(), x={**NUMBERS, "low": -1000, "high": 1000}),
            "right",
            None,
            width_of("1,000") / 2,
        ),
        (chart(box_mark(), x={**NAMES, "names": ["a long name of a metric"] * 6}), "left", "right", 0),
        (chart(box_mark(), x={**NAMES, "names": ["a long name of a metric"] * 6}), "bottom", "top", 0),
        (chart(box_mark(), {"type": "rule", "x": 1, "label": "attainable"}), "right", "top", 5),
    ],
)
def test_what_reaches_beyond_the_plot_has_its_room(
    spec: Spec, wide: str, narrow: str | None, by: float
) -> None:
    padding = vega_lite(spec).to_dict()["padding"]
    assert padding[wide] > (padding[narrow] if narrow else 0) + by


def test_many_names_below_make_it_wider() -> None:
    many = {**NAMES, "names": [f"name {i}" for i in range(60)]}
    assert inches(drawn(chart(box_mark(), x=many, y=NAMES))) * 96 > 60 * 12


def test_a_map_that_is_too_narrow_says_its_names_once() -> None:
    many = {**NAMES, "names": [f"name {i}" for i in range(60)]}
    found = drawn(chart(box_mark(), x=many, y=many))
    assert inches(found) == pytest.approx(85 / 25.4, abs=0.01)
    assert texts(found).count("name 7") == 1
    assert "in the order of the rows" in texts(found)
    wide = ET.fromstring(as_bytes(chart(box_mark(), x=many, y=many), suffix=".svg", width=300))  # noqa: S314
    assert texts(wide).count("name 7") == 2


def test_a_pdf_is_as_large_as_its_svg() -> None:
    made = chart(box_mark())
    pdf = as_bytes(made, suffix=".pdf")
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    svg = ET.fromstring(as_bytes(made, suffix=".svg"))  # noqa: S314
    for at, key in enumerate(("width", "height")):
        assert float(box[at]) / 72 == pytest.approx(float(svg.attrib[key]) / 96)


# Names are data


def everywhere(names: tuple[str, ...]) -> Spec:
    """A chart that has names wherever there can be some."""
    first = names[0]
    axis = {"kind": "band", "names": list(names), "label": first}
    points = [[i, i, first] for i in range(len(names))]
    spec = chart(
        *({"type": "line", "name": name, "points": points} for name in names),
        {**DOTS, "name": names[1], "color": "ink", "points": points},
        {"type": "box", "name": names[2], "boxes": [[0, 1, 0, 1, first]]},
        {"type": "rule", "x": 1, "label": names[3]},
        {"type": "text", "items": [[0, 0, names[4]]]},
        x=axis,
        y=axis,
    )
    return spec | {"title": first, "about": first, "population": first}


def test_hostile_names_are_text() -> None:
    svg = drawn(everywhere(HOSTILE))
    assert {node.tag.removeprefix(SVG) for node in svg.iter()} <= {
        *("svg", "g", "path", "rect", "text", "line", "defs", "clipPath", "title"),
        *("circle", "style"),
    }
    found = texts(svg)
    for name in (*HOSTILE[:4], "a b c d", HOSTILE[5]):
        assert found.count(name) >= 3, name
    assert as_bytes(everywhere(HOSTILE), suffix=".pdf").startswith(b"%PDF")


def test_a_name_is_in_no_expression_but_as_a_literal() -> None:
    def expressions(value: Any) -> list[str]:
        if isinstance(value, Mapping):
            here = [value[k] for k in ("labelExpr", "expr", "signal") if k in value]
            return here + [e for v in value.values() for e in expressions(v)]
        if isinstance(value, list):
            return [e for v in value for e in expressions(v)]
        return []

    def bare(expression: str) -> str:
        return re.sub(r'"(?:[^"\\]|\\.)*"', "", expression)

    found = expressions(vega_lite(everywhere(HOSTILE)).to_dict())
    assert found
    assert all("alert" not in bare(expression) for expression in found)


def test_the_same_chart_gives_the_same_bytes() -> None:
    spec = everywhere(("a", "b", "c", "d", "e", "f"))
    for suffix in (".svg", ".pdf", ".pgf"):
        one, two = (as_bytes(spec, suffix=suffix) for _ in range(2))
        assert one == two


def tikz_of(elements: str) -> list[str]:
    size = 'width="20" height="10"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect fill="white"/>{elements}</svg>'
    return tikz(svg).splitlines()[2:-1]


@pytest.mark.parametrize(
    ("element", "command"),
    [
        (
            '<g transform="translate(1,2)"><path d="M1,0L2,0h1v-1e-7Z" fill="#0a0b0c"/></g>',
            "\\path[fill={rgb,255:red,10;green,11;blue,12}] (2,2) -- (3,2) -- (4,2) -- (4,2) -- cycle;",
        ),
        (
            '<line x2="0" y2="4" stroke="#fff" stroke-width="2" stroke-dasharray="4,2" opacity="0.5"/>',
            (
                "\\path[draw={rgb,255:red,255;green,255;blue,255}, line width=1.5bp, "
                "dash pattern=on 3bp off 1.5bp, opacity=0.5] (0,0) -- (0,4);"
            ),
        ),
        (
            (
                '<path d="M1,0A1,1,0,1,1,-1,0" '
                'fill="none" stroke="#000" stroke-dasharray="1,0" stroke-linejoin="round"/>'
            ),
            (
                "\\path[draw={rgb,255:red,0;green,0;blue,0}, line width=0.75bp, line join=round] (1,0) "
                ".. controls (1,0.55) and (0.55,1) .. (0,1) .. controls (-0.55,1) and (-1,0.55) .. (-1,0);"
            ),
        ),
        (
            '<path d="M0,0A1,1,0,1,0,2,0C2,1,1,1,1,0" fill="#000" stroke="#000" stroke-width="0"/>',
            (
                "\\path[fill={rgb,255:red,0;green,0;blue,0}] (0,0) "
                ".. controls (0,0.55) and (0.45,1) .. (1,1) "
                ".. controls (1.55,1) and (2,0.55) .. (2,0) .. controls (2,1) and (1,1) .. (1,0);"
            ),
        ),
        (
            (
                '<path d="M2,0A2,2,0,1,1,-2,0v3" '
                'fill="#000" fill-opacity="0.5" stroke="#000" stroke-opacity="0.25"/>'
            ),
            (
                "\\path[fill={rgb,255:red,0;green,0;blue,0}, draw={rgb,255:red,0;green,0;blue,0}, "
                "line width=0.75bp, fill opacity=0.5, draw opacity=0.25] (2,0) "
                ".. controls (2,1.1) and (1.1,2) .. (0,2) .. controls (-1.1,2) and (-2,1.1) .. (-2,0) "
                "-- (-2,3);"
            ),
        ),
        (
            '<text text-anchor="middle" font-size="10.6px" fill="#000">a</text>',
            (
                "\\node[anchor=base, text={rgb,255:red,0;green,0;blue,0}, "
                "font=\\fontsize{8}{8}\\selectfont] at (0,0) {a};"
            ),
        ),
        (
            (
                '<text text-anchor="end" transform="translate(9,8) rotate(-90) translate(2,1)" '
                'font-size="10.6px" fill="#000">a_b</text>'
            ),
            (
                "\\node[anchor=base east, text={rgb,255:red,0;green,0;blue,0}, "
                "font=\\fontsize{8}{8}\\selectfont, rotate=90] at (10,6) {a\\_b};"
            ),
        ),
    ],
)
def test_elements_of_a_picture_in_tikz(element: str, command: str) -> None:
    assert tikz_of(element) == ["\\useasboundingbox (0,0) rectangle (20,10);", command]


def test_a_curve_is_turned_with_its_group_in_tikz() -> None:
    path = '<g transform="rotate(90)"><path d="M1,0C1,0,2,1,2,2" fill="#000"/></g>'
    black = "\\path[fill={rgb,255:red,0;green,0;blue,0}]"
    assert tikz_of(path)[1:] == [f"{black} (0,1) .. controls (0,1) and (-1,2) .. (-2,2);"]


def test_lines_of_a_text_stand_below_each_other_in_tikz() -> None:
    text = '<text font-size="11px" font-weight="bold"><tspan>a</tspan><tspan dy="13.6">b</tspan></text>'
    assert [line.partition("\\selectfont")[2] for line in tikz_of(text)[1:]] == [
        "\\bfseries] at (0,0) {a};",
        "\\bfseries] at (0,13.6) {b};",
    ]
    upright = text.replace("font-size", 'transform="rotate(-90)" font-size')
    assert [line.rpartition(" at ")[2] for line in tikz_of(upright)[1:]] == ["(0,0) {a};", "(13.6,0) {b};"]


@pytest.mark.parametrize(
    "look", ["", 'fill="none" opacity="0.5"', 'fill="transparent"', 'fill="#000" display="none"']
)
def test_what_is_not_seen_is_not_in_tikz(look: str) -> None:
    assert tikz_of(f'<path d="M0,0L1,1" {look}/>')[1:] == []


def test_latex_draws_any_names(tmp_path: Path) -> None:
    where = ["kpsewhich", "tikz.sty"]
    if shutil.which(where[0]) is None or subprocess.run(where, capture_output=True, check=False).returncode:
        pytest.skip("needs pdflatex and tikz: apt-get install texlive-pictures")
    for at, names in enumerate((HOSTILE, ("a", "b", "c", "d", "e", "10⁻⁶"))):
        (tmp_path / f"{at}.pgf").write_bytes(as_bytes(everywhere(names), suffix=".pgf", comment=["a\n}b"]))
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{tikz}\\begin{document}\\input{0.pgf}\\input{1.pgf}\\end{document}"
    )
    call = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_it_is_drawn_without_warnings(capfd: pytest.CaptureFixture[str]) -> None:
    png = vlc.svg_to_png(as_bytes(everywhere(HOSTILE), suffix=".svg").decode())
    assert png.startswith(b"\x89PNG")
    assert "WARN" not in "".join(capfd.readouterr())


def test_fonts_have_one_order_beside_what_shines_through() -> None:
    """The writer orders them by chance: ten times alike is 1 of 512 by luck."""
    words = "".join(
        f'<text y="20" font-family="sans-serif" font-weight="{weight}">word</text>'
        for weight in ("normal", "bold")
    )
    dots = '<circle cx="9" cy="60" r="4"/><circle cx="12" cy="60" r="4"/>'
    layers = "".join(f'<g opacity="0.{n}">{dots}</g>' for n in (3, 4))
    size = 'width="80" height="80"'
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{layers}{words}</svg>'
    made = {printing._stable_pdf(drawn) for _ in range(10)}  # noqa: SLF001
    assert len(made) == 1


# --- charts as files, and in notebooks --------------------------------------------------


def test_the_legend_has_the_order_of_the_curves() -> None:
    times = {"able": [1.0, 9.0], "few": [1.0], "most": [5.0] * 3, "fast": [2.0, 3.0]}
    rows = [(name, time) for name, own in times.items() for time in own]
    chart = runtime_distribution(pl.DataFrame(rows, ["solver", "time"], orient="row"))
    assert [m.name for m in lines(chart)] == ["most", "fast", "able", "few"]
    assert [name for name, *_ in legend_entries(chart.spec()["marks"])] == [
        *("most", "fast", "able", "few")
    ]


def sweep(n: int, last: float) -> Spec:
    return chart(*(Line([(0, 0), (last, at / n)], name=f"solver-{at}").spec() for at in range(n)))


def test_few_lines_are_named_in_a_legend_more_at_their_ends() -> None:
    few, more = (vega_lite(sweep(n, 1)).to_dict()["layer"] for n in (4, 5))
    assert [sum("shape" in layer["encoding"] for layer in each) for each in (few, more)] == [1, 0]
    assert {"solver-0", "solver-4"} <= {*texts(drawn(sweep(5, 1)))}


def test_of_more_lines_than_can_be_named_the_first_are_and_the_others_grey() -> None:
    svg = drawn(sweep(42, 0.5), width=85)
    names = [text for text in texts(svg) if re.match(r"solver-|\d+ others", text)]
    assert sorted(names) == sorted(["26 others", *(f"solver-{at}" for at in range(16))])
    strokes = [path.get("stroke") for path in svg.iter() if path.get("stroke-opacity") == "0.55"]
    assert strokes == [LIGHT["muted"]] * 26


def test_lines_that_are_named_at_their_ends_keep_their_colours() -> None:
    svg = drawn(sweep(17, 1))
    assert "solver-16" in texts(svg)
    assert not [path for path in svg.iter() if path.get("stroke-opacity") == "0.55"]


UNIT = PrintAxis("", 0, 1)


@pytest.mark.parametrize(
    ("last", "above", "slots"),
    [(1, False, [0, 100 / 6, 200 / 6, 50, 400 / 6, 500 / 6]), (0.5, True, [75, 85, 95, 105, 115, 125])],
)
def test_names_stand_at_the_side_where_their_lines_end(
    last: float,
    above: bool,  # noqa: FBT001
    slots: list[float],
) -> None:
    ends = ends_of(sweep(6, last)["marks"], Plot(UNIT, UNIT, 200, 100))
    assert {end.above for end in ends} == {above}
    assert [end.slot for end in ends] == pytest.approx(slots)


def test_names_at_the_side_make_a_narrow_chart_wider() -> None:
    def wide(name: str) -> float:
        named = (Line([(0, 0), (1, at / 5)], name=f"{name}{at}").spec() for at in range(5))
        return float(vega_lite(chart(*named), width=20).to_dict()["width"])

    assert wide("WM") - wide("") == pytest.approx(width_of("WM", SMALL), abs=0.1)


@pytest.mark.parametrize(("width", "height", "n"), [(200, 100, 10), (200, 99, 0), (100, 100, 0)])
def test_names_without_room_are_in_a_legend(width: float, height: float, n: int) -> None:
    assert len(ends_of(sweep(10, 1)["marks"], Plot(UNIT, UNIT, width, height))) == n


@pytest.mark.parametrize(
    ("places", "slots"),
    [
        ([1, 1, 1, 1, 1], [60, 70, 80, 90, 100]),
        ([0, 0, 0, 0, 0.5], [0, 10, 20, 30, 50]),
        ([0.5, 0.05, 0.52, 0.95, 0.48], [50, 5, 60, 95, 40]),
    ],
)
def test_names_that_would_touch_are_moved_apart_within_the_plot(
    places: list[float], slots: list[float]
) -> None:
    marks = [Line([(0, 0), (1, y)], name=f"{at}").spec() for at, y in enumerate(places)]
    assert [end.slot for end in ends_of(marks, Plot(UNIT, UNIT, 200, 100))] == pytest.approx(slots)


def test_names_are_in_a_legend_where_rules_have_their_labels_above() -> None:
    plot = Plot(UNIT, UNIT, 200, 100)
    # A rule without a label, or a level one, leaves the place above free.
    for rule, above in (({"x": 0.5, "label": "SBS"}, 0), ({"x": 0.5}, 6), ({"y": 0.5, "label": "SBS"}, 6)):
        marks = {"type": "rule"} | rule
        assert [len(ends_of([*sweep(6, last)["marks"], marks], plot)) for last in (0.5, 1)] == [above, 6]


def test_names_at_ends_are_those_of_lines_alone() -> None:
    plot = Plot(UNIT, UNIT, 200, 100)
    told: list[Spec] = [
        {"type": "line", "name": n, "points": [[0, 0, "tip"], [1, 1, "tip"]]} for n in "abcde"
    ]
    assert len(ends_of(told, plot)) == 5
    assert ends_of([*told, {**DOTS, "name": "f", "points": [[1, 1]]}], plot) == []


def test_many_grey_lines_have_one_name() -> None:
    parts = (("g", 0.5), ("h", 1), ("i", 0.7), ("i", 0.9))  # the last has two pieces
    greys = [Line([(0, 0), (x, 0)], name=name, color="muted").spec() for name, x in parts]
    ends = ends_of([*sweep(4, 1)["marks"], *greys], Plot(UNIT, UNIT, 200, 100))
    assert [(end.name, end.x) for end in ends[4:]] == [("3 others", 200)]


def test_a_png_says_that_it_has_300_dots_an_inch() -> None:
    png = as_bytes(sweep(2, 1), suffix=".png", width=85)
    at = png.find(b"pHYs")
    assert int.from_bytes(png[at + 4 : at + 8]) == round(300 / 0.0254)
    assert int.from_bytes(png[16:20]) == pytest.approx(85 / 25.4 * 300, abs=2)


def test_a_bare_chart_has_no_title(tmp_path: Path) -> None:
    shown = critical_difference(systems(1, 2, 2.5), cd=1)
    for bare in (False, True):
        shown.save(tmp_path / "a.svg", bare=bare)
        assert (shown.title in (tmp_path / "a.svg").read_text()) != bare


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", ".png", ".html"])
def test_files_open_without_a_network(tmp_path: Path, suffix: str) -> None:
    chart = critical_difference(systems(1, 2, 2.5), cd=1)
    first, again = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, again):
        chart.save(path)
    content = first.read_bytes()
    assert content == again.read_bytes()
    assert (b"system-1" in content) == (suffix != ".png")
    assert b'src="http' not in content


MARKUP = (
    "</script><script>alert(1)</script>",
    "</ScRiPt ><svg onload=alert(1)>",
    "<!--<script>",
    "]]></text><script>alert(1)</script>",
    "' onload='alert(1)\" onload=\"alert(1)",
    "\u2028alert(1)",
)


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_no_name_is_markup_or_script(tmp_path: Path, suffix: str) -> None:
    """In the place of a name, of the title, of what is told."""
    line = [Line([[0, 0], [1, 1]], name=name) for name in MARKUP]
    band = Chart(MARKUP[0], MARKUP[2], Linear(MARKUP[1], 0, 1), Band(MARKUP), line)
    chart = replace(band, population=MARKUP[3])
    chart.save(tmp_path / f"x{suffix}")
    text = (tmp_path / f"x{suffix}").read_text()
    if suffix == ".svg":
        elements = [*ET.fromstring(text).iter()]  # noqa: S314 - ours
        names = {name.lower() for each in elements for name in each.keys()}  # noqa: SIM118
        assert not any(each.tag.endswith("script") for each in elements)
        assert not any(name.startswith("on") for name in names)
    else:
        plain = critical_difference(systems(1, 2), cd=1)
        plain.save(tmp_path / "y.html")
        ours = (tmp_path / "y.html").read_text()
        for sign in ("</script", "<script", "<!--", "<svg onload", "\u2028", "alert(1)<"):
            assert text.lower().count(sign) == ours.lower().count(sign), sign


def test_a_chart_shows_itself_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = Chart(
        "A title", "What to see.", Linear("x", 0, 1), Band(["row"]), [Line([[0, 0], [1, 0]], name="a line")]
    )
    shown = chart._repr_mimebundle_()
    assert shown["text/plain"] == "A title. What to see."
    assert all(text in shown["image/svg+xml"] for text in ("A title", "row", "a line"))
    monkeypatch.setitem(sys.modules, "altair", None)
    assert chart._repr_mimebundle_() == {
        "text/plain": "A title. What to see. (chart: altair is not installed. Install "
        "the extra figures, in a checkout: pip install '.[figures]')"
    }


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path: Path) -> None:
    chart = critical_difference(systems(1, 2), cd=1)
    with pytest.raises(AslibError, match="cannot be written"):
        chart.save(tmp_path / "no" / "x.svg")


def test_a_chart_in_vega_lite_for_other_tools(tmp_path: Path) -> None:
    chart = critical_difference(systems(1, 2), cd=1)
    chart.save(tmp_path / "cd.json", width=85)
    drawn = json.loads((tmp_path / "cd.json").read_text())
    assert drawn["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert drawn == vega_lite(chart.spec(), width=85, titled=True).to_dict()
