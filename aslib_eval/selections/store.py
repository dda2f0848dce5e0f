"""Store selections and generated splits in the lake, with the scenario's relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats.sources import header_of
from aslib_eval.lake import transaction, versions
from aslib_eval.lake.schema import RELATIONS, TEXT, arrow_type
from aslib_eval.selections.read_csv import BASELINES, NO_SCHEME, Folds, Vocabulary, vocabulary_of
from aslib_eval.selections.validate import ResolvedRow
from aslib_eval.text import did_you_mean, list_names, plural

_TEXT = arrow_type(TEXT)

# Whether stored selections and splits are compatible with a scenario as it is now.


def incompatibilities(entry: StoredSelection, vocabulary: Vocabulary) -> list[Finding]:
    """Why a selector's rows are incompatible with the scenario; nothing if they fit."""
    scheme = entry.cv_scheme
    file = f"{vocabulary.scenario_id}: selector {entry.selector!r}, cv_scheme {scheme!r}"
    found: list[str] = []
    if scheme != NO_SCHEME and scheme not in vocabulary.folds:
        found.append(f"the scenario has no cv_scheme {scheme!r}")
    for name, table in entry.tables.items():
        found += _instances(table, vocabulary)
        if (folds := vocabulary.folds.get(scheme)) is not None:
            found += _split(table, folds)
        found += _repeated(name, table)
        if name == "selection":
            found += _names(table, vocabulary)
    return [Finding("answer-misfit", "error", file, None, text, "") for text in dict.fromkeys(found)]


def fold_incompatibilities(cv_scheme: str, table: pa.Table, vocabulary: Vocabulary) -> list[Finding]:
    """Why a split is incompatible with the scenario; nothing if it fits."""
    file = f"{vocabulary.scenario_id}: cv_scheme {cv_scheme!r}"
    found = [*_instances(table, vocabulary), *_repeated("fold", table)]
    for repetition in pc.unique(table["cv_repetition"]).to_pylist():
        rows = table.filter(pc.equal(table["cv_repetition"], repetition))
        split = set(pc.unique(rows["instance_id"]).to_pylist())
        if missing := [name for name in vocabulary.instances if name not in split]:
            found.append(f"repetition {repetition} lacks instances {list_names(missing)}")
    return [Finding("fold-misfit", "error", file, None, text, "") for text in found]


def _instances(table: pa.Table, vocabulary: Vocabulary) -> Iterator[str]:
    asked = pc.unique(table["instance_id"]).to_pylist()
    if None in asked:
        yield "a row names no instance"
    if unknown := [n for n in asked if n is not None and n not in vocabulary.instances]:
        yield f"{plural(len(unknown), 'instance is', 'instances are')} unknown: {list_names(unknown)}"


def _names(table: pa.Table, vocabulary: Vocabulary) -> Iterator[str]:
    kinds: dict[str, Mapping[str, Any]] = {
        "algorithm": dict.fromkeys(vocabulary.algorithms.values()),
        "asked": dict.fromkeys(vocabulary.algorithms.values()),
        "feature_step": vocabulary.steps,
        "none": {},
    }
    for action in pc.unique(table["action"]).to_pylist():
        if action not in kinds:
            yield f"action {action!r} is none of {', '.join(kinds)}"
            continue
        for name in pc.unique(table.filter(pc.equal(table["action"], action))["name"]).to_pylist():
            if name is not None and name not in kinds[action]:
                hint = did_you_mean(name, kinds[action])
                yield f"{action} {name!r} is unknown. {hint}".rstrip()
            elif (name is None) != (action == "none"):
                yield f"a step of kind {action!r} is named {name!r}"
    budgets = table["budget"].drop_null()
    if pc.any(pc.or_(pc.is_nan(budgets), pc.less(budgets, 0.0))).as_py():
        yield "a budget is negative or NaN"


def _split(table: pa.Table, folds: Folds) -> Iterator[str]:
    """Rows whose fold is not the one in which the split tests the instance."""
    names = ("cv_repetition", "instance_id", "fold")
    rows = table.select(names).group_by(names, use_threads=False).aggregate([])
    columns = (rows[name].to_pylist() for name in names)
    other = [
        str(instance)
        for repetition, instance, fold in zip(*columns, strict=True)
        if folds.get((repetition, instance), -1) != fold or fold is None
    ]
    if other:
        whole = plural(len(other), "answer is", "answers are")
        yield f"{whole} not in the fold of the split: {list_names(other)}"


