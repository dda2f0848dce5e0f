"""Tables of the lake contract → a scenario folder that any reader of the ASlib format takes.

The files are made in memory, read back, checked as by an import, and compared with the tables. Only then
they are written to a hidden folder beside the target, which is renamed.

description.txt is YAML. Our reader takes scalars as they stand, YAML 1.1 and 1.2 convert some: a word is
unquoted only if all three read it as the same text.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from aslib_eval.atomic_files import replacing
from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.description import FALSE, MISSING, TRUE
from aslib_eval.formats.aslib.relations import NAME, POINT, relations, truth_names
from aslib_eval.formats.aslib.scenario import COUNTS, IDS, parse_arff, read_scenario
from aslib_eval.formats.sources import TEXTS, Location, Source
from aslib_eval.lake.schema import COUNT, FLAG, LIST, NUMBER, RELATIONS, TEXT, arrow_type
from aslib_eval.options import public

Tables = Mapping[str, pa.Table | pl.DataFrame]
CompleteFrames = dict[str, pl.DataFrame]

_TYPES: dict[pa.DataType, Any] = {
    arrow_type(TEXT): pl.String,
    arrow_type(NUMBER): pl.Float64,
    arrow_type(COUNT): pl.Int32,
    arrow_type(FLAG): pl.Boolean,
    arrow_type(LIST): pl.List(pl.String),
    pa.string(): pl.String,
    pa.int64(): pl.Int64,
}
# Keys that may be left out, and further columns that may not.
_IMPLIED = {"scenario_id", "of", "cv_scheme", "suggestion"}
_NEEDED = {
    "scenario": ("measure_type", "maximize"),
    "run": ("value", "runstatus"),
    "run_test": ("value", "runstatus"),
    "feature_status": ("runstatus",),
    "feature_status_test": ("runstatus",),
    "algorithm_feature_status": ("runstatus",),
    "feature_cost": ("cost",),
    "feature_cost_test": ("cost",),
    "algorithm_feature_cost": ("cost",),
    "fold": ("fold",),
    "trajectory": ("value",),
    "attribute": ("value",),
}
# Columns that follow from other tables or from the files as a whole.
_DERIVED = {
    "scenario": {"folder", "source_sha256", "missing", "measure_index"},
    "algorithm": {"has_runs"},
    "feature": {"has_values", "steps", "position"},
    "feature_step": {"position"},
}
_ORDER = {"scenario": "measure_index", "feature": "position", "feature_step": "position"}
_SHOWN = 3


def problem(relation: str, what: str, hint: str = "") -> Finding:
    """An error of a table."""
    return Finding("table", "error", f"table {relation}", None, what, hint)


def conform(tables: Tables) -> tuple[CompleteFrames, list[Finding]]:
    """The given columns in the contract's types, and all their faults.

    Tables without rows are left out; the order of rows and columns stays.
    """
    frames: CompleteFrames = {}
    hint = f"The contract has {', '.join(RELATIONS)}."
    strangers = tables.keys() - RELATIONS.keys()
    problems = [problem(name, "is not a relation of the contract", hint) for name in strangers]
    for name in (name for name in RELATIONS if name in tables):
        whole = pl.DataFrame(tables[name])
        frame, refused = _cast(name, whole)
        problems += [*_wrong_columns(name, whole), *refused] or _wrong_rows(name, frame)
        if frame.height:
            frames[name] = frame
    if "scenario" not in frames:
        problems.append(problem("scenario", "is missing or empty; it names the measures and the cutoff"))
    return frames, problems


def _wrong_columns(name: str, frame: pl.DataFrame) -> Iterator[Finding]:
    relation = RELATIONS[name]
    known = {"scenario_id", *relation.schema.names}
    needed = [key for key in relation.key if key not in _IMPLIED]
    for column in (*needed, *_NEEDED.get(name, ())):
        if column not in frame.columns:
            yield problem(name, f"has no column {column!r}")
    for column in frame.columns:
        if column not in known:
            hint = f"It may have {', '.join(relation.schema.names)}."
            yield problem(name, f"has an unknown column {column!r}", hint)


def _cast(name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """The known columns in their types; a value that would change is refused."""
    columns, problems = [], []
    schema = RELATIONS[name].schema
    for column in (c for c in frame if c.name in {"scenario_id", *schema.names}):
        kind = arrow_type(TEXT) if column.name == "scenario_id" else schema.field(column.name).type
        cast = _exact(column, _TYPES[kind])
        if cast is None:
            problems.append(problem(name, f"column {column.name!r} ({column.dtype}) is not {_TYPES[kind]}"))
        else:
            columns.append(cast)
    return pl.DataFrame(columns), problems


def _exact(column: pl.Series, target: Any) -> pl.Series | None:
    """The column in another type; None if a value would change."""
    try:
        cast = column.cast(target)
        if column.dtype.is_numeric() and cast.dtype.is_numeric():
            return cast if cast.cast(column.dtype).eq_missing(column).all() else None
    except pl.exceptions.PolarsError:
        return None
    return cast


def _wrong_rows(name: str, frame: pl.DataFrame) -> Iterator[Finding]:
    """Rows whose key is missing or occurs twice, and splits that cv.arff cannot hold."""
    keys = frame.select(key for key in RELATIONS[name].key if key in frame.columns)
    needed = _NEEDED["scenario"] if name == "scenario" else ()
    for column in (*keys, *(frame[c] for c in needed)):
        if count := column.null_count():
            yield problem(name, f"{column.name} is missing in {count} rows")
    twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True)
    if twice.height:
        columns = ", ".join(keys.columns)
        yield problem(name, f"{twice.height} keys ({columns}) are repeated: {_some(twice)}")
    schemes = set(frame["cv_scheme"]) if "cv_scheme" in frame.columns else set()
    if schemes - {"aslib"}:
        what = f"cv.arff holds the scheme 'aslib' alone, not {sorted(map(str, schemes))}"
        yield problem(name, what, "Give one scheme and call it 'aslib'.")


def _some(rows: pl.DataFrame) -> str:
    return "; ".join(map(str, rows.head(_SHOWN).rows()))


def complete(given: Mapping[str, pl.DataFrame]) -> CompleteFrames:
    """The frames in their declared order, with the optional tables and columns filled in."""
    frames = {**given}
    if "algorithm" not in frames and "run" in frames:
        names = frames["run"]["algorithm"].unique(maintain_order=True)
        frames["algorithm"] = pl.DataFrame({"algorithm": names})
    for name in ("algorithm", "feature", "feature_step"):
        columns = {field.name: _TYPES[field.type] for field in RELATIONS[name].schema}
        frames.setdefault(name, pl.DataFrame(schema=columns))
    for name, order in _ORDER.items():
        if name in frames and order in frames[name].columns:
            frames[name] = frames[name].sort(order, nulls_last=True, maintain_order=True)
    return {name: _filled(name, frame) for name, frame in frames.items()}


def _filled(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """All columns of the contract; a missing one has its default."""
    schema = RELATIONS[name].schema
    frame = frame.with_columns(
        pl.lit(None, _TYPES[field.type]).alias(field.name)
        for field in schema
        if field.name not in frame.columns
    )
    usual = {
        "of": pl.lit("instance"),
        "described": pl.lit(value=True),
        "configuration": pl.lit(""),
        "is_default": pl.lit(value=False),
        "requires": pl.lit([], pl.List(pl.String)),
        "provides": pl.lit([], pl.List(pl.String)),
    }
    if name == "algorithm":
        usual["described_as"] = pl.col("algorithm")
    return frame.with_columns(
        pl.col(column).fill_null(value) for column, value in usual.items() if column in frame.columns
    )


def losses(given: CompleteFrames, back: Mapping[str, pa.Table]) -> Iterator[Finding]:
    """Given rows that a reader of the written files would not get back."""
    for name, frame in given.items():
        if name != "source":
            columns = [c for c in frame.columns if c != "scenario_id" and c not in _DERIVED.get(name, ())]
            lost = _lost(name, frame.select(columns), back.get(name))
            if lost.height:
                hint = "Is the name one for 'missing', or do the tables disagree?"
                yield problem(name, f"{lost.height} rows would not be read back: {_some(lost)}", hint)


def _lost(name: str, frame: pl.DataFrame, back: pa.Table | None) -> pl.DataFrame:
    if back is None:
        return frame
    keys = [key for key in RELATIONS[name].key if key in frame.columns]
    values = [column for column in frame.columns if column not in keys]
    read, _ = _cast(name, pl.DataFrame(back))
    both = frame.join(read.with_columns(pl.lit(value=True).alias("?")), on=keys, how="left", suffix="?")
    same = [pl.col(c).eq_missing(pl.col(f"{c}?")) for c in values]
    if name in _DERIVED:  # a null may be filled in
        same = [pl.col(c).is_null() | s for c, s in zip(values, same, strict=True)]
    return both.filter(~pl.all_horizontal(pl.col("?").is_not_null(), *same)).select(frame.columns)


# ARFF text that liac-arff and our reader read back cell for cell.

_BARE = re.compile(r"[A-Za-z0-9_.:;/()\[\]<>=+*&|^~!#$-]+")
_BARE_NAME = re.compile(r"[^{}%,\s\"'\\]+")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_WORDS = 50
_SHORT = {"\\": r"\\", "'": r"\'", "\t": r"\t", "\n": r"\n", "\r": r"\r"}
_LAST_OF_FOUR_DIGITS = 0xFFFF

# The statuses that the format names; a scenario may have others.
STATUSES = ("ok", "timeout", "memout", "not_applicable", "crash", "other")


def arff_text(relation: str, columns: Mapping[str, str], lines: Iterable[str]) -> str:
    """A file of columns (name → type) and lines of quoted cells."""
    head = [f"@ATTRIBUTE {_name(name)} {kind}" for name, kind in columns.items()]
    return "\n".join([f"@RELATION {relation}", "", *head, "", "@DATA", *lines, ""])


def arff_words(words: Iterable[str | None], *, known: Sequence[str] = ()) -> str:
    """The type of a column of words: nominal if they are few and plain, else STRING."""
    listed = list(dict.fromkeys((*known, *(w for w in words if w is not None))))
    if not listed or len(listed) > _MOST_WORDS or not all(map(_WORD.fullmatch, listed)):
        return "STRING"
    return f"{{{', '.join(listed)}}}"


def arff_cells(column: pl.Series) -> list[str]:
    """Every value as a cell: missing is ``?``, text quoted only if necessary."""
    if column.dtype == pl.String:
        quoted = {word: arff_string(word) for word in column.drop_nulls().unique()}
        return [quoted.get(word, "?") for word in column]
    return [number_text(value) for value in column]


def number_text(value: float | None) -> str:
    """The shortest text that gives the same float64 back; None is ``?``."""
    if value is None:
        return "?"
    return "NaN" if math.isnan(value) else repr(value).removesuffix(".0")


def arff_string(text: str) -> str:
    """A text cell, in quotes if a bare word would mean something else."""
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
    """Long → wide: a line for each distinct ids, in order of appearance, a cell for each of the columns.

    ``cells`` are the quoted cells of the table's rows, its column ``name`` has their columns. A cell
    without a row is missing.
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

    The frames are complete (see ``complete``) and their keys are unique.
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
        lines = _lines(frames["fold"], "instance_id", "cv_repetition", "fold")
        texts["cv"] = _id_types(IDS["cv"]), lines
    if "trajectory" in frames:  # columns that do not fit into the file are reported as lost
        lines = _lines(frames["trajectory"], "instance_id", "trial", "algorithm", "elapsed", "value")
        texts[NAME] = _id_types(IDS[NAME]) | dict.fromkeys(POINT, "NUMERIC"), lines
    bare = re.sub(r"[^A-Za-z0-9-]", "_", scenario_id)  # no reader uses it
    return {f"{file}.arff": arff_text(f"{file.upper()}_{bare}", *text) for file, text in texts.items()}


