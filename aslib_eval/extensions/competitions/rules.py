"""Boards of rules over frames of runs, by the SQL of the lake, and laws that rules break.

A law names changes of the runs that must not change the order of solvers. The changes are tried without
randomness. Where one breaks the law, solvers and instances are removed as long as it still does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import duckdb
import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import TomlRow, complete, read_rows, require_columns
from aslib_eval.database.sqlfiles import SqlFile, find_sql, frame_file
from aslib_eval.database.views import answer_of
from aslib_eval.errors import AslibError, Finding, Severity
from aslib_eval.extensions.competitions.rule_fit import QUICK, Rule, open_laws
from aslib_eval.paths import read_text
from aslib_eval.text import number, one_of, plural

# Each view reads earlier ones only.
RuleView = Literal["rule_run", "rule_pair", "rule_points", "rule_part", "rule_board"]
# The columns of competition_run with their types; a frame may lack some.
RUN_COLUMNS: Mapping[str, str] = {
    "scenario_id": "varchar",
    "instance_id": "varchar",
    "repetition": "integer",
    "solver": "varchar",
    "role": "varchar",
    "categories": "varchar[]",
    "claim": "varchar",
    "said": "varchar",
    "judged": "varchar",
    "objective": "double",
    "sense": "varchar",
    "truth": "varchar",
    "best_known": "double",
    "cpu": "double",
    "wall": "double",
    "memory": "double",
    "ended": "varchar",
    "cutoff": "double",
    "track": "varchar",
    "division": "varchar",
    "logic": "varchar",
    "family": "varchar",
    "n_answers": "integer",
}
_RUNS, _RULES = "competition_run", "rule"
_TEXTS = ("about", "document")
_SCOPE = "scenarios"
_VIEWS = get_args(RuleView)
_AT_ONCE = 200_000  # rows of runs and rules in one query
_ABOUT = [_RULES, *_TEXTS, _SCOPE, "lacks"]  # columns that change no board
# Defaults of columns that a frame of runs may lack.
_SAME = {"scenario_id": "''", "instance_id": "''", "repetition": "1"}


class Ranking:
    """The views of rules over given runs and rules.

    >>> import polars as pl
    >>> runs = pl.DataFrame({"solver": ["a", "b"], "claim": ["sat", None]})
    >>> Ranking().board(runs, [{"rule": "mine"}]).select("solver", "place").rows()
    [('VBS', None), ('a', 1), ('b', 2)]
    """

    def __init__(self, con: duckdb.DuckDBPyConnection | None = None) -> None:
        """Create the tables of runs and rules, and the macros. con: None = a new database."""
        self._con = con or duckdb.connect(config={"threads": 1})
        defaults = self._con.sql(_files()[_RULES].defaults)
        (row,) = defaults.fetchall()
        self._defaults = dict(zip(defaults.columns, row, strict=True))
        columns = (f"{name} {kind} default {_SAME.get(name, 'null')}" for name, kind in RUN_COLUMNS.items())
        self._con.execute(f"create table {_RUNS} ({', '.join(columns)})")
        self._con.execute(f"create table {_RULES} as {_files()[_RULES].defaults}")
        for file in _files().values():
            if file.is_macro:
                self._con.execute(file.statement)
        self._has_views = False

    def answer(
        self,
        view: RuleView,
        runs: pl.DataFrame,
        rules: Iterable[Mapping[str, object]],
        *,
        columns: Sequence[str] = ("*",),
    ) -> pl.DataFrame:
        """The rows of a view of sql/rule, in the order of its key.

        runs: some columns of competition_run. rules: rows of the relation ``rule`` without defaults.
        columns: must include the key.
        """
        said = list(rules)
        if runs.height * len(said) > _AT_ONCE:  # else they take 1 GB and more
            names = {*runs["scenario_id"]} if "scenario_id" in runs.columns else {""}
            if len(names) * len(said) > 1:
                parts = (runs.filter(scenario_id=name) if len(names) > 1 else runs for name in names)
                some = [self.answer(view, p, [rule], columns=columns) for p in parts for rule in said]
                return pl.concat(some).sort(_files()[view].key, nulls_last=True)
        self._fill(runs, said)
        # As one query the views are planned once, not once for each reader.
        before = _VIEWS[: _VIEWS.index(view) + 1]
        of_names = ", ".join(f"{name} as ({_files()[name].sql})" for name in before)
        wanted, order = ", ".join(columns), ", ".join(_files()[view].key)
        asked = f"with {of_names} select {wanted} from {view} order by {order}"  # noqa: S608
        return answer_of(self._con, asked)

    def ask(
        self,
        question: str,
        parameters: Mapping[str, object],
        *,
        runs: pl.DataFrame,
        rules: Iterable[Mapping[str, object]],
    ) -> pl.DataFrame:
        """The answer of a file of sql/frame that reads runs, rules and their views."""
        self._fill(runs, rules)
        if not self._has_views:
            for name in _VIEWS:
                self._con.execute(_files()[name].statement)
        self._has_views = True
        return answer_of(self._con, frame_file(question).sql, dict(parameters))

    def board(self, runs: pl.DataFrame, rules: Iterable[Mapping[str, object]]) -> pl.DataFrame:
        """``rule_board``: the totals of each solver, and its place."""
        return self.answer("rule_board", runs, rules)

    def hash_of(self, rule: Mapping[str, object]) -> str:
        """SHA-256 (12 hex digits) of the values that are not defaults, without name and texts."""
        (row,) = self._complete([rule]).drop(_ABOUT).to_dicts()
        chosen = {key: row[key] for key in row if row[key] != self._defaults[key]}
        return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:12]

    def _fill(self, runs: pl.DataFrame, rules: Iterable[Mapping[str, object]]) -> None:
        self._con.execute(f"truncate {_RUNS}; truncate {_RULES}")
        self._con.register("given_run", runs)
        columns = ", ".join(name for name in runs.columns if name in RUN_COLUMNS)
        self._con.execute(
            f"insert into {_RUNS} by name select {columns} from given_run"  # noqa: S608
        )
        self._con.unregister("given_run")
        self._con.register("given_rule", self._complete(rules))
        self._con.execute(f"insert into {_RULES} by name from given_rule")
        self._con.unregister("given_rule")

    def _complete(self, rules: Iterable[Mapping[str, object]]) -> pl.DataFrame:
        rows = [dict(rule) for rule in rules]
        columns = {
            name: [default if row.get(name) is None else row[name] for row in rows]
            for name, default in self._defaults.items()
        }
        series = (pl.Series(n, values, strict=False) for n, values in columns.items())
        return pl.DataFrame([s.cast(pl.String) if s.dtype == pl.Null else s for s in series])


def rules_of(lake: OpenLake, name: str | Path, *, option: str = "--rule") -> list[TomlRow]:
    """The rules of that name or glob, or all rules of a file. option: the source of the name in errors."""
    relation = lake.lineage.views[_RULES]
    if str(name).endswith(".toml"):
        path = Path(name)
        rows = read_rows(path, read_text(path))
        require_columns(rows, relation.defaults, key=_RULES)
        said = {row.name: row.values for row in rows}
        return [_of_its_own(row, said[row.name]) for row in complete(rows, beside=relation.rows)]
    found = [row for row in relation.rows if fnmatchcase(row.name, str(name))]
    if not found:
        known = sorted(row.name for row in relation.rows)
        what = f"there is no rule {str(name)!r}"
        raise AslibError(what, option, f"{one_of(str(name), known)} Or name a .toml file with your rule.")
    return found


def _of_its_own(row: TomlRow, said: Mapping[str, object]) -> TomlRow:
    """A user's rule, without the documents and the scenarios of the rule that it begins with."""
    not_its = {*_TEXTS, _SCOPE} - said.keys()
    return replace(row, values={k: v for k, v in row.values.items() if k not in not_its})


