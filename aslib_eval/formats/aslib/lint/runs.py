"""The runs and trajectories: a complete matrix of instances and algorithms with a status everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.description import Description, PerformanceMeasure
from aslib_eval.formats.aslib.lint import (
    LIMIT,
    PARTS,
    Flags,
    Floats,
    Ints,
    Key,
    at_column,
    at_rows,
    codes,
    distinct,
    equal,
    is_number,
    is_text,
    key,
    new_finding,
    repeated,
    row_findings,
    values,
    words,
)
from aslib_eval.formats.aslib.relations import (
    NAME,
    POINT,
    RUN,
    decision_problems,
    measure_columns,
    quality_measure,
)
from aslib_eval.formats.aslib.scenario import ArffTable, Scenario
from aslib_eval.text import list_names, plural, shown

_LARGEST = 1 << 26  # cells of the runs among which misspelt names are looked for
_COMPARED = 2000  # names that one is compared with
_ALIKE = 0.8
STATUSES = {"ok", "timeout", "memout", "not_applicable", "crash", "other"}
FEATURE_STATUSES = STATUSES | {"presolved", "unknown"}


def check_runs(scenario: Scenario) -> Iterator[Finding]:
    """Columns, completeness and status of the runs and of the test set's runs."""
    for part in PARTS:
        table = scenario.tables.get(f"algorithm_runs{part}")
        if table is None:
            continue
        if scenario.description is not None:
            yield from _measures(table, scenario.description)
        yield from _status(table)
        if table.table.num_rows:
            yield from _matrix(table)
        else:
            yield new_finding("runs-empty", file=table.file, what="the file holds no run")


def _measures(table: ArffTable, description: Description) -> Iterator[Finding]:
    found = measure_columns(table.table, description)
    others = {"instance_id", "repetition", "algorithm", "runstatus", *found}
    extra = [name for name in table.table.column_names if name not in others]
    for measure in description.measures:
        if measure.name not in found.values():
            what = f"measure {measure.name!r} has no column; other columns are {list_names(extra)}"
            hint = "Give the column the name from performance_measures in description.txt."
            yield new_finding("measure-missing", file=table.file, what=what, hint=hint)
    for column, name in found.items():
        if column != name:
            what = f"column {column!r} is taken as measure {name!r}"
            yield at_column("measure-by-position", table, column, what)
        if not is_number(table, column):
            yield at_column("column-type", table, column, f"measure {column!r} is not NUMERIC")
    if extra:
        what = f"columns that are not declared as measures, and not read: {list_names(extra)}"
        yield at_column("measure-undeclared", table, extra[0], what)


def _status(table: ArffTable) -> Iterator[Finding]:
    if not is_text(table, "runstatus"):
        present = "is not text" if "runstatus" in table.table.column_names else "missing"
        hint = "Declare '@ATTRIBUTE runstatus {ok, timeout, memout, crash, other}'."
        yield at_column("status-column", table, "runstatus", f"column 'runstatus' {present}", hint)
        return
    code, _ = codes(table, "runstatus")
    yield from row_findings(
        "status-missing",
        table,
        np.flatnonzero(code < 0),
        what=lambda _: "the run has no status",
        hint="Without a status, nobody knows whether the run succeeded.",
    )
    yield from unknown_words(table, "runstatus", STATUSES)


def unknown_words(table: ArffTable, column: str, known: set[str]) -> Iterator[Finding]:
    """Statuses that the format does not know, or that only look like one it does."""
    code, listed = codes(table, column)
    strange = {n: w for n, w in enumerate(listed.to_pylist()) if w not in known}
    alike = {n for n, word in strange.items() if word.strip().lower() in known}
    for fault, at, hint in (
        ("status-spelling", alike, f"Write one of {', '.join(sorted(known))}."),
        ("status-unknown", {*strange} - alike, "Rows with such a status count as not ok."),
    ):
        rows = np.flatnonzero(np.isin(code, list(at))) if at else np.empty(0, int)
        if rows.size:
            named = list_names([strange[n] for n in sorted(at)])
            what = f"{plural(rows.size, 'row')} of column {column!r} with status {named}"
            yield at_rows(fault, table, rows, what, hint)


