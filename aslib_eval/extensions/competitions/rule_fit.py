"""The rule of a scenario, laws that no runs can break, and the change of a rule that gives other values.

Of a rule whose times are neither cut nor limited, ten times all times change no order, whatever the runs
are: what the rule says settles such a law. Only other laws have to be tried, which takes a database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations, islice, permutations, product
from math import comb
from typing import Any, Literal

from aslib_eval.database.sqlfiles import bare_database
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


MOST = 3  # choices that are changed together
TRIES = 3000
_FEW = 4  # times TRIES: so many changes of choices that matter are still tried
# What is tried of columns that hold a number.
_NUMBERS: Mapping[str, tuple[float | None, ...]] = {
    "time_limit": (None, 24.0),
    "penalty": (1.0, 2.0, 10.0),
    "worse_of_unproved": (0.0, 0.5, 1.0),
    "both_failed": (0.0, 0.5, 1.0),
    "shift": (0.0, 1.0),
    "pair_points": (1.0, 2.0),
    "points_sat": (0.0, 1.0, 2.0),
    "points_unsat": (0.0, 1.0, 2.0),
    "points_unsolved": (0.0, -1.0),
    "points_wrong_sat": (0.0, -1.0, -16.0, -32.0),
    "points_wrong_unsat": (0.0, -1.0, -16.0, -32.0),
}
# What says who has a place on which board, and not what a run is worth.
_NOT_TRIED = frozenset({*("rule", "about", "document", "scenarios", "parts", "track", "category"), "lacks"})
_PERMUTED = 4  # words of an order that are tried in every order
# What says nothing unless the rule scores so, and is tried last where it does not.
_SCORED: Mapping[str, str] = {
    **{name: "answers" for name in _NUMBERS if name.startswith("points_")},
    **dict.fromkeys(("proofs", "equal_quality", "worse_of_unproved"), "pairs"),
    **dict.fromkeys(("both_failed", "pair_points"), "pairs"),
    "penalty": "par",
    "shift": "ratio",
}

Change = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Effect:
    """What a change does: how many values it leaves unexplained, and which it gives.

    values: the same number wherever all values are the same.
    """

    left: int
    values: int


Effects = Callable[[Sequence[Change]], Sequence[Effect]]


@dataclass(frozen=True)
class Explained:
    """What changes of the rule do to the values that differ.

    changes: the smallest under which no value differs any more; none if there is none. nearest, left: else
    the change under which the fewest differ, and how many do.
    most: how many choices were changed together at most; complete: whether all such changes were tried, or
    only those of choices that matter here. tried: how many. is_cut: whether there were more than could be
    tried.
    """

    changes: tuple[Change, ...]
    nearest: Change
    left: int
    most: int
    complete: bool
    tried: int
    is_cut: bool = False


def alternatives(defaults: str, rule: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Column of ``rule`` → its other values that are tried.

    defaults: the SELECT of one row that gives columns, types, words and defaults.
    rule: what a row says beside that.
    """
    relation = bare_database().cursor().sql(defaults)
    types = dict(zip(relation.columns, relation.types, strict=True))
    values = dict(zip(relation.columns, relation.fetchall()[0], strict=True))
    values |= {name: value for name, value in rule.items() if value is not None}
    found = {}
    for name, kind in types.items():
        if name in _NOT_TRIED:
            continue
        own = tuple(values[name]) if isinstance(values[name], list) else values[name]
        if others := [v for v in _values(name, kind, own) if v != own]:
            found[name] = others
    scoring = values.get("scoring")
    late = {name: _SCORED.get(name, scoring) != scoring for name in found}
    return {name: found[name] for name in sorted(found, key=late.__getitem__)}


def _values(name: str, kind: Any, value: Any) -> Iterable[Any]:
    match kind.id:
        case "boolean":
            return (False, True)
        case "enum":
            words = list(dict(kind.children)["values"])
            return words if value is not None else [None, *words]
        case "list" if name == "order_by":
            return list(permutations(value)) if len(value) <= _PERMUTED else []
        case "list":
            words = dict(dict(kind.children)["child"].children)["values"]
            return [tuple(w for w in words if (w in value) != (w == each)) for each in words]
        case _:
            return _NUMBERS.get(name, ())


def changed(rule: Mapping[str, Any], change: Change, *, name: str) -> dict[str, Any]:
    """A row of the relation ``rule`` with a change, under another name."""
    said = {c: list(x) if isinstance(x, tuple) else x for c, x in change}
    return {**rule, **said, "rule": name}


def explain(
    found: Mapping[str, Sequence[Any]],
    effects: Effects,
    *,
    sample: Effects,
    most: int = MOST,
    tries: int = TRIES,
    steps: int = _FEW * TRIES,
    checks: int = TRIES,
) -> Explained:
    """Try changes of one choice, then of two, of three, until no value differs.

    found: the other values of each column. effects: what each change does to all values. sample: what it
    does to some of them, which is quicker: a change that does not explain these is not tried on all. Where
    there are more than ``tries`` changes of so many choices, only columns are combined that alter the
    sample, alone or together with others. steps: the search ends after so many changes, with the nearest so
    far. checks: so many of one size are tried on all values.
    """
    (before,) = sample([()])
    nearest: Change = ()
    fewest, tried, complete, is_cut = before.left, 0, True, False
    known: dict[Change, int] = {(): before.values}
    matter: set[str] = set()
    for size in range(1, most + 1):
        columns = list(found)
        if some := size > 1 and _number(found, columns, size) > tries:
            columns = [name for name in columns if name in matter]
        if size > 1 and _number(found, columns, size) > _FEW * tries:
            most = size - 1
            break
        complete = complete and not some
        asked = list(islice(_changes(found, columns, size), steps - tried + 1))
        is_cut = len(asked) > steps - tried
        asked = asked[: steps - tried]
        done = list(zip(asked, sample(asked) if asked else (), strict=True))
        tried += len(done)
        for change, effect in done:
            parts = combinations(change, size - 1)
            if all(effect.values != known.get(part) for part in parts):
                matter |= {name for name, _ in change}
            known[change] = effect.values
            if effect.left < fewest:
                nearest, fewest = change, effect.left
        hopeful = [change for change, effect in done if not effect.left]
        is_cut = is_cut or len(hopeful) > checks
        hopeful = hopeful[:checks]
        whole = zip(hopeful, effects(hopeful) if hopeful else (), strict=True)
        if explaining := tuple(change for change, effect in whole if not effect.left):
            return Explained(explaining, explaining[0], 0, size, complete, tried)
        if is_cut:
            break
    (last,) = effects([nearest])
    return Explained((), nearest, last.left, most, complete, tried, is_cut)


def _number(found: Mapping[str, Sequence[Any]], columns: Sequence[str], size: int) -> int:
    """How many changes of so many of these columns there are, at most."""
    if not columns or size > len(columns):
        return 0
    sizes = [len(found[name]) for name in columns]
    mean = sum(sizes) / len(sizes)
    return round(comb(len(columns), size) * mean**size)


def _changes(found: Mapping[str, Sequence[Any]], columns: Sequence[str], size: int) -> Iterator[Change]:
    for names in combinations(columns, size):
        for values in product(*(found[name] for name in names)):
            yield tuple(zip(names, values, strict=True))
