"""Read selections from CSV files: choices, predictions or outcomes, by the header.

Rows of a selection file as parsed, before a scenario gives the names a meaning.

Four formats: an OASC schedule (JSON, instance → steps), a choice (CSV: instance and algorithm), predictions
(CSV: instance and a column per algorithm, or a row for each instance and algorithm with a value), and
outcomes of runs elsewhere (CSV: instance, time, status). They are distinguished by content.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.scenario import make_names
from aslib_eval.formats.sources import MISSING, CsvTable, Row, numbered_rows

PREDICTION_ROWS = "prediction-rows"  # the format of predictions in rows


class SelectionStep(NamedTuple):
    """A step of a schedule; ``paired`` if it came as [name, budget].

    asked: its price is paid, and its answer is not taken: a later step answers.
    """

    name: str
    budget: float | None = None
    paired: bool = False
    asked: bool = False


class Outcome(NamedTuple):
    """What became of an instance; ``time``, ``objective`` and ``price`` are None if not given."""

    time: float | None
    runstatus: str
    objective: float | None
    price: float | None = None


class SelectionRow(NamedTuple):
    """The selection for one instance, and its line.

    training_time: of the selector, for the instance's fold; choosing_time: for the instance; None if not
    given [s].
    """

    line: int
    instance: str
    steps: tuple[SelectionStep, ...] = ()
    outcome: Outcome | None = None
    training_time: float | None = None
    choosing_time: float | None = None
    selector: str | None = None
    cv_scheme: str | None = None
    cv_repetition: int | None = None
    fold: int | None = None


@dataclass(frozen=True)
class ParsedSelection:
    """The rows of a selection file, in its order.

    ``algorithms`` are those that have predictions, with the line that names them first. times: of a
    schedule file, of training it by fold and of choosing by instance; under None what stands for all of
    them [s]. Where ``findings`` holds an error, ``rows`` are what could be read besides: to be checked, not
    to be used.
    """

    file: str
    format: str
    rows: tuple[SelectionRow, ...]
    algorithms: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    times: Mapping[str, Mapping[str | None, float]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether every row of the file could be read."""
        return all(found.severity != "error" for found in self.findings)


def problem(code: str, file: str, line: int | None, what: str, hint: str = "") -> Finding:
    """What keeps a file from being read."""
    return Finding(code, "error", file, line, what, hint)


_NAMES = {
    "instance": ("instance_id", "instance", "inst", "prompt_id", "sample_id", "global_index"),
    "selector": ("selector", "solver", "system"),
    "cv_scheme": ("cv_scheme", "scheme"),
    "cv_repetition": ("cv_repetition", "repetition"),
    "fold": ("fold",),
    "algorithm": ("algorithm", "algorithm_id", "model", "selected_model"),
    "asked": ("asked",),
    "time": ("time", "runtime"),
    "runstatus": ("runstatus", "status"),
    "objective": ("objective", "quality"),
    "price": ("price",),
    "training_time": ("training_time",),
    "choosing_time": ("choosing_time",),
}
ROLES = (*_NAMES, "ignore")
_ALIKE = 5  # errors of one kind that are listed
Columns = Sequence[tuple[str, str]]
# Beside instance and algorithm, one of these makes a row a prediction.
VALUES = ("score", "cost", "prediction", "runtime")
_TIMES = ("training_time", "choosing_time")
_ALWAYS = ("instance", "selector", "cv_scheme", "cv_repetition", "fold", *_TIMES)
_OWN = {
    "choice": ("algorithm", "asked"),
    "prediction": (),
    PREDICTION_ROWS: ("algorithm", "value"),
    "outcome": ("time", "runstatus", "objective", "price"),
}
_NEEDED = {
    "choice": ("instance", "algorithm"),
    "prediction": ("instance",),
    PREDICTION_ROWS: ("instance", "algorithm"),
    "outcome": ("instance", "time", "runstatus"),
}
_UNREAD = {
    "choice": "A choice is an instance, its algorithm and those asked before it: budgets belong in a "
    "schedule (JSON), and outcomes have no algorithm.",
    PREDICTION_ROWS: "A prediction is an instance, an algorithm and a value.",
    "outcome": "An outcome is an instance, its time, its status, an objective and a price.",
}
STATUSES = ("ok", "timeout", "memout", "not_applicable", "crash", "presolved", "other", "unknown")
_SOLVED = {"ok", "presolved"}


def read_csv(text: str, *, file: str, column: Columns = ()) -> ParsedSelection:
    """Read a CSV file of any of the formats; all wrong rows are findings.

    column: role (``ROLES``) and the column that has it, where names do not say it.
    """
    table = _SelectionTable(text, file=file, column=column)
    rows = [row for each in table.rows() if (row := _answer(table, each)) is not None]
    algorithms = dict.fromkeys(table.algorithms, table.line)
    if table.format == PREDICTION_ROWS:
        algorithms = _first_lines(rows)
        rows = list(_lowest(table, rows))
    findings = tuple(_five_of_a_kind(table.findings))
    return ParsedSelection(file, table.format, tuple(rows), algorithms, findings)


