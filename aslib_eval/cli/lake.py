"""``aslib-eval lake``: the files of a lake."""

from __future__ import annotations

from pathlib import Path

import click

from aslib_eval.cli.options import LAKE, SCENARIOS, say
from aslib_eval.text import plural


@click.group()
def lake() -> None:
    """The files of a lake: make lost links again, copy it for other tools."""


@lake.command(epilog="Example: aslib-eval lake repair --lake lake")
@LAKE
def repair(lake: Path) -> None:
    """Make the symbolic links again that a copy of the lake has lost.

    Nothing is removed but what stands in the place of a link and holds the same. Where
    it is not certain which version of a scenario was current, nothing is changed, and
    the exit code is 1. Damaged files are not mended: import the scenario again.
    """
    from aslib_eval.errors import sentence
    from aslib_eval.lake.repair import repair as run

    failed = 0
    for done in run(lake):
        if done.error is not None:
            say(done.error, err=True)
            failed += 1
        elif done.links:
            made = f"{plural(len(done.links), 'link')} made"
            say(sentence(None, f"repaired {done.scenario_id}: {made}", None))
        else:
            say(sentence(None, f"unchanged {done.scenario_id}", None))
    if failed:
        raise SystemExit(1)


@lake.command(epilog="Example: aslib-eval lake snapshot lake-2026-11-22")
@click.argument("to", type=click.Path(path_type=Path), metavar="DIR")
@LAKE
@SCENARIOS
def snapshot(to: Path, lake: Path, scenarios: tuple[str, ...]) -> None:
    """Copy the lake's Parquet files into a new folder that no import changes.

    DIR holds <relation>/scenario_id=<id>/part-0.parquet and <id>.json without symbolic
    links, each scenario as one version: for tools that read several relations, and to
    carry a lake to where there are no links.
    """
    from aslib_eval.errors import sentence
    from aslib_eval.lake.repair import snapshot as run

    for name in run(lake, to, scenarios=scenarios):
        say(sentence(None, f"copied {name}", None))
