"""The command line of ``score --baselines``."""

from __future__ import annotations

OPTIONS = {"score": {"--baselines": "--baselines family"}}
