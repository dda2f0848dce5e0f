"""The command line of ``like``."""

from __future__ import annotations

BASE = {"like": ""}
TRIED = {"like"}
# What it is asked of a rich lake, as a whole.
WHOLE = {"like": ("", "RICH")}
