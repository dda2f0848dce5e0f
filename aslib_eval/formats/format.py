"""What the importer wants to know of a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources
from aslib_eval.formats.table_choices import ABOUT_RUNS, TableChoices


@dataclass(frozen=True)
class Parsed:
    """A scenario as read; ``tables`` are its relations, none if a finding is an error.

    ``missing`` names files of the format that are absent. ``facts``: of a scenario that comes from a lake,
    with its selections and splits, what its manifest said there.
    """

    findings: tuple[Finding, ...]
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Finder:
    """A ``find`` that looks into files, which all formats then read once.

    look: the scenarios at a path.
    """

    look: Callable[[Path, FilesRead], list[Location]]

    def __call__(self, path: Path) -> list[Location]:
        """The scenarios at a path that nobody else has looked at."""
        return self.look(path, FilesRead())


@dataclass(frozen=True)
class Format:
    """How to read one kind of scenario.

    find: the scenarios that a path is itself, several if a folder holds several; none if it is none; raises
        OSError. One that looks into files is a ``Finder``.
    absent: an error for a path where none is found.
    claim: the scenario's id if that is quickly seen, else None.
    load: the files that it is made of, by name; raises AslibError.
    identify: its id; raises AslibError with all findings if it has none.
    read: what the files hold.

    Of formats for which options of ``import`` decide:
    choices: the fields of ``TableChoices`` that it understands; ``ABOUT_RUNS`` for tables of runs. It is
        left out where others are given.
    with_choices: the same format with what is decided.

    Of formats whose files another one could take for its own:
    marks: names of files and folders that only its folders have: no table in such a folder is that of a
        general format.
    is_header: whether a table with these columns is of its kind, also where ``find`` does not take it.
    is_general: whether it leaves to the other formats what they find before it, and what has their marks
        and headers.

    same_id: what to do where two of its scenarios have the same id.
    """

    name: str
    find: Callable[[Path], list[Location]]
    absent: Callable[[Path], AslibError]
    claim: Callable[[Location], str | None]
    load: Callable[[Location], dict[str, Source]]
    identify: Callable[[Location, Sources], str]
    read: Callable[[Location, Sources], Parsed]
    choices: frozenset[str] = frozenset()
    with_choices: Callable[[TableChoices], Format] | None = None
    marks: tuple[str, ...] = ()
    is_header: Callable[[Sequence[str]], bool] | None = None
    is_general: bool = False
    same_id: str = "Import one of the two."

    @property
    def is_of_runs(self) -> bool:
        """Whether its scenarios are tables of runs, or become such."""
        return self.choices >= ABOUT_RUNS


def absent(what: str, hint: str) -> Callable[[Path], AslibError]:
    """The ``absent`` of a format that says the same of every path."""
    return lambda path: AslibError(what, str(path), hint)


@dataclass(frozen=True)
class Found:
    """A scenario that waits to be read."""

    format: Format
    location: Location


@dataclass(frozen=True)
class Packed:
    """An archive that waits to be unpacked, and the formats that it may hold."""

    formats: tuple[Format, ...]
    location: Location
