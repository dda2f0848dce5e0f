"""Long frames → tables: a row for each instance, a column for each solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Wide:
    """A long frame, and where each of its lines lies in a table.

    rows: their keys, sorted. columns: theirs, in the order in which they come up.
    at: (n_lines,) each: the row and the column of every line.
    """

    frame: pl.DataFrame
    rows: pl.DataFrame
    columns: pl.DataFrame
    at: tuple[NDArray[np.uint32], NDArray[np.uint32]]

    def table(self, name: str) -> Floats:
        """A column of the frame as (n_rows, n_columns); nan = null, or no such line."""
        found = np.full((self.rows.height, self.columns.height), np.nan)
        found[self.at] = self._numbers(name)
        return found

    def of_rows(self, name: str) -> Floats:
        """A column of the frame that only the row decides, as (n_rows,)."""
        found = np.full(self.rows.height, np.nan)
        found[self.at[0]] = self._numbers(name)
        return found

    def _numbers(self, name: str) -> Floats:
        return np.asarray(self.frame[name].cast(float).to_numpy())


def widen(frame: pl.DataFrame, *, rows: Sequence[str], columns: Sequence[str]) -> Wide:
    """Tables of a long frame with one line at most for each row and column.

    rows, columns: the names of the columns of the frame that tell them apart.
    """
    down = frame.select(rows).unique().sort(rows)
    across = frame.select(columns).unique(maintain_order=True)
    row, column = (
        frame.join(keys.with_row_index("at"), on=keys.columns, maintain_order="left")
        for keys in (down, across)
    )
    return Wide(frame, down, across, (row["at"].to_numpy(), column["at"].to_numpy()))
