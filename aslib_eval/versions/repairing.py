"""A lake that was copied without its symbolic links gets them back."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.versions.files import sync
from aslib_eval.versions.leases import Lease, lease, scenario_ids
from aslib_eval.versions.locks import hold, locked, sole_writer
from aslib_eval.versions.manifests import Manifest
from aslib_eval.versions.places import (
    CURRENT,
    MANIFEST,
    PART,
    WHOLE,
    current,
    is_link,
    links,
    versions_in,
)
from aslib_eval.versions.writing import turn


@dataclass(frozen=True)
class Repaired:
    """What became of a scenario: the links made again, or why it cannot be helped."""

    scenario_id: str
    links: tuple[Path, ...] = ()
    error: AslibError | None = None


def repair(lake: Path) -> list[Repaired]:
    """Make the links of a lake again that a copy has lost; gives every scenario.

    It removes nothing but what stands in the place of a link and holds the same. Where
    it is not certain which version was current it says what to do and changes nothing.
    Raises AslibError if there is no lake, or if it cannot be written.
    """
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
    with sole_writer(lake, scenario_id) as home, locked(lake):
        try:
            now = current(home)
        except AslibError:
            _point(home, scenario_id)
            yield home / CURRENT
            now = current(home)
    if now is None:
        return
    held = lease(lake, scenario_id)
    if held is None:
        return
    try:
        known = held.verify()
        with locked(lake):
            yield from _linked(lake, held, known)
    finally:
        held.release()


def _point(home: Path, scenario_id: str) -> None:
    """Let ``current`` lead to the version that it must have led to."""
    link = home / CURRENT
    if link.is_dir() and not link.is_symlink() and not any(link.iterdir()):
        link.rmdir()  # what some packers make of a link
    if link.is_dir() and not link.is_symlink():
        # The link was followed: the folder is the version.
        if not _is_whole(link, scenario_id):
            what = f"{scenario_id}: {CURRENT!r} is a folder, and not a whole version"
            hint = "Move it out of the lake, and repair it again."
            raise AslibError(what, str(link), hint)
        version = Path(tempfile.mkdtemp(prefix=WHOLE, dir=home))
        version.rmdir()
        link.rename(version)
    else:
        version = _named(link) or _only(home, scenario_id)
    turn(home, version.name)
    sync(home)


def _named(link: Path) -> Path | None:
    """The version whose name a text file in the place of the link holds."""
    if link.is_file() and not link.is_symlink():
        with suppress(UnicodeDecodeError):
            name = link.read_text()[:200].strip()
            if name in {version.name for version in versions_in(link.parent)}:
                return link.parent / name
    return None


def _only(home: Path, scenario_id: str) -> Path:
    """The one version there is. Raises AslibError if it is not certain which."""
    found = versions_in(home)
    whole = {version for version in found if _is_whole(version, scenario_id)}
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


def _is_whole(version: Path, scenario_id: str) -> bool:
    held = Lease(scenario_id, version, hold(version))
    try:
        held.verify()
    except AslibError:
        return False
    finally:
        held.release()
    return True


def _linked(lake: Path, held: Lease, known: Manifest) -> Iterator[Path]:
    home = held.path.parent
    for link, target in links(lake, home, known["relations"]):
        if is_link(link, target):
            continue
        link.parent.mkdir(exist_ok=True)
        if os.path.lexists(link):
            _clear(link, target, held)
        link.symlink_to(target)
        sync(link.parent)
        yield link


def _clear(link: Path, target: str, held: Lease) -> None:
    """Remove what stands in the place of a link and holds nothing of its own."""
    mine = held.path / Path(target).name
    if link.is_symlink() or (link.is_file() and _is_text(link, target, mine)):
        link.unlink()
    elif link.is_dir() and _is_copy(link, mine):
        for file in link.iterdir():
            file.unlink()
        link.rmdir()
    else:
        what = "is in the place of a link, and holds something else than the version"
        hint = "Move it out of the lake, and repair it again."
        raise AslibError(what, str(link), hint)


def _is_copy(folder: Path, mine: Path) -> bool:
    """Whether a folder holds nothing, or the very file that the link led to."""
    inside = list(folder.iterdir())
    return inside == [] or (
        inside == [folder / PART]
        and (folder / PART).read_bytes() == (mine / PART).read_bytes()
    )


def _is_text(link: Path, target: str, mine: Path) -> bool:
    """Whether a file holds the link's target, or the file that the link led to."""
    content = link.read_bytes()
    return content.strip() == target.encode() or (
        mine.is_file() and content == mine.read_bytes()
    )
