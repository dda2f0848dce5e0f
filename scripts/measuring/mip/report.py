"""What readme.txt says: all of it from the journal and the catalogue."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import company
from measuring.plan import Record
from measuring.telling import days, machine, spread

from . import MEMORY, SCENARIO, WALL, catalogue
from .solvers import CUTOFF, SEED, SOLVERS

Kinds = Mapping[str, Sequence[Record]]
Best = Mapping[str, int]


def readme(kinds: Kinds, best: Best, proved: set[str], sessions: Sequence[Mapping[str, Any]]) -> str:
    """The fixed words of readme.txt, filled with what was measured."""
    template = (Path(__file__).parent / "readme.txt").read_text(encoding="utf-8")
    runs = kinds["run"]
    return template.format(
        scenario=SCENARIO,
        instances=len(best),
        families=len(catalogue.LADDERS),
        solvers=len(SOLVERS),
        runs=len(runs),
        points=sum(len(r.found["points"]) for r in runs),
        cutoff=CUTOFF,
        ten=10 * CUTOFF,
        wall=WALL,
        memory=MEMORY >> 20,
        seed=SEED,
        ok=sum(r.found["status"] == "ok" for r in runs),
        proofs=sum(r.found["proved"] for r in runs),
        solved=len(proved & set(best)),
        open=len(set(best) - proved),
        presolved=len({r.key[1] for r in kinds["feature"] if _presolved(r)}),
        statuses=_statuses(runs),
        wrong=_wrong(runs),
        refuted=_refuted(runs, best),
        machine=machine(sessions),
        when=days(runs),
        by_solver=_by_solver(runs, best),
        by_family=_by_family(runs, best),
        noise=_noise(kinds),
        company=company.told(kinds),
    )


def citation() -> str:
    """The project itself."""
    return (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8")


def gap(record: Record, best: Best) -> float:
    """How far the value at the cutoff is from the best known, relative; inf if none."""
    if not record.found["points"]:
        return float("inf")
    name = record.key[1]
    value: int = record.found["points"][-1][1]
    return (value - best[name]) / max(1, abs(best[name]))


def _presolved(record: Record) -> bool:
    return bool(record.found["status"] == "presolved")


def _statuses(runs: Sequence[Record]) -> str:
    words = [r.found["status"] for r in runs]
    return ", ".join(f"{words.count(w)} {w}" for w in sorted(set(words)))


def _wrong(runs: Sequence[Record]) -> str:
    """How many solutions did not stand the check, by algorithm."""
    counted = {s: sum(len(r.found["wrong"]) for r in runs if r.key[2] == s) for s in SOLVERS}
    said = [f"{number} of {solver}" for solver, number in counted.items() if number]
    return " and ".join(said) or "none"


def _refuted(runs: Sequence[Record], best: Best) -> str:
    """The claims of optimality that do not count, each with what betters it."""
    false = [r for r in runs if r.found.get("refuted")]
    if not false:
        return "No solution betters one that some optimiser claimed to be optimal."
    said = (
        f"  {r.key[2]} on {r.key[1]}: {r.found['points'][-1][1]}, and {best[r.key[1]]} was found"
        for r in false
    )
    claims = len(false) + sum(r.found["proved"] for r in runs)
    head = f"Of {claims} claims of optimality {len(false)} are false, and no proofs here:"
    return "\n".join([head, *said])


def _by_solver(runs: Sequence[Record], best: Best) -> str:
    """A line for each solver, those with more best values first."""
    lines = ["  algorithm  no solution  proved  best known  mean gap  points  first after"]
    rows = []
    for solver in SOLVERS:
        mine = [r for r in runs if r.key[2] == solver]
        found = [r for r in mine if r.found["points"]]
        gaps = [gap(r, best) for r in found]
        hits = sum(g == 0 for g in gaps)
        points = statistics.fmean(len(r.found["points"]) for r in mine)
        first = statistics.median(r.found["points"][0][0] for r in found)
        proofs = sum(r.found["proved"] for r in mine)
        line = f"  {solver:<10} {len(mine) - len(found):>11} {proofs:>7} {hits:>11}"
        line += f" {statistics.fmean(gaps):>9.2%} {points:>7.1f} {first:>11.3f}s"
        rows.append((-hits, line))
    return "\n".join([*lines, *(line for _, line in sorted(rows))])


def _by_family(runs: Sequence[Record], best: Best) -> str:
    """A line for each family: proofs of each algorithm, and who alone is the best."""
    lines = ["  family           proved by " + " ".join(f"{s:>5}" for s in SOLVERS)]
    lines[0] += "   alone the best    what it is"
    for family in catalogue.LADDERS:
        mine = [r for r in runs if catalogue.family_of(r.key[1]) == family.__name__]
        count = [sum(r.found["proved"] for r in mine if r.key[2] == s) for s in SOLVERS]
        line = f"  {family.__name__:<26} " + " ".join(f"{n:>5}" for n in count)
        what = (family.__doc__ or "").split("\n", maxsplit=1)[0]
        lines.append(f"{line}   {_alone(mine, best):<17} {what}")
    return "\n".join(lines)


def _alone(runs: Sequence[Record], best: Best) -> str:
    """Who reached the best known value where nobody else did, and how often."""
    winners: dict[str, list[str]] = {}
    for record in runs:
        if gap(record, best) == 0:
            winners.setdefault(record.key[1], []).append(record.key[2])
    alone = [some[0] for some in winners.values() if len(some) == 1]
    return ", ".join(f"{s} {alone.count(s)}" for s in SOLVERS if s in alone) or "-"


def _noise(kinds: Kinds) -> str:
    """How far runs that were made again are from the first ones."""
    first = {r.key[1:3]: r for r in kinds["run"]}
    pairs = [(first[r.key[1:3]], r) for r in kinds["repeat"]]
    if not pairs:
        return "  No run has been made again yet."
    proofs = [[r.found["proved"] for r in pair] for pair in pairs]
    ends = [[[p[1] for p in r.found["points"]][-1:] for r in pair] for pair in pairs]
    lines = [
        f"  {len(pairs)} runs made again ({len(pairs) / len(first):.1%} of all).",
        f"  Changed between proved and not proved: {sum(a != b for a, b in proofs)}.",
        f"  Other value at the cutoff: {sum(a != b for a, b in ends)}.",
    ]
    times = [
        (a.found["ended"], b.found["ended"]) for a, b in pairs if a.found["proved"] and b.found["proved"]
    ]
    lines += spread("runtimes until the proof", times, cutoff=CUTOFF)
    points = [times for pair in pairs for times in _same(*pair)]
    lines += spread("times of the same point", points, cutoff=CUTOFF)
    used = [(r.outcome.wall, r.outcome.cpu) for r in kinds["run"]]
    share = sum(cpu for _, cpu in used) / sum(wall for wall, _ in used)
    return "\n".join([*lines, f"  A run had the core for {share:.0%} of its time."])


def _same(first: Record, second: Record) -> list[tuple[float, float]]:
    """When both runs found a point that they share."""
    then = {value: at for at, value in first.found["points"]}
    now = {value: at for at, value in second.found["points"]}
    return [(then[value], now[value]) for value in then if value in now]
