"""Published tables in text: of CHC-COMP, of MiniZinc Challenges, and CSV of anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.competitions.formats.competition_runs import OUTSIDE
from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import (
    ChallengeResults,
    read_challenge,
)
from aslib_eval.extensions.competitions.formats.published.published_value import (
    COMPETING,
    DISQUALIFIED,
    NOTHING,
    VIRTUAL,
    PublishedValue,
)
from aslib_eval.formats.csv_rows import CsvTable, Names, decoded

# CHC-COMP: columns that are set with blanks. In the margin stands a place, a * for hors concours, or a -
# for wrong answers.

_CHC_COLUMNS: Mapping[str, str] = {
    "cnt": "count",
    "ok": "solved",
    "sat": "solved_sat",
    "uns": "solved_unsat",
    "fld": "unsolved",
    "to": "timeout",
    "mo": "memout",
    "time": "cpu",
    "real": "wall",
    "space": "memory",
    "uniq": "unique",
}
_MARGIN = re.compile(r"[*-]+|\d+")


def of_chc_text(content: bytes, file: str) -> list[PublishedValue]:
    """A board as ``lra_results.txt`` has it; the file's name is the board's.

    Whoever has wrong answers has a value 1 of the column ``has_wrong`` besides.

    Raises:
        AslibError: it has no header, or a row is not as the header says.
    """
    text = decoded(content, file=file, code="published")
    if not isinstance(text, str):
        raise ScenarioError(file, [text])
    lines = [(line, row.split()) for line, row in enumerate(text.split("\n"), 1)]
    at = next((n for n, (_, cells) in enumerate(lines) if "solver" in cells[:1]), None)
    if at is None:
        what = "no line begins with the column solver"
        raise AslibError(what, file, "Is it a table of results of CHC-COMP?")
    columns = lines[at][1][1:]
    board = re.sub(r"[_-]results$", "", Path(file).stem, flags=re.IGNORECASE)
    for column in {*columns} - _CHC_COLUMNS.keys():
        what = f"column {column!r} is none of {', '.join(_CHC_COLUMNS)}"
        raise AslibError(what, f"{file}:{lines[at][0]}")
    rows = [*takewhile(lambda row: row[1], lines[at + 1 :])]
    others = [*lines[:at], *lines[at + 1 + len(rows) :]]
    if len(others) == at or any(len(cells) > len(columns) for _, cells in others):
        what = "the board is not from its header to an empty line"
        raise AslibError(what, file, "Is the file whole? Fetch it again.")
    found: list[PublishedValue] = []
    for line, cells in rows:
        values = [*_chc_row(cells, columns, board=board, file=file, line=line)]
        if any(each.solver == values[0].solver for each in found):
            raise AslibError(f"{values[0].solver} is there twice", f"{file}:{line}")
        found += values
    return found


def _chc_row(
    cells: Sequence[str], columns: Sequence[str], *, board: str, file: str, line: int
) -> Iterator[PublishedValue]:
    margin = cells[0] if _MARGIN.fullmatch(cells[0]) else ""
    solver, *values = cells[1:] if margin else cells
    if len(values) != len(columns):
        what = f"{len(values)} values instead of {len(columns)}"
        raise AslibError(what, f"{file}:{line}", "The columns are set with blanks.")
    role = OUTSIDE if "*" in margin else COMPETING
    named = zip((_CHC_COLUMNS[c] for c in columns), values, strict=True)
    for column, value in [*named, *([("has_wrong", "1")] if "-" in margin else [])]:
        if not value.isdecimal():
            raise AslibError(f"{column} {value!r} is no number", f"{file}:{line}")
        more = {"role": role, "unit": "GiB" if column == "memory" else ""}
        yield PublishedValue(board, solver, column, value, file, line, **more)


# MiniZinc Challenges: results.json holds the points of every pair of solvers.

# Key → the scoring procedure, as the rules call it.
_PROCEDURES = {"scores": "complete", "scores_loc": "incomplete"}


def of_pair_scores(content: bytes, file: str) -> list[PublishedValue]:
    """The points of every pair of solvers on every instance.

    The restriction is the scoring procedure, complete or incomplete.

    Raises:
        AslibError: the file is no results.json of a challenge, or has no scores.
    """
    results = read_challenge(content, file=file)
    keys = [key for key in _PROCEDURES if key in results.raw]
    if not keys:
        raise AslibError("has no scores", f"{file}: results.scores", "The challenge is younger.")
    return [value for key in keys for value in _pairs(results, key)]


def _pairs(results: ChallengeResults, key: str) -> Iterator[PublishedValue]:
    names, procedure = [each.name for each in results.instances], _PROCEDURES[key]
    for solver, row in zip(results.solvers, results.pairs(key), strict=True):
        for other, points in zip(results.solvers, row, strict=True):
            for name, value in zip(names, points, strict=True) if other != solver else ():
                found = ("challenge", solver, "points", repr(value), results.file, None)
                yield PublishedValue(*found, procedure, "instance", name, against=other)


# CSV: what any competition's tables can be typed as.

_NEEDED = ("board", "solver", "column", "value")
_OPTIONAL = ("restriction", "level", "part", "role", "against")
_NAMES: Names = {name: (name,) for name in (*_NEEDED, *_OPTIONAL)}
CSV_COLUMNS = _NEEDED
_ROLES = (COMPETING, OUTSIDE, DISQUALIFIED, VIRTUAL)


def of_csv(content: bytes, file: str) -> list[PublishedValue]:
    """A row a value: board, solver, column, value, and whatever else is said of it.

    Raises:
        ScenarioError: a column is missing, or rows are wrong; it has all findings.
    """
    table = CsvTable(content, file=file, names=_NAMES, code="published")
    table.require(_NEEDED)
    found = []
    for row in table.rows():
        if row.text("value").lower() not in NOTHING:
            row.number("value", required=True)
        of = (row.name("board"), row.name("solver"), row.name("column"), row.text("value"), file, row.line)
        where = (row.text("restriction") or "all", row.text("level"), row.text("part"))
        role = row.choice("role", _ROLES) or COMPETING
        found.append(PublishedValue(*of, *where, role, against=row.text("against")))
    if table.findings:
        raise ScenarioError(file, table.findings)
    return found
