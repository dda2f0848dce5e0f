"""How far the ranking depends on delta, k and the cutoff: exact curves, reversals."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.figures.sweeps import (
    ABOUT,
    ROWS,
    LineUp,
    largest,
    line_up,
    sweep_chart,
    swept,
)
from aslib_eval.figures.chart import Chart
from aslib_eval.metrics.sweeps.delta import Reversal
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, details, figure, join, paragraph
from aslib_eval.text import join_words

_REVERSALS = (
    Header("at", "at", "value of the parameter from which on the later one is better"),
    Header("parameter", "parameter", words=True),
    Header("before", "better before", words=True),
    Header("after", "better after", words=True),
    Header("tied_from", "tied from", "where the tie before it begins, if there is one"),
)


def sweeps(results: ScenarioResults) -> Section | None:
    """The three sweeps of the selectors, or of the best algorithms without any."""
    lineup = line_up(results)
    if lineup is None:
        return None
    if results.hopeless:
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
        counts.append(f"{_times(len(present))} over {_OF[parameter]}")
        rows += [_reversal(lineup, r, parameter) for r in present[:ROWS]]
        main += [_reversal(lineup, present[i], parameter) for i in sorted(largest(found))]
        body.append(figure(name, about, charts[name].about))
    if rows:
        body.append(_table(results, "reversals", "The largest exchanges", main))
    if len(rows) > len(main):
        every = _table(results, "reversals-all", "All exchanges of places", rows)
        body.append(details(f"All {len(rows)} exchanges", every))
    who = f"Two of the best {n}" if (n := len(lineup.best)) > 2 else "The two"  # noqa: PLR2004
    finding = f"{who} exchange places {join_words(counts)}."
    title, over = "Sensitivity", results.population
    return Section("sensitivity", title, over, join(body), charts, finding=finding)


_OF = {"delta": "delta", "penalty": "the penalty k", "cutoff": "the cutoff"}


def _times(n: int) -> str:
    return {0: "never", 1: "once"}.get(n, f"{n} times")


def _table(results: ScenarioResults, name: str, caption: str, rows: list[dict[str, Any]]) -> Html:
    n, protocol = str(results.n), results.protocol
    return HtmlTable(name, caption, _REVERSALS, rows, n, protocol).html()


def _intro(lineup: LineUp) -> str:
    n, best = len(lineup.names), len(lineup.best)
    words = (
        f"The {n} {lineup.kind}s under all values of three choices; a dot marks "
        "exactly where two exchange places, a large one the exchanges of most "
        "consequence."
    )
    if n > best:
        words += (
            f" The best {best} by mean cost have a colour, and dots and table are of "
            f"them alone; the other {n - best} are grey: point at a line to see whose "
            "it is. What lies below all coloured curves is cut off."
        )
    return words


def _reversal(lineup: LineUp, found: Reversal, parameter: str) -> dict[str, Any]:
    tied = found.tied_from if found.tied_from != found.at else None
    before, after = lineup.names[found.before], lineup.names[found.after]
    return {"at": found.at, "parameter": parameter, "before": before, "after": after,
            "tied_from": tied}  # fmt: skip
