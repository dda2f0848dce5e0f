"""Reader → checks → lake. A scenario goes in whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from aslib_eval import __version__, lake, versions
from aslib_eval.checks import check
from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.readers.archive import unpack
from aslib_eval.readers.aslib import (
    ARCHIVES,
    Location,
    Source,
    find_scenarios,
    load_sources,
    read_scenario,
)
from aslib_eval.readers.aslib_relations import relations
from aslib_eval.readers.description import parse_description

Status = Literal["imported", "unchanged", "failed"]


@dataclass(frozen=True)
class Imported:
    """What became of one scenario; ``rows`` counts the rows of every relation."""

    path: str
    status: Status
    scenario_id: str = ""
    rows: tuple[tuple[str, int], ...] = ()
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: AslibError | None = None


def import_scenarios(
    paths: Sequence[Path],
    *,
    into: Path,
    progress: bool = False,
) -> list[Imported]:
    """Import every scenario at the paths; a bad one does not stop the others.

    The outcomes come in the order of the paths; a failed one carries the AslibError,
    which holds all findings. ``progress`` shows a bar on stderr.
    Raises AslibError if a path holds no scenario or the lake cannot be written.
    """
    locations = [found for path in paths for found in find_scenarios(path)]
    versions.clean(into)
    claimed = _claims(locations)

    def one(location: Location) -> Imported:
        try:
            outcome = _import(location, into, claimed)
        except AslibError as error:
            findings = error.findings if isinstance(error, ScenarioError) else ()
            outcome = Imported(location.shown, "failed", findings=findings, error=error)
        return outcome

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(one, locations)
        return list(_tracked(outcomes, len(locations)) if progress else outcomes)


def _tracked(outcomes: Iterable[Imported], total: int) -> Iterable[Imported]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(outcomes, "importing", total, console=console, transient=True)


def _claims(locations: Sequence[Location]) -> dict[str, str]:
    """scenario_id → the first folder that has it (archives claim when unpacked)."""
    claimed: dict[str, str] = {}
    for location in locations:
        path = location.path / "description.txt"
        if path.is_file() and os.access(path, os.R_OK):
            description, _ = parse_description(path.read_bytes(), file="")
            if description is not None:
                claimed.setdefault(description.scenario_id, location.shown)
    return claimed


def _import(location: Location, into: Path, claimed: dict[str, str]) -> Imported:
    if not location.path.name.lower().endswith(ARCHIVES) or location.path.is_dir():
        return _import_folder(location, into, claimed)
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        folder = unpack(location.path, Path(scratch))
        inside = Location(folder, f"{location.shown}/{folder.name}")
        outcome = _import_folder(inside, into, claimed)
    return replace(outcome, path=location.shown)


def _import_folder(location: Location, into: Path, claimed: dict[str, str]) -> Imported:
    sources = load_sources(location)
    facts = _facts(location, sources)
    name = _scenario_id(location, sources)
    if (other := claimed.setdefault(name, location.shown)) != location.shown:
        what = f"its scenario_id {name!r} is also that of {other}"
        raise AslibError(what, location.shown, "Import one of the two.")
    known = versions.manifest(into, name)
    if known is not None and all(known.get(k) == v for k, v in facts.items()):
        return Imported(location.shown, "unchanged", name, _rows(known))
    scenario = read_scenario(location, sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings):
        raise ScenarioError(location.shown, findings)
    written = versions.replace(into, name, relations(scenario), facts)
    rows, missing = _rows(written), scenario.missing
    return Imported(location.shown, "imported", name, rows, missing, findings)


def _scenario_id(location: Location, sources: dict[str, Source]) -> str:
    """The scenario's id; all findings on the scenario if it has none."""
    source = sources.get("description.txt")
    if source is not None:
        description, _ = parse_description(source.content, file="")
        if description is not None:
            versions.partition(description.scenario_id)
            return description.scenario_id
    raise ScenarioError(location.shown, check(read_scenario(location, sources)))


def _rows(manifest: versions.Manifest) -> tuple[tuple[str, int], ...]:
    return tuple((n, facts["rows"]) for n, facts in manifest["relations"].items())


def _facts(location: Location, sources: dict[str, Source]) -> versions.Manifest:
    """What decides whether a scenario must be imported anew."""
    return {
        "folder": location.folder,
        "importer": __version__,
        "format": lake.FORMAT,
        "sources": {
            name: {"bytes": len(source.content), "sha256": source.sha256}
            for name, source in sorted(sources.items())
        },
    }