def board_of(lake: OpenLake, rules: Iterable[TomlRow]) -> pl.DataFrame:
    """The boards of the lake's scenarios by some rules, in the order of places."""
    found = Ranking().board(lake.ask("select * from competition_run"), map(said_by, rules))
    first = ["rule", "scenario_id", "part_of", "part", "place", "solver"]
    return found.sort(*first, nulls_last=True).select(*first, pl.exclude(*first))


def said_by(row: TomlRow) -> dict[str, object]:
    """The values of a row, with its name."""
    return {**row.values, _RULES: row.name}


def sql_file(name: str) -> SqlFile:
    """The view or relation of that name, with its header."""
    return next(file for file in find_sql() if file.name == name)


@cache
def _files() -> dict[str, SqlFile]:
    files = {file.name: file for file in find_sql()}
    wanted = {*get_args(RuleView), _RULES}
    found = {name: file for name, file in files.items() if file.is_macro}
    return found | {name: file for name, file in files.items() if name in wanted}


ANSWERS = "select * from answers order by all"


def contradictions(lake: OpenLake) -> list[Finding]:
    """An error for each row of ``answers``, with both claims."""
    return [
        Finding("answers", "error", row["scenario_id"], None, sentence_of(row))
        for row in lake.ask(ANSWERS).iter_rows(named=True)
    ]


