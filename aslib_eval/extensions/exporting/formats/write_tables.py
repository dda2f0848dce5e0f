"""What is given → frames of the lake contract, and what of it a reader gives back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl
import pyarrow as pa

from aslib_eval.errors import Finding
from aslib_eval.lake.arrow_types import COUNT, FLAG, LIST, NUMBER, TEXT
from aslib_eval.lake.schema import RELATIONS

Tables = Mapping[str, pa.Table | pl.DataFrame]
Frames = dict[str, pl.DataFrame]

_TYPES: dict[pa.DataType, Any] = {
    TEXT: pl.String,
    NUMBER: pl.Float64,
    COUNT: pl.Int32,
    FLAG: pl.Boolean,
    LIST: pl.List(pl.String),
    pa.string(): pl.String,
    pa.int64(): pl.Int64,
}
# What may be left out of a key, and what must be there besides it.
_IMPLIED = {"scenario_id", "of", "cv_scheme", "suggestion"}
_NEEDED = {
    "scenario": ("measure_type", "maximize"),
    "run": ("value", "runstatus"),
    "run_test": ("value", "runstatus"),
    "feature_status": ("runstatus",),
    "feature_status_test": ("runstatus",),
    "algorithm_feature_status": ("runstatus",),
    "feature_cost": ("cost",),
    "feature_cost_test": ("cost",),
    "algorithm_feature_cost": ("cost",),
    "fold": ("fold",),
    "trajectory": ("value",),
    "attribute": ("value",),
}
# Whatever holds for a scenario's files as a whole, and follows from other tables.
_DERIVED = {
    "scenario": {"folder", "source_sha256", "missing", "measure_index"},
    "algorithm": {"has_runs"},
    "feature": {"has_values", "steps", "position"},
    "feature_step": {"position"},
}
_ORDER = {"scenario": "measure_index", "feature": "position", "feature_step": "position"}
_SHOWN = 3


def problem(relation: str, what: str, hint: str = "") -> Finding:
    """What keeps a table from being written."""
    return Finding("table", "error", f"table {relation}", None, what, hint)


def conform(tables: Tables) -> tuple[Frames, list[Finding]]:
    """The given columns in the contract's types, and all that is wrong with them.

    Tables without rows are left out; the order of rows and columns stays.
    """
    frames: Frames = {}
    problems = []
    for name in tables.keys() - RELATIONS.keys():
        hint = f"The contract has {', '.join(RELATIONS)}."
        problems.append(problem(name, "is no relation of the contract", hint))
    for name in (name for name in RELATIONS if name in tables):
        given = tables[name]
        frame = given if isinstance(given, pl.DataFrame) else pl.DataFrame(given)
        wrong = list(_wrong_columns(name, frame))
        frame, refused = _cast(name, frame)
        wrong += refused
        wrong += [] if wrong else _wrong_rows(name, frame)
        problems += wrong
        if frame.height:
            frames[name] = frame
    if "scenario" not in frames:
        what = "is missing or empty; it names the measures and the cutoff"
        problems.append(problem("scenario", what))
    return frames, problems


def _wrong_columns(name: str, frame: pl.DataFrame) -> Iterator[Finding]:
    relation = RELATIONS[name]
    known = {"scenario_id", *relation.schema.names}
    needed = [key for key in relation.key if key not in _IMPLIED]
    for column in (*needed, *_NEEDED.get(name, ())):
        if column not in frame.columns:
            yield problem(name, f"has no column {column!r}")
    for column in frame.columns:
        if column not in known:
            hint = f"It may have {', '.join(relation.schema.names)}."
            yield problem(name, f"has an unknown column {column!r}", hint)


def _cast(name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """The known columns in their types; a value that would change is refused."""
    columns = []
    problems = []
    schema = RELATIONS[name].schema
    for column in (c for c in frame if c.name in {"scenario_id", *schema.names}):
        kind = TEXT if column.name == "scenario_id" else schema.field(column.name).type
        cast = _exact(column, _TYPES[kind])
        if cast is None:
            what = f"column {column.name!r} ({column.dtype}) is not {_TYPES[kind]}"
            problems.append(problem(name, what))
        else:
            columns.append(cast)
    return pl.DataFrame(columns), problems


def _exact(column: pl.Series, target: Any) -> pl.Series | None:
    """The column in another type, None if a value has no equal there."""
    try:
        cast = column.cast(target)
        if column.dtype.is_numeric() and cast.dtype.is_numeric():
            same = cast.cast(column.dtype).eq_missing(column).all()
            return cast if same else None
    except pl.exceptions.PolarsError:
        return None
    return cast


def _wrong_rows(name: str, frame: pl.DataFrame) -> Iterator[Finding]:
    """Rows whose key is missing or occurs twice, and what only files could hold."""
    keys = frame.select(key for key in RELATIONS[name].key if key in frame.columns)
    needed = _NEEDED["scenario"] if name == "scenario" else ()
    for column in (*keys, *(frame[c] for c in needed)):
        if count := column.null_count():
            yield problem(name, f"{column.name} is missing in {count} rows")
    twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True)
    if twice.height:
        columns = ", ".join(keys.columns)
        what = f"{twice.height} keys ({columns}) are repeated: {_some(twice)}"
        yield problem(name, what)
    schemes = set(frame["cv_scheme"]) if "cv_scheme" in frame.columns else set()
    if schemes - {"aslib"}:
        what = f"cv.arff holds the scheme 'aslib' alone, not {sorted(map(str, schemes))}"
        yield problem(name, what, "Give one scheme and call it 'aslib'.")


def _some(rows: pl.DataFrame) -> str:
    return "; ".join(str(row) for row in rows.head(_SHOWN).rows())


def complete(given: Mapping[str, pl.DataFrame]) -> Frames:
    """The frames in their declared order, with what may be left out filled in."""
    frames = {**given}
    if "algorithm" not in frames and "run" in frames:
        names = frames["run"]["algorithm"].unique(maintain_order=True)
        frames["algorithm"] = pl.DataFrame({"algorithm": names})
    for name in ("algorithm", "feature", "feature_step"):
        columns = {field.name: _TYPES[field.type] for field in RELATIONS[name].schema}
        frames.setdefault(name, pl.DataFrame(schema=columns))
    return {name: _filled(name, _ordered(name, f)) for name, f in frames.items()}


def _ordered(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    order = _ORDER.get(name)
    if order is None or order not in frame.columns:
        return frame
    return frame.sort(order, nulls_last=True, maintain_order=True)


def _filled(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """All columns of the contract; what is missing has its usual meaning."""
    schema = RELATIONS[name].schema
    frame = frame.with_columns(
        pl.lit(None, _TYPES[field.type]).alias(field.name)
        for field in schema
        if field.name not in frame.columns
    )
    usual = {
        "of": pl.lit("instance"),
        "described": pl.lit(value=True),
        "configuration": pl.lit(""),
        "is_default": pl.lit(value=False),
        "requires": pl.lit([], pl.List(pl.String)),
        "provides": pl.lit([], pl.List(pl.String)),
    }
    if name == "algorithm":
        usual["described_as"] = pl.col("algorithm")
    return frame.with_columns(
        pl.col(column).fill_null(value) for column, value in usual.items() if column in frame.columns
    )


def losses(given: Frames, back: Mapping[str, pa.Table]) -> Iterator[Finding]:
    """Rows that a reader of the written files would not get as they were given."""
    for name, frame in given.items():
        if name != "source":
            columns = [c for c in frame.columns if c != "scenario_id" and c not in _DERIVED.get(name, ())]
            lost = _lost(name, frame.select(columns), back.get(name))
            if lost.height:
                what = f"{lost.height} rows would not be read back: {_some(lost)}"
                hint = "Is the name one for 'missing', or do the tables disagree?"
                yield problem(name, what, hint)


def _lost(name: str, frame: pl.DataFrame, back: pa.Table | None) -> pl.DataFrame:
    if back is None:
        return frame
    keys = [key for key in RELATIONS[name].key if key in frame.columns]
    values = [column for column in frame.columns if column not in keys]
    read, _ = _cast(name, pl.DataFrame(back))
    both = frame.join(read.with_columns(pl.lit(value=True).alias("?")), on=keys, how="left", suffix="?")
    same = [pl.col(c).eq_missing(pl.col(f"{c}?")) for c in values]
    if name in _DERIVED:  # what is not said may be filled in
        same = [pl.col(c).is_null() | s for c, s in zip(values, same, strict=True)]
    kept = pl.all_horizontal(pl.col("?").is_not_null(), *same)
    return both.filter(~kept).select(frame.columns)
