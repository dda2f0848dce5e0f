"""Feature values: declared, and neither uninformative nor leaking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.arff import ArffTable
from aslib_eval.formats.aslib.description import Description, FeatureStep
from aslib_eval.formats.aslib.lint.reporting import (
    PARTS,
    Flags,
    Floats,
    codes,
    data_columns,
    dense,
    distinct,
    is_number,
    is_text,
    key,
    line_of_first,
    new_finding,
    row_findings,
    values,
)
from aslib_eval.formats.aslib.lint.runs import FEATURE_STATUSES, unknown_words
from aslib_eval.formats.aslib.scenario import Scenario
from aslib_eval.text import list_names, plural

_RESERVED = -512.0
_ONE = -1.0


@dataclass(frozen=True)
class NumericFeatures:
    """Numeric features: ``cells`` (features, rows), NaN where missing."""

    table: ArffTable
    features: tuple[str, ...]
    cells: Floats
    missing: Flags

    def columns(self, code: str, where: Flags, what: str, hint: str = "") -> Finding:
        """A finding on the features (features,) at the first one's declaration."""
        listed = [self.features[at] for at in np.flatnonzero(where)]
        line = self.table.line_of(listed[0])
        what = f"{plural(len(listed), 'feature')} {what}: {list_names(listed)}"
        return new_finding(code, file=self.table.file, line=line, what=what, hint=hint)

    def line(self, rows: NDArray[np.bool_]) -> int | None:
        """Line of the first of the rows (rows,)."""
        return line_of_first(self.table, np.flatnonzero(rows))


def check_features(scenario: Scenario) -> Iterator[Finding]:
    """Values of instance features, of the test set's, and of algorithm features."""
    for part in PARTS:
        table = scenario.tables.get(f"feature_values{part}")
        if table is not None and table.table.num_rows:
            matrix = _matrix(table, f"feature_values{part}")
            yield from _text(table, f"feature_values{part}")
            yield from _values(matrix)
            if matrix.features:
                yield from _absent(matrix, scenario.tables.get(f"feature_runstatus{part}"))
                if not part:
                    yield from _leaks(scenario, matrix)
    table = scenario.tables.get("algorithm_feature_values")
    if table is not None and table.table.num_rows:
        yield from _text(table, "algorithm_feature_values")
        yield from _values(_matrix(table, "algorithm_feature_values"))


def _matrix(table: ArffTable, name: str) -> NumericFeatures:
    features = [c for c in data_columns(table, name) if is_number(table, c)]
    cells = np.empty((len(features), table.table.num_rows))
    for at, feature in enumerate(features):
        cells[at] = values(table, feature)
    return NumericFeatures(table, tuple(features), cells, np.isnan(cells))


def _text(table: ArffTable, name: str) -> Iterator[Finding]:
    listed = [c for c in data_columns(table, name) if not is_number(table, c)]
    if listed:
        what = f"{plural(len(listed), 'feature')} not NUMERIC: {list_names(listed)}"
        line = table.line_of(listed[0])
        yield new_finding("feature-text", file=table.file, line=line, what=what)


def _values(matrix: NumericFeatures) -> Iterator[Finding]:
    if not matrix.features:
        return
    yield from _not_a_number(matrix)
    low = np.fmin.reduce(matrix.cells, axis=1)
    high = np.fmax.reduce(matrix.cells, axis=1)
    empty = np.isnan(low)
    if empty.any():
        yield matrix.columns("feature-empty", empty, "without any value")
    if matrix.cells.shape[1] > 1 and (low == high).any():
        yield matrix.columns("feature-constant", low == high, "constant")
    infinite = np.isinf(low) | np.isinf(high)
    if infinite.any():
        hint = "Few learners accept them."
        yield matrix.columns("feature-infinite", infinite, "with infinity", hint)
    yield from _sentinels(matrix, low)


def _not_a_number(matrix: NumericFeatures) -> Iterator[Finding]:
    """Cells that are NaN; those that are '?' are null in the table."""
    present = matrix.table.table
    nulls = sum(present[feature].null_count for feature in matrix.features)
    literal = int(matrix.missing.sum()) - nulls
    if literal:
        rows = np.zeros(present.num_rows, bool)
        for at, feature in enumerate(matrix.features):
            if matrix.missing[at].any():
                rows |= matrix.missing[at] & ~present[feature].is_null().to_numpy()
        what = f"{plural(literal, 'cell')} NaN"
        hint = "They count as missing; the format writes '?'."
        line = matrix.line(rows)
        file = matrix.table.file
        yield new_finding("feature-nan", file=file, line=line, what=what, hint=hint)


