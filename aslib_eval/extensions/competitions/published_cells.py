"""Published values beside ours: the scenario, solver and column of each, and whether it is equal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from aslib_eval.errors import AslibError, ScenarioError, os_errors
from aslib_eval.extensions.competitions.published_pages import COMPETING, DISQUALIFIED, PublishedValue
from aslib_eval.extensions.competitions.raw_runs import OUTSIDE
from aslib_eval.extensions.competitions.rule_fit import Change, Effect, changed
from aslib_eval.extensions.competitions.rules import Ranking, RuleView
from aslib_eval.extensions.competitions.smt_tables import TRACKS
from aslib_eval.formats.sources import CsvTable, Names
from aslib_eval.paths import LARGEST_TEXT, read_plain
from aslib_eval.text import Printed, join_words, list_names, plural, printed

_TYPED: Names = {"printed": ("printed",), "solver": ("solver",)}
_AGAIN = re.compile(r" \(\d+\)$")  # the number of a repeated name
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class NameMatch(NamedTuple):
    """Printed name → solver, by names.

    unknown: printed names that fit no solver, or several. left: solvers without a printed name.
    """

    solver_of: Mapping[str, str]
    unknown: tuple[str, ...]
    left: tuple[str, ...]

    def refusal(self, where: str) -> AslibError:
        """The error for printed names of unknown solvers."""
        left = list_names(self.left, quoted=False) or "none"
        names = list_names(self.unknown)
        row = f"{self.unknown[0]},{self.left[0] if self.left else 'SOLVER'}"
        hint = "Check the track and year of the table, or write a CSV file with the columns"
        hint += f" printed,solver and a row for each, such as {row}, and add --names FILE."
        what = f"no solver matches the published names {names}; solvers without a published name: {left}"
        return AslibError(what, where, hint)


def read_names(path: Path) -> dict[str, str]:
    """Printed name → solver, of a CSV file with the columns printed and solver."""
    with os_errors(path, "Check the name of the file."):
        content = read_plain(path, most=LARGEST_TEXT)
    table = CsvTable(content, file=str(path), names=_TYPED, code="names")
    table.require(("printed", "solver"))
    found: dict[str, str] = {}
    for row in table.rows():
        printed, solver = row.name("printed"), row.name("solver")
        if found.setdefault(printed, solver) != solver:
            row.wrong(f"{printed!r} stands for {found[printed]!r} in an earlier row")
    if table.findings:
        raise ScenarioError(str(path), table.findings)
    return found


def match_names(printed: Sequence[str], solvers: Sequence[str], *, given: Mapping[str, str]) -> NameMatch:
    """The solver of each printed name. given: known names, as of ``read_names``.

    >>> found = match_names(["SBVA Cadical"], ["SBVA-sbva_cadical", "kissat"], given={})
    >>> found.solver_of, found.left
    ({'SBVA Cadical': 'SBVA-sbva_cadical'}, ('kissat',))
    """
    for name, solver in given.items():
        if name in printed and solver not in solvers:
            what = f"{name!r} stands for {solver!r}, which is not a solver"
            raise AslibError(what, None, f"The solvers are {', '.join(solvers)}.")
    solver_of = {name: given[name] for name in printed if name in given}
    alike: dict[str, str] = {}  # several printed names that fit the same solvers
    counts = Counter(word for name in solvers for word in {*_words(name)})
    # Words in the names of most solvers.
    common = frozenset(w for w, n in counts.items() if n > 2 and 2 * n > len(solvers))  # noqa: PLR2004
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
                alike |= zip(rivals, fitting, strict=True)
                left = [solver for solver in left if solver not in fitting]
                waiting = [other for other in waiting if other not in rivals]
    unknown = [name for name in waiting if name not in solver_of]
    rest = [solver for solver in left if solver not in solver_of.values()]
    return NameMatch(solver_of, (*unknown, *alike), (*rest, *alike.values()))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _AGAIN.sub("", name).lower())


def _year(name: str) -> str:
    """The year of an earlier winner: ``2018-`` of ``2018-CVC4``."""
    match = re.match(r"20\d\d-", name)
    return match[0] if match else ""


def _words(name: str) -> list[str]:
    """Its words, which begin with a capital or after a sign, without a file ending."""
    name = re.sub(r"\.(sh|py|exe)$", "", _AGAIN.sub("", name))
    return [word.lower() for word in _WORD.findall(name)]


def _own_letters(name: str, common: frozenset[str]) -> str:
    """Its letters and digits, without words that most solvers have."""
    named = re.split(r"[^A-Za-z0-9]+", _AGAIN.sub("", name).lower())
    return "".join(word for word in named if word not in common)


def _own_words(name: str, common: frozenset[str]) -> set[str]:
    return {*_words(name)} - common


def _each_word_once(solver: str) -> str:
    return "".join(dict.fromkeys(re.findall(r"[a-z0-9]+", re.sub(r"\.sh$", "", solver.lower()))))


def _begin_alike(one: str, other: str) -> bool:
    return bool(one and other) and (other.startswith(one) or one.startswith(other))


# Whether a printed name fits a solver, given the common words; from strict to loose.
_ALIKE: Sequence[Callable[[str, str, frozenset[str]], bool]] = (
    lambda printed, solver, _: _letters(printed) == _letters(solver) != "",
    lambda printed, solver, common: _letters(printed) == _own_letters(solver, common) != "",
    lambda printed, solver, common: _own_words(printed, common) == _own_words(solver, common) != set(),
)
_STEPS: Sequence[Callable[[str, str, frozenset[str]], bool]] = (
    lambda printed, solver, _: printed == solver,
    *_ALIKE,
    lambda printed, solver, _: _each_word_once(solver) == _letters(printed) != "",
    lambda printed, solver, common: set() != _own_words(printed, common) <= _own_words(solver, common),
    lambda printed, solver, common: set() != _own_words(solver, common) <= _own_words(printed, common),
    lambda printed, solver, common: _begin_alike(_letters(printed), _own_letters(solver, common)),
)


# Published column → the column of rule_board, if it has another name.
_COLUMNS: Mapping[str, str] = {
    "score": "points",
    "mean_score": "points",
    "correct": "solved",
    "count": "n",
    "timeout": "timeouts",
    "memout": "memouts",
    "unique": "alone",
}
_COUNTS = frozenset(
    {"errors", "solved", "solved_sat", "solved_unsat", "unsolved", "timeouts", "memouts", "alone"}
    | {"wall", "cpu", "time"}
)
# Counts beside the scores on pages of SMT-COMP; they include wrong and late answers.
_OF_PAGE = frozenset({"solved", "solved_sat", "solved_unsat", "unsolved", "timeout", "memout"})
_BESIDE = ", beside the scores of SMT-COMP"
_MEMORY = frozenset({"memory", "memory_gib"})  # in the unit of the runs; GiB of KiB
_BOARD = _COUNTS | _MEMORY | {"place", "n", "points", "mean_time"}
# Columns of a board of sat, or unsat, that depend on unsolved instances.
_OF_UNSOLVED = frozenset({"n", "unsolved", "timeouts", "memouts"})
_TIMES = frozenset({"wall", "cpu", "time", "mean_time"})
_ADDED = ("points", "errors", "solved", "wall", "cpu", "time")  # sums over instances
_ENOUGH = 3  # so many equal differences are no chance
# Restrictions that mean all instances.
_WHOLE = frozenset({"all", "complete", "parallel"})
_CELL = ("rule", "part_of", "part", "column", "restriction")
_LEVELS = ("division", "logic", "family")
_TRACKS = frozenset(TRACKS.values())
_Name = tuple[str, str, str]  # scenario, board, printed solver
_PLAIN = re.compile(r"[^a-z0-9]+")
_AT_ONCE = 200_000  # rows of a view in one query, about 0.3 GB
_INSTANCES = 3  # instances of pairs for a first trial of changes
_KEYS = ("rule", "scenario_id", "part_of", "part", "solver", "other", "column")
_SCHEMA: Mapping[str, pl.DataType] = {
    "cell": pl.Int64(),
    **dict.fromkeys((*_KEYS, "printed"), pl.String()),
    **dict.fromkeys(("value", "half"), pl.Float64()),
    **dict.fromkeys(("restriction", "file"), pl.String()),
    "line": pl.Int64(),
}


@dataclass(frozen=True)
class Cells:
    """The published values with a scenario, solver and rule, and remarks on the others.

    frame: a row for each value: ``cell``, ``rule``, ``scenario_id``, ``part_of``, ``part``, ``solver``,
    ``other`` (of a pair), ``column``, ``printed``, ``value``, ``half`` (half a unit of the last digit),
    ``restriction``, ``file`` and ``line``. passed_over: values that no rule gives. said: sentences on names
    matched by values. outside: scenario and solver → role, if published as hors concours or disqualified
    and nowhere as competing. n_published: number of all values.
    """

    frame: pl.DataFrame
    passed_over: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    outside: Mapping[tuple[str, str], str] = field(default_factory=dict)
    n_published: int = 0

    @property
    def are_pairs(self) -> bool:
        """Whether they are points of pairs."""
        return self.frame["other"].null_count() < self.frame.height


def cells_of(
    values: Sequence[PublishedValue],
    runs: pl.DataFrame,
    boards: pl.DataFrame,
    *,
    rules: Mapping[str, Mapping[str, Any]],
    name: str,
    given: Mapping[str, str],
) -> Cells:
    """Find scenario, solver, rule and column of each published value.

    runs: rows of competition_run. boards: rows of rule_board, by the rules of the competition ``name``; a
    restriction such as sat has the rule ``name``-sat. given: printed name → solver. A name that fits no
    solver, or several, stands for the solver with the most equal values, if there is only one.
    """
    homes = _homes(dict.fromkeys(value.home for value in values), runs)
    restrictions = frozenset(value.restriction for value in values)
    scored = {value.home for value in values if value.column == "correct"}
    unsure = {*product(("sat", "unsat"), _OF_UNSOLVED)}
    open_ = {*runs.filter(runs["truth"].is_null())["scenario_id"]}
    places, unknown = list[_Place](), Counter[str]()
    for value in values:
        alone = value.restriction
        rule = _rule_of(value.board, alone, name, tuple(rules), restrictions)
        column = _column(value, rules[rule] if rule else {})
        home = homes.get(value.home)
        if home is None:
            what = f"the board {' '.join(filter(None, (value.board, value.part)))}"
        elif column in _MEMORY and not boards["memory"].count():
            what = "memory, because it is not a measure of the runs (add --measure-column NAME)"
        elif value.column in _OF_PAGE and value.home in scored:
            what = f"{value.column}{_BESIDE}"
        elif rule is None:
            what = f"{value.column} ({alone})"
        elif not value.against and column not in _BOARD:
            what = value.column
        elif (alone, column) in unsure and home.scenario in open_:
            what = f"{value.column} ({alone}), because some right answers are unknown"
        else:
            if value.number is not None:
                places.append(_Place(value, rule, home, column))
            continue
        unknown[what] += 1
    names, said = _solvers(places, runs, boards, given)
    rows = [
        (
            *(at, *place.key),
            *(names[who] for who in place.pair),
            *(place.column, place.value.value, place.number.value, place.number.half),
            *(place.value.restriction, place.value.file, place.value.line),
        )
        for at, place in enumerate(places)
        if all(who in names for who in place.pair)
    ]
    frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    roles = {
        (place.home.scenario, who): place.value.role
        for role in (OUTSIDE, DISQUALIFIED, COMPETING)  # the last one counts
        for place in places
        if place.value.role == role and (who := names.get(place.pair[0]))
    }
    outside = {who: role for who, role in roles.items() if role != COMPETING}
    return Cells(frame, tuple(_counted(unknown)), tuple(said), outside, unknown.total() + len(places))


def _column(value: PublishedValue, rule: Mapping[str, Any]) -> str:
    """The column of ``with_more`` for a value."""
    if value.unit == "GiB":
        return "memory_gib"
    if value.column == "correct" and rule.get("n_answers"):
        return "points"
    return _COLUMNS.get(value.column, value.column)


def _counted(unknown: Mapping[str, int]) -> Iterator[str]:
    """The numbers of values that are not compared; counts beside scores together."""
    beside = [what for what in unknown if what.endswith(_BESIDE)]
    for what, n in unknown.items():
        if what not in beside:
            yield f"{what}: {plural(n, 'value')}"
    if beside:
        columns = join_words([what.removesuffix(_BESIDE) for what in beside])
        n = sum(unknown[what] for what in beside)
        yield f"{columns}{_BESIDE}: {plural(n, 'value')}"


def _plain(text: str) -> str:
    return _PLAIN.sub("-", text.lower()).strip("-")


@dataclass(frozen=True)
class _Home:
    """The scenario of a published board, and the name of its part there."""

    scenario: str
    level: str
    part: str


def _homes(
    boards: Collection[tuple[str, str, str]], runs: pl.DataFrame
) -> dict[tuple[str, str, str], _Home]:
    """The scenario and part of each published board, if there is one.

    If only one scenario fits, the name of the board does not matter, unless it names another track or the
    scenario is named after another board.
    """
    scenarios = runs["scenario_id"].unique(maintain_order=True).to_list()
    known: dict[str, list[_Home]] = {"": [_Home(s, "all", "all") for s in scenarios]}
    for level in _LEVELS:
        parts = runs.select("scenario_id", level).drop_nulls().unique().sort(level)
        known[level] = [_Home(scenario, level, part) for scenario, part in parts.rows()]
    found, homeless = {}, list[str]()
    tracks = dict(runs.select("scenario_id", "track").unique().rows())
    called = {s: {b for b, *_ in boards if f"-{_plain(b)}-" in f"-{_plain(s)}-"} for s in scenarios}
    for board, level, part in boards:
        fitting = known[level if level in _LEVELS else ""]
        if level in _LEVELS:
            fitting = [h for h in fitting if _plain(h.part) == _plain(part)]
        if len(fitting) > 1:
            words = f"-{_plain(board)}"
            named = [h for h in fitting if f"{words}-" in f"-{_plain(h.scenario)}-"]
            fitting = [h for h in named if f"-{_plain(h.scenario)}".endswith(words)] or named
        elif fitting:
            scenario, track = fitting[0].scenario, _plain(board)
            is_other = track in _TRACKS and track != (tracks[scenario] or track)
            if is_other or board not in (called[scenario] or {board}):
                fitting = []
        if len(fitting) == 1:
            is_instance = level not in ("", *_LEVELS)
            found[board, level, part] = replace(fitting[0], part=part) if is_instance else fitting[0]
        elif fitting:
            homeless.append(" ".join(filter(None, (board, level, part))))
    if homeless or not found:
        shown = list_names(homeless or [" ".join(filter(None, each)) for each in boards], quoted=False)
        hint = f"Name the page of these scenarios alone: {list_names(scenarios, quoted=False)}."
        raise AslibError(f"the published board {shown} fits no single scenario", "--published", hint)
    return found


@dataclass(frozen=True)
class _Place:
    """A published value, and its row and column of a board."""

    value: PublishedValue
    rule: str
    home: _Home
    column: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Rule, scenario and part of its row of rule_board; of a pair the instance."""
        return self.rule, self.home.scenario, self.home.level, self.home.part

    @property
    def number(self) -> Printed:
        """The printed value."""
        return printed(self.value.value)

    @property
    def pair(self) -> tuple[_Name | None, _Name | None]:
        """The printed name with its board, and the same of the other solver of a pair."""
        at = self.home.scenario, self.value.board
        other = (*at, self.value.against) if self.value.against else None
        return (*at, self.value.solver), other


