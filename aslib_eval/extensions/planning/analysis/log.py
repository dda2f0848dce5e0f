"""Log of runs for ``plan runs``: a line with check sum for each, as CSV.

It is a table of runs, which ``import`` reads: ``aslib_eval.formats.runs``.
"""

from __future__ import annotations

import csv
import errno
import fcntl
import io
import math
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from aslib_eval._version import __version__
from aslib_eval.atomic_files import sync
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.folders import linked
from aslib_eval.formats.runs.check_sums import LOGGED, checked, checksum

TIME = "time"
_RUN = ("instance", "algorithm", "run", "seed")
_OTHER = "Choose another --log."
_CUTOFF = 5  # where a log of times has the cutoff
_KINDS = ("what programs print", "times")
Run = tuple[str, str, int]  # instance, algorithm, number of the run from 0


@dataclass(frozen=True)
class RunSettings:
    """How the value of a run was produced; runs of other settings do not count.

    cutoff: a run that takes longer has no value [s]; it may be raised later.
    """

    command: str
    reads: str  # where the value is: a regular expression, or `time`
    program: str  # fingerprint of the files that the command runs
    version: str = __version__
    cutoff: float | None = field(default=None, compare=False)


def columns(*, timed: bool) -> tuple[str, ...]:
    """The columns of a log of times, or of values that programs print."""
    value = ("time_s", "cutoff") if timed else ("objective",)
    return (*_RUN, *value, *LOGGED)


class RunLog:
    """Recorded runs; a new one is on disk before it counts."""

    def __init__(
        self, path: Path, descriptor: int, *, settings: Mapping[str, RunSettings], seed: int
    ) -> None:
        self.recorded: dict[Run, float] = {}
        self._path = path
        self._descriptor = descriptor
        self._settings = settings
        self._seed = seed
        self._timed = bool(settings) and all(each.reads.split()[0] == TIME for each in settings.values())

    def add(self, instance: str, algorithm: str, run: int, *, value: float) -> None:
        """Append one run."""
        of = self._settings[algorithm]
        cells: list[object] = [instance, algorithm, run, self._seed + run, value]
        if self._timed:
            cells.append("" if of.cutoff is None else of.cutoff)
        self._write(_line((*cells, of.command, of.reads, of.program, of.version)))
        self.recorded[instance, algorithm, run] = value

    def read(self) -> int:
        """Read the file; gives the bytes of a torn last line, now removed."""
        mine, other = (",".join(columns(timed=timed)).encode() for timed in (self._timed, not self._timed))
        content = _content(self._descriptor)
        complete = content[: content.rfind(b"\n") + 1]
        head, *lines = complete.split(b"\n")[:-1] or [mine]
        torn = content[len(complete) :]
        if not complete and not mine.startswith(torn.rstrip(b"\0")):
            head = torn
        if head not in (mine, other):
            raise AslibError(_not_a_log(head), f"{self._path}:1", _OTHER)
        for number, line in enumerate(lines, 2):
            self._parse(number, line, timed=self._timed == (head == mine))
        if head == other:
            message = f"its values are {_KINDS[not self._timed]}, not {_KINDS[self._timed]}"
            raise AslibError(message, f"{self._path}:1", _OTHER)
        if torn:
            os.ftruncate(self._descriptor, len(complete))
        if not complete:
            self._write(mine + b"\n")
        return len(torn)

    def _parse(self, number: int, line: bytes, *, timed: bool) -> None:
        place = f"{self._path}:{number}"
        cells = checked(line)
        if timed and len(cells) > _CUTOFF:
            del cells[_CUTOFF]
        try:
            run, seed, value = int(cells[2]), int(cells[3]), float(cells[4])
            command, reads, program, version = cells[5:]
            recorded = RunSettings(command, reads, program, version)
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
    path: Path, *, settings: Mapping[str, RunSettings], seed: int, warn: Callable[[str], None] | None = None
) -> Iterator[RunLog]:
    """Open or create a log, locked against other writers until it is closed.

    settings: of each algorithm now. ``warn`` is called for a torn last line, which
    is removed.
    """
    with os_errors(path, _OTHER, what="cannot be written"):
        new = not path.exists()
        if path.is_symlink():
            raise linked(path)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(path, flags, 0o666)
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
    """Cells as CSV, followed by the check sum of the text before it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    line = text.getvalue().encode()
    return b"%s,%s\n" % (line, checksum(line))


def _not_a_log(head: bytes) -> str:
    if head.startswith(b"instance,algorithm,run,seed,value"):
        return "it is a log of an earlier version of aslib-eval"
    names = ", ".join(columns(timed=False))
    return f"not a log of runs: its columns are not {names}"


def _differences(then: RunSettings, now: RunSettings) -> Iterator[str]:
    if then.command != now.command:
        yield f"its command was {then.command}, now it is {now.command}"
    elif then.program != now.program:
        yield "the program has changed since"
    if then.reads != now.reads:
        yield f"--value was {then.reads}, now it is {now.reads}"
    if then.version != now.version:
        yield f"it was aslib-eval {then.version}, now it is {now.version}"
