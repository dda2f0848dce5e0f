"""MiniZinc Challenges: ``results.json`` as their site publishes it, gzipped or not.

``challenge_results`` knows what such a file must hold, ``challenge_runs`` what its codes and times mean.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.formats.competition_runs import year_of
from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import (
    ChallengeResults,
    read_challenge,
    unzipped,
)
from aslib_eval.extensions.competitions.formats.minizinc.challenge_runs import read_runs
from aslib_eval.extensions.competitions.formats.raw_file import RawFormat, beginning
from aslib_eval.formats.sources import FilesRead, Location

_ENDINGS = ("results.json", "results.json.gz")
_HEAD = 1 << 16  # bytes that show what a file is
_KEYS = (b'"results"', b'"solvers"', b'"fd_solvers"')


def _find(path: Path, files: FilesRead) -> list[Location]:
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    return [Location(each, str(each)) for each in inside if is_challenge(each, files)]


def is_challenge(path: Path, files: FilesRead) -> bool:
    """Whether a file is surely one: called so, with the keys of one where it begins."""
    if not path.name.lower().endswith(_ENDINGS) or not path.is_file():
        return False
    head = beginning(path, files, _HEAD)
    return all(key in head for key in _KEYS)


def _results(location: Location) -> ChallengeResults:
    """What the file holds; several formats of one import share it."""
    file, source = location.shown, location.files.source(location.path, keep=True)
    make = partial(read_challenge, unzipped(source.content, file=file), file=file)
    return location.files.once(("minizinc", source.sha256), make, keep=True)


def _identify(location: Location, name: str) -> str:
    """MZN and the year, by the path or else by what the file says; or the name."""
    year = year_of(location.shown)
    if not (year or name):
        results = _results(location)
        found = (re.search(r"20\d\d", file) for file in results.problem_files)
        year = next((match[0] for match in found if match is not None), "")
    if not (year or name):
        hint = "Call it as in 2019.results.json, or say --scenario-id MZN-2019."
        raise AslibError("neither its name nor its contents say the year", location.shown, hint)
    return name or f"MZN-{year}"


MINIZINC = RawFormat(
    "minizinc",
    _find,
    "results.json of a MiniZinc Challenge",
    "Its object 'results' has a list fd_solvers.",
    _identify,
    lambda raw, _: read_runs(_results(raw.location), raw),
    same_id="Put the year into the name of the file.",
).decided()
