"""The format ``evaluations``: logs of harnesses as scenarios, with models as solvers, items as instances.

A path is a log, or a folder of logs, however deep. Data sets that the same models answered, by the same
primary metric, are one scenario; each is a family of its instances. The score that a harness states is
compared with the mean of its samples.
"""

from __future__ import annotations

import math
import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeVar

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.extensions.evaluations import lm_eval
from aslib_eval.extensions.evaluations.every_eval_ever import every_eval_ever_files, read_every_eval_ever
from aslib_eval.extensions.evaluations.helm import helm_files, read_helm
from aslib_eval.extensions.evaluations.inspect_logs import inspect_files, read_inspect
from aslib_eval.extensions.evaluations.logs import ERROR, ITEMS, EvaluationLog, Sample, broken
from aslib_eval.extensions.evaluations.records import read_predictions, read_records, record_files
from aslib_eval.formats import Finder, Format, Parsed, TableChoices, absent
from aslib_eval.formats.aslib.lint import NAMES, LimitedFindings, new_finding
from aslib_eval.formats.attributes import FAMILY
from aslib_eval.formats.prices import USED
from aslib_eval.formats.sources import (
    HEAD,
    FilesRead,
    Location,
    Source,
    Sources,
    algorithm_table,
    default_name,
    said_as_source,
    scenario_table,
    source_table,
    table,
)
from aslib_eval.text import list_names, plural

if TYPE_CHECKING:
    import pyarrow as pa

_ENDINGS = (".json", ".jsonl", ".eval", ".csv")
_ROUNDED = 1e-6  # of a stated score
_FEW_ANSWERS = 5  # answers that are enough to call them alike
_ALIKE = 0.5  # of all answers
T = TypeVar("T")
Logs = Sequence[EvaluationLog]


def evaluations_format(choices: TableChoices) -> Format:
    """The format, with what its user decides: the scenario's name, and directions of metrics."""
    return Format(
        "evaluations",
        Finder(_find),
        absent("holds no log of an evaluation", "docs/formats.md lists what can be read."),
        partial(_identify, choices),
        partial(_load, choices),
        lambda location, _: _identify(choices, location),
        partial(_read, choices),
        choices=frozenset({"scenario_id", "maximize", "measure"}),
        with_choices=evaluations_format,
        is_header=_is_header,
        together=_together,
        selections=read_predictions,
    )


def _is_header(columns: Sequence[str]) -> bool:
    """Whether a table is a log, or a line of JSON a sample of one."""
    logs = ({"doc_id", "filtered_resps"}, {"evaluation_id", "sample_id"}, {*lm_eval.SUMMARY})
    return any(of <= {*columns} for of in logs)


def _find(path: Path, files: FilesRead) -> list[Location]:
    return [Location(path, str(path), part=name) for name in _groups((path,), files)]


def _together(locations: Sequence[Location]) -> list[Location]:
    """Logs that are named in one call, as if a folder held only them."""
    paths = tuple(dict.fromkeys(each.path for each in locations))
    if len(paths) == 1:
        return [*locations]
    parents = [Path(each.shown).parent for each in locations]
    if any(each.is_absolute() for each in parents):
        parents = [each.absolute() for each in parents]
    shown = os.path.commonpath(parents)
    first = Location(Path(shown), shown, files=locations[0].files, beside=paths)
    return [replace(first, part=name) for name in _groups(paths, first.files)]


_Find = Callable[[Path, bytes], Sequence[Path]]
_Read = Callable[[Mapping[Path, bytes]], list[EvaluationLog]]
# The files of the run to which a file belongs, by its name and its beginning; and the logs in them.
_HARNESSES: Mapping[str, tuple[_Find, _Read]] = {
    "helm": (helm_files, read_helm),
    "every_eval_ever": (every_eval_ever_files, read_every_eval_ever),
    "inspect": (inspect_files, read_inspect),
    "lm_eval": (lm_eval.lm_eval_files, lm_eval.read_lm_eval),
    "records": (record_files, read_records),
    "tasks": (
        lm_eval.task_files,
        lambda of: (lm_eval.read_summary if next(iter(of)).suffix == ".csv" else lm_eval.read_report)(of),
    ),
}


def _runs(path: Path, files: FilesRead) -> Iterator[tuple[str, tuple[Path, ...]]]:
    """The harness and the files of each run at a path, or below it."""
    if path.is_dir() and not (path / "description.txt").exists():
        if found := helm_files(path, b""):
            yield "helm", tuple(found)
            return
        for entry in sorted(os.scandir(path), key=lambda each: each.name):
            if not entry.is_symlink() and not entry.name.startswith("."):
                yield from _runs(Path(entry.path), files)
    elif path.is_file() and path.suffix in _ENDINGS:
        head = files.head(path).content[:HEAD]
        of = ((name, tuple(files_of(path, head))) for name, (files_of, _) in _HARNESSES.items())
        yield from [each for each in of if each[1]][:1]


