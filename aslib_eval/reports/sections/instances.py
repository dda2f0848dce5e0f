"""The instances: all runs, one in full, who is best on which, in which family; the data of the script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.compare.systems import Compared
from aslib_eval.analysis.results import (
    Definitions,
    RunMatrix,
    ScenarioLine,
    ScenarioResults,
    SuiteResults,
    short,
)
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.figures.chart import FAR, look
from aslib_eval.figures.gaps import CAUSES
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    details,
    embed,
    figure,
    glossed,
    join,
    paragraph,
    tag,
)
from aslib_eval.reports.sections.ranking import verdict_of
from aslib_eval.statistics.distributions import Floats, rounded
from aslib_eval.text import brief, comparable, join_words, list_names, percent, plural, points

_CURVE_DIGITS = 4  # of times, values and losses that are told of one instance
_ODD = 8  # features told of an instance, those in which it is least like the others
_POINTS = 40  # of a trajectory
_FEW_POINTS = 3  # instances and features, below which a map says nothing


def page_data(results: ScenarioResults, link: str | None = None) -> dict[str, Any] | None:
    """Every run of the matrix; None if there is none, or a cost is missing.

    ``par1`` has null where no repetition is solved, as that is the cutoff. Numbers
    keep all digits: what the page computes is what SQL does, but for the rounding of sums.
    """
    matrix = results.complete
    if matrix is None:
        return None
    timed, costs, solved = results.timed, matrix.costs, matrix.solved
    parts = np.argwhere((solved > 0) & (solved < 1)).tolist() if timed else []
    return {
        "solvers": [_solver(results, *solver) for solver in matrix.solvers],
        "instances": list(matrix.instances),
        "timed": timed,
        "cutoff": results.summary["cutoff"],
        "measure": results.with_unit("time") if timed else results.measure,
        "protocol": f"protocol {results.protocol}",
        "k": results.choices["penalty"],
        "maximize": bool(results.summary["maximize"]),
        "strict": results.choices["at_cutoff"] == "unsolved",
        "criterion": results.choices["sbs_criterion"],
        "par1": [
            [_short(c) if s > 0 or not timed else None for c, s in zip(*column, strict=True)]
            for column in zip(costs.T.tolist(), solved.T.tolist(), strict=True)
        ],
        "part": [[column, row, float(solved[row, column])] for row, column in parts],
        "uses": [
            [matrix.number("selector", selector), matrix.number("algorithm", algorithm), n]
            for selector, algorithm, n in results.frames["use"].rows()
            if {("selector", selector), ("algorithm", algorithm)} <= set(matrix.solvers)
        ],
        "intervals": _intervals(results, matrix),
        **_features(results, matrix),
        "families": families_of(results) or None,
        "unit": results.summary["time_unit"] or "",
        "scenario": results.scenario_id,
        "link": link,
    }


def _solver(results: ScenarioResults, kind: str, name: str) -> dict[str, Any]:
    """Kind, name and how it is drawn: of the algorithms the best have a colour."""
    place = results.shown_places.get((kind, name))
    if place is None or (kind == "algorithm" and place >= FAR):
        return {"kind": kind, "name": name}
    return {"kind": kind, "name": name, **{key: v for key, v in asdict(look(place)).items() if v}}


def _intervals(results: ScenarioResults, matrix: RunMatrix) -> list[list[float | None]]:
    """Number of a selector, and the interval of its closed gap; null is no end.

    As in ``gap --interval``: instances are drawn anew, with SBS and VBS in each draw.
    """
    frame = results.frames.get("gap_interval")
    found = () if frame is None else frame.select("solver", "closed_gap", "gap_low", "gap_high").rows()
    return [
        [matrix.number("selector", solver), low, high]
        for solver, gap, low, high in found
        if gap is not None and ("selector", solver) in matrix.solvers
    ]


def _short(value: float) -> float | int:
    """5 instead of 5.0: the same number, in fewer bytes."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _features(results: ScenarioResults, matrix: RunMatrix) -> dict[str, Any]:
    """What a VBS pays for features on each instance, in the order of the matrix."""
    frame = results.frames["attainable"]
    found = {i: (c, p) for i, c, p in frame.select("instance", "feature_cost", "presolved").rows()}
    if not results.timed or set(found) != set(matrix.instances):
        return {"featureCost": None, "presolved": None}
    return {
        "featureCost": [_short(float(found[i][0])) for i in matrix.instances],
        "presolved": [int(found[i][1]) for i in matrix.instances],
    }


