"""One connection for many small scenarios: creating every view is the slow part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from aslib_eval.lake import RELATIONS
from aslib_eval.protocol import Protocol


def activate(con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]) -> None:
    """Make these the active protocols of an open connection."""
    names = [name for name, *_ in con.sql("from protocol limit 0").description]
    con.execute("delete from protocol")
    marks = ", ".join("?" * len(names))
    for protocol in protocols:
        values = [getattr(protocol, name) for name in names]
        con.execute(f"insert into protocol values ({marks})", values)


def look_at(con: duckdb.DuckDBPyConnection, lake: Path) -> None:
    """Let the ``raw_*`` of an open connection read another lake."""
    for name, relation in RELATIONS.items():
        columns = ", ".join(["scenario_id", *relation.schema.names])
        view = f"create or replace view raw_{name} as select {columns} from "
        if list(lake.glob(f"{name}/*/part-0.parquet")):
            con.execute(
                f"{view} read_parquet('{lake}/{name}/*/part-0.parquet',"
                " hive_partitioning = true, hive_types = {'scenario_id': varchar})"
            )
