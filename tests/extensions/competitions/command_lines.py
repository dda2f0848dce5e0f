"""Command lines of what competitions add: for every option, without it and with it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import ROOT
from tests.extensions.competitions.test_answers import DISPUTED
from tests.extensions.competitions.test_record import BOARD, NAMES, OWN, RUNS

CHECKED = ("={made}/ranked", "--rule smtcomp-24s")
_RUNS = "{made}/raced.csv --cutoff 100 --lake new"
BASE = {"competition": f"par10 {_RUNS}"}
_ODD = "--published {made}/odd.csv"
OPTIONS = {
    "check": {"--answers": ("={made}/disputed.csv --cutoff 60", "--answers"), "--rule": CHECKED},
    "score": {"--rule": "--rule sat2023"},
    "competition": {
        "--published": "--published {made}/board.csv",
        "--names": (_ODD, "--names {made}/names.csv"),
        "--no-search": ("--published {made}/off.csv", "--no-search"),
        "--hors-concours": "--hors-concours kissat",
        "--lake": "--lake other",
        "--scenario-id": "--scenario-id MINE",
        "--cutoff": "--cutoff 200",
        "--measure-column": "--measure-column conflicts",
        "--sql": "--sql {made}/mine",
        "--format": "--format json",
        "--output": "-o board.html",
    },
}
# Published values differ: that is what the search explains.
FAILING = {("competition", "--no-search")}


def make(home: Path) -> None:
    """The files that the lines name."""
    (home / "raced.csv").write_text(RUNS)
    (home / "disputed.csv").write_text(DISPUTED)
    (home / "board.csv").write_text(BOARD)
    (home / "off.csv").write_text(BOARD.replace("505.0", "105.0"))
    (home / "odd.csv").write_text(BOARD.replace("kissat", "odd"))
    (home / "names.csv").write_text(NAMES)
    (home / "mine" / "rule").mkdir(parents=True)
    (home / "mine" / "rule" / "par10-three.toml").write_text(OWN)
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", home / "ranked")
