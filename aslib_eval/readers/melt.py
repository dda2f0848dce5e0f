"""Wide → long: a column for each feature becomes a row for each cell."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa

from aslib_eval.lake import TEXT


def melt(
    table: pa.Table, *, ids: Collection[str], columns: list[str], name: str, value: str
) -> pa.Table:
    """Columns → rows, row by row: ids, the column's name, and its value.

    ``table`` has text columns (dictionary-encoded) and float64 columns; the result
    has ``table.num_rows * len(columns)`` rows. A text cell goes into ``value`` if that
    is ``runstatus``, else into ``label``; missing is null, NaN stays NaN.
    """
    size, width = table.num_rows, len(columns)
    data: dict[str, Any] = {}
    for field in (f for f in table.schema if f.name in ids):
        data[field.name] = _repeat(table[field.name], width)
    codes = pa.array(np.tile(np.arange(width, dtype=np.int32), size))
    data[name] = pa.DictionaryArray.from_arrays(codes, pa.array(columns, pa.string()))
    numeric = [c for c in columns if pa.types.is_floating(table[c].type)]
    if value == "runstatus":
        data[value] = _interleave_text(table, columns)
    else:
        data[value] = _interleave(table, columns, set(numeric))
        if value == "value" and len(numeric) < width:
            data["label"] = _interleave_text(table, columns, skip=set(numeric))
    return pa.table(data)


def _repeat(column: pa.ChunkedArray, times: int) -> pa.Array:
    array = column.combine_chunks()
    if isinstance(array, pa.DictionaryArray):
        codes = np.repeat(array.indices.to_numpy(), times)
        return pa.DictionaryArray.from_arrays(pa.array(codes), array.dictionary)
    return pa.array(np.repeat(array.to_numpy(), times))


def _interleave(table: pa.Table, columns: list[str], numeric: set[str]) -> pa.Array:
    """Values row by row; null where missing (a NaN of the file stays NaN)."""
    size = table.num_rows
    values = np.full((size, len(columns)), np.nan)
    missing = np.ones((size, len(columns)), bool)
    for at, column in enumerate(columns):
        if column in numeric:
            values[:, at] = table[column].to_numpy()
            missing[:, at] = False
            if table[column].null_count:
                missing[:, at] = table[column].is_null().to_numpy()
    return pa.array(values.ravel(), mask=missing.ravel())


def _interleave_text(
    table: pa.Table, columns: list[str], *, skip: Collection[str] = ()
) -> pa.DictionaryArray:
    """Texts row by row over one dictionary; null where missing."""
    words: dict[str | None, int] = {}
    codes = np.full((table.num_rows, len(columns)), -1, np.int32)
    for at, column in enumerate(columns):
        if column not in skip:
            array = table[column].cast(TEXT).combine_chunks()
            listed = array.dictionary.to_pylist()
            lookup = [words.setdefault(word, len(words)) for word in listed]
            own = array.indices.fill_null(-1).to_numpy()
            codes[:, at] = np.array([*lookup, -1], np.int32)[own]
    flat = codes.ravel()
    indices = pa.array(flat, mask=flat < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))
