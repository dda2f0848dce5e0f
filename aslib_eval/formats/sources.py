"""Files of a scenario: read once with their hashes, unpacked from archives, as rows of CSV and as settings.

Nothing of an archive is written before every member was looked at, and only plain files and folders are
made: links, devices, owners and modes have no way in.
"""

from __future__ import annotations

import csv
import errno
import gzip
import hashlib
import io
import lzma
import os
import shutil
import stat
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.paths import NotTextError, as_text, as_toml, open_plain, read_plain
from aslib_eval.text import is_writable

if TYPE_CHECKING:
    import polars as pl

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
    if path.name in TEXTS and not path.resolve().is_relative_to(path.parent.resolve().parent):
        what = "is a symbolic link to a file elsewhere, which would be published"
        raise AslibError(what, str(path), "Replace the link by the file.")
    if path.name in TEXTS and (size := path.stat().st_size) > MAX_TEXT:
        hint = f"Such a file may have at most {MAX_TEXT >> 20} MiB."
        raise AslibError(f"is too large for a {path.name}: it has {size / 2**20:.0f} MiB", str(path), hint)
    return Source.of(read_plain(path))


@dataclass(frozen=True)
class FileHead:
    """How a file begins, and whether that is all of it."""

    content: bytes
    is_whole: bool


class FilesRead:
    """The files that an import has read, so that none is opened twice.

    Formats that look into a file to recognise it see the same bytes, and ``load`` reuses them.
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
        """The result made before under this key, else made now. keep: whether it is needed again."""
        made: T = self._made[key] if key in self._made else make()
        if keep:
            self._made[key] = made
        return made


@dataclass(frozen=True)
class Location:
    """Where a scenario's files lie, and the path to show to its user.

    ``part`` tells scenarios of one folder apart. ``header`` has the columns by which a table was
    recognised, ``files`` what was read already. ``archive``: the one from which its files were unpacked.
    ``beside``: its paths, if several files or folders are one scenario.
    """

    path: Path
    shown: str
    part: str = ""
    header: tuple[str, ...] = ()
    files: FilesRead = field(default_factory=FilesRead, compare=False)
    archive: Path | None = None
    beside: tuple[Path, ...] = ()

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
        found = {p for glob in globs for p in (root.glob(glob) if "*" in glob else [root / glob])}
        paths = sorted(filter(os.path.lexists, found))  # a link may lead nowhere
        for path in paths:
            if not path.is_file():
                raise AslibError("is not a plain file", str(path), "Remove it or put the file there.")
        return {p.relative_to(root).as_posix(): location.files.source(p) for p in paths}


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
    units: Mapping[str, str] | None = None,
) -> pa.Table:
    """The relation ``scenario``: objectives and whether more is better.

    cutoffs, units: of the measures that have one.
    """
    limits, digest, said = cutoffs or {}, digest_of(sources), units or {}
    rows: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality",
            "maximize": maximize,
            "cutoff": limits.get(measure),
            "unit": said.get(measure),
            "missing": [],
            "source_sha256": digest,
        }
        for index, (measure, maximize) in enumerate(measures.items(), 1)
    ]
    return table("scenario", rows)


def algorithm_table(names: Sequence[str]) -> pa.Table:
    """The relation ``algorithm``, of algorithms that are only known by their runs."""
    return table("algorithm", [{"algorithm": n, "described": False, "has_runs": True} for n in names])


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


def frame_table(relation: str, frame: pl.DataFrame) -> pa.Table:
    """A frame in the contract's schema; a column that it lacks is null."""
    schema, arrays = RELATIONS[relation].schema, []
    for each in schema:
        if each.name not in frame.columns:
            arrays.append(pa.nulls(frame.height, each.type))
        elif pa.types.is_dictionary(each.type):
            arrays.append(frame[each.name].to_arrow().cast(pa.string()).dictionary_encode())
        else:
            arrays.append(frame[each.name].to_arrow().cast(each.type))
    return pa.table(arrays, schema=schema)


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
    wrong = {key: f"unknown key {key!r}; keys are {', '.join(keys)}" for key in raw if key not in keys}
    wrong |= {
        key: f"{key} must be {what}"
        for key, (is_right, what) in keys.items()
        if key in raw and not is_right(raw[key])
    }
    return raw, [
        Finding(code, "error", file, line_of(content, key), wrong[key]) for key in raw if key in wrong
    ]


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


