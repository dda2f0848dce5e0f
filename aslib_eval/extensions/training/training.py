"""A scenario as selectors see it; selectors are trained on every split of it, in parallel, and stored.

A run that is stopped continues where it was. Stored schedules are written as files of the OASC.
"""

from __future__ import annotations

import dataclasses
import errno
import glob
import hashlib
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval._version import __version__
from aslib_eval.analysis import RELATIONS as ANALYSED
from aslib_eval.analysis.runs import feature_matrix, pivot
from aslib_eval.analysis.summaries import same_choices
from aslib_eval.atomic_files import replace_files
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.executors import computed, processes
from aslib_eval.extensions.training.models import (
    SELECTORS,
    Lesson,
    Mask,
    NoChoiceError,
    Numbers,
    OwnSelector,
    SpentTime,
    prepare,
    require_known,
    require_usable,
    timed,
)
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS, partition
from aslib_eval.paths import Folder
from aslib_eval.progress import Advance, progress_bar
from aslib_eval.provenance import code
from aslib_eval.selections import store_selection
from aslib_eval.selections.read_csv import home_scheme
from aslib_eval.selections.store import recorded_selections, times_as_facts
from aslib_eval.text import one_of

# What selectors learn to lower → the column of ``anytime_cost``, None for the cost.
TARGETS: Mapping[str, str | None] = {"cost": None, "gap": "gap", "area": "loss"}


@dataclass(frozen=True)
class SelectionProblem:
    """What there is to learn from, over all instances by name.

    costs, times, solved: (n_instances, n_algorithms), algorithms by name; nan = no such run, or one without
    a cost; times are the cutoff where unsolved and all nan for quality measures; features: (n_instances,
    n_columns), nan = missing; steps: the feature steps that yield them, in the order of their run;
    provided: (n_instances, n_steps), whether the instance has a feature that needs the step; cutoff is null
    for quality measures; at_cutoff: as of the protocol.

    Nothing in a row depends on another row: missing values are imputed from
    the training part of each split (``models.prepare``).
    """

    scenario_id: str
    instances: tuple[str, ...]
    algorithms: tuple[str, ...]
    costs: Numbers
    times: Numbers
    solved: Mask
    features: Numbers
    steps: tuple[str, ...]
    provided: Mask
    cutoff: float | None
    penalty: float
    columns: tuple[str, ...] = ()  # of the features
    at_cutoff: str = "unsolved"

    def digest(self) -> str:
        """SHA-256 of everything in it."""
        words = (self.instances, self.algorithms, self.steps, self.cutoff, self.penalty, self.at_cutoff)
        digest = hashlib.sha256(repr(words).encode())
        for table in (self.costs, self.times, self.solved, self.features, self.provided):
            digest.update(repr(table.shape).encode() + np.ascontiguousarray(table).data)
        return digest.hexdigest()


@dataclass(frozen=True)
class Split:
    """A fold of a repetition: rows of the problem to train on and to answer."""

    cv_repetition: int
    fold: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


def for_training(protocol: str | Protocol) -> Protocol:
    """The protocol with what training fixes: one measure, default feature steps."""
    given = load(protocol)
    one = "primary" if given.measures == "all" else given.measures
    return dataclasses.replace(given, measures=one, feature_cost="default_steps")


