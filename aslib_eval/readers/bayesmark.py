"""bayesmark's experiment folders: a JSON file of an xarray dataset for each study.

``eval/UUID.json`` holds ``{"meta": {"args": …}, "data": …}``: the values of a study by
(iter, suggestion), the variable ``_visible_to_opt`` being what the optimiser saw, and
any other an objective of its own; ``time/UUID.json`` how long suggesting, evaluating
and observing took. ``derived/eval.json`` is the same of all studies at once.

A problem is called CLASSIFIER_DATA_METRIC and a method OPTIMIZER_VERSION_REVISION;
trials are counted from 0 in the order of the files' names. All as in bayesmark 0.0.8.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aslib_eval.errors import Finding
from aslib_eval.readers.evaluations import Evaluations, Floats, Place

VISIBLE = "_visible_to_opt"
_STUDY = ("iter", "suggestion")
_ALL = (*_STUDY, "function", "optimizer", "study_id")
_PROBLEM = ("--classifier", "--data", "--metric")
_METHOD = ("--opt", "opt_rev", "rev")


@dataclass(frozen=True, eq=False)
class _Study:
    """One run: variable → values (n_steps, n_batch); elapsed (n_steps,) if known."""

    problem: str
    method: str
    trial: int
    file: str
    variables: Mapping[str, Floats]
    elapsed: Floats | None = None


class _Wrong(Exception):  # noqa: N818
    """The file is not what bayesmark writes; the text says why."""


def read_studies(
    evals: Mapping[str, bytes], *, times: Mapping[str, bytes], measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``eval/``; ``times`` holds the file of ``time/`` by the same name.

    evals, times: path to show → content, in the order of the names; without content
    where there is none. None and every wrong file if there is one.
    """
    studies, findings = [], []
    trials: Counter[tuple[str, str]] = Counter()
    for (file, content), timing in zip(evals.items(), times.values(), strict=True):
        try:
            study = _study(content, file, timing, trials)
        except _Wrong as wrong:
            findings.append(Place(file).error("experiment-file", str(wrong)))
        else:
            studies.append(study)
    return _joined(studies, findings, measure)


def read_derived(
    content: bytes, *, file: str, measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``derived/eval.json``."""
    try:
        studies = list(_split(_dataset(content), file))
    except _Wrong as wrong:
        return None, [Place(file).error("experiment-file", str(wrong))]
    return _joined(studies, [], measure)


def _study(
    content: bytes, file: str, timing: bytes, trials: Counter[tuple[str, str]]
) -> _Study:
    whole = _json(content)
    args = (whole.get("meta") or {}).get("args")
    if not isinstance(args, dict):
        raise _Wrong("there is no meta.args, which says whose study it is")
    if missing := [key for key in (*_PROBLEM, "--opt") if key not in args]:
        raise _Wrong(f"meta.args lacks {', '.join(missing)}")
    problem = "_".join(str(args[key]) for key in _PROBLEM)
    said = (args.get(key) for key in _METHOD)
    method = "_".join(str(part) for part in said if part is not None)
    variables = _variables(whole.get("data"), _STUDY)
    trial = trials[problem, method]
    trials[problem, method] += 1
    elapsed = _elapsed(timing) if timing else None
    return _Study(problem, method, trial, file, variables, elapsed)


def _elapsed(content: bytes) -> Floats:
    """(n_steps,) when each batch was evaluated, its evaluations side by side."""
    data = _dataset(content)
    suggest = _array(data, "suggest", _STUDY[:1])
    observe = _array(data, "observe", _STUDY[:1])
    evaluate = _array(data, "eval", _STUDY).max(axis=1)
    return np.asarray(np.cumsum(suggest + evaluate + observe) - observe)


def _split(data: Any, file: str) -> Iterator[_Study]:
    variables = _variables(data, _ALL)
    functions, optimizers, ids = (
        (data.get("coords") or {}).get(name, {}).get("data") for name in _ALL[2:]
    )
    sizes = tuple(np.shape(names)[:1] for names in (functions, optimizers, ids))
    shape = next(iter(variables.values())).shape
    if sizes != tuple((n,) for n in shape[2:]):
        raise _Wrong("the coordinates function, optimizer and study_id do not fit")
    for p, m, n in np.ndindex(shape[2:]):
        own = {name: table[:, :, p, m, n] for name, table in variables.items()}
        yield _Study(str(functions[p]), str(optimizers[m]), int(ids[n]), file, own)


def _json(content: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(content)
    except ValueError as error:  # of JSON, or of UTF-8
        raise _Wrong(f"is not JSON ({error})") from None
    if not isinstance(whole, dict):
        raise _Wrong("is not a JSON object")
    return whole


def _dataset(content: bytes) -> Any:
    return _json(content).get("data")


def _variables(data: Any, dims: Sequence[str]) -> dict[str, Floats]:
    """Every variable of a dataset, its axes in the order of ``dims``."""
    held = data.get("data_vars") if isinstance(data, dict) else None
    if not isinstance(held, dict) or not held:
        raise _Wrong("there is no data.data_vars: it is no dataset of xarray")
    found = {name: _array(data, name, dims) for name in held}
    if len({table.shape for table in found.values()}) > 1:
        raise _Wrong("its variables differ in shape")
    return found


def _array(data: Any, name: str, dims: Sequence[str]) -> Floats:
    held = ((data or {}).get("data_vars") or {}).get(name)
    if not isinstance(held, dict) or sorted(held.get("dims", ())) != sorted(dims):
        raise _Wrong(f"the variable {name} is not by {', '.join(dims)}")
    try:
        table = np.array(held.get("data"), dtype=np.float64)
    except (TypeError, ValueError):
        raise _Wrong(f"the variable {name} is not a table of numbers") from None
    if table.ndim != len(dims) or table.size == 0:
        raise _Wrong(f"the variable {name} has no value for each {' and '.join(dims)}")
    return np.transpose(table, [held["dims"].index(d) for d in dims])


def _joined(
    studies: list[_Study], findings: list[Finding], measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    names = {tuple(sorted(study.variables)) for study in studies}
    if len(names) > 1:
        sets = " and ".join(sorted(", ".join(each) for each in names))
        last = studies[-1].file
        what = f"the studies have different variables: {sets}"
        findings = [*findings, Place(last).error("experiment-file", what)]
    if findings or not studies:
        return None, findings
    (variables,) = names
    objectives = [name for name in variables if name != VISIBLE]
    columns = [_columns(study) for study in studies]
    joined = {name: np.concatenate([c[name] for c in columns]) for name in columns[0]}
    return Evaluations(
        problem=joined["problem"],
        method=joined["method"],
        trial=joined["trial"],
        step=joined["step"],
        suggestion=joined["suggestion"],
        values={n: joined[f"={n}"] for n in objectives}
        or {measure: joined[f"={VISIBLE}"]},
        visible=joined[f"={VISIBLE}"] if objectives and VISIBLE in variables else None,
        elapsed=joined["elapsed"],
        places=[place for study in studies for place in _places(study)],
    ), []


def _columns(study: _Study) -> dict[str, Any]:
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
    }


def _places(study: _Study) -> Iterator[Place]:
    for step, suggestion in np.ndindex(next(iter(study.variables.values())).shape):
        words = f"iter {step}, suggestion {suggestion}"
        if "derived/" in study.file:
            run = f"{study.method} on {study.problem}, study {study.trial}"
            words = f"{run}, {words}"
        yield Place(study.file, None, words)
