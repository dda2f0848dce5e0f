"""A contest's two parts: each by itself, and one against the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from aslib_eval.checks.remarks import LIMIT, names, remark
from aslib_eval.errors import Finding
from aslib_eval.readers.algorithm_names import distinct
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.contest import Contest
from aslib_eval.readers.description import Description

RUNS = "algorithm_runs.arff"

# What is compared, the key that it stands under, and how it is called.
_SAME = (
    ("scenario_id", "scenario_id", "scenario_id"),
    ("measures", "performance_measures", "measures"),
    ("cutoff", "algorithm_cutoff_time", "cutoff"),
    ("steps", "feature_steps", "feature steps"),
)
_ALIKE = (
    ("numbers", "features_cutoff_time", "limits"),
    ("algorithms", "metainfo_algorithms", "algorithms"),
    ("names", "default_steps", "lists"),
)


def is_expected(finding: Finding, contest: Contest) -> bool:
    """Whether a finding on a part holds for the parts of contests as such.

    A training part may have no runs, in a file without content or rows too.
    """
    if finding.code == "file-missing":
        return finding.file.endswith("/cv.arff")
    if finding.code in ("runs-empty", "arff-no-data"):
        source = contest.train.sources.get(RUNS)
        empty = source is not None and not source.content.strip()
        blank = finding.code == "runs-empty" or empty
        return blank and finding.file == contest.train.file(RUNS)
    return finding.code == "scenario-id-folder"


def check_contest(contest: Contest) -> Iterator[Finding]:
    """Parts without runs, and whatever one says otherwise than the other."""
    yield from _without_runs(contest)
    train, test = (part.description for part in contest.parts)
    if train is not None and test is not None:
        yield from _descriptions(contest, train, test)
    yield from _algorithms(contest)
    yield from _instances(contest)


def _without_runs(contest: Contest) -> Iterator[Finding]:
    """A part without runs; in a file that cannot be read that is found anyway."""
    train, test = (_has_no_run(part) for part in contest.parts)
    if train:
        yield remark(
            "split-without-training",
            file=contest.train.file(RUNS),
            what="the training part has no run",
            hint="The test part is read; the SBS of the training set is not known.",
        )
    if test and RUNS not in contest.test.sources:
        yield remark(
            "runs-empty",
            file=contest.test.file(RUNS),
            what="the test part has no run",
            hint="Add the file; without it there is nothing to score.",
        )


def _has_no_run(part: Scenario) -> bool:
    table = part.tables.get("algorithm_runs")
    if table is None:
        source = part.sources.get(RUNS)
        return source is None or not source.content.strip()
    return not table.table.num_rows


def _descriptions(
    contest: Contest, train: Description, test: Description
) -> Iterator[Finding]:
    if train.scenario_id != (folder := contest.location.folder):
        yield remark(
            "scenario-id-folder",
            file=contest.train.file("description.txt"),
            line=train.lines.get("scenario_id"),
            what=f"scenario_id {train.scenario_id!r} in folder {folder!r}",
            hint="Both names find the scenario.",
        )
    file = contest.test.file("description.txt")
    same = "split-contradiction", "Let both say the same."
    alike = "split-difference", "The training part's are taken."
    compared = [(*one, *same) for one in _SAME] + [(*one, *alike) for one in _ALIKE]
    for field, key, called, code, hint in compared:
        mine, theirs = _value(test, field), _value(train, field)
        if mine != theirs:
            what = f"{called}: {_first(mine, theirs)} in the training part"
            yield remark(
                code, file=file, line=test.lines.get(key), what=what, hint=hint
            )


def _value(description: Description, field: str) -> Any:
    """What is said; the cutoff is compared by itself, not among the other limits."""
    value = getattr(description, field)
    if field == "numbers":
        return {k: v for k, v in value.items() if k != "algorithm_cutoff_time"}
    return value


def _first(here: Any, there: Any) -> str:
    """What differs first, short enough for a message."""
    if isinstance(here, tuple) and isinstance(there, tuple):
        pairs: Iterable[tuple[Any, Any]] = zip(here, there, strict=False)
        more: tuple[Any, Any] = (f"{len(here)} of them", f"{len(there)}")
        here, there = next(((a, b) for a, b in pairs if a != b), more)
    elif isinstance(here, dict) and isinstance(there, dict):
        key = next(k for k in here if here[k] != there.get(k))
        return f"{key}: {_first(here[key], there.get(key))}"
    return f"{here} here, {there}"


def _algorithms(contest: Contest) -> Iterator[Finding]:
    train, test = (distinct(p, "algorithm_runs", "algorithm") for p in contest.parts)
    for part, mine, others in (
        (contest.train, train, test),
        (contest.test, test, train),
    ):
        known = set(others)
        if others and (extra := [name for name in mine if name not in known]):
            yield remark(
                "split-contradiction",
                file=part.file("algorithm_runs.arff"),
                what=f"runs of {names(extra, shown=LIMIT)} are in this part alone",
                hint="Both parts must hold runs of the same algorithms.",
            )


def _instances(contest: Contest) -> Iterator[Finding]:
    train, test = (distinct(p, "algorithm_runs", "instance_id") for p in contest.parts)
    if both := sorted(set(train) & set(test)):
        yield remark(
            "split-overlap",
            file=contest.test.file("algorithm_runs.arff"),
            what=f"{len(both)} instances are in the training part too:"
            f" {names(both, shown=LIMIT)}",
            hint="Remove them from one of the parts.",
        )
