"""The command line: a command parses, calls the library once, and prints.

One module a command; this one is the group that holds them.
"""

from __future__ import annotations

from typing import Any

import click

from aslib_eval.cli.check import check
from aslib_eval.cli.compare import compare
from aslib_eval.cli.export import export
from aslib_eval.cli.fetch import fetch
from aslib_eval.cli.gap import gap
from aslib_eval.cli.import_ import import_
from aslib_eval.cli.import_selection import import_selection
from aslib_eval.cli.list_ import list_
from aslib_eval.cli.paper import paper
from aslib_eval.cli.plan import plan
from aslib_eval.cli.protocols import protocols
from aslib_eval.cli.query import query
from aslib_eval.cli.report import report
from aslib_eval.cli.resample import resample
from aslib_eval.cli.saying import say
from aslib_eval.cli.score import score
from aslib_eval.cli.sweep import sweep
from aslib_eval.cli.table import table
from aslib_eval.cli.train import train
from aslib_eval.cli.views import views


class _Group(click.Group):
    """Turns errors of the library into a message and Ctrl-C into "Aborted!", exit 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        from aslib_eval.errors import AslibError

        try:
            return super().invoke(ctx)
        except AslibError as error:
            say(error, err=True)
            ctx.exit(1)
        except Exception as error:
            # What DuckDB makes of a KeyboardInterrupt that comes during a query.
            if isinstance(error, RuntimeError) and str(error) == "Query interrupted":
                raise click.Abort from None
            if not _is_of_memory(error):
                raise
            say(_NO_MEMORY, err=True)
            ctx.exit(1)


_NO_MEMORY = (
    "memory: there is not enough for this. Choose fewer scenarios with --scenario, or "
    "give the process more."
)


def _is_of_memory(error: Exception) -> bool:
    """Whether memory ran out, in Python or in DuckDB (which is not imported here)."""
    names = {base.__name__ for base in type(error).__mro__}
    return not names.isdisjoint({"MemoryError", "OutOfMemoryException"})


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start: aslib-eval import scenarios && aslib-eval gap",
)
@click.version_option(package_name="aslib-eval", prog_name="aslib-eval")
def main() -> None:
    """Evaluate algorithm selectors on ASlib scenarios under named definitions."""


# In the order of the work, which is how --help lists them.
COMMANDS = (
    import_,
    import_selection,
    check,
    list_,
    score,
    gap,
    sweep,
    resample,
    train,
    compare,
    plan,
    table,
    paper,
    report,
    views,
    query,
    protocols,
    export,
    fetch,
)
for command in COMMANDS:
    main.add_command(command)
