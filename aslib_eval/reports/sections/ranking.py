"""The rankings of selectors and of algorithms: by how much each is ahead, and how surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import mean
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.pairs import LEGEND, is_clear
from aslib_eval.analysis.compare.systems import Compared, groups_legend, legend
from aslib_eval.analysis.results import RunMatrix, ScenarioResults, SuiteResults, first_of
from aslib_eval.analysis.summaries import mending, same_choices
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.gaps import advantage, fold_gaps, fold_name, speedup
from aslib_eval.figures.ranks import all_tie, bump, suite_ranks
from aslib_eval.metrics.scale import amc, rmc, shapley, vbs_without
from aslib_eval.reports.html import (
    IN_UNIT,
    Card,
    Header,
    Html,
    HtmlTable,
    Section,
    cards,
    details,
    figure,
    in_unit,
    join,
    live,
    metric_columns,
    own_column,
    paragraph,
    tag,
)
from aslib_eval.statistics.distributions import binary_scale
from aslib_eval.text import (
    KNOWN,
    aligned,
    brief,
    comparable,
    list_names,
    number,
    percent,
    plural,
    rounded_to_zero,
)

_STORED = "; always under the report's protocol, whatever you choose"
GROUP = Header("sk_group", "group", f"Scott-Knott group by mean, 1 = best{_STORED}")
VS_BEST = Header("mark", "vs best", f"compared with the best mean{_STORED}")


def compared_columns(found: Compared | None, against: str, unit: str) -> tuple[list[Header], list[Header]]:
    """The verdict beside the SBS, or the best; and on how many instances it wins.

    Behind the verdict is the interval that it rests on [unit].
    """
    if found is None:
        return [], []
    about = f"compared with {found.question.versus}{_STORED}"
    rests = f"interval of the mean cost saved, which the verdict uses, {about}"
    ahead = Header("ahead", f"ahead of {against}{unit}, 95 %", rests)
    return [Header("mark_sbs", f"vs {against}", about), ahead], [
        Header("better_on", "better on", f"instances where it costs less{_STORED}"),
        Header("same_on", "same on", f"instances where both cost the same{_STORED}"),
        Header("worse_on", "worse on", f"instances where it costs more{_STORED}"),
    ]


def verdict_of(row: Mapping[str, Any]) -> Html | str:
    """The verdict of a row, coloured if it says better or worse."""
    word: str = row["verdict"]
    return tag("span", word, attrs={"class": word}) if is_clear(word) else word


def marked(
    system: str, *, best: Compared | None = None, sbs: Compared | None = None, alone: str = "SBS"
) -> dict[str, Any]:
    """The cells of one system, and what they say. alone: what who is compared is."""
    cells: dict[str, Any] = {}
    tips: dict[str, str] = {}
    if sbs is not None:
        row = sbs.of(system)
        # Who is missing among the others is SBS itself.
        cells["mark_sbs"] = verdict_of(row) if row else alone
        cells["sk_group"] = (row or sbs.of("SBS")).get("sk_group")
        tips["mark_sbs"] = advantage(row, sbs) if row else f"{system} is SBS"
        if row:
            ends = [row["lower"], row["upper"]]
            cells["ahead"] = None if None in ends else " to ".join(map(brief, ends))
            cells |= {"better_on": row["wins"], "same_on": row["ties"], "worse_on": row["losses"]}
        tips["sk_group"] = f"of {_groups(sbs)} groups, SBS among them"
    if best is not None and (row := best.of(system)):
        cells["mark"] = verdict_of(row) if row["mark"] != "o" else "best"
        cells["sk_group"] = row["sk_group"]
        tips["mark"] = f"mean rank {number(row['mean_rank'])}, n = {row['n']}"
        tips["sk_group"] = f"of {_groups(best)} groups"
    return cells | {"_tips": tips}


def _groups(found: Compared) -> int:
    return max((row["sk_group"] or 0 for row in found.rows), default=0)


def legends(found: Compared | None, *, groups: bool = False, against: str = "SBS") -> Html:
    """What the verdicts, or the groups, say: test, unit, n, correction, level."""
    if found is None:
        return Html()
    words = groups_legend(found) if groups else legend(found)
    if against == "best":  # of algorithms that is SBS, whom a reader need not know
        words = words.replace("compare with SBS.", "compare with the best algorithm.")
    return tag("p", words, attrs={"class": "population as-stored"})


_IN_SIGHT = 3  # columns that a phone shows before the verdict
_MILDER = 2  # cutoffs that an unsolved instance costs, beside those of the protocol
# Statuses with a colour of their own; all others share one.
_STATUSES = ("ok", "timeout", "memout", "crash")


def kind_of(results: ScenarioResults) -> str:
    """Who is ranked first on the page: the selectors, else the algorithms."""
    return "selector" if "selector" in results.frames["score"]["kind"].to_list() else "algorithm"


def ranking(results: ScenarioResults, kind: str, *, name: str) -> Html:
    """The table of one kind, the best first, with what its verdicts mean below.

    Selectors have a bar from SBS to VBS with its interval, and SBS and VBS among them; algorithms the
    status of their runs as a bar, and a box to leave them out.
    """
    chooses, found = kind == "algorithm", results.compared(f"{kind}s_sbs")
    against = "SBS" if "selector" in {kind, kind_of(results)} else "best"  # which is the SBS of selectors
    rows = _rows(results, kind, found, against)
    verdict, often = compared_columns(found, against, results.cost_unit)
    columns = [Header("solver", kind), *_measures(results, rows, gap=not chooses)]
    columns[_IN_SIGHT:_IN_SIGHT] = verdict
    if chooses and _has(rows, "statuses"):
        columns.append(Header("statuses", "runs by status", bar="status"))
    columns += often
    tools = [_statuses(results)] if chooses else []
    if chooses and len(rows) > 1:
        tools += [
            tag("button", text, attrs={"type": "button", "id": f"choose-{which}"})
            for which, text in (("shown", "tick only the rows shown"), ("all", "tick all"))
        ]
    table = HtmlTable(
        name,
        f"The {plural(len(rows), kind)}, the best first",
        columns,
        _with_baselines(results, rows, kind),
        number(results.n),
        results.protocol,
        tools,
    )
    return join([table.html(), legends(found, against=against) if kind == kind_of(results) else None])


def _has(rows: list[dict[str, Any]], key: str) -> bool:
    return any(row.get(key) is not None for row in rows)


def _measures(results: ScenarioResults, rows: list[dict[str, Any]], *, gap: bool) -> list[Header]:
    found = []
    if gap and _has(rows, "gap"):
        about = "closed gap: 1 = VBS, 0 = SBS of the chosen portfolio"
        found.append(Header("bar", "from SBS to VBS", f"{about}; logarithmic below -1", bar="gap"))
        found.append(Header("gap", "closed gap", about, live="gap", best="max"))
        if _has(rows, "interval"):
            says = (
                "95 % interval of the closed gap, from 2000 bootstrap samples of the instances; SBS and "
                "VBS are chosen in each sample, but selectors are not retrained"
            )
            found.append(Header("interval", "closed gap, 95 %", says))
    if not results.timed:
        return [*found, own_column(results.measure, maximize=results.summary["maximize"])]
    found.append(Header("solved", "solved", "share of the instances solved", live="solved", best="max"))
    k, unit = results.choices["penalty"], results.cost_unit
    about, title = "mean PARk for the chosen penalty and instances", f"PAR{number(k)}{unit}"
    found.append(Header("now", title, about, live="par", best="min", unit=unit))
    milder = f"par{_MILDER}"
    if k != _MILDER and _has(rows, milder) and not gap:
        about = "a run that is not solved counts twice the cutoff"
        found.append(Header(milder, f"PAR{_MILDER}{unit}", about, best="min"))
    return found


def _rows(results: ScenarioResults, kind: str, found: Compared | None, alone: str) -> list[dict[str, Any]]:
    matrix, statuses = results.matrix, _parts(results) if kind == "algorithm" else {}
    return [
        {
            **row,
            **marked(row["solver"], sbs=found, alone=alone),
            "now": row["cost"],
            "gap": row["closed_gap"],
            "own": results.own(row["cost"]),
            "interval": _interval(results, row) if kind == "selector" else None,
            "statuses": statuses.get(row["solver"]),
            "_solver": matrix.number(kind, row["solver"]) if matrix else None,
            "_choose": kind == "algorithm" and matrix is not None,
        }
        for row in results.frames["score"].filter(kind=kind).to_dicts()
    ]


def _interval(results: ScenarioResults, row: Mapping[str, Any]) -> str | None:
    """The interval of its closed gap in words; None where there is none."""
    frame = results.frames.get("gap_interval")
    found = [] if frame is None else frame.filter(solver=row["solver"]).select("gap_low", "gap_high").rows()
    if row["closed_gap"] is None or found in ([], [(None, None)]):
        return None
    return " to ".join("no end" if end is None else aligned(end, 2) for end in found[0])


def _with_baselines(
    results: ScenarioResults, rows: list[dict[str, Any]], kind: str
) -> list[dict[str, Any]]:
    """The rows with VBS, and SBS if it is none of them, where their cost puts them."""
    found = results.baseline
    if found is None:
        return rows
    sbs = tag("span", live("sbs", found["sbs"]), attrs={"class": "who"})
    names = {"vbs": Html("VBS")}
    if kind == "selector":
        names["sbs"] = join(["SBS ", sbs])
    milder = f"par{_MILDER}"
    mild = dict(results.frames["score"].filter(kind="baseline").select("solver", milder).rows())
    lines = [
        {
            "solver": name,
            "now": found[f"{of}_cost"],
            "own": results.own(found[f"{of}_cost"]),
            milder: mild.get(of.upper()) if results.timed else None,
            "solved": found[f"{of}_solved"] if results.timed else None,
            "gap": float(of == "vbs") if not found["reason"] else None,
            "_baseline": of,
        }
        for of, name in names.items()
    ]
    return sorted([*lines, *rows], key=lambda row: float("inf") if row["now"] is None else row["now"])


def _parts(results: ScenarioResults) -> dict[str, Html]:
    """The runs of each algorithm by status: a bar, and words for who hears it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for algorithm, status, n in results.frames["status"].rows():
        found.setdefault(algorithm, []).append((status, n))
    bars = {}
    for name, parts in found.items():
        said = tag("span", ", ".join(f"{s} {n}" for s, n in parts), attrs={"class": "said"})
        stack = (
            tag("i", attrs={"class": _class(status), "style": f"flex-grow:{n}"})
            for status, n in sorted(parts, key=lambda part: ([*_STATUSES, part[0]].index(part[0]), part[0]))
        )
        bars[name] = join([said, tag("span", *stack, attrs={"class": "stack", "aria-hidden": "true"})])
    return bars


