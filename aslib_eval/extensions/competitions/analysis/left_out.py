"""What the scoring of a competition leaves out: instances, solvers, late answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_Left = tuple[str, str, list[str]]  # what, why, names
_KEY = ["instance_id", "repetition", "solver"]
_PLACED = ["competing"]  # as of a rule that does not say it


def left_out(
    runs: pl.DataFrame,
    entered: pl.DataFrame,
    boards: pl.DataFrame,
    rules: Mapping[str, Mapping[str, Any]],
) -> pl.DataFrame:
    """What does not count, or has no place, by each rule in each scenario.

    runs: rows of competition_run. entered: of rule_run. boards: of rule_board.
    rules: what each says beside the defaults.

    A row: ``scenario_id``, ``rule``, ``what`` (instances, solvers or answers), ``why``,
    ``n`` and the ``names``, sorted; of an answer the solver and the instance.
    """
    import polars as pl

    of = ["rule", "scenario_id"]
    counted = entered.partition_by(of, as_dict=True)
    ranked = boards.filter(part_of="all").partition_by(of, as_dict=True)
    rows = [
        (scenario, rule, what, why, len(names), sorted(names))
        for (scenario,), there in runs.group_by("scenario_id", maintain_order=True)
        for rule, said in rules.items()
        for what, why, names in _of_board(
            there,
            counted.get((rule, scenario), entered.clear()),
            ranked.get((rule, scenario), boards.clear()),
            said,
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
    runs: pl.DataFrame,
    entered: pl.DataFrame,
    board: pl.DataFrame,
    said: Mapping[str, Any],
) -> Iterator[_Left]:
    yield from _instances(runs, entered, said)
    yield from _solvers(runs, entered, board, said)
    late = entered.filter(entered["answer"].is_null() & entered["removed"].is_null())
    claimed = runs.filter(runs["claim"].is_not_null())
    both = claimed.join(late.select(_KEY), on=_KEY, maintain_order="left")
    names = [f"{solver} on {name}" for name, _, solver in both.select(_KEY).rows()]
    yield "answers", "after the limit", names


def _instances(
    runs: pl.DataFrame, entered: pl.DataFrame, said: Mapping[str, Any]
) -> Iterator[_Left]:
    names = set(runs["instance_id"])
    idle = names - set(runs.filter(_was_run(runs))["instance_id"])
    yield "instances", "no solver was run on it", [*idle]
    why = "of another track" if said.get("track") else "no solver that counts was run"
    yield "instances", why, [*names - idle - set(entered["instance_id"])]
    reasons = {
        "disagreement": "sound solvers say sat and unsat",
        "answers": f"not known to be {said.get('answers')}",
    }
    for reason, words in reasons.items():
        found = entered.filter(removed=reason)["instance_id"]
        yield "instances", words, [*set(found) - idle]


def _solvers(
    runs: pl.DataFrame,
    entered: pl.DataFrame,
    board: pl.DataFrame,
    said: Mapping[str, Any],
) -> Iterator[_Left]:
    roles = dict(runs.select("solver", "role").rows())
    idle = {*roles} - set(runs.filter(_was_run(runs))["solver"])
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


def _was_run(runs: pl.DataFrame) -> pl.Series:
    return runs["ended"].ne_missing("not_applicable")
