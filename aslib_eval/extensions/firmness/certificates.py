"""What it takes to swap two solvers of a ranking, and the section of a page that shows it."""

from __future__ import annotations

import glob
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.analysis.runs import Group, codes_of, usual_kind
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import CHOICES, ORDERING, Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness import metrics
from aslib_eval.extensions.firmness.standings import (
    RecordedBoards,
    Standing,
    between,
    ranked,
    recorded,
    score_bounds,
    standings,
)
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear
from aslib_eval.metrics.scale import Runs
from aslib_eval.metrics.sweeps import Sweep, cutoff_sweep, delta_sweep
from aslib_eval.options import SweptKind
from aslib_eval.progress import tracked
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, figure, join, paragraph
from aslib_eval.text import comparable, join_words, list_names, plural, significant

# Choices of a protocol that mean costs depend on, each tried alone.
_TRIED = (
    *("at_cutoff", "repetitions", "timeout_value", "failures", "feature_cost"),
    *("presolving", "unsolvable", "wrong_answers", "disputed_answers"),
)
# Choices of a competition's rule, each tried alone, and the values that are tried.
_OF_RULES: Mapping[str, tuple[object, ...]] = {
    "clock": ("cpu", "wall"),
    "rounding": ("none", "seconds"),
    "sequential": (True, False),
    "disagreement": ("removed", "kept", "majority"),
    "wrong": ("error", "unsolved", "kept", "disqualified"),
    "penalty": (1.0, 2.0, 10.0),
    "proofs": (True, False),
    "worse_of_unproved": (0.0, 0.5),
    "equal_quality": ("time", "faster", "half"),
    "both_failed": (0.0, 0.5),
    "shift": (0.0, 1.0),
    "times": ("solved", "answered", "all"),
}
# Those that say nothing unless the rule scores so.
_SCORED = {
    "penalty": "par",
    **dict.fromkeys(("proofs", "worse_of_unproved", "equal_quality", "both_failed"), "pairs"),
    "shift": "ratio",
}
# Labels of a standing → change of the protocol or rule → mean cost, or place, of each.
Changed = Mapping[tuple[str, str, str, str], Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True)
class Certificate:
    """What swaps two solvers of a ranking; None: nothing of the kind does.

    removals, at_least: the fewest instances, found and proved (``Removal``). family: the smallest that
    alone does, of ``families``. without: the first third solver that does when it is left out, of
    ``thirds``. penalty, cutoff, delta: nearest values beyond which they swap. ranges: between which values
    of the cutoff or delta they do, the nearest first. slower: how many times slower a machine is from which
    on
    they do; slower_alone: how many times slower the one ahead may be; faster: the share of the time that
    runs may take with the order still certain (0: any, 1: none). choice: the first of ``n_choices`` of the
    protocol or rule that does. n_tried: how many changes were tried: every family, third solver and choice,
    and each parameter for all its values. n_swaps: how many of them swap the two.
    """

    place: int
    ahead: str
    other_place: int
    other: str
    margin: float
    removals: int | None
    at_least: int | None
    family: str | None
    n_families: int
    without: str | None
    penalty: float | None
    cutoff: float | None
    delta: float | None
    ranges: str | None
    slower: float | None
    slower_alone: float | None
    faster: float | None
    choice: str | None
    n_choices: int
    n_swaps: int
    n_tried: int


