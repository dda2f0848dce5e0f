"""The selectors over all scenarios: three aggregations, and what they change."""

from __future__ import annotations

from statistics import mean

from aslib_eval.analysis.compare.for_report import Compared, groups_legend, legend
from aslib_eval.analysis.compare.verdicts import LEGEND
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.suite import suite_ranks
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, figure, join, paragraph
from aslib_eval.reports.sections.significance import verdict_of
from aslib_eval.text import brief, plural

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
    caption = "Selectors over all scenarios"
    table = HtmlTable("suite-table", caption, _SUITE, rows, "", protocol)
    n = max(row["n_scenarios"] for row in rows)
    body: list[Html] = []
    charts: dict[str, Chart] = {}
    if (ranks := suite_ranks(suite)) is not None:
        charts["suite-ranks"] = ranks
        title = "Places under every metric and aggregation"
        body.append(figure("suite-ranks", title, ranks.about))
    fewer = "A selector that lacks a scenario is aggregated over fewer of them."
    if len({row["n_scenarios"] for row in rows}) > 1:
        body.append(paragraph(fewer))
    whole = join([*body, table.html(), *_tested(suite.tested, protocol)])
    over = f"up to {plural(n, 'scenario')} · protocol {protocol}"
    story = _choice(suite) or f"{plural(len({r['solver'] for r in rows}), 'selector')}."
    return Section("suite", "Every metric", over, whole, charts, finding=story)


def _choice(suite: SuiteResults) -> str:
    """What perfect choice among the selectors would add; empty without two of them."""
    rows = [line.row for line in suite.lines]
    gaps = [(row["best_gap"], row["choice_gap"]) for row in rows if row.get("best_gap") is not None]
    if not gaps:
        return ""
    best, choice = (mean(column) for column in zip(*gaps, strict=True))
    n = plural(len(gaps), "scenario")
    return (
        f"The best selector of each scenario closes {brief(best)} of the gap in the "
        f"mean over {n}; choosing among the selectors on each instance would close "
        f"{brief(choice)}."
    )


def _tested(found: Compared | None, protocol: str) -> list[Html]:
    """Marks and groups over the scenarios, and the comparison to read aloud."""
    if found is None:
        return []
    if not found.rows:
        return [paragraph(found.sentence)]
    rows = [
        {**row, "mark": "best" if row["mark"] == "o" else verdict_of(row),
         "_n": plural(row["n"], "scenario")}
        for row in found.rows
    ]  # fmt: skip
    caption = "Closed gap, tested over the scenarios"
    table = HtmlTable("suite-tested", caption, _TESTED, rows, "", protocol)
    words = (found.sentence, legend(found), groups_legend(found))
    return [table.html(), *map(paragraph, words)]
