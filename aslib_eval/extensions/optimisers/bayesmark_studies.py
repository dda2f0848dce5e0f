"""Evaluations of an experiment of optimisers, and the plain table that holds them.

Every method makes the same number of trials on every problem, every trial the same number of steps, and
every step the same number of suggestions: whoever did less is an error, as its scores would be of something
else.

The table has the columns problem, method, trial, iteration and value. Further columns: ``suggestion``
(position within a batch; without it every batch is of one), ``visible`` (what the optimiser itself saw, if
that is not the value) and ``elapsed`` (time since the run began). Counters begin with 0 or 1.

Folders of bayesmark hold a JSON file of an xarray dataset for each study.

``eval/UUID.json`` holds ``{"meta": {"args": …}, "data": …}``: the values of a study by (iter, suggestion),
the variable ``_visible_to_opt`` being what the optimiser saw, and any other an objective of its own;
``time/UUID.json`` how long suggesting, evaluating and observing took. ``derived/eval.json`` is the same of
all studies at once; ``derived/baseline.json`` the reference values of a baseline that was frozen.

A problem is called CLASSIFIER_DATA_METRIC and a method OPTIMIZER_VERSION_REVISION; trials are counted from
0 in the order of the files' names. All as in bayesmark 0.0.8.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.optimisers.metrics import Baseline, frozen_baseline
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


VISIBLE = "_visible_to_opt"
_STUDY = ("iter", "suggestion")
_ALL = (*_STUDY, "function", "optimizer", "study_id")
_FIXED = ("objective", "function")
_STEPPED = (*_FIXED, "iter")
_PROBLEM = ("--classifier", "--data", "--metric")
_METHOD = ("--opt", "opt_rev", "rev")
_NUMBERS = (int, float, type(None))  # null = nan
_LAST_TRIAL = 2**31 - 1


@dataclass(frozen=True, eq=False)
class _Study:
    """One run: variable → values (n_steps, n_batch); elapsed (n_steps,) if known.

    times: what suggesting, evaluating and observing took in all. signature: values of the function at fixed
    points; empty where the file has none.
    """

    problem: str
    method: str
    trial: int
    file: str
    variables: Mapping[str, Floats]
    elapsed: Floats | None = None
    times: Mapping[str, float] = field(default_factory=dict)
    signature: tuple[float, ...] = ()

    @property
    def n_steps(self) -> int:
        """Steps that it made."""
        return len(next(iter(self.variables.values())))


class _Wrong(Exception):  # noqa: N818
    """The file is not what bayesmark writes; the text is the reason.

    ``key`` is what stands where it is wrong, unless ``line`` is known.
    """

    def __init__(self, what: str, *, key: str = "", line: int | None = None) -> None:
        super().__init__(what)
        self.key = key
        self.line = line

    def finding(self, file: str, content: bytes) -> Finding:
        """An error with file and line, the first on which the key stands."""
        line, found = self.line, content.find(f'"{self.key}"'.encode())
        if line is None and self.key and found >= 0:
            line = content.count(b"\n", 0, found) + 1
        return EvaluationPlace(file, line).error("experiment-file", str(self))


def read_studies(
    evals: Mapping[str, bytes], *, times: Mapping[str, bytes], measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``eval/``; ``times`` holds the file of ``time/`` by the same name.

    evals, times: path to show → content, in the order of the names; without content where there is none.
    None and every wrong file if there is one.
    """
    studies, findings = [], []
    trials: Counter[tuple[str, str]] = Counter()
    for (file, content), (clock, timing) in zip(evals.items(), times.items(), strict=True):
        try:
            study = _study(content, file, trials)
        except _Wrong as wrong:
            findings.append(wrong.finding(file, content))
            continue
        try:
            known = _times(timing, study.n_steps) if timing else {}
        except _Wrong as wrong:
            findings.append(wrong.finding(clock, timing))
            continue
        spent = {f"{name}_time": float(each.sum()) for name, each in known.items()}
        elapsed = _elapsed(**known) if known else None
        studies.append(replace(study, elapsed=elapsed, times=spent))
    return _joined(studies, findings, measure)


