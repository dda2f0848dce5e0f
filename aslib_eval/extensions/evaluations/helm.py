"""Runs of HELM: a folder with ``run_spec.json``, ``stats.json``, ``per_instance_stats.json`` and more.

Source: stanford-crfm/helm, src/helm/benchmark/runner.py (names of the files),
metrics/statistic.py and metrics/metric_name.py (count, sum, mean; split and perturbation).
"""

from __future__ import annotations

import re
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
    direction,
    finite,
    listed,
    parsed,
    part,
    require_object,
    texted,
)
from aslib_eval.formats.prices import INPUT, LATENCY, OUTPUT

FILES = ("run_spec.json", "stats.json", "per_instance_stats.json", "scenario_state.json")
_USED = {
    "inference_runtime": LATENCY,
    "num_prompt_tokens": INPUT,
    "num_output_tokens": OUTPUT,
    "num_completion_tokens": OUTPUT,
}
# What is counted of each run, and is no score.
_COUNTED = re.compile(
    r"num_.*|training_.*|inference_.*|batch_size|finish_reason_.*|prompt_truncated|max_prob|logprob.*"
    r"|perplexity|bits_per_byte|estimated_.*"
)
_OF_ADAPTER = re.compile(r"(?:^|(?<=[,:]))(?:model|model_deployment|method)=[^,]*,?")


def read_helm(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """The run of a folder; raises AslibError where it cannot be read."""
    by_name = {path.name: (path, content) for path, content in contents.items()}

    def document(name: str) -> Any:
        if name not in by_name:
            return None
        path, content = by_name[name]
        return parsed(content, place=str(path), hook=_without_tokens)

    folder = next(iter(contents)).parent
    spec = require_object(document("run_spec.json") or {}, str(folder / "run_spec.json"))
    model = texted(part(spec, "adapter_spec", "model"))
    run = texted(spec.get("name"))
    if not (model and run):
        hint = "Copy the run_spec.json that HELM wrote for this run into the folder."
        raise AslibError("names no model", str(folder / "run_spec.json"), hint)
    stats = listed({"stats": document("stats.json")}, "stats")
    instances = listed({"stats": document("per_instance_stats.json")}, "stats")
    states = _states(document("scenario_state.json"))
    split = _split([*stats, *(stat for each in instances for stat in listed(each, "stats"))])
    wanted = [
        str(name) for each in listed(spec, "metric_specs") for name in part(each, "args", "names") or ()
    ]
    rows = [
        (each, _values(listed(each, "stats"), split))
        for each in instances
        if each.get("perturbation") is None
    ]
    mean = _values(stats, split)
    there = dict.fromkeys(name for values in ([v for _, v in rows] or [mean]) for name in values)
    named = [name for name in wanted if name in there] + [
        name for name in there if name not in wanted and name not in _USED and not _COUNTED.fullmatch(name)
    ]
    metrics = {name: direction(name) for name in named}
    file = str(folder / ("per_instance_stats.json" if instances else "stats.json"))
    why = f"the first metric of metric_specs; of the split {split}"
    data_set = _OF_ADAPTER.sub("", run).rstrip(",:")
    ran = tuple(each.rstrip(",") for each in _OF_ADAPTER.findall(run) if not each.startswith("model="))
    count = mean.get("num_instances")
    log = EvaluationLog(
        *("helm", file, model, data_set, data_set, metrics, [], why),
        stated=mean.get(next(iter(metrics), "")),
        n_stated=None if count is None else int(count),
        settings={"model": ran},
    )
    if not rows:
        if log.stated is None:
            raise AslibError("states no score", file, "Is the run complete?")
        return [aggregate(log, {name: mean[name] for name in named if name in mean}, None, count)]
    samples = [_sample(each, values, states, log) for each, values in rows if values]
    return [replace(log, samples=samples)]


def _without_tokens(found: dict[str, Any]) -> dict[str, Any]:
    """An object without the tokens of a completion, which are most of scenario_state.json."""
    return {key: value for key, value in found.items() if key != "tokens"} if "tokens" in found else found


def _split(stats: Sequence[Mapping[str, Any]]) -> str:
    """The split of the scores: test, where there are several."""
    splits = dict.fromkeys(texted(part(each, "name", "split")) for each in stats)
    named = [split for split in splits if split]
    return "test" if "test" in named else next(iter(named), "")


def _values(stats: Sequence[Mapping[str, Any]], split: str) -> dict[str, float]:
    """Metric → its mean, of instances of a split as they are, without perturbation."""
    return {
        texted(part(each, "name", "name")): value
        for each in stats
        if (part(each, "name", "split") or "") == split
        and not part(each, "name", "perturbation")
        and not part(each, "name", "sub_split")
        and each.get("count")
        and (value := finite(each.get("mean"))) is not None
    }


def _states(found: Any) -> dict[tuple[str, int], tuple[str, str, bool]]:
    """Instance and trial → hashes of its prompt and answer, and whether the request succeeded."""
    return {
        (texted(part(each, "instance", "id")), _trial(each)): (
            digest(part(each, "request", "prompt") or part(each, "request", "messages")),
            digest([text for c in listed(each, "result", "completions") if (text := c.get("text"))]),
            part(each, "result", "success") is not False,
        )
        for each in listed(found, "request_states")
        if not part(each, "instance", "perturbation")
    }


def _trial(each: Mapping[str, Any]) -> int:
    return found + 1 if isinstance(found := each.get("train_trial_index"), int) else 1


def _sample(
    each: Mapping[str, Any],
    values: Mapping[str, float],
    states: Mapping[tuple[str, int], tuple[str, str, bool]],
    log: EvaluationLog,
) -> Sample:
    item, trial = texted(each.get("instance_id")), _trial(each)
    prompt, answer, succeeded = states.get((item, trial), ("", "", True))
    scores = {name: values[name] for name in log.metrics if name in values}
    failed = "" if succeeded and log.primary in scores else "crash"
    used = {_USED[name]: value for name, value in values.items() if name in _USED}
    return Sample(item, trial, {**({} if failed else scores), **used}, failed, prompt, answer)


def helm_files(path: Path, _: bytes) -> Sequence[Path]:
    """The files of the run that a folder is, or that a file lies in."""
    folder = path if path.is_dir() else path.parent
    if path.is_file() and path.name not in (*FILES, "scenario.json", "display_predictions.json"):
        return []
    found = [p for name in FILES if (p := folder / name).is_file() and not p.is_symlink()]
    names = {p.name for p in found}
    return found if "per_instance_stats.json" in names or {"run_spec.json"} < names else []
