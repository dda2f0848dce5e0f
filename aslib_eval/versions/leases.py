"""What is current, and how to hold it while others replace it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.parquet as pq

from aslib_eval.errors import AslibError
from aslib_eval.versions.locks import VERSIONS, hold

_LONGEST = 200
PREFIX = "scenario_id="
CURRENT = "current"
MANIFEST = "manifest.json"
PART = "part-0.parquet"
Manifest = dict[str, Any]


@dataclass(frozen=True)
class Lease:
    """A version that stays on disk until the lease is released."""

    scenario_id: str
    path: Path
    lock: int

    def release(self) -> None:
        """Let go; a replaced version may then be removed by the next writer."""
        with suppress(OSError):
            os.close(self.lock)

    def manifest(self) -> Manifest:
        """The version's manifest."""
        found: Manifest = json.loads((self.path / MANIFEST).read_text())
        return found

    def file(self, relation: str) -> Path:
        """Where a relation lies in this version, if it has it."""
        return self.path / relation / PART

    def table(self, relation: str, columns: list[str] | None = None) -> pa.Table | None:
        """A relation of this version, or some columns; None if there is none.

        Raises AslibError if its file is damaged.
        """
        file = self.file(relation)
        if not file.is_file():
            return None
        try:
            return pq.ParquetFile(file).read(columns=columns)
        except (OSError, pa.ArrowException) as error:
            what = f"cannot be read ({error})"
            hint = "Remove it and import the scenario and what is missing again."
            raise AslibError(what, str(file), hint) from None


def partition(scenario_id: str) -> str:
    """The Hive partition folder of a scenario, safe as a file name.

    Raises AslibError if the id is too long for one.
    """
    name = PREFIX + quote(scenario_id, safe="")
    if len(name) > _LONGEST:
        what = f"the scenario_id of {len(scenario_id)} characters is too long"
        raise AslibError(what, None, "Shorten it to 180 plain characters.")
    return name


def scenario_ids(lake: Path) -> list[str]:
    """Scenarios that the lake holds, by name."""
    found = lake.glob(f"{VERSIONS}/{PREFIX}*/{CURRENT}")
    return sorted(unquote(p.parent.name.removeprefix(PREFIX)) for p in found)


def lease(lake: Path, scenario_id: str) -> Lease | None:
    """Hold the current version of a scenario; None if there is none."""
    home = lake / VERSIONS / partition(scenario_id)
    while True:
        target = current(home)
        if target is None:
            return None
        try:
            lock = hold(target)
        except FileNotFoundError:
            if current(home) == target:
                return None  # somebody removed it by hand
            continue  # replaced and removed in between: look again
        if current(home) == target:
            return Lease(scenario_id, target, lock)
        os.close(lock)


def manifest(lake: Path, scenario_id: str) -> Manifest | None:
    """The current manifest of a scenario, None if there is none or files are gone.

    The files are looked for where a plain reader finds them.
    """
    held = lease(lake, scenario_id)
    if held is None:
        return None
    home = partition(scenario_id)
    try:
        found = held.manifest()
        (lake / f"{home.removeprefix(PREFIX)}.json").stat()
        for name, facts in found["relations"].items():
            file = lake / name / home / PART
            if file.stat().st_size != facts["bytes"]:
                return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        held.release()
    return found


def current(home: Path) -> Path | None:
    """The folder of the current version below a scenario's home, None without one."""
    try:
        return home / (home / CURRENT).readlink()
    except (FileNotFoundError, NotADirectoryError):
        return None