def _repeated(name: str, table: pa.Table) -> Iterator[str]:
    keys = ["cv_repetition", "instance_id", *(["position"] if name == "selection" else [])]
    if twice := table.num_rows - table.group_by(keys, use_threads=False).aggregate([]).num_rows:
        yield f"{plural(twice, 'row repeats', 'rows repeat')} an earlier {', '.join(keys)}"


# Selections as tables of the lake contract, in one order and one encoding.

_WHO = ("selector", "cv_scheme", "cv_repetition", "fold", "instance_id")


def selection_table(rows: Iterable[ResolvedRow]) -> pa.Table | None:
    """Schedules as rows of ``selection``; None if there is none."""
    names = (*_WHO, "position", "action", "name", "budget")
    found: list[tuple[Any, ...]] = []
    for one in rows:
        found += ((*_key(one), position, *action) for position, action in enumerate(one.actions, 1))
        if not one.actions:
            found.append((*_key(one), 0, "none", None, None))
    return _built("selection", found, names) if found else None


def outcome_table(rows: Iterable[ResolvedRow], *, pays_features: bool) -> pa.Table | None:
    """Outcomes as rows of ``outcome``; None if there is none."""
    found = [(*_key(one), *one.row.outcome, pays_features) for one in rows if one.row.outcome is not None]
    return _built("outcome", found) if found else None


TIMES = ("training_time", "n_trained", "choosing_time", "n_chosen")


def times_as_facts(training: Collection[float], choosing: Collection[float]) -> dict[str, Any]:
    """The means and numbers of the times that are known, for the manifest [s].

    training: of each fold; choosing: of each instance. Nothing where none is known.
    """
    pairs = zip(TIMES[::2], TIMES[1::2], (training, choosing), strict=True)
    known = {
        key: value
        for mean, n, times in pairs
        if times
        for key, value in ((mean, fmean(times)), (n, len(times)))
    }
    return {"times": known} if known else {}


def selector_table(recorded: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Where predictions come from, as rows of ``selector``: the manifest's facts."""
    rows: list[tuple[Any, ...]] = []
    for facts in recorded:
        training, file = facts.get("trained", {}), facts.get("file")
        origin = "trained" if training else "stored" if file is None else "imported"
        seed, version = training.get("seed"), training.get("with", {}).get("aslib-eval")
        times = (facts.get("times", {}).get(name) for name in TIMES)
        rows.append((facts["selector"], facts["cv_scheme"], origin, file, seed, version, *times))
    return _built("selector", rows)


def _key(one: ResolvedRow) -> tuple[Any, ...]:
    return (one.selector, one.cv_scheme, one.cv_repetition, one.fold, one.row.instance)


def _built(name: str, rows: Sequence[tuple[Any, ...]], names: Sequence[str] = ()) -> pa.Table:
    """Rows, with values of ``names`` (default: of all columns in their order), as a table."""
    schema = RELATIONS[name].schema
    columns = dict(zip(names or schema.names, zip(*rows, strict=True), strict=bool(rows)))
    arrays = [
        pa.array(columns.get(f.name, ()), pa.string()).cast(_TEXT)
        if f.type == _TEXT
        else pa.array(columns.get(f.name, ()), f.type)
        for f in schema
    ]
    return pa.table(arrays, schema=schema)


def conform(name: str, table: pa.Table, constants: Mapping[str, str]) -> pa.Table:
    """A table in the contract's schema; ``constants`` fill columns it lacks."""
    arrays = []
    for column in RELATIONS[name].schema:
        if column.name in constants:
            arrays.append(pa.array([constants[column.name]] * table.num_rows, pa.string()).cast(_TEXT))
        elif column.name in table.column_names:
            arrays.append(_cast(name, table[column.name], column))
        elif column.name in {"fold", "budget", "objective", "price"}:
            arrays.append(pa.nulls(table.num_rows, column.type))
        else:
            raise AslibError(f"has no column {column.name!r}", f"table {name}")
    return pa.table(arrays, schema=RELATIONS[name].schema)


def _cast(name: str, column: pa.ChunkedArray, field: pa.Field) -> pa.Array:
    try:
        return _encoded(column) if field.type == _TEXT else column.cast(field.type)
    except pa.ArrowException as error:
        raise AslibError(f"column {field.name!r} is not {field.type} ({error})", f"table {name}") from None


def _encoded(column: pa.ChunkedArray) -> pa.Array:
    """Text over a dictionary in order of appearance, whatever it came from."""
    return column.cast(pa.string()).combine_chunks().dictionary_encode().cast(_TEXT)


def groups(table: pa.Table | None, keys: Sequence[str]) -> dict[tuple[str, ...], Any]:
    """The rows of each combination of the text columns, in their order."""
    if table is None or not table.num_rows:
        return {}
    columns = [table[key].cast(pa.string()) for key in keys]
    codes = pc.binary_join_element_wise(*columns, "\0").combine_chunks().dictionary_encode()
    return {
        tuple(word.split("\0")): table.filter(pc.equal(codes.indices, number))
        for number, word in enumerate(codes.dictionary.to_pylist())
    }


def joined(name: str, parts: Mapping[tuple[str, ...], pa.Table]) -> pa.Table:
    """The groups as one table, sorted by their keys: same rows, same bytes."""
    schema = RELATIONS[name].schema
    if not parts:
        return schema.empty_table()
    whole = pa.concat_tables([parts[key] for key in sorted(parts)])
    arrays = [
        _encoded(whole[f.name]) if f.type == _TEXT else whole[f.name].combine_chunks() for f in schema
    ]
    return pa.table(arrays, schema=schema)


SELECTION_RELATIONS = ("outcome", "selection")
KEY = ("selector", "cv_scheme")
GIVEN = ("aslib", "split", NO_SCHEME)
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class StoredSelection:
    """One selector's rows on one split; ``facts`` record where they came from."""

    selector: str
    cv_scheme: str
    tables: Mapping[str, pa.Table]
    facts: Facts = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, ...]:
        """Selector and cv_scheme: what an entry replaces."""
        return self.selector, self.cv_scheme