def read_problem(lake: OpenLake, scenario_id: str, *, target: str = "cost") -> SelectionProblem:
    """Read a scenario under the one protocol of the open lake.

    target: what the costs are, one of TARGETS: ``cost``, those of the measure; ``gap``, what is left at the
        end of the way to the best known objective; ``area``, the mean of that over time.

    Features are those that the default steps and what these require provide, and
    those of no step. Repetitions of a run count as the protocol says; an algorithm solves an instance if it
    does so in half of them.
    """
    frame = lake.ask("training_runs", {"scenario": scenario_id})
    if frame["cost"].null_count() == frame.height:
        raise AslibError("has no run that counts under the protocol", scenario_id)
    wide = pivot(frame, rows=("instance_id",), columns=("algorithm",))
    costs, times, solved = (wide.table(name) for name in ("cost", "time", "solved"))
    instances, algorithms = tuple(wide.rows["instance_id"]), tuple(wide.columns["algorithm"])
    cutoff: Any = frame["cutoff"].max()
    if table := TARGETS[target]:
        costs = _over_time(lake, scenario_id, table, (instances, algorithms))
    needed, steps = _features(lake, scenario_id)
    matrix = feature_matrix(lake, scenario_id, instances, features=list(needed))
    if not matrix.columns:
        hint = "Selectors learn from features: leave out the scenario."
        raise AslibError("has no values of usable features", scenario_id, hint)
    by_feature = [[step in needed[feature] for step in steps] for feature in matrix.features]
    needs = np.array(by_feature, bool).reshape(len(matrix.features), len(steps))
    (protocol,) = lake.protocols
    return SelectionProblem(
        scenario_id, instances, algorithms, costs, times,
        solved >= 0.5,  # noqa: PLR2004
        matrix.values, steps, matrix.given @ needs, cutoff, protocol.penalty, matrix.columns,
        protocol.at_cutoff,
    )  # fmt: skip


def _over_time(
    lake: OpenLake, scenario_id: str, table: str, names: tuple[tuple[str, ...], tuple[str, ...]]
) -> Numbers:
    own = lake.under(scenarios=[glob.escape(scenario_id)])
    found = ANALYSED["anytime_cost"](own) if "anytime_cost" in ANALYSED else None
    if found is None or not found.height:
        message = "has no trajectories of the measure that is trained on"
        raise AslibError(message, scenario_id, "Only --target cost can be learned there.")
    costs = np.full([len(part) for part in names], np.nan)
    keys = found.select("instance_id", "solver", pl.col(table).fill_null(np.nan))
    for instance, algorithm, cost in keys.iter_rows():
        costs[names[0].index(instance), names[1].index(algorithm)] = cost
    return costs


def _features(lake: OpenLake, scenario_id: str) -> tuple[dict[str, set[str]], tuple[str, ...]]:
    """Usable features with all steps that each needs, and the steps in their order."""
    default = lake.rows("charged_steps", {"scenario": scenario_id})
    requires = {step: set(needed or ()) for step, needed in default}
    features = lake.rows("usable_features", {"scenario": scenario_id})
    usable = {f: set(s or ()) for f, s in features if set(s or ()) <= set(requires)}
    needed = {f: _closed(steps, requires) for f, steps in usable.items()}
    paid_for = set().union(*needed.values())
    return needed, tuple(step for step in requires if step in paid_for)


def _closed(steps: set[str], requires: dict[str, set[str]]) -> set[str]:
    more = steps.union(*(requires.get(step, ()) for step in steps))
    return steps if more == steps else _closed(more, requires)


def read_splits(lake: OpenLake, problem: SelectionProblem, cv_scheme: str) -> list[Split]:
    """The splits of a scheme; identical copies of a repetition count once.

    Instances whose fold is null are trained on and never answered; those of which no cost is known are
    answered and never trained on.
    """
    rows = {instance: row for row, instance in enumerate(problem.instances)}
    repetitions: dict[int, dict[int | None, list[int]]] = {}
    for repetition, fold, instance in lake.rows(
        "split_instances", {"scenario": problem.scenario_id, "scheme": cv_scheme}
    ):
        if instance in rows:
            folds = repetitions.setdefault(repetition, {})
            folds.setdefault(fold, []).append(rows[instance])
    taught: Mask = np.logical_not(np.isnan(problem.costs).all(axis=1))
    splits = [
        _split(repetition, fold, folds, taught)
        for repetition, folds in repetitions.items()
        for fold in folds
        if fold is not None
    ]
    if not splits or not all(len(split.train) for split in splits):
        message = f"has no split {cv_scheme!r} with instances to train on"
        raise AslibError(
            message, problem.scenario_id, "Make one with 'aslib-eval resample', or name another --scheme."
        )
    return splits


def _split(repetition: int, fold: int, folds: dict[int | None, list[int]], taught: Mask) -> Split:
    rows = [row for other, rows in folds.items() if other != fold for row in rows]
    train, test = np.array(rows, np.int64), np.array(folds[fold], np.int64)
    return Split(repetition, fold, train[taught[train]], test)


# What is done already: one file a split, so that a killed run continues.

