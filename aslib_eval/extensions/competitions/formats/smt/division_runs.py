"""Results of a track and division of SMT-COMP → a scenario, and what is to be said.

Source: ``Answer`` of smtcomp/defs.py and smtcomp/scoring.py, of 2025, in
github.com/SMT-COMP/smt-comp.github.io.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.formats.competition_runs import (
    GROUND_TRUTH,
    OUTSIDE,
    CompetitionRun,
    CompetitionRuns,
    relations,
    year_of,
)
from aslib_eval.extensions.competitions.formats.implausible import implausible
from aslib_eval.extensions.competitions.formats.smt.results_file import (
    benchmarks_beside,
    benchmarks_of,
    results_of,
)
from aslib_eval.extensions.competitions.formats.smt.smt_runs import (
    TRACKS,
    KnownSmtBenchmark,
    SmtBenchmark,
    SmtRun,
    counted,
)
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.sources import Location, Sources
from aslib_eval.formats.sources import shown as shown_path
from aslib_eval.text import plural, shown

MEASURES = ("wall_time", "cpu_time")
# The limit of wall-clock time [s] by year.
# Source: the pages of results in archive/ of that repository; 2018 of the main track.
LIMIT, LIMITS, CHALLENGE = 1200.0, {"2019": 2400.0}, 43_200.0
_NEARLY = 0.999  # of the limit: a timeout that was measured a little early
_TOO_LATE = 2  # answers that come after so many limits are of another unit
# Tracks that have benchmarks of one status alone, and it.
_OF_TRACK = {"UnsatCore": "unsat", "ModelValidation": "sat"}
# What nb_answers says something of.
_COUNTING = ("Incremental", "ChallengeIncremental", "UnsatCore")
_CODE = "runs-file"


class _Meaning(NamedTuple):
    """What a word of the file means: how the run ended, what it claims, how judged."""

    status: str
    claim: str | None = None
    judged: str | None = None


_WORDS: Mapping[str, _Meaning] = {
    "sat": _Meaning("ok", "sat"),
    "unsat": _Meaning("ok", "unsat"),
    "unknown": _Meaning("other", "unknown"),
    "incremental": _Meaning("ok"),
    "Timeout": _Meaning("timeout"),
    "OutOfMemory": _Meaning("memout"),
    "IncrementalError": _Meaning("wrong", None, "wrong"),
    "UnsatCoreNotValidated": _Meaning("wrong", "unsat", "wrong"),
    "ModelUnsat": _Meaning("wrong", "sat", "wrong"),
    "ModelNotValidated": _Meaning("other", "sat"),
    "ModelParsingError": _Meaning("other", "sat"),
    "ModelPartialFunctionMissing": _Meaning("other", "sat"),
    "ModelValidatorException": _Meaning("other", "sat"),
    "ModelValidatorBenchmarkStrictTyping": _Meaning("other", "sat"),
    "ModelValidatorTimeout": _Meaning("other", "sat"),
}
# Names of these in the program of the organisers, where a file has them.
_NAMES = {
    "Sat": "sat",
    "Unsat": "unsat",
    "Unknown": "unknown",
    "Incremental": "incremental",
    "OOM": "OutOfMemory",
    "UnsatCoreInvalidated": "UnsatCoreNotValidated",
}


def read_division(
    location: Location, sources: Sources, *, cutoff: float | None
) -> Parsed:
    """A scenario of one track and division, or all that is wrong with the file.

    cutoff: limit of wall-clock time [s], None = that of the year.
    """
    name = location.path.name
    file = shown_path(location, name)
    found = results_of(location.path, sources[name], location.files, file=file)
    if found.findings:
        return Parsed(tuple(found.findings))
    track, _, division = location.part.partition("/")
    results = found.runs[track, division]
    report = LimitedFindings(file)
    known = found.known or _known(location, sources, results, report)
    of_year = LIMITS.get(year_of(location.shown), LIMIT)
    limit = cutoff or (CHALLENGE if track.startswith("Challenge") else of_year)
    truths = {
        benchmark: truth
        for benchmark in dict.fromkeys(result.benchmark for result in results)
        if (truth := _truth(track, known.get(benchmark)))
    }
    _check_words(results, file, report)
    if cutoff is None:
        _check_times(results, limit, file, report)
    if any(each.severity == "error" for each in report.findings):
        return Parsed(report.findings)
    runs = [_run(result, track, truths) for result in results]
    measures = list(MEASURES)
    if not any(result.cpu for result in results):
        measures = measures[:1]
        what = "each cpu_time is 0, as if nobody had measured it: it is not read"
        report.say("runs-ignored", (file, None), what)
    disputed = _disputed(runs, truths)
    runs += _not_run(results, file, report)
    _say(results, runs, truths, known, track, limit, file, report)
    for instance, claims in disputed.items():
        what = f"{instance} is {' and '.join(claims)}, as solvers say: one is wrong"
        hint = "A protocol may leave it out (disputed_answers)."
        report.say("runs-verdict", (file, None), what, hint)
    how = "as its user says" if cutoff else "of wall-clock time, as in that year"
    what = f"track {TRACKS[track]}, division {division}: {plural(len(runs), 'run')}"
    what += f"; the limit is {shown(limit)} s, {how}"
    report.say("runs-understood", (file, None), what, "" if cutoff else "Or --cutoff.")
    about = _about(results, truths, known, track=track, division=division)
    outside = dict.fromkeys(found.outside, OUTSIDE)
    table = CompetitionRuns(runs, measures, limit, about, disputed, roles=outside)
    odd = implausible(table, file=file)
    tables = relations(table, location=location, sources=sources)
    return Parsed((*report.findings, *odd), tables)


def _known(
    location: Location,
    sources: Sources,
    results: Sequence[SmtRun],
    report: LimitedFindings,
) -> Mapping[SmtBenchmark, KnownSmtBenchmark]:
    """What is known of the benchmarks, from the file beside that of the results."""
    beside = benchmarks_beside(location.path)
    if beside is None or beside.name not in sources:
        return {}
    file, source = shown_path(location, location.path.name), sources[beside.name]
    found = benchmarks_of(source, location.files, file=beside.name)
    if isinstance(found, Finding):
        report.say(_CODE, (beside.name, found.line), found.message, found.hint)
        return {}
    missing = {each.benchmark for each in results if each.benchmark not in found}
    if missing:
        what = f"{beside.name} does not tell of {plural(len(missing), 'benchmark')}"
        report.say("runs-ignored", (file, None), f"{what}, such as {min(missing).path}")
    return found


def _truth(track: str, known: KnownSmtBenchmark | None) -> str | None:
    return _OF_TRACK.get(track) or (known.status if known is not None else None)


def _check_words(results: Sequence[SmtRun], file: str, report: LimitedFindings) -> None:
    """Refuse results that nobody knows."""
    unknown: dict[str, list[SmtRun]] = {}
    for result in results:
        if result.word not in _WORDS and result.word not in _NAMES:
            unknown.setdefault(result.word, []).append(result)
    for word, runs in unknown.items():
        what = f"run {runs[0].number}: nobody knows the result {word!r}"
        what += f", of {plural(len(runs), 'run')}"
        hint = f"There are {', '.join(_WORDS)}."
        report.say(_CODE, (file, None), what, hint)


def _check_times(
    results: Sequence[SmtRun], limit: float, file: str, report: LimitedFindings
) -> None:
    """Refuse times that cannot be seconds under the limit."""
    for result in results:
        answered = result.word.lower() in ("sat", "unsat", "incremental")
        if answered and result.wall > _TOO_LATE * limit:
            what = f"run {result.number}: {result.solver} answers after"
            what += f" {result.wall:g} s, and the limit is {shown(limit)} s"
            hint = "Give times in seconds, or say the limit: --cutoff."
            report.once("runs-cutoff", (file, None), what, hint)


def _run(
    result: SmtRun, track: str, truths: Mapping[SmtBenchmark, str]
) -> CompetitionRun:
    """A run as the lake has it."""
    word = _NAMES.get(result.word, result.word)
    status, claim, judged = _WORDS[word]
    truth = truths.get(result.benchmark)
    if status == "ok" and claim is not None and truth not in (None, claim):
        status = "wrong"
    if word == "incremental" and not result.n_answers:
        status = "other"
    if track == "ModelValidation" and word == "sat":
        judged = "right"
    return CompetitionRun(
        *(result.benchmark.path, result.solver, (result.wall, result.cpu), status),
        said=result.word,
        claim=claim,
        n_answers=result.n_answers if track in _COUNTING else None,
        judged=judged,
        repetition=result.repetition,
    )


def _disputed(
    runs: Sequence[CompetitionRun], truths: Mapping[SmtBenchmark, str]
) -> dict[str, list[str]]:
    """Instances on which answers contradict each other, and nobody knows better."""
    known = {benchmark.path for benchmark in truths}
    claims: dict[str, set[str]] = {}
    for run in runs:
        if run.claim in ("sat", "unsat") and run.instance not in known:
            claims.setdefault(run.instance, set()).add(run.claim)
    return {i: sorted(each) for i, each in claims.items() if len(each) > 1}


def _not_run(
    results: Sequence[SmtRun], file: str, report: LimitedFindings
) -> Iterator[CompetitionRun]:
    """What is missing in the grid: solvers take part in logics, and not in all."""
    done = {(result.solver, result.benchmark) for result in results}
    logics = {(result.solver, result.benchmark.logic) for result in results}
    solvers = sorted({result.solver for result in results})
    left_out: Counter[str] = Counter()
    lost: list[tuple[str, str]] = []
    for benchmark in dict.fromkeys(result.benchmark for result in results):
        for solver in solvers:
            if (solver, benchmark) in done:
                continue
            if (solver, benchmark.logic) in logics:
                lost.append((solver, benchmark.path))
            else:
                left_out[solver] += 1
            times = (None, None)
            yield CompetitionRun(benchmark.path, solver, times, "not_applicable")
    if left_out:
        told = ", ".join(f"{solver} {n}" for solver, n in sorted(left_out.items()))
        what = f"runs in logics in which a solver takes no part: {told}; not applicable"
        report.say("runs-understood", (file, None), what)
    if lost:
        solver, path = lost[0]
        what = f"{solver} has no run on {path}, though it takes part in its logic"
        more = f"; {plural(len(lost), 'such run')}" if len(lost) > 1 else ""
        what += f"{more}: not applicable"
        report.say("runs-missing", (file, None), what, "Was the file cut?")


def _say(
    results: Sequence[SmtRun],
    runs: Sequence[CompetitionRun],
    truths: Mapping[SmtBenchmark, str],
    known: Mapping[SmtBenchmark, KnownSmtBenchmark],
    track: str,
    limit: float,
    file: str,
    report: LimitedFindings,
) -> None:
    """What a reader of the numbers has to know."""
    pairs = list(zip(results, runs, strict=False))
    wrong = [result for result, run in pairs if run.status == "wrong"]
    if wrong:
        what = f"wrong answers are not solved: {counted(wrong)}"
        first = f"run {wrong[0].number}, {wrong[0].benchmark.path}"
        report.say("runs-wrong", (file, None), f"{what} (the first is {first})")
    for result in results if track == "UnsatCore" else ():
        asserts = known[result.benchmark].asserts if result.benchmark in known else None
        if asserts is not None and (result.n_answers or 0) > asserts:
            what = f"run {result.number}: a core of {result.n_answers} of {asserts}"
            what += f" assertions, of {result.solver} on {result.benchmark.path}"
            report.say("runs-verdict", (file, None), what, "Is it another column's?")
    if again := [result for result in results if result.repetition > 1]:
        what = f"runs that are there twice count twice: {counted(again)}"
        first = f"the first is run {again[0].number}, {again[0].benchmark.path}"
        report.say("runs-repeated", (file, None), f"{what} ({first})")
    late = [
        result for result, run in pairs if run.status == "ok" and result.wall > limit
    ]
    if late:
        what = f"answers above the limit stay as they are: {counted(late)}"
        report.say("runs-late", (file, None), f"{what} (run {late[0].number})")
    early = [
        result
        for result, run in pairs
        if run.status == "timeout" and result.wall < _NEARLY * limit
    ]
    if early:
        what = f"timeouts below the limit stay as they are: {counted(early)}"
        report.say("runs-early", (file, None), f"{what} (run {early[0].number})")
    if not truths and any(run.claim in ("sat", "unsat") for run in runs):
        what = "nobody knows the right answers: every answer is solved"
        hint = "benchmarks-YEAR.json beside the file would tell."
        report.say("runs-unjudged", (file, None), what, hint)
    counts = Counter(run.status for run in runs)
    told = ", ".join(f"{word} {n}" for word, n in sorted(counts.items()))
    report.say("runs-understood", (file, None), told)


def _about(
    results: Sequence[SmtRun],
    truths: Mapping[SmtBenchmark, str],
    known: Mapping[SmtBenchmark, KnownSmtBenchmark],
    *,
    track: str,
    division: str,
) -> dict[str, dict[str, str]]:
    """Attributes of the benchmarks."""
    benchmarks = dict.fromkeys(result.benchmark for result in results)
    counts = {
        name: {
            each.path: str(n)
            for each in benchmarks
            if each in known and (n := getattr(known[each], name)) is not None
        }
        for name in ("asserts", "check_sats")
    }
    found = {
        GROUND_TRUTH: {
            each.path: truths[each] for each in benchmarks if each in truths
        },
        "family": {each.path: each.family for each in benchmarks if each.family},
        "logic": {each.path: each.logic for each in benchmarks},
        "division": {each.path: division for each in benchmarks},
        "track": {each.path: TRACKS[track] for each in benchmarks},
        **counts,
    }
    return {name: values for name, values in found.items() if values}
