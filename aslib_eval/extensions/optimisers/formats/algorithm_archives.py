"""Folders of archives that hold an algorithm each, as those of COCO are published."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from aslib_eval.formats.archive import first_names, is_archive, unpack
from aslib_eval.formats.sources import Location, Source


def archives_in(path: Path, meta: re.Pattern[str]) -> list[Path]:
    """The archives of a folder if there are several, each of one algorithm; else none.

    meta: matches the name of a file that tells.
    """
    found = sorted(p for p in path.iterdir() if is_archive(p) and p.is_file())
    if len(found) > 1 and all(any(map(meta.match, first_names(p))) for p in found):
        return found
    return []


def load_all(
    location: Location, load: Callable[[Location], dict[str, Source]], meta: re.Pattern[str]
) -> dict[str, Source]:
    """The files that ``load`` finds in a folder and in its archives, by their path."""
    sources = load(location)
    if not location.path.is_dir():
        return sources
    for archive in archives_in(location.path, meta):
        with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
            folder = unpack(archive, Path(scratch))
            inside = Location(folder, location.file(archive.name))
            files = load(inside)
        sources |= {f"{archive.name}/{name}": each for name, each in files.items()}
    return sources
