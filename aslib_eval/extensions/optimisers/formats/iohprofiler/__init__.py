"""Archives of IOHprofiler, as loggers of IOHexperimenter (package ``ioh``) write them.

A folder an algorithm, with ``IOHprofiler_f*.json`` (before 0.3.3 ``.info``) and the data that these name;
or a folder of such folders, or of archives with one of them each. ``archive_files`` reads them; it is
loaded where there is one.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from aslib_eval.extensions.optimisers.formats.algorithm_archives import archives_in, load_all
from aslib_eval.formats.format import Format, Parsed, absent
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, default_name, load_files

_META = (*("IOHprofiler_*.json", "*/IOHprofiler_*.json"), *("IOHprofiler_*.info", "*/IOHprofiler_*.info"))
_DATA = ("data_*/*.dat", "*/data_*/*.dat")
DIRECTION = "direction"  # what its user says, as a source of its own


# Of a file in an archive of one algorithm.
_OWN = re.compile(r"([^/]+/)?(IOHprofiler_[^/]+\.(json|info)|data_[^/]+/IOHprofiler_[^/]+\.dat)$")


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    is_one = any(next(path.glob(each), None) for each in _META)
    is_one = is_one or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _load(direction: str, location: Location) -> dict[str, Source]:
    globs = (*TEXTS, *_META, *_DATA)
    sources = load_all(location, partial(load_files, globs=globs), _OWN)
    said = {DIRECTION: Source.of(direction.encode())} if direction else {}
    return sources | said


def _read(direction: str, location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.optimisers.formats.iohprofiler.archive_files import read

    return read(direction, location, sources)


def iohprofiler_format(direction: str) -> Format:
    """The format; direction: min or max where the files do not say it, else empty."""
    return Format(
        "iohprofiler",
        _find,
        absent(
            "holds no IOHprofiler_*.json or *.info, nor do the folders in it",
            "Name a folder that its logger wrote.",
        ),
        default_name,
        partial(_load, direction),
        lambda location, _: default_name(location),
        partial(_read, direction),
    )


IOHPROFILER = iohprofiler_format("")
