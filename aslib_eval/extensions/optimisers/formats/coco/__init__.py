"""Archives of COCO: experiments on bbob functions, as the observer of ``cocoex`` logs.

A folder an algorithm, ``exdata/NAME`` with ``*.info`` and the data that these name; or a folder of such
folders, or of archives with one of them each, as they are published. ``exdata`` reads them; it is loaded
where there is one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from aslib_eval.errors import os_errors
from aslib_eval.extensions.optimisers.formats.algorithm_archives import archives_in, load_all
from aslib_eval.formats.format import Format, Parsed, absent
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, default_name, load_files

_DEPTH = 5  # folders above an .info, as some packages have one for each run
# Of a file in an archive of one algorithm, to be recognised by.
_OWN = re.compile(r"([^/]+/){0,5}(?!IOHprofiler)[^/]*(\.info|\.[rt]dat|(DIM|_d)\d+[^/]*\.dat)$")
_META = re.compile(rb"\b(funcId|indicator)\s*=")
_HEAD = 4096  # bytes in which an archive is recognised
_NAMED = re.compile(rb"[^,\n]+\.dat(?=\s*(?:,|$))", re.MULTILINE)


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    near = [*path.glob("*.info"), *path.glob("*/*.info")]
    is_one = any(map(_is_info, near)) or _is_deep(path) or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _is_deep(path: Path) -> bool:
    """Whether each folder in it holds records, at whatever depth they lie."""
    folders = [p for p in path.iterdir() if p.is_dir() and not _is_other(p.name)]
    return bool(folders) and all(any(map(_is_info, _infos(p))) for p in folders)


def _infos(path: Path) -> Iterator[Path]:
    for folder, inside, files in os.walk(path):
        if len(Path(folder).relative_to(path).parts) == _DEPTH:
            inside.clear()
        inside[:] = sorted(name for name in inside if not _is_other(name))
        yield from (Path(folder, name) for name in sorted(files) if _is_meta(name))


def _is_other(name: str) -> bool:
    """Whether a name is of what a system puts beside the files."""
    return name.startswith(".") or name == "__MACOSX"


def _is_meta(name: str) -> bool:
    return name.endswith(".info") and not _is_other(name) and "IOHprofiler" not in name


def _is_info(path: Path) -> bool:
    if not _is_meta(path.name) or not path.is_file():
        return False
    with path.open("rb") as file:
        return _META.search(file.read(_HEAD)) is not None


def _load(location: Location) -> dict[str, Source]:
    """The records, and the data that they name, whatever their folders are called."""
    return load_all(location, _files, _OWN)


def _files(folder: Location) -> dict[str, Source]:
    from aslib_eval.extensions.optimisers.formats.searches import inside

    root = folder.path
    names: dict[str, None] = {}
    with os_errors(hint="Check the permissions."):
        infos = [path for path in _infos(root) if _is_info(path)]
        for path in infos:
            name = path.relative_to(root).as_posix()
            names[name] = None
            for data in _NAMED.findall(path.read_bytes()):
                if there := inside(name, os.fsdecode(data).strip()):
                    names[there] = None
                    names[there.removesuffix(".dat") + ".tdat"] = None
    return load_files(folder, (*TEXTS, *names))


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.optimisers.formats.coco.exdata import read

    return read(location, sources)


COCO = Format(
    "coco",
    _find,
    absent("holds no *.info of COCO, nor do the folders in it", "Name a folder that its observer wrote."),
    default_name,
    _load,
    lambda location, _: default_name(location),
    _read,
)
