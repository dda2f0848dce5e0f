"""Evaluations of an experiment of optimisers, from the files of bayesmark 0.0.8 or from a plain table.

Every method needs the same number of trials on every problem, every trial the same number of steps, and
every step the same number of suggestions. Fewer are an error, because scores would not be comparable.

The table has the columns problem, method, trial, iteration and value. Further columns: ``suggestion``
(position within a batch; default: batches of one), ``visible`` (the value that the optimiser saw, if
another) and ``elapsed`` (time since the run began). Counters begin with 0 or 1.

Folders of bayesmark hold a JSON file of an xarray dataset for each study. ``eval/UUID.json`` holds
``{"meta": {"args": …}, "data": …}``: the values of a study by (iter, suggestion); the variable
``_visible_to_opt`` is the value that the optimiser saw, any other is an objective. ``time/UUID.json`` holds
the times for suggesting, evaluating and observing. ``derived/eval.json`` holds all studies at once,
``derived/baseline.json`` the reference values of a frozen baseline. A problem is called
CLASSIFIER_DATA_METRIC, a method OPTIMIZER_VERSION_REVISION; trials are counted from 0 in the order of the
files' names.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.optimisers.metrics import Baseline, frozen_baseline
from aslib_eval.metrics.scale import Floats

_LIMIT = 20  # findings of one kind
_RUN = ("problem", "method", "trial")


@dataclass(frozen=True, eq=False)
class Evaluations:
    """Evaluations of an experiment, and the signatures of its functions.

    frame: one row per evaluation, with problem, method, trial, step and suggestion; ``=NAME`` for each
    objective, where an infinity is a crash; ``visible``, the value that the optimiser saw, if another;
    ``elapsed``, time since the run began, nan = unknown; ``@NAME`` for each time that the whole run spent;
    and file, line and words of its place. ``arranged`` lets counters begin with 1.
    signatures: problem → (n_studies, n_points) values of the function at points that are the same in all
    studies; studies without a signature are left out.
    """

    frame: pl.DataFrame
    signatures: Mapping[str, Floats] = field(default_factory=dict)

    def named(self, mark: str) -> list[str]:
        """The names of the columns of one kind: objectives (=) or times (@)."""
        return [name[1:] for name in self.frame.columns if name.startswith(mark)]


@dataclass(frozen=True, eq=False)
class Grid:
    """Evaluations in order of problem, method, trial, step and suggestion, all from 1.

    A column of the frame can take the ``shape`` (n_problems, n_methods, n_trials, n_steps, n_batch).
    """

    evaluations: Evaluations
    problems: tuple[str, ...]
    methods: tuple[str, ...]
    shape: tuple[int, int, int, int, int]


def _error(row: Mapping[str, Any], code: str, what: str, hint: str = "") -> Finding:
    text = f"{row['words']}: {what}" if row["words"] else what
    return Finding(code, "error", row["file"], row["line"], text, hint)


def arranged(found: Evaluations) -> tuple[Grid | None, list[Finding]]:
    """The evaluations as a full grid; None and the faults if some are missing or repeated.

    Counters may begin with 0 or 1. Trials keep their numbers.
    """
    keys = [*_RUN, "step", "suggestion"]
    from_one = [pl.col(name) + (pl.col(name).min() == 0).cast(pl.Int64) for name in keys[3:]]
    frame = found.frame.with_columns(from_one).sort(keys, maintain_order=True)
    steps, batch = (int(frame[name].max() or 0) for name in keys[3:])  # type: ignore[arg-type]
    problems, methods = (tuple(frame[name].unique().sort()) for name in _RUN[:2])
    runs = frame.group_by(_RUN, maintain_order=True).agg(pl.len(), pl.col("file", "line", "words").first())
    wrong = [*_duplicates(frame, keys)] or [
        *_short_runs(runs, steps * batch),
        *_missing_trials(runs, problems, methods),
    ]
    if wrong:
        return None, wrong
    trials = runs.height // (len(problems) * len(methods))
    shape = (len(problems), len(methods), trials, steps, batch)
    return Grid(replace(found, frame=frame), problems, methods, shape), []


def _duplicates(frame: pl.DataFrame, keys: Sequence[str]) -> Iterator[Finding]:
    before = frame.with_columns(first=pl.coalesce(pl.col("line").cast(str), "file").shift(1))
    again = before.filter(pl.all_horizontal(pl.col(key) == pl.col(key).shift(1) for key in keys))
    for row in again.head(_LIMIT).iter_rows(named=True):
        what = f"{_name(row)} is the same evaluation as at {row['first']}"
        yield _error(row, "experiment-grid", what, "Remove one of them.")


def _short_runs(runs: pl.DataFrame, full: int) -> Iterator[Finding]:
    for row in runs.filter(pl.col("len") != full).head(_LIMIT).iter_rows(named=True):
        what = f"{_name(row)} has {row['len']} evaluations, others have {full}"
        yield _error(row, "experiment-grid", what, "Complete the trial.")


def _missing_trials(
    runs: pl.DataFrame, problems: Sequence[str], methods: Sequence[str]
) -> Iterator[Finding]:
    having: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in runs.iter_rows(named=True):
        having.setdefault((row["problem"], row["method"]), []).append(row)
    most = max(map(len, having.values()), default=0)
    nowhere = {"file": runs["file"][0], "line": None, "words": ""} if runs.height else {}
    pairs = [(problem, method) for problem in problems for method in methods]
    for problem, method in [pair for pair in pairs if len(having.get(pair, ())) != most][:_LIMIT]:
        rows = having.get((problem, method), [])
        what = f"{method} has {len(rows)} trials on {problem}, others have {most}"
        yield _error(rows[0] if rows else nowhere, "experiment-grid", what, "Add the missing trials.")


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['method']} on {row['problem']}, trial {row['trial']},"


def value_faults(found: Evaluations, *, maximize: Mapping[str, bool]) -> list[Finding]:
    """Values that are nan, or an infinity that no value could beat; maximize: measure → more is better."""
    columns = {f"={name}": more for name, more in maximize.items()}
    if "visible" in found.frame.columns:
        columns["visible"] = any(maximize.values())
    wrong = []
    for name, more in columns.items():
        best = math.inf if more else -math.inf
        rows = found.frame.filter(pl.col(name).is_nan() | (pl.col(name) == best))
        hint = f"Write {-best:g} for an evaluation that crashed."
        wrong += [
            _error(row, "experiment-value", f"{name.removeprefix('=')} is {row[name]}", hint)
            for row in rows.head(_LIMIT).iter_rows(named=True)
        ]
    return wrong


def signature_faults(found: Evaluations, *, baseline: Mapping[str, Floats], file: str) -> list[Finding]:
    """Problems whose studies, or frozen baseline, optimised different functions.

    baseline: problem → the signature that was frozen with it. Signatures are compared by numpy.allclose
    (1e-5, and 1e-8 around 0), as in bayesmark 0.0.8.
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
            hint = "They optimised different functions: compare with care."
            wrong.append(Finding("experiment-signature", "warning", file, None, what, hint))
    return wrong


