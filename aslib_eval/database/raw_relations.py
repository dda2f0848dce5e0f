"""The relations ``raw_*``: SELECTs of the files of some versions of scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from aslib_eval.database.sqlfiles import all_quoted, comments
from aslib_eval.lake.layout import PREFIX
from aslib_eval.lake.schema import ADDED, Relation

# The id that a scenario's home is named by; all of it is worked out once a file, which split_part and a
# slice of its result are not.
_HOME = f"'/{PREFIX}([^/]+)/[^/]+/[^/]+/[^/]+$'"
_SCENARIO_ID = f"url_decode(regexp_extract(filename, {_HOME}, 1))"


def raw_select(relation: Relation, files: Sequence[str]) -> str:
    """The SELECT of a relation from the files of some versions of scenarios.

    Ids come from the home of each version, and not as a Hive partition: DuckDB would also take a folder
    above the lake that is named like ``value=1`` for a partition, and put 1 into the column. A condition on
    them is put to the names of the files: of other scenarios nothing is read.
    """
    # Only names of the contract and quoted paths are spliced.
    if not files:
        types = {"scenario_id": "varchar", **relation.sql_types()}
        nulls = (f"cast(null as {kind}) as {name}" for name, kind in types.items())
        return f"select {', '.join(nulls)} where false"
    columns = ", ".join(relation.sql_types())
    options = "hive_partitioning = false, filename = true"
    found = f"from read_parquet([{all_quoted(files)}], {options}"
    if added := ADDED.get(relation.name):
        kinds = relation.sql_types()
        later = ", ".join(f"null::{kinds[name]} as {name}" for name in added)
        found = f"from (select {later} where false union all by name ({found}, union_by_name = true))"
    return f"select {_SCENARIO_ID} as scenario_id, {columns} {found})"


def raw_comments(relation: Relation) -> list[str]:
    """Statements that comment on the view of a relation and its columns."""
    meanings = {"scenario_id": "scenario, as text", **relation.meanings()}
    return comments(f"raw_{relation.name}", f"One row per {relation.row}.", meanings)
