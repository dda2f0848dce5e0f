"""What a connection may use, what it gives, and what its errors mean.

Relations of DuckDB as frames, without the Arrow library, which is slow to load.

polars keeps the class of what it is given until the process ends. Were that DuckDB's, or one that leads to
it, DuckDB would then complain on stderr that it is still held: so the class here is plain, and nothing else
stands in its module.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import duckdb

from aslib_eval.database.sqlfiles import SqlFile
from aslib_eval.errors import AslibError, place

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb
    import polars as pl


Result = TypeVar("Result")
TIMEOUT = 60.0  # seconds
SHARE = 0.5  # of the machine's memory
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) *(?:([KMGT])(i?)B?|B|%)", re.IGNORECASE)
_INTERVAL = 0.02  # seconds between two checks of the memory
_GRACE = 1.0  # seconds that interrupted work is given to end
# DuckDB keeps to its own limit; strings, lists and the frame come on top of it.
_OVERHEAD = 1.5


class RunawayError(AslibError):
    """Work beyond its limits that cannot be stopped but with the process."""


@dataclass(frozen=True)
class Limits:
    """Limits of work: ``seconds`` of time, and ``memory`` in bytes."""

    seconds: float
    memory: int


def limits(*, timeout: float = TIMEOUT, memory: str | None = None) -> Limits:
    """Limits as a user writes them; ``memory`` is half of the machine's if None.

    timeout: seconds, above 0. memory: a size such as ``4GB`` or ``500 MiB``, or a
    share of the machine's such as ``25%``.
    """
    if not (math.isfinite(timeout) and timeout > 0):
        raise AslibError(f"{timeout:g} is no time limit", "timeout", "Write a number of seconds above 0.")
    if memory is None:
        return Limits(timeout, int(SHARE * machine_memory()))
    found = _SIZE.fullmatch(memory.strip())
    size = _bytes(found) if found else 0
    if size < 1:
        hint = "Write a size such as 4GB, or a share of the machine's such as 25%."
        raise AslibError(f"{memory!r} is no amount of memory", "memory", hint)
    return Limits(timeout, size)


def _bytes(found: re.Match[str]) -> int:
    number = float(found[1])
    if found[0].endswith("%"):
        return int(number / 100 * machine_memory()) if number <= 100 else 0  # noqa: PLR2004
    unit = _UNITS[(found[2] or "").upper()]
    if found[3]:
        unit = 1024 ** round(math.log(unit, 1000))
    return int(min(number * unit, 2.0**62))


def machine_memory() -> int:
    """Bytes of memory that this process can have: the machine's or its container's."""
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            sizes.append(int(Path("/sys/fs/cgroup", name).read_text()))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return min(size for size in sizes if size > 0)


def resident_memory(process: int | None = None) -> int:
    """Bytes of memory that a process has now; this one if None.

    Of this one it is the most that it had, elsewhere than on Linux.
    """
    try:
        pages = int(Path(f"/proc/{process or 'self'}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        if process is not None:
            ask = ["/bin/ps", "-o", "rss=", "-p", str(process)]
            said = subprocess.run(ask, capture_output=True, check=False).stdout  # noqa: S603
            return 1024 * int(said or 0)
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return pages * os.sysconf("SC_PAGE_SIZE")


class Watch:
    """Says from now on whether work is within its limits.

    process: that grows by the memory it takes; None for this one. most: bytes.
    """

    def __init__(self, allowed: Limits, process: int | None = None) -> None:
        self._allowed, self._process = allowed, process
        self.end = time.monotonic() + allowed.seconds
        self.most = resident_memory(process) + int(_OVERHEAD * allowed.memory)

    def over(self) -> AslibError | None:
        """The error for the limit that is reached."""
        if time.monotonic() >= self.end:
            hint = "Ask for less, or give it more time: --timeout SECONDS."
            what = f"took longer than {self._allowed.seconds:g} s"
            return AslibError(what, "query", hint)
        if resident_memory(self._process) > self.most:
            return needs_more(self._allowed)
        return None


def within_limits(allowed: Limits, work: Callable[[], Result], *, stop: Callable[[], None]) -> Result:
    """Run ``work`` within its limits; returns or raises what it does.

    It runs in a thread of its own while this one watches and can be interrupted; ``stop`` asks it to end,
    and is called until it has. Memory is what the process grows by.

    Raises:
        AslibError: when a limit is reached.
        RunawayError: when the work goes on then.
    """
    watch = Watch(allowed)
    running: Future[Result] = Future()

    def run() -> None:
        try:
            running.set_result(work())
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            running.set_exception(error)

    try:
        threading.Thread(target=run, daemon=True).start()
        while not _ended(running, min(_INTERVAL, watch.end - time.monotonic())):
            if over := watch.over():
                _stop(running, stop, over, most=watch.most)
                raise over
    except KeyboardInterrupt:
        _stop(running, stop, AslibError("was interrupted", "query"), most=watch.most)
        raise
    return running.result()


def _ended(running: Future[Result], seconds: float) -> bool:
    return bool(wait([running], timeout=max(0.0, seconds)).done)


def needs_more(allowed: Limits) -> AslibError:
    """The error for work that needs more memory than it may have."""
    unit = next((n for n in "TGMK" if allowed.memory >= _UNITS[n]), "")
    size = f"{allowed.memory / _UNITS[unit]:.3g} {unit}B"
    return AslibError(
        f"needs more than {size} of memory", "query", "Ask for less, or allow more: --memory SIZE."
    )


def _stop(running: Future[Result], stop: Callable[[], None], why: AslibError, *, most: int) -> None:
    """Interrupt work until it ends.

    Raises:
        RunawayError: when it does not in time.
    """
    end = time.monotonic() + _GRACE
    while time.monotonic() < end and resident_memory() < 2 * most:
        stop()  # again and again: one that comes between two statements is lost
        if _ended(running, _INTERVAL):
            return
    raise RunawayError(why.message, why.where, "It cannot be stopped: end this process.") from why


# DuckDB prints the place below its message: the line, and a mark under the word.
_DRAWING = re.compile(r"\nLINE (\d+): (.*)\n( *)\^")
_CUT = "..."
_EXPLAIN = "explain (format json)\n"


class Position(NamedTuple):
    """A place in a text: line and column from 1; None for an uncertain column."""

    line: int
    column: int | None

    def __str__(self) -> str:
        line, column = self
        return str(line) if column is None else f"{line}:{column}"


def reason(error: duckdb.Error) -> str:
    """DuckDB's message in one line, without its drawing of the place."""
    return " ".join(str(error).split("\nLINE ")[0].split())


