"""The page's own program: its functions one by one, and what every choice shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.reports import html
from aslib_eval.text import MINUS, NONE
from tests.approved import approved
from tests.browser import Browser, Page

pytestmark = pytest.mark.slow

ASSETS = Path(html.__file__).parent / "assets"
PARTS = ("text", "chart", "figure", "table", "portfolio", "live")
LONG = "c" * 40
# Expression → its value, by hand.
VALUES: dict[str, Any] = {
    # numbers and names as text
    "[null, undefined, NaN, Infinity, -Infinity, 'x'].map(shown)": [
        *(NONE, NONE, NONE, "∞", f"{MINUS}∞", "x")
    ],
    "[0, 99999.4, 1e5, -1234567.5, 1e-4, 9.9e-5, -3.14159265].map(shown)": [
        *("0", "99999", "100\u202f000", f"{MINUS}1\u202f234\u202f567", "0.0001"),
        *(f"9.90e{MINUS}5", f"{MINUS}3.1416"),
    ],
    "[[1, 20.5, 3000], [0.5, 0.25, -4], [7, 9], [1e-7, 2e-7], [], [0.1, 1e15],"
    " [1e300]].map(decimals)": [1, 3, 0, None, 0, None, None],
    "[aligned(-0.0004, 3), aligned(2.5, 0), aligned(1234567.891, 2), aligned(null, 2),"
    " aligned(-7, 1), aligned('x', 2), aligned(1e-9, null)]": [
        *("0.000", "3", "1\u202f234\u202f567.89", NONE, f"{MINUS}7.0", "x"),
        f"1.00e{MINUS}9",
    ],
    "[telling([187.4, 185.6, 191], 0, 'min'), telling([186.2, 185.9, 483], 0, 'min'),"
    " telling([0.9383, 0.93834, 0.1], 3, 'max'), telling([2, 2, 2.0000001], 1, 'min'),"
    " telling([7.5, 7.5], 0, 'max'), telling([1e-7, 2e-7], null, 'max')]": [
        *(0, 1, 5, 1, 0, None)
    ],
    "[3007.94, 0.98199, 10.685, 5, -0.5].map(brief)": [
        *("3008", "0.982", "10.7", "5", f"{MINUS}0.500")
    ],
    "['closed gap>-1 a', 'Closed_Gap <= -.5', 'par10=5 closed gap<0', 'gap>1'].map("
    "(w) => { const f = conditions(w, ['solver', 'closed gap', 'PAR10']);"
    " return [f.tests.length, f.unknown]; })": [
        [2, []], [1, []], [2, []], [1, ["gap>1"]]
    ],
    "(({tests, unknown}) => [tests.length, unknown])(conditions('par10>3 lost=2', "
    "['solver', 'PAR10 [s]', 'lost, PAR10 [s]']))": [2, ["lost=2"]],
    "unitless('PAR10 [s]') + unitless('a[0] b')": "PAR10a[0] b",
    "shortened('a'.repeat(30))": "a" * 30,
    "shortened('a'.repeat(16) + 'b'.repeat(15))": "a" * 14 + "…" + "b" * 15,
    "shortened('abcdefghij', 5)": "ab…ij",
    """csv([['a,b', 'c"d', null, 1.5], ['=1+1', '-5', 'x\\ny', undefined]])""": (
        '"a,b","c""d",,1.5\r\n\'=1+1,-5,"x\ny",\r\n'
    ),
    "fitted('c', 50)": {},
    "fitted('c'.repeat(99), 50)": {
        "textLength": 50,
        "lengthAdjust": "spacingAndGlyphs",
    },
    "(({box}) => box.right - box.left > 30)(layout({ marks: [], "
    "x: { kind: 'linear', low: 0, high: 1 }, y: { kind: 'band', "
    f"names: ['{LONG}'], right: ['{LONG}'] }} }}, 308))": True,
    # axes
    "[-3, 0, 4, -4, 12].map(power)": ["0.001", "1", "10000", "10⁻⁴", "10¹²"],
    "[[10, 5], [7, 5], [1.1, 1], [0.3, 3], [10, 0], [5, 1]]"
    ".map((a) => niceStep(...a))": [
        *(2, 2, 2, 0.1, 10, 5)
    ],
    "linearScale({low: 0, high: 10}, 0, 140).place(5)": 70,
    "linearScale({low: 0, high: 10}, 0, 140).ticks": [[0, "0"], [70, "5"], [140, "10"]],
    "linearScale({low: 0, high: 10}, 150, 0).ticks": [[150, "0"], [75, "5"], [0, "10"]],
    "linearScale({low: 0, high: 10}, 0, 150).ticks.length": 3,
    "linearScale({low: 0, high: 10}, 250, 0).ticks.length": 6,
    "linearScale({low: 0, high: 10}, 0, 250).ticks.length": 3,
    "linearScale({low: 3, high: 3}, 0, 100).place(3)": 50,
    "linearScale({low: 3, high: 3, whole: true}, 100, 0).ticks": [[50, "3"]],
    "linearScale({low: 0, high: 2, whole: true}, 0, 700).ticks.length": 3,
    "linearScale({low: 0, high: 2}, 0, 700).ticks.length": 11,
    # names at the right take room from the plot
    "[['a'], ['a', 'long name']].map((right) => layout({x: {kind: 'linear'}, marks: [],"
    " y: {kind: 'band', names: ['b', 'c'], right}}, 400).box.right < 360)": [
        *(False, True)
    ],
    "logScale({low: 1, high: 1000}, 0, 300).ticks": [
        *([0, "1"], [100, "10"], [200, "100"], [300, "1000"])
    ],
    "[10, 0.5, 0].map(logScale({low: 1, high: 1000}, 0, 300).place)": [100, 0, 0],
    "(({begin, end}) => [begin, end])(logScale({low: 1, high: 9, zero: '0', "
    "beyond: 'b'}, 0, 400))": [26, 374],
    "(({begin, end}) => [begin, end])(logScale({low: 1, high: 9, zero: '0', "
    "beyond: 'b'}, 400, 0))": [374, 26],
    "[0, 10, null].map(logScale({low: 1, high: 1000, zero: '0', beyond: 'b'}, 0, 400)"
    ".place)": [13, 142, 387],
    "[0, 10, null].map(logScale({low: 1, high: 100, zero: '0', beyond: 'b'}, 400, 0)"
    ".place)": [387, 200, 13],
    "logScale({low: 1, high: 100, zero: '0', beyond: 'b'}, 400, 0).ticks"
    ".map((t) => t[1])": ["0", "1", "2", "5", "10", "20", "50", "100", "b"],
    "logScale({low: 1, high: 1e9}, 0, 126).ticks": [
        *([0, "1"], [42, "1000"], [84, "10⁶"], [126, "10⁹"])
    ],
    "logScale({low: 1.5, high: 60}, 0, 400).ticks"
    ".map(([at, t]) => [Math.round(at), t])": [
        *([206, "10"], [281, "20"], [380, "50"], [31, "2"], [131, "5"])
    ],
    "logScale({low: 5, high: 5}, 0, 400).ticks": [[0, "5"]],
    f"bandScale({{names: ['a', '{LONG}']}}, 0, 400).ticks": [
        *([100, "a", "a"], [300, "c" * 14 + "…" + "c" * 15, LONG])
    ],
    "bandScale({names: ['a', 'b']}, 0, 400).step": 200,
    "timeAxis('t', [0, 3, null, 50], 'timeout')": {
        "label": "t", "kind": "log", "low": 1, "high": 50, "beyond": "timeout",
        "zero": "0",
    },
    "timeAxis('t', [2, 50])": {"label": "t", "kind": "log", "low": 1, "high": 50},
    "timeAxis('t', [null])": {"label": "t", "kind": "log", "low": 1, "high": 10},
    "timeAxis('t', [1e-12, 50])": {
        "label": "t", "kind": "log", "low": 1e-7, "high": 50, "zero": f"<1.00e{MINUS}7",
    },
    "timeAxis('t', [-1, 50])": {
        "label": "t", "kind": "log", "low": 10, "high": 100, "zero": "0",
    },
    "spaced([[30, 'a'], [0, 'b'], [12, 'c'], [20, 'd']], 3, () => 12)": [
        *([0, "b"], [20, "d"])
    ],
    "spaced([[0, 'b'], [15, 'd']], 3, () => 12)": [[0, "b"], [15, "d"]],
    "widthOf(['a', 'aaa', 'aa']) === widthOf(['aaa'])": True,
    # marks
    "[paint('#123'), paint('c3'), paint()]": ["#123", "var(--c3)", "var(--c1)"],
    "pathOf([[0, 0], [0.1, 0.1], [5, 5], [5.2, 5], [6, 6]], (v) => v, (v) => v)": (
        "M0.0 0.0L5.0 5.0L6.0 6.0"
    ),
    "pathOf([[0, 0], [0, 5], [0.1, 5.1]], (v) => v, (v) => v)": (
        "M0.0 0.0L0.0 5.0L0.1 5.1"
    ),
    "pathOf([[0, 0], [5, 5], [6, 8]], (v) => v, (v) => 10 - v, true)": (
        "M0.0 10.0H5.0V5.0H6.0V2.0"
    ),
    # what is pointed at
    "nearest([{x: 0, y: 0}, {x: 10, y: 0}], 6, 0).x": 10,
    "nearest([{x: 0, y: 0}, {x: 0, y: 10}], 0, 4).y": 0,
    "nearest([{x: 0, y: 0}], 23.9, 0).x": 0,
    "nearest([{x: 0, y: 0}], 24, 0)": None,
    "nearest([{x: 5, y: 5, area: [0, 10, 0, 10]}, {x: 9, y: 9}], 10, 10).x": 5,
    "nearest([{x: 5, y: 5, area: [0, 10, 0, 10]}, {x: 9, y: 9}], 0, 0).x": 5,
    "nearest([{x: 5, y: 5, area: [0, 10, 0, 10]}, {x: 9, y: 9}], 10.5, 10).x": 9,
    "nearest([{x: 5, y: 5, area: [0, 10, 0, 10]}], 10, 10.5)": None,
    "[[0, 1], [3, -1], [4, 1], [4, -1], [-1, 1]].map(([at, way]) => "
    "nextMark([1, 1, 2, 2, 3].map((mark) => ({mark})), at, way))": [2, 1, 4, 3, 2],
    "tipOf({mark: {name: 'm', type: 'dots'}, p: [1, 2]}, "
    "{x: {label: 'X'}, y: {}, population: 'n = 3'})": "m: X 1, y 2 · n = 3",
    "tipOf({mark: {name: 'm', type: 'dots'}, p: [1, 2, 'tip']}, {x: {}, y: {}})": "tip",
    "tipOf({mark: {name: 'm', type: 'line'}, p: [1, 2, 'tip']}, {x: {}, y: {}})": (
        "m: tip"
    ),
    "chartRows({x: {label: '', kind: 'band', names: ['p', 'q']}, "
    "y: {label: 'Y', kind: 'linear'}, marks: [{name: 'm', points: [[1, 5, 't'], "
    "[0.4, 2]]}, {boxes: [[0, 1, 2, 3, 'tip']]}, {type: 'rule'}], population: 'P'})": [
        ["mark", "x", "Y", "says", "over"],
        ["m", "q", 5, "t", "P"],
        ["m", "p", 2, "", "P"],
        ["", "q", 3, "tip", "P"],
    ],
    # order and conditions of tables
    "[[null, 1], [1, null], [null, null], [3, 1], ['a10', 'a9'], ['B', 'a']]"
    ".map(([a, b]) => Math.sign(compare(a, b)))": [1, -1, 0, 1, 1, 1],
    # sums
    "average([], (x) => x)": None,
    "average([0, 1, 2], (i) => [1e16, 1, -1e16][i]) * 3": 1,
    "average([0, 1, 2], (i) => [1, 1e16, -1e16][i]) * 3": 1,
    "average([0, 1], (i) => [1, null][i])": None,
    "[[1, 1 + 1e-13], [2, 1], [1, 2], [1e-13, 0], [1e3, 1e3 + 1e-10]]"
    ".map((a) => less(...a))": [0, 1, -1, 1e-13, 0],
    "rangeOf('l', [3, 1, 2])": {"label": "l", "kind": "linear", "low": 1, "high": 3},
    "stairs([1, 2, 2, 3], 5, 10)": [[1, 0.2], [2, 0.6], [3, 0.8], [10, 0.8]],
    "stairs([1, 2], 4, null)": [[1, 0.25], [2, 0.5]],
    "stairs([], 5, 10)": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def address(rich_report: Path) -> str:
    return (rich_report / "scenario" / "RICH.html").as_uri()


@pytest.fixture(scope="module")
def functions(browser: Browser, address: str) -> Page:
    """A page on which the program's functions can be called."""
    page = browser.open(address)
    page.js("".join((ASSETS / f"{part}.js").read_text() for part in PARTS))
    return page


