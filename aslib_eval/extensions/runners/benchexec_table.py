"""Results files of BenchExec: XML, plain or packed by bzip2 or gzip, read with line numbers.

A file is one execution of one run definition: the root ``result`` has tool, version, options and limits,
and each ``run`` in it has its columns. The DTD is never fetched. A file that declares its own entities is
refused, so nothing in it can grow.

A run is solved only if its category is ``correct``. The category wrong becomes ``wrong``, unknown and
missing become ``other``; an error is a timeout, a memout or a crash by its status.

Source: doc/benchexec.md and the DTD result-3.12 of BenchExec 3.35.
"""

from __future__ import annotations

import bz2
import posixpath
import re
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from sys import intern
from typing import Any
from xml.parsers import expat

from aslib_eval.errors import Finding
from aslib_eval.formats import TableChoices
from aslib_eval.formats.aslib.lint import NAMES, LimitedFindings, new_finding
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable
from aslib_eval.text import plural

SHOWN = ("status", "category", "cputime", "walltime", "memory")
MEMORY_BEFORE = "memUsage"  # its name before BenchExec 1.17, in bytes
_CHUNK = 1 << 16  # bytes that are parsed at once
_LONGEST = 1 << 20  # bytes of a tag or comment, which expat reads again in each chunk
_MAX_RATIO = 1000  # unpacked to packed, above the harmless size
_HARMLESS = 64 << 20
_ENTITY = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_WHOLE = "Check that the file is complete; BenchExec can write it again."


