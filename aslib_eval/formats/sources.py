"""Files of a scenario with their hashes, rows all formats share, and TOML settings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.folders import open_plain
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.paths import NotTextError, as_text, as_toml, read_plain

T = TypeVar("T")
MAX_TEXT = 16 << 20  # bytes of a file that is read by people
HEAD = 1 << 18  # bytes in which a table is recognised
_HELD = 1 << 26  # bytes of files that are held whole, before anybody wants them
TEXTS = ("readme.txt", "citation.bib", "description.txt")


@dataclass(frozen=True)
class Source:
    """A file of the scenario: its bytes and their SHA-256."""

    content: bytes
    sha256: str

    @classmethod
    def of(cls, content: bytes) -> Source:
        """A file that holds these bytes."""
        return cls(content, hashlib.sha256(content).hexdigest())


Sources = Mapping[str, Source]


CHOICES = "choices"


def said_as_source(said: bytes) -> dict[str, Source]:
    """What options say, as a source of its own; none where they say nothing."""
    return {CHOICES: Source.of(said)} if said else {}


def in_unicode(sources: Sources) -> dict[str, Source]:
    """Sources with escapes in names that are no UTF-8, so that they can be recorded."""
    return {name.encode(errors="backslashreplace").decode(): source for name, source in sources.items()}


def read_source(path: Path) -> Source:
    """A file with its hash.

    Raises:
        OSError: when it cannot be read.
        AslibError: for a text that is too large to be one, or lies elsewhere.
    """
    home = path.parent.resolve().parent
    if path.name in TEXTS and not path.resolve().is_relative_to(home):
        what = "is a symbolic link to a file elsewhere, which would be published"
        raise AslibError(what, str(path), "Put the file itself there.")
    if path.name in TEXTS and (size := path.stat().st_size) > MAX_TEXT:
        what = f"is no {path.name}: it has {size / 2**20:.0f} MiB"
        hint = f"Such a text has at most {MAX_TEXT >> 20} MiB."
        raise AslibError(what, str(path), hint)
    return Source.of(read_plain(path))


@dataclass(frozen=True)
class FileHead:
    """How a file begins, and whether that is all of it."""

    content: bytes
    is_whole: bool


class FilesRead:
    """What an import has read: no file is opened twice, nor looked at twice.

    Formats that look into a file to know whether it is theirs see the same bytes, and ``load`` takes them
    over.
    """

    def __init__(self) -> None:
        self._heads: dict[Path, FileHead] = {}
        self._sources: dict[Path, Source] = {}
        self._made: dict[Hashable, Any] = {}
        self._room = _HELD

    def head(self, path: Path) -> FileHead:
        """At least the first ``HEAD`` bytes of a file; all of it while there is room.

        Raises:
            OSError: when it cannot be read.
        """
        if path not in self._heads:
            with open_plain(path) as file:
                content = file.read(HEAD + 1)
                if len(content) > HEAD and os.fstat(file.fileno()).st_size < self._room:
                    content += file.read()
                is_whole = not file.read(1)
            self._heads[path] = FileHead(content, is_whole)
            self._room -= len(content) if is_whole else 0
        return self._heads[path]

    def source(self, path: Path, *, keep: bool = False) -> Source:
        """A file with its hash; raises as ``read_source``.

        keep: whether it will be asked for again.
        """
        if path in self._sources:
            return self._sources[path]
        head = self._heads.get(path)
        is_held = head is not None and head.is_whole
        source = Source.of(head.content) if head and is_held else read_source(path)
        if keep or is_held:
            self._sources[path] = source
        return source

    def once(self, key: Hashable, make: Callable[[], T], *, keep: bool = False) -> T:
        """What was made of some files before, else what is made of them now.

        keep: whether it will be asked for again.
        """
        made: T = self._made[key] if key in self._made else make()
        if keep:
            self._made[key] = made
        return made


@dataclass(frozen=True)
class Location:
    """Where a scenario's files lie, and the path to show to its user.

    ``part`` says which scenario of the folder it is where one folder holds several. ``header`` has the
    columns of a table that was only recognised by them, ``files`` what was read already. ``archive``: from
    which its files were unpacked.
    """

    path: Path
    shown: str
    part: str = ""
    header: tuple[str, ...] = ()
    files: FilesRead = field(default_factory=FilesRead, compare=False)
    archive: Path | None = None

    @property
    def folder(self) -> str:
        """Name of the scenario's folder."""
        return Path(self.shown).name

    def file(self, name: str) -> str:
        """The path of one of its files, as shown to the user."""
        return f"{self.shown}/{name}"


