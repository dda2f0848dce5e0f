"""What a user decides about tables of runs and other files that do not say it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace


@dataclass(frozen=True)
class TableChoices:
    """What is decided about a table; what is not decided is recognised, and said.

    scenario_id: empty = the name of the file, or the column scenario.
    cutoff: time limit; in seconds if ``has_unit``, else in the unit of the times. column: role (``ROLES``)
    and the name of the column that has it; attribute and
        ignore may occur more than once.
    maximize: measures of which more is better.
    measure: further columns that are measures.
    status: word in the table, in lower case, and the status (``STATUSES``) it means. family: the rule that
    finds it in the instances' names (``PathRule``); empty = none. split: what says the families by which
    scenarios are split, as of ``--family``;
        empty = the column of families, or ``family``.
    missing: what runs are that others have (``MissingRuns``); empty = an error. duplicates: which row
    counts of those of one run (``RepeatedRuns``); empty = an
        error.
    unit: of times whose columns do not say it, such as ms: all become seconds; empty = they stay as they
        are.
    has_unit: whether the cutoff was given with a unit.
    """

    scenario_id: str = ""
    cutoff: float | None = None
    column: tuple[tuple[str, str], ...] = ()
    maximize: tuple[str, ...] = ()
    measure: tuple[str, ...] = ()
    status: tuple[tuple[str, str], ...] = ()
    family: str = ""
    missing: str = ""
    duplicates: str = ""
    split: str = ""
    unit: str = ""
    has_unit: bool = False

    @property
    def given(self) -> frozenset[str]:
        """The names of what is decided."""
        nothing = TableChoices()
        names = (field.name for field in fields(self))
        return frozenset(name for name in names if getattr(self, name) != getattr(nothing, name))

    def chosen(self, role: str) -> list[str]:
        """The columns that are given for a role."""
        return [name for key, name in self.column if key == role]

    def settled(
        self,
        header: Sequence[str],
        *,
        roles: Mapping[str, str],
        attributes: Sequence[str],
        times: Sequence[str],
        status: Mapping[str, str],
        measures: Sequence[str] = (),
    ) -> TableChoices:
        """The choices for a table whose columns are known; their user's go before.

        roles: role → column. attributes: columns that belong to instances. times, measures: columns of
        such. status: word, in lower case, and what it means. All other columns of the header are ignored,
        without a word.
        """
        said = {role for role, _ in self.column}
        named = {name for _, name in self.column}
        pairs = [*self.column]
        pairs += [(role, name) for role, name in roles.items() if role not in said and name not in named]
        pairs += [("attribute", each) for each in attributes if each not in named]
        used = {name for _, name in pairs} | {*self.measure, *measures, *times}
        ignored = [("ignore", name) for name in header if name not in used]
        return replace(
            self,
            column=(*pairs, *ignored),
            measure=(*self.measure, *measures),
            status=tuple({**status, **dict(self.status)}.items()),
        )

    def text(self) -> bytes:
        """The choices as the lake's hashes see them; empty where there is none."""
        # A family is said by scenario.toml alone, which has a hash of its own.
        later = ("missing", "duplicates", "split", "unit", "has_unit")
        said = {
            key: value
            for key, value in asdict(self).items()
            if key != "family" and (value or key not in later)
        }
        return b"" if self == TableChoices() else json.dumps(said).encode()


# What is decided about runs, whatever files they are in.
ABOUT_RUNS = frozenset(field.name for field in fields(TableChoices))
