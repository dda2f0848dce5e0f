"""Pages of small lakes, in brief: tests/approved/pages.txt has a line for each section.

They are pages of runtimes, of a quality, and where nobody solves anything. A section has its words, and
the numbers among them; so have the data that scripts read.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aslib_eval.reports.write import write_report
from tests import pages
from tests.conftest import Once
from tests.summaries import hold, of_text

_PART = re.compile(r'<(section|script)[^>]*? id="(?!origin|short|words)([\w-]+)".*?>(.*?)</\1>', re.DOTALL)
# Markup, and what differs with the version of the program and with the day.
_OTHERWISE = re.compile(r"<[^>]*>|\b\d+\.\d+\.\d+\S*\b|\b\d{4}-\d\d-\d\d\b")


@pytest.fixture(scope="session")
def hopeless(once: Once) -> Path:
    def fill(folder: Path) -> None:
        write_report(pages.hopeless(folder / "made"), to=folder / "report")

    return once("hopeless-report", fill) / "report"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("report", "scenario/TOY"),
        ("rich_report", "scenario/RICH"),
        ("rich_report", "scenario/QUALITY"),
        ("rich_report", "index"),
        ("hopeless", "scenario/NONE"),
    ],
)
def test_a_page_is_as_it_was(given: str, name: str, request: pytest.FixtureRequest) -> None:
    page = (request.getfixturevalue(given) / f"{name}.html").read_text("utf-8")
    parts = {part[2]: _OTHERWISE.sub(" ", part[3]) for part in _PART.finditer(page)}
    hold("pages.txt", {f"{name} {part}": of_text(text) for part, text in parts.items()})
