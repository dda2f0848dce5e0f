"""Which solver of the raw files a printed name means, and the values that are printed of it.

Names are compared as written, then without case and signs, then by their words in any order, then as one
that has further words or letters. Words that most solvers have, such as the competition's, are passed over.
Each step decides where exactly one printed name and one solver fit each other; the next sees what is left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError, ScenarioError, os_errors
from aslib_eval.extensions.competitions.raw_runs import OUTSIDE
from aslib_eval.formats.csv_rows import CsvTable, Names
from aslib_eval.paths import LARGEST_TEXT, read_plain
from aslib_eval.text import list_names

_COLUMNS: Names = {"printed": ("printed",), "solver": ("solver",)}
_AGAIN = re.compile(r" \(\d+\)$")  # what sets a name that is there twice apart
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class UndecidedNames:
    """Printed names and solvers of which each may be each."""

    printed: tuple[str, ...]
    solvers: tuple[str, ...]


@dataclass(frozen=True)
class NameMatch:
    """Printed name → solver, as far as it is known.

    undecided: as many printed names as solvers that look alike, as where one name is printed twice, or that
        are left on both sides; only their values can tell them apart.
    unknown: printed names that fit no solver, or several.
    left: the solvers that nothing fits.
    """

    solver_of: Mapping[str, str]
    undecided: tuple[UndecidedNames, ...]
    unknown: tuple[str, ...]
    left: tuple[str, ...]

    def refusal(self, where: str) -> AslibError | None:
        """The error that says what to type, unless all names are known.

        For whom values tell nothing: the undecided names count as unknown.
        """
        groups = [*self.undecided, UndecidedNames(self.unknown, self.left)]
        printed = [name for each in groups for name in each.printed]
        solvers = [name for each in groups if each.printed for name in each.solvers]
        if not printed:
            return None
        left = list_names(solvers, quoted=False) or "none"
        what = f"it is not known which solvers are meant by {list_names(printed)}; left are {left}"
        row = f"{printed[0]},{solvers[0] if solvers else 'SOLVER'}"
        hint = "Is the table of another track or year? Else write a CSV file with the columns"
        hint += f" printed,solver and a row for each, as {row}, and name it with --names."
        return AslibError(what, where, hint)


def read_names(path: Path) -> dict[str, str]:
    """Printed name → solver, of a CSV file with the columns printed and solver.

    Raises:
        AslibError: it cannot be read.
        ScenarioError: a column is missing, or rows are wrong; it has all findings.
    """
    with os_errors(path, "Check the name of the file."):
        content = read_plain(path, most=LARGEST_TEXT)
    table = CsvTable(content, file=str(path), names=_COLUMNS, code="names")
    table.require(("printed", "solver"))
    found: dict[str, str] = {}
    for row in table.rows():
        printed, solver = row.name("printed"), row.name("solver")
        if found.setdefault(printed, solver) != solver:
            row.wrong(f"{printed!r} is {found[printed]!r} in a row before")
    if table.findings:
        raise ScenarioError(str(path), table.findings)
    return found


def match_names(printed: Sequence[str], solvers: Sequence[str], *, given: Mapping[str, str]) -> NameMatch:
    """Which solver is meant by each printed name.

    given: names that are known beforehand, as of ``read_names``.

    >>> found = match_names(["SBVA Cadical"], ["SBVA-sbva_cadical", "kissat"], given={})
    >>> found.solver_of, found.left
    ({'SBVA Cadical': 'SBVA-sbva_cadical'}, ('kissat',))
    """
    for name, solver in given.items():
        if name in printed and solver not in solvers:
            hint = f"There are {', '.join(solvers)}."
            raise AslibError(f"{name!r} is said to be {solver!r}, no solver", None, hint)
    solver_of = {name: given[name] for name in printed if name in given}
    undecided: list[UndecidedNames] = []
    common = _common_words(solvers)
    years = {_year(solver) for solver in solvers}
    left, waiting = [*solvers], [*dict.fromkeys(printed)]
    for step in _STEPS:
        left = [s for s in left if s not in {*solver_of.values()}]
        waiting = [n for n in waiting if n not in solver_of]
        found = {
            name: tuple(
                solver
                for solver in left
                if step(name, solver, common) and (len(years) == 1 or _year(name) == _year(solver))
            )
            for name in waiting
        }
        wanted = {s: tuple(n for n in waiting if s in found[n]) for s in left}
        for name, fitting in found.items():
            rivals = wanted[fitting[0]] if fitting else ()
            if len(fitting) == len(rivals) == 1:
                solver_of[name] = fitting[0]
            elif step in _ALIKE and name in rivals[:1] and len(fitting) == len(rivals):
                undecided.append(UndecidedNames(rivals, fitting))
                left = [solver for solver in left if solver not in fitting]
                waiting = [other for other in waiting if other not in rivals]
    unknown = tuple(name for name in waiting if name not in solver_of)
    rest = tuple(solver for solver in left if solver not in {*solver_of.values()})
    if unknown and len(unknown) == len(rest):
        undecided.append(UndecidedNames(unknown, rest))
        unknown = rest = ()
    return NameMatch(solver_of, tuple(undecided), unknown, rest)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _AGAIN.sub("", name).lower())


def _year(name: str) -> str:
    """That of a solver which won in a year before: ``2018-`` of ``2018-CVC4``."""
    match = re.match(r"20\d\d-", name)
    return match[0] if match else ""


def _words(name: str) -> list[str]:
    """Its words, which begin with a capital or after a sign, without a file ending."""
    name = re.sub(r"\.(sh|py|exe)$", "", _AGAIN.sub("", name))
    return [word.lower() for word in _WORD.findall(name)]


def _common_words(solvers: Sequence[str]) -> frozenset[str]:
    """What most of the solvers have in their names."""
    counts = Counter(word for name in solvers for word in {*_words(name)})
    return frozenset(w for w, n in counts.items() if n > 2 and 2 * n > len(solvers))  # noqa: PLR2004


def _own_letters(name: str, common: frozenset[str]) -> str:
    """Its letters and digits, but for words that most solvers have."""
    named = re.split(r"[^A-Za-z0-9]+", _AGAIN.sub("", name).lower())
    return "".join(word for word in named if word not in common)


def _own_words(name: str, common: frozenset[str]) -> set[str]:
    return {*_words(name)} - common


def _joined_words(solver: str) -> str:
    """Its words, each once, as one."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\.sh$", "", solver.lower()))
    return "".join(dict.fromkeys(words))


def _begins_alike(printed: str, solver: str, common: frozenset[str]) -> bool:
    one, other = _plain(printed), _own_letters(solver, common)
    return bool(one and other) and (other.startswith(one) or one.startswith(other))


# Whether a printed name and a solver fit, with the words that most solvers have: from the same to what is
# alike.
_ALIKE: Sequence[Callable[[str, str, frozenset[str]], bool]] = (
    lambda printed, solver, _: _plain(printed) == _plain(solver) != "",
    lambda printed, solver, common: _plain(printed) == _own_letters(solver, common) != "",
    lambda printed, solver, common: _own_words(printed, common) == _own_words(solver, common) != set(),
)
_STEPS: Sequence[Callable[[str, str, frozenset[str]], bool]] = (
    lambda printed, solver, _: printed == solver,
    *_ALIKE,
    lambda printed, solver, _: _joined_words(solver) == _plain(printed) != "",
    lambda printed, solver, common: set() != _own_words(printed, common) <= _own_words(solver, common),
    lambda printed, solver, common: set() != _own_words(solver, common) <= _own_words(printed, common),
    _begins_alike,
)


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
