"""Command lines of ``board``: for every option, one without it and one with it."""

from __future__ import annotations

from pathlib import Path

import aslib_eval as ae
from tests.extensions.inference.test_board import FILES, put

BASE = {"board": "--lake {contest}"}
OPTIONS = {
    "board": {
        "--best": "--best {made}/best.csv",
        "--instances": ("--best {made}/best.csv", "--instances"),
        "--weights": ("--best {made}/best.csv", "--weights 9,1"),
    }
}
HANDED_OVER = {"board --variables"}
MODES = {"board": ("--instances --best {made}/best.csv", "--variables {made}/C")}
GIVEN = {"--variables": "--variables {made}/C"}


def make(home: Path) -> None:
    """The lake and the files that the lines name."""
    put(home, FILES)
    ae.import_scenarios([home / "C"], into=home / "contest")
    (home / "best.csv").write_text("instance,log10_best\nq,1.75\n")
