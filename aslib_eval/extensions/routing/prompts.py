"""Answers of models to prompts, in a frame, as the relations of a scenario.

A prompt is an instance, its data set the family, a model an algorithm. The first measure is the quality of
an answer; the others are its price [USD], its latency [s] and its tokens, of which less is better.

A frame of answers has the columns ``prompt``, ``family`` (null where nobody says it), ``model``, the
quality, those of ``UNITS`` that are known, and ``row``, by which a format finds where an answer stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from aslib_eval.errors import Finding
from aslib_eval.formats import Parsed
from aslib_eval.formats.sources import Location, Sources, algorithm_table, scenario_table, source_table
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.text import list_names, plural

if TYPE_CHECKING:
    import polars as pl

UNITS = {"price": "USD", "latency": "s", "input_tokens": "token", "output_tokens": "token"}
ALIKE = 5  # findings of a kind that are listed
Place = Callable[[int], tuple[str, int | None]]  # file and line of a row
_Row = dict[str, Any]


def read_answers(
    answers: pl.DataFrame, location: Location, sources: Sources, *, quality: str, place: Place
) -> Parsed:
    """The scenario of these answers, or everything that is wrong with them.

    Prompts of one id in several data sets are called ``DATASET/ID``. quality: the column of the first
    measure, of which more is better. place: where the answer of a row stands.
    """
    import polars as pl

    measures = [quality, *(name for name in UNITS if name in answers.columns)]
    homes = answers.select("prompt", "family").unique()["prompt"]
    if several := homes.filter(homes.is_duplicated()).to_list():
        whole = pl.when(pl.col("prompt").is_in(several)).then(pl.format("{}/{}", "family", "prompt"))
        answers = answers.with_columns(whole.otherwise("prompt").alias("prompt"))
    if errors := [*_errors(answers, measures, place)]:
        return Parsed(tuple(errors))
    gaps = [*_gaps(answers, measures, place)]
    measures = [name for name in measures if answers[name].is_finite().any()]
    tables = {
        "scenario": scenario_table(
            location, sources, measures={name: name == quality for name in measures}, units=UNITS
        ),
        "source": source_table(sources),
        "algorithm": algorithm_table(answers["model"].unique(maintain_order=True).to_list()),
        "run": _runs(answers, measures),
    }
    families = answers.filter(pl.col("family").is_not_null()).unique("prompt", maintain_order=True)
    if families.height:
        names = families.select("prompt", pl.lit("family").alias("attribute"), "family")
        tables["attribute"] = pa.table(
            [_words(column) for column in names], schema=RELATIONS["attribute"].schema
        )
    prompts, models = (answers[name].n_unique() for name in ("prompt", "model"))
    sets = plural(families["family"].n_unique(), "data set")
    what = f"{plural(prompts, 'prompt')} of {sets}, {plural(models, 'model')}; more {quality} is better"
    if measures[1:]:
        what += f", less {', '.join(f'{name} [{UNITS[name]}]' for name in measures[1:])}"
    note = Finding("runs-understood", "note", location.shown, None, what)
    return Parsed((note, *gaps), tables)


def five_of(findings: Sequence[Finding], n: int) -> Iterator[Finding]:
    """The first findings of a kind, and how many of n there are beyond them."""
    yield from findings[:ALIKE]
    if n > ALIKE:
        first = findings[0]
        yield Finding(first.code, first.severity, first.file, None, f"and {n - ALIKE} more like these")


def _errors(answers: pl.DataFrame, measures: Sequence[str], place: Place) -> Iterator[Finding]:
    import polars as pl

    def listed(
        rows: pl.DataFrame, what: Callable[[_Row], str], hint: str, code: str = "table-row"
    ) -> Iterator[Finding]:
        some = rows.head(ALIKE).to_dicts()
        yield from five_of(
            [Finding(code, "error", *place(row["row"]), what(row), hint) for row in some], rows.height
        )

    nameless = pl.any_horizontal(pl.col("prompt", "model").fill_null("") == "")
    yield from listed(
        answers.filter(nameless), lambda _: "the row lacks its prompt or its model", "Add it."
    )
    yield from listed(
        answers.filter(~pl.struct("prompt", "model").is_first_distinct()),
        lambda row: f"{row['model']} answers prompt {row['prompt']!r} a second time",
        "Remove one of the two answers.",
    )
    yield from listed(
        answers.filter(~pl.col(measures[0]).is_finite().fill_null(value=False)),
        lambda row: f"{row['model']} has no {measures[0]} on prompt {row['prompt']!r}",
        "Say the number, or remove the prompt for all models.",
    )
    for name in measures[1:]:
        yield from listed(
            answers.filter((pl.col(name) < 0) | pl.col(name).is_infinite()),
            partial(_impossible, name),
            "Correct the number, or leave it empty if it is unknown.",
        )
    models = answers["model"].unique(maintain_order=True).to_list()
    if answers.height == len(models) * answers["prompt"].n_unique():
        return
    asked = answers.group_by("prompt", maintain_order=True).agg("model", pl.col("row").first())
    yield from listed(
        asked.filter(pl.col("model").list.n_unique() < len(models)),
        lambda row: f"prompt {row['prompt']!r} has no answer of {_others(models, row['model'])}",
        "Add the answers, or import only models, or data sets, that are complete.",
        "table-incomplete",
    )


def _impossible(measure: str, row: _Row) -> str:
    return f"{row['model']} has the {_shown(measure)} {row[measure]:g}"


def _others(models: Sequence[str], answering: Sequence[str]) -> str:
    return list_names([model for model in models if model not in answering])


def _shown(measure: str) -> str:
    return measure.replace("_", " ")


def _gaps(answers: pl.DataFrame, measures: Sequence[str], place: Place) -> Iterator[Finding]:
    """Which answers have no price, no latency or no tokens; a measure that none has is left out."""
    import polars as pl

    for name in measures[1:]:
        gone = answers.filter(~pl.col(name).is_finite().fill_null(value=False))
        if gone.height:
            of = list_names(gone["model"].unique(maintain_order=True).to_list())
            what = f"{gone.height} of {answers.height} answers have no {_shown(name)}: those of {of}"
            hint = "They stay missing, and so do means over them."
            yield Finding("price-missing", "warning", *place(gone["row"][0]), what, hint)


def _runs(answers: pl.DataFrame, measures: Sequence[str]) -> pa.Table:
    """The relation ``run``, measure by measure; a measure that is not known has the status other."""
    import polars as pl

    n, k = answers.height, len(measures)
    number = pl.concat([answers[name].cast(float).alias("value") for name in measures])
    known = number.is_finite().fill_null(value=False)
    return pa.table(
        [
            pa.chunked_array([_words(answers["prompt"])] * k),
            pl.repeat(1, n * k, dtype=pl.Int32, eager=True).to_arrow(),
            pa.chunked_array([_words(answers["model"])] * k),
            _coded(pl.select(pl.int_range(k).repeat_by(n).explode()).to_series(), measures),
            number.set(~known, None).to_arrow(),
            _coded((~known).cast(int), ["ok", "other"]),
        ],
        schema=RELATIONS["run"].schema,
    )


def _words(column: pl.Series) -> pa.DictionaryArray:
    return column.to_arrow().cast(pa.string()).dictionary_encode()


def _coded(codes: pl.Series, words: Sequence[str]) -> pa.DictionaryArray:
    """Words by their number; not by way of numpy, with which Arrow loads pandas."""
    return pa.DictionaryArray.from_arrays(codes.to_arrow().cast(pa.int32()), pa.array(words, pa.string()))
