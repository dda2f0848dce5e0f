"""The command lines of ``serve``, which only ends when it is told to."""

from __future__ import annotations

HANDED_OVER = {"serve"}
