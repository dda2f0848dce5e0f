"""Answers: what Python computes of built results, kept beside them.

An answer is of one question, scenario and protocol, as a built result is of one relation, scenario and
protocol, and it lies in a folder of its own:

    scenario_id=X/<data>-<choices>-<question>/<name>.<question>.<content>.parquet

``question`` is a hash of all else that the answer depends on: the SQL of the relations that it is computed
from, the options, the code, Python and the libraries. So an answer is never out of date, and goes with the
version of the scenario that it is of. Answers of all protocols go when they and the results of a user's own
protocols take too much together, see ``lake.versions.trim_results``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.database.build import ScenarioVersion, Wish, trim
from aslib_eval.database.protocol import Protocol
from aslib_eval.lake import versions

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

_BATCH = 400_000  # rows of raw relations beyond which no other scenario is added
# A protocol's name and scenarios → the rows, with the column scenario_id.
Compute = Callable[[str, Sequence[str]], "pl.DataFrame"]


@dataclass(frozen=True)
class LocalQuestion:
    """A question about each scenario and protocol by itself.

    name: of its answers. relations: those that they are computed from. facts: whatever else they depend on,
    the code included; ``repr`` tells them apart.
    """

    name: str
    relations: Collection[str]
    facts: Sequence[object]


def answers(lake: OpenLake, asked: LocalQuestion, compute: Compute) -> pl.DataFrame | None:
    """The answers of all scenarios and protocols of an open lake, as one frame.

    The first column is ``protocol``, its name and hash; rows are by protocol and scenario, and then as they
    were computed. Whatever is missing is computed, for some scenarios of a protocol at a time, and kept if
    that is possible. None where
    answers cannot be kept: of relations that are not built a scenario and protocol.
    """
    import polars as pl

    wish = lake.wish(asked.relations)
    if wish is None:
        return None
    parts = []
    for protocol in sorted(wish.protocols, key=lambda p: p.tag):
        hashes = (lake.lineage.named(r, protocol) for r in sorted(asked.relations))
        facts = (*asked.facts, sys.version, pl.__version__)
        question = versions.digest(asked.name, *hashes, *map(repr, facts))
        contents = _of_protocol(wish, protocol, f"{asked.name}.{question}", compute)
        tag = pl.lit(protocol.tag).alias("protocol")
        frame = pl.read_parquet(contents)
        parts.append(frame.select(tag, *frame.columns))
    return pl.concat(parts)


def _of_protocol(wish: Wish, protocol: Protocol, name: str, compute: Compute) -> list[bytes]:
    """The answers under one protocol as Parquet files, by scenario.

    What is computed now is read from its file as well, so that it is the same later.
    """
    import polars as pl

    scenarios = sorted(wish.scenarios, key=lambda s: s.scenario_id)
    choices = f"{protocol.hash}-{name.rpartition('.')[2]}"
    folders = {
        s: [versions.unit_folder(root, s.scenario_id, s.data, choices) for root in wish.roots]
        for s in scenarios
    }
    contents = {s: _kept(folders[s], name) for s in scenarios}
    missing = [s for s in scenarios if contents[s] is None]
    for batch in _batches(missing):
        found = compute(protocol.protocol, [s.scenario_id for s in batch])
        for scenario in batch:
            rows = found.filter(pl.col("scenario_id") == scenario.scenario_id)
            # As it is read as often as it is asked for: without statistics that
            # nobody looks at, and in the compression that is read fastest.
            rows.write_parquet(buffer := BytesIO(), compression="lz4", statistics=False)
            contents[scenario] = buffer.getvalue()
            for folder in folders[scenario]:  # the first that takes it; in none, it is asked anew
                with suppress(OSError):
                    versions.keep_file(folder, name, buffer.getvalue())
                    break
    if missing:
        trim(wish)
    return [content for content in contents.values() if content is not None]


def _batches(scenarios: Sequence[ScenarioVersion]) -> Iterator[list[ScenarioVersion]]:
    """Some at a time, in their order: memory may not hold a whole lake."""
    batch: list[ScenarioVersion] = []
    for scenario in scenarios:
        batch.append(scenario)
        if sum(s.rows for s in batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _kept(folders: Sequence[Path], name: str) -> bytes | None:
    for folder in folders:
        for file in versions.whole_files(folder, {name}).values():
            with suppress(OSError):  # somebody may have removed it just now
                return file.read_bytes()
    return None