def _sentinels(matrix: NumericFeatures, low: Floats) -> Iterator[Finding]:
    """-512 where it is a feature's smallest value, or -1 as the only negative one.

    SATzilla's feature extractor writes -512 for what it has not computed. A scenario that does so for one
    feature does so for all: the cells of all are counted.
    """
    if (low == _RESERVED).any():
        found = matrix.cells == _RESERVED
        yield _sentinel(matrix, _RESERVED, found)
    ones = np.flatnonzero(low == _ONE)
    cells = matrix.cells[ones]
    alone = ones[~((cells < 0) & (cells != _ONE)).any(axis=1)]
    if alone.size:
        found = np.zeros_like(matrix.missing)
        found[alone] = matrix.cells[alone] == _ONE
        yield _sentinel(matrix, _ONE, found)


def _sentinel(matrix: NumericFeatures, code: float, found: Flags) -> Finding:
    where = np.flatnonzero(found.any(axis=1)).tolist()
    what = f"{found.sum()} cells {code:g} in {plural(len(where), 'feature')}: "
    what += list_names([matrix.features[at] for at in where])
    hint = "If they mean 'not computed', treat them as missing."
    rows = np.any(found, axis=0)
    line, file = matrix.line(rows), matrix.table.file
    return new_finding("feature-sentinel", file=file, line=line, what=what, hint=hint)


def _absent(matrix: NumericFeatures, statuses: ArffTable | None) -> Iterator[Finding]:
    """Rows without a feature, and the statuses of their instances."""
    rows = np.all(matrix.missing, axis=0)
    if rows.any():
        what = f"{plural(int(rows.sum()), 'row')} without any feature value"
        if statuses is not None and is_text(statuses, "instance_id"):
            lacking = matrix.table.table["instance_id"].filter(pa.array(rows))
            lacking = lacking.unique().cast(pa.string())
            there = pc.is_in(statuses.table["instance_id"].cast(pa.string()), lacking)
            steps = data_columns(statuses, "feature_runstatus")
            cells = statuses.table.select(steps).filter(there).to_pydict().values()
            words = Counter(word for column in cells for word in column if word)
            told = ", ".join(f"{word} {n}" for word, n in words.most_common())
            what += f"; the statuses of their steps are {told}" if told else ""
        hint = "The instances stay in every score; a selector must cope."
        line, file = matrix.line(rows), matrix.table.file
        code = "instance-without-features"
        yield new_finding(code, file=file, line=line, what=what, hint=hint)


def _leaks(scenario: Scenario, matrix: NumericFeatures) -> Iterator[Finding]:
    """Instances whose whole feature vector an instance of another fold has too."""
    cv = scenario.tables.get("cv")
    if cv is None or not cv.table.num_rows:
        return
    code, present = codes(matrix.table, "instance_id")
    rows, group = _alike(matrix)
    fold = _folds(cv, present)[code[rows]]
    rows, group, fold = (each[fold >= 0] for each in (rows, group, fold))
    low = np.full(group.max(initial=0) + 1, np.iinfo(np.int64).max)
    high = np.full(low.size, -1)
    np.minimum.at(low, group, fold)
    np.maximum.at(high, group, fold)
    leaking = low[group] < high[group]
    if leaking.any():
        instances = np.unique(code[rows[leaking]]).size
        what = f"{instances} instances have exactly the {len(matrix.features)} "
        what += "feature values of an instance in another fold"
        hint = "A selector may recognise them: keep such instances in one fold."
        line = line_of_first(matrix.table, np.sort(rows[leaking]))
        file = matrix.table.file
        yield new_finding("feature-leak", file=file, line=line, what=what, hint=hint)


def _folds(cv: ArffTable, instances: object) -> NDArray[np.int64]:
    """Fold (as a code) of each instance in the first repetition, -1 if in none."""
    first = cv.table["repetition"].to_numpy() == cv.table["repetition"][0].as_py()
    code, present = codes(cv, "instance_id")
    fold = np.full(len(present) + 1, -1, np.int64)
    fold[code[first]] = dense(cv.table["fold"].to_numpy())[0][first]
    found: NDArray[np.int64] = fold[pc.fill_null(pc.index_in(instances, value_set=present), -1).to_numpy()]
    return found


