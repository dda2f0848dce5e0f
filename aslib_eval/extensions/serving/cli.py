"""``aslib-eval serve``: the report, and a box for SQL, on this machine alone."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say


@made_of("aslib_eval.extensions.serving:serve", example="serve --open")
def serve(run: Callable[..., None], **options: Any) -> None:
    """Serve the report, with a box for SQL queries, on this machine until you press Ctrl-C.

    When the lake changes, the command writes the pages again. Programs can send queries to
    /query?sql=SELECT..., with &format=json or &format=csv. An answer has at most 100,000 rows and 100
    million characters.
    """

    def ready(address: str) -> None:
        say(address)
        if sys.stderr.isatty():
            say("Ctrl-C ends it.", err=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    say(f"Making the pages of {options['lake']}. Their address follows.", err=True)
    run(ready=ready, **options)
