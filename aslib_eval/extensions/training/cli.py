"""``aslib-eval train``: real selectors on every split."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say

if TYPE_CHECKING:
    from aslib_eval.extensions.training.training import Trained


@made_of(
    "aslib_eval.extensions.training:train", example="train rf --scenario 'TOY*' --prefix new- --jobs 1"
)
def train(run: Callable[..., list[Trained]], **options: Any) -> None:
    """Train selectors on every cross-validation split, and store their predictions.

    \b
    NAME is one of these:
      rf           a random forest that predicts the best algorithm
      rfreg        one random forest per algorithm, to predict its cost
      zilla        one weighted random forest per pair of algorithms
      sunny        a schedule made from the nearest neighbours
      isac         the algorithm that is best in the instance's cluster
      asap         short runs of some algorithms, then rfreg
      all          all selectors above, and the selectors of plug-ins
      module:NAME  your function, or a selector of the package asf (asf.selectors:PairwiseClassifier)

    The first six selectors need the optional dependencies 'selectors'. If you stop the command, start it
    again to continue. If a scenario holds imported predictions under the same name, the command skips the
    scenario, unless you give --replace or --prefix.
    """  # noqa: D301
    files: list[Path] = []
    outcomes = run(**options, written=files.append)
    for outcome in outcomes:
        _report(outcome)
    if files:
        say("\n".join(map(str, files)))
    if failed := sum(outcome.error is not None for outcome in outcomes):
        say(f"training failed on {failed} of {len(outcomes)} scenarios", err=True)
        raise SystemExit(1)


def _report(outcome: Trained) -> None:
    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    line = f"trained {outcome.scenario_id}: {', '.join(outcome.selectors)}"
    line += f"; {outcome.n_splits} splits of {outcome.cv_scheme}"
    if outcome.n_resumed:
        line += f", {outcome.n_resumed} of them done before"
    if outcome.replaced:
        line += f"; replaced {', '.join(outcome.replaced)}"
    say(line)
    for sentence in outcome.same:
        say(f"note: {outcome.scenario_id}: {sentence}", err=True)
    for name, home in outcome.elsewhere.items():
        others = f"'gap' scores {name} by its predictions on {home}"
        hint = f"Its predictions on {outcome.cv_scheme} are in instance_selector and split_gap."
        say(f"note: {outcome.scenario_id}: {others}. {hint}", err=True)
