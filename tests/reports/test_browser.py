"""The pages in a real browser: loaded from disk, changed, sorted, saved, looked at."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import aslib_eval as ae
from aslib_eval.reports.write import write_report
from aslib_eval.selections import import_selections
from aslib_eval.text import MINUS, NONE
from tests import pages
from tests.browser import Browser, Page
from tests.conftest import ROOT, Row, rows, write_scenario
from tests.reports.test_rounding import lake_of_ties

pytestmark = pytest.mark.slow

ROWS = "[...document.querySelectorAll('#%s tbody tr')]"


@pytest.fixture(scope="module")
def address(report: Path) -> str:
    return (report / "scenario" / "TOY.html").as_uri()


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The kinds of pages: their addresses, of a report on shipped scenarios."""
    home = tmp_path_factory.mktemp("kinds")
    names = ["TOY-2026", "OPT-FUNCTIONS-2026"]
    ae.import_scenarios([ROOT / "scenarios" / n for n in names], into=home / "lake")
    answers = ROOT / "scenarios" / "selections" / "TOY-2026"
    import_selections(answers, lake=home / "lake")
    write_report(home / "lake", to=home)
    files = {n: home / "scenario" / f"{n}.html" for n in names}
    found = files | {"index": home / "index.html"}
    return {name: file.as_uri() for name, file in found.items()}


@pytest.fixture
def page(browser: Browser, address: str) -> Page:
    return browser.open(address)


def live(page: Page, name: str) -> float:
    """A number that follows the choices, with all its digits."""
    found = page.js(f"document.querySelector('[data-live={name}]').dataset.exact")
    return float(found)


def cell(page: Page, solver: str, column: str) -> float:
    row = (
        f"[...document.querySelectorAll('tr:has([data-column={column}])')].find((r) =>"
        f" r.querySelector('th').textContent.trim() === {json.dumps(solver)})"
    )
    return float(page.js(f"{row}.querySelector('td[data-column={column}]').dataset.v"))


def column(page: Page, table: str) -> list[str]:
    """The names of the rows that are shown, in their order."""
    shown = ".filter((r) => !r.hidden).map((r) => r.cells[0].textContent.trim())"
    found: list[str] = page.js(ROWS % table + shown)
    return found


def draw_all(page: Page) -> None:
    """Go past every chart, so that each is drawn."""
    page.js("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    page.js(
        "(async () => { for (const f of document.querySelectorAll('figure'))"
        " for (let i = 0; i < 99 && !f.querySelector('svg'); i++)"
        " { f.scrollIntoView(); await new Promise((r) => setTimeout(r, 30)); } })()"
    )
    page.until("[...document.querySelectorAll('figure')].every((f) => f.querySelector('svg'))")


def test_a_page_loads_from_disk_without_a_request_or_a_complaint(page: Page) -> None:
    draw_all(page)
    assert page.requests == []
    assert page.complaints == []


@pytest.mark.parametrize("k", [1, 2, 3.5, 100])
def test_changing_k_changes_par_to_what_sql_gives(page: Page, lake: Path, k: float) -> None:
    page.enter("#k", str(k))
    con = ae.connect(lake, protocols=[ae.Protocol(protocol="k", penalty=k)])
    scores = rows(con, "select kind, solver, cost, solved from solver_score")
    gaps = dict(rows(con, "select kind || solver, closed_gap from solver_gap"))
    for kind, solver, cost, solved in scores:
        if kind != "baseline":
            assert cell(page, solver, "par") == pytest.approx(cost, rel=1e-12)
            assert cell(page, solver, "solved") == pytest.approx(solved, rel=1e-12)
            gap = gaps[kind + solver]
            assert cell(page, solver, "gap") == pytest.approx(gap, rel=1e-9, abs=1e-12)
    assert page.js("document.querySelector('#algorithms-table th[data-k]').textContent") == f"PAR{k:g}"
    assert f"k={k:g}" in page.js("location.hash")


def test_hiding_unsolvable_instances_is_the_protocol_that_drops_them(page: Page, lake: Path) -> None:
    page.click("#drop")
    dropping = ae.Protocol(protocol="d", unsolvable="drop")
    con = ae.connect(lake, protocols=[dropping])
    (sql,) = rows(con, "select n_instances, sbs_cost, vbs_cost from scenario_baseline")
    names = ("n", "sbs-par", "vbs-par")
    assert [live(page, name) for name in names] == pytest.approx(sql, rel=1e-12)
    assert live(page, "unsolvable") == 0
    assert cell(page, "VBS", "par") == live(page, "vbs-par")
    assert cell(page, "SBS even", "par") == live(page, "sbs-par")
    assert [cell(page, of, "gap") for of in ("VBS", "SBS even")] == [1, 0]
    assert cell(page, "VBS", "solved") == live(page, "vbs-solved") == 1
    assert cell(page, "SBS even", "solved") == live(page, "sbs-solved") < 1


