"""Data of AutoFolio: a table of performances beside a table of features, with or without description.txt.

Both have a row an instance; performances have a column an algorithm. description.txt is that of ASlib:
it says the cutoff, the measure, its type and its direction.

Source: ``ASlibScenario.read_from_csv`` as AutoFolio 2.1 calls it, and csv/ of github.com/lteu/AutoFolio.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats import ABOUT_RUNS, Finder, Format, Parsed, TableChoices, absent
from aslib_eval.formats.aslib.description import Description, parse_description
from aslib_eval.formats.features import FeatureFile
from aslib_eval.formats.runs import SETTINGS, merged, over
from aslib_eval.formats.runs.cells import ALIASES
from aslib_eval.formats.runs.raw_table import RawTable, ending, first_called, is_packed, read_raw
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources, said_as_source

DESCRIPTION = "description.txt"
_QUALITY = "objective"
_FEATURES = "feat"  # in the name of the table of features
_HINT = "AutoFolio reads two tables: one with a column per algorithm, and features.csv."


def autofolio_format(choices: TableChoices) -> Format:
    """The format, with what its user decides about the runs."""
    return Format(
        "autofolio",
        Finder(partial(_find, choices)),
        absent("holds no tables of performances and features of AutoFolio", _HINT),
        lambda location: _identify(choices, location, _settings(location)),
        partial(_load, choices),
        partial(_identify, choices),
        partial(_read, choices),
        choices=ABOUT_RUNS,
        with_choices=autofolio_format,
        same_id="Import one of the two, or give another --scenario-id.",
    )


def pair_of(folder: Path) -> tuple[Path, Path] | None:
    """The tables of performances and of features; None if a folder holds something else."""
    tables = [path for path in folder.iterdir() if ending(path) in (".csv", ".tsv", ".parquet")]
    features = [path for path in tables if _FEATURES in path.name.lower()]
    others = [path for path in tables if path not in features]
    is_pair = len(features) == len(others) == 1 and not any(folder.glob("*.arff"))
    return (others[0], features[0]) if is_pair and all(map(Path.is_file, tables)) else None


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if not path.is_dir() or (pair := pair_of(path)) is None:
        return []
    location = Location(path, str(path), files=files)
    if not (path / DESCRIPTION).is_file():
        from aslib_eval.formats.runs.layout import layout_of

        chosen, _, _ = merged(choices, _settings(location), file=SETTINGS)
        raw = _table(pair[0], files.source(pair[0], keep=True), file=str(pair[0]))
        if layout_of(raw, chosen).findings:
            return []
    return [location]


def _settings(location: Location) -> dict[str, Source]:
    paths = (location.path / name for name in (SETTINGS, DESCRIPTION))
    return {path.name: location.files.source(path, keep=True) for path in paths if path.is_file()}


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    with os_errors(hint="Check the permissions."):
        sources = {path.name: location.files.source(path) for path in pair_of(location.path) or ()}
        sources |= _settings(location)
    return sources | said_as_source(choices.text())


def _table(path: Path, source: Source, *, file: str) -> RawTable:
    return read_raw(source.content, kind=ending(path), packed=is_packed(path), file=file)


def _decided(
    choices: TableChoices, location: Location, sources: Sources
) -> tuple[TableChoices, str, Description | None]:
    """The choices of the user, scenario.toml and description.txt; the unit of the times."""
    chosen, unit, wrong = merged(choices, sources, file=location.file(SETTINGS))
    description: Description | None = None
    found: tuple[Finding, ...] = ()
    if not wrong and DESCRIPTION in sources:
        content = sources[DESCRIPTION].content
        description, found = parse_description(content, file=location.file(DESCRIPTION))
    if wrong or (description is None and found):
        raise ScenarioError(location.shown, [*wrong, *found])
    if description is None:
        return chosen, unit, None
    stated = TableChoices(scenario_id=description.scenario_id)
    if description.measures[0].type == "runtime":
        stated = replace(stated, cutoff=description.cutoff)
    elif description.measures[0].maximize:
        stated = replace(stated, maximize=(_QUALITY,))
    return over(chosen, stated), unit or description.time_unit or "", description


def _identify(choices: TableChoices, location: Location, sources: Sources) -> str:
    return _decided(choices, location, sources)[0].scenario_id or location.folder


def _read(choices: TableChoices, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.runs.table_runs import read_table

    pair = pair_of(location.path)
    if pair is None:
        raise AslibError("its files have changed", location.shown, "Import it again.")
    chosen, unit, description = _decided(choices, location, sources)
    runs, features = (location.file(path.name) for path in pair)
    raw = _table(pair[0], sources[pair[0].name], file=runs)
    if description is not None and description.measures[0].type != "runtime" and raw.header:
        instance = first_called(raw.header, ALIASES["instance"]) or raw.header[0]
        names = (name if name == instance else f"{name}:{_QUALITY}" for name in raw.header)
        raw = replace(raw, header=tuple(names))
    parsed = read_table(raw, chosen, location=location, sources=sources, unit=unit)
    if "run" in parsed.tables:
        parsed = FeatureFile.of(sources[pair[1].name], pair[1], file=features).added(parsed)
    return parsed


AUTOFOLIO = autofolio_format(TableChoices())