def _class(status: str) -> str:
    return f"s-{status}" if status in _STATUSES else "s-other"


def _statuses(results: ScenarioResults) -> Html:
    total: Counter[str] = Counter()
    for _, status, n in results.frames["status"].rows():
        total[status] += n
    shown = sorted(total, key=lambda s: (_STATUSES.index(s) if s in _STATUSES else 9, s))
    parts = (tag("span", tag("i", attrs={"class": _class(s)}), f" {s} {total[s]}") for s in shown)
    return tag("span", *parts, attrs={"class": "legend"})


_SUITE = (
    Header("solver", "selector"),
    Header("metric", "metric", words=True),
    Header("pooled", "pooled", "mean, weighted by the number of instances of each scenario"),
    Header("mean", "mean", "arithmetic mean over the scenarios with a score"),
    Header("median", "median", "median over the scenarios"),
    Header("geometric", "geometric", "geometric mean; none where a score is 0 or less"),
    Header("mean_rank", "mean rank", "mean of the ranks among the selectors"),
    Header("n_scenarios", "scenarios", "scenarios with a score"),
    Header("n_undefined", "left out", "scenarios without a score"),
    Header("n_absent", "absent", "scenarios in which only other selectors take part"),
)
_TESTED = (
    Header("system", "selector"),
    Header("mean_rank", "mean rank", "mean of its ranks over the scenarios"),
    Header("mark", "vs best", f"compared with the best mean; {LEGEND}"),
    Header("sk_group", "group", "Scott-Knott group, 1 = best"),
    Header("n", "scenarios", "scenarios on which all of them have a closed gap"),
)


