"""The linter: every finding on a scenario in one pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.description import (
    check_description,
    check_features,
    check_files,
    check_steps,
)
from aslib_eval.formats.aslib.lint.instances import (
    check_algorithms,
    check_folds,
    check_instances,
    check_train_test,
    is_expected,
)
from aslib_eval.formats.aslib.lint.reporting import CODES as CODES
from aslib_eval.formats.aslib.lint.reporting import SEVERITIES as SEVERITIES
from aslib_eval.formats.aslib.lint.runs import check_runs, check_trajectories, check_values
from aslib_eval.formats.aslib.relations import TrainTestScenario
from aslib_eval.formats.aslib.scenario import Scenario
from aslib_eval.signatures import public

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


@public
def check(scenario: Scenario | TrainTestScenario) -> list[Finding]:
    """All findings on a scenario, those of its reading too, by file, line and code.

    Empty if nothing is remarkable. With a finding of severity error some number
    would be wrong or incomplete. Each kind is reported once a file, with a count
    and the first place; errors in rows are listed one by one, up to 20.

    scenario: as ``read_scenario`` gives it.

    >>> ae.check(ae.read_scenario("scenarios/TOY-2026"))[0].severity
    'warning'
    """
    if isinstance(scenario, TrainTestScenario):
        found = [f for part in scenario.parts for f in check(part)]
        found = [f for f in found if not is_expected(f, scenario)]
        found += check_train_test(scenario)
    else:
        found = [*scenario.findings]
        for each in CHECKS:
            found.extend(each(scenario))
    return sorted(found, key=_place)


def _place(finding: Finding) -> tuple[str, float, str, str]:
    """Findings without a line come after those with one."""
    line = math.inf if finding.line is None else finding.line
    return finding.file, line, finding.code, finding.message
