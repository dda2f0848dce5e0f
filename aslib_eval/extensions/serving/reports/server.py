"""A report and its box for SQL over HTTP, on this machine alone.

A page of any other place may send requests to 127.0.0.1, and a name that its owner lets
point there makes it the same origin to a browser (DNS rebinding). So a request must
name this server as its host, and come from one of its pages or from nobody.
"""

from __future__ import annotations

import errno
import json
import math
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from aslib_eval._version import __version__
from aslib_eval.atomic_files import replace_files
from aslib_eval.database.limits import Limits, RunawayError
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.query import query
from aslib_eval.errors import TYPED, AslibError
from aslib_eval.extensions.serving.reports.sql_page import (
    FROM_REPORT,
    NAME,
    Engine,
    sql_page,
)
from aslib_eval.lake.layout import current, homes
from aslib_eval.progress import no_clock
from aslib_eval.reports.made_of import Wanted
from aslib_eval.reports.write import INDEX, ReportError, write_report
from aslib_eval.tables.formats import FORMATS

if TYPE_CHECKING:
    import polars as pl

HOST = "127.0.0.1"
SHOWN = 1_000  # rows of an answer that the box gets
MOST = 100_000  # rows of an answer that a script gets
LONGEST = 100_000  # bytes of a question
_PATIENCE = 30.0  # seconds that a request may take to arrive
_LARGEST = 2**53  # from here on, JavaScript has not every whole number
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

    allowed: what a question may take; one is answered at a time. pages: files by the
    path in an address.
    """

    asked: Wanted
    allowed: Limits
    jobs: int | None = None
    folder: Path = field(default=Path(), init=False)
    pages: dict[str, Path] = field(default_factory=dict, init=False)
    _made_of: object = field(default=None, init=False)
    _opened: OpenLake | None = field(default=None, init=False)
    _opened_of: object = field(default=None, init=False)
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, init=False)

    def make(self, folder: Path | None = None, *, shown: bool = False) -> None:
        """Make the pages, in another folder if one is given, if the lake has changed.

        Raises:
            AslibError: when there is no page to show.
        """
        with self._making:
            now = self._now()
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
            box = sql_page(_ENGINE, folder=self.folder, sql_dirs=self.asked.sql_dirs)
            written += replace_files(self.folder, {NAME: box})
            paths = (file.relative_to(self.folder).as_posix() for file in written)
            self.pages = dict(zip(paths, written, strict=True))
            self._made_of = now

    def _now(self) -> tuple[tuple[str, str], ...]:
        """The current version of each scenario, which no file has to be read for."""
        return tuple((name, _version(home)) for name, home in homes(self.asked.lake))

    def page(self, path: str) -> bytes | None:
        """A page as the lake is now; None if there is none of that path."""
        self.make()
        found = self.pages.get(path or INDEX)
        return None if found is None else found.read_bytes()

    def answer(self, sql: str) -> pl.DataFrame:
        """The answer to a SELECT, of the lake as it is now.

        Raises:
            AslibError: as ``query``, and when others are being answered all the time.
        """
        if not self._turn.acquire(timeout=self.allowed.seconds):
            hint = "Ask again when they are answered."
            raise AslibError("other questions are before it", "query", hint)
        try:
            return query(
                sql,
                lake=self._lake(),
                protocols=[self.asked.protocol],
                sql_dirs=self.asked.sql_dirs,
                timeout=self.allowed.seconds,
                memory=f"{self.allowed.memory}B",
            )
        finally:
            self._turn.release()

    def _lake(self) -> OpenLake:
        """The lake as it is now, opened once for all questions until it changes."""
        now = self._now()
        if self._opened is None or self._opened_of != now:
            self._opened = None  # whoever still asks it holds it
            self._opened = self.asked.opened(self.asked.scenarios)
            self._opened_of = now
        return self._opened


def _version(home: Path) -> str:
    try:
        return str(current(home))
    except AslibError as error:  # its page will tell
        return str(error)


def serve_site(
    site: Site,
    *,
    port: int,
    folder: Path | None,
    ready: Callable[[str], None],
    browse: bool,
) -> None:
    """Serve until Ctrl-C, or until a question cannot be stopped.

    folder: where the pages are kept; None for one that is removed at the end.
    """
    with (
        TemporaryDirectory(prefix="aslib-eval-") as scratch,
        _listening(port) as server,
    ):
        site.make(folder or Path(scratch), shown=sys.stderr.isatty())
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
        if server.runaway is not None:
            raise server.runaway


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
    runaway: RunawayError | None = None

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
            asked = parse_qs(split.query, keep_blank_values=True)
            self._answer(asked.get("sql", [""])[-1], split.query)
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
            what = f"a SELECT has at most {LONGEST:,} bytes"
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, what)
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
        known = known and self.headers.get("Sec-Fetch-Site", "none") in {
            "none",
            "same-origin",
        }
        if not known:
            what = f"open http://{HOST}:{port}/ itself: others may not ask it"
            self._say(HTTPStatus.FORBIDDEN, what)
        return not known

    def _answer(self, sql: str, options: str) -> None:
        form = parse_qs(options).get("format", ["json"])[-1]
        if form not in _TYPES:
            self._say(HTTPStatus.BAD_REQUEST, "format is json or csv")
            return
        since = monotonic()
        try:
            found = self.server.site.answer(sql)
        except RunawayError as error:  # it takes what it takes until the process ends
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, f"{error} The server ends.")
            self.server.runaway = error
            self.server.shutdown()
            return
        except AslibError as error:
            self._say(HTTPStatus.BAD_REQUEST, str(error))
            return
        if form != "page" and found.height > MOST:
            what = f"query: has {found.height:,} rows, and a script gets {MOST:,}. "
            hint = "Ask for less, or by 'aslib-eval query'."
            self._say(HTTPStatus.BAD_REQUEST, what + hint)
            return
        if form == "page":
            text = _for_page(found, monotonic() - since)
        else:
            text = FORMATS[form](found)
        self._send(HTTPStatus.OK, _TYPES[form], text.encode())

    def _say(self, status: HTTPStatus, what: str) -> None:
        text = what.encode(errors="replace")
        self._send(status, "text/plain", text + b"\n")

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
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return value
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)
