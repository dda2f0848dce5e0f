"""MIP-ANYTIME-2026: optimisers on integer programs, and every solution on their way.

A run is a process of its own. It loads its optimiser and the instance; then its clock starts, the CPU time
of the process (and of a program that it starts) by the kernel.
The time of a solution is read from that clock in the optimiser's callback, and every solution is checked
here, exactly, before it counts.
"""

from __future__ import annotations

import math
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from measuring.plan import Child, Key, Limits, Outcome, Plan, Record, Send

from . import catalogue
from .families import Dice
from .limit import end_after
from .model import Model, mps
from .solvers import CUTOFF, SOLVERS

SCENARIO = "MIP-ANYTIME-2026"
LOADING = 5  # seconds of CPU that loading, and CBC's way of stopping, may take
WALL = 300.0  # seconds; the CPU is shared, and that is no fault of a run
MEMORY = 4 << 30  # bytes of address space
STEPS = ("shape", "rows", "coefficients", "presolving", "relaxation")
REPEATED = 0.06  # share of the runs that are made again at the end
_TOLERANCE = 1e-4  # how far from whole a value is that an optimiser calls whole


def plan() -> Plan:
    """All that the harness asks."""
    # Read when numpy is first imported: no threads in what is measured.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from . import folder, recheck

    return Plan(
        scenario_id=SCENARIO,
        jobs=jobs,
        limits=lambda _: Limits(CUTOFF + LOADING, WALL, MEMORY),
        work=work,
        judge=judge,
        instances=texts,
        assemble=folder.assemble,
        again=again,
        recheck=recheck.recheck,
        packages=("highspy", "PySCIPOpt", "ortools", "PuLP", "swiglpk", "numpy"),
    )


def texts() -> Iterator[tuple[str, bytes]]:
    """File name and MPS text of every instance."""
    return ((f"{n}.mps", mps(catalogue.model(n))) for n in catalogue.names())


def jobs() -> list[Key]:
    """Instance by instance in random order; first its features, then its runs."""
    dice = Dice(f"{SCENARIO} order")
    names, solvers = catalogue.names(), list(SOLVERS)
    keys: list[Key] = []
    for name in (names[i] for i in dice.shuffled(len(names))):
        keys += [("feature", name, step, "1") for step in STEPS]
        order = dice.shuffled(len(solvers))
        keys += [("run", name, solvers[i], "1") for i in order]
    return keys


def again(records: Sequence[Record]) -> list[Key]:
    """A random share of all runs, whatever they took, to be made twice again."""
    runs = sorted(r.key for r in records if r.key[0] == "run")
    chosen = Dice(f"{SCENARIO} repeats").some(len(runs), math.ceil(REPEATED * len(runs)))
    return [("repeat", *runs[i][1:3], time) for time in ("1", "2") for i in chosen]


@lru_cache(maxsize=1)
def loaded(name: str) -> tuple[Model, Path]:
    """The instance at hand and its file, made once for all its runs."""
    model = catalogue.model(name)
    path = _scratch() / "instance.mps"
    path.write_bytes(mps(model))
    return model, path


@cache
def _scratch() -> Path:
    return Path(tempfile.mkdtemp(prefix="measure-mip-"))


def work(key: Key) -> Child:
    """An optimiser or a feature step; both are loaded in the process of the run.

    Two optimisers bring different versions of one library: they cannot be loaded
    into one process, so also not before it forks.
    """
    kind, name, what, _ = key
    model, path = loaded(name)
    return _step(model, path, what) if kind == "feature" else _run(model, path, what)


def clock() -> float:
    """CPU seconds of this thread and of the processes that it has waited for.

    No optimiser computes in a second thread. The clock of the whole process is coarse where the process has
    a limit of CPU time: the kernel then moves it by its ticks.
    """
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.thread_time() + theirs.ru_utime + theirs.ru_stime


def _run(model: Model, path: Path, name: str) -> Child:
    def child(send: Send) -> None:
        solve = SOLVERS[name](model, path)
        began = clock()
        end_after(CUTOFF)

        def tell(value: float, x: Sequence[float] | None, at: float | None) -> None:
            elapsed = clock() - began if at is None else at
            nonzero = None if x is None else [(j, v) for j, v in enumerate(x) if v]
            send({"elapsed": elapsed, "value": value, "x": nonzero})

        proved = solve(tell)
        send({"ended": clock() - began, "proved": proved})

    return child


def _step(model: Model, path: Path, name: str) -> Child:
    from .features import STEPS as MADE

    def child(send: Send) -> None:
        step = MADE[name](model, path)
        began = clock()
        found = step()
        cost = clock() - began
        send({"cost": cost, "values": found.values, "solution": found.solution})

    return child


def judge(key: Key, sent: list[Any], outcome: Outcome) -> dict[str, Any]:
    """What goes into the journal: checked points, status, and how it ended."""
    model, _ = loaded(key[1])
    told: dict[str, Any] = {k: v for part in sent for k, v in part.items()}
    if key[0] == "feature":
        solved = told.get("solution") and not model.violation(_whole(told["solution"]))
        status = "presolved" if solved else "ok" if told else _status(outcome)
        return {k: told.get(k) for k in ("cost", "values")} | {"status": status}
    points, wrong = _checked(model, [part for part in sent if "elapsed" in part])
    ended = told.get("ended")
    proved = told.get("proved", False) and bool(points) and ended <= CUTOFF
    if proved and points[-1][1] != round(sent[-2]["value"]):
        wrong.append(f"claims {sent[-2]['value']} to be optimal")
        proved = False
    stopped = outcome.end in {"done", "cpu", "wall"}
    return {
        "status": "ok" if stopped and points else _status(outcome),
        "points": points,
        "proved": proved,
        "ended": ended,
        "wrong": wrong,
    }


def _checked(model: Model, parts: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[float, int]], list[str]]:
    """Elapsed and exact objective of every improvement in time; what is wrong.

    A solution that is not told (CBC's but for the last) is taken at its word if it
    is a whole number.
    """
    points: list[tuple[float, int]] = []
    wrong = []
    for part in parts:
        value = round(part["value"])
        problem = None
        if part["x"] is not None:
            x = [0.0] * len(model.cost)
            for j, level in part["x"]:
                x[j] = level
            whole = _whole(x)
            problem, value = model.violation(whole), model.value(whole)
            if max(abs(a - b) for a, b in zip(x, whole, strict=True)) > _TOLERANCE:
                problem = "a value is not whole"
        if problem is None and abs(value - part["value"]) > _TOLERANCE * abs(value):
            problem = f"its objective is {value}"
        if problem is not None:
            wrong.append(f"{part['value']} after {part['elapsed']:.3f}: {problem}")
        elif part["elapsed"] <= CUTOFF and (not points or value < points[-1][1]):
            points.append((round(max(0.0, part["elapsed"]), 6), value))
    return points, wrong


def _whole(x: Sequence[float]) -> list[int]:
    return [round(value) for value in x]


def _status(outcome: Outcome) -> str:
    """Why there is no result, in the words of the format."""
    if outcome.end == "done":  # it gave up, CBC at its own limit
        return "timeout" if outcome.cpu >= CUTOFF else "other"
    words = {"cpu": "timeout", "wall": "timeout", "memory": "memout"}
    return words.get(outcome.end, "crash")
