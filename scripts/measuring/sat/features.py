"""Instance features in named steps, as cheap as numpy and the solvers' probes are.

Most are those of Nudelman, Leyton-Brown, Hoos, Devkar, Shoham: Understanding random SAT, CP 2004, section
2; which step holds what is told by ``STEPS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .draw import Draw
from .formula import Clause, satisfies
from .walk import walk

Values = dict[str, float]
Floats = NDArray[np.float64]
PROBED = 200  # literals that the step `probing` assumes one by one
CONFLICTS = 300  # budget of the step `cdcl`
_SHORT = {"unit": 1, "binary": 2, "ternary": 3}
FLIPS = 4000  # budget of the step `local_search`


@dataclass(frozen=True)
class Problem:
    """A formula as arrays: all literals in a row, and the clause each is in."""

    name: str
    variables: int
    clauses: Sequence[Clause]
    literals: NDArray[np.int64]
    clause: NDArray[np.int64]


@dataclass(frozen=True)
class Found:
    """The values of a step; the answer if the step decided the instance."""

    values: Values
    answer: bool | None = None


def problem(name: str, variables: int, clauses: Sequence[Clause]) -> Problem:
    """The arrays of a formula."""
    sizes = [len(clause) for clause in clauses]
    literals = np.array([x for clause in clauses for x in clause], np.int64)
    numbers = np.repeat(np.arange(len(clauses)), sizes)
    return Problem(name, variables, clauses, literals, numbers)


def size(p: Problem) -> Found:
    """Counts, and how long clauses are."""
    lengths = np.bincount(p.clause, minlength=len(p.clauses)).astype(float)
    used = np.unique(np.abs(p.literals)).size
    return Found(
        {
            "variables": used,
            "clauses": len(p.clauses),
            "literals": p.literals.size,
            "clauses_per_variable": len(p.clauses) / used,
            **{f"{word}_share": float((lengths == n).mean()) for word, n in _SHORT.items()},
            "length_mean": float(lengths.mean()),
            "length_deviation": float(lengths.std()),
            "length_max": float(lengths.max()),
        }
    )


def balance(p: Problem) -> Found:
    """How evenly signs are spread over variables and clauses."""
    positive = np.bincount(np.abs(p.literals), p.literals > 0)[1:]
    all_ = np.bincount(np.abs(p.literals))[1:]
    share = positive[all_ > 0] / all_[all_ > 0]
    lengths = np.bincount(p.clause)
    in_clause = np.bincount(p.clause, p.literals > 0) / lengths
    return Found(
        {
            "positive_share": float((p.literals > 0).mean()),
            "pure_share": float(((share == 0) | (share == 1)).mean()),
            **_spread("variable_balance", np.abs(2 * share - 1)),
            "variable_balance_entropy": _entropy(share),
            **_spread("clause_balance", np.abs(2 * in_clause - 1)),
            "clause_balance_entropy": _entropy(in_clause),
        }
    )


def horn(p: Problem) -> Found:
    """Nearness to Horn formulas: at most one positive literal, or one negative."""
    positive = np.bincount(p.clause, p.literals > 0)
    negative = np.bincount(p.clause, p.literals < 0)
    is_horn = positive <= 1
    times = np.bincount(np.abs(p.literals), is_horn[p.clause], p.variables + 1)[1:]
    return Found(
        {
            "horn_share": float(is_horn.mean()),
            "anti_horn_share": float((negative <= 1).mean()),
            **_spread("in_horn", times / len(p.clauses)),
        }
    )


def graph(p: Problem) -> Found:
    """Degrees of variables and clauses in the graphs that they make.

    Variables are adjacent if a clause holds both (of clauses of more than 30 literals the first 30 count).
    """
    ends = p.variables + 1
    occurrences = np.bincount(np.abs(p.literals), minlength=ends)[1:].astype(float)
    edges = _edges(p)
    degree = np.bincount(edges.ravel(), minlength=ends)[1:].astype(float)
    return Found(
        {
            **_spread("occurrences", occurrences),
            "occurrences_entropy": _entropy(occurrences),
            **_spread("degree", degree),
            "degree_entropy": _entropy(degree),
            "density": 2 * len(edges) / max(1, p.variables * (p.variables - 1)),
            "clustering": _clustering(p, edges),
        }
    )


def _edges(p: Problem) -> NDArray[np.int64]:
    """Pairs of variables that share a clause, the smaller first, each once."""
    lengths = np.bincount(p.clause)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    variables = np.abs(p.literals)
    found = []
    for length in np.unique(np.minimum(lengths, 30)):
        rows = starts[np.minimum(lengths, 30) == length]
        first, second = np.triu_indices(length, 1)
        found.append(
            np.stack([variables[rows[:, None] + first].ravel(), variables[rows[:, None] + second].ravel()])
        )
    low, high = np.sort(np.concatenate(found, axis=1), axis=0)
    both = np.unique(low * (p.variables + 1) + high)
    return np.stack(np.divmod(both, p.variables + 1), axis=1)


def _clustering(p: Problem, edges: NDArray[np.int64]) -> float:
    """Mean share of adjacent pairs among the neighbours of 50 variables."""
    draw = Draw("clustering", p.name)
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    bounds = np.searchsorted(both[:, 0], np.arange(p.variables + 2))
    near = {v: both[bounds[v] : bounds[v + 1], 1] for v in range(1, p.variables + 1)}
    shares = []
    for v in draw.sample(p.variables, min(50, p.variables)):
        mine = near[v + 1][:100]
        if mine.size > 1:
            inside = sum(int(np.isin(mine, near[int(w)]).sum()) for w in mine)
            shares.append(inside / (mine.size * (mine.size - 1)))
    return float(np.mean(shares)) if shares else 0.0


def probing(p: Problem) -> Found:
    """Unit propagation: of nothing, and of literals assumed one by one."""
    from pysat.solvers import Solver

    with Solver("minisat22", bootstrap_with=p.clauses) as solver:
        consistent, _ = solver.propagate()
        if not consistent:
            return Found({"fixed_share": 1.0}, answer=False)
        draw = Draw("probing", p.name)
        among = draw.sample(p.variables, min(PROBED, p.variables))
        counts, failed = [], 0
        for variable in among:
            literal = variable + 1 if draw.flip() else -variable - 1
            fine, implied = solver.propagate([literal])
            failed += not fine
            counts.append(len(implied))
    values = {
        # Of a literal that was true or false beforehand nothing follows, nor itself.
        "fixed_share": counts.count(0) / len(among),
        "failed_share": failed / len(among),
        **_spread("implied", np.array(counts, float)),
    }
    return Found(values)


def local_search(p: Problem) -> Found:
    """A short walk from a random assignment."""
    seen, model = walk(Draw("walk", p.name), p.variables, p.clauses, flips=FLIPS)
    unsatisfied = np.array(seen, float)
    values = {
        "walk_start": float(unsatisfied[0] / len(p.clauses)),
        "walk_best": float(unsatisfied.min() / len(p.clauses)),
        "walk_best_at": float(unsatisfied.argmin() / FLIPS),
        "walk_late_mean": float(unsatisfied[len(seen) // 2 :].mean() / len(p.clauses)),
        "walk_late_deviation": float(unsatisfied[len(seen) // 2 :].std()),
    }
    if model is not None and satisfies(model, p.clauses):
        return Found(values, answer=True)
    return Found(values)


def cdcl(p: Problem) -> Found:
    """A short run of MiniSat: what its first conflicts cost."""
    from pysat.solvers import Solver

    with Solver("minisat22", bootstrap_with=p.clauses) as solver:
        solver.conf_budget(CONFLICTS)
        answer = solver.solve_limited()
        stats = solver.accum_stats() or {}
        model = solver.get_model() if answer else None
    conflicts = max(1, stats["conflicts"])
    values = {
        "cdcl_conflicts": float(stats["conflicts"]),
        "cdcl_decisions_per_conflict": stats["decisions"] / conflicts,
        "cdcl_propagations_per_conflict": stats["propagations"] / conflicts,
    }
    if model is not None and not satisfies(model, p.clauses):
        answer = None
    return Found(values, answer=answer)


def _spread(name: str, numbers: Floats) -> Values:
    """Mean, variation coefficient and extremes."""
    mean = float(numbers.mean())
    return {
        f"{name}_mean": mean,
        f"{name}_variation": float(numbers.std() / mean) if mean else 0.0,
        f"{name}_min": float(numbers.min()),
        f"{name}_max": float(numbers.max()),
    }


def _entropy(numbers: Floats) -> float:
    """Shannon entropy of the values, rounded to hundredths of the largest [nat]."""
    scale = numbers.max() or 1
    _, counts = np.unique(np.round(numbers / scale, 2), return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum() + 0.0)


# Step → what computes it. A step that decides the instance is `presolved`.
STEPS: dict[str, Callable[[Problem], Found]] = {
    "size": size,
    "balance": balance,
    "horn": horn,
    "graph": graph,
    "probing": probing,
    "local_search": local_search,
    "cdcl": cdcl,
}