def test_functions_give_what_is_found_by_hand(functions: Page) -> None:
    asked = ", ".join(f"() => {expression}" for expression in VALUES)
    found = functions.js(f"[{asked}].map((one) => one())")
    assert dict(zip(VALUES, found, strict=True)) == VALUES


DATA = {
    "solvers": [{"name": n, "kind": "algorithm"} for n in "abc"] + [{"name": "s", "kind": "selector"}],
    "instances": ["i", "j", "k"],
    "cutoff": 10,
    "timed": True,
    "par1": [[1, None, None], [4, 5, None], [4, 5, None], [2, None, None]],
    "part": [],
    "featureCost": [1, 6, 1],
    "presolved": [0, 0, 1],
    "k": 10,
    "strict": False,
    "criterion": "par",
}


def scores(page: Page, ask: str = "", **changed: Any) -> dict[str, Any]:
    """What the portfolio makes of a choice such as ``k: 2``."""
    given = json.dumps(DATA | changed)
    choice = f"{{k: 10, drop: false, off: new Set(), {ask}}}"
    found: dict[str, Any] = page.js(f"new Portfolio({given}).scores({choice})")
    return found


def test_the_portfolio_by_hand(functions: Page) -> None:
    found = scores(functions)
    # Nobody solves k; a costs 1, 100, 100, and b and c tie at 4, 5, 100.
    assert found["mean"] == [201 / 3, 109 / 3, 109 / 3, 202 / 3]
    assert found["share"] == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1 / 3])
    assert (found["vbs"], found["vws"], found["sbs"]) == (106 / 3, 68, 1)
    assert found["unsolvable"] == 1
    assert found["solvedByVbs"] == pytest.approx(2 / 3)
    assert found["gap"] == pytest.approx([-92 / 3, 0, 0, -31])
    # With features: 2, then 11 is beyond the cutoff; k is presolved, after 1.
    assert found["attainable"] == pytest.approx((2 + 100 + 1) / 3)
    found = scores(functions, "k: 2, drop: true")
    assert found["rows"] == [0, 1]
    assert found["mean"][:2] == [21 / 2, 9 / 2]
    assert (found["vbs"], found["vws"], found["unsolvable"]) == (3, 12, 0)
    found = scores(functions, "off: new Set([1])")
    assert (found["on"], found["sbs"]) == ([0, 2], 2)
    found = scores(functions, "off: new Set([1, 2]), drop: true")
    assert found["rows"] == [0]
    assert found["gap"] == [None] * 4


