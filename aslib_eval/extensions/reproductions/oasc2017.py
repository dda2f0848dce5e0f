"""The Open Algorithm Selection Challenge 2017: its table from its schedules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.reproductions.published import Claim, Head, Paper, number_table, of_table
from aslib_eval.lake.versions import scenario_ids
from aslib_eval.options import Lake, Scenarios, public
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.tables.paper_table import PaperTable
from aslib_eval.text import comparable, list_names, plural

PROTOCOL = "oasc2017"
TITLE = "The Open Algorithm Selection Challenge 2017, made again"
# Nickname → system in lower case → its remaining gap in Table E.9, by SBS of the training set.
PRINTED: dict[str, dict[str, float]] = {}
for _number in of_table(PROTOCOL, "Table E.9"):
    _row = PRINTED.setdefault(_number.scenario, {})
    _row[_number.solver.lower()] = _number.printed.value
_ROUNDING = 0.0005  # printed with three decimals


class Gaps(NamedTuple):
    """Remaining gaps of a system, by SBS of the training set and of the test set.

    None if SBS is as good as VBS, or without answers.
    """

    train: float | None = None
    test: float | None = None


class Contest(NamedTuple):
    """The answers of selectors to the scenarios.

    gaps: scenario → system → gaps; quality: scenarios measured by solution quality; unanswered: scenarios
    without an answer on a fixed split.
    """

    gaps: Mapping[str, Mapping[str, Gaps]]
    quality: Sequence[str]
    unanswered: Sequence[str]

    @property
    def systems(self) -> list[str]:
        """All systems: of the contest in the printed order, then the others."""
        systems = {system for row in self.gaps.values() for system in row}
        place = {name: row for row, name in enumerate(next(iter(PRINTED.values())))}
        return sorted(systems, key=lambda s: (place.get(s.lower(), len(place)), s))

    @property
    def shared(self) -> list[str]:
        """The scenarios of the means: every system has its gaps there."""
        return [
            name
            for name, row in self.gaps.items()
            if all(None not in row.get(system, Gaps()) for system in self.systems)
        ]

    def mean(self, system: str) -> Gaps:
        """A system's mean gaps over ``shared``."""
        rows = [self.gaps[name][system] for name in self.shared]
        return Gaps(*(_mean(column) for column in zip(*rows, strict=True)))

    def printed_mean(self, system: str) -> float | None:
        """The mean of a system's printed gaps over ``shared``, if all are printed."""
        return _mean([printed(name, system) for name in self.shared])


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def printed(scenario: str, system: str) -> float | None:
    """The gap in Table E.9."""
    return PRINTED.get(scenario, {}).get(system.lower())


@public
def oasc2017(lake: Lake, *, scenarios: Scenarios = ()) -> Paper:
    """Make the contest's table again, from all answers on a fixed split of a scenario.

    Printed gaps of the same scenario and system stand beside ours.
    """
    opened = open_lake(lake, protocols=[PROTOCOL], scenarios=scenarios)
    contest = _contest(opened)
    made_of = provenance(opened)
    made_of = replace(made_of, scenarios={name: made_of.scenarios[name] for name in contest.gaps})
    return Paper(
        name=PROTOCOL,
        title=TITLE,
        tables=(_table(contest, made_of),),
        figures=(),
        claims=(_follow(contest), _order(contest)),
        remarks=tuple(_remarks(contest, scenario_ids(Path(lake)))),
        provenance=made_of.lines(),
    )


def _contest(lake: OpenLake) -> Contest:
    gaps: dict[str, dict[str, Gaps]] = {}
    types: dict[str, str] = {}
    for scenario, solver, types[scenario], *both in lake.rows("split_contest_gaps"):
        if solver is not None:
            gaps.setdefault(scenario, {})[solver] = Gaps(*both)
    if not gaps:
        names = list_names(types, quoted=False)
        hint = "Import a contest's folders of train and test, and its schedules with import-selection."
        raise AslibError(f"has no answers to a fixed split of {names}", str(lake), hint)
    return Contest(
        gaps,
        quality=[name for name in gaps if types[name] == "solution_quality"],
        unanswered=[name for name in types if name not in gaps],
    )


