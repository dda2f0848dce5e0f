"""Records of Every Eval Ever: scores of a model (``.json``), and its samples (``_samples.jsonl``).

Source: evaleval/every_eval_ever, eval.schema.json and instance_level_eval.schema.json, version 0.3.0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.logs import (
    EvaluationLog,
    Sample,
    aggregate,
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
from aslib_eval.formats.aslib.lint import new_finding

_SAMPLES = "_samples.jsonl"
_WHY = "the metric of the first result of each evaluation"
_WHEN = re.compile(r"[\d.:TZ_+-]+|[\da-f-]{8,}")  # when it was evaluated, or a number


def read_every_eval_ever(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """A log for each evaluation of a record; raises AslibError where it cannot be read."""
    documents = {path: content for path, content in contents.items() if path.suffix == ".json"}
    lines = {path: content for path, content in contents.items() if path.suffix == ".jsonl"}
    stated: dict[str, EvaluationLog] = {}
    results: dict[str, tuple[str, str]] = {}
    for path, content in documents.items():
        stated |= _aggregates(require_object(parsed(content, place=str(path)), str(path)), path, results)
    sampled = [
        log for path, content in lines.items() for log in _with_samples(content, path, stated, results)
    ]
    known = {log.data_set for log in sampled}
    return [*sampled, *(log for name, log in stated.items() if name not in known)]


def _aggregates(
    found: Mapping[str, Any], path: Path, results: dict[str, tuple[str, str]]
) -> dict[str, EvaluationLog]:
    """Evaluation → its scores.

    results: gets the id of each result, with its evaluation and metric.
    """
    model = texted(part(found, "model_info", "id"), part(found, "model_info", "name"))
    ran = tuple(  # of SOURCE/SYSTEM/TIME
        each for each in texted(found.get("evaluation_id")).split("/")[1:] if not _WHEN.fullmatch(each)
    )
    logs: dict[str, EvaluationLog] = {}
    names = Counter(texted(each.get("evaluation_name")) for each in listed(found, "evaluation_results"))
    for each in listed(found, "evaluation_results"):
        name, config = texted(each.get("evaluation_name")), each.get("metric_config") or {}
        metric = _metric(config, alone=names[name] == 1)
        lower, score = config.get("lower_is_better"), finite(part(each, "score_details", "score"))
        if config.get("has_unknown_level") is True and score == -1:
            score = None
        results.setdefault(texted(each.get("evaluation_result_id"), name), (name, metric))
        more = None if not isinstance(lower, bool) else not lower
        if name in logs:
            logs[name] = _one_more(logs[name], metric, more=more, score=score)
            continue
        family = texted(part(each, "source_data", "dataset_name"), name)
        unit = texted(config.get("metric_unit"))
        log = EvaluationLog(
            *("every_eval_ever", str(path), model, name, family, {metric: more}, [], _WHY),
            units={metric: unit} if unit else {},
            settings={"model": ran},
            scale=(unit, config.get("min_score"), config.get("max_score")),
        )
        sure = part(each, "score_details", "uncertainty") or {}
        items = sure.get("num_samples")
        log = replace(log, stated=score, n_stated=items if isinstance(items, int) else None)
        if score is None:
            logs[name] = replace(log, samples=[Sample(name, 1, {}, "crash")], has_samples=False)
        else:
            logs[name] = aggregate(log, {metric: score}, part(sure, "standard_error", "value"), items)
    return logs


def _metric(config: Mapping[str, Any], *, alone: bool) -> str:
    """The name of a metric; records before 0.3.0 have none."""
    name = texted(config.get("metric_id"), config.get("metric_name"), config.get("metric_kind"))
    return name or ("score" if alone else texted(config.get("evaluation_description"), "score"))


def _one_more(log: EvaluationLog, metric: str, *, more: bool | None, score: float | None) -> EvaluationLog:
    """An evaluation with the score by another metric; an error if it is another score by the same."""
    (only,) = log.samples
    if score is None or score == only.values.get(metric):
        return log
    if metric in only.values:
        what = f"{log.data_set} has two scores by {metric}: {only.values[metric]:g} and {score:g}"
        hint = "Give each metric its own metric_id."
        return replace(log, findings=(new_finding("log-file", file=log.file, what=what, hint=hint),))
    values = {**only.values, metric: score}
    return replace(log, metrics={**log.metrics, metric: more}, samples=[only._replace(values=values)])


def _with_samples(
    content: bytes, path: Path, logs: Mapping[str, EvaluationLog], results: Mapping[str, tuple[str, str]]
) -> list[EvaluationLog]:
    """Each evaluation with its samples, in the place of its score alone."""
    rows: dict[tuple[str, str], dict[tuple[str, int], Sample]] = {}
    metrics: dict[tuple[str, str], dict[str, bool | None]] = {}
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for line, each in json_lines(content, file=str(path)):
        name, model = texted(each.get("evaluation_name")), texted(each.get("model_id"))
        result, item = texted(each.get("evaluation_result_id"), name), texted(each.get("sample_id"))
        if not (name and model and item):
            hint = "It has evaluation_name, model_id and sample_id."
            raise AslibError("is no sample of Every Eval Ever", f"{path}:{line}", hint)
        evaluation, metric = results.get(result) or results.get(name) or (name, "score")
        key, score = (evaluation, model), finite(part(each, "evaluation", "score"))
        seen[(*key, result, item)] += 1
        repetition = seen[(*key, result, item)]
        failed = "crash" if each.get("error") or score is None else ""
        values = {} if failed or score is None else {metric: score}
        before = rows.setdefault(key, {}).get((item, repetition))
        is_correct = part(each, "evaluation", "is_correct")
        told = metrics.setdefault(key, {})
        # If the score is 1 for correct answers and 0 for others, more is better.
        agrees = isinstance(is_correct, bool) and (failed or score == float(is_correct))
        told[metric] = True if agrees and told.get(metric, True) else None
        if before is not None:
            rows[key][item, repetition] = before._replace(values={**before.values, **values})
            continue
        rows[key][item, repetition] = Sample(
            *(item, repetition, {**values, **_used(each)}, failed),
            digest(part(each, "input", "formatted") or part(each, "input", "raw")),
            digest(part(each, "output", "raw") or each.get("messages")),
        )
    return [
        _log(path, evaluation, model, logs.get(evaluation), metrics[evaluation, model], samples)
        for (evaluation, model), samples in rows.items()
    ]


def _log(
    path: Path,
    evaluation: str,
    model: str,
    stated: EvaluationLog | None,
    metrics: Mapping[str, bool | None],
    samples: Mapping[tuple[str, int], Sample],
) -> EvaluationLog:
    about = ("every_eval_ever", str(path), model, evaluation, evaluation)
    log = stated or EvaluationLog(*about, metrics, [], _WHY)
    said = {name: more for name, more in log.metrics.items() if name in metrics}
    findings = list(log.findings)
    if log.model != model:
        what = f"the samples are from {model}, but the scores from {log.model}"
        findings.append(new_finding("log-file", file=str(path), what=what, hint="Give each its own file."))
    log = replace(log, file=str(path), metrics=said or metrics, findings=tuple(findings))
    return replace(log, samples=[*samples.values()], has_samples=True)


def _used(each: Mapping[str, Any]) -> dict[str, float]:
    time = finite(part(each, "performance", "latency_ms"))
    return used(
        latency=None if time is None else time / 1000,
        input_tokens=part(each, "token_usage", "input_tokens"),
        output_tokens=part(each, "token_usage", "output_tokens"),
    )


def every_eval_ever_files(path: Path, head: bytes) -> Sequence[Path]:
    """A record with the file of its samples, if a file begins like one of the two."""
    is_samples = path.suffix == ".jsonl" and all(
        key in head for key in (b'"evaluation_id"', b'"sample_id"', b'"model_id"')
    )
    is_record = path.suffix == ".json" and all(
        key in head for key in (b'"evaluation_results"', b'"model_info"', b'"schema_version"')
    )
    if not (is_samples or is_record) or b'"$schema"' in head:
        return []
    stem = path.name.removesuffix(_SAMPLES) if is_samples else path.stem
    both = (path.with_name(stem + ".json"), path.with_name(stem + _SAMPLES))
    return [each for each in both if each == path or (each.is_file() and not each.is_symlink())]
