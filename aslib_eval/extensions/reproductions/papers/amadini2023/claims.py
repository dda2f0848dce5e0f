"""The findings of Amadini et al. 2023, section 2.2, compared with a lake."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from aslib_eval.analysis.delta import Sensitivity, delta_frame, pooled_delta
from aslib_eval.analysis.lake_results import solved_times, time_unit
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import PRESETS
from aslib_eval.extensions.reproductions.papers.amadini2023.lake import (
    LARGEST_DELTA,
    MILLISECONDS,
    OUTLIER,
    OUTLIER_RF,
    OUTLIER_SBS,
    PROTOCOL,
    RF_LEADS_UP_TO,
    RF_NEVER_SLOWER,
    TABLE1,
    TOTAL,
    PaperLake,
)
from aslib_eval.extensions.reproductions.papers.amadini2023.tables import means, pairs, total
from aslib_eval.extensions.reproductions.papers.reproduction import Claim, Figure
from aslib_eval.figures.delta import delta_curves
from aslib_eval.figures.runtimes import runtime_distribution
from aslib_eval.metrics.sweeps.delta import Reversal
from aslib_eval.text import plural, significant, with_unit

# Figures 1 to 4 of Amadini et al. 2023 from a lake.


class Sweeps(NamedTuple):
    """Borda over delta, the instances of several scenarios as one.

    plain, modified: the original and the modified score of the scenarios in one unit. alone, mixed: the
    original score of the scenario in another unit, and of all whatever their unit; None where all are in
    one.
    """

    plain: Sensitivity
    modified: Sensitivity
    alone: Sensitivity | None = None
    mixed: Sensitivity | None = None


def sweeps(lake: PaperLake) -> Sweeps:
    """Sweep the scenarios in seconds, and where the paper's other is here, that too."""
    alike = _opened(lake, lake.alike)
    plain, modified = (pooled_delta(alike, modified=modified) for modified in (False, True))
    if len(lake.alike) == len(lake.scenarios):
        return Sweeps(plain, modified)
    other = {name: key for name, key in lake.scenarios.items() if name not in lake.alike}
    alone, mixed = (pooled_delta(_opened(lake, names)) for names in (other, lake.scenarios))
    return Sweeps(plain, modified, alone, mixed)


def _opened(lake: PaperLake, names: Mapping[str, str]) -> OpenLake:
    """The paper's lake, or some scenarios of it alone."""
    if len(names) == len(lake.scenarios) + len(lake.others):
        return lake.opened
    ids = [glob.escape(key) for key in names.values()]
    return lake.opened.under(scenarios=ids)


def crossings(sweep: Sensitivity, one: str, other: str, largest: float = LARGEST_DELTA) -> list[float]:
    """Every delta up to the largest at which two selectors change places."""
    return [float(r.at) for r in _turns(sweep, one, other, largest)]


def _turns(sweep: Sensitivity, one: str, other: str, largest: float) -> list[Reversal]:
    both = {one, other}
    return [
        r
        for r in sweep.sweep.reversals
        if {sweep.solvers[r.before], sweep.solvers[r.after]} == both and r.at <= largest
    ]


def all_figures(lake: PaperLake, sweeps: Sweeps) -> tuple[Figure, ...]:
    """The four figures, each with its caption; of scenarios in one unit.

    A system looks alike in all of them.
    """
    asap, rf, reg = (lake.systems.get(name) for name in ("ASAP", "RF", "RF-reg"))
    plain, modified, *_ = sweeps
    systems = sorted({*plain.solvers, *lake.systems.values()})
    places = {name: place for place, name in enumerate(systems)}
    both = str(asap), str(rf)
    unit = time_unit(lake.opened, [*lake.alike.values()])
    borda, own = "Figure 1: Borda count over δ", "Figure 3: modified Borda over δ"
    made = [
        _deltas("figure1", borda, plain, both, places, unit),
        _runtimes("figure2", "Figure 2: ASAP and RF", lake, both, places),
        _deltas("figure3", own, modified, both, places, unit),
    ]
    if reg is not None:
        title, two = "Figure 4: ASAP and RF-reg", (str(asap), reg)
        made.append(_runtimes("figure4", title, lake, two, places))
    return tuple(made)


def _deltas(
    name: str, title: str, sweep: Sensitivity, pair: tuple[str, str], places: Mapping[str, int], unit: str
) -> Figure:
    deltas = crossings(sweep, *pair)
    caption = f"{title}, {sweep.group.runs.n_instances} instances"
    if deltas:
        turn = significant(deltas[0], 6)
        caption += f"; {pair[0]} and {pair[1]} change places at δ = {turn}"
    chart = delta_curves(
        delta_frame(sweep, largest=LARGEST_DELTA),
        crossing=deltas[0] if deltas else None,
        label=with_unit("δ", unit),
        title=title,
        places=places,
    )
    return Figure(name, f"{caption}.", chart)


