"""Results files of BenchExec: XML, packed by bzip2 or gzip or not, read with lines.

A file is one execution of one run definition: the root ``result`` says tool, version, options and limits,
and each ``run`` in it has its columns. The document type names a DTD, which is never fetched; a file that
declares entities of its own is refused, so that nothing in it can grow.

Source: doc/benchexec.md and the DTD result-3.12 of BenchExec 3.35.
"""

from __future__ import annotations

import bz2
import re
import zlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from xml.parsers import expat

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import new_finding
from aslib_eval.text import plural

SHOWN = ("status", "category", "cputime", "walltime", "memory")
MEMORY_BEFORE = "memUsage"  # what it was called before BenchExec 1.17, in bytes
_CHUNK = 1 << 16  # bytes that are parsed at once
_LONGEST = 1 << 20  # bytes of a tag or comment; expat reads one anew in each chunk
_MAX_RATIO = 1000  # of what is unpacked, where that is above the harmless size
_HARMLESS = 64 << 20
_ENTITY = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_WHOLE = "Is the file whole? BenchExec writes such a file anew."


@dataclass(frozen=True)
class Execution:
    """A tool as it was called: what holds for all runs of a file, or of a column group.

    start: when the run set began, as text that sorts; limits as they are written. error: what BenchExec
    says of an execution that did not end, such as incomplete. machines: processors and systems, and how
    many hosts, where the file says them.
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
    """A run of a tool on a task; ``category`` is None where the file does not have it.

    values: column → its text, of those that somebody asked for.
    """

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
    """What a file holds; ``others`` are columns that nobody asked for."""

    file: str
    runs: list[ToolRun] = field(default_factory=list)
    execution: Execution | None = None
    others: dict[str, None] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def wrong(self, line: int | None, what: str, hint: str = _WHOLE) -> None:
        """Record why the file cannot be read."""
        found = new_finding("runs-file", file=self.file, line=line, what=what, hint=hint)
        self.findings.append(found)


def read_results(content: bytes, *, file: str, measures: Collection[str] = ()) -> ResultsFile:
    """The runs of a results file, or what is wrong with it.

    measures: columns to keep beside status, category, times and memory.
    """
    found = ResultsFile(file)
    try:
        text, whole = unpacked(content)
    except (OSError, ValueError, zlib.error) as error:
        found.wrong(1, f"cannot be unpacked ({error})")
        return found
    if not whole:
        found.wrong(text.count(b"\n") + 1, "ends in the middle: it cannot be unpacked")
        return found
    if strange := _ENTITY.search(text):
        line = text.count(b"\n", 0, strange.start()) + 1
        found.wrong(line, "holds an entity that BenchExec does not write")
        return found
    _Parser(found, {*SHOWN, *measures}).parse(text)
    return found


def unpacked(content: bytes, limit: int | None = None) -> tuple[bytes, bool]:
    """The plain bytes and whether they are all, at most ``limit`` where it is given.

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
            message = "it holds more than results can"
            raise ValueError(message)
        if not whole or size > most:
            return b"".join(parts), False
    return b"".join(parts), True


class _Parser:
    """The state of expat while it reads one file."""

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
        self._texts: dict[str, str] = {}

    def parse(self, text: bytes) -> None:
        """Read the whole text."""
        try:
            for start in range(0, len(text) or 1, _CHUNK):
                end = start + _CHUNK
                self._expat.Parse(text[start:end], end >= len(text))
                self._require_progress(end)
        except expat.ExpatError as error:
            what = f"is not XML ({expat.errors.messages[error.code]})"
            self._found.wrong(error.lineno, what)
        except _RefusedError as error:
            self._found.wrong(self._expat.CurrentLineNumber, str(error), error.hint)

    def _require_progress(self, end: int) -> None:
        """Refuse a tag or comment without end, which would be read again and again."""
        if end - self._expat.CurrentByteIndex > _LONGEST + _CHUNK:
            message = f"has a tag or comment of more than {_LONGEST >> 20} MiB"
            raise _RefusedError(message, _WHOLE)

    def _doctype(self, _name: str, _system: Any, _public: Any, subset: int) -> None:
        if subset:
            message = "declares entities or elements of its own"
            raise _RefusedError(message, "Do not import it: BenchExec does not.")

    def _begin(self, name: str, about: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            self._root(name, about)
        elif self._depth == 2 and name == "systeminfo":  # noqa: PLR2004 - in the root
            self._host = about.get("hostname", "")
        elif self._depth == 3 and name in ("cpu", "os"):  # noqa: PLR2004 - in systeminfo
            of_host = self._hosts.setdefault(self._host, {})
            of_host[name] = about.get("model" if name == "cpu" else "name", "")
        elif self._depth == 2 and name in ("run", "sourcefile"):  # noqa: PLR2004 - in the root
            self._settle_machines()
            self._run, self._line = about, self._expat.CurrentLineNumber
            self._values = {}
            if name != "run":
                message = "is of a BenchExec before 1.0"
                raise _RefusedError(message, "Import the CSV of table-generator.")
            if not about.get("name"):
                self._found.wrong(self._line, "the run has no name", "Name its task.")
        elif self._depth == 3 and name == "column" and self._run is not None:  # noqa: PLR2004 - in a run
            self._column(about)

    def _root(self, name: str, about: dict[str, str]) -> None:
        if name != "result" or "tool" not in about:
            message = f"is no results file: its root is {name!r}"
            if name == "result":
                message = "is no results file: it does not name the tool"
            raise _RefusedError(message, "Name the files *.results.*.xml of BenchExec.")
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
        """Name the machines: they stand before the runs."""
        if self._hosts and self._found.execution is not None:
            often = Counter(
                ", ".join(filter(None, (host.get("cpu"), host.get("os")))) for host in self._hosts.values()
            )
            words = [f"{plural(n, 'host')}: {kind}" for kind, n in often.items() if kind]
            said = "; ".join(words)
            self._found.execution = replace(self._found.execution, machines=said)
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
            before = self._values.setdefault(title, self._shared(value))
            if before != value:
                line = self._expat.CurrentLineNumber
                what = f"the run has {title} {before!r} and {value!r}"
                self._found.wrong(line, what, "Remove the one that is wrong.")

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if self._depth == 1 and self._run is not None:
            self._keep(self._run)
            self._run = None

    def _keep(self, run: Mapping[str, str]) -> None:
        execution, task = self._found.execution, run.get("name", "")
        if execution is None or not task:
            return
        values = self._values
        category = values.pop("category", None)
        status = values.pop("status", "")
        found = ToolRun(
            execution,
            self._line,
            task,
            self._shared(run.get("properties", "")),
            self._shared(run.get("expectedVerdict", "")),
            status,
            category or ("missing" if status else None),
            values,
        )
        self._found.runs.append(found)

    def _shared(self, text: str) -> str:
        return self._texts.setdefault(text, text)


class _RefusedError(Exception):
    """A file that is XML and nothing that is read here."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def column_of(title: str, wanted: Collection[str]) -> str:
    """The name under which a column is read: memory, where it has that of before."""
    is_before = title == MEMORY_BEFORE and title not in wanted
    return "memory" if is_before else title


def run_set_of(name: str, task_set: str) -> str:
    """The run definition in the name of a run set, ``DEFINITION.TASKSET``."""
    if not task_set:
        return name
    return "" if name == task_set else name.removesuffix(f".{task_set}")