Actions = list[tuple[str, str, float | None]]  # action, name, budget
Answered = dict[str, Actions]  # instance → its schedule
Learner = str | OwnSelector  # the first is a name of SELECTORS
_FOLDER = ".training"


@dataclass(frozen=True)
class Journal:
    """The splits of one selector on one scenario that are done.

    ``key`` stands for everything that the answers depend on: a journal of other
    data, another seed or another version is not looked at.
    """

    lake: Path
    scenario_id: str
    selector: str
    key: str

    def read(self, cv_repetition: int, fold: int) -> Answered | None:
        """The schedules of a split; None if it is not done, or the file is damaged."""
        file = _file(cv_repetition, fold)
        with os_errors(self._home() / file, "Remove it; it is made again."):
            try:
                with Folder.inside(self.lake, self._home()) as home:
                    digest, _, text = home.read(file).partition(b"\n")
            except FileNotFoundError:
                return None
        if digest != _digest(text):
            return None
        try:
            return {
                instance: [(action, name, budget) for action, name, budget in steps]
                for instance, steps in json.loads(text).items()
            }
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, cv_repetition: int, fold: int, answered: Answered) -> None:
        """Record a split: the hash of its schedules, and they; all or nothing."""
        text = json.dumps(answered).encode()
        hint = "What is done so far is kept; run it again."
        with (
            os_errors(self.lake, hint, what="cannot be written"),
            Folder.inside(self.lake, self._home(), make=True) as home,
        ):
            home.replace(_file(cv_repetition, fold), _digest(text) + b"\n" + text, prefix="new-")

    def forget(self) -> None:
        """Remove what was recorded: it is in the lake now."""
        home = self._home()
        with suppress(OSError):  # until another journal is still there
            with Folder.inside(self.lake, home) as journal:
                for name in journal.names():
                    journal.remove(name)
            for done in (home, *list(home.parents)[:3]):
                with Folder.inside(self.lake, done.parent) as outer:
                    outer.rmdir(done.name)

    def _home(self) -> Path:
        return self.lake / _FOLDER / partition(self.scenario_id) / self.selector / self.key


def require_writable(lake: Path) -> None:
    """Raise AslibError if the lake takes no journal or no new version of a scenario."""
    try:
        with Folder.inside(lake, lake / _FOLDER, make=True) as folder:
            folder.write(name := folder.scratch("new-"), b"")
            folder.unlink(name)
        for path in (lake, lake / ".versions"):
            if path.is_dir() and not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        hint = "Make the lake writable or name another --lake; nothing was trained."
        raise AslibError(f"cannot be written ({error.strerror or error})", str(lake), hint) from None
    finally:
        with suppress(OSError), Folder.named(lake) as outer:
            outer.rmdir(_FOLDER)  # unless there is a journal in it


def _file(cv_repetition: int, fold: int) -> str:
    return f"{cv_repetition}-{fold}.json"


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


# One selector on one split: what a worker does.


class SelectorError(AslibError):
    """A selector that is none of ours failed, or made no choice."""


def predict_split(problem: SelectionProblem, split: Split, *, selector: Learner, seed: int) -> Answered:
    """Train a selector on a split's training part; its schedules for the test part.

    The test part gives its features and nothing else: an algorithm without a cost in the training part is
    unknown, a feature step that yields nothing there is not paid for, and a missing cost is the worst of
    the training part. Every split has a seed of its own, made of ``seed`` and its place, which is also that
    of the generators that Python and numpy share; one thread, so that the same seed gives the same answers.

    Raises:
        SelectorError: if it fails, where it is none of ours, or makes no choice.
    """
    learner = SELECTORS[selector] if isinstance(selector, str) else selector
    lesson, portfolio = _lesson(problem, split, seed)
    try:
        with _one_thread(), _seeded(lesson.seed):
            schedules = learner.learn(lesson)
    except Exception as error:
        named = isinstance(selector, str)
        who = f"the selector {selector}" if named else "the selector"
        why = " ".join(f"{type(error).__name__}: {error}".split())
        what = f"{who} failed ({why}) (fold {split.fold})"
        if isinstance(error, NoChoiceError):
            what = f"{who} {error} (fold {split.fold})"
        elif named and SELECTORS.comes_along(str(selector)):
            raise
        hint = "'help(ae.evaluate)' says what a selector is given and returns."
        raise SelectorError(what, problem.scenario_id, hint) from error
    algorithms = [problem.algorithms[column] for column in portfolio]
    taught = np.logical_or.reduce(problem.provided[split.train], axis=0)
    steps = [s for s, known in zip(problem.steps, taught, strict=True) if known]
    return {
        problem.instances[row]: [
            *(("algorithm", algorithms[a], budget) for a, budget in schedule.before),
            *(("feature_step", step, None) for step in steps),
            *(("algorithm", algorithms[a], budget) for a, budget in schedule.after),
        ]
        for row, schedule in zip(split.test, schedules, strict=True)
    }


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Let whoever draws without a generator of its own draw the same each time."""
    before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)  # noqa: NPY002


def _one_thread() -> AbstractContextManager[Any]:
    """Hold libraries to one thread; the extra selectors brings what can."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:  # a function of one's own needs no extra
        return nullcontext()
    limited: AbstractContextManager[Any] = threadpool_limits(1)
    return limited


