"""What the server answers, and whom it refuses: it runs in a thread of this process."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import BoundedSemaphore, Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval import progress
from aslib_eval.cli import main
from aslib_eval.database.protocol import load
from aslib_eval.database.query import limits
from aslib_eval.errors import AslibError
from aslib_eval.extensions.serving import server as module
from aslib_eval.extensions.serving.server import LONGEST, Questions, Site, SiteHandler, SiteServer
from aslib_eval.extensions.serving.sql_page import EXAMPLES
from aslib_eval.reports.write import Wanted
from tests.browser import Browser
from tests.cli.test_calls import called
from tests.conftest import write_scenario
from tests.extensions.serving.box import READY, TABLE, shown

pytestmark = pytest.mark.usefixtures("two_definitions")
SQL = "select solver, par10 from solver_score order by all limit 2"


@contextmanager
def serving(lake: Path, folder: Path) -> Iterator[SiteServer]:
    """A server of a lake, which is ended."""
    asked = Wanted(lake, load("default"))
    site = Site(asked, Questions(asked, limits(timeout=20)), jobs=1)
    with SiteServer(("127.0.0.1", 0), SiteHandler) as server, closing(site):
        site.questions.open()
        site.make(folder)
        server.site = site
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def server(
    toy: Path,
    two_definitions: None,  # noqa: ARG001 - pages are made sooner with them
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SiteServer]:
    """One for all tests that change nothing."""
    with serving(toy, tmp_path_factory.mktemp("served")) as found:
        yield found


def ask(
    server: SiteServer, path: str, *, method: str = "GET", body: str | bytes | None = None, **headers: str
) -> tuple[int, str]:
    """Status and text of an answer; ``sec_fetch_site`` is the header Sec-Fetch-Site."""
    port = server.server_port
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as con:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        con.request(method, path, body=body, headers=named)
        found = con.getresponse()
        return found.status, found.read().decode()


def raw(server: SiteServer, request: bytes) -> bytes:
    """What a request that no client would write is answered."""
    with socket.create_connection(("127.0.0.1", server.server_port), 20) as con:
        con.sendall(request)
        con.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: con.recv(4096), b""))


def test_the_report_links_to_the_box_and_back(server: SiteServer) -> None:
    status, page = ask(server, "/scenario/TOY-2026.html")
    assert status == 200
    assert '<a href="../sql.html" class="beside">SQL</a>' in page
    status, box = ask(server, "/sql.html")
    assert status == 200
    assert '<a href="index.html" class="beside">Report</a>' in box
    assert 'value="TOY-2026" data-to="scenario/TOY-2026.html"' in box
    assert ask(server, "/") == ask(server, "/index.html")
    assert ask(server, "/", method="HEAD") == (200, "")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sql.html", "text/html"),
        ("/nothing", "text/plain"),
        ("/query?sql=select+1", "application/json"),
        ("/query?sql=select+1&format=csv", "text/csv"),
        ("/query?sql=select+1&format=page", "application/json"),
        ("/query?sql=select+1&format=xml", "text/plain"),
    ],
)
def test_no_other_page_can_use_what_is_sent(server: SiteServer, path: str, kind: str) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as con:
        con.request("GET", path)
        answer = con.getresponse()
        size, sent = len(answer.read()), dict(answer.getheaders())
    assert sent.pop("Date")
    assert sent.pop("Server").strip() == f"aslib-eval/{ae.__version__}"  # no Python's
    assert sent == {
        "Content-Type": f"{kind}; charset=utf-8",
        "Content-Length": str(size),
        "Cache-Control": "no-store",
        "Content-Security-Policy": "frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def test_who_waits_too_long_is_told(server: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = server.site.questions
    monkeypatch.setattr(questions, "allowed", limits(timeout=0.01))
    monkeypatch.setattr(questions, "_turns", BoundedSemaphore(1))
    with questions._turns:  # noqa: SLF001 - somebody else's question
        assert ask(server, "/query?sql=select+1") == (
            400,
            "query: other questions are before it. Ask again when they are answered.\n",
        )


@pytest.mark.parametrize("form", ["json", "csv"])
def test_scripts_get_what_query_prints(server: SiteServer, toy: Path, form: str) -> None:
    line = ["query", SQL, "--lake", str(toy), "--format", form]
    said = CliRunner().invoke(main, line)
    assert said.exit_code == 0
    path = f"/query?format={form}"
    assert ask(server, f"{path}&sql={quote(SQL)}") == (200, said.stdout)
    assert ask(server, path, method="POST", body=SQL) == (200, said.stdout)


def test_the_box_gets_types_and_the_first_rows(server: SiteServer) -> None:
    sql = (
        "select i, 1 / i as share, 2::hugeint ** 60 as wide, [i, i] as pair, "
        "null::int as none, i > 1 as more, '<b>' as text, date '2026-01-02' as day "
        "from range(1001) t(i)"
    )
    _, text = ask(server, "/query?format=page", method="POST", body=sql)
    found = json.loads(text)
    assert found["n"] == 1001
    assert found["seconds"] > 0
    assert found["columns"][:2] == [{"name": "i", "type": "Int64"}, {"name": "share", "type": "Float64"}]
    assert len(found["rows"]) == 1000
    assert found["rows"][:2] == [
        [0, "inf", 1.152921504606847e18, "0 0", None, "False", "<b>", "2026-01-02"],
        [1, 1.0, 1.152921504606847e18, "1 1", None, "False", "<b>", "2026-01-02"],
    ]


def test_whole_numbers_that_javascript_has_not_are_text(server: SiteServer) -> None:
    sql = "select 9007199254740991::bigint as a, 9007199254740992::bigint as b"
    _, text = ask(server, "/query?format=page", method="POST", body=sql)
    assert json.loads(text)["rows"] == [[9007199254740991, "9007199254740992"]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_have_an_answer(server: SiteServer, name: str) -> None:
    status, text = ask(server, "/query", method="POST", body=EXAMPLES[name])
    assert status == 200, text
    assert json.loads(text)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select 1 +", 'query:1:10: Parser Error: syntax error at or near "+".'),
        ("select\n  slver from solver_score", "query:2:3: Binder Error: Referenced"),
        ("delete from raw_run", "query: only one SELECT statement is allowed."),
        ("copy raw_run to 'x.csv'", "query: only one SELECT statement is allowed."),
        ("with x as (copy raw_run to 'x.csv') from x", "query"),
        ("set threads = 4", "query: only one SELECT statement is allowed."),
        ("select 1; select 2", "query: only one SELECT statement is allowed."),
        ("from '/etc/passwd'", "query"),
        ("from read_text('/etc/passwd')", "query"),
        ("attach 'x.duckdb'", "query: only one SELECT statement is allowed."),
        ("", "query: only one SELECT statement is allowed."),
    ],
)  # fmt: skip
def test_a_question_is_confined_as_by_query(server: SiteServer, toy: Path, sql: str, said: str) -> None:
    status, text = ask(server, "/query", method="POST", body=sql)
    assert status == 400
    assert text.startswith(said)
    with pytest.raises(AslibError) as error:
        ae.query(sql, lake=toy)
    assert text == f"{error.value}\n"


def test_a_question_ends_in_time(server: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.site.questions, "allowed", limits(timeout=0.2))
    sql = "select count(*) from range(10000000) a, range(10000000) b"
    status, said = ask(server, "/query", method="POST", body=sql)
    assert status == 400
    assert said.startswith("query: took longer than 0.2 s. Ask for less, or give it m")


def test_a_script_gets_no_end_of_rows(server: SiteServer) -> None:
    path = "/query?format=csv"
    assert ask(server, path, method="POST", body="from range(100000)")[0] == 200
    status, said = ask(server, path, method="POST", body="from range(100001)")
    assert status == 400
    assert said.startswith("query: has 100,001 rows, and an answer has at most 100,000")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "page"])
def test_an_answer_has_so_many_characters(server: SiteServer, form: str) -> None:
    wide = "select repeat('x', 100000000) as x"
    status, said = ask(server, f"/query?format={form}", method="POST", body=wide)
    assert status == 400
    assert re.match(r"query: has 100,000,\d{3} characters, and an answer has at m", said)


LONG = "select count(*) from range(10000000) a, range(1000000) b where hash(a, b) = 3"
ENDLESS = "select sha256(repeat('x', 2000000000))"  # DuckDB does not interrupt it


@contextmanager
def asking(server: SiteServer, sql: str) -> Iterator[socket.socket]:
    """A question that nobody waits for in the body; who asked goes away after it."""
    with socket.create_connection(("127.0.0.1", server.server_port), 20) as con:
        host = f"127.0.0.1:{server.server_port}"
        head = f"POST /query HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(sql)}"
        con.sendall(f"{head}\r\n\r\n{sql}\r\n".encode())
        yield con


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, for 20 seconds at most."""
    end = monotonic() + 20
    while not holds():
        assert monotonic() < end
        sleep(0.01)


