"""A few committed runs to be made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from measuring.plan import Recheck, Record

from . import SCENARIO
from .families import Dice
from .solvers import CUTOFF

RUNS = 12
SLOWER = 3.0  # how many times slower a machine may be before a missing proof says nothing


def recheck(folder: Path) -> Iterator[Recheck]:
    """Random runs of the folder that ended with a proof: the same optimum again."""
    import arff

    text = (folder / "algorithm_runs.arff").read_text(encoding="utf-8")
    proved = [row for row in arff.loads(text)["data"] if row[4] < CUTOFF]
    for i in Dice(f"{SCENARIO} recheck").some(len(proved), RUNS):
        name, _, algorithm, objective, time, _ = proved[i]
        told = f"{objective:g} in {time:.3f} s"
        agrees = _agrees(objective, time)
        yield Recheck(("recheck", name, algorithm, "1"), told, agrees)


def _agrees(objective: float, time: float) -> Callable[[Record], str | None]:
    """The same optimum, or none proved if the run was near the cutoff."""

    def agrees(record: Record) -> str | None:
        found = record.found
        last = found["points"][-1][1] if found["points"] else None
        if found["proved"]:
            return None if last == objective else f"its optimum is {last}"
        slow = found["status"] in {"ok", "timeout"} and time * SLOWER > CUTOFF
        return None if slow else f"no proof ({found['status']})"

    return agrees
