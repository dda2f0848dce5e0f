"""MiniZinc Challenges: ``results.json`` as their site publishes it, gzipped or not.

``challenge_results`` knows what such a file must hold, ``challenge_runs`` what its
codes and times mean; both are loaded where there is one.
"""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.formats.competition_runs import year_of
from aslib_eval.formats.format import Finder, Format, Parsed
from aslib_eval.formats.sources import (
    FilesRead,
    Location,
    Source,
    Sources,
    load_files,
)

if TYPE_CHECKING:
    from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import (
        ChallengeResults,
    )

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
    head = files.head(path).content[:_HEAD]
    if path.suffix == ".gz":
        with suppress(zlib.error):
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    return all(key in head for key in _KEYS)


def _absent(path: Path) -> AslibError:
    verb = "holds" if path.is_dir() else "is"
    what = f"{verb} no results.json of a MiniZinc Challenge"
    return AslibError(what, str(path), "Its object 'results' has a list fd_solvers.")


def _results(location: Location, sources: Sources) -> ChallengeResults:
    """What the file holds; several formats of one import share it."""
    from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import (
        read_challenge,
        unzipped,
    )

    file, source = location.shown, sources[location.path.name]
    make = partial(read_challenge, unzipped(source.content, file=file), file=file)
    return location.files.once(("minizinc", source.sha256), make, keep=True)


def _claim(location: Location) -> str | None:
    with suppress(AslibError, OSError):
        return _identify(location, _load(location))
    return None


def _load(location: Location) -> dict[str, Source]:
    return load_files(location, ())


def _identify(location: Location, sources: Sources) -> str:
    year = year_of(location.shown)
    if not year:
        results = _results(location, sources)
        found = (re.search(r"20\d\d", file) for file in results.problem_files)
        year = next((match[0] for match in found if match is not None), "")
    if not year:
        what = "neither its name nor its contents say the year"
        hint = "Call it as in 2019.results.json."
        raise AslibError(what, location.shown, hint)
    return f"MZN-{year}"


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.competitions.formats.minizinc.challenge_runs import (
        read_runs,
    )

    return read_runs(_results(location, sources), location=location, sources=sources)


MINIZINC = Format(
    "minizinc",
    Finder(_find),
    _absent,
    _claim,
    _load,
    _identify,
    _read,
    same_id="Put the year into the name of the file.",
)
