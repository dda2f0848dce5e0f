"""What readme.txt says: all of it from the journal and the catalogue."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import company
from measuring.plan import Record
from measuring.telling import days, machine, spread

from . import CUTOFF, MEMORY, SCENARIO, SOLVERS, WALL
from .catalogue import FAMILIES
from .draw import Draw

Kinds = Mapping[str, Sequence[Record]]
Times = dict[tuple[str, str], float]  # (instance, solver) → CPU seconds, inf unsolved
PENALTY = 10
RESAMPLED = 1000


def readme(kinds: Kinds, truth: Mapping[str, str], sessions: Sequence[Mapping[str, Any]]) -> str:
    """The fixed words of readme.txt, filled with what was measured."""
    template = (Path(__file__).parent / "readme.txt").read_text(encoding="utf-8")
    first, last = times(kinds["run"]), times(kinds["repeat"])
    names = {instance for instance, _ in first}
    return template.format(
        scenario=SCENARIO,
        instances=len(names),
        solvers=len(SOLVERS),
        runs=len(first),
        families=len({name.split("-")[0] for name in names}),
        sat=sum(truth.get(name) == "SAT" for name in names),
        unsat=sum(truth.get(name) == "UNSAT" for name in names),
        open=sum(name not in truth for name in names),
        cutoff=CUTOFF,
        wall=WALL,
        memory=MEMORY >> 20,
        unsolved=f"{100 * _unsolved(first):.1f}",
        presolved=len({r.key[1] for r in kinds["feature"] if r.found["answer"] is not None}),
        machine=machine(sessions),
        when=days(kinds["run"]),
        by_solver=by_solver(first),
        by_family=by_family(first),
        noise=noise(first, last, kinds),
        company=company.told(kinds),
    )


def citation() -> str:
    """The project itself."""
    return (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8")


def times(records: Sequence[Record]) -> Times:
    """CPU seconds of the solved runs."""
    return {
        (r.key[1], r.key[2]): r.outcome.cpu if r.found["status"] == "ok" else float("inf") for r in records
    }


def par10(seconds: float) -> float:
    """A run's cost."""
    return seconds if seconds <= CUTOFF else PENALTY * CUTOFF


def scores(first: Times) -> dict[str, float]:
    """Solver → mean PAR10; the virtual best as `VBS`."""
    names = sorted({name for name, _ in first})
    found = {solver: statistics.fmean(par10(first[name, solver]) for name in names) for solver in SOLVERS}
    best = (min(first[name, solver] for solver in SOLVERS) for name in names)
    return found | {"VBS": statistics.fmean(map(par10, best))}


def by_solver(first: Times) -> str:
    """A line for each solver, the best first, and the virtual best."""
    names = sorted({name for name, _ in first})
    best = {name: min(first[name, s] for s in SOLVERS) for name in names}
    lines = ["  solver        solved   PAR10   fastest"]
    for solver, score in sorted(scores(first).items(), key=lambda item: item[1]):
        mine = {n: best[n] if solver == "VBS" else first[n, solver] for n in names}
        solved = sum(t <= CUTOFF for t in mine.values())
        fastest = sum(t <= CUTOFF and t == best[n] for n, t in mine.items())
        lines.append(f"  {solver:<12} {solved:>7} {score:>7.2f} {fastest:>9}")
    return "\n".join(lines)


def by_family(first: Times) -> str:
    """A line for each family: how many instances, runs unsolved, median time."""
    lines = ["  family        instances  unsolved  median time [s]  what it is"]
    for family in FAMILIES:
        mine = [t for (n, _), t in first.items() if n.split("-")[0] == family.name]
        if not mine:
            continue
        share = sum(t > CUTOFF for t in mine) / len(mine)
        middle = statistics.median(min(t, CUTOFF) for t in mine)
        what = (family.make.__doc__ or "").split("\n", maxsplit=1)[0]
        count = len(mine) // len(SOLVERS)
        line = f"  {family.name:<13} {count:>9} {share:>8.0%} {middle:>15.3f}   {what}"
        lines.append(line)
    return "\n".join(lines)


def _unsolved(first: Times) -> float:
    return sum(t > CUTOFF for t in first.values()) / len(first)


def noise(first: Times, last: Times, kinds: Kinds) -> str:
    """How far runs that were made again are from the first ones."""
    both = {key: (first[key], t) for key, t in last.items() if key in first}
    if not both:
        return "  No run has been made again yet."
    finite = [(a, b) for a, b in both.values() if max(a, b) <= CUTOFF]
    changed = sum((a <= CUTOFF) != (b <= CUTOFF) for a, b in both.values())
    lines = [f"  {len(both)} runs made again ({len(both) / len(first):.1%} of all),"]
    lines.append(f"  of which {changed} changed between solved and unsolved.")
    lines += spread("times", finite, cutoff=CUTOFF)
    return "\n".join([*lines, *_same_search(kinds), *_ranking(first, both)])


def _same_search(kinds: Kinds) -> list[str]:
    """Whether a repeat made the same conflicts, where a solver counts them."""
    counted = {r.key[1:]: r.found.get("stats") for r in kinds["run"]}
    same = {True: 0, False: 0}
    for r in kinds["repeat"]:
        if r.found.get("stats") and counted.get(r.key[1:]):
            same[counted[r.key[1:]] == r.found["stats"]] += 1
    equal = f"equal in {same[True]} of {sum(same.values())} repeats"
    return [
        f"  The counts of conflicts, decisions, propagations and restarts were {equal}",
        "  that were solved twice by a solver that tells them.",
    ]


def _ranking(first: Times, both: Mapping[Any, tuple[float, float]]) -> list[str]:
    """The order by PAR10 if every run is disturbed as some repeat was."""
    order = sorted(SOLVERS, key=scores(first).__getitem__)
    factors = [b / a for a, b in both.values() if max(a, b) <= CUTOFF]
    draw = Draw(SCENARIO, "noise")
    same_best = swaps = 0
    for _ in range(RESAMPLED):
        noisy = {k: t * draw.choice(factors) for k, t in first.items()}
        again = scores(noisy)
        ranks = sorted(SOLVERS, key=again.__getitem__)
        same_best += ranks[0] == order[0]
        swaps += sum(a != b for a, b in zip(order, ranks, strict=True))
    best = f"{order[0]} stays the single best in {same_best / RESAMPLED:.1%}"
    changed = f"{swaps / RESAMPLED:.2f} of {len(SOLVERS)} solvers change their rank"
    return [
        f"  If every time is multiplied by the ratio of a random repeat, {RESAMPLED}",
        f"  times: {best}, and {changed}.",
    ]
