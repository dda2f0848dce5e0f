"""Everything that is wrong with a lake, found without changing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.versions.leases import Lease, leased, scenario_ids
from aslib_eval.versions.locks import unheld
from aslib_eval.versions.places import (
    MANIFEST,
    PART,
    REPAIR,
    UNFINISHED,
    VERSIONS,
    is_link,
    links,
    scenario_of,
    stray_links,
    versions_in,
)


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
    """Hold every file of a lake against its hash, and every link against its target.

    Raises AslibError if there is no lake.
    """
    ids = scenario_ids(lake)
    yield from _strangers(lake)
    for scenario_id in ids:
        try:
            with leased(lake, scenario_id) as held:
                if held is not None:
                    yield from _version(lake, held)
        except AslibError as error:
            where = Path(error.where or lake)
            yield Damage(
                "link", where, f"{scenario_id}: {error.message}", error.hint or ""
            )
        except OSError as error:
            what = f"{scenario_id} cannot be read ({error.strerror})"
            yield Damage("file", Path(error.filename or lake), what)
    for link, _ in stray_links(lake):
        hint = "The next import removes it."
        yield Damage("leftover", link, "is a link to nothing", hint)


def _strangers(lake: Path) -> Iterator[Damage]:
    for path in sorted((lake / VERSIONS).iterdir()):
        if scenario_of(path.name) is None or not path.is_dir():
            yield Damage("stray", path, "is no scenario of this lake; it is ignored")


def _version(lake: Path, held: Lease) -> Iterator[Damage]:
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
    yield from _leftovers(held)


def _leftovers(held: Lease) -> Iterator[Damage]:
    for version in versions_in(held.path.parent, ""):
        if version != held.path and unheld(version):
            kind = "an unfinished" if version.name.startswith(UNFINISHED) else "an old"
            hint = "The next import removes it."
            yield Damage("leftover", version, f"is {kind} version", hint)
