"""The command line of ``like``."""

from __future__ import annotations

BASE = {"like": ""}
TRIED = {"like"}
