"""Boards of rules over runs that are given as frames, by the SQL that asks the lake."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import duckdb
import polars as pl

from aslib_eval.database.connections import answer_of
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import TomlRow, complete, read_rows, require_columns
from aslib_eval.database.sqlfiles import SqlFile, find_sql, frame_file
from aslib_eval.errors import AslibError, Finding
from aslib_eval.paths import read_text
from aslib_eval.text import number, one_of

# Each after those that it reads.
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
_AT_ONCE = 200_000  # rows of runs and rules that are computed together
_ABOUT = [_RULES, *_TEXTS, _SCOPE, "lacks"]  # columns that change no board
# What a frame of runs need not say where all runs have the same.
_SAME = {"scenario_id": "''", "instance_id": "''", "repetition": "1"}


class Ranking:
    """The views of rules over runs and rules that are given.

    >>> import polars as pl
    >>> runs = pl.DataFrame({"solver": ["a", "b"], "claim": ["sat", None]})
    >>> Ranking().board(runs, [{"rule": "mine"}]).select("solver", "place").rows()
    [('VBS', None), ('a', 1), ('b', 2)]
    """

    def __init__(self, con: duckdb.DuckDBPyConnection | None = None) -> None:
        """Create the tables of runs and rules, and the macros.

        con: where; None = in a database of its own.
        """
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

        runs: what is known of the columns of competition_run. rules: what rows of the relation ``rule`` say
        beside its defaults. columns: those that are wanted, the key among them.
        """
        said = list(rules)
        if runs.height * len(said) > _AT_ONCE:  # together they would take 1 GB and more
            names = {*runs["scenario_id"]} if "scenario_id" in runs.columns else {""}
            if len(names) * len(said) > 1:
                parts = (runs.filter(scenario_id=name) if len(names) > 1 else runs for name in names)
                some = [self.answer(view, p, [rule], columns=columns) for p in parts for rule in said]
                return pl.concat(some).sort(_files()[view].key, nulls_last=True)
        self._fill(runs, said)
        # In one query they are planned once, and as views for each that reads them.
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
        """SHA-256 (12 hex digits) of what a rule says that is not as by default.

        Its name, and the texts about it, are not in it.
        """
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
    """The rules of that name, or whose names match a glob; or all those of a file.

    option: who says the name, as an error calls it.
    """
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
        raise AslibError(what, option, f"{one_of(str(name), known)} A rule of your own is a .toml file.")
    return found


def _of_its_own(row: TomlRow, said: Mapping[str, object]) -> TomlRow:
    """A rule of a user's, which is not what the documents of the one it is like say.

    It is made for any scenario, unless it says itself for which ones.
    """
    not_its = {*_TEXTS, _SCOPE} - said.keys()
    return replace(row, values={k: v for k, v in row.values.items() if k not in not_its})


def board_of(lake: OpenLake, rules: Iterable[TomlRow]) -> pl.DataFrame:
    """The boards of the lake's scenarios by some rules, each by place."""
    found = Ranking().board(lake.ask("select * from competition_run"), map(said_by, rules))
    first = ["rule", "scenario_id", "part_of", "part", "place", "solver"]
    return found.sort(*first, nulls_last=True).select(*first, pl.exclude(*first))


def said_by(row: TomlRow) -> dict[str, object]:
    """What a row says, with its name."""
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


def findings(lake: OpenLake) -> list[Finding]:
    """An error for each row of ``answers``: who says what, and what it contradicts."""
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
    'a says unsat of i, and b says sat: sat and unsat'
    """
    who = row["other"]
    claimed = _claim(row["claim"], row["objective"])
    said = f"{row['solver']} says {claimed} of {row['instance_id']}"
    if row["why"] == "judged wrong":
        return f"{said}: judged wrong"
    other = _claim(row["other_claim"], row["other_objective"])
    beside = f"{who} says {other}" if who else f"it is known to be {other}"
    return f"{said}, and {beside}: {row['why']}"


def _claim(claim: str, objective: float | None) -> str:
    return claim if objective is None else f"{claim} ({number(objective)})"
