"""The current versions of a lake: their manifests, their locks, and the results that are built of them."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import math
import os
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from aslib_eval.errors import AslibError
from aslib_eval.lake import schema
from aslib_eval.paths import Folder, cache_folder, plain_descriptor

if TYPE_CHECKING:
    import pyarrow as pa

TIMEOUT = "ASLIB_LOCK_TIMEOUT"
_USUAL = 60.0  # seconds
_PAUSE = 0.005
# What a file system says that has no locks.
_UNKNOWN = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
_UNKNOWN |= {errno.EBADF}  # NFS has none for a folder opened for reading


def hold(path: Path) -> int:
    """A shared lock on a folder, as a file descriptor to close.

    On a file system without locks nobody can write the lake: no lock is needed.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _acquire(descriptor, fcntl.LOCK_SH, path)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            os.close(descriptor)
            raise
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def unheld(path: Path) -> bool:
    """Whether no process holds a lock on a folder."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def locked(lake: Path) -> Iterator[None]:
    """One writer at a time turns links and removes versions."""
    with Folder.inside(lake, lake / schema.VERSIONS) as versions:
        _exclude(versions.descriptor, lake)
        yield


@contextmanager
def sole_writer(lake: Path, scenario_id: str) -> Iterator[Folder]:
    """Be the only writer of the scenario; gives the folder of its versions.

    Never ask for it while holding ``locked``.
    """
    while True:
        with locked(lake):
            at = schema.home_of(lake, scenario_id)
            home = Folder.inside(lake, at, make=True)
        with home:
            _exclude(home.descriptor, at)
            if _is_at(home.descriptor, at):  # else removed while we waited
                yield home
                return


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def timeout() -> float:
    """How long to wait for a lock, in seconds: $ASLIB_LOCK_TIMEOUT, 60 without it."""
    given = os.environ.get(TIMEOUT) or str(_USUAL)
    with suppress(ValueError):
        if (seconds := float(given)) >= 0 and not math.isnan(seconds):
            return seconds
    raise AslibError(f"{given!r} is no number of seconds", TIMEOUT, f"Try {TIMEOUT}={_USUAL:g}.")


def _exclude(descriptor: int, path: Path) -> None:
    try:
        _acquire(descriptor, fcntl.LOCK_EX, path)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
        what = f"its file system has no locks ({error.strerror})"
        hint = "Put the lake on a local disk; it can still be read here."
        raise AslibError(what, str(path), hint) from None


def _acquire(descriptor: int, kind: int, path: Path) -> None:
    """Wait for a lock, but not for ever."""
    seconds = timeout()
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                break
            # Not in step with others who wait.
            time.sleep(random.uniform(_PAUSE, 4 * _PAUSE))  # noqa: S311
        else:
            return
    who = holder(descriptor) or "another process"
    what = f"is locked by {who}, also after {seconds:g} s"
    hint = f"Wait until it is done, or end it; {TIMEOUT} sets how many seconds to wait."
    raise AslibError(what, str(path), hint)


def holder(descriptor: int) -> str | None:
    """The process that holds a lock on an open file, None where the system is silent.

    Source: proc(5), /proc/locks.
    """
    inode = os.fstat(descriptor).st_ino
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] != "FLOCK" or int(words[5].rpartition(":")[2]) != inode:
                continue  # somebody who waits has "->" in the second place
            process = int(words[4])
            if process == os.getpid():
                return "this process"
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            shown = command.replace(b"\0", b" ").decode(errors="replace").strip()
            return f"process {process} ({shown})"
    return None


P = ParamSpec("P")
R = TypeVar("R")

# The manifest of a version: sealed with a hash of its own, and refused if damaged.

Manifest = dict[str, Any]
SEAL = "manifest_sha256"
# Entries on how a lake keeps a scenario, not on what that is.
_STORAGE = frozenset({"relations", "importer", "format", SEAL})
_HINT = "Import the scenario again; 'aslib-eval check --lake' lists what is damaged."
_LARGEST = 1 << 28  # bytes of a manifest


class LaterFormatError(AslibError):
    """A later version of aslib-eval has written it: this one would misread it."""


def content_of(manifest: Manifest) -> Manifest:
    """What a manifest says of the scenario, not of how the lake keeps it."""
    return {key: said for key, said in manifest.items() if key not in _STORAGE}


def seal(manifest: Manifest) -> bytes:
    """The text of a manifest, with the hash over all the rest of it."""
    whole = {key: value for key, value in manifest.items() if key != SEAL}
    whole[SEAL] = hashlib.sha256(_text(whole)).hexdigest()
    return _text(whole)


def unseal(content: bytes, scenario_id: str, file: Path) -> Manifest:
    """The manifest that a file holds."""
    try:
        found: Manifest = json.loads(content.decode())
        # The file without the line of the seal is the text that was hashed.
        before, _, after = content.partition(f' "{SEAL}": "{found[SEAL]}",\n'.encode())
        sealed = hashlib.sha256(before + after).hexdigest() == found[SEAL]
        whole = sealed and found["scenario_id"] == scenario_id
        for name, facts in found["relations"].items():
            numbers = isinstance(facts["rows"], int) and isinstance(facts["bytes"], int)
            whole = whole and name.isidentifier() and numbers and isinstance(facts["sha256"], str)
        later = whole and found.get("format", 0) > schema.FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = later = False
    if later:
        what = f"the manifest of {scenario_id} is of a later version of aslib-eval"
        raise LaterFormatError(what, str(file), "Update aslib-eval.")
    if not whole:
        raise AslibError(f"the manifest of {scenario_id} is damaged", str(file), _HINT)
    return found


def _text(manifest: Manifest) -> bytes:
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


@dataclass(frozen=True)
class Lease:
    """What is current in a lake while it is held: it stays on disk until released.

    versions: those that whoever took the lease has chosen. lock: None without a lake. names: of the homes
    of its scenarios. pinned: whoever leases the lake meanwhile gets these versions, whatever is current,
    see ``pinned``.
    """

    lake: Path
    lock: int | None
    names: frozenset[str] = field(default=frozenset(), repr=False)
    versions: tuple[Version, ...] = ()
    pinned: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let go; replaced versions may then be removed by the next writer."""
        if self.lock is not None:
            with suppress(OSError):
                os.close(self.lock)

    def version(self, scenario_id: str) -> Version | None:
        """The current version of a scenario; None if there is none."""
        if self.pinned:
            return next((v for v in self.versions if v.scenario_id == scenario_id), None)
        with _reading(self.lake):
            return current_version(schema.home_among(self.names, self.lake, scenario_id), scenario_id)