def leaderboard(suite: SuiteResults) -> Section | None:
    """The selectors over all scenarios; None without any."""
    rows, protocol = suite.selectors, suite.protocol
    if not rows:
        return None
    table = HtmlTable("suite-table", "Selectors over all scenarios", _SUITE, rows, "", protocol)
    n = max(row["n_scenarios"] for row in rows)
    body: list[Html] = []
    charts: dict[str, Chart] = {}
    if (ranks := suite_ranks(suite)) is not None:
        charts["suite-ranks"] = ranks
        body.append(figure("suite-ranks", "Ranks under every metric and aggregation", ranks.about))
    if len({row["n_scenarios"] for row in rows}) > 1:
        body.append(paragraph("If a selector lacks a scenario, its aggregates cover fewer scenarios."))
    whole = join([*body, table.html(), *_tested(suite.tested, protocol)])
    over = f"up to {plural(n, 'scenario')} · protocol {protocol}"
    story = _choice(suite) or f"{plural(len({r['solver'] for r in rows}), 'selector')}."
    return Section("suite", "Every metric", over, whole, charts, finding=story, group="who")


def _choice(suite: SuiteResults) -> str:
    rows = [line.row for line in suite.lines]
    gaps = [(row["best_gap"], row["choice_gap"]) for row in rows if row.get("best_gap") is not None]
    if not gaps:
        return ""
    best, choice = (mean(column) for column in zip(*gaps, strict=True))
    return (
        f"The best selector of each scenario closes {percent(best)} of the gap in the "
        f"mean over {plural(len(gaps), 'scenario')}; choosing among the selectors on each instance "
        f"would close {percent(choice)}."
    )


