"""Selectors that are trained on the scenarios of a lake: the command ``train``."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval.commands import AnyProtocol
from aslib_eval.errors import AslibError
from aslib_eval.options import SEEDS, Cluster, Jobs, Lake, Option, Prefix, Scenarios
from aslib_eval.signatures import public

if TYPE_CHECKING:
    from aslib_eval.extensions.training.analysis.training import Trained

_SELECTORS = "aslib_eval.extensions.training.analysis.models:SELECTORS"
LearningTarget = Literal["cost", "gap", "area"]


@public
def train(  # noqa: PLR0913 - one for each option
    names: Annotated[
        Sequence[str],
        Option(
            "Which selectors.",
            flags="",
            metavar="NAME...",
            registry=(_SELECTORS, "all"),
        ),
    ],
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    scheme: Annotated[
        str,
        Option(
            "Train on each split of this scheme; 'aslib-eval resample' makes others."
        ),
    ] = "aslib",
    seed: Annotated[int, Option("Same seed, same selection.", least=0, most=SEEDS)] = 1,
    prefix: Prefix = "",
    replace: Annotated[
        bool,
        Option("Also put them in the place of imported predictions of the same name."),
    ] = False,
    protocol: Annotated[
        AnyProtocol,
        Option("Whose cost the selectors learn to lower.", metavar="NAME|FILE"),
    ] = "default",
    target: Annotated[
        LearningTarget,
        Option(
            "What they learn to lower: the measure's cost, or of trajectories the gap "
            "to the best known objective at the end, or its mean over time."
        ),
    ] = "cost",
    times: Annotated[
        bool,
        Option(
            "Also store what training and choosing take, which is never twice the same."
        ),
    ] = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    to: Annotated[
        str | Path | None,
        Option(
            "Also write DIR/<scenario>/<selector>.json, as OASC schedules.",
            metavar="DIR",
        ),
    ] = None,
    written: Callable[[Path], None] | None = None,
) -> list[Trained]:
    """Train selectors on every split and store what they answer.

    names: rf, rfreg, zilla, sunny, isac, asap, or all. Needs the extra ``selectors``.
    to: also write <to>/<scenario>/<selector>.json, as OASC schedules; ``written`` is
    called with each of these files. times: also store what training and choosing
    take, which is never twice the same. A scenario that cannot be trained on has its
    ``error`` in the answer.

    written: called with each file.

    Raises:
        AslibError: for an unknown name, or when ``to`` cannot be written.

    >>> found = ae.train(["sunny"], "lake", prefix="my-", jobs=1)
    >>> found[0].selectors
    ('my-sunny',)
    """
    from aslib_eval.executors import workers
    from aslib_eval.extensions.training.analysis.models import SELECTORS
    from aslib_eval.extensions.training.analysis.training import train as run

    chosen = tuple(SELECTORS) if "all" in names else names
    if to is not None:
        _require_folder(Path(to))
    with workers(jobs=jobs, cluster=cluster) as they:
        outcomes = run(
            Path(lake),
            chosen,
            scenarios=scenarios,
            scheme=scheme,
            seed=seed,
            protocol=protocol,
            target=target,
            jobs=they.jobs,
            executor=they.executor,
            progress=sys.stderr.isatty(),
            prefix=prefix,
            replace=replace,
            times=times,
        )
    learned = [outcome.scenario_id for outcome in outcomes if outcome.error is None]
    if to is not None and learned:
        from aslib_eval.extensions.training.analysis.schedules import (
            write_schedules,
        )

        files = write_schedules(
            Path(lake),
            Path(to),
            scenarios=[glob.escape(scenario) for scenario in learned],
            selectors=tuple(prefix + name for name in chosen),
            cv_scheme=scheme,
        )
        for file in files if written is not None else ():
            written(file)  # type: ignore[misc]
    return outcomes


def _require_folder(to: Path) -> None:
    """Raise AslibError before the training if the folder cannot be written."""
    there = next(
        path for path in (to.absolute(), *to.absolute().parents) if path.exists()
    )
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        what = "cannot be written" if there.is_dir() else "is no folder"
        raise AslibError(what, str(there), "Name another --to; nothing was trained.")