def test_what_the_protocol_says_to_the_portfolio(functions: Page) -> None:
    # A total of 10 is the cutoff.
    edge: dict[str, Any] = {"featureCost": [1, 5, 1]}
    assert scores(functions, **edge)["attainable"] == pytest.approx(13 / 3)
    strict = scores(functions, **edge, strict=True)
    assert strict["attainable"] == pytest.approx(103 / 3)
    assert scores(functions, featureCost=None)["attainable"] is None
    # Of one of two repetitions: half of the penalty of 9 more cutoffs.
    part = scores(functions, part=[[0, 0, 0.5]])
    assert part["mean"][0] == (46 + 200) / 3
    assert part["share"][0] == pytest.approx(0.5 / 3)
    assert part["attainable"] is None
    # a solves fewer, at less cost in PAR1.
    par1 = [[1, 1, None], [8, 8, 9], [9, 9, 9], [1, 1, 1]]
    assert scores(functions, par1=par1)["sbs"] == 1
    assert scores(functions, par1=par1, criterion="par1")["sbs"] == 0
    assert scores(functions, par1=par1, criterion="solved")["sbs"] == 1
    quality: dict[str, Any] = {"timed": False, "par1": [[3, 1, 2], [2, 2, 5], [0, 9, 9], [3, 1, 2]]}
    found = scores(functions, "k: 5, drop: true", **quality, criterion="solved")
    assert (found["rows"], found["mean"]) == ([0, 1, 2], [2, 3, 6, 2])
    assert (found["sbs"], found["vbs"], found["attainable"]) == (0, 1, None)


