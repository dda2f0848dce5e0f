"""A JSON document → the runs in it: a list of records of any shape, or the output of a known tool.

``TOOLS`` lists the keys by which a tool's document is recognised; another tool needs a function and a line
there. If a benchmark's name does not tell the solver, the user is asked.
"""

from __future__ import annotations

import json
import math
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aslib_eval.errors import AslibError
from aslib_eval.formats import TableChoices, plain
from aslib_eval.formats.runs.cells import ALIASES, is_time, to_seconds, unit_called
from aslib_eval.text import list_names, plural

TIME = "execution_time"  # a measured time [s]; no run of a benchmark has a limit
_DEPTH = 8  # of a list of runs in a document
_CELLS = 20_000_000  # of a table of records, with those that records lack
_NAMED = 5  # lists or parts of names in a message
_NO_LIMIT = f"no time limit is given, so lower {TIME} is better; with --cutoff, {TIME} is a runtime"
_WHOLE = ("name", "command")  # what a benchmark is called, of which other columns are parts

Record = Mapping[str, Any]
Row = dict[str, str]


@dataclass(frozen=True)
class Records:
    """The runs of a document: a row of cells each.

    stated: choices that follow from the tool; its user's go first. notes: how it was understood. asked: a
    question and what to type, if no column names the solver. units: column → unit of its cells.
    """

    rows: Sequence[Row]
    stated: TableChoices = field(default_factory=TableChoices)
    notes: tuple[str, ...] = ()
    asked: tuple[str, str] | None = None
    units: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """How a tool's document is recognised.

    runs: key of its list of records; empty = the document itself has a record for each key. keys: of a
    record, none where records are lists. beside: further keys of the document.
    """

    name: str
    runs: str
    keys: frozenset[str]
    beside: frozenset[str]
    read: Callable[[Record], Records]

    def wrote(self, document: Any) -> bool:
        """Whether the tool wrote a document."""
        if not isinstance(document, dict) or not self.beside <= document.keys():
            return False
        runs = document.get(self.runs) if self.runs else [*document.values()]
        if not isinstance(runs, list) or not runs:
            return False
        if not self.keys:
            return all(isinstance(run, list | dict) for run in runs)
        return all(isinstance(run, dict) for run in runs) and any(self.keys <= run.keys() for run in runs)