def _logs(harness: str, paths: tuple[Path, ...], files: FilesRead) -> Logs:
    """What the files of one run hold; read once."""

    def read() -> Logs:
        try:
            contents = {path: files.source(path, keep=True).content for path in paths}
            return [replace(log, files=paths) for log in _HARNESSES[harness][1](contents)]
        except AslibError as error:
            return [broken(error, harness, paths)]

    return files.once(("evaluations", paths), read, keep=True)


def _groups(paths: tuple[Path, ...], files: FilesRead) -> dict[str, Logs]:
    """Part of a location → its logs; the part is the name that tells scenarios of it apart."""
    found = dict.fromkeys(run for path in paths for run in _runs(path, files))
    logs = _without_cut([log for harness, of_run in found for log in _logs(harness, of_run, files)])
    logs = _by_settings(_by_settings(logs, "data_set"), "model")
    if all(path.suffix == ".jsonl" for path in paths):  # other tasks of the run were not named
        asked = {str(path) for path in paths}
        logs = [log for log in logs if log.file in asked] or logs
    of: dict[tuple[object, ...], list[EvaluationLog]] = {}
    models: dict[tuple[object, ...], set[str]] = {}
    for log in logs:
        models.setdefault(_kind(log), set()).add(log.model)
    for log in logs:
        more = log.metrics.get(log.primary)
        measure = log.primary if log.has_samples or more is None else ""
        key = (*_kind(log)[1:], measure, more, frozenset(models[_kind(log)]))
        of.setdefault(key, []).append(log)
    if len(of) == 1:
        return {"": logs}
    named: dict[str, Logs] = {}
    for group in of.values():
        sets = dict.fromkeys(log.data_set for log in group)
        primaries = {log.primary for log in group}
        metric = primaries.pop() if len(primaries) == 1 else "score"
        name = next(iter(sets)) if len(sets) == 1 else f"{group[0].harness}-{metric}"
        taken = Counter(each.partition("#")[0] for each in named)[name]
        named[f"{name}#{taken + 1}" if taken else name] = group
    return named


def _without_cut(logs: Logs) -> Logs:
    """The logs without evaluations that did not end, where another one of their data set did."""
    whole = {log.data_set for log in logs if log.is_whole}
    hint = "The import leaves this log out, because others of its data set are whole. Run it again."
    told: dict[str, list[Finding]] = {}
    for log in logs:
        if not log.is_whole and log.data_set in whole:
            told.setdefault(log.data_set, []).extend(replace(each, hint=hint) for each in log.findings)
    kept = [log for log in logs if log.is_whole or log.data_set not in whole]
    return [replace(log, findings=(*log.findings, *told.pop(log.data_set, ()))) for log in kept]


def _by_settings(logs: Logs, field: str) -> Logs:
    """The logs, with settings in the name where one model has several on one data set.

    field: whose name, ``model`` or ``data_set``.
    """
    settings: dict[str, set[tuple[str, ...]]] = {}
    of_pair: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for log in logs:
        settings.setdefault(getattr(log, field), set()).add(log.settings.get(field, ()))
        of_pair.setdefault((log.model, log.data_set), set()).add(log.settings.get(field, ()))
    differ = {getattr(log, field) for log in logs if len(of_pair[log.model, log.data_set]) > 1}

    def named(log: EvaluationLog) -> EvaluationLog:
        name = getattr(log, field)
        common = set.intersection(*map(set, settings[name]))
        own = ", ".join(each for each in log.settings.get(field, ()) if each not in common)
        changed: dict[str, Any] = {field: f"{name} ({own})"} if own and name in differ else {}
        if "data_set" in changed and not log.has_samples:
            changed["samples"] = [each._replace(item=changed[field]) for each in log.samples]
        return replace(log, **changed)

    return [named(log) for log in logs]


def _kind(log: EvaluationLog) -> tuple[object, ...]:
    """A data set as one harness asks it, with scores on one scale."""
    return (log.data_set, log.harness, log.has_samples, *map(str, log.scale))


def _group(location: Location) -> Logs:
    return _groups(location.beside or (location.path,), location.files).get(location.part, ())


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    paths = dict.fromkeys(path for log in _group(location) for path in log.files)
    root = location.path if location.path.is_dir() else location.path.parent
    with os_errors(hint="Check the permissions."):
        named = {os.path.relpath(path, root).replace("../", ""): path for path in paths}
        sources = {name: location.files.source(path) for name, path in named.items()}
    return sources | said_as_source(choices.text())


