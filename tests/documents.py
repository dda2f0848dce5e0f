"""The project's documents and their fenced blocks.

A comment before a block says what is done with it: ``<!-- not run: REASON -->`` leaves
it alone, ``<!-- file: PATH -->`` writes it to a file for the blocks after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
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
    """The text of a document."""
    return document.read_text(encoding="utf-8")


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
