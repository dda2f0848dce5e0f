"""Paths as callers give them: one or several, as such or as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

Paths = Sequence[str | Path] | str | Path


def as_paths(paths: Paths) -> list[Path]:
    """Every path as such; a lone one counts as a list of one."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path) for path in given]
