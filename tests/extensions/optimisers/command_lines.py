"""Command lines of optimisers and repeated runs: without each option, and with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import aslib_eval as ae

HERE = Path(__file__).parent
SEARCHES = """problem,method,trial,iteration,value
p,RandomSearch_,1,1,3
p,RandomSearch_,2,1,2
p,a,1,1,1
p,a,2,1,2
"""
BASE = {"trials": "--lake {repeated}", "optimisers": "--lake {searches} --solver a"}
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
    "optimisers": {
        "--lake": ("=", "--lake nowhere"),
        "--show": "--show problems",
        "--solver": ("=--lake {searches}", "--solver a"),
        "--penalty": "--penalty 2",
    },
    "import": {"--direction": ("={made}/OLD.zip --lake new", "--direction min")},
    "check": {"--direction": DIRECTION},
}
HANDED_OVER = {
    "optimisers --baseline",
    "optimisers --freeze",
    "optimisers --problem",
    "optimisers --objective",
    "optimisers --chart",
    "optimisers --draw",
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
FAILING = {("trials", "--lake"), ("optimisers", "--lake")}


def make(home: Path) -> None:
    """The files that the lines name."""
    shutil.copy(HERE / "iohprofiler" / "data" / "OLD.zip", home)
    (home / "searches.csv").write_text(SEARCHES)
    ae.import_scenarios(home / "searches.csv", into=home / "searches")