def _tested(found: Compared | None, protocol: str) -> list[Html]:
    if found is None:
        return []
    if not found.rows:
        return [paragraph(found.sentence)]
    rows = [
        {**row, "mark": "best" if row["mark"] == "o" else verdict_of(row),
         "_n": plural(row["n"], "scenario")}
        for row in found.rows
    ]  # fmt: skip
    table = HtmlTable("suite-tested", "Closed gap, tested over the scenarios", _TESTED, rows, "", protocol)
    return [table.html(), *map(paragraph, (found.sentence, legend(found), groups_legend(found)))]


_FOLDS = (
    Header("fold", "fold"),
    Header("n_instances", "n", "instances of the fold"),
    Header("sbs_train", "SBS, training", "SBS of the training folds", words=True),
    Header("sbs_test", "SBS, test", "SBS of the test fold", words=True),
    Header("sbs_train_cost", "cost, training", "mean cost of the training SBS on this fold" + IN_UNIT),
    Header("sbs_test_cost", "cost, test", "mean cost of the test fold's SBS on this fold" + IN_UNIT),
    Header("vbs_cost", "VBS", "mean cost of VBS on this fold" + IN_UNIT),
)


def folds(results: ScenarioResults) -> Section | None:
    """A table of the folds, and every selector's closed gap on each."""
    frame = results.frames["fold_sbs"]
    if not frame.height:
        return None
    rows = [{**row, "fold": fold_name(row), "_n": row["n_instances"]} for row in frame.to_dicts()]
    columns = in_unit(_FOLDS, results.cost_unit)
    table = HtmlTable("folds-table", "The folds", columns, rows, "", results.protocol)
    moved = sum(row["sbs_train"] not in {None, row["sbs_test"]} for row in rows)
    text = f"In {moved} of {len(rows)} folds, the SBS of training and test differ."
    chart = fold_gaps(results)
    about = f"The SBS of a fold is chosen on these instances: {results.choices['sbs_scope']}."
    drawn = {} if chart is None else {"fold-gaps": chart}
    body = join([figure("fold-gaps", "Closed gap, fold by fold", about) if drawn else None, table.html()])
    title, over = f"Folds ({len(rows)})", results.population
    return Section("folds", title, over, body, drawn, finding=text, group="sure")


_NAME = (
    Header("solver", "algorithm"),
    Header("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"),
)
_SOLVED = (
    Header("amc", "marginal", "AMC: log10 of (cost of VBS without it / cost of VBS)",
           best="max"),
    Header("rmc", "marginal share", "RMC: its share of all marginal contributions"),
)  # fmt: skip
_LOST = (Header("lost", "marginal", "increase of the mean cost of VBS without it", best="max"),)
_REST = (
    Header("shapley", "Shapley", "share of the portfolio's saving, compared with a timeout "
           "(for a quality: the worst cost) on every instance", best="max"),
)  # fmt: skip
_DOMINATED = (
    Header("dominated", "dominated by", "algorithms that are never worse and sometimes better",
           words=True),
)  # fmt: skip


