"""A new version: written beside the current one, then switched to by one rename."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError
from aslib_eval.versions.files import store, sync, take_over, write_table
from aslib_eval.versions.leases import (
    CURRENT,
    MANIFEST,
    PREFIX,
    Lease,
    Manifest,
    current,
    lease,
    partition,
)
from aslib_eval.versions.locks import VERSIONS, hold, locked, sole_writer, unheld

_DERIVED = ("scenario_id", "relations")


@dataclass(frozen=True)
class Change:
    """What a new version holds: new tables, the manifest's facts, what is kept.

    ``kept`` names relations that are taken over from the current version, byte for
    byte; every other one is gone unless it is in ``tables``.
    """

    tables: Mapping[str, pa.Table]
    facts: Manifest
    kept: frozenset[str] = frozenset()


def replace(
    lake: Path, scenario_id: str, tables: Mapping[str, pa.Table], facts: Manifest
) -> Manifest:
    """Make the tables the scenario's current version; all of them or none.

    Raises AslibError if the lake cannot be written; it is then as it was.
    """
    return write(lake, scenario_id, lambda _: Change(tables, facts))


def amend(
    lake: Path,
    scenario_id: str,
    change: Callable[[Lease], tuple[Mapping[str, pa.Table], Mapping[str, Any]] | None],
) -> Manifest:
    """Replace some relations of a scenario and keep the others; gives the manifest.

    ``change`` is given the current version and says the new tables (one without
    rows removes its relation) and the facts to put into the manifest, or None to
    leave all as it is. Nobody else writes the scenario meanwhile.
    Raises AslibError if the lake does not hold the scenario or cannot be written,
    and whatever ``change`` raises; the lake is then as it was.
    """

    def amended(held: Lease | None) -> Change | None:
        if held is None:
            hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
            raise AslibError(f"holds no scenario {scenario_id!r}", str(lake), hint)
        known = _readable(held)
        changed = change(held)
        if changed is None:
            return None
        tables, facts = changed
        kept = frozenset(known["relations"]) - tables.keys()
        whole = {k: v for k, v in {**known, **facts}.items() if k not in _DERIVED}
        return Change({n: t for n, t in tables.items() if t.num_rows}, whole, kept)

    return write(lake, scenario_id, amended)


def _readable(held: Lease) -> Manifest:
    try:
        known = held.manifest()
        whole = all(held.file(name).is_file() for name in known["relations"])
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        hint = "Import the scenario again."
        raise AslibError("the scenario's files are damaged", str(held.path), hint)
    return known


def write(
    lake: Path, scenario_id: str, decide: Callable[[Lease | None], Change | None]
) -> Manifest:
    """Replace a scenario by what ``decide`` makes of its current version.

    From that look to the switch, nobody else writes the scenario: no change is lost.
    ``decide`` gets None if there is no version yet, and gives None to change nothing.
    Raises AslibError if the lake cannot be written, and whatever ``decide`` raises;
    the lake is then as it was.
    """
    home = lake / VERSIONS / partition(scenario_id)
    try:
        (lake / VERSIONS).mkdir(parents=True, exist_ok=True)
        try:
            with sole_writer(lake, home), _base(lake, scenario_id) as base:
                change = decide(base)
                if change is None:
                    return base.manifest() if base else {}
                return _replace(lake, home, change, base, scenario_id)
        finally:
            with suppress(OSError), locked(lake):
                _collect(lake, home)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        hint = "Free some space or choose another --lake; nothing was changed."
        raise AslibError(what, str(lake), hint) from None


def _replace(
    lake: Path, home: Path, change: Change, base: Lease | None, scenario_id: str
) -> Manifest:
    with _new_version(lake, home) as version:
        tables = sorted(change.tables.items())
        written = {name: write_table(version / name, table) for name, table in tables}
        if base is not None and change.kept:
            take_over(base, version, sorted(change.kept))
            held = base.manifest()["relations"]
            written |= {name: held[name] for name in change.kept}
        whole = {**change.facts, "scenario_id": scenario_id, "relations": written}
        text = json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False)
        store(version / MANIFEST, text.encode() + b"\n")
        sync(version)
        with locked(lake):
            _commit(lake, home, version)
    return whole


def clean(lake: Path) -> None:
    """Remove what dead writers left. Raises AslibError if the lake is read-only."""
    if not (lake / VERSIONS).is_dir():
        return
    try:
        with locked(lake):
            for home in sorted((lake / VERSIONS).glob(f"{PREFIX}*")):
                _collect(lake, home)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        hint = "Choose another --lake, or make this one writable."
        raise AslibError(what, str(lake), hint) from None


@contextmanager
def _base(lake: Path, scenario_id: str) -> Iterator[Lease | None]:
    held = lease(lake, scenario_id)
    try:
        yield held
    finally:
        if held is not None:
            held.release()


@contextmanager
def _new_version(lake: Path, home: Path) -> Iterator[Path]:
    """A fresh folder, locked while it is filled; the writer collects it if left."""
    with locked(lake):
        version = Path(tempfile.mkdtemp(prefix="v-", dir=home))
        version.chmod(0o755)
        lock = hold(version)
    try:
        yield version
    finally:
        os.close(lock)


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
        sync(folder)
    fresh = home / f".{version.name}"
    fresh.symlink_to(version.name)
    fresh.replace(home / CURRENT)
    with suppress(OSError):  # the switch is done: a power cut may at most undo it
        sync(home)


def _links(lake: Path, home: Path, version: Path) -> Iterator[tuple[Path, str]]:
    inside = f"{VERSIONS}/{home.name}/{CURRENT}"
    for relation in sorted(p.name for p in version.iterdir() if p.is_dir()):
        yield lake / relation / home.name, f"../{inside}/{relation}"
    name = home.name.removeprefix(PREFIX)
    yield lake / f"{name}.json", f"{inside}/{MANIFEST}"


def _collect(lake: Path, home: Path) -> None:
    """Remove versions nobody holds, half-made links, and links to nothing."""
    now = current(home)
    for path in sorted(home.iterdir()):
        if path.is_symlink():
            if path.name != CURRENT:
                path.unlink()
        elif path != now and unheld(path):
            shutil.rmtree(path)
    name = home.name.removeprefix(PREFIX)
    for link in [*(p / home.name for p in lake.iterdir()), lake / f"{name}.json"]:
        if link.is_symlink() and not link.exists():
            link.unlink()
        with suppress(OSError):  # a relation that no scenario has any more
            link.parent.rmdir()
    if now is None and unheld(home):
        with suppress(OSError):
            home.rmdir()
