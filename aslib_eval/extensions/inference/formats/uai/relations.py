"""A scored contest → the tables of the lake contract.

The measures are ``score`` (0 to 100, over all limits), and for each limit its score and its error:
``score_20`` and ``error_20``, or just ``error`` where there is one limit. A missing answer has the status
timeout, one that is none the status other; both have score 0 and no error. The references are log10_best,
log10_trivial and error_trivial.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from aslib_eval.extensions.inference.formats.uai.contest import InferenceContest
from aslib_eval.extensions.inference.formats.uai.elimination import width
from aslib_eval.extensions.inference.formats.uai.networks import Evidence, Floats, Network, absorb
from aslib_eval.extensions.inference.formats.uai.scoring import ScoredContest, over_limits
from aslib_eval.formats.sources import Location, Sources, scenario_table, source_table, table

# What a network looks like before anything is inferred: features for selectors.

STEP = "structure"
# Feature → its meaning; all after the evidence is absorbed, unless said otherwise.
FEATURES: Mapping[str, str] = {
    "n_variables": "unobserved variables",
    "n_observed": "observed variables",
    "n_factors": "factors over at least one unobserved variable",
    "log10_states": "log10 of the number of assignments",
    "max_card": "most values of a variable",
    "max_scope": "most variables of a factor",
    "mean_degree": "mean number of variables that share a factor with one",
    "width": "log2 of the largest table of a greedy elimination",
    "zeros": "share of the factors' values that are 0",
    "coupling": "mean over factors of two or more variables of the standard deviation"
    " of their logarithms, zeros left out",
    "field": "the same of factors of one variable",
}


def features(model: Network, *, evidence: Evidence) -> dict[str, float]:
    """The features of a network with evidence, by name; see ``FEATURES``."""
    left = absorb(model, evidence=evidence)
    cards = [left.cards[v] for v in left.free]
    factors = [f for f in left.factors if f.scope]
    near: dict[int, set[int]] = {v: set() for v in left.free}
    for factor in factors:
        for v in factor.scope:
            near[v].update(set(factor.scope) - {v})
    logs = np.concatenate([f.logs.ravel() for f in factors]) if factors else np.ones(1)
    wide = [f.logs.ravel() for f in factors if len(f.scope) > 1]
    return {
        "n_variables": len(cards),
        "n_observed": len(left.observed),
        "n_factors": len(factors),
        "log10_states": math.fsum(math.log10(card) for card in cards),
        "max_card": max(cards, default=0),
        "max_scope": max((len(f.scope) for f in factors), default=0),
        "mean_degree": sum(map(len, near.values())) / max(len(near), 1),
        "width": width(left),
        "zeros": float(np.isneginf(logs).mean()),
        "coupling": _spread(wide),
        "field": _spread([f.logs for f in factors if len(f.scope) == 1]),
    }


def _spread(logs: Sequence[Floats]) -> float:
    """Mean standard deviation of the finite ones of each; 0 where there are none."""
    finite = [x[np.isfinite(x)] for x in logs]
    spreads = [float(x.std()) for x in finite if x.size]
    return math.fsum(spreads) / len(spreads) if spreads else 0.0


Row = dict[str, Any]


def relations(
    contest: InferenceContest, scored: Sequence[ScoredContest], *, location: Location, sources: Sources
) -> dict[str, pa.FunctionTable]:
    """Every relation that the contest has rows for, in the contract's schema."""
    measures = list(_measures(contest))
    rows: dict[str, Iterable[Row]] = {
        "algorithm": [
            {"algorithm": s, "described": True, "described_as": s, "has_runs": True}
            for s in contest.solvers
        ],
        "run": _runs(contest, scored),
        "reference": _references(scored),
        "feature": _feature(),
        "feature_step": _feature_step(),
        "feature_value": _feature_values(scored),
        "feature_status": _feature_statuses(scored),
    }
    scenario = scenario_table(
        location,
        sources,
        measures={name: maximize for name, maximize, _ in measures},
        cutoffs={name: limit for name, _, limit in measures},
    )
    built = {"scenario": scenario, "source": source_table(sources)}
    built |= {name: table(name, list(found)) for name, found in rows.items()}
    return {name: found for name, found in built.items() if found.num_rows}


def _measures(contest: InferenceContest) -> Iterator[tuple[str, bool, float | None]]:
    """Name, whether more is better, and the limit of each measure."""
    settings = contest.settings
    yield "score", True, max(settings.limits, default=None)
    if not settings.limits:
        yield "error", False, None
    elif len(settings.limits) == 1:
        yield "error", False, settings.limits[0]
    else:
        for kind, maximize in (("score", True), ("error", False)):
            for label, limit in zip(settings.labels, settings.limits, strict=True):
                yield f"{kind}_{label}", maximize, limit


def _runs(contest: InferenceContest, scored: Sequence[ScoredContest]) -> Iterator[Row]:
    """All instances of a measure before the next measure."""
    limits, solvers = contest.settings.labels, contest.solvers
    for at, (measure, _, _) in enumerate(_measures(contest)):
        kind, _, label = measure.partition("_")
        for each in scored:
            whole = over_limits(each.scores, weights=contest.settings.weights)
            rows = each.scores if kind == "score" else each.errors
            row = limits.index(label) if label else len(limits) - 1
            values = whole if at == 0 else rows[row]
            for s, solver in enumerate(solvers):
                key = (each.asked.name, solver, limits[row])
                yield {
                    "instance_id": each.instance,
                    "repetition": 1,
                    "algorithm": solver,
                    "measure": measure,
                    "value": None if np.isnan(values[s]) else float(values[s]),
                    "runstatus": _status(contest, key),
                }


def _status(contest: InferenceContest, key: tuple[str, str, str]) -> str:
    if key not in contest.answers:
        return "timeout"
    return "other" if contest.answers[key] is None else "ok"


def _references(scored: Sequence[ScoredContest]) -> Iterator[Row]:
    for each in scored:
        for role, value in (
            ("log10_best", each.best),
            ("log10_trivial", each.trivial),
            ("error_trivial", each.scale),
        ):
            if not np.isnan(value):
                yield {"instance_id": each.instance, "role": role, "value": value}


def _feature() -> list[Row]:
    return [
        {
            "feature": name,
            "of": "instance",
            "position": position,
            "deterministic": True,
            "has_values": True,
            "steps": [STEP],
        }
        for position, name in enumerate(FEATURES, 1)
    ]


def _feature_step() -> list[Row]:
    return [
        {
            "step": STEP,
            "of": "instance",
            "position": 1,
            "is_default": True,
            "requires": [],
            "provides": list(FEATURES),
        }
    ]


def _feature_values(scored: Sequence[ScoredContest]) -> Iterator[Row]:
    numbers: dict[str, dict[str, float]] = {}
    for each in scored:
        point = each.asked.evidence[_point(each)]
        numbers[each.instance] = features(each.asked.model, evidence=point)
    for instance, found in numbers.items():
        for name in FEATURES:
            value = {"feature": name, "value": found[name]}
            yield {"instance_id": instance, "repetition": 1, **value}


def _feature_statuses(scored: Sequence[ScoredContest]) -> Iterator[Row]:
    for each in scored:
        key = {"instance_id": each.instance, "repetition": 1}
        yield {**key, "step": STEP, "runstatus": "ok"}


def _point(scored: ScoredContest) -> int:
    """Which of the network's observations an instance is."""
    _, _, number = scored.instance[len(scored.asked.name) :].partition("#")
    return int(number or 1) - 1