def algorithms(results: ScenarioResults) -> Section | None:
    """Their ranking, where the page begins with that of the selectors."""
    if results.matrix is None or kind_of(results) == "algorithm":
        return None
    table = ranking(results, "algorithm", name="algorithms-table")
    title = f"Algorithms ({len(results.matrix.columns('algorithm'))})"
    over, finding = results.population, _first(results)
    return Section("algorithms", title, over, table, follows="part", finding=finding, group="who")


def _first(results: ScenarioResults) -> str:
    rows = results.frames["score"].filter(kind="algorithm").to_dicts()
    if results.hopeless or not rows:
        return "No algorithm solves any instance."
    ties = len(first_of(results.frames["score"], "algorithm"))
    told = [
        f"{row['solver']} ({percent(row['solved'])} solved)"
        if results.timed
        else f"{row['solver']} ({brief(results.own(row['cost']))} {results.measure})"
        for row in rows[: max(2, min(ties, 3))]
    ]
    if ties > 1:
        more = f" and {ties - 3} more" if ties > len(told) else ""
        return f"The best are tied: {', '.join(told)}{more}."
    return f"The best is {', then '.join(told)}."


def contributions(results: ScenarioResults) -> Section | None:
    """What each algorithm adds to the portfolio, and its other scores."""
    if results.matrix is None:
        return None
    found = results.compared("algorithms_sbs")
    rows = _algorithm_rows(results, results.matrix)
    if found:
        rows = [row | marked(row["solver"], sbs=found) for row in rows]
    relative, absolute = (
        metric_columns((m for m in results.metrics.values() if m.relative is of), rows)
        for of in (True, False)
    )
    worth = (*_SOLVED, *_REST) if results.timed else (*_LOST, *_REST)
    columns = [
        column
        for column in (*_NAME, *worth, *_DOMINATED, *absolute, *((GROUP,) if found else ()), *relative)
        if any(row.get(column.key) is not None for row in rows)
    ]
    if len(columns) == 1:
        return None
    caption = "Contributions and other scores of the algorithms"
    columns, n = in_unit(columns, results.cost_unit), str(results.n)
    table = HtmlTable("contributions-table", caption, columns, rows, n, results.protocol)
    body, over = join([table.html(), legends(found, groups=True)]), results.population
    said = _finding(rows)
    return Section("contributions", "Contributions", over, body, follows="part", finding=said, group="why")


def _finding(rows: list[dict[str, Any]]) -> str:
    known = {row["solver"]: comparable(v) for row in rows if (v := row.get("shapley")) is not None}
    n = sum(row["dominated"] is not None for row in rows)
    are = "is" if n < 2 else "are"  # noqa: PLR2004
    words = f"{n or 'None'} of {plural(len(rows), 'algorithm')} {are} dominated by another."
    if not known:
        return words
    most = max(known.values())
    who = [solver for solver, share in known.items() if share == most]
    each = "contributes most" if len(who) == 1 else "each contribute most"
    return (
        f"{list_names(who, most=3, quoted=False)} {each}: {percent(most)} of the saving "
        f"of the portfolio (Shapley value). {words}"
    )


def _algorithm_rows(results: ScenarioResults, matrix: RunMatrix) -> list[dict[str, Any]]:
    worth = _contributions(results, matrix)
    dominated = dict(results.frames["dominated"].select("algorithm", "by").rows())
    return [
        {
            **row,
            "gap": row["closed_gap"],
            "_solver": matrix.number("algorithm", row["solver"]),
            "dominated": dominated.get(row["solver"]),
            **worth.get(row["solver"], {}),
        }
        for row in results.frames["score"].filter(kind="algorithm").to_dicts()
    ]


