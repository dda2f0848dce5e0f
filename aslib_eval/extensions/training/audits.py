"""How much of a selector's gap rests on siblings of test instances: ``audit``."""

from __future__ import annotations

import glob
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.analysis.runs import families_of, pivot
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.executors import computed
from aslib_eval.extensions.training.models import (
    SELECTORS,
    Mask,
    Numbers,
    OwnSelector,
    require_known,
    require_usable,
)
from aslib_eval.extensions.training.training import (
    Answered,
    Learner,
    SelectionProblem,
    SelectorError,
    Split,
    for_training,
    predict_split,
    read_problem,
    read_splits,
    require_cutoff,
    selection_table,
)
from aslib_eval.formats.attributes import read_families
from aslib_eval.lake import transaction, versions
from aslib_eval.selections import store_folds, store_selection
from aslib_eval.statistics.means import bootstrap, gap_interval, headroom_intervals, interval
from aslib_eval.text import plural

_OWN, _TOGETHER, _LEFT_OUT = "folds", "families together", "family left out"
_BACKWARDS, _RENAMED = "folds backwards", "algorithms renamed"
_FOLDS = 10  # of families kept together
_FEW = 3  # families; fewer have no interval that covers what it says
_NUMBERS = (*("closed_gap", "gap_low", "gap_high", "change", "change_low", "change_high"), "survives")
_LIKE_VBS = 0.95  # a closed gap that a selector hardly has by what it was taught
_LOOK = "check that it reads only the runs that it was given"
_BASIC = 2  # families, the least that can be left out in turn


@dataclass(frozen=True)
class AuditRule:
    """What is audited, and how exactly its gaps are told.

    selector: a name of SELECTORS, or of what ``learner`` is. scheme: the splits that it is trained on by
    itself. groups: a CSV file of families, else an attribute or the names of instances say them.
    """

    selector: str
    scheme: str = "aslib"
    seed: int = 1
    groups: Path | None = None
    attribute: str | None = None
    draws: int = 2000
    level: float = 0.95
    learner: OwnSelector | None = None


@dataclass(frozen=True, eq=False)
class _Audit:
    """What is audited of a scenario, which is alone in a lake that trials change.

    families: of each instance with runs; tested: those that are. costs: (n_instances, n_steps) of the
    features; None if nobody knows them. others: the scenarios that may be learned from.
    """

    lake: Path
    rule: AuditRule
    protocol: Protocol
    problem: SelectionProblem
    families: dict[str, str]
    tested: frozenset[str]
    costs: Numbers | None
    others: Sequence[SelectionProblem]


class _Trial(NamedTuple):
    """A way to train; a trial without splits cannot be made, for a reason.

    named: the algorithm that each one's runs are of, where algorithms are renamed.
    """

    name: str
    scheme: str
    problem: SelectionProblem | None
    splits: Sequence[Split]
    reason: str | None = None
    named: Mapping[str, str] = {}


# Splits that one process trains on, one after the other, by a selector with a seed.
_Unit = tuple[_Trial, Sequence[Split], Learner, int]


