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
    GENERATIONS,
    Lease,
    Manifest,
    Version,
    current_version,
    lease,
    locked,
    scenario_ids,
    sole_writer,
    unheld,
    unread,
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
            made = tuple(_repaired(lake, scenario_id))
            done.append(Repaired(scenario_id, made))
        except AslibError as error:
            done.append(Repaired(scenario_id, error=error))
        except OSError as error:
            what = f"cannot be written ({error.strerror or error})"
            raise AslibError(what, str(lake), "Make the lake writable.") from None
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
    """The one version there is."""
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
    """Raise unless what stands in the place of a link holds nothing of its own."""
    mine = held.path / Path(target).name
    is_file = link.is_file() and _is_text(link, target, mine)
    is_folder = link.is_dir() and _is_copy(link, mine)
    if not (link.is_symlink() or is_file or is_folder):
        what = "is in the place of a link, and holds something else than the version"
        hint = "Move it out of the lake, and repair it again."
        raise AslibError(what, str(link), hint)


def _is_copy(folder: Path, mine: Path) -> bool:
    """Whether a folder holds nothing, or the very file that the link led to."""
    inside = list(folder.iterdir())
    return inside == [] or (
        inside == [folder / PART] and read_plain(folder / PART) == read_plain(mine / PART)
    )


def _is_text(link: Path, target: str, mine: Path) -> bool:
    """Whether a file holds the link's target, or the file that the link led to."""
    content = link.read_bytes()
    return content.strip() == target.encode() or (mine.is_file() and content == mine.read_bytes())


# Everything that is wrong with a lake, found without changing it.


@dataclass(frozen=True)
class Damage:
    """One thing that is wrong: its kind, the path, what it is and what to do."""

    kind: str  # link, manifest, file, stray or leftover
    path: Path
    what: str
    hint: str = ""


def _damage(kind: str, error: AslibError, otherwise: Path) -> Damage:
    return Damage(kind, Path(error.where or otherwise), error.message, error.hint or "")


def examine(lake: Path) -> Iterator[Damage]:
    """Hold every file of a lake against its hash, and every link against its target."""
    ids = scenario_ids(lake)
    yield from _strangers(lake)
    with lease(lake) as held:
        for scenario_id in ids:
            yield from _scenario(held, scenario_id)
    for link, _ in stray_links(lake):
        hint = "The next import removes it."
        yield Damage("leftover", link, "is a link to nothing", hint)


def _strangers(lake: Path) -> Iterator[Damage]:
    for path in sorted((lake / VERSIONS).iterdir()):
        known = path.name == GENERATIONS or scenario_of(path.name) is not None
        if not known or not path.is_dir():
            yield Damage("stray", path, "is no scenario of this lake; it is ignored")


def _scenario(held: Lease, scenario_id: str) -> Iterator[Damage]:
    try:
        version = held.version(scenario_id)
        if version is not None:
            yield from _version(held.lake, version)
    except AslibError as error:
        where = Path(error.where or held.lake)
        what = f"{scenario_id}: {error.message}"
        yield Damage("link", where, what, error.hint or "")
    except OSError as error:
        what = f"{scenario_id} cannot be read ({error.strerror})"
        yield Damage("file", Path(error.filename or held.lake), what)


def _version(lake: Path, held: Version) -> Iterator[Damage]:
    home = held.path.parent
    try:
        relations = held.manifest()["relations"]
    except AslibError as error:
        yield _damage("manifest", error, home)
        return
    for damage in held.damages():
        yield _damage("file", damage, home)
    for link, target in links(lake, home, relations):
        if not is_link(link, target):
            what = f"is no link to {target}; plain readers do not find it there"
            yield Damage("link", link, what, REPAIR)
    known = {MANIFEST, *relations, *(f"{name}/{PART}" for name in relations)}
    for path in sorted(held.path.rglob("*")):
        if str(path.relative_to(held.path)) not in known:
            yield Damage("stray", path, "is not in the manifest; it is not read")
    yield from _leftovers(lake, held)


def _leftovers(lake: Path, held: Version) -> Iterator[Damage]:
    """Unfinished versions that nobody fills, and old ones that nobody reads."""
    for version in versions_in(held.path.parent, ""):
        unfinished = version.name.startswith(UNFINISHED)
        if version != held.path and unheld(version) and (unfinished or unread(lake)):
            kind = "an unfinished" if unfinished else "an old"
            hint = "The next import removes it."
            yield Damage("leftover", version, f"is {kind} version", hint)
