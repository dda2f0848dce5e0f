"""``aslib-eval resample``: random splits and bootstrap draws."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    CLUSTER,
    COUNT,
    FINITE,
    SEED,
    choice,
    frame_command,
    lake_options,
    open_lake,
    say,
)

if TYPE_CHECKING:
    import polars as pl

_EXAMPLE = "Example: aslib-eval resample --scenario 'MIP*' --by hardness --show sbs"


@click.command(epilog=_EXAMPLE)
@lake_options
@click.option(
    "--repeats", type=COUNT, default=10, show_default=True, help="Random splits."
)
@click.option(
    "--folds", type=COUNT, default=10, show_default=True, help="Folds of each."
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Same seed, same numbers."
)
@choice(
    "--by",
    ("plain", "family", "hardness", "features"),
    about="Spread families or levels of hardness evenly, or keep instances of "
    "identical features together.",
)
@click.option(
    "--groups",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="Columns instance_id and family, for --by family; else the names tell.",
)
@click.option("--name", help="Name of the scheme; else such as random-10x10-s1.")
@click.option("--scheme", help="Look at this stored scheme; make none.")
@click.option(
    "--bootstrap",
    "draws",
    type=click.IntRange(min=1, max=10**7),
    metavar="DRAWS",
    help="Draw instances with replacement instead, SBS and VBS anew each time.",
)
@click.option(
    "--level", type=FINITE, default=0.95, show_default=True, help="Of the intervals."
)
@choice(
    "--show",
    ("gaps", "sbs", "pairs", "winners"),
    about="Spread of the gaps, identity of SBS, who beats whom, changes of winner.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    default=1,
    show_default=True,
    help="Scenarios that the bootstrap draws from at the same time.",
)
@CLUSTER
@frame_command
def resample(  # noqa: PLR0913
    *,
    show: str,
    draws: int | None,
    level: float,
    scheme: str | None,
    lake: Path,
    scenarios: tuple[str, ...],
    seed: int,
    jobs: int,
    cluster: str | None,
    protocols: tuple[str, ...],
    sql_dirs: tuple[Path, ...],
    **made: Any,
) -> pl.DataFrame:
    """Make a random cross-validation and show what it changes, or bootstrap.

    The splits are stored in the lake as a cv_scheme, to be scored, queried and
    trained on (aslib-eval train --scheme). Every solver is the same in all splits,
    unless it was trained on them.
    """
    from aslib_eval.analysis.random_splits import over_splits

    if draws is None and scheme is None:
        scheme = _make(lake, scenarios, seed=seed, **made)
    con = open_lake(lake, scenarios, protocols, sql_dirs)
    if draws is not None:
        with _executor(jobs, cluster) as executor:
            asked = {"draws": draws, "seed": seed, "executor": executor}
            return _drawn(con, show, level=level, **asked)
    say("splits share instances: n_splits are not independent", err=True)
    return over_splits(con, str(scheme), show=show)


def _make(lake: Path, scenarios: tuple[str, ...], **made: Any) -> str:
    from aslib_eval.analysis.random_splits import make_schemes

    found, refused = make_schemes(lake, scenarios=scenarios, **made)
    for why in refused:
        say(f"left out: {why}", err=True)
    for one in found:
        size = f"{one.smallest} to {one.largest}"
        if one.smallest == one.largest:
            size = str(one.smallest)
        line = f"{one.scenario_id}: stored {one.cv_scheme}, folds of {size} instances"
        if one.n_groups < one.n_instances:
            line += f", {one.n_groups} groups kept together"
        if one.n_strata > 1:
            line += f", {one.n_strata} strata"
        say(line, err=True)
    return found[0].cv_scheme


@contextmanager
def _executor(jobs: int, cluster: str | None) -> Iterator[Executor | None]:
    """The cluster if there is one, else processes if more than one is asked for."""
    from aslib_eval.executors import cluster_of, processes

    if cluster is None:
        with processes(jobs) as pool:
            yield pool
    else:
        with cluster_of(cluster) as they:
            yield they.executor


def _drawn(con: Any, show: str, *, level: float, **asked: Any) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.analysis.bootstrap import bootstrap_intervals, bootstrap_pairs

    if show == "gaps":
        found = bootstrap_intervals(con, level=level, **asked)
        remarks = found.select("scenario_id", pl.col("remark").str.split("; "))
        remarks = remarks.explode("remark").drop_nulls()
        for scenario, remark in remarks.unique(maintain_order=True).rows():
            say(f"{scenario}: {remark}", err=True)
        return found
    if show == "pairs":
        return bootstrap_pairs(con, **asked)
    message = "--bootstrap shows gaps (with the share of draws as SBS) or pairs"
    raise click.UsageError(message)