def read_derived(content: bytes, *, file: str, measure: str) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``derived/eval.json``."""
    try:
        studies = list(_split(_dataset(content), file))
    except _Wrong as wrong:
        return None, [wrong.finding(file, content)]
    return _joined(studies, [], measure)


def read_baseline(content: bytes, *, file: str, measure: str) -> tuple[dict[str, Baseline], list[Finding]]:
    """The frozen baseline of ``derived/baseline.json``: problem → its reference values.

    measure: the objective; what the optimiser saw, where there is no other one.
    """
    try:
        return _baselines(_dataset(content), measure), []
    except _Wrong as wrong:
        return {}, [wrong.finding(file, content)]


def frozen_about(content: bytes) -> dict[str, Any]:
    """What ``frozen_file`` wrote of where a baseline comes from; {} of bayesmark's."""
    return _meta(content, "frozen")


def frozen_file(
    objectives: Mapping[str, Mapping[str, Baseline]],
    *,
    steps: Sequence[float],
    about: Mapping[str, Any],
    signatures: Mapping[str, Sequence[float]],
) -> bytes:
    """A baseline in the layout of ``derived/baseline.json``, for ``read_baseline``.

    objectives: name of the objective → problem → its reference values, of the same problems each. about:
    where it comes from, see ``frozen_about``.
    """
    names, problems = [*objectives], [*next(iter(objectives.values()))]
    tables = [[objectives[name][problem] for problem in problems] for name in names]
    data = {
        "best": [[each.optimum for each in row] for row in tables],
        "clip": [[each.clip for each in row] for row in tables],
        "median": [[each.median.tolist() for each in row] for row in tables],
        "mean": [[each.mean.tolist() for each in row] for row in tables],
    }
    held: dict[str, Sequence[Any]] = {"objective": names, "function": problems}
    held["iter"] = list(steps)
    whole = {
        "meta": {"frozen": dict(about), "signature": dict(signatures)},
        "data": {
            "coords": {n: _labelled([n], values) for n, values in held.items()},
            "attrs": {},
            "dims": {name: len(values) for name, values in held.items()},
            "data_vars": {
                name: _labelled(_STEPPED if name in {"median", "mean"} else _FIXED, t)
                for name, t in data.items()
            },
        },
    }
    return (json.dumps(whole, indent=1) + "\n").encode()