def _lesson(problem: SelectionProblem, split: Split, seed: int) -> tuple[Lesson, NDArray[np.int64]]:
    """The training part as its own rows give it, and the columns of its algorithms."""
    features, test = prepare(problem.features[split.train], problem.features[split.test])
    portfolio = np.flatnonzero(~np.isnan(problem.costs[split.train]).all(axis=0))
    here = np.ix_(split.train, portfolio)
    costs = problem.costs[here]
    place = np.random.SeedSequence([seed, split.cv_repetition, split.fold])
    lesson = Lesson(
        features, test, np.where(np.isnan(costs), np.nanmax(costs), costs), problem.times[here],
        problem.solved[here], problem.cutoff, problem.penalty,
        seed=int(place.generate_state(1)[0] >> 1), at_cutoff=problem.at_cutoff,
    )  # fmt: skip
    return lesson, portfolio


# Answers of selectors as rows of the relation ``selection``.


def selection_table(cv_scheme: str, schedules: Mapping[tuple[int, int], Answered]) -> pa.Table:
    """The rows of (cv_repetition, fold) → instance → schedule, without the selector."""
    whole = RELATIONS["selection"].schema
    schema = whole.remove(whole.get_field_index("selector"))
    rows = [
        (cv_scheme, repetition, fold, instance, position, *action)
        for (repetition, fold), answered in schedules.items()
        for instance, actions in answered.items()
        for position, action in enumerate(actions, start=1)
    ]
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