def sentence_of(row: Mapping[str, Any]) -> str:
    """A row of ``answers`` in words, with both claims.

    >>> sentence_of({
    ...     "instance_id": "i", "solver": "a", "claim": "unsat", "objective": None,
    ...     "other": "b", "other_claim": "sat", "other_objective": None,
    ...     "why": "sat and unsat"})
    'a says unsat for i, and b says sat: sat and unsat'
    """
    who = row["other"]
    claimed = _claim(row["claim"], row["objective"])
    said = f"{row['solver']} says {claimed} for {row['instance_id']}"
    if row["why"] == "judged wrong":
        return f"{said}: judged wrong"
    other = _claim(row["other_claim"], row["other_objective"])
    beside = f"{who} says {other}" if who else f"it is known to be {other}"
    return f"{said}, and {beside}: {row['why']}"


def _claim(claim: str, objective: float | None) -> str:
    return claim if objective is None else f"{claim} ({number(objective)})"


# Part of a board → solver → its place.
Places = dict[tuple[str, ...], dict[str, int]]
# The change of order that breaks the law: any; or the changed solver wins, or loses.
Forbidden = Literal["any", "won", "lost"]
LAWS: Mapping[str, str] = {
    "pair_sum": "the points of two solvers on an instance that one of them solves always have the same sum",
    "third": "the order of two solvers does not depend on a third solver",
    "copies": "a copy of a solver does not change the order of the other solvers",
    "monotone": "no solver loses a place by solving one more instance",
    "less": "no solver gains a place by losing a right answer",
    "time_scale": "multiplying all times and limits by ten does not change the order",
    "unsolved": "an instance that nobody solves does not change the order",
}
_TRIPLES = 200  # pairs of solvers that the search for the smallest example begins with
MOST = 60  # changes that are tried of a law, evenly spread
ROWS = 400_000  # rows of a view for all changes of a law
_COPIED = 4  # solvers that are copied in a quick trial
BOARDS = _COPIED + len(QUICK) - 1  # boards of a quick trial, with the unchanged one
_COPY = " (copy)"


@dataclass(frozen=True)
class Change:
    """A change of the runs, in words and as a function, and what it must not do.

    solver: the only solver whose runs change, if there is one.
    """

    about: str
    make: Callable[[pl.DataFrame], pl.DataFrame]
    solver: str = ""
    forbidden: Forbidden = "any"


class TurnedPair(NamedTuple):
    """Two solvers of a scenario that break a law, and how."""

    scenario: str
    pair: tuple[str, str]
    said: str


