"""Boards of a competition as sections of its page, and where its numbers come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import polars as pl

from aslib_eval.extensions.competitions.record import CompetitionRecord
from aslib_eval.formats.sources import CHOICES
from aslib_eval.tables.table import Cell, PaperColumn, PaperTable
from aslib_eval.text import brief, comparable, decimals, fixed, list_names, plural, short_names

_SHOWN = 3  # names of what is left out


def left_out_by_boards(record: CompetitionRecord) -> pl.DataFrame:
    """What is left out, a row for all the boards that leave out the same."""
    key = ["scenario_id", "what", "why", "n", "names"]
    grouped = record.left_out.group_by(key, maintain_order=True).agg("rule")
    every = record.rules.height
    rows = [
        (
            *(scenario, "all" if len(rules) == every else ", ".join(rules)),
            *(n, what, why),
            "" if _is_plain(what, why) else list_names(names, most=_SHOWN, quoted=False),
        )
        for scenario, what, why, n, names, rules in grouped.iter_rows()
    ]
    words = ("scenario", "boards", "n", "left out", "why", "which")
    schema = {**dict.fromkeys(words, pl.String), "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def citation(record: CompetitionRecord) -> list[str]:
    """The instances, rules, files and program by their hashes, a line each."""
    files = record.files.drop("scenario_id").unique(maintain_order=True)  # of several scenarios once
    return [
        *(
            f"{scenario}: {plural(n, 'instance')}, SHA-256 of the sorted names {digest}"
            for scenario, n, digest, _ in record.instances.iter_rows()
        ),
        *(
            f"rule {rule}@{digest}" + (f": {document}" if document else "")
            for rule, digest, _, document in record.rules.iter_rows()
        ),
        *(
            f"{_named(file)}: {plural(size, 'byte')}, SHA-256 {digest}"
            for file, size, digest in files.iter_rows()
        ),
        f"code {record.code}",
    ]


def _is_plain(what: str, why: str) -> bool:
    """Whether nobody asks which: what a board is not about, and late answers."""
    return what == "answers" or why.startswith(("not known to be", "not in the"))


def _named(file: str) -> str:
    return "what the user said of the tables" if file == CHOICES else f"file {file}"


# Columns of a board → their titles; one without a value, or 0 alone, is left out.
COLUMNS: Mapping[str, str] = {
    "solver": "solver",
    "place": "place",
    "points": "points",
    "errors": "errors",
    "solved": "solved",
    "solved_sat": "sat",
    "solved_unsat": "unsat",
    "alone": "solved alone",
    "wall": "wall time [s]",
    "cpu": "CPU time [s]",
}
_ALWAYS = ("place", "solver", "solved")
_ANSWERS, _TIMES = ("solved_sat", "solved_unsat"), ("wall", "cpu")
# In print, where a line is short: titles, the longest name of a solver in a board and among the winners,
# and how many on one place are counted instead of named.
_BOARD_TITLES = {**COLUMNS, "alone": "alone", "wall": "wall [s]", "cpu": "CPU [s]"}
_LONG, _SHORT, _MANY = 40, 20, 3
_PLACES = ("1st", "2nd", "3rd")
_WINNERS = ("scenario", "board", *_PLACES)
_DIGITS_OF_POINTS = 2


@dataclass(frozen=True, eq=False)
class Board:
    """A board: of a scenario by a rule, of all its instances or of a part.

    rows: the columns of COLUMNS that say something, best first, who has no place last.
    """

    scenario: str
    rule: str
    title: str
    rows: pl.DataFrame


def boards(record: CompetitionRecord) -> Iterator[Board]:
    """Each board, but none of a part that holds all instances of its scenario."""
    frame = record.boards.sort("scenario_id", "part_of", maintain_order=True)
    keys = ["scenario_id", "rule", "part_of", "part"]
    whole: dict[tuple[str, str], pl.DataFrame] = {}
    for key, found in frame.group_by(keys, maintain_order=True):
        scenario, rule, part_of, part = map(str, key)
        totals = found.drop("part_of", "part").sort("solver")
        if part_of == "all":
            whole[scenario, rule] = totals
        elif (scenario, rule) in whole and totals.equals(whole[scenario, rule]):
            continue
        title = rule if part_of == "all" else f"{rule}, {part_of} {part or '(none)'}"
        yield Board(scenario, rule, title, _shown(found))


def _shown(frame: pl.DataFrame) -> pl.DataFrame:
    frame = frame.sort("place", "points", "solver", nulls_last=True)
    told = [c for c in COLUMNS if c in _ALWAYS or (frame[c].fill_null(0) != 0).any()]
    if "points" in told and frame["points"].equals(frame["solved"].cast(pl.Float64)):
        told.remove("points")
    told = [c for c in told if c not in _ANSWERS or {*_ANSWERS} <= {*told}]
    if {*_TIMES} <= {*told} and frame["wall"].equals(frame["cpu"]):
        told.remove("cpu")
    return frame.select(told)


def winners(record: CompetitionRecord) -> pl.DataFrame:
    """A row a board: who has the first three places."""
    rows = [
        (board.scenario, board.title, *(", ".join(_on(board, place)) for place, _ in enumerate(_PLACES, 1)))
        for board in boards(record)
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(_WINNERS, pl.String), orient="row")


def lead_of(board: Board) -> str:
    """By how much the first place is ahead of the next: points, else solved, else time.

    Empty where nobody is behind; ``tied`` where several are first.
    """
    first = board.rows.filter(place=1)
    others = board.rows.filter(board.rows["place"] > 1).sort("place")
    if first.height != 1 or not others.height:
        return "tied" if first.height > 1 else ""
    for column in (name for name in ("points", "solved") if name in board.rows.columns):
        ahead = abs((first[column][0] or 0) - (others[column][0] or 0))
        if comparable(ahead):
            return f"{brief(ahead)} {column}"
    return "time alone"


def places_of_points(board: Board) -> int:
    """Decimals of the points: none where all are whole, else at least two.

    As few digits as other numbers have would make points of two places look alike.
    """
    points = board.rows["points"].drop_nulls()
    if (points == points.round()).all():
        return 0
    return max(decimals(points) or 0, _DIGITS_OF_POINTS)


def _on(board: Board, place: int) -> list[str]:
    return [*board.rows.filter(place=place)["solver"]]


def paper_tables(record: CompetitionRecord) -> Iterator[PaperTable]:
    """The winners, if there are several boards, and every board, to be printed.

    What they were made of is said before the first.
    """
    found = list(boards(record))
    whole = [board for board in found if board.title == board.rule]
    tables = [_winners_table(record, whole)] if whole[1:] else []
    tables += [_board_table(record, board) for board in found]
    for at, table in enumerate(tables):
        yield table if at else replace(table, provenance=tuple(citation(record)))


def _winners_table(record: CompetitionRecord, found: Sequence[Board]) -> PaperTable:
    """Of boards, without what the names of all scenarios have in common."""
    scenarios = list(dict.fromkeys(board.scenario for board in found))
    words = zip(*(scenario.split("-") for scenario in scenarios), strict=False)
    alike = takewhile(lambda some: len({*some}) == 1, words)
    shared = "-".join(first for first, *_ in alike)
    short = short_names({s for board in found for s in board.rows["solver"]}, _SHORT)
    rows = [
        (
            board.scenario.removeprefix(f"{shared}-"),
            board.title.removeprefix(f"{record.name}-"),
            *(
                ", ".join(short[name] for name in names) if len(names) < _MANY else f"{len(names)} tied"
                for place, _ in enumerate(_PLACES, 1)
                for names in [_on(board, place)]
            ),
        )
        for board in found
    ]
    told = [at for at in range(len(_WINNERS)) if any(row[at] for row in rows)]
    told = told if scenarios[1:] else told[1:]
    of = f"First places by {record.name}"
    return PaperTable(
        columns=tuple(PaperColumn(_WINNERS[at], _WINNERS[at]) for at in told),
        rows=tuple(tuple(Cell(row[at], row[at]) for at in told) for row in rows),
        name=_label(record.name, "winners"),
        caption=f"{of}: {shared}." if shared else f"{of}.",
    )


def _board_table(record: CompetitionRecord, board: Board) -> PaperTable:
    """The winner's name is bold; numbers of a column have as many decimals."""
    rule = record.rules.filter(rule=board.rule).row(0, named=True)
    places = {name: decimals(board.rows[name]) for name in board.rows.columns}
    if "points" in places:
        places["points"] = places_of_points(board)
    short = short_names(board.rows["solver"], _LONG)
    rows = tuple(
        tuple(
            Cell(
                short.get(value, fixed(value, places[name])) if value is not None else "",
                value,
                is_bold=name == "solver" and row["place"] == 1,
            )
            for name, value in row.items()
        )
        for row in board.rows.iter_rows(named=True)
    )
    about = rule["about"] or "a rule of its own"
    part = board.title.removeprefix(board.rule).removeprefix(", ")
    n = record.instances.filter(scenario_id=board.scenario)["n"].item()
    return PaperTable(
        columns=tuple(
            PaperColumn(name, _BOARD_TITLES[name], is_number=name != "solver")
            for name in board.rows.columns
        ),
        rows=rows,
        name=_label(board.scenario, board.title),
        caption=f"{board.scenario}{part and f', {part}'}. {about}.",
        notes=(f"Rule {rule['rule']}@{rule['hash']}; {plural(n, 'instance')}.",),
    )


def _label(*words: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(words)).strip("-").lower()
