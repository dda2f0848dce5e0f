"""The pages of the report: of one scenario, the index over all, and what each was made of."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np

from aslib_eval.analysis.results import RunMatrix, ScenarioResults, SuiteResults, places_of, selectors_of
from aslib_eval.database.open_lake import OpenLake, manifests, open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.figures.chart import FAR, look
from aslib_eval.lake.results import digest
from aslib_eval.paths import LARGEST_TEXT, read_plain
from aslib_eval.plugins import of_others
from aslib_eval.provenance import code
from aslib_eval.reports.details import families_of
from aslib_eval.reports.details import instance_details as details
from aslib_eval.reports.html import (
    Html,
    Section,
    controls,
    glossary,
    join,
    link,
    live,
    page,
    paragraph,
    tag,
)
from aslib_eval.reports.sections import index_sections_of, sections_of
from aslib_eval.reports.sections.glance import badge


def scenario_page(results: ScenarioResults, *, full: bool = False, link: str | None = None) -> str:
    """Everything that the lake says of a scenario and measure, as one HTML file.

    full: with nothing folded. link: template of the address of a run's log.
    """
    sections = [*sections_of(results), glossary()]
    data = page_data(results, link)
    return page(
        title=results.title,
        head=badge(results),
        sections=sections,
        data=data,
        details=details(results),
        controls=None if data is None else _controls(results),
        full=full,
    )


def _controls(results: ScenarioResults) -> Html | None:
    found = results.baseline
    if found is None:
        return None
    return controls(
        timed=results.timed,
        penalty=results.choices["penalty"],
        families=bool(families_of(results)),
        shown={
            "n": live("n", found["n_instances"]),
            "SBS": join([live("sbs", found["sbs"]), " ", live("sbs-own", results.own(found["sbs_cost"]))]),
            "VBS": live("vbs-own", results.own(found["vbs_cost"])),
        },
    )


def page_data(results: ScenarioResults, link: str | None = None) -> dict[str, Any] | None:
    """Every run of the matrix; None if there is none, or a cost is missing.

    ``par1`` has null where no repetition is solved, as that is the cutoff. Numbers
    keep all digits: what the page computes is what SQL does, but for the rounding of sums.
    """
    matrix = results.complete
    if matrix is None:
        return None
    return {
        "solvers": [_solver(results, *solver) for solver in matrix.solvers],
        "instances": list(matrix.instances),
        "timed": results.timed,
        "cutoff": results.summary["cutoff"],
        "measure": results.with_unit("time") if results.timed else results.measure,
        "protocol": f"protocol {results.protocol}",
        "k": results.choices["penalty"],
        "maximize": bool(results.summary["maximize"]),
        "strict": results.choices["at_cutoff"] == "unsolved",
        "criterion": results.choices["sbs_criterion"],
        "par1": [_column(matrix, c, results.timed) for c in range(len(matrix.solvers))],
        "part": _parts(matrix) if results.timed else [],
        "uses": _uses(results, matrix),
        "intervals": _intervals(results, matrix),
        **_features(results, matrix),
        "families": families_of(results) or None,
        "unit": results.summary["time_unit"] or "",
        "scenario": results.scenario_id,
        "link": link,
    }


def _solver(results: ScenarioResults, kind: str, name: str) -> dict[str, Any]:
    """Kind, name and how it is drawn: of the algorithms the best have a colour."""
    place = results.shown_places.get((kind, name))
    if place is None or (kind == "algorithm" and place >= FAR):
        return {"kind": kind, "name": name}
    found = {key: value for key, value in asdict(look(place)).items() if value}
    return {"kind": kind, "name": name, **found}


def _uses(results: ScenarioResults, matrix: RunMatrix) -> list[list[int]]:
    """Number of a selector, of an algorithm it chooses, and on how many instances."""
    number = {solver: at for at, solver in enumerate(matrix.solvers)}
    return [
        [number["selector", selector], number["algorithm", algorithm], n]
        for selector, algorithm, n in results.frames["use"].rows()
        if ("selector", selector) in number and ("algorithm", algorithm) in number
    ]


def _intervals(results: ScenarioResults, matrix: RunMatrix) -> list[list[float | None]]:
    """Number of a selector, and the interval of its closed gap; null is no end.

    As in ``gap --interval``: instances are drawn anew, with SBS and VBS in each draw.
    """
    frame = results.frames.get("gap_interval")
    if frame is None:
        return []
    found = frame.select("solver", "closed_gap", "gap_low", "gap_high").rows()
    return [
        [matrix.number("selector", solver), low, high]
        for solver, gap, low, high in found
        if gap is not None and ("selector", solver) in matrix.solvers
    ]


def _column(matrix: RunMatrix, column: int, timed: bool) -> list[float | None]:  # noqa: FBT001
    costs, solved = matrix.costs[:, column].tolist(), matrix.solved[:, column].tolist()
    return [_short(c) if s > 0 or not timed else None for c, s in zip(costs, solved, strict=True)]


def _short(value: float) -> float | int:
    """5 instead of 5.0: the same number, in fewer bytes."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _parts(matrix: RunMatrix) -> list[list[float | int]]:
    rows, columns = np.nonzero((matrix.solved > 0) & (matrix.solved < 1))
    return [[int(c), int(r), float(matrix.solved[r, c])] for r, c in zip(rows, columns, strict=True)]


def _features(results: ScenarioResults, matrix: RunMatrix) -> dict[str, Any]:
    """What a VBS pays for features on each instance, in the order of the matrix."""
    frame = results.frames["attainable"]
    found = {i: (c, p) for i, c, p in frame.select("instance", "feature_cost", "presolved").rows()}
    if not results.timed or set(found) != set(matrix.instances):
        return {"featureCost": None, "presolved": None}
    return {
        "featureCost": [_short(float(found[i][0])) for i in matrix.instances],
        "presolved": [int(found[i][1]) for i in matrix.instances],
    }


@dataclass(frozen=True)
class Unreported:
    """A scenario without a page of its own: where its page is that says why."""

    scenario_id: str
    link: str
    why: str


def missing_page(scenario_id: str, why: str) -> str:
    """The page of a scenario that cannot be reported."""
    body = paragraph(f"It cannot be reported ({why}). All others are.")
    words = Section("missing", "Why", "", body)
    return page(title=scenario_id, sections=[words])


def _missing(missing: Sequence[Unreported]) -> Section | None:
    if not missing:
        return None
    lines = (tag("li", link(one.scenario_id, to=one.link), f": {one.why}") for one in missing)
    title = f"Not reported ({len(missing)})"
    return Section("missing", title, "in no number here", tag("ul", *lines))


def index_page(suite: SuiteResults, *, missing: Sequence[Unreported] = (), full: bool = False) -> str:
    """The index over all pages; ``missing`` have one that says why it is all."""
    found = _missing(missing)
    sections = [*([found] if found else ()), *index_sections_of(suite)]
    sections.append(glossary())
    return page(title="All scenarios", sections=sections, full=full)


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
