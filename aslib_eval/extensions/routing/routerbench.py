"""Tables of RouterBench: a row a prompt, and of each model a quality, an answer and a price.

The columns are ``sample_id``, ``prompt``, ``eval_name``, of each model ``MODEL`` (its quality, 0 to 1),
``MODEL|model_response`` and ``MODEL|total_cost`` [USD], and ``oracle_model_to_route_to``. The table is
published as a pickle, which can do anything when it is loaded: that is refused. Only the columns that
count are read, never the answers.

Source: Hu et al. 2024, RouterBench (arXiv 2403.12031); convertors/common.py of withmartian/routerbench.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, ScenarioError
from aslib_eval.extensions.routing.prompts import Place, read_answers
from aslib_eval.formats import Finder, Format, Parsed, absent
from aslib_eval.formats.aslib.lint import ALIKE, five_of
from aslib_eval.formats.sources import (
    MISSING,
    FilesRead,
    Location,
    Source,
    Sources,
    default_name,
    header_of,
    load_files,
    numbered_rows,
    shown,
)
from aslib_eval.paths import open_plain

if TYPE_CHECKING:
    import polars as pl

_PRICE = "|total_cost"
_NEEDED = ("sample_id", "eval_name")
_PICKLES = (".pkl", ".pickle")
_MOST = 100_000_000  # cells that are read of a table, however well it is packed


def _models(header: Sequence[str]) -> list[str]:
    """The columns that have a price of the same name."""
    return [name for name in header if f"{name}{_PRICE}" in header]


def _is_header(header: Sequence[str]) -> bool:
    return {*_NEEDED} <= {*header} and bool(_models(header))


def _header(path: Path, files: FilesRead) -> list[str]:
    """The columns of a CSV or a Parquet file; nothing of any other."""
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return header_of(path, files)
    import pyarrow.parquet as pq

    try:
        with open_plain(path) as file:
            return [*pq.read_schema(file).names]
    except pa.ArrowException:
        return []


def _find(path: Path, files: FilesRead) -> list[Location]:
    is_pickle = path.suffix.lower() in _PICKLES and path.name.lower().startswith("routerbench")
    is_ours = (is_pickle and path.is_file()) or _is_header(_header(path, files))
    return [Location(path, str(path))] if is_ours else []


def _load(location: Location) -> dict[str, Source]:
    name = location.path.name
    if location.path.suffix.lower() in _PICKLES:
        to = f"{location.path.stem}.parquet"
        code = f"import pandas; pandas.read_pickle({name!r}).to_parquet({to!r})"
        hint = f"If you trust its source, convert it in a sandbox: python -c {shlex.quote(code)}. "
        hint += f"Then import {to}."
        raise AslibError("is a pickle, and loading it runs any code in it", location.shown, hint)
    return load_files(location, (name,))


def _read(location: Location, sources: Sources) -> Parsed:
    import polars as pl

    content, file = sources[location.path.name].content, shown(location, location.path.name)
    header = _header(location.path, location.files)
    models = [name for name in _models(header) if name != "oracle"]
    columns = [*_NEEDED, *(column for model in models for column in (model, f"{model}{_PRICE}"))]
    text = _columns(content, file, columns)
    cells = pl.col(columns[len(_NEEDED) :])
    table = text.with_columns(cells.cast(float, strict=False))
    if table.null_count().sum_horizontal()[0] > text.null_count().sum_horizontal()[0]:
        table = text.with_columns(_number_of(cells))
    if findings := _no_numbers(text, table, partial(_place, content, file)):
        return Parsed(tuple(findings))
    answers = pl.concat(
        table.select(
            pl.col("sample_id").alias("prompt"),
            pl.col("eval_name").replace("", None).alias("family"),
            pl.lit(model).alias("model"),
            pl.col(model).alias("quality"),
            pl.col(f"{model}{_PRICE}").alias("price"),
            pl.int_range(pl.len()).alias("row"),
        )
        for model in models
    )
    return read_answers(answers, location, sources, quality="quality", place=partial(_place, content, file))


def _columns(content: bytes, file: str, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns as text, of a CSV or a Parquet file, of whose rows each has all cells."""
    import polars as pl
    import pyarrow.csv as pv
    import pyarrow.parquet as pq

    try:
        if content[:4] != b"PAR1":
            texts = pv.ConvertOptions(
                include_columns=[*columns], column_types=dict.fromkeys(columns, pa.string())
            )
            cells = pv.ParseOptions(newlines_in_values=True)
            return cast(
                "pl.DataFrame", pl.from_arrow(pv.read_csv(pa.BufferReader(content), None, cells, texts))
            )
        rows = pq.read_metadata(pa.BufferReader(content)).num_rows
        if rows * len(columns) <= _MOST:
            return pl.read_parquet(io.BytesIO(content), columns=[*columns]).cast(pl.String)
        reason = f"it has {rows} rows, more than {_MOST} cells in columns that are read"
    except (pl.exceptions.PolarsError, pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
    found = Finding("table-row", "error", file, None, f"cannot be read as a table ({reason})")
    raise ScenarioError(file, (found,))


def _number_of(cells: pl.Expr) -> pl.Expr:
    """Cells of text as numbers, null where they hold none; a truth value is 1 or 0."""
    text = cells.str.strip_chars()
    for word, number in (("(?i)^true$", "1"), ("(?i)^false$", "0")):
        text = text.str.replace(word, number)
    return text.cast(float, strict=False)


def _no_numbers(text: pl.DataFrame, table: pl.DataFrame, place: Place) -> list[Finding]:
    """Cells that hold something, and no number."""
    found: list[Finding] = []
    n = 0
    for name in (name for name in text.columns if text[name].null_count() < table[name].null_count()):
        cells = text[name].str.strip_chars()
        is_wrong = table[name].is_null() & ~cells.str.to_lowercase().is_in([*MISSING]).fill_null(value=True)
        rows = is_wrong.arg_true()
        n += rows.len()
        for row in rows.head(ALIKE):
            what = f"{name} {cells[row][:40]!r} is not a number"
            found.append(Finding("table-row", "error", *place(row), what, "Correct it, or leave it empty."))
    return [*five_of(found, n)]


def _place(content: bytes, file: str, row: int) -> tuple[str, int]:
    """File and line of a row; of Parquet its number from 1."""
    if content[:4] == b"PAR1":
        return file, row + 1
    lines = numbered_rows(content.decode("utf-8-sig", errors="replace"), lambda *_: None)
    return file, next((line for at, (line, _) in enumerate(lines, -1) if at == row), 1)


ROUTERBENCH = Format(
    "routerbench",
    Finder(_find),
    absent("is no table of RouterBench", f"It has the columns {', '.join(_NEEDED)}, MODEL, MODEL{_PRICE}."),
    default_name,
    _load,
    lambda location, _: default_name(location),
    _read,
    is_header=_is_header,
)
