"""The smallest change of a rule that gives the published values, and where rules come from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product
from math import comb
from pathlib import Path
from typing import Any

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import bare_database
from aslib_eval.extensions.competitions.rule_fit import was_run, without_runs

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


FILES = "select scenario_id, file, bytes, sha256 from raw_source order by all"
_Left = tuple[str, str, list[str]]  # what, why, names
_KEY = ["instance_id", "repetition", "solver"]
ENTERED = ("rule", "scenario_id", *_KEY, "answer", "removed")  # columns of rule_run that are read
_PLACED = ["competing"]  # as of a rule that does not say it


def instances_of(runs: pl.DataFrame) -> pl.DataFrame:
    """The instances of each scenario, and a hash that names them."""
    rows = []
    for (scenario,), frame in runs.group_by("scenario_id", maintain_order=True):
        names = sorted(frame["instance_id"].unique().to_list())
        text = "".join(f"{name}\n" for name in names)
        rows.append((scenario, len(names), hashlib.sha256(text.encode()).hexdigest(), names))
    columns = ["scenario_id", "n", "sha256", "names"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def solvers_of(lake: OpenLake, runs: pl.DataFrame) -> pl.DataFrame:
    """Every solver with its role here, and how it was called."""
    called = lake.ask("select scenario_id, algorithm as solver, configuration from raw_algorithm")
    key = ["scenario_id", "solver"]
    roles = runs.select(*key, "role").unique(maintain_order=True)
    return roles.join(called, on=key, how="left", maintain_order="left").sort(key)


def warnings_of(lake: OpenLake) -> pl.DataFrame:
    """What the import warned of, without the folders where the files lay."""
    rows = [
        (scenario, f"{Path(found['file']).name}{line}: {found['message']}")
        for scenario, manifest in lake.manifests.items()
        for found in manifest["findings"]
        for line in ["" if found["line"] is None else f":{found['line']}"]
        if found["severity"] == "warning"
    ]
    columns = dict.fromkeys(("scenario_id", "warning"), pl.String)
    return pl.DataFrame(rows, schema=columns, orient="row")


def left_out(
    runs: pl.DataFrame, entered: pl.DataFrame, boards: pl.DataFrame, rules: Mapping[str, Mapping[str, Any]]
) -> pl.DataFrame:
    """What does not count, or has no place, by each rule in each scenario.

    runs: rows of competition_run. entered: ``ENTERED`` of rule_run. boards: of rule_board.
    rules: what each says beside the defaults.

    A row: ``scenario_id``, ``rule``, ``what`` (instances, solvers or answers), ``why``, ``n`` and the
    ``names``, sorted; of an answer the solver and the instance.
    """
    of = ["rule", "scenario_id"]
    counted = entered.partition_by(of, as_dict=True)
    ranked = boards.filter(part_of="all").partition_by(of, as_dict=True)
    elsewhere = without_runs(runs)
    rows = [
        (scenario, rule, what, why, len(names), sorted(names))
        for (scenario,), there in runs.group_by("scenario_id", maintain_order=True)
        for rule, said in rules.items()
        for what, why, names in (
            ("solvers", "no run here, but in others of the track", elsewhere[scenario]),
            *_of_board(
                there,
                counted.get((rule, scenario), entered.clear()),
                ranked.get((rule, scenario), boards.clear()),
                said,
            ),
        )
        if names
    ]
    schema: dict[str, Any] = {
        **dict.fromkeys(("scenario_id", "rule", "what", "why"), pl.String),
        "n": pl.Int64,
        "names": pl.List(pl.String),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _of_board(
    runs: pl.DataFrame, entered: pl.DataFrame, board: pl.DataFrame, said: Mapping[str, Any]
) -> Iterator[_Left]:
    yield from _instances(runs, entered, said)
    yield from _solvers(runs, entered, board, said)
    late = entered.filter(entered["answer"].is_null() & entered["removed"].is_null())
    claimed = runs.filter(runs["claim"].is_not_null())
    both = claimed.join(late.select(_KEY), on=_KEY, maintain_order="left")
    names = [f"{solver} on {name}" for name, _, solver in both.select(_KEY).rows()]
    yield "answers", "after the limit", names


def _instances(runs: pl.DataFrame, entered: pl.DataFrame, said: Mapping[str, Any]) -> Iterator[_Left]:
    names = set(runs["instance_id"])
    idle = names - set(runs.filter(was_run(runs))["instance_id"])
    yield "instances", "no solver was run on it", [*idle]
    why = "of another track" if said.get("track") else "no solver that counts was run"
    yield "instances", why, [*names - idle - set(entered["instance_id"])]
    for reason, words in (
        ("disagreement", "sound solvers say sat and unsat"),
        ("answers", f"not known to be {said.get('answers')}"),
    ):
        yield "instances", words, [*set(entered.filter(removed=reason)["instance_id"]) - idle]


def _solvers(
    runs: pl.DataFrame, entered: pl.DataFrame, board: pl.DataFrame, said: Mapping[str, Any]
) -> Iterator[_Left]:
    roles = dict(runs.select("solver", "role").rows())
    idle = {*roles} - set(runs.filter(was_run(runs))["solver"])
    yield "solvers", "not run on any of the instances", [*idle]
    outside = {*roles} - idle - set(entered["solver"])
    absent = {name for name in outside if (roles[name] or "competing") == "competing"}
    category = said.get("category")
    why = f"not in the category {category}" if category else "not run on this track"
    yield "solvers", why, [*absent]
    placed = said.get("placed") or _PLACED
    for role in dict.fromkeys(role for role in roles.values() if role is not None):
        of_role = {name for name, its in roles.items() if its == role}
        yield "solvers", f"{role}: does not count", [*of_role & (outside - absent)]
        if role not in placed:
            yield "solvers", f"{role}: has no place", [*of_role - outside - idle]
    may_win = board.filter(board["role"].is_in(placed) & board["place"].is_null())
    yield "solvers", "disqualified: a wrong answer", may_win["solver"].to_list()
