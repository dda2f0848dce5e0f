"""Feature steps: costs and statuses against the declared steps and cutoffs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aslib_eval.checks.columns import (
    PARTS,
    Floats,
    codes,
    data_columns,
    distinct,
    is_number,
    is_text,
    key,
    values,
)
from aslib_eval.checks.remarks import (
    count,
    line_of_first,
    names,
    remark,
    row_remarks,
)
from aslib_eval.checks.runs import FEATURE_STATUSES, unknown_words
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.description import Description, Step


def check_steps(scenario: Scenario) -> Iterator[Finding]:
    """Files of feature costs and statuses, of instances, tests and algorithms."""
    description = scenario.description
    for prefix, part in (*(("", part) for part in PARTS), ("algorithm_", "")):
        for kind in ("costs", "runstatus"):
            name = f"{prefix}feature_{kind}{part}"
            table = scenario.tables.get(name)
            if table is None:
                continue
            columns = data_columns(table, name)
            if description is not None:
                steps = description.algorithm_steps if prefix else description.steps
                yield from _columns(table, columns, steps)
            if kind == "costs":
                yield from _costs(table, columns, None if prefix else description)
            else:
                yield from _statuses(table, columns)
    for part in PARTS:
        for kind in ("values", "costs", "runstatus"):
            table = scenario.tables.get(f"feature_{kind}{part}")
            if table is not None:
                yield from _repetitions(table)


def _columns(
    table: ArffTable, columns: list[str], steps: tuple[Step, ...]
) -> Iterator[Finding]:
    declared = [step.name for step in steps]
    strange = [name for name in columns if name not in declared]
    absent = [name for name in declared if name not in columns]
    if strange:
        what = f"{count(len(strange), 'column')} not among the steps of "
        what += f"description.txt: {names(strange)}"
        line = table.line_of(strange[0])
        yield remark("step-undeclared", file=table.file, line=line, what=what)
    if absent:
        what = f"{count(len(absent), 'step')} without a column: {names(absent)}"
        yield remark("step-no-column", file=table.file, what=what)


def _costs(
    table: ArffTable, columns: list[str], description: Description | None
) -> Iterator[Finding]:
    for name in columns:
        if not is_number(table, name):
            what = f"costs of step {name!r} are not NUMERIC"
            line = table.line_of(name)
            yield remark("column-type", file=table.file, line=line, what=what)
    steps = [name for name in columns if is_number(table, name)]
    if not steps or not table.table.num_rows:
        return
    cost = np.stack([values(table, name) for name in steps])
    invalid = ((cost < 0) | np.isinf(cost)).any(axis=0)
    yield from row_remarks(
        "cost-invalid",
        table,
        np.flatnonzero(invalid),
        what=lambda row: f"costs of {_negative(steps, cost[:, row])}",
        hint="A cost is a time of at least 0, or '?' if it is unknown.",
    )
    yield from _unknown(table, cost)
    if description is not None:
        yield from _above(table, cost, description)


def _unknown(table: ArffTable, cost: Floats) -> Iterator[Finding]:
    missing = np.isnan(cost)
    if missing.any():
        what = f"{count(int(missing.sum()), 'cost')} missing"
        line = line_of_first(table, np.flatnonzero(missing.any(axis=0)))
        hint = "They count as 0."
        yield remark("cost-missing", file=table.file, line=line, what=what, hint=hint)


def _negative(steps: list[str], cost: Floats) -> str:
    listed = zip(steps, cost.tolist(), strict=True)
    return ", ".join(f"{n!r} are {c:g}" for n, c in listed if c < 0 or np.isinf(c))


def _above(
    table: ArffTable, cost: Floats, description: Description
) -> Iterator[Finding]:
    said = []
    first = np.zeros(cost.shape[1], bool)
    for name in ("algorithm_cutoff_time", "features_cutoff_time"):
        cutoff = description.numbers.get(name)
        if cutoff is not None and cutoff > 0 and (above := cost > cutoff).any():
            first |= above.any(axis=0)
            said.append(f"{above.sum()} above {name} {cutoff:g}")
    if said:
        what = f"costs {' and '.join(said)}, the largest {np.nanmax(cost):g}"
        hint = "Charged to a selector, they leave no time to solve anything."
        line = line_of_first(table, np.flatnonzero(first))
        code = "cost-above-cutoff"
        yield remark(code, file=table.file, line=line, what=what, hint=hint)


def _statuses(table: ArffTable, columns: list[str]) -> Iterator[Finding]:
    missing = np.zeros(table.table.num_rows, bool)
    for name in columns:
        if is_text(table, name):
            missing |= codes(table, name)[0] < 0
            yield from unknown_words(table, name, FEATURE_STATUSES)
        else:
            what = f"statuses of step {name!r} are not text"
            line = table.line_of(name)
            yield remark("status-column", file=table.file, line=line, what=what)
    if missing.any():
        what = f"{count(int(missing.sum()), 'row')} with a missing status"
        line = line_of_first(table, np.flatnonzero(missing))
        code = "feature-status-missing"
        yield remark(code, file=table.file, line=line, what=what)


def _repetitions(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("instance_id", "repetition"))
    repetitions = len(numbered.labels[1])
    few = numbered.size - distinct(numbered.numbers).size
    if few:
        what = f"{few} of {numbered.size} rows absent: not every instance has all "
        what += f"{repetitions} repetitions"
        hint = "Summarise each instance before instances are compared."
        code = "feature-repetitions"
        yield remark(code, file=table.file, what=what, hint=hint)
