"""Replace files atomically: the old ones stay until the new ones are complete.

New files go into a hidden folder where the old ones are, are synced, and renamed. Of a
set, a record of the renames is synced before the first of them: the next writer into
the same folder, or ``mend``, completes what a killed writer left half done, and removes
other files that it left.
"""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from aslib_eval.errors import AslibError, os_errors

PREFIX = ".aslib-eval-"
HINT = "Choose another -o; nothing was changed."
# In the hidden folder: the new files, the old ones, and the record of the renames,
# which has another name once they are undone.
_NEW, _OLD, _FORTH, _BACK = "new", "old", "forth.json", "back.json"
_MENDED = (
    "%s: a run was interrupted while it replaced files here (%d). They are the %s now."
)
_SYNCED_AT_ONCE = 8
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draft:
    """Folder for the new files of a set before they replace the old ones."""

    path: Path
    shown: Path
    hint: str

    def write(self, name: str, content: bytes) -> None:
        """Write a file; ``name`` is relative to the folder of the set."""
        if ".." in PurePosixPath(name).parts or name.startswith("/"):
            what = "leads out of the folder"
            raise AslibError(what, str(self.shown / name), "Choose another name.")
        file = self.path / name
        with unwritable(self.shown, hint=self.hint):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def replace_file(to: Path, content: bytes, *, hint: str = HINT) -> None:
    """Write a file that has its old content or the new one, whatever happens.

    A link stays a link: its target is replaced. A stream such as a pipe or /dev/stdout
    is written to.
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
        yield to
        return
    target = Path(os.path.realpath(to))
    with replacing(target.parent, shown=to, hint=hint) as draft:
        yield draft.path / target.name


def replace_files(
    folder: Path, files: Mapping[str, bytes], *, hint: str = HINT
) -> list[Path]:
    """Write files into a folder, all or none; names are relative to it.

    Other files in the folder stay. Returns the paths in the order of ``files``. Raises
    AslibError if one cannot be written; none is changed then.
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

    ``whole``: a folder at the top of the draft replaces the folder of its name
    completely, with all its other files. Nothing is changed where the
    body raises.
    """
    shown = shown or folder
    require_folder(folder, shown=shown, hint=hint)
    made: list[Path] = []
    scratch: Path | None = None
    lock: int | None = None
    done = False
    try:
        with unwritable(shown, hint=hint):
            _make(folder, made)
            with _locked(folder):
                _mend(folder)
                scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
                lock = os.open(scratch, os.O_RDONLY)
                _flock(lock, fcntl.LOCK_SH)
            (scratch / _NEW).mkdir()
        yield Draft(scratch / _NEW, shown, hint)
        with unwritable(shown, hint=hint):
            names = _names(scratch / _NEW, whole=whole)
            sync_all([*(scratch / _NEW).rglob("*"), scratch / _NEW])
            with _locked(folder):
                _switch(scratch, folder, names, made)
        done = True
    finally:
        if scratch is not None and not _is_open(scratch):
            shutil.rmtree(scratch, ignore_errors=True)
        if lock is not None:
            os.close(lock)
        for path in reversed([] if done else made):
            with suppress(OSError):
                path.rmdir()


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
        if to.exists() and not os.access(to, os.W_OK):
            os.close(os.open(to, os.O_WRONLY))  # raises the reason
        if not _is_stream(to):
            _require_writable(Path(os.path.realpath(to)).parent)


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
    if str(to) in {"/dev/stdout", "/dev/stderr"} or to.parent == Path("/dev/fd"):
        return True
    return to.exists() and not to.is_file()


def mend(folder: Path) -> None:
    """Complete replacements by killed writers in a folder; remove what they left.

    Logs a warning for every set that was half replaced.
    """
    if any(folder.glob(f"{PREFIX}*")):
        with unwritable(folder, hint="Make it writable."), _locked(folder):
            _mend(folder)


def _mend(folder: Path) -> None:
    for scratch in sorted(folder.glob(f"{PREFIX}*")):
        if _is_abandoned(scratch):
            for name, turn in ((_BACK, _undo), (_FORTH, _place)):
                record = scratch / name
                if record.is_file():
                    files = _recorded(record, folder)
                    turn(scratch, folder, files, [])
                    _finish(scratch, folder, files)
                    now = "new" if name == _FORTH else "old"
                    _log.warning(_MENDED, folder, len(files), now)
            shutil.rmtree(scratch, ignore_errors=True)


def _is_abandoned(scratch: Path) -> bool:
    """True if it belongs to this user and no process has it open."""
    try:
        descriptor = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        own = os.fstat(descriptor).st_uid == os.geteuid()
        return own and _flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def _is_open(scratch: Path) -> bool:
    """True if a replacement is neither done nor undone: the next writer needs it."""
    return (scratch / _FORTH).exists() or (scratch / _BACK).exists()


# By name of a file or folder: whether there was one before.
Files = dict[str, bool]


def _names(new: Path, *, whole: bool) -> list[str]:
    """Names that are replaced, sorted."""
    paths = new.iterdir() if whole else new.rglob("*")
    chosen = (path for path in paths if whole or not path.is_dir())
    return sorted(path.relative_to(new).as_posix() for path in chosen)


def _switch(scratch: Path, folder: Path, names: list[str], made: list[Path]) -> None:
    """Rename all, or none: a single file at once, several after a record of them."""
    files = {name: os.path.lexists(folder / name) for name in names}
    for name in names:
        _copy_mode(scratch / _NEW / name, folder / name)
    try:
        if len(names) > 1 or any((folder / name).is_dir() for name in names):
            _record(scratch, files)
        _place(scratch, folder, files, made)
        _finish(scratch, folder, files)
    except BaseException:
        _put_back(scratch, folder, files)
        raise


def _copy_mode(new: Path, target: Path) -> None:
    """Copy the mode of the replaced file; refuse a folder for a file or vice versa."""
    if target.is_file():
        new.chmod(stat.S_IMODE(target.stat().st_mode))
    if target.exists() and target.is_dir() != new.is_dir():
        what = errno.EISDIR if target.is_dir() else errno.ENOTDIR
        raise OSError(what, f"{target.name}: {os.strerror(what)}")


def _put_back(scratch: Path, folder: Path, files: Files) -> None:
    hint = "The next run that writes here puts the old files back."
    with os_errors(folder, hint, what="is half replaced"):
        if (scratch / _FORTH).exists():
            (scratch / _FORTH).rename(scratch / _BACK)
        _undo(scratch, folder, files, [])
        _finish(scratch, folder, files)


def _record(scratch: Path, files: Files) -> None:
    fresh = scratch / "record"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(files, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(scratch / _FORTH)
    sync(scratch)


def _recorded(record: Path, folder: Path) -> Files:
    """What a record names; AslibError if it leads out of the folder."""
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
        names = [PurePosixPath(name) for name in found]
        home = folder.resolve()
        inside = [(home / name).parent.resolve().is_relative_to(home) for name in names]
        if all(inside) and not any(".." in name.parts for name in names):
            return {str(name): bool(was_there) for name, was_there in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        pass
    what = "is no record of a run that was interrupted"
    hint = f"Look into {record.parent} for files you miss, then remove it."
    raise AslibError(what, str(record), hint)


def _place(scratch: Path, folder: Path, files: Files, made: list[Path]) -> None:
    """Move every new file or folder to its place, keeping the old one; idempotent."""
    for name in files:
        new, old, target = scratch / _NEW / name, scratch / _OLD / name, folder / name
        if not os.path.lexists(new):
            continue
        old.parent.mkdir(parents=True, exist_ok=True)
        _make(target.parent, made)
        if target.is_dir() and not target.is_symlink():
            target.rename(old)
        elif os.path.lexists(target) and not os.path.lexists(old):
            _keep(target, old)
        new.replace(target)


def _undo(scratch: Path, folder: Path, files: Files, _: list[Path]) -> None:
    """Move every old file or folder back to its place; idempotent."""
    for name, was_there in files.items():
        new, old, target = scratch / _NEW / name, scratch / _OLD / name, folder / name
        if os.path.lexists(old):
            if target.is_dir() and not os.path.lexists(new):
                target.rename(new)
            old.replace(target)
        elif not was_there and not os.path.lexists(new):
            target.rename(new)


def _finish(scratch: Path, folder: Path, files: Files) -> None:
    """Sync all renames before their record is removed."""
    for path in sorted({folder, *((folder / name).parent for name in files)}):
        if path.is_dir():
            sync(path)
    (scratch / _FORTH).unlink(missing_ok=True)
    (scratch / _BACK).unlink(missing_ok=True)


def _keep(target: Path, old: Path) -> None:
    """A hard link to a file, or a copy where there are no links."""
    try:
        os.link(target, old, follow_symlinks=False)
    except OSError:
        shutil.copy2(target, old, follow_symlinks=False)


def _make(folder: Path, made: list[Path]) -> None:
    """Create a folder and its parents; adds the new ones to ``made``."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        made.append(path)


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
    for _ in _syncing().map(sync, paths):
        pass


@cache
def _syncing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_SYNCED_AT_ONCE, "sync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # threads stay behind


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder: one process at a time replaces or mends files in it."""
    descriptor = os.open(folder, os.O_RDONLY)
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
