"""The import (parse, check, write Parquet) against others, in one process, as JSON.

python -m benchmarking.imports ROUNDS FOLDER...

Against liac-arff and asf, which only parse, and against a floor: pyarrow.csv on the bare data blocks plus
pyarrow.parquet. Imports of modules and preparations lie outside the clock, and each round goes through the
contenders in another order.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import arff
import pyarrow.csv as pv
import pyarrow.parquet as pq

from aslib_eval import importer
from benchmarking.yardstick import refused_by_asf

Task = Callable[[Path], object]  # given an empty folder to write into
Seconds = dict[str, list[float]]

IMPORT, FLOOR = "import", "floor: pyarrow reads the bare data and writes Parquet"
LIAC = "liac-arff merely parses the same files"
ASF, IMPORT_ASF = "asf reads what it can", "import of what asf can read"
RATIOS = (  # dividend, divisor, target
    (LIAC, IMPORT, "at least 2"),
    (ASF, IMPORT_ASF, "at least 3"),
    (IMPORT, FLOOR, "at most 2.5"),
)
DATA_LINE = re.compile(rb"^[ \r]*@data[^\n]*\n?", re.IGNORECASE | re.MULTILINE)


def measure(folders: list[Path], *, rounds: int) -> dict[str, Any]:
    """Seconds of every contender by round, memory, and what asf cannot read."""
    # First: a fork of a process that holds next to nothing yet.
    with get_context("fork").Pool(1) as pool:
        memory = pool.apply(peak_memory, (folders,))
    refused = refused_by_asf(folders) if find_spec("asf") else {}
    readable = [f for f in folders if find_spec("asf") and f.name not in refused]
    with TemporaryDirectory(prefix="aslib-benchmark-") as scratch:
        blocks = bare_blocks(folders, Path(scratch) / "bare")
        tasks = importers(folders, readable, blocks)
        seconds = race(tasks, rounds, Path(scratch))
    return {
        "scenarios": len(folders),
        "readable": len(readable),
        "rounds": rounds,
        "memory": memory,
        "seconds": seconds,
        "ratios": [ratio for ratio in RATIOS if ratio[0] in seconds],
    }


def race(tasks: Mapping[str, Task], rounds: int, scratch: Path) -> Seconds:
    """Seconds of every task in every round, each round in another order."""
    seconds: Seconds = {name: [] for name in tasks}
    names = list(tasks)
    for turn in range(rounds):
        at = turn % len(names)
        for name in names[at:] + names[:at]:
            with TemporaryDirectory(dir=scratch) as folder:
                gc.collect()
                start = perf_counter()
                tasks[name](Path(folder))
                seconds[name].append(perf_counter() - start)
    return seconds


def importers(folders: list[Path], readable: list[Path], blocks: list[Path]) -> dict[str, Task]:
    """The contenders by name; ``blocks`` is what the floor reads."""
    files = arff_files(folders)
    tasks: dict[str, Task] = {
        IMPORT: partial(import_all, folders),
        LIAC: lambda _: [arff.loads(p.read_text(encoding="utf-8")) for p in files],
        FLOOR: partial(csv_to_parquet, blocks),
    }
    if readable:
        tasks[ASF] = lambda _: refused_by_asf(readable)
        tasks[IMPORT_ASF] = partial(import_all, readable)
    return tasks


def import_all(folders: Sequence[Path], lake: Path) -> None:
    """Import into a lake, all or an error."""
    for outcome in importer.import_scenarios(folders, into=lake):
        if outcome.error:
            raise outcome.error


def peak_memory(folders: list[Path]) -> tuple[float, float]:
    """Peak resident memory of this process before and after an import [MB]."""
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    with TemporaryDirectory() as lake:
        import_all(folders, Path(lake))
    return before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def arff_files(folders: Iterable[Path]) -> list[Path]:
    """The ARFF files of all folders."""
    return [path for folder in folders for path in sorted(folder.glob("*.arff"))]


def split_arff(path: Path) -> tuple[bytes, list[bytes]]:
    """The header with its @data line, and the rows without comments and gaps."""
    content = path.read_bytes().replace(b"\r\n", b"\n")
    end = next(DATA_LINE.finditer(content)).end()
    rows = content[end:].splitlines(keepends=True)
    return content[:end], [r for r in rows if r.strip() and not r.startswith(b"%")]


def bare_blocks(folders: Iterable[Path], into: Path) -> list[Path]:
    """The data blocks as CSV files without a header; empty ones are left out."""
    into.mkdir()
    blocks = []
    for number, path in enumerate(arff_files(folders)):
        _, rows = split_arff(path)
        if rows:
            blocks.append(into / f"{number}.csv")
            blocks[-1].write_bytes(b"".join(rows))
    return blocks


def csv_to_parquet(blocks: Iterable[Path], into: Path) -> None:
    """What any import must do: read the cells as pyarrow infers them, write them."""
    reading = pv.ReadOptions(autogenerate_column_names=True)
    parsing = pv.ParseOptions(quote_char="'")
    converting = pv.ConvertOptions(null_values=["?"], strings_can_be_null=True)
    for path in blocks:
        table = pv.read_csv(path, reading, parsing, converting)
        pq.write_table(table, into / f"{path.stem}.parquet", compression="zstd")


if __name__ == "__main__":
    paths = [Path(word) for word in sys.argv[2:]]
    print(json.dumps(measure(paths, rounds=int(sys.argv[1]))))
