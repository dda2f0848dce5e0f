"""Answers of models to prompts as the relations of a scenario.

A prompt is an instance, its data set the family, a model an algorithm. The first measure is the quality of
an answer; the others are its price [USD], its latency [s] and its tokens, of which less is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from aslib_eval.errors import Finding
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import ALIKE, five_of
from aslib_eval.formats.attributes import FAMILY
from aslib_eval.formats.prices import PRICE, USED
from aslib_eval.formats.sources import (
    Location,
    Sources,
    algorithm_table,
    frame_table,
    scenario_table,
    source_table,
)
from aslib_eval.text import list_names, plural

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Place = Callable[[int], tuple[str, int | None]]  # file and line of a row


class Answer(NamedTuple):
    """What a model gave for a prompt.

    family: null if it is not known. row: a number by which its format finds its place.
    """

    prompt: str
    family: str | None
    model: str
    quality: float | None
    price: float | None
    latency: float | None
    input_tokens: float | None
    output_tokens: float | None
    row: int


def answer_frame(answers: Iterable[Answer]) -> pl.DataFrame:
    """Answers in a frame."""
    import polars as pl

    texts = dict.fromkeys(Answer._fields[:3], pl.String)
    numbers = dict.fromkeys(Answer._fields[3:], pl.Float64)
    return pl.DataFrame([*answers], {**texts, **numbers, "row": pl.Int64}, orient="row")


def read_answers(
    answers: pl.DataFrame, location: Location, sources: Sources, *, quality: str, place: Place
) -> Parsed:
    """The scenario of these answers, or everything that is wrong with them.

    Prompts of one id in several data sets are called ``DATASET/ID``.

    answers: with the columns of ``Answer``; unknown ones of ``USED`` may be absent.
    quality: the name of the first measure; more is better.
    """
    import polars as pl

    homes = answers.select("prompt", "family").unique()["prompt"]
    if several := homes.filter(homes.is_duplicated()).to_list():
        whole = pl.when(pl.col("prompt").is_in(several)).then(pl.format("{}/{}", "family", "prompt"))
        answers = answers.with_columns(whole.otherwise("prompt").alias("prompt"))
    used = [name for name in USED if name in answers.columns and answers[name].is_finite().any()]
    if errors := [*_errors(answers, quality, place)]:
        return Parsed(tuple(errors))
    column_of = {quality: "quality", **{name: name for name in used}}
    models = answers["model"].unique(maintain_order=True).to_list()
    directions = {name: name == quality for name in column_of}
    tables = {
        "scenario": scenario_table(location, sources, measures=directions, units=USED),
        "source": source_table(sources),
        "algorithm": algorithm_table(models),
        "run": _runs(answers, column_of),
    }
    families = answers.filter(pl.col("family").is_not_null()).unique("prompt", maintain_order=True)
    if families.height:
        told = families.select(instance_id="prompt", attribute=pl.lit(FAMILY), value="family")
        tables["attribute"] = frame_table("attribute", told)
    sets = f" of {plural(families['family'].n_unique(), 'data set')}" if families.height else ""
    prompts = plural(answers["prompt"].n_unique(), "prompt")
    what = f"{prompts}{sets}, {plural(len(models), 'model')}; more {quality} is better"
    what += f", less {', '.join(f'{name} [{USED[name]}]' for name in used)}" if used else ""
    findings = [Finding("runs-understood", "note", location.shown, None, what)]
    if PRICE not in used:
        hint = "Without prices no model can be compared by its price."
        findings.append(
            Finding("log-price", "warning", location.shown, None, "no answer has a price", hint)
        )
    return Parsed(tuple(findings), tables)


def _errors(answers: pl.DataFrame, quality: str, place: Place) -> Iterator[Finding]:
    import polars as pl

    nameless = pl.any_horizontal(pl.col("prompt", "model").fill_null("") == "")
    again = pl.format("{} answers prompt '{}' a second time", "model", "prompt")
    without = pl.format(f"{{}} has no {quality} on prompt '{{}}'", "model", "prompt")
    checks = [
        (nameless, pl.lit("the row lacks its prompt or its model"), "Add it."),
        (~pl.struct("prompt", "model").is_first_distinct(), again, "Remove one of the two answers."),
        (
            ~pl.col("quality").is_finite().fill_null(value=False),
            without,
            "Add the number, or remove the prompt for all models.",
        ),
    ]
    for name in (name for name in USED if name in answers.columns):
        what = pl.format(f"{{}} has the {name.replace('_', ' ')} {{}}", "model", name)
        is_wrong = (pl.col(name) < 0) | pl.col(name).is_infinite()
        checks.append((is_wrong, what, "Correct the number, or leave it empty if it is unknown."))
    for is_wrong, what, hint in checks:
        rows = answers.filter(is_wrong)
        some = rows.head(ALIKE).select("row", what.fill_null("").alias("what")).rows()
        found = [Finding("table-row", "error", *place(row), said, hint) for row, said in some]
        yield from five_of(found, rows.height)
    models = answers["model"].unique(maintain_order=True).to_list()
    if answers.height == len(models) * answers["prompt"].n_unique():
        return
    asked = answers.group_by("prompt", maintain_order=True).agg("model", pl.col("row").first())
    asked = asked.filter(pl.col("model").list.n_unique() < len(models))
    hint = "Add the answers, or import only models, or data sets, that are complete."
    lacking = []
    for prompt, answering, row in asked.head(ALIKE).rows():
        others = list_names([each for each in models if each not in answering])
        told = f"prompt {prompt!r} has no answer of {others}"
        lacking.append(Finding("table-incomplete", "error", *place(row), told, hint))
    yield from five_of(lacking, asked.height)


def _runs(answers: pl.DataFrame, column_of: Mapping[str, str]) -> pa.Table:
    """The relation ``run``, measure by measure; a measure that is not known has the status other."""
    import polars as pl

    of = [
        answers.select(
            instance_id="prompt",
            algorithm="model",
            measure=pl.lit(measure),
            value=pl.col(column).cast(float),
        )
        for measure, column in column_of.items()
    ]
    is_known = pl.col("value").is_finite().fill_null(value=False)
    status = pl.when(is_known).then(pl.lit("ok")).otherwise(pl.lit("other"))
    runs = pl.concat(of).with_columns(
        pl.when(is_known).then("value").alias("value"), repetition=1, runstatus=status
    )
    return frame_table("run", runs)
