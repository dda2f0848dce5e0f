"""The record of a competition: its boards, and every published value beside ours."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions import rule_fit
from aslib_eval.extensions.competitions.published_cells import (
    CellComparison,
    Cells,
    OneInstance,
    are_thousandths,
    cells_of,
    read_names,
    swapped,
)
from aslib_eval.extensions.competitions.published_pages import published
from aslib_eval.extensions.competitions.raw_runs import OUTSIDE
from aslib_eval.extensions.competitions.rule_fit import Change, Explained, Rule, fit_of, require_own
from aslib_eval.extensions.competitions.rules import (
    BOARDS,
    LAWS,
    Ranking,
    rules_of,
    sql_file,
    tried_on,
    turned_orders,
)
from aslib_eval.provenance import code
from aslib_eval.text import join_words, list_names, number, one_of, plural

# Limits by rows, not by seconds, give the same sentences for the same files.
# Rows of a view for trying laws: a share of the runs under all rules, but at least so many.
_SHARE, _LEAST = 0.1, 2000
_ROWS = 600_000  # of views, for the search for a change of the rule: some seconds
Rules = Mapping[str, Mapping[str, Any]]
BOARD = ("scenario_id", "rule", "part_of", "part")


@dataclass(frozen=True, eq=False)
class Published:
    """Published values beside ours.

    cells: every compared value, with ``ours`` and ``equal``. n: number of published values, with those not
    compared. passed_over, said: as in ``Cells``. unequal_pairs: number of pairs with points that sum
    neither to the rule's sum nor to 0; None without pairs. explained: changes of the rule that explain the
    values that differ; None if none differs. moved: rows of rule_board with another place (``place_then``)
    under the first of these changes. instance: leaving it out, or counting it twice, explains some values.
    """

    cells: pl.DataFrame
    n: int
    passed_over: tuple[str, ...]
    said: tuple[str, ...]
    unequal_pairs: int | None
    explained: rule_fit.Explained | None
    moved: pl.DataFrame | None
    instance: OneInstance | None = None

    @property
    def different(self) -> pl.DataFrame:
        """The values that differ from ours."""
        return self.cells.filter(~self.cells["equal"])


@dataclass(frozen=True, eq=False)
class CompetitionRecord:
    """The boards of a competition by its rule, and all that they were made of.

    rules: rows of ``rule``, ``hash``, ``about``, ``document``. boards: rows of rule_board. left_out: see
    ``left_out``. instances: for each scenario ``n``, and the ``sha256`` of the sorted ``names``, each on a
    line. solvers: with ``role`` and ``configuration`` (version, options, hosts), if the files have them.
    files: ``scenario_id``, ``file``, ``bytes`` and ``sha256``. warnings: ``scenario_id`` and ``warning`` of
    the import. code: version and hash of the program. remarks: sentences about the rule and these runs.
    published: the comparison with published values. ask: answers a file of sql/frame, with its parameters,
    from these runs and rules.
    """

    name: str
    rules: pl.DataFrame
    boards: pl.DataFrame
    left_out: pl.DataFrame
    instances: pl.DataFrame
    solvers: pl.DataFrame
    files: pl.DataFrame
    warnings: pl.DataFrame
    code: str
    remarks: tuple[str, ...]
    published: Published | None
    ask: Callable[[str, Mapping[str, object]], pl.DataFrame]

    @property
    def differs(self) -> bool:
        """Whether a published value differs from ours."""
        return self.published is not None and self.published.different.height > 0


def record(
    lake: OpenLake,
    name: str,
    *,
    results: Path | None = None,
    names: Path | None = None,
    outside: Sequence[str] = (),
    progress: Callable[[str], None] | None,
) -> CompetitionRecord:
    """The boards of the rules called ``name``, or ``name``-…, and the comparison with published values.

    name: of a rule, or a TOML file with rules. results: published tables. names: see ``read_names``.
    outside: names or patterns of solvers hors concours. progress: reports the search for a change of the
    rule that explains values; None: do not search.
    """
    runs = _with_roles(lake.ask("select * from competition_run"), outside)
    rules, made = _rules(lake, name, runs)
    name = next(iter(rules))
    every = {row.name: row.values for row in lake.lineage.views["rule"].rows}
    remarks = require_own(name, rules[name], lake.scenarios, every)
    rules = {
        rule: said
        for rule, said in rules.items()
        if any(fit_of(said, each, every.values()) != "other" for each in lake.scenarios)
    }
    ranking, rows = Ranking(), list(rules.values())
    boards = ranking.board(runs, rows)
    if of_categories := [rule for rule in rules if rule in made]:
        what = f"Each of the boards {list_names(of_categories, quoted=False)} ranks one category of solvers"
        remarks.append(f"{what}, by the rule with which its name begins.")
    remarks += broken(name, rules[name], runs, ranking, rules=len(rules))
    beside = None
    if results is not None:
        cells = cells_of(
            *(published(results), runs, boards),
            rules=rules,
            name=name,
            given=read_names(names) if names else {},
        )
        if not cells.frame.height:
            hint = f"The published values are {'; '.join((*cells.passed_over, *cells.said))}."
            raise AslibError(f"the rule {name} gives none of the published values", str(results), hint)
        now = {*boards.filter(boards["place"].is_not_null()).select("scenario_id", "solver").rows()}
        if unsaid := {who: cells.outside[who] for who in cells.outside if who in now}:
            runs = _outside(runs, [*unsaid])
            boards = ranking.board(runs, rows)
            for role in dict.fromkeys(unsaid.values()):
                who = join_words(sorted({s for _, s in unsaid if unsaid[_, s] == role}))
                remarks.append(f"{role.capitalize()}, as published: {who}.")
        beside = _beside(cells, runs, boards, rules, ranking, progress)
    return CompetitionRecord(
        name,
        rules=_described(rules, ranking, boards),
        boards=boards,
        left_out=left_out(runs, ranking.answer("rule_run", runs, rows, columns=ENTERED), boards, rules),
        instances=instances_of(runs),
        solvers=solvers_of(lake, runs),
        files=lake.ask(FILES),
        warnings=warnings_of(lake),
        code=code(lake.sql_dirs),
        remarks=tuple(remarks),
        published=beside,
        ask=partial(ranking.ask, runs=runs, rules=rows),
    )


def _with_roles(runs: pl.DataFrame, outside: Sequence[str]) -> pl.DataFrame:
    """The runs, with solvers hors concours that a pattern names."""
    solvers = runs["solver"].unique(maintain_order=True).to_list()
    meant = {pattern: [solver for solver in solvers if fnmatchcase(solver, pattern)] for pattern in outside}
    if unknown := [pattern for pattern, found in meant.items() if not found]:
        what = f"no solver is called {', '.join(map(repr, unknown))}"
        raise AslibError(what, "--hors-concours", one_of(unknown[0], solvers))
    named = {solver for found in meant.values() for solver in found}
    pairs = runs.select("scenario_id", "solver").unique().rows()
    return _outside(runs, [pair for pair in pairs if pair[1] in named])


def _outside(runs: pl.DataFrame, who: Sequence[tuple[str, str]]) -> pl.DataFrame:
    key = ["scenario_id", "solver"]
    named = pl.DataFrame(who, schema=dict.fromkeys(key, pl.String), orient="row")
    named = named.with_columns(outside=pl.lit(OUTSIDE))
    joined = runs.join(named, on=key, how="left", maintain_order="left")
    return joined.with_columns(role=pl.coalesce("outside", "role")).drop("outside")


def _rules(lake: OpenLake, name: str, runs: pl.DataFrame) -> tuple[Rules, frozenset[str]]:
    """The rules of a competition by name, and the names of those made here.

    A rule of pairs without a category gets one more rule for each category of solvers.
    """
    rows = rules_of(lake, name, option="NAME")
    if len(rows) == 1:
        rows += [row for row in lake.lineage.views["rule"].rows if row.name.startswith(f"{rows[0].name}-")]
    found = {row.name: {**row.values, "rule": row.name} for row in rows}
    there = {*found}
    every = runs["categories"].explode().drop_nulls().unique().sort()
    for rule, said in list(found.items()):
        if said.get("scoring") == "pairs" and not said.get("category"):
            for category in every:
                own = f"{rule}-{category}"
                found.setdefault(own, {**said, "category": category, "rule": own})
    return found, frozenset(found.keys() - there)


def _described(rules: Rules, ranking: Ranking, boards: pl.DataFrame) -> pl.DataFrame:
    names = set(boards["rule"])
    used = {name: said for name, said in rules.items() if name in names}
    rows = [(name, ranking.hash_of(s), s.get("about"), s.get("document")) for name, s in used.items()]
    columns = dict.fromkeys(("rule", "hash", "about", "document"), pl.String)
    return pl.DataFrame(rows, schema=columns, orient="row")


def _beside(
    cells: Cells,
    runs: pl.DataFrame,
    boards: pl.DataFrame,
    rules: Rules,
    ranking: Ranking,
    progress: Callable[[str], None] | None,
) -> Published:
    """Every published value beside ours, and why they differ if progress is given."""
    comparison = CellComparison(cells, runs, rules, ranking, boards)
    frame = comparison.ours().drop("of")
    different = frame.filter(~frame["equal"])
    explained, moved, instance = None, None, None
    if different.height and progress is not None and not are_thousandths(frame):
        progress("Looking for the smallest change of the rule that explains the difference ...")
        instance = comparison.one_instance(different)
        first = rules[str(different["rule"].first())]
        sample = comparison.sampled(different)
        steps = _ROWS // sample.rows
        explained = rule_fit.explain(
            rule_fit.alternatives(sql_file("rule").defaults, first),
            comparison.effects,
            sample=sample.effects,
            tries=min(rule_fit.TRIES, steps),
            steps=steps if instance is None else steps // 2,
            checks=max(1, _ROWS // comparison.rows),
        )
        if explained.changes:
            rows = [rule_fit.changed(row, explained.changes[0], name=rule) for rule, row in rules.items()]
            moved = _moved(boards, ranking.board(runs, rows))
    unequal = _unequal_pairs(frame, rules) if cells.are_pairs else None
    said = (cells.n_published, cells.passed_over, cells.said)
    return Published(frame, *said, unequal, explained, moved, instance)


def _moved(boards: pl.DataFrame, then: pl.DataFrame) -> pl.DataFrame:
    key = [*BOARD, "solver"]
    others = then.select(*key, place_then="place")
    both = boards.select(*key, "place").join(others, on=key, maintain_order="left")
    return both.filter(both["place"].ne_missing(both["place_then"]))


def _unequal_pairs(cells: pl.DataFrame, rules: Rules) -> int:
    """The number of pairs with points that sum neither to the rule's points of a pair nor to 0."""
    pair = ["rule", "scenario_id", "part"]
    back = cells.select(*pair, solver="other", other="solver", back="value")
    sums = cells.join(back, on=[*pair, "solver", "other"]).filter(pl.col("solver") < pl.col("other"))
    total = sums["value"] + sums["back"]
    points = {name: said.get("pair_points") or 1.0 for name, said in rules.items()}
    whole = sums["rule"].replace_strict(points, return_dtype=pl.Float64)
    return int((((total - whole).abs() > _PRINTED) & (total != 0)).sum())