def _matrix(table: ArffTable) -> Iterator[Finding]:
    """Missing runs and repetitions, and mixed statuses."""
    runs = key(table, ("repetition", "instance_id", "algorithm"))
    repetitions = len(runs.labels[0])
    cells = runs.size // repetitions
    present = distinct(runs.numbers)
    if present.size < runs.size:
        cell, repeats = np.unique(present % cells, return_counts=True)
        yield from _missing(table, runs, cell, cells)
        yield from _misspelt(table, runs)
        # A deterministic algorithm may have run once and another ten times.
        own = np.zeros(len(runs.labels[2]), repeats.dtype)
        np.maximum.at(own, cell % own.size, repeats)
        few = cell[repeats < own[cell % own.size]]
        if few.size:
            what = f"{few.size} of the runs have fewer repetitions than other runs of the same algorithm"
            hint = "Means over different numbers of repetitions are hard to compare."
            what += f": {_labels(runs, few, few.size)}"
            yield new_finding("run-unbalanced", file=table.file, what=what, hint=hint)
    if repetitions > 1 and is_text(table, "runstatus"):
        yield from _mixed(table, runs, cells)


def _missing(table: ArffTable, runs: Key, cell: Ints, cells: int) -> Iterator[Finding]:
    missing = cells - cell.size
    if missing:
        first = np.setdiff1d(np.arange(min(cells, cell.size + LIMIT)), cell)
        what = f"{plural(missing, 'missing run')}: {_labels(runs, first, missing)}"
        hint = "Add them. If they failed, give their status."
        yield new_finding("run-missing", file=table.file, what=what, hint=hint)


def _misspelt(table: ArffTable, runs: Key) -> Iterator[Finding]:
    """Names with few runs, if a similar name lacks exactly these."""
    if runs.size > _LARGEST:
        return
    there = np.zeros(runs.size, bool)
    there[runs.numbers] = True
    cube = there.reshape([len(present) for present in runs.labels])
    for axis, column in enumerate(runs.columns[1:], 1):
        rows = np.moveaxis(cube, axis, 0).reshape(cube.shape[axis], -1)
        number = rows.sum(axis=1)
        spelt = words(table, column).to_pylist()
        rare = np.flatnonzero(2 * number < number.max())[: LIMIT + 1]
        for one in rare.tolist() if rare.size <= LIMIT else ():
            free = (number > number[one]) & ~(rows & rows[one]).any(axis=1)
            others = [spelt[at] for at in np.flatnonzero(free)[:_COMPARED]]
            word = spelt[one]
            for near in get_close_matches(word, others, n=1, cutoff=_ALIKE):
                n = plural(int(number[one]), "run")
                what = f"{column.removesuffix('_id')} {word!r} has {n}, which {near!r} lacks"
                hint = f"Did you mean {near!r}?"
                yield at_rows("run-missing", table, equal(table, column, word), what, hint)


def _labels(runs: Key, cells: Ints, n: int) -> str:
    """Instance and algorithm of the first of n runs, without their repetitions."""
    pairs = Key(runs.columns[1:], runs.labels[1:], runs.numbers)
    named = "; ".join(map(pairs.label, cells[:LIMIT].tolist()))
    return f"{named} and {n - LIMIT} more" if n > LIMIT else named


def _mixed(table: ArffTable, runs: Key, cells: int) -> Iterator[Finding]:
    if cells > 4 * runs.numbers.size:
        return
    cell = runs.numbers % cells
    ok = np.bincount(cell, weights=equal(table, "runstatus", "ok"), minlength=cells)
    mixed = (ok > 0) & (ok < np.bincount(cell, minlength=cells))
    if mixed.any():
        what = f"{mixed.sum()} of {cells} runs are ok in some repetitions only"
        hint = "The protocol decides how repetitions are summarised."
        yield at_rows("status-mixed", table, mixed[cell], what, hint)


