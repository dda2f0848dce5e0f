"""The project's documents and their fenced blocks.

A comment before a block says what is done with it: ``<!-- not run: REASON -->`` leaves it alone, ``<!--
file: PATH -->`` writes it to a file for the blocks after it. Of a notebook the cells of text are a
document; its cells of code run in ``test_tutorials``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

TUTORIALS = sorted(ROOT.glob("docs/tutorials/*.ipynb"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *TUTORIALS])
_BLOCK = re.compile(
    r"(?:^<!-- (?P<action>not run|file): (?P<words>.*?) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and where the text begins and ends."""

    language: str
    text: str
    line: int
    start: int
    end: int
    file: str | None = None


def read(document: Path) -> str:
    """The text of a document, of a notebook without its code."""
    text = document.read_text(encoding="utf-8")
    if document.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] != "code"]
    return "\n\n".join("".join(cell["source"]) for cell in cells) + "\n"


def name_of(document: Path) -> str:
    """The path of a document in the checkout."""
    return document.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """The blocks of a document that are to be run, written or parsed."""
    return [
        Block(
            language=found["language"],
            text=found["text"],
            line=text.count("\n", 0, found.start("text")) + 1,
            start=found.start("text"),
            end=found.end("text"),
            file=found["words"] if found["action"] == "file" else None,
        )
        for found in _BLOCK.finditer(text)
        if found["action"] != "not run"
    ]
