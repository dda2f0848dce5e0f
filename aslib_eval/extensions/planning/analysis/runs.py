"""Run programs, or replay recorded runs, until standard errors are small enough."""

from __future__ import annotations

import hashlib
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.analysis.log import TIME, RunSettings, open_log
from aslib_eval.extensions.planning.analysis.processes import ProcessResult, run_program
from aslib_eval.extensions.planning.statistics.adaptive_sampling import Accuracy, Sampling
from aslib_eval.extensions.planning.statistics.standard_errors import summarise
from aslib_eval.text import shown, significant

Row = dict[str, Any]
_RUN = ("instance", "algorithm", "run", "seed", "value")
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

    Raises:
        AslibError: when the command cannot be split into words, the pattern is none, or the name, command
            or pattern holds a control character.
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
            message = f"a run cannot take at most {shown(self.timeout)} s"
            raise AslibError(message, self.name, "--timeout is above 0.")
        _require_text(self.value or "", "--value", self.name)
        try:
            re.compile(self.value or "")
        except (re.error, OverflowError, RecursionError) as error:
            message = f"--value is no regular expression ({error}): {self.value}"
            hint = r"Escape what stands for itself, as in \(."
            raise AslibError(message, self.name, hint) from None

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

        Raises:
            AslibError: when the program cannot be run, or fails without ``answers``.
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
        """Run the command to its end, and raise TimeoutError where it takes longer."""
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
        reads = {None: TIME, NUMBER: "the last number"}
        return RunSettings(
            command=self.command,
            reads=reads.get(self.value, str(self.value)),
            program=_fingerprint(self._words()),
            cutoff=self.timeout,
        )

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command)
        except ValueError as error:
            message = f"its command cannot be split into words ({error})"
            hint = "Close what is quoted."
            raise AslibError(message, self.name, hint) from None

    def _read(self, ended: ProcessResult, instance: str) -> float:
        if self.value == NUMBER:
            numbers = [match[0] for match in re.finditer(NUMBER, ended.output)][-1:]
        else:
            numbers = self._searched(ended.output, instance)
        hint = "Say what it looks like with --value."
        if not numbers:
            message = f"no value on standard output for {instance}"
            raise AslibError(message, self.name, hint)
        try:
            value = float(numbers[0])
        except ValueError:
            message = f"the value {numbers[0]} for {instance} is no number"
            raise AslibError(message, self.name, hint) from None
        if not math.isfinite(value):
            message = f"the value {numbers[0]} for {instance} has no mean"
            hint = "Let the program print a finite value for it."
            raise AslibError(message, self.name, hint)
        return value

    def _searched(self, output: str, instance: str) -> list[str]:
        """Match of the user's pattern, searched in a process as it may never end."""
        python = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _SEARCH]
        with tempfile.TemporaryFile() as file:
            file.write(output.encode())
            file.seek(0)
            words = [*python, str(self.value)]
            try:
                ended = run_program(words, timeout=SEARCH_SECONDS, stdin=file)
            except TimeoutError:
                message = (
                    f"--value {self.value} searches the output for {instance}"
                    f" longer than {SEARCH_SECONDS:g} s"
                )
                hint = "Repeat nothing that repeats, as in (a+)+."
                raise AslibError(message, self.name, hint) from None
        return [] if ended.code else [ended.output]