def audit(
    lake: Path,
    rule: AuditRule,
    *,
    scenarios: Sequence[str] = (),
    protocol: str | Protocol = "default",
    executor: Executor | None = None,
    ahead: int = 1,
    note: Callable[[str], None],
) -> pl.DataFrame:
    """Train a selector in ways that part what it knows, and hold the gaps side by side.

    One row per scenario and trial:

    * ``folds``: the splits of the scheme, as ``train`` does;
    * ``families together``: ten folds of whole families;
    * ``family left out``: each family is tested by what the others taught;
    * ``folds backwards``: as folds, but the last one first, all in one process;
    * ``algorithms renamed``: as folds, but each algorithm has the runs of the next;
    * ``features permuted``: as folds, but each instance has the features of another;
    * ``family's name``: as folds, but the family is all that is known, for free;
    * ``feature costs``: as folds, but what computing the features took is all;
    * ``trained on NAME``: all of another scenario that has the same algorithms.

    Columns: n (instances), n_families, closed_gap (to SBS over all instances, the same for all trials; so
    it may differ from ``gap``, whose SBS each split chooses), its interval gap_low to gap_high, change from
    ``folds`` with its interval, survives (the share of the gap of ``folds`` that is left) and reason, why
    something is null or less sure; also what an honest selector does not do: answers that depend on the
    order of the folds or on the names of algorithms, and a gap that grows where siblings are kept out.
    Intervals draw whole families with replacement, SBS and
    VBS anew, for all trials the same ones; a selector is not trained anew.

    Edge cases: nothing survives of a gap that is not above 0 (null); one or two families have no intervals,
    and one no trials that keep it out.

    Source: after Petelin and Cenikj 2025 (arXiv 2505.07750) and Cenikj et al. 2026 (arXiv 2606.02016);
    intervals as ``bootstrap_intervals``, Efron and Tibshirani 1993, chapter 8.
    """
    if rule.learner is None:
        require_known([rule.selector], where="audit")
        require_usable([rule.selector], where="audit")
    learner = rule.learner or SELECTORS[rule.selector]
    resolved = for_training(protocol)
    given = None if rule.groups is None else read_families(rule.groups)
    rows: list[dict[str, Any]] = []
    with open_lake(lake, protocols=[resolved], scenarios=scenarios) as opened:
        problems: dict[str, SelectionProblem] = {}
        for scenario in opened.scenarios:
            try:
                problem = read_problem(opened, scenario)
                require_cutoff(problem, {rule.selector: learner})
                problems[scenario] = problem
            except AslibError as error:
                note(f"left out: {error}")
        for scenario, problem in problems.items():
            try:
                parts = opened.rows("audit_instances", {"scenario": scenario})
                instances = [instance for instance, _ in parts]
                names = families_of(opened, scenario, instances, given=given, attribute=rule.attribute)
                tested = frozenset(instance for instance, is_tested in parts if is_tested)
                costs = _feature_costs(opened, problem)
                others = [one for name, one in problems.items() if name != scenario]
                with tempfile.TemporaryDirectory() as folder:
                    work = Path(folder) / "lake"
                    _copy(Path(lake), scenario, work)
                    families = dict(zip(instances, names, strict=True))
                    own = _Audit(work, rule, resolved, problem, families, tested, costs, others)
                    rows += _audited(own, executor, ahead)
            except AslibError as error:
                note(f"left out: {error}")
    if not rows:
        raise AslibError("no scenario can be audited", str(lake))
    numbers = dict.fromkeys(_NUMBERS, pl.Float64)
    return pl.DataFrame(rows, schema_overrides={**numbers, "reason": pl.String})


def _copy(lake: Path, scenario: str, to: Path) -> None:
    with versions.leased(lake, scenario) as version:
        if version is None:
            raise AslibError("is no longer there", scenario)
        known = version.manifest()
        tables = {name: version.table(name) for name in known["relations"]}
        facts = {k: v for k, v in known.items() if k not in {"relations", "sha256"}}
        transaction.replace(to, scenario, tables, facts)


def _feature_costs(lake: OpenLake, problem: SelectionProblem) -> Numbers | None:
    frame = lake.ask("audit_feature_costs", {"scenario": problem.scenario_id})
    if not frame.height:
        return None
    wide = pivot(frame, rows=("instance_id",), columns=("step",))
    found = np.full((len(problem.instances), wide.columns.height), np.nan)
    at = {name: row for row, name in enumerate(wide.rows["instance_id"])}
    table = wide.table("cost")
    for row, name in enumerate(problem.instances):
        if name in at:
            found[row] = table[at[name]]
    return found


