"""Command lines of optimisers and repeated runs: without each option, and with it."""

from __future__ import annotations

import shutil
from pathlib import Path

HERE = Path(__file__).parent
BASE = {"trials": "--lake {repeated}"}
DIRECTION = ("={made}/OLD.zip", "--direction min")
OPTIONS = {
    "trials": {
        "--lake": ("=", "--lake nowhere"),
        "--show": "--show wins",
        "--versus": "--versus C",
        "--alpha": ("--correction none", "--alpha 0.9"),
        "--correction": "--correction none",
        "--task": "--task i1",
        "--measure": "--measure nothing",
        "--penalty": "--penalty 2",
    },
    "score": {"--optimiser": "--optimiser summary"},
    "import": {"--direction": ("={made}/OLD.zip --lake new", "--direction min")},
    "check": {"--direction": DIRECTION},
}
HANDED_OVER = {
    "score --baseline",
    "score --freeze",
    "score --problem",
    "score --objective",
    "score --chart",
    "score --draw",
    "table --baseline",
    "trials --gaps",
    "trials --target",
    "trials --chart",
}
TRIED = {"trials"}
GIVEN = {
    "--baseline": "--baseline 'A*'",
    "--freeze": "--freeze f.json",
    "--problem": "--problem 'i*'",
    "--objective": "--objective value",
    "--draw": "--draw quartiles",
    "--gaps": "--gaps 0.1",
    "--target": "--target 1",
}
# What counts, though these few runs give the same with it.
COUNTS = {("trials", "--alpha"), ("trials", "--correction")}
# What fails without the option, with another message.
FAILING = {("trials", "--lake"), ("score", "--optimiser")}


def make(home: Path) -> None:
    """The files that the lines name."""
    shutil.copy(HERE / "iohprofiler" / "data" / "OLD.zip", home)
