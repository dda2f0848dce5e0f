"""Download scenarios of the public ASlib repository, pinned to one commit.

What is fetched is what was pinned: every file is checked against the SHA-256 in a registry, and a
scenario's folder appears whole or not at all. Files already there with the right hash are not fetched
again. pooch gets a file; every way it can fail becomes one clear error.

A server is not trusted: it may send without end, pack zeros, drip or say nothing, or redirect into the
network of its user. What is written has a limit, and so has the time, which a thread of its own spends;
redirects lead to public addresses.
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

RETRY = "Try again, or another mirror; files already checked are kept"


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
    """Write what ``url`` gives to ``file``; False if the server answers 404.

    name: what a bar calls it. max_bytes: of the file, as it is once unpacked. max_seconds: from start to
    end.
    No message holds what stands in ``url`` before an @.
    """
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
        what = "download failed: it is not complete and the time is over"
        if drips:
            what = f"download failed: less than 16 KiB came in {PATIENCE:g} s"
            raise AslibError(what, without_password(url), RETRY)
        raise AslibError(
            what, without_password(url), "Try another mirror, or allow more time with --max-seconds"
        )
    return _judged(ended[0], url)


def _wait(thread: threading.Thread, sink: _Sink, max_seconds: float) -> bool:
    """Wait for the end, or the time; True if what comes is too little to wait for."""
    end = time.monotonic() + max_seconds
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        before = sink.left
        thread.join(min(PATIENCE, left))
        if thread.is_alive() and left > PATIENCE and before - sink.left < _LEAST:
            return True
    return False


def without_password(url: str) -> str:
    """The address as it may be shown and kept: without user, password and query."""
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
    with suppress(ValueError):  # an address that is none
        if secret := urlsplit(url).password:
            reason = reason.replace(secret, "…").replace(unquote(secret), "…")
    raise AslibError(f"download failed: {re.sub('://[^/@ ]*@', '://', reason)}", shown, RETRY) from None


def _get(url: str, sink: _Sink, bar: _DownloadBar | None) -> None:
    """Have pooch write what the server gives."""
    import pooch

    hooks = {"response": sink.look_at}
    try:
        pooch.HTTPDownloader(progressbar=bar, hooks=hooks)(url, sink, None)
    finally:
        for response in sink.responses:
            response.close()


@dataclass
class _Sink:
    """A file that takes so many bytes; once ``closed``, none."""

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
        """Nothing is shown before it is complete."""

    def look_at(self, response: Any, **_: Any) -> None:
        """Refuse a length that is none or too large before the first byte."""
        self.responses.append(response)
        if response.is_redirect:
            _refuse_address(response.url, response.headers["location"])
        reason = response.headers.get("content-length", "0")
        if not (reason.isascii() and reason.isdecimal()):
            raise AslibError(
                f"download failed: its Content-Length is {reason[:40]!r}, no length", hint=RETRY
            )
        if response.ok and int(reason) > self.left:
            self._refuse()

    def _refuse(self) -> None:
        what = "download failed: it is larger than the limit of a file"
        raise AslibError(what, hint="If it should be, allow more with --max-mib")


def _refuse_address(source: str, location: str) -> None:
    """Refuse a redirect to another host that is none of the public network."""
    import ipaddress
    import socket

    host = urlsplit(urljoin(source, location)).hostname or ""
    if host == urlsplit(source).hostname:
        return
    with suppress(OSError, ValueError):  # a name that is none: requests says so
        found = socket.getaddrinfo(host, None)
        addresses = [ipaddress.ip_address(str(each[4][0])) for each in found]
        if not all(address.is_global for address in addresses):
            what = f"download failed: the server redirects to {host}"
            raise AslibError(what, hint="That is no public address: name it as --mirror if it is meant")


def _reason(error: BaseException) -> str:
    """What was at the bottom of it; how much came, if the connection broke off."""
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
_HEX = frozenset("0123456789abcdef")
_SHA256_DIGITS = 64


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
    """Scenario name → its files, from lines ``path sha256``; ``-`` is no known hash."""
    lines = read_text(path).splitlines()
    scenarios: dict[str, tuple[RegistryFile, ...]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            source = _parse(line, f"{path}:{number}")
            others = scenarios.get(source.scenario, ())
            if others and (source.archive or others[0].archive):
                what = f"{source.scenario} is listed as an archive and once more"
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
        raise AslibError(f"{source.path!r} is no file of a scenario", where, hint)
    digits = source.sha256 or ""
    if digits == UNKNOWN:
        return RegistryFile(source.path, None)
    if len(digits) != _SHA256_DIGITS or not _HEX.issuperset(digits):
        hint = f"Give {_SHA256_DIGITS} hexadecimal digits, or {UNKNOWN} if unknown"
        raise AslibError(f"{digits!r} is no SHA-256", where, hint)
    return source


COMMIT = "551b22beef8df17de59286b4822ef720e0aa4d6f"
ORIGIN = f"https://raw.githubusercontent.com/coseal/aslib_data/{COMMIT}"
RECORD = ".fetched.txt"
OPTIONAL = ("citation.bib", "readme.txt")


@dataclass(frozen=True)
class _Job:
    """Where from and how; the same for every file of one call."""

    base: str
    progress: bool
    max_bytes: float
    deadline: float

    @property
    def shown(self) -> str:
        """Where from, without what is secret."""
        return without_password(self.base)


@public
def fetch(
    names: Annotated[Sequence[str], Option("Which scenarios.", flags="", metavar="NAME...")],
    *,
    to: Annotated[str | Path, Option("Folder to which each scenario's folder is written.")] = "aslib",
    mirror: Annotated[
        str | None,
        Option("Server of the files.", metavar="URL", shown="$ASLIB_MIRROR, else the public repository"),
    ] = None,
    registry: str | Path = REGISTRY,
    unverified: Annotated[bool, Option("Also fetch files whose hash is unknown.")] = False,
    max_mib: Annotated[float, Option("Maximum size of a file [MiB].")] = MAX_BYTES >> 20,
    max_seconds: Annotated[float, Option("Maximum time for all files together [s].")] = MAX_SECONDS,
    progress: bool = False,
) -> list[Path]:
    """Download scenarios into the folder ``to``; returns one folder a scenario.

    ``names`` are scenario names, globs, or ``all``; one may be a text. ``mirror`` (default: the
    environment's ``ASLIB_MIRROR``, else the public repository) serves
    the paths of the ``registry``. A scenario with a file of unknown hash is fetched only with
    ``unverified``; what was seen stands in its ``.fetched.txt``, in registry format. No file may have more
    than ``max_mib`` MiB, and all together may take ``max_seconds``. A password in the mirror's address is
    neither shown nor kept. ``progress`` shows a bar, on a terminal only.

    Raises:
        AslibError: an unknown name, no known hash, a download that failed or was
            short, wrong, late or large, an unsafe archive, another folder in the way, or no extra `fetch`.
            Scenarios fetched before it stay; of the one that failed, only checked files are kept for next
            time.

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
    """The registry's scenarios that ``names`` mean, each once, in that order."""
    asked = [names] if isinstance(names, str) else names
    found = {n: fnmatch.filter(known, "*" if n == "all" else n) for n in asked}
    if missing := [name for name, some in found.items() if not some]:
        hint = nearest(missing, known, cutoff=0.4)
        is_none = "is no scenario" if len(missing) == 1 else "are no scenarios"
        what, where = f"{is_none} of the registry", ", ".join(missing)
        raise AslibError(what, where, hint or "Look at the names at www.aslib.net.")
    return list(dict.fromkeys(name for some in found.values() for name in some))


def _refuse_unverified(wanted: Mapping[str, Sequence[RegistryFile]]) -> None:
    lacking = [
        f"{name} ({sum(s.sha256 is None for s in sources)} of {len(sources)} files)"
        for name, sources in wanted.items()
        if any(s.sha256 is None for s in sources)
    ]
    if lacking:
        what = f"no SHA-256 is known for {', '.join(lacking)}"
        raise AslibError(
            what, hint="Pass --unverified to take what the server gives, and record its hashes"
        )


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
    """Hold the hidden folder where a scenario's parts wait; one fetch at a time."""
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
        what = "is held by another fetch of the same scenario"
        raise AslibError(what, str(staging.path), "Wait for it, then try again")


def _collect(name: str, sources: Sequence[RegistryFile], staging: Folder, job: _Job) -> tuple[str, ...]:
    """Get what is missing; where the folder is that is to become the scenario's."""
    paths = {source.path for source in sources}
    for *above, last in staging.walk():
        # What an earlier fetch left, by another registry or cut off in the middle.
        if "/".join([*above, last]) not in paths:
            with staging.below(*above) as inside:
                inside.unlink(last)
    for source in sources:
        _ensure(source, staging, job)
    comments = [f"# from {job.shown}"]
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
    """Unpack afresh; an archive that is refused is not kept for another try."""
    from aslib_eval.formats.sources import unpack

    if staging.stat(_UNPACKED):
        staging.remove(_UNPACKED)
    try:
        return unpack(staging.path / archive, staging.path / _UNPACKED)
    except AslibError:
        staging.unlink(archive)
        raise


_UNPACKED = ".unpacked"


def _ensure(source: RegistryFile, staging: Folder, job: _Job) -> None:
    """Have the checked file in its place; only an optional one may be missing."""
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
    """Download a file and check it; False for an optional one that is not there."""
    url = f"{job.base}/{quote(source.path)}"
    shown = f"{job.shown}/{quote(source.path)}"
    left = job.deadline - time.monotonic()
    limits = {"max_bytes": job.max_bytes, "max_seconds": max(left, 0.0)}
    name = Path(source.path).name
    with folder.create(part) as file:
        if not download(url, file, name=name, **limits, progress=job.progress):
            if source.sha256 or name not in OPTIONAL:
                raise AslibError("the server does not have it (404)", shown, RETRY)
            return False
        size = file.tell()
    seen = _hash(folder, part)
    if source.sha256 and seen != source.sha256:
        raise AslibError(f"expected SHA-256 {source.sha256}, got {seen} ({size} bytes)", shown, RETRY)
    return True


def _hash(folder: Folder, name: str) -> str | None:
    """The SHA-256 of a file in a folder, None where there is no such file."""
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
        what = f"is there already and is not what would be fetched ({other[0]})"
        raise AslibError(what, str(folder), "Move it away, or fetch into another folder")


def _accounted(source: RegistryFile, expected: Mapping[str, object], recorded: str) -> bool:
    if source.archive:
        return f"# {source.path} {source.sha256 or ''}" in recorded
    return source.path in expected or Path(source.path).name in OPTIONAL


def _sha256(path: Path) -> str | None:
    """The file's SHA-256, None where there is no such file."""
    with suppress(OSError), open_plain(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return None


class _DownloadBar:
    """What pooch asks of a progress bar; ``total`` in bytes."""

    def __init__(self, bars: Any, task: Any) -> None:
        self.bars = bars
        self.task = task
        self.total = 0

    def update(self, amount: int) -> None:
        """Move on by so many bytes."""
        self.bars.update(self.task, advance=amount, total=self.total or None)

    def reset(self) -> None:
        """Begin anew."""
        self.bars.reset(self.task)

    def close(self) -> None:
        """Take the bar away."""
        self.bars.remove_task(self.task)


@contextmanager
def _download_bar(name: str, *, shown: bool) -> Iterator[_DownloadBar | None]:
    """Draw a bar of the bytes of one file; None if it is not to be shown."""
    if not shown:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress

    columns = ("{task.description}", BarColumn(), DownloadColumn())
    with no_clock(), Progress(*columns, console=stderr_console(), transient=True) as bars:
        yield _DownloadBar(bars, bars.add_task(name, total=None))
