"""Runs of a table that are missing, there twice, or fewer than those of others."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from aslib_eval.formats.aslib.lint.reporting import NAMES
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.format import plain
from aslib_eval.formats.runs.cells import are_whole, is_logged, number, telling_apart
from aslib_eval.formats.runs.found_runs import TableRun, TableRuns, by_solver
from aslib_eval.formats.runs.layout import ALIASES, Layout
from aslib_eval.text import plural

_RULES = ("path:1", "path:2", "path:3", "path:1:-", "path:1:_")  # that may split
_LEFT = 0.1  # the share of runs that may still be missing where a table is split
_INSTANCES = ALIASES["instance"]
_SHOWN = 3  # instances of a message about missing runs
Part = tuple[str, int]  # an instance and a repetition


def decide_missing(found: TableRuns) -> None:
    """Fill in the runs that others have, or leave out what not all have."""
    parts = _parts(found)
    there = {(run.instance, run.repetition, run.solver) for run in found.runs}
    solvers = dict.fromkeys(run.solver for run in found.runs)
    lacking = [(p, s) for p in parts for s in solvers if (*p, s) not in there]
    kind = found.choices.missing
    if not kind or not lacking:
        return
    line = parts[lacking[0][0]]
    told = by_solver(solver for _, solver in lacking)
    if kind == "drop":
        what = _drop(found, parts, {part for part, _ in lacking})
        found.say("runs-missing", line, f"{what}; missing are {told}")
        return
    values = dict.fromkeys(found.layout.quality, (None, kind))
    for (instance, repetition), solver in lacking:
        run = replace(found.runs[0], line=parts[instance, repetition], solver=solver)
        run = replace(run, instance=instance, repetition=repetition, values=values)
        found.runs.append(replace(run, answer=""))
    what = f"{plural(len(lacking), 'missing run')} taken as {kind}: {told}"
    found.say("runs-missing", line, what)


def _parts(found: TableRuns) -> dict[Part, int]:
    """What every solver should have run, and where it is first; of all instances."""
    parts: dict[Part, int] = {}
    for run in found.runs:
        parts.setdefault((run.instance, run.repetition), run.line)
    known = {instance for instance, _ in parts}
    at = found.layout.at["instance"]
    for line, cells in found.layout.table.rows:
        if cells[at] not in known:
            parts.setdefault((cells[at], 1), line)
    return parts


def _drop(found: TableRuns, parts: Iterable[Part], gone: set[Part]) -> str:
    found.runs[:] = [r for r in found.runs if (r.instance, r.repetition) not in gone]
    left = {run.instance for run in found.runs}
    for values in found.about.values():
        for instance in values.keys() - left:
            del values[instance]
    n = len({instance for instance, _ in parts} - left)
    what = f"{plural(n, 'instance')} left out, of which not all solvers have runs"
    repetitions = sum(instance in left for instance, _ in gone)
    more = f", and {plural(repetitions, 'repetition')} of others"
    return what + (more if repetitions else "")


def decide_duplicates(found: TableRuns) -> None:
    """Leave out all rows of a run but the first or the last one, if a user says so."""
    kind, seen = found.choices.duplicates, dict[tuple[str, str, int], TableRun]()
    if not kind:
        return
    left: list[tuple[TableRun, TableRun]] = []
    for run in found.runs if kind == "first" else reversed(found.runs):
        before = seen.setdefault((run.instance, run.solver, run.repetition), run)
        if before is not run:
            left.append((run, before))
    if not left:
        return
    left.sort(key=lambda pair: pair[0].line)
    gone = {id(run) for run, _ in left}
    found.runs[:] = [run for run in found.runs if id(run) not in gone]
    other = sum(_success(run) != _success(kept) for run, kept in left)
    what = f"{plural(len(left), 'row')} of runs that are there twice not read, the"
    what += f" {kind} of each counts: {by_solver(run.solver for run, _ in left)}"
    what += f"; {other} of them had another answer or status" * (other > 0)
    found.say("runs-missing", left[0][0].line, what)


def _success(run: TableRun) -> tuple[str, list[str]]:
    return run.answer, [status for _, status in run.values.values()]


def check_grid(found: TableRuns) -> None:
    """Say which runs are there twice, or not, or less often than others."""
    first: dict[str, int] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for run in found.runs:
        first.setdefault(run.instance, run.line)
        counts[run.instance, run.solver] += 1
    _duplicates(found)
    solvers = dict.fromkeys(run.solver for run in found.runs)
    most = {i: max(counts[i, solver] for solver in solvers) for i in first}
    is_log = is_logged(found.layout.table.header)
    lacking_pairs = [(i, s) for s in solvers for i in first if not counts[i, s]]
    split = _way_to_split(found, lacking_pairs) if lacking_pairs else ""
    for solver in solvers:
        fewer = [i for i in first if counts[i, solver] < most[i]]
        for code, lacking in (
            ("run-missing", [i for i in fewer if not counts[i, solver]]),
            ("run-unbalanced", [i for i in fewer if counts[i, solver] and not is_log]),
        ):
            if not lacking:
                continue
            each = [f"{counts[i, solver]} of {most[i]} runs on {i}" for i in lacking]
            what = f"{solver} has {', '.join(each[:_SHOWN])}"
            if len(each) > _SHOWN:
                what += f", and too few on {len(each) - _SHOWN} instances more"
            more = split if code == "run-missing" else ""
            found.say(code, first[lacking[0]], what, more=more)
    if is_log:
        _in_turn(found)
    if not found.runs:
        found.say("runs-empty", found.layout.table.line, "the table holds no run", " ")


def _way_to_split(found: TableRuns, lacking: Sequence[tuple[str, str]]) -> str:
    """What to type to make scenarios in which not all solvers took part.

    Then few of the lacking pairs of an instance and a solver are missing runs.
    """
    names = dict.fromkeys(run.instance for run in found.runs)
    ways = {
        f"scenario={name.removeprefix('attribute:')}": of
        for name, of in found.about.items()
        if name == FAMILY or name.startswith("attribute:")
    }
    for rule in _RULES:
        of = attribute_choices(family=rule).families(names)
        ways[f"scenario={FAMILY} --family {rule}"] = of
    best: tuple[int, int, int, str] | None = None
    for at, (way, of) in enumerate(ways.items()):
        groups = {of.get(name, "") for name in names}
        if "scenario" in found.layout.at or "" in groups or not (1 < len(groups) <= len(names) / 2):
            continue
        there = {(of[run.instance], run.solver) for run in found.runs}
        rest = sum((of[instance], solver) in there for instance, solver in lacking)
        if rest <= _LEFT * len(lacking) and len(there) > len(groups):
            this = rest, len(groups), at, way
            best = min(best or this, this)
    if best is None:
        return ""
    rest, n, _, way = best
    told = f"Or are they {n} scenarios, with solvers of their own? --column {way}"
    then = f"; then {plural(rest, 'run')} would be missing" if rest else ""
    return f"{told}{then}."


def _duplicates(found: TableRuns) -> None:
    """Runs that are there twice, and the columns in which their rows differ."""
    table, layout = found.layout.table, found.layout
    seen: dict[tuple[str, str, int], TableRun] = {}
    twice: dict[int, tuple[TableRun, TableRun]] = {}
    for run in found.runs:
        before = seen.setdefault((run.instance, run.solver, run.repetition), run)
        if before is not run:
            twice.setdefault(run.line, (run, before))
    if not twice:
        return
    rows = dict(table.rows)
    differ = [
        [name for name, a, b in zip(table.header, mine, first, strict=True) if a != b]
        for run, before in twice.values()
        for mine, first in [(rows[run.line], rows[before.line])]
    ]
    results = _results(layout)
    hint = _way_out(layout)
    for (run, before), names in zip(twice.values(), differ, strict=True):
        what = f"{run.solver} on {run.instance} is the same run as in "
        what += table.spot(before.line)
        named = sorted(names, key=lambda name: name in results)
        if named:
            what += f"; the rows differ in {', '.join(map(repr, named[:NAMES]))}"
        else:
            what += "; the rows are equal"
        found.say("row-duplicate", run.line, what, hint)


def _results(layout: Layout) -> set[str]:
    """The columns that hold what came out of a run, not which run it is."""
    names = layout.table.header
    return {
        names[at]
        for block in layout.blocks
        for at in (*block.values.values(), block.status, block.answer)
        if at is not None
    }


def _way_out(layout: Layout) -> str:
    """What to do about runs that are there twice, by what tells them apart."""
    names, rows = layout.table.header, layout.table.rows
    roles = [r for r in ("instance", "solver", "repetition") if r in layout.at]
    who = [names[layout.at[role]] for role in roles]
    of = layout.at["instance" if layout.is_wide else "solver"]
    taken = _results(layout) | {names[at] for at in layout.at.values()}
    columns = {
        name: [cells[at] for _, cells in rows]
        for at, name in enumerate(names)
        if name and name not in taken
    }
    telling = telling_apart(
        columns,
        runs=[tuple(cells[layout.at[role]] for role in roles) for _, cells in rows],
        of=[cells[of] for _, cells in rows],
        known=[n for n in columns if plain(n) in (*_INSTANCES, *ALIASES["solver"])],
    )
    if not telling:
        parts = [part.strip() for name in who[:2] for part in name.split("+")]
        return (
            "If they are repetitions, number them in a column repetition (in pandas:"
            f" runs['repetition'] = runs.groupby({parts}).cumcount() + 1). Else"
            " --duplicates first (or last) says which row counts."
        )
    joined = "+".join(telling)
    if plain(joined) in _INSTANCES:
        return f"If {joined!r} tells the instances apart: --column instance={joined}."
    numbers = len(telling) == 1 and are_whole(columns[joined])
    ways = [f"instance={who[0]}+{joined}"]
    if layout.is_wide and not numbers:
        ways.insert(0, f"solver={joined}")
    elif not layout.is_wide:
        ways.insert(len(telling) > 1 or numbers, f"solver={who[1]}+{joined}")
    ways += [f"repetition={joined}"] * numbers
    ways += [f"scenario={joined}"] * (len(telling) == 1)
    *first, last = [f"--column {shlex.quote(way)}" for way in ways]
    what = " and ".join(map(repr, telling)) + (" are" if telling[1:] else " is")
    return f"Say what {what}: {', '.join(first)} or {last}; or remove one."


def _in_turn(found: TableRuns) -> None:
    """Whether a log holds the runs 0, 1, … of each pair, with the seeds of all others.

    How many there are depends on their spread, so that it differs from pair to pair.
    """
    header = found.layout.table.header
    at = [header.index("seed"), header.index("run")]
    rows = [[number(cells[k]) or 0.0 for k in at] for _, cells in found.layout.table.rows]
    bases = Counter(int(seed - run) for seed, run in rows)
    base = max(bases, key=bases.__getitem__, default=0)
    seeds: dict[tuple[str, str], dict[int, int]] = {}
    for run in found.runs:
        own = seeds.setdefault((run.solver, run.instance), {})
        own.setdefault(run.repetition, run.line)
    for (solver, instance), lines in seeds.items():
        for wanted, (seed, line) in enumerate(sorted(lines.items()), base):
            if seed != wanted:
                what = f"{solver} on {instance} has seed {seed} here, and no {wanted}"
                hint = "'plan' goes on with its log, and makes what is missing."
                found.say("run-missing", line, what, hint)
                break
