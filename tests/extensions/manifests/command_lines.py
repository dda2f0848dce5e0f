"""The command lines of ``paper build`` and ``paper check``."""

from __future__ import annotations

HANDED_OVER = {"paper build", "paper check"}
ASKED = {"paper build": "{made}/paper.toml -o out", "paper check": "{made}/paper.toml"}
LIBRARIES = {(*("vl_convert", "paper build"), *("figure: vl-convert-python is not installed", "figures"))}
