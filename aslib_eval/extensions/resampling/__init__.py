"""Random splits and bootstraps of scenarios: the command ``resample``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval.commands import Declared, Protocols, opened, silent
from aslib_eval.options import SEEDS, Cluster, Lake, Note, Option, Scenarios, SqlDirs, public
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
    "The splits are stored in the lake as a cv_scheme, to be scored, queried and "
    "trained on (aslib-eval train --scheme). Every solver is the same in all splits, "
    "unless it was trained on them.",
)


@public
def resample(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    repeats: Annotated[int | None, Option("Random splits.", shown="10")] = None,
    folds: Annotated[int | None, Option("Folds of each repeat.", shown="10")] = None,
    seed: Annotated[int | None, Option("Seed of the draws.", shown="1", least=0, most=SEEDS)] = None,
    by: Annotated[
        SplitBy | None,
        Option(
            "Spread families or levels of hardness evenly, or keep instances with identical features "
            "together.",
            shown="plain",
        ),
    ] = None,
    groups: Annotated[
        str | Path | None,
        Option(
            "CSV file of instance_id and family, for {by} family; default: the attribute family, else "
            "read from the names.",
            metavar="CSV",
            goes_with="by=family",
        ),
    ] = None,
    attribute: Annotated[
        str | None,
        Option(
            "Attribute that holds the families, for {by} family.",
            metavar="NAME",
            shown="family",
            goes_with="by=family",
            goes_without=("groups",),
            because="says families",
        ),
    ] = None,
    keep_together: Annotated[
        bool, Option("Keep families whole: no family is both trained on and tested.", goes_with="by=family")
    ] = False,
    name: Annotated[str | None, Option("Name of the scheme; by default such as random-10x10-s1.")] = None,
    scheme: Annotated[
        str | None,
        Option(
            "Show this stored scheme instead of a new one.",
            goes_without=(*("repeats", "folds", "seed", "by", "groups", "attribute", "name"),),
            because="names splits that are there",
        ),
    ] = None,
    draws: Annotated[
        int | None,
        Option(
            "Bootstrap instead: draw instances with replacement, with SBS and VBS chosen in each draw.",
            flags="--bootstrap",
            metavar="DRAWS",
            least=1,
            most=10**7,
            goes_with="show=gaps|pairs",
            goes_without=(*("repeats", "folds", "by", "groups", "attribute", "name", "scheme"),),
            because="draws instances",
        ),
    ] = None,
    level: Annotated[
        float | None, Option("Confidence of the intervals.", shown="0.95", goes_with="draws show=gaps")
    ] = None,
    show: Annotated[
        SplitShow,
        Option(
            "gaps: their spread. sbs: which algorithm is SBS, how often. pairs: wins of each pair. "
            "winners: changes of the winner."
        ),
    ] = "gaps",
    jobs: Annotated[
        int | None,
        Option(
            "Scenarios to bootstrap in parallel.",
            shown="1",
            metavar="N",
            least=1,
            most=1024,
            goes_with="draws",
        ),
    ] = None,
    cluster: Annotated[Cluster, Option(goes_with="draws")] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Make a random cross-validation and show its effects, or bootstrap.

    The splits are stored in the lake as a cv_scheme, unless ``scheme`` names one that is there. draws: draw
    instances with replacement instead, so many times. show: ``gaps``, ``sbs``, ``pairs`` or ``winners``.
    With ``by="family"`` each fold has its share of each family: of the file ``groups``, of an
    ``attribute``, else of the attribute family, else as the names of instances tell. keep_together:
    families are kept whole instead; with as many folds as families each is left out in turn.

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
            f"rank_low to rank_high: ranks of {level:.0%} of the draws; not a confidence set for the place"
        )
        return found
    return bootstrap_pairs(lake, draws=draws, seed=seed, executor=executor)
