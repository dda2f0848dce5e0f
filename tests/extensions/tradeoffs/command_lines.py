"""The command lines of ``score --baselines`` and ``gap --tradeoff``."""

from __future__ import annotations

OPTIONS = {"score": {"--baselines": "--baselines family"}, "gap": {"--tradeoff": "--tradeoff"}}
# The lake of these lines has no second measure.
FAILING = {("gap", "--tradeoff")}
