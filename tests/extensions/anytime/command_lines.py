"""The command lines of ``score --anytime``."""

from __future__ import annotations

OPTIONS = {"score": {"--anytime": "--anytime moments"}}
FAILING = {("score", "--anytime")}
