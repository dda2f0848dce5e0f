"""Answers of selectors as rows of the relation ``selection``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from aslib_eval.lake import RELATIONS
from aslib_eval.selectors.journal import Answered


def selection_table(
    cv_scheme: str, answers: Mapping[tuple[int, int], Answered]
) -> pa.Table:
    """The rows of (cv_repetition, fold) → instance → schedule, without the selector."""
    whole = RELATIONS["selection"].schema
    schema = whole.remove(whole.get_field_index("selector"))
    rows = [
        dict(zip(schema.names, (cv_scheme, *row), strict=True))
        for row in _rows(answers)
    ]
    return pa.Table.from_pylist(rows, schema)


def _rows(
    answers: Mapping[tuple[int, int], Answered],
) -> Iterator[tuple[Any, ...]]:
    for (repetition, fold), answered in answers.items():
        for instance, actions in answered.items():
            for position, action in enumerate(actions, start=1):
                yield repetition, fold, instance, position, *action
