"""Results of scenarios and over scenarios as frames, for pages, figures and papers."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis import COLORS
from aslib_eval.analysis.compare import Comparison, compare
from aslib_eval.analysis.compare import systems as for_report
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.systems import Compared
from aslib_eval.analysis.objectives import delta_frame, pooled_delta
from aslib_eval.analysis.runs import bootstrap_intervals, pivot
from aslib_eval.analysis.summaries import with_added
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import ORDERING
from aslib_eval.database.sqlfiles import Metric, frame_file
from aslib_eval.database.views import solver_metrics
from aslib_eval.errors import AslibError, LeftOut
from aslib_eval.lake.versions import data_of
from aslib_eval.metrics.ranking import kendall_tau_b
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.text import comparable, gap_size, list_names, plural, round_frames, round_scores, with_unit

_TIED = 3
Definition = tuple[str, str]  # protocol (name@hash), metric


@dataclass(frozen=True, eq=False)
class Definitions:
    """One scenario's systems under every protocol and metric.

    protocols: name@hash, the report's own first. metrics: those that sweeps show. systems: the best first,
    by the reference. scores, places: of (protocol, metric, system), where there is one. n: instances that
    count under a protocol.
    """

    kind: str
    protocols: tuple[str, ...]
    metrics: Mapping[str, Metric]
    systems: tuple[str, ...]
    scores: Mapping[tuple[str, str, str], float]
    places: Mapping[tuple[str, str, str], int]
    n: Mapping[str, int]

    @cached_property
    def whole(self) -> tuple[Definition, ...]:
        """The definitions that rank every system; the first is the reference."""
        return tuple(
            (protocol, metric)
            for protocol in self.protocols
            for metric in self.metrics
            if all((protocol, metric, s) in self.places for s in self.systems)
        )

    @property
    def used(self) -> tuple[str, ...]:
        """The metrics that rank every system under some protocol."""
        return tuple(m for m in self.metrics if any(m == d[1] for d in self.whole))

    def label(self, metric: str) -> str:
        """A metric as readers know it."""
        return self.metrics[metric].label

    def named(self, definition: Definition) -> str:
        """A definition in words."""
        protocol, metric = definition
        return f"{self.label(metric)} under {short(protocol)}"

    def ranks(self, definition: Definition) -> list[int]:
        """Rank of each system, in the order of ``systems``."""
        return [self.places[*definition, system] for system in self.systems]

    def tau(self, one: Definition, other: Definition) -> float | None:
        """Kendall's tau-b of two rankings; None where one ties all systems."""
        return kendall_tau_b(self.ranks(one), second=self.ranks(other))

    def first(self, definition: Definition) -> list[str]:
        """The systems of rank 1: several if they tie."""
        return [s for s in self.systems if self.places[*definition, s] == 1]

    def agrees(self, definition: Definition) -> bool:
        """True if a system first by the reference is first here, alone or tied."""
        return not set(self.first(self.whole[0])).isdisjoint(self.first(definition))

    def winner(self, definition: Definition) -> str:
        """The system of rank 1; tied ones are joined by =."""
        first = self.first(definition)
        more = f" and {len(first) - _TIED} more" if len(first) > _TIED else ""
        return " = ".join(first[:_TIED]) + more

    @cached_property
    def winners(self) -> list[tuple[str, int]]:
        """Each winner and its number of definitions, the most frequent first.

        A tie for first with the reference's winner counts for that winner.
        """
        own = self.whole[0]
        often = Counter(self.winner(own if self.agrees(d) else d) for d in self.whole)
        return sorted(often.items(), key=lambda item: (-item[1], item[0]))

    def gaps(self, system: str) -> dict[str, float]:
        """Closed gap of a system by protocol, where it has one."""
        gaps = {p: self.scores.get((p, "closed_gap", system)) for p in self.protocols}
        return {p: gap for p, gap in gaps.items() if gap is not None}

    def discriminates(self, definition: Definition) -> bool:
        """True if a definition does not tie all systems."""
        return len(self.first(definition)) < len(self.systems)

    @property
    def level(self) -> bool:
        """True if every definition ties all systems."""
        return not any(map(self.discriminates, self.whole))

    @property
    def shared(self) -> int:
        """Number of definitions under which the reference winner ties for first."""
        own = len(self.first(self.whole[0]))
        return sum(self.agrees(d) and len(self.first(d)) > 1 for d in self.whole if own == 1)

    @cached_property
    def taus(self) -> list[tuple[float, Definition]]:
        """Agreement of every other definition with the reference, the least first."""
        found = [(self.tau(self.whole[0], d), d) for d in self.whole[1:]]
        return sorted((tau, d) for tau, d in found if tau is not None)

    def metric_taus(self, protocol: str) -> dict[tuple[str, str], float]:
        """Agreement of every two metrics, by label, where it is defined."""
        mine = [m for p, m in self.whole if p == protocol]
        pairs = [(a, b) for i, a in enumerate(mine) for b in mine[i + 1 :]]
        found = {(self.label(a), self.label(b)): self.tau((protocol, a), (protocol, b)) for a, b in pairs}
        return {pair: tau for pair, tau in found.items() if tau is not None}


