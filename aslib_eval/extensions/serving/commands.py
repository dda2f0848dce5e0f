"""``serve``: the report of a lake, and a box for SQL; ``report --sql-page``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from aslib_eval.commands import AnyProtocol, opened, silent
from aslib_eval.database.connections import SHARE, TIMEOUT, limits
from aslib_eval.database.protocol import load
from aslib_eval.options import Cluster, Jobs, Lake, Option, Scenarios, SqlDirs
from aslib_eval.paths import as_paths
from aslib_eval.signatures import public


@public
def serve(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocol: Annotated[AnyProtocol, Option("Preset or .toml file.", metavar="NAME|FILE")] = "default",
    sql_dirs: SqlDirs = (),
    port: Annotated[int, Option("Where to listen; 0 for any that is free.", least=0, most=65535)] = 8000,
    open: Annotated[  # noqa: A002
        bool, Option("Open it in the browser.")
    ] = False,
    output: Annotated[
        str | Path | None,
        Option(
            "Folder for the pages, to have them again the next time.",
            flags="-o",
            metavar="DIR",
            shown="one that is removed at the end",
            writes="folder",
        ),
    ] = None,
    jobs: Jobs = None,
    timeout: Annotated[float, Option("End a question after so long.", metavar="SECONDS")] = TIMEOUT,
    memory: Annotated[
        str | None,
        Option(
            "What a question may take, such as 4GB or 25%.",
            metavar="SIZE",
            shown="an eighth of the machine's",
        ),
    ] = None,
    ready: Callable[[str], None] = silent,
) -> None:
    """Show the report and a box for SQL to browsers of this machine, until Ctrl-C.

    It listens on 127.0.0.1, answers requests that come from its own pages or are typed, and refuses all
    else. What is asked is confined as by ``query``. Pages are made again when the lake changes.

    port: 0 for any that is free. open: whether the browser opens it. output: the folder of the pages; None
    for one that is removed at the end. timeout, memory: limits of a question, as of ``query``, of which
    four are answered at a time; an eighth of the machine's memory if None. ready: called with the address.

    Raises:
        AslibError: as ``report``, and when the port is taken.

    >>> ae.serve("lake", port=0, open=True)  # doctest: +SKIP
    """
    from aslib_eval.extensions.serving.server import AT_ONCE, Questions, Site, serve_site
    from aslib_eval.reports.write import Wanted

    folders = tuple(as_paths(sql_dirs))
    asked = Wanted(Path(lake), load(protocol), tuple(scenarios), folders)
    share = f"{100 * SHARE / AT_ONCE:g}%"
    allowed = limits(timeout=timeout, memory=memory or share)
    serve_site(
        Site(asked, Questions(asked.anywhere(), allowed), jobs=jobs),
        port=port,
        folder=None if output is None else Path(output),
        ready=ready,
        browse=open,
    )


def report_with_sql_page(
    lake: Lake = "lake",
    *,
    sql_page: Annotated[
        str | Path | None,
        Option(
            "Add a page for SQL that needs no server: the npm package "
            "@duckdb/duckdb-wasm, as 'npm pack' writes it, or its folder.",
            metavar="PACKAGE",
        ),
    ] = None,
    scenarios: Scenarios = (),
    protocol: AnyProtocol = "default",
    sql_dirs: SqlDirs = (),
    output: str | Path = "report",
    jobs: Jobs = None,
    cluster: Cluster = None,
    **choices: Any,
) -> list[Path]:
    """The pages of ``report``, and one that holds DuckDB-Wasm and the lake."""
    from aslib_eval.atomic_files import replace_files
    from aslib_eval.executors import workers
    from aslib_eval.extensions.serving import sql_page as pages_for_sql
    from aslib_eval.reports.write import write_report

    package = pages_for_sql.read_package(Path(sql_page or ""))  # what is none is said first
    folder, folders = Path(output), tuple(as_paths(sql_dirs))
    with workers(jobs=jobs, cluster=cluster) as they:
        *pages, index = write_report(
            lake,
            to=folder,
            protocol=protocol,
            scenarios=scenarios,
            sql_dirs=folders,
            progress=sys.stderr.isatty(),
            jobs=they.jobs,
            executor=they.executor,
            memory=they.memory,
            **choices,
            beside=[pages_for_sql.FROM_REPORT],
        )
    held = pages_for_sql.lake_file(opened(lake, scenarios, [protocol], sql_dirs))
    engine = pages_for_sql.offline(package, held)
    page = pages_for_sql.sql_page(engine, folder=folder, sql_dirs=folders)
    return [*pages, *replace_files(folder, {pages_for_sql.NAME: page}), index]
