"""Selection files → lake: read, validated, stored together; carried over when a scenario is replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, ScenarioError, unexpected
from aslib_eval.formats.runs import role_columns
from aslib_eval.lake import versions
from aslib_eval.selections.read import ImportedSelection, Options, Read, read_target
from aslib_eval.selections.read_csv import ROLES, Vocabulary, home_scheme, vocabulary_of
from aslib_eval.selections.store import (
    GIVEN,
    KEY,
    SELECTION_RELATIONS,
    StoredSelection,
    Target,
    as_facts,
    describe,
    find_targets,
    fold_incompatibilities,
    groups,
    incompatibilities_of,
    joined,
    recorded_selections,
    selector_table,
    store_entries,
)


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
    options = Options(name, prefix, scheme, not without_feature_costs, role_columns(column, ROLES))
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
            what = f"answers for {taken[0].selector!r} as {claimed[taken[0].key]} does"
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
    outcome: ImportedSelection, entries: Sequence[StoredSelection], recorded: Mapping[Any, Any]
) -> ImportedSelection:
    if outcome.status != "imported":
        return outcome
    if all(recorded.get(entry.key) == describe(entry) for entry in entries):
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
        f"{selector!r} has answers on several cv_schemes: those on {home!r} make"
        f" its scores, those on {others} only the rows of instance_selector"
    )
    return Finding(
        "scheme-several", "note", file, None, what, "--remove with --scheme forgets one of them."
    )


@dataclass(frozen=True)
class Carried:
    """Relations and facts for the manifest; ``forgotten`` names what did not fit."""

    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    forgotten: tuple[str, ...] = ()


@dataclass
class _Stored:
    entries: dict[tuple[str, ...], StoredSelection]
    splits: dict[tuple[str, ...], pa.Table]
    recorded: dict[str, Any]
    damaged: list[Finding] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)


def carry_over(
    version: versions.Version | None,
    tables: Mapping[str, pa.Table],
    *,
    scenario_id: str,
    forget: bool = False,
) -> Carried:
    """The current version's selections and splits, for a version of these ``tables``.

    Raises:
        ScenarioError: with every reason if some do not fit any more; with ``forget`` those are left out
            instead.
    """
    if version is None:
        return Carried()
    stored = _stored(version)
    if not (stored.entries or stored.splits or stored.damaged):
        return Carried()
    problems = [*stored.damaged]
    # Splits first: selections on a split that goes have to go too.
    vocabulary = vocabulary_of(scenario_id, lambda name, _: tables.get(name))
    for key, split in list(stored.splits.items()):
        if wrong := fold_incompatibilities(key[0], split, vocabulary):
            problems += wrong
            stored.forgotten.append(f"cv_scheme {key[0]}")
            del stored.splits[key]
    merged = {**tables, **_folds(tables, stored)}
    vocabulary = vocabulary_of(scenario_id, lambda name, _: merged.get(name))
    for key, entry in list(stored.entries.items()):
        if wrong := incompatibilities_of(entry, vocabulary):
            problems += wrong
            stored.forgotten.append(f"selector {entry.selector} ({entry.cv_scheme})")
            del stored.entries[key]
    if problems and not forget:
        hint = "Remove it first, or import with --forget to go on without."
        hinted = [Finding(p.code, "error", p.file, None, p.message, hint) for p in problems]
        raise ScenarioError(scenario_id, hinted)
    return _carried(stored, tables)


def left_behind(
    version: versions.Version, tables: Mapping[str, pa.Table], *, scenario_id: str, forget: bool = False
) -> tuple[str, ...]:
    """Selections and splits of a version that these ``tables``, with their own, lack.

    Raises:
        ScenarioError: with all of them, unless ``forget``.
    """
    stored = _stored(version)
    tested = {key for name in SELECTION_RELATIONS for key in groups(tables.get(name), KEY)}
    split = groups(tables.get("fold"), ["cv_scheme"]).keys()
    lost = [f"cv_scheme {key[0]}" for key in sorted(stored.splits.keys() - split)]
    entries = sorted(stored.entries.keys() - tested)
    lost += [f"selector {selector} ({scheme})" for selector, scheme, *_ in entries]
    if lost and not forget:
        hint = "Import into another --lake, or with --forget to go on without."
        what = f"the lake has {', '.join(lost)} of it, and the data set does not"
        finding = Finding("not-in-set", "error", scenario_id, None, what, hint)
        raise ScenarioError(scenario_id, [finding])
    return tuple(lost)


def _stored(version: versions.Version) -> _Stored:
    selections: dict[tuple[str, ...], Any] = {}
    stored = _Stored({}, {}, {})
    try:
        manifest = version.manifest()
        if manifest["relations"] and not ({"selections", "splits"} & manifest.keys()):
            return stored
        selections = {tuple(f[k] for k in KEY): f for f in manifest.get("selections", [])}
        stored.recorded = dict(manifest.get("splits", {}))
    except (AslibError, KeyError, TypeError, AttributeError):
        pass  # a damaged manifest: the tables are what counts
    found: dict[tuple[str, ...], dict[str, pa.Table]] = {}
    for name in SELECTION_RELATIONS:
        for key, rows in groups(_table(version, name, stored), KEY).items():
            found.setdefault(key, {})[name] = rows
    for key, parts in sorted(found.items()):
        stored.entries[key] = StoredSelection(key[0], key[1], parts, selections.get(key, {}))
    schemes = groups(_table(version, "fold", stored), ["cv_scheme"])
    stored.splits = {key: t for key, t in schemes.items() if key[0] not in GIVEN}
    return stored


def _table(version: versions.Version, name: str, stored: _Stored) -> pa.Table | None:
    try:
        return version.table(name)
    except AslibError as error:
        if name == "fold" and not stored.recorded:
            return None  # it holds nothing but what the files say again
        stored.damaged.append(
            Finding("damaged", "error", error.where or name, None, error.message, error.hint or "")
        )
        stored.forgotten.append(f"damaged {name}")
        return None


def _folds(tables: Mapping[str, pa.Table], stored: _Stored) -> dict[str, pa.Table]:
    if not stored.splits:
        return {}
    return {"fold": joined("fold", {**groups(tables.get("fold"), ["cv_scheme"]), **stored.splits})}


def _carried(stored: _Stored, tables: Mapping[str, pa.Table]) -> Carried:
    kept = _folds(tables, stored)
    for name in SELECTION_RELATIONS:
        parts = {k: e.tables[name] for k, e in stored.entries.items() if name in e.tables}
        if parts:
            kept[name] = joined(name, parts)
    facts: dict[str, Any] = {}
    if stored.entries:
        facts["selections"] = as_facts({key: describe(entry) for key, entry in stored.entries.items()})
        kept["selector"] = selector_table(facts["selections"])
    if stored.splits:
        facts["splits"] = {
            key[0]: stored.recorded.get(key[0], {"rows": rows.num_rows})
            for key, rows in stored.splits.items()
        }
    return Carried(kept, facts, tuple(stored.forgotten))
