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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aslib_eval.errors import Finding
from aslib_eval.extensions.routing.prompts import five_of, read_answers
from aslib_eval.formats import Finder, Format, Parsed, absent
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
from aslib_eval.selections.read_csv import Outcome, ParsedSelection, SelectionRow, SelectionStep

TABLE = "test_predictions.csv"
_NEEDED = (
    *("canonical_id", "dataset", "strategy", "selected_model", "correct", "cost"),
    *("latency_ms", "cheap_calls", "strong_calls", "prompt_tokens", "completion_tokens"),
)
_NAMES = {name: (name,) for name in _NEEDED}
_ROUNDED = 1e-9  # USD; prices are rounded to 10 decimals


@dataclass(frozen=True, slots=True)
class _Answer:
    """A row: what a strategy gave for a prompt; price [USD], latency [s]."""

    line: int
    prompt: str
    family: str
    strategy: str
    model: str
    correct: float
    price: float | None
    latency: float | None
    tokens: tuple[float | None, float | None]
    cheap: int
    strong: int

    @property
    def gave(self) -> tuple[Any, ...]:
        """What two rows of one run have alike."""
        return self.correct, self.price


def _rows(content: bytes, file: str) -> tuple[list[_Answer], list[Finding]]:
    """The rows of a table, and what is wrong with it."""
    table = CsvTable(content, file=file, names=_NAMES, code="table-row")
    table.require(_NEEDED)
    found = [_answer(row) for row in table.rows()]
    return found, [*five_of(table.findings, len(table.findings))]


def _answer(row: Row) -> _Answer:
    latency = row.number("latency_ms")
    correct = row.number("correct", required=True)
    calls = [row.whole(name, required=True) or 0 for name in ("cheap_calls", "strong_calls")]
    if not sum(calls):
        row.wrong("the row has no call", "Is it a row of a strategy?")
    return _Answer(
        row.line,
        row.name("canonical_id"),
        row.text("dataset"),
        row.name("strategy"),
        row.name("selected_model"),
        math.nan if correct is None else correct,
        row.number("cost"),
        None if latency is None else latency / 1000,
        (row.number("prompt_tokens"), row.number("completion_tokens")),
        *calls,
    )


def _runs(rows: Iterable[_Answer], file: str) -> tuple[dict[tuple[str, str], _Answer], list[Finding]]:
    """The run of each prompt and model, and rows that contradict it."""
    runs: dict[tuple[str, str], _Answer] = {}
    findings = []
    for row in rows:
        if row.cheap + row.strong == 1:
            run = runs.setdefault((row.prompt, row.model), row)
            if run.gave != row.gave:
                what = (
                    f"{row.model} gives another answer or price to {row.prompt!r} than in line {run.line}"
                )
                findings.append(Finding("table-row", "error", file, row.line, what, "Correct one of them."))
    return runs, [*five_of(findings, len(findings))]


def _read(location: Location, sources: Sources) -> Parsed:
    import polars as pl

    name = TABLE if TABLE in sources else location.path.name
    file = shown(location, name)
    rows, findings = _rows(sources[name].content, file)
    runs, wrong = ({}, []) if findings else _runs(rows, file)
    if findings or wrong:
        return Parsed((*findings, *wrong))
    texts = dict.fromkeys(("prompt", "family", "model"), pl.String)
    numbers = ("correct", "price", "latency", "input_tokens", "output_tokens")
    answers = pl.DataFrame(
        [
            (x.prompt, x.family or None, x.model, x.correct, x.price, x.latency, *x.tokens, x.line)
            for x in runs.values()
        ],
        {**texts, **dict.fromkeys(numbers, pl.Float64), "row": pl.Int64},
        orient="row",
    )
    return read_answers(answers, location, sources, quality="correct", place=lambda line: (file, line))


def _strategies(content: bytes, file: str) -> ParsedSelection | None:
    """What each strategy of a table chooses; None if it is no such table."""
    if not _is_header(content.partition(b"\n")[0].decode("utf-8-sig", errors="replace").strip().split(",")):
        return None
    rows, findings = _rows(content, file)
    runs, wrong = ({}, []) if findings else _runs(rows, file)
    if findings or wrong:
        return ParsedSelection(file, "choice", (), findings=(*findings, *wrong))
    by_strategy: dict[str, list[_Answer]] = {}
    for row in rows:
        by_strategy.setdefault(row.strategy, []).append(row)
    cheap = next((run.model for run in runs.values() if run.cheap), "")
    chosen: list[SelectionRow] = []
    notes = []
    for strategy, own in by_strategy.items():
        steps = [_steps(row, runs, cheap) for row in own]
        strange = [row for row, found in zip(own, steps, strict=True) if not found]
        if strange:
            what = (
                f"{strategy} gives on {len(strange)} of {len(own)} prompts what no run of its models gives"
            )
            notes.append(Finding("run-outside", "note", file, strange[0].line, what, "It was run outside."))
        chosen += _chosen(own, [()] * len(own) if strange else steps)
    return ParsedSelection(file, "choice", tuple(chosen), findings=tuple(notes))


def _steps(row: _Answer, runs: Mapping[tuple[str, str], _Answer], cheap: str) -> tuple[SelectionStep, ...]:
    """The models that a row asks, in their order; none if that gives another answer or price."""
    last = SelectionStep(row.model, paired=True)
    if row.cheap + row.strong == 1:
        return (last,)
    answer = runs.get((row.prompt, row.model))
    before = runs.get((row.prompt, cheap))
    if (
        (row.cheap, row.strong) != (1, 1)
        or answer is None
        or before is None
        or answer.correct != row.correct
    ):
        return ()
    if answer.price is None or before.price is None or row.price is None:
        return ()
    if not math.isclose(before.price + answer.price, row.price, abs_tol=_ROUNDED):
        return ()
    return (SelectionStep(cheap, paired=True, asked=True), last)


def _chosen(rows: Sequence[_Answer], steps: Sequence[tuple[SelectionStep, ...]]) -> Iterator[SelectionRow]:
    """The rows of a strategy; those without steps as outcomes."""
    for row, asked in zip(rows, steps, strict=True):
        outcome = None if asked else Outcome(row.latency, "ok", row.correct, row.price)
        yield SelectionRow(row.line, row.prompt, asked, outcome, selector=row.strategy)


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
