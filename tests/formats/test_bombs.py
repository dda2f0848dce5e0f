"""Small files that would cost much: as many columns as they like, cells without end."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
