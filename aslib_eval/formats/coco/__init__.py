"""Archives of COCO: experiments on bbob functions, as the observer of ``cocoex`` logs.

A folder an algorithm, ``exdata/NAME`` with ``*.info`` and the data that these name; or
a folder of such folders, or of archives with one of them each, as they are published.
``exdata`` reads them; it is loaded where there is one.
"""

from __future__ import annotations

import re
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.formats.algorithm_archives import archives_in, load_all
from aslib_eval.formats.format import Format, Parsed
from aslib_eval.formats.sources import (
    TEXTS,
    Location,
    Source,
    Sources,
    default_name,
)

_INFO = ("*.info", "*/*.info")
_DATA = (*("data_*/*.dat", "*/data_*/*.dat"), *("data_*/*.tdat", "*/data_*/*.tdat"))
# Of a file in an archive of one algorithm.
_OWN = re.compile(r"([^/]+/)?([^/]+\.info|data_f\d+/[^/]+\.t?dat)$")
_HEAD = 4096  # bytes in which an archive is recognised


def _find(path: Path) -> list[Location]:
    if not path.is_dir():
        return []
    files = (next(path.glob(each), None) for each in _INFO)
    is_one = any(map(_is_info, files)) or bool(archives_in(path, _OWN))
    return [Location(path, str(path))] if is_one else []


def _is_info(path: Path | None) -> bool:
    if path is None or not path.is_file():
        return False
    with path.open("rb") as file:
        return b"funcId" in file.read(_HEAD) and "IOHprofiler" not in path.name


def _absent(path: Path) -> AslibError:
    what = "holds no *.info of COCO, nor do the folders in it"
    return AslibError(what, str(path), "Name a folder that its observer wrote.")


def _identify(location: Location, sources: Sources) -> str:  # noqa: ARG001
    return default_name(location)


def _load(location: Location) -> dict[str, Source]:
    return load_all(location, (*TEXTS, *_INFO, *_DATA), _OWN)


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.formats.coco.exdata import read

    return read(location, sources)


COCO = Format("coco", _find, _absent, default_name, _load, _identify, _read)
