"""From a dot or a row to its instance, two solvers side by side, families, the map."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.reports.write import write_report
from aslib_eval.text import NONE
from tests import pages
from tests.browser import Browser, Page
from tests.conftest import rows
from tests.reports.test_families import attributed, with_families

__all__ = ["attributed", "with_families"]

LOGS = "https://logs.example.org/{scenario}/{instance}/{solver}.log"
CELLS = "[...document.querySelectorAll('#%s tbody tr')].map((r) => [...r.cells].map("
CELLS += "(c) => c.textContent.trim()))"


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("https://a/{solver}.log", "does not say which run's log"),
        ("https://a/{instance}/{seed}", "does not say which run's log"),
        ("javascript:alert('{instance}')", "does not begin with 'javascript:'"),
    ],
)
def test_a_link_that_leads_to_no_log_is_refused(link: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(AslibError, match=re.escape(says)):
        write_report(tmp_path / "lake", to=tmp_path / "r", link=link)


@pytest.fixture
def page(browser: Browser, with_families: Path) -> Page:
    return browser.open(with_families.as_uri(), folded=True)


def unfold(page: Page, section: str) -> None:
    fold = f"document.querySelector('#{section} > details')"
    page.js(f"{fold}.open = true; {fold}.scrollIntoView()")
    page.until(f"{fold}.querySelectorAll('tbody tr, svg').length > 0")


def see(page: Page, figure: str) -> None:
    page.js(f"document.getElementById('{figure}').scrollIntoView()")
    page.until(f"document.querySelector('#{figure} svg') !== null")


def table(page: Page, name: str) -> list[list[str]]:
    found: list[list[str]] = page.js(CELLS % name)
    return found


@pytest.mark.slow
def test_a_row_leads_to_its_instance_and_back_to_where_one_was(
    page: Page, attributed: Path, browser: Browser
) -> None:
    unfold(page, "instances")
    page.js("[...document.querySelectorAll('#runs-table a')].find((a) =>"
            " a.textContent === 'i13').click()")  # fmt: skip
    assert page.js("location.hash") == "#at=instance&instance=i13"
    told = {solver: rest for solver, *rest in table(page, "one-schedule")}
    query = "select selector, {} from {} where instance_id = 'i13' order by all"
    con = ae.connect(attributed)
    steps = query.format("position, name, least(needs, cutoff - begins), runs, solves", "schedule_step")
    lost = query.format("loss, cause", "ledger_loss")
    for selector in ("coin", "oracle"):
        own = [row for row in rows(con, steps) if row[0] == selector]
        ran = " → ".join(
            f"{name} {needs:g}{' (solves)' if solves else ''}"
            for _, _, name, needs, runs, solves in own
            if runs
        )
        idle = ", ".join(name for _, _, name, _, runs, _ in own if not runs)
        causes = {f"{c} {x:g}": x for of, x, c in rows(con, lost) if of == selector}
        says = f"{ran}; not run: {idle}" if idle else ran
        assert told[selector][2] == says
        assert float(told[selector][0]) == sum(causes.values())
        some = [words for words, loss in causes.items() if loss]
        assert set(told[selector][1].split(", ")) == set(some or ["nothing"])
    assert table(page, "one-features") == [
        ["depth", "larger than on 55 %", "26", "24"],
        ["size", "larger than on 56 %", "13", "11.5"],
    ][::-1]  # fmt: skip
    address = page.js("location.href")
    page.js("history.back()")
    page.until("document.activeElement.id === 'instances'")
    assert page.js("location.hash") == "#instances"
    again = browser.open(address, folded=True)
    assert again.js("document.activeElement.id") == "instance"
    assert {s: rest for s, *rest in table(again, "one-schedule")} == told
    assert page.complaints == again.complaints == []


@pytest.mark.slow
def test_two_solvers_stand_side_by_side(page: Page, attributed: Path) -> None:
    unfold(page, "pairs")
    page.enter("#pair-x", "1")
    page.enter("#pair-y", "2")
    names = page.js("[...document.querySelectorAll('#pair-x option')].map((o) =>"
                    " o.textContent)")  # fmt: skip
    a, b = sorted(names[-3:])[1:]
    query = (
        "select case when a.solved < b.solved then 'gained' when a.solved > b.solved"
        " then 'lost' when a.solved + b.solved = 0 then 'neither' when b.par1 < a.par1"
        " then 'faster' when a.par1 < b.par1 then 'slower' else 'equal' end as way,"
        " instance_id from instance_solver as a join instance_solver as b using"
        f" (instance_id) where a.solver = '{a}' and b.solver = '{b}'"
    )
    expected: dict[str, set[str]] = {}
    for way, instance in rows(ae.connect(attributed), query):
        expected.setdefault(way, set()).add(instance)
    line = "document.querySelector('.ways').textContent"
    assert page.js(line).startswith(f"From {a} to {b}: ")
    buttons = page.js("[...document.querySelectorAll('.ways button')].map((b) =>"
                      " b.textContent)")  # fmt: skip
    # Any difference counts here; what diff calls faster is beyond the noise.
    words = {"faster": "less time", "slower": "more time", "equal": "same time"}
    assert set(buttons) == {f"{words.get(w, w)} {len(of)}" for w, of in expected.items()}
    for way, of in expected.items():
        page.click(f".ways [data-way={way}]")
        assert {name for name, *_ in table(page, "side-table")} == of
        assert f"way={way}" in page.js("location.hash")
    page.js("document.querySelector('#side-table a').focus()")
    page.press("Enter")
    page.js("document.activeElement.click()")
    page.until("document.activeElement.id === 'instance'")
    page.js("history.back()")
    page.until("document.activeElement.id === 'pairs'")


@pytest.mark.slow
def test_all_runs_are_filtered_and_the_page_is_computed_for_them(
    page: Page, browser: Browser, attributed: Path
) -> None:
    unfold(page, "instances")
    told = table(page, "runs-table")
    assert [row[0] for row in told[:4]] == ["i22", "i23", "i13", "i06"]
    heads = ["instance", "group", "solved by", "best", "by"]
    solvers = page.js("[...document.querySelectorAll('#runs-table th[scope=col]')]"
                      ".map((h) => h.textContent)")  # fmt: skip
    assert solvers[:5] == heads
    assert solvers[5] == "even"
    assert told[0][2:] == ["0", NONE, "", *[NONE] * 5]
    # Only slow solves i13 in 16 steps of 5.5.
    assert told[2][1:5] == ["b", "1", "88.0", "slow"]
    page.enter("#all-runs input[type=search]", "solved by=3 a")
    shown = {row[0] for row in table(page, "runs-table")}
    assert shown
    page.click("#only")
    quoted = ", ".join(f"'{name}'" for name in shown)
    query = "select solver, avg(cost) from instance_solver where kind <> 'baseline' "
    query += f"and instance_id in ({quoted}) group by all"
    con = ae.connect(attributed)

    def computed(of: Page) -> dict[str, float]:
        found: dict[str, float] = of.js(
            "Object.fromEntries([...document.querySelectorAll("
            "'tr:has(td[data-column=par])')].filter((r) => r.dataset.solver).map((r) =>"
            " [r.cells[0].textContent.trim(),"
            " Number(r.querySelector('td[data-column=par]').dataset.v)]))"
        )
        return found

    assert computed(page) == pytest.approx(dict(rows(con, query)))
    state = page.js("document.querySelector('#state').textContent")
    part = f"{len(shown)} of 24 instances"
    assert state.endswith(f"changed: instances with “solved by=3 a”, {part}")
    again = browser.open(page.js("location.href"), folded=True)
    assert computed(again) == computed(page)
    page.click("#reset")
    assert page.js("document.querySelector('#state').hidden")
    see(page, "solved-by")
    page.js("document.querySelector('#solved-by svg').focus()")
    page.press("Home")
    page.press("Enter")
    assert {row[0] for row in table(page, "runs-table")} == {"i22", "i23"}


@pytest.mark.slow
def test_families_by_solvers_are_the_scores_by_family(page: Page, attributed: Path) -> None:
    unfold(page, "families")
    scores = ae.score(attributed, by="group")
    heads = "[...document.querySelectorAll('#families-table th[scope=col]')].map((h) =>"
    names = page.js(f"{heads} h.textContent)")[2:]
    cells = CELLS.replace("c.textContent.trim()", "c.dataset.v ?? c.textContent")
    for how, metric in (("solved", "solved"), ("PARk", "par10")):
        page.enter("#how", how)
        told = {row[0]: row[1:] for row in page.js(cells % "families-table")}
        assert set(told) == {"a", "b", "(not known)"}
        for family, (n, *values) in told.items():
            sql = dict(scores.filter(family=family).select("solver", metric).rows())
            assert n == "8"
            assert list(map(float, values)) == pytest.approx([sql[s] for s in names])
    page.js("document.querySelector('#families-table a').click()")
    assert "group = a, 8 of 24" in page.js("document.querySelector('#state').innerText")


@pytest.mark.slow
def test_links_lead_to_the_logs_of_runs(browser: Browser, attributed: Path, tmp_path: Path) -> None:
    (file, _) = write_report(attributed, to=tmp_path / "r", link=LOGS)
    page = browser.open(f"{file.as_uri()}#instance=i13", folded=True)
    links = "[...document.querySelectorAll('#%s a.log')].map((a) => a.href)"
    expected = {f"https://logs.example.org/TOY/i13/{name}.log" for name in ("fast", "slow", "even")}
    assert set(page.js(links % "one-instance")) == expected  # a selector has no log
    unfold(page, "instances")
    assert set(page.js(links % "runs-table")) >= expected  # whether solved or not
    unfold(page, "pairs")
    assert len(page.js(links % "side-table")) > 0
    assert page.requests == page.complaints == []


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("mapped")
    write_report(pages.many(home), to=home / "r")
    return home / "r" / "scenario" / "MANY.html"


@pytest.mark.slow
def test_the_map_says_who_is_best_and_its_dots_lead_on(browser: Browser, mapped: Path) -> None:
    page = browser.open(mapped.as_uri(), folded=True)
    con = ae.connect(mapped.parents[2] / "lake")
    sql = "select arg_min(solver, (cost, solver)), sum(solved) from instance_solver"
    sql += " where kind = 'algorithm' group by instance_id"
    wins: dict[str, int] = {}
    for name, solved in rows(con, sql):
        key = name if solved else "solved by none"
        wins[key] = wins.get(key, 0) + 1
    finding = page.js("document.querySelector('#where .finding').textContent")
    best = max((n, name) for name, n in wins.items() if name != "solved by none")
    assert f"{best[1]} is best on {best[0]} of 410 instances" in finding
    unfold(page, "where")
    says = page.js("document.querySelector('#winners p').textContent")
    assert "two principal components of the features' ranks" in says
    name, text = page.download("#winners .csv")
    told: dict[str, int] = {}
    for line in text.splitlines()[1:]:
        key = line.split(" (")[0].strip('"')
        told[key] = told.get(key, 0) + 1
    assert (name, told) == ("MANY-winners.csv", wins)
    page.js("document.querySelector('#winners svg').focus()")
    page.press("Home")
    tip: str = page.js("document.querySelector('#tip').textContent")
    page.press("Enter")
    caption = page.js("document.querySelector('#one-instance caption').textContent")
    assert caption == f"Every solver on {tip.split(':', maxsplit=1)[0]}"
