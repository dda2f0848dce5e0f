"""description.txt with the lines of its words."""

from __future__ import annotations

import re

from aslib_eval.checks.remarks import remark
from aslib_eval.errors import Finding
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.description import Description

_KEY = re.compile(r"""^["']?([A-Za-z_]\w*)["']?[ \t]*:""", re.MULTILINE)


class Page:
    """What description.txt says, and on which line it says so."""

    def __init__(self, scenario: Scenario, description: Description) -> None:
        self.scenario = scenario
        self.said = description
        self.file = scenario.file("description.txt")
        content = scenario.sources["description.txt"].content
        text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        self._starts = [(found[1], found.start()) for found in _KEY.finditer(text)]
        self._text = text

    def remark(
        self, code: str, key: str, what: str, *, word: str = "", hint: str = ""
    ) -> Finding:
        """A finding at a key, or at the word inside its block."""
        line = self.line(key, word)
        return remark(code, file=self.file, line=line, what=what, hint=hint)

    def block(self, key: str) -> tuple[int, list[str]]:
        """First line of a key and the lines up to the next key; 0 if it is absent."""
        ends = [start for _, start in self._starts[1:]] + [len(self._text)]
        for (name, start), end in zip(self._starts, ends, strict=True):
            if name == key:
                line = self._text.count("\n", 0, start) + 1
                return line, self._text[start:end].split("\n")
        return 0, []

    def line(self, key: str, word: str = "") -> int | None:
        """Line of the word in the block of the key, else of the key."""
        start, lines = self.block(key)
        if word:
            sought = re.compile(rf"""(?<![^\s'"\[,]){re.escape(word)}(?![^\s'"\],:])""")
            for number, line in enumerate(lines, start):
                if sought.search(line):
                    return number
        return start or None
