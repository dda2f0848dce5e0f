"""Files of answers → the lake: read, held against their scenario, stored together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from aslib_eval import versions
from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.readers.selection import Answers, read_selection
from aslib_eval.selections.checking import Held, hold
from aslib_eval.selections.finding import Target, find_targets
from aslib_eval.selections.known import Known, alike, known_of
from aslib_eval.selections.remarks import Remarks
from aslib_eval.selections.storing import (
    Entry,
    describe,
    noted_answers,
    store_entries,
)
from aslib_eval.selections.tables import outcome_table, selection_table

Read = tuple["ImportedSelection", list[Entry]]
Status = Literal["imported", "unchanged", "failed", "skipped"]


@dataclass(frozen=True)
class ImportedSelection:
    """What became of one file of answers.

    ``selectors`` are those it holds, ``instances`` counts answered instances over all
    of them, ``replaced`` names selectors that another file had given before; a file
    that was skipped says why in ``error``.
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
    """How files are to be understood where they do not say it themselves."""

    name: str | None
    prefix: str
    scheme: str | None
    pays_features: bool


def import_selections(
    path: Path,
    *,
    lake: Path,
    name: str | None = None,
    prefix: str = "",
    scenario: str | None = None,
    scheme: str | None = None,
    without_feature_costs: bool = False,
    done: Callable[[ImportedSelection], None] | None = None,
) -> list[ImportedSelection]:
    """Import a file of answers, or every one in a folder; a bad one stops no other.

    A file is called ``name``, else as its name without the suffix; one with a column
    ``selector`` names its selectors itself, and ``name`` then picks one of them.
    ``prefix`` is put before every name. A selector that is there already is replaced.
    ``scenario`` is an id or folder name; a file without it must lie in a folder named
    like its scenario, or be named like it and hold a column ``selector``. Answers
    belong to the cv_scheme that their column says, else ``scheme``, else ``split`` or
    ``aslib`` if the scenario has it, else ``none``. ``without_feature_costs`` says
    that times of outcomes do not hold the cost of the features.

    A file with errors stays out as a whole; the others of a scenario go in together.
    The same file again changes nothing. ``done`` is told of each outcome.
    Raises AslibError if there is nothing to read or no such scenario.
    """
    options = Options(name, prefix, scheme, not without_feature_costs)
    targets = find_targets(path, lake=lake, scenario=scenario)
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
    targets: Sequence[Target], lake: Path, scenario_id: str | None, options: Options
) -> list[ImportedSelection]:
    """The files of one scenario, stored in one step."""
    if scenario_id is None:
        return [ImportedSelection(t.shown, t.status, error=t.error) for t in targets]
    with _known(lake, scenario_id) as (known, noted):
        read = _apart([_read(target, known, options) for target in targets])
    good = [entry for _, entries in read for entry in entries]
    if good:
        try:
            store_entries(lake, scenario_id, good)
        except AslibError as error:
            return [_failed(outcome, error) for outcome, _ in read]
    return [_compared(outcome, entries, noted) for outcome, entries in read]


def _apart(read: Sequence[Read]) -> list[Read]:
    """Of files that answer for the same selector, all but the first are refused."""
    claimed: dict[tuple[str, ...], str] = {}
    told: list[Read] = []
    for outcome, entries in read:
        taken = [e for e in entries if e.who in claimed]
        if taken:
            first = taken[0]
            what = f"answers for {first.selector!r} as {claimed[first.who]} does"
            error = AslibError(what, outcome.path, "Rename or import one of the two.")
            told.append((_failed(outcome, error), []))
        else:
            claimed |= {entry.who: outcome.path for entry in entries}
            told.append((outcome, entries))
    return told


def _failed(outcome: ImportedSelection, error: AslibError) -> ImportedSelection:
    if outcome.status != "imported":
        return outcome
    return replace(outcome, status="failed", error=error)


