"""The command lines of ``fetch``."""

from __future__ import annotations

HANDED_OVER = {"fetch"}
ASKED = {"fetch": "TOY-2027 MIP-2061 --to {made}"}
LIBRARIES = {("pooch", "fetch MIP-2016", "fetch: pooch is not installed", "fetch")}
