"""Results of SMT-COMP from its web site: a scenario for each track and division.

``results-*.json`` or ``.json.gz``::

    {"results": [{"track": "Parallel", "solver": "Yices2", "result": "sat",
                  "cpu_time": 3.5, "wallclock_time": 1.2, "nb_answers": 1,
                  "file": {"logic": "QF_BV", "family": ["2019-x"], "name": "a.smt2",
                           "incremental": false}}, …]}

``benchmarks-YEAR.json`` beside it describes the benchmarks. Until 2023 the results are jobs of StarExec
with benchmarks in a folder such as ``Competition - Single Query Track``; the cloud and parallel tracks of
2021 and 2022 are tables.

Source: ``Answer`` of smtcomp/defs.py and smtcomp/scoring.py, of 2025, in
github.com/SMT-COMP/smt-comp.github.io.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from aslib_eval.errors import Finding
from aslib_eval.extensions.competitions.raw_runs import (
    GROUND_TRUTH,
    OUTSIDE,
    CompetitionRun,
    CompetitionRuns,
    RawFile,
    beginning,
    raw_format,
    year_of,
)
from aslib_eval.extensions.competitions.smt_tables import (
    BENCHMARKS,
    TRACKS,
    KnownSmtBenchmark,
    SmtBenchmark,
    SmtRun,
    benchmarks_beside,
    benchmarks_of,
    counted,
    files_beside,
    is_run_table,
    parts_of,
    results_of,
    scenario_id,
)
from aslib_eval.formats import Parsed
from aslib_eval.formats.sources import FilesRead, Location
from aslib_eval.text import plural, shown

MEASURES = ("wall_time", "cpu_time")
# The limit of wall-clock time [s] by year.
# Source: the pages of results in archive/ of that repository; 2018 of the main track.
LIMIT, LIMITS, CHALLENGE = 1200.0, {"2019": 2400.0}, 43_200.0
_NEARLY = 0.999  # of the limit: a timeout that was measured a little early
_TOO_LATE = 2  # answers after so many limits have another unit
# Track → the status of all its benchmarks.
_OF_TRACK = {"UnsatCore": "unsat", "ModelValidation": "sat"}
# Tracks that use nb_answers.
_COUNTING = ("Incremental", "ChallengeIncremental", "UnsatCore")
_CODE = "runs-file"


# Word of the file → status of the run, claim, verdict.
_WORDS: Mapping[str, tuple[str, str | None, str | None]] = {
    "sat": ("ok", "sat", None),
    "unsat": ("ok", "unsat", None),
    "unknown": ("other", "unknown", None),
    "incremental": ("ok", None, None),
    "Timeout": ("timeout", None, None),
    "OutOfMemory": ("memout", None, None),
    "IncrementalError": ("wrong", None, "wrong"),
    "UnsatCoreNotValidated": ("wrong", "unsat", "wrong"),
    "ModelUnsat": ("wrong", "sat", "wrong"),
    "ModelNotValidated": ("other", "sat", None),
    "ModelParsingError": ("other", "sat", None),
    "ModelPartialFunctionMissing": ("other", "sat", None),
    "ModelValidatorException": ("other", "sat", None),
    "ModelValidatorBenchmarkStrictTyping": ("other", "sat", None),
    "ModelValidatorTimeout": ("other", "sat", None),
}
# Names in the organisers' program, which some files have → word.
_NAMES = {
    "Sat": "sat",
    "Unsat": "unsat",
    "Unknown": "unknown",
    "Incremental": "incremental",
    "OOM": "OutOfMemory",
    "UnsatCoreInvalidated": "UnsatCoreNotValidated",
}


def read_division(raw: RawFile, *, cutoff: float | None) -> Parsed:
    """The scenario of one track and division, or the errors of the file.

    cutoff: limit of wall-clock time [s]; None = the limit of the year.
    """
    location = raw.location
    found = results_of(location.path, raw.sources[location.path.name], location.files, file=raw.name)
    raw.add(found.findings)
    if raw.is_broken:
        return raw.parsed()
    track, _, name = location.part.partition("/")
    results = found.runs[track, name]
    known = found.known or _known(results, raw)
    of_year = LIMITS.get(year_of(location.shown), LIMIT)
    limit = cutoff or (CHALLENGE if track.startswith("Challenge") else of_year)
    benchmarks = [*dict.fromkeys(result.benchmark for result in results)]
    truths = {
        benchmark: truth
        for benchmark in benchmarks
        if (truth := _OF_TRACK.get(track) or (benchmark in known and known[benchmark].status))
    }
    _check(results, limit, raw, is_of_year=cutoff is None)
    if raw.is_broken:
        return raw.parsed()
    runs = [_run(result, track, truths) for result in results]
    measures = list(MEASURES)
    if not any(result.cpu for result in results):
        measures = measures[:1]
        raw.say("runs-ignored", "every cpu_time is 0, so CPU time is not imported")
    known_paths = {benchmark.path for benchmark in truths}
    claims: dict[str, set[str]] = {}
    for run in runs:
        if run.claim in ("sat", "unsat") and run.instance not in known_paths:
            claims.setdefault(run.instance, set()).add(run.claim)
    disputed = {instance: sorted(said) for instance, said in claims.items() if len(said) > 1}
    runs += _not_run(results, benchmarks, raw)
    asserts = {b: known[b].asserts for b in benchmarks if b in known and track == "UnsatCore"}
    _say(results, runs, limit, asserts, raw)
    if not truths and any(run.claim in ("sat", "unsat") for run in runs):
        what = "the right answers are unknown, so every answer counts as solved"
        raw.say("runs-unjudged", what, "Put benchmarks-YEAR.json beside the file.")
    raw.say_statuses(runs)
    for instance, said in disputed.items():
        what = f"solvers say {' and '.join(said)} on {instance}, so one answer is wrong"
        raw.say("runs-verdict", what, "To leave the instance out, set disputed_answers in a protocol.")
    how = "as given" if cutoff else "of wall-clock time, as in the competition"
    what = f"track {TRACKS[track]}, division {name}: {plural(len(runs), 'run')}"
    what += f"; the limit is {shown(limit)} s, {how}"
    raw.say("runs-understood", what, "" if cutoff else "Use --cutoff for another limit.")
    about = _about(track, name, benchmarks, truths, known)
    outside = dict.fromkeys(sorted(found.outside), OUTSIDE)
    return raw.parsed(CompetitionRuns(runs, measures, limit, about, disputed, roles=outside))


def _known(results: Sequence[SmtRun], raw: RawFile) -> Mapping[SmtBenchmark, KnownSmtBenchmark]:
    """The facts about benchmarks in the file beside the results."""
    name = next((each for each in raw.sources if each.startswith(BENCHMARKS)), None)
    if name is None:
        return {}
    found = benchmarks_of(raw.sources[name], raw.location.files, file=name)
    if isinstance(found, Finding):
        raw.say(_CODE, found.message, found.hint, line=found.line, file=name)
        return {}
    missing = {each.benchmark for each in results if each.benchmark not in found}
    if missing:
        what = f"{name} lacks {plural(len(missing), 'benchmark')}"
        raw.say("runs-ignored", f"{what}, such as {min(missing).path}")
    return found


def _check(results: Sequence[SmtRun], limit: float, raw: RawFile, *, is_of_year: bool) -> None:
    """Refuse unknown results, and times far above the limit of the year (``is_of_year``)."""
    unknown: dict[str, list[SmtRun]] = {}
    for result in results:
        if result.word not in _WORDS and result.word not in _NAMES:
            unknown.setdefault(result.word, []).append(result)
    for word, runs in unknown.items():
        what = f"run {runs[0].number}: the result {word!r} of {plural(len(runs), 'run')} is unknown"
        raw.say(_CODE, what, f"Known are {', '.join(_WORDS)}.")
    late = (
        result
        for result in results
        if result.word.lower() in ("sat", "unsat", "incremental") and result.wall > _TOO_LATE * limit
    )
    if is_of_year and (first := next(late, None)):
        what = f"run {first.number}: {first.solver} answers after"
        what += f" {first.wall:g} s, and the limit is {shown(limit)} s"
        raw.say("runs-cutoff", what, "Write times in seconds, or give the limit with --cutoff.")


def _run(result: SmtRun, track: str, truths: Mapping[SmtBenchmark, str]) -> CompetitionRun:
    word = _NAMES.get(result.word, result.word)
    status, claim, judged = _WORDS[word]
    if status == "ok" and claim is not None and truths.get(result.benchmark) not in (None, claim):
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


def _not_run(
    results: Sequence[SmtRun], benchmarks: Sequence[SmtBenchmark], raw: RawFile
) -> Iterator[CompetitionRun]:
    """The pairs of solver and benchmark without a run: solvers enter some logics alone."""
    done = {(result.solver, result.benchmark) for result in results}
    logics = {(solver, benchmark.logic) for solver, benchmark in done}
    solvers = sorted({solver for solver, _ in done})
    left_out: Counter[str] = Counter()
    lost: list[tuple[str, str]] = []
    for benchmark in benchmarks:
        for solver in solvers:
            if (solver, benchmark) in done:
                continue
            if (solver, benchmark.logic) in logics:
                lost.append((solver, benchmark.path))
            else:
                left_out[solver] += 1
            yield CompetitionRun(benchmark.path, solver, (None, None), "not_applicable")
    if left_out:
        told = ", ".join(f"{solver} {n}" for solver, n in sorted(left_out.items()))
        what = f"solvers have no runs in logics that they did not enter: {told} (not applicable)"
        raw.say("runs-understood", what)
    if lost:
        solver, path = lost[0]
        what = f"{solver} entered the logic of {path}, but has no run on it"
        more = f"; {plural(len(lost), 'such run')}" if len(lost) > 1 else ""
        raw.say("runs-missing", f"{what}{more} (not applicable)", "Fetch the file again if it was cut.")


def _say(
    results: Sequence[SmtRun],
    runs: Sequence[CompetitionRun],
    limit: float,
    asserts: Mapping[SmtBenchmark, int | None],
    raw: RawFile,
) -> None:
    """Warn of wrong answers, repeated runs and odd times. asserts: of benchmarks with counted cores."""
    pairs = list(zip(results, runs, strict=False))
    if wrong := [result for result, run in pairs if run.status == "wrong"]:
        what = f"wrong answers count as not solved: {counted(wrong)}"
        raw.say("runs-wrong", f"{what} (the first is run {wrong[0].number}, {wrong[0].benchmark.path})")
    for result in results:
        most = asserts.get(result.benchmark)
        if most is not None and (result.n_answers or 0) > most:
            what = f"run {result.number}: the core of {result.solver} on {result.benchmark.path} has"
            what += f" {result.n_answers} assertions, but the benchmark has {most}"
            raw.say("runs-verdict", what, "Check whether the number belongs to another column.")
    if again := [result for result in results if result.repetition > 1]:
        what = f"repeated runs count twice: {counted(again)}"
        raw.say("runs-repeated", f"{what} (the first is run {again[0].number}, {again[0].benchmark.path})")
    late = [r for r, run in pairs if run.status == "ok" and r.wall > limit]
    early = [result for result, run in pairs if run.status == "timeout" and result.wall < _NEARLY * limit]
    for code, odd, which in (("runs-late", late, "answers above"), ("runs-early", early, "timeouts below")):
        if odd:
            raw.say(code, f"{which} the limit are kept: {counted(odd)} (run {odd[0].number})")


def _about(
    track: str,
    division: str,
    benchmarks: Sequence[SmtBenchmark],
    truths: Mapping[SmtBenchmark, str],
    known: Mapping[SmtBenchmark, KnownSmtBenchmark],
) -> dict[str, dict[str, str]]:
    """Attribute → benchmark → its value."""
    paths = [each.path for each in benchmarks]
    found = {
        GROUND_TRUTH: {each.path: truth for each, truth in truths.items()},
        "family": {each.path: each.family for each in benchmarks if each.family},
        "logic": {each.path: each.logic for each in benchmarks},
        "division": dict.fromkeys(paths, division),
        "track": dict.fromkeys(paths, TRACKS[track]),
    }
    for fact in ("asserts", "check_sats"):
        numbers = {each.path: getattr(known[each], fact) for each in benchmarks if each in known}
        found[fact] = {path: str(n) for path, n in numbers.items() if n is not None}
    return found


_ENDINGS = (".json", ".json.gz")
_BEGINS = re.compile(rb'\s*\{\s*"results"\s*:\s*\[\s*\{')
_COLUMNS_OF_ALL = (b'"track"', b'"solver"', b'"file"', b'"logic"', b'"result"')
_SPACE = b"Competition - "  # of StarExec
# Beginnings of tables of the cloud tracks and of the archive.
_CSV = (b"benchmark,solver,wallclock", b"benchmark,millisecond", b"benchmark_id,division")
_START = 1 << 16  # bytes that identify such a file


def _find(path: Path, files: FilesRead) -> list[Location]:
    """A scenario for each track and division of a file, or of the files of a folder."""
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.is_file())
        return [each for file in inside for each in _find(file, files)]
    if not _is_results(path, files):
        return []
    return [Location(path, str(path), part) for part in parts_of(path, files) or ("",)]


def _is_results(path: Path, files: FilesRead) -> bool:
    """Whether a file begins as results do, even if it is damaged later."""
    if path.suffix.lower() == ".csv" and path.is_file():
        start = files.head(path).content
        is_likely = _SPACE in start or start.lstrip(b"\xef\xbb\xbf").startswith(_CSV)
        return is_likely and is_run_table(start.decode("utf-8-sig", errors="replace"))
    if not path.name.lower().endswith(_ENDINGS) or not path.is_file():
        return False
    start = beginning(path, files, _START)
    return bool(_BEGINS.match(start)) and all(word in start for word in _COLUMNS_OF_ALL)


def _beside(path: Path) -> dict[str, Path]:
    return {each.name: each for each in [benchmarks_beside(path), *files_beside(path)] if each is not None}


SMTCOMP = raw_format(
    "smtcomp",
    _find,
    ("results of SMT-COMP", 'Such a file is .json or .json.gz and begins with {"results": [.'),
    scenario_id,
    lambda raw, choices: read_division(raw, cutoff=choices.cutoff),
    _beside,
    choices=frozenset({"scenario_id", "cutoff", "has_unit"}),
)
