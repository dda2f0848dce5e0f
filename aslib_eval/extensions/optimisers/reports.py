"""What pages show of optimisers: charts and a section."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.results import LakeResults, ScenarioResults, matching
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.analysis import scores_of
from aslib_eval.extensions.optimisers.tasks import target_times, trial_results
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, RAW, Band, Boxes, Chart, Line, Linear, Mark, Rule, look
from aslib_eval.reports.html import Header, Html, HtmlTable, join, paragraph
from aslib_eval.text import list_names, number, plural

_HERE = "aslib_eval.extensions.optimisers.reports"
_NEEDS = "trajectories of one scenario"
MEAN = FigureEntry(
    "mean loss of optimisers after each step, with error bars",
    "lake",
    f"{_HERE}:mean_scores",
    _NEEDS,
    runs=False,
    chosen=True,
)
MEDIAN = FigureEntry(
    "the same of the median loss", "lake", f"{_HERE}:median_scores", _NEEDS, runs=False, chosen=True
)
TRIAL_RANKS = FigureEntry(
    "how often each system has each rank over tasks with repeated runs",
    "lake",
    f"{_HERE}:trial_ranks",
    "repeated runs of one scenario",
    runs=False,
    chosen=True,
)


# What is drawn → columns of the line, and of the ends of its band.
_COLUMNS = {
    "mean": ("mean", "mean_low", "mean_high"),
    "mean-here": ("mean", "mean_here_low", "mean_here_high"),
    "median": ("median", "median_low", "median_high"),
    "quartiles": ("median", "quartile_low", "quartile_high"),
}
_BAND = 0.12  # opacity
_PLACES = 100  # steps that are drawn, at most


def mean_scores(results: LakeResults, methods: Sequence[str]) -> Chart:
    """The mean loss over the problems after each step; methods: globs, none for all."""
    return _of_lake(results, methods, "mean")


def median_scores(results: LakeResults, methods: Sequence[str]) -> Chart:
    """The same of the median loss."""
    return _of_lake(results, methods, "median")


def _of_lake(results: LakeResults, methods: Sequence[str], draw: str) -> Chart:
    names = {s.choices["protocol"]: s.protocol for s in results.scenarios}
    frame = _chosen(scores_of(results.lake, names, show="steps"), "method", methods)
    return score_curves(frame, draw=draw)


def _chosen(frame: pl.DataFrame, column: str, globs: Sequence[str]) -> pl.DataFrame:
    """The rows of some methods or systems; all where none is named."""
    chosen = matching(globs, frame[column])
    if absent := set(chosen) - set(frame[column]):
        raise AslibError(f"there is no {column} {list_names(sorted(absent), most=5)}")
    return frame.filter(frame[column].is_in(chosen)) if chosen else frame


def score_curves(frame: pl.DataFrame, *, draw: str = "mean") -> Chart:
    """A line a method over the steps, with its 95 % error bars as a band.

    frame: rows of ``optimiser_scores`` with show = ``steps`` (over all problems), or of one problem with
    show = ``curves``. A bar that is infinite is not drawn. Over problems the band is that of the mean over
    problems to come (``mean``), or over exactly these, whose trials alone vary (``mean-here``); of one
    problem it is that over its trials, or for ``quartiles`` the middle half of them. No error bar knows how
    far the baseline may be off.
    """
    _require_one(frame)
    of_problem = "problem" in frame.columns
    row = frame.row(0, named=True)
    last = frame.filter(frame["step"] == frame["step"].max())
    names = _COLUMNS[draw]
    if names[1] not in frame.columns:
        raise AslibError(
            "mean-here is of all problems, quartiles are of one", "--draw", "Choose mean or median."
        )
    value, *_ = names
    order = last.sort(value, "method", nulls_last=True)["method"].to_list()
    marks: list[Mark] = []
    for place, method in enumerate(order):
        own = _thinned(frame.filter(frame["method"] == method).sort("step"))
        marks += _curve(own, names, method, place)
    if not of_problem:
        marks.append(Rule(y=1.0, label="baseline" if value == "median" else "clip value"))
    where = f" on {row['problem']}" if of_problem else ""
    best = last.filter(last["method"] == order[0])[value][0]
    low, high = _ends(frame, names)
    leads = f"After the last step {order[0]} is best, at {number(best)}."
    bands = f"Bands are {_over(row, draw)}."
    whole = "" if of_problem else ", 0 = optimum"
    counted = True if row["by"] == "evaluations" else None
    return Chart(
        f"{value.capitalize()} loss after each {_step(row['by'])}{where}",
        f"{leads} {bands}",
        Linear(_step(row["by"]), 0.0, float(max(frame["step"])), whole=counted),
        Linear(f"{value} loss{whole}", low, high),
        marks,
        f"{row['scenario_id']}, {row['measure']} ({row['objective']}), "
        f"baseline {row['baseline']} · protocol {row['protocol']}",
        height=340,
    )


def _require_one(frame: pl.DataFrame) -> None:
    names = ("protocol", "scenario_id", "measure", "objective", "problem")
    for name in names:
        if name in frame.columns and frame[name].n_unique() != 1:
            found = list_names(sorted(set(frame[name])), most=5)
            hint = "Choose one with --problem, --scenario or --objective."
            raise AslibError(f"a chart is of one {name}: {found}", None, hint)
    if frame["step"].n_unique() < 2:  # noqa: PLR2004
        raise AslibError("there is a single step: nothing to draw over")


def _over(row: dict[str, Any], draw: str) -> str:
    trials = f"95 % error bars over {plural(row['trials'], 'trial')}"
    if draw == "quartiles":
        return f"the middle half of {plural(row['trials'], 'trial')}"
    if "problem" in row:
        return trials
    problems = plural(row["n"], "problem")
    if draw == "mean-here":
        return f"{trials} of exactly these {problems}"
    return f"95 % error bars over {problems}, as if more were to come"


def _step(by: str) -> str:
    return "batch of evaluations" if by == "evaluations" else "time"


def _thinned(own: pl.DataFrame) -> pl.DataFrame:
    if own.height <= _PLACES:
        return own
    at = np.unique(np.linspace(0, own.height - 1, _PLACES).round().astype(int))
    kept: pl.DataFrame = own[at.tolist()]
    return kept


def _curve(own: pl.DataFrame, names: Sequence[str], method: str, place: int) -> list[Mark]:
    drawn = look(place)
    rows = own.select("step", *names).rows()
    boxes: list[list[Any]] = []
    for (at, value, low, high), (until, *_) in pairwise(rows):
        if low is not None and high is not None:
            tip = f"{method}: {number(value)} ({number(low)} to {number(high)})"
            boxes.append([at, until, low, high, tip, drawn.color, _BAND])
    points = [[at, value, f"{method}: {number(value)}"] for at, value, *_ in rows if value is not None]
    line = Line(points, name=method, color=drawn.color, dash=drawn.dash, step=True)
    return [*([Boxes(boxes, color=drawn.color)] if boxes else []), line]


def _ends(frame: pl.DataFrame, names: Sequence[str]) -> tuple[float, float]:
    values = [v for name in names for v in frame[name].to_list() if v is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def trial_ranks(results: LakeResults, systems: Sequence[str]) -> Chart:
    """The ranks of systems by their means over the runs of each task; see rank_map.

    systems: names or globs; none for all.
    """
    return rank_map(_chosen(trial_results(results.lake, show="ranks"), "system", systems))


def rank_map(frame: pl.DataFrame) -> Chart:
    """A box for each system and rank, the darker the more tasks; best mean rank first.

    frame: rows of ``trial_results`` with show = ``ranks``; those by the mean count.
    """
    own = frame.filter(frame["by"] == "mean") if "by" in frame.columns else frame[:0]
    if "rank" not in own.columns or not own.height:
        raise AslibError("there are no ranks to draw", None, "Use --show ranks.")
    for name in ("protocol", "scenario_id", "measure"):
        if own[name].n_unique() > 1:
            raise AslibError(f"a chart is of one {name}: {list_names(sorted(set(own[name])), most=5)}")
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


_TIMES = (
    "The expected running time of independent restarts is what all runs spent until "
    "the target or their end, over the number of runs that reached it: evaluations, or "
    "time where the trajectories have it. The target leaves 1 % of the way from the "
    "worst first solution of any run to the best known value. A cell without a number "
    "is of an algorithm none of whose runs got there."
)


def running_times(results: ScenarioResults) -> Html | None:
    """A row for each instance, the least time in bold; None without repeated runs."""
    if results.lake is None or not results.frames["trajectory"].height:
        return None
    frame = target_times(results.lake, results.scenario_id)
    if not frame.height:
        return None
    measures = frame["measure"].unique(maintain_order=True).to_list()
    measure = results.measure if results.measure in measures else measures[0]
    frame = frame.filter(frame["measure"] == measure)
    systems = list(dict.fromkeys(frame["system"]))
    rows: dict[str, dict[str, Any]] = {}
    tips: dict[str, dict[str, str]] = {}
    for task, system, n, successes, ert, low, high in frame.select(
        "task", "system", "n", "successes", "ert", "ert_low", "ert_high"
    ).rows():
        row = rows.setdefault(task, {"task": task, "_n": plural(n, "run") + " each"})
        row[system] = ert
        about = (
            f"reached by {successes} of {plural(n, 'run')}, 95 % interval "
            f"{number(low)} to {'no end' if high is None else number(high)}"
        )
        tips.setdefault(task, {})[system] = about
    shown = []
    for task, row in rows.items():
        known = [row[s] for s in systems if row.get(s) is not None]
        best = [s for s in systems if len(known) > 1 and row.get(s) == min(known)]
        shown.append({**row, "_best": best, "_tips": tips[task]})
    columns = [Header("task", "instance"), *(Header(s, s) for s in systems)]
    table = HtmlTable("targets", "Expected running time to the target", columns, shown, "", RAW)
    return join([paragraph(_TIMES), table.html()])
