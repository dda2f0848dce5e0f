"""Rows that scenarios of several formats have alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from aslib_eval.lake import RELATIONS
from aslib_eval.readers.locations import Location
from aslib_eval.readers.sources import Sources, digest_of


def scenario_table(
    location: Location,
    sources: Sources,
    *,
    measures: Mapping[str, bool],
    cutoffs: Mapping[str, float | None] | None = None,
) -> pa.Table:
    """The relation ``scenario``: objectives and whether more is better.

    cutoffs: of the measures that have one.
    """
    limits, digest = cutoffs or {}, digest_of(sources)
    rows: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality",
            "maximize": maximize,
            "cutoff": limits.get(measure),
            "missing": [],
            "source_sha256": digest,
        }
        for index, (measure, maximize) in enumerate(measures.items(), 1)
    ]
    return table("scenario", rows)


def algorithm_table(names: Sequence[str]) -> pa.Table:
    """The relation ``algorithm``, of algorithms that are only known by their runs."""
    rows = [{"algorithm": n, "described": False, "has_runs": True} for n in names]
    return table("algorithm", rows)


def table(relation: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows in the contract's schema; what they lack is null."""
    return pa.Table.from_pylist(list(rows), RELATIONS[relation].schema)
