"""Tables of the lake contract → the ARFF files of a scenario.

description.txt: YAML in which every word is the same text to every reader.

Our reader takes scalars as they stand, YAML 1.1 and 1.2 convert some: a word is
left bare only where all three agree that it is text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from aslib_eval.errors import Finding
from aslib_eval.extensions.exporting.formats.write_tables import problem
from aslib_eval.formats.aslib.arff import parse_arff
from aslib_eval.formats.aslib.relations import NAME, POINT, truth_names
from aslib_eval.formats.aslib.scenario import COUNTS, IDS
from aslib_eval.formats.aslib.yaml_nodes import FALSE, MISSING, TRUE

# ARFF text that liac-arff, and so our reader, takes back cell for cell.

_BARE = re.compile(r"[A-Za-z0-9_.:;/()\[\]<>=+*&|^~!#$-]+")
_BARE_NAME = re.compile(r"[^{}%,\s\"'\\]+")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_WORDS = 50
_SHORT = {"\\": r"\\", "'": r"\'", "\t": r"\t", "\n": r"\n", "\r": r"\r"}
_LAST_OF_FOUR_DIGITS = 0xFFFF

# The statuses that the format names; a scenario may have others.
STATUSES = ("ok", "timeout", "memout", "not_applicable", "crash", "other")


def arff_text(relation: str, columns: Mapping[str, str], lines: Iterable[str]) -> str:
    """A file of columns (name → type) and lines of cells that are quoted already."""
    head = [f"@ATTRIBUTE {_name(name)} {kind}" for name, kind in columns.items()]
    return "\n".join([f"@RELATION {relation}", "", *head, "", "@DATA", *lines, ""])


def arff_words(words: Iterable[str | None], *, known: Sequence[str] = ()) -> str:
    """The type of a column of words: nominal if they are few and plain, else STRING."""
    listed = list(dict.fromkeys((*known, *(w for w in words if w is not None))))
    if not listed or len(listed) > _MOST_WORDS or not all(map(_WORD.fullmatch, listed)):
        return "STRING"
    return f"{{{', '.join(listed)}}}"


def arff_cells(column: pl.Series) -> list[str]:
    """Every value as a cell: missing is ``?``, text quoted only where it must be."""
    if column.dtype == pl.String:
        words = column.drop_nulls().unique()
        quoted = {word: arff_string(word) for word in words}
        return [quoted.get(word, "?") for word in column]
    return [number_text(value) for value in column]


def number_text(value: float | None) -> str:
    """The shortest text that gives the same float64 back; None is ``?``."""
    if value is None:
        return "?"
    return "NaN" if math.isnan(value) else repr(value).removesuffix(".0")


def arff_string(text: str) -> str:
    """A text cell, in quotes where a bare word would mean something else."""
    if _BARE.fullmatch(text):
        return text
    return f"'{''.join(map(_escaped, text))}'"


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if character.isprintable() or code > _LAST_OF_FOUR_DIGITS:
        return character
    return f"\\u{code:04x}"


def _name(name: str) -> str:
    """A column's name; liac-arff strips quotes from it but knows no escapes."""
    return name if _BARE_NAME.fullmatch(name) else f"'{name}'"


def spread(
    table: pl.DataFrame, cells: Sequence[str], *, ids: Sequence[str], name: str, columns: Sequence[str]
) -> list[str]:
    """Long → wide: a line for each distinct ids, a cell for each of the columns.

    ``cells`` are the quoted cells of the table's rows, ``name`` is its column that
    says which column they belong to. Lines come in the order of first appearance;
    a cell without a row is missing.
    """
    keys = table.select(ids)
    found = keys.unique(maintain_order=True).with_row_index("row")
    rows = keys.join(found, on=ids, how="left", maintain_order="left")["row"]
    place = {column: at for at, column in enumerate(columns)}
    wide = np.full((found.height, len(columns)), "?", object)
    wide[rows.to_numpy(), [place[word] for word in table[name]]] = cells
    heads = zip(*(arff_cells(found[key]) for key in ids), strict=True)
    return [",".join((*h, *w)) for h, w in zip(heads, wide.tolist(), strict=True)]


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
} | {"reference": ("ground_truth", "role"), "attribute": ("attributes", "attribute")}


def arff_files(frames: Frames, scenario_id: str) -> dict[str, str]:
    """File name → content, for every relation that has rows.

    The frames are complete (see ``write_tables``) and their keys are unique.
    """
    texts = {}
    frames = {**frames, "attribute": _more_attributes(frames)}
    frames = {name: frame for name, frame in frames.items() if frame.height}
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
    bare = re.sub(r"[^A-Za-z0-9-]", "_", scenario_id)  # no reader takes it
    return {f"{file}.arff": arff_text(f"{file.upper()}_{bare}", *text) for file, text in texts.items()}


def _more_attributes(frames: Frames) -> pl.DataFrame:
    """The attributes that ground_truth.arff does not say already."""
    found, said = frames.get("attribute"), frames.get("reference")
    if found is None:
        return pl.DataFrame()
    if said is None or "label" not in said.columns:
        return found
    said = said.filter(pl.col("label").is_not_null())
    names = truth_names(said["role"].unique().to_list())
    told = said.select("instance_id", pl.col("role").replace(names).alias("attribute"), value="label")
    keys = ["instance_id", "attribute", "value"]
    new = found.join(told, on=keys, how="anti")["attribute"].unique()
    left = told.join(found, on=keys, how="anti")["attribute"].unique()
    kept = pl.col("attribute").is_in([*new, *left])
    return found.filter(kept)


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
    types = {str(column): _type(group) for (column,), group in table.group_by(name, maintain_order=True)}
    lines = spread(table, merged, ids=ids, name=name, columns=list(types))
    return _id_types(ids) | types, lines