def lease(lake: Path) -> Lease:
    """Hold all that is current in a lake, by one lock and one open file."""
    if (held := _pinned(lake)) is not None:
        return held
    with _reading(lake):
        try:
            lock = hold(lake)
        except (FileNotFoundError, NotADirectoryError):
            return Lease(lake, None)
        with ExitStack() as stack:
            stack.callback(os.close, lock)
            held = Lease(lake, lock, frozenset(schema.names_in(lake / schema.VERSIONS)))
            stack.pop_all()
            return held


# What ``pinned`` holds in this thread.
_PINNED: ContextVar[Lease | None] = ContextVar("pinned", default=None)


@contextmanager
def pinned(held: Lease) -> Iterator[None]:
    """Meanwhile, in this thread, the lake is what ``held`` has, and is not written.

    Whoever releases what he gets of it lets go of nothing.
    """
    token = _PINNED.set(replace(held, lock=None, pinned=True))
    try:
        yield
    finally:
        _PINNED.reset(token)


def carrying(call: Callable[P, R]) -> Callable[P, R]:
    """A function that sees in another process what is ``pinned`` here."""
    held = _PINNED.get()
    return call if held is None else partial(_with_pinned, held, call)


def _with_pinned(held: Lease, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    with pinned(held):
        return call(*args, **kwargs)


def _pinned(lake: Path) -> Lease | None:
    held = _PINNED.get()
    return held if held is not None and held.lake == lake.absolute() else None


def require_unpinned(lake: Path) -> None:
    """Raise where a lake would be written through ``ae.open``, which sees no change."""
    if _pinned(lake) is not None:
        hint = "Give the name of its folder; what is open does not see the change."
        raise AslibError("an open lake is only read", str(lake), hint)


@contextmanager
def leased(lake: Path, scenario_id: str) -> Iterator[Version | None]:
    """Hold the current version of a scenario for a while; None if there is none."""
    with lease(lake) as held:
        yield held.version(scenario_id)


@dataclass(frozen=True)
class Version:
    """A version of a scenario; whoever reads it holds a lease or is its only writer."""

    scenario_id: str
    path: Path

    def manifest(self) -> Manifest:
        """The version's manifest, which is read once."""
        return self._manifest

    @cached_property
    def _manifest(self) -> Manifest:
        file = self.path / schema.MANIFEST
        try:
            with Folder.named(self.path) as version:
                content = version.read(schema.MANIFEST, most=_LARGEST)
        except OSError as error:
            raise _unreadable(f"the manifest of {self.scenario_id}", error, file) from None
        return unseal(content, self.scenario_id, file)

    def file(self, relation: str) -> Path:
        """Where a relation lies in this version, if it has it."""
        return self.path / relation / schema.PART

    def damages(self) -> Iterator[AslibError]:
        """What is wrong with each file, by its size and hash."""
        for name, facts in self.manifest()["relations"].items():
            # Thousands of files: a Path would take as long as the reading.
            file = f"{self.path}/{name}/{schema.PART}"
            try:
                with open(file, "rb", opener=plain_descriptor) as opened:
                    size = os.fstat(opened.fileno()).st_size
                    content = opened.read() if size == facts["bytes"] else b""
            except OSError as error:
                yield _unreadable(f"{name} of {self.scenario_id}", error, file)
                continue
            what = f"{name} of {self.scenario_id} is damaged"
            if size != facts["bytes"]:
                what += f": {size} bytes where {facts['bytes']} were written"
                yield AslibError(what, file, _HINT)
            elif hashlib.sha256(content).hexdigest() != facts["sha256"]:
                what = f"{what}: its content is not what was written"
                yield AslibError(what, file, _HINT)

    def verify(self) -> Manifest:
        """Compare every file with its hash; gives the manifest."""
        for damage in self.damages():
            raise damage
        return self.manifest()

    def table(self, relation: str, columns: list[str] | None = None) -> pa.Table | None:
        """A relation of this version, or some columns; None if there is none."""
        file = self.file(relation)
        if not file.is_file():
            return None
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            content = file.read_bytes()
            if hashlib.sha256(content).hexdigest() != self._hash(relation, content):
                what, hint = f"{relation} of {self.scenario_id} is damaged", _CARRIED
                raise AslibError(what, str(file), hint)
            return pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True).read(
                columns=columns
            )
        except (OSError, pa.ArrowException) as error:
            raise AslibError(
                f"{relation} of {self.scenario_id} cannot be read ({error})", str(file), _CARRIED
            ) from None

    def _hash(self, relation: str, content: bytes) -> str | None:
        """What the manifest records; if that is damaged, the file must do alone."""
        try:
            facts = self.manifest()["relations"].get(relation)
        except AslibError:
            return hashlib.sha256(content).hexdigest()
        return str(facts["sha256"]) if facts else None


