"""Reader → checks → lake. A scenario goes in whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pyarrow as pa

from aslib_eval import __version__, lake, versions
from aslib_eval.checks import check
from aslib_eval.errors import AslibError, Finding, ScenarioError, place
from aslib_eval.readers.archive import unpack
from aslib_eval.readers.aslib import Scenario, Source, load_sources, read_scenario
from aslib_eval.readers.aslib_relations import relations
from aslib_eval.readers.contest import (
    Contest,
    contest_relations,
    load_contest,
    read_contest,
)
from aslib_eval.readers.description import Description, parse_description
from aslib_eval.readers.locations import (
    ARCHIVES,
    PARTS,
    Location,
    find_scenarios,
    is_contest,
)

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
    done: Callable[[Imported], None] | None = None,
    progress: bool = False,
) -> list[Imported]:
    """Import every scenario at the paths; a bad one does not stop the others.

    The outcomes come in the order of the paths; a failed one carries the AslibError,
    which holds all findings. ``done`` is told of each as soon as those before it
    are through. ``progress`` shows a bar on stderr.
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
        # The largest first, so that none is left alone at the end.
        largest = sorted(locations, key=_size, reverse=True)
        running = {location: pool.submit(one, location) for location in largest}
        outcomes: Iterable[Imported] = (running[x].result() for x in locations)
        if progress:
            outcomes = _tracked(outcomes, len(locations))
        try:
            return [outcome for outcome in outcomes if _told(outcome, done)]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _size(location: Location) -> int:
    files = location.path.rglob("*") if location.path.is_dir() else (location.path,)
    return sum(path.stat().st_size for path in files if path.is_file())


def _told(outcome: Imported, done: Callable[[Imported], None] | None) -> bool:
    if done is not None:
        done(outcome)
    return True


def _tracked(outcomes: Iterable[Imported], total: int) -> Iterable[Imported]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(outcomes, "importing", total, console=console, transient=True)


def _claims(locations: Sequence[Location]) -> dict[str, str]:
    """scenario_id → the first folder that has it (archives claim when unpacked)."""
    claimed: dict[str, str] = {}
    for location in locations:
        name = _description(location)
        path = location.path / name
        if path.is_file():
            file = location.file(name)
            with suppress(OSError):  # which is said when its turn comes
                description, _ = parse_description(path.read_bytes(), file=file)
                if description is not None:
                    claimed.setdefault(description.scenario_id, location.shown)
    return claimed


def _import(location: Location, into: Path, claimed: dict[str, str]) -> Imported:
    if not location.path.name.lower().endswith(ARCHIVES) or location.path.is_dir():
        return _import_folder(location, into, claimed)
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        inside = _unpacked(location, Path(scratch))
        outcome = _import_folder(inside, into, claimed)
    return replace(outcome, path=location.shown)


def _unpacked(location: Location, scratch: Path) -> Location:
    """The one scenario of an archive."""
    try:
        folder = unpack(location.path, scratch)
    except AslibError as error:
        raise AslibError(error.message, location.shown, error.hint) from None
    (found, *more) = find_scenarios(folder)
    if more:
        hint = "Unpack it and import the folder."
        raise AslibError("holds several scenarios", location.shown, hint)
    name = location.folder.partition(".")[0] if folder == scratch else folder.name
    return Location(found.path, f"{location.shown}/{name}")


def _import_folder(location: Location, into: Path, claimed: dict[str, str]) -> Imported:
    contest = is_contest(location.path)
    sources = load_contest(location) if contest else load_sources(location)
    facts = _facts(location, sources)
    name = _scenario_id(location, sources)
    if (other := claimed.setdefault(name, location.shown)) != location.shown:
        what = f"its scenario_id {name!r} is also that of {other}"
        raise AslibError(what, location.shown, "Import one of the two.")
    known = versions.manifest(into, name)
    if known is not None and all(known.get(k) == v for k, v in facts.items()):
        return Imported(location.shown, "unchanged", name, _rows(known))
    scenario = _read(location, sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings):
        raise ScenarioError(location.shown, findings)
    tables = _relations(scenario)
    written = versions.replace(into, name, tables, facts)
    rows, missing = _rows(written), scenario.missing
    return Imported(location.shown, "imported", name, rows, missing, findings)


def _read(location: Location, sources: dict[str, Source]) -> Scenario | Contest:
    if is_contest(location.path):
        return read_contest(location, sources)
    return read_scenario(location, sources)


def _relations(scenario: Scenario | Contest) -> dict[str, pa.Table]:
    if isinstance(scenario, Contest):
        return contest_relations(scenario)
    return relations(scenario)


def _description(location: Location) -> str:
    """The file that names the scenario; of a contest, the training part's."""
    contest = is_contest(location.path)
    return f"{PARTS[0]}/description.txt" if contest else "description.txt"


def _scenario_id(location: Location, sources: dict[str, Source]) -> str:
    """The scenario's id; all findings on the scenario if it has none."""
    name = _description(location)
    source = sources.get(name)
    if source is not None:
        file = location.file(name)
        description, _ = parse_description(source.content, file=file)
        if description is not None:
            _require_short(location, description)
            return description.scenario_id
    raise ScenarioError(location.shown, check(_read(location, sources)))


def _require_short(location: Location, description: Description) -> None:
    try:
        versions.partition(description.scenario_id)
    except AslibError as error:
        file = location.file(_description(location))
        where = place(file, description.lines["scenario_id"])
        raise AslibError(error.message, where, error.hint) from None


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
