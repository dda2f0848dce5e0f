"""Downloads are pinned, whole or not there, and resumed; the server is on loopback."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import math
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote, unquote

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.fetching import COMMIT, REGISTRY, RETRY, download, fetch, read_registry

FILES = {
    "TOY/algorithm_runs.arff": b"@DATA\n" * 20_000,
    "TOY/description.txt": b"scenario_id: TOY\n",
    "TOY/readme.txt": b"Made by hand.\n",
    "ODD NAME/description.txt": b"scenario_id: 25_04\n",
}


class Mirror(ThreadingHTTPServer):
    """Serves ``files``; those in ``cut`` break off half way; notes what is asked."""

    daemon_threads = True
    files: dict[str, bytes]
    cut: set[str]
    asked: list[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data"


class Handler(BaseHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        path = unquote(self.path).removeprefix("/data/")
        self.server.asked.append(path)
        body = self.server.files.get(path)
        self.send_response(404 if body is None else 200)
        body = body or b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if path in self.server.cut else body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the tests quiet."""


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    server = Mirror(("127.0.0.1", 0), Handler)
    server.files, server.cut, server.asked = dict(FILES), set(), []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    return listed(tmp_path, FILES)


def listed(folder: Path, files: dict[str, bytes], unknown: tuple[str, ...] = ()) -> Path:
    """Write a registry of ``files``; those in ``unknown`` get no hash."""
    hashes = {p: "-" if p in unknown else sha256(data) for p, data in files.items()}
    path = folder / "registry.txt"
    path.write_text("# made\n" + "".join(f"{p} {h}\n" for p, h in hashes.items()))
    return path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below ``folder`` but the records."""
    files = (p for p in folder.rglob("*") if p.is_file() and p.name != ".fetched.txt")
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


def tarball(files: dict[str, bytes]) -> bytes:
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, BytesIO(data))
    return stream.getvalue()


def test_fetches_what_is_pinned(tmp_path: Path, mirror: Mirror, registry: Path) -> None:
    to = tmp_path / "to"
    assert fetch(["all"], to=to, mirror=mirror.url, registry=registry) == [to / "TOY", to / "ODD NAME"]
    assert tree(to) == FILES
    assert {p.name for p in to.iterdir()} == {"TOY", "ODD NAME"}


def test_a_second_time_asks_nothing(
    tmp_path: Path, mirror: Mirror, registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_MIRROR", mirror.url + "/")
    fetch(["T?Y"], to=tmp_path / "to", registry=registry)
    asked = list(mirror.asked)
    fetch(["TOY"], to=tmp_path / "to", registry=registry)
    assert mirror.asked == asked
    assert len(asked) == 3


RUNS = "TOY/algorithm_runs.arff"
FORGED = f"expected SHA-256 {sha256(FILES[RUNS])}, got {sha256(b'forged')} (6 bytes)."


@pytest.mark.parametrize(
    ("broken", "name", "what"),
    [
        (lambda mirror: mirror.cut.add(RUNS), RUNS, "download failed: expected 120000 bytes, got 60000."),
        (lambda mirror: mirror.files.update({RUNS: b"forged"}), RUNS, FORGED),
        (lambda mirror: mirror.files.pop("TOY/readme.txt"), "TOY/readme.txt", "the server lacks it (404)."),
    ],
    ids=["truncated", "wrong hash", "missing"],
)
def test_what_fails_is_named_and_leaves_nothing_half(
    tmp_path: Path, mirror: Mirror, registry: Path, broken: Callable[[Mirror], object], name: str, what: str
) -> None:
    broken(mirror)
    with pytest.raises(AslibError) as caught:
        fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)
    assert str(caught.value).startswith(f"{mirror.url}/{name}: {what}")
    left = [] if name == RUNS else [".fetch-TOY"]  # what was checked before it is kept
    assert [path.name for path in (tmp_path / "to").iterdir()] == left


def test_resumes_where_it_was_interrupted(tmp_path: Path, mirror: Mirror, registry: Path) -> None:
    to = tmp_path / "to"
    mirror.cut = {"TOY/readme.txt"}
    with pytest.raises(AslibError, match="expected 14 bytes, got 7"):
        fetch(["TOY"], to=to, mirror=mirror.url, registry=registry)
    assert [p.name for p in to.iterdir()] == [".fetch-TOY"]
    (to / ".fetch-TOY" / "TOY" / "description.txt").write_bytes(b"scen")
    (to / ".fetch-TOY" / "TOY" / "killed.part").write_bytes(b"half")
    mirror.cut, mirror.asked = set(), []
    fetch(["TOY"], to=to, mirror=mirror.url, registry=registry)
    assert mirror.asked == ["TOY/description.txt", "TOY/readme.txt"]
    assert tree(to) == {p: data for p, data in FILES.items() if p.startswith("TOY/")}
    assert [p.name for p in to.iterdir()] == ["TOY"]


def test_a_server_that_is_not_there_is_named(tmp_path: Path, registry: Path) -> None:
    nobody = "http://127.0.0.1:9/data"
    with pytest.raises(AslibError, match=r"^http://127.0.0.1:9/.*download failed"):
        fetch(["TOY"], to=tmp_path / "to", mirror=nobody, registry=registry)


def test_a_progress_bar_changes_nothing(mirror: Mirror) -> None:
    name = "TOY/algorithm_runs.arff"
    assert download(f"{mirror.url}/{name}", part := BytesIO(), progress=True)
    assert part.getvalue() == FILES[name]


def test_an_unknown_hash_is_taken_only_when_asked(tmp_path: Path, mirror: Mirror) -> None:
    unknown = ("TOY/algorithm_runs.arff", "TOY/readme.txt")
    registry = listed(tmp_path, FILES, unknown)
    del mirror.files["TOY/readme.txt"]
    to = tmp_path / "to"
    with pytest.raises(AslibError, match=r"no SHA-256 .* TOY \(2 of 3 files\)"):
        fetch(["TOY"], to=to, mirror=mirror.url, registry=registry)
    assert not to.exists()
    for _ in range(2):  # the second time it is there, and its record vouches for it
        fetch(["TOY"], to=to, mirror=mirror.url, registry=registry, unverified=True)
    assert mirror.asked.count("TOY/algorithm_runs.arff") == 1
    assert read_registry(to / "TOY" / ".fetched.txt")["TOY"] == (
        *read_registry(listed(tmp_path, FILES))["TOY"][:2],
    )


@pytest.mark.parametrize("unverified", [True, False])
def test_a_changed_scenario_in_the_way_is_not_touched(
    tmp_path: Path, mirror: Mirror, registry: Path, *, unverified: bool
) -> None:
    if unverified:
        registry = listed(tmp_path, FILES, tuple(FILES))
    to = tmp_path / "to"
    (to / "TOY").mkdir(parents=True)
    (to / "TOY" / "algorithm_runs.arff").write_text("mine")
    with pytest.raises(AslibError, match=r"TOY: the folder exists already, .*_runs.arff"):
        fetch(["TOY"], to=to, mirror=mirror.url, registry=registry, unverified=unverified)
    assert tree(to) == {"TOY/algorithm_runs.arff": b"mine"}
    assert mirror.asked == []


def test_a_mirror_may_serve_archives(tmp_path: Path, mirror: Mirror) -> None:
    toy = {p: data for p, data in FILES.items() if p.startswith("TOY/")}
    mirror.files = {"TOY.tar.gz": tarball(toy)}
    registry = listed(tmp_path, mirror.files)
    for _ in range(2):
        (folder,) = fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)
    assert tree(tmp_path / "to") == toy
    assert mirror.asked == ["TOY.tar.gz"]
    (folder / "readme.txt").write_text("changed")
    with pytest.raises(AslibError, match="the folder exists already"):
        fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)


@pytest.mark.parametrize("name", ["../evil.txt", "TOY/../../evil.txt", "/evil.txt"])
def test_an_archive_that_leads_out_is_refused(tmp_path: Path, mirror: Mirror, name: str) -> None:
    mirror.files = {"TOY.tar.gz": tarball({"TOY/cv.arff": b"", name: b"evil"})}
    registry = listed(tmp_path, mirror.files)
    with pytest.raises(AslibError, match=r"^TOY.tar.gz: refused, nothing was written"):
        fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)
    assert tree(tmp_path).keys() == {"registry.txt"}
    assert list((tmp_path / "to").iterdir()) == []


def test_two_at_once_do_not_mix(tmp_path: Path, mirror: Mirror, registry: Path) -> None:
    staging = tmp_path / "to" / ".fetch-TOY"
    staging.mkdir(parents=True)
    other = os.open(staging, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(AslibError, match="another fetch of the same scenario"):
        fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)
    os.close(other)
    fetch(["TOY"], to=tmp_path / "to", mirror=mirror.url, registry=registry)


def test_a_misspelt_name_is_answered(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match=r"SAT12-AL: .* Did you mean 'SAT12-ALL'"):
        fetch(["SAT12-AL"], to=tmp_path / "to")
    with pytest.raises(AslibError, match=r"SAT12-AL, MIP2016: there is no such scenario\. .*For MIP2016: "):
        fetch(["SAT12-AL", "QBF*", "MIP2016"], to=tmp_path / "to")


BAD_LINES = {
    "../x/cv.arff": "not a file of a scenario",
    "TOY/../cv.arff": "not a file of a scenario",
    "/TOY/cv.arff": "not a file of a scenario",
    ".git/config": "not a file of a scenario",
    "cv.arff": "not a file of a scenario",
    "TOY.zip": "listed twice",
}


@pytest.mark.parametrize("path", BAD_LINES)
def test_a_registry_cannot_lead_elsewhere(tmp_path: Path, path: str) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text(f"TOY/cv.arff {'0' * 64}\n{path} {'0' * 64}\n")
    with pytest.raises(AslibError, match=f"bad.txt:2: .*{BAD_LINES[path]}"):
        read_registry(bad)


def test_a_registry_needs_hashes(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("TOY/cv.arff 0123\n")
    with pytest.raises(AslibError, match=r"bad.txt:1: '0123' is not a SHA-256"):
        read_registry(tmp_path / "bad.txt")


def test_our_registry_is_of_the_pinned_commit() -> None:
    known = read_registry()
    assert len(known) == 45
    assert sum(s.sha256 is not None for files in known.values() for s in files) == 134
    for name, files in known.items():
        assert {f"{name}/description.txt", f"{name}/cv.arff"} <= {s.path for s in files}
    assert COMMIT in REGISTRY.read_text()


def test_our_registry_is_of_the_real_files(shared: Path) -> None:
    for name, files in read_registry().items():
        for source in files:
            path = shared / "aslib" / source.path
            if path.exists():
                assert sha256(path.read_bytes()) == source.sha256, name


# --- servers that are not to be trusted -----------------------------------------------


class Hostile(BaseHTTPRequestHandler):
    """Answers as the last part of the path says, without end where it can."""

    def do_GET(self) -> None:
        kind = self.path.rpartition("/")[2]
        self.send_response(302 if kind == "redirect" else 200)
        if kind == "redirect":
            self.send_header("Location", unquote(self.path.split("/")[1]))
        length = {"negative": "-5", "word": "many", "two": "3, 3", "large": "9" * 15}
        if kind in length:
            self.send_header("Content-Length", length[kind])
        if kind == "bomb":
            self.send_header("Content-Encoding", "gzip")
        if kind == "silent":
            self.server.stop.wait(60)  # type: ignore[attr-defined]
        with suppress(OSError):
            self.end_headers()
            self.wfile.write(gzip.compress(bytes(8 << 20)) if kind == "bomb" else b"123")
            while kind == "endless":
                self.wfile.write(bytes(1 << 20))
            while kind == "drip" and not self.server.stop.wait(0.01):  # type: ignore[attr-defined]
                self.wfile.write(b"x")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the tests quiet."""


