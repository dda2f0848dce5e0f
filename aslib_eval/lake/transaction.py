"""A new version: written beside the current one, then switched to by one rename."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.atomic_files import sync_all
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.folders import Folder
from aslib_eval.lake import results
from aslib_eval.lake.schema import (
    CURRENT,
    MANIFEST,
    PART,
    RELATIONS,
    REPAIR,
    UNFINISHED,
    VERSIONS,
    WHOLE,
    current,
    homes,
    is_link,
    links,
    require_unicode,
    scenario_of,
    stray_links,
    versions_in,
)
from aslib_eval.lake.versions import (
    SEAL,
    Manifest,
    Version,
    current_version,
    hold,
    locked,
    require_unpinned,
    seal,
    sole_writer,
    unheld,
    unseal,
)

if TYPE_CHECKING:
    import pyarrow as pa

_DERIVED = ("scenario_id", "relations", SEAL)


@dataclass(frozen=True)
class VersionChange:
    """What a new version holds: new tables, the manifest's facts, what is kept.

    ``kept`` names relations that are taken over from the current version, byte for byte; every other one is
    gone unless it is in ``tables``.
    """

    tables: Mapping[str, pa.Table]
    facts: Manifest
    kept: frozenset[str] = frozenset()


def replace(lake: Path, scenario_id: str, tables: Mapping[str, pa.Table], facts: Manifest) -> Manifest:
    """Make the tables the scenario's current version; all of them or none."""
    return write(lake, scenario_id, lambda _: VersionChange(tables, facts))


def amend(
    lake: Path,
    scenario_id: str,
    change: Callable[[Version], tuple[Mapping[str, pa.Table], Mapping[str, Any]] | None],
) -> Manifest:
    """Replace some relations of a scenario and keep the others; gives the manifest.

    ``change`` is given the current version and says the new tables (one without
    rows removes its relation) and the facts to put into the manifest, or None to
    leave all as it is. Nobody else writes the scenario meanwhile.
    """

    def amended(held: Version | None) -> VersionChange | None:
        if held is None:
            hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
            raise AslibError(f"holds no scenario {scenario_id!r}", str(lake), hint)
        known = held.verify()
        changed = change(held)
        if changed is None:
            return None
        tables, facts = changed
        kept = frozenset(known["relations"]) - tables.keys()
        whole = {k: v for k, v in {**known, **facts}.items() if k not in _DERIVED}
        return VersionChange({n: t for n, t in tables.items() if t.num_rows}, whole, kept)

    return write(lake, scenario_id, amended)


def write(
    lake: Path, scenario_id: str, decide: Callable[[Version | None], VersionChange | None]
) -> Manifest:
    """Replace a scenario by what ``decide`` makes of its current version.

    From that look to the switch, nobody else writes the scenario: no change is lost. ``decide`` gets None
    if there is no version yet, and gives None to change nothing.
    """
    require_unicode(lake)
    require_unpinned(lake)
    hint = "Free some space or choose another --lake; nothing was changed."
    with os_errors(lake, hint, what="cannot be written"):
        lake.mkdir(parents=True, exist_ok=True)
        Folder.inside(lake, lake / VERSIONS, make=True).close()
        home = None
        try:
            with sole_writer(lake, scenario_id) as home:
                # Nobody else turns the link that says so: it needs no lease.
                base = current_version(home.path, scenario_id)
                change = decide(base)
                if change is None:
                    return base.manifest() if base else {}
                return _replace(lake, home, change, base, scenario_id)
        finally:
            if home is not None:
                with suppress(OSError, AslibError), locked(lake):
                    _collect(lake, [home.path])


def _replace(
    lake: Path, home: Folder, change: VersionChange, base: Version | None, scenario_id: str
) -> Manifest:
    with locked(lake):
        version = home.below(home.scratch(UNFINISHED), make=True)
        lock = hold(version.path)  # the next writer removes what nobody fills
    try:
        with version:
            written = {
                name: write_table(version, name, change.tables[name]) for name in sorted(change.tables)
            }
            if base is not None and change.kept:
                known = base.manifest()["relations"]
                with home.below(base.path.name) as old:
                    for name in sorted(change.kept):
                        with old.below(name) as held, version.below(name, make=True) as folder:
                            held.keep(PART, folder)  # linked, or copied where links are not
                        written[name] = known[name]
            content = seal({**change.facts, "scenario_id": scenario_id, "relations": written})
            version.write(MANIFEST, content)
            sync_all([version.path, *version.path.rglob("*")])
            with locked(lake):
                _commit(lake, home, version.path.name, written)
            return unseal(content, scenario_id, version.path)
    finally:
        os.close(lock)