def _labelled(dims: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return {"dims": list(dims), "attrs": {}, "data": list(values)}


def _baselines(data: Any, measure: str) -> dict[str, Baseline]:
    best, clip = (_array(data, name, _FIXED) for name in ("best", "clip"))
    median, mean = (_array(data, name, _STEPPED) for name in ("median", "mean"))
    sizes = {table.shape[:2] for table in (best, clip, median, mean)}
    if len(sizes) > 1:
        raise _Wrong("its variables differ in shape")
    objectives, problems = (_coordinate(data, name, n) for name, n in zip(_FIXED, best.shape, strict=True))
    name = measure if measure in objectives else VISIBLE
    if name not in objectives:
        what = f"there is no objective {measure}, but {', '.join(objectives)}"
        raise _Wrong(what, key="objective")
    at = objectives.index(name)
    found = {}
    for p, problem in enumerate(problems):
        try:
            found[problem] = frozen_baseline(
                *(median[at, p], mean[at, p]), clip=float(clip[at, p]), optimum=float(best[at, p])
            )
        except AslibError as error:
            raise _Wrong(f"{problem}: {error.message}", key="clip") from None
    return found


def _study(content: bytes, file: str, trials: Counter[tuple[str, str]]) -> _Study:
    whole = _json(content)
    meta = whole.get("meta")
    args = meta.get("args") if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(args, dict):
        what = "there is no meta.args, which says whose study it is"
        raise _Wrong(what, key="meta")
    if missing := [key for key in (*_PROBLEM, "--opt") if args.get(key) is None]:
        raise _Wrong(f"meta.args lacks {', '.join(missing)}", key="args")
    names = {key: args[key] for key in (*_PROBLEM, *_METHOD) if key in args}
    for key, name in names.items():
        if not isinstance(name, str | int | float | None):
            raise _Wrong(f"{key} of meta.args is neither text nor number", key=key)
    problem = "_".join(str(args[key]) for key in _PROBLEM)
    parts = (names.get(key) for key in _METHOD)
    method = "_".join(str(part) for part in parts if part is not None)
    variables = _variables(whole.get("data"), _STUDY)
    trial = trials[problem, method]
    trials[problem, method] += 1
    signature = _signature(meta)
    return _Study(problem, method, trial, file, variables, signature=signature)


def _times(content: bytes, n_steps: int) -> dict[str, Floats]:
    """(n_steps,) what suggesting, evaluating (side by side) and observing took."""
    data = _dataset(content)
    suggest = _array(data, "suggest", _STUDY[:1])
    observe = _array(data, "observe", _STUDY[:1])
    evaluate = _array(data, "eval", _STUDY).max(axis=1)
    for name, found in (("suggest", suggest), ("eval", evaluate), ("observe", observe)):
        if len(found) != n_steps:
            what = f"{name} has times of {len(found)} steps, the study has {n_steps}"
            raise _Wrong(what, key=name)
        if (found < 0).any() or np.isinf(found).any():
            raise _Wrong(f"{name} has a time that is negative or infinite", key=name)
    return {"suggest": suggest, "evaluate": evaluate, "observe": observe}


def _elapsed(*, suggest: Floats, evaluate: Floats, observe: Floats) -> Floats:
    """(n_steps,) when each batch was evaluated."""
    return np.asarray(np.cumsum(suggest + evaluate + observe) - observe)


def _signature(meta: Mapping[str, Any]) -> tuple[float, ...]:
    """The values of ``meta.signature``, a pair of points and values; or none."""
    pair = meta.get("signature")
    values = pair[1] if isinstance(pair, list) and len(pair) == 2 else None  # noqa: PLR2004
    return _finite(values)


def _finite(values: object) -> tuple[float, ...]:
    """A list of finite numbers, else nothing."""
    if not isinstance(values, list):
        return ()
    known = all(type(v) in (int, float) and math.isfinite(v) for v in values)
    return tuple(map(float, values)) if known else ()


def read_signatures(content: bytes) -> dict[str, Floats]:
    """The signatures of ``derived/``: problem → values; {} where there are none."""
    named = _meta(content, "signature")
    return {str(p): np.array(v) for p, given in named.items() if (v := _finite(given))}


def _meta(content: bytes, key: str) -> dict[str, Any]:
    try:
        meta = _json(content).get("meta")
    except _Wrong:
        return {}
    found = meta.get(key) if isinstance(meta, dict) else None
    return found if isinstance(found, dict) else {}


def _split(data: Any, file: str) -> Iterator[_Study]:
    variables = _variables(data, _ALL)
    shape = next(iter(variables.values())).shape
    functions, optimizers, ids = (
        _coordinate(data, name, n) for name, n in zip(_ALL[2:], shape[2:], strict=True)
    )
    for p, m, n in np.ndindex(shape[2:]):
        own = {name: table[:, :, p, m, n] for name, table in variables.items()}
        yield _Study(str(functions[p]), str(optimizers[m]), ids[n], file, own)


def _coordinate(data: Any, name: str, size: int) -> list[Any]:
    """The names of an axis, or the whole numbers of its studies; all different."""
    coordinates = data.get("coords")
    found = coordinates.get(name) if isinstance(coordinates, dict) else None
    values = found.get("data") if isinstance(found, dict) else None
    if not isinstance(values, list) or len(values) != size:
        what = "the coordinates function, optimizer and study_id do not fit"
        raise _Wrong(f"{what}: {name} is not a list of {size}", key=name)
    if name == _ALL[-1]:
        known = all(type(v) is int and 0 <= v <= _LAST_TRIAL for v in values)
        kind = "whole numbers from 0"
    else:
        known, kind = all(isinstance(v, str) for v in values), "texts"
    if not known or len(set(values)) < size:
        raise _Wrong(f"the coordinate {name} does not hold different {kind}", key=name)
    return values


def _json(content: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(content)
    except json.JSONDecodeError as error:
        raise _Wrong(f"is not JSON ({error.msg})", line=error.lineno) from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Wrong("is not JSON (not UTF-8)", line=line) from None
    except (RecursionError, ValueError) as error:  # too deep, a number too long
        raise _Wrong(f"is not JSON that can be read ({error})") from None
    if not isinstance(whole, dict):
        raise _Wrong("is not a JSON object")
    return whole


def _dataset(content: bytes) -> Any:
    return _json(content).get("data")


def _variables(data: Any, dims: Sequence[str]) -> dict[str, Floats]:
    """Every variable of a dataset, its axes in the order of ``dims``."""
    found = {name: _array(data, name, dims) for name in _data_vars(data)}
    if len({table.shape for table in found.values()}) > 1:
        raise _Wrong("its variables differ in shape")
    return found


def _array(data: Any, name: str, dims: Sequence[str]) -> Floats:
    one = _data_vars(data).get(name)
    entry: dict[str, Any] = one if isinstance(one, dict) else {}
    named = entry.get("dims")
    if not isinstance(named, list) or sorted(map(repr, named)) != sorted(map(repr, dims)):
        raise _Wrong(f"the variable {name} is not by {', '.join(dims)}", key=name)
    try:
        cells: NDArray[np.object_] = np.array(entry.get("data"), dtype="O")
        table = cells.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        what = f"the variable {name} is not a table of numbers"
        raise _Wrong(what, key=name) from None
    if any(type(cell) not in _NUMBERS for cell in cells.ravel().tolist()):
        raise _Wrong(f"the variable {name} is not a table of numbers", key=name)
    if table.ndim != len(dims) or table.size == 0:
        what = f"the variable {name} has no value for each {' and '.join(dims)}"
        raise _Wrong(what, key=name)
    return np.transpose(table, [named.index(d) for d in dims])


def _data_vars(data: Any) -> dict[str, Any]:
    """The variables of a dataset as they stand."""
    entry = data.get("data_vars") if isinstance(data, dict) else None
    if not isinstance(entry, dict) or not entry:
        raise _Wrong("there is no data.data_vars: it is no dataset of xarray")
    return entry


def _joined(
    studies: list[_Study], findings: list[Finding], measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    names = {tuple(sorted(study.variables)) for study in studies}
    if len(names) > 1:
        sets = " and ".join(sorted(", ".join(each) for each in names))
        last = studies[-1].file
        what = f"the studies have different variables: {sets}"
        findings = [*findings, EvaluationPlace(last).error("experiment-file", what)]
    if findings or not studies:
        return None, findings
    (variables,) = names
    objectives = [name for name in variables if name != VISIBLE]
    timed = set.intersection(*(set(study.times) for study in studies))
    columns = [_columns(study, timed) for study in studies]
    joined = {name: np.concatenate([c[name] for c in columns]) for name in columns[0]}
    return Evaluations(
        problem=joined["problem"],
        method=joined["method"],
        trial=joined["trial"],
        step=joined["step"],
        suggestion=joined["suggestion"],
        values={n: joined[f"={n}"] for n in objectives} or {measure: joined[f"={VISIBLE}"]},
        visible=joined[f"={VISIBLE}"] if objectives and VISIBLE in variables else None,
        elapsed=joined["elapsed"],
        places=[place for study in studies for place in _places(study)],
        times={name: joined[f"@{name}"] for name in sorted(timed)},
        signatures=_signatures(studies),
    ), []


def _signatures(studies: Sequence[_Study]) -> dict[str, Floats]:
    """Of the studies of each problem, as long as the first of them."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for study in studies:
        if study.signature:
            found.setdefault(study.problem, []).append(study.signature)
    return {
        problem: np.array([each for each in rows if len(each) == len(rows[0])])
        for problem, rows in found.items()
    }


def _columns(study: _Study, timed: set[str]) -> dict[str, Any]:
    steps, batch = next(iter(study.variables.values())).shape
    size = steps * batch
    elapsed = np.full(steps, np.nan) if study.elapsed is None else study.elapsed
    return {
        "problem": np.full(size, study.problem),
        "method": np.full(size, study.method),
        "trial": np.full(size, study.trial),
        "step": np.repeat(np.arange(1, steps + 1), batch),
        "suggestion": np.tile(np.arange(1, batch + 1), steps),
        "elapsed": np.repeat(elapsed, batch),
        **{f"={name}": table.ravel() for name, table in study.variables.items()},
        **{f"@{name}": np.full(size, study.times[name]) for name in timed},
    }


def _places(study: _Study) -> Iterator[EvaluationPlace]:
    for step, suggestion in np.ndindex(next(iter(study.variables.values())).shape):
        words = f"iter {step}, suggestion {suggestion}"
        if "derived/" in study.file:
            run = f"{study.method} on {study.problem}, study {study.trial}"
            words = f"{run}, {words}"
        yield EvaluationPlace(study.file, None, words)