def _type(column: pl.DataFrame) -> str:
    """The type of a column of the file, from its rows."""
    if "runstatus" in column.columns:
        words = column["runstatus"].unique(maintain_order=True)
        return arff_words(words, known=STATUSES)
    if "attribute" in column.columns:
        return arff_words(column["value"].unique(maintain_order=True))
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
    """Trajectories: what the file cannot hold is found lost when it is read back."""
    columns = ("instance_id", "trial", "algorithm", "elapsed", "value")
    cells = (arff_cells(table[column]) for column in columns)
    types = _id_types(IDS[NAME]) | dict.fromkeys(POINT, "NUMERIC")
    return types, [",".join(row) for row in zip(*cells, strict=True)]


_BARE_YAML = re.compile(r"[A-Za-z][A-Za-z0-9_./+-]*")
_SPECIAL = {word.lower() for word in TRUE | FALSE | MISSING} | {"nan", "inf"}

_LONG_KEY = 1000
_NUMBERS = {
    "algorithm_cutoff_time": "cutoff",
    "algorithm_cutoff_memory": "cutoff_memory",
    "features_cutoff_time": "features_cutoff_time",
    "features_cutoff_memory": "features_cutoff_memory",
}


def description_text(frames: Frames, scenario_id: str) -> str:
    """The description of a scenario; the frames are complete."""
    scenario = frames["scenario"]
    steps = frames["feature_step"]
    default = steps.filter("is_default")["step"].unique(maintain_order=True)
    lines = [
        f"scenario_id: {yaml_word(scenario_id)}",
        *_listed("performance_measures", scenario["measure"]),
        "maximize:",
        *(f"- {_flag(flag)}" for flag in scenario["maximize"]),
        *_listed("performance_type", scenario["measure_type"]),
        *(f"{k}: {yaml_number(scenario[c][0])}" for k, c in _NUMBERS.items()),
        *(f"time_unit: {yaml_word(u)}" for u in scenario["time_unit"].head(1) if u),
        *_features(frames["feature"]),
        *_algorithms(frames["algorithm"]),
        f"number_of_feature_steps: {steps.filter(of='instance').height}",
        *_listed("default_steps", default),
        *_steps(steps, "instance", "feature_steps"),
        *_steps(steps, "algorithm", "algorithm_feature_steps"),
    ]
    return "\n".join([*lines, ""])


def yaml_word(text: str) -> str:
    """A text as a YAML scalar on one line that no reader takes for anything else."""
    if _BARE_YAML.fullmatch(text) and text.lower() not in _SPECIAL:
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_yaml_escaped, text)) + '"'


def _yaml_escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _LAST_OF_FOUR_DIGITS else f"\\U{code:08x}"


def yaml_number(value: float | None) -> str:
    """A number as YAML 1.1 knows it (an exponent wants a point); None is ``'?'``."""
    if value is None:
        return "'?'"
    text = number_text(value)
    return text if "." in text else text.replace("e", ".0e")


def _flag(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"


def _listed(key: str, words: Iterable[str], indent: str = "") -> list[str]:
    items = [f"{indent}- {yaml_word(word)}" for word in words]
    return [f"{indent}{key}:", *items] if items else [f"{indent}{key}: []"]


def _key(name: str) -> str:
    """The key of an entry; YAML wants a mark before a long one."""
    word = yaml_word(name)
    return f"  {word}:" if len(word) < _LONG_KEY else f"  ? {word}\n  :"


def _features(features: pl.DataFrame) -> Iterable[str]:
    """Declared features; those of algorithms only where there are any."""
    for of, prefix in (("instance", ""), ("algorithm", "algorithm_")):
        group = features.filter(of=of)
        if prefix and group["deterministic"].null_count() == group.height:
            continue
        for flag, kind in ((True, "deterministic"), (False, "stochastic")):
            names = group.filter(pl.col("deterministic") == flag)["feature"]
            yield from _listed(f"{prefix}features_{kind}", names)


def _algorithms(algorithms: pl.DataFrame) -> Iterable[str]:
    """The description of algorithms; of the others, whether deterministic."""
    hidden = algorithms.filter(~pl.col("described"))
    for flag, kind in ((True, "deterministic"), (False, "stochastic")):
        names = hidden.filter(pl.col("deterministic") == flag)["algorithm"]
        if names.len():
            yield from _listed(f"algorithms_{kind}", names)
    yield "metainfo_algorithms:" + ("" if algorithms["described"].any() else " {}")
    for entry in algorithms.filter("described").iter_rows(named=True):
        yield _key(entry["described_as"])
        yield f"    configuration: {yaml_word(entry['configuration'])}"
        if entry["deterministic"] is not None:
            yield f"    deterministic: {_flag(entry['deterministic'])}"


def _steps(steps: pl.DataFrame, of: str, key: str) -> Iterable[str]:
    group = steps.filter(of=of)
    if group.height:
        yield f"{key}:"
    elif of == "instance":
        yield f"{key}: {{}}"
    for entry in group.iter_rows(named=True):
        yield _key(entry["step"])
        yield from _listed("provides", entry["provides"], "    ")
        if entry["requires"]:
            yield from _listed("requires", entry["requires"], "    ")
