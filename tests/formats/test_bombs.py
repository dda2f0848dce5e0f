"""Small files that would cost much: as many columns as they like, cells without end."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations import inspect_logs
from aslib_eval.formats.runs import raw_table
from aslib_eval.linter import check_paths


def wide(path: Path, n: int) -> Path:
    """A table of six runs with n columns that say nothing."""
    head = ",".join(f"c{at}" for at in range(n))
    cells = ",x" * n
    rows = [f"i{i},s{s},{i + s + 1}{cells}" for i in range(3) for s in range(2)]
    path.write_text("\n".join([f"instance,solver,time,{head}", *rows, ""]))
    return path


@pytest.mark.slow
def test_many_columns_take_time_as_they_are_many(tmp_path: Path) -> None:
    """Thousands took minutes where each was looked for among all others: a hang, not a matter of speed."""
    n = 5_000
    path = wide(tmp_path / "r.csv", n)
    attributes = wide(tmp_path / "a.csv", n)
    rows = attributes.read_text().splitlines()
    attributes.write_text("\n".join([rows[0], *rows[1::2], ""]))
    began = time.process_time()
    check_paths(path, cutoff=60)
    check_paths(path, cutoff=60, column=[f"attribute=c{at}" for at in range(n)])
    check_paths(path, cutoff=60, attributes=attributes)
    assert time.process_time() - began < 60


def parquet(path: Path, n: int, **more: pa.Array) -> Path:
    runs = {"instance": ["i"] * n, "solver": ["s"] * n, "time": [1.0] * n}
    pq.write_table(pa.table(runs | more), path, compression="zstd")
    return path


def test_parquet_of_more_cells_than_runs_can_have_is_not_unpacked(tmp_path: Path) -> None:
    path = parquet(tmp_path / "r.parquet", 2_000_000)
    assert path.stat().st_size < 100_000
    (found,) = check_paths(path, cutoff=60)
    assert "has 2000000 rows of 3 columns in" in found.message
    assert found.severity == "error"


def test_a_long_text_of_a_dictionary_is_one_text(tmp_path: Path) -> None:
    """A MiB in each of 200 rows, packed in a few kB; 200 MiB if each had its own."""
    at = pa.array([0] * 199 + [None], pa.int32())
    note = pa.DictionaryArray.from_arrays(at, ["x" * (1 << 20)])
    path = parquet(tmp_path / "r.parquet", 200, note=note)
    tracemalloc.start()
    check_paths(path, cutoff=60)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60 << 20


def test_what_is_no_parquet_is_an_error_of_the_table() -> None:
    (found,) = raw_table.read_raw(b"PAR0", kind=".parquet", packed=False, file="t.parquet").findings
    assert (found.severity, found.message[:14]) == ("error", "is not Parquet")


def test_what_gzip_packed_has_a_limit_over_all_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_table, "_HARMLESS", 9)
    monkeypatch.setattr(raw_table, "_MAX_RATIO", 0)
    for text in (b"x" * 9, b"x" * 8):
        assert raw_table.unpacked(gzip.compress(text)) == text
    assert raw_table.unpacked(gzip.compress(b"xxxx") + gzip.compress(b"yyyyy")) == b"xxxxyyyyy"
    for content in (gzip.compress(b"x" * 10), gzip.compress(b"x" * 5) * 2, gzip.compress(b"x" * 9) * 2):
        with pytest.raises(ValueError, match="it holds more than a table can"):
            raw_table.unpacked(content)


def test_what_a_log_of_inspect_holds_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1.json", "{}")
    monkeypatch.setattr(inspect_logs, "MAX_RATIO", 0)
    monkeypatch.setattr(inspect_logs, "MAX_MEMBERS", 2)
    for harmless, what in ((4, "names no model"), (3, "holds more than a log")):
        monkeypatch.setattr(inspect_logs, "_HARMLESS", harmless)
        with pytest.raises(AslibError, match=what):
            inspect_logs.read_inspect({Path("l.eval"): file.getvalue()})
    monkeypatch.setattr(inspect_logs, "_HARMLESS", 4)
    monkeypatch.setattr(inspect_logs, "MAX_MEMBERS", 1)
    with pytest.raises(AslibError, match="holds more than a log"):
        inspect_logs.read_inspect({Path("l.eval"): file.getvalue()})
