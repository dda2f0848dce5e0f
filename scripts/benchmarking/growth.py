"""How the cost grows with the runs: in ever more scenarios, and in a larger one."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from .kept import Kept, Made
from .processes import Programs
from .synthetic import ALGORITHMS, INSTANCES, write_scenarios

IMPORT, COLD, WARM = "import", "cold `gap`", "warm `gap`"
ONE = "warm `gap` of one scenario"
QUESTIONS = (IMPORT, COLD, WARM, ONE)
FILES = 256
SEED = 1
# In many scenarios of the same size, and in one.
MANY, SINGLE = "growth", "growth of one scenario"
# The same of the folder that is measured, once.
WHOLE = "whole"


def limit_files() -> None:
    """Allow this process and its children so many open files, for good."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def grow(
    part: str, sizes: Sequence[int], *, rounds: int, work: Path, programs: Programs, kept: Kept
) -> None:
    """Measure an import and questions at each number of runs."""
    for runs in sizes:
        home = work / "synthetic"
        shutil.rmtree(home, ignore_errors=True)
        for turn in range(rounds):
            kept.measure(part, str(runs), turn, partial(_grown, part, runs, home, programs))
        shutil.rmtree(home, ignore_errors=True)


def _grown(part: str, runs: int, home: Path, programs: Programs) -> Made:
    """An import and its questions; what they took by question and number of runs."""
    folders = home / "scenarios"
    if not folders.exists():
        instances = INSTANCES if part == MANY else runs // ALGORITHMS
        scenarios = max(1, runs // (instances * ALGORITHMS))
        write_scenarios(folders, scenarios=scenarios, instances=instances, seed=SEED)
    taken = asked(folders, "S0001", home / "lake", programs)
    return {f"{name}, {runs}": each for name, each in taken.items()}


def asked(folder: Path, one: str, lake: Path, programs: Programs) -> Made:
    """An import of scenarios into a new lake, and each question; one: its name."""
    shutil.rmtree(lake, ignore_errors=True)
    shutil.rmtree(programs.home, ignore_errors=True)
    alone = ("gap", "--scenario", one)
    made = {IMPORT: programs.aslib_eval("import", folder, "--lake", lake)}
    programs.forget(lake)
    for name, words in ((COLD, ("gap",)), (WARM, ("gap",)), (ONE, alone)):
        made[name] = programs.aslib_eval(*words, "--lake", lake)
    return made