def _audited(own: _Audit, executor: Executor | None, ahead: int) -> list[dict[str, Any]]:
    rule, problem = own.rule, own.problem
    trials = list(_trials(own, _family_schemes(own)))
    made = [trial for trial in trials if trial.problem is not None]
    units = [
        (trial, splits, rule.learner or rule.selector, rule.seed)
        for trial in made
        for splits in ([trial.splits] if trial.name == _BACKWARDS else [[split] for split in trial.splits])
    ]
    answered: dict[str, dict[tuple[int, int], Answered]] = {}
    failed: dict[str, SelectorError] = {}
    for (trial, splits, *_), answers in computed(executor, _answers, units, ahead=ahead):
        if isinstance(answers, SelectorError):
            failed.setdefault(trial.name, answers)
            continue
        for split, one in zip(splits, answers, strict=True):
            place = split.cv_repetition, split.fold
            answered.setdefault(trial.name, {})[place] = one
    if _OWN in failed:
        raise failed[_OWN]
    for at, trial in enumerate(trials):
        if trial.name in failed:
            why = failed[trial.name].message
            why += f"; nothing else is new here: {_LOOK}" * (trial.name == _RENAMED)
            trials[at] = trial._replace(problem=None, reason=why)
        elif trial.problem is not None:
            table = selection_table(trial.scheme, answered[trial.name])
            store_selection(own.lake, problem.scenario_id, _stored(trial), selection=table)
    changed = [
        instance
        for place, one in answered[_OWN].items()
        for instance, steps in one.items()
        if answered.get(_BACKWARDS, {}).get(place, one)[instance] != steps
    ]
    return _compared(own, trials, len(changed))


def _stored(trial: _Trial) -> str:
    return f"audit: {trial.name}"


def _answers(unit: _Unit) -> list[Answered] | SelectorError:
    trial, splits, learner, seed = unit
    assert trial.problem is not None  # noqa: S101 - only such are handed over
    try:
        answered = [predict_split(trial.problem, split, selector=learner, seed=seed) for split in splits]
    except SelectorError as error:
        return error
    return [
        {
            instance: [(a, trial.named.get(name, name), b) for a, name, b in steps]
            for instance, steps in one.items()
        }
        for one in answered
    ]


def _family_schemes(own: _Audit) -> dict[str, str]:
    """Store splits that keep families whole: trial → scheme."""
    tested = [instance for instance in own.families if instance in own.tested]
    taught = [instance for instance in own.families if instance not in own.tested]
    names = [own.families[instance] for instance in tested]
    codes = np.unique(names, return_inverse=True)[1]
    n = len(set(names))
    folds = {_TOGETHER: min(_FOLDS, n), _LEFT_OUT: n} if n >= _BASIC else {}
    for trial, number in folds.items():
        split = _whole(codes, number, np.random.default_rng(own.rule.seed))
        table = pa.table(
            {
                "cv_repetition": pa.array([1] * len(own.families), pa.int32()),
                "fold": pa.array([*split.tolist(), *(None for _ in taught)], pa.int32()),
                "instance_id": pa.array([*tested, *taught]),
            }
        )
        store_folds(own.lake, own.problem.scenario_id, trial.replace(" ", "-"), table)
    return {trial: trial.replace(" ", "-") for trial in folds}


