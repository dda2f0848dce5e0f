"""Whole pages, as they were read and found right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aslib_eval.reports.write import write_report
from tests import pages
from tests.approved import approved, drawn, markup, page_text

RICH = "scenario/RICH.html"


def lines(page: Path, *, rows: bool = True) -> list[str]:
    """What a page says, what it draws, and its markup; what it says again once."""
    text = page.read_text()
    return [*dict.fromkeys(page_text(text, rows=rows)), *drawn(text), markup(text)]


@pytest.mark.parametrize("name", ["scenario/RICH", "index"])
def test_a_page_is_as_it_was_read(name: str, rich_report: Path) -> None:
    said = "\n".join(lines(rich_report / f"{name}.html"))
    approved(f"{Path(name).name.lower()}.txt", f"{said}\n")


# Of the other pages the lines that RICH, which has some of everything, has otherwise.
def differing(name: str, found: list[str], rich_report: Path) -> None:
    known = {line for rows in (True, False) for line in lines(rich_report / RICH, rows=rows)}
    said = "\n".join(line for line in found if line not in known)
    approved(name, f"{said}\n")


def test_a_page_of_qualities(rich_report: Path) -> None:
    differing("quality.txt", lines(rich_report / "scenario" / "QUALITY.html"), rich_report)


@pytest.mark.slow
def test_a_page_under_another_protocol(rich: Path, rich_report: Path, tmp_path: Path) -> None:
    (page, _) = write_report(rich, to=tmp_path, protocol="amadini2023", scenarios=["R*"])
    found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page.read_text())
    assert found is not None
    data = json.loads(found[1])
    said = {key: data[key] for key in ("k", "strict", "criterion", "cutoff", "timed")}
    differing("rich-amadini2023.txt", [str(said), *lines(page, rows=False)], rich_report)


@pytest.mark.slow
def test_a_page_of_many(rich_report: Path, tmp_path: Path) -> None:
    (page, _) = write_report(pages.many(tmp_path), to=tmp_path / "r")
    differing("many.txt", lines(page, rows=False), rich_report)
