"""Optimisers: ``trials``, ``optimisers``, and options of ``table``, ``import`` and ``check``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from aslib_eval import options
from aslib_eval.analysis import of_solvers
from aslib_eval.commands import Declared, Protocols, as_numbers, opened, silent
from aslib_eval.commands.products import table_of
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.paths import Paths, as_path, as_paths

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.errors import Finding
    from aslib_eval.formats import Found, Packed
    from aslib_eval.importer import Imported
    from aslib_eval.tables import ShownTable

OptimiserShow = Literal["summary", "steps", "problems", "curves", "objectives"]
LossDraw = Literal["mean", "mean-here", "median", "quartiles"]
Charged = Literal["value", "visible"]
TrialShow = Literal["systems", "pairs", "wins", "ranks", "targets"]
SearchDirection = Literal["min", "max"]
Baseline = Annotated[
    str | None,
    options.Option(
        "Scale losses so that this baseline has loss 1. GLOB: the optimisers whose names match. SBS: the "
        "single best optimiser. FILE: a .json file that 'aslib-eval optimisers --freeze' wrote.",
        metavar="GLOB|SBS|FILE",
        shown="RandomSearch_*, or SBS if steps are measured in time",
    ),
]
Direction = Annotated[
    SearchDirection | None,
    options.Option(
        "For IOHprofiler archives without a direction: lower (min) or higher (max) values are better.",
        heading=options.RARE,
    ),
]
OPTIMISERS = Declared(
    "aslib_eval.extensions.optimisers:optimisers",
    "optimisers --scenario 'OPT*' --show problems",
    "A loss is 0 at the best known value and 1 at the baseline.",
)
_OfTests = options.Option(goes_with="show=systems|pairs|wins")
TRIALS = Declared(
    "aslib_eval.extensions.optimisers:trials",
    "trials --scenario 'OPT*' --versus TPE",
    "On each task, the command compares each pair of systems by Wilcoxon's rank-sum test and the effect "
    "size A12, and groups all systems (Scott-Knott). Over several tasks, it counts wins, ties and losses.",
)


@options.public
def trials(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    show: Annotated[
        TrialShow,
        options.Option(
            "systems: the mean of each system, and a mark: + for systems that are significantly better "
            "than {versus}, - for significantly worse ones. pairs: every pair of systems. wins: for each "
            "pair, the numbers of tasks won, tied and lost. ranks: how often each system has each rank. "
            "targets: the expected runtime until a system reaches a target."
        ),
    ] = "systems",
    versus: Annotated[options.Versus, _OfTests] = None,
    alpha: options.Alpha = 0.05,
    correction: Annotated[options.CorrectionOf, _OfTests] = "holm",
    gaps: Annotated[
        str | Sequence[float] | None,
        options.Option(
            "With {show} targets: set targets at these fractions of the distance from the best known "
            "value (0) to the worst value (1).",
            metavar="G,G",
            shown="0.1,0.01,0.001",
            as_text=True,
            goes_with="show=targets",
        ),
    ] = None,
    target: Annotated[
        float | None,
        options.Option(
            "With {show} targets: use only this value as a target, instead of {gaps}.",
            goes_with="show=targets",
            goes_without=("gaps",),
            because="is the only target",
        ),
    ] = None,
    task: Annotated[
        str | None, options.Option("Include only tasks whose name matches this pattern.", metavar="GLOB")
    ] = None,
    chart: options.ChartFile = None,
    measure: options.Measure = None,
    penalty: options.Penalty = None,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Compare systems (such as optimisers) that ran several times on each task: one test per task.

    Runs of two systems are independent samples: Wilcoxon's rank sum, A12, and groups of Scott and Knott.
    Tasks are counted, never pooled.

    All runs tied: p is 1, A12 a half, one group. A system with one run of a task has no test.

    Source: Wilcoxon 1945; Vargha and Delaney 2000; Scott and Knott 1974; Hansen et al. 2010.

    >>> ae.trials("lake").select("system", "n").rows()[:2]
    [('anvil', 2), ('drift', 2)]
    """
    from aslib_eval.extensions.optimisers.analysis import chosen_rows
    from aslib_eval.extensions.optimisers.tasks import GAPS, TaskQuestion, trial_results

    question = TaskQuestion(
        versus=versus,
        alpha=alpha,
        correction=correction,
        target=target,
        gaps=GAPS if gaps is None else as_numbers(gaps, "--gaps"),
    )
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure, penalty=penalty)
    found = chosen_rows(trial_results(lake, question, show=show), task=task)
    if show == "systems":
        note("mark: by the test, the system is better (+) or worse (-) than 'versus', or neither (=)")
    if chart is not None:
        from aslib_eval.extensions.optimisers.tasks import rank_map

        rank_map(found).save(chart)
    return found


