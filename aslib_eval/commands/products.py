"""What is made of a lake: tables, figures, reports, exports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from aslib_eval import options
from aslib_eval.commands import OneProtocol, Protocols, opened
from aslib_eval.errors import AslibError
from aslib_eval.options import Option, public
from aslib_eval.paths import Paths, as_paths
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis import Scored
    from aslib_eval.database.open_lake import Ahead, OpenLake
    from aslib_eval.database.sqlfiles import SqlFile
    from aslib_eval.figures.chart import Chart
    from aslib_eval.selections import ImportedSelection
    from aslib_eval.tables import ShownTable


@public
def views(
    name: Annotated[str | None, Option("A table or view; none for a list of all.", flags="")] = None,
    *,
    sql_dirs: options.SqlDirs = (),
) -> pl.DataFrame:
    """List the tables and views that queries can read, or the columns of one of them (NAME).

    >>> ae.views("solver_gap").columns
    ['column', 'meaning']
    """
    from aslib_eval.database.query import columns, relations

    folders = tuple(as_paths(sql_dirs))
    return relations(folders) if name is None else columns(name, folders)


@public
def import_selection(  # noqa: PLR0913 - one for each choice
    path: str | Path,
    lake: options.Lake = "lake",
    *,
    name: str | None = None,
    scenario: Annotated[
        str | None,
        Option(
            "Id or folder name of the scenario that the predictions are for.",
            metavar="NAME",
            shown="the name of the file's folder, or the lake's only scenario",
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        Option(
            "Cross-validation scheme on which the selector was trained, if the file names no scheme.",
            metavar="NAME",
        ),
    ] = None,
    prefix: options.Prefix = "",
    without_feature_costs: Annotated[
        bool,
        Option("The times in the CSV file do not include feature costs; the command adds these costs."),
    ] = False,
    column: Annotated[
        options.Column,
        Option("Say what a column holds: algorithm=choice reads the algorithm from the column 'choice'."),
    ] = (),
    done: Callable[[ImportedSelection], None] | None = None,
) -> list[ImportedSelection]:
    """Import the predictions of selectors; ``remove_selection`` forgets them.

    path: a schedule, a CSV of choices, costs or outcomes, or a folder of <scenario>/<selector>.json and
    .csv. done: called with each outcome; a file with an error is left out as a whole, and has it as
    ``error``.

    name: of the selector in a schedule; None for the file's. column: role → column of
    a CSV file, where names do not say it: instance, algorithm, selector, time, runstatus, objective, fold,
    ignore and so on.

    >>> file = "scenarios/selections/TOY-2026/rf.json"
    >>> found = ae.import_selection(file, "lake", name="mine", scenario="TOY-2026")
    >>> found[0].selectors
    ('mine',)
    """
    from aslib_eval.selections import import_selections

    return import_selections(
        path, lake=lake, name=name, prefix=prefix, scenario=scenario, scheme=scheme,
        without_feature_costs=without_feature_costs, column=column, done=done,
    )  # fmt: skip


@public
def remove_selection(
    name: str, lake: options.Lake = "lake", *, scenario: str, scheme: str | None = None
) -> str:
    """Forget a selector's predictions, as ``import-selection --remove``.

    Returns the id of the scenario, which may be named by its folder. scheme: on one split; None on all.

    name: of the selector. scenario: its id or folder.

    >>> ae.remove_selection("mine", "lake", scenario="TOY-2026")
    'TOY-2026'
    """
    from aslib_eval.selections import remove_selection as remove
    from aslib_eval.selections import scenario_called

    scenario_id = scenario_called(scenario, Path(lake))
    remove(Path(lake), scenario_id, name, cv_scheme=scheme)
    return scenario_id


@public
def build(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    part: Annotated[
        tuple[int, int],
        Option(
            "Divide the scenarios into N parts, and work on part I only (for array jobs of a cluster).",
            metavar="I/N",
            shown="1/1",
        ),
    ] = (1, 1),
) -> Ahead:
    """Compute all results in advance, so that later commands answer at once.

    >>> ae.build("lake", scenarios=["TOY-2026"], jobs=1).scenarios
    1
    """
    from aslib_eval.executors import workers

    with workers(jobs=jobs, cluster=cluster) as they:
        return opened(lake, scenarios, protocols, sql_dirs).build(
            part=part, executor=they.executor, jobs=they.jobs, memory=they.memory
        )


@public
def table(
    name: Annotated[str, Option("Name of the table.", flags="")],
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    solvers: Annotated[
        options.Solvers,
        Option("In the table 'selection': show solvers that match this pattern, instead of all selectors."),
    ] = (),
    versus: Annotated[
        options.Versus, Option("In the table 'selection': test against this solver instead of SBS.")
    ] = None,
    **choices: Unpack[options.ProtocolOptions],
) -> ShownTable:
    """A table for a paper, with a caption, rounded numbers and the best values in bold.

    Your own tables are files in the folder ``table`` of a folder of ``sql_dirs``. ``render("tex")`` gives
    the text.

    >>> ae.table("closed_gap", "lake").caption
    'Closed gap of every selector: 1 is VBS, 0 is SBS.'
    """
    _table_file(name, sql_dirs)  # a wrong name is said before a wrong lake
    return table_of(
        name, opened(lake, scenarios, protocols, sql_dirs, **choices), solvers=solvers, versus=versus
    )


def table_of(
    name: str,
    lake: OpenLake,
    *,
    scores: Mapping[str, Scored] | None = None,
    solvers: Sequence[str] = (),
    versus: str | None = None,
) -> ShownTable:
    """The paper table of a name. scores: relations that it reads, in place of ours."""
    from aslib_eval.analysis import scored
    from aslib_eval.provenance import provenance
    from aslib_eval.tables import ShownTable
    from aslib_eval.tables.paper_table import paper_table

    file = _table_file(name, lake.sql_dirs)
    computed = {**scored(lake), **(scores or {})}
    made_of = provenance(lake)
    found = paper_table(lake, file, made_of=made_of, scores=computed, solvers=solvers, versus=versus)
    return ShownTable(**vars(found))


def _table_file(name: str, sql_dirs: Paths) -> SqlFile:
    """The file of a paper table, which needs no lake to be found."""
    from aslib_eval.database.sqlfiles import find_tables

    files = find_tables(sql_dirs)
    if name not in files:
        raise AslibError("there is no such table", name, one_of(name, files))
    return files[name]


@public
def figure(
    name: Annotated[str, Option("Name of the figure.", flags="")],
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    solvers: options.Solvers = (),
) -> Chart:
    """A figure of a paper, as ``paper build`` draws it; ``save`` writes it.

    In a notebook it draws itself. solvers: of a figure of chosen solvers, which.

    name: one of those in docs/reference/commands.md under ``paper build``, or of a plug-in.

    >>> ae.figure("bump", "lake", scenarios=["TOY-2026"]).title
    'Ranks under every definition'
    """
    from aslib_eval.analysis.results import LakeResults
    from aslib_eval.figures.catalogue import figure as draw
    from aslib_eval.figures.catalogue import require_figure

    require_figure(name)
    results = LakeResults(opened(lake, scenarios, protocols, sql_dirs))
    return draw(name, results, solvers=solvers)


@public
def report(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocol: OneProtocol = "default",
    sql_dirs: options.SqlDirs = (),
    output: Annotated[
        str | Path,
        Option("Write the pages into this folder.", flags="-o --output", metavar="DIR", writes="folder"),
    ] = "report",
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    force: Annotated[bool, Option("Also write pages that have not changed.")] = False,
    full: Annotated[bool, Option("Expand all collapsed parts of the pages.")] = False,
    link: Annotated[
        str | None,
        Option(
            "Link every run to this address, such as https://example.org/{{instance}}/{{solver}}.log.",
            metavar="TEMPLATE",
        ),
    ] = None,
) -> list[Path]:
    """Write a self-contained HTML page for each scenario, and an index page, the last of them.

    The index of one page leads to it at once. Pages whose content is unchanged are not written again,
    unless with ``force``.

    >>> ae.report("lake", scenarios=["TOY-2026"], output="pages", jobs=1)[-1].name
    'index.html'
    """
    from aslib_eval.executors import workers
    from aslib_eval.reports.write import write_report

    with workers(jobs=jobs, cluster=cluster) as they:
        return write_report(
            lake, to=Path(output), protocol=protocol, scenarios=scenarios,
            sql_dirs=tuple(as_paths(sql_dirs)), progress=sys.stderr.isatty(),
            jobs=they.jobs, executor=they.executor, memory=they.memory,
            force=force, full=full, link=link,
        )  # fmt: skip
