"""What the record of a competition is made of, and what its scoring leaves out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.extensions.competitions.analysis.rule_fit import was_run, without_runs

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
