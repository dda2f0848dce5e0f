"""Unpack a scenario archive without trusting it.

Every member is looked at before the first byte is written, and only plain files and folders are made:
links, devices, owners and modes of an archive have no way in.
"""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import shutil
import stat
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from aslib_eval.errors import AslibError
from aslib_eval.text import is_writable

SUFFIXES = (".tar.gz", ".tgz", ".tar.xz", ".zip")
KNOWN = f"Known are {', '.join(SUFFIXES)}"
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
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as unzipped:
                names = [each for each in unzipped.namelist() if not each.endswith("/")]
                return names[:_FIRST]
        with (
            _decompress(archive) as plain,
            tarfile.open(fileobj=_Metered(plain, _MAX_READ), mode="r:") as tar,
        ):
            files = (info.name.removeprefix("./") for info in tar if info.isreg())
            return list(_until_error(islice(files, _FIRST)))
    except Exception:  # noqa: BLE001 - the standard library raises whatever it likes
        return []


def _until_error(names: Iterator[str]) -> Iterator[str]:
    with suppress(Exception):
        yield from names


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
        packed = archive.stat().st_size
        max_bytes = min(max_bytes, max(_HARMLESS, MAX_RATIO * packed))
        with _members(archive, max_bytes) as members:
            _refuse_unsafe(members, archive, max_bytes)
            into.mkdir(parents=True, exist_ok=True)
            for member in members:
                _write(member, into)
    except BaseException as error:
        _clear(into, keep=existed)
        if isinstance(error, OSError) and error.errno in _DISK:
            what = f"cannot be unpacked ({error.strerror})"
            hint = "Unpack it yourself where there is room"
            raise AslibError(what, archive.name, hint) from error
        # A damaged archive makes the standard library raise whatever it likes.
        if isinstance(error, Exception) and not isinstance(error, AslibError):
            reason = str(error) or type(error).__name__
            what = f"cannot be read as an archive ({reason})"
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
            raise AslibError("is no archive by its name", archive.name, KNOWN)
        plain = _decompress(archive)
        stack.enter_context(plain)
        headers = 2 * 512 * MAX_MEMBERS
        stream = _Metered(plain, max_bytes + headers + _MAX_PADDING)
        tar = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))
        members = list(_tar_members(tar, archive, max_bytes))
        _refuse_tail(stream, tar.offset)
        yield members


def _decompress(archive: Path) -> gzip.GzipFile | lzma.LZMAFile:
    if archive.name.lower().endswith("xz"):
        return lzma.LZMAFile(archive)
    return gzip.GzipFile(archive)


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
    mode = stat.S_IFMT(info.external_attr >> 16)
    if mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
        kind = "special"
    return _Member(name, kind, info.file_size, lambda: archive.open(info))


def _refuse_unsafe(members: list[_Member], archive: Path, max_bytes: int) -> None:
    """Raise before anything is written if one member is not to be trusted."""
    total = sum(max(member.size, 0) for member in members)
    _refuse_large(len(members), total, archive, max_bytes)
    seen: set[str] = set()
    for member in members:
        reason = _unsafe(member)
        name = unicodedata.normalize("NFC", str(PurePosixPath(member.name))).casefold()
        if member.kind == "file" and name in seen:
            reason = "stands in it twice"
        if reason:
            hint = "Do not use an archive from this source"
            raise _refused(f"{member.name!r} {reason}", archive, hint)
        seen.add(name)


def _refuse_large(count: int, total: int, archive: Path, max_bytes: int) -> None:
    if count > MAX_MEMBERS or total > max_bytes:
        limits = f"{MAX_MEMBERS} members or {max_bytes} bytes once unpacked"
        hint = "If it can be trusted, unpack it yourself"
        raise _refused(f"it holds more than {limits}", archive, hint)


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


def _clear(into: Path, *, keep: bool) -> None:
    """Remove what was unpacked so far; ``into`` too unless it was there before."""
    shutil.rmtree(into, ignore_errors=True)
    if keep:
        into.mkdir()