def _contributions(results: ScenarioResults, matrix: RunMatrix) -> dict[str, dict[str, float | None]]:
    """Marginal and Shapley contributions under the protocol's penalty.

    None where an algorithm has no cost on some instance.
    """
    columns = matrix.columns("algorithm")
    if not np.isfinite(matrix.costs[:, columns]).all():
        return {}
    costs = results.penalised(matrix)[:, columns]
    empty = float(costs.max())
    if results.timed:
        empty = float(results.choices["penalty"]) * float(results.summary["cutoff"])
    scale = binary_scale(costs)  # sums of large costs would overflow
    costs, empty = costs / scale, empty / scale
    marginal, values = amc(costs, empty=empty), shapley(costs, empty=empty)
    marginal = np.where(marginal <= KNOWN, 0.0, marginal)
    vbs = float(costs.min(axis=1).mean())
    lost = vbs_without(costs, empty=empty) - vbs
    shares, whole = rmc(marginal).to_list(), values.sum()
    return {
        matrix.solvers[column][1]: {
            "amc": float(marginal[i]),
            "rmc": shares[i],
            "lost": rounded_to_zero(float(lost[i]) * scale, size=vbs * scale),
            "shapley": rounded_to_zero(float(values[i] / whole)) if whole > 0 else None,
        }
        for i, column in enumerate(columns)
    }


_SELECTOR_NAME = Header("solver", "selector")
_TRAINED = Header("trained", "trained on", "split, seed and version of the training, or 'imported'",
                  words=True)  # fmt: skip


def selectors(results: ScenarioResults) -> Section | None:
    """Their scores and places by every metric, and their speedups over SBS."""
    matrix = results.matrix
    n = len(matrix.columns("selector")) if matrix else 0
    if matrix is None or not n:
        return None
    best, sbs = (results.compared(f"selectors_{name}") for name in ("tested", "sbs"))
    finding = f"{plural(n, 'selector')} by every metric, and how they were trained."
    body, charts = [_table(results, matrix, best, sbs), legends(best)], {}
    body.append(legends(best or sbs, groups=True))
    body += map(paragraph, same_choices(results.frames["choice"].filter(place=1)))
    if (places := bump(results)) is not None:
        charts["bump"] = places
        finding = places.about
        body.append(figure("bump", "The same selections, ranked by every metric"))
    elif n > 1 and all_tie(results):
        finding = "All selectors tie under every metric."
    if (times := speedup(results)) is not None:
        charts["speedups"] = times
        body.append(figure("speedups", times.title, times.about))
    if words := [paragraph(one.sentence) for one in (best, sbs) if one]:
        body.append(details("The comparison in words", *words))
    whole, over = join(body), results.population
    return Section("selectors", "Every metric", over, whole, charts, finding=finding, group="who")


_CAUSES = (
    Header("solver", "selector"),
    Header("step", "cause", words=True),
    Header("n_main", "main cause on", "instances where it is the main cause, in the "
           "order of the chart"),
    Header("loss", "in order", "mean cost lost by it, after the causes above it" + IN_UNIT),
    Header("shapley", "over all orders", "mean cost that removing it saves, averaged "
           "over all orders of the causes (its Shapley value)" + IN_UNIT),
    Header("alone", "removed alone", "mean cost saved if only this cause is removed"
           + IN_UNIT),
)  # fmt: skip


def losses(results: ScenarioResults) -> Section | None:
    """The ledger of every selector, with the order of the causes and without."""
    frame = results.frames["loss"].filter(pl.any_horizontal(pl.col("loss", "shapley", "alone") != 0))
    rows = frame.select(column.key for column in _CAUSES).to_dicts()
    finding, *more = mending(results.frames["loss"], results.cost_unit) or [""]
    if not rows or not finding:
        return None
    caption = "Mean cost of each cause, for every selector"
    columns = in_unit(_CAUSES, results.cost_unit)
    table = HtmlTable("causes-table", caption, columns, rows, str(results.n), results.protocol)
    body = join([*map(paragraph, more), table.html()])
    return Section("losses", "Causes of loss", results.population, body, finding=finding, group="why")