VISIBLE = "_visible_to_opt"
_STUDY = ("iter", "suggestion")
_ALL = (*_STUDY, "function", "optimizer", "study_id")
_FIXED = ("objective", "function")
_STEPPED = (*_FIXED, "iter")
_PROBLEM = ("--classifier", "--data", "--metric")
_METHOD = ("--opt", "opt_rev", "rev")
_NUMBERS = (int, float, type(None))  # null = nan
_LAST_TRIAL = 2**31 - 1


def _study(
    names: tuple[str, str, int], file: str, variables: Mapping[str, Floats], times: Mapping[str, Floats]
) -> pl.DataFrame:
    """The evaluations of a study.

    names: problem, method and trial. variables: (n_steps, n_batch) values of each. times: (n_steps,) of
    suggesting, evaluating and observing; empty if unknown.
    """
    step, suggestion = (each.ravel() for each in np.indices(next(iter(variables.values())).shape))
    elapsed = np.full(len(step), np.nan)
    if times:  # a batch is known once it is evaluated, before it is observed
        elapsed = (np.cumsum(sum(times.values())) - times["observe"])[step]
    problem, method, trial = names
    start = f"{method} on {problem}, study {trial}, " if "derived/" in file else ""
    frame = pl.DataFrame(
        {
            "step": step + 1,
            "suggestion": suggestion + 1,
            "elapsed": elapsed,
            "words": [f"{start}iter {i}, suggestion {k}" for i, k in zip(step, suggestion, strict=True)],
            **{f"={name}": variables[name].ravel() for name in sorted(variables)},
        }
    )
    return frame.with_columns(
        problem=pl.lit(problem),
        method=pl.lit(method),
        trial=pl.lit(trial, pl.Int64),
        file=pl.lit(file),
        line=pl.lit(None, pl.Int64),
        **{f"@{name}_time": pl.lit(float(times[name].sum())) for name in sorted(times)},
    )


