"""Answers as tables of the lake contract, in one order and one encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import AslibError
from aslib_eval.lake import RELATIONS, TEXT
from aslib_eval.selections.placing import Held

Key = tuple[str, str]
_WHO = ("selector", "cv_scheme", "cv_repetition", "fold", "instance_id")


def selection_table(held: Iterable[Held]) -> pa.Table | None:
    """Schedules as rows of ``selection``; None if there is none."""
    columns: dict[str, list[Any]] = {n: [] for n in RELATIONS["selection"].schema.names}
    lists = [columns[n] for n in (*_WHO, "position", "action", "name", "budget")]
    for one in held:
        who = _who(one)
        for position, action in enumerate(one.actions, 1):
            for to, value in zip(lists, (*who, position, *action), strict=True):
                to.append(value)
        if not one.actions:
            for to, value in zip(lists, (*who, 0, "none", None, None), strict=True):
                to.append(value)
    return _built("selection", columns)


def outcome_table(held: Iterable[Held], *, pays_features: bool) -> pa.Table | None:
    """Outcomes as rows of ``outcome``; None if there is none."""
    columns: dict[str, list[Any]] = {n: [] for n in RELATIONS["outcome"].schema.names}
    for one in held:
        if (outcome := one.answer.outcome) is not None:
            row = (*_who(one), *outcome, pays_features)
            for to, value in zip(columns.values(), row, strict=True):
                to.append(value)
    return _built("outcome", columns)


def selector_table(noted: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Where predictions come from, as rows of ``selector``: the manifest's facts."""
    columns: dict[str, list[Any]] = {n: [] for n in RELATIONS["selector"].schema.names}
    for facts in noted:
        training = facts.get("trained", {})
        file = facts.get("file")
        origin = "imported" if file is not None else "stored"
        row = (
            facts["selector"],
            facts["cv_scheme"],
            "trained" if training else origin,
            file,
            training.get("seed"),
            training.get("with", {}).get("aslib-eval"),
        )
        for to, value in zip(columns.values(), row, strict=True):
            to.append(value)
    return _built("selector", columns) or RELATIONS["selector"].schema.empty_table()


def _who(one: Held) -> tuple[Any, ...]:
    return (
        one.selector,
        one.cv_scheme,
        one.cv_repetition,
        one.fold,
        one.answer.instance,
    )


def _built(name: str, columns: Mapping[str, list[Any]]) -> pa.Table | None:
    if not columns["selector"]:
        return None
    schema = RELATIONS[name].schema
    arrays = [
        pa.array(columns[f.name], pa.string()).cast(TEXT)
        if f.type == TEXT
        else pa.array(columns[f.name], f.type)
        for f in schema
    ]
    return pa.table(arrays, schema=schema)


def conform(name: str, table: pa.Table, constants: Mapping[str, str]) -> pa.Table:
    """A table in the contract's schema; ``constants`` fill columns it lacks.

    Raises AslibError if a column is missing or of the wrong type.
    """
    arrays = []
    for field in RELATIONS[name].schema:
        if field.name in constants:
            words = pa.array([constants[field.name]] * table.num_rows, pa.string())
            arrays.append(words.cast(TEXT))
        elif field.name in table.column_names:
            arrays.append(_cast(name, table[field.name], field))
        elif field.name in {"fold", "budget", "objective"}:
            arrays.append(pa.nulls(table.num_rows, field.type))
        else:
            raise AslibError(f"has no column {field.name!r}", f"table {name}")
    return pa.table(arrays, schema=RELATIONS[name].schema)


def _cast(name: str, column: pa.ChunkedArray, field: pa.Field) -> pa.Array:
    try:
        if field.type == TEXT:
            return _encoded(column)
        return column.cast(field.type)
    except pa.ArrowException as error:
        what = f"column {field.name!r} is not {field.type} ({error})"
        raise AslibError(what, f"table {name}") from None


def _encoded(column: pa.ChunkedArray) -> pa.Array:
    """Text over a dictionary in order of appearance, whatever it came from."""
    words = column.cast(pa.string()).combine_chunks().dictionary_encode()
    return words.cast(TEXT)


def groups(table: pa.Table | None, keys: Sequence[str]) -> dict[tuple[str, ...], Any]:
    """The rows of each combination of the text columns, in their order."""
    if table is None or not table.num_rows:
        return {}
    columns = [table[key].cast(pa.string()) for key in keys]
    both = pc.binary_join_element_wise(*columns, "\0")
    codes = both.combine_chunks().dictionary_encode()
    return {
        tuple(word.split("\0")): table.filter(pc.equal(codes.indices, number))
        for number, word in enumerate(codes.dictionary.to_pylist())
    }


def joined(name: str, parts: Mapping[tuple[str, ...], pa.Table]) -> pa.Table:
    """The groups as one table, sorted by their keys: same rows, same bytes."""
    schema = RELATIONS[name].schema
    if not parts:
        return schema.empty_table()
    whole = pa.concat_tables([parts[key] for key in sorted(parts)])
    arrays = [
        _encoded(whole[f.name]) if f.type == TEXT else whole[f.name].combine_chunks()
        for f in schema
    ]
    return pa.table(arrays, schema=schema)
