"""Random cross-validations of scenarios, and pairs in random draws: ``resample``.

Random cross-validation folds, of strata and of groups that stay together.

All of it is a function of its arguments: the same generator state gives the same folds. Only uniform
doubles are drawn, the part of numpy's generators that is least likely to change between versions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.analysis import runs
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.attributes import Families, read_families
from aslib_eval.selections import store_folds
from aslib_eval.statistics.distributions import Floats
from aslib_eval.text import plural

Codes = NDArray[np.int64]


def repeated_folds(
    strata: Codes, groups: Codes, *, repeats: int, folds: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """``repeats`` independent random splits into ``folds`` folds.

    strata, groups: (n,) codes; equal strata are spread evenly over the folds, equal groups stay in one
    fold. A group of mixed strata counts for its most frequent one (the smallest code if two are).
    Returns (repeats, n) the fold of each instance, 1 to ``folds``, none empty. With groups of one instance
    the folds of a stratum, and the folds, differ by at most
    one instance; a larger group makes its fold larger, also beyond n / folds.
    """
    n, n_groups = len(groups), len(np.unique(groups))
    if repeats < 1:
        raise AslibError(f"{repeats} repeats are not at least one", "repeats")
    if folds < 2:  # noqa: PLR2004
        hint = "The other folds are what is trained on: ask for two or more."
        raise AslibError(f"{folds} is not a number of folds", "folds", hint)
    if folds > n_groups:
        what = plural(n, "instance")
        if n_groups < n:
            what += f" in {plural(n_groups, 'group that stays', 'groups that stay')} together"
        hint = f"Ask for at most {n_groups} folds." if n_groups > 1 else ""
        raise AslibError(f"{what} cannot fill {folds} folds", "folds", hint)
    return np.stack([_split(strata, groups, folds, rng) for _ in range(repeats)])


def _split(strata: Codes, groups: Codes, folds: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """One split: large groups first, each into the fold with least of its stratum.

    An empty fold has least of everything, so that none stays empty.
    """
    members = np.unique(groups, return_inverse=True)[1]
    size = np.bincount(members)
    table = np.zeros((len(size), int(strata.max()) + 1), np.int64)
    np.add.at(table, (members, strata), 1)
    kind = table.argmax(axis=1)
    order = np.lexsort((rng.random(len(size)), kind, -size))
    tie_break = np.argsort(rng.random(folds))
    total = [0] * folds
    in_kind = [[0] * folds for _ in table.T]
    fold_of = np.zeros(len(size), np.int32)
    for group in order.tolist():
        counts = in_kind[kind[group]]
        fold = min(range(folds), key=lambda f: (counts[f], total[f], tie_break[f]))
        counts[fold] += int(size[group])
        total[fold] += int(size[group])
        fold_of[group] = fold + 1
    return fold_of[members]


def hardness(n_solving: NDArray[np.float64], vbs_cost: NDArray[np.float64], *, levels: int = 5) -> Codes:
    """Level of hardness of each instance: 0 = easiest; ``levels`` = unsolved.

    n_solving: (n,) number of algorithms that solve it (constant for quality measures); vbs_cost: (n,) cost
    of VBS, which orders instances that equally many solve. Instances equal in both share a level, so levels
    may be of unequal size or empty. Those that no algorithm solves are level ``levels``.
    """
    solved = n_solving > 0
    found = np.full(len(n_solving), levels, np.int64)
    easiest_first = np.stack([-n_solving[solved], vbs_cost[solved]], axis=1)
    if solved.any():
        _, place, count = np.unique(easiest_first, axis=0, return_inverse=True, return_counts=True)
        before = np.cumsum(count) - count
        found[solved] = (before * levels // solved.sum())[place.ravel()]
    return found


def identical(features: NDArray[np.float64]) -> Codes:
    """One code for each distinct row; features: (n, n_features), missing = missing.

    Instances without any value get a code each: two instances about which nothing is recorded need not be
    the same.
    """
    missing = np.isnan(features)
    rows = np.concatenate([np.where(missing, 0.0, features), missing], axis=1)
    codes: Codes = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    unknown = missing.all(axis=1)
    codes[unknown] = codes.max(initial=0) + 1 + np.arange(unknown.sum())
    return codes


def over_splits(lake: OpenLake, cv_scheme: str, *, show: str = "gaps") -> pl.DataFrame:
    """Results over the splits of a scheme, for each protocol, scenario and measure.

    ``show``: ``gaps`` the distribution of every solver's closed gap; ``sbs`` how
    often each algorithm is the single best; ``pairs`` how often a split prefers one solver to another of
    its kind; ``winners`` how often it changes the winner.
    """
    found = [name for (name,) in lake.rows("select distinct cv_scheme from raw_fold order by cv_scheme")]
    if cv_scheme not in found:
        hint = f"Available: {', '.join(found)}." if found else "Make one first."
        raise AslibError("no scenario has this scheme", cv_scheme, hint)
    return lake.ask(f"resample_{show}", {"scheme": cv_scheme})


_GIVEN = {"aslib", "split", "none"}
Splits = NDArray[np.int32]


@dataclass(frozen=True)
class Scheme:
    """A stored cross-validation; smallest and largest count instances of a fold."""

    scenario_id: str
    cv_scheme: str
    n_instances: int
    n_strata: int
    n_groups: int
    smallest: int
    largest: int

    def sentence(self) -> str:
        """What is stored, in words."""
        size = f"{self.smallest} to {plural(self.largest, 'instance')}"
        if self.smallest == self.largest:
            size = plural(self.smallest, "instance")
        text = f"{self.scenario_id}: stored the scheme {self.cv_scheme}. Its folds have {size}"
        if self.n_groups < self.n_instances:
            text += f". It keeps {self.n_groups} groups together"
        if self.n_strata > 1:
            text += f". It spreads {self.n_strata} strata over the folds"
        return text


def make_schemes(  # noqa: PLR0913 - one for each choice
    lake: Path,
    *,
    scenarios: Sequence[str] = (),
    repeats: int,
    folds: int,
    seed: int = 1,
    by: str = "plain",
    groups: Path | None = None,
    attribute: str | None = None,
    together: bool = False,
    name: str | None = None,
) -> tuple[list[Scheme], list[AslibError]]:
    """Store a random cross-validation of each scenario; the same seed, the same folds.

    ``by``: ``plain`` splits are uniform; with ``family`` each fold has its share of each family, given by
    the CSV file ``groups`` (instance_id, family), or by the values of an ``attribute`` (instances without
    one are a family), else by the attribute ``family`` if the scenario has it, else by the instance's name;
    with ``hardness`` its share of easy and hard instances; with ``features`` instances of identical feature
    values stay together. ``together``: a family is never parted, so that none is trained on and tested;
    with as many folds as families each is left out in turn. ``name`` is the cv_scheme, by default such as
    ``random-10x10-s1``; one of that name is replaced.
    Returns the stored schemes, and an error for each scenario left out: fewer instances or groups than
    folds, no feature values.
    """
    prefix = "families" if together else "random" if by == "plain" else by
    scheme = name or f"{prefix}-{repeats}x{folds}-s{seed}"
    if scheme in _GIVEN:
        raise AslibError("is the name of a scheme of the format", scheme, "Choose another --name.")
    opened = open_lake(lake, scenarios=scenarios)
    instances = _instances(opened, tested=True)
    trained = _instances(opened, tested=False)
    given = None if groups is None else _given(groups, instances)
    made, refused = [], []
    for scenario, ids in instances.items():
        try:
            strata, whole = _strata_and_groups(
                opened, scenario, ids, by=by, given=given, attribute=attribute
            )
            if together:  # what was spread evenly is kept in one fold
                strata, whole = np.zeros_like(strata), strata
            rng = np.random.default_rng(seed)
            split = repeated_folds(strata, whole, repeats=repeats, folds=folds, rng=rng)
        except AslibError as error:
            refused.append(AslibError(error.message, scenario, error.hint))
            continue
        sizes = [np.bincount(row)[1:] for row in split]  # no fold is empty
        summary = Scheme(
            scenario,
            scheme,
            n_instances=len(strata),
            n_strata=len(np.unique(strata)),
            n_groups=len(np.unique(whole)),
            smallest=int(np.min(sizes)),
            largest=int(np.max(sizes)),
        )
        made.append((summary, _table(ids, split, trained.get(scenario, []))))
    opened.close()
    if refused and not made:
        raise refused[0]
    for summary, table in made:
        how = {"by": by, "repeats": repeats, "folds": folds, "seed": seed}
        how |= {} if attribute is None else {"attribute": attribute}
        how |= {"together": True} if together else {}
        store_folds(lake, summary.scenario_id, scheme, table, facts=how)
    return [summary for summary, _ in made], refused


def _table(instances: Sequence[str], split: Splits, trained: Sequence[str]) -> pa.Table:
    rows = [
        {"cv_repetition": repetition, "fold": fold, "instance_id": instance}
        for repetition, folds in enumerate(split.tolist(), start=1)
        for instance, fold in [
            *zip(instances, folds, strict=True),
            *((instance, None) for instance in trained),
        ]
    ]
    types = {"cv_repetition": pa.int32(), "fold": pa.int32(), "instance_id": pa.string()}
    return pa.Table.from_pylist(rows, pa.schema(types))


def _instances(lake: OpenLake, *, tested: bool) -> dict[str, list[str]]:
    """Instances of each scenario by name; of a fixed split, one of its two parts."""
    rows = lake.rows("instances_to_split", {"tested": tested})
    found: dict[str, list[str]] = {}
    for scenario, instance in rows:
        found.setdefault(scenario, []).append(instance)
    return found


def _given(path: Path, instances: Mapping[str, Sequence[str]]) -> Families:
    """The families of a file, which must name exactly the instances of the lake."""
    given = read_families(path)
    present = {instance for ids in instances.values() for instance in ids}
    unknown = [i for i in given.of if i not in present]
    problems = [given.finding(i, f"no scenario has an instance {i}") for i in unknown]
    for scenario, ids in instances.items():
        absent = [i for i in ids if i not in given.of]
        problems += [given.finding(i, f"{i} of {scenario} is missing") for i in absent]
    if problems:
        raise ScenarioError(str(path), problems)
    return given


def _strata_and_groups(
    lake: OpenLake,
    scenario: str,
    instances: Sequence[str],
    *,
    by: str,
    given: Families | None,
    attribute: str | None,
) -> tuple[Codes, Codes]:
    """Codes of the strata, spread evenly over folds, and of groups kept together."""
    each = np.arange(len(instances))
    same = np.zeros(len(instances), np.int64)
    if by == "plain":
        return same, each
    if by == "features":
        matrix = runs.feature_matrix(lake, scenario, instances)
        if not matrix.columns:
            raise AslibError(
                "has no feature values", scenario, "Choose another --by, or leave out the scenario."
            )
        return same, identical(matrix.values)
    if by == "hardness":  # under protocol default, by the algorithms that solve it and by the cost of VBS
        found = lake.ask("hardness", {"scenario": scenario})
        return hardness(found["n_solving"].to_numpy(), found["cost"].to_numpy()), each
    names = runs.families_of(lake, scenario, instances, given=given, attribute=attribute)
    return np.unique(names, return_inverse=True)[1], each


def bootstrap_pairs(
    lake: OpenLake, *, draws: int = runs.DRAWS, seed: int = 1, executor: Executor | None = None
) -> pl.DataFrame:
    """Share of the draws in which a solver costs less than another of its kind.

    The draws are those of :func:`bootstrap_intervals`; equal costs count half.
    """
    runs.require_draws(draws, 0.5)
    rows = runs.rows_drawn(lake, partial(_pairs_of, draws=draws, seed=seed), executor)
    schema: dict[str, Any] = dict.fromkeys((*runs.LABELS, "opponent"), pl.String)
    schema |= {"n_draws": pl.Int64, "beats": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _pairs_of(table: runs.ScenarioCosts, *, draws: int, seed: int) -> list[tuple[runs.Cell, ...]]:
    drawn = table.drawn(draws, seed)
    rows: list[tuple[runs.Cell, ...]] = []
    if drawn is None:
        return rows
    for kind in np.unique(table.kinds)[::-1]:
        of_kind = table.kinds == kind
        names = table.solvers[of_kind].tolist()
        beats = share_better(drawn.loss[1:, of_kind])
        rows += [
            (*table.labels, str(kind), a, b, draws, runs.or_none(float(beats[i, j])))
            for i, a in enumerate(names)
            for j, b in enumerate(names)
            if i != j
        ]
    return rows


def share_better(costs: Floats) -> Floats:
    """(n_solvers, n_solvers) share of the draws in which row costs less than column.

    costs: (draws, n_solvers). Draws in which both cost the same count half; nan where one has no cost.
    """
    found = np.stack(
        [((own[:, None] < costs) + 0.5 * (own[:, None] == costs)).mean(axis=0) for own in costs.T]
    )
    nothing = np.isnan(costs).any(axis=0)
    found[nothing, :] = found[:, nothing] = np.nan
    return found