def read_records(text: str, *, file: str, records: str = "") -> Records:
    """The runs in the text of a document. records: the path of their list; empty = the only one."""
    try:
        document = json.loads(text, object_pairs_hook=unique, parse_int=str)
        tool = next((each for each in TOOLS if not records and each.wrote(document)), None)
        if tool is None:
            return Records(_chosen_list(document, file, records))
        return tool.read(document)
    except (ValueError, RecursionError, KeyError, TypeError, IndexError, AttributeError) as error:
        hint = "Write a list with one object per run. Files of JSON lines end in .jsonl."
        raise AslibError(f"is not a JSON array of runs ({error})", None, hint) from None


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without blanks around its keys; an error if one occurs twice."""
    found = {key.strip(): value for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


# Lists of records of any shape.


Keys = tuple[str, ...]  # of the objects around a value


def _chosen_list(document: Any, file: str, records: str) -> list[Row]:
    """The rows of the list at a path, or of the only one that is not within records.

    In a path, ``*`` stands for any key, which becomes a column: ``key/1`` is the first.
    """
    found: dict[tuple[int, Keys], list[dict[str, Any]]] = {}
    for within, keys, record in _objects(document, (), {}):
        found.setdefault((within, keys), []).append(record)
    parts = records.split(".")
    stars = [at for at, part in enumerate(parts) if part == "*"]
    rows = [
        {f"key/{n}": keys[at] for n, at in enumerate(stars, 1)} | record
        for (within, keys), each in found.items()
        if (within and not stars and records == _path(keys))
        or (stars and parts == ["*" if n in stars else key for n, key in enumerate(keys)])
        for record in each
    ]
    if rows:
        return flattened(rows)
    # Records within records are offered if they say which solver ran, or how long.
    lists = {
        keys: each
        for (within, keys), each in found.items()
        if within == 1 or (within and any(plain(k) in ALIASES["solver"] or is_time(k) for k in each[0]))
    }
    if len(lists) == 1 and not records:
        return flattened(next(iter(lists.values())))
    if not lists:
        raise _no_list(document, file)
    named = [f"{_path(keys)} ({plural(len(each), 'record')})" for keys, each in lists.items()]
    what = f"holds {plural(len(lists), 'list')} of objects: {list_names(named, most=_NAMED, quoted=False)}"
    if records:
        what = f"holds no list of objects {records!r}, but {list_names(named, most=_NAMED, quoted=False)}"
    largest = _path(max(lists, key=lambda keys: len(lists[keys])))
    if len({*map(len, lists)}) == 1 < len(lists):
        parts = [keys[0] if len({*keys}) == 1 else "*" for keys in zip(*lists, strict=True)]
        is_each_single = all(len(each) == 1 for each in lists.values())
        largest = ".".join(parts) if is_each_single or parts.count("*") == 1 else largest
    hint = f"Choose one: aslib-eval import {shlex.quote(file)} --records {shlex.quote(largest)}"
    raise AslibError(what, None, hint)


def _objects(
    value: Any, keys: Keys, around: Record, lists: int = 0
) -> Iterator[tuple[int, Keys, dict[str, Any]]]:
    """The objects of a document: within how many lists each is, its path, and what it holds.

    An object in a list also has the single values of the object that holds the list.
    """
    if isinstance(value, list):
        for each in value if value and all(isinstance(each, dict) for each in value) else ():
            yield lists + 1, keys, {**around, **each}
            single = {key: one for key, one in each.items() if not isinstance(one, list | dict)}
            for key, inner in each.items():
                if isinstance(inner, list):
                    yield from _objects(inner, (*keys, key), {**around, **single}, lists + 1)
    elif isinstance(value, dict) and len(keys) < _DEPTH:
        yield 0, keys, value
        for key, each in value.items():
            yield from _objects(each, (*keys, key), around, lists)


def _path(keys: Keys) -> str:
    return ".".join(keys) or "."


def _no_list(document: Any, file: str) -> Exception:
    """An error; where objects are keyed by names, with the path of the innermost ones."""
    depth, value = 0, document
    while isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
        depth, value = depth + 1, next(iter(value.values()))
    if not depth:
        return ValueError("it holds no lists of objects")
    hint = f"If the keys of its objects are solvers or instances: aslib-eval import {shlex.quote(file)}"
    return AslibError(
        "holds no lists of objects", None, f"{hint} --records {shlex.quote('.'.join('*' * depth))}"
    )


def flattened(records: Sequence[Record]) -> list[Row]:
    """The cells of records, which may hold objects: the values in them are columns too.

    A value deep in a record is called by its key, or by its path if keys repeat: ``a.time`` and
    ``b.time``. An object in a record is also a column of its texts, joined by /, and so is a list.
    """
    leaves = [dict(_leaves(record, ())) for record in records]
    paths = dict.fromkeys(path for each in leaves for path in each)
    keys = Counter(path[-1] for path in paths)
    names = {path: path[-1] if len(path) == 1 or keys[path[-1]] == 1 else ".".join(path) for path in paths}
    if len(paths) * len(records) > _CELLS:
        raise ValueError(f"{len(records)} records have {len(paths)} different keys")
    return [{names[path]: text for path, text in each.items()} for each in leaves]


def _leaves(record: Record, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in record.items():
        yield (*path, key), _joined(value)
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, key))


def _joined(value: Any) -> str:
    """A text; of a list or an object the texts in it, joined by /."""
    if isinstance(value, dict):
        value = [v for v in value.values() if isinstance(v, str | list)]
    return "/".join(map(_joined, value)) if isinstance(value, list) else cell(value)


def cell(value: Any) -> str:
    """The cell of a single value."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError("a value is itself a list or an object")  # noqa: TRY004 - a fault of the line
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value).strip()


# Benchmarks: times that were measured, without a limit.


def hyperfine(document: Record) -> Records:
    """A record for each command, with its ``times``, their mean, ``exit_codes`` and ``parameters``.

    Source: src/benchmark/benchmark_result.rs, hyperfine 1.20.
    """
    results = document["results"]
    names: list[Row] = []
    for each in results:
        parts = {f"command/{n}": word for n, word in enumerate(_words(each["command"]), 1)}
        names.append({"command": each["command"], **_texts(each.get("parameters")), **parts})
    times = [(each.get("times") or [], each["mean"]) for each in results]
    failed = [[code != "0" for code in each.get("exit_codes") or ()] for each in results]
    return _benchmarks("hyperfine", names, times, failed)


def pytest_benchmark(document: Record) -> Records:
    """A record for each test, with ``group``, ``params`` and ``stats`` [s] with or without ``data``.

    A group is what tests are compared in: an instance, where all have one.

    Source: src/pytest_benchmark/stats.py, pytest-benchmark 5.
    """
    tests = document["benchmarks"]
    names: list[Row] = []
    for each in tests:
        group = {"instance": each["group"]} if all(test.get("group") for test in tests) else {}
        function = each["name"].partition("[")[0]
        names.append({**group, "name": each["name"], "function": function, **_texts(each.get("params"))})
    times = [(each["stats"].get("data") or [], each["stats"]["mean"]) for each in tests]
    return _benchmarks("pytest-benchmark", names, times, [[] for _ in tests])


