"""What organisers published, value by value.

A file, a folder or an archive of tables becomes ``PublishedValue`` rows: pages of SAT Competitions,
SMT-COMP, CHC-COMP and MaxSAT Evaluations in HTML or Markdown, ``*_results.txt`` of CHC-COMP, the pair
scores within ``results.json`` of the MiniZinc Challenge, and CSV with the columns board, solver, column and
value for whatever else there is.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.extensions.competitions.formats.minizinc import is_challenge
from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import unzipped
from aslib_eval.extensions.competitions.formats.published.pages import of_markdown, of_page
from aslib_eval.extensions.competitions.formats.published.published_value import PublishedValue
from aslib_eval.extensions.competitions.formats.published.text_tables import (
    CSV_COLUMNS,
    of_chc_text,
    of_csv,
    of_pair_scores,
)
from aslib_eval.formats.archive import is_archive, unpack
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.formats.sources import FilesRead

_HINT = "Known are pages .html and .md, *_results.txt of CHC-COMP, results.json[.gz] of the"
_HINT += " MiniZinc Challenge, .csv, and folders and archives of these. Type others as"
_HINT += f" CSV with the columns {','.join(CSV_COLUMNS)}."


def published(path: str | Path) -> list[PublishedValue]:
    """Every published value at a path, in the order of the files and their lines.

    path: a file, an archive, or a folder with either; of a folder, and of an archive, what is no such table
        is passed over.

    Raises:
        AslibError: there is none, or one cannot be read.
    """
    path = Path(path)
    with os_errors(path, "Check the permissions."):
        if path.is_dir():
            found = [*_of_folder(path, str(path))]
        elif is_archive(path) and path.is_file():
            found = [*_of_archive(path, str(path))]
        else:
            found = _of_file(path)
    if not found:
        raise AslibError("holds no published table of solvers", str(path), _HINT)
    return found


def _of_file(path: Path) -> list[PublishedValue]:
    read = _reader(path)
    if read is None or not path.is_file():
        what = "is no published table" if path.exists() else "does not exist"
        raise AslibError(what, str(path), _HINT)
    return read(_content(path), str(path))


def _of_archive(path: Path, shown: str) -> Iterator[PublishedValue]:
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        unpack(path, Path(scratch))
        yield from _of_folder(Path(scratch), shown)


def _of_folder(folder: Path, shown: str) -> Iterator[PublishedValue]:
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = f"{shown}/{path.relative_to(folder).as_posix()}"
        if is_archive(path):
            yield from _of_archive(path, name)
        elif (read := _reader(path)) is not None and _is_published(path):
            yield from read(_content(path), name)


def _content(path: Path) -> bytes:
    return unzipped(path.read_bytes(), file=str(path))


_READERS: Mapping[str, Callable[[bytes, str], list[PublishedValue]]] = {
    ".html": of_page,
    ".htm": of_page,
    ".md": of_markdown,
    "results.txt": of_chc_text,
    ".json": of_pair_scores,
    ".json.gz": of_pair_scores,
    ".csv": of_csv,
}


def _reader(path: Path) -> Callable[[bytes, str], list[PublishedValue]] | None:
    name = path.name.lower()
    return next((read for ending, read in _READERS.items() if name.endswith(ending)), None)


_SOLVERS = re.compile(
    rb"(<t[hd][^>]*>\s*(solver|tool)( name)?\s*<|^\|\s*solver\s*\|"
    rb"|<t[hd][^>]*>\s*average time\s*<)",
    re.IGNORECASE | re.MULTILINE,
)


def _is_published(path: Path) -> bool:
    """Whether a file in a folder is such a table, and neither text nor raw results."""
    name, files = path.name.lower(), FilesRead()
    if name.endswith((".html", ".htm", ".md")):
        return _SOLVERS.search(path.read_bytes()) is not None
    if name.endswith(".csv"):
        header = {cell.strip().lower() for cell in header_of(path, files)}
        return {*CSV_COLUMNS} <= header
    return not name.endswith((".json", ".json.gz")) or is_challenge(path, files)
