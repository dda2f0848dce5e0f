"""Runs of a competition as its files have them → the tables of the lake contract.

A run has its times, how it ended, what the solver said, and what that amounts to. Each measure of time is
one of the scenario; the first one is what the competition ranks by.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from aslib_eval.formats.sources import Location, Sources, digest_of, source_table, table
from aslib_eval.lake.schema import RELATIONS

GROUND_TRUTH = "ground_truth"
OUTSIDE = "hors concours"
_SAID = ("repetition", "said", "claim", "objective", "n_answers", "judged")
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")


class CompetitionRun(NamedTuple):
    """A run: its times [s] in the order of the measures, None where it has none.

    status: as of the lake; said, claim, judged, objective: as of the relation ``answer``, in which a run
    has no row where nobody knows what the solver said.
    """

    instance: str
    solver: str
    times: tuple[float | None, ...]
    status: str
    said: str | None = None
    claim: str | None = None
    n_answers: int | None = None
    judged: str | None = None
    objective: float | None = None
    repetition: int = 1

    @property
    def is_answered(self) -> bool:
        """Whether it is known what the solver said, or how often."""
        return self.said is not None or self.n_answers is not None


@dataclass(frozen=True)
class CompetitionRuns:
    """The runs of a track, or of a division of it.

    measures: of time, in seconds; or of another type, then without a cutoff. attributes: attribute →
    instance → its value.
    disputed: instance → the claims on it of which nobody knows which one is right. references: role, such
    as optimum → instance → its value.
    roles: solver → its role in the competition, where it does not compete.
    """

    runs: Sequence[CompetitionRun]
    measures: Sequence[str]
    cutoff: float | None
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    disputed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    measure_type: str = "runtime"
    roles: Mapping[str, str] = field(default_factory=dict)


def year_of(path: str) -> str:
    """The last year that a path names, empty if it names none.

    >>> year_of("2024/sc2023-detailed-results.zip/results_main_detailed.csv")
    '2023'
    """
    found = _YEAR.findall(Path(path).as_posix())
    return found[-1] if found else ""


def relations(found: CompetitionRuns, *, location: Location, sources: Sources) -> dict[str, pa.Table]:
    """Every relation that the runs have rows for, in the contract's schema."""
    digest = digest_of(sources)
    scenario: list[dict[str, Any]] = [
        {
            "folder": location.folder,
            "measure": measure,
            "measure_index": index,
            "measure_type": found.measure_type,
            "maximize": False,
            "cutoff": found.cutoff,
            "time_unit": "s" if found.measure_type == "runtime" else None,
            "missing": [],
            "source_sha256": digest,
        }
        for index, measure in enumerate(found.measures, 1)
    ]
    solvers = sorted({run.solver for run in found.runs})
    algorithms = [
        {"algorithm": solver, "described": False, "has_runs": True, "role": found.roles.get(solver)}
        for solver in solvers
    ]
    attributes = [
        {"instance_id": instance, "attribute": name, "value": value}
        for name, values in found.attributes.items()
        for instance, value in values.items()
    ]
    disputed = [
        {"instance_id": instance, "role": "disputed", "label": ", ".join(claims)}
        for instance, claims in found.disputed.items()
    ]
    references = [
        {"instance_id": instance, "role": role, "value": value}
        for role, values in found.references.items()
        for instance, value in values.items()
    ]
    built = {
        "scenario": table("scenario", scenario),
        "source": source_table(sources),
        "algorithm": table("algorithm", algorithms),
        "run": _run_table(found),
        "answer": _answer_table(found.runs),
        "attribute": table("attribute", attributes),
        "reference": table("reference", [*disputed, *references]),
    }
    return {name: each for name, each in built.items() if each.num_rows}


def _run_table(found: CompetitionRuns) -> pa.Table:
    """The relation ``run``: all runs of a measure before those of the next one."""
    runs, size = found.runs, len(found.measures)
    return _columns(
        "run",
        instance_id=[run.instance for run in runs] * size,
        repetition=[run.repetition for run in runs] * size,
        algorithm=[run.solver for run in runs] * size,
        measure=[name for name in found.measures for _ in runs],
        value=[run.times[at] for at in range(size) for run in runs],
        runstatus=[run.status for run in runs] * size,
    )


def _answer_table(runs: Sequence[CompetitionRun]) -> pa.Table:
    """The relation ``answer``, of the runs of which it is known what was said."""
    known = [run for run in runs if run.is_answered]
    return _columns(
        "answer",
        instance_id=[run.instance for run in known],
        algorithm=[run.solver for run in known],
        **{name: [getattr(run, name) for run in known] for name in _SAID},
    )


def _columns(relation: str, **columns: Sequence[Any]) -> pa.Table:
    """Columns as a table of the contract: faster than rows, where there are many."""
    return pa.Table.from_pydict(columns, RELATIONS[relation].schema)
