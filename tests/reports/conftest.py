"""A report of a small lake, and the outline of a page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from aslib_eval.reports.write import write_report
from tests import pages
from tests.conftest import Once


class Outline(HTMLParser):
    """Elements, their attributes, ids, and the text of scripts that are data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self._script: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "script":
            self._script = found.get("id") or "program"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script:
            self.data[self._script] = self.data.get(self._script, "") + data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.tags if tag == name]


@pytest.fixture(scope="session")
def lake(once: Once) -> Path:
    return once("lake-of-pages", pages.toy) / "lake"


@pytest.fixture(scope="session")
def report(lake: Path, once: Once) -> Path:
    return once("report", lambda folder: write_report(lake, to=folder))


@pytest.fixture(scope="session")
def rich(once: Once) -> Path:
    """The lake of pages.rich, to be read only."""
    return once("rich", pages.rich) / "lake"


@pytest.fixture(scope="session")
def rich_report(rich: Path, once: Once) -> Path:
    return once("rich-report", lambda folder: write_report(rich, to=folder))


@pytest.fixture(scope="session")
def outline(report: Path) -> Outline:
    return Outline((report / "scenario" / "TOY.html").read_text())