_SETTINGS = ("repeats:", "iterations:", "min_time:", "min_warmup_time:")
_CLOCKS = ("real_time", "process_time", "manual_time")


def google_benchmark(document: Record) -> Records:
    """A record for each repetition, with ``real_time`` in its ``time_unit``; aggregates are left out.

    Where there are aggregates alone, their means are read. Parts of a name such as ``size:1000`` are
    columns.

    Source: src/json_reporter.cc, google-benchmark 1.9.
    """
    runs = [each for each in document["benchmarks"] if "real_time" in each and not each.get("skipped")]
    single = [each for each in runs if each.get("run_type", "iteration") == "iteration"]
    notes = []
    if single and len(single) < len(runs):
        notes.append(f"skipped {plural(len(runs) - len(single), 'aggregate')}")
    if not single:
        single = [each for each in runs if each.get("aggregate_name", "mean") == "mean"]
        notes.append("the file holds only aggregates; their means are read")
    units = {each.get("time_unit", "") for each in single}
    if "" in units and len(units) > 1:
        raise ValueError("some benchmarks have no time_unit")
    runs_of: dict[str, list[Record]] = {}
    for each in single:
        runs_of.setdefault(each.get("run_name", each["name"]), []).append(each)
    names = [{"name": name, **_parts(name)} for name in runs_of]
    times = [([_seconds(each) for each in of], _seconds(of[0])) for of in runs_of.values()]
    failed = [[each.get("error_occurred") is True for each in of] for of in runs_of.values()]
    found = _benchmarks("google-benchmark", names, times, failed, notes)
    return found if units != {""} else Records(found.rows, found.stated, found.notes, found.asked)


def _seconds(run: Record) -> float:
    unit = run.get("time_unit", "")
    return to_seconds(float(run["real_time"]), unit_called(unit)) if unit else float(run["real_time"])


def _parts(name: str) -> Row:
    """The parts of a name: ``sort/algorithm:quick/1000`` has name/1, algorithm and name/3."""
    parts = [p for p in name.split("/") if not p.startswith(_SETTINGS) and p not in _CLOCKS]
    cells = {}
    for n, part in enumerate(parts, 1):
        key, colon, value = part.partition(":")
        is_named = colon and not value.startswith(":")
        cells[key if is_named else f"name/{n}"] = value if is_named else part
    return cells


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote
        return command.split()


def _texts(values: Record | None) -> Row:
    return {key: _joined(value) for key, value in (values or {}).items()}


def _benchmarks(
    tool: str,
    names: Sequence[Row],
    times: Sequence[tuple[Sequence[Any], Any]],
    failed: Sequence[Sequence[bool]],
    notes: Sequence[str] = (),
) -> Records:
    """A row for each repetition, or for the mean if benchmarks differ in their repetitions.

    names: the texts by which each is called. times: of its repetitions, and their mean. failed: whether
    each repetition did.
    """
    counts = {len(each) for each, _ in times}
    notes = [f"written by {tool}", *notes]
    if counts == {0} or len(counts) > 1:
        why = "different numbers of repetitions" if len(counts) > 1 else "no times of repetitions"
        notes.append(f"the benchmarks have {why}, so the mean of each is read")
        times = [([mean], mean) for _, mean in times]
        failed = [[any(each)] for each in failed]
    keys = dict.fromkeys(key for name in names for key in name)
    rows = []
    for name, (each, _), ends in zip(names, times, failed, strict=True):
        shared = {key: name.get(key, "") for key in keys} | {"document": "all"}
        for n, time in enumerate(each, 1):
            is_failed = n <= len(ends) and ends[n - 1]
            row = {**shared, "repetition": str(n), "status": "crash" if is_failed else "ok"}
            rows.append({**row, TIME: "" if is_failed else cell(time)})
    stated, asked = _who(rows, [*keys], tool)
    notes.append(_NO_LIMIT)
    return Records(rows, stated, tuple(notes), asked, {TIME: "s"})