@contextmanager
def _known(lake: Path, scenario_id: str) -> Iterator[tuple[Known, Mapping[Any, Any]]]:
    held = versions.lease(lake, scenario_id)
    if held is None:
        raise AslibError(f"holds no scenario {scenario_id!r}", str(lake))
    try:
        yield known_of(scenario_id, held.table), noted_answers(held)
    finally:
        held.release()


def _compared(
    outcome: ImportedSelection, entries: Iterable[Entry], noted: Mapping[Any, Any]
) -> ImportedSelection:
    """What the import changed, seen from what the lake held before."""
    if outcome.status != "imported":
        return outcome
    listed = list(entries)
    if all(noted.get(entry.who) == describe(entry) for entry in listed):
        return replace(outcome, status="unchanged")
    others = [
        entry.selector
        for entry in listed
        if entry.who in noted and noted[entry.who].get("file") != entry.facts["file"]
    ]
    return replace(outcome, replaced=tuple(others))


def _read(target: Target, known: Known, options: Options) -> Read:
    """One file held against its scenario: what to say of it, and what to store."""
    outcome = ImportedSelection(target.shown, "imported", known.scenario_id)
    if target.error is not None:
        return replace(outcome, status=target.status, error=target.error), []
    try:
        content = target.path.read_bytes()
    except OSError as error:
        failed = AslibError(f"cannot be read ({error.strerror})", target.shown)
        return replace(outcome, status="failed", error=failed), []
    answers = read_selection(content, file=target.shown)
    held, findings = _held(answers, target, known, options)
    outcome = replace(outcome, findings=findings)
    if any(f.severity == "error" for f in findings):
        wrong = ScenarioError(target.shown, findings)
        return replace(outcome, status="failed", error=wrong), []
    source = {
        "file": target.path.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "format": answers.format,
    }
    return _counted(outcome, held), list(_entries(held, source, options))


def _counted(outcome: ImportedSelection, held: Sequence[Held]) -> ImportedSelection:
    return replace(
        outcome,
        cv_schemes=tuple(dict.fromkeys(h.cv_scheme for h in held)),
        selectors=tuple(dict.fromkeys(h.selector for h in held)),
        instances=len(held),
    )


def _held(
    answers: Answers, target: Target, known: Known, options: Options
) -> tuple[list[Held], tuple[Finding, ...]]:
    remarks = Remarks(target.shown)
    if answers.findings:
        return [], answers.findings
    answers = _picked(answers, options.name, remarks)
    name = options.name or target.path.stem
    held = hold(
        answers, known, selector=name, cv_scheme=options.scheme, remarks=remarks
    )
    if options.prefix:
        held = [replace(one, selector=options.prefix + one.selector) for one in held]
    return held, remarks.findings()


def _picked(answers: Answers, name: str | None, remarks: Remarks) -> Answers:
    """Of a file of several selectors, the one that is named."""
    has = dict.fromkeys(a.selector for a in answers.answers if a.selector is not None)
    if name is None or not has:
        return answers
    if name not in has:
        what = f"holds the selectors {', '.join(map(repr, has))}, not {name!r}"
        hint = alike(name, has) or "Leave the name out to import them all."
        remarks.add("selector", 1, what, hint=hint)
        return answers
    kept = tuple(a for a in answers.answers if a.selector == name)
    return replace(answers, answers=kept)


def _entries(
    held: Iterable[Held], source: Mapping[str, Any], options: Options
) -> Iterator[Entry]:
    parts: dict[tuple[str, str], list[Held]] = {}
    for one in held:
        parts.setdefault((one.selector, one.cv_scheme), []).append(one)
    for (selector, scheme), rows in parts.items():
        asked = [one for one in rows if one.answer.outcome is None]
        tables = {
            "selection": selection_table(asked),
            "outcome": outcome_table(rows, pays_features=options.pays_features),
        }
        kept = {name: table for name, table in tables.items() if table is not None}
        facts = dict(source)
        if "outcome" in kept:
            facts["pays_features"] = options.pays_features
        yield Entry(selector, scheme, kept, facts)
