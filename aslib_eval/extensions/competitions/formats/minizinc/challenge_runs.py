"""The results of a MiniZinc Challenge → the tables of the lake contract.

Codes of runs, and what they claim of a satisfaction and of an optimisation problem:

========  ============  ============  ==================================
SC        sat           optimal       solved and complete
S         sat           solution      solved
C, UC     unsat         unsat         complete without a solution
UNK       unknown       unknown       neither: a timeout, if at the limit
INC       none          none          a wrong answer, found by the organisers
ERR, MZN  none          none          an error, as of the translation
========  ============  ============  ==================================

Times are milliseconds, and whole seconds in 2011 and 2012; all become seconds. The file says no limit: it
is 1200 s by the rules from 2015 on, before that 900 s, and known by the largest time of a solution that is
not proved.

Source: www.minizinc.org/challenge, rules of each year, and its scoring.js.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.formats.competition_runs import CompetitionRun, CompetitionRuns
from aslib_eval.extensions.competitions.formats.minizinc.challenge_results import (
    CATEGORIES,
    ChallengeResults,
    is_number,
)
from aslib_eval.extensions.competitions.formats.raw_file import RawFile
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.sources import table
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.text import plural

_CODES = ("SC", "S", "C", "UC", "UNK", "INC", "ERR", "MZN", "")
_KNOWN = ", ".join(_CODES[:-1])
_SOLVED = {"SC", "S"}
_PROVED = {"C", "UC"}
_LIMITS = (900.0, 1200.0)  # [s]
_PRINTED = 2.5e-6  # two points of six decimals each
# A file whose times are all below this has them in seconds.
_SECONDS = 10_000.0


def read_runs(results: ChallengeResults, raw: RawFile) -> Parsed:
    """The relations of a challenge.

    Raises:
        AslibError: a list that they need is not as it must be.
    """
    times = _numbers(results, "times")
    highest = max((x for row in times for x in row if x is not None), default=0.0)
    per_second = 1.0 if highest < _SECONDS else 1000.0
    codes = results.grid("results", lambda cell: isinstance(cell, str), "no code")
    solved = [
        time / per_second
        for row, said in zip(times, codes, strict=True)
        for time, code in zip(row, said, strict=True)
        if time is not None and code.strip() in _SOLVED | _PROVED
    ]
    longest = max(solved, default=0.0)
    limit = next((each for each in _LIMITS if longest <= each), longest)
    runs = [*_runs(results, codes, times, per_second=per_second, limit=limit)]
    points = _trajectory(results)
    instances = results.instances
    sizes = f"{plural(len(results.solvers), 'solver')} on {plural(len(instances), 'instance')}"
    unit = "seconds" if per_second == 1 else "milliseconds, stored as seconds"
    raw.say("runs-understood", f"{sizes}; times are {unit}; the limit is {limit:g} s, as the rules say it")
    _say_unknown_codes(runs, raw)
    if late := int(np.sum(points["elapsed"].to_numpy() > limit)):
        raw.say("trajectory-late", f"{plural(late, 'solution')} of trajectories came after the limit")
    _say_worse(results, runs, raw)
    _say_pair_sums(results, raw)
    more = frozenset(each.name for each in instances if each.sense == "maximize")
    attributes = {
        "sense": {each.name: each.sense for each in instances},
        "family": {each.name: each.problem for each in instances},
    }
    tables = _categories(results)
    if points.num_rows:
        tables["trajectory"] = points
    found = CompetitionRuns(runs, ["wall_time"], limit, attributes)
    return raw.parsed(found, maximized=more, more=tables)


def _numbers(results: ChallengeResults, key: str) -> list[list[float | None]]:
    """Numbers, which are texts in files of 2011 and 2012; None for a blank."""
    rows = results.grid(key, _is_number_or_blank, "neither a number nor blank")
    return [[_number(cell) for cell in row] for row in rows]


def _is_number_or_blank(value: Any) -> bool:
    if not isinstance(value, str):
        return is_number(value)
    digits = value.strip().removeprefix("-")
    return not digits or digits.isdecimal()


def _number(cell: float | str) -> float | None:
    return None if isinstance(cell, str) and not cell.strip() else float(cell)


def _runs(
    results: ChallengeResults,
    codes: Sequence[Sequence[str]],
    times: Sequence[Sequence[float | None]],
    *,
    per_second: float,
    limit: float,
) -> Iterator[CompetitionRun]:
    objectives = _numbers(results, "objectives")
    for s, solver in enumerate(results.solvers):
        for i, instance in enumerate(results.instances):
            said, time = codes[s][i].strip(), times[s][i]
            seconds = None if time is None else time / per_second
            claim = _claim(said, is_satisfaction=instance.sense == "satisfy")
            if claim not in {None, "unknown"} and seconds is None:
                results.wrong(f"times[{s}][{i}]", f"a run that is {said} has no time")
            run = CompetitionRun(instance.name, solver, (seconds,), _status(said, claim, seconds, limit))
            judged = "wrong" if said == "INC" else None
            objective = objectives[s][i] if instance.sense != "satisfy" else None
            yield run._replace(said=said or None, claim=claim, judged=judged, objective=objective)


def _claim(said: str, *, is_satisfaction: bool) -> str | None:
    if said in _PROVED:
        return "unsat"
    if said in _SOLVED:
        of_optimisation = "optimal" if said == "SC" else "solution"
        return "sat" if is_satisfaction else of_optimisation
    return "unknown" if said == "UNK" else None


def _status(said: str, claim: str | None, seconds: float | None, limit: float) -> str:
    if claim == "unknown":
        return "timeout" if seconds is None or seconds >= limit else "other"
    if claim is not None:
        return "ok"
    return {"INC": "wrong", "ERR": "crash", "MZN": "crash"}.get(said, "other")


def _categories(results: ChallengeResults) -> dict[str, pa.Table]:
    """The categories of the challenge, as features of its solvers: 1 or 0."""
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
    """Every solution of an optimisation problem, with the time when it was found."""
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
    steps = [np.arange(1, size + 1, dtype=np.int32) for size in (*sizes, 0)]
    columns = {
        "instance_id": _repeated([x.name for x in results.instances], runs, 1, sizes),
        "algorithm": _repeated(results.solvers, runs, 0, sizes),
        "trial": np.ones(n, np.int32),
        "measure": pa.array(["objective"]).dictionary_encode().take(np.zeros(n, int)),
        "step": np.concatenate(steps),
        "suggestion": np.ones(n, np.int32),
        "elapsed": _joined(times, runs) / 1000,
        "value": _joined(values, runs),
        "visible": pa.nulls(n, pa.float64()),
    }
    arrays = [pa.array(columns[each.name]).cast(each.type) for each in schema]
    return pa.table(arrays, schema=schema)


def _points(
    results: ChallengeResults, key: str, runs: Sequence[tuple[int, int]]
) -> list[list[list[float]]]:
    """Values or times of the solutions of all runs; those that count are checked."""
    found = results.grid(key, lambda cell: isinstance(cell, list), "no list")
    for s, i in runs:
        if not all(map(is_number, found[s][i])):
            results.wrong(f"{key}[{s}][{i}]", "is no list of numbers")
    return found


def _repeated(
    names: Sequence[str], runs: Sequence[tuple[int, int]], at: int, sizes: Sequence[int]
) -> pa.Array:
    positions = np.repeat([run[at] for run in runs], sizes)
    return pa.DictionaryArray.from_arrays(pa.array(positions, pa.int32()), list(names))


def _joined(
    lists: Sequence[Sequence[Sequence[float]]], runs: Sequence[tuple[int, int]]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([*chain.from_iterable(lists[s][i] for s, i in runs)], np.float64)


def _say_unknown_codes(runs: Sequence[CompetitionRun], raw: RawFile) -> None:
    """Warn of each code that no challenge had before; it claims nothing."""
    counts = Counter(run.said for run in runs if (run.said or "") not in _CODES)
    for code, n in counts.items():
        what = f"results has {plural(n, 'run')} with the code {code!r}, which is unknown"
        hint = f"They claim nothing and have the status other. Known are {_KNOWN}."
        raw.say("status-unknown", what, hint)


def _say_worse(results: ChallengeResults, runs: Sequence[CompetitionRun], raw: RawFile) -> None:
    """Warn where a later solution is worse, or the last one not that of the run."""
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
        (worse, "a solution is worse than one before it"),
        (other, "the last solution has another objective than the run"),
    ):
        if names:
            said = f"in {plural(len(names), 'trajectory', 'trajectories')} {what}"
            raw.say("runs-verdict", f"{said}, first in that of {names[0]}")


def _say_pair_sums(results: ChallengeResults, raw: RawFile) -> None:
    """Warn of published points of pairs, of which one solves, that have other sums.

    Scores that cannot be read are left to who compares them.
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
    hint = "aslib-eval competition --published with this file says why."
    raw.say("runs-scores", f"{what} {where.name}", hint)
