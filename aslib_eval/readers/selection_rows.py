"""Predictions in rows of instance, algorithm and value → the algorithm chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aslib_eval.readers.selection import Answer
from aslib_eval.readers.selection_header import Page


def named_in(answers: Iterable[Answer]) -> dict[str, int]:
    """The algorithms that have a row, with the first line of each."""
    found: dict[str, int] = {}
    for answer in answers:
        for step in answer.steps:
            found.setdefault(step.name, answer.line)
    return found


def lowest(page: Page, answers: Iterable[Answer]) -> Iterator[Answer]:
    """An answer for each instance: the lowest value; of equals the first by name.

    It has the line of the first row of its instance. That an algorithm has two rows
    for one instance is noted.
    """
    groups: dict[tuple[object, ...], list[Answer]] = {}
    for answer in answers:
        # Who said it, on which fold and of what: all but the line and the prediction.
        key = (answer.instance, *answer[answer._fields.index("selector") :])
        groups.setdefault(key, []).append(answer)
    for rows in groups.values():
        _refuse_twice(page, rows)
        known = [
            (value, row.steps[0].name, row.steps)
            for row in rows
            if row.steps and (value := page.values[row.line]) is not None
        ]
        yield rows[0]._replace(steps=min(known)[2] if known else ())


def _refuse_twice(page: Page, rows: Iterable[Answer]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        for step in row.steps:
            if step.name in seen:
                what = f"{row.instance!r} has a prediction of {step.name!r}"
                page.wrong("row", row.line, f"{what} on line {seen[step.name]} already")
            seen.setdefault(step.name, row.line)