# The values of the runs against their statuses and the cutoff.

_PILE = 1e-3  # width of the window below the cutoff, relative
_FAR = 0.5  # a largest runtime above this share of the cutoff is never suspicious
_EXPECTED = 20.0  # runs that should have ended between it and the cutoff


@dataclass(frozen=True)
class MeasureRuns:
    """One measure of the runs.

    ``value`` (runs,) [unit of the measure, NaN where missing] and ``ok`` (runs,); ``cutoff`` is None for a
    solution quality and where it is unknown.
    """

    table: ArffTable
    measure: PerformanceMeasure
    value: Floats
    ok: Flags
    cutoff: float | None

    def finding(self, code: str, rows: Flags, what: str, hint: str = "") -> Finding:
        """A finding on the measure at the first of the rows."""
        return at_rows(code, self.table, rows, f"{self.measure.name}: {what}", hint)

    def count(self, code: str, rows: Flags, one: str, what: str, hint: str) -> Iterator[Finding]:
        """A finding that counts the rows, if there are any. one: what a row is."""
        if rows.any():
            yield self.finding(code, rows, f"{plural(int(rows.sum()), one)} {what}", hint)


def check_values(scenario: Scenario) -> Iterator[Finding]:
    """Every measure of the runs, and of the test set's runs."""
    description = scenario.description
    if description is None:
        return
    cutoff = description.cutoff
    for part in PARTS:
        table = scenario.tables.get(f"algorithm_runs{part}")
        if table is None or not is_text(table, "runstatus"):
            continue
        ok = equal(table, "runstatus", "ok")
        columns = measure_columns(table.table, description)
        found: list[Finding] = []
        has_times = any(measure.type == "runtime" for measure in description.measures)
        for measure in description.measures:
            column = next((c for c, n in columns.items() if n == measure.name), None)
            if column is None or not is_number(table, column):
                continue
            timed = measure.type == "runtime" and cutoff is not None and cutoff > 0
            limit = cutoff if timed else None
            runs = MeasureRuns(table, measure, values(table, column), ok, limit)
            decisions = decision_problems(table.table, column, measure.name, description)
            if decisions.any():
                found += _decisions(runs, decisions)
                runs = replace(runs, ok=ok & ~decisions)
            found += _check(runs)
            if has_times and measure.type != "runtime" and is_text(table, "instance_id"):
                found += _beaten(runs)
        yield from _once_a_kind(found)


def _once_a_kind(found: Sequence[Finding]) -> Iterator[Finding]:
    """Join warnings and notes of one kind on several measures."""
    kinds: dict[object, list[Finding]] = {}
    for n, each in enumerate(found):
        kinds.setdefault(n if each.severity == "error" else each.code, []).append(each)
    for first, *others in kinds.values():
        yield replace(first, message="; ".join(each.message for each in (first, *others)))


def _decisions(runs: MeasureRuns, decisions: Flags) -> Iterator[Finding]:
    n = len(set(runs.table.table["instance_id"].filter(pa.array(decisions)).to_pylist()))
    what = f"{plural(n, 'instance')} without any value, although a run is ok"
    hint = "Such instances count as decision problems: only the runtime ranks them."
    yield runs.finding("objective-absent", decisions, what, hint)


def _check(runs: MeasureRuns) -> Iterator[Finding]:
    yield from row_findings(
        "value-missing",
        runs.table,
        np.flatnonzero(runs.ok & ~np.isfinite(runs.value)),
        what=lambda row: f"{runs.measure.name} of an ok run is {runs.value[row]}",
        hint="Give its value, or a status that says why there is none.",
    )
    yield from _zeros(runs)
    if runs.measure.type == "runtime":
        yield from _runtimes(runs)
    else:
        yield from _stopped(runs)
    if runs.cutoff is not None:
        yield from _contradictions(runs, runs.cutoff)
        yield from _pile_up(runs, runs.cutoff)
        yield from _implausible(runs, runs.cutoff)
    yield from _encoding(runs)


