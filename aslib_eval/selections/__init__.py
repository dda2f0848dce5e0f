"""Selection files → lake: read in any format, validated against their scenario, stored together.

Files of comma-separated values are read by ``read_csv``; the schedules of the OASC, a JSON object of
instance and list of steps, here. A step is [algorithm, budget], or a bare name: of a feature step, or of an
algorithm without a budget.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, cast

from aslib_eval.errors import AslibError, Finding, ScenarioError, harmless, unexpected
from aslib_eval.formats.registry import FORMATS
from aslib_eval.formats.runs import role_columns
from aslib_eval.formats.sources import decoded
from aslib_eval.lake import versions
from aslib_eval.selections import store
from aslib_eval.selections.read_csv import (
    ROLES,
    Columns,
    ParsedSelection,
    SelectionRow,
    SelectionStep,
    Vocabulary,
    home_scheme,
    problem,
    read_csv,
    vocabulary_of,
)
from aslib_eval.selections.store import remove_selection as remove_selection
from aslib_eval.selections.store import scenario_called as scenario_called
from aslib_eval.selections.store import store_folds as store_folds
from aslib_eval.selections.store import store_selection as store_selection
from aslib_eval.selections.validate import Defaults, Findings, ResolvedRow, in_order, validate_rows
from aslib_eval.text import did_you_mean

_TRAINING, _CHOOSING = "training_time", "choosing_time"
Times = Mapping[str, Mapping[str | None, float]]
Read = tuple["ImportedSelection", list[store.StoredSelection]]
Status = Literal["imported", "unchanged", "failed", "skipped"]


@dataclass(frozen=True)
class ImportedSelection:
    """What became of one selection file.

    ``selectors`` are those it holds, ``instances`` counts selected instances over all of them, ``replaced``
    names selectors that another file had given before; a file that was skipped has the reason in ``error``.
    """

    path: str
    status: Status
    scenario_id: str = ""
    cv_schemes: tuple[str, ...] = ()
    selectors: tuple[str, ...] = ()
    instances: int = 0
    replaced: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: AslibError | None = None


@dataclass(frozen=True)
class Options:
    """How files are read where they do not specify it themselves."""

    name: str | None
    prefix: str
    scheme: str | None
    pays_features: bool
    column: Columns = ()


def import_selections(  # noqa: PLR0913 - one for each choice
    path: str | Path,
    *,
    lake: str | PathLike[str],
    name: str | None = None,
    prefix: str = "",
    scenario: str | None = None,
    scheme: str | None = None,
    without_feature_costs: bool = False,
    column: Mapping[str, str | Sequence[str]] | Sequence[str] = (),
    done: Callable[[ImportedSelection], None] | None = None,
) -> list[ImportedSelection]:
    """Import a selection file, or every one in a folder; a bad one stops no other.

    A file is called ``name``, else as its name without the suffix; one with a column ``selector`` names its
    selectors itself, and ``name`` then picks one of them. ``prefix`` is put before every name. A selector
    that is there already is replaced. ``scenario`` is an id or folder name; a file without it must lie in a
    folder named like its scenario, or be named like it and hold a column ``selector``. Answers belong to
    the cv_scheme that their column says, else ``scheme``, else ``split`` or ``aslib`` if the scenario has
    it, else ``none``. ``without_feature_costs`` says that times of outcomes do not hold the cost of the
    features. ``column`` says which column of a CSV file has which role, as "algorithm=prediction" does.

    A file with errors stays out as a whole; the others of a scenario go in together. The same file again
    changes nothing. ``done`` is called with each outcome.
    """
    path, lake = Path(path), Path(lake)
    options = Options(name, prefix, scheme, not without_feature_costs, role_columns(column, ROLES))
    targets = store.find_targets(path, lake=lake, scenario=scenario)
    if name is not None and len(targets) > 1:
        hint = "Leave the name out: every file of a folder has its own."
        raise AslibError(f"holds {len(targets)} files", str(path), hint)
    outcomes = []
    for scenario_id in dict.fromkeys(t.scenario_id for t in targets):
        mine = [t for t in targets if t.scenario_id == scenario_id]
        for outcome in _import_all(mine, lake, scenario_id, options):
            outcomes.append(outcome)
            if done is not None:
                done(outcome)
    return outcomes


def _import_all(
    targets: Sequence[store.Target], lake: Path, scenario_id: str | None, options: Options
) -> list[ImportedSelection]:
    if scenario_id is None:
        return [ImportedSelection(t.shown, t.status, error=t.error) for t in targets]
    try:
        with _vocabulary(lake, scenario_id) as (vocabulary, recorded):
            read = _refuse_rivals([_read(target, vocabulary, options) for target in targets])
    except AslibError as error:  # a damaged scenario stops no other
        return [ImportedSelection(t.shown, "failed", error=error) for t in targets]
    good = [entry for _, entries in read for entry in entries]
    if good:
        try:
            store.store_entries(lake, scenario_id, good)
        except AslibError as error:
            return [_failed(outcome, error) for outcome, _ in read]
    compared = [_compared(outcome, entries, recorded) for outcome, entries in read]
    return _with_schemes(compared, read, recorded)


def _read(target: store.Target, vocabulary: Vocabulary, options: Options) -> Read:
    try:
        return read_target(target, vocabulary, options)
    except AslibError:
        raise
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        return ImportedSelection(target.shown, "failed", error=unexpected(error, target.shown)), []


def _refuse_rivals(read: Sequence[Read]) -> list[Read]:
    """Refuse all but the first of the files that have the same selector."""
    claimed: dict[tuple[str, ...], str] = {}
    accepted: list[Read] = []
    for outcome, entries in read:
        taken = [e for e in entries if e.key in claimed]
        if taken:
            what = f"{claimed[taken[0].key]} already holds predictions of {taken[0].selector!r}"
            error = AslibError(what, outcome.path, "Rename one of the files, or import only one.")
            accepted.append((_failed(outcome, error), []))
        else:
            claimed |= {entry.key: outcome.path for entry in entries}
            accepted.append((outcome, entries))
    return accepted


def _failed(outcome: ImportedSelection, error: AslibError) -> ImportedSelection:
    if outcome.status != "imported":
        return outcome
    return replace(outcome, status="failed", error=error)


@contextmanager
def _vocabulary(lake: Path, scenario_id: str) -> Iterator[tuple[Vocabulary, Mapping[Any, Any]]]:
    with versions.leased(lake, scenario_id) as version:
        if version is None:
            raise AslibError(f"holds no scenario {scenario_id!r}", str(lake))
        yield vocabulary_of(scenario_id, version.table), store.recorded_selections(version)


def _compared(
    outcome: ImportedSelection, entries: Sequence[store.StoredSelection], recorded: Mapping[Any, Any]
) -> ImportedSelection:
    if outcome.status != "imported":
        return outcome
    if all(recorded.get(entry.key) == store.describe(entry) for entry in entries):
        return replace(outcome, status="unchanged")
    others = [
        entry.selector
        for entry in entries
        if entry.key in recorded and recorded[entry.key].get("file") != entry.facts["file"]
    ]
    return replace(outcome, replaced=tuple(others))


def _with_schemes(
    outcomes: Sequence[ImportedSelection], read: Sequence[Read], recorded: Iterable[Any]
) -> list[ImportedSelection]:
    """Add a note where a selector has several splits: one makes its scores."""
    schemes: dict[str, set[str]] = {}
    stored = [entry.key for _, entries in read for entry in entries]
    for selector, scheme in (*recorded, *stored):
        schemes.setdefault(selector, set()).add(scheme)
    return [
        replace(
            outcome,
            findings=outcome.findings
            + tuple(
                _several(outcome.path, name, schemes[name])
                for name in outcome.selectors
                if len(schemes[name]) > 1
            ),
        )
        for outcome in outcomes
    ]


def _several(file: str, selector: str, schemes: Iterable[str]) -> Finding:
    home = home_scheme(schemes)
    others = ", ".join(sorted(set(schemes) - {home}))
    what = (
        f"{selector!r} has answers on several cv_schemes: its scores use the answers on {home!r};"
        f" only instance_selector holds the answers on {others}"
    )
    return Finding(
        "scheme-several", "note", file, None, what, "--remove with --scheme forgets one of them."
    )


# One file: its content, and what to store of it.


def read_target(target: store.Target, vocabulary: Vocabulary, options: Options) -> Read:
    """Read and validate one file: its outcome, and what to store."""
    outcome = ImportedSelection(target.shown, "imported", vocabulary.scenario_id)
    if target.error is not None:
        return replace(outcome, status=target.status, error=target.error), []
    if not target.path.is_file():  # a device or a pipe may never end
        failed = AslibError("is no file", target.shown)
        return replace(outcome, status="failed", error=failed), []
    try:
        content = target.path.read_bytes()
    except OSError as error:
        failed = AslibError(f"cannot be read ({error.strerror})", target.shown)
        return replace(outcome, status="failed", error=failed), []
    selection = read_selection(content, file=target.shown, column=options.column)
    resolved, findings = _resolved(selection, target, vocabulary, options)
    outcome = replace(outcome, findings=findings)
    if any(f.severity == "error" for f in findings):
        return replace(outcome, status="failed", error=ScenarioError(target.shown, findings)), []
    source = {
        "file": harmless(target.path.name),
        "sha256": hashlib.sha256(content).hexdigest(),
        "format": selection.format,
    }
    outcome = replace(
        outcome,
        cv_schemes=tuple(dict.fromkeys(h.cv_scheme for h in resolved)),
        selectors=tuple(dict.fromkeys(h.selector for h in resolved)),
        instances=len(resolved),
    )
    return outcome, list(_entries(resolved, source, options, selection.times))


def _resolved(
    selection: ParsedSelection, target: store.Target, vocabulary: Vocabulary, options: Options
) -> tuple[list[ResolvedRow], tuple[Finding, ...]]:
    collector = Findings(target.shown)
    selection = _picked(selection, options.name, collector)
    defaults = Defaults(options.name or target.path.stem, options.prefix, options.scheme)
    resolved = validate_rows(selection, vocabulary, defaults=defaults, collector=collector)
    reported = collector.findings()
    if not selection.is_complete:  # a warning may be due to rows that are missing
        reported = tuple(f for f in reported if f.severity == "error")
    return resolved, in_order([*selection.findings, *reported])


def _picked(selection: ParsedSelection, name: str | None, collector: Findings) -> ParsedSelection:
    has = dict.fromkeys(a.selector for a in selection.rows if a.selector is not None)
    if name is None or not has:
        return selection
    if name not in has:
        if not selection.is_complete:
            return selection
        what = f"holds the selectors {', '.join(map(repr, has))}, not {name!r}"
        collector.add(
            "selector", 1, what, did_you_mean(name, has) or "Leave the name out to import them all."
        )
        return selection
    return replace(selection, rows=tuple(a for a in selection.rows if a.selector == name))


def _entries(
    resolved: Iterable[ResolvedRow], source: Mapping[str, Any], options: Options, times: Times
) -> Iterator[store.StoredSelection]:
    parts: dict[tuple[str, str], list[ResolvedRow]] = {}
    for one in resolved:
        parts.setdefault((one.selector, one.cv_scheme), []).append(one)
    for (selector, scheme), rows in parts.items():
        asked = [one for one in rows if one.row.outcome is None]
        tables = {
            "selection": store.selection_table(asked),
            "outcome": store.outcome_table(rows, pays_features=options.pays_features),
        }
        kept = {name: table for name, table in tables.items() if table is not None}
        facts = {**source, **_times(rows, times)}
        if "outcome" in kept:
            facts["pays_features"] = options.pays_features
        yield store.StoredSelection(selector, scheme, kept, facts)


def _times(rows: Sequence[ResolvedRow], of_file: Times) -> dict[str, Any]:
    """What is known of the times of a selector's rows: each fold counts once."""
    training: dict[tuple[int, int | None], float] = {}
    choosing: list[float] = []
    for one in rows:
        fold, row = (one.cv_repetition, one.fold), one.row
        trained = _said(of_file, _TRAINING, str(one.fold), row.training_time)
        if trained is not None:
            training.setdefault(fold, trained)
        chosen = _said(of_file, _CHOOSING, row.instance, row.choosing_time)
        if chosen is not None:
            choosing.append(chosen)
    return store.times_as_facts(training.values(), choosing)


