"""SAT-PYSAT-2026: the solvers of python-sat on formulas made by our own generators.

A solver's time is the CPU time, by the kernel, of a process of its own that is forked with the clauses in
memory: handing them to the solver, solving, and telling the model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from measuring.plan import Child, Key, Limits, Outcome, Plan, Record, Send

from .catalogue import FAMILIES
from .draw import Draw
from .formula import Formula, satisfies
from .instance import Instance

SCENARIO = "SAT-PYSAT-2026"
CUTOFF = 10.0  # seconds of CPU
WALL = 25.0  # seconds
MEMORY = 2 << 30  # bytes of address space
SOLVERS = (
    "cadical103",
    "cadical153",
    "cadical195",
    "cadical300",
    "glucose3",
    "glucose42",
    "kissat404",
    "lingeling",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minisat22",
)
STEPS = ("size", "balance", "horn", "graph", "probing", "local_search", "cdcl")
REPEATED = 0.052  # share of the runs that are made again at the end


def plan() -> Plan:
    """All that the harness asks."""
    # Read when numpy is first imported: no threads in what is measured.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from . import folder, recheck

    return Plan(
        scenario_id=SCENARIO,
        jobs=jobs,
        limits=lambda _: Limits(CUTOFF, WALL, MEMORY),
        work=work,
        judge=judge,
        instances=texts,
        assemble=folder.assemble,
        again=again,
        recheck=recheck.recheck,
        packages=("python-sat", "numpy"),
    )


def instances() -> dict[str, Instance]:
    """Name → instance, in the order of the catalogue."""
    return {i.name: i for family in FAMILIES for i in family.instances()}


def texts() -> Iterator[tuple[str, bytes]]:
    """File name and DIMACS text of every instance."""
    return ((f"{name}.cnf", i.text()) for name, i in instances().items())


def jobs() -> list[Key]:
    """Instance by instance in random order; first its features, then its runs."""
    draw = Draw(SCENARIO, "order")
    names = list(instances())
    draw.shuffle(names)
    keys: list[Key] = []
    for name in names:
        solvers = list(SOLVERS)
        draw.shuffle(solvers)
        keys += [("feature", name, step, "1") for step in STEPS]
        keys += [("run", name, solver, "1") for solver in solvers]
    return keys


def again(records: Sequence[Record]) -> list[Key]:
    """A random share of all runs, whatever they took, to be made again."""
    runs = sorted(r.key for r in records if r.key[0] == "run")
    draw = Draw(SCENARIO, "repeats")
    chosen = draw.sample(len(runs), round(REPEATED * len(runs)))
    return [("repeat", *runs[i][1:]) for i in chosen]


@lru_cache(maxsize=1)
def formula_of(name: str) -> Formula:
    """The instance at hand, made once for all its runs."""
    return instances()[name].formula()


def work(key: Key) -> Child:
    """A solver or a feature step on the clauses, which are in memory already."""
    kind, name, what, _ = key
    formula = formula_of(name)
    if kind == "feature":
        return _step(name, formula, what)
    return _solver(formula, what)


def _solver(formula: Formula, name: str) -> Child:
    from pysat.solvers import Solver

    def child(send: Send) -> None:
        solver = Solver(name=name, bootstrap_with=formula.clauses)
        answer = solver.solve()
        send({"answer": answer, "model": solver.get_model() if answer else None})
        send({"stats": _counted(solver.accum_stats)})

    return child


def _counted(stats: Callable[[], Any]) -> Any:
    """What the solver counted; Kissat does not tell."""
    try:
        return stats()
    except NotImplementedError:
        return None


def _step(name: str, formula: Formula, step: str) -> Child:
    import pysat.solvers  # noqa: F401 - so that loading it is in no step's cost

    from . import features

    def child(send: Send) -> None:
        problem = features.problem(name, formula.variables, formula.clauses)
        found = features.STEPS[step](problem)
        send({"values": found.values, "answer": found.answer})

    return child


def judge(key: Key, sent: list[Any], outcome: Outcome) -> dict[str, Any]:
    """The status, and of a solver its answer, whose model is checked here."""
    told: dict[str, Any] = {k: v for part in sent for k, v in part.items()}
    status = _status(outcome)
    if status == "ok" and "answer" not in told:
        status = "crash"  # it returned without a word
    found: dict[str, Any] = {"status": status, "answer": None}
    if status == "ok":
        found["answer"] = told["answer"]
    if key[0] == "feature":
        found["values"] = told.get("values")
        return found
    found["stats"] = told.get("stats")
    if found["answer"] and not satisfies(told["model"], formula_of(key[1]).clauses):
        found |= {"status": "other", "answer": None, "wrong_model": True}
    return found


def _status(outcome: Outcome) -> str:
    """In the words of the format."""
    if outcome.end == "done":
        return "ok" if outcome.cpu <= CUTOFF else "timeout"
    words = {"cpu": "timeout", "wall": "timeout", "memory": "memout"}
    return words.get(outcome.end, "crash")
