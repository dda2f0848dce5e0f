"""What each command does, as a plain function with the command's options.

The command line parses and prints; ``import aslib_eval as ae`` has the same functions. ``note`` is called
with each sentence that the command line prints to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aslib_eval.database.protocol import AnyProtocol as AnyProtocol
from aslib_eval.database.protocol import Protocols as Protocols
from aslib_eval.database.protocol import changed, load
from aslib_eval.errors import OptionError
from aslib_eval.options import Lake, Note
from aslib_eval.paths import Paths
from aslib_eval.text import list_names

if TYPE_CHECKING:
    from aslib_eval.database.open_lake import OpenLake


def silent(note: str) -> None:
    """Say nothing."""


def changed_protocols(
    protocols: Protocols,
    *,
    measure: str | None = None,
    fold_mean: bool = False,
    sbs: str | None = None,
    penalty: float | None = None,
    delta: float | None = None,
) -> Protocols:
    """Protocols that make some choices under names of their own; None = their own.

    Raises:
        OptionError: for ``sbs`` where folds are pooled.
        AslibError: when a value is none of the allowed ones.
    """
    if not fold_mean and (measure, sbs, penalty, delta) == (None,) * 4:
        return protocols
    found = tuple(
        changed(
            load(each),
            measures=measure,
            fold_aggregate="mean" if fold_mean else None,
            sbs_scope=sbs,
            penalty=penalty,
            borda_delta=delta,
        )
        for each in protocols
    )
    if sbs is not None and any(p.fold_aggregate == "pooled" for p in found):
        raise OptionError("--sbs is of folds, which are pooled: it needs --fold-mean")
    return found


def opened(lake: Lake, scenarios: Sequence[str], protocols: Protocols, sql_dirs: Paths) -> OpenLake:
    """The open lake; a bar on a terminal shows what is built."""
    from aslib_eval.database.open_lake import open_lake

    return open_lake(
        lake, protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs, shown=sys.stderr.isatty()
    )


def tell_left_out(lake: OpenLake, attribute: str | None, note: Note) -> None:
    """Name the scenarios that have no family of an attribute; None has no families."""
    from aslib_eval.analysis.summaries import scenarios_without

    if attribute is not None and (without := scenarios_without(lake, attribute)):
        names = list_names(without, quoted=False)
        note(f"left out, as no instance has the attribute {attribute}: {names}")


def as_numbers(given: str | Sequence[float] | None, option: str) -> tuple[float, ...]:
    """Numbers of a sequence, or of a text such as ``0.1,0.01``."""
    words = (given or "").split(",") if isinstance(given, str | None) else given
    try:
        return tuple(float(word) for word in words if word != "")
    except ValueError:
        raise OptionError(f"{given!r} is no list of numbers for {option}") from None