def position(error: duckdb.Error, statement: str) -> Position | None:
    """Position of an error in a statement; None if DuckDB does not give it.

    DuckDB shows a long line only in part: the column is then searched in the line.
    """
    found = _DRAWING.search(str(error))
    if found is None:
        return None
    lines = statement.split("\n")
    number, shown = int(found[1]), found[2]
    at = len(found[3]) - len(f"LINE {number}: ")
    if not 1 <= number <= len(lines):
        return None
    line = lines[number - 1]
    if line.startswith(shown.removesuffix(_CUT)):
        return Position(number, at + 1)
    part = shown.removeprefix(_CUT).removesuffix(_CUT)
    if line.count(part) != 1:
        return Position(number, None)
    return Position(number, line.index(part) + at - len(_CUT) + 1)


def operators(con: duckdb.DuckDBPyConnection, statement: str) -> set[str]:
    """Operators of the plan of a SELECT, as DuckDB names them: ``COPY_TO_FILE``.

    Raises duckdb.Error for a wrong statement; nothing is run.
    """
    rows = con.execute(f"{_EXPLAIN}{statement}").fetchall()
    nodes = [node for _, plan in rows for node in json.loads(plan)]
    names = set()
    while nodes:
        node = nodes.pop()
        names.add(node["name"])
        nodes += node.get("children", [])
    return names


def locate(con: duckdb.DuckDBPyConnection, error: duckdb.Error, statement: str) -> Position | None:
    """As ``position``; also for an unknown name, whose place ``con.sql`` omits."""
    try:
        operators(con, statement)
    except duckdb.Error as again:
        found = position(again, f"{_EXPLAIN}{statement}")
        return None if found is None else Position(found.line - 1, found.column)
    return position(error, statement)


def found_in(text: str, statement: str, found: Position | None) -> Position | None:
    """The same place in a text that contains the statement; None stays None."""
    start = text.find(statement)
    if found is None or start < 0:
        return found
    before = text[:start]
    line, column = found
    if line == 1 and column is not None:
        column += start - (before.rfind("\n") + 1)
    return Position(line + before.count("\n"), column)


def sql_error(con: duckdb.DuckDBPyConnection, error: duckdb.Error, file: SqlFile) -> AslibError:
    """DuckDB's error in the SQL of a file, with the line of the file."""
    found = locate(con, error, file.sql)
    line = None if found is None else file.line + found.line - 1
    return AslibError(reason(error), place(str(file.path), line))


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
