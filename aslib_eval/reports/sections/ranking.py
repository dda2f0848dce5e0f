"""The ranking: who leads, by how much, how sure; the first table of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import mean
from typing import Any

from aslib_eval.analysis.compare.pairs import LEGEND, is_clear
from aslib_eval.analysis.compare.systems import Compared, groups_legend, legend
from aslib_eval.analysis.results import ScenarioResults, SuiteResults
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.gaps import LEAST, fold_gaps, fold_name
from aslib_eval.figures.ranks import suite_ranks
from aslib_eval.figures.runtimes import advantage
from aslib_eval.reports.html import (
    IN_UNIT,
    Header,
    Html,
    HtmlTable,
    Section,
    figure,
    in_unit,
    join,
    live,
    own_column,
    paragraph,
    tag,
)
from aslib_eval.text import aligned, brief, number, plural

_STORED = "; under the protocol, whatever is chosen"
GROUP = Header("sk_group", "group", f"Scott-Knott group by mean, 1 = best{_STORED}")
VS_BEST = Header("mark", "vs best", f"beside the best mean{_STORED}")


def compared_columns(found: Compared | None, against: str, unit: str) -> tuple[list[Header], list[Header]]:
    """The verdict beside the SBS, or the best; and on how many instances it wins.

    Behind the verdict is the interval that it rests on [unit].
    """
    if found is None:
        return [], []
    about = f"beside {found.question.versus}{_STORED}"
    rests = f"interval of the mean cost saved, which the verdict rests on, {about}"
    return [Header("mark_sbs", f"vs {against}", about), Header("ahead", f"ahead{unit}, 95 %", rests)], [
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
        words = words.replace("Beside SBS,", "Beside the best,")
    return tag("p", words, attrs={"class": "population as-stored"})


_NO_END = "no end"
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
            for which, text in (("shown", "tick only those shown"), ("all", "tick all"))
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
    is_first = kind == kind_of(results)
    return join([table.html(), legends(found, against=against) if is_first else None])


def _has(rows: list[dict[str, Any]], key: str) -> bool:
    return any(row.get(key) is not None for row in rows)


def _measures(results: ScenarioResults, rows: list[dict[str, Any]], *, gap: bool) -> list[Header]:
    found = []
    if gap and _has(rows, "gap"):
        about = "closed gap: 1 = VBS, 0 = SBS of the chosen portfolio"
        found.append(Header("bar", "from SBS to VBS", about, bar="gap"))
        found.append(Header("gap", "closed gap", about, live="gap", best="max"))
        if _has(rows, "interval"):
            says = (
                "95 % interval of the closed gap: the instances are drawn anew 2000 times, with SBS and "
                "VBS chosen in each draw; selectors are not trained anew"
            )
            found.append(Header("interval", "closed gap, 95 %", says))
    if not results.timed:
        return [*found, own_column(results.measure, maximize=results.summary["maximize"])]
    found.append(Header("solved", "solved", "share of the instances solved", live="solved", best="max"))
    k, unit = results.choices["penalty"], results.cost_unit
    about, title = "mean PARk of the chosen k and instances", f"PAR{number(k)}{unit}"
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
    ends = interval_of(results, row["solver"])
    if row["closed_gap"] is None or ends == (None, None):
        return None
    return " to ".join(_NO_END if end is None else aligned(end, 2) for end in ends)


def interval_of(results: ScenarioResults, solver: str) -> tuple[float | None, ...]:
    """Both ends of the interval of its closed gap; None where there is none."""
    frame = results.frames.get("gap_interval")
    ends = frame.filter(solver=solver) if frame is not None else None
    if ends is None or not ends.height:
        return None, None
    return ends["gap_low"][0], ends["gap_high"][0]


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
    Header("pooled", "pooled", "mean weighted by each scenario's instances"),
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
    Header("mean_rank", "mean rank", "mean over the scenarios of its rank there"),
    Header("mark", "vs best", f"beside the best mean; {LEGEND}"),
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
        body.append(figure("suite-ranks", "Places under every metric and aggregation", ranks.about))
    if len({row["n_scenarios"] for row in rows}) > 1:
        body.append(paragraph("A selector that lacks a scenario is aggregated over fewer of them."))
    whole = join([*body, table.html(), *_tested(suite.tested, protocol)])
    over = f"up to {plural(n, 'scenario')} · protocol {protocol}"
    story = _choice(suite) or f"{plural(len({r['solver'] for r in rows}), 'selector')}."
    return Section("suite", "Every metric", over, whole, charts, finding=story)


def _choice(suite: SuiteResults) -> str:
    rows = [line.row for line in suite.lines]
    gaps = [(row["best_gap"], row["choice_gap"]) for row in rows if row.get("best_gap") is not None]
    if not gaps:
        return ""
    best, choice = (mean(column) for column in zip(*gaps, strict=True))
    return (
        f"The best selector of each scenario closes {brief(best)} of the gap in the "
        f"mean over {plural(len(gaps), 'scenario')}; choosing among the selectors on each instance "
        f"would close {brief(choice)}."
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
    Header("sbs_train", "SBS, training", "single best of the other folds", words=True),
    Header("sbs_test", "SBS, test", "single best of this fold", words=True),
    Header("sbs_train_cost", "its cost here", "mean cost on this fold of the SBS of the others" + IN_UNIT),
    Header("sbs_test_cost", "best cost", "mean cost of this fold's own SBS" + IN_UNIT),
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
    text = f"In {moved or 'none'} of {len(rows)} folds, the SBS of the others is not the fold's own."
    chart = fold_gaps(results)
    about = f"SBS by the protocol's scope: {results.choices['sbs_scope']}."
    if below := (results.frames["fold"]["closed_gap"].drop_nulls() < LEAST).sum():
        about += f" {below} gaps below {number(LEAST)} stand at the left edge."
    drawn = {} if chart is None else {"fold-gaps": chart}
    body = join([figure("fold-gaps", "Closed gap, fold by fold", about) if drawn else None, table.html()])
    return Section("folds", f"Folds ({len(rows)})", results.population, body, drawn, finding=text)
