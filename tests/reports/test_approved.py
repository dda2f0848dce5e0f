"""Whole pages, as they were read and found right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aslib_eval.reports import write_report
from tests import pages
from tests.approved import approved, outline, page_text

NAMES = ("scenario/RICH", "scenario/QUALITY", "index")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_as_it_was_read(name: str, rich_report: Path) -> None:
    text = (rich_report / f"{name}.html").read_text()
    approved(f"{Path(name).name.lower()}.txt", page_text(text))


@pytest.mark.slow
def test_a_page_under_another_protocol(rich: Path, tmp_path: Path) -> None:
    (page, _) = write_report(
        rich, to=tmp_path, protocol="amadini2023", scenarios=["R*"]
    )
    text = page.read_text()
    found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', text)
    assert found is not None
    data = json.loads(found[1])
    said = {key: data[key] for key in ("k", "strict", "criterion", "cutoff", "timed")}
    approved("rich-amadini2023.txt", f"{outline(text)}{said}\n")


@pytest.mark.slow
def test_a_page_of_many(tmp_path: Path) -> None:
    (page, _) = write_report(pages.many(tmp_path), to=tmp_path / "r")
    approved("many.txt", outline(page.read_text()))
