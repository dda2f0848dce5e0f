"""How far definitions agree: maps of Kendall's tau-b."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aslib_eval.analysis.rankings import Definition, Definitions, short
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.extensions.sensitivity.analysis.winners import BORDA, missing, pairwise
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart, Dots, Mark, diverging_scale
from aslib_eval.text import number, plural

_SIZE: Mapping[str, Any] = {"row_height": 26, "max_width": 760}


def definitions_like(results: ScenarioResults) -> Chart | None:
    """Metric by protocol: how like the reference it ranks, and who is first.

    None where all systems tie under every definition, or fewer than two are ranked.
    """
    found = results.definitions
    return None if found is None or found.level else like_map(found)


def like_map(found: Definitions) -> Chart:
    """Metric by protocol: how like the reference it ranks; a dot where others win."""
    columns = [p for p in found.protocols if any(p == d[0] for d in found.whole)]
    cells, blank, changed = [], [], []
    for y, metric in enumerate(found.used):
        for x, protocol in enumerate(columns):
            definition = protocol, metric
            if definition not in found.whole:
                blank.append([*_cell(x, y, None, _lacks(found, definition))[:-1], 0])
                continue
            tau = found.tau(found.whole[0], definition)
            cells.append(_cell(x, y, tau, _tells(found, definition, tau)))
            if not found.agrees(definition):
                changed.append([x, y, _tells(found, definition, tau)])
    about = _about(found, len(changed))
    others = Dots(changed, name="another is first", color="ink", r=3)
    marks: list[Mark] = [Boxes(cells), Boxes(blank), others, *diverging_scale()]
    title, names = ("How alike the definitions rank", [found.label(m) for m in found.used])
    across, down = Band([short(p) for p in columns]), Band(names)
    return Chart(title, about, across, down, marks, **_SIZE)


def definitions_tau(results: ScenarioResults) -> Chart | None:
    """Kendall's tau-b of every two metrics under the report's own protocol.

    None where all systems tie under every definition, or fewer than two are ranked.
    """
    found, protocol = results.definitions, results.protocol
    if found is None or found.level:
        return None
    n = found.n.get(protocol, 0)
    who = f"{len(found.systems)} {found.kind}s, n = {n} · protocol {protocol}"
    return _tau_map(found.metric_taus(protocol), who)


def suite_tau(suite: SuiteResults) -> Chart | None:
    """Kendall's tau-b of every two metrics, mean over the scenarios.

    None if nowhere two systems compete.
    """
    n = plural(len(suite.defined), "scenario")
    over = f"mean over up to {n} · protocol {suite.protocol}"
    return _tau_map(suite.mean_taus, over)


def _about(found: Definitions, changed: int) -> str:
    words = (
        f"Against {found.named(found.whole[0])}: blue ranks alike, red the other way "
        f"round; a dot where another {found.kind} is first "
        f"({changed} of {len(found.whole)})."
    )
    if not all(map(found.discriminates, found.whole)):
        words += " Grey: all tied."
    why = missing(found)
    return f"{words} Empty: {why}." if why else words


def _lacks(found: Definitions, definition: Definition) -> str:
    """Why an empty box is empty."""
    why = BORDA if pairwise(found, definition) else "not everyone has a score"
    return f"{found.named(definition)}: {why}"


def _tells(found: Definitions, definition: Definition, tau: float | None) -> str:
    protocol, metric = definition
    words = f"first is {found.winner(definition)}"
    if not found.discriminates(definition):
        words = "all tied"
    elif tau is not None:
        words = f"tau-b {_digits(tau)}, {words}"
    return f"{found.label(metric)} under {protocol}: {words}, n = {found.n[protocol]}"


def _cell(x: int, y: int, tau: float | None, tip: str) -> list[Any]:
    """A box of a map of agreement: blue above 0, red below, stronger further off."""
    paint = "muted" if tau is None else "low" if tau >= 0 else "high"
    opacity = 0.15 if tau is None else round(max(abs(tau), FAINTEST), 3)
    return [x - 0.47, x + 0.47, y - 0.47, y + 0.47, tip, paint, opacity]


def least_alike(taus: Mapping[tuple[str, str], float]) -> str:
    """Which two metrics agree least, as a sentence."""
    least = min(taus, key=lambda pair: (taus[pair], [m.casefold() for m in pair]))
    words = f"{' and '.join(least)} agree least: tau-b {_digits(taus[least])}."
    return words[0].upper() + words[1:]


def _digits(tau: float) -> str:
    return number(round(tau, 2))


def _tau_map(taus: Mapping[tuple[str, str], float], population: str) -> Chart | None:
    """A map of the agreement of metrics, by label; None without any."""
    metrics = list(dict.fromkeys(m for pair in taus for m in pair))
    if not metrics:
        return None
    cells = [
        _cell(x, y, tau, f"{a} and {b}: tau-b {_digits(tau)}")
        for (a, b), tau in taus.items()
        for x, y in ((metrics.index(a), metrics.index(b)), (metrics.index(b), metrics.index(a)))
    ]
    return Chart(
        "Kendall's tau-b between metrics",
        f"{least_alike(taus)} Blue is alike, red is opposite.",
        Band(metrics),
        Band(metrics),
        [Boxes(cells), *diverging_scale()],
        population,
        **_SIZE,
    )
