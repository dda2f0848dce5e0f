"""The report and a box for SQL over HTTP, on this machine alone.

A page of any other place may send requests to 127.0.0.1, and a name that its owner lets point there makes
it the same origin to a browser (DNS rebinding). So a request must name this server as its host, and come
from one of its pages or from nobody.

DuckDB does not interrupt all that it does, and gives back what it takes when its process ends. So the
process that serves the pages answers no question: each is answered in a process that can be ended.
"""

from __future__ import annotations

import errno
import json
import math
import sys
import warnings
import webbrowser
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from aslib_eval._version import __version__
from aslib_eval.atomic_files import replace_files
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.query import Limits, Watch, memory_limit, ready_for, select
from aslib_eval.errors import TYPED, AslibError, unexpected
from aslib_eval.executors import Helper
from aslib_eval.extensions.serving.sql_page import FROM_REPORT, NAME, Engine, page_with_box
from aslib_eval.lake.schema import current, homes
from aslib_eval.progress import no_clock
from aslib_eval.reports.write import INDEX, ReportError, Wanted, write_report
from aslib_eval.tables import FORMATS

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
        """The answer to a SELECT as text: csv, json, or as the page gets it."""
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
        _require(len(text) <= LARGEST, f"has {len(text):,} characters", f"{LARGEST:,}")
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


HOST = "127.0.0.1"
LONGEST = 100_000  # bytes of a question
_PATIENCE = 30.0  # seconds that a request may take to arrive
_TYPES = {"json": "application/json", "csv": "text/csv", "page": "application/json"}
_ENGINE = Engine(
    "served",
    "One SELECT on the lake, as by aslib-eval query: it can neither write nor look "
    "outside. Ctrl-Enter runs it.",
    "; connect-src 'self'",
)


@dataclass
class Site:
    """The pages of a lake, made again when it has changed, and its answers.

    pages: files by the path in an address.
    """

    asked: Wanted
    questions: Questions
    jobs: int | None = None
    folder: Path = field(default=Path(), init=False)
    pages: dict[str, Path] = field(default_factory=dict, init=False)
    _made_of: object = field(default=None, init=False)
    _making: Lock = field(default_factory=Lock, init=False)

    def make(self, folder: Path | None = None, *, shown: bool = False) -> None:
        """Make the pages, in another folder if one is given, if the lake has changed."""
        with self._making:
            now = versions_now(self.asked)
            if folder is not None:
                self.folder = folder
            elif now == self._made_of:
                return
            self._made_of = None  # an error is told until it has gone
            try:
                written = write_report(
                    self.asked.lake,
                    to=self.folder,
                    protocol=self.asked.protocol,
                    scenarios=self.asked.scenarios,
                    sql_dirs=self.asked.sql_dirs,
                    jobs=self.jobs,
                    beside=[FROM_REPORT],
                    progress=shown,
                )
            except ReportError as error:  # of some scenarios; the index names them
                written = error.written
            box = page_with_box(_ENGINE, folder=self.folder, sql_dirs=self.asked.sql_dirs)
            written += replace_files(self.folder, {NAME: box})
            paths = (file.relative_to(self.folder).as_posix() for file in written)
            self.pages = dict(zip(paths, written, strict=True))
            self._made_of = now

    def page(self, path: str) -> bytes | None:
        """A page as the lake is now; None if there is none of that path."""
        self.make()
        found = self.pages.get(path or INDEX)
        return None if found is None else found.read_bytes()

    def close(self) -> None:
        """End what is being asked, and wait for what is being made."""
        self.questions.close()
        with self._making:
            return


def serve_site(
    site: Site, *, port: int, folder: Path | None, ready: Callable[[str], None], browse: bool
) -> None:
    """Serve until Ctrl-C, which pages that are being made are waited for.

    folder: where the pages are kept; None for one that is removed at the end.
    """
    with TemporaryDirectory(prefix="aslib-eval-") as scratch, _listening(port) as server, closing(site):
        site.make(folder or Path(scratch), shown=sys.stderr.isatty())
        site.questions.open()
        server.site = site
        address = f"http://{HOST}:{server.server_port}/"
        ready(address)
        if browse:
            webbrowser.open(address)
        try:
            with no_clock():  # as long as a reader likes
                server.serve_forever()
        except KeyboardInterrupt:
            return


