"""What is wrong with the files of a lake."""

from __future__ import annotations

from pathlib import Path

from aslib_eval import versions
from aslib_eval.checks.remarks import remark
from aslib_eval.errors import AslibError, Finding


def check_lake(lake: Path) -> list[Finding]:
    """Compare every file of a lake with its hash, and every link with its target.

    Raises AslibError if there is no lake with a scenario.
    """
    if not (lake.is_dir() and versions.scenario_ids(lake)):
        hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
        raise AslibError("there is no lake with a scenario", str(lake), hint)
    return [
        remark(
            f"lake-{found.kind}", file=str(found.path), what=found.what, hint=found.hint
        )
        for found in versions.examine(lake)
    ]
