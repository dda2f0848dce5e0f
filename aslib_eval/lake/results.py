"""Built results: relations of one scenario under one protocol, as Parquet files.

A file is named after all that it was made from, so that it is never out of date, and
after its own content, so that damage shows:

    scenario_id=X/<data>-<choices>/<relation>.<sql>.<content>.parquet

``data`` is of the scenario with its selections, ``choices`` of the protocol, ``sql`` of
the SELECT with all that it reads. The files lie in the folder ``.results`` of the lake,
or in the user's cache folder if the lake cannot be written. Removing them loses nothing
but the time to build them again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError
from aslib_eval.lake.layout import partition
from aslib_eval.lake.schema import FORMAT
from aslib_eval.paths import cache_folder

RESULTS = ".results"
LIMIT = "ASLIB_RESULTS_LIMIT"
# Raised when files are written in another way, so that those there are not read.
_LAYOUT = 1
_USUAL = 1024  # MiB
_DIGITS = 16  # of a hash in a name
_DRAFT = ".new-"
_PARQUET = ".parquet"
_DAY = 86_400.0  # seconds


def digest(*parts: str | bytes) -> str:
    """The start of a SHA-256 over texts, as it stands in names."""
    found = hashlib.sha256()
    for part in parts:
        content = (
            part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        )
        found.update(f"{len(content)}\n".encode() + content)
    return found.hexdigest()[:_DIGITS]


def data_of(manifest: Mapping[str, Any]) -> str:
    """What a version holds, as it stands in the names of its results."""
    hashes = {name: facts["sha256"] for name, facts in manifest["relations"].items()}
    text = json.dumps(
        [_LAYOUT, FORMAT, manifest["scenario_id"], hashes], sort_keys=True
    )
    return digest(text)


def folders(lake: Path) -> tuple[Path, ...]:
    """Where results of a lake may lie: the first is where new ones are written."""
    inside, mine = lake / RESULTS, cache_folder() / "results"
    return (inside, mine) if os.access(lake, os.W_OK) else (mine, inside)


def unit_folder(root: Path, scenario_id: str, data: str, choices: str) -> Path:
    """The folder of the results of one version under one protocol."""
    return root / partition(scenario_id) / f"{data}-{choices}"


def whole_files(
    folder: Path, names: Collection[str], *, suffix: str = _PARQUET
) -> dict[str, Path]:
    """Those of the names (``relation.sql``) that the folder has, and their files.

    Whatever is damaged, or no file, is removed where that is possible and never given.
    """
    found: dict[str, Path] = {}
    for file in _listed(folder):
        name, _, content = file.removesuffix(suffix).rpartition(".")
        if name in names and name not in found and file.endswith(suffix):
            path = folder / file
            if _is_whole(path, content):
                found[name] = path
            else:
                with suppress(OSError):
                    _remove(path)
    if found:
        with suppress(OSError):  # when it was last asked for
            os.utime(folder)
    return found


def _is_whole(path: Path, content: str) -> bool:
    try:  # a pipe would be waited for
        return path.is_file() and digest(path.read_bytes()) == content
    except OSError:
        return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def new_draft(folder: Path, *, suffix: str = _PARQUET) -> Path:
    """A path for a file to be written, which ``keep`` then takes."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=_DRAFT, suffix=suffix, dir=folder)
    os.close(descriptor)
    return Path(name)


def keep(draft: Path, name: str) -> Path:
    """Give a written file its name; the same one written twice is there once."""
    kept = draft.with_name(f"{name}.{digest(draft.read_bytes())}{draft.suffix}")
    if kept.is_dir():
        _remove(kept)
    draft.chmod(0o644)
    draft.replace(kept)
    return kept


def forget(root: Path, scenario_id: str, data: str | None) -> None:
    """Remove the results of other versions of a scenario than the one of ``data``.

    Nobody may read those versions any more.
    """
    home = root / partition(scenario_id)
    for name in _listed(home):
        if data is None or not name.startswith(f"{data}-"):
            shutil.rmtree(home / name, ignore_errors=True)
    for folder in (home, root):
        with suppress(OSError):
            folder.rmdir()


def limit() -> int:
    """How many bytes the results of a user's own protocols may take."""
    given = os.environ.get(LIMIT) or str(_USUAL)
    with suppress(ValueError):
        if (size := float(given)) >= 0:
            return int(min(size, 2.0**40) * 2**20)
    what = f"{given!r} is no number of MiB"
    raise AslibError(what, LIMIT, f"Try {LIMIT}={_USUAL}.")


def trim(root: Path, *, kept: Iterable[str], most: int) -> None:
    """Remove results that were not asked for longest, until the others fit.

    kept: choices of protocols whose results are not counted and stay. most: bytes of
    all others. What was asked for within a day stays in any case, as somebody may be
    reading it. Drafts that nobody writes any more go as well.
    """
    always = frozenset(kept)
    found: list[tuple[float, int, Path]] = []
    for home in _listed(root):
        for name in _listed(root / home):
            folder = root / home / name
            with suppress(OSError):
                _remove_drafts(folder)
                if name.rpartition("-")[2] not in always:
                    files = [folder / file for file in _listed(folder)]
                    size = sum(file.stat().st_size for file in files)
                    found.append((folder.stat().st_mtime, size, folder))
    total = sum(size for _, size, _ in found)
    for last, size, folder in sorted(found):
        if total <= most or time.time() - last < _DAY:
            break
        shutil.rmtree(folder, ignore_errors=True)
        total -= size


def _remove_drafts(folder: Path) -> None:
    for name in _listed(folder):
        if name.startswith(_DRAFT):
            draft = folder / name
            if time.time() - draft.stat().st_mtime > _DAY:
                draft.unlink()


def _listed(folder: Path) -> Sequence[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
    except OSError:  # nothing, or nothing that may be seen
        return []
