"""Changes from one side to the next, instance by instance, and whether they are noise.

Two tests, each exact where the order of two runs on an instance, or on all instances of a known family,
tells nothing: the sign test of who solves more (McNemar's), and Wilcoxon's of the logarithms of the times
where both solve. Holm's correction is over the tests of all rows in which anything differs, so that alpha
is the chance that any row is called anything but no difference by mistake.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.pairs import NO_DIFFERENCE, verdict
from aslib_eval.analysis.compare.systems import p_words
from aslib_eval.analysis.runs import codes_of, known_families
from aslib_eval.analysis.summaries import scenarios_without
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.views import answer_of, lineage, new_connection
from aslib_eval.errors import AslibError
from aslib_eval.options import Inside, Lake, printed
from aslib_eval.statistics.friedman import adjust
from aslib_eval.statistics.means import bounded_means, unbounded_means
from aslib_eval.statistics.paired import sign_test, signed_rank
from aslib_eval.text import list_names, number, one_of, plural, significant, with_unit

Open = Callable[..., "OpenLake"]  # of a path
_KINDS = ("algorithm", "selector", "baseline")


@dataclass(frozen=True)
class Side:
    """The runs of one solver; name: as it was asked for, and tables call it."""

    name: str
    solver: str
    kind: str
    lake: OpenLake

    def runs(self, attribute: str | None) -> pl.DataFrame:
        """Its rows of ``runs_of_solver``, under the names of its protocols.

        Where a scenario has repetitions, and the protocol takes the mean of their costs, each has a row, so
        that those can be paired which both sides have.
        """
        lake = self.lake
        if lake.rows("select max(repetition) > 1 from raw_run") == [(True,)]:
            separate = [
                replace(p, repetitions="separate") if p.repetitions == "mean_par" else p
                for p in lake.protocols
            ]
            lake = lake.under(protocols=separate)
        found = lake.ask(
            "runs_of_solver", {"solver": self.solver, "kind": self.kind, "attribute": attribute}
        )
        if not found.height:
            raise AslibError("has no runs that count here", self.name)
        return found.with_columns(pl.col("kind").cast(pl.String), solver=pl.lit(self.name))


def sides_of(words: Sequence[str], solver: str | None, home: Lake, opened: Open) -> list[Side]:
    """What the words of ``diff`` name.

    Without ``solver`` a word is a solver of the lake ``home``, or PLACE:SOLVER; with it a PLACE: a folder
    that is a lake, or a scenario of ``home``.
    """
    words = [str(word).rstrip("/") or "/" for word in words]
    found = [_side_named(word, solver, home, opened) for word in words]
    if len(found) < 2:  # noqa: PLR2004
        told = f"{words[0]} OTHER" if words else "OLD NEW"
        raise AslibError(
            "a comparison needs two or more",
            "diff",
            f"Type aslib-eval diff {told}{f' --solver {solver}' if solver else ''}.",
        )
    if len(set(words)) < len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise AslibError("is named twice", twice, "Name two different ones.")
    return found


def _side_named(word: str, solver: str | None, home: Lake, opened: Open) -> Side:
    if solver is not None:
        return _of(word, _place(word, home, opened), solver)
    if not _is_lake(home) and ":" not in word:
        if _is_lake(Path(word)):
            raise _whose(word, _solvers(opened(Path(word))))
        _require_no_file(word)
        opened(home)  # which says why it is none
    known = _solvers(opened(home)) if _is_lake(home) else {}
    if word in known:
        return _of(word, opened(home), word)
    place, colon, name = word.rpartition(":")
    if colon:
        return _of(word, _place(place, home, opened), name)
    if some := [name for name in known if fnmatchcase(name, word)]:
        raise AslibError(
            "is a pattern, but diff needs names", word, f"It matches {list_names(some, quoted=False)}."
        )
    if _is_lake(Path(word)) or word in opened(home).scenarios:
        raise _whose(word, _solvers(_place(word, home, opened)))
    _require_no_file(word)
    raise AslibError(f"{home} has no solver of this name", word, one_of(word, known))


def _whose(place: str, known: Mapping[str, str]) -> AslibError:
    names = [name for name, kind in known.items() if kind != "baseline"]
    return AslibError(
        "the lake has several solvers",
        place,
        f"Name one with --solver NAME: {list_names(names, quoted=False)}.",
    )


def _of(word: str, lake: OpenLake, solver: str) -> Side:
    known = _solvers(lake)
    if solver not in known:
        where = word if word != solver else None
        raise AslibError(f"has no solver {solver!r}", where, one_of(solver, known))
    return Side(word, solver, known[solver], lake)


def _place(word: str, home: Lake, opened: Open) -> OpenLake:
    """A lake by its folder, or one scenario of the lake ``home``."""
    if _is_lake(Path(word)):
        return opened(Path(word))
    lake = opened(home) if _is_lake(home) else None
    if lake is not None and word in lake.scenarios:
        return lake.under(scenarios=[word])
    _require_no_file(word)
    scenarios = lake.scenarios if lake is not None else []
    raise AslibError(
        f"is no lake, and no scenario of {home}", word, one_of(word, scenarios) if scenarios else None
    )


def _require_no_file(word: str) -> None:
    place = Path(word).parent
    if _is_lake(place):
        raise AslibError("is no lake", word, f"Type {place}:{Path(word).name}.")
    if Path(word).exists():
        what = "is not a lake yet"
        hint = f"aslib-eval import {word} --lake {Path(word).stem}-lake"
        raise AslibError(what, word, f"Type {hint}, and compare that lake.")


def _is_lake(path: Lake) -> bool:
    return (Path(path) / ".versions").is_dir()


def _solvers(lake: OpenLake) -> dict[str, str]:
    """Kind by name; of several the first of algorithm, selector and baseline."""
    pairs = [(name, kind) for kind, name in lake.rows("named_solvers")]
    pairs.sort(key=lambda pair: _KINDS.index(pair[1]), reverse=True)
    return dict(pairs)


Row = dict[str, Any]
OUTCOMES = ("gained", "lost", "faster", "slower", "level", "neither")
_SCOPE = ("protocol", "scenario_id", "measure")
_INSTANCE = (*_SCOPE, "instance_id")
_INNER = (*("cost_before", "cost_after", "loss", "advantage", "ceiling", "of_family"), "maximize")
_OF_VALUES = {"faster": "better", "slower": "worse"}  # outcomes of a quality
_COSTS = ("cost_before", "cost_after", "change", "change_low", "change_high")
_NUMBERS = (*_COSTS, "p_solved", "p_time")
_TESTS = {"p_solved": "more", "p_time": "sooner"}  # p → what has its sign
_SAID = {
    "mixed": "{after} is better than {before} in one respect and worse in another",
    NO_DIFFERENCE: "{after} is not significantly different from {before}",
}
_TOLD = 5  # rows of which each has a sentence, whatever it says


@dataclass(frozen=True)
class Changes:
    """What ``diff`` finds.

    summary: a row for each step, scenario and measure (and family). instances: what both ran, the largest
    loss first. apart: what only one ran, or under another cutoff, and which counts nowhere. verdicts: a
    sentence each; sentences: these, and what they rest on. unlike: verdicts of families that are not on the
    side of their whole. families: a row for each known family, with how many instances have which outcome.
    shown: the frame that is asked for. html: gives what a notebook shows.
    """

    summary: pl.DataFrame
    instances: pl.DataFrame
    apart: pl.DataFrame
    verdicts: tuple[str, ...]
    sentences: tuple[str, ...]
    shown: str = "summary"
    cost: str = "mean cost"
    unlike: tuple[str, ...] = ()
    families: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False, compare=False)
    html: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @property
    def frame(self) -> pl.DataFrame:
        """The one of the three that is asked for."""
        found: pl.DataFrame = getattr(self, self.shown)
        return found

    def fails(self, on: str) -> bool:
        """Whether a verdict, of a family that is named too, is worse, typically or not.

        on: ``worse``; ``mixed`` for that too; ``lost`` for any instance.
        """
        if on == "lost":
            return bool(self.summary["lost"].sum())
        said = {"worse", "typically worse", *([on] if on == "mixed" else [])}
        return not said.isdisjoint([*self.summary["verdict"], *self.unlike])

    def __str__(self) -> str:
        return printed(self.frame, self.sentences)

    def _repr_html_(self) -> str | None:
        return None if self.html is None else self.html()


def changes(
    sides: Sequence[Side],
    *,
    factor: float | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
    by: str | None = None,
    show: str = "summary",
    inside: Inside = "families",
) -> Changes:
    """Compare each side with the one before it.

    factor, margin: values that are apart by no more are level; None: what ``noise_level`` says, with the
    spread of repeated runs. by: an attribute. inside: whether known families are independent, or each
    instance.
    """
    for side in sides if by else ():
        scenarios_without(side.lake, str(by))  # raises where nothing has it
    runs, paired = _aligned([side.runs(by) for side in sides])
    noise = _noise(pl.concat(runs), factor, margin)
    compared = _compared(pl.concat(runs), noise)
    scope = [*_SCOPE, *(["family"] if by else []), "before", "after"]
    instances, apart = [], []
    for pair, (old, new) in zip(pairwise(sides), pairwise(runs), strict=True):
        instances.append(_both(old, new, compared, scope))
        apart.append(_rest(old, new, scope))
        if not instances[-1].height:
            raise _nothing_in_common(pair, old, new, apart[-1])
    found, left = pl.concat(instances), pl.concat(apart)
    found = found.join(noise.select(*_SCOPE, "factor", "margin"), on=_SCOPE)
    rows = _rows(found, left, scope, alpha, inside)
    costs = _costs(sides[-1].lake, rows)
    turned = found.filter("maximize").select(_SCOPE).unique().rows()
    said = tuple(_verdicts(rows, costs, turned))
    parts = None if by else _with_families(found, scope)
    unlike = [] if parts is None else _unlike_whole(parts, rows, scope, alpha)
    counts = pl.DataFrame() if parts is None else _outcomes_of_families(parts, scope)
    grounds = _grounds(rows, found, alpha, _units(sides[-1].lake))
    told = (*said, *_families_in_words(unlike, costs, turned), *grounds, *paired)
    if left.height:
        told = (*told, f"Left out: {_reasons(left)}. --show apart lists them.")
    tags = {p.protocol: p.tag for p in sides[0].lake.protocols}
    frames = (
        pl.DataFrame(rows, schema_overrides=dict.fromkeys(_NUMBERS, pl.Float64)),
        found.drop(*_INNER, "factor", "margin"),
        left,
    )
    summary, both, rest = (each.with_columns(pl.col("protocol").replace(tags)) for each in frames)
    named = set(costs.values())
    cost = named.pop() if len(named) == 1 else Changes.cost
    others = tuple(row["verdict"] for row in unlike)
    return Changes(summary, both, rest, said, told, show, cost, others, counts)


def _with_families(found: pl.DataFrame, scope: Sequence[str]) -> pl.DataFrame | None:
    """The instances of each part whose families are known, with these; None without any."""
    parts = []
    for part in found.partition_by(scope, maintain_order=True):
        names = part["instance_id"].cast(str).to_list()
        given = dict(zip(names, part["of_family"].cast(str), strict=True))
        if known := known_families(names, given):
            parts.append(part.with_columns(pl.Series("family", known, pl.String)))
    return pl.concat(parts) if parts else None


def _outcomes_of_families(parts: pl.DataFrame, scope: Sequence[str]) -> pl.DataFrame:
    """How many instances of each family have which outcome; those with most differences come first."""
    counts = (pl.col("outcome").eq(name).sum().alias(name) for name in OUTCOMES)
    found = parts.group_by([*scope, "family"], maintain_order=True).agg(pl.len().alias("n"), *counts)
    apart = pl.sum_horizontal("gained", "lost"), pl.sum_horizontal("faster", "slower"), "n", "family"
    return found.sort(*apart, descending=[True, True, True, False])


def _unlike_whole(
    parts: pl.DataFrame, rows: Sequence[Row], scope: Sequence[str], alpha: float
) -> list[Row]:
    """Rows of known families whose verdict is not on the side of the verdict on their whole.

    They are those of ``by`` the family: Holm's correction is over all families.
    """
    of_family = [*scope[:-2], "family", *scope[-2:]]
    none = pl.DataFrame(schema=dict.fromkeys(of_family, pl.String))
    side = {tuple(row[name] for name in scope): _sign_of(row) for row in rows}
    return [
        row
        for row in _rows(parts, none, of_family, alpha, "instances")
        if _sign_of(row) not in {0, side[tuple(row[name] for name in scope)]}
    ]


def _sign_of(row: Row) -> int:
    """1 for a verdict of better, typically or not, -1 for one of worse, else 0."""
    return {"better": 1, "worse": -1}.get(row["verdict"].removeprefix("typically "), 0)


def _families_in_words(
    rows: Sequence[Row], costs: Mapping[tuple[str, ...], str], turned: Collection[tuple[str, ...]]
) -> Iterator[str]:
    for row in rows[:_TOLD]:
        scope = tuple(row[each] for each in _SCOPE)
        said = _sentence(row, [], costs[scope], sign=-1 if scope in turned else 1)
        yield f"In one family, the verdict differs: {said}"
    if (more := len(rows) - _TOLD) > 0:
        yield f"--by family lists {plural(more, 'more family', 'more families')}."


def _costs(lake: OpenLake, rows: Sequence[Row]) -> dict[tuple[str, ...], str]:
    """Scope of a row → what its cost is: of runtimes mean PAR10 [s], if in a unit."""
    timed = _units(lake)
    penalty = {p.protocol: p.penalty for p in lake.protocols}
    found = {}
    for row in rows:
        of = row["scenario_id"], row["measure"]
        par, unit = f"mean PAR{number(penalty[row['protocol']])}", timed.get(of)
        name = with_unit(par, unit) if unit else par if of in timed else Changes.cost
        found[tuple(row[each] for each in _SCOPE)] = name
    return found


def _units(lake: OpenLake) -> dict[tuple[str, str], str | None]:
    """Scenario and measure of runtimes → the unit, where it is known."""
    sql = "select scenario_id, measure, time_unit from raw_scenario"
    rows = lake.rows(f"{sql} where measure_type = 'runtime'")
    return {(scenario, measure): unit for scenario, measure, unit in rows}


def _aligned(frames: list[pl.DataFrame]) -> tuple[list[pl.DataFrame], list[str]]:
    """The runs; where each side has one scenario, all under the name of the last's.

    Also a sentence that says so, if they had different names.
    """
    names = [sorted(set(each["scenario_id"])) for each in frames]
    if any(len(each) != 1 for each in names) or names.count(names[0]) == len(names):
        return frames, []
    of = list_names(dict.fromkeys(name for (name,) in names), quoted=False)
    last = pl.lit(names[-1][0])
    said = [f"aslib-eval pairs the instances of these scenarios by name: {of}."]
    return [each.with_columns(scenario_id=last) for each in frames], said


def _noise(runs: pl.DataFrame, factor: float | None, margin: float | None) -> pl.DataFrame:
    """The largest ``noise_level`` of the sides; factor and margin replace it."""
    found = runs.group_by(_SCOPE, maintain_order=True).agg(pl.col("factor", "margin", "spread").max())
    if factor is not None:
        found = found.with_columns(factor=factor, spread=pl.lit(None, pl.Float64))
    return found if margin is None else found.with_columns(margin=margin)


def _compared(runs: pl.DataFrame, noise: pl.DataFrame) -> pl.DataFrame:
    """``runs_compared`` of these runs, which may be of several lakes."""
    known = lineage()
    sql = known.views["runs_compared"].sql
    con = new_connection()
    con.register("instance_solver", runs)
    con.register("noise_level", noise)
    for macro in known.macros_in([sql]):
        con.execute(macro.statement)
    return answer_of(con, sql)


def _both(
    old: pl.DataFrame, new: pl.DataFrame, compared: pl.DataFrame, scope: Sequence[str]
) -> pl.DataFrame:
    """What both ran, the largest loss of each scenario first."""
    after = pl.col("value_after")

    def own(name: str) -> pl.Expr:
        """A cost as the value that it is of, without a sign of 0."""
        cost = pl.col(name)
        flips = pl.col("maximize") & (cost != 0)
        return pl.when(cost == 0).then(0.0).when(flips).then(-cost).otherwise(cost)

    timed = pl.col("measure_type") == "runtime"
    return (
        old.select(before=pl.col("solver").first())
        .join(new.select(after=pl.col("solver").first()), how="cross")
        .join(compared, on=["before", "after"])
        .join(_once(old, "before"), on=_INSTANCE)
        .join(_once(new, "after").drop("maximize", "ceiling", "family", "of_family"), on=_INSTANCE)
        .with_columns(
            loss=pl.col("cost_after") - pl.col("cost_before"),
            ratio=pl.when(timed).then(after / pl.col("value_before")),
            value_before=own("value_before"),
            value_after=own("value_after"),
            outcome=pl.when(timed).then("outcome").otherwise(pl.col("outcome").replace(_OF_VALUES)),
        )
        .sort(
            *(*scope[:-2], "loss", "ratio", "instance_id"),
            descending=[*[False] * (len(scope) - 2), True, True, False],
            nulls_last=True,
        )
        .select(
            *scope,
            *("instance_id", "outcome", "value_before", "value_after", "ratio"),
            *("status_before", "status_after", "solved_before", "solved_after"),
            *("n_runs", "noise", *_INNER),
        )
    )


def _once(runs: pl.DataFrame, side: str) -> pl.DataFrame:
    """Status and family of each instance, whatever its repetitions are."""
    return runs.group_by(_INSTANCE, maintain_order=True).agg(
        pl.col("status").unique(maintain_order=True).str.join(" ").alias(f"status_{side}"),
        pl.col("maximize", "ceiling", "family", "of_family").first(),
    )


def _rest(old: pl.DataFrame, new: pl.DataFrame, scope: Sequence[str]) -> pl.DataFrame:
    """The runs of which one side lacks the other, and why they do not count."""
    ran = "solver", "cutoff", "solved", "family"
    whose = {
        side: frame.select(
            *_INSTANCE, "repetition", *(pl.col(each).alias(f"{each}_{side}") for each in ran)
        )
        for side, frame in (("before", old), ("after", new))
    }
    joined = whose["before"].join(whose["after"], on=[*_INSTANCE, "repetition"], how="full", coalesce=True)
    before, after = pl.col("solver_before"), pl.col("solver_after")
    unknown = pl.any_horizontal(pl.col("solved_before", "solved_after").is_null())
    return (
        joined.with_columns(
            before=pl.lit(old["solver"][0]),
            after=pl.lit(new["solver"][0]),
            family=pl.coalesce("family_before", "family_after"),
            why=pl.when(after.is_null())
            .then(pl.format("only {} ran the instance", before))
            .when(before.is_null())
            .then(pl.format("only {} ran the instance", after))
            .when(pl.col("cutoff_before").ne_missing(pl.col("cutoff_after")))
            .then(pl.format("cutoff {} and {}", "cutoff_before", "cutoff_after"))
            .when(unknown)
            .then(pl.lit("no cutoff says what is solved")),
        )
        .filter(pl.col("why").is_not_null())
        .sort(*_INSTANCE, "repetition")
        .select(*scope, "instance_id", "repetition", "why")
    )


def _nothing_in_common(
    sides: tuple[Side, Side], old: pl.DataFrame, new: pl.DataFrame, rest: pl.DataFrame
) -> AslibError:
    """Why two sides cannot be compared, and what to type instead."""
    a, b = (side.name for side in sides)
    where = {n: sorted(set(each["scenario_id"])) for n, each in ((a, old), (b, new))}
    if where[a] != where[b]:
        told = "; ".join(
            f"{name} is in {list_names(ids, most=3, quoted=False)}" for name, ids in where.items()
        )
        words = _paired_by_name(sides, old, new)
        pairs = f"To pair instances by name, type {words}."
        hint = f"{told}. {pairs if words else 'No instance has a name of the other.'}"
    else:
        hint = f"No run of one has a partner in the other: {_reasons(rest)}."
        if "cutoff" in hint:
            hint += " Import both with one --cutoff."
    return AslibError("have no instance in common", f"{a} and {b}", hint)


def _paired_by_name(sides: tuple[Side, Side], old: pl.DataFrame, new: pl.DataFrame) -> str:
    """The command that compares the two scenarios with the most names in common.

    Of two lakes each must have one of both scenarios. Empty where there are none.
    """
    names = pl.col("scenario_id", "instance_id").cast(pl.String)
    one, two = (each.select(names, "repetition", "cutoff") for each in (old, new))
    places = [str(side.lake.path) for side in sides]
    shared = one.join(two, on=["instance_id", "repetition", "cutoff"], nulls_equal=True).filter(
        pl.col("scenario_id") != pl.col("scenario_id_right")
    )
    if places[0] != places[1]:
        either = set(one["scenario_id"]) & set(two["scenario_id"])
        shared = shared.filter(~pl.any_horizontal(pl.col("scenario_id", "scenario_id_right").is_in(either)))
    often = shared.group_by("scenario_id", "scenario_id_right").len()
    if not often.height:
        return ""
    by = ["len", "scenario_id", "scenario_id_right"]
    *ids, _ = often.sort(by, descending=[True, False, False]).row(0)
    same = places[0] == places[1]
    at = ids if same else places
    words = [f"{place}:{side.solver}" for place, side in zip(at, sides, strict=True)]
    words += [] if same else ["--scenario", ids[0], "--scenario", ids[1]]
    return shlex.join(["aslib-eval", "diff", *words, "--lake", places[0]])


def _rows(
    found: pl.DataFrame, left: pl.DataFrame, scope: Sequence[str], alpha: float, inside: Inside
) -> list[Row]:
    """A row of the summary for each part, with p corrected over all of them."""
    parts = found.partition_by(scope, as_dict=True, maintain_order=True)
    apart = {key: part.height for key, part in left.partition_by(scope, as_dict=True).items()}
    rows = [
        dict(zip(scope, key, strict=True)) | _counted(part, apart.get(key, 0), inside)
        for key, part in parts.items()
    ]
    tests = [(row, name) for row in rows for name in _TESTS if row[name] is not None]
    adjusted = adjust(np.array([row[name] for row, name in tests]))
    for (row, name), p in zip(tests, adjusted.tolist(), strict=True):
        row[name] = p
    for row in rows:
        signs = [
            np.sign(row.pop(of)) * ((1.0 if row[name] is None else row[name]) <= alpha)
            for name, of in _TESTS.items()
        ]
        low, high = row["change_low"], row["change_high"]
        known = low is not None and high is not None
        row["verdict"] = verdict(
            mean=-(row["change"] or 0),
            interval=float(high < 0) - float(low > 0) if known else 0,
            tests=signs,
        )
    return rows


def _counted(part: pl.DataFrame, apart: int, inside: Inside) -> Row:
    """Counts, scores and tests of the instances of a part, or of their families.

    more, sooner: above 0 if more is solved, or what both solve takes less.
    """
    outcomes = part["outcome"].to_list()
    names, given = part["instance_id"].cast(str), part["of_family"].cast(str)
    of = dict(zip(names, given, strict=True)) if inside == "families" else {}
    codes = codes_of(known_families(names.to_list(), of)) if of else None
    more = sign_test((part["solved_after"] - part["solved_before"]).to_numpy(), clusters=codes)
    there = part["advantage"].is_not_null().to_numpy()
    advantage = part["advantage"].drop_nulls().to_numpy()
    some = None if codes is None else codes[there]
    sooner = signed_rank(advantage, clusters=some) if advantage.size else None
    row = {
        "n": part.height,
        **{name: outcomes.count(name) + outcomes.count(_OF_VALUES.get(name)) for name in OUTCOMES},
        "apart": apart,
        "n_families": None if codes is None else int(codes.max()) + 1,
        **dict.fromkeys(_COSTS),  # unless each instance has them
        "p_solved": more.p if more.wins + more.losses else None,
        "p_time": sooner.p if sooner and sooner.n > sooner.n_zero else None,
        "more": more.wins - more.losses,
        "sooner": sooner.z if sooner else 0.0,
    }
    if not part["loss"].null_count():
        loss = part["loss"].to_numpy()
        most = max(part["ceiling"].to_list(), key=lambda each: each or 0)
        if most is None:
            mean = unbounded_means(loss, rng=np.random.default_rng(1), clusters=codes)
        else:
            mean = bounded_means(loss, least=-most, most=most, clusters=codes)
        both = part["cost_before"].mean(), part["cost_after"].mean()
        ends = (float(e[0]) for e in (mean.estimate, mean.lower, mean.upper))
        known = (*both, *(end if isfinite(end) else None for end in ends))
        row |= dict(zip(_COSTS, known, strict=True))
    return row


def _verdicts(
    rows: Sequence[Row], costs: Mapping[tuple[str, ...], str], turned: Collection[tuple[str, ...]]
) -> list[str]:
    """The verdicts; of many rows those that change, and how many do not.

    turned: the scopes of which more is better, so that costs are negated values.
    """
    told = [row for row in rows if _is_told(row, rows)]
    several = [n for n in ("protocol", "measure") if len({row[n] for row in rows}) > 1]
    scopes = [tuple(row[each] for each in _SCOPE) for row in told]
    said = [
        _sentence(row, several, costs[scope], sign=-1 if scope in turned else 1)
        for row, scope in zip(told, scopes, strict=True)
    ]
    if more := len(rows) - len(told):
        said.append(f"The other {plural(more, 'row')} show no difference.")
    return said


def _is_told(row: Row, rows: Sequence[Row]) -> bool:
    return len(rows) <= _TOLD or row["verdict"] != NO_DIFFERENCE


def told_rows(summary: pl.DataFrame) -> list[Row]:
    """The rows of a summary that have a sentence each, in their order."""
    rows = summary.to_dicts()
    return [row for row in rows if _is_told(row, rows)]


def _grounds(
    rows: Sequence[Row], found: pl.DataFrame, alpha: float, units: Mapping[tuple[str, str], str | None]
) -> list[str]:
    """Sentences on the tests behind p, and on the noise within which two values are level."""
    said = []
    if tests := sum(row[name] is not None for row in rows for name in _TESTS):
        timed = any((row["scenario_id"], row["measure"]) in units for row in rows)
        said.append(
            "The sign test compares the solved instances. Wilcoxon's test compares the "
            f"{'times' if timed else 'values'} of instances that both solve. "
            f"Holm's method corrects p for {plural(tests, 'test')} (alpha = {alpha:g})."
        )
    if any(row["n_families"] is not None for row in rows):
        few = min(row["n_families"] or row["n"] for row in rows)
        text = "Tests and intervals treat families of instances as independent"
        if 2 * 0.5**few > alpha:
            text += f". {few} are too few to show a difference; --inside instances ignores families"
        said.append(f"{text}.")
    where: dict[str, dict[str, None]] = {}
    noisy = (pl.col("noise") > 1) | (pl.col("margin") > 0)
    for row in found.filter(noisy).group_by(_SCOPE, maintain_order=True).max().to_dicts():
        by = " (the noise of repeated runs)" if row["noise"] > row["factor"] else ""
        unit = units.get((row["scenario_id"], row["measure"]))
        margin = f"{row['margin']:g}{f' {unit}' if unit else ''}"
        level = f"a factor of {significant(row['noise'], 3)}{by} or by at most {margin}"
        where.setdefault(level, {})[row["scenario_id"]] = None
    for level, names in where.items():
        some = list_names(names, most=_TOLD, quoted=False)
        said.append(f"In {some}, two values count as equal (level) if they differ by at most {level}.")
    return said


def _sentence(row: Row, several: Sequence[str], cost: str, *, sign: int) -> str:
    """One verdict with its counts, p and scores; protocol and measure if of several.

    cost: its name. sign: -1 where the scores are the costs negated, else 1.
    """
    which = [name for name in (*several, "family") if name in row]
    of = "".join(f", {str(row[name]).partition('@')[0]}" for name in which)
    p_solved, p_time = ("" if row[name] is None else f" ({p_words(row[name])})" for name in _TESTS)
    words = list(_OF_VALUES)
    if cost == Changes.cost:
        cost, words = f"mean {row['measure']}", list(_OF_VALUES.values())
    new, both = row["after"], row["faster"] + row["slower"] + row["level"]
    won = f"{new} gains {plural(row['gained'], 'solved instance')} and loses {row['lost']}{p_solved}"
    text = (
        f"{row['scenario_id']}{of} ({_size(row)}): {_said(row)}. "
        f"{won if row['gained'] or row['lost'] else 'Both solve the same instances'}."
    )
    if both:
        text += f" Of the {plural(both, 'instance')} that both solve, {new} is {words[0]} on"
        text += f" {row['faster']}, {words[1]} on {row['slower']} and equal on {row['level']}{p_time}."
    if row["change"] is None:
        return text
    before, after, change, *ends = (
        None if row[name] is None else significant(row[name] * sign + 0.0) for name in _COSTS
    )
    low, high = ends[::sign]
    interval = f" (95 % interval {low} to {high})" if low and high else ""
    return f"{text} The {cost} changes by {change}{interval}, from {before} to {after}."


def _size(row: Row) -> str:
    """Number of instances, and of families where these are independent."""
    n, families = plural(row["n"], "instance"), row["n_families"]
    return n if families is None else f"{n} of {plural(families, 'family', 'families')}"


def _said(row: Row) -> str:
    """The verdict in a sentence; of the typical instance alone it says so."""
    word, names = row["verdict"], f"than {row['before']}"
    if word in _SAID:
        return _SAID[word].format(**row)
    if word in {"better", "worse"}:
        return f"{row['after']} is {word} {names}"
    if row["change_low"] is None:
        return f"{row['after']} is {word} {names} on single instances"
    return f"{row['after']} is {word} {names}, but the interval of the mean change contains 0"


def _reasons(left: pl.DataFrame) -> str:
    """How many runs do not count, and why."""
    often = left["why"].value_counts().sort("count", "why", descending=[True, False])
    some = list_names([f"{why}: {n}" for why, n in often.rows()], most=_TOLD, quoted=False)
    return f"{plural(left.height, 'run')} ({some})"
