"""Which versions of which scenarios are opened: those asked for and undamaged."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path

from aslib_eval.errors import AslibError, LeftOut, os_errors
from aslib_eval.lake.layout import require_unicode
from aslib_eval.lake.versions import Lease, Manifest, Version, lease, scenario_ids
from aslib_eval.text import list_names, nearest, plural


def manifests(lake: str | PathLike[str], scenarios: Sequence[str] = ()) -> dict[str, Manifest]:
    """The manifest of each scenario that ``open_lake`` opens now, by id."""
    held = leases(Path(lake), scenarios)
    try:
        return {v.scenario_id: v.manifest() for v in held.versions}
    finally:
        held.release()


def leases(lake: Path, scenarios: Sequence[str]) -> Lease:
    """Lease every scenario that is asked for and undamaged."""
    require_unicode(lake)
    with os_errors(lake, "Name another --lake."):
        ids = scenario_ids(lake) if lake.is_dir() else []
    found: list[Version] = []
    damaged: list[AslibError] = []
    with ExitStack() as stack:
        held = stack.enter_context(lease(lake))
        for scenario_id in ids:
            try:
                found += _asked(held, scenario_id, scenarios)
            except AslibError as error:
                damaged.append(error)
        if found:
            for each in damaged:
                warnings.warn(f"left out: {each}", LeftOut, stacklevel=3)
            stack.pop_all()
            return replace(held, versions=tuple(found))
    raise _nothing(lake, ids, scenarios, damaged)


def narrowed(held: Lease, scenarios: Sequence[str]) -> Lease:
    """Of all that is leased, the scenarios that are asked for."""
    known = replace(held, pinned=True)
    ids = [version.scenario_id for version in held.versions]
    found = [version for name in ids for version in _asked(known, name, scenarios)]
    if not found:
        raise _nothing(held.lake, ids, scenarios, [])
    return replace(held, versions=tuple(found))


def _nothing(lake: Path, ids: list[str], scenarios: Sequence[str], damaged: list[AslibError]) -> AslibError:
    """Why a lake cannot be opened."""
    if damaged:
        return _first_error(damaged)
    if ids and scenarios:
        what = f"no scenario matches {' or '.join(scenarios)}"
        every = f"It holds {list_names(ids, most=40, quoted=False)}."
        return AslibError(what, str(lake), nearest(scenarios, ids) or every)
    hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
    return AslibError("there is no lake with a scenario", str(lake), hint)


def _first_error(damaged: Sequence[AslibError]) -> AslibError:
    """The first error, and how many more scenarios have one."""
    first, more = damaged[0], len(damaged) - 1
    if not more:
        return first
    what = f"{first.message} (and {plural(more, 'more scenario')})"
    return AslibError(what, first.where, first.hint)


def _asked(held: Lease, scenario_id: str, scenarios: Sequence[str]) -> list[Version]:
    """The current version of a scenario, if there is one and it is asked for."""
    by_id = not scenarios or _matches([scenario_id], scenarios)
    try:
        version = held.version(scenario_id)
        if version is None:
            return []
        if not by_id and not _matches([version.manifest().get("folder", "")], scenarios):
            return []
        if not held.pinned:  # else it was when the lake was opened
            version.verify()
    except AslibError:
        if by_id:
            raise
        return []  # the name of its folder cannot be read
    return [version]


def _matches(names: Sequence[str], scenarios: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for name in names for glob in scenarios)
