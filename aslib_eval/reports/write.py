"""The lake → a folder of pages: all of them, or none changed.

The pages of each scenario are made by themselves, if need be in another process, and the index of what all
scenarios say together. What is there already and is made of what it would be made of now is kept.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cache, partial
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from urllib.parse import quote

from aslib_eval.analysis.compare.systems import over_scenarios
from aslib_eval.analysis.results import (
    Frames,
    ScenarioLine,
    ScenarioResults,
    SuiteResults,
    build_for_pages,
    line_frames,
    page_frames,
    places_of,
    read_aggregates,
    scenarios_of,
    selectors_of,
)
from aslib_eval.atomic_files import replacing, require_folder
from aslib_eval.database.open_lake import OpenLake, manifests, open_lake
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError, is_interrupt, sentence
from aslib_eval.executors import computed, processes
from aslib_eval.lake.versions import carrying, digest
from aslib_eval.paths import LARGEST_TEXT, read_plain
from aslib_eval.plugins import PlugIn, of_others, plug_ins
from aslib_eval.progress import progress_bar
from aslib_eval.provenance import code
from aslib_eval.reports.html import Place, redirection, with_places
from aslib_eval.reports.sections import Unreported, index_page, missing_page, scenario_page
from aslib_eval.text import plural

RECORD = ".made-of.json"
# What the digits of a page depend on beside our code and DuckDB.
_LIBRARIES = ("numpy", "polars", "scipy")
# Kinds of plug-ins that shape pages.
_ON_PAGES = ("figures", "sections", "metrics")
_ASSETS = Path(__file__).parent / "assets"
PAGES = "scenario"
INDEX = "index.html"
_LONGEST = 200
_LEAST, _MOST = 100_000, 300_000  # rows of scenarios whose pages are made together
_PARTS = 2  # a worker, at least: it may be slower than others
# Measure, file name and content of each page of a scenario; or why it has none.
_Made = list[tuple[str, str, bytes]] | str


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
        selectors = selectors_of(self.lake)
        places = places_of(selectors)
        choices = json.dumps(asdict(self.protocol), sort_keys=True)
        alike = (choices, code(self.sql_dirs), _assets(), str(self.full), str(self.link))
        found = {}
        for name, manifest in manifests(self.lake, self.scenarios).items():
            colours = json.dumps([places[s] for s in selectors.get(name, ())])
            made_of = digest(*alike, json.dumps(manifest, sort_keys=True), colours)
            n = sum(facts["rows"] for facts in manifest["relations"].values())
            found[name] = Inputs("" if of_others(*_ON_PAGES) else made_of, n)
        return found


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

    @property
    def plain(self) -> list[object]:
        """As it is noted."""
        return [self.made_of, [astuple(page) for page in self.pages]]


@dataclass(frozen=True)
class Record:
    """The pages that are in a folder: those of each scenario, and the index."""

    scenarios: Mapping[str, Pages] = field(default_factory=dict)
    index: Pages = field(default=Pages("", ()))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The record of a folder; empty if there is none, or it is damaged."""
        with suppress(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            found = json.loads(read_plain(folder / RECORD, most=LARGEST_TEXT))
            scenarios = {name: _pages_of(*made) for name, made in found["scenarios"].items()}
            return cls(scenarios, _pages_of(*found["index"]))
        return cls()

    def text(self) -> str:
        """The record as JSON; scenarios without a page are left out."""
        found = {name: made.plain for name, made in sorted(self.scenarios.items()) if not made.why}
        return json.dumps({"index": self.index.plain, "scenarios": found}, indent=1)


def _pages_of(made_of: str, pages: list[list[str]]) -> Pages:
    return Pages(made_of, tuple(Page(*page) for page in pages))


def write_report(  # noqa: PLR0913 - one for each choice
    lake: str | PathLike[str],
    *,
    to: Path,
    protocol: str | Protocol = "default",
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
    progress: bool = False,
    jobs: int | None = 1,
    executor: Executor | None = None,
    memory: int | None = None,
    force: bool = False,
    full: bool = False,
    link: str | None = None,
    beside: Sequence[Place] = (),
) -> list[Path]:
    """Write ``index.html`` and ``scenario/NAME.html`` for every scenario and measure.

    The index of one page leads to it. full: nothing on the pages is folded. link: the address of each run's
    log, see ``require_link``. beside: other files in the folder that every page links to.
    The files stand alone: no network, no other file. The same lake gives the same bytes. All pages are
    replaced together or none is; other files in ``to`` stay. ``progress`` shows a bar on stderr.
    A page that is there and would get the same bytes is kept rather than made again, unless with ``force``;
    what each is made of is noted in ``.made-of.json``.
    ``jobs`` processes work at once (None: one a core). executor: what works instead of them, with so many
    bytes of ``memory`` for DuckDB each.
    A scenario that no page can be made of has one that says why; all others are written, and ReportError
    names it then.

    """
    require_folder(to)
    if link is not None:
        require_link(link)
    wanted = Wanted(Path(lake), load(protocol), tuple(scenarios), tuple(sql_dirs), full, link)
    with replacing(to) as draft, TemporaryDirectory(prefix="aslib-eval-") as scratch:
        report = _Report(wanted, Path(scratch), executor, jobs, memory, tuple(beside))
        if not force:
            report.take_over(to)
        report.complete(shown=progress)
        if report.changed:
            for name, content in report.files():
                draft.write(name, content)
    files = [page.file for _, made in report.in_order() for page in made.pages]
    written = [*(to / PAGES / name for name in files), to / INDEX]
    if report.failed:
        raise ReportError(report.failed, written)
    return written


_NAMES_IN_LINKS = {"instance", "solver", "scenario"}


def require_link(link: str) -> None:
    """Raise AslibError unless it is a template of addresses of the logs of runs.

    It has {instance} in it, mostly {solver}, maybe {scenario}, and begins with http://, https:// or
    file://, or leads from a page to files beside it.
    """
    names = set(re.findall(r"\{(.*?)\}", link))
    scheme = re.match(r"\s*([\w+.-]*):", link)
    if scheme and scheme[1].lower() not in {"http", "https", "file"}:
        raise AslibError(
            f"a link does not begin with '{scheme[1]}:'", hint="Begin it with https:// or a folder."
        )
    if "instance" not in names or names - _NAMES_IN_LINKS:
        hint = "Write it as https://example.org/{instance}/{solver}.log."
        raise AslibError(f"'{link}' does not say which run's log is where", hint=hint)


class ReportError(AslibError):
    """Some scenarios have no page of their own; ``written`` are all files."""

    def __init__(self, failed: Mapping[str, str], written: Sequence[Path]) -> None:
        self.failed = dict(failed)
        self.written = list(written)
        super().__init__(f"{plural(len(self.failed), 'scenario')} not reported")

    def __str__(self) -> str:
        return "\n".join(
            sentence(name, f"cannot be reported ({why})", "All others are.")
            for name, why in self.failed.items()
        )


@dataclass
class _Report:
    """A report in the making.

    scratch: folder with each content under its hash. executor, jobs, memory, beside: see ``write_report``.
    scenarios: those that are asked for. others: those that are not, and whose pages are left in the folder.
    changed: whether anything is not as it was taken over.
    """

    wanted: Wanted
    scratch: Path
    executor: Executor | None
    jobs: int | None
    memory: int | None
    beside: tuple[Place, ...] = ()
    scenarios: dict[str, Pages] = field(default_factory=dict)
    others: dict[str, Pages] = field(default_factory=dict)
    index: Pages = field(default=Pages("", ()))
    changed: bool = False

    @property
    def failed(self) -> dict[str, str]:
        """Why some scenarios have no page, by name."""
        return {name: made.why for name, made in self.in_order() if made.why}

    def in_order(self) -> list[tuple[str, Pages]]:
        """Those with pages, then those without, by name."""
        return sorted(self.scenarios.items(), key=lambda x: (bool(x[1].why), x[0]))

    def take_over(self, folder: Path) -> None:
        """Keep what a folder has, as far as it is as it was written."""
        there = Record.read(folder)
        for scenario_id, made in there.scenarios.items():
            if all(self._is_taken(folder / PAGES, page) for page in made.pages):
                self.others[scenario_id] = made
        if all(self._is_taken(folder, page) for page in there.index.pages):
            self.index = there.index

    def _is_taken(self, folder: Path, page: Page) -> bool:
        path = folder / page.file
        return path.is_file() and self._keep(path.read_bytes()) == page.content

    def _keep(self, content: bytes) -> str:
        found = hashlib.sha256(content).hexdigest()
        (self.scratch / found).write_bytes(content)
        return found

    def complete(self, *, shown: bool) -> None:
        """Make what is missing; again, if the lake was changed meanwhile."""
        before: dict[str, Inputs] = {}
        inputs = self.wanted.inputs()
        while inputs != before:
            known = self.others | self.scenarios
            self.scenarios = {n: known.pop(n) for n in inputs if n in known}
            self.others = {n: made for n, made in known.items() if not made.why}
            there = {name: made.made_of for name, made in self.scenarios.items()}
            stale = {n: e for n, e in inputs.items() if not e.made_of or there.get(n) != e.made_of}
            if stale:
                self._make_pages(stale, shown=shown)
            self._make_index()
            before, inputs = inputs, self.wanted.inputs()

    def _make_pages(self, stale: Mapping[str, Inputs], *, shown: bool) -> None:
        self.changed = True
        n = self.jobs or os.cpu_count() or 1
        parts = parts_of(stale, n)
        make = carrying(partial(_made, self.wanted.anywhere()))
        mine = processes(min(n, len(parts)))
        with nullcontext(self.executor) if self.executor else mine as pool:
            if pool is None:  # sections are loaded while DuckDB works
                ThreadPoolExecutor(1).map(PlugIn.load, plug_ins("sections"))
            error = _build(self.wanted, pool, n, self.memory, shown=shown)
            with progress_bar("reporting", len(stale), shown=shown) as advance:
                for name, made in (
                    one for _, found in computed(pool, make, parts) for one in found.items()
                ):
                    why = made if isinstance(made, str) else ""
                    missing = [("", _plain_name([name]), missing_page(name, why).encode())]
                    contents = missing if isinstance(made, str) else made
                    pages = [Page(m, file, self._keep(content)) for m, file, content in contents]
                    self.scenarios[name] = Pages(stale[name].made_of, tuple(pages), why)
                    advance(1)
        if not self.failed or len(self.failed) < len(self.scenarios):
            return  # those that are there are better than none
        if error is not None:
            raise error
        name, why = min(self.failed.items())
        others = f", nor can {len(self.failed) - 1} more" if len(self.failed) > 1 else ""
        raise AslibError(f"cannot be reported ({why}){others}", name, "Nothing was changed.")

    def _make_index(self) -> None:
        """Name the files of all pages, and make the index if it is not there."""
        taken: set[str] = set()
        for name, made in self.in_order():
            pages = [replace(p, file=_apart(p.name, taken)) for p in made.pages]
            self.scenarios[name] = replace(made, pages=tuple(pages))
        self._link()
        shown = json.dumps([(name, astuple(made)) for name, made in self.in_order()])
        beside = [json.dumps([astuple(place) for place in self.beside])] if self.beside else []
        made_of = "" if of_others("index_sections") else digest(shown, *beside)
        if not made_of or self.index.made_of != made_of:
            self.changed = True
            text = _index(self.wanted, self.in_order())
            content = self._keep(with_places(text, self._places(f"{PAGES}/"), None, self.beside))
            self.index = Pages(made_of, (Page("", INDEX, content, INDEX),))

    def _places(self, folder: str = "") -> list[Place]:
        return [
            Place(page.title(name), f"{folder}{quote(page.file)}")
            for name, made in self.in_order()
            for page in made.pages
        ]

    def _link(self) -> None:
        places, at = self._places(), 0
        beside = [Place(each.name, f"../{each.address}") for each in self.beside]
        for name, made in self.in_order():
            pages = []
            for page in made.pages:
                old = (self.scratch / page.content).read_bytes()
                content = self._keep(with_places(old, places, at, beside))
                self.changed = self.changed or content != page.content
                pages.append(replace(page, content=content))
                at += 1
            self.scenarios[name] = replace(made, pages=tuple(pages))

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file with its name in the folder: the pages, the index, the record."""
        for _, made in self.in_order():
            for page in made.pages:
                yield f"{PAGES}/{page.file}", (self.scratch / page.content).read_bytes()
        yield INDEX, (self.scratch / self.index.pages[0].content).read_bytes()
        yield RECORD, Record(self.others | self.scenarios, self.index).text().encode()


def _build(
    wanted: Wanted, executor: Executor | None, jobs: int, memory: int | None, *, shown: bool
) -> Exception | None:
    """Build what the pages are made from; gives the error if that cannot be done.

    Then it cannot be done for some of the scenarios, which their pages will tell.
    """
    try:
        lake = wanted.opened(wanted.scenarios, shown=shown)
        build_for_pages(lake, executor=executor, jobs=jobs, memory=memory)
    except CancelledError:  # by a cluster that is lost
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is of some scenario
        _require_going(error)
        return error
    return None


def parts_of(stale: Mapping[str, Inputs], jobs: int) -> list[list[str]]:
    """The scenarios in parts of about equal size, the largest first.

    Few rows are asked for no faster than many, so small scenarios are asked for together; and a process
    takes as long to start as the pages of some take to make.
    """
    rows = {name: stale[name].rows for name in sorted(stale)}
    most = max(_LEAST, min(_MOST, sum(rows.values()) // (_PARTS * jobs)))
    parts: list[list[str]] = []
    left = 0
    for name in sorted(rows, key=lambda name: -rows[name]):
        if rows[name] > left:
            parts.append([])
            left = most
        parts[-1].append(name)
        left -= rows[name]
    return parts


def _made(wanted: Wanted, names: Sequence[str]) -> dict[str, _Made]:
    try:
        lake = wanted.opened([glob.escape(name) for name in names])
        frames = page_frames(lake)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is of some scenario
        _require_going(error)
        if len(names) == 1:
            return {names[0]: _reason(error)}
        return {n: made for name in names for n, made in _made(wanted, [name]).items()}
    return {
        name: _pages(lake, {n: f.filter(f["scenario_id"] == name) for n, f in frames.items()}, wanted)
        for name in names
    }


def _pages(lake: OpenLake, frames: Frames, wanted: Wanted) -> _Made:
    page = partial(scenario_page, full=wanted.full, link=wanted.link)
    try:
        return [(r.measure, file_name(r), page(r).encode()) for r in scenarios_of(lake, frames)]
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is its own
        _require_going(error)
        return _reason(error)


def _require_going(error: Exception) -> None:
    """Raise KeyboardInterrupt for what DuckDB makes of one during a query."""
    if is_interrupt(error):
        raise KeyboardInterrupt from None


def _reason(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0] if isinstance(error, AslibError) else f"{type(error).__name__}: {text}"


def _index(wanted: Wanted, found: Sequence[tuple[str, Pages]]) -> bytes:
    links = {
        (name, page.measure): f"{PAGES}/{quote(page.file)}" for name, made in found for page in made.pages
    }
    failed = {name: made.why for name, made in found if made.why}
    if len(links) == 1 and not failed and not of_others("index_sections"):
        ((scenario_id, _), to) = next(iter(links.items()))
        return redirection(scenario_id, to).encode()
    good = [glob.escape(name) for name, _ in found if name not in failed]
    lake = wanted.opened(good if failed else wanted.scenarios)
    lines = [
        ScenarioLine.of(results, links[results.scenario_id, results.measure])
        for results in scenarios_of(lake, line_frames(lake), raw=())
        if (results.scenario_id, results.measure) in links
    ]
    suite = SuiteResults(lines, read_aggregates(lake), over_scenarios(lake), lake)
    missing = [Unreported(name, links[name, ""], why) for name, why in failed.items()]
    return index_page(suite, missing=missing, full=wanted.full).encode()


def file_name(results: ScenarioResults) -> str:
    """A page's file name: safe and visible, whatever a scenario is called.

    It depends on the scenario and the measure alone, and no two of them share one.
    """
    is_first = results.summary["measure_index"] == 1
    return _plain_name([results.scenario_id, *([] if is_first else [results.measure])])


def _plain_name(parts: Sequence[str]) -> str:
    # ~ parts the two names, so none has it; what begins with a dot is a hidden file.
    plain = "~".join(quote(part, safe="").replace("~", "%7E") for part in parts)
    if plain.startswith("."):
        plain = f"%2E{plain[1:]}"
    if len(plain) > _LONGEST:
        plain = f"{plain[:_LONGEST]}-{_digest(plain)}"
    return f"{plain}.html"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _apart(name: str, taken: set[str]) -> str:
    """Another name where folders that ignore case would hold two for one file.

    Adds it to those that are taken.
    """
    if name.casefold() in taken:
        stem = name.removesuffix(".html")
        name = f"{stem}-{_digest(stem)}.html"
    taken.add(name.casefold())
    return name