def _solvers(
    places: Sequence[_Place], runs: pl.DataFrame, boards: pl.DataFrame, given: Mapping[str, str]
) -> tuple[dict[_Name | None, str | None], list[str]]:
    """The solver of each printed name, and sentences about uncertain ones.

    A name without runs is left out if every solver has another name.
    """
    of_board: dict[tuple[str, str], list[_Place]] = {}
    for place in places:
        of_board.setdefault((place.home.scenario, place.value.board), []).append(place)
    entered = runs.group_by("scenario_id").agg("solver")
    solvers = {scenario: list(dict.fromkeys(x)) for scenario, x in entered.iter_rows()}
    every = {solver for some in solvers.values() for solver in some}
    computed = {
        (*(row[name] for name in ("rule", "scenario_id", "part_of", "part")), row["solver"]): row
        for row in with_more(boards).iter_rows(named=True)
    }
    found: dict[_Name | None, str | None] = {None: None}
    said: list[str] = []
    for (scenario, board), some in of_board.items():
        virtual = {p.value.solver for p in some if p.value.role == "virtual"}
        both = (name for p in some for name in (p.value.solver, p.value.against))
        names = [n for n in dict.fromkeys(both) if n and n not in virtual]
        own = solvers[scenario]  # given names may belong to another scenario
        said_here = {n: s for n, s in given.items() if s in own or s not in every}
        match = match_names(names, own, given=said_here)
        solver_of = {**dict.fromkeys(virtual, "VBS"), **match.solver_of}
        by_value = _by_values(match.unknown, match.left, some, computed)
        unknown = tuple(name for name in match.unknown if name not in by_value)
        rest = tuple(solver for solver in match.left if solver not in by_value.values())
        if rest and unknown:
            raise match._replace(unknown=unknown, left=rest).refusal(board)
        said += [
            f"The published name {name} stands for {who}: their values agree."
            for name, who in by_value.items()
        ]
        if unknown:
            said.append(f"{scenario} has no runs of {join_words([*unknown])}.")
        solver_of |= by_value
        found |= {(scenario, board, name): who for name, who in solver_of.items()}
    return found, said