def _more_attributes(frames: Frames) -> pl.DataFrame:
    """The attributes that are not in ground_truth.arff."""
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
    return found.filter(pl.col("attribute").is_in([*new, *left]))


def unsayable(frames: Frames) -> list[Finding]:
    """Names that cannot be names of columns, because the format cannot escape them."""
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
    columns = [name for name in ("value", "label", "cost", "runstatus") if name in table.columns]
    rows = zip(*(arff_cells(table[column]) for column in columns), strict=True)
    merged = [next((cell for cell in row if cell != "?"), "?") for row in rows]
    types = {str(column): _type(group) for (column,), group in table.group_by(name, maintain_order=True)}
    return _id_types(ids) | types, spread(table, merged, ids=ids, name=name, columns=list(types))


def _type(column: pl.DataFrame) -> str:
    if "runstatus" in column.columns:
        return arff_words(column["runstatus"].unique(maintain_order=True), known=STATUSES)
    if "attribute" in column.columns:
        return arff_words(column["value"].unique(maintain_order=True))
    if "label" in column.columns and column["label"].null_count() < column.height:
        return arff_words(column["label"].unique(maintain_order=True))
    return "NUMERIC"


def _runs(table: pl.DataFrame, measures: list[str]) -> Text:
    """Runs: a column for each measure, in the order of the description."""
    ids = IDS["algorithm_runs"]
    there = dict.fromkeys(table["measure"])
    columns = list(dict.fromkeys([*(m for m in measures if m in there), *there]))
    cells = [number_text(value) for value in table["value"]]
    lines = spread(table, cells, ids=ids, name="measure", columns=columns)
    runs = table.unique(ids, keep="first", maintain_order=True)
    words = arff_words(runs["runstatus"].unique(maintain_order=True), known=STATUSES)
    types = _id_types(ids) | dict.fromkeys(columns, "NUMERIC") | {"runstatus": words}
    return types, [f"{a},{b}" for a, b in zip(lines, arff_cells(runs["runstatus"]), strict=True)]


