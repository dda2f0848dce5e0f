"""The types that the columns of the lake's files have in Arrow."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

TEXT = pa.dictionary(pa.int32(), pa.string())
NUMBER = pa.float64()
COUNT = pa.int32()
FLAG = pa.bool_()
LIST = pa.list_(pa.string())
# By the kinds of columns that ``schema`` names.
_TYPES = {
    "text": TEXT,
    "content": pa.string(),
    "number": NUMBER,
    "count": COUNT,
    "size": pa.int64(),
    "flag": FLAG,
    "list": LIST,
}


def schema_of(columns: Iterable[tuple[str, str, str]], *, row: str) -> pa.Schema:
    """The schema of a relation; columns: name, kind, and meaning [unit] of each."""
    fields = [
        pa.field(name, _TYPES[kind], metadata={"meaning": meaning}) for name, kind, meaning in columns
    ]
    return pa.schema(fields, {"row": row})
