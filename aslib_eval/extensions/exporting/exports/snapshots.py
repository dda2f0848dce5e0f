"""A lake's files as plain folders, which no import changes: ``lake snapshot``."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from aslib_eval.atomic_files import replacing, unwritable
from aslib_eval.errors import AslibError
from aslib_eval.lake.layout import MANIFEST, PART, PREFIX
from aslib_eval.lake.versions import Version, lease, scenario_ids
from aslib_eval.options import Lake, Option, Scenarios
from aslib_eval.paths import read_plain
from aslib_eval.signatures import public


@public
def snapshot(
    lake: Lake,
    to: Annotated[str | Path, Option("The new folder.", flags="", metavar="DIR")],
    *,
    scenarios: Scenarios = (),
) -> list[str]:
    """Copy a lake into a new folder without links; gives the scenarios that are in it.

    The folder holds ``<relation>/scenario_id=<id>/part-0.parquet`` and ``<id>.json``, each scenario as one
    version of it. It appears when it is complete.
    scenarios: globs on ids and folder names; none means all.

    lake: its folder. to: the new one.

    Raises:
        AslibError: when there is nothing to copy, if a scenario is damaged, or if the folder exists or
            cannot be written.

    >>> ae.lake_snapshot("lake", "copy")
    ['TOY-2026']
    """
    lake, to = Path(lake), Path(to)
    _require_new(to)
    home, hint = to.absolute().parent, "Choose another folder."
    with replacing(home, shown=to, hint=hint, whole=True) as draft:
        with unwritable(to, hint=hint):
            copied = _copied(lake, draft.path / to.name, scenarios)
        if not copied:
            what = "there is no scenario to copy"
            raise AslibError(what, str(lake), "Try 'aslib-eval list'.")
        _require_new(to)
    return copied


def _require_new(folder: Path) -> None:
    if os.path.lexists(folder):
        raise AslibError("exists already", str(folder), "Name a folder that does not.")


def _copied(lake: Path, to: Path, globs: Sequence[str]) -> list[str]:
    """Copy the scenarios that are asked for; gives their ids."""
    with lease(lake) as held:
        found = [held.version(scenario_id) for scenario_id in scenario_ids(lake)]
        chosen = [each for each in found if each is not None and _is_asked(each, globs)]
        for version in chosen:
            _copy(version, to)
    return [version.scenario_id for version in chosen]


def _is_asked(version: Version, globs: Sequence[str]) -> bool:
    names = (version.scenario_id, version.manifest().get("folder", ""))
    return not globs or any(fnmatchcase(n, glob) for n in names for glob in globs)


def _copy(held: Version, to: Path) -> None:
    home = held.path.parent.name
    for relation, facts in held.manifest()["relations"].items():
        content = read_plain(held.file(relation))
        if hashlib.sha256(content).hexdigest() != facts["sha256"]:
            what = f"{relation} of {held.scenario_id} is damaged"
            hint = "Import the scenario again."
            raise AslibError(what, str(held.file(relation)), hint)
        folder = to / relation / home
        folder.mkdir(parents=True)
        (folder / PART).write_bytes(content)
    manifest = read_plain(held.path / MANIFEST)
    (to / f"{home.removeprefix(PREFIX)}.json").write_bytes(manifest)