def store_selection(
    lake: Path,
    scenario_id: str,
    selector: str,
    *,
    selection: pa.Table | None = None,
    outcome: pa.Table | None = None,
    facts: Facts | None = None,
) -> None:
    """Store a selector's selection, in the place of an earlier one.

    The tables have the columns of the relations ``selection`` and ``outcome`` but for ``selector``;
    ``fold``, ``budget``, ``objective`` and ``price`` may be left out where null. Each cv_scheme in them is
    stored, and replaced, by itself. ``facts`` go into the manifest: they must not depend on the time.

    Raises:
        ScenarioError: when the tables name what the scenario does not have.
    """
    if selector in BASELINES:
        what = f"a selector cannot be called {selector!r}: that is a baseline"
        raise AslibError(what, scenario_id, "Choose another name.")
    parts: dict[str, dict[str, pa.Table]] = {}
    for name, table in (("selection", selection), ("outcome", outcome)):
        if table is not None and table.num_rows:
            whole = conform(name, table, {"selector": selector})
            for (scheme,), rows in groups(whole, ["cv_scheme"]).items():
                parts.setdefault(scheme, {})[name] = rows
    if not parts:
        raise AslibError("there is nothing to store", f"selector {selector!r}")
    entries = [StoredSelection(selector, s, tables, facts or {}) for s, tables in parts.items()]
    store_entries(lake, scenario_id, entries)


def store_entries(lake: Path, scenario_id: str, entries: Sequence[StoredSelection]) -> None:
    """Store several selectors of a scenario at once; all of them or none."""

    def change(version: versions.Version) -> tuple[dict[str, pa.Table], Facts] | None:
        recorded = recorded_selections(version)
        stored = {name: groups(version.table(name), KEY) for name in SELECTION_RELATIONS}
        fresh = [e for e in entries if not _is_stored(e, recorded, stored)]
        if not fresh and version.table("selector") is not None:
            return None
        vocabulary = vocabulary_of(scenario_id, version.table)
        require(scenario_id, (incompatibilities(entry, vocabulary) for entry in fresh))
        for e in fresh:
            recorded[e.key] = describe(e)
            for name in SELECTION_RELATIONS:
                stored[name].pop(e.key, None)
                if name in e.tables:
                    stored[name][e.key] = e.tables[name]
        tables = {name: joined(name, parts) for name, parts in stored.items()}
        facts = as_facts(recorded)
        return {**tables, "selector": selector_table(facts)}, {"selections": facts}

    transaction.amend(lake, scenario_id, change)


def _is_stored(
    entry: StoredSelection,
    recorded: Mapping[tuple[str, ...], Facts],
    stored: Mapping[str, Mapping[tuple[str, ...], pa.Table]],
) -> bool:
    return recorded.get(entry.key) == describe(entry) and all(
        _same(name, parts.get(entry.key), entry.tables.get(name)) for name, parts in stored.items()
    )


