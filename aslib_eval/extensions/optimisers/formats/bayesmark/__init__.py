"""Experiments of optimisers: a folder of bayesmark's, or a plain table of evaluations.

A folder holds ``eval/*.json`` or ``derived/eval.json``, or else ``evaluations.csv``; ``experiment.toml``
beside them is optional. A CSV file alone will do. ``experiment`` reads them; it is loaded where there is
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aslib_eval.extensions.optimisers.formats.bayesmark.evaluations import DERIVED, NAMES, TABLE
from aslib_eval.formats.csv_rows import header_of, positions
from aslib_eval.formats.format import Finder, Format, Parsed, absent
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources

_NEEDED = {"problem", "method", "iteration"}


def _find(path: Path, files: FilesRead) -> list[Location]:
    is_ours = _is_folder(path) or _is_header(header_of(path, files))
    return [Location(path, str(path))] if is_ours else []


def _is_folder(path: Path) -> bool:
    """Not of a scenario of ASlib, which may hold such a file by chance."""
    return not (path / "description.txt").exists() and (
        (path / TABLE).is_file() or (path / DERIVED).is_file() or any((path / "eval").glob("*.json"))
    )


def _is_header(columns: Sequence[str]) -> bool:
    return positions(columns, NAMES).keys() >= _NEEDED


def _claim(location: Location) -> str | None:
    from aslib_eval.extensions.optimisers.formats.bayesmark.experiment import claim

    return claim(location)


def _load(location: Location) -> dict[str, Source]:
    from aslib_eval.extensions.optimisers.formats.bayesmark.experiment import load

    return load(location)


def _identify(location: Location, sources: Sources) -> str:
    from aslib_eval.extensions.optimisers.formats.bayesmark.experiment import identify

    return identify(location, sources)


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.optimisers.formats.bayesmark.experiment import read

    return read(location, sources)


EXPERIMENTS = Format(
    "bayesmark",
    Finder(_find),
    absent(
        f"holds no eval/*.json, {DERIVED} or {TABLE}, and is no such table",
        "A table has the columns problem, method, trial, iteration and value.",
    ),
    _claim,
    _load,
    _identify,
    _read,
    marks=(TABLE, "eval", "derived"),
    is_header=_is_header,
)
