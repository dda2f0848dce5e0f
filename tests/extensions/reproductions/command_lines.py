"""The command lines of papers that are made again."""

from __future__ import annotations

HANDED_OVER = {"paper amadini2023", "paper oasc2017"}
ASKED = {"paper amadini2023": "-o out", "paper oasc2017": "-o out"}