def _who(
    rows: Sequence[Row], names: Sequence[str], tool: str
) -> tuple[TableChoices, tuple[str, str] | None]:
    """The columns of the solver and the instance, or a question.

    The solver is in a column of such a name, or in the only column beside one of instances if each solver
    ran on each instance. The other columns that tell benchmarks apart name the instance.
    """
    columns = {name: [row[name] for row in rows] for name in names if name not in _WHOLE}
    solver, instance = (
        next((name for name in columns if name.lower() in ALIASES[role]), "")
        for role in ("solver", "instance")
    )
    different: dict[tuple[str, ...], str] = {}
    for name in sorted(columns, key=lambda name: name not in (solver, instance)):
        if len({*columns[name]}) > 1:
            different.setdefault(tuple(columns[name]), name)
    rest = [name for name in different.values() if name not in (solver, instance)]
    if not solver and instance and len(rest) == 1:
        pairs = {*zip(columns[instance], columns[rest[0]], strict=True)}
        sizes = (len({*columns[name]}) for name in (instance, rest[0]))
        solver = rest[0] if len(pairs) == math.prod(sizes) else ""
    if solver:
        return _stated(names, solver, instance or "+".join(rest) or "document"), None
    ways = []
    for name in (rest or [name for name in columns if name != instance])[:_NAMED]:
        others = "+".join(each for each in rest if each != name)
        values = list_names(dict.fromkeys(filter(None, columns[name])), most=3, quoted=False)
        ways.append(f"If {values} are solvers, add {_typed(name, instance or others or 'document')}.")
    if len(rest) == 1 and not instance:
        ways.append(f"If each file holds the runs of one solver, add {_typed('document', rest[0])}.")
    what = f"the file of {tool} does not say which solver each benchmark belongs to"
    return _stated(names, "", instance), (what, " ".join(ways))


def _typed(solver: str, instance: str) -> str:
    return f"--column {shlex.quote(f'solver={solver}')} --column {shlex.quote(f'instance={instance}')}"


def _stated(names: Sequence[str], solver: str, instance: str) -> TableChoices:
    pairs = [("solver", solver), ("instance", instance), ("objective", TIME)]
    used = {solver, instance, *instance.split("+")}
    ignored = [("ignore", name) for name in (*names, "document") if name not in used]
    return TableChoices(column=(*((role, name) for role, name in pairs if name), *ignored))


# Experiments with planners and configurators, and a file for each system.

_ENDS = {"out-of-memory": "memout", "out-of-time": "timeout", "timeout": "timeout"}
_CRASHES = ("critical", "input-error", "unsupported", "segfault", "sigkill", "exitcode", "unexplained")


def lab(document: Record) -> Records:
    """Properties of Downward Lab: a record for each run, with algorithm, domain, problem and coverage.

    A task that is proved unsolvable is solved. The time is the first of planner_time, total_time and
    search_time that all solved runs have.

    Source: downward/experiment.py, outcomes.py and parsers, Lab 8.
    """
    runs = [each for each in document.values() if "algorithm" in each]
    ends = [_ending_of(each) for each in runs]
    solved = [each for each, status in zip(runs, ends, strict=True) if status == "ok"]
    clocks = [c for c in ("planner_time", "total_time", "search_time") if all(c in each for each in solved)]
    if not clocks:
        raise ValueError("no time is given for all solved runs: planner_time, total_time or search_time")
    limits = ("planner_time_limit", "limit_search_time", "time_limit")
    limit = next((c for c in limits if all(c in each for each in runs)), "")
    rows = []
    for each, status in zip(runs, ends, strict=True):
        where = each.get("id") or []
        domain = each.get("domain") or where[1]
        problem = each.get("problem") or where[2]
        row = {"instance": f"{domain}/{problem}", "algorithm": cell(each["algorithm"]), "family": domain}
        time = cell(each.get(clocks[0])) if status == "ok" else ""
        row |= {"time": time, "status": status, "cost": cell(each.get("cost"))}
        rows.append({**row, "time_limit": cell(each[limit])} if limit else row)
    pairs = [("time", "time"), ("solver", "algorithm"), ("ignore", "cost")]
    notes = ["written by Downward Lab", f"the time is {clocks[0]}; --column objective=cost reads costs"]
    return Records(rows, TableChoices(column=tuple(pairs)), tuple(notes), units={"time": "s"})


def _ending_of(run: Record) -> str:
    if cell(run.get("coverage")) in ("1", "1.0") or cell(run.get("unsolvable")) in ("1", "1.0"):
        return "ok"
    error = str(run.get("error", ""))
    found = next((status for word, status in _ENDS.items() if word in error), "")
    return found or ("crash" if any(word in error for word in _CRASHES) else "other")