@dataclass(frozen=True)
class Violation:
    """A broken law, with the fewest runs that break it.

    solvers: the two that change their order, or have another sum of points. said: how, in words.
    """

    law: str
    change: str
    solvers: tuple[str, str]
    said: str
    runs: pl.DataFrame

    def __str__(self) -> str:
        solvers = plural(self.runs["solver"].n_unique(), "solver")
        instances = plural(self.runs["instance_id"].n_unique(), "instance")
        return f"{LAWS[self.law]}, but {self.change}, {self.said} (found with {solvers} on {instances})"


def broken_laws(
    runs: pl.DataFrame, rule: Rule, *, laws: Sequence[str] = tuple(LAWS), ranking: Ranking | None = None
) -> list[Violation]:
    """The laws that a rule breaks on some runs, each with the fewest runs that break it.

    Other laws hold for the changes that were tried, on the instances of ``tried_on``.
    """
    if runs.is_empty():
        return []
    ranked = Ranked(ranking or Ranking(), rule)
    runs = tried_on(runs, rule)
    changes = {law: _spread(_CHANGES[law](runs), MOST) for law in laws if law in _CHANGES}
    # Planning a query takes longer than a few more rows.
    few = tried_on(runs, rule, boards=1 + sum(map(len, changes.values()))).height == runs.height
    turned: dict[str, _Turned] = {}
    for some in [changes] if few else [{law: changes[law]} for law in changes]:
        turned |= _turned(ranked, runs, some)
    tried = (_tried(ranked, runs, law, turned.get(law)) for law in laws)
    return [found for found in tried if found is not None]


def tried_on(runs: pl.DataFrame, rule: Rule, *, rows: int = ROWS, boards: int = MOST + 1) -> pl.DataFrame:
    """The runs for trying laws: all, or the runs of evenly spread instances.

    ``boards`` boards of them take at most ``rows`` rows; a rule of pairs needs a row for each two solvers.
    A law that is broken on some instances is broken. A law that holds there need not hold on all.
    """
    counts = (runs.height, runs["solver"].n_unique())
    names = runs["instance_id"].unique().sort().to_list()
    some = spread_instances(names, counts, rule, rows=rows, boards=boards)
    return runs.filter(pl.col("instance_id").is_in(some))


