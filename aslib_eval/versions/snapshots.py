"""A lake's files as plain folders, which no import changes."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.versions.files import store, sync
from aslib_eval.versions.leases import Lease, leased, scenario_ids
from aslib_eval.versions.places import MANIFEST, PART, PREFIX


def snapshot(lake: Path, to: Path, *, scenarios: Sequence[str] = ()) -> list[str]:
    """Copy a lake into a new folder without links; gives the scenarios that are in it.

    The folder holds ``<relation>/scenario_id=<id>/part-0.parquet`` and ``<id>.json``,
    each scenario as one version of it. It appears when it is complete. ``scenarios``
    are globs on ids and folder names; none means all.
    Raises AslibError if there is nothing to copy, if a scenario is damaged, or if the
    folder exists or cannot be written.
    """
    if os.path.lexists(to):
        raise AslibError("exists already", str(to), "Name a folder that does not.")
    scratch = None
    try:
        scratch = Path(tempfile.mkdtemp(prefix=".snapshot-", dir=to.absolute().parent))
        copied = [
            scenario_id
            for scenario_id in scenario_ids(lake)
            if _copied(lake, scenario_id, scratch, scenarios)
        ]
        if not copied:
            what = "there is no scenario to copy"
            raise AslibError(what, str(lake), "Try 'aslib-eval list'.")
        scratch.chmod(0o755)
        sync(scratch)
        scratch.rename(to)
        scratch = None
        sync(to.absolute().parent)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise AslibError(what, str(to), "Choose another folder.") from None
    finally:
        if scratch is not None:
            with suppress(OSError):
                shutil.rmtree(scratch)
    return copied


def _copied(lake: Path, scenario_id: str, to: Path, globs: Sequence[str]) -> bool:
    """Whether there is such a scenario that is asked for; if so it is copied."""
    with leased(lake, scenario_id) as held:
        if held is None:
            return False
        names = (scenario_id, held.manifest().get("folder", ""))
        if globs and not any(fnmatchcase(n, glob) for n in names for glob in globs):
            return False
        _copy(held, to)
    return True


def _copy(held: Lease, to: Path) -> None:
    home = held.path.parent.name
    for relation, facts in held.manifest()["relations"].items():
        content = held.file(relation).read_bytes()
        if hashlib.sha256(content).hexdigest() != facts["sha256"]:
            what = f"{relation} of {held.scenario_id} is damaged"
            hint = "Import the scenario again."
            raise AslibError(what, str(held.file(relation)), hint)
        folder = to / relation / home
        folder.mkdir(parents=True)
        store(folder / PART, content)
        sync(folder)
        sync(folder.parent)
    manifest = (held.path / MANIFEST).read_bytes()
    store(to / f"{home.removeprefix(PREFIX)}.json", manifest)
