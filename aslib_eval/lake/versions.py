"""What is current, and how to hold it while others replace it."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import math
import os
import random
import re
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, unquote

from aslib_eval.errors import AslibError
from aslib_eval.lake import schema
from aslib_eval.lake.schema import RELATIONS

if TYPE_CHECKING:
    import pyarrow as pa

# Where a scenario lies in a lake, and which of its versions is current.

VERSIONS = ".versions"
PREFIX = "scenario_id="
CURRENT = "current"
MANIFEST = "manifest.json"
PART = "part-0.parquet"
# A folder is filled under the first name and gets the second when it is complete.
UNFINISHED = "new-"
WHOLE = "v-"
_LONGEST = 200
REPAIR = "Run 'aslib-eval lake repair' on it; nothing is lost by that."


def partition(scenario_id: str) -> str:
    """The Hive partition folder of a scenario, safe as a file name.

    Raises:
        AslibError: when the id is too long for one, or is no Unicode text.
    """
    try:
        name = PREFIX + quote(scenario_id, safe="")
    except UnicodeEncodeError:
        what = f"the scenario_id {scenario_id!a} is no Unicode text"
        raise AslibError(what, None, "Give it another one.") from None
    if len(name) > _LONGEST:
        what = f"the scenario_id of {len(scenario_id)} characters is too long"
        raise AslibError(what, None, "Shorten it to 180 plain characters.")
    return name


def _code(scenario_id: str) -> str:
    """The partition folder with every letter as its code: no two ids differ in case."""
    return PREFIX + "".join(f"%{byte:02X}" for byte in scenario_id.encode())


def _escaped(scenario_id: str) -> str:
    code = _code(scenario_id)
    if len(code) > _LONGEST:
        what = f"the scenario_id {scenario_id!r} differs only in case from another one"
        raise AslibError(what, None, "Give it a name that differs in more.")
    return code


def home_of(lake: Path, scenario_id: str) -> Path:
    """The folder that holds a scenario's versions, or that a new one would get.

    It is named like the partition. If another scenario's name differs from that in
    nothing but case, which some file systems ignore, every letter is escaped.
    """
    return _home_among(frozenset(_listed(lake / VERSIONS)), lake, scenario_id)


def _home_among(names: frozenset[str], lake: Path, scenario_id: str) -> Path:
    plain = partition(scenario_id)
    if plain in names:
        return lake / VERSIONS / plain
    taken = plain.casefold() in {name.casefold() for name in names}
    if taken or _code(scenario_id) in names:
        return lake / VERSIONS / _escaped(scenario_id)
    return lake / VERSIONS / plain


def scenario_of(name: str) -> str | None:
    """The scenario whose home has this name; None if it is no home's name."""
    if not name.startswith(PREFIX):
        return None
    with suppress(UnicodeDecodeError, AslibError):
        found = unquote(name.removeprefix(PREFIX), errors="strict")
        if found and name in (partition(found), _code(found)):
            return found
    return None


def homes(lake: Path) -> list[tuple[str, Path]]:
    """Every scenario and the folder of its versions, by scenario."""
    names = _listed(lake / VERSIONS)
    found = [(scenario_of(name), lake / VERSIONS / name) for name in names]
    return sorted((known, home) for known, home in found if known and home.is_dir())


def versions_in(home: Path, prefix: str = WHOLE) -> list[Path]:
    """The folders of versions in a scenario's home."""
    found = [home / name for name in _listed(home) if name.startswith(prefix)]
    return sorted(p for p in found if p.is_dir() and not p.is_symlink())


def current(home: Path) -> Path | None:
    """The folder of the current version below a scenario's home, None without one.

    Raises:
        AslibError: when there are versions, but not the link that says which of them is
            current: somebody copied the lake without its symbolic links.
    """
    while True:
        target = _target(home)
        if target is not None and (home / target).is_dir():
            return home / target
        lost = versions_in(home)
        if _target(home) != target or (target and (home / target).is_dir()):
            continue  # replaced in between: look again
        if target is not None and lost:
            what = f"its current version {target} is gone, but others are there"
            raise AslibError(what, str(home), REPAIR)
        if lost:
            what = "it holds versions, but no link that says which one is current"
            raise AslibError(what, str(home), REPAIR)
        return None


