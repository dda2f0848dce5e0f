"""Experiments of optimisers: a folder of bayesmark, or a plain table of evaluations.

A folder holds ``eval/*.json``, ``derived/eval.json`` or ``evaluations.csv``, and ``experiment.toml`` if
wanted. A CSV file alone is enough. A grid of evaluations becomes the relations ``run``, ``trajectory`` and
``reference``.

experiment.toml holds facts about the experiment that its files lack:

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
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.formats import Finder, Format, Parsed, absent, known
from aslib_eval.formats.sources import (
    TEXTS,
    CsvTable,
    FilesRead,
    Keys,
    Location,
    Row,
    Source,
    Sources,
    algorithm_table,
    default_name,
    frame_table,
    header_of,
    is_text,
    load_files,
    positions,
    read_settings_file,
    scenario_table,
    shown,
    source_table,
    table,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from aslib_eval.extensions.optimisers.bayesmark_studies import Evaluations, Grid
    from aslib_eval.extensions.optimisers.metrics import Baseline
    from aslib_eval.metrics.scale import Floats

TABLE = "evaluations.csv"
DERIVED = "derived/eval.json"
BASELINE = "derived/baseline.json"
FILE = "experiment.toml"
LOSS = "normalised_loss"
RANDOM_SEARCH = "RandomSearch_"  # its name begins so in bayesmark
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
_CODE = "experiment-settings"


def _find(path: Path, files: FilesRead) -> list[Location]:
    is_ours = _is_folder(path) or _is_header(header_of(path, files))
    return [Location(path, str(path))] if is_ours else []


def _is_folder(path: Path) -> bool:
    """Whether it is an experiment; a scenario of ASlib may hold such files by chance."""
    return not (path / "description.txt").exists() and (
        (path / TABLE).is_file() or (path / DERIVED).is_file() or any((path / "eval").glob("*.json"))
    )


def _is_header(columns: Sequence[str]) -> bool:
    return positions(columns, NAMES).keys() >= {"problem", "method", "iteration"}


@dataclass(frozen=True)
class StudySettings:
    """The settings of an experiment; None where the file is silent."""

    name: str
    measure: str = "objective"
    maximize: bool | None = None
    optimum: Mapping[str, float] = field(default_factory=dict)

    def is_maximized(self, measure: str) -> bool:
        """As the settings declare, else as the catalogue does, else False."""
        found = known(measure)
        return self.maximize if self.maximize is not None else bool(found and found.maximize)


def parse_settings(content: bytes | None, *, file: str, folder: str) -> tuple[StudySettings, list[Finding]]:
    """The settings with their defaults, and all faults."""
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


def run_table(grid: Grid, *, maximize: Mapping[str, bool], losses: Floats | None) -> pa.Table:
    """The value of the solution that each trial would have chosen at its end.

    losses: (n_runs,) a further measure, before the others. The times for suggesting, evaluating and
    observing come last. A trial has the status ``crash`` if all its evaluations crashed.
    """
    import numpy as np
    import polars as pl

    first = grid.evaluations.frame.gather_every(grid.shape[3] * grid.shape[4])
    found = {} if losses is None else {LOSS: losses}
    found |= {
        measure: final_values(grid, measure, sign=-1.0 if more else 1.0)
        for measure, more in maximize.items()
    }
    found |= {name: first[f"@{name}"].to_numpy() for name in grid.evaluations.named("@")}
    status = np.where(np.isfinite(found[next(iter(maximize))]), "ok", "crash")
    runs = first.select(instance_id="problem", repetition="trial", algorithm="method")
    parts = [
        runs.with_columns(measure=pl.lit(name), value=pl.Series(values), runstatus=pl.Series(status))
        for name, values in found.items()
    ]
    return frame_table("run", pl.concat(parts))


def _frozen_losses(grid: Grid, measure: str, baselines: Mapping[str, Baseline]) -> Floats:
    """Like ``final_losses``, by a frozen baseline; minimised."""
    import numpy as np

    from aslib_eval.extensions.optimisers.metrics import clipped_losses

    if lacking := [name for name in grid.problems if name not in baselines]:
        raise AslibError(f"the baseline lacks {', '.join(lacking)}")
    pairs = zip(grid.problems, final_values(grid, measure, sign=1.0).reshape(grid.shape[:3]), strict=True)
    return np.ravel([clipped_losses(own, baseline=baselines[problem]) for problem, own in pairs])


def final_losses(grid: Grid, *, measure: str, sign: float, settings: StudySettings) -> Floats:
    """(n_runs,) clipped loss of each trial's final solution; 0 = optimum.

    1 is the median of a single draw of random search on the problem, or worse. The mean over trials and
    problems is bayesmark's mean score after the last step.
    """
    import numpy as np

    from aslib_eval.extensions.optimisers.metrics import clipped_losses, pooled_baseline

    random = [name.startswith(RANDOM_SEARCH) for name in grid.methods]
    if not any(random):
        raise AslibError(f"no method's name begins with {RANDOM_SEARCH}")
    costs = sign * grid.evaluations.frame[f"={measure}"].to_numpy().reshape(grid.shape)
    final = sign * final_values(grid, measure, sign=sign).reshape(grid.shape[:3])
    losses = np.empty_like(final)
    for p, problem in enumerate(grid.problems):
        best = min(float(costs[p].min()), sign * settings.optimum.get(problem, sign * np.inf))
        try:
            base = pooled_baseline(costs[p, random], steps=1, best=best)
        except AslibError as error:
            raise AslibError(f"{error.message} on {problem}") from None
        losses[p] = clipped_losses(final[p], baseline=base)
    return losses.ravel()


def final_values(grid: Grid, measure: str, *, sign: float) -> Floats:
    """(n_runs,) the value in hand after the last step."""
    import numpy as np

    from aslib_eval.extensions.optimisers.metrics import best_so_far

    frame = grid.evaluations.frame
    costs, seen = (
        sign * frame[name].to_numpy().reshape(-1, *grid.shape[3:]).transpose(1, 2, 0)
        for name in (f"={measure}", "visible" if "visible" in frame.columns else f"={measure}")
    )
    return np.asarray(sign * best_so_far(costs, visible=seen)[-1])


def trajectory_table(grid: Grid) -> pa.Table:
    """Every evaluation, in the order of the grid, one measure after the other."""
    import polars as pl

    frame = grid.evaluations.frame.with_columns(pl.col("elapsed").fill_nan(None))
    visible = ["visible"] if "visible" in frame.columns else []
    parts = [
        frame.select(
            *("trial", "step", "suggestion", "elapsed", *visible),
            instance_id="problem",
            algorithm="method",
            measure=pl.lit(name),
            value=f"={name}",
        )
        for name in grid.evaluations.named("=")
    ]
    return frame_table("trajectory", pl.concat(parts))


def reference_table(settings: StudySettings, signatures: Mapping[str, Floats]) -> pa.Table:
    """The known optima, under the role ``optimum``, and the signatures.

    ``signature_1`` and so on are medians over the studies, ``signature_error`` is the largest difference of
    two studies at a point.
    """
    import numpy as np

    rows = [(name, "optimum", value) for name, value in sorted(settings.optimum.items())]
    for name, values in sorted(signatures.items()):
        medians = np.median(values, axis=0).tolist()
        rows += [(name, f"signature_{k}", v) for k, v in enumerate(medians, 1)]
        rows.append((name, "signature_error", float(np.ptp(values, axis=0).max())))
    return table("reference", [{"instance_id": i, "role": role, "value": value} for i, role, value in rows])


def load(location: Location) -> dict[str, Source]:
    """The files of an experiment, by their path in its folder."""
    return load_files(location, (*TEXTS, FILE, TABLE, DERIVED, BASELINE, "eval/*.json", "time/*.json"))


def claim(location: Location) -> str | None:
    """Scenario id; None for wrong settings, which ``identify`` reports."""
    with suppress(AslibError):
        return identify(location, load_files(location, [FILE]))
    return None


def _settings(location: Location, sources: Sources) -> tuple[StudySettings, list[Finding]]:
    content = sources[FILE].content if FILE in sources else None
    return parse_settings(content, file=location.file(FILE), folder=default_name(location))


def identify(location: Location, sources: Sources) -> str:
    """The name of the scenario; raises ScenarioError for wrong settings."""
    settings, wrong = _settings(location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    return settings.name


def read(location: Location, sources: Sources) -> Parsed:
    """The relations of an experiment, or its faults."""
    from aslib_eval.extensions.optimisers.bayesmark_studies import (
        arranged,
        read_signatures,
        signature_faults,
        value_faults,
    )

    settings, findings = _settings(location, sources)
    found, more = _evaluations(location, sources, settings)
    findings += more
    if found is None:
        return Parsed(tuple(findings))
    measures = {name: settings.is_maximized(name) for name in found.named("=")}
    grid, more = arranged(found)
    findings += [*value_faults(found, maximize=measures), *more]
    findings += [] if grid is None else _strangers(grid, settings, location)
    if grid is None or any(f.severity == "error" for f in findings):
        return Parsed(tuple(findings))
    losses, more = _losses(grid, measures, settings, location, sources)
    findings += more
    if any(f.severity == "error" for f in more):
        return Parsed(tuple(findings))
    frozen = read_signatures(sources[BASELINE].content) if BASELINE in sources else {}
    findings += signature_faults(found, baseline=frozen, file=location.shown)
    scaled = measures if losses is None else {LOSS: False, **measures}
    tables = {
        "scenario": scenario_table(
            location, sources, measures=scaled | dict.fromkeys(found.named("@"), False)
        ),
        "source": source_table(sources),
        "algorithm": algorithm_table(grid.methods),
        "run": run_table(grid, maximize=measures, losses=losses),
        "trajectory": trajectory_table(grid),
        "reference": reference_table(settings, found.signatures),
    }
    return Parsed(tuple(findings), {n: t for n, t in tables.items() if t.num_rows})


def _losses(
    grid: Grid, measures: Mapping[str, bool], settings: StudySettings, location: Location, sources: Sources
) -> tuple[Floats | None, list[Finding]]:
    """Losses of the first objective, by the frozen baseline if there is one; None without a scale."""
    from aslib_eval.extensions.optimisers.bayesmark_studies import read_baseline

    (measure, more), *_ = measures.items()
    try:
        if BASELINE in sources and not more:
            content, file = sources[BASELINE].content, location.file(BASELINE)
            frozen, wrong = read_baseline(content, file=file, measure=measure)
            return (None, wrong) if wrong else (_frozen_losses(grid, measure, frozen), [])
        sign = -1.0 if more else 1.0
        return final_losses(grid, measure=measure, sign=sign, settings=settings), []
    except AslibError as error:
        what = f"there is no scale for losses: {error.message}"
        hint = "Objectives of different problems are averaged as they are."
        return None, [Finding("experiment-scale", "warning", location.shown, None, what, hint)]


def _evaluations(
    location: Location, sources: Sources, settings: StudySettings
) -> tuple[Evaluations | None, list[Finding]]:
    """The evaluations in eval/, else in derived/, else in the table."""
    from aslib_eval.extensions.optimisers import bayesmark_studies as studies

    measure = settings.measure
    if evals := {n: s.content for n, s in sources.items() if n.startswith("eval/")}:
        names = {name: name.replace("eval/", "time/", 1) for name in evals}
        times = {location.file(n): sources[n].content if n in sources else b"" for n in names.values()}
        files = {location.file(name): content for name, content in evals.items()}
        return studies.read_studies(files, times=times, measure=measure)
    if DERIVED in sources:
        return studies.read_derived(sources[DERIVED].content, file=location.file(DERIVED), measure=measure)
    name = TABLE if TABLE in sources else location.path.name
    return read_evaluations(sources[name].content, file=shown(location, name), measure=measure)


def read_evaluations(
    content: bytes | str, *, file: str, measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """Every row as an evaluation; if a cell is wrong, None and all wrong cells."""
    import polars as pl

    from aslib_eval.extensions.optimisers.bayesmark_studies import Evaluations

    rows = CsvTable(content, file=file, names=NAMES, code="experiment-file")
    rows.require(("problem", "method", "trial", "iteration", "value"))
    cells = [{**{name: _cell(row, name) for name in rows.at}, "line": row.line} for row in rows.rows()]
    if rows.findings:
        return None, rows.findings
    frame = pl.DataFrame(cells, infer_schema_length=None).rename(
        {"iteration": "step", "value": f"={measure}"}
    )
    usual = {"suggestion": pl.lit(1, pl.Int64), "elapsed": pl.lit(math.nan)}
    missing = [value.alias(name) for name, value in usual.items() if name not in frame.columns]
    return Evaluations(frame.with_columns(*missing, file=pl.lit(file), words=pl.lit(""))), []


def _cell(row: Row, column: str) -> str | int | float | None:
    if column in ("problem", "method"):
        return row.name(column)
    if column in ("trial", "iteration", "suggestion"):
        return row.whole(column, required=True)
    hint = "Write inf for an evaluation that crashed." if column == "value" else ""
    return row.number(column, required=True, hint=hint)


def _strangers(grid: Grid, settings: StudySettings, location: Location) -> Iterator[Finding]:
    file = location.file(FILE)
    if settings.optimum and len(grid.evaluations.named("=")) > 1:
        what = "there are several objectives, and optimum does not say which it is for"
        yield Finding(_CODE, "error", file, None, what, "Remove it.")
    for name in sorted(set(settings.optimum) - set(grid.problems)):
        what = f"optimum names {name!r}, which is not a problem"
        yield Finding(_CODE, "error", file, None, what, f"Available: {', '.join(grid.problems[:8])}.")


EXPERIMENTS = Format(
    "bayesmark",
    Finder(_find),
    absent(
        f"holds no eval/*.json, {DERIVED} or {TABLE}, and is not such a table",
        "A table has the columns problem, method, trial, iteration and value.",
    ),
    claim,
    load,
    identify,
    read,
    marks=(TABLE, "eval", "derived"),
    is_header=_is_header,
)
