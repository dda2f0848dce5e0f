"""Ranking as competitions do: ``competition``, and options of other commands."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval.commands import opened, silent
from aslib_eval.commands.scoring import of_solvers
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import VERSIONS
from aslib_eval.options import Cutoff, Lake, Measures, Note, Option, ScenarioId, Scenarios, Solvers, SqlDirs
from aslib_eval.paths import Paths, as_paths
from aslib_eval.signatures import public

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.errors import Finding
    from aslib_eval.extensions.competitions.record import CompetitionRecord
    from aslib_eval.importer import Imported

Rule = Annotated[
    str | Path | None,
    Option(
        "Rank as a competition does: by a rule, a glob on rules, or a TOML file.",
        metavar="NAME|FILE",
        as_text=True,
    ),
]


def score_by_rule(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    sql_dirs: SqlDirs = (),
    rule: Rule = None,
    solvers: Solvers = (),
    note: Note = silent,
) -> pl.DataFrame:
    """The boards of the scenarios by a rule, in the place of scores."""
    from aslib_eval.extensions.competitions.boards import board_of, rules_of

    lake = opened(lake, scenarios, ("default",), sql_dirs)
    found = board_of(lake, rules_of(lake, rule or "*"))
    if found.is_empty():
        note("no run counts by this rule: its roles, category or answers are not there")
    return of_solvers(found, (), solvers)


def check_by_rule(paths: Paths, *, rule: Rule = None, **choices: Any) -> list[Finding]:
    """The laws that a rule breaks on the scenarios of lakes, or on raw results."""
    from aslib_eval.extensions.competitions.boards import rules_of
    from aslib_eval.extensions.competitions.laws import findings
    from aslib_eval.importer import import_scenarios

    lakes = [path for path in as_paths(paths) if (path / VERSIONS).is_dir()]
    raw = [path for path in as_paths(paths) if path not in lakes]
    found = []
    with tempfile.TemporaryDirectory(prefix="aslib-eval-") as scratch:
        if raw:
            lake = Path(scratch) / "lake"
            imported = import_scenarios(raw, into=lake, **choices)
            told = (finding for each in imported for finding in each.findings)
            found += [finding for finding in told if finding.severity == "error"]
            lakes += [lake] if (lake / VERSIONS).is_dir() else []
        for path in lakes:
            with opened(path, (), ("default",), ()) as there:
                found += findings(there, rules_of(there, rule or "*"))
    return found


@public
def competition(  # noqa: PLR0913 - one for each choice
    name: Annotated[str, Option("Its rule, as in the relation rule.", flags="", metavar="NAME")],
    paths: Annotated[Paths, Option("Its raw results, as for import.", flags="", metavar="PATH...")],
    *,
    published: Annotated[
        str | Path | None,
        Option(
            "Published tables: a page, text or CSV file, a folder or an archive; each "
            "value is held against ours.",
            metavar="PATH",
        ),
    ] = None,
    names: Annotated[
        str | Path | None,
        Option(
            "Of {published}: a CSV file of printed names and solvers (printed,solver).",
            metavar="FILE",
            goes_with="published",
        ),
    ] = None,
    no_search: Annotated[
        bool,
        Option(
            "Of {published}: seek no change that explains the values that differ.", goes_with="published"
        ),
    ] = False,
    hors_concours: Annotated[
        Sequence[str], Option("Solvers without a place: a name or a pattern.", metavar="GLOB")
    ] = (),
    into: Annotated[
        str | Path | None,
        Option("Keep the runs in this lake.", flags="--lake", metavar="DIR", shown="none is kept"),
    ] = None,
    scenario_id: ScenarioId = "",
    cutoff: Cutoff = None,
    measure: Measures = (),
    sql_dirs: SqlDirs = (),
    done: Callable[[Imported], None] | None = None,
    note: Note = silent,
) -> CompetitionRecord:
    """Rank a competition by its rule, and hold what was published against it.

    name: a rule, such as sat2023; rules called ``name``-sat and the like are of the same competition and
    come along. paths: its raw results, whatever ``import`` reads. published: tables of which each value is
    held against ours. Where some differ, the smallest change of the rule is sought under which none does.
    names: who is meant by printed names that do not tell. no_search: that search, whose steps are limited,
    is left out. hors_concours: solvers that count for the others and have no place. into: a lake, in which
    the runs are kept; None: in none. scenario_id, cutoff, measure: as for ``import_scenarios``; a rule is
    made for scenarios of some names. done: called with each scenario that was imported.

    Raises:
        AslibError: there is no such rule, nothing was imported, or a published board
            or solver is none of these.

    >>> record = ae.competition("par10", "scenarios/TOY-2026")
    >>> record.differs
    False
    """
    from aslib_eval.extensions.competitions.laws_at_import import TRIED_LATER
    from aslib_eval.extensions.competitions.record import record
    from aslib_eval.importer import import_scenarios

    given = Path(name)  # organisers call the folder of a year as its rule: sat2023
    if given.suffix != ".toml" and (given.is_file() or (given.exists() and len(given.parts) > 1)):
        what = f"{str(name)!r} is a file or folder, and no rule"
        raise AslibError(what, "NAME", "The rule comes first: sat2023 RESULTS.")
    with ExitStack() as stack:
        lake = (
            Path(into) if into else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aslib-")))
        )
        stack.callback(TRIED_LATER.reset, TRIED_LATER.set(True))
        outcomes = import_scenarios(
            paths, into=lake, scenario_id=scenario_id, cutoff=cutoff, measure=measure, done=done
        )
        for outcome in outcomes:
            if outcome.error is not None:
                raise outcome.error
        return record(
            opened(lake, [outcome.scenario_id for outcome in outcomes], ("default",), sql_dirs),
            name,
            results=Path(published) if published else None,
            names=Path(names) if names else None,
            outside=hors_concours,
            progress=None if no_search else note,
        )


def check_by_answers(
    paths: Paths,
    *,
    answers: Annotated[bool, Option("What solvers said, too: answers that cannot all be right.")] = False,
    **choices: Any,
) -> list[Finding]:
    """All findings, and an error for each answer that contradicts another one."""
    from aslib_eval.extensions.competitions.boards import findings
    from aslib_eval.importer import import_scenarios
    from aslib_eval.linter import check_paths

    found = check_paths(paths, **choices)
    if not answers or any(each.severity == "error" for each in found):
        return found
    with tempfile.TemporaryDirectory(prefix="aslib-") as lake:
        import_scenarios(paths, into=lake, **choices)
        return [*found, *findings(opened(lake, (), ("default",), ()))]
