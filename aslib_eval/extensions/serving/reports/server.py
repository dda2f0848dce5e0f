"""A report and its box for SQL over HTTP, on this machine alone.

A page of any other place may send requests to 127.0.0.1, and a name that its owner lets point there makes
it the same origin to a browser (DNS rebinding). So a request must name this server as its host, and come
from one of its pages or from nobody.
"""

from __future__ import annotations

import errno
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from aslib_eval._version import __version__
from aslib_eval.atomic_files import replace_files
from aslib_eval.errors import TYPED, AslibError
from aslib_eval.extensions.serving.reports.questions import GoneError, Questions, versions_now
from aslib_eval.extensions.serving.reports.sql_page import FROM_REPORT, NAME, Engine, sql_page
from aslib_eval.progress import no_clock
from aslib_eval.reports.made_of import Wanted
from aslib_eval.reports.write import INDEX, ReportError, write_report

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
        """Make the pages, in another folder if one is given, if the lake has changed.

        Raises:
            AslibError: when there is no page to show.
        """
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
            box = sql_page(_ENGINE, folder=self.folder, sql_dirs=self.asked.sql_dirs)
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
        known = known and self.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
        if not known:
            what = f"open http://{HOST}:{port}/ itself: others may not ask it"
            self._say(HTTPStatus.FORBIDDEN, what)
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
