"""Everything on a page that can be operated: controls, links, Back, address, keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser import Browser, Page
from tests.reports.test_browser import kinds  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow

KINDS = ("index", "TOY-2026", "OPT-FUNCTIONS-2026")
# What saves a file is tried by other tests: a page saves one file at a time.
OPERATED = """
(async () => {
  const tried = [], wait = (ms) => new Promise((r) => setTimeout(r, ms));
  const told = (node, type) => node.dispatchEvent(new Event(type, { bubbles: true }));
  const seen = (n) => n.checkVisibility() && !n.matches(".svg, .csv, .save, :disabled");
  const enter = (node, type, values) => values.forEach((value) => {
    node.value = value;
    told(node, type);
  });
  for (const d of document.querySelectorAll("main details")) d.open = true;
  await wait(50);
  for (const drop of [null, ...document.querySelectorAll(".drop")]) {
    if (drop) drop.open = true;
    const able = "button, select, input, main summary";
    for (const node of [...(drop ?? document).querySelectorAll(able)].filter(seen)) {
      const first = node.value;
      tried.push(node.id || node.className || node.tagName);
      if (node.matches("select")) {
        const some = [...node.options].slice(0, 3).map(({ value }) => value);
        enter(node, "change", [...some, first]);
      } else if (node.matches("[type=number]")) enter(node, "input", ["2", "", first]);
      else if (node.matches("[type=search]")) enter(node, "input", ["zz", first]);
      else { node.click(); if (node.isConnected) node.click(); }
      await wait(1);
    }
    if (drop) drop.open = false;
  }
  return tried;
})()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_works_without_a_complaint(
    browser: Browser,
    kinds: dict[str, str],  # noqa: F811
    kind: str,
) -> None:
    page = browser.open(kinds[kind], folded=True)
    before = page.js("document.querySelector('.story, main p').textContent")
    tried = page.js(OPERATED)
    assert len(tried) > {"index": 20}.get(kind, 60)
    assert page.complaints == page.requests == []
    # Twice is not at all: sorted columns apart, the page says what it said.
    page.js("document.querySelector('#reset')?.click()")
    assert page.js("document.querySelector('.story, main p').textContent") == before


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_leads_somewhere_and_back_returns(
    browser: Browser,
    kinds: dict[str, str],  # noqa: F811
    kind: str,
) -> None:
    page = browser.open(kinds[kind], folded=True)
    links = "[...document.querySelectorAll('#menu a')]"
    there = page.js(f"{links}.map((a) => a.hash)")
    assert len(there) >= 4
    for at, target in enumerate(there):
        page.js(f"{links}[{at}].click()")
        assert page.js("location.hash") == target
        assert page.js("'#' + document.activeElement.id") == target
        shown = f"document.querySelector('{target} > details')?.open ?? true"
        assert page.js(shown), target
    for target in reversed(there[:-1]):
        page.js("history.back()")
        page.until(f"location.hash === '{target}'")
    files = page.js(
        "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))"
        ".filter((to) => !to.startsWith('#'))"
    )
    home = Path(page.js("decodeURIComponent(location.pathname)")).parent
    assert [to for to in files if not (home / to.split("#")[0]).exists()] == []


def tab(page: Page, *, back: bool = False) -> str:
    """Press Tab; the number of what has the focus then, else its tag; '' for none."""
    for kind in ("keyDown", "keyUp"):
        page._call(  # noqa: SLF001 - Tab needs its number
            "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
            windowsVirtualKeyCode=9, modifiers=8 if back else 0,
        )  # fmt: skip
    found: str = page.js(
        "[document.activeElement].map((n) => n === document.body ? '' : n.dataset.tried ?? n.tagName)[0]"
    )
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_is_seen_is_reached_by_keyboard(
    browser: Browser,
    kinds: dict[str, str],  # noqa: F811
    kind: str,
) -> None:
    page = browser.open(kinds[kind], folded=True)
    able = "a[href], button, select, input, summary, [tabindex='0']"
    n = page.js(
        f"[...document.querySelectorAll({json.dumps(able)})].filter((n) =>"
        " n.checkVisibility() && !n.disabled).map((n, at) => { n.dataset.tried = at; })"
        ".length"
    )
    assert n > 12
    # A chart is drawn, and reached, once it is seen: those have no number.
    reached = {tab(page) for _ in range(2 * n)}
    assert {str(at) for at in range(n)} - reached == set()
    fold = "document.querySelector('#more > section > details')"
    page.js(f"{fold}.querySelector('summary').focus()")
    page._call(  # noqa: SLF001
        "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter",
        windowsVirtualKeyCode=13, text="\r",
    )  # fmt: skip
    assert page.js(f"{fold}.open")
    assert tab(page, back=True) != ""
    assert page.complaints == []


# Charts are drawn when they are seen, so that their text depends on where one was.
# All but charts, which say what they say when they are seen.
TEXT = """
[...document.querySelectorAll('main :is(h1, h2, h3, p, td, th, summary, label)')]
  .filter((e) => !e.closest('svg, figure'))
  .map((e) => e.textContent.replace(/\\s+/g, ' '))
"""


def test_the_address_says_all_that_was_chosen(
    browser: Browser,
    kinds: dict[str, str],  # noqa: F811
) -> None:
    page = browser.open(kinds["TOY-2026"])
    before = page.js(TEXT)
    page.enter("#k", "3")
    page.click("#algorithms-table input[data-choose]")
    page.click("#leaders th:nth-child(3) button")
    page.enter(".table:has(#runs-table) [type=search]", "drift")
    page.click("#theme")
    page.js("document.querySelectorAll('#runs-table tbody a')[0].click()")
    again = browser.open(page.js("location.href"))
    assert again.js("document.querySelector('#k').value") == "3"
    assert again.js("document.documentElement.dataset.theme") == "dark"
    assert again.js(TEXT) == page.js(TEXT) != before
