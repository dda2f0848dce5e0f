"""How a scenario is replaced as a whole: versions, one symlink, and leases.

::

    lake/run/scenario_id=X        -> ../.versions/scenario_id=X/current/run
    lake/X.json                   -> .versions/scenario_id=X/current/manifest.json
    lake/.versions/scenario_id=X/current -> 4f1c….k2j3   (the only thing that moves)

A version is written and synced under a name of its own; renaming ``current`` then
turns every relation and the manifest at once. Whoever writes or reads a version
holds a shared lock on its folder; a version that is not current and that nobody
holds is garbage, whoever left it there, and the next writer removes it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.errors import AslibError

_LONGEST = 200
_PREFIX = "scenario_id="
_CURRENT = "current"
_MANIFEST = "manifest.json"
_VERSIONS = ".versions"
Manifest = dict[str, Any]


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
        """The version's manifest."""
        return _read_manifest(self.path)


def partition(scenario_id: str) -> str:
    """The Hive partition folder of a scenario, safe as a file name.

    Raises AslibError if the id is too long for one.
    """
    name = _PREFIX + quote(scenario_id, safe="")
    if len(name) > _LONGEST:
        what = f"the scenario_id of {len(scenario_id)} characters is too long"
        raise AslibError(what, None, "Shorten it to 180 plain characters.")
    return name


def scenario_ids(lake: Path) -> list[str]:
    """Scenarios that the lake holds, by name."""
    found = lake.glob(f"{_VERSIONS}/{_PREFIX}*/{_CURRENT}")
    return sorted(unquote(p.parent.name.removeprefix(_PREFIX)) for p in found)


def lease(lake: Path, scenario_id: str) -> Lease | None:
    """Hold the current version of a scenario; None if there is none."""
    home = lake / _VERSIONS / partition(scenario_id)
    while True:
        target = _current(home)
        if target is None:
            return None
        try:
            lock = _hold(target)
        except FileNotFoundError:
            if _current(home) == target:
                return None  # somebody removed it by hand
            continue  # replaced and removed in between: look again
        if _current(home) == target:
            return Lease(scenario_id, target, lock)
        os.close(lock)


def manifest(lake: Path, scenario_id: str) -> Manifest | None:
    """The current manifest of a scenario, None if there is none or files are gone.

    The files are looked for where a plain reader finds them.
    """
    held = lease(lake, scenario_id)
    if held is None:
        return None
    home = partition(scenario_id)
    try:
        found = held.manifest()
        (lake / f"{home.removeprefix(_PREFIX)}.json").stat()
        for name, facts in found["relations"].items():
            file = lake / name / home / "part-0.parquet"
            if file.stat().st_size != facts["bytes"]:
                return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        held.release()
    return found


def replace(
    lake: Path, scenario_id: str, tables: Mapping[str, pa.Table], facts: Manifest
) -> Manifest:
    """Make the tables the scenario's current version; all of them or none.

    Raises AslibError if the lake cannot be written; it is then as it was.
    """
    home = lake / _VERSIONS / partition(scenario_id)
    try:
        with _new_version(lake, home) as version:
            written = {n: _write(version / n, t) for n, t in sorted(tables.items())}
            whole = {**facts, "scenario_id": scenario_id, "relations": written}
            text = json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False)
            _store(version / _MANIFEST, text.encode() + b"\n")
            _sync(version)
            with _locked(lake):
                _commit(lake, home, version)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        hint = "Free some space or choose another --lake; nothing was changed."
        raise AslibError(what, str(lake), hint) from None
    return whole


def clean(lake: Path) -> None:
    """Remove what dead writers left. Raises AslibError if the lake is read-only."""
    if not (lake / _VERSIONS).is_dir():
        return
    try:
        with _locked(lake):
            for home in sorted((lake / _VERSIONS).glob(f"{_PREFIX}*")):
                _collect(lake, home)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        hint = "Choose another --lake, or make this one writable."
        raise AslibError(what, str(lake), hint) from None


@contextmanager
def _new_version(lake: Path, home: Path) -> Iterator[Path]:
    """A fresh folder, locked while it is filled, removed if that fails."""
    (lake / _VERSIONS).mkdir(parents=True, exist_ok=True)
    try:
        with _locked(lake):
            home.mkdir(exist_ok=True)
            version = Path(tempfile.mkdtemp(prefix="v-", dir=home))
            version.chmod(0o755)
            lock = _hold(version)
        try:
            yield version
        finally:
            os.close(lock)
    finally:
        with suppress(OSError), _locked(lake):
            _collect(lake, home)


def _write(folder: Path, table: pa.Table) -> Manifest:
    sink = pa.BufferOutputStream()
    text = [f.name for f in table.schema if pa.types.is_dictionary(f.type)]
    # A scenario is read whole: the partition is the index, not statistics.
    pq.write_table(
        table, sink, compression="zstd", use_dictionary=text, write_statistics=False
    )
    content = sink.getvalue()
    folder.mkdir()
    _store(folder / "part-0.parquet", content)
    _sync(folder)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


def _store(path: Path, content: bytes | pa.Buffer) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _commit(lake: Path, home: Path, version: Path) -> None:
    """Turn ``current`` to the version; links that were missing come first."""
    touched = set()
    for link, target in _links(lake, home, version):
        if not link.parent.is_dir():
            link.parent.mkdir(exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(target)
            touched |= {link.parent, lake, home.parent}
    for folder in touched:
        _sync(folder)
    fresh = home / f".{version.name}"
    fresh.symlink_to(version.name)
    fresh.replace(home / _CURRENT)
    with suppress(OSError):  # the switch is done: a power cut may at most undo it
        _sync(home)


def _links(lake: Path, home: Path, version: Path) -> Iterator[tuple[Path, str]]:
    inside = f"{_VERSIONS}/{home.name}/{_CURRENT}"
    for relation in sorted(p.name for p in version.iterdir() if p.is_dir()):
        yield lake / relation / home.name, f"../{inside}/{relation}"
    name = home.name.removeprefix(_PREFIX)
    yield lake / f"{name}.json", f"{inside}/{_MANIFEST}"


def _collect(lake: Path, home: Path) -> None:
    """Remove versions nobody holds, half-made links, and links to nothing."""
    current = _current(home)
    for path in sorted(home.iterdir()):
        if path.is_symlink():
            if path.name != _CURRENT:
                path.unlink()
        elif path != current and _unheld(path):
            shutil.rmtree(path)
    name = home.name.removeprefix(_PREFIX)
    for link in [*(p / home.name for p in lake.iterdir()), lake / f"{name}.json"]:
        if link.is_symlink() and not link.exists():
            link.unlink()
        with suppress(OSError):  # a relation that no scenario has any more
            link.parent.rmdir()
    if current is None:
        with suppress(OSError):
            home.rmdir()


def _current(home: Path) -> Path | None:
    try:
        return home / (home / _CURRENT).readlink()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _hold(path: Path) -> int:
    descriptor = os.open(path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def _unheld(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def _locked(lake: Path) -> Iterator[None]:
    """One writer at a time turns links and removes versions."""
    descriptor = os.open(lake / _VERSIONS, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _read_manifest(version: Path) -> Manifest:
    found: Manifest = json.loads((version / _MANIFEST).read_text())
    return found