def _alike(matrix: NumericFeatures) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows with at least one value that may have a twin, and their groups (rows,).

    Sums of features, added in the same order, are equal in equal rows: only rows
    whose sum occurs twice are compared cell by cell.
    """
    some = np.flatnonzero(~matrix.missing.all(axis=0))
    with np.errstate(all="ignore"):
        sums = np.where(matrix.missing, 0.0, matrix.cells).sum(axis=0)[some]
    _, group, size = np.unique(sums, return_inverse=True, return_counts=True)
    rows = some[size[group] > 1]
    cells = np.ascontiguousarray(matrix.cells[:, rows].T) + 0.0
    cells[np.isnan(cells)] = np.nan
    seen: dict[bytes, int] = {}
    groups = [seen.setdefault(row.tobytes(), len(seen)) for row in cells]
    return rows, np.array(groups, np.int64)


# Feature steps: costs and statuses against the declared steps and cutoffs.


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


def _columns(table: ArffTable, columns: list[str], steps: tuple[FeatureStep, ...]) -> Iterator[Finding]:
    declared = [step.name for step in steps]
    strange = [name for name in columns if name not in declared]
    absent = [name for name in declared if name not in columns]
    if strange:
        what = f"{plural(len(strange), 'column')} not among the steps of "
        what += f"description.txt: {list_names(strange)}"
        line = table.line_of(strange[0])
        yield new_finding("step-undeclared", file=table.file, line=line, what=what)
    if absent:
        what = f"{plural(len(absent), 'step')} without a column: {list_names(absent)}"
        yield new_finding("step-no-column", file=table.file, what=what)


def _costs(table: ArffTable, columns: list[str], description: Description | None) -> Iterator[Finding]:
    for name in columns:
        if not is_number(table, name):
            what = f"costs of step {name!r} are not NUMERIC"
            line = table.line_of(name)
            yield new_finding("column-type", file=table.file, line=line, what=what)
    steps = [name for name in columns if is_number(table, name)]
    if not steps or not table.table.num_rows:
        return
    cost = np.stack([values(table, name) for name in steps])
    invalid = ((cost < 0) | np.isinf(cost)).any(axis=0)
    yield from row_findings(
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
        what = f"{plural(int(missing.sum()), 'cost')} missing"
        line = line_of_first(table, np.flatnonzero(missing.any(axis=0)))
        hint = "They count as 0."
        yield new_finding("cost-missing", file=table.file, line=line, what=what, hint=hint)


def _negative(steps: list[str], cost: Floats) -> str:
    listed = zip(steps, cost.tolist(), strict=True)
    return ", ".join(f"{n!r} are {c:g}" for n, c in listed if c < 0 or np.isinf(c))


def _above(table: ArffTable, cost: Floats, description: Description) -> Iterator[Finding]:
    above_limits = []
    first = np.zeros(cost.shape[1], bool)
    for name in ("algorithm_cutoff_time", "features_cutoff_time"):
        cutoff = description.numbers.get(name)
        if cutoff is not None and cutoff > 0 and (above := cost > cutoff).any():
            first |= above.any(axis=0)
            above_limits.append(f"{above.sum()} above {name} {cutoff:g}")
    if above_limits:
        what = f"costs {' and '.join(above_limits)}, the largest {np.nanmax(cost):g}"
        hint = "Charged to a selector, they leave no time to solve anything."
        line = line_of_first(table, np.flatnonzero(first))
        code = "cost-above-cutoff"
        yield new_finding(code, file=table.file, line=line, what=what, hint=hint)


def _statuses(table: ArffTable, columns: list[str]) -> Iterator[Finding]:
    missing = np.zeros(table.table.num_rows, bool)
    for name in columns:
        if is_text(table, name):
            missing |= codes(table, name)[0] < 0
            yield from unknown_words(table, name, FEATURE_STATUSES)
        else:
            what = f"statuses of step {name!r} are not text"
            line = table.line_of(name)
            yield new_finding("status-column", file=table.file, line=line, what=what)
    if missing.any():
        what = f"{plural(int(missing.sum()), 'row')} with a missing status"
        line = line_of_first(table, np.flatnonzero(missing))
        code = "feature-status-missing"
        yield new_finding(code, file=table.file, line=line, what=what)


def _repetitions(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("instance_id", "repetition"))
    repetitions = len(numbered.labels[1])
    few = numbered.size - distinct(numbered.numbers).size
    if few:
        what = f"{few} of {numbered.size} rows absent: not every instance has all "
        what += f"{repetitions} repetitions"
        hint = "Summarise each instance before instances are compared."
        code = "feature-repetitions"
        yield new_finding(code, file=table.file, what=what, hint=hint)
