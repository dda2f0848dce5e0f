"""Download scenarios of the public ASlib repository, pinned to one commit.

What is fetched is what was pinned: every file is checked against the SHA-256 in a
registry, and a scenario's folder appears whole or not at all. Files already there
with the right hash are not fetched again.
"""

from __future__ import annotations

import difflib
import fcntl
import fnmatch
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from aslib_eval.download import (
    MAX_BYTES,
    MAX_SECONDS,
    RETRY,
    download,
    without_password,
)
from aslib_eval.errors import AslibError
from aslib_eval.extras import require_extra
from aslib_eval.readers.archive import unpack
from aslib_eval.registry import REGISTRY, Source, read_registry

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
        """Where from, as it may be told to others."""
        return without_password(self.base)


def fetch(
    names: Sequence[str],
    *,
    to: str | Path,
    mirror: str | None = None,
    registry: str | Path = REGISTRY,
    unverified: bool = False,
    max_mib: float = MAX_BYTES / 2**20,
    max_seconds: float = MAX_SECONDS,
    progress: bool = False,
) -> list[Path]:
    """Download scenarios into the folder ``to``; returns one folder a scenario.

    ``names`` are scenario names, globs, or ``all``; one may be a text. ``mirror``
    (default: the environment's ``ASLIB_MIRROR``, else the public repository) serves
    the paths of the ``registry``. A scenario with a file of unknown hash is fetched
    only with ``unverified``; what was seen stands in its ``.fetched.txt``, in registry
    format. No file may have more than ``max_mib`` MiB, and all together may take
    ``max_seconds``. A password in the mirror's address is neither shown nor kept.
    ``progress`` shows a bar, on a terminal only.

    Raises:
        AslibError: an unknown name, no known hash, a download that failed or was
            short, wrong, late or large, an unsafe archive, another folder in the way,
            or no extra `fetch`. Scenarios fetched before it stay; of the one that
            failed, only checked files are kept for next time.

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
        raise AslibError(f"cannot be written ({error})", str(to)) from error


def _select(names: Sequence[str], known: Mapping[str, object]) -> list[str]:
    """The registry's scenarios that ``names`` mean, each once, in that order."""
    wanted: dict[str, None] = {}
    for name in [names] if isinstance(names, str) else names:
        found = fnmatch.filter(known, "*" if name == "all" else name)
        if not found:
            close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            hint = f"Did you mean {' or '.join(close)}?" if close else None
            raise AslibError("is no scenario of the registry", name, hint)
        wanted.update(dict.fromkeys(found))
    return list(wanted)


def _refuse_unverified(wanted: Mapping[str, Sequence[Source]]) -> None:
    lacking = [
        f"{name} ({sum(s.sha256 is None for s in sources)} of {len(sources)} files)"
        for name, sources in wanted.items()
        if any(s.sha256 is None for s in sources)
    ]
    if lacking:
        what = f"no SHA-256 is known for {', '.join(lacking)}"
        hint = "Pass --unverified to take what the server gives, and record its hashes"
        raise AslibError(what, hint=hint)


def _fetch_scenario(name: str, sources: Sequence[Source], to: Path, job: _Job) -> Path:
    folder = to / name
    with _alone(to / f".fetch-{name}") as staging:
        if folder.exists():
            _refuse_other(folder, sources)
        else:
            _collect(name, sources, staging, job).rename(folder)
        shutil.rmtree(staging)
    return folder


@contextmanager
def _alone(staging: Path) -> Iterator[Path]:
    """Hold the hidden folder where a scenario's parts wait; one fetch at a time."""
    lock = _lock(staging)
    try:
        yield staging
    finally:
        if staging.exists() and not any(p.is_file() for p in staging.rglob("*")):
            shutil.rmtree(staging)
        os.close(lock)


def _lock(staging: Path) -> int:
    staging.mkdir(exist_ok=True)
    lock = os.open(staging, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = os.path.samestat(os.fstat(lock), staging.stat())
    except (BlockingIOError, FileNotFoundError):
        free = False
    if not free:
        os.close(lock)
        what = "is held by another fetch of the same scenario"
        raise AslibError(what, str(staging), "Wait for it, then try again")
    return lock


def _collect(name: str, sources: Sequence[Source], staging: Path, job: _Job) -> Path:
    """Get what is missing; the folder that is to become the scenario's."""
    _drop_strays(staging, {source.path for source in sources})
    for source in sources:
        _ensure(source, staging / source.path, job)
    comments = [f"# from {job.shown}"]
    folder = staging / name
    if sources[0].archive:
        archive = staging / sources[0].path
        comments.append(f"# {archive.name} {_sha256(archive)}")
        folder = _unpacked(archive, staging / ".unpacked")
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != RECORD)
    lines = (f"{name}/{p.relative_to(folder).as_posix()} {_sha256(p)}" for p in files)
    (folder / RECORD).write_text("\n".join([*comments, *lines, ""]), encoding="utf-8")
    return folder


def _drop_strays(staging: Path, paths: set[str]) -> None:
    """What an earlier fetch left here, by another registry or cut off in the middle."""
    for file in [p for p in staging.rglob("*") if p.is_file()]:
        if file.relative_to(staging).as_posix() not in paths:
            file.unlink()


def _unpacked(archive: Path, into: Path) -> Path:
    """Unpack afresh; an archive that is refused is not kept for another try."""
    shutil.rmtree(into, ignore_errors=True)
    try:
        return unpack(archive, into)
    except AslibError:
        archive.unlink()
        raise


def _ensure(source: Source, target: Path, job: _Job) -> None:
    """Have the checked file at ``target``; only an optional one may be missing."""
    if source.sha256 and _sha256(target) == source.sha256:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    url = f"{job.base}/{quote(source.path)}"
    shown = f"{job.shown}/{quote(source.path)}"
    part = target.with_name(f"{target.name}.part")
    try:
        left = job.deadline - time.monotonic()
        limits = {"max_bytes": job.max_bytes, "max_seconds": max(left, 0.0)}
        if not download(url, part, **limits, progress=job.progress):
            if source.sha256 or target.name not in OPTIONAL:
                raise AslibError("the server does not have it (404)", shown, RETRY)
            return
        seen, size = _sha256(part), part.stat().st_size
        if source.sha256 and seen != source.sha256:
            what = f"expected SHA-256 {source.sha256}, got {seen} ({size} bytes)"
            raise AslibError(what, shown, RETRY)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _refuse_other(folder: Path, sources: Sequence[Source]) -> None:
    """Raise unless ``folder`` holds what the registry, or else its record, says."""
    record = folder / RECORD
    noted = record.read_text(encoding="utf-8") if record.is_file() else ""
    known = read_registry(record).get(folder.name, ()) if noted else ()
    expected = {s.path: s.sha256 for s in known}
    expected |= {s.path: s.sha256 for s in sources if s.sha256 and not s.archive}
    other = [
        path for path in expected if _sha256(folder.parent / path) != expected[path]
    ]
    other += [s.path for s in sources if not _accounted(s, expected, noted)]
    if other:
        what = f"is there already and is not what would be fetched ({other[0]})"
        hint = "Move it away, or fetch into another folder"
        raise AslibError(what, str(folder), hint)


def _accounted(source: Source, expected: Mapping[str, object], noted: str) -> bool:
    if source.archive:
        return f"# {source.path} {source.sha256 or ''}" in noted
    return source.path in expected or Path(source.path).name in OPTIONAL


def _sha256(path: Path) -> str | None:
    """The file's SHA-256, None where there is no such file."""
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