@dataclass(frozen=True)
class Execution:
    """How a tool was called: the same for all runs of a file, or of a group of columns.

    start: of the run set, as text that sorts. Limits are texts of the file. error: BenchExec's word for an
    execution that did not end, such as incomplete. machines: processors, systems and the number of hosts.
    """

    file: str
    line: int
    tool: str
    version: str = ""
    run_set: str = ""
    benchmark: str = ""
    options: str = ""
    start: str = ""
    timelimit: str = ""
    memlimit: str = ""
    task_set: str = ""
    error: str = ""
    machines: str = ""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A run of a tool on a task; ``category`` is None where the file has none. values: column → text."""

    execution: Execution
    line: int
    task: str
    property: str
    expected: str
    status: str
    category: str | None
    values: Mapping[str, str]


@dataclass
class ResultsFile:
    """Runs and findings of a file; ``others`` are columns that are not read."""

    file: str
    runs: list[ToolRun] = field(default_factory=list)
    execution: Execution | None = None
    others: dict[str, None] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def wrong(self, line: int | None, what: str, hint: str = _WHOLE) -> None:
        """Record why the file cannot be read."""
        self.findings.append(new_finding("runs-file", file=self.file, line=line, what=what, hint=hint))


def read_results(content: bytes, *, file: str, measures: Collection[str] = ()) -> ResultsFile:
    """The runs of a results file, or its faults.

    measures: columns to keep beside status, category, times and memory.
    """
    found = ResultsFile(file)
    try:
        text, whole = unpacked(content)
    except (OSError, ValueError, zlib.error) as error:
        found.wrong(1, f"cannot be unpacked ({error})")
        return found
    if not whole:
        found.wrong(text.count(b"\n") + 1, "is cut off and cannot be unpacked")
    elif strange := _ENTITY.search(text):
        line = text.count(b"\n", 0, strange.start()) + 1
        found.wrong(line, "contains an XML entity that BenchExec never writes")
    else:
        _Parser(found, {*SHOWN, *measures}).parse(text)
    return found


def unpacked(content: bytes, limit: int | None = None) -> tuple[bytes, bool]:
    """The plain bytes, at most ``limit``, and whether they are complete.

    Raises:
        OSError, ValueError, zlib.error: it is damaged, or a bomb.
    """
    most = max(_HARMLESS, _MAX_RATIO * len(content)) if limit is None else limit
    parts: list[bytes] = []
    size = 0
    if content[:3] != b"BZh" and content[:2] != b"\x1f\x8b":
        return (content, True) if limit is None else (content[:limit], True)
    while content:
        if content[:3] == b"BZh":
            packed = bz2.BZ2Decompressor()
            parts.append(packed.decompress(content, most + 1 - size))
            content, whole = packed.unused_data, packed.eof
        else:
            stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            parts.append(stream.decompress(content, most + 1 - size))
            content, whole = stream.unused_data, stream.eof
        size += len(parts[-1])
        if size > most and limit is None:
            raise ValueError("unpacked, it is larger than any results file")
        if not whole or size > most:
            return b"".join(parts), False
    return b"".join(parts), True


class _Parser:
    def __init__(self, found: ResultsFile, wanted: Collection[str]) -> None:
        self._found = found
        self._wanted = wanted
        self._depth = 0
        self._run: dict[str, str] | None = None
        self._line = 0
        self._values: dict[str, str] = {}
        self._hosts: dict[str, dict[str, str]] = {}
        self._host = ""
        self._expat = expat.ParserCreate("utf-8")
        self._expat.StartElementHandler = self._begin
        self._expat.EndElementHandler = self._end
        self._expat.StartDoctypeDeclHandler = self._doctype

    def parse(self, text: bytes) -> None:
        try:
            for start in range(0, len(text) or 1, _CHUNK):
                end = start + _CHUNK
                self._expat.Parse(text[start:end], end >= len(text))
                if end - self._expat.CurrentByteIndex > _LONGEST + _CHUNK:
                    what = f"has a tag or comment longer than {_LONGEST >> 20} MiB"
                    self._found.wrong(self._expat.CurrentLineNumber, what)
                    return
        except expat.ExpatError as error:
            self._found.wrong(error.lineno, f"is not XML ({expat.errors.messages[error.code]})")
        except _RefusedError as error:
            self._found.wrong(self._expat.CurrentLineNumber, str(error), error.hint)

    def _doctype(self, _name: str, _system: Any, _public: Any, subset: int) -> None:
        if subset:
            raise _RefusedError(
                "declares its own entities or elements", "Do not import it: BenchExec never does that."
            )

    def _begin(self, name: str, about: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            self._root(name, about)
        elif self._depth == 2 and name == "systeminfo":  # noqa: PLR2004 - in the root
            self._host = about.get("hostname", "")
        elif self._depth == 3 and name in ("cpu", "os"):  # noqa: PLR2004 - in systeminfo
            self._hosts.setdefault(self._host, {})[name] = about.get(
                "model" if name == "cpu" else "name", ""
            )
        elif self._depth == 2 and name in ("run", "sourcefile"):  # noqa: PLR2004 - in the root
            self._settle_machines()
            self._run, self._line = about, self._expat.CurrentLineNumber
            self._values = {}
            if name != "run":
                raise _RefusedError("is from a BenchExec before 1.0", "Import the CSV of table-generator.")
            if not about.get("name"):
                self._found.wrong(self._line, "the run has no name", "Add the name of its task.")
        elif self._depth == 3 and name == "column" and self._run is not None:  # noqa: PLR2004 - in a run
            self._column(about)

    def _root(self, name: str, about: dict[str, str]) -> None:
        if name != "result" or "tool" not in about:
            why = "it does not name the tool" if name == "result" else f"its root is {name!r}"
            raise _RefusedError(f"is not a results file: {why}", "Import *.results.*.xml of BenchExec.")
        task_set = about.get("block", "")
        self._found.execution = Execution(
            self._found.file,
            self._expat.CurrentLineNumber,
            about["tool"],
            about.get("version", ""),
            run_set_of(about.get("name", ""), task_set),
            about.get("benchmarkname", ""),
            about.get("options", ""),
            about.get("starttime") or about.get("date", ""),
            about.get("timelimit", ""),
            about.get("memlimit", ""),
            task_set,
            about.get("error", ""),
        )

    def _settle_machines(self) -> None:
        """Name the machines, which the file lists before the runs."""
        if self._hosts and self._found.execution is not None:
            often = Counter(
                ", ".join(filter(None, (host.get("cpu"), host.get("os")))) for host in self._hosts.values()
            )
            words = [f"{plural(n, 'host')}: {kind}" for kind, n in often.items() if kind]
            self._found.execution = replace(self._found.execution, machines="; ".join(words))
            self._hosts = {}

    def _column(self, about: dict[str, str]) -> None:
        title = column_of(about.get("title", ""), self._wanted)
        if title not in self._wanted:
            self._found.others[title] = None
            return
        if "value" in about:
            value = about["value"].strip()
            if title != about["title"] and value.isdecimal():
                value = f"{value}B"
            before = self._values.setdefault(title, intern(value))
            if before != value:
                what = f"the run has two values of {title}, {before!r} and {value!r}"
                self._found.wrong(self._expat.CurrentLineNumber, what, "Remove the wrong one.")

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if self._depth == 1 and self._run is not None:
            self._keep(self._run)
            self._run = None

    def _keep(self, run: Mapping[str, str]) -> None:
        execution, task, values = self._found.execution, run.get("name", ""), self._values
        if execution is None or not task:
            return
        category, status = values.pop("category", None), values.pop("status", "")
        category = category or ("missing" if status else None)
        of, verdict = (intern(run.get(name, "")) for name in ("properties", "expectedVerdict"))
        self._found.runs.append(ToolRun(execution, self._line, task, of, verdict, status, category, values))


class _RefusedError(Exception):
    """A file of XML that is not read."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def column_of(title: str, wanted: Collection[str]) -> str:
    """The name under which a column is read: ``memory`` for its name in old files."""
    return "memory" if title == MEMORY_BEFORE and title not in wanted else title


