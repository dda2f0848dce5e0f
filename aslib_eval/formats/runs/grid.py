"""Runs of a table that are missing, there twice, or fewer than those of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from aslib_eval.formats.aslib.lint.reporting import NAMES
from aslib_eval.formats.measures import plain
from aslib_eval.formats.runs.check_sums import is_logged
from aslib_eval.formats.runs.found_runs import TableRun, TableRuns, by_solver
from aslib_eval.formats.runs.layout import ALIASES, Layout
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.text import plural

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
            found.say(code, first[lacking[0]], what)
    if is_log:
        _in_turn(found)
    if not found.runs:
        found.say("runs-empty", found.layout.table.line, "the table holds no run", " ")


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
    hint = _way_out(layout, [n for n in table.header if all(n in d for d in differ)])
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


def _way_out(layout: Layout, names: Sequence[str]) -> str:
    """What to do about duplicates whose rows all differ in these columns."""
    header = layout.table.header
    taken = _results(layout) | {header[at] for at in layout.at.values()}
    free = [name for name in names if name and name not in taken]
    if not free:
        return "Remove one; repetitions need a column seed or repetition."
    name, instance = free[0], header[layout.at["instance"]]
    if plain(name) in ALIASES["instance"]:
        return f"If {name!r} tells the instances apart: --column instance={name}."
    ways = [f"instance={instance}+{name}", f"repetition={name}", f"scenario={name}"]
    if "solver" in layout.at:
        ways.insert(0, f"solver={header[layout.at['solver']]}+{name}")
    told = ", ".join(f"--column {way}" for way in ways[:-1])
    return f"Say what {name!r} is: {told} or --column {ways[-1]}; or remove one."


def _in_turn(found: TableRuns) -> None:
    """Whether a log holds the runs 0, 1, … of each pair, with the seeds of all others.

    How many there are depends on their spread, so that it differs from pair to pair.
    """
    header = found.layout.table.header
    at = [header.index("seed"), header.index("run")]
    rows = [
        [number(cells[k]) or 0.0 for k in at] for _, cells in found.layout.table.rows
    ]
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