def test_without_an_algorithm_sbs_vbs_and_gaps_are_of_the_others(page: Page) -> None:
    before = live(page, "vbs-par")
    hidden = "document.querySelector('#choose-all').hidden"
    assert page.js(hidden)  # all are ticked
    sbs = page.js("document.querySelector('[data-live=sbs]').textContent")
    row = f"r.textContent.includes({json.dumps(sbs)})"
    page.js(f"{ROWS % 'algorithms-table'}.find((r) => {row}).querySelector('input').click()")
    assert page.js("document.querySelector('[data-live=sbs]').textContent") != sbs
    assert live(page, "vbs-par") >= before
    now = page.js("document.querySelector('[data-live=sbs]').textContent")
    assert live(page, "sbs-par") == cell(page, now, "par")
    assert not page.js(hidden)
    page.click("#choose-all")
    assert page.js(hidden)
    assert live(page, "vbs-par") == before


def test_tables_sort_both_ways_with_missing_values_last(page: Page) -> None:
    for _ in range(2):
        page.click("#runs-table th:nth-child(3) button")
        values = page.js(f"{ROWS % 'runs-table'}.map((r) => r.cells[2].dataset.v)")
        numbers = [float(v) for v in values if v]
        assert values[len(numbers) :] == [""] * 2
        ascending = page.js("document.querySelector('#runs-table th:nth-child(3)').ariaSort")
        assert numbers == sorted(numbers, reverse=ascending == "descending")
    assert ascending == "descending"


def test_what_is_saved_is_no_formula(page: Page) -> None:
    cells = ["=1", "-a", "+a", "@a", "-1 2", "=", "-", "-1", "+.5e-3", "a=1", MINUS]
    cell = f"{ROWS % 'definitions-table'}[at].cells[0]"
    page.js(f"{json.dumps(cells)}.forEach((text, at) => {{ {cell}.textContent = text }})")
    _, text = page.download(".table:has(#definitions-table) .save")
    found = [line[0] for line in csv.reader(io.StringIO(text))]
    assert found[1 : len(cells) + 1] == [
        *(f"'{c}" for c in cells[:5]), *cells[5:-1], "-"
    ]  # fmt: skip


def test_every_chart_saves_as_svg_that_stands_alone(browser: Browser, address: str, page: Page) -> None:
    names = page.js("[...document.querySelectorAll('figure')].map((f) => f.id)")
    for at, figure in enumerate(names):
        if at % 8 == 0:  # Chromium drops what is more than ten files a second of a page
            page = browser.open(address)
        name, text = page.download(f"#{figure} .svg")
        assert name == f"TOY-{figure}.svg"
        assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
        assert "var(" not in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_chart_saves_its_values_as_csv(page: Page) -> None:
    _, text = page.download("#sweep-penalty .csv")
    head, *lines = csv.reader(io.StringIO(text))
    assert head == ["mark", "k", "closed gap", "says", "over"]
    assert {line[0] for line in lines} >= {"oracle", "coin"}
    _, text = page.download("#waterfall .csv")
    assert "\N{MINUS SIGN}" not in text
    assert " -" in text  # what was won back, as a spreadsheet reads it


def test_jumps_are_in_the_address_and_back_undoes_them(page: Page) -> None:
    page.click("nav a[href='#sensitivity']")
    assert page.js("location.hash") == "#sensitivity"
    assert page.js("document.activeElement.querySelector('h2').textContent") == ("Sensitivity")
    page.enter("#k", "2")
    assert page.js("location.hash") == "#at=sensitivity&k=2"
    page.click("nav a[href='#folds']")
    assert page.js("location.hash") == "#at=folds&k=2"
    page.js("history.back()")
    page.until("document.activeElement.id === 'sensitivity'")
    assert page.js("location.hash") == "#at=sensitivity&k=2"
    page.js("history.back()")
    page.until("location.hash === '' && scrollY === 0")
    page.js("location.hash = '#folds'")
    page.until("document.activeElement.id === 'folds'")


def test_everything_that_can_be_operated_has_a_name(page: Page) -> None:
    nameless = page.js(
        "[...document.querySelectorAll('button, input, select, svg[tabindex]')]"
        ".filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels?.length))"
        ".map((e) => e.outerHTML)"
    )
    assert nameless == []


