"""The laws of a competition's own rule, tried whenever its results are imported.

Those that few boards show, on evenly spread instances of all scenarios that were imported together: as many
rows as take a small part of the time of the import. Where what the rule says settles its laws, no database
is opened, and nothing that is slow to load is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from aslib_eval.database.sqlfiles import our_rows
from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.rule_fit import open_laws, own_rules
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import Version, lease

if TYPE_CHECKING:
    import duckdb
    import polars as pl

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
