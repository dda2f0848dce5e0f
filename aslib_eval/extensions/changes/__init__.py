"""What changed between two solvers, or versions of one, and whether it is noise: ``diff``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval.commands import Protocols, opened
from aslib_eval.errors import AslibError
from aslib_eval.options import Alpha, By, ChartFile, InsideOf, Lake, Option, Scenarios, SqlDirs, public

if TYPE_CHECKING:
    from aslib_eval.extensions.changes.analysis import Changes

Shown = Literal["summary", "instances", "apart"]


@public
def diff(  # noqa: PLR0913 - one for each option
    names: Annotated[
        Sequence[str], Option("Two or more to compare, the oldest first.", flags="", metavar="OLD NEW...")
    ],
    lake: Lake = "lake",
    *,
    solver: Annotated[
        str | None, Option("Compare the runs of this solver in several lakes or scenarios.", metavar="NAME")
    ] = None,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    factor: Annotated[
        float | None,
        Option(
            "Count two runtimes as equal if their ratio is at most this factor.",
            shown="1.1, or more if repeated runs differ by more; 1 if the measure is a quality",
            most=1e6,
        ),
    ] = None,
    margin: Annotated[
        float | None,
        Option(
            "Also count two runtimes as equal if they differ by at most this much, in the scenario's unit.",
            shown="0.1; 0 for solution quality",
        ),
    ] = None,
    alpha: Alpha = 0.05,
    by: By = None,
    inside: InsideOf = "families",
    show: Annotated[
        Shown,
        Option(
            "summary: one row per comparison and scenario. instances: one row per instance, largest loss "
            "first. apart: the runs that only OLD or only NEW has."
        ),
    ] = "summary",
    chart: Annotated[ChartFile, Option("Also draw a chart to this file (.svg, .png or .html).")] = None,
    page: Annotated[
        str | Path | None,
        Option(
            "Also write an HTML page with the verdict, a figure and all instances.",
            metavar="FILE",
            writes="file",
        ),
    ] = None,
) -> Changes:
    """What changed from one solver or version to the next, and whether it is noise.

    names: solvers of the lake; with ``solver`` lakes or scenarios in which it ran; or ``"PLACE:SOLVER"``.
    With three or more, each is compared with the one before it.

    Only what both ran counts. ``summary``: instances gained, lost, faster, slower, level, and those that
    neither solves, the mean costs and the verdict: better or worse (the tests, and the interval of the mean
    cost), typically better or worse (the tests alone), mixed (one test, or the mean cost, says the reverse
    of another) or no difference. The tests are two, with Holm's correction over all rows, and take known
    families of instances as wholes, unless ``inside`` says instances. factor, margin: None for what
    ``noise_level`` says.

    All tied, or all timed out: no difference, and no p.

    Source: McNemar 1947; Wilcoxon 1945; Holm 1979.

    >>> found = ae.diff(["anvil", "crane"], "lake")
    >>> found.summary.select("gained", "lost", "verdict").rows()
    [(3, 1, 'no difference')]
    """
    from aslib_eval.analysis.summaries import unit_notes
    from aslib_eval.extensions.changes.analysis import changes, sides_of
    from aslib_eval.extensions.changes.reports import history, times_of_two
    from aslib_eval.tables.to_terminal import to_notebook

    names = [names] if isinstance(names, str) else list(names)
    # Each once: looking at all hashes of a lake takes time.
    open_ = cache(lambda place: opened(place, scenarios, protocols, sql_dirs))
    if (factor is not None and factor < 1) or (margin is not None and margin < 0):
        raise AslibError("--factor must be at least 1, --margin at least 0")
    sides = sides_of(names, solver, lake, open_)
    found = changes(sides, factor=factor, margin=margin, alpha=alpha, by=by, show=show, inside=inside)
    found = replace(found, sentences=(*found.sentences, *unit_notes(sides[-1].lake)))
    drawn = (
        partial(times_of_two, found.instances, found.cost)
        if len(sides) == 2  # noqa: PLR2004
        else partial(history, found.summary, found.cost)
    )
    if chart is not None:
        drawn().save(chart)
    if page is not None:
        from aslib_eval.atomic_files import replace_file
        from aslib_eval.extensions.changes.reports import changes_page

        replace_file(Path(page), changes_page(found))
    return replace(found, html=partial(to_notebook, found.frame, found.sentences, drawn))
