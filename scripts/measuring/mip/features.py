"""Features of an instance in steps, from free to the price of a linear program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from .model import Model, Row

Values = dict[str, float]
_WHOLE = 1e-6  # how far from whole a value of a linear program may be
_BIG = 50  # a coefficient so many times another one of its row is a big M


@dataclass(frozen=True)
class Found:
    """The features of a step; ``solution`` where it solved the instance by chance."""

    values: Values
    solution: Sequence[float] | None = None


Step = Callable[[], Found]


def shape(model: Model, _: Path) -> Step:
    """Sizes, and how the coefficients are spread over rows and columns."""

    def step() -> Found:
        lengths = [0] * len(model.cost)
        for row in model.rows:
            for j in row.coefficients:
                lengths[j] += 1
        columns, rows, entries = len(lengths), len(model.rows), model.entries
        values = {
            "columns": columns,
            "rows": rows,
            "entries": entries,
            "density": entries / (columns * rows),
            "columns_per_row": columns / rows,
            "binary_share": sum(u == 1 for u in model.upper) / columns,
            "largest_bound": max(model.upper),
            **_spread("row_length", [len(row.coefficients) for row in model.rows]),
            **_spread("column_length", lengths),
        }
        return Found(values)

    return step


def rows(model: Model, _: Path) -> Step:
    """What kinds of rows there are."""

    def step() -> Found:
        kinds = [_kind(model, row) for row in model.rows]
        return Found({f"{kind}_rows": kinds.count(kind) / len(kinds) for kind in KINDS})

    return step


KINDS = ("covering", "packing", "partition", "bound", "knapsack", "big_m", "balance")


def _kind(model: Model, row: Row) -> str:
    """The first of the kinds that a row is, the last where it is no other."""
    a = row.coefficients.values()
    sizes = [abs(value) for value in a]
    if set(a) == {1} and row.side == 1 and all(model.upper[j] == 1 for j in row.coefficients):
        return {"G": "covering", "L": "packing", "E": "partition"}[row.sense]
    if len(sizes) == 2 and row.side == 0:  # noqa: PLR2004 - x ≤ u·y
        return "bound"
    if row.sense == "L" and min(a) > 0:
        return "knapsack"
    return "big_m" if max(sizes) >= _BIG * min(sizes) else "balance"


def coefficients(model: Model, _: Path) -> Step:
    """Costs, coefficients, and how tight the rows are."""

    def step() -> Found:
        lengths = [0] * len(model.cost)
        for row in model.rows:
            for j in row.coefficients:
                lengths[j] += 1
        cost = [abs(c) for c in model.cost]
        paid = [c for c in cost if c]
        each = [c / max(1, n) for c, n in zip(cost, lengths, strict=True) if c]
        logs = [math.log(abs(a)) for row in model.rows for a in row.coefficients.values()]
        tight = [
            row.side / most
            for row in model.rows
            if (most := sum(max(0, a) * model.upper[j] for j, a in row.coefficients.items()))
        ]
        values = {
            "costly_share": len(paid) / len(cost),
            "cost_log_range": math.log(max(paid) / min(paid)),
            **_spread("cost", paid),
            **_spread("cost_per_entry", each),
            "entry_log_mean": fmean(logs),
            "entry_log_deviation": pstdev(logs),
            "entry_log_range": max(logs) - min(logs),
            "tightness_mean": fmean(tight),
            "tightness_deviation": pstdev(tight),
        }
        return Found(values)

    return step


def relaxation(model: Model, path: Path) -> Step:
    """The linear relaxation by HiGHS: its bound, effort and fractionality."""
    from highspy import Highs

    solver = _highs(Highs(), path, solve_relaxation=True)

    def step() -> Found:
        solver.run()
        x = list(solver.getSolution().col_value)
        away = [abs(value - round(value)) for value in x]
        broken = [a for a in away if a > _WHOLE]
        info = solver.getInfo()
        bound = info.objective_function_value
        values = {
            "bound": bound,
            "bound_to_trivial": (model.trivial - bound) / max(1.0, abs(model.trivial), abs(bound)),
            "iterations": info.simplex_iteration_count,
            "fractional": len(broken),
            "fractional_share": len(broken) / len(x),
            "fractional_mean": fmean(broken) if broken else 0.0,
            "nonzero_share": sum(value > _WHOLE for value in x) / len(x),
        }
        return Found(values, None if broken else x)

    return step


def presolving(model: Model, path: Path) -> Step:
    """What the presolver of HiGHS leaves of the instance."""
    from highspy import Highs

    solver = _highs(Highs(), path)

    def step() -> Found:
        solver.presolve()
        left = solver.getPresolvedLp()
        values = {
            "columns_left": left.num_col_ / len(model.cost),
            "rows_left": left.num_row_ / len(model.rows),
            "entries_left": len(left.a_matrix_.value_) / model.entries,
        }
        return Found(values)

    return step


def _highs(solver: Any, path: Path, *, solve_relaxation: bool = False) -> Any:
    for option, value in (("output_flag", False), ("threads", 1), ("solve_relaxation", solve_relaxation)):
        solver.setOptionValue(option, value)
    solver.readModel(str(path))
    return solver


def _spread(name: str, numbers: Sequence[float]) -> Values:
    """Mean, relative deviation and largest by mean."""
    mean = fmean(numbers)
    return {
        f"{name}_mean": mean,
        f"{name}_deviation": pstdev(numbers) / mean,
        f"{name}_peak": max(numbers) / mean,
    }


STEPS: Mapping[str, Callable[[Model, Path], Step]] = {
    "shape": shape,
    "rows": rows,
    "coefficients": coefficients,
    "presolving": presolving,
    "relaxation": relaxation,
}