def test_conditions_of_a_filter(functions: Page) -> None:
    values = {"one": "4", "two": "5.5", "three": "", "mine&lt;5": "-2"}
    rows = "".join(f"<tr><th>{name}</th><td data-v='{v}'></td></tr>" for name, v in values.items())

    def kept(term: str) -> list[str]:
        table = "document.createElement('table')"
        made = f"Object.assign({table}, {{innerHTML: {json.dumps(rows)}}})"
        asked = f"conditions({json.dumps(term)}, ['name', 'the Value'])"
        given = "{at: (c) => valueOf(row.cells[c]), text: row.textContent}"
        holds = f"(row) => {asked}.tests.every((holds) => holds({given}))"
        found: list[str] = functions.js(
            f"[...{made}.rows].filter({holds}).map((row) => row.cells[0].textContent)"
        )
        return found

    assert kept("the_value<4") == ["mine<5"]
    assert kept("the_value<=4") == ["one", "mine<5"]
    assert kept("the_value>4") == ["two"]
    assert kept("the_value>=4") == ["one", "two"]
    assert kept("the_value=5.5") == ["two"]
    assert kept("the_value=-2") == ["mine<5"]
    assert kept("the_value>1e-1") == ["one", "two"]
    assert kept(f"the value > {MINUS}3 t") == ["two"]
    assert kept("mine<5") == ["mine<5"]
    assert kept("t") == ["two", "three"]


