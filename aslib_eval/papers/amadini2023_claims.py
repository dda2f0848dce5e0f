"""The findings of Amadini et al. 2023, section 2.2, held against a lake."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aslib_eval.analysis.sweeps import Sensitivity
from aslib_eval.papers.amadini2023 import Lake
from aslib_eval.papers.amadini2023_figures import crossings
from aslib_eval.papers.amadini2023_outlier import outlier_claims
from aslib_eval.papers.amadini2023_printed import (
    LARGEST_DELTA,
    RF_LEADS_UP_TO,
    RF_NEVER_SLOWER,
    TABLE1,
    TOTAL,
)
from aslib_eval.papers.amadini2023_tables import means, pairs, total
from aslib_eval.papers.figures import solved_times
from aslib_eval.papers.parts import Claim

_MILLISECONDS = "GRAPHS-2015"
_IMPLEMENTATION = (
    "Selectors are other implementations of the same ideas ({}); the answers behind "
    "the printed numbers were never published."
)
_RELATIVE = (
    "MZNC and RMC are relative: they sum over, or share among, the systems at hand, "
    "here {}{}. The printed MZNC scores come from six systems; Table 2 has seven. Two "
    "that answer alike take each other's marginal contribution."
)
_CHOICES = (
    "Feature costs, presolving, the scope of SBS and unsolvable instances: the table "
    "of choices shows what each changes alone."
)
_PRESET = (
    "Under the preset gaps are pooled over the instances of a scenario, SBS is that of "
    "all instances, features cost nothing and instances that nobody solves are left "
    "out, as the paper's own figures imply."
)
_TOTALS = (
    "The printed MZNC scores of the scenarios do not add up to the printed totals: "
    "ASAP {0.asap_borda:.4f} instead of {1.asap_borda}, RF {0.rf_borda:.4f} instead of "
    "{1.rf_borda}."
)
_UNIT = (
    f"{_MILLISECONDS} is measured in milliseconds: pooled over scenarios, its δ is a "
    "thousandth of the others'."
)


def all_claims(
    seen: Lake, sweeps: tuple[Sensitivity, Sensitivity]
) -> tuple[Claim, ...]:
    """Every finding with what is printed and what the lake gives."""
    return (
        *_reversal(seen),
        _faster(seen),
        _crossing(seen, sweeps[0]),
        *_stability(seen, *sweeps),
        _distribution(seen),
        *outlier_claims(seen),
    )


def _reversal(seen: Lake) -> list[Claim]:
    """The ranks of ASAP and RF by two metrics."""
    gap = {solver: row.closed_gap for solver, row in means(seen).items()}
    borda = _mean_borda(seen)
    asap, rf = seen.systems["ASAP"], seen.systems["RF"]
    ahead = gap[asap] > gap[rf]
    behind = borda[asap] < borda[rf]
    return [
        Claim(
            "Mean closed gap: ASAP is first and RF last.",
            "ASAP 0.6205, RF -1.2096",
            _places(gap, asap, rf),
            _first_and_last(gap, asap, rf),
        ),
        Claim(
            "Mean MZNC score: RF is first and ASAP last.",
            "RF 2.6708, ASAP 1.9652",
            _places(borda, rf, asap),
            _first_and_last(borda, rf, asap),
        ),
        Claim(
            "The two metrics put ASAP and RF in opposite orders.",
            "ASAP by gap, RF by MZNC",
            f"{asap if ahead else rf} by gap, {rf if behind else asap} by MZNC",
            ahead and behind,
        ),
    ]


def _mean_borda(seen: Lake) -> dict[str, float]:
    sql = """
        select solver, mean_of(borda) from solver_borda
        where kind = 'selector' and list_contains($ids, scenario_id)
        group by solver
    """
    ids = [*seen.scenarios.values()]
    return dict(seen.con.sql(sql, params={"ids": ids}).fetchall())


def _places(scores: Mapping[str, float], *names: str) -> str:
    """Score and place of some of several systems."""
    order = sorted(scores, key=lambda name: -scores[name])
    return ", ".join(
        f"{name} {scores[name]:.4f} (place {order.index(name) + 1} of {len(order)})"
        for name in names
    )


def _first_and_last(scores: Mapping[str, float], first: str, last: str) -> bool:
    """Whether two systems are the best and the worst."""
    values = scores.values()
    return scores[first] == max(values) and scores[last] == min(values)


def _faster(seen: Lake) -> Claim:
    found = pairs(seen)
    more = sum(row.rf_better > row.asap_better for row in found.values())
    sums = [sum(row[at] for row in found.values()) for at in (5, 4)]
    return Claim(
        "RF is faster than ASAP on more instances in every scenario.",
        f"15 of {len(TABLE1)} scenarios; 11983 instances against 3618",
        f"{more} of {len(found)} scenarios; {sums[0]} instances against {sums[1]}",
        more == len(found),
    )


def _crossing(seen: Lake, plain: Sensitivity) -> Claim:
    """Up to which delta RF leads."""
    asap, rf = seen.systems["ASAP"], seen.systems["RF"]
    at = crossings(plain, asap, rf)
    said = ", ".join(f"{value:g}" for value in at) or "never"
    return Claim(
        "RF leads ASAP by Borda up to some δ, ASAP beyond it.",
        f"RF leads for δ up to {RF_LEADS_UP_TO}",
        f"they change places at δ = {said} ({plain.group.runs.n_instances} instances)",
        len(at) == 1,
    )


def _stability(seen: Lake, plain: Sensitivity, modified: Sensitivity) -> list[Claim]:
    """How often any two, and how often ASAP and RF, change places under both scores."""
    counts = [
        sum(r.at <= LARGEST_DELTA for r in sweep.sweep.reversals)
        for sweep in (plain, modified)
    ]
    two = seen.systems["ASAP"], seen.systems["RF"]
    own = [len(crossings(sweep, *two)) for sweep in (plain, modified)]
    said = "Figure 3 against Figure 1"
    return [
        Claim(
            "With the modified score the ranking is more stable.",
            said,
            f"{counts[1]} changes of places instead of {counts[0]} for δ up to "
            f"{LARGEST_DELTA}",
            counts[1] < counts[0],
        ),
        Claim(
            "With the modified score ASAP and RF change places less often.",
            said,
            f"{own[1]} times instead of {own[0]}",
            own[1] < own[0],
        ),
    ]


def _distribution(seen: Lake) -> Claim:
    """The n-th fastest of RF against the n-th fastest of ASAP."""
    asap, rf = seen.systems["ASAP"], seen.systems["RF"]
    runs = solved_times(seen.con, (asap, rf), scenarios=[*seen.scenarios.values()])
    times = [
        np.sort(runs.filter(runs["solver"] == s)["time"].to_numpy()) for s in (asap, rf)
    ]
    shared = min(map(len, times))
    slower = np.flatnonzero(times[1][:shared] > times[0][:shared])
    upto = int(slower[0]) if slower.size else shared
    return Claim(
        "ASAP solves more, but RF is faster on most of what it solves.",
        f"in ascending order RF is never slower for about {RF_NEVER_SLOWER} instances",
        f"ASAP solves {len(times[0])}, RF {len(times[1])}; RF is slower first at "
        f"instance {upto + 1}, and at {slower.size} of {shared}",
        len(times[0]) > len(times[1]) and 2 * slower.size < shared,
    )


def all_remarks(seen: Lake) -> tuple[str, ...]:
    """Why the numbers here are not the printed ones."""
    names = ", ".join(f"{name}: {solver}" for name, solver in seen.systems.items())
    more = f", among them {', '.join(seen.rest)}" if seen.rest else ""
    remarks = [
        _IMPLEMENTATION.format(names),
        _RELATIVE.format(len(seen.systems) + len(seen.rest), more),
        _CHOICES,
        _PRESET,
        _TOTALS.format(total([*TABLE1.values()]), TOTAL),
    ]
    if seen.others:
        what = ", ".join(seen.others)
        remarks.append(f"Without answers of ASAP and RF, and left out: {what}.")
    if seen.partial:
        who = ", ".join(seen.partial)
        remarks.append(f"Not on all of these scenarios, and left out: {who}.")
    if seen.absent:
        remarks.append(f"Without runs in the lake: {', '.join(seen.absent)}.")
    if _MILLISECONDS in seen.scenarios:
        remarks.append(_UNIT)
    return tuple(remarks)