@dataclass(frozen=True, eq=False)
class Certifier:
    """Certificates of the pairs of a ranking; the sweeps of all pairs are made once.

    changed: mean costs of all solvers by each change of the protocol.
    """

    standing: Standing
    by: str | None
    changed: Mapping[str, Mapping[str, float]]

    def neighbours(self) -> list[Certificate]:
        """Each solver against the next one."""
        return [self.pair(at, at + 1) for at in range(len(self.standing.solvers) - 1)]

    def first(self) -> list[Certificate]:
        """The first against all others."""
        return [self.pair(0, at) for at in range(1, len(self.standing.solvers))]

    def pair(self, ahead: int, other: int) -> Certificate:
        """What swaps two solvers, of which the first is ahead."""
        standing = self.standing
        contest = standing.contest(ahead, other)
        removal = metrics.fewest_removals(contest)
        families = metrics.swapping_groups(contest, standing.families)
        names, places = standing.solvers, standing.places
        thirds = self._thirds(ahead, other)
        parameters = self._parameters(ahead, other)
        choices = self._choices(ahead, other)
        swept = {name: parameters[name] for name in _SWEPT if name in parameters}
        tried = len(set(standing.families)) + len(swept) + len(self.changed)
        tried += 0 if standing.against is None else len(names) - 2
        swaps = len(families) + len(thirds) + len(choices)
        swaps += sum(value is not None for value in swept.values())
        return Certificate(
            place=places[ahead],
            ahead=names[ahead],
            other_place=places[other],
            other=names[other],
            # On the first level on which the two differ.
            margin=float(next(filter(None, contest.levels.mean(axis=1).tolist()), 0.0)),
            removals=removal.most,
            at_least=removal.least,
            family=next(iter(families), None),
            n_families=len(families),
            without=next(iter(thirds), None),
            **(dict.fromkeys(_OF_PARAMETERS) | parameters),
            choice=next(iter(choices), None),
            n_choices=len(choices),
            n_swaps=swaps,
            n_tried=tried,
        )

    def _thirds(self, ahead: int, other: int) -> list[str]:
        """Who, left out, lets the other one pass: its points go for both."""
        points, names = self.standing.against, self.standing.solvers
        if points is None:
            return []
        gap = points[other].sum() - points[ahead].sum()
        rest = gap - (points[other] - points[ahead])
        noise = abs(points).sum() * _ROUNDING
        return [name for at, name in enumerate(names) if at not in {ahead, other} and rest[at] < -noise]

    def _choices(self, ahead: int, other: int) -> list[str]:
        names = self.standing.solvers
        return [
            change
            for change, costs in self.changed.items()
            if names[ahead] in costs and names[other] in costs
            if comparable(costs[names[other]]) < comparable(costs[names[ahead]])
        ]

    @cached_property
    def _runs(self) -> Runs | None:
        group = self.standing.group
        if group is None:
            return None
        at = [group.names.index(name) for name in self.standing.solvers]
        return Runs(group.runs.times[:, at], group.runs.solved[:, at], group.runs.cutoff)

    @cached_property
    def _sweep(self) -> Sweep | None:
        runs, protocol = self._runs, self.standing.protocol
        if runs is None or protocol is None or self.by == "solved":
            return None
        if self.by == "points":
            return delta_sweep(runs, relative=protocol.borda_delta_kind == "relative")
        try:
            return cutoff_sweep(runs, penalty=protocol.penalty, at_cutoff=protocol.at_cutoff).scores
        except AslibError:  # runs that are solved in part, or cutoffs that differ
            return None

    def _parameters(self, ahead: int, other: int) -> dict[str, Any]:
        """Those of _OF_PARAMETERS that were looked at."""
        runs, protocol, sweep = self._runs, self.standing.protocol, self._sweep
        if runs is None or protocol is None or self.by == "solved":
            return {}
        found: dict[str, Any] = {}
        if sweep is not None:
            at = protocol.borda_delta if self.by == "points" else sweep.curves[0].end
            ranges = metrics.swap_ranges(sweep, ahead, other, at)
            said = ", ".join(f"{significant(begin)} to {significant(end)}" for begin, end in ranges[:3])
            more = len(ranges) - 3
            found["ranges"] = said + f" and {plural(more, 'more range')}" * (more > 0) or None
            nearest = min(max(ranges[0][0], at), ranges[0][1]) if ranges else None
            if self.by == "points":
                return found | {"delta": nearest}
            # Times that are all so many times as long, or a cutoff of so many less.
            found |= {"cutoff": nearest, "slower": at / nearest if nearest else None}
        return found | {
            "penalty": metrics.nearest_penalty(runs, ahead, other, protocol.penalty),
            "slower_alone": metrics.nearest_slowdown(runs, ahead, other, penalty=protocol.penalty),
            "faster": metrics.surest_speedup(runs, ahead, other, penalty=protocol.penalty),
        }


