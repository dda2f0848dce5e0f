"""Run one SELECT of a user on a lake, confined and within limits; what there is to ask."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import duckdb
import polars as pl
from duckdb.sqltypes import DuckDBPyType

from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import COLUMNS, MEANING, PRESETS, TAG, Protocols, difference, load
from aslib_eval.database.sqlfiles import find_sql, find_tables, reads
from aslib_eval.database.views import (
    SHARE,
    Position,
    confine,
    frame_of,
    locate,
    machine_memory,
    position,
    reason,
    require_reading,
)
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.options import Lake, Option, Scenarios, SqlDirs, public
from aslib_eval.text import did_you_mean

__all__ = ["confine", "query", "select"]
_HINT = "Try 'aslib-eval views' for the relations and their columns."
# Types, also within others, that a frame cannot hold in full.
_STRANGE = {
    *("interval", "union", "bit", "bignum", "geometry"),
    *("time with time zone", "timestamp_s", "uhugeint"),
}
_DAYS = (-719_162, 2_932_896)  # the years 1 to 9999, from 1970 on
_MS, _US = ((_DAYS[0] * day, (_DAYS[1] + 1) * day - 1) for day in (864 * 10**5, 864 * 10**8))
_TIMES = {"time", "time_ns"}
# Of other types: the least and the largest number that stands for a value of a frame.
_BOUNDS = {
    "date": _DAYS,
    "timestamp": _US,
    "timestamp with time zone": _US,
    "timestamp_ms": _MS,
    "timestamp_ns": (2 - 2**63, 2**63 - 2),  # beyond is infinity
    "timestamptz_ns": (2 - 2**63, 2**63 - 2),
    **dict.fromkeys(_TIMES, (0, 864 * 10**11 - 1)),
    "hugeint": (1 - 10**38, 10**38 - 1),
}
_FRAMES = "In Python, first register a data frame: ae.connect(…).register(name, frame)."


Result = TypeVar("Result")
TIMEOUT = 60.0  # seconds
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
            return AslibError(f"took longer than {self._allowed.seconds:g} s", "query", hint)
        if resident_memory(self._process) > self.most:
            return needs_more(self._allowed)
        return None


def within_limits(allowed: Limits, work: Callable[[], Result], *, stop: Callable[[], None]) -> Result:
    """Run ``work`` within its limits; returns or raises what it does.

    It runs in a thread of its own while this one watches and can be interrupted; ``stop`` asks it to end,
    and is called until it has. Memory is what the process grows by.

    Raises:
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


# The SELECT of a user.


@public
def query(
    sql: Annotated[str, Option("The SELECT.", flags="", metavar="SQL|-")],
    *,
    lake: Lake,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    timeout: Annotated[float, Option("Stop a query after this many seconds.", metavar="SECONDS")] = TIMEOUT,
    memory: Annotated[
        str | None,
        Option(
            "Stop a query that needs more memory than this, such as 4GB or 25%.",
            metavar="SIZE",
            shown="half of the machine's memory",
        ),
    ] = None,
) -> pl.DataFrame:
    """One SELECT on a lake, as a polars frame; it can neither write nor look outside.

    What it is answered from is built before, over connections of its own.

    sql: the SELECT. ``ae.views()`` lists what there is. Rows come in an order only if it asks for one.

    Raises:
        AslibError: for anything but one SELECT, for SQL errors, and at a limit. RunawayError: when the work
        cannot be stopped and goes on in this process.

    >>> ae.query("select solver from solver_score where solver like 'b%'", lake="lake")
    shape: (1, 1)
    ┌────────┐
    │ solver │
    │ ---    │
    │ str    │
    ╞════════╡
    │ bolt   │
    └────────┘
    """
    allowed = limits(timeout=timeout, memory=memory)
    opened = open_lake(lake, protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs)
    with memory_limit(allowed):
        return _limited(ready_for(sql, opened, allowed.memory), sql, allowed)