# A letter is six pixels wide; places are ten times a value, and down a hundred times.
DRAWING = """
widthOf = (texts) => texts.reduce((most, text) => Math.max(most, 6 * text.length), 0);
const times = (factor) => ({ place: (value) => factor * value });
const inked = (mark) => {
  const root = svg("g"), hits = [], box = { left: 5, right: 95, top: 7, bottom: 93 };
  MARKS[mark.type](root, mark, times(10), times(-100), hits, box);
  return [root.innerHTML, hits.map(({ x, y, p, area }) => [x, y, p, area ?? null])];
};
const placed = (spec, width) => layout({ marks: [], ...spec }, width).box;
const axes = (spec, turn) => {
  const box = { left: 50, right: 130, top: 20, bottom: 80, height: 110, turn };
  const root = svg("g"), x = scaleOf(spec.x, 50, 130), y = scaleOf(spec.y, 80, 20);
  drawAxes(root, { marks: [], ...spec }, box, x, y);
  return root.innerHTML;
};
const listed = (marks) => {
  const root = svg("g"), legend = legendOf({ marks }, 120);
  drawLegend(root, legend, 8);
  return [root.innerHTML, legend.height];
};
const plain = { kind: "linear", low: 0, high: 1 };
const names = (...names) => ({ kind: "band", names });
"""
DRAWN = """
inked({type: "line", color: "c2", dash: "5 3", points: [[1, 2], [3, 4]]})
inked({type: "line", color: "muted", width: 9, step: true, points: [[1, 2], [3, 4]]})
inked({type: "line", color: "muted", points: [[1, 2]]})
inked({type: "dots", color: "c3", points: [[1, 2, "t"]]})
inked({type: "dots", r: 5, opacity: 0.5, points: [[1, 2]]})
inked({type: "box", color: "c4", boxes: [[3, 1, 2, 5, "t", "c5", 0.5], [1, 1, 2, 2]]})
inked({type: "rule", x: 2, label: "SBS"})
inked({type: "rule", x: 6, label: "SBS"})
inked({type: "rule", y: -0.5, label: "L", color: "ink", dash: "1"})
inked({type: "rule", x: 0})
inked({type: "text", items: [[1, 2, "a"], [3, 4, "b", "end", 5]]})
listed(["one", "two", "three"].map((name, i) => ({name, color: `c${i}`, dash: "2"})))
listed([{name: ""}, {name: "m", color: "muted"}, {name: "u", unlisted: true}])
placed({x: plain, y: plain}, 500)
placed({x: {...plain, label: "x"}, y: plain, height: 9}, 500)
placed({x: plain, y: {...plain, label: "y"}}, 500)
placed({x: plain, y: {beyond: "timeouts"}, marks: [{type: "rule", label: "l"}]}, 500)
placed({x: plain, y: names("a", "b".repeat(20), "c"), rowHeight: 30}, 500)
placed({x: plain, y: names("b".repeat(30))}, 300)
placed({x: names("a".repeat(20), "b", "c"), y: plain}, 200)
placed({x: names("a".repeat(20), ..."bcdefghijklmn"), y: plain}, 200)
placed({x: names("ab", "b", "c"), y: plain}, 300)
axes({x: {...plain, label: "X"}, y: {...plain, label: "Y"}}, 40)
axes({x: names("a", "b"), y: names("p")}, 40)
axes({x: names("aaaaaaaaa", "b"), y: names("p")}, 90)
logScale({low: 15, high: 600}, 0, 400).ticks.map(([at, t]) => [Math.round(at), t])
"""


