"""What is current, and how to hold it while others replace it."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import math
import os
import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.errors import AslibError
from aslib_eval.lake import schema
from aslib_eval.lake.schema import RELATIONS

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
    plain = partition(scenario_id)
    names = _listed(lake / VERSIONS)
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


def seal(manifest: Manifest) -> bytes:
    """The text of a manifest, with the hash over all the rest of it."""
    whole = {key: value for key, value in manifest.items() if key != SEAL}
    whole[SEAL] = _hash(whole)
    return _text(whole)


def unseal(content: bytes, scenario_id: str, file: Path) -> Manifest:
    """The manifest that a file holds.

    Raises:
        AslibError: when the file was cut or changed, is of another scenario, or was
            written by a later version of aslib-eval.
    """
    try:
        found: Manifest = json.loads(content.decode())
        given = found.get(SEAL)
        if isinstance(given, str):
            whole = _hash({k: v for k, v in found.items() if k != SEAL}) == given
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
        raise AslibError(what, str(file), "Update aslib-eval.")
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


def _hash(manifest: Manifest) -> str:
    return hashlib.sha256(_text(manifest)).hexdigest()


def _text(manifest: Manifest) -> bytes:
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


# The locks of a lake: on a version, on a scenario's home, and on the links.

TIMEOUT = "ASLIB_LOCK_TIMEOUT"
_USUAL = 60.0  # seconds
_PAUSE = 0.005
# What a file system says that has no locks.
_UNKNOWN = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


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


_TOO_MANY = (errno.EMFILE, errno.ENFILE)  # open files


class TooManyFilesError(AslibError):
    """The process may not open as many files as this needs; the lake is well."""


@dataclass(frozen=True)
class Lease:
    """A version that stays on disk until the lease is released."""

    scenario_id: str
    path: Path
    lock: int

    def release(self) -> None:
        """Let go; a replaced version may then be removed by the next writer."""
        with suppress(OSError):
            os.close(self.lock)

    def manifest(self) -> Manifest:
        """The version's manifest.

        Raises:
            AslibError: when it is damaged.
        """
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
            file = self.file(name)
            try:
                with file.open("rb") as opened:
                    size = os.fstat(opened.fileno()).st_size
                    digest = hashlib.file_digest(opened, "sha256").hexdigest()
            except OSError as error:
                yield _unreadable(f"{name} of {self.scenario_id}", error, file)
                continue
            if size != facts["bytes"]:
                what = f"{name} of {self.scenario_id} is damaged"
                what = f"{what}: {size} bytes where {facts['bytes']} were written"
                yield AslibError(what, str(file), _HINT)
            elif digest != facts["sha256"]:
                what = f"{name} of {self.scenario_id} is damaged"
                what = f"{what}: its content is not what was written"
                yield AslibError(what, str(file), _HINT)

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


def _unreadable(what: str, error: OSError, file: Path, hint: str = _HINT) -> AslibError:
    if error.errno in _TOO_MANY:
        what = f"needs more open files than are allowed ({error.strerror})"
        hint = "Allow more with 'ulimit -n 4096', or ask for fewer with --scenario."
        return TooManyFilesError(what, str(file), hint)
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


def lease(lake: Path, scenario_id: str) -> Lease | None:
    """Hold the current version of a scenario; None if there is none.

    Raises:
        AslibError: when it has lost the link that says which version is current, or
            cannot be read.
    """
    with _reading(lake):
        home = home_of(lake, scenario_id)
        while True:
            target = current(home)
            if target is None:
                return None
            try:
                lock = hold(target)
            except FileNotFoundError:
                continue  # replaced or removed in between: look again
            try:
                if current(home) == target:
                    kept, lock = lock, -1
                    return Lease(scenario_id, target, kept)
            finally:
                if lock >= 0:
                    os.close(lock)


@contextmanager
def leased(lake: Path, scenario_id: str) -> Iterator[Lease | None]:
    """Hold the current version of a scenario for a while."""
    held = lease(lake, scenario_id)
    try:
        yield held
    finally:
        if held is not None:
            held.release()


def manifest(lake: Path, scenario_id: str) -> Manifest | None:
    """The manifest of a scenario that is complete; None if there is none or it is not.

    Complete means: every file is there as it was written, byte for byte, and plain
    readers find it.

    Raises:
        AslibError: when it has lost the link that says which version is current.
    """
    with leased(lake, scenario_id) as held:
        if held is None:
            return None
        try:
            found = held.verify()
        except AslibError:
            return None
        wanted = links(lake, held.path.parent, found["relations"])
        return found if all(is_link(*link) for link in wanted) else None


# Files of a version, on disk before anything points to them.


def write_table(folder: Path, table: pa.Table) -> Manifest:
    """A relation into a new folder; gives its rows, bytes and SHA-256."""
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
    store(folder / PART, content)
    sync(folder)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


def take_over(base: Lease, version: Path, names: Iterable[str]) -> None:
    """The same files under the new version: linked, or copied where links are not."""
    for name in names:
        folder = version / name
        folder.mkdir()
        try:
            os.link(base.file(name), folder / PART)
        except OSError:
            store(folder / PART, base.file(name).read_bytes())
        sync(folder)


def store(path: Path, content: bytes | pa.Buffer) -> None:
    """A file with its content, synced."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Let the names in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