def ready_for(sql: str, lake: OpenLake, memory: int) -> duckdb.DuckDBPyConnection:
    """A confined connection on which all is built that a SELECT reads."""
    made = lake.connect(confined=True, memory=memory)
    lake.prepare({name.lower() for name in reads(sql)}, on=made)
    return made.con


@contextmanager
def memory_limit(allowed: Limits) -> Iterator[None]:
    """Raise AslibError where DuckDB reaches its limit of memory."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        raise needs_more(allowed) from None


def _limited(con: duckdb.DuckDBPyConnection, sql: str, allowed: Limits) -> pl.DataFrame:
    ((scratch,),) = con.execute("select current_setting('temp_directory')").fetchall()
    try:
        return within_limits(allowed, lambda: select(con, sql), stop=con.interrupt)
    except RunawayError:  # nothing else will remove them
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def select(con: duckdb.DuckDBPyConnection, sql: str) -> pl.DataFrame:
    """Run one SELECT."""
    statement = _only_select(con, sql)
    try:
        require_reading(con, statement, where="query")
        # A SELECT can hold an INSERT: with x as (insert ... returning *) ...
        con.execute("begin transaction read only")
        try:
            frame = _as_frame(con.sql(statement))
        finally:
            con.execute("rollback")
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise _refused(error, found_in(sql, statement, locate(con, error, statement))) from None
    return frame


def _as_frame(found: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    from polars.exceptions import PanicException, PolarsError

    hint = "Cast it to varchar."
    for name, kind in zip(found.columns, found.types, strict=True):
        if strange := sorted(_STRANGE & {*_kinds(kind)}):
            word = strange[0].upper()
            raise AslibError(f"column {name} has the type {word}, which a frame cannot hold", "query", hint)
    try:
        frame = frame_of(found)
    except (PolarsError, PanicException) as error:
        raise AslibError(str(error), "query", hint) from None
    for column, kind in zip(frame.get_columns(), found.types, strict=True):
        for inner, numbers in _numbers(kind, column.to_physical()):
            low, high = _BOUNDS[inner]
            lost = numbers.null_count() if inner in _TIMES else 0  # 24:00 becomes null
            if lost or numbers.lt(low).any() or numbers.gt(high).any():
                what = f"column {column.name} has a {inner.upper()} that a frame cannot hold"
                raise AslibError(what, "query", hint)
    return frame


def _kinds(kind: DuckDBPyType) -> Iterator[str]:
    """The name of a type, and of those within it."""
    yield kind.id
    for inner in _within(kind):
        yield from _kinds(inner)


def _within(kind: DuckDBPyType) -> list[DuckDBPyType]:
    if kind.id not in {"list", "array", "map", "struct", "tuple", "union"}:
        return []
    return [inner for _, inner in kind.children if isinstance(inner, DuckDBPyType)]


def _numbers(kind: DuckDBPyType, column: pl.Series) -> Iterator[tuple[str, pl.Series]]:
    """The values in a column of each type that has bounds, as numbers."""
    if kind.id in _BOUNDS:
        yield kind.id, column
    elif not _BOUNDS.keys().isdisjoint(_kinds(kind)):
        if kind.id in {"list", "array", "map"}:
            column = column.explode()
        inside = [column]
        if kind.id not in {"list", "array"}:
            inside = [column.struct.field(name) for name in column.struct.fields]
        for inner, values in zip(_within(kind), inside, strict=True):
            yield from _numbers(inner, values)


def _only_select(con: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The text of the one SELECT, without comments before it."""
    try:
        statements = con.extract_statements(sql.encode().decode())
    except duckdb.Error as error:
        raise _refused(error, position(error, sql)) from None
    except UnicodeError:
        raise AslibError("is not UTF-8 text", "query") from None
    try:
        is_select = [statement.type for statement in statements] == [duckdb.StatementType.SELECT]
    except ValueError:  # a kind of statement the client has no name for
        is_select = False
    if not is_select:
        raise AslibError("only one SELECT statement is allowed", "query", _HINT)
    return str(statements[0].query)


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