SUFFIXES = (".tar.gz", ".tgz", ".tar.xz", ".zip")
KNOWN = f"An archive ends in {', '.join(SUFFIXES)}"
MAX_BYTES = 4 << 30
MAX_MEMBERS = 100_000  # packages of COCO with a folder for each run have over 10,000
# Text of numbers and words becomes 10 to 50 times smaller; gzip can do 1000 to 1, xz 7000. What is small
# once unpacked does no harm, however well it was packed.
MAX_RATIO = 200
_HARMLESS = 64 << 20
_FIRST = 8  # files by which an archive is recognised
_MAX_PADDING = 16 << 20
_MAX_READ = 16 << 20
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}


@dataclass(frozen=True)
class _Member:
    """One entry; ``open`` gives its bytes, ``size`` [bytes] is what it declares."""

    name: str
    kind: str
    size: int
    open: Callable[[], IO[bytes]]


class _Metered(io.RawIOBase):
    """A decompressed stream that ends in an error past ``limit`` bytes.

    tarfile reads a header of any declared size at once; that is refused too.
    """

    def __init__(self, stream: gzip.GzipFile | lzma.LZMAFile, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    def read(self, size: int = -1) -> bytes:
        if size > _MAX_READ or self._stream.tell() > self._limit:
            raise tarfile.ReadError("more data than a scenario can have")
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 0 and offset > self._limit:
            raise tarfile.ReadError("more data than a scenario can have")
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


def is_archive(path: Path) -> bool:
    """Whether the name is an archive's: .tar.gz, .tgz, .tar.xz or .zip."""
    return path.name.lower().endswith(SUFFIXES)


def first_names(archive: Path) -> list[str]:
    """Names of the first files of an archive, as far as they are soon read.

    None where it cannot be read: ``unpack`` says why.
    """
    names: list[str] = []
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as unzipped:
                return [each for each in unzipped.namelist() if not each.endswith("/")][:_FIRST]
        with (
            _decompress(archive) as plain,
            tarfile.open(fileobj=_Metered(plain, _MAX_READ), mode="r:") as tar,
        ):
            for info in tar:
                names += [info.name.removeprefix("./")] if info.isreg() else []
                if len(names) == _FIRST:
                    break
    except Exception:  # noqa: BLE001, S110 - the standard library raises whatever it likes
        pass
    return names


def unpack(archive: Path, into: Path, *, max_bytes: int = MAX_BYTES) -> Path:
    """Unpack ``archive`` into the new or empty folder ``into``.

    Returns the scenario folder: the only folder at the top of the archive, else ``into``. On any refusal
    ``into`` is left as it was. ``max_bytes`` is a limit, and so is MAX_RATIO times the size of the archive,
    where that is above 64 MiB.
    """
    existed = into.is_dir()
    if existed and any(into.iterdir()):
        raise AslibError("the folder to unpack into is not empty", str(into))
    try:
        max_bytes = min(max_bytes, max(_HARMLESS, MAX_RATIO * archive.stat().st_size))
        with _members(archive, max_bytes) as members:
            _refuse_unsafe(members, archive, max_bytes)
            into.mkdir(parents=True, exist_ok=True)
            for member in members:
                _write(member, into)
    except BaseException as error:
        shutil.rmtree(into, ignore_errors=True)
        if existed:
            into.mkdir()
        if isinstance(error, OSError) and error.errno in _DISK:
            hint = "Unpack it yourself where there is room"
            raise AslibError(f"cannot be unpacked ({error.strerror})", archive.name, hint) from error
        # A damaged archive makes the standard library raise whatever it likes.
        if isinstance(error, Exception) and not isinstance(error, AslibError):
            what = f"cannot be read as an archive ({str(error) or type(error).__name__})"
            raise AslibError(what, archive.name, "Fetch or pack it again") from error
        raise
    top = list(into.iterdir())
    return top[0] if len(top) == 1 and top[0].is_dir() else into


@contextmanager
def _members(archive: Path, max_bytes: int) -> Iterator[list[_Member]]:
    """Every entry of the archive, which stays open meanwhile."""
    with ExitStack() as stack:
        if archive.name.lower().endswith(".zip"):
            unzipped = stack.enter_context(zipfile.ZipFile(archive))
            _refuse_short_directory(archive, len(unzipped.infolist()))
            yield [_zip_member(unzipped, info) for info in unzipped.infolist()]
            return
        if not is_archive(archive):
            raise AslibError("does not have the name of an archive", archive.name, KNOWN)
        plain = _decompress(archive)
        stack.enter_context(plain)
        stream = _Metered(plain, max_bytes + 2 * 512 * MAX_MEMBERS + _MAX_PADDING)  # with the headers
        tar = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))
        members = list(_tar_members(tar, archive, max_bytes))
        _refuse_tail(stream, tar.offset)
        yield members


