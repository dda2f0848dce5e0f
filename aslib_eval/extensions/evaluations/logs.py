"""Samples, measures and directions, as the logs of all evaluation harnesses have them.

A harness asks a model the items of a data set and scores each answer. A log holds one model on one data
set, with a row for each item (a sample), or only with the score over all of them.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats import known
from aslib_eval.formats.aslib.lint import new_finding

# Of a log without samples: how sure its score is.
ERROR, ITEMS = "standard_error", "n_items"
LARGEST = 1 << 28  # bytes of one document of JSON lines, or of one file of a .eval
_MORE = re.compile(
    r"acc(uracy)?([_,].*)?|.*_acc(uracy)?|.*exact_match(@\d+)?([_,].*)?|em|(.*_)?f1([_,@].*)?|rouge.*|bleu.*|chrf.*"
    r"|mcc|(.*_)?pass([@_].*)?|.*win_rate|recall.*|precision.*|ndcg.*|meteor|solved|correct|success(_rate)?"
)
_LESS = re.compile(
    r"(.*_)?perplexity|ppl|bits_per_byte|wer|cer|ter|brier.*|ece.*|(.*_)?loss|(.*_)?error(_rate)?|cost|(.*_)?latency"
    r"|standard_error|(.*_)?tokens"
)


class Sample(NamedTuple):
    """An item that a model was asked.

    values: measure → value, of those that are known. failed: the status of a run that has no score; empty =
    it was scored. prompt, answer: their hashes; empty = not in the log.
    """

    item: str
    repetition: int
    values: dict[str, float]
    failed: str = ""
    prompt: str = ""
    answer: str = ""


@dataclass(frozen=True)
class EvaluationLog:
    """One model on one data set.

    metrics: metric → whether more is better, None where the log does not say; the first is the primary one.
    why: why that is the primary one. stated, n_stated: the score over all samples that the log states,
    and of how many. has_samples: whether there is a row for each item; else the data set is the only
    one. scale: what scores must have alike to be compared. settings: ``model`` or ``data_set`` → how the
    model ran, or how the data set was asked. is_success: whether the primary metric is most likely a share
    of successes, where nothing says its direction. is_whole: whether the evaluation came to its end.
    files: what it was read from.
    """

    harness: str
    file: str
    model: str
    data_set: str
    family: str
    metrics: Mapping[str, bool | None]
    samples: Sequence[Sample]
    why: str
    stated: float | None = None
    n_stated: int | None = None
    has_samples: bool = True
    units: Mapping[str, str] = field(default_factory=dict)
    scale: tuple[object, ...] = ()
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_success: bool = False
    is_whole: bool = True
    findings: tuple[Finding, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def primary(self) -> str:
        """The metric that counts."""
        return next(iter(self.metrics), "")


def direction(metric: str) -> bool | None:
    """Whether more of a metric of this name is better; None = its name does not say.

    >>> direction("exact_match"), direction("word_perplexity"), direction("judge")
    (True, False, None)
    """
    if (found := known(metric)) is not None:
        return found.maximize
    name = metric.lower().replace(" ", "_").replace("-", "_")
    return True if _MORE.fullmatch(name) else False if _LESS.fullmatch(name) else None


def finite(value: object) -> float | None:
    """A number that is finite, or a Boolean as 0 or 1; None for all else."""
    if isinstance(value, bool | int | float):
        try:
            found = float(value)
        except OverflowError:
            return None
        return found if math.isfinite(found) else None
    return None


def used(**values: object) -> dict[str, float]:
    """The numbers that are known, as what a run used (the names of ``USED``)."""
    return {name: found for name, value in values.items() if (found := finite(value)) is not None}


def digest(content: object) -> str:
    """A hash by which equal prompts and answers are found; empty for nothing."""
    if content in (None, "", [], {}):
        return ""
    text = content if isinstance(content, str) else json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def parsed(
    content: bytes,
    *,
    place: str,
    is_sample: bool = False,
    hook: Callable[[dict[str, Any]], Any] | None = None,
) -> Any:
    """A document of JSON.

    is_sample: whether it is one sample of a file, which has a limit.
    hook: what becomes of each object as soon as it is read, so that what is not needed is never kept.
    """
    if is_sample and len(content) > LARGEST:
        raise AslibError(f"has more than {LARGEST >> 20} MiB", place, "Is that one sample?")
    try:
        return json.loads(content, object_hook=hook)
    except (ValueError, RecursionError) as error:
        what = f"is no JSON ({error})" if isinstance(error, ValueError) else "is nested too deeply"
        hint = "Was the file cut? Copy it again, or run the evaluation again."
        raise AslibError(what, place, hint) from None


def json_lines(content: bytes, *, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines with their lines, one after the other."""
    for line, row in enumerate(io.BytesIO(content), 1):
        if row.strip():
            place = f"{file}:{line}"
            yield line, require_object(parsed(row, place=place, is_sample=True), place)


def require_object(found: object, place: str) -> dict[str, Any]:
    """An object of JSON; AslibError for anything else."""
    if not isinstance(found, dict):
        raise AslibError("is no object of JSON", place, "Is it the log of an evaluation?")
    return found


def part(of: object, *keys: str) -> Any:
    """The value below an object by its keys; None if there is none."""
    for key in keys:
        of = of.get(key) if isinstance(of, dict) else None
    return of


def listed(of: object, *keys: str) -> list[dict[str, Any]]:
    """The objects of a list below an object; none if there is no list."""
    found = part(of, *keys)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def texted(*candidates: object) -> str:
    """The first that is a text or a number, as text; empty if none is."""
    return next((str(each) for each in candidates if isinstance(each, str | int) and str(each).strip()), "")


def aggregate(
    log: EvaluationLog, scores: Mapping[str, float], error: object, items: object
) -> EvaluationLog:
    """A log without samples: its data set is the one item.

    scores: metric → score. error: of the primary one.
    """
    values = {**scores, **used(**{ERROR: error, ITEMS: items})}
    metrics = {**log.metrics, **{name: name == ITEMS for name in (ERROR, ITEMS) if name in values}}
    return replace(log, samples=[Sample(log.data_set, 1, values)], metrics=metrics, has_samples=False)


def broken(error: AslibError, harness: str, files: Sequence[Path]) -> EvaluationLog:
    """A log that cannot be read."""
    found = new_finding("log-file", file=error.where or "", what=error.message, hint=error.hint or "")
    file = str(files[0])
    return EvaluationLog(harness, file, "", file, "", {}, [], "", findings=(found,), files=tuple(files))
