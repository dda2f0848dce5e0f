"""Download scenarios of the public ASlib repository, pinned to one commit.

Every file is checked against the SHA-256 in a registry, and a scenario's folder appears whole or not at
all. Files already there with the right hash are not fetched again. pooch gets a file; each of its failures
becomes one clear error.

A server is not trusted: it may send without end, pack zeros, drip or stay silent, or redirect into the
user's network. Size and time have limits, a thread of its own waits for the server, and redirects must lead
to public addresses.
"""

from __future__ import annotations

import fcntl
import fnmatch
import hashlib
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import IO, Annotated, Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from aslib_eval.errors import AslibError, require_extra
from aslib_eval.options import Option, public
from aslib_eval.paths import Folder, open_plain, parts_of, read_text
from aslib_eval.progress import no_clock, stderr_console
from aslib_eval.text import nearest

RETRY = "Try again, or use another --mirror; files that were already checked are kept"
MAX_BYTES = 1 << 30
MAX_SECONDS = 3600
PATIENCE = 60.0  # seconds in which a server must send something worth the wait
_LEAST = 16 << 10  # bytes of it


def download(
    url: str,
    file: IO[bytes],
    *,
    name: str = "",
    max_bytes: float = MAX_BYTES,
    max_seconds: float = MAX_SECONDS,
    progress: bool = False,
) -> bool:
    """Write the content of ``url`` to ``file``; False if the server answers 404.

    name: its name beside a bar. max_bytes: of the unpacked file. max_seconds: from start to end. Messages
    hide user and password of ``url``.
    """
    import requests  # noqa: F401 - a thread that is given up must not leave it half imported

    ended: list[BaseException | None] = []
    with _download_bar(name, shown=progress) as bar:
        sink = _Sink(file, max_bytes)

        def work() -> None:
            try:
                _get(url, sink, bar)
                ended.append(None)
            except BaseException as error:  # noqa: BLE001 (raised in the caller's thread)
                ended.append(error)

        # A server that drips keeps a read going: only another thread can give up.
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
            drips = _wait(thread, sink, max_seconds)
        finally:
            sink.closed = True
    if not ended:
        what, hint = f"less than 16 KiB came in {PATIENCE:g} s", RETRY
        if not drips:
            what = "it was not complete in time"
            hint = "Try another mirror, or allow more time with --max-seconds"
        raise AslibError(f"download failed: {what}", without_password(url), hint)
    return _judged(ended[0], url)


def _wait(thread: threading.Thread, sink: _Sink, max_seconds: float) -> bool:
    """Wait for the end, or the time; True if the server sends too little."""
    end = time.monotonic() + max_seconds
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        before = sink.left
        thread.join(min(PATIENCE, left))
        if thread.is_alive() and left > PATIENCE and before - sink.left < _LEAST:
            return True
    return False


def without_password(url: str) -> str:
    """The address without user, password and query."""
    return re.sub(r"://[^/@\s]*@", "://", url).partition("?")[0]


def _judged(error: BaseException | None, url: str) -> bool:
    """True if nothing went wrong, False for 404; raises AslibError for the rest."""
    if error is None:
        return True
    shown = without_password(url)
    response = getattr(error, "response", None)
    if getattr(response, "status_code", None) == HTTPStatus.NOT_FOUND:
        return False
    if isinstance(error, AslibError):
        raise AslibError(error.message, shown, error.hint) from None
    reason = _reason(error)
    with suppress(ValueError):  # not an address
        if secret := urlsplit(url).password:
            reason = reason.replace(secret, "…").replace(unquote(secret), "…")
    raise AslibError(f"download failed: {re.sub('://[^/@ ]*@', '://', reason)}", shown, RETRY) from None


def _get(url: str, sink: _Sink, bar: _DownloadBar | None) -> None:
    import pooch

    try:
        pooch.HTTPDownloader(progressbar=bar, hooks={"response": sink.look_at})(url, sink, None)
    finally:
        for response in sink.responses:
            response.close()


@dataclass
class _Sink:
    """A file that takes ``left`` more bytes; none when it is closed."""

    file: IO[bytes]
    left: float
    closed: bool = False
    responses: list[Any] = field(default_factory=list)

    def write(self, chunk: bytes) -> None:
        self.left -= len(chunk)
        if self.left < 0:
            self._refuse()
        if self.closed:
            raise TimeoutError
        self.file.write(chunk)

    def flush(self) -> None:
        """Do nothing: the file counts when it is complete."""

    def look_at(self, response: Any, **_: Any) -> None:
        """Refuse a wrong or too large length before the first byte."""
        self.responses.append(response)
        if response.is_redirect:
            _refuse_address(response.url, response.headers["location"])
        reason = response.headers.get("content-length", "0")
        if not (reason.isascii() and reason.isdecimal()):
            what = f"download failed: its Content-Length {reason[:40]!r} is not a length"
            raise AslibError(what, hint=RETRY)
        if response.ok and int(reason) > self.left:
            self._refuse()

    def _refuse(self) -> None:
        what = "download failed: the file is larger than the limit"
        raise AslibError(what, hint="Allow more with --max-mib")