def current_version(home: Path, scenario_id: str) -> Version | None:
    """The current version below a scenario's home; None if there is none."""
    path = schema.current(home)
    return None if path is None else Version(scenario_id, path)


def _unreadable(what: str, error: OSError, file: Path | str, hint: str = _HINT) -> AslibError:
    return AslibError(f"{what} cannot be read ({error.strerror})", str(file), hint)


@contextmanager
def _reading(lake: Path) -> Iterator[None]:
    """What cannot be read is an AslibError that names it."""
    try:
        yield
    except OSError as error:
        hint = "Check the disk, and who may read it."
        raise _unreadable("the lake", error, Path(error.filename or lake), hint) from None


_CARRIED = "Import the scenario with --forget, and then what it held beside again."


def scenario_ids(lake: Path) -> list[str]:
    """Scenarios that the lake holds, by name; also those that are damaged."""
    if (held := _pinned(lake)) is not None:
        return [version.scenario_id for version in held.versions]
    with _reading(lake):
        return [
            scenario_id
            for scenario_id, home in schema.homes(lake)
            if os.path.lexists(home / schema.CURRENT) or schema.versions_in(home)
        ]


def manifest(lake: Path, scenario_id: str) -> Manifest | None:
    """The manifest of a scenario that is complete; None if there is none or it is not.

    Complete means: every file is there as it was written, byte for byte, and plain readers find it.
    """
    with leased(lake, scenario_id) as held:
        if held is None:
            return None
        try:
            found = held.verify()
        except LaterFormatError:
            raise
        except AslibError:
            return None
        wanted = schema.links(lake, held.path.parent, found["relations"])
        return found if all(schema.is_link(*link) for link in wanted) else None


