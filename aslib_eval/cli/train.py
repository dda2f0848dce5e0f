"""``aslib-eval train``: real selectors on every split."""

from __future__ import annotations

import glob
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import LAKE, SCENARIOS

if TYPE_CHECKING:
    from aslib_eval.selectors.training import Trained

NAMES = ("rf", "rfreg", "zilla", "sunny", "isac", "asap")
_EXAMPLE = "Example: aslib-eval train rf sunny --scenario 'CPMP*' --scheme aslib"


@click.command(epilog=_EXAMPLE)
@click.argument(
    "names",
    nargs=-1,
    required=True,
    type=click.Choice((*NAMES, "all")),
    metavar="NAME...",
)
@LAKE
@SCENARIOS
@click.option(
    "--scheme",
    default="aslib",
    show_default=True,
    help="Train on each split of this scheme; 'aslib-eval resample' makes others.",
)
@click.option("--seed", default=1, show_default=True, help="Same seed, same selection.")
@click.option(
    "--protocol",
    default="default",
    show_default=True,
    metavar="NAME|FILE",
    help="Whose cost the selectors learn to lower.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    show_default="number of CPUs",
    help="Splits that are trained at the same time.",
)
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write DIR/<scenario>/<selector>.json, as OASC schedules.",
)
def train(
    *,
    names: tuple[str, ...],
    lake: Path,
    scenarios: tuple[str, ...],
    scheme: str,
    seed: int,
    protocol: str,
    jobs: int | None,
    to: Path | None,
) -> None:
    """Train selectors on every split and store what they answer.

    rf: a random forest predicts the best algorithm; rfreg: a forest an algorithm
    predicts its cost; zilla: a forest a pair, weighted; sunny: a schedule from the
    nearest neighbours; isac: the best of the instance's cluster; asap: short runs
    first, then rfreg; all. Needs the extra 'selectors'. A run that is stopped
    continues where it was when it is started again.
    """
    from aslib_eval.selectors.training import train as run

    chosen = NAMES if "all" in names else names
    outcomes = run(
        lake,
        chosen,
        scenarios=scenarios,
        scheme=scheme,
        seed=seed,
        protocol=protocol,
        jobs=jobs,
        progress=sys.stderr.isatty(),
    )
    for outcome in outcomes:
        _report(outcome)
    learned = [outcome.scenario_id for outcome in outcomes if outcome.error is None]
    if to is not None and learned:
        _write(lake, to, learned, chosen, scheme)
    if failed := len(outcomes) - len(learned):
        click.echo(f"{failed} of {len(outcomes)} not trained on", err=True)
        raise SystemExit(1)


def _report(outcome: Trained) -> None:
    if outcome.error is not None:
        click.echo(outcome.error, err=True)
        return
    line = f"trained {outcome.scenario_id}: {', '.join(outcome.selectors)}"
    line += f"; {outcome.n_splits} splits of {outcome.cv_scheme}"
    if outcome.n_resumed:
        line += f", {outcome.n_resumed} of them done before"
    click.echo(line)


def _write(
    lake: Path, to: Path, scenarios: list[str], names: tuple[str, ...], scheme: str
) -> None:
    from aslib_eval.writers.schedules import write_schedules

    exact = [glob.escape(scenario) for scenario in scenarios]
    files = write_schedules(
        lake, to, scenarios=exact, selectors=names, cv_scheme=scheme
    )
    click.echo("\n".join(map(str, files)))
