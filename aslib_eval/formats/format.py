"""What the importer wants to know of a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.sources import Location, Source, Sources


@dataclass(frozen=True)
class Parsed:
    """A scenario as read; ``tables`` are its relations, none if a finding is an error.

    ``missing`` names files of the format that are absent.
    """

    findings: tuple[Finding, ...]
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """How to read one kind of scenario.

    find: the scenarios that a path is itself, several if a folder holds several; none
        if it is none; raises OSError.
    absent: an error for a path where none is found.
    claim: the scenario's id if that is quickly seen, else None.
    load: the files that it is made of, by name; raises AslibError.
    identify: its id; raises AslibError with all findings if it has none.
    read: what the files hold.
    """

    name: str
    find: Callable[[Path], list[Location]]
    absent: Callable[[Path], AslibError]
    claim: Callable[[Location], str | None]
    load: Callable[[Location], dict[str, Source]]
    identify: Callable[[Location, Sources], str]
    read: Callable[[Location, Sources], Parsed]


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
