"""``aslib-eval check``: the linter."""

from __future__ import annotations

from pathlib import Path

import click

from aslib_eval.cli.saying import show


@click.command(epilog="Example: aslib-eval check scenarios/TOY-2026 --format json")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
def check(paths: tuple[Path, ...], format_: str) -> None:
    """List everything that is irregular in scenarios; exit 1 on errors."""
    from aslib_eval.checks import check_paths
    from aslib_eval.checks.render import RENDERERS

    findings = check_paths(paths)
    show(RENDERERS[format_](findings))
    if any(f.severity == "error" for f in findings):
        raise SystemExit(1)
