"""Plain CSV files: their rows with line numbers, and columns of several names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence


def numbered_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the line on which each starts.

    Raises: csv.Error where the text is no CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            yield line, row
        line = reader.line_num + 1


def places_of(
    header: Sequence[str], names: Mapping[str, Sequence[str]]
) -> dict[str, int]:
    """Where each column stands that a header has, by any of its names, in any case."""
    held = [name.strip().lower() for name in header]
    return {
        meant: held.index(known[0])
        for meant, aliases in names.items()
        if (known := [alias for alias in aliases if alias in held])
    }