def definitions_of(
    frame: pl.DataFrame | None, *, own: str, metrics: Mapping[str, Metric] | None = None
) -> Definitions | None:
    """The definitions of one scenario and measure; own: the report's protocol.

    frame: its rows of ``preset_ranks``. metrics: of the lake; None = those that
    come with the package. None if no definition ranks two systems.
    """
    if frame is None or not frame.height:
        return None
    kind = "selector" if "selector" in frame["kind"] else "algorithm"
    rows = frame.filter((frame["kind"] == kind) & frame["rank"].is_not_null())
    cells = rows.select("protocol", "metric", "solver", "rank", "score", "n").rows()
    places = {(p, m, s): rank for p, m, s, rank, _, _ in cells}
    scores = {(p, m, s): score for p, m, s, _, score, _ in cells}
    n = {p: n for p, _, _, _, _, n in cells}
    swept = {name: m for name, m in (metrics or solver_metrics()).items() if m.swept}
    first = next((m for m in swept if (own, m) in {c[:2] for c in cells}), "")
    systems = {cell[2] for cell in cells}
    by_place = sorted(systems, key=lambda s: (places.get((own, first, s), len(systems) + 1), s))
    protocols = sorted(n, key=lambda p: (p != own, p))
    found = Definitions(kind, tuple(protocols), swept, tuple(by_place), scores, places, n)
    return found if len(systems) > 1 and len(found.whole) > 1 else None


def short(protocol: str) -> str:
    """The name without the hash."""
    return protocol.partition("@")[0]


def ranks(lake: OpenLake) -> pl.DataFrame:
    """Score and rank of every system under all protocols of an open lake.

    One row per protocol (name@hash), scenario, measure, metric and solver: kind, n, score, rank. Selectors
    where a scenario has any, else its algorithms.
    """
    frame = lake.ask("definition_rank", {"kind": None})
    plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    # A gap is exact to about 12 digits: smaller differences are ties.
    gap = pl.when(pl.col("metric") == "closed_gap").then(pl.col("score").round(12))
    return plain.with_columns(gap.otherwise(pl.col("score")).alias("score"))


Key = tuple[str, str]
Frames = Mapping[str, "pl.DataFrame"]
# Answered by report_NAME for all scenarios at once: rows with scenario_id, measure.
SCORES = (
    *("summary", "baseline", "score", "dominated", "rank", "loss", "fold"),
    *("fold_sbs", "run", "attainable", "selectors"),
)
LINE = ("summary", "baseline", "score", "selectors")  # what a line of the index shows
# Answered for one scenario, and one measure where it matters.
RAW = (
    *("status", "source", "step", "feature", "step_cost"),
    *("trajectory", "reference", "choice", "use", "attribute"),
)


@dataclass(frozen=True, eq=False)
class RunMatrix:
    """The runs of a scenario: a row an instance, a column a solver.

    solvers: (kind, name) of the columns: algorithms, then selectors, each by name. costs: PAR1, or the cost
    of a quality measure. solved: share of the repetitions.
    """

    solvers: tuple[tuple[str, str], ...]
    instances: tuple[str, ...]
    costs: Floats
    solved: Floats

    def columns(self, kind: str) -> list[int]:
        """The columns of one kind."""
        return [i for i, (of, _) in enumerate(self.solvers) if of == kind]

    def number(self, kind: str, name: str) -> int:
        """The column of a solver."""
        return self.solvers.index((kind, name))


