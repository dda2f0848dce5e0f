"""How near to normal the resampled mean differences are, as quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aslib_eval.errors import AslibError
from aslib_eval.extensions.second_opinions import analysis
from aslib_eval.figures.chart import Chart, Line, Linear
from aslib_eval.figures.palette import look

MOST = 8  # pairs whose lines are told apart


def mean_quantiles(quantiles: Mapping[str, Sequence[tuple[float, float]]]) -> Chart:
    """Quantiles of the resampled mean of each pair against those of a normal one.

    quantiles: pair → (normal, resampled) in standard errors from the mean, of ``mean_quantiles_of``. On the
    grey line the mean is normal; where a line leaves it at an end, that tail of a t test errs.

    Source: Campelo and Wanner 2020, footnote 11.
    """
    if not 0 < len(quantiles) <= MOST:
        message = f"{len(quantiles)} pairs do not make a readable chart"
        raise AslibError(message, hint=f"Hold against one with --versus (up to {MOST}).")
    points = [point for line in quantiles.values() for point in line]
    low, high = min(min(pair) for pair in points), max(max(pair) for pair in points)
    lines = [
        Line([list(pair) for pair in line], name=name, color=d.color, dash=d.dash)
        for d, (name, line) in zip(map(look, range(len(quantiles))), quantiles.items(), strict=True)
    ]
    return Chart(
        "Resampled mean differences against a normal distribution",
        "The nearer to the grey line, the more a t test may be trusted.",
        Linear("normal quantile", low, high),
        Linear("quantile of the mean [standard errors]", low, high),
        [Line([[low, low], [high, high]], name="normal", color="faint"), *lines],
        height=400,
    )


NORMALITY = replace(
    analysis.NORMALITY,
    chart=lambda block, question: mean_quantiles(analysis.mean_quantiles_of(block, question)),
)
