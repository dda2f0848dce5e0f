"""Algorithm 1 on real programs: run the one that tells most, until all is known."""

from __future__ import annotations

import csv
import math
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError
from aslib_eval.statistics.repetitions import Accuracy, Sampling

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Row = dict[str, Any]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
LOG = ("instance", "algorithm", "run", "seed", "value")


@dataclass(frozen=True)
class Program:
    """A command line with the places {instance} and {seed}.

    ``value``: a regular expression whose last match on standard output holds the value
    (its first group, if it has one); None = wall-clock seconds.
    """

    name: str
    command: str
    value: str | None = NUMBER
    timeout: float | None = None  # seconds; a run that takes longer is an error

    def run(self, instance: str, seed: int) -> float:
        """Run once; the arguments are split as a shell would, but no shell runs.

        Raises AslibError if the program cannot be run, fails, takes too long, or
        prints no value.
        """
        places = {"instance": instance, "seed": str(seed)}
        words = [_filled(word, places) for word in shlex.split(self.command)]
        begun = time.perf_counter()
        try:
            done = subprocess.run(  # noqa: S603 - the user's own command, without shell
                words, capture_output=True, text=True, check=True, timeout=self.timeout
            )
        except subprocess.CalledProcessError as error:
            said = (error.stderr or error.stdout).strip().splitlines()[-1:]
            parts = [f"exit code {error.returncode} on {instance}", *said]
            raise AslibError(": ".join(parts), self.name) from None
        except subprocess.TimeoutExpired:
            message = f"more than {self.timeout:g} s on {instance}"
            raise AslibError(message, self.name, "Raise --timeout.") from None
        except OSError as error:
            raise AslibError(f"cannot be run ({error.strerror})", self.name) from None
        if self.value is None:
            return time.perf_counter() - begun
        return self._read(done.stdout, instance)

    def _read(self, output: str, instance: str) -> float:
        found = list(re.finditer(self.value or NUMBER, output))
        if found:
            match = found[-1]
            try:
                return float(match[1] if match.re.groups else match[0])
            except ValueError:
                pass
        message = f"no value on standard output for {instance}"
        raise AslibError(message, self.name, "Say what it looks like with --value.")


def _filled(word: str, places: dict[str, str]) -> str:
    for name, text in places.items():
        word = word.replace("{" + name + "}", text)
    return word


def drive(
    programs: Sequence[Program],
    instances: Sequence[str],
    *,
    accuracy: Accuracy,
    log: Path,
    seed: int = 1,
    done: Callable[[Row], None] | None = None,
    rng: np.random.Generator | None = None,
) -> pl.DataFrame:
    """Run programs on each instance until their differences are known well enough.

    Every run is appended to ``log`` (CSV) as soon as it ends, and runs that the log
    holds already count first: what was interrupted goes on where it stopped. Run r of
    any program has the seed ``seed + r``. Gives one row for each instance and pair.

    Raises AslibError as ``Program.run``, and if the log is not one of these runs.
    """
    import polars as pl

    known = _read_log(log)
    rows: list[Row] = []
    for instance in instances:
        sampling = Sampling(len(programs), accuracy=accuracy, rng=rng)
        for at in sampling:
            program, run = programs[at], len(sampling.runs[at])
            value = known.get((instance, program.name, run))
            if value is None:
                value = program.run(instance, seed + run)
                cells = (instance, program.name, run, seed + run, value)
                row: Row = dict(zip(LOG, cells, strict=True))
                _append(log, row)
                if done is not None:
                    done(row)
            sampling.tell(at, value)
        rows += pair_rows(instance, [p.name for p in programs], sampling)
    return pl.DataFrame(rows)


def pair_rows(instance: str, names: Sequence[str], sampling: Sampling) -> Iterator[Row]:
    """One row for each pair of an instance: difference, standard error, runs."""
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
        }


def _read_log(log: Path) -> dict[tuple[str, str, int], float]:
    if not log.exists():
        return {}
    found: dict[tuple[str, str, int], float] = {}
    with log.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != LOG:
            hint = "Choose another --log."
            message = f"not a log of runs: its columns are not {', '.join(LOG)}"
            raise AslibError(message, f"{log}:1", hint)
        for row in reader:
            try:
                key = (row["instance"], row["algorithm"], int(row["run"]))
                value = float(row["value"])
            except (TypeError, ValueError):
                value = math.nan
            if not math.isfinite(value):
                place = f"{log}:{reader.line_num}"
                raise AslibError("not a run", place, "Remove the line.")
            found[key] = value
    return found


def _append(log: Path, row: Row) -> None:
    try:
        new = not log.exists()
        with log.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, LOG, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(row)
    except OSError as error:
        message = f"cannot be written ({error.strerror or error})"
        raise AslibError(message, str(log), "Choose another --log.") from None