def test_everything_is_drawn_where_it_was_read(browser: Browser, address: str) -> None:
    page = browser.open(address)
    page.js("".join((ASSETS / f"{part}.js").read_text() for part in PARTS))
    page.js(DRAWING)
    said = []
    for expression in DRAWN.strip().splitlines():
        found = page.js(expression)
        said += [expression, f"  {json.dumps(found, ensure_ascii=False)}"]
    approved("drawn.txt", "\n".join([*said, ""]))


def test_a_chart_is_as_wide_as_it_may_be_and_grey_lies_below(browser: Browser, address: str) -> None:
    page = browser.open(address)
    page.js("document.querySelector('#scatter').scrollIntoView()")
    page.until("document.querySelector('#scatter svg') !== null")
    assert page.js("document.querySelector('#scatter svg').getAttribute('width')") == ("640")
    page.js("document.querySelector('#cactus').scrollIntoView()")
    page.until("document.querySelector('#cactus svg') !== null")
    strokes = page.js(
        "[...document.querySelectorAll('#cactus svg path')].map((p) => p.getAttribute('stroke'))"
    )
    assert strokes[:2] == ["var(--muted)", "var(--c1)"]


def test_a_table_is_saved_with_every_digit(browser: Browser, address: str) -> None:
    page = browser.open(address)
    page.enter(".table:has(#runs-table) input[type=search]", "j29")
    name, text = page.download(".table:has(#runs-table) .save")
    assert name == "RICH-runs-table.csv"
    head, line = text.splitlines()
    assert head.startswith("instance,solved by,best,by,a6,a7,")
    assert head.endswith(",oracle,coin,steady,worst,n,over")
    assert line.startswith("j29,0,,,,,")
    assert ",,1,protocol default@" in line
    page.enter(".table:has(#features-table) input[type=search]", "depth")
    _, text = page.download(".table:has(#features-table) .save")
    assert text.splitlines()[1] == ('depth,dear,15,0.5,1,4,4,4,30,"as in the files, under every protocol"')


# What a choice shows, a line each: numbers in sentences, rows, charts, their marks.
SNAPSHOT = """
(async () => {
  const lines = [`address ${location.hash}`];
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  for (const node of document.querySelectorAll("[data-live]")) {
    const { live, exact } = node.dataset;
    lines.push(`${live}: ${node.textContent} = ${exact}`);
  }
  const tip = document.querySelector("[data-live=room]").closest("[data-tip]");
  lines.push(tip.dataset.tip.replace(/@\\w+/, ""));
  for (const row of document.querySelectorAll("tr[data-solver]")) {
    const name = row.cells[0].textContent.trim(), { n } = row.dataset;
    const cells = [...row.querySelectorAll("[data-column]")];
    const state = [row.className, row.querySelector("input")?.checked, row.hidden];
    lines.push([name, n, ...state, ...cells.map((c) => c.dataset.v)].join("; "));
  }
  const heads = [...document.querySelectorAll("th[data-k]")];
  lines.push(`heads ${heads.map((h) => h.textContent)}`);
  lines.push(`said ${document.getElementById("said").textContent}`);
  for (const id of ["cactus", "ecdf", "scatter", "solved-by"]) {
    const figure = document.getElementById(id);
    figure.scrollIntoView();
    for (let i = 0; i < 500 && (figure.stale || !figure.chart); i++) {
      await new Promise((r) => setTimeout(r, 10));
    }
    const { title, about, marks, x, y } = figure.chart.spec;
    lines.push(`${id}: ${title}. ${about} x to ${x.high}, y to ${y.high}`);
    if (id === "cactus") {  // the ECDF, turned: its steps are read there
      lines.push(`  cactus ${marks.map(({ name, points }) => [name, points.length])}`);
      continue;
    }
    for (const { points, boxes, ...look } of marks) {
      const all = points ?? boxes ?? [], [first, last] = [all[0], all.at(-1)];
      const ends = JSON.stringify([first, last]);
      lines.push(`  ${id} ${look.name} ${look.color}, ${all.length}: ${ends}`);
    }
  }
  return lines;
})()
"""


