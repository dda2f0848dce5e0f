"""Whose rule a scenario has, and which laws of a rule no runs can break, as what it says shows.

Of a rule whose times are neither cut nor limited, ten times all times change no order, whatever the runs
are. Only the other laws have to be tried, which takes a database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal

from aslib_eval.errors import AslibError
from aslib_eval.text import join_words, plural

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