def _zeros(runs: MeasureRuns) -> Iterator[Finding]:
    """Algorithms of two runs or more, each of which is ok and 0, as sums of nothing."""
    if not is_text(runs.table, "algorithm"):
        return
    code, names = codes(runs.table, "algorithm")
    zero = runs.ok & (runs.value == 0) & (code >= 0)
    n = np.bincount(code[code >= 0], minlength=len(names))
    found = (n > 1) & (np.bincount(code[zero], minlength=len(names)) == n)
    if found.any():
        told = [f"{names[at].as_py()} ({n[at]} runs)" for at in np.nonzero(found)[0]]
        what = f"every run of {list_names(told, quoted=False)} is ok with the value 0"
        hint = "If the value was not measured, write '?' and a status such as other."
        yield runs.finding("value-zero", zero & found[code], what, hint)


def _beaten(runs: MeasureRuns) -> Iterator[Finding]:
    instance, names = codes(runs.table, "instance_id")
    costs = -runs.value if runs.measure.maximize else runs.value
    found = runs.ok | equal(runs.table, "runstatus", "timeout")
    rows = beaten(instance, np.where(found, costs, np.nan), runs.ok)
    if rows.any():
        what = beaten_words(rows, names[int(instance[rows][0])].as_py())
        yield runs.finding("proof-beaten", rows, what, BEATEN)


BEATEN = "Check the value. If ok does not mean that the value is proved best, write the status timeout."


def beaten(instance: NDArray[Any], costs: Floats, ok: Flags) -> Flags:
    """Runs (n,) that are ok although a run on their instance has a lower cost.

    instance: (n,) its number. costs: (n,) lower is better, nan = none. Costs that are apart by 1e-9 of
    their size are equal.
    """
    least = np.full(int(instance.max(initial=0)) + 1, np.inf)
    np.fmin.at(least, instance, costs)
    best = least[instance]
    with np.errstate(invalid="ignore"):
        return np.asarray(ok & (costs - best > 1e-9 * np.abs(best)))


def beaten_words(rows: Flags, first: str) -> str:
    """The message on such runs. first: the instance of the first one."""
    n = plural(int(rows.sum()), "ok run")
    where = f"{n} with a worse value than another run, first on {first}"
    return f"{where}; if ok means that the value is proved best, one of the two is wrong"


def _runtimes(runs: MeasureRuns) -> Iterator[Finding]:
    yield from row_findings(
        "runtime-negative",
        runs.table,
        np.flatnonzero(runs.ok & (runs.value < 0)),
        what=lambda row: f"{runs.measure.name} of an ok run is {shown(runs.value[row])}",
    )
    zero, hint = runs.ok & (runs.value == 0), "Ratios and logarithms are undefined there."
    yield from runs.count("runtime-zero", zero, "ok run", "with runtime 0", hint)


def _stopped(runs: MeasureRuns) -> Iterator[Finding]:
    stopped = equal(runs.table, "runstatus", "timeout") & np.isfinite(runs.value)
    hint = 'The values count as results, unless the protocol says timeout_value = "failed".'
    yield from runs.count("stopped-with-value", stopped, "timeout", "with a value", hint)


def _contradictions(runs: MeasureRuns, cutoff: float) -> Iterator[Finding]:
    late = runs.ok & (runs.value >= cutoff)
    hint = "The choice at_cutoff of the protocol decides whether such runs are solved."
    yield from runs.count("ok-at-cutoff", late, "ok run", f"at or above the cutoff {shown(cutoff)}", hint)
    stopped = equal(runs.table, "runstatus", "timeout")
    stopped &= runs.value >= cutoff * (1 - _PILE)  # a moment before the limit
    early = ~runs.ok & (runs.value < cutoff) & ~stopped
    what = f"with a value below the cutoff {shown(cutoff)}"
    hint = "The value is not used: only the status decides whether a run succeeded."
    yield from runs.count("unsolved-below-cutoff", early, "failed run", what, hint)


