"""``aslib-eval check``: the linter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    Words,
    attribute_options,
    default_lake,
    runs_options,
    show,
    without_pandas,
)

if TYPE_CHECKING:
    from aslib_eval.words import MissingRuns, RepeatedRuns


@click.command(epilog="Example: aslib-eval check scenarios/TOY-2026 --format json")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--lake",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="Check the files of a lake too, against their hashes; $ASLIB_LAKE or ./lake.",
)
@click.option(
    "--format",
    "format_",
    type=Words(("text", "json", "sarif")),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
@runs_options
@attribute_options
@without_pandas()
def check(  # noqa: PLR0913 - one for each option
    paths: tuple[Path, ...],
    *,
    lake: str | None,
    format_: str,
    scenario_id: str | None,
    column: tuple[str, ...],
    status: tuple[str, ...],
    missing: MissingRuns | None,
    duplicates: RepeatedRuns | None,
    cutoff: str | None,
    unit: str,
    measure: tuple[str, ...],
    maximize: tuple[str, ...],
    family: str | None,
    attributes: Path | None,
    direction: str | None,
) -> None:
    """List everything that is irregular in scenarios or a lake; exit 1 on errors.

    Of runs of solvers it also shows how import would understand it, and its first runs.
    """
    from aslib_eval.linter import RENDERERS, check_lake, check_paths

    if lake is None and not paths:
        message = "give a PATH, or --lake"
        raise click.UsageError(message)
    of_runs: dict[str, Any] = {
        "scenario_id": scenario_id or "",
        "column": column,
        "cutoff": cutoff,
        "status": status,
        "missing": missing,
        "duplicates": duplicates,
        "unit": unit,
        "measure": measure,
        "maximize": maximize,
        "family": family,
        "attributes": attributes,
        "direction": direction,
    }
    findings = check_paths(paths, **of_runs) if paths else []
    if lake is not None:
        findings += check_lake(Path(lake) if lake else default_lake())
    show(RENDERERS[format_](findings))
    if any(f.severity == "error" for f in findings):
        raise SystemExit(1)