def remove_selection(lake: Path, scenario_id: str, selector: str, *, cv_scheme: str | None = None) -> None:
    """Remove a selector's selections, on one split or on all."""

    def change(version: versions.Version) -> tuple[dict[str, pa.Table], Facts]:
        recorded = recorded_selections(version)
        gone = {key for key in recorded if key[0] == selector and cv_scheme in {None, key[1]}}
        if not gone:
            has = ", ".join(sorted({name for name, _ in recorded})) or "none"
            raise AslibError(
                f"holds no selector {selector!r} of {scenario_id}", str(lake), f"It holds {has}."
            )
        tables = {
            name: joined(name, {k: t for k, t in groups(version.table(name), KEY).items() if k not in gone})
            for name in SELECTION_RELATIONS
        }
        rest = as_facts({key: f for key, f in recorded.items() if key not in gone})
        return {**tables, "selector": selector_table(rest)}, {"selections": rest}

    transaction.amend(lake, scenario_id, change)


def store_folds(
    lake: Path, scenario_id: str, cv_scheme: str, table: pa.Table | None, *, facts: Facts | None = None
) -> None:
    """Store a generated split, in the place of one of the same name; None removes it.

    The table has the columns cv_repetition, fold and instance_id; every repetition holds every instance
    once. ``facts`` go into the manifest.

    Raises:
        ScenarioError: when the split does not fit the scenario.
    """
    if cv_scheme in GIVEN:
        what = f"cv_scheme {cv_scheme!r} comes from the scenario's own files"
        raise AslibError(what, scenario_id, "Choose another name.")
    new = None if table is None else conform("fold", table, {"cv_scheme": cv_scheme})

    def change(version: versions.Version) -> tuple[dict[str, pa.Table], Facts] | None:
        stored = groups(version.table("fold"), ["cv_scheme"])
        old = stored.pop((cv_scheme,), None)
        recorded = {**version.manifest().get("splits", {})}
        if _same("fold", old, new) and recorded.get(cv_scheme) == _split_facts(new, facts):
            return None
        _refuse_trained(version, cv_scheme, same=_same("fold", old, new))
        if new is not None:
            vocabulary = vocabulary_of(scenario_id, version.table)
            require(scenario_id, [fold_incompatibilities(cv_scheme, new, vocabulary)])
            stored[cv_scheme,] = new
        recorded.pop(cv_scheme, None)
        if new is not None:
            recorded[cv_scheme] = _split_facts(new, facts)
        return {"fold": joined("fold", stored)}, {"splits": recorded}

    transaction.amend(lake, scenario_id, change)


def _same(name: str, old: pa.Table | None, new: pa.Table | None) -> bool:
    if old is None or new is None:
        return old is new
    return bool(joined(name, {("",): old}).equals(joined(name, {("",): new})))


def _split_facts(table: pa.Table | None, facts: Facts | None) -> dict[str, Any] | None:
    return None if table is None else {**(facts or {}), "rows": table.num_rows}


def _refuse_trained(version: versions.Version, cv_scheme: str, *, same: bool) -> None:
    trained = sorted(name for name, scheme in recorded_selections(version) if scheme == cv_scheme)
    if trained and not same:
        what = f"the predictions of {', '.join(trained)} belong to the cv_scheme {cv_scheme!r} as it is"
        raise AslibError(
            what, version.scenario_id, "Remove their selections first, or choose another name."
        )


def require(scenario_id: str, findings: Iterable[Sequence[Finding]]) -> None:
    """Raise ScenarioError if there is any finding."""
    if found := [one for some in findings for one in some]:
        raise ScenarioError(scenario_id, found)


def recorded_selections(version: versions.Version) -> dict[tuple[str, ...], dict[str, Any]]:
    """Selector and cv_scheme → what the manifest records of its selection."""
    recorded = version.manifest().get("selections", [])
    return {tuple(facts[key] for key in KEY): facts for facts in recorded}


def as_facts(recorded: Mapping[tuple[str, ...], Facts]) -> list[Facts]:
    """The manifest's list, in one order."""
    return [recorded[key] for key in sorted(recorded)]


def describe(entry: StoredSelection) -> dict[str, Any]:
    """What the manifest records of an entry."""
    return {
        **entry.facts,
        "selector": entry.selector,
        "cv_scheme": entry.cv_scheme,
        "rows": {name: table.num_rows for name, table in entry.tables.items()},
    }