def _lines(table: pl.DataFrame, *columns: str) -> list[str]:
    return [",".join(row) for row in zip(*(arff_cells(table[column]) for column in columns), strict=True)]


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
        *(f"- {str(flag).lower()}" for flag in scenario["maximize"]),
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
    """A text as a YAML scalar on one line that every reader takes as this text."""
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
    """A number of YAML 1.1, which needs a point before an exponent; None is ``'?'``."""
    if value is None:
        return "'?'"
    text = number_text(value)
    return text if "." in text else text.replace("e", ".0e")


def _listed(key: str, words: Iterable[str], indent: str = "") -> list[str]:
    items = [f"{indent}- {yaml_word(word)}" for word in words]
    return [f"{indent}{key}:", *items] if items else [f"{indent}{key}: []"]


def _key(name: str) -> str:
    """The key of an entry; YAML requires a mark before a long one."""
    word = yaml_word(name)
    return f"  {word}:" if len(word) < _LONG_KEY else f"  ? {word}\n  :"


def _features(features: pl.DataFrame) -> Iterable[str]:
    for of, prefix in (("instance", ""), ("algorithm", "algorithm_")):
        group = features.filter(of=of)
        if prefix and group["deterministic"].null_count() == group.height:
            continue
        for flag, kind in ((True, "deterministic"), (False, "stochastic")):
            names = group.filter(pl.col("deterministic") == flag)["feature"]
            yield from _listed(f"{prefix}features_{kind}", names)