def run_set_of(name: str, task_set: str) -> str:
    """The run definition in the name of a run set, ``DEFINITION.TASKSET``."""
    if not task_set:
        return name
    return "" if name == task_set else name.removesuffix(f".{task_set}")


TIMES = ("cputime", "walltime")
MEMORY = "memory"
_UNITS = {"cputime": "s", "walltime": "s", MEMORY: "B"}
# Roles whose columns are called like them, and columns that belong to instances.
_ROLES = ("instance", "solver", "status", "repetition", "family")
_ATTRIBUTES = ("ground_truth", "property", "task_set")
_EXECUTION = ("task_set", "run_set", "benchmark", "tool", "version", "options")
UNFINISHED, UNJUDGED = "unfinished", "unjudged"
_MEANING = {
    "correct": "ok",
    "wrong": "wrong",
    "unknown": "other",
    "missing": "other",
    "correct-unconfirmed": "other",
    UNFINISHED: "other",
}
_JUDGED = ("correct", "wrong", "unknown", "error", "missing")
_ANSWER = re.compile(r"true|false(?:\((.*)\))?")
_VERDICT = re.compile(r"(true|false)(\((.+)\))?")
_NO_VERDICT = re.compile("TIMEOUT|OUT OF|ERROR|KILLED|ABORTED|SEGMENTATION|unknown|done")
_VALUE = re.compile(r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([^0-9.\s]*)")
_TIME = re.compile(r"([0-9.]+)\s*s?")
_BYTES = {"": 1, "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_MEMORY = re.compile(r"([0-9.]+)\s*([kKMG]?B)?")
_HINTS: Mapping[str, str] = {
    "run-missing": (
        "Run it, or make a scenario for each task set: --column scenario=task_set (or property, benchmark)."
    ),
    "run-unbalanced": "Import the same number of executions of each algorithm.",
    "row-duplicate": "List the task once, or import only one of the files.",
    "runtime-negative": "The file is damaged: BenchExec never writes that.",
    "value-missing": "BenchExec could not measure it. --column ignore=NAME leaves the column out.",
    "runs-early": "Check whether the wall-clock limit stopped it, or whether the file was changed.",
    "runs-late": "The protocol decides whether it is solved; by default it is not.",
}


@dataclass
class RunTable:
    """A table of runs, and the choices that its files make.

    memory: the memory limit [byte]; None without one, or with several.
    configurations: solver → its options, and the machines it ran on.
    """

    raw: RawTable
    choices: TableChoices
    memory: float | None = None
    configurations: Mapping[str, str] = field(default_factory=dict)


def category_of(status: str, expected: str) -> str:
    """The category of a status, as BenchExec decides it by the expected verdict.

    Source: ``get_result_category`` of benchexec/result.py, BenchExec 3.35.
    """
    answer = _ANSWER.fullmatch(status)
    if answer is None:
        return {"unknown": "unknown", "done": "missing"}.get(status, "error")
    meant = _VERDICT.fullmatch(expected)
    if meant is None:
        return "missing"
    is_true, part = status == "true", meant[3]
    if part and not is_true and answer[1] != part:
        return "unknown"
    return "correct" if is_true == (meant[1] == "true") else "wrong"


def _meaning(status: str, category: str) -> str | None:
    if category != "error":
        return _MEANING.get(category)
    if status.startswith("TIMEOUT"):
        return "timeout"
    return "memout" if status.startswith("OUT OF") and "MEMORY" in status else "crash"


def names_of(executions: Sequence[Execution]) -> dict[Execution, str]:
    """Execution → name of its algorithm: tool, version and run definition.

    Executions that differ in benchmark or options are different algorithms: the name then has these too.
    """
    names = {each: _words(each.tool, each.version, each.run_set or each.benchmark) for each in executions}
    shared = _told_apart(names, "benchmark")
    names |= {each: _words(each.tool, each.version, each.benchmark, each.run_set) for each in shared}
    return names | {each: f"{names[each]} [{each.options}]" for each in _told_apart(names, "options")}


def _words(*parts: str) -> str:
    return " ".join(" ".join(parts).split())


def _told_apart(names: Mapping[Execution, str], about: str) -> list[Execution]:
    """The executions that share a name but differ in ``about``."""
    found: dict[str, set[str]] = {}
    for each, name in names.items():
        found.setdefault(name, set()).add(getattr(each, about))
    return [each for each, name in names.items() if len(found[name]) > 1]


def run_table(
    runs: Sequence[ToolRun],
    choices: TableChoices,
    *,
    file: str,
    folders: Mapping[str, str] | None = None,
    findings: Sequence[Finding] = (),
) -> RunTable:
    """The runs as a table for ``read_table``, with the choices that follow from them.

    file: the name of all files together in messages. folders: file in messages → its folder inside the
    scenario's; names of tasks are relative to it.
    """
    report = LimitedFindings(file)
    if choices.unit not in ("", "s"):
        what = f"BenchExec measures in seconds, not in {choices.unit}"
        report.say("runs-file", (file, None), what, "Leave out --times-in.")
    runs = _without_copies(runs, report)
    executions = list(dict.fromkeys(run.execution for run in runs))
    names = names_of(executions)
    tasks = _instances(runs, folders or {}, report)
    words: dict[str, str] = {}
    user = dict(choices.status)
    cells = _cells(runs, choices, report)
    rows: list[NumberedRow] = []
    places: dict[int, tuple[str, int | None]] = {0: (file, None)}
    repetition = _repetitions(runs, names, tasks, report)
    for at, run in enumerate(runs):
        places[at + 1] = run.execution.file, run.line
        about = (
            tasks[at],
            names[run.execution],
            _word(run, user, words, report),
            str(repetition[at]),
            posixpath.dirname(tasks[at]),
            run.expected,
            run.property,
            *(getattr(run.execution, each) for each in _EXECUTION),
        )
        rows.append((at + 1, (*about, *(column[at] for column in cells.values()))))
    _verdicts(runs, names, tasks, user, report)
    header = (*_ROLES, *_ATTRIBUTES[:2], *_EXECUTION, *cells)
    cutoff, memory = _limits(executions, names, choices, report)
    attributes = _attributes(header, rows)
    raw = RawTable(file, header, 0, tuple(rows), (*findings, *report.findings), places=places, hints=_HINTS)
    named = {*choices.measure, *choices.chosen("ignore")}
    measures = [MEMORY] if MEMORY in cells and MEMORY not in named else []
    decided = choices.settled(
        header,
        roles=dict(zip(_ROLES, _ROLES, strict=True)),
        attributes=attributes,
        measures=measures,
        times=TIMES,
        status=words,
    )
    said = {
        names[each]: "; ".join(filter(None, (each.options, each.machines)))
        for each in executions
        if each.options or each.machines
    }
    return RunTable(raw, replace(decided, cutoff=cutoff), memory, said)


def _without_copies(runs: Sequence[ToolRun], report: LimitedFindings) -> list[ToolRun]:
    """Each run once: a file of all task sets and a file of one may hold the same run."""
    first: dict[tuple[object, ...], int] = {}
    kept: list[ToolRun] = []
    copies: Counter[tuple[str, str]] = Counter()
    for run in sorted(runs, key=lambda run: bool(run.execution.task_set)):
        one = run.execution
        what = (one.tool, one.version, one.run_set, one.benchmark, one.options)
        task = (run.task, run.property, run.status, run.category)
        at = first.setdefault((*what, one.start, *task, *sorted(run.values.items())), len(kept))
        if at == len(kept) or kept[at].execution.file == one.file:
            kept.append(run)
            continue
        copies[one.file, kept[at].execution.file] += 1
        if one.task_set and not kept[at].execution.task_set:
            kept[at] = replace(kept[at], execution=replace(kept[at].execution, task_set=one.task_set))
    for (file, other), n in copies.items():
        report.say("runs-understood", (file, None), f"{plural(n, 'run')} also in {other}, counted once")
    return kept


def _instances(runs: Sequence[ToolRun], folders: Mapping[str, str], report: LimitedFindings) -> list[str]:
    """Each run's task by its path, and its property where there are several."""
    paths = [
        posixpath.normpath(posixpath.join(folders.get(run.execution.file, ""), run.task))
        if "://" not in run.task
        else run.task
        for run in runs
    ]
    bare = {path: re.sub(r"^(\.\./)+", "", path) for path in dict.fromkeys(paths)}
    if len(set(bare.values())) == len(bare):
        paths = [bare[path] for path in paths]
    asked = dict.fromkeys(run.property for run in runs if run.property)
    if len(asked) > 1:
        what = f"{len(asked)} properties ({', '.join(list(asked)[:NAMES])}): an instance is TASK:PROPERTY"
        report.say("runs-understood", (runs[0].execution.file, None), what)
        both = zip(paths, runs, strict=True)
        return [f"{path}:{run.property}" if run.property else path for path, run in both]
    return paths


def _repetitions(
    runs: Sequence[ToolRun], names: Mapping[Execution, str], tasks: Sequence[str], report: LimitedFindings
) -> list[int]:
    """The number of each run among the executions of its solver on its task, by start."""
    starts: dict[tuple[str, str], set[str]] = {}
    for run, task in zip(runs, tasks, strict=True):
        starts.setdefault((names[run.execution], task), set()).add(run.execution.start)
    order = {key: sorted(each) for key, each in starts.items()}
    found = [
        order[names[run.execution], task].index(run.execution.start) + 1
        for run, task in zip(runs, tasks, strict=True)
    ]
    if max(found, default=1) > 1:
        what = (
            "executions with the same tool, benchmark, definition and options are repetitions in time order"
        )
        report.say("runs-understood", (runs[0].execution.file, None), what)
    return found


def _word(run: ToolRun, user: Mapping[str, str], words: dict[str, str], report: LimitedFindings) -> str:
    """The cell of the status; its meaning goes into ``words``."""
    if not run.status:
        words[UNFINISHED] = user.get(UNFINISHED, "other")
        if UNFINISHED not in user:
            what = f"{run.task} has no status: the benchmark was interrupted"
            hint = f'Complete the run, or write {UNFINISHED} = "crash" under [status] in scenario.toml.'
            report.say("runs-unfinished", (run.execution.file, run.line), what, hint)
        return UNFINISHED
    if run.category is None:
        word = f"{UNJUDGED}: {run.status}"
        words[word.lower()] = user.get(UNJUDGED, "other")
        if UNJUDGED not in user:
            what = "the table has no categories and no expected verdicts, so right answers are unknown"
            hint = (
                "Import the XML, or make the table with a column category. If every answer counts as"
                f" solved, add --status {UNJUDGED}=ok."
            )
            report.once("runs-category", (run.execution.file, None), what, hint)
        return word
    word = f"{run.category}: {run.status}"
    meaning = user.get(run.category.lower(), _meaning(run.status, run.category))
    if meaning is not None:
        words[word.lower()] = meaning
    return word


def _verdicts(
    runs: Sequence[ToolRun],
    names: Mapping[Execution, str],
    tasks: Sequence[str],
    user: Mapping[str, str],
    report: LimitedFindings,
) -> None:
    """Report answers that are wrong or not judged, and categories that contradict the verdict."""
    told = {
        "wrong": ("runs-wrong", "gave a wrong answer"),
        "missing": ("runs-unjudged", "gave an answer that was not judged"),
        "correct-unconfirmed": ("runs-unjudged", "gave an answer that was not confirmed"),
    }
    kinds: dict[tuple[str, str], list[int]] = {}
    for at, run in enumerate(runs):
        category = run.category or ""
        if category in told and (category != "wrong" or category in user):
            kinds.setdefault((category, names[run.execution]), []).append(at)
        by_verdict = category_of(run.status, run.expected)
        if (
            category in _JUDGED
            and by_verdict != category
            and (run.expected or _NO_VERDICT.match(run.status))
        ):
            why = f" by the expected verdict {run.expected!r}" if run.expected else ""
            what = f"{run.status!r} is {category} in the file, but should be {by_verdict}{why}"
            report.say("runs-verdict", (run.execution.file, run.line), what, "The file's category counts.")
    for (category, solver), found in kinds.items():
        code, words = told[category]
        first = runs[found[0]]
        listed = ", ".join(tasks[at] for at in found[:NAMES])
        more = f" and {len(found) - NAMES} more" if len(found) > NAMES else ""
        fate = "solved, as you chose" if user.get(category, "other") == "ok" else "not solved"
        what = f"{solver} {words} in {plural(len(found), 'run')}: {fate} ({listed}{more})"
        hint = "" if code == "runs-wrong" else "The file gives no property or no expected verdict."
        report.say(code, (first.execution.file, first.line), what, hint)


# Times and memory, and the limits of them.


def _cells(runs: Sequence[ToolRun], choices: TableChoices, report: LimitedFindings) -> dict[str, list[str]]:
    """Column → its cells without units; cells in another unit keep it."""
    wanted = dict.fromkeys((*TIMES, MEMORY, *choices.measure, *choices.chosen("time")))
    found: dict[str, list[str]] = {}
    for title in wanted:
        texts = [run.values.get(title, "") for run in runs]
        if not any(texts):
            continue
        units = Counter(each[2] for text in texts if (each := _VALUE.fullmatch(text))) or Counter([""])
        unit = _UNITS.get(title, units.most_common(1)[0][0])
        found[title] = [_bare(text, unit) for text in texts]
    if MEMORY in found and MEMORY not in choices.measure:
        lacking = sum(
            not cell and run.category == "correct" for cell, run in zip(found[MEMORY], runs, strict=True)
        )
        if lacking:
            del found[MEMORY]
            what = f"column memory is not read: {lacking} correct runs lack it"
            report.say("runs-ignored", (runs[0].execution.file, None), what)
    return found


def _bare(text: str, unit: str) -> str:
    """A value without its unit; a value in another unit stays a text, and no number."""
    match = _VALUE.fullmatch(text)
    if match is None or match[2] == unit:
        return text if match is None else match[1]
    return text if match[2] else f"{text} (without {unit})"


def _limits(
    executions: Sequence[Execution],
    names: Mapping[Execution, str],
    choices: TableChoices,
    report: LimitedFindings,
) -> tuple[float | None, float | None]:
    times: dict[float, Execution] = {}
    sizes: dict[float | None, Execution] = {}
    for each in {each.file: each for each in executions if each.error}.values():
        what = f"BenchExec calls this execution {each.error!r}"
        report.say("runs-incomplete", (each.file, each.line), what, "Check that it has all its runs.")
    for each in executions:
        place = (each.file, each.line)
        value = _number(_TIME.fullmatch(each.timelimit))
        if value is not None:
            times.setdefault(value, each)
        elif each.timelimit not in ("", "-"):
            what = f"timelimit {each.timelimit!r} is not a number of seconds"
            report.say("runs-cutoff", place, what, "Write it as BenchExec does: 900s.")
        sizes.setdefault(_bytes(each.memlimit), each)
    given, least = choices.cutoff, min(times, default=None)
    for value, each in times.items():
        place = (each.file, each.line)
        if given is None and value != least:
            other = names[times[least]] if least is not None else ""
            what = (
                f"the time limit was {value:g} s for {names[each]} and {least:g} s for {other}:"
                " their runs cannot be compared"
            )
            report.say("runs-cutoff", place, what, f"Cut all runs alike with --cutoff {least:g}.")
        elif given is not None and given > value:
            what = f"the time limit of {names[each]} was {value:g} s, less than the cutoff {given:g}"
            report.say("runs-cutoff", place, what, f"Use at most --cutoff {least:g}.")
    size = next(iter(sizes), None)
    if len(sizes) > 1:
        size, each = sizes.popitem()
        shown = " and ".join(dict.fromkeys(e.memlimit or "none" for e in executions))
        what = f"the memory limits differ ({shown}), so no cutoff_memory is stored"
        report.say("runs-memory", (each.file, each.line), what)
        size = None
    if least is not None:
        each = times[least]
        what = (
            f"the time limit is {least:g} s of CPU time"
            + (f", cut at {given:g} s" if given not in (None, least) else "")
            + (f"; the memory limit is {size:.0f} B" if size is not None else "")
        )
        report.say("runs-understood", (each.file, each.line), what)
    return least if given is None else given, size


def _number(match: re.Match[str] | None) -> float | None:
    """The first group as a number above 0."""
    with suppress(ValueError):
        return float(match[1]) or None if match else None
    return None


def _bytes(text: str) -> float | None:
    """A memory limit [byte]; old files write no unit. None for other texts."""
    match = _MEMORY.fullmatch(text)
    value = _number(match)
    return value * _BYTES[match[2] or ""] if match and value else None


def _attributes(header: Sequence[str], rows: Sequence[NumberedRow]) -> list[str]:
    found = []
    for name in _ATTRIBUTES:
        at = header.index(name)
        values = {(cells[0], cells[at]) for _, cells in rows}
        is_one = len(values) == len({instance for instance, _ in values})
        if any(value for _, value in values) and (is_one or name != "task_set"):
            found.append(name)
    return found
