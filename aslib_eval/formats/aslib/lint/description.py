"""description.txt and features: keys, measures, and features and steps that fit together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.description import KEYS, Description, FeatureStep
from aslib_eval.formats.aslib.lint import (
    PARTS,
    Flags,
    Floats,
    at_column,
    at_rows,
    codes,
    data_columns,
    dense,
    distinct,
    is_number,
    is_text,
    key,
    new_finding,
    row_findings,
    twice,
    values,
)
from aslib_eval.formats.aslib.lint.runs import FEATURE_STATUSES, unknown_words
from aslib_eval.formats.aslib.scenario import IDS, ArffTable, Scenario
from aslib_eval.formats.sources import TEXTS
from aslib_eval.text import list_names, plural

# description.txt with the lines of its words.

_KEY = re.compile(r"""^["']?([A-Za-z_]\w*)["']?[ \t]*:""", re.MULTILINE)


class DescriptionFile:
    """The contents of description.txt, and the line of each entry."""

    def __init__(self, scenario: Scenario, description: Description) -> None:
        self.scenario = scenario
        self.parsed = description
        self.file = scenario.file("description.txt")
        content = scenario.sources["description.txt"].content
        text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        self._starts = [(found[1], found.start()) for found in _KEY.finditer(text)]
        self._text = text

    def finding(self, code: str, key: str, what: str, *, word: str = "", hint: str = "") -> Finding:
        """A finding at a key, or at the word inside its block."""
        return new_finding(code, file=self.file, line=self.line(key, word), what=what, hint=hint)

    def block(self, key: str) -> tuple[int, list[str]]:
        """First line of a key and the lines up to the next key; 0 if it is absent."""
        ends = [start for _, start in self._starts[1:]] + [len(self._text)]
        for (name, start), end in zip(self._starts, ends, strict=True):
            if name == key:
                return self._text.count("\n", 0, start) + 1, self._text[start:end].split("\n")
        return 0, []

    def line(self, key: str, word: str = "") -> int | None:
        """Line of the word in the block of the key, else of the key."""
        start, lines = self.block(key)
        if word:
            sought = re.compile(rf"""(?<![^\s'"\[,]){re.escape(word)}(?![^\s'"\],:])""")
            for number, line in enumerate(lines, start):
                if sought.search(line):
                    return number
        return start or None


# Which files are there, and which are called almost as they should be.

ARFF = tuple(f"{name}.arff" for name in IDS)
KNOWN = {*ARFF, *TEXTS}
_MEANT = {re.sub(r"[^a-z]", "", name): name for name in (*ARFF, "description.txt")}
_ALIKE = 0.9


def check_files(scenario: Scenario) -> Iterator[Finding]:
    """Absent files of the format, and files that it does not know."""
    if "description.txt" not in scenario.sources:
        hint = "It defines the measures. Without it, no command can compute scores."
        file = scenario.file("description.txt")
        yield new_finding("description-missing", file=file, what="the file is missing", hint=hint)
    tables = [n for n in scenario.sources if n.lower().endswith((".csv", ".tsv"))]
    if tables and not any(name.endswith(".arff") for name in scenario.sources):
        runs = [name for name in tables if "feature" not in name.lower()]
        files = ", ".join(map(scenario.file, runs or tables))
        what = "this file and all other .arff files are missing"
        hint = f"To import a table of runs, give the file itself: {files}."
        yield new_finding("runs-empty", file=scenario.file("algorithm_runs.arff"), what=what, hint=hint)
    for name in scenario.missing:
        hint = "The other files are read. Results that need this file stay empty."
        hint = "Without runs, no command can compute scores." if name == "algorithm_runs.arff" else hint
        yield new_finding("file-missing", file=scenario.file(name), what="the file is missing", hint=hint)
    for name in scenario.sources:
        if name not in KNOWN:
            yield from _unknown(scenario, name)


def _unknown(scenario: Scenario, name: str) -> Iterator[Finding]:
    meant, file = intention(name), scenario.file(name)
    if meant is not None and meant not in scenario.sources:
        what = f"the file is not read; its name looks like {meant!r}"
        yield new_finding(
            "file-misspelt", file=file, what=what, hint=f"If it is that file, rename it to {meant!r}."
        )
    elif name.lower().endswith(".arff"):
        what = "the file is not part of the format, so it is not read"
        yield new_finding("file-unknown", file=file, what=what)


def intention(name: str) -> str | None:
    """The file of the format that a name looks like, or None."""
    letters = re.sub(r"[^a-z]", "", name.lower())
    if letters in _MEANT:
        return _MEANT[letters]
    close = get_close_matches(letters, _MEANT, n=1, cutoff=_ALIKE)
    return _MEANT[close[0]] if close else None


_REQUIRED = (
    *("algorithm_cutoff_time", "algorithm_cutoff_memory", "features_cutoff_time", "features_cutoff_memory"),
    *("number_of_feature_steps", "features_deterministic", "features_stochastic", "default_steps"),
    *("feature_steps", "metainfo_algorithms"),
)


def check_description(scenario: Scenario) -> Iterator[Finding]:
    """The contents of description.txt, and how they fit the columns of the files."""
    if scenario.description is None:
        return
    file = DescriptionFile(scenario, scenario.description)
    yield from _keys(file)
    yield from _measures(file)
    yield from _steps(file)
    for prefix in ("", "algorithm_"):
        yield from _features(file, prefix)
        yield from _twice(file, prefix)
    yield from _order(file)


def _keys(file: DescriptionFile) -> Iterator[Finding]:
    lines = file.parsed.lines
    unknown = [key for key in lines if key not in KEYS]
    if unknown:
        what = f"unknown keys, which are not read: {list_names(unknown)}"
        yield file.finding("key-unknown", unknown[0], what)
    missing = [key for key in _REQUIRED if key not in lines]
    if missing:
        yield file.finding("key-missing", "", f"keys missing: {list_names(missing)}")
    if file.parsed.scenario_id != file.scenario.folder:
        what = f"scenario_id is {file.parsed.scenario_id!r}, but the folder is {file.scenario.folder!r}"
        yield file.finding("scenario-id-folder", "scenario_id", what, hint="Commands accept both names.")


def _measures(file: DescriptionFile) -> Iterator[Finding]:
    timed = [m for m in file.parsed.measures if m.type == "runtime"]
    cutoff = file.parsed.cutoff
    if timed and (cutoff is None or cutoff <= 0):
        present = "missing" if cutoff is None else f"{cutoff:g}"
        what = f"algorithm_cutoff_time is {present}, but {timed[0].name!r} is a runtime"
        hint = "PARk and all results computed from it will be empty."
        yield file.finding("cutoff-missing", "algorithm_cutoff_time", what, hint=hint)
    wrong = [m.name for m in timed if m.maximize]
    if wrong:
        what = f"maximize is true for the runtime {list_names(wrong)}"
        yield file.finding("runtime-maximized", "maximize", what)


def _steps(file: DescriptionFile) -> Iterator[Finding]:
    steps, more = file.parsed.steps, file.parsed.algorithm_steps
    known = {step.name for step in (*steps, *more)}
    strange = [n for n in file.parsed.names["default_steps"] if n not in known]
    if strange:
        what = f"default_steps names steps that are not feature steps: {list_names(strange)}"
        yield file.finding("default-step-unknown", "default_steps", what, word=strange[0])
    number = file.parsed.numbers.get("number_of_feature_steps")
    if number is not None and number != len(steps):
        what = f"number_of_feature_steps is {number:g}, but feature_steps has {len(steps)} steps"
        what += f" (and algorithm_feature_steps {len(more)})" if more else ""
        yield file.finding("step-count", "number_of_feature_steps", what)
    for name, part in (("feature_steps", steps), ("algorithm_feature_steps", more)):
        yield from _requires(file, name, part)


def _requires(file: DescriptionFile, key: str, steps: tuple[FeatureStep, ...]) -> Iterator[Finding]:
    needs = {step.name: step.requires for step in steps}
    for name, required in needs.items():
        strange = [other for other in required if other not in needs]
        if strange:
            what = f"step {name!r} requires steps that are not declared: {list_names(strange)}"
            yield file.finding("requires-unknown", key, what, word=name)
    while ready := [n for n, on in needs.items() if not any(o in needs for o in on)]:
        for name in ready:
            del needs[name]
    if needs:
        what = f"these steps require each other, so none can start: {list_names(needs)}"
        yield file.finding("requires-cyclic", key, what, word=next(iter(needs)))


def _features(file: DescriptionFile, prefix: str) -> Iterator[Finding]:
    """Declared features, columns of the values, and what the steps provide."""
    keys = [f"{prefix}features_{kind}" for kind in ("deterministic", "stochastic")]
    declared = dict.fromkeys(n for key in keys for n in file.parsed.names[key])
    steps = file.parsed.algorithm_steps if prefix else file.parsed.steps
    provided = dict.fromkeys(name for step in steps for name in step.provides)
    block = f"{prefix}feature_steps"
    alone = [name for name in declared if name not in provided]
    if alone:
        what = f"{plural(len(alone), 'feature')} that no step provides: {list_names(alone)}"
        hint = "Their cost is unknown, and no selector can ask for them."
        yield file.finding("feature-without-step", keys[0], what, word=alone[0], hint=hint)
    several = twice(name for step in steps for name in step.provides)
    if several:
        what = f"{plural(len(several), 'feature')} that several steps provide: {list_names(several)}"
        hint = "Each of these steps computes them; do not count them twice."
        yield file.finding("feature-several-steps", block, what, word=several[0], hint=hint)
    strange = [name for name in provided if name not in declared]
    if strange:
        what = f"a step provides features that are not declared: {list_names(strange)}"
        hint = "Check whether one line holds several names."
        yield file.finding("step-feature-unknown", block, what, word=strange[0], hint=hint)
    for part in ("",) if prefix else PARTS:
        yield from _columns(file, f"{prefix}feature_values{part}", [*declared], keys[0])


def _columns(file: DescriptionFile, name: str, declared: list[str], key: str) -> Iterator[Finding]:
    table = file.scenario.tables.get(name)
    if table is None:
        return
    columns = data_columns(table, name)
    there, known = set(columns), set(declared)
    absent = [feature for feature in declared if feature not in there]
    if absent:
        what = f"{plural(len(absent), 'feature')} without a column in {name}.arff: {list_names(absent)}"
        yield file.finding("feature-no-column", key, what, word=absent[0])
    strange = [column for column in columns if column not in known]
    if strange:
        what = f"{plural(len(strange), 'column')} not declared as features: {list_names(strange)}"
        yield at_column("feature-undeclared", table, strange[0], what)


def _twice(file: DescriptionFile, prefix: str) -> Iterator[Finding]:
    """Features declared twice, or provided twice by one step."""
    keys = [f"{prefix}features_{kind}" for kind in ("deterministic", "stochastic")]
    doubles = twice(name for key in keys for name in file.parsed.names[key])
    if doubles:
        what = f"declared twice: {list_names(doubles)}"
        yield file.finding("feature-listed-twice", keys[0], what, word=doubles[0])
    start, lines = file.block(f"{prefix}feature_steps")
    seen: set[str] = set()
    for number, line in enumerate(lines, start):
        item = line.lstrip()
        if not item.startswith("- "):
            seen.clear()
        elif item in seen:
            what = f"provided twice by one step: {item[2:].strip()!r}"
            yield new_finding("feature-listed-twice", file=file.file, line=number, what=what)
        else:
            seen.add(item)


def _order(file: DescriptionFile) -> Iterator[Finding]:
    parsed = file.parsed
    features = (*parsed.names["features_deterministic"], *parsed.names["features_stochastic"])
    rest = {"algorithm_runs": [*(m.name for m in parsed.measures), "runstatus"], "feature_values": features}
    for name, table in file.scenario.tables.items():
        order = dict.fromkeys((*IDS[name], *rest.get(name.removesuffix("_test"), ())))
        rank = {column: at for at, column in enumerate(order)}
        present = [c for c in table.table.column_names if c in rank]
        wrong = [b for a, b in pairwise(present) if rank[a] > rank[b]]
        if wrong:
            what = f"column {wrong[0]!r} comes after a column that should follow it"
            hint = "Tools that read columns by their position will mix them up."
            yield at_column("column-order", table, wrong[0], what, hint)


_RESERVED = -512.0
_ONE = -1.0


@dataclass(frozen=True)
class NumericFeatures:
    """Numeric features: ``cells`` (features, rows), NaN where missing."""

    table: ArffTable
    features: tuple[str, ...]
    cells: Floats
    missing: Flags

    def columns(self, code: str, where: Flags, what: str, hint: str = "") -> Finding:
        """A finding on the features (features,) at the first one's declaration."""
        listed = [self.features[at] for at in np.flatnonzero(where)]
        what = f"{plural(len(listed), 'feature')} {what}: {list_names(listed)}"
        return at_column(code, self.table, listed[0], what, hint)


def check_features(scenario: Scenario) -> Iterator[Finding]:
    """Values of instance features, of the test set's, and of algorithm features."""
    for part in PARTS:
        table = scenario.tables.get(f"feature_values{part}")
        if table is not None and table.table.num_rows:
            matrix = _matrix(table, f"feature_values{part}")
            yield from _text(table, f"feature_values{part}")
            yield from _values(matrix)
            if matrix.features:
                yield from _absent(matrix, scenario.tables.get(f"feature_runstatus{part}"))
                if not part:
                    yield from _leaks(scenario, matrix)
    table = scenario.tables.get("algorithm_feature_values")
    if table is not None and table.table.num_rows:
        yield from _text(table, "algorithm_feature_values")
        yield from _values(_matrix(table, "algorithm_feature_values"))


def _matrix(table: ArffTable, name: str) -> NumericFeatures:
    features = [c for c in data_columns(table, name) if is_number(table, c)]
    cells = np.empty((len(features), table.table.num_rows))
    for at, feature in enumerate(features):
        cells[at] = values(table, feature)
    return NumericFeatures(table, tuple(features), cells, np.isnan(cells))


def _text(table: ArffTable, name: str) -> Iterator[Finding]:
    listed = [c for c in data_columns(table, name) if not is_number(table, c)]
    if listed:
        what = f"{plural(len(listed), 'feature')} not declared NUMERIC: {list_names(listed)}"
        yield at_column("feature-text", table, listed[0], what)


def _values(matrix: NumericFeatures) -> Iterator[Finding]:
    if not matrix.features:
        return
    yield from _not_a_number(matrix)
    low = np.fmin.reduce(matrix.cells, axis=1)
    high = np.fmax.reduce(matrix.cells, axis=1)
    empty = np.isnan(low)
    if empty.any():
        yield matrix.columns("feature-empty", empty, "without any value")
    if matrix.cells.shape[1] > 1 and (low == high).any():
        yield matrix.columns("feature-constant", low == high, "with a constant value")
    infinite = np.isinf(low) | np.isinf(high)
    if infinite.any():
        yield matrix.columns("feature-infinite", infinite, "with infinity", "Few learners accept that.")
    yield from _sentinels(matrix, low)


def _not_a_number(matrix: NumericFeatures) -> Iterator[Finding]:
    """Cells that are NaN; those that are '?' are null in the table."""
    present = matrix.table.table
    nulls = sum(present[feature].null_count for feature in matrix.features)
    literal = int(matrix.missing.sum()) - nulls
    if literal:
        rows = np.zeros(present.num_rows, bool)
        for at, feature in enumerate(matrix.features):
            if matrix.missing[at].any():
                rows |= matrix.missing[at] & ~present[feature].is_null().to_numpy()
        hint = "Such cells count as missing values. In the format, write '?' for them."
        yield at_rows("feature-nan", matrix.table, rows, f"{plural(literal, 'cell')} with NaN", hint)


def _sentinels(matrix: NumericFeatures, low: Floats) -> Iterator[Finding]:
    """-512 where it is a feature's smallest value, or -1 as the only negative one.

    SATzilla's feature extractor writes -512 for what it has not computed. A scenario that does so for one
    feature does so for all: the cells of all are counted.
    """
    if (low == _RESERVED).any():
        found = matrix.cells == _RESERVED
        yield _sentinel(matrix, _RESERVED, found)
    ones = np.flatnonzero(low == _ONE)
    cells = matrix.cells[ones]
    alone = ones[~((cells < 0) & (cells != _ONE)).any(axis=1)]
    if alone.size:
        found = np.zeros_like(matrix.missing)
        found[alone] = matrix.cells[alone] == _ONE
        yield _sentinel(matrix, _ONE, found)


def _sentinel(matrix: NumericFeatures, code: float, found: Flags) -> Finding:
    where = np.flatnonzero(found.any(axis=1)).tolist()
    what = (
        f"{plural(int(found.sum()), 'cell')} in {plural(len(where), 'feature')} with the value {code:g}: "
    )
    what += list_names([matrix.features[at] for at in where])
    hint = "If this value means 'not computed', replace it by '?'."
    return at_rows("feature-sentinel", matrix.table, np.any(found, axis=0), what, hint)


def _absent(matrix: NumericFeatures, statuses: ArffTable | None) -> Iterator[Finding]:
    """Rows without a feature, and the statuses of their instances."""
    rows = np.all(matrix.missing, axis=0)
    if rows.any():
        what = f"{plural(int(rows.sum()), 'row')} without any feature value"
        if statuses is not None and is_text(statuses, "instance_id"):
            lacking = matrix.table.table["instance_id"].filter(pa.array(rows))
            lacking = lacking.unique().cast(pa.string())
            there = pc.is_in(statuses.table["instance_id"].cast(pa.string()), lacking)
            steps = data_columns(statuses, "feature_runstatus")
            cells = statuses.table.select(steps).filter(there).to_pydict().values()
            words = Counter(word for column in cells for word in column if word)
            told = ", ".join(f"{n} {word}" for word, n in words.most_common())
            what += f"; their feature steps ended with these statuses: {told}" if told else ""
        hint = "These instances count in every score, so a selector must choose without features there."
        yield at_rows("instance-without-features", matrix.table, rows, what, hint)


def _leaks(scenario: Scenario, matrix: NumericFeatures) -> Iterator[Finding]:
    """Instances whose whole feature vector an instance of another fold has too."""
    cv = scenario.tables.get("cv")
    if cv is None or not cv.table.num_rows:
        return
    code, present = codes(matrix.table, "instance_id")
    rows, group = _alike(matrix)
    fold = _folds(cv, present)[code[rows]]
    rows, group, fold = (each[fold >= 0] for each in (rows, group, fold))
    low = np.full(group.max(initial=0) + 1, np.iinfo(np.int64).max)
    high = np.full(low.size, -1)
    np.minimum.at(low, group, fold)
    np.maximum.at(high, group, fold)
    leaking = low[group] < high[group]
    if leaking.any():
        instances = np.unique(code[rows[leaking]]).size
        what = f"{instances} instances have the same values of all {len(matrix.features)} "
        what += "features as an instance in another fold"
        hint = "A selector can recognise such instances; keep them in one fold."
        yield at_rows("feature-leak", matrix.table, np.sort(rows[leaking]), what, hint)


def _folds(cv: ArffTable, instances: object) -> NDArray[np.int64]:
    """Fold (as a code) of each instance in the first repetition, -1 if in none."""
    first = cv.table["repetition"].to_numpy() == cv.table["repetition"][0].as_py()
    code, present = codes(cv, "instance_id")
    fold = np.full(len(present) + 1, -1, np.int64)
    fold[code[first]] = dense(cv.table["fold"].to_numpy())[0][first]
    found: NDArray[np.int64] = fold[pc.fill_null(pc.index_in(instances, value_set=present), -1).to_numpy()]
    return found


def _alike(matrix: NumericFeatures) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows with at least one value that may have a twin, and their groups (rows,).

    Sums of features, added in the same order, are equal in equal rows: only rows
    whose sum occurs twice are compared cell by cell.
    """
    some = np.flatnonzero(~matrix.missing.all(axis=0))
    with np.errstate(all="ignore"):
        sums = np.where(matrix.missing, 0.0, matrix.cells).sum(axis=0)[some]
    _, group, size = np.unique(sums, return_inverse=True, return_counts=True)
    rows = some[size[group] > 1]
    cells = np.ascontiguousarray(matrix.cells[:, rows].T) + 0.0
    cells[np.isnan(cells)] = np.nan
    seen: dict[bytes, int] = {}
    return rows, np.array([seen.setdefault(row.tobytes(), len(seen)) for row in cells], np.int64)


# Feature steps: costs and statuses against the declared steps and cutoffs.


def check_steps(scenario: Scenario) -> Iterator[Finding]:
    """Files of feature costs and statuses, of instances, tests and algorithms."""
    description = scenario.description
    for prefix, part in (*(("", part) for part in PARTS), ("algorithm_", "")):
        for kind in ("costs", "runstatus"):
            name = f"{prefix}feature_{kind}{part}"
            table = scenario.tables.get(name)
            if table is None:
                continue
            columns = data_columns(table, name)
            if description is not None:
                steps = description.algorithm_steps if prefix else description.steps
                yield from _feature_columns(table, columns, steps)
            if kind == "costs":
                yield from _costs(table, columns, None if prefix else description)
            else:
                yield from _statuses(table, columns)
    for part in PARTS:
        for kind in ("values", "costs", "runstatus"):
            table = scenario.tables.get(f"feature_{kind}{part}")
            if table is not None:
                yield from _repetitions(table)


def _feature_columns(
    table: ArffTable, columns: list[str], steps: tuple[FeatureStep, ...]
) -> Iterator[Finding]:
    declared = [step.name for step in steps]
    strange = [name for name in columns if name not in declared]
    absent = [name for name in declared if name not in columns]
    if strange:
        n = plural(len(strange), "column")
        what = f"{n} that description.txt does not declare as steps: {list_names(strange)}"
        yield at_column("step-undeclared", table, strange[0], what)
    if absent:
        what = f"{plural(len(absent), 'step')} without a column: {list_names(absent)}"
        yield new_finding("step-no-column", file=table.file, what=what)


def _costs(table: ArffTable, columns: list[str], description: Description | None) -> Iterator[Finding]:
    for name in columns:
        if not is_number(table, name):
            yield at_column("column-type", table, name, f"costs of step {name!r} are not NUMERIC")
    steps = [name for name in columns if is_number(table, name)]
    if not steps or not table.table.num_rows:
        return
    cost = np.stack([values(table, name) for name in steps])
    yield from row_findings(
        "cost-invalid",
        table,
        np.flatnonzero(((cost < 0) | np.isinf(cost)).any(axis=0)),
        what=lambda row: f"the costs of {_negative(steps, cost[:, row])}",
        hint="A cost is a time of at least 0, or '?' if it is unknown.",
    )
    missing = np.isnan(cost)
    if missing.any():
        what = f"{plural(int(missing.sum()), 'missing cost')}"
        yield at_rows("cost-missing", table, np.any(missing, axis=0), what, "A missing cost counts as 0.")
    if description is not None:
        yield from _above(table, cost, description)


def _negative(steps: list[str], cost: Floats) -> str:
    listed = zip(steps, cost.tolist(), strict=True)
    return ", ".join(f"{n!r} are {c:g}" for n, c in listed if c < 0 or np.isinf(c))


def _above(table: ArffTable, cost: Floats, description: Description) -> Iterator[Finding]:
    above_limits = []
    first = np.zeros(cost.shape[1], bool)
    for name in ("algorithm_cutoff_time", "features_cutoff_time"):
        cutoff = description.numbers.get(name)
        if cutoff is not None and cutoff > 0 and (above := cost > cutoff).any():
            first |= above.any(axis=0)
            above_limits.append(f"{plural(above.sum(), 'cost')} above {name} ({cutoff:g})")
    if above_limits:
        what = f"{' and '.join(above_limits)}; the largest cost is {np.nanmax(cost):g}"
        hint = "A selector that pays such a cost has no time left to solve the instance."
        yield at_rows("cost-above-cutoff", table, first, what, hint)


def _statuses(table: ArffTable, columns: list[str]) -> Iterator[Finding]:
    missing = np.zeros(table.table.num_rows, bool)
    for name in columns:
        if is_text(table, name):
            missing |= codes(table, name)[0] < 0
            yield from unknown_words(table, name, FEATURE_STATUSES)
        else:
            yield at_column("status-column", table, name, f"statuses of step {name!r} are not text")
    if missing.any():
        what = f"{plural(int(missing.sum()), 'row')} with a missing status"
        yield at_rows("feature-status-missing", table, missing, what)


def _repetitions(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("instance_id", "repetition"))
    repetitions = len(numbered.labels[1])
    few = numbered.size - distinct(numbered.numbers).size
    if few:
        what = (
            f"{few} of {numbered.size} rows missing: some instances lack some of {repetitions} repetitions"
        )
        hint = "Average the rows of each instance before you compare instances."
        yield new_finding("feature-repetitions", file=table.file, what=what, hint=hint)
