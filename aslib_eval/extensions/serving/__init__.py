"""SQL in a page: ``serve``, and a page of the report that needs no server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from aslib_eval.commands import OneProtocol, silent
from aslib_eval.options import Jobs, Lake, Option, Scenarios, SqlDirs, public
from aslib_eval.paths import as_paths


@public
def serve(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocol: OneProtocol = "default",
    sql_dirs: SqlDirs = (),
    port: Annotated[int, Option("Listen on this port; 0 takes any free port.", least=0, most=65535)] = 8000,
    open: Annotated[  # noqa: A002
        bool, Option("Open the report in a browser.")
    ] = False,
    output: Annotated[
        str | Path | None,
        Option(
            "Write the pages into this folder, and reuse them next time.",
            flags="-o --output",
            metavar="DIR",
            shown="a temporary folder",
            writes="folder",
        ),
    ] = None,
    jobs: Jobs = None,
    timeout: Annotated[float, Option("Stop a query after this many seconds.", metavar="SECONDS")] = 60,
    memory: Annotated[
        str | None,
        Option(
            "Stop a query that needs more memory than this, such as 4GB or 25%.",
            metavar="SIZE",
            shown="an eighth of the machine's memory",
        ),
    ] = None,
    ready: Callable[[str], None] = silent,
) -> None:
    """Serve the report, with a box for SQL queries, on this machine until you press Ctrl-C.

    It listens on 127.0.0.1, answers requests that come from its own pages or are typed, and refuses all
    else. What is asked is confined as by ``query``. Pages are made again when the lake changes.

    Four questions are answered at a time. ready: called with the address.

    >>> ae.serve("lake", port=0, open=True)  # doctest: +SKIP
    """
    from aslib_eval.database.protocol import load
    from aslib_eval.database.query import limits
    from aslib_eval.database.views import SHARE
    from aslib_eval.extensions.serving.server import AT_ONCE, Questions, Site, serve_site
    from aslib_eval.reports.write import Wanted

    asked = Wanted(Path(lake), load(protocol), tuple(scenarios), tuple(as_paths(sql_dirs)))
    allowed = limits(timeout=timeout, memory=memory or f"{100 * SHARE / AT_ONCE:g}%")
    serve_site(
        Site(asked, Questions(asked.anywhere(), allowed), jobs=jobs),
        port=port,
        folder=None if output is None else Path(output),
        ready=ready,
        browse=open,
    )
