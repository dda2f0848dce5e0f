"""Sections of a page on what its ranking depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from aslib_eval.analysis.results import Definitions, ScenarioResults, SuiteResults, short
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity import analysis
from aslib_eval.extensions.sensitivity.figures import (
    ABOUT,
    ROWS,
    LineUp,
    definitions_gap,
    definitions_like,
    definitions_tau,
    largest,
    least_alike,
    line_up,
    metric_gaps,
    suite_tau,
    sweep_chart,
    swept,
)
from aslib_eval.figures.chart import Chart
from aslib_eval.metrics.sweeps import Reversal
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    both,
    details,
    figure,
    in_unit,
    join,
    paragraph,
)
from aslib_eval.text import join_words, number, plural

_ROWS = (
    Header("name", "scenario"),
    Header("kind", "compared", "selectors where there are any, else algorithms", words=True),
    Header(
        "winner", "first by own", "first system by the report's own protocol and closed gap", words=True
    ),
    Header("n_definitions", "definitions", "protocol and metric; only those that rank all systems"),
    Header("share", "agree", "share of the definitions with the same first system, alone or tied"),
    Header("others", "else first", "first systems by the other definitions, and by how many", words=True),
    Header("least", "least tau-b", "lowest Kendall's tau-b with the report's own ranking"),
    Header("least_by", "least by", "the definition with this tau-b", words=True),
    Header("spread", "gap spread", "largest effect of the protocol on a closed gap of the best eight"),
)
_BEST, _NAMED = 8, 3


def agreement(suite: SuiteResults) -> Section | None:
    """Where the winner depends on the definition; None if nowhere two compete."""
    if not suite.defined:
        return None
    rows = [_row(line.row, found) for line, found in suite.defined]
    taus, chart = suite.mean_taus, suite_tau(suite)
    caption = "The definitions, scenario by scenario"
    table = HtmlTable("agreement-table", caption, _ROWS, rows, "", "all presets")
    body: list[Html] = []
    if chart is not None:
        body.append(figure("suite-tau", "Agreement of the metrics (tau-b)", least_alike(taus)))
    charts = {} if chart is None else {"suite-tau": chart}
    over = f"{plural(len(rows), 'scenario')} · every preset and metric"
    whole = join([*body, table.html()])
    return Section("definitions", "Definitions", over, whole, charts, finding=_sentence(rows), group="sure")


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
        f"In {len(changing)} of {plural(len(rows), 'scenario')}{of}, another protocol or metric "
        "puts another system first"
    )
    if changing:
        most = min(changing, key=lambda row: (row["share"], row["name"]))
        words += (
            f". This is most frequent on {most['name']}, where {most['winner']} is first "
            f"under only {number(round(100 * most['share']))} % of {most['n_definitions']} "
            "definitions"
        )
    return f"{words}."


_PLACES = (
    Header("solver", "system"),
    Header("lowest_gap", "lowest gap", "least closed gap over the protocols"),
    Header("highest_gap", "highest gap", "largest closed gap over the protocols"),
    Header("spread", "spread", "highest minus lowest closed gap"),
    Header("best_rank", "best rank", "over all definitions that do not tie all systems"),
    Header("best_by", "best by", "the first definition that gives this rank", words=True),
    Header("worst_rank", "worst rank", "over all definitions that do not tie all systems"),
    Header("worst_by", "worst by", "the last definition that gives this rank", words=True),
)
_SCORES = (
    Header("solver", "system"),
    Header("protocol", "protocol", "name of the protocol", words=True),
    Header("n", "n", "instances that count under the protocol"),
)


def definitions(results: ScenarioResults) -> Section | None:
    """Closed gaps, places and agreement over all presets; None without two systems."""
    found = results.definitions
    if found is None:
        return None
    finding = analysis.winners(found)
    more = analysis.sentence(found).removeprefix(finding).strip()
    body = [*map(paragraph, [more] if more else []), paragraph(_scope(found))]
    drawn = {
        "definitions-gap": ("Closed gap under every protocol", definitions_gap(results)),
        "metric-gaps": ("Closed gap with respect to every metric", metric_gaps(results)),
        "definitions-like": ("Ranking against the report's own", definitions_like(results)),
        "definitions-tau": ("Agreement of the metrics (tau-b)", definitions_tau(results)),
    }
    charts = {name: chart for name, (_, chart) in drawn.items() if chart is not None}
    about = {name: chart.about for name, chart in charts.items()}
    if "definitions-tau" in about:
        about["definitions-tau"] = least_alike(found.metric_taus(results.protocol))
    figures = {name: figure(name, drawn[name][0], text) for name, text in about.items()}
    maps = [figures.pop(name) for name in ("definitions-like", "definitions-tau") if name in figures]
    body += [*figures.values(), *([both(*maps)] if maps else [])]
    if not found.level:
        body.append(_places(found, results.frames["definition"]))
    body.append(_scores(found, results.cost_unit))
    counts = sorted({found.n[p] for p in found.protocols})
    n = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    over = f"{n} instances, by protocol · {plural(len(found.whole), 'definition')}"
    title, whole = "Definitions", join(body)
    return Section("definitions", title, over, whole, charts, finding=finding, group="sure")


def _scope(found: Definitions) -> str:
    """What a definition is here, how many there are, and why not more."""
    metrics, protocols, n = len(found.used), len(found.protocols), len(found.whole)
    words = (
        f"A definition is a metric under a protocol. {metrics} metrics and {protocols} "
        "protocols (the report's own first) make "
    )
    if n == metrics * protocols:
        words += f"{n} definitions. All of them rank all {found.kind}s."
    else:
        words += f"{metrics * protocols} definitions, of which {n} rank all {found.kind}s: "
        words += f"{analysis.missing(found)}."
    unused = [found.label(m) for m in found.metrics if m not in found.used]
    if unused:
        words += f" Not defined here: {'; '.join(unused)}."
    return words + " Protocols leave out different instances, so each has its own n."


def _places(found: Definitions, frame: pl.DataFrame) -> Html:
    telling = [f"{p} {m}" for p, m in found.whole if found.discriminates((p, m))]
    by, gap = frame["protocol"] + " " + frame["metric"], frame["metric"] == "closed_gap"
    kept = frame.filter((frame["kind"] == found.kind) & (by.is_in(telling) | gap))
    rows = [
        {**row, **{by: _words(found, row[by]) for by in ("best_by", "worst_by")},
         "_n": f"{len(telling)} definitions"}
        for row in analysis.spread(kept).to_dicts()
    ]  # fmt: skip
    rows.sort(key=lambda row: found.systems.index(row["solver"]))
    return HtmlTable(
        "places-table", "Every system under all definitions", _PLACES, rows, "", "all of them"
    ).html()


def _words(found: Definitions, by: str) -> str:
    protocol, _, metric = by.rpartition(" ")
    return found.named((protocol, metric))


def _scores(found: Definitions, unit: str) -> Html:
    rows = [
        {
            "solver": system,
            "protocol": short(protocol),
            "_protocol": protocol,
            "n": found.n[protocol],
            "_n": found.n[protocol],
            **{m: found.scores.get((protocol, m, system)) for m in found.metrics},
            **{_place(m): found.places.get((protocol, m, system)) for m in found.metrics},
            "_tips": _why(found, protocol),
        }
        for system in found.systems
        for protocol in found.protocols
    ]
    columns = list(_SCORES)
    for m in found.metrics.values():
        columns.append(replace(Header.of(m), best=None))
        columns += [] if found.level else [Header(_place(m.name), "place", f"place by {m.label}, 1 = best")]
    shown = [c for c in columns if any(row.get(c.key) is not None for row in rows)]
    return HtmlTable("definitions-table", "Scores under every protocol", in_unit(shown, unit), rows).html()


def _place(metric: str) -> str:
    return f"{metric} place"


def _why(found: Definitions, protocol: str) -> dict[str, str]:
    empty = [m for m in found.metrics if analysis.is_pairwise(found, (protocol, m))]
    return {key: analysis.BORDA for m in empty for key in (m, _place(m))}


_REVERSALS = (
    Header("at", "at", "value of the parameter from which another solver is better"),
    Header("parameter", "parameter", words=True),
    Header("before", "better before", words=True),
    Header("after", "better after", words=True),
    Header("tied_from", "tied from", "where a tie begins before the exchange, if there is one"),
)


def sweeps(results: ScenarioResults) -> Section | None:
    """The three sweeps of the selectors, or of the best algorithms without any."""
    lineup = line_up(results)
    if lineup is None or results.hopeless:
        return None
    body: list[Html | None] = [paragraph(_intro(lineup))]
    charts: dict[str, Chart] = {}
    rows: list[dict[str, Any]] = []
    main: list[dict[str, Any]] = []
    counts: list[str] = []
    for parameter, about in ABOUT.items():
        try:
            found = swept(lineup, parameter)
            drawn = sweep_chart(found)
        except AslibError as error:
            body.append(paragraph(f"No sweep over the {parameter}: {error.message}."))
            continue
        name = f"sweep-{parameter}"
        charts[name] = drawn
        present = found.sweep.reversals
        counts.append(f"{plural(len(present), 'time')} as {_OF[parameter]} varies")
        rows += [_reversal(lineup, r, parameter) for r in present[:ROWS]]
        main += [_reversal(lineup, present[i], parameter) for i in sorted(largest(found))]
        body.append(figure(name, about, charts[name].about))
    if rows:
        body.append(_table(results, "reversals", "The largest exchanges", main))
    if len(rows) > len(main):
        every = _table(results, "reversals-all", "All exchanges of ranks", rows)
        body.append(details(f"All {len(rows)} exchanges", every))
    who = f"Pairs of the best {n}" if (n := len(lineup.best)) > 2 else "The two"  # noqa: PLR2004
    finding = f"{who} exchange ranks {join_words(counts)}."
    title, over = "Sensitivity", results.population
    return Section("sensitivity", title, over, join(body), charts, finding=finding, group="sure")


_OF = {"delta": "delta", "penalty": "the penalty k", "cutoff": "the cutoff"}


def _table(results: ScenarioResults, name: str, caption: str, rows: list[dict[str, Any]]) -> Html:
    n, protocol = str(results.n), results.protocol
    return HtmlTable(name, caption, _REVERSALS, rows, n, protocol).html()


def _intro(lineup: LineUp) -> str:
    n, best = len(lineup.names), len(lineup.best)
    words = (
        f"The {n} {lineup.kind}s under all values of three choices. A dot marks "
        "exactly where two exchange ranks; a large dot marks one of the largest "
        "exchanges."
    )
    if n > best:
        words += (
            f" Only the best {best} by mean cost have a colour, dots and rows in the table. "
            f"The other {n - best} are grey: point at a line to see its name. "
            "The chart cuts off everything below the coloured curves."
        )
    return words


def _reversal(lineup: LineUp, found: Reversal, parameter: str) -> dict[str, Any]:
    tied = found.tied_from if found.tied_from != found.at else None
    before, after = lineup.names[found.before], lineup.names[found.after]
    return {"at": found.at, "parameter": parameter, "before": before, "after": after, "tied_from": tied}