def _refuse_address(source: str, location: str) -> None:
    """Refuse a redirect to another host without a public address."""
    import ipaddress
    import socket

    host = urlsplit(urljoin(source, location)).hostname or ""
    if host == urlsplit(source).hostname:
        return
    with suppress(OSError, ValueError):  # requests reports an unknown name
        found = socket.getaddrinfo(host, None)
        addresses = [ipaddress.ip_address(str(each[4][0])) for each in found]
        if not all(address.is_global for address in addresses):
            what = f"download failed: the server redirects to {host}, which is not a public address"
            raise AslibError(what, hint="If you trust it, name it as --mirror")


def _reason(error: BaseException) -> str:
    """The first cause; the number of bytes, if the connection broke off."""
    from http.client import IncompleteRead

    while error.__context__ is not None:
        error = error.__context__
        if isinstance(error, IncompleteRead):
            got = error.partial if isinstance(error.partial, int) else len(error.partial)
            return f"expected {got + (error.expected or 0)} bytes, got {got}"
    return str(error) or type(error).__name__


# The files of downloadable scenarios and their SHA-256, as pooch writes them.

REGISTRY = Path(__file__).with_name("aslib_data.txt")
UNKNOWN = "-"


@dataclass(frozen=True)
class RegistryFile:
    """One file to download, ``NAME/file`` or ``NAME.tar.gz``; None: hash unknown."""

    path: str
    sha256: str | None

    @property
    def archive(self) -> bool:
        """Whether it is a complete scenario in one archive."""
        from aslib_eval.formats.sources import is_archive

        return "/" not in self.path and is_archive(Path(self.path))

    @property
    def scenario(self) -> str:
        """The name of the scenario that it belongs to."""
        from aslib_eval.formats.sources import SUFFIXES

        if not self.archive:
            return self.path.partition("/")[0]
        suffix = next(end for end in SUFFIXES if self.path.lower().endswith(end))
        return self.path[: -len(suffix)]


def read_registry(path: Path = REGISTRY) -> dict[str, tuple[RegistryFile, ...]]:
    """Scenario name → its files, from lines ``path sha256``; ``-`` is an unknown hash."""
    scenarios: dict[str, tuple[RegistryFile, ...]] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            source = _parse(line, f"{path}:{number}")
            others = scenarios.get(source.scenario, ())
            if others and (source.archive or others[0].archive):
                what = f"{source.scenario} is listed twice, once as an archive"
                raise AslibError(what, f"{path}:{number}", "Keep one")
            scenarios[source.scenario] = (*others, source)
    return scenarios


def _parse(line: str, where: str) -> RegistryFile:
    path, _, sha256 = line.strip().rpartition(" ")
    source = RegistryFile(path.strip(), sha256.lower().removeprefix("sha256:"))
    parts = source.path.split("/")
    safe = all(part.strip(".") and "\\" not in part for part in parts)
    if not safe or parts[0].startswith(".") or not ("/" in path or source.archive):
        hint = "Write NAME/file or NAME.tar.gz, a blank, and its SHA-256"
        raise AslibError(f"{source.path!r} is not a file of a scenario", where, hint)
    digits = source.sha256 or ""
    if digits == UNKNOWN:
        return RegistryFile(source.path, None)
    if not re.fullmatch("[0-9a-f]{64}", digits):
        hint = f"Write 64 hexadecimal digits, or {UNKNOWN} if unknown"
        raise AslibError(f"{digits!r} is not a SHA-256", where, hint)
    return source


COMMIT = "551b22beef8df17de59286b4822ef720e0aa4d6f"
ORIGIN = f"https://raw.githubusercontent.com/coseal/aslib_data/{COMMIT}"
RECORD = ".fetched.txt"
OPTIONAL = ("citation.bib", "readme.txt")


@dataclass(frozen=True)
class _Job:
    """Source and limits, the same for every file of one call."""

    base: str
    progress: bool
    max_bytes: float
    deadline: float


