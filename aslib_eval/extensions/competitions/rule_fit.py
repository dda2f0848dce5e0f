"""Whose rule a scenario has, and its laws, which are tried whenever results are imported.

Laws that few boards show are tried on evenly spread instances of all scenarios that were imported together:
as many rows as take a small part of the time of the import. Where what the rule says settles its laws, no
database is opened, and nothing that is slow to load is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyarrow.parquet as pq

from aslib_eval.database.sqlfiles import our_rows
from aslib_eval.errors import AslibError, Finding
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import Version, lease
from aslib_eval.text import join_words, plural

if TYPE_CHECKING:
    import duckdb
    import polars as pl


Rule = Mapping[str, Any]
Fit = Literal["own", "other year", "unknown", "other"]
_YEAR = re.compile(r"-20[\d?]{2}")
_SUGGESTED = 3


def fit_of(rule: Rule, scenario: str, every: Iterable[Rule]) -> Fit:
    """Whether a scenario is of what a rule is made for, by its name.

    rule: what it says; without ``scenarios`` it is made for any. every: the rules that there are: a
    scenario that is of none of them is unknown, such as those of ASlib.
    """
    patterns = rule.get("scenarios")
    if patterns is None or _matches(scenario, patterns):
        return "own"
    if _matches_without_year(scenario, patterns):
        return "other year"
    known = any(_matches_without_year(scenario, other.get("scenarios") or ()) for other in every)
    return "other" if known else "unknown"


def require_own(name: str, rule: Rule, scenarios: Sequence[str], every: Mapping[str, Rule]) -> list[str]:
    """What is to be said of scenarios that a rule is made for but for their year.

    every: the rules that there are, by name.
    """
    fits = {each: fit_of(rule, each, every.values()) for each in scenarios}
    foreign = [each for each, fit in fits.items() if fit == "other"]
    made_for = join_words(list(rule.get("scenarios") or ()))
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        what = f"{name} is made for {made_for}, and {foreign[0]}{more} is none of these"
        fits_it = own_rules(foreign[0], every) or own_rules(foreign[0], every, any_year=True)
        fitting = ", ".join(fits_it[:_SUGGESTED])
        hint = f"Type one of {fitting} as NAME; if this one is meant, the name of a"
        raise AslibError(what, "NAME", f'{hint} TOML file that says like = "{name}".')
    others = [each for each, fit in fits.items() if fit == "other year"]
    if not others:
        return []
    those = others[0] if len(others) == 1 else plural(len(others), "scenario")
    years = "is of another year" if len(others) == 1 else "are of other years"
    return [f"{name} is made for {made_for}, and {those} {years}."]


def own_rules(scenario: str, every: Mapping[str, Rule], *, any_year: bool = False) -> list[str]:
    """The rules made for a scenario, without those that are parts of another one.

    any_year: also those made for other years of its competition.
    """
    fits = _matches_without_year if any_year else _matches
    found = [name for name, rule in every.items() if fits(scenario, rule.get("scenarios") or ())]
    return [name for name in found if not any(name.startswith(f"{other}-") for other in found)]


def _matches(scenario: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(scenario, pattern) for pattern in patterns)


def _matches_without_year(scenario: str, patterns: Iterable[str]) -> bool:
    return _matches(_YEAR.sub("", scenario, count=1), (_YEAR.sub("", each, count=1) for each in patterns))


QUICK = ("pair_sum", "copies", "time_scale", "unsolved")


def open_laws(rule: Mapping[str, Any], *, is_complete: bool) -> list[str]:
    """The laws that are quickly tried and that some runs may break.

    rule: what a row of the relation says. What it says that it lacks is known, and not among them.
    is_complete: whether every solver has a run on every instance; the mean over instances of others need
    not keep its order.
    """
    lacks = {text.partition(": ")[0] for text in rule.get("lacks") or ()}
    settled = {*_settled(rule, is_complete=is_complete)}
    return [law for law in QUICK if law not in lacks | settled]


def _settled(rule: Mapping[str, Any], *, is_complete: bool) -> Iterator[str]:
    scoring = rule.get("scoring", "answers")
    # Of two points of a pair one is 1 and the other 0, or they are shares of 1.
    if scoring != "pairs" or not rule.get("worse_of_unproved"):
        yield "pair_sum"
    # A copy says what is said already; only votes are counted, and pairs.
    if scoring != "pairs" and rule.get("disagreement") != "majority":
        yield "copies"
    if rule.get("rounding", "none") == "none" and rule.get("time_limit") is None and scoring != "log":
        yield "time_scale"
    # An unsolved run adds the same to all who have it, or nothing; n is that of others.
    aggregation = rule.get("aggregation", "sum")
    means_alike = aggregation == "mean" and rule.get("answers_of") != "run"
    adds_nothing = (
        scoring != "par"
        and not rule.get("both_failed" if scoring == "pairs" else "points_unsolved")
        and rule.get("no_answer", "unsolved") == "unsolved"
        and rule.get("times", "solved") != "all"
    )
    if rule.get("balanced") is None and (
        (is_complete and (aggregation == "sum" or means_alike)) or (aggregation == "sum" and adds_nothing)
    ):
        yield "unsolved"


# Of all runs, and at least: rows of a view that the laws may take. Numbers of rows, so that the same files
# always give the same findings.
_SHARE, _LEAST = 0.05, 5000
# Whether who imports tries the laws of the rule that is asked for afterwards.
TRIED_LATER: ContextVar[bool] = ContextVar("laws are tried later", default=False)


def broken_at_import(lake: Path, scenarios: Sequence[str]) -> Iterator[Finding]:
    """A warning for each law that the rule of a competition breaks on its results.

    A law that the rule says it lacks is not tried. scenarios: just imported; of those that no rule is made
    for, or that are only called like a competition and do not have what solvers said, nothing is said.
    """
    if TRIED_LATER.get():
        return
    rules = {row.name: row.values for row in our_rows("rule")}
    of = {each: name for each in scenarios for name in own_rules(each, rules)[:1]}
    if not of:
        return
    of_rule: dict[str, list[Version]] = {}
    with lease(lake) as held:
        for scenario, name in of.items():
            there = held.version(scenario)
            if there is None or not there.file("answer").is_file():
                continue
            if open_laws(rules[name], is_complete=_is_complete(there)):
                of_rule.setdefault(name, []).append(there)
        if of_rule:
            yield from _broken(of_rule, rules)


def _is_complete(version: Version) -> bool:
    columns = ["instance_id", "repetition", "algorithm"]
    runs = pq.read_table(version.file("run"), columns=columns)
    runs = runs.group_by(columns).aggregate([])
    solvers = runs.group_by("algorithm").aggregate([]).num_rows
    return bool(runs.num_rows == solvers * runs.group_by(columns[:2]).aggregate([]).num_rows)


def _broken(
    of_rule: Mapping[str, Sequence[Version]], rules: Mapping[str, Mapping[str, Any]]
) -> Iterator[Finding]:
    # What is slow to load is loaded for competitions alone.
    import duckdb

    from aslib_eval.extensions.competitions.boards import Ranking
    from aslib_eval.extensions.competitions.laws import LAWS, turned_orders

    with duckdb.connect(config={"threads": 1}) as con:
        ranking = Ranking(con)
        for name, some in of_rule.items():
            rule = {**rules[name], "rule": name}
            turned = turned_orders(_some_runs(con, some, rule), rule, ranking=ranking)
            for law, (scenario, how) in turned.items():
                what = f"{name} breaks a law here: {LAWS[law]}, but {how}"
                hint = f"check --rule {name} shows the smallest competition that breaks it."
                yield Finding(f"law-{law}", "warning", scenario, None, what, hint)


def _some_runs(
    con: duckdb.DuckDBPyConnection, versions: Sequence[Version], rule: Mapping[str, Any]
) -> pl.DataFrame:
    from aslib_eval.database.connections import frame_of
    from aslib_eval.database.lineage import raw_select
    from aslib_eval.extensions.competitions.boards import sql_file
    from aslib_eval.extensions.competitions.laws import spread_instances

    view, raw = sql_file("competition_run"), []
    for name, relation in RELATIONS.items():
        if f"raw_{name}" in view.reads:
            files = [each.file(name) for each in versions]
            select = raw_select(relation, [str(f) for f in files if f.is_file()])
            raw.append(f"raw_{name} as ({select})")
    known = f"with {', '.join(raw)}"
    counted = "count(*), count(distinct algorithm), list(distinct instance_id)"
    asked = con.sql(f"{known} select {counted} from raw_run")  # noqa: S608
    runs, solvers, names = asked.fetchall()[0]
    some = spread_instances(sorted(names), (runs, solvers), rule, rows=max(_LEAST, round(_SHARE * runs)))
    chosen = f"from ({view.sql}) where instance_id in (select unnest($some))"
    return frame_of(con.sql(f"{known} {chosen}", params={"some": some}))
