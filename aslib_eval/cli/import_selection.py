"""``aslib-eval import-selection``: predictions of selectors into the lake."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import say, without_pandas
from aslib_eval.text import plural

if TYPE_CHECKING:
    from aslib_eval.selections import ImportedSelection

_FILE = "scenarios/selections/TOY-2026/rf.json"
_EXAMPLE = f"aslib-eval import-selection my-rf {_FILE} --scenario TOY-2026"


@click.command("import-selection", epilog=f"Example: {_EXAMPLE}")
@click.argument("words", nargs=-1, required=True, metavar="[NAME] PATH...")
@click.option(
    "--remove", is_flag=True, help="Forget the selector NAME; no PATH is read."
)
@options_from("aslib_eval.commands.products:import_selection", without=("path", "name"))
@without_pandas()
def import_selection(
    words: tuple[str, ...],
    lake: Path,
    scenario: str | None,
    scheme: str | None,
    prefix: str,
    *,
    without_feature_costs: bool,
    remove: bool,
) -> None:
    """Read what selectors said into the lake.

    Each PATH is read. Of two words the first is a NAME for the selector, unless it is
    there, has a folder, or ends with .csv or .json.

    PATH is an OASC schedule (JSON: instance to a list of [algorithm, budget] and
    feature steps), a CSV of choices (instance, algorithm), of predicted costs
    (instance and a column per algorithm, or instance, algorithm and cost), or of
    outcomes (instance, time, status), or a folder of <scenario>/<selector>.json and
    .csv. Optional columns are selector, fold, cv_repetition and cv_scheme. A file with
    an error is left out as a whole.
    """
    from aslib_eval.commands.products import import_selection as run
    from aslib_eval.errors import AslibError

    if remove:
        _remove(words, lake, scenario, scheme)
        return
    name, paths = _name_and_paths(words)
    done: list[bool] = []
    for path in paths:
        try:
            outcomes = run(
                path,
                lake,
                name=name,
                prefix=prefix,
                scenario=scenario,
                scheme=scheme,
                without_feature_costs=without_feature_costs,
                done=_report,
            )
        except AslibError as error:
            if len(paths) == 1:
                raise
            say(error, err=True)
            done.append(False)
        else:
            done += [outcome.status != "failed" for outcome in outcomes]
    if failed := done.count(False):
        say(f"{failed} of {len(done)} not imported", err=True)
        raise SystemExit(1)


def _name_and_paths(words: tuple[str, ...]) -> tuple[str | None, list[Path]]:
    """Of two words the first is a name, unless it looks like a path or is there."""
    first = Path(words[0])
    a_path = first.exists() or first.suffix in {".csv", ".json"} or len(first.parts) > 1
    if len(words) == len(("NAME", "PATH")) and not a_path:
        return words[0], [Path(words[1])]
    return None, [Path(word) for word in words]


def _remove(
    words: tuple[str, ...], lake: Path, scenario: str | None, scheme: str | None
) -> None:
    from aslib_eval.commands.products import remove_selection

    if len(words) > 1 or scenario is None:
        message = "--remove takes one NAME and needs --scenario"
        raise click.UsageError(message)
    found = remove_selection(words[0], lake, scenario=scenario, scheme=scheme)
    say(f"removed {words[0]} of {found}")


def _report(outcome: ImportedSelection) -> None:
    from aslib_eval.errors import sentence

    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    for finding in outcome.findings:
        say(f"{finding.severity}: {finding}", err=True)
    line = f"{outcome.status} {', '.join(outcome.selectors)} of {outcome.scenario_id}:"
    schemes = ", ".join(outcome.cv_schemes)
    line += f" {plural(outcome.instances, 'answer')}, cv_scheme {schemes}"
    if outcome.replaced:
        line += f"; in the place of another file's {', '.join(outcome.replaced)}"
    say(sentence(None, line, None))