@pytest.fixture
def hostile() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    server.daemon_threads, server.block_on_close = True, False
    server.stop = Event()  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.stop.set()  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


LARGE = "the file is larger than the limit. Allow more with --max-mib"
LATE = "it was not complete in time. Try another mirror, or allow more time with --max-seconds"
NO_LENGTH = f"is not a length. {RETRY}"
FAULTS = {
    "drip": LATE,
    "silent": LATE,
    "bomb": LARGE,
    "endless": LARGE,
    "large": LARGE,
    "negative": f"its Content-Length '-5' {NO_LENGTH}",
    "word": f"its Content-Length 'many' {NO_LENGTH}",
    "two": f"its Content-Length '3, 3' {NO_LENGTH}",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_a_hostile_server_is_left(hostile: str, kind: str) -> None:
    url = f"{hostile}/{kind}"
    seconds = 0.3 if FAULTS[kind] is LATE else 60
    with pytest.raises(AslibError) as caught:
        download(url, BytesIO(), max_bytes=1 << 20, max_seconds=seconds)
    assert str(caught.value) == f"{url}: download failed: {FAULTS[kind]}"


@pytest.mark.parametrize("address", ["169.254.169.254", "10.0.0.1", "[::1]", "localhost"])
def test_no_redirect_leads_into_the_network_of_the_user(hostile: str, address: str) -> None:
    """As cloud machines have their credentials at a link-local address."""
    target = quote(f"http://{address}/latest/meta-data", safe="")
    with pytest.raises(AslibError, match=r"redirects to .* not a public address"):
        download(f"{hostile}/{target}/redirect", BytesIO(), max_seconds=20)


def test_a_server_that_drips_is_not_waited_for(hostile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aslib_eval.extensions.fetching.PATIENCE", 0.3)
    with pytest.raises(AslibError, match=r"less than 16 KiB came in 0\.3 s"):
        download(f"{hostile}/drip", BytesIO(), max_seconds=60)


def test_limits_of_a_whole_fetch(tmp_path: Path, mirror: Mirror, registry: Path) -> None:
    to = tmp_path / "to"
    with pytest.raises(AslibError, match=r"algorithm_runs.arff: .* larger than"):
        fetch("TOY", to=to, mirror=mirror.url, registry=registry, max_mib=0.1)
    # Either the clock or the connection, whose time is as short, ends it.
    with pytest.raises(AslibError, match=r"not complete in time|TimeoutError"):
        fetch("TOY", to=to, mirror=mirror.url, registry=registry, max_seconds=1e-9)
    assert not (to / "TOY").exists()
    fetch("TOY", to=to, mirror=mirror.url, registry=registry, max_mib=0.12)


@pytest.mark.parametrize("option", ["max_mib", "max_seconds"])
@pytest.mark.parametrize("limit", [0, -1, math.nan])
def test_a_limit_is_above_0(tmp_path: Path, registry: Path, option: str, limit: float) -> None:
    with pytest.raises(AslibError, match=f"{option} {limit} is not above 0"):
        fetch("TOY", to=tmp_path, registry=registry, **{option: limit})  # type: ignore[arg-type]


def test_a_mirrors_password_is_neither_shown_nor_kept(
    tmp_path: Path, mirror: Mirror, registry: Path
) -> None:
    """Of all ways to fail, and in the record of what went well."""
    address = mirror.url.replace("://", "://ann:s%40crt@")
    to = tmp_path / "to"
    said = []
    for break_it in (
        lambda: mirror.files.pop("TOY/readme.txt"),
        lambda: mirror.cut.add("TOY/description.txt"),
        lambda: mirror.files.update({"TOY/description.txt": b"other"}),
    ):
        break_it()
        with pytest.raises(AslibError) as caught:
            fetch("TOY", to=to / str(len(said)), mirror=address, registry=registry)
        said.append(str(caught.value))
        mirror.files, mirror.cut = dict(FILES), set()
    for nobody in ("http://ann:s%40crt@127.0.0.1:9/x", "nohttp://ann:s%40crt@h/x"):
        with pytest.raises(AslibError) as caught:
            fetch("TOY", to=to, mirror=nobody, registry=registry)
        said.append(str(caught.value))
    (folder,) = fetch("TOY", to=to, mirror=address, registry=registry)
    record = (folder / ".fetched.txt").read_text()
    assert record.startswith(f"# from {mirror.url}\n")
    for text in (*said, record):
        assert not {"ann", "crt"} & {*re.split("[^a-z]", text)}, text
    assert all(line.startswith(("http://127.0.0.1:", "nohttp://h")) for line in said)
