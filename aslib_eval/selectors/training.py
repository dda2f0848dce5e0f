"""Selectors trained on every split of a scheme, in parallel, resumable; stored."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path

from aslib_eval import __version__
from aslib_eval.db import connect
from aslib_eval.errors import AslibError
from aslib_eval.protocol import Protocol
from aslib_eval.selections import store_selection
from aslib_eval.selectors.journal import Answered, Journal
from aslib_eval.selectors.models import NEED_A_CUTOFF, SELECTORS
from aslib_eval.selectors.problem import (
    Problem,
    Split,
    for_training,
    read_problem,
    read_splits,
)
from aslib_eval.selectors.rows import selection_table
from aslib_eval.selectors.task import answer_split

Advance = Callable[[int], None]
_Done = dict[tuple[str, int, int], Answered]  # selector, repetition, fold


@dataclass(frozen=True)
class Trained:
    """What became of a scenario: ``n_resumed`` of ``n_splits`` were done before.

    Splits are counted once for each selector.
    """

    scenario_id: str
    cv_scheme: str
    selectors: tuple[str, ...] = ()
    n_splits: int = 0
    n_resumed: int = 0
    error: AslibError | None = None


@dataclass(frozen=True)
class _Work:
    problem: Problem
    splits: Sequence[Split]
    journals: Sequence[Journal]


def train(
    lake: Path,
    names: Sequence[str],
    *,
    scenarios: Sequence[str] = (),
    scheme: str = "aslib",
    seed: int = 1,
    protocol: str | Protocol = "default",
    jobs: int | None = None,
    progress: bool = False,
) -> list[Trained]:
    """Train selectors on each split of ``scheme`` and store what they answer.

    ``names`` of ``SELECTORS``; what they learn is the cost of the primary measure
    under ``protocol``. A stored selection of the same selector and scheme is
    replaced once all its splits are done; until then each finished split is kept
    beside the lake's data, and the same call continues there. ``jobs`` processes
    work at once (None: as many as there are CPUs); they start afresh, so that a
    script that calls this needs ``if __name__ == "__main__"``. The same seed gives
    the same selection, whatever ``jobs``. ``progress`` shows a bar on stderr.

    A scenario that cannot be learned from (no features, no such scheme, a quality
    measure for a selector that makes schedules) carries its AslibError and does not
    stop the others. Raises AslibError if a name is unknown, the extra `selectors` is
    not installed, or the lake cannot be read or written.
    """
    _require(names)
    settled = for_training(protocol)
    con = connect(lake, protocols=[settled], scenarios=scenarios)
    found = "select distinct scenario_id from raw_scenario order by 1"
    plans: list[_Work | Trained] = []
    for (scenario,) in con.sql(found).fetchall():
        try:
            problem = read_problem(con, scenario)
            _require_cutoff(problem, names)
            splits = read_splits(con, problem, scheme)
        except AslibError as error:
            plans.append(Trained(scenario, scheme, error=error))
            continue
        journals = _journals(lake, problem, splits, names, seed)
        plans.append(_Work(problem, splits, journals))
    con.close()
    total = sum(len(w.splits) * len(names) for w in plans if isinstance(w, _Work))
    with _workers(jobs) as pool, _bar(total, shown=progress) as advance:
        return [
            _carry_out(plan, lake, scheme, seed, pool, advance)
            if isinstance(plan, _Work)
            else plan
            for plan in plans
        ]


def _require(names: Sequence[str]) -> None:
    if unknown := [name for name in names if name not in SELECTORS]:
        hint = f"There are {', '.join(SELECTORS)}."
        raise AslibError(f"no selector {', '.join(unknown)}", "train", hint)
    if not names:
        raise AslibError("no selector is named", "train")
    try:
        _versions()
    except PackageNotFoundError as error:
        hint = "Install the extra selectors, in a checkout: pip install '.[selectors]'"
        raise AslibError(f"{error.name} is not installed", "train", hint) from None


def _versions() -> dict[str, str]:
    found = {name: version(name) for name in ("asf", "numpy", "scikit-learn", "scipy")}
    return {"aslib-eval": __version__, **found}


def _require_cutoff(problem: Problem, names: Sequence[str]) -> None:
    needy = [name for name in names if name in NEED_A_CUTOFF]
    if needy and problem.cutoff is None:
        what = f"has no cutoff on runtimes, and {' and '.join(needy)} divide one"
        raise AslibError(what, problem.scenario_id, "Leave out these selectors.")


def _journals(
    lake: Path,
    problem: Problem,
    splits: Sequence[Split],
    names: Sequence[str],
    seed: int,
) -> list[Journal]:
    key = hashlib.sha256(
        repr((problem.digest(), seed, sorted(_versions().items()))).encode()
    )
    for split in splits:
        key.update(repr((split.cv_repetition, split.fold)).encode())
        key.update(split.train.tobytes() + b"|" + split.test.tobytes())
    digest = key.hexdigest()[:16]
    unique = dict.fromkeys(names)
    return [Journal(lake, problem.scenario_id, name, digest) for name in unique]


@contextmanager
def _workers(jobs: int | None) -> Iterator[ProcessPoolExecutor | None]:
    """Fresh processes; none if one job is asked for."""
    n = jobs or os.cpu_count() or 1
    if n == 1:
        yield None
        return
    pool = ProcessPoolExecutor(n, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _bar(total: int, *, shown: bool) -> Iterator[Advance]:
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=total)
        yield lambda n: bar.advance(task, n)


def _carry_out(
    work: _Work,
    lake: Path,
    scheme: str,
    seed: int,
    pool: ProcessPoolExecutor | None,
    advance: Advance,
) -> Trained:
    """Train what the journals lack; then store everything and forget them."""
    done: _Done = {}
    missing = []
    for journal in work.journals:
        for split in work.splits:
            answered = journal.read(split.cv_repetition, split.fold)
            if answered is None:
                missing.append((journal, split))
            else:
                done[journal.selector, split.cv_repetition, split.fold] = answered
    resumed = len(done)
    advance(resumed)
    for journal, split, answered in _answers(work.problem, missing, seed, pool):
        journal.write(split.cv_repetition, split.fold, answered)
        done[journal.selector, split.cv_repetition, split.fold] = answered
        advance(1)
    _store(work, lake, scheme, seed, done)
    names = tuple(journal.selector for journal in work.journals)
    n_splits = len(work.splits) * len(names)
    return Trained(work.problem.scenario_id, scheme, names, n_splits, resumed)


def _store(work: _Work, lake: Path, scheme: str, seed: int, done: _Done) -> None:
    """Everything into the lake; then the journals are not needed any more."""
    for journal in work.journals:
        name = journal.selector
        answers = {(r, f): done[name, r, f] for n, r, f in sorted(done) if n == name}
        store_selection(
            lake,
            work.problem.scenario_id,
            name,
            selection=selection_table(scheme, answers),
            facts={"trained": {"seed": seed, "with": _versions()}},
        )
    for journal in work.journals:
        journal.forget()


def _answers(
    problem: Problem,
    missing: Sequence[tuple[Journal, Split]],
    seed: int,
    pool: ProcessPoolExecutor | None,
) -> Iterator[tuple[Journal, Split, Answered]]:
    """The answers, each as soon as it is there."""
    if pool is None:
        for journal, split in missing:
            name = journal.selector
            yield journal, split, answer_split(problem, split, selector=name, seed=seed)
        return
    running: dict[Future[Answered], tuple[Journal, Split]] = {}
    for journal, split in missing:
        name = journal.selector
        task = pool.submit(answer_split, problem, split, selector=name, seed=seed)
        running[task] = journal, split
    for task in as_completed(running):
        yield *running[task], task.result()