@dataclass(frozen=True, eq=False)
class ScenarioResults:
    """Results of one scenario and measure: ``frames`` of the queries SCORES and RAW.

    metrics: all that the lake has, by name. places: of the selectors of the whole
    lake, for their colours and marks. lake: the open one.
    """

    scenario_id: str
    measure: str
    choices: Mapping[str, Any]
    frames: Frames
    manifest: Mapping[str, Any]
    metrics: Mapping[str, Metric] = field(default_factory=solver_metrics)
    places: Mapping[str, int] = field(default_factory=dict)
    lake: OpenLake | None = None

    @cached_property
    def shown_places(self) -> dict[tuple[str, str], int]:
        """Where (kind, solver) stands for its colour and mark, from 0.

        Selectors by ``places``, which are alike in all scenarios, algorithms by their mean cost here.
        """
        found: dict[tuple[str, str], int] = {}
        for kind, solver in self.frames["score"].select("kind", "solver").rows():
            n = sum(of == kind for of, _ in found)
            found[kind, solver] = self.places.get(solver, n) if kind == "selector" else n
        return found

    @property
    def protocol(self) -> str:
        """The protocol's name and hash, which accompany every number."""
        return f"{self.choices['protocol']}@{self.choices['hash']}"

    @property
    def attainable(self) -> float | None:
        """The gap that a VBS which pays for the features closes."""
        gaps = self.frames["score"]["attainable_gap"].drop_nulls()
        return float(gaps[0]) if len(gaps) else None

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The scenario's line of scenario_summary."""
        return self.frames["summary"].row(0, named=True)

    @cached_property
    def baseline(self) -> dict[str, Any] | None:
        """SBS, VBS and VWS; None without runs."""
        frame = self.frames["baseline"]
        return frame.row(0, named=True) if frame.height else None

    @property
    def timed(self) -> bool:
        """True if the measure is a runtime, so that PARk is defined."""
        return bool(self.summary["measure_type"] == "runtime")

    @property
    def n(self) -> int:
        """Number of instances that count."""
        return self.summary["n_instances"] or 0

    @cached_property
    def gap_size(self) -> float:
        """Size of the terms of a closed gap, for its rounding."""
        return gap_size(self.frames["baseline"])

    def own(self, cost: float | None) -> float | None:
        """A cost in the direction of its measure: what is maximised is its opposite."""
        if cost is None or not self.summary["maximize"]:
            return cost
        return 0.0 - cost

    @property
    def time_unit(self) -> str:
        """Of times, as it stands behind their name: `` [s]``; empty if not stated."""
        unit = self.summary["time_unit"]
        return f" [{unit}]" if unit else ""

    @property
    def cost_unit(self) -> str:
        """Of costs, which are times where the measure is one."""
        return self.time_unit if self.timed else ""

    def with_unit(self, what: str) -> str:
        """A word for a time with its unit, such as ``time [s]``."""
        return with_unit(what, self.summary["time_unit"])

    @property
    def title(self) -> str:
        """The scenario's id, with the measure where that is not the primary one."""
        if self.summary["measure_index"] == 1:
            return self.scenario_id
        return f"{self.scenario_id} · {self.measure}"

    @property
    def findings(self) -> list[dict[str, Any]] | None:
        """Findings that the manifest keeps; None if it keeps none at all."""
        found = self.manifest.get("findings")
        return list(found) if found is not None else None

    @cached_property
    def definitions(self) -> Definitions | None:
        """The systems under all definitions, if these were asked for."""
        return definitions_of(self.frames.get("definition"), own=self.protocol, metrics=self.metrics)

    def asked(self, name: str) -> pl.DataFrame | None:
        """A frame of sql/frame of this scenario and measure; None without the lake."""
        if self.lake is None:
            return None
        of: dict[str, Any] = {"scenario": self.scenario_id, "measure": self.measure}
        return plain_frame(self.lake, name, of | {"features": None})

    def compared(self, name: str) -> Compared | None:
        """One of the comparisons of QUESTIONS; None if nothing could be tested."""
        if self.hopeless:
            return None
        return for_report.tested(self.frames.get(name), for_report.QUESTIONS[name])

    @property
    def population(self) -> str:
        """The population of the scores, in words."""
        return f"{plural(self.n, 'instance')} · protocol {self.protocol}"

    @cached_property
    def matrix(self) -> RunMatrix | None:
        """The runs, nan where there is no cost; None without any run."""
        found = pivot(self.frames["run"], rows=["instance"], columns=["kind", "solver"])
        if not found.rows.height:
            return None
        solvers, instances = tuple(found.columns.rows()), tuple(found.rows["instance"])
        solved = np.nan_to_num(found.table("solved"), nan=1.0)
        return RunMatrix(solvers, instances, found.table("cost"), solved)

    @cached_property
    def complete(self) -> RunMatrix | None:
        """The runs where every solver has a cost everywhere, else None."""
        matrix = self.matrix
        return matrix if matrix is not None and np.isfinite(matrix.costs).all() else None

    @cached_property
    def hopeless(self) -> bool:
        """True for a runtime measure without any solved run."""
        matrix = self.matrix
        return self.timed and matrix is not None and not bool(matrix.solved.any())

    def penalised(self, matrix: RunMatrix) -> Floats:
        """(n_instances, n_solvers) PARk under the protocol's penalty; quality: cost."""
        if not self.timed:
            return matrix.costs
        extra = (float(self.choices["penalty"]) - 1) * float(self.summary["cutoff"])
        return np.asarray(matrix.costs + extra * (1 - matrix.solved))

    def runs(self, columns: list[int]) -> Runs:
        """Some columns of the matrix as runs to sweep; runtime measures only."""
        matrix = self.complete
        if matrix is None:
            raise ValueError("there are no runs, or some without a cost")
        return Runs(matrix.costs[:, columns], matrix.solved[:, columns], float(self.summary["cutoff"]))