def _table(
    results: ScenarioResults, matrix: RunMatrix, best: Compared | None, sbs: Compared | None
) -> Html:
    rows = [
        {
            **row,
            **marked(row["solver"], best=best, sbs=sbs),
            "_solver": matrix.number("selector", row["solver"]),
        }
        for row in results.frames["score"].filter(kind="selector").to_dicts()
    ]
    metrics = in_unit(metric_columns(results.metrics.values(), rows), results.cost_unit)
    columns = [
        column
        for column in (_SELECTOR_NAME, VS_BEST, GROUP, *metrics, _TRAINED)
        if any(row.get(column.key) is not None for row in rows)
    ]
    caption, n = "Scores of the selectors", str(results.n)
    return HtmlTable("selectors-table", caption, columns, rows, n, results.protocol).html()


def baselines(results: ScenarioResults) -> Section | None:
    """SBS, VBS and VWS under the chosen penalty and portfolio; what a selector can attain."""
    found = results.baseline
    if found is None:
        return None
    tied, finding = found["sbs_tied"] or [], _baselines_finding(results, found)
    ties = f"Several algorithms tie for SBS: {', '.join(tied)}. The first by name counts."
    parts = [_cards(results, found), paragraph(ties) if len(tied) > 1 else None, _remark(results)]
    title, over = "Baselines and room", results.population
    return Section("room", title, over, join(parts), follows="all", finding=finding, group="why")


def _baselines_finding(results: ScenarioResults, found: dict[str, Any]) -> str | Html:
    room, ceiling = results.summary["room"], results.attainable
    if found["reason"] or room is None:
        return f"There is no gap: {found['reason']}." if found["reason"] else _OTHER
    parts = ["SBS costs ", live("room", room), " times as much as VBS"]
    if ceiling is not None and results.timed and results.frames["step"].height:
        share = live("attainable", ceiling, share=True)
        parts += ["; a VBS that pays for the features closes ", share, " of the gap"]
    return join([*parts, "."])


_OTHER = "The single best, the virtual best and the virtual worst solver."


def _cards(results: ScenarioResults, found: dict[str, Any]) -> Html:
    cost = f"mean PARk{results.cost_unit}" if results.timed else f"mean {results.measure}"
    means = {  # a quality is shown in its own direction
        of: live(f"{of}-par", found[f"{of}_cost"])
        if results.timed
        else live(f"{of}-own", results.own(found[f"{of}_cost"]))
        for of in ("sbs", "vbs", "vws")
    }
    whose = join([f"{cost} of ", live("sbs", found["sbs"])])
    shown = [
        Card("SBS", means["sbs"], whose, f"{cost} of the single best algorithm of the chosen portfolio"),
        Card(
            "VBS", means["vbs"], cost, f"{cost} of the virtual best: the best algorithm on every instance"
        ),
        Card(
            "VWS", means["vws"], cost, f"{cost} of the virtual worst: the worst algorithm on every instance"
        ),
        Card(
            "SBS / VBS",
            live("room", results.summary["room"]),
            "room for improvement",
            "cost of SBS divided by cost of VBS",
        ),
    ]
    if results.frames["step"].height:
        share = live("attainable", results.attainable, share=True)
        shown.append(
            Card(
                "attainable closed gap",
                share,
                "VBS + features",
                "closed gap of a VBS that pays for the features first",
            )
        )
    if results.timed:
        ends = [live(f"{of}-solved", found[f"{of}_solved"], share=True) for of in ("sbs", "vbs")]
        left = 0 if results.choices["unsolvable"] == "drop" else found["n_unsolvable"]
        shown += [
            Card(
                "solved, SBS → VBS",
                join([ends[0], " → ", ends[1]]),
                "share of instances",
                "share of the instances that SBS solves, and that VBS solves",
            ),
            Card("unsolvable", live("unsolvable", left), "instances no algorithm solves"),
        ]
    return cards(shown, population=results.population)


def _remark(results: ScenarioResults) -> Html | None:
    words = []
    if results.complete is None:
        words.append("A solver has no cost on some instance, so nothing is recomputed.")
    found = results.baseline
    if results.hopeless:
        words.append(
            f"No solver solves any of the {results.n} instances: every score equals a timeout, and all tie."
        )
    if found and found["reason"]:
        words.append(f"There is no gap: {found['reason']}.")
    if results.choices["unsolvable"] == "drop" and found and found["n_unsolvable"]:
        left = f"{number(found['n_unsolvable'])} instances that no algorithm solves"
        words.append(f"The protocol leaves out {left}.")
    return paragraph(" ".join(words)) if words else None
