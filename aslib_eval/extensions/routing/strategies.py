"""Tables of RouterBench-mini: a row a prompt and strategy, with the model that the strategy chose.

The columns are ``canonical_id``, ``dataset``, ``strategy``, ``selected_model``, ``correct`` (0 or 1),
``cost`` [USD], ``latency_ms``, ``cheap_calls``, ``strong_calls``, ``prompt_tokens`` and
``completion_tokens``. A row of one call is a run of its model. So a table holds the runs of the models, and
what each strategy chooses among them. A row of both calls is a cascade if it gives what the runs give:
the answer of the model named, and the sum of both prices. Where it does not, as where a model reviews the
answer of another, the strategy was run outside, and its rows are outcomes.

Source: scripts/run_v5_phase2.py of ken-ab/routerbench-mini.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aslib_eval.errors import Finding
from aslib_eval.extensions.routing.prompts import Answer, answer_frame, read_answers
from aslib_eval.formats import Finder, Format, Parsed, absent
from aslib_eval.formats.aslib.lint import five_of
from aslib_eval.formats.sources import (
    CsvTable,
    FilesRead,
    Location,
    Row,
    Sources,
    default_name,
    header_of,
    load_files,
    shown,
)

if TYPE_CHECKING:
    from aslib_eval.selections.read_csv import ParsedSelection, SelectionRow, SelectionStep

TABLE = "test_predictions.csv"
_NEEDED = (
    *("canonical_id", "dataset", "strategy", "selected_model", "correct", "cost"),
    *("latency_ms", "cheap_calls", "strong_calls", "prompt_tokens", "completion_tokens"),
)
_NAMES = {name: (name,) for name in _NEEDED}
_ROUNDED = 1e-9  # USD; prices are rounded to 10 decimals


class _Row(NamedTuple):
    """A row: what a strategy gave for a prompt, and how many calls of the two models it made."""

    answer: Answer
    strategy: str
    cheap: int
    strong: int

    @property
    def gave(self) -> tuple[float | None, float | None]:
        """What two rows of one run have alike."""
        return self.answer.quality, self.answer.price


def _rows(content: bytes, file: str) -> tuple[list[_Row], list[Finding]]:
    """The rows of a table, and what is wrong with it."""
    table = CsvTable(content, file=file, names=_NAMES, code="table-row")
    table.require(_NEEDED)
    return [_row(row) for row in table.rows()], [*five_of(table.findings, len(table.findings))]


def _row(row: Row) -> _Row:
    correct, latency = row.number("correct", required=True), row.number("latency_ms")
    calls = [row.whole(name, required=True) or 0 for name in ("cheap_calls", "strong_calls")]
    if not sum(calls):
        row.wrong("the row has no call", "Is it a row of a strategy?")
    answer = Answer(
        row.name("canonical_id"),
        row.text("dataset") or None,
        row.name("selected_model"),
        math.nan if correct is None else correct,
        row.number("cost"),
        None if latency is None else latency / 1000,
        row.number("prompt_tokens"),
        row.number("completion_tokens"),
        row.line,
    )
    return _Row(answer, row.name("strategy"), *calls)


_Runs = Mapping[tuple[str, str], _Row]  # prompt and model → the first row of one call


def _runs(content: bytes, file: str) -> tuple[list[_Row], _Runs, list[Finding]]:
    """The rows of a table, the runs in them, and all that is wrong."""
    rows, findings = _rows(content, file)
    runs: dict[tuple[str, str], _Row] = {}
    differ = []
    for row in () if findings else rows:
        (prompt, _, model, *_, line), *_ = row
        if row.cheap + row.strong == 1:
            run = runs.setdefault((prompt, model), row)
            if run.gave != row.gave:
                what = f"{model} gives {prompt!r} another answer or price than in line {run.answer.row}"
                differ.append(Finding("table-row", "error", file, line, what, "Correct one of them."))
    return rows, runs, [*findings, *five_of(differ, len(differ))]


def _read(location: Location, sources: Sources) -> Parsed:
    name = TABLE if TABLE in sources else location.path.name
    file = shown(location, name)
    _, runs, findings = _runs(sources[name].content, file)
    if findings:
        return Parsed(tuple(findings))
    answers = answer_frame(run.answer for run in runs.values())
    return read_answers(answers, location, sources, quality="correct", place=lambda line: (file, line))


def _strategies(content: bytes, file: str) -> ParsedSelection | None:
    """What each strategy of a table chooses; None if it is no such table."""
    if not _is_header(content.partition(b"\n")[0].decode("utf-8-sig", errors="replace").strip().split(",")):
        return None
    from aslib_eval.selections.read_csv import Outcome, ParsedSelection, SelectionRow

    rows, runs, findings = _runs(content, file)
    if findings:
        return ParsedSelection(file, "choice", (), findings=tuple(findings))
    by_strategy: dict[str, list[_Row]] = {}
    for row in rows:
        by_strategy.setdefault(row.strategy, []).append(row)
    cheap = next((run.answer.model for run in runs.values() if run.cheap), "")
    chosen: list[SelectionRow] = []
    notes = []
    for strategy, own in by_strategy.items():
        steps = [_steps(row, runs, cheap) for row in own]
        strange = [row.answer.row for row, found in zip(own, steps, strict=True) if not found]
        if strange:
            what = (
                f"{strategy} differs on {len(strange)} of {len(own)} prompts from every run of its models"
            )
            notes.append(
                Finding("run-outside", "note", file, strange[0], what, "The selector was run outside.")
            )
        for (answer, *_), asked in zip(own, steps, strict=True):
            outcome = Outcome(answer.latency, "ok", answer.quality, answer.price) if strange else None
            taken = () if strange else asked
            chosen.append(SelectionRow(answer.row, answer.prompt, taken, outcome, selector=strategy))
    return ParsedSelection(file, "choice", tuple(chosen), findings=tuple(notes))


def _steps(row: _Row, runs: _Runs, cheap: str) -> tuple[SelectionStep, ...]:
    """The models that a row asks, in their order; none if that gives another answer or price."""
    from aslib_eval.selections.read_csv import SelectionStep

    last = SelectionStep(row.answer.model, paired=True)
    if row.cheap + row.strong == 1:
        return (last,)
    before, run = (runs.get((row.answer.prompt, model)) for model in (cheap, row.answer.model))
    if (row.cheap, row.strong) != (1, 1) or before is None or run is None:
        return ()
    first, second, paid = (each.answer.price for each in (before, run, row))
    if first is None or second is None or paid is None or run.answer.quality != row.answer.quality:
        return ()
    if not math.isclose(first + second, paid, abs_tol=_ROUNDED):
        return ()
    return (SelectionStep(cheap, paired=True, asked=True), last)


def _is_header(header: Sequence[str]) -> bool:
    return {*_NEEDED} <= {*header}


def _find(path: Path, files: FilesRead) -> list[Location]:
    table = path / TABLE if path.is_dir() else path
    return [Location(path, str(path))] if _is_header(header_of(table, files)) else []


ROUTERBENCH_MINI = Format(
    "routerbench-mini",
    Finder(_find),
    absent(f"holds no {TABLE} of RouterBench-mini", f"It has the columns {', '.join(_NEEDED)}."),
    default_name,
    lambda location: load_files(location, (TABLE,)),
    lambda location, _: default_name(location),
    _read,
    marks=(TABLE,),
    is_header=_is_header,
    selections=_strategies,
)