def read(lake: OpenLake, names: Sequence[str] = SCORES) -> dict[str, pl.DataFrame]:
    """Frames of SCORES for all scenarios; names as text, not categories."""
    found = {name: plain_frame(lake, f"report_{name}") for name in names}
    return found | {"score": with_added(lake, found["score"])}


def scenarios_of(lake: OpenLake, frames: Frames, *, raw: Sequence[str] = RAW) -> Iterator[ScenarioResults]:
    """Results of each scenario and measure that the one protocol chooses, by name.

    raw: which of RAW are asked for.
    """
    (choices,) = lake.ask("select * from protocol").to_dicts()
    places, manifests = places_of(selectors_of(lake.path)), lake.manifests
    keys = frames["summary"].select("scenario_id", "measure").unique().sort("scenario_id", "measure")
    parts = {
        name: frame.partition_by("scenario_id", "measure", as_dict=True) for name, frame in frames.items()
    }
    for scenario_id, measure in keys.rows():
        answers = {n: p.get((scenario_id, measure), frames[n].clear()) for n, p in parts.items()}
        asked = {"scenario": scenario_id, "measure": measure}
        answers = round_frames(answers)
        answers |= {name: plain_frame(lake, f"report_{name}", asked) for name in raw}
        yield ScenarioResults(
            scenario_id, measure, choices, answers, manifests[scenario_id], lake.metrics, places, lake
        )


def selectors_of(lake: Path) -> dict[str, list[str]]:
    """The selectors of each scenario of the whole lake, by name."""
    with warnings.catch_warnings():  # who opens the scenarios it wants is told
        warnings.simplefilter("ignore", LeftOut)
        whole = open_lake(lake)
    made = whole.manifests.values()
    if all(manifest["relations"].keys().isdisjoint(("selection", "outcome")) for manifest in made):
        return {}
    held = tuple(map(data_of, made))
    found = _SELECTORS.get(held)
    if found is None:
        found = {}
        for scenario_id, selector in whole.rows("selectors_of_scenarios"):
            found.setdefault(scenario_id, []).append(selector)
        _SELECTORS.clear()
        _SELECTORS[held] = found
    return found


# Of the lake that was asked last, by what its scenarios hold: all pages ask the same.
_SELECTORS: dict[tuple[str, ...], dict[str, list[str]]] = {}


