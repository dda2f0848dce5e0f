"""A new version: written beside the current one, then switched to by one rename.

``repair`` gives a lake its symbolic links back after a copy lost them; ``examine`` finds all that is wrong.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.atomic_files import sync_all
from aslib_eval.errors import AslibError, os_errors
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
    RESULTS,
    SEAL,
    Manifest,
    Version,
    current_version,
    data_of,
    forget_results,
    hold,
    lease,
    locked,
    require_unpinned,
    scenario_ids,
    seal,
    sole_writer,
    unheld,
    unseal,
)
from aslib_eval.options import Lake, public
from aslib_eval.paths import Folder, read_plain, read_text

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
    return {"rows": table.num_rows, "bytes": content.size, "sha256": hashlib.sha256(content).hexdigest()}


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
        data = data_of(version.manifest()) if version else None
        forget_results(lake / RESULTS, scenario_id, data)


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


# A lake that was copied without its symbolic links gets them back.


@dataclass(frozen=True)
class Repaired:
    """What became of a scenario: the links made again, or why it cannot be helped."""

    scenario_id: str
    links: tuple[Path, ...] = ()
    error: AslibError | None = None


@public
def repair(lake: Lake) -> list[Repaired]:
    """Make the links of a lake again that a copy has lost; gives every scenario.

    It removes nothing but what stands in the place of a link and holds the same. Where it is not certain
    which version was current it says what to do and changes nothing.

    lake: its folder.

    >>> [(each.scenario_id, each.error) for each in ae.lake_repair("lake")]
    [('TOY-2026', None)]
    """
    lake = Path(lake)
    with os_errors(lake, "Name another folder."):
        ids = scenario_ids(lake) if lake.is_dir() else []
    if not ids:
        raise AslibError("there is no lake with a scenario", str(lake))
    done = []
    for scenario_id in ids:
        try:
            done.append(Repaired(scenario_id, tuple(_repaired(lake, scenario_id))))
        except AslibError as error:
            done.append(Repaired(scenario_id, error=error))
        except OSError as error:
            raise AslibError(
                f"cannot be written ({error.strerror or error})", str(lake), "Make the lake writable."
            ) from None
    return done


def _repaired(lake: Path, scenario_id: str) -> Iterator[Path]:
    with sole_writer(lake, scenario_id) as home:
        with locked(lake):
            try:
                current(home.path)
            except AslibError:
                _point(home, scenario_id)
                yield home.path / CURRENT
        version = current_version(home.path, scenario_id)
        if version is None:
            return
        known = version.verify()
        with locked(lake):
            yield from _linked(lake, version, known)


def _point(home: Folder, scenario_id: str) -> None:
    """Let ``current`` lead to the version that it must have led to."""
    link = home.path / CURRENT
    if home.is_folder(CURRENT):
        with suppress(OSError):
            home.rmdir(CURRENT)  # what some packers make of a link
    if home.is_folder(CURRENT):
        # The link was followed: the folder is the version.
        if not _is_complete(link, scenario_id):
            what = f"{scenario_id}: {CURRENT!r} is a folder, and not a whole version"
            raise AslibError(what, str(link), "Move it out of the lake, and repair it again.")
        version = home.path / home.scratch(WHOLE)
        home.rename(CURRENT, home, version.name)
    else:
        version = _named(link) or _only(home.path, scenario_id)
    turn(home, version.name)
    home.sync()


def _named(link: Path) -> Path | None:
    """The version whose name a text file in the place of the link holds."""
    if link.is_file() and not link.is_symlink():
        with suppress(AslibError):
            name = read_text(link).strip()
            if name in {version.name for version in versions_in(link.parent)}:
                return link.parent / name
    return None


def _only(home: Path, scenario_id: str) -> Path:
    found = versions_in(home)
    whole = {version for version in found if _is_complete(version, scenario_id)}
    if whole == set(found):
        same = {(version / MANIFEST).read_bytes() for version in found}
        if len(same) == 1:
            return found[0]
    if not whole:
        what = f"{scenario_id}: none of its versions is whole"
        hint = "Move this folder out of the lake and import the scenario again."
    else:
        listed = [f"{v.name} ({'whole' if v in whole else 'damaged'})" for v in found]
        what = f"{scenario_id}: nothing says which version is current: "
        what += ", ".join(listed)
        hint = "Move all of them but one out of the lake, and repair it again."
    raise AslibError(what, str(home), hint)


def _is_complete(version: Path, scenario_id: str) -> bool:
    try:
        Version(scenario_id, version).verify()
    except AslibError:
        return False
    return True


def _linked(lake: Path, held: Version, known: Manifest) -> Iterator[Path]:
    home = held.path.parent
    for link, target in links(lake, home, known["relations"]):
        if is_link(link, target):
            continue
        with Folder.inside(lake, link.parent, make=True) as outer:
            if outer.stat(link.name):
                _require_empty(link, target, held)
                outer.remove(link.name)
            outer.link(link.name, target)
            outer.sync()
        yield link


def _require_empty(link: Path, target: str, held: Version) -> None:
    """Raise unless what stands in the place of a link holds nothing of its own.

    That is: a file that holds the link's target, a folder that holds nothing, or a copy of what the link
    led to.
    """
    mine = held.path / Path(target).name
    if link.is_symlink():
        return
    if link.is_dir():
        inside = list(link.iterdir())
        part = inside == [link / PART] and read_plain(link / PART) == read_plain(mine / PART)
        is_ours = part or not inside
    else:
        content = link.read_bytes() if link.is_file() else None
        same = mine.is_file() and content == mine.read_bytes()
        is_ours = content is not None and (same or content.strip() == target.encode())
    if not is_ours:
        what = "is in the place of a link, and differs from the version"
        raise AslibError(what, str(link), "Move it out of the lake, and repair it again.")


# Everything that is wrong with a lake, found without changing it.


@dataclass(frozen=True)
class Damage:
    """One thing that is wrong: its kind, the path, what it is and what to do."""

    kind: str  # link, manifest, file, stray or leftover
    path: Path
    what: str
    hint: str = ""


def examine(lake: Path) -> Iterator[Damage]:
    """Hold every file of a lake against its hash, and every link against its target."""
    ids = scenario_ids(lake)
    for path in sorted((lake / VERSIONS).iterdir()):
        known = path.name.startswith(".") or scenario_of(path.name) is not None
        if not known or not path.is_dir():
            yield Damage("stray", path, "is no scenario of this lake; it is ignored")
    unread = unheld(lake)
    with lease(lake) as held:
        for scenario_id in ids:
            try:
                version = held.version(scenario_id)
                if version is not None:
                    yield from _damages_of(lake, version, unread=unread)
            except AslibError as error:
                where = Path(error.where or lake)
                yield Damage("link", where, f"{scenario_id}: {error.message}", error.hint or "")
            except OSError as error:
                yield Damage(
                    "file", Path(error.filename or lake), f"{scenario_id} cannot be read ({error.strerror})"
                )
    for link, _ in stray_links(lake):
        yield Damage("leftover", link, "is a link to nothing", _REMOVED)


def _damages_of(lake: Path, version: Version, *, unread: bool) -> Iterator[Damage]:
    home = version.path.parent
    try:
        relations = version.manifest()["relations"]
    except AslibError as error:
        yield Damage("manifest", Path(error.where or home), error.message, error.hint or "")
        return
    for damage in version.damages():
        yield Damage("file", Path(damage.where or home), damage.message, damage.hint or "")
    for link, target in links(lake, home, relations):
        if not is_link(link, target):
            yield Damage(
                "link", link, f"is no link to {target}; plain readers do not find it there", REPAIR
            )
    known = {MANIFEST, *relations, *(f"{name}/{PART}" for name in relations)}
    for path in sorted(version.path.rglob("*")):
        if str(path.relative_to(version.path)) not in known:
            yield Damage("stray", path, "is not in the manifest; it is not read")
    for other in versions_in(home, ""):
        if other.name.startswith(UNFINISHED) and unheld(other):
            yield Damage("leftover", other, "is an unfinished version", _REMOVED)
        elif other != version.path and unread and unheld(other):
            yield Damage("leftover", other, "is an old version", _REMOVED)


_REMOVED = "The next import removes it."
