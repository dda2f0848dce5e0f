"""Contests of probabilistic inference: each task of a folder is a scenario."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.contract import Format, Parsed
from aslib_eval.inference.files import is_contest, load, settings_of, tasks_of
from aslib_eval.inference.folder import read_contest, read_settings
from aslib_eval.inference.relations import relations
from aslib_eval.inference.scoring import score_contest
from aslib_eval.inference.settings import FILE
from aslib_eval.readers.locations import Location
from aslib_eval.readers.sources import Sources


def find_contests(path: Path) -> list[Location]:
    """The tasks of the contests at ``path``: itself, or the folders inside it.

    Raises AslibError if there is nothing of the kind, or it cannot be looked into.
    """
    try:
        inside = sorted(path.iterdir()) if path.is_dir() else []
        folders = [path] if is_contest(path) else [p for p in inside if is_contest(p)]
        parts = [(p, task) for p in folders for task in tasks_of(p) or ("",)]
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, str(path), "Check the permissions.") from None
    if not parts:
        hint = "Is it a contest of inference solvers?"
        raise AslibError(f"holds no {FILE} and no networks/*.uai", str(path), hint)
    return [Location(folder, str(folder), task) for folder, task in parts]


def _claim(location: Location) -> str | None:
    """As it is called, unless that is wrong: which is said when its turn comes."""
    with suppress(AslibError, OSError):
        return _identify(location, settings_of(location))
    return None


def _identify(location: Location, sources: Sources) -> str:
    settings, wrong = read_settings(location, sources)
    if wrong:
        raise ScenarioError(location.shown, wrong)
    if not location.part:
        hint = "Add answers/SOLVER/NAME.uai.TASK."
        raise AslibError("nobody has answered", location.file("answers"), hint)
    return f"{settings.name}-{location.part}"


def _read(location: Location, sources: Sources) -> Parsed:
    contest = read_contest(location, sources)
    findings = list(contest.findings)
    if any(f.severity == "error" for f in findings):
        return Parsed(tuple(findings))
    scored, said = score_contest(contest)
    findings += said
    if any(f.severity == "error" for f in said):
        return Parsed(tuple(findings))
    tables = relations(contest, scored, location=location, sources=sources)
    return Parsed(tuple(findings), tables)


UAI = Format("uai", find_contests, _claim, load, _identify, _read)