@options.public
def optimisers(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    show: Annotated[
        OptimiserShow,
        options.Option(
            "summary: one row per optimiser. steps: one row per optimiser and step. problems: one row "
            "per optimiser and problem. curves: one row per optimiser, problem and step. objectives: the "
            "losses that count for the score, beside the losses that the optimisers observed."
        ),
    ] = "summary",
    baseline: Baseline = None,
    freeze: Annotated[
        str | Path | None,
        options.Option(
            "Write the baseline to this .json file, for a later {baseline}.", metavar="FILE", writes="file"
        ),
    ] = None,
    problem: Annotated[
        str | None,
        options.Option(
            "With {show} problems or curves: include only problems that match this pattern.", metavar="GLOB"
        ),
    ] = None,
    objective: Annotated[
        Charged | None,
        options.Option(
            "value: the losses that count for the score. visible: the losses that the optimisers observed."
        ),
    ] = None,
    chart: options.ChartFile = None,
    draw: Annotated[
        LossDraw | None,
        options.Option(
            "Kind of {chart}. mean: mean loss, with 95 % error bars that hold for new problems of "
            "this kind. mean-here: error bars that hold for these problems alone. median: median loss. "
            "quartiles: median and quartiles of the trials on one problem.",
            shown="mean",
            goes_with="chart",
        ),
    ] = None,
    solvers: options.Solvers = (),
    measure: options.Measure = None,
    penalty: options.Penalty = None,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Show the losses of optimisers relative to a baseline.

    A loss is 0 at the best known value and 1 at the baseline: pooled random search by evaluations, SBS by
    time.

    A method that always has the baseline's value has the loss 1. A problem has no loss if the baseline is
    the best known value there.

    Source: bayesmark (Turner and Eriksson 2019); Turner et al. 2021, by its scale.

    >>> _ = ae.import_scenarios(["scenarios/OPT-FUNCTIONS-2026"], into="searches")
    >>> ae.optimisers("searches", problem="branin-2", show="problems").height
    6
    """
    from aslib_eval.extensions.optimisers.analysis import chosen_rows, optimiser_scores

    lake = opened(lake, scenarios, protocols, measure=measure, penalty=penalty)
    found = optimiser_scores(lake, baseline=baseline, show=show, freeze=as_path(freeze))
    found = chosen_rows(found, problem=problem, objective=objective)
    note("score: higher is better. In all other columns of results, lower is better")
    if chart is not None:
        from aslib_eval.extensions.optimisers.analysis import score_curves

        score_curves(found, draw=draw or "mean").save(chart)
    return of_solvers(found, (), solvers)


def table_by_baseline(
    name: str,
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    baseline: Baseline = None,
    solvers: Sequence[str] = (),
    versus: str | None = None,
    **changes: Any,
) -> ShownTable:
    """A table of optimisers by this baseline."""
    from aslib_eval.database.sqlfiles import find_tables
    from aslib_eval.extensions.optimisers.analysis import optimiser_scores

    files = find_tables(sql_dirs)
    if name in files and "optimiser_" not in files[name].sql:
        raise OptionError("--baseline only works with a table of optimisers")
    lake = opened(lake, scenarios, protocols, sql_dirs, **changes)
    scores = partial(optimiser_scores, lake, baseline=baseline)
    return table_of(
        name,
        lake,
        solvers=solvers,
        versus=versus,
        scores={
            "optimiser_score": partial(scores, show="summary"),
            "optimiser_problem": partial(scores, show="problems"),
        },
    )


def import_by_direction(  # noqa: PLR0913 - one for each option
    paths: Paths,
    *,
    into: str | Path = "lake",
    input_format: str | None = None,
    forget: bool = False,
    time_unit: str | None = None,
    family: str | None = None,
    attributes: str | Path | None = None,
    direction: Direction = None,
    done: Callable[[Imported], None] | None = None,
    progress: bool = False,
) -> list[Imported]:
    """Import archives of IOHprofiler, in which min or max is better."""
    from aslib_eval.formats.attributes import attribute_choices
    from aslib_eval.importer import import_found

    return import_found(
        _archives(paths, input_format, direction),
        Path(into),
        forget=forget,
        time_unit=time_unit,
        more=attribute_choices(family=family, attributes=attributes),
        done=done,
        progress=progress,
    )


def check_by_direction(
    paths: Paths,
    *,
    family: str | None = None,
    attributes: str | Path | None = None,
    direction: Direction = None,
) -> list[Finding]:
    """All findings on archives of IOHprofiler, in which min or max is better."""
    from aslib_eval.formats.attributes import attribute_choices
    from aslib_eval.linter import check_found

    more = attribute_choices(family=family, attributes=attributes)
    return check_found(_archives(paths, None, direction), more)


def _archives(paths: Paths, format_: str | None, direction: str | None) -> list[Found | Packed]:
    from aslib_eval.extensions.optimisers.iohprofiler import IOHPROFILER, iohprofiler_format
    from aslib_eval.formats.registry import locate_all

    if format_ not in (None, IOHPROFILER.name):
        what = f"--direction only works with archives of {IOHPROFILER.name}"
        raise AslibError(what, None, "Use --maximize for a table of runs.")
    return locate_all(as_paths(paths), formats=[iohprofiler_format(direction or "")])
