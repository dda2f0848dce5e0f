"""Runs of a table that are missing, there twice, or fewer than those of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from aslib_eval.formats.aslib.lint.reporting import NAMES
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.format import plain
from aslib_eval.formats.runs.cells import ALIASES, are_whole, is_logged, number, telling_apart
from aslib_eval.formats.runs.found_runs import TableRun, TableRuns, by_solver
from aslib_eval.formats.runs.layout import Layout
from aslib_eval.formats.runs.readings import choosing
from aslib_eval.text import plural

_RULES = ("path:1", "path:2", "path:3", "path:1:-", "path:1:_")  # that may split
_LEFT = 0.1  # the share of runs that may still be missing where a table is split
_SHOWN = 3  # instances of a message about missing runs


def decide_missing(found: TableRuns) -> None:
    """Fill in the runs that others have, or leave out what not all have."""
    kind = found.choices.missing
    if not kind:
        return
    # What every solver should have run, and where it is first; of all instances.
    parts: dict[tuple[str, int], int] = {}
    for run in found.runs:
        parts.setdefault((run.instance, run.repetition), run.line)
    known = {instance for instance, _ in parts}
    at = found.layout.at["instance"]
    for line, cells in found.layout.table.rows:
        if cells[at] not in known:
            parts.setdefault((cells[at], 1), line)
    there = {(run.instance, run.repetition, run.solver) for run in found.runs}
    solvers = found.solvers
    lacking = [(part, solver) for part in parts for solver in solvers if (*part, solver) not in there]
    if not lacking:
        return
    told = by_solver(solver for _, solver in lacking)
    if kind == "drop":
        what = f"{_drop(found, {part for part, _ in lacking})}; missing are {told}"
    else:
        failed: dict[str, tuple[float | None, str]] = dict.fromkeys(found.layout.quality, (None, kind))
        for (instance, repetition), solver in lacking:
            found.runs.append(TableRun(parts[instance, repetition], instance, solver, repetition, failed))
        what = f"{plural(len(lacking), 'missing run')} taken as {kind}: {told}"
    found.say("runs-missing", what, line=parts[lacking[0][0]])


def _drop(found: TableRuns, gone: set[tuple[str, int]]) -> str:
    """Leave out instances with these repetitions; what is said of it."""
    found.runs[:] = [run for run in found.runs if (run.instance, run.repetition) not in gone]
    left = {*found.instances}
    for values in found.about.values():
        for instance in values.keys() - left:
            del values[instance]
    n = len({instance for instance, _ in gone} - left)
    what = f"{plural(n, 'instance')} left out, of which not all solvers have runs"
    repetitions = sum(instance in left for instance, _ in gone)
    return what + (f", and {plural(repetitions, 'repetition')} of others" if repetitions else "")


def _twice(runs: Iterable[TableRun]) -> Iterator[tuple[TableRun, TableRun]]:
    """Each run that is there already, and the first of its kind."""
    seen: dict[tuple[str, str, int], TableRun] = {}
    for run in runs:
        before = seen.setdefault((run.instance, run.solver, run.repetition), run)
        if before is not run:
            yield run, before


def decide_duplicates(found: TableRuns) -> None:
    """Leave out all rows of a run but the first or the last one, if a user says so."""
    kind = found.choices.duplicates
    if not kind:
        return
    left = list(_twice(found.runs if kind == "first" else reversed(found.runs)))
    if not left:
        return
    left.sort(key=lambda pair: pair[0].line)
    gone = {id(run) for run, _ in left}
    found.runs[:] = [run for run in found.runs if id(run) not in gone]
    other = sum(_success(run) != _success(kept) for run, kept in left)
    what = (
        f"{plural(len(left), 'row')} of runs that are there twice not read, the {kind} of each counts:"
        f" {by_solver(run.solver for run, _ in left)}"
    )
    what += f"; {other} of them had another answer or status" * (other > 0)
    found.say("runs-missing", what, line=left[0][0].line)


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
    solvers = found.solvers
    most = {i: max(counts[i, solver] for solver in solvers) for i in first}
    is_log = is_logged(found.layout.table.header)
    lacking_pairs = [(i, s) for s in solvers for i in first if not counts[i, s]]
    split = _way_to_split(found, lacking_pairs) if lacking_pairs else ""
    for solver in solvers:
        fewer = [i for i in first if counts[i, solver] < most[i]]
        missing = [i for i in fewer if not counts[i, solver]]
        unbalanced = [i for i in fewer if counts[i, solver] and not is_log]
        for code, lacking, more in (("run-missing", missing, split), ("run-unbalanced", unbalanced, "")):
            if lacking:
                each = [f"{counts[i, solver]} of {most[i]} runs on {i}" for i in lacking[:_SHOWN]]
                what = f"{solver} has {', '.join(each)}"
                if len(lacking) > _SHOWN:
                    what += f", and too few on {len(lacking) - _SHOWN} instances more"
                found.say(code, what, line=first[lacking[0]], more=more)
    if is_log:
        _in_turn(found)
    if not found.runs:
        found.say("runs-empty", "the table holds no run", " ")


def _way_to_split(found: TableRuns, lacking: Sequence[tuple[str, str]]) -> str:
    """What to type to make scenarios in which not all solvers took part.

    Then few of the lacking pairs of an instance and a solver are missing runs.
    """
    names = found.instances
    ways = {
        f"scenario={name.removeprefix('attribute:')}": of
        for name, of in found.about.items()
        if name == FAMILY or name.startswith("attribute:")
    }
    for rule in _RULES:
        ways[f"scenario={FAMILY} --family {rule}"] = attribute_choices(family=rule).families(names)
    splits: list[tuple[int, int, int, str]] = []
    for at, (way, of) in enumerate(ways.items()):
        groups = {of.get(name, "") for name in names}
        if "scenario" in found.layout.at or "" in groups or not (1 < len(groups) <= len(names) / 2):
            continue
        there = {(of[run.instance], run.solver) for run in found.runs}
        rest = sum((of[instance], solver) in there for instance, solver in lacking)
        if rest <= _LEFT * len(lacking) and len(there) > len(groups):
            splits.append((rest, len(groups), at, way))
    if not splits:
        return ""
    rest, n, _, way = min(splits)
    then = f"; then {plural(rest, 'run')} would be missing" if rest else ""
    return f"Or are they {n} scenarios, with solvers of their own? --column {way}{then}."


def _duplicates(found: TableRuns) -> None:
    """Runs that are there twice, and the columns in which their rows differ."""
    table, layout = found.layout.table, found.layout
    twice: dict[int, tuple[TableRun, TableRun]] = {}
    for run, before in _twice(found.runs):
        twice.setdefault(run.line, (run, before))
    if not twice:
        return
    rows = dict(table.rows)
    # The columns that hold what came out of a run, not which run it is.
    results = {table.header[at] for block in layout.blocks for at in block.columns}
    hint = _way_out(layout, results)
    for run, before in twice.values():
        pairs = zip(table.header, rows[run.line], rows[before.line], strict=True)
        differ = sorted((name for name, a, b in pairs if a != b), key=lambda name: name in results)
        how = (
            f"the rows differ in {', '.join(map(repr, differ[:NAMES]))}" if differ else "the rows are equal"
        )
        what = f"{run.solver} on {run.instance} is the same run as in {table.spot(before.line)}; {how}"
        found.say("row-duplicate", what, hint, line=run.line)


def _way_out(layout: Layout, results: Collection[str]) -> str:
    """What to do about runs that are there twice, by what tells them apart."""
    table, names = layout.table, layout.table.header
    who = [names[layout.at[role]] for role in ("instance", "solver", "repetition") if role in layout.at]
    taken = {"", *results, *(names[at] for at in layout.at.values())}
    columns = {name: table.column(name) for name in names if name not in taken}
    telling = telling_apart(
        columns,
        runs=[*zip(*map(table.column, who), strict=True)],
        of=table.column(layout.at["instance" if layout.is_wide else "solver"]),
        known=[name for name in columns if plain(name) in (*ALIASES["instance"], *ALIASES["solver"])],
    )
    if not telling:
        parts = [part.strip() for name in who[:2] for part in name.split("+")]
        return (
            "If they are repetitions, number them in a column repetition (in pandas:"
            f" runs['repetition'] = runs.groupby({parts}).cumcount() + 1). Else"
            " --duplicates first (or last) says which row counts."
        )
    joined = "+".join(telling)
    if plain(joined) in ALIASES["instance"]:
        return f"If {joined!r} tells the instances apart: --column instance={joined}."
    numbers = len(telling) == 1 and are_whole(columns[joined])
    ways = [("instance", f"{who[0]}+{joined}")]
    if layout.is_wide and not numbers:
        ways.insert(0, ("solver", joined))
    elif not layout.is_wide:
        ways.insert(len(telling) > 1 or numbers, ("solver", f"{who[1]}+{joined}"))
    ways += [("repetition", joined)] * numbers + [("scenario", joined)] * (len(telling) == 1)
    *first, last = [choosing(*way) for way in ways]
    what = " and ".join(map(repr, telling)) + (" are" if telling[1:] else " is")
    return f"Say what {what}: {', '.join(first)} or {last}; or remove one."


def _in_turn(found: TableRuns) -> None:
    """Whether a log holds the runs 0, 1, … of each pair, with the seeds of all others.

    How many there are depends on their spread, so that it differs from pair to pair.
    """
    pairs = zip(*(map(number, found.layout.table.column(name)) for name in ("seed", "run")), strict=True)
    bases = Counter(int((seed or 0.0) - (run or 0.0)) for seed, run in pairs)
    base = max(bases, key=bases.__getitem__, default=0)
    seeds: dict[tuple[str, str], dict[int, int]] = {}
    for run in found.runs:
        seeds.setdefault((run.solver, run.instance), {}).setdefault(run.repetition, run.line)
    for (solver, instance), lines in seeds.items():
        for wanted, (seed, line) in enumerate(sorted(lines.items()), base):
            if seed != wanted:
                what = f"{solver} on {instance} has seed {seed} here, and no {wanted}"
                hint = "'plan' goes on with its log, and makes what is missing."
                found.say("run-missing", what, hint, line=line)
                break