def test_dark_mode_follows_the_system_and_the_button(browser: Browser, address: str) -> None:
    page = browser.open(address, dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.js(ground)
    page.click("#theme")
    light = page.js(ground)
    assert brightness(dark) < 60  # of 255
    assert brightness(light) > 200
    assert "theme=light" in page.js("location.hash")
    assert browser.open(address).js(ground) == light


def brightness(color: str) -> float:
    return sum(map(int, color.removeprefix("rgb(").removesuffix(")").split(","))) / 3


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("kind", ["index", "TOY-2026", "OPT-FUNCTIONS-2026"])
def test_nothing_runs_out_of_the_window(
    browser: Browser, kinds: dict[str, str], kind: str, width: int
) -> None:
    page = browser.open(kinds[kind], width=width)
    draw_all(page)
    assert page.js("document.documentElement.scrollWidth") <= width
    assert faults(page) == []


def faults(page: Page) -> list[str]:
    """Labels that are cut off by their chart, or that lie on each other."""
    found: list[str] = page.js(
        """
        [...document.querySelectorAll('figure svg')].flatMap((chart) => {
          const size = chart.getBoundingClientRect(), id = chart.closest('figure').id;
          const texts = [...chart.querySelectorAll('text')].map((t) => [t.textContent,
            t.getBoundingClientRect(), t.getAttribute('transform')]);
          const cut = texts.filter(([, b]) => b.left < size.left - 1 ||
            b.right > size.right + 1 || b.top < size.top - 1 ||
            b.bottom > size.bottom + 1);
          const level = texts.filter(([, , turned]) => !turned);
          const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
            a.top < b.bottom - 3 && b.top < a.bottom - 3;
          const over = level.flatMap(([text, a], i) => level.slice(i + 1)
            .filter(([, b]) => touch(a, b))
            .map(([other]) => `${id}: ${text} on ${other}`));
          return [...cut.map(([text]) => `${id}: ${text} is cut off`), ...over];
        })
        """
    )
    return found


def test_the_index_of_one_page_is_that_page(browser: Browser, address: str) -> None:
    page = browser.open(address.replace("scenario/TOY.html", "index.html"))
    page.until(f"location.href === {json.dumps(address)}")
    assert page.js("document.querySelector('#places a')") is None


def test_hostile_names_do_nothing(browser: Browser, tmp_path: Path) -> None:
    lake = pages.hostile(tmp_path)
    (file, index) = write_report(lake, to=tmp_path / "r")
    page = browser.open(index.as_uri())
    assert page.js("location.href") == file.as_uri()
    page = browser.open(file.as_uri())
    draw_all(page)
    assert page.js("window.hacked") is None
    assert page.complaints == []
    assert page.requests == []
    name, text = page.download(".table:has(#leaders) .save")
    assert "/" not in name
    assert not name.startswith(".")
    names = {line[0] for line in csv.reader(io.StringIO(text))}
    assert set(pages.HOSTILE) - names == {"=HYPERLINK(1)"}
    assert "'=HYPERLINK(1)" in names


def test_67_algorithms_are_readable(browser: Browser, tmp_path: Path) -> None:
    (file, _) = write_report(pages.large(tmp_path), to=tmp_path / "r")
    page = browser.open(file.as_uri())
    draw_all(page)
    assert faults(page) == []
    # Eight algorithms and VBS are named, the others are counted, and named by a tip.
    assert page.js("document.querySelectorAll('#cactus svg path').length") == 68
    assert page.js("document.querySelectorAll('#cactus text.ink').length") == 10


def test_cards_and_cells_say_what_they_are_by_keyboard(page: Page) -> None:
    page.js("document.querySelector('.facts dd[data-tip]').focus()")
    tip = "document.querySelector('#tip').textContent"
    assert "n = 24 · protocol default@" in page.js(tip)
    page.js("document.querySelector('.scroll:has(#leaders)').focus()")
    page.press("Enter")
    page.press("ArrowRight")
    page.press("ArrowDown")
    cell = "document.activeElement"
    assert page.js(f"{cell}.cellIndex") == 2
    assert page.js(f"{cell}.parentNode.rowIndex") == 2
    said = page.js("document.querySelector('#said').textContent")
    for part in (": closed gap ", "n = 24", "protocol default@"):
        assert part in said
    page.press("Escape")
    assert page.js(f"{cell}.className") == "scroll"


def test_a_cell_of_another_protocol_says_which(page: Page, lake: Path) -> None:
    page.enter(".table:has(#definitions-table) input", "amadini2023 coin")
    shown = f"{ROWS % 'definitions-table'}.find((r) => !r.hidden)"
    page.js(
        f"{shown}.querySelector('td[data-v]')"
        ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"
    )
    tip = page.js("document.querySelector('#tip').textContent")
    assert "n = 22 · protocol amadini2023@" in tip
    con = ae.connect(lake, protocols=["amadini2023"])
    query = "select closed_gap from solver_gap where solver = 'coin'"
    (gap,) = rows(con, query)[0]
    heads = "[...document.querySelectorAll('#definitions-table th[scope=col]')]"
    at = f"{heads}.findIndex((h) => h.textContent === 'closed gap')"
    assert float(page.js(f"{shown}.cells[{at}].dataset.v")) == pytest.approx(gap)


def test_a_cut_off_table_scrolls_by_keyboard(browser: Browser, address: str) -> None:
    page = browser.open(address, width=400)
    page.js("region = document.querySelector('.scroll:has(#selectors-table)')")
    assert page.js("region.scrollWidth > region.clientWidth + 100")
    page.js("region.focus()")
    assert page.js("getComputedStyle(region).outlineStyle") == "solid"
    page.press("Enter")
    for _ in range(8):
        page.press("ArrowRight")
    assert page.js("document.activeElement.cellIndex") == 9
    assert page.js("region.scrollLeft") > 100
    # The cell is not below the name of its row.
    assert page.js(
        "document.activeElement.getBoundingClientRect().left >= document.activeElement"
        ".parentNode.cells[0].getBoundingClientRect().right - 1"
    )


@pytest.mark.parametrize("k", ["10", "3.3", "1"])
def test_a_tie_with_the_single_best_is_0_under_every_k(browser: Browser, ties: str, k: str) -> None:
    page = browser.open(ties)
    page.enter("#k", k)
    gaps = page.js(
        f"{ROWS % 'contributions-table'}"
        ".map((r) => r.querySelector('[data-column=gap]'))"
        ".map((cell) => [cell.dataset.v, cell.textContent])"
    )
    assert gaps[:2] == [["0", "0.00"], ["0", "0.00"]]
    assert float(gaps[2][0]) < -1


@pytest.fixture(scope="module")
def ties(tmp_path_factory: pytest.TempPathFactory) -> str:
    home = tmp_path_factory.mktemp("ties")
    (file, _) = write_report(lake_of_ties(home), to=home / "report")
    return file.as_uri()


def test_a_chart_of_nothing_says_so(browser: Browser, tmp_path: Path) -> None:
    runs: list[Row] = [("i", 1, "a", 5, "ok"), ("i", 1, "b", 100, "timeout")]
    folder = write_scenario(tmp_path / "HALF", runs=runs)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (file, _) = write_report(tmp_path / "lake", to=tmp_path / "r")
    page = browser.open(f"{file.as_uri()}#off=0")
    cactus = "document.querySelector('#cactus')"
    page.js(f"{cactus}.scrollIntoView()")
    page.until(f"{cactus}.querySelector('.canvas p') !== null")
    assert page.js(f"{cactus}.querySelector('svg') === null")
    assert page.js(f"{cactus}.querySelector('.svg').disabled")
    page.click("#choose-all")
    page.until(f"{cactus}.querySelector('svg') !== null")
    assert not page.js(f"{cactus}.querySelector('.svg').disabled")
    assert page.complaints == []


POINT = ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"
TIP = "document.querySelector('#tip').textContent"


def over(page: Page, section: str) -> str:
    """What the head of a section says its numbers are over."""
    found: str = page.js(f"document.querySelector('#{section} .population').textContent")
    return found


def test_one_state_is_told_everywhere_and_in_downloads(page: Page) -> None:
    before = [over(page, name) for name in ("glance", "room", "definitions", "folds")]
    protocol = before[1].removeprefix("24 instances · ")
    page.enter("#k", "2")
    page.click("#drop")
    page.click("#algorithms-table [data-choose]")  # even
    state = f"{protocol}, changed: penalty \N{MULTIPLICATION SIGN} 2, 21 of 24 instances, 2 of 3 algorithms"
    assert page.js("document.querySelector('#state').textContent") == state
    assert over(page, "room") == f"21 instances · {state}"
    stored = " · as stored, not for the choices above"
    assert over(page, "definitions") == before[2] + stored
    assert over(page, "folds") == before[3] + stored
    for section in ("contributions", "algorithms"):
        assert over(page, section).startswith(f"21 instances · {state} · in grey: as")
    assert page.js("document.querySelector('.story .as-stored').hidden")
    # A column that follows is not grey, and says the state; the others are and do not.
    cells = "document.querySelector('#contributions-table td%s')"
    opacity = "getComputedStyle(%s).opacity"
    live, other = cells % "[data-column]", cells % "[data-v]:not([data-column])"
    assert [page.js(opacity % cell) for cell in (live, other)] == ["1", "0.5"]
    page.js(live + POINT)
    assert page.js(TIP).endswith(f"n = 21 · {state}")
    page.js(other + POINT)
    assert page.js(TIP).endswith(f"n = 24 · {protocol}{stored}")
    # coin runs even on every second instance, which is hidden now.
    row = "[...document.querySelectorAll('#leaders tbody tr')].find((r) =>"
    coin = page.js(f"{row} r.textContent.includes('coin')).cells[0].textContent")
    assert coin == "coin runs hidden even on 12"
    name, text = page.download(".table:has(#leaders) .save")
    assert name == "TOY-leaders-changed.csv"
    head, *lines = csv.reader(io.StringIO(text))
    assert head[-3:] == ["n", "protocol", "now"]
    assert {(line[0], line[-1]) for line in lines} == {
        (name, f"n = 21 · {state}") for name in ("coin", "oracle", "VBS", "SBS slow")
    }
    name, text = page.download("#ecdf .csv")
    assert name == "TOY-ecdf-changed.csv"
    assert {line[-1] for line in csv.reader(io.StringIO(text))} == {*("over", f"n = 21 · {state}")}
    _, text = page.download("#fold-gaps .svg")
    assert f"{protocol}{stored}</text>" in text
    page.click("#reset")
    names = ("glance", "room", "definitions", "folds")
    assert [over(page, name) for name in names] == before
    assert page.js("document.querySelector('#state').hidden")


def test_a_k_that_cannot_be_is_refused_aloud(browser: Browser, address: str) -> None:
    page = browser.open(f"{address}#k=0.5")
    says = "document.querySelector('#k-says').textContent"
    assert page.js(says) == "the penalty is a number from 1 on, not 0.5; 10 is taken"
    page.enter("#k", "-3")
    assert page.js(says) == "the penalty is a number from 1 on; 10 is kept"
    page.enter("#k", "3")
    assert page.js(says) == ""


def test_on_paper_there_is_what_is_open_and_all_of_it(browser: Browser, address: str) -> None:
    page = browser.open(address, folded=True)
    page.js("document.querySelector('#selectors details').open = true")
    page.js("dispatchEvent(new Event('beforeprint'))")
    seen = "[...document.querySelectorAll('figure')].filter((f) => f.checkVisibility())"
    ids = page.js(f"{seen}.map((f) => f.id)")
    assert ids == ["waterfall", "bump", "speedups"]
    assert page.js(f"{seen}.every((f) => f.querySelector('svg'))")
    wide = "Math.max(...[...document.querySelectorAll('%s')].filter((t) =>"
    wide += " t.checkVisibility()).map((t) => t.getBoundingClientRect().width))"
    assert page.js(wide % "figure svg, .table:not(.cut) table, .piece table") <= 700
    page.medium("print")  # two figures a page, so that none leaves a page half empty
    tall = wide.replace("width", "height") % "figure svg"
    assert 200 < page.js(tall) <= 84 / 25.4 * 96
    room = "getComputedStyle(document.querySelector('#glance .scroll')).maxHeight"
    assert page.js(room) == "none"  # else a long table lies upon what follows it
    hidden = "document.querySelectorAll('button, input[type=search], .drop, select')"
    assert page.js(f"[...{hidden}].filter((n) => n.checkVisibility()).length") == len(
        page.js("[...document.querySelectorAll('th button.sort')].filter((n) => "
                "n.checkVisibility()).map(() => 1)")
    )  # fmt: skip
    page.medium("screen")
    assert page.js(tall) > 84 / 25.4 * 96
    heads = "[...document.querySelectorAll('%s thead th')].map((h) => h.textContent)"
    whole = page.js(heads % "#selectors-table")
    pieces = page.js(heads % ".table:has(#selectors-table) .piece")
    assert [pieces[0], *(h for h in pieces if h != pieces[0])] == whole
    page.js("dispatchEvent(new Event('afterprint'))")
    assert page.js("document.querySelector('.piece, .cut')") is None


def test_on_paper_long_tables_stand_in_columns_under_repeated_heads(
    browser: Browser, kinds: dict[str, str]
) -> None:
    page = browser.open(kinds["OPT-FUNCTIONS-2026"])
    page.js("dispatchEvent(new Event('beforeprint'))")
    button = "document.querySelector('.piece thead button')"
    assert page.js(button) is None  # a head with one is not repeated
    shown = page.js(
        "[...document.querySelectorAll('.piece:has(.long)')].map((p) =>"
        " [p.querySelectorAll('tbody tr').length, Number(p.style.columnCount)])"
    )
    assert min(rows for rows, _ in shown) > 30
    assert max(columns for _, columns in shown) > 1
    page.js("dispatchEvent(new Event('afterprint'))")
    assert page.js("document.querySelector('.piece')") is None


def test_the_matrix_shows_the_metric_and_protocol_that_is_chosen(
    browser: Browser, rich: Path, rich_report: Path
) -> None:
    page = browser.open((rich_report / "index.html").as_uri() + "#protocol=x")
    row = "[...document.querySelectorAll('#matrix-table tr')].find((r) =>"
    row += " r.cells[0].textContent === 'RICH')"
    heads = "[...document.querySelectorAll('#matrix-table th[scope=col]')]"
    names = page.js(f"{heads}.slice(1).map((h) => h.textContent)")
    cells = f"[...{row}.cells].slice(1).map((c) => Number(c.dataset.v))"
    con = ae.connect(rich, protocols=["default", "amadini2023"])
    query = (
        "select solver, closed_gap from solver_gap where kind = 'selector' and "
        "scenario_id = 'RICH' and protocol like '{}%'"
    )
    found = [page.js(cells)]
    page.js("document.querySelector('#matrix-table').tFoot.insertRow()")  # of the test
    page.enter("#protocol", page.js("document.querySelector('#protocol').options[1].value"))
    found.append(page.js(cells))
    for gaps, name in zip(found, ("default", "amadini2023"), strict=True):
        sql = dict(rows(con, query.format(name)))
        assert gaps == pytest.approx([sql[name] for name in names], rel=1e-5)
    assert len({tuple(gaps) for gaps in found}) == 2
    verdicts = "document.querySelector('#matrix-table').tFoot.rows[1].hidden"
    assert page.js(verdicts) is True  # they are of what is stored
    tint = f"[...{row}.cells].slice(1).map((c) => c.style.background !== '')"
    assert any(page.js(tint))
    page.enter("#metric", "solved")
    assert page.js("document.querySelector('#matrix-table caption').textContent") == (
        "Solved of every selector. The best is bold; a stronger colour is better"
    )
    columns = "[...document.querySelector('#matrix-table').tBodies[0].rows].map("
    columns += "(r) => [...r.cells].slice(1).map((c) => c.dataset.v))"
    foot = "[...document.querySelector('#matrix-table').tFoot.rows[0].cells]"
    values = list(zip(*page.js(columns), strict=True))
    most = max(len(list(filter(None, column))) for column in values)
    for column, mean in zip(values, page.js(f"{foot}.slice(1).map((c) => c.dataset.v)"), strict=True):
        known = [float(value) for value in column if value]
        assert (mean == "") == (len(known) < most)
        assert mean == "" or float(mean) == pytest.approx(sum(known) / most)
    assert page.js(f"{foot}.some((c) => c.matches('.best'))")
    again = browser.open(page.js("location.href"))
    assert again.js(cells) == page.js(cells)
    again.js("location.hash = ''")
    again.js("find = document.querySelector('#find'); find.value = 'to'; find.focus()")
    again.press("Enter")
    again.until("location.pathname.endsWith('TOY.html')")


# --- what is folded, the header, and Find -------------------------------------------

FOLDS = "[...document.querySelectorAll('#more > section > details')]"


@pytest.fixture
def folded(browser: Browser, address: str) -> Page:
    return browser.open(address, folded=True)


def test_all_below_the_answer_is_folded_to_a_sentence(folded: Page) -> None:
    told = folded.js(f"{FOLDS}.map((d) => [d.open, d.querySelector('.finding').textContent])")
    assert len(told) > 10
    assert not any(is_open for is_open, _ in told)
    assert all(finding.endswith(".") and len(finding) < 300 for _, finding in told)
    for at in range(len(told)):
        folded.js(f"{FOLDS}[{at}].querySelector('summary').click()")
    assert folded.js(f"{FOLDS}.every((d) => d.open)")
    assert folded.complaints == []


@pytest.mark.parametrize(("width", "screens"), [(1440, 5), (390, 7)])
@pytest.mark.parametrize("kind", ["index", "TOY-2026", "OPT-FUNCTIONS-2026"])
def test_a_page_is_short_before_anything_is_opened(
    browser: Browser, kinds: dict[str, str], kind: str, width: int, screens: int
) -> None:
    page = browser.open(kinds[kind], folded=True, width=width)
    assert page.js("document.documentElement.scrollHeight / innerHeight") <= screens
    assert page.js("document.querySelector('header').offsetHeight") < 60
    assert page.js("document.documentElement.scrollWidth") <= width


def test_a_narrow_page_cuts_its_first_table_later(browser: Browser, kinds: dict[str, str]) -> None:
    height = "document.querySelector('#leaders').closest('.scroll').clientHeight"
    assert browser.open(kinds["TOY-2026"], width=1440).js(height) < 400
    assert browser.open(kinds["TOY-2026"], width=390).js(height) > 500


def test_with_full_nothing_is_folded(browser: Browser, lake: Path, tmp_path: Path) -> None:
    (file, _) = write_report(lake, to=tmp_path, full=True)
    page = browser.open(file.as_uri(), folded=True)
    closed = "document.querySelectorAll('main details:not([open])').length"
    assert page.js(closed) == 0


def test_the_menu_says_where_one_is_and_leads_on(folded: Page) -> None:
    label = "document.querySelector('#menu > summary').textContent"
    assert folded.js(label) == "At a glance"
    folded.click("#menu > summary")
    folded.click("#menu a[href='#folds']")
    assert folded.js("document.querySelector('#menu').open") is False
    assert folded.js("document.querySelector('#folds > details').open")
    assert folded.js("location.hash") == "#folds"
    folded.until(f"{label}.startsWith('Folds')")
    current = "document.querySelector('#menu [aria-current]').hash"
    assert folded.js(current) == "#folds"
    folded.js("history.back()")
    folded.until(f"{label} === 'At a glance'")
    folded.js("document.querySelector('#menu > summary').focus()")
    folded.click("#menu > summary")
    folded.press("Escape")
    assert folded.js("document.querySelector('#menu').open") is False


def test_a_page_that_fits_the_window_is_at_its_first_section(browser: Browser, rich_report: Path) -> None:
    page = browser.open((rich_report / "index.html").as_uri(), folded=True, height=4000)
    assert page.js("document.querySelector('#menu [aria-current]').matches('#menu a:first-of-type')")


def test_recompute_opens_what_can_be_changed(folded: Page) -> None:
    seen = "document.querySelector('#k').checkVisibility()"
    assert not folded.js(seen)
    folded.click("#recompute > summary")
    assert folded.js(seen)
    folded.enter("#k", "2")
    assert folded.js("document.querySelector('#state').checkVisibility()")
    folded.click("#menu > summary")
    folded.until("!document.querySelector('#recompute').open")


def test_find_leads_to_solvers_and_to_the_runs_of_an_instance(
    browser: Browser, folded: Page, lake: Path
) -> None:
    find = "find = document.querySelector('#find'); find.value = '%s'; find.focus()"
    folded.js(find % "slow")
    folded.press("Enter")
    row = "document.activeElement.closest('tr')"
    assert folded.js(f"{row}.cells[0].textContent.trim()") == "slow"
    folded.js(find % "i13")
    folded.press("Enter")
    assert folded.js("document.activeElement.id") == "instance"
    runs = "[...document.querySelectorAll('#one-instance tbody tr')].map((r) =>"
    runs += " [...r.cells].map((c) => c.textContent))"
    sql = rows(
        ae.connect(lake),
        "select solver, kind, par1, solved from instance_solver where instance_id = "
        "'i13' and kind <> 'baseline' order by par10, kind, solver",
    )
    expected = {
        (s, k): [f"{par1:g}", "solved"] if solved else [NONE, "not solved"]
        for s, k, par1, solved in sql
    }  # fmt: skip
    told = folded.js(runs)
    shown = {(s, k): [t if t == NONE else f"{float(t):g}", *r] for s, t, *r, k in told}
    assert shown == expected
    assert told[0][0] == "slow"
    again = browser.open(folded.js("location.href"), folded=True)
    assert again.js(runs) == told
    folded.js(find % "i1")  # ten of them
    folded.press("Enter")
    said = folded.js("document.querySelector('#said').textContent")
    assert said == "i1: 10 names hold it"


def test_bars_are_as_long_as_the_gaps_and_intervals_go_with_the_choices(page: Page) -> None:
    ends = (
        "(() => { const row = [...document.querySelectorAll('#leaders tr')].find("
        "(r) => r.cells[0].textContent === 'coin'), of = (n, a) =>"
        " parseFloat(row.querySelector(n).getAttribute(a)); return ["
        "of('.rule:nth-of-type(1)', 'x1'), of('.rule:nth-of-type(2)', 'x1'),"
        " of('.value', 'x'), of('.value', 'width')]; })()"
    )
    sbs, vbs, begin, width = page.js(ends)
    gap = cell(page, "coin", "gap")
    assert gap > 0
    assert begin == pytest.approx(sbs, abs=0.02)
    assert width == pytest.approx(gap * (vbs - sbs), abs=0.03)
    intervals = "document.querySelectorAll('#leaders .interval').length"
    assert page.js(intervals) > 0
    # What is neither better nor worse is hatched, and told once above the table.
    hatched = page.js(
        f"{ROWS % 'leaders'}.filter((r) => r.querySelector('.value')).map((r) =>"
        " [r.querySelector('td > .better, td > .worse') === null,"
        " r.querySelector('.value').matches('.unsure')])"
    )
    assert all(open_ == unsure for open_, unsure in hatched)
    legend = "document.querySelector('.table:has(#leaders) .legend').checkVisibility()"
    assert page.js(legend) == any(unsure for _, unsure in hatched) is True
    page.enter("#k", "2")
    assert not page.js(legend)
    assert page.js(intervals) == 0
    page.click("#reset")
    assert page.js(intervals) > 0


# Of each link with numbers: its text, what they add up to, and how many rows the tables there show, with
# those that a button has more of.
COUNTED = """
(() => {
  const found = [];
  const rows = (table) => [...table.tBodies[0].rows]
    .filter((row) => row.checkVisibility() && !row.dataset.baseline).length;
  const more = (table) => Number(table.closest(".table")
    .querySelector(".more:not([hidden])")?.textContent.match(/[0-9]+/g).at(-1) ?? 0);
  for (const link of document.querySelectorAll("a[href^='#']")) {
    const counts = link.textContent.match(/[0-9]+(?= |\\)$)/g);
    const at = document.getElementById(link.getAttribute("href").slice(1));
    if (!counts || !(link.dataset.rows || at.querySelector("table.data"))) continue;
    link.click();
    const said = counts.reduce((sum, n) => sum + Number(n), 0);
    const all = [...at.querySelectorAll("table.data")].map((t) => rows(t) + more(t));
    found.push([link.textContent, said, all]);
  }
  return found;
})()
"""


@pytest.mark.parametrize("name", ["RICH", "QUALITY"])
def test_every_number_that_is_a_link_leads_to_so_many_rows(
    browser: Browser, rich_report: Path, name: str
) -> None:
    page = browser.open((rich_report / "scenario" / f"{name}.html").as_uri())
    for _ in range(2):  # in any order: what one link shows, another does not keep
        found = page.js(COUNTED)
        assert found
        assert all(said in shown for _, said, shown in found), found
    # A bar of the chart leads to the instances that it counts, whatever is chosen.
    page.js("document.querySelector('#drop')?.click()")
    page.js("document.querySelector('input[data-choose]')?.click()")
    draw_all(page)
    chart = "document.querySelector('#solved-by svg[tabindex]')"
    for _ in range(3 if name == "RICH" else 0):
        for key in ("ArrowRight", "Enter"):
            page.js(f"{chart}.dispatchEvent(new KeyboardEvent('keydown',"
                    f" {{key: '{key}'}}))")  # fmt: skip
            said = page.js("document.querySelector('#tip').textContent")
        n = int(said.split(" instances solved by")[0])
        assert len(column(page, "runs-table")) == n


def test_a_wide_table_shows_the_columns_that_fit(browser: Browser, rich_report: Path) -> None:
    page = browser.open((rich_report / "scenario" / "RICH.html").as_uri(), width=800)
    table = "document.querySelector('#contributions-table')"
    assert page.js(f"{table}.scrollIntoView() ?? true")
    page.until("document.querySelector('.table:has(#contributions-table) .columns') !== null")
    over = f"(({{scrollWidth, clientWidth}}) => scrollWidth - clientWidth)({table}"
    over += ".closest('.scroll'))"
    assert page.js(over) <= 1
    hidden = f"[...{table}.rows[1].cells].filter((c) => c.hidden).length"
    n = page.js(hidden)
    button = ".table:has(#contributions-table) .columns"
    text = f"document.querySelector('{button}').textContent"
    assert (n > 0, page.js(text)) == (True, f"{n} more columns")
    page.click(button)
    assert (page.js(hidden), page.js(text)) == (0, "fewer columns")
    assert page.js(over) > 1
    page.click(button)
    assert page.js(hidden) == n
    page.js("dispatchEvent(new Event('beforeprint'))")
    seen = "every((c) => getComputedStyle(c).display === 'table-cell')"
    assert page.js(f"[...{table}.rows[1].cells].{seen}")


def test_those_shown_are_ticked_where_a_filter_leaves_some_out(browser: Browser, tmp_path: Path) -> None:
    (file, _) = write_report(pages.many(tmp_path), to=tmp_path / "r")
    page = browser.open(file.as_uri(), folded=True)
    button = "document.querySelector('#choose-shown').checkVisibility()"
    assert not page.js(button)
    page.enter(".table:has(#leaders) input[type=search]", "a1")
    assert page.js(button)
    page.click("#choose-shown")
    assert page.js(f"{ROWS % 'leaders'}.filter((r) => r.matches('.off')).length") == 16
    page.enter(".table:has(#leaders) input[type=search]", "")
    assert not page.js(button)


def test_bars_of_statuses_are_the_runs(page: Page, lake: Path) -> None:
    told = page.js(
        f"Object.fromEntries({ROWS % 'algorithms-table'}.filter((r) =>"
        " r.querySelector('.stack')).map((r) => [r.cells[0].textContent.trim(),"
        " [...r.querySelectorAll('.stack i')].map((i) => [i.className,"
        " Number(i.style.flexGrow)])]))"
    )
    sql = "select algorithm, runstatus, count(*) from raw_run group by all"
    expected: dict[str, dict[str, int]] = {}
    for algorithm, status, n in rows(ae.connect(lake), sql):
        expected.setdefault(algorithm, {})[f"s-{status}"] = n
    assert {name: dict(parts) for name, parts in told.items()} == expected
