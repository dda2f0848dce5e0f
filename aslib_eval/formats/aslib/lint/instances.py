"""The same instances everywhere, each once; and nothing learnt from the test set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import pyarrow.compute as pc

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.description import Description
from aslib_eval.formats.aslib.lint import (
    LIMIT,
    PARTS,
    at_column,
    codes,
    dense,
    distinct,
    key,
    new_finding,
    repeated,
    row_findings,
    values,
    words,
)
from aslib_eval.formats.aslib.lint.description import DescriptionFile
from aslib_eval.formats.aslib.relations import TrainTestScenario
from aslib_eval.formats.aslib.scenario import IDS, ArffTable, Scenario, distinct_names, make_names
from aslib_eval.text import list_names, plural

_COMPARED = 2000  # names that one is compared with
_ALIKE = 0.8
_FILES = ("algorithm_runs", "cv", "feature_runstatus", "feature_values", "feature_costs", "ground_truth")


def check_instances(scenario: Scenario) -> Iterator[Finding]:
    """Compare the instances of all files with those of the runs.

    Where the runs are absent, the first file there is takes their place. The
    ``_test`` files are a set of their own, which may not overlap with the main one.
    """
    for name, table in scenario.tables.items():
        if name != "trajectories":
            yield from _duplicates(table, name)
    for part in PARTS:
        listed = (scenario.tables.get(f"{name}{part}") for name in _FILES)
        tables = [table for table in listed if table is not None]
        if tables and tables[0].table.num_rows:
            for column in ("instance_id", "algorithm"):
                if column in tables[0].table.column_names:
                    yield from _spelling(tables[0], column)
            for other in tables[1:]:
                yield from _compare(tables[0], other)
            if not part and "attributes" in scenario.tables:
                yield from _unknown(tables[0], scenario.tables["attributes"])  # it need not have all
    yield from _overlap(scenario)


def _duplicates(table: ArffTable, name: str) -> Iterator[Finding]:
    numbered = key(table, [c for c in IDS[name] if c != "fold"])
    rows = repeated(numbered.numbers)

    def what(row: int) -> str:
        return f"{numbered.label(int(numbered.numbers[row]))} is in an earlier row already"

    hint = "Keep one of the rows, or give each its own repetition."
    yield from row_findings("row-duplicate", table, rows, what=what, hint=hint)


def _spelling(table: ArffTable, column: str) -> Iterator[Finding]:
    listed = words(table, column)
    folded = pc.utf8_normalize(listed, form="NFC")
    folded = pc.utf8_lower(pc.utf8_trim_whitespace(folded))
    if pc.count_distinct(folded).as_py() == len(listed):
        return
    groups = defaultdict(list)
    for word, form in zip(listed.to_pylist(), folded.to_pylist(), strict=True):
        groups[form].append(word)
    alike = [group for group in groups.values() if len(group) > 1]
    names = list_names([word for group in alike for word in group])
    what = f"in {plural(len(alike), 'group')}, values of {column} differ only by case or blanks: {names}"
    yield at_column("id-spelling", table, column, what, "If they are the same, spell them the same.")


def _compare(known: ArffTable, other: ArffTable) -> Iterator[Finding]:
    """Instances that only one of two files has."""
    base = words(known, "instance_id")
    absent = base.filter(pc.invert(pc.is_in(base, value_set=words(other, "instance_id"))))
    yield from _unknown(known, other, absent[:_COMPARED].to_pylist())
    if len(absent):
        listed = list_names(absent[:LIMIT].to_pylist(), len(absent), LIMIT)
        what = f"{plural(len(absent), 'instance')} of {known.file} missing: {listed}"
        hint = "Add their rows ('?' for what is not known)."
        yield new_finding("instance-missing", file=other.file, what=what, hint=hint)


def _unknown(known: ArffTable, other: ArffTable, absent: Sequence[str] = ()) -> Iterator[Finding]:
    """Instances that the other file has alone, and which of the absent ones they resemble."""
    code, present = codes(other, "instance_id")
    strange = pc.is_in(present, value_set=words(known, "instance_id"))
    foreign = np.flatnonzero(~strange.to_numpy(zero_copy_only=False))
    if not foreign.size:
        return
    first = np.full(len(present), code.size)
    np.minimum.at(first, code, np.arange(code.size))

    def what(row: int) -> str:
        word = present[code[row]].as_py()
        near = get_close_matches(word, absent, n=1, cutoff=_ALIKE)
        meant = f", which has {near[0]!r}" if near else ""
        return f"instance {word!r} is not in {known.file}{meant}"

    yield from row_findings(
        "instance-unknown", other, np.sort(first[foreign]), what=what, hint="Compare the spellings."
    )


def _overlap(scenario: Scenario) -> Iterator[Finding]:
    main = scenario.tables.get("algorithm_runs")
    test = scenario.tables.get("algorithm_runs_test")
    if main is None or test is None:
        return
    listed = words(test, "instance_id")
    shared = listed.filter(pc.is_in(listed, value_set=words(main, "instance_id")))
    if len(shared):
        names = list_names(shared[:LIMIT].to_pylist(), len(shared))
        what = f"{plural(len(shared), 'instance')} of the test set are in the main set too: {names}"
        hint = "A selector trained on the main set has seen them."
        yield new_finding("test-overlap", file=test.file, what=what, hint=hint)
    ours, theirs = (set(words(t, "algorithm").to_pylist()) for t in (main, test))
    if ours != theirs:
        what = f"algorithms in only one of the two sets: {list_names(sorted(ours ^ theirs))}"
        yield new_finding("test-algorithms", file=test.file, what=what)


# The cross-validation: every instance once in every repetition.


def check_folds(scenario: Scenario) -> Iterator[Finding]:
    """Coverage, number of folds, and repetitions that repeat nothing new.

    Instances that are not in cv.arff at all, or twice in a repetition, are found
    with the instances of all other files.
    """
    table = scenario.tables.get("cv")
    if table is None or not table.table.num_rows:
        return
    yield from _coverage(table)
    yield from _single(table)
    yield from _copies(table)


def _coverage(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("repetition", "instance_id"))
    present = distinct(numbered.numbers)
    missing = numbered.size - present.size
    if missing:
        first = np.arange(min(numbered.size, present.size + LIMIT))
        absent = np.setdiff1d(first, present)[:LIMIT].tolist()
        absences = "; ".join(numbered.label(number) for number in absent)
        more = f" and {missing - LIMIT} more" if missing > LIMIT else ""
        what = f"{plural(missing, 'instance')} without a fold: {absences}{more}"
        hint = "Every instance belongs to one fold of each repetition."
        yield new_finding("cv-incomplete", file=table.file, what=what, hint=hint)


def _single(table: ArffTable) -> Iterator[Finding]:
    numbered = key(table, ("repetition", "fold"))
    repetitions = distinct(numbered.numbers) // len(numbered.labels[1])
    alone = np.flatnonzero(np.bincount(repetitions) == 1)
    if alone.size:
        listed = [int(numbered.labels[0][at]) for at in alone[:LIMIT].tolist()]
        what = f"a single fold in repetition {list_names(listed, alone.size)}"
        hint = "Outside that fold, no instance is left for training."
        yield new_finding("cv-one-fold", file=table.file, what=what, hint=hint)


def _copies(table: ArffTable) -> Iterator[Finding]:
    """Repetitions with exactly the folds of an earlier one."""
    numbered = key(table, ("repetition", "instance_id"))
    repetitions, size = (len(present) for present in numbered.labels)
    if repetitions < 2 or numbered.size > 4 * table.table.num_rows:  # noqa: PLR2004
        return
    folds = np.full(numbered.size, -1, np.int64)
    folds[numbered.numbers] = dense(values(table, "fold"))[0]
    different = len({split.tobytes() for split in folds.reshape(repetitions, size)})
    if different < repetitions:
        what = f"{repetitions} repetitions hold only {plural(different, 'distinct split')}"
        hint = "Count each split once: its copies are not independent repetitions."
        yield new_finding("cv-identical", file=table.file, what=what, hint=hint)


# Algorithms of the runs against those that other files describe.

_LISTS = ("algorithms_deterministic", "algorithms_stochastic")
_FEATURES = ("values", "costs", "runstatus")


@dataclass(frozen=True)
class _Listed:
    """A list of algorithms and where it stands, in words and as a line."""

    file: str
    where: str
    line: int | None
    names: list[str]

    def finding(self, code: str, what: str, hint: str = "") -> Finding:
        """A finding on the list."""
        return new_finding(code, file=self.file, line=self.line, what=what, hint=hint)


def check_algorithms(scenario: Scenario) -> Iterator[Finding]:
    """Match every list of algorithms with the runs: exactly, else by make.names."""
    runs = scenario.tables.get("algorithm_runs")
    if runs is None or not runs.table.num_rows:
        return
    known = words(runs, "algorithm").to_pylist()
    for listed in _lists(scenario):
        if listed.names:
            yield from _match(listed, known)


def _lists(scenario: Scenario) -> Iterator[_Listed]:
    """Every list of algorithms there is."""
    if scenario.description is not None:
        described = DescriptionFile(scenario, scenario.description)
        info = [entry.name for entry in described.parsed.algorithms]
        key = "metainfo_algorithms"
        yield _Listed(described.file, key, described.line(key), info)
        both = [name for key in _LISTS for name in described.parsed.names[key]]
        line = next(filter(None, map(described.line, _LISTS)), None)
        yield _Listed(described.file, " and ".join(_LISTS), line, both)
    for kind in _FEATURES:
        table = scenario.tables.get(f"algorithm_feature_{kind}")
        if table is not None:
            listed = words(table, "algorithm").to_pylist()
            line = table.line_of("algorithm")
            yield _Listed(table.file, "the file", line, listed)


def _match(listed: _Listed, known: list[str]) -> Iterator[Finding]:
    exact = set(known)
    others = [name for name in dict.fromkeys(listed.names) if name not in exact]
    renamed = _renamed(others, known)
    lost = [name for name in others if name not in renamed]
    rest = exact - set(listed.names) - set(renamed.values())
    where = listed.where
    if renamed:
        pairs = [f"{name} is {to}" for name, to in renamed.items()]
        what = f"{len(renamed)} of {plural(len(listed.names), 'algorithm')} in {where} "
        what += f"have names that R's make.names has changed: {list_names(pairs)}"
        hint = "The import treats both names as equal. Use the names of the runs instead."
        yield listed.finding("algorithm-renamed", what, hint)
    if lost:
        what = f"{plural(len(lost), 'algorithm')} in {where} without any run: "
        yield listed.finding("algorithm-without-runs", what + list_names(lost))
    if rest:
        what = f"{plural(len(rest), 'algorithm')} of the runs without an entry in {where}: "
        yield listed.finding("algorithm-undescribed", what + list_names(sorted(rest)))


def _renamed(others: list[str], known: list[str]) -> dict[str, str]:
    """Names → the only name of the runs with the same form after make.names."""
    forms = defaultdict(list)
    for name in known:
        forms[make_names(name)].append(name)
    return {n: to[0] for n in others if len(to := forms[make_names(n)]) == 1}


# A contest's two parts: each by itself, and one against the other.

RUNS = "algorithm_runs.arff"

# What is compared, the key that it stands under, and how it is called.
_SAME = (
    ("scenario_id", "scenario_id", "scenario_id"),
    ("measures", "performance_measures", "measures"),
    ("cutoff", "algorithm_cutoff_time", "cutoff"),
    ("steps", "feature_steps", "feature steps"),
)
_ALIKE_IN_PARTS = (
    ("numbers", "features_cutoff_time", "limits"),
    ("algorithms", "metainfo_algorithms", "algorithms"),
    ("names", "default_steps", "lists"),
)


def is_expected(finding: Finding, contest: TrainTestScenario) -> bool:
    """Whether a finding on a part holds for the parts of contests as such.

    A training part may have no runs, in a file without content or rows too.
    """
    if finding.code == "file-missing":
        return finding.file.endswith("/cv.arff")
    if finding.code in ("runs-empty", "arff-no-data"):
        source = contest.train.sources.get(RUNS)
        empty = source is not None and not source.content.strip()
        blank = finding.code == "runs-empty" or empty
        return blank and finding.file == contest.train.file(RUNS)
    return finding.code == "scenario-id-folder"


def check_train_test(contest: TrainTestScenario) -> Iterator[Finding]:
    """Parts without runs, and contradictions between the parts."""
    yield from _without_runs(contest)
    train, test = (part.description for part in contest.parts)
    if train is not None and test is not None:
        yield from _descriptions(contest, train, test)
    yield from _algorithms(contest)
    yield from _instances(contest)


def _without_runs(contest: TrainTestScenario) -> Iterator[Finding]:
    """A part without runs; in a file that cannot be read that is found anyway."""
    train, test = (_has_no_run(part) for part in contest.parts)
    if train:
        hint = "The test part is read; the SBS of the training set is not known."
        file = contest.train.file(RUNS)
        yield new_finding(
            "split-without-training", file=file, what="the training part has no run", hint=hint
        )
    if test and RUNS not in contest.test.sources:
        hint = "Add the file; without it there is nothing to score."
        file = contest.test.file(RUNS)
        yield new_finding("runs-empty", file=file, what="the test part has no run", hint=hint)


def _has_no_run(part: Scenario) -> bool:
    table = part.tables.get("algorithm_runs")
    if table is None:
        source = part.sources.get(RUNS)
        return source is None or not source.content.strip()
    return not table.table.num_rows


def _descriptions(contest: TrainTestScenario, train: Description, test: Description) -> Iterator[Finding]:
    if train.scenario_id != (folder := contest.location.folder):
        file, line = contest.train.file("description.txt"), train.lines.get("scenario_id")
        what = f"scenario_id is {train.scenario_id!r}, but the folder is {folder!r}"
        hint = "Commands accept both names."
        yield new_finding("scenario-id-folder", file=file, line=line, what=what, hint=hint)
    file = contest.test.file("description.txt")
    same = "split-contradiction", "Write the same in both."
    alike = "split-difference", "The import takes the value of the training part."
    compared = [(*one, *same) for one in _SAME] + [(*one, *alike) for one in _ALIKE_IN_PARTS]
    for field, entry, called, code, hint in compared:
        mine, theirs = _value(test, field), _value(train, field)
        if mine != theirs:
            what = f"{called}: {_first(mine, theirs)} in the training part"
            yield new_finding(code, file=file, line=test.lines.get(entry), what=what, hint=hint)


def _value(description: Description, field: str) -> Any:
    """A declared value; the cutoff is compared by itself, not among other limits."""
    value = getattr(description, field)
    if field == "numbers":
        return {k: v for k, v in value.items() if k != "algorithm_cutoff_time"}
    return value


def _first(here: Any, there: Any) -> str:
    """What differs first, short enough for a message."""
    if isinstance(here, tuple) and isinstance(there, tuple):
        pairs: Iterable[tuple[Any, Any]] = zip(here, there, strict=False)
        more: tuple[Any, Any] = (f"{len(here)} of them", f"{len(there)}")
        here, there = next(((a, b) for a, b in pairs if a != b), more)
    elif isinstance(here, dict) and isinstance(there, dict):
        key = next(k for k in here if here[k] != there.get(k))
        return f"{key}: {_first(here[key], there.get(key))}"
    return f"{here} here, {there}"


def _algorithms(contest: TrainTestScenario) -> Iterator[Finding]:
    train, test = (distinct_names(p, "algorithm_runs", "algorithm") for p in contest.parts)
    for part, mine, others in ((contest.train, train, test), (contest.test, test, train)):
        known = set(others)
        if others and (extra := [name for name in mine if name not in known]):
            what = f"only this part has runs of {list_names(extra, most=LIMIT)}"
            hint = "Both parts must hold runs of the same algorithms."
            yield new_finding("split-contradiction", file=part.file(RUNS), what=what, hint=hint)


def _instances(contest: TrainTestScenario) -> Iterator[Finding]:
    train, test = (distinct_names(p, "algorithm_runs", "instance_id") for p in contest.parts)
    if both := sorted(set(train) & set(test)):
        what = plural(len(both), "instance is", "instances are") + " in the training part too:"
        what += f" {list_names(both, most=LIMIT)}"
        hint = "Remove them from one of the parts."
        yield new_finding("split-overlap", file=contest.test.file(RUNS), what=what, hint=hint)
