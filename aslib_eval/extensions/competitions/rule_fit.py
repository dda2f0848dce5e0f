"""The rule of a scenario, laws that no runs can break, and changes of a rule that explain values."""

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
    """Whether a rule is made for a scenario, by the scenario's name.

    A rule without ``scenarios`` is made for any. every: all rules; a scenario is unknown if none of them is
    made for it, such as the scenarios of ASlib.
    """
    patterns = rule.get("scenarios")
    if patterns is None or _matches(scenario, patterns):
        return "own"
    if _matches_without_year(scenario, patterns):
        return "other year"
    known = any(_matches_without_year(scenario, other.get("scenarios") or ()) for other in every)
    return "other" if known else "unknown"


def require_own(name: str, rule: Rule, scenarios: Sequence[str], every: Mapping[str, Rule]) -> list[str]:
    """Refuse scenarios of other competitions; give a remark on scenarios of another year.

    every: all rules, by name.
    """
    fits = {each: fit_of(rule, each, every.values()) for each in scenarios}
    foreign = [each for each, fit in fits.items() if fit == "other"]
    made_for = join_words(list(rule.get("scenarios") or ()))
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        what = f"the rule {name} is made for {made_for}, not for {foreign[0]}{more}"
        fits_it = own_rules(foreign[0], every) or own_rules(foreign[0], every, any_year=True)
        fitting = ", ".join(fits_it[:_SUGGESTED])
        hint = f"Type one of {fitting} instead. To use this rule anyway, write a TOML file with"
        raise AslibError(what, "NAME", f'{hint} like = "{name}" and name that file.')
    others = [each for each, fit in fits.items() if fit == "other year"]
    if not others:
        return []
    those = others[0] if len(others) == 1 else plural(len(others), "scenario")
    years = "is from another year" if len(others) == 1 else "are from other years"
    return [f"The rule {name} is made for {made_for}; {those} {years}."]


def own_rules(scenario: str, every: Mapping[str, Rule], *, any_year: bool = False) -> list[str]:
    """The rules made for a scenario, without parts of other rules. any_year: also rules of other years."""
    fits = _matches_without_year if any_year else _matches
    found = [name for name, rule in every.items() if fits(scenario, rule.get("scenarios") or ())]
    return [name for name in found if not any(name.startswith(f"{other}-") for other in found)]


def _matches(scenario: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(scenario, pattern) for pattern in patterns)


def _matches_without_year(scenario: str, patterns: Iterable[str]) -> bool:
    return _matches(_YEAR.sub("", scenario, count=1), (_YEAR.sub("", each, count=1) for each in patterns))


QUICK = ("pair_sum", "copies", "time_scale", "unsolved")


def open_laws(rule: Mapping[str, Any], *, is_complete: bool) -> list[str]:
    """The quickly tried laws that some runs may break, without those that the rule says it lacks.

    is_complete: whether every solver has a run on every instance; otherwise a mean over instances may
    change its order.
    """
    lacks = {text.partition(": ")[0] for text in rule.get("lacks") or ()}
    settled = {*_settled(rule, is_complete=is_complete)}
    return [law for law in QUICK if law not in lacks | settled]


def _settled(rule: Mapping[str, Any], *, is_complete: bool) -> Iterator[str]:
    scoring = rule.get("scoring", "answers")
    # The points of a pair are 1 and 0, or shares of 1.
    if scoring != "pairs" or not rule.get("worse_of_unproved"):
        yield "pair_sum"
    # A copy repeats answers; it counts among votes and pairs alone.
    if scoring != "pairs" and rule.get("disagreement") != "majority":
        yield "copies"
    if rule.get("rounding", "none") == "none" and rule.get("time_limit") is None and scoring != "log":
        yield "time_scale"
    # An unsolved run adds the same to all solvers with it, or nothing.
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


MOST = 3  # choices changed together
TRIES = 3000
_FEW = 4  # times TRIES: most changes of choices that matter
# Values that are tried for a column of numbers.
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
# Columns on places and boards, not on the worth of a run.
_NOT_TRIED = frozenset({*("rule", "about", "document", "scenarios", "parts", "track", "category"), "lacks"})
_PERMUTED = 4  # most words of order_by for which all orders are tried
# Column → the scoring that uses it; under another scoring it is tried last.
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
    """How many values a change leaves unexplained, and a hash of the values that it gives."""

    left: int
    values: int


Effects = Callable[[Sequence[Change]], Sequence[Effect]]


@dataclass(frozen=True)
class Explained:
    """The changes of the rule that explain the values.

    changes: the smallest changes under which no value differs. nearest, left: without any, the change under
    which the fewest values differ, and how many do. most: most choices changed together. complete: whether
    all such changes were tried, or only choices that matter here. tried: number of changes. is_cut: whether
    the search stopped early.
    """

    changes: tuple[Change, ...]
    nearest: Change
    left: int
    most: int
    complete: bool
    tried: int
    is_cut: bool = False


def alternatives(defaults: str, rule: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Column of ``rule`` → the other values to try.

    defaults: a SELECT of one row with columns, types, words and defaults. rule: a row without defaults.
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
    return {**rule, **{c: list(x) if isinstance(x, tuple) else x for c, x in change}, "rule": name}


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

    found: the values to try for each column. effects: the effects of changes on all values. sample: the
    same on some values, which is quicker: only changes that explain the sample are tried on all. With more
    than ``tries`` changes of a size, only columns that alter the sample are combined. steps: most changes
    in all. checks: most changes of one size that are tried on all values.
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
            if all(effect.values != known.get(part) for part in combinations(change, size - 1)):
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
    """About how many changes of so many of these columns there are."""
    if not columns or size > len(columns):
        return 0
    sizes = [len(found[name]) for name in columns]
    mean = sum(sizes) / len(sizes)
    return round(comb(len(columns), size) * mean**size)


def _changes(found: Mapping[str, Sequence[Any]], columns: Sequence[str], size: int) -> Iterator[Change]:
    for names in combinations(columns, size):
        for values in product(*(found[name] for name in names)):
            yield tuple(zip(names, values, strict=True))
