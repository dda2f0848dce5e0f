"""Selectors trained on scenarios of a lake: the commands ``train`` and ``audit``."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from aslib_eval.commands import AnyProtocol, Declared, silent
from aslib_eval.errors import AslibError
from aslib_eval.options import SEEDS, Cluster, Jobs, Lake, Note, Option, Prefix, Scenarios, public
from aslib_eval.paths import as_path

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.training.models import Evaluation
    from aslib_eval.extensions.training.training import Trained

_SELECTORS = "aslib_eval.extensions.training.models:SELECTORS"
LearningTarget = Literal["cost", "gap", "area"]


@public
def train(  # noqa: PLR0913 - one for each option
    names: Annotated[
        Sequence[str], Option("Which selectors.", flags="", metavar="NAME...", registry=(_SELECTORS, "all"))
    ],
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    scheme: Annotated[
        str, Option("Train on each split of this scheme; 'aslib-eval resample' makes more.")
    ] = "aslib",
    seed: Annotated[int, Option("Seed of the training.", least=0, most=SEEDS)] = 1,
    prefix: Prefix = "",
    replace: Annotated[bool, Option("Also replace imported predictions of the same name.")] = False,
    protocol: Annotated[
        AnyProtocol, Option("Protocol whose cost the selectors minimise.", metavar="NAME|FILE")
    ] = "default",
    target: Annotated[
        LearningTarget,
        Option(
            "Target to minimise: cost, or with trajectories the final gap to the best known objective, or "
            "its mean over time."
        ),
    ] = "cost",
    times: Annotated[
        bool, Option("Also store the times of training and choosing, which differ in every run.")
    ] = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    to: Annotated[
        str | Path | None,
        Option("Also write DIR/<scenario>/<selector>.json, as OASC schedules.", metavar="DIR"),
    ] = None,
    written: Callable[[Path], None] | None = None,
) -> list[Trained]:
    """Train selectors on every split and store their predictions.

    names: rf, rfreg, zilla, sunny, isac, asap, which need the extra ``selectors``; those of other packages;
    ``module:NAME`` of whatever ``ae.evaluate`` takes; or all. to: also write
    <to>/<scenario>/<selector>.json, as OASC schedules; ``written`` is called with each of these files.
    times: also store the times of training and choosing, which differ in every run. A scenario that cannot
    be trained on has its ``error`` in the answer.

    >>> found = ae.train(["sunny"], "lake", prefix="my-", jobs=1)
    >>> found[0].selectors
    ('my-sunny',)
    """
    from aslib_eval.executors import workers
    from aslib_eval.extensions.training.models import SELECTORS
    from aslib_eval.extensions.training.training import train as run

    chosen = tuple(SELECTORS.usable()) if "all" in names else names
    if to is not None:
        _require_folder(Path(to))
    with workers(jobs=jobs, cluster=cluster) as they:
        outcomes = run(
            Path(lake), chosen, scenarios=scenarios, scheme=scheme, seed=seed, protocol=protocol,
            target=target, prefix=prefix, replace=replace, times=times,
            jobs=they.jobs, executor=they.executor, progress=sys.stderr.isatty(),
        )  # fmt: skip
    learned = [outcome.scenario_id for outcome in outcomes if outcome.error is None]
    if to is not None and learned:
        from aslib_eval.extensions.training.training import write_schedules

        only = [glob.escape(scenario) for scenario in learned]
        stored = tuple(prefix + name for name in chosen)
        files = write_schedules(Path(lake), Path(to), scenarios=only, selectors=stored, cv_scheme=scheme)
        for file in files if written is not None else ():
            written(file)  # type: ignore[misc]
    return outcomes


@public
def audit(  # noqa: PLR0913 - one for each option
    selector: Annotated[
        Any, Option("Which selector.", flags="", metavar="SELECTOR", registry=(_SELECTORS,))
    ],
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    scheme: Annotated[str, Option("Splits to train on.")] = "aslib",
    seed: Annotated[int, Option("Seed of training, folds and draws.", least=0, most=SEEDS)] = 1,
    protocol: Annotated[
        AnyProtocol, Option("Protocol whose cost the selector minimises.", metavar="NAME|FILE")
    ] = "default",
    groups: Annotated[
        str | Path | None,
        Option(
            "CSV file of instance_id and family; default: the attribute family, else read from the names.",
            metavar="CSV",
        ),
    ] = None,
    attribute: Annotated[
        str | None,
        Option(
            "Attribute that holds the families.",
            metavar="NAME",
            shown="family",
            goes_without=("groups",),
            because="says families",
        ),
    ] = None,
    draws: Annotated[int, Option("Bootstrap draws of families.", least=1, most=10**6)] = 2000,
    level: Annotated[float, Option("Confidence of the intervals.")] = 0.95,
    jobs: Jobs = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how much of a selector's gap remains without siblings in training.

    It is trained on its folds, on folds of whole families, with each family left out, with features
    permuted, with the family's name or the costs of features as all that it knows, and on other scenarios
    of the lake that have the same algorithms; survives is the share of the gap of its folds. Nothing is
    stored. Selectors that come along need the extra ``selectors``.

    selector: as of ``train``, or in Python whatever ``ae.evaluate`` takes; the work is then done in this
        process. draws: of families, with SBS and VBS anew.

    Source: after Petelin and Cenikj 2025, and Cenikj et al. 2026.

    >>> found = ae.audit("sunny", "lake", scenarios=["TOY-2026"], draws=50, jobs=1)
    >>> found["trial"].to_list()[:3]
    ['folds', 'families together', 'family left out']
    """
    from aslib_eval.executors import processes
    from aslib_eval.extensions.training.audits import AuditRule
    from aslib_eval.extensions.training.audits import audit as run
    from aslib_eval.extensions.training.models import learner_of

    if not 0 < level < 1:
        raise AslibError(f"{level} is no level between 0 and 1", "audit", "Say 0.95 for 95 %.")
    own = not isinstance(selector, str)
    rule = AuditRule(
        _name_of(selector),
        scheme=scheme, seed=seed, groups=as_path(groups), attribute=attribute,
        draws=draws, level=level, learner=learner_of(selector) if own else None,
    )  # fmt: skip
    with processes(1 if own else jobs) as executor:
        ahead = 2 * (jobs or os.cpu_count() or 1)
        return run(
            Path(lake),
            rule,
            scenarios=scenarios,
            protocol=protocol,
            executor=executor,
            ahead=ahead,
            note=note,
        )


