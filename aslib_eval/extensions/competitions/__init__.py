"""``competition``, ``score --rule``, ``check --rule``, ``check --answers``, and laws tried at import."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval import options
from aslib_eval.analysis import of_solvers
from aslib_eval.commands import opened, silent
from aslib_eval.errors import AslibError, Finding
from aslib_eval.options import RARE, Note, Option, public
from aslib_eval.paths import Paths, as_paths

if TYPE_CHECKING:
    import duckdb
    import polars as pl

    from aslib_eval.extensions.competitions.record import CompetitionRecord
    from aslib_eval.importer import Imported
    from aslib_eval.lake.versions import Version

Rule = Annotated[
    str | Path | None,
    Option(
        "Rank by this competition rule: a name or pattern, such as 'sat2023*', or a .toml file.",
        metavar="NAME|FILE",
        as_text=True,
    ),
]


def score_by_rule(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    sql_dirs: options.SqlDirs = (),
    rule: Rule = None,
    solvers: options.Solvers = (),
    note: Note = silent,
) -> pl.DataFrame:
    """The boards of the scenarios by a rule, instead of scores."""
    from aslib_eval.extensions.competitions.rules import board_of, rules_of

    lake = opened(lake, scenarios, sql_dirs=sql_dirs)
    found = board_of(lake, rules_of(lake, rule or "*"))
    if found.is_empty():
        note("the rule counts no run: no run has the roles, the category or the answers that it requires")
    return of_solvers(found, (), solvers)


def check_by_rule(
    paths: Paths,
    *,
    rule: Annotated[
        Rule,
        Option(
            "List the axioms of ranking that this competition rule violates on these data. For example, a "
            "copy of a solver must not change the order of the other solvers.",
            heading=RARE,
        ),
    ] = None,
    **choices: Any,
) -> list[Finding]:
    """The laws that a rule breaks on the scenarios of lakes, or on raw results."""
    from aslib_eval.extensions.competitions.rules import findings, rules_of
    from aslib_eval.importer import import_scenarios
    from aslib_eval.lake.schema import VERSIONS

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
            with opened(path) as there:
                found += findings(there, rules_of(there, rule or "*"))
    return found


@public
def competition(  # noqa: PLR0913 - one for each choice
    name: Annotated[str, Option("Name of the rule, as in the relation rule.", flags="", metavar="NAME")],
    paths: Annotated[Paths, Option("Raw results, as for import.", flags="", metavar="PATH...")],
    *,
    published: Annotated[
        str | Path | None,
        Option(
            "Check these published tables: a web page, a text or CSV file, a folder or an archive.",
            metavar="PATH",
        ),
    ] = None,
    names: Annotated[
        str | Path | None,
        Option(
            "With {published}: CSV file with the columns 'printed' (published name) and 'solver'.",
            metavar="FILE",
            goes_with="published",
        ),
    ] = None,
    no_search: Annotated[
        bool, Option("With {published}: do not look for a change of the rule.", goes_with="published")
    ] = False,
    hors_concours: Annotated[
        Sequence[str],
        Option("Give no rank to solvers whose name matches this pattern (hors concours).", metavar="GLOB"),
    ] = (),
    into: Annotated[
        str | Path | None,
        Option(
            "Keep the imported runs in this lake.",
            flags="--lake",
            metavar="DIR",
            shown="the runs are not kept",
        ),
    ] = None,
    scenario_id: options.ScenarioId = "",
    cutoff: options.Cutoff = None,
    measure_column: options.Measures = (),
    sql_dirs: options.SqlDirs = (),
    done: Callable[[Imported], None] | None = None,
    note: Note = silent,
) -> CompetitionRecord:
    """Rank the solvers of a competition by its rule, and check published results.

    name: a rule, such as sat2023; rules such as sat2023-sat are used too. A rule refuses scenarios of other
    competitions. If published values differ from ours, the smallest change of the rule that explains all of
    them is sought. hors_concours: solvers without a place that count for the others. done: called with each
    imported scenario.

    >>> record = ae.competition("par10", "scenarios/TOY-2026")
    >>> record.differs
    False
    """
    from aslib_eval.extensions.competitions.record import record
    from aslib_eval.importer import import_scenarios

    given = Path(name)  # a folder of results may have the name of its rule: sat2023
    if given.suffix != ".toml" and (given.is_file() or (given.exists() and len(given.parts) > 1)):
        what = f"{str(name)!r} is a file or folder, not a rule"
        raise AslibError(what, "NAME", "Type the rule before the results: competition sat2023 RESULTS.")
    with ExitStack() as stack:
        lake = (
            Path(into) if into else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aslib-")))
        )
        stack.callback(TRIED_LATER.reset, TRIED_LATER.set(True))
        outcomes = import_scenarios(
            paths,
            into=lake,
            scenario_id=scenario_id,
            cutoff=cutoff,
            measure_column=measure_column,
            done=done,
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
    answers: Annotated[
        bool, Option("Also list answers that contradict each other, such as sat and unsat.", heading=RARE)
    ] = False,
    **choices: Any,
) -> list[Finding]:
    """All findings, and an error for each answer that contradicts another one."""
    from aslib_eval.extensions.competitions.rules import contradictions
    from aslib_eval.importer import import_scenarios
    from aslib_eval.linter import check_paths

    found = check_paths(paths, **choices)
    if not answers or any(each.severity == "error" for each in found):
        return found
    with tempfile.TemporaryDirectory(prefix="aslib-") as lake:
        import_scenarios(paths, into=lake, **choices)
        return [*found, *contradictions(opened(lake))]


# Rows of a view that trying the laws may take: a share of all runs, but at least so many. A limit by rows
# gives the same findings for the same files.
_SHARE, _LEAST = 0.05, 5000
# Whether the caller of import tries the laws itself.
TRIED_LATER: ContextVar[bool] = ContextVar("laws are tried later", default=False)


def broken_at_import(lake: Path, scenarios: Sequence[str]) -> Iterator[Finding]:
    """A warning for each law that the rule of a competition breaks on its results.

    Laws that the rule lacks are not tried, nor scenarios without a rule of their own or without answers.
    """
    from aslib_eval.lake.versions import lease

    if TRIED_LATER.get():
        return
    with lease(lake) as held:
        there = [each for name in scenarios if (each := held.version(name)) is not None]
        there = [each for each in there if each.file("answer").is_file()]
        if not there:
            return
        # The rules of all competitions are read for scenarios that have answers alone.
        from aslib_eval.database.sqlfiles import our_rows
        from aslib_eval.extensions.competitions.rule_fit import open_laws, own_rules

        rules = {row.name: row.values for row in our_rows("rule")}
        of_rule: dict[str, list[Version]] = {}
        for version in there:
            for name in own_rules(version.scenario_id, rules)[:1]:
                if open_laws(rules[name], is_complete=_is_complete(version)):
                    of_rule.setdefault(name, []).append(version)
        if of_rule:
            yield from _broken(of_rule, rules)


def _is_complete(version: Version) -> bool:
    import pyarrow.parquet as pq

    columns = ["instance_id", "repetition", "algorithm"]
    runs = pq.read_table(version.file("run"), columns=columns)
    runs = runs.group_by(columns).aggregate([])
    solvers = runs.group_by("algorithm").aggregate([]).num_rows
    return bool(runs.num_rows == solvers * runs.group_by(columns[:2]).aggregate([]).num_rows)


def _broken(
    of_rule: Mapping[str, Sequence[Version]], rules: Mapping[str, Mapping[str, Any]]
) -> Iterator[Finding]:
    import duckdb

    from aslib_eval.extensions.competitions.rules import LAWS, Ranking, turned_orders

    with duckdb.connect(config={"threads": 1}) as con:
        ranking = Ranking(con)
        for name, some in of_rule.items():
            rule = {**rules[name], "rule": name}
            turned = turned_orders(_some_runs(con, some, rule), rule, ranking=ranking)
            for law, (scenario, how) in turned.items():
                what = f"{name} breaks a law here: {LAWS[law]}, but {how}"
                hint = f"Type aslib-eval check --rule {name} PATH for the smallest example."
                yield Finding(f"law-{law}", "warning", scenario, None, what, hint)


def _some_runs(
    con: duckdb.DuckDBPyConnection, versions: Sequence[Version], rule: Mapping[str, Any]
) -> pl.DataFrame:
    from aslib_eval.database.views import frame_of, raw_select
    from aslib_eval.extensions.competitions.rules import spread_instances, sql_file
    from aslib_eval.lake.schema import RELATIONS

    view, raw = sql_file("competition_run"), []
    for name, relation in RELATIONS.items():
        if f"raw_{name}" in view.reads:
            files = [each.file(name) for each in versions]
            select = raw_select(relation, [str(f) for f in files if f.is_file()])
            raw.append(f"raw_{name} as ({select})")
    known = f"with {', '.join(raw)}"
    counted = "count(*), count(distinct algorithm), list(distinct instance_id)"
    asked = con.sql(f"{known} select {counted} from raw_run")  # noqa: S608
    runs, solvers, names = asked.fetchall()[0]
    some = spread_instances(sorted(names), (runs, solvers), rule, rows=max(_LEAST, round(_SHARE * runs)))
    chosen = f"from ({view.sql}) where instance_id in (select unnest($some))"
    return frame_of(con.sql(f"{known} {chosen}", params={"some": some}))