def _pile_up(runs: MeasureRuns, cutoff: float) -> Iterator[Finding]:
    """Far more ok runs in the last 0.1 % below the cutoff than in a like interval.

    Expected is what runtimes spread evenly over the logarithm between half the
    cutoff and the cutoff would leave there; counts vary by the root of that. In the data at hand SAT18-EXP
    has 20 where 1 is expected, no other scenario has 3.
    """
    near = runs.ok & (runs.value >= cutoff * (1 - _PILE)) & (runs.value < cutoff)
    found = int(near.sum())
    octave = int((runs.ok & (runs.value > cutoff / 2) & (runs.value < cutoff)).sum())
    expected = octave * -np.log2(1 - _PILE)
    if found >= 5 and found > expected + 5 * np.sqrt(expected):  # noqa: PLR2004
        what = f"{found} ok runs in the last 0.1 % below the cutoff {shown(cutoff)}, "
        what += f"where {expected:.1f} would be expected"
        yield runs.finding("runtime-pile-up", near, what, "Some may be timeouts that were recorded as ok.")


def _implausible(runs: MeasureRuns, cutoff: float) -> Iterator[Finding]:
    """The runs look as if they had been stopped well before the cutoff.

    With r the largest ok runtime, at most half the cutoff, and n the ok runs in its octave (r/2, r]: were
    the cutoff right, some n·log2(cutoff/r) more should have
    ended in the empty stretch up to it. In QBF-2016 (cutoff 1800) r is 599.69 and
    442 runs are expected where there are none: the true limit was 600. In the 15
    others at hand r is above 0.9 of the cutoff.
    """
    runtimes = runs.value[runs.ok & np.isfinite(runs.value)]
    longest = runtimes.max(initial=0.0)
    if not 0 < longest <= _FAR * cutoff or runs.ok.all():
        return
    octave = int((runtimes > longest / 2).sum())
    expected = octave * np.log2(cutoff / longest)
    if expected >= _EXPECTED:
        what = f"no ok run took longer than {shown(longest)}, but the cutoff is "
        what += f"{shown(cutoff)}; about {expected:.0f} ok runs would be expected in between"
        hint = "If the runs were stopped earlier, PARk makes every failure too expensive."
        yield runs.finding("cutoff-implausible", runs.ok & (runs.value == longest), what, hint)


def _encoding(runs: MeasureRuns) -> Iterator[Finding]:
    """How runs that are not ok are recorded: the cutoff, ten times it, another value or none."""
    failed = ~runs.ok
    if not failed.any() or (runs.cutoff is None and runs.measure.type == "runtime"):
        return
    kinds = _timed_kinds(runs, runs.cutoff) if runs.cutoff else _kinds(runs)
    found = {named: failed & rows for named, rows in kinds.items()}
    counts = {named: int(rows.sum()) for named, rows in found.items() if rows.any()}
    rarest = min(counts, key=counts.__getitem__)
    what = f"recorded value of {plural(int(failed.sum()), 'failed run')}: "
    if len(counts) == 1:
        yield runs.finding("unsolved-encoding", found[rarest], what + rarest)
    else:
        what += ", ".join(f"{named} ({n})" for named, n in counts.items())
        used = (
            "Scores do not use the values"
            if runs.measure.type == "runtime"
            else "Only values of timeouts count"
        )
        hint = f"{used}. Do not average the column."
        yield runs.finding("unsolved-encoding-mixed", found[rarest], what, hint)


