"""A lake that was copied without its symbolic links gets them back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.folders import Folder
from aslib_eval.lake.schema import (
    CURRENT,
    MANIFEST,
    PART,
    REPAIR,
    UNFINISHED,
    VERSIONS,
    WHOLE,
    current,
    is_link,
    links,
    scenario_of,
    stray_links,
    versions_in,
)
from aslib_eval.lake.transaction import turn
from aslib_eval.lake.versions import (
    Manifest,
    Version,
    current_version,
    lease,
    locked,
    scenario_ids,
    sole_writer,
    unheld,
)
from aslib_eval.options import Lake
from aslib_eval.paths import read_plain, read_text
from aslib_eval.signatures import public


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
            hint = "Move it out of the lake, and repair it again."
            raise AslibError(what, str(link), hint)
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
        what = "is in the place of a link, and holds something else than the version"
        hint = "Move it out of the lake, and repair it again."
        raise AslibError(what, str(link), hint)


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