def _runtimes(
    name: str, title: str, lake: PaperLake, pair: tuple[str, str], places: Mapping[str, int]
) -> Figure:
    runs = solved_times(lake.opened, pair, scenarios=[*lake.alike.values()])
    counts = {solver: (runs["solver"] == solver).sum() for solver in pair}
    words = ", ".join(f"{solver} solves {n}" for solver, n in counts.items())
    unit = time_unit(lake.opened, [*lake.alike.values()])
    chart = runtime_distribution(runs, title=title, unit=unit, places=places)
    return Figure(name, f"{title}: runtimes of solved instances; {words}.", chart)


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
    f"{MILLISECONDS} is measured in milliseconds, where δ is a thousandth of the "
    "others': Figures 1 to 4 and the findings on δ and on runtimes are without it."
)
_REPETITIONS = (
    "{0}, {1} of each run: however they are read, SBS does not solve {2:.2%} of what "
    "VBS solves, which is {3} of {4} instances. It solves {5:.2%} under the preset, "
    "{6:.2%} if every repetition counts, {7:.2%} if one is enough; what the printed "
    "share rests on is not said."
)


def all_claims(lake: PaperLake, sweeps: Sweeps) -> tuple[Claim, ...]:
    """Every finding with what is printed and what the lake gives."""
    return (
        *_reversal(lake),
        _faster(lake),
        _crossing(lake, sweeps),
        *_stability(lake, sweeps.plain, sweeps.modified),
        _distribution(lake),
        *outlier_claims(lake),
    )


def _reversal(lake: PaperLake) -> list[Claim]:
    """The ranks of ASAP and RF by two metrics."""
    gap = {solver: row.closed_gap for solver, row in means(lake).items()}
    ids = [*lake.scenarios.values()]
    borda = dict(lake.opened.rows("mean_borda", {"ids": ids}))
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
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


def _places(scores: Mapping[str, float], *names: str) -> str:
    """Score and place of some of several systems."""
    order = sorted(scores, key=lambda name: -scores[name])
    return ", ".join(
        f"{name} {scores[name]:.4f} (place {order.index(name) + 1} of {len(order)})" for name in names
    )


def _first_and_last(scores: Mapping[str, float], first: str, last: str) -> bool:
    """Whether two systems are the best and the worst."""
    values = scores.values()
    return scores[first] == max(values) and scores[last] == min(values)


def _faster(lake: PaperLake) -> Claim:
    rows = pairs(lake).values()
    more = sum(row.rf_better > row.asap_better for row in rows)
    rf, asap = sum(row.rf_better for row in rows), sum(row.asap_better for row in rows)
    return Claim(
        "RF is faster than ASAP on more instances in every scenario.",
        f"15 of {len(TABLE1)} scenarios; 11983 instances against 3618",
        f"{more} of {plural(len(rows), 'scenario')}; {rf} instances against {asap}",
        more == len(rows),
    )


def _crossing(lake: PaperLake, sweeps: Sweeps) -> Claim:
    """Up to which delta RF leads, of scenarios in one unit; and what pooling does."""
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    turns = _turns(sweeps.plain, asap, rf, LARGEST_DELTA)
    here = _places_change(sweeps.plain, asap, rf)
    if sweeps.alone is not None and sweeps.mixed is not None:
        apart = 1000 * LARGEST_DELTA
        here = (
            f"without {MILLISECONDS}, in seconds: {here}; {MILLISECONDS}, in "
            f"milliseconds: {_places_change(sweeps.alone, asap, rf, apart)}; "
            f"pooled whatever the unit: {_places_change(sweeps.mixed, asap, rf)}"
        )
    return Claim(
        "RF leads ASAP by Borda up to some δ, ASAP beyond it.",
        f"RF leads for δ up to {RF_LEADS_UP_TO}",
        here,
        [sweeps.plain.solvers[turn.before] for turn in turns] == [rf],
    )


def _places_change(sweep: Sensitivity, asap: str, rf: str, largest: float = LARGEST_DELTA) -> str:
    turns = ", ".join(significant(d, 6) for d in crossings(sweep, asap, rf, largest))
    words = f"change places at δ = {turns}" if turns else "never change places"
    return f"they {words} ({sweep.group.runs.n_instances} instances)"


def _stability(lake: PaperLake, plain: Sensitivity, modified: Sensitivity) -> list[Claim]:
    """How often any two, and how often ASAP and RF, change places under both scores."""
    counts = [sum(r.at <= LARGEST_DELTA for r in sweep.sweep.reversals) for sweep in (plain, modified)]
    two = lake.systems["ASAP"], lake.systems["RF"]
    own = [len(crossings(sweep, *two)) for sweep in (plain, modified)]
    words = "Figure 3 against Figure 1"
    return [
        Claim(
            "With the modified score the ranking is more stable.",
            words,
            f"{counts[1]} changes of places instead of {counts[0]} for δ up to {LARGEST_DELTA}",
            _fewer(counts),
        ),
        Claim(
            "With the modified score ASAP and RF change places less often.",
            words,
            f"{plural(own[1], 'change')} of places instead of {own[0]}",
            _fewer(own),
        ),
    ]


def _fewer(counts: Sequence[int]) -> bool | None:
    """Whether the second is fewer; None where there was nothing to become fewer."""
    before, after = counts
    return after < before if before or after else None


