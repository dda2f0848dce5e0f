"""Questions to a lake in SQL, each answered in a process that can be ended.

DuckDB does not interrupt all that it does, and gives back what it takes when its process ends. So no
question is answered in the process that serves the pages.
"""

from __future__ import annotations

import json
import math
import warnings
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import socket
from threading import BoundedSemaphore
from time import monotonic
from typing import TYPE_CHECKING, Any

from aslib_eval.database.limits import Limits, Watch
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.query import memory_limit, ready_for, select
from aslib_eval.errors import TYPED, AslibError, unexpected
from aslib_eval.executors import Helper
from aslib_eval.lake.layout import current, homes
from aslib_eval.reports.made_of import Wanted
from aslib_eval.tables.formats import FORMATS

if TYPE_CHECKING:
    import polars as pl

AT_ONCE = 4  # questions that are answered at the same time
SHOWN = 1_000  # rows of an answer that the box gets
MOST = 100_000  # rows of an answer that a script gets
LARGEST = 100_000_000  # bytes of an answer
_LOOK = 0.05  # seconds between two looks at an asker, and at what a question takes
_WHOLE = 2**53  # from here on, JavaScript has not every whole number


class GoneError(Exception):
    """The asker has ended the connection."""


@dataclass(frozen=True)
class Answer:
    """The text that an asker gets. warned: what it is answered without."""

    text: bytes
    wrong: bool = False
    warned: tuple[Warning | str, ...] = ()


@dataclass
class Questions:
    """Answers questions to a lake as it is now; each is confined as by ``query``.

    allowed: what a question may take once all is built that it reads.
    """

    asked: Wanted
    allowed: Limits
    _turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(AT_ONCE), init=False)
    _helpers: set[Helper] = field(default_factory=set, init=False)
    _idle: list[Helper] = field(default_factory=list, init=False)
    _closed: bool = field(default=False, init=False)

    def open(self) -> None:
        """Begin a process before a question is asked, unless one is idle."""
        if not (self._idle or self._closed):
            self._idle.append(self._begun())

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for helper in [*self._helpers]:
            self._end(helper)

    def answer(self, sql: str, form: str, *, asker: socket) -> Answer:
        """The answer to a SELECT as text: csv, json, or as the page gets it.

        Raises:
            AslibError: at a limit, and when others are being answered all the time. GoneError: when the
            asker goes away; the question has ended then.
        """
        self._wait(asker)
        try:
            helper = self._free()
            try:
                helper.link.send((sql, form, self.allowed))
                found = self._received(helper, asker)
            except BaseException as error:
                code = self._end(helper)
                with suppress(OSError):  # the next question need not wait for one
                    self.open()
                if isinstance(error, EOFError | OSError):
                    what = f"ended the process that answers it (exit code {code})"
                    raise AslibError(what, "query", "Ask for less.") from None
                raise
            self._idle.append(helper)
        finally:
            self._turns.release()
        for warning in found.warned:
            warnings.warn(warning, stacklevel=2)
        return found

    def _wait(self, asker: socket) -> None:
        """Wait for a turn."""
        end = monotonic() + self.allowed.seconds
        while not self._turns.acquire(timeout=_LOOK):
            _require_there(asker, wait([asker], 0))
            if monotonic() > end:
                hint = "Ask again when they are answered."
                raise AslibError("other questions are before it", "query", hint)

    def _free(self) -> Helper:
        with suppress(IndexError):  # none is idle
            while True:
                helper = self._idle.pop()
                if helper.is_alive():
                    return helper
                self._end(helper)
        return self._begun()

    def _begun(self) -> Helper:
        helper = Helper(_answer_all, self.asked)
        self._helpers.add(helper)
        return helper

    def _end(self, helper: Helper) -> int | None:
        self._helpers.discard(helper)
        return helper.end()

    def _received(self, helper: Helper, asker: socket) -> Answer:
        """What a process answers, unless the question must end before."""
        watch: Watch | None = None
        while True:
            ready = wait([helper.link, asker], _LOOK)
            if helper.link in ready:
                found: Answer | None = helper.link.recv()
                if found is not None:
                    return found
                watch = Watch(self.allowed, helper.pid)
            elif watch and (error := watch.over()):
                raise error
            _require_there(asker, ready)


