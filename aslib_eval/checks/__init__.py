"""The linter: every finding on a scenario in one pass."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.checks.algorithms import check_algorithms
from aslib_eval.checks.codes import CODES as CODES
from aslib_eval.checks.codes import SEVERITIES as SEVERITIES
from aslib_eval.checks.contests import check_contest, is_expected
from aslib_eval.checks.description import check_description
from aslib_eval.checks.features import check_features
from aslib_eval.checks.files import check_files
from aslib_eval.checks.folds import check_folds
from aslib_eval.checks.instances import check_instances
from aslib_eval.checks.remarks import remark
from aslib_eval.checks.runs import check_runs
from aslib_eval.checks.steps import check_steps
from aslib_eval.checks.trajectories import check_trajectories
from aslib_eval.checks.values import check_values
from aslib_eval.errors import AslibError, Finding, unexpected
from aslib_eval.paths import Paths, as_paths
from aslib_eval.readers.archive import is_archive, unpack
from aslib_eval.readers.aslib import Scenario
from aslib_eval.readers.contest import Contest, read
from aslib_eval.readers.locations import Location

if TYPE_CHECKING:
    from aslib_eval.formats.contract import Found

CHECKS: tuple[Callable[[Scenario], Iterable[Finding]], ...] = (
    check_files,
    check_description,
    check_algorithms,
    check_instances,
    check_runs,
    check_values,
    check_folds,
    check_features,
    check_steps,
    check_trajectories,
)


def check(scenario: Scenario | Contest) -> list[Finding]:
    """All findings on a scenario, those of its reading too, by file, line and code.

    Empty if nothing is remarkable. With a finding of severity error some number
    would be wrong or incomplete. Each kind is reported once a file, with a count
    and the first place; errors in rows are listed one by one, up to 20.
    """
    if isinstance(scenario, Contest):
        found = [f for part in scenario.parts for f in check(part)]
        found = [f for f in found if not is_expected(f, scenario)]
        found += check_contest(scenario)
    else:
        found = [*scenario.findings]
        for each in CHECKS:
            found.extend(each(scenario))
    return sorted(found, key=_place)


def check_paths(paths: Paths) -> list[Finding]:
    """All findings on every scenario folder and archive at the paths, in order.

    Raises AslibError if a path holds no scenario.
    """
    from aslib_eval.formats import locate_all  # which asks this module in its turn

    found = locate_all(as_paths(paths))
    return [finding for each in found for finding in _check(each)]


def _check(found: Found) -> Iterator[Finding]:
    location, format_ = found.location, found.format
    try:
        if not is_archive(location.path) or location.path.is_dir():
            yield from format_.read(location, format_.load(location)).findings
            return
        with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
            folder = unpack(location.path, Path(scratch))
            inside = Location(folder, f"{location.shown}/{folder.name}")
            yield from check(read(inside))
    except AslibError as error:
        hint = error.hint or ""
        file = location.shown
        yield remark("unreadable", file=file, what=error.message, hint=hint)
    except Exception as error:  # noqa: BLE001 (one of many must not stop the others)
        said = unexpected(error, location.shown)
        hint, file = said.hint or "", location.shown
        yield remark("unreadable", file=file, what=said.message, hint=hint)


def _place(finding: Finding) -> tuple[str, float, str, str]:
    """Findings without a line come after those with one."""
    line = math.inf if finding.line is None else finding.line
    return finding.file, line, finding.code, finding.message
