"""Frames of the commands ``list``, ``score`` and ``gap``, read from the views."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import counts_as
from aslib_eval.database.sqlfiles import BY, SOLVER
from aslib_eval.database.views import solver_metrics
from aslib_eval.errors import AslibError
from aslib_eval.plugins import plug_ins
from aslib_eval.text import did_you_mean, list_names, number, one_of, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aslib_eval.analysis.runs import Group


def summary(lake: OpenLake) -> pl.DataFrame:
    """One row per protocol, scenario and measure: its size and baselines.

    ``selectors``: the number of each origin, split, seed and version.
    """
    return lake.ask("scenario_list")


def scores(lake: OpenLake, *, attribute: str | None = None) -> pl.DataFrame:
    """One row per protocol, scenario, measure and solver: solved, PARk, cost, SGM.

    Last, every metric that a view of ``--sql`` declares, and those of plug-ins. attribute: a row for each
    of its families as well, of the instances that have one value; then a metric of ``--sql`` has values if
    its view says ``families: yes``, and those of plug-ins are left out.
    """
    if attribute is not None:
        found = lake.ask("score_by_list", {"attribute": attribute})
        return with_added(lake, found, attribute=attribute)
    found = with_added(lake, lake.ask("score_list"))
    if not plug_ins("metrics"):
        return found
    from aslib_eval.analysis.objectives import with_own

    return with_own(lake, found)


def with_added(lake: OpenLake, frame: pl.DataFrame, *, attribute: str | None = None) -> pl.DataFrame:
    """A frame of a row per solver with a column for each metric that is not ours.

    frame: with the columns SOLVER, whose protocol may have its hash behind it. attribute: of which the
    frame has families; null where a metric has none of them.
    """
    ours = solver_metrics()
    names = [name for name in lake.metrics if name not in ours]
    if not names:
        return frame
    key = SOLVER if attribute is None else (*SOLVER, "family")
    sql = "select * from solver_value where list_contains($names, metric)"
    wanted: dict[str, object] = {"names": names}
    if attribute is not None:
        sql = sql.replace("solver_value", f"solver_value{BY}")
        sql = sql.replace("*", "* replace (family_name(family) as family)", 1)
        sql += " and attribute = $attribute"
        wanted["attribute"] = attribute
    values = lake.ask(sql, wanted).with_columns(pl.col(*key, "metric").cast(pl.String))
    wide = values.pivot("metric", index=key, values="value")
    if attribute is not None:
        wide = wide.with_columns(pl.lit(None, pl.Float64).alias(n) for n in {*names} - {*wide.columns})
    name = pl.col("protocol").str.split("@").list.first()
    left: list[pl.Expr | str] = [name, *key[1:]]
    return frame.join(wide, left_on=left, right_on=list(key), how="left", maintain_order="left").select(
        *frame.columns, *names
    )


def scenarios_without(lake: OpenLake, attribute: str) -> list[str]:
    """The scenarios of whose instances no one has the attribute."""
    found = lake.rows("attributes_of_scenarios")
    known = sorted({name for _, names in found for name in names})
    if attribute not in known:
        raise AslibError(
            f"no instance has the attribute {attribute!r}",
            None,
            one_of(attribute, known) if known else "Import it with --family or --attributes.",
        )
    return [scenario for scenario, names in found if attribute not in names]


def failure_notes(lake: OpenLake) -> list[str]:
    """How failed runs of quality measures count, in one line for each scenario."""
    return [
        f"{scenario} ({measure}), {protocol}: each of the {n} failed runs counts as"
        f" {counts_as(rule, value)}"
        for scenario, measure, protocol, n, rule, value in lake.rows("failed_runs")
    ]


def unit_notes(lake: OpenLake) -> list[str]:
    """The unit of times, a line for each; nothing where no scenario states it."""
    sql = "select distinct scenario_id, time_unit from raw_scenario"
    sql += " semi join chosen_measure using (scenario_id, measure) where measure_type = 'runtime'"
    found = sorted(lake.rows(sql))
    units = dict.fromkeys(unit for _, unit in found if unit)
    said = []
    for unit in units:
        names = [name for name, own in found if own == unit]
        some = list_names(names, most=3, quoted=False)
        of = "" if len(names) == len(found) else f" of {some}"
        said.append(f"Times, PARk and costs{of} are in {unit}.")
    return said


def gaps(lake: OpenLake, *, attribute: str | None = None) -> pl.DataFrame:
    """One row per protocol, scenario, measure and solver: gaps and related scores.

    attribute: a row for each of its families as well. SBS then is still that of the scenario, as the
    protocol chooses it; the family's own best stands beside it.

    ``trained``: split, seed and version of a selector's training, and the other schemes on which it has
    predictions.
    """
    if attribute is not None:
        return lake.ask("gap_by_list", {"attribute": attribute})
    return lake.ask("gap_list")


def metric_gaps(lake: OpenLake, metrics: Sequence[str], *, others: Sequence[str] = ()) -> pl.DataFrame:
    """One row per solver and wanted metric: its gaps with respect to that metric.

    SBS has the best value of the metric, VBS on each instance the best that an algorithm has; under Borda a
    selector is alone among the algorithms. A gap that is not defined is null, with a reason. others:
    metrics that have a gap elsewhere, which an error names as well.

    Source: Amadini et al. 2023, Definition 3.
    """
    known = metrics_with_gap(lake)
    every = (*known, *(name for name in others if name not in known))
    for name in metrics:
        if name not in known:
            hint = f"{did_you_mean(name, every)} Available: {', '.join(every)}.".strip()
            raise AslibError(f"there is no metric {name!r} that has a gap", hint=hint)
    return lake.ask("metric_gap_list", {"metrics": list(metrics)})


def mznc_of_runtimes(lake: OpenLake, *, metric: str = "borda") -> pl.DataFrame:
    """Rows of ``metric_gaps`` for MZNC, which is Borda where a scenario has runtimes alone."""
    kinds = lake.rows("select scenario_id, measure_type from raw_scenario")
    valued = [scenario for scenario, kind in kinds if kind != "runtime"]
    timed = metric_gaps(lake, [metric]).filter(~pl.col("scenario_id").cast(pl.String).is_in(valued))
    return timed.with_columns(metric=pl.lit("mznc"))


def metrics_with_gap(lake: OpenLake) -> list[str]:
    """Names of the metrics of ``metric_gaps``."""
    return [name for (name,) in lake.rows("metrics_with_gap")]


def same_choices(choices: pl.DataFrame) -> list[str]:
    """A sentence on each selector that does not tell the instances of a fold apart.

    choices: rows of ``report_choice``, of the splits that matter.
    """
    found = []
    for row in choices.iter_rows(named=True):
        who, what = row["selector"], "; ".join(row["algorithms"] or ())
        n, n_folds, n_same = row["n_instances"], row["n_folds"], row["n_same"]
        if row["n_choices"] == 1 and n > 1:
            found.append(f"{who} chose {what} on all {n} instances that it answers.")
        elif n_same:
            of_folds = f"{n_same} of {plural(n_folds, 'fold')}"
            found.append(f"{who} made the same choice for all instances in {of_folds}: {what}.")
    return found


def losses(lake: OpenLake) -> pl.DataFrame:
    """Losses of every selector relative to VBS: one row per cause of loss.

    Causes that cost nothing anywhere are left out; the first row of a selector is VBS, the last the
    selector itself; of these ``level`` alone is known. ``gap_share`` is of the gap between SBS and VBS: 1
    minus all of a selector is its closed gap. ``loss`` is what a cause costs after those before it,
    ``shapley`` what it costs in the mean over all orders of the causes, ``alone`` what is saved if it alone
    is put right.
    """
    return lake.ask("loss_list")


def main_causes(found: pl.DataFrame) -> pl.DataFrame:
    """The cause that costs each selector most, in the ledger's order and in no order.

    found: from ``losses``, or of ``report_loss``. One row per protocol (where there is one), scenario,
    measure and selector that loses anything: ``in_order``, the cause of the largest ``loss``,
    ``over_orders``, that of the largest ``shapley``, and ``pays_most``, that of the largest ``alone``; each
    with its ``*_cost``. The first of equals, to 12 digits; null where the largest is not above 0.
    """
    key = [c for c in ("protocol", *_SELECTOR) if c in found.columns]
    each = {"in_order": "loss", "over_orders": "shapley", "pays_most": "alone"}
    costs = [pl.col(column).round_sig_figs(12) for column in each.values()]
    lost = found.filter(pl.any_horizontal(pl.col(*each.values()) != 0))
    largest = (
        part
        for name, column in each.items()
        for part in (
            pl.col("step").get(pl.col(column).arg_max()).alias(name),
            pl.col(column).max().alias(f"{name}_cost"),
        )
    )
    named = lost.with_columns(costs).group_by(key, maintain_order=True).agg(largest)
    return named.with_columns(
        pl.when(pl.col(f"{name}_cost") > 0).then(pl.col(name)).alias(name) for name in each
    )


_SELECTOR = ("scenario_id", "measure", "solver")
# The columns of ``gap --why``.
LOSS_WORDS = (
    "loss: mean cost that a cause adds, in the order of the rows; gap_share: loss / (SBS - VBS); "
    "shapley: loss averaged over all orders; alone: saving if only this cause is removed; level: "
    "mean cost after this row."
)
_NAMED = 3  # selectors in a sentence that all have one cause in common
_SAID = 12  # selectors whose losses stand in a sentence each


def mending(found: pl.DataFrame, unit: str = "") -> list[str]:
    """Sentences on the causes of loss of one scenario's selectors.

    Which cause would pay most if it alone were mended, by how much of the mean cost, and for whom another
    cause costs most over all orders than in the ledger's. None where nothing is lost. found: as for
    ``main_causes``. unit: of costs, as `` [s]``.
    """
    main = main_causes(found).drop_nulls("pays_most").to_dicts()
    whom: dict[str, list[tuple[str, float]]] = {}
    for row in main:
        saved = row["solver"], row["pays_most_cost"]
        whom.setdefault(row["pays_most"], []).append(saved)
    saves = [_saved(cause, rows) for cause, rows in whom.items()]
    begins = "Removing this cause of loss saves the most mean cost"
    said = [f"{begins}{unit}: {'; '.join(saves)}."]
    differ = [
        f"{row['solver']} ({row['over_orders']} instead of {row['in_order']})"
        for row in main
        if row["over_orders"] != row["in_order"]
    ]
    if differ:
        said.append(
            f"Averaged over all orders of the causes, another cause costs most for {', '.join(differ)}."
        )
    return said if saves else []


def _saved(cause: str, rows: Sequence[tuple[str, float]]) -> str:
    """The selectors that save most by removing a cause, and how much; a range for many."""
    if len(rows) <= _NAMED:
        whom = ", ".join(f"{name} ({number(cost)})" for name, cost in rows)
        return f"{cause} for {whom}"
    costs = [cost for _, cost in rows]
    least, most = number(min(costs)), number(max(costs))
    return f"{cause} for {len(rows)} selectors ({least} to {most})"


def loss_notes(found: pl.DataFrame) -> list[str]:
    """What to know of the causes of loss, in one line for each selector of a scenario.

    That features cost less than nothing, and why; and that the order of the causes decides which of them
    costs most. found: from ``losses``.
    """
    won = found.filter((pl.col("step") == "feature cost") & (pl.col("loss") < 0))
    notes = [
        f"{scenario}, {solver}: the feature cost is negative: the feature computation"
        " solved instances (presolving) on which the chosen algorithm takes longer or fails"
        for scenario, solver in won.select("scenario_id", "solver")
        .unique()
        .sort("scenario_id", "solver")
        .rows()
    ]
    main = main_causes(found).filter(pl.col("in_order") != pl.col("over_orders"))
    return notes + [
        f"{row['scenario_id']}, {row['solver']} ({row['protocol']}): in the rows' order, the costliest"
        f" cause is {row['in_order']} ({number(row['in_order_cost'])}); averaged over all orders,"
        f" it is {row['over_orders']} ({number(row['over_orders_cost'])})"
        for row in main.to_dicts()
    ]


def loss_shares(found: pl.DataFrame) -> list[str]:
    """What of the gap a selector of a scenario loses by which cause, a line for each.

    Nothing of more selectors than a screen takes, and of one without a closed gap. found: from ``losses``.
    """
    said = []
    for _, some in found.group_by(["protocol", *_SELECTOR], maintain_order=True):
        first, causes = some.row(0, named=True), some.slice(1, some.height - 2)
        who = f"{first['scenario_id']}, {first['solver']}"
        if not causes.height:
            said.append(f"{who}: it is as good as VBS and loses nothing")
        elif causes["gap_share"].null_count() < causes.height:
            rows = zip(causes["step"], causes["gap_share"].fill_null(0), strict=True)
            lost = sorted(rows, key=itemgetter(1), reverse=True)
            parts = [f"{100 * share:.1f} % ({step})" for step, share in lost if share]
            gap = 100 * (1 - sum(share for _, share in lost))
            words = f"closes {gap:.1f} % of the gap and loses {', '.join(parts)}"
            said.append(f"{who}: {words}")
    return said if len(said) <= _SAID else []


def fold_notes(found: pl.DataFrame) -> list[str]:
    """Where gaps of selectors are over other folds than those of algorithms.

    A selector has the folds of the repetitions of the cross-validation for which it was trained, algorithms
    those of all. One line for each scenario and protocol. found: from ``gaps`` or ``metric_gaps``.
    """
    folds = pl.col("n_folds") + pl.col("n_undefined")
    of = ["scenario_id", "measure", "protocol"]
    counts = found.with_columns(folds.max().over([*of, "solver"]).alias("folds"))
    most = counts.filter(kind="algorithm").group_by(of).agg(most=pl.max("folds"))
    fewer = (
        counts.filter(kind="selector")
        .join(most, on=of)
        .filter(pl.col("folds") != pl.col("most"))
        .unique([*of, "solver"])
        .sort(*of, "solver")
        .group_by(*of, "folds", "most", maintain_order=True)
        .agg("solver")
    )
    return [
        f"{row['scenario_id']} ({row['measure']}), {row['protocol'].partition('@')[0]}:"
        f" the gaps of {', '.join(row['solver'])} use {plural(row['folds'], 'fold')}, but the gaps of"
        f" algorithms use {row['most']} (all repetitions of the cross-validation), so do not"
        " compare selectors with algorithms"
        for row in fewer.to_dicts()
    ]


# Marginal contributions and Shapley values, for ``score --contribution``.


def contributions(lake: OpenLake) -> pl.DataFrame:
    """Contribution of each solver to the portfolio of its kind.

    One row per protocol, scenario, measure and solver: VBS without it, absolute and relative marginal
    contribution (``amc``, ``rmc``), and its Shapley value, all of the cost; the empty portfolio times out
    everywhere. Runtime measures of at least two solvers only.

    Source: Amadini et al. 2023, section 2.2.
    """
    from aslib_eval.analysis.runs import KINDS, groups

    parts = [
        _contribution(group, kind, protocol.penalty)
        for protocol in lake.protocols
        for kind in KINDS
        for group in groups(lake, protocol.protocol, kind=kind)
    ]
    if not parts:
        raise AslibError("no scenario has two solvers with runtimes")
    order = ["scenario_id", "measure", "protocol", "kind", "shapley", "solver"]
    return pl.concat(parts).sort(order, descending=[False, False, False, True, True, False])


def _contribution(group: Group, kind: str, penalty: float) -> pl.DataFrame:
    from aslib_eval.metrics.scale import amc, rmc, shapley, vbs_without

    n = group.n_entrants
    costs = group.runs.par(penalty)[:, :n]
    empty = penalty * group.runs.cutoffs
    marginal = amc(costs, empty=empty)
    return pl.DataFrame(
        {
            "protocol": [group.protocol] * n,
            "scenario_id": [group.scenario_id] * n,
            "measure": [group.measure] * n,
            "kind": [kind] * n,
            "solver": group.names[:n],
            "n": [group.n_instances] * n,
            "cost": costs.mean(axis=0),
            "vbs_without": vbs_without(costs, empty=empty),
            "amc": marginal,
            "rmc": pl.Series(rmc(marginal).to_list(), dtype=pl.Float64),
            "shapley": shapley(costs, empty=empty),
        }
    )