def _by_values(
    names: Sequence[str],
    solvers: Sequence[str],
    places: Sequence[_Place],
    computed: Mapping[tuple[str, ...], Mapping[str, Any]],
) -> dict[str, str]:
    """Printed name → solver, where the pair has more equal values than any other pair."""

    def equal(name: str, solver: str) -> int:
        own = [place for place in places if place.value.solver == name]
        rows = [computed.get((*place.key, solver), {}) for place in own]
        return sum(
            place.number.rounds(row.get(place.column)) or place.number.cuts(row.get(place.column))
            for place, row in zip(own, rows, strict=True)
        )

    counts = {(n, s): equal(n, s) for n in names for s in solvers}
    found = {}
    for (name, solver), count in counts.items():
        rivals = [counts[pair] for pair in counts if (pair[0] == name) != (pair[1] == solver)]
        if count > max(rivals, default=0):
            found[name] = solver
    return found


def with_more(boards: pl.DataFrame) -> pl.DataFrame:
    """Rows of rule_board with further columns of published tables."""
    return boards.with_columns(unsolved=pl.col("n") - pl.col("solved"), memory_gib=pl.col("memory") / 2**20)


@cache
def _rule_of(
    board: str, alone: str, name: str, rules: tuple[str, ...], restrictions: frozenset[str]
) -> str | None:
    """The rule of a published value, by its track and restriction.

    A rule named after the track comes first; without a restriction, then a rule named after tables. A rule
    named after a restriction gives values of this restriction alone.
    """
    _, _, own = name.partition("-")
    if own in restrictions - _WHOLE:
        return name if alone == own else None
    track = f"{name}-{_plain(board)}"
    names = [f"{track}-{alone}"]
    names += [track] if alone in _WHOLE else []
    names += [f"{name}-{alone}"] if track not in rules else []
    names += [f"{name}-table", name] if alone in _WHOLE else []
    return next((rule for rule in names if rule in rules), None)


