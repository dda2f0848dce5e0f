"""MiniZinc Challenges: ``results.json`` of their site, gzipped or not.

Keys: solvers, problems, kind (of each problem), benchmarks (the instances), instances (for each problem,
the positions of its instances in benchmarks). results, times, objectives, step_obj and step_times have a
list for each solver with an entry for each instance; scores and scores_loc one for each pair of solvers.

Codes of runs, and their claims on satisfaction and optimisation problems:

========  ============  ============  ==================================
SC        sat           optimal       solved and complete
S         sat           solution      solved
C, UC     unsat         unsat         complete without a solution
UNK       unknown       unknown       neither: a timeout, if at the limit
INC       none          none          a wrong answer, found by the organisers
ERR, MZN  none          none          an error, for example in the translation
========  ============  ============  ==================================

Times in milliseconds (in 2011 and 2012 whole seconds) become seconds. The file has no limit: by the rules
it is 1200 s from 2015 on and 900 s before; the largest time of an answer shows which.

Source: www.minizinc.org/challenge, rules of each year, and its scoring.js.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions import raw_runs
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import twice
from aslib_eval.formats.sources import FilesRead, Location, table
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.text import plural

KINDS: Mapping[str, str] = {"SAT": "satisfy", "MIN": "minimize", "MAX": "maximize"}
CATEGORIES = ("fd", "free", "par", "open", "local")
_SHORT = 40  # characters of a value in a message
_HINT = "Use results.json of a challenge from 2011 on."


@dataclass(frozen=True)
class ChallengeInstance:
    """A benchmark: problem/name, and its sense: satisfy, minimize or maximize."""

    name: str
    problem: str
    sense: str


class ChallengeResults:
    """The solvers and instances of a file, and checked access to its other values.

    raw: its object ``results``. problem_files: the paths of its problems.
    """

    def __init__(self, content: bytes, *, file: str) -> None:
        self.file = file
        try:
            found = json.loads(content)
        except (ValueError, RecursionError) as error:
            place = f"{file}:{getattr(error, 'lineno', 1)}"
            raise AslibError(f"is not JSON ({error})", place, "Fetch it again.") from None
        raw = found.get("results") if isinstance(found, dict) else None
        if not isinstance(raw, dict):
            raise AslibError("has no object 'results' with solvers and instances", file, _HINT)
        self.raw: Mapping[str, Any] = raw
        for key in ("solvers", "problems", "kind", "benchmarks"):
            texts = raw.get(key)
            if not isinstance(texts, list) or not all(isinstance(x, str) and x for x in texts):
                self.wrong(key, f"is {_brief(texts)}, not a list of texts")
        self.solvers: list[str] = raw["solvers"]
        if names := twice(self.solvers):
            self.wrong("solvers", f"names {names[0]!r} twice")
        self.instances = self._instances(raw["benchmarks"], raw["problems"], raw["kind"])
        locations = found.get("locations")
        problems = locations.get("problems") if isinstance(locations, dict) else None
        self.problem_files = [*map(str, problems)] if isinstance(problems, list) else []

    def _instances(
        self, benchmarks: Sequence[str], problems: Sequence[str], kinds: Sequence[str]
    ) -> list[ChallengeInstance]:
        """The benchmarks; each belongs to exactly one problem."""
        groups = self.raw.get("instances")
        if len(kinds) != len(problems):
            self.wrong("kind", f"has {len(kinds)} entries instead of {len(problems)}")
        if not isinstance(groups, list) or len(groups) != len(problems):
            self.wrong("instances", f"is not a list of {len(problems)} lists")
        found: dict[int, ChallengeInstance] = {}
        for p, (group, problem, kind) in enumerate(zip(groups, problems, kinds, strict=True)):
            if kind not in KINDS:
                self.wrong(f"kind[{p}]", f"{kind!r} is none of {', '.join(KINDS)}")
            if not isinstance(group, list):
                self.wrong(f"instances[{p}]", "is not a list of positions")
            for at in group:
                if type(at) is not int or not 0 <= at < len(benchmarks) or at in found:
                    what = f"{_brief(at)} is not a position in benchmarks, or occurs twice"
                    self.wrong(f"instances[{p}]", what)
                found[at] = ChallengeInstance(f"{problem}/{benchmarks[at]}", problem, KINDS[kind])
        if len(found) != len(benchmarks):
            at = min({*range(len(benchmarks))} - found.keys())
            self.wrong("instances", f"no problem has benchmark {at}, {benchmarks[at]!r}")
        named = [found[at] for at in range(len(benchmarks))]
        if names := twice(each.name for each in named):
            self.wrong("benchmarks", f"names {names[0]!r} twice in one problem")
        return named

    def grid(self, key: str, is_right: Callable[[Any], bool], what: str) -> list[list[Any]]:
        """A checked cell for each solver and instance; what: the words for a wrong cell."""
        rows = self._sized(self.raw.get(key), key, self.solvers)
        for s, row in enumerate(rows):
            for i, cell in enumerate(self._sized(row, f"{key}[{s}]", self.instances)):
                if not is_right(cell):
                    self.wrong(f"{key}[{s}][{i}]", f"{_brief(cell)} is {what}")
        return rows

    def pairs(self, key: str) -> list[list[list[float]]]:
        """Scores by solver, other solver and instance."""
        rows = self._sized(self.raw.get(key), key, self.solvers)
        for s, row in enumerate(rows):
            for t, cells in enumerate(self._sized(row, f"{key}[{s}]", self.solvers)):
                found = self._sized(cells, f"{key}[{s}][{t}]", self.instances)
                if not all(map(is_number, found)):
                    i = next(n for n, x in enumerate(found) if not is_number(x))
                    self.wrong(f"{key}[{s}][{t}][{i}]", f"{_brief(found[i])} is not a number")
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
            self.wrong(key, f"is {_brief(found)}, not a list of {len(of)}")
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
    """The content of a file that may be gzipped."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise AslibError(f"cannot be unzipped ({error})", file, "Fetch it again.") from None


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a number."""
    return type(value) in {int, float}


# Code → claim on a satisfaction and on an optimisation problem, status of the run.
_CODES: Mapping[str, tuple[str | None, str | None, str]] = {
    "SC": ("sat", "optimal", "ok"),
    "S": ("sat", "solution", "ok"),
    "C": ("unsat", "unsat", "ok"),
    "UC": ("unsat", "unsat", "ok"),
    "UNK": ("unknown", "unknown", "timeout"),  # at the limit
    "INC": (None, None, "wrong"),
    "ERR": (None, None, "crash"),
    "MZN": (None, None, "crash"),
}
_ANSWERS = ("SC", "S", "C", "UC")
_LIMITS = (900.0, 1200.0)  # [s]
_PRINTED = 2.5e-6  # two points of six decimals each
# If all times are below this, they are in seconds.
_SECONDS = 10_000.0


def read_runs(results: ChallengeResults, raw: raw_runs.RawFile) -> Parsed:
    """The relations of a challenge."""
    times = _numbers(results, "times")
    highest = max((x for row in times for x in row if x is not None), default=0.0)
    per_second = 1.0 if highest < _SECONDS else 1000.0
    times = [[None if time is None else time / per_second for time in row] for row in times]
    codes = results.grid("results", lambda cell: isinstance(cell, str), "not a code")
    longest = max(
        (
            time
            for row, said in zip(times, codes, strict=True)
            for time, code in zip(row, said, strict=True)
            if time is not None and code.strip() in _ANSWERS
        ),
        default=0.0,
    )
    limit = next((each for each in _LIMITS if longest <= each), longest)
    runs = [*_runs(results, codes, times, limit=limit)]
    points = _trajectory(results)
    instances = results.instances
    sizes = f"{plural(len(results.solvers), 'solver')} on {plural(len(instances), 'instance')}"
    unit = "seconds" if per_second == 1 else "milliseconds, stored as seconds"
    raw.say("runs-understood", f"{sizes}; times are {unit}; the limit is {limit:g} s, as in the rules")
    for code, n in Counter(run.said for run in runs if run.said and run.said not in _CODES).items():
        what = f"results has {plural(n, 'run')} with the unknown code {code!r}"
        hint = f"These runs count as unsolved. Known codes are {', '.join(_CODES)}."
        raw.say("status-unknown", what, hint)
    if late := int(np.sum(points["elapsed"].to_numpy() > limit)):
        raw.say("trajectory-late", f"trajectories have {plural(late, 'solution')} after the limit")
    _say_worse(results, runs, raw)
    _say_pair_sums(results, raw)
    attributes = {
        "sense": {each.name: each.sense for each in instances},
        "family": {each.name: each.problem for each in instances},
    }
    tables = _categories(results)
    if points.num_rows:
        tables["trajectory"] = points
    return raw.parsed(
        raw_runs.CompetitionRuns(runs, ["wall_time"], limit, attributes),
        maximized=frozenset(each.name for each in instances if each.sense == "maximize"),
        more=tables,
    )


def _numbers(results: ChallengeResults, key: str) -> list[list[float | None]]:
    """Numbers; they are texts in files of 2011 and 2012. None for a blank."""

    def is_right(cell: Any) -> bool:
        digits = cell.strip().removeprefix("-") if isinstance(cell, str) else ""
        return is_number(cell) or (isinstance(cell, str) and (not digits or digits.isdecimal()))

    rows = results.grid(key, is_right, "neither a number nor blank")
    return [[float(cell) if is_number(cell) or cell.strip() else None for cell in row] for row in rows]


def _runs(
    results: ChallengeResults,
    codes: Sequence[Sequence[str]],
    times: Sequence[Sequence[float | None]],
    *,
    limit: float,
) -> Iterator[raw_runs.CompetitionRun]:
    objectives = _numbers(results, "objectives")
    for s, solver in enumerate(results.solvers):
        for i, instance in enumerate(results.instances):
            said, time = codes[s][i].strip(), times[s][i]
            of_satisfaction, of_optimisation, status = _CODES.get(said, (None, None, "other"))
            claim = of_satisfaction if instance.sense == "satisfy" else of_optimisation
            if said in _ANSWERS and time is None:
                results.wrong(f"times[{s}][{i}]", f"a run with the code {said} has no time")
            if said == "UNK" and time is not None and time < limit:
                status = "other"
            run = raw_runs.CompetitionRun(instance.name, solver, (time,), status, said or None, claim)
            objective = objectives[s][i] if instance.sense != "satisfy" else None
            yield run._replace(judged="wrong" if said == "INC" else None, objective=objective)


def _categories(results: ChallengeResults) -> dict[str, pa.Table]:
    names = [name for name in CATEGORIES if f"{name}_solvers" in results.raw]
    flags = {name: results.flags(f"{name}_solvers") for name in names}
    features = [
        {"feature": name, "of": "algorithm", "position": position, "has_values": True, "steps": []}
        for position, name in enumerate(names, 1)
    ]
    values = [
        {"algorithm": solver, "repetition": 1, "feature": name, "value": float(flag)}
        for name in names
        for solver, flag in zip(results.solvers, flags[name], strict=True)
    ]
    built = {"feature": features, "algorithm_feature": values}
    return {relation: table(relation, rows) for relation, rows in built.items()}


def _trajectory(results: ChallengeResults) -> pa.Table:
    schema = RELATIONS["trajectory"].schema
    if "step_obj" not in results.raw:
        return schema.empty_table()
    wanted = [i for i, x in enumerate(results.instances) if x.sense != "satisfy"]
    runs = [(s, i) for s in range(len(results.solvers)) for i in wanted]
    values, times = (_points(results, key, runs) for key in ("step_obj", "step_times"))
    sizes = [len(values[s][i]) for s, i in runs]
    for (s, i), size in zip(runs, sizes, strict=True):
        if len(times[s][i]) != size:
            what = f"has {len(times[s][i])} entries, but step_obj has {size}"
            results.wrong(f"step_times[{s}][{i}]", what)
        if any(then < before for before, then in pairwise(times[s][i])):
            results.wrong(f"step_times[{s}][{i}]", "goes back in time")
    n = sum(sizes)
    solvers, instances = (np.repeat([run[at] for run in runs], sizes) for at in (0, 1))
    elapsed, value = (
        np.array([*chain.from_iterable(lists[s][i] for s, i in runs)], np.float64)
        for lists in (times, values)
    )
    names = [each.name for each in results.instances]
    columns = {
        "instance_id": pa.DictionaryArray.from_arrays(pa.array(instances, pa.int32()), names),
        "algorithm": pa.DictionaryArray.from_arrays(pa.array(solvers, pa.int32()), results.solvers),
        "trial": np.ones(n, np.int32),
        "measure": pa.array(["objective"]).dictionary_encode().take(np.zeros(n, int)),
        "step": np.concatenate([np.arange(1, size + 1, dtype=np.int32) for size in (*sizes, 0)]),
        "suggestion": np.ones(n, np.int32),
        "elapsed": elapsed / 1000,
        "value": value,
        "visible": pa.nulls(n, pa.float64()),
    }
    return pa.table([pa.array(columns[each.name]).cast(each.type) for each in schema], schema=schema)


def _points(
    results: ChallengeResults, key: str, runs: Sequence[tuple[int, int]]
) -> list[list[list[float]]]:
    """Values or times of the solutions of all runs; checked for the given runs."""
    found = results.grid(key, lambda cell: isinstance(cell, list), "not a list")
    for s, i in runs:
        if not all(map(is_number, found[s][i])):
            results.wrong(f"{key}[{s}][{i}]", "is not a list of numbers")
    return found


def _say_worse(
    results: ChallengeResults, runs: Sequence[raw_runs.CompetitionRun], raw: raw_runs.RawFile
) -> None:
    worse, other = list[str](), list[str]()
    found = iter(runs)
    for steps in results.raw.get("step_obj", ()):
        for instance, values in zip(results.instances, steps, strict=True):
            run, sign = next(found), -1 if instance.sense == "maximize" else 1
            if instance.sense == "satisfy" or not values:
                continue
            name = f"{run.solver} on {instance.name}"
            if any(sign * (then - before) > 0 for before, then in pairwise(values)):
                worse.append(name)
            if run.claim in ("optimal", "solution") and values[-1] != run.objective:
                other.append(name)
    for names, what in (
        (worse, "a solution is worse than an earlier one"),
        (other, "the last solution has another objective than the run"),
    ):
        if names:
            said = f"in {plural(len(names), 'trajectory', 'trajectories')} {what}"
            raw.say("runs-verdict", f"{said}; the first case is {names[0]}")


def _say_pair_sums(results: ChallengeResults, raw: raw_runs.RawFile) -> None:
    """Warn of pairs with published points of a wrong sum, where one solver solves.

    Unreadable scores are reported when they are compared.
    """
    try:
        points = np.array(results.pairs("scores"))
    except AslibError:
        return
    best = 2.0 if points.size and points.max() > 1 else 1.0
    sums = points + points.swapaxes(0, 1)
    once = np.triu(np.ones(sums.shape[:2], bool), 1)[:, :, None]
    odd = (abs(sums - best) > _PRINTED) & (sums > 0) & once
    if not (n := int(odd.sum())):
        return
    s, t, i = (int(at[0]) for at in np.nonzero(odd))
    one, other, where = results.solvers[s], results.solvers[t], results.instances[i]
    what = f"the published points of {plural(n, 'pair')} do not sum to {best:g}: "
    what += f"{one} and {other} have {points[s, t, i]:g} and {points[t, s, i]:g} on"
    hint = "Type aslib-eval competition RULE FILE --published FILE to see why."
    raw.say("runs-scores", f"{what} {where.name}", hint)


_ENDINGS = ("results.json", "results.json.gz")
_HEAD = 1 << 16  # bytes that identify a file
_KEYS = (b'"results"', b'"solvers"', b'"fd_solvers"')


def _find(path: Path, files: FilesRead) -> list[Location]:
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    return [Location(each, str(each)) for each in inside if is_challenge(each, files)]


def is_challenge(path: Path, files: FilesRead) -> bool:
    """Whether a file is surely results.json of a challenge, by its name and its first keys."""
    if not path.name.lower().endswith(_ENDINGS) or not path.is_file():
        return False
    head = raw_runs.beginning(path, files, _HEAD)
    return all(key in head for key in _KEYS)


def _results(location: Location) -> ChallengeResults:
    """The results of a file, parsed once for an import."""
    file, source = location.shown, location.files.source(location.path, keep=True)
    make = partial(ChallengeResults, unzipped(source.content, file=file), file=file)
    return location.files.once(("minizinc", source.sha256), make, keep=True)


def _identify(location: Location, name: str) -> str:
    """MZN and the year of the path, or else of the paths in the file; or the given name."""
    year = raw_runs.year_of(location.shown)
    if not (year or name):
        found = (re.search(r"20\d\d", file) for file in _results(location).problem_files)
        year = next((match[0] for match in found if match is not None), "")
    if not (year or name):
        hint = "Name it as in 2019.results.json, or add --scenario-id MZN-2019."
        raise AslibError("neither name nor contents have the year", location.shown, hint)
    return name or f"MZN-{year}"


MINIZINC = raw_runs.raw_format(
    "minizinc",
    _find,
    ("results.json of a MiniZinc Challenge", "Its object 'results' has a list fd_solvers."),
    _identify,
    lambda raw, _: read_runs(_results(raw.location), raw),
    same_id="Put the year into the name of the file.",
)