def _algorithms(algorithms: pl.DataFrame) -> Iterable[str]:
    """The described algorithms, and which of the others are deterministic."""
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
            yield f"    deterministic: {str(entry['deterministic']).lower()}"


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


_FORMAT = {*TEXTS, *(f"{name}.arff" for name in IDS)}


@public
def write_scenario(
    tables: Tables,
    to: str | Path,
    *,
    scenario_id: str | None = None,
    readme: str | None = None,
    citation: str | None = None,
    replace: bool = False,
) -> tuple[Finding, ...]:
    """Write the tables of one scenario as the folder ``to``; gives the findings on it.

    ``tables`` maps names of ``lake.RELATIONS`` to pyarrow tables or polars frames, as ``relations`` makes
    them or as they lie in a lake. ``scenario`` and the keys and values of the others are needed, all else
    may be left out: ``feature`` says which features are deterministic, ``feature_step`` which steps provide
    them. Importing the folder gives the same rows in the same order, and null for cells without a row. The
    id is ``scenario_id``, else the tables' id, else the folder's name; ``readme`` and ``citation`` are as
    given, else from ``source``.

    The folder appears whole or not at all. ``replace`` replaces an existing scenario that has only files of
    the format.

    Raises:
        ScenarioError: with all findings if the tables are not a scenario or do not fit into the format.

    >>> con = ae.connect("lake")
    >>> names = ("scenario", "algorithm", "run", "fold")
    >>> tables = {n: con.sql(f"from raw_{n}").to_arrow_table() for n in names}
    >>> _ = ae.write_scenario(tables, "written", scenario_id="MINE")
    >>> ae.read_scenario("written").description.scenario_id
    'MINE'
    """
    target = Path(os.path.realpath(to))
    _require_free(target, replace=replace)
    given, problems = conform(tables)
    if problems := problems or unsayable(given):
        raise ScenarioError(str(target), problems)
    name = _named(given, scenario_id) or target.name
    source = given.get("source", pl.DataFrame())
    held = dict(source.select("file", "text").iter_rows()) if "text" in source.columns else {}
    texts = {"readme.txt": readme, "citation.bib": citation}
    texts = {file: held.get(file) if text is None else text for file, text in texts.items()}
    frames = complete(given)
    files = {**texts, "description.txt": description_text(frames, name), **arff_files(frames, name)}
    encoded = {file: text.encode() for file, text in files.items() if text is not None}
    findings = _proved(encoded, given, name=name, shown=str(target))
    _publish(encoded, target, replace=replace)
    return findings