def _five_of_a_kind(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of each kind of error five and how many more there are."""
    kinds: dict[object, list[Finding]] = {}
    for n, each in enumerate(findings):
        kind = re.sub(r"'.*'", "", each.message) if each.severity == "error" else n
        kinds.setdefault(kind, []).append(each)
    for same in kinds.values():
        yield from same[:_ALIKE]
        if (rest := len(same) - _ALIKE) > 0:
            yield replace(same[0], line=None, message=f"and {rest} more like these")


class _SelectionTable(CsvTable):
    """A CSV file of selections while it is read; its header determines the format.

    algorithms: position of each algorithm's column.
    values: of predictions in rows, the predicted value by line.
    """

    def __init__(self, text: str, *, file: str, column: Columns) -> None:
        from aslib_eval.formats.runs.cells import ALIASES

        self._said = said = {name.lower() for _, name in column}
        known = _NAMES | {"instance": (*_NAMES["instance"], *ALIASES["instance"])}
        names = {role: [n for n in of if n not in said] for role, of in known.items()}
        names |= {role: [name.lower()] for role, name in column if role in _NAMES}
        first = text.partition("\n")[0]
        self._separator = next((s for s in ";\t" if s in first and "," not in first), ",")
        super().__init__(text, file=file, names=names, separator=self._separator)
        self._ignored = {name for role, name in column if role == "ignore"}
        if missing := sorted(said - {name.lower() for name in self.header}):
            what = f"there is no column {' or '.join(map(repr, missing))}"
            self.error("header", self.line, what, f"It has {', '.join(self.header[:8])}.")
        self._body = [*numbered_rows(text, lambda *_: None, separator=self._separator)][1:]
        self.algorithms: dict[str, int] = {}
        self.values: dict[int, float | None] = {}
        self.format = "unknown"
        if not self.is_broken:
            self._identify()
            self._read_commas()

    def _identify(self) -> None:
        if "instance" not in self.at and self.header[0] == "" != self.header[-1]:
            self.at["instance"] = 0  # an index
        values = [
            at
            for at, name in enumerate(self.header)
            if name.lower() in VALUES and name.lower() not in self._said
        ]
        if len(values) == 1:
            self.at["value"] = values[0]
        self.format = _format(self.at.keys())
        own = {*_ALWAYS, *_OWN[self.format]}
        self.at = {name: at for name, at in self.at.items() if name in own}
        taken = set(self.at.values())
        others = {
            name: at for at, name in enumerate(self.header) if at not in taken and name not in self._ignored
        }
        if self.format == "prediction" and "instance" in self.at:
            self.algorithms = others
            self._of_words(others)
        self._require(others)
        if not self.is_broken:
            self._warn(others)

    def _of_words(self, others: dict[str, int]) -> None:
        """Take the only column for that of the choices, if it holds words alone."""
        if not others and "selector" in self.at:
            self.format, self.at["algorithm"] = "choice", self.at.pop("selector")
        words = []
        for name, at in others.items():
            known = [c[at] for _, c in self._body if len(c) > at and c[at].lower() not in MISSING]
            if known and not any(map(_is_number, known)):
                words.append(name)
        if not words:
            return
        self.algorithms = {}
        if len(others) == 1:
            self.format, self.at["algorithm"] = "choice", others.pop(words[0])
            return
        are = "hold words" if len(words) > 1 else "holds words"
        what = f"{', '.join(map(repr, words))} {are}, not predicted costs"
        hint = f"If {words[0]!r} names the choice, add --column {shlex.quote(f'algorithm={words[0]}')}."
        hint += " Else leave a column out with --column ignore=NAME."
        self.error("header", self.line, what, hint)

    def _read_commas(self) -> None:
        """Read decimal commas of numbers as tables of runs do; names keep their commas."""
        from aslib_eval.formats.runs.raw_table import decimal_commas, pointed

        names = {self.at.get(role) for role in ("instance", "algorithm", "asked", "selector")}
        found = decimal_commas(self._body, len(self.header)) if self._separator != "," else {}
        for at in (told := sorted(found.keys() - names)):
            self._warning("decimal-commas", f"{found[at]} is read as {pointed(found[at])}", "")
        self._rows = (
            (line, tuple(pointed(cell) if at in told else cell for at, cell in enumerate(cells)))
            for line, cells in self._rows
        )

    def _require(self, others: Iterable[str]) -> None:
        if twice := sorted({name for name in self.header if self.header.count(name) > 1}):
            self.error("header", self.line, f"columns are repeated: {', '.join(twice)}")
        self.require(_NEEDED[self.format])
        if not self.is_broken and self.format == "prediction" and not others:
            hint = "Add the column algorithm, one column per algorithm, or runtime and runstatus."
            self.error("header", self.line, "no column names algorithms or outcomes", hint)

    def _warn(self, others: Iterable[str]) -> None:
        unread = [name for name in others if name]  # without a name: an index
        if unread and self.format != "prediction":
            are = "columns are" if len(unread) > 1 else "column is"
            names = ", ".join(map(repr, unread))
            self._warning("columns-unread", f"{len(unread)} {are} not read: {names}", _UNREAD[self.format])
        if "value" in self.at and self.header[self.at["value"]].lower() == "score":
            what = "on each instance, the algorithm with the lowest score is chosen"
            self._warning("lowest-chosen", what, "If higher is better, multiply the scores by -1.")

    def _warning(self, code: str, what: str, hint: str) -> None:
        self.findings.append(Finding(code, "warning", self.file, self.line, what, hint))


def _format(columns: Iterable[str]) -> str:
    present = set(columns)
    if "algorithm" in present:
        rows = "value" in present and "runstatus" not in present
        return PREDICTION_ROWS if rows else "choice"
    return "outcome" if {"time", "runstatus"} & present else "prediction"


def _answer(table: _SelectionTable, row: Row) -> SelectionRow | None:
    """None if it is not clear to which instance or repetition the row belongs."""
    if not (instance := row.name("instance")):
        return None
    outcome = _outcome(row) if table.format == "outcome" else None
    steps = () if table.format == "outcome" else _steps(table, row)
    fold = row.whole("fold")
    before = len(table.findings)
    repetition = row.whole("cv_repetition")
    if len(table.findings) > before:
        return None
    return SelectionRow(
        row.line,
        instance,
        steps,
        outcome,
        _known_time(row, "training_time"),
        _known_time(row, "choosing_time"),
        row.text("selector") or None,
        row.text("cv_scheme") or None,
        repetition,
        fold,
    )


def _steps(table: _SelectionTable, row: Row) -> tuple[SelectionStep, ...]:
    """The algorithm of the row, or that of the lowest cost; of equals the first."""
    if table.format == "prediction":
        costs = [
            (cost, name)
            for name, at in table.algorithms.items()
            if (cost := _finite(row.number(name, cell=row.cells[at]))) is not None
        ]
        return (SelectionStep(min(costs)[1], paired=True),) if costs else ()
    if table.format == PREDICTION_ROWS:
        table.values[row.line] = value = _finite(row.number("value"))
        if value is not None:
            row.name("algorithm")
    asked = [each.strip() for each in row.text("asked").split("|") if each.strip()]
    if not (name := row.text("algorithm")):
        if asked:
            row.wrong("the row asks, and names no algorithm that answers")
        return ()
    return (*(SelectionStep(a, paired=True, asked=True) for a in asked), SelectionStep(name, paired=True))


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _finite(number: float | None) -> float | None:
    """None for nan, which is how some write what is missing."""
    return None if number is None or math.isnan(number) else number


def _known_time(row: Row, name: str) -> float | None:
    """Seconds of a column that may be left out; None where nothing is said."""
    time = _finite(row.number(name))
    if time is not None and not 0 <= time < math.inf:
        row.wrong(f"the {name} {time} is not 0 or more, and finite")
        return None
    return time


def _outcome(row: Row) -> Outcome | None:
    """None if something is wrong with it."""
    before = len(row.table.findings)
    status = row.choice("runstatus", STATUSES, required=True)
    time = _finite(row.number("time"))
    objective = _finite(row.number("objective"))
    price = _finite(row.number("price"))
    for name, value in (("time", time), ("price", price)):
        if value is not None and value < 0:
            row.wrong(f"the {name} {value} is negative")
    if len(row.table.findings) == before and status in _SOLVED and time is None and objective is None:
        row.wrong(f"it is {status}, but has neither time nor objective")
    return Outcome(time, status, objective, price) if len(row.table.findings) == before else None


# Predictions in rows of instance, algorithm and value → the algorithm chosen.


def _first_lines(rows: Iterable[SelectionRow]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        for step in row.steps:
            found.setdefault(step.name, row.line)
    return found


def _lowest(table: _SelectionTable, rows: Iterable[SelectionRow]) -> Iterator[SelectionRow]:
    """One row for each instance: the lowest value; of equals the first by name.

    It has the line of the first row of its instance. Two predictions of an algorithm for one instance are
    an error.
    """
    groups: dict[tuple[object, ...], list[SelectionRow]] = {}
    for row in rows:
        # The selector, its fold and instance: all but the line and the prediction.
        groups.setdefault((row.instance, *row[row._fields.index("selector") :]), []).append(row)
    for group in groups.values():
        _refuse_twice(table, group)
        known = [
            (value, row.steps[0].name, row.steps)
            for row in group
            if row.steps and (value := table.values[row.line]) is not None
        ]
        yield group[0]._replace(steps=min(known)[2] if known else ())


def _refuse_twice(table: _SelectionTable, rows: Iterable[SelectionRow]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        for step in row.steps:
            if step.name in seen:
                what = (
                    f"{row.instance!r} has a prediction of {step.name!r} on line {seen[step.name]} already"
                )
                table.error("row", row.line, what)
            seen.setdefault(step.name, row.line)


Folds = Mapping[tuple[int, str], int | None]
# A relation and the columns wanted → its table, None if there is none.
Tables = Callable[[str, list[str] | None], pa.Table | None]
NO_SCHEME = "none"
BASELINES = ("SBS", "VBS", "VWS")
_HOME = ("split", "aslib", NO_SCHEME)


@dataclass(frozen=True)
class Vocabulary:
    """What a selection is validated against.

    ``algorithms`` maps every accepted spelling to the name that the runs use,
    ``steps`` a feature step to those it requires, ``folds`` a scheme to the fold of each repetition and
    instance. ``cutoff`` is None without a limit on runtimes.
    """

    scenario_id: str
    instances: Mapping[str, None]
    algorithms: Mapping[str, str]
    steps: Mapping[str, tuple[str, ...]]
    cutoff: float | None
    timed: bool
    folds: Mapping[str, Folds]

    @property
    def portfolio(self) -> list[str]:
        """The algorithms, each once, as the runs name them."""
        return list(dict.fromkeys(self.algorithms.values()))

    def default_scheme(self) -> str:
        """The scheme of rows that lack one: the fixed split, else that of cv.arff."""
        return next((s for s in ("split", "aslib") if s in self.folds), NO_SCHEME)

    def tested(self, cv_scheme: str, cv_repetition: int) -> Mapping[str, object]:
        """Instances that a selector of the scheme is asked about."""
        folds = self.folds.get(cv_scheme)
        if folds is None:
            return self.instances
        return {
            instance: None
            for (repetition, instance), fold in folds.items()
            if repetition == cv_repetition and fold is not None
        }


def vocabulary_of(scenario_id: str, tables: Tables) -> Vocabulary:
    """Gather the names from a scenario's relations."""
    scenario = _rows(tables, "scenario", ["measure_index", "measure_type", "cutoff"])
    primary = next((r for r in scenario if r["measure_index"] == 1), {})
    timed = primary.get("measure_type") == "runtime"
    steps = _rows(tables, "feature_step", ["step", "of", "requires"])
    runs = tables("run", ["instance_id"])
    return Vocabulary(
        scenario_id,
        {} if runs is None else dict.fromkeys(pc.unique(runs["instance_id"]).to_pylist()),
        _spellings(_rows(tables, "algorithm", None)),
        {r["step"]: tuple(r["requires"]) for r in steps if r["of"] == "instance"},
        primary.get("cutoff") if timed else None,
        timed,
        _folds(tables("fold", None)),
    )


def home_scheme(schemes: Iterable[str]) -> str:
    """Of a selector's schemes, the one that makes its scores in the scenario.

    As the view instance_selector has it: split, aslib, none, then others by name.
    """
    return min(schemes, key=lambda s: (_HOME.index(s) if s in _HOME else len(_HOME), s))


def _rows(tables: Tables, name: str, columns: list[str] | None) -> list[dict[str, Any]]:
    table = tables(name, columns)
    rows: list[dict[str, Any]] = [] if table is None else table.to_pylist()
    return rows


def _spellings(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Exact names first; then names of the description; then R's where unique."""
    exact = [str(row["algorithm"]) for row in rows if row["has_runs"]]
    found = dict.fromkeys(exact, "")
    found = {name: name for name in found}
    for row in rows:
        if row["has_runs"] and row["described_as"] is not None:
            found.setdefault(str(row["described_as"]), str(row["algorithm"]))
    forms: dict[str, list[str]] = {}
    for name in exact:
        forms.setdefault(make_names(name), []).append(name)
    for form, names in forms.items():
        if len(names) == 1:
            found.setdefault(form, names[0])
    return found


def _folds(table: pa.Table | None) -> dict[str, dict[tuple[int, str], int | None]]:
    found: dict[str, dict[tuple[int, str], int | None]] = {}
    if table is None:
        return found
    names = ("cv_scheme", "cv_repetition", "instance_id", "fold")
    columns = (table[name].to_pylist() for name in names)
    for scheme, repetition, instance, fold in zip(*columns, strict=True):
        found.setdefault(scheme, {})[repetition, instance] = fold
    return found
