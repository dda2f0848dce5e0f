"""Records of answers in JSON: results of LLMRouterBench, and cached results of RouterArena.

LLMRouterBench: a file for each data set, split and model, in folders ``DATASET/SPLIT/MODEL``; an object
with ``dataset_name``, ``split``, ``model_name`` and ``records``, each with ``index``, ``score``,
``prompt_tokens``, ``completion_tokens`` and ``cost`` [USD]. Of several files of one model, the latest by
its name counts; demonstrations (``demo``) are left out.

RouterArena: a file of JSON lines for each model, each with ``global_index``, ``llm_selected``,
``token_usage`` and ``evaluation_result`` (``score``). ``cost.json`` beside them, or in ``model_cost``, has
the prices per million tokens. The predictions of a router are a JSON list of ``global index`` and
``prediction``.

Source: data_collector/storage.py and baselines/data_loader.py of ynulihao/LLMRouterBench;
llm_evaluation/evaluate_models.py and router_inference of RouteWorks/RouterArena.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import Finding
from aslib_eval.extensions.routing.prompts import Answer, answer_frame, read_answers
from aslib_eval.formats import Finder, Format, Parsed, absent
from aslib_eval.formats.aslib.lint import five_of
from aslib_eval.formats.sources import FilesRead, Location, Source, Sources, default_name, load_files, shown

if TYPE_CHECKING:
    from aslib_eval.selections.read_csv import ParsedSelection

_SHAPES = ("*.json", "*/*.json", "*/*/*.json", "*/*/*/*.json")
_RESULT = (b'"dataset_name"', b'"model_name"', b'"records"')
_ANSWER = (b'"global_index"', b'"llm_selected"', b'"token_usage"')
_STAMP = re.compile(r"(\d{8}_\d{6})\.json$")
_PRICES = ("cost.json", "../model_cost/cost.json")
_FILES = 1 << 32  # the number of a row: that of its file, and beyond this a line


def _number(value: Any) -> float | None:
    """A number of JSON, None for anything else; a truth value is 1 or 0."""
    return float(value) if isinstance(value, int | float) else None


def _scenario(
    answers: Sequence[Answer],
    findings: Sequence[Finding],
    files: Sequence[str],
    location: Location,
    sources: Sources,
) -> Parsed:
    """The scenario of answers, or what is wrong with the files."""
    if findings:
        return Parsed((*five_of(findings, len(findings)),))

    def place(row: int) -> tuple[str, int | None]:
        return shown(location, files[row % _FILES]), row // _FILES or None

    return read_answers(answer_frame(answers), location, sources, quality="score", place=place)


def _broken(file: str, line: int | None, what: str, hint: str = "Is the file whole?") -> Finding:
    return Finding("table-row", "error", file, line, what, hint)


# LLMRouterBench.


def _find(shapes: Sequence[str], marks: Sequence[bytes], path: Path, files: FilesRead) -> list[Location]:
    """A file that holds these marks; a folder if one of the first files of such names does."""
    inside = (
        (each for shape in shapes for each in sorted(path.glob(shape))[:9]) if path.is_dir() else [path]
    )
    may_be = (each for each in inside if each.is_file() and each.match(shapes[0]))
    holds = any(all(mark in files.head(each).content for mark in marks) for each in may_be)
    return [Location(path, str(path))] if holds else []


def _read_results(location: Location, sources: Sources) -> Parsed:
    answers: list[Answer] = []
    findings: list[Finding] = []
    newest: dict[tuple[Any, ...], str] = {}
    read: dict[str, Mapping[str, Any]] = {}
    for name, source in sources.items():
        result = _object(source.content)
        if result is None or not isinstance(result.get("records"), list):
            findings.append(_broken(shown(location, name), None, "is no result of LLMRouterBench"))
        elif not result.get("demo"):
            read[name] = result
            key = tuple(result.get(each) for each in ("dataset_name", "split", "model_name"))
            newest[key] = max(newest.get(key, name), name, key=_stamp)
    splits = {split for _, split, _ in newest}
    files = [*newest.values()]
    for number, ((dataset, split, model), name) in enumerate(newest.items()):
        family = f"{dataset}/{split}" if len(splits) > 1 else dataset
        for record in read[name]["records"]:
            if not isinstance(record, dict):
                findings.append(_broken(shown(location, name), None, "holds a record that is no object"))
                break
            keys = ("score", "cost", "prompt_tokens", "completion_tokens")
            score, price, asked, said = (_number(record.get(key)) for key in keys)
            prompt = f"{dataset}/{record.get('index')}"
            answers.append(
                Answer(prompt, str(family), str(model or ""), score, price, None, asked, said, number)
            )
    return _scenario(answers, findings, files, location, sources)


def _stamp(name: str) -> tuple[str, str]:
    """When a file was written, by its name."""
    found = _STAMP.search(name)
    return (found[1] if found else "", name)


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# RouterArena.


def _load_answers(location: Location) -> dict[str, Source]:
    """The files of answers, and the prices beside them."""
    folder = location.path if location.path.is_dir() else location.path.parent
    found = load_files(location, ("*.jsonl",))
    prices = next((folder / each for each in _PRICES if (folder / each).is_file()), None)
    return found if prices is None else {**found, "cost.json": location.files.source(prices)}


def _read_answers(location: Location, sources: Sources) -> Parsed:
    prices = _object(sources["cost.json"].content) if "cost.json" in sources else {}
    if prices is None:
        return Parsed((_broken(shown(location, "cost.json"), None, "is no JSON object of prices"),))
    answers: list[Answer] = []
    findings: list[Finding] = []
    names = [name for name in sources if name != "cost.json"]
    for number, name in enumerate(names):
        for line, text in enumerate(sources[name].content.splitlines(), 1):
            answer = _object(text)
            if answer is None:
                findings.append(_broken(shown(location, name), line, "is no JSON object"))
            else:
                answers.append(_arena_answer(answer, prices, number + line * _FILES))
    return _scenario(answers, findings, names, location, sources)


def _arena_answer(answer: Mapping[str, Any], prices: Mapping[str, Any], row: int) -> Answer:
    prompt, model = str(answer.get("global_index") or ""), str(answer.get("llm_selected") or "")
    result, usage = (_member(answer, key) for key in ("evaluation_result", "token_usage"))
    tokens = asked, said = _number(usage.get("input_tokens")), _number(usage.get("output_tokens"))
    million = _member(prices, model)
    rates = [_number(million.get(f"{which}_token_price_per_million")) for which in ("input", "output")]
    price = None
    if None not in (*tokens, *rates):
        price = sum(n * rate / 1_000_000 for n, rate in zip(tokens, rates, strict=True) if n and rate)
    score, family = _number(result.get("score")), prompt.rpartition("_")[0] or None
    return Answer(prompt, family, model, score, price, None, asked, said, row)


def _member(of: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = of.get(key)
    return value if isinstance(value, dict) else {}


def _predictions(content: bytes, file: str) -> ParsedSelection | None:
    """The models that a router of RouterArena chooses: a JSON list of objects."""
    if content.lstrip()[:1] != b"[" or b'"prediction"' not in content:
        return None
    from aslib_eval.selections.read_csv import ParsedSelection, SelectionRow, SelectionStep

    try:
        entries = json.loads(content)
    except (ValueError, RecursionError) as error:
        return ParsedSelection(file, "choice", (), findings=(_broken(file, None, f"is no JSON ({error})"),))
    rows, findings = [], []
    for number, entry in enumerate(entries, 1):
        members = entry if isinstance(entry, dict) else {}
        prompt = members.get("global index", members.get("global_index"))
        if not isinstance(prompt, str) or not isinstance(model := members.get("prediction"), str):
            what = f"entry {number} lacks its global index or its prediction"
            findings.append(Finding("row", "error", file, None, what))
            continue
        rows.append(SelectionRow(number, prompt, (SelectionStep(model, paired=True),)))
    return ParsedSelection(file, "choice", tuple(rows), findings=(*five_of(findings, len(findings)),))


LLMROUTERBENCH = Format(
    "llmrouterbench",
    Finder(partial(_find, _SHAPES, _RESULT)),
    absent("holds no result of LLMRouterBench", "Name its folder results/bench, or a file of it."),
    default_name,
    lambda location: load_files(location, _SHAPES),
    lambda location, _: default_name(location),
    _read_results,
)
ROUTERARENA = Format(
    "routerarena",
    Finder(partial(_find, ("*.jsonl",), _ANSWER)),
    absent(
        "holds no answers of RouterArena", "Name its folder cached_results, or a file MODEL.jsonl of it."
    ),
    default_name,
    _load_answers,
    lambda location, _: default_name(location),
    _read_answers,
    selections=_predictions,
)