@lru_cache(maxsize=1)
def instance_details(results: ScenarioResults) -> dict[str, Any]:
    """Schedules, losses, trajectories and features of the instances of a page.

    All are by the number of an instance in the page's data; what the lake has not is left out. The page
    reads them when the first instance is opened.
    """
    matrix = results.complete
    if matrix is None:
        return {}
    found: dict[str, Any] = {}
    if matrix.columns("selector"):
        steps, lost = map(results.asked, ("report_schedule", "report_instance_loss"))
        if steps is not None and lost is not None:
            found |= {"causes": list(CAUSES), **_schedules(matrix, steps.rows())}
            found["lost"] = _losses(matrix, lost.rows())
    if curves := _curves(results, matrix):
        found["curves"] = curves
    if (values := values_of(results, matrix)) is not None:
        found |= {"features": values.names, "medians": values.medians()}
        found |= {"odd": values.odd(), "map": values.map()}
    return found


@lru_cache(maxsize=1)
def families_of(results: ScenarioResults) -> dict[str, dict[str, Any]]:
    """Attribute → its values, and which of them each instance of the matrix has; ``family`` first.

    Attributes with a value of its own for each instance are left out.
    """
    matrix = results.complete
    found: dict[str, dict[str, str]] = {}
    for attribute, instance, value in results.frames["attribute"].rows():
        found.setdefault(attribute, {})[instance] = value
    told = {}
    for attribute, values in sorted(found.items(), key=lambda own: own[0] != "family"):
        mine = [values.get(instance) for instance in matrix.instances] if matrix else []
        names = sorted({value for value in mine if value is not None})
        if 0 < len(names) < len(mine) - mine.count(None) or len(names) == 1:
            of = [None if value is None else names.index(value) for value in mine]
            told[attribute] = {"names": names, "of": of}
    return told


def _numbers(matrix: RunMatrix) -> dict[str, int]:
    return {name: at for at, name in enumerate(matrix.instances)}


