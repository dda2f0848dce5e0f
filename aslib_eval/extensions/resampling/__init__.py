"""Random splits and bootstraps of scenarios: the command ``resample``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval import options
from aslib_eval.commands import Declared, Protocols, opened, silent
from aslib_eval.options import Note, Option, public
from aslib_eval.paths import as_path

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

SplitBy = Literal["plain", "family", "hardness", "features"]
SplitShow = Literal["gaps", "sbs", "pairs", "winners"]
RESAMPLE = Declared(
    "aslib_eval.extensions.resampling:resample",
    "resample --scenario 'MIP*' --by hardness --show sbs",
    "The command stores the splits in the lake as a cross-validation scheme. 'aslib-eval train --scheme' "
    "trains selectors on these splits. Other selectors keep the same predictions in every split.",
)


@public
def resample(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    repeats: Annotated[int | None, Option("Number of repeated cross-validations.", shown="10")] = None,
    folds: Annotated[int | None, Option("Number of folds in each cross-validation.", shown="10")] = None,
    seed: options.SeedOrNone = None,
    by: Annotated[
        SplitBy | None,
        Option(
            "plain: assign instances to folds at random. family: spread every family evenly over the "
            "folds. hardness: spread easy and hard instances evenly over the folds. features: keep "
            "instances with equal features in one fold.",
            shown="plain",
        ),
    ] = None,
    groups: Annotated[options.Groups, Option(goes_with="by=family")] = None,
    attribute: Annotated[
        options.FamilyAttribute,
        Option(goes_with="by=family", goes_without=("groups",), because="chooses the families"),
    ] = None,
    keep_together: Annotated[
        bool, Option("Keep each family together in one fold.", goes_with="by=family")
    ] = False,
    name: Annotated[
        str | None,
        Option("Name of the stored splits.", shown="made from the options, such as random-10x10-s1"),
    ] = None,
    scheme: Annotated[
        str | None,
        Option(
            "Use this stored cross-validation scheme, instead of making a new one.",
            goes_without=(*("repeats", "folds", "seed", "by", "groups", "attribute", "name"),),
            because="uses stored splits",
        ),
    ] = None,
    draws: Annotated[
        int | None,
        Option(
            "Instead of a cross-validation, draw this many bootstrap samples of the instances, each "
            "with its own SBS and VBS.",
            flags="--bootstrap",
            metavar="DRAWS",
            least=1,
            most=10**7,
            goes_with="show=gaps|pairs",
            goes_without=(*("repeats", "folds", "by", "groups", "attribute", "name", "scheme"),),
            because="draws instances instead of splits",
        ),
    ] = None,
    level: Annotated[
        float | None,
        Option("Confidence level of the intervals.", shown="0.95", goes_with="draws show=gaps"),
    ] = None,
    show: Annotated[
        SplitShow,
        Option(
            "gaps: how much each closed gap varies. sbs: how often each algorithm is SBS. pairs: how often "
            "a solver beats another. winners: how often the best solver of a split is not the best overall."
        ),
    ] = "gaps",
    jobs: Annotated[
        int | None,
        Option(
            "Bootstrap this many scenarios in parallel.",
            shown="1",
            metavar="N",
            least=1,
            most=1024,
            goes_with="draws",
        ),
    ] = None,
    cluster: Annotated[options.Cluster, Option(goes_with="draws")] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how results vary over random cross-validation splits, or over bootstrap samples.

    The splits are stored in the lake as a cv_scheme, unless ``scheme`` names one that is there. With
    ``keep_together`` and as many folds as families, each family is left out in turn.

    Splits share instances: ``n_splits`` is no sample size. All tied: gaps are null, and of ``pairs`` the
    share is a half.

    Source: Efron and Tibshirani 1993, chapter 13; Amadini et al. 2023, Definition 3.

    Raises:
        OptionError: for ``draws`` with another ``show`` than gaps and pairs, and for options of splits with
            ``draws`` or ``scheme``, or the other way round.

    >>> found = ae.resample("lake", draws=20, show="pairs")
    >>> found.columns[:3]
    ['protocol', 'scenario_id', 'measure']
    """
    from aslib_eval.extensions.resampling.random_splits import make_schemes, over_splits

    seed = 1 if seed is None else seed
    if draws is None and scheme is None:
        made, refused = make_schemes(
            Path(lake), scenarios=scenarios, repeats=repeats or 10, folds=folds or 10,
            seed=seed, by=by or "plain", groups=as_path(groups), attribute=attribute,
            together=keep_together, name=name,
        )  # fmt: skip
        for why in refused:
            note(f"left out: {why}")
        for one in made:
            note(one.sentence())
        scheme = made[0].cv_scheme
    lake = opened(lake, scenarios, protocols, sql_dirs)
    if draws is not None:
        from aslib_eval.executors import processes, workers

        with (
            workers(jobs=jobs, cluster=cluster) as they,
            nullcontext(they.executor) if they.executor else processes(jobs or 1) as executor,
        ):
            return _drawn(
                lake, show, draws=draws, seed=seed,
                level=0.95 if level is None else level, executor=executor, note=note,
            )  # fmt: skip
    note("the splits share instances, so they are not independent")
    return over_splits(lake, str(scheme), show=show)


def _drawn(
    lake: OpenLake, show: str, *, draws: int, seed: int, level: float, executor: Executor | None, note: Note
) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.analysis.runs import bootstrap_intervals
    from aslib_eval.extensions.resampling.random_splits import bootstrap_pairs

    if show == "gaps":
        found = bootstrap_intervals(lake, level=level, draws=draws, seed=seed, executor=executor)
        remarks = found.select("scenario_id", pl.col("remark").str.split("; "))
        remarks = remarks.explode("remark").drop_nulls()
        for scenario, remark in remarks.unique(maintain_order=True).rows():
            note(f"{scenario}: {remark}")
        note(
            f"{level:.0%} of the sampled ranks lie between rank_low and rank_high; these are not the ends"
            " of a confidence interval"
        )
        return found
    return bootstrap_pairs(lake, draws=draws, seed=seed, executor=executor)
