"""What can be imported: a folder a format, all seen by the importer as the same.

A format says where its scenarios lie, which files belong to one, what its name is, and
what its relations are. To add one, write a folder with a ``Format`` and list it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.formats.aslib import ASLIB
from aslib_eval.formats.bayesmark import EXPERIMENTS
from aslib_eval.formats.format import Format, Found
from aslib_eval.formats.results import RESULTS
from aslib_eval.formats.uai import UAI

SELECTIONS = "selections"
FORMATS: Mapping[str, Format] = {
    each.name: each for each in (ASLIB, UAI, EXPERIMENTS, RESULTS)
}


def locate_all(paths: Sequence[Path], *, format: str | None = None) -> list[Found]:  # noqa: A002
    """Every scenario at the paths, in their order.

    Of several paths a folder called ``selections`` is passed over: it lies among the
    scenarios that a shell's ``*`` names, and 'import-selection' reads it.
    Raises: AslibError if a path holds none, or cannot be looked into.
    """
    chosen = [p for p in paths if len(paths) == 1 or p.name != SELECTIONS]
    return [found for path in chosen for found in locate(path, format=format)]


def locate(path: Path, *, format: str | None = None) -> list[Found]:  # noqa: A002
    """Every scenario at a path; of all formats, unless one is named.

    Raises: AslibError if there is none, or the path cannot be looked into. Of a CSV
    file it says what a table of results lacks.
    """
    if format is not None:
        if format not in FORMATS:
            hint = f"There are {', '.join(FORMATS)}."
            raise AslibError(f"no format is called {format!r}", None, hint)
        return _found(FORMATS[format], path)
    found, failed = [], []
    for each in FORMATS.values():
        try:
            found += _found(each, path)
        except AslibError as error:
            failed.append(error)
    if not found:
        raise failed[-1 if path.suffix.lower() == ".csv" and path.is_file() else 0]
    return found


def _found(format: Format, path: Path) -> list[Found]:  # noqa: A002
    return [Found(format, location) for location in format.find(path)]