def _table(contest: Contest, made_of: Provenance) -> PaperTable:
    heads = [Head("", "scenario")]
    columns: list[Sequence[Any]] = [[*contest.gaps, _means(contest)]]
    places: dict[str, list[int]] = {"train": [], "test": []}
    for system in contest.systems:
        theirs = [printed(name, system) for name in contest.gaps]
        ours = [row.get(system, Gaps()) for row in contest.gaps.values()]
        if any(gap is not None for gap in theirs):
            heads.append(Head(f"{system}, SBS on train", "printed", 3))
            columns.append([*theirs, contest.printed_mean(system)])
        for part, which in places.items():
            which.append(len(heads))
            heads.append(Head(f"{system}, SBS on {part}", "here", 4))
        columns += zip(*ours, contest.mean(system), strict=True)
    rows = [[*row] for row in zip(*columns, strict=True)]
    return number_table(
        heads,
        rows,
        name="table_e9",
        caption="Remaining gap, as in Table E.9: 0 is VBS and 1 is SBS.",
        bold=[
            (r, c)
            for r, row in enumerate(rows)
            for compared in places.values()
            for c in _smallest(row, compared)
        ],
        notes=["The smallest gap of a row, by the same SBS, is bold where systems differ."],
        provenance=made_of.lines(),
        n_summaries=1,
    )


def _means(contest: Contest) -> str:
    n = len(contest.shared)
    if n == 0:
        return "no scenario with all gaps"
    return f"mean of {n}" + ("" if n == len(contest.gaps) else " with all gaps")


def _smallest(row: Sequence[Any], columns: Sequence[int]) -> list[int]:
    """The columns with the smallest number, unless all are equal."""
    values = {c: comparable(row[c]) for c in columns if row[c] is not None}
    least = min(values.values(), default=None)
    best = [c for c, value in values.items() if value == least]
    return best if len(best) < len(values) else []


def _follow(contest: Contest) -> Claim:
    text = "The printed gaps follow from the schedules."
    pairs = [
        (f"{system} on {name}", theirs, gaps.train)
        for name, row in contest.gaps.items()
        for system, gaps in row.items()
        if (theirs := printed(name, system)) is not None and gaps.train is not None
    ]
    if not pairs:
        return Claim(text, "none of these", "nothing to compare", None)
    apart = [
        f"{gap} is {ours:.4f}, not {theirs:.3f}"
        for gap, theirs, ours in pairs
        if abs(ours - theirs) > _ROUNDING
    ]
    same = f"{len(pairs) - len(apart)} of {len(pairs)} the same"
    return Claim(
        text,
        f"{plural(len(pairs), 'gap')} with three decimals, by SBS of the training set",
        "; ".join([same, *apart]),
        not apart,
    )


def _order(contest: Contest) -> Claim:
    text = "The systems have the printed order by mean remaining gap, SBS on train."
    means = [
        (system, theirs, ours)
        for system in contest.systems
        if (theirs := contest.printed_mean(system)) is not None
        and (ours := contest.mean(system).train) is not None
    ]
    if len(means) < 2:  # noqa: PLR2004
        return Claim(text, "not of two of these", "nothing to compare", None)
    by_theirs = sorted(means, key=lambda row: row[1])
    by_ours = sorted(means, key=lambda row: row[2])
    n = len(contest.shared)
    return Claim(
        text,
        f"{', '.join(f'{s} {gap:.4f}' for s, gap, _ in by_theirs)} over the same {n}",
        f"{', '.join(f'{s} {gap:.4f}' for s, _, gap in by_ours)} over {n}",
        by_theirs == by_ours,
    )


def _remarks(contest: Contest, held: Sequence[str]) -> Iterator[str]:
    """Notes on the numbers, and on scenarios that are left out. held: all scenarios of the lake."""
    yield (
        "The rules of the contest apply: a run within the budget, or exactly at it, is solved; a "
        "schedule pays for the feature steps that it names; SBS is the best of the "
        "training set; and VBS pays nothing."
    )
    if "Quill" in contest.gaps:
        yield (
            "Quill: the name of a file of the test set lacks its dot (feature_costsarff), so "
            "the contest charged no feature costs there; this table does the same."
        )
    asked = {*contest.gaps, *contest.unanswered}
    for words, names in (
        ("Measured by solution quality; the first algorithm of a schedule counts", contest.quality),
        ("Left out, without answers on a fixed split", contest.unanswered),
        (
            "Of the contest and in the lake, but not asked for",
            [n for n in PRINTED if n in held and n not in asked],
        ),
        ("Of the contest, but not in the lake", [n for n in PRINTED if n not in held]),
    ):
        if names:
            yield f"{words}: {list_names(names, quoted=False, most=20)}."
