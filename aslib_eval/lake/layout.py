"""Where a scenario lies in a lake, and which of its versions is current."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import RELATIONS

VERSIONS = ".versions"
PREFIX = "scenario_id="
CURRENT = "current"
MANIFEST = "manifest.json"
PART = "part-0.parquet"
# A folder is filled under the first name and gets the second when it is complete.
UNFINISHED = "new-"
WHOLE = "v-"
_LONGEST = 200
REPAIR = "Run 'aslib-eval lake repair' on it; nothing is lost by that."


def require_unicode(lake: Path) -> None:
    """Raise AslibError for a folder whose files DuckDB cannot open."""
    name = str(lake.absolute())
    if name != name.encode(errors="ignore").decode():
        what = "a lake lies in no folder whose name is no Unicode text"
        raise AslibError(what, str(lake), "Name another --lake, or rename the folder.")


def partition(scenario_id: str) -> str:
    """The Hive partition folder of a scenario, safe as a file name."""
    try:
        name = PREFIX + quote(scenario_id, safe="")
    except UnicodeEncodeError:
        what = f"the scenario_id {scenario_id!a} is no Unicode text"
        raise AslibError(what, None, "Give it another one.") from None
    if len(name) > _LONGEST:
        what = f"the scenario_id of {len(scenario_id)} characters is too long"
        raise AslibError(what, None, "Shorten it to 180 plain characters.")
    return name


def _code(scenario_id: str) -> str:
    """The partition folder with every letter as its code: no two ids differ in case."""
    return PREFIX + "".join(f"%{byte:02X}" for byte in scenario_id.encode())


def _escaped(scenario_id: str) -> str:
    code = _code(scenario_id)
    if len(code) > _LONGEST:
        what = f"the scenario_id {scenario_id!r} differs only in case from another one"
        raise AslibError(what, None, "Give it a name that differs in more.")
    return code


def home_of(lake: Path, scenario_id: str) -> Path:
    """The folder that holds a scenario's versions, or that a new one would get.

    It is named like the partition. If another scenario's name differs from that in nothing but case, which
    some file systems ignore, every letter is escaped.
    """
    return home_among(frozenset(names_in(lake / VERSIONS)), lake, scenario_id)


def home_among(names: frozenset[str], lake: Path, scenario_id: str) -> Path:
    """The home of a scenario where homes of these names are there."""
    plain = partition(scenario_id)
    if plain in names:
        return lake / VERSIONS / plain
    taken = plain.casefold() in {name.casefold() for name in names}
    if taken or _code(scenario_id) in names:
        return lake / VERSIONS / _escaped(scenario_id)
    return lake / VERSIONS / plain


def scenario_of(name: str) -> str | None:
    """The scenario whose home has this name; None if it is no home's name."""
    if not name.startswith(PREFIX):
        return None
    with suppress(UnicodeDecodeError, AslibError):
        found = unquote(name.removeprefix(PREFIX), errors="strict")
        if found and name in (partition(found), _code(found)):
            return found
    return None


def homes(lake: Path) -> list[tuple[str, Path]]:
    """Every scenario and the folder of its versions, by scenario."""
    names = names_in(lake / VERSIONS)
    found = [(scenario_of(name), lake / VERSIONS / name) for name in names]
    return sorted(
        (known, home) for known, home in found if known and home.is_dir() and not home.is_symlink()
    )


def versions_in(home: Path, prefix: str = WHOLE) -> list[Path]:
    """The folders of versions in a scenario's home."""
    found = [home / name for name in names_in(home) if name.startswith(prefix)]
    return sorted(p for p in found if p.is_dir() and not p.is_symlink())


def current(home: Path) -> Path | None:
    """The folder of the current version below a scenario's home, None without one."""
    while True:
        target = _target(home)
        if target is not None and (home / target).is_dir():
            return home / target
        lost = versions_in(home)
        if _target(home) != target or (target and (home / target).is_dir()):
            continue  # replaced in between: look again
        if target is not None and lost:
            what = f"its current version {target} is gone, but others are there"
            raise AslibError(what, str(home), REPAIR)
        if lost:
            what = "it holds versions, but no link that says which one is current"
            raise AslibError(what, str(home), REPAIR)
        return None


def _target(home: Path) -> str | None:
    """What the link ``current`` leads to; None if there is nothing."""
    link = home / CURRENT
    try:
        target = os.readlink(link)  # noqa: PTH115 - a name, whatever it holds
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        what = f"{CURRENT!r} is no symbolic link; the lake was copied without them"
        raise AslibError(what, str(home), REPAIR) from None
    if not target.startswith(WHOLE) or "/" in target or (home / target).is_symlink():
        what = f"{CURRENT!r} leads to {target!r}, which is no version of it"
        raise AslibError(what, str(home), REPAIR)
    return target


def links(lake: Path, home: Path, relations: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Every link through which plain readers find a scenario, and where it leads."""
    inside = f"{VERSIONS}/{home.name}/{CURRENT}"
    for relation in sorted(relations):
        yield lake / relation / home.name, f"../{inside}/{relation}"
    name = home.name.removeprefix(PREFIX)
    yield lake / f"{name}.json", f"{inside}/{MANIFEST}"


def is_link(link: Path, target: str) -> bool:
    """Whether a path is a symbolic link with this very target."""
    try:
        return os.readlink(link) == target  # noqa: PTH115 - as text
    except OSError:
        return False


def stray_links(lake: Path) -> Iterator[tuple[Path, str]]:
    """Links of plain readers that lead to nothing, and the home that they are of."""
    for relation in RELATIONS:
        for name in names_in(lake / relation):
            home = lake / VERSIONS / name
            for link, target in links(lake, home, [relation]):
                if link.parent != lake and is_link(link, target) and not link.exists():
                    yield link, name
    for file in names_in(lake):
        name = PREFIX + file.removesuffix(".json")
        for link, target in links(lake, lake / VERSIONS / name, ()):
            if link.name == file and is_link(link, target) and not link.exists():
                yield link, name


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted; none if it is not there."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
    except (FileNotFoundError, NotADirectoryError):
        return []
