"""Analyses that read views into arrays and return frames; the relations that they add to those of SQL.

Of SQL only paper tables may read these relations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError
from aslib_eval.plugins import RESERVED, Registry, Reserved, a_function
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

COLORS = 16  # of the solvers of a chart; the seventeenth has the first one again
Scored = Callable[[], "pl.DataFrame"]
Computed = Callable[..., "pl.DataFrame"]


def _qualities(lake: OpenLake) -> pl.DataFrame:
    from aslib_eval.analysis.objectives import qualities

    return qualities(lake)


def asked_gaps(lake: OpenLake, solvers: Sequence[str] = ()) -> pl.DataFrame:
    """Gaps with their intervals: of SBS, VBS, and the solvers that globs match, else all selectors."""
    from aslib_eval.analysis.runs import with_intervals
    from aslib_eval.analysis.summaries import gaps

    found = with_intervals(lake, gaps(lake).rename({"n": "n_instances"}))
    kinds = ("algorithm", "selector") if solvers else ("selector",)
    ends = of_solvers(found, ("baseline",), ("SBS", "VBS"))
    found = ends.vstack(of_solvers(found, kinds, solvers))
    return found.with_columns(found["protocol"].str.split("@").list.first())


_OURS: dict[str, Computed | Reserved] = {
    "quality_score": _qualities,
    "asked_gap": asked_gaps,
    "anytime_score": RESERVED,
}
RELATIONS: Registry[Computed] = Registry("relations", _OURS, a_function)


def scored(lake: OpenLake) -> Mapping[str, Scored]:
    """Each of RELATIONS, computed when it is called."""

    def computed(name: str) -> pl.DataFrame:
        return RELATIONS[name](lake)

    return {name: partial(computed, name) for name in RELATIONS}


def of_solvers(frame: pl.DataFrame, kinds: Sequence[str], solvers: Sequence[str]) -> pl.DataFrame:
    """The rows of solvers of these kinds, whose names match one of the globs."""
    import polars as pl

    if kinds and "kind" in frame.columns:
        frame = frame.filter(pl.col("kind").cast(pl.String).is_in(kinds))
    if not solvers:
        return frame
    column = "solver" if "solver" in frame.columns else "method"
    names = sorted(set(frame[column].cast(pl.String)))
    wanted = [n for n in names if any(fnmatchcase(n, glob) for glob in solvers)]
    if not wanted:
        raise AslibError(f"no solver matches {' or '.join(solvers)}", "--solver", one_of(solvers[0], names))
    return frame.filter(pl.col(column).cast(pl.String).is_in(wanted))
