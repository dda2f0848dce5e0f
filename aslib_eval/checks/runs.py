"""The runs: a complete matrix of instances and algorithms with a status everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

import numpy as np

from aslib_eval.checks.columns import (
    PARTS,
    Ints,
    Key,
    codes,
    distinct,
    equal,
    is_number,
    is_text,
    key,
    words,
)
from aslib_eval.checks.remarks import (
    LIMIT,
    count,
    line_of_first,
    names,
    remark,
    row_remarks,
)
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.aslib_relations import measure_columns
from aslib_eval.readers.description import Description

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
            yield remark("runs-empty", file=table.file, what="the file holds no run")


def _measures(table: ArffTable, description: Description) -> Iterator[Finding]:
    found = measure_columns(table.table, description)
    others = {"instance_id", "repetition", "algorithm", "runstatus", *found}
    extra = [name for name in table.table.column_names if name not in others]
    for measure in description.measures:
        if measure.name not in found.values():
            what = f"measure {measure.name!r} has no column; there is {names(extra)}"
            hint = "Name the column as performance_measures in description.txt does."
            yield remark("measure-missing", file=table.file, what=what, hint=hint)
    for column, measure_name in found.items():
        line = table.line_of(column)
        if column != measure_name:
            what = f"column {column!r} is taken as measure {measure_name!r}"
            code = "measure-by-position"
            yield remark(code, file=table.file, line=line, what=what)
        if not is_number(table, column):
            what = f"measure {column!r} is not NUMERIC"
            yield remark("column-type", file=table.file, line=line, what=what)
    if extra:
        what = f"not declared as a measure and not read: {names(extra)}"
        line = table.line_of(extra[0])
        yield remark("measure-undeclared", file=table.file, line=line, what=what)


def _status(table: ArffTable) -> Iterator[Finding]:
    if not is_text(table, "runstatus"):
        held = "is not text" if "runstatus" in table.table.column_names else "missing"
        hint = "Declare '@ATTRIBUTE runstatus {ok, timeout, memout, crash, other}'."
        line = table.line_of("runstatus")
        what = f"column 'runstatus' {held}"
        yield remark("status-column", file=table.file, line=line, what=what, hint=hint)
        return
    code, _ = codes(table, "runstatus")
    yield from row_remarks(
        "status-missing",
        table,
        np.flatnonzero(code < 0),
        what=lambda _: "the run has no status",
        hint="Without one nobody knows whether the run succeeded.",
    )
    yield from unknown_words(table, "runstatus", STATUSES)


def unknown_words(table: ArffTable, column: str, known: set[str]) -> Iterator[Finding]:
    """Statuses that the format does not know, or that only look like one it does."""
    code, listed = codes(table, column)
    strange = {n: w for n, w in enumerate(listed.to_pylist()) if w not in known}
    alike = {n for n, word in strange.items() if word.strip().lower() in known}
    for fault, at, hint in (
        ("status-spelling", alike, "Write it as the format does."),
        ("status-unknown", {*strange} - alike, "It counts as not ok."),
    ):
        rows = np.flatnonzero(np.isin(code, list(at))) if at else np.empty(0, int)
        if rows.size:
            said = names([strange[n] for n in sorted(at)])
            what = f"{count(rows.size, 'row')} of column {column!r} with status {said}"
            line = line_of_first(table, rows)
            yield remark(fault, file=table.file, line=line, what=what, hint=hint)


def _matrix(table: ArffTable) -> Iterator[Finding]:
    """Runs that are missing, wholly or in some repetition, and mixed statuses."""
    runs = key(table, ("repetition", "instance_id", "algorithm"))
    repetitions = len(runs.labels[0])
    cells = runs.size // repetitions
    held = distinct(runs.numbers)
    if held.size < runs.size:
        cell, repeats = np.unique(held % cells, return_counts=True)
        yield from _missing(table, runs, cell, cells)
        yield from _misspelt(table, runs)
        # A deterministic algorithm may have run once and another ten times.
        own = np.zeros(len(runs.labels[2]), repeats.dtype)
        np.maximum.at(own, cell % own.size, repeats)
        few = cell[repeats < own[cell % own.size]]
        if few.size:
            said = "; ".join(_label(runs, n) for n in few[:LIMIT].tolist())
            more = f" and {few.size - LIMIT} more" if few.size > LIMIT else ""
            what = (
                f"{few.size} of the runs lack some of their algorithm's repetitions: "
            )
            hint = "A mean over repetitions would not compare like with like."
            what += said + more
            yield remark("run-unbalanced", file=table.file, what=what, hint=hint)
    if repetitions > 1 and is_text(table, "runstatus"):
        yield from _mixed(table, runs, cells)


def _missing(table: ArffTable, runs: Key, cell: Ints, cells: int) -> Iterator[Finding]:
    missing = cells - cell.size
    if missing:
        first = np.setdiff1d(np.arange(min(cells, cell.size + LIMIT)), cell)[:LIMIT]
        said = "; ".join(_label(runs, number) for number in first.tolist())
        more = f" and {missing - LIMIT} more" if missing > LIMIT else ""
        what = f"{count(missing, 'run')} missing: {said}{more}"
        hint = "Add them, with their status if they failed."
        yield remark("run-missing", file=table.file, what=what, hint=hint)


def _misspelt(table: ArffTable, runs: Key) -> Iterator[Finding]:
    """Names with few runs, where a name spelt much alike lacks exactly these."""
    if runs.size > _LARGEST:
        return
    there = np.zeros(runs.size, bool)
    there[runs.numbers] = True
    cube = there.reshape([len(held) for held in runs.labels])
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
                yield remark(
                    "run-missing",
                    file=table.file,
                    line=line_of_first(
                        table, np.flatnonzero(equal(table, column, word))
                    ),
                    what=f"{column.removesuffix('_id')} {word!r} has"
                    f" {count(int(number[one]), 'run')}, which {near!r} lacks",
                    hint=f"Did you mean {near!r}?",
                )


def _label(runs: Key, cell: int) -> str:
    """Instance and algorithm of a run, without its repetition."""
    return Key(runs.columns[1:], runs.labels[1:], runs.numbers).label(cell)


def _mixed(table: ArffTable, runs: Key, cells: int) -> Iterator[Finding]:
    if cells > 4 * runs.numbers.size:
        return
    cell = runs.numbers % cells
    ok = np.bincount(cell, weights=equal(table, "runstatus", "ok"), minlength=cells)
    mixed = (ok > 0) & (ok < np.bincount(cell, minlength=cells))
    if mixed.any():
        rows = np.flatnonzero(mixed[cell])
        what = f"{mixed.sum()} of {cells} runs are ok in some repetitions only"
        hint = "Say how repetitions are summarised: see the protocols."
        line = line_of_first(table, rows)
        yield remark("status-mixed", file=table.file, line=line, what=what, hint=hint)
