"""The lake → a folder of pages: all of them, or none changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from aslib_eval.db import connect, store
from aslib_eval.protocol import Protocol
from aslib_eval.replacing import Draft, replacing, require_folder
from aslib_eval.report import facts as reading
from aslib_eval.report import presets, significance
from aslib_eval.report.facts import Facts
from aslib_eval.report.index import Entry, Suite, index_page
from aslib_eval.report.scenario import scenario_page, title_of

if TYPE_CHECKING:
    import duckdb
    import polars as pl

PAGES = "scenario"
_LONGEST = 200


def write_report(
    lake: str | Path,
    *,
    to: Path,
    protocol: str | Protocol = "default",
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
    progress: bool = False,
) -> list[Path]:
    """Write ``index.html`` and ``scenario/NAME.html`` for every scenario and measure.

    The files stand alone: no network, no other file. The same lake gives the same
    bytes. All pages are replaced together or none is; other files in ``to`` stay.
    ``progress`` shows a bar on stderr.
    Raises AslibError if the lake or the protocol cannot be read, or ``to`` written.
    """
    require_folder(to)
    con, frames = open_all(lake, protocol, scenarios=scenarios, sql_dirs=sql_dirs)
    found: Iterable[Facts] = reading.scenarios(con, Path(lake), frames)
    if progress:
        found = _tracked(found, frames["summary"].height)
    with replacing(to) as draft:
        suite = Suite(reading.suite(con), significance.over_scenarios(con))
        names = _write(found, suite, draft)
    return [to / name for name in names]


def open_all(
    lake: str | Path,
    protocol: str | Protocol,
    *,
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
) -> tuple[duckdb.DuckDBPyConnection, dict[str, pl.DataFrame]]:
    """The open lake with the one protocol, and all answers on all scenarios.

    Among them the ranks under every preset, and the tests. Raises as ``connect``.
    """
    import polars as pl

    together = presets.together(protocol)
    con = connect(
        lake, protocols=together, scenarios=scenarios, sql_dirs=sql_dirs, stored=False
    )
    own, *others = (p.protocol for p in together)
    beside = presets.definitions(con, protocols=others)
    presets.narrow(con, to=[own])
    store(con)
    presets.hold(con)
    definitions = pl.concat([presets.ranks(con), beside])
    frames = reading.read(con) | {"definition": definitions}
    return con, frames | significance.read(con)


def _write(found: Iterable[Facts], suite: Suite, draft: Draft) -> list[str]:
    entries: list[Entry] = []
    names: list[str] = []
    for facts in found:
        name = _apart(file_name(facts), (n.rpartition("/")[2] for n in names))
        draft.write(f"{PAGES}/{name}", scenario_page(facts).encode())
        entries.append(Entry.of(facts, title_of(facts), f"{PAGES}/{quote(name)}"))
        names.append(f"{PAGES}/{name}")
    draft.write("index.html", index_page(entries, suite).encode())
    return [*names, "index.html"]


def file_name(facts: Facts) -> str:
    """A page's file name: safe and visible, whatever a scenario is called.

    It depends on the scenario and the measure alone, and no two of them share one.
    """
    parts = [facts.scenario_id]
    if facts.summary["measure_index"] != 1:
        parts.append(facts.measure)
    # ~ parts the two names, so none has it; what begins with a dot is a hidden file.
    plain = "~".join(quote(part, safe="").replace("~", "%7E") for part in parts)
    if plain.startswith("."):
        plain = f"%2E{plain[1:]}"
    if len(plain) > _LONGEST:
        plain = f"{plain[:_LONGEST]}-{_digest(plain)}"
    return f"{plain}.html"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _apart(name: str, others: Iterable[str]) -> str:
    """Another name where folders that ignore case would hold two for one file."""
    if name.casefold() not in {other.casefold() for other in others}:
        return name
    stem = name.removesuffix(".html")
    return f"{stem}-{_digest(stem)}.html"


def _tracked(found: Iterable[Facts], total: int) -> Iterable[Facts]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(found, "reporting", total, console=console, transient=True)
