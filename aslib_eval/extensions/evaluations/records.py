"""Answers of LLMRouterBench, RouterArena and promptfoo, and choices of RouterArena's routers.

LLMRouterBench writes ``DATASET/SPLIT/MODEL/…-TIME.json`` with ``records``. Of several files of one name the
latest counts, and demonstrations (``demo``) do not. RouterArena writes a file of JSON lines for each model;
``cost.json`` beside them, or in ``model_cost``, has the prices per million tokens. The predictions of its
routers are a JSON list of ``global index`` and ``prediction``. promptfoo writes ``results.results``, a row
for each test, prompt and provider.

Source: ynulihao/LLMRouterBench, data_collector/storage.py and baselines/data_loader.py;
RouteWorks/RouterArena, llm_evaluation/evaluate_models.py and router_inference; promptfoo/promptfoo,
src/types/index.ts (``EvaluateResult``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import Finding
from aslib_eval.extensions.evaluations.logs import (
    EvaluationLog,
    Sample,
    digest,
    finite,
    json_lines,
    listed,
    parsed,
    part,
    require_object,
    texted,
    used,
)
from aslib_eval.formats.aslib.lint import five_of

if TYPE_CHECKING:
    from aslib_eval.selections.read_csv import ParsedSelection

_BENCH = (b'"dataset_name"', b'"model_name"', b'"records"')
_ARENA = (b'"global_index"', b'"llm_selected"', b'"token_usage"')
_PROMPTFOO = (b'"results"', b'"provider"', b'"vars"', b'atencyMs"')
_STAMP = re.compile(r"\d{8}_\d{6}\.json$")
_COST = "cost.json"
_ERROR = 2  # the failureReason of promptfoo where the provider gave no answer


def read_records(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """The logs of a file, of RouterArena with its prices; of LLMRouterBench those of the latest file."""
    logs: list[EvaluationLog] = []
    prices: dict[str, Any] = {}
    for path, content in contents.items():
        if path.suffix == ".jsonl":
            return [*_arena(content, path, prices)]
        found = require_object(parsed(content, place=str(path)), str(path))
        if path.name == _COST:
            prices = found
        elif "results" in found:
            logs = [*_promptfoo(found, path)]
        elif not found.get("demo"):
            logs = [_bench(found, path)]
    return logs


def _bench(found: Mapping[str, Any], path: Path) -> EvaluationLog:
    model, of, split = (texted(found.get(key)) for key in ("model_name", "dataset_name", "split"))
    of = of if split in ("", "test") else f"{of}/{split}"
    samples = [
        _sample(
            f"{of}/{texted(each.get('index'))}",
            used(score=each.get("score")),
            each.get("cost"),
            (each.get("prompt_tokens"), each.get("completion_tokens")),
            (each.get("prompt"), each.get("raw_output")),
        )
        for each in listed(found, "records")
    ]
    why = "the score of a record"
    return EvaluationLog("llmrouterbench", str(path), model, of, of, {"score": True}, samples, why)


def _arena(content: bytes, path: Path, prices: Mapping[str, Any]) -> Iterator[EvaluationLog]:
    samples: dict[tuple[str, str], list[Sample]] = {}
    for _, each in json_lines(content, file=str(path)):
        item, model = texted(each.get("global_index")), texted(each.get("llm_selected"))
        tokens = [part(each, "token_usage", f"{which}_tokens") for which in ("input", "output")]
        rates = [part(prices, model, f"{which}_token_price_per_million") for which in ("input", "output")]
        known = [finite(each) for each in (*tokens, *rates)]
        price = (
            None if None in known else sum(n * rate for n, rate in zip(tokens, rates, strict=True)) / 1e6
        )
        scores = used(score=part(each, "evaluation_result", "score"))
        content_of = each.get("question"), each.get("generated_answer")
        key = (model, item.rpartition("_")[0] or path.parent.name)
        samples.setdefault(key, []).append(_sample(item, scores, price, tokens, content_of))
    why = "the score of an answer"
    for (model, of), rows in samples.items():
        yield EvaluationLog("routerarena", str(path), model, of, of, {"score": True}, rows, why)


def _promptfoo(found: Mapping[str, Any], path: Path) -> Iterator[EvaluationLog]:
    samples: dict[tuple[str, str], list[Sample]] = {}
    for each in listed(found, "results", "results"):
        provider, usage = each.get("provider"), part(each, "response", "tokenUsage")
        model = texted(part(provider, "label"), part(provider, "id"), provider)
        prompt = texted(each.get("promptIdx"), part(each, "prompt", "label"))
        has_failed = each.get("failureReason") == _ERROR
        scores = {} if has_failed else used(passed=each.get("success"), score=each.get("score"))
        content = part(each, "prompt", "raw"), part(each, "response", "output")
        tokens = part(usage, "prompt"), part(usage, "completion")
        item = texted(each.get("testIdx"), digest(each.get("vars"))[:12])
        samples.setdefault((model, prompt), []).append(
            _sample(item, scores, each.get("cost"), tokens, content, finite(each.get("latencyMs")))
        )
    for (model, prompt), rows in samples.items():
        yield EvaluationLog(
            *("promptfoo", str(path), model, path.stem, path.stem, {"passed": True, "score": True}),
            *(rows, "whether all assertions hold"),
            settings={"model": (f"prompt={prompt}",)},
        )


def _sample(
    item: str,
    scores: dict[str, float],
    price: object,
    tokens: Sequence[object],
    content: Sequence[object],
    milliseconds: float | None = None,
) -> Sample:
    """A sample; without scores it failed. content: its prompt and answer."""
    time = None if milliseconds is None else milliseconds / 1000
    more = used(price=price, latency=time, input_tokens=tokens[0], output_tokens=tokens[1])
    return Sample(item, 1, {**scores, **more}, "" if scores else "crash", *map(digest, content))


def record_files(path: Path, head: bytes) -> Sequence[Path]:
    """The file, after its prices or the earlier files of its name, if it begins like one."""

    def begins(ending: str, marks: Sequence[bytes]) -> bool:
        return path.suffix == ending and all(mark in head for mark in marks)

    if begins(".jsonl", _ARENA):
        prices = (
            price for each in ("", "../model_cost/") if (price := path.parent / each / _COST).is_file()
        )
        return [*[*prices][:1], path]
    if not begins(".json", _BENCH):
        return [path] if begins(".json", _PROMPTFOO) else []
    name = _STAMP.sub("", path.name)
    return sorted(each for each in path.parent.glob("*.json") if _STAMP.sub("", each.name) == name)


def read_predictions(content: bytes, file: str) -> ParsedSelection | None:
    """The models that a router of RouterArena chooses: a JSON list of objects."""
    if content.lstrip()[:1] != b"[" or b'"prediction"' not in content:
        return None
    from aslib_eval.selections.read_csv import ParsedSelection, SelectionRow, SelectionStep

    rows, findings = [], []
    for number, entry in enumerate(parsed(content, place=file), 1):
        prompt = part(entry, "global index") or part(entry, "global_index")
        if isinstance(prompt, str) and isinstance(model := part(entry, "prediction"), str):
            rows.append(SelectionRow(number, prompt, (SelectionStep(model, paired=True),)))
        else:
            what = f"entry {number} lacks its global index or its prediction"
            findings.append(Finding("row", "error", file, None, what, "Is the file whole?"))
    return ParsedSelection(file, "choice", tuple(rows), findings=(*five_of(findings, len(findings)),))