_PRINTED = 2.5e-6  # two values of six decimals each


def broken(name: str, rule: Rule, runs: pl.DataFrame, ranking: Ranking, *, rules: int) -> list[str]:
    """A sentence for each quickly tried law that is broken on these runs.

    The trial takes about a tenth of the time of the boards. rules: the number of rules with boards.
    """
    some = tried_on(runs, rule, rows=max(_LEAST, round(_SHARE * runs.height * rules)), boards=BOARDS)
    return [
        f"The rule {name} breaks a law: {LAWS[law]}, but {said}."
        f" Type aslib-eval check --rule {name} PATH for the smallest example."
        for law, (_, said) in turned_orders(some, rule, ranking=ranking).items()
    ]


FILES = "select scenario_id, file, bytes, sha256 from raw_source order by all"
_Left = tuple[str, str, list[str]]  # what, why, names
_KEY = ["instance_id", "repetition", "solver"]
ENTERED = ("rule", "scenario_id", *_KEY, "answer", "removed")  # columns of rule_run that are read
_PLACED = ["competing"]  # the default of the relation rule


def instances_of(runs: pl.DataFrame) -> pl.DataFrame:
    """The instances of each scenario, and a hash that names them."""
    rows = []
    for (scenario,), frame in runs.group_by("scenario_id", maintain_order=True):
        names = sorted(frame["instance_id"].unique().to_list())
        text = "".join(f"{name}\n" for name in names)
        rows.append((scenario, len(names), hashlib.sha256(text.encode()).hexdigest(), names))
    return pl.DataFrame(rows, schema=["scenario_id", "n", "sha256", "names"], orient="row")