# What a version of a scenario holds besides its own files, carried over when it is replaced.


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
        if wrong := incompatibilities(entry, vocabulary):
            problems += wrong
            stored.forgotten.append(f"selector {entry.selector} ({entry.cv_scheme})")
            del stored.entries[key]
    if problems and not forget:
        hint = "Remove it first, or add --forget to import without it."
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
        hint = "Choose another --lake, or add --forget to import without them."
        what = f"the lake has {', '.join(lost)} of this scenario, but the data set does not"
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


# Files of selections, and the scenario of each.

SUFFIXES = (".json", ".csv")
# Files that lie beside selections and hold scores.
NOT_SELECTIONS = {"expected_per_instance.csv"}


@dataclass(frozen=True)
class Target:
    """A file and its scenario; ``error`` is why it is not read."""

    path: Path
    scenario_id: str | None
    error: AslibError | None = None
    status: Literal["failed", "skipped"] = "failed"

    @property
    def shown(self) -> str:
        """The path to show to the user."""
        return str(self.path)


def find_targets(path: Path, *, lake: Path, scenario: str | None) -> list[Target]:
    """The files at ``path``: itself, or those in a folder and its sub-folders."""
    with os_errors(hint="Check the permissions."):
        names = scenario_names(lake)
        wanted = None if scenario is None else scenario_called(scenario, lake)
        if path.is_file():
            found = wanted or names.get(path.resolve().parent.name)
            if found is None and _names_selectors(path):
                found = names.get(path.stem)
            ids = sorted({*names.values()})
            if found is None and len(ids) == 1:  # it can be of no other
                (found,) = ids
            if found is None:
                hint = f"Add --scenario NAME, one of {list_names(ids, most=8)}."
                raise AslibError("does not name its scenario", str(path), hint)
            return [Target(path, found)]
        if not path.is_dir():
            what = "is no file or folder" if path.exists() else "does not exist"
            raise AslibError(what, str(path), "Name a file or a folder.")
        folders = sorted(p for p in path.iterdir() if p.is_dir() and _files(p))
        targets = [
            *_inside(path, wanted or names.get(path.resolve().name), names),
            *(target for folder in folders for target in _below(folder, names)),
        ]
        if wanted is not None:
            targets = [t for t in targets if t.scenario_id == wanted]
        if not any(target.error is None for target in targets):
            first = next((t.error for t in targets if t.status == "failed"), None)
            raise first or AslibError(
                "holds no selections", str(path), "Files are <scenario>/<selector>.json or .csv."
            )
        return targets


def scenario_names(lake: Path) -> dict[str, str]:
    """What scenarios of the lake are called, ids and then folders → their ids."""
    names = {name: name for name in versions.scenario_ids(lake)}
    with versions.lease(lake) as held:
        for scenario_id in tuple(names):
            with suppress(AslibError):  # a damaged one is still known by its id
                if (version := held.version(scenario_id)) is not None:
                    names.setdefault(version.manifest()["folder"], scenario_id)
    return names


def scenario_called(scenario: str, lake: Path) -> str:
    """The id of the scenario of that id or folder name."""
    names = scenario_names(lake)
    if scenario in names:
        return names[scenario]
    hint = did_you_mean(scenario, names) or "Import it first with 'aslib-eval import PATH'."
    raise AslibError(f"holds no scenario {scenario!r}", str(lake), hint)


def _names_selectors(path: Path) -> bool:
    return "selector" in {name.strip().lower() for name in header_of(path)}


def _files(folder: Path) -> list[Path]:
    """Also pipes and links to nothing, which are refused when they are read."""
    return sorted(p for p in folder.iterdir() if not p.is_dir() and p.suffix.lower() in SUFFIXES)


def _below(folder: Path, names: dict[str, str]) -> list[Target]:
    """The files of a sub-folder, which must be named like a scenario."""
    if (scenario_id := names.get(folder.name)) is not None:
        return _inside(folder, scenario_id, names)
    hint = did_you_mean(folder.name, names) or "Import the scenario first, or rename the folder."
    return [Target(folder, None, AslibError("the lake has no scenario of this name", str(folder), hint))]


def _inside(folder: Path, scenario_id: str | None, names: dict[str, str]) -> list[Target]:
    targets = []
    for file in _files(folder):
        mine = scenario_id
        if mine is None and _names_selectors(file):
            mine = names.get(file.stem)
        error = None
        if file.name in NOT_SELECTIONS:
            error = AslibError("left out: it holds scores, not selections", str(file))
        elif mine is None:
            error = AslibError("left out: it does not name its scenario", str(file))
        targets.append(Target(file, mine, error, "skipped"))
    return targets
