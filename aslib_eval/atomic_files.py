"""Replace files atomically: the old ones stay until the new ones are complete.

New files go into a hidden folder where the old ones are, are synced, and renamed. Of a set, a record of the
renames is synced before the first of them: the next writer into the same folder, or ``mend``, completes
what a killed writer left half done, and removes other files that it left. A hidden folder counts only where
it was made: what came with a folder of somebody else is neither believed nor removed, and no link is
followed.
"""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.paths import Folder, linked, parts_of

PREFIX = ".aslib-eval-"
HINT = "Choose another -o; nothing was changed."
# In the hidden folder: the new files, the old ones, and the record of the renames, which has another name
# once they are undone. Before them an empty file, and what the system says of that, which nobody can know
# who packs or copies the folder.
_NEW, _OLD, _FORTH, _BACK = "new", "old", "forth.json", "back.json"
_MARK, _MADE = "mark", "made"
_LARGEST_RECORD = 64 << 20  # bytes
_MENDED = "%s: a run was interrupted while it replaced files here (%d). They are the %s now."
_SYNCED_AT_ONCE = 8
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draft:
    """Folder for the new files of a set before they replace the old ones."""

    folder: Folder
    shown: Path
    hint: str

    @property
    def path(self) -> Path:
        """Where the folder is, for those who write to a path."""
        return self.folder.path

    def write(self, name: str, content: bytes) -> None:
        """Write a file; ``name`` is relative to the folder of the set."""
        try:
            *above, last = parts_of(name)
        except OSError:
            raise AslibError(
                "leads out of the folder", str(self.shown / name), "Choose another name."
            ) from None
        with unwritable(self.shown, hint=self.hint), self.folder.below(*above, make=True) as inside:
            inside.write(last, content)


def replace_file(to: Path, content: bytes, *, hint: str = HINT) -> None:
    """Write a file that has its old content or the new one, whatever happens.

    A stream such as a pipe or /dev/stdout is written to. A link is refused.
    """
    with replacing_file(to, hint=hint) as fresh, unwritable(to, hint=hint):
        fresh.write_bytes(content)


@contextmanager
def replacing_file(to: Path, *, hint: str = HINT) -> Iterator[Path]:
    """A path to write one file to, which replaces ``to`` at the end.

    See ``replace_file``; for those who write to a path themselves.
    """
    require_file(to, hint=hint)
    if _is_stream(to):
        with ExitStack() as stack:
            if to.is_fifo():
                with unwritable(to, hint="Start what reads the pipe first."):
                    held = os.open(to, os.O_WRONLY | os.O_NONBLOCK)
                stack.callback(os.close, held)
            yield to
        return
    with replacing(to.parent, shown=to, hint=hint) as draft:
        yield draft.path / to.name


def replace_files(folder: Path, files: Mapping[str, bytes], *, hint: str = HINT) -> list[Path]:
    """Write files into a folder, all or none; names are relative to it.

    Other files in the folder stay. Returns the paths in the order of ``files``. Raises AslibError if one
    cannot be written; none is changed then.
    """
    with replacing(folder, hint=hint) as draft:
        for name, content in files.items():
            draft.write(name, content)
    return [folder / name for name in files]


@contextmanager
def replacing(
    folder: Path, *, shown: Path | None = None, hint: str = HINT, whole: bool = False
) -> Iterator[Draft]:
    """A draft for new files, which replace those in ``folder`` at the end as a set.

    ``whole``: a folder at the top of the draft replaces the folder of its name completely, with all its
    other files. Nothing is changed where the
    body raises.
    """
    shown = shown or folder
    require_folder(folder, shown=shown, hint=hint)
    made: list[Path] = []
    done = False
    try:
        with ExitStack() as stack:
            with unwritable(shown, hint=hint):
                for path in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
                    path.mkdir(exist_ok=True)
                    made.append(path)
                home = stack.enter_context(Folder.named(folder))
                with _locked(home):
                    _mend(home)
                    scratch = stack.enter_context(_new_scratch(home))
                new = stack.enter_context(scratch.below(_NEW, make=True))
            yield Draft(new, shown, hint)
            with unwritable(shown, hint=hint):
                names = new.names() if whole else sorted(map("/".join, new.walk()))
                sync_all([*new.path.rglob("*"), new.path])
                with _locked(home):
                    _switch(scratch, home, names)
            done = True
    finally:
        for path in reversed([] if done else made):
            with suppress(OSError):
                path.rmdir()


@contextmanager
def _new_scratch(home: Folder) -> Iterator[Folder]:
    """A hidden folder, held while it is used; it stays where the next writer needs it.

    It says of itself that it was made here, see ``_is_ours``.
    """
    name = home.scratch(PREFIX)
    os.mkdir(name, 0o700, dir_fd=home.descriptor)
    with home.below(name) as scratch:
        try:
            _flock(scratch.descriptor, fcntl.LOCK_SH)
            scratch.write(_MARK, b"")
            scratch.write(_MADE, _identity(scratch))
            yield scratch
        finally:  # one that is neither done nor undone is needed by the next writer
            if not any(map(scratch.stat, (_FORTH, _BACK))):
                _remove(home, name)