def test_every_choice_shows_what_was_read(browser: Browser, address: str) -> None:
    page = browser.open(address)
    at_first = page.js(SNAPSHOT)
    page.enter("#show", "selector")
    page.enter("#pair-x", "0")
    page.enter("#pair-y", "8")
    page.click("input[data-choose='6']")
    page.enter("#k", "2.5")
    chosen = page.js(SNAPSHOT)
    page.click("#drop")
    page.enter(".table:has(#algorithms-table) input[type=search]", "par10>300")
    page.click("#choose-shown")
    page.enter("#show", "algorithm")
    alone = page.js(SNAPSHOT)
    page.click("#reset")
    page.js("history.replaceState(null, '', '#')")
    again = page.js(SNAPSHOT)
    said: list[str] = []
    for title, before, after in (
        ("at first", [], at_first),
        ("k, without a6, selectors, a0 against a8", at_first, chosen),
        ("without unsolvable, those shown alone", chosen, alone),
        ("reset", at_first, again),
    ):
        new = dict.fromkeys(line for line in after if line not in before)
        said += [f"--- {title}", *new]
    assert page.complaints == []
    beyond = "(c) => c.spec.marks.some((m) => m.points?.some((p) => p[0] > c.spec.x.high))"
    charts = "[...document.querySelectorAll('figure')].map((f) => f.chart)"
    assert page.js(f"{charts}.filter((c) => c && c.spec.x.high).filter({beyond})") == []
    approved("rich-choices.txt", "\n".join([*said, ""]))


def test_an_address_with_nonsense_is_as_without(browser: Browser, address: str) -> None:
    live = "[...document.querySelectorAll('[data-live]')].map((n) => n.dataset.exact)"
    first = browser.open(address).js(live)
    every = ",".join(map(str, range(9)))
    for choice in ("k=0.5", "k=x", "k=Infinity", "off=99,x,", f"off={every}", "x=z"):
        page = browser.open(f"{address}#{choice}&drop=0&show=nobody&theme=blue")
        assert page.js(live) == first
        assert page.js("document.querySelector('#show').value") == "algorithm"
        assert page.js("document.documentElement.dataset.theme === undefined")
        assert page.complaints == []
    page = browser.open(f"{address}#k=1&drop=1&off=0,1&x=a3&y=oracle&show=selector")
    assert page.js("document.querySelector('#k').value") == "1"
    assert page.js("document.querySelector('#drop').checked")
    boxes = "[...document.querySelectorAll('[data-choose]')].filter((b) => !b.checked)"
    assert sorted(page.js(f"{boxes}.map((b) => b.dataset.choose)")) == ["0", "1"]
    chosen = "[...document.querySelectorAll('#pair-x, #pair-y')].map("
    chosen += "(s) => s.selectedOptions[0].text)"
    assert page.js(chosen) == ["a3", "oracle"]
    assert page.js("document.querySelector('#show').value") == "selector"


def test_one_algorithm_always_stays(browser: Browser, address: str) -> None:
    page = browser.open(f"{address}#off=0,1,2,3,4,5,6,7")
    page.click("input[data-choose='8']")
    assert page.js("document.querySelector('input[data-choose=\"8\"]').checked")
    assert page.js("document.querySelector('[data-live=sbs]').textContent") == "a8"
    page.enter("#k", "0.99")  # none: the one before stays
    assert "PAR10" in page.js("document.querySelector('th[data-k]').textContent")


