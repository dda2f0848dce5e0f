"""The command lines of papers that are made again, and of what they print."""

from __future__ import annotations

HANDED_OVER = {"paper amadini2023", "paper oasc2017", "published"}
ASKED = {
    "paper amadini2023": "-o out",
    "paper oasc2017": "-o out",
    "published": "--paper amadini2023 -o x.csv",
}
