"""``aslib-eval train``: real selectors on every split."""

from __future__ import annotations

import glob
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import CLUSTER, JOBS, LAKE, SCENARIOS, Registered, say
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    from aslib_eval.selectors.training import Trained

_EXAMPLE = "Example: aslib-eval train rf --scenario 'TOY*' --prefix new- --jobs 1"


@click.command(epilog=_EXAMPLE)
@click.argument(
    "names",
    nargs=-1,
    required=True,
    type=Registered("selectors.models", "SELECTORS", "all"),
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
@click.option(
    "--seed",
    default=1,
    type=click.IntRange(0, 2**63 - 1),
    show_default=True,
    help="Same seed, same selection.",
)
@click.option("--prefix", default="", help="Put before the name of every selector.")
@click.option(
    "--replace",
    is_flag=True,
    help="Also put them in the place of imported predictions of the same name.",
)
@click.option(
    "--protocol",
    default="default",
    show_default=True,
    metavar="NAME|FILE",
    help="Whose cost the selectors learn to lower.",
)
@click.option(
    "--target",
    default="cost",
    show_default=True,
    type=Registered("selectors.problem", "TARGETS"),
    metavar="cost|gap|area",
    help="What they learn to lower: the measure's cost, or of trajectories the gap to "
    "the best known objective at the end, or its mean over time.",
)
@click.option(
    "--times",
    is_flag=True,
    help="Also store what training and choosing take, which is never twice the same.",
)
@JOBS
@CLUSTER
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write DIR/<scenario>/<selector>.json, as OASC schedules.",
)
def train(  # noqa: PLR0913 - one for each choice
    *,
    names: tuple[str, ...],
    lake: Path,
    scenarios: tuple[str, ...],
    scheme: str,
    seed: int,
    protocol: str,
    target: str,
    jobs: int | None,
    cluster: str | None,
    to: Path | None,
    prefix: str,
    replace: bool,
    times: bool,
) -> None:
    """Train selectors on every split and store what they answer.

    rf: a random forest predicts the best algorithm; rfreg: a forest an algorithm
    predicts its cost; zilla: a forest a pair, weighted; sunny: a schedule from the
    nearest neighbours; isac: the best of the instance's cluster; asap: short runs
    first, then rfreg; all. Needs the extra 'selectors'. A run that is stopped
    continues where it was when it is started again. A scenario that holds imported
    predictions of such a name is left out unless --replace or --prefix is given.
    """
    from aslib_eval.executors import workers
    from aslib_eval.selectors.models import SELECTORS
    from aslib_eval.selectors.training import train as run

    chosen = tuple(SELECTORS) if "all" in names else names
    if to is not None:
        _require_folder(to)
    with workers(jobs=jobs, cluster=cluster) as they:
        outcomes = run(
            lake,
            chosen,
            scenarios=scenarios,
            scheme=scheme,
            seed=seed,
            protocol=protocol,
            target=target,
            jobs=they.jobs,
            executor=they.executor,
            progress=sys.stderr.isatty(),
            prefix=prefix,
            replace=replace,
            times=times,
        )
    for outcome in outcomes:
        _report(outcome)
    learned = [outcome.scenario_id for outcome in outcomes if outcome.error is None]
    if to is not None and learned:
        _write(lake, to, learned, tuple(prefix + name for name in chosen), scheme)
    if failed := len(outcomes) - len(learned):
        say(f"{failed} of {len(outcomes)} not trained on", err=True)
        raise SystemExit(1)


def _report(outcome: Trained) -> None:
    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    line = f"trained {outcome.scenario_id}: {', '.join(outcome.selectors)}"
    line += f"; {outcome.n_splits} splits of {outcome.cv_scheme}"
    if outcome.n_resumed:
        line += f", {outcome.n_resumed} of them done before"
    if outcome.replaced:
        line += f"; in the place of {', '.join(outcome.replaced)}"
    say(line)
    for sentence in outcome.same:
        say(f"note: {outcome.scenario_id}: {sentence}", err=True)
    for name, home in outcome.elsewhere.items():
        others = f"{name} also has predictions on {home}, which make its scores in gap"
        hint = f"Those on {outcome.cv_scheme} are in instance_selector and split_gap."
        say(f"note: {outcome.scenario_id}: {others}. {hint}", err=True)


def _require_folder(to: Path) -> None:
    """Raise AslibError before the training if the folder cannot be written."""
    there = next(
        path for path in (to.absolute(), *to.absolute().parents) if path.exists()
    )
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        what = "cannot be written" if there.is_dir() else "is no folder"
        raise AslibError(what, str(there), "Name another --to; nothing was trained.")


def _write(
    lake: Path, to: Path, scenarios: list[str], names: tuple[str, ...], scheme: str
) -> None:
    from aslib_eval.exports import write_schedules

    exact = [glob.escape(scenario) for scenario in scenarios]
    files = write_schedules(
        lake, to, scenarios=exact, selectors=names, cv_scheme=scheme
    )
    say("\n".join(map(str, files)))
