"""Results of SMT-COMP as its web site has them: a scenario for each track and division.

``results-*.json`` or ``.json.gz``::

    {"results": [{"track": "Parallel", "solver": "Yices2", "result": "sat",
                  "cpu_time": 3.5, "wallclock_time": 1.2, "nb_answers": 1,
                  "file": {"logic": "QF_BV", "family": ["2019-x"], "name": "a.smt2",
                           "incremental": false}}, …]}

``benchmarks-YEAR.json`` beside it tells what is known of the benchmarks. Until 2023 there are jobs of
StarExec, whose benchmarks lie in a folder such as ``Competition - Single Query Track``, and in 2021 and
2022 tables of the cloud and parallel tracks.

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
_TOO_LATE = 2  # answers that come after so many limits are of another unit
# Tracks that have benchmarks of one status alone, and it.
_OF_TRACK = {"UnsatCore": "unsat", "ModelValidation": "sat"}
# What nb_answers says something of.
_COUNTING = ("Incremental", "ChallengeIncremental", "UnsatCore")
_CODE = "runs-file"


# Word of the file → how the run ended, what it claims, how it was judged.
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
# Names of these in the program of the organisers, where a file has them.
_NAMES = {
    "Sat": "sat",
    "Unsat": "unsat",
    "Unknown": "unknown",
    "Incremental": "incremental",
    "OOM": "OutOfMemory",
    "UnsatCoreInvalidated": "UnsatCoreNotValidated",
}


def read_division(raw: RawFile, *, cutoff: float | None) -> Parsed:
    """A scenario of one track and division, or all that is wrong with the file.

    cutoff: limit of wall-clock time [s], None = that of the year.
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
        raw.say("runs-ignored", "each cpu_time is 0, as if nobody had measured it: it is not read")
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
        what = "nobody knows the right answers: every answer is solved"
        raw.say("runs-unjudged", what, "benchmarks-YEAR.json beside the file would tell.")
    raw.say_statuses(runs)
    for instance, said in disputed.items():
        what = f"{instance} is {' and '.join(said)}, as solvers say: one is wrong"
        raw.say("runs-verdict", what, "A protocol may leave it out (disputed_answers).")
    how = "as its user says" if cutoff else "of wall-clock time, as in that year"
    what = f"track {TRACKS[track]}, division {name}: {plural(len(runs), 'run')}"
    what += f"; the limit is {shown(limit)} s, {how}"
    raw.say("runs-understood", what, "" if cutoff else "Or --cutoff.")
    about = _about(track, name, benchmarks, truths, known)
    outside = dict.fromkeys(sorted(found.outside), OUTSIDE)
    return raw.parsed(CompetitionRuns(runs, measures, limit, about, disputed, roles=outside))


def _known(results: Sequence[SmtRun], raw: RawFile) -> Mapping[SmtBenchmark, KnownSmtBenchmark]:
    """What is known of the benchmarks, from the file beside that of the results."""
    name = next((each for each in raw.sources if each.startswith(BENCHMARKS)), None)
    if name is None:
        return {}
    found = benchmarks_of(raw.sources[name], raw.location.files, file=name)
    if isinstance(found, Finding):
        raw.say(_CODE, found.message, found.hint, line=found.line, file=name)
        return {}
    missing = {each.benchmark for each in results if each.benchmark not in found}
    if missing:
        what = f"{name} does not tell of {plural(len(missing), 'benchmark')}"
        raw.say("runs-ignored", f"{what}, such as {min(missing).path}")
    return found


def _check(results: Sequence[SmtRun], limit: float, raw: RawFile, *, is_of_year: bool) -> None:
    """Refuse results that nobody knows, and times that are no seconds under the limit.

    is_of_year: whether the limit is that of the year, and not as its user says.
    """
    unknown: dict[str, list[SmtRun]] = {}
    for result in results:
        if result.word not in _WORDS and result.word not in _NAMES:
            unknown.setdefault(result.word, []).append(result)
    for word, runs in unknown.items():
        what = f"run {runs[0].number}: nobody knows the result {word!r}, of {plural(len(runs), 'run')}"
        raw.say(_CODE, what, f"There are {', '.join(_WORDS)}.")
    late = (
        result
        for result in results
        if result.word.lower() in ("sat", "unsat", "incremental") and result.wall > _TOO_LATE * limit
    )
    if is_of_year and (first := next(late, None)):
        what = f"run {first.number}: {first.solver} answers after"
        what += f" {first.wall:g} s, and the limit is {shown(limit)} s"
        raw.say("runs-cutoff", what, "Give times in seconds, or say the limit: --cutoff.")


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
    """What is missing in the grid: solvers take part in logics, and not in all."""
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
        what = f"runs in logics in which a solver takes no part: {told}; not applicable"
        raw.say("runs-understood", what)
    if lost:
        solver, path = lost[0]
        what = f"{solver} has no run on {path}, though it takes part in its logic"
        more = f"; {plural(len(lost), 'such run')}" if len(lost) > 1 else ""
        raw.say("runs-missing", f"{what}{more}: not applicable", "Was the file cut?")


def _say(
    results: Sequence[SmtRun],
    runs: Sequence[CompetitionRun],
    limit: float,
    asserts: Mapping[SmtBenchmark, int | None],
    raw: RawFile,
) -> None:
    """Warn of wrong answers, repeated runs and odd times.

    asserts: of benchmarks whose cores are counted.
    """
    pairs = list(zip(results, runs, strict=False))
    if wrong := [result for result, run in pairs if run.status == "wrong"]:
        what = f"wrong answers are not solved: {counted(wrong)}"
        raw.say("runs-wrong", f"{what} (the first is run {wrong[0].number}, {wrong[0].benchmark.path})")
    for result in results:
        most = asserts.get(result.benchmark)
        if most is not None and (result.n_answers or 0) > most:
            what = f"run {result.number}: a core of {result.n_answers} of {most}"
            what += f" assertions, of {result.solver} on {result.benchmark.path}"
            raw.say("runs-verdict", what, "Is it another column's?")
    if again := [result for result in results if result.repetition > 1]:
        what = f"runs that are there twice count twice: {counted(again)}"
        raw.say("runs-repeated", f"{what} (the first is run {again[0].number}, {again[0].benchmark.path})")
    late = [r for r, run in pairs if run.status == "ok" and r.wall > limit]
    early = [result for result, run in pairs if run.status == "timeout" and result.wall < _NEARLY * limit]
    for code, odd, which in (("runs-late", late, "answers above"), ("runs-early", early, "timeouts below")):
        if odd:
            raw.say(code, f"{which} the limit stay as they are: {counted(odd)} (run {odd[0].number})")


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
# Of tables of cloud tracks and of the archive.
_CSV = (b"benchmark,solver,wallclock", b"benchmark,millisecond", b"benchmark_id,division")
_START = 1 << 16  # bytes in which such a file is recognised


def _find(path: Path, files: FilesRead) -> list[Location]:
    """A scenario for each track and division of a file, or of those of a folder."""
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.is_file())
        return [each for file in inside for each in _find(file, files)]
    if not _is_results(path, files):
        return []
    return [Location(path, str(path), part) for part in parts_of(path, files) or ("",)]


def _is_results(path: Path, files: FilesRead) -> bool:
    """Whether a file begins as results do; a damaged one is theirs, too."""
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