def load_files(location: Location, globs: Sequence[str]) -> dict[str, Source]:
    """The files of a folder that match, by their path in it; or the one file."""
    root = location.path
    with os_errors(hint="Check the permissions."):
        if root.is_file():
            return {root.name: location.files.source(root)}
        paths = sorted({p for glob in globs for p in _matching(root, glob)})
        for path in paths:
            if not path.is_file():
                what = "is not a plain file"
                raise AslibError(what, str(path), "Remove it or put the file there.")
        return {p.relative_to(root).as_posix(): location.files.source(p) for p in paths}


def _matching(root: Path, glob: str) -> Iterator[Path]:
    """Whatever has such a name; a plain name need not lead anywhere."""
    if "*" in glob:
        yield from root.glob(glob)
    elif os.path.lexists(root / glob):
        yield root / glob


def shown(location: Location, name: str) -> str:
    """The path of a source as its user gave it, also where that is a single file."""
    return location.shown if location.path.is_file() else location.file(name)


def default_name(location: Location) -> str:
    """The folder's name, or a file's without its ending."""
    path = Path(location.shown)
    return path.stem if location.path.is_file() else path.name


def digest_of(sources: Sources) -> str:
    """SHA-256 of all files, their names and contents."""
    lines = (f"{source.sha256}  {name}\n" for name, source in sorted(sources.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def source_table(sources: Sources) -> pa.Table:
    """The relation ``source``."""
    rows = [
        {
            "file": name,
            "bytes": len(source.content),
            "sha256": source.sha256,
            "text": source.content.decode(errors="replace") if name in TEXTS else None,
        }
        for name, source in sorted(sources.items())
    ]
    return table("source", rows)


# Rows that scenarios of several formats have alike.


def scenario_table(
    location: Location,
    sources: Sources,
    *,
    measures: Mapping[str, bool],
    cutoffs: Mapping[str, float | None] | None = None,
) -> pa.Table:
    """The relation ``scenario``: objectives and whether more is better.

    cutoffs: of the measures that have one.
    """
    limits, digest = cutoffs or {}, digest_of(sources)
    rows: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality",
            "maximize": maximize,
            "cutoff": limits.get(measure),
            "missing": [],
            "source_sha256": digest,
        }
        for index, (measure, maximize) in enumerate(measures.items(), 1)
    ]
    return table("scenario", rows)


def algorithm_table(names: Sequence[str]) -> pa.Table:
    """The relation ``algorithm``, of algorithms that are only known by their runs."""
    rows = [{"algorithm": n, "described": False, "has_runs": True} for n in names]
    return table("algorithm", rows)


def table(relation: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows in the contract's schema; what they lack is null.

    Raises:
        KeyError: a row has what is no column of the relation, or lacks a key of it.

    """
    found = RELATIONS[relation]
    unknown = set[str]().union(*rows).difference(found.schema.names)
    lacking = [key for key in found.key[1:] if any(key not in row for row in rows)]
    if unknown or lacking:
        raise KeyError(relation, *sorted(unknown), *lacking)
    return pa.Table.from_pylist(list(rows), found.schema)


# A TOML file of settings beside a scenario's files, and everything wrong with it.

# Key → whether a value will do, and what it must be in words.
Keys = Mapping[str, tuple[Callable[[Any], bool], str]]


def read_settings_file(
    content: bytes, *, file: str, code: str, keys: Keys
) -> tuple[dict[str, Any], list[Finding]]:
    """The values by their keys, and findings of that code: not TOML, or wrong keys."""
    try:
        raw = as_toml(as_text(content, file=file), file=file)
    except NotTextError as error:
        return {}, [error.finding(code)]
    except AslibError as error:
        return {}, [Finding(code, "error", file, None, error.message)]
    faults = [Finding(code, "error", file, line_of(content, key), what) for key, what in _faults(raw, keys)]
    return raw, faults


def is_text(value: Any) -> bool:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def line_of(content: bytes, key: str) -> int | None:
    """The first line that begins with the key, as far as that can be determined."""
    for number, line in enumerate(content.decode().split("\n"), 1):
        start = line.partition("=")[0].partition("#")[0].replace('"', "")
        if start.strip().strip("[]").strip() == key:
            return number
    return None


def _faults(raw: Mapping[str, Any], keys: Keys) -> Iterator[tuple[str, str]]:
    for key, value in raw.items():
        if (right := keys.get(key)) is None:
            yield key, f"unknown key {key!r}; there are {', '.join(keys)}"
        elif not right[0](value):
            yield key, f"{key} must be {right[1]}"
