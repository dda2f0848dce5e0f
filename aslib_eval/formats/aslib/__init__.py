"""ASlib scenarios: a folder with description.txt, or a contest in two such folders."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from aslib_eval.errors import AslibError, ScenarioError, place
from aslib_eval.formats.aslib.description import Description
from aslib_eval.formats.aslib.lint import check
from aslib_eval.formats.aslib.relations import (
    description_file,
    is_scenario,
    is_train_test,
    load,
    read,
    tables_of,
)
from aslib_eval.formats.aslib.scenario import described
from aslib_eval.formats.format import Format, Parsed
from aslib_eval.formats.sources import Location, Sources
from aslib_eval.lake.schema import partition


def _find(path: Path) -> list[Location]:
    """A folder that holds the folders train and test is one scenario."""
    return [Location(path, str(path))] if is_scenario(path) or is_train_test(path) else []


def _absent(path: Path) -> AslibError:
    if path.is_dir() and not any(path.iterdir()):
        hint = "Name a scenario, a table of runs, or a folder of them."
        return AslibError("is an empty folder", str(path), hint)
    what = "holds no description.txt, and no folder or archive in it does"
    return AslibError(what, str(path), "Is it an ASlib scenario?")


def _claim(location: Location) -> str | None:
    name = description_file(location)
    path = location.path / name
    if path.is_file():
        with suppress(OSError, AslibError):  # reported when its turn comes
            source = location.files.source(path, keep=True)
            description, _ = described(location, source, file=name)
            return None if description is None else description.scenario_id
    return None


def _identify(location: Location, sources: Sources) -> str:
    name = description_file(location)
    source = sources.get(name)
    if source is not None:
        description, _ = described(location, source, file=name)
        if description is not None:
            _require_short(description, location.file(name))
            return description.scenario_id
    raise ScenarioError(location.shown, check(read(location, sources)))


def _require_short(description: Description, file: str) -> None:
    try:
        partition(description.scenario_id)
    except AslibError as error:
        where = place(file, description.lines["scenario_id"])
        raise AslibError(error.message, where, error.hint) from None


def _read(location: Location, sources: Sources) -> Parsed:
    scenario = read(location, sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings):
        return Parsed(findings)
    return Parsed(findings, tables_of(scenario), scenario.missing)


ASLIB: Format = Format(
    "aslib", _find, _absent, _claim, load, _identify, _read, marks=("description.txt", "train", "test")
)
