"""Paths as callers give them, how files at them are read, and folders by their handles.

What is done below an open folder follows no symbolic link. A user names a folder, and may name a link to
it. All that lies in it may have come from somebody else, as a lake, a paper's repository or downloads may.
So whatever is removed, replaced or made there is found from the open folder, name by name; where
a name is a link, that is an error, and the link's target stays as it is.
"""

from __future__ import annotations

import errno
import math
import os
import re
import secrets
import shutil
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Self

from aslib_eval.errors import AslibError, Finding, os_errors, place

_OPENED = os.O_RDONLY | os.O_DIRECTORY
_LARGEST = 1 << 40  # bytes


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a path below a folder.

    Raises:
        OSError: it leads out of the folder, or to the folder itself.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise OSError(errno.EINVAL, f"{name!r} leads out of the folder")
    return parts


@dataclass(frozen=True)
class Folder:
    """An open folder: what is done in it is done there, whatever its path becomes.

    path: as it was named, for messages and for readers. All names are single ones. What the system refuses
    is an OSError; so is a symbolic link in the place of a folder.
    """

    path: Path
    descriptor: int

    @classmethod
    def named(cls, path: Path) -> Self:
        """A folder that a user names, be it by a link."""
        return cls(path, os.open(path, _OPENED))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of it."""
        os.close(self.descriptor)

    @classmethod
    def inside(cls, root: Path, path: Path, *, make: bool = False) -> Folder:
        """A folder below one that a user names; make: each that is missing."""
        with cls.named(root) as outer:
            return outer.below(*path.relative_to(root).parts, make=make)

    def below(self, *names: str, make: bool = False) -> Folder:
        """A folder below this one; make: each that is missing."""
        found = os.dup(self.descriptor)
        for depth, name in enumerate(names, 1):
            outer = found
            try:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=outer)
                found = os.open(name, _OPENED | os.O_NOFOLLOW, dir_fd=outer)
            except OSError as error:
                path = self.path.joinpath(*names[:depth])
                if Folder(path, outer).is_link(name):
                    raise linked(path) from None
                raise OSError(error.errno, error.strerror, str(path)) from None
            finally:
                os.close(outer)
        return Folder(self.path.joinpath(*names), found)

    def names(self) -> list[str]:
        """The names in it, sorted."""
        return sorted(os.listdir(self.descriptor))  # noqa: PTH208

    def stat(self, name: str) -> os.stat_result | None:
        """Facts of a file, folder or link in it, which is not followed."""
        try:
            return os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def is_link(self, name: str) -> bool:
        """Whether there is a symbolic link of that name."""
        found = self.stat(name)
        return found is not None and stat.S_ISLNK(found.st_mode)

    def is_folder(self, name: str) -> bool:
        """Whether there is a folder of that name, and no link to one."""
        found = self.stat(name)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def open(self, name: str) -> BufferedReader:
        """Open a plain file in it to read; a link or a pipe is refused at once."""
        return open_plain(self.path / name, within=self)

    def read(self, name: str, *, most: int = _LARGEST) -> bytes:
        """The bytes of a plain file in it, of at most so many."""
        try:
            found = plain_descriptor(name, os.O_RDONLY, folder=self.descriptor)
            with open(found, "rb") as file:  # noqa: PTH123
                if os.fstat(found).st_size > most:
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))  # noqa: TRY301
                return file.read()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path / name)) from None

    def create(self, name: str) -> BinaryIO:
        """A new file in it; there must be nothing of its name."""
        opener = partial(os.open, mode=0o666, dir_fd=self.descriptor)
        return open(name, "xb", opener=opener)

    def write(self, name: str, content: bytes) -> None:
        """Write a new file, as ``create``."""
        with self.create(name) as file:
            file.write(content)

    def scratch(self, prefix: str, suffix: str = "") -> str:
        """A name that nothing in it has."""
        return f"{prefix}{secrets.token_hex(6)}{suffix}"

    def replace(self, name: str, content: bytes, *, prefix: str, synced: bool = True) -> None:
        """Write a file that has its old content or the new one, by one rename.

        synced: whether it survives a power cut.
        """
        draft = self.scratch(prefix)
        try:
            with self.create(draft) as file:
                file.write(content)
                file.flush()
                if synced:
                    os.fsync(file.fileno())
            self.rename(draft, self, name)
        except BaseException:
            with suppress(OSError):
                self.unlink(draft)
            raise

    def rename(self, name: str, to: Folder, new: str) -> None:
        """Move what has a name here, replacing a file there."""
        os.replace(name, new, src_dir_fd=self.descriptor, dst_dir_fd=to.descriptor)

    def keep(self, name: str, to: Folder) -> None:
        """A hard link to a file in another folder, or a copy where there are none."""
        try:
            os.link(
                *(name, name), src_dir_fd=self.descriptor, dst_dir_fd=to.descriptor, follow_symlinks=False
            )
        except OSError:
            with self.open(name) as file, to.create(name) as copy:
                os.fchmod(copy.fileno(), os.fstat(file.fileno()).st_mode & 0o777)
                shutil.copyfileobj(file, copy)

    def link(self, name: str, target: str) -> None:
        """Make a symbolic link."""
        os.symlink(target, name, dir_fd=self.descriptor)

    def target(self, name: str) -> str | None:
        """What a symbolic link in it holds; None if there is none."""
        try:
            return os.readlink(name, dir_fd=self.descriptor)
        except OSError:
            return None

    def mkdir(self, name: str) -> None:
        """Make a folder; there must be nothing of its name."""
        os.mkdir(name, dir_fd=self.descriptor)

    def unlink(self, name: str) -> None:
        """Remove a file, or a link and not what it leads to."""
        os.unlink(name, dir_fd=self.descriptor)

    def rmdir(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(name, dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        """Remove a file or a link; of a folder all that is in it, however deep."""
        if not self.is_folder(name):
            self.unlink(name)
            return
        with self.below(name) as inside:
            while names := inside.names():
                for each in names:
                    _take_apart(inside, each)
        self.rmdir(name)

    def sync(self) -> None:
        """Write the names in it to disk, to survive a power cut."""
        os.fsync(self.descriptor)

    def walk(self) -> Iterator[tuple[str, ...]]:
        """Everything below but folders, as parts of paths."""
        left: list[tuple[str, ...]] = [()]
        while left:
            at = left.pop()
            with self.below(*at) as inside:
                for name in inside.names():
                    if inside.is_folder(name):
                        left.append((*at, name))
                    else:
                        yield (*at, name)


def _take_apart(folder: Folder, name: str) -> None:
    """Remove a file; of a folder the files, and move its folders up to this one."""
    if not folder.is_folder(name):
        folder.unlink(name)
        return
    with folder.below(name) as inside:
        for each in inside.names():
            if not inside.is_folder(each):
                inside.unlink(each)
            else:
                try:
                    inside.rmdir(each)
                except OSError:  # it holds something
                    inside.rename(each, folder, folder.scratch("removed-"))
    folder.rmdir(name)


def open_plain(path: Path, *, within: Folder | None = None) -> BufferedReader:
    """Open a file to read its bytes; what may never end is refused.

    within: the folder where it lies; then it may be no link.

    Raises:
        OSError: when it cannot be read, or is a folder, a pipe or a device.
    """

    def opened(name: str, flags: int) -> int:
        if within is not None:
            return plain_descriptor(path.name, flags, folder=within.descriptor)
        _require_plain(path.stat(), path)  # to open a device may do something
        return plain_descriptor(name, flags, followed=True)

    return open(path, "rb", opener=opened)


def plain_descriptor(name: str, flags: int, *, folder: int | None = None, followed: bool = False) -> int:
    """Open a plain file, as ``opener`` of ``open``; followed: also through a link."""
    flags |= os.O_NONBLOCK  # nobody may write into a pipe
    try:
        found = os.open(name, flags if followed else flags | os.O_NOFOLLOW, 0o666, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP and not followed:
            raise linked(Path(name)) from None
        raise
    try:
        _require_plain(os.fstat(found), name)
    except OSError:
        os.close(found)
        raise
    return found


def _require_plain(found: os.stat_result, path: Path | str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device", str(path))


def linked(path: Path) -> OSError:
    """What says that a path is a symbolic link, which is not followed."""
    return OSError(errno.ELOOP, f"{path} is a symbolic link", str(path))


# Paths of callers, and what lies there.

Paths = Sequence[str | Path] | str | Path
LARGEST_TEXT = 64 << 20  # bytes


def as_paths(paths: Paths) -> list[Path]:
    """Every path as such; a lone one counts as a list of one."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path) for path in given]


