"""A report of a small lake, and the outline of a page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from aslib_eval.reports import write_report
from tests import pages


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
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pages.toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="session")
def report(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(lake, to=folder)
    return folder


@pytest.fixture(scope="session")
def outline(report: Path) -> Outline:
    return Outline((report / "scenario" / "TOY.html").read_text())