def _said(of_file: Times, what: str, of: str, row: float | None) -> float | None:
    said = of_file.get(what, {})
    return said.get(of, said.get(None)) if row is None else row


# A selection file of any format: formats are told apart by content.


def read_selection(content: bytes, *, file: str, column: Columns = ()) -> ParsedSelection:
    """Read a file in any of the formats; never raises for what the bytes hold.

    Formats of scenarios whose files say what systems choose are asked first. column: as of ``read_csv``;
    then it is a CSV.
    """
    readers = (each.selections for each in FORMATS.usable().values() if each.selections is not None)
    for read in readers if not column else ():
        if (found := read(content, file)) is not None:
            return cast("ParsedSelection", found)
    text = decoded(content, file=file, code="encoding")
    if isinstance(text, Finding):
        return ParsedSelection(file, "unknown", (), findings=(text,))
    start = text.lstrip()[:1]
    if not start:
        empty = problem("empty", file, None, "the file is empty")
        return ParsedSelection(file, "unknown", (), findings=(empty,))
    if start in "{[":
        return read_schedules(text, file=file)
    return read_csv(text, file=file, column=column)


_SPACE = " \t\r\n"
_PAIR = 2
_SHOWN = 60


def read_schedules(text: str, *, file: str) -> ParsedSelection:
    """Read a JSON object of schedules; every step that is wrong is a finding.

    A member ``training_time`` or ``choosing_time`` that is no list is no instance: it is a number of
    seconds, or an object of fold, or instance, and seconds.
    """
    findings: list[Finding] = []
    rows = []
    times: dict[str, dict[str | None, float]] = {}
    try:
        for line, instance, value in _members(text):
            if instance in {_TRAINING, _CHOOSING} and not isinstance(value, list):
                said = value if isinstance(value, dict) else {None: value}
                times[instance] = {of: t for of, t in said.items() if _is_time(t)}
                if len(times[instance]) < len(said):
                    what = f"{instance!r} has a value that is not a time: {_shown(value)}"
                    hint = "Write seconds, or an object with the seconds of each fold or instance."
                    findings.append(problem("time", file, line, what, hint))
                continue
            steps, wrongs = _schedule(value)
            for wrong in wrongs:
                what = f"{instance!r}: {wrong}"
                hint = 'Write ["step", ["algorithm", seconds], "algorithm"].'
                findings.append(problem("schedule", file, line, what, hint))
            rows.append(SelectionRow(line, instance, steps))
    except json.JSONDecodeError as error:
        findings.append(
            problem("json", file, error.lineno, f"is not a JSON object of schedules ({error.msg})")
        )
    except (RecursionError, ValueError) as error:  # too deep, a number too long
        findings.append(problem("json", file, None, f"cannot be read ({error})"))
    if not rows and not findings:
        findings.append(problem("empty", file, 1, "answers no instance"))
    return ParsedSelection(file, "schedule", tuple(rows), findings=tuple(findings), times=times)


