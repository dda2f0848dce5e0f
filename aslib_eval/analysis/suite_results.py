"""Results over all scenarios: a line for each, and aggregates of the selectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import polars as pl

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.rankings import Definitions
from aslib_eval.analysis.scenario_results import ScenarioResults, plain_frame
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.text import round_scores


@dataclass(frozen=True)
class ScenarioLine:
    """A scenario's line: ``row`` for the table; ``gaps`` of its selectors."""

    row: dict[str, Any]
    gaps: Mapping[str, float]
    protocol: str
    definitions: Definitions | None = None
    places: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, results: ScenarioResults, link: str = "") -> ScenarioLine:
        """The line of a scenario, with the link to its page."""
        gaps = _gaps(results)
        best = min(gaps, key=lambda name: (-gaps[name], name), default=None)
        summary, n = results.summary, results.n
        unsolved = summary["n_unsolvable"]
        row = {
            "name": results.title,
            "_link": link,
            "_n": n or None,
            "measure": results.measure,
            "n": summary["n_instances"],
            "algorithms": summary["n_algorithms"],
            "features": summary["n_features"],
            "folds": summary["n_folds"],
            "solved": summary["solved"],
            "unsolvable": unsolved / n if n and unsolved is not None else None,
            "sbs": summary["sbs"],
            "room": summary["room"],
            "attainable": results.attainable,
            "selector": best,
            "gap": gaps[best] if best is not None else None,
            "missing": ", ".join(summary["missing"] or []),
            **_chosen(results),
            **_quality(results),
        }
        found = results.definitions
        return cls(row, gaps, results.protocol, found, results.places)


@dataclass(frozen=True, eq=False)
class SuiteResults:
    """Results over all scenarios; tested: comparison of the selectors' closed gaps.

    aggregates: one row per solver and metric of ``suite_solver``. lake: where they are from, for sections
    that ask more of it.
    """

    lines: Sequence[ScenarioLine]
    aggregates: pl.DataFrame
    tested: Compared | None = None
    lake: OpenLake | None = None

    @property
    def protocol(self) -> str:
        """The protocol of every number, with its hash."""
        return self.lines[0].protocol if self.lines else ""

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each selector stands for its colour, in all scenarios alike."""
        names = {s for s, kind in self.aggregates.select("solver", "kind").rows()
                 if kind == "selector"}  # fmt: skip
        names |= {name for line in self.lines for name in line.gaps}
        known = dict(self.lines[0].places) if self.lines else {}
        others = sorted(names - set(known))
        after = count(1 + max(known.values(), default=-1))
        return known | dict(zip(others, after, strict=False))

    @cached_property
    def defined(self) -> list[tuple[ScenarioLine, Definitions]]:
        """The scenarios in which systems compete under several definitions."""
        return [(x, x.definitions) for x in self.lines if x.definitions is not None]

    @cached_property
    def selectors(self) -> list[dict[str, Any]]:
        """Aggregates of the selectors, by metric: most scenarios, then best mean rank.

        A rank among a few scenarios does not put a selector above one with many. Metrics in the unit of a
        scenario are left out: they have no sum.
        """
        found = [
            {**row, "_n": row["n_scenarios"], "metric": row["label"]}
            for row in self.aggregates.to_dicts()
            if row["kind"] == "selector" and not row["unit_bound"] and row["n_scenarios"]
        ]
        return sorted(
            found, key=lambda r: (*(r["position"], -r["n_scenarios"], r["mean_rank"], r["solver"]),)
        )

    @cached_property
    def mean_taus(self) -> dict[tuple[str, str], float]:
        """Mean over the scenarios of tau-b of every two metrics under the protocol."""
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _, found in self.defined:
            for pair, tau in found.metric_taus(self.protocol).items():
                values[pair].append(tau)
        return {pair: sum(taus) / len(taus) for pair, taus in values.items()}


def read_aggregates(lake: OpenLake) -> pl.DataFrame:
    """Aggregates over all scenarios: one row per solver and metric, as declared."""
    means = ("pooled", "mean", "median", "geometric")
    return round_scores(plain_frame(lake, "suite_metric"), columns=means)


def _gaps(results: ScenarioResults) -> dict[str, float]:
    score = results.frames["score"]
    chosen = score.filter((score["kind"] == "selector") & score["closed_gap"].is_not_null())
    return dict(chosen.select("solver", "closed_gap").rows())


def _chosen(results: ScenarioResults) -> dict[str, float | None]:
    """Closed gaps of the best selector, and of choosing one on each instance."""
    gaps = results.frames["selectors"].select("best_gap", "choice_gap").drop_nulls()
    return gaps.row(0, named=True) if gaps.height else dict.fromkeys(gaps.columns)


def _quality(results: ScenarioResults) -> dict[str, int | None]:
    found = results.findings
    if found is None:
        return {"errors": None, "notes": None}
    notes = sum(f["severity"] == "note" for f in found)
    return {"errors": len(found) - notes, "notes": notes}