# Built results: relations of one scenario under one protocol, as Parquet files.
#
# A file is named after all that it was made from, so that it is never out of date, and after its own
# content, so that damage shows:
#
#     scenario_id=X/<data>-<choices>/<relation>.<sql>.<content>.parquet
#
# ``data`` is of the scenario with its selections, ``choices`` of the protocol, ``sql`` of the SELECT with
# all that it reads. The files lie in the folder ``.results`` of the lake, or in the user's cache folder if
# the lake cannot be written. Removing them loses nothing but the time to build them again.

RESULTS = ".results"
RESULTS_LIMIT = "ASLIB_RESULTS_LIMIT"
# Raised when files are written in another way, so that those there are not read.
_LAYOUT = 1
_ROOM = 1024  # MiB
_DIGITS = 16  # of a hash in a name
_DRAFT = ".new-"
_PARQUET = ".parquet"
_DAY = 86_400.0  # seconds
_DEPTH = 3  # folders of a unit below the lake
_LARGEST_RESULT = 1 << 32  # bytes


def digest(*parts: str | bytes) -> str:
    """The start of a SHA-256 over texts, as it stands in names."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(f"{len(content)}\n".encode() + content)
    return found.hexdigest()[:_DIGITS]


def data_of(manifest: Mapping[str, Any]) -> str:
    """What a version holds, as it stands in the names of its results."""
    hashes = {name: facts["sha256"] for name, facts in manifest["relations"].items()}
    return digest(json.dumps([_LAYOUT, schema.FORMAT, manifest["scenario_id"], hashes], sort_keys=True))


def result_folders(lake: Path) -> tuple[Path, ...]:
    """Where results of a lake may lie: the first is where new ones are written.

    SQL may read there, so a link in the lake to another folder is none of them.
    """
    inside, mine = lake / RESULTS, cache_folder() / "results"
    if inside.is_symlink():
        return (mine,)
    return (inside, mine) if os.access(lake, os.W_OK) else (mine, inside)


def unit_folder(root: Path, scenario_id: str, data: str, choices: str) -> Path:
    """The folder of the results of one version under one protocol."""
    return root / schema.partition(scenario_id) / f"{data}-{choices}"


def _opened(folder: Path, *, make: bool = False) -> Folder:
    """The folder of some results; the lake or the cache alone may be named by a link.

    Raises:
        OSError: when it is not there, or there is a link on the way.
    """
    names = folder.parts[-_DEPTH:]
    if len(names) < _DEPTH or not names[1].startswith(schema.PREFIX):
        names = ()
    anchor = folder.parents[_DEPTH - 1] if names else folder
    if make:
        anchor.mkdir(parents=True, exist_ok=True)
    with Folder.named(anchor) as outer:
        return outer.below(*names, make=make)


def whole_files(folder: Path, names: Collection[str], *, suffix: str = _PARQUET) -> dict[str, Path]:
    """Those of the names (``relation.sql``) that the folder has, and their files.

    Whatever is damaged, or no file, is removed where that is possible and never given.
    """
    found: dict[str, Path] = {}
    with suppress(OSError), _opened(folder) as inside:
        for file in inside.names():
            name, _, content = file.removesuffix(suffix).rpartition(".")
            if name in names and name not in found and file.endswith(suffix):
                with suppress(OSError):
                    if digest(inside.read(file, most=_LARGEST_RESULT)) == content:
                        found[name] = folder / file
                if name not in found:
                    with suppress(OSError):
                        inside.remove(file)
        if found:  # when it was last asked for
            os.utime(inside.descriptor)
    return found


def keep_file(folder: Path, name: str, content: bytes, *, suffix: str = _PARQUET) -> Path:
    """Write a file of that name; the same one written twice is there once.

    Raises:
        OSError: when it cannot be written.
    """
    kept = f"{name}.{digest(content)}{suffix}"
    with _opened(folder, make=True) as inside:
        if inside.is_folder(kept):
            inside.remove(kept)
        inside.replace(kept, content, prefix=_DRAFT, synced=False)
    return folder / kept


def forget_results(root: Path, scenario_id: str, data: str | None) -> None:
    """Remove the results of other versions of a scenario than the one of ``data``.

    Nobody may read those versions any more.
    """
    home = schema.partition(scenario_id)
    with suppress(OSError), Folder.named(root.parent) as outer:
        with outer.below(root.name) as top:
            with top.below(home) as units:
                for name in units.names():
                    if data is None or not name.startswith(f"{data}-"):
                        _remove_unit(units, name)
            top.rmdir(home)
        outer.rmdir(root.name)


def _remove_unit(units: Folder, name: str) -> None:
    """Remove the results and drafts in a folder, and then the folder."""
    with suppress(OSError):
        with units.below(name) as unit:
            for file in unit.names():
                if file.startswith(_DRAFT) or file.endswith(_PARQUET):
                    unit.remove(file)
        units.rmdir(name)


def results_limit() -> int:
    """How many bytes the results of a user's own protocols may take."""
    given = os.environ.get(RESULTS_LIMIT) or str(_ROOM)
    with suppress(ValueError):
        if (size := float(given)) >= 0:
            return int(min(size, 2.0**40) * 2**20)
    raise AslibError(f"{given!r} is no number of MiB", RESULTS_LIMIT, f"Try {RESULTS_LIMIT}={_ROOM}.")