@contextmanager
def unwritable(to: Path, *, hint: str = HINT) -> Iterator[None]:
    """What the system refuses becomes an AslibError that names ``to``."""
    with os_errors(to, hint, what="cannot be written"):
        yield


def require_file(to: Path, *, hint: str = HINT) -> None:
    """Raise AslibError if a file cannot be written, before the work for it is done."""
    with unwritable(to, hint=hint):
        if to.is_dir():
            raise AslibError("cannot be written (is a folder)", str(to), "Name a file.")
        is_stream = _is_stream(to)
        if to.is_symlink() and not is_stream:
            what = "cannot be written (is a symbolic link)"
            raise AslibError(what, str(to), "Name the file that it leads to, or remove it.")
        if to.exists() and not os.access(to, os.W_OK):
            os.close(os.open(to, os.O_WRONLY))  # raises the reason
        if not is_stream:
            _require_writable(to.parent)


def require_folder(to: Path, *, shown: Path | None = None, hint: str = HINT) -> None:
    """Raise AslibError if files cannot be written into a folder, made or yet to make.

    Nothing is left behind.
    """
    with unwritable(shown or to, hint=hint):
        there = to.absolute()
        while not os.path.lexists(there):
            there = there.parent
        _require_writable(there)


def _require_writable(folder: Path) -> None:
    """Create and remove a file: permissions alone do not suffice."""
    with tempfile.TemporaryFile(dir=folder):
        pass


def _is_stream(to: Path) -> bool:
    """True for a path that is no plain file, or names an open descriptor."""
    if str(to) in {"/dev/stdout", "/dev/stderr"} or str(to.parent) in _DESCRIPTORS:
        return True
    return to.exists() and not to.is_file() and not to.is_symlink()


_DESCRIPTORS = {"/dev/fd", "/proc/self/fd"}


def mend(folder: Path) -> None:
    """Complete replacements by killed writers in a folder; remove what they left.

    Logs a warning for every set that was half replaced.
    """
    if any(folder.glob(f"{PREFIX}*")):
        with unwritable(folder, hint="Make it writable."), Folder.named(folder) as home, _locked(home):
            _mend(home)


def _mend(home: Folder) -> None:
    for name in home.names():
        if name.startswith(PREFIX):
            with _abandoned(home, name) as scratch:
                if scratch is not None and _is_settled(scratch, home):
                    _remove(home, name)


