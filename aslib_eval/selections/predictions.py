"""Rows of a selection file as parsed, before a scenario gives the names a meaning.

Four formats: an OASC schedule (JSON, instance → steps), a choice (CSV: instance and algorithm), predictions
(CSV: instance and a column per algorithm, or a row for each instance and algorithm with a value), and
outcomes of runs elsewhere (CSV: instance, time, status). They are distinguished by content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from aslib_eval.errors import Finding

PREDICTION_ROWS = "prediction-rows"  # the format of predictions in rows


class SelectionStep(NamedTuple):
    """A step of a schedule; ``paired`` if it came as [name, budget]."""

    name: str
    budget: float | None = None
    paired: bool = False


class Outcome(NamedTuple):
    """What became of an instance; ``time`` and ``objective`` are None if not given."""

    time: float | None
    runstatus: str
    objective: float | None


class SelectionRow(NamedTuple):
    """The selection for one instance, and its line.

    training_time: of the selector, for the instance's fold; choosing_time: for the instance; None if not
    given [s].
    """

    line: int
    instance: str
    steps: tuple[SelectionStep, ...] = ()
    outcome: Outcome | None = None
    training_time: float | None = None
    choosing_time: float | None = None
    selector: str | None = None
    cv_scheme: str | None = None
    cv_repetition: int | None = None
    fold: int | None = None


@dataclass(frozen=True)
class ParsedSelection:
    """The rows of a selection file, in its order.

    ``algorithms`` are those that have predictions, with the line that names them first. times: of a
    schedule file, of training it by fold and of choosing by instance; under None what stands for all of
    them [s].
    Where ``findings`` holds an error, ``rows`` are what could be read besides: to
    be checked, not to be used.
    """

    file: str
    format: str
    rows: tuple[SelectionRow, ...]
    algorithms: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    times: Mapping[str, Mapping[str | None, float]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether every row of the file could be read."""
        return all(found.severity != "error" for found in self.findings)


def problem(code: str, file: str, line: int | None, what: str, hint: str = "") -> Finding:
    """What keeps a file from being read."""
    return Finding(code, "error", file, line, what, hint)