def _require_text(text: str, what: str, where: str) -> None:
    """Raise AslibError if a line of UTF-8 cannot hold the text."""
    if any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in text):
        message = f"{what} holds a control character or is not UTF-8"
        raise AslibError(message, where, "Name it otherwise.")


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

    Every run is appended to ``log`` (CSV) as soon as it ends, and runs in the log
    count first: an interrupted experiment continues where it stopped. Run r of
    any program has the seed ``seed + r``. ``done`` is called for every new run, ``warn`` for repaired
    damage of the log. With ``jobs`` > 1 so many instances are run side by side: the values are the same,
    unless they are times, which programs that share a machine take from each other. Returns one row for
    each instance and pair.
    """
    names = [program.name for program in programs]
    _require_once(names, "-a")
    _require_once(instances, "instance")
    for instance in instances:
        _require_text(instance, "the name of an instance", instance)
    if jobs > 1 and accuracy.formula == "bootstrap":
        message = "the bootstrap draws for one instance after the other"
        raise AslibError(message, hint="Use --jobs 1, or --formula delta.")
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
                            done(dict(zip(_RUN, cells, strict=True)))
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
        waiting = [pool.submit(sample, instance) for instance in instances]
        try:
            ended, _ = wait(waiting, return_when=FIRST_EXCEPTION)
            for each in waiting:
                if each in ended:
                    each.result()  # raises what ended a run
            return [each.result() for each in waiting]
        finally:
            stop.set()  # also after Ctrl-C: the programs at work end
            pool.shutdown(cancel_futures=True)


def _require_once(names: Sequence[str], what: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"{what} {', '.join(twice)} is given twice"
        raise AslibError(message, hint="Give each once.")


def pair_rows(instance: str, names: Sequence[str], sampling: Sampling) -> Iterator[Row]:
    """One row for each pair of an instance: difference, standard error, runs."""
    means = summarise(sampling.runs).mean.tolist()
    for pair in sampling.errors:
        yield {
            "instance": instance,
            "system": names[pair.first],
            "other": names[pair.second],
            "difference": pair.difference,
            "se": pair.se,
            "reached": pair.se <= sampling.accuracy.se,
            "runs": len(sampling.runs[pair.first]),
            "other_runs": len(sampling.runs[pair.second]),
            "total_runs": len(sampling.order),
            "mean": means[pair.first],
            "other_mean": means[pair.second],
        }


# Adaptive sampling of recorded repetitions.


def replay(
    lake: OpenLake, *, accuracy: Accuracy, rng: np.random.Generator | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, tuple[str, ...]]:
    """Sample recorded repetitions in their order until the standard errors are reached.

    The first frame has one row for each instance: runs used, runs recorded, and the largest standard error
    reached; the second one for each instance and pair, as of ``drive``; the sentences are for each
    scenario. An instance on which an algorithm runs out of repetitions is not ``reached``; the budget is at
    most the recorded
    runs. Costs are those of the protocol, so a timeout is its penalty.
    """
    frame = lake.ask("repeated_costs")
    keys = ["protocol", "scenario_id", "measure", "instance_id"]
    rows: list[Row] = []
    pairs: list[Row] = []
    for part in frame.partition_by(keys, maintain_order=True):
        first = part.row(0, named=True)
        streams = part["costs"].to_list()
        if len(streams) > 1 and min(map(len, streams)) >= accuracy.start:
            row = {key: first[key] for key in keys}
            instance, names = first["instance_id"], part["algorithm"].to_list()
            sampling = _replay(streams, accuracy, rng, instance)
            rows.append(row | _used(streams, sampling))
            pairs += (row | pair for pair in pair_rows(instance, names, sampling))
    if not rows:
        message = f"no instance has {accuracy.start} repetitions of each algorithm"
        raise AslibError(message, hint="Choose another --scenario, or less --start.")
    by_instance = pl.DataFrame(rows)
    sentences = tuple(_sentences(by_instance, accuracy))
    return by_instance, pl.DataFrame(pairs), sentences


def _replay(
    streams: Sequence[Sequence[float]], accuracy: Accuracy, rng: np.random.Generator | None, instance: str
) -> Sampling:
    sampling = Sampling(len(streams), accuracy=accuracy, rng=rng)
    try:
        while (algorithm := sampling.ask()) is not None:
            run = len(sampling.runs[algorithm])
            if run >= len(streams[algorithm]):
                break
            sampling.add(algorithm, streams[algorithm][run])
        sampling.errors  # noqa: B018 - raises where a percent difference is undefined
    except AslibError as error:
        raise AslibError(error.message, instance, error.hint) from None
    return sampling


def _used(streams: Sequence[Sequence[float]], sampling: Sampling) -> Row:
    return {
        "runs": len(sampling.order),
        "recorded": sum(map(len, streams)),
        "reached": sampling.reached,
        "largest_se": max(pair.se for pair in sampling.errors),
        "runs_of_each": [len(values) for values in sampling.runs],
    }


def _sentences(frame: pl.DataFrame, accuracy: Accuracy) -> Iterator[str]:
    for part in frame.partition_by("protocol", "scenario_id", maintain_order=True):
        n = part.height
        enough = part.filter(part["reached"])
        of = "of the means" if accuracy.difference == "percent" else "in the unit"
        text = (
            f"{part['scenario_id'][0]}: all standard errors come down to"
            f" {significant(accuracy.se, 6)} ({accuracy.difference}, {of}) on"
            f" {enough.height} of {n} instances"
        )
        if enough.height:
            used = sum(enough["runs"]) / enough.height
            there = sum(enough["recorded"]) / enough.height
            text += f", there with {significant(used)} runs on average instead of"
            text += f" {significant(there)}"
            firsts = enough["runs_of_each"].explode().max() == accuracy.start
            if used == there and firsts:
                text += f"; all are first runs (--start {accuracy.start}), of which"
                text += " none can be saved: begin with fewer"
        yield f"{text}."