def _schedules(matrix: RunMatrix, rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """[selector][instance] → steps: number in ``names``, time, how it ended."""
    at, names = _numbers(matrix), sorted({n for row in rows for n in row[2]})
    of: dict[int, list[list[list[float]] | None]] = {}
    for selector, instance, called, needs, ends in rows:
        if instance in at and ("selector", selector) in matrix.solvers:
            own = of.setdefault(matrix.number("selector", selector), [None] * len(at))
            steps = zip(called, needs, ends, strict=True)
            own[at[instance]] = [[names.index(n), _brief(t), end] for n, t, end in steps]
    return {"names": names, "steps": of}


def _losses(matrix: RunMatrix, rows: Sequence[Sequence[Any]]) -> dict[int, dict[int, list[list[float]]]]:
    """[selector][instance] → [cause, loss] …, of what is lost or won back there."""
    at = _numbers(matrix)
    found: dict[int, dict[int, list[list[float]]]] = {}
    for selector, instance, position, loss in rows:
        if instance in at and ("selector", selector) in matrix.solvers:
            own = found.setdefault(matrix.number("selector", selector), {})
            own.setdefault(at[instance], []).append([position - 1, _brief(loss)])
    return found


def _curves(results: ScenarioResults, matrix: RunMatrix) -> dict[int, dict[int, list[list[float]]]]:
    """[algorithm][instance] → [time, value] … of its first run, where it improves."""
    frame = results.frames["trajectory"]
    if not frame.height:
        return {}
    mine = frame.filter(
        (pl.col("measure") == results.measure)
        & (pl.col("trial") == pl.col("trial").min().over("algorithm", "instance_id"))
        & pl.col("elapsed").is_not_null()
        & pl.col("value").is_finite()
    )
    at = _numbers(matrix)
    found: dict[int, dict[int, list[list[float]]]] = {}
    columns = ("algorithm", "instance_id", "elapsed", "value", "maximize")
    for algorithm, instance, *point, maximize in mine.select(columns).iter_rows():
        if instance not in at or ("algorithm", algorithm) not in matrix.solvers:
            continue
        own = found.setdefault(matrix.number("algorithm", algorithm), {})
        line = own.setdefault(at[instance], [])
        sign = 1 if maximize else -1
        if not line or sign * point[1] > sign * line[-1][1]:
            line.append(point)
    for line in (line for own in found.values() for line in own.values()):
        kept = np.unique(np.linspace(0, len(line) - 1, _POINTS).astype(int))
        line[:] = [[*map(_brief, line[at])] for at in kept]
    return found


def _brief(value: float) -> float | int:
    kept = float(f"{value:.{_CURVE_DIGITS}g}")
    whole = round(value) if abs(value) >= 10**_CURVE_DIGITS else kept
    return int(whole) if float(whole).is_integer() else kept


@dataclass(frozen=True, eq=False)
class FeatureValues:
    """Features that differ between the instances of a page.

    values: (n_instances, n_features), nan where there is none. places: the share of the instances that have
    less, of equals half; 0.5 where there is no value.
    """

    names: list[str]
    values: NDArray[np.float64]
    places: NDArray[np.float64]

    def medians(self) -> list[float]:
        """The median of each feature."""
        return [_brief(m) for m in np.nanmedian(self.values, axis=0).tolist()]

    def odd(self) -> list[list[list[float]]]:
        """[instance] → [feature, value, place in %] …, the farthest from the middle."""
        far = np.abs(self.places - 0.5)
        order = np.argsort(-far, axis=1, kind="stable")[:, :_ODD]
        percent = np.rint(100 * self.places).astype(int)
        return [
            [[int(f), _brief(float(self.values[i, f])), int(percent[i, f])] for f in own if far[i, f] > 0]
            for i, own in enumerate(order)
        ]

    def map(self) -> dict[str, Any] | None:
        """Two principal components of the places, and their share of the variance.

        Places and not values, so that no outlier squashes the others. The first
        feature that weighs most has a positive weight, as the sign is free. None with fewer than three
        features or instances.
        """
        if min(self.places.shape) < _FEW_POINTS:
            return None
        centred = self.places - self.places.mean(axis=0)
        if centred.shape[0] < centred.shape[1]:  # MUSIC-2016: 32 and 4,770
            _, widths, rows = np.linalg.svd(centred, full_matrices=False)
            weights, axes = widths[::-1] ** 2, rows[::-1].T
        else:
            weights, axes = np.linalg.eigh(centred.T @ centred)
        axes = axes[:, :-3:-1]
        heaviest = axes[np.abs(np.round(axes, 6)).argmax(axis=0), [0, 1]]
        at = np.round(centred @ (axes * np.sign(heaviest)), 3) + 0.0
        return {"at": at.tolist(), "shares": np.round(weights[:-3:-1] / weights.sum(), 4).tolist()}


def values_of(results: ScenarioResults, matrix: RunMatrix) -> FeatureValues | None:
    """The features of the instances; None if none differs between them."""
    frame = results.asked("feature_values")
    if frame is None or not frame.height:
        return None
    named = [name.rpartition(" #")[0] or name for name in matrix.instances]
    known = set(frame["instance_id"].unique().to_list())
    names = [n if n in known else own for n, own in zip(
        matrix.instances, named, strict=True)]  # fmt: skip
    at = {name: i for i, name in enumerate(dict.fromkeys(names))}
    features = sorted(frame["name"].unique().to_list())
    place = {name: i for i, name in enumerate(features)}
    found = np.full((len(at), len(features)), np.nan)
    mine = frame.filter(frame["instance_id"].is_in(list(at)))
    row = [at[name] for name in mine["instance_id"].to_list()]
    found[row, [place[name] for name in mine["name"].to_list()]] = mine["value"].to_numpy()
    labelled = [place[n] for n in mine.filter(mine["labelled"])["name"].unique()]
    found[:, labelled] = np.nan_to_num(found[:, labelled])
    differ = np.array([np.unique(own[np.isfinite(own)]).size > 1 for own in found.T], dtype=bool)
    if not differ.any():
        return None
    found = found[[at[name] for name in names]][:, differ]
    kept = [name for name, is_kept in zip(features, differ, strict=True) if is_kept]
    return FeatureValues(kept, found, _places(found))


def _places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_instances, n_features) The share of the values below each, of equals half."""
    found = np.full(values.shape, 0.5)
    for own, to in zip(values.T, found.T, strict=True):
        known = np.isfinite(own)
        _, which, n = np.unique(own[known], return_inverse=True, return_counts=True)
        to[known] = ((n.cumsum() - n / 2) / known.sum())[which]
    return found


_NAMED = 3  # winners that a sentence names


def instances(results: ScenarioResults) -> Section | None:
    """How many algorithms solve an instance, and a table of all runs."""
    matrix = results.complete
    if matrix is None or results.hopeless:
        return None
    n = len(matrix.instances)
    text = f"All runs on {plural(n, 'instance')}."
    if results.timed:
        solved = matrix.solved[:, _algorithms(results)] > 0
        unsolved = int((~solved.any(axis=1)).sum())
        text = f"{unsolved} of {n} instances are solved by no algorithm."
        text = text if unsolved else f"All {n} instances are solved by some algorithm."
    chart = figure("solved-by", "How many algorithms solve an instance")
    body = join([_late("all-runs"), chart if results.timed else None])
    return Section("instances", f"Instances ({n})", results.population, body, follows="part", finding=text)


def _late(name: str) -> Html:
    return tag("div", attrs={"id": name})


def _algorithms(results: ScenarioResults) -> list[int]:
    return results.complete.columns("algorithm") if results.complete else []


def instance(results: ScenarioResults) -> Section | None:
    """Every solver on an instance that the reader chooses, and why it is so."""
    matrix = results.complete
    if matrix is None:
        return None
    cost = results.with_unit("time") if results.timed else results.measure
    heads = ("solver", cost, *(["outcome"] if results.timed else []), "kind")
    head = (tag("th", h, attrs={"scope": "col", "class": None if h == cost else "words"}) for h in heads)
    table = tag(
        "table",
        tag("caption", "Every solver on one instance"),
        tag("thead", tag("tr", *head)),
        tag("tbody"),
        attrs={"id": "one-instance"},
    )
    chooser = tag("p", tag("label", "Instance ", _select("which")), attrs={"class": "pair"})
    found = instance_details(results)
    told = join_words(["All runs", *[name for key, name in _TOLD.items() if found.get(key)]])
    finding = f"{told} of one instance. To choose it, use Find, or click a dot or a row."
    curves = figure("trajectory", "Trajectories", "The first run of each algorithm.")
    scroll = tag("div", table, attrs={"class": "scroll"})
    body = join([chooser, scroll, _late("more-of-one"), curves if found.get("curves") else None])
    return Section("instance", "One instance", "", body, follows="never", finding=finding)


def _select(name: str, options: Mapping[str, str] = MappingProxyType({})) -> Html:
    shown = (tag("option", text, attrs={"value": value}) for value, text in options.items())
    return tag("select", *shown, attrs={"id": name})


_TOLD = {"steps": "schedules", "lost": "losses", "curves": "trajectories", "features": "features"}


_NEAR = "Each dot is an instance. Dots that are close to each other have similar features."


def where(results: ScenarioResults) -> Section | None:
    """A map of the instances by their features; None where one is best on all."""
    matrix = results.complete
    if matrix is None or results.hopeless or not instance_details(results).get("map"):
        return None
    columns = _algorithms(results)
    names = [matrix.solvers[at][1] for at in columns]
    solved = (matrix.solved[:, columns] > 0).any(axis=1) | (not results.timed)
    counts = _best(names, results.penalised(matrix)[solved][:, columns])
    nobody = int((~solved).sum())
    if len(counts) + bool(nobody) < 2:  # noqa: PLR2004
        return None
    words = join_words(_said(counts, f" of {plural(len(matrix.instances), 'instance')}"))
    words += f"; no algorithm solves {nobody}." if nobody else "."
    body = figure("winners", "The best algorithm of each instance", _NEAR)
    title = "Where each algorithm is best"
    return Section("where", title, results.population, body, follows="all", finding=words, group="why")


def _best(names: Sequence[str], costs: Floats) -> dict[str, tuple[int, int]]:
    """On how many rows of costs each is best or tied, and best alone; most first.

    costs: (n, len(names)), equal to 12 digits. Who is best nowhere is left out.
    """
    costs = rounded(costs, digits=12)  # as `comparable`
    best = costs == costs.min(axis=1, keepdims=True)
    alone = best & (best.sum(axis=1, keepdims=True) == 1)
    counts = zip(best.sum(axis=0).tolist(), alone.sum(axis=0).tolist(), strict=True)
    found = {n: of for n, of in zip(names, counts, strict=True) if of[0]}
    return dict(sorted(found.items(), key=lambda each: (*(-n for n in each[1]), each)))


def _said(counts: Mapping[str, tuple[int, int]], of: str, by: str = "", at: str = "on") -> list[str]:
    """Who is best on how many, and on how many alone, where some are tied."""
    ties = any(tied > alone for tied, alone in counts.values())
    said: list[str] = []
    for name, (tied, alone) in [*counts.items()][:_NAMED]:
        how = "" if said else f" is best{' or tied' if ties else ''}{by}"
        told = f"{name}{how} {at} {tied}{'' if said else of}"
        said.append(f"{told} (best alone {at} {alone})" if ties else told)
    if len(counts) > _NAMED:
        others = plural(len(counts) - _NAMED, "other")
        said.append(f"{others} {at} {'fewer or equally many' if ties else 'the rest'}")
    return said


def families(results: ScenarioResults) -> Section | None:
    """Every family by every solver; None without families of instances."""
    matrix, known = results.complete, families_of(results)
    several = [name for name, found in known.items() if len(found["names"]) > 1]
    if matrix is None or results.hopeless or not several:
        return None
    first, columns = several[0], _algorithms(results)
    of = np.array([-1 if at is None else at for at in known[first]["of"]])
    costs = results.penalised(matrix)[:, columns]
    places = np.unique(of)
    means = [rounded(costs[of == at].mean(axis=0), digits=12) for at in places]
    names = [matrix.solvers[at][1] for at in columns]
    differ = [own for own in means if own.min() < own.max()]
    said = ["all tie"]
    if differ:
        said = _said(_best(names, np.array(differ)), "", " by mean cost", "in")
        if level := len(means) - len(differ):
            said.append(f"in {level} all tie")
    by = "" if first == "family" else f" by {first}"
    finding = f"Of {len(places)} families{by}, {join_words(said)}."
    choose = (tag("label", "families by ", _select("of")), tag("label", "shown ", _select("how")))
    about = paragraph("The stronger the colour, the better the solver within the family.")
    body = join([tag("p", *choose, attrs={"class": "pair"}), _late("by-family"), about])
    title, over = f"Families ({len(places)})", results.population
    return Section("families", title, over, body, follows="all", finding=finding, group="why")


def distribution(results: ScenarioResults) -> Html | None:
    """The share of instances within a time, with the cactus plot folded below it.

    None without a cost of everyone everywhere, and where no run is solved.
    """
    if results.complete is None or results.hopeless:
        return None
    if not results.timed:
        within = f"whose {results.measure} is at least as good as on the axis"
        return figure("ecdf", f"Share of instances {within}", _LOADED)
    turned = details("The same as a cactus plot", figure("cactus", "Cactus plot"))
    return join([figure("ecdf", "Share of instances solved within a time", _LOADED), turned])


_LOADED = "All solvers on the same instances."


def runtimes(results: ScenarioResults) -> Section | None:
    """The distributions of the algorithms or the selectors; else `glance` has them."""
    matrix, drawn = results.complete, distribution(results)
    if matrix is None or drawn is None or not matrix.columns("selector"):
        return None
    choose = _select("show", {"algorithm": "algorithms", "selector": "selectors"})
    body = join([tag("p", tag("label", "Show ", choose), attrs={"class": "pair"}), drawn])
    over, finding = results.population, _soon(results, matrix)
    return Section("runtimes", "Distributions", over, body, follows="all", finding=finding, group="who")


def _soon(results: ScenarioResults, matrix: RunMatrix) -> str:
    found, cutoff = results.baseline, results.summary["cutoff"]
    if not results.timed or found is None or not cutoff:
        return f"Distribution of {results.measure} over the instances, for each solver."
    at, early = matrix.number("algorithm", found["sbs"]), cutoff / _EARLY
    soon = (matrix.solved[:, at] > 0) & (matrix.costs[:, at] <= early)
    unit = f" {unit}" if (unit := results.summary["time_unit"]) else ""
    return (
        f"{found['sbs']} solves {percent(soon.mean())} of the instances within "
        f"{brief(early)}{unit} and {percent(matrix.solved[:, at].mean())} by the cutoff."
    )


_EARLY = 100  # part of the cutoff


def pairs(results: ScenarioResults) -> Section | None:
    """A scatter of two solvers that the reader chooses."""
    matrix = results.complete
    if matrix is None or len(matrix.solvers) < 2 or results.hopeless:  # noqa: PLR2004
        return None
    axes = (tag("label", f"{axis} axis ", _select(f"pair-{axis}")) for axis in "xy")
    scatter = figure("scatter", "One solver against another", _LOADED)
    body = join([tag("p", *axes, attrs={"class": "pair"}), scatter, _late("side")])
    over, finding = results.population, _first_two(results)
    return Section("pairs", "Pair by pair", over, body, follows="all", finding=finding, group="who")


def _first_two(results: ScenarioResults) -> str:
    """The two that the page begins with: the best two algorithms by mean cost."""
    matrix, scores = results.complete, results.frames["score"]
    order = scores.filter(kind="algorithm")["solver"].to_list()
    if matrix is None or len(order) < 2:  # noqa: PLR2004
        return "Any two solvers, instance by instance."
    one, other = (matrix.number("algorithm", name) for name in order[:2])
    costs = results.penalised(matrix)
    wins, losses = (int(np.sum(costs[:, a] < costs[:, b])) for a, b in ((one, other), (other, one)))
    return f"{order[0]} is better than {order[1]} on {wins} of {results.n} instances, worse on {losses}."


_DIGITS = 6  # of a score that is embedded: more than a cell shows


def matrix(suite: SuiteResults) -> Section | None:
    """A sentence, and the matrix of closed gaps as a map; None without any."""
    lines = [line for line in suite.lines if line.gaps]
    if not lines:
        return None
    names = sorted({s for e in lines for s in e.gaps}, key=suite.places.__getitem__)
    body = join(
        [
            tag("p", *_sentence(suite, lines), attrs={"class": "story"}),
            _choosers(lines),
            _table(suite, lines, names),
            tag("p", _first_on(lines), attrs={"class": "population"}) if len(lines) > 1 else None,
            embed("scores", _scores(lines, names)),
        ]
    )
    n = plural(len(suite.lines), "scenario")
    some = "" if len(lines) == len(suite.lines) else f", {len(lines)} with selectors"
    return Section("matrix", "At a glance", f"{n}{some} · protocol {suite.protocol}", body)


def _means(suite: SuiteResults, lines: list[ScenarioLine]) -> dict[str, float]:
    n = max(len([e for e in lines if s in e.gaps]) for s in suite.places)
    gaps = {s: [e.gaps[s] for e in lines if s in e.gaps] for s in suite.places}
    return {s: sum(own) / n for s, own in gaps.items() if len(own) == n}


def _sentence(suite: SuiteResults, lines: list[ScenarioLine]) -> list[Html]:
    """Who closes most of the gap in the mean over scenarios that all answer; how sure that is."""
    n = max(len([e for e in lines if s in e.gaps]) for s in suite.places)
    means = _means(suite, lines)
    order = sorted(means, key=lambda s: (-comparable(means[s]), s))
    most, first = means[order[0]], sorted(_first_of(means))
    who, each = tag("b", join_words(first)), "" if len(first) == 1 else " each"
    over = f"in the mean over {plural(n, 'scenario')}" if len(lines) > 1 else f"on {lines[0].row['name']}"
    parts: list[Html | str] = [who, f"{each} close{'' if each else 's'} {percent(most)} of the gap {over}"]
    if most < 0:
        lose = f"{each} lose{'' if each else 's'} least, {percent(-most)} of the gap"
        parts = [f"No selector is better than the best algorithm {over}: ", who, lose]
    if after := order[len(first) :]:
        parts += [", ", tag("b", f"{points(most - means[after[0]])} ahead of {after[0]}")]
    doubt = _tested(suite, order[0]) if len(lines) > 1 else "The scenario's page says how sure this is."
    parts += [f". {doubt}" if doubt else "."]
    return [part if isinstance(part, Html) else glossed(part) for part in parts]


def _first_on(lines: list[ScenarioLine]) -> str:
    """Who is first on most scenarios; on how many nobody beats the best algorithm.

    Who ties there is counted with each of the first.
    """
    first = [_first_of(line.gaps) for line in lines]
    tied = Counter(s for names in first for s in names)
    alone = Counter(s for names in first for s in names if len(names) == 1)
    most = max(tied.values())
    leaders = sorted(s for s in tied if tied[s] == most)
    are = "is" if len(leaders) == 1 else "are each"
    how, alone_on = "first", ""
    if any(alone[s] < most for s in leaders):
        counts = [f"{s} on {alone[s]}" for s in leaders if alone[s]]
        how, alone_on = "first or tied", f" (first alone: {join_words(counts) or 'none'})"
    of = plural(len(lines), "scenario")
    below = sum(max(e.gaps.values()) <= 0 for e in lines)
    more = f"; on {below} no selector beats the best algorithm" if below else ""
    return f"{join_words(leaders)} {are} {how} on {most} of {of}{alone_on}{more}."


def _too_few(found: Compared) -> bool:
    """Whether the test is never significant with so few scenarios, whatever they say.

    Its least two-sided p is 2 to the power of 1 - n, corrected for all others.
    """
    others = len(found.rows) - 1
    return bool(others * 2.0 ** (1 - found.rows[0]["n"]) > found.question.alpha)


def _tested(suite: SuiteResults, first: str) -> str:
    """Whether the test over the scenarios tells the first one from others, as a sentence."""
    found = suite.tested
    if found is None or found.of(first).get("mark") != "o":
        return ""
    if _too_few(found):
        return "There are too few scenarios for a test."
    worse = [row["system"] for row in found.rows if row["mark"] == "-"]
    if worse:
        return f"It is significantly better than {list_names(worse, most=3, quoted=False)}."
    return "Its differences to the other selectors are not significant."


def _beside(suite: SuiteResults, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row of verdicts over scenarios, beside who is first; none without a test."""
    found = suite.tested
    rows = {r["system"]: r for r in found.rows} if found is not None else {}
    first = next((name for name, row in rows.items() if row["mark"] == "o"), None)
    if found is None or first is None or _too_few(found):
        return []
    words = {f"of {s}": verdict_of(rows[s]) for s in names if s in rows and s != first}
    return [{"name": f"beside {first}", **words, f"of {first}": "first"}]