def solvers_of(lake: OpenLake, runs: pl.DataFrame) -> pl.DataFrame:
    """Every solver with its role and configuration."""
    called = lake.ask("select scenario_id, algorithm as solver, configuration from raw_algorithm")
    key = ["scenario_id", "solver"]
    roles = runs.select(*key, "role").unique(maintain_order=True)
    return roles.join(called, on=key, how="left", maintain_order="left").sort(key)


def warnings_of(lake: OpenLake) -> pl.DataFrame:
    """The warnings of the import, without the folders of the files."""
    rows = [
        (scenario, f"{Path(found['file']).name}{line}: {found['message']}")
        for scenario, manifest in lake.manifests.items()
        for found in manifest["findings"]
        for line in ["" if found["line"] is None else f":{found['line']}"]
        if found["severity"] == "warning"
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("scenario_id", "warning"), pl.String), orient="row")


def left_out(
    runs: pl.DataFrame, entered: pl.DataFrame, boards: pl.DataFrame, rules: Mapping[str, Mapping[str, Any]]
) -> pl.DataFrame:
    """What does not count, or has no place, by each rule in each scenario.

    runs: rows of competition_run. entered: ``ENTERED`` of rule_run. boards: of rule_board. A row has
    ``scenario_id``, ``rule``, ``what`` (instances, solvers or answers), ``why``, ``n`` and the sorted
    ``names``; an answer is named by solver and instance.
    """
    of = ["rule", "scenario_id"]
    counted = entered.partition_by(of, as_dict=True)
    ranked = boards.filter(part_of="all").partition_by(of, as_dict=True)
    elsewhere = without_runs(runs)
    rows = [
        (scenario, rule, what, why, len(names), sorted(names))
        for (scenario,), there in runs.group_by("scenario_id", maintain_order=True)
        for rule, said in rules.items()
        for what, why, names in (
            ("solvers", "no run here, but in other scenarios of the track", elsewhere[scenario]),
            *_of_board(
                there,
                counted.get((rule, scenario), entered.clear()),
                ranked.get((rule, scenario), boards.clear()),
                said,
            ),
        )
        if names
    ]
    schema: dict[str, Any] = {
        **dict.fromkeys(("scenario_id", "rule", "what", "why"), pl.String),
        "n": pl.Int64,
        "names": pl.List(pl.String),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _of_board(
    runs: pl.DataFrame, entered: pl.DataFrame, board: pl.DataFrame, said: Mapping[str, Any]
) -> Iterator[_Left]:
    yield from _instances(runs, entered, said)
    yield from _solvers(runs, entered, board, said)
    late = entered.filter(entered["answer"].is_null() & entered["removed"].is_null())
    both = runs.filter(runs["claim"].is_not_null()).join(late.select(_KEY), on=_KEY, maintain_order="left")
    names = [f"{solver} on {name}" for name, _, solver in both.select(_KEY).rows()]
    yield "answers", "after the limit", names


def _instances(runs: pl.DataFrame, entered: pl.DataFrame, said: Mapping[str, Any]) -> Iterator[_Left]:
    names = set(runs["instance_id"])
    idle = names - set(runs.filter(was_run(runs))["instance_id"])
    yield "instances", "no solver ran on it", [*idle]
    why = "of another track" if said.get("track") else "no solver that counts ran on it"
    yield "instances", why, [*names - idle - set(entered["instance_id"])]
    for reason, words in (
        ("disagreement", "sound solvers say sat and unsat"),
        ("answers", f"not known to be {said.get('answers')}"),
    ):
        yield "instances", words, [*set(entered.filter(removed=reason)["instance_id"]) - idle]


def _solvers(
    runs: pl.DataFrame, entered: pl.DataFrame, board: pl.DataFrame, said: Mapping[str, Any]
) -> Iterator[_Left]:
    roles = dict(runs.select("solver", "role").rows())
    idle = {*roles} - set(runs.filter(was_run(runs))["solver"])
    yield "solvers", "no run on any instance", [*idle]
    outside = {*roles} - idle - set(entered["solver"])
    absent = {name for name in outside if (roles[name] or "competing") == "competing"}
    category = said.get("category")
    why = f"not in the category {category}" if category else "no run on this track"
    yield "solvers", why, [*absent]
    placed = said.get("placed") or _PLACED
    for role in dict.fromkeys(role for role in roles.values() if role is not None):
        of_role = {name for name, its in roles.items() if its == role}
        yield "solvers", f"{role}: does not count", [*of_role & (outside - absent)]
        if role not in placed:
            yield "solvers", f"{role}: has no place", [*of_role - outside - idle]
    may_win = board.filter(board["role"].is_in(placed) & board["place"].is_null())
    yield "solvers", "disqualified: a wrong answer", may_win["solver"].to_list()


def without_runs(runs: pl.DataFrame) -> dict[str, list[str]]:
    """Scenario → solvers with runs in other scenarios of its track, but not in this one."""
    key = ["scenario_id", "solver"]
    tracks = runs.select("scenario_id", "track").unique()
    run = runs.filter(was_run(runs)).select("track", "solver").unique()
    every = tracks.join(run, on="track", nulls_equal=True).select(key).unique()
    found: dict[str, list[str]] = {each: [] for each in tracks["scenario_id"]}
    for scenario, solver in every.join(runs, on=key, how="anti").rows():
        found[scenario].append(solver)
    return found


def was_run(runs: pl.DataFrame) -> pl.Series:
    """Whether each run took place; others are not applicable."""
    return runs["ended"].ne_missing("not_applicable")


_SHOWN = 10  # values that differ, and moved places


def sentences(record: CompetitionRecord, *, values: bool = True) -> list[str]:
    """The result of the comparison, then the remarks. values: whether to name values that differ."""
    found = record.published
    compared = () if found is None else _compared(found, values=values)
    return [*compared, *record.remarks]


def _compared(found: Published, *, values: bool) -> Iterator[str]:
    cells, different = found.cells, found.different
    n, some = plural(found.n, "published value"), different.height
    if found.n > cells.height:
        which = f"{some} of {cells.height} compared values differ from the computed values"
        which = which if some else f"All {cells.height} compared values are reproduced"
        yield f"{which}; {found.n} values are published."
    elif some:
        yield f"{some} of {n} differ from the computed values."
    else:
        yield f"All {n} are reproduced."
    for scenario, one, other in swapped(cells):
        what = f"The published values of {one} and {other} ({scenario}) are swapped"
        yield f"{what}: check their columns in the runs and in the table."
    if are_thousandths(cells):
        yield "The times of the runs are 1000 times the published times. Divide them by 1000."
    if (it := found.instance) is not None:
        how = "is counted twice" if it.twice else "is left out"
        n = f"{some - it.left} of the {some} differences" if it.left else "All differences"
        yield f"{n} disappear if the instance {it.name} ({it.scenario}) {how}."
    if found.explained is not None:
        yield from _explained(found.explained, found)
    if found.unequal_pairs:
        pairs = plural(found.unequal_pairs, "pair")
        yield f"The published points of {pairs} have a wrong sum, neither 0 nor the points of a pair."
    if values:
        yield from _different(found)
    if found.passed_over:
        yield f"Not compared, because no rule gives such values: {join_words(found.passed_over)}."
    yield from found.said


def _different(found: Published) -> Iterator[str]:
    for row in found.different.head(_SHOWN).iter_rows(named=True):
        who = row["solver"] + (f" against {row['other']}" if row["other"] else "")
        where = row["scenario_id"] + ("" if row["part"] == "all" else f", {row['part']}")
        ours = "nothing" if row["ours"] is None else number(row["ours"])
        at = ":".join(str(x) for x in (row["file"], row["line"]) if x is not None)
        what = f"{row['column']} of {who} ({where}; {row['restriction']})"
        yield f"{at}: {what} is published as {row['printed']}; the runs give {ours}."
    if (left := found.different.height - _SHOWN) > 0:
        yield f"{left} more values differ; use --format json to see all."


def _explained(explained: Explained, found: Published) -> Iterator[str]:
    says = partial(_words, meanings=sql_file("rule").columns)
    left = plural(found.different.height, "value")
    if explained.changes:
        first, *others = map(says, explained.changes)
        yield f"The smallest change of the rule that explains all values: {first}."
        for other in others[:_SHOWN]:
            yield f"Another change of the same size: {other}."
        yield from _moved_sentences(found)
        return
    scope = "" if explained.complete else " that matter here"
    most = plural(explained.most, "choice")
    if explained.is_cut:
        tried = plural(explained.tried, "change")
        yield f"The search tried {tried} of the rule; none explains all {left}."
    else:
        yield f"No change of up to {most}{scope} explains all {left}."
    if explained.left < found.different.height:
        yield f"The best change leaves {explained.left} unexplained: {says(explained.nearest)}."


def _moved_sentences(found: Published) -> Iterator[str]:
    if found.moved is None or not found.moved.height:
        yield "With this change, all places stay the same."
        return
    boards = found.moved.group_by("scenario_id", "rule", "part", maintain_order=True)
    for at, ((scenario, rule, part), rows) in enumerate(boards):
        if at == _SHOWN:
            yield "More boards change; use --format json to see all."
            return
        moves = [
            f"{solver} from {before or 'none'} to {after or 'none'}"
            for solver, before, after in rows.select("solver", "place", "place_then").iter_rows()
        ]
        more = f" and {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else ""
        where = f"{rule} of {scenario}" + ("" if part == "all" else f", {part}")
        yield f"With this change, places change in {where}: {', '.join(moves[:_SHOWN])}{more}."


def _words(change: Change, *, meanings: Mapping[str, str]) -> str:
    return join_words([f"{name} = {_value(x)} ({short(meanings[name], x)})" for name, x in change])


def short(meaning: str, value: object) -> str:
    """The meaning of a value, from the description of its column of ``rule``.

    >>> short("what becomes of it: removed; kept, and right; out, and wrong", "out")
    'what becomes of it: out, and wrong'
    """
    first, *others = meaning.split("; ")
    lead, colon, rest = first.partition(": ")
    if not isinstance(value, str) or not others:
        return lead if isinstance(value, str | tuple) or value is None else first
    fitting = [piece for piece in [rest or lead, *others] if re.match(rf"{value}\b", piece)]
    what = fitting[0].removeprefix(f"{value}: ") if fitting else ""
    return ": ".join(filter(None, (lead if colon or not what else "", what)))


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    return number(value)