def _identify(choices: TableChoices, location: Location) -> str:
    """The name of the file or folder, and the data set where the folder holds several scenarios."""
    if location.part and choices.scenario_id:
        what = "holds several scenarios, which cannot all have one name"
        raise AslibError(what, location.shown, "Leave --scenario-id out, or name one of its logs.")
    name = default_name(location) or location.path.absolute().name
    return choices.scenario_id or (f"{name}-{location.part}" if location.part else name)


def _read(choices: TableChoices, location: Location, sources: Sources) -> Parsed:
    parsed = _parsed(choices, location, sources)
    # Of an archive the files lie elsewhere than its user sees them.
    root = str(location.path)
    told = [
        replace(each, file=location.shown + each.file[len(root) :]) if each.file.startswith(root) else each
        for each in parsed.findings
    ]
    return replace(parsed, findings=tuple(told))


def _parsed(choices: TableChoices, location: Location, sources: Sources) -> Parsed:
    logs, found = _alike(_group(location)), LimitedFindings(location.shown)
    for each in (each for log in logs for each in (*log.findings, *_places(log))):
        found.say(each.code, (each.file, each.line), each.message, each.hint)
    if not logs or _has_error(found):
        return Parsed(found.findings)
    metrics = _directions(logs, choices, found, location)
    if _has_error(found):
        return Parsed(found.findings)
    rows = _shared(logs, found)
    if not rows:
        what = "the models have no sample in common"
        hint = "Import the logs one by one, or run the models on the same items."
        found.say("run-missing", (location.shown, None), what, hint)
        return Parsed(found.findings)
    measures, units = _measures(rows, metrics, logs, found, location)
    _compare(logs, found)
    _understood(logs, rows, measures, found, location)
    families = {item: log.family for log, item, _ in reversed(rows)}
    items = dict.fromkeys(item for _, item, _ in rows)
    told = [{"instance_id": item, "attribute": FAMILY, "value": families[item]} for item in items]
    tables = {
        "scenario": scenario_table(location, sources, measures=measures, units=units),
        "source": source_table(sources),
        "algorithm": algorithm_table(sorted({log.model for log, _, _ in rows})),
        "run": _run_table(rows, [*measures]),
        "attribute": table("attribute", told),
    }
    of = [(log.model, item, sample) for log, item, sample in rows]
    (primary, more), *_ = measures.items()
    doubts = content_findings(of, primary, more=more, file=location.shown)
    return Parsed((*found.findings, *doubts), tables)


Rows = Sequence[tuple[EvaluationLog, str, Sample]]


def _has_error(found: LimitedFindings) -> bool:
    return any(each.severity == "error" for each in found.findings)


def _places(log: EvaluationLog) -> Iterator[Finding]:
    """Report samples without an id and samples that occur twice."""
    for (item, repetition), n in Counter((s.item, s.repetition) for s in log.samples).items():
        if not item or n > 1:
            what = f"sample {item} occurs {n} times as repetition {repetition}"
            what = what if item else f"{plural(n, 'sample')} of {log.data_set} have no id"
            yield new_finding("log-file", file=log.file, what=what, hint="Is the log whole?")


def _alike(logs: Logs) -> Logs:
    """The logs with one name for their primary metrics, which may differ if logs only state scores."""
    if len({log.primary for log in logs}) == 1:
        return logs

    def called(log: EvaluationLog, of: Mapping[str, T]) -> dict[str, T]:
        return {"score" if name == log.primary else name: value for name, value in of.items()}

    return [
        replace(
            log,
            metrics=called(log, log.metrics),
            units=called(log, log.units),
            samples=[each._replace(values=called(log, each.values)) for each in log.samples],
        )
        for log in logs
    ]


