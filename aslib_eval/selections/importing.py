"""Selection files → lake: read, validated against their scenario, stored together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError, Finding, unexpected
from aslib_eval.formats.runs.choices import role_columns
from aslib_eval.lake import versions
from aslib_eval.selections.read import ImportedSelection, Options, Read, read_target
from aslib_eval.selections.read_csv import ROLES
from aslib_eval.selections.store import StoredSelection, describe, recorded_selections, store_entries
from aslib_eval.selections.targets import Target, find_targets
from aslib_eval.selections.vocabulary import Vocabulary, home_scheme, vocabulary_of


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
    it, else ``none``. ``without_feature_costs`` says
    that times of outcomes do not hold the cost of the features. ``column`` says which column of a CSV file
    has which role, as "algorithm=prediction" does.

    A file with errors stays out as a whole; the others of a scenario go in together. The same file again
    changes nothing. ``done`` is called with each outcome.
    """
    path, lake = Path(path), Path(lake)
    pairs = role_columns(column, ROLES)
    options = Options(name, prefix, scheme, not without_feature_costs, pairs)
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
    try:
        with _vocabulary(lake, scenario_id) as (vocabulary, recorded):
            read = _refuse_rivals([_read(target, vocabulary, options) for target in targets])
    except AslibError as error:  # a damaged scenario stops no other
        return [ImportedSelection(t.shown, "failed", error=error) for t in targets]
    good = [entry for _, entries in read for entry in entries]
    if good:
        try:
            store_entries(lake, scenario_id, good)
        except AslibError as error:
            return [_failed(outcome, error) for outcome, _ in read]
    compared = [_compared(outcome, entries, recorded) for outcome, entries in read]
    return _with_schemes(compared, read, recorded)


def _read(target: Target, vocabulary: Vocabulary, options: Options) -> Read:
    """What a file holds; one that trips us up stops no other."""
    try:
        return read_target(target, vocabulary, options)
    except AslibError:
        raise
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        fault = unexpected(error, target.shown)
        return ImportedSelection(target.shown, "failed", error=fault), []


def _refuse_rivals(read: Sequence[Read]) -> list[Read]:
    """Refuse all but the first of the files that have the same selector."""
    claimed: dict[tuple[str, ...], str] = {}
    accepted: list[Read] = []
    for outcome, entries in read:
        taken = [e for e in entries if e.key in claimed]
        if taken:
            first = taken[0]
            what = f"answers for {first.selector!r} as {claimed[first.key]} does"
            error = AslibError(what, outcome.path, "Rename or import one of the two.")
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
        yield vocabulary_of(scenario_id, version.table), recorded_selections(version)


def _compared(
    outcome: ImportedSelection, entries: Iterable[StoredSelection], recorded: Mapping[Any, Any]
) -> ImportedSelection:
    """What the import changed, compared with the lake before it."""
    if outcome.status != "imported":
        return outcome
    listed = list(entries)
    if all(recorded.get(entry.key) == describe(entry) for entry in listed):
        return replace(outcome, status="unchanged")
    others = [
        entry.selector
        for entry in listed
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
    what = f"{selector!r} has answers on several cv_schemes: those on {home!r} make"
    what += f" its scores, those on {others} only the rows of instance_selector"
    hint = "--remove with --scheme forgets one of them."
    return Finding("scheme-several", "note", file, None, what, hint)