def write_table(version: Folder, name: str, table: pa.Table) -> Manifest:
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
    with version.below(name, make=True) as folder:
        folder.write(PART, content)
    digest = hashlib.sha256(content).hexdigest()
    return {"rows": table.num_rows, "bytes": content.size, "sha256": digest}


def clean(lake: Path) -> None:
    """Remove what dead writers left, and links of scenarios that somebody removed."""
    if not (lake / VERSIONS).is_dir():
        return
    hint = "Choose another --lake, or make this one writable."
    with os_errors(lake, hint, what="cannot be written"), locked(lake):
        _collect(lake, [home for _, home in homes(lake)])
        for link, name in list(stray_links(lake)):
            if not (lake / VERSIONS / name).exists():
                _unlink(link, lake)


def _commit(lake: Path, home: Folder, version: str, relations: Iterable[str]) -> None:
    """Turn ``current`` to the version; links that were missing come first.

    A folder gets the name of a complete version only when ``current`` leads to it or to another complete
    one: versions without ``current`` were never left by a writer.
    """
    touched = set()
    for link, target in links(lake, home.path, relations):
        with Folder.inside(lake, link.parent, make=True) as outer:
            if outer.target(link.name) == target:
                continue
            if outer.is_link(link.name):
                outer.unlink(link.name)
            elif outer.stat(link.name):
                raise AslibError(
                    "is in the place of a link; the lake was copied without links", str(link), REPAIR
                )
            outer.link(link.name, target)
        touched |= {link.parent, lake, home.path.parent}
    sync_all(touched)
    whole = version.replace(UNFINISHED, WHOLE, 1)
    if current(home.path) is None:
        turn(home, whole)
        home.sync()
        home.rename(version, home, whole)
    else:
        home.rename(version, home, whole)
        home.sync()
        turn(home, whole)
    with suppress(OSError):  # the switch is done: a power cut may at most undo it
        home.sync()


def turn(home: Folder, version: str) -> None:
    """Let ``current`` lead to a version, by one rename."""
    fresh = f".{version}"
    if home.stat(fresh):  # left by one that was killed here
        home.unlink(fresh)
    home.link(fresh, version)
    home.rename(fresh, home, CURRENT)


def _collect(lake: Path, at_hand: Sequence[Path]) -> None:
    """Remove what is proven to be of no use, and nothing else.

    That is: what writers began and did not finish, versions beside a current one that is complete while
    nobody reads the lake, and links to nothing. Whoever begins to read now sees what is current.
    """
    for home in at_hand:
        with Folder.inside(lake, home) as folder:
            for name in folder.names():
                if name.startswith(f".{WHOLE}") and folder.is_link(name):
                    folder.unlink(name)
        _remove_unheld(lake, versions_in(home, UNFINISHED))
        if (replaced := _replaced(home)) and unheld(lake):
            _remove_unheld(lake, replaced)
            _forget_results(lake, home)
        _remove_links(lake, home)
    for relation in RELATIONS:  # one that no scenario has any more
        with suppress(OSError), Folder.named(lake) as folder:
            folder.rmdir(relation)


def _forget_results(lake: Path, home: Path) -> None:
    """Remove what was built of versions that are not current."""
    scenario_id = scenario_of(home.name) or ""
    with suppress(AslibError, OSError):
        version = current_version(home, scenario_id)
        data = results.data_of(version.manifest()) if version else None
        results.forget(lake / results.RESULTS, scenario_id, data)


def _replaced(home: Path) -> list[Path]:
    """Versions beside the current one, if that is complete."""
    try:
        now = current(home)
        others = [version for version in versions_in(home) if version != now]
        if now is not None and others:
            Version(scenario_of(home.name) or "", now).manifest()
    except (AslibError, FileNotFoundError):
        return []  # which version is the right one is not for us to say
    return others


def _remove_links(lake: Path, home: Path) -> None:
    """Remove links to nothing, and the home of a scenario that is gone."""
    try:
        now = current(home)
    except AslibError:
        return
    if now is None and (home / CURRENT).is_symlink():
        with Folder.inside(lake, home) as folder:
            folder.unlink(CURRENT)
    for link, target in links(lake, home, RELATIONS):
        if is_link(link, target) and not link.exists():
            _unlink(link, lake)
    if now is None and unheld(home):
        with suppress(OSError), Folder.inside(lake, home.parent) as folder:
            folder.rmdir(home.name)


def _remove_unheld(lake: Path, found: Iterable[Path]) -> None:
    for version in found:
        if unheld(version):
            with Folder.inside(lake, version.parent) as home:
                home.remove(version.name)


def _unlink(link: Path, lake: Path) -> None:
    """Remove a link to nothing, and the folder of a relation that no scenario has."""
    with Folder.inside(lake, link.parent) as folder:
        folder.unlink(link.name)
    if link.parent != lake:
        with suppress(OSError), Folder.named(lake) as folder:
            folder.rmdir(link.parent.name)