def swapped(cells: pl.DataFrame) -> list[tuple[str, str, str]]:
    """Scenario and two solvers with swapped published values. cells: of ``CellComparison.ours``."""
    alone = cells.filter(pl.col("other").is_null())
    found = []
    for (scenario,), some in alone.group_by("scenario_id", maintain_order=True):
        odd = some.filter(~pl.col("equal"))["solver"].unique().sort().to_list()
        for one, other in combinations(odd, 2):
            mine, theirs = (some.filter(solver=each) for each in (one, other))
            if _follow(mine, theirs) and _follow(theirs, mine):
                found.append((str(scenario), one, other))
    return found


def are_thousandths(cells: pl.DataFrame) -> bool:
    """Whether all values that differ, at least three, are times of a thousandth of ours."""
    odd = cells.filter(~pl.col("equal"))
    away = (pl.col("ours") / 1000 - pl.col("value")).abs()
    near = odd.filter(pl.col("column").is_in(sorted(_TIMES)) & (pl.col("value") > 0))
    near = near.filter(away <= 2 * pl.col("half"))
    return near.height == odd.height >= _ENOUGH


def _follow(cells: pl.DataFrame, others: pl.DataFrame) -> bool:
    both = cells.join(others.select(*_CELL, pl.col("ours").alias("theirs")), on=_CELL, nulls_equal=True)
    away = (pl.col("value") - pl.col("theirs")).abs()
    most = pl.col("half") * (1 + 1e-9) + 1e-9 * pl.col("value").abs()
    return both.filter(away <= most).height == cells.height == others.height