def _listening(port: int) -> SiteServer:
    try:
        return SiteServer((HOST, port), SiteHandler)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        what = "is taken" if taken else f"cannot be opened ({error.strerror})"
        hint = "Choose another, or --port 0 for any that is free."
        raise AslibError(what, f"port {port}", hint) from None


class SiteServer(ThreadingHTTPServer):
    """A thread a request; none keeps the process from ending."""

    daemon_threads = True
    request_queue_size = 64
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of whoever went away before the answer; tell all else."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class SiteHandler(BaseHTTPRequestHandler):
    """Answers one request: a page, or a question."""

    server: SiteServer
    timeout = _PATIENCE
    server_version = f"aslib-eval/{__version__}"
    sys_version = ""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: a terminal is for what went wrong."""

    def do_GET(self) -> None:
        """A page, or the answer to ``/query?sql=…``."""
        TYPED.set(True)  # who reads the messages has typed the command
        if self._is_refused():
            return
        split = urlsplit(self.path)
        if split.path == "/query":
            self._answer(parse_qs(split.query, keep_blank_values=True).get("sql", [""])[-1], split.query)
            return
        try:
            page = self.server.site.page(unquote(split.path).removeprefix("/"))
        except (AslibError, OSError) as error:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
            return
        if page is None:
            self._say(HTTPStatus.NOT_FOUND, "there is no such page")
        else:
            self._send(HTTPStatus.OK, "text/html", page)

    def do_HEAD(self) -> None:
        """As GET, without the content."""
        self.do_GET()

    def do_POST(self) -> None:
        """The answer to the question that is the body."""
        TYPED.set(True)
        if self._is_refused():
            return
        split = urlsplit(self.path)
        size = self.headers.get("Content-Length", "")
        if split.path != "/query":
            self._say(HTTPStatus.METHOD_NOT_ALLOWED, "only /query is asked by POST")
        elif not (size.isascii() and size.isdecimal()):
            self._say(HTTPStatus.LENGTH_REQUIRED, "say how long the SELECT is")
        elif len(size) > len(str(LONGEST)) or int(size) > LONGEST:
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a SELECT has at most {LONGEST:,} bytes")
        else:
            body = self.rfile.read(int(size))
            if len(body) < int(size):
                self._say(HTTPStatus.BAD_REQUEST, "the SELECT is cut off")
            else:
                self._answer(body.decode(errors="surrogateescape"), split.query)

    def _is_refused(self) -> bool:
        """Whether it names another host, or comes from a page of another; says so."""
        port = self.server.server_port
        ours = {f"{name}:{port}" for name in (HOST, "localhost")}
        hosts = self.headers.get_all("Host", [])
        origin = self.headers.get("Origin")
        known = len(hosts) == 1 and hosts[0].lower() in ours
        known = known and origin in {None, f"http://{hosts[0].lower()}"}
        known = known and self.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
        if not known:
            self._say(HTTPStatus.FORBIDDEN, f"open http://{HOST}:{port}/ itself: others may not ask it")
        return not known

    def _answer(self, sql: str, options: str) -> None:
        form = parse_qs(options).get("format", ["json"])[-1]
        if form not in _TYPES:
            self._say(HTTPStatus.BAD_REQUEST, "format is json or csv")
            return
        try:
            found = self.server.site.questions.answer(sql, form, asker=self.connection)
        except GoneError:
            self.close_connection = True
        except (AslibError, OSError) as error:
            self._say(HTTPStatus.BAD_REQUEST, str(error))
        else:
            if found.wrong:
                self._send(HTTPStatus.BAD_REQUEST, "text/plain", found.text)
            else:
                self._send(HTTPStatus.OK, _TYPES[form], found.text)

    def _say(self, status: HTTPStatus, what: str) -> None:
        self._send(status, "text/plain", what.encode(errors="replace") + b"\n")

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "frame-ancestors 'none'"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "same-origin"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