_Done = dict[tuple[str, int, int], Answered]  # selector, repetition, fold
_Spent = dict[tuple[str, int, int], SpentTime]
_LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Trained:
    """What became of a scenario: ``n_resumed`` of ``n_splits`` were done before.

    Splits are counted once for each selector. ``replaced`` says which stored predictions these took the
    place of, in words; ``elsewhere`` which selectors have others on the split that makes their scores.
    ``same`` has a sentence on each that does not tell the instances of a fold apart.
    """

    scenario_id: str
    cv_scheme: str
    selectors: tuple[str, ...] = ()
    n_splits: int = 0
    n_resumed: int = 0
    error: AslibError | None = None
    replaced: tuple[str, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    same: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Wanted:
    lake: Path
    scheme: str
    seed: int
    prefix: str
    replace: bool
    times: bool

    def require_own(self, scenario_id: str, names: Sequence[str]) -> None:
        """Raise AslibError if predictions that were not trained here would go."""
        stored = [self.prefix + name for name in names]
        require_own(self.lake, scenario_id, stored, scheme=self.scheme, replace=self.replace)


# What a worker does at once, with a seed; the journal is written by the process that handed it over.
_Unit = tuple[SelectionProblem, Split, Journal, int]
# A scenario's problem, its splits, and the journal of each selector.
_Work = tuple[SelectionProblem, Sequence[Split], Sequence[Journal]]


def _predicted(unit: _Unit) -> tuple[Answered, SpentTime]:
    problem, split, journal, seed = unit
    with timed() as spent:
        answered = predict_split(problem, split, selector=journal.selector, seed=seed)
    return answered, spent


def train(  # noqa: PLR0913 - one for each choice
    lake: Path,
    names: Sequence[str],
    *,
    scenarios: Sequence[str] = (),
    scheme: str = "aslib",
    seed: int = 1,
    protocol: str | Protocol = "default",
    target: str = "cost",
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
    prefix: str = "",
    replace: bool = False,
    times: bool = False,
) -> list[Trained]:
    """Train selectors on each split of ``scheme`` and store their selections.

    A selection trained before, of the same selector and scheme, is replaced once all its splits are done;
    one that was imported, or stored by a program, only with ``replace``. Until then each finished split is
    kept beside the lake's data, and the same call continues there; one with a damaged file is trained
    again. The ``executor`` does the work, with as many ``jobs`` at once; without one processes do. The same
    seed gives the same selection, whatever ``jobs``. Splits that were done before are not timed.

    A scenario that cannot be learned from (no features, no such scheme, a quality measure for a selector
    that makes schedules) carries its AslibError and does not stop the others.
    """
    _require(names, target=target, seed=seed, prefix=prefix)
    wanted = _Wanted(Path(lake), scheme, seed, prefix, replace, times)
    opened = open_lake(lake, protocols=[for_training(protocol)], scenarios=scenarios)
    require_writable(wanted.lake)
    plans: list[_Work | Trained] = []
    for scenario in opened.scenarios:
        try:
            problem = read_problem(opened, scenario, target=target)
            require_cutoff(problem, {name: SELECTORS[name] for name in names})
            splits = read_splits(opened, problem, scheme)
            wanted.require_own(scenario, names)
        except AslibError as error:
            plans.append(Trained(scenario, scheme, error=error))
        else:
            plans.append((problem, splits, _journals(wanted.lake, problem, splits, names, seed)))
    opened.close()
    total = sum(len(plan[1]) * len(names) for plan in plans if isinstance(plan, tuple))
    with (
        nullcontext(executor) if executor else processes(jobs) as pool,
        progress_bar("training", total, shown=progress) as advance,
    ):
        outcomes = [
            _carry_out(plan, wanted, pool, advance, at_once=jobs or os.cpu_count() or 1)
            if isinstance(plan, tuple)
            else plan
            for plan in plans
        ]
    for at, outcome in enumerate(outcomes):
        if outcome.error is None:
            same = sentences_on(wanted.lake, outcome.scenario_id, outcome.selectors, cv_scheme=scheme)
            outcomes[at] = dataclasses.replace(outcome, same=same)
    return outcomes


def sentences_on(lake: Path, scenario: str, selectors: Sequence[str], *, cv_scheme: str) -> tuple[str, ...]:
    """Say which selectors do not tell the instances of a fold of a scheme apart."""
    with open_lake(lake, scenarios=[glob.escape(scenario)]) as opened:
        choices = opened.ask("report_choice", {"scenario": scenario})
    own = choices["selector"].is_in(list(selectors))
    return tuple(same_choices(choices.filter(own & (choices["cv_scheme"] == cv_scheme))))


def _require(names: Sequence[str], *, target: str, seed: int, prefix: str) -> None:
    require_known(names, where="train")
    if not names:
        raise AslibError("no selector is named", "train")
    if target not in TARGETS:
        raise AslibError(f"no target {target}", "train", one_of(target, TARGETS))
    if not 0 <= seed <= _LARGEST_SEED:
        raise AslibError(f"the seed {seed} cannot be used", "train", "Choose one from 0 to 2^63 - 1.")
    if prefix and not prefix.isprintable():
        raise AslibError(f"the prefix {prefix!r} is not printable", "train")
    require_usable(names, where="train")


def _trained(wanted: _Wanted, name: str) -> dict[str, Any]:
    return {"seed": wanted.seed, "with": _versions(name)}


def _versions(name: str) -> dict[str, str]:
    """What a selector was trained with; a function of one's own needs no extra."""
    found = {"aslib-eval": __version__}
    for library in ("asf", "numpy", "scikit-learn", "scipy"):
        with suppress(PackageNotFoundError):
            found[library] = version(library)
    return found | SELECTORS.origin(name)


def require_own(lake: Path, scenario_id: str, stored: Sequence[str], *, scheme: str, replace: bool) -> None:
    """Raise AslibError if predictions that were not trained here would be replaced."""
    recorded = _recorded(lake, scenario_id)
    foreign = {
        name: facts
        for name in dict.fromkeys(stored)
        if (facts := recorded.get((name, scheme))) and "trained" not in facts
    }
    if foreign and not replace:
        message = f"holds imported predictions of {', '.join(foreign)} on {scheme}"
        if files := [facts["file"] for facts in foreign.values() if "file" in facts]:
            message += f" ({', '.join(files)})"
        raise AslibError(
            message, scenario_id, "To replace them, add --replace. To keep them, add --prefix."
        )


def _recorded(lake: Path, scenario_id: str) -> Mapping[tuple[str, ...], Mapping[str, Any]]:
    with versions.leased(lake, scenario_id) as version:
        return {} if version is None else recorded_selections(version)


def require_cutoff(problem: SelectionProblem, learners: Mapping[str, OwnSelector]) -> None:
    """Raise AslibError if some divide a cutoff that the problem does not have."""
    needy = [name for name, learner in learners.items() if learner.needs_cutoff]
    if needy and problem.cutoff is None:
        verb = "divides" if len(needy) == 1 else "divide"
        message = f"has no cutoff on runtimes, and {' and '.join(needy)} {verb} one"
        raise AslibError(message, problem.scenario_id, "Leave out these selectors.")


def _journals(
    lake: Path, problem: SelectionProblem, splits: Sequence[Split], names: Sequence[str], seed: int
) -> list[Journal]:
    key = hashlib.sha256(repr((problem.digest(), seed, code())).encode())
    for split in splits:
        key.update(repr((split.cv_repetition, split.fold)).encode())
        key.update(split.train.tobytes() + b"|" + split.test.tobytes())
    found = []
    for name in dict.fromkeys(names):
        own = key.copy()
        own.update(repr(sorted(_versions(name).items())).encode())
        found.append(Journal(lake, problem.scenario_id, name, own.hexdigest()[:16]))
    return found


def _carry_out(
    work: _Work, wanted: _Wanted, pool: Executor | None, advance: Advance, *, at_once: int
) -> Trained:
    problem, splits, journals = work
    scenario_id = problem.scenario_id
    done: _Done = {}
    missing = []
    for journal in journals:
        for split in splits:
            answered = journal.read(split.cv_repetition, split.fold)
            if answered is None:
                missing.append((journal, split))
            else:
                done[journal.selector, split.cv_repetition, split.fold] = answered
    resumed = len(done)
    advance(resumed)
    units = ((problem, split, journal, wanted.seed) for journal, split in missing)
    spent: _Spent = {}
    try:
        for (_, split, journal, _), (answered, took) in computed(
            pool, _predicted, units, ahead=2 * at_once
        ):
            journal.write(split.cv_repetition, split.fold, answered)
            done[journal.selector, split.cv_repetition, split.fold] = answered
            spent[journal.selector, split.cv_repetition, split.fold] = took
            advance(1)
    except SelectorError as error:
        return Trained(scenario_id, wanted.scheme, error=error)
    names = tuple(journal.selector for journal in journals)
    stored_as = tuple(wanted.prefix + name for name in names)
    outcome = Trained(scenario_id, wanted.scheme, stored_as, len(splits) * len(names), resumed)
    try:  # they may have been imported meanwhile
        wanted.require_own(scenario_id, names)
    except AslibError as error:
        return dataclasses.replace(outcome, error=error)
    before = _recorded(wanted.lake, scenario_id)
    for name in names:
        schedules = {(r, f): done[name, r, f] for n, r, f in sorted(done) if n == name}
        times = _times(name, done, spent) if wanted.times else {}
        table, facts = selection_table(wanted.scheme, schedules), {"trained": _trained(wanted, name)}
        stored = wanted.prefix + name
        store_selection(wanted.lake, scenario_id, stored, selection=table, facts=facts | times)
    for journal in journals:
        journal.forget()
    return _compared(outcome, before, wanted)


def _times(name: str, done: _Done, spent: _Spent) -> dict[str, Any]:
    """The means of a selector's times; an instance has its share of its fold's."""
    own = [(took, len(done[key])) for key, took in spent.items() if key[0] == name]
    choosing = [took.choosing / n for took, n in own for _ in range(n)]
    return times_as_facts([took.training for took, _ in own], choosing)


def _compared(
    outcome: Trained, before: Mapping[tuple[str, ...], Mapping[str, Any]], wanted: _Wanted
) -> Trained:
    replaced, elsewhere = [], {}
    for name in outcome.selectors:
        new = _trained(wanted, name.removeprefix(wanted.prefix))
        old = before.get((name, wanted.scheme))
        if old is not None and old.get("trained") != new:
            replaced.append(f"{name} {_origin(old)}")
        home = home_scheme([wanted.scheme, *(scheme for who, scheme in before if who == name)])
        if home != wanted.scheme:
            elsewhere[name] = home
    return dataclasses.replace(outcome, replaced=tuple(replaced), elsewhere=elsewhere)


def _origin(facts: Mapping[str, Any]) -> str:
    if (training := facts.get("trained")) is not None:
        version = training.get("with", {}).get("aslib-eval", "?")
        return f"(seed {training.get('seed')}, aslib-eval {version})"
    return f"({facts.get('file', 'stored by a program')})"


# Files of the OASC: JSON, instance → list of steps.


Schedule = list[str | list[str | float]]


def write_schedules(
    lake: Path,
    to: Path,
    *,
    scenarios: Sequence[str] = (),
    selectors: Sequence[str] = (),
    cv_scheme: str = "aslib",
) -> list[Path]:
    """Write ``to/<scenario folder>/<selector>.json`` for every stored selection.

    All selectors that answered on the scheme, if none is named; files of that name are replaced. A step is
    a feature step's name, or [algorithm, budget], where the cutoff stands for no budget of its own, and the
    name alone where there is no cutoff. Where all instances were timed, the times of training and choosing
    are there, too. Gives the files. Importing them gives selections of the same scores.
    """
    opened = open_lake(lake, scenarios=scenarios)
    asked = {"scheme": cv_scheme, "selectors": list(selectors) or None}
    folders = dict(opened.rows("select scenario_id, folder from raw_scenario"))
    files: dict[str, dict[str, Schedule]] = {}
    said: dict[str, dict[str, float]] = {}
    times = _times_taken(opened, cv_scheme)
    repetition_of: dict[str, int] = {}
    for row in opened.rows("schedules", asked):
        scenario, selector, repetition, instance, action, name, budget, _ = row
        file = f"{_plain(folders[scenario])}/{_plain(selector)}.json"
        if repetition_of.setdefault(file, repetition) != repetition:
            what = f"{selector} answered several repetitions of {cv_scheme}"
            raise AslibError(
                what, scenario, "A schedule file holds one: train on a scheme of one repetition."
            )
        steps = files.setdefault(file, {}).setdefault(instance, [])
        if action == "algorithm" and budget is not None:
            steps.append([name, budget])
        elif action != "none":
            steps.append(name)
        n_timed, said[file] = times.get((scenario, selector), (0, {}))
        if n_timed < len(files[file]):
            said[file] = {}
    if not files:
        raise AslibError(f"holds no selection made on {cv_scheme!r}", str(lake), "Try 'aslib-eval train'.")
    texts = {name: _text(said[name] | found).encode() for name, found in files.items()}
    return replace_files(to, texts, hint="Choose another folder; nothing was changed.")


def _plain(name: str) -> str:
    if not name or name.startswith(".") or {"/", "\\", "\0"} & set(name):
        raise AslibError(f"{name!r} is no name for a file", None, "Rename it.")
    return name


def _times_taken(lake: OpenLake, cv_scheme: str) -> dict[tuple[str, str], tuple[int, dict[str, float]]]:
    """Scenario and selector → on how many instances it was timed, and its times [s]."""
    found = lake.ask("select * from selector_times")
    return {
        (row["scenario_id"], row["selector"]): (
            row["n_chosen"],
            {n: row[n] for n in ("training_time", "choosing_time") if row[n] is not None},
        )
        for row in found.filter(cv_scheme=cv_scheme).iter_rows(named=True)
    }


def _text(members: Mapping[str, Any]) -> str:
    """The JSON text, a line for each member."""
    as_json = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    lines = (f"{as_json(name)}: {as_json(said)}" for name, said in members.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
