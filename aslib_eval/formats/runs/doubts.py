"""What may be meant otherwise in a table: solvers, limits, statuses, and all of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from aslib_eval.formats.runs.found_runs import TableRuns
from aslib_eval.formats.runs.time_units import from_seconds, to_seconds
from aslib_eval.text import plural, shown

_ENOUGH = 5  # solved runs that are needed to doubt a solver
_FAILURES = 0.1  # the share that all others fail in, where one fails nowhere
_OTHERS = 3  # solvers beside the one that is doubted
_SAME = 5  # solved runs with the largest time of all, from which on it seems a limit
_NEAR = 1.1  # of the cutoff, by which a run that it stops may end later
_MINUTES = 120  # the largest cutoff that may be meant in minutes
_FAR = 100  # times the largest time, from which on a cutoff seems to be of another unit
_MANY = 20  # runs that have to be there to say so
# No run lasts longer, in cutoffs: a timeout may have ten times it, as PAR10 has; what
# is not called wall-clock time may be that of many cores.
_LIMITS, _CORES = 11, 200

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


def doubt_limit(found: TableRuns, measure: str) -> None:
    """Say that no limit is known, or that solved runs seem to have had a lower one."""
    line, limit = found.layout.table.line, found.cutoff
    ended = [run.values[measure] for run in found.runs]
    solved = [value for value, status in ended if status == "ok" and value is not None]
    largest = max(solved, default=math.inf)
    n = solved.count(largest)
    if limit is None:
        what = "no cutoff is given"
        if solved:
            what += f"; the largest time of a solved run is {shown(largest)}"
            what += f", and {n} runs have it, as if it were the limit" * (n > 1)
        found.say("runs-cutoff", line, what)
    elif 0 < largest < limit and n >= max(_SAME, len(solved) / 50):
        what = f"{n} runs are solved after {shown(largest)} exactly, the largest such"
        what += f" time, below the cutoff {shown(limit)}"
        below = max((value for value in solved if value < largest), default=0)
        if below <= largest / 2:  # as PAR2 writes a timeout
            what += f", and no other takes more than {shown(below)}"
            hint = f"If it is PAR2 of a timeout: --cutoff {shown(largest / 2)}."
        else:
            hint = (
                f"If it means a timeout: --cutoff {shown(largest)}, or the real limit."
            )
        found.say("runs-limit", line, what, hint)
    else:
        _far_limit(found, [value or 0.0 for value, _ in ended], limit)


def _far_limit(found: TableRuns, times: Sequence[float], limit: float) -> None:
    """Warn where runs failed, and none came near the cutoff."""
    failed = [run for run in found.runs if not run.is_solved]
    largest = max(times, default=0.0)
    if failed and 0 < largest < limit / _FAR and len(times) >= _MANY:
        what = f"{plural(len(failed), 'run')} failed, the longest of all ended after"
        what += f" {shown(largest)}, and the cutoff is {shown(limit)}"
        hint = "Is the cutoff in milliseconds? Give it its unit, as in"
        hint += f" --cutoff {shown(limit, 15)}ms."
        found.say("runs-limit", found.layout.table.line, what, hint)


def doubt_times(found: TableRuns, measure: str) -> None:
    """Warn of few times that no run can have taken."""
    is_wall = any(word in measure.lower() for word in ("wall", "real"))
    most = (_LIMITS if is_wall else _CORES) * (found.cutoff or math.inf)
    runs = [run for run in found.runs if (run.values[measure][0] or 0) > most]
    if runs and len(runs) < len(found.runs) / 2:
        what = f"{measure} of {plural(len(runs), 'run')} is far above the cutoff"
        what += f" {shown(found.cutoff)}, first that of {runs[0].solver} on"
        what += f" {runs[0].instance}, {shown(runs[0].values[measure][0])}"
        hint = "Is it in milliseconds? Divide it by 1000."
        found.say("runs-limit", found.layout.table.line, what, hint)


def doubt_all(found: TableRuns) -> None:
    """Warn where nothing is solved, or most of what ended well did so too late."""
    measure, quality = next(iter(found.layout.quality.items()))
    runs = [run.values[measure] for run in found.runs]
    limit = math.inf if quality or found.cutoff is None else found.cutoff
    times = [v for v, status in runs if status == "ok" and v is not None]
    if all(block.status is None for block in found.layout.blocks):
        times += _unlike_a_limit(
            [v for v, status in runs if status == "timeout" and v is not None], limit
        )
    late = [value for value in times if value >= limit]
    if not runs or (times and len(late) <= len(times) / 2):
        return
    if late:
        what = f"{len(late) / len(times):.0%} of the ok runs are above the cutoff"
        hint = _limit_hint(found, times, limit)
    else:
        what = f"none of {plural(len(runs), 'run')} is solved"
        hint = (
            "An incremental track counts answers: --measure NAME makes them one."
            " Else --column status=NAME says which column tells what is solved, and"
            " --status WORD=ok what its words mean."
        )
    if late and len(late) == len(times):
        what += ", so that nothing is solved"
    found.say("runs-unsolved", found.layout.table.line, what, hint)


def _unlike_a_limit(times: Sequence[float], limit: float) -> list[float]:
    """Times beyond the cutoff that differ, as those of runs do that nobody stopped."""
    beyond = [value for value in times if value > _NEAR * limit]
    return beyond if len(set(beyond)) > len(beyond) / 2 else []


def _limit_hint(found: TableRuns, times: Sequence[float], limit: float) -> str:
    """The likely reason why times are above the cutoff, and what to type."""
    unit, largest = found.layout.unit, max(times)
    if found.choices.unit:
        return (
            f"Are the times in {found.choices.unit}? The largest is {shown(largest)} s."
        )
    if unit not in ("", "s") and not found.choices.has_unit:
        return (
            f"The times are in {unit}: give the cutoff its unit, as in {shown(limit)}s."
        )
    guesses = []
    if largest < to_seconds(limit, "min") and limit <= _MINUTES:
        guesses.append(f"Is the cutoff in minutes? --cutoff {shown(limit)}min.")
    if largest < from_seconds(limit, "ms"):
        also = (
            f", or --cutoff {1000 * limit:.15g}" if not found.choices.has_unit else ""
        )
        guesses.append(f"Are the times in milliseconds? --unit ms{also}.")
    if not guesses or largest < _NEAR * limit:
        guesses = [f"Was the limit another one? The largest time is {shown(largest)}."]
    return " ".join(guesses)