AUDIT = Declared(
    "aslib_eval.extensions.training:audit",
    "audit sunny --scenario SAT-PYSAT-2026",
    "SELECTOR is a name that train knows, or module:NAME. Trials share draws: change compares a trial "
    "with folds in the same draw.",
)


def _require_folder(to: Path) -> None:
    there = next(path for path in (to.absolute(), *to.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        what = "cannot be written" if there.is_dir() else "is no folder"
        raise AslibError(what, str(there), "Name another --to; nothing was trained.")


@public
def evaluate(
    selector: Any,
    scenario: str,
    lake: str | Path = "lake",
    *,
    name: str | None = None,
    scheme: str = "aslib",
    seed: int = 1,
    protocol: AnyProtocol = "default",
    replace: bool = False,
) -> Evaluation:
    """Train a selector on each split of ``scenario``, store and score its choices.

    selector: an estimator of scikit-learn (a classifier learns which algorithm is the cheapest, from
        instances that some algorithm solves; a regressor is fitted for each algorithm and predicts its
        cost), a selector of asf, a class of either that is made without arguments, a name that ``train``
        takes, or a function. A function is given the features to learn from (n, n_features), the costs
        there (n, n_algorithms), and the features of the instances to choose for (m, n_features). It returns
        the number of a column of the costs for each of these, (m,), or predicted costs, (m, n_algorithms),
        of which the least is chosen, and the first of equals.
    name: the selections are stored under it and replace those of an earlier call; None: the name of the
        selector, class or function. replace: also replace imported predictions of that name.
    scheme: the splits; ``protocol`` says what a run costs, and scores.
    seed: given to an estimator whose random_state is None, another for each split.

    Features are imputed, standardised, and charged, as ``train`` does it. What is given is copied for each
    split and not changed. The work is done in this process.

    >>> def cheapest(features, costs, test):
    ...     return [costs.mean(axis=0).argmin()] * len(test)
    >>> ae.evaluate(cheapest, "TOY-2026", "lake").gap["closed_gap"].item()
    -0.0175
    """
    from aslib_eval.commands.scoring import gap
    from aslib_eval.database.open_lake import open_lake
    from aslib_eval.extensions.training.models import Evaluation, learner_of
    from aslib_eval.extensions.training.training import (
        for_training,
        predict_split,
        read_problem,
        read_splits,
        require_cutoff,
        require_own,
        require_writable,
        selection_table,
        sentences_on,
    )
    from aslib_eval.progress import progress_bar
    from aslib_eval.selections import store_selection

    stored = name or _name_of(selector)
    if not name and stored == "<lambda>":
        raise AslibError("a function without a name cannot be stored", "evaluate", "Say name='…'.")
    learner = learner_of(selector)
    home = Path(lake)
    require_writable(home)
    asked = for_training(protocol)
    with open_lake(home, protocols=[asked], scenarios=[glob.escape(scenario)]) as known:
        problem = read_problem(known, scenario)
        require_cutoff(problem, {stored: learner})
        splits = read_splits(known, problem, scheme)
    require_own(home, scenario, [stored], scheme=scheme, replace=replace)
    answered = {}
    named = selector if isinstance(selector, str) else learner
    with progress_bar("training", len(splits), shown=sys.stderr.isatty()) as advance:
        for split in splits:
            place = split.cv_repetition, split.fold
            answered[place] = predict_split(problem, split, selector=named, seed=seed)
            advance(1)
    facts = {"trained": {"seed": seed, "by": "evaluate"}}
    store_selection(home, scenario, stored, selection=selection_table(scheme, answered), facts=facts)
    ask = partial(
        gap, home, protocols=[protocol], scenarios=[glob.escape(scenario)], kinds=["selector"],
        solvers=[glob.escape(stored)],
    )  # fmt: skip
    same = sentences_on(home, scenario, [stored], cv_scheme=scheme)
    return Evaluation(scenario, stored, ask(interval=True), ask(why=True), same)


def _name_of(selector: Any) -> str:
    from aslib_eval.extensions.training.models import OwnSelector

    if isinstance(selector, str):
        return selector
    if isinstance(selector, OwnSelector):
        selector = selector.learn
    whose = selector if hasattr(selector, "__name__") else type(selector)
    return str(whose.__name__)
