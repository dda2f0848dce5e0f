"""How often each system has each rank over the tasks."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from aslib_eval.analysis.lake_results import LakeResults, matching
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.analysis.tasks import trial_results
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart
from aslib_eval.text import list_names, number, plural


def trial_ranks(results: LakeResults, systems: Sequence[str]) -> Chart:
    """The ranks of systems by their means over the runs of each task; see rank_map.

    systems: names or globs; none for all.
    """
    frame = trial_results(results.lake, show="ranks")
    chosen = matching(systems, frame["system"])
    absent = set(chosen) - set(frame["system"])
    if absent:
        raise AslibError(f"there is no system {list_names(sorted(absent), most=5)}")
    if chosen:
        frame = frame.filter(frame["system"].is_in(chosen))
    return rank_map(frame)


def rank_map(frame: pl.DataFrame) -> Chart:
    """A box for each system and rank, the darker the more tasks; best mean rank first.

    frame: rows of ``trial_results`` with show = ``ranks``; those by the mean count.
    """
    own = frame.filter(frame["by"] == "mean") if "by" in frame.columns else frame[:0]
    if "rank" not in own.columns or not own.height:
        raise AslibError("there are no ranks to draw", None, "Use --show ranks.")
    for name in ("protocol", "scenario_id", "measure"):
        if own[name].n_unique() > 1:
            what = f"a chart is of one {name}"
            raise AslibError(f"{what}: {list_names(sorted(set(own[name])), most=5)}")
    row = own.row(0, named=True)
    order = list(dict.fromkeys(own.sort("mean_rank", "system")["system"]))
    most = max(own["rank"].to_list())
    boxes = [
        [
            *(rank - 1.48, rank - 0.52, order.index(system) - 0.48),
            order.index(system) + 0.48,
            f"{system}: rank {rank} on {times} of {plural(tasks, 'task')}",
            "low",
            round(max(share, FAINTEST), 3),
        ]
        for system, tasks, rank, times, share in own.select(
            "system", "tasks", "rank", "times", "share"
        ).rows()
    ]
    scale = [Boxes((), name=number(s), color="low", shade=s) for s in (0.25, 0.5, 1.0)]
    best = own.filter(own["system"] == order[0])
    return Chart(
        "Share of the tasks on which each system has each rank",
        f"{order[0]} has the best mean rank, {number(best['mean_rank'][0])}.",
        Band([str(i + 1) for i in range(most)], label="rank by the mean of the runs"),
        Band(order),
        [Boxes(boxes), *scale],
        f"{row['scenario_id']}, {row['measure']}, {plural(row['tasks'], 'task')} "
        f"· protocol {row['protocol']}",
        row_height=28,
    )