def test_keys_walk_through_a_chart(browser: Browser, address: str) -> None:
    page = browser.open(address)
    figure = "document.querySelector('#fold-gaps')"
    page.js(f"{figure}.scrollIntoView()")
    page.until(f"{figure}.chart !== undefined")
    page.js(f"{figure}.querySelector('svg').focus()")
    hits = page.js(f"{figure}.chart.hits.map((h) => h.p[2])")
    said = "document.querySelector('#said').textContent"

    def press(key: str) -> int:
        page.press(key)
        text = page.js(said)
        return next(i for i, tip in enumerate(hits) if text.startswith(f"{tip} · "))

    assert [press("ArrowRight"), press("ArrowRight"), press("ArrowLeft")] == [0, 1, 0]
    assert [press("ArrowLeft"), press("End"), press("ArrowRight")] == [*(0, len(hits) - 1, len(hits) - 1)]
    assert press("Home") == 0
    assert press("ArrowDown") == 12  # past the folds: the first mean
    assert press("ArrowUp") == 11
    ticks = page.js(f"[...{figure}.querySelectorAll('.tick')].map((t) => t.lastChild.data)")
    assert {f"{MINUS}3", f"{MINUS}1", "0", "1"} <= set(ticks)  # logarithmic below -1
    places = page.js(f"{figure}.chart.hits.map((h) => [h.p[0], h.x])")
    assert len(set(map(tuple, places))) == len({gap for gap, _ in places})
    tip = "document.querySelector('#tip')"
    assert page.js(f"{tip}.hidden") is False
    page.js(f"{figure}.querySelector('svg').blur()")
    assert page.js(f"{tip}.hidden") is True


def test_the_pointer_shows_what_is_below_it(browser: Browser, address: str) -> None:
    page = browser.open(address)
    figure = "document.querySelector('#cactus')"
    page.js(f"{figure}.scrollIntoView()")
    page.until(f"{figure}.chart !== undefined")
    move = """
    (({root, hits}, dx) => {
      const frame = root.getBoundingClientRect(), hit = hits[hits.length - 1];
      root.dispatchEvent(new PointerEvent("pointermove",
        {clientX: frame.left + hit.x + dx, clientY: frame.top + hit.y}));
      const tip = document.querySelector("#tip"), at = tip.getBoundingClientRect();
      return [tip.hidden, tip.textContent, hit.node.classList.contains("hot"),
        Math.round(at.left - frame.left - hit.x),
        Math.round(frame.top + hit.y - at.bottom)];
    })(%s.chart, %d)
    """
    hidden, text, hot, left, above = page.js(move % (figure, 3))
    assert (hidden, hot, above) == (False, True, 10)
    assert left <= 12
    assert ": instances solved 21, time " in text
    assert "n = 30 · protocol default@" in text
    assert page.js(move % (figure, 300))[:3:2] == [True, False]
    page.js(f"{figure}.chart.root.dispatchEvent(new PointerEvent('pointerleave'))")
    assert page.js("document.querySelector('#tip').hidden") is True


def test_a_table_goes_back_to_what_was_asked(browser: Browser, address: str) -> None:
    page = browser.open(f"{address}#t-runs-table=1~d~j0~1&t-files=~a~cv")
    rows = "[...document.querySelectorAll('#%s tbody tr')].filter((r) => !r.hidden)"
    assert page.js(f"{rows % 'files'}.map((r) => r.cells[0].textContent)") == ["cv.arff"]
    values = page.js(f"{rows % 'runs-table'}.map((r) => Number(r.cells[1].dataset.v))")
    assert values == []  # «j0~1» is a word
    page.enter(".table:has(#runs-table) input[type=search]", "j0")
    values = page.js(f"{rows % 'runs-table'}.map((r) => Number(r.cells[1].dataset.v))")
    assert values == sorted(values, reverse=True)
    assert len(values) == 10
    assert "t-runs-table=1%7Ed%7Ej0&" in page.js("location.hash")
    page.click("#runs-table th:nth-child(2) button")  # again: the other way round
    assert "t-runs-table=1%7Ea%7Ej0&" in page.js("location.hash")
    page.enter(".table:has(#files) input[type=search]", "")
    assert "t-files" not in page.js("location.hash")
    count = "document.querySelector('.table:has(#%s) .count').textContent"
    assert page.js(count % "runs-table") == "10 of 30"
    assert page.js(count % "files") == ""
    page.js("document.querySelector('.scroll:has(#runs-table)').focus()")
    page.press("Enter")
    shown = f"{rows % 'runs-table'}.indexOf(document.activeElement.parentNode)"
    here = f"[{shown}, document.activeElement.cellIndex]"
    assert page.js(here) == [0, 1]
    page.press("ArrowLeft")  # the name of a row is no cell to go to
    page.press("ArrowUp")
    assert page.js(here) == [0, 1]
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("ArrowLeft")
    assert page.js(here) == [0, 2]
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("ArrowUp")
    assert page.js(here) == [1, 2]