def _named(given: Mapping[str, pl.DataFrame], scenario_id: str | None) -> str | None:
    """The given id, or the id that all tables hold."""
    having = [frame["scenario_id"].unique() for frame in given.values() if "scenario_id" in frame.columns]
    found = {name for names in having for name in names}
    if len(found) > 1:
        what = f"the tables hold several scenarios: {', '.join(map(str, found))}"
        raise AslibError(what, None, "Give the rows of one scenario.")
    return scenario_id if scenario_id is not None else next(iter(found), None)


def _proved(
    files: Mapping[str, bytes], given: dict[str, pl.DataFrame], *, name: str, shown: str
) -> tuple[Finding, ...]:
    """The findings on the files; ScenarioError if they differ from the given frames."""
    sources = {file: Source.of(content) for file, content in files.items()}
    scenario = read_scenario(Location(Path(shown), shown), sources)
    findings = tuple(check(scenario))
    if any(f.severity == "error" for f in findings) or scenario.description is None:
        raise ScenarioError(shown, findings)
    if scenario.description.scenario_id != name:
        what = f"the scenario_id {name!r} does not fit into the format"
        raise AslibError(what, shown, "Remove the blanks at its ends.")
    if lost := list(losses(given, relations(scenario))):
        raise ScenarioError(shown, lost)
    return findings


def _require_free(target: Path, *, replace: bool) -> None:
    """Refuse a target that holds files of others."""
    if not target.exists():
        return
    if not target.is_dir():
        raise AslibError("is not a folder", str(target), "Name a new folder.")
    inside = sorted(path.name for path in target.iterdir())
    if inside and not replace:
        raise AslibError("is not empty", str(target), "Name a new folder, or say replace=True.")
    if others := [name for name in inside if name not in _FORMAT]:
        hint = "Move files that are not of the format elsewhere."
        raise AslibError(f"holds {', '.join(others[:5])}, which would be lost", str(target), hint)


def _publish(files: Mapping[str, bytes], target: Path, *, replace: bool) -> None:
    hint = "Choose another folder, or make this one writable; nothing was changed."
    with replacing(target.parent, shown=target, hint=hint, whole=True) as draft:
        for name, content in files.items():
            draft.write(f"{target.name}/{name}", content)
        _require_free(target, replace=replace)