_STATUSES = {
    **dict.fromkeys(("1", "SUCCESS"), "ok"),
    **dict.fromkeys(("2", "CRASHED"), "crash"),
    **dict.fromkeys(("3", "TIMEOUT", "CAPPED"), "timeout"),
    **dict.fromkeys(("4", "MEMOUT", "MEMORYOUT"), "memout"),
}
_TRIAL = ("config_id", "instance", "seed", "budget")


def smac(document: Record) -> Records:
    """The run history of SMAC: configurations are solvers, their cost is minimised.

    Trials are objects (2.1 and later), lists (2.0) or pairs of a key and a result (1.x). Of a
    configuration that ran with several budgets the largest one of each instance and seed is read.

    Source: smac/runhistory/runhistory.py, SMAC3 1.4, 2.0 and 2.3.
    """
    trials = [_trial(each) for each in document["data"]]
    done = [each for each in trials if each["status"] in _STATUSES]
    notes = ["written by SMAC"]
    if len(done) < len(trials):
        notes.append(f"skipped {plural(len(trials) - len(done), 'trial')} without an end")
    best: dict[tuple[str, ...], dict[str, Any]] = {}
    for each in done:
        key = tuple(cell(each[name]) for name in _TRIAL[:3])
        if key not in best or float(each["budget"] or 0) > float(best[key]["budget"] or 0):
            best[key] = each
    if len(best) < len(done):
        notes.append(f"skipped {plural(len(done) - len(best), 'trial')} of a smaller budget")
    rows = []
    for (config, instance, seed), each in best.items():
        costs = each["cost"] if isinstance(each["cost"], list) else [each["cost"]]
        status = _STATUSES[each["status"]]
        row = {
            "instance": instance or "all",
            "configuration": config,
            "seed": seed or "0",
            "status": status,
        }
        row |= {f"cost_{n}" if len(costs) > 1 else "cost": cell(cost) for n, cost in enumerate(costs, 1)}
        rows.append({**row, TIME: cell(each["time"])})
    first, *more = [name for name in rows[0] if name.startswith("cost")] if rows else ["cost"]
    pairs = (("objective", first), ("solver", "configuration"))
    return Records(rows, TableChoices(column=pairs, measure=(*more, TIME)), tuple(notes), units={TIME: "s"})


def _trial(entry: Any) -> dict[str, Any]:
    """A trial of any version: config_id, instance, seed, budget, cost, time and status."""
    if isinstance(entry, dict):
        trial = {name: entry.get(name) for name in (*_TRIAL, "cost", "time", "status")}
    elif isinstance(entry[0], list):  # a key and a result
        key, (cost, time, status, *_) = entry
        trial = {
            **dict(zip(_TRIAL, (*key, None), strict=False)),
            "cost": cost,
            "time": time,
            "status": status,
        }
    else:
        cpu = len(entry) - 10  # 1 where a trial has its CPU time too
        trial = dict(zip((*_TRIAL, "cost", "time"), entry, strict=False)) | {"status": entry[6 + cpu]}
    status = trial["status"]
    word = status.get("__enum__", "") if isinstance(status, dict) else cell(status)
    return {**trial, "status": word.rpartition(".")[2]}


def clickbench(document: Record) -> Records:
    """A system's file of ClickBench: for each query the times [s] of its tries, null where it failed.

    Source: results/*.json and index.html, ClickBench.
    """
    rows = []
    for n, tries in enumerate(document["result"], 1):
        for at, time in enumerate(tries, 1):
            row = {"query": f"Q{n}", "system": document["system"], "machine": document["machine"]}
            status = "crash" if time is None else "ok"
            rows.append({**row, "repetition": str(at), "status": status, TIME: cell(time)})
    pairs = (("instance", "query"), ("solver", "system"), ("objective", TIME), ("ignore", "machine"))
    notes = ("a file of ClickBench; to join the files of systems, add --one-file-per solver", _NO_LIMIT)
    return Records(rows, TableChoices(column=pairs), notes, units={TIME: "s"})


_KEYS = frozenset[str]
TOOLS: tuple[Tool, ...] = (
    Tool("hyperfine", "results", _KEYS({"command", "mean", "user", "system"}), _KEYS(), hyperfine),
    Tool("pytest-benchmark", "benchmarks", _KEYS({"fullname", "stats"}), _KEYS(), pytest_benchmark),
    Tool("google-benchmark", "benchmarks", _KEYS({"name", "real_time"}), _KEYS(), google_benchmark),
    Tool("SMAC", "data", _KEYS(), _KEYS({"configs"}), smac),
    Tool("ClickBench", "result", _KEYS(), _KEYS({"system", "machine"}), clickbench),
    Tool("Downward Lab", "", _KEYS({"algorithm", "coverage"}), _KEYS(), lab),
)