def _refused(error: duckdb.Error, found: Position | None) -> AslibError:
    """DuckDB's error, with its place in the query: ``query:line:column``."""
    where = "query" if found is None else f"query:{found}"
    missing = isinstance(error, duckdb.CatalogException) and "Table with" in str(error)
    hint = f"{_HINT} {_FRAMES}" if missing else _HINT
    return AslibError(reason(error), where, hint)


# The folders of sql/ in the order of a list; a user's own come after them.
SUBJECTS = (*("macro", "staging", "instance", "fold", "split"), *("solver", "scenario", "suite"))


def relations(sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per relation: subject, name, kind, grain and key."""
    raw = [
        ("raw", f"raw_{r.name}", "view", f"One row per {r.row}.", ", ".join(r.key))
        for r in RELATIONS.values()
    ]
    order = {subject: at for at, subject in enumerate(SUBJECTS)}
    rows = [
        (file.subject, file.signature, "macro" if file.is_macro else "view", file.row, ", ".join(file.key))
        for file in sorted(find_sql(sql_dirs), key=lambda file: order.get(file.subject, len(SUBJECTS)))
    ]
    rows = [*raw, ("protocol", "protocol", "table", "One row per active protocol.", "protocol"), *rows]
    return _texts(rows, "subject", "relation", "kind", "about", "key")


def _texts(rows: Iterable[tuple[str, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=dict.fromkeys(columns, pl.String), orient="row")


def columns(name: str, sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per column of a relation: meaning and [unit]; a macro is one row."""
    found = {
        file.name: {file.signature: file.row} if file.is_macro else file.columns
        for file in find_sql(sql_dirs)
    }
    for relation in RELATIONS.values():
        found[f"raw_{relation.name}"] = {"scenario_id": "scenario, as text", **relation.meanings()}
    found["protocol"] = {**MEANING, "tag": TAG}
    if name not in found:
        hint = did_you_mean(name, found) or "'aslib-eval views' lists them."
        raise AslibError("there is no such relation", name, hint)
    return _texts(found[name].items(), "column", "meaning")


def paper_tables(sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    """One row per paper table: name, caption, and what a row of its query is."""
    files = find_tables(sql_dirs).values()
    rows = ((file.name, file.layout.get("caption", ""), file.row) for file in files)
    return _texts(rows, "table", "caption", "about")


@public
def protocols() -> pl.DataFrame:
    """List the preset protocols and their sources.

    >>> ae.protocols_list()["protocol"][0]
    'default'
    """
    return _texts(((p.protocol, p.hash, p.source) for p in PRESETS.values()), "protocol", "hash", "source")


@public
def protocol(
    name: Annotated[
        str, Option("Protocol: name of a preset, or a .toml file.", flags="", metavar="NAME|FILE")
    ],
) -> pl.DataFrame:
    """Show every choice of one protocol, one per row.

    >>> ae.protocols_show("default").columns
    ['choice', 'value']
    """
    chosen = load(name)
    rows = [(column, _word(getattr(chosen, column))) for column in COLUMNS]
    return _texts([*rows, ("hash", chosen.hash)], "choice", "value")


@public
def protocol_difference(
    first: Annotated[str, Option("The one.", flags="", metavar="NAME|FILE")],
    second: Annotated[str, Option("The other.", flags="", metavar="NAME|FILE")],
) -> pl.DataFrame:
    """List the choices in which two protocols differ.

    >>> ae.protocols_diff("default", "llama").columns
    ['choice', 'default', 'llama']
    """
    rows = [
        (column, _word(a), _word(b))
        for column, a, b in difference(load(first), load(second))
        if column not in {"protocol", "source"}
    ]
    names = (first, second) if first != second else ("first", "second")
    return _texts(rows, "choice", *names)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
