"""Log of runs for ``plan runs``: a line with check sum for each, as CSV."""

from __future__ import annotations

import csv
import errno
import fcntl
import io
import math
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from aslib_eval._version import __version__
from aslib_eval.atomic_files import sync
from aslib_eval.errors import AslibError, os_errors

RUN = ("instance", "algorithm", "run", "seed", "value")
SETTINGS = ("command", "reads", "program", "version")
COLUMNS = (*RUN, *SETTINGS, "check")
_HEADER = ",".join(COLUMNS).encode()
_OTHER = "Choose another --log."
Run = tuple[str, str, int]  # instance, algorithm, number of the run from 0


@dataclass(frozen=True)
class RunSettings:
    """How the value of a run was produced; runs of other settings do not count."""

    command: str
    reads: str  # where the value is: a regular expression, or `time`
    program: str  # fingerprint of the files that the command runs
    version: str = __version__


class RunLog:
    """Recorded runs; a new one is on disk before it counts."""

    def __init__(
        self,
        path: Path,
        descriptor: int,
        *,
        settings: Mapping[str, RunSettings],
        seed: int,
    ) -> None:
        self.recorded: dict[Run, float] = {}
        self._path = path
        self._descriptor = descriptor
        self._settings = settings
        self._seed = seed

    def add(self, instance: str, algorithm: str, run: int, *, value: float) -> None:
        """Append one run.

        Raises:
            AslibError: when it cannot be written.
        """
        cells = (instance, algorithm, run, self._seed + run, value)
        self._write(_line((*cells, *astuple(self._settings[algorithm]))))
        self.recorded[instance, algorithm, run] = value

    def read(self) -> int:
        """Read the file; returns the number of bytes of a torn last line, now removed.

        Raises:
            AslibError: when the file is no such log, a line is damaged, or its runs
                were made with another command, seed or version.
        """
        content = _content(self._descriptor)
        complete = content[: content.rfind(b"\n") + 1]
        head, *lines = complete.split(b"\n")[:-1] or [_HEADER]
        torn = content[len(complete) :]
        if not complete and not _HEADER.startswith(torn.rstrip(b"\0")):
            head = torn
        if head != _HEADER:
            raise AslibError(_not_a_log(head), f"{self._path}:1", _OTHER)
        for number, line in enumerate(lines, 2):
            self._parse(number, line)
        if torn:
            os.ftruncate(self._descriptor, len(complete))
        if not complete:
            self._write(_HEADER + b"\n")
        return len(torn)

    def _parse(self, number: int, line: bytes) -> None:
        place = f"{self._path}:{number}"
        cells = _checked(line)
        try:
            run, seed, value = int(cells[2]), int(cells[3]), float(cells[4])
            recorded = RunSettings(*cells[5:])
        except (IndexError, TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            raise AslibError("this line is damaged", place, "Remove it.")
        instance, algorithm = cells[:2]
        others = list(_differences(recorded, self._settings.get(algorithm, recorded)))
        if seed - run != self._seed:
            others.append(f"--seed was {seed - run}, now it is {self._seed}")
        if others:
            message = f"{algorithm} was run otherwise: {'; '.join(others)}"
            raise AslibError(message, place, _OTHER)
        if self.recorded.setdefault((instance, algorithm, run), value) != value:
            message = f"run {run} of {algorithm} on {instance} has two values"
            raise AslibError(message, place, "Remove what is wrong.")

    def _write(self, line: bytes) -> None:
        end = os.fstat(self._descriptor).st_size
        with os_errors(self._path, _OTHER, what="cannot be written"):
            try:
                _write_all(self._descriptor, line)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, end)
                raise


@contextmanager
def open_log(
    path: Path,
    *,
    settings: Mapping[str, RunSettings],
    seed: int,
    warn: Callable[[str], None] | None = None,
) -> Iterator[RunLog]:
    """Open or create a log, locked against other writers until it is closed.

    settings: of each algorithm now. ``warn`` is called for a torn last line, which
    is removed.

    Raises:
        AslibError: as ``RunLog.read``, and if another process writes the log.
    """
    with os_errors(path, _OTHER, what="cannot be written"):
        new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise AslibError("not a file", str(path), _OTHER)
        _lock(path, descriptor)
        if new:
            with os_errors(path, _OTHER, what="cannot be written"):
                sync(path.parent)
        log = RunLog(path, descriptor, settings=settings, seed=seed)
        with os_errors(path, _OTHER):
            torn = log.read()
        if torn and warn is not None:
            warn(f"{path}: the last line was torn ({torn} bytes) and is dropped.")
        yield log
    finally:
        os.close(descriptor)


def _lock(path: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        message = "another process adds runs to this log"
        raise AslibError(message, str(path), f"Wait for it. {_OTHER}") from None
    except OSError as error:
        message = f"cannot be locked ({error.strerror or error})"
        hint = "Choose a --log on a file system with locks."
        raise AslibError(message, str(path), hint) from None


def _content(descriptor: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return file.read()


def _write_all(descriptor: int, line: bytes) -> None:
    if os.write(descriptor, line) < len(line):  # completely, or not at all
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(descriptor)


def _line(cells: tuple[object, ...]) -> bytes:
    """Cells as CSV, followed by the CRC-32 of the text before it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    line = text.getvalue().encode()
    return b"%s,%08x\n" % (line, zlib.crc32(line))


def _checked(line: bytes) -> list[str]:
    """The cells of a line without its check sum; none if the line was altered."""
    text, _, check = line.rpartition(b",")
    if check != b"%08x" % zlib.crc32(text):
        return []
    with suppress(UnicodeDecodeError, csv.Error):
        return next(csv.reader([text.decode()]), [])
    return []


def _not_a_log(head: bytes) -> str:
    if head.startswith(b"instance,algorithm,run,seed,value"):
        return "it does not say with which commands its runs were made"
    return f"not a log of runs: its columns are not {', '.join(COLUMNS)}"


def _differences(then: RunSettings, now: RunSettings) -> Iterator[str]:
    if then.command != now.command:
        yield f"its command was {then.command}, now it is {now.command}"
    elif then.program != now.program:
        yield "the program has changed since"
    if then.reads != now.reads:
        yield f"--value was {then.reads}, now it is {now.reads}"
    if then.version != now.version:
        yield f"it was aslib-eval {then.version}, now it is {now.version}"