def _directions(
    logs: Logs, choices: TableChoices, found: LimitedFindings, location: Location
) -> dict[str, bool]:
    """Metric with a known direction → whether more is better; the primary one first."""
    common = logs[0].primary
    metrics: dict[str, bool | None] = {}
    for log in logs:
        for name, more in log.metrics.items():
            if more is not None and metrics.get(name) is (not more):
                what = f"more {name} is better in one log, and less in another"
                found.say("log-direction", (log.file, None), what, "Import the logs one by one.")
            metrics[name] = metrics.get(name) if more is None else more
    for name, more in metrics.items():
        said = True if name in choices.maximize else False if name in choices.measure else more
        if more is not None and said is not more:
            what = f"the log says that {'more' if more else 'less'} {name} is better"
            hint = f"Leave out --{'maximize' if said else 'measure-column'} {name}."
            found.say("log-direction", (location.shown, None), what, hint)
        metrics[name] = said
    if all(log.is_success for log in logs) and metrics[common] is None:
        metrics[common] = True
        what = f"the log does not say whether more {common} is better; more is assumed to be"
        hint = f"Scorers usually give 1 for a success. If less is better, add --measure-column {common}"
        found.say("runs-direction", (logs[0].file, None), what, hint)
    strange = [name for name in (*choices.maximize, *choices.measure) if name not in metrics]
    if strange and not location.part:
        what = f"no metric is called {list_names(strange)}; there are {list_names([*metrics])}"
        found.say("log-direction", (location.shown, None), what, "Write it as the log does.")
    if not metrics or metrics[common] is None:
        what = (
            f"the log does not say whether more {common} is better"
            if metrics
            else "the log names no metric"
        )
        say = partial("'aslib-eval import {} --{} {}'".format, shlex.quote(location.shown))
        name = shlex.quote(common)
        hint = f"If more is better: {say('maximize', name)}; if less is: {say('measure-column', name)}"
        found.say("log-direction", (location.shown, None), what, hint if metrics else "Has it been scored?")
    if unknown := [name for name, more in metrics.items() if more is None and name != common]:
        what = (
            f"{list_names(unknown)}: the log does not say whether more is better, so they are not measures"
        )
        hint = f"If more is better, add --maximize {unknown[0]}; if less, --measure-column {unknown[0]}."
        found.say("log-left-out", (location.shown, None), what, hint)
    return {name: more for name, more in metrics.items() if more is not None}


def _shared(logs: Logs, found: LimitedFindings) -> list[tuple[EvaluationLog, str, Sample]]:
    """The samples of items that all models have, each with its log and the name of its instance.

    Several logs of a model on a data set are repetitions.
    """
    owners = Counter(item for _, item in {(log.data_set, s.item) for log in logs for s in log.samples})
    rows: list[tuple[EvaluationLog, str, Sample]] = []
    by_set: dict[str, dict[str, list[EvaluationLog]]] = {}
    for log in logs:
        by_set.setdefault(log.data_set, {}).setdefault(log.model, []).append(log)
    for data_set, of in by_set.items():
        items = [{s.item for log in of_model for s in log.samples} for of_model in of.values()]
        common = set.intersection(*items)
        if left := len(set.union(*items) - common):
            what = f"{data_set}: skipped {plural(left, 'sample')} that some of {len(of)} models lack"
            hint = f"All models have {len(common)}. Run them on the same items."
            found.say("log-left-out", (next(iter(of.values()))[0].file, None), what, hint)
        for model, of_model in of.items():
            before = 0
            for log in of_model:
                if log is not of_model[0]:
                    what = f"another log of {model} on {data_set}: its runs count as further repetitions"
                    found.say("log-again", (log.file, None), what, "If it is a copy, remove it.")
                for s in (s for s in log.samples if s.item in common):
                    name = s.item if owners[s.item] == 1 else f"{data_set}/{s.item}"
                    rows.append((log, name, s._replace(repetition=s.repetition + before)))
                before += max((s.repetition for s in log.samples), default=0)
    return rows


def _measures(
    rows: Rows, metrics: Mapping[str, bool], logs: Logs, found: LimitedFindings, location: Location
) -> tuple[dict[str, bool], dict[str, str]]:
    """Measures with their direction, and units of those that have one; price, time and tokens come last."""
    primary = next(iter(metrics))
    there = Counter(name for *_, s in rows for name in s.values)
    scored = sum(not s.failed for _, _, s in rows)
    kept = {name: more for name, more in metrics.items() if name == primary or there[name] == scored}
    if partly := [name for name in metrics if name not in kept and there[name]]:
        what = f"{list_names(partly)}: some samples lack it, so it is not a measure"
        hint = "To keep it, give it to every sample that has a score."
        found.say("log-left-out", (location.shown, None), what, hint)
    kept |= {name: False for name in USED if there[name]}
    units = {**{name: unit for log in logs for name, unit in log.units.items()}, **USED}
    return kept, {name: unit for name, unit in units.items() if name in kept}


def _run_table(rows: Rows, measures: Sequence[str]) -> pa.Table:
    """The relation ``run``: a failed run has no score, but its price, time and tokens if they are known."""
    return table(
        "run",
        [
            {
                "instance_id": item,
                "repetition": sample.repetition,
                "algorithm": log.model,
                "measure": measure,
                "value": value,
                "runstatus": (sample.failed or "other") if value is None else "ok",
            }
            for measure in measures
            for log, item, sample in rows
            for value in [sample.values.get(measure)]
        ],
    )


