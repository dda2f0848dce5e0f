"""Read the blocks of values to compare from the views, a row for each independent unit.

A run of a quality measure fails if its value is missing or its status is neither ok nor timeout; the
remarks of a block report how such runs count. An unsolved run of a runtime measure has the value PARk. The
import refuses runs that are missing altogether.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from math import isfinite
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.compare.question import FAMILY, Block, Question
from aslib_eval.analysis.runs import Pivot, codes_of, is_usual, known_families, pivot, usual_kind
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import counts_as
from aslib_eval.database.sqlfiles import quoted
from aslib_eval.database.views import UNKNOWN_FAMILY
from aslib_eval.errors import AslibError
from aslib_eval.options import ComparedKind
from aslib_eval.statistics.distributions import column_means
from aslib_eval.text import comparable, list_names, one_of, plural

Floats = NDArray[np.float64]

# Remarks on the population and on failed runs.


def population_remarks(part: pl.DataFrame, question: Question) -> Iterator[str]:
    """Remarks on the population that is compared, without full stops."""
    if question.unit == "instances" and part["n_values"].max() != 1:
        yield "the program averages the repetitions of an instance because they are not independent"
    if question.unit == "instances" and "selector" in set(part["kind"]):
        yield "the test ignores that the folds of a selector share training instances"
    if question.unit == "folds":
        yield "folds share training instances, so they are not independent"
    if question.unit == "scenarios" and question.declared.unit_bound:
        yield f"scenarios have their own units of {question.metric}: those with large values dominate"
    virtual = {"SBS", "VBS", "VWS"} & set(part.filter(kind="baseline")["solver"])
    if virtual and question.unit != "folds":
        names = ", ".join(sorted(virtual))
        yield f"{names} {'was' if len(virtual) == 1 else 'were'} chosen on the same instances"


_NAMED = 5  # names listed before "and others"


def with_failures(part: pl.DataFrame) -> pl.DataFrame:
    """Add the columns ``n_lost`` and ``has_failed``: number of failed runs, and if any.

    Both are 0 for runtimes, and for selectors and baselines, which have no runs.
    """
    quality = pl.col("measure_type") == "solution_quality"
    lost = pl.when(quality).then(pl.col("n_failed")).cast(pl.Int64).fill_null(0)
    part = part.with_columns(lost.alias("n_lost"))
    return part.with_columns((pl.col("n_lost") > 0).alias("has_failed"))


def failure_remarks(part: pl.DataFrame, question: Question) -> Iterator[str]:
    """Remark on the solvers with failed runs, and how these count."""
    failed = part.filter("has_failed")
    rule, value = part.select("failures", "failure_value").row(0)
    if not failed.height or (rule == "left_out" and question.unit == "instances"):
        return  # left_out_remark reports it with the number of units
    named = _named(failed, question)
    if rule == "left_out":
        yield f"failed runs ({named}) have no value, so the comparison leaves them out"
    else:
        yield f"each failed run ({named}) counts as {counts_as(rule, value)}"


def left_out_remark(part: pl.DataFrame, question: Question, *, lost: int) -> str:
    """Remark on units left out of the comparison, and whom that may favour."""
    text = f"{lost} {question.unit} are left out because a solver has no value there"
    failed = part.filter("has_failed")
    if question.unit != "instances" or not failed.height:
        return text
    if part["failures"][0] == "left_out":
        named = _named(failed, question)
        return f"{text} (failed runs: {named}), which favours solvers that fail"
    return f"{text} (every run failed)"


def nobody_complete(part: pl.DataFrame, question: Question) -> tuple[str, str | None, str] | None:
    """Message, place and hint if failures leave no instance; None in other cases."""
    if question.unit != "instances" or question.metric != "cost":
        return None
    part = with_failures(part)
    failed = part.filter("has_failed")
    if not failed.height or part["solver"].n_unique() < 2:  # noqa: PLR2004
        return None
    n = part["replicate"].n_unique()
    place = str(part["scenario_id"][0])
    if not part["value"].drop_nulls().len():
        return f"every run failed on all {n} instances", place, "There is nothing to compare."
    if failed["replicate"].n_unique() < n:
        return None
    message = f"a run failed on each of the {n} instances, so none is left"
    hint = "Give failures a value in the protocol: failures = 'beyond_worst'."
    return message, place, hint


def _named(failed: pl.DataFrame, question: Question) -> str:
    """Failed runs by solver, most first: ``A 3 on 2 instances, B 1 on 1 instance``."""
    counted = (
        failed.group_by("solver")
        .agg(runs=pl.col("n_lost").sum(), most=pl.col("n_lost").max(), units=pl.col("replicate").n_unique())
        .sort(["runs", "solver"], descending=[True, False])
    )
    names = []
    for name, runs, most, units in counted.head(_NAMED).iter_rows():
        if question.unit == "instances":
            names.append(f"{name} {runs} on {plural(units, 'instance')}")
        else:  # each row has the number of its whole scenario
            names.append(f"{name} {runs if question.unit == 'scenarios' else most}")
    if counted.height > _NAMED:
        names.append(f"{counted.height - _NAMED} more")
    return ", ".join(names)


# The kind of solver that is compared.


def select_kind(frame: pl.DataFrame, question: Question) -> tuple[pl.DataFrame, ComparedKind]:
    """The rows of the compared kind and of ``versus``, and that kind.

    Default: in each scenario selectors where there are any, else algorithms, as in a sweep; over scenarios
    one kind in all.
    """
    kind = question.kind or usual_kind(frame["kind"])
    if kind == "all":
        return frame, kind
    mine = pl.col("kind") == kind
    if question.kind is None and question.unit != "scenarios":
        mine = is_usual()
    return frame.filter(mine | (pl.col("solver") == (question.versus or ""))), kind


def nothing_to_compare(question: Question, kind: ComparedKind) -> tuple[str, None, str]:
    """Message, place and hint if no two systems are left to compare."""
    one, over = question.versus, f"{question.metric} over {question.unit}"
    noun = "system" if kind == "all" else kind
    # Who equals a baseline everywhere, as SBS, is that baseline and left out.
    message = f"no {noun} differs from {one} in {over}"
    message = message if one else f"a comparison of {over} needs two {noun}s"
    choose = "" if one else " To compare a single solver with SBS, add --versus SBS."
    return message, None, f"'aslib-eval score' lists the solvers. Choose another --kind.{choose}"


_SCOPE = {
    "instances": ["protocol", "scenario_id", "measure"],
    "folds": ["protocol", "scenario_id", "measure", "cv_scheme"],
    "scenarios": ["protocol"],
}


def blocks(lake: OpenLake, question: Question) -> list[Block]:
    """The values to compare, a block for each scenario, measure and protocol.

    Over scenarios there is one block a protocol.
    """
    frame = _rows(lake, question)
    if question.versus is not None and question.versus not in set(frame["solver"]):
        relation = question.declared.relation  # as declared by a view's header
        sql = f"select distinct solver from {relation} order by all"  # noqa: S608
        hint = one_of(question.versus, [name for (name,) in lake.rows(sql)])
        raise AslibError(f"there is no solver {question.versus}", hint=hint)
    frame, kind = select_kind(frame, question)
    if not frame.height:
        raise AslibError(*nothing_to_compare(question, kind))
    parts = _parts(frame, question)
    kept = [block for part in parts if (block := _block(part, question))]
    if not kept:
        why = next(filter(None, (nobody_complete(p, question) for p in parts)), None)
        raise AslibError(*(why or nothing_to_compare(question, kind)))
    return kept


def families_left_out(lake: OpenLake, question: Question, told: Collection[Any]) -> Iterator[str]:
    """A sentence for each scenario and family that is not among those told of.

    told: scenario and family of each block.
    """
    if question.by is None:
        return
    sql = "select distinct scenario_id, family_name(family), n_instances"
    sql += " from scenario_baseline_by where attribute = $attribute order by all"
    for scenario, family, n in lake.rows(sql, {"attribute": question.by}):
        if (scenario, family) not in told:
            yield (f"{scenario}, {family}: nothing to compare on {plural(n, 'instance')}.")


def blocks_of(
    lake: OpenLake, question: Question, protocol: str, scenarios: Sequence[str]
) -> Iterator[Block]:
    """The blocks of some scenarios under one protocol (its name), if there are any."""
    ids = ", ".join(map(quoted, scenarios))
    frame, _ = select_kind(
        _rows(lake, question, f"protocol = {quoted(protocol)} and scenario_id in ({ids})"), question
    )
    for part in _parts(frame, question):
        if block := _block(part, question):
            yield block


def _parts(frame: pl.DataFrame, question: Question) -> list[pl.DataFrame]:
    return frame.partition_by([*_SCOPE[question.unit], *question.families], maintain_order=True)


def _rows(lake: OpenLake, question: Question, where: str = "true") -> pl.DataFrame:
    metric, relation = question.metric, question.declared.relation
    several = {None: ["algorithm", "selector"], "all": ["algorithm", "selector", "baseline"]}
    asked: dict[str, object] = {"kinds": several.get(question.kind, [str(question.kind)])}
    asked["versus"] = question.versus or ""
    if question.unit == "instances":
        asked["most"] = question.declared.most
        asked["in_cutoffs"] = question.declared.in_cutoffs
    # Only names that headers of views declare, and quoted ones, are spliced.
    select = f"select *, {metric} as value from {relation} where {where}"  # noqa: S608
    lake.prepare([relation])
    lake.connection.execute(f"create or replace temp view compared_value as {select}")
    try:
        frame = lake.ask(f"compared_{question.unit}", asked)
    finally:
        lake.connection.execute("drop view compared_value")
    if question.solvers:
        globs = (*question.solvers, *filter(None, [question.versus]))
        named = {n for n in frame["solver"] if any(n == glob or fnmatchcase(n, glob) for glob in globs)}
        frame = frame.filter(pl.col("solver").cast(pl.String).is_in(named))
    if question.unit == "scenarios":
        return frame
    measures = lake.ask("select scenario_id, measure, maximize from raw_scenario")
    frame = frame.join(measures, on=["scenario_id", "measure"], how="left")
    return frame if question.by is None else _with_family(lake, frame, question.by)


def _with_family(lake: OpenLake, frame: pl.DataFrame, attribute: str) -> pl.DataFrame:
    sql = "select * exclude attribute replace (family_name(value) as value)"
    sql += " from raw_attribute where attribute = $attribute"
    found = lake.ask(sql, {"attribute": attribute}).cast(pl.String)
    found = found.rename({"instance_id": "replicate", "value": FAMILY})
    frame = frame.with_columns(pl.col("scenario_id", "replicate").cast(pl.String))
    frame = frame.join(found.select("scenario_id").unique(), on="scenario_id")
    frame = frame.join(found, on=["scenario_id", "replicate"], how="left")
    return frame.with_columns(pl.col(FAMILY).fill_null(UNKNOWN_FAMILY)).sort(
        "protocol", "scenario_id", "measure", pl.col(FAMILY) == UNKNOWN_FAMILY, FAMILY, maintain_order=True
    )


def _block(part: pl.DataFrame, question: Question) -> Block | None:
    """The block of a part; None for fewer than two systems, or without ``versus``."""
    part = with_failures(_labelled(part))
    remarks = [*population_remarks(part, question), *failure_remarks(part, question)]
    if question.unit == "scenarios":
        part, more = _in_all_scenarios(part, question)
        remarks += more
    pivoted = pivot(part, rows=("replicate",), columns=("label", "kind"))
    values = pivoted.table("value")
    complete = np.asarray(~np.isnan(values).any(axis=1))
    systems = pivoted.columns.rows()
    names = [name for name, _ in systems]
    if (question.versus and question.versus not in names) or not complete.any():
        return None
    if lost := int(np.count_nonzero(~complete)):
        remarks.append(left_out_remark(part, question, lost=lost))
    same = _equal_to_versus(systems, values[complete], question)
    gone = sorted(names[at] for at in same)
    remarks += [f"left out {name}, which equals {question.versus} everywhere" for name in gone]
    order = _by_mean(names, values[complete], question)
    order = [at for at in order if at not in same]
    if len(order) < 2:  # noqa: PLR2004
        return None
    if question.by is not None and np.count_nonzero(complete) < 2:  # noqa: PLR2004
        return None  # the other families can be compared
    block = _to_block(part, question, pivoted, complete, order, remarks=remarks)
    return relative(block, question) if question.differences == "percent" else block


def relative(block: Block, question: Question) -> Block:
    """The values of each unit as shares of that of ``versus``, or of their mean.

    Of shares of ``versus`` the logarithms are compared, as twice as slow then weighs as much as twice as
    fast; a value of 0, or of another sign than the rest, has none, and where there is one the shares
    themselves are compared. The divisor is taken without its sign, so what is better stays better. Units on
    which it is 0 have no percent difference: they are left out, and a remark says how many. Shares of the
    mean of k values of 0 or more lie between 0 and k, which bounds their intervals.

    Source: Campelo and Wanner 2020, eq. 6 to 8.
    """
    who = "the mean of all"
    divisor = column_means(block.values.T)
    if question.versus is not None:
        who = f"the value of {question.versus}"
        divisor = block.values[:, block.systems.index(question.versus)]
    defined = divisor != 0
    if not defined.any():
        raise AslibError(
            f"{who} is 0 on every {block.unit}, so percent differences are undefined",
            block.scenario_id,
            "Use --differences simple.",
        )
    values = block.values[defined] / abs(divisor[defined, None])
    remarks = [*block.remarks, f"on each {block.unit}, differences are divided by {who}"]
    if lost := block.n - len(values):
        noun = block.unit.partition(" ")[0]
        remarks.append(
            f"left out {plural(lost, noun)} where {who} is 0: percent differences are undefined there"
        )
    if (divisor < 0).any():
        remarks.append(f"{who} is negative on some {block.unit}; its absolute value is used")
    logs = 0
    if question.versus is not None:
        logs = int((values > 0).all()) - int((values < 0).all())
    if logs:
        values = logs * np.log(abs(values))
        remarks.append("the mean is the geometric mean of the ratios")
    elif question.versus is not None:
        remarks.append(
            "the mean of the ratios is arithmetic because a value is 0 or signs differ; a few large ratios"
            " may dominate it"
        )
    bounded = question.versus is None and bool((block.values >= 0).all())
    some = block.families
    if some is not None:
        some = np.unique(some[defined], return_inverse=True)[1]
    order = _by_mean(block.systems, values, question)
    return replace(
        block,
        systems=tuple(block.systems[at] for at in order),
        kinds=tuple(block.kinds[at] for at in order),
        values=values[:, order],
        solved=None if block.solved is None else block.solved[defined][:, order],
        failed=block.failed[defined][:, order],
        remarks=tuple(remarks),
        n_left_out=block.n_left_out + lost,
        ceiling=float(len(block.systems)) if bounded else None,
        logs=logs,
        families=some,
    )


def _equal_to_versus(systems: Sequence[tuple[str, str]], values: Floats, question: Question) -> list[int]:
    """Columns that equal a baseline ``versus``, such as the algorithm that is SBS."""
    one = (question.versus or "", "baseline")
    if one not in systems:
        return []
    at = systems.index(one)
    same = (values == values[:, [at]]).all(axis=0)
    return [other for other in np.flatnonzero(same).tolist() if other != at]


def _by_mean(names: Sequence[str], values: Floats, question: Question) -> list[int]:
    """Best first; equal means, but for the last digits, by name."""
    sign = 1 if question.lower_is_better else -1
    keys = [comparable(sign * mean) for mean in column_means(values)]
    return sorted(range(len(keys)), key=lambda at: (keys[at], names[at]))


def _to_block(
    part: pl.DataFrame,
    question: Question,
    pivoted: Pivot,
    complete: NDArray[np.bool_],
    order: Sequence[int],
    *,
    remarks: Sequence[str],
) -> Block:
    first: dict[str, Any] = part.row(0, named=True)
    unit = {"instances": "instance", "scenarios": "scenario"}.get(question.unit)
    better = "higher" if first.get("maximize") else "lower"
    of_quality = first.get("measure_type") == "solution_quality" and "measure" in first
    timed = question.unit == "instances" and first["measure_type"] == "runtime"
    systems = [pivoted.columns.row(at) for at in order]
    return Block(
        protocol=first["protocol"],
        scenario_id=first.get("scenario_id"),
        measure=first.get("measure"),
        unit=unit or f"fold of {first['cv_scheme']}",
        systems=tuple(name for name, _ in systems),
        kinds=tuple(kind for _, kind in systems),
        values=pivoted.table("value")[complete][:, order],
        solved=pivoted.table("solved")[complete][:, order] > 0 if timed else None,
        test_to_train=_test_to_train(part) if question.unit == "folds" else None,
        remarks=tuple(remarks),
        failed=pivoted.table("has_failed")[complete][:, order] > 0,
        n_left_out=int(np.count_nonzero(~complete)),
        ceiling=_ceiling(part, question),
        better=better if of_quality else None,
        family=first.get(FAMILY),
        families=_families(part, pivoted, complete, question),
    )


def _families(
    part: pl.DataFrame, pivoted: Pivot, complete: NDArray[np.bool_], question: Question
) -> NDArray[np.int64] | None:
    if question.unit != "instances" or question.inside != "families":
        return None
    names = pivoted.rows["replicate"].cast(str).filter(pl.Series(complete)).to_list()
    given = part.select(pl.col("replicate", "of_family").cast(str))
    return codes_of(known_families(names, dict(given.rows())))


def _ceiling(part: pl.DataFrame, question: Question) -> float | None:
    if question.unit == "instances":
        ceilings: list[float] = part["ceiling"].drop_nulls().to_list()
        return max(ceilings, default=None)
    most = question.declared.most
    return None if most is None or question.declared.in_cutoffs else float(most)


def _labelled(part: pl.DataFrame) -> pl.DataFrame:
    """Add a column ``label``: the solver, with its kind where two share a name."""
    kinds = part.select("kind", "solver").unique().rows()
    often = Counter(solver for _, solver in kinds)
    label = {
        (kind, solver): solver if often[solver] == 1 else f"{solver} ({kind})" for kind, solver in kinds
    }
    labels = [label[row] for row in part.select("kind", "solver").iter_rows()]
    return part.with_columns(pl.Series("label", labels, dtype=pl.String))


def _in_all_scenarios(part: pl.DataFrame, question: Question) -> tuple[pl.DataFrame, list[str]]:
    defined = part.drop_nulls("value")
    total = defined["replicate"].n_unique()
    full = defined.group_by("label").len().filter(pl.col("len") == total)["label"]
    gone = sorted(set(part["label"]) - set(full))
    remarks = []
    if gone:
        some = list_names(gone, most=3, quoted=False)
        remarks.append(f"left out, without {question.metric} in some of {total} scenarios: {some}")
    return defined.filter(pl.col("label").is_in(full.implode())), remarks


def _test_to_train(part: pl.DataFrame) -> float:
    """Ratio of test to training instances, mean over the folds of the scheme."""
    sizes = (
        part.select("replicate", "n_instances")
        .unique()
        .sort("replicate")  # the last digit of a mean depends on the order
        .with_columns(pl.col("replicate").str.split(".").list.first().alias("repetition"))
    )
    total = pl.col("n_instances").sum().over("repetition")
    ratio = pl.col("n_instances") / (total - pl.col("n_instances"))
    found = float(sizes.select(ratio.mean()).item())
    if not isfinite(found):
        raise AslibError("a single fold leaves no instance to train on", hint="Use --unit instances.")
    return found