def trim_results(root: Path, *, kept: Iterable[str], most: int) -> None:
    """Remove results that were not asked for longest, until the others fit.

    kept: choices of protocols whose results are not counted and stay. most: bytes of all others. What was
    asked for within a day stays in any case, as somebody may be reading it. Drafts that nobody writes any
    more go as well.
    """
    always = frozenset(kept)
    found: list[tuple[float, int, str, str]] = []
    with suppress(OSError), ExitStack() as stack:
        outer = stack.enter_context(Folder.named(root.parent))
        top = stack.enter_context(outer.below(root.name))
        for home in top.names():
            with suppress(OSError), top.below(home) as units:
                for name in units.names():
                    with suppress(OSError), units.below(name) as unit:
                        files = _drafts_removed(unit)
                        if name.rpartition("-")[2] not in always:
                            last = os.fstat(unit.descriptor).st_mtime
                            size = sum(file.st_size for file in files)
                            found.append((last, size, home, name))
        total = sum(size for _, size, *_ in found)
        for last, size, home, name in sorted(found):
            if total <= most or time.time() - last < _DAY:
                break
            with suppress(OSError), top.below(home) as units:
                _remove_unit(units, name)
            total -= size


def _drafts_removed(unit: Folder) -> list[os.stat_result]:
    """Facts of the files in a folder, without drafts that nobody writes any more."""
    found = []
    for name in unit.names():
        file = unit.stat(name)
        if file and name.startswith(_DRAFT) and time.time() - file.st_mtime > _DAY:
            unit.unlink(name)
        elif file:
            found.append(file)
    return found
