"""Solvers of a table that may be none: what a column beside solvers looks like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aslib_eval.formats.runs.found_runs import TableRuns
from aslib_eval.text import plural

_ENOUGH = 5  # solved runs that are needed to doubt a solver
_FAILURES = 0.1  # the share that all others fail in, where one fails nowhere
_OTHERS = 3  # solvers beside the one that is doubted

Times = Mapping[str, float]  # instance and repetition → time, of solved runs


# Statuses that say that a run came to its end, not whether it solved anything.
_ENDED = ("complete", "completed", "done", "finished")


def doubt_statuses(found: TableRuns) -> None:
    """Warn where a status only says that runs ended, and nothing what they answered."""
    blocks = found.layout.blocks
    if any(block.answer is not None for block in blocks):
        return
    words = {
        cells[block.status].lower()
        for block in blocks
        if block.status is not None
        for _, cells in found.layout.table.rows
    }
    ended = [w for w in _ENDED if w in words and w not in found.user_words]
    if ended:
        what = f"the status {ended[0]!r} says that a run ended, and no column says what"
        hint = (
            "--column answer=NAME names one; --status WORD=other leaves them unsolved."
        )
        line = found.layout.table.line
        found.say("runs-unjudged", line, f"{what} it answered: it is solved", hint)


def doubt_solvers(found: TableRuns) -> None:
    """Warn of each solver whose times look as if it were none, or nobody measured."""
    layout = found.layout
    measure, quality = next(iter(layout.quality.items()), ("", True))
    if quality:
        return
    solved: dict[str, dict[str, float]] = {}
    for run in found.runs:
        mine = solved.setdefault(run.solver, {})
        value, status = run.values[measure]
        within = found.cutoff is None or (value is not None and value < found.cutoff)
        if status == "ok" and value is not None and within:
            mine[f"{run.repetition} {run.instance}"] = value
    n = len({(run.instance, run.repetition) for run in found.runs})
    line = layout.table.line
    for solver, why in _doubts(solved, n, is_wide=layout.is_wide):
        hint = f"If it is no solver: --column ignore={solver}." * layout.is_wide
        found.say("runs-solver", line, f"{solver!r} {why}", hint)
    others = [m for m, is_quality in layout.quality.items() if not is_quality][1:]
    for solver, times in solved.items():
        if len(times) >= _ENOUGH and not any(times.values()):
            what = f"{solver!r} solves {plural(len(times), 'run')}, each in 0 exactly:"
            hint = f"Another time is --column time={others[0]}." if others else ""
            found.say("runs-solver", line, f"{what} nobody measured {measure}", hint)


def _doubts(
    solved: Mapping[str, Times], n: int, *, is_wide: bool
) -> Iterator[tuple[str, str]]:
    """Solver, and what is odd about it; solved: the times of its solved runs of n."""
    first: dict[frozenset[tuple[str, float]], str] = {}
    best = _best(solved)
    for solver, times in solved.items():
        others = {name: each for name, each in solved.items() if name != solver}
        same = first.setdefault(frozenset(times.items()), solver)
        if len(set(times.values())) < _ENOUGH:
            if is_wide and len(others) >= _OTHERS and _is_alone(times, others, n):
                yield solver, f"solves all {n} instances, and no other nearly as many"
        elif same != solver:
            yield solver, f"has the same times as {same!r} everywhere"
        elif is_wide and len(others) >= _OTHERS:
            if times == best == _best(others):
                yield solver, "is the best of the others everywhere, like VBS"
            elif _are_whole(times, others):
                yield solver, "has whole numbers alone, and the others have not"
            elif _is_alone(times, others, n):
                yield solver, f"solves all {n} instances, and no other nearly as many"


def _best(solved: Mapping[str, Times]) -> Times:
    """The least time of each run that any of the solvers solved."""
    best: dict[str, float] = {}
    for each in solved.values():
        for run, value in each.items():
            best[run] = min(value, best.get(run, value))
    return best


def _are_whole(times: Times, others: Mapping[str, Times]) -> bool:
    """Whether its times have no fraction, where most of those of each other have."""
    if not all(value.is_integer() for value in times.values()):
        return False
    rest = [list(each.values()) for each in others.values() if each]
    return bool(rest) and all(
        sum(value.is_integer() for value in values) < len(values) / 2 for values in rest
    )


def _is_alone(times: Times, others: Mapping[str, Times], n: int) -> bool:
    """Whether it fails nowhere, and each other often."""
    most = max(map(len, others.values()))
    return n >= _ENOUGH and len(times) == n and most <= (1 - _FAILURES) * n
