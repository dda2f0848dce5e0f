"""``results.json`` of a MiniZinc Challenge: what it must hold, checked and named.

Keys that are used: solvers, problems, kind (a problem each), benchmarks (an instance each), instances
(those of each problem, as positions in benchmarks), and lists of solvers and instances: results, times,
objectives, step_obj and step_times; scores and scores_loc are lists of solvers, other solvers and
instances.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from aslib_eval.errors import AslibError

KINDS: Mapping[str, str] = {"SAT": "satisfy", "MIN": "minimize", "MAX": "maximize"}
CATEGORIES = ("fd", "free", "par", "open", "local")
_SHORT = 40  # characters of a value in a message
_HINT = "Is it results.json of a challenge from 2011 on?"


@dataclass(frozen=True)
class ChallengeInstance:
    """A benchmark: problem/name, and what is asked: satisfy, minimize or maximize."""

    name: str
    problem: str
    sense: str


@dataclass(frozen=True)
class ChallengeResults:
    """A file of results, as far as all of its users need it."""

    file: str
    solvers: tuple[str, ...]
    instances: tuple[ChallengeInstance, ...]
    raw: Mapping[str, Any]
    problem_files: tuple[str, ...]

    def grid(self, key: str, is_right: Callable[[Any], bool], what: str) -> list[list[Any]]:
        """A list of solvers of a list of instances, whose cells are checked.

        Raises:
            AslibError: it is not as large, or a cell is not as ``what`` says.
        """
        rows = self._sized(self.raw.get(key), key, self.solvers)
        for s, row in enumerate(rows):
            cells = self._sized(row, f"{key}[{s}]", self.instances)
            for i, cell in enumerate(cells):
                if not is_right(cell):
                    self.wrong(f"{key}[{s}][{i}]", f"{_brief(cell)} is {what}")
        return rows

    def pairs(self, key: str) -> list[list[list[float]]]:
        """Scores: solvers, the solvers they are compared with, instances."""
        rows = self._sized(self.raw.get(key), key, self.solvers)
        for s, row in enumerate(rows):
            for t, cells in enumerate(self._sized(row, f"{key}[{s}]", self.solvers)):
                found = self._sized(cells, f"{key}[{s}][{t}]", self.instances)
                if not all(map(is_number, found)):
                    i = next(n for n, x in enumerate(found) if not is_number(x))
                    self.wrong(f"{key}[{s}][{t}][{i}]", f"{_brief(found[i])} is no number")
        return rows

    def flags(self, key: str) -> list[bool]:
        """A truth value for each solver."""
        cells = self._sized(self.raw.get(key), key, self.solvers)
        for s, cell in enumerate(cells):
            if not isinstance(cell, bool):
                self.wrong(f"{key}[{s}]", f"{_brief(cell)} is neither true nor false")
        return cells

    def _sized(self, found: Any, key: str, of: Sequence[object]) -> list[Any]:
        if not isinstance(found, list):
            self.wrong(key, f"is no list of {len(of)}, but {_brief(found)}")
        if len(found) != len(of):
            self.wrong(key, f"has {len(found)} entries instead of {len(of)}")
        return found

    def wrong(self, key: str, what: str) -> NoReturn:
        """Raise an error about a value."""
        raise AslibError(f"results.{key}: {what}", self.file, _HINT)


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]} …"


def unzipped(content: bytes, *, file: str) -> bytes:
    """A file's content, which may be gzipped.

    Raises:
        AslibError: it is, and cut or damaged.
    """
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise AslibError(f"cannot be unzipped ({error})", file, "Fetch it again.") from None


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a number."""
    return type(value) in {int, float}


def read_challenge(content: bytes, *, file: str) -> ChallengeResults:
    """The solvers and instances of a file of results.

    Raises:
        AslibError: it is not JSON, or they are not as they must be.
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        place = f"{file}:{getattr(error, 'lineno', 1)}"
        raise AslibError(f"is not JSON ({error})", place, "Is it whole? Fetch it again.") from None
    raw = found.get("results") if isinstance(found, dict) else None
    if not isinstance(raw, dict):
        raise AslibError("has no object 'results' with solvers and instances", file, _HINT)
    for key in ("solvers", "problems", "kind", "benchmarks"):
        _texts(raw, key, file=file)
    empty = ChallengeResults(file, tuple(raw["solvers"]), (), raw, ())
    twice = [name for name, n in Counter(empty.solvers).items() if n > 1]
    if twice:
        empty.wrong("solvers", f"names {twice[0]!r} twice")
    instances = _instances(raw, empty)
    locations = found.get("locations")
    problems = locations.get("problems") if isinstance(locations, dict) else None
    files = tuple(map(str, problems)) if isinstance(problems, list) else ()
    return ChallengeResults(file, empty.solvers, instances, raw, files)


def _texts(raw: Mapping[str, Any], key: str, *, file: str) -> None:
    found = raw.get(key)
    if not isinstance(found, list) or not all(isinstance(x, str) and x for x in found):
        raise AslibError(f"results.{key}: is no list of texts, but {_brief(found)}", file, _HINT)


def _instances(raw: Mapping[str, Any], results: ChallengeResults) -> tuple[ChallengeInstance, ...]:
    """Every benchmark, which belongs to exactly one problem."""
    groups, problems, kinds = raw.get("instances"), raw["problems"], raw["kind"]
    benchmarks = raw["benchmarks"]
    if len(kinds) != len(problems):
        results.wrong("kind", f"has {len(kinds)} entries instead of {len(problems)}")
    if not isinstance(groups, list) or len(groups) != len(problems):
        results.wrong("instances", f"is no list of {len(problems)} lists")
    found: dict[int, ChallengeInstance] = {}
    for p, group in enumerate(groups):
        if kinds[p] not in KINDS:
            results.wrong(f"kind[{p}]", f"{kinds[p]!r} is none of {', '.join(KINDS)}")
        if not isinstance(group, list):
            results.wrong(f"instances[{p}]", "is no list of positions")
        for at in group:
            if type(at) is not int or not 0 <= at < len(benchmarks) or at in found:
                what = f"{_brief(at)} is no position of benchmarks, or there twice"
                results.wrong(f"instances[{p}]", what)
            name = f"{problems[p]}/{benchmarks[at]}"
            found[at] = ChallengeInstance(name, problems[p], KINDS[kinds[p]])
    if len(found) != len(benchmarks):
        at = min({*range(len(benchmarks))} - found.keys())
        results.wrong("instances", f"no problem has benchmark {at}, {benchmarks[at]!r}")
    named = [found[at] for at in range(len(benchmarks))]
    counts = Counter(each.name for each in named)
    if twice := [name for name, n in counts.items() if n > 1]:
        results.wrong("benchmarks", f"names {twice[0]!r} twice in one problem")
    return tuple(named)