def _timed_kinds(runs: MeasureRuns, cutoff: float) -> dict[str, Flags]:
    value = runs.value
    once = np.isclose(value, cutoff, rtol=1e-9, atol=0)
    tenfold = np.isclose(value, 10 * cutoff, rtol=1e-9, atol=0)
    return {
        "the cutoff": once,
        "10 times the cutoff": tenfold,
        "less than the cutoff": (value < cutoff) & ~once,
        "more than the cutoff": (value > cutoff) & ~once & ~tenfold,
        "missing": np.isnan(value),
    }


def _kinds(runs: MeasureRuns) -> dict[str, Flags]:
    """One value that stands for failure, several values, or none."""
    missing = np.isnan(runs.value)
    used = np.unique(runs.value[~runs.ok & ~missing])
    named = f"the value {shown(used[0])}" if used.size == 1 else "values of the measure"
    return {named: ~missing, "missing": missing}


Run = tuple[str, int, str]
_EXACT = 1e-9  # relative difference that only the writing of a number makes


def check_trajectories(scenario: Scenario) -> Iterator[Finding]:
    """The points of trajectories.arff, and whether they fit to the runs."""
    table = scenario.tables.get(NAME)
    if table is None:
        return
    wrong = list(_columns(table))
    yield from wrong
    description = scenario.description
    if description is not None and quality_measure(description) is None:
        what = "the scenario has no measure of type solution_quality"
        hint = "Points are values of the first such measure. Declare it in description.txt."
        yield new_finding("trajectory-measure", file=table.file, what=what, hint=hint)
        return
    runs = scenario.tables.get("algorithm_runs")
    if runs is not None:
        yield from _strangers(table, runs)
    if not wrong:
        yield from _points(table)
        yield from _repeats(table)
        yield from _order(table)
        if description is not None:
            yield from _late(table, description)
            if runs is not None:
                yield from _ends(table, runs, description)


def _columns(table: ArffTable) -> Iterator[Finding]:
    for name in POINT:
        if name not in table.table.column_names:
            hint = f"Declare '@ATTRIBUTE {name} NUMERIC'."
            yield at_column("column-missing", table, table.attributes[0].name, f"no column {name!r}", hint)
        elif not is_number(table, name):
            yield at_column("column-type", table, name, f"column {name!r} is not NUMERIC")


def _strangers(table: ArffTable, runs: ArffTable) -> Iterator[Finding]:
    """Runs of which there are points but no row in the runs, each at its first row."""
    known = set(_runs(runs))
    parts = [set(part) for part in zip(*known, strict=True)] or [set(), set(), set()]
    first = {run: row for row, run in reversed([*enumerate(_runs(table))])}
    strange = {row: run for run, row in first.items() if run not in known}

    def what(row: int) -> str:
        each = zip(RUN, strange[row], parts, strict=True)
        alien = [f"{c.removesuffix('_id')} {w!r}" for c, w, names in each if w not in names]
        listed = " and ".join(alien) or f"the run {strange[row]}"
        return f"{listed} is not in {runs.file}"

    rows = np.array(sorted(strange), np.int64)
    hint = "A trajectory belongs to a run. Add the run, or spell its names as in the runs."
    yield from row_findings("trajectory-unknown", table, rows, what=what, hint=hint)


def _runs(table: ArffTable) -> list[Run]:
    return list(zip(*(table.table[name].to_pylist() for name in RUN), strict=True))


def _points(table: ArffTable) -> Iterator[Finding]:
    """Values and times that are no numbers of their kind."""
    value, elapsed = values(table, "objective"), values(table, "elapsed")
    given = table.table["objective"].is_valid().to_numpy()
    yield from row_findings(
        "trajectory-value",
        table,
        np.flatnonzero(~np.isfinite(value)),
        what=lambda row: f"objective is {value[row] if given[row] else '?'}, which is not a finite number",
        hint="Leave out points without a solution.",
    )
    known = table.table["elapsed"].is_valid().to_numpy()
    with np.errstate(invalid="ignore"):
        wrong = known & ~((elapsed >= 0) & np.isfinite(elapsed))
    yield from row_findings(
        "trajectory-value",
        table,
        np.flatnonzero(wrong),
        what=lambda row: f"elapsed is {elapsed[row]}, which is not a time since the run began",
        hint="Write '?' if the time is not known.",
    )