_ROUNDING = 2.0**-44
# What is counted as tried: a slower machine is a lower cutoff.
_SWEPT = ("penalty", "cutoff", "delta")
_OF_PARAMETERS = (*_SWEPT, "ranges", "slower", "slower_alone", "faster")


def changed_costs(lake: OpenLake, *, kind: SweptKind | None) -> Changed:
    """Mean cost of every solver under single changes of the protocols, and presets.

    A change is named as ``repetitions=first``, a preset by its name. What cannot be defined under a change
    is left out of it.
    """
    under: dict[str, list[Protocol]] = {}
    names: list[str] = []  # single choices first
    for own in lake.protocols:
        changes = {
            f"{column}={str(value).lower()}": replace(own, **{column: value})  # type: ignore[arg-type]
            for column in _TRIED
            for value in CHOICES.get(column, (True, False))
            if value not in {getattr(own, column), "value"}
        }
        presets = {
            name: replace(preset, measures=own.measures)
            for name, preset in ORDERING.items()
            if preset.hash != own.hash
        }
        names += [name for name in (changes | presets) if name not in names]
        under[own.tag] = [
            replace(protocol, protocol=f"{own.tag}|{name}")
            for name, protocol in (changes | presets).items()
        ]
    found: dict[tuple[str, str, str, str], dict[str, dict[str, float]]] = {}
    unchanged = lake.rows("unchanged_scores", {"kind": kind})
    known = {row[:3] for row in unchanged}
    asked = "select tag, scenario_id, measure from chosen_measure inner join protocol using (protocol)"
    others = {str(row[1]) for row in lake.rows(asked) if row not in known}
    rows = [
        (protocol.protocol, *row[1:])
        for row in unchanged
        if row[1] not in others
        for protocol in under[str(row[0])]
    ]
    if others:
        every = [protocol for some in under.values() for protocol in some]
        narrow = lake.under(protocols=every, scenarios=[*map(glob.escape, sorted(others))])
        rows += narrow.rows("changed_scores", {"kind": kind})
    for name, scenario, measure, of, solver, cost in rows:
        tag, _, change = str(name).partition("|")
        costs = found.setdefault((tag, str(scenario), str(measure), str(of)), {})
        if cost is not None:
            costs.setdefault(change, {})[str(solver)] = cost
    return {
        labels: {name: costs[name] for name in names if name in costs} for labels, costs in found.items()
    }


