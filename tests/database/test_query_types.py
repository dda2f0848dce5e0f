"""Values of every type of DuckDB: as they are in every format, or refused."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from aslib_eval.database.query import select
from aslib_eval.errors import AslibError
from aslib_eval.extensions.serving.server import _for_page
from aslib_eval.tables import FORMATS, write
from aslib_eval.tables.to_terminal import to_terminal

FIRST, LAST = dt.datetime.min, dt.datetime.max  # noqa: DTZ901 - DuckDB's have no zone


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.mark.parametrize(
    "value",
    [
        "date 'infinity'",
        "date '10000-01-01'",
        "date '0001-12-31 (BC)'",
        "[date '290309-12-22 (BC)']",
        "map{date '-infinity': 1}",
        "{'a': [{'b': timestamp 'infinity'}]}",
        "timestamp '290309-12-22 (BC) 00:00:00'",
        "timestamptz 'infinity'",
        "timestamp_ms '10000-01-01'",
        "timestamp_s 'infinity'",
        "timestamp_ns 'infinity'",
        "time '24:00:00'",
        "[time '24:00:00']::time[1]",
        "timetz '10:00:00+02'",
        "100000000000000000000000000000000000000::hugeint",
        "[-100000000000000000000000000000000000000::hugeint]",
        "340282366920938463463374607431768211455::uhugeint",
        "123456789012345678901234567890::bignum",
        "bit '101'",
        "interval 1 day",
        "[{'a': interval 1 day}]",
        "union_value(a := 1)",
    ],
)
def test_what_a_frame_has_not_is_refused(con: duckdb.DuckDBPyConnection, value: str) -> None:
    for sql in (f"select {value} as c", f"select 1 as a, {value} as c, 2 as a"):
        with pytest.raises(AslibError, match=r"^query: column c .* Cast it to varchar"):
            select(con, sql)
    assert select(con, f"select ({value})::varchar as c").schema == {"c": pl.String}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("date '0001-01-01'", dt.date.min),
        ("date '9999-12-31'", dt.date.max),
        ("timestamp '9999-12-31 23:59:59.999999'", LAST),
        ("timestamp_ms '0001-01-01'", FIRST),
        ("[time '23:59:59.999999']", [dt.time.max]),
        ("99999999999999999999999999999999999999::hugeint", Decimal("9" * 38)),
        ("{'INTERVAL': 'BIT'}", {"INTERVAL": "BIT"}),
        ("'BIT'::enum('BIT', 'UNION')", "BIT"),
        ("map{'a': date '2026-01-02'}", {"a": dt.date(2026, 1, 2)}),
        ("'a\\x00'::blob", b"a\0"),
        ("'a' || chr(0)", "a\0"),
        ("1::variant", {"metadata": b"\1\0\0", "value": b"\x14\1\0\0\0"}),
        ("null::date", None),
        ("[]::date[]", []),
    ],
)
def test_all_others_are_in_every_format(
    con: duckdb.DuckDBPyConnection, value: str, found: object, tmp_path: Path
) -> None:
    frame = select(con, f"select {value} as c")
    assert frame.rows() == [(found,)]
    assert select(con, f"select {value} as c where false").height == 0
    plain = not isinstance(found, bytes | dict)
    for name, written in FORMATS.items():
        if name == "csv" and not plain:
            with pytest.raises(AslibError, match="column c is of a type that CSV"):
                written(frame)
        else:
            assert written(frame)
    write(frame, tmp_path / "c.parquet", format="parquet")
    assert _for_page(frame, 1)
    assert to_terminal(frame, width=80)


def test_json_of_structs_has_no_infinity(con: duckdb.DuckDBPyConnection) -> None:
    frame = select(con, "select {'a': ['inf'::double]} as c")
    assert "".join(FORMATS["json"](frame).split()) == '[{"c":{"a":[null]}}]'


def test_csv_joins_lists_of_a_fixed_length(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select [1, 2]::int[2] as c, ['=a', 'b'] as d, ['=a']::varchar[1] as e"
    assert FORMATS["csv"](select(con, sql)) == "c,d,e\n1 2,'=a b,'=a\n"


def test_parquet_of_a_struct_without_fields_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"c": [{}]}, schema={"c": pl.Struct({})})
    with pytest.raises(AslibError, match="is no Parquet"):
        write(frame, tmp_path / "c.parquet", format="parquet")
    assert list(tmp_path.iterdir()) == []
