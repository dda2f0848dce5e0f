"""Runs of two solvers, one after another, until a verdict: what is run, stopped and written down.

The log is a CSV table of runs with a check sum for each line; ``import`` reads it.
"""

from __future__ import annotations

import csv
import errno
import fcntl
import hashlib
import io
import math
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, CancelledError, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, current_thread, main_thread
from typing import IO

import numpy as np
import polars as pl

from aslib_eval._version import __version__
from aslib_eval.atomic_files import sync
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.extensions.planning.sampling import Accuracy, Row, Sampling, pair_rows
from aslib_eval.formats.runs.cells import LOGGED, checked, checksum
from aslib_eval.paths import plain_descriptor
from aslib_eval.text import shown

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
        with os.fdopen(os.dup(self._descriptor), "rb") as file:
            file.seek(0)
            content = file.read()
        complete = content[: content.rfind(b"\n") + 1]
        head, *lines = complete.split(b"\n")[:-1] or [mine]
        torn = content[len(complete) :]
        if not complete and not mine.startswith(torn.rstrip(b"\0")):
            head = torn
        if head not in (mine, other):
            message = f"not a log of runs: its columns are not {', '.join(columns(timed=False))}"
            raise AslibError(message, f"{self._path}:1", _OTHER)
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
            raise AslibError(f"{algorithm} was run otherwise: {'; '.join(others)}", place, _OTHER)
        if self.recorded.setdefault((instance, algorithm, run), value) != value:
            raise AslibError(
                f"run {run} of {algorithm} on {instance} has two values", place, "Remove what is wrong."
            )

    def _write(self, line: bytes) -> None:
        end = os.fstat(self._descriptor).st_size
        with os_errors(self._path, _OTHER, what="cannot be written"):
            try:
                if os.write(self._descriptor, line) < len(line):  # completely, or not at all
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # noqa: TRY301
                os.fsync(self._descriptor)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, end)
                raise


