"""An experiment of optimisers as read: its settings, evaluations, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.extensions.optimisers.formats.bayesmark.evaluations import (
    BASELINE,
    DERIVED,
    TABLE,
    Evaluations,
    Floats,
    Grid,
    arranged,
    read_evaluations,
    signature_faults,
    value_faults,
)
from aslib_eval.extensions.optimisers.formats.bayesmark.relations import (
    FILE,
    LOSS,
    StudySettings,
    final_losses,
    frozen_losses,
    parse_settings,
    reference_table,
    run_table,
    trajectory_table,
)
from aslib_eval.extensions.optimisers.formats.bayesmark.studies import (
    read_baseline,
    read_derived,
    read_signatures,
    read_studies,
)
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.measures import known
from aslib_eval.formats.sources import (
    TEXTS,
    Location,
    Source,
    Sources,
    algorithm_table,
    default_name,
    load_files,
    scenario_table,
    shown,
    source_table,
)


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
    found, more = _evaluations(location, sources, settings)
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


def _evaluations(
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
