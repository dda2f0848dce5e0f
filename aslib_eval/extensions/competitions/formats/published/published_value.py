"""A published value, and who a printed solver is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aslib_eval.extensions.competitions.formats.competition_runs import OUTSIDE

COMPETING, DISQUALIFIED, VIRTUAL = "competing", "disqualified", "virtual"


@dataclass(frozen=True)
class PublishedValue:
    """A cell of a published table.

    board: the track, in lower case unless a file is named after it.
    solver: as printed, without what the table says about it in brackets; the second
        of a name in one table ends in " (2)".
    column: solved, solved_sat, solved_unsat, unsolved, score, errors, correct, cpu, wall, mean_time,
        mean_score, points, place, …
    value: as printed.
    line: None where the whole file is one line.
    restriction: all, or what alone counts: sat, unsat, 24s, sequential, parallel, … level, part: a
    division, a logic or an instance, and its name; empty: the board. role: competing, hors concours,
    disqualified or virtual.
    against: the other solver of a pair.
    unit: GiB, of memory; empty where it is that of the runs.
    """

    board: str
    solver: str
    column: str
    value: str
    file: str
    line: int | None
    restriction: str = "all"
    level: str = ""
    part: str = ""
    role: str = COMPETING
    against: str = ""
    unit: str = ""

    @property
    def home(self) -> tuple[str, str, str]:
        """Its board and the part of it."""
        return self.board, self.level, self.part

    @property
    def number(self) -> float | None:
        """The value; None for a dash or an empty cell."""
        return None if self.value.lower() in NOTHING else float(self.value)


NOTHING = frozenset({"", "-", "–", "—", "n/a"})  # noqa: RUF001 (a dash as it is printed)
_SAYS = {"hors concours": OUTSIDE, "non-competing": OUTSIDE, "disqualified": DISQUALIFIED, "vbs": VIRTUAL}


def printed_solver(text: str, *, label: str = "", note: str = "") -> tuple[str, str]:
    """The name in a table, and the role that the table says.

    label: how its row is styled. note: its footnote sign: all there are mean that it does not compete.

    >>> printed_solver("mallobhc (hors concours)")
    ('mallobhc', 'hors concours')
    """
    name, said = text, ""
    match = re.fullmatch(r"(.*\S)\s*\(([^()]*)\)", text)
    if match is not None and match[2].lower() in _SAYS:
        name, said = match[1], match[2].lower()
    words = {said, *label.lower().split(), name.lower()}
    role = next((_SAYS[word] for word in _SAYS if word in words), "")
    return name, role or (OUTSIDE if note else COMPETING)
