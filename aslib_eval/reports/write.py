"""The lake → a folder of pages: all of them, or none changed."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from aslib_eval.analysis.compare.for_report import Compared, over_scenarios
from aslib_eval.analysis.scenario_results import ScenarioResults, open_all, scenarios_of
from aslib_eval.analysis.suite_results import (
    ScenarioLine,
    SuiteResults,
    read_aggregates,
)
from aslib_eval.atomic_files import Draft, replacing, require_folder
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, sentence
from aslib_eval.lake import versions
from aslib_eval.progress import tracked
from aslib_eval.reports.pages import Unreported, index_page, missing_page, scenario_page
from aslib_eval.text import plural

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
    A scenario that no page can be made of has one that says why; all others are
    written, and ReportError names it then.

    Raises:
        AslibError: the lake or the protocol cannot be read, ``to`` cannot be written,
            or no scenario can be reported: then the pages stay as they are.

    """
    require_folder(to)
    opened, failed = _opened(lake, protocol, scenarios, sql_dirs)
    found = tracked(opened.ids, "reporting", len(opened.ids), shown=progress)
    with replacing(to) as draft:
        names = _write(opened, found, failed, draft)
    written = [to / name for name in names]
    if failed:
        raise ReportError(failed, written)
    return written


class ReportError(AslibError):
    """Some scenarios have no page of their own; ``written`` are all files."""

    def __init__(self, failed: Mapping[str, str], written: Sequence[Path]) -> None:
        self.failed = dict(failed)
        self.written = list(written)
        n = len(self.failed)
        super().__init__(f"{plural(n, 'scenario')} not reported")

    def __str__(self) -> str:
        return "\n".join(
            sentence(name, f"cannot be reported ({why})", "All others are.")
            for name, why in self.failed.items()
        )


@dataclass(frozen=True)
class Opened:
    """A lake under one protocol, and what is asked of all its scenarios at once."""

    con: duckdb.DuckDBPyConnection
    lake: Path
    frames: dict[str, pl.DataFrame]
    aggregates: pl.DataFrame
    tested: Compared

    @property
    def ids(self) -> list[str]:
        """The scenarios, by name."""
        found = self.frames["summary"]["scenario_id"].unique().sort()
        return [str(name) for name in found.to_list()]

    def results(self, scenario_id: str) -> list[ScenarioResults]:
        """What the pages of one scenario are made of, one a measure."""
        frames = {
            name: frame.filter(frame["scenario_id"] == scenario_id)
            for name, frame in self.frames.items()
        }
        return list(scenarios_of(self.con, self.lake, frames))


def _opened(
    lake: str | Path,
    protocol: str | Protocol,
    scenarios: Sequence[str],
    sql_dirs: Sequence[Path],
) -> tuple[Opened, dict[str, str]]:
    """All scenarios; if they cannot be asked together, those that alone can be.

    Gives also why the others cannot.
    """
    try:
        return _together(lake, protocol, scenarios, sql_dirs), {}
    except Exception:
        present = versions.scenario_ids(Path(lake))
        ids = [name for name in present if _is_chosen(lake, name, scenarios)]
        failed = {}
        for name in ids:
            try:
                _together(lake, protocol, [glob.escape(name)], sql_dirs)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is its own
                failed[name] = _reason(error)
        if not failed or len(failed) == len(ids):
            raise
        good = [glob.escape(name) for name in ids if name not in failed]
        return _together(lake, protocol, good, sql_dirs), failed


def _is_chosen(lake: str | Path, name: str, scenarios: Sequence[str]) -> bool:
    """Whether the globs mean a scenario; one that cannot be read is meant by its id."""
    if not scenarios or any(fnmatchcase(name, pattern) for pattern in scenarios):
        return True
    lease = versions.lease(Path(lake), name)
    if lease is None:
        return False
    try:
        folder = str(lease.manifest()["folder"])
    except (AslibError, OSError, ValueError, KeyError, TypeError):
        return False
    finally:
        lease.release()
    return any(fnmatchcase(folder, pattern) for pattern in scenarios)


def _together(
    lake: str | Path,
    protocol: str | Protocol,
    scenarios: Sequence[str],
    sql_dirs: Sequence[Path],
) -> Opened:
    con, frames = open_all(lake, protocol, scenarios=scenarios, sql_dirs=sql_dirs)
    aggregates, tested = read_aggregates(con), over_scenarios(con)
    return Opened(con, Path(lake), frames, aggregates, tested)


def _reason(error: Exception) -> str:
    """Why a scenario has no page, on one line."""
    text = str(error).strip() or type(error).__name__
    is_ours = isinstance(error, AslibError)
    return text.splitlines()[0] if is_ours else f"{type(error).__name__}: {text}"


def _write(
    opened: Opened, found: Iterable[str], failed: dict[str, str], draft: Draft
) -> list[str]:
    """Every page and the index; adds to ``failed`` why a scenario has none."""
    entries: list[ScenarioLine] = []
    pages: list[str] = []
    for scenario_id in found:
        try:
            made = _pages(opened.results(scenario_id), pages)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is its own
            failed[scenario_id] = _reason(error)
            continue
        for name, (content, entry) in made.items():
            draft.write(f"{PAGES}/{name}", content)
            pages.append(name)
            entries.append(entry)
    if failed and not entries:  # pages that are there are better than none
        name, why = min(failed.items())
        others = f", nor can {len(failed) - 1} more" if len(failed) > 1 else ""
        what = f"cannot be reported ({why}){others}"
        raise AslibError(what, name, "Nothing was changed.")
    missing: list[Unreported] = []
    for scenario_id, why in sorted(failed.items()):
        name = _apart(_plain_name([scenario_id]), pages)
        draft.write(f"{PAGES}/{name}", missing_page(scenario_id, why).encode())
        pages.append(name)
        missing.append(Unreported(scenario_id, f"{PAGES}/{quote(name)}", why))
    suite = SuiteResults(entries, opened.aggregates, opened.tested)
    index = index_page(suite, missing=missing)
    draft.write("index.html", index.encode())
    return [*(f"{PAGES}/{name}" for name in pages), "index.html"]


def _pages(
    found: Iterable[ScenarioResults], others: Iterable[str]
) -> dict[str, tuple[bytes, ScenarioLine]]:
    """File name → page and line of the index, for each measure of a scenario."""
    made: dict[str, tuple[bytes, ScenarioLine]] = {}
    for results in found:
        name = _apart(file_name(results), [*others, *made])
        entry = ScenarioLine.of(results, f"{PAGES}/{quote(name)}")
        made[name] = (scenario_page(results).encode(), entry)
    return made


def file_name(results: ScenarioResults) -> str:
    """A page's file name: safe and visible, whatever a scenario is called.

    It depends on the scenario and the measure alone, and no two of them share one.
    """
    parts = [results.scenario_id]
    if results.summary["measure_index"] != 1:
        parts.append(results.measure)
    return _plain_name(parts)


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


def _apart(name: str, others: Iterable[str]) -> str:
    """Another name where folders that ignore case would hold two for one file."""
    if name.casefold() not in {other.casefold() for other in others}:
        return name
    stem = name.removesuffix(".html")
    return f"{stem}-{_digest(stem)}.html"
