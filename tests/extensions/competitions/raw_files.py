"""What becomes of a raw file of a competition."""

from __future__ import annotations

from pathlib import Path

import aslib_eval as ae
from aslib_eval.linter import check_paths


def lake_of(path: Path) -> Path:
    """A lake beside the file, with its one scenario."""
    into = path.parent / "lake"
    (done,) = ae.import_scenarios([path], into=into)
    if done.error is not None:
        raise done.error
    return into


def messages(path: Path) -> list[str]:
    """All findings, as texts."""
    return [str(found) for found in check_paths([path])]
