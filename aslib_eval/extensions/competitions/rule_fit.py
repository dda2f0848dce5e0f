"""What is to be said of a rule and the runs that it ranks: whose they are, and laws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal

from aslib_eval.errors import AslibError
from aslib_eval.text import join_words, plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.competitions.boards import Ranking


Rule = Mapping[str, Any]
Fit = Literal["own", "other year", "unknown", "other"]
_YEAR = re.compile(r"-20[\d?]{2}")
_SUGGESTED = 3
# Of runs under all rules, and at least: rows of a view that trying laws may take. It is a number of rows,
# and no time, so that the same runs always give the same sentences.
_SHARE, _LEAST = 0.1, 2000


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


def broken(name: str, rule: Rule, runs: pl.DataFrame, ranking: Ranking, *, rules: int) -> list[str]:
    """A sentence for each law that is quickly tried, and broken on these runs.

    Laws that the rule says it lacks are not tried. They are tried on as many of the instances as take about
    a tenth of the time of the boards. rules: whose boards are made of the runs.
    """
    from aslib_eval.extensions.competitions.laws import BOARDS, LAWS, tried_on, turned_orders

    some = tried_on(runs, rule, rows=max(_LEAST, round(_SHARE * runs.height * rules)), boards=BOARDS)
    return [
        f"{name} breaks a law: {LAWS[law]}, but {said} (check --rule {name} shows the"
        " smallest competition that breaks it)."
        for law, (_, said) in turned_orders(some, rule, ranking=ranking).items()
    ]


def without_runs(runs: pl.DataFrame) -> dict[str, list[str]]:
    """Scenario → solvers without any row there that were run in others of its track.

    runs: rows of competition_run, of several divisions, for example.
    """
    key = ["scenario_id", "solver"]
    tracks = runs.select("scenario_id", "track").unique()
    run = runs.filter(was_run(runs)).select("track", "solver").unique()
    every = tracks.join(run, on="track", nulls_equal=True).select(key).unique()
    found: dict[str, list[str]] = {each: [] for each in tracks["scenario_id"]}
    for scenario, solver in every.join(runs, on=key, how="anti").rows():
        found[scenario].append(solver)
    return found


def was_run(runs: pl.DataFrame) -> pl.Series:
    """Whether each is a run, and not one that is not applicable."""
    return runs["ended"].ne_missing("not_applicable")


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
