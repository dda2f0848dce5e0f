"""``aslib-eval fetch``: public scenarios from the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say


@made_of("aslib_eval.extensions.fetching:fetch", example="fetch ASP-POTASSCO 'SAT18*' --to aslib")
def fetch(run: Callable[..., list[Path]], **options: Any) -> None:
    """Download scenarios from the public ASlib repository.

    NAME is a scenario, a pattern such as 'SAT18*', or the word all.
    """
    say("\n".join(map(str, run(**options))))