class _Wrong(Exception):  # noqa: N818
    """Why bayesmark did not write such a file; the fault is at ``line``, else at the first ``key``."""

    def __init__(self, what: str, *, key: str = "", line: int | None = None) -> None:
        super().__init__(what)
        self.key = key
        self.line = line

    def finding(self, file: str, content: bytes) -> Finding:
        """An error with file and line."""
        line, found = self.line, content.find(f'"{self.key}"'.encode())
        if line is None and self.key and found >= 0:
            line = content.count(b"\n", 0, found) + 1
        return Finding("experiment-file", "error", file, line, str(self))


def read_studies(
    evals: Mapping[str, bytes], *, times: Mapping[str, bytes], measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``eval/``; if a file is wrong, None and all wrong files.

    evals, times: path to show → content, in the order of the names; the times of a study may be empty.
    """
    studies: list[pl.DataFrame] = []
    findings: list[Finding] = []
    trials: Counter[tuple[str, str]] = Counter()
    signatures: dict[str, list[tuple[float, ...]]] = {}
    for (file, content), (clock, timing) in zip(evals.items(), times.items(), strict=True):
        try:
            problem, method, variables, signature = _read_study(content)
        except _Wrong as wrong:
            findings.append(wrong.finding(file, content))
            continue
        names = (problem, method, trials[problem, method])
        trials[problem, method] += 1
        try:
            known = _times(timing, len(next(iter(variables.values())))) if timing else {}
        except _Wrong as wrong:
            findings.append(wrong.finding(clock, timing))
            continue
        studies.append(_study(names, file, variables, known))
        if signature:
            signatures.setdefault(problem, []).append(signature)
    alike = {
        problem: np.array([each for each in rows if len(each) == len(rows[0])])
        for problem, rows in signatures.items()
    }
    return _joined(studies, findings, measure, alike)


def read_derived(content: bytes, *, file: str, measure: str) -> tuple[Evaluations | None, list[Finding]]:
    """All studies of ``derived/eval.json``."""
    try:
        return _joined([*_split(_dataset(content), file)], [], measure, {})
    except _Wrong as wrong:
        return None, [wrong.finding(file, content)]


def read_baseline(content: bytes, *, file: str, measure: str) -> tuple[dict[str, Baseline], list[Finding]]:
    """The frozen baseline of ``derived/baseline.json``: problem → its reference values.

    measure: the objective, else the values that the optimiser saw.
    """
    try:
        return _baselines(_dataset(content), measure), []
    except _Wrong as wrong:
        return {}, [wrong.finding(file, content)]


def frozen_about(content: bytes) -> dict[str, Any]:
    """The origin of a baseline that ``frozen_file`` wrote; {} for one of bayesmark."""
    return _meta(content, "frozen")


def frozen_file(
    objectives: Mapping[str, Mapping[str, Baseline]],
    *,
    steps: Sequence[float],
    about: Mapping[str, Any],
    signatures: Mapping[str, Sequence[float]],
) -> bytes:
    """A baseline in the layout of ``derived/baseline.json``, for ``read_baseline``.

    objectives: objective → problem → reference values, with the same problems each. about: its origin, for
    ``frozen_about``.
    """
    names, problems = [*objectives], [*next(iter(objectives.values()))]
    tables = [[objectives[name][problem] for problem in problems] for name in names]
    data = {
        "best": [[each.optimum for each in row] for row in tables],
        "clip": [[each.clip for each in row] for row in tables],
        "median": [[each.median.tolist() for each in row] for row in tables],
        "mean": [[each.mean.tolist() for each in row] for row in tables],
    }
    held: dict[str, Sequence[Any]] = {"objective": names, "function": problems, "iter": list(steps)}
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
    if len({table.shape[:2] for table in (best, clip, median, mean)}) > 1:
        raise _Wrong("its variables differ in shape")
    objectives, problems = (_coordinate(data, name, n) for name, n in zip(_FIXED, best.shape, strict=True))
    name = measure if measure in objectives else VISIBLE
    if name not in objectives:
        raise _Wrong(f"there is no objective {measure}, only {', '.join(objectives)}", key="objective")
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


def _read_study(content: bytes) -> tuple[str, str, dict[str, Floats], tuple[float, ...]]:
    whole = _json(content)
    meta = whole.get("meta")
    args = meta.get("args") if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(args, dict):
        raise _Wrong("meta.args is missing, which names problem and method", key="meta")
    if missing := [key for key in (*_PROBLEM, "--opt") if args.get(key) is None]:
        raise _Wrong(f"meta.args lacks {', '.join(missing)}", key="args")
    for key in (*_PROBLEM, *_METHOD):
        if not isinstance(args.get(key), str | int | float | None):
            raise _Wrong(f"{key} of meta.args is neither text nor number", key=key)
    problem, method = (
        "_".join(str(args[key]) for key in keys if args.get(key) is not None)
        for keys in (_PROBLEM, _METHOD)
    )
    pair = meta.get("signature")  # of points and values
    signature = _finite(pair[1]) if isinstance(pair, list) and len(pair) == 2 else ()  # noqa: PLR2004
    return problem, method, _variables(whole.get("data"), _STUDY), signature


def _times(content: bytes, n_steps: int) -> dict[str, Floats]:
    """(n_steps,) times of suggesting, evaluating (in parallel) and observing."""
    data, dims = _dataset(content), _STUDY[:1]
    spent = {
        "suggest": _array(data, "suggest", dims),
        "eval": _array(data, "eval", _STUDY).max(axis=1),
        "observe": _array(data, "observe", dims),
    }
    for name, each in spent.items():
        if len(each) != n_steps:
            raise _Wrong(f"{name} has times of {len(each)} steps, the study has {n_steps}", key=name)
        if (each < 0).any() or np.isinf(each).any():
            raise _Wrong(f"{name} has a time that is negative or infinite", key=name)
    return {"suggest": spent["suggest"], "evaluate": spent["eval"], "observe": spent["observe"]}


def _finite(values: object) -> tuple[float, ...]:
    """A list of finite numbers; empty for anything else."""
    if not isinstance(values, list):
        return ()
    known = all(type(v) in (int, float) and math.isfinite(v) for v in values)
    return tuple(map(float, values)) if known else ()


def read_signatures(content: bytes) -> dict[str, Floats]:
    """The signatures of ``derived/``: problem → values; {} without any."""
    return {
        str(p): np.array(v) for p, given in _meta(content, "signature").items() if (v := _finite(given))
    }


def _meta(content: bytes, key: str) -> dict[str, Any]:
    try:
        meta = _json(content).get("meta")
    except _Wrong:
        return {}
    found = meta.get(key) if isinstance(meta, dict) else None
    return found if isinstance(found, dict) else {}


def _split(data: Any, file: str) -> Iterator[pl.DataFrame]:
    variables = _variables(data, _ALL)
    shape = next(iter(variables.values())).shape
    functions, optimizers, ids = (
        _coordinate(data, name, n) for name, n in zip(_ALL[2:], shape[2:], strict=True)
    )
    for p, m, n in np.ndindex(shape[2:]):
        own = {name: table[:, :, p, m, n] for name, table in variables.items()}
        yield _study((functions[p], optimizers[m], ids[n]), file, own, {})


def _coordinate(data: Any, name: str, size: int) -> list[Any]:
    """The names of an axis, or the numbers of its studies; all different."""
    coordinates = data.get("coords")
    found = coordinates.get(name) if isinstance(coordinates, dict) else None
    values = found.get("data") if isinstance(found, dict) else None
    if not isinstance(values, list) or len(values) != size:
        raise _Wrong(
            f"the coordinates function, optimizer and study_id do not fit: {name} is not a list of {size}",
            key=name,
        )
    if name == _ALL[-1]:
        known = all(type(v) is int and 0 <= v <= _LAST_TRIAL for v in values)
        kind = "whole numbers from 0"
    else:
        known, kind = all(isinstance(v, str) for v in values), "texts"
    if not known or len(set(values)) < size:
        raise _Wrong(f"the values of the coordinate {name} must be different {kind}", key=name)
    return values


def _json(content: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(content)
    except json.JSONDecodeError as error:
        raise _Wrong(f"is not JSON ({error.msg})", line=error.lineno) from None
    except UnicodeDecodeError as error:
        raise _Wrong("is not JSON (not UTF-8)", line=content.count(b"\n", 0, error.start) + 1) from None
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
        raise _Wrong(f"the variable {name} does not have the dimensions {', '.join(dims)}", key=name)
    try:
        cells: NDArray[np.object_] = np.array(entry.get("data"), dtype="O")
        table = cells.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _Wrong(f"the variable {name} is not a table of numbers", key=name) from None
    if any(type(cell) not in _NUMBERS for cell in cells.ravel().tolist()):
        raise _Wrong(f"the variable {name} is not a table of numbers", key=name)
    if table.ndim != len(dims) or table.size == 0:
        raise _Wrong(f"the variable {name} has no value for each {' and '.join(dims)}", key=name)
    return np.transpose(table, [named.index(d) for d in dims])


def _data_vars(data: Any) -> dict[str, Any]:
    entry = data.get("data_vars") if isinstance(data, dict) else None
    if not isinstance(entry, dict) or not entry:
        raise _Wrong("data.data_vars is missing: this is not a dataset of xarray")
    return entry


def _joined(
    studies: list[pl.DataFrame], findings: list[Finding], measure: str, signatures: Mapping[str, Floats]
) -> tuple[Evaluations | None, list[Finding]]:
    """All studies together, with the times that all of them have."""
    sets = {tuple(name[1:] for name in study.columns if name.startswith("=")) for study in studies}
    if len(sets) > 1:
        listed = " and ".join(sorted(", ".join(each) for each in sets))
        what = f"the studies have different variables: {listed}"
        findings.append(Finding("experiment-file", "error", studies[-1]["file"][0], None, what))
    if findings or not studies:
        return None, findings
    shared = [name for name in studies[0].columns if all(name in study.columns for study in studies)]
    frame = pl.concat([study.select(shared) for study in studies])
    # Without another variable, the values that the optimiser saw are the objective.
    alone = sets == {(VISIBLE,)}
    frame = frame.rename({f"={VISIBLE}": f"={measure}" if alone else "visible"}, strict=False)
    return Evaluations(frame, signatures), []