@contextmanager
def _abandoned(home: Folder, name: str) -> Iterator[Folder | None]:
    """A hidden folder of this user that no process has open; None if it is none."""
    with ExitStack() as stack:
        try:
            scratch = stack.enter_context(home.below(name))
        except OSError:
            yield None
            return
        own = os.fstat(scratch.descriptor).st_uid == os.geteuid()
        free = own and _flock(scratch.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield scratch if free else None


def _is_settled(scratch: Folder, home: Folder) -> bool:
    """Whether a hidden folder was made here; what its record says is completed."""
    there = set(scratch.names())
    records = there & {_FORTH, _BACK}
    if not _is_ours(scratch):
        for record in records:
            raise _no_record(scratch.path / record)
        return there <= {_MARK, _MADE}  # a writer was killed before it said so
    for record, turn in ((_BACK, _undo), (_FORTH, _place)):
        if record in records:
            files = _recorded(scratch, record)
            turn(scratch, home, files)
            _finish(scratch, home, files)
            now = "new" if record == _FORTH else "old"
            _log.warning(_MENDED, home.path, len(files), now)
    return True


def _identity(scratch: Folder) -> bytes:
    """What the system alone says of the mark: its number, and when it was made."""
    found = scratch.stat(_MARK)
    return f"{found.st_ino} {found.st_ctime_ns}\n".encode() if found else b""


def _is_ours(scratch: Folder) -> bool:
    """Whether a hidden folder was made where it is, and did not come from elsewhere."""
    with suppress(OSError):
        said = scratch.read(_MADE, most=100)
        return bool(said) and said == _identity(scratch)
    return False


def _remove(home: Folder, name: str) -> None:
    """Remove a hidden folder; what says that it was made here goes last."""
    with suppress(OSError):
        with home.below(name) as scratch:
            for each in {*scratch.names()} - {_MARK, _MADE}:
                scratch.remove(each)
        home.remove(name)


# By name of a file or folder: whether there was one before.
Files = dict[str, bool]


def _switch(scratch: Folder, home: Folder, names: list[str]) -> None:
    """Rename all, or none: a single file at once, several after a record of them."""
    kinds = {name: _require_place(scratch, home, name) for name in names}
    files = {name: kind != 0 for name, kind in kinds.items()}
    made: list[tuple[str, ...]] = []
    try:
        if len(names) > 1 or stat.S_IFDIR in kinds.values():
            scratch.replace(_FORTH, json.dumps(files).encode(), prefix="record")
            scratch.sync()
        _place(scratch, home, files, made)
        _finish(scratch, home, files)
    except BaseException:
        hint = "The next run that writes here puts the old files back."
        with os_errors(home.path, hint, what="is half replaced"):
            if scratch.stat(_FORTH):
                scratch.rename(_FORTH, scratch, _BACK)
            _undo(scratch, home, files)
            _finish(scratch, home, files)
        for *above, last in reversed(made):
            with suppress(OSError), home.below(*above) as outer:
                outer.rmdir(last)
        raise


def _require_place(scratch: Folder, home: Folder, name: str) -> int:
    """What is replaced: its kind, or 0; refuse a link, or a folder for a file.

    The new file gets the mode of the old one.
    """
    *above, last = parts_of(name)
    try:
        with home.below(*above) as outer:
            found = outer.stat(last)
    except FileNotFoundError:
        return 0
    if found is None:
        return 0
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFLNK:
        raise linked(home.path / name)
    with scratch.below(_NEW, *above) as new:
        if (kind == stat.S_IFDIR) != new.is_folder(last):
            what = errno.EISDIR if kind == stat.S_IFDIR else errno.ENOTDIR
            raise OSError(what, f"{last}: {os.strerror(what)}")
        if kind == stat.S_IFREG:
            with new.open(last) as file:
                os.fchmod(file.fileno(), found.st_mode & 0o777)
    return kind


def _recorded(scratch: Folder, record: str) -> Files:
    """What a record names; AslibError if it is none."""
    try:
        found = json.loads(scratch.read(record, most=_LARGEST_RECORD))
        if all(parts_of(name) for name in found):
            return {str(name): bool(was_there) for name, was_there in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        pass
    raise _no_record(scratch.path / record)


def _no_record(record: Path) -> AslibError:
    what = "is no record of a run that was interrupted here"
    return AslibError(what, str(record), f"Look into {record.parent} for files you miss, then remove it.")


def _place(scratch: Folder, home: Folder, files: Files, made: list[tuple[str, ...]] | None = None) -> None:
    """Move every new file or folder to its place, keeping the old one; idempotent.

    made: gets the folders that were made.
    """
    for name in files:
        *above, last = parts_of(name)
        with ExitStack() as stack:
            new = _opened(stack, scratch, _NEW, *above)
            if new is None or new.stat(last) is None:
                continue
            old = stack.enter_context(scratch.below(_OLD, *above, make=True))
            for n in range(len(above)):
                with home.below(*above[:n]) as outer:
                    if made is not None and outer.stat(above[n]) is None:
                        made.append(tuple(above[: n + 1]))
                    stack.enter_context(outer.below(above[n], make=True))
            to = stack.enter_context(home.below(*above))
            if to.is_link(last):
                raise linked(to.path / last)
            if to.is_folder(last):
                to.rename(last, old, last)
            elif to.stat(last) and old.stat(last) is None:
                to.keep(last, old)
            new.rename(last, to, last)


def _undo(scratch: Folder, home: Folder, files: Files) -> None:
    """Move every old file or folder back to its place; idempotent."""
    for name, was_there in files.items():
        *above, last = parts_of(name)
        with ExitStack() as stack:
            to = _opened(stack, home, *above)
            if to is None:
                continue
            new = stack.enter_context(scratch.below(_NEW, *above, make=True))
            old = _opened(stack, scratch, _OLD, *above)
            is_new = new.stat(last) is None and to.stat(last) is not None
            if old is not None and old.stat(last):
                if to.is_folder(last) and is_new:
                    to.rename(last, new, last)
                old.rename(last, to, last)
            elif not was_there and is_new:
                to.rename(last, new, last)


def _opened(stack: ExitStack, folder: Folder, *names: str) -> Folder | None:
    try:
        return stack.enter_context(folder.below(*names))
    except FileNotFoundError:
        return None


def _finish(scratch: Folder, home: Folder, files: Files) -> None:
    """Sync all renames before their record is removed."""
    for above in sorted({(), *(parts_of(name)[:-1] for name in files)}):
        with suppress(FileNotFoundError), home.below(*above) as place:
            place.sync()
    for record in (_FORTH, _BACK):
        if scratch.stat(record):
            scratch.unlink(record)


def sync(path: Path) -> None:
    """Write a file, or the names in a folder, to disk to survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(paths: Iterable[Path]) -> None:
    """Sync files and folders at once: the disk takes them together, in a few writes.

    Raises:
        OSError: when one cannot be synced.
    """
    list(_syncing().map(sync, paths))


@cache
def _syncing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_SYNCED_AT_ONCE, "sync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # threads stay behind


@contextmanager
def _locked(home: Folder) -> Iterator[None]:
    """Lock a folder: one process at a time replaces or mends files in it."""
    descriptor = os.open(".", os.O_RDONLY, dir_fd=home.descriptor)
    try:
        _flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _flock(descriptor: int, operation: int) -> bool:
    """True if the lock is acquired; False also where there are no locks."""
    try:
        fcntl.flock(descriptor, operation)
    except OSError:
        return False
    return True
