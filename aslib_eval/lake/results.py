"""Built results: relations of one scenario under one protocol, as Parquet files.

A file is named after all that it was made from, so that it is never out of date, and after its own content,
so that damage shows:

    scenario_id=X/<data>-<choices>/<relation>.<sql>.<content>.parquet

``data`` is of the scenario with its selections, ``choices`` of the protocol, ``sql`` of the SELECT with all
that it reads. The files lie in the folder ``.results`` of the lake, or in the user's cache folder if the
lake cannot be written. Removing them loses nothing but the time to build them again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError
from aslib_eval.folders import Folder
from aslib_eval.lake.schema import FORMAT, PREFIX, partition
from aslib_eval.paths import cache_folder

RESULTS = ".results"
LIMIT = "ASLIB_RESULTS_LIMIT"
# Raised when files are written in another way, so that those there are not read.
_LAYOUT = 1
_USUAL = 1024  # MiB
_DIGITS = 16  # of a hash in a name
_DRAFT = ".new-"
_PARQUET = ".parquet"
_DAY = 86_400.0  # seconds
_DEPTH = 3  # folders of a unit below the lake
_LARGEST = 1 << 32  # bytes


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
    text = json.dumps([_LAYOUT, FORMAT, manifest["scenario_id"], hashes], sort_keys=True)
    return digest(text)


def folders(lake: Path) -> tuple[Path, ...]:
    """Where results of a lake may lie: the first is where new ones are written.

    SQL may read there, so a link in the lake to another folder is none of them.
    """
    inside, mine = lake / RESULTS, cache_folder() / "results"
    if inside.is_symlink():
        return (mine,)
    return (inside, mine) if os.access(lake, os.W_OK) else (mine, inside)


def unit_folder(root: Path, scenario_id: str, data: str, choices: str) -> Path:
    """The folder of the results of one version under one protocol."""
    return root / partition(scenario_id) / f"{data}-{choices}"


def _opened(folder: Path, *, make: bool = False) -> Folder:
    """The folder of some results; the lake or the cache alone may be named by a link.

    Raises:
        OSError: when it is not there, or there is a link on the way.
    """
    names = folder.parts[-_DEPTH:]
    if len(names) < _DEPTH or not names[1].startswith(PREFIX):
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
                    if digest(inside.read(file, most=_LARGEST)) == content:
                        found[name] = folder / file
                if name not in found:
                    with suppress(OSError):
                        inside.remove(file)
        if found:  # when it was last asked for
            os.utime(inside.descriptor)
    return found


def keep(folder: Path, name: str, content: bytes, *, suffix: str = _PARQUET) -> Path:
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


def forget(root: Path, scenario_id: str, data: str | None) -> None:
    """Remove the results of other versions of a scenario than the one of ``data``.

    Nobody may read those versions any more.
    """
    home = partition(scenario_id)
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


def limit() -> int:
    """How many bytes the results of a user's own protocols may take."""
    given = os.environ.get(LIMIT) or str(_USUAL)
    with suppress(ValueError):
        if (size := float(given)) >= 0:
            return int(min(size, 2.0**40) * 2**20)
    raise AslibError(f"{given!r} is no number of MiB", LIMIT, f"Try {LIMIT}={_USUAL}.")


def trim(root: Path, *, kept: Iterable[str], most: int) -> None:
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
