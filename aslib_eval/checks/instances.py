"""The same instances everywhere, each once; and nothing learnt from the test set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.checks.columns import PARTS, codes, key, repeated, words
from aslib_eval.checks.remarks import LIMIT, count, names, remark, row_remarks
from aslib_eval.errors import Finding
from aslib_eval.readers.arff import ArffTable
from aslib_eval.readers.aslib import IDS, Scenario

_COMPARED = 2000  # names that one is compared with
_ALIKE = 0.8
_FILES = (
    "algorithm_runs",
    "cv",
    "feature_runstatus",
    "feature_values",
    "feature_costs",
    "ground_truth",
)


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
    yield from _overlap(scenario)


def _duplicates(table: ArffTable, name: str) -> Iterator[Finding]:
    columns = [c for c in IDS[name] if c != "fold"]
    numbered = key(table, columns)
    rows = repeated(numbered.numbers)

    def what(row: int) -> str:
        return f"{numbered.label(int(numbered.numbers[row]))} stands in an earlier row"

    hint = "Keep one of the rows, or give each its own repetition."
    yield from row_remarks("row-duplicate", table, rows, what=what, hint=hint)


def _spelling(table: ArffTable, column: str) -> Iterator[Finding]:
    listed = words(table, column)
    folded = pc.utf8_lower(pc.utf8_trim_whitespace(listed))
    if pc.count_distinct(folded).as_py() == len(listed):
        return
    groups = defaultdict(list)
    for word, form in zip(listed.to_pylist(), folded.to_pylist(), strict=True):
        groups[form].append(word)
    alike = [group for group in groups.values() if len(group) > 1]
    yield remark(
        "id-spelling",
        file=table.file,
        line=table.line_of(column),
        what=f"{count(len(alike), 'group')} of {column} values differ only by case "
        f"or blanks: {names([w for group in alike for w in group])}",
        hint="If they are the same, spell them the same.",
    )


def _compare(known: ArffTable, other: ArffTable) -> Iterator[Finding]:
    """Instances that only one of two files has."""
    base = words(known, "instance_id")
    code, held = codes(other, "instance_id")
    absent = base.filter(pc.invert(pc.is_in(base, value_set=held)))
    yield from _unknown(known, other, code, held, absent[:_COMPARED].to_pylist())
    if len(absent):
        yield remark(
            "instance-missing",
            file=other.file,
            what=f"{count(len(absent), 'instance')} of {known.file} "
            f"missing: {names(absent[:LIMIT].to_pylist(), len(absent), LIMIT)}",
            hint="Add their rows ('?' for what is not known).",
        )


def _unknown(
    known: ArffTable,
    other: ArffTable,
    code: np.ndarray,
    held: pa.Array,
    absent: list[str],
) -> Iterator[Finding]:
    strange = pc.is_in(held, value_set=words(known, "instance_id"))
    foreign = np.flatnonzero(~strange.to_numpy(zero_copy_only=False))
    if not foreign.size:
        return
    first = np.full(len(held), code.size)
    np.minimum.at(first, code, np.arange(code.size))

    def what(row: int) -> str:
        word = held[code[row]].as_py()
        near = get_close_matches(word, absent, n=1, cutoff=_ALIKE)
        meant = f", which has {near[0]!r}" if near else ""
        return f"instance {word!r} is not in {known.file}{meant}"

    yield from row_remarks(
        "instance-unknown",
        other,
        np.sort(first[foreign]),
        what=what,
        hint="Is it spelt the same there?",
    )


def _overlap(scenario: Scenario) -> Iterator[Finding]:
    main = scenario.tables.get("algorithm_runs")
    test = scenario.tables.get("algorithm_runs_test")
    if main is None or test is None:
        return
    listed = words(test, "instance_id")
    shared = listed.filter(pc.is_in(listed, value_set=words(main, "instance_id")))
    if len(shared):
        yield remark(
            "test-overlap",
            file=test.file,
            what=f"{count(len(shared), 'instance')} of the test set are in the main "
            f"set too: {names(shared[:LIMIT].to_pylist(), len(shared))}",
            hint="A selector trained on the main set has seen them.",
        )
    ours, theirs = (set(words(t, "algorithm").to_pylist()) for t in (main, test))
    if ours != theirs:
        yield remark(
            "test-algorithms",
            file=test.file,
            what=f"algorithms of one set only: {names(sorted(ours ^ theirs))}",
        )