def changed_places(lake: OpenLake, rule: str) -> Changed:
    """Place of every solver under single changes of rules whose name matches.

    A change is named as ``clock=wall``. A solver without a place is left out of it.
    """
    lines: list[str] = []
    changes: dict[str, dict[str, str]] = {}
    for own in lake.ask("select * from rule where rule glob $rule", {"rule": rule}).to_dicts():
        name = own["rule"]
        of_rule = changes.setdefault(name, {})
        for column, values in _OF_RULES.items():
            if _SCORED.get(column, own["scoring"]) != own["scoring"]:
                continue
            for value in values:
                if value != own[column]:
                    row = f"changed-{len(changes)}-{len(of_rule)}"
                    of_rule[row] = f"{column}={str(value).lower()}"
                    lines += [f"[{row}]", f'like = "{name}"']
                    lines += [f"{column} = {json.dumps(value)}", ""]
    found: dict[tuple[str, str, str, str], dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory(prefix="aslib-eval-") as folder:
        file = Path(folder) / "rule" / "changed.toml"
        file.parent.mkdir()
        file.write_text("\n".join(lines), encoding="utf-8")
        under = lake.under(sql_dirs=[*lake.sql_dirs, folder])
        every = tracked(changes.items(), "changes of rules", len(changes), shown=sys.stderr.isatty())
        for at, (name, of_rule) in enumerate(every, 1):
            rows = under.rows("changed_places", between(f"changed-{at}-*", [*of_rule]))
            for row, scenario, of, part, solver, place in rows:
                board = str(part) if of == "all" else f"{of} {part}"
                labels = (name, str(scenario), board, "rule")
                found.setdefault(labels, {}).setdefault(of_rule[row], {})[str(solver)] = float(place)
    return found


def frame_of(made: Iterable[tuple[Standing, Sequence[Certificate]]]) -> pl.DataFrame:
    """A row each, with the labels of its ranking and n, the number of instances."""
    rows = [
        standing.about | {"n": standing.n} | asdict(each) | {"remark": standing.remark}
        for standing, found in made
        for each in found
    ]
    types = {
        **dict.fromkeys(("removals", "at_least"), pl.Int64),
        **dict.fromkeys(("family", "without", "ranges", "choice", "remark"), pl.String),
        **dict.fromkeys(set(_OF_PARAMETERS) - {"ranges"}, pl.Float64),
    }
    return pl.DataFrame(rows, schema_overrides=types)


def sentence(standing: Standing, against: Sequence[Certificate]) -> str:
    """How firm the first place is. against: the first against all others."""
    tied = [each.other for each in against if each.other_place == 1]
    if tied:
        return f"{join_words([standing.solvers[0], *tied])} share the first rank."
    known = [each for each in against if each.removals is not None]
    first = standing.solvers[0]
    if not known:
        return f"{first} stays first, whichever instances are removed."
    least = min(known, key=lambda each: each.removals or 0)
    found = metrics.Removal(least.at_least, least.removals)
    removed = f"if you remove {_between(found)} of {plural(standing.n, 'instance')}"
    nearest = against[0]
    ways, others = [removed], _swaps(nearest)
    after = ""
    if others and nearest.other == least.other:
        ways += others
    elif others:
        after = f" {nearest.other} overtakes {first} {_joined(others)}."
    elif nearest.n_tried:
        after = f" No other change puts {nearest.other} ahead ({plural(nearest.n_tried, 'change')} tried)."
    return f"{first} is first. {least.other} overtakes {first} {_joined(ways)}.{after}"


def overturned(standing: Standing) -> str:
    """The fewest without which another one is before the first: 3 of 40.

    It is fragile if that is one instance, or at most one in a hundred.
    "tied" where several are first, "never" where the first stays whatever goes.
    """
    if standing.places[1] == 1:
        return "tied"
    found = [
        metrics.fewest_removals(standing.contest(0, other)) for other in range(1, len(standing.solvers))
    ]
    known = [each for each in found if each.most is not None]
    if not known:
        return "never"
    least = min(known, key=lambda each: each.most or 0)
    fragile = ", fragile" if (least.most or 0) <= max(1, standing.n / 100) else ""
    return f"{_between(least)} of {standing.n}{fragile}"


def _between(found: metrics.Removal) -> str:
    return f"{found.most}" if found.least == found.most else f"{found.least} to {found.most}"


def _joined(ways: Sequence[str]) -> str:
    *most, last = ways
    return f"{', '.join(most)} or {last}" if most else last


def _swaps(each: Certificate) -> list[str]:
    said = [
        f"if you remove the family {each.family}" if each.family else "",
        f"if you remove the solver {each.without}" if each.without else "",
        f"if the penalty k goes beyond {significant(each.penalty)}" if each.penalty is not None else "",
        f"if the cutoff lies in a certain range ({each.ranges})" if each.cutoff is not None else "",
        f"if delta lies in a certain range ({each.ranges})" if each.delta is not None else "",
        f"under the choice {each.choice}" if each.choice else "",
    ]
    return [text for text in said if text]


def sets_of(
    standing: Standing, *, confidence: float, draws: int, seed: int, drawn: str | None = None
) -> metrics.RankSets:
    """Sets of places by the levels of a ranking: costs, points or instances.

    drawn: whether families are drawn as wholes, or each instance for itself; None for families where there
    are any.
    """
    if drawn == "family" and not standing.families:
        raise AslibError(
            f"{standing.labels[1]} has no families to resample",
            "--draw family",
            "Name the attribute that holds the families of its instances: --by NAME.",
        )
    rng = np.random.default_rng(seed)
    clusters = None if drawn == "instance" else codes_of(standing.families)
    if standing.bounds is not None:  # of costs less is better, of scores more
        low, high = sorted(-standing.sign * bound for bound in standing.total_bounds)
        return metrics.score_sets(
            -standing.levels[0], (low, high), rng=rng, clusters=clusters, confidence=confidence, draws=draws
        )
    most = standing.most or [None] * len(standing.levels)
    return metrics.rank_sets(
        standing.levels, rng=rng, clusters=clusters, confidence=confidence, draws=draws, most=most,
        errors=standing.errors,
    )  # fmt: skip


def drawn_of(standing: Standing, drawn: str | None) -> str:
    """What is drawn, in words: 24 families with 252 instances."""
    instances = plural(standing.n, "instance")
    if drawn == "instance" or not standing.families:
        return instances
    return f"{plural(len(set(standing.families)), 'family', 'families')} with {instances}"


def rests_on(standing: Standing, drawn: str | None) -> str:
    """What the sets of places take for granted, in words."""
    of_families = bool(standing.families) and drawn != "instance"
    what = "whole families are sampled" if of_families else "instances are sampled independently"
    said = f"{what} from one population"
    if standing.bounds is not None:
        least, most = standing.bounds.least, standing.bounds.most
        said += ", that mean scores are nearly normal"
        return f"{said}, and that scores lie between {least:g} and {most:g} ({standing.bounds.because})"
    if None not in (standing.most or [None]):
        return said
    return f"{said}, and that two solvers never differ by more than the largest observed difference"


def text_of(low: int, high: int) -> str:
    """A set of places as tables show it.

    >>> text_of(2, 2)
    '2'
    """
    return str(low) if low == high else f"{low}\N{EN DASH}{high}"


def sentence_of_sets(standing: Standing, sets: metrics.RankSets) -> str:
    """How many solvers have one place alone, and who may be first."""
    alone = int((sets.lower == sets.upper).sum())
    first = [solver for solver, low in zip(standing.solvers, sets.lower, strict=True) if low == 1]
    some = plural(alone, "rank is certain", "ranks are certain") if alone else "no rank is certain"
    who = list_names(first, most=5, quoted=False)
    return f"{standing.title}: {some}. {plural(len(first), 'solver')} may be first: {who}"


def places_frame(made: Sequence[tuple[Standing, metrics.RankSets]]) -> pl.DataFrame:
    """A row a solver: its score, place and set of places.

    ``removals`` instances fewer, and the next one is before it.
    """
    rows = []
    for standing, sets in made:
        means, last = standing.levels[0].mean(axis=0), len(standing.solvers) - 1
        for at, solver in enumerate(standing.solvers):
            low, high = int(sets.lower[at]), int(sets.upper[at])
            fewest = None if at == last else metrics.fewest_removals(standing.contest(at, at + 1)).most
            rows.append(
                (*standing.labels, solver, text_of(low, high), float(abs(means[at])), standing.n,
                 standing.places[at], low, high, fewest, len(set(standing.families)))
            )  # fmt: skip
    text = ("protocol", "scenario_id", "measure", "kind", "solver", "places")
    whole = ("n", "place", "low", "high", "removals", "n_families")
    schema = {**dict.fromkeys(text, pl.String), "score": pl.Float64, **dict.fromkeys(whole, pl.Int64)}
    order = (*text[:4], "n", "solver", "score", "place", "low", "high", "places", *whole[4:])
    return pl.DataFrame(rows, schema=schema, orient="row").select(order)


def firm_places(lake: OpenLake) -> pl.DataFrame:
    """Relation ``firm_place``: the places by mean cost, and their sets, of a lake.

    With a confidence of 0.95, by 1000 draws from the seed 1: of families of instances where they are known.
    """
    every = standings(lake, by="cost", kind=None, attribute=None)
    return places_frame([(each, sets_of(each, confidence=0.95, draws=1000, seed=1)) for each in every])


# The section of a page, and its chart.

_COLUMNS = (
    Header("solver", "solver"),
    Header("place", "rank"),
    Header("places", "possible ranks", "ranks that other instances of the same kind could give; "
           "they hold for all solvers at once with 95 % confidence"),
    Header("removals", "instances", "fewest instances whose removal swaps the two; "
           "empty if no removal swaps them"),
    Header("family", "family", "smallest family whose removal swaps the two", words=True),
    Header("without", "solver left out", "a third solver whose removal swaps the two",
           words=True),
    Header("penalty", "penalty \N{MULTIPLICATION SIGN}", "nearest penalty beyond which the two swap"),
    Header("cutoff", "cutoff", "nearest cutoff that swaps the two"),
    Header("slower", "machine slower", "the two swap on a machine that is this many times "
           "slower; this is exact because timeouts stay timeouts"),
    Header("slower_alone", "alone slower", "the two swap if this solver alone is this many "
           "times slower"),
    Header("faster", "machine faster", "the order is certain until all runs take this share "
           "of their time; on an even faster machine unsolved runs may be solved, which the data "
           "do not show; 1: nothing is certain"),
)  # fmt: skip
_WORDS = (
    "Smallest change that swaps a solver with the next one (ties do not count). An empty cell "
    "means that no change of this kind swaps them. The command certify also tries every choice of "
    "the protocol."
)


def of_scenario(results: ScenarioResults) -> Section | None:
    """Who passes whom if little changes; None where no two solvers are ranked."""
    standing = _standing(results)
    if standing is None or results.hopeless:
        return None
    table, chart, said = _shown(standing, "firmness-table", results.protocol)
    body = join([paragraph(_WORDS), figure("open-places", chart.title, chart.about), table])
    title, over = "Firmness", results.population
    return Section("firmness", title, over, body, {"open-places": chart}, finding=said, group="sure")


def places_chart(results: ScenarioResults) -> Chart | None:
    """The set of places of each solver; None where no two are ranked."""
    standing = _standing(results)
    return None if standing is None else _shown(standing, "", "")[1]


def of_boards(record: RecordedBoards) -> Section | None:
    """The same of the boards over all instances of a competition."""
    parts: list[Html] = []
    said: list[str] = []
    fragile = 0
    for at, (standing, overturned_by) in enumerate(_of_record(record)):
        fragile += "fragile" in overturned_by
        rule, scenario, *_ = standing.labels
        table, _, text = _shown(standing, f"firm{at}", rule, f"{scenario}, {rule}")
        said.append(f"{standing.title}: {text}")
        parts += [paragraph(said[-1]), table]
    if not parts:
        return None
    finding = f"{fragile or 'none'} of {len(said)} first ranks ".capitalize()
    verb = "is" if fragile == 1 else "are"
    finding += f"{verb} fragile (removing one instance, or 1 % of them, would put another first)."
    finding = said[0] if len(said) == 1 else finding
    body = join([paragraph(_WORDS), *parts])
    return Section("firmness", "Firmness", "", body, follows="never", finding=finding, group="sure")


def first_places(record: RecordedBoards) -> pl.DataFrame:
    """What overturns the first place of each board, for the table of the winners."""
    rows = [
        (scenario, rule, overturned_by)
        for standing, overturned_by in _of_record(record)
        for rule, scenario, *_ in [standing.labels]
    ]
    schema = dict.fromkeys(("scenario", "board", "another is 1st without (instances)"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def sets_of_places(record: RecordedBoards) -> pl.DataFrame:
    """The set of places of each solver on each board over all instances, for the boards."""
    rows = [
        (scenario, rule, solver, int(low), int(high))
        for standing, _ in _of_record(record)
        for rule, scenario, *_ in [standing.labels]
        for sets in [sets_of(standing, confidence=0.95, draws=1000, seed=1)]
        for solver, low, high in zip(standing.solvers, sets.lower, sets.upper, strict=True)
    ]
    words, places = ("scenario", "board", "solver"), ("low", "high")
    schema = {**dict.fromkeys(words, pl.String), **dict.fromkeys(places, pl.Int64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


# Record → its boards: the table of the winners asks for them, and the section does.
_READ: WeakKeyDictionary[RecordedBoards, list[tuple[Standing, str]]]
_READ = WeakKeyDictionary()


def _of_record(record: RecordedBoards) -> list[tuple[Standing, str]]:
    """The boards of a record with what overturns each, once for all that is said."""
    if record not in _READ:
        _READ[record] = [(one, overturned(one)) for one in recorded(record)]
    return _READ[record]


def _shown(standing: Standing, name: str, protocol: str, of: str = "") -> tuple[Html, Chart, str]:
    certifier = Certifier(standing, "cost" if standing.group else None, {})
    neighbours: list[Certificate | None] = [*certifier.neighbours(), None]
    sets = sets_of(standing, confidence=0.95, draws=1000, seed=1)
    rows: list[dict[str, Any]] = [
        {
            **(asdict(found) if found else {}),
            "solver": solver,
            "place": place,
            "places": text_of(int(low), int(high)),
        }
        for solver, place, low, high, found in zip(
            standing.solvers, standing.places, sets.lower, sets.upper, neighbours,
            strict=True,
        )
    ]  # fmt: skip
    told = [c for c in _COLUMNS if any(row.get(c.key) is not None for row in rows)]
    table = HtmlTable(
        name, f"What swaps neighbours{f': {of}' if of else ''}", told, rows, str(standing.n), protocol
    )
    lines = [
        Line([[float(low), at, _tip(row)], [float(high), at, _tip(row)]], width=3,
             dash="4 3")
        for at, (row, low, high) in enumerate(
            zip(rows, sets.lower, sets.upper, strict=True)
        )
    ]  # fmt: skip
    is_open = sets.upper > sets.lower
    dots = [
        Dots(
            [[float(row["place"]), at, _tip(row)] for at, row in enumerate(rows) if is_open[at] == which],
            r=5,
            symbol=symbol,
        )
        for which, symbol in ((False, None), (True, "ring"))
        if (is_open == which).any()
    ]
    tied = int(is_open.sum())
    chart = Chart(
        "Possible ranks on other instances",
        f"Each dot is the rank of a solver, each bar its possible ranks. {tied} of {len(rows)} "
        "solvers could have another rank (open dots).",
        Linear("rank", 1, len(rows), whole=True),
        Band(standing.solvers),
        [*lines, *dots],
        f"{drawn_of(standing, None)}, {protocol or standing.labels[0]}",
        row_height=24,
    )
    return table.html(), chart, sentence(standing, certifier.first())


def _tip(row: Mapping[str, Any]) -> str:
    return f"{row['solver']}: rank {row['place']}, possible ranks {row['places']}"


def _standing(results: ScenarioResults) -> Standing | None:
    """The ranking of a page by its costs; with runtimes as a group to be swept."""
    matrix = results.matrix
    if matrix is None or results.lake is None:
        return None
    costs = results.penalised(matrix)
    whole = np.asarray(np.isfinite(costs).all(axis=0))
    kind = usual_kind([kind for kind, _ in matrix.solvers])
    at = [place for place, (of, _) in enumerate(matrix.solvers) if of == kind and whole[place]]
    if len(at) < 2:  # noqa: PLR2004
        return None
    names = tuple(matrix.solvers[place][1] for place in at)
    (protocol,) = results.lake.protocols
    group, cutoff = None, float(results.summary["cutoff"] or 0)
    if results.timed:
        runs = Runs(matrix.costs[:, at], matrix.solved[:, at], cutoff)
        key = results.protocol, results.scenario_id, results.measure, names
        group = Group(*key, results.n, len(at), has_gap=False, runs=runs)
    summary, bounds = results.summary, None
    maximize = bool(summary["maximize"]) and not results.timed
    if not results.timed:
        scores = costs[:, at] * (-1 if maximize else 1)
        bounds = score_bounds(scores, maximize=maximize, unit=summary["unit"])
    found = {}
    if (attributes := results.asked("report_attribute")) is not None:
        found = dict(attributes.filter(attribute="family").select("instance", "value").rows())
    standing = Standing(
        (results.protocol, results.scenario_id, results.measure, kind),
        names,
        costs[None, :, at],
        group=group,
        protocol=protocol,
        most=(protocol.penalty * cutoff if results.timed else None,),
        bounds=bounds,
        sign=-1 if maximize else 1,
        instances=tuple(matrix.instances),
    )
    return ranked(standing, found)


PLACES = FigureEntry(
    "ranks of the solvers, each with its confidence set",
    "scenario",
    "aslib_eval.extensions.firmness.certificates:places_chart",
    "two solvers with a cost on every instance",
)