def _whole(codes: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Folds from 1 of whole families: the largest next, to the smallest fold."""
    sizes = np.bincount(codes)
    drawn = rng.permutation(len(sizes))
    fold_of, held = np.zeros(len(sizes), np.intp), np.zeros(folds, np.intp)
    for family in drawn[np.argsort(-sizes[drawn], kind="stable")]:
        fold_of[family] = held.argmin()
        held[fold_of[family]] += sizes[family]
    return fold_of[codes] + 1


def _trials(audited: _Audit, schemes: dict[str, str]) -> Iterator[_Trial]:
    rule, problem, costs = audited.rule, audited.problem, audited.costs
    names = [audited.families[instance] for instance in problem.instances]
    codes = np.unique(names, return_inverse=True)[1]
    with open_lake(audited.lake, protocols=[audited.protocol]) as opened:
        own = read_splits(opened, problem, rule.scheme)
        yield _Trial(_OWN, rule.scheme, problem, own)
        for name in (_TOGETHER, _LEFT_OUT):
            if name in schemes:
                scheme = schemes[name]
                splits = [_without_siblings(split, codes) for split in read_splits(opened, problem, scheme)]
                if all(len(split.train) for split in splits):
                    yield _Trial(name, scheme, problem, splits)
                else:
                    yield _Trial(name, rule.scheme, None, (), "no other family has instances to train on")
            else:
                yield _Trial(name, rule.scheme, None, (), "all instances are of one family")
    yield _Trial(_BACKWARDS, rule.scheme, problem, own[::-1])
    names_ = problem.algorithms
    named = dict(zip(names_, (*names_[1:], names_[0]), strict=True))
    moved = {of: np.roll(getattr(problem, of), -1, axis=1) for of in ("costs", "times", "solved")}
    yield _Trial(_RENAMED, rule.scheme, replace(problem, **moved), own, named=named)
    order = np.random.default_rng(rule.seed).permutation(len(problem.features))
    permuted = replace(problem, features=problem.features[order], provided=problem.provided[order])
    yield _Trial("features permuted", rule.scheme, permuted, own)
    families = np.eye(int(codes.max()) + 1)[codes]
    free: Mask = np.zeros((len(families), 0), bool)
    only = replace(problem, features=families, steps=(), provided=free)
    yield _Trial("family's name", rule.scheme, only, own)
    if costs is None:
        yield _Trial("feature costs", rule.scheme, None, (), "the scenario lacks the costs of its features")
    else:
        yield _Trial("feature costs", rule.scheme, replace(problem, features=costs), own)
    for other in audited.others:
        if set(problem.algorithms) <= set(other.algorithms):
            yield _transfer(problem, other, rule.scheme, own)


def _without_siblings(split: Split, codes: NDArray[np.intp]) -> Split:
    """Leave families that are tested out of training: also instances without a fold.

    codes: (n_instances,) of the families.
    """
    return replace(split, train=split.train[~np.isin(codes[split.train], codes[split.test])])


def _transfer(
    problem: SelectionProblem, other: SelectionProblem, scheme: str, splits: Sequence[Split]
) -> _Trial:
    name = f"trained on {other.scenario_id}"
    shared = [column for column in problem.columns if column in other.columns]
    if not shared:
        return _Trial(name, scheme, None, (), "they have no feature in common")
    here = [problem.columns.index(column) for column in shared]
    there = [other.columns.index(column) for column in shared]
    as_here = [other.algorithms.index(name) for name in problem.algorithms]
    n = len(other.instances)
    both = replace(
        problem,
        instances=(*(f"{other.scenario_id}/{i}" for i in other.instances),
                   *problem.instances),
        costs=np.vstack([other.costs[:, as_here], problem.costs]),
        times=np.vstack([other.times[:, as_here], problem.times]),
        solved=np.vstack([other.solved[:, as_here], problem.solved]),
        features=np.vstack([other.features[:, there], problem.features[:, here]]),
        provided=np.vstack(
            [np.ones((n, len(problem.steps)), bool), problem.provided]
        ),
    )  # fmt: skip
    taught = np.flatnonzero(~np.isnan(other.costs[:, as_here]).all(axis=1))
    moved = [replace(split, train=taught, test=split.test + n) for split in splits]
    return _Trial(name, scheme, both, moved)


def _compared(audited: _Audit, trials: Sequence[_Trial], n_changed: int) -> list[dict[str, Any]]:
    """Gaps of all trials over the same draws of families.

    n_changed: answers that are others where the folds are trained on backwards.
    """
    rule, problem = audited.rule, audited.problem
    scenario = glob.escape(problem.scenario_id)
    with open_lake(audited.lake, protocols=[audited.protocol], scenarios=[scenario]) as opened:
        frame = opened.ask("bootstrap_runs")
    wide = pivot(frame, rows=("instance_id", "repetition"), columns=("kind", "solver"))
    kinds = wide.columns["kind"].to_numpy().astype(str)
    names = wide.columns["solver"].to_list()
    instances = wide.rows["instance_id"].to_list()
    codes = np.unique([audited.families[instance] for instance in instances], return_inverse=True)[1]
    n_families = int(codes.max()) + 1
    drawn = bootstrap(
        wide.table("cost"), wide.of_rows("vbs_cost"), kinds == "algorithm",
        draws=rule.draws, rng=np.random.default_rng(rule.seed),
        criterion=wide.table("criterion"), groups=codes,
    )  # fmt: skip
    low, high = gap_interval(drawn.group_loss, drawn.closed_gap[1:], drawn.sbs, level=rule.level)
    own = names.index(_stored(trials[0]))
    first = float(drawn.closed_gap[0, own])
    rows = []
    for trial in trials:
        row: dict[str, Any] = {
            "protocol": frame["protocol"][0], "scenario_id": problem.scenario_id,
            "measure": frame["measure"][0], "selector": rule.selector,
            "trial": trial.name, "n": len(set(instances)), "n_families": n_families,
        }  # fmt: skip
        numbers: dict[str, float | None] = dict.fromkeys(_NUMBERS)
        reasons = [trial.reason] if trial.reason else []
        if trial.problem is not None:
            at = names.index(_stored(trial))
            gap = float(drawn.closed_gap[0, at])
            change = drawn.closed_gap[:, at] - drawn.closed_gap[:, own]
            saved = drawn.group_loss[:, own] - drawn.group_loss[:, at]
            ends = change_interval(saved, drawn.group_loss, change[1:], drawn.sbs, level=rule.level)
            found = (gap, low[at], high[at], change[0], *ends, np.nan)
            if n_families < _FEW:
                found = (gap, np.nan, np.nan, change[0], np.nan, np.nan, np.nan)
            numbers = {
                name: float(x) if np.isfinite(x) else None for name, x in zip(numbers, found, strict=True)
            }
            if first > 0 and np.isfinite(gap):
                numbers["survives"] = gap / first
            else:
                reasons.append("the column survives needs a positive closed gap")
            if n_families < _FEW:
                few = "one family has" if n_families == 1 else "two families have"
                reasons.append(f"{few} no interval")
            elif not np.isfinite(found[:-1]).all():
                reasons.append("an interval is unbounded because SBS may be as good as VBS")
            reasons += _dishonest(trial.name, first, found, n_changed)
        rows.append(row | numbers | {"reason": "; ".join(reasons) or None})
    return rows


def _dishonest(trial: str, first: float, found: Sequence[float], n_changed: int) -> list[str]:
    """Say what a selector that is given nothing but a training part would not do.

    first: the gap of ``folds``; found: numbers of the trial, as in ``_NUMBERS``. Training anew moves a gap,
    too, so that only one that is lost wholly is named.
    """
    gap, low, high = found[0], found[4], found[5]
    if trial == _BACKWARDS and n_changed:
        answers = plural(n_changed, "answer")
        return [f"{answers} changed with the order of the folds: the selector remembers other folds"]
    if trial == _RENAMED and gap <= 0 < first and high < 0:
        return [f"its gap depends on the names of algorithms: {_LOOK}"]
    if trial in {_TOGETHER, _LEFT_OUT} and low > 0:
        return [f"its gap grew: {_LOOK}"]
    if trial in {_TOGETHER, _LEFT_OUT} and gap > _LIKE_VBS:
        return [f"it is as good as VBS on families that it never saw: {_LOOK}"]
    return []


def change_interval(
    saved: Numbers, loss: Numbers, drawn_changes: Numbers, sbs: NDArray[np.int64], *, level: float
) -> tuple[float, float]:
    """Interval of the change from one solver's closed gap to another's.

    saved: (n,) what the second costs less; drawn_changes: (draws,); the rest, and what the interval
    contains, as of ``gap_interval``, over the same denominators. Percentiles alone hold the change in .60
    to .90 where .95 is promised.

    Source: as ``gap_interval``; coverage measured in docs/statistics/.
    """
    least, most = headroom_intervals(saved[:, None], loss, sbs, level=level)
    low, high = interval(drawn_changes, level=level)
    return float(np.fmin(low, least[0])), float(np.fmax(high, most[0]))
