"""Round differences to 0 that are within the rounding of their terms, for the report.

0.1 + 0.2 - 0.3 is 5.55e-17, and a gap made of it would be printed so. Scores are exact
to 12 digits, as the macro ``comparable`` compares them: smaller differences become 0.
``assets/portfolio.js`` does the same with the values that it computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

KNOWN = 1e-12  # share of the terms of a difference
_GAPS = {"score": "gap", "fold": "gap", "loss": "points"}  # how their names end
_LONG = ("rank", "definition")  # columns metric and score


def rounded_to_zero(value: float, *, size: float = 1.0) -> float:
    """The value; 0 (never -0) where it is within the rounding of numbers of a size."""
    return 0.0 if abs(value) <= KNOWN * abs(size) else value


def gap_size(baseline: pl.DataFrame) -> float:
    """Size of the terms of a closed gap: SBS / (SBS - VBS), at least 1."""
    if not baseline.height:
        return 1.0
    sbs, vbs = baseline.select("sbs_cost", "vbs_cost").row(0)
    if sbs is None or vbs is None or sbs == vbs:
        return 1.0
    return max(1.0, float(max(abs(sbs), abs(vbs)) / abs(sbs - vbs)))


def round_frames(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Frames of one scenario and measure, gaps and losses within rounding set to 0."""
    import polars as pl

    size = gap_size(frames["baseline"])
    found = dict(frames)
    found["loss"] = found["loss"].with_columns(_column("loss", pl.col("level").abs()))
    for name, end in _GAPS.items():
        columns = [c for c in found[name].columns if c.endswith(end)]
        found[name] = found[name].with_columns(_column(c, size) for c in columns)
    for name in _LONG:
        if name in found:
            found[name] = round_scores(found[name], size=size)
    return found


def round_scores(
    frame: pl.DataFrame, *, size: float = 1.0, columns: tuple[str, ...] = ("score",)
) -> pl.DataFrame:
    """Rows of (metric, scores…), with gaps within rounding set to 0."""
    import polars as pl

    is_gap = pl.col("metric").cast(pl.String).str.ends_with("gap")
    return frame.with_columns(
        pl.when(is_gap).then(_column(c, size)).otherwise(pl.col(c)).alias(c)
        for c in columns
    )


def _column(name: str, size: float | pl.Expr) -> pl.Expr:
    import polars as pl

    # A null size (an undefined level) leaves the value as it is.
    small = pl.col(name).abs() <= size * KNOWN
    return pl.when(small).then(pl.lit(0.0)).otherwise(pl.col(name)).alias(name)