def _repeats(table: ArffTable) -> Iterator[Finding]:
    """Points that are repeated."""
    points = [np.unique(values(table, name), return_inverse=True)[1] for name in POINT]
    _, same = np.unique(np.stack([key(table, RUN).numbers, *points]), axis=1, return_inverse=True)
    yield from row_findings(
        "row-duplicate",
        table,
        repeated(same.ravel().astype(np.int64)),
        what=lambda _: "the same point of the run is in an earlier row already",
        hint="Keep one of the rows.",
    )


def _order(table: ArffTable) -> Iterator[Finding]:
    """Points of a run that were found earlier than the one before them."""
    elapsed = values(table, "elapsed")
    known = np.flatnonzero(np.isfinite(elapsed) & (elapsed >= 0))
    run = key(table, RUN).numbers
    order = known[np.argsort(run[known], kind="stable")]
    number = run[order]
    back = (number[1:] == number[:-1]) & (np.diff(elapsed[order]) < 0)
    before = dict(zip(order[1:].tolist(), order[:-1].tolist(), strict=True))
    yield from row_findings(
        "trajectory-order",
        table,
        np.sort(order[1:][back]),
        what=lambda row: f"elapsed {elapsed[row]:g} comes after {elapsed[before[row]]:g} of the same run",
        hint="Write the points of a run in the order in which they were found.",
    )


def _late(table: ArffTable, description: Description) -> Iterator[Finding]:
    cutoff = description.cutoff
    late = values(table, "elapsed") > (cutoff or np.inf)
    if late.any():
        what = f"{plural(int(late.sum()), 'point')} after the cutoff {cutoff:g}"
        yield at_rows("trajectory-late", table, late, what, "Scores at the cutoff leave such points out.")


def _ends(table: ArffTable, runs: ArffTable, description: Description) -> Iterator[Finding]:
    """Successful runs whose value is not the best of their points, or without any."""
    name = quality_measure(description)
    measure = next(m for m in description.measures if m.name == name)
    column = next((c for c, n in measure_columns(runs.table, description).items() if n == name), None)
    if column is None or not is_number(runs, column) or not is_text(runs, "runstatus"):
        return
    best = _best(table, measure, description.cutoff)
    final, ok = values(runs, column), equal(runs, "runstatus", "ok")
    found = np.array([best.get(run, np.nan) for run in _runs(runs)])
    with np.errstate(invalid="ignore"):
        differs = ok & ~np.isclose(found, final, rtol=_EXACT, atol=0)
    differs &= np.isfinite(found) & np.isfinite(final)
    what = f"{name} is not the value of the best point of the trajectory in {table.file}"
    yield from _differing("trajectory-disagrees", runs, differs, what)
    absent = ok & np.isnan(found)
    yield from _differing("trajectory-missing", runs, absent, f"there is no point in {table.file}")


def _best(table: ArffTable, measure: PerformanceMeasure, cutoff: float | None) -> dict[Run, float]:
    """Run → its best value up to the cutoff."""
    elapsed, value = values(table, "elapsed"), values(table, "objective")
    best: dict[Run, float] = {}
    better = max if measure.maximize else min
    for run, at, found in zip(_runs(table), elapsed, value, strict=True):
        if not at > (cutoff or np.inf) and np.isfinite(found):
            best[run] = better(best.get(run, found), found)
    return best


def _differing(code: str, runs: ArffTable, rows: Flags, what: str) -> Iterator[Finding]:
    if rows.any():
        at = np.flatnonzero(rows)
        listed = list_names([" ".join(map(str, _runs(runs)[row])) for row in at[:3]], at.size, 3)
        yield at_rows(code, runs, at, f"{plural(at.size, 'ok run')}: {what}: {listed}")
