"""ASlib scenarios, a folder with description.txt or a contest in two such folders: found, read, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path

from aslib_eval.errors import AslibError, Finding, ScenarioError, place
from aslib_eval.formats import Format, Parsed
from aslib_eval.formats.aslib.description import Description
from aslib_eval.formats.aslib.lint import instances
from aslib_eval.formats.aslib.lint.description import (
    check_description,
    check_features,
    check_files,
    check_steps,
)
from aslib_eval.formats.aslib.lint.runs import check_runs, check_trajectories, check_values
from aslib_eval.formats.aslib.relations import (
    TrainTestScenario,
    description_file,
    is_scenario,
    is_train_test,
    load,
    read,
    tables_of,
)
from aslib_eval.formats.aslib.scenario import Scenario, described
from aslib_eval.formats.sources import Location, Sources
from aslib_eval.lake.schema import partition
from aslib_eval.options import public

CHECKS: tuple[Callable[[Scenario], Iterable[Finding]], ...] = (
    check_files,
    check_description,
    instances.check_algorithms,
    instances.check_instances,
    check_runs,
    check_values,
    instances.check_folds,
    check_features,
    check_steps,
    check_trajectories,
)


@public
def check(scenario: Scenario | TrainTestScenario) -> list[Finding]:
    """All findings on a scenario, those of its reading too, by file, line and code.

    Empty if nothing is remarkable. With a finding of severity error some number
    would be wrong or incomplete. Each kind is reported once a file, with a count
    and the first place; errors in rows are listed one by one, up to 20.

    scenario: as ``read_scenario`` gives it.

    >>> ae.check(ae.read_scenario("scenarios/TOY-2026"))[0].severity
    'warning'
    """
    if isinstance(scenario, TrainTestScenario):
        found = [f for part in scenario.parts for f in check(part)]
        found = [f for f in found if not instances.is_expected(f, scenario)]
        found += instances.check_train_test(scenario)
    else:
        found = [*scenario.findings]
        for each in CHECKS:
            found.extend(each(scenario))
    return sorted(found, key=_place)


def _place(finding: Finding) -> tuple[str, float, str, str]:
    """Findings without a line come after those with one."""
    line = math.inf if finding.line is None else finding.line
    return finding.file, line, finding.code, finding.message


def _find(path: Path) -> list[Location]:
    """A folder that holds the folders train and test is one scenario; one of AutoFolio is none."""
    from aslib_eval.formats.runs.autofolio import pair_of

    is_ours = is_train_test(path) or (is_scenario(path) and pair_of(path) is None)
    return [Location(path, str(path))] if is_ours else []


def _absent(path: Path) -> AslibError:
    if path.is_dir() and not any(path.iterdir()):
        hint = "Name a scenario, a table of runs, or a folder of them."
        return AslibError("is an empty folder", str(path), hint)
    what = "holds no description.txt, nor does any folder or archive in it"
    return AslibError(what, str(path), "Is it an ASlib scenario?")


def _claim(location: Location) -> str | None:
    name = description_file(location)
    path = location.path / name
    if not path.is_file():
        return None
    description, _ = described(location, location.files.source(path, keep=True), file=name)
    return None if description is None else _name(location, description)


def _name(location: Location, description: Description) -> str:
    """The id; that of the folder where a generator of scenarios wrote UNKNOWN."""
    return location.folder if description.scenario_id == "UNKNOWN" else description.scenario_id


def _identify(location: Location, sources: Sources) -> str:
    name = description_file(location)
    source = sources.get(name)
    if source is not None:
        description, _ = described(location, source, file=name)
        if description is not None:
            _require_short(description, location.file(name))
            return _name(location, description)
    raise ScenarioError(location.shown, check(read(location, sources)))


def _require_short(description: Description, file: str) -> None:
    try:
        partition(description.scenario_id)
    except AslibError as error:
        raise AslibError(error.message, place(file, description.lines["scenario_id"]), error.hint) from None


def _read(location: Location, sources: Sources) -> Parsed:
    scenario = read(location, sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings):
        return Parsed(findings)
    return Parsed(findings, tables_of(scenario), scenario.missing)


ASLIB: Format = Format(
    "aslib", _find, _absent, _claim, load, _identify, _read, marks=("description.txt", "train", "test")
)
