"""Whether stored selections and splits are compatible with a scenario as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import Finding
from aslib_eval.selections.vocabulary import NO_SCHEME, Folds, Vocabulary
from aslib_eval.text import did_you_mean, list_names, plural


def incompatibilities(
    selector: str,
    cv_scheme: str,
    tables: Mapping[str, pa.Table],
    vocabulary: Vocabulary,
) -> list[Finding]:
    """Why a selector's rows are incompatible with the scenario; nothing if they fit."""
    what = f"selector {selector!r}, cv_scheme {cv_scheme!r}"
    file = f"{vocabulary.scenario_id}: {what}"
    found: list[str] = []
    if cv_scheme != NO_SCHEME and cv_scheme not in vocabulary.folds:
        found.append(f"the scenario has no cv_scheme {cv_scheme!r}")
    for name, table in tables.items():
        found += _instances(table, vocabulary)
        found += _split(table, vocabulary.folds.get(cv_scheme))
        found += _repeated(name, table)
        if name == "selection":
            found += _names(table, vocabulary)
    return [
        Finding("answer-misfit", "error", file, None, text, "")
        for text in dict.fromkeys(found)
    ]


def fold_incompatibilities(
    cv_scheme: str, table: pa.Table, vocabulary: Vocabulary
) -> list[Finding]:
    """Why a split is incompatible with the scenario; nothing if it fits."""
    file = f"{vocabulary.scenario_id}: cv_scheme {cv_scheme!r}"
    found = [*_instances(table, vocabulary), *_repeated("fold", table)]
    repetitions = pc.unique(table["cv_repetition"]).to_pylist()
    for repetition in repetitions:
        rows = table.filter(pc.equal(table["cv_repetition"], repetition))
        split = set(pc.unique(rows["instance_id"]).to_pylist())
        if missing := [name for name in vocabulary.instances if name not in split]:
            found.append(
                f"repetition {repetition} lacks instances {list_names(missing)}"
            )
    return [Finding("fold-misfit", "error", file, None, text, "") for text in found]


def _instances(table: pa.Table, vocabulary: Vocabulary) -> Iterator[str]:
    asked = pc.unique(table["instance_id"]).to_pylist()
    if None in asked:
        yield "a row names no instance"
    if unknown := [n for n in asked if n is not None and n not in vocabulary.instances]:
        whole = plural(len(unknown), "instance is", "instances are")
        yield f"{whole} unknown: {list_names(unknown)}"


def _names(table: pa.Table, vocabulary: Vocabulary) -> Iterator[str]:
    portfolio = dict.fromkeys(vocabulary.algorithms.values())
    kinds: dict[str, Mapping[str, Any]] = {
        "algorithm": portfolio,
        "feature_step": vocabulary.steps,
        "none": {},
    }
    actions = pc.unique(table["action"]).to_pylist()
    for action in actions:
        if action not in kinds:
            yield f"action {action!r} is none of {', '.join(kinds)}"
            continue
        rows = table.filter(pc.equal(table["action"], action))
        for name in pc.unique(rows["name"]).to_pylist():
            if name is not None and name not in kinds[action]:
                hint = did_you_mean(name, kinds[action])
                yield f"{action} {name!r} is unknown. {hint}".rstrip()
            elif (name is None) != (action == "none"):
                yield f"a step of kind {action!r} is named {name!r}"
    budgets = table["budget"].drop_null()
    if pc.any(pc.or_(pc.is_nan(budgets), pc.less(budgets, 0.0))).as_py():
        yield "a budget is negative or NaN"


def _split(table: pa.Table, folds: Folds | None) -> Iterator[str]:
    """Rows whose fold is not the one in which the split tests the instance."""
    if folds is None:
        return
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
    keys = ["cv_repetition", "instance_id"]
    keys += ["position"] if name == "selection" else []
    rows = table.group_by(keys, use_threads=False).aggregate([])
    if twice := table.num_rows - rows.num_rows:
        rows_repeat = plural(twice, "row repeats", "rows repeat")
        yield f"{rows_repeat} an earlier {', '.join(keys)}"
