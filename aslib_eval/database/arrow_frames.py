"""Relations of DuckDB as frames, without the Arrow library, which is slow to load.

polars keeps the class of what it is given until the process ends. Were that DuckDB's, or one that leads to
it, DuckDB would then complain on stderr that it is still held: so the class here is plain, and nothing else
stands in its module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb
    import polars as pl


class _Rows:
    """The rows of a relation, for whoever reads Arrow's C stream."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


def frame_of(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The relation as its method ``pl`` gives it.

    Raises:
        duckdb.Error: when the query fails.
    """
    import polars as pl

    return pl.DataFrame(_Rows(relation.materialize()))


def answer_of(
    con: duckdb.DuckDBPyConnection, select: str, parameters: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """The answer to a SELECT, as ``frame_of`` gives it.

    It is a table for a moment: a relation of the SELECT would be planned twice, for its columns and for its
    rows, and that takes longer than most answers.

    Raises:
        duckdb.Error: when the query fails.
    """
    con.execute(f"create or replace temp table {_ANSWER} as {select}", parameters)
    try:
        return frame_of(con.table(_ANSWER))
    finally:
        con.execute(f"drop table {_ANSWER}")


_ANSWER = '"the answer"'
