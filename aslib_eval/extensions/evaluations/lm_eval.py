"""Results by task: lm-evaluation-harness, summaries of OpenCompass and reports of SWE-bench.

lm-evaluation-harness writes ``results_*.json``, and ``samples_TASK_*.jsonl`` of each task. OpenCompass
writes a CSV of ``dataset``, ``version``, ``metric``, ``mode`` and a column for each model; a group of data
sets has the version ``-``. SWE-bench writes ``MODEL.RUN.json`` with the ids of the issues resolved.

Source: EleutherAI/lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py (names of the files) and
lm_eval/evaluator_utils.py (``METRIC,FILTER`` and ``METRIC_stderr,FILTER`` of each task). Before version 0.4
keys have no filter, and before 0.4.3 no name has a time, and samples are in ``MODEL_TASK.jsonl``.
open-compass/opencompass, summarizers/default.py; SWE-bench/SWE-bench, harness/reporting.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.logs import (
    EvaluationLog,
    Sample,
    aggregate,
    digest,
    direction,
    finite,
    json_lines,
    parsed,
    part,
    require_object,
    texted,
)
from aslib_eval.formats.sources import numbered_rows

_STAMP = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")
# The beginning of results, and a score of their first task.
_RESULTS = re.compile(rb'[ \r\n\t{]*"results"[^\[]*"(?:[^",]+,[^"]+|[^"]+_stderr)":')
# Fields of a sample beside its metrics.
_FIELDS = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    }
)
# Of model_args, what makes another system of a model.
_SYSTEM = ("dtype", "load_in_8bit", "load_in_4bit", "max_length", "enable_thinking")
_WHY = "the first metric of the task"
SUMMARY = ("dataset", "version", "metric", "mode")


def read_lm_eval(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """A log for each task; raises AslibError where one cannot be read."""
    results: dict[str, Any] = {}
    for path, content in contents.items():
        if path.suffix == ".json":
            results = require_object(parsed(content, place=str(path)), str(path))
            file = path
    scored = part(results, "results")
    for task, of in [*scored.items()] if isinstance(scored, dict) else []:
        if isinstance(of, dict) and of and all(isinstance(each, dict) for each in of.values()):
            scored[task] = of[max(of)]  # of several times, the last
    logs = {}
    for path, content in contents.items():
        if path.suffix == ".jsonl":
            log = _samples(content, path, results)
            logs[log.data_set] = log
    groups = {name for name, tasks in (results.get("group_subtasks") or {}).items() if tasks}
    for task in results.get("results") or {}:
        if task not in logs and task not in groups and task not in (results.get("groups") or {}):
            log = _about(task, results, file)
            if log.stated is not None:
                scores = _scores(results, task)
                name, comma, filtered = next(iter(scores)).partition(",")
                error = part(results, "results", task, f"{name}_stderr{comma}{filtered}")
                by_metric = dict(zip(log.metrics, scores.values(), strict=True))
                logs[task] = aggregate(log, by_metric, error, log.n_stated)
    return [*logs.values()]


def _scores(results: Mapping[str, Any], task: str) -> dict[str, float]:
    """``METRIC,FILTER`` → the score of a task, in the order of the file; before version 0.4 ``METRIC``."""
    found = part(results, "results", task)
    found = found if isinstance(found, dict) else {}
    scores = {
        key: number
        for key, score in found.items()
        if "_stderr" not in key and (number := finite(score)) is not None
    }
    filtered = {key: number for key, number in scores.items() if "," in key}
    return filtered or ({} if "alias" in found else scores)


def _about(task: str, results: Mapping[str, Any], file: Path) -> EvaluationLog:
    """What the results say of a task."""
    scores = _scores(results, task)
    several = len({key.partition(",")[2] for key in scores}) > 1
    names = {key: key if several else key.partition(",")[0] for key in scores}
    more = part(results, "higher_is_better", task) or {}
    metrics = {
        name: told if isinstance(told := more.get(key.partition(",")[0]), bool) else direction(name)
        for key, name in names.items()
    }
    items = part(results, "n-samples", task, "effective")
    shots = part(results, "n-shot", task)
    shots = part(results, "config", "num_fewshot") if shots is None else shots
    args = _model_args(results)
    return EvaluationLog(
        *("lm_eval", str(file), _model(results, file), task, task, metrics, [], _WHY),
        settings={
            "data_set": () if shots is None else (f"num_fewshot={shots}",),
            "model": tuple(f"{key}={args[key]}" for key in _SYSTEM if key in args),
        },
        stated=next(iter(scores.values()), None),
        n_stated=items if isinstance(items, int) else None,
    )


def _model_args(results: Mapping[str, Any]) -> dict[str, Any]:
    found = part(results, "config", "model_args") or {}
    return dict(each.partition("=")[::2] for each in found.split(",")) if isinstance(found, str) else found


def _model(results: Mapping[str, Any], file: Path) -> str:
    """The model, with its revision and adapter; if the results do not name it, the folder or file does."""
    known = _model_args(results)
    name = texted(
        results.get("model_name"),
        *(known.get(key) for key in ("pretrained", "model", "engine")),
        "" if known else part(results, "config", "model"),
    )
    if not name:  # a folder has __ for each /
        is_named = file.stem.startswith(("results", "samples"))
        name = file.absolute().parent.name.replace("__", "/") if is_named else file.stem
    more = (texted(known.get(key)) for key in ("revision", "peft"))
    return "@".join([name, *(each for each in more if each not in ("", "main", "None"))])


def _samples(content: bytes, path: Path, results: Mapping[str, Any]) -> EvaluationLog:
    task = _STAMP.sub("", path.stem.removeprefix("samples_"))
    tasks = sorted(results.get("results") or (), key=len)
    task = next((each for each in reversed(tasks) if f"_{task}".endswith(f"_{each}")), task)
    log = _about(task, results, path)
    rows: dict[str, Sample] = {}
    metrics = dict(log.metrics)
    for line, each in json_lines(content, file=str(path)):
        item, filtered = texted(each.get("doc_id")), texted(each.get("filter"), "none")
        if not item:
            raise AslibError("is no sample: it has no doc_id", f"{path}:{line}", "Is the file whole?")
        listed = each.get("metrics")
        names = listed if isinstance(listed, list) else [key for key in each if key not in _FIELDS]
        values = {}
        for name in map(str, names):
            full = f"{name},{filtered}"
            called = name if full not in metrics and (name in metrics or filtered == "none") else full
            metrics.setdefault(called, direction(name))
            if (value := finite(each.get(name))) is not None:
                values[called] = value
        before = rows.get(item)
        if before is not None and not values.keys().isdisjoint(before.values):
            raise AslibError(f"doc_id {item} is there twice", f"{path}:{line}", "Remove one of the two.")
        rows[item] = Sample(
            *(item, 1, {**(before.values if before else {}), **values}, ""),
            texted(each.get("prompt_hash")) or digest(each.get("arguments")),
            digest(each.get("resps")),
        )
    primary = next(iter(metrics), "")
    samples = [row if primary in row.values else row._replace(failed="crash") for row in rows.values()]
    return replace(log, file=str(path), metrics=metrics, samples=samples)


def lm_eval_files(path: Path, head: bytes) -> Sequence[Path]:
    """The results of a run with the samples of its tasks, if a file is one of them."""
    is_samples = path.suffix == ".jsonl" and b'"doc_id"' in head and b'"filtered_resps"' in head
    is_results = path.suffix == ".json" and _RESULTS.match(head[:4096]) is not None
    if not (is_samples or is_results):
        return []
    found = _STAMP.search(path.stem)
    stamp = found[0] if found else ""
    results = path if is_results else path.with_name(f"results{stamp}.json")
    if not (stamp or results.name == "results.json") or not results.is_file():
        return [path]
    samples = path.parent.glob(f"samples_*{stamp}.jsonl" if stamp else "*.jsonl")
    return sorted(each for each in (results, *samples) if not each.is_symlink())


def read_summary(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """A log for each model and data set of a summary."""
    ((path, content),) = contents.items()
    (_, header), *rows = numbered_rows(content.decode("utf-8-sig", errors="replace"), lambda *_: None)
    found: dict[tuple[str, str], dict[str, float]] = {}
    for _, (of, version, metric, _, *cells) in (row for row in rows if len(row[1]) == len(header)):
        for model, cell in zip(header[len(SUMMARY) :], cells, strict=True):
            with suppress(ValueError):  # - was not run
                score = float(cell.split(" ")[0]) if version != "-" else math.nan
                if math.isfinite(score):
                    found.setdefault((model, of), {}).setdefault(metric, score)
    return [
        aggregate(
            EvaluationLog("opencompass", str(path), model, of, of, metrics, [], _WHY), scores, None, None
        )
        for (model, of), scores in found.items()
        for metrics in [{name: direction(name) for name in scores}]
    ]


def read_report(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """The log of a report; what is not resolved counts 0, as in its score."""
    ((path, content),) = contents.items()
    report = require_object(parsed(content, place=str(path)), str(path))
    ids = {
        key: set(map(str, of)) for key, of in report.items() if key[-4:] == "_ids" and isinstance(of, list)
    }
    resolved = ids.get("resolved_ids", set())
    samples = [
        Sample(issue, 1, {"resolved": float(issue in resolved)})
        for issue in sorted(set().union(*ids.values()))
    ]
    model = (path.stem.rpartition(".")[0] or path.stem).replace("__", "/")
    about = ("swe_bench", str(path), model, "SWE-bench", "SWE-bench", {"resolved": True})
    n, total = (finite(report.get(f"{which}_instances")) for which in ("resolved", "total"))
    log = EvaluationLog(*about, samples, "whether the issue was resolved")
    return [log if n is None or not total else replace(log, stated=n / total, n_stated=int(total))]


def task_files(path: Path, head: bytes) -> Sequence[Path]:
    """The one file of a summary or report, if it begins like one."""
    is_summary = path.suffix == ".csv" and head.startswith(",".join(SUMMARY).encode() + b",")
    is_report = path.suffix == ".json" and b'"resolved_instances"' in head and b'_ids"' in head
    return [path] if is_summary or is_report else []