def test_a_question_ends_with_its_connection(server: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another is answered meanwhile."""
    monkeypatch.setattr(server.site.questions, "allowed", limits(timeout=500))
    helpers = server.site.questions._helpers  # noqa: SLF001
    before = {*helpers}
    with asking(server, LONG):
        assert ask(server, "/query?format=csv&sql=select+1+as+a") == (200, "a\n1\n")
        assert ask(server, "/sql.html")[0] == 200
        running = {*helpers}
    assert len(running) > len(before) > 0
    until(lambda: len(helpers) == len(running) - 1)


@pytest.mark.slow
def test_a_question_that_duckdb_does_not_interrupt_ends_alone(
    server: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.site.questions, "allowed", limits(timeout=0.5))
    since = monotonic()
    status, said = ask(server, "/query", method="POST", body=ENDLESS)
    assert (status, said[:31]) == (400, "query: took longer than 0.5 s. ")
    assert monotonic() - since < 15
    monkeypatch.setattr(server.site.questions, "allowed", limits(timeout=20))
    assert ask(server, "/query?format=csv&sql=select+1+as+a") == (200, "a\n1\n")


@pytest.mark.slow
def test_a_question_has_so_much_memory(server: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = limits(timeout=20, memory="200MB")
    monkeypatch.setattr(server.site.questions, "allowed", allowed)
    for sql in (
        "select list(range) from range(100000000)",
        "select repeat('x', 2000000000)",
        "select string_agg(range::varchar, ' ') from range(90000000)",
    ):
        said = ask(server, "/query", method="POST", body=sql)
        assert said[0] == 400
        assert said[1].startswith("query: needs more than 200 MB of memory. Ask for ")


@pytest.mark.slow
def test_a_process_that_ends_is_told_and_replaced(server: SiteServer) -> None:
    questions = server.site.questions
    before = {*questions._helpers}  # noqa: SLF001
    with asking(server, LONG) as con:
        until(lambda: bool({*questions._helpers} - {*questions._idle}))  # noqa: SLF001
        sleep(0.5)
        (busy,) = {*questions._helpers} - {*questions._idle}  # noqa: SLF001
        os.kill(busy.pid, signal.SIGKILL)
        said = b"".join(iter(lambda: con.recv(4096), b"")).decode()
    assert "query: ended the process that answers it (exit code -9)" in said
    for helper in before - {busy}:
        os.kill(helper.pid, signal.SIGKILL)
    assert ask(server, "/query?format=csv&sql=select+1+as+a") == (200, "a\n1\n")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/sql.html", "/query?sql=select+1"])
def test_others_are_refused(server: SiteServer, path: str, headers: dict[str, str]) -> None:
    port = server.server_port
    named = {name: text.format(port=port) for name, text in headers.items()}
    said = (403, f"open http://127.0.0.1:{port}/ itself: others may not ask it\n")
    assert ask(server, path, **named) == said
    if path.startswith("/query"):
        assert ask(server, path, method="POST", body="select 1", **named) == said


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "LOCALHOST:{port}"},
        {"Origin": "http://127.0.0.1:{port}"},
        {"Host": "localhost:{port}", "Origin": "http://localhost:{port}"},
        {"Sec_Fetch_Site": "same-origin"},
        {"Sec_Fetch_Site": "none"},
    ],
)
def test_its_own_pages_and_what_is_typed_are_answered(server: SiteServer, headers: dict[str, str]) -> None:
    port = server.server_port
    named = {name: text.format(port=port) for name, text in headers.items()}
    assert ask(server, "/query?sql=select+1+as+a&format=csv", **named) == (200, "a\n1\n")


def test_a_request_names_one_host(server: SiteServer) -> None:
    host = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    assert raw(server, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 403 ")
    twice = b"GET / HTTP/1.0\r\n" + host + host + b"\r\n"
    assert raw(server, twice).startswith(b"HTTP/1.0 403 ")
    once = b"GET /nothing HTTP/1.0\r\n" + host + b"\r\n"
    assert raw(server, once).startswith(b"HTTP/1.0 404 ")


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/scenario/../../pyproject.toml",
        "/.made-of.json",
        "/scenario/",
        "//etc/passwd",
        "/etc/passwd",
        "/query/x",
        "/index.html%00",
    ],
)
def test_nothing_but_pages_is_there(server: SiteServer, path: str) -> None:
    assert ask(server, path) == (404, "there is no such page\n")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_can_be_written(server: SiteServer, method: str) -> None:
    assert ask(server, "/index.html", method=method, body="x")[0] == 501
    assert ask(server, "/index.html", method="POST", body="x")[0] == 405


def test_a_question_has_an_end(server: SiteServer) -> None:
    assert ask(server, "/query", method="POST", body="select 1".ljust(LONGEST))[0] == 200
    long = ask(server, "/query", method="POST", body="select 1".ljust(LONGEST + 1))
    assert long == (413, "a SELECT has at most 100,000 bytes\n")
    assert ask(server, f"/query?sql={'x' * 70_000}")[0] == 414
    assert ask(server, "/query", method="POST", body=b"select '\xff'") == (
        400,
        "query: is not UTF-8 text\n",
    )


@pytest.mark.parametrize("size", [b"", b"-1", b"1e9", b"\xb2", b"9" * 5000])
def test_a_wrong_length_is_refused(server: SiteServer, size: bytes) -> None:
    head = f"POST /query HTTP/1.0\r\nHost: 127.0.0.1:{server.server_port}\r\n".encode()
    found = raw(server, head + b"Content-Length: " + size + b"\r\n\r\nselect 1")
    assert found.split(b" ")[1] in {b"411", b"413"}


def test_half_a_request_is_no_question(server: SiteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    head = f"POST /query HTTP/1.0\r\nHost: 127.0.0.1:{server.server_port}\r\n".encode()
    cut = raw(server, head + b"Content-Length: 9\r\n\r\nselect 1")
    assert cut.startswith(b"HTTP/1.0 400 ")
    assert cut.endswith(b"\r\n\r\nthe SELECT is cut off\n")
    assert raw(server, head).startswith(b"HTTP/1.0 411 ")
    monkeypatch.setattr(SiteHandler, "timeout", 0.05)
    with socket.create_connection(("127.0.0.1", server.server_port), 20) as con:
        con.sendall(head)  # and nothing more: it is not waited for
        assert con.recv(10) == b""
    assert ask(server, "/sql.html")[0] == 200


@pytest.mark.slow
def test_the_answers_of_many_are_their_own(server: SiteServer) -> None:
    found: dict[int, tuple[int, str]] = {}

    def one(n: int) -> None:
        found[n] = ask(server, f"/query?format=csv&sql=select+{n}+as+n")

    threads = [Thread(target=one, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: (200, f"n\n{n}\n") for n in range(12)}


def test_pages_and_answers_follow_the_lake(tmp_path: Path) -> None:
    """What is imported, and what is gone, is seen by the next request."""
    lake, sql = tmp_path / "lake", "select count(*) as n from raw_run"
    count = f"/query?format=csv&sql={quote(sql)}"

    def put(name: str, *costs: int) -> None:
        runs = [(f"i{at}", 1, "X", cost, "ok") for at, cost in enumerate(costs)]
        folder = write_scenario(tmp_path / name, runs=runs)
        assert [x.error for x in ae.import_scenarios([folder], into=lake)] == [None]

    put("A", 1, 2)
    with serving(lake, tmp_path / "pages") as server:
        assert ask(server, count) == (200, "n\n2\n")
        page = ask(server, "/scenario/A.html")
        made = server.site.pages["scenario/A.html"].stat().st_mtime_ns
        assert ask(server, "/scenario/A.html") == page
        assert server.site.pages["scenario/A.html"].stat().st_mtime_ns == made
        assert ask(server, "/scenario/B.html")[0] == 404
        put("B", 3, 4, 5)
        assert ask(server, count) == (200, "n\n5\n")
        assert ask(server, "/scenario/B.html")[0] == 200
        assert 'data-to="scenario/B.html"' in ask(server, "/sql.html")[1]
        shutil.rmtree(lake)
        for path, status in (("/", 503), (count, 400)):
            found = ask(server, path)
            assert found[0] == status
            assert found[1].startswith(f"{lake}: there is no lake with a scenario.")
        put("A", 1)
        assert ask(server, count) == (200, "n\n1\n")
        assert ask(server, "/")[0] == 200
        assert ask(server, "/scenario/B.html")[0] == 404
    assert {path.name for path in tmp_path.iterdir()} == {"A", "B", "lake", "pages"}
    files = {path.name for path in (tmp_path / "pages").iterdir()}
    assert files == {"index.html", "scenario", "sql.html", ".made-of.json"}


def served(toy: Path, monkeypatch: pytest.MonkeyPatch, **asked: Any) -> list[str]:
    """Serve, with a server that is interrupted at once; what was said and opened."""
    said: list[str] = []
    monkeypatch.setattr(module.webbrowser, "open", lambda url: said.append(f"!{url}"))

    def interrupted(_: SiteServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SiteServer, "serve_forever", interrupted)
    ae.serve(toy, port=0, jobs=1, ready=said.append, **asked)
    return said


def test_no_clock_runs_beside_a_server(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def serves(_: SiteServer) -> None:
        drawn.append("serves")
        raise KeyboardInterrupt

    monkeypatch.setattr(SiteServer, "serve_forever", serves)
    monkeypatch.setattr(progress.Clock, "start", lambda _: drawn.append("on"))
    monkeypatch.setattr(progress.Clock, "stop", lambda _: drawn.append("off"))
    with progress.clock(shown=True):
        ae.serve(toy, port=0, jobs=1)
    assert drawn[drawn.index("serves") - 1] == "off"


@pytest.mark.slow
def test_ctrl_c_ends_it_and_leaves_no_folder(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said = served(toy, monkeypatch, open=True)
    assert said[0].startswith("http://127.0.0.1:")
    assert said[1:] == [f"!{said[0]}"]
    assert list(tmp_path.rglob("*.html")) == []
    assert len(served(toy, monkeypatch, output=tmp_path / "pages")) == 1
    assert (tmp_path / "pages" / "sql.html").is_file()


def test_a_port_that_is_taken_is_told(server: SiteServer, toy: Path) -> None:
    with pytest.raises(AslibError, match=r"is taken\. Choose another, or "):
        ae.serve(toy, port=server.server_port)


@pytest.mark.slow
def test_it_says_that_it_starts_and_ctrl_c_while_one_asks_ends_it_without_a_word(toy: Path) -> None:
    line = [sys.executable, "-m", "aslib_eval", "serve", "--port", "0"]
    with (
        subprocess.Popen(
            [*line, "--lake", toy, "--jobs", "1"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process,
    ):  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline() == f"Making the pages of {toy}. Their address follows.\n"
        port = int(process.stdout.readline().split(":")[2].strip("/\n"))
        with socket.create_connection(("127.0.0.1", port), 20) as con:
            head = f"POST /query HTTP/1.0\r\nHost: 127.0.0.1:{port}"
            con.sendall(f"{head}\r\nContent-Length: {len(LONG)}\r\n\r\n{LONG}".encode())
            sleep(3)
            process.send_signal(signal.SIGINT)
            assert (process.stderr.read(), process.wait(20)) == ("", 0)


@pytest.mark.slow
@pytest.mark.parametrize("sql", EXAMPLES.values(), ids=[*EXAMPLES])
def test_the_box_in_a_browser_answers_as_query_does(
    server: SiteServer, toy: Path, browser: Browser, sql: str
) -> None:
    home = f"http://127.0.0.1:{server.server_port}"
    page = browser.open(f"{home}/sql.html#sql={quote(sql)}", folded=True, ready=READY)
    expected = ae.query(sql, lake=toy)
    head, *rows = json.loads(page.js(TABLE))
    assert head == expected.columns
    assert rows == [[shown(value) for value in row] for row in expected.rows()]
    assert {url.startswith(f"{home}/") for url in page.requests} == {True}


@pytest.mark.slow
def test_the_box_marks_the_word_that_is_wrong(server: SiteServer, browser: Browser) -> None:
    home = f"http://127.0.0.1:{server.server_port}"
    page = browser.open(f"{home}/sql.html", folded=True)
    page.enter("#sql", "select solver,\nslver from solver_score")
    page.click("#run")
    page.until(READY)
    box = "document.querySelector('#sql')"
    marked = f"{box}.value.slice({box}.selectionStart, {box}.selectionEnd)"
    assert page.js(marked) == "slver"
    said = page.js("document.querySelector('#answer').textContent")
    assert said.startswith("query:2:1: ")


def test_what_serve_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    line = (
        "serve --lake L --scenario A --protocol asf --sql tests --port 7 --open -o out "
        "--jobs 2 --timeout 3 --memory 1GB"
    )
    found = called(line, "aslib_eval.extensions.serving:serve", monkeypatch)
    asked = found[1]
    assert callable(asked.pop("ready"))
    assert asked == {
        "lake": Path("L"), "scenarios": ("A",), "protocol": "asf",
        "sql_dirs": (Path("tests"),), "port": 7, "open": True, "output": Path("out"),
        "jobs": 2, "timeout": 3.0, "memory": "1GB",
    }  # fmt: skip
