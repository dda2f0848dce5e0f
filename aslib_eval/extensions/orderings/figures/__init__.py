"""Places by several ways to rank."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

ORDERS = FigureEntry(
    "places of the solvers by seven ways to rank",
    "scenario",
    "aslib_eval.extensions.orderings.figures.orders:orders_chart",
    "two solvers",
)