@public
def fetch(
    names: Annotated[Sequence[str], Option("Which scenarios.", flags="", metavar="NAME...")],
    *,
    to: Annotated[str | Path, Option("Write the folder of each scenario into this folder.")] = "aslib",
    mirror: Annotated[
        str | None,
        Option(
            "Download from this server.", metavar="URL", shown="$ASLIB_MIRROR, else the public repository"
        ),
    ] = None,
    registry: str | Path = REGISTRY,
    unverified: Annotated[
        bool, Option("Also download files of unknown hash, which the command cannot check.")
    ] = False,
    max_mib: Annotated[float, Option("Refuse files larger than this many MiB.")] = MAX_BYTES >> 20,
    max_seconds: Annotated[
        float, Option("Give up if all files together take more than this many seconds.")
    ] = MAX_SECONDS,
    progress: bool = False,
) -> list[Path]:
    """Download scenarios into the folder ``to``; returns one folder per scenario.

    ``names`` are scenario names, globs, or ``all``. ``mirror`` (default: the environment's
    ``ASLIB_MIRROR``, else the public repository) serves the paths of the ``registry``. A scenario with a
    file of unknown hash is fetched only with ``unverified``; its ``.fetched.txt`` lists the hashes, in
    registry format. No file may have more than ``max_mib`` MiB, and all together may take ``max_seconds``.
    A password in the mirror's address is neither shown nor kept. ``progress`` shows a bar on a terminal.

    After an error, earlier scenarios stay; of the scenario that failed, only checked files stay for the
    next time.

    >>> ae.fetch("TOYS-2026", to="aslib")
    Traceback (most recent call last):
    aslib_eval.errors.AslibError: TOYS-2026: ...
    """
    require_extra("fetch", where="fetch")
    to, known = Path(to), read_registry(Path(registry))
    wanted = _select(names, known)
    if not unverified:
        _refuse_unverified({name: known[name] for name in wanted})
    base = (mirror or os.environ.get("ASLIB_MIRROR") or ORIGIN).rstrip("/")
    for name, limit in (("max_mib", max_mib), ("max_seconds", max_seconds)):
        if not limit > 0:
            raise AslibError(f"{name} {limit} is not above 0")
    shown = progress and sys.stderr.isatty()
    job = _Job(base, shown, max_mib * 2**20, time.monotonic() + max_seconds)
    try:
        to.mkdir(parents=True, exist_ok=True)
        return [_fetch_scenario(name, known[name], to, job) for name in wanted]
    except OSError as error:
        raise AslibError(
            f"cannot be written ({error.strerror or error})", str(to), "Choose another folder."
        ) from error


def _select(names: Sequence[str], known: Mapping[str, object]) -> list[str]:
    """The registry's scenarios that match ``names``, each once, in that order."""
    asked = [names] if isinstance(names, str) else names
    found = {n: fnmatch.filter(known, "*" if n == "all" else n) for n in asked}
    if missing := [name for name, some in found.items() if not some]:
        hint = nearest(missing, known, cutoff=0.4) or "The names are at www.aslib.net."
        raise AslibError("there is no such scenario", ", ".join(missing), hint)
    return list(dict.fromkeys(name for some in found.values() for name in some))


def _refuse_unverified(wanted: Mapping[str, Sequence[RegistryFile]]) -> None:
    lacking = [
        f"{name} ({sum(s.sha256 is None for s in sources)} of {len(sources)} files)"
        for name, sources in wanted.items()
        if any(s.sha256 is None for s in sources)
    ]
    if lacking:
        hint = "Add --unverified to accept the server's files and record their hashes"
        raise AslibError(f"no SHA-256 is known for {', '.join(lacking)}", hint=hint)


def _fetch_scenario(name: str, sources: Sequence[RegistryFile], to: Path, job: _Job) -> Path:
    folder = to / name
    with Folder.named(to) as home, _alone(home, f".fetch-{name}") as staging:
        if home.stat(name):
            _refuse_other(folder, sources)
        else:
            *above, last = _collect(name, sources, staging, job)
            with staging.below(*above) as inside:
                inside.rename(last, home, name)
        for each in staging.names():
            staging.remove(each)
    return folder


@contextmanager
def _alone(home: Folder, name: str) -> Iterator[Folder]:
    """Lock the hidden folder of a scenario's parts, for one fetch at a time."""
    with home.below(name, make=True) as staging:
        _lock(home, name, staging)
        try:
            yield staging
        finally:
            if not any(staging.walk()):
                home.remove(name)


def _lock(home: Folder, name: str, staging: Folder) -> None:
    try:
        fcntl.flock(staging.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        there = home.stat(name)
        free = there and os.path.samestat(os.fstat(staging.descriptor), there)
    except BlockingIOError:
        free = False
    if not free:
        what = "another fetch of the same scenario uses this folder"
        raise AslibError(what, str(staging.path), "Wait for that fetch, then try again")


def _collect(name: str, sources: Sequence[RegistryFile], staging: Folder, job: _Job) -> tuple[str, ...]:
    """Get missing files; gives the path of the future scenario folder."""
    paths = {source.path for source in sources}
    for *above, last in staging.walk():
        # Leftovers of another registry, or of a fetch that was cut off.
        if "/".join([*above, last]) not in paths:
            with staging.below(*above) as inside:
                inside.unlink(last)
    for source in sources:
        _ensure(source, staging, job)
    comments = [f"# from {without_password(job.base)}"]
    folder = staging.path / name
    if sources[0].archive:
        archive = sources[0].path
        comments.append(f"# {archive} {_sha256(staging.path / archive)}")
        folder = _unpacked(staging, archive)
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != RECORD)
    lines = (f"{name}/{p.relative_to(folder).as_posix()} {_sha256(p)}" for p in files)
    at = folder.relative_to(staging.path).parts
    with staging.below(*at) as inside:
        inside.replace(RECORD, "\n".join([*comments, *lines, ""]).encode(), prefix=".new-")
    return at


