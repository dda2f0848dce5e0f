"""The site of the documents: its pages, where links lead, what search finds."""

from __future__ import annotations

import http.server
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.browser import Browser
from tests.conftest import ROOT, Once

sys.path.insert(0, str(ROOT / "scripts"))

from publishing.site import PICTURE, led_to_pages, main, page_of, write_versions

CONFIGURATION = tomllib.loads((ROOT / "docs/zensical.toml").read_text())["project"]


def pages(entries: list[dict[str, object]]) -> Iterator[str]:
    for entry in entries:
        for below in entry.values():
            if isinstance(below, list):
                yield from pages(below)
            else:
                yield str(below)


def test_every_document_is_in_the_navigation_once() -> None:
    documents = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "docs").rglob("*")
        if path.suffix in {".md", ".ipynb"}
    ]
    documents += ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    samples = ["samples/report.md", "samples/board.md"]
    expected = [*map(page_of, documents), *samples]
    assert sorted(pages(CONFIGURATION["nav"])) == sorted(expected)


@pytest.mark.parametrize(
    ("document", "link", "page"),
    [
        ("README.md", "docs/runs.md#b", "runs.md#b"),
        ("README.md", "docs/tutorials/two-papers.ipynb", "tutorials/two-papers.md"),
        ("docs/tutorials/two-papers.ipynb", "../../README.md#a", "../index.md#a"),
        ("docs/runs.md", "../CHANGELOG.md", "changelog.md"),
        ("docs/reference/macros.md", "../queries.md", "../queries.md"),
        ("docs/runs.md", "#b", "#b"),
        ("docs/runs.md", "https://www.aslib.net", "https://www.aslib.net"),
        ("docs/runs.md", "nowhere.md", "nowhere.md"),
    ],
)
def test_a_link_leads_to_the_page_of_its_file(document: str, link: str, page: str) -> None:
    assert led_to_pages(f"[a]({link}) b", document) == f"[a]({page}) b"
    image = f'<img src="{link}" alt="a">'
    assert led_to_pages(image, document) == image.replace(link, page)


def test_a_link_to_the_code_is_its_words_alone() -> None:
    text = "see [the errors](../aslib_eval/errors.py)."
    assert led_to_pages(text, "docs/runs.md") == "see the errors."


def test_the_picture_of_the_readme_is_known() -> None:
    text = led_to_pages((ROOT / "README.md").read_text(), "README.md")
    assert len(PICTURE.findall(text)) == 1


def test_the_newest_version_is_the_first_and_the_one_that_opens(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").touch()
    write_versions(tmp_path)
    assert (tmp_path / "versions.json").read_text().index("0.10.0") < 40
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text()


@pytest.fixture(scope="module")
def site(once: Once) -> Iterator[str]:
    for package in ("nbconvert", "zensical"):
        pytest.importorskip(package, reason="needs the extra docs")
    folder = once("site", lambda folder: main([str(folder)]))
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


LOADED = "document.readyState === 'complete'"
# The box of the search lies in a shadow root of its own.
BOX = """
[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)
"""


@pytest.mark.slow
def test_search_finds_and_nothing_comes_from_elsewhere(site: str, browser: Browser) -> None:
    page = browser.open(site, folded=True, ready=LOADED)  # which leads to the newest
    page.until("document.querySelector('.md-version__current')?.innerText === '0.1.0'")
    page.until("document.querySelector('.md-search__button') !== null")
    page.js("document.querySelector('.md-search__button').click()")
    page.until(f"{BOX}.some((r) => r.querySelector('input'))")
    for words in ("closed gap", "PAR10", "timeouts"):
        page.js(
            f"""{BOX}.forEach((root) => {{
                const box = root.querySelector('input');
                if (!box) return;
                box.value = {words!r};
                box.dispatchEvent(new InputEvent('input', {{bubbles: true}}));
            }})"""
        )
        page.until(f"{BOX}.some((r) => r.querySelectorAll('a mark, a em').length > 2)")
    assert page.requests
    assert all(address.startswith((site, "data:")) for address in page.requests)


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["report/index.html", "board/index.html"])
def test_samples_open(site: str, browser: Browser, sample: str) -> None:
    page = browser.open(f"{site}0.1.0/samples/{sample}", ready=LOADED)
    page.until("document.querySelectorAll('table tbody tr').length > 2")
    assert page.complaints == []


@pytest.mark.slow
def test_the_first_screen_opens_a_sample(site: str, browser: Browser) -> None:
    page = browser.open(f"{site}0.1.0/index.html", folded=True, ready=LOADED)
    page.click("a > img")
    page.until("location.pathname.endsWith('samples/report/index.html')")
    page = browser.open(f"{site}0.1.0/samples/report.html", folded=True, ready=LOADED)
    page.js("document.querySelector('iframe').scrollIntoView()")
    shown = "document.querySelector('iframe').contentDocument"
    page.until(f"{shown}.documentElement.dataset.ready === '1'")