def _is_time(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value <= sys.float_info.max


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """Line, key and value of every member of the object, repeated keys too."""
    decode = json.JSONDecoder().raw_decode
    at = _require(text, _skip(text, 0), "{")
    line, counted = 1, 0
    at = _skip(text, at)
    more = text[at : at + 1] != "}"
    while more:
        _require(text, at, '"')
        line += text.count("\n", counted, at)
        counted = at
        key, at = decode(text, at)
        at = _skip(text, _require(text, _skip(text, at), ":"))
        value, at = decode(text, at)
        yield line, key, value
        at = _skip(text, at)
        more = text[at : at + 1] == ","
        if more:
            at = _skip(text, at + 1)
    at = _skip(text, _require(text, at, "}"))
    if at != len(text):
        raise json.JSONDecodeError("there is text after the end", text, at)


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _SPACE:
        at += 1
    return at


def _require(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"expected {sign!r}", text, at)
    return at + 1


def _schedule(value: Any) -> tuple[tuple[SelectionStep, ...], list[str]]:
    if not isinstance(value, list):
        return (), [f"its schedule is {_shown(value)}, not a list of steps"]
    steps: list[SelectionStep] = []
    wrongs: list[str] = []
    for number, step in enumerate(value, 1):
        if isinstance(step, str):
            steps.append(SelectionStep(step))
        elif wrong := _wrong_pair(step):
            wrongs.append(f"step {number} ({_shown(step)}) {wrong}")
        else:
            name, budget = step
            endless = budget is None or budget > sys.float_info.max
            steps.append(SelectionStep(name, None if endless else float(budget), paired=True))
    return tuple(steps), wrongs


def _wrong_pair(step: Any) -> str:
    if not isinstance(step, list) or len(step) != _PAIR:
        return "is neither a name nor [algorithm, budget]"
    name, budget = step
    if not isinstance(name, str):
        return "does not name an algorithm as text"
    if isinstance(budget, bool) or not isinstance(budget, int | float | None):
        return "has a budget that is no number"
    if budget is not None and not budget >= 0:  # NaN neither
        return "has a budget that is not 0 or more"
    return ""


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
