"""Whether the rows of a table of results make sense together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from aslib_eval.errors import Finding
from aslib_eval.measures import is_runtime, known, similar
from aslib_eval.readers.results_csv import Result

_LIMIT = 20  # remarks of one kind
RUNS_HINT = (
    "Write runs with their cutoff as a scenario: aslib_eval.write_scenario, see"
    " docs/runs.md. A time that is itself what is optimised has another name,"
    " execution_time for instance."
)
_WORDS = {True: "maximize", False: "minimize"}


def measure_name(metric: str) -> str:
    """The catalogue's name of a metric; its own where it is not there."""
    found = known(metric)
    return metric if found is None else found.name


@dataclass(frozen=True)
class Results:
    """The rows of a table."""

    rows: tuple[Result, ...]
    file: str

    @cached_property
    def of(self) -> Mapping[str, list[Result]]:
        """The rows of each measure, in the order in which measures first occur."""
        found: dict[str, list[Result]] = {}
        for row in self.rows:
            found.setdefault(measure_name(row.metric), []).append(row)
        return found

    def maximize(self, measure: str) -> bool | None:
        """As the catalogue says, else the first row that says; None if nobody does."""
        if (found := known(measure)) is not None:
            return found.maximize
        said = (row.maximize for row in self.of[measure])
        return next((more for more in said if more is not None), None)

    def findings(self) -> list[Finding]:
        """Everything that is wrong, up to 20 of a kind."""
        kinds = (
            self._runtimes(),
            self._directions(),
            self._ranges(),
            self._twice(),
            self._gaps(),
        )
        return [found for kind in kinds for found in list(kind)[:_LIMIT]]

    def _error(self, code: str, line: int, what: str, hint: str) -> Finding:
        return Finding(code, "error", self.file, line, what, hint)

    def _runtimes(self) -> Iterator[Finding]:
        """Metrics that are runtimes: as qualities every run of them would be solved."""
        for measure, rows in self.of.items():
            if is_runtime(measure):
                what = f"{measure} is a runtime, and a table of results holds qualities"
                yield self._error("table-runtime", rows[0].line, what, RUNS_HINT)

    def _directions(self) -> Iterator[Finding]:
        code = "table-direction"
        for measure, rows in self.of.items():
            more = self.maximize(measure)
            if more is None and not is_runtime(measure):
                what = f"nobody knows whether more {measure} is better"
                close = similar(measure)
                hint = f"Did you mean {' or '.join(close)}? " if close else ""
                hint += "Add a column direction: minimize or maximize."
                yield self._error(code, rows[0].line, what, hint)
            source = "in the catalogue" if known(measure) else "above"
            for row in rows:
                if row.maximize not in (None, more):
                    here, there = _WORDS[bool(row.maximize)], _WORDS[bool(more)]
                    what = f"{row.metric} is to {here} here, to {there} {source}"
                    hint = "If it means something else, give it another name."
                    yield self._error(code, row.line, what, hint)

    def _ranges(self) -> Iterator[Finding]:
        for row in self.rows:
            found = known(row.metric)
            if found and row.value is not None and not found.holds(row.value):
                what = f"{row.metric} cannot be {row.value:g}: it is in {found.range}"
                hint = "Is it in percent, or another metric?"
                yield self._error("table-range", row.line, what, hint)

    def _twice(self) -> Iterator[Finding]:
        seen: dict[tuple[str, str, str, int], int] = {}
        for row in self.rows:
            key = (measure_name(row.metric), row.task, row.method, row.seed)
            first = seen.setdefault(key, row.line)
            if first != row.line:
                what = f"the same run as in line {first}"
                yield self._error("table-row", row.line, what, "Remove one of them.")

    def _gaps(self) -> Iterator[Finding]:
        """Methods without a value where others have one, or with fewer."""
        methods = sorted({row.method for row in self.rows})
        for measure, rows in self.of.items():
            counts: dict[tuple[str, str], int] = {}
            first: dict[str, int] = {}
            for row in rows:
                key = (row.task, row.method)
                counts[key] = counts.get(key, 0) + 1
                first.setdefault(row.task, row.line)
            for task, line in first.items():
                most = max(counts.get((task, m), 0) for m in methods)
                for method in methods:
                    if (n := counts.get((task, method), 0)) < most:
                        what = f"{method} has {n} of {most} runs of {task} ({measure})"
                        hint = "Write a row without value for a run that failed."
                        yield self._error("table-incomplete", line, what, hint)