class OneInstance(NamedTuple):
    """An instance; leaving it out, or counting it twice, explains all but ``left`` values."""

    scenario: str
    name: str
    twice: bool
    left: int


class CellComparison:
    """Our values beside published ones, under the rules and changes of them."""

    def __init__(
        self,
        cells: Cells,
        runs: pl.DataFrame,
        rules: Mapping[str, Mapping[str, Any]],
        ranking: Ranking,
        boards: pl.DataFrame | None = None,
    ) -> None:
        """Compare some cells. boards: rows of rule_board under the unchanged rules, to save time."""
        self.cells, self._rules, self._ranking = cells, rules, ranking
        self._boards = None if cells.are_pairs else boards
        frame = cells.frame
        wanted = runs["scenario_id"].is_in(frame["scenario_id"].unique().implode())
        if cells.are_pairs:
            wanted &= runs["instance_id"].is_in(frame["part"].unique().implode())
        self._runs = runs.filter(wanted)
        self._names = frame["rule"].unique(maintain_order=True).to_list()
        self._keys = (
            ["rule", "scenario_id", "part", "solver", "other"]
            if cells.are_pairs
            else ["rule", "scenario_id", "part_of", "part", "solver"]
        )
        self._half = pl.col("half") * (1 + 1e-9) + 1e-9 * pl.col("value").abs()

    def ours(self, changes: Sequence[Change] = ((),)) -> pl.DataFrame:
        """The cells with ``ours`` and ``equal``, for each change number ``of``."""
        if self._boards is not None and tuple(changes) == ((),):
            found = self._numbers(self._boards).with_columns(of=pl.lit(0, pl.Int64))
        else:
            rows = [
                changed(self._rules[name], change, name=f"{name}\n{at}")
                for at, change in enumerate(changes)
                for name in self._names
            ]
            view: RuleView = "rule_pair" if self.cells.are_pairs else "rule_board"
            found = self._numbers(self._ranking.answer(view, self._runs, rows))
            named = pl.col("rule").str.split("\n").list
            found = found.with_columns(rule=named.first(), of=named.last().cast(pl.Int64))
        every = self.cells.frame.join(
            pl.DataFrame({"of": range(len(changes))}, schema={"of": pl.Int64}), how="cross"
        )
        joined = every.join(found, on=[*self._keys, "of", "column"], how="left", nulls_equal=True).sort(
            "of", "cell"
        )
        # Solvers without a run that counts have no row.
        if not self.cells.are_pairs:
            nothing = pl.col("column").is_in(sorted(_COUNTS)) & pl.col("ours").is_null()
            joined = joined.with_columns(ours=pl.when(nothing).then(0.0).otherwise(pl.col("ours")))
        # The printed digits may be rounded or cut off.
        off = (pl.col("ours") - pl.col("value")) * pl.col("value").sign()
        equal = (off.abs() <= self._half) | ((off >= 0) & (off < 2 * pl.col("half")))
        return joined.with_columns(equal=equal.fill_null(value=False))

    def _numbers(self, found: pl.DataFrame) -> pl.DataFrame:
        if self.cells.are_pairs:
            points = {"column": pl.lit("points"), "ours": pl.col("points")}
            named = found.rename({"instance_id": "part"}).with_columns(**points)
            return named.select(*self._keys, "column", "ours")
        columns = self.cells.frame["column"].unique(maintain_order=True).to_list()
        return (
            with_more(found)
            .select(*self._keys, *(pl.col(name).cast(pl.Float64) for name in columns))
            .unpivot(index=self._keys, variable_name="column", value_name="ours")
        )

    @property
    def rows(self) -> int:
        """About how many rows the views compute for a change."""
        runs = self._runs
        each = runs.height * (runs["solver"].n_unique() if self.cells.are_pairs else 1)
        return max(1, each * len(self._names))

    def effects(self, changes: Sequence[Change]) -> list[Effect]:
        """The effects of each change of the rules on the cells."""
        size = max(1, _AT_ONCE // self.rows)
        found: list[Effect] = []
        for at in range(0, len(changes), size):
            by_change = self.ours(changes[at : at + size]).group_by("of", maintain_order=True)
            counted = by_change.agg(
                left=(~pl.col("equal")).sum(), values=pl.struct("cell", "ours").hash(seed=1).sum()
            )
            found += [Effect(left, values) for _, left, values in counted.iter_rows()]
        return found

    def one_instance(self, differing: pl.DataFrame) -> OneInstance | None:
        """The instance whose absence, or second presence, explains most of these values.

        The search uses the board of all instances with the most differences. None: no instance explains
        half of them.
        """
        whole = differing.filter(pl.col("column").is_in(_ADDED), pl.col("other").is_null(), part_of="all")
        boards = whole.group_by("rule", "scenario_id", maintain_order=True).len()
        if not boards.height:
            return None
        rule, scenario, n = boards.sort("len", maintain_order=True).row(-1)
        runs, said = self._runs.filter(scenario_id=scenario), self._rules[rule]
        key, of = ["solver", "column"], ["solver", "instance_id"]
        parts = self._ranking.answer("rule_part", runs, [said]).filter(part_of="all")
        each = (
            parts.select(*of, *_ADDED[2:], points="weighed", errors="error")
            .unpivot(_ADDED, index=of, variable_name="column", value_name="adds")
            .group_by(*of, "column")
            .agg(pl.len(), pl.col("adds").sum())
            .with_columns(pl.col("adds", "len").sum().over(key).name.suffix("_all"))
        )
        printed = whole.filter(rule=rule, scenario_id=scenario)
        both = printed.select(*key, "value", "half").join(each, on=key)
        both = both.join(pl.DataFrame({"sign": [-1, 1]}), how="cross")
        total = pl.col("adds_all") + pl.col("sign") * pl.col("adds")
        is_mean = pl.lit(said.get("aggregation") == "mean") & (pl.col("column") == "points")
        size = pl.col("len_all") + pl.col("sign") * pl.col("len")
        ours = pl.when(is_mean).then(total / size).otherwise(total)
        near = both.filter((ours - pl.col("value")).abs() <= 2 * self._half)
        votes = near.group_by("instance_id", "sign").len()
        votes = votes.sort("len", "instance_id", "sign", descending=[True, False, True])
        if not votes.height or 2 * votes["len"][0] < n:
            return None
        name, sign, _ = votes.row(0)
        is_it = pl.col("instance_id") == name
        again = runs.filter(is_it & (sign > 0))
        again = again.with_columns(pl.col("repetition") + again["repetition"].max())
        changed = pl.concat([runs.filter(~is_it | (sign > 0)), again])
        cells = Cells(self.cells.frame.filter(scenario_id=scenario))
        there = CellComparison(cells, changed, self._rules, self._ranking).ours()
        left = differing.filter(pl.col("scenario_id") != scenario).height
        left += there.filter(~there["equal"]).height
        return OneInstance(scenario, name, sign > 0, left) if left < differing.height else None

    def sampled(self, differing: pl.DataFrame) -> CellComparison:
        """The cells of a few instances (pairs) or of the smallest board with a difference.

        A change must explain these before it is tried on all.
        """
        keys = ["scenario_id", "part" if self.cells.are_pairs else "rule"]
        homes = differing.select(keys).unique(maintain_order=True)
        if not self.cells.are_pairs:
            sizes = self._runs.group_by("scenario_id").len()
            homes = homes.join(sizes, on="scenario_id").sort("len", *keys)
        homes = homes.head(_INSTANCES if self.cells.are_pairs else 1)
        frame = self.cells.frame.join(homes, on=keys, how="semi", maintain_order="left")
        return CellComparison(Cells(frame), self._runs, self._rules, self._ranking, self._boards)
