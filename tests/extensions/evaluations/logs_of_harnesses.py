"""Small logs of every harness, and what an import makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb

from aslib_eval.extensions.evaluations.logs import EvaluationLog
from aslib_eval.importer import import_scenarios
from aslib_eval.linter import check_paths

RUNS = "select instance_id, repetition, algorithm, measure, value, runstatus from raw_run order by all"


def ask(lake: Path, sql: str, scenario: str = "") -> list[tuple[Any, ...]]:
    """The answer of plain DuckDB from the files of a lake, of one scenario where it is named."""
    con = duckdb.connect()
    for relation in ("run", "scenario", "attribute"):
        files = sorted(str(p) for p in lake.glob(f"{relation}/*/*.parquet"))
        of = scenario.replace("'", "''")
        rows = f"from read_parquet({files}, hive_partitioning = true)"
        con.sql(f"create view raw_{relation} as {rows} where '{of}' in ('', scenario_id)")
    return con.sql(sql).fetchall()


def lake_of(path: Path, into: Path, **choices: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Scenario → its runs, of what lies at a path."""
    done = import_scenarios([path], into=into, **choices)
    for each in done:
        if each.error is not None:
            raise each.error
    return {each.scenario_id: ask(into, RUNS, each.scenario_id) for each in done}


def codes(path: Path, **choices: Any) -> list[tuple[str, str]]:
    return [(each.severity, each.code) for each in check_paths(path, **choices)]


def inspect_log(model: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A log of Inspect; values: item → value of its score, or what else its sample has."""
    samples = []
    for item, value in values.items():
        name, _, epoch = item.partition("#")
        sample = {"id": name, "epoch": int(epoch or 1), "input": f"What is {name}?"}
        sample |= value if isinstance(value, dict) else {"scores": {"match": {"value": value}}}
        samples.append(sample)
    scores = [
        {"name": "match", "scorer": "match", "metrics": {"accuracy": {"name": "accuracy", "value": 0.5}}}
    ]
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "sums", "model": model},
        "results": {"scores": scores},
        "samples": samples,
        **more,
    }


def written(path: Path, log: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(log))
    return path


def scored(found: list[tuple[Any, ...]], measure: str = "accuracy") -> list[tuple[Any, ...]]:
    return [(*row[:3], *row[4:]) for row in found if row[3] == measure]


def lm_results(**more: Any) -> dict[str, Any]:
    return {
        "results": {"gsm": {"alias": "gsm", "exact_match,strict": 0.5, "exact_match_stderr,strict": 0.1,
                            "exact_match,flexible": 1.0, "exact_match_stderr,flexible": 0.0}},
        "configs": {"gsm": {}},
        "higher_is_better": {"gsm": {"exact_match": True}},
        "n-samples": {"gsm": {"original": 2, "effective": 2}},
        "model_name": "org/m",
        **more,
    }  # fmt: skip


def lm_samples(path: Path, rows: list[tuple[int, str, Any]], metric: str = "exact_match") -> Path:
    lines = [
        {"doc_id": doc, "doc": {}, "arguments": {"a": doc}, "resps": [["x"]], "filtered_resps": ["x"],
         "filter": filtered, "metrics": [metric], metric: value}
        for doc, filtered, value in rows
    ]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


STAMP = "2026-01-02T03-04-05.678"


def record(model: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"x/{model}/1",
        "model_info": {"id": model, "name": model},
        "evaluation_results": results,
    }


def result(name: str, score: float, *, lower: bool = False, **config: Any) -> dict[str, Any]:
    return {
        "evaluation_name": name,
        "source_data": {"dataset_name": f"set of {name}"},
        "metric_config": {"lower_is_better": lower, **config},
        "score_details": {
            "score": score,
            "uncertainty": {"standard_error": {"value": 0.1}, "num_samples": 50},
        },
    }


def eee_sample(item: str, score: float | None, **more: Any) -> str:
    found = {
        "schema_version": "0.3.0", "evaluation_id": "x/m/1", "model_id": "m", "evaluation_name": "A",
        "sample_id": item, "input": {"raw": f"Q {item}"}, "output": {"raw": ["x"]},
        "evaluation": {"score": score, "is_correct": score == 1}, **more,
    }  # fmt: skip
    return json.dumps(found) + "\n"


def helm_run(folder: Path, model: str, scores: dict[str, float], **more: Any) -> Path:
    def stat(name: str, value: float | None, split: str = "test", **of: Any) -> dict[str, Any]:
        return {
            "name": {"name": name, "split": split, **of},
            "count": int(value is not None),
            "mean": value,
        }

    spec = {
        "name": f"sums:method=generation,model={model.replace('/', '_')}",
        "adapter_spec": {"model": model},
    }
    spec["metric_specs"] = [{"args": {"names": ["exact_match", "f1_score"]}}]
    perturbed = {"perturbation": {"name": "typos"}}
    instances: list[dict[str, Any]] = [
        {"instance_id": item, "train_trial_index": 0, "stats": [
            stat("num_references", 2), stat("num_output_tokens", 9), stat("training_co2_cost", None),
            stat("f1_score", value / 2), stat("exact_match", value)]}
        for item, value in scores.items()
    ]  # fmt: skip
    instances.append({**instances[0], **perturbed})
    instances.append({**instances[0], "instance_id": "v", "stats": [stat("exact_match", 1.0, "valid")]})
    mean = sum(scores.values()) / len(scores)
    stats = [
        stat("exact_match", 1.0, "valid"),
        stat("exact_match", 0.0, **perturbed),
        stat("exact_match", mean),
    ]
    documents = {"run_spec": spec, "per_instance_stats": instances, "stats": stats, **more}
    for name, document in documents.items():
        written(folder / f"{name}.json", document)
    return folder


LogFacts = dict[str, Any]


def read(reader: Callable[[Mapping[Path, bytes]], list[EvaluationLog]], **files: Any) -> list[LogFacts]:
    """What a log holds that differs from a log of one scored sample of model m on the data set d."""
    contents = {
        Path("r", name.replace("__", ".")): text if isinstance(text, bytes) else json.dumps(text).encode()
        for name, text in files.items()
    }
    usual = {
        "model": "m",
        "data_set": "d",
        "family": "d",
        "n_stated": None,
        "stated": None,
        "is_whole": True,
    }
    usual |= {"has_samples": True, "is_success": False, "units": {}, "scale": (), "findings": 0}
    found = []
    for log in reader(contents):
        facts: LogFacts = {name: getattr(log, name) for name in (*usual, "metrics")}
        facts["findings"] = len(log.findings)
        facts["samples"] = [(s.item, s.repetition, s.values, s.failed) for s in log.samples]
        found.append(
            {name: fact for name, fact in facts.items() if name not in usual or fact != usual[name]}
        )
    return found
