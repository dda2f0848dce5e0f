"""Evaluations of an experiment of optimisers, and the plain table that holds them.

Every method makes the same number of trials on every problem, every trial the same number of steps, and
every step the same number of suggestions: whoever did less is an error, as its scores would be of something
else.

The table has the columns problem, method, trial, iteration and value. Further columns: ``suggestion``
(position within a batch; without it every batch is of one), ``visible`` (what the optimiser itself saw, if
that is not the value) and ``elapsed`` (time since the run began). Counters begin with 0 or 1. ``studies``
reads the files of Bayesmark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.csv_rows import CsvTable, Row

TABLE = "evaluations.csv"
DERIVED = "derived/eval.json"
BASELINE = "derived/baseline.json"
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_LIMIT = 20  # findings of one kind


@dataclass(frozen=True)
class EvaluationPlace:
    """Where an evaluation stood: a file, its line, or a place within it in words."""

    file: str
    line: int | None = None
    words: str = ""

    def error(self, code: str, what: str, hint: str = "") -> Finding:
        """An error at this place."""
        text = f"{self.words}: {what}" if self.words else what
        return Finding(code, "error", self.file, self.line, text, hint)


@dataclass(frozen=True, eq=False)
class Evaluations:
    """One entry an evaluation; counters as in the files until ``arranged``.

    values: measure → its value at every evaluation; an infinity means that it crashed. visible: what the
    optimiser itself saw; None = the same.
    elapsed: time since the run began; nan = unknown.
    times: what the whole run spent on suggesting, evaluating and observing.
    signatures: problem → (n_studies, n_points) values of the function at points that are the same in all
    studies; studies without one are left out.
    """

    problem: NDArray[np.str_]
    method: NDArray[np.str_]
    trial: Ints
    step: Ints
    suggestion: Ints
    values: Mapping[str, Floats]
    visible: Floats | None
    elapsed: Floats
    places: Sequence[EvaluationPlace]
    times: Mapping[str, Floats] = field(default_factory=dict)
    signatures: Mapping[str, Floats] = field(default_factory=dict)

    def take(self, order: Ints) -> Evaluations:
        """The same evaluations in another order."""
        return Evaluations(
            self.problem[order],
            self.method[order],
            self.trial[order],
            self.step[order],
            self.suggestion[order],
            {name: column[order] for name, column in self.values.items()},
            None if self.visible is None else self.visible[order],
            self.elapsed[order],
            [self.places[at] for at in order.tolist()],
            {name: column[order] for name, column in self.times.items()},
            self.signatures,
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """Evaluations in order: problem, method, trial, step, suggestion, all from 1.

    ``shape`` is (n_problems, n_methods, n_trials, n_steps, n_batch): a column of the evaluations can be
    reshaped to it.
    """

    evaluations: Evaluations
    problems: tuple[str, ...]
    methods: tuple[str, ...]
    shape: tuple[int, int, int, int, int]


def arranged(found: Evaluations) -> tuple[Grid | None, list[Finding]]:
    """The evaluations as a full grid; None and what is wrong if they are not one.

    Counters may begin with 0 or 1. Trials keep their numbers.
    """
    problems, p = np.unique(found.problem, return_inverse=True)
    methods, m = np.unique(found.method, return_inverse=True)
    step, suggestion = _from_one(found.step), _from_one(found.suggestion)
    order = np.lexsort([suggestion, step, found.trial, m, p])
    runs = np.stack([p, m, found.trial], axis=1)[order]
    counters = replace(found, step=step, suggestion=suggestion).take(order)
    wrong = list(_duplicates(counters, runs)) or [
        *_short_runs(counters, runs),
        *_missing_trials(counters, runs, problems, methods),
    ]
    if wrong:
        return None, wrong
    n_steps, batch = int(step.max()), int(suggestion.max())
    sizes = len(problems), len(methods)
    trials = len(order) // (sizes[0] * sizes[1] * n_steps * batch)
    shape = (*sizes, trials, n_steps, batch)
    return Grid(counters, tuple(problems), tuple(methods), shape), []


def _from_one(counter: Ints) -> Ints:
    return counter + 1 if counter.min(initial=1) == 0 else counter


def _duplicates(found: Evaluations, runs: Ints) -> Iterator[Finding]:
    keys = np.column_stack([runs, found.step, found.suggestion])
    again = np.flatnonzero((keys[1:] == keys[:-1]).all(axis=1)) + 1
    for at in again[:_LIMIT].tolist():
        first = found.places[at - 1]
        where = first.line if first.line is not None else first.file
        what = f"{_name(found, at)} is the same evaluation as at {where}"
        yield found.places[at].error("experiment-grid", what, "Remove one of them.")


def _short_runs(found: Evaluations, runs: Ints) -> Iterator[Finding]:
    """Trials that lack evaluations."""
    full = int(found.step.max()) * int(found.suggestion.max())
    starts, sizes = _groups(runs)
    short = np.flatnonzero(sizes != full)
    for run in short[:_LIMIT].tolist():
        at = int(starts[run])
        what = f"{_name(found, at)} has {sizes[run]} evaluations, others {full}"
        yield found.places[at].error("experiment-grid", what, "Complete it.")


def _missing_trials(
    found: Evaluations, runs: Ints, problems: NDArray[np.str_], methods: NDArray[np.str_]
) -> Iterator[Finding]:
    starts, _ = _groups(runs)
    counts = np.zeros((len(problems), len(methods)), dtype=np.int64)
    np.add.at(counts, tuple(runs[starts, :2].T), 1)
    most = int(counts.max())
    for p, m in np.argwhere(counts != most)[:_LIMIT].tolist():
        what = f"{methods[m]} has {counts[p, m]} trials on {problems[p]}, others {most}"
        mine = np.flatnonzero((runs[:, 0] == p) & (runs[:, 1] == m))
        here = found.places[int(mine[0])] if mine.size else found.places[0]
        place = here if mine.size else EvaluationPlace(here.file)
        yield place.error("experiment-grid", what, "Complete them.")


def _groups(runs: Ints) -> tuple[Ints, Ints]:
    """Where each run begins, and how many evaluations it has."""
    new = np.flatnonzero(np.r_[True, (runs[1:] != runs[:-1]).any(axis=1)])
    return new, np.diff(np.r_[new, len(runs)])


def _name(found: Evaluations, at: int) -> str:
    return f"{found.method[at]} on {found.problem[at]}, trial {found.trial[at]},"


def value_faults(found: Evaluations, *, maximize: Mapping[str, bool]) -> list[Finding]:
    """Evaluations that are no cost: nan, and an infinity that nothing could beat.

    maximize: for each measure whether more is better.
    """
    wrong = []
    columns = {name: (found.values[name], more) for name, more in maximize.items()}
    if found.visible is not None:
        columns["visible"] = (found.visible, any(maximize.values()))
    for name, (column, more) in columns.items():
        best = np.isposinf(column) if more else np.isneginf(column)
        for at in np.flatnonzero(np.isnan(column) | best)[:_LIMIT].tolist():
            what = f"{name} is {column[at]}"
            hint = f"Write {'-inf' if more else 'inf'} for an evaluation that crashed."
            wrong.append(found.places[at].error("experiment-value", what, hint))
    return wrong


def signature_faults(found: Evaluations, *, baseline: Mapping[str, Floats], file: str) -> list[Finding]:
    """Problems whose studies, or frozen baseline, optimised another function.

    baseline: problem → the signature that was frozen with it. Signatures are compared as numpy.allclose
    does (1e-5, and 1e-8 around 0), as bayesmark 0.0.8 does.
    """
    wrong = []
    for problem, table in sorted(found.signatures.items()):
        rows = [table]
        known = baseline.get(problem)
        if known is not None and known.shape == table.shape[1:]:
            rows.append(known[None])
        both, who = np.concatenate(rows), "its studies"
        if np.allclose(table.min(axis=0), table.max(axis=0)):
            who = "its studies and the frozen baseline"
        low, high = both.min(axis=0), both.max(axis=0)
        if not np.allclose(low, high):
            far = float((high - low).max())
            what = f"{problem}: the signatures of {who} differ by up to {far:g}"
            hint = "They did not optimise the same function: compare with care."
            code = "experiment-signature"
            wrong.append(Finding(code, "warning", file, None, what, hint))
    return wrong


NAMES = {
    "problem": ("problem", "function", "task", "instance_id", "instance"),
    "method": ("method", "optimizer", "optimiser", "algorithm"),
    "trial": ("trial", "study_id", "repetition", "seed"),
    "iteration": ("iteration", "iter"),
    "suggestion": ("suggestion",),
    "value": ("value", "objective"),
    "visible": ("visible", "visible_value", "_visible_to_opt"),
    "elapsed": ("elapsed",),
}
NEEDED = ("problem", "method", "trial", "iteration", "value")
_COUNTERS = ("trial", "iteration", "suggestion")


def read_evaluations(
    content: bytes | str, *, file: str, measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """Read every row as an evaluation; None and every wrong cell if there is one."""
    table = CsvTable(content, file=file, names=NAMES, code="experiment-file")
    table.require(NEEDED)
    cells = [(*(_cell(row, name) for name in table.at), row.line) for row in table.rows()]
    if table.findings:
        return None, table.findings
    columns = dict(zip((*table.at, "line"), zip(*cells, strict=True), strict=True))
    return _evaluations(columns, file, measure), []


def _cell(row: Row, column: str) -> object:
    if column in ("problem", "method"):
        return row.name(column)
    if column in _COUNTERS:
        return row.whole(column, required=True)
    hint = "Write inf for an evaluation that crashed." if column == "value" else ""
    return row.number(column, required=True, hint=hint)


def _evaluations(columns: dict[str, tuple[object, ...]], file: str, measure: str) -> Evaluations:
    size = len(columns["line"])
    ones, unknown = np.ones(size, np.int64), np.full(size, np.nan)
    seen = columns.get("visible")
    return Evaluations(
        problem=np.array(columns["problem"]),
        method=np.array(columns["method"]),
        trial=np.array(columns["trial"], np.int64),
        step=np.array(columns["iteration"], np.int64),
        suggestion=np.array(columns.get("suggestion", ones), np.int64),
        values={measure: np.array(columns["value"], np.float64)},
        visible=None if seen is None else np.array(seen, np.float64),
        elapsed=np.array(columns.get("elapsed", unknown), np.float64),
        places=[EvaluationPlace(file, int(str(line))) for line in columns["line"]],
    )