def _target(home: Path) -> str | None:
    """What the link ``current`` leads to; None if there is nothing."""
    link = home / CURRENT
    try:
        target = os.readlink(link)  # noqa: PTH115 - a name, whatever it holds
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        what = f"{CURRENT!r} is no symbolic link; the lake was copied without them"
        raise AslibError(what, str(home), REPAIR) from None
    if not target.startswith(WHOLE) or "/" in target or (home / target).is_symlink():
        what = f"{CURRENT!r} leads to {target!r}, which is no version of it"
        raise AslibError(what, str(home), REPAIR)
    return target


def links(
    lake: Path, home: Path, relations: Iterable[str]
) -> Iterator[tuple[Path, str]]:
    """Every link through which plain readers find a scenario, and where it leads."""
    inside = f"{VERSIONS}/{home.name}/{CURRENT}"
    for relation in sorted(relations):
        yield lake / relation / home.name, f"../{inside}/{relation}"
    name = home.name.removeprefix(PREFIX)
    yield lake / f"{name}.json", f"{inside}/{MANIFEST}"


def is_link(link: Path, target: str) -> bool:
    """Whether a path is a symbolic link with this very target."""
    try:
        return os.readlink(link) == target  # noqa: PTH115 - as text
    except OSError:
        return False


def stray_links(lake: Path) -> Iterator[tuple[Path, str]]:
    """Links of plain readers that lead to nothing, and the home that they are of."""
    for relation in RELATIONS:
        for name in _listed(lake / relation):
            home = lake / VERSIONS / name
            for link, target in links(lake, home, [relation]):
                if link.parent != lake and is_link(link, target) and not link.exists():
                    yield link, name
    for file in _listed(lake):
        name = PREFIX + file.removesuffix(".json")
        for link, target in links(lake, lake / VERSIONS / name, ()):
            if link.name == file and is_link(link, target) and not link.exists():
                yield link, name


