"""One file of answers: read, and held against its scenario."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.readers.selection import Answers, read_selection
from aslib_eval.selections.checking import hold
from aslib_eval.selections.finding import Target
from aslib_eval.selections.known import Known, alike
from aslib_eval.selections.placing import Held, Usual
from aslib_eval.selections.remarks import Remarks, in_order
from aslib_eval.selections.storing import Entry
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


def read_target(target: Target, known: Known, options: Options) -> Read:
    """One file held against its scenario: what to say of it, and what to store."""
    outcome = ImportedSelection(target.shown, "imported", known.scenario_id)
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
    """The answers of a file, and all that is wrong with it by line."""
    remarks = Remarks(target.shown)
    answers = _picked(answers, options.name, remarks)
    name = options.name or target.path.stem
    usual = Usual(name, options.prefix, options.scheme)
    held = hold(answers, known, usual=usual, remarks=remarks)
    told = remarks.findings()
    if not answers.is_whole:  # what is odd may be so only because something lacks
        told = tuple(f for f in told if f.severity == "error")
    return held, in_order([*answers.findings, *told])


def _picked(answers: Answers, name: str | None, remarks: Remarks) -> Answers:
    """Of a file of several selectors, the one that is named."""
    has = dict.fromkeys(a.selector for a in answers.answers if a.selector is not None)
    if name is None or not has:
        return answers
    if name not in has:
        if not answers.is_whole:
            return answers
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
