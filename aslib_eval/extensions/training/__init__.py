"""Selectors trained on scenarios of a lake: the commands ``train`` and ``audit``."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from aslib_eval import options
from aslib_eval.commands import AnyProtocol, Declared, OneProtocol, silent
from aslib_eval.errors import AslibError
from aslib_eval.paths import as_path

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.training.models import Evaluation
    from aslib_eval.extensions.training.training import Trained

_SELECTORS = "aslib_eval.extensions.training.models:SELECTORS"
LearningTarget = Literal["cost", "gap", "area"]
_Scheme = Annotated[
    str,
    options.Option(
        "Train on every split of this cross-validation scheme ('aslib-eval resample' makes others)."
    ),
]
_Trained = Annotated[
    OneProtocol, options.Option("Train to minimise the cost under this protocol: a preset or a .toml file.")
]


@options.public
def train(  # noqa: PLR0913 - one for each option
    names: Annotated[
        Sequence[str],
        options.Option("Selectors to train.", flags="", metavar="NAME...", registry=(_SELECTORS, "all")),
    ],
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    scheme: _Scheme = "aslib",
    seed: options.Seed = 1,
    prefix: options.Prefix = "",
    replace: Annotated[
        bool, options.Option("Replace imported predictions that have the same name.")
    ] = False,
    protocol: _Trained = "default",
    target: Annotated[
        LearningTarget,
        options.Option(
            "cost: minimise the cost. gap: minimise the final gap to the best known objective. area: "
            "minimise the mean of this gap over time. gap and area need runs whose solutions have times."
        ),
    ] = "cost",
    times: Annotated[
        bool,
        options.Option("Also store the times of training and selecting, which differ from run to run."),
    ] = False,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    to: Annotated[
        str | Path | None,
        options.Option(
            "Also write the predictions as OASC schedules, to DIR/<scenario>/<selector>.json.",
            metavar="DIR",
        ),
    ] = None,
    written: Callable[[Path], None] | None = None,
) -> list[Trained]:
    """Train selectors on every cross-validation split, and store their predictions.

    names: rf, rfreg, zilla, sunny, isac, asap, which need the extra ``selectors``; those of other packages;
    ``module:NAME`` of whatever ``ae.evaluate`` takes; or all. ``written`` is called with each file below
    ``to``. A scenario that cannot be trained on has its ``error`` in the answer.

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


@options.public
def audit(  # noqa: PLR0913 - one for each option
    selector: Annotated[
        Any, options.Option("Which selector.", flags="", metavar="SELECTOR", registry=(_SELECTORS,))
    ],
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    scheme: _Scheme = "aslib",
    seed: options.Seed = 1,
    protocol: _Trained = "default",
    groups: options.Groups = None,
    attribute: Annotated[
        options.FamilyAttribute, options.Option(goes_without=("groups",), because="chooses the families")
    ] = None,
    draws: Annotated[
        int, options.Option("Number of bootstrap samples of the families.", least=1, most=10**6)
    ] = 2000,
    level: Annotated[float, options.Option("Confidence level of the intervals.")] = 0.95,
    jobs: options.Jobs = None,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Show how a selector's closed gap changes without similar training instances, or on altered data.

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
        raise AslibError(
            f"the confidence level {level} is not between 0 and 1", "audit", "Say 0.95 for 95 %."
        )
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
    "SELECTOR is a name that 'aslib-eval train' knows, or module:NAME. Each row is a trial: the command "
    "trains the selector on other splits or on altered data, such as permuted features. The column "
    "'change' compares each trial with the trial 'folds', which is ordinary cross-validation.",
)


def _require_folder(to: Path) -> None:
    there = next(path for path in (to.absolute(), *to.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        what = "cannot be written" if there.is_dir() else "is no folder"
        raise AslibError(what, str(there), "Name another --to; nothing was trained.")


@options.public
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
