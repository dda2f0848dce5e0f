"""What the pages of a report are made of, so that the same are not made again."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Self

from aslib_eval.analysis.scenario_results import places_of, selectors_of
from aslib_eval.database.leases import manifests
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.lake.results import digest
from aslib_eval.paths import LARGEST_TEXT, read_plain
from aslib_eval.plugins import of_others
from aslib_eval.provenance import code

RECORD = ".made-of.json"
# What the digits of a page depend on beside our code and DuckDB.
_LIBRARIES = ("numpy", "polars", "scipy")
# Kinds of plug-ins that shape pages.
_ON_PAGES = ("figures", "sections", "metrics")
_ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True)
class Inputs:
    """A hash of all that the pages of a scenario are made of; rows of its data.

    The hash is empty where a plug-in adds to the pages: what they are made of then, nobody but it knows,
    and they are always made anew.
    """

    made_of: str
    rows: int


@dataclass(frozen=True)
class Wanted:
    """What a report is asked to show: under which protocol, whether unfolded.

    link: template of the address of a run's log.
    """

    lake: Path
    protocol: Protocol
    scenarios: tuple[str, ...] = ()
    sql_dirs: tuple[Path, ...] = ()
    full: bool = False
    link: str | None = None

    def anywhere(self) -> Self:
        """The same for processes in other folders."""
        folders = tuple(folder.absolute() for folder in self.sql_dirs)
        return replace(self, lake=self.lake.absolute(), sql_dirs=folders)

    def opened(self, scenarios: Sequence[str], *, shown: bool = False) -> OpenLake:
        """Some scenarios of the open lake; shown: draw a bar while they are built."""
        return open_lake(
            self.lake, protocols=[self.protocol], scenarios=scenarios, sql_dirs=self.sql_dirs, shown=shown
        )

    def inputs(self) -> dict[str, Inputs]:
        """What the pages of each scenario are made of now, by id.

        These are its data, the protocol, the SQL, the code and the libraries, and the colours that its
        selectors have in the whole lake.
        """
        choices = json.dumps(asdict(self.protocol), sort_keys=True)
        selectors = selectors_of(self.lake)
        places = places_of(selectors)
        shown = (str(self.full), str(self.link))
        alike = (choices, code(self.sql_dirs), _assets(), *shown)
        known = not of_others(*_ON_PAGES)
        return {
            scenario_id: Inputs(
                digest(
                    *alike,
                    json.dumps(manifest, sort_keys=True),
                    json.dumps([places[s] for s in selectors.get(scenario_id, ())]),
                )
                if known
                else "",
                sum(facts["rows"] for facts in manifest["relations"].values()),
            )
            for scenario_id, manifest in manifests(self.lake, self.scenarios).items()
        }


@cache
def _assets() -> str:
    """A hash of what goes into every page, and of the versions of the libraries."""
    texts = (path.read_bytes() for path in sorted(_ASSETS.iterdir()))
    return digest(sys.version, *map(version, _LIBRARIES), *texts)


@dataclass(frozen=True)
class Page:
    """A page: the measure it shows, its name if it were alone, and its hash.

    file: its name in the folder, which may differ as no two names differ in case
    alone.
    """

    measure: str
    name: str
    content: str
    file: str = ""

    def title(self, scenario_id: str) -> str:
        """The scenario's id, with the measure where that is not the primary one."""
        # ~ parts the two names, so that none has it.
        return f"{scenario_id} · {self.measure}" if "~" in self.name else scenario_id

    def __post_init__(self) -> None:
        """Raise ValueError where a file lies in another folder."""
        if not all(isinstance(value, str) for value in astuple(self)):
            raise TypeError(self)
        if Path(self.file).name != self.file:
            raise ValueError(self.file)


@dataclass(frozen=True)
class Pages:
    """The pages of a scenario, and the hash of what they are made of.

    why: reason for which there are none.
    """

    made_of: str
    pages: tuple[Page, ...]
    why: str = ""


@dataclass(frozen=True)
class Record:
    """The pages that are in a folder: those of each scenario, and the index."""

    scenarios: Mapping[str, Pages] = field(default_factory=dict)
    index: Pages = field(default=Pages("", ()))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The record of a folder; empty if there is none, or it is damaged."""
        file = folder / RECORD
        with suppress(*(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError)):
            found = json.loads(read_plain(file, most=LARGEST_TEXT))
            scenarios = found["scenarios"].items()
            return cls(
                {scenario_id: _pages(*made) for scenario_id, made in scenarios}, _pages(*found["index"])
            )
        return cls()

    def text(self) -> str:
        """The record as JSON; scenarios without a page are left out."""
        found = {
            scenario_id: _plain(made)
            for scenario_id, made in sorted(self.scenarios.items())
            if not made.why
        }
        return json.dumps({"index": _plain(self.index), "scenarios": found}, indent=1)


def _plain(made: Pages) -> list[object]:
    return [made.made_of, [astuple(page) for page in made.pages]]


def _pages(made_of: str, pages: list[list[str]]) -> Pages:
    return Pages(made_of, tuple(Page(*page) for page in pages))