def _distribution(lake: PaperLake) -> Claim:
    """The n-th fastest of RF against the n-th fastest of ASAP."""
    asap, rf = lake.systems["ASAP"], lake.systems["RF"]
    runs = solved_times(lake.opened, (asap, rf), scenarios=[*lake.alike.values()])
    times = [np.sort(runs.filter(runs["solver"] == s)["time"].to_numpy()) for s in (asap, rf)]
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


def all_remarks(lake: PaperLake) -> tuple[str, ...]:
    """Why the numbers here are not the printed ones."""
    names = ", ".join(f"{name}: {solver}" for name, solver in lake.systems.items())
    more = f", among them {', '.join(lake.rest)}" if lake.rest else ""
    remarks = [
        _IMPLEMENTATION.format(names),
        _RELATIVE.format(len(lake.systems) + len(lake.rest), more),
        _CHOICES,
        _PRESET,
        _TOTALS.format(total([*TABLE1.values()]), TOTAL),
    ]
    for text, left_out in (
        ("Without answers of ASAP and RF, and left out", lake.others),
        ("Not on all of these scenarios, and left out", lake.partial),
        ("In the lake but not asked for, and left out", lake.unasked),
        ("Without runs in the lake", lake.absent),
    ):
        if left_out:
            remarks.append(f"{text}: {', '.join(left_out)}.")
    if len(lake.alike) < len(lake.scenarios):
        remarks.append(_UNIT)
    if (outlier := _outlier(lake)) is not None:
        remarks += _repetitions(lake, outlier)
    return tuple(remarks)


def _outlier(lake: PaperLake) -> str | None:
    """The id of the scenario of RF's fall, if it was asked for and is there."""
    return {**lake.scenarios, **lake.others}.get(OUTLIER)


def _repetitions(lake: PaperLake, scenario: str) -> list[str]:
    """Why the share that SBS solves is not the printed one; nothing if it is."""
    found = lake.opened.rows("sbs_share_solved", {"scenario": scenario})
    ((_, share, n_vbs, every, any_, repetitions),) = found
    if _printed_share(share):
        return []
    times = plural(repetitions, "repetition")
    printed = OUTLIER_SBS, round(OUTLIER_SBS * n_vbs), n_vbs
    return [_REPETITIONS.format(OUTLIER, times, *printed, share, every, any_)]


def outlier_claims(lake: PaperLake) -> list[Claim]:
    """How close SBS is to VBS there, and what that does to a gap.

    Nothing where the runs are not in the lake.
    """
    scenario = _outlier(lake)
    if scenario is None:
        text, words = f"RF's fall on {OUTLIER}.", "closed gap -19.1569"
        asked = OUTLIER not in lake.unasked
        why = "its runs are not in the lake" if asked else "it was not asked for"
        return [Claim(text, words, why, None)]
    return [_sbs(lake, scenario), _loss(lake, scenario), _fall(lake)]


def _sbs(lake: PaperLake, scenario: str) -> Claim:
    found = lake.opened.rows("sbs_share_solved", {"scenario": scenario})
    ((_, share, n_vbs, *_),) = found
    return Claim(
        f"On {OUTLIER} SBS solves nearly all that VBS solves.",
        f"{OUTLIER_SBS:.2%}",
        f"{share:.2%}, {round(share * n_vbs)} of {n_vbs} instances",
        _printed_share(share),
    )


def _printed_share(share: float) -> bool:
    return round(share, 4) == OUTLIER_SBS


def _loss(lake: PaperLake, scenario: str) -> Claim:
    """How many more instances RF must have lost for the printed gap.

    Each costs nearly k times the cutoff; that it then takes no time at all elsewhere gives the most, and so
    the least share solved.
    """
    found = lake.opened.rows("baseline_costs", {"scenario": scenario})
    ((_, _, sbs, vbs, n, cutoff),) = found
    gap = TABLE1[OUTLIER].rf_gap
    cost = sbs - gap * (sbs - vbs)
    most = cost / (PRESETS[PROTOCOL].penalty * cutoff)
    points = PRESETS[PROTOCOL].penalty * cutoff / n / (sbs - vbs)
    return Claim(
        f"On {OUTLIER} a gap of {gap} leaves room for more than 90 % solved.",
        f"more than {OUTLIER_RF:.0%} solved",
        f"an instance lost costs {points:.3f} points of the gap, as SBS - VBS is only "
        f"{sbs - vbs:.1f} of {significant(cutoff, 6)}; the gap means at least "
        f"{1 - most:.1%} solved",
        1 - most > OUTLIER_RF,
    )


def _fall(lake: PaperLake) -> Claim:
    """The fall itself, where the lake has answers."""
    row = pairs(lake).get(OUTLIER)
    return Claim(
        f"RF is far below SBS on {OUTLIER}.",
        f"RF {TABLE1[OUTLIER].rf_gap}",
        "no answers of ASAP and RF in the lake"
        if row is None
        else f"RF {row.rf_gap:.4f}, ASAP {row.asap_gap:.4f}",
        None if row is None else row.rf_gap < 0,
    )
