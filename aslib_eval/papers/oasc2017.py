"""The Open Algorithm Selection Challenge 2017: its table from its schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aslib_eval.database.connect import ask, connect
from aslib_eval.errors import AslibError
from aslib_eval.papers.reproduction import Claim, Head, Paper, number_table
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.tables.table import PaperTable

if TYPE_CHECKING:
    import duckdb

PROTOCOL = "oasc2017"
TITLE = "The Open Algorithm Selection Challenge 2017, made again"
SYSTEMS = ("sunny-fkvar", "sunny-autok")


class Gaps(NamedTuple):
    """Remaining gaps of one system: SBS of the training set, and of the test set."""

    train: float
    test: float


# Nickname → gaps of SYSTEMS. Source: Lindauer, van Rijn, Kotthoff, "The algorithm
# selection competitions 2015 and 2017", Artificial Intelligence 272 (2019), Table E.9.
PRINTED: Mapping[str, tuple[Gaps, Gaps]] = {
    "Camilla": (Gaps(0.894, 0.894), Gaps(1.475, 1.475)),
    "Caren": (Gaps(0.055, 0.090), Gaps(0.217, 0.356)),
    "Magnus": (Gaps(0.419, 0.428), Gaps(0.498, 0.508)),
    "Mira": (Gaps(0.568, 0.568), Gaps(1.014, 1.014)),
    "Monty": (Gaps(0.090, 0.090), Gaps(0.368, 0.368)),
    "Quill": (Gaps(0.431, 0.431), Gaps(0.1505, 0.1505)),
}
# Printed with three decimals; this one lies on the edge between two of them.
_EDGE = ("Quill", 0.1505)
_ROUNDING, _TINY = 0.0005, 1e-9
_RULE = (
    "The rule is that of the contest: time up to and including the budget is solved, a "
    "schedule pays for the feature steps that it names, SBS is the best of the "
    "training set and VBS pays nothing."
)
_DOT = (
    "Quill: a file of the test set lacks the dot of its name (feature_costsarff), so "
    "the contest charged no feature costs there, and neither does this."
)
_THREE = f"{_EDGE[0]}: the gap of {SYSTEMS[1]} is {_EDGE[1]}, which is printed as .150."
_QUALITY = (
    "Camilla is measured by solution quality: the first algorithm of a schedule counts."
)
_REMARKS = (_RULE, _DOT, _THREE, _QUALITY)


def oasc2017(lake: str | Path, *, scenarios: Sequence[str] = ()) -> Paper:
    """Make the contest's table again from the schedules that its two systems submitted.

    Raises:
        AslibError: the lake holds no scenario of the contest with their answers.

    """
    con = connect(lake, protocols=[PROTOCOL], scenarios=scenarios)
    made_of = provenance(con, lake)
    here = _gaps(con)
    if not here:
        hint = "Import the contest's folder, and its schedules with import-selection."
        raise AslibError("no schedules of the contest", str(lake), hint)
    missing = [name for name in PRINTED if name not in here]
    absent = (f"Not in the lake: {', '.join(missing)}.",) if missing else ()
    return Paper(
        name=PROTOCOL,
        title=TITLE,
        tables=(_table(here, made_of),),
        figures=(),
        claims=tuple(_claims(here)),
        remarks=(*_REMARKS, *absent),
        provenance=made_of.lines(),
    )


def _gaps(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[Gaps, Gaps]]:
    """Nickname → gaps, of the scenarios that both systems have answered."""
    found = ask(con, "split_contest_gaps").fetchall()
    by = {(scenario, solver): Gaps(*gaps) for scenario, solver, *gaps in found}
    return {
        name: (by[name, SYSTEMS[0]], by[name, SYSTEMS[1]])
        for name in PRINTED
        if all((name, system) in by for system in SYSTEMS)
    }


def _table(here: Mapping[str, tuple[Gaps, Gaps]], made_of: Provenance) -> PaperTable:
    rows = [_row(name, PRINTED[name], here.get(name)) for name in PRINTED]
    numbers = [[row[at] for row in rows if row[2] is not None] for at in range(9)]
    mean: list[Any] = [sum(c) / len(c) for c in numbers[1:]]
    rows.append([f"mean of {len(here)}", *mean])
    heads = [
        Head(f"{system}, SBS on {part}", column, 4)
        for system in SYSTEMS
        for part in ("train", "test")
        for column in ("printed", "here")
    ]
    better = [
        (r, c) for r, row in enumerate(rows) for c in (2, 4, 6, 8) if _wins(row, c)
    ]
    return number_table(
        [Head("", "scenario"), *heads],
        rows,
        name="table_e9",
        caption="Remaining gap, as in Table E.9: 0 is VBS and 1 is SBS.",
        bold=better,
        notes=["The better of the two systems is bold."],
        provenance=made_of.lines(),
        n_summaries=1,
    )


def _row(
    name: str, printed: tuple[Gaps, Gaps], here: tuple[Gaps, Gaps] | None
) -> list[Any]:
    row: list[Any] = [name]
    for at in range(len(SYSTEMS)):
        made = here[at] if here else (None, None)
        row += [v for two in zip(printed[at], made, strict=True) for v in two]
    return row


def _wins(row: Sequence[Any], column: int) -> bool:
    """Whether the other system's gap of the same kind is larger."""
    other = column + 4 if column < 5 else column - 4  # noqa: PLR2004
    return row[column] is not None and row[column] < row[other]


def _claims(here: Mapping[str, tuple[Gaps, Gaps]]) -> list[Claim]:
    first, second = SYSTEMS
    means = [sum(gaps[at].train for gaps in here.values()) / len(here) for at in (0, 1)]
    moved = [n for n, gaps in here.items() if abs(gaps[0].train - gaps[0].test) > _TINY]
    printed = [n for n in here if PRINTED[n][0].train != PRINTED[n][0].test]
    return [
        _follow(here),
        Claim(
            f"{first} beats {second} on average.",
            "by the mean remaining gap",
            f"{means[0]:.4f} against {means[1]:.4f} over {len(here)}",
            means[0] < means[1],
        ),
        Claim(
            "SBS of the training or of the test set: it matters where they differ.",
            ", ".join(printed) or "nowhere",
            ", ".join(moved) or "nowhere",
            moved == printed,
        ),
    ]


def _follow(here: Mapping[str, tuple[Gaps, Gaps]]) -> Claim:
    """How many of the printed gaps are found again."""
    pairs = [
        (printed, ours)
        for name, gaps in here.items()
        for row, made in zip(PRINTED[name], gaps, strict=True)
        for printed, ours in zip(row, made, strict=True)
    ]
    same = sum(abs(ours - printed) <= _ROUNDING for printed, ours in pairs)
    return Claim(
        "The printed gaps follow from the schedules.",
        f"{len(pairs)} gaps with three decimals",
        f"{same} of {len(pairs)} the same",
        same == len(pairs),
    )
