"""A few committed runs to be made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from measuring.plan import Recheck, Record

from . import CUTOFF, SCENARIO
from .draw import Draw

RUNS = 12
SLOWER = 3.0  # how many times slower a machine may be before a timeout says nothing


def recheck(folder: Path) -> Iterator[Recheck]:
    """Random solved runs of the folder; their answers are those of ground_truth."""
    import arff

    runs = arff.loads((folder / "algorithm_runs.arff").read_text())["data"]
    truth = arff.loads((folder / "ground_truth.arff").read_text())["data"]
    answers = {row[0]: row[1] for row in truth}
    solved = [row for row in runs if row[-1] == "ok"]
    for i in Draw(SCENARIO, "recheck").sample(len(solved), RUNS):
        name, _, solver, time, _ = solved[i]
        told = f"{answers[name]} in {time:.3f} s"
        agrees = _agrees(answers[name], time)
        yield Recheck(("recheck", name, solver, "1"), told, agrees)


def _agrees(answer: str, time: float) -> Callable[[Record], str | None]:
    """The same answer, or no answer if the run was near the cutoff."""

    def agrees(record: Record) -> str | None:
        found = record.found
        if found["status"] != "ok":
            slow = found["status"] == "timeout" and time * SLOWER > CUTOFF
            return None if slow else found["status"]
        now = "SAT" if found["answer"] else "UNSAT"
        return None if now == answer else f"it says {now}"

    return agrees
