"""``aslib-eval build``: results ahead of the questions."""

from __future__ import annotations

from typing import Any

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import say
from aslib_eval.text import plural


@click.command(epilog="Example: aslib-eval build --protocol default --jobs 2")
@options_from("aslib_eval.commands.products:build")
def build(**options: Any) -> None:
    """Build results ahead: every relation of every scenario and protocol.

    Every command builds what it needs and finds missing; what is there is never built
    again. The results lie in the folder .results of the lake and may be removed.
    """
    from aslib_eval.commands.products import build as run

    found = run(**options)
    relations = plural(found.relations, "relation")
    scenarios = plural(found.scenarios, "scenario")
    protocols = plural(found.protocols, "protocol")
    say(f"built: {relations} of {scenarios} under {protocols}")
