"""The laws of a competition's own rule, tried whenever its results are imported.

Those that few boards show, on evenly spread instances of all scenarios that were
imported together: as many rows as take a small part of the time of the import.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import Finding
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import Version, lease

if TYPE_CHECKING:
    import duckdb

_RULES = Path(__file__).parents[1] / "sql" / "rule"
# Of all runs, and at least: rows of a view that the laws may take. Numbers of rows, so
# that the same files always give the same findings.
_SHARE, _LEAST = 0.05, 5000


def broken_at_import(lake: Path, scenarios: Sequence[str]) -> Iterator[Finding]:
    """A warning for each law that the rule of a competition breaks on its results.

    A law that the rule says it lacks is not tried. scenarios: just imported; of those
    that no rule is made for, or that are only called like a competition and do not have
    what solvers said, nothing is said.
    """
    named = [each for each in scenarios if _is_of_a_rule(each)]
    if not named:
        return
    with lease(lake) as held:
        found = [there for each in named if (there := held.version(each))]
        own = {
            each.scenario_id: each for each in found if each.file("answer").is_file()
        }
        if own:
            yield from _broken_on(own)


def _broken_on(versions: Mapping[str, Version]) -> Iterator[Finding]:
    # What is slow to load is loaded for competitions alone.
    import duckdb

    from aslib_eval.database.sqlfiles import find_sql
    from aslib_eval.extensions.competitions.analysis.boards import Ranking, said_by
    from aslib_eval.extensions.competitions.analysis.rule_fit import own_rules

    files = {file.name: file for file in find_sql()}
    every = {row.name: row for row in files["rule"].rows}
    said = {name: row.values for name, row in every.items()}
    of_rule: dict[str, list[str]] = {}
    for scenario in versions:
        for rule in own_rules(scenario, said)[:1]:
            of_rule.setdefault(rule, []).append(scenario)
    ranking = Ranking()
    with duckdb.connect(config={"threads": 1}) as con:
        for rule, some in of_rule.items():
            _read(con, [versions[each] for each in some])
            con.execute(files["competition_run"].statement)
            yield from _broken(con, said_by(every[rule]), ranking)


def _is_of_a_rule(scenario: str) -> bool:
    return any(fnmatchcase(scenario, pattern) for pattern in _patterns())


@cache
def _patterns() -> frozenset[str]:
    """The names of scenarios that rules are made for."""
    texts = (file.read_text(encoding="utf-8") for file in sorted(_RULES.glob("*.toml")))
    rules = (rule for text in texts for rule in tomllib.loads(text).values())
    return frozenset(pattern for rule in rules for pattern in rule.get("scenarios", ()))


def _read(con: duckdb.DuckDBPyConnection, versions: Sequence[Version]) -> None:
    """Let ``raw_*`` be the relations of some versions."""
    from aslib_eval.database.raw_relations import raw_select

    for name, relation in RELATIONS.items():
        there = (each.file(name) for each in versions)
        select = raw_select(relation, [str(file) for file in there if file.is_file()])
        con.execute(f"create or replace view raw_{name} as {select}")


def _broken(
    con: duckdb.DuckDBPyConnection, rule: Mapping[str, Any], ranking: Any
) -> Iterator[Finding]:
    from aslib_eval.database.arrow_frames import frame_of
    from aslib_eval.extensions.competitions.analysis.laws import (
        LAWS,
        spread_instances,
        turned_orders,
    )

    count = "select count(*), count(distinct algorithm) from raw_run"
    runs, solvers = con.execute(count).fetchall()[0]
    names = con.execute("select distinct instance_id from raw_run order by all")
    instances = [name for (name,) in names.fetchall()]
    rows = max(_LEAST, round(_SHARE * runs))
    some = spread_instances(instances, (runs, solvers), rule, rows=rows)
    asked = "from competition_run where instance_id in (select unnest($some))"
    tried = frame_of(con.sql(asked, params={"some": some}))
    for law, (scenario, said) in turned_orders(tried, rule, ranking=ranking).items():
        name = rule["rule"]
        what = f"{name} breaks a law here: {LAWS[law]}, but {said}"
        hint = f"check --rule {name} shows the smallest competition that breaks it."
        yield Finding(f"law-{law}", "warning", scenario, None, what, hint)