def _compare(logs: Logs, found: LimitedFindings) -> None:
    """Compare the score that a harness states with the mean of its samples."""
    for log in logs:
        if not log.has_samples or log.stated is None:
            continue
        scores = [s.values[log.primary] for s in log.samples if log.primary in s.values]
        mean = fmean(scores) if scores else math.nan
        is_alike = math.isclose(mean, log.stated, rel_tol=_ROUNDED, abs_tol=_ROUNDED)
        if not is_alike or (log.n_stated or 0) > len(log.samples):
            of = "" if log.n_stated is None else f" of {plural(log.n_stated, 'sample')}"
            samples = f"its {len(scores)} scored samples give {mean:g}"
            what = f"the log states {log.primary} {log.stated:g}{of}; {samples}"
            found.say("log-stated", (log.file, None), what, "Ranks use the samples in the log.")


def _understood(
    logs: Logs, rows: Rows, measures: Mapping[str, bool], found: LimitedFindings, location: Location
) -> None:
    primary = next(iter(measures))
    models = [*dict.fromkeys(log.model for log in logs)]
    sets = [*dict.fromkeys(log.data_set for log in logs)]
    instances = len({item for _, item, _ in rows})
    of_models = f"{plural(len(models), 'model')} ({list_names(models[:NAMES])})"
    of_sets = f"{plural(len(sets), 'data set')} ({list_names(sets[:NAMES])})"
    what = f"{logs[0].harness}: {of_models} on {plural(instances, 'instance')} of {of_sets}"
    found.say("log-understood", (location.shown, None), what)
    rest = [name for name in measures if name != primary]
    more = f"; further measures: {list_names(rest)}" if rest else ""
    better = "more" if measures[primary] else "less"
    what = f"the primary measure is {primary}, {logs[0].why}: {better} is better{more}"
    found.say("log-understood", (location.shown, None), what)
    if failed := sum(bool(s.failed) for _, _, s in rows):
        what = f"{plural(failed, 'run')} without a score (an error, or nothing to score) failed"
        hint = "A failed run is not a 0: the protocol sets its cost."
        found.say("log-left-out", (location.shown, None), what, hint)
    if not logs[0].has_samples:
        what = "the log has only scores: each evaluation is one instance"
        sure = [name for name in (ERROR, ITEMS) if name in measures]
        hint = f"Their uncertainty is in {list_names(sure)}." if sure else "Their uncertainty is not known."
        found.say("log-understood", (location.shown, None), what, hint)


EVALUATIONS = evaluations_format(TableChoices())


def content_findings(
    rows: Sequence[tuple[str, str, Sample]], primary: str, *, more: bool, file: str
) -> tuple[Finding, ...]:
    """Prompts that occur twice, and solvers that give different prompts the same wrong answer.

    Where few answers can be chosen, one of them often occurs, and is sometimes right.

    rows: solver, instance and sample. more: whether more of the primary measure is better.
    """
    found, place = LimitedFindings(file), (file, None)
    asked: dict[tuple[str, str], set[str]] = {}
    answers: dict[str, dict[str, str]] = {}
    for solver, instance, sample in rows:
        if sample.prompt:
            asked.setdefault((solver, sample.prompt), set()).add(instance)
            if sample.answer:
                answers.setdefault(solver, {})[sample.prompt] = sample.answer
    again = {frozenset(instances) for instances in asked.values() if len(instances) > 1}
    if extra := sum(len(each) - 1 for each in again):
        example = " and ".join(sorted(min(again, key=sorted))[:2])
        what = f"{plural(extra, 'instance')} with the prompt of another one, such as {example}"
        hint = "The prompt counts more than once in each mean, and intervals are too narrow."
        found.say("log-prompts", place, what, hint)
    scored = [(solver, s.answer, s.values[primary]) for solver, _, s in rows if primary in s.values]
    worst = (min if more else max)((score for *_, score in scored), default=0.0)
    right = {(solver, answer) for solver, answer, score in scored if score != worst}
    for solver, of in answers.items():
        answer, most = Counter(of.values()).most_common(1)[0]
        is_often = len(of) >= _FEW_ANSWERS and most > max(_ALIKE * len(of), 1)
        if is_often and (solver, answer) not in right:
            what = f"{solver} gives the same answer to {most} of {len(of)} different prompts"
            found.say("log-answers", place, what, "It always has the worst score. Is the answer an error?")
    return found.findings