def spread_instances(
    names: Sequence[str], counts: tuple[int, int], rule: Rule, *, rows: int, boards: int = BOARDS
) -> Sequence[str]:
    """The instances of ``tried_on``. counts: how many runs and solvers there are."""
    runs, solvers = counts
    each = solvers if rule.get("scoring") == "pairs" else 1
    return names[:: max(1, -(-runs * each * boards // rows))]


def turned_orders(runs: pl.DataFrame, rule: Rule, *, ranking: Ranking) -> dict[str, tuple[str, str]]:
    """The quickly tried laws that are broken: law → scenario and how, without the smallest example.

    Laws that the rule lacks, or always keeps, are not tried. runs: of few instances, see ``tried_on``.
    """
    laws = open_laws(rule, is_complete=_is_complete(runs))
    ranked = Ranked(ranking, rule)
    found: dict[str, tuple[str, str]] = {}
    if "pair_sum" in laws:
        (odd,) = ranked.odd_pairs([runs])
        found |= {"pair_sum": (odd.scenario, odd.said)} if odd else {}
    changes = {law: _spread(_CHANGES[law](runs), _COPIED) for law in laws if law in _CHANGES}
    for law, (change, (turned, *_)) in _turned(ranked, runs, changes).items():
        found[law] = turned.scenario, f"{change.about}, {turned.said}"
    return found


def _is_complete(runs: pl.DataFrame) -> bool:
    of = [name for name in ("scenario_id", "repetition") if name in runs.columns]
    known = runs.select(*of, "instance_id", "solver").unique()
    solvers = pl.col("solver").n_unique()
    here = solvers.over(*of, "instance_id")
    every = solvers.over("scenario_id") if "scenario_id" in of else solvers
    return bool(known.select((here == every).all()).item())


def findings(lake: OpenLake, rules: Sequence[TomlRow]) -> list[Finding]:
    """A warning for each law that a rule breaks on a scenario of a lake.

    A law that the rule says it lacks gives a note with the reason. Another note says that the laws were
    tried on some instances only.
    """
    runs, ranking = lake.ask("select * from competition_run"), Ranking()
    found = []
    for scenario, row in product(lake.scenarios, rules):
        some = runs.filter(pl.col("scenario_id") == scenario)
        n, m = (each["instance_id"].n_unique() for each in (tried_on(some, row.values), some))
        if n < m:
            said = f"by {row.name}: the check tried the laws on {n} of {m} instances"
            found.append(Finding("law-sample", "note", scenario, None, said))
        for each in broken_laws(some, said_by(row), ranking=ranking):
            said = f"by {row.name}: {each}"
            known = [text for text in row.values.get("lacks", ()) if text.startswith(f"{each.law}: ")]
            reason = f"This is known: {known[0].partition(': ')[2]}." if known else ""
            severity: Severity = "note" if known else "warning"
            found.append(Finding(f"law-{each.law}", severity, scenario, None, said, reason))
    return found


@dataclass(frozen=True)
class Ranked:
    """A rule that ranks several sets of runs at once."""

    ranking: Ranking
    rule: Rule

    def places(self, several: Sequence[pl.DataFrame]) -> list[Places]:
        """For each set of runs: board → solver → place."""
        found: list[Places] = [{} for _ in several]
        board = self._asked("rule_board", several).drop_nulls("place")
        columns = ("scenario_id", "part_of", "part", "solver", "place")
        for scenario, part_of, part, solver, place in board.select(columns).rows():
            at, _, scenario_id = scenario.partition(_APART)
            found[int(at)].setdefault((scenario_id, part_of, part), {})[solver] = place
        return found

    def odd_pairs(self, several: Sequence[pl.DataFrame]) -> list[TurnedPair | None]:
        """For each set of runs, a pair with another sum of points than the rule's."""
        wanted = float(self.rule.get("pair_points", 1))
        found: list[TurnedPair | None] = [None for _ in several]
        both: dict[tuple[str, ...], float] = {}
        key = ("scenario_id", "instance_id", "repetition", "solver", "other")
        for *where, points, why in self._asked("rule_pair", several).select(*key, "points", "why").rows():
            if why != "both failed":
                *of, one, other = map(str, where)
                pair = (*of, *sorted((one, other)))
                both[pair] = both.get(pair, 0) + points
        for (named, instance, _, one, other), total in both.items():
            if abs(total - wanted) > _ROUNDING:
                said = f"{one} and {other} have {total:g} points together on {instance}"
                at, _, scenario = named.partition(_APART)
                found[int(at)] = TurnedPair(scenario, (one, other), said)
        return found

    def _asked(self, view: RuleView, several: Sequence[pl.DataFrame]) -> pl.DataFrame:
        named = []
        for at, runs in enumerate(several):
            name = pl.lit(f"{at}{_APART}")
            if "scenario_id" in runs.columns:
                name += pl.col("scenario_id")
            named.append(runs.with_columns(scenario_id=name))
        return self.ranking.answer(view, pl.concat(named), [self.rule])


_APART = "\x1f"
_NOTHING = Change("", lambda runs: runs)
_ROUNDING = 1e-9


# A change, and the pairs that it reorders against the law.
_Turned = tuple[Change, list[TurnedPair]]


def _turned(
    ranked: Ranked, runs: pl.DataFrame, changes: Mapping[str, Sequence[Change]]
) -> dict[str, _Turned]:
    every = [(law, each) for law, some in changes.items() for each in some]
    if not every:
        return {}
    before, *after = ranked.places([runs, *[each.make(runs) for _, each in every]])
    found: dict[str, _Turned] = {}
    for (law, change), then in zip(every, after, strict=True):
        if law not in found and (pairs := [*_reordered(before, then, change)]):
            found[law] = change, pairs
    return found


def _tried(ranked: Ranked, runs: pl.DataFrame, law: str, found: _Turned | None) -> Violation | None:
    """The first violation of a law, with the fewest runs. found: the change that breaks it on all runs."""
    if law == "pair_sum":
        change, outcomes = Change("in these runs", _NOTHING.make), ranked.odd_pairs
        turned = [each for each in outcomes([runs]) if each is not None]
    else:
        change, turned = found or (_NOTHING, [])

        def outcomes(several: Sequence[pl.DataFrame]) -> list[TurnedPair | None]:
            places = ranked.places([*several, *[change.make(some) for some in several]])
            both = zip(places[: len(several)], places[len(several) :], strict=True)
            return [next(_reordered(old, new, change), None) for old, new in both]

    if not turned:
        return None

    def breaks(several: Sequence[pl.DataFrame]) -> list[bool]:
        return [outcome is not None for outcome in outcomes(several)]

    # The two reordered solvers and the changed one are often enough.
    sets = ({*each.pair, change.solver} for each in turned[:_TRIPLES])
    some = [runs.filter(runs["solver"].is_in(each)) for each in sets]
    broken = (each for each, is_so in zip(some, breaks(some), strict=True) if is_so)
    few = smallest(next(broken, runs), breaks)
    (outcome,) = outcomes([few])
    _, pair, said = outcome or turned[0]
    return Violation(law, change.about, pair, said, few)


def _spread(changes: Iterable[Change], most: int) -> list[Change]:
    every = [*changes]
    return every[:: max(1, -(-len(every) // most))]


def _reordered(before: Places, after: Places, change: Change) -> Iterator[TurnedPair]:
    """Pairs of solvers that a change reorders against the law, and how."""
    for part in sorted(before.keys() & after.keys()):
        old, new = before[part], after[part]
        for pair in combinations(sorted(old.keys() & new.keys()), 2):
            # The changed solver is named first.
            one, other = pair[::-1] if pair[1] == change.solver else pair
            was = _sign(old[one] - old[other])
            now = _sign(new[one] - new[other])
            concerned = change.forbidden == "any" or change.solver == one
            forbidden = {"any": was != now, "won": now < was, "lost": now > was}
            if concerned and forbidden[change.forbidden]:
                words = {-1: "ahead of", 0: "level with", 1: "behind"}
                said = f"{one} is {words[now]} {other} instead of {words[was]} it"
                yield TurnedPair(part[0], (one, other), said)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def smallest(
    runs: pl.DataFrame, breaks: Callable[[Sequence[pl.DataFrame]], Sequence[bool]]
) -> pl.DataFrame:
    """The fewest runs that still break a law: no solver and no instance can be removed.

    breaks: for several sets of runs, which break it. Larger parts are removed first: half of all instances
    or solvers, then a quarter and so on.

    Source: Zeller and Hildebrandt 2002, delta debugging.
    """
    height = -1
    while runs.height != height:
        height = runs.height
        for column in ("solver", "instance_id"):
            names = runs[column].unique(maintain_order=True).to_list()
            size = len(names) // 2
            while size:
                left = [[*names[:at], *names[at + size :]] for at in range(0, len(names), size)]
                some = [runs.filter(pl.col(column).is_in(each)) for each in left]
                found = [*breaks(some)]
                if True in found:
                    names, runs = left[found.index(True)], some[found.index(True)]
                    size = min(size, len(names) // 2)
                else:
                    size //= 2
    return runs


# --- changes ------------------------------------------------------------------------

_SILENT = ("claim", "said", "judged", "objective", "n_answers")


def _of_each(
    about: str, make: Callable[[str, pl.DataFrame], pl.DataFrame], runs: pl.DataFrame
) -> Iterator[Change]:
    for solver in sorted(set(runs["solver"])):
        yield Change(f"{about} {solver}", partial(make, solver), solver)


def _without(solver: str, runs: pl.DataFrame) -> pl.DataFrame:
    return runs.filter(pl.col("solver") != solver)


def _with_copy(solver: str, runs: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([runs, runs.filter(pl.col("solver") == solver).with_columns(pl.col("solver") + _COPY)])


def _scaled(runs: pl.DataFrame) -> pl.DataFrame:
    return runs.with_columns(pl.col("cpu", "wall", "cutoff") * 10)


def _with_unsolved(runs: pl.DataFrame) -> pl.DataFrame:
    first = pl.col("instance_id").first()
    if "scenario_id" in runs.columns:
        first = first.over("scenario_id")
    one = runs.filter(pl.col("instance_id") == first)
    return pl.concat([runs, _unanswered(one.with_columns(instance_id=pl.lit("one that nobody solves")))])


def _unanswered(runs: pl.DataFrame) -> pl.DataFrame:
    """The runs as timeouts without an answer."""
    limit = pl.col("cutoff")
    changed = {**dict.fromkeys(_SILENT), "cpu": limit, "wall": limit, "ended": pl.lit("timeout")}
    there = {name: value for name, value in changed.items() if name in runs.columns}
    return runs.with_columns(**there).cast(runs.schema)


def _right(runs: pl.DataFrame) -> pl.DataFrame:
    """The answers that neither the truth nor another solver contradicts."""
    decided = pl.col("claim").is_in(["sat", "unsat"])
    answers = pl.col("claim").filter(decided).n_unique().over("instance_id")
    told = pl.col("claim").is_not_null() & (answers <= 1)
    if "truth" in runs.columns:
        told &= ~(decided & (pl.col("claim") != pl.col("truth")).fill_null(value=False))
    if "judged" in runs.columns:
        told &= pl.col("judged").ne_missing(pl.lit("wrong"))
    return runs.filter(told)


def _less(runs: pl.DataFrame) -> Iterator[Change]:
    for solver, instance in _right(runs).select("solver", "instance_id").rows():
        about = f"if {solver} does not answer {instance}"
        yield Change(about, partial(_silent, solver, instance), solver, "won")


def _silent(solver: str, instance: str, runs: pl.DataFrame) -> pl.DataFrame:
    mine = (pl.col("solver") == solver) & (pl.col("instance_id") == instance)
    return pl.concat([runs.filter(~mine), _unanswered(runs.filter(mine))])


def _monotone(runs: pl.DataFrame) -> Iterator[Change]:
    best = dict(_right(runs).sort("wall", "solver").reverse().select("instance_id", "solver").rows())
    for solver, instance in runs.filter(pl.col("claim").is_null()).select("solver", "instance_id").rows():
        if like := best.get(instance):
            about = f"if {solver} solves {instance} as {like} does"
            yield Change(about, partial(_as_other, solver, instance, like), solver, "lost")


def _as_other(solver: str, instance: str, like: str, runs: pl.DataFrame) -> pl.DataFrame:
    here = pl.col("instance_id") == instance
    mine = here & (pl.col("solver") == solver)
    theirs, before = runs.filter(here & (pl.col("solver") == like)), runs.filter(mine)
    if theirs.is_empty() or before.is_empty():
        return runs
    own = [name for name in ("role", "categories") if name in runs.columns]
    as_theirs = theirs.with_columns(pl.lit(solver).alias("solver"))
    if own:
        as_theirs = as_theirs.drop(own).join(before.select(own).head(1), how="cross").select(runs.columns)
    return pl.concat([runs.filter(~mine), as_theirs])


_CHANGES: Mapping[str, Callable[[pl.DataFrame], Iterable[Change]]] = {
    "third": partial(_of_each, "without", _without),
    "copies": partial(_of_each, "with a copy of", _with_copy),
    "monotone": _monotone,
    "less": _less,
    "time_scale": lambda _: [Change("with all times and limits multiplied by ten", _scaled)],
    "unsolved": lambda _: [Change("with one more unsolved instance", _with_unsolved)],
}
