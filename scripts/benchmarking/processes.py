"""A command as a whole process: its time and its memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any

# Where a lake keeps its results.
RESULTS = ".results"
# Users' modules are compiled once, and not at every start.
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
# ``ru_maxrss`` is in KiB, on macOS in bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Taken:
    """What a process took: time by the clock and of CPU [s], memory [MB].

    ``peak`` is the largest resident set of it or of one of its own processes.
    """

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True)
class Programs:
    """Where processes run: ``home`` stands for the user's, with the cache in it."""

    home: Path

    def aslib_eval(self, *words: object) -> Taken:
        """The command line of this package."""
        return self.run(str(Path(sys.executable).with_name("aslib-eval")), *words)

    def python(self, *words: object) -> Taken:
        """This Python."""
        return self.run(sys.executable, *words)

    def run(self, *words: object) -> Taken:
        """Run a command to its end; what it prints is lost.

        What was written before is on the disk first: the command does not wait for it.

        Raises:
            RuntimeError: with its last words, if it fails.
        """
        self.home.mkdir(parents=True, exist_ok=True)
        command = [str(word) for word in words]
        os.sync()
        with TemporaryFile() as errors:
            start = perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=self._env())
            _, status, usage = os.wait4(process.pid, 0)
            wall = perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                errors.seek(0)
                said = errors.read().decode(errors="replace")[-2000:]
                raise RuntimeError(f"{' '.join(command)}: {said}")
        peak = usage.ru_maxrss * _UNIT / 1e6
        return Taken(wall, usage.ru_utime + usage.ru_stime, peak)

    def found(self, *words: object) -> Any:
        """What a program of this Python prints as JSON."""
        command = [sys.executable, *map(str, words)]
        done = subprocess.run(command, check=True, env=self._env(), stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def forget(self, lake: Path) -> None:
        """Remove what was built of a lake."""
        shutil.rmtree(lake / RESULTS, ignore_errors=True)
        shutil.rmtree(self.home, ignore_errors=True)

    def _env(self) -> dict[str, str]:
        home = str(self.home)
        theirs = {k: v for k, v in os.environ.items() if k != _NO_BYTECODE}
        return {**theirs, "HOME": home, "XDG_CACHE_HOME": f"{home}/.cache"}
