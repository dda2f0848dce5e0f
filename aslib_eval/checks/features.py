"""Feature values: declared ones, and values that say little or too much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.checks.columns import (
    PARTS,
    Flags,
    Floats,
    codes,
    data_columns,
    dense,
    is_number,
    values,
)
from aslib_eval.checks.remarks import count, line_of_first, names, remark
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import Scenario

_RESERVED = -512.0
_ONE = -1.0


@dataclass(frozen=True)
class Matrix:
    """Numeric features: ``cells`` (features, rows), NaN where missing."""

    table: ArffTable
    features: tuple[str, ...]
    cells: Floats
    missing: Flags

    def columns(self, code: str, where: Flags, what: str, hint: str = "") -> Finding:
        """A finding on the features (features,) at the first one's declaration."""
        listed = [self.features[at] for at in np.flatnonzero(where)]
        line = self.table.line_of(listed[0])
        what = f"{count(len(listed), 'feature')} {what}: {names(listed)}"
        return remark(code, file=self.table.file, line=line, what=what, hint=hint)

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
                yield from _absent(matrix)
                if not part:
                    yield from _leaks(scenario, matrix)
    table = scenario.tables.get("algorithm_feature_values")
    if table is not None and table.table.num_rows:
        yield from _text(table, "algorithm_feature_values")
        yield from _values(_matrix(table, "algorithm_feature_values"))


def _matrix(table: ArffTable, name: str) -> Matrix:
    features = [c for c in data_columns(table, name) if is_number(table, c)]
    cells = np.empty((len(features), table.table.num_rows))
    for at, feature in enumerate(features):
        cells[at] = values(table, feature)
    return Matrix(table, tuple(features), cells, np.isnan(cells))


def _text(table: ArffTable, name: str) -> Iterator[Finding]:
    listed = [c for c in data_columns(table, name) if not is_number(table, c)]
    if listed:
        what = f"{count(len(listed), 'feature')} not NUMERIC: {names(listed)}"
        line = table.line_of(listed[0])
        yield remark("feature-text", file=table.file, line=line, what=what)


def _values(matrix: Matrix) -> Iterator[Finding]:
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


def _not_a_number(matrix: Matrix) -> Iterator[Finding]:
    """Cells that say NaN; those that say '?' are null in the table."""
    held = matrix.table.table
    nulls = sum(held[feature].null_count for feature in matrix.features)
    literal = int(matrix.missing.sum()) - nulls
    if literal:
        rows = np.zeros(held.num_rows, bool)
        for at, feature in enumerate(matrix.features):
            if matrix.missing[at].any():
                rows |= matrix.missing[at] & ~held[feature].is_null().to_numpy()
        what = f"{count(literal, 'cell')} NaN"
        hint = "They count as missing; the format writes '?'."
        line = matrix.line(rows)
        file = matrix.table.file
        yield remark("feature-nan", file=file, line=line, what=what, hint=hint)


def _sentinels(matrix: Matrix, low: Floats) -> Iterator[Finding]:
    """-512 where it is a feature's smallest value, or -1 as the only negative one.

    SATzilla's feature extractor writes -512 for what it has not computed. A scenario
    that does so for one feature does so for all: the cells of all are counted.
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


def _sentinel(matrix: Matrix, code: float, found: Flags) -> Finding:
    where = np.flatnonzero(found.any(axis=1)).tolist()
    what = f"{found.sum()} cells {code:g} in {count(len(where), 'feature')}: "
    what += names([matrix.features[at] for at in where])
    hint = "If they mean 'not computed', treat them as missing."
    rows = np.any(found, axis=0)
    line, file = matrix.line(rows), matrix.table.file
    return remark("feature-sentinel", file=file, line=line, what=what, hint=hint)


def _absent(matrix: Matrix) -> Iterator[Finding]:
    rows = np.all(matrix.missing, axis=0)
    if rows.any():
        what = f"{count(int(rows.sum()), 'row')} without any feature value"
        hint = "The instances stay in every score; a selector must cope."
        line, file = matrix.line(rows), matrix.table.file
        code = "instance-without-features"
        yield remark(code, file=file, line=line, what=what, hint=hint)


def _leaks(scenario: Scenario, matrix: Matrix) -> Iterator[Finding]:
    """Instances whose whole feature vector an instance of another fold has too."""
    cv = scenario.tables.get("cv")
    if cv is None or not cv.table.num_rows:
        return
    code, held = codes(matrix.table, "instance_id")
    rows, group = _alike(matrix)
    fold = _folds(cv, held)[code[rows]]
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
        yield remark("feature-leak", file=file, line=line, what=what, hint=hint)


def _folds(cv: ArffTable, instances: object) -> NDArray[np.int64]:
    """Fold (as a code) of each instance in the first repetition, -1 if in none."""
    first = cv.table["repetition"].to_numpy() == cv.table["repetition"][0].as_py()
    code, held = codes(cv, "instance_id")
    fold = np.full(len(held) + 1, -1, np.int64)
    fold[code[first]] = dense(cv.table["fold"].to_numpy())[0][first]
    found: NDArray[np.int64] = fold[
        pc.fill_null(pc.index_in(instances, value_set=held), -1).to_numpy()
    ]
    return found


def _alike(matrix: Matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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
