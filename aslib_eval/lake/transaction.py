"""A new version: written beside the current one, then switched to by one rename."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.atomic_files import sync, sync_all
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.lake import results
from aslib_eval.lake.layout import (
    CURRENT,
    MANIFEST,
    PART,
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
from aslib_eval.lake.locks import (
    hold,
    is_behind,
    locked,
    new_generation,
    sole_writer,
    unheld,
)
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import (
    SEAL,
    Manifest,
    Version,
    current_version,
    require_unpinned,
    seal,
    unseal,
)

if TYPE_CHECKING:
    import pyarrow as pa

_DERIVED = ("scenario_id", "relations", SEAL)


@dataclass(frozen=True)
class VersionChange:
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
    """Make the tables the scenario's current version; all of them or none."""
    return write(lake, scenario_id, lambda _: VersionChange(tables, facts))


def amend(
    lake: Path,
    scenario_id: str,
    change: Callable[
        [Version], tuple[Mapping[str, pa.Table], Mapping[str, Any]] | None
    ],
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
        return VersionChange(
            {n: t for n, t in tables.items() if t.num_rows}, whole, kept
        )

    return write(lake, scenario_id, amended)


def write(
    lake: Path,
    scenario_id: str,
    decide: Callable[[Version | None], VersionChange | None],
) -> Manifest:
    """Replace a scenario by what ``decide`` makes of its current version.

    From that look to the switch, nobody else writes the scenario: no change is lost.
    ``decide`` gets None if there is no version yet, and gives None to change nothing.
    """
    require_unicode(lake)
    require_unpinned(lake)
    hint = "Free some space or choose another --lake; nothing was changed."
    with os_errors(lake, hint, what="cannot be written"):
        (lake / VERSIONS).mkdir(parents=True, exist_ok=True)
        with _writing(lake, scenario_id) as home:
            # Nobody else turns the link that says so: it needs no lease.
            base = current_version(home, scenario_id)
            change = decide(base)
            if change is None:
                return base.manifest() if base else {}
            return _replace(lake, home, change, base, scenario_id)


@contextmanager
def _writing(lake: Path, scenario_id: str) -> Iterator[Path]:
    """Be the only writer of the scenario, and tidy up afterwards."""
    home = None
    try:
        with sole_writer(lake, scenario_id) as home:
            yield home
    finally:
        if home is not None:
            with suppress(OSError, AslibError), locked(lake):
                _collect(lake, [home])


def _replace(
    lake: Path,
    home: Path,
    change: VersionChange,
    base: Version | None,
    scenario_id: str,
) -> Manifest:
    with _new_version(lake, home) as version:
        tables = sorted(change.tables.items())
        written = {name: write_table(version / name, table) for name, table in tables}
        if base is not None and change.kept:
            _take_over(base, version, sorted(change.kept))
            held = base.manifest()["relations"]
            written |= {name: held[name] for name in change.kept}
        whole = {**change.facts, "scenario_id": scenario_id, "relations": written}
        content = seal(whole)
        (version / MANIFEST).write_bytes(content)
        sync_all([version, *version.rglob("*")])
        with locked(lake):
            _commit(lake, home, version, written)
    return unseal(content, scenario_id, version)


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


@contextmanager
def _new_version(lake: Path, home: Path) -> Iterator[Path]:
    """A fresh folder, locked while it is filled; the writer collects it if left."""
    with locked(lake):
        version = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=home))
        version.chmod(0o755)
        lock = hold(version)
    try:
        yield version
    finally:
        os.close(lock)


def _commit(lake: Path, home: Path, version: Path, relations: Iterable[str]) -> None:
    """Turn ``current`` to the version; links that were missing come first.

    A folder gets the name of a complete version only when ``current`` leads to it or to
    another complete one: versions without ``current`` were never left by a writer.
    """
    touched = set()
    for link, target in links(lake, home, relations):
        if is_link(link, target):
            continue
        link.parent.mkdir(exist_ok=True)
        if link.is_symlink():
            link.unlink()
        elif link.exists():
            what = "is in the place of a link; the lake was copied without links"
            raise AslibError(what, str(link), REPAIR)
        link.symlink_to(target)
        touched |= {link.parent, lake, home.parent}
    sync_all(touched)
    whole = home / version.name.replace(UNFINISHED, WHOLE, 1)
    if current(home) is None:
        turn(home, whole.name)
        sync(home)
        version.rename(whole)
    else:
        version.rename(whole)
        sync(home)
        turn(home, whole.name)
    with suppress(OSError):  # the switch is done: a power cut may at most undo it
        sync(home)


def turn(home: Path, version: str) -> None:
    """Let ``current`` lead to a version, by one rename."""
    fresh = home / f".{version}"
    fresh.unlink(missing_ok=True)  # left by one that was killed here
    fresh.symlink_to(version)
    fresh.replace(home / CURRENT)


def _collect(lake: Path, at_hand: Sequence[Path]) -> None:
    """Remove what is proven to be of no use, and nothing else.

    That is: what writers began and did not finish, versions beside a current one that
    is complete and which nobody reads, and links to nothing.
    """
    for home in at_hand:
        _remove_unfinished(home)
    behind = is_behind(lake)
    if behind or any(map(_replaced, at_hand)):
        with new_generation(lake) as free:
            left = [home for _, home in homes(lake)] if behind else at_hand
            for home in left if free else ():
                _remove_unheld(_replaced(home))
                _forget_results(lake, home)
    for home in at_hand:
        _remove_links(lake, home)
    for relation in RELATIONS:  # one that no scenario has any more
        with suppress(OSError):
            (lake / relation).rmdir()


def _forget_results(lake: Path, home: Path) -> None:
    """Remove what was built of versions that are not current."""
    scenario_id = scenario_of(home.name) or ""
    with suppress(AslibError, OSError):
        version = current_version(home, scenario_id)
        data = results.data_of(version.manifest()) if version else None
        results.forget(lake / results.RESULTS, scenario_id, data)


def _remove_unfinished(home: Path) -> None:
    for path in sorted(home.iterdir()):
        if path.is_symlink() and path.name.startswith(f".{WHOLE}"):
            path.unlink()
    _remove_unheld(versions_in(home, UNFINISHED))


def _replaced(home: Path) -> list[Path]:
    """Versions beside the current one, if that is complete."""
    try:
        now = current(home)
        others = [version for version in versions_in(home) if version != now]
        if now is not None and others:
            unseal((now / MANIFEST).read_bytes(), scenario_of(home.name) or "", now)
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
        (home / CURRENT).unlink()
    for link, target in links(lake, home, RELATIONS):
        if is_link(link, target) and not link.exists():
            _unlink(link, lake)
    if now is None and unheld(home):
        with suppress(OSError):
            home.rmdir()


def _remove_unheld(found: Iterable[Path]) -> None:
    for version in found:
        if unheld(version):
            shutil.rmtree(version)


def _unlink(link: Path, lake: Path) -> None:
    """Remove a link to nothing, and the folder of a relation that no scenario has."""
    link.unlink()
    if link.parent != lake:
        with suppress(OSError):
            link.parent.rmdir()


def _take_over(base: Version, version: Path, names: Iterable[str]) -> None:
    """The same files under the new version: linked, or copied where links are not."""
    for name in names:
        folder = version / name
        folder.mkdir()
        try:
            os.link(base.file(name), folder / PART)
        except OSError:
            (folder / PART).write_bytes(base.file(name).read_bytes())
