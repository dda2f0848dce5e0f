"""What is current, and how to hold it while others replace it."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.errors import AslibError
from aslib_eval.versions.locks import hold
from aslib_eval.versions.manifests import Manifest, unseal
from aslib_eval.versions.places import (
    CURRENT,
    MANIFEST,
    PART,
    current,
    home_of,
    homes,
    is_link,
    links,
    versions_in,
)

_TOO_MANY = (errno.EMFILE, errno.ENFILE)  # open files
_HINT = "Import the scenario again; 'aslib-eval check --lake' lists what is damaged."


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
        """The version's manifest. Raises AslibError if it is damaged."""
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
        """What is wrong with each file, held against its size and hash.

        Raises AslibError if the manifest itself is damaged.
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

        Raises AslibError for the first file that is damaged.
        """
        for damage in self.damages():
            raise damage
        return self.manifest()

    def table(self, relation: str, columns: list[str] | None = None) -> pa.Table | None:
        """A relation of this version, or some columns; None if there is none.

        Raises AslibError if its file is damaged.
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
        """What the manifest says; if that is damaged, the file must do alone."""
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

    Raises AslibError if the lake cannot be read.
    """
    with _reading(lake):
        return [
            scenario_id
            for scenario_id, home in homes(lake)
            if os.path.lexists(home / CURRENT) or versions_in(home)
        ]


def lease(lake: Path, scenario_id: str) -> Lease | None:
    """Hold the current version of a scenario; None if there is none.

    Raises AslibError if it has lost the link that says which version is current, or
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
    """The manifest of a scenario that is whole; None if there is none, or not whole.

    Whole means: every file is there as it was written, byte for byte, and plain
    readers find it.
    Raises AslibError if it has lost the link that says which version is current.
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