def places_of(selectors: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Where each selector stands: who has answered most scenarios first, then by name.

    The first few places have colours of their own. As they come again after so many,
    a place is passed over whose colour a selector of the same scenario has, if the scenario has no more
    selectors than there are colours.
    """
    n = Counter(name for names in selectors.values() for name in names)
    few = [names for names in selectors.values() if len(names) <= COLORS]
    found: dict[str, int] = {}
    taken: set[int] = set()
    for name in sorted(n, key=lambda name: (-n[name], name)):
        beside = {other for names in few if name in names for other in names}
        drawn = {found[other] % COLORS for other in beside if other in found}
        found[name] = next(at for at in count() if at not in taken and at % COLORS not in drawn)
        taken.add(found[name])
    return found


def plain_frame(
    lake: OpenLake, name: str, parameters: Mapping[str, Any] = MappingProxyType({})
) -> pl.DataFrame:
    """Answer of sql/frame to some of the parameters; names as text, not categories."""
    used = {k: v for k, v in parameters.items() if k in frame_file(name).parameters}
    return lake.ask(name, used).with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def page_frames(lake: OpenLake) -> dict[str, pl.DataFrame]:
    """The frames of all scenarios of a lake that is opened under one protocol.

    They include the ranks under every preset, the tests, and the intervals of the gaps.
    """
    found = read(lake) | _ranked(lake)
    kinds = set(found["score"]["kind"])
    found |= for_report.read(lake, kinds)
    gaps = "report_metric_gap"  # of selectors: to plan it takes long where none is
    none = pl.DataFrame(schema=dict.fromkeys(frame_file(gaps).columns, pl.String))
    found["metric_gap"] = plain_frame(lake, gaps) if "selector" in kinds else none
    return found | {"gap_interval": bootstrap_intervals(lake, selectors_alone=True)}


def line_frames(lake: OpenLake) -> dict[str, pl.DataFrame]:
    """Of the frames of ``page_frames`` those of a ``ScenarioLine``."""
    return read(lake, LINE) | _ranked(lake)


def _ranked(lake: OpenLake) -> dict[str, pl.DataFrame]:
    presets = ranks(_under_presets(lake))
    # Borda scores of algorithms take every pair: presets are shown without them.
    pairs = [m.name for m in lake.metrics.values() if m.relation == "solver_borda"]
    presets = presets.filter(~(pl.col("metric").is_in(pairs) & (pl.col("kind") == "algorithm")))
    return {"definition": pl.concat([ranks(lake), presets])}


def _under_presets(lake: OpenLake) -> OpenLake:
    """The lake under all presets but the one that is named as its own protocol is."""
    (own,) = lake.protocols
    return lake.under(protocols=[p for name, p in ORDERING.items() if name != own.protocol])


def build_for_pages(
    lake: OpenLake, *, executor: Executor | None = None, jobs: int | None = None, memory: int | None = None
) -> None:
    """Build what ``page_frames`` reads, for all scenarios; see ``OpenLake.build``."""
    ranked = ["definition_rank"]
    shown = (f"report_{name}" for name in (*SCORES, "metric_gap", "schedule", "instance_loss"))
    own = (*shown, *ranked, "compared_instances", "bootstrap_runs")
    relations, under_presets = (
        [r for name in names for r in frame_file(name).reads] for names in (own, ranked)
    )
    also = {_under_presets(lake): under_presets}
    lake.build(relations, also=also, executor=executor, jobs=jobs, memory=memory)


def first_of(score: pl.DataFrame, kind: str) -> list[str]:
    """Who of a kind costs least in the mean: several where they tie."""
    rows = score.filter(kind=kind).drop_nulls("cost")
    costs = [comparable(cost) for cost in rows["cost"]]
    solvers = zip(rows["solver"].to_list(), costs, strict=True)
    return [name for name, cost in solvers if cost == min(costs)]


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
        score = results.frames["score"].filter(kind="selector").drop_nulls("closed_gap")
        gaps = dict(score.select("solver", "closed_gap").rows())
        chosen = results.frames["selectors"].select("best_gap", "choice_gap").drop_nulls()
        known = results.findings
        notes = sum(finding["severity"] == "note" for finding in known or ())
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
            **(chosen.row(0, named=True) if chosen.height else dict.fromkeys(chosen.columns)),
            "errors": None if known is None else len(known) - notes,
            "notes": None if known is None else notes,
        }
        return cls(row, gaps, results.protocol, results.definitions, results.places)


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
        names = {s for s, kind in self.aggregates.select("solver", "kind").rows() if kind == "selector"}
        names |= {name for line in self.lines for name in line.gaps}
        known = dict(self.lines[0].places) if self.lines else {}
        others = sorted(names - set(known))
        return known | dict(zip(others, count(1 + max(known.values(), default=-1)), strict=False))

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
        return sorted(found, key=lambda r: (r["position"], -r["n_scenarios"], r["mean_rank"], r["solver"]))

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


_LARGEST = 3600.0


@dataclass(frozen=True, eq=False)
class LakeResults:
    """Results of an open lake under its protocols."""

    lake: OpenLake

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each selector of the lake stands for its colour in all figures."""
        return places_of(selectors_of(self.lake.path))

    @cached_property
    def scenarios(self) -> list[ScenarioResults]:
        """Results of each scenario and measure."""
        return list(scenarios_of(self.lake, read(self.lake)))

    @cached_property
    def complete_scenarios(self) -> list[ScenarioResults]:
        """The same under the first protocol, with every preset and test."""
        lake = self.lake.under(protocols=self.lake.protocols[:1])
        return list(scenarios_of(lake, page_frames(lake)))

    @cached_property
    def suite(self) -> SuiteResults:
        """Results over all scenarios."""
        lines = [ScenarioLine.of(results) for results in self.scenarios]
        return SuiteResults(lines, read_aggregates(self.lake))

    @cached_property
    def complete_suite(self) -> SuiteResults:
        """Results over all scenarios, with every preset."""
        lines = [ScenarioLine.of(results) for results in self.complete_scenarios]
        return SuiteResults(lines, read_aggregates(self.lake))

    @property
    def unsolved(self) -> bool:
        """True for runtime measures without any solved instance."""
        return self.lake.rows("nobody_solves") == [(True,)]

    @property
    def delta_is_relative(self) -> bool:
        """Whether the protocol's delta is a share of the smaller time."""
        return self.lake.protocols[0].borda_delta_kind == "relative"

    def delta_curves(self, *, modified: bool) -> pl.DataFrame:
        """Borda scores of the selectors over delta, see ``delta_frame``."""
        return delta_frame(pooled_delta(self.lake, modified=modified), largest=_LARGEST)

    @property
    def time_unit(self) -> str:
        """The unit of all times, see ``time_unit``."""
        return time_unit(self.lake)

    @property
    def cutoff(self) -> float | None:
        """The cutoff of all runs; None where scenarios have several, or none."""
        found = self.lake.rows("select distinct cutoff from raw_scenario")
        return found[0][0] if len(found) == 1 else None

    def solved_times(self, solvers: Sequence[str]) -> pl.DataFrame:
        """Times of the instances that some solvers solve, see ``solved_times``."""
        return solved_times(self.lake, solvers)

    def selector_ranks(self) -> Comparison:
        """The selectors compared by closed gap, a scenario as the unit."""
        return compare(self.lake, Question(metric="closed_gap", unit="scenarios", kind="selector"))


def time_unit(lake: OpenLake, scenarios: Sequence[str] | None = None) -> str:
    """The unit of all times: nothing where none is stated, of several that.

    scenarios: ids; None means all.
    """
    found = lake.rows("select scenario_id, time_unit from raw_scenario")
    units = {u for name, u in found if scenarios is None or name in scenarios}
    return units.pop() or "" if len(units) == 1 else "each scenario's own"


def matching(globs: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names that globs match, in the order of the globs, each once.

    A glob that is a name means that one alone; one that matches nothing stays.
    """
    names = list(dict.fromkeys(known))
    found: list[str] = []
    for glob in globs:
        own = [glob] if glob in names else [n for n in names if fnmatchcase(n, glob)]
        found += own or [glob]
    return list(dict.fromkeys(found))


def solved_times(
    lake: OpenLake, solvers: Sequence[str], *, scenarios: Sequence[str] | None = None
) -> pl.DataFrame:
    """One row for each instance that a solver solves: solver, time.

    solvers: names or globs, of any kind; none means SBS, VBS and the selectors, or without selectors the
    algorithms. scenarios: ids; None means all.
    """
    kinds = {name: kind for kind, name in lake.rows("solving_solvers")}
    solving = [*kinds]
    chosen = matching(solvers, solving)
    if not chosen and "selector" not in kinds.values():
        chosen = [name for name in solving if name != "VWS"]
    frame = lake.ask("solved_times", {"ids": scenarios, "solvers": chosen or None})
    absent = [name for name in chosen if name not in frame["solver"]]
    if absent or frame.is_empty():
        hint = "Nobody solves anything here: choose scenarios of runtimes."
        if solving:
            hint = f"Write solvers = [...] of {list_names(solving, most=12, quoted=False)}."
        raise AslibError(f"nothing was solved by {', '.join(absent) or 'anybody'}", "solvers", hint)
    return frame
