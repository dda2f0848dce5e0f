"""Logs of Inspect: ``.json``, and ``.eval``, which is a zip with a header and a file for each sample.

Source: UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py (EvalLog), log/_recorders/eval.py (names in
a .eval), scorer/_metric.py (``value_to_float``: C, P, I and N are 1, 0.5, 0 and 0),
model/_model_output.py (``input_tokens`` leaves out what came from a cache).
"""

from __future__ import annotations

import io
import shlex
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError
from aslib_eval.extensions.evaluations.logs import (
    LARGEST,
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
    used,
)
from aslib_eval.formats.aslib.lint import new_finding
from aslib_eval.formats.sources import MAX_MEMBERS, MAX_RATIO

if TYPE_CHECKING:
    import pyarrow as pa

_WORDS = {"c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
# How sure a score is; no score.
_SPREAD = ("stderr", "std", "var", "bootstrap_stderr", "ci")
_HEAVY = frozenset(
    {"events", "messages", "attachments", "store", "timelines", "events_data", "error_retries"}
)
_ZSTD = 93  # how such a file is packed
_HARMLESS = 64 << 20
_JOURNAL = "_journal/start.json"
# Words of scorers of which a larger value is no success.
_ADVERSE = ("harm", "toxic", "refus", "risk", "attack", "jailbreak", "bias", "decept", "violat")


def read_inspect(contents: Mapping[Path, bytes]) -> list[EvaluationLog]:
    """The one log; raises AslibError where it cannot be read."""
    ((path, content),) = contents.items()
    file = str(path)
    if content[:2] == b"PK":
        header, samples = _unzipped(content, file)
    else:
        header = require_object(parsed(content, place=file, hook=_without_heavy), file)
        samples = iter(listed(header, "samples"))
    return [_log(header, samples, file=file)]


def _without_heavy(found: dict[str, Any]) -> dict[str, Any]:
    """An object without the transcripts, which are most of a log."""
    return found if _HEAVY.isdisjoint(found) else {k: v for k, v in found.items() if k not in _HEAVY}


def _unzipped(content: bytes, file: str) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        members = {each.filename: each for each in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise AslibError(f"is no .eval ({error})", file, "Copy the log again.") from None
    wanted = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
    total = sum(each.file_size for each in archive.infolist())
    hint = (
        f"If you trust it, convert it: inspect log convert {shlex.quote(file)} --to json --output-dir json"
    )
    if len(members) > MAX_MEMBERS or total > max(_HARMLESS, MAX_RATIO * len(content)):
        raise AslibError("refused: it holds more than a log has once unpacked", file, hint)
    head = next((name for name in ("header.json", _JOURNAL) if name in members), None)
    if head is None:
        raise AslibError("holds no header.json", file, "Is it a .eval of Inspect?")

    def read(name: str) -> dict[str, Any]:
        is_zstd = members[name].compress_type == _ZSTD
        try:
            with _zstd(content, members[name]) if is_zstd else archive.open(name) as stream:
                text = stream.read(LARGEST + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
            raise AslibError(f"{name} cannot be unpacked ({error})", file, hint) from None
        place = f"{file}/{name}"
        return require_object(parsed(text, place=place, is_sample=True, hook=_without_heavy), place)

    return {"status": "started", **read(head)}, (read(name) for name in wanted)


def _zstd(content: bytes, member: zipfile.ZipInfo) -> pa.CompressedInputStream:
    """What Zstandard packed, which zipfile cannot unpack before Python 3.14."""
    import pyarrow as pa

    at = member.header_offset + 26  # the lengths of the name and of what lies between it and the bytes
    start = at + 4 + sum(int.from_bytes(content[k : k + 2], "little") for k in (at, at + 2))
    packed = pa.py_buffer(content)[start : start + member.compress_size]
    return pa.CompressedInputStream(pa.BufferReader(packed), "zstd")


def _log(header: Mapping[str, Any], found: Iterator[dict[str, Any]], *, file: str) -> EvaluationLog:
    about = header.get("eval")
    model = texted(part(about, "model"))
    task = texted(part(about, "task_display_name"), part(about, "task")).rpartition("/")[2]
    if not (model and task):
        raise AslibError("names no model and no task", file, "Is it the log of an evaluation?")
    scores = listed(header, "results", "scores") or listed(about, "scorers")
    scores = [each for each in scores if each.get("metrics")] or scores
    scored: dict[str, dict[str, Any]] = {}
    for each in scores:  # by the first reducer, where there are several
        scored.setdefault(texted(each.get("name")), each)
    names = {name: _metric(each) if len(scored) == 1 else name for name, each in scored.items()}
    samples, listed_values, has_answers = [], dict.fromkeys(names, True), False
    for each in found:
        has_answers |= not each.get("error")
        samples.append(_sample(each, model, scored, names))
        for name, score in scored.items():
            value = _value_of(each, name, score)
            listed_values[name] &= value is None or (isinstance(value, str) and value.lower() in _WORDS)
    has_scores = any(not each.failed for each in samples)
    if has_answers and not (has_scores or listed(header, "results", "scores")):
        raise AslibError("has not been scored", file, f"Score it: inspect score {shlex.quote(file)}")
    metrics = {
        names[name]: True if has_scores and listed_values[name] else direction(names[name])
        for name in names
    }
    first = next(iter(scored), "")
    stated = finite(part(scored.get(first), "metrics", _metric(scored.get(first, {})), "value"))
    is_adverse = any(word in f"{task} {first}".lower() for word in _ADVERSE)
    is_share = next(iter(metrics), "") == "mean" and stated is not None and 0 <= stated <= 1
    status = header.get("status") or "success"
    what, hint = f"the evaluation did not end: its status is {status}", "The log lacks its other samples."
    cut = new_finding("log-left-out", file=file, what=what, hint=hint)
    n_stated = part(scored.get(first), "scored_samples")
    config = part(about, "model_generate_config") or part(header, "plan", "config") or {}
    ran = {"solver": part(about, "solver"), **(part(about, "model_args") or {}), **config}
    settings = {"data_set": part(about, "task_args") or {}, "model": ran}
    log = EvaluationLog(
        *("inspect", file, model, task, task, metrics, samples),
        f"the first metric of the first scorer, {first}",
        stated=stated,
        n_stated=n_stated if isinstance(n_stated, int) else part(header, "results", "completed_samples"),
        settings={
            of: tuple(f"{name}={value}" for name, value in each.items() if value is not None)
            for of, each in settings.items()
        },
        is_success=is_share and not is_adverse,
        is_whole=status == "success",
        findings=() if status == "success" else (cut,),
    )
    if has_scores or stated is None:
        return log
    return aggregate(
        log, {log.primary: stated}, part(scored[first], "metrics", "stderr", "value"), log.n_stated
    )


def _metric(score: Mapping[str, Any]) -> str:
    """The first metric of a scorer, without its package."""
    found = score.get("metrics")
    names = found if isinstance(found, dict) else (texted(e.get("name")) for e in listed(score, "metrics"))
    plain = [name.rpartition("/")[2] for name in names]
    return next((name for name in plain if name and name not in _SPREAD), "score")


def _value_of(sample: Mapping[str, Any], name: str, score: Mapping[str, Any]) -> Any:
    """The value of a scorer; if it gave several, the one of that name."""
    value = part(sample, "scores", texted(score.get("scorer"), name), "value")
    if value is None:
        value = part(sample, "scores", name, "value")
    return value.get(name) if isinstance(value, dict) else value


def _number(value: Any) -> float | None:
    try:
        return finite(float(_WORDS.get(value.lower(), value)) if isinstance(value, str) else value)
    except ValueError:
        return None


def _sample(
    each: dict[str, Any], model: str, scored: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]
) -> Sample:
    values = {
        names[name]: number
        for name, score in scored.items()
        if (number := _number(_value_of(each, name, score))) is not None
    }
    failed = ""
    if each.get("error") or next(iter(names.values()), None) not in values:
        values = {}
        failed = "timeout" if part(each, "limit", "type") in ("time", "working") else "crash"
    repetition = each.get("epoch")
    return Sample(
        texted(each.get("id")),
        repetition if isinstance(repetition, int) else 1,
        {**values, **_used(each, model)},
        failed,
        digest([each.get("input"), each.get("choices")]) if each.get("input") else "",
        digest(part(each, "output", "completion")),
    )


def _used(each: Mapping[str, Any], model: str) -> dict[str, float]:
    """Tokens and price of the evaluated model, without those of a grading model."""
    usage = part(each, "model_usage", model) or part(each, "output", "usage") or {}
    cached = [finite(usage.get(f"input_tokens_cache_{kind}")) or 0 for kind in ("read", "write")]
    tokens = finite(usage.get("input_tokens"))
    time = each.get("working_time")
    return used(
        price=usage.get("total_cost"),
        latency=each.get("total_time") if time is None else time,
        input_tokens=None if tokens is None else tokens + sum(cached),
        output_tokens=usage.get("output_tokens"),
    )


def inspect_files(path: Path, head: bytes) -> Sequence[Path]:
    """The one file of a log, if a file begins like one."""
    if path.suffix == ".eval":
        return [path] if head[:2] == b"PK" else []
    is_log = path.suffix == ".json" and b'"eval"' in head and b'"task"' in head and b'"status"' in head
    return [path] if is_log and b'"evaluation_results"' not in head else []
