"""A lake as the paper sees it: its scenarios, and who plays its systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.database.connect import connect, store
from aslib_eval.database.frames import ask
from aslib_eval.errors import AslibError
from aslib_eval.papers.amadini2023.printed import NAMES, TABLE1
from aslib_eval.provenance import Provenance, provenance

if TYPE_CHECKING:
    import duckdb

PROTOCOL = "amadini2023"
_NEEDED = ("ASAP", "RF")


@dataclass(frozen=True)
class PaperLake:
    """An open lake, seen as the paper sees it.

    con: the scenarios of the paper that the lake holds, all of them, under its preset.
    scenarios: name in the paper → id, of those on which ASAP and RF have answered;
    others: of those without. systems: name in the paper → selector that has answered
    all of ``scenarios``; rest: other selectors that have; partial: those that have not.
    """

    con: duckdb.DuckDBPyConnection
    folder: Path
    scenarios: Mapping[str, str]
    others: Mapping[str, str]
    systems: Mapping[str, str]
    rest: Sequence[str]
    partial: Sequence[str]
    made_of: Provenance

    @property
    def absent(self) -> list[str]:
        """Scenarios of the paper that the lake does not hold."""
        present = {**self.scenarios, **self.others}
        return [name for name in TABLE1 if name not in present]


def look(
    lake: str | Path, *, scenarios: Sequence[str], systems: Mapping[str, str]
) -> PaperLake:
    """Open a lake and find the paper's scenarios and systems in it."""
    con = connect(lake, protocols=[PROTOCOL], scenarios=scenarios)
    ids = _scenarios(con)
    if not ids:
        hint = "It holds none of the fifteen of Table 1."
        raise AslibError("no scenario of the paper", str(lake), hint)
    con = connect(lake, protocols=[PROTOCOL], scenarios=list(ids.values()))
    store(con)
    answers = _answers(con)
    found = _systems(answers, systems)
    here = _answered(lake, ids, answers, found)
    complete = set.intersection(*(answers[key] for key in here.values()))
    playing = {name: solver for name, solver in found.items() if solver in complete}
    left = set().union(*answers.values()) - complete
    return PaperLake(
        con=con,
        folder=Path(lake),
        scenarios=here,
        others={name: key for name, key in ids.items() if name not in here},
        systems=playing,
        rest=sorted(complete - {*playing.values()}),
        partial=sorted(left),
        made_of=provenance(con, lake),
    )


def _answered(
    lake: str | Path,
    ids: Mapping[str, str],
    answers: Mapping[str, set[str]],
    found: Mapping[str, str],
) -> dict[str, str]:
    """The scenarios on which ASAP and RF have answered, by their name in the paper."""
    missing = [name for name in _NEEDED if name not in found]
    needed = {found[name] for name in _NEEDED if name in found}
    here = {name: key for name, key in ids.items() if needed <= answers.get(key, set())}
    if missing or not here:
        what = f"no answers of {' and '.join(missing or _NEEDED)}"
        hint = "Import them, train them, or name others: --system RF=my_forest."
        raise AslibError(what, str(lake), hint)
    return here


def _scenarios(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Name in the paper → id, by folder or id, whatever its case; with runs."""
    found = ask(con, "folders_with_runs").fetchall()
    by_name = {name.lower(): key for key, folder in found for name in (key, folder)}
    return {name: by_name[name.lower()] for name in TABLE1 if name.lower() in by_name}


def _answers(con: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """Scenario → selectors that have answered all of it."""
    found = ask(con, "answered_scenarios").fetchall()
    answers: dict[str, set[str]] = {}
    for scenario, solver in found:
        answers.setdefault(scenario, set()).add(solver)
    return answers


def _systems(
    answers: Mapping[str, set[str]], asked: Mapping[str, str]
) -> dict[str, str]:
    """Name in the paper → selector."""
    present = set().union(*answers.values())
    if unknown := sorted({*asked} - {*NAMES}):
        raise AslibError(f"the paper has no {', '.join(unknown)}", hint=f"{[*NAMES]}")
    if absent := sorted({*asked.values()} - present):
        what = f"no selector is called {', '.join(absent)}"
        raise AslibError(what, hint=f"There are {', '.join(sorted(present))}.")
    found = {}
    for name, usual in NAMES.items():
        known = [asked[name]] if name in asked else [n for n in usual if n in present]
        if known:
            found[name] = known[0]
    return found
