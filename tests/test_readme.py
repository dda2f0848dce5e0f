"""The documents are in order: generated tables, links, lengths and the files named."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documents import DOCUMENTS, name_of, read
from tests.test_structure import ROOMS

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))|(?<= src=\")[^\"]+")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# Such as `sql/solver/NAME.sql` or `aslib_eval/importer.py:import_scenarios`.
PATH = re.compile(r"`((?:aslib_eval|sql|tests|docs)/[\w/.]+)(?::(\w+))?`")
SCRIPT = re.compile(r"(?<!/)\bscripts/(\w+)")


def test_tables_of_the_reference_are_what_the_code_says() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "reference"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_readme_is_short_and_its_picture_small() -> None:
    assert len(read(ROOT / "README.md").splitlines()) <= 200
    assert all(p.stat().st_size < 250_000 for p in ROOT.glob("docs/pictures/*"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = LINK.findall(FENCED.sub("", read(document)))
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not _exists(document, link)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_script_named_is_there(document: Path) -> None:
    scripts = set(SCRIPT.findall(read(document)))
    assert {s for s in scripts if not (ROOT / "scripts" / s).exists()} == set()


def test_every_document_is_listed() -> None:
    pages = {p for p in DOCUMENTS if ROOT / "docs" in p.parents and p.name != "README.md"}
    listed = LINK.findall(read(ROOT / "docs" / "README.md"))
    assert {p.relative_to(ROOT / "docs").as_posix() for p in pages} <= set(listed)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_path_named_is_there(document: Path) -> None:
    for path, name in set(PATH.findall(read(document))):
        file = ROOT / path
        assert file.exists() or "NAME" in path, path
        if name:
            assert re.search(rf"^(def|class) {name}\b", read(file), re.MULTILINE), name


def test_the_architecture_has_every_folder_and_the_import_order() -> None:
    text = read(ROOT / "ARCHITECTURE.md")
    order = re.search(r"<!-- import order -->\n```text\n(.*?)```", text, re.DOTALL)
    assert order is not None
    assert tuple(order[1].split()) == ROOMS
    homes = [*ROOT.glob("aslib_eval/*/__init__.py"), *ROOT.glob("sql/*/*.sql")]
    named = {f"`{home.parent.relative_to(ROOT).as_posix()}`" for home in homes}
    assert {name for name in named if name not in text} == set()


def _exists(document: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(document: Path) -> set[str]:
    """The anchors that GitHub gives a document's headings."""
    headings = HEADING.findall(FENCED.sub("", read(document)))
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {word.replace(" ", "-") for word in words}
