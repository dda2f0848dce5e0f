"""Algorithm 1 on recorded repetitions: how many of them would have sufficed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError
from aslib_eval.statistics.repetitions import Accuracy, Sampling

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import polars as pl

Row = dict[str, Any]
_SQL = """
    select
        p.protocol || '@' || p.hash as protocol, r.scenario_id, r.measure,
        r.instance_id, r.algorithm, list(r.cost order by r.repetition) as costs
    from stg_run as r
    inner join protocol as p using (protocol)
    where r.cost is not null
    group by all
    order by all
"""


def replay(
    con: duckdb.DuckDBPyConnection,
    *,
    accuracy: Accuracy,
    rng: np.random.Generator | None = None,
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Play recorded repetitions back, in their order, and stop where it suffices.

    One row for each instance: runs that were needed, runs that there are, and the
    largest standard error then. An instance of which an algorithm runs out of
    repetitions is not ``reached``; the budget is what is recorded, if less. Costs are
    those of the protocol, so a timeout is its penalty.

    Raises AslibError if no instance has ``accuracy.start`` repetitions of each.
    """
    import polars as pl

    frame = con.sql(_SQL).pl()
    keys = ["protocol", "scenario_id", "measure", "instance_id"]
    rows: list[Row] = []
    for part in frame.partition_by(keys, maintain_order=True):
        first = part.row(0, named=True)
        streams = part["costs"].to_list()
        if len(streams) > 1 and min(map(len, streams)) >= accuracy.start:
            row = {key: first[key] for key in keys}
            rows.append(row | _played(streams, accuracy, rng, first["instance_id"]))
    if not rows:
        message = f"no instance has {accuracy.start} repetitions of each algorithm"
        raise AslibError(message, hint="Choose another --scenario, or less --start.")
    found = pl.DataFrame(rows)
    return found, tuple(_sentences(found, accuracy))


def _played(
    streams: Sequence[Sequence[float]],
    accuracy: Accuracy,
    rng: np.random.Generator | None,
    instance: str,
) -> Row:
    sampling = Sampling(len(streams), accuracy=accuracy, rng=rng)
    try:
        while (at := sampling.ask()) is not None:
            run = len(sampling.runs[at])
            if run >= len(streams[at]):
                break
            sampling.tell(at, streams[at][run])
        worst = max(pair.se for pair in sampling.errors)
    except AslibError as error:
        raise AslibError(error.message, instance, error.hint) from None
    return {
        "runs": len(sampling.order),
        "recorded": sum(map(len, streams)),
        "reached": sampling.reached,
        "largest_se": worst,
        "runs_of_each": [len(values) for values in sampling.runs],
    }


def _sentences(found: pl.DataFrame, accuracy: Accuracy) -> Iterator[str]:
    for part in found.partition_by("protocol", "scenario_id", maintain_order=True):
        n = part.height
        enough = part.filter(part["reached"])
        of = "of the means" if accuracy.difference == "percent" else "in the unit"
        text = (
            f"{part['scenario_id'][0]}: all standard errors come down to"
            f" {accuracy.se:g} ({accuracy.difference}, {of}) on {enough.height} of"
            f" {n} instances"
        )
        if enough.height:
            used = sum(enough["runs"]) / enough.height
            there = sum(enough["recorded"]) / enough.height
            text += f", there with {used:.4g} runs on average instead of {there:.4g}"
        yield f"{text}."