def _unpacked(staging: Folder, archive: str) -> Path:
    """Unpack afresh; remove an archive that is refused."""
    from aslib_eval.formats.sources import unpack

    inside = ".unpacked"
    if staging.stat(inside):
        staging.remove(inside)
    try:
        return unpack(staging.path / archive, staging.path / inside)
    except AslibError:
        staging.unlink(archive)
        raise


def _ensure(source: RegistryFile, staging: Folder, job: _Job) -> None:
    """Put the checked file in its place; only an optional file may be missing."""
    *above, last = parts_of(source.path)
    with staging.below(*above, make=True) as folder:
        if source.sha256 and _hash(folder, last) == source.sha256:
            return
        part = folder.scratch(".new-", ".part")
        try:
            if _downloaded(source, folder, part, job):
                folder.rename(part, folder, last)
        finally:
            if folder.stat(part):
                folder.unlink(part)


def _downloaded(source: RegistryFile, folder: Folder, part: str, job: _Job) -> bool:
    """Download a file and check it; False for an optional file that the server lacks."""
    url = f"{job.base}/{quote(source.path)}"
    shown = f"{without_password(job.base)}/{quote(source.path)}"
    left = job.deadline - time.monotonic()
    limits = {"max_bytes": job.max_bytes, "max_seconds": max(left, 0.0)}
    name = Path(source.path).name
    with folder.create(part) as file:
        if not download(url, file, name=name, **limits, progress=job.progress):
            if source.sha256 or name not in OPTIONAL:
                raise AslibError("the server lacks it (404)", shown, RETRY)
            return False
        size = file.tell()
    seen = _hash(folder, part)
    if source.sha256 and seen != source.sha256:
        raise AslibError(f"expected SHA-256 {source.sha256}, got {seen} ({size} bytes)", shown, RETRY)
    return True


def _hash(folder: Folder, name: str) -> str | None:
    """The SHA-256 of a file in a folder; None without it."""
    with suppress(OSError), folder.open(name) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return None


def _refuse_other(folder: Path, sources: Sequence[RegistryFile]) -> None:
    """Raise unless ``folder`` holds what the registry, or else its record, lists."""
    record = folder / RECORD
    recorded = read_text(record) if record.exists() else ""
    known = read_registry(record).get(folder.name, ()) if recorded else ()
    expected = {s.path: s.sha256 for s in known}
    expected |= {s.path: s.sha256 for s in sources if s.sha256 and not s.archive}
    other = [path for path in expected if _sha256(folder.parent / path) != expected[path]]
    other += [s.path for s in sources if not _accounted(s, expected, recorded)]
    if other:
        what = f"the folder exists already, and its files differ from the files to fetch ({other[0]})"
        raise AslibError(what, str(folder), "Move the folder away, or fetch into another folder")


def _accounted(source: RegistryFile, expected: Mapping[str, object], recorded: str) -> bool:
    if source.archive:
        return f"# {source.path} {source.sha256 or ''}" in recorded
    return source.path in expected or Path(source.path).name in OPTIONAL


def _sha256(path: Path) -> str | None:
    """The file's SHA-256; None without it."""
    with suppress(OSError), open_plain(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return None


class _DownloadBar:
    """The progress bar that pooch requires; ``total`` in bytes."""

    def __init__(self, bars: Any, task: Any) -> None:
        self.bars, self.task, self.total = bars, task, 0

    def update(self, amount: int) -> None:
        self.bars.update(self.task, advance=amount, total=self.total or None)

    def reset(self) -> None:
        self.bars.reset(self.task)

    def close(self) -> None:
        self.bars.remove_task(self.task)


@contextmanager
def _download_bar(name: str, *, shown: bool) -> Iterator[_DownloadBar | None]:
    """Draw a bar of the bytes of one file; None without a bar."""
    if not shown:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress

    columns = ("{task.description}", BarColumn(), DownloadColumn())
    with no_clock(), Progress(*columns, console=stderr_console(), transient=True) as bars:
        yield _DownloadBar(bars, bars.add_task(name, total=None))
