"""The cross-validation: every instance once in every repetition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aslib_eval.checks.columns import dense, distinct, key, values
from aslib_eval.checks.remarks import LIMIT, count, names, remark
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import Scenario


def check_folds(scenario: Scenario) -> Iterator[Finding]:
    """Coverage, number of folds, and repetitions that repeat nothing new.

    Instances that are not in cv.arff at all, or twice in a repetition, are found
    with the instances of all other files.
    """
    table = scenario.tables.get("cv")
    if table is None or not table.table.num_rows:
        return
    yield from _coverage(table)
    yield from _single(table)
    yield from _copies(table)


def _coverage(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("repetition", "instance_id"))
    held = distinct(numbered.numbers)
    missing = numbered.size - held.size
    if missing:
        first = np.arange(min(numbered.size, held.size + LIMIT))
        absent = np.setdiff1d(first, held)[:LIMIT].tolist()
        said = "; ".join(numbered.label(number) for number in absent)
        more = f" and {missing - LIMIT} more" if missing > LIMIT else ""
        yield remark(
            "cv-incomplete",
            file=table.file,
            what=f"{count(missing, 'instance')} without a fold: {said}{more}",
            hint="Every instance belongs to one fold of each repetition.",
        )


def _single(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("repetition", "fold"))
    width = len(numbered.labels[1])
    repetitions = distinct(numbered.numbers) // width
    alone = np.flatnonzero(np.bincount(repetitions) == 1)
    if alone.size:
        listed = [int(numbered.labels[0][at]) for at in alone[:LIMIT].tolist()]
        yield remark(
            "cv-one-fold",
            file=table.file,
            what=f"a single fold in repetition {names(listed, alone.size)}",
            hint="There is nothing to train on outside the fold.",
        )


def _copies(table: ArffTable) -> Iterator[Finding]:
    """Repetitions with exactly the folds of an earlier one."""
    numbered = key(table, ("repetition", "instance_id"))
    repetitions, size = (len(held) for held in numbered.labels)
    if repetitions < 2 or numbered.size > 4 * table.table.num_rows:  # noqa: PLR2004
        return
    folds = np.full(numbered.size, -1, np.int64)
    folds[numbered.numbers] = dense(values(table, "fold"))[0]
    splits = folds.reshape(repetitions, size)
    different = len({split.tobytes() for split in splits})
    if different < repetitions:
        yield remark(
            "cv-identical",
            file=table.file,
            what=f"{repetitions} repetitions hold only {different} different "
            f"{'split' if different == 1 else 'splits'}",
            hint="Copies are no independent repetitions: count each split once.",
        )
