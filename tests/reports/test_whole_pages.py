"""Pages of small lakes, as a whole: a letter for each section and what scripts read.

A test of a section says what it is about, and texts that a person has read are of the first rows of a page.
These letters see what else changes: every cell, tip and mark, on pages of runtimes, of a quality, and where
nobody solves anything. A line of ``pages.txt`` is a page. After a change that is meant, ``ASLIB_APPROVE=1``
writes it anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
import scipy

from aslib_eval.reports.write import write_report
from tests import pages
from tests.approved import DIGEST, letter, six_digits
from tests.conftest import Once

# The last digits and the streams of random numbers are those of a version.
VERSIONS = ", ".join(f"{each.__name__} {each.__version__}" for each in (duckdb, np, pl, scipy))
FILE = Path(__file__).with_name("pages.txt")
_PART = re.compile(r'<(section|script)[^>]*? id="([\w-]+)".*?</\1>', re.DOTALL)
# What is of the program, and what differs with its versions and with the day.
_OTHERWISE = re.compile(rf"{DIGEST.pattern}|\b\d+\.\d+\.\d+\S*\b|\b\d{{4}}-\d\d-\d\d\b")


def said(page: str) -> Iterator[str]:
    """The name of each part of a page, and its letter."""
    for found in _PART.finditer(page):
        yield f"{found[2]} {letter(six_digits(_OTHERWISE.sub('#', found[0])))}"


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
    found = ", ".join(said(page))
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    known = dict(line.split(": ") for line in lines)
    key = f"{given} {name}"
    if os.environ.get("ASLIB_APPROVE"):
        known |= {key: found}
        known.pop("libraries", None)
        rows = {"libraries": VERSIONS, **dict(sorted(known.items()))}
        FILE.write_text("".join(f"{k}: {v}\n" for k, v in rows.items()))
    elif known.get("libraries") != VERSIONS:
        pytest.skip("the letters are of other versions of the libraries")
    else:
        assert found.split(", ") == known[key].split(", ")