def _listed(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
    except (FileNotFoundError, NotADirectoryError):
        return []


# The manifest of a version: sealed with a hash of its own, and refused if damaged.

Manifest = dict[str, Any]
SEAL = "manifest_sha256"
_HINT = "Import the scenario again; 'aslib-eval check --lake' lists what is damaged."
_UNSEALED = 1  # manifests of this format had no seal


class LaterFormatError(AslibError):
    """A later version of aslib-eval has written it: this one would misread it."""


def seal(manifest: Manifest) -> bytes:
    """The text of a manifest, with the hash over all the rest of it."""
    whole = {key: value for key, value in manifest.items() if key != SEAL}
    whole[SEAL] = hashlib.sha256(_text(whole)).hexdigest()
    return _text(whole)


def unseal(content: bytes, scenario_id: str, file: Path) -> Manifest:
    """The manifest that a file holds.

    Raises:
        AslibError: when the file was cut or changed, or is of another scenario.
        LaterFormatError: when a later version of aslib-eval has written it.
    """
    try:
        found: Manifest = json.loads(content.decode())
        given = found.get(SEAL)
        if isinstance(given, str):
            whole = _is_sealed(content, found, given)
        else:
            whole = found["format"] == _UNSEALED
        whole = whole and found["scenario_id"] == scenario_id
        whole = whole and all(
            _is_relation(*each) for each in found["relations"].items()
        )
        later = whole and found.get("format", 0) > schema.FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = later = False
    if later:
        what = f"the manifest of {scenario_id} is of a later version of aslib-eval"
        raise LaterFormatError(what, str(file), "Update aslib-eval.")
    if not whole:
        what = f"the manifest of {scenario_id} is damaged"
        raise AslibError(what, str(file), _HINT)
    return found


def _is_relation(name: Any, facts: Any) -> bool:
    return (
        name.isidentifier()
        and isinstance(facts["rows"], int)
        and isinstance(facts["bytes"], int)
        and isinstance(facts["sha256"], str)
    )


def _is_sealed(content: bytes, found: Manifest, given: str) -> bool:
    """Whether a manifest without its seal has the hash that the seal gives.

    The file without the line of the seal is the text that was hashed; it is made anew
    only where that fails, as for a file that was indented in another way.
    """
    before, _, after = content.partition(f' "{SEAL}": "{given}",\n'.encode())
    if hashlib.sha256(before + after).hexdigest() == given:
        return True
    rest = {key: value for key, value in found.items() if key != SEAL}
    return hashlib.sha256(_text(rest)).hexdigest() == given


def _text(manifest: Manifest) -> bytes:
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


# The locks of a lake: on generations, on a scenario's home, and on the links.

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
    descriptor = os.open(path, os.O_RDONLY)
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
    descriptor = os.open(path, os.O_RDONLY)
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
    descriptor = os.open(lake / VERSIONS, os.O_RDONLY)
    try:
        _exclude(descriptor, lake)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def sole_writer(lake: Path, scenario_id: str) -> Iterator[Path]:
    """Be the only writer of the scenario; gives the folder of its versions.

    Never ask for it while holding ``locked``.

    Raises:
        AslibError: when somebody else holds it longer than ``timeout`` says.
    """
    while True:
        with locked(lake):
            home = home_of(lake, scenario_id)
            home.mkdir(exist_ok=True)
            descriptor = os.open(home, os.O_RDONLY)
        try:
            _exclude(descriptor, home)
            if _is_at(descriptor, home):  # else removed while we waited
                yield home
                return
        finally:
            os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def timeout() -> float:
    """How long to wait for a lock, in seconds: $ASLIB_LOCK_TIMEOUT, 60 without it.

    Raises:
        AslibError: when that is no number of seconds.
    """
    given = os.environ.get(TIMEOUT) or str(_USUAL)
    with suppress(ValueError):
        if (seconds := float(given)) >= 0 and not math.isnan(seconds):
            return seconds
    what = f"{given!r} is no number of seconds"
    raise AslibError(what, TIMEOUT, f"Try {TIMEOUT}={_USUAL:g}.")


def _exclude(descriptor: int, path: Path) -> None:
    """An exclusive lock.

    Raises:
        AslibError: also where the file system has none.
    """
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


# Who reads holds one lock, however many scenarios: that of the newest generation.

GENERATIONS = ".generations"
_GENERATION = re.compile(r"g-(0|[1-9][0-9]*)")


def _generations(lake: Path) -> list[Path]:
    """The folders whose locks readers hold, by age; the first is the lake itself."""
    folder = lake / VERSIONS / GENERATIONS
    found = filter(None, map(_GENERATION.fullmatch, _listed(folder)))
    numbers = sorted(int(each[1]) for each in found)
    return [lake, *(folder / f"g-{number}" for number in numbers)]


def is_behind(lake: Path) -> bool:
    """Whether replaced versions may have been left for somebody who read them."""
    _, *begun = _generations(lake)
    return len(begun) > 1


def unread(lake: Path) -> bool:
    """Whether nobody reads what was current before the newest generation."""
    return all(map(unheld, _generations(lake)[:-1]))


@contextmanager
def new_generation(lake: Path) -> Iterator[bool]:
    """Whether versions that are not current can be removed; then forget who read them.

    Whoever reads holds the generation that was the newest before they looked at what
    is current. So if all generations but one that began after the last switch are free,
    nobody reads a version that is not current. Only under ``locked``.
    """
    *older, newest = _generations(lake)
    if not all(map(unheld, older)):
        yield False
        return
    number = 0 if newest == lake else int(newest.name.removeprefix("g-")) + 1
    folder = lake / VERSIONS / GENERATIONS
    folder.mkdir(exist_ok=True)
    (folder / f"g-{number}").mkdir()
    free = unheld(newest)
    yield free
    for each in (*older, newest) if free else ():
        if each != lake:
            with suppress(OSError):
                each.rmdir()


@dataclass(frozen=True)
class Lease:
    """What is current in a lake while it is held: it stays on disk until released.

    versions: those that whoever took the lease has chosen. lock: None without a lake.
    names: of the homes of its scenarios.
    """

    lake: Path
    lock: int | None
    names: frozenset[str] = field(default=frozenset(), repr=False)
    versions: tuple[Version, ...] = ()

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
        """The current version of a scenario; None if there is none.

        Raises:
            AslibError: when it has lost the link that says which version is current, or
                cannot be read.
        """
        with _reading(self.lake):
            home = _home_among(self.names, self.lake, scenario_id)
            return current_version(home, scenario_id)


def lease(lake: Path) -> Lease:
    """Hold all that is current in a lake, by one lock and one open file.

    Raises:
        AslibError: when it cannot be read.
    """
    with _reading(lake):
        while True:
            newest = _generations(lake)[-1]
            with ExitStack() as stack:
                try:
                    lock = hold(newest)
                except FileNotFoundError:
                    if newest == lake:
                        return Lease(lake, None)
                    continue  # removed in between: look again
                stack.callback(os.close, lock)
                if _generations(lake)[-1] == newest:
                    names = frozenset(_listed(lake / VERSIONS))
                    stack.pop_all()
                    return Lease(lake, lock, names)


@contextmanager
def leased(lake: Path, scenario_id: str) -> Iterator[Version | None]:
    """Hold the current version of a scenario for a while; None if there is none.

    Raises:
        AslibError: when it has lost the link that says which version is current, or
            cannot be read.
    """
    with lease(lake) as held:
        yield held.version(scenario_id)


@dataclass(frozen=True)
class Version:
    """A version of a scenario; whoever reads it holds a lease or is its only writer."""

    scenario_id: str
    path: Path

    def manifest(self) -> Manifest:
        """The version's manifest, which is read once.

        Raises:
            AslibError: when it is damaged.
        """
        return self._manifest

    @cached_property
    def _manifest(self) -> Manifest:
        file = self.path / MANIFEST
        try:
            content = file.read_bytes()
        except OSError as error:
            what = f"the manifest of {self.scenario_id}"
            raise _unreadable(what, error, file) from None
        return unseal(content, self.scenario_id, file)

    def file(self, relation: str) -> Path:
        """Where a relation lies in this version, if it has it."""
        return self.path / relation / PART

    def damages(self) -> Iterator[AslibError]:
        """What is wrong with each file, by its size and hash.

        Raises:
            AslibError: when the manifest itself is damaged.
        """
        for name, facts in self.manifest()["relations"].items():
            # Thousands of files: a Path would take as long as the reading.
            file = f"{self.path}/{name}/{PART}"
            try:
                with open(file, "rb") as opened:  # noqa: PTH123
                    content = opened.read()
            except OSError as error:
                yield _unreadable(f"{name} of {self.scenario_id}", error, file)
                continue
            what = f"{name} of {self.scenario_id} is damaged"
            if len(content) != facts["bytes"]:
                size = f"{len(content)} bytes where {facts['bytes']} were written"
                yield AslibError(f"{what}: {size}", file, _HINT)
            elif hashlib.sha256(content).hexdigest() != facts["sha256"]:
                what = f"{what}: its content is not what was written"
                yield AslibError(what, file, _HINT)

    def verify(self) -> Manifest:
        """Compare every file with its hash; gives the manifest.

        Raises:
            AslibError: for the first file that is damaged.
        """
        for damage in self.damages():
            raise damage
        return self.manifest()

    def table(self, relation: str, columns: list[str] | None = None) -> pa.Table | None:
        """A relation of this version, or some columns; None if there is none.

        Raises:
            AslibError: when its file is damaged.
        """
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
            return pq.ParquetFile(
                pa.BufferReader(content), page_checksum_verification=True
            ).read(columns=columns)
        except (OSError, pa.ArrowException) as error:
            what = f"{relation} of {self.scenario_id} cannot be read ({error})"
            raise AslibError(what, str(file), _CARRIED) from None

    def _hash(self, relation: str, content: bytes) -> str | None:
        """What the manifest records; if that is damaged, the file must do alone."""
        try:
            facts = self.manifest()["relations"].get(relation)
        except AslibError:
            return hashlib.sha256(content).hexdigest()
        return str(facts["sha256"]) if facts else None


def current_version(home: Path, scenario_id: str) -> Version | None:
    """The current version below a scenario's home; None if there is none.

    Raises:
        AslibError: when it has lost the link that says which version is current.
    """
    path = current(home)
    return None if path is None else Version(scenario_id, path)


def _unreadable(
    what: str, error: OSError, file: Path | str, hint: str = _HINT
) -> AslibError:
    return AslibError(f"{what} cannot be read ({error.strerror})", str(file), hint)


@contextmanager
def _reading(lake: Path) -> Iterator[None]:
    """What cannot be read is an AslibError that names it."""
    try:
        yield
    except OSError as error:
        hint = "Check the disk, and who may read it."
        where = Path(error.filename or lake)
        raise _unreadable("the lake", error, where, hint) from None


_CARRIED = "Import the scenario with --forget, and then what it held beside again."


def scenario_ids(lake: Path) -> list[str]:
    """Scenarios that the lake holds, by name; also those that are damaged.

    Raises:
        AslibError: when the lake cannot be read.
    """
    with _reading(lake):
        return [
            scenario_id
            for scenario_id, home in homes(lake)
            if os.path.lexists(home / CURRENT) or versions_in(home)
        ]


def manifest(lake: Path, scenario_id: str) -> Manifest | None:
    """The manifest of a scenario that is complete; None if there is none or it is not.

    Complete means: every file is there as it was written, byte for byte, and plain
    readers find it.

    Raises:
        AslibError: when it has lost the link that says which version is current.
        LaterFormatError: when a later version of aslib-eval has written it.
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
        wanted = links(lake, held.path.parent, found["relations"])
        return found if all(is_link(*link) for link in wanted) else None


# Files of a version, on disk before anything points to them.


def write_table(folder: Path, table: pa.Table) -> Manifest:
    """A relation into a new folder, not yet synced; gives rows, bytes and SHA-256."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    text = [f.name for f in table.schema if pa.types.is_dictionary(f.type)]
    # A scenario is read whole: the partition is the index, not statistics.
    pq.write_table(
        table,
        sink,
        compression="zstd",
        use_dictionary=text,
        write_statistics=False,
        write_page_checksum=True,
    )
    content = sink.getvalue()
    folder.mkdir()
    (folder / PART).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


def take_over(base: Version, version: Path, names: Iterable[str]) -> None:
    """The same files under the new version: linked, or copied where links are not."""
    for name in names:
        folder = version / name
        folder.mkdir()
        try:
            os.link(base.file(name), folder / PART)
        except OSError:
            (folder / PART).write_bytes(base.file(name).read_bytes())


_SYNCED_AT_ONCE = 8


def store(path: Path, content: bytes | pa.Buffer) -> None:
    """A file with its content, synced."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Let a file, or the names in a folder, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(paths: Iterable[Path]) -> None:
    """Sync files and folders at once: the disk takes them together, in a few writes.

    Raises:
        OSError: when one cannot be synced.
    """
    for _ in _syncing().map(sync, paths):
        pass


@cache
def _syncing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_SYNCED_AT_ONCE, "sync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # threads stay behind
