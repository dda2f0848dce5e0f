"""What a scenario's next version takes over: selections and generated splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.lake import versions
from aslib_eval.selections.store import (
    GIVEN,
    KEY,
    SELECTION_RELATIONS,
    StoredSelection,
    as_facts,
    describe,
    fold_incompatibilities,
    groups,
    incompatibilities_of,
    joined,
    selector_table,
)
from aslib_eval.selections.vocabulary import vocabulary_of


@dataclass(frozen=True)
class Carried:
    """Relations and facts for the manifest; ``forgotten`` names what did not fit."""

    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    forgotten: tuple[str, ...] = ()


@dataclass
class _Stored:
    """What the lake holds besides the scenario's own files."""

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
        raise ScenarioError(scenario_id, [_hinted(problem) for problem in problems])
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


def _hinted(problem: Finding) -> Finding:
    hint = "Remove it first, or import with --forget to go on without."
    return Finding(problem.code, "error", problem.file, None, problem.message, hint)


def _stored(version: versions.Version) -> _Stored:
    selections: dict[tuple[str, ...], Any] = {}
    stored = _Stored({}, {}, {})
    try:
        manifest = version.manifest()
        if manifest["relations"] and not ({"selections", "splits"} & manifest.keys()):
            return stored
        listed = manifest.get("selections", [])
        selections = {tuple(f[k] for k in KEY): f for f in listed}
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
        file = error.where or name
        what, hint = error.message, error.hint or ""
        stored.damaged.append(Finding("damaged", "error", file, None, what, hint))
        stored.forgotten.append(f"damaged {name}")
        return None


def _folds(tables: Mapping[str, pa.Table], stored: _Stored) -> dict[str, pa.Table]:
    if not stored.splits:
        return {}
    given = groups(tables.get("fold"), ["cv_scheme"])
    return {"fold": joined("fold", {**given, **stored.splits})}


def _carried(stored: _Stored, tables: Mapping[str, pa.Table]) -> Carried:
    kept = _folds(tables, stored)
    for name in SELECTION_RELATIONS:
        parts = {k: e.tables[name] for k, e in stored.entries.items() if name in e.tables}
        if parts:
            kept[name] = joined(name, parts)
    facts: dict[str, Any] = {}
    if stored.entries:
        recorded = {key: describe(entry) for key, entry in stored.entries.items()}
        facts["selections"] = as_facts(recorded)
        kept["selector"] = selector_table(facts["selections"])
    if stored.splits:
        facts["splits"] = {
            key[0]: stored.recorded.get(key[0], {"rows": rows.num_rows})
            for key, rows in stored.splits.items()
        }
    return Carried(kept, facts, tuple(stored.forgotten))
