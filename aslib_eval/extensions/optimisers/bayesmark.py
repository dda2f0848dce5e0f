"""Experiments of optimisers: a folder of bayesmark's, or a plain table of evaluations.

A folder holds ``eval/*.json`` or ``derived/eval.json``, or else ``evaluations.csv``; ``experiment.toml``
beside them is optional. A CSV file alone will do.

A grid of evaluations → the relations ``run``, ``trajectory`` and ``reference``.

experiment.toml: what an experiment of optimisers does not say by itself.

    name = "OPT-FUNCTIONS-2026"   # of the scenario; default: the folder
    measure = "objective"         # what was evaluated; the default
    maximize = false              # whether more of it is better; the default
    [optimum]                  # of some problems, where it is known
    branin-2 = 0.397887
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.extensions.optimisers.bayesmark_studies import (
    BASELINE,
    DERIVED,
    NAMES,
    TABLE,
    Evaluations,
    Floats,
    Grid,
    arranged,
    read_baseline,
    read_derived,
    read_evaluations,
    read_signatures,
    read_studies,
    signature_faults,
    value_faults,
)
from aslib_eval.extensions.optimisers.metrics import Baseline, best_so_far, clipped_losses, pooled_baseline
from aslib_eval.formats.csv_rows import header_of, positions
from aslib_eval.formats.format import Finder, Format, Parsed, absent, known
from aslib_eval.formats.sources import (
    TEXTS,
    FilesRead,
    Keys,
    Location,
    Source,
    Sources,
    algorithm_table,
    default_name,
    is_text,
    load_files,
    read_settings_file,
    scenario_table,
    shown,
    source_table,
    table,
)
from aslib_eval.lake.schema import RELATIONS

_NEEDED = {"problem", "method", "iteration"}


def _find(path: Path, files: FilesRead) -> list[Location]:
    is_ours = _is_folder(path) or _is_header(header_of(path, files))
    return [Location(path, str(path))] if is_ours else []


def _is_folder(path: Path) -> bool:
    """Not of a scenario of ASlib, which may hold such a file by chance."""
    return not (path / "description.txt").exists() and (
        (path / TABLE).is_file() or (path / DERIVED).is_file() or any((path / "eval").glob("*.json"))
    )


def _is_header(columns: Sequence[str]) -> bool:
    return positions(columns, NAMES).keys() >= _NEEDED


FILE = "experiment.toml"
_CODE = "experiment-settings"


@dataclass(frozen=True)
class StudySettings:
    """The settings of an experiment; None where the file is silent."""

    name: str
    measure: str = "objective"
    maximize: bool | None = None
    optimum: Mapping[str, float] = field(default_factory=dict)


def parse_settings(content: bytes | None, *, file: str, folder: str) -> tuple[StudySettings, list[Finding]]:
    """The settings, with defaults where they are silent; everything that is wrong."""
    if content is None:
        return StudySettings(folder), []
    raw, wrong = read_settings_file(content, file=file, code=_CODE, keys=_KEYS)
    if wrong:
        return StudySettings(folder), wrong
    known = {str(k): float(v) for k, v in raw.pop("optimum", {}).items()}
    return StudySettings(**{"name": folder, **raw}, optimum=known), []


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(x) in (int, float) and math.isfinite(x) for x in value.values()
    )


_KEYS: Keys = {
    "name": (is_text, "a text"),
    "measure": (is_text, "a text"),
    "maximize": (lambda value: isinstance(value, bool), "true or false"),
    "optimum": (_are_numbers, "a table of a finite number for each problem"),
}


LOSS = "normalised_loss"
RANDOM_SEARCH = "RandomSearch_"  # how bayesmark tells it


def run_table(grid: Grid, *, maximize: Mapping[str, bool], losses: Floats | None) -> pa.Table:
    """What each trial ended with: the value of the solution that it would have chosen.

    losses: (n_runs,) a measure of its own, before the others. Behind them stand the times that each trial
    spent on suggesting, evaluating and observing. A trial all of whose evaluations crashed has the status
    ``crash``.
    """
    columns = _columns(grid)
    first = np.arange(0, columns["trial"].size, grid.shape[3] * grid.shape[4])
    found = {} if losses is None else {LOSS: losses}
    found |= {
        measure: final_values(grid, measure, sign=-1.0 if more else 1.0)
        for measure, more in maximize.items()
    }
    found |= {name: each[first] for name, each in grid.evaluations.times.items()}
    finite = np.isfinite(found[next(iter(maximize))])
    parts = [
        _table(
            "run",
            instance_id=_names(grid.problems, columns["problem"][first]),
            repetition=columns["trial"][first],
            algorithm=_names(grid.methods, columns["method"][first]),
            measure=_names([measure], np.zeros(first.size)),
            value=values,
            runstatus=_names(["crash", "ok"], finite),
        )
        for measure, values in found.items()
    ]
    return pa.concat_tables(parts).unify_dictionaries().combine_chunks()


def frozen_losses(grid: Grid, *, measure: str, baselines: Mapping[str, Baseline]) -> Floats:
    """The same as ``final_losses``, by a baseline that was frozen before; minimised."""
    if lacking := [name for name in grid.problems if name not in baselines]:
        raise AslibError(f"the baseline lacks {', '.join(lacking)}")
    final = final_values(grid, measure, sign=1.0).reshape(grid.shape[:3])
    losses = [
        clipped_losses(own, baseline=baselines[problem])
        for problem, own in zip(grid.problems, final, strict=True)
    ]
    return np.ravel(losses)


def final_losses(grid: Grid, *, measure: str, sign: float, settings: StudySettings) -> Floats:
    """(n_runs,) clipped loss of what each trial ended with, 0 = optimum.

    1 is the median of a single draw of random search on the problem, or worse: the mean over trials and
    problems is bayesmark's mean score after the last step.
    """
    random = [name.startswith(RANDOM_SEARCH) for name in grid.methods]
    if not any(random):
        raise AslibError(f"no method's name begins with {RANDOM_SEARCH}")
    costs = sign * grid.evaluations.values[measure].reshape(grid.shape)
    final = sign * final_values(grid, measure, sign=sign).reshape(grid.shape[:3])
    losses = np.empty_like(final)
    for p, problem in enumerate(grid.problems):
        known = sign * settings.optimum.get(problem, sign * np.inf)
        best = min(float(costs[p].min()), known)
        try:
            base = pooled_baseline(costs[p, random], steps=1, best=best)
        except AslibError as error:
            raise AslibError(f"{error.message} on {problem}") from None
        losses[p] = clipped_losses(final[p], baseline=base)
    return losses.ravel()


def final_values(grid: Grid, measure: str, *, sign: float) -> Floats:
    """(n_runs,) the value in hand after the last step."""
    *_, steps, batch = grid.shape
    visible = grid.evaluations.visible
    costs = sign * grid.evaluations.values[measure].reshape(-1, steps, batch)
    seen = costs if visible is None else sign * visible.reshape(-1, steps, batch)
    order = (1, 2, 0)
    known = best_so_far(costs.transpose(order), visible=seen.transpose(order))
    return np.asarray(sign * known[-1])


def trajectory_table(grid: Grid) -> pa.Table:
    """Every evaluation, in the order of the grid, one measure after the other."""
    found, columns = grid.evaluations, _columns(grid)
    size = found.step.size
    unseen = found.visible is None
    seen = np.zeros(size) if found.visible is None else found.visible
    parts = [
        _table(
            "trajectory",
            instance_id=_names(grid.problems, columns["problem"]),
            algorithm=_names(grid.methods, columns["method"]),
            trial=columns["trial"],
            measure=_names([measure], np.zeros(size)),
            step=found.step,
            suggestion=found.suggestion,
            elapsed=pa.array(found.elapsed, mask=np.isnan(found.elapsed)),
            value=values,
            visible=pa.array(seen, mask=np.full(size, unseen)),
        )
        for measure, values in found.values.items()
    ]
    return pa.concat_tables(parts).unify_dictionaries().combine_chunks()


def reference_table(settings: StudySettings, signatures: Mapping[str, Floats]) -> pa.Table:
    """The known optima, under the role ``optimum``; and the signatures.

    ``signature_1`` and so on are medians over the studies, ``signature_error`` the most by which two
    studies differ at a point.
    """
    rows = [(name, "optimum", value) for name, value in sorted(settings.optimum.items())]
    for name, values in sorted(signatures.items()):
        medians = np.median(values, axis=0).tolist()
        rows += [(name, f"signature_{k}", v) for k, v in enumerate(medians, 1)]
        rows.append((name, "signature_error", float(np.ptp(values, axis=0).max())))
    keys = ("instance_id", "role", "value")
    return table("reference", [dict(zip(keys, row, strict=True)) for row in rows])


def _columns(grid: Grid) -> dict[str, Any]:
    """Codes of problem and method, and the trial, of each evaluation."""
    n_problems, n_methods, *_ = grid.shape
    size = grid.evaluations.trial.size
    each = size // (n_problems * n_methods)
    return {
        "problem": np.repeat(np.arange(n_problems), n_methods * each),
        "method": np.tile(np.repeat(np.arange(n_methods), each), n_problems),
        "trial": grid.evaluations.trial,
    }


def _names(names: Sequence[str], codes: Any) -> pa.DictionaryArray:
    words = pa.array([str(name) for name in names], pa.string())
    indices = pa.array(np.asarray(codes, dtype=np.int32))
    return pa.DictionaryArray.from_arrays(indices, words)


def _table(relation: str, **columns: Any) -> pa.Table:
    schema = RELATIONS[relation].schema
    arrays = [pa.array(columns[field.name]).cast(field.type) for field in schema]
    return pa.table(arrays, schema=schema)


def load(location: Location) -> dict[str, Source]:
    """The files of an experiment, by their path in its folder."""
    files = (*TEXTS, FILE, TABLE, DERIVED, BASELINE)
    globs = (*files, "eval/*.json", "time/*.json")
    return load_files(location, globs)


def claim(location: Location) -> str | None:
    """Scenario id, or None if the settings are wrong, which ``identify`` reports."""
    with suppress(AslibError):
        return identify(location, load_files(location, [FILE]))
    return None


def _settings(location: Location, sources: Sources) -> tuple[StudySettings, list[Finding]]:
    source = sources.get(FILE)
    content = None if source is None else source.content
    name = default_name(location)
    return parse_settings(content, file=location.file(FILE), folder=name)


def identify(location: Location, sources: Sources) -> str:
    """The name of the scenario.

    Raises:
        ScenarioError: when the settings are wrong.
    """
    settings, wrong = _settings(location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    return settings.name


def read(location: Location, sources: Sources) -> Parsed:
    """Read what the files hold."""
    settings, findings = _settings(location, sources)
    found, more = _found_evaluations(location, sources, settings)
    findings += more
    if found is None:
        return Parsed(tuple(findings))
    measures = {name: _maximize(name, settings) for name in found.values}
    findings += value_faults(found, maximize=measures)
    grid, more = arranged(found)
    findings += [*more, *([] if grid is None else _strangers(grid, settings, location))]
    if grid is None or any(f.severity == "error" for f in findings):
        return Parsed(tuple(findings))
    losses, more = _losses(grid, measures, settings, location, sources)
    if any(f.severity == "error" for f in more):
        return Parsed((*findings, *more))
    scaled = measures if losses is None else {LOSS: False, **measures}
    scaled |= dict.fromkeys(grid.evaluations.times, False)
    more += _signature_faults(found, location, sources)
    tables = {
        "scenario": scenario_table(location, sources, measures=scaled),
        "source": source_table(sources),
        "algorithm": algorithm_table(grid.methods),
        "run": run_table(grid, maximize=measures, losses=losses),
        "trajectory": trajectory_table(grid),
        "reference": reference_table(settings, found.signatures),
    }
    present = {n: t for n, t in tables.items() if t.num_rows}
    return Parsed((*findings, *more), present)


def _losses(
    grid: Grid, measures: Mapping[str, bool], settings: StudySettings, location: Location, sources: Sources
) -> tuple[Floats | None, list[Finding]]:
    """Of the first objective; without a scale the objectives stand alone.

    A frozen baseline is the scale where there is one: bayesmark minimises.
    """
    (measure, more), *_ = measures.items()
    sign = -1.0 if more else 1.0
    try:
        if BASELINE in sources and not more:
            content, file = sources[BASELINE].content, location.file(BASELINE)
            frozen, wrong = read_baseline(content, file=file, measure=measure)
            if wrong:
                return None, wrong
            return frozen_losses(grid, measure=measure, baselines=frozen), []
        found = final_losses(grid, measure=measure, sign=sign, settings=settings)
    except AslibError as error:
        what = f"there is no scale for losses: {error.message}"
        hint = "Objectives of different problems are averaged as they are."
        code, file = "experiment-scale", location.shown
        return None, [Finding(code, "warning", file, None, what, hint)]
    return found, []


def _signature_faults(found: Evaluations, location: Location, sources: Sources) -> list[Finding]:
    source = sources.get(BASELINE)
    frozen = {} if source is None else read_signatures(source.content)
    return signature_faults(found, baseline=frozen, file=location.shown)


def _found_evaluations(
    location: Location, sources: Sources, settings: StudySettings
) -> tuple[Evaluations | None, list[Finding]]:
    """Of eval/ if it is there, else of derived/, else of the table."""
    evals = {n: s.content for n, s in sources.items() if n.startswith("eval/")}
    if evals:
        files = {location.file(name): content for name, content in evals.items()}
        names = (name.replace("eval/", "time/", 1) for name in evals)
        timed = ((name, sources.get(name)) for name in names)
        times = {location.file(n): s.content if s else b"" for n, s in timed}
        return read_studies(files, times=times, measure=settings.measure)
    if DERIVED in sources:
        content, file = sources[DERIVED].content, location.file(DERIVED)
        return read_derived(content, file=file, measure=settings.measure)
    name = TABLE if TABLE in sources else location.path.name
    file = shown(location, name)
    content = sources[name].content
    return read_evaluations(content, file=file, measure=settings.measure)


def _maximize(measure: str, settings: StudySettings) -> bool:
    """As the settings declare; else as the catalogue does; else less is better."""
    if settings.maximize is not None:
        return settings.maximize
    found = known(measure)
    return False if found is None else found.maximize


def _strangers(grid: Grid, settings: StudySettings, location: Location) -> Iterator[Finding]:
    """Optima of problems without runs, or of an unspecified objective."""
    code, file = "experiment-settings", location.file(FILE)
    if settings.optimum and len(grid.evaluations.values) > 1:
        what = "optimum does not say of which of several objectives"
        yield Finding(code, "error", file, None, what, "Remove it.")
    for name in sorted(set(settings.optimum) - set(grid.problems)):
        what = f"optimum names {name!r}, which is none of the problems"
        hint = f"There are {', '.join(grid.problems[:8])}."
        yield Finding(code, "error", file, None, what, hint)


EXPERIMENTS = Format(
    "bayesmark",
    Finder(_find),
    absent(
        f"holds no eval/*.json, {DERIVED} or {TABLE}, and is no such table",
        "A table has the columns problem, method, trial, iteration and value.",
    ),
    claim,
    load,
    identify,
    read,
    marks=(TABLE, "eval", "derived"),
    is_header=_is_header,
)
