"""Tables of BenchExec's table-generator as CSV: three rows of names, then the tasks.

::

    tool     Primality 1.0  Primality 1.0
    run set  trial          trial
    tasks/   status         cputime (s)
    n2.yml   true           0.11

Cells are separated by tabs. Behind the task stand, where tasks differ in them, the property, the expected
verdict, the category of a witness and the run set's id, without names. There is no limit of time in such a
table, and the category only where it was asked for.

Source: ``write_csv_table`` of benchexec/tablegenerator/__init__.py, BenchExec 3.35.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from aslib_eval.errors import Finding
from aslib_eval.extensions.runners.formats.benchexec.results_xml import SHOWN, Execution, ToolRun, column_of
from aslib_eval.extensions.runners.formats.benchexec.run_table import TIMES, category_of
from aslib_eval.formats.aslib.lint.reporting import new_finding
from aslib_eval.formats.csv_rows import decoded

HEAD = ("tool\t", "run set\t")
_UNIT = re.compile(r"(.+?) \(([^()]+)\)")
_EXPECTED = re.compile(r"((true|false)(\(.+\))?)?")
_FACTORS = {"B": 0, "kB": 3, "MB": 6, "GB": 9}
_LISTED = 20


class TableFile:
    """The runs of a table and what is wrong with it; ``told`` is to be said anyhow."""

    def __init__(self, content: bytes, *, file: str, measures: Sequence[str]) -> None:
        self.file = file
        self.runs: list[ToolRun] = []
        self.findings: list[Finding] = []
        self.others: dict[str, None] = {}
        self._wanted = {*SHOWN, *measures}
        self._scale: dict[int, int] = {}  # column → decimal digits of its unit
        self._same: dict[int, int] = {}  # column → the one of the same name before it
        text = decoded(content, file=file, code="runs-file")
        if isinstance(text, Finding):
            self.findings.append(text)
            return
        lines = [line.rstrip("\r") for line in text.split("\n")]
        if lines[-1]:
            what = "the file ends without the end of a line"
            self._say("runs-unended", len(lines), what, "Is its last row whole?")
        else:
            lines.pop()
        table = [line.split("\t") for line in lines]
        width = len(table[0])
        if len(table) < len(HEAD) + 2:
            self._wrong(1, "has no row of a task", "Is the table whole?")
        for number, cells in enumerate(table, 1):
            if len(cells) != width:
                what = f"{len(cells)} cells instead of {width}"
                self._wrong(number, what, "Is the line whole?")
        if not self.findings or not any(f.severity == "error" for f in self.findings):
            self._read(table)

    def _say(self, code: str, line: int, what: str, hint: str = "") -> None:
        if sum(found.code == code for found in self.findings) < _LISTED:
            found = new_finding(code, file=self.file, line=line, what=what, hint=hint)
            self.findings.append(found)

    def _wrong(self, line: int, what: str, hint: str) -> None:
        self._say("runs-file", line, what, hint)

    def _read(self, table: Sequence[Sequence[str]]) -> None:
        tools, sets, titles = table[:3]
        more = next((at for at, cell in enumerate(tools[1:], 1) if cell), len(tools))
        groups = self._groups(tools, sets, titles, more)
        at = self._identity(table[3:], more)
        for group in groups.values():
            if "status" not in group:
                self._wrong(3, "a run set has no column status", "Make it with one.")
                return
        starts: dict[tuple[str, str], int] = {}
        executions = {}
        for first in groups:
            key = tools[first], sets[first]
            starts[key] = starts.get(key, 0) + 1
            start = str(starts[key])
            executions[first] = Execution(self.file, 2, *key[:1], "", sets[first], start=start)
        prefix = titles[0]
        for line, cells in enumerate(table[3:], 4):
            about = {what: cells[position] for what, position in at.items()}
            task = prefix + cells[0]
            task += f"#{about['run set']}" if about.get("run set") else ""
            for at_other, at_first in self._same.items():
                if cells[at_other] != cells[at_first]:
                    what = f"the run has {titles[at_first]} {cells[at_first]!r} and"
                    what += f" {cells[at_other]!r}"
                    self._wrong(line, what, "Leave one column out of the table.")
            for first, group in groups.items():
                self._run(executions[first], line, task, about, group, cells)

    def _groups(
        self, tools: Sequence[str], sets: Sequence[str], titles: Sequence[str], more: int
    ) -> dict[int, dict[str, int]]:
        """First column of each run set → its columns by their titles.

        An execution begins anew with its first title; another title that comes twice
        is read once if its cells are equal.
        """
        groups: dict[int, dict[str, int]] = {}
        first, start = more, ""
        for at in range(more, len(titles)):
            unit = _UNIT.fullmatch(titles[at])
            name = column_of(unit[1] if unit else titles[at], self._wanted)
            new = (tools[at], sets[at]) != (tools[first], sets[first])
            if new or name == start or at == more:
                first, start = at, name
            if name in groups.get(first, {}):
                self._same[at] = groups[first][name]
            groups.setdefault(first, {}).setdefault(name, at)
            self._unit(name, unit[2] if unit else "")
            self._scale[at] = _FACTORS.get(unit[2], 0) if unit else 0
        return groups

    def _unit(self, name: str, unit: str) -> None:
        if name in TIMES and unit != "s":
            what = f"{name} is in {unit or 'no unit'}"
            self._wrong(3, what, "Make the table with times in s.")
        if name == "memory" and unit and unit not in _FACTORS:
            hint = f"Units are {', '.join(_FACTORS)}, and bytes without one."
            self._wrong(3, f"memory is in {unit}", hint)

    def _identity(self, rows: Sequence[Sequence[str]], more: int) -> Mapping[str, int]:
        """What the columns without a name hold: as far as their cells tell."""
        found: dict[str, int] = {}
        kinds = ["property", "expected", "run set"]
        for at in range(1, more):
            is_verdict = all(_EXPECTED.fullmatch(row[at]) for row in rows)
            kind = "expected" if is_verdict else kinds[0]
            if kind == "expected" and kind not in kinds:
                kind = kinds[0]
            found[kind] = at
            kinds = kinds[kinds.index(kind) + 1 :] or ["run set"]
        return found

    def _run(
        self,
        execution: Execution,
        line: int,
        task: str,
        about: Mapping[str, str],
        group: Mapping[str, int],
        cells: Sequence[str],
    ) -> None:
        values = {name: cells[at].strip() for name, at in group.items()}
        if not any(values.values()):
            return  # the run set does not have the task, which the table of runs tells
        self.others |= dict.fromkeys(values.keys() - self._wanted)
        status = values.pop("status")
        expected = about.get("expected", "")
        category = values.pop("category", None)
        if category is None and status:
            judged = category_of(status, expected)
            silent = judged == "missing" and status != "done"
            category = None if silent and "expected" not in about else judged
        kept = {
            name: self._value(name, group[name], text)
            for name, text in values.items()
            if name in self._wanted
        }
        named = about.get("property", "")
        run = ToolRun(execution, line, task, named, expected, status, category, kept)
        self.runs.append(run)

    def _value(self, name: str, at: int, text: str) -> str:
        """A cell as the XML has it, with its unit; memory in bytes."""
        if name == "memory" and text:
            try:
                scaled = Decimal(text).scaleb(self._scale[at])
            except InvalidOperation:
                return text
            return f"{scaled:f}B"
        return f"{text}s" if name in TIMES and text else text
