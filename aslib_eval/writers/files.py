"""Tables of the lake contract → the ARFF files of a scenario."""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from aslib_eval.errors import Finding
from aslib_eval.readers.arff import parse_arff
from aslib_eval.readers.aslib import COUNTS, IDS
from aslib_eval.readers.trajectories import NAME, POINT
from aslib_eval.writers.arff import (
    STATUSES,
    arff_cells,
    arff_text,
    arff_words,
    number_text,
    spread,
)
from aslib_eval.writers.tables import problem

Frames = Mapping[str, pl.DataFrame]

# Relation → its file, and the column that names the columns of the file.
WIDE = {
    f"{of}feature{relation}{part}": (f"{of}feature_{file}{part}", name)
    for of, part in (("", ""), ("", "_test"), ("algorithm_", ""))
    for relation, file, name in (
        ("" if of else "_value", "values", "feature"),
        ("_cost", "costs", "step"),
        ("_status", "runstatus", "step"),
    )
} | {"reference": ("ground_truth", "role")}


def arff_files(frames: Frames, scenario_id: str) -> dict[str, str]:
    """File name → content, for every relation that has rows.

    The frames are complete (see ``writers.tables``) and their keys are unique.
    """
    texts = {}
    for relation, (file, name) in WIDE.items():
        if relation in frames:
            texts[file] = _wide(frames[relation], file, name)
    measures = frames["scenario"]["measure"].to_list()
    for part in ("", "_test"):
        if f"run{part}" in frames:
            texts[f"algorithm_runs{part}"] = _runs(frames[f"run{part}"], measures)
    if "fold" in frames:
        texts["cv"] = _folds(frames["fold"])
    if "trajectory" in frames:
        texts[NAME] = _points(frames["trajectory"])
    return {
        f"{file}.arff": arff_text(f"{file.upper()}_{_plain(scenario_id)}", *text)
        for file, text in texts.items()
    }


def unsayable(frames: Frames) -> list[Finding]:
    """Names that cannot be names of columns (the format has no escapes for them)."""
    names = {relation: name for relation, (_, name) in WIDE.items()}
    names |= {"run": "measure", "run_test": "measure"}
    problems = []
    for relation, name in names.items():
        if relation in frames:
            ids = {"runstatus", *IDS[WIDE.get(relation, ("algorithm_runs",))[0]]}
            words = frames[relation][name].unique(maintain_order=True)
            if bad := [word for word in words if word in ids or not _sayable(word)]:
                what = f"cannot name columns {', '.join(map(repr, bad[:5]))}"
                hint = f"Choose a {name} without quotes at its ends or line breaks."
                problems.append(problem(relation, what, hint))
    return problems


def _sayable(name: str) -> bool:
    parsed = parse_arff(arff_text("r", {name: "NUMERIC"}, ()).encode(), file="")
    return [a.name for a in parsed.attributes] == [name]


Text = tuple[dict[str, str], list[str]]


def _plain(scenario_id: str) -> str:
    """The id as a bare word; the relation's name is a remark that nothing reads."""
    return re.sub(r"[^A-Za-z0-9-]", "_", scenario_id)


def _id_types(ids: tuple[str, ...]) -> dict[str, str]:
    return {name: "NUMERIC" if name in COUNTS else "STRING" for name in ids}


def _wide(table: pl.DataFrame, file: str, name: str) -> Text:
    ids = IDS[file]
    cells = {
        column: arff_cells(table[column])
        for column in ("value", "label", "cost", "runstatus")
        if column in table.columns
    }
    rows = zip(*cells.values(), strict=True)
    merged = [next((cell for cell in row if cell != "?"), "?") for row in rows]
    types = {
        str(column): _type(group)
        for (column,), group in table.group_by(name, maintain_order=True)
    }
    lines = spread(table, merged, ids=ids, name=name, columns=list(types))
    return _id_types(ids) | types, lines


def _type(column: pl.DataFrame) -> str:
    """The type of a column of the file, from its rows."""
    if "runstatus" in column.columns:
        words = column["runstatus"].unique(maintain_order=True)
        return arff_words(words, known=STATUSES)
    if "label" in column.columns and column["label"].null_count() < column.height:
        return arff_words(column["label"].unique(maintain_order=True))
    return "NUMERIC"


def _runs(table: pl.DataFrame, measures: list[str]) -> Text:
    """Runs: a column for each measure, in the order of the description."""
    ids = IDS["algorithm_runs"]
    there = dict.fromkeys(table["measure"])
    columns = [*(m for m in measures if m in there)]
    columns += [m for m in there if m not in columns]
    cells = [number_text(value) for value in table["value"]]
    lines = spread(table, cells, ids=ids, name="measure", columns=columns)
    runs = table.unique(ids, keep="first", maintain_order=True)
    words = arff_words(runs["runstatus"].unique(maintain_order=True), known=STATUSES)
    types = _id_types(ids) | dict.fromkeys(columns, "NUMERIC") | {"runstatus": words}
    statuses = arff_cells(runs["runstatus"])
    return types, [f"{a},{b}" for a, b in zip(lines, statuses, strict=True)]


def _folds(table: pl.DataFrame) -> Text:
    columns = ("instance_id", "cv_repetition", "fold")
    cells = (arff_cells(table[column]) for column in columns)
    return _id_types(IDS["cv"]), [",".join(row) for row in zip(*cells, strict=True)]


def _points(table: pl.DataFrame) -> Text:
    """Trajectories: what the file cannot say is found lost when it is read back."""
    columns = ("instance_id", "trial", "algorithm", "elapsed", "value")
    cells = (arff_cells(table[column]) for column in columns)
    types = _id_types(IDS[NAME]) | dict.fromkeys(POINT, "NUMERIC")
    return types, [",".join(row) for row in zip(*cells, strict=True)]