def _defined(lines: list[ScenarioLine]) -> list[tuple[int, Definitions]]:
    found = [(at, line.definitions) for at, line in enumerate(lines)]
    return [(at, d) for at, d in found if d is not None and d.kind == "selector"]


def _metrics(lines: list[ScenarioLine]) -> dict[str, Metric]:
    return {n: m for _, d in _defined(lines) for n, m in d.metrics.items()}


def _choosers(lines: list[ScenarioLine]) -> Html | None:
    metrics = _metrics(lines)
    if not metrics:
        return None
    protocols = dict.fromkeys(p for _, d in _defined(lines) for p in d.protocols)
    of_gap = [n for n, m in metrics.items() if m.label == "closed gap"]
    order = [*of_gap, *(n for n in metrics if n not in of_gap)]
    return tag(
        "p",
        tag("label", "Metric ", _select("metric", {n: metrics[n].label for n in order})),
        tag("label", "Protocol ", _select("protocol", {p: short(p) for p in protocols})),
        tag("span", attrs={"id": "matrix-says", "class": "count", "role": "status"}),
        attrs={"class": "pair"},
    )


def _table(suite: SuiteResults, lines: list[ScenarioLine], names: list[str]) -> Html:
    rows: list[dict[str, Any]] = []
    for line in lines:
        shown = {f"of {name}": gap for name, gap in line.gaps.items()}
        bold = _first_of(shown) if len(shown) > 1 else set()
        rows.append({**{k: line.row[k] for k in ("name", "_link", "_n")}, **shown, "_best": bold})
    columns = [Header("name", "scenario"), *(Header(f"of {s}", s, f"closed gap of {s}") for s in names)]
    caption = "Closed gap of every selector. The best is bold; a stronger colour is better"
    means = {f"of {name}": mean for name, mean in _means(suite, lines).items()}
    first = _first_of(means)
    mean = {"name": "mean", **means, "_best": first if len(first) < len(means) else set()}
    foot = [mean, *_beside(suite, names)] if len(lines) > 1 else []
    return HtmlTable(
        "matrix-table", caption, columns, rows, protocol=suite.protocol, even=True, foot=foot
    ).html()


def _first_of(gaps: Mapping[str, float]) -> set[str]:
    best = max(map(comparable, gaps.values()))
    return {key for key, gap in gaps.items() if comparable(gap) == best}


def _scores(lines: list[ScenarioLine], names: list[str]) -> dict[str, Any]:
    """Metric → label and which end is better; protocol and metric → rows of scores.

    n: of a protocol, the instances of every row.
    """
    values: dict[str, dict[str, list[list[float | None]]]] = {}
    n: dict[str, list[int | None]] = {}
    for at, found in _defined(lines):
        for (protocol, metric, system), score in found.scores.items():
            if system not in names or metric not in found.metrics:
                continue
            of_metric = values.setdefault(protocol, {}).setdefault(
                metric, [[None] * len(names) for _ in lines]
            )
            of_metric[at][names.index(system)] = float(f"{score:.{_DIGITS}g}")
        for protocol in found.protocols:
            n.setdefault(protocol, [None] * len(lines))[at] = found.n.get(protocol)
    metrics = {
        name: {"label": m.label, "better": m.better, "about": m.meaning}
        for name, m in _metrics(lines).items()
    }
    return {"values": values, "metrics": metrics, "n": n}
