"""Command lines of what competitions add: for every option, without it and with it."""

from __future__ import annotations

OPTIONS = {"score": {"--rule": "--rule sat2023"}}
