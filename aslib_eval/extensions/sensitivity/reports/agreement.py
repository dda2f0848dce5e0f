"""The definitions over all scenarios, and the selectors tested over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslib_eval.analysis.rankings import Definitions
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.extensions.sensitivity.figures.agreement import least_alike, suite_tau
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, figure, join
from aslib_eval.text import number, plural

_ROWS = (
    Header("name", "scenario"),
    Header("kind", "compared", "selectors where there are any, else algorithms",
           words=True),
    Header("winner", "first by own", "who is first by the report's own protocol and "
           "closed gap", words=True),
    Header("n_definitions", "definitions", "protocol and metric; only those that rank "
           "all systems"),
    Header("share", "agree", "share of the definitions under which the same is first, "
           "alone or tied"),
    Header("others", "else first", "who is first under the others, and under how many",
           words=True),
    Header("least", "least tau-b", "Kendall's tau-b with the report's own ranking"),
    Header("least_by", "by", "the definition that ranks least alike", words=True),
    Header("spread", "gap spread", "largest difference that the protocol makes to one "
           "system's closed gap, of the best eight"),
)  # fmt: skip
_BEST, _NAMED = 8, 3


def agreement(suite: SuiteResults) -> Section | None:
    """Where the winner depends on the definition; None if nowhere two compete."""
    if not suite.defined:
        return None
    rows = [_row(line.row, found) for line, found in suite.defined]
    taus, chart = suite.mean_taus, suite_tau(suite)
    table = HtmlTable("agreement-table", "The definitions, scenario by scenario", _ROWS,
                  rows, "", "all presets")  # fmt: skip
    body: list[Html] = []
    if chart is not None:
        title = "Agreement of the metrics (tau-b)"
        body.append(figure("suite-tau", title, least_alike(taus)))
    charts = {} if chart is None else {"suite-tau": chart}
    over = f"{plural(len(rows), 'scenario')} · every preset and metric"
    whole = join([*body, table.html()])
    finding = _sentence(rows)
    return Section("definitions", "Definitions", over, whole, charts, finding=finding)


def _row(row: dict[str, Any], found: Definitions) -> dict[str, Any]:
    winner = found.winner(found.whole[0])
    counts = dict(found.winners)
    others = [f"{w} {n}" for w, n in found.winners if w != winner]
    more = f"; {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    least, by = found.taus[0] if found.taus else (None, None)
    spans = [found.gaps(s).values() for s in found.systems[:_BEST]]
    return {
        "name": row["name"],
        "_link": row["_link"],
        "_n": plural(row["n"], "instance"),
        "kind": f"{len(found.systems)} {found.kind}s",
        "winner": winner,
        "n_definitions": len(found.whole),
        "share": counts[winner] / len(found.whole),
        "others": "; ".join(others[:_NAMED]) + more if others else None,
        "least": least,
        "least_by": None if by is None else found.named(by),
        "spread": max((max(g) - min(g) for g in spans if g), default=None),
    }


def _sentence(rows: Sequence[dict[str, Any]]) -> str:
    changing = [row for row in rows if row["others"]]
    alone = sum("algorithms" in row["kind"] for row in rows)
    of = f" (with algorithms alone: {alone})" if 0 < alone < len(rows) else ""
    words = (
        f"In {len(changing)} of {plural(len(rows), 'scenario')}{of} somebody else is "
        "first under another protocol or metric"
    )
    if changing:
        most = min(changing, key=lambda row: (row["share"], row["name"]))
        words += (
            f"; most of all on {most['name']}, where {most['winner']} stays first "
            f"under {number(round(100 * most['share']))} % of {most['n_definitions']} "
            "definitions"
        )
    return f"{words}."
