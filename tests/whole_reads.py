"""What tests read and are refused, as a whole: a letter for each test.

A test of a format says of a file what it is about: a few rows, a part of a message.
All rows, findings and errors that come of it are held by a letter in ``reads.txt`` of the folder of the
test, behind two for the case of a parametrised test. Who changes what files are read as sees in the
difference which tests see it; after a change that is meant, ``ASLIB_APPROVE=1`` writes the letters anew,
and ``ASLIB_SAID=FILE`` writes what they stand for, to be compared with what it was.
"""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats import Parsed
from tests.approved import DIGEST, approving, letter, six_digits
from tests.conftest import ROOT, SHARED

# Messages of the libraries, and the order of some rows, are those of a version.
VERSIONS = f"Python {platform.python_version_tuple()[1]}, pyarrow {pa.__version__}"
_PLACES = (
    (str(ROOT), "ROOT"),
    (str(SHARED.resolve()), "SHARED"),  # where a link leads to
    (str(SHARED), "SHARED"),
)
_IN_TMP = re.compile(rf"{re.escape(tempfile.gettempdir())}/\S*?(?=[\s:,;'\"()]|$)")
# Archives that are made on the spot have the time in them, and are damaged anywhere.
_OTHERWISE = {"test_a_damaged_archive_never_gives_other_files"}
Made = Parsed | AslibError | Finding


def _said(made: Made) -> str:
    """All of it as text, whatever the folder is that it lies in."""
    if isinstance(made, AslibError):
        text = str(made)
    elif isinstance(made, Finding):
        text = f"{made.severity} {made.code} {made}"
    else:
        tables = {
            name: table.drop_columns([c for c in table.column_names if "sha256" in c])
            for name, table in made.tables.items()
            if name != "source"
        }
        rows = {name: table.to_pylist() for name, table in tables.items()}
        text = f"{rows} {made.missing} {made.facts}"
    for place, name in _PLACES:
        text = text.replace(place, name)
    return six_digits(DIGEST.sub("#", _IN_TMP.sub("TMP", text)))


@pytest.fixture(autouse=True)
def whole_reads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold all that a test reads."""
    made: list[Made] = []

    def remember(kind: Any) -> None:
        first = kind.__init__

        def init(self: Any, *args: Any, **named: Any) -> None:
            first(self, *args, **named)
            made.append(self)

        monkeypatch.setattr(kind, "__init__", init)

    remember(Parsed)
    remember(AslibError)
    remember(Finding)
    yield
    of_all = getattr(request.function, "is_hypothesis_test", False)
    if request.node.get_closest_marker("slow") or of_all or not made:
        return
    said = sorted({*map(_said, made)})  # files may be read at the same time
    name, _, case = request.node.name.partition("[")
    if name in _OTHERWISE:
        return
    if file := os.environ.get("ASLIB_SAID"):
        with Path(file).open("a", encoding="utf-8") as log:
            log.write("\n".join([f"# {request.node.nodeid}", *said, ""]))
    hold(request.path.with_name("reads.txt"), f"{request.path.stem}::{name}", case, said)


def hold(file: Path, test: str, case: str, said: list[str]) -> None:
    """Compare the letter of a case of a test with the one that is known."""
    key, now = f"{letter(case)}{letter(f'{case}.')}", letter(said)
    if os.environ.get("ASLIB_APPROVE"):
        with approving(file):
            _approve(file, test, key, now)
        return
    known = _known(file)
    if known["libraries"] == VERSIONS and key in (cases := _cases(known.get(test, ""))):
        # A new one has a letter once it is approved.
        assert now in cases[key], "it reads, or is refused, otherwise: whole_reads.py"


@cache
def _known(file: Path) -> dict[str, str]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {"libraries": "", **dict(line.split(": ") for line in lines)}


def _cases(text: str) -> dict[str, str]:
    """The case of a test → its letter; rarely two cases share a place."""
    return {each[:2]: each[2:] for each in text.split()}


_NEW: set[tuple[str, str]] = set()  # what was approved in this run


def _approve(file: Path, test: str, key: str, now: str) -> None:
    _known.cache_clear()
    known = {**_known(file), "libraries": VERSIONS}
    cases = _cases(known.get(test, ""))
    before = cases.get(key, "") if (test, key) in _NEW else ""
    _NEW.add((test, key))
    cases[key] = "".join(sorted({*before, now}))
    known[test] = " ".join(k + v for k, v in sorted(cases.items()))
    head = known.pop("libraries")
    rows = [f"libraries: {head}", *(f"{k}: {v}" for k, v in sorted(known.items()))]
    file.write_text("\n".join([*rows, ""]), encoding="utf-8")