@contextmanager
def open_log(
    path: Path, *, settings: Mapping[str, RunSettings], seed: int, warn: Callable[[str], None] | None = None
) -> Iterator[RunLog]:
    """Open or create a log, locked against other writers until it is closed.

    settings: of each algorithm now. ``warn`` is called for a torn last line, which is removed.
    """
    with os_errors(path, _OTHER, what="cannot be written"):
        new = not path.exists()
        descriptor = plain_descriptor(str(path), os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
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
        raise AslibError(message, str(path), "Choose a --log on a file system with locks.") from None


def _line(cells: tuple[object, ...]) -> bytes:
    """Cells as CSV, followed by the check sum of the text before it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    line = text.getvalue().encode()
    return b"%s,%s\n" % (line, checksum(line))


def _differences(then: RunSettings, now: RunSettings) -> Iterator[str]:
    if then.command != now.command:
        yield f"its command was {then.command}, now it is {now.command}"
    elif then.program != now.program:
        yield "the program has changed since"
    if then.reads != now.reads:
        yield f"--value was {then.reads}, now it is {now.reads}"
    if then.version != now.version:
        yield f"it was aslib-eval {then.version}, now it is {now.version}"


OUTPUT_LIMIT = 16 * 2**20  # last bytes of an output that are kept
GRACE = 2.0  # seconds between SIGTERM and SIGKILL
_POLL = 0.02  # seconds between two checks whether a silent program has ended


@dataclass(frozen=True)
class ProcessResult:
    """Result of a program: exit code, wall-clock seconds, end of its output."""

    code: int  # negative: the signal that ended it
    seconds: float
    output: str  # bytes that are not UTF-8 are replaced
    errors: str


def run_program(
    words: Sequence[str],
    *,
    timeout: float | None = None,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stop: Event | None = None,
) -> ProcessResult:
    """Run a command in a process group of its own, and end all of the group with it.

    Whatever the program started ends with it: when it ends itself, after ``timeout`` seconds, when ``stop``
    is set, and when this process is interrupted. Of its output the last 16 MiB are kept.

    Raises:
        TimeoutError: when it takes longer than ``timeout``.
        CancelledError: when ``stop`` is set meanwhile.
        OSError: when the program cannot be run.
    """
    begun = time.perf_counter()

    def check() -> None:
        if timeout is not None and time.perf_counter() > begun + timeout:
            raise TimeoutError
        if stop is not None and stop.is_set():
            raise CancelledError

    with ExitStack() as ending:
        with _signals_held():
            process = subprocess.Popen(  # noqa: S603 - the user's own command, without shell
                words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
            ending.callback(_end, process)
        output, errors = _read(process, check)
        while process.poll() is None:
            check()
            time.sleep(_POLL / 4)
        seconds = time.perf_counter() - begun
    return ProcessResult(process.returncode, seconds, output.text(), errors.text())


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back Ctrl-C and its like in the main thread, so that nothing starts that nobody ends."""
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if current_thread() is main_thread() else ()
    handlers = {n: signal.signal(n, lambda number, _: came.append(number)) for n in numbers}
    try:
        yield
    finally:
        for held, handler in handlers.items():
            signal.signal(held, handler)
    for number in came:
        signal.raise_signal(number)


class _Tail:
    def __init__(self) -> None:
        self._bytes = bytearray()
        self._cut = False

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk
        if len(self._bytes) > 2 * OUTPUT_LIMIT:
            del self._bytes[:-OUTPUT_LIMIT]
            self._cut = True

    def text(self) -> str:
        """The text, which never begins in the middle of a word."""
        if self._cut and (space := re.search(rb"\s", self._bytes)):
            del self._bytes[: space.end()]
        return self._bytes.decode("utf-8", errors="replace")


def _read(process: subprocess.Popen[bytes], check: Callable[[], None]) -> tuple[_Tail, _Tail]:
    """Read both outputs until they are closed, or the program ended and all is read."""
    tails = (_Tail(), _Tail())
    with selectors.DefaultSelector() as selector:
        for pipe, tail in zip((process.stdout, process.stderr), tails, strict=True):
            selector.register(pipe, selectors.EVENT_READ, tail)  # type: ignore[arg-type]
        while selector.get_map():
            check()
            ended = process.poll() is not None
            if ended:
                _signal(process, signal.SIGKILL)
            ready = selector.select(_POLL)
            for key, _ in ready:
                chunk = os.read(key.fd, 2**16)
                key.data.add(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if ended and not ready:
                break
    return tails


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        if process.poll() is None:
            _signal(process, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        _signal(process, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


# A number that stands alone, perhaps with its unit (12s), is no part of a name or a version (v2.5.1), and
# takes linear time. `inf` and `nan` have no mean, but must not be skipped in favour of an earlier number.
NUMBER = (
    r"(?ai)(?<![\w.])(?<!\w[-+])[-+]?"
    r"(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?(?!\.?\w*\d)"
    r"|(?:inf(?:inity)?|nan)\b)"
)
TIMEOUT = 3600.0  # seconds of one run
SEARCH_SECONDS = 10.0  # that a pattern of the user's may search one output
_SCRIPTS = {".jar", ".jl", ".js", ".lua", ".pl", ".py", ".r", ".rb", ".sh"}
_PLACE = re.compile(r"\{(instance|seed)\}")
# Prints the last match's first group that took part, or the match; exit 1 without.
_SEARCH = """
import re, sys
last = None
for last in re.finditer(sys.argv[1], sys.stdin.buffer.read().decode()):
    pass
if last is None:
    sys.exit(1)
parts = [part for part in last.groups() if part is not None]
sys.stdout.buffer.write((parts or [last[0]])[0].encode())
"""


@dataclass(frozen=True)
class Program:
    """A command line with the places {instance} and {seed}.

    ``value``: a regular expression whose last match on standard output holds the value (its first group
    that took part, if it has groups); None = wall-clock seconds.
    """

    name: str
    command: str
    value: str | None = NUMBER
    timeout: float | None = TIMEOUT  # seconds; a run that takes longer is an error

    def __post_init__(self) -> None:
        """Check the fields before anything runs."""
        _require_text(self.name, "the name of an algorithm", self.name or "-a")
        _require_text(self.command, "the command", self.name)
        if not self.name:
            raise AslibError("an algorithm needs a name", hint="Give NAME=COMMAND.")
        if not self._words():
            raise AslibError("its command is empty", self.name, "Give NAME=COMMAND.")
        if self.timeout is not None and not self.timeout > 0:
            raise AslibError(
                f"a run cannot take at most {shown(self.timeout)} s", self.name, "--timeout is above 0."
            )
        _require_text(self.value or "", "--value", self.name)
        try:
            re.compile(self.value or "")
        except (re.error, OverflowError, RecursionError) as error:
            message = f"--value is no regular expression ({error}): {self.value}"
            raise AslibError(message, self.name, r"Escape what stands for itself, as in \(.") from None

    def run(self, instance: str, seed: int, *, stop: Event | None = None) -> float:
        """Run once; the arguments are split as a shell would, but no shell runs.

        What the program started and left running is ended, and all of it when ``stop`` is set.

        Raises:
            AslibError: when the program cannot be run, fails, takes too long, or prints no finite value.
            CancelledError: when ``stop`` is set meanwhile.
        """
        try:
            ended = self._end(instance, seed, stop)
        except TimeoutError:
            message = f"more than {shown(self.timeout)} s on {instance}"
            raise AslibError(message, self.name, "Raise --timeout.") from None
        if ended.code:
            raise AslibError(_failure(ended, instance), self.name)
        return ended.seconds if self.value is None else self._read(ended, instance)

    def time(self, instance: str, seed: int, *, answers: bool) -> float:
        """Seconds until it has solved an instance, the timeout where it has not.

        answers: it has if its output has the pattern of ``value``, whatever its exit code; else if it ends
        with exit code 0.
        """
        cutoff = float("inf") if self.timeout is None else self.timeout
        try:
            ended = self._end(instance, seed, None)
        except TimeoutError:
            return cutoff
        if answers:
            solved = bool(self._searched(ended.output, instance))
            return min(ended.seconds, cutoff) if solved else cutoff
        if ended.code:
            hint = "Say with --solved what its output has where it has solved."
            raise AslibError(_failure(ended, instance), self.name, hint)
        return min(ended.seconds, cutoff)

    def _end(self, instance: str, seed: int, stop: Event | None) -> ProcessResult:
        places = {"instance": instance, "seed": str(seed)}
        words = [_PLACE.sub(lambda m: places[m[1]], word) for word in self._words()]
        try:
            return run_program(words, timeout=self.timeout, stop=stop)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise AslibError(f"cannot be run ({why})", self.name) from None

    def settings(self) -> RunSettings:
        """Settings that its values depend on, for the log."""
        return RunSettings(
            command=self.command,
            reads={None: TIME, NUMBER: "the last number"}.get(self.value, str(self.value)),
            program=_fingerprint(self._words()),
            cutoff=self.timeout,
        )

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command)
        except ValueError as error:
            message = f"its command cannot be split into words ({error})"
            raise AslibError(message, self.name, "Close what is quoted.") from None

    def _read(self, ended: ProcessResult, instance: str) -> float:
        if self.value == NUMBER:
            numbers = [match[0] for match in re.finditer(NUMBER, ended.output)][-1:]
        else:
            numbers = self._searched(ended.output, instance)
        hint = "Say what it looks like with --value."
        if not numbers:
            raise AslibError(f"no value on standard output for {instance}", self.name, hint)
        try:
            value = float(numbers[0])
        except ValueError:
            message = f"the value {numbers[0]} for {instance} is no number"
            raise AslibError(message, self.name, hint) from None
        if not math.isfinite(value):
            message = f"the value {numbers[0]} for {instance} has no mean"
            raise AslibError(message, self.name, "Let the program print a finite value for it.")
        return value

    def _searched(self, output: str, instance: str) -> list[str]:
        """Match of the user's pattern, searched in a process as it may never end."""
        words = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _SEARCH, str(self.value)]
        with tempfile.TemporaryFile() as file:
            file.write(output.encode())
            file.seek(0)
            try:
                ended = run_program(words, timeout=SEARCH_SECONDS, stdin=file)
            except TimeoutError:
                message = (
                    f"--value {self.value} searches the output for {instance}"
                    f" longer than {SEARCH_SECONDS:g} s"
                )
                raise AslibError(message, self.name, "Repeat nothing that repeats, as in (a+)+.") from None
        return [] if ended.code else [ended.output]


def _require_text(text: str, what: str, where: str) -> None:
    if any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in text):
        raise AslibError(f"{what} holds a control character or is not UTF-8", where, "Name it otherwise.")


def _failure(ended: ProcessResult, instance: str) -> str:
    how = f"signal {-ended.code}" if ended.code < 0 else f"exit code {ended.code}"
    printed = ended.errors.strip() or ended.output.strip()
    return ": ".join([f"{how} on {instance}", *printed.splitlines()[-1:]])


def _fingerprint(words: Sequence[str]) -> str:
    """Hash of the executable and script files among the words of a command."""
    digest = hashlib.sha256()
    for place, word in enumerate(words):
        path = Path(shutil.which(word) or word) if place == 0 else Path(word)
        try:
            script = path.suffix.lower() in _SCRIPTS or os.access(path, os.X_OK)
            if path.is_file() and script:
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            continue
    return digest.hexdigest()[:16]


def drive(  # noqa: PLR0913
    programs: Sequence[Program],
    instances: Sequence[str],
    *,
    accuracy: Accuracy,
    log: Path,
    seed: int = 1,
    done: Callable[[Row], None] | None = None,
    warn: Callable[[str], None] | None = None,
    rng: np.random.Generator | None = None,
    jobs: int = 1,
) -> pl.DataFrame:
    """Run programs on each instance until the standard errors are small enough.

    Every run is appended to ``log`` (CSV) as soon as it ends, and runs in the log count first: an
    interrupted experiment continues where it stopped. Run r of any program has the seed ``seed + r``.
    ``done`` is called for every new run, ``warn`` for repaired damage of the log. With ``jobs`` > 1 so many
    instances are run side by side: the values are the same, unless they are times, which programs that
    share a machine take from each other. Returns one row for each instance and pair.
    """
    names = [program.name for program in programs]
    require_once(names, "-a")
    require_once(instances, "instance")
    for instance in instances:
        _require_text(instance, "the name of an instance", instance)
    if jobs > 1 and accuracy.formula == "bootstrap":
        raise AslibError(
            "the bootstrap draws for one instance after the other", hint="Use --jobs 1, or --formula delta."
        )
    Sampling(len(programs), accuracy=accuracy, rng=rng)  # before anything is written
    settings = {program.name: program.settings() for program in programs}
    stop, lock = Event(), Lock()
    with open_log(log, settings=settings, seed=seed, warn=warn) as runs:

        def sample(instance: str) -> list[Row]:
            sampling = Sampling(len(programs), accuracy=accuracy, rng=rng)
            for algorithm in sampling:
                program, run = programs[algorithm], len(sampling.runs[algorithm])
                value = runs.recorded.get((instance, program.name, run))
                if value is None:
                    value = program.run(instance, seed + run, stop=stop)
                    with lock:
                        runs.add(instance, program.name, run, value=value)
                        if done is not None:
                            cells = (instance, program.name, run, seed + run, value)
                            done(dict(zip((*_RUN, "value"), cells, strict=True)))
                sampling.add(algorithm, value)
            return list(pair_rows(instance, names, sampling))

        if jobs == 1:
            by_instance = [sample(instance) for instance in instances]
        else:
            by_instance = _side_by_side(sample, instances, jobs=jobs, stop=stop)
    return pl.DataFrame([row for rows in by_instance for row in rows])


def _side_by_side(
    sample: Callable[[str], list[Row]], instances: Sequence[str], *, jobs: int, stop: Event
) -> list[list[Row]]:
    """The rows of all instances, in their order; the first failure ends the others."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            with _signals_held():
                waiting = [pool.submit(sample, instance) for instance in instances]
            ended, _ = wait(waiting, return_when=FIRST_EXCEPTION)
            for each in ended:
                each.result()  # raises what ended a run
            return [each.result() for each in waiting]
        finally:
            stop.set()  # also after Ctrl-C: the programs at work end
            pool.shutdown(cancel_futures=True)


def require_once(names: Sequence[str], what: str) -> None:
    """Raise AslibError for names that occur twice."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AslibError(f"{what} {', '.join(twice)} is given twice", hint="Give each once.")
