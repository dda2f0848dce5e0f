"""The trajectories: points of known runs, in order, that end at the runs' values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.arff import ArffTable
from aslib_eval.formats.aslib.description import Description, PerformanceMeasure
from aslib_eval.formats.aslib.lint.reporting import (
    Flags,
    Floats,
    Ints,
    equal,
    is_number,
    is_text,
    key,
    line_of_first,
    new_finding,
    repeated,
    row_findings,
    values,
)
from aslib_eval.formats.aslib.relations import NAME, POINT, RUN, measure_columns, quality_measure
from aslib_eval.formats.aslib.scenario import Scenario
from aslib_eval.text import list_names, plural

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
        hint = "The points are values of its first one: declare it."
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
            what = f"no column {name!r}"
            hint = f"Declare '@ATTRIBUTE {name} NUMERIC'."
            line = table.attributes[0].line
            code = "column-missing"
            yield new_finding(code, file=table.file, line=line, what=what, hint=hint)
        elif not is_number(table, name):
            what = f"column {name!r} is not NUMERIC"
            at = table.line_of(name)
            yield new_finding("column-type", file=table.file, line=at, what=what)


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
    hint = "A trajectory belongs to a run: add it, or spell it as there."
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
        what=lambda row: f"objective is {value[row] if given[row] else '?'}, no finite number",
        hint="Leave points without a solution out.",
    )
    known = table.table["elapsed"].is_valid().to_numpy()
    with np.errstate(invalid="ignore"):
        wrong = known & ~((elapsed >= 0) & np.isfinite(elapsed))
    yield from row_findings(
        "trajectory-value",
        table,
        np.flatnonzero(wrong),
        what=lambda row: f"elapsed is {elapsed[row]}, no time since the run began",
        hint="Write '?' where it is not known.",
    )


def _repeats(table: ArffTable) -> Iterator[Finding]:
    """Points that are repeated."""
    value, elapsed = values(table, "objective"), values(table, "elapsed")
    _, same = np.unique(
        np.stack([_numbers(table), _codes(elapsed), _codes(value)]), axis=1, return_inverse=True
    )
    yield from row_findings(
        "row-duplicate",
        table,
        repeated(same.ravel().astype(np.int64)),
        what=lambda _: "the same point of the run stands in an earlier row",
        hint="Keep one of the rows.",
    )


def _numbers(table: ArffTable) -> Ints:
    return key(table, RUN).numbers


def _codes(numbers: Floats) -> Ints:
    _, code = np.unique(numbers, return_inverse=True)
    found: Ints = code.astype(np.int64)
    return found


def _order(table: ArffTable) -> Iterator[Finding]:
    """Points of a run that were found earlier than the one before them."""
    elapsed = values(table, "elapsed")
    known = np.flatnonzero(np.isfinite(elapsed) & (elapsed >= 0))
    number = _numbers(table)[known]
    order = known[np.argsort(number, kind="stable")]
    number = _numbers(table)[order]
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
        hint = "A score at the cutoff leaves them out."
        line = line_of_first(table, np.flatnonzero(late))
        yield new_finding("trajectory-late", file=table.file, line=line, what=what, hint=hint)


def _ends(table: ArffTable, runs: ArffTable, description: Description) -> Iterator[Finding]:
    """Successful runs whose value is not the best of their points, or without any."""
    name = quality_measure(description)
    measure = next(m for m in description.measures if m.name == name)
    columns = measure_columns(runs.table, description)
    column = next((c for c, n in columns.items() if n == name), None)
    if column is None or not is_number(runs, column) or not is_text(runs, "runstatus"):
        return
    best = _best(table, measure, description.cutoff)
    final, ok = values(runs, column), equal(runs, "runstatus", "ok")
    found = np.array([best.get(run, np.nan) for run in _runs(runs)])
    with np.errstate(invalid="ignore"):
        differs = ok & ~np.isclose(found, final, rtol=_EXACT, atol=0)
    differs &= np.isfinite(found) & np.isfinite(final)
    yield from _differing(
        "trajectory-disagrees",
        runs,
        differs,
        f"{name} is not the best point of their trajectories in {table.file}",
    )
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
        what = f"{plural(at.size, 'ok run')}: {what}: {listed}"
        line = line_of_first(runs, at)
        yield new_finding(code, file=runs.file, line=line, what=what)