def _require_there(asker: socket, ready: list[Any]) -> None:
    """Raise GoneError if an asker has ended the connection."""
    with suppress(OSError):
        if asker not in ready or asker.recv(4096):
            return
    raise GoneError


def versions_now(asked: Wanted) -> tuple[tuple[str, str], ...]:
    """The current version of each scenario, which no file has to be read for."""
    return tuple((name, _version(home)) for name, home in homes(asked.lake))


def _version(home: Path) -> str:
    try:
        return str(current(home))
    except AslibError as error:  # its page will tell
        return str(error)


# In the process of a question.


def _answer_all(link: Connection, asked: Wanted) -> None:
    """Answer one question after another."""
    import polars  # noqa: F401, ICN001 (loaded before the memory is measured)

    TYPED.set(True)  # who reads the messages has typed the command
    lake = _Lake(asked)
    with (
        warnings.catch_warnings(record=True) as warned,
        suppress(EOFError, ConnectionError),  # the server ends
    ):
        warnings.simplefilter("always")
        with suppress(AslibError):  # the first answer will tell
            lake.now()
        while True:
            sql, form, allowed = link.recv()
            answer = _answer(sql, form, allowed, lake=lake, link=link)
            link.send(replace(answer, warned=tuple(each.message for each in warned)))
            warned.clear()


class _Lake:
    """The lake, opened once for all questions until it changes."""

    def __init__(self, asked: Wanted) -> None:
        self._asked = asked
        self._opened: OpenLake | None = None
        self._versions: object = None

    def now(self) -> OpenLake:
        """The lake as it is now."""
        versions = versions_now(self._asked)
        if self._opened is None or self._versions != versions:
            self._opened = None  # its versions are let go of
            self._opened = self._asked.opened(self._asked.scenarios)
            self._versions = versions
        return self._opened


def _answer(sql: str, form: str, allowed: Limits, *, lake: _Lake, link: Connection) -> Answer:
    since = monotonic()
    try:
        with memory_limit(allowed):
            con = ready_for(sql, lake.now(), allowed.memory)
            link.send(None)  # from now on its limits are watched
            found = select(con, sql)
        if form == "page":
            text = _for_page(found, monotonic() - since)
        else:
            _require(found.height <= MOST, f"has {found.height:,} rows", f"{MOST:,}")
            text = FORMATS[form](found)
        size = f"has {len(text):,} characters"
        _require(len(text) <= LARGEST, size, f"{LARGEST:,}")
        return Answer(text.encode())
    except AslibError as error:
        return Answer(f"{error}\n".encode(errors="replace"), wrong=True)
    except BaseException as error:  # noqa: BLE001 (a fault of ours, or a panic of polars)
        told = unexpected(error, "query")
        return Answer(f"{told}\n".encode(errors="replace"), wrong=True)


def _require(small: bool, size: str, most: str) -> None:  # noqa: FBT001
    if not small:
        hint = "Ask for less, or by 'aslib-eval query'."
        raise AslibError(f"{size}, and an answer has at most {most}", "query", hint)


def _for_page(found: pl.DataFrame, seconds: float) -> str:
    """An answer as the box gets it: the first rows, how many there are, and the types.

    What JSON or JavaScript has not is text: wide whole numbers, infinity, times.
    """
    types = found.schema.items()
    answer = {
        "columns": [{"name": name, "type": str(kind)} for name, kind in types],
        "rows": [[*map(_for_json, row)] for row in found.head(SHOWN).rows()],
        "n": found.height,
        "seconds": seconds,
    }
    return json.dumps(answer, ensure_ascii=False)


def _for_json(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _WHOLE:
        return value
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)
