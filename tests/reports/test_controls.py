"""Everything on a page that can be operated: links, Back, keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser import Browser, Page
from tests.reports.test_browser import kinds  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow

KINDS = ("index", "TOY-2026", "OPT-FUNCTIONS-2026")


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
    """Press Tab; what has the focus then, as a selector says it."""
    for kind in ("keyDown", "keyUp"):
        page._call(  # noqa: SLF001 - Tab needs its number
            "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
            windowsVirtualKeyCode=9, modifiers=8 if back else 0,
        )  # fmt: skip
    found: str = page.js("document.activeElement.dataset.tried ?? ''")
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
    reached = {tab(page) for _ in range(n + 2)}
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
TEXT = """
[...document.querySelectorAll('main :is(h1, h2, h3, p, td, th, summary, label)')]
  .filter((e) => !e.closest('svg')).map((e) => e.textContent.replace(/\\s+/g, ' '))
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
