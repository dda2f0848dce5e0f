"""The critical-difference diagram: mean ranks, and which systems do not differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
import polars as pl

from aslib_eval.analysis.compare import Comparison
from aslib_eval.analysis.compare.question import TESTS
from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Band, Chart, Line, Mark, Texts
from aslib_eval.statistics.friedman import cliques
from aslib_eval.text import plural, printable

# Rows from the top: the difference and its scale, ticks, the axis, bars, names.
_SCALE, _TICKS, _AXIS = 1.0, 2.3, 3.0
_BAR = 0.5  # rows from bar to bar
_HALF = 0.44  # of the plot, from its middle to an end of the axis
_HINT = (
    "It ranks selectors over scenarios that all of them answer: choose more in "
    "scenarios = [...], or draw 'against-sbs' or 'bump' of one scenario."
)
_MOST = 9  # ticks


@dataclass(frozen=True)
class _Ranks:
    """The axis of the ranks: those at its two ends."""

    left: float
    right: float

    def x(self, rank: float) -> float:
        """The place of a rank on an axis of one name."""
        share = (rank - self.left) / (self.right - self.left)
        return _HALF * (2 * share - 1)

    @property
    def ticks(self) -> list[int]:
        """The ranks with a tick: all, or every second, fifth and so on."""
        low, high = sorted((round(self.left), round(self.right)))
        steps = (1, 2, 5, 10, 20, 50, 10**9)
        step = next(s for s in steps if (high - low) / s <= _MOST)
        inner = [r for r in range(low, high + 1) if r % step == 0]
        apart = (r for r in inner if min(r - low, high - r) >= step)
        return sorted({low, high, *apart})


def ranks(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """Critical difference of the selectors' mean ranks by closed gap."""
    try:
        found = results.selector_ranks()
    except AslibError as error:
        raise AslibError(error.message, "ranks", _HINT) from None
    cd = float(found.omnibus["cd"][0])
    title, about = comparison_title(found)
    return critical_difference(found.systems, cd=cd, title=title, about=about)


def critical_difference(
    systems: pl.DataFrame,
    *,
    cd: float,
    highlight: str | None = None,
    against: bool = False,
    best: str = "left",
    title: str = "",
    about: str = "",
) -> Chart:
    """Mean ranks on an axis; a bar joins systems that lie within the difference.

    systems: columns ``system`` and ``mean_rank`` (1 = best), of one comparison; any number of them. ``cd``:
    the critical difference. ``best``: which end of the axis is the best one's, ``left`` or ``right``.
    ``highlight``: a system to point out. ``against``: only comparisons with that one are meant (Bonferroni
    and Dunn's difference), so there is one bar, which reaches as far as the difference does.

    Source: Demsar 2006, figure 1.
    """
    require_one_comparison(systems)
    names, ranks = systems["system"].to_list(), systems["mean_rank"].to_numpy()
    if len(names) < 2:  # noqa: PLR2004
        raise AslibError("a diagram needs two systems")
    if (highlight is not None or against) and highlight not in names:
        raise AslibError(f"nobody is called {highlight}", hint="See the table.")
    if len(set(ranks.tolist())) == 1:
        what = "all systems are equal: there is nothing to draw"
        raise AslibError(what, hint="See --show systems.")
    bars = _bars(names, ranks, cd, highlight if against else None)
    low, high = floor(ranks.min()), ceil(ranks.max())
    high = max(high, low + max(1, ceil(cd)))
    at = _Ranks(low, high) if best == "left" else _Ranks(high, low)
    first = ceil(_AXIS + 0.6 + _BAR * len(bars))  # the first row of names
    order = sorted(range(len(names)), key=lambda i: (at.x(float(ranks[i])), names[i]))
    half = (len(order) + 1) // 2
    rows = {"left": order[:half], "right": order[: half - 1 : -1]}
    sides = {
        side: [""] * first + [_label(names[i], float(ranks[i]), side) for i in own]
        for side, own in rows.items()
    }
    sides["right"] += [""] * (len(sides["left"]) - len(sides["right"]))
    elbows = [
        _elbow(at, names[i], float(ranks[i]), first + row, side, highlight)
        for side, own in rows.items()
        for row, i in enumerate(own)
    ]
    return Chart(
        title or "Mean ranks",
        about,
        Band(("",)),
        Band(sides["left"], right=sides["right"]),
        [*_scale(at, low, cd), *_axis(at), *_joined(at, bars), *elbows],
        row_height=24,
    )


