"""What a scenario tells the harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Key = tuple[str, ...]
Send = Callable[[Any], None]
Child = Callable[[Send], None]
# The first word of a key: what a scenario is made of, runs made again, and the same runs alone, beside a
# second worker and together with it on one core.
KINDS = ("run", "feature", "repeat", "alone", "beside", "together")


@dataclass(frozen=True)
class Limits:
    """What a measured process may use: seconds of CPU, of wall clock, and bytes."""

    cpu: float
    wall: float
    memory: int


@dataclass(frozen=True)
class Outcome:
    """What the operating system says of a process that has ended.

    ``end`` is ``done`` (it returned), ``cpu``, ``wall`` or ``memory`` (the limit that ended it), else
    ``crash``. ``cpu`` is user plus system time [s], ``wall`` [s], ``peak`` the largest resident set [byte];
    ``code`` as ``os.waitstatus_to_exitcode``.
    """

    end: str
    cpu: float
    wall: float
    peak: int
    code: int


@dataclass(frozen=True)
class Record:
    """One line of the journal: a measurement and what its judge made of it."""

    key: Key
    outcome: Outcome
    found: dict[str, Any]
    at: float  # seconds since 1970 when it ended


@dataclass(frozen=True)
class Folder:
    """A scenario folder to be written: tables of the contract, texts, extra files."""

    tables: Mapping[str, Any]
    readme: str
    citation: str
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recheck:
    """A committed run to be made again: what it says, and whether the new one agrees.

    ``agrees`` gets the new record; None if it does, else what is wrong.
    """

    key: Key
    told: str
    agrees: Callable[[Record], str | None]


@dataclass(frozen=True)
class Plan:
    """A scenario that can be measured; the package's docstring says what is what."""

    scenario_id: str
    jobs: Callable[[], Sequence[Key]]
    limits: Callable[[Key], Limits]
    work: Callable[[Key], Child]
    judge: Callable[[Key, list[Any], Outcome], dict[str, Any]]
    instances: Callable[[], Iterator[tuple[str, bytes]]]
    assemble: Callable[[Sequence[Record], Sequence[dict[str, Any]]], Folder]
    again: Callable[[Sequence[Record]], Sequence[Key]]
    recheck: Callable[[Path], Iterable[Recheck]]
    packages: tuple[str, ...]  # whose versions are written down