def _decompress(archive: Path) -> gzip.GzipFile | lzma.LZMAFile:
    return (lzma.LZMAFile if archive.name.lower().endswith("xz") else gzip.GzipFile)(archive)


def _tar_members(tar: tarfile.TarFile, archive: Path, max_bytes: int) -> Iterator[_Member]:
    """Stop at the first member too many, before its data is decompressed."""
    total = 0
    for count, info in enumerate(tar, start=1):
        total += max(info.size, 0)
        _refuse_large(count, total, archive, max_bytes)
        kind = "file" if info.isreg() else "folder" if info.isdir() else "special"
        yield _Member(info.name, kind, info.size, _opener(tar, info))


def _refuse_tail(stream: _Metered, end: int) -> None:
    """Read to the end, which checks the checksum; only padding may follow.

    tarfile takes a damaged header for the end of the archive.
    """
    stream.seek(end)
    while block := stream.read(1 << 20):
        if block.strip(b"\0"):
            raise tarfile.ReadError("damaged after its last readable member")
        if stream.tell() - end > _MAX_PADDING:
            raise tarfile.ReadError("more padding than an archive has")


def _opener(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    return lambda: tar.extractfile(info) or io.BytesIO()


def _refuse_short_directory(archive: Path, found: int) -> None:
    """A zip's directory has no checksum, but it records how many entries it has."""
    with archive.open("rb") as stream:
        stream.seek(max(0, archive.stat().st_size - 22 - 0xFFFF))
        tail = stream.read()
    end = tail.rfind(b"PK\5\6")
    if int.from_bytes(tail[end + 10 : end + 12], "little") != found & 0xFFFF:
        raise zipfile.BadZipFile("its directory is damaged")


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    """A zip made on Unix records in its attributes what kind of file it holds.

    The name is the one that stands there, which zipfile cuts at a NUL.
    """
    name = info.orig_filename
    kind = "folder" if name.endswith("/") else "file"
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        kind = "special"
    return _Member(name, kind, info.file_size, lambda: archive.open(info))


def _refuse_unsafe(members: list[_Member], archive: Path, max_bytes: int) -> None:
    """Raise before anything is written if one member is not to be trusted."""
    _refuse_large(len(members), sum(max(member.size, 0) for member in members), archive, max_bytes)
    seen: set[str] = set()
    for member in members:
        reason = _unsafe(member)
        name = unicodedata.normalize("NFC", str(PurePosixPath(member.name))).casefold()
        if member.kind == "file" and name in seen:
            reason = "occurs in it twice"
        if reason:
            raise _refused(f"{member.name!r} {reason}", archive, "Do not use an archive from this source")
        seen.add(name)


def _refuse_large(count: int, total: int, archive: Path, max_bytes: int) -> None:
    if count > MAX_MEMBERS or total > max_bytes:
        limits = f"{MAX_MEMBERS} members or {max_bytes} bytes once unpacked"
        raise _refused(f"it holds more than {limits}", archive, "If it can be trusted, unpack it yourself")


def _refused(what: str, archive: Path, hint: str) -> AslibError:
    return AslibError(f"refused, nothing was written: {what}", archive.name, hint)


def _unsafe(member: _Member) -> str | None:
    """Why a member must not be written, or None."""
    name = member.name
    windows = PureWindowsPath(name)
    nameless = member.kind == "file" and not PurePosixPath(name).parts
    faults = {
        "is a file without a name": nameless,
        # Bytes that are not UTF-8 come out of a tar file as half characters.
        "is a name that is not UTF-8 text": not is_writable(name),
        "is an absolute path": bool(windows.drive or windows.root),
        "leads out of the folder": ".." in name.replace("\\", "/").split("/"),
        "has a character that no scenario file's name has": bool({"\\", "\0"} & {*name}),
        "has a negative size": member.size < 0,
        "is a link or a device, not a plain file": member.kind == "special",
    }
    return next((fault for fault, found in faults.items() if found), None)


def _write(member: _Member, into: Path) -> None:
    target = into / member.name
    folder = target if member.kind == "folder" else target.parent
    folder.mkdir(parents=True, exist_ok=True)
    if member.kind == "folder":
        return
    with member.open() as source, target.open("xb") as sink:
        shutil.copyfileobj(source, sink)
    if target.stat().st_size != member.size:
        raise EOFError(f"{member.name} ends early")


# Column by its plain name → the names it goes by in a header, in lower case.
Names = Mapping[str, Sequence[str]]
MISSING = frozenset({"", "?", "na", "null", "none"})
_LARGEST = 2**31


def decoded(content: bytes, *, file: str, code: str) -> str | Finding:
    """The text of a file in UTF-8, or an error of that code if it is none."""
    try:
        return as_text(content, file=file)
    except NotTextError as error:
        return error.finding(code)


def numbered_rows(
    text: str, wrong: Callable[[int, str], None], *, separator: str = ","
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows that are not blank, without blanks around cells, by their first line.

    wrong: is told the line from which on nothing can be read, and why.
    """
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator != "\t", strict=True
    )
    line = 1
    try:
        for row in reader:
            cells = tuple(cell.strip() for cell in row)
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        wrong(line, f"is not a CSV file ({error})")


def header_of(path: Path, files: FilesRead | None = None) -> list[str]:
    """The first row of a CSV file; nothing if it is none.

    files: what was read already.
    """
    if not path.is_file() or path.suffix.lower() != ".csv":
        return []
    head = (files or FilesRead()).head(path).content[:HEAD]
    first = io.StringIO(head.decode("utf-8-sig", errors="replace"), newline="")
    with suppress(csv.Error):
        return next(csv.reader(first), [])
    return []


def positions(header: Sequence[str], names: Names) -> dict[str, int]:
    """Where each column stands that a header has, by any of its names, in any case."""
    present = [name.strip().lower() for name in header]
    return {
        column: present.index(found[0])
        for column, aliases in names.items()
        if (found := [alias for alias in aliases if alias in present])
    }


class CsvTable:
    """A CSV file while it is read.

    at: column by its plain name → its position, for those that the header has.
    header, line: the names as they stand, and their line.
    findings: what is wrong so far; all of ``code``, else of header, row, csv and empty.
    """

    def __init__(
        self,
        content: bytes | str,
        *,
        file: str,
        names: Names,
        code: str | None = None,
        separator: str = ",",
    ) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self._code = code
        self._names = names
        text: str | Finding = content if isinstance(content, str) else ""
        if isinstance(content, bytes):
            text = decoded(content, file=file, code=code or "encoding")
        if isinstance(text, Finding):
            self.findings.append(text)
            text = ""
        self._rows = numbered_rows(text, partial(self.error, "csv"), separator=separator)
        self.line, header = next(self._rows, (1, ("",)))
        self.header = [*header]
        self.at = positions(header, names)

    @property
    def is_broken(self) -> bool:
        """Whether there is an error."""
        return any(found.severity == "error" for found in self.findings)

    def error(self, code: str, line: int, what: str, hint: str = "") -> None:
        """Record what is wrong."""
        code = self._code or code
        self.findings.append(Finding(code, "error", self.file, line, what, hint))

    def require(self, columns: Sequence[str]) -> None:
        """Record as one error which of the columns the header lacks."""
        missing = [name for name in columns if name not in self.at]
        if missing and not self.is_broken:
            names = " and ".join("/".join(self._names[name][:2]) for name in missing)
            present = ", ".join(self.header[:8])
            hint = f"It has {present}; separate columns by commas."
            what = f"there is no column {names}"
            self.error("header", self.line, what, hint if present else "It is empty.")

    def rows(self, *, joins_last: bool = False) -> Iterator[Row]:
        """Every row with as many cells as the header; none if the header is wrong.

        A row with more or fewer cells is an error, and so is a file without rows.

        joins_last: the last cell is text that may have commas and no quotes.
        """
        if self.is_broken:
            return
        line, width = 0, len(self.header)
        for line, cells in self._rows:
            if len(cells) == width:
                yield Row(self, line, cells)
            elif joins_last and len(cells) > width:
                yield Row(self, line, (*cells[: width - 1], ",".join(cells[width - 1 :])))
            else:
                self.error("row", line, f"{len(cells)} cells instead of {width}")
        if not line and not self.is_broken:
            self.error("empty", self.line, "the file has a header and no row")


@dataclass(frozen=True)
class Row:
    """A row of a table; what is wrong with a cell is recorded in the table."""

    table: CsvTable
    line: int
    cells: tuple[str, ...]

    def wrong(self, what: str, hint: str = "") -> None:
        """Record an error."""
        self.table.error("row", self.line, what, hint)

    def text(self, column: str) -> str:
        """A cell without the blanks around it; empty where there is no such column."""
        at = self.table.at.get(column)
        return "" if at is None else self.cells[at]

    def name(self, column: str) -> str:
        """A text that must not be empty."""
        text = self.text(column)
        if not text:
            self.wrong(f"the row names no {column}")
        return text

    def number(
        self, column: str, *, cell: str | None = None, required: bool = False, hint: str = ""
    ) -> float | None:
        """A number, None where it is missing or wrong; nan and infinities are numbers.

        cell: its text, for a column that has no plain name.
        """
        text = self.text(column) if cell is None else cell
        if not required and text.lower() in MISSING:
            return None
        try:
            return float(text)
        except ValueError:
            self.wrong(f"{column} {text!r} is not a number", hint)
            return None

    def whole(self, column: str, *, required: bool = False) -> int | None:
        """A whole number from 0, None where it is missing or wrong."""
        text = self.text(column)
        if not required and text.lower() in {*MISSING, "nan"}:
            return None
        with suppress(ValueError):
            number = float(text)
            if number.is_integer() and 0 <= number < _LARGEST:
                return int(number)
        self.wrong(f"{column} {text!r} is not a whole number below 2^31")
        return None

    def choice(self, column: str, choices: Collection[str], *, required: bool = False) -> str:
        """One of the choices, which are in lower case; empty where it is missing."""
        text = self.text(column)
        if text.lower() not in choices and (text or required):
            self.wrong(f"{column} {text!r} is none of {', '.join(choices)}")
        return text.lower()