def _label(name: str, rank: float, side: str) -> str:
    return f"{name}  {rank:.2f}" if side == "left" else f"{rank:.2f}  {name}"


def _elbow(at: _Ranks, name: str, rank: float, row: int, side: str, highlight: str | None) -> Line:
    """From a rank down to the row of its name, and to its side."""
    tip = f"{name}: mean rank {rank:.4g}"
    end = -0.5 if side == "left" else 0.5
    corners = ((at.x(rank), _AXIS), (at.x(rank), row), (end, row))
    points = [[x, y, tip] for x, y in corners]
    if name == highlight:
        return Line(points, name=name, color="c2", width=3)
    return Line(points, color="ink", width=1.4)


def _axis(at: _Ranks) -> list[Mark]:
    """The line, and its ticks above it."""
    ends = [Line([[at.x(at.left), _AXIS], [at.x(at.right), _AXIS]], color="ink",
                 width=1.4)]  # fmt: skip
    ticks = [Line([[at.x(r), _AXIS - 0.25], [at.x(r), _AXIS]], color="ink", width=1.4) for r in at.ticks]
    texts = Texts([[at.x(r), _TICKS, f"{r:g}", "middle"] for r in at.ticks])
    return [*ends, *ticks, texts]


def _bars(names: list[str], ranks: np.ndarray, cd: float, one: str | None) -> list[tuple[float, float]]:
    """From which rank to which each bar goes."""
    if one is not None:
        own = float(ranks[names.index(one)])
        low, high = float(floor(ranks.min())), float(ceil(ranks.max()))
        return [(max(low, own - cd), min(high, own + cd))]
    groups = cliques(ranks, difference=cd)
    return [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in groups]


def _joined(at: _Ranks, bars: list[tuple[float, float]]) -> list[Line]:
    found = []
    for level, ends in enumerate(bars):
        y = _AXIS + _BAR * (level + 1)
        left, right = sorted(at.x(rank) for rank in ends)
        tip = f"ranks {min(ends):.4g} to {max(ends):.4g}: no difference shown"
        points = [[x, y, tip] for x in (left - 0.008, right + 0.008)]
        found.append(Line(points, color="ink", width=5))
    return found


def _scale(at: _Ranks, low: float, cd: float) -> list[Mark]:
    """The difference itself, above the best end of the axis."""
    ends = sorted((at.x(low), at.x(low + cd)))
    lines = [Line([[x, _SCALE - 0.2], [x, _SCALE + 0.2]], color="ink", width=1.4)
             for x in ends]  # fmt: skip
    level = Line([[x, _SCALE] for x in ends], width=1.4, color="ink")
    text = [sum(ends) / 2, _SCALE - 0.6, f"CD = {cd:.3g}", "middle"]
    return [level, *lines, Texts([text])]


def require_one_comparison(frame: pl.DataFrame) -> None:
    """Check that the rows are of one protocol, scenario and measure."""
    scope = [c for c in ("protocol", "scenario_id", "measure") if c in frame.columns]
    n = frame.select(scope).unique().height if scope else 1
    if n > 1:
        message = f"a chart shows one comparison, these are {n}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")


def comparison_title(found: Comparison) -> tuple[str, str]:
    """Scenario, metric and n; and the test of the difference and the protocol.

    ``found`` has an omnibus test.

    """
    require_one_comparison(found.omnibus)
    row = found.omnibus.row(0, named=True)
    scenario, n = row["scenario_id"], row["n"]
    where = f"{printable(scenario)}: " if scenario else ""
    units = row["unit"] + ("" if n == 1 else "s")
    if row["n_families"] is not None:
        units += f" of {plural(row['n_families'], 'family', 'families')}"
    test, alpha = row["cd_method"], found.question.alpha
    pairs = found.question.chosen_test
    how = f"mean ranks, {TESTS[test]} at alpha {alpha:g}"
    if test != pairs:
        how += f" ({TESTS[pairs]} may say otherwise of a pair)"
    how += f", protocol {printable(row['protocol'])}"
    return (f"{where}{row['metric']}, n = {n} {units}", how)