def as_path(path: str | Path | None) -> Path | None:
    """A path as such; None stays None."""
    return None if path is None else Path(path)


def read_plain(path: Path, *, most: float = math.inf) -> bytes:
    """The bytes of a file that a user names, or that came with a folder.

    most: bytes that it may have.

    Raises:
        OSError: when it cannot be read, is larger, or is a pipe or a device, which may never end.
    """
    with open_plain(path) as file:
        if (size := os.fstat(file.fileno()).st_size) > most:
            raise OSError(
                errno.EFBIG, f"it has {size >> 20} MiB, where {most / 2**20:.0f} are due", str(path)
            )
        return file.read()


def read_text(path: Path, *, hint: str | None = None) -> str:
    r"""The text of a UTF-8 file, with or without a mark of it; its lines end in \n.

    hint: what to do where it cannot be read.
    """
    with os_errors(path, hint):
        content = read_plain(path, most=LARGEST_TEXT)
    try:
        text = as_text(content, file=str(path))
    except NotTextError as error:
        file, line, what, then = error.args
        raise AslibError(what, place(file, line), then) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_text(content: bytes, *, file: str) -> str:
    """The text of bytes in UTF-8, with or without a mark of it, or in UTF-16 with one; its lines stay.

    file: whose bytes these are, as an error calls it.

    Raises:
        NotTextError: they are no UTF-8, or hold a byte 0.
    """
    try:
        text = content.decode("utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        excel = "; in Excel that is the type 'CSV UTF-8'"
        hint = f"Save it as UTF-8{excel * file.lower().endswith('.csv')}."
        raise NotTextError(file, line, f"is not UTF-8 text ({error.reason})", hint) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise NotTextError(file, line, "is no text: it holds a byte 0", "")
    return text


# A key of so many parts: tomllib takes memory for the square of their number.
_DEEP = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+\s*\.\s*){100}""")


def as_toml(text: str, *, file: str) -> dict[str, Any]:
    """What a text says in TOML."""
    import tomllib

    why = "a key has more than 100 parts"
    try:
        if not _DEEP.search(text):
            return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also of a number without end
        why = str(error)
    raise AslibError(f"is not TOML: {why}", file)


class NotTextError(ValueError):
    """The bytes of a file are no text: the file, the line, what it is, what to do."""

    def finding(self, code: str) -> Finding:
        """The same as an error of that code."""
        return Finding(code, "error", *self.args)


def cache_folder() -> Path:
    """The folder for what can be made again: $ASLIB_CACHE, else the user's cache.

    Source: XDG Base Directory Specification 0.8, for $XDG_CACHE_HOME.
    """
    if given := os.environ.get("ASLIB_CACHE"):
        return Path(given)
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - without a home the path stays as it is
    return Path(usual) / "aslib-eval"
